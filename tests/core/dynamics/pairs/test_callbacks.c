/* The filter and pre-solve callbacks: when they are called, what their results do, and which calls
 * they may make. */
#include "../../../support/games.h"

// ---- results

typedef struct {
    cn_world *world;
    cn_body body, other; // two crates on a floor
    cn_shape shape, floor;
    cn_joint joint;
    int filters, solves; // how often each was called
    bool answer;
} game;

static void make_game(game *g) {
    *g = (game){.world = make_world(GRAVITY), .answer = true};
    g->floor = first_shape(g->world, add_floor(g->world, (cn_material){0}));
    g->body = throw(g->world, crate(), point(0, 0.5), point(0, 0));
    g->other = throw(g->world, crate(), point(0.2, 1.5), point(0, 0));
    g->shape = first_shape(g->world, g->body);
    cn_body far = add_ball(g->world, 40, 0.5), near = add_ball(g->world, 42, 0.5);
    cn_joint_def def = cn_spring_joint(g->world, far, near, point(40, 0.5), point(42, 0.5));
    g->joint = cn_joint_create(g->world, def);
    assert_done(g->joint.id != 0);
    flag_all_shapes(g->world);
}

static bool count_filter(cn_world *world, cn_shape a, cn_shape b, void *user) {
    game *g = user;
    assert_true(world == g->world && cn_shape_valid(world, a) && cn_shape_valid(world, b));
    g->filters++;
    return g->answer;
}

static cn_pre_solve_result count_solve(cn_world *world, const cn_contact *contact, void *user) {
    game *g = user;
    assert_true(world == g->world && contact->manifold.count > 0);
    g->solves++;
    return (cn_pre_solve_result){.disabled = !g->answer};
}

static void a_filter_lets_bodies_pass(void **state) {
    (void)state;
    game g;
    make_game(&g);
    g.answer = false;
    assert_done(
        cn_world_set_callbacks(g.world, (cn_callbacks){.filter = count_filter, .user = &g}));
    run(g.world, 60);
    assert_true(g.filters > 0);
    assert_near(height_of(g.world, g.body), 0.5 - GRAVITY / 2, 1e-3);
    assert_int_equal(cn_world_contacts(g.world, NULL, 0), 0);
    cn_world_destroy(g.world);
}

static bool expect_order_of_slots(cn_world *world, cn_shape a, cn_shape b, void *user) {
    (void)world;
    const uint64_t slot = 0xFFFFFF;
    assert_true((a.id & slot) < (b.id & slot));
    ++*(int *)user;
    return true;
}

// A fast kinematic body searches for the crates beside its path, and a sensor for those within it.
static void a_filter_gets_the_shape_in_the_lower_slot_first(void **state) {
    (void)state;
    int calls = 0;
    cn_world *world = make_world(0);
    cn_body before = throw(world, crate(), point(0, 0.6), point(0, 0));
    const cn_shape_def sensor = {.hull = cn_box(1, 1), .sensor = true};
    add(world, (cn_body_def){.type = CN_STATIC, .position = point(0, 1)}, sensor);
    cn_body_def bat = {.type = CN_KINEMATIC, .position = point(-9, 0), .velocity = point(500, 0)};
    add(world, bat, box_of(0.5f));
    cn_body after = throw(world, crate(), point(0, -0.6), point(0, 0));
    flag_all_shapes(world);
    cn_world_set_callbacks(world, (cn_callbacks){.filter = expect_order_of_slots, .user = &calls});
    while (calls < 20) run(world, 1);
    assert_true(cn_body_velocity(world, before).y > 0 && cn_body_velocity(world, after).y < 0);
    cn_world_destroy(world);
}

static void pre_solve_disables_a_contact_for_a_step(void **state) {
    (void)state;
    game g;
    make_game(&g);
    assert_done(
        cn_world_set_callbacks(g.world, (cn_callbacks){.pre_solve = count_solve, .user = &g}));
    run(g.world, 30);
    double y = height_of(g.world, g.body);
    g.answer = false;
    run(g.world, 1); // in free fall
    assert_near(motion_of(g.world, g.body).vy, -GRAVITY / 60, 1e-4);
    assert_near(height_of(g.world, g.body), y - GRAVITY / 7200, 1e-4);
    g.answer = true;
    run(g.world, 30);
    assert_near(motion_of(g.world, g.body).vy, 0, 0.01);
    assert_near(height_of(g.world, g.body), y, 0.005);
    cn_world_destroy(g.world);
}

