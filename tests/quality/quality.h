/* The quality harness: the run of one figure, and the functions that measure.
 *
 * Everything is measured from outside: poses and velocities are read through the public API and the
 * arithmetic is done in double precision. Sleeping is off, except where a figure measures it. */
#ifndef TESTS_QUALITY_H
#define TESTS_QUALITY_H

#include "../../engine/cairn.h"

enum { QUALITY_MAX_BOXES = 5050, QUALITY_MAX_VALUES = 3 };

// A body and where it was put.
typedef struct {
    cn_body body;
    double x, y;
} quality_box;

// The run of one figure.
typedef struct {
    int substeps;
    int seeds;                         // number of random variants to run
    double values[QUALITY_MAX_VALUES]; // the results

    cn_world *world;
    quality_box boxes[QUALITY_MAX_BOXES]; // bodies that are watched
    int box_count;
    uint64_t random;

    long steps;
    double ms;       // CPU time of all steps
    bool failed;     // a call of the engine failed, or a body's state left the range of numbers
    char error[256]; // the error of the first call that failed
} quality_run;

// Destroys the world of the run and creates an empty one, without sleeping.
void quality_begin(quality_run *run, float gravity_y, uint64_t seed);
void quality_end(quality_run *run);
// Runs steps of 1/60 s and adds up their time.
void quality_step(quality_run *run, int steps);
// Keeps the error of the last call if the handle is null.
void quality_check(quality_run *run, uint64_t handle);
double quality_random(quality_run *run, double low, double high);

// Depths of all pairs of shapes of different bodies that collide and overlap, in metres.
typedef struct {
    double mean, p99, max;
    int count;
} quality_penetration;

quality_penetration quality_measure_penetration(const cn_world *world);

// The figures. Each fills run->values. `n` is the size of the scene, if it has one.
void quality_stack_stands(quality_run *run, int n);
void quality_stack_height(quality_run *run, int n);
void quality_small_stack_stands(quality_run *run, int n);
void quality_far_stack(quality_run *run, int n);
void quality_pyramid(quality_run *run, int n);
void quality_heavy_sinks(quality_run *run, int n);
void quality_heavy_stands(quality_run *run, int n);
void quality_arch(quality_run *run, int n);
void quality_pile(quality_run *run, int n);
void quality_friction(quality_run *run, int n);
void quality_ball_bounce(quality_run *run, int n);
void quality_box_bounce(quality_run *run, int n);
void quality_circle_gas(quality_run *run, int n);
void quality_box_gas(quality_run *run, int n);
void quality_room(quality_run *run, int n);
void quality_projectile(quality_run *run, int n);
void quality_spin(quality_run *run, int n);
void quality_chain(quality_run *run, int n);
void quality_swing(quality_run *run, int n);
void quality_double_pendulum(quality_run *run, int n);
void quality_cantilever(quality_run *run, int n);
void quality_bridge(quality_run *run, int n);
void quality_joint_grid(quality_run *run, int n);
void quality_limit(quality_run *run, int n);
void quality_impact_load(quality_run *run, int n);
void quality_slanted(quality_run *run, int n);
void quality_axle(quality_run *run, int n);
void quality_pendulum(quality_run *run, int n);
void quality_spring(quality_run *run, int n);
void quality_hinge_spring(quality_run *run, int n);
void quality_cradle(quality_run *run, int n);
void quality_static_wall(quality_run *run, int n);
void quality_dynamic_wall(quality_run *run, int n);
void quality_apex(quality_run *run, int n);
void quality_falls(quality_run *run, int n);
void quality_crowd(quality_run *run, int n);
void quality_spawn(quality_run *run, int n);
void quality_burst(quality_run *run, int n);
void quality_lift(quality_run *run, int n);
void quality_seesaw(quality_run *run, int n);
void quality_break(quality_run *run, int n);
void quality_seam(quality_run *run, int n);
void quality_box_sleep(quality_run *run, int n);
void quality_slow_motor(quality_run *run, int n);
void quality_hex_sleep(quality_run *run, int n);
void quality_doll_bin(quality_run *run, int n);

#endif
