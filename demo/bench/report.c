/* What the benchmark prints: a table for people, or JSON for programs. */
#include "bench.h"
#include "peer.h"

#include <math.h>

// Of the ratios of a peer over the scenes, for their geometric mean.
typedef struct {
    char engine[32];
    double sum_of_logs;
    int count;
} mean;

static mean means[BENCH_MAX_ENGINES];

static void print_columns(const bench_settings *settings) {
    printf("\n%-16s %6s %8s %8s %6s %5s %5s %9s %9s %9s %9s    %10s %10s %9s %-16s%s\n", "scene",
           "bodies", "contacts", "touching", "joints", "steps", "timed", "min", "median", "p99",
           "mean", "bytes", "awake sum", "height", "hash",
           settings->repeat > 1 ? " slowest mean" : "");
}

void bench_print_header(const bench_machine *machine, const bench_settings *settings) {
    int threads = bench_threads(settings);
    printf("cairn %s, %s, %s build, %d lanes, %d thread%s, %d substeps\n", machine->version,
           machine->compiler, machine->build, machine->lanes, threads, threads > 1 ? "s" : "",
           bench_substeps(settings));
    printf("%s, %d CPUs; %s", machine->cpu, machine->cpus,
           threads > 1 ? "time of day" : "CPU time of the thread");
    if (settings->pin >= 0) printf(", pinned to CPU %d", settings->pin);
    printf("; best of %d run%s\n", settings->repeat, settings->repeat > 1 ? "s" : "");
    for (int i = 0; settings->peers && peers[i]; i++)
        printf("%s: %s\n", peers[i]->name, peers[i]->how);
    if (settings->peers)
        puts("(Debian's packages of them are built with assertions, which costs Chipmunk about 5 "
             "%)");
    print_columns(settings);
}

static void print_times(const bench_result *r, double unit) {
    const bench_counts *c = &r->counts;
    printf("%6d %8d %8d %6d %5d %5d %9.3f %9.3f %9.3f %9.3f %s ", c->bodies, c->contacts,
           c->touching, c->joints, r->steps, r->timed, r->min * unit, r->median * unit,
           r->p99 * unit, r->mean * unit, unit > 1 ? "us" : "ms");
}

static void print_slowest(const bench_result *r, double unit, const bench_settings *settings) {
    if (settings->repeat > 1) printf(" %12.3f", r->slowest * unit);
}

// Cairn's line.
static void print_line(const scene *subject, const bench_result *r, double unit) {
    printf("%-16s ", subject->name);
    print_times(r, unit);
    printf("%10zu %10" PRIu64 " %9.4f %016" PRIx64, r->counts.bytes, r->awake_sum, r->counts.height,
           r->counts.hash);
}

static void add_ratio(mean *m, const bench_result *r, double ratio) {
    snprintf(m->engine, sizeof m->engine, "%s", r->engine);
    m->sum_of_logs += log(ratio);
    m->count++;
}

static bool is_near(double a, double b, double share, double margin) {
    return fabs(a - b) <= share * fabs(b) + margin;
}

// What of a peer's work is not Cairn's: its time then says little.
static void print_other_work(const bench_result *r, const bench_result *cairn) {
    bool touching = is_near(r->counts.touching, cairn->counts.touching, 0.03, 2);
    bool awake = is_near((double)r->awake_sum, (double)cairn->awake_sum, 0.02, 0);
    bool height = is_near(r->counts.height, cairn->counts.height, 0.03, 0.05);
    if (touching && awake && height) return;
    printf("  other work:%s%s%s", touching ? "" : " touching", awake ? "" : " awake",
           height ? "" : " height");
}

// A peer's line, with its time as a multiple of Cairn's in place of the hash.
static void print_peer(const bench_result *r, const bench_result *cairn, double unit) {
    double ratio = r->mean / cairn->mean;
    printf("  %-14s ", r->engine);
    print_times(r, unit);
    printf("%10s %10" PRIu64 " %9.4f %10.2f times", "-", r->awake_sum, r->counts.height, ratio);
}

