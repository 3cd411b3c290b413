/* Fields: buoyancy, drag, flow, acceleration and attraction, compared with closed formulas. The
 * surface of every pool is at y = 0. */
#include "../../support/physics.h"

#define POOL_DENSITY 2.0

static cn_shape add_field(cn_world *world, cn_body_def body, cn_hull hull, cn_medium medium) {
    cn_body owner = cn_body_create(world, &body);
    cn_shape field = cn_shape_create(
        world, owner, &(cn_shape_def){.hull = hull, .sensor = true, .medium = medium});
    assert_done(field.id != 0);
    return field;
}

// A pool 100 m wide and 50 m deep.
static cn_shape add_pool(cn_world *world, double drag) {
    cn_body_def bed = {.type = CN_STATIC, .position = point(0, -25)};
    return add_field(world, bed, cn_box(50, 25),
                     (cn_medium){.density = (float)POOL_DENSITY,
                                 .linear_drag = (float)drag,
                                 .angular_drag = (float)drag});
}

static cn_shape add_everywhere(cn_world *world, cn_medium medium) {
    return add_field(world, (cn_body_def){.type = CN_STATIC}, cn_box(2000, 2000), medium);
}

// ---- buoyancy

// The part of a hull below y = 0.
static cn_mass_data wet_part(const cn_hull *hull, cn_pose pose) {
    cn_hull water = cn_box(50, 25);
    cn_mass_data wet;
    cn_hull_clip(hull, pose, &water, cn_pose_at(point(0, -25), 0), 0.1f, NULL, 0, &wet);
    return wet;
}

// The potential energy of the water that the hull displaces.
static double energy_of_water(const cn_hull *hull, cn_pose pose) {
    cn_mass_data wet = wet_part(hull, pose);
    return -POOL_DENSITY * GRAVITY * (double)wet.mass * (double)wet.center.y;
}

// The tilt at which a box floats: the one with the least energy, at the depth at which the box
// displaces its mass.
static double tilt_of_least_energy(const cn_hull *box, double mass) {
    double best = 0, least = INFINITY;
    for (double tilt = 0; tilt < PI / 2; tilt += 0.001) {
        double low = -2, high = 2;
        for (int i = 0; i < 40; i++) {
            double y = (low + high) / 2;
            cn_mass_data wet = wet_part(box, cn_pose_at(point(0, y), (float)tilt));
            *((double)wet.mass * POOL_DENSITY > mass ? &low : &high) = y;
        }
        cn_pose pose = cn_pose_at(point(0, low), (float)tilt);
        double energy = mass * GRAVITY * low + energy_of_water(box, pose);
        if (energy < least) least = energy, best = tilt;
    }
    return best;
}

static void boxes_float_on_their_stable_side(void **state) {
    (void)state;
    // Half width and density: squares on a side, tilted, and on a corner; then a plank.
    const double cases[][2] = {{0.5, 0.36}, {0.5, 0.5}, {0.5, 0.6}, {0.5, 1}, {1, 1}, {1, 1.6}};
    for (int i = 0; i < 6; i++) {
        cn_world *world = make_world(GRAVITY);
        add_pool(world, 2);
        cn_hull hull = cn_box((float)cases[i][0], 0.5f);
        cn_body box = add(world, (cn_body_def){.position = point(0, 0.2), .angle = 0.2f},
                          (cn_shape_def){.hull = hull, .density = (float)cases[i][1]});
        run(world, 3600);
        double tilt = fabs(remainder(motion_of(world, box).angle, cases[i][0] > 0.5 ? PI : PI / 2));
        double best = tilt_of_least_energy(&hull, mass_of(world, box));
        assert_near(tilt, cases[i][0] > 0.5 ? best : fmin(best, PI / 2 - best), 0.01);
        double wet = (double)wet_part(&hull, cn_body_pose(world, box)).mass;
        assert_near(wet * POOL_DENSITY, mass_of(world, box), 0.01 * mass_of(world, box));
        cn_world_destroy(world);
    }
}

// A square of half the density floats on a corner, half submerged: 45 degrees, and y = 0.
static void a_square_of_half_the_density_floats_on_a_corner(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_pool(world, 1);
    cn_body box = add(world, (cn_body_def){.position = point(0, 1)}, box_of(0.5f));
    cn_body_set_angular_velocity(world, box, 0.1f);
    run(world, 1800);
    assert_near(motion_of(world, box).y, 0, 0.005);
    assert_near(fabs(remainder(motion_of(world, box).angle, PI / 2)), PI / 4, 0.005);
    cn_world_destroy(world);
}

