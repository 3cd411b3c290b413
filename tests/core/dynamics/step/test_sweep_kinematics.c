/* Continuous collision and kinematic bodies: no body passes a kinematic wall, bat or lift, however
 * that moves or stops. */
#include "../../../support/contacts.h"

// ---- kinematic walls and bats

enum { PHASES = 20 };

static void many_fast_balls_stop_at_a_kinematic_wall_at_rest(void **state) {
    (void)state;
    enum { BALLS = 60 };
    cn_world *world = make_world(0);
    cn_body balls[BALLS];
    add(world, (cn_body_def){.type = CN_KINEMATIC}, (cn_shape_def){.hull = cn_box(0.05f, 50)});
    for (int i = 0; i < BALLS; i++)
        balls[i] = add(world,
                       (cn_body_def){.position = point(-5 - 0.1 * (i % 7), i - 30.0),
                                     .velocity = point(100, 0)},
                       (cn_shape_def){.hull = cn_circle(0.1f)});
    run(world, 30);
    for (int i = 0; i < BALLS; i++) assert_true(motion_of(world, balls[i]).x < 0);
    cn_world_destroy(world);
}

// The ball is at rest or is thrown at the wall. The wall moves towards the ball.
static void nothing_passes_a_moving_kinematic_wall(void **state) {
    (void)state;
    for (int i = 0; i < 3 * PHASES; i++) {
        double speed = i % 3 == 0 ? 0 : i % 3 == 1 ? 50 : 1000, x = 2 + 0.3 * i;
        cn_world *world = make_world(0);
        cn_body wall = add(world, (cn_body_def){.type = CN_KINEMATIC, .velocity = point(50, 0)},
                           (cn_shape_def){.hull = cn_box(0.05f, 4)});
        cn_body ball =
            add(world, (cn_body_def){.position = point(x, 0.1), .velocity = point(-speed, 0)},
                (cn_shape_def){.hull = cn_circle(0.1f), .material = frictionless});
        run(world, 60);
        assert_true(motion_of(world, ball).x > motion_of(world, wall).x);
        assert_true(motion_of(world, ball).vx > 49);
        cn_world_destroy(world);
    }
}

// The bat turns about its end and takes the ball along until the ball leaves it.
static void nothing_passes_a_bat(void **state) {
    (void)state;
    for (int i = 0; i < 3 * PHASES; i++) {
        cn_world *world = make_world(0);
        cn_hull bar = cn_box(0.05f, 2);
        bar = cn_hull_at(bar, cn_pose_at(point(0, 2), 0));
        cn_body bat = add(world, (cn_body_def){.type = CN_KINEMATIC, .angular_velocity = -15},
                          (cn_shape_def){.hull = bar});
        cn_body ball = add(world,
                           (cn_body_def){.position = point(1.2 + 0.02 * i, 2.5),
                                         .velocity = point(-20 * (i % 3), 0)},
                           (cn_shape_def){.hull = cn_circle(0.1f), .material = frictionless});
        run(world, 4);
        vec2s seen = cn_pose_local_point(cn_body_pose(world, bat), cn_body_position(world, ball));
        assert_true(seen.x > 0);
        cn_world_destroy(world);
    }
}

// A bat moves at a body in its path. Returns how deep the bat gets into the body at most, or a
// length above 1 m if it passes the body.
static double depth_of_hit(double speed, int shape, int phase) {
    const cn_hull hulls[] = {cn_circle(0.1f), cn_box(0.1f, 0.1f),
                             cn_capsule(point(0, -0.2), point(0, 0.2), 0.05f)};
    const cn_material material = {.restitution = phase % 2 ? 0.5f : 0};
    const cn_hull bar = cn_box(0.05f, 2);
    cn_world *world = make_world(0);
    cn_body_def def = {.type = CN_KINEMATIC, .position = point(-2 - 0.37 * phase, 0)};
    def.velocity = point(speed, 0);
    cn_body bat = add(world, def, (cn_shape_def){.hull = bar});
    cn_body body = add_hull(world, 0, 0, hulls[shape], material, 1);
    assert_done(cn_body_set_velocity(world, body, point(-10 * (phase % 3), 0)));
    double depth = 0;
    for (int k = 0; k < 60; k++) {
        run(world, 1);
        cn_gap gap = cn_hull_distance(&hulls[shape], cn_body_pose(world, body), &bar,
                                      cn_body_pose(world, bat));
        bool passed = motion_of(world, body).x < motion_of(world, bat).x;
        depth = fmax(depth, passed ? 2 : -(double)gap.distance);
    }
    cn_world_destroy(world);
    return depth;
}

// The deep hits are at a corner or at the end of a capsule. 80 of 6384 hits were once deeper than
// 10 mm.
static void bats_seldom_get_deep_into_bodies(void **state) {
    (void)state;
    int deep = 0;
    for (double speed = 5; speed < 250; speed *= 1.03)
        for (int i = 0; i < 48; i++) {
            double depth = depth_of_hit(speed, i % 3, i / 3);
            if (depth > 1) fail_msg("case %d passes a bat at %g m/s", i, speed);
            deep += depth > 0.01;
        }
    if (deep > 55) fail_msg("%d hits are deeper than 10 mm", deep);
}

