/* Bodies that are created with shapes, changes of a body's type, and bodies that are disabled and
 * enabled again. */
#include "../../support/refuse.h"
#include "../../support/sleepers.h"

// ---- created with shapes

enum { PARTS = 5 };

// Shapes of all kinds, which make a body of any type.
static void make_parts(cn_shape_def parts[PARTS]) {
    const cn_hull box = cn_box(0.5f, 0.25f);
    parts[0] = (cn_shape_def){.hull = cn_segment(point(-1, 0), point(1, 0)), .user_data = 7};
    parts[1] =
        (cn_shape_def){.hull = cn_regular_polygon(5, 0.4f), .density = 2, .hit_events = true};
    parts[2] = (cn_shape_def){.hull = cn_circle(2), .massless = true, .sensor = true};
    parts[3] = (cn_shape_def){.hull = cn_hull_at(box, cn_pose_at(point(0.5, 0.3), 1)),
                              .material = {.friction = 0.2f, .rolling_resistance = 0.1f}};
    parts[4] =
        (cn_shape_def){.hull = cn_circle(0.3f), .filter = {.group = 4}, .no_collision = true};
}

// Creates bodies of all types, with their shapes at once or one by one.
static cn_world *make_twin(bool at_once) {
    cn_world *world = make_sleepy_world(10);
    cn_shape_def parts[PARTS];
    make_parts(parts);
    add_floor(world, (cn_material){0});
    for (int i = 0; i < 36; i++) {
        cn_body_def def = {.type = (cn_motion_type)(i % 3), .position = point(3 * i, 0.6)};
        def.angle = (float)i, def.disabled = i % 12 == 9, def.asleep = i % 4 == 2;
        if (i % 3 < 2) def.angular_velocity = (float)(i % 2);
        int first = i % 3 == 0, count = 1 + i % (PARTS - 1); // a dynamic body begins with a mass
        if (at_once) def.shapes = parts + first, def.shape_count = count;
        cn_body body = cn_body_create(world, &def);
        assert_true(body.id);
        for (int k = 0; k < count && !at_once; k++)
            assert_true(cn_shape_create(world, body, &parts[first + k]).id);
    }
    return world;
}

static void a_body_with_shapes_equals_one_that_gets_them_one_by_one(void **state) {
    (void)state;
    cn_world *a = make_twin(true), *b = make_twin(false);
    for (int i = 0; i < 100; i++) {
        assert_true(cn_world_hash(a) == cn_world_hash(b));
        run(a, 1), run(b, 1);
    }
    for (cn_shape s = {0}; (s = cn_world_next_shape(a, s)).id;)
        assert_true(cn_shape_user_data(a, s) == cn_shape_user_data(b, s));
    cn_world_destroy(a);
    cn_world_destroy(b);
}

// The first shape has no mass, so it could not be created first.
static void the_order_of_the_shapes_does_not_matter_for_the_mass(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    const cn_shape_def shapes[2] = {{.hull = cn_segment(point(-1, 0), point(1, 0))},
                                    {.hull = cn_box(0.5f, 0.5f), .density = 3}};
    cn_body body = cn_body_create(world, &(cn_body_def){.shapes = shapes, .shape_count = 2});
    assert_near(mass_of(world, body), 3, 1e-6);
    cn_body other = cn_body_create(world, &(cn_body_def){0});
    REFUSES(CN_ERROR_STATE, cn_shape_create(world, other, &shapes[0]));
    run(world, 10);
    assert_near(mass_of(world, body), 3, 1e-6);
    cn_world_destroy(world);
}

static void check_refused_shape(cn_world *world, const cn_shape_def *shapes, cn_error_kind kind,
                                const char *text) {
    for (int type = 0; type < 3; type++) {
        const cn_body_def def = {
            .type = (cn_motion_type)type, .shapes = shapes, .shape_count = 2, .user_data = 9};
        REFUSES(kind, cn_body_create(world, &def));
        if (!strstr(cn_error(), text)) print_error("%s\n", cn_error());
        assert_non_null(strstr(cn_error(), text));
    }
}

static void a_body_with_a_bad_shape_leaves_no_trace(void **state) {
    (void)state;
    cn_world *world = unchanged_world = make_world(10), *twin = make_world(10);
    const cn_hull box = cn_box(1, 1), none = cn_circle(-1);
    const cn_shape_def good = {.hull = box};
    check_refused_shape(world, (cn_shape_def[]){good, {.hull = box, .density = -1}}, CN_ERROR_RANGE,
                        "cn_body_create: shape 1: the density is -1");
    check_refused_shape(world, (cn_shape_def[]){{.hull = none}, good}, CN_ERROR_SHAPE,
                        "shape 0: the hull was not made (cn_circle: the radius is -1");
    check_refused_shape(world, (cn_shape_def[]){good, {.hull = box, .medium.density = 1}},
                        CN_ERROR_STATE, "shape 1: only a sensor can have a medium");
    check_refused_shape(world,
                        (cn_shape_def[]){good, {.hull = box, .sensor = true, .medium.density = -1}},
                        CN_ERROR_RANGE, "shape 1: the density of the medium is -1");
    check_refused_shape(world, NULL, CN_ERROR_HANDLE, "the array of shapes is NULL");
    REFUSES(CN_ERROR_RANGE,
            cn_body_create(world, &(cn_body_def){.shapes = &good, .shape_count = -1}));
    REFUSES(CN_ERROR_STATE, cn_body_create(world, &(cn_body_def){.shapes = &good}));
    const cn_shape_def light = {.hull = box, .massless = true};
    REFUSES(CN_ERROR_STATE,
            cn_body_create(world, &(cn_body_def){.shapes = &light, .shape_count = 1}));
    unchanged_world = NULL;
    cn_body a = cn_body_create(world, &(cn_body_def){.shapes = &good, .shape_count = 1});
    cn_body b = cn_body_create(twin, &(cn_body_def){.shapes = &good, .shape_count = 1});
    assert_true(a.id == b.id && first_shape(world, a).id == first_shape(twin, b).id);
    assert_true(cn_world_hash(world) == cn_world_hash(twin));
    cn_world_destroy(world);
    cn_world_destroy(twin);
}

