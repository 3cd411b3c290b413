/* What turns about or under others: it keeps what it takes along, and neither throws nor drives what it slips
 * past. */
#include "joints.h"

// A drum of 12 walls with 16 balls in it: kinematic, or heavy and turned by a motor.
static int lost_from_drum(int substeps, double speed, bool heavy) {
    const double radius = 2.5, half = PI / 12;
    cn_world *world = make_world(10);
    assert_done(cn_world_set_substeps(world, substeps));
    cn_body_def def = {.type = heavy ? CN_DYNAMIC : CN_KINEMATIC};
    cn_body drum = cn_body_create(world, &def), balls[16];
    for (int i = 0; i < 12; i++) {
        double at = 2 * half * i, out = radius + 0.2;
        cn_hull wall = cn_box(0.2f, (float)(radius * tan(half) + 0.2));
        cn_pose pose = cn_pose_at(point(out * cos(at), out * sin(at)), (float)at);
        cn_shape_def part = {.hull = cn_hull_at(&wall, pose), .density = 20};
        assert_done(cn_shape_create(world, drum, &part).id != 0);
    }
    for (int i = 0; i < 16; i++)
        balls[i] =
            add(world, (cn_body_def){.position = point(i % 8 * 0.3 - 1.2, i / 8 * 0.3 - 1.6)},
                (cn_shape_def){.hull = cn_circle(0.14f)});
    if (heavy) {
        cn_joint_def motor = cn_revolute_joint(world, add_anchor(world, 0, 0), drum, point(0, 0));
        motor.angle.motor = true, motor.angle.speed = (float)speed;
        join(world, motor);
    }
    for (int k = 0; k < 360; k++) {
        float now = (float)fmin(speed, speed * k / 120);
        if (!heavy) assert_done(cn_body_set_angular_velocity(world, drum, now));
        run(world, 1);
    }
    int lost = 0;
    for (int i = 0; i < 16; i++)
        lost += hypot(motion_of(world, balls[i]).x, motion_of(world, balls[i]).y) > radius + 0.3;
    cn_world_destroy(world);
    return lost;
}

// A turning wall leaves the tangent that its contact was made with: by w^2 r dt in a step, which the push of short
// substeps did not bring back, and all balls sank through it.
static void a_fast_drum_keeps_what_is_in_it(void **state) {
    (void)state;
    for (int substeps = 8; substeps <= 12; substeps += 4)
        for (int heavy = 0; heavy < 2; heavy++) {
            int lost = lost_from_drum(substeps, 10, heavy);
            if (lost) fail_msg("%d lost at %d substeps, heavy %d", lost, substeps, heavy);
        }
}

// That push threw what the smooth wall of a ring did not take along.
static void a_smooth_ring_that_turns_fast_throws_nothing(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    assert_done(cn_world_set_substeps(world, 12));
    cn_body_def def = {.type = CN_KINEMATIC, .angular_velocity = 100};
    cn_body ring = cn_body_create(world, &def), balls[6];
    const cn_material smooth = {.frictionless = true};
    for (int i = 0; i < 180; i++) {
        double at = i * PI / 90, out = 2.7;
        cn_hull wall = cn_box(0.2f, 0.1f);
        cn_pose pose = cn_pose_at(point(out * cos(at), out * sin(at)), (float)at);
        cn_shape_def part = {.hull = cn_hull_at(&wall, pose), .material = smooth};
        assert_done(cn_shape_create(world, ring, &part).id != 0);
    }
    for (int i = 0; i < 6; i++)
        balls[i] = add(world, (cn_body_def){.position = point(i * 0.4 - 1, -1.5)},
                       (cn_shape_def){.hull = cn_circle(0.14f), .material = smooth});
    double fastest = 0;
    for (int k = 0; k < 300; k++) {
        run(world, 1);
        for (int i = 0; i < 6; i++) {
            motion m = motion_of(world, balls[i]);
            fastest = fmax(fastest, hypot(m.vx, m.vy));
        }
    }
    if (fastest > 25) fail_msg("%g m/s", fastest);
    cn_world_destroy(world);
}

// Timoshenko's oscillator: at x one bears more of it than the other, and it slides on both, so it swings with
// T = 2 pi sqrt((a - mu h) / (mu g)), evenly. Levers that lagged behind let it swing five times as far.
static void a_plank_on_two_rollers_swings_evenly(void **state) {
    (void)state;
    for (int substeps = 4; substeps <= 12; substeps += 8) {
        const cn_material rough = {.friction = 0.4f};
        const double a = 1.1, half = 0.15, start = 0.2;
        cn_world *world = make_world(GRAVITY);
        assert_done(cn_world_set_substeps(world, substeps));
        for (int side = -1; side <= 1; side += 2)
            add(world,
                (cn_body_def){.type = CN_KINEMATIC,
                              .position = point(a * side, 0),
                              .angular_velocity = 3 * (float)side},
                (cn_shape_def){.hull = cn_circle(1), .material = rough});
        cn_body plank = add(world, (cn_body_def){.position = point(start, 1 + half)},
                            (cn_shape_def){.hull = cn_box(3, (float)half), .material = rough});
        double widest = 0, last = 0, first_time = 0, last_time = 0;
        int passes = 0;
        for (int i = 0; i < 32 * 60; i++) {
            run(world, 1);
            double x = motion_of(world, plank).x;
            widest = fmax(widest, fabs(x));
            if (last < 0 && x >= 0) {
                last_time = seconds_of(i) + x / (last - x) * (double)STEP;
                if (passes++ == 0) first_time = last_time;
            }
            last = x;
        }
        if (widest > 2 * start) fail_msg("swings by %g m at %d substeps", widest, substeps);
        double period = 2 * PI * sqrt((a - 0.4 * half) / (0.4 * GRAVITY));
        assert_near((last_time - first_time) / (passes - 1), period, 0.005 * period);
        cn_world_destroy(world);
    }
}

// How far a box gets on a plate that is rocked, well within the angle of friction.
static void a_box_stays_on_a_plate_that_is_rocked(void **state) {
    (void)state;
    const double amplitudes[] = {0.3, 0.2, 0.1}, hertz[] = {0.25, 0.5, 1};
    for (int i = 0; i < 3; i++) {
        cn_world *world = make_world(10);
        cn_shape_def def = {.hull = cn_box(5, 0.2f), .material.friction = 0.8f};
        cn_body plate = add(world, (cn_body_def){.type = CN_KINEMATIC}, def);
        def.hull = cn_box(0.3f, 0.2f);
        cn_body box = add(world, (cn_body_def){.position = point(0.7, 0.4)}, def);
        run(world, 60);
        for (int k = 1; k <= 1200; k++) {
            double t = (double)k * (double)STEP;
            double angle = amplitudes[i] * fmin(1, t) * sin(2 * PI * hertz[i] * t);
            cn_body_set_target(world, plate, point(0, 0), (float)angle, STEP);
            run(world, 1);
        }
        vec2s at = cn_pose_local_point(cn_body_pose(world, plate), cn_body_position(world, box));
        assert_near((double)at.x, 0.7, 0.06);
        cn_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fast_drum_keeps_what_is_in_it),
        cmocka_unit_test(a_smooth_ring_that_turns_fast_throws_nothing),
        cmocka_unit_test(a_plank_on_two_rollers_swings_evenly),
        cmocka_unit_test(a_box_stays_on_a_plate_that_is_rocked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
