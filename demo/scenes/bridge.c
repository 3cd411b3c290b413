/* Two bridges of planks on revolute joints. The planks follow a parabola, because a bridge that is
 * only as long as the gap would need an unlimited force in its joints. The right bridge has a joint
 * that breaks. */
#include "scene.h"

enum { PLANKS = 16 };

static const float span = 15, sag = 1.4f, gap_depth = 8.5f;

typedef struct {
    float x;           // m, left end of the bridge
    float break_force; // N, of the joint in the middle; 0: unbreakable
} bridge;

static vec2s locate_hinge(const bridge *b, int i) {
    float t = (float)i / PLANKS;
    return (vec2s){{b->x + span * t, -4 * sag * t * (1 - t)}};
}

static cn_body add_plank(cn_world *world, vec2s from, vec2s to) {
    vec2s middle = glms_vec2_lerp(from, to, 0.5f), along = glms_vec2_sub(to, from);
    float half = glms_vec2_norm(along) / 2;
    cn_body plank =
        cn_body_create(world, &(cn_body_def){.position = middle,
                                             .angle = cn_rotation_angle((cn_rotation){
                                                 along.x / (2 * half), along.y / (2 * half)})});
    bool made = scene_add_hull(world, plank, cn_box(half, 0.11f), 0.6f, 1).id;
    return made ? plank : (cn_body){0};
}

static bool add_hinge(cn_world *world, const bridge *b, cn_body left, cn_body right, int i) {
    cn_joint_def def = cn_revolute_joint(world, left, right, locate_hinge(b, i));
    if (i == PLANKS / 2) def.break_force = b->break_force;
    return cn_joint_create(world, def).id != 0;
}

static bool add_bridge(cn_world *world, cn_body cliffs, const bridge *b) {
    cn_body previous = cliffs;
    for (int i = 0; i < PLANKS; i++) {
        cn_body plank = add_plank(world, locate_hinge(b, i), locate_hinge(b, i + 1));
        if (!plank.id || !add_hinge(world, b, previous, plank, i)) return false;
        previous = plank;
    }
    return add_hinge(world, b, previous, cliffs, PLANKS);
}

static cn_body add_cliffs(cn_world *world) {
    static const float x[] = {-20, 0, 20}, half_width[] = {4, 1, 4};
    cn_body cliffs = scene_add_body(world, CN_STATIC, 0, -gap_depth / 2);
    for (int i = 0; i < 3; i++) {
        cn_hull box = cn_box(half_width[i], gap_depth / 2);
        box = cn_hull_at(box, cn_pose_at((vec2s){{x[i], 0}}, 0));
        if (!scene_add_hull(world, cliffs, box, 0.6f, 1).id) return (cn_body){0};
    }
    return cliffs;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    static const bridge bridges[] = {{-16 + 0.01f, 0}, {1 - 0.01f, 700}};
    cn_body cliffs = add_cliffs(world);
    if (!scene_add_one(world, CN_STATIC, 0, -gap_depth - 1, cn_box(24, 1), 1).id) return false;
    bool made = add_bridge(world, cliffs, &bridges[0]) && add_bridge(world, cliffs, &bridges[1]);
    for (int i = 0; i < 6 && made; i++) {
        float x = -12.5f + 1.6f * (float)i;
        made = scene_add_one(world, CN_DYNAMIC, x, 0.5f, cn_box(0.5f, 0.5f), 1).id &&
               scene_add_one(world, CN_DYNAMIC, x, 2, cn_circle(0.35f), 1).id;
    }
    return made && scene_add_one(world, CN_DYNAMIC, 5, 0.5f, cn_box(0.5f, 0.5f), 1).id &&
           scene_add_one(world, CN_DYNAMIC, 9, 7.5f, cn_circle(1), 10).id;
}

const scene scene_bridge = {
    .name = "bridge",
    .title = "Bridges",
    .caption =
        "Planks on revolute joints. One joint of the right bridge breaks under the heavy ball.",
    .view = {0, 0, 18.5f},
    .width = 33,
    .gravity = {{0, -10}},
    .overlays = CN_DRAW_JOINTS,
    .steps = 240,
    .create = create,
};