// The lift is at rest, rises, stops, falls, and rises again at half the speed for twice the time.
static void a_fast_lift_loses_no_body(void **state) {
    (void)state;
    enum { LOADS = 5 };
    const double moves[] = {0, 1, 0, -1, 0.5, 0.5};
    for (double speed = 2; speed < 80; speed *= 1.3)
        for (int phase = 0; phase < 4; phase++) {
            cn_world *world = make_world(GRAVITY);
            cn_body loads[LOADS], lift = add(world, (cn_body_def){.type = CN_KINEMATIC},
                                             (cn_shape_def){.hull = cn_box(3, 0.1f)});
            for (int i = 0; i < LOADS; i++)
                loads[i] =
                    add_hull(world, i - 2, 0.3 + 0.05 * phase,
                             i % 2 ? cn_circle(0.2f) : cn_box(0.2f, 0.2f), (cn_material){0}, 1);
            for (int k = 0; k < 6; k++) {
                assert_done(cn_body_set_velocity(world, lift, point(0, moves[k] * speed)));
                run(world, 30);
            }
            for (int i = 0; i < LOADS; i++)
                if (motion_of(world, loads[i]).y < motion_of(world, lift).y)
                    fail_msg("%g m/s, phase %d: load %d is lost", speed, phase, i);
            cn_world_destroy(world);
        }
}

// ---- kinematic bodies that stop, are moved or are loaded

enum { WALLS = 10, LINKS = 16 };

typedef struct {
    cn_world *world;
    cn_body walls[WALLS], links[LINKS]; // the links are chains of four
} arena;

static vec2s place_in_arena(uint64_t *seed) { return random_point_between(seed, -4, 4); }

static arena make_arena(uint64_t *seed) {
    arena a = {.world = make_world(GRAVITY)};
    for (int i = 0; i < WALLS; i++)
        a.walls[i] =
            add(a.world, (cn_body_def){.type = CN_KINEMATIC, .position = place_in_arena(seed)},
                (cn_shape_def){.hull = cn_box(0.05f, 0.4f)});
    for (int i = 0; i < LINKS; i++) {
        a.links[i] = add(a.world, (cn_body_def){.position = place_in_arena(seed)}, box_of(0.1f));
        if (i % 4 == 0) continue;
        cn_joint_def joint = cn_revolute_joint(a.world, a.links[i - 1], a.links[i],
                                               cn_body_position(a.world, a.links[i]));
        assert_done(cn_joint_create(a.world, joint).id != 0);
    }
    return a;
}

static void disturb(arena *a, uint64_t *seed) {
    cn_body wall = a->walls[(int)random_between(seed, 0, WALLS)];
    cn_body link = a->links[(int)random_between(seed, 0, LINKS)];
    vec2s place = place_in_arena(seed), velocity = random_point_between(seed, -40, 40);
    switch ((int)random_between(seed, 0, 6)) {
    case 0: assert_done(cn_body_set_velocity(a->world, wall, velocity)); break;
    case 1: assert_done(cn_body_set_velocity(a->world, wall, point(0, 0))); break;
    case 2: assert_done(cn_body_set_pose(a->world, wall, cn_pose_at(place, velocity.x))); break;
    case 3: cn_body_set_disabled(a->world, wall, !(velocity.x > 0)); break;
    default: assert_done(cn_body_set_velocity(a->world, link, velocity)); break;
    }
}

// A world keeps the bounds of the kinematic bodies at rest, and a loaded world finds them anew.
static void kinematic_bodies_stop_others_wherever_they_came_to_rest(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t seeds[2] = {seed, seed};
        arena a = make_arena(&seeds[0]), b = make_arena(&seeds[1]);
        for (int i = 0; i < 200; i++) {
            if (i % 3 == 0) disturb(&a, &seeds[0]), disturb(&b, &seeds[1]);
            if (i % 50 == 7) assert_done(cn_world_shift_origin(a.world, point(0.5, 0)));
            if (i % 50 == 7) assert_done(cn_world_shift_origin(b.world, point(0.5, 0)));
            size_t size = cn_world_save(b.world, CN_SAVE_ALL, NULL, 0);
            void *bytes = malloc(size);
            assert_int_equal(cn_world_save(b.world, CN_SAVE_ALL, bytes, size), size);
            assert_done(cn_world_restore(b.world, bytes, size));
            free(bytes);
            run(a.world, 1), run(b.world, 1);
            assert_true(cn_world_hash(a.world) == cn_world_hash(b.world));
        }
        cn_world_destroy(a.world), cn_world_destroy(b.world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_fast_balls_stop_at_a_kinematic_wall_at_rest),
        cmocka_unit_test(nothing_passes_a_moving_kinematic_wall),
        cmocka_unit_test(nothing_passes_a_bat),
        cmocka_unit_test(bats_seldom_get_deep_into_bodies),
        cmocka_unit_test(a_fast_lift_loses_no_body),
        cmocka_unit_test(kinematic_bodies_stop_others_wherever_they_came_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
