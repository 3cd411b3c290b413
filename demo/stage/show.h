/* show: what the eye and the ear get of a stage beside its bodies: particles and sounds. A stage
 * has one only if somebody looks or listens. */
#ifndef DEMO_SHOW_H
#define DEMO_SHOW_H

#include "../sound/mixer.h"
#include "particles.h"

typedef struct {
    demo_effects effects;
    demo_particles particles;
    demo_mixer mixer;
    bool is_seen, is_heard; // particles, sounds
    vec2s ear;              // the middle of the picture, m
    float width;            // of the picture, m
    int blasts;             // scene_run.blast_count of the last step; -1: there was none
} demo_show;

void show_open(demo_show *show);
void show_close(demo_show *show);
// The scene restarts, or time jumps.
void show_reset(demo_show *show);
// Something explodes, with this reach in metres.
void show_blast(demo_show *show, vec2s point, float reach);
// Call them before and after each step of a world. `run` may have no scene that acts.
void show_begin_step(demo_show *show, const cn_world *world);
void show_end_step(demo_show *show, const scene_run *run, float dt);

#endif
