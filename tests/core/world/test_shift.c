/* Shifts of the origin. If numbers are exact, a shifted world is bit for bit like one that was
 * built at the new place. Otherwise the two differ by rounding. */
#include "../../support/refuse.h"
#include "../../support/small_world.h"

enum { MAX_BODIES = 64 };

typedef struct {
    cn_world *world;
    cn_body bodies[MAX_BODIES];
    int count;
    cn_body crate, lift, bullet;
    cn_grid tiles;
} place;

// Margins and time steps are powers of two, so that boxes are exact, too.
#define EXACT_STEP (1.0f / 64)

static cn_body put(place *p, cn_body_def body, cn_shape_def shape, vec2s at) {
    body.position = glms_vec2_add(body.position, at);
    assert_in_range(p->count, 0, MAX_BODIES - 1);
    return p->bodies[p->count++] = add(p->world, body, shape);
}

static void put_ground(place *p, vec2s at) {
    const cn_body_def static_body = {.type = CN_STATIC};
    const vec2s points[] = {point(30, 0), point(20, 0), point(16, 2), point(12, 0)};
    uint8_t solid[8 * 4];
    for (int i = 0; i < 8 * 4; i++) solid[i] = i < 16 || i % 3 == 0;
    cn_body_def def = static_body;
    def.position = point(0, -1);
    put(p, def, (cn_shape_def){.hull = cn_box(8, 1)}, at);
    cn_body_def chain = static_body, grid = static_body;
    chain.position = at, grid.position = at;
    cn_body hill = p->bodies[p->count++] = cn_body_create(p->world, &chain);
    assert_done(cn_chain_create(p->world, hill,
                                &(cn_chain_def){.points = points, .count = 4, .hit_events = true})
                    .id != 0);
    cn_body rock = p->bodies[p->count++] = cn_body_create(p->world, &grid);
    p->tiles = cn_grid_create(
        p->world, rock,
        &(cn_grid_def){
            .solid = solid, .width = 8, .height = 4, .tile_size = 1, .origin = point(-20, -2)});
    assert_done(p->tiles.id != 0);
    put(p, (cn_body_def){.type = CN_STATIC, .position = point(-4, 4)},
        (cn_shape_def){.hull = cn_box(2, 2), .sensor = true}, at);
}

static void put_joints(place *p, vec2s at) {
    cn_body last = p->bodies[0];
    for (int i = 0; i < 5; i++) {
        cn_body link =
            put(p, (cn_body_def){.position = point(-6 + i, 12)},
                (cn_shape_def){.hull = cn_box(0.5f, 0.125f), .filter = {.group = -1}}, at);
        vec2s anchor = glms_vec2_add(point(-6.5 + i, 12), at);
        cn_joint_def joint = cn_revolute_joint(p->world, last, link, anchor);
        assert_done(cn_joint_create(p->world, joint).id != 0);
        last = link;
    }
    cn_joint_def mouse =
        cn_mouse_joint(p->world, p->bodies[0], last, glms_vec2_add(point(-1, 12), at));
    assert_done(cn_joint_create(p->world, mouse).id != 0);
}

// Builds a world of stacks, balls, a chain of links, a lift, a bullet, sensors and bodies that
// sleep from the start.
static place build(vec2s at) {
    place p = {.world = cn_world_create(&(cn_world_def){
                   .gravity = point(0, -8), .time_step = EXACT_STEP, .move_events = true})};
    cn_tuning tuning = cn_world_tuning(p.world);
    tuning.slop = 1.0f / 128, tuning.speculative_margin = tuning.box_margin = 1.0f / 32;
    assert_done(cn_world_set_tuning(p.world, tuning));
    put_ground(&p, at);
    for (int i = 0; i < 6; i++)
        p.crate = put(&p, (cn_body_def){.position = point(-4, 0.5 + i)}, box_of(0.5f), at);
    for (int i = 0; i < 6; i++)
        put(&p, (cn_body_def){.position = point(13 + 2 * i, 6)},
            (cn_shape_def){.hull = ball, .hit_events = true}, at);
    for (int i = 0; i < 4; i++)
        put(&p, (cn_body_def){.position = point(-18 + 2 * i, 5)}, box_of(0.25f), at);
    for (int i = 0; i < 3; i++)
        put(&p, (cn_body_def){.position = point(4, 0.5 + i), .asleep = true}, box_of(0.5f), at);
    p.lift = put(
        &p, (cn_body_def){.type = CN_KINEMATIC, .position = point(6, 0), .velocity = point(0, 1)},
        (cn_shape_def){.hull = cn_box(1, 0.25f)}, at);
    p.bullet =
        put(&p, (cn_body_def){.position = point(-8, 8), .velocity = point(64, -32), .bullet = true},
            (cn_shape_def){.hull = cn_circle(0.25f), .sensor = false}, at);
    put_joints(&p, at);
    return p;
}

