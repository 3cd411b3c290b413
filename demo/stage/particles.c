/* The random numbers have their own seed, so a picture is the same in each run.
 *
 *   hit      dust to both sides of the contact; sparks if it is hard
 *   slide    a trail of dust; sparks if it is fast
 *   break    chips and dust
 *   blast    a flash, a ring that runs to the reach of the blast, sparks and smoke */
#include "particles.h"

#include <math.h>

static const float pi = 3.14159265f;
static const float dusty_hit = 2, sparking_hit = 11;       // m/s
static const float dusty_slide = 1.2f, sparking_slide = 6; // m/s
static const float ring_speed = 28;                        // m/s

void particles_open(demo_particles *p) { *p = (demo_particles){.random = {2024}}; }

void particles_clear(demo_particles *p) {
    for (int i = 0; i < PARTICLES_MAX; i++) p->list[i].life = 0;
}

static float pick(demo_particles *p, float low, float high) {
    return scene_random_range(&p->random, low, high);
}

static void add(demo_particles *p, const particle *made) {
    p->list[p->next] = *made;
    p->next = (p->next + 1) % PARTICLES_MAX;
}

// ---- emission

static void add_dust(demo_particles *p, vec2s point, vec2s velocity, float size) {
    vec2s drift = {{pick(p, -0.3f, 0.3f), pick(p, -0.1f, 0.4f)}};
    add(p, &(particle){.kind = PARTICLE_DUST,
                       .point = point,
                       .velocity = glms_vec2_add(velocity, drift),
                       .size = size * pick(p, 0.6f, 1.2f),
                       .growth = size * pick(p, 1.5f, 3),
                       .life = pick(p, 0.35f, 0.8f)});
}

static void add_spark(demo_particles *p, vec2s point, vec2s along, float speed, float size) {
    float turn = atan2f(along.y, along.x) + pick(p, -0.5f, 0.5f);
    float fast = speed * pick(p, 0.3f, 1);
    add(p, &(particle){.kind = PARTICLE_SPARK,
                       .point = point,
                       .velocity = {{fast * cosf(turn), fast * sinf(turn)}},
                       .size = size,
                       .life = pick(p, 0.15f, 0.4f)});
}

static void add_chip(demo_particles *p, vec2s point, float size) {
    float turn = pick(p, 0, 2 * pi), fast = pick(p, 0.5f, 4);
    add(p, &(particle){.kind = PARTICLE_CHIP,
                       .point = point,
                       .velocity = {{fast * cosf(turn), fast * sinf(turn) + 1}},
                       .size = size * pick(p, 0.5f, 1),
                       .life = pick(p, 0.6f, 1.2f),
                       .angle = turn,
                       .spin = pick(p, -12, 12)});
}

static void emit_hit(demo_particles *p, const demo_effect *e) {
    vec2s side = {{e->normal.y, -e->normal.x}};
    float size = fminf(0.1f * e->size, 0.5f);
    int count = e->strength < dusty_hit ? 0 : (int)fminf(1 + e->strength / 2, 8);
    for (int i = 0; i < count; i++) {
        float away = (i % 2 ? 1.0f : -1.0f) * pick(p, 0.1f, 0.3f) * e->strength;
        vec2s up = glms_vec2_scale(e->normal, pick(p, 0, 0.1f) * e->strength);
        add_dust(p, e->point, glms_vec2_muladds(side, away, up), size);
    }
    for (int i = 0; i < 6 && e->strength > sparking_hit; i++)
        add_spark(p, e->point, i % 2 ? side : glms_vec2_negate(side), 0.8f * e->strength, size / 2);
}

static void emit_slide(demo_particles *p, const demo_effect *e) {
    float size = fminf(0.06f * e->size, 0.3f);
    if (e->strength > dusty_slide && pick(p, 0, 1) < 0.4f)
        add_dust(p, e->point, glms_vec2_scale(e->normal, 0.3f * e->strength), size);
    if (e->strength > sparking_slide) add_spark(p, e->point, e->normal, 0.7f * e->strength, size);
}

static void emit_break(demo_particles *p, const demo_effect *e) {
    for (int i = 0; i < 9; i++) add_chip(p, e->point, 0.16f * e->size);
    for (int i = 0; i < 4; i++) add_dust(p, e->point, glms_vec2_zero(), 0.2f * e->size);
}

static void emit_blast(demo_particles *p, const demo_effect *e) {
    float reach = e->strength;
    add(p, &(particle){.kind = PARTICLE_FLASH,
                       .point = e->point,
                       .size = 0.3f * reach,
                       .growth = 2.5f * reach,
                       .life = 0.16f});
    add(p, &(particle){.kind = PARTICLE_RING,
                       .point = e->point,
                       .size = 0.1f * reach,
                       .growth = ring_speed,
                       .life = 0.9f * reach / ring_speed});
    for (int i = 0; i < 40; i++) {
        cn_rotation r = cn_rotation_of(pick(p, 0, 2 * pi));
        vec2s along = {{r.c, i < 24 ? r.s : fabsf(r.s)}}; // smoke rises
        if (i < 24)
            add_spark(p, e->point, along, 5 * reach, 0.05f * reach);
        else
            add_dust(p, glms_vec2_muladds(along, 0.15f * reach, e->point),
                     glms_vec2_scale(along, pick(p, 0.2f, 0.9f) * reach), 0.09f * reach);
    }
}

void particles_emit(demo_particles *p, const demo_effects *effects) {
    static void (*const emit[])(demo_particles * p,
                                const demo_effect *e) = {[EFFECT_HIT] = emit_hit,
                                                         [EFFECT_SLIDE] = emit_slide,
                                                         [EFFECT_BREAK] = emit_break,
                                                         [EFFECT_BLAST] = emit_blast};
    for (int i = 0; i < effects->count; i++) emit[effects->list[i].kind](p, &effects->list[i]);
}

// ---- motion

void particles_step(demo_particles *p, vec2s gravity, float dt) {
    static const float weights[] = {
        [PARTICLE_DUST] = -0.03f, [PARTICLE_SPARK] = 0.6f, [PARTICLE_CHIP] = 1};
    static const float drags[] = {
        [PARTICLE_DUST] = 4, [PARTICLE_SPARK] = 1, [PARTICLE_CHIP] = 0.5f};
    for (int i = 0; i < PARTICLES_MAX; i++) {
        particle *one = &p->list[i];
        if (one->age >= one->life) continue;
        one->age += dt;
        one->size += one->growth * dt;
        one->angle += one->spin * dt;
        if (one->kind > PARTICLE_CHIP) continue;
        one->velocity = glms_vec2_muladds(gravity, weights[one->kind] * dt, one->velocity);
        one->velocity = glms_vec2_scale(one->velocity, 1 / (1 + drags[one->kind] * dt));
        one->point = glms_vec2_muladds(one->velocity, dt, one->point);
    }
}

int particles_count(const demo_particles *p) {
    int count = 0;
    for (int i = 0; i < PARTICLES_MAX; i++) count += p->list[i].age < p->list[i].life;
    return count;
}
