/* The character mover on moving ground, with .ride: lifts and their edges, shuttles, turning
 * platforms, conveyors, and the order of moves and steps. */
#include "characters.h"

static const double half_width = 0.3, half_height = 0.6; // m, of the hull
static const double steps_per_second[] = {30, 60, 120};

// A platform of 2 m by 0.2 m with its top at y = 0, and a hull on it.
typedef struct {
    character c;
    cn_body platform;
    double dt, unit; // s; m
} trip;

// The hull stands with `edge` m on the right end of the platform.
static trip begin_trip(double edge, vec2s velocity, double dt, double unit) {
    trip t = {.dt = dt, .unit = unit};
    t.c.world = cn_world_create(
        &(cn_world_def){.gravity = point(0, -10 * unit), .length_unit = (float)unit});
    cn_body_def body = {.type = CN_KINEMATIC, .position = point(0, -0.1 * unit)};
    body.velocity = glms_vec2_scale(velocity, (float)unit);
    cn_hull box = cn_box((float)unit, (float)(0.1 * unit));
    t.platform = add(t.c.world, body, (cn_shape_def){.hull = box});
    t.c.hull = cn_box((float)(half_width * unit), (float)(half_height * unit));
    t.c.def.step_height = t.c.def.snap_distance = (float)(0.3 * unit);
    t.c.def.seconds = (float)dt;
    vec2s place = point((1 + half_width - edge) * unit, (half_height + SLOP) * unit);
    t.c.pose = cn_pose_at(place, 0);
    return t;
}

static void end_trip(trip *t) { cn_world_destroy(t->c.world); }

// Moves the hull by a velocity relative to the ground, and gravity.
static void move_rider(trip *t, double vx, double vy) {
    t->c.def.ride = t->c.last.ride;
    vy -= 10 * t->unit * t->dt;
    move(&t->c, vx * t->dt, vy * t->dt);
}

static void step(trip *t) { assert_done(cn_world_step(t->c.world, (float)t->dt)); }

static double feet(const trip *t) { return (double)t->c.pose.position.y - half_height * t->unit; }

// The place of the hull relative to that of the platform, in metres.
static vec2s place_on(const trip *t) {
    vec2s p = cn_body_position(t->c.world, t->platform);
    return point(((double)t->c.pose.position.x - (double)p.x) / t->unit,
                 (feet(t) - (double)p.y) / t->unit - 0.1);
}

// ---- platforms that do not turn

// Rides for half a second, and asserts that the hull keeps its place on the platform. The hull
// moves after each step, or before it.
static void assert_rides(double edge, vec2s velocity, double dt, double unit, bool after) {
    trip t = begin_trip(edge, velocity, dt, unit);
    move_rider(&t, 0, 0);
    for (int i = 0; i < (int)(0.5 / dt); i++) {
        if (!after) move_rider(&t, 0, 0);
        vec2s place = place_on(&t);
        if (!after || i > 0) {
            assert_near((double)place.x, 1 + half_width - edge, 1e-4);
            assert_near((double)place.y, SLOP, 1e-3);
        }
        step(&t);
        if (after) move_rider(&t, 0, 0);
        assert_true(t.c.last.grounded && !t.c.last.overlaps);
        assert_near((double)t.c.last.ground_velocity.x, (double)velocity.x * unit, 1e-4 * unit);
        assert_near((double)t.c.last.ground_velocity.y, (double)velocity.y * unit, 1e-4 * unit);
    }
    end_trip(&t);
}

static void the_edge_of_a_platform_carries_a_hull_at_any_speed(void **state) {
    (void)state;
    const double edges[] = {0.02, 0.01, 0.005, 0.001}, speeds[] = {2, 5, 10};
    const vec2s ways[] = {{{0, 1}},  {{0, -1}},      {{1, 0}},
                          {{-1, 0}}, {{0.6f, 0.8f}}, {{-0.8f, -0.6f}}};
    for (int e = 0; e < 4; e++)
        for (int s = 0; s < 3; s++)
            for (int k = 0; k < 6; k++)
                for (int i = 0; i < 3; i++)
                    for (int after = 0; after < 2; after++)
                        assert_rides(edges[e], glms_vec2_scale(ways[k], (float)speeds[s]),
                                     1 / steps_per_second[i], i == 1 && after ? 50 : 1, after);
}