// Without drag, bodies of all classes bob for a minute and neither gain nor lose energy.
static void bobbing_bodies_keep_their_energy(void **state) {
    (void)state;
    const cn_hull hulls[] = {cn_box(0.5f, 0.5f),
                             cn_box(1, 0.5f),
                             cn_circle(0.5f),
                             cn_capsule(point(-0.4, 0), point(0.4, 0.1), 0.2f),
                             cn_rounded_box(0.4f, 0.3f, 0.1f),
                             cn_regular_polygon(5, 0.6f)};
    for (int i = 0; i < 6; i++) {
        cn_world *world = make_world(GRAVITY);
        add_pool(world, 0);
        cn_body body = add(world, (cn_body_def){.position = point(0, 0.3), .angle = 0.4f},
                           (cn_shape_def){.hull = hulls[i]});
        double first = 0, scale = mass_of(world, body) * GRAVITY * 0.5;
        for (int k = 0; k <= 3600; k++) {
            cn_energy energy = cn_world_energy(world);
            double sum = energy.kinetic + energy.potential +
                         energy_of_water(&hulls[i], cn_body_pose(world, body));
            if (k == 0) first = sum;
            assert_near(sum, first, 0.002 * scale);
            run(world, 1);
        }
        cn_world_destroy(world);
    }
}

// Light bodies oscillate so fast that a step is half a period or more.
static void light_bodies_stay_near_the_surface(void **state) {
    (void)state;
    for (double density = 0.1; density >= 1e-7; density /= 10) {
        cn_world *world = make_world(GRAVITY);
        add_pool(world, 1);
        cn_body body = add(world, (cn_body_def){.position = point(0, 0.5), .angle = 0.2f},
                           (cn_shape_def){.hull = cn_box(0.3f, 0.2f), .density = (float)density});
        for (int i = 0; i < 600; i++) {
            run(world, 1);
            double y = motion_of(world, body).y;
            assert_true(y > -3 && y < (density > 0.015 ? 0.6 : 20));
        }
        cn_world_destroy(world);
    }
}

// The lighter a body is, the less it gains by its first step in a pool of any form.
static void the_lightest_bodies_leave_all_pools_slowly(void **state) {
    (void)state;
    const cn_hull pools[] = {cn_box(10, 10), cn_circle(10),
                             cn_capsule(point(-10, 0), point(10, 0), 10),
                             cn_rounded_box(10, 10, 1)};
    for (int i = 0; i < 4; i++) {
        cn_world *world = make_world(GRAVITY);
        cn_body_def bed = {.type = CN_STATIC, .position = point(0, -10)};
        add_field(world, bed, pools[i], (cn_medium){.density = (float)POOL_DENSITY});
        cn_body body = add(world, (cn_body_def){.position = point(0, -5)},
                           (cn_shape_def){.hull = cn_circle(0.3f), .density = 1e-7f});
        for (int k = 0; k < 60; k++) {
            run(world, 1);
            assert_true(fabs(motion_of(world, body).vy) < 200);
        }
        cn_world_destroy(world);
    }
}

// A pool with a tilted surface is so stiff that rounding is all that is left of the motion along
// the surface.
static void bodies_of_nearly_no_density_keep_finite_motions(void **state) {
    (void)state;
    for (double density = 1e-3; density > 1e-6; density /= 10) {
        cn_world *world = cn_world_create(&(cn_world_def){.gravity = point(-6, -8)});
        add_field(world, (cn_body_def){.type = CN_STATIC, .angle = -0.6435f}, cn_box(100, 100),
                  (cn_medium){.density = 1e9f});
        cn_body body = add(world, (cn_body_def){.position = point(60, 80)},
                           (cn_shape_def){.hull = cn_box(0.5f, 0.5f), .density = (float)density});
        run(world, 200);
        assert_true(!cn_body_disabled(world, body));
        cn_world_destroy(world);
    }
}

// ---- drag and flow

static void drag_slows_bodies_exponentially(void **state) {
    (void)state;
    for (double drag = 0.01; drag < 2e6; drag *= 10) {
        cn_world *world = make_world(0);
        add_everywhere(world, (cn_medium){.linear_drag = (float)drag, .angular_drag = (float)drag});
        cn_body_def def = {.velocity = point(3, -4), .angular_velocity = 2};
        cn_body body = add(world, def, box_of(0.5f));
        for (int i = 1; i <= 60; i++) {
            run(world, 1);
            motion m = motion_of(world, body);
            double left = exp(-drag * seconds_of(i));
            assert_near(m.vx, 3 * left, 2e-5);
            assert_near(m.vy, -4 * left, 2e-5);
            assert_near(m.w, 2 * left, 2e-5);
        }
        cn_world_destroy(world);
    }
}

// n fields that overlap act as one field with n times the drag: no velocity is reversed.
static void drags_of_fields_add_up(void **state) {
    (void)state;
    for (int n = 1; n <= 8; n *= 2)
        for (double k = 6; k <= 600; k *= 10) {
            cn_world *world = make_world(0);
            const float drag = (float)k;
            for (int i = 0; i < n; i++)
                add_everywhere(world, (cn_medium){.linear_drag = drag, .angular_drag = drag});
            cn_body body =
                add(world, (cn_body_def){.velocity = point(10, 0), .angular_velocity = 10},
                    box_of(0.5f));
            run(world, 1);
            double expected = 10 * exp(-k * n / 60);
            assert_near(motion_of(world, body).vx, expected, 1e-5);
            assert_near(motion_of(world, body).w, expected, 1e-5);
            cn_world_destroy(world);
        }
}

