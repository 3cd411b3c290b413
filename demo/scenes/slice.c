/* A blade cuts bodies that fall past it. A ray along the blade finds the bodies, and each of their
 * hulls is cut in two. The hulls on each side become a new body, which continues with the velocity
 * of the whole body. */
#include "cutting.h"
#include "any_shape.h"

enum { MAX_CUT = 32, STEPS_BETWEEN_BODIES = 12, STEPS_BETWEEN_CUTS = 30, GLOW = 20 };

#define SMALLEST_AREA    0.08f // m^2; smaller bodies are not cut
#define START_HEIGHT     9.5f  // m, the height at which bodies appear
#define SEPARATION_SPEED 0.7f  // m/s, added to each piece so that the two separate

typedef struct {
    vec2s from, to;
} blade;

typedef struct {
    scene_random random;
    blade blade; // of the last cut
    int cut_step;
    int cuts;
    vec2s marks[MAX_CUT]; // where the blade entered bodies in the last cut
    int mark_count;
} state;

// ---- the world

static bool add_falling(cn_world *world, state *s, float height) {
    float x = scene_random_range(&s->random, -6.5f, 6.5f);
    float size = scene_random_range(&s->random, 0.8f, 1.2f);
    return add_any_shape(world, &s->random, x, height, size);
}

// Adds a roof, from which the pieces slide out of the picture, and the first falling bodies.
static bool create(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    s->random = (scene_random){9};
    s->cut_step = -GLOW;
    for (int side = -1; side <= 1; side += 2) {
        cn_body_def def = {.type = CN_STATIC,
                           .position = {{4.6f * (float)side, -4.4f}},
                           .angle = -0.26f * (float)side};
        cn_body roof = cn_body_create(world, &def);
        if (!scene_add_hull(world, roof, cn_rounded_box(4.7f, 0.1f, 0.1f), 0.15f, 1).id)
            return false;
    }
    for (int i = 0; i < 4; i++)
        if (!add_falling(world, s, 2.5f * (float)i)) return false;
    return true;
}

static bool remove_fallen(cn_world *world) {
    for (cn_body b = cn_world_next_body(world, (cn_body){0}), next; b.id; b = next) {
        next = cn_world_next_body(world, b);
        if (cn_body_position(world, b).y < -12 && !cn_body_destroy(world, b)) return false;
    }
    return true;
}

// ---- cutting

static bool can_be_cut(const cn_world *world, cn_body body) {
    return cn_body_valid(world, body) && cn_body_type(world, body) == CN_DYNAMIC &&
           cn_body_mass(world, body) > SMALLEST_AREA;
}

static bool cut(cn_world *world, state *s) {
    cn_world_hit hits[MAX_CUT];
    vec2s along = glms_vec2_sub(s->blade.to, s->blade.from);
    vec2s normal = glms_vec2_normalize((vec2s){{-along.y, along.x}});
    int count = cn_world_cast_ray_all(world, s->blade.from, along, NULL, hits, MAX_CUT);
    s->mark_count = 0;
    for (int i = 0; i < count && i < MAX_CUT; i++) {
        // An earlier hit may have cut and destroyed the body.
        if (!can_be_cut(world, hits[i].side.body)) continue;
        bool was_cut;
        s->marks[s->mark_count++] = hits[i].point;
        if (!cut_body(world, hits[i].side.body, hits[i].point, normal, SEPARATION_SPEED,
                      SMALLEST_AREA, &was_cut))
            return false;
        s->cuts += was_cut;
    }
    return true;
}

static bool accept(const cn_world *world, cn_side side, void *user) {
    (void)user;
    return can_be_cut(world, side.body);
}

// Cuts through the middle of the body nearest to a random place.
static bool swing_blade(cn_world *world, state *s, int step) {
    vec2s place = {{scene_random_range(&s->random, -5, 5), 2}};
    cn_rotation r = cn_rotation_of(scene_random_range(&s->random, -0.4f, 0.4f));
    vec2s half_blade = {{9 * r.c, 9 * r.s}};
    cn_query query = {.accept = accept};
    const cn_hull dot = cn_circle(0);
    cn_neighbor target = cn_world_nearest(world, dot, cn_pose_at(place, 0), 4, &query);
    if (!target.found) return true;
    vec2s middle = cn_body_center(world, target.side.body);
    s->blade = (blade){glms_vec2_sub(middle, half_blade), glms_vec2_add(middle, half_blade)};
    s->cut_step = step;
    return cut(world, s);
}

static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    int step = run->step;
    state *s = run->memory;
    bool done = remove_fallen(world);
    if (done && step % STEPS_BETWEEN_BODIES == 0) done = add_falling(world, s, START_HEIGHT);
    if (done && step % STEPS_BETWEEN_CUTS == STEPS_BETWEEN_CUTS - 1)
        done = swing_blade(world, s, step);
    return done;
}

// ---- the picture

static void draw(const scene_run *run, sketch *s) {
    const state *m = run->memory;
    float glow = 1 - (float)(run->step - 1 - m->cut_step) / GLOW;
    if (glow > 0) {
        sketch_line(s, m->blade.from, m->blade.to, (sketch_pen){INK_YELLOW, glow, 3});
        for (int i = 0; i < m->mark_count; i++)
            sketch_dot(s, m->marks[i], (sketch_pen){INK_TEXT, glow, 4});
    }
    sketch_note(s, INK_YELLOW, "the blade");
    sketch_note(s, INK_TEXT, "where a ray along the blade enters a body");
    sketch_note(s, INK_TEXT, "bodies cut: %d", m->cuts);
}

const scene scene_slice = {
    .name = "slice",
    .title = "Slices",
    .caption = "A blade cuts falling bodies in two. Each piece becomes a new body.",
    .view = {0, 0.2f, 17},
    .gravity = {{0, -5}},
    .steps = 900,
    .create = create,
    .before_step = before_step,
    .draw = draw,
    .memory_size = sizeof(state),
};