// The lift comes from below the floor. The hull has no ride that tells where it stood.
static void the_edge_of_a_lift_takes_up_a_hull_that_stands_on_the_floor(void **state) {
    (void)state;
    for (int i = 0; i < 9; i++) {
        trip t = begin_trip(0.01,
                            point(0, i % 3 == 0   ? 2
                                     : i % 3 == 1 ? 5
                                                  : 10),
                            1 / steps_per_second[i / 3], 1);
        add_block(t.c.world, 1, -1, 5, 1);
        for (double time = 0; time < 0.5; time += t.dt) {
            move_rider(&t, 0, 0);
            assert_near((double)place_on(&t).x, 1.29, 1e-4);
            assert_near((double)place_on(&t).y, SLOP, 1e-3);
            step(&t);
        }
        assert_int_equal(t.c.last.ground.body.id, t.platform.id);
        end_trip(&t);
    }
}

static void a_lift_that_swings_does_not_lose_a_hull(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        trip t = begin_trip(0.01, point(0, 0), 1 / steps_per_second[i], 1);
        for (double time = 0; time < 4; time += t.dt) {
            vec2s v = point(3 * cos(4 * time), 9 * sin(5 * time));
            assert_done(cn_body_set_velocity(t.c.world, t.platform, v));
            move_rider(&t, 0, 0);
            assert_true(t.c.last.grounded);
            assert_near((double)place_on(&t).x, 1.29, 1e-4);
            assert_near((double)place_on(&t).y, SLOP, 1e-3);
            step(&t);
        }
        end_trip(&t);
    }
}

// The hull walks at 1 m/s along a shuttle at 5 m/s, and falls down at the end.
static void a_translation_is_relative_to_the_ground(void **state) {
    (void)state;
    trip t = begin_trip(1 + half_width, point(-5, 0), 1.0 / 60, 1);
    for (int i = 0; i < 60; i++) move_rider(&t, 1, 0), step(&t);
    move_rider(&t, 0, 0);
    assert_near((double)place_on(&t).x, 1, 1e-3);
    for (int i = 0; i < 30; i++) move_rider(&t, 1, 0), step(&t);
    assert_false(t.c.last.grounded);
    assert_int_equal(t.c.last.ride.body.id, 0);
    end_trip(&t);
}

// ---- platforms that turn

// A hull of this width stands on an arm that turns about the origin, 3 m from it. A flat hull
// stands on one corner, and on the other one after the arm was level.
static void assert_turns(cn_hull hull, double width, double turn, double dt) {
    const double sign = turn / fabs(turn);
    cn_world *world = make_world(10);
    cn_body_def body = {.type = CN_KINEMATIC, .angle = (float)(-0.6 * sign)};
    body.angular_velocity = (float)turn;
    cn_body arm = add(world, body, (cn_shape_def){.hull = cn_box(5, 0.1f)});
    character c = {.world = world, .hull = hull};
    c.def.snap_distance = 0.3f, c.def.seconds = (float)dt;
    c.pose.position = cn_pose_point(cn_body_pose(world, arm), point(3, 0.1));
    c.pose.position.y += 0.8f;
    for (int i = 0; i < 90 && !c.last.grounded; i++) move(&c, 0, -0.01);
    double radius = (double)cn_pose_local_point(cn_body_pose(world, arm), c.last.ground_point).x;
    for (double time = dt; time < 1.1 / fabs(turn); time += dt) {
        assert_done(cn_world_step(world, (float)dt));
        c.def.ride = c.last.ride;
        move(&c, 0, -10 * dt * dt);
        assert_true(c.last.grounded && !c.last.overlaps);
        double angle = time * fabs(turn) - 0.6; // relative to level ground
        vec2s at = cn_pose_local_point(cn_body_pose(world, arm), c.last.ground_point);
        if (fabs(angle) > 0.02)
            assert_near((double)at.x, radius + (angle > 0 ? sign * width : 0), 0.01 * radius);
    }
    cn_world_destroy(world);
}

static void a_hull_keeps_its_place_on_an_arm_that_turns(void **state) {
    (void)state;
    for (int i = 0; i < 18; i++) {
        double turn = (i % 3 + 1) * (i % 2 ? -1 : 1), dt = 1 / steps_per_second[i / 6];
        assert_turns(cn_circle(0.3f), 0, turn, dt);
        assert_turns(cn_capsule(point(0, -0.3), point(0, 0.3), 0.3f), 0, turn, dt);
        assert_turns(cn_box(0.3f, 0.6f), 0.6, turn, dt);
        assert_turns(cn_rounded_box(0.2f, 0.5f, 0.1f), 0.4, turn, dt);
    }
}