static void bodies_fall_at_their_terminal_velocity(void **state) {
    (void)state;
    for (double drag = 1; drag < 2e6; drag *= 10) {
        cn_world *world = make_world(GRAVITY);
        add_everywhere(world, (cn_medium){.linear_drag = (float)drag});
        cn_body body = add(world, (cn_body_def){0}, (cn_shape_def){.hull = cn_circle(0.5f)});
        run(world, 900);
        assert_near(motion_of(world, body).vy * drag / GRAVITY, -1, 0.001);
        cn_world_destroy(world);
    }
}

// The field belongs to a kinematic body that moves and turns: a body inside moves with it.
static void a_flow_carries_bodies_along_with_the_body_of_the_field(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body_def lift = {.type = CN_KINEMATIC, .velocity = point(0, 2), .angular_velocity = 0.5f};
    add_field(world, lift, cn_box(100, 100),
              (cn_medium){.linear_drag = 50, .angular_drag = 50, .flow = point(3, 0)});
    cn_body body = add(world, (cn_body_def){.position = point(0, 0)}, box_of(0.5f));
    run(world, 30);
    motion m = motion_of(world, body);
    double y = 2 * seconds_of(30); // of the lift
    assert_near(m.vx, 3 - 0.5 * (m.y - y), 0.05);
    assert_near(m.vy, 2 + 0.5 * m.x, 0.05);
    assert_near(m.w, 0.5, 1e-4);
    cn_world_destroy(world);
}

// Only the part inside has a drag: a box with its lower half in a flow is turned by it.
static void the_force_acts_on_the_part_inside(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body_def bed = {.type = CN_STATIC, .position = point(0, -25)};
    add_field(world, bed, cn_box(50, 25), (cn_medium){.acceleration = point(6, 0)});
    cn_body body = add(world, (cn_body_def){0}, box_of(0.5f));
    run(world, 1);
    motion m = motion_of(world, body);
    double force = 6 * mass_of(world, body) / 2, dt = seconds_of(1);
    assert_near(m.vx, force * dt / mass_of(world, body), 1e-6);
    assert_near(m.w, 0.25 * force * dt / inertia_of(world, body), 1e-5);
    cn_world_destroy(world);
}

// ---- attraction

// A circular orbit with a period of T closes after ten rounds.
static void orbits_close(void **state) {
    (void)state;
    for (double period = 2; period <= 16; period *= 2) {
        double radius = 5, speed = 2 * PI * radius / period;
        cn_world *world = make_world(0);
        add_field(world, (cn_body_def){.type = CN_STATIC}, cn_circle(20),
                  (cn_medium){.attraction = (float)(speed * speed * radius)});
        cn_body_def def = {.position = point(radius, 0), .velocity = point(0, speed)};
        cn_body planet = add(world, def, box_of(0.1f));
        run(world, (int)lround(10 * period / (double)STEP));
        motion m = motion_of(world, planet);
        assert_near(hypot(m.x - radius, m.y), 0, 0.01 * radius);
        assert_near(hypot(m.vx, m.vy), speed, 0.001 * speed);
        cn_world_destroy(world);
    }
}

static void an_orbit_round_a_moving_planet_closes(void **state) {
    (void)state;
    double period = 8, radius = 5, speed = 2 * PI * radius / period;
    cn_world *world = make_world(0);
    cn_body_def sun = {.type = CN_KINEMATIC, .velocity = point(7, -3)};
    add_field(world, sun, cn_circle(20),
              (cn_medium){.attraction = (float)(speed * speed * radius)});
    cn_body_def def = {.position = point(radius, 0), .velocity = point(7, speed - 3)};
    cn_body planet = add(world, def, box_of(0.1f));
    run(world, 4800);
    motion m = motion_of(world, planet);
    assert_near(hypot(m.x - 7 * 80 - radius, m.y + 3 * 80), 0, 0.01 * radius);
    cn_world_destroy(world);
}

// Within the floor, attraction is a spring: a body oscillates through the centre.
static void attraction_falls_towards_the_centre(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    add_everywhere(world, (cn_medium){.attraction = 1000, .floor = 10});
    cn_body body = add(world, (cn_body_def){.position = point(4, 0)}, box_of(0.1f));
    for (int i = 0; i <= 600; i++) {
        assert_near(motion_of(world, body).x, 4 * cos(seconds_of(i)), 0.004);
        run(world, 1);
    }
    cn_world_destroy(world);
}

