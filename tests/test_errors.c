/* Bad numbers and calls at the wrong time: each fails with its reason, in numbers, and changes
 * nothing. Bad handles are in test_handles.c, memory that runs out in test_memory.c. */
#include "refuse.h"

#include "../engine/base/base.h"

#include <pthread.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static const float not_finite[] = {NAN, INFINITY, -INFINITY};

// A field of a definition by its offset, and what it may not be.
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

// ---- a world with one body of each type

typedef struct {
    cn_world *world;
    cn_body dynamic, kinematic, fixed;
    cn_shape shape; // of the dynamic one
} stage;

static stage make_stage(void) {
    cn_shape_def box = {.hull = cn_box(1, 1)};
    stage s = {.world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}})};
    assert_non_null(s.world);
    s.dynamic = add(s.world, (cn_body_def){.position = {{0, 5}}}, box);
    s.kinematic = add(s.world, (cn_body_def){.type = CN_KINEMATIC, .position = {{5, 5}}}, box);
    s.fixed = add(s.world, (cn_body_def){.type = CN_STATIC}, box);
    s.shape = cn_body_next_shape(s.world, s.dynamic, (cn_shape){0});
    run(s.world, 3);
    watched = s.world;
    return s;
}

static void end_stage(stage *s) {
    watched = NULL;
    cn_world_destroy(s->world);
}

// ---- worlds

static void worlds_refuse_bad_definitions(void **state) {
    (void)state;
    const size_t floats[] = {
        offsetof(cn_world_def, gravity), offsetof(cn_world_def, gravity) + sizeof(float),
        offsetof(cn_world_def, length_unit), offsetof(cn_world_def, time_step)};
    const bad_float ranges[] = {{offsetof(cn_world_def, length_unit), -1},
                                {offsetof(cn_world_def, length_unit), 1e-20f},
                                {offsetof(cn_world_def, length_unit), 1e20f},
                                {offsetof(cn_world_def, time_step), -0.1f},
                                {offsetof(cn_world_def, time_step), 1.1f}};
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

static void every_tuning_value_must_be_positive_and_finite(void **state) {
    (void)state;
    stage s = make_stage();
    for (size_t offset = 0; offset < sizeof(cn_tuning); offset += sizeof(float)) {
        for (int k = 0; k < COUNT(not_finite); k++) {
            cn_tuning tuning = cn_world_tuning(s.world);
            put_float(&tuning, offset, not_finite[k]);
            REFUSES(CN_ERROR_NUMBER, cn_world_set_tuning(s.world, &tuning));
        }
        for (int k = 0; k < 2; k++) {
            cn_tuning tuning = cn_world_tuning(s.world);
            put_float(&tuning, offset, (float)-k);
            REFUSES(CN_ERROR_RANGE, cn_world_set_tuning(s.world, &tuning));
        }
    }
    cn_tuning tuning = cn_world_tuning(s.world);
    tuning.box_margin = 0.4f * tuning.speculative_margin;
    REFUSES(CN_ERROR_RANGE, cn_world_set_tuning(s.world, &tuning));
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
                             offsetof(cn_body_def, speed_limit),
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
                             {offsetof(cn_body_def, speed_limit), -1},
                             {offsetof(cn_body_def, sleep_speed), -1}};
    for (int i = 0; i < COUNT(bad); i++) {
        cn_body_def def = {0};
        put_float(&def, bad[i].offset, bad[i].value);
        REFUSES(CN_ERROR_RANGE, cn_body_create(s.world, &def));
    }
    REFUSES(CN_ERROR_RANGE, cn_body_create(s.world, &(cn_body_def){.type = (cn_body_type)3}));
    REFUSES(CN_ERROR_STATE,
            cn_body_create(s.world, &(cn_body_def){.type = CN_STATIC, .velocity = {{1, 0}}}));
    end_stage(&s);
}

