/* A mode is a resonator with two states: with t the angle by which the tone goes on in a sample and
 * r what a sample leaves of its level,
 *
 *     y[n] = 2 r cos(t) y[n - 1] - r^2 y[n - 2],    which is r^n sin(n t) for y[0] = 0.
 *
 * Noise that is rubbed goes through a band-pass (a state variable filter). The sum of all is bent
 * by x / (1 + |x|), so that it never clips. */
#include "mixer.h"

#include <math.h>
#include <string.h>

static const float pi = 3.14159265f;
static const float longest = 6; // times the decay: then a voice is silent
static const float rub_seconds = 0.05f, rub_follow = 0.002f; // s; part of the way in each sample

void mixer_open(demo_mixer *mixer) { *mixer = (demo_mixer){.noise = 12345, .rub_frequency = 500}; }

// Returns a random number of -1..1.
static float next_noise(demo_mixer *mixer) {
    mixer->noise = mixer->noise * 1664525u + 1013904223u;
    return (float)(int32_t)mixer->noise * (1.0f / 2147483648.0f);
}

// ---- starting

static float fade_of(float decay) { return expf(-1 / (decay * (float)MIXER_RATE)); }

static mixer_resonator start_mode(const mixer_mode *mode) {
    bool is_heard = mode->level > 0 && mode->frequency < 0.45f * (float)MIXER_RATE;
    if (!is_heard) return (mixer_resonator){.y1 = 0};
    float r = fade_of(mode->decay), t = 2 * pi * mode->frequency / (float)MIXER_RATE;
    return (mixer_resonator){0, -mode->level * sinf(t) / r, 2 * r * cosf(t), -r * r};
}

// Returns a free voice, or the one that has become the quietest.
static mixer_voice *find_voice(demo_mixer *mixer) {
    mixer_voice *best = &mixer->voices[0];
    for (int i = 0; i < MIXER_VOICES; i++) {
        mixer_voice *v = &mixer->voices[i];
        if (v->samples_left == 0) return v;
        if (v->loudness < best->loudness) best = v;
    }
    return best;
}

void mixer_play(demo_mixer *mixer, const mixer_sound *sound) {
    mixer_voice *v = find_voice(mixer);
    float decay = sound->noise.level > 0 ? sound->noise.decay : 0;
    *v = (mixer_voice){.loudness = sound->loudness};
    for (int i = 0; i < MIXER_MODES; i++) {
        v->modes[i] = start_mode(&sound->modes[i]);
        if (sound->modes[i].level > 0) decay = fmaxf(decay, sound->modes[i].decay);
    }
    if (decay <= 0 || sound->loudness <= 0) return;
    v->noise = sound->noise.level;
    v->noise_keep = sound->noise.level > 0 ? fade_of(sound->noise.decay) : 0;
    v->smoothness = 1 - expf(-2 * pi * sound->noise.frequency / (float)MIXER_RATE);
    float angle = (sound->pan + 1) * pi / 4; // equal power from left to right
    v->left = sound->loudness * cosf(angle), v->right = sound->loudness * sinf(angle);
    v->fade = fade_of(decay);
    v->samples_left = (int)(longest * decay * (float)MIXER_RATE);
}

void mixer_rub(demo_mixer *mixer, float loudness, float frequency, float pan) {
    mixer->rub_target = loudness;
    mixer->rub_pan = pan;
    mixer->rub_frequency = frequency;
    mixer->rub_samples_left = (int)(rub_seconds * (float)MIXER_RATE);
}

// ---- mixing

static float ring(mixer_resonator *r) {
    float y = r->c1 * r->y1 + r->c2 * r->y2;
    r->y2 = r->y1, r->y1 = y;
    return y;
}

static void add_voice(demo_mixer *mixer, mixer_voice *v, float *samples, int pairs) {
    int count = pairs < v->samples_left ? pairs : v->samples_left;
    for (int i = 0; i < count; i++) {
        float y = 0;
        for (int k = 0; k < MIXER_MODES; k++) y += ring(&v->modes[k]);
        v->smooth += v->smoothness * (v->noise * next_noise(mixer) - v->smooth);
        v->noise *= v->noise_keep;
        samples[2 * i] += v->left * (y + v->smooth);
        samples[2 * i + 1] += v->right * (y + v->smooth);
    }
    v->samples_left -= count;
    v->loudness *= powf(v->fade, (float)count);
}

static void add_rubbing(demo_mixer *mixer, float *samples, int pairs) {
    float f = 2 * sinf(pi * fminf(mixer->rub_frequency, 6000) / (float)MIXER_RATE);
    float angle = (mixer->rub_pan + 1) * pi / 4, left = cosf(angle), right = sinf(angle);
    for (int i = 0; i < pairs; i++) {
        if (mixer->rub_samples_left == 0) mixer->rub_target = 0;
        if (mixer->rub_samples_left > 0) mixer->rub_samples_left--;
        mixer->rub_level += rub_follow * (mixer->rub_target - mixer->rub_level);
        float high = next_noise(mixer) - mixer->rub_low - 0.9f * mixer->rub_band;
        mixer->rub_band += f * high;
        mixer->rub_low += f * mixer->rub_band;
        samples[2 * i] += mixer->rub_level * mixer->rub_band * left;
        samples[2 * i + 1] += mixer->rub_level * mixer->rub_band * right;
    }
    if (mixer->rub_target == 0 && mixer->rub_level < 1e-4f)
        mixer->rub_level = mixer->rub_low = mixer->rub_band = 0;
}

static bool is_rubbing(const demo_mixer *mixer) {
    return mixer->rub_level > 0 || mixer->rub_target > 0;
}

void mixer_mix(demo_mixer *mixer, float *samples, int pairs) {
    memset(samples, 0, 2 * (size_t)pairs * sizeof *samples);
    for (int i = 0; i < MIXER_VOICES; i++)
        if (mixer->voices[i].samples_left > 0) add_voice(mixer, &mixer->voices[i], samples, pairs);
    if (is_rubbing(mixer)) add_rubbing(mixer, samples, pairs);
    for (int i = 0; i < 2 * pairs; i++) samples[i] /= 1 + fabsf(samples[i]);
}

bool mixer_is_silent(const demo_mixer *mixer) {
    for (int i = 0; i < MIXER_VOICES; i++)
        if (mixer->voices[i].samples_left > 0) return false;
    return !is_rubbing(mixer);
}
