/* Continuous collision in rooms: nothing leaves them at any speed or spin, and bodies that stop
 * each other keep their order. */
#include "../../../support/contacts.h"

// ---- rooms

// The static walls of a room: tiles around a square from -5 to 5, or 24 segments around a circle
// with a radius of 5 m.
static void make_room(cn_world *world, bool tiles) {
    cn_body ground = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    static uint8_t solid[42 * 42];
    for (int i = 0; i < 42 * 42; i++)
        solid[i] = i % 42 == 0 || i % 42 == 41 || i / 42 == 0 || i / 42 == 41;
    if (tiles)
        assert_done(cn_grid_create(world, ground,
                                   &(cn_grid_def){.solid = solid,
                                                  .width = 42,
                                                  .height = 42,
                                                  .tile_size = 0.25f,
                                                  .origin = point(-5.25, -5.25)})
                        .id);
    for (int i = 0; i < 24 && !tiles; i++) {
        double x = 5, y = x * tan(PI / 24);
        cn_hull wall = cn_segment(point(x, -y), point(x, y));
        wall = cn_hull_at(wall, cn_pose_at(point(0, 0), (float)(i * PI / 12)));
        assert_done(cn_shape_create(world, ground, &(cn_shape_def){.hull = wall}).id);
    }
}

// Throws a tumbling body around in a room, at up to the given speed. Returns how often it ends
// outside.
static int count_escapes(bool tiles, int kind, double speed) {
    uint64_t seed = 17 + (uint64_t)kind;
    int escapes = 0;
    for (int i = 0; i < 60; i++) {
        cn_world *world = make_world(GRAVITY);
        double l = random_between(&seed, 0.1, 0.5), t = random_between(&seed, 0.0025, 0.01);
        const cn_hull hulls[] = {cn_box((float)l, (float)t),
                                 cn_capsule(point(-l, 0), point(l, 0), (float)t),
                                 cn_circle((float)l)};
        make_room(world, tiles);
        cn_body body =
            add(world, (cn_body_def){.no_sleep = true}, (cn_shape_def){.hull = hulls[kind]});
        for (int k = 0; k < 4; k++) {
            double v = random_between(&seed, 0.01, 1) * speed, a = random_between(&seed, 0, 2 * PI);
            assert_done(cn_body_set_velocity(world, body, point(v * cos(a), v * sin(a))));
            assert_done(
                cn_body_set_angular_velocity(world, body, (float)random_between(&seed, -100, 100)));
            run(world, 20);
        }
        motion m = motion_of(world, body);
        escapes += tiles ? fmax(fabs(m.x), fabs(m.y)) > 5 : hypot(m.x, m.y) > 5.1;
        cn_world_destroy(world);
    }
    return escapes;
}

static void rods_that_tumble_stay_in_a_ring_of_segments(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++)
        for (double speed = 50; speed <= 5000; speed *= 10)
            assert_int_equal(count_escapes(false, kind, speed), 0);
}

// An impact within the step sends the body to tiles outside the path that was expected.
static void nothing_leaves_a_room_of_tiles(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++)
        for (double speed = 50; speed <= 5000; speed *= 10)
            assert_int_equal(count_escapes(true, kind, speed), 0);
}

// ---- crowds

enum { CROWD = 300 };

// A closed chain, with its corners on a circle with a radius of 6 m, holds a crowd of thin rods and
// balls.
static void fill_ring(cn_world *world, cn_body bodies[CROWD], double restitution) {
    enum { SIDES = 48 };
    const cn_material material = {.restitution = (float)restitution};
    uint64_t seed = 1;
    vec2s corners[SIDES];
    for (int i = 0; i < SIDES; i++) // clockwise, so it is solid outside
        corners[i] = point(6 * cos(2 * PI * i / SIDES), -6 * sin(2 * PI * i / SIDES));
    cn_chain_def chain = {.points = corners, .count = SIDES, .closed = true};
    cn_body ring = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    assert_done(cn_chain_create(world, ring, &chain).id != 0);
    for (int i = 0; i < CROWD; i++) {
        double r = 5 * sqrt(random_between(&seed, 0, 1)), a = random_between(&seed, 0, 2 * PI);
        double v = random_between(&seed, 0, 60), b = random_between(&seed, 0, 2 * PI);
        cn_body_def def = {.position = point(r * cos(a), r * sin(a))};
        def.velocity = point(v * cos(b), v * sin(b)), def.angle = (float)(7 * b);
        def.angular_velocity = (float)random_between(&seed, -20, 20);
        cn_shape_def shape = {.hull = cn_circle(0.06f), .material = material};
        if (i % 2) shape.hull = cn_capsule(point(-0.2, 0), point(0.2, 0), 0.025f);
        bodies[i] = add(world, def, shape);
    }
}

