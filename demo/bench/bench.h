/* cairn-bench: measures how long the steps of a scene take, in Cairn and in other engines.
 *
 * Two engines or two builds may be compared only if they did the same work. So a result also has
 * three numbers that must agree: the touching contacts at the end, the sum of awake bodies over all
 * steps, and the mean height of the dynamic bodies at the end. Without them an engine could win by
 * putting bodies to sleep early.
 *
 * Some scenes measure queries of the world. They time a batch of queries after each step. The
 * number of results and their distances must agree.
 *
 * compare.py compares two outputs of --json. */
#ifndef DEMO_BENCH_H
#define DEMO_BENCH_H

#include "../scenes/queries.h"
#include "../scenes/scene.h"

#include <inttypes.h>
#include <stdio.h>

enum { BENCH_MAX_SCENES = 64, BENCH_MAX_ENGINES = 3 };

typedef struct {
    const scene *scenes[BENCH_MAX_SCENES];
    int scene_count;
    int steps;   // 0: as the scene says
    int warm_up; // how many of the steps are not timed; 0: 1, and 60 in small worlds
    int repeat;
    int pin;   // the CPU to run on; -1: any
    int rooms; // > 0: the number of rooms (small worlds) to measure instead of scenes
    int cores; // > 0: predicts the time of a step on that many cores instead
    bool stages, json, peers;
    bool near;   // measures how long a cache line takes between cores, around each run
    bool memory; // checks the memory of worlds, and measures no scenes
    cn_world_def world;
} bench_settings;

// ------------------------------------------------------------------------------ measure: one scene

typedef struct {
    int bodies, shapes, contacts, touching, joints, awake;
    int lanes;          // only of Cairn
    size_t bytes;       // only of Cairn
    uint64_t hash;      // only of Cairn
    double mean_height; // m, of the dynamic bodies
} bench_counts;

typedef struct {
    char engine[32];               // such as "cairn" or "box2d 2.4.1"
    char refusal[128];             // why the engine cannot run the scene; "" if it can
    int steps, timed;              // all steps, warm-up included; the timed steps
    double min, median, p99, mean; // ms per step, of the run with the smallest mean
    double slowest;                // ms per step, the largest mean of all runs
    double round_trip;             // ns: of a cache line between cores, the longer one of before
                                   // and after the run; 0: not measured
    double stages[CN_MAX_STAGES];  // ms per step
    cn_profile profile;            // for the names of the stages
    bench_counts counts;           // at the end
    uint64_t awake_sum;            // awake bodies, summed over the steps
    int queries;                   // per batch, one batch per step; 0: steps are timed. If queries
                                   // are timed, all times are ms per query
    query_result total;            // the sum of all batches
} bench_result;

// Measures a scene in Cairn and, if settings->peers is set, in the other engines. Returns the
// number of results; the first is Cairn's. Prints a message on stderr and returns 0 if it fails.
int bench_measure(bench_result results[BENCH_MAX_ENGINES], const scene *subject,
                  const bench_settings *settings);
int bench_count_steps(const bench_settings *settings, const scene *subject); // of a run
bool bench_is_small(const scene *subject); // timed in groups of steps, printed in microseconds
// Sorts `samples` (ms) and writes their minimum, median, 99th percentile and mean.
void bench_summarise(bench_result *out, double *samples, int count);

// --------------------------------------------------------------- worlds: many small worlds at once

// Measures one run. Times are per tick of all rooms, and counts are sums over all rooms. Prints a
// message on stderr and returns false if it fails.
bool bench_measure_worlds(bench_result *out, const bench_settings *settings);
// Returns the number of rooms that can be stepped at 30 Hz.
int bench_count_worlds_in_real_time(double ms_per_tick, const bench_settings *settings);

// ---------------------------------------------------------------------- memory: bars for bytes

// Prints how much memory worlds take, each figure with its bar. Returns false if one is above it.
bool bench_check_memory(void);

// -------------------------------------------------------------------------- machine: where it runs

typedef struct {
    char cpu[96];
    int cpus;
    char compiler[64];
    const char *build; // release, debug...
    const char *version;
    int lanes;
} bench_machine;

// Prints a message on stderr and returns false if the machine does not have these lanes.
bool bench_read_machine(bench_machine *machine, const bench_settings *settings);
// True if the cores are near enough for meaningful times of several threads.
static inline bool bench_is_near(const bench_result *r) {
    return r->round_trip > 0 && r->round_trip < 220;
}
// Returns the CPU time of this thread in ms. Returns the wall-clock time if several threads work,
// or if the system has no clock of CPU time.
double bench_now(bool several_threads);
// Keeps this program on one CPU. Prints a message on stderr and returns false if it fails.
bool bench_pin(int cpu);

// ------------------------------------------------------------------------- report: what is printed

// These two return the number of threads or substeps. Zero in the settings means the default.
static inline int bench_threads(const bench_settings *settings) {
    return settings->world.threads ? settings->world.threads : 1;
}
static inline int bench_substeps(const bench_settings *settings) {
    return settings->world.substeps ? settings->world.substeps : 4;
}

void bench_print_header(const bench_machine *machine, const bench_settings *settings);
void bench_print_results(const scene *subject, const bench_result *results, int count,
                         const bench_settings *settings);
void bench_print_json(const scene *subject, const bench_result *results, int count,
                      const bench_machine *machine, const bench_settings *settings, bool first);
// Prints the results of all runs. Sorts them.
void bench_print_worlds(bench_result *runs, const bench_machine *machine,
                        const bench_settings *settings);
// Prints the geometric means of the printed ratios, of steps and of queries.
void bench_print_means(void);

#endif
