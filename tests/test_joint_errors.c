/* What joint calls refuse: bad numbers, joints that make no sense, bad handles. Each fails with its reason
 * and changes nothing. */
#include "refuse.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static const float not_finite[] = {NAN, INFINITY, -INFINITY};

typedef struct {
    cn_world *world;
    cn_body a, b, old_body;
    cn_joint joint, other, old_joint;
} stage;

static cn_joint add_joint(cn_world *world, cn_body a, cn_body b) {
    cn_joint_def def = cn_revolute_joint(world, a, b, (vec2s){{0, 1}});
    cn_joint joint = cn_joint_create(world, &def);
    assert_done(joint.id != 0);
    return joint;
}

static stage make_stage(uint8_t tag) {
    cn_shape_def box = {.hull = cn_box(1, 1)};
    stage s = {.world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .tag = tag})};
    assert_non_null(s.world);
    s.a = add(s.world, (cn_body_def){.type = CN_STATIC}, box);
    s.b = add(s.world, (cn_body_def){.position = {{0, 5}}}, box);
    s.old_body = add(s.world, (cn_body_def){.position = {{9, 5}}}, box);
    s.joint = add_joint(s.world, s.a, s.b);
    s.other = add_joint(s.world, s.b, s.a);
    s.old_joint = add_joint(s.world, s.a, s.b);
    assert_done(cn_joint_destroy(s.world, s.old_joint));
    assert_done(cn_body_destroy(s.world, s.old_body));
    run(s.world, 3);
    watched = s.world;
    return s;
}

static void end_stage(stage *s) {
    watched = NULL;
    cn_world_destroy(s->world);
}

// ---- numbers

static float *fields_of(cn_coordinate *c, int i) {
    float *const fields[] = {&c->lower, &c->upper,         &c->target,
                             &c->hertz, &c->damping_ratio, &c->spring_force,
                             &c->speed, &c->motor_force,   &c->ratchet};
    return fields[i];
}

enum { FIELDS = 9, FIRST_NOT_NEGATIVE = 3, SPEED = 6 };

static void refuse_coordinate(stage *s, cn_error_kind kind, cn_coordinate c) {
    for (int axis = 0; axis < 3; axis++)
        REFUSES(kind, cn_joint_set_coordinate(s->world, s->joint, (cn_joint_axis)axis, &c));
    cn_joint_def def[3] = {{.a = s->a, .b = s->b, .x = c},
                           {.a = s->a, .b = s->b, .y = c},
                           {.a = s->a, .b = s->b, .angle = c}};
    for (int i = 0; i < 3; i++) REFUSES(kind, cn_joint_create(s->world, &def[i]));
}

static void coordinates_refuse_bad_numbers(void **state) {
    (void)state;
    stage s = make_stage(0);
    const cn_coordinate good = {.mode = CN_LIMITED, .lower = -1, .upper = 1};
    for (int i = 0; i < FIELDS; i++) {
        for (int k = 0; k < COUNT(not_finite); k++) {
            cn_coordinate c = good;
            *fields_of(&c, i) = not_finite[k];
            refuse_coordinate(&s, CN_ERROR_NUMBER, c);
        }
        cn_coordinate c = good;
        *fields_of(&c, i) = -0.1f;
        if (i >= FIRST_NOT_NEGATIVE && i != SPEED) refuse_coordinate(&s, CN_ERROR_RANGE, c);
    }
    end_stage(&s);
}

static void coordinates_refuse_what_makes_no_sense(void **state) {
    (void)state;
    stage s = make_stage(0);
    refuse_coordinate(&s, CN_ERROR_RANGE,
                      (cn_coordinate){.mode = CN_LIMITED, .lower = 1, .upper = -1});
    refuse_coordinate(&s, CN_ERROR_RANGE, (cn_coordinate){.mode = (cn_coordinate_mode)3});
    refuse_coordinate(&s, CN_ERROR_STATE, (cn_coordinate){.motor = true});
    refuse_coordinate(&s, CN_ERROR_STATE, (cn_coordinate){.hertz = 2});
    refuse_coordinate(&s, CN_ERROR_STATE, (cn_coordinate){.mode = CN_FREE, .ratchet = 0.1f});
    end_stage(&s);
}

