/* The sensors that the character mover meets: coins, doors and spikes on its path. */
#include "characters.h"

static cn_body add_sensor(cn_world *world, double x, double y, cn_hull hull, cn_filter filter) {
    cn_shape_def shape = {.hull = hull, .sensor = true, .filter = filter};
    return add(world, (cn_body_def){.type = CN_STATIC, .position = point(x, y)}, shape);
}

static cn_body add_coin(cn_world *world, double x, double y) {
    return add_sensor(world, x, y, cn_circle(0.05f), (cn_filter){0});
}

static bool has_met(const cn_move *move, cn_body body) {
    int count = 0;
    for (int i = 0; i < move->sensor_count; i++) count += move->sensors[i].body.id == body.id;
    assert_true(count <= 1);
    return count;
}

// ---- paths

// Coins of 10 cm, between the ends of a move of 8 m.
static void a_fast_move_meets_the_coins_between_its_ends_in_their_order(void **state) {
    (void)state;
    const double xs[] = {4, 1.5, 7, 2.5, 5.5};
    const int order[] = {1, 3, 0, 4, 2};
    for (int w = 0; w < WALKERS; w++) {
        cn_world *world = make_world(0);
        cn_body coins[5];
        for (int i = 0; i < 5; i++) coins[i] = add_coin(world, xs[i], 0.5);
        cn_body above = add_coin(world, 4, 1.6), behind = add_coin(world, -1, 0.5);
        character c = place(world, w, 0, 0);
        move(&c, 8, 0);
        assert_near(x_of(&c), 8, 1e-6);
        assert_int_equal(c.last.sensor_count, 5);
        for (int i = 0; i < 5; i++) assert_int_equal(c.last.sensors[i].body.id, coins[order[i]].id);
        assert_false(has_met(&c.last, above) || has_met(&c.last, behind));
        cn_world_destroy(world);
    }
}

static void a_hull_meets_only_what_it_reaches(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body before = add_coin(world, 1.9, 0.5), behind = add_coin(world, 2.2, 0.5);
    add_block(world, 2, 0, 0.1, 5);
    character c = place(world, 2, 0, 0);
    move(&c, 9, 0);
    assert_true(has_met(&c.last, before));
    assert_false(has_met(&c.last, behind));
    move(&c, 0, 0); // the hull still stands there
    assert_true(has_met(&c.last, before));
    move(&c, -1, 0); // the hull leaves
    assert_true(has_met(&c.last, before));
    move(&c, 0, 0);
    assert_int_equal(c.last.sensor_count, 0);
    cn_world_destroy(world);
}

// Up the stairs of 0.2 m, with a coin on each: the path goes round their corners.
static void a_hull_meets_coins_on_stairs(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    add_floor(world, frictionless);
    add_stairs(world, 2, 5);
    cn_body coins[5];
    for (int i = 0; i < 5; i++) coins[i] = add_coin(world, 2.15 + 0.3 * i, 0.2 * (i + 1) + 0.1);
    character c = place(world, 2, 0, 0);
    c.def.step_height = c.def.snap_distance = 0.3f;
    move(&c, 5, -0.02);
    assert_int_equal(c.last.sensor_count, 5);
    for (int i = 0; i < 5; i++) assert_int_equal(c.last.sensors[i].body.id, coins[i].id);
    cn_world_destroy(world);
}

static void a_lift_takes_a_hull_past_a_coin(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body_def def = {.type = CN_KINEMATIC, .position = point(0, -0.1), .velocity = point(0, 60)};
    add(world, def, (cn_shape_def){.hull = cn_box(1, 0.1f)});
    cn_body coin = add_coin(world, 0.3, 1.5);
    character c = place(world, 2, 0, 0);
    move(&c, 0, -0.01);
    run(world, 3);
    c.def.ride = c.last.ride;
    move(&c, 0, 0);
    assert_near(feet_of(&c), 3 + SLOP, 1e-3);
    assert_true(has_met(&c.last, coin));
    cn_world_destroy(world);
}

