/* mixer: makes samples of blows and of rubbing. It knows nothing of worlds and of devices: sounds
 * go in, samples come out. Equal calls give equal samples.
 *
 *     mixer_open(&m);
 *     mixer_play(&m, &thud);
 *     mixer_mix(&m, samples, MIXER_RATE / 60); // the first 60th of a second of the thud
 */
#ifndef DEMO_MIXER_H
#define DEMO_MIXER_H

#include <stdbool.h>
#include <stdint.h>

enum { MIXER_RATE = 44100, MIXER_VOICES = 32, MIXER_MODES = 4 };

// A mode is a tone that dies away.
typedef struct {
    float frequency; // Hz
    float level;     // of the first period, 0..1
    float decay;     // s, until the level is 1/e
} mixer_mode;

// The sound of a blow: modes, and a burst of noise.
typedef struct {
    mixer_mode modes[MIXER_MODES]; // those of level 0 are not played
    mixer_mode noise;              // its frequency is that of a low-pass
    float loudness;                // 0..1
    float pan;                     // -1 left .. 1 right
} mixer_sound;

typedef struct {
    float y1, y2, c1, c2; // the last two samples, and their factors in the next one
} mixer_resonator;

typedef struct {
    mixer_resonator modes[MIXER_MODES];
    float noise, noise_keep;  // level of the noise, and what a sample leaves of it
    float smooth, smoothness; // the low-pass
    float left, right;        // factors
    float loudness, fade;     // at the start; the part of it that a sample leaves
    int samples_left;         // 0: the voice is free
} mixer_voice;

typedef struct {
    mixer_voice voices[MIXER_VOICES];
    uint32_t noise; // the state of the random numbers
    // Rubbing: noise through a band-pass, which follows the last call of mixer_rub().
    float rub_level, rub_target, rub_frequency, rub_pan;
    float rub_low, rub_band; // states of the band-pass
    int rub_samples_left;    // until the target is 0
} demo_mixer;

void mixer_open(demo_mixer *mixer);
// Starts a sound. If no voice is free, it takes that of the quietest one.
void mixer_play(demo_mixer *mixer, const mixer_sound *sound);
// Something is rubbed from now on, for 1/20 s or until the next call. Loudness 0..1, Hz, -1..1.
void mixer_rub(demo_mixer *mixer, float loudness, float frequency, float pan);
// Writes pairs of samples, left and right, -1..1.
void mixer_mix(demo_mixer *mixer, float *samples, int pairs);
// True if all samples are 0 until the next call of one of the functions above.
bool mixer_is_silent(const demo_mixer *mixer);

#endif
