/* cairn-bench: how long the steps of a scene take, in Cairn and in the engines it is compared with.
 *
 * Beside the time stand the numbers that must agree before two engines or two builds may be
 * compared: touching contacts at the end, the sum of awake bodies over all steps and the mean
 * height of the dynamic bodies at the end. A race can otherwise be won by sleeping early.
 *
 * Some scenes measure queries of the world. They time a batch of queries after each step. The
 * number of results and their distances must agree. */
#ifndef DEMO_BENCH_H
#define DEMO_BENCH_H

#include "../queries.h"
#include "../scene.h"

#include <inttypes.h>
#include <stdio.h>

enum { BENCH_MAX_SCENES = 64, BENCH_MAX_ENGINES = 3 };

typedef struct {
    const scene *scenes[BENCH_MAX_SCENES];
    int scene_count;
    int steps;   // 0: as the scene says
    int warm_up; // how many of them are not timed; 0: 1, and 60 in small worlds
    int repeat;
    int pin;   // the CPU to stay on; -1: any
    int rooms; // > 0: measures this many rooms, and no scenes
    bool stages, json, peers;
    bool memory; // checks the memory of worlds, and measures no scenes
    const char *compare; // a file that --json wrote; NULL: none
    cn_world_def world;
} bench_settings;

// ------------------------------------------------------------------------------- measure: one
// scene

typedef struct {
    int bodies, shapes, contacts, touching, joints, awake;
    int lanes;     // Cairn only,
    size_t bytes;  // these too
    uint64_t hash; //
    double height; // mean of the dynamic bodies
} bench_counts;

typedef struct {
    char engine[32];               // cairn, box2d 2.4.1
    char refusal[128];             // why the engine cannot run the scene; else ""
    int steps, timed;              // all of them, warm-up included; those that were timed
    double min, median, p99, mean; // ms per step, of the run with the least mean
    double slowest;                // the greatest mean of all runs
    double stages[CN_MAX_STAGES];  // ms per step
    cn_profile profile;            // for the names
    bench_counts counts;           // at the end
    uint64_t awake_sum;            // awake bodies, summed over the steps
    int queries;                   // in a batch, one batch per step; 0: steps are timed. Otherwise
                                   // times are ms per query, and
    query_answer answer;           // the sum of all batches
} bench_result;

// Measures a scene in Cairn and, if settings->peers, in the others; returns how many results there
// are, Cairn's first. 0: it failed, and a message is on stderr.
int bench_measure(bench_result results[BENCH_MAX_ENGINES], const scene *subject,
                  const bench_settings *settings);
bool bench_is_small(const scene *subject); // timed in groups of steps, told in microseconds
// Sorts `samples` of ms and writes their least, median, 99th percentile and mean.
void bench_summarise(bench_result *out, double *samples, int count);

// ---------------------------------------------------------------------- rooms: many worlds at once

// One run. Times are those of a tick of all rooms, counts are sums over all rooms. If it fails, it
// prints a message on stderr and returns false.
bool bench_measure_rooms(bench_result *out, const bench_settings *settings);
// The number of rooms that fit in real time.
int bench_rooms_that_fit(double ms_per_tick, const bench_settings *settings);

// ---------------------------------------------------------------------- memory: bars for bytes

// Prints how much memory worlds take, each figure with its bar. Returns false if one is above it.
bool bench_check_memory(void);

// --------------------------------------------------------------------------- machine: where it
// runs

typedef struct {
    char cpu[96];
    int cpus;
    char compiler[64];
    const char *build; // release, debug...
    const char *version;
    int lanes;
} bench_machine;

// False, with a message on stderr, if there are no such lanes here.
bool bench_read_machine(bench_machine *machine, const bench_settings *settings);
// CPU time of this thread in ms; the time of day if several threads work, or if there is no such
// clock.
double bench_now(bool several_threads);
// Keeps this program on one CPU. False, with a message on stderr, if that cannot be done.
bool bench_pin(int cpu);

// ------------------------------------------------------------------------- report: what is printed

// What zero means in the settings.
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
// The results of all runs; sorts them.
void bench_print_rooms(bench_result *runs, const bench_machine *machine,
                       const bench_settings *settings);
// Prints the geometric means of the printed ratios, of steps and of queries.
void bench_print_means(void);

// ----------------------------------------------------------------------- compare: with another day

// False, with a message on stderr, if the file cannot be understood.
bool bench_read_old(const char *path);
void bench_compare(FILE *out, const scene *subject, const bench_result *results, int count);
void bench_print_comparison(FILE *out, const bench_machine *machine,
                            const bench_settings *settings);

// ----------------------------------------------------------------------------------------------
// json

// Reads JSON and calls leaf() for each string, number and word in it, in order, with its path, such
// as "3.ms.mean". Returns NULL, or what is wrong with the text, and in which line.
typedef void json_leaf(void *user, const char *path, const char *value);
const char *json_read(const char *text, json_leaf *leaf, void *user, int *line);

#endif
