/* Explosions between stacks of crates. Walls protect the crates behind them, and crates protect
 * each other. The flash of a blast fills the area that its rays reach. A low wall covers the lower
 * half of two stacks, and a bunker covers its crates. The blasts are at three places in turn. While
 * the mouse is over the picture, they are where the user clicks. */
#include "scene.h"

enum { RAYS = 360, GLOW = 40, FIRST_BLAST = 50, STEPS_BETWEEN_BLASTS = 240, PLACES = 3 };

#define CRATE      0.4f  // m, half the side of a crate
#define RADIUS     1.0f  // m, of full strength
#define FALLOFF    9.0f  // m
#define PER_LENGTH 6.5f  // N s/m
#define RANGE      10.0f // m, radius plus falloff

typedef struct {
    vec2s place; // of the last blast
    int step;    // at which it went off
    int pushed;  // bodies
    cn_ray rays[RAYS];
    cn_world_hit hits[RAYS]; // of the rays of the last blast
} state;

static const vec2s places[PLACES] = {{{0, 0.5f}}, {{7.2f, 0.5f}}, {{-9.8f, 0.5f}}};

// ---- the world

static bool add_walls(cn_world *world) {
    // half width, half height, x, y
    static const float walls[][4] = {
        {14, 1, 0, -1}, {0.2f, 0.6f, -3, 0.6f}, {0.25f, 1.5f, 5, 1.5f}, {2.4f, 0.2f, 7.15f, 3.2f}};
    cn_body ground = scene_add_body(world, CN_STATIC, 0, 0);
    for (size_t i = 0; i < sizeof walls / sizeof *walls; i++) {
        cn_hull box = cn_box(walls[i][0], walls[i][1]);
        box = cn_hull_at(box, cn_pose_at((vec2s){{walls[i][2], walls[i][3]}}, 0));
        if (!scene_add_hull(world, ground, box, 0.6f, 1).id) return false;
    }
    return true;
}

static bool add_stack(cn_world *world, float x, int count, bool on_bunker) {
    for (int i = 0; i < count; i++) {
        float y = CRATE * (float)(2 * i + 1) + (on_bunker ? 3.4f : 0);
        if (!scene_add_one(world, CN_DYNAMIC, x, y, cn_box(CRATE, CRATE), 1).id) return false;
    }
    return true;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    s->step = -GLOW;
    bool done = add_walls(world) && add_stack(world, -4.2f, 5, false) &&
                add_stack(world, -5.1f, 5, false) && add_stack(world, 2.6f, 3, false) &&
                add_stack(world, 6.6f, 2, false) && add_stack(world, 7.8f, 2, false) &&
                add_stack(world, 7.1f, 2, true);
    for (int i = 0; i < 3 && done; i++)
        done =
            scene_add_one(world, CN_DYNAMIC, 3.6f, 0.35f + 0.7f * (float)i, cn_circle(0.35f), 1).id;
    return done;
}

// ---- blasts

// A shape that contains the blast shields nothing.
static bool is_outside(const cn_world *world, cn_side side, void *place) {
    return !cn_shape_contains(world, side.shape, *(const vec2s *)place);
}

// Casts the rays of a blast, for the picture.
static bool look_from(const cn_world *world, state *s, vec2s place) {
    const cn_query query = {.accept = is_outside, .user = &place};
    for (int i = 0; i < RAYS; i++) {
        cn_rotation r = cn_rotation_of(2 * 3.14159265f * (float)i / RAYS);
        s->rays[i] = (cn_ray){place, {{RANGE * r.c, RANGE * r.s}}};
    }
    return cn_world_cast_rays(world, s->rays, RAYS, &query, s->hits);
}

static bool explode(scene_run *run, vec2s place) {
    cn_world *world = run->world;
    state *s = run->memory;
    const cn_explosion e = {.position = place,
                            .radius = RADIUS,
                            .falloff = FALLOFF,
                            .impulse_per_length = PER_LENGTH,
                            .blocked = true};
    if (!look_from(world, s, place)) return false;
    s->place = place, s->step = run->step;
    s->pushed = cn_world_explode(world, &e);
    run->blast_count++;
    run->blast = place, run->blast_reach = RADIUS + FALLOFF;
    return true;
}

static bool control(scene_run *run) {
    const scene_input *input = &run->input;
    int step = run->step;
    if (input->has_mouse) return !input->clicked || explode(run, input->mouse);
    if (step % STEPS_BETWEEN_BLASTS != FIRST_BLAST) return true;
    return explode(run, places[step / STEPS_BETWEEN_BLASTS % PLACES]);
}

// ---- the picture

static vec2s find_ray_end(const state *m, int i) {
    return m->hits[i].hit ? m->hits[i].point
                          : glms_vec2_add(m->rays[i].origin, m->rays[i].translation);
}

static void draw_flash(const state *m, sketch *s, float glow) {
    for (int i = 0; i < RAYS; i++)
        sketch_triangle(s, m->place, find_ray_end(m, i), find_ray_end(m, (i + 1) % RAYS),
                        (sketch_pen){INK_YELLOW, 0.4f * glow, 0});
    cn_hull core = cn_circle(RADIUS);
    sketch_hull(s, &core, cn_pose_at(m->place, 0), (sketch_pen){INK_ORANGE, 0.7f * glow, 0});
}

static void draw(const scene_run *run, sketch *s) {
    const state *m = run->memory;
    float glow = 1 - (float)(run->step - 1 - m->step) / GLOW;
    if (glow > 0) draw_flash(m, s, glow);
    int due = (run->step - 1 + STEPS_BETWEEN_BLASTS - FIRST_BLAST) / STEPS_BETWEEN_BLASTS;
    vec2s next = run->input.has_mouse ? run->input.mouse : places[due % PLACES];
    sketch_dot(s, next, (sketch_pen){INK_RED, 1, 5});
    sketch_note(s, INK_RED, "%s", run->input.has_mouse ? "click: a blast here" : "the next blast");
    sketch_note(s, INK_YELLOW, "the last blast; it pushed %d bodies", m->pushed);
}

const scene scene_blast = {
    .name = "blast",
    .title = "Blasts",
    .caption =
        "Explosions push crates in proportion to the width that faces them. Walls shield crates.",
    .view = {0, 3.6f, 12},
    .width = 25,
    .gravity = {{0, -10}},
    .steps = 720,
    .create = create,
    .control = control,
    .draw = draw,
    .memory_size = sizeof(state),
};