static void a_crowd_of_rods_and_balls_stays_in_a_ring_of_chain(void **state) {
    (void)state;
    for (double restitution = 0; restitution < 1; restitution += 0.5) {
        cn_world *world = make_world(0);
        cn_body bodies[CROWD];
        fill_ring(world, bodies, restitution);
        run(world, 240);
        for (int i = 0; i < CROWD; i++) {
            motion m = motion_of(world, bodies[i]);
            if (hypot(m.x, m.y) > 6) fail_msg("e = %g: body %d is outside", restitution, i);
        }
        cn_world_destroy(world);
    }
}

enum { SPINNERS = 50 };

// Fills a square room with sides of 10 m with rods and boxes at up to 20 m/s.
static void fill_room_with_spinners(cn_world *world, cn_body bodies[SPINNERS]) {
    const cn_hull hulls[] = {cn_box(0.3f, 0.05f), cn_box(0.2f, 0.2f),
                             cn_capsule(point(-0.3, 0), point(0.3, 0), 0.05f)};
    uint64_t seed = 5;
    for (int i = 0; i < 4; i++) {
        cn_body_def wall = {.type = CN_STATIC, .angle = (float)(i * PI / 2)};
        wall.position = point(5.5 * cos(i * PI / 2), 5.5 * sin(i * PI / 2));
        add(world, wall, (cn_shape_def){.hull = cn_box(0.5f, 6)});
    }
    for (int i = 0; i < SPINNERS; i++) {
        cn_body_def def = {.position = point(i % 10 - 4.5, 1.9 * (i / 10) - 4.4)};
        def.angle = (float)random_between(&seed, 0, PI);
        def.velocity = random_point_between(&seed, -20, 20);
        bodies[i] = add(world, def, (cn_shape_def){.hull = hulls[i % 3]});
    }
}

// The bodies turn thousands of times or more in a step, and their spin is set again every three
// steps. When the turn within a swept step was limited, some of them left the room for a time.
static void bodies_at_absurd_spins_stay_in_their_room(void **state) {
    (void)state;
    for (float spin = 1e6f; spin < 1.1e9f; spin *= 10) {
        cn_world *world = make_world(GRAVITY);
        cn_body bodies[SPINNERS];
        fill_room_with_spinners(world, bodies);
        for (int k = 0; k < 60; k++) {
            for (int i = 0; i < SPINNERS && k % 3 == 0; i++)
                assert_done(cn_body_set_angular_velocity(world, bodies[i], i % 2 ? spin : -spin));
            run(world, 1);
            for (int i = 0; i < SPINNERS; i++) {
                motion m = motion_of(world, bodies[i]);
                assert_true(fabs(m.x) < 5 && fabs(m.y) < 5 && isfinite(m.angle));
                assert_true(isfinite(m.vx) && isfinite(m.vy) && isfinite(m.w));
            }
        }
        cn_world_destroy(world);
    }
}

// ---- rounds: bodies that stop search again for those that run into them

