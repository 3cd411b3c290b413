/* Frames of cn_world_advance(): they are cut into steps, drawn poses lie between the steps, and the
 * stages of a step can be timed. */
#include "../../support/small_world.h"

static cn_world *make_moving(cn_body *body) {
    cn_world *world = cn_world_create(&(cn_world_def){.time_step = 0.125f, .max_steps = 3});
    *body = cn_body_create(world, &(cn_body_def){.velocity = {{8, 0}}});
    return world;
}

static void frames_are_cut_into_steps(void **state) {
    (void)state;
    cn_body body;
    cn_world *world = make_moving(&body);
    const double frames[] = {0.0625, 0.0625, 0.1875, 0.1875, 0, 0.125, 100, 0.0625};
    const int steps[] = {0, 1, 1, 2, 0, 1, 3, 0};
    const double rest[] = {0.5, 0, 0.5, 0, 0, 0, 0, 0.5};
    for (int i = 0, sum = 0; i < 8; i++) {
        assert_int_equal(cn_world_advance(world, (float)frames[i]), steps[i]);
        assert_near((double)cn_world_interpolation(world), rest[i], 1e-6);
        sum += steps[i];
        assert_int_equal(cn_world_counters(world).steps, sum);
        assert_vector(cn_body_position(world, body), sum, 0);
    }
    cn_world_destroy(world);
}

static void drawn_poses_lie_between_the_last_two_steps(void **state) {
    (void)state;
    cn_body body;
    cn_world *world = make_moving(&body);
    assert_done(cn_body_set_angular_velocity(world, body, 0.8f));
    cn_world_advance(world, 0.125f);
    for (int i = 0; i < 4; i++) {
        double t = i * 0.25;
        cn_pose drawn = cn_body_drawn_pose(world, body);
        assert_vector(drawn.position, t, 0);
        assert_near((double)cn_rotation_angle(drawn.rotation), 0.1 * t, 1e-4);
        cn_body_state bulk;
        cn_world_body_states(world, &bulk, 1, true);
        assert_memory_equal(&bulk.pose, &drawn, sizeof drawn);
        cn_world_advance(world, 0.03125f);
    }
    // A call that sets the pose is not interpolated, and neither are steps made by cn_world_step().
    assert_done(cn_body_set_pose(world, body, cn_pose_at(point(50, 0), 0)));
    assert_vector(cn_body_drawn_pose(world, body).position, 50, 0);
    run(world, 3);
    vec2s now = cn_body_position(world, body);
    assert_vector(cn_body_drawn_pose(world, body).position, (double)now.x, 0);
    assert_near((double)cn_world_interpolation(world), 1, 0);
    cn_world_destroy(world);
}

typedef struct {
    cn_body pushed, lift;
    int calls;
} driven;

// Applies 1 N to one body, and moves the lift at 3 m/s by targets. Within the callback a step, and
// the end of the world, are refused.
static void drive(cn_world *world, float time_step, void *user) {
    driven *d = user;
    d->calls++;
    assert_done(cn_body_apply_force(world, d->pushed, point(1, 0)));
    vec2s at = point(3 * (double)time_step * d->calls, 5);
    assert_done(cn_body_set_target(world, d->lift, cn_pose_at(at, 0), time_step));
    assert_false(cn_world_step(world, time_step));
    assert_int_equal(cn_error_code(), CN_ERROR_STATE);
    assert_int_equal(cn_world_advance(world, 1), -1);
    cn_world_destroy(world);
    assert_int_equal(cn_error_code(), CN_ERROR_STATE);
}

