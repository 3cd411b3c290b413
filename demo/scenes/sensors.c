/* Sensors detect the shapes that overlap them and collide with nothing. Two fans push the bodies
 * inside them. Three gates count the bodies that pass, in the user data of their shapes. A
 * searchlight on a turning arm lights up when a body is in it. */
#include "scene.h"

enum { BODIES = 10, FANS = 2 };

typedef struct {
    cn_shape fans[FANS];
} state;

enum { MOVING = 1, WALLS = 2, REGIONS = 4 }; // categories; sensors detect only MOVING shapes

static const vec2s forces[FANS] = {{{0.5f, 19}}, {{9, 9}}}; // N per kg

static cn_shape add_region(cn_world *world, cn_motion_type type, cn_hull hull, float x, float y) {
    cn_body body = scene_add_body(world, type, x, y);
    return cn_shape_create(world, body,
                           &(cn_shape_def){.hull = hull,
                                           .sensor = true,
                                           .filter = {.category = REGIONS, .mask = MOVING}});
}

static bool add_bar(cn_world *world, float x, float y, float length, float angle) {
    cn_body bar = cn_body_create(
        world, &(cn_body_def){.type = CN_STATIC, .position = {{x, y}}, .angle = angle});
    cn_shape_def shape = {.hull = cn_box(length / 2, 0.15f),
                          .material = {.friction = 0.02f},
                          .filter = {.category = WALLS}};
    return cn_shape_create(world, bar, &shape).id;
}

// Adds the shaft of the fans on the left, a slide that leads down to the right, and a belt that
// runs back to the left.
static bool add_walls(cn_world *world) {
    cn_body floor = scene_add_body(world, CN_STATIC, 0, -0.5f);
    cn_shape_def belt = {.hull = cn_box(9, 0.5f),
                         .material = {.surface_speed = -2.5f},
                         .filter = {.category = WALLS}};
    return cn_shape_create(world, floor, &belt).id && add_bar(world, -8.85f, 5, 10, 1.5707963f) &&
           add_bar(world, 8.85f, 5, 10, 1.5707963f) && add_bar(world, 0, 9.85f, 18, 0) &&
           add_bar(world, -7.9f, 8.9f, 2.6f, 0.8f) && add_bar(world, -0.7f, 5, 11, -0.13f) &&
           add_bar(world, -6.2f, 4.1f, 3.2f, 1.5707963f);
}

static bool add_gates(cn_world *world) {
    cn_hull beam = cn_box(0.06f, 1.25f);
    cn_body arm = cn_body_create(
        world,
        &(cn_body_def){.type = CN_KINEMATIC, .position = {{1.5f, 2.1f}}, .angular_velocity = 0.6f});
    cn_hull circle = cn_circle(0.9f);
    cn_shape_def lamp = {.sensor = true, .filter = {.category = REGIONS, .mask = MOVING}};
    lamp.hull = cn_hull_at(circle, cn_pose_at((vec2s){{1.1f, 0}}, 0));
    return add_region(world, CN_STATIC, beam, -2, 6.6f).id &&
           add_region(world, CN_STATIC, beam, 3, 5.95f).id &&
           add_region(world, CN_STATIC, beam, -4.6f, 1.25f).id &&
           cn_shape_create(world, arm, &lamp).id;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    s->fans[0] = add_region(world, CN_STATIC, cn_box(1.2f, 3.3f), -7.5f, 3.3f);
    s->fans[1] = add_region(world, CN_STATIC, cn_box(1.2f, 1.3f), -7.5f, 7.9f);
    bool made = s->fans[0].id && s->fans[1].id && add_walls(world) && add_gates(world);
    for (int i = 0; i < BODIES && made; i++) {
        cn_hull hull = i % 2 ? cn_circle(0.4f) : cn_regular_polygon(3 + i / 2, 0.45f);
        made = scene_add_one(world, CN_DYNAMIC, -4 + 1.2f * (float)i, 1, hull, 1).id;
    }
    return made;
}

static bool blow(cn_world *world, cn_shape fan, vec2s force) {
    cn_shape overlaps[2 * BODIES];
    int count = cn_sensor_shapes(world, fan, overlaps, 2 * BODIES);
    for (int i = 0; i < count && i < 2 * BODIES; i++) {
        cn_body body = cn_shape_body(world, overlaps[i]);
        vec2s push = glms_vec2_scale(force, cn_body_mass(world, body));
        vec2s drag = glms_vec2_scale(cn_body_velocity(world, body), 0.5f);
        if (!cn_body_apply_force(world, body, glms_vec2_sub(push, drag))) return false;
    }
    return true;
}

// Counts the bodies that entered each sensor in the last step.
static bool count_entries(cn_world *world) {
    cn_events events = cn_world_events(world);
    for (int i = 0; i < events.sensor_begin_count; i++) {
        const cn_sensor_event *e = &events.sensor_begins[i];
        uint64_t count = cn_shape_user_data(world, e->sensor.shape) + 1;
        if (!cn_shape_set_user_data(world, e->sensor.shape, count)) return false;
    }
    return true;
}

static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    bool done = run->step == 0 || count_entries(world);
    for (int i = 0; i < FANS && done; i++) done = blow(world, s->fans[i], forces[i]);
    return done;
}

const scene scene_sensors = {
    .name = "sensors",
    .title = "Sensors",
    .caption =
        "Sensors detect bodies: fans push the bodies inside them, and gates count those that pass.",
    .view = {0, 4.7f, 12.5f},
    .width = 18.5f,
    .gravity = {{0, -10}},
    .steps = 900,
    .create = create,
    .before_step = before_step,
    .memory_size = sizeof(state),
};
