/* Bad numbers and calls at the wrong time: each call fails, gives the reason with its numbers, and
 * changes nothing. Bad handles are in test_handle.c, memory that runs out is in test_memory.c. */
#include "../../support/small_stage.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static const float not_finite[] = {NAN, INFINITY, -INFINITY};

// A field of a definition by its offset, and a value that it must not have.
typedef struct {
    size_t offset;
    float value;
} bad_float;

typedef struct {
    size_t offset;
    int value;
} bad_int;

static void put_float(void *def, size_t offset, float value) {
    memcpy((char *)def + offset, &value, sizeof value);
}

static void put_int(void *def, size_t offset, int value) {
    memcpy((char *)def + offset, &value, sizeof value);
}

// ---- worlds

static void worlds_refuse_bad_definitions(void **state) {
    (void)state;
    const size_t floats[] = {
        offsetof(cn_world_def, gravity),        offsetof(cn_world_def, gravity) + sizeof(float),
        offsetof(cn_world_def, length_unit),    offsetof(cn_world_def, time_step),
        offsetof(cn_world_def, linear_damping), offsetof(cn_world_def, angular_damping)};
    const bad_float ranges[] = {
        {offsetof(cn_world_def, length_unit), -1},    {offsetof(cn_world_def, length_unit), 1e-20f},
        {offsetof(cn_world_def, length_unit), 1e20f}, {offsetof(cn_world_def, time_step), -0.1f},
        {offsetof(cn_world_def, time_step), 1.1f},    {offsetof(cn_world_def, linear_damping), -1},
        {offsetof(cn_world_def, angular_damping), -1}};
    const bad_int ints[] = {
        {offsetof(cn_world_def, substeps), -1},  {offsetof(cn_world_def, substeps), 65},
        {offsetof(cn_world_def, threads), -1},   {offsetof(cn_world_def, threads), 65},
        {offsetof(cn_world_def, max_steps), -1}, {offsetof(cn_world_def, lanes), -1},
        {offsetof(cn_world_def, lanes), 2},      {offsetof(cn_world_def, lanes), 32}};
    for (int i = 0; i < COUNT(floats); i++)
        for (int k = 0; k < COUNT(not_finite); k++) {
            cn_world_def def = {0};
            put_float(&def, floats[i], not_finite[k]);
            REFUSES(CN_ERROR_NUMBER, cn_world_create(&def));
        }
    for (int i = 0; i < COUNT(ranges); i++) {
        cn_world_def def = {0};
        put_float(&def, ranges[i].offset, ranges[i].value);
        REFUSES(CN_ERROR_RANGE, cn_world_create(&def));
    }
    for (int i = 0; i < COUNT(ints); i++) {
        cn_world_def def = {0};
        put_int(&def, ints[i].offset, ints[i].value);
        REFUSES(CN_ERROR_RANGE, cn_world_create(&def));
    }
}

static void *never_called(size_t size, size_t alignment, void *user) {
    (void)size, (void)alignment, (void)user;
    fail();
    return NULL;
}

static void half_an_allocator_is_refused(void **state) {
    (void)state;
    cn_world_def def = {.allocator = {.allocate = never_called}};
    REFUSES(CN_ERROR_HANDLE, cn_world_create(&def));
}

static void world_settings_refuse_bad_numbers(void **state) {
    (void)state;
    stage s = make_stage();
    for (int k = 0; k < COUNT(not_finite); k++) {
        float bad = not_finite[k];
        REFUSES(CN_ERROR_NUMBER, cn_world_set_gravity(s.world, (vec2s){{bad, 0}}));
        REFUSES(CN_ERROR_NUMBER, cn_world_set_gravity(s.world, (vec2s){{0, bad}}));
        REFUSES(CN_ERROR_NUMBER, cn_world_step(s.world, bad));
        REFUSES(CN_ERROR_NUMBER, cn_world_advance(s.world, bad) + 1);
    }
    REFUSES(CN_ERROR_RANGE, cn_world_step(s.world, -STEP));
    REFUSES(CN_ERROR_RANGE, cn_world_step(s.world, 1.5f));
    REFUSES(CN_ERROR_RANGE, cn_world_advance(s.world, -STEP) + 1);
    REFUSES(CN_ERROR_RANGE, cn_world_set_substeps(s.world, 0));
    REFUSES(CN_ERROR_RANGE, cn_world_set_substeps(s.world, 65));
    end_stage(&s);
}

