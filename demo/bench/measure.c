/* Measures a scene.
 *
 * Every step is timed by itself, together with the scene's own calls before it. The clock is the
 * CPU time of this thread, so that other programs on the machine have little effect. The first step
 * is not timed.
 *
 * A step of a small world takes less time than reading the clock. So its steps are timed in groups
 * of 100, after 60 steps of warm-up, or fewer if otherwise no group remained. Steps that do not
 * fill a group belong to the warm-up.
 *
 * With --repeat, the run with the smallest mean counts, and all runs must end with the same hash.
 * The engines take turns, so that anything that slows down the machine for a while slows them all
 * down. A peer's time is that of its step alone, without the scene's calls before it.
 *
 * In a scene about queries, each batch is timed by itself, without the step before it. A sample is
 * the mean time of a query in the batch. */
#include "cores.h"
#include "runner.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_STEPS = 500, SMALL_WARM_UP = 60, SMALL_GROUP = 100 };

// ----------------------------------------------------------------------------------------- samples

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void bench_summarise(bench_result *out, double *samples, int count) {
    qsort(samples, (size_t)count, sizeof *samples, compare_doubles);
    double sum = 0;
    for (int i = 0; i < count; i++) sum += samples[i];
    out->min = samples[0];
    out->median = samples[(count - 1) / 2];
    out->p99 = samples[(count * 99 + 99) / 100 - 1];
    out->mean = out->slowest = sum / count;
}

// -------------------------------------------------------------------------------------------- runs

bool bench_is_small(const scene *subject) { return strncmp(subject->name, "small-", 6) == 0; }

int bench_count_steps(const bench_settings *settings, const scene *subject) {
    if (settings->steps) return settings->steps;
    return subject->steps ? subject->steps : DEFAULT_STEPS;
}

// How the steps of a run are divided: warm-up steps, then `groups` groups of `group` steps.
typedef struct {
    int warm_up, group, groups;
} schedule;

static schedule plan_run(const bench_settings *settings, const scene *subject) {
    bool small = bench_is_small(subject) && !subject->before_step;
    int steps = bench_count_steps(settings, subject), requested = settings->warm_up;
    int most = steps - (requested ? requested : 1); // the most steps that can be timed
    schedule s = {.group = small ? SMALL_GROUP : 1, .warm_up = requested ? requested : 1};
    if (s.group > most) s.group = most;
    if (small && !requested) s.warm_up = SMALL_WARM_UP;
    if (s.warm_up > steps - s.group) s.warm_up = steps - s.group;
    s.groups = (steps - s.warm_up) / s.group;
    s.warm_up = steps - s.groups * s.group;
    return s;
}

static bool warm_up(bench_result *out, runner *r, int steps) {
    for (int i = 0; i < steps; i++) {
        if (!runner_prepare(r) || !runner_work(r, 1)) return false;
        runner_observe(r, 1, out);
    }
    memset(out->stages, 0, sizeof out->stages);
    return true;
}

static bool measure_run(bench_result *out, runner *r, const bench_settings *settings,
                        double *samples) {
    bool threads = settings->world.threads > 1;
    schedule plan = plan_run(settings, r->scene);
    // A sample is the mean of this many queries or steps.
    int parts = r->scene->queries ? r->scene->queries->count : plan.group;
    if (!warm_up(out, r, plan.warm_up)) return false;
    for (int i = 0; i < plan.groups; i++) {
        if (!runner_prepare(r)) return false;
        double start = bench_now(threads);
        if (!runner_work(r, plan.group)) return false;
        samples[i] = (bench_now(threads) - start) / parts;
        runner_observe(r, plan.group, out);
    }
    bench_summarise(out, samples, plan.groups);
    for (int i = 0; i < CN_MAX_STAGES; i++) out->stages[i] /= plan.groups * plan.group;
    out->timed = plan.groups * plan.group;
    runner_count(r, out);
    return true;
}

static bool measure_once(bench_result *out, const scene *subject, const bench_settings *settings,
                         const peer *which) {
    runner r = {.scene = subject};
    if (settings->warm_up >= bench_count_steps(settings, subject))
        return runner_report_error(&r, "--warm-up leaves no step to time");
    if (!runner_start(&r, subject, &settings->world, which, out)) return false;
    if (out->refusal[0]) return true;
    double *samples = malloc(sizeof(double) * (size_t)bench_count_steps(settings, subject));
    bool done = samples ? measure_run(out, &r, settings, samples)
                        : runner_report_error(&r, "out of memory");
    free(samples);
    runner_stop(&r);
    return done;
}

// The same, with the time between cores before and after it.
static bool measure_between(bench_result *out, const scene *subject, const bench_settings *settings,
                            const peer *which) {
    if (!settings->near) return measure_once(out, subject, settings, which);
    const double before = near_round_trip(settings->world.threads);
    if (!measure_once(out, subject, settings, which)) return false;
    const double after = near_round_trip(settings->world.threads);
    out->round_trip = before > after ? before : after;
    return true;
}

// A run between near cores is better than any other.
static bool is_better(const bench_result *once, const bench_result *best) {
    if (bench_is_near(once) != bench_is_near(best)) return bench_is_near(once);
    return once->mean < best->mean;
}

// Keeps the better of a run and the best run so far of an engine. Fails if their hashes differ.
static bool add_run(bench_result *best, const bench_result *once, const scene *subject, int run) {
    if (run > 0 && once->counts.hash != best->counts.hash) {
        fprintf(stderr,
                "cairn-bench: scene %s: run %d ended with hash %016" PRIx64
                ", earlier runs with %016" PRIx64 "\n",
                subject->name, run + 1, once->counts.hash, best->counts.hash);
        return false;
    }
    double slowest = run > 0 && best->slowest > once->slowest ? best->slowest : once->slowest;
    if (run == 0 || is_better(once, best)) *best = *once;
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
            const peer *which = i > 0 ? peers[i - 1] : NULL;
            if (!measure_between(&once, subject, settings, which)) return 0;
            if (!add_run(&results[i], &once, subject, run)) return 0;
        }
    }
    return engines;
}