static void definitions_refuse_bad_numbers(void **state) {
    (void)state;
    stage s = make_stage(0);
    for (int i = 0; i < 10; i++)
        for (int k = 0; k < COUNT(not_finite); k++) {
            cn_joint_def def = {.a = s.a, .b = s.b};
            float *const fields[] = {&def.frame_a.position.x, &def.frame_a.position.y,
                                     &def.frame_a.rotation.c, &def.frame_a.rotation.s,
                                     &def.frame_b.position.x, &def.frame_b.position.y,
                                     &def.frame_b.rotation.c, &def.frame_b.rotation.s,
                                     &def.break_force,        &def.break_torque};
            *fields[i] = not_finite[k];
            REFUSES(CN_ERROR_NUMBER, cn_joint_create(s.world, &def));
            if (i < 8)
                REFUSES(CN_ERROR_NUMBER,
                        cn_joint_set_frames(s.world, s.joint, def.frame_a, def.frame_b));
            else
                REFUSES(CN_ERROR_NUMBER,
                        cn_joint_set_break(s.world, s.joint, def.break_force, def.break_torque));
        }
    end_stage(&s);
}

static void definitions_refuse_what_makes_no_sense(void **state) {
    (void)state;
    stage s = make_stage(0);
    const cn_joint_def bad[] = {
        {.a = s.a, .b = s.b, .polar = true},
        {.a = s.a, .b = s.b, .polar = true, .x = {.target = -1}},
        {.a = s.a, .b = s.b, .polar = true, .x = {.mode = CN_LIMITED, .lower = -1, .upper = -1}},
        {.a = s.a, .b = s.b, .break_force = -1},
        {.a = s.a, .b = s.b, .break_torque = -1},
        {.a = s.a, .b = s.b, .frame_a.rotation = {0.5f, 0.5f}},
        {.a = s.a, .b = s.b, .frame_b.rotation = {2, 0}}};
    for (int i = 0; i < COUNT(bad); i++) REFUSES(CN_ERROR_RANGE, cn_joint_create(s.world, &bad[i]));
    REFUSES(CN_ERROR_STATE, cn_joint_create(s.world, &(cn_joint_def){.a = s.b, .b = s.b}));
    REFUSES(CN_ERROR_HANDLE, cn_joint_create(s.world, NULL));
    REFUSES(CN_ERROR_HANDLE, cn_joint_create(NULL, &bad[0]));
    REFUSES(CN_ERROR_RANGE, cn_joint_set_polar(s.world, s.joint, true));
    REFUSES(CN_ERROR_RANGE, cn_joint_set_break(s.world, s.joint, -1, 0));
    REFUSES(CN_ERROR_RANGE, cn_joint_set_break(s.world, s.joint, 0, -1));
    REFUSES(CN_ERROR_HANDLE, cn_joint_set_coordinate(s.world, s.joint, CN_JOINT_X, NULL));
    end_stage(&s);
}

static void an_axis_is_one_of_three(void **state) {
    (void)state;
    stage s = make_stage(0);
    const cn_coordinate c = {.mode = CN_FREE};
    for (int i = 0; i < 2; i++) {
        cn_joint_axis bad = (cn_joint_axis)(i ? 3 : 100);
        REFUSES(CN_ERROR_RANGE, cn_joint_set_coordinate(s.world, s.joint, bad, &c));
        REFUSES(CN_ERROR_RANGE, cn_joint_set_speed(s.world, s.joint, bad, 1));
        REFUSES(CN_ERROR_RANGE, cn_joint_set_target(s.world, s.joint, bad, 1));
        REFUSES(CN_ERROR_RANGE, cn_joint_value(s.world, s.joint, bad));
        REFUSES(CN_ERROR_RANGE, cn_joint_speed(s.world, s.joint, bad));
        REFUSES(CN_ERROR_RANGE,
                cn_joint_set_coupling(s.world, s.joint, (cn_coupling){s.other, bad, 0, 1, 0}));
        REFUSES(CN_ERROR_RANGE,
                cn_joint_set_coupling(s.world, s.joint, (cn_coupling){s.other, 0, bad, 1, 0}));
    }
    for (int k = 0; k < COUNT(not_finite); k++) {
        float bad = not_finite[k];
        REFUSES(CN_ERROR_NUMBER, cn_joint_set_speed(s.world, s.joint, CN_JOINT_ANGLE, bad));
        REFUSES(CN_ERROR_NUMBER, cn_joint_set_target(s.world, s.joint, CN_JOINT_ANGLE, bad));
    }
    end_stage(&s);
}