// ---- type, enabled

static void a_body_can_change_its_type_at_any_time(void **state) {
    (void)state;
    for (int asleep = 0; asleep < 2; asleep++) {
        cn_world *world = make_sleepy_world(10);
        add_floor(world, (cn_material){0});
        cn_body below = add_box(world, (cn_body_def){.position = point(0, 0.5)});
        cn_body above = add_box(world, (cn_body_def){.position = point(0, 1.5)});
        const cn_motion_type types[] = {CN_STATIC,    CN_DYNAMIC, CN_KINEMATIC,
                                        CN_DYNAMIC,   CN_STATIC,  CN_KINEMATIC,
                                        CN_KINEMATIC, CN_STATIC,  CN_DYNAMIC};
        for (int i = 0; i < 9; i++) {
            run(world, asleep ? 90 : 5);
            assert_done(cn_body_set_type(world, below, types[i]));
            assert_int_equal(cn_body_type(world, below), types[i]);
            assert_int_equal(!cn_body_asleep(world, below), types[i] != CN_STATIC);
        }
        run(world, 120);
        assert_near((double)cn_body_position(world, below).y, 0.5, 0.01);
        assert_near((double)cn_body_position(world, above).y, 1.5, 0.02);
        cn_world_destroy(world);
    }
}

static void a_change_of_type_keeps_the_motion(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_shape_def arm = box_of(0.5f);
    arm.hull = cn_hull_at(arm.hull, cn_pose_at(point(2, 0), 0));
    cn_body body = add(world, (cn_body_def){.angular_velocity = 5}, arm);
    assert_done(cn_body_set_velocity(world, body, point(0, 0)));
    assert_done(cn_body_set_type(world, body, CN_KINEMATIC));
    assert_near((double)cn_body_velocity_at(world, body, point(2, 0)).y, 0, 1e-5);
    assert_done(cn_body_set_type(world, body, CN_DYNAMIC));
    assert_near((double)cn_body_velocity(world, body).y, 0, 1e-5);
    cn_world_destroy(world);
}

static void a_static_body_never_moves(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body body = add_floor(world, (cn_material){0});
    cn_pose before = cn_body_pose(world, body);
    assert_false(cn_body_apply_impulse(world, body, point(1, 1)));
    run(world, 60);
    cn_pose after = cn_body_pose(world, body);
    assert_memory_equal(&before, &after, sizeof before);
    cn_world_destroy(world);
}

static void a_disabled_body_keeps_its_state_and_touches_nothing(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world(10);
    add_floor(world, (cn_material){0});
    cn_body below = add_box(world, (cn_body_def){.position = point(0, 0.5)});
    cn_body above = add_box(world, (cn_body_def){.position = point(0, 1.5)});
    run(world, 90);
    assert_done(cn_body_set_disabled(world, below, true));
    assert_false(!cn_body_disabled(world, below) || !cn_body_asleep(world, below));
    assert_done(cn_body_set_velocity(world, below, point(1, 0)));
    double x = (double)cn_body_position(world, below).x;
    run(world, 60);
    assert_near((double)cn_body_position(world, above).y, 0.5, 0.02);
    assert_near((double)cn_body_position(world, below).x, x, 0);
    assert_near((double)cn_body_velocity(world, below).x, 1, 0);

    assert_done(cn_body_set_pose(world, below, cn_pose_at(point(5, 0.5), 0)));
    assert_done(cn_body_set_disabled(world, below, false));
    run(world, 60);
    assert_true((double)cn_body_position(world, below).x > 5.05);
    assert_near((double)cn_body_position(world, below).y, 0.5, 0.01);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_with_shapes_equals_one_that_gets_them_one_by_one),
        cmocka_unit_test(the_order_of_the_shapes_does_not_matter_for_the_mass),
        cmocka_unit_test(a_body_with_a_bad_shape_leaves_no_trace),
        cmocka_unit_test(a_body_can_change_its_type_at_any_time),
        cmocka_unit_test(a_change_of_type_keeps_the_motion),
        cmocka_unit_test(a_static_body_never_moves),
        cmocka_unit_test(a_disabled_body_keeps_its_state_and_touches_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
