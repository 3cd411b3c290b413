/* A crane of welded beams. The jib is welded to the mast, and a rope of light links hangs from its
 * end, with a load of ten thousand times the mass of a link. The joints are solved exactly, so the
 * jib does not bend and the rope does not stretch. */
#include "scene.h"

enum { MAST = 5, JIB = 5, LINKS = 10 };

static const float beam = 2, length = 0.5f; // m

// Welds a row of beams to each other and to `last`, from a point on. Returns the last one.
static cn_body weld_beams(cn_world *world, cn_body last, vec2s from, vec2s step, int count) {
    vec2s half = glms_vec2_scale(step, 0.5f);
    cn_hull hull = step.x > 0 ? cn_box(half.x, 0.25f) : cn_box(0.25f, half.y);
    for (int i = 0; i < count && last.id; i++, from = glms_vec2_add(from, step)) {
        vec2s centre = glms_vec2_add(from, half);
        cn_body next = scene_add_one(world, CN_DYNAMIC, centre.x, centre.y, hull, 1);
        cn_joint_def weld = cn_weld_joint(world, last, next, from);
        if (!cn_joint_create(world, weld).id) return (cn_body){0};
        last = next;
    }
    return last;
}

static bool hang_load(cn_world *world, float mass_ratio, cn_body last, vec2s from) {
    cn_hull link = cn_capsule((vec2s){{0, -0.5f * length}}, (vec2s){{0, 0.5f * length}}, 0.06f);
    cn_hull ball = cn_circle(0.9f);
    float mass = mass_ratio * cn_hull_mass_data(link, 1).mass;
    for (int i = 0; i <= LINKS; i++) {
        bool is_ball = i == LINKS;
        float arm = is_ball ? 0.9f : 0.5f * length;
        float density = is_ball ? mass / cn_hull_mass_data(ball, 1).mass : 1;
        cn_body next =
            scene_add_one(world, CN_DYNAMIC, from.x, from.y - arm, is_ball ? ball : link, density);
        cn_joint_def hinge = cn_revolute_joint(world, last, next, from);
        if (!cn_joint_create(world, hinge).id) return false;
        from.y -= length;
        last = next;
    }
    return cn_body_set_velocity(world, last, (vec2s){{4, 0}});
}

enum { MASS_RATIO };
static const scene_parameter parameters[] = {
    {"mass-ratio", 10000, 1, 20000, false, ""}, // mass of the load / mass of a link
    {.name = NULL},
};

static bool create(scene_run *run) {
    cn_world *world = run->world;
    cn_body ground = scene_add_one(world, CN_STATIC, 0, -0.5f, cn_box(20, 0.5f), 1);
    cn_body mast = weld_beams(world, ground, (vec2s){{-6, 0}}, (vec2s){{0, beam}}, MAST);
    vec2s top = {{-6, MAST * beam - 0.25f}};
    cn_body jib = weld_beams(world, mast, top, (vec2s){{beam, 0}}, JIB);
    return jib.id &&
           hang_load(world, run->values[MASS_RATIO], jib, (vec2s){{-6 + JIB * beam, top.y}});
}

const scene scene_crane = {
    .name = "crane",
    .title = "Crane",
    .caption = "The load weighs ten thousand times as much as a link. The welds do not bend.",
    .view = {0, 5, 15},
    .width = 24,
    .gravity = {{0, -10}},
    .parameters = parameters,
    .overlays = CN_DRAW_JOINTS,
    .create = create,
};