// A body that falls through the centre comes back to where it was released, with a floor of ten
// times the distance that it moves there in a substep.
static void bodies_pass_the_centre_with_their_energy(void **state) {
    (void)state;
    const double start = 5, attraction = 1000, floor = 2;
    double speed = sqrt(attraction * (3 / floor - 2 / start));
    assert_true(floor > 10 * speed / 240);
    for (double side = 0; side < 0.6; side += 0.1) {
        cn_world *world = make_world(0);
        add_everywhere(world, (cn_medium){.attraction = (float)attraction, .floor = (float)floor});
        cn_body body = add(world, (cn_body_def){.position = point(start, side)}, box_of(0.2f));
        for (int i = 0; i < 1200; i++) {
            run(world, 1);
            motion m = motion_of(world, body);
            assert_true(hypot(m.x, m.y) < 1.03 * start);
        }
        cn_world_destroy(world);
    }
}

// The force is finite where r^3, or mass times attraction, is beyond the range of a float.
static void extreme_attractions_stay_finite(void **state) {
    (void)state;
    const struct {
        float attraction, floor, density;
        double x;
    } cases[] = {{1, 1e-13f, 1, 0}, {1, 1e-30f, 1, 1e-9}, {1e18f, 0, 1e24f, 300}};
    for (int i = 0; i < 3; i++) {
        cn_world *world = make_world(0);
        add_everywhere(world,
                       (cn_medium){.attraction = cases[i].attraction, .floor = cases[i].floor});
        cn_body body = add(world, (cn_body_def){.position = point(cases[i].x, 0)},
                           (cn_shape_def){.hull = cn_box(0.5f, 0.5f), .density = cases[i].density});
        run(world, 3);
        assert_true(!cn_body_disabled(world, body));
        assert_true(fabs(motion_of(world, body).x) <= 2 * cases[i].x + 1e-9);
        cn_world_destroy(world);
    }
}

static void negative_attraction_repels(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    add_everywhere(world, (cn_medium){.attraction = -100});
    cn_body body = add(world, (cn_body_def){.position = point(5, 0)}, box_of(0.1f));
    run(world, 1);
    assert_near(motion_of(world, body).vx, 4 * (double)STEP, 1e-4);
    cn_world_destroy(world);
}

// ---- which bodies

static void fields_respect_filters_sensors_and_their_own_body(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_shape field = add_everywhere(world, (cn_medium){.acceleration = point(60, 0)});
    assert_done(cn_shape_set_filter(world, field, (cn_filter){.category = 2, .mask = 4}));
    cn_body seen = add(world, (cn_body_def){0},
                       (cn_shape_def){.hull = cn_circle(1), .filter = {.category = 4}});
    cn_body_def away = {.position = point(0, 9)};
    cn_body other = add(world, away, (cn_shape_def){.hull = cn_circle(1)});
    cn_body sensor = add(world, (cn_body_def){0},
                         (cn_shape_def){.hull = cn_circle(1), .sensor = true, .filter = {4, 2, 0}});
    cn_body owner =
        add(world, (cn_body_def){0}, (cn_shape_def){.hull = cn_circle(1), .filter = {4, 2, 0}});
    assert_done(cn_shape_create(world, owner,
                                &(cn_shape_def){.hull = cn_circle(3),
                                                .sensor = true,
                                                .filter = {.category = 2, .mask = 8},
                                                .medium = {.acceleration = point(0, 60)}})
                    .id != 0);
    run(world, 1);
    assert_near(motion_of(world, seen).vx, 1, 1e-5);
    assert_near(motion_of(world, other).vx, 0, 0);
    assert_near(motion_of(world, sensor).vx, 0, 0);
    assert_near(motion_of(world, owner).vx, 1, 1e-5);
    assert_near(motion_of(world, owner).vy, 0, 0);
    cn_world_destroy(world);
}

// The mass of a body is spread by density. Here the user has set it, off the centroid.
static void a_uniform_acceleration_turns_no_body(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    add_everywhere(world, (cn_medium){.acceleration = point(6, 3)});
    cn_body body = add(world, (cn_body_def){.angle = 0.7f}, box_of(0.5f));
    cn_hull head = cn_circle(0.3f);
    head = cn_hull_at(head, cn_pose_at(point(1, 0), 0));
    assert_done(cn_shape_create(world, body, &(cn_shape_def){.hull = head, .density = 5}).id != 0);
    cn_body weighted = add(world, (cn_body_def){.position = point(5, 0)}, box_of(0.5f));
    assert_done(cn_body_set_mass_data(world, weighted, (cn_mass_data){7, 2, point(0.3, 0.2)}));
    run(world, 60);
    for (int i = 0; i < 2; i++) {
        motion m = motion_of(world, i ? weighted : body);
        assert_near(m.vx, 6, 1e-4);
        assert_near(m.vy, 3, 1e-4);
        assert_near(m.w, 0, 1e-5);
    }
    cn_world_destroy(world);
}

// Two fields that overlap act as one field with both media.
static void fields_add_up(void **state) {
    (void)state;
    motion sums[2];
    for (int i = 0; i < 2; i++) {
        cn_world *world = make_world(GRAVITY);
        cn_medium a = {.density = 0.5f, .acceleration = point(1, 2)}, b = {.density = 0.25f};
        cn_medium both = {.density = 0.75f, .acceleration = point(1, 2)};
        add_everywhere(world, i ? both : a);
        if (!i) add_everywhere(world, b);
        cn_body body = add(world, (cn_body_def){0}, box_of(0.5f));
        run(world, 30);
        sums[i] = motion_of(world, body);
        cn_world_destroy(world);
    }
    assert_near(sums[0].x, sums[1].x, 1e-5);
    assert_near(sums[0].vy, sums[1].vy, 1e-4);
}

