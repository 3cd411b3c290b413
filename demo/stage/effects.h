/* effects: what hits, slides, breaks and explodes in a world, for the ear and the eye. They are
 * read from the contacts after each step. The world does not know of them, so they change no
 * result. A stage without effects does not read anything. */
#ifndef DEMO_EFFECTS_H
#define DEMO_EFFECTS_H

#include "../../engine/cairn.h"

typedef enum { EFFECT_HIT, EFFECT_SLIDE, EFFECT_BREAK, EFFECT_BLAST } effect_kind;

typedef struct {
    effect_kind kind;
    vec2s point;          // world
    vec2s normal;         // unit, along which the lighter body leaves; SLIDE: along which it slides
    float strength;       // HIT: speed of approach, m/s; SLIDE: speed, m/s; BLAST: reach, m
    float power;          // SLIDE: W of friction; HIT: J; by which effects are compared
    float mass;           // kg, of the lighter body
    float size;           // m, of the lighter body
    cn_material material; // of its shape
    float density;        // kg/m^2, of this shape
} demo_effect;

enum { EFFECTS_MAX = 64 };

// The impulse of a contact in the last step, by its two shapes.
typedef struct {
    uint64_t a, b;
    float impulse; // N s
} effect_impulse;

// The motion of a body before the step.
typedef struct {
    vec2s velocity, position;
    float spin;
} effect_motion;

typedef struct {
    cn_joint joint;
    vec2s anchor; // world
} effect_joint;

typedef struct {
    demo_effect list[EFFECTS_MAX]; // of the steps since the last effects_clear()
    int count;
    cn_contact *contacts; // room for those of a step
    int contact_capacity;
    effect_impulse *before, *now; // two hash tables of `slots` places
    uint32_t slots;
    effect_motion *motions; // by the slots of bodies
    int motion_capacity;
    effect_joint *joints; // those that can break, before the step
    int joint_count, joint_capacity;
    bool is_fresh; // there was no step yet, or time has jumped
} demo_effects;

void effects_open(demo_effects *effects);
void effects_close(demo_effects *effects);
// Time jumps, or another world is shown: the next step has nothing to compare with.
void effects_reset(demo_effects *effects);
// Call them before and after each step.
void effects_begin_step(demo_effects *effects, const cn_world *world);
void effects_end_step(demo_effects *effects, cn_world *world, float dt);
// Adds an effect. If there are too many, the weakest one is missing.
void effects_add(demo_effects *effects, const demo_effect *effect);
void effects_clear(demo_effects *effects);

#endif
