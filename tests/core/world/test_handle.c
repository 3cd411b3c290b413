/* Bad handles: every function that takes a world, a body or a shape refuses NULL, null handles,
 * stale handles (also after their slot is in use again) and handles of a world with another tag. */
#include "../../support/refuse.h"

// ---- every function

static void refuse_body_reads(const cn_world *w, cn_body b) {
    REFUSES(CN_ERROR_HANDLE, cn_body_type(w, b));
    REFUSES(CN_ERROR_HANDLE, cn_body_pose(w, b));
    REFUSES(CN_ERROR_HANDLE, cn_body_position(w, b));
    REFUSES(CN_ERROR_HANDLE, cn_body_bounds(w, b));
    REFUSES(CN_ERROR_HANDLE, cn_body_angle(w, b));
    REFUSES(CN_ERROR_HANDLE, cn_body_center(w, b));
    REFUSES(CN_ERROR_HANDLE, cn_body_drawn_pose(w, b));
    REFUSES(CN_ERROR_HANDLE, cn_body_velocity(w, b));
    REFUSES(CN_ERROR_HANDLE, cn_body_angular_velocity(w, b));
    REFUSES(CN_ERROR_HANDLE, cn_body_velocity_at(w, b, point(1, 2)));
    REFUSES(CN_ERROR_HANDLE, cn_body_mass_data(w, b));
    REFUSES(CN_ERROR_HANDLE, cn_body_linear_damping(w, b));
    REFUSES(CN_ERROR_HANDLE, cn_body_angular_damping(w, b));
    REFUSES(CN_ERROR_HANDLE, cn_body_gravity_scale(w, b));
    REFUSES(CN_ERROR_HANDLE, cn_body_max_speed(w, b));
    REFUSES(CN_ERROR_HANDLE, cn_body_asleep(w, b));
    REFUSES(CN_ERROR_HANDLE, cn_body_no_sleep(w, b));
    REFUSES(CN_ERROR_HANDLE, cn_body_sleep_speed(w, b));
    REFUSES(CN_ERROR_HANDLE, cn_body_disabled(w, b));
    REFUSES(CN_ERROR_HANDLE, cn_body_bullet(w, b));
    REFUSES(CN_ERROR_HANDLE, cn_body_user_data(w, b));
    REFUSES(CN_ERROR_HANDLE, cn_body_next_shape(w, b, (cn_shape){0}));
    bool x = true, y = true, rotation = true;
    before_call before = prepare_refusal(CN_ERROR_HANDLE);
    cn_body_locks(w, b, &x, &y, &rotation);
    check_refusal(before, !x && !y && !rotation, CN_ERROR_HANDLE, "cn_body_locks", __FILE__,
                  __LINE__);
}

