/* Smooth ground: bodies slide over the seams of touching shapes as over one long edge. Heights are
 * measured through the public API, in double precision. */
#include "../../../support/floors.h"

// ---- sliding

typedef struct {
    double highest, lowest, slowest; // m from y = 0.5; fraction of the speed
} ride;

static ride ride_over(floor_kind kind, int which, double tilt) {
    cn_world *world = make_world(GRAVITY);
    add_long_floor(world, kind);
    cn_body body = add_mover(world, which, point(3, 0.5 + tilt), tilt, point(20, 0), 0);
    if (tilt != 0) run(world, 90); // until it lies flat
    ride r = {-1, 1, 1};
    for (double x = 0; x < 95;) {
        run(world, 1);
        motion m = motion_of(world, body);
        x = m.x;
        r.highest = fmax(r.highest, m.y - 0.5), r.lowest = fmin(r.lowest, m.y - 0.5);
        r.slowest = fmin(r.slowest, m.vx / 20);
        cn_contact contact;
        assert_in_range(cn_world_contacts(world, &contact, 1), 1, 4);
    }
    cn_world_destroy(world);
    return r;
}

static void bodies_slide_over_seams_as_over_one_floor(void **state) {
    (void)state;
    for (int kind = 0; kind < FLOORS; kind++)
        for (int which = 0; which < MOVERS; which++)
            for (int tilt = 0; tilt < 2; tilt++) {
                ride r = ride_over((floor_kind)kind, which, 0.05 * tilt);
                assert_near(r.highest, 0, 0.5e-3);
                assert_near(r.lowest, 0, 0.5e-3);
                assert_near(r.slowest, 1, 1e-4);
            }
}

// Tiles 2 mm apart; every second one is 2 mm higher.
static void small_gaps_and_steps_are_no_edges(void **state) {
    (void)state;
    for (int which = 0; which < MOVERS; which++) {
        cn_world *world = make_world(GRAVITY);
        cn_body ground = add_static(world);
        for (int i = 0; i < 100; i++)
            add_tile(world, ground, 1.002 * i + 0.5, -0.5 + 0.002 * (i % 2), 0.5, 0.5);
        cn_body body = add_mover(world, which, point(3, 0.502), 0, point(20, 0), 0);
        for (double x = 0; x < 95;) {
            run(world, 1);
            motion m = motion_of(world, body);
            x = m.x;
            assert_near(m.y, 0.501, 1.5e-3);
            assert_near(m.vx, 20, 2e-3);
        }
        cn_world_destroy(world);
    }
}

// A wall of tiles at x = 0, from y = 0 to 100. The box is pressed against it and slides up.
static void a_box_slides_along_a_wall_that_it_is_pressed_against(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{-20, 0}}, .no_sleep = true});
    cn_body ground = add_static(world);
    for (int i = 0; i < 100; i++) add_tile(world, ground, -0.5, i + 0.5, 0.5, 0.5);
    cn_body body = add_mover(world, 0, point(0.5, 3), 0, point(0, 0), 0);
    assert_done(cn_body_set_velocity(world, body, point(0, 20)));
    for (double y = 0; y < 95;) {
        run(world, 1);
        motion m = motion_of(world, body);
        y = m.y;
        assert_near(m.x, 0.5, 0.5e-3);
        assert_near(m.vy, 20, 2e-3);
    }
    cn_world_destroy(world);
}

// ---- ground that moves

static void a_lift_of_tiles_is_smooth(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body_def def = {.type = CN_KINEMATIC, .velocity = point(0, 1)};
    cn_body lift = cn_body_create(world, &def);
    for (int i = 0; i < 100; i++) add_tile(world, lift, i + 0.5, -0.5, 0.5, 0.5);
    cn_body body = add_mover(world, 0, point(3, 0.5), 0, point(20, 0), 0);
    assert_done(cn_body_set_velocity(world, body, point(20, 1)));
    for (double x = 0; x < 95;) {
        run(world, 1);
        motion m = motion_of(world, body);
        x = m.x;
        assert_near(m.y - motion_of(world, lift).y, 0.5, 0.5e-3);
        assert_near(m.vx, 20, 2e-3);
    }
    cn_world_destroy(world);
}

