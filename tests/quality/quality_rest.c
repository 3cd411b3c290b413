/* Figures of bodies that come to rest in a bin: piles that fall asleep, and a heap of dolls. */
#include "../support/gap.h"
#include "quality_build.h"

// ------------------------------------------------------------------------------------------- sleep

// A box between half and all of `size` in each direction.
static cn_hull make_box(quality_run *run, double size) {
    double height = size * quality_random(run, 0.5, 1), width = size * quality_random(run, 0.5, 1);
    return cn_box((float)width, (float)height);
}

static cn_hull make_hexagon(quality_run *run, double size) {
    (void)run;
    return cn_regular_polygon(6, (float)size);
}

// n bodies fall into a bin that is eight of them wide. Sleeping is on.
static void drop_pile(quality_run *run, int n, uint64_t seed,
                      cn_hull make(quality_run *run, double size)) {
    const double pitch = 1.1;
    const int columns = 8;
    quality_begin(run, -10, seed);
    quality_check(run, cn_world_set_no_sleep(run->world, false));
    add_bin(run, pitch * (columns + 1) / 2 + 0.2);
    for (int i = 0; i < n; i++) {
        double jitter = quality_random(run, -0.05, 0.05), angle = quality_random(run, -PI, PI);
        cn_hull hull = make(run, quality_random(run, 0.2, 0.5));
        add_watched(run, pitch * (i % columns - 0.5 * (columns - 1)) + jitter,
                    1 + pitch * (i / columns), angle, (cn_shape_def){.hull = hull});
    }
}

// The values are the number of piles in which a body is awake after 20 s, and the mean time until
// all sleep.
static void measure_sleep(quality_run *run, int n, cn_hull make(quality_run *run, double size)) {
    const int piles = 50;
    for (int seed = 1; seed <= piles; seed++) {
        drop_pile(run, n, (uint64_t)seed, make);
        int steps = 0;
        for (; steps < 20 * SECOND && cn_world_counters(run->world).awake_bodies; steps++)
            quality_step(run, 1);
        run->values[0] += cn_world_counters(run->world).awake_bodies > 0;
        run->values[1] += (double)steps / SECOND / piles;
    }
}

void quality_box_sleep(quality_run *run, int n) { measure_sleep(run, n, make_box); }

void quality_hex_sleep(quality_run *run, int n) { measure_sleep(run, n, make_hexagon); }

// A lift on a slider rises by 1.2 m at n mm/s. Sleeping is on. The value is the error of its place.
void quality_slow_motor(quality_run *run, int n) {
    quality_begin(run, -10, 1);
    quality_check(run, cn_world_set_no_sleep(run->world, false));
    cn_body ground = cn_body_create(run->world, &(cn_body_def){.type = CN_STATIC});
    cn_body lift = cn_body_create(run->world, &(cn_body_def){0});
    add_shape(run, lift, (cn_shape_def){.hull = cn_box(0.5f, 0.1f)});
    cn_joint_def def =
        cn_prismatic_joint(run->world, ground, lift, (vec2s){{0, 0}}, (vec2s){{0, 1}});
    def.x = (cn_coordinate){
        .mode = CN_LIMITED, .upper = 1.2f, .motor = true, .motor_speed = 0.001f * (float)n};
    quality_check(run, cn_joint_create(run->world, def).id);
    quality_step(run, 1300 * SECOND / n);
    run->values[0] = 1000 * fabs((double)cn_body_position(run->world, lift).y - 1.2);
}

// ------------------------------------------------------------------------------------------- dolls

// The doll of demo/scenes/ragdoll.c: capsules from `bottom` to `top` of the centre, and the hinge
// between a bone and its parent. Angles are in half turns.
static const struct {
    float height, bottom, top, radius, damping;
} bones[] = {
    {0.95f, -0.02f, 0.02f, 0.095f, 0},       {1.2f, -0.135f, 0.135f, 0.09f, 0},
    {1.475f, -0.038f, 0.039f, 0.075f, 0.1f}, {0.775f, -0.125f, 0.125f, 0.06f, 0},
    {0.475f, -0.155f, 0.125f, 0.045f, 0},    {0.775f, -0.125f, 0.125f, 0.06f, 0},
    {0.475f, -0.155f, 0.125f, 0.045f, 0},    {1.225f, -0.125f, 0.125f, 0.035f, 0},
    {0.975f, -0.125f, 0.125f, 0.03f, 0.1f},  {1.225f, -0.125f, 0.125f, 0.035f, 0},
    {0.975f, -0.125f, 0.125f, 0.03f, 0.1f},
};
static const struct {
    int parent;
    float height, lower, upper, friction, bend;
} hinges[] = {
    {0, 1.0f, -0.25f, 0, 0.5f, 0},    {1, 1.4f, -0.3f, 0.1f, 0.25f, 0},
    {0, 0.9f, -0.05f, 0.4f, 1, 0},    {3, 0.625f, -0.5f, -0.02f, 0.5f, 0},
    {0, 0.9f, -0.05f, 0.4f, 1, 0},    {5, 0.625f, -0.5f, -0.02f, 0.5f, 0},
    {1, 1.35f, -0.1f, 0.8f, 0.5f, 0}, {7, 1.1f, -0.2f, 0.3f, 0.1f, 0.25f},
    {1, 1.35f, -0.1f, 0.8f, 0.5f, 0}, {9, 1.1f, -0.2f, 0.3f, 0.1f, 0.25f},
};

