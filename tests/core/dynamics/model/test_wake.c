/* Sleeping bodies wake: hits, changes of a body and of its surroundings, and changes that wake
 * none. */
#include "../../../support/crates.h"

// Two stacks asleep on a floor.
typedef struct {
    cn_world *world;
    cn_body floor;
    watch near, far;
} sleepers;

static sleepers make_sleepers(void) {
    sleepers s = {.world = make_sleepy_world(GRAVITY)};
    s.floor = add_floor(s.world, (cn_material){0});
    s.near = add_stack(s.world, 0, 3);
    s.far = add_stack(s.world, 20, 3);
    run_until_asleep(s.world, 600);
    return s;
}

static bool is_awake(const sleepers *s, const watch *stack) {
    for (int i = 0; i < stack->count; i++)
        if (cn_body_asleep(s->world, stack->bodies[i])) return false;
    return true;
}

// ---- hits and changes of the surroundings

static void a_hit_wakes_only_one_stack(void **state) {
    (void)state;
    sleepers s = make_sleepers();
    cn_body ball = add(s.world, (cn_body_def){.position = {{-5, 1.5f}}, .velocity = {{10, 2}}},
                       (cn_shape_def){.hull = cn_circle(0.4f), .density = 3});
    double before = motion_of(s.world, s.near.bodies[1]).x;
    run(s.world, 40);
    assert_true(!cn_body_asleep(s.world, ball) && is_awake(&s, &s.near));
    assert_false(is_awake(&s, &s.far));
    assert_true(motion_of(s.world, s.near.bodies[1]).x > before + 0.05);
    run_until_asleep(s.world, 3600);
    cn_world_destroy(s.world);
}

static void stacks_fall_when_their_floor_is_destroyed(void **state) {
    (void)state;
    sleepers s = make_sleepers();
    assert_done(cn_body_destroy(s.world, s.floor));
    run(s.world, 60);
    assert_true(is_awake(&s, &s.near) && is_awake(&s, &s.far));
    assert_near(motion_of(s.world, s.near.bodies[2]).vy, -GRAVITY * seconds_of(60), 0.2);
    cn_world_destroy(s.world);
}

static void a_stack_falls_when_its_lowest_crate_is_destroyed(void **state) {
    (void)state;
    sleepers s = make_sleepers();
    assert_done(cn_body_destroy(s.world, s.near.bodies[0]));
    run(s.world, 20);
    assert_true(!cn_body_asleep(s.world, s.near.bodies[1]));
    assert_true(!cn_body_asleep(s.world, s.near.bodies[2]));
    assert_false(is_awake(&s, &s.far));
    assert_true(motion_of(s.world, s.near.bodies[1]).y < 1.4);
    run_until_asleep(s.world, 600);
    assert_near(motion_of(s.world, s.near.bodies[1]).y, 0.5, 0.02);
    cn_world_destroy(s.world);
}

static void a_shape_created_against_a_sleeping_stack_wakes_it(void **state) {
    (void)state;
    sleepers s = make_sleepers();
    add(s.world, (cn_body_def){.type = CN_KINEMATIC, .position = {{0.6f, 0.5f}}},
        (cn_shape_def){.hull = cn_box(0.3f, 0.3f)});
    run(s.world, 2);
    assert_true(is_awake(&s, &s.near));
    assert_false(is_awake(&s, &s.far));
    cn_world_destroy(s.world);
}

static void a_floor_that_moves_away_wakes_the_bodies_on_it(void **state) {
    (void)state;
    sleepers s = make_sleepers();
    assert_done(cn_body_set_pose(s.world, s.floor, cn_pose_at(point(0, -4), 0)));
    run(s.world, 30);
    assert_true(is_awake(&s, &s.near) && is_awake(&s, &s.far));
    assert_true(motion_of(s.world, s.far.bodies[0]).y < 0);
    cn_world_destroy(s.world);
}

