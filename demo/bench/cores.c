/* Plays the blocks of a trace on several workers, by the rules of threads.c: each worker begins
 * with its own range of the blocks of a stage, then helps the others, and all wait for the last
 * block.
 *
 *      step = serial work + for each stage of blocks: its slowest worker + a barrier
 *
 * The result is a prediction, not a measurement. It leaves out the time of cache lines that
 * move between cores, so it is right only for cores that share a cache. There it agreed with runs
 * of two threads within about 10 %. The ratio is the work of the same trace on one worker, divided
 * by the time on all. (A ratio to the time of another run would be 10 to 40 % too large, because
 * other programs disturb the smallest time of a short block less than that of a long step.) */
#include "cores.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_WORKERS = 64 };

static const double taken_us = 0.1; // to take a block: a compare-and-swap

// A barrier takes this long, in us: measured on cores that share a cache.
static double barrier_us(int workers) {
    return workers == 1 ? 0 : workers == 2 ? 0.5 : workers <= 4 ? 0.65 : 0.8;
}

// ------------------------------------------------------------------------------------------- play

// The blocks of one stage: those that are left in each worker's range, and the time until which
// each worker is busy.
typedef struct {
    int next[MAX_WORKERS], end[MAX_WORKERS];
    double until[MAX_WORKERS]; // us
    int workers;
} stage_state;

static int least_loaded(const stage_state *s) {
    int best = 0;
    for (int i = 1; i < s->workers; i++)
        if (s->until[i] < s->until[best]) best = i;
    return best;
}

// The range from which that worker takes its next block: its own, or the first that is not empty.
static int range_for(const stage_state *s, int worker) {
    int owner = worker;
    while (s->next[owner] == s->end[owner]) owner = (owner + 1) % s->workers;
    return owner;
}

static void play_blocks(cores_time *time, const block_event *blocks, int count, int workers) {
    stage_state s = {.workers = workers};
    for (int i = 0; i < workers; i++) {
        s.next[i] = block_trace_first(i, workers, count);
        s.end[i] = block_trace_first(i + 1, workers, count);
    }
    for (int left = count; left > 0; left--) {
        const int worker = least_loaded(&s);
        const double us = (double)blocks[s.next[range_for(&s, worker)]++].us;
        s.until[worker] += us + (workers > 1 ? taken_us : 0);
        time->work += us;
    }
    double slowest = 0;
    for (int i = 0; i < workers; i++) slowest = fmax(slowest, s.until[i]);
    time->span += slowest + barrier_us(workers);
    time->barriers++, time->single += count == 1;
}

static void add(cores_time *sum, const cores_time *t, double factor) {
    sum->work += factor * t->work, sum->serial += factor * t->serial;
    sum->span += factor * t->span;
    sum->barriers += factor * t->barriers, sum->single += factor * t->single;
}

// Plays the events up to the end of a stage of the step. Returns the number of events.
static size_t play_stage(cores_time *time, const block_trace *t, size_t from, int workers) {
    size_t k = from;
    for (; k < t->count; k++) {
        const block_event *event = &t->events[k];
        time->serial += (double)event->us, time->work += (double)event->us;
        if (event->kind == BLOCKS_JOB) time->span += barrier_us(workers); // the workers wake up
        if (event->kind == BLOCKS_BEGIN) {
            play_blocks(time, event + 1, event->count, workers);
            k += (size_t)event->count;
        }
        if (event->kind == BLOCKS_STAGE || event->kind == BLOCKS_STEP) break;
    }
    return k + 1 - from;
}

cores_result cores_play(const block_trace *t, int workers, int warm_up) {
    cores_result r = {.steps = -warm_up};
    for (size_t k = 0; k < t->count;) {
        cores_time time = {0};
        k += play_stage(&time, t, k, workers);
        const block_event *last = &t->events[k - 1];
        if (r.steps >= 0) add(&r.all, &time, 1); // after the last stage, too
        if (r.steps >= 0 && last->kind == BLOCKS_STAGE) add(&r.stages[last->count], &time, 1);
        r.steps += last->kind == BLOCKS_STEP;
    }
    cores_result means = {.steps = r.steps};
    add(&means.all, &r.all, 1.0 / r.steps);
    for (int i = 0; i < t->name_count; i++) add(&means.stages[i], &r.stages[i], 1.0 / r.steps);
    return means;
}

