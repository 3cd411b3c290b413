/* Outlines that are not convex, some with a hole, become bodies of convex parts. Each body has its
 * own colour, and each part has its own shade. */
#include "scene.h"

enum {
    MAX_POINTS = 48,
    MAX_PARTS = 64,
    LETTERS = 5,
    FIGURES = 9,
    COLORS = 6,
    SHADES = 6,
    BODIES = 23,
    STEPS_BETWEEN = 20
};

#define PI     3.14159265f
#define UNIT   0.55f // metres per unit of a letter
#define WALL_X 12.5f
#define TOP    12.5f // m: there new bodies begin to fall, below the caption

typedef struct {
    vec2s points[MAX_POINTS];
    int count;
} outline;

// An outline with a hole. If the hole has no points, there is none.
typedef struct {
    outline outer, hole;
} figure;

typedef struct {
    scene_random random;
    int made;
} state;

// ---- outlines

static const figure letters[LETTERS] = {
    {.outer = {{{{0, 1}},
                {{1, 0}},
                {{4, 0}},
                {{4, 1.2f}},
                {{1.2f, 1.2f}},
                {{1.2f, 4.8f}},
                {{4, 4.8f}},
                {{4, 6}},
                {{1, 6}},
                {{0, 5}}},
               10}},
    {.outer = {{{{0, 0}},
                {{1.2f, 0}},
                {{1.6f, 1.4f}},
                {{3.4f, 1.4f}},
                {{3.8f, 0}},
                {{5, 0}},
                {{3.2f, 6}},
                {{1.8f, 6}}},
               8},
     .hole = {{{{1.95f, 2.5f}}, {{3.05f, 2.5f}}, {{2.5f, 4.6f}}}, 3}},
    {.outer = {{{{0, 0}},
                {{3.2f, 0}},
                {{3.2f, 1}},
                {{2.2f, 1}},
                {{2.2f, 5}},
                {{3.2f, 5}},
                {{3.2f, 6}},
                {{0, 6}},
                {{0, 5}},
                {{1, 5}},
                {{1, 1}},
                {{0, 1}}},
               12}},
    {.outer = {{{{0, 0}},
                {{1.2f, 0}},
                {{1.2f, 2.2f}},
                {{2, 2.2f}},
                {{3.3f, 0}},
                {{4.7f, 0}},
                {{3.3f, 2.4f}},
                {{4.3f, 3.2f}},
                {{4.3f, 5.2f}},
                {{3.5f, 6}},
                {{0, 6}}},
               11},
     .hole = {{{{1.2f, 3.3f}},
               {{2.9f, 3.3f}},
               {{3.2f, 3.7f}},
               {{3.2f, 4.5f}},
               {{2.9f, 4.9f}},
               {{1.2f, 4.9f}}},
              6}},
    {.outer = {{{{0, 0}},
                {{1.2f, 0}},
                {{1.2f, 3.7f}},
                {{3.4f, 0}},
                {{4.6f, 0}},
                {{4.6f, 6}},
                {{3.4f, 6}},
                {{3.4f, 2.3f}},
                {{1.2f, 6}},
                {{0, 6}}},
               10}},
};

static void add_point(outline *o, float radius, float angle) {
    cn_rotation r = cn_rotation_of(angle);
    o->points[o->count++] = (vec2s){{radius * r.c, radius * r.s}};
}

static void add_circle(outline *o, float radius, int corners) {
    for (int i = 0; i < corners; i++) add_point(o, radius, 2 * PI * (float)i / (float)corners);
}

static figure make_ring(void) {
    figure f = {.outer = {.count = 0}};
    add_circle(&f.outer, 1.7f, 24);
    add_circle(&f.hole, 1.15f, 16);
    return f;
}

static figure make_gear(void) {
    figure f = {.outer = {.count = 0}};
    const int points = 4 * 11; // two for each tooth, and two for each gap
    for (int i = 0; i < points; i++)
        add_point(&f.outer, i % 4 < 2 ? 1.75f : 1.35f, 2 * PI * (float)i / (float)points);
    add_circle(&f.hole, 0.5f, 8);
    return f;
}

static figure make_star(void) {
    figure f = {.outer = {.count = 0}};
    for (int i = 0; i < 10; i++) add_point(&f.outer, i % 2 ? 0.75f : 1.8f, PI * (float)i / 5);
    return f;
}

// Lists the points outwards along one side, and back along the other.
static figure make_spiral(void) {
    figure f = {.outer = {.count = 0}};
    const int steps = 20;
    for (int i = 0; i <= steps; i++)
        add_point(&f.outer, 0.45f + 0.075f * (float)i, 0.5f * (float)i);
    for (int i = steps; i >= 0; i--) add_point(&f.outer, 0.1f + 0.075f * (float)i, 0.5f * (float)i);
    return f;
}