static void step_exactly(cn_world *world, int steps) {
    for (int i = 0; i < steps; i++) assert_done(cn_world_step(world, EXACT_STEP));
}

// ---- shifts that are exact

static void a_shifted_world_equals_one_built_at_the_new_place(void **state) {
    (void)state;
    const double offsets[][2] = {{1024, -512}, {-64, 4096}, {0.5, 0.25}, {0, 0}};
    for (int i = 0; i < 4; i++) {
        vec2s at = point(offsets[i][0], offsets[i][1]);
        place here = build(point(0, 0)), there = build(at);
        assert_done(cn_world_shift_origin(there.world, at));
        for (int k = 0; k < 200; k++) {
            assert_true(cn_world_hash(here.world) == cn_world_hash(there.world));
            step_exactly(here.world, 1), step_exactly(there.world, 1);
        }
        assert_true(cn_world_counters(here.world).touching > 10);
        cn_world_destroy(here.world);
        cn_world_destroy(there.world);
    }
}

// Boxes are created and a grid is moved before the shift, with no step between.
static void new_boxes_and_moved_grids_are_shifted_too(void **state) {
    (void)state;
    vec2s at = point(256, 128);
    place here = build(point(0, 0)), there = build(at);
    step_exactly(here.world, 0), step_exactly(there.world, 0);
    const place *places[] = {&here, &there};
    for (int i = 0; i < 2; i++) {
        vec2s base = i ? at : point(0, 0);
        const place *p = places[i];
        cn_body rock = cn_grid_body(p->world, p->tiles);
        assert_done(
            cn_body_set_pose(p->world, rock, cn_pose_at(glms_vec2_add(base, point(1, 0)), 0)));
        assert_done(
            cn_body_set_pose(p->world, p->crate, cn_pose_at(glms_vec2_add(base, point(2, 3)), 0)));
        assert_done(cn_body_set_disabled(p->world, p->bullet, true));
        if (i) assert_done(cn_world_shift_origin(p->world, at));
        assert_done(cn_body_set_disabled(p->world, p->bullet, false));
    }
    for (int k = 0; k < 100; k++) {
        assert_true(cn_world_hash(here.world) == cn_world_hash(there.world));
        step_exactly(here.world, 1), step_exactly(there.world, 1);
    }
    cn_world_destroy(here.world);
    cn_world_destroy(there.world);
}

// ---- what a shift leaves alone

static void a_shift_wakes_nothing_and_raises_no_events(void **state) {
    (void)state;
    place p = build(point(0, 0));
    step_exactly(p.world, 1200);
    cn_counters before = cn_world_counters(p.world);
    assert_true(before.sleeping_islands > 3);
    assert_done(cn_body_set_velocity(p.world, p.lift, point(0, 0)));
    step_exactly(p.world, 1);
    before = cn_world_counters(p.world);
    assert_done(cn_world_shift_origin(p.world, point(-777.7, 333.3)));
    for (int i = 0; i < 30; i++) {
        step_exactly(p.world, 1);
        cn_events events = cn_world_events(p.world);
        assert_int_equal(events.begin_count + events.end_count + events.body_count, 0);
        assert_int_equal(events.sensor_begin_count + events.sensor_end_count, 0);
        for (int k = 0; k < events.moved_count; k++)
            assert_true(cn_body_type(p.world, events.moved[k].body) == CN_DYNAMIC &&
                        !cn_body_asleep(p.world, events.moved[k].body));
    }
    cn_counters after = cn_world_counters(p.world);
    assert_int_equal(after.sleeping_islands, before.sleeping_islands);
    assert_int_equal(after.sleeping_touching, before.sleeping_touching);
    cn_world_destroy(p.world);
}