// Six bodies on a line fly at each other, at up to 200 m/s. They cannot leave the line. Returns
// whether they keep their order.
static bool row_keeps_its_order(uint64_t seed) {
    enum { BODIES = 6 };
    cn_world *world = make_world(0);
    cn_shape_def shape = {.hull = seed % 2 ? cn_circle(0.15f) : cn_box(0.15f, 0.15f)};
    shape.material = elastic(0.6 + 0.2 * (double)(seed % 3));
    cn_body bodies[BODIES];
    double x = 0;
    for (int i = 0; i < BODIES; i++) {
        x += random_between(&seed, 0.35, 2.5);
        double speed = i == 0 ? 200 : i == BODIES - 1 ? -200 : random_between(&seed, -200, 200);
        cn_body_def def = {.position = point(x, 0), .velocity = point(speed, 0)};
        def.lock_y = def.lock_rotation = true;
        bodies[i] = add(world, def, shape);
    }
    run(world, 60);
    bool ordered = true;
    for (int i = 1; i < BODIES; i++)
        ordered &= motion_of(world, bodies[i - 1]).x < motion_of(world, bodies[i]).x;
    cn_world_destroy(world);
    return ordered;
}

// A body that stops within the step stands in the path of the next one. When stopped bodies did not
// search again, the order was lost for 36 of these seeds.
static void bodies_in_a_row_keep_their_order(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 400; seed++)
        if (!row_keeps_its_order(seed)) fail_msg("seed %d", (int)seed);
}

enum { RODS = 300 };

// A square room with sides of 20 m, and rods of 0.8 m by 0.1 m that fly around in it at 30 to 90
// m/s.
static void fill_room_with_rods(cn_world *world, cn_body rods[RODS], uint64_t seed) {
    cn_body room = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    for (int i = 0; i < 4; i++) {
        const vec2s middles[] = {{{10.5f, 0}}, {{0, 10.5f}}, {{-10.5f, 0}}, {{0, -10.5f}}};
        cn_hull wall = cn_box(i % 2 ? 11 : 0.5f, i % 2 ? 0.5f : 11);
        cn_shape_def shape = {.material = elastic(1)};
        shape.hull = cn_hull_at(wall, cn_pose_at(middles[i], 0));
        assert_done(cn_shape_create(world, room, &shape).id != 0);
    }
    for (int i = 0; i < RODS; i++) {
        double v = random_between(&seed, 30, 90), a = random_between(&seed, 0, 2 * PI);
        cn_body_def def = {.position = point(-9 + 1.05 * (i % 18), -9 + 1.05 * (i / 18)),
                           .velocity = point(v * cos(a), v * sin(a))};
        def.angle = (float)random_between(&seed, 0, PI);
        def.angular_velocity = (float)random_between(&seed, -10, 10);
        rods[i] =
            add(world, def, (cn_shape_def){.hull = cn_box(0.4f, 0.05f), .material = elastic(1)});
    }
}

// Returns how many pairs of rods have their centres within 0.09 m. The centres of rods that merely
// touch are at least 0.1 m apart.
static int count_deep_pairs(const cn_world *world, const cn_body rods[RODS]) {
    motion m[RODS];
    int count = 0;
    for (int i = 0; i < RODS; i++) {
        m[i] = motion_of(world, rods[i]);
        for (int k = 0; k < i; k++) {
            double x = m[k].x - m[i].x, y = m[k].y - m[i].y;
            count += x * x + y * y < 0.09 * 0.09;
        }
    }
    return count;
}

// In 120 steps of a seed there are 0 to 2 deep pairs. When stopped bodies did not search again,
// there were 15 to 38.
static void fast_rods_seldom_get_deep_into_each_other(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body rods[RODS];
    fill_room_with_rods(world, rods, 1);
    int deep = 0;
    for (int i = 0; i < 120; i++) {
        run(world, 1);
        deep += count_deep_pairs(world, rods);
    }
    if (deep > 6) fail_msg("%d deep pairs", deep);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rods_that_tumble_stay_in_a_ring_of_segments),
        cmocka_unit_test(nothing_leaves_a_room_of_tiles),
        cmocka_unit_test(a_crowd_of_rods_and_balls_stays_in_a_ring_of_chain),
        cmocka_unit_test(bodies_at_absurd_spins_stay_in_their_room),
        cmocka_unit_test(bodies_in_a_row_keep_their_order),
        cmocka_unit_test(fast_rods_seldom_get_deep_into_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