static void refuse_body_changes(cn_world *w, cn_body b) {
    cn_shape_def shape = {.hull = cn_circle(1)};
    REFUSES(CN_ERROR_HANDLE, cn_body_destroy(w, b));
    REFUSES(CN_ERROR_HANDLE, cn_body_set_type(w, b, CN_KINEMATIC));
    REFUSES(CN_ERROR_HANDLE, cn_body_set_pose(w, b, cn_pose_at(point(1, 2), 3)));
    REFUSES(CN_ERROR_HANDLE, cn_body_set_position(w, b, point(1, 2)));
    REFUSES(CN_ERROR_HANDLE, cn_body_set_target(w, b, cn_pose_at(point(1, 2), 3), 4));
    REFUSES(CN_ERROR_HANDLE, cn_body_set_velocity(w, b, point(1, 2)));
    REFUSES(CN_ERROR_HANDLE, cn_body_set_angular_velocity(w, b, 1));
    REFUSES(CN_ERROR_HANDLE, cn_body_apply_force_at(w, b, point(1, 2), point(3, 4)));
    REFUSES(CN_ERROR_HANDLE, cn_body_apply_force(w, b, point(1, 2)));
    REFUSES(CN_ERROR_HANDLE, cn_body_apply_torque(w, b, 1));
    REFUSES(CN_ERROR_HANDLE, cn_body_apply_impulse_at(w, b, point(1, 2), point(3, 4)));
    REFUSES(CN_ERROR_HANDLE, cn_body_apply_impulse(w, b, point(1, 2)));
    REFUSES(CN_ERROR_HANDLE, cn_body_apply_angular_impulse(w, b, 1));
    REFUSES(CN_ERROR_HANDLE, cn_body_set_mass_data(w, b, (cn_mass_data){.mass = 1}));
    REFUSES(CN_ERROR_HANDLE, cn_body_reset_mass(w, b));
    REFUSES(CN_ERROR_HANDLE, cn_body_set_damping(w, b, 1, 2));
    REFUSES(CN_ERROR_HANDLE, cn_body_set_gravity_scale(w, b, 2));
    REFUSES(CN_ERROR_HANDLE, cn_body_set_max_speed(w, b, 2));
    REFUSES(CN_ERROR_HANDLE, cn_body_set_locks(w, b, true, true, true));
    REFUSES(CN_ERROR_HANDLE, cn_body_set_asleep(w, b, true));
    REFUSES(CN_ERROR_HANDLE, cn_body_set_no_sleep(w, b, true));
    REFUSES(CN_ERROR_HANDLE, cn_body_set_sleep_speed(w, b, 1));
    REFUSES(CN_ERROR_HANDLE, cn_body_set_disabled(w, b, true));
    REFUSES(CN_ERROR_HANDLE, cn_body_set_bullet(w, b, true));
    REFUSES(CN_ERROR_HANDLE, cn_body_drop_through(w, b, 1));
    REFUSES(CN_ERROR_HANDLE, cn_body_contacts(w, b, NULL, 0));
    REFUSES(CN_ERROR_HANDLE, cn_body_touches(w, b, b));
    REFUSES(CN_ERROR_HANDLE, cn_body_ground(w, b, point(0, 1), 0.8f));
    REFUSES(CN_ERROR_HANDLE, cn_body_set_user_data(w, b, 1));
    REFUSES(CN_ERROR_HANDLE, cn_shape_create(w, b, &shape));
}

static void refuse_shape_calls(cn_world *w, cn_shape s) {
    cn_hull hull = cn_circle(1);
    REFUSES(CN_ERROR_HANDLE, cn_shape_destroy(w, s));
    REFUSES(CN_ERROR_HANDLE, cn_shape_body(w, s));
    REFUSES(CN_ERROR_HANDLE, cn_shape_hull(w, s));
    REFUSES(CN_ERROR_HANDLE, cn_shape_set_hull(w, s, hull));
    REFUSES(CN_ERROR_HANDLE, cn_shape_density(w, s));
    REFUSES(CN_ERROR_HANDLE, cn_shape_set_density(w, s, 2));
    REFUSES(CN_ERROR_HANDLE, cn_shape_material(w, s));
    REFUSES(CN_ERROR_HANDLE, cn_shape_set_material(w, s, (cn_material){.friction = 1}));
    REFUSES(CN_ERROR_HANDLE, cn_shape_filter(w, s));
    REFUSES(CN_ERROR_HANDLE, cn_shape_set_filter(w, s, (cn_filter){1, 2, 3}));
    REFUSES(CN_ERROR_HANDLE, cn_shape_no_collision(w, s));
    REFUSES(CN_ERROR_HANDLE, cn_shape_set_no_collision(w, s, true));
    REFUSES(CN_ERROR_HANDLE, cn_shape_hit_events(w, s));
    REFUSES(CN_ERROR_HANDLE, cn_shape_set_hit_events(w, s, true));
    REFUSES(CN_ERROR_HANDLE, cn_shape_no_touch_events(w, s));
    REFUSES(CN_ERROR_HANDLE, cn_shape_set_no_touch_events(w, s, false));
    REFUSES(CN_ERROR_HANDLE, cn_shape_custom_filter(w, s));
    REFUSES(CN_ERROR_HANDLE, cn_shape_set_custom_filter(w, s, true));
    REFUSES(CN_ERROR_HANDLE, cn_shape_pre_solve(w, s));
    REFUSES(CN_ERROR_HANDLE, cn_shape_set_pre_solve(w, s, true));
    REFUSES(CN_ERROR_HANDLE, cn_shape_sensor(w, s));
    REFUSES(CN_ERROR_HANDLE, cn_shape_set_sensor(w, s, true));
    REFUSES(CN_ERROR_HANDLE, cn_sensor_shapes(w, s, NULL, 0));
    REFUSES(CN_ERROR_HANDLE, cn_shape_medium(w, s));
    REFUSES(CN_ERROR_HANDLE, cn_shape_set_medium(w, s, (cn_medium){.density = 1}));
    REFUSES(CN_ERROR_HANDLE, cn_shape_one_way(w, s));
    REFUSES(CN_ERROR_HANDLE, cn_shape_set_one_way(w, s, point(0, 1)));
    REFUSES(CN_ERROR_HANDLE, cn_shape_set_user_data(w, s, 1));
    REFUSES(CN_ERROR_HANDLE, cn_shape_user_data(w, s));
    REFUSES(CN_ERROR_HANDLE, cn_shape_bounds(w, s));
    REFUSES(CN_ERROR_HANDLE, cn_shape_contains(w, s, point(0, 0)));
    REFUSES(CN_ERROR_HANDLE, cn_shape_closest_point(w, s, point(0, 0)));
    REFUSES(CN_ERROR_HANDLE, cn_shape_cast_ray(w, s, point(0, 0), point(1, 0)));
}

