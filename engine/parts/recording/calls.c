/* The calls that change a world. Made by engine/bindings/recorded_calls.py: do not edit. */
#include "recording.h"

static void write_cn_world_step(cn_world *world, float dt) {
    cn_stream *s = cn_begin_call(world, 0);
    if (!s) return;
    cn_walk_float(s, "dt", &dt);
    cn_end_call(world);
}

static void play_cn_world_step(cn_stream *s, cn_world *world) {
    float dt = 0;
    cn_walk_float(s, "dt", &dt);
    if (!cn_may_call(s)) return;
    cn_world_step(world, dt);
}

static void write_cn_world_advance(cn_world *world, float frame_seconds) {
    cn_stream *s = cn_begin_call(world, 1);
    if (!s) return;
    cn_walk_float(s, "frame_seconds", &frame_seconds);
    cn_end_call(world);
}

static void play_cn_world_advance(cn_stream *s, cn_world *world) {
    float frame_seconds = 0;
    cn_walk_float(s, "frame_seconds", &frame_seconds);
    if (!cn_may_call(s)) return;
    cn_world_advance(world, frame_seconds);
}

static void walk_vec2s(cn_stream *s, const char *name, vec2s *v) {
    cn_walk_open(s, name);
    cn_walk_float(s, "x", &v->x);
    cn_walk_float(s, "y", &v->y);
    cn_walk_close(s);
}

static void write_cn_world_set_gravity(cn_world *world, vec2s gravity) {
    cn_stream *s = cn_begin_call(world, 2);
    if (!s) return;
    walk_vec2s(s, "gravity", &gravity);
    cn_end_call(world);
}

static void play_cn_world_set_gravity(cn_stream *s, cn_world *world) {
    vec2s gravity = {0};
    walk_vec2s(s, "gravity", &gravity);
    if (!cn_may_call(s)) return;
    cn_world_set_gravity(world, gravity);
}

static void write_cn_world_set_substeps(cn_world *world, int substeps) {
    cn_stream *s = cn_begin_call(world, 3);
    if (!s) return;
    cn_walk_int(s, "substeps", &substeps);
    cn_end_call(world);
}

static void play_cn_world_set_substeps(cn_stream *s, cn_world *world) {
    int substeps = 0;
    cn_walk_int(s, "substeps", &substeps);
    if (!cn_may_call(s)) return;
    cn_world_set_substeps(world, substeps);
}

static void write_cn_world_set_no_sleep(cn_world *world, bool no_sleep) {
    cn_stream *s = cn_begin_call(world, 4);
    if (!s) return;
    no_sleep = cn_walk_bool(s, "no_sleep", no_sleep);
    cn_end_call(world);
}

static void play_cn_world_set_no_sleep(cn_stream *s, cn_world *world) {
    bool no_sleep = false;
    no_sleep = cn_walk_bool(s, "no_sleep", no_sleep);
    if (!cn_may_call(s)) return;
    cn_world_set_no_sleep(world, no_sleep);
}

static void write_cn_world_set_move_events(cn_world *world, bool on) {
    cn_stream *s = cn_begin_call(world, 5);
    if (!s) return;
    on = cn_walk_bool(s, "on", on);
    cn_end_call(world);
}

static void play_cn_world_set_move_events(cn_stream *s, cn_world *world) {
    bool on = false;
    on = cn_walk_bool(s, "on", on);
    if (!cn_may_call(s)) return;
    cn_world_set_move_events(world, on);
}

static void write_cn_world_set_damping(cn_world *world, float linear, float angular) {
    cn_stream *s = cn_begin_call(world, 6);
    if (!s) return;
    cn_walk_float(s, "linear", &linear);
    cn_walk_float(s, "angular", &angular);
    cn_end_call(world);
}

static void play_cn_world_set_damping(cn_stream *s, cn_world *world) {
    float linear = 0;
    float angular = 0;
    cn_walk_float(s, "linear", &linear);
    cn_walk_float(s, "angular", &angular);
    if (!cn_may_call(s)) return;
    cn_world_set_damping(world, linear, angular);
}

static void write_cn_world_set_user_data(cn_world *world, uint64_t user_data) {
    cn_stream *s = cn_begin_call(world, 7);
    if (!s) return;
    cn_walk_long(s, "user_data", &user_data);
    cn_end_call(world);
}

static void play_cn_world_set_user_data(cn_stream *s, cn_world *world) {
    uint64_t user_data = 0;
    cn_walk_long(s, "user_data", &user_data);
    if (!cn_may_call(s)) return;
    cn_world_set_user_data(world, user_data);
}

static void write_cn_world_shift_origin(cn_world *world, vec2s origin) {
    cn_stream *s = cn_begin_call(world, 8);
    if (!s) return;
    walk_vec2s(s, "origin", &origin);
    cn_end_call(world);
}

static void play_cn_world_shift_origin(cn_stream *s, cn_world *world) {
    vec2s origin = {0};
    walk_vec2s(s, "origin", &origin);
    if (!cn_may_call(s)) return;
    cn_world_shift_origin(world, origin);
}

static void walk_cn_tuning(cn_stream *s, const char *name, cn_tuning *v) {
    cn_walk_open(s, name);
    cn_walk_float(s, "slop", &v->slop);
    cn_walk_float(s, "speculative_margin", &v->speculative_margin);
    cn_walk_float(s, "box_margin", &v->box_margin);
    cn_walk_float(s, "anchor_distance", &v->anchor_distance);
    cn_walk_float(s, "anchor_angle", &v->anchor_angle);
    cn_walk_float(s, "push_speed", &v->push_speed);
    cn_walk_float(s, "hit_threshold", &v->hit_threshold);
    cn_walk_float(s, "sleep_speed", &v->sleep_speed);
    cn_walk_float(s, "sleep_time", &v->sleep_time);
    cn_walk_close(s);
}

static void write_cn_world_set_tuning(cn_world *world, cn_tuning tuning) {
    cn_stream *s = cn_begin_call(world, 9);
    if (!s) return;
    walk_cn_tuning(s, "tuning", &tuning);
    cn_end_call(world);
}

static void play_cn_world_set_tuning(cn_stream *s, cn_world *world) {
    cn_tuning tuning = {0};
    walk_cn_tuning(s, "tuning", &tuning);
    if (!cn_may_call(s)) return;
    cn_world_set_tuning(world, tuning);
}

static void walk_cn_hull(cn_stream *s, const char *name, cn_hull *v) {
    cn_walk_open(s, name);
    for (int i = 0; i < 8; i++) walk_vec2s(s, "vertices", &v->vertices[i]);
    for (int i = 0; i < 8; i++) walk_vec2s(s, "normals", &v->normals[i]);
    cn_walk_float(s, "radius", &v->radius);
    cn_walk_int(s, "count", &v->count);
    cn_walk_word(s, "failure", &v->failure);
    cn_walk_close(s);
}

static void walk_cn_material(cn_stream *s, const char *name, cn_material *v) {
    cn_walk_open(s, name);
    cn_walk_float(s, "friction", &v->friction);
    cn_walk_float(s, "restitution", &v->restitution);
    v->frictionless = cn_walk_bool(s, "frictionless", v->frictionless);
    cn_walk_float(s, "rolling_resistance", &v->rolling_resistance);
    cn_walk_float(s, "surface_speed", &v->surface_speed);
    cn_walk_float(s, "min_bounce_speed", &v->min_bounce_speed);
    v->friction_mix = (cn_mix)cn_walk_enum(s, "friction_mix", (int)v->friction_mix);
    v->restitution_mix = (cn_mix)cn_walk_enum(s, "restitution_mix", (int)v->restitution_mix);
    cn_walk_close(s);
}

static void walk_cn_filter(cn_stream *s, const char *name, cn_filter *v) {
    cn_walk_open(s, name);
    cn_walk_long(s, "category", &v->category);
    cn_walk_long(s, "mask", &v->mask);
    cn_walk_int(s, "group", &v->group);
    cn_walk_close(s);
}

static void walk_cn_medium(cn_stream *s, const char *name, cn_medium *v) {
    cn_walk_open(s, name);
    cn_walk_float(s, "density", &v->density);
    cn_walk_float(s, "linear_drag", &v->linear_drag);
    cn_walk_float(s, "angular_drag", &v->angular_drag);
    walk_vec2s(s, "flow", &v->flow);
    walk_vec2s(s, "acceleration", &v->acceleration);
    cn_walk_float(s, "attraction", &v->attraction);
    cn_walk_float(s, "floor", &v->floor);
    cn_walk_close(s);
}

static void walk_cn_shape_def(cn_stream *s, const char *name, cn_shape_def *v) {
    cn_walk_open(s, name);
    walk_cn_hull(s, "hull", &v->hull);
    cn_walk_float(s, "density", &v->density);
    walk_cn_material(s, "material", &v->material);
    walk_cn_filter(s, "filter", &v->filter);
    v->massless = cn_walk_bool(s, "massless", v->massless);
    v->no_collision = cn_walk_bool(s, "no_collision", v->no_collision);
    v->hit_events = cn_walk_bool(s, "hit_events", v->hit_events);
    v->no_touch_events = cn_walk_bool(s, "no_touch_events", v->no_touch_events);
    v->custom_filter = cn_walk_bool(s, "custom_filter", v->custom_filter);
    v->pre_solve = cn_walk_bool(s, "pre_solve", v->pre_solve);
    v->sensor = cn_walk_bool(s, "sensor", v->sensor);
    walk_vec2s(s, "one_way", &v->one_way);
    walk_cn_medium(s, "medium", &v->medium);
    cn_walk_long(s, "user_data", &v->user_data);
    cn_walk_close(s);
}