static void before_step_has_the_same_effect_at_any_frame_rate(void **state) {
    (void)state;
    for (int rate = 16; rate <= 256; rate *= 4) {
        cn_world *world = cn_world_create(&(cn_world_def){.time_step = 1.0f / 64});
        driven d = {.pushed = add_ball(world, 0, 0)};
        d.lift = add(world, (cn_body_def){.type = CN_KINEMATIC, .position = {{0, 5}}},
                     (cn_shape_def){.hull = ball});
        assert_done(
            cn_world_set_callbacks(world, (cn_callbacks){.before_step = drive, .user = &d}));
        for (int i = 0; i < rate; i++)
            assert_in_range(cn_world_advance(world, 1 / (float)rate), 0, 4);
        assert_int_equal(d.calls, 64);
        motion m = motion_of(world, d.pushed);
        assert_near(m.vx, 1 / mass_of(world, d.pushed), 1e-4);
        assert_near(motion_of(world, d.lift).x, 3, 1e-4);
        cn_world_destroy(world);
    }
}

// When frames came faster than twice the rate of the steps, the body once moved far past its
// target.
static void a_target_given_once_a_frame_is_followed(void **state) {
    (void)state;
    for (int rate = 30; rate <= 240; rate *= 2) {
        cn_world *world = make_world(0);
        cn_body lift = add(world, (cn_body_def){.type = CN_KINEMATIC}, box_of(0.5f));
        for (int i = 0; i < 2 * rate; i++) {
            double wanted = sin(3.0 * i / rate);
            assert_done(cn_body_set_target(world, lift, cn_pose_at(point(wanted, 0), 0),
                                           1.0f / (float)rate));
            assert_done(cn_world_advance(world, 1.0f / (float)rate) >= 0);
            assert_near(motion_of(world, lift).x, wanted, 0.12);
        }
        cn_world_destroy(world);
    }
}

static void count_errors(cn_error_kind kind, const char *text, void *user) {
    assert_int_equal(kind, CN_ERROR_HINT);
    assert_string_equal(text, cn_error());
    ++*(int *)user;
}

static void a_frame_of_more_than_a_second_gives_one_hint_in_each_world(void **state) {
    (void)state;
    int hints = 0;
    cn_error_set_hook(count_errors, &hints);
    for (int i = 0; i < 2; i++) {
        cn_world *world = cn_world_create(&(cn_world_def){.max_steps = 3});
        cn_error_clear();
        assert_int_equal(cn_world_advance(world, 1), 3);
        assert_string_equal(cn_error(), "");
        for (int k = 0; k < 3; k++) assert_int_equal(cn_world_advance(world, 16.5f), 3);
        assert_string_equal(cn_error(),
                            "cn_world_advance: frame_seconds is 16.5: milliseconds? The "
                            "time is in seconds");
        assert_int_equal(hints, i + 1);
        assert_int_equal(cn_world_counters(world).steps, 12);
        cn_world_destroy(world);
    }
    cn_error_set_hook(NULL, NULL);
    cn_error_clear();
}

static void a_profile_names_the_stages_of_the_last_step(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.profiling = true});
    add_ball(world, 0, 0);
    run(world, 1);
    cn_profile profile = cn_world_profile(world);
    double sum = 0;
    assert_in_range(profile.count, 3, CN_MAX_STAGES);
    for (int i = 0; i < profile.count; i++) {
        assert_true(strlen(profile.names[i]) > 0);
        sum += profile.seconds[i];
    }
    for (int i = profile.count; i < CN_MAX_STAGES; i++)
        assert_true(!profile.names[i] && profile.seconds[i] == 0);
    assert_near(profile.total, sum, 1e-9);
    assert_true(profile.total > 0 && profile.total < 1);
    assert_done(cn_world_set_profiling(world, false));
    run(world, 1);
    assert_int_equal(cn_world_profile(world).count, 0);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_cut_into_steps),
        cmocka_unit_test(drawn_poses_lie_between_the_last_two_steps),
        cmocka_unit_test(before_step_has_the_same_effect_at_any_frame_rate),
        cmocka_unit_test(a_target_given_once_a_frame_is_followed),
        cmocka_unit_test(a_frame_of_more_than_a_second_gives_one_hint_in_each_world),
        cmocka_unit_test(a_profile_names_the_stages_of_the_last_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