static void a_kinematic_body_that_starts_moving_wakes_its_load(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world(10);
    cn_body lift = add(world, (cn_body_def){.type = CN_KINEMATIC, .position = point(0, -1)},
                       (cn_shape_def){.hull = cn_box(3, 1)});
    cn_body load = add_box(world, (cn_body_def){.position = point(0, 0.5)});
    run(world, 90);
    assert_false(!cn_body_asleep(world, load));
    assert_done(cn_body_set_velocity(world, lift, point(0, 1)));
    run(world, 60);
    assert_true(!cn_body_asleep(world, load));
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

// ---- calls that change a body

typedef bool change(cn_world *world, cn_body body);

static bool push(cn_world *w, cn_body b) { return cn_body_apply_impulse(w, b, point(1, 0)); }
static bool press(cn_world *w, cn_body b) { return cn_body_apply_force(w, b, point(1, 0)); }
static bool twist(cn_world *w, cn_body b) { return cn_body_apply_torque(w, b, 1); }
static bool spin(cn_world *w, cn_body b) { return cn_body_apply_angular_impulse(w, b, 1); }
static bool move(cn_world *w, cn_body b) { return cn_body_set_velocity(w, b, point(0, 1)); }
static bool move_aside(cn_world *w, cn_body b) { return cn_body_set_velocity(w, b, point(1, 0)); }
static bool turn(cn_world *w, cn_body b) { return cn_body_set_angular_velocity(w, b, 1); }
static bool lift(cn_world *w, cn_body b) {
    return cn_body_set_pose(w, b, cn_pose_at(point(0, 5), 0));
}
static bool lift_above_stack(cn_world *w, cn_body b) {
    return cn_body_set_pose(w, b, cn_pose_at(point(0, 6), 0));
}
static bool wake(cn_world *w, cn_body b) { return cn_body_set_asleep(w, b, false); }
static bool disable(cn_world *w, cn_body b) { return cn_body_set_disabled(w, b, true); }
static bool make_static(cn_world *w, cn_body b) { return cn_body_set_type(w, b, CN_STATIC); }
static bool float_up(cn_world *w, cn_body b) { return cn_body_set_gravity_scale(w, b, -1); }
static bool set_mass(cn_world *w, cn_body b) {
    return cn_body_set_mass_data(w, b, (cn_mass_data){.mass = 9, .inertia = 2});
}
static bool set_density(cn_world *w, cn_body b) {
    return cn_shape_set_density(w, first_shape(w, b), 2);
}
static bool remove_friction(cn_world *w, cn_body b) {
    return cn_shape_set_material(w, first_shape(w, b), frictionless);
}
static bool shrink(cn_world *w, cn_body b) {
    cn_hull hull = cn_box(0.4f, 0.4f);
    return cn_shape_set_hull(w, first_shape(w, b), hull);
}
static bool set_filter(cn_world *w, cn_body b) {
    return cn_shape_set_filter(w, first_shape(w, b), (cn_filter){.mask = 2});
}
static bool stop_collisions(cn_world *w, cn_body b) {
    return cn_shape_set_no_collision(w, first_shape(w, b), true);
}
static bool destroy_floor(cn_world *w, cn_body b) {
    (void)b;
    return cn_body_destroy(w, cn_world_next_body(w, (cn_body){0}));
}
static bool lower_floor(cn_world *w, cn_body b) {
    (void)b;
    return cn_body_set_pose(w, cn_world_next_body(w, (cn_body){0}), cn_pose_at(point(0, -3), 0));
}
static bool turn_gravity(cn_world *w, cn_body b) {
    (void)b;
    return cn_world_set_gravity(w, point(1, 0));
}
static bool tilt_gravity(cn_world *w, cn_body b) {
    (void)b;
    return cn_world_set_gravity(w, point(1, -10));
}

// A box that has fallen asleep on the floor.
static cn_body add_sleeper(cn_world *world) {
    add_floor(world, (cn_material){0});
    cn_body body = add_box(world, (cn_body_def){.position = point(0, 0.5)});
    run(world, 90);
    assert_false(!cn_body_asleep(world, body));
    return body;
}

static void every_change_that_matters_wakes_a_body(void **state) {
    (void)state;
    change *const changes[] = {
        push, press,    twist,           spin,        move,          turn,        lift,
        wake, float_up, remove_friction, set_density, destroy_floor, lower_floor, turn_gravity};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        cn_world *world = make_sleepy_world(10);
        cn_body body = add_sleeper(world);
        assert_done(changes[i](world, body));
        assert_true(!cn_body_asleep(world, body));
        run(world, 1);
        assert_true(!cn_body_asleep(world, body));
        cn_world_destroy(world);
    }
}

// Any change of the box in the middle wakes the box on top of it.
static void changing_a_body_wakes_its_island(void **state) {
    (void)state;
    change *const changes[] = {
        push,    press,    twist,  move_aside, turn,        wake,         lift_above_stack,
        disable, set_mass, shrink, set_filter, make_static, tilt_gravity, stop_collisions};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        sleepers s = make_sleepers();
        assert_false(!cn_body_asleep(s.world, s.near.bodies[2]));
        assert_done(changes[i](s.world, s.near.bodies[1]));
        run(s.world, 2);
        if (cn_body_asleep(s.world, s.near.bodies[2])) {
            print_error("change %d did not wake the stack\n", (int)i);
            fail();
        }
        cn_world_destroy(s.world);
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
        assert_false(!cn_body_asleep(world, body));
        cn_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hit_wakes_only_one_stack),
        cmocka_unit_test(stacks_fall_when_their_floor_is_destroyed),
        cmocka_unit_test(a_stack_falls_when_its_lowest_crate_is_destroyed),
        cmocka_unit_test(a_shape_created_against_a_sleeping_stack_wakes_it),
        cmocka_unit_test(a_floor_that_moves_away_wakes_the_bodies_on_it),
        cmocka_unit_test(a_kinematic_body_that_starts_moving_wakes_its_load),
        cmocka_unit_test(a_crate_created_asleep_does_not_fall_through),
        cmocka_unit_test(every_change_that_matters_wakes_a_body),
        cmocka_unit_test(changing_a_body_wakes_its_island),
        cmocka_unit_test(a_change_without_effect_wakes_no_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
