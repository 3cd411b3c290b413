/* Bodies that touch nothing, against closed formulas: falling, turning, damping, forces, impulses,
 * locks, limits, mass, and kinematic motion. */
#include "physics.h"

static cn_shape_def crate(void) {
    return (cn_shape_def){.hull = cn_box(0.5f, 0.25f), .density = 4};
}

// ---- flight

static void a_body_falls_as_galilei_says(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body body = add(world, (cn_body_def){.position = {{0, 100}}}, crate());
    run(world, 120);
    double t = seconds_of(120);
    motion m = motion_of(world, body);
    assert_near(m.y, 100 - GRAVITY * t * t / 2, 1e-4);
    assert_near(m.vy, -GRAVITY * t, 1e-4);
    assert_true(m.x == 0 && m.vx == 0 && m.angle == 0 && m.w == 0);
    cn_world_destroy(world);
}

static void a_projectile_lands_within_a_millimetre(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body body =
        add(world, (cn_body_def){.velocity = {{30, 40}}, .angular_velocity = 5}, crate());
    run(world, 300);
    double t = seconds_of(300);
    motion m = motion_of(world, body);
    assert_near(m.x, 30 * t, 1e-3);
    assert_near(m.y, 40 * t - GRAVITY * t * t / 2, 1e-3);
    cn_world_destroy(world);
}

static void the_flight_does_not_depend_on_the_substeps(void **state) {
    (void)state;
    for (int substeps = 1; substeps <= 16; substeps *= 2) {
        cn_world *world = make_world(GRAVITY);
        assert_done(cn_world_set_substeps(world, substeps));
        cn_body body = add(world, (cn_body_def){.velocity = {{3, 20}}}, crate());
        run(world, 120);
        double t = seconds_of(120);
        assert_near(motion_of(world, body).y, 20 * t - GRAVITY * t * t / 2, 1e-3);
        cn_world_destroy(world);
    }
}

static void a_spin_keeps_its_speed_and_its_time(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(world, (cn_body_def){.angular_velocity = 10}, crate());
    run(world, 6000);
    motion m = motion_of(world, body);
    assert_near(angle_from(10 * seconds_of(6000), m.angle) * 180 / PI, 0, 0.1);
    assert_true(m.w == 10 && m.x == 0 && m.y == 0);
    cn_world_destroy(world);
}

// Every turn of a fast wheel counts: nothing is clamped.
static void a_spin_of_many_turns_a_step_keeps_its_time(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(world, (cn_body_def){.angular_velocity = 1000}, crate());
    run(world, 600);
    assert_near(angle_from(1000 * seconds_of(600), motion_of(world, body).angle), 0, 0.01);
    cn_world_destroy(world);
}

static void a_slow_body_moves_ten_kilometres_out(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body =
        add(world, (cn_body_def){.position = {{10000, 0}}, .velocity = {{0.01f, 0}}}, crate());
    run(world, 6000); // a step is a sixth of what a float can tell apart there
    assert_near(motion_of(world, body).x - 10000, 1, 1e-3);
    cn_world_destroy(world);
}

static void the_centre_of_a_tumbling_body_goes_straight(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(world, (cn_body_def){.velocity = {{2, 1}}, .angular_velocity = 7}, crate());
    cn_hull side = cn_circle(0.5f);
    side = cn_hull_at(&side, cn_pose_at(point(1, 1), 0));
    assert_done(cn_shape_create(world, body, &(cn_shape_def){.hull = side}).id != 0);
    motion start = motion_of(world, body);
    run(world, 300);
    motion end = motion_of(world, body);
    assert_near(end.x, start.x + start.vx * seconds_of(300), 1e-4);
    assert_near(end.y, start.y + start.vy * seconds_of(300), 1e-4);
    assert_true(end.w == 7);
    cn_world_destroy(world);
}

static void a_step_of_no_time_changes_nothing(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body body = add(world, (cn_body_def){.velocity = {{2, 1}}}, crate());
    run(world, 3);
    assert_done(cn_body_apply_torque(world, body, 1));
    uint64_t hash = cn_world_hash(world);
    assert_done(cn_world_step(world, 0));
    assert_true(cn_world_hash(world) == hash);
    cn_world_destroy(world);
}

