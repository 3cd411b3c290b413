/* Explosions: the impulse on each shape, compared with closed formulas and with an outline of many
 * points, and the bodies that an explosion does not push. Shields are in test_blast_shields.c. */
#include "blasts.h"
#include "../../support/meter.h"
#include "../../support/refuse.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

// ---- size and direction

static void a_circle_gets_its_diameter_and_no_spin(void **state) {
    (void)state;
    for (int i = 0; i < 200; i++) {
        cn_world *world = make_world(0);
        double radius = 0.25 + 0.01 * (i % 40), distance = 0.05 * i + 0.02, angle = 0.7 * i;
        double far = i % 3 ? 0 : 1024;
        vec2s center =
            point(far + (radius + distance) * cos(angle), (radius + distance) * sin(angle) - far);
        cn_body body = add(world, (cn_body_def){.position = center, .angle = (float)i},
                           (cn_shape_def){.hull = cn_circle((float)radius), .density = 2});
        double size = 3 * 2 * radius * strength_at(distance);
        assert_explodes(world, blast_at(far, -far), distance < 6);
        impulse got = impulse_of(world, body);
        assert_near(got.x, size * cos(angle), far > 0 ? 2e-3 : 4e-6);
        assert_near(got.y, size * sin(angle), far > 0 ? 2e-3 : 4e-6);
        assert_true(got.turn == 0);
        cn_world_destroy(world);
    }
}

static void a_box_that_turns_a_face_gets_the_width_of_the_face(void **state) {
    (void)state;
    for (int side = 0; side < 4; side++)
        for (double distance = 0.5; distance < 8; distance += 0.5) {
            cn_world *world = make_world(0);
            double hx = 0.5, hy = 0.75, nx = (side == 0) - (side == 2),
                   ny = (side == 1) - (side == 3);
            cn_body box = add(world, (cn_body_def){0}, (cn_shape_def){.hull = cn_box(0.5f, 0.75f)});
            double from = distance + (nx != 0 ? hx : hy), width = nx != 0 ? 2 * hy : 2 * hx;
            double size = 3 * width * strength_at(distance);
            assert_explodes(world, blast_at(from * nx, from * ny), distance < 6);
            assert_impulse(world, box, -size * nx, -size * ny, 0);
            assert_true(motion_of(world, box).w == 0);
            cn_world_destroy(world);
        }
}

static void a_box_that_turns_a_corner_gets_its_diagonal(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body box = add(world, (cn_body_def){.angle = (float)(PI / 4)}, box_of(0.5f));
    assert_explodes(world, blast_at(-2, 0), 1);
    assert_impulse(world, box, 3 * sqrt(2), 0, 0);
    cn_world_destroy(world);
}

// The face is at y = 0, its middle at x = 0. The blast is beside the middle.
static void a_blast_beside_the_middle_of_a_face_spins_the_box(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body box = add_crate(world, 0, -0.5, 0.5);
    assert_explodes(world, blast_at(0.25, 1), 1);
    double length = hypot(0.25, 1), dx = -0.25 / length, dy = -1 / length;
    double size = 3 * (fabs(dx) + fabs(dy)); // the width of a unit square across this direction
    assert_impulse(world, box, size * dx, size * dy, -0.5 * size * dx);
    cn_world_destroy(world);
}

static void a_capsule_end_on_gets_its_thickness(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_hull hull = cn_capsule(point(-1, 0), point(1, 0), 0.25f);
    cn_body end_on =
        add(world, (cn_body_def){.position = point(2.5, 0)}, (cn_shape_def){.hull = hull});
    cn_body broadside =
        add(world, (cn_body_def){.position = point(0, 2)}, (cn_shape_def){.hull = hull});
    assert_explodes(world, blast_at(0, 0), 2);
    assert_impulse(world, end_on, 3 * 0.5, 0, 0);
    assert_impulse(world, broadside, 0, 3 * 2.5, 0);
    cn_world_destroy(world);
}

static void a_negative_impulse_pulls(void **state) {
    (void)state;
    cn_world *push = make_world(0), *pull = make_world(0);
    cn_body a = add_crate(push, 1, 0.4, 0.3), b = add_crate(pull, 1, 0.4, 0.3);
    cn_explosion e = blast_at(0, 0);
    assert_explodes(push, e, 1);
    e.impulse_per_length = -3;
    assert_explodes(pull, e, 1);
    motion m = motion_of(push, a), n = motion_of(pull, b);
    assert_true(m.vx > 0 && m.vx == -n.vx && m.vy == -n.vy && m.w == -n.w);
    cn_world_destroy(push);
    cn_world_destroy(pull);
}