static void walk_cn_body_def(cn_stream *s, const char *name, cn_body_def *v) {
    int count;
    cn_walk_open(s, name);
    v->type = (cn_motion_type)cn_walk_enum(s, "type", (int)v->type);
    walk_vec2s(s, "position", &v->position);
    cn_walk_float(s, "angle", &v->angle);
    walk_vec2s(s, "velocity", &v->velocity);
    cn_walk_float(s, "angular_velocity", &v->angular_velocity);
    cn_walk_float(s, "linear_damping", &v->linear_damping);
    cn_walk_float(s, "angular_damping", &v->angular_damping);
    cn_walk_float(s, "gravity_scale", &v->gravity_scale);
    cn_walk_float(s, "max_speed", &v->max_speed);
    cn_walk_float(s, "sleep_speed", &v->sleep_speed);
    v->weightless = cn_walk_bool(s, "weightless", v->weightless);
    v->lock_x = cn_walk_bool(s, "lock_x", v->lock_x);
    v->lock_y = cn_walk_bool(s, "lock_y", v->lock_y);
    v->lock_rotation = cn_walk_bool(s, "lock_rotation", v->lock_rotation);
    v->bullet = cn_walk_bool(s, "bullet", v->bullet);
    v->no_sleep = cn_walk_bool(s, "no_sleep", v->no_sleep);
    v->asleep = cn_walk_bool(s, "asleep", v->asleep);
    v->disabled = cn_walk_bool(s, "disabled", v->disabled);
    cn_walk_int(s, "shape_count", &v->shape_count);
    cn_walk_long(s, "user_data", &v->user_data);
    v->shapes =
        cn_walk_items(s, "shapes", v->shapes, (int64_t)v->shape_count, sizeof *v->shapes, &count);
    for (int i = 0; i < count; i++) {
        cn_shape_def item = v->shapes[i]; // not written to when a call is recorded
        walk_cn_shape_def(s, "", &item);
        if (s->reads) ((cn_shape_def *)v->shapes)[i] = item;
    }
    if (v->shapes) cn_walk_close(s);
    cn_walk_close(s);
}

static void write_cn_body_create(cn_world *world, const cn_body_def *def) {
    cn_stream *s = cn_begin_call(world, 10);
    if (!s) return;
    bool has_def = def;
    cn_body_def def_value = {0};
    if (has_def) def_value = *def;
    has_def = cn_walk_given(s, "def", has_def);
    if (has_def) walk_cn_body_def(s, "def", &def_value);
    cn_end_call(world);
}

static void play_cn_body_create(cn_stream *s, cn_world *world) {
    cn_body_def def_value = {0};
    bool has_def = false;
    has_def = cn_walk_given(s, "def", has_def);
    if (has_def) walk_cn_body_def(s, "def", &def_value);
    if (!cn_may_call(s)) return;
    cn_end_create(s, CN_HANDLE_BODY, cn_body_create(world, has_def ? &def_value : NULL).id);
}

static void write_cn_body_destroy(cn_world *world, cn_body body) {
    cn_stream *s = cn_begin_call(world, 11);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    cn_end_call(world);
}

static void play_cn_body_destroy(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    if (!cn_may_call(s)) return;
    cn_body_destroy(world, body);
}

static void write_cn_body_set_type(cn_world *world, cn_body body, cn_motion_type type) {
    cn_stream *s = cn_begin_call(world, 12);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    type = (cn_motion_type)cn_walk_enum(s, "type", (int)type);
    cn_end_call(world);
}

static void play_cn_body_set_type(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    cn_motion_type type = 0;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    type = (cn_motion_type)cn_walk_enum(s, "type", (int)type);
    if (!cn_may_call(s)) return;
    cn_body_set_type(world, body, type);
}

static void walk_cn_rotation(cn_stream *s, const char *name, cn_rotation *v) {
    cn_walk_open(s, name);
    cn_walk_float(s, "c", &v->c);
    cn_walk_float(s, "s", &v->s);
    cn_walk_close(s);
}

static void walk_cn_pose(cn_stream *s, const char *name, cn_pose *v) {
    cn_walk_open(s, name);
    walk_vec2s(s, "position", &v->position);
    walk_cn_rotation(s, "rotation", &v->rotation);
    cn_walk_close(s);
}

static void write_cn_body_set_pose(cn_world *world, cn_body body, cn_pose pose) {
    cn_stream *s = cn_begin_call(world, 13);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    walk_cn_pose(s, "pose", &pose);
    cn_end_call(world);
}

static void play_cn_body_set_pose(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    cn_pose pose = {0};
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    walk_cn_pose(s, "pose", &pose);
    if (!cn_may_call(s)) return;
    cn_body_set_pose(world, body, pose);
}

static void write_cn_body_set_position(cn_world *world, cn_body body, vec2s position) {
    cn_stream *s = cn_begin_call(world, 14);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    walk_vec2s(s, "position", &position);
    cn_end_call(world);
}

static void play_cn_body_set_position(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    vec2s position = {0};
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    walk_vec2s(s, "position", &position);
    if (!cn_may_call(s)) return;
    cn_body_set_position(world, body, position);
}

static void write_cn_body_set_target(cn_world *world, cn_body body, cn_pose target, float seconds) {
    cn_stream *s = cn_begin_call(world, 15);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    walk_cn_pose(s, "target", &target);
    cn_walk_float(s, "seconds", &seconds);
    cn_end_call(world);
}

static void play_cn_body_set_target(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    cn_pose target = {0};
    float seconds = 0;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    walk_cn_pose(s, "target", &target);
    cn_walk_float(s, "seconds", &seconds);
    if (!cn_may_call(s)) return;
    cn_body_set_target(world, body, target, seconds);
}

static void write_cn_body_set_velocity(cn_world *world, cn_body body, vec2s velocity) {
    cn_stream *s = cn_begin_call(world, 16);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    walk_vec2s(s, "velocity", &velocity);
    cn_end_call(world);
}

static void play_cn_body_set_velocity(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    vec2s velocity = {0};
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    walk_vec2s(s, "velocity", &velocity);
    if (!cn_may_call(s)) return;
    cn_body_set_velocity(world, body, velocity);
}

static void write_cn_body_set_angular_velocity(cn_world *world, cn_body body,
                                               float angular_velocity) {
    cn_stream *s = cn_begin_call(world, 17);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    cn_walk_float(s, "angular_velocity", &angular_velocity);
    cn_end_call(world);
}

static void play_cn_body_set_angular_velocity(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    float angular_velocity = 0;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    cn_walk_float(s, "angular_velocity", &angular_velocity);
    if (!cn_may_call(s)) return;
    cn_body_set_angular_velocity(world, body, angular_velocity);
}

static void write_cn_body_apply_force_at(cn_world *world, cn_body body, vec2s force, vec2s point) {
    cn_stream *s = cn_begin_call(world, 18);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    walk_vec2s(s, "force", &force);
    walk_vec2s(s, "point", &point);
    cn_end_call(world);
}

static void play_cn_body_apply_force_at(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    vec2s force = {0};
    vec2s point = {0};
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    walk_vec2s(s, "force", &force);
    walk_vec2s(s, "point", &point);
    if (!cn_may_call(s)) return;
    cn_body_apply_force_at(world, body, force, point);
}

static void write_cn_body_apply_force(cn_world *world, cn_body body, vec2s force) {
    cn_stream *s = cn_begin_call(world, 19);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    walk_vec2s(s, "force", &force);
    cn_end_call(world);
}

static void play_cn_body_apply_force(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    vec2s force = {0};
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    walk_vec2s(s, "force", &force);
    if (!cn_may_call(s)) return;
    cn_body_apply_force(world, body, force);
}

static void write_cn_body_apply_torque(cn_world *world, cn_body body, float torque) {
    cn_stream *s = cn_begin_call(world, 20);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    cn_walk_float(s, "torque", &torque);
    cn_end_call(world);
}

static void play_cn_body_apply_torque(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    float torque = 0;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    cn_walk_float(s, "torque", &torque);
    if (!cn_may_call(s)) return;
    cn_body_apply_torque(world, body, torque);
}

static void write_cn_body_apply_impulse_at(cn_world *world, cn_body body, vec2s impulse,
                                           vec2s point) {
    cn_stream *s = cn_begin_call(world, 21);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    walk_vec2s(s, "impulse", &impulse);
    walk_vec2s(s, "point", &point);
    cn_end_call(world);
}

static void play_cn_body_apply_impulse_at(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    vec2s impulse = {0};
    vec2s point = {0};
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    walk_vec2s(s, "impulse", &impulse);
    walk_vec2s(s, "point", &point);
    if (!cn_may_call(s)) return;
    cn_body_apply_impulse_at(world, body, impulse, point);
}

static void write_cn_body_apply_impulse(cn_world *world, cn_body body, vec2s impulse) {
    cn_stream *s = cn_begin_call(world, 22);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    walk_vec2s(s, "impulse", &impulse);
    cn_end_call(world);
}

static void play_cn_body_apply_impulse(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    vec2s impulse = {0};
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    walk_vec2s(s, "impulse", &impulse);
    if (!cn_may_call(s)) return;
    cn_body_apply_impulse(world, body, impulse);
}

static void write_cn_body_apply_angular_impulse(cn_world *world, cn_body body, float impulse) {
    cn_stream *s = cn_begin_call(world, 23);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    cn_walk_float(s, "impulse", &impulse);
    cn_end_call(world);
}

