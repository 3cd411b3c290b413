/* Worlds whose lengths are not in metres, with a length unit and without the one they need. */
#include "../../../support/physics.h"

// Boxes of 32 pixels with gravity in pixels, but no length unit: overlap recovery and joints
// corrected errors at only a twentieth of a box a second.
static void a_stack_of_pixels_stands_without_a_length_unit(void **state) {
    (void)state;
    cn_world *world = make_world(980);
    add_floor(world, (cn_material){0});
    cn_body last = {0};
    for (int i = 0; i < 10; i++)
        last = add(world, (cn_body_def){.position = point(0, 16 + 32 * i)}, box_of(16));
    run(world, 600);
    motion m = motion_of(world, last);
    if (fabs(m.x) > 1 || fabs(m.y - 304) > 8) fail_msg("the last box is at %g, %g", m.x, m.y);
    cn_world_destroy(world);
}

// Motions after 2 s of a box that lands flat and sideways, and of a rod that hangs on a link
// without shapes.
typedef struct {
    motion box, rod;
} course;

// The motions in a world where a metre is `unit` units of length.
static course course_of(float unit) {
    cn_world *world =
        cn_world_create(&(cn_world_def){.gravity = {{0, -10 * unit}}, .length_unit = unit});
    double u = (double)unit;
    add(world, (cn_body_def){.type = CN_STATIC}, (cn_shape_def){.hull = cn_box(20 * unit, unit)});
    cn_body box =
        add(world, (cn_body_def){.position = point(0, 3 * u), .velocity = point(4 * u, 0)},
            (cn_shape_def){.hull = cn_box(0.25f * unit, 0.25f * unit),
                           .material = {.restitution = 0.5f}});
    cn_body hook = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    cn_body link = cn_body_create(world, &(cn_body_def){.position = point(u, 6 * u)});
    cn_body rod = add(world, (cn_body_def){.position = point(2 * u, 6 * u)}, box_of(0.5f * unit));
    cn_joint_def near = cn_revolute_joint(world, hook, link, point(0, 6 * u));
    cn_joint_def far = cn_revolute_joint(world, link, rod, point(u, 6 * u));
    assert_done(cn_joint_create(world, near).id && cn_joint_create(world, far).id);
    run(world, 120);
    course c = {motion_of(world, box), motion_of(world, rod)};
    cn_world_destroy(world);
    return c;
}

static void a_world_in_other_units_moves_in_the_same_way(void **state) {
    (void)state;
    const course metres = course_of(1);
    const float units[] = {32, 1.0f / 1024};
    for (int i = 0; i < 2; i++) {
        course c = course_of(units[i]);
        double u = (double)units[i];
        assert_near(c.box.x / u, metres.box.x, 0);
        assert_near(c.box.w, metres.box.w, 0);
        assert_near(c.rod.x / u, metres.rod.x, 0);
        assert_near(c.rod.y / u, metres.rod.y, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_of_pixels_stands_without_a_length_unit),
        cmocka_unit_test(a_world_in_other_units_moves_in_the_same_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
