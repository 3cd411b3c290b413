/* The answers to the exercises of lesson 6. */
#define main lesson
#include "../6_bounce.c"
#undef main

// 1. Which restitution leaves the hit box at one height, only spinning? The impulse must take the
// momentum m v and no more: (1 + e) m_effective = m, so e = m rn^2 / I.
static int spin_in_place(void) {
    cn_hull box = cn_box(0.5f, 0.5f);
    body b = make_body(box, (vec2s){{0, 2}}, 0.3f, (vec2s){{0, -4}});
    float rn = sqrtf(0.5f) * cosf(0.25f * 3.14159265f + 0.3f); // of the lowest corner
    float e = b.inverse_inertia / b.inverse_mass * rn * rn;
    body engine = bounce_in_engine(b, box, e);
    printf("1. e = %.3f: %+.4f m/s and %+.3f rad/s\n", e, engine.v.y, engine.w);
    return fabsf(e - 0.653f) > 1e-3f || fabsf(engine.v.y) > 2e-3f;
}

// 2. When does a ball with e = 0.8 hit the ground, if it falls from 1.25 m? The fall takes 0.5 s,
// and each flight between two hits takes e times as long as the one before. The sum ends at 4.5 s.
static int time_of_hits(void) {
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
    cn_shape_def slab = {.hull = cn_box(10, 1)}, ball = {.hull = cn_circle(0.5f)};
    ball.material.restitution = 0.8f, ball.hit_events = true;
    cn_body_def floor = {CN_STATIC, .position = {{0, -1}}, .shapes = &slab, .shape_count = 1};
    cn_body_def def = {.position = {{0, 1.75f}}, .shapes = &ball, .shape_count = 1};
    cn_body_create(world, &floor);
    cn_body_create(world, &def);
    int differences = 0, hits = 0;
    float expected = 0.5f, flight = 1;
    for (int i = 1; i <= 960 && hits < 4; i++) {
        cn_world_step(world, 1.0f / 240);
        if (cn_world_events(world).hit_count == 0) continue;
        printf("2. hit %d at %.3f s (%.3f)\n", ++hits, (float)i / 240, expected);
        differences += fabsf((float)i / 240 - expected) > 0.01f;
        flight *= 0.8f, expected += flight;
    }
    cn_world_destroy(world);
    return differences + (hits < 4);
}

int main(void) { return lesson() + spin_in_place() + time_of_hits(); }