static void refuse_as_scalar(const stage *s, float bad) {
    cn_world *w = s->world;
    cn_body b = s->dynamic;
    REFUSES(CN_ERROR_NUMBER, cn_body_set_pose(w, b, point(0, 0), bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_angular_velocity(w, b, bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_apply_torque(w, b, bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_apply_angular_impulse(w, b, bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_mass(w, b, (cn_mass){.mass = bad}));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_mass(w, b, (cn_mass){.mass = 1, .inertia = bad}));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_damping(w, b, bad, 0));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_damping(w, b, 0, bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_gravity_scale(w, b, bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_speed_limit(w, b, bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_sleep_speed(w, b, bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_target(w, s->kinematic, point(0, 0), bad, 1));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_target(w, s->kinematic, point(0, 0), 0, bad));
}

static void refuse_as_vector(const stage *s, vec2s bad) {
    cn_world *w = s->world;
    cn_body b = s->dynamic;
    REFUSES(CN_ERROR_NUMBER, cn_body_set_pose(w, b, bad, 0));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_velocity(w, b, bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_velocity_at(w, b, bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_apply_force(w, b, bad, point(0, 0)));
    REFUSES(CN_ERROR_NUMBER, cn_body_apply_force(w, b, point(0, 0), bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_apply_center_force(w, b, bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_apply_impulse(w, b, bad, point(0, 0)));
    REFUSES(CN_ERROR_NUMBER, cn_body_apply_impulse(w, b, point(0, 0), bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_apply_center_impulse(w, b, bad));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_mass(w, b, (cn_mass){.mass = 1, .center = bad}));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_target(w, s->kinematic, bad, 0, 1));
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
    REFUSES(CN_ERROR_RANGE, cn_body_set_type(w, b, (cn_body_type)3));
    REFUSES(CN_ERROR_RANGE, cn_body_set_pose(w, b, point(2e9, 0), 0));
    REFUSES(CN_ERROR_RANGE, cn_body_set_mass(w, b, (cn_mass){.mass = 0}));
    REFUSES(CN_ERROR_RANGE, cn_body_set_mass(w, b, (cn_mass){.mass = -1}));
    REFUSES(CN_ERROR_RANGE, cn_body_set_mass(w, b, (cn_mass){.mass = 1e-40f}));
    REFUSES(CN_ERROR_RANGE, cn_body_set_mass(w, b, (cn_mass){.mass = 1, .inertia = -1}));
    REFUSES(CN_ERROR_RANGE, cn_body_set_damping(w, b, -1, 0));
    REFUSES(CN_ERROR_RANGE, cn_body_set_damping(w, b, 0, -1));
    REFUSES(CN_ERROR_RANGE, cn_body_set_speed_limit(w, b, -1));
    REFUSES(CN_ERROR_RANGE, cn_body_set_sleep_speed(w, b, -1));
    REFUSES(CN_ERROR_RANGE, cn_body_set_target(w, s.kinematic, point(0, 0), 0, 0));
    REFUSES(CN_ERROR_RANGE, cn_body_set_target(w, s.kinematic, point(0, 0), 0, -1));
    REFUSES(CN_ERROR_NUMBER, cn_body_set_target(w, s.kinematic, point(1e9, 0), 0, 1e-37f));
    end_stage(&s);
}

static void sums_that_overflow_are_refused(void **state) {
    (void)state;
    stage s = make_stage();
    vec2s huge = point(3e38, 0);
    assert_done(cn_body_apply_center_force(s.world, s.dynamic, huge));
    REFUSES(CN_ERROR_NUMBER, cn_body_apply_center_force(s.world, s.dynamic, huge));
    assert_done(cn_body_set_velocity(s.world, s.dynamic, huge));
    assert_done(cn_body_set_mass(s.world, s.dynamic, (cn_mass){.mass = 1}));
    REFUSES(CN_ERROR_NUMBER, cn_body_apply_center_impulse(s.world, s.dynamic, huge));
    // Nor is the velocity of a new centre of mass beyond numbers.
    assert_done(cn_body_set_angular_velocity(s.world, s.dynamic, 3e38f));
    assert_done(cn_body_set_mass(s.world, s.dynamic, (cn_mass){1, 1, point(100, 100)}));
    assert_true(isfinite(cn_body_velocity(s.world, s.dynamic).y));
    end_stage(&s);
}

static void forces_need_an_enabled_dynamic_body(void **state) {
    (void)state;
    stage s = make_stage();
    cn_world *w = s.world;
    cn_body off = cn_body_create(w, &(cn_body_def){.disabled = true});
    const cn_body bodies[] = {s.kinematic, s.fixed, off};
    for (int i = 0; i < COUNT(bodies); i++) {
        REFUSES(CN_ERROR_STATE, cn_body_apply_force(w, bodies[i], point(1, 0), point(0, 0)));
        REFUSES(CN_ERROR_STATE, cn_body_apply_center_force(w, bodies[i], point(1, 0)));
        REFUSES(CN_ERROR_STATE, cn_body_apply_torque(w, bodies[i], 1));
        REFUSES(CN_ERROR_STATE, cn_body_apply_impulse(w, bodies[i], point(1, 0), point(0, 0)));
        REFUSES(CN_ERROR_STATE, cn_body_apply_center_impulse(w, bodies[i], point(1, 0)));
        REFUSES(CN_ERROR_STATE, cn_body_apply_angular_impulse(w, bodies[i], 1));
        REFUSES(CN_ERROR_STATE, cn_body_set_awake(w, bodies[i], false));
    }
    REFUSES(CN_ERROR_STATE, cn_body_set_velocity(w, s.fixed, point(1, 0)));
    REFUSES(CN_ERROR_STATE, cn_body_set_angular_velocity(w, s.fixed, 1));
    REFUSES(CN_ERROR_STATE, cn_body_set_target(w, s.dynamic, point(1, 0), 0, 1));
    end_stage(&s);
}

static void what_may_not_sleep_cannot_be_put_to_sleep(void **state) {
    (void)state;
    stage s = make_stage();
    assert_done(cn_body_set_no_sleep(s.world, s.dynamic, true));
    REFUSES(CN_ERROR_STATE, cn_body_set_awake(s.world, s.dynamic, false));
    assert_done(cn_body_set_no_sleep(s.world, s.dynamic, false));
    assert_done(cn_world_set_sleeping(s.world, false));
    REFUSES(CN_ERROR_STATE, cn_body_set_awake(s.world, s.dynamic, false));
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
    const size_t one_way = offsetof(cn_shape_def, one_way);
    const size_t fields[] = {
        offsetof(cn_shape_def, density), friction, restitution, rolling, surface, one_way,
        one_way + sizeof(float)};
    const bad_float bad[] = {{offsetof(cn_shape_def, density), -1},
                             {friction, -1},
                             {rolling, -0.1f},
                             {rolling, 1e10f},
                             {surface, 2e9f},
                             {surface, -2e9f},
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

static void hulls_that_are_none_are_refused(void **state) {
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
        REFUSES(bad[i].kind, cn_shape_set_hull(s.world, s.shape, &bad[i].hull));
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
    REFUSES(CN_ERROR_STATE, cn_shape_set_hull(w, s.shape, &line));

    cn_body slab = add(w, (cn_body_def){.type = CN_STATIC}, ghost);
    REFUSES(CN_ERROR_STATE, cn_body_set_type(w, slab, CN_DYNAMIC));
    assert_done(cn_body_set_mass(w, slab, (cn_mass){.mass = 1}));
    assert_done(cn_body_set_type(w, slab, CN_DYNAMIC));
    REFUSES(CN_ERROR_STATE, cn_body_reset_mass(w, slab));

    // Beside another shape, or with a mass set by hand, they are welcome.
    assert_done(cn_shape_create(w, s.dynamic, &(cn_shape_def){.hull = line}).id != 0);
    assert_done(cn_shape_create(w, slab, &ghost).id != 0);
    end_stage(&s);
}

static void masses_that_floats_cannot_hold_are_refused(void **state) {
    (void)state;
    stage s = make_stage();
    cn_shape_def heavy = {.hull = cn_box(1e9f, 1e9f), .density = 1e30f};
    REFUSES(CN_ERROR_RANGE, cn_shape_create(s.world, s.dynamic, &heavy));
    REFUSES(CN_ERROR_RANGE, cn_shape_create(s.world, s.fixed, &heavy));
    cn_body empty = cn_body_create(s.world, &(cn_body_def){0});
    REFUSES(CN_ERROR_RANGE, cn_hull_mass(&heavy.hull, heavy.density));
    cn_shape_def light = {.hull = cn_circle(1e-3f), .density = 1e-34f};
    REFUSES(CN_ERROR_RANGE, cn_shape_create(s.world, empty, &light));
    end_stage(&s);
}

static void a_shape_is_next_only_among_those_of_its_body(void **state) {
    (void)state;
    stage s = make_stage();
    REFUSES(CN_ERROR_HANDLE, cn_body_next_shape(s.world, s.fixed, s.shape));
    end_stage(&s);
}

// ---- poses, hulls

static void poses_refuse_what_is_no_number(void **state) {
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    const cn_pose rests = {.rotation = {1, 0}};
    for (int i = 0; i < COUNT(bad); i++) {
        const vec2s wrong = {{0, bad[i]}};
        REFUSES(CN_ERROR_NUMBER, cn_pose_at(wrong, 0));
        REFUSES(CN_ERROR_NUMBER, cn_pose_at(point(0, 0), bad[i]));
        REFUSES(CN_ERROR_NUMBER, cn_rotation_angle((cn_rotation){1, bad[i]}));
        REFUSES(CN_ERROR_NUMBER, cn_pose_point(rests, wrong));
        REFUSES(CN_ERROR_NUMBER, cn_pose_local_point(rests, wrong));
        prepare_refusal(CN_ERROR_NUMBER);
        cn_rotation q = cn_rotation_of(bad[i]);
        assert_true(q.c == 0 && q.s == 0 && cn_error_code() == CN_ERROR_NUMBER);
    }
}

static void hulls_refuse_bad_sizes(void **state) {
    (void)state;
    const float bad[] = {0, -1, 2e9f, NAN, INFINITY, -INFINITY};
    for (int i = 0; i < COUNT(bad); i++) {
        cn_error_kind kind = isfinite(bad[i]) ? CN_ERROR_RANGE : CN_ERROR_NUMBER;
        REFUSES(kind, cn_circle(bad[i]));
        REFUSES(kind, cn_capsule(point(0, 0), point(1, 0), bad[i]));
        REFUSES(kind, cn_box(bad[i], 1));
        REFUSES(kind, cn_box(1, bad[i]));
        REFUSES(kind, cn_regular(5, bad[i]));
        if (bad[i] == 0) continue;
        REFUSES(kind, cn_rounded_box(1, 1, bad[i]));
        vec2s far = {{isfinite(bad[i]) ? 2e9f : bad[i], 0}};
        REFUSES(kind, cn_segment(far, point(0, 0)));
    }
}

static void hulls_refuse_points_that_make_none(void **state) {
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
    REFUSES(CN_ERROR_RANGE, cn_regular(2, 1));
    REFUSES(CN_ERROR_RANGE, cn_regular(9, 1));
    circle[4] = point(NAN, 0);
    REFUSES(CN_ERROR_NUMBER, cn_polygon(circle, 6, 0));
}

// ---- values that were not made say why

static int count_of(const char *text, const char *part) {
    int count = 0;
    for (; (text = strstr(text, part)); text++) count++;
    return count;
}

static void a_hull_that_was_not_made_says_why_wherever_it_is_used(void **state) {
    (void)state;
    stage s = make_stage();
    cn_shape_def def = {.hull = cn_box(0, 1)};
    cn_circle(NAN);
    cn_body_position(s.world, (cn_body){0}); // neither of these is quoted
    cn_shape_create(s.world, s.dynamic, &def);
    assert_string_equal(cn_error(),
                        "cn_shape_create: the hull was not made (cn_box: the half width "
                        "is 0; it must be positive and at most 1e+09)");
    cn_circle(NAN);
    cn_hull_contains(&def.hull, point(0, 0));
    assert_string_equal(cn_error(), "cn_hull_contains: the hull was not made (cn_box: the half "
                                    "width is 0; it must be positive and at most 1e+09)");
    cn_hull gone = cn_shape_hull(s.world, (cn_shape){0});
    cn_circle(NAN);
    cn_hull_mass(&gone, 1);
    assert_int_equal(count_of(cn_error(), "(cn_shape_hull: the shape is null"), 1);
    end_stage(&s);
}

static void quotes_of_errors_do_not_nest(void **state) {
    (void)state;
    cn_hull hull = cn_box(0, 1);
    for (int i = 0; i < 3; i++) hull = cn_hull_at(&hull, cn_pose_at(point(1, 2), 0));
    cn_hull_mass(&hull, 1);
    assert_string_equal(cn_error(),
                        "cn_hull_mass: the hull was not made (cn_box: the half width is "
                        "0; it must be positive and at most 1e+09)");
    // If the pose is bad, the error is that of cn_hull_at().
    cn_hull box = cn_box(1, 1), lost = cn_hull_at(&box, (cn_pose){0});
    cn_hull_mass(&lost, 1);
    assert_int_equal(count_of(cn_error(), "(cn_hull_at: the rotation (0, 0) of the pose"), 1);
}

static void an_error_that_is_no_longer_kept_is_not_quoted(void **state) {
    (void)state;
    cn_hull first = cn_circle(-1);
    for (int i = 2; i <= 8; i++) cn_circle((float)-i);
    cn_circle(-8); // the same error again needs no second place
    cn_hull_mass(&first, 1);
    assert_int_equal(count_of(cn_error(), "(cn_circle: the radius is -1;"), 1);
    cn_circle(-9);
    cn_hull_mass(&first, 1);
    assert_string_equal(cn_error(), "cn_hull_mass: the hull has count 0: the call that should have "
                                    "made it failed, with an error that is not kept any more");
    cn_hull none = {0};
    cn_hull_mass(&none, 1);
    assert_string_equal(cn_error(), "cn_hull_mass: the hull has count 0: make it with cn_circle(), "
                                    "cn_box(), cn_polygon(), ...");
}

static void *make_no_hull(void *hull) {
    *(cn_hull *)hull = cn_circle(-77);
    return NULL;
}

// Each thread keeps its own sentences, but equal sentences have equal marks.
static void an_error_of_another_thread_is_not_quoted(void **state) {
    (void)state;
    cn_hull hull;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, make_no_hull, &hull), 0);
    pthread_join(thread, NULL);
    cn_circle(-78);
    cn_hull_mass(&hull, 1);
    assert_int_equal(count_of(cn_error(), "with an error that is not kept any more"), 1);
    cn_circle(-77);
    cn_hull_mass(&hull, 1);
    assert_int_equal(count_of(cn_error(), "(cn_circle: the radius is -77;"), 1);
}

static void a_long_error_ends_with_dots_and_a_quote_of_it_is_complete(void **state) {
    (void)state;
    char text[2001];
    memset(text, 'x', 2000), text[2000] = 0;
    cn_fail(CN_ERROR_SHAPE, "%s", text);
    assert_int_equal(strlen(cn_error()), 511);
    assert_string_equal(cn_error() + 508, "...");
    cn_fail_call("cn_circle");
    assert_int_equal(strlen(cn_error()), 511);
    assert_int_equal(count_of(cn_error(), "cn_circle: xxx"), 1);
    assert_string_equal(cn_error() + 508, "...");
    cn_hull hull = {.failure = cn_keep_error()};
    cn_hull_mass(&hull, 1);
    assert_string_equal(cn_error() + strlen(cn_error()) - 5, "x...)");
}

// ---- errors are cleared, and heard by the hook

static void an_error_can_be_cleared(void **state) {
    (void)state;
    cn_hull hull = cn_circle(-1);
    cn_error_clear();
    assert_string_equal(cn_error(), "");
    assert_int_equal(cn_error_code(), CN_ERROR_NONE);
    assert_int_equal(cn_circle(1).count, 1);
    assert_string_equal(cn_error(), "");
    cn_hull_mass(&hull, 1); // the hull still says why it was not made
    assert_int_equal(count_of(cn_error(), "(cn_circle: the radius is -1;"), 1);
}

static void count_errors(cn_error_kind kind, const char *text, void *user) {
    assert_true(kind == cn_error_code() && strcmp(text, cn_error()) == 0);
    ++*(int *)user;
}

static void *make_mistakes(void *count) {
    cn_circle(-1); // no hook on this thread yet
    cn_set_error_hook(count_errors, count);
    cn_circle(-1), cn_circle(-1);
    return NULL;
}

static void each_thread_has_a_hook_of_its_own(void **state) {
    (void)state;
    int here = 0, there = 0;
    pthread_t thread;
    cn_set_error_hook(count_errors, &here);
    cn_circle(-1), cn_circle(1);
    assert_int_equal(pthread_create(&thread, NULL, make_mistakes, &there), 0);
    pthread_join(thread, NULL);
    assert_true(here == 1 && there == 2);
    cn_set_error_hook(NULL, NULL);
    cn_circle(-1);
    assert_int_equal(here, 1);
}

// A chain names the point, the coordinate and the function, and the hook gets the complete error.
static void the_hook_hears_the_complete_error(void **state) {
    (void)state;
    stage s = make_stage();
    const vec2s points[] = {{{0, 0}}, {{1, 0}}, {{2, NAN}}};
    prepare_refusal(CN_ERROR_NUMBER);
    cn_chain_create(s.world, s.fixed, &(cn_chain_def){.points = points, .count = 3});
    assert_true(heard_once());
    assert_string_equal(heard.text,
                        "cn_chain_create: point 2: the y of the point is nan; it must be in -1e+09 "
                        ".. 1e+09");
    prepare_refusal(CN_ERROR_NUMBER);
    cn_shape_create(s.world, s.dynamic, &(cn_shape_def){.hull = {.count = 1, .radius = NAN}});
    assert_true(heard_once());
    end_stage(&s);
}

// ---- the text of an error

static void an_error_says_which_coordinate_is_wrong(void **state) {
    (void)state;
    stage s = make_stage();
    cn_world_set_gravity(s.world, point(0, NAN));
    assert_string_equal(cn_error(),
                        "cn_world_set_gravity: the y of the gravity is nan; it must be finite");
    cn_hull box = cn_box(1, 1);
    const cn_pose pose = cn_pose_at(point(0, 0), 0);
    cn_cast_hull(&box, pose, point(1e20, 0), &box, pose);
    assert_string_equal(cn_error(),
                        "cn_cast_hull: the x of the translation is 1e+20; it must be in "
                        "-1e+18 .. 1e+18");
    cn_body_create(s.world, &(cn_body_def){.position = point(3, 2e9)});
    assert_string_equal(cn_error(), "cn_body_create: the y of the position is 2e+09; it must be in "
                                    "-1e+09 .. 1e+09");
    cn_hull_bounds(&box, (cn_pose){0});
    assert_string_equal(cn_error(), "cn_hull_bounds: the rotation (0, 0) of the pose is not of "
                                    "length 1: make poses with cn_pose_at()");
    end_stage(&s);
}

static void numbers_without_bounds_are_only_asked_to_be_finite(void **state) {
    (void)state;
    cn_rotation_of(NAN);
    assert_string_equal(cn_error(), "cn_rotation_of: the angle is nan; it must be finite");
    cn_hull box = cn_box(1, 1);
    cn_hull_mass(&box, -1);
    assert_string_equal(cn_error(),
                        "cn_hull_mass: the density is -1; it must be finite and at least 0");
    cn_regular(9, 1);
    assert_non_null(strstr(cn_error(), "must be in 3 .. 8"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_refuse_bad_definitions),
        cmocka_unit_test(half_an_allocator_is_refused),
        cmocka_unit_test(world_settings_refuse_bad_numbers),
        cmocka_unit_test(every_tuning_value_must_be_positive_and_finite),
        cmocka_unit_test(bodies_refuse_numbers_that_are_not_finite),
        cmocka_unit_test(bodies_refuse_numbers_out_of_range),
        cmocka_unit_test(body_calls_refuse_numbers_that_are_not_finite),
        cmocka_unit_test(body_calls_refuse_numbers_out_of_range),
        cmocka_unit_test(sums_that_overflow_are_refused),
        cmocka_unit_test(forces_need_an_enabled_dynamic_body),
        cmocka_unit_test(what_may_not_sleep_cannot_be_put_to_sleep),
        cmocka_unit_test(shapes_refuse_bad_definitions),
        cmocka_unit_test(shape_setters_refuse_bad_numbers),
        cmocka_unit_test(hulls_that_are_none_are_refused),
        cmocka_unit_test(a_dynamic_body_keeps_a_shape_with_mass),
        cmocka_unit_test(masses_that_floats_cannot_hold_are_refused),
        cmocka_unit_test(a_shape_is_next_only_among_those_of_its_body),
        cmocka_unit_test(poses_refuse_what_is_no_number),
        cmocka_unit_test(hulls_refuse_bad_sizes),
        cmocka_unit_test(hulls_refuse_points_that_make_none),
        cmocka_unit_test(a_hull_that_was_not_made_says_why_wherever_it_is_used),
        cmocka_unit_test(quotes_of_errors_do_not_nest),
        cmocka_unit_test(an_error_that_is_no_longer_kept_is_not_quoted),
        cmocka_unit_test(an_error_of_another_thread_is_not_quoted),
        cmocka_unit_test(a_long_error_ends_with_dots_and_a_quote_of_it_is_complete),
        cmocka_unit_test(an_error_can_be_cleared),
        cmocka_unit_test(each_thread_has_a_hook_of_its_own),
        cmocka_unit_test(the_hook_hears_the_complete_error),
        cmocka_unit_test(an_error_says_which_coordinate_is_wrong),
        cmocka_unit_test(numbers_without_bounds_are_only_asked_to_be_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
