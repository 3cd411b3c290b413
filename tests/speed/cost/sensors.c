/* Growth: sensors and fields. */
#include "cost.h"

static void add_static_sensor(trial *t, cn_hull hull, vec2s place, cn_medium medium) {
    add_one(t, (cn_body_def){.type = CN_STATIC, .position = place},
            (cn_shape_def){.hull = hull, .sensor = true, .medium = medium});
}

static const cn_medium none = {0}, water = {.density = 2, .linear_drag = 1};

static void add_sensors(trial *t, int count, vec2s corner, float spacing, cn_medium medium) {
    for (int i = 0; i < count; i++) {
        vec2s place = place_of(i, spacing);
        add_static_sensor(t, cn_box(1, 1), (vec2s){{corner.x + place.x, corner.y + place.y}},
                          medium);
    }
}

// ---- n sensors or fields, and nothing or little in them

static void build_idle(trial *t, cn_medium medium) {
    start_world(t, 10);
    add_sensors(t, t->n, (vec2s){{0, 0}}, 3, medium);
    take_steps(t, 4);
}

static void build_idle_sensors(trial *t) { build_idle(t, none); }
static void build_idle_fields(trial *t) { build_idle(t, water); }

// Sensors that all overlap each other, at rest.
static void build_sensor_heap(trial *t) {
    start_world(t, 10);
    for (int i = 0; i < t->n; i++)
        add_static_sensor(t, cn_circle(1), (vec2s){{0.01f * noise(i), 0}}, none);
    take_steps(t, 4);
}

// The same fifty boxes under n sensors, which are over all of them.
static void build_over_boxes(trial *t, cn_body_def def, cn_medium medium) {
    start_world(t, 10);
    add_ground(t);
    for (int i = 0; i < t->n; i++) add_static_sensor(t, cn_box(10, 20), (vec2s){{3, 0}}, medium);
    add_stacks(t, 50, def); // last, because a new sensor wakes sleepers
    take_steps(t, 4);
}

static void build_over_sleepers(trial *t) {
    build_over_boxes(t, (cn_body_def){.asleep = true}, none);
    must_sleep(t, 0);
}

static void build_fields_over_sleepers(trial *t) {
    build_over_boxes(t, (cn_body_def){.asleep = true}, (cn_medium){.linear_drag = 0.1f});
    must_sleep(t, 0);
}

static void build_over_statics(trial *t) {
    build_over_boxes(t, (cn_body_def){.type = CN_STATIC}, none);
}

static void build_over_awake(trial *t) {
    build_over_boxes(t, (cn_body_def){.no_sleep = true}, none);
}

// ---- one sensor or field, and n bodies in it

static void build_under_one(trial *t, cn_body_def def, cn_medium medium) {
    start_world(t, 10);
    add_ground(t);
    add_static_sensor(t, cn_box(4000, 20), (vec2s){{0, 10}}, medium);
    add_stacks(t, t->n, def);
    take_steps(t, 4);
}

static void build_sleepers_in_sensor(trial *t) {
    build_under_one(t, (cn_body_def){.asleep = true}, none);
    must_sleep(t, 0);
}

static void build_sleepers_in_field(trial *t) {
    build_under_one(t, (cn_body_def){.asleep = true}, (cn_medium){.linear_drag = 0.1f});
    must_sleep(t, 0);
}

static void build_statics_in_sensor(trial *t) {
    build_under_one(t, (cn_body_def){.type = CN_STATIC}, none);
}

static void build_boxes_in_sensor(trial *t) {
    build_under_one(t, (cn_body_def){.no_sleep = true}, none);
}

static void build_boxes_in_field(trial *t) {
    build_under_one(t, (cn_body_def){.no_sleep = true}, water);
}

// ---- n sensors, and a few bodies near each

static void build_each_in_sensor(trial *t) {
    start_world(t, 0);
    add_spread(t, t->n, (cn_body_def){.velocity = {{0.5f, 0}}}, 3);
    add_sensors(t, t->n, (vec2s){{0, 0}}, 3, none);
    take_steps(t, 4);
}

// Sensors that bodies carry, as the eyes of characters.
static void build_carried(trial *t) {
    start_world(t, 0);
    add_spread(t, t->n, (cn_body_def){.velocity = {{0.5f, 0}}}, 3);
    for (int i = 0; i < t->n; i++)
        add_shape(t, t->bodies[i],
                  (cn_shape_def){.hull = cn_circle(2.5f), .sensor = true, .massless = true});
    take_steps(t, 4);
}