static void refuse_world_calls(cn_world *w) {
    cn_body_def body = {0};
    cn_contact contact;
    cn_body_state state;
    cn_tuning tuning = {.slop = 1};
    cn_drawing drawing;
    REFUSES(CN_ERROR_HANDLE, cn_world_step(w, STEP));
    REFUSES(CN_ERROR_HANDLE, cn_world_advance(w, STEP) + 1);
    REFUSES(CN_ERROR_HANDLE, cn_world_interpolation(w));
    REFUSES(CN_ERROR_HANDLE, cn_world_set_gravity(w, point(1, 2)));
    REFUSES(CN_ERROR_HANDLE, cn_world_gravity(w));
    REFUSES(CN_ERROR_HANDLE, cn_world_set_substeps(w, 2));
    REFUSES(CN_ERROR_HANDLE, cn_world_substeps(w));
    REFUSES(CN_ERROR_HANDLE, cn_world_set_no_sleep(w, false));
    REFUSES(CN_ERROR_HANDLE, cn_world_no_sleep(w));
    REFUSES(CN_ERROR_HANDLE, cn_world_set_damping(w, 1, 1));
    REFUSES(CN_ERROR_HANDLE, cn_world_linear_damping(w));
    REFUSES(CN_ERROR_HANDLE, cn_world_angular_damping(w));
    REFUSES(CN_ERROR_HANDLE, cn_world_set_user_data(w, 1));
    REFUSES(CN_ERROR_HANDLE, cn_world_user_data(w));
    REFUSES(CN_ERROR_HANDLE, cn_world_threads(w));
    REFUSES(CN_ERROR_HANDLE, cn_world_time_step(w));
    REFUSES(CN_ERROR_HANDLE, cn_world_max_steps(w));
    REFUSES(CN_ERROR_HANDLE, cn_world_length_unit(w));
    REFUSES(CN_ERROR_HANDLE, cn_world_profiling(w));
    REFUSES(CN_ERROR_HANDLE, cn_world_bounds(w));
    REFUSES(CN_ERROR_HANDLE, cn_world_tuning(w));
    REFUSES(CN_ERROR_HANDLE, cn_world_set_tuning(w, tuning));
    REFUSES(CN_ERROR_HANDLE, cn_body_create(w, &body));
    REFUSES(CN_ERROR_HANDLE, cn_world_body_in_slot(w, 0));
    REFUSES(CN_ERROR_HANDLE, cn_world_shape_in_slot(w, 0));
    REFUSES(CN_ERROR_HANDLE, cn_world_joint_in_slot(w, 0));
    REFUSES(CN_ERROR_HANDLE, cn_world_grid_in_slot(w, 0));
    REFUSES(CN_ERROR_HANDLE, cn_world_chain_in_slot(w, 0));
    REFUSES(CN_ERROR_HANDLE, cn_world_next_body(w, (cn_body){0}));
    REFUSES(CN_ERROR_HANDLE, cn_world_next_shape(w, (cn_shape){0}));
    REFUSES(CN_ERROR_HANDLE, cn_world_events(w));
    REFUSES(CN_ERROR_HANDLE, cn_world_contacts(w, &contact, 1));
    REFUSES(CN_ERROR_HANDLE, cn_world_set_callbacks(w, (cn_callbacks){0}));
    REFUSES(CN_ERROR_HANDLE, cn_world_body_states(w, &state, 1, false));
    REFUSES(CN_ERROR_HANDLE, cn_world_energy(w));
    REFUSES(CN_ERROR_HANDLE, cn_world_counters(w));
    REFUSES(CN_ERROR_HANDLE, cn_world_set_profiling(w, true));
    REFUSES(CN_ERROR_HANDLE, cn_world_profile(w));
    REFUSES(CN_ERROR_HANDLE, cn_world_hash(w));
    REFUSES(CN_ERROR_HANDLE, cn_world_draw(w, CN_DRAW_ALL, &drawing));
}