static void play_cn_body_apply_angular_impulse(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    float impulse = 0;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    cn_walk_float(s, "impulse", &impulse);
    if (!cn_may_call(s)) return;
    cn_body_apply_angular_impulse(world, body, impulse);
}

static void walk_cn_mass_data(cn_stream *s, const char *name, cn_mass_data *v) {
    cn_walk_open(s, name);
    cn_walk_float(s, "mass", &v->mass);
    cn_walk_float(s, "inertia", &v->inertia);
    walk_vec2s(s, "center", &v->center);
    cn_walk_close(s);
}

static void write_cn_body_set_mass_data(cn_world *world, cn_body body, cn_mass_data mass_data) {
    cn_stream *s = cn_begin_call(world, 24);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    walk_cn_mass_data(s, "mass_data", &mass_data);
    cn_end_call(world);
}

static void play_cn_body_set_mass_data(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    cn_mass_data mass_data = {0};
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    walk_cn_mass_data(s, "mass_data", &mass_data);
    if (!cn_may_call(s)) return;
    cn_body_set_mass_data(world, body, mass_data);
}

static void write_cn_body_reset_mass(cn_world *world, cn_body body) {
    cn_stream *s = cn_begin_call(world, 25);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    cn_end_call(world);
}

static void play_cn_body_reset_mass(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    if (!cn_may_call(s)) return;
    cn_body_reset_mass(world, body);
}

static void write_cn_body_set_damping(cn_world *world, cn_body body, float linear, float angular) {
    cn_stream *s = cn_begin_call(world, 26);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    cn_walk_float(s, "linear", &linear);
    cn_walk_float(s, "angular", &angular);
    cn_end_call(world);
}

static void play_cn_body_set_damping(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    float linear = 0;
    float angular = 0;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    cn_walk_float(s, "linear", &linear);
    cn_walk_float(s, "angular", &angular);
    if (!cn_may_call(s)) return;
    cn_body_set_damping(world, body, linear, angular);
}

static void write_cn_body_set_gravity_scale(cn_world *world, cn_body body, float scale) {
    cn_stream *s = cn_begin_call(world, 27);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    cn_walk_float(s, "scale", &scale);
    cn_end_call(world);
}

static void play_cn_body_set_gravity_scale(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    float scale = 0;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    cn_walk_float(s, "scale", &scale);
    if (!cn_may_call(s)) return;
    cn_body_set_gravity_scale(world, body, scale);
}

static void write_cn_body_set_max_speed(cn_world *world, cn_body body, float max_speed) {
    cn_stream *s = cn_begin_call(world, 28);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    cn_walk_float(s, "max_speed", &max_speed);
    cn_end_call(world);
}

static void play_cn_body_set_max_speed(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    float max_speed = 0;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    cn_walk_float(s, "max_speed", &max_speed);
    if (!cn_may_call(s)) return;
    cn_body_set_max_speed(world, body, max_speed);
}

static void write_cn_body_set_locks(cn_world *world, cn_body body, bool x, bool y, bool rotation) {
    cn_stream *s = cn_begin_call(world, 29);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    x = cn_walk_bool(s, "x", x);
    y = cn_walk_bool(s, "y", y);
    rotation = cn_walk_bool(s, "rotation", rotation);
    cn_end_call(world);
}

static void play_cn_body_set_locks(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    bool x = false;
    bool y = false;
    bool rotation = false;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    x = cn_walk_bool(s, "x", x);
    y = cn_walk_bool(s, "y", y);
    rotation = cn_walk_bool(s, "rotation", rotation);
    if (!cn_may_call(s)) return;
    cn_body_set_locks(world, body, x, y, rotation);
}

static void write_cn_body_set_bullet(cn_world *world, cn_body body, bool bullet) {
    cn_stream *s = cn_begin_call(world, 30);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    bullet = cn_walk_bool(s, "bullet", bullet);
    cn_end_call(world);
}

static void play_cn_body_set_bullet(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    bool bullet = false;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    bullet = cn_walk_bool(s, "bullet", bullet);
    if (!cn_may_call(s)) return;
    cn_body_set_bullet(world, body, bullet);
}

static void write_cn_body_set_asleep(cn_world *world, cn_body body, bool asleep) {
    cn_stream *s = cn_begin_call(world, 31);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    asleep = cn_walk_bool(s, "asleep", asleep);
    cn_end_call(world);
}

static void play_cn_body_set_asleep(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    bool asleep = false;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    asleep = cn_walk_bool(s, "asleep", asleep);
    if (!cn_may_call(s)) return;
    cn_body_set_asleep(world, body, asleep);
}

static void write_cn_body_set_no_sleep(cn_world *world, cn_body body, bool no_sleep) {
    cn_stream *s = cn_begin_call(world, 32);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    no_sleep = cn_walk_bool(s, "no_sleep", no_sleep);
    cn_end_call(world);
}

static void play_cn_body_set_no_sleep(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    bool no_sleep = false;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    no_sleep = cn_walk_bool(s, "no_sleep", no_sleep);
    if (!cn_may_call(s)) return;
    cn_body_set_no_sleep(world, body, no_sleep);
}

static void write_cn_body_set_sleep_speed(cn_world *world, cn_body body, float speed) {
    cn_stream *s = cn_begin_call(world, 33);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    cn_walk_float(s, "speed", &speed);
    cn_end_call(world);
}

static void play_cn_body_set_sleep_speed(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    float speed = 0;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    cn_walk_float(s, "speed", &speed);
    if (!cn_may_call(s)) return;
    cn_body_set_sleep_speed(world, body, speed);
}

static void write_cn_body_drop_through(cn_world *world, cn_body body, float seconds) {
    cn_stream *s = cn_begin_call(world, 34);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    cn_walk_float(s, "seconds", &seconds);
    cn_end_call(world);
}

static void play_cn_body_drop_through(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    float seconds = 0;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    cn_walk_float(s, "seconds", &seconds);
    if (!cn_may_call(s)) return;
    cn_body_drop_through(world, body, seconds);
}

static void write_cn_body_set_disabled(cn_world *world, cn_body body, bool disabled) {
    cn_stream *s = cn_begin_call(world, 35);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    disabled = cn_walk_bool(s, "disabled", disabled);
    cn_end_call(world);
}

static void play_cn_body_set_disabled(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    bool disabled = false;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    disabled = cn_walk_bool(s, "disabled", disabled);
    if (!cn_may_call(s)) return;
    cn_body_set_disabled(world, body, disabled);
}

static void write_cn_body_set_user_data(cn_world *world, cn_body body, uint64_t user_data) {
    cn_stream *s = cn_begin_call(world, 36);
    if (!s) return;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    cn_walk_long(s, "user_data", &user_data);
    cn_end_call(world);
}

static void play_cn_body_set_user_data(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    uint64_t user_data = 0;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    cn_walk_long(s, "user_data", &user_data);
    if (!cn_may_call(s)) return;
    cn_body_set_user_data(world, body, user_data);
}

static void write_cn_shape_create(cn_world *world, cn_body body, const cn_shape_def *def) {
    cn_stream *s = cn_begin_call(world, 37);
    if (!s) return;
    bool has_def = def;
    cn_shape_def def_value = {0};
    if (has_def) def_value = *def;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    has_def = cn_walk_given(s, "def", has_def);
    if (has_def) walk_cn_shape_def(s, "def", &def_value);
    cn_end_call(world);
}

static void play_cn_shape_create(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    cn_shape_def def_value = {0};
    bool has_def = false;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    has_def = cn_walk_given(s, "def", has_def);
    if (has_def) walk_cn_shape_def(s, "def", &def_value);
    if (!cn_may_call(s)) return;
    cn_end_create(s, CN_HANDLE_SHAPE, cn_shape_create(world, body, has_def ? &def_value : NULL).id);
}

static void write_cn_shape_destroy(cn_world *world, cn_shape shape) {
    cn_stream *s = cn_begin_call(world, 38);
    if (!s) return;
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    cn_end_call(world);
}

static void play_cn_shape_destroy(cn_stream *s, cn_world *world) {
    cn_shape shape = {0};
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    if (!cn_may_call(s)) return;
    cn_shape_destroy(world, shape);
}

static void write_cn_shape_set_hull(cn_world *world, cn_shape shape, cn_hull hull) {
    cn_stream *s = cn_begin_call(world, 39);
    if (!s) return;
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    walk_cn_hull(s, "hull", &hull);
    cn_end_call(world);
}

static void play_cn_shape_set_hull(cn_stream *s, cn_world *world) {
    cn_shape shape = {0};
    cn_hull hull = {0};
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    walk_cn_hull(s, "hull", &hull);
    if (!cn_may_call(s)) return;
    cn_shape_set_hull(world, shape, hull);
}

static void write_cn_shape_set_density(cn_world *world, cn_shape shape, float density) {
    cn_stream *s = cn_begin_call(world, 40);
    if (!s) return;
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    cn_walk_float(s, "density", &density);
    cn_end_call(world);
}

static void play_cn_shape_set_density(cn_stream *s, cn_world *world) {
    cn_shape shape = {0};
    float density = 0;
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    cn_walk_float(s, "density", &density);
    if (!cn_may_call(s)) return;
    cn_shape_set_density(world, shape, density);
}

static void write_cn_shape_set_material(cn_world *world, cn_shape shape, cn_material material) {
    cn_stream *s = cn_begin_call(world, 41);
    if (!s) return;
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    walk_cn_material(s, "material", &material);
    cn_end_call(world);
}

