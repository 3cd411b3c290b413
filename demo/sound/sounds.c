/* A material is a set of modes: the ratios of their frequencies and how long they ring. The pitch
 * falls with the size of the body, which is the root of its mass by its density. What a body is
 * made of is guessed from numbers that a scene sets anyway:
 *
 *     metal     density above 3        rings long
 *     rubber    restitution above 0.4  low, and one mode only
 *     ice       friction below 0.1     high and thin
 *     wood      all others */
#include "sounds.h"

#include <math.h>

typedef struct {
    float pitch;  // Hz, of a body of 1 m
    float ring;   // s, the decay of its lowest mode
    float click;  // level of the noise of the blow
    float bright; // Hz, low-pass of this noise
    float ratios[MIXER_MODES], levels[MIXER_MODES];
} material;

static const material wood = {
    190, 0.055f, 0.5f, 2600, {1, 2.57f, 4.36f, 6.8f}, {1, 0.5f, 0.25f, 0.1f}};
static const material metal = {
    330, 0.35f, 0.25f, 6000, {1, 2.76f, 5.4f, 8.93f}, {0.7f, 0.6f, 0.4f, 0.2f}};
static const material rubber = {140, 0.09f, 0.15f, 900, {1, 2, 0, 0}, {1, 0.15f, 0, 0}};
static const material ice = {
    520, 0.12f, 0.2f, 7000, {1, 2.3f, 4.1f, 6.3f}, {0.5f, 0.5f, 0.3f, 0.2f}};

static const material *find_material(const demo_effect *e) {
    if (e->density > 3) return &metal;
    if (e->material.restitution > 0.4f) return &rubber;
    return e->material.friction < 0.1f ? &ice : &wood;
}

static float clamp(float value, float low, float high) { return fmaxf(low, fminf(value, high)); }

// Larger bodies are louder, and slower blows are duller.
static mixer_sound make_hit(const demo_effect *e) {
    const material *m = find_material(e);
    float size = clamp(e->size, 0.05f, 20), hard = clamp(e->strength / 8, 0.05f, 1);
    float pitch = clamp(m->pitch / powf(size, 0.8f), 45, 3000);
    mixer_sound s = {.noise = {m->bright * (0.3f + 0.7f * hard), m->click * hard, 0.012f}};
    for (int i = 0; i < MIXER_MODES; i++) {
        float high = m->ratios[i] - 1; // high modes ring shorter, and need a hard blow
        s.modes[i] = (mixer_mode){pitch * m->ratios[i], m->levels[i] * powf(hard, 0.15f * high),
                                  m->ring * powf(size, 0.3f) / (1 + 0.4f * high)};
    }
    s.loudness = clamp(0.55f * hard * powf(size, 0.35f), 0.01f, 0.9f);
    return s;
}

static mixer_sound make_break(void) {
    return (mixer_sound){.modes = {{900, 0.3f, 0.02f}, {1730, 0.3f, 0.015f}, {2950, 0.2f, 0.01f}},
                         .noise = {5000, 1, 0.03f},
                         .loudness = 0.6f};
}

static mixer_sound make_blast(const demo_effect *e) {
    float reach = clamp(e->strength, 0.5f, 30);
    float pitch = clamp(120 / sqrtf(reach), 35, 150);
    return (mixer_sound){
        .modes = {{pitch, 0.9f, 0.2f}, {1.6f * pitch, 0.5f, 0.12f}},
        .noise = {350 + 900 / reach, 2.5f, 0.16f + 0.03f * reach},
        .loudness = clamp(0.45f + 0.08f * reach, 0, 1),
    };
}

mixer_sound sound_of(const demo_effect *effect, float pan) {
    mixer_sound s = effect->kind == EFFECT_BLAST   ? make_blast(effect)
                    : effect->kind == EFFECT_BREAK ? make_break()
                                                   : make_hit(effect);
    s.pan = pan;
    return s;
}

// All slides together are one sound: as loud as their power, as high as they are fast.
static void rub(demo_mixer *mixer, const demo_effects *effects, vec2s ear, float width) {
    float power = 0, speed = 0, x = 0;
    for (int i = 0; i < effects->count; i++) {
        const demo_effect *e = &effects->list[i];
        if (e->kind != EFFECT_SLIDE) continue;
        power += e->power, speed += e->power * e->strength, x += e->power * e->point.x;
    }
    if (power <= 0) return;
    float pan = clamp(2 * (x / power - ear.x) / width, -1, 1);
    mixer_rub(mixer, clamp(0.03f * sqrtf(power), 0, 0.3f), 350 + 180 * speed / power, pan);
}

void sounds_play(demo_mixer *mixer, const demo_effects *effects, vec2s ear, float width) {
    for (int i = 0; i < effects->count; i++) {
        const demo_effect *e = &effects->list[i];
        if (e->kind == EFFECT_SLIDE) continue;
        mixer_sound s = sound_of(e, clamp(2 * (e->point.x - ear.x) / width, -1, 1));
        mixer_play(mixer, &s);
    }
    rub(mixer, effects, ear, width);
}