static void locked_axes_stay_locked(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_pool(world, 1);
    cn_body_def def = {.position = point(0, -3), .lock_x = true, .lock_rotation = true};
    cn_body body = add(world, def, box_of(0.5f));
    add_everywhere(
        world, (cn_medium){.acceleration = point(50, 0), .linear_drag = 3, .flow = point(9, 0)});
    run(world, 300);
    motion m = motion_of(world, body);
    assert_near(m.x, 0, 0);
    assert_near(m.angle, 0, 0);
    assert_near(m.y, 0, 0.01);
    cn_world_destroy(world);
}

// ---- sleep

static cn_world *make_sleepy_world(void) {
    return cn_world_create(&(cn_world_def){.gravity = point(0, -GRAVITY)});
}

static void a_boat_at_rest_sleeps_until_its_pool_changes(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world();
    cn_shape pool = add_pool(world, 2);
    cn_body boat = add(world, (cn_body_def){0}, (cn_shape_def){.hull = cn_box(1, 0.3f)});
    run(world, 1200);
    assert_false(!cn_body_asleep(world, boat));
    double y = motion_of(world, boat).y;
    cn_medium medium = cn_shape_medium(world, pool);
    medium.density = 3;
    assert_done(cn_shape_set_medium(world, pool, medium));
    assert_true(!cn_body_asleep(world, boat));
    run(world, 1);
    assert_true(motion_of(world, boat).vy > 0.05);
    run(world, 600);
    assert_true(motion_of(world, boat).y > y + 0.05);
    cn_world_destroy(world);
}

// A boat touches nothing, so nothing else wakes it.
// In a chamber whose acceleration cancels gravity, nothing falls.
static void hovering_bodies_fall_asleep(void **state) {
    (void)state;
    const cn_hull hulls[] = {cn_circle(0.37f), cn_box(0.4f, 0.3f),
                             cn_rounded_box(0.31f, 0.23f, 0.07f),
                             cn_capsule(point(-0.3, 0.1), point(0.4, 0.2), 0.17f)};
    cn_world *world = make_sleepy_world();
    vec2s gravity = cn_world_gravity(world);
    add_everywhere(world,
                   (cn_medium){.acceleration = {{-gravity.x, -gravity.y}}, .linear_drag = 1});
    cn_body bodies[4];
    for (int i = 0; i < 4; i++)
        bodies[i] = add(world, (cn_body_def){.position = point(2.37 * i, 0.1), .angle = 0.3f},
                        (cn_shape_def){.hull = hulls[i]});
    run(world, 120);
    for (int i = 0; i < 4; i++) assert_false(!cn_body_asleep(world, bodies[i]));
    cn_world_destroy(world);
}

// A cart with a fan carries a crate. Both come to rest, but their velocities do not become zero.
static void the_body_of_a_field_sleeps_with_what_is_inside(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world();
    cn_body floor = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    cn_shape_create(world, floor, &(cn_shape_def){.hull = cn_box(50, 0.5f)});
    cn_body cart =
        add(world, (cn_body_def){.position = point(0, 1)}, (cn_shape_def){.hull = cn_box(2, 0.5f)});
    cn_shape_create(world, cart,
                    &(cn_shape_def){.hull = cn_box(3, 3),
                                    .sensor = true,
                                    .massless = true,
                                    .medium = {.linear_drag = 0.5f, .acceleration = {{0.1f, 0}}}});
    cn_body crate = add(world, (cn_body_def){.position = point(0.3, 2)}, box_of(0.4f));
    run(world, 120);
    assert_false(!cn_body_asleep(world, cart));
    assert_false(!cn_body_asleep(world, crate));
    cn_body_set_velocity(world, cart, point(1, 0));
    run(world, 20);
    assert_true(!cn_body_asleep(world, crate));
    cn_world_destroy(world);
}

static void a_boat_wakes_when_its_mass_changes(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        cn_world *world = make_sleepy_world();
        add_pool(world, 2);
        cn_body boat = cn_body_create(world, &(cn_body_def){.type = CN_DYNAMIC});
        cn_shape hull = cn_shape_create(world, boat, &(cn_shape_def){.hull = cn_box(1, 0.3f)});
        cn_mass_data mass = cn_body_mass_data(world, boat), heavy = mass;
        heavy.mass *= 1.5f;
        if (i == 2) assert_done(cn_body_set_mass_data(world, boat, heavy));
        run(world, 1200);
        assert_false(!cn_body_asleep(world, boat));
        double y = motion_of(world, boat).y;
        if (i == 0) assert_done(cn_shape_set_density(world, hull, 1.5f));
        if (i == 1) assert_done(cn_body_set_mass_data(world, boat, heavy));
        if (i == 2) assert_done(cn_body_reset_mass(world, boat));
        assert_true(!cn_body_asleep(world, boat));
        run(world, 1200);
        assert_near(motion_of(world, boat).y - y, i < 2 ? -0.15 : 0.15, 0.01);
        cn_world_destroy(world);
    }
}