static void play_cn_shape_set_material(cn_stream *s, cn_world *world) {
    cn_shape shape = {0};
    cn_material material = {0};
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    walk_cn_material(s, "material", &material);
    if (!cn_may_call(s)) return;
    cn_shape_set_material(world, shape, material);
}

static void write_cn_shape_set_filter(cn_world *world, cn_shape shape, cn_filter filter) {
    cn_stream *s = cn_begin_call(world, 42);
    if (!s) return;
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    walk_cn_filter(s, "filter", &filter);
    cn_end_call(world);
}

static void play_cn_shape_set_filter(cn_stream *s, cn_world *world) {
    cn_shape shape = {0};
    cn_filter filter = {0};
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    walk_cn_filter(s, "filter", &filter);
    if (!cn_may_call(s)) return;
    cn_shape_set_filter(world, shape, filter);
}

static void write_cn_shape_set_no_collision(cn_world *world, cn_shape shape, bool no_collision) {
    cn_stream *s = cn_begin_call(world, 43);
    if (!s) return;
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    no_collision = cn_walk_bool(s, "no_collision", no_collision);
    cn_end_call(world);
}

static void play_cn_shape_set_no_collision(cn_stream *s, cn_world *world) {
    cn_shape shape = {0};
    bool no_collision = false;
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    no_collision = cn_walk_bool(s, "no_collision", no_collision);
    if (!cn_may_call(s)) return;
    cn_shape_set_no_collision(world, shape, no_collision);
}

static void write_cn_shape_set_custom_filter(cn_world *world, cn_shape shape, bool custom_filter) {
    cn_stream *s = cn_begin_call(world, 44);
    if (!s) return;
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    custom_filter = cn_walk_bool(s, "custom_filter", custom_filter);
    cn_end_call(world);
}

static void play_cn_shape_set_custom_filter(cn_stream *s, cn_world *world) {
    cn_shape shape = {0};
    bool custom_filter = false;
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    custom_filter = cn_walk_bool(s, "custom_filter", custom_filter);
    if (!cn_may_call(s)) return;
    cn_shape_set_custom_filter(world, shape, custom_filter);
}

static void write_cn_shape_set_pre_solve(cn_world *world, cn_shape shape, bool pre_solve) {
    cn_stream *s = cn_begin_call(world, 45);
    if (!s) return;
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    pre_solve = cn_walk_bool(s, "pre_solve", pre_solve);
    cn_end_call(world);
}

static void play_cn_shape_set_pre_solve(cn_stream *s, cn_world *world) {
    cn_shape shape = {0};
    bool pre_solve = false;
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    pre_solve = cn_walk_bool(s, "pre_solve", pre_solve);
    if (!cn_may_call(s)) return;
    cn_shape_set_pre_solve(world, shape, pre_solve);
}

static void write_cn_shape_set_hit_events(cn_world *world, cn_shape shape, bool hit_events) {
    cn_stream *s = cn_begin_call(world, 46);
    if (!s) return;
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    hit_events = cn_walk_bool(s, "hit_events", hit_events);
    cn_end_call(world);
}

static void play_cn_shape_set_hit_events(cn_stream *s, cn_world *world) {
    cn_shape shape = {0};
    bool hit_events = false;
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    hit_events = cn_walk_bool(s, "hit_events", hit_events);
    if (!cn_may_call(s)) return;
    cn_shape_set_hit_events(world, shape, hit_events);
}

static void write_cn_shape_set_no_touch_events(cn_world *world, cn_shape shape,
                                               bool no_touch_events) {
    cn_stream *s = cn_begin_call(world, 47);
    if (!s) return;
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    no_touch_events = cn_walk_bool(s, "no_touch_events", no_touch_events);
    cn_end_call(world);
}

static void play_cn_shape_set_no_touch_events(cn_stream *s, cn_world *world) {
    cn_shape shape = {0};
    bool no_touch_events = false;
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    no_touch_events = cn_walk_bool(s, "no_touch_events", no_touch_events);
    if (!cn_may_call(s)) return;
    cn_shape_set_no_touch_events(world, shape, no_touch_events);
}

static void write_cn_shape_set_sensor(cn_world *world, cn_shape shape, bool sensor) {
    cn_stream *s = cn_begin_call(world, 48);
    if (!s) return;
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    sensor = cn_walk_bool(s, "sensor", sensor);
    cn_end_call(world);
}

static void play_cn_shape_set_sensor(cn_stream *s, cn_world *world) {
    cn_shape shape = {0};
    bool sensor = false;
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    sensor = cn_walk_bool(s, "sensor", sensor);
    if (!cn_may_call(s)) return;
    cn_shape_set_sensor(world, shape, sensor);
}

static void write_cn_shape_set_one_way(cn_world *world, cn_shape shape, vec2s direction) {
    cn_stream *s = cn_begin_call(world, 49);
    if (!s) return;
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    walk_vec2s(s, "direction", &direction);
    cn_end_call(world);
}

static void play_cn_shape_set_one_way(cn_stream *s, cn_world *world) {
    cn_shape shape = {0};
    vec2s direction = {0};
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    walk_vec2s(s, "direction", &direction);
    if (!cn_may_call(s)) return;
    cn_shape_set_one_way(world, shape, direction);
}

static void write_cn_shape_set_user_data(cn_world *world, cn_shape shape, uint64_t user_data) {
    cn_stream *s = cn_begin_call(world, 50);
    if (!s) return;
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    cn_walk_long(s, "user_data", &user_data);
    cn_end_call(world);
}

static void play_cn_shape_set_user_data(cn_stream *s, cn_world *world) {
    cn_shape shape = {0};
    uint64_t user_data = 0;
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    cn_walk_long(s, "user_data", &user_data);
    if (!cn_may_call(s)) return;
    cn_shape_set_user_data(world, shape, user_data);
}

static void walk_cn_chain_def(cn_stream *s, const char *name, cn_chain_def *v) {
    int count;
    cn_walk_open(s, name);
    cn_walk_int(s, "count", &v->count);
    v->closed = cn_walk_bool(s, "closed", v->closed);
    walk_cn_material(s, "material", &v->material);
    walk_cn_filter(s, "filter", &v->filter);
    v->hit_events = cn_walk_bool(s, "hit_events", v->hit_events);
    v->no_touch_events = cn_walk_bool(s, "no_touch_events", v->no_touch_events);
    v->custom_filter = cn_walk_bool(s, "custom_filter", v->custom_filter);
    v->pre_solve = cn_walk_bool(s, "pre_solve", v->pre_solve);
    cn_walk_long(s, "user_data", &v->user_data);
    v->points = cn_walk_items(s, "points", v->points, (int64_t)v->count, sizeof *v->points, &count);
    for (int i = 0; i < count; i++) {
        vec2s item = v->points[i]; // not written to when a call is recorded
        walk_vec2s(s, "", &item);
        if (s->reads) ((vec2s *)v->points)[i] = item;
    }
    if (v->points) cn_walk_close(s);
    v->materials =
        cn_walk_items(s, "materials", v->materials, (int64_t)v->count - 1 + (int64_t)v->closed,
                      sizeof *v->materials, &count);
    for (int i = 0; i < count; i++) {
        cn_material item = v->materials[i]; // not written to when a call is recorded
        walk_cn_material(s, "", &item);
        if (s->reads) ((cn_material *)v->materials)[i] = item;
    }
    if (v->materials) cn_walk_close(s);
    cn_walk_close(s);
}

static void write_cn_chain_create(cn_world *world, cn_body body, const cn_chain_def *def) {
    cn_stream *s = cn_begin_call(world, 51);
    if (!s) return;
    bool has_def = def;
    cn_chain_def def_value = {0};
    if (has_def) def_value = *def;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    has_def = cn_walk_given(s, "def", has_def);
    if (has_def) walk_cn_chain_def(s, "def", &def_value);
    cn_end_call(world);
}

static void play_cn_chain_create(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    cn_chain_def def_value = {0};
    bool has_def = false;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    has_def = cn_walk_given(s, "def", has_def);
    if (has_def) walk_cn_chain_def(s, "def", &def_value);
    if (!cn_may_call(s)) return;
    cn_end_create(s, CN_HANDLE_CHAIN, cn_chain_create(world, body, has_def ? &def_value : NULL).id);
}

static void write_cn_chain_destroy(cn_world *world, cn_chain chain) {
    cn_stream *s = cn_begin_call(world, 52);
    if (!s) return;
    cn_walk_handle(s, "chain", CN_HANDLE_CHAIN, &chain.id);
    cn_end_call(world);
}

static void play_cn_chain_destroy(cn_stream *s, cn_world *world) {
    cn_chain chain = {0};
    cn_walk_handle(s, "chain", CN_HANDLE_CHAIN, &chain.id);
    if (!cn_may_call(s)) return;
    cn_chain_destroy(world, chain);
}

static void write_cn_chain_set_material(cn_world *world, cn_chain chain, int index,
                                        cn_material material) {
    cn_stream *s = cn_begin_call(world, 53);
    if (!s) return;
    cn_walk_handle(s, "chain", CN_HANDLE_CHAIN, &chain.id);
    cn_walk_int(s, "index", &index);
    walk_cn_material(s, "material", &material);
    cn_end_call(world);
}

