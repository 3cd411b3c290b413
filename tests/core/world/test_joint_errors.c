/* Refused calls of joints: bad numbers, joints that make no sense, bad handles. Each call fails
 * with its reason and changes nothing. */
#include "../../support/refuse.h"

#include <stdio.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static const float not_finite[] = {NAN, INFINITY, -INFINITY};

typedef struct {
    cn_world *world;
    cn_body a, b, old_body;
    cn_joint joint, other, old_joint;
} stage;

static cn_joint add_joint(cn_world *world, cn_body a, cn_body b) {
    cn_joint_def def = cn_revolute_joint(world, a, b, (vec2s){{0, 1}});
    cn_joint joint = cn_joint_create(world, def);
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
    unchanged_world = s.world;
    return s;
}

static void end_stage(stage *s) {
    unchanged_world = NULL;
    cn_world_destroy(s->world);
}

// ---- numbers

static float *fields_of(cn_coordinate *c, int i) {
    float *const fields[] = {&c->lower,       &c->upper,           &c->target,
                             &c->hertz,       &c->damping_ratio,   &c->max_spring_force,
                             &c->motor_speed, &c->max_motor_force, &c->ratchet,
                             &c->stiffness,   &c->damping};
    return fields[i];
}

enum { FIELDS = 11, FIRST_NOT_NEGATIVE = 3, SPEED = 6 };