static void print_stages(const bench_result *r) {
    double sum = 0;
    for (int i = 0; i < r->profile.count; i++) sum += r->stages[i];
    for (int i = 0; i < r->profile.count; i++)
        printf("    %-24s %9.4f ms %5.1f %%\n", r->profile.names[i], r->stages[i],
               sum > 0 ? 100 * r->stages[i] / sum : 0);
}

// Small worlds in microseconds per step, the others in milliseconds.
void bench_print_results(const scene *subject, const bench_result *results, int count,
                         const bench_settings *settings) {
    double unit = bench_is_small(subject) ? 1e3 : 1;
    print_line(subject, results, unit);
    print_slowest(results, unit, settings);
    putchar('\n');
    if (settings->stages) print_stages(results);
    for (int i = 1; i < count; i++) {
        const bench_result *r = &results[i];
        if (r->refusal[0]) {
            printf("  %-14s cannot express: %s\n", r->engine, r->refusal);
            continue;
        }
        print_peer(r, results, unit);
        print_slowest(r, unit, settings);
        print_other_work(r, results);
        putchar('\n');
        add_ratio(&means[i], r, r->mean / results->mean);
    }
}

void bench_print_means(void) {
    for (int i = 0; i < BENCH_MAX_ENGINES; i++)
        if (means[i].count > 0)
            printf("%s%s: %.2f times cairn's time (geometric mean of %d scene%s)\n",
                   i == 1 ? "\n" : "", means[i].engine, exp(means[i].sum_of_logs / means[i].count),
                   means[i].count, means[i].count > 1 ? "s" : "");
}

// --------------------------------------------------------------------------------------------- json

static void print_json_machine(const bench_machine *machine, const bench_settings *settings) {
    printf("   \"cpu\": \"%s\", \"compiler\": \"%s\", \"build\": \"%s\", \"version\": \"%s\",\n"
           "   \"threads\": %d, \"substeps\": %d, \"repeat\": %d, \"pin\": %d",
           machine->cpu, machine->compiler, machine->build, machine->version,
           bench_threads(settings), bench_substeps(settings), settings->repeat, settings->pin);
}

static void print_json_stages(const bench_result *r) {
    printf(",\n   \"stages\": {");
    for (int i = 0; i < r->profile.count; i++)
        printf("%s\"%s\": %.6f", i ? ", " : "", r->profile.names[i], r->stages[i]);
    printf("}");
}

static void print_json_times(const bench_result *r) {
    const bench_counts *c = &r->counts;
    printf("   \"bodies\": %d, \"shapes\": %d, \"contacts\": %d, \"touching\": %d, \"joints\": %d, "
           "\"steps\": %d, \"timed\": %d,\n",
           c->bodies, c->shapes, c->contacts, c->touching, c->joints, r->steps, r->timed);
    printf("   \"ms\": {\"min\": %.7f, \"median\": %.7f, \"p99\": %.7f, \"mean\": %.7f, "
           "\"slowest\": %.7f},\n",
           r->min, r->median, r->p99, r->mean, r->slowest);
    printf("   \"awake_sum\": %" PRIu64 ", \"height\": %.9g", r->awake_sum, c->height);
}

void bench_print_json(const scene *subject, const bench_result *results, int count,
                      const bench_machine *machine, const bench_settings *settings, bool first) {
    for (int i = 0; i < count; i++) {
        const bench_result *r = &results[i];
        if (r->refusal[0]) continue;
        printf("%s\n  {\"scene\": \"%s\", \"engine\": \"%s\",\n", first && i == 0 ? "[" : ",",
               subject->name, r->engine);
        print_json_times(r);
        if (i == 0)
            printf(", \"hash\": \"%016" PRIx64 "\", \"lanes\": %d, \"bytes\": %zu", r->counts.hash,
                   r->counts.lanes, r->counts.bytes);
        printf(",\n");
        print_json_machine(machine, settings);
        if (settings->stages && i == 0) print_json_stages(r);
        printf("}");
    }
}