static void play_cn_chain_set_material(cn_stream *s, cn_world *world) {
    cn_chain chain = {0};
    int index = 0;
    cn_material material = {0};
    cn_walk_handle(s, "chain", CN_HANDLE_CHAIN, &chain.id);
    cn_walk_int(s, "index", &index);
    walk_cn_material(s, "material", &material);
    if (!cn_may_call(s)) return;
    cn_chain_set_material(world, chain, index, material);
}

static void walk_cn_tile(cn_stream *s, const char *name, cn_tile *v) {
    cn_walk_open(s, name);
    v->solid = cn_walk_bool(s, "solid", v->solid);
    v->form = (cn_tile_form)cn_walk_enum(s, "form", (int)v->form);
    cn_walk_byte(s, "material", &v->material);
    v->one_way = cn_walk_bool(s, "one_way", v->one_way);
    cn_walk_close(s);
}

static void walk_cn_grid_def(cn_stream *s, const char *name, cn_grid_def *v) {
    int count;
    cn_walk_open(s, name);
    cn_walk_int(s, "width", &v->width);
    cn_walk_int(s, "height", &v->height);
    cn_walk_float(s, "tile_size", &v->tile_size);
    walk_vec2s(s, "origin", &v->origin);
    walk_cn_material(s, "material", &v->material);
    cn_walk_int(s, "material_count", &v->material_count);
    walk_vec2s(s, "one_way", &v->one_way);
    walk_cn_filter(s, "filter", &v->filter);
    cn_walk_long(s, "user_data", &v->user_data);
    v->hit_events = cn_walk_bool(s, "hit_events", v->hit_events);
    v->no_touch_events = cn_walk_bool(s, "no_touch_events", v->no_touch_events);
    v->custom_filter = cn_walk_bool(s, "custom_filter", v->custom_filter);
    v->pre_solve = cn_walk_bool(s, "pre_solve", v->pre_solve);
    v->solid = cn_walk_items(s, "solid", v->solid, (int64_t)v->width * (int64_t)v->height,
                             sizeof *v->solid, &count);
    for (int i = 0; i < count; i++) {
        uint8_t item = v->solid[i]; // not written to when a call is recorded
        cn_walk_byte(s, "", &item);
        if (s->reads) ((uint8_t *)v->solid)[i] = item;
    }
    if (v->solid) cn_walk_close(s);
    v->tiles = cn_walk_items(s, "tiles", v->tiles, (int64_t)v->width * (int64_t)v->height,
                             sizeof *v->tiles, &count);
    for (int i = 0; i < count; i++) {
        cn_tile item = v->tiles[i]; // not written to when a call is recorded
        walk_cn_tile(s, "", &item);
        if (s->reads) ((cn_tile *)v->tiles)[i] = item;
    }
    if (v->tiles) cn_walk_close(s);
    v->materials = cn_walk_items(s, "materials", v->materials, (int64_t)v->material_count,
                                 sizeof *v->materials, &count);
    for (int i = 0; i < count; i++) {
        cn_material item = v->materials[i]; // not written to when a call is recorded
        walk_cn_material(s, "", &item);
        if (s->reads) ((cn_material *)v->materials)[i] = item;
    }
    if (v->materials) cn_walk_close(s);
    cn_walk_close(s);
}

static void write_cn_grid_create(cn_world *world, cn_body body, const cn_grid_def *def) {
    cn_stream *s = cn_begin_call(world, 54);
    if (!s) return;
    bool has_def = def;
    cn_grid_def def_value = {0};
    if (has_def) def_value = *def;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    has_def = cn_walk_given(s, "def", has_def);
    if (has_def) walk_cn_grid_def(s, "def", &def_value);
    cn_end_call(world);
}

static void play_cn_grid_create(cn_stream *s, cn_world *world) {
    cn_body body = {0};
    cn_grid_def def_value = {0};
    bool has_def = false;
    cn_walk_handle(s, "body", CN_HANDLE_BODY, &body.id);
    has_def = cn_walk_given(s, "def", has_def);
    if (has_def) walk_cn_grid_def(s, "def", &def_value);
    if (!cn_may_call(s)) return;
#if CN_HAS_TILES
    cn_end_create(s, CN_HANDLE_GRID, cn_grid_create(world, body, has_def ? &def_value : NULL).id);
#else
    (void)world, cn_require_part("tiles");
#endif
}

static void write_cn_grid_destroy(cn_world *world, cn_grid grid) {
    cn_stream *s = cn_begin_call(world, 55);
    if (!s) return;
    cn_walk_handle(s, "grid", CN_HANDLE_GRID, &grid.id);
    cn_end_call(world);
}

static void play_cn_grid_destroy(cn_stream *s, cn_world *world) {
    cn_grid grid = {0};
    cn_walk_handle(s, "grid", CN_HANDLE_GRID, &grid.id);
    if (!cn_may_call(s)) return;
#if CN_HAS_TILES
    cn_grid_destroy(world, grid);
#else
    (void)world, cn_require_part("tiles");
#endif
}

static void write_cn_grid_set_solid(cn_world *world, cn_grid grid, int x, int y, bool solid) {
    cn_stream *s = cn_begin_call(world, 56);
    if (!s) return;
    cn_walk_handle(s, "grid", CN_HANDLE_GRID, &grid.id);
    cn_walk_int(s, "x", &x);
    cn_walk_int(s, "y", &y);
    solid = cn_walk_bool(s, "solid", solid);
    cn_end_call(world);
}

static void play_cn_grid_set_solid(cn_stream *s, cn_world *world) {
    cn_grid grid = {0};
    int x = 0;
    int y = 0;
    bool solid = false;
    cn_walk_handle(s, "grid", CN_HANDLE_GRID, &grid.id);
    cn_walk_int(s, "x", &x);
    cn_walk_int(s, "y", &y);
    solid = cn_walk_bool(s, "solid", solid);
    if (!cn_may_call(s)) return;
#if CN_HAS_TILES
    cn_grid_set_solid(world, grid, x, y, solid);
#else
    (void)world, cn_require_part("tiles");
#endif
}

static void write_cn_grid_set_tile(cn_world *world, cn_grid grid, int x, int y, cn_tile tile) {
    cn_stream *s = cn_begin_call(world, 57);
    if (!s) return;
    cn_walk_handle(s, "grid", CN_HANDLE_GRID, &grid.id);
    cn_walk_int(s, "x", &x);
    cn_walk_int(s, "y", &y);
    walk_cn_tile(s, "tile", &tile);
    cn_end_call(world);
}

static void play_cn_grid_set_tile(cn_stream *s, cn_world *world) {
    cn_grid grid = {0};
    int x = 0;
    int y = 0;
    cn_tile tile = {0};
    cn_walk_handle(s, "grid", CN_HANDLE_GRID, &grid.id);
    cn_walk_int(s, "x", &x);
    cn_walk_int(s, "y", &y);
    walk_cn_tile(s, "tile", &tile);
    if (!cn_may_call(s)) return;
#if CN_HAS_TILES
    cn_grid_set_tile(world, grid, x, y, tile);
#else
    (void)world, cn_require_part("tiles");
#endif
}

static void write_cn_grid_set_material(cn_world *world, cn_grid grid, int index,
                                       cn_material material) {
    cn_stream *s = cn_begin_call(world, 58);
    if (!s) return;
    cn_walk_handle(s, "grid", CN_HANDLE_GRID, &grid.id);
    cn_walk_int(s, "index", &index);
    walk_cn_material(s, "material", &material);
    cn_end_call(world);
}

static void play_cn_grid_set_material(cn_stream *s, cn_world *world) {
    cn_grid grid = {0};
    int index = 0;
    cn_material material = {0};
    cn_walk_handle(s, "grid", CN_HANDLE_GRID, &grid.id);
    cn_walk_int(s, "index", &index);
    walk_cn_material(s, "material", &material);
    if (!cn_may_call(s)) return;
#if CN_HAS_TILES
    cn_grid_set_material(world, grid, index, material);
#else
    (void)world, cn_require_part("tiles");
#endif
}

static void write_cn_shape_set_medium(cn_world *world, cn_shape shape, cn_medium medium) {
    cn_stream *s = cn_begin_call(world, 59);
    if (!s) return;
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    walk_cn_medium(s, "medium", &medium);
    cn_end_call(world);
}

static void play_cn_shape_set_medium(cn_stream *s, cn_world *world) {
    cn_shape shape = {0};
    cn_medium medium = {0};
    cn_walk_handle(s, "shape", CN_HANDLE_SHAPE, &shape.id);
    walk_cn_medium(s, "medium", &medium);
    if (!cn_may_call(s)) return;
#if CN_HAS_FIELDS
    cn_shape_set_medium(world, shape, medium);
#else
    (void)world, cn_require_part("fields");
#endif
}

static void walk_cn_coordinate(cn_stream *s, const char *name, cn_coordinate *v) {
    cn_walk_open(s, name);
    v->mode = (cn_coordinate_mode)cn_walk_enum(s, "mode", (int)v->mode);
    cn_walk_float(s, "lower", &v->lower);
    cn_walk_float(s, "upper", &v->upper);
    cn_walk_float(s, "target", &v->target);
    cn_walk_float(s, "hertz", &v->hertz);
    cn_walk_float(s, "damping_ratio", &v->damping_ratio);
    cn_walk_float(s, "stiffness", &v->stiffness);
    cn_walk_float(s, "damping", &v->damping);
    cn_walk_float(s, "max_spring_force", &v->max_spring_force);
    v->motor = cn_walk_bool(s, "motor", v->motor);
    cn_walk_float(s, "motor_speed", &v->motor_speed);
    cn_walk_float(s, "max_motor_force", &v->max_motor_force);
    cn_walk_float(s, "ratchet", &v->ratchet);
    cn_walk_close(s);
}