// The round top of a wheel, 4 m from its axis. The feet of the hull are round too.
static void a_hull_goes_round_with_a_wheel(void **state) {
    (void)state;
    for (int i = 0; i < 6; i++) {
        double turn = 1 + i / 3, dt = 1 / steps_per_second[i % 3];
        cn_world *world = make_world(10);
        cn_body_def body = {.type = CN_KINEMATIC, .angle = 0.7f, .angular_velocity = (float)-turn};
        add(world, body, (cn_shape_def){.hull = cn_circle(4)});
        character c = {.world = world, .hull = cn_capsule(point(0, -0.3), point(0, 0.3), 0.3f)};
        c.def.snap_distance = 0.3f, c.def.seconds = (float)dt;
        c.pose = cn_pose_at(point(-4.3 * sin(0.6), 4.31 * cos(0.6) + 0.3), 0);
        for (int k = 0; k < 9 && !c.last.grounded; k++) move(&c, 0, -0.01);
        double from = atan2((double)c.last.ground_point.x, (double)c.last.ground_point.y), time = 0;
        for (; time < 1.1 / turn; time += dt) {
            assert_done(cn_world_step(world, (float)dt));
            c.def.ride = c.last.ride;
            move(&c, 0, -10 * dt * dt);
            assert_true(c.last.grounded && !c.last.overlaps);
            double r = hypot((double)c.pose.position.x, (double)c.pose.position.y - 0.3);
            assert_near(r, 4.3 + SLOP, 0.01);
        }
        double to = atan2((double)c.last.ground_point.x, (double)c.last.ground_point.y);
        assert_near(to - from, turn * time, 0.03);
        cn_world_destroy(world);
    }
}

// ---- conveyors

static void a_conveyor_takes_a_hull_along(void **state) {
    (void)state;
    const double speeds[] = {2, -2, 10};
    for (int i = 0; i < 9; i++) {
        trip t = begin_trip(1 + half_width, point(0, 0), 1 / steps_per_second[i / 3], 1);
        cn_material belt = {.surface_speed = (float)speeds[i % 3]};
        add_floor(t.c.world, belt);
        assert_done(cn_body_destroy(t.c.world, t.platform));
        move_rider(&t, 0, 0);
        int count = (int)(1 / t.dt + 0.5);
        for (int k = 0; k < count; k++) move_rider(&t, 0, 0), step(&t);
        assert_near(x_of(&t.c), speeds[i % 3], 1e-3);
        assert_near((double)t.c.last.ride.surface_velocity.x, speeds[i % 3], 1e-5);
        end_trip(&t);
    }
}

// The conveyor moves at 2 m/s on a platform that moves at 3 m/s the other way, and down at 1 m/s.
static void a_conveyor_on_a_platform_adds_its_speed(void **state) {
    (void)state;
    trip t = begin_trip(1 + half_width, point(-3, -1), 1.0 / 60, 1);
    cn_shape belt = first_shape(t.c.world, t.platform);
    assert_done(cn_shape_set_material(t.c.world, belt, (cn_material){.surface_speed = 2}));
    move_rider(&t, 0, 0);
    for (int i = 0; i < 24; i++) {
        step(&t);
        for (int k = 0; k < 2; k++) { // two moves for each step
            t.c.def.seconds = (float)(t.dt / 2);
            move_rider(&t, 0, 0);
        }
    }
    assert_near(x_of(&t.c), 24 * (2 - 3) / 60.0, 1e-3);
    assert_near((double)place_on(&t).y, SLOP, 1e-3);
    end_trip(&t);
}

// ---- moves, steps and changes in any order

static void a_hull_rides_with_any_number_of_moves_and_steps(void **state) {
    (void)state;
    for (int moves = 1; moves <= 4; moves++)
        for (int steps = 1; steps <= 4; steps++) {
            trip t = begin_trip(0.1, point(4, -3), 1.0 / 120, 1);
            for (int i = 0; i < 60; i++) {
                for (int k = 0; k < moves; k++) move_rider(&t, 0, 0);
                assert_near((double)place_on(&t).x, 1.2, 1e-3);
                assert_near((double)place_on(&t).y, SLOP, 1e-3);
                for (int k = 0; k < steps; k++) step(&t);
            }
            end_trip(&t);
        }
}

