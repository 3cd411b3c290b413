/* What was set can be read back: the settings of a world, its damping, user data, callbacks, the
 * greatest numbers of objects that it had, and the parts of a joint. */
#include "../../support/joints.h"
#include "../../support/meter.h"
#include "../../support/recordings.h"
#include "../../support/small_world.h"

// ---- settings

static void a_world_returns_its_definition(void **state) {
    (void)state;
    cn_world *plain = cn_world_create(&(cn_world_def){0});
    assert_near((double)cn_world_time_step(plain), 1.0 / 60, 1e-9);
    assert_int_equal(cn_world_max_steps(plain), 8);
    assert_int_equal(cn_world_threads(plain), 1);
    assert_near((double)cn_world_length_unit(plain), 1, 0);
    assert_true(!cn_world_profiling(plain) && !cn_world_tag(plain) && !cn_world_user_data(plain));
    cn_world_destroy(plain);
    cn_world *world = cn_world_create(&(cn_world_def){.time_step = 0.01f,
                                                      .max_steps = 3,
                                                      .threads = 3,
                                                      .length_unit = 50,
                                                      .tag = 7,
                                                      .profiling = true,
                                                      .user_data = UINT64_MAX});
    assert_near((double)cn_world_time_step(world), 0.01, 1e-9);
    assert_int_equal(cn_world_max_steps(world), 3);
    assert_int_equal(cn_world_threads(world), 3);
    assert_near((double)cn_world_length_unit(world), 50, 0);
    assert_int_equal(cn_world_tag(world), 7);
    assert_true(cn_world_user_data(world) == UINT64_MAX);
    assert_true(cn_world_profiling(world));
    assert_done(cn_world_set_profiling(world, false));
    assert_false(cn_world_profiling(world));
    cn_world_destroy(world);
}

// ---- user data

static void the_user_data_of_a_world_are_saved_but_not_hashed(void **state) {
    (void)state;
    static unsigned char bytes[20000];
    cn_world *world = make_world(10);
    add_ball(world, 0, 5);
    uint64_t hash = cn_world_hash(world);
    assert_done(cn_world_set_user_data(world, 42));
    assert_true(cn_world_hash(world) == hash);
    size_t size = cn_world_save(world, CN_SAVE_ALL, bytes, sizeof bytes);
    assert_in_range(size, 1, sizeof bytes);
    assert_done(cn_world_set_user_data(world, 43));
    cn_world *loaded = cn_world_load(&(cn_world_def){.user_data = 9}, NULL, bytes, size);
    assert_int_equal(cn_world_user_data(loaded), 42);
    assert_int_equal(cn_world_compare(world, loaded).part, CN_PART_NONE);
    assert_done(cn_world_restore(world, bytes, size));
    assert_int_equal(cn_world_user_data(world), 42);
    cn_world_destroy(loaded);
    cn_world_destroy(world);
}

static void a_replay_sets_the_user_data_and_damping_of_its_world(void **state) {
    (void)state;
    tape t;
    cn_world *world = make_world(10);
    add_ball(world, 0, 5);
    begin_tape(&t, world);
    assert_done(cn_world_set_user_data(world, 42));
    assert_done(cn_world_set_damping(world, 0.5f, 2));
    run(world, 20);
    assert_done(cn_recording_end(world));
    cn_replay *replay = open_tape(&t, (cn_world_def){0});
    while (!is_at_end(replay)) assert_done(cn_replay_next(replay));
    assert_int_equal(cn_world_user_data(cn_replay_world(replay)), 42);
    assert_near((double)cn_world_linear_damping(cn_replay_world(replay)), 0.5, 0);
    assert_false(cn_replay_desync(replay).found);
    cn_replay_destroy(replay);
    cn_world_destroy(world);
    free(t.bytes);
}

// ---- callbacks

static bool let_pass(cn_world *world, cn_shape a, cn_shape b, void *user) {
    (void)world, (void)a, (void)b, (void)user;
    return true;
}

static void before(cn_world *world, float time_step, void *user) {
    (void)world, (void)time_step, (void)user;
}

static bool are_callbacks(cn_callbacks a, cn_callbacks b) {
    return a.filter == b.filter && a.pre_solve == b.pre_solve && a.before_step == b.before_step &&
           a.user == b.user;
}