// A contact that is switched off is still a contact, with an unchanged manifold.
static void a_contact_that_pre_solve_disabled_is_still_listed(void **state) {
    (void)state;
    game g;
    make_game(&g);
    g.answer = false;
    assert_done(
        cn_world_set_callbacks(g.world, (cn_callbacks){.pre_solve = count_solve, .user = &g}));
    run(g.world, 1);
    cn_contact contacts[8];
    int count = cn_world_contacts(g.world, contacts, 8);
    assert_int_equal(count, 4);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < contacts[i].manifold.count; k++) {
            assert_near((double)contacts[i].manifold.points[k].separation, 0, 0.02);
            assert_near((double)contacts[i].manifold.points[k].normal_impulse, 0, 0);
        }
    cn_world_destroy(g.world);
}

static void a_fast_body_that_pre_solve_lets_through_is_not_stopped(void **state) {
    (void)state;
    for (double speed = 5; speed < 1000; speed *= 2) {
        game g = {.world = make_world(0), .answer = false};
        add(g.world, (cn_body_def){.type = CN_STATIC}, (cn_shape_def){.hull = cn_box(0.3f, 5)});
        cn_body body = throw(g.world, cn_circle(0.1f), point(-3, 0), point(speed, 0));
        flag_all_shapes(g.world);
        assert_done(
            cn_world_set_callbacks(g.world, (cn_callbacks){.pre_solve = count_solve, .user = &g}));
        run(g.world, 120);
        assert_near(motion_of(g.world, body).vx, speed, 1e-3 * speed);
        assert_true(motion_of(g.world, body).x > 0.5);
        cn_world_destroy(g.world);
    }
}

enum { MOST_PAIRS = 512 };

typedef struct {
    cn_contact contacts[MOST_PAIRS];
    int count;
} call_log;

static cn_pre_solve_result record_solve(cn_world *world, const cn_contact *contact, void *user) {
    (void)world;
    call_log *log = user;
    assert_true(log->count < MOST_PAIRS);
    log->contacts[log->count++] = *contact;
    return (cn_pre_solve_result){.disabled = log->count % 3 == 0};
}

static void pre_solve_is_called_in_the_order_of_contacts(void **state) {
    (void)state;
    static call_log log;
    static cn_contact contacts[MOST_PAIRS];
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){0});
    for (int i = 0; i < 60; i++)
        throw(world, i % 2 ? crate() : ball, point(i % 10 * 0.9, 1 + i / 10), point(0, 0));
    flag_all_shapes(world);
    assert_done(
        cn_world_set_callbacks(world, (cn_callbacks){.pre_solve = record_solve, .user = &log}));
    for (int i = 0; i < 120; i++) {
        log.count = 0;
        run(world, 1);
        int count = cn_world_contacts(world, contacts, MOST_PAIRS);
        assert_int_equal(count, log.count);
        for (int k = 0; k < count; k++) {
            assert_true(contacts[k].a.shape.id == log.contacts[k].a.shape.id);
            assert_true(contacts[k].b.shape.id == log.contacts[k].b.shape.id);
        }
    }
    cn_world_destroy(world);
}

// ---- calls from within a callback

// Makes call number `call` of all calls that change a body. Returns 0 if it was refused, and -1
// after the last one.
static int change_body(game *g, int call) {
    cn_world *w = g->world;
    cn_body b = g->body;
    vec2s v = point(1, 2);
    switch (call) {
    case 0: return cn_body_create(w, &(cn_body_def){0}).id != 0;
    case 1: return cn_body_destroy(w, b);
    case 2: return cn_body_set_type(w, b, CN_STATIC);
    case 3: return cn_body_set_pose(w, b, cn_pose_at(v, 1));
    case 4: return cn_body_set_velocity(w, b, v);
    case 5: return cn_body_set_angular_velocity(w, b, 1);
    case 6: return cn_body_apply_force_at(w, b, v, v);
    case 7: return cn_body_apply_force(w, b, v);
    case 8: return cn_body_apply_torque(w, b, 1);
    case 9: return cn_body_apply_impulse_at(w, b, v, v);
    case 10: return cn_body_apply_impulse(w, b, v);
    case 11: return cn_body_apply_angular_impulse(w, b, 1);
    case 12: return cn_body_set_mass_data(w, b, (cn_mass_data){.mass = 3});
    case 13: return cn_body_reset_mass(w, b);
    case 14: return cn_body_set_damping(w, b, 1, 1);
    case 15: return cn_body_set_gravity_scale(w, b, 2);
    case 16: return cn_body_set_max_speed(w, b, 2);
    case 17: return cn_body_set_locks(w, b, true, true, true);
    case 18: return cn_body_set_bullet(w, b, true);
    case 19: return cn_body_set_asleep(w, b, true);
    case 20: return cn_body_set_no_sleep(w, b, true);
    case 21: return cn_body_set_sleep_speed(w, b, 1);
    case 22: return cn_body_drop_through(w, b, 1);
    case 23: return cn_body_set_disabled(w, b, true);
    case 24: return cn_body_set_user_data(w, b, 1);
    case 25: return cn_body_set_position(w, b, v);
    default: return -1;
    }
}