static void refuse_coordinate(stage *s, cn_error_kind kind, cn_coordinate c) {
    for (int axis = 0; axis < 3; axis++)
        REFUSES(kind, cn_joint_set_coordinate(s->world, s->joint, (cn_joint_axis)axis, c));
    cn_joint_def def[3] = {{.a = s->a, .b = s->b, .x = c},
                           {.a = s->a, .b = s->b, .y = c},
                           {.a = s->a, .b = s->b, .angle = c}};
    for (int i = 0; i < 3; i++) REFUSES(kind, cn_joint_create(s->world, def[i]));
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

static void coordinates_refuse_values_that_make_no_sense(void **state) {
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

// ---- fields without effect

typedef struct {
    cn_coordinate coordinate;
    const char *error;
} unused_field;

static void check_unused_field(stage *s, unused_field v) {
    char expected[256];
    cn_joint_def def = {.a = s->a, .b = s->b, .angle = v.coordinate};
    REFUSES(CN_ERROR_STATE, cn_joint_create(s->world, def));
    snprintf(expected, sizeof expected, "cn_joint_create: angle.%s, or clear it", v.error);
    assert_string_equal(cn_error(), expected);
    refuse_coordinate(s, CN_ERROR_STATE, v.coordinate);
}

static void fields_that_would_have_no_effect_are_refused(void **state) {
    (void)state;
    stage s = make_stage(0);
    const unused_field all[] = {
        {{.lower = -0.5f}, "lower = -0.5 has no effect: set .mode = CN_LIMITED"},
        {{.mode = CN_FREE, .upper = 2}, "upper = 2 has no effect: set .mode = CN_LIMITED"},
        {{.mode = CN_FREE, .ratchet = 0.1f}, "ratchet = 0.1 has no effect: set .mode = CN_LIMITED"},
        {{.ratchet = 0.1f}, "ratchet = 0.1 has no effect: set .mode = CN_LIMITED"},
        {{.mode = CN_FREE, .target = 1},
         "target = 1 has no effect: set .mode = CN_LOCKED, or .hertz or .stiffness for a spring"},
        {{.mode = CN_LIMITED, .upper = 1, .target = 1},
         "target = 1 has no effect: set .mode = CN_LOCKED, or .hertz or .stiffness for a spring"},
        {{.hertz = 3},
         "hertz = 3 has no effect: CN_LOCKED (0) is rigid: set .mode = CN_FREE or CN_LIMITED"},
        {{.motor = true},
         "motor = 1 has no effect: CN_LOCKED (0) is rigid: set .mode = CN_FREE or CN_LIMITED"},
        {{.mode = CN_FREE, .damping_ratio = 0.5f},
         "damping_ratio = 0.5 has no effect: set .hertz, too"},
        {{.mode = CN_FREE, .hertz = 2, .stiffness = 40},
         "stiffness = 40 has no effect: the spring is given by .hertz: clear .hertz"},
        {{.mode = CN_FREE, .hertz = 2, .damping = 3},
         "damping = 3 has no effect: the spring is given by .hertz: clear .hertz"},
        {{.mode = CN_FREE, .stiffness = 40, .damping_ratio = 0.5f},
         "damping_ratio = 0.5 has no effect: set .damping, which goes with .stiffness"},
        {{.stiffness = 40},
         "stiffness = 40 has no effect: CN_LOCKED (0) is rigid: set .mode = CN_FREE or CN_LIMITED"},
        {{.mode = CN_FREE, .damping = 2, .target = 1},
         "target = 1 has no effect: set .mode = CN_LOCKED, or .hertz or .stiffness for a spring"},
        {{.max_spring_force = 9},
         "max_spring_force = 9 has no effect: set .hertz or .stiffness, too"},
        {{.mode = CN_FREE, .motor_speed = -2}, "motor_speed = -2 has no effect: set .motor = true"},
        {{.mode = CN_FREE, .max_motor_force = 4},
         "max_motor_force = 4 has no effect: set .motor = true"},
        {{.max_motor_force = 4}, "max_motor_force = 4 has no effect: set .motor = true"},
    };
    for (int i = 0; i < COUNT(all); i++) check_unused_field(&s, all[i]);
    end_stage(&s);
}

// Each field of its y is refused. The mode may only be 0 or CN_FREE.
static void a_polar_joint_has_no_y(void **state) {
    (void)state;
    stage s = make_stage(0);
    const cn_coordinate bad[] = {{.target = 1},
                                 {.mode = CN_LIMITED},
                                 {.mode = CN_FREE, .hertz = 1},
                                 {.mode = CN_FREE, .stiffness = 1},
                                 {.mode = CN_FREE, .damping = 1},
                                 {.mode = CN_FREE, .motor = true},
                                 {.mode = CN_LIMITED, .lower = -1, .upper = 1, .ratchet = 1}};
    cn_joint_def def = cn_rope_joint(s.world, s.a, s.b, (vec2s){{0, 0}}, (vec2s){{0, 5}});
    cn_joint rope = cn_joint_create(s.world, def);
    assert_done(rope.id != 0);
    for (int i = 0; i < COUNT(bad); i++) {
        def.y = bad[i];
        REFUSES(CN_ERROR_STATE, cn_joint_create(s.world, def));
        assert_non_null(strstr(cn_error(), "has no effect: a polar joint has no y"));
        REFUSES(CN_ERROR_STATE, cn_joint_set_coordinate(s.world, rope, CN_JOINT_Y, bad[i]));
        // A joint with such a y cannot become polar.
        def.polar = false;
        cn_joint cross = cn_joint_create(s.world, def);
        assert_done(cross.id != 0);
        REFUSES(CN_ERROR_STATE, cn_joint_set_polar(s.world, cross, true));
        assert_done(cn_joint_destroy(s.world, cross));
        def.polar = true;
    }
    REFUSES(CN_ERROR_STATE, cn_joint_set_target(s.world, rope, CN_JOINT_Y, 0));
    REFUSES(CN_ERROR_STATE, cn_joint_set_motor_speed(s.world, rope, CN_JOINT_Y, 0));
    def.y = (cn_coordinate){0};
    assert_done(cn_joint_create(s.world, def).id != 0);
    end_stage(&s);
}

static void speeds_need_a_motor_and_targets_a_spring_or_a_lock(void **state) {
    (void)state;
    stage s = make_stage(0);
    cn_world *w = s.world;
    const float values[] = {0, 1};
    for (int i = 0; i < 2; i++) {
        REFUSES(CN_ERROR_STATE, cn_joint_set_motor_speed(w, s.joint, CN_JOINT_X, values[i]));
        REFUSES(CN_ERROR_STATE, cn_joint_set_motor_speed(w, s.joint, CN_JOINT_ANGLE, values[i]));
        REFUSES(CN_ERROR_STATE, cn_joint_set_target(w, s.joint, CN_JOINT_ANGLE, values[i]));
        assert_done(cn_joint_set_target(w, s.joint, CN_JOINT_X, values[i]));
    }
    cn_coordinate c = {.mode = CN_LIMITED, .upper = 1, .motor = true};
    assert_done(cn_joint_set_coordinate(w, s.joint, CN_JOINT_ANGLE, c));
    assert_done(cn_joint_set_motor_speed(w, s.joint, CN_JOINT_ANGLE, 2));
    REFUSES(CN_ERROR_STATE, cn_joint_set_target(w, s.joint, CN_JOINT_ANGLE, 0.5f));
    c.hertz = 3, c.motor = false;
    assert_done(cn_joint_set_coordinate(w, s.joint, CN_JOINT_ANGLE, c));
    REFUSES(CN_ERROR_STATE, cn_joint_set_motor_speed(w, s.joint, CN_JOINT_ANGLE, 2));
    assert_done(cn_joint_set_target(w, s.joint, CN_JOINT_ANGLE, 0.5f));
    end_stage(&s);
}

enum { PRESETS = 10 };

static cn_joint_def preset(const cn_world *w, cn_body a, cn_body b, int i) {
    const vec2s p = {{0, 2}}, q = {{1, 4}};
    switch (i) {
    case 0: return cn_revolute_joint(w, a, b, p);
    case 1: return cn_prismatic_joint(w, a, b, p, q);
    case 2: return cn_weld_joint(w, a, b, p);
    case 3: return cn_wheel_joint(w, a, b, p, q);
    case 4: return cn_distance_joint(w, a, b, p, q);
    case 5: return cn_rope_joint(w, a, b, p, q);
    case 6: return cn_spring_joint(w, a, b, p, q);
    case 7: return cn_mouse_joint(w, a, b, p);
    case 8: return cn_motor_joint(w, a, b, 30, 10);
    default: return cn_filter_joint(w, a, b);
    }
}

// Each preset makes a joint. The definition that cn_joint_definition() returns makes another one,
// also after the joint's speed and target were set.
static void the_definition_read_from_a_joint_makes_another(void **state) {
    (void)state;
    stage s = make_stage(0);
    for (int i = 0; i < PRESETS; i++) {
        cn_joint_def def = preset(s.world, s.a, s.b, i);
        cn_joint joint = cn_joint_create(s.world, def);
        assert_done(joint.id != 0);
        for (int axis = 0; axis < 3; axis++) {
            cn_joint_set_motor_speed(s.world, joint, (cn_joint_axis)axis, 2);
            cn_joint_set_target(s.world, joint, (cn_joint_axis)axis, 2);
        }
        cn_joint_def now = cn_joint_definition(s.world, joint);
        assert_done(cn_joint_create(s.world, now).id != 0);
        // A coordinate that is set to CN_FREE keeps no other field.
        now.x = now.angle = (cn_coordinate){.mode = CN_FREE};
        assert_done(cn_joint_create(s.world, now).id != 0);
    }
    end_stage(&s);
}

static void a_definition_of_zeros_welds_the_origins(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
    cn_body post = cn_body_create(world, &(cn_body_def){.type = CN_STATIC, .position = {{3, 4}}});
    cn_body sign =
        add(world, (cn_body_def){.position = {{3, 4}}}, (cn_shape_def){.hull = cn_box(0.5f, 0.2f)});
    assert_done(cn_joint_create(world, (cn_joint_def){.a = post, .b = sign}).id != 0);
    run(world, 60);
    cn_body_apply_angular_impulse(world, sign, 0.1f);
    run(world, 60);
    motion m = motion_of(world, sign);
    assert_near(m.x, 3, 1e-3);
    assert_near(m.y, 4, 1e-3);
    assert_near(m.angle, 0, 1e-3);
    cn_world_destroy(world);
}

// ---- definitions

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
            REFUSES(CN_ERROR_NUMBER, cn_joint_create(s.world, def));
            if (i < 8)
                REFUSES(CN_ERROR_NUMBER,
                        cn_joint_set_frames(s.world, s.joint, def.frame_a, def.frame_b));
            else
                REFUSES(CN_ERROR_NUMBER,
                        cn_joint_set_break(s.world, s.joint, def.break_force, def.break_torque));
        }
    end_stage(&s);
}