static void events_of_the_last_step_are_shifted(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    assert_done(cn_world_set_move_events(world, true));
    add_floor(world, (cn_material){0});
    add(world, (cn_body_def){.position = point(3, 1)},
        (cn_shape_def){.hull = ball, .hit_events = true});
    cn_events events = {0};
    for (int i = 0; i < 60 && events.hit_count == 0; i++) {
        run(world, 1);
        events = cn_world_events(world);
    }
    vec2s begin = events.begins[0].point, hit = events.hits[0].point;
    vec2s position = events.moved[0].pose.position;
    assert_done(cn_world_shift_origin(world, point(2, -8)));
    events = cn_world_events(world);
    assert_vector(events.begins[0].point, (double)begin.x - 2, (double)begin.y + 8);
    assert_vector(events.hits[0].point, (double)hit.x - 2, (double)hit.y + 8);
    assert_vector(events.moved[0].pose.position, (double)position.x - 2, (double)position.y + 8);
    cn_world_destroy(world);
}

// ---- shifts with rounding

static double distance_between(place *a, place *b, vec2s at) {
    double worst = 0;
    for (int i = 0; i < a->count; i++) {
        vec2s p = cn_body_position(a->world, a->bodies[i]);
        vec2s q = cn_body_position(b->world, b->bodies[i]);
        double x = (double)p.x - (double)q.x - (double)at.x;
        double y = (double)p.y - (double)q.y - (double)at.y;
        worst = fmax(worst, hypot(x, y));
    }
    return worst;
}

// The two worlds differ only by the rounding of the shift.
static void after_a_shift_a_world_continues_nearly_the_same(void **state) {
    (void)state;
    vec2s at = point(100.3, -50.7);
    place kept = build(point(0, 0)), shifted = build(point(0, 0));
    step_exactly(kept.world, 300), step_exactly(shifted.world, 300);
    assert_done(cn_world_shift_origin(shifted.world, at));
    for (int i = 0; i < 100; i++) {
        step_exactly(kept.world, 1), step_exactly(shifted.world, 1);
        assert_true(distance_between(&kept, &shifted, at) < 1e-4);
    }
    print_message("apart by %.2g m\n", distance_between(&kept, &shifted, at));
    cn_world_destroy(kept.world);
    cn_world_destroy(shifted.world);
}

static void a_shift_there_and_back_changes_nothing(void **state) {
    (void)state;
    place kept = build(point(0, 0)), shifted = build(point(0, 0));
    step_exactly(kept.world, 100), step_exactly(shifted.world, 100);
    for (int i = 0; i < 10; i++) {
        vec2s at = point(97.3 * i, -1013.9);
        assert_done(cn_world_shift_origin(shifted.world, at));
        assert_done(cn_world_shift_origin(shifted.world, point((double)-at.x, (double)-at.y)));
    }
    assert_true(distance_between(&kept, &shifted, point(0, 0)) == 0);
    step_exactly(kept.world, 20), step_exactly(shifted.world, 20);
    assert_true(distance_between(&kept, &shifted, point(0, 0)) < 1e-5);
    cn_world_destroy(kept.world);
    cn_world_destroy(shifted.world);
}

static void drawn_poses_do_not_jump(void **state) {
    (void)state;
    place p = build(point(0, 0));
    assert_true(cn_world_advance(p.world, 20.5f * EXACT_STEP) >= 0);
    cn_pose before[MAX_BODIES];
    for (int i = 0; i < p.count; i++) before[i] = cn_body_drawn_pose(p.world, p.bodies[i]);
    vec2s at = point(33.3, 77.7);
    assert_done(cn_world_shift_origin(p.world, at));
    for (int i = 0; i < p.count; i++) {
        cn_pose now = cn_body_drawn_pose(p.world, p.bodies[i]);
        assert_near((double)now.position.x, (double)before[i].position.x - (double)at.x, 1e-5);
        assert_near((double)now.position.y, (double)before[i].position.y - (double)at.y, 1e-5);
    }
    cn_world_destroy(p.world);
}