// The ground is removed before the step or after it, in one call or in two.
static void a_hull_does_not_follow_a_teleport(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        trip t = begin_trip(1, point(2, 0), 1.0 / 60, 1);
        for (int k = 0; k < 10; k++) move_rider(&t, 0, 0), step(&t);
        move_rider(&t, 0, 0);
        vec2s before = t.c.pose.position, away = point(3, 2);
        if (i % 2) step(&t);
        assert_done(cn_body_set_position(t.c.world, t.platform, away));
        if (i / 2) assert_done(cn_body_set_pose(t.c.world, t.platform, cn_pose_at(away, 0.1f)));
        if (i % 2 == 0) step(&t);
        move_rider(&t, 0, 0);
        assert_near(x_of(&t.c), (double)before.x, 1e-6);
        assert_near((double)t.c.pose.position.y, (double)before.y - 10.0 / 3600, 1e-6);
        assert_false(t.c.last.grounded);
        end_trip(&t);
    }
}

static void a_hull_does_not_follow_ground_that_is_gone(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        trip t = begin_trip(1, point(2, -1), 1.0 / 60, 1);
        move_rider(&t, 0, 0);
        vec2s before = t.c.pose.position;
        step(&t);
        if (i == 0) assert_done(cn_body_destroy(t.c.world, t.platform));
        if (i == 1) assert_done(cn_body_set_disabled(t.c.world, t.platform, true));
        add(t.c.world, (cn_body_def){.position = point(9, 9)}, box_of(0.5f)); // takes the slot
        move_rider(&t, 0, 0);
        assert_near(x_of(&t.c), (double)before.x, 0);
        assert_false(t.c.last.grounded);
        end_trip(&t);
    }
}

// The raft brakes by damping, comes to rest and falls asleep.
static void a_hull_rides_a_dynamic_body_until_it_sleeps(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){0});
    cn_body_def def = {.position = point(0, -0.1), .velocity = point(6, 0), .linear_damping = 4};
    cn_body raft = add(world, def, (cn_shape_def){.hull = cn_box(1, 0.1f)});
    character c = place(world, 2, 1.2, 0);
    move(&c, 0, -0.01);
    for (int i = 0; i < 300; i++) {
        run(world, 1);
        c.def.ride = c.last.ride;
        move(&c, 0, -0.01);
        assert_near(x_of(&c) - (double)cn_body_position(world, raft).x, 1.2, 1e-3);
    }
    assert_true(cn_body_asleep(world, raft));
    cn_world_destroy(world);
}

// ---- obstacles

static void a_wall_stops_a_hull_on_a_shuttle(void **state) {
    (void)state;
    trip t = begin_trip(1 + half_width, point(5, 1), 1.0 / 60, 1);
    add_block(t.c.world, 1, 0.01, 1, 6);
    for (int i = 0; i < 20; i++) {
        move_rider(&t, 0, 0);
        assert_true(t.c.last.grounded && !t.c.last.overlaps);
        assert_near((double)place_on(&t).y, SLOP, 1e-3); // the wall does not stop its rise
        step(&t);
    }
    assert_near(x_of(&t.c), 1 - half_width - SLOP, 1e-4);
    assert_true(t.c.last.wall);
    assert_near((double)t.c.last.wall_normal.x, -1, 1e-6);
    end_trip(&t);
}

// The ceiling is 1.5 m high. The lift stops when its top is 0.2 m high, or goes on and squeezes the
// hull.
static void a_lift_does_not_push_a_hull_through_a_ceiling(void **state) {
    (void)state;
    for (int i = 0; i < 6; i++) {
        const double speed = i % 3 == 0 ? 2 : i % 3 == 1 ? 5 : 10, top = i < 3 ? 0.2 : 0.5;
        trip t = begin_trip(1 + half_width, point(0, speed), 1.0 / 60, 1);
        add_block(t.c.world, -5, 1.5, 10, 1);
        bool is_squeezed = false;
        for (int k = 0; k < 60; k++) {
            move_rider(&t, 0, 0);
            is_squeezed |= t.c.last.overlaps;
            assert_true(feet(&t) + 2 * half_height < 1.5);
            double left = top - 0.1 - (double)cn_body_position(t.c.world, t.platform).y;
            vec2s v = point(0, fmin(speed, fmax(left, 0) / t.dt));
            assert_done(cn_body_set_velocity(t.c.world, t.platform, v));
            step(&t);
        }
        assert_int_equal(is_squeezed, i >= 3);
        if (i < 3) assert_near(feet(&t), 0.2 + SLOP, 1e-3);
        end_trip(&t);
    }
}