static void without_a_falloff_the_strength_ends_at_the_radius(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body edge = add_crate(world, 2.5, 0, 0.5);
    cn_body beyond = add_crate(world, -2.5078125, 0, 0.5);
    cn_explosion e = blast_at(0, 0);
    e.falloff = 0;
    assert_explodes(world, e, 1);
    assert_impulse(world, edge, 3, 0, 0);
    assert_impulse(world, beyond, 0, 0, 0);
    e.radius = 0, e.falloff = 4;
    assert_explodes(world, e, 2);
    assert_impulse(world, edge, 3 + 1.5, 0, 0);
    cn_world_destroy(world);
}

// ---- any hull, against an outline of many points

static void check_some_hull(uint64_t *chance, int kind) {
    static double outline[MAX_OUTLINE][2];
    cn_world *world = make_world(0);
    cn_hull hull = some_hull(chance, kind);
    cn_body body = add(world, (cn_body_def){.angle = (float)random_between(chance, -3, 3)},
                       (cn_shape_def){.hull = hull});
    vec2s from = random_point_between(chance, -2, 2);
    cn_pose pose = cn_body_pose(world, body);
    int count = trace_outline(&hull, pose, outline);
    cn_explosion e = blast_at((double)from.x, (double)from.y);
    double middle[2];
    if (!cn_hull_contains(hull, cn_pose_local_point(pose, from)) &&
        find_facing(outline, count, from, middle)) {
        const cn_hull dot = cn_circle(0);
        cn_neighbor near = cn_world_nearest(world, dot, cn_pose_at(from, 0), 9, NULL);
        double dx = middle[0] - (double)from.x, dy = middle[1] - (double)from.y;
        double length = hypot(dx, dy), width = width_of(outline, count, dx / length, dy / length);
        double size = 3 * width * strength_at((double)near.gap.distance) / length;
        assert_explodes(world, e, 1);
        impulse got = impulse_of(world, body);
        motion m = motion_of(world, body);
        double turn = (middle[0] - m.x) * dy - (middle[1] - m.y) * dx;
        assert_near(got.x, size * dx, 5e-4 * size * length);
        assert_near(got.y, size * dy, 5e-4 * size * length);
        assert_near(got.turn, size * turn, 1e-3 * size * length);
    }
    cn_world_destroy(world);
}

static void any_hull_gets_the_impulse_of_its_facing_outline(void **state) {
    (void)state;
    uint64_t seed = 7, chance = seed;
    print_message("seed %d\n", (int)seed);
    for (int kind = 0; kind < 600; kind++) check_some_hull(&chance, kind);
}

// ---- in a shape

static void in_a_circle_the_impulse_grows_from_the_centre(void **state) {
    (void)state;
    for (int i = 1; i <= 8; i++) {
        cn_world *world = make_world(0);
        cn_body body = add(world, (cn_body_def){0}, (cn_shape_def){.hull = cn_circle(1)});
        assert_explodes(world, blast_at(0.125 * i, 0), 1);
        assert_impulse(world, body, -3 * 2 * 0.125 * i, 0, 0);
        cn_world_destroy(world);
    }
}

static void in_a_box_the_impulse_is_full_at_the_outline(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body box = add_crate(world, 0, 0, 1);
    assert_explodes(world, blast_at(0, 0.75), 1);
    assert_impulse(world, box, 0, -3 * 2 * 0.75, 0);
    assert_explodes(world, blast_at(0, 1), 1);
    assert_impulse(world, box, 0, -3 * 2 * 1.75, 0);
    assert_explodes(world, blast_at(1, 0), 1);
    assert_impulse(world, box, -3 * 2, -3 * 2 * 1.75, 0);
    cn_world_destroy(world);
}

static void a_blast_at_the_centroid_of_a_shape_does_not_push_it(void **state) {
    (void)state;
    const cn_hull hulls[] = {cn_circle(0.3f), cn_box(0.5f, 0.25f),
                             cn_rounded_box(0.5f, 0.25f, 0.1f),
                             cn_capsule(point(-1, 0), point(1, 0), 0.5f)};
    for (int i = 0; i < COUNT(hulls); i++) {
        cn_world *world = make_world(0);
        cn_body body = add(world, (cn_body_def){.position = point(3, -4), .angle = (float)i},
                           (cn_shape_def){.hull = hulls[i]});
        assert_explodes(world, blast_at(3, -4), 0);
        assert_impulse(world, body, 0, 0, 0);
        cn_world_destroy(world);
    }
    cn_world *world = make_world(0); // of a polygon, rounding is left
    cn_body body =
        add(world, (cn_body_def){.angle = 1}, (cn_shape_def){.hull = cn_regular_polygon(7, 1)});
    vec2s center = cn_body_center(world, body);
    cn_explosion e = blast_at((double)center.x, (double)center.y);
    cn_world_explode(world, &e);
    assert_impulse(world, body, 0, 0, 0);
    cn_world_destroy(world);
}