// Fast bodies, beside one idle sensor or through many.
static void build_fast(trial *t, int sensors) {
    start_world(t, 0);
    add_spread(t, t->n, (cn_body_def){.velocity = {{100, 0}}}, 3);
    add_sensors(t, sensors, (vec2s){{sensors == 1 ? -5000.0f : 0.0f, 1.5f}}, 3, none);
    take_steps(t, 4);
}

static void build_fast_beside(trial *t) { build_fast(t, 1); }
static void build_fast_through(trial *t) { build_fast(t, t->n); }

static void build_each_in_field(trial *t) {
    start_world(t, 0);
    add_spread(t, t->n, (cn_body_def){.velocity = {{0.5f, 0}}}, 3);
    add_sensors(t, t->n, (vec2s){{0.5f, 0.5f}}, 3, water);
    take_steps(t, 4);
}

// Planets that attract one body each.
static void build_planets(trial *t) {
    start_world(t, 0);
    add_spread(t, t->n, (cn_body_def){.velocity = {{0.5f, 0}}}, 3);
    add_sensors(t, t->n, (vec2s){{0.5f, 0.5f}}, 3, (cn_medium){.attraction = 1});
    take_steps(t, 4);
}

// ---- calls

static void start(trial *t) { start_world(t, 0); }

static void create_sensor(trial *t, int i) {
    add_static_sensor(t, cn_box(1, 1), place_of(i, 3), none);
}

static void create_field(trial *t, int i) {
    add_static_sensor(t, cn_box(1, 1), place_of(i, 3), water);
}

static void destroy_sensor(trial *t, int i) { must(cn_shape_destroy(t->world, t->shapes[i])); }

static void become_field(trial *t, int i) {
    must(cn_shape_set_medium(t->world, t->shapes[i], water));
}

static void end_field(trial *t, int i) { must(cn_shape_set_medium(t->world, t->shapes[i], none)); }

static void become_solid(trial *t, int i) {
    must(cn_shape_set_sensor(t->world, t->shapes[i], false));
}

static void read_overlaps(trial *t, int i) {
    cn_shape found[4];
    must(cn_sensor_shapes(t->world, t->shapes[t->n + i], found, 4) > 0);
}

const cost_case sensor_cases[] = {
    {"create-sensors", 500, start, .act = create_sensor},
    {"create-fields", 500, start, .act = create_field},
    {"destroy-sensors", 500, build_idle_sensors, .act = destroy_sensor},
    {"destroy-sensors-reversed", 500, build_idle_sensors, .act = destroy_sensor, .order = REVERSED},
    {"destroy-fields", 500, build_idle_fields, .act = destroy_sensor},
    {"destroy-fields-reversed", 500, build_idle_fields, .act = destroy_sensor, .order = REVERSED},
    {"become-fields", 500, build_idle_sensors, .act = become_field},
    {"end-fields", 500, build_idle_fields, .act = end_field},
    {"end-fields-reversed", 500, build_idle_fields, .act = end_field, .order = REVERSED},
    {"become-solid", 500, build_idle_sensors, .act = become_solid},
    {"become-solid-reversed", 500, build_idle_sensors, .act = become_solid, .order = REVERSED},
    {"read-overlaps", 250, build_each_in_sensor, .act = read_overlaps},
    {"step-idle-sensors", 250, build_idle_sensors, .work = four_steps},
    {"step-idle-fields", 250, build_idle_fields, .work = four_steps},
    {"step-sensor-heap", 64, build_sensor_heap, .work = four_steps},
    {"step-sensors-over-sleepers", 8, build_over_sleepers, .work = four_steps},
    {"step-sensors-over-statics", 8, build_over_statics, .work = four_steps},
    {"step-sensors-over-awake", 8, build_over_awake, .work = four_steps},
    {"step-fields-over-sleepers", 8, build_fields_over_sleepers, .work = four_steps},
    {"step-sleepers-in-sensor", 250, build_sleepers_in_sensor, .work = four_steps},
    {"step-sleepers-in-field", 250, build_sleepers_in_field, .work = four_steps},
    {"step-statics-in-sensor", 250, build_statics_in_sensor, .work = four_steps},
    {"step-boxes-in-sensor", 250, build_boxes_in_sensor, .work = four_steps},
    {"step-boxes-in-field", 100, build_boxes_in_field, .work = four_steps},
    {"step-each-in-sensor", 250, build_each_in_sensor, .work = four_steps},
    {"step-carried-sensors", 250, build_carried, .work = four_steps},
    {"step-fast-beside-sensor", 250, build_fast_beside, .work = four_steps},
    {"step-fast-through-sensors", 100, build_fast_through, .work = four_steps},
    {"step-each-in-field", 250, build_each_in_field, .work = four_steps},
    {"step-planets", 250, build_planets, .work = four_steps},
    {0},
};