// ---- a world with a body in use and a destroyed one

typedef struct {
    cn_world *world;
    cn_body body, old_body;
    cn_shape shape, old_shape;
} stage;

static stage make_stage(uint8_t tag) {
    cn_shape_def shape = {.hull = cn_box(1, 1)};
    stage s = {.world = cn_world_create(&(cn_world_def){.tag = tag})};
    assert_non_null(s.world);
    s.body = add(s.world, (cn_body_def){0}, shape);
    s.shape = first_shape(s.world, s.body);
    s.old_body = add(s.world, (cn_body_def){.position = {{9, 0}}}, shape);
    s.old_shape = first_shape(s.world, s.old_body);
    assert_done(cn_body_destroy(s.world, s.old_body));
    unchanged_world = s.world;
    return s;
}

static void end_stage(stage *s) {
    unchanged_world = NULL;
    cn_world_destroy(s->world);
}

static cn_body add_static_body(cn_world *world) {
    return cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
}

static void refuse_body(stage *s, cn_body body) {
    refuse_body_reads(s->world, body);
    refuse_body_changes(s->world, body);
}

static void no_call_takes_a_null_world(void **state) {
    (void)state;
    stage s = make_stage(0);
    refuse_world_calls(NULL);
    refuse_body_reads(NULL, s.body);
    refuse_body_changes(NULL, s.body);
    refuse_shape_calls(NULL, s.shape);
    cn_world_destroy(NULL);
    end_stage(&s);
}

static void no_call_takes_a_null_handle(void **state) {
    (void)state;
    stage s = make_stage(0);
    refuse_body(&s, (cn_body){0});
    refuse_shape_calls(s.world, (cn_shape){0});
    end_stage(&s);
}

static void no_call_takes_the_handle_of_a_destroyed_object(void **state) {
    (void)state;
    stage s = make_stage(0);
    refuse_body(&s, s.old_body);
    refuse_shape_calls(s.world, s.old_shape);
    REFUSES(CN_ERROR_HANDLE, cn_world_next_body(s.world, s.old_body));
    REFUSES(CN_ERROR_HANDLE, cn_world_next_shape(s.world, s.old_shape));
    REFUSES(CN_ERROR_HANDLE, cn_body_next_shape(s.world, s.body, s.old_shape));
    end_stage(&s);
}

static void no_call_takes_an_old_handle_of_a_slot_in_use(void **state) {
    (void)state;
    stage s = make_stage(0);
    run(s.world, 2);
    cn_body body = add(s.world, (cn_body_def){0}, (cn_shape_def){.hull = cn_circle(1)});
    cn_shape shape = first_shape(s.world, body);
    assert_int_equal(body.id & 0xFFFFFF, s.old_body.id & 0xFFFFFF);
    assert_int_equal(shape.id & 0xFFFFFF, s.old_shape.id & 0xFFFFFF);
    refuse_body(&s, s.old_body);
    refuse_shape_calls(s.world, s.old_shape);
    end_stage(&s);
}

