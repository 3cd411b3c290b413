/* cairn-quality: how closely the simulation keeps to physics.
 *
 * One table of figures: a name, the substeps it runs with, the function that measures it and the
 * bars that its values must not exceed. Every value is an error, so smaller is better and a bar is
 * always "at most". The program prints one line per value, with its bar, pass or FAIL, and the CPU
 * time of a step. Its exit code is 1 if any value is above its bar. Sleeping is off, except in the
 * figures of sleep. `meson test --suite quality` runs the program.
 *
 * The bars at 12 substeps are about what the best of Box2D and Chipmunk reaches with any settings.
 * Where the engine does not reach that yet, the bar is the value of today with a small margin, and
 * `goal` is what the bar has to become. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // clock_gettime
#endif
#include "quality.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    const char *what; // NULL: no such value
    const char *unit;
    double most; // the bar
    double goal; // what the bar has to become if that is not reached yet; else 0
} bar;

typedef struct {
    const char *name;
    int substeps;
    void (*measure)(quality_run *run, int n);
    int n;
    bar bars[QUALITY_MAX_VALUES];
} figure;

static const figure figures[] = {
    // What the default of 4 substeps must reach.
    {"stack_50", 4, quality_stack_stands, 50, {{"fell in 20 s", "stacks", 0, 0}}},
    {"stack_100", 4, quality_stack_stands, 100, {{"fell in 20 s", "stacks", 0, 0}}},
    {"stack_10", 4, quality_stack_height, 10, {{"height error", "%", 0.2, 0}}},
    {"stack_small",
     4,
     quality_small_stack_stands,
     10,
     {{"5 cm boxes, fell in 20 s", "stacks", 0, 0}}},
    {"stack_far",
     4,
     quality_far_stack,
     10,
     {{"10 km out, height error", "%", 0.2, 0}, {"moved sideways", "mm", 10, 0}}},
    {"pyramid_100",
     4,
     quality_pyramid,
     100,
     {{"greatest displacement", "mm", 450, 0}, {"deepest penetration", "mm", 21, 0}}},
    {"heavy_ten", 4, quality_heavy_stands, 10, {{"100:1 on ten boxes, fell", "stacks", 0, 0}}},
    {"friction",
     4,
     quality_friction,
     0,
     {{"angle error", "degrees", 0.02, 0}, {"creep 0.5 deg below, 10 s", "mm", 1, 0}}},
    {"ball_bounce", 4, quality_ball_bounce, 0, {{"height error", "%", 0.3, 0}}},
    {"box_bounce", 4, quality_box_bounce, 0, {{"height error", "%", 0.5, 0}}},
    {"circle_gas", 4, quality_circle_gas, 200, {{"energy error in 20 s", "%", 0.1, 0}}},
    {"box_gas", 4, quality_box_gas, 200, {{"energy error in 20 s", "%", 0.1, 0}}},
    {"room", 4, quality_room, 985, {{"speed error after 60 s", "%", 0.001, 0}}},
    {"room", 8, quality_room, 985, {{"speed error after 60 s", "%", 0.001, 0}}},
    {"room", 12, quality_room, 985, {{"speed error after 60 s", "%", 0.001, 0}}},
    {"room", 4, quality_room, 50, {{"speed error after 60 s", "%", 0.001, 0}}},
    {"projectile", 4, quality_projectile, 0, {{"position error after 5 s", "mm", 1, 0}}},
    {"spin", 4, quality_spin, 0, {{"angle error after 100 s", "degrees", 0.1, 0}}},

    // What 12 substeps must reach, at no more than the cost of a step of Box2D with its defaults.
    // Joints and fast bodies are also measured with fewer.
    {"stack_100", 12, quality_stack_stands, 100, {{"fell in 20 s", "stacks", 0, 0}}},
    {"stack_200", 12, quality_stack_stands, 200, {{"fell in 20 s", "stacks", 0, 0}}},
    {"stack_10", 12, quality_stack_height, 10, {{"height error", "%", 0.03, 0}}},
    {"pyramid_40",
     12,
     quality_pyramid,
     40,
     {{"greatest displacement", "mm", 15, 0}, {"deepest penetration", "mm", 5, 0}}},
    {"pyramid_100",
     12,
     quality_pyramid,
     100,
     {{"greatest displacement", "mm", 60, 0}, {"deepest penetration", "mm", 5, 0}}},
    {"heavy_one", 12, quality_heavy_sinks, 1, {{"100:1 on one box, sinks", "mm", 5, 0}}},
    {"heavy_ten", 12, quality_heavy_stands, 10, {{"100:1 on ten boxes, fell", "stacks", 0, 0}}},
    {"arch", 12, quality_arch, 15, {{"crown drops", "mm", 2.2, 2}}},
    {"pile",
     12,
     quality_pile,
     2000,
     {{"mean penetration", "mm", 1, 0}, {"99th percentile", "mm", 5, 0}, {"maximum", "mm", 10, 0}}},
    {"chain",
     4,
     quality_chain,
     100,
     {{"100x ball, joint gap", "mm", 0.016, 0}, {"100x ball, sags", "mm", 0.032, 0}}},
    {"chain",
     8,
     quality_chain,
     100,
     {{"100x ball, joint gap", "mm", 0.008, 0}, {"100x ball, sags", "mm", 0.016, 0}}},
    {"chain",
     12,
     quality_chain,
     100,
     {{"100x ball, joint gap", "mm", 0.008, 0}, {"100x ball, sags", "mm", 0.016, 0}}},
    {"chain",
     4,
     quality_chain,
     1000,
     {{"1000x ball, joint gap", "mm", 0.08, 0}, {"1000x ball, sags", "mm", 0.16, 0}}},
    {"chain",
     8,
     quality_chain,
     1000,
     {{"1000x ball, joint gap", "mm", 0.02, 0}, {"1000x ball, sags", "mm", 0.04, 0}}},
    {"chain",
     12,
     quality_chain,
     1000,
     {{"1000x ball, joint gap", "mm", 0.012, 0}, {"1000x ball, sags", "mm", 0.024, 0}}},
    {"chain",
     4,
     quality_chain,
     10000,
     {{"10000x ball, joint gap", "mm", 0.7, 0}, {"10000x ball, sags", "mm", 1.4, 0}}},
    {"chain",
     8,
     quality_chain,
     10000,
     {{"10000x ball, joint gap", "mm", 0.18, 0}, {"10000x ball, sags", "mm", 0.36, 0}}},
    {"chain",
     12,
     quality_chain,
     10000,
     {{"10000x ball, joint gap", "mm", 0.08, 0}, {"10000x ball, sags", "mm", 0.16, 0}}},
    {"swing", 4, quality_swing, 100, {{"100x ball, joint gap", "mm", 0.6, 0}}},
    {"swing", 8, quality_swing, 100, {{"100x ball, joint gap", "mm", 0.15, 0}}},
    {"swing", 12, quality_swing, 100, {{"100x ball, joint gap", "mm", 0.07, 0}}},
    {"swing", 4, quality_swing, 1000, {{"1000x ball, joint gap", "mm", 0.1, 0}}},
    {"swing", 8, quality_swing, 1000, {{"1000x ball, joint gap", "mm", 0.03, 0}}},
    {"swing", 12, quality_swing, 1000, {{"1000x ball, joint gap", "mm", 0.012, 0}}},
    {"swing", 4, quality_swing, 10000, {{"10000x ball, joint gap", "mm", 0.11, 0}}},
    {"swing", 8, quality_swing, 10000, {{"10000x ball, joint gap", "mm", 0.03, 0}}},
    {"swing", 12, quality_swing, 10000, {{"10000x ball, joint gap", "mm", 0.012, 0}}},
    {"double_pendulum",
     4,
     quality_double_pendulum,
     2,
     {{"energy gained", "%", 1, 0}, {"energy lost in 60 s", "%", 3.5, 0}}},
    {"double_pendulum",
     8,
     quality_double_pendulum,
     2,
     {{"energy gained", "%", 0.5, 0}, {"energy lost in 60 s", "%", 0.5, 0}}},
    {"double_pendulum",
     12,
     quality_double_pendulum,
     2,
     {{"energy gained", "%", 0.3, 0}, {"energy lost in 60 s", "%", 0.3, 0}}},
    {"cantilever", 4, quality_cantilever, 10, {{"sags", "mm", 1, 0}}},
    {"cantilever", 8, quality_cantilever, 10, {{"sags", "mm", 0.25, 0}}},
    {"cantilever", 12, quality_cantilever, 10, {{"sags", "mm", 0.1, 0}}},
    {"bridge",
     4,
     quality_bridge,
     40,
     {{"joint gap", "mm", 8, 0}, {"joint gap after 20 s", "mm", 1.5, 0}}},
    {"bridge",
     8,
     quality_bridge,
     40,
     {{"joint gap", "mm", 4, 0}, {"joint gap after 20 s", "mm", 0.5, 0}}},
    {"bridge",
     12,
     quality_bridge,
     40,
     {{"joint gap", "mm", 4, 0}, {"joint gap after 20 s", "mm", 0.3, 0}}},
    {"joint-grid", 8, quality_joint_grid, 30, {{"joint gap", "mm", 1.1, 0}}},
    {"joint-grid", 12, quality_joint_grid, 30, {{"joint gap", "mm", 0.2, 0}}},
    {"limit",
     4,
     quality_limit,
     100,
     {{"100x load, overshoot", "degrees", 0.014, 0}, {"gap of its hinge", "mm", 0.08, 0}}},
    {"limit",
     8,
     quality_limit,
     100,
     {{"100x load, overshoot", "degrees", 0.008, 0}, {"gap of its hinge", "mm", 0.02, 0}}},
    {"limit",
     12,
     quality_limit,
     100,
     {{"100x load, overshoot", "degrees", 0.006, 0}, {"gap of its hinge", "mm", 0.01, 0}}},
    {"limit",
     4,
     quality_limit,
     1000,
     {{"1000x load, overshoot", "degrees", 0.014, 0}, {"gap of its hinge", "mm", 0.08, 0}}},
    {"limit",
     8,
     quality_limit,
     1000,
     {{"1000x load, overshoot", "degrees", 0.008, 0}, {"gap of its hinge", "mm", 0.02, 0}}},
    {"limit",
     12,
     quality_limit,
     1000,
     {{"1000x load, overshoot", "degrees", 0.006, 0}, {"gap of its hinge", "mm", 0.01, 0}}},
    {"impact_load",
     4,
     quality_impact_load,
     100,
     {{"wrong breaks", "of 200", 0, 0}, {"error of the load", "%", 0.1, 0}}},
    {"impact_load",
     8,
     quality_impact_load,
     100,
     {{"wrong breaks", "of 200", 0, 0}, {"error of the load", "%", 0.1, 0}}},
    {"impact_load",
     12,
     quality_impact_load,
     100,
     {{"wrong breaks", "of 200", 0, 0}, {"error of the load", "%", 0.1, 0}}},
    {"slanted", 4, quality_slanted, 20, {{"20 degrees, speed error", "%", 0.001, 0}}},
    {"slanted", 8, quality_slanted, 20, {{"20 degrees, speed error", "%", 0.001, 0}}},
    {"slanted", 12, quality_slanted, 20, {{"20 degrees, speed error", "%", 0.001, 0}}},
    {"slanted", 4, quality_slanted, 45, {{"45 degrees, speed error", "%", 0.001, 0}}},
    {"slanted", 8, quality_slanted, 45, {{"45 degrees, speed error", "%", 0.001, 0}}},
    {"slanted", 12, quality_slanted, 45, {{"45 degrees, speed error", "%", 0.001, 0}}},
    {"axle",
     4,
     quality_axle,
     50,
     {{"gap with one wheel", "mm", 0.5, 0}, {"gap with two", "mm", 1.4, 1}}},
    {"axle",
     8,
     quality_axle,
     50,
     {{"gap with one wheel", "mm", 0.12, 0}, {"gap with two", "mm", 0.4, 0}}},
    {"axle",
     12,
     quality_axle,
     50,
     {{"gap with one wheel", "mm", 0.05, 0}, {"gap with two", "mm", 0.15, 0}}},
    {"pendulum", 4, quality_pendulum, 0, {{"height lost in 100 s", "%", 0.5, 0}}},
    {"pendulum", 12, quality_pendulum, 0, {{"height lost in 100 s", "%", 0.1, 0}}},
    {"spring", 4, quality_spring, 5, {{"5 Hz, amplitude error", "%", 1, 0}}},
    {"hinge_spring",
     4,
     quality_hinge_spring,
     1,
     {{"1 Hz, frequency error", "%", 0.02, 0}, {"overshoot at ratio 1", "%", 0.01, 0}}},
    {"hinge_spring",
     12,
     quality_hinge_spring,
     3,
     {{"3 Hz, frequency error", "%", 0.02, 0}, {"overshoot at ratio 1", "%", 0.01, 0}}},
    {"cradle", 4, quality_cradle, 5, {{"velocity error / v0", "", 0.01, 0}}},
    {"wall", 4, quality_static_wall, 1000, {{"1000 m/s, passes of 20", "", 0, 0}}},
    {"dynamic_wall", 4, quality_dynamic_wall, 100, {{"100 m/s, passes of 20", "", 0, 0}}},

    // Impacts: bodies that rise again, overlap or fall. The bars are the values of today with a
    // small margin.
    {"apex", 4, quality_apex, 11, {{"wrecked", "of 20", 0, 0}, {"rebound", "m", 0.34, 0}}},
    {"apex", 8, quality_apex, 11, {{"wrecked", "of 20", 0, 0}, {"rebound", "m", 0.28, 0}}},
    {"apex", 12, quality_apex, 11, {{"wrecked", "of 20", 0, 0}, {"rebound", "m", 0.23, 0}}},
    {"fall_1", 4, quality_falls, 1, {{"rebound", "mm", 91, 0}, {"overlap", "mm", 87, 0}}},
    {"fall_1", 8, quality_falls, 1, {{"rebound", "mm", 59, 0}, {"overlap", "mm", 61, 0}}},
    {"fall_1", 12, quality_falls, 1, {{"rebound", "mm", 58, 0}, {"overlap", "mm", 57, 0}}},
    {"fall_3", 4, quality_falls, 3, {{"rebound", "mm", 210, 0}, {"overlap", "mm", 120, 0}}},
    {"fall_3", 8, quality_falls, 3, {{"rebound", "mm", 120, 0}, {"overlap", "mm", 67, 0}}},
    {"fall_3", 12, quality_falls, 3, {{"rebound", "mm", 95, 0}, {"overlap", "mm", 61, 0}}},
    {"fall_10", 4, quality_falls, 10, {{"rebound", "mm", 680, 0}, {"overlap", "mm", 140, 0}}},
    {"fall_10", 8, quality_falls, 10, {{"rebound", "mm", 480, 0}, {"overlap", "mm", 72, 0}}},
    {"fall_10", 12, quality_falls, 10, {{"rebound", "mm", 430, 0}, {"overlap", "mm", 64, 0}}},
    {"crowd", 4, quality_crowd, 100, {{"highest rebound", "m", 2.2, 0}}},
    {"crowd", 8, quality_crowd, 100, {{"highest rebound", "m", 1.8, 0}}},
    {"crowd", 12, quality_crowd, 100, {{"highest rebound", "m", 1.7, 0}}},
    {"lift_10", 4, quality_lift, 10, {{"gap", "mm", 14, 0}, {"overlap", "mm", 19, 0}}},
    {"lift_10", 8, quality_lift, 10, {{"gap", "mm", 40, 0}, {"overlap", "mm", 8.8, 0}}},
    {"lift_10", 12, quality_lift, 10, {{"gap", "mm", 42, 0}, {"overlap", "mm", 5.2, 0}}},
    {"lift_3", 4, quality_lift, 3, {{"gap", "mm", 0.1, 0}, {"overlap", "mm", 0.91, 0}}},
    {"lift_3", 8, quality_lift, 3, {{"gap", "mm", 0.1, 0}, {"overlap", "mm", 0.2, 0}}},
    {"lift_3", 12, quality_lift, 3, {{"gap", "mm", 0.1, 0}, {"overlap", "mm", 0.099, 0}}},
    {"seesaw_10", 4, quality_seesaw, 10, {{"gained", "%", 0.1, 0}, {"overlap", "mm", 230, 0}}},
    {"seesaw_10", 8, quality_seesaw, 10, {{"gained", "%", 0.1, 0}, {"overlap", "mm", 220, 0}}},
    {"seesaw_10", 12, quality_seesaw, 10, {{"gained", "%", 0.1, 0}, {"overlap", "mm", 150, 0}}},
    {"seesaw_100", 4, quality_seesaw, 100, {{"gained", "%", 0.1, 0}, {"overlap", "mm", 540, 0}}},
    {"seesaw_100", 8, quality_seesaw, 100, {{"gained", "%", 0.1, 0}, {"overlap", "mm", 540, 0}}},
    {"seesaw_100", 12, quality_seesaw, 100, {{"gained", "%", 0.1, 0}, {"overlap", "mm", 470, 0}}},
    {"break",
     4,
     quality_break,
     3,
     {{"velocity error", "m/s", 0.0081, 0}, {"energy error", "%", 8.4e-05, 0}}},
    {"break",
     8,
     quality_break,
     3,
     {{"velocity error", "m/s", 0.0081, 0}, {"energy error", "%", 8.4e-05, 0}}},
    {"break",
     12,
     quality_break,
     3,
     {{"velocity error", "m/s", 0.0081, 0}, {"energy error", "%", 8.4e-05, 0}}},
    {"seam", 4, quality_seam, 140, {{"height error", "%", 0.0018, 0}}},
    {"seam", 8, quality_seam, 140, {{"height error", "%", 0.00063, 0}}},
    {"seam", 12, quality_seam, 140, {{"height error", "%", 0.00021, 0}}},

    // Overlap recovery: boxes start at one point, or within 0.1 mm or 5 cm of it. The bars are set
    // likewise.
    {"spawn_2", 4, quality_spawn, 2, {{"parts after", "s", 0.62, 0}, {"energy", "J", 1e-06, 0}}},
    {"spawn_2", 8, quality_spawn, 2, {{"parts after", "s", 0.62, 0}, {"energy", "J", 1e-06, 0}}},
    {"spawn_2", 12, quality_spawn, 2, {{"parts after", "s", 0.62, 0}, {"energy", "J", 1e-06, 0}}},
    {"spawn_5", 4, quality_spawn, 5, {{"parts after", "s", 0.62, 0}, {"energy", "J", 0.006, 0}}},
    {"spawn_5", 8, quality_spawn, 5, {{"parts after", "s", 0.62, 0}, {"energy", "J", 0.0057, 0}}},
    {"spawn_5", 12, quality_spawn, 5, {{"parts after", "s", 0.62, 0}, {"energy", "J", 0.0057, 0}}},
    {"spawn_100", 4, quality_spawn, 100, {{"parts after", "s", 1.9, 0}, {"energy", "J", 10, 0}}},
    {"spawn_100", 8, quality_spawn, 100, {{"parts after", "s", 1.5, 0}, {"energy", "J", 10, 0}}},
    {"spawn_100", 12, quality_spawn, 100, {{"parts after", "s", 1.3, 0}, {"energy", "J", 10, 0}}},
    {"burst_50", 4, quality_burst, 50, {{"parts after", "s", 0.87, 0}, {"energy", "J", 1.2, 0}}},
    {"burst_50", 8, quality_burst, 50, {{"parts after", "s", 0.6, 0}, {"energy", "J", 1.2, 0}}},
    {"burst_50", 12, quality_burst, 50, {{"parts after", "s", 0.58, 0}, {"energy", "J", 1.3, 0}}},
    {"burst",
     4,
     quality_burst,
     100,
     {{"parts after", "s", 1.6, 0}, {"energy", "J", 4.6, 0}, {"greatest speed", "m/s", 0.49, 0}}},
    {"burst",
     8,
     quality_burst,
     100,
     {{"parts after", "s", 1.3, 0}, {"energy", "J", 4.9, 0}, {"greatest speed", "m/s", 0.53, 0}}},
    {"burst",
     12,
     quality_burst,
     100,
     {{"parts after", "s", 1.3, 0}, {"energy", "J", 5.4, 0}, {"greatest speed", "m/s", 0.59, 0}}},

    // Rest in a bin: piles of 80 bodies, which fall asleep, and dolls.
    {"sleep_box", 4, quality_box_sleep, 80, {{"awake", "of 50", 0, 0}, {"after", "s", 5.9, 0}}},
    {"sleep_box", 8, quality_box_sleep, 80, {{"awake", "of 50", 0, 0}, {"after", "s", 5.6, 0}}},
    {"sleep_box", 12, quality_box_sleep, 80, {{"awake", "of 50", 0, 0}, {"after", "s", 5.6, 0}}},
    {"sleep_hex", 4, quality_hex_sleep, 80, {{"awake", "of 50", 0, 0}, {"after", "s", 5.6, 0}}},
    {"sleep_hex", 8, quality_hex_sleep, 80, {{"awake", "of 50", 0, 0}, {"after", "s", 5.3, 0}}},
    {"sleep_hex", 12, quality_hex_sleep, 80, {{"awake", "of 50", 0, 0}, {"after", "s", 5.4, 0}}},
    {"slow_motor", 4, quality_slow_motor, 40, {{"error", "mm", 1, 0}}},
    {"slow_motor", 8, quality_slow_motor, 5, {{"error", "mm", 1, 0}}},
    {"slow_motor", 12, quality_slow_motor, 40, {{"error", "mm", 1, 0}}},
    {"doll_bin", 4, quality_doll_bin, 16, {{"overlap", "mm", 46, 0}, {"joint gap", "mm", 180, 0}}},
    {"doll_bin", 8, quality_doll_bin, 16, {{"overlap", "mm", 18, 0}, {"joint gap", "mm", 215, 0}}},
    {"doll_bin",
     12,
     quality_doll_bin,
     16,
     {{"overlap", "mm", 5.8, 0}, {"joint gap", "mm", 195, 0}}},
};

// ----------------------------------------------------------------------------------------- the run

static double now_ms(void) {
    struct timespec t;
#ifdef CLOCK_THREAD_CPUTIME_ID
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
#else
    timespec_get(&t, TIME_UTC);
#endif
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

// Keeps the first error of a run.
static void fail_run(quality_run *run, const char *error) {
    if (!run->failed) snprintf(run->error, sizeof run->error, "%s", error);
    run->failed = true;
}

void quality_begin(quality_run *run, float gravity_y, uint64_t seed) {
    quality_end(run);
    run->world = cn_world_create(
        &(cn_world_def){.gravity = {{0, gravity_y}}, .substeps = run->substeps, .no_sleep = true});
    if (!run->world) fail_run(run, cn_error());
    run->box_count = 0;
    run->random = seed;
}

void quality_end(quality_run *run) {
    cn_world_destroy(run->world);
    run->world = NULL;
}

void quality_step(quality_run *run, int steps) {
    for (int i = 0; i < steps && !run->failed; i++) {
        double start = now_ms();
        if (!cn_world_step(run->world, 1.0f / 60)) fail_run(run, cn_error());
        run->ms += now_ms() - start;
        run->steps++;
        cn_events events = cn_world_events(run->world);
        for (int j = 0; j < events.body_count; j++)
            if (events.bodies[j].change == CN_BODY_FAULT) fail_run(run, "a body was disabled");
    }
}

void quality_check(quality_run *run, uint64_t handle) {
    if (handle == 0) fail_run(run, cn_error());
}

double quality_random(quality_run *run, double low, double high) {
    run->random += 0x9E3779B97F4A7C15u; // splitmix64
    uint64_t z = run->random;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return low + (high - low) * ((double)(z >> 11) * 0x1p-53);
}

// -------------------------------------------------------------------------------------- the report

// Measures a figure and prints it. Returns the number of its values that are above their bars.
static int report(const figure *f, int substeps, int seeds) {
    static quality_run run; // too large for a stack
    memset(&run, 0, sizeof run);
    run.substeps = substeps ? substeps : f->substeps;
    run.seeds = seeds;
    f->measure(&run, f->n);
    quality_end(&run);

    int failures = 0;
    for (int i = 0; i < QUALITY_MAX_VALUES && f->bars[i].what; i++) {
        const bar *b = &f->bars[i];
        bool passed = !run.failed && run.values[i] <= b->most; // false for a NaN
        failures += !passed;
        printf("%s  %-12s %2d substeps  %-26s %12.6g  bar %6g %-8s", passed ? "pass" : "FAIL",
               f->name, run.substeps, b->what, run.values[i], b->most, b->unit);
        if (i == 0) printf("%9.4f ms a step", run.steps ? run.ms / (double)run.steps : 0);
        if (b->goal > 0) printf("  goal %g", b->goal);
        printf("\n");
    }
    if (run.failed) printf("      %s: %s\n", f->name, run.error);
    fflush(stdout);
    return failures;
}

static int parse_number(const char *name, const char *text, int high) {
    char *end;
    long number = text ? strtol(text, &end, 10) : 0;
    if (text && end != text && *end == 0 && number >= 1 && number <= high) return (int)number;
    fprintf(stderr, "cairn-quality: %s wants a number from 1 to %d\n", name, high);
    exit(2);
}

int main(int argc, char **argv) {
    const char *filter = "";
    int substeps = 0, seeds = 5;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--substeps") == 0) {
            substeps = parse_number(argv[i], argv[i + 1], 64);
            i++;
        } else if (strcmp(argv[i], "--seeds") == 0) {
            seeds = parse_number(argv[i], argv[i + 1], 1000);
            i++;
        } else if (argv[i][0] == '-' || *filter) {
            fprintf(stderr, "usage: cairn-quality [SCENE-FILTER] [--substeps N] [--seeds N]\n");
            return 2;
        } else {
            filter = argv[i];
        }
    }

    int failures = 0, count = 0;
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        if (!strstr(figures[i].name, filter)) continue;
        failures += report(&figures[i], substeps, seeds);
        count++;
    }
    if (count == 0) {
        fprintf(stderr, "cairn-quality: no figure has \"%s\" in its name\n", filter);
        return 2;
    }
    printf("%d figures, %d values above their bars\n", count, failures);
    return failures ? 1 : 0;
}
