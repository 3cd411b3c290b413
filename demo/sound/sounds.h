/* sounds: what effects sound like. */
#ifndef DEMO_SOUNDS_H
#define DEMO_SOUNDS_H

#include "../stage/effects.h"
#include "mixer.h"

// Returns the sound of an effect other than a slide. `pan` is -1 (left) .. 1 (right).
mixer_sound sound_of(const demo_effect *effect, float pan);
// Plays effects, as heard from the middle of a picture of this width, m.
void sounds_play(demo_mixer *mixer, const demo_effects *effects, vec2s ear, float width);

#endif