static void no_tuning_value_may_be_negative_or_not_finite(void **state) {
    (void)state;
    stage s = make_stage();
    for (size_t offset = 0; offset < sizeof(cn_tuning); offset += sizeof(float)) {
        for (int k = 0; k < COUNT(not_finite); k++) {
            cn_tuning tuning = cn_world_tuning(s.world);
            put_float(&tuning, offset, not_finite[k]);
            REFUSES(CN_ERROR_NUMBER, cn_world_set_tuning(s.world, tuning));
        }
        cn_tuning tuning = cn_world_tuning(s.world);
        put_float(&tuning, offset, -1);
        REFUSES(CN_ERROR_RANGE, cn_world_set_tuning(s.world, tuning));
    }
    cn_tuning tuning = cn_world_tuning(s.world);
    tuning.box_margin = 0.4f * tuning.speculative_margin;
    REFUSES(CN_ERROR_RANGE, cn_world_set_tuning(s.world, tuning));
    end_stage(&s);
}

static void the_damping_of_a_world_is_finite_and_not_negative(void **state) {
    (void)state;
    stage s = make_stage();
    for (int k = 0; k < COUNT(not_finite); k++) {
        REFUSES(CN_ERROR_NUMBER, cn_world_set_damping(s.world, not_finite[k], 0));
        REFUSES(CN_ERROR_NUMBER, cn_world_set_damping(s.world, 0, not_finite[k]));
        REFUSES(CN_ERROR_NUMBER, cn_world_create(&(cn_world_def){.linear_damping = not_finite[k]}));
    }
    REFUSES(CN_ERROR_RANGE, cn_world_set_damping(s.world, -1, 0));
    REFUSES(CN_ERROR_RANGE, cn_world_set_damping(s.world, 0, -1));
    REFUSES(CN_ERROR_RANGE, cn_world_create(&(cn_world_def){.angular_damping = -1}));
    end_stage(&s);
}

// ---- bodies

static void bodies_refuse_numbers_that_are_not_finite(void **state) {
    (void)state;
    stage s = make_stage();
    const size_t fields[] = {offsetof(cn_body_def, position),
                             offsetof(cn_body_def, position) + sizeof(float),
                             offsetof(cn_body_def, angle),
                             offsetof(cn_body_def, velocity),
                             offsetof(cn_body_def, velocity) + sizeof(float),
                             offsetof(cn_body_def, angular_velocity),
                             offsetof(cn_body_def, linear_damping),
                             offsetof(cn_body_def, angular_damping),
                             offsetof(cn_body_def, gravity_scale),
                             offsetof(cn_body_def, max_speed),
                             offsetof(cn_body_def, sleep_speed)};
    for (int i = 0; i < COUNT(fields); i++)
        for (int k = 0; k < COUNT(not_finite); k++) {
            cn_body_def def = {0};
            put_float(&def, fields[i], not_finite[k]);
            REFUSES(CN_ERROR_NUMBER, cn_body_create(s.world, &def));
        }
    end_stage(&s);
}