static void walk_cn_joint_def(cn_stream *s, const char *name, cn_joint_def *v) {
    cn_walk_open(s, name);
    cn_walk_handle(s, "a", CN_HANDLE_BODY, &v->a.id);
    cn_walk_handle(s, "b", CN_HANDLE_BODY, &v->b.id);
    walk_cn_pose(s, "frame_a", &v->frame_a);
    walk_cn_pose(s, "frame_b", &v->frame_b);
    walk_cn_coordinate(s, "x", &v->x);
    walk_cn_coordinate(s, "y", &v->y);
    walk_cn_coordinate(s, "angle", &v->angle);
    v->polar = cn_walk_bool(s, "polar", v->polar);
    v->collide_connected = cn_walk_bool(s, "collide_connected", v->collide_connected);
    v->disabled = cn_walk_bool(s, "disabled", v->disabled);
    cn_walk_float(s, "break_force", &v->break_force);
    cn_walk_float(s, "break_torque", &v->break_torque);
    cn_walk_long(s, "user_data", &v->user_data);
    cn_walk_word(s, "failure", &v->failure);
    cn_walk_close(s);
}

static void write_cn_joint_create(cn_world *world, cn_joint_def def) {
    cn_stream *s = cn_begin_call(world, 60);
    if (!s) return;
    walk_cn_joint_def(s, "def", &def);
    cn_end_call(world);
}

static void play_cn_joint_create(cn_stream *s, cn_world *world) {
    cn_joint_def def = {0};
    walk_cn_joint_def(s, "def", &def);
    if (!cn_may_call(s)) return;
    cn_end_create(s, CN_HANDLE_JOINT, cn_joint_create(world, def).id);
}

static void write_cn_joint_destroy(cn_world *world, cn_joint joint) {
    cn_stream *s = cn_begin_call(world, 61);
    if (!s) return;
    cn_walk_handle(s, "joint", CN_HANDLE_JOINT, &joint.id);
    cn_end_call(world);
}

static void play_cn_joint_destroy(cn_stream *s, cn_world *world) {
    cn_joint joint = {0};
    cn_walk_handle(s, "joint", CN_HANDLE_JOINT, &joint.id);
    if (!cn_may_call(s)) return;
    cn_joint_destroy(world, joint);
}

static void write_cn_joint_set_coordinate(cn_world *world, cn_joint joint, cn_joint_axis axis,
                                          cn_coordinate coordinate) {
    cn_stream *s = cn_begin_call(world, 62);
    if (!s) return;
    cn_walk_handle(s, "joint", CN_HANDLE_JOINT, &joint.id);
    axis = (cn_joint_axis)cn_walk_enum(s, "axis", (int)axis);
    walk_cn_coordinate(s, "coordinate", &coordinate);
    cn_end_call(world);
}

static void play_cn_joint_set_coordinate(cn_stream *s, cn_world *world) {
    cn_joint joint = {0};
    cn_joint_axis axis = 0;
    cn_coordinate coordinate = {0};
    cn_walk_handle(s, "joint", CN_HANDLE_JOINT, &joint.id);
    axis = (cn_joint_axis)cn_walk_enum(s, "axis", (int)axis);
    walk_cn_coordinate(s, "coordinate", &coordinate);
    if (!cn_may_call(s)) return;
    cn_joint_set_coordinate(world, joint, axis, coordinate);
}

static void write_cn_joint_set_motor_speed(cn_world *world, cn_joint joint, cn_joint_axis axis,
                                           float motor_speed) {
    cn_stream *s = cn_begin_call(world, 63);
    if (!s) return;
    cn_walk_handle(s, "joint", CN_HANDLE_JOINT, &joint.id);
    axis = (cn_joint_axis)cn_walk_enum(s, "axis", (int)axis);
    cn_walk_float(s, "motor_speed", &motor_speed);
    cn_end_call(world);
}

static void play_cn_joint_set_motor_speed(cn_stream *s, cn_world *world) {
    cn_joint joint = {0};
    cn_joint_axis axis = 0;
    float motor_speed = 0;
    cn_walk_handle(s, "joint", CN_HANDLE_JOINT, &joint.id);
    axis = (cn_joint_axis)cn_walk_enum(s, "axis", (int)axis);
    cn_walk_float(s, "motor_speed", &motor_speed);
    if (!cn_may_call(s)) return;
    cn_joint_set_motor_speed(world, joint, axis, motor_speed);
}

static void write_cn_joint_set_target(cn_world *world, cn_joint joint, cn_joint_axis axis,
                                      float target) {
    cn_stream *s = cn_begin_call(world, 64);
    if (!s) return;
    cn_walk_handle(s, "joint", CN_HANDLE_JOINT, &joint.id);
    axis = (cn_joint_axis)cn_walk_enum(s, "axis", (int)axis);
    cn_walk_float(s, "target", &target);
    cn_end_call(world);
}

static void play_cn_joint_set_target(cn_stream *s, cn_world *world) {
    cn_joint joint = {0};
    cn_joint_axis axis = 0;
    float target = 0;
    cn_walk_handle(s, "joint", CN_HANDLE_JOINT, &joint.id);
    axis = (cn_joint_axis)cn_walk_enum(s, "axis", (int)axis);
    cn_walk_float(s, "target", &target);
    if (!cn_may_call(s)) return;
    cn_joint_set_target(world, joint, axis, target);
}

static void write_cn_joint_set_frames(cn_world *world, cn_joint joint, cn_pose frame_a,
                                      cn_pose frame_b) {
    cn_stream *s = cn_begin_call(world, 65);
    if (!s) return;
    cn_walk_handle(s, "joint", CN_HANDLE_JOINT, &joint.id);
    walk_cn_pose(s, "frame_a", &frame_a);
    walk_cn_pose(s, "frame_b", &frame_b);
    cn_end_call(world);
}

static void play_cn_joint_set_frames(cn_stream *s, cn_world *world) {
    cn_joint joint = {0};
    cn_pose frame_a = {0};
    cn_pose frame_b = {0};
    cn_walk_handle(s, "joint", CN_HANDLE_JOINT, &joint.id);
    walk_cn_pose(s, "frame_a", &frame_a);
    walk_cn_pose(s, "frame_b", &frame_b);
    if (!cn_may_call(s)) return;
    cn_joint_set_frames(world, joint, frame_a, frame_b);
}

static void write_cn_joint_set_polar(cn_world *world, cn_joint joint, bool polar) {
    cn_stream *s = cn_begin_call(world, 66);
    if (!s) return;
    cn_walk_handle(s, "joint", CN_HANDLE_JOINT, &joint.id);
    polar = cn_walk_bool(s, "polar", polar);
    cn_end_call(world);
}

static void play_cn_joint_set_polar(cn_stream *s, cn_world *world) {
    cn_joint joint = {0};
    bool polar = false;
    cn_walk_handle(s, "joint", CN_HANDLE_JOINT, &joint.id);
    polar = cn_walk_bool(s, "polar", polar);
    if (!cn_may_call(s)) return;
    cn_joint_set_polar(world, joint, polar);
}

static void write_cn_joint_set_collide_connected(cn_world *world, cn_joint joint, bool collide) {
    cn_stream *s = cn_begin_call(world, 67);
    if (!s) return;
    cn_walk_handle(s, "joint", CN_HANDLE_JOINT, &joint.id);
    collide = cn_walk_bool(s, "collide", collide);
    cn_end_call(world);
}

static void play_cn_joint_set_collide_connected(cn_stream *s, cn_world *world) {
    cn_joint joint = {0};
    bool collide = false;
    cn_walk_handle(s, "joint", CN_HANDLE_JOINT, &joint.id);
    collide = cn_walk_bool(s, "collide", collide);
    if (!cn_may_call(s)) return;
    cn_joint_set_collide_connected(world, joint, collide);
}

static void write_cn_joint_set_disabled(cn_world *world, cn_joint joint, bool disabled) {
    cn_stream *s = cn_begin_call(world, 68);
    if (!s) return;
    cn_walk_handle(s, "joint", CN_HANDLE_JOINT, &joint.id);
    disabled = cn_walk_bool(s, "disabled", disabled);
    cn_end_call(world);
}

static void play_cn_joint_set_disabled(cn_stream *s, cn_world *world) {
    cn_joint joint = {0};
    bool disabled = false;
    cn_walk_handle(s, "joint", CN_HANDLE_JOINT, &joint.id);
    disabled = cn_walk_bool(s, "disabled", disabled);
    if (!cn_may_call(s)) return;
    cn_joint_set_disabled(world, joint, disabled);
}

static void write_cn_joint_set_break(cn_world *world, cn_joint joint, float force, float torque) {
    cn_stream *s = cn_begin_call(world, 69);
    if (!s) return;
    cn_walk_handle(s, "joint", CN_HANDLE_JOINT, &joint.id);
    cn_walk_float(s, "force", &force);
    cn_walk_float(s, "torque", &torque);
    cn_end_call(world);
}

static void play_cn_joint_set_break(cn_stream *s, cn_world *world) {
    cn_joint joint = {0};
    float force = 0;
    float torque = 0;
    cn_walk_handle(s, "joint", CN_HANDLE_JOINT, &joint.id);
    cn_walk_float(s, "force", &force);
    cn_walk_float(s, "torque", &torque);
    if (!cn_may_call(s)) return;
    cn_joint_set_break(world, joint, force, torque);
}