// Keeps the body at a speed from x = 2 to 18. Returns how high it rises.
static double rise_while_driven(cn_world *world, cn_body body, double speed) {
    double start = motion_of(world, body).y, highest = start;
    motion m = motion_of(world, body);
    for (int i = 0; m.x < 18; i++) {
        assert_in_range(i, 0, (uintmax_t)(2 * 60 * 16 / speed)); // it must not get stuck
        assert_done(cn_body_set_velocity(world, body, point(speed, m.vy)));
        run(world, 1);
        m = motion_of(world, body);
        highest = fmax(highest, m.y);
    }
    return highest - start;
}

static void crates_side_by_side_have_no_edges(void **state) {
    (void)state;
    const cn_hull hulls[] = {cn_circle(0.3f), cn_box(0.3f, 0.3f)};
    for (int i = 0; i < 8; i++) {
        double speed = 1.5 * (1 << i / 2);
        cn_world *world = make_world(GRAVITY);
        cn_hull ground = cn_segment(point(-50, -1), point(50, -1));
        cn_shape_create(world, add_static(world), &(cn_shape_def){.hull = ground});
        cn_shape_def crate = {.hull = cn_box(0.5f, 0.5f), .density = 50};
        for (int k = 0; k < 30; k++) add(world, (cn_body_def){.position = point(k, -0.5)}, crate);
        run(world, 60);
        cn_body_def def = {.position = point(2, 0.3)};
        if (i % 2 == 0) def.angular_velocity = (float)(-speed / 0.3);
        cn_shape_def shape = {.hull = hulls[i % 2], .material.frictionless = i % 2};
        assert_near(rise_while_driven(world, add(world, def, shape), speed), 0, 0.005);
        cn_world_destroy(world);
    }
}

static void a_lift_beside_the_floor_has_no_edges(void **state) {
    (void)state;
    const cn_hull hulls[] = {cn_capsule(point(0, 0), point(0, 0.6), 0.3f), cn_box(0.3f, 0.3f)};
    for (int i = 0; i < 8; i++) {
        cn_world *world = make_world(GRAVITY);
        cn_body ground = add_static(world);
        for (int k = 0; k < 20; k++)
            if (k < 9 || k > 11) add_tile(world, ground, k + 0.5, -0.5, 0.5, 0.5);
        cn_shape_def plate = {.hull = cn_box(1.5f, 0.25f), .material = frictionless};
        add(world, (cn_body_def){.type = CN_KINEMATIC, .position = point(10.5, -0.25)}, plate);
        cn_body_def def = {.position = point(2, 0.3), .lock_rotation = true};
        cn_body feet =
            add(world, def, (cn_shape_def){.hull = hulls[i % 2], .material = frictionless});
        assert_near(rise_while_driven(world, feet, 1.5 * (1 << i / 2)), 0, 0.003);
        cn_world_destroy(world);
    }
}

// ---- rest, sides and corners

static void a_box_rests_flat_on_a_seam(void **state) {
    (void)state;
    for (int which = 0; which < MOVERS; which++) {
        cn_world *world = make_world(GRAVITY);
        add_long_floor(world, SQUARES);
        cn_body body = add_mover(world, which, point(50, 1), 0, point(0, 0), 0);
        run(world, 240);
        motion m = motion_of(world, body);
        assert_near(m.y, 0.5, 0.3e-3);
        assert_near(m.x, 50, 1e-3);
        assert_near(m.angle, 0, 1e-3);
        cn_world_destroy(world);
    }
}

static void the_outer_side_of_the_last_tile_is_a_side(void **state) {
    (void)state;
    for (int which = 0; which < MOVERS; which++) {
        cn_world *world = make_world(0);
        add_long_floor(world, SQUARES);
        cn_body body = add_mover(world, which, point(103, -0.5), 0, point(-5, 0), 0);
        for (int i = 0; i < 60; i++) {
            run(world, 1);
            check_normals(world, (vec2s[]){point(1, 0)}, 1, 0);
        }
        assert_in_range(motion_of(world, body).x > 100.49 - (which == 1 ? -0.3 : 0), 1, 1);
        cn_world_destroy(world);
    }
}