static void no_call_takes_a_handle_of_a_world_with_another_tag(void **state) {
    (void)state;
    stage other = make_stage(7), s = make_stage(3);
    refuse_body(&s, other.body);
    refuse_shape_calls(s.world, other.shape);
    REFUSES(CN_ERROR_HANDLE, cn_world_next_body(s.world, other.body));
    end_stage(&other);
    end_stage(&s);
}

static void no_call_takes_a_made_up_handle(void **state) {
    (void)state;
    stage s = make_stage(0);
    const uint64_t ids[] = {
        UINT64_MAX,        1,       (uint64_t)1 << 32 | 0xFFFF, (uint64_t)2 << 32 | 1,
        (uint64_t)2 << 32, 0xFFFFFF};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        refuse_body(&s, (cn_body){ids[i]});
        refuse_shape_calls(s.world, (cn_shape){ids[i]});
    }
    end_stage(&s);
}

// ---- the text of the error

static void check_error_of(const cn_world *w, cn_body b, const char *expected) {
    assert_true(cn_body_position(w, b).x == 0);
    assert_string_equal(cn_error(), expected);
}

static void an_error_says_what_is_wrong_with_a_handle(void **state) {
    (void)state;
    stage other = make_stage(7), s = make_stage(3);
    const cn_body later = {s.body.id + ((uint64_t)1 << 32)}, beyond = {s.body.id + 2};
    check_error_of(NULL, s.body, "cn_body_position: the world is NULL");
    check_error_of(s.world, (cn_body){0},
                   "cn_body_position: the body is null: its handle is 0, as after a failed create");
    check_error_of(s.world, s.old_body,
                   "cn_body_position: the body in slot 1 (generation 1) was destroyed");
    check_error_of(s.world, other.body,
                   "cn_body_position: the body belongs to another world: its tag is 7, this world "
                   "has tag 3");
    check_error_of(s.world, later,
                   "cn_body_position: the handle 0x0000000203000000 was never a body of this world "
                   "(slot 0)");
    check_error_of(s.world, beyond,
                   "cn_body_position: the handle 0x0000000103000002 was never a body of this world "
                   "(slot 2)");
    run(s.world, 2); // the slot is in use again
    cn_body fresh = add(s.world, (cn_body_def){0}, (cn_shape_def){.hull = cn_circle(1)});
    assert_int_equal(fresh.id & 0xFFFFFF, s.old_body.id & 0xFFFFFF);
    check_error_of(s.world, s.old_body,
                   "cn_body_position: the body in slot 1 (generation 1) was destroyed");
    end_stage(&other);
    end_stage(&s);
}

// ---- slots

static void a_slot_gives_the_handle_of_its_object(void **state) {
    (void)state;
    stage s = make_stage(9);
    cn_joint_def def = cn_weld_joint(s.world, s.body, add_static_body(s.world), point(0, 0));
    cn_joint joint = cn_joint_create(s.world, def);
    assert_done(joint.id != 0);
    cn_error_clear();
    assert_true(cn_world_body_in_slot(s.world, 0).id == s.body.id);
    assert_true(cn_world_shape_in_slot(s.world, 0).id == s.shape.id);
    assert_true(cn_world_joint_in_slot(s.world, 0).id == joint.id);
    // An empty slot is not an error.
    assert_true(cn_world_body_in_slot(s.world, 1).id == 0 &&
                cn_world_shape_in_slot(s.world, 1).id == 0);
    assert_true(cn_world_joint_in_slot(s.world, 1).id == 0 &&
                cn_world_grid_in_slot(s.world, 0).id == 0);
    assert_true(cn_world_chain_in_slot(s.world, 0).id == 0);
    assert_true(cn_world_body_in_slot(s.world, 0xFFFFFE).id == 0);
    assert_int_equal(cn_error_code(), CN_ERROR_NONE);
    const int bad[] = {-1, 0xFFFFFF, 1 << 24, INT32_MIN, INT32_MAX};
    for (int i = 0; i < 5; i++) {
        REFUSES(CN_ERROR_RANGE, cn_world_body_in_slot(s.world, bad[i]));
        REFUSES(CN_ERROR_RANGE, cn_world_shape_in_slot(s.world, bad[i]));
        REFUSES(CN_ERROR_RANGE, cn_world_joint_in_slot(s.world, bad[i]));
        REFUSES(CN_ERROR_RANGE, cn_world_grid_in_slot(s.world, bad[i]));
        REFUSES(CN_ERROR_RANGE, cn_world_chain_in_slot(s.world, bad[i]));
    }
    end_stage(&s);
}