// ---- bodies of several shapes

// Two circles of 0.5 m, at (3, 1) and (3, -1), on one body that is heavier below.
static void the_impulses_of_the_shapes_of_a_body_add_up(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = cn_body_create(world, &(cn_body_def){.position = point(3, 0)});
    for (int i = 0; i < 2; i++) {
        cn_hull at = cn_hull_at(ball, cn_pose_at(point(0, i ? -1 : 1), 0));
        cn_shape_def def = {.hull = at, .density = i ? 3 : 1};
        assert_done(cn_shape_create(world, body, &def).id != 0);
    }
    double distance = sqrt(10), size = 3 * 1 * strength_at(distance - 0.5);
    double jx = size * 3 / distance, jy = size * 1 / distance, center_y = -0.5;
    assert_explodes(world, blast_at(0, 0), 1);
    assert_impulse(world, body, 2 * jx, 0, -(1 - center_y) * jx - (-1 - center_y) * jx);
    assert_true(jy > 0);
    cn_world_destroy(world);
}

// ---- bodies

static void only_enabled_dynamic_bodies_are_pushed(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    const cn_body_def defs[] = {{.type = CN_STATIC, .position = point(1, 1)},
                                {.type = CN_KINEMATIC, .position = point(-1, 1)},
                                {.disabled = true, .position = point(-1, -1)},
                                {.position = point(1, -1)}};
    cn_body bodies[4];
    for (int i = 0; i < 4; i++) bodies[i] = add(world, defs[i], box_of(0.5f));
    cn_body_create(world, &(cn_body_def){.position = point(0, 1)}); // without shapes
    assert_explodes(world, blast_at(0, 0), 1);
    for (int i = 0; i < 4; i++)
        assert_int_equal(hypot(motion_of(world, bodies[i]).vx, motion_of(world, bodies[i]).vy) > 0,
                         i == 3);
    cn_world_destroy(world);
}

static void locked_axes_stay_at_rest(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body_def def = {.position = point(1, 1.25), .lock_x = true, .lock_rotation = true};
    cn_body locked = add(world, def, box_of(0.5f));
    def = (cn_body_def){.position = point(-1, 1.25)};
    cn_body loose = add(world, def, box_of(0.5f));
    cn_body pinned =
        add(world, (cn_body_def){.position = point(0, -1), .lock_x = true, .lock_y = true},
            box_of(0.5f));
    assert_explodes(world, blast_at(0, 0), 3);
    motion m = motion_of(world, locked), n = motion_of(world, loose), p = motion_of(world, pinned);
    assert_true(m.vx == 0 && m.w == 0 && n.vx < 0 && n.w != 0);
    assert_true(m.vy == n.vy && m.vy > 0);
    assert_true(p.vx == 0 && p.vy == 0);
    cn_world_destroy(world);
}

static void only_sleepers_that_are_pushed_wake(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
    add_floor(world, (cn_material){0});
    cn_body near = add_crate(world, 2, 0.5, 0.5), far = add_crate(world, 12, 0.5, 0.5),
            shielded = add_crate(world, -4, 0.5, 0.5);
    add_wall(world, -2, 1, 0.1, 3);
    run(world, 120);
    assert_false(!cn_body_asleep(world, near) || !cn_body_asleep(world, far));
    assert_explodes(world, blocked_at(0, 0.5), 1);
    assert_true(!cn_body_asleep(world, near));
    assert_false(!cn_body_asleep(world, far) || !cn_body_asleep(world, shielded));
    run(world, 1);
    assert_true(motion_of(world, near).vx > 1);
    cn_world_destroy(world);
}

static void impulses_add_to_the_velocity(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body_def def = {.position = point(2, 0), .velocity = point(1, 5), .angular_velocity = 3};
    cn_body body = add(world, def, (cn_shape_def){.hull = ball});
    assert_explodes(world, blast_at(0, 0), 1);
    motion m = motion_of(world, body);
    assert_near(m.vx, 1 + 3 / mass_of(world, body), 1e-6);
    assert_true(m.vy == 5 && m.w == 3);
    cn_world_destroy(world);
}

// ---- mistakes and memory