static void a_body_in_a_flow_stays_awake(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world();
    add_floor(world, (cn_material){.friction = 10});
    add_everywhere(world, (cn_medium){.linear_drag = 0.1f, .flow = point(0.01, 0)});
    cn_body body = add(world, (cn_body_def){.position = point(0, 0.5)}, box_of(0.5f));
    run(world, 300);
    assert_true(!cn_body_asleep(world, body));
    cn_world_destroy(world);
}

// A box of twice the density of the medium sinks at g (1 - 1/2) / drag = 0.02 m/s.
static void a_body_that_sinks_slowly_stays_awake(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world();
    add_everywhere(world, (cn_medium){.density = 0.5f, .linear_drag = 250});
    cn_body body = add(world, (cn_body_def){.position = point(0, 0)}, box_of(0.5f));
    run(world, 600);
    assert_true(!cn_body_asleep(world, body));
    assert_near(motion_of(world, body).y, -0.2, 1e-3);
    cn_world_destroy(world);
}

// A body in free flight falls in any field, however weak, as in weak gravity.
static void bodies_that_fall_in_weak_fields_stay_awake(void **state) {
    (void)state;
    const cn_medium media[] = {{.acceleration = {{-0.01f, 0}}},
                               {.attraction = 1},
                               {.acceleration = {{-0.01f, 0}}, .linear_drag = 1}};
    for (int i = 0; i < 3; i++) {
        cn_world *world = make_sleepy_world();
        cn_world_set_gravity(world, point(0, 0));
        add_everywhere(world, media[i]);
        cn_body body = add(world, (cn_body_def){.position = point(10, 0)}, box_of(0.5f));
        run(world, 600);
        assert_true(!cn_body_asleep(world, body));
        assert_near(motion_of(world, body).x, i < 2 ? 9.5 : 10 - 0.01 * (10 - 1), 0.01);
        cn_world_destroy(world);
    }
}

static void a_field_that_moves_in_wakes_bodies(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world();
    add_floor(world, (cn_material){0});
    cn_body body = add(world, (cn_body_def){.position = point(0, 0.5)}, box_of(0.5f));
    cn_body_def fan = {.type = CN_KINEMATIC, .position = point(-20, 1), .velocity = point(4, 0)};
    add_field(world, fan, cn_box(2, 1), (cn_medium){.acceleration = point(0, 30)});
    run(world, 120);
    assert_false(!cn_body_asleep(world, body));
    run(world, 240);
    assert_true(motion_of(world, body).y > 0.6);
    cn_world_destroy(world);
}

// The box of the field overlaps that of the body, but the turning field does not reach the body.
static void a_field_that_moves_beside_a_body_lets_it_sleep(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world();
    add_floor(world, (cn_material){0});
    cn_body body = add(world, (cn_body_def){.position = point(1.7, 0.5)}, box_of(0.5f));
    cn_body_def fan = {.type = CN_KINEMATIC, .position = point(0, 2.2), .angular_velocity = 1};
    add_field(world, fan, cn_circle(1.5f), (cn_medium){.linear_drag = 1});
    run(world, 120);
    assert_false(!cn_body_asleep(world, body));
    run(world, 120);
    assert_false(!cn_body_asleep(world, body));
    cn_world_destroy(world);
}

// ---- which bodies are found

// Two pools, a field that moves, boxes, some of them with a second shape, and sleepers far away.
static void fill_pools(cn_world *world, cn_body boxes[12], int sleepers) {
    const cn_medium water = {.density = 2, .linear_drag = 1, .angular_drag = 1};
    const cn_medium wind = {.linear_drag = 0.5f, .flow = {{1, 2}}};
    uint64_t seed = 5;
    add_pool(world, 0.5);
    add_field(world, (cn_body_def){.type = CN_STATIC, .position = point(-4, 0)}, cn_circle(3),
              water);
    add_field(world, (cn_body_def){.type = CN_KINEMATIC, .velocity = point(0.5, 0)}, cn_box(2, 4),
              wind);
    for (int i = 0; i < 12; i++) {
        vec2s place = random_point_between(&seed, -8, 8);
        boxes[i] = add(world, (cn_body_def){.position = place}, box_of(0.3f));
        cn_hull side = cn_circle(0.2f);
        side = cn_hull_at(side, cn_pose_at(point(0.5, 0), 0));
        if (i % 3 == 0)
            assert_done(cn_shape_create(world, boxes[i], &(cn_shape_def){.hull = side}).id != 0);
    }
    for (int i = 0; i < sleepers; i++)
        add(world, (cn_body_def){.position = point(300 + i, 0), .asleep = true}, box_of(0.3f));
}

