/* Worlds of bodies in rows and stacks, and the function whose instructions are counted. See
 * cost.h. */
#include "cost.h"

#include <stdio.h>
#include <stdlib.h>

enum { COLUMNS = 32, STACK = 10 };

void cost_count(void (*work)(trial *t), trial *t) { work(t); }

void cost_check(bool done, const char *what) {
    if (done) return;
    fprintf(stderr, "cost: %s failed: %s\n", what, cn_error());
    exit(1);
}

// ---- worlds and steps

void start_world(trial *t, float gravity) {
    t->world = cn_world_create(&(cn_world_def){.gravity = {{0, -gravity}}});
    must(t->world != NULL);
}

void take_steps(trial *t, int count) {
    for (int i = 0; i < count; i++)
        must(t->advances ? cn_world_advance(t->world, COST_STEP) >= 0
                         : cn_world_step(t->world, COST_STEP));
}

void four_steps(trial *t) { take_steps(t, 4); }

void must_sleep(const trial *t, int awake) {
    int count = cn_world_counters(t->world).awake_bodies;
    if (count <= awake) return;
    fprintf(stderr, "cost: %d bodies are awake\n", count);
    exit(1);
}

// ---- objects

cn_body add_body(trial *t, cn_body_def def) {
    cn_body body = cn_body_create(t->world, &def);
    must(body.id != 0 && t->body_count < t->room);
    return t->bodies[t->body_count++] = body;
}

cn_shape add_shape(trial *t, cn_body body, cn_shape_def def) {
    cn_shape shape = cn_shape_create(t->world, body, &def);
    must(shape.id != 0 && t->shape_count < t->room);
    return t->shapes[t->shape_count++] = shape;
}

cn_joint add_joint(trial *t, cn_joint_def def) {
    cn_joint joint = cn_joint_create(t->world, def);
    must(joint.id != 0 && t->joint_count < t->room);
    return t->joints[t->joint_count++] = joint;
}

cn_body add_one(trial *t, cn_body_def def, cn_shape_def shape) {
    cn_body body = add_body(t, def);
    add_shape(t, body, shape);
    return body;
}

// ---- many objects

void add_ground(trial *t) {
    t->hub = cn_body_create(t->world, &(cn_body_def){.type = CN_STATIC, .position = {{0, -1}}});
    must(t->hub.id != 0);
    must(cn_shape_create(t->world, t->hub, &(cn_shape_def){.hull = cn_box(4000, 1)}).id != 0);
}

void add_stacks(trial *t, int count, cn_body_def def) {
    for (int i = 0; i < count; i++) {
        def.position.x = 1.5f * (float)(i / STACK);
        def.position.y = 0.5f + (float)(i % STACK);
        add_one(t, def, (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
    }
}

void add_spread(trial *t, int count, cn_body_def def, float spacing) {
    const vec2s corner = def.position;
    for (int i = 0; i < count; i++) {
        vec2s place = place_of(i, spacing);
        def.position = (vec2s){{corner.x + place.x, corner.y + place.y}};
        add_one(t, def, (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
    }
}

vec2s place_of(int i, float spacing) {
    return (vec2s){{spacing * (float)(i % COLUMNS), spacing * (float)(i / COLUMNS)}};
}

cn_hull box_at(float half, vec2s place) {
    cn_hull box = cn_box(half, half);
    return cn_hull_at(box, cn_pose_at(place, 0));
}

float noise(int index) {
    uint32_t z = (uint32_t)index * 0x9E3779B9u;
    z = (z ^ z >> 16) * 0x85EBCA6Bu;
    z = (z ^ z >> 13) * 0xC2B2AE35u;
    return (float)((z ^ z >> 16) >> 8) / 16777216.0f;
}
