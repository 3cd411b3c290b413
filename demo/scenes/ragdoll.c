/* The ragdoll as two tables: bones, which are upright capsules, and the joints that connect each
 * bone to its parent. Joints have limits, a little friction and a weak spring. */
#include "ragdoll.h"

#define PI 3.14159265358979f

enum { DOLL_CATEGORY = 2, GROUND_CATEGORY = 1, LOWER_LEFT_LEG = 4, LOWER_RIGHT_LEG = 6 };

typedef struct {
    float height;          // m, of the body's origin above the doll's origin
    float bottom, top;     // m, ends of the capsule's segment, from the body's origin
    float radius, damping; // m; linear damping, 1/s
} bone;

static const bone bones[RAGDOLL_BONES] = {
    {0.95f, -0.02f, 0.02f, 0.095f, 0},       // hip
    {1.2f, -0.135f, 0.135f, 0.09f, 0},       // torso
    {1.475f, -0.038f, 0.039f, 0.075f, 0.1f}, // head
    {0.775f, -0.125f, 0.125f, 0.06f, 0},     // left leg, upper
    {0.475f, -0.155f, 0.125f, 0.045f, 0},    // lower
    {0.775f, -0.125f, 0.125f, 0.06f, 0},     // right leg
    {0.475f, -0.155f, 0.125f, 0.045f, 0},    {1.225f, -0.125f, 0.125f, 0.035f, 0}, // left arm
    {0.975f, -0.125f, 0.125f, 0.03f, 0.1f},  {1.225f, -0.125f, 0.125f, 0.035f, 0}, // right arm
    {0.975f, -0.125f, 0.125f, 0.03f, 0.1f},
};

typedef struct {
    int parent;
    float height;       // m, above the doll's origin
    float lower, upper; // limits of the angle, in half turns
    float friction;     // relative to the other joints
    float bend;         // angle of the frame on the parent, in half turns
    float hertz;        // of the spring
} link;

static const link links[RAGDOLL_JOINTS] = {
    {0, 1.0f, -0.25f, 0, 0.5f, 0, 5},    {1, 1.4f, -0.3f, 0.1f, 0.25f, 0, 5},
    {0, 0.9f, -0.05f, 0.4f, 1, 0, 5},    {3, 0.625f, -0.5f, -0.02f, 0.5f, 0, 5},
    {0, 0.9f, -0.05f, 0.4f, 1, 0, 5},    {5, 0.625f, -0.5f, -0.02f, 0.5f, 0, 5},
    {1, 1.35f, -0.1f, 0.8f, 0.5f, 0, 3}, {7, 1.1f, -0.2f, 0.3f, 0.1f, 0.25f, 5},
    {1, 1.35f, -0.1f, 0.8f, 0.5f, 0, 3}, {9, 1.1f, -0.2f, 0.3f, 0.1f, 0.25f, 5},
};

static bool add_foot(cn_world *world, cn_body leg, int group) {
    static const vec2s corners[] = {
        {{-0.03f, -0.185f}}, {{0.11f, -0.185f}}, {{0.11f, -0.16f}}, {{-0.03f, -0.14f}}};
    cn_shape_def foot = {
        .hull = cn_polygon(corners, 4, 0.015f),
        .material = {.friction = 0.05f},
        .filter = {.category = DOLL_CATEGORY, .mask = GROUND_CATEGORY, .group = -group},
    };
    return cn_shape_create(world, leg, &foot).id != 0;
}

static cn_body add_bone(cn_world *world, int index, float x, float y, int group) {
    const bone *b = &bones[index];
    cn_body_def def = {
        .position = {{x, y + b->height}}, .linear_damping = b->damping, .sleep_speed = 0.1f};
    cn_shape_def shape = {
        .hull = cn_capsule((vec2s){{0, b->bottom}}, (vec2s){{0, b->top}}, b->radius),
        .material = {.friction = 0.2f},
        .filter = {.category = DOLL_CATEGORY,
                   .mask = GROUND_CATEGORY | DOLL_CATEGORY,
                   .group = -group},
    };
    cn_body body = cn_body_create(world, &def);
    bool has_foot = index == LOWER_LEFT_LEG || index == LOWER_RIGHT_LEG;
    bool made =
        cn_shape_create(world, body, &shape).id && (!has_foot || add_foot(world, body, group));
    return made ? body : (cn_body){0};
}

static cn_joint add_joint(cn_world *world, const ragdoll *doll, int index) {
    const link *l = &links[index];
    cn_joint_def def = {
        .a = doll->bones[l->parent],
        .b = doll->bones[index + 1],
        .frame_a = cn_pose_at((vec2s){{0, l->height - bones[l->parent].height}}, l->bend * PI),
        .frame_b = {.position = {{0, l->height - bones[index + 1].height}}},
        .angle = {.mode = CN_LIMITED,
                  .lower = l->lower * PI,
                  .upper = l->upper * PI,
                  .hertz = l->hertz,
                  .damping_ratio = 0.5f,
                  .motor = true,
                  .max_motor_force = 0.05f * l->friction},
    };
    return cn_joint_create(world, def);
}

bool ragdoll_add(cn_world *world, ragdoll *doll, float x, float y, int group) {
    for (int i = 0; i < RAGDOLL_BONES; i++) {
        doll->bones[i] = add_bone(world, i, x, y, group);
        if (i > 0) doll->joints[i - 1] = add_joint(world, doll, i - 1);
        if (!doll->bones[i].id || (i > 0 && !doll->joints[i - 1].id)) return false;
    }
    return true;
}

bool ragdoll_destroy(cn_world *world, const ragdoll *doll) {
    bool done = true;
    for (int i = 0; i < RAGDOLL_JOINTS; i++) done &= cn_joint_destroy(world, doll->joints[i]);
    for (int i = 0; i < RAGDOLL_BONES; i++) done &= cn_body_destroy(world, doll->bones[i]);
    return done;
}