static void definitions_refuse_values_that_make_no_sense(void **state) {
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
    for (int i = 0; i < COUNT(bad); i++) REFUSES(CN_ERROR_RANGE, cn_joint_create(s.world, bad[i]));
    REFUSES(CN_ERROR_STATE, cn_joint_create(s.world, (cn_joint_def){.a = s.b, .b = s.b}));
    REFUSES(CN_ERROR_HANDLE, cn_joint_create(s.world, (cn_joint_def){0}));
    REFUSES(CN_ERROR_HANDLE, cn_joint_create(NULL, bad[0]));
    REFUSES(CN_ERROR_RANGE, cn_joint_set_polar(s.world, s.joint, true));
    REFUSES(CN_ERROR_RANGE, cn_joint_set_break(s.world, s.joint, -1, 0));
    REFUSES(CN_ERROR_RANGE, cn_joint_set_break(s.world, s.joint, 0, -1));
    end_stage(&s);
}

static void an_axis_is_one_of_three(void **state) {
    (void)state;
    stage s = make_stage(0);
    const cn_coordinate c = {.mode = CN_FREE};
    for (int i = 0; i < 2; i++) {
        cn_joint_axis bad = (cn_joint_axis)(i ? 3 : 100);
        REFUSES(CN_ERROR_RANGE, cn_joint_set_coordinate(s.world, s.joint, bad, c));
        REFUSES(CN_ERROR_RANGE, cn_joint_set_motor_speed(s.world, s.joint, bad, 1));
        REFUSES(CN_ERROR_RANGE, cn_joint_set_target(s.world, s.joint, bad, 1));
        REFUSES(CN_ERROR_RANGE, cn_joint_value(s.world, s.joint, bad));
        REFUSES(CN_ERROR_RANGE, cn_joint_rate(s.world, s.joint, bad));
        REFUSES(CN_ERROR_RANGE,
                cn_joint_set_coupling(s.world, s.joint, (cn_coupling){s.other, bad, 0, 1, 0}));
        REFUSES(CN_ERROR_RANGE,
                cn_joint_set_coupling(s.world, s.joint, (cn_coupling){s.other, 0, bad, 1, 0}));
    }
    for (int k = 0; k < COUNT(not_finite); k++) {
        float bad = not_finite[k];
        REFUSES(CN_ERROR_NUMBER, cn_joint_set_motor_speed(s.world, s.joint, CN_JOINT_ANGLE, bad));
        REFUSES(CN_ERROR_NUMBER, cn_joint_set_target(s.world, s.joint, CN_JOINT_ANGLE, bad));
    }
    end_stage(&s);
}