static void couplings_refuse_what_makes_no_sense(void **state) {
    (void)state;
    stage s = make_stage(3), foreign = make_stage(7);
    watched = s.world;
    cn_coupling c = {s.other, CN_JOINT_ANGLE, CN_JOINT_ANGLE, 0, false};
    REFUSES(CN_ERROR_RANGE, cn_joint_set_coupling(s.world, s.joint, c));
    for (int k = 0; k < COUNT(not_finite); k++) {
        c.ratio = not_finite[k];
        REFUSES(CN_ERROR_NUMBER, cn_joint_set_coupling(s.world, s.joint, c));
    }
    c.ratio = 2, c.other = s.joint;
    REFUSES(CN_ERROR_STATE, cn_joint_set_coupling(s.world, s.joint, c));
    c.other = s.old_joint;
    REFUSES(CN_ERROR_HANDLE, cn_joint_set_coupling(s.world, s.joint, c));
    c.other = foreign.joint;
    REFUSES(CN_ERROR_HANDLE, cn_joint_set_coupling(s.world, s.joint, c));
    end_stage(&foreign);
    end_stage(&s);
}

// ---- presets

static void refuse_presets(const cn_world *w, cn_body a, cn_body b, vec2s p, cn_error_kind kind) {
    const vec2s q = {{1, 2}};
    REFUSES(kind, cn_revolute_joint(w, a, b, p));
    REFUSES(kind, cn_prismatic_joint(w, a, b, p, q));
    REFUSES(kind, cn_weld_joint(w, a, b, p));
    REFUSES(kind, cn_wheel_joint(w, a, b, p, q));
    REFUSES(kind, cn_distance_joint(w, a, b, p, q));
    REFUSES(kind, cn_distance_joint(w, a, b, q, p));
    REFUSES(kind, cn_rope_joint(w, a, b, p, q));
    REFUSES(kind, cn_spring_joint(w, a, b, p, q));
    REFUSES(kind, cn_mouse_joint(w, a, b, p));
}

static void presets_refuse_bad_points_axes_and_bodies(void **state) {
    (void)state;
    stage s = make_stage(0);
    for (int k = 0; k < COUNT(not_finite); k++)
        refuse_presets(s.world, s.a, s.b, (vec2s){{0, not_finite[k]}}, CN_ERROR_NUMBER);
    const vec2s p = {{0, 0}}, none = {{0, 0}};
    refuse_presets(s.world, s.a, s.old_body, p, CN_ERROR_HANDLE);
    refuse_presets(s.world, (cn_body){0}, s.b, p, CN_ERROR_HANDLE);
    refuse_presets(NULL, s.a, s.b, p, CN_ERROR_HANDLE);
    REFUSES(CN_ERROR_HANDLE, cn_motor_joint(s.world, s.a, s.old_body, 1, 1));
    REFUSES(CN_ERROR_HANDLE, cn_motor_joint(s.world, s.old_body, s.b, 1, 1));
    REFUSES(CN_ERROR_RANGE, cn_prismatic_joint(s.world, s.a, s.b, p, none));
    REFUSES(CN_ERROR_RANGE, cn_wheel_joint(s.world, s.a, s.b, p, none));
    REFUSES(CN_ERROR_NUMBER, cn_wheel_joint(s.world, s.a, s.b, p, (vec2s){{NAN, 0}}));
    end_stage(&s);
}

// ---- handles

