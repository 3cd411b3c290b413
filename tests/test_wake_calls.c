/* Changes that wake sleeping bodies, and changes that do not. */
#include "sleepers.h"
#include "small_world.h"

typedef bool change(cn_world *world, cn_body body);

static bool push(cn_world *w, cn_body b) { return cn_body_apply_center_impulse(w, b, point(1, 0)); }
static bool press(cn_world *w, cn_body b) { return cn_body_apply_center_force(w, b, point(1, 0)); }
static bool twist(cn_world *w, cn_body b) { return cn_body_apply_torque(w, b, 1); }
static bool spin(cn_world *w, cn_body b) { return cn_body_apply_angular_impulse(w, b, 1); }
static bool move(cn_world *w, cn_body b) { return cn_body_set_velocity(w, b, point(0, 1)); }
static bool turn(cn_world *w, cn_body b) { return cn_body_set_angular_velocity(w, b, 1); }
static bool lift(cn_world *w, cn_body b) { return cn_body_set_pose(w, b, point(0, 5), 0); }
static bool wake(cn_world *w, cn_body b) { return cn_body_set_awake(w, b, true); }
static bool float_up(cn_world *w, cn_body b) { return cn_body_set_gravity_scale(w, b, -1); }
static bool grease(cn_world *w, cn_body b) {
    return cn_shape_set_material(w, first_shape(w, b), (cn_material){.frictionless = true});
}
static bool weigh(cn_world *w, cn_body b) { return cn_shape_set_density(w, first_shape(w, b), 2); }
static bool take_floor(cn_world *w, cn_body b) {
    (void)b;
    return cn_body_destroy(w, cn_world_next_body(w, (cn_body){0}));
}
static bool lower_floor(cn_world *w, cn_body b) {
    (void)b;
    return cn_body_set_pose(w, cn_world_next_body(w, (cn_body){0}), point(0, -3), 0);
}
static bool turn_gravity(cn_world *w, cn_body b) {
    (void)b;
    return cn_world_set_gravity(w, point(1, 0));
}

// A box that has fallen asleep on the floor.
static cn_body add_sleeper(cn_world *world) {
    add_floor(world, (cn_material){0});
    cn_body body = add_box(world, (cn_body_def){.position = point(0, 0.5)});
    run(world, 90);
    assert_false(cn_body_awake(world, body));
    return body;
}

static void every_change_that_matters_wakes_a_body(void **state) {
    (void)state;
    change *const changes[] = {push,  press,      twist,       spin,        move,
                               turn,  lift,       wake,        float_up,    grease,
                               weigh, take_floor, lower_floor, turn_gravity};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        cn_world *world = make_sleepy_world(10);
        cn_body body = add_sleeper(world);
        assert_done(changes[i](world, body));
        assert_true(cn_body_awake(world, body));
        run(world, 1);
        assert_true(cn_body_awake(world, body));
        cn_world_destroy(world);
    }
}

static bool stand_still(cn_world *w, cn_body b) { return cn_body_set_velocity(w, b, point(0, 0)); }
static bool stop_turning(cn_world *w, cn_body b) { return cn_body_set_angular_velocity(w, b, 0); }
static bool damp(cn_world *w, cn_body b) { return cn_body_set_damping(w, b, 1, 1); }
static bool name(cn_world *w, cn_body b) { return cn_body_set_user_data(w, b, 1); }
static bool build_far_away(cn_world *w, cn_body b) {
    (void)b;
    return add_box(w, (cn_body_def){.type = CN_STATIC, .position = point(50, 50)}).id != 0;
}

static void a_change_without_effect_wakes_no_body(void **state) {
    (void)state;
    change *const changes[] = {stand_still, stop_turning, damp, name, build_far_away};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        cn_world *world = make_sleepy_world(10);
        cn_body body = add_sleeper(world);
        assert_done(changes[i](world, body));
        run(world, 1);
        assert_false(cn_body_awake(world, body));
        cn_world_destroy(world);
    }
}

static void a_kinematic_body_that_starts_moving_wakes_its_load(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world(10);
    cn_body lift = add(world, (cn_body_def){.type = CN_KINEMATIC, .position = point(0, -1)},
                       (cn_shape_def){.hull = cn_box(3, 1)});
    cn_body load = add_box(world, (cn_body_def){.position = point(0, 0.5)});
    run(world, 90);
    assert_false(cn_body_awake(world, load));
    assert_done(cn_body_set_velocity(world, lift, point(0, 1)));
    run(world, 60);
    assert_true(cn_body_awake(world, load));
    assert_near((double)cn_body_position(world, load).y, 1.5, 0.02);
    cn_world_destroy(world);
}

// A new pair of two bodies at rest is dropped. It must come back when a contact wakes one of them.
static void a_crate_created_asleep_does_not_fall_through(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){0});
    add(world, (cn_body_def){.type = CN_KINEMATIC, .position = point(1, 0.5)}, box_of(0.5f));
    cn_body_def asleep = {.position = point(0, 0.5), .asleep = true};
    cn_body crate = add(world, asleep, box_of(0.5f));
    run(world, 120);
    assert_near((double)cn_body_position(world, crate).y, 0.5, 0.01);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_change_that_matters_wakes_a_body),
        cmocka_unit_test(a_change_without_effect_wakes_no_body),
        cmocka_unit_test(a_kinematic_body_that_starts_moving_wakes_its_load),
        cmocka_unit_test(a_crate_created_asleep_does_not_fall_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