// v = v0 e^(-c t), and the way is v0 (1 - e^(-c t)) / c but for (h c)^2 / 12 of it.
static void damping_is_exponential_decay(void **state) {
    (void)state;
    for (double c = 0.1; c < 300; c *= 3) {
        cn_world *world = make_world(0);
        cn_body body = add(world,
                           (cn_body_def){.velocity = {{4, 0}},
                                         .angular_velocity = 3,
                                         .linear_damping = (float)c,
                                         .angular_damping = (float)(c / 2)},
                           crate());
        run(world, 6);
        double t = seconds_of(6), h = (double)STEP / 4;
        motion m = motion_of(world, body);
        assert_near(m.vx / (4 * exp(-c * t)), 1, 1e-4);
        assert_near(m.w / (3 * exp(-c / 2 * t)), 1, 1e-4);
        assert_near(m.x / (4 / c * (1 - exp(-c * t))), 1, h * h * c * c / 11 + 1e-5);
        cn_world_destroy(world);
    }
}

static void drag_and_gravity_come_to_terminal_speed(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body body = add(world, (cn_body_def){.linear_damping = 2}, crate());
    run(world, 900);
    assert_near(motion_of(world, body).vy, -GRAVITY / 2, 1e-4);
    cn_world_destroy(world);
}

static void gravity_scales_by_body(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body half = add(world, (cn_body_def){.gravity_scale = 0.5f}, crate());
    cn_body up = add(world, (cn_body_def){.gravity_scale = -1}, crate());
    cn_body none = add(world, (cn_body_def){.weightless = true}, crate());
    cn_body set = add(world, (cn_body_def){.position = {{9, 0}}}, crate());
    assert_done(cn_body_set_pose(world, half, point(-9, 0), 0));
    assert_done(cn_body_set_pose(world, up, point(-6, 0), 0));
    assert_done(cn_body_set_gravity_scale(world, set, 0));
    run(world, 60);
    double drop = GRAVITY * seconds_of(60) * seconds_of(60) / 2;
    assert_near(motion_of(world, half).y, -drop / 2, 1e-4);
    assert_near(motion_of(world, up).y, drop, 1e-4);
    assert_true(motion_of(world, none).y == 0 && motion_of(world, set).y == 0);
    cn_world_destroy(world);
}

// ---- forces and impulses

static void a_steady_force_accelerates_by_f_over_m(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(world, (cn_body_def){0}, crate());
    double m = mass_of(world, body), t = seconds_of(60);
    for (int i = 0; i < 60; i++) {
        assert_done(cn_body_apply_center_force(world, body, point(3, -6)));
        run(world, 1);
    }
    motion end = motion_of(world, body);
    assert_near(end.vx, 3 / m * t, 1e-5);
    assert_near(end.x, 3 / m * t * t / 2, 1e-5);
    assert_near(end.y, -6 / m * t * t / 2, 1e-5);
    assert_true(end.w == 0);
    cn_world_destroy(world);
}

static void a_force_acts_during_one_step_only(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(world, (cn_body_def){0}, crate());
    assert_done(cn_body_apply_center_force(world, body, point(1, 0)));
    assert_done(cn_body_apply_center_force(world, body, point(2, 0)));
    run(world, 5);
    assert_near(motion_of(world, body).vx, 3 / mass_of(world, body) * (double)STEP, 1e-7);
    cn_world_destroy(world);
}

static void a_torque_turns_by_torque_over_inertia(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(world, (cn_body_def){0}, crate());
    double t = seconds_of(60), inertia = inertia_of(world, body);
    for (int i = 0; i < 60; i++) {
        assert_done(cn_body_apply_torque(world, body, 0.2f));
        run(world, 1);
    }
    motion end = motion_of(world, body);
    assert_near(end.w, (double)0.2f / inertia * t, 1e-5);
    assert_near(end.angle, (double)0.2f / inertia * t * t / 2, 1e-5);
    assert_true(end.x == 0 && end.y == 0);
    cn_world_destroy(world);
}