static void a_world_returns_the_users_callbacks_also_while_it_is_recorded(void **state) {
    (void)state;
    tape t;
    int user;
    const cn_callbacks none = {0}, first = {.filter = let_pass, .user = &user},
                       second = {.before_step = before, .user = &t};
    cn_world *world = make_world(10);
    assert_true(are_callbacks(cn_world_callbacks(world), none));
    assert_done(cn_world_set_callbacks(world, first));
    assert_true(are_callbacks(cn_world_callbacks(world), first));
    begin_tape(&t, world);
    assert_true(are_callbacks(cn_world_callbacks(world), first));
    assert_done(cn_world_set_callbacks(world, second));
    assert_true(are_callbacks(cn_world_callbacks(world), second));
    assert_done(cn_recording_end(world));
    assert_true(are_callbacks(cn_world_callbacks(world), second));
    cn_replay *replay = open_tape(&t, (cn_world_def){0});
    assert_true(are_callbacks(cn_world_callbacks(cn_replay_world(replay)), none));
    cn_replay_destroy(replay);
    cn_world_destroy(world);
    free(t.bytes);
}

// ---- damping

// A box that flies and turns, and one that swings on a hinge.
static void add_movers(cn_world *world, float linear, float angular) {
    cn_body_def def = {.velocity = point(3, 4), .angular_velocity = 2};
    def.linear_damping = linear, def.angular_damping = angular;
    add(world, def, box_of(0.5f));
    def.position = point(9, 0);
    cn_body hung = add(world, def, box_of(0.5f));
    cn_body hook = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    cn_joint_def hinge = cn_revolute_joint(world, hook, hung, point(9, 2));
    assert_done(cn_joint_create(world, hinge).id != 0);
}

// Rates that are exact floats add up exactly, so all motions have the same bits.
static void damping_of_the_world_adds_to_that_of_each_body(void **state) {
    (void)state;
    cn_world *a = cn_world_create(&(cn_world_def){.linear_damping = 0.5f, .angular_damping = 1});
    cn_world *b = cn_world_create(&(cn_world_def){0});
    add_movers(a, 0.25f, 0.5f);
    add_movers(b, 0.75f, 1.5f);
    for (int i = 0; i < 100; i++) {
        if (i == 50) assert_done(cn_world_set_damping(a, 0.5f, 1));
        run(a, 1);
        run(b, 1);
        cn_body p = {0}, q = {0};
        while ((p = cn_world_next_body(a, p)).id) {
            q = cn_world_next_body(b, q);
            motion m = motion_of(a, p), n = motion_of(b, q);
            assert_memory_equal(&m, &n, sizeof m);
        }
    }
    double decay = exp(-0.75 * seconds_of(100));
    assert_near(motion_of(a, cn_world_next_body(a, (cn_body){0})).vx, 3 * decay, 1e-4);
    cn_world_destroy(a);
    cn_world_destroy(b);
}

static void damping_of_the_world_is_saved_hashed_and_compared(void **state) {
    (void)state;
    static unsigned char bytes[20000];
    cn_world *a = make_world(10), *b = make_world(10);
    add_ball(a, 0, 5);
    add_ball(b, 0, 5);
    uint64_t plain = cn_world_hash(a);
    assert_done(cn_world_set_damping(a, 0.5f, 2));
    assert_near((double)cn_world_linear_damping(a), 0.5, 0);
    assert_near((double)cn_world_angular_damping(a), 2, 0);
    assert_true(cn_world_hash(a) != plain);
    assert_int_equal(cn_world_compare(a, b).part, CN_PART_SETTINGS);
    size_t size = cn_world_save(a, CN_SAVE_ALL, bytes, sizeof bytes);
    assert_done(cn_world_restore(b, bytes, size));
    run(a, 100);
    run(b, 100);
    assert_true(cn_world_hash(a) == cn_world_hash(b));
    assert_done(cn_world_set_damping(a, 0, 0));
    assert_int_equal(cn_world_compare(a, b).part, CN_PART_SETTINGS);
    cn_world_destroy(a);
    cn_world_destroy(b);
}

// The greatest rates stop a body, and the sum of two is no infinity.
static void the_greatest_damping_stops_a_body(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.linear_damping = FLT_MAX});
    cn_body body =
        add(world, (cn_body_def){.velocity = point(3, 4), .linear_damping = FLT_MAX}, box_of(0.5f));
    run(world, 2);
    assert_near(motion_of(world, body).vx, 0, 0);
    cn_world_destroy(world);
}

// ---- greatest numbers

static void assert_capacity(const cn_world *world, cn_capacity expected) {
    cn_capacity peak = cn_world_peak_capacity(world);
    assert_int_equal(peak.bodies, expected.bodies);
    assert_int_equal(peak.shapes, expected.shapes);
    assert_int_equal(peak.static_shapes, expected.static_shapes);
    assert_int_equal(peak.joints, expected.joints);
    assert_int_equal(peak.contacts, expected.contacts);
}