// ------------------------------------------------------------------------------------------ print

static double step_us(const cores_time *t) { return t->serial + t->span; }

static void print_header(const bench_machine *machine, const bench_settings *settings) {
    printf(
        "cairn %s, %s, %s build, %d lanes, %d substeps; %s\n"
        "Predicted for %d cores that share a cache, from the times of blocks on one thread, each "
        "the\nsmallest of %d run%s. Cache lines that move between cores are left out.\n\n"
        "%-16s %10s %10s %6s %9s %9s %9s %13s\n",
        machine->version, machine->compiler, machine->build, machine->lanes,
        bench_substeps(settings), machine->cpu, settings->cores, settings->repeat,
        settings->repeat > 1 ? "s" : "", "scene", "work us", "step us", "x", "serial us",
        "serial %", "barriers", "of one block");
}

static void print_time(const char *name, const cores_time *t) {
    const double us = step_us(t);
    printf("%-16s %10.1f %10.1f %6.2f %9.1f %9.1f %9.1f %13.1f\n", name, t->work, us, t->work / us,
           t->serial, 100 * t->serial / us, t->barriers, t->single);
}

static void print_stages(const block_trace *t, const cores_result *r) {
    for (int i = 0; i < t->name_count; i++) {
        const cores_time *s = &r->stages[i];
        printf("  %-22s %10.1f work %8.1f serial %6.1f %% of the step %7.1f barriers\n",
               t->names[i], s->work, s->serial, 100 * step_us(s) / step_us(&r->all), s->barriers);
    }
}

static void print_json(const scene *subject, const cores_result *r, const bench_settings *settings,
                       bool first) {
    const cores_time *t = &r->all;
    printf("%s{\"scene\": \"%s\", \"cores\": %d, \"steps\": %d, \"work_us\": %.2f, "
           "\"step_us\": %.2f, \"serial_us\": %.2f, \"barriers\": %.2f, \"single\": %.2f}",
           first ? "[\n" : ",\n", subject->name, settings->cores, r->steps, t->work, step_us(t),
           t->serial, t->barriers, t->single);
}

// Prints the line of a scene. Returns the ratio of its times, or 0 if it fails.
static double measure_scene(const scene *subject, const bench_settings *settings, bool first) {
    const int steps = bench_count_steps(settings, subject);
    const int warm_up = settings->warm_up ? settings->warm_up : 1;
    block_trace t;
    if (warm_up >= steps) {
        fprintf(stderr, "cairn-bench: scene %s: --warm-up leaves no step to time\n", subject->name);
        return 0;
    }
    if (!block_trace_record(&t, subject, settings->cores, settings->world, steps, settings->repeat))
        return 0;
    const cores_result r = cores_play(&t, settings->cores, warm_up);
    if (settings->json)
        print_json(subject, &r, settings, first);
    else
        print_time(subject->name, &r.all);
    if (settings->stages && !settings->json) print_stages(&t, &r);
    block_trace_free(&t);
    fflush(stdout);
    return r.all.work / step_us(&r.all);
}

bool cores_measure(const bench_settings *settings, const bench_machine *machine) {
    double logs = 0;
    if (!settings->json) print_header(machine, settings);
    for (int i = 0; i < settings->scene_count; i++) {
        const double ratio = measure_scene(settings->scenes[i], settings, i == 0);
        if (ratio <= 0) return false;
        logs += log(ratio);
    }
    if (settings->json)
        puts("\n]");
    else if (settings->scene_count > 1)
        printf("%-37s %6.2f (geometric mean)\n", "", exp(logs / settings->scene_count));
    return true;
}
