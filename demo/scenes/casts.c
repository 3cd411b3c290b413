/* Hulls are cast through a field of obstacles, from one point in all directions. Half of them move
 * straight, and half of them also turn. Each hull is drawn where it first hits something. The start
 * follows the mouse while the mouse is over the picture. Otherwise it moves by itself. */
#include "scene.h"

enum { CASTS = 6, OBSTACLES = 18 };

#define RANGE        6.4f // metres
#define OUTLINE_STEP 1.1f // metres between the outlines along the sweep
#define PI           3.14159265f

static const struct {
    const char *name;
    int corners; // 0: circle, 2: capsule
    float radius, turn;
} casts[CASTS] = {
    {"circle", 0, 0.45f, 0},    {"capsule, turning", 2, 0.25f, 5}, {"triangle", 3, 0, 0},
    {"box, turning", 4, 0, -4}, {"rounded pentagon", 5, 0.15f, 0}, {"hexagon, turning", 6, 0, 4},
};

static cn_hull make_hull(int i) {
    if (casts[i].corners == 0) return cn_circle(casts[i].radius);
    if (casts[i].corners == 2)
        return cn_capsule((vec2s){{-0.5f, 0}}, (vec2s){{0.5f, 0}}, casts[i].radius);
    if (casts[i].corners == 4) return cn_box(0.7f, 0.3f);
    cn_hull core = cn_regular_polygon(casts[i].corners, 0.55f);
    return cn_polygon(core.vertices, core.count, casts[i].radius);
}

static cn_hull make_obstacle(int i) {
    switch (i % 5) {
    case 0: return cn_box(1.1f, 0.35f);
    case 1: return cn_circle(0.6f);
    case 2: return cn_regular_polygon(3 + i % 6, 0.9f);
    case 3: return cn_capsule((vec2s){{-0.7f, 0}}, (vec2s){{0.7f, 0}}, 0.3f);
    default: return cn_rounded_box(0.6f, 0.4f, 0.2f);
    }
}

// Adds two rings of obstacles. Every third obstacle turns.
static bool create(scene_run *run) {
    cn_world *world = run->world;
    for (int i = 0; i < OBSTACLES; i++) {
        bool is_outer = i >= OBSTACLES / 3;
        float angle = 2 * PI * (float)i / (is_outer ? OBSTACLES * 2 / 3.0f : OBSTACLES / 3.0f);
        cn_rotation r = cn_rotation_of(angle + (is_outer ? 0.2f : 0));
        cn_body_def def = {
            .type = i % 3 ? CN_STATIC : CN_KINEMATIC,
            .position = {{(is_outer ? 10.5f : 6.2f) * r.c, (is_outer ? 6.4f : 3.9f) * r.s}},
            .angle = 0.7f * (float)i,
            .angular_velocity = i % 3 ? 0 : 0.5f};
        cn_body body = cn_body_create(world, &def);
        if (!scene_add_hull(world, body, make_obstacle(i), 0.6f, 1).id) return false;
    }
    return true;
}

// ---- the picture

static void draw_sweep(sketch *s, const cn_hull *hull, const cn_sweep *sweep, float fraction) {
    for (int i = 1; (float)i * OUTLINE_STEP < RANGE * fraction; i++)
        sketch_hull(s, hull, cn_sweep_pose(*sweep, (float)i * OUTLINE_STEP / RANGE),
                    (sketch_pen){INK_FAINT, 0.15f, 1});
    sketch_line(s, sweep->start.position, cn_sweep_pose(*sweep, fraction).position,
                (sketch_pen){INK_FAINT, 1, 1});
}

static void draw_hit(sketch *s, const cn_world_hit *hit) {
    sketch_arrow(s, hit->point, glms_vec2_add(hit->point, hit->normal),
                 (sketch_pen){INK_YELLOW, 1, 2});
    sketch_dot(s, hit->point, (sketch_pen){INK_RED, 1, 4});
}

static sketch_ink choose_ink(int i, const cn_world_hit *hit) {
    if (!hit->hit) return INK_DIM;
    if (hit->fraction == 0) return INK_RED;
    return casts[i].turn != 0 ? INK_ORANGE : INK_BLUE;
}

// Returns true if the hull overlaps something at the start.
static bool draw_cast(const scene_run *run, sketch *s, int i, vec2s start, float direction) {
    cn_rotation r = cn_rotation_of(direction);
    cn_hull hull = make_hull(i);
    cn_sweep sweep = {.start = cn_pose_at(start, direction),
                      .translation = {{RANGE * r.c, RANGE * r.s}},
                      .turn = casts[i].turn};
    cn_world_hit hit = cn_world_cast_hull(run->world, hull, sweep, NULL);
    float fraction = hit.hit ? hit.fraction : 1;
    cn_pose end = cn_sweep_pose(sweep, fraction);
    draw_sweep(s, &hull, &sweep, fraction);
    sketch_hull(s, &hull, end, (sketch_pen){choose_ink(i, &hit), 0.45f, 2});
    if (hit.hit && fraction > 0) draw_hit(s, &hit);
    end.position.y -= 1;
    if (fraction * RANGE > 1.5f) // names nearer to the start would overlap
        sketch_label(s, end.position, INK_TEXT, "%s%s", casts[i].name, hit.hit ? "" : ": no hit");
    return hit.hit && fraction == 0;
}

static vec2s choose_start(const scene_run *run) {
    if (run->input.has_mouse) return run->input.mouse;
    cn_rotation slow = cn_rotation_of(0.005f * (float)run->step);
    cn_rotation fast = cn_rotation_of(0.008f * (float)run->step);
    return (vec2s){{2.2f * slow.s, 1.2f * fast.s}};
}

static void draw(const scene_run *run, sketch *s) {
    vec2s start = choose_start(run);
    float first_direction = 0.3f + 0.0015f * (float)run->step;
    bool overlaps = false;
    for (int i = 0; i < CASTS; i++)
        if (draw_cast(run, s, i, start, 2 * PI * (float)i / CASTS + first_direction))
            overlaps = true;
    if (overlaps)
        sketch_label(s, (vec2s){{start.x, start.y + 1}}, INK_RED, "overlaps at the start");
    sketch_dot(s, start, (sketch_pen){INK_TEXT, 1, 4});
    sketch_note(s, INK_BLUE, "moves straight");
    sketch_note(s, INK_ORANGE, "turns while it moves");
    sketch_note(s, INK_DIM, "hits nothing");
    sketch_note(s, INK_RED, "the point of the first hit");
    sketch_note(s, INK_YELLOW, "the surface normal at the hit");
}

const scene scene_casts = {
    .name = "casts",
    .title = "Hull casts",
    .caption =
        "Hulls are cast from one point, straight or turning, to their first hit. Move the mouse.",
    .view = {0, -0.5f, 17.5f},
    .width = 26,
    .steps = 600,
    .create = create,
    .draw = draw,
};