static void the_peak_counts_what_was_there_at_one_time(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    assert_capacity(world, (cn_capacity){0});
    cn_body floor = add_floor(world, frictionless);
    assert_done(cn_shape_create(world, floor, &(cn_shape_def){.hull = ball}).id != 0);
    cn_body a = add_ball(world, 0, 0.5), b = add_ball(world, 0, 1.5);
    cn_joint_def rope = cn_rope_joint(world, a, b, point(0, 0.5), point(0, 1.6));
    assert_done(cn_joint_create(world, rope).id != 0);
    run(world, 2);
    const cn_capacity both = {3, 2, 2, 1, cn_world_peak_capacity(world).contacts};
    assert_in_range(both.contacts, 1, 4);
    assert_capacity(world, both);
    assert_done(cn_body_destroy(world, b));
    run(world, 3);
    assert_done(add_ball(world, 50, 9).id != 0); // in its place
    assert_capacity(world, both);
    cn_world_destroy(world);
}

static void a_restore_does_not_lower_the_peak(void **state) {
    (void)state;
    static unsigned char bytes[20000];
    cn_world *world = make_world(0);
    add_ball(world, 0, 0);
    size_t size = cn_world_save(world, CN_SAVE_ALL, bytes, sizeof bytes);
    cn_rollback *rollback = cn_rollback_create(world, 2);
    assert_done(cn_rollback_keep(rollback, 0));
    for (int i = 1; i < 5; i++) add_ball(world, 5 * i, 0);
    assert_done(cn_rollback_rewind(rollback, 0));
    assert_capacity(world, (cn_capacity){.bodies = 5, .shapes = 5});
    assert_done(cn_world_restore(world, bytes, size));
    assert_capacity(world, (cn_capacity){.bodies = 5, .shapes = 5});
    cn_world *loaded = cn_world_load(&(cn_world_def){0}, NULL, bytes, size);
    assert_capacity(loaded, (cn_capacity){.bodies = 1, .shapes = 1});
    cn_rollback_destroy(rollback);
    cn_world_destroy(loaded);
    cn_world_destroy(world);
}

// Boxes fall on a heap, and a third of them is destroyed.
static void play(cn_world *world, meter *m) {
    cn_body bodies[60];
    m->calls = 0;
    add_floor(world, frictionless);
    for (int i = 0; i < 60; i++)
        bodies[i] = add(world, (cn_body_def){.position = point(i % 6 * 1.1, 1 + i / 6 * 1.3)},
                        box_of(0.5f));
    run(world, 200);
    for (int i = 0; i < 60; i += 3) assert_done(cn_body_destroy(world, bodies[i]));
    run(world, 200);
}

static void a_world_with_the_peak_of_another_one_allocates_nothing(void **state) {
    (void)state;
    meter m = {0};
    cn_world_def def = {.gravity = {{0, -10}}, .no_sleep = true, .allocator = metered(&m)};
    cn_world *first = cn_world_create(&def);
    play(first, &m);
    assert_true(m.calls > 0);
    def.capacity = cn_world_peak_capacity(first);
    cn_world_destroy(first);
    cn_world *second = cn_world_create(&def);
    play(second, &m);
    assert_int_equal(m.calls, 0);
    cn_world_destroy(second);
}

// ---- joints

static bool is_same_coordinate(cn_coordinate a, cn_coordinate b) {
    return a.mode == b.mode && a.lower == b.lower && a.upper == b.upper && a.target == b.target &&
           a.hertz == b.hertz && a.stiffness == b.stiffness && a.damping == b.damping &&
           a.motor == b.motor && a.motor_speed == b.motor_speed;
}

static void a_joint_returns_the_parts_of_its_definition(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body a = add_anchor(world, 0, 0), b = add_ball(world, 3, 4);
    cn_joint_def def = cn_prismatic_joint(world, a, b, point(1, 2), point(1, 1));
    def.x = (cn_coordinate){.mode = CN_LIMITED, .lower = -1, .upper = 2, .hertz = 3, .target = 1};
    def.x.motor = true, def.x.motor_speed = 0.5f;
    def.angle = (cn_coordinate){.mode = CN_FREE, .stiffness = 30, .damping = 2};
    def.break_force = 50, def.break_torque = 60, def.collide_connected = def.disabled = true;
    cn_joint joint = join(world, def);
    assert_true(cn_joint_bodies(world, joint).a.id == a.id);
    assert_true(cn_joint_bodies(world, joint).b.id == b.id);
    const cn_coordinate expected[] = {def.x, def.y, def.angle};
    for (int i = 0; i < 3; i++) {
        cn_joint_axis axis = (cn_joint_axis)i;
        assert_true(is_same_coordinate(cn_joint_coordinate(world, joint, axis), expected[i]));
        assert_true(cn_joint_target(world, joint, axis) == expected[i].target);
        assert_true(cn_joint_motor_speed(world, joint, axis) == expected[i].motor_speed);
    }
    assert_true(cn_joint_collide_connected(world, joint) && cn_joint_disabled(world, joint));
    assert_false(cn_joint_polar(world, joint));
    assert_near((double)cn_joint_break_force(world, joint), 50, 0);
    assert_near((double)cn_joint_break_torque(world, joint), 60, 0);
    cn_pose frames[] = {cn_joint_frame(world, joint, CN_A), cn_joint_frame(world, joint, CN_B)};
    assert_memory_equal(&frames[0], &def.frame_a, sizeof(cn_pose));
    assert_memory_equal(&frames[1], &def.frame_b, sizeof(cn_pose));
    cn_world_destroy(world);
}