static int change_shape_or_world(game *g, int call) {
    cn_world *w = g->world;
    cn_shape s = g->shape;
    cn_hull hull = ball;
    cn_shape_def def = {.hull = ball};
    cn_tuning tuning = cn_world_tuning(w);
    switch (call) {
    case 0: return cn_shape_create(w, g->body, &def).id != 0;
    case 1: return cn_shape_destroy(w, s);
    case 2: return cn_shape_set_hull(w, s, hull);
    case 3: return cn_shape_set_density(w, s, 2);
    case 4: return cn_shape_set_material(w, s, (cn_material){0});
    case 5: return cn_shape_set_filter(w, s, (cn_filter){0});
    case 6: return cn_shape_set_hit_events(w, s, true);
    case 7: return cn_shape_set_sensor(w, s, true);
    case 8: return cn_shape_set_one_way(w, s, point(0, 1));
    case 9: return cn_shape_set_user_data(w, s, 1);
    case 10: return cn_world_step(w, STEP);
    case 11: return cn_world_advance(w, STEP) + 1;
    case 12: return cn_world_set_gravity(w, point(0, 0));
    case 13: return cn_world_set_substeps(w, 8);
    case 14: return cn_world_set_no_sleep(w, false);
    case 15: return cn_world_set_tuning(w, tuning);
    case 16: return cn_world_set_callbacks(w, (cn_callbacks){0});
    case 17: return cn_world_step(w, 0);
    case 18: return cn_world_set_profiling(w, true);
    case 19: return cn_shape_set_no_touch_events(w, s, true);
    case 20: return cn_world_set_move_events(w, true);
    case 21: return cn_world_shift_origin(w, point(1, 2));
    case 22: return cn_shape_set_medium(w, s, (cn_medium){0});
    case 23: return cn_shape_set_custom_filter(w, s, false);
    case 24: return cn_shape_set_pre_solve(w, s, false);
    case 25: return cn_shape_set_no_collision(w, s, true);
    case 26: return cn_world_set_damping(w, 1, 1);
    case 27: return cn_world_set_user_data(w, 1);
    case 28: return cn_world_explode(w, &(cn_explosion){.radius = 1, .impulse_per_length = 1});
    default: return -1;
    }
}

static int change_joint(game *g, int call) {
    cn_world *w = g->world;
    cn_joint j = g->joint;
    cn_coordinate c = {.mode = CN_FREE};
    cn_joint_def def = {.a = g->body, .b = g->other};
    cn_pose frame = cn_pose_at(point(0, 0), 0);
    switch (call) {
    case 0: return cn_joint_create(w, def).id != 0;
    case 1: return cn_joint_destroy(w, j);
    case 2: return cn_joint_set_coordinate(w, j, CN_JOINT_X, c);
    case 3: return cn_joint_set_motor_speed(w, j, CN_JOINT_X, 1);
    case 4: return cn_joint_set_target(w, j, CN_JOINT_X, 1);
    case 5: return cn_joint_set_frames(w, j, frame, frame);
    case 6: return cn_joint_set_polar(w, j, false);
    case 7: return cn_joint_set_collide_connected(w, j, true);
    case 8: return cn_joint_set_disabled(w, j, true);
    case 9: return cn_joint_set_break(w, j, 1, 1);
    case 10: return cn_joint_set_user_data(w, j, 1);
    case 11: return cn_joint_set_coupling(w, j, (cn_coupling){0});
    case 12: return cn_joint_set_anchor(w, j, CN_A, point(0, 0));
    default: return -1;
    }
}