static void write_cn_joint_set_anchor(cn_world *world, cn_joint joint, cn_which which,
                                      vec2s world_point) {
    cn_stream *s = cn_begin_call(world, 70);
    if (!s) return;
    cn_walk_handle(s, "joint", CN_HANDLE_JOINT, &joint.id);
    which = (cn_which)cn_walk_enum(s, "which", (int)which);
    walk_vec2s(s, "world_point", &world_point);
    cn_end_call(world);
}

static void play_cn_joint_set_anchor(cn_stream *s, cn_world *world) {
    cn_joint joint = {0};
    cn_which which = 0;
    vec2s world_point = {0};
    cn_walk_handle(s, "joint", CN_HANDLE_JOINT, &joint.id);
    which = (cn_which)cn_walk_enum(s, "which", (int)which);
    walk_vec2s(s, "world_point", &world_point);
    if (!cn_may_call(s)) return;
    cn_joint_set_anchor(world, joint, which, world_point);
}

static void write_cn_joint_set_user_data(cn_world *world, cn_joint joint, uint64_t user_data) {
    cn_stream *s = cn_begin_call(world, 71);
    if (!s) return;
    cn_walk_handle(s, "joint", CN_HANDLE_JOINT, &joint.id);
    cn_walk_long(s, "user_data", &user_data);
    cn_end_call(world);
}

static void play_cn_joint_set_user_data(cn_stream *s, cn_world *world) {
    cn_joint joint = {0};
    uint64_t user_data = 0;
    cn_walk_handle(s, "joint", CN_HANDLE_JOINT, &joint.id);
    cn_walk_long(s, "user_data", &user_data);
    if (!cn_may_call(s)) return;
    cn_joint_set_user_data(world, joint, user_data);
}

static void walk_cn_coupling(cn_stream *s, const char *name, cn_coupling *v) {
    cn_walk_open(s, name);
    cn_walk_handle(s, "other", CN_HANDLE_JOINT, &v->other.id);
    v->axis = (cn_joint_axis)cn_walk_enum(s, "axis", (int)v->axis);
    v->other_axis = (cn_joint_axis)cn_walk_enum(s, "other_axis", (int)v->other_axis);
    cn_walk_float(s, "ratio", &v->ratio);
    v->slack = cn_walk_bool(s, "slack", v->slack);
    cn_walk_close(s);
}

static void write_cn_joint_set_coupling(cn_world *world, cn_joint joint, cn_coupling coupling) {
    cn_stream *s = cn_begin_call(world, 72);
    if (!s) return;
    cn_walk_handle(s, "joint", CN_HANDLE_JOINT, &joint.id);
    walk_cn_coupling(s, "coupling", &coupling);
    cn_end_call(world);
}

static void play_cn_joint_set_coupling(cn_stream *s, cn_world *world) {
    cn_joint joint = {0};
    cn_coupling coupling = {0};
    cn_walk_handle(s, "joint", CN_HANDLE_JOINT, &joint.id);
    walk_cn_coupling(s, "coupling", &coupling);
    if (!cn_may_call(s)) return;
    cn_joint_set_coupling(world, joint, coupling);
}

static void walk_cn_callbacks(cn_stream *s, const char *name, cn_callbacks *v) {
    cn_walk_open(s, name);
    if (!cn_walk_bool(s, "filter", v->filter != NULL))
        v->filter = NULL;
    else if (s->reads)
        v->filter = s->callbacks.filter;
    if (!cn_walk_bool(s, "pre_solve", v->pre_solve != NULL))
        v->pre_solve = NULL;
    else if (s->reads)
        v->pre_solve = s->callbacks.pre_solve;
    if (!cn_walk_bool(s, "before_step", v->before_step != NULL))
        v->before_step = NULL;
    else if (s->reads)
        v->before_step = s->callbacks.before_step;
    if (s->reads) v->user = s->user;
    cn_walk_close(s);
}

static void write_cn_world_set_callbacks(cn_world *world, cn_callbacks *callbacks) {
    cn_stream *s = cn_begin_call(world, 73);
    if (!s) return;
    cn_callbacks callbacks_value = *callbacks;
    walk_cn_callbacks(s, "callbacks", &callbacks_value);
    cn_end_call(world);
    cn_wrap_callbacks(world, callbacks);
}

static void play_cn_world_set_callbacks(cn_stream *s, cn_world *world) {
    cn_callbacks callbacks_value = {0};
    walk_cn_callbacks(s, "callbacks", &callbacks_value);
    if (!cn_may_call(s)) return;
    cn_world_set_callbacks(world, callbacks_value);
}

static void walk_cn_query(cn_stream *s, const char *name, cn_query *v) {
    cn_walk_open(s, name);
    cn_walk_long(s, "category", &v->category);
    cn_walk_long(s, "mask", &v->mask);
    cn_walk_int(s, "group", &v->group);
    cn_walk_handle(s, "ignore", CN_HANDLE_BODY, &v->ignore.id);
    v->sensors = cn_walk_bool(s, "sensors", v->sensors);
    v->any = cn_walk_bool(s, "any", v->any);
    if (!cn_walk_bool(s, "accept", v->accept != NULL))
        v->accept = NULL;
    else if (s->reads)
        v->accept = s->callbacks.accept;
    if (s->reads) v->user = s->user;
    cn_walk_close(s);
}

static void walk_cn_explosion(cn_stream *s, const char *name, cn_explosion *v) {
    cn_walk_open(s, name);
    walk_vec2s(s, "position", &v->position);
    cn_walk_float(s, "radius", &v->radius);
    cn_walk_float(s, "falloff", &v->falloff);
    cn_walk_float(s, "impulse_per_length", &v->impulse_per_length);
    walk_cn_query(s, "query", &v->query);
    v->blocked = cn_walk_bool(s, "blocked", v->blocked);
    cn_walk_close(s);
}

static void write_cn_world_explode(cn_world *world, const cn_explosion **explosion) {
    cn_stream *s = cn_begin_call(world, 74);
    if (!s) return;
    bool has_explosion = *explosion;
    cn_explosion explosion_value = {0};
    if (has_explosion) explosion_value = **explosion;
    has_explosion = cn_walk_given(s, "explosion", has_explosion);
    if (has_explosion) walk_cn_explosion(s, "explosion", &explosion_value);
    cn_end_call(world);
    cn_wrap_explosion(world, explosion);
}

static void play_cn_world_explode(cn_stream *s, cn_world *world) {
    cn_explosion explosion_value = {0};
    bool has_explosion = false;
    has_explosion = cn_walk_given(s, "explosion", has_explosion);
    if (has_explosion) walk_cn_explosion(s, "explosion", &explosion_value);
    if (!cn_may_call(s)) return;
#if CN_HAS_EXPLOSIONS
    cn_world_explode(world, has_explosion ? &explosion_value : NULL);
#else
    (void)world, cn_require_part("explosions");
#endif
}

static void write_cn_world_restore(cn_world *world, const void *bytes, size_t size) {
    cn_stream *s = cn_begin_call(world, 75);
    if (!s) return;
    bytes = cn_walk_bytes(s, "bytes", bytes, &size);
    cn_end_call(world);
}

static void play_cn_world_restore(cn_stream *s, cn_world *world) {
    const void *bytes = NULL;
    size_t size = 0;
    bytes = cn_walk_bytes(s, "bytes", bytes, &size);
    if (!cn_may_call(s)) return;
    if (cn_world_restore(world, bytes, size)) cn_end_restore(s);
}

static void write_cn_world_set_profiling(cn_world *world, bool on) {
    cn_stream *s = cn_begin_call(world, 76);
    if (!s) return;
    on = cn_walk_bool(s, "on", on);
    cn_end_call(world);
}

static void play_cn_world_set_profiling(cn_stream *s, cn_world *world) {
    bool on = false;
    on = cn_walk_bool(s, "on", on);
    if (!cn_may_call(s)) return;
    cn_world_set_profiling(world, on);
}

