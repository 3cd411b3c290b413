/* Growth: steps with n bodies of each kind. */
#include "cost.h"

static const cn_shape_def ball = {.hull = {.count = 1, .radius = 0.25f}};

static cn_shape_def unit_box(void) { return (cn_shape_def){.hull = cn_box(0.5f, 0.5f)}; }

// One box at rest on a ground of its own, far from all else. It never sleeps.
static void add_lone_box(trial *t) {
    const float x = -5000;
    add_one(t, (cn_body_def){.type = CN_STATIC, .position = {{x, -1}}},
            (cn_shape_def){.hull = cn_box(5, 1)});
    add_one(t, (cn_body_def){.position = {{x, 0.5f}}, .no_sleep = true}, unit_box());
}

// ---- bodies at rest

static void build_stacks(trial *t) {
    start_world(t, 10);
    add_ground(t);
    add_stacks(t, t->n, (cn_body_def){.no_sleep = true});
    take_steps(t, 4);
}

static void build_tower_row(trial *t) { // one island
    start_world(t, 10);
    add_ground(t);
    for (int i = 0; i < t->n; i++)
        add_one(
            t,
            (cn_body_def){.position = {{(float)(i / 4), 0.5f + (float)(i % 4)}}, .no_sleep = true},
            unit_box());
    take_steps(t, 4);
}

static void build_sleepers(trial *t) {
    start_world(t, 10);
    add_ground(t);
    add_stacks(t, t->n, (cn_body_def){.asleep = true});
    add_lone_box(t);
    take_steps(t, 4);
    must_sleep(t, 1);
}

static void build_drawn_sleepers(trial *t) {
    build_sleepers(t);
    t->advances = true;
    take_steps(t, 2);
}

static void build_spread(trial *t, cn_body_def def) {
    start_world(t, 10);
    add_spread(t, t->n, def, 3);
    add_lone_box(t);
    take_steps(t, 4);
}

static void build_statics(trial *t) { build_spread(t, (cn_body_def){.type = CN_STATIC}); }

static void build_kinematics(trial *t) { build_spread(t, (cn_body_def){.type = CN_KINEMATIC}); }

static void build_disabled(trial *t) { build_spread(t, (cn_body_def){.disabled = true}); }

static void build_lonely_sleepers(trial *t) {
    build_spread(t, (cn_body_def){.asleep = true});
    must_sleep(t, 1);
}

// ---- bodies that move

static void build_moving_kinematics(trial *t) {
    build_spread(t, (cn_body_def){.type = CN_KINEMATIC, .velocity = {{0.5f, 0}}});
}

static void build_falling(trial *t) { build_spread(t, (cn_body_def){.no_sleep = true}); }

static void build_locked(trial *t) {
    build_spread(t, (cn_body_def){.lock_x = true, .lock_y = true, .no_sleep = true});
}

static void build_fast(trial *t) {
    build_spread(t, (cn_body_def){.velocity = {{100, 0}}, .weightless = true});
}

static void build_bullets(trial *t) {
    build_spread(t, (cn_body_def){.velocity = {{100, 0}}, .weightless = true, .bullet = true});
}

// Fast balls, each in a lane between walls of its own that it hits again and again.
static void build_hits(trial *t) {
    start_world(t, 0);
    for (int i = 0; i < t->n; i++) {
        vec2s place = place_of(i, 4);
        cn_shape_def rubber = ball;
        rubber.material.restitution = 1, rubber.hit_events = true;
        add_one(t, (cn_body_def){.position = place, .velocity = {{60, 0}}}, rubber);
        for (int side = -1; side <= 1; side += 2)
            add_one(
                t, (cn_body_def){.type = CN_STATIC, .position = {{place.x + (float)side, place.y}}},
                (cn_shape_def){.hull = cn_box(0.1f, 1)});
    }
    take_steps(t, 4);
}

static void count_hits(trial *t) {
    four_steps(t);
    must(cn_world_events(t->world).hit_count * 4 >= t->n);
}

// Balls that fall on a floor in every step: contacts begin all the time.
static void build_rain(trial *t) {
    start_world(t, 10);
    add_ground(t);
    for (int i = 0; i < t->n; i++)
        add_one(t,
                (cn_body_def){.position = {{(float)i, 0.3f + 0.02f * (float)(i % 8)}},
                              .velocity = {{0, -1}}},
                ball);
    take_steps(t, 1);
}