// The hull falls at 5 m/s, and the lift rises at 10 m/s. They meet within a step.
static void the_edge_of_a_lift_catches_a_hull_that_falls(void **state) {
    (void)state;
    for (int i = 0; i < 12; i++) {
        trip t = begin_trip(0.005, point(0, 10), 1 / steps_per_second[i % 3], 1);
        t.c.pose.position.y += 0.3f + 0.05f * (float)i;
        for (double time = 0; time < 0.4; time += t.dt) move_rider(&t, 0, -5), step(&t);
        move_rider(&t, 0, 0);
        assert_near((double)place_on(&t).x, 1.295, 1e-4);
        assert_near((double)place_on(&t).y, SLOP, 1e-3);
        end_trip(&t);
    }
}

// A door of 2 m turns at 3 rad/s. It pushes the hull ahead, no faster than its end moves.
static void a_door_that_turns_pushes_a_hull(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body_def def = {.type = CN_KINEMATIC, .angular_velocity = 3};
    cn_hull hull = cn_box(1, 0.05f);
    cn_pose at = cn_pose_at(point(1, 0), 0);
    cn_body door = add(world, def, (cn_shape_def){.hull = cn_hull_at(hull, at)});
    for (int w = 0; w < WALKERS; w++) {
        character c = place(world, w, 1.2, 0.1);
        for (int i = 0; i < 20; i++) {
            run(world, 1);
            vec2s before = c.pose.position;
            move(&c, 0, 0);
            double way = (double)glms_vec2_distance(c.pose.position, before);
            assert_true(way <= 3 * 2 * (double)STEP + 2 * SLOP && !c.last.overlaps);
        }
        assert_done(cn_body_set_pose(world, door, cn_pose_at(point(0, 0), 0)));
    }
    cn_world_destroy(world);
}

// ---- velocities

// A jump of 4 m/s from a lift that rises at 3 m/s gets (4 + 3)^2 / (2 g) high.
static void a_jump_takes_the_velocity_of_the_ground_along(void **state) {
    (void)state;
    trip t = begin_trip(1, point(2, 3), 1.0 / 60, 1);
    for (int i = 0; i < 20; i++) move_rider(&t, 0, 0), step(&t);
    move_rider(&t, 0, 0);
    double from = feet(&t), highest = from, from_x = x_of(&t.c);
    vec2s v = glms_vec2_add(t.c.last.ground_velocity, point(0, 4));
    for (int i = 0; i < 40; i++) {
        t.c.def.ride = i == 0 ? t.c.last.ride : (cn_ride){0};
        v.y -= (float)(10 * t.dt);
        move(&t.c, (double)v.x * t.dt, (double)v.y * t.dt);
        highest = fmax(highest, feet(&t));
    }
    assert_near(highest - from, 49 / 20.0, 0.07);
    assert_near(x_of(&t.c) - from_x, 2 * 40 / 60.0, 1e-3);
    end_trip(&t);
}

// Jumps at 4 m/s as the guide does, after 0.1 s. Writes the places of the hull on the platform at
// the end of each move, without the way of the belt. Returns their number.
static int jump_on(vec2s velocity, double belt, double dt, bool after, vec2s *places) {
    trip t = begin_trip(1 + half_width, velocity, dt, 1);
    cn_shape shape = first_shape(t.c.world, t.platform);
    cn_material material = {.surface_speed = (float)belt};
    assert_done(cn_shape_set_material(t.c.world, shape, material));
    move_rider(&t, 0, 0);
    int count = (int)(1 / dt + 0.5);
    double vy = 0;
    vec2s drift = {{0, 0}};
    for (int i = 0; i < count; i++) {
        if (after) step(&t);
        bool grounded = t.c.last.grounded;
        if (grounded) drift = t.c.last.ground_velocity;
        if (i == count / 10) vy = 4;
        vec2s v = grounded ? point(0, 0) : drift;
        move_rider(&t, (double)v.x, (double)v.y + vy);
        vy = t.c.last.grounded ? 0 : vy - 10 * dt;
        places[i] = place_on(&t);
        places[i].x -= (float)(belt * (i + 1) * dt);
        if (!after) step(&t);
    }
    assert_true(t.c.last.grounded);
    end_trip(&t);
    return count;
}