static void refuse_joint(cn_world *w, cn_joint j, cn_joint good) {
    const cn_coordinate c = {.mode = CN_FREE};
    const cn_coupling coupling = {good, CN_JOINT_X, CN_JOINT_X, 1, false};
    REFUSES(CN_ERROR_HANDLE, cn_joint_destroy(w, j));
    REFUSES(CN_ERROR_HANDLE, cn_joint_get(w, j));
    REFUSES(CN_ERROR_HANDLE, cn_joint_set_coordinate(w, j, CN_JOINT_X, &c));
    REFUSES(CN_ERROR_HANDLE, cn_joint_set_speed(w, j, CN_JOINT_X, 1));
    REFUSES(CN_ERROR_HANDLE, cn_joint_set_target(w, j, CN_JOINT_X, 1));
    REFUSES(CN_ERROR_HANDLE, cn_joint_set_frames(w, j, (cn_pose){0}, (cn_pose){0}));
    REFUSES(CN_ERROR_HANDLE, cn_joint_set_polar(w, j, false));
    REFUSES(CN_ERROR_HANDLE, cn_joint_set_collide_connected(w, j, true));
    REFUSES(CN_ERROR_HANDLE, cn_joint_set_enabled(w, j, false));
    REFUSES(CN_ERROR_HANDLE, cn_joint_set_break(w, j, 1, 2));
    REFUSES(CN_ERROR_HANDLE, cn_joint_set_user_data(w, j, 1));
    REFUSES(CN_ERROR_HANDLE, cn_joint_user_data(w, j));
    REFUSES(CN_ERROR_HANDLE, cn_joint_value(w, j, CN_JOINT_X));
    REFUSES(CN_ERROR_HANDLE, cn_joint_speed(w, j, CN_JOINT_X));
    REFUSES(CN_ERROR_HANDLE, cn_joint_force(w, j));
    REFUSES(CN_ERROR_HANDLE, cn_joint_torque(w, j));
    REFUSES(CN_ERROR_HANDLE, cn_joint_set_coupling(w, j, coupling));
    REFUSES(CN_ERROR_HANDLE, cn_joint_get_coupling(w, j));
}

static void no_joint_call_takes_a_bad_handle(void **state) {
    (void)state;
    stage foreign = make_stage(7), s = make_stage(3);
    refuse_joint(NULL, s.joint, s.other);
    refuse_joint(s.world, (cn_joint){0}, s.other);
    refuse_joint(s.world, s.old_joint, s.other);
    refuse_joint(s.world, foreign.joint, s.other);
    refuse_joint(s.world, (cn_joint){UINT64_MAX}, s.other);
    REFUSES(CN_ERROR_HANDLE, cn_world_next_joint(s.world, s.old_joint));
    REFUSES(CN_ERROR_HANDLE, cn_world_next_joint(NULL, s.joint));
    REFUSES(CN_ERROR_HANDLE, cn_body_next_joint(s.world, s.old_body, s.joint));
    REFUSES(CN_ERROR_HANDLE, cn_body_next_joint(s.world, s.a, s.old_joint));
    const cn_body bad[] = {{0}, s.old_body, foreign.b};
    for (int i = 0; i < COUNT(bad); i++) {
        REFUSES(CN_ERROR_HANDLE, cn_joint_create(s.world, &(cn_joint_def){.a = s.a, .b = bad[i]}));
        REFUSES(CN_ERROR_HANDLE, cn_joint_create(s.world, &(cn_joint_def){.a = bad[i], .b = s.b}));
    }
    end_stage(&foreign);
    end_stage(&s);
}

static void asking_whether_a_joint_is_valid_is_no_error(void **state) {
    (void)state;
    stage foreign = make_stage(7), s = make_stage(3);
    cn_circle(-1);
    assert_true(cn_joint_valid(s.world, s.joint));
    assert_false(cn_joint_valid(s.world, s.old_joint) || cn_joint_valid(s.world, foreign.joint));
    assert_false(cn_joint_valid(s.world, (cn_joint){0}) || cn_joint_valid(NULL, s.joint));
    assert_int_equal(cn_error_code(), CN_ERROR_RANGE);
    end_stage(&foreign);
    end_stage(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinates_refuse_bad_numbers),
        cmocka_unit_test(coordinates_refuse_what_makes_no_sense),
        cmocka_unit_test(definitions_refuse_bad_numbers),
        cmocka_unit_test(definitions_refuse_what_makes_no_sense),
        cmocka_unit_test(an_axis_is_one_of_three),
        cmocka_unit_test(couplings_refuse_what_makes_no_sense),
        cmocka_unit_test(presets_refuse_bad_points_axes_and_bodies),
        cmocka_unit_test(no_joint_call_takes_a_bad_handle),
        cmocka_unit_test(asking_whether_a_joint_is_valid_is_no_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
