/* Mass, moment of inertia and centre of mass of a body, against the sums over its parts. */
#include "../../../support/single_body.h"

// ---- the mass of parts

typedef struct {
    double mass, inertia, x, y; // kg; kg m^2 about the part's own centre; m
} part;

// Adds two parts, by the parallel axis theorem.
static part sum_of(part a, part b) {
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

// A box and two half discs. The centre of mass of a half disc lies 4 r / (3 pi) beyond the box's
// end.
static part capsule_part(double length, double r, double density, double x, double y) {
    part middle = box_part(length / 2, r, density, x, y);
    double caps = PI * r * r * density, d = 4 * r / (3 * PI);
    middle.mass += caps;
    middle.inertia += caps * (r * r / 2 + length * length / 4 + length * d);
    return middle;
}

static void assert_mass(const cn_world *world, cn_body body, part expected) {
    cn_mass_data mass = cn_body_mass_data(world, body);
    assert_near((double)mass.mass, expected.mass, 2e-6 * expected.mass);
    assert_near((double)mass.inertia, expected.inertia, 5e-6 * expected.inertia);
    assert_near((double)mass.center.x, expected.x, 2e-6);
    assert_near((double)mass.center.y, expected.y, 2e-6);
}

// ---- claims

static void a_compound_has_the_mass_of_its_parts(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = cn_body_create(world, &(cn_body_def){.position = {{3, 4}}, .angle = 0.7f});
    add_at(world, body, cn_box(1, 0.5f), point(0.5, 0), 0, 2);
    add_at(world, body, cn_circle(0.5f), point(-1, 1), 0, 3);
    add_at(world, body, cn_capsule(point(-1, 0), point(1, 0), 0.25f), point(0, -2), PI / 2, 1);
    part sum = sum_of(box_part(1, 0.5, 2, 0.5, 0), disc_part(0.5, 3, -1, 1));
    sum = sum_of(sum, capsule_part(2, 0.25, 1, 0, -2));
    assert_mass(world, body, sum);
    assert_near((double)cn_body_position(world, body).x, 3, 1e-6); // the origin does not move
    assert_near((double)cn_body_position(world, body).y, 4, 1e-6);

    for (cn_motion_type type = CN_KINEMATIC; type <= CN_STATIC; type++) { // no mass in these types
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
    disc = cn_hull_at(disc, cn_pose_at(point(4, 0), 0));
    cn_shape second = cn_shape_create(world, body, &(cn_shape_def){.hull = disc});
    assert_mass(world, body, sum_of(box_part(1, 1, 1, 0, 0), disc_part(1, 1, 4, 0)));
    assert_done(cn_shape_set_density(world, first, 5));
    assert_mass(world, body, sum_of(box_part(1, 1, 5, 0, 0), disc_part(1, 1, 4, 0)));
    cn_hull flat = cn_box(2, 0.5f);
    assert_done(cn_shape_set_hull(world, first, flat));
    assert_mass(world, body, sum_of(box_part(2, 0.5, 5, 0, 0), disc_part(1, 1, 4, 0)));
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
    assert_near(motion_of(world, body).vx, -2 * sin(1), 1e-6); // w x r, with r = 1 m forward
    assert_near(motion_of(world, body).vy, 2 * cos(1), 1e-6);
    cn_world_destroy(world);
}

static void a_mass_set_by_hand_stays_until_it_is_reset(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(world, (cn_body_def){.position = {{1, 2}}}, brick());
    cn_mass_data own = {.mass = 10, .inertia = 3, .center = {{0.5f, -0.25f}}};
    assert_done(cn_body_set_mass_data(world, body, own));
    add_at(world, body, cn_circle(1), point(3, 3), 0, 7);
    assert_mass(world, body, (part){10, 3, 0.5, -0.25});
    assert_near(motion_of(world, body).x, 1.5, 1e-6);
    assert_near((double)cn_body_position(world, body).x, 1, 1e-6);
    assert_done(cn_body_apply_impulse(world, body, point(5, 0)));
    assert_near(motion_of(world, body).vx, 0.5, 1e-6);
    assert_done(cn_body_reset_mass(world, body));
    assert_mass(world, body, sum_of(box_part(0.5, 0.25, 4, 0, 0), disc_part(1, 7, 3, 3)));
    cn_world_destroy(world);
}

static void a_body_without_mass_is_a_point_of_one_kilogram(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body body = cn_body_create(world, &(cn_body_def){.position = {{1, 2}}});
    assert_mass(world, body, (part){1, 0, 0, 0});
    assert_done(cn_body_apply_impulse_at(world, body, point(3, 0), point(1, 5)));
    run(world, 60);
    double t = seconds_of(60);
    assert_near(motion_of(world, body).x, 1 + 3 * t, 1e-5);
    assert_near(motion_of(world, body).y, 2 - GRAVITY * t * t / 2, 1e-4);
    assert_true(motion_of(world, body).w == 0);
    cn_world_destroy(world);
}

// The mass of the shape that is left is too small for a float, so the body gets 1 kg.
static void a_body_keeps_a_mass_when_its_heavy_shape_is_destroyed(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_shape_def light = box_of(0.5f);
    light.density = 1e-40f;
    cn_body body = cn_body_create(world, &(cn_body_def){0});
    cn_shape heavy = cn_shape_create(world, body, &(cn_shape_def){.hull = cn_box(1, 1)});
    assert_done(cn_shape_create(world, body, &light).id != 0);
    assert_done(cn_shape_destroy(world, heavy));
    run(world, 10);
    assert_true(!cn_body_disabled(world, body));
    assert_near(mass_of(world, body), 1, 0);
    cn_world_destroy(world);
}

// Appending a shape continues the sum. Summing anew must give the same bits.
static void the_mass_of_appended_shapes_is_that_of_all_of_them(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = cn_body_create(world, &(cn_body_def){.angular_velocity = 1});
    for (int i = 0; i < 60; i++) {
        float x = (float)(i * 37 % 23) / 7 - 1, y = (float)(i * 29 % 19) / 3, size = 0.1f + x * x;
        cn_hull hull = i % 3 == 0   ? cn_circle(size)
                       : i % 3 == 1 ? cn_box(size, 1)
                                    : cn_regular_polygon(5, size);
        hull = cn_hull_at(hull, cn_pose_at((vec2s){{x, y}}, x));
        cn_shape_def def = {.hull = hull, .density = 1 + y, .massless = i % 7 == 3};
        cn_shape shape = cn_shape_create(world, body, &def);
        assert_true(shape.id != 0);
        cn_mass_data appended = cn_body_mass_data(world, body);
        assert_done(cn_body_reset_mass(world, body)); // sums anew
        cn_mass_data summed = cn_body_mass_data(world, body);
        assert_memory_equal(&appended, &summed, sizeof summed);
        if (i % 11 == 5) assert_done(cn_shape_destroy(world, shape));
    }
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mass_of_appended_shapes_is_that_of_all_of_them),
        cmocka_unit_test(a_compound_has_the_mass_of_its_parts),
        cmocka_unit_test(the_mass_follows_when_shapes_change),
        cmocka_unit_test(the_material_keeps_its_motion_when_the_centre_moves),
        cmocka_unit_test(a_mass_set_by_hand_stays_until_it_is_reset),
        cmocka_unit_test(a_body_without_mass_is_a_point_of_one_kilogram),
        cmocka_unit_test(a_body_keeps_a_mass_when_its_heavy_shape_is_destroyed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
