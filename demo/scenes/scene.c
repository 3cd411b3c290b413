/* Starts, steps and stops a scene, and helps scenes to create bodies. */
#include "scene.h"

#include <stdlib.h>
#include <string.h>

int scene_default_values(const scene *which, float values[SCENE_MAX_PARAMETERS]) {
    int count = 0;
    for (const scene_parameter *p = which->parameters; p && p->name; p++)
        values[count++] = p->value;
    return count;
}

static float clamp_value(const scene_parameter *p, float value) {
    value = value < p->low ? p->low : value > p->high ? p->high : value;
    return p->is_whole ? (float)(int)(value + 0.5f) : value;
}

bool scene_start_with(scene_run *run, const scene *which, const float *values,
                      cn_world_def options) {
    options.gravity = which->gravity;
    options.no_sleep = options.no_sleep || which->no_sleep;
    *run = (scene_run){.scene = which, .world = cn_world_create(&options)};
    if (!run->world) return false;
    if (which->memory_size) run->memory = calloc(1, which->memory_size);
    int count = scene_default_values(which, run->values);
    for (int i = 0; i < count && values; i++)
        run->values[i] = clamp_value(&which->parameters[i], values[i]);
    if ((!which->memory_size || run->memory) && which->create(run)) return true;
    scene_stop(run);
    return false;
}

bool scene_start(scene_run *run, const scene *which, cn_world_def options) {
    return scene_start_with(run, which, NULL, options);
}

bool scene_step(scene_run *run, float dt) { return scene_act(run) && scene_advance(run, dt); }

bool scene_advance(scene_run *run, float dt) {
    if (!cn_world_step(run->world, dt)) return false;
    run->step++;
    run->input.clicked = false;
    return true;
}

bool scene_act(scene_run *run) {
    const scene *which = run->scene;
    if (which->control && !which->control(run)) return false;
    return !which->before_step || which->before_step(run);
}

void scene_stop(scene_run *run) {
    if (run->scene->destroy && run->memory) run->scene->destroy(run->memory);
    cn_world_destroy(run->world);
    free(run->memory);
    *run = (scene_run){0};
}

const scene *scene_find_in(const scene *const *list, const char *name) {
    for (; *list; list++)
        if (strcmp((*list)->name, name) == 0) return *list;
    return NULL;
}

float scene_random_range(scene_random *random, float low, float high) {
    random->state += 0x9E3779B97F4A7C15u; // splitmix64
    uint64_t z = random->state;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return low + (high - low) * ((float)(z >> 40) * (1.0f / 16777216));
}

cn_body scene_add_body(cn_world *world, cn_motion_type type, float x, float y) {
    return cn_body_create(world, &(cn_body_def){.type = type, .position = {{x, y}}});
}

cn_body scene_add_one(cn_world *world, cn_motion_type type, float x, float y, cn_hull hull,
                      float density) {
    const cn_shape_def shape = {.hull = hull, .density = density};
    const cn_body_def def = {
        .type = type, .position = {{x, y}}, .shapes = &shape, .shape_count = 1};
    return cn_body_create(world, &def);
}

cn_shape scene_add_hull(cn_world *world, cn_body body, cn_hull hull, float friction,
                        float density) {
    return cn_shape_create(
        world, body,
        &(cn_shape_def){.hull = hull,
                        .density = density,
                        .material = {.friction = friction, .frictionless = friction == 0}});
}