static void a_force_off_the_centre_turns_too(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(world, (cn_body_def){.position = {{5, 7}}}, crate());
    assert_done(cn_body_apply_force(world, body, point(1, 2), point(5.25, 7.125)));
    run(world, 1);
    double torque = 0.25 * 2 - 0.125 * 1;
    motion m = motion_of(world, body);
    assert_near(m.vx, 1 / mass_of(world, body) * (double)STEP, 1e-7);
    assert_near(m.vy, 2 / mass_of(world, body) * (double)STEP, 1e-7);
    assert_near(m.w, torque / inertia_of(world, body) * (double)STEP, 1e-7);
    cn_world_destroy(world);
}

static void impulses_change_velocities_at_once(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(world, (cn_body_def){.position = {{-3, 2}}, .angle = 1}, crate());
    double m = mass_of(world, body), inertia = inertia_of(world, body);
    assert_done(cn_body_apply_impulse(world, body, point(2, -1), point(-2.5, 2.25)));
    assert_near(motion_of(world, body).vx, 2 / m, 1e-6);
    assert_near(motion_of(world, body).vy, -1 / m, 1e-6);
    assert_near(motion_of(world, body).w, (0.5 * -1 - 0.25 * 2) / inertia, 1e-5);

    double w = motion_of(world, body).w;
    assert_done(cn_body_apply_angular_impulse(world, body, 0.5f));
    assert_near(motion_of(world, body).w - w, 0.5 / inertia, 1e-5);
    assert_done(cn_body_apply_center_impulse(world, body, point(0, 4)));
    assert_near(motion_of(world, body).vy, 3 / m, 1e-6);
    assert_near(motion_of(world, body).w - w, 0.5 / inertia, 1e-5);
    cn_world_destroy(world);
}

static void the_velocity_of_a_point_is_v_plus_w_cross_r(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(
        world, (cn_body_def){.position = {{1, 1}}, .velocity = {{3, -1}}, .angular_velocity = 2},
        crate());
    vec2s v = cn_body_velocity_at(world, body, point(1.5, 3));
    assert_near((double)v.x, 3 - 2 * 2, 1e-6);
    assert_near((double)v.y, -1 + 2 * 0.5, 1e-6);
    cn_world_destroy(world);
}

static void the_energy_report_adds_up(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body body = add(
        world, (cn_body_def){.position = {{2, 3}}, .velocity = {{4, -1}}, .angular_velocity = 5},
        crate());
    add_floor(world, (cn_material){0}); // static: has none
    double m = mass_of(world, body), inertia = inertia_of(world, body);
    cn_energy energy = cn_world_energy(world);
    assert_near(energy.kinetic, m * 17 / 2 + inertia * 25 / 2, 1e-5);
    assert_near(energy.potential, m * GRAVITY * 3, 1e-4);
    assert_near(energy.momentum_x, m * 4, 1e-5);
    assert_near(energy.momentum_y, -m, 1e-5);
    assert_near(energy.angular, m * (2 * -1 - 3 * 4) + inertia * 5, 1e-4);
    cn_world_destroy(world);
}

// ---- locks and limits

static void a_locked_axis_does_not_move(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body x = add(world, (cn_body_def){.position = {{0.1f, 0}}, .lock_x = true}, crate());
    cn_body y = add(world, (cn_body_def){.position = {{9, 0.1f}}, .lock_y = true}, crate());
    vec2s start_x = cn_body_position(world, x), start_y = cn_body_position(world, y);
    for (int i = 0; i < 60; i++) {
        assert_done(cn_body_apply_center_force(world, x, point(50, 0)));
        assert_done(cn_body_apply_center_force(world, y, point(2, 0)));
        run(world, 1);
    }
    double t = seconds_of(60);
    assert_true(cn_body_position(world, x).x == start_x.x);
    assert_true(cn_body_position(world, y).y == start_y.y);
    assert_near(motion_of(world, x).y, -GRAVITY * t * t / 2, 1e-4);
    assert_near(motion_of(world, y).x - 9, 2 / mass_of(world, y) * t * t / 2, 1e-4);
    cn_world_destroy(world);
}