static void couplings_refuse_values_that_make_no_sense(void **state) {
    (void)state;
    stage s = make_stage(3), foreign = make_stage(7);
    unchanged_world = s.world;
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

// The error quotes the reason, even if other errors came later.
static void a_definition_that_was_not_made_says_why(void **state) {
    (void)state;
    stage s = make_stage(0);
    for (int i = 0; i < PRESETS; i++) {
        cn_joint_def def = preset(s.world, s.a, (cn_body){0}, i);
        char cause[256], expected[512];
        snprintf(cause, sizeof cause, "%s", cn_error());
        snprintf(expected, sizeof expected, "cn_joint_create: the definition was not made (%s)",
                 cause);
        REFUSES(CN_ERROR_HANDLE, cn_joint_create(s.world, def));
        assert_string_equal(cn_error(), expected);
        def.a = s.a, def.b = s.b; // still refused: without frames it would weld the origins
        REFUSES(CN_ERROR_HANDLE, cn_joint_create(s.world, def));
    }
    cn_joint_def gone = cn_joint_definition(s.world, s.old_joint);
    for (int i = 1; i <= 8; i++) cn_circle((float)-i);
    REFUSES(CN_ERROR_HANDLE, cn_joint_create(s.world, gone));
    assert_non_null(strstr(cn_error(), "failed, with an error that is not kept any more"));
    REFUSES(CN_ERROR_HANDLE, cn_joint_create(s.world, (cn_joint_def){0}));
    assert_non_null(strstr(cn_error(), "set .a and .b"));
    end_stage(&s);
}

// ---- handles

static void refuse_joint(cn_world *w, cn_joint j, cn_joint good) {
    const cn_coordinate c = {.mode = CN_FREE};
    const cn_coupling coupling = {good, CN_JOINT_X, CN_JOINT_X, 1, false};
    REFUSES(CN_ERROR_HANDLE, cn_joint_destroy(w, j));
    REFUSES(CN_ERROR_HANDLE, cn_joint_definition(w, j));
    REFUSES(CN_ERROR_HANDLE, cn_joint_set_coordinate(w, j, CN_JOINT_X, c));
    REFUSES(CN_ERROR_HANDLE, cn_joint_set_motor_speed(w, j, CN_JOINT_X, 1));
    REFUSES(CN_ERROR_HANDLE, cn_joint_set_target(w, j, CN_JOINT_X, 1));
    REFUSES(CN_ERROR_HANDLE, cn_joint_set_frames(w, j, (cn_pose){0}, (cn_pose){0}));
    REFUSES(CN_ERROR_HANDLE, cn_joint_set_polar(w, j, false));
    REFUSES(CN_ERROR_HANDLE, cn_joint_set_collide_connected(w, j, true));
    REFUSES(CN_ERROR_HANDLE, cn_joint_set_disabled(w, j, true));
    REFUSES(CN_ERROR_HANDLE, cn_joint_set_break(w, j, 1, 2));
    REFUSES(CN_ERROR_HANDLE, cn_joint_set_user_data(w, j, 1));
    REFUSES(CN_ERROR_HANDLE, cn_joint_user_data(w, j));
    REFUSES(CN_ERROR_HANDLE, cn_joint_value(w, j, CN_JOINT_X));
    REFUSES(CN_ERROR_HANDLE, cn_joint_rate(w, j, CN_JOINT_X));
    REFUSES(CN_ERROR_HANDLE, cn_joint_force(w, j));
    REFUSES(CN_ERROR_HANDLE, cn_joint_torque(w, j));
    REFUSES(CN_ERROR_HANDLE, cn_joint_set_coupling(w, j, coupling));
    REFUSES(CN_ERROR_HANDLE, cn_joint_coupling(w, j));
    REFUSES(CN_ERROR_HANDLE, cn_joint_target(w, j, CN_JOINT_X));
    REFUSES(CN_ERROR_HANDLE, cn_joint_motor_speed(w, j, CN_JOINT_X));
    REFUSES(CN_ERROR_HANDLE, cn_joint_polar(w, j));
    REFUSES(CN_ERROR_HANDLE, cn_joint_collide_connected(w, j));
    REFUSES(CN_ERROR_HANDLE, cn_joint_disabled(w, j));
    REFUSES(CN_ERROR_HANDLE, cn_joint_break_force(w, j));
    REFUSES(CN_ERROR_HANDLE, cn_joint_break_torque(w, j));
    REFUSES(CN_ERROR_HANDLE, cn_joint_frame(w, j, CN_A));
    REFUSES(CN_ERROR_HANDLE, cn_joint_anchor(w, j, CN_A));
    REFUSES(CN_ERROR_HANDLE, cn_joint_set_anchor(w, j, CN_A, (vec2s){{0, 0}}));
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
        REFUSES(CN_ERROR_HANDLE, cn_joint_create(s.world, (cn_joint_def){.a = s.a, .b = bad[i]}));
        REFUSES(CN_ERROR_HANDLE, cn_joint_create(s.world, (cn_joint_def){.a = bad[i], .b = s.b}));
    }
    end_stage(&foreign);
    end_stage(&s);
}

static void testing_whether_a_joint_is_valid_is_no_error(void **state) {
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
        cmocka_unit_test(coordinates_refuse_values_that_make_no_sense),
        cmocka_unit_test(fields_that_would_have_no_effect_are_refused),
        cmocka_unit_test(a_polar_joint_has_no_y),
        cmocka_unit_test(speeds_need_a_motor_and_targets_a_spring_or_a_lock),
        cmocka_unit_test(the_definition_read_from_a_joint_makes_another),
        cmocka_unit_test(a_definition_of_zeros_welds_the_origins),
        cmocka_unit_test(definitions_refuse_bad_numbers),
        cmocka_unit_test(definitions_refuse_values_that_make_no_sense),
        cmocka_unit_test(an_axis_is_one_of_three),
        cmocka_unit_test(couplings_refuse_values_that_make_no_sense),
        cmocka_unit_test(presets_refuse_bad_points_axes_and_bodies),
        cmocka_unit_test(a_definition_that_was_not_made_says_why),
        cmocka_unit_test(no_joint_call_takes_a_bad_handle),
        cmocka_unit_test(testing_whether_a_joint_is_valid_is_no_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
