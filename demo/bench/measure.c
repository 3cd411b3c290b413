/* Measuring a scene.
 *
 * Every step (with the scene's own calls before it) is timed by itself in CPU time of this thread,
 * so that other programs on the machine disturb little; the first step is not timed. A small
 * world steps in less time than a look at the clock takes, so its steps are timed in groups of 100,
 * after 60 steps of warm-up, or fewer if no group were left; what is too little for a group is warm-up,
 * too. With --repeat the run with the least mean counts, and all runs must
 * end in the same hash. The engines take turns, so that what slows the machine down for a while
 * slows them all. A peer's time is that of its step alone, without what the scene does before it. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // clock_gettime
#endif
#include "bench.h"
#include "mirror.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DEFAULT_STEPS = 500, SMALL_WARM_UP = 60, SMALL_GROUP = 100 };

static const float dt = 1.0f / 60;

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
static void summarise(bench_result *out, double *samples, int count) {
    qsort(samples, (size_t)count, sizeof *samples, compare_doubles);
    double sum = 0;
    for (int i = 0; i < count; i++) sum += samples[i];
    out->min = samples[0];
    out->median = samples[(count - 1) / 2];
    out->p99 = samples[(count * 99 + 99) / 100 - 1];
    out->mean = out->slowest = sum / count;
}

// ------------------------------------------------------------------------------------------ racers

// A scene that runs in Cairn, or in a peer.
typedef struct {
    const scene *scene;
    scene_run run;
    mirror *mirror; // NULL: Cairn
    int steps;      // taken
} racer;

static bool complain(const racer *r, const char *problem) {
    fprintf(stderr, "cairn-bench: scene %s: %s\n", r->scene->name, problem);
    return false;
}

// A peer that cannot run the scene says so in the result.
static bool start_racer(racer *r, const scene *subject, const cn_world_def *options,
                        const peer *which, bench_result *out) {
    *r = (racer){.scene = subject};
    snprintf(out->engine, sizeof out->engine, "%s", which ? which->name : "cairn");
    if (!which) return scene_start(&r->run, subject, *options) || complain(r, cn_error());
    const char *refusal;
    r->mirror = mirror_start(which, subject, *options, &refusal);
    if (!r->mirror) snprintf(out->refusal, sizeof out->refusal, "%s", refusal);
    return true;
}

static void stop_racer(racer *r) {
    if (r->mirror)
        mirror_stop(r->mirror);
    else
        scene_stop(&r->run);
}

// What the scene does in a peer's world is not timed.
static bool prepare_racer(racer *r) {
    const char *problem = r->mirror ? mirror_prepare(r->mirror) : NULL;
    return !problem || complain(r, problem);
}

static bool step_racer(racer *r, int count) {
    for (int i = 0; i < count; i++) {
        if (r->mirror)
            mirror_step(r->mirror, dt);
        else if (!scene_step(&r->run, dt))
            return complain(r, cn_error());
    }
    r->steps += count;
    return true;
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

static bench_counts count_cairn(const cn_world *world) {
    cn_counters c = cn_world_counters(world);
    return (bench_counts){
        .bodies = c.bodies,
        .shapes = c.shapes,
        .contacts = c.contacts,
        .touching = c.touching + c.sleeping_touching,
        .joints = c.joints,
        .lanes = c.lanes,
        .bytes = c.bytes,
        .hash = cn_world_hash(world),
        .height = mean_height(world),
    };
}

static bench_counts count_peer(const mirror *m) {
    peer_counts c = mirror_count(m);
    return (bench_counts){.bodies = c.bodies,
                          .shapes = c.shapes,
                          .contacts = c.contacts,
                          .touching = c.touching,
                          .joints = c.joints,
                          .height = c.height};
}

// What is read after each group of steps, outside the timed part.
static void observe(bench_result *out, const racer *r, int steps) {
    if (r->mirror) {
        out->awake_sum += (uint64_t)mirror_count(r->mirror).awake * (uint64_t)steps;
        return;
    }
    const cn_world *world = r->run.world;
    out->awake_sum += (uint64_t)cn_world_counters(world).awake_bodies * (uint64_t)steps;
    out->profile = cn_world_profile(world);
    for (int i = 0; i < out->profile.count; i++)
        out->stages[i] += out->profile.seconds[i] * 1e3 * steps;
}

// ------------------------------------------------------------------------------------------- runs

bool bench_is_small(const scene *subject) { return strncmp(subject->name, "small_", 6) == 0; }

static int count_steps(const bench_settings *settings, const scene *subject) {
    if (settings->steps) return settings->steps;
    return subject->steps ? subject->steps : DEFAULT_STEPS;
}

// How the steps of a run are shared out.
typedef struct {
    int warm_up, group, groups;
} schedule;

static schedule plan_run(const bench_settings *settings, const scene *subject) {
    bool small = bench_is_small(subject) && !subject->before_step;
    int steps = count_steps(settings, subject), wished = settings->warm_up;
    int most = steps - (wished ? wished : 1); // that may be timed
    schedule s = {.group = small ? SMALL_GROUP : 1, .warm_up = wished ? wished : 1};
    if (s.group > most) s.group = most;
    if (small && !wished) s.warm_up = SMALL_WARM_UP;
    if (s.warm_up > steps - s.group) s.warm_up = steps - s.group;
    s.groups = (steps - s.warm_up) / s.group;
    s.warm_up = steps - s.groups * s.group;
    return s;
}

static bool warm_up(bench_result *out, racer *r, int steps) {
    for (int i = 0; i < steps; i++) {
        if (!prepare_racer(r) || !step_racer(r, 1)) return false;
        observe(out, r, 1);
    }
    memset(out->stages, 0, sizeof out->stages);
    return true;
}

static bool measure_run(bench_result *out, racer *r, const bench_settings *settings,
                        double *samples) {
    int threads = settings->world.threads;
    schedule plan = plan_run(settings, r->scene);
    if (!warm_up(out, r, plan.warm_up)) return false;
    for (int i = 0; i < plan.groups; i++) {
        if (!prepare_racer(r)) return false;
        double start = now(threads);
        if (!step_racer(r, plan.group)) return false;
        samples[i] = (now(threads) - start) / plan.group;
        observe(out, r, plan.group);
    }
    summarise(out, samples, plan.groups);
    for (int i = 0; i < CN_MAX_STAGES; i++) out->stages[i] /= plan.groups * plan.group;
    out->steps = r->steps;
    out->timed = plan.groups * plan.group;
    out->counts = r->mirror ? count_peer(r->mirror) : count_cairn(r->run.world);
    return true;
}

static bool measure_once(bench_result *out, const scene *subject, const bench_settings *settings,
                         const peer *which) {
    racer r = {.scene = subject};
    if (settings->warm_up >= count_steps(settings, subject))
        return complain(&r, "--warm-up leaves no step to be timed");
    if (!start_racer(&r, subject, &settings->world, which, out)) return false;
    if (out->refusal[0]) return true;
    double *samples = malloc(sizeof(double) * (size_t)count_steps(settings, subject));
    bool done = samples ? measure_run(out, &r, settings, samples) : complain(&r, "out of memory");
    free(samples);
    stop_racer(&r);
    return done;
}

// Adds a run to the best one of an engine.
static bool add_run(bench_result *best, const bench_result *once, const scene *subject, int run) {
    if (run > 0 && once->counts.hash != best->counts.hash) {
        fprintf(stderr,
                "cairn-bench: scene %s: run %d ended in hash %016" PRIx64
                ", the runs before in %016" PRIx64 "\n",
                subject->name, run + 1, once->counts.hash, best->counts.hash);
        return false;
    }
    double slowest = run > 0 && best->slowest > once->slowest ? best->slowest : once->slowest;
    if (run == 0 || once->mean < best->mean) *best = *once;
    best->slowest = slowest;
    return true;
}

int bench_measure(bench_result results[BENCH_MAX_ENGINES], const scene *subject,
                  const bench_settings *settings) {
    int engines = 1;
    while (settings->peers && peers[engines - 1]) engines++;
    for (int run = 0; run < settings->repeat; run++) {
        for (int i = 0; i < engines; i++) {
            bench_result once = {0};
            if (!measure_once(&once, subject, settings, i > 0 ? peers[i - 1] : NULL)) return 0;
            if (!add_run(&results[i], &once, subject, run)) return 0;
        }
    }
    return engines;
}