static void a_jump_on_moving_ground_is_a_jump_on_ground_at_rest(void **state) {
    (void)state;
    const vec2s velocities[] = {{{3, 0}}, {{-10, 0}}, {{0, 3}}, {{0, -3}}, {{5, -2}}, {{0, 0}}};
    for (int k = 0; k < 36; k++) {
        vec2s still[120], moving[120];
        double dt = 1 / steps_per_second[k / 6 % 3];
        bool after = k >= 18;
        jump_on(point(0, 0), 0, dt, after, still);
        for (int belt = -1; belt <= 1; belt++) {
            int count = jump_on(velocities[k % 6], belt, dt, after, moving);
            for (int i = 0; i < count; i++) {
                assert_near((double)moving[i].x, (double)still[i].x, 1e-4);
                assert_near((double)moving[i].y, (double)still[i].y, 1e-3);
            }
        }
    }
}

// Without .ride, the program adds the whole velocity of the ground to the translation.
static void the_vertical_part_of_the_ground_velocity_is_no_jump(void **state) {
    (void)state;
    const double speeds[] = {2, 5, 10, -2};
    for (int i = 0; i < 4; i++) {
        trip t = begin_trip(1, point(0, speeds[i]), 1.0 / 60, 1);
        move(&t.c, 0, -0.01);
        for (int k = 0; k < 30; k++) {
            step(&t);
            double rise = (double)t.c.last.ground_velocity.y * t.dt;
            move(&t.c, 0, rise - 10 * t.dt * t.dt);
            assert_true(t.c.last.grounded);
            assert_near((double)place_on(&t).y, SLOP, 1e-3);
        }
        end_trip(&t);
    }
}

// The crate stands on the platform too. The hull walks into it at 2 m/s.
static void a_hull_pushes_what_rides_with_it(void **state) {
    (void)state;
    trip t = begin_trip(1.8, point(-8, 0), 1.0 / 60, 1);
    cn_body_def def = {.position = point(0.5, 0.25), .velocity = point(-8, 0)};
    cn_body crate = add(t.c.world, def, box_of(0.25f));
    for (int i = 0; i < 60 && t.c.last.push_count == 0; i++) {
        move_rider(&t, 2, 0);
        if (t.c.last.push_count == 0) step(&t);
    }
    assert_int_equal(t.c.last.push_count, 1);
    assert_int_equal(t.c.last.pushes[0].side.body.id, crate.id);
    double hull = 0.6 * 1.2, mass = 0.25, inertia = mass * 0.25 / 6;
    double arm = 0.25 - (double)t.c.last.pushes[0].point.y;
    double impulse = 2 / (1 / hull + 1 / mass + arm * arm / inertia);
    assert_near((double)t.c.last.pushes[0].impulse.x, impulse, 0.05 * impulse);
    end_trip(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_edge_of_a_platform_carries_a_hull_at_any_speed),
        cmocka_unit_test(the_edge_of_a_lift_takes_up_a_hull_that_stands_on_the_floor),
        cmocka_unit_test(a_lift_that_swings_does_not_lose_a_hull),
        cmocka_unit_test(a_translation_is_relative_to_the_ground),
        cmocka_unit_test(a_hull_keeps_its_place_on_an_arm_that_turns),
        cmocka_unit_test(a_hull_goes_round_with_a_wheel),
        cmocka_unit_test(a_conveyor_takes_a_hull_along),
        cmocka_unit_test(a_conveyor_on_a_platform_adds_its_speed),
        cmocka_unit_test(a_hull_rides_with_any_number_of_moves_and_steps),
        cmocka_unit_test(a_hull_does_not_follow_a_teleport),
        cmocka_unit_test(a_hull_does_not_follow_ground_that_is_gone),
        cmocka_unit_test(a_hull_rides_a_dynamic_body_until_it_sleeps),
        cmocka_unit_test(a_wall_stops_a_hull_on_a_shuttle),
        cmocka_unit_test(a_lift_does_not_push_a_hull_through_a_ceiling),
        cmocka_unit_test(the_edge_of_a_lift_catches_a_hull_that_falls),
        cmocka_unit_test(a_door_that_turns_pushes_a_hull),
        cmocka_unit_test(a_jump_takes_the_velocity_of_the_ground_along),
        cmocka_unit_test(a_jump_on_moving_ground_is_a_jump_on_ground_at_rest),
        cmocka_unit_test(the_vertical_part_of_the_ground_velocity_is_no_jump),
        cmocka_unit_test(a_hull_pushes_what_rides_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