static void a_locked_rotation_does_not_turn(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(world, (cn_body_def){.angle = 0.5f, .lock_rotation = true}, crate());
    float angle = cn_body_angle(world, body);
    assert_done(cn_body_apply_impulse(world, body, point(0, 1), point(3, 0)));
    assert_done(cn_body_apply_torque(world, body, 10));
    run(world, 60);
    assert_true(motion_of(world, body).w == 0 && cn_body_angle(world, body) == angle);
    assert_near(motion_of(world, body).y, seconds_of(60) / mass_of(world, body), 1e-5);
    assert_done(cn_body_set_locks(world, body, false, false, false));
    assert_done(cn_body_apply_angular_impulse(world, body, 1));
    assert_near(motion_of(world, body).w, 1 / inertia_of(world, body), 1e-5);
    cn_world_destroy(world);
}

static void a_speed_limit_holds(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body body = add(world, (cn_body_def){.velocity = {{3, 0}}, .speed_limit = 5}, crate());
    for (int i = 0; i < 180; i++) {
        run(world, 1);
        motion m = motion_of(world, body);
        assert_true(hypot(m.vx, m.vy) <= 5 * (1 + 1e-6));
    }
    assert_near(hypot(motion_of(world, body).vx, motion_of(world, body).vy), 5, 1e-4);
    assert_done(cn_body_set_speed_limit(world, body, 0));
    run(world, 60);
    assert_true(motion_of(world, body).vy < -10);
    cn_world_destroy(world);
}

// ---- mass

typedef struct {
    double mass, inertia, x, y; // about its own centre
} part;

static part join(part a, part b) {
    double mass = a.mass + b.mass;
    double x = (a.mass * a.x + b.mass * b.x) / mass, y = (a.mass * a.y + b.mass * b.y) / mass;
    double da = (a.x - x) * (a.x - x) + (a.y - y) * (a.y - y);
    double db = (b.x - x) * (b.x - x) + (b.y - y) * (b.y - y);
    return (part){mass, a.inertia + a.mass * da + b.inertia + b.mass * db, x, y};
}

static part box_part(double hx, double hy, double density, double x, double y) {
    double mass = 4 * hx * hy * density;
    return (part){mass, mass * (hx * hx + hy * hy) / 3, x, y};
}

static part disc_part(double r, double density, double x, double y) {
    double mass = PI * r * r * density;
    return (part){mass, mass * r * r / 2, x, y};
}

// A box, and two half discs whose own centres lie 4 r / (3 pi) beyond its ends.
static part capsule_part(double length, double r, double density, double x, double y) {
    part middle = box_part(length / 2, r, density, x, y);
    double caps = PI * r * r * density, d = 4 * r / (3 * PI);
    middle.mass += caps;
    middle.inertia += caps * (r * r / 2 + length * length / 4 + length * d);
    return middle;
}

static void add_at(cn_world *world, cn_body body, cn_hull hull, vec2s at, double angle,
                   float density) {
    hull = cn_hull_at(&hull, cn_pose_at(at, (float)angle));
    assert_done(
        cn_shape_create(world, body, &(cn_shape_def){.hull = hull, .density = density}).id != 0);
}

static void assert_mass(const cn_world *world, cn_body body, part expected) {
    cn_mass mass = cn_body_mass(world, body);
    assert_near((double)mass.mass, expected.mass, 2e-6 * expected.mass);
    assert_near((double)mass.inertia, expected.inertia, 5e-6 * expected.inertia);
    assert_near((double)mass.center.x, expected.x, 2e-6);
    assert_near((double)mass.center.y, expected.y, 2e-6);
}

static void a_compound_has_the_mass_of_its_parts(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = cn_body_create(world, &(cn_body_def){.position = {{3, 4}}, .angle = 0.7f});
    add_at(world, body, cn_box(1, 0.5f), point(0.5, 0), 0, 2);
    add_at(world, body, cn_circle(0.5f), point(-1, 1), 0, 3);
    add_at(world, body, cn_capsule(point(-1, 0), point(1, 0), 0.25f), point(0, -2), PI / 2, 1);
    part sum = join(box_part(1, 0.5, 2, 0.5, 0), disc_part(0.5, 3, -1, 1));
    sum = join(sum, capsule_part(2, 0.25, 1, 0, -2));
    assert_mass(world, body, sum);
    assert_near((double)cn_body_position(world, body).x, 3, 1e-6); // the origin stays
    assert_near((double)cn_body_position(world, body).y, 4, 1e-6);

    for (cn_body_type type = CN_KINEMATIC; type <= CN_STATIC; type++) { // these have none
        assert_done(cn_body_set_type(world, body, type));
        assert_mass(world, body, (part){0});
        assert_near((double)cn_body_position(world, body).x, 3, 1e-6);
    }
    assert_done(cn_body_set_type(world, body, CN_DYNAMIC));
    assert_mass(world, body, sum);
    cn_world_destroy(world);
}

