/* Ragdolls fall down a flight of steps. */
#include "ragdoll.h"

enum { STEPS = 7, DOLLS = 8 };

typedef struct {
    ragdoll dolls[DOLLS];
} state;

static bool create(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    bool made = scene_add_one(world, CN_STATIC, 0, -1, cn_box(20, 1), 1).id;
    for (int i = 0; i < STEPS && made; i++) {
        float top = 0.5f * (float)(STEPS - i);
        made = scene_add_one(world, CN_STATIC, -5 + 1.1f * (float)i, top / 2,
                             cn_box(0.55f, top / 2), 1)
                   .id;
    }
    made = made && scene_add_one(world, CN_STATIC, -7, 1.75f, cn_box(1.45f, 1.75f), 1).id &&
           scene_add_one(world, CN_STATIC, 8.5f, 0.6f, cn_box(0.3f, 0.6f), 1).id;
    for (int i = 0; i < DOLLS && made; i++) {
        ragdoll *doll = &s->dolls[i];
        float x = -5.5f + 0.8f * (float)(i % 4), y = 4 + 2 * (float)(i / 4);
        made = ragdoll_add(world, doll, x, y, i + 1) &&
               cn_body_set_velocity(world, doll->bones[1], (vec2s){{4, 0}});
    }
    return made;
}

// ---- the picture

static void draw_bone(const cn_world *world, cn_body bone, sketch_pen pen, sketch *s) {
    for (cn_shape shape = {0}; (shape = cn_body_next_shape(world, bone, shape)).id;) {
        cn_hull hull = cn_shape_hull(world, shape);
        sketch_hull(s, &hull, cn_body_pose(world, bone), pen);
    }
}

// The head is drawn larger than it is, so that one sees how it turns.
static void draw_head(cn_pose pose, sketch_pen pen, sketch *s) {
    cn_hull head = cn_circle(0.15f), eye = cn_circle(0.024f);
    sketch_hull(s, &head, cn_pose_multiply(pose, cn_pose_at((vec2s){{0, 0.04f}}, 0)), pen);
    for (int i = 0; i < 2; i++) {
        cn_pose at = cn_pose_at((vec2s){{0.025f + 0.075f * (float)i, 0.065f}}, 0);
        sketch_hull(s, &eye, cn_pose_multiply(pose, at), (sketch_pen){INK_BLACK, 1, 0});
    }
}

// Draws the bones that exist in a colour.
static void draw_doll(const cn_world *world, const ragdoll *doll, sketch_ink ink, sketch *s) {
    for (int i = 0; i < RAGDOLL_BONES; i++)
        if (i != RAGDOLL_HEAD && cn_body_valid(world, doll->bones[i]))
            draw_bone(world, doll->bones[i], (sketch_pen){ink, 1, 0}, s);
    if (cn_body_valid(world, doll->bones[RAGDOLL_HEAD]))
        draw_head(cn_body_pose(world, doll->bones[RAGDOLL_HEAD]), (sketch_pen){ink, 1, 1.5f}, s);
}

static void draw(const scene_run *run, sketch *s) {
    static const sketch_ink inks[] = {INK_ORANGE, INK_BLUE, INK_GREEN,
                                      INK_YELLOW, INK_PINK, INK_RED};
    const state *m = run->memory;
    for (int i = 0; i < DOLLS; i++) draw_doll(run->world, &m->dolls[i], inks[i % 6], s);
}

const scene scene_ragdolls = {
    .name = "ragdolls",
    .title = "Ragdolls",
    .caption = "Ragdolls fall down stairs. Their joints have limits, friction and a weak spring.",
    .view = {0, 4, 10},
    .gravity = {{0, -10}},
    .steps = 240,
    .create = create,
    .draw = draw,
    .memory_size = sizeof(state),
};