// With many sleepers in the world, the bodies look for the fields. Else the fields search.
static void bodies_in_fields_move_the_same_beside_sleepers(void **state) {
    (void)state;
    cn_body boxes[2][12];
    cn_world *worlds[2];
    for (int i = 0; i < 2; i++) {
        worlds[i] = make_world(GRAVITY);
        assert_done(cn_world_set_no_sleep(worlds[i], false));
        fill_pools(worlds[i], boxes[i], i ? 500 : 0);
    }
    for (int step = 0; step < 300; step++) {
        for (int i = 0; i < 2; i++) {
            if (step % 50 == 20)
                assert_done(
                    cn_body_set_pose(worlds[i], boxes[i][step / 50], cn_pose_at(point(-4, 1), 1)));
            run(worlds[i], 1);
        }
        for (int k = 0; k < 12; k++) {
            motion a = motion_of(worlds[0], boxes[0][k]), b = motion_of(worlds[1], boxes[1][k]);
            assert_memory_equal(&a, &b, sizeof a);
        }
    }
    for (int i = 0; i < 2; i++) cn_world_destroy(worlds[i]);
}

// ---- calls

static void media_are_read_back_and_removed(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_medium medium = {.density = 1, .linear_drag = 2, .flow = point(3, 4), .attraction = 5};
    cn_shape field = add_everywhere(world, medium);
    cn_medium read = cn_shape_medium(world, field);
    assert_true(read.density == 1 && read.linear_drag == 2 && read.attraction == 5);
    assert_true(read.flow.x == 3 && read.flow.y == 4 && read.floor == 0.1f);
    uint64_t hash = cn_world_hash(world);
    medium.flow.x = 2;
    assert_done(cn_shape_set_medium(world, field, medium));
    assert_true(cn_world_hash(world) != hash);
    assert_false(cn_shape_set_sensor(world, field, false));
    assert_done(cn_shape_set_medium(world, field, (cn_medium){0}));
    assert_true(cn_shape_medium(world, field).density == 0);
    assert_done(cn_shape_set_sensor(world, field, false));
    assert_false(cn_shape_set_medium(world, field, medium));
    assert_true(cn_error_code() == CN_ERROR_STATE);
    cn_world_destroy(world);
}