static void check_changes_are_refused(game *g) {
    int (*const calls[])(game * g, int call) = {change_body, change_shape_or_world, change_joint};
    for (int i = 0; i < COUNT(calls); i++)
        for (int k = 0, done = 0; done >= 0; k++) {
            cn_circle(-1); // leaves an error of another kind
            done = calls[i](g, k);
            if (done < 0) break;
            if (done > 0) print_error("call %d of group %d went through\n", k, i);
            if (done == 0 && cn_error_code() != CN_ERROR_STATE)
                print_error("call %d of group %d: %s\n", k, i, cn_error());
            assert_true(done == 0 && cn_error_code() == CN_ERROR_STATE);
        }
    cn_circle(-1);
    assert_null(cn_world_events(g->world).begins);
    assert_int_equal(cn_error_code(), CN_ERROR_STATE);
}

static bool meddling_filter(cn_world *world, cn_shape a, cn_shape b, void *user) {
    check_changes_are_refused(user);
    return count_filter(world, a, b, user);
}

static cn_pre_solve_result meddling_solve(cn_world *world, const cn_contact *contact, void *user) {
    check_changes_are_refused(user);
    return count_solve(world, contact, user);
}

static void callbacks_cannot_change_the_world(void **state) {
    (void)state;
    game g, twin;
    make_game(&g);
    make_game(&twin);
    cn_callbacks callbacks = {.filter = meddling_filter, .pre_solve = meddling_solve, .user = &g};
    assert_done(cn_world_set_callbacks(g.world, callbacks));
    for (int i = 0; i < 20; i++) {
        run(g.world, 1);
        run(twin.world, 1);
        assert_true(cn_world_hash(g.world) == cn_world_hash(twin.world));
    }
    assert_true(g.filters > 0 && g.solves > 0);
    assert_done(cn_world_set_callbacks(g.world, (cn_callbacks){0})); // allowed again after the step
    cn_world_destroy(g.world);
    cn_world_destroy(twin.world);
}

// ---- callbacks and sleep

static void callbacks_are_not_called_for_sleeping_bodies(void **state) {
    (void)state;
    game g;
    make_game(&g);
    assert_done(cn_world_set_no_sleep(g.world, false));
    cn_callbacks callbacks = {.filter = count_filter, .pre_solve = count_solve, .user = &g};
    assert_done(cn_world_set_callbacks(g.world, callbacks));
    run(g.world, 300);
    assert_false(!cn_body_asleep(g.world, g.body));
    g.filters = g.solves = 0;
    run(g.world, 30);
    assert_int_equal(g.filters + g.solves, 0);
    assert_done(cn_body_set_asleep(g.world, g.body, false));
    run(g.world, 1);
    assert_int_equal(g.solves, 2);

    assert_done(cn_world_set_callbacks(g.world, (cn_callbacks){0}));
    g.filters = g.solves = 0;
    add_ball(g.world, 9, 0.5);
    run(g.world, 30);
    assert_int_equal(g.filters + g.solves, 0);
    cn_world_destroy(g.world);
}

static cn_pre_solve_result record_steps(cn_world *world, const cn_contact *contact, void *user) {
    (void)contact;
    *(int *)user = (int)cn_world_counters(world).steps;
    return (cn_pre_solve_result){0};
}

static void the_running_step_is_not_counted_yet(void **state) {
    (void)state;
    int seen = -1;
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){0});
    add(world, (cn_body_def){.position = point(0, 0.5)}, box_of(0.5f));
    flag_all_shapes(world);
    assert_done(
        cn_world_set_callbacks(world, (cn_callbacks){.pre_solve = record_steps, .user = &seen}));
    for (int i = 0; i < 3; i++) {
        run(world, 1);
        assert_int_equal(seen, i);
        assert_int_equal(cn_world_counters(world).steps, i + 1);
    }
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_running_step_is_not_counted_yet),
        cmocka_unit_test(a_filter_lets_bodies_pass),
        cmocka_unit_test(a_filter_gets_the_shape_in_the_lower_slot_first),
        cmocka_unit_test(pre_solve_disables_a_contact_for_a_step),
        cmocka_unit_test(a_contact_that_pre_solve_disabled_is_still_listed),
        cmocka_unit_test(a_fast_body_that_pre_solve_lets_through_is_not_stopped),
        cmocka_unit_test(pre_solve_is_called_in_the_order_of_contacts),
        cmocka_unit_test(callbacks_cannot_change_the_world),
        cmocka_unit_test(callbacks_are_not_called_for_sleeping_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