// Boxes that move through a lane of sleeping ones and past them.
static void build_mover(trial *t) {
    build_lonely_sleepers(t);
    add_one(t, (cn_body_def){.position = {{-4, 1.5f}}, .velocity = {{10, 0}}, .weightless = true},
            ball);
    take_steps(t, 4);
}

// A pile of circles on top of each other's centres.
static void build_heap(trial *t) {
    start_world(t, 0);
    for (int i = 0; i < t->n; i++)
        add_one(
            t, (cn_body_def){.position = {{0.01f * noise(i), 0.01f * noise(-i)}}, .no_sleep = true},
            (cn_shape_def){.hull = cn_circle(1)});
}

// All boxes stand on one body that moves.
static void build_shared_load(trial *t) {
    start_world(t, 10);
    add_ground(t);
    cn_hull plate = cn_box((float)t->n, 0.5f);
    add_one(t, (cn_body_def){.position = {{0, 0.5f}}, .type = t->type, .no_sleep = true},
            (cn_shape_def){.hull = plate});
    for (int i = 0; i < t->n; i++)
        add_one(t, (cn_body_def){.position = {{1.5f * (float)i - 0.7f * (float)t->n, 1.5f}}},
                unit_box());
    take_steps(t, 4);
}

// ---- ground

static void build_chain_ground(trial *t) {
    start_world(t, 10);
    t->hub = cn_body_create(t->world, &(cn_body_def){.type = CN_STATIC});
    vec2s *points = (vec2s *)t->joints; // large enough, and unused here
    for (int i = 0; i <= t->n; i++) points[i] = (vec2s){{(float)(t->n - i), 0.1f * noise(i)}};
    must(cn_chain_create(t->world, t->hub, &(cn_chain_def){.points = points, .count = t->n + 1})
             .id != 0);
    for (int i = 0; i < t->n / 2; i++)
        add_one(t, (cn_body_def){.position = {{2 * (float)i + 1, 0.4f}}, .no_sleep = true}, ball);
    take_steps(t, 4);
}

static void build_tile_like_floor(trial *t) {
    start_world(t, 10);
    t->hub = cn_body_create(t->world, &(cn_body_def){.type = CN_STATIC});
    for (int i = 0; i < t->n; i++) {
        cn_hull tile = box_at(0.5f, (vec2s){{(float)i, -0.5f}});
        must(cn_shape_create(t->world, t->hub, &(cn_shape_def){.hull = tile}).id != 0);
        add_one(t, (cn_body_def){.position = {{(float)i, 0.25f}}, .no_sleep = true}, ball);
    }
    take_steps(t, 4);
}

// Static boxes that all overlap each other, and a ball that rests on them.
static void build_static_heap(trial *t) {
    start_world(t, 10);
    for (int i = 0; i < t->n; i++)
        add_one(t, (cn_body_def){.type = CN_STATIC, .position = {{noise(i), -0.5f}}}, unit_box());
    add_one(t, (cn_body_def){.position = {{0.5f, 0.25f}}, .no_sleep = true}, ball);
    take_steps(t, 4);
}

// Platforms in columns, and a box on each that rests, or that rises through it.
static void build_platforms(trial *t, float velocity) {
    start_world(t, velocity != 0 ? 0 : 10);
    for (int i = 0; i < t->n; i++) {
        vec2s place = place_of(i, 3);
        add_one(t, (cn_body_def){.type = CN_STATIC, .position = place},
                (cn_shape_def){.hull = cn_box(1, 0.1f), .one_way = {{0, 1}}});
        float above = velocity != 0 ? -0.3f : 0.6f;
        add_one(t,
                (cn_body_def){.position = {{place.x, place.y + above}},
                              .velocity = {{0, velocity}},
                              .no_sleep = true},
                unit_box());
    }
    take_steps(t, 4);
}

static void build_riders(trial *t) { build_platforms(t, 0); }
static void build_passers(trial *t) { build_platforms(t, 1); }