static void bodies_refuse_numbers_out_of_range(void **state) {
    (void)state;
    stage s = make_stage();
    const bad_float bad[] = {{offsetof(cn_body_def, position), 2e9f},
                             {offsetof(cn_body_def, position) + sizeof(float), -2e9f},
                             {offsetof(cn_body_def, linear_damping), -1},
                             {offsetof(cn_body_def, angular_damping), -1},
                             {offsetof(cn_body_def, max_speed), -1},
                             {offsetof(cn_body_def, sleep_speed), -1}};
    for (int i = 0; i < COUNT(bad); i++) {
        cn_body_def def = {0};
        put_float(&def, bad[i].offset, bad[i].value);
        REFUSES(CN_ERROR_RANGE, cn_body_create(s.world, &def));
    }
    REFUSES(CN_ERROR_RANGE, cn_body_create(s.world, &(cn_body_def){.type = (cn_motion_type)3}));
    REFUSES(CN_ERROR_STATE,
            cn_body_create(s.world, &(cn_body_def){.type = CN_STATIC, .velocity = {{1, 0}}}));
    end_stage(&s);
}

static void refuse_as_scalar(const stage *s, float bad) {
    cn_world *w = s->world;
    cn_body b = s->dynamic;
    cn_pose none = cn_pose_at(point(0, 0), bad);
    REFUSES(CN_ERROR_NUMBER, cn_body_set_pose(w, b, none));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_angular_velocity(w, b, bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_apply_torque(w, b, bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_apply_angular_impulse(w, b, bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_mass_data(w, b, (cn_mass_data){.mass = bad}));
    REFUSES(CN_ERROR_NUMBER,
            cn_body_set_mass_data(w, b, (cn_mass_data){.mass = 1, .inertia = bad}));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_damping(w, b, bad, 0));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_damping(w, b, 0, bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_gravity_scale(w, b, bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_max_speed(w, b, bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_sleep_speed(w, b, bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_target(w, s->kinematic, none, 1));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_target(w, s->kinematic, cn_pose_at(point(0, 0), 0), bad));
}

static void refuse_as_vector(const stage *s, vec2s bad) {
    cn_world *w = s->world;
    cn_body b = s->dynamic;
    cn_pose none = {bad, {1, 0}};
    REFUSES(CN_ERROR_NUMBER, cn_body_set_pose(w, b, none));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_position(w, b, bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_velocity(w, b, bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_velocity_at(w, b, bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_apply_force_at(w, b, bad, point(0, 0)));
    REFUSES(CN_ERROR_NUMBER, cn_body_apply_force_at(w, b, point(0, 0), bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_apply_force(w, b, bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_apply_impulse_at(w, b, bad, point(0, 0)));
    REFUSES(CN_ERROR_NUMBER, cn_body_apply_impulse_at(w, b, point(0, 0), bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_apply_impulse(w, b, bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_mass_data(w, b, (cn_mass_data){.mass = 1, .center = bad}));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_target(w, s->kinematic, none, 1));
    REFUSES(CN_ERROR_NUMBER, cn_shape_contains(w, s->shape, bad));
    REFUSES(CN_ERROR_NUMBER, cn_shape_cast_ray(w, s->shape, bad, point(1, 0)));
    REFUSES(CN_ERROR_NUMBER, cn_shape_cast_ray(w, s->shape, point(0, 0), bad));
}

static void body_calls_refuse_numbers_that_are_not_finite(void **state) {
    (void)state;
    stage s = make_stage();
    for (int k = 0; k < COUNT(not_finite); k++) {
        refuse_as_scalar(&s, not_finite[k]);
        refuse_as_vector(&s, (vec2s){{not_finite[k], 0}});
        refuse_as_vector(&s, (vec2s){{0, not_finite[k]}});
    }
    end_stage(&s);
}

static void body_calls_refuse_numbers_out_of_range(void **state) {
    (void)state;
    stage s = make_stage();
    cn_world *w = s.world;
    cn_body b = s.dynamic;
    REFUSES(CN_ERROR_RANGE, cn_body_set_type(w, b, (cn_motion_type)3));
    REFUSES(CN_ERROR_RANGE, cn_body_set_pose(w, b, cn_pose_at(point(2e9, 0), 0)));
    REFUSES(CN_ERROR_RANGE, cn_body_set_mass_data(w, b, (cn_mass_data){.mass = 0}));
    REFUSES(CN_ERROR_RANGE, cn_body_set_mass_data(w, b, (cn_mass_data){.mass = -1}));
    REFUSES(CN_ERROR_RANGE, cn_body_set_mass_data(w, b, (cn_mass_data){.mass = 1e-40f}));
    REFUSES(CN_ERROR_RANGE, cn_body_set_mass_data(w, b, (cn_mass_data){.mass = 1, .inertia = -1}));
    REFUSES(CN_ERROR_RANGE, cn_body_set_damping(w, b, -1, 0));
    REFUSES(CN_ERROR_RANGE, cn_body_set_damping(w, b, 0, -1));
    REFUSES(CN_ERROR_RANGE, cn_body_set_max_speed(w, b, -1));
    REFUSES(CN_ERROR_RANGE, cn_body_set_sleep_speed(w, b, -1));
    REFUSES(CN_ERROR_RANGE, cn_body_set_sleep_speed(w, b, 0));
    assert_non_null(strstr(cn_error(), "cn_body_set_no_sleep()"));
    REFUSES(CN_ERROR_RANGE, cn_body_set_position(w, b, point(2e9, 0)));
    REFUSES(CN_ERROR_RANGE, cn_body_set_target(w, s.kinematic, cn_pose_at(point(0, 0), 0), 0));
    REFUSES(CN_ERROR_RANGE, cn_body_set_target(w, s.kinematic, cn_pose_at(point(0, 0), 0), -1));
    REFUSES(CN_ERROR_NUMBER,
            cn_body_set_target(w, s.kinematic, cn_pose_at(point(1e9, 0), 0), 1e-37f));
    end_stage(&s);
}

static void a_sensor_is_not_one_way(void **state) {
    (void)state;
    stage s = make_stage();
    cn_shape_def both = {.hull = cn_box(1, 1), .sensor = true, .one_way = {{0, 1}}};
    REFUSES(CN_ERROR_STATE, cn_shape_create(s.world, s.ground, &both));
    assert_string_equal(cn_error(),
                        "cn_shape_create: a sensor touches nothing, so its one_way must be (0, 0); "
                        "it is (0, 1)");
    assert_done(cn_shape_set_one_way(s.world, s.shape, point(0, 1)));
    REFUSES(CN_ERROR_STATE, cn_shape_set_sensor(s.world, s.shape, true));
    assert_done(cn_shape_set_sensor(s.world, s.shape, false));
    assert_done(cn_shape_set_one_way(s.world, s.shape, point(0, 0)));
    assert_done(cn_shape_set_sensor(s.world, s.shape, true));
    REFUSES(CN_ERROR_STATE, cn_shape_set_one_way(s.world, s.shape, point(0, -1)));
    assert_done(cn_shape_set_one_way(s.world, s.shape, point(0, 0)));
    end_stage(&s);
}

static void sums_that_overflow_are_refused(void **state) {
    (void)state;
    stage s = make_stage();
    vec2s huge = point(3e38, 0);
    assert_done(cn_body_apply_force(s.world, s.dynamic, huge));
    REFUSES(CN_ERROR_NUMBER, cn_body_apply_force(s.world, s.dynamic, huge));
    assert_done(cn_body_set_velocity(s.world, s.dynamic, point(1e9, 0)));
    assert_done(cn_body_set_mass_data(s.world, s.dynamic, (cn_mass_data){.mass = 1}));
    REFUSES(CN_ERROR_RANGE, cn_body_apply_impulse(s.world, s.dynamic, point(1e3, 0)));
    REFUSES(CN_ERROR_RANGE, cn_body_apply_impulse(s.world, s.dynamic, huge));
    // The velocity of a new centre of mass stays within the limit.
    assert_done(cn_body_set_angular_velocity(s.world, s.dynamic, 1e9f));
    assert_done(cn_body_set_mass_data(s.world, s.dynamic, (cn_mass_data){1, 1, point(100, 100)}));
    assert_true(fabsf(cn_body_velocity(s.world, s.dynamic).y) <= 1e9f);
    end_stage(&s);
}

static void forces_need_an_enabled_dynamic_body(void **state) {
    (void)state;
    stage s = make_stage();
    cn_world *w = s.world;
    cn_body off = cn_body_create(w, &(cn_body_def){.disabled = true});
    const cn_body bodies[] = {s.kinematic, s.ground, off};
    for (int i = 0; i < COUNT(bodies); i++) {
        REFUSES(CN_ERROR_STATE, cn_body_apply_force_at(w, bodies[i], point(1, 0), point(0, 0)));
        REFUSES(CN_ERROR_STATE, cn_body_apply_force(w, bodies[i], point(1, 0)));
        REFUSES(CN_ERROR_STATE, cn_body_apply_torque(w, bodies[i], 1));
        REFUSES(CN_ERROR_STATE, cn_body_apply_impulse_at(w, bodies[i], point(1, 0), point(0, 0)));
        REFUSES(CN_ERROR_STATE, cn_body_apply_impulse(w, bodies[i], point(1, 0)));
        REFUSES(CN_ERROR_STATE, cn_body_apply_angular_impulse(w, bodies[i], 1));
        REFUSES(CN_ERROR_STATE, cn_body_set_asleep(w, bodies[i], true));
    }
    REFUSES(CN_ERROR_STATE, cn_body_set_velocity(w, s.ground, point(1, 0)));
    REFUSES(CN_ERROR_STATE, cn_body_set_angular_velocity(w, s.ground, 1));
    REFUSES(CN_ERROR_STATE, cn_body_set_target(w, s.dynamic, cn_pose_at(point(1, 0), 0), 1));
    end_stage(&s);
}

static void a_body_that_may_not_sleep_cannot_be_put_to_sleep(void **state) {
    (void)state;
    stage s = make_stage();
    assert_done(cn_body_set_no_sleep(s.world, s.dynamic, true));
    REFUSES(CN_ERROR_STATE, cn_body_set_asleep(s.world, s.dynamic, true));
    assert_done(cn_body_set_no_sleep(s.world, s.dynamic, false));
    assert_done(cn_world_set_no_sleep(s.world, true));
    REFUSES(CN_ERROR_STATE, cn_body_set_asleep(s.world, s.dynamic, true));
    end_stage(&s);
}

// ---- shapes

static void shapes_refuse_bad_definitions(void **state) {
    (void)state;
    stage s = make_stage();
    const size_t friction = offsetof(cn_shape_def, material) + offsetof(cn_material, friction);
    const size_t restitution =
        offsetof(cn_shape_def, material) + offsetof(cn_material, restitution);
    const size_t rolling =
        offsetof(cn_shape_def, material) + offsetof(cn_material, rolling_resistance);
    const size_t surface = offsetof(cn_shape_def, material) + offsetof(cn_material, surface_speed);
    const size_t bounce =
        offsetof(cn_shape_def, material) + offsetof(cn_material, min_bounce_speed);
    const size_t one_way = offsetof(cn_shape_def, one_way);
    const size_t fields[] = {
        offsetof(cn_shape_def, density), friction, restitution, rolling, surface, bounce, one_way,
        one_way + sizeof(float)};
    const bad_float bad[] = {{offsetof(cn_shape_def, density), -1},
                             {friction, -1},
                             {rolling, -0.1f},
                             {rolling, 1e10f},
                             {surface, 2e9f},
                             {surface, -2e9f},
                             {bounce, -1},
                             {restitution, -0.1f},
                             {restitution, 1.1f}};
    for (int i = 0; i < COUNT(fields); i++)
        for (int k = 0; k < COUNT(not_finite); k++) {
            cn_shape_def def = {.hull = cn_circle(1)};
            put_float(&def, fields[i], not_finite[k]);
            REFUSES(CN_ERROR_NUMBER, cn_shape_create(s.world, s.dynamic, &def));
        }
    for (int i = 0; i < COUNT(bad); i++) {
        cn_shape_def def = {.hull = cn_circle(1)};
        put_float(&def, bad[i].offset, bad[i].value);
        REFUSES(CN_ERROR_RANGE, cn_shape_create(s.world, s.dynamic, &def));
    }
    end_stage(&s);
}

static void shape_setters_refuse_bad_numbers(void **state) {
    (void)state;
    stage s = make_stage();
    cn_world *w = s.world;
    for (int k = 0; k < COUNT(not_finite); k++) {
        cn_material slippery = {.friction = not_finite[k]}, bouncy = {.restitution = not_finite[k]};
        REFUSES(CN_ERROR_NUMBER, cn_shape_set_density(w, s.shape, not_finite[k]));
        REFUSES(CN_ERROR_NUMBER, cn_shape_set_material(w, s.shape, slippery));
        REFUSES(CN_ERROR_NUMBER, cn_shape_set_material(w, s.shape, bouncy));
        cn_material unknown = {.friction_mix = (cn_mix)(5 + k)};
        REFUSES(CN_ERROR_RANGE, cn_shape_set_material(w, s.shape, unknown));
        cn_material sticky = {.rolling_resistance = not_finite[k]};
        cn_material moving = {.surface_speed = not_finite[k]};
        REFUSES(CN_ERROR_NUMBER, cn_shape_set_material(w, s.shape, sticky));
        REFUSES(CN_ERROR_NUMBER, cn_shape_set_material(w, s.shape, moving));
        REFUSES(CN_ERROR_NUMBER, cn_shape_set_one_way(w, s.shape, (vec2s){{not_finite[k], 1}}));
        REFUSES(CN_ERROR_NUMBER, cn_shape_set_one_way(w, s.shape, (vec2s){{1, not_finite[k]}}));
        REFUSES(CN_ERROR_NUMBER, cn_body_drop_through(w, s.dynamic, not_finite[k]));
    }
    REFUSES(CN_ERROR_RANGE, cn_body_drop_through(w, s.dynamic, -1));
    REFUSES(CN_ERROR_RANGE,
            cn_shape_set_material(w, s.shape, (cn_material){.rolling_resistance = -1}));
    REFUSES(CN_ERROR_RANGE,
            cn_shape_set_material(w, s.shape, (cn_material){.surface_speed = 2e9f}));
    REFUSES(CN_ERROR_RANGE, cn_shape_set_density(w, s.shape, -1));
    REFUSES(CN_ERROR_RANGE, cn_shape_set_material(w, s.shape, (cn_material){.friction = -1}));
    REFUSES(CN_ERROR_RANGE, cn_shape_set_material(w, s.shape, (cn_material){.restitution = 2}));
    end_stage(&s);
}

static void invalid_hulls_are_refused(void **state) {
    (void)state;
    stage s = make_stage();
    cn_hull broken = cn_box(1, 1);
    broken.vertices[2] = point(NAN, 0);
    cn_hull dented = cn_box(1, 1);
    dented.vertices[2] = point(0, 0);
    const struct {
        cn_hull hull;
        cn_error_kind kind;
    } bad[] = {{{.count = 0}, CN_ERROR_SHAPE},        {{.count = 9}, CN_ERROR_SHAPE},
               {{.count = -1}, CN_ERROR_SHAPE},       {cn_circle(-1), CN_ERROR_SHAPE},
               {cn_box(0, 1), CN_ERROR_SHAPE},        {broken, CN_ERROR_NUMBER},
               {cn_circle(INFINITY), CN_ERROR_SHAPE}, {dented, CN_ERROR_SHAPE}};
    for (int i = 0; i < COUNT(bad); i++) {
        cn_shape_def def = {.hull = bad[i].hull};
        REFUSES(bad[i].kind, cn_shape_create(s.world, s.dynamic, &def));
        REFUSES(bad[i].kind, cn_shape_set_hull(s.world, s.shape, bad[i].hull));
    }
    end_stage(&s);
}

static void a_dynamic_body_keeps_a_shape_with_mass(void **state) {
    (void)state;
    stage s = make_stage();
    cn_world *w = s.world;
    cn_hull line = cn_segment(point(-1, 0), point(1, 0));
    cn_body empty = cn_body_create(w, &(cn_body_def){0});
    REFUSES(CN_ERROR_STATE, cn_shape_create(w, empty, &(cn_shape_def){.hull = line}));
    cn_shape_def ghost = {.hull = cn_box(1, 1), .massless = true};
    REFUSES(CN_ERROR_STATE, cn_shape_create(w, empty, &ghost));
    REFUSES(CN_ERROR_STATE, cn_shape_set_density(w, s.shape, 0));
    REFUSES(CN_ERROR_STATE, cn_shape_set_hull(w, s.shape, line));

    cn_body slab = add(w, (cn_body_def){.type = CN_STATIC}, ghost);
    REFUSES(CN_ERROR_STATE, cn_body_set_type(w, slab, CN_DYNAMIC));
    assert_done(cn_body_set_mass_data(w, slab, (cn_mass_data){.mass = 1}));
    assert_done(cn_body_set_type(w, slab, CN_DYNAMIC));
    REFUSES(CN_ERROR_STATE, cn_body_reset_mass(w, slab));

    // Both shapes are allowed beside a shape with mass, or if the mass of the body was set by hand.
    assert_done(cn_shape_create(w, s.dynamic, &(cn_shape_def){.hull = line}).id != 0);
    assert_done(cn_shape_create(w, slab, &ghost).id != 0);
    end_stage(&s);
}

static void masses_that_floats_cannot_hold_are_refused(void **state) {
    (void)state;
    stage s = make_stage();
    cn_shape_def heavy = {.hull = cn_box(1e9f, 1e9f), .density = 1e30f};
    REFUSES(CN_ERROR_RANGE, cn_shape_create(s.world, s.dynamic, &heavy));
    REFUSES(CN_ERROR_RANGE, cn_shape_create(s.world, s.ground, &heavy));
    cn_body empty = cn_body_create(s.world, &(cn_body_def){0});
    REFUSES(CN_ERROR_RANGE, cn_hull_mass_data(heavy.hull, heavy.density));
    cn_shape_def light = {.hull = cn_circle(1e-3f), .density = 1e-34f};
    REFUSES(CN_ERROR_RANGE, cn_shape_create(s.world, empty, &light));
    end_stage(&s);
}

static void a_shape_is_next_only_among_those_of_its_body(void **state) {
    (void)state;
    stage s = make_stage();
    REFUSES(CN_ERROR_HANDLE, cn_body_next_shape(s.world, s.ground, s.shape));
    end_stage(&s);
}

// ---- poses, hulls

static void poses_refuse_numbers_that_are_not_finite(void **state) {
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    const cn_pose rests = {.rotation = {1, 0}};
    for (int i = 0; i < COUNT(bad); i++) {
        const vec2s wrong = {{0, bad[i]}};
        REFUSES(CN_ERROR_NUMBER, cn_rotation_angle((cn_rotation){1, bad[i]}));
        REFUSES(CN_ERROR_NUMBER, cn_pose_point(rests, wrong));
        REFUSES(CN_ERROR_NUMBER, cn_pose_local_point(rests, wrong));
        prepare_refusal(CN_ERROR_NUMBER);
        cn_rotation q = cn_rotation_of(bad[i]);
        assert_true(isnan(q.c) && isnan(q.s) && cn_error_code() == CN_ERROR_NUMBER);
        REFUSES(CN_ERROR_NUMBER, cn_pose_at(point(0, 0), bad[i]));
        REFUSES(CN_ERROR_NUMBER, cn_pose_at(wrong, 0));
    }
}

static void hulls_refuse_bad_sizes(void **state) {
    (void)state;
    const float bad[] = {0, -1, 2e9f, NAN, INFINITY, -INFINITY};
    for (int i = 0; i < COUNT(bad); i++) {
        cn_error_kind kind = isfinite(bad[i]) ? CN_ERROR_RANGE : CN_ERROR_NUMBER;
        if (bad[i] != 0) REFUSES(kind, cn_circle(bad[i]));
        REFUSES(kind, cn_capsule(point(0, 0), point(1, 0), bad[i]));
        REFUSES(kind, cn_box(bad[i], 1));
        REFUSES(kind, cn_box(1, bad[i]));
        REFUSES(kind, cn_regular_polygon(5, bad[i]));
        if (bad[i] == 0) continue;
        REFUSES(kind, cn_rounded_box(1, 1, bad[i]));
        vec2s far = {{isfinite(bad[i]) ? 2e9f : bad[i], 0}};
        REFUSES(kind, cn_segment(far, point(0, 0)));
    }
}

static void points_that_make_no_hull_are_refused(void **state) {
    (void)state;
    const vec2s same[] = {{{1, 1}}, {{1, 1}}, {{1, 1}}};
    const vec2s line[] = {{{0, 0}}, {{1, 1}}, {{2, 2}}, {{-5, -5}}};
    vec2s circle[12];
    for (int i = 0; i < 12; i++) circle[i] = point(cos(i * PI / 6), sin(i * PI / 6));
    REFUSES(CN_ERROR_SHAPE, cn_capsule(point(1, 2), point(1, 2), 1));
    REFUSES(CN_ERROR_SHAPE, cn_segment(point(1, 2), point(1, 2)));
    REFUSES(CN_ERROR_SHAPE, cn_polygon(circle, 2, 0));
    REFUSES(CN_ERROR_SHAPE, cn_polygon(circle, -1, 0));
    REFUSES(CN_ERROR_SHAPE, cn_polygon(same, 3, 0));
    REFUSES(CN_ERROR_SHAPE, cn_polygon(line, 4, 0));
    REFUSES(CN_ERROR_SHAPE, cn_polygon(circle, 12, 0));
    REFUSES(CN_ERROR_HANDLE, cn_polygon(NULL, 3, 0));
    REFUSES(CN_ERROR_RANGE, cn_regular_polygon(2, 1));
    REFUSES(CN_ERROR_RANGE, cn_regular_polygon(9, 1));
    circle[4] = point(NAN, 0);
    REFUSES(CN_ERROR_NUMBER, cn_polygon(circle, 6, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_refuse_bad_definitions),
        cmocka_unit_test(half_an_allocator_is_refused),
        cmocka_unit_test(world_settings_refuse_bad_numbers),
        cmocka_unit_test(no_tuning_value_may_be_negative_or_not_finite),
        cmocka_unit_test(the_damping_of_a_world_is_finite_and_not_negative),
        cmocka_unit_test(bodies_refuse_numbers_that_are_not_finite),
        cmocka_unit_test(bodies_refuse_numbers_out_of_range),
        cmocka_unit_test(body_calls_refuse_numbers_that_are_not_finite),
        cmocka_unit_test(body_calls_refuse_numbers_out_of_range),
        cmocka_unit_test(a_sensor_is_not_one_way),
        cmocka_unit_test(sums_that_overflow_are_refused),
        cmocka_unit_test(forces_need_an_enabled_dynamic_body),
        cmocka_unit_test(a_body_that_may_not_sleep_cannot_be_put_to_sleep),
        cmocka_unit_test(shapes_refuse_bad_definitions),
        cmocka_unit_test(shape_setters_refuse_bad_numbers),
        cmocka_unit_test(invalid_hulls_are_refused),
        cmocka_unit_test(a_dynamic_body_keeps_a_shape_with_mass),
        cmocka_unit_test(masses_that_floats_cannot_hold_are_refused),
        cmocka_unit_test(a_shape_is_next_only_among_those_of_its_body),
        cmocka_unit_test(poses_refuse_numbers_that_are_not_finite),
        cmocka_unit_test(hulls_refuse_bad_sizes),
        cmocka_unit_test(points_that_make_no_hull_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