static void an_anchor_moves_to_a_point_of_the_world(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body a = cn_body_create(world, &(cn_body_def){.position = point(1, 2), .angle = 0.7f});
    cn_body b = add_ball(world, 4, 4);
    cn_joint joint = join(world, cn_prismatic_joint(world, a, b, point(3, 3), point(1, 1)));
    for (int k = 0; k < 2; k++) {
        cn_which which = (cn_which)k;
        assert_vector(cn_joint_anchor(world, joint, which), 3, 3);
        cn_pose before = cn_joint_frame(world, joint, which);
        assert_done(cn_joint_set_anchor(world, joint, which, point(5, -1 - k)));
        cn_pose after = cn_joint_frame(world, joint, which);
        assert_vector(cn_joint_anchor(world, joint, which), 5, -1 - k);
        assert_memory_equal(&before.rotation, &after.rotation, sizeof before.rotation);
        vec2s local = cn_pose_local_point(cn_body_pose(world, k ? b : a), point(5, -1 - k));
        assert_vector(after.position, (double)local.x, (double)local.y);
    }
    cn_world_destroy(world);
}

static void a_mouse_joint_drags_a_sleeping_body_to_its_anchor(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){0});
    cn_body hand = add_anchor(world, 7, 7), box = add_ball(world, 0, 0);
    cn_joint joint = join(world, cn_mouse_joint(world, hand, box, point(0, 0)));
    run(world, 60);
    assert_false(!cn_body_asleep(world, box));
    assert_done(cn_joint_set_anchor(world, joint, CN_A, point(3, -2)));
    assert_true(!cn_body_asleep(world, box));
    run(world, 300);
    assert_near(motion_of(world, box).x, 3, 0.01);
    assert_near(motion_of(world, box).y, -2, 0.01);
    cn_world_destroy(world);
}

static void bad_axes_sides_and_points_of_joints_are_refused(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body anchor = add_anchor(world, 0, 0), disc = add_ball(world, 1, 0);
    cn_joint joint = join(world, cn_weld_joint(world, anchor, disc, point(0, 0)));
    assert_true(cn_joint_target(world, joint, (cn_joint_axis)3) == 0);
    assert_int_equal(cn_error_code(), CN_ERROR_RANGE);
    assert_non_null(strstr(cn_error(), "cn_joint_target: the axis is 3"));
    cn_error_clear();
    assert_true(isnan(cn_joint_frame(world, joint, (cn_which)2).rotation.c));
    assert_int_equal(cn_error_code(), CN_ERROR_RANGE);
    cn_error_clear();
    assert_false(cn_joint_set_anchor(world, joint, (cn_which)-1, point(0, 0)));
    assert_int_equal(cn_error_code(), CN_ERROR_RANGE);
    assert_false(cn_joint_set_anchor(world, joint, CN_A, point(NAN, 0)));
    assert_int_equal(cn_error_code(), CN_ERROR_NUMBER);
    assert_vector(cn_joint_anchor(world, joint, CN_A), 0, 0);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_returns_its_definition),
        cmocka_unit_test(the_user_data_of_a_world_are_saved_but_not_hashed),
        cmocka_unit_test(a_replay_sets_the_user_data_and_damping_of_its_world),
        cmocka_unit_test(a_world_returns_the_users_callbacks_also_while_it_is_recorded),
        cmocka_unit_test(damping_of_the_world_adds_to_that_of_each_body),
        cmocka_unit_test(damping_of_the_world_is_saved_hashed_and_compared),
        cmocka_unit_test(the_greatest_damping_stops_a_body),
        cmocka_unit_test(the_peak_counts_what_was_there_at_one_time),
        cmocka_unit_test(a_restore_does_not_lower_the_peak),
        cmocka_unit_test(a_world_with_the_peak_of_another_one_allocates_nothing),
        cmocka_unit_test(a_joint_returns_the_parts_of_its_definition),
        cmocka_unit_test(an_anchor_moves_to_a_point_of_the_world),
        cmocka_unit_test(a_mouse_joint_drags_a_sleeping_body_to_its_anchor),
        cmocka_unit_test(bad_axes_sides_and_points_of_joints_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