// All bodies pass the same wide platform.
static void build_shared_platform(trial *t) {
    start_world(t, 0);
    t->hub = cn_body_create(t->world, &(cn_body_def){.type = CN_STATIC});
    must(cn_shape_create(t->world, t->hub,
                         &(cn_shape_def){.hull = cn_box(4000, 0.1f), .one_way = {{0, 1}}})
             .id != 0);
    for (int i = 0; i < t->n; i++)
        add_one(t, (cn_body_def){.position = {{1.5f * (float)i, -0.3f}}, .velocity = {{0, 1}}},
                unit_box());
    take_steps(t, 4);
}

// ---- one thing happens beside n others

static void wake_one(trial *t) {
    must(cn_body_set_asleep(t->world, t->bodies[0], false));
    take_steps(t, 1);
}

static void create_one(trial *t) {
    add_one(t, (cn_body_def){.position = {{-100, 0}}, .weightless = true}, unit_box());
    take_steps(t, 1);
}

static void create_static(trial *t) {
    add_one(t, (cn_body_def){.position = {{-100, 0}}, .type = CN_STATIC}, unit_box());
    take_steps(t, 1);
}

static void destroy_one(trial *t) {
    must(cn_body_destroy(t->world, t->bodies[t->n / 2]));
    take_steps(t, 1);
}

static void move_one_static(trial *t) {
    must(cn_body_set_pose(t->world, t->bodies[0], cn_pose_at((vec2s){{-3, 0}}, 0)));
    take_steps(t, 1);
}

static void put_one_to_sleep(trial *t) {
    cn_body lone = t->bodies[t->body_count - 1];
    must(cn_body_set_no_sleep(t->world, lone, false));
    must(cn_body_set_asleep(t->world, lone, true));
    take_steps(t, 1);
}

const cost_case step_cases[] = {
    {"step-stacks", 500, build_stacks, .work = four_steps},
    {"step-one-island", 400, build_tower_row, .work = four_steps},
    {"step-sleepers", 500, build_sleepers, .work = four_steps},
    {"step-lonely-sleepers", 500, build_lonely_sleepers, .work = four_steps},
    {"advance-sleepers", 500, build_drawn_sleepers, .work = four_steps},
    {"step-statics", 1000, build_statics, .work = four_steps},
    {"step-disabled", 1000, build_disabled, .work = four_steps},
    {"step-kinematics-at-rest", 500, build_kinematics, .work = four_steps},
    {"step-moving-kinematics", 500, build_moving_kinematics, .work = four_steps},
    {"step-falling", 500, build_falling, .work = four_steps},
    {"step-locked", 500, build_locked, .work = four_steps},
    {"step-fast", 300, build_fast, .work = four_steps},
    {"step-bullets", 300, build_bullets, .work = four_steps},
    {"step-hits", 200, build_hits, .work = count_hits},
    {"step-rain", 300, build_rain, .work = four_steps},
    {"step-heap", 60, build_heap, .work = four_steps},
    {"step-on-plate", 150, build_shared_load, .work = four_steps},
    {"step-on-kinematic-plate", 150, build_shared_load, .work = four_steps, .type = CN_KINEMATIC},
    {"step-on-static-heap", 100, build_static_heap, .work = four_steps},
    {"step-chain-ground", 400, build_chain_ground, .work = four_steps},
    {"step-floor-of-boxes", 300, build_tile_like_floor, .work = four_steps},
    {"step-platforms", 300, build_riders, .work = four_steps},
    {"step-through-platforms", 300, build_passers, .work = four_steps},
    {"step-through-one-platform", 300, build_shared_platform, .work = four_steps},
    {"one-moves-past-sleepers", 500, build_mover, .work = four_steps},
    {"one-wakes-of-sleepers", 500, build_lonely_sleepers, .work = wake_one},
    {"one-falls-asleep-of-sleepers", 500, build_lonely_sleepers, .work = put_one_to_sleep},
    {"one-created-of-sleepers", 500, build_lonely_sleepers, .work = create_one},
    {"one-destroyed-of-sleepers", 500, build_lonely_sleepers, .work = destroy_one},
    {"one-created-of-statics", 500, build_statics, .work = create_static},
    {"one-destroyed-of-statics", 500, build_statics, .work = destroy_one},
    {"one-moved-of-statics", 500, build_statics, .work = move_one_static},
    {0},
};