const cn_recorded_calls cn_writing_calls = {
    .cn_world_destroy = cn_end_with_world,
    .cn_world_step = write_cn_world_step,
    .cn_world_advance = write_cn_world_advance,
    .cn_world_set_gravity = write_cn_world_set_gravity,
    .cn_world_set_substeps = write_cn_world_set_substeps,
    .cn_world_set_no_sleep = write_cn_world_set_no_sleep,
    .cn_world_set_move_events = write_cn_world_set_move_events,
    .cn_world_set_damping = write_cn_world_set_damping,
    .cn_world_set_user_data = write_cn_world_set_user_data,
    .cn_world_shift_origin = write_cn_world_shift_origin,
    .cn_world_set_tuning = write_cn_world_set_tuning,
    .cn_body_create = write_cn_body_create,
    .cn_body_destroy = write_cn_body_destroy,
    .cn_body_set_type = write_cn_body_set_type,
    .cn_body_set_pose = write_cn_body_set_pose,
    .cn_body_set_position = write_cn_body_set_position,
    .cn_body_set_target = write_cn_body_set_target,
    .cn_body_set_velocity = write_cn_body_set_velocity,
    .cn_body_set_angular_velocity = write_cn_body_set_angular_velocity,
    .cn_body_apply_force_at = write_cn_body_apply_force_at,
    .cn_body_apply_force = write_cn_body_apply_force,
    .cn_body_apply_torque = write_cn_body_apply_torque,
    .cn_body_apply_impulse_at = write_cn_body_apply_impulse_at,
    .cn_body_apply_impulse = write_cn_body_apply_impulse,
    .cn_body_apply_angular_impulse = write_cn_body_apply_angular_impulse,
    .cn_body_set_mass_data = write_cn_body_set_mass_data,
    .cn_body_reset_mass = write_cn_body_reset_mass,
    .cn_body_set_damping = write_cn_body_set_damping,
    .cn_body_set_gravity_scale = write_cn_body_set_gravity_scale,
    .cn_body_set_max_speed = write_cn_body_set_max_speed,
    .cn_body_set_locks = write_cn_body_set_locks,
    .cn_body_set_bullet = write_cn_body_set_bullet,
    .cn_body_set_asleep = write_cn_body_set_asleep,
    .cn_body_set_no_sleep = write_cn_body_set_no_sleep,
    .cn_body_set_sleep_speed = write_cn_body_set_sleep_speed,
    .cn_body_drop_through = write_cn_body_drop_through,
    .cn_body_set_disabled = write_cn_body_set_disabled,
    .cn_body_set_user_data = write_cn_body_set_user_data,
    .cn_shape_create = write_cn_shape_create,
    .cn_shape_destroy = write_cn_shape_destroy,
    .cn_shape_set_hull = write_cn_shape_set_hull,
    .cn_shape_set_density = write_cn_shape_set_density,
    .cn_shape_set_material = write_cn_shape_set_material,
    .cn_shape_set_filter = write_cn_shape_set_filter,
    .cn_shape_set_no_collision = write_cn_shape_set_no_collision,
    .cn_shape_set_custom_filter = write_cn_shape_set_custom_filter,
    .cn_shape_set_pre_solve = write_cn_shape_set_pre_solve,
    .cn_shape_set_hit_events = write_cn_shape_set_hit_events,
    .cn_shape_set_no_touch_events = write_cn_shape_set_no_touch_events,
    .cn_shape_set_sensor = write_cn_shape_set_sensor,
    .cn_shape_set_one_way = write_cn_shape_set_one_way,
    .cn_shape_set_user_data = write_cn_shape_set_user_data,
    .cn_chain_create = write_cn_chain_create,
    .cn_chain_destroy = write_cn_chain_destroy,
    .cn_chain_set_material = write_cn_chain_set_material,
    .cn_grid_create = write_cn_grid_create,
    .cn_grid_destroy = write_cn_grid_destroy,
    .cn_grid_set_solid = write_cn_grid_set_solid,
    .cn_grid_set_tile = write_cn_grid_set_tile,
    .cn_grid_set_material = write_cn_grid_set_material,
    .cn_shape_set_medium = write_cn_shape_set_medium,
    .cn_joint_create = write_cn_joint_create,
    .cn_joint_destroy = write_cn_joint_destroy,
    .cn_joint_set_coordinate = write_cn_joint_set_coordinate,
    .cn_joint_set_motor_speed = write_cn_joint_set_motor_speed,
    .cn_joint_set_target = write_cn_joint_set_target,
    .cn_joint_set_frames = write_cn_joint_set_frames,
    .cn_joint_set_polar = write_cn_joint_set_polar,
    .cn_joint_set_collide_connected = write_cn_joint_set_collide_connected,
    .cn_joint_set_disabled = write_cn_joint_set_disabled,
    .cn_joint_set_break = write_cn_joint_set_break,
    .cn_joint_set_anchor = write_cn_joint_set_anchor,
    .cn_joint_set_user_data = write_cn_joint_set_user_data,
    .cn_joint_set_coupling = write_cn_joint_set_coupling,
    .cn_world_set_callbacks = write_cn_world_set_callbacks,
    .cn_world_explode = write_cn_world_explode,
    .cn_world_restore = write_cn_world_restore,
    .cn_world_set_profiling = write_cn_world_set_profiling,
};

const cn_played_call cn_played_calls[] = {
    {"cn_world_step", play_cn_world_step, true},
    {"cn_world_advance", play_cn_world_advance, true},
    {"cn_world_set_gravity", play_cn_world_set_gravity, false},
    {"cn_world_set_substeps", play_cn_world_set_substeps, false},
    {"cn_world_set_no_sleep", play_cn_world_set_no_sleep, false},
    {"cn_world_set_move_events", play_cn_world_set_move_events, false},
    {"cn_world_set_damping", play_cn_world_set_damping, false},
    {"cn_world_set_user_data", play_cn_world_set_user_data, false},
    {"cn_world_shift_origin", play_cn_world_shift_origin, false},
    {"cn_world_set_tuning", play_cn_world_set_tuning, false},
    {"cn_body_create", play_cn_body_create, false},
    {"cn_body_destroy", play_cn_body_destroy, false},
    {"cn_body_set_type", play_cn_body_set_type, false},
    {"cn_body_set_pose", play_cn_body_set_pose, false},
    {"cn_body_set_position", play_cn_body_set_position, false},
    {"cn_body_set_target", play_cn_body_set_target, false},
    {"cn_body_set_velocity", play_cn_body_set_velocity, false},
    {"cn_body_set_angular_velocity", play_cn_body_set_angular_velocity, false},
    {"cn_body_apply_force_at", play_cn_body_apply_force_at, false},
    {"cn_body_apply_force", play_cn_body_apply_force, false},
    {"cn_body_apply_torque", play_cn_body_apply_torque, false},
    {"cn_body_apply_impulse_at", play_cn_body_apply_impulse_at, false},
    {"cn_body_apply_impulse", play_cn_body_apply_impulse, false},
    {"cn_body_apply_angular_impulse", play_cn_body_apply_angular_impulse, false},
    {"cn_body_set_mass_data", play_cn_body_set_mass_data, false},
    {"cn_body_reset_mass", play_cn_body_reset_mass, false},
    {"cn_body_set_damping", play_cn_body_set_damping, false},
    {"cn_body_set_gravity_scale", play_cn_body_set_gravity_scale, false},
    {"cn_body_set_max_speed", play_cn_body_set_max_speed, false},
    {"cn_body_set_locks", play_cn_body_set_locks, false},
    {"cn_body_set_bullet", play_cn_body_set_bullet, false},
    {"cn_body_set_asleep", play_cn_body_set_asleep, false},
    {"cn_body_set_no_sleep", play_cn_body_set_no_sleep, false},
    {"cn_body_set_sleep_speed", play_cn_body_set_sleep_speed, false},
    {"cn_body_drop_through", play_cn_body_drop_through, false},
    {"cn_body_set_disabled", play_cn_body_set_disabled, false},
    {"cn_body_set_user_data", play_cn_body_set_user_data, false},
    {"cn_shape_create", play_cn_shape_create, false},
    {"cn_shape_destroy", play_cn_shape_destroy, false},
    {"cn_shape_set_hull", play_cn_shape_set_hull, false},
    {"cn_shape_set_density", play_cn_shape_set_density, false},
    {"cn_shape_set_material", play_cn_shape_set_material, false},
    {"cn_shape_set_filter", play_cn_shape_set_filter, false},
    {"cn_shape_set_no_collision", play_cn_shape_set_no_collision, false},
    {"cn_shape_set_custom_filter", play_cn_shape_set_custom_filter, false},
    {"cn_shape_set_pre_solve", play_cn_shape_set_pre_solve, false},
    {"cn_shape_set_hit_events", play_cn_shape_set_hit_events, false},
    {"cn_shape_set_no_touch_events", play_cn_shape_set_no_touch_events, false},
    {"cn_shape_set_sensor", play_cn_shape_set_sensor, false},
    {"cn_shape_set_one_way", play_cn_shape_set_one_way, false},
    {"cn_shape_set_user_data", play_cn_shape_set_user_data, false},
    {"cn_chain_create", play_cn_chain_create, false},
    {"cn_chain_destroy", play_cn_chain_destroy, false},
    {"cn_chain_set_material", play_cn_chain_set_material, false},
    {"cn_grid_create", play_cn_grid_create, false},
    {"cn_grid_destroy", play_cn_grid_destroy, false},
    {"cn_grid_set_solid", play_cn_grid_set_solid, false},
    {"cn_grid_set_tile", play_cn_grid_set_tile, false},
    {"cn_grid_set_material", play_cn_grid_set_material, false},
    {"cn_shape_set_medium", play_cn_shape_set_medium, false},
    {"cn_joint_create", play_cn_joint_create, false},
    {"cn_joint_destroy", play_cn_joint_destroy, false},
    {"cn_joint_set_coordinate", play_cn_joint_set_coordinate, false},
    {"cn_joint_set_motor_speed", play_cn_joint_set_motor_speed, false},
    {"cn_joint_set_target", play_cn_joint_set_target, false},
    {"cn_joint_set_frames", play_cn_joint_set_frames, false},
    {"cn_joint_set_polar", play_cn_joint_set_polar, false},
    {"cn_joint_set_collide_connected", play_cn_joint_set_collide_connected, false},
    {"cn_joint_set_disabled", play_cn_joint_set_disabled, false},
    {"cn_joint_set_break", play_cn_joint_set_break, false},
    {"cn_joint_set_anchor", play_cn_joint_set_anchor, false},
    {"cn_joint_set_user_data", play_cn_joint_set_user_data, false},
    {"cn_joint_set_coupling", play_cn_joint_set_coupling, false},
    {"cn_world_set_callbacks", play_cn_world_set_callbacks, false},
    {"cn_world_explode", play_cn_world_explode, false},
    {"cn_world_restore", play_cn_world_restore, false},
    {"cn_world_set_profiling", play_cn_world_set_profiling, false},
};

const int cn_played_call_count = 77;