enum { BONES = sizeof bones / sizeof *bones, LEFT_SHIN = 4, RIGHT_SHIN = 6 };

static cn_body add_bone(quality_run *run, double x, double y, int bone, int group) {
    cn_body_def def = {.position = {{(float)x, (float)y + bones[bone].height}},
                       .linear_damping = bones[bone].damping};
    vec2s bottom = {{0, bones[bone].bottom}}, top = {{0, bones[bone].top}};
    cn_shape_def shape = {.hull = cn_capsule(bottom, top, bones[bone].radius),
                          .material = {.friction = 0.2f},
                          .filter = {.category = 2, .mask = 1 | 2, .group = -group}};
    cn_body body = cn_body_create(run->world, &def);
    add_shape(run, body, shape);
    if (bone == LEFT_SHIN || bone == RIGHT_SHIN) {
        const vec2s corners[] = {
            {{-0.03f, -0.185f}}, {{0.11f, -0.185f}}, {{0.11f, -0.16f}}, {{-0.03f, -0.14f}}};
        shape.hull = cn_polygon(corners, 4, 0.015f);
        shape.material.friction = 0.05f;
        shape.filter.mask = 1; // feet hit the bin only
        add_shape(run, body, shape);
    }
    return body;
}

static void add_doll(quality_run *run, double x, double y, int group) {
    const float half_turn = (float)PI;
    cn_body bodies[BONES];
    for (int i = 0; i < BONES; i++) bodies[i] = add_bone(run, x, y, i, group);
    for (int i = 0; i < BONES - 1; i++) {
        int parent = hinges[i].parent;
        vec2s in_parent = {{0, hinges[i].height - bones[parent].height}};
        vec2s in_child = {{0, hinges[i].height - bones[i + 1].height}};
        cn_joint_def def = {.a = bodies[parent],
                            .b = bodies[i + 1],
                            .frame_a = cn_pose_at(in_parent, hinges[i].bend * half_turn),
                            .frame_b = {.position = in_child},
                            .angle = {.mode = CN_LIMITED,
                                      .lower = hinges[i].lower * half_turn,
                                      .upper = hinges[i].upper * half_turn,
                                      .hertz = 5,
                                      .damping_ratio = 0.5f,
                                      .motor = true,
                                      .max_motor_force = 0.05f * hinges[i].friction}};
        quality_check(run, cn_joint_create(run->world, def).id);
    }
}

static double greatest_gap(const cn_world *world) {
    double most = 0;
    for (cn_joint joint = {0}; (joint = cn_world_next_joint(world, joint)).id;)
        most = greatest(most, gap_of(world, joint));
    return most;
}

// n dolls fall from 10 m into a bin 1 m wide, two abreast. The values are the mean of the deepest
// overlap after 10 s in twelve bins, and the mean of the greatest gap of a joint in each of them.
void quality_doll_bin(quality_run *run, int n) {
    const int bins = 12;
    for (int seed = 1; seed <= bins; seed++) {
        quality_begin(run, -10, (uint64_t)seed);
        add_bin(run, 0.5);
        for (int i = 0; i < n; i++) {
            double dx = quality_random(run, -0.1, 0.1), dy = quality_random(run, 0, 0.1);
            add_doll(run, (i % 2 ? 0.25 : -0.25) + dx, 10 + 1.8 * (i / 2) + dy, i + 1);
        }
        double gap = 0;
        for (int i = 0; i < 10 * SECOND; i++) {
            quality_step(run, 1);
            gap = greatest(gap, 1000 * greatest_gap(run->world));
        }
        run->values[0] += 1000 * quality_measure_penetration(run->world).max / bins;
        run->values[1] += gap / bins;
    }
}