// ---- what is met

static void the_query_of_a_move_chooses_the_sensors(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body coin = add_sensor(world, 1, 0.5, cn_box(0.1f, 0.1f), (cn_filter){.category = 2});
    cn_body door = add_sensor(world, 2, 0.5, cn_box(0.1f, 0.5f), (cn_filter){.category = 4});
    cn_body secret = add_sensor(world, 3, 0.5, cn_box(0.1f, 0.1f), (cn_filter){.mask = 8});
    add_block(world, 4, 0, 1, 1); // category 1
    character c = place(world, 2, 0, 0);
    const cn_query queries[] = {
        {0}, {.mask = 1 | 2}, {.mask = 4}, {.category = 16}, {.ignore = door}};
    const bool expected[][3] = {{1, 1, 1}, {1, 0, 1}, {0, 1, 0}, {1, 1, 0}, {1, 0, 1}};
    for (int i = 0; i < 5; i++) {
        c.pose.position.x = 0;
        c.def.query = queries[i];
        move(&c, 6, 0);
        assert_near(x_of(&c), i == 2 ? 6 : 4 - 0.3 - SLOP, 1e-3);
        assert_int_equal(has_met(&c.last, coin), expected[i][0]);
        assert_int_equal(has_met(&c.last, door), expected[i][1]);
        assert_int_equal(has_met(&c.last, secret), expected[i][2]);
    }
    cn_world_destroy(world);
}

static bool is_no_coin(const cn_world *world, cn_side side, void *user) {
    (void)user;
    return cn_body_user_data(world, side.body) == 0;
}

static void accept_may_refuse_a_sensor(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body coins[] = {add_coin(world, 1, 0.5), add_coin(world, 2, 0.5)};
    assert_done(cn_body_set_user_data(world, coins[0], 7));
    character c = place(world, 0, 0, 0);
    c.def.query.accept = is_no_coin;
    move(&c, 3, 0);
    assert_int_equal(c.last.sensor_count, 1);
    assert_true(has_met(&c.last, coins[1]));
    cn_world_destroy(world);
}

// 40 coins in a row, created in another order. The list has the first 16.
static void a_full_list_has_the_first_sensors(void **state) {
    (void)state;
    for (int w = 0; w < WALKERS; w++) {
        cn_world *world = make_world(0);
        cn_body coins[40];
        for (int i = 0; i < 40; i++) {
            int k = i * 17 % 40;
            coins[k] = add_coin(world, 1 + 0.1 * k, 0.5);
        }
        character c = place(world, w, 0, 0);
        move(&c, 6, 0);
        assert_int_equal(c.last.sensor_count, CN_MAX_MOVE_SENSORS);
        for (int i = 0; i < CN_MAX_MOVE_SENSORS; i++)
            assert_int_equal(c.last.sensors[i].body.id, coins[i].id);
        cn_world_destroy(world);
    }
}

static void disabled_and_destroyed_sensors_are_not_met(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body coins[] = {add_coin(world, 1, 0.5), add_coin(world, 2, 0.5), add_coin(world, 3, 0.5)};
    assert_done(cn_body_set_disabled(world, coins[0], true));
    assert_done(cn_body_destroy(world, coins[1]));
    character c = place(world, 0, 0, 0);
    move(&c, 4, 0);
    assert_int_equal(c.last.sensor_count, 1);
    assert_int_equal(c.last.sensors[0].body.id, coins[2].id);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fast_move_meets_the_coins_between_its_ends_in_their_order),
        cmocka_unit_test(a_hull_meets_only_what_it_reaches),
        cmocka_unit_test(a_hull_meets_coins_on_stairs),
        cmocka_unit_test(a_lift_takes_a_hull_past_a_coin),
        cmocka_unit_test(the_query_of_a_move_chooses_the_sensors),
        cmocka_unit_test(accept_may_refuse_a_sensor),
        cmocka_unit_test(a_full_list_has_the_first_sensors),
        cmocka_unit_test(disabled_and_destroyed_sensors_are_not_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