// Converts units to metres and moves the middle of the letter to the origin.
static void place_letter(outline *o) {
    static const vec2s middle = {{2.3f, 3}};
    for (int i = 0; i < o->count; i++)
        o->points[i] = glms_vec2_scale(glms_vec2_sub(o->points[i], middle), UNIT);
}

static figure make_figure(int index) {
    switch (index) {
    case LETTERS: return make_ring();
    case LETTERS + 1: return make_gear();
    case LETTERS + 2: return make_star();
    case LETTERS + 3: return make_spiral();
    default: break;
    }
    figure f = letters[index];
    place_letter(&f.outer);
    place_letter(&f.hole);
    return f;
}

// ---- bodies

static bool add_figure(cn_world *world, int index, vec2s place, float angle) {
    figure f = make_figure(index);
    const cn_outline outlines[] = {{f.outer.points, f.outer.count}, {f.hole.points, f.hole.count}};
    cn_hull parts[MAX_PARTS];
    int count = cn_outline_decompose(outlines, f.hole.count ? 2 : 1, 0, parts, MAX_PARTS);
    cn_body body = cn_body_create(world, &(cn_body_def){.position = place, .angle = angle});
    bool made = count > 0 && count <= MAX_PARTS && body.id;
    for (int i = 0; i < count && made; i++)
        made = scene_add_hull(world, body, parts[i], 0.5f, 1).id;
    return made;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    s->random = (scene_random){17};
    cn_body bin = scene_add_body(world, CN_STATIC, 0, 0);
    cn_hull floor = cn_box(WALL_X + 0.3f, 0.3f), wall = cn_box(0.3f, 5.4f);
    floor = cn_hull_at(floor, cn_pose_at((vec2s){{0, -0.3f}}, 0));
    cn_hull left = cn_hull_at(wall, cn_pose_at((vec2s){{-WALL_X, 5.4f}}, 0));
    cn_hull right = cn_hull_at(wall, cn_pose_at((vec2s){{WALL_X, 5.4f}}, 0));
    bool made = scene_add_hull(world, bin, floor, 0.6f, 1).id &&
                scene_add_hull(world, bin, left, 0.6f, 1).id &&
                scene_add_hull(world, bin, right, 0.6f, 1).id;
    for (int i = 0; i < LETTERS && made; i++, s->made++)
        made = add_figure(world, i, (vec2s){{4.4f * (float)(i - 2), 2.2f}}, 0);
    return made;
}

static bool is_free_space(const cn_world *world, vec2s place) {
    cn_hull space = cn_circle(2.3f);
    return cn_world_overlap(world, space, cn_pose_at(place, 0), NULL, NULL, 0) == 0;
}

static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    int step = run->step;
    state *s = run->memory;
    if (step < 150 || step % STEPS_BETWEEN != 0 || s->made == BODIES) return true;
    float angle = scene_random_range(&s->random, -3, 3);
    vec2s place = {{scene_random_range(&s->random, -8, 8), TOP}};
    return !is_free_space(world, place) || add_figure(world, s->made++ % FIGURES, place, angle);
}

// ---- the picture

// Draws the shapes of a body in `shades` shades of a colour. Returns the number of shapes.
static int draw_parts(const scene_run *run, sketch *s, cn_body body, sketch_ink ink, int shades) {
    int part = 0;
    for (cn_shape shape = {0}; (shape = cn_body_next_shape(run->world, body, shape)).id; part++) {
        cn_hull hull = cn_shape_hull(run->world, shape);
        float shade = (float)(5 * part % shades + 2) / (float)(shades + 2);
        sketch_hull(s, &hull, cn_body_pose(run->world, body), (sketch_pen){ink, shade, 1});
    }
    return part;
}

static void draw(const scene_run *run, sketch *s) {
    static const sketch_ink inks[COLORS] = {INK_BLUE, INK_ORANGE, INK_GREEN,
                                            INK_PINK, INK_YELLOW, INK_RED};
    int bodies = 0, parts = 0;
    for (cn_body b = {0}; (b = cn_world_next_body(run->world, b)).id;) {
        if (cn_body_type(run->world, b) == CN_STATIC)
            draw_parts(run, s, b, INK_FAINT, 1);
        else
            parts += draw_parts(run, s, b, inks[bodies++ % COLORS], SHADES);
    }
    sketch_note(s, INK_TEXT, "%d outlines, cut into %d convex parts", bodies, parts);
}

const scene scene_decompose = {
    .name = "decompose",
    .title = "Convex decomposition",
    .caption = "Letters, gears, rings and spirals. Each outline becomes a body of convex parts.",
    .view = {0, 7, 16.5f},
    .width = 27,
    .gravity = {{0, -10}},
    .steps = 900,
    .create = create,
    .before_step = before_step,
    .draw = draw,
    .hides_bodies = true,
    .memory_size = sizeof(state),
};