static void the_inner_corner_of_tiles_has_two_faces(void **state) {
    (void)state;
    for (int which = 0; which < MOVERS; which++) {
        cn_world *world =
            cn_world_create(&(cn_world_def){.gravity = {{10, -10}}, .no_sleep = true});
        cn_body ground = add_static(world);
        for (int i = 0; i < 5; i++) add_tile(world, ground, i - 3.5, -0.5, 0.5, 0.5);
        for (int i = 0; i < 5; i++) add_tile(world, ground, 0.5, i + 0.5, 0.5, 0.5);
        add_mover(world, which, point(-2, 0.6), 0, point(3, 0), 0);
        for (int i = 0; i < 120; i++) {
            run(world, 1);
            check_normals(world, (vec2s[]){point(-1, 0), point(0, 1)}, 2, i < 100 ? 0 : 2);
        }
        cn_world_destroy(world);
    }
}

// The underside of one face once counted for a plank across the crest, and pulled it through.
static void a_plank_lies_on_the_crest_of_thin_ground(void **state) {
    (void)state;
    for (int kind = 0; kind < 6; kind++) {
        cn_world *world = make_world(10);
        cn_body ground = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
        double slope = kind % 2 ? 0.4 : 0.1, aside = kind % 2 ? 0.3 : 0.6;
        for (int side = -1; side <= 1; side += 2) {
            vec2s far = point(4 * side, -4 * slope), low = point(4 * side, -4 * slope - 0.1);
            cn_hull hull = cn_capsule(point(0, 0), far, 0.05f);
            if (kind < 2) hull = cn_segment(point(0, 0), far);
            if (kind > 3) hull = cn_polygon((vec2s[]){point(0, 0), far, low, point(0, -0.1)}, 4, 0);
            assert_done(cn_shape_create(world, ground, &(cn_shape_def){.hull = hull}).id != 0);
        }
        cn_body_def place = {.position = point(-aside, 0.1 + (kind / 2 == 1 ? 0.05 : 0))};
        cn_body plank = add(world, place, (cn_shape_def){.hull = cn_box(1, 0.1f)});
        for (int i = 0; i < 180; i++) {
            run(world, 1);
            cn_contact contacts[4];
            int count = cn_world_contacts(world, contacts, 4);
            for (int k = 0; k < count; k++) assert_true(contacts[k].manifold.normal.y > 0.5f);
        }
        vec2s p = cn_body_position(world, plank);
        assert_true((double)p.y > -slope * fabs((double)p.x));
        cn_world_destroy(world);
    }
}

// ---- random places

// The depth of the lowest point of a mover below its centre.
static double depth_of(int which, double angle) {
    cn_hull hull = mover(which);
    return -(double)cn_hull_project(hull, cn_pose_at(point(0, 0), (float)angle), point(0, 1)).x;
}

static void no_place_over_a_flat_floor_gives_a_false_normal(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int kind = 0; kind < FLOORS; kind++) {
        cn_world *world = make_world(0);
        add_long_floor(world, (floor_kind)kind);
        for (int i = 0; i < 4000; i++) {
            int which = i % MOVERS;
            double angle =
                i % 3 ? random_between(&seed, -0.02, 0.02) : random_between(&seed, -4, 4);
            double x = random_between(&seed, 5, 95), y = random_between(&seed, -0.02, 0.01);
            cn_body body = add_mover(world, which, point(x, depth_of(which, angle) + y), angle,
                                     point(0, 0), 0);
            assert_done(cn_world_step(world, 1e-6f));
            check_normals(world, (vec2s[]){point(0, 1)}, 1, 1);
            assert_done(cn_body_destroy(world, body));
        }
        cn_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_slide_over_seams_as_over_one_floor),
        cmocka_unit_test(small_gaps_and_steps_are_no_edges),
        cmocka_unit_test(a_box_slides_along_a_wall_that_it_is_pressed_against),
        cmocka_unit_test(a_lift_of_tiles_is_smooth),
        cmocka_unit_test(crates_side_by_side_have_no_edges),
        cmocka_unit_test(a_lift_beside_the_floor_has_no_edges),
        cmocka_unit_test(a_box_rests_flat_on_a_seam),
        cmocka_unit_test(the_outer_side_of_the_last_tile_is_a_side),
        cmocka_unit_test(the_inner_corner_of_tiles_has_two_faces),
        cmocka_unit_test(a_plank_lies_on_the_crest_of_thin_ground),
        cmocka_unit_test(no_place_over_a_flat_floor_gives_a_false_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