static void bad_explosions_are_refused(void **state) {
    (void)state;
    cn_world *world = unchanged_world = make_world(0);
    add_crate(world, 1, 1, 0.5);
    cn_body stale = add_crate(world, 2, 2, 0.5);
    assert_done(cn_body_destroy(world, stale));
    const float odd[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        cn_explosion e[5];
        for (int k = 0; k < 5; k++) e[k] = blast_at(0, 0);
        e[0].position.x = e[1].position.y = e[2].radius = e[3].falloff = odd[i];
        e[4].impulse_per_length = odd[i];
        for (int k = 0; k < 5; k++) REFUSES(CN_ERROR_NUMBER, cn_world_explode(world, &e[k]));
    }
    cn_explosion e[6];
    for (int k = 0; k < 6; k++) e[k] = blast_at(0, 0);
    e[0].position.x = 2e9f, e[1].radius = -1, e[2].falloff = -1, e[3].radius = 2e9f;
    e[4].falloff = 2e9f, e[5].radius = e[5].falloff = 0;
    for (int k = 0; k < 6; k++) REFUSES(CN_ERROR_RANGE, cn_world_explode(world, &e[k]));
    cn_explosion good = blast_at(0, 0), ignores = good;
    ignores.query.ignore = stale;
    REFUSES(CN_ERROR_HANDLE, cn_world_explode(world, &ignores));
    REFUSES(CN_ERROR_HANDLE, cn_world_explode(world, NULL));
    REFUSES(CN_ERROR_HANDLE, cn_world_explode(NULL, &good));
    unchanged_world = NULL;
    cn_world_destroy(world);
}

// The first body could take the impulse, but the second is too light.
static void if_a_body_would_be_too_fast_no_body_is_pushed(void **state) {
    (void)state;
    cn_world *world = unchanged_world = make_world(0);
    add_crate(world, 1.5, 1.5, 0.75);
    cn_body light = add_crate(world, -2, 2, 0.5);
    assert_done(cn_body_set_mass_data(world, light, (cn_mass_data){.mass = 1e-20f, .inertia = 1}));
    cn_explosion e = blast_at(0, 0);
    REFUSES(CN_ERROR_RANGE, cn_world_explode(world, &e));
    e.impulse_per_length = 3e38f;
    REFUSES(CN_ERROR_NUMBER, cn_world_explode(world, &e));
    unchanged_world = NULL;
    cn_world_destroy(world);
}

static void a_blast_without_an_impulse_wakes_nothing(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){0});
    cn_body sleeper =
        add(world, (cn_body_def){.position = point(1, 0), .asleep = true}, box_of(0.5f));
    cn_explosion e = blast_at(0, 0);
    e.impulse_per_length = 0;
    assert_explodes(world, e, 0);
    assert_false(!cn_body_asleep(world, sleeper));
    cn_world_destroy(world);
}

static void repeated_explosions_allocate_nothing(void **state) {
    (void)state;
    meter m = {0};
    cn_world *world = cn_world_create(&(cn_world_def){.allocator = metered(&m)});
    for (int i = 0; i < 100; i++) add_mirrored(world, i, 1);
    cn_explosion e = blocked_at(0, 0);
    e.impulse_per_length = 0.001f;
    assert_true(cn_world_explode(world, &e) > 10);
    m.calls = 0;
    for (int i = 0; i < 5; i++) cn_world_explode(world, &e);
    assert_int_equal(m.calls, 0);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_circle_gets_its_diameter_and_no_spin),
        cmocka_unit_test(a_box_that_turns_a_face_gets_the_width_of_the_face),
        cmocka_unit_test(a_box_that_turns_a_corner_gets_its_diagonal),
        cmocka_unit_test(a_blast_beside_the_middle_of_a_face_spins_the_box),
        cmocka_unit_test(a_capsule_end_on_gets_its_thickness),
        cmocka_unit_test(a_negative_impulse_pulls),
        cmocka_unit_test(without_a_falloff_the_strength_ends_at_the_radius),
        cmocka_unit_test(any_hull_gets_the_impulse_of_its_facing_outline),
        cmocka_unit_test(in_a_circle_the_impulse_grows_from_the_centre),
        cmocka_unit_test(in_a_box_the_impulse_is_full_at_the_outline),
        cmocka_unit_test(a_blast_at_the_centroid_of_a_shape_does_not_push_it),
        cmocka_unit_test(the_impulses_of_the_shapes_of_a_body_add_up),
        cmocka_unit_test(only_enabled_dynamic_bodies_are_pushed),
        cmocka_unit_test(locked_axes_stay_at_rest),
        cmocka_unit_test(only_sleepers_that_are_pushed_wake),
        cmocka_unit_test(impulses_add_to_the_velocity),
        cmocka_unit_test(bad_explosions_are_refused),
        cmocka_unit_test(if_a_body_would_be_too_fast_no_body_is_pushed),
        cmocka_unit_test(a_blast_without_an_impulse_wakes_nothing),
        cmocka_unit_test(repeated_explosions_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