static void the_mass_follows_when_shapes_change(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(world, (cn_body_def){0}, (cn_shape_def){.hull = cn_box(1, 1)});
    cn_shape first = cn_body_next_shape(world, body, (cn_shape){0});
    cn_hull disc = cn_circle(1);
    disc = cn_hull_at(&disc, cn_pose_at(point(4, 0), 0));
    cn_shape second = cn_shape_create(world, body, &(cn_shape_def){.hull = disc});
    assert_mass(world, body, join(box_part(1, 1, 1, 0, 0), disc_part(1, 1, 4, 0)));
    assert_done(cn_shape_set_density(world, first, 5));
    assert_mass(world, body, join(box_part(1, 1, 5, 0, 0), disc_part(1, 1, 4, 0)));
    cn_hull flat = cn_box(2, 0.5f);
    assert_done(cn_shape_set_hull(world, first, &flat));
    assert_mass(world, body, join(box_part(2, 0.5, 5, 0, 0), disc_part(1, 1, 4, 0)));
    assert_done(cn_shape_destroy(world, second));
    assert_mass(world, body, box_part(2, 0.5, 5, 0, 0));
    cn_world_destroy(world);
}

static void the_material_keeps_its_motion_when_the_centre_moves(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(world, (cn_body_def){.angle = 1, .angular_velocity = 2},
                       (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
    add_at(world, body, cn_box(0.5f, 0.5f), point(2, 0), 0, 1);
    vec2s at_origin = cn_body_velocity_at(world, body, cn_body_position(world, body));
    assert_near((double)at_origin.x, 0, 1e-6);
    assert_near((double)at_origin.y, 0, 1e-6);
    assert_near(motion_of(world, body).vx, -2 * sin(1), 1e-6); // w x r, r one metre ahead
    assert_near(motion_of(world, body).vy, 2 * cos(1), 1e-6);
    cn_world_destroy(world);
}

static void a_mass_set_by_hand_stays_until_it_is_reset(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(world, (cn_body_def){.position = {{1, 2}}}, crate());
    cn_mass own = {.mass = 10, .inertia = 3, .center = {{0.5f, -0.25f}}};
    assert_done(cn_body_set_mass(world, body, own));
    add_at(world, body, cn_circle(1), point(3, 3), 0, 7);
    assert_mass(world, body, (part){10, 3, 0.5, -0.25});
    assert_near(motion_of(world, body).x, 1.5, 1e-6);
    assert_near((double)cn_body_position(world, body).x, 1, 1e-6);
    assert_done(cn_body_apply_center_impulse(world, body, point(5, 0)));
    assert_near(motion_of(world, body).vx, 0.5, 1e-6);
    assert_done(cn_body_reset_mass(world, body));
    assert_mass(world, body, join(box_part(0.5, 0.25, 4, 0, 0), disc_part(1, 7, 3, 3)));
    cn_world_destroy(world);
}

static void a_body_without_mass_is_a_point_of_one_kilogram(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body body = cn_body_create(world, &(cn_body_def){.position = {{1, 2}}});
    assert_mass(world, body, (part){1, 0, 0, 0});
    assert_done(cn_body_apply_impulse(world, body, point(3, 0), point(1, 5)));
    run(world, 60);
    double t = seconds_of(60);
    assert_near(motion_of(world, body).x, 1 + 3 * t, 1e-5);
    assert_near(motion_of(world, body).y, 2 - GRAVITY * t * t / 2, 1e-4);
    assert_true(motion_of(world, body).w == 0);
    cn_world_destroy(world);
}

// ---- kinematic bodies

static void a_kinematic_body_moves_by_its_velocity_only(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body body = add(world,
                       (cn_body_def){.type = CN_KINEMATIC,
                                     .velocity = {{1, -2}},
                                     .angular_velocity = 0.5f,
                                     .linear_damping = 3},
                       crate());
    assert_false(cn_body_apply_center_force(world, body, point(1, 1)));
    assert_int_equal(cn_error_code(), CN_ERROR_STATE);
    run(world, 120);
    double t = seconds_of(120);
    assert_near(motion_of(world, body).x, t, 1e-5);
    assert_near(motion_of(world, body).y, -2 * t, 1e-5);
    assert_near(motion_of(world, body).angle, 0.5 * t, 1e-5);
    cn_world_destroy(world);
}

// The shape is off the origin, so that origin and centre of mass go different ways.
static void a_kinematic_body_reaches_its_target(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body body = cn_body_create(
        world, &(cn_body_def){.type = CN_KINEMATIC, .angle = (float)(170 * PI / 180)});
    add_at(world, body, cn_box(1, 0.25f), point(2, 0), 0, 1);
    float angle = (float)(-170 * PI / 180);
    assert_done(cn_body_set_target(world, body, point(1, 2), angle, 0.5f));
    assert_near(motion_of(world, body).w, 40 * PI / 180, 1e-4); // the short way round
    run(world, 30);
    assert_near((double)cn_body_position(world, body).x, 1, 1e-4);
    assert_near((double)cn_body_position(world, body).y, 2, 1e-4);
    assert_near(angle_from((double)angle, motion_of(world, body).angle), 0, 1e-5);
    cn_world_destroy(world);
}

static void a_static_body_never_moves(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body body = add_floor(world, (cn_material){0});
    cn_pose before = cn_body_pose(world, body);
    assert_false(cn_body_apply_center_impulse(world, body, point(1, 1)));
    run(world, 60);
    cn_pose after = cn_body_pose(world, body);
    assert_memory_equal(&before, &after, sizeof before);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_falls_as_galilei_says),
        cmocka_unit_test(a_projectile_lands_within_a_millimetre),
        cmocka_unit_test(the_flight_does_not_depend_on_the_substeps),
        cmocka_unit_test(a_spin_keeps_its_speed_and_its_time),
        cmocka_unit_test(a_spin_of_many_turns_a_step_keeps_its_time),
        cmocka_unit_test(a_slow_body_moves_ten_kilometres_out),
        cmocka_unit_test(the_centre_of_a_tumbling_body_goes_straight),
        cmocka_unit_test(a_step_of_no_time_changes_nothing),
        cmocka_unit_test(damping_is_exponential_decay),
        cmocka_unit_test(drag_and_gravity_come_to_terminal_speed),
        cmocka_unit_test(gravity_scales_by_body),
        cmocka_unit_test(a_steady_force_accelerates_by_f_over_m),
        cmocka_unit_test(a_force_acts_during_one_step_only),
        cmocka_unit_test(a_torque_turns_by_torque_over_inertia),
        cmocka_unit_test(a_force_off_the_centre_turns_too),
        cmocka_unit_test(impulses_change_velocities_at_once),
        cmocka_unit_test(the_velocity_of_a_point_is_v_plus_w_cross_r),
        cmocka_unit_test(the_energy_report_adds_up),
        cmocka_unit_test(a_locked_axis_does_not_move),
        cmocka_unit_test(a_locked_rotation_does_not_turn),
        cmocka_unit_test(a_speed_limit_holds),
        cmocka_unit_test(a_compound_has_the_mass_of_its_parts),
        cmocka_unit_test(the_mass_follows_when_shapes_change),
        cmocka_unit_test(the_material_keeps_its_motion_when_the_centre_moves),
        cmocka_unit_test(a_mass_set_by_hand_stays_until_it_is_reset),
        cmocka_unit_test(a_body_without_mass_is_a_point_of_one_kilogram),
        cmocka_unit_test(a_kinematic_body_moves_by_its_velocity_only),
        cmocka_unit_test(a_kinematic_body_reaches_its_target),
        cmocka_unit_test(a_static_body_never_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
