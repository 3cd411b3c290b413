/* Platforms that are solid from above only. A body that jumps passes through them from below. A
 * body that drops through passes the platform it stands on. Two platforms are static, one moves
 * back and forth, and one is a lift. */
#include "scene.h"

enum { JUMPERS = 12, JUMP_EVERY = 9, DROP_EVERY = 50 };

typedef struct {
    cn_body jumpers[JUMPERS];
    cn_body shuttle, lift;
    int jumps, drops;
} platforms;

static cn_body add_platform(cn_world *world, cn_motion_type type, float x, float y,
                            float half_width) {
    cn_body body = scene_add_body(world, type, x, y);
    cn_shape_def shape = {.hull = cn_box(half_width, 0.12f), .one_way = {{0, 1}}};
    return cn_shape_create(world, body, &shape).id ? body : (cn_body){0};
}

static bool add_walls(cn_world *world) {
    return scene_add_one(world, CN_STATIC, 0, -0.5f, cn_box(11, 0.5f), 1).id &&
           scene_add_one(world, CN_STATIC, -11.5f, 6, cn_box(0.5f, 7), 1).id &&
           scene_add_one(world, CN_STATIC, 11.5f, 6, cn_box(0.5f, 7), 1).id;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    platforms *p = run->memory;
    bool made = add_walls(world) && add_platform(world, CN_STATIC, -6.5f, 3, 3).id &&
                add_platform(world, CN_STATIC, -6.5f, 6, 3).id;
    p->shuttle = add_platform(world, CN_KINEMATIC, 0, 4, 2);
    p->lift = add_platform(world, CN_KINEMATIC, 7.5f, 0.5f, 2.5f);
    for (int i = 0; i < JUMPERS && made; i++) {
        cn_hull hull = i % 3 == 0   ? cn_circle(0.45f)
                       : i % 3 == 1 ? cn_box(0.45f, 0.45f)
                                    : cn_capsule((vec2s){{0, -0.3f}}, (vec2s){{0, 0.3f}}, 0.35f);
        float x = -9.5f + 1.7f * (float)i;
        p->jumpers[i] = scene_add_one(world, CN_DYNAMIC, x, i % 2 ? 1 : 7.5f, hull, 1);
        made =
            p->jumpers[i].id && cn_body_set_locks(world, p->jumpers[i], false, false, i % 3 == 2);
    }
    return made && p->shuttle.id && p->lift.id;
}

// Makes the body jump 3.6 m high if it stands on something.
static bool jump(cn_world *world, cn_body body) {
    vec2s v = cn_body_velocity(world, body);
    bool is_supported = cn_body_contacts(world, body, NULL, 0) > 0 && v.y > -0.5f && v.y < 2;
    return !is_supported || cn_body_set_velocity(world, body, (vec2s){{v.x, 8.5f}});
}

static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    int step = run->step;
    platforms *p = run->memory;
    cn_rotation shuttle_phase = cn_rotation_of(0.02f * (float)step);
    cn_rotation lift_phase = cn_rotation_of(0.015f * (float)step);
    bool done = cn_body_set_velocity(world, p->shuttle, (vec2s){{3 * shuttle_phase.c, 0}}) &&
                cn_body_set_velocity(world, p->lift, (vec2s){{0, 2.7f * lift_phase.s}});
    if (done && step % JUMP_EVERY == 0) done = jump(world, p->jumpers[p->jumps++ * 5 % JUMPERS]);
    if (done && step % DROP_EVERY == DROP_EVERY - 1)
        done = cn_body_drop_through(world, p->jumpers[p->drops++ * 7 % JUMPERS], 0.35f);
    return done;
}

const scene scene_one_way = {
    .name = "one-way",
    .title = "One-way platforms",
    .caption =
        "Bodies jump up through platforms that are solid from above only, and some drop down.",
    .view = {0, 5.7f, 16},
    .width = 24,
    .gravity = {{0, -10}},
    .steps = 600,
    .create = create,
    .before_step = before_step,
    .memory_size = sizeof(platforms),
};
