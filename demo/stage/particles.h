/* particles: dust, sparks, chips, flashes and rings, which effects leave behind. They move in the
 * time of the world, and are nothing but a picture: no body meets them. */
#ifndef DEMO_PARTICLES_H
#define DEMO_PARTICLES_H

#include "effects.h"
#include "../scenes/scene.h"

typedef enum {
    PARTICLE_DUST,
    PARTICLE_SPARK,
    PARTICLE_CHIP,
    PARTICLE_FLASH,
    PARTICLE_RING
} particle_kind;

typedef struct {
    particle_kind kind;
    vec2s point, velocity; // m, m/s
    float size, growth;    // m, m/s: a radius; of a chip or a spark half of its length
    float age, life;       // s; gone when the age reaches the life
    float angle, spin;     // rad, rad/s: of a chip
} particle;

enum { PARTICLES_MAX = 768 };

typedef struct {
    particle list[PARTICLES_MAX]; // the oldest one gives its place to a new one
    int next;
    scene_random random;
} demo_particles;

void particles_open(demo_particles *particles);
void particles_clear(demo_particles *particles);
void particles_emit(demo_particles *particles, const demo_effects *effects);
void particles_step(demo_particles *particles, vec2s gravity, float dt);
int particles_count(const demo_particles *particles);

#endif