// The origins of these bodies are not their centres of mass, and a shift rounds each of the two by
// itself.
static void bodies_at_rest_stay_at_rest_after_a_shift(void **state) {
    (void)state;
    uint64_t seed = 3;
    cn_world *world = make_world(0);
    cn_body bodies[50];
    assert_done(cn_world_set_move_events(world, true));
    for (int i = 0; i < 50; i++) {
        vec2s at = point(random_between(&seed, -9, 9), random_between(&seed, -9, 9));
        vec2s center = point(random_between(&seed, -1, 1), random_between(&seed, -1, 1));
        bodies[i] = add(world, (cn_body_def){.type = CN_KINEMATIC, .position = at}, box_of(1));
        assert_done(cn_body_set_mass_data(world, bodies[i], (cn_mass_data){1, 1, center}));
    }
    run(world, 1); // a new centre of mass moves the origin by rounding
    for (int i = 0; i < 20; i++) {
        assert_true(cn_world_advance(world, 1.25f * STEP) > 0);
        assert_int_equal(cn_world_events(world).moved_count, 0);
        for (int k = 0; k < 50; k++) {
            cn_pose pose = cn_body_pose(world, bodies[k]);
            cn_pose drawn = cn_body_drawn_pose(world, bodies[k]);
            assert_true(glms_vec2_eqv(pose.position, drawn.position));
        }
        vec2s by = point(random_between(&seed, -99, 99), random_between(&seed, -99, 99));
        assert_done(cn_world_shift_origin(world, by));
    }
    cn_world_destroy(world);
}

// ---- refused

static cn_pre_solve_result try_to_shift(cn_world *world, const cn_contact *contact, void *user) {
    (void)contact;
    *(bool *)user |= cn_world_shift_origin(world, point(1, 1)) || cn_error_code() != CN_ERROR_STATE;
    return (cn_pre_solve_result){0};
}

static void a_shift_too_far_is_refused(void **state) {
    (void)state;
    place p = build(point(0, 0));
    bool wrong = false;
    step_exactly(p.world, 10);
    unchanged_world = p.world;
    REFUSES(CN_ERROR_NUMBER, cn_world_shift_origin(p.world, point(NAN, 0)));
    REFUSES(CN_ERROR_NUMBER, cn_world_shift_origin(p.world, point(0, INFINITY)));
    REFUSES(CN_ERROR_RANGE, cn_world_shift_origin(p.world, point(1.1e9, 0)));
    add(p.world, (cn_body_def){.position = point(-9e8, 0)}, box_of(1));
    REFUSES(CN_ERROR_RANGE, cn_world_shift_origin(p.world, point(2e8, 0)));
    assert_done(cn_world_shift_origin(p.world, point(-9e8, 0)));
    unchanged_world = NULL;
    REFUSES(CN_ERROR_HANDLE, cn_world_shift_origin(NULL, point(0, 0)));
    flag_all_shapes(p.world);
    assert_done(
        cn_world_set_callbacks(p.world, (cn_callbacks){.pre_solve = try_to_shift, .user = &wrong}));
    step_exactly(p.world, 1);
    assert_false(wrong);
    cn_world_destroy(p.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shifted_world_equals_one_built_at_the_new_place),
        cmocka_unit_test(new_boxes_and_moved_grids_are_shifted_too),
        cmocka_unit_test(a_shift_wakes_nothing_and_raises_no_events),
        cmocka_unit_test(events_of_the_last_step_are_shifted),
        cmocka_unit_test(after_a_shift_a_world_continues_nearly_the_same),
        cmocka_unit_test(a_shift_there_and_back_changes_nothing),
        cmocka_unit_test(drawn_poses_do_not_jump),
        cmocka_unit_test(bodies_at_rest_stay_at_rest_after_a_shift),
        cmocka_unit_test(a_shift_too_far_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
