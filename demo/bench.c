/* cairn-bench: how long the steps of a scene take.
 *
 * Every step (with the scene's own calls before it) is timed by itself in CPU time of this thread,
 * so that other programs on the machine disturb little; the first step is not counted. A small
 * world steps in less time than a look at the clock takes, so its steps are timed in groups of 20,
 * after 60 steps of warm-up. With --repeat the run with the least mean counts, and all runs must
 * end in the same hash.
 *
 * Beside the time stand the numbers that must agree before two engines or two builds may be
 * compared: touching contacts at the end, the sum of awake bodies over all steps and the mean
 * height of the dynamic bodies at the end. A race can otherwise be won by sleeping early. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // clock_gettime
#endif
#include "scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_SCENES = 64, DEFAULT_STEPS = 500, SMALL_WARM_UP = 60, SMALL_GROUP = 20 };

typedef struct {
    const scene *scenes[MAX_SCENES];
    int scene_count;
    int steps; // 0: as the scene says
    int repeat;
    bool stages, json;
    cn_world_def world;
} settings;

typedef struct {
    int steps;                     // all of them, warm-up included
    double min, median, p99, mean; // ms per step
    double stages[CN_MAX_STAGES];  // ms per step
    cn_profile profile;            // for the names
    cn_counters counters;          // at the end
    uint64_t awake_sum;            // awake bodies, summed over the steps
    double height;                 // mean of the dynamic bodies at the end
    uint64_t hash;
} result;

// ------------------------------------------------------------------------------------------- clock

// CPU time of this thread in ms; the time of day if several threads work, or if there is no such
// clock.
static double now(int threads) {
    struct timespec t;
#ifdef CLOCK_THREAD_CPUTIME_ID
    clock_gettime(threads > 1 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t);
#else
    (void)threads;
    timespec_get(&t, TIME_UTC);
#endif
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Sorts the samples, each of which is a number of ms per step.
static void summarise(result *out, double *samples, int count) {
    qsort(samples, (size_t)count, sizeof *samples, compare_doubles);
    double sum = 0;
    for (int i = 0; i < count; i++) sum += samples[i];
    out->min = samples[0];
    out->median = samples[(count - 1) / 2];
    out->p99 = samples[(count * 99 + 99) / 100 - 1];
    out->mean = sum / count;
}

// --------------------------------------------------------------------------------------- measuring

static bool is_small(const scene *subject) { return strncmp(subject->name, "small_", 6) == 0; }

static bool out_of_memory(void) {
    fprintf(stderr, "cairn-bench: out of memory\n");
    return false;
}

static bool run_steps(scene_run *run, int count) {
    for (int i = 0; i < count; i++)
        if (!scene_step(run, 1.0f / 60)) return false;
    return true;
}

// What is read after each group of steps, outside the timed part.
static void observe(result *out, const scene_run *run, int steps) {
    out->awake_sum += (uint64_t)cn_world_counters(run->world).awake_bodies * (uint64_t)steps;
    out->profile = cn_world_profile(run->world);
    for (int i = 0; i < out->profile.count; i++)
        out->stages[i] += out->profile.seconds[i] * 1e3 * steps;
}

static double mean_height(const cn_world *world) {
    double sum = 0;
    int count = 0;
    cn_body body = cn_world_next_body(world, (cn_body){0});
    for (; body.id; body = cn_world_next_body(world, body)) {
        if (cn_body_get_type(world, body) != CN_DYNAMIC) continue;
        sum += (double)cn_body_position(world, body).y;
        count++;
    }
    return count ? sum / count : 0;
}

static bool measure_run(result *out, scene_run *run, int steps, int threads, double *samples) {
    bool small = is_small(run->scene);
    int warm_up = small ? SMALL_WARM_UP : 1, group = small ? SMALL_GROUP : 1;
    for (int i = 0; i < warm_up; i++) {
        if (!run_steps(run, 1)) return false;
        out->awake_sum += (uint64_t)cn_world_counters(run->world).awake_bodies;
    }
    int count = (steps - warm_up) / group;
    if (count < 1) count = 1;
    for (int i = 0; i < count; i++) {
        double start = now(threads);
        if (!run_steps(run, group)) return false;
        samples[i] = (now(threads) - start) / group;
        observe(out, run, group);
    }
    summarise(out, samples, count);
    for (int i = 0; i < CN_MAX_STAGES; i++) out->stages[i] /= count * group;
    out->steps = run->step;
    out->counters = cn_world_counters(run->world);
    out->height = mean_height(run->world);
    out->hash = cn_world_hash(run->world);
    return true;
}

static int count_steps(const settings *options, const scene *subject) {
    if (options->steps) return options->steps;
    return subject->steps ? subject->steps : DEFAULT_STEPS;
}

static bool measure_once(result *out, const scene *subject, const settings *options) {
    int steps = count_steps(options, subject);
    double *samples = malloc(sizeof(double) * (size_t)steps);
    if (!samples) return out_of_memory();
    *out = (result){0};
    scene_run run;
    bool done = scene_start(&run, subject, options->world);
    if (done) {
        done = measure_run(out, &run, steps, options->world.threads, samples);
        scene_stop(&run);
    }
    if (!done) fprintf(stderr, "cairn-bench: scene %s: %s\n", subject->name, cn_error());
    free(samples);
    return done;
}

static bool measure_scene(result *best, const scene *subject, const settings *options) {
    for (int i = 0; i < options->repeat; i++) {
        result once = {0};
        if (!measure_once(&once, subject, options)) return false;
        if (i > 0 && once.hash != best->hash) {
            fprintf(stderr,
                    "cairn-bench: scene %s: run %d ended in hash %016" PRIx64
                    ", the runs before in %016" PRIx64 "\n",
                    subject->name, i + 1, once.hash, best->hash);
            return false;
        }
        if (i == 0 || once.mean < best->mean) *best = once;
    }
    return true;
}

// ---------------------------------------------------------------------------------------- printing

static int all_touching(const result *r) {
    return r->counters.touching + r->counters.sleeping_touching;
}

static void print_header(void) {
    printf("%-14s %6s %8s %8s %6s %5s %9s %9s %9s %9s    %10s %10s %9s %s\n", "scene", "bodies",
           "contacts", "touching", "joints", "steps", "min", "median", "p99", "mean", "bytes",
           "awake sum", "height", "hash");
}

// Small worlds in microseconds per step, the others in milliseconds.
static void print_line(const scene *subject, const result *r) {
    double unit = is_small(subject) ? 1e3 : 1;
    printf("%-14s %6d %8d %8d %6d %5d %9.3f %9.3f %9.3f %9.3f %s %10zu %10" PRIu64
           " %9.4f %016" PRIx64 "\n",
           subject->name, r->counters.bodies, r->counters.contacts, all_touching(r),
           r->counters.joints, r->steps, r->min * unit, r->median * unit, r->p99 * unit,
           r->mean * unit, is_small(subject) ? "us" : "ms", r->counters.bytes, r->awake_sum,
           r->height, r->hash);
}

static void print_stages(const result *r) {
    double sum = 0;
    for (int i = 0; i < r->profile.count; i++) sum += r->stages[i];
    for (int i = 0; i < r->profile.count; i++)
        printf("    %-24s %9.4f ms %5.1f %%\n", r->profile.names[i], r->stages[i],
               sum > 0 ? 100 * r->stages[i] / sum : 0);
}

static void print_json(const scene *subject, const result *r, const settings *options, bool first) {
    printf("%s\n  {\"scene\": \"%s\", \"bodies\": %d, \"shapes\": %d, \"contacts\": %d, "
           "\"touching\": %d, \"joints\": %d, \"steps\": %d,\n",
           first ? "[" : ",", subject->name, r->counters.bodies, r->counters.shapes,
           r->counters.contacts, all_touching(r), r->counters.joints, r->steps);
    printf("   \"ms\": {\"min\": %.6f, \"median\": %.6f, \"p99\": %.6f, \"mean\": %.6f}, "
           "\"lanes\": %d, \"bytes\": %zu,\n",
           r->min, r->median, r->p99, r->mean, r->counters.lanes, r->counters.bytes);
    printf("   \"awake_sum\": %" PRIu64 ", \"height\": %.9g, \"hash\": \"%016" PRIx64 "\"",
           r->awake_sum, r->height, r->hash);
    if (options->stages) {
        printf(",\n   \"stages\": {");
        for (int i = 0; i < r->profile.count; i++)
            printf("%s\"%s\": %.6f", i ? ", " : "", r->profile.names[i], r->stages[i]);
        printf("}");
    }
    printf("}");
}

// ------------------------------------------------------------------------------------ command line

static void print_usage(FILE *out) {
    fprintf(out, "usage: cairn-bench [--scene NAME]... [--steps N] [--threads N] [--repeat R]\n"
                 "                   [--substeps N] [--lanes N] [--stages] [--json] [--list]\n"
                 "Times the steps of the benchmark scenes, or of those named.\n"
                 "  --steps     steps of a run; each scene has its own number\n"
                 "  --repeat    runs of each scene, of which the fastest counts\n"
                 "  --substeps  solver passes in a step (4)\n"
                 "  --lanes     SIMD lanes: 1, 4, 8 or 16; the best of this machine, fewer for "
                 "small islands\n"
                 "  --stages    also the mean time of each stage of a step\n"
                 "  --json      print an array of objects\n"
                 "  --list      print the names of all scenes\n");
}

_Noreturn static void fail(const char *problem, const char *argument) {
    fprintf(stderr, "cairn-bench: %s: %s\n", problem, argument);
    print_usage(stderr);
    exit(2);
}

static int parse_number(const char *name, const char *text, int low, int high) {
    char *end;
    long number = strtol(text, &end, 10);
    if (end != text && *end == 0 && number >= low && number <= high) return (int)number;
    fprintf(stderr, "cairn-bench: %s wants a number from %d to %d, not \"%s\"\n", name, low, high,
            text);
    exit(2);
}

static void list_scenes(void) {
    for (int i = 0; bench_scenes[i]; i++)
        printf("%-20s %s\n", bench_scenes[i]->name, bench_scenes[i]->about);
    for (int i = 0; demo_scenes[i]; i++)
        printf("%-20s (demo) %s\n", demo_scenes[i]->name, demo_scenes[i]->about);
}

static void add_scene(settings *options, const char *name) {
    const scene *subject = scene_find(name);
    if (!subject) fail("there is no such scene (--list names them)", name);
    if (options->scene_count == MAX_SCENES) fail("too many scenes", name);
    options->scenes[options->scene_count++] = subject;
}

// True if the argument was an option without a value.
static bool parse_switch(settings *options, const char *name) {
    if (strcmp(name, "--list") == 0) {
        list_scenes();
        exit(0);
    }
    if (strcmp(name, "--help") == 0) {
        print_usage(stdout);
        exit(0);
    }
    if (strcmp(name, "--json") == 0) return options->json = true;
    if (strcmp(name, "--stages") == 0) return options->stages = options->world.profile = true;
    return false;
}

// An option with a value, which is NULL if the command line ended.
static void parse_option(settings *options, const char *name, const char *value) {
    const struct {
        const char *name;
        int *target, low, high;
    } numbers[] = {
        {"--steps", &options->steps, 2, 1000000},
        {"--repeat", &options->repeat, 1, 1000},
        {"--threads", &options->world.threads, 1, 64},
        {"--substeps", &options->world.substeps, 1, 64},
        {"--lanes", &options->world.lanes, 1, 16},
    };
    if (strcmp(name, "--scene") == 0) {
        if (!value) fail("missing the value of", name);
        add_scene(options, value);
        return;
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strcmp(name, numbers[i].name) != 0) continue;
        if (!value) fail("missing the value of", name);
        *numbers[i].target = parse_number(name, value, numbers[i].low, numbers[i].high);
        return;
    }
    fail("unknown argument", name);
}

static settings parse_arguments(int argc, char **argv) {
    settings options = {.repeat = 1};
    for (int i = 1; i < argc; i++) {
        if (parse_switch(&options, argv[i])) continue;
        parse_option(&options, argv[i], i + 1 < argc ? argv[i + 1] : NULL);
        i++; // the value
    }
    int lanes = options.world.lanes;
    if (lanes != 0 && lanes != 1 && lanes != 4 && lanes != 8 && lanes != 16)
        fail("not 1, 4, 8 or 16", "--lanes");
    if (options.scene_count == 0)
        for (int i = 0; bench_scenes[i]; i++) add_scene(&options, bench_scenes[i]->name);
    return options;
}

int main(int argc, char **argv) {
    settings options = parse_arguments(argc, argv);
    if (!options.json) print_header();
    for (int i = 0; i < options.scene_count; i++) {
        result r = {0};
        if (!measure_scene(&r, options.scenes[i], &options)) return 1;
        if (options.json) {
            print_json(options.scenes[i], &r, &options, i == 0);
        } else {
            print_line(options.scenes[i], &r);
            if (options.stages) print_stages(&r);
        }
        fflush(stdout);
    }
    if (options.json) printf("\n]\n");
}