// A rewind reads the state in place, and does not check it as a restore does.
static void a_rewind_brings_back_the_fields(void **state) {
    (void)state;
    const cn_medium winds[2] = {{.acceleration = point(3, 0)}, {.acceleration = point(0, 5)}};
    cn_world *world = make_world(0);
    cn_shape fields[2];
    for (int i = 0; i < 2; i++) fields[i] = add_everywhere(world, winds[i]);
    cn_body box = cn_body_create(world, &(cn_body_def){.type = CN_DYNAMIC});
    cn_shape_create(world, box, &(cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
    cn_rollback *rollback = cn_rollback_create(world, 2);
    uint64_t hash = cn_world_hash(world);
    assert_done(cn_rollback_keep(rollback, 0));
    for (int rewinds = 0; rewinds < 3; rewinds++) {
        assert_done(cn_shape_set_medium(world, fields[rewinds % 2], (cn_medium){0}));
        if (rewinds) assert_done(cn_world_step(world, STEP)); // closes the gap in the list
        assert_done(cn_rollback_rewind(rollback, 0));
        assert_true(cn_world_hash(world) == hash);
        for (int i = 0; i < 2; i++)
            assert_true(cn_shape_medium(world, fields[i]).acceleration.x ==
                        winds[i].acceleration.x);
        assert_done(cn_shape_set_medium(world, fields[0], winds[0])); // is one already
        assert_true(cn_world_hash(world) == hash);
    }
    assert_done(cn_world_step(world, STEP));
    assert_near(cn_body_velocity(world, box).x, 3 * STEP, 1e-4);
    assert_near(cn_body_velocity(world, box).y, 5 * STEP, 1e-4);
    cn_rollback_destroy(rollback);
    cn_world_destroy(world);
}

static void bad_media_are_refused(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_shape field = add_everywhere(world, (cn_medium){.density = 1});
    const cn_medium bad[] = {{.density = -1},         {.linear_drag = -1},
                             {.angular_drag = -1},    {.floor = -1},
                             {.density = NAN},        {.linear_drag = INFINITY},
                             {.flow = point(NAN, 0)}, {.acceleration = point(0, INFINITY)},
                             {.attraction = NAN},     {.attraction = -INFINITY},
                             {.floor = NAN}};
    for (int i = 0; i < 11; i++) {
        assert_false(cn_shape_set_medium(world, field, bad[i]));
        cn_shape_def def = {.hull = cn_circle(1), .sensor = true, .medium = bad[i]};
        assert_true(cn_shape_create(world, cn_shape_body(world, field), &def).id == 0);
        assert_true(cn_shape_medium(world, field).density == 1);
    }
    cn_shape_def solid = {.hull = cn_circle(1), .medium = {.density = 1}};
    assert_true(cn_shape_create(world, cn_shape_body(world, field), &solid).id == 0);
    assert_non_null(strstr(cn_error(), "set .sensor"));
    solid.medium = (cn_medium){0};
    cn_shape shape = cn_shape_create(world, cn_shape_body(world, field), &solid);
    assert_false(cn_shape_set_medium(world, shape, (cn_medium){.density = 1}));
    assert_non_null(strstr(cn_error(), "call cn_shape_set_sensor() first"));
    cn_world_destroy(world);
}

// ---- symmetry, and other steps

// A world and its mirror image stay mirror images.
static void mirrored_worlds_stay_mirrored(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_pool(world, 0.5);
    cn_body bodies[2][4];
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 4; i++) {
            double sign = side ? -1 : 1;
            cn_body_def def = {.position = point(sign * (3 + 2 * i), 0.4),
                               .angle = (float)(sign * (0.2 + 0.3 * i)),
                               .velocity = point(sign * 0.5, 0)};
            bodies[side][i] = add(world, def, (cn_shape_def){.hull = cn_box(0.7f, 0.4f)});
        }
    run(world, 300);
    for (int i = 0; i < 4; i++) {
        motion a = motion_of(world, bodies[0][i]), b = motion_of(world, bodies[1][i]);
        assert_near(a.x, -b.x, 1e-4);
        assert_near(a.y, b.y, 1e-4);
        assert_near(a.angle, -b.angle, 1e-3);
    }
    cn_world_destroy(world);
}

// One more field is refused, until another one is destroyed.
static void a_world_has_at_most_65536_fields(void **state) {
    (void)state;
    enum { MOST = 65536 };
    cn_world *world = make_world(0);
    cn_body ground = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    cn_shape last = {0};
    for (int i = 0; i <= MOST; i++) {
        cn_hull hull = cn_hull_at((cn_hull){.radius = 0.4f, .count = 1},
                                  cn_pose_at(point(i % 256, i / 256), 0));
        cn_shape_def def = {.hull = hull, .sensor = true, .medium = {.density = 1}};
        cn_shape shape = cn_shape_create(world, ground, &def);
        assert_int_equal(shape.id != 0, i < MOST);
        if (shape.id) last = shape;
    }
    assert_int_equal(cn_error_code(), CN_ERROR_STATE);
    assert_done(cn_shape_set_medium(world, last, (cn_medium){0}));
    assert_done(cn_shape_set_medium(world, last, (cn_medium){.density = 2}));
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_float_on_their_stable_side),
        cmocka_unit_test(a_square_of_half_the_density_floats_on_a_corner),
        cmocka_unit_test(bobbing_bodies_keep_their_energy),
        cmocka_unit_test(light_bodies_stay_near_the_surface),
        cmocka_unit_test(the_lightest_bodies_leave_all_pools_slowly),
        cmocka_unit_test(bodies_of_nearly_no_density_keep_finite_motions),
        cmocka_unit_test(drag_slows_bodies_exponentially),
        cmocka_unit_test(drags_of_fields_add_up),
        cmocka_unit_test(bodies_fall_at_their_terminal_velocity),
        cmocka_unit_test(a_flow_carries_bodies_along_with_the_body_of_the_field),
        cmocka_unit_test(the_force_acts_on_the_part_inside),
        cmocka_unit_test(orbits_close),
        cmocka_unit_test(an_orbit_round_a_moving_planet_closes),
        cmocka_unit_test(attraction_falls_towards_the_centre),
        cmocka_unit_test(bodies_pass_the_centre_with_their_energy),
        cmocka_unit_test(extreme_attractions_stay_finite),
        cmocka_unit_test(negative_attraction_repels),
        cmocka_unit_test(fields_respect_filters_sensors_and_their_own_body),
        cmocka_unit_test(a_uniform_acceleration_turns_no_body),
        cmocka_unit_test(fields_add_up),
        cmocka_unit_test(locked_axes_stay_locked),
        cmocka_unit_test(a_boat_at_rest_sleeps_until_its_pool_changes),
        cmocka_unit_test(hovering_bodies_fall_asleep),
        cmocka_unit_test(the_body_of_a_field_sleeps_with_what_is_inside),
        cmocka_unit_test(a_boat_wakes_when_its_mass_changes),
        cmocka_unit_test(a_body_in_a_flow_stays_awake),
        cmocka_unit_test(a_body_that_sinks_slowly_stays_awake),
        cmocka_unit_test(bodies_that_fall_in_weak_fields_stay_awake),
        cmocka_unit_test(a_field_that_moves_in_wakes_bodies),
        cmocka_unit_test(a_field_that_moves_beside_a_body_lets_it_sleep),
        cmocka_unit_test(bodies_in_fields_move_the_same_beside_sleepers),
        cmocka_unit_test(media_are_read_back_and_removed),
        cmocka_unit_test(a_world_has_at_most_65536_fields),
        cmocka_unit_test(a_rewind_brings_back_the_fields),
        cmocka_unit_test(bad_media_are_refused),
        cmocka_unit_test(mirrored_worlds_stay_mirrored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