static void testing_whether_a_handle_is_valid_is_not_an_error(void **state) {
    (void)state;
    stage other = make_stage(7), s = make_stage(3);
    cn_circle(-1);
    assert_true(cn_body_valid(s.world, s.body) && cn_shape_valid(s.world, s.shape));
    assert_false(cn_body_valid(s.world, s.old_body) || cn_shape_valid(s.world, s.old_shape));
    assert_false(cn_body_valid(s.world, other.body) || cn_shape_valid(s.world, other.shape));
    assert_false(cn_body_valid(s.world, (cn_body){0}) || cn_shape_valid(s.world, (cn_shape){0}));
    assert_false(cn_body_valid(NULL, s.body) || cn_shape_valid(NULL, s.shape));
    assert_int_equal(cn_error_code(), CN_ERROR_RANGE);
    end_stage(&other);
    end_stage(&s);
}

static void no_call_takes_a_null_pointer(void **state) {
    (void)state;
    stage s = make_stage(0);
    cn_drawing drawing;
    cn_contact contact;
    cn_body_state body_state;
    REFUSES(CN_ERROR_HANDLE, cn_world_create((const cn_world_def *)NULL));
    REFUSES(CN_ERROR_HANDLE, cn_body_create(s.world, NULL));
    REFUSES(CN_ERROR_HANDLE, cn_shape_create(s.world, s.body, NULL));
    REFUSES(CN_ERROR_SHAPE, cn_shape_set_hull(s.world, s.shape, (cn_hull){0}));
    REFUSES(CN_ERROR_HANDLE, cn_world_contacts(s.world, NULL, 1));
    REFUSES(CN_ERROR_RANGE, cn_world_contacts(s.world, &contact, -1));
    REFUSES(CN_ERROR_HANDLE, cn_body_contacts(s.world, s.body, NULL, 1));
    REFUSES(CN_ERROR_RANGE, cn_body_contacts(s.world, s.body, &contact, -1));
    REFUSES(CN_ERROR_HANDLE, cn_sensor_shapes(s.world, s.shape, NULL, 1));
    REFUSES(CN_ERROR_RANGE, cn_sensor_shapes(s.world, s.shape, &s.shape, -1));
    REFUSES(CN_ERROR_HANDLE, cn_body_touches(s.world, s.body, s.old_body));
    REFUSES(CN_ERROR_HANDLE, cn_body_touches(s.world, s.old_body, s.body));
    REFUSES(CN_ERROR_HANDLE, cn_world_body_states(s.world, NULL, 1, false));
    REFUSES(CN_ERROR_RANGE, cn_world_body_states(s.world, &body_state, -1, false));
    REFUSES(CN_ERROR_HANDLE, cn_world_draw(s.world, CN_DRAW_ALL, NULL));
    REFUSES(CN_ERROR_RANGE, cn_world_draw(s.world, 1u << 20, &drawing));
    end_stage(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_call_takes_a_null_world),
        cmocka_unit_test(no_call_takes_a_null_handle),
        cmocka_unit_test(no_call_takes_the_handle_of_a_destroyed_object),
        cmocka_unit_test(no_call_takes_an_old_handle_of_a_slot_in_use),
        cmocka_unit_test(no_call_takes_a_handle_of_a_world_with_another_tag),
        cmocka_unit_test(no_call_takes_a_made_up_handle),
        cmocka_unit_test(an_error_says_what_is_wrong_with_a_handle),
        cmocka_unit_test(a_slot_gives_the_handle_of_its_object),
        cmocka_unit_test(testing_whether_a_handle_is_valid_is_not_an_error),
        cmocka_unit_test(no_call_takes_a_null_pointer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
