/* What the benchmark prints: a table for people, or JSON for programs. */
#include "bench.h"
#include "peer.h"

#include <math.h>
#include <stdlib.h>

// The geometric mean of the ratios of a peer over the scenes.
typedef struct {
    char engine[32];
    double sum_of_logs;
    int count;
} mean;

typedef struct {
    mean steps[BENCH_MAX_ENGINES], queries[BENCH_MAX_ENGINES];
} all_means;

static all_means means;

static void print_step_columns(const bench_settings *settings) {
    printf("\n%-16s %6s %8s %8s %6s %5s %5s %9s %9s %9s %9s    %10s %10s %9s %-16s%s\n", "scene",
           "bodies", "contacts", "touching", "joints", "steps", "timed", "min", "median", "p99",
           "mean", "bytes", "awake sum", "height", "hash",
           settings->repeat > 1 ? " slowest mean" : "");
}

static void print_query_columns(const bench_settings *settings) {
    printf("\n%-16s %7s %8s %5s %5s %9s %9s %9s %9s    %10s %9s %10s %-16s%s\n", "scene", "shapes",
           "queries", "steps", "timed", "min", "median", "p99", "mean", "results", "per query",
           "distance", "hash", settings->repeat > 1 ? " slowest mean" : "");
}

// Prints the column headings, unless the line before had the same columns.
static void print_columns(bool queries, const bench_settings *settings) {
    static enum { NONE, STEPS, QUERIES } printed = NONE;
    if (printed == (queries ? QUERIES : STEPS)) return;
    printed = queries ? QUERIES : STEPS;
    if (queries)
        print_query_columns(settings);
    else
        print_step_columns(settings);
}

void bench_print_header(const bench_machine *machine, const bench_settings *settings) {
    int threads = bench_threads(settings);
    printf("cairn %s, %s, %s build, %d lanes, %d thread%s, %d substeps\n", machine->version,
           machine->compiler, machine->build, machine->lanes, threads, threads > 1 ? "s" : "",
           bench_substeps(settings));
    bool is_wall_clock = threads > 1 && settings->rooms == 0;
    printf("%s, %d CPUs; %s", machine->cpu, machine->cpus,
           is_wall_clock ? "wall-clock time" : "CPU time of the thread");
    if (settings->pin >= 0) printf(", pinned to CPU %d", settings->pin);
    printf("; %s of %d run%s\n", settings->rooms ? "median" : "best", settings->repeat,
           settings->repeat > 1 ? "s" : "");
    for (int i = 0; settings->peers && peers[i]; i++)
        printf("%s: %s\n", peers[i]->name, peers[i]->settings_text);
    if (settings->peers)
        puts("(Debian's packages of these engines are built with assertions, which cost Chipmunk "
             "about 5 %)");
}

static void print_times(const bench_result *r, double unit) {
    const bench_counts *c = &r->counts;
    printf("%6d %8d %8d %6d %5d %5d %9.3f %9.3f %9.3f %9.3f %s ", c->bodies, c->contacts,
           c->touching, c->joints, r->steps, r->timed, r->min * unit, r->median * unit,
           r->p99 * unit, r->mean * unit, unit > 1 ? "us" : "ms");
}

static void print_slowest(const bench_result *r, double unit, const bench_settings *settings) {
    if (settings->repeat > 1) printf(" %12.3f", r->slowest * unit);
    if (!settings->near) return;
    if (r->round_trip <= 0)
        printf("  time between cores unknown");
    else
        printf("  %s cores: %.0f ns", bench_is_near(r) ? "near" : "FAR", r->round_trip);
}

// Prints the line of Cairn.
static void print_step_line(const scene *subject, const bench_result *r, double unit) {
    printf("%-16s ", subject->name);
    print_times(r, unit);
    printf("%10zu %10" PRIu64 " %9.4f %016" PRIx64, r->counts.bytes, r->awake_sum,
           r->counts.mean_height, r->counts.hash);
}

static double mean_distance(const bench_result *r) {
    return r->total.count ? r->total.sum / (double)r->total.count : 0;
}

static void print_query_times(const bench_result *r, double unit) {
    double total_queries = (double)r->queries * r->steps;
    printf("%7d %8d %5d %5d %9.3f %9.3f %9.3f %9.3f %s %10" PRIu64 " %9.4f %10.5f ",
           r->counts.shapes, r->queries, r->steps, r->timed, r->min * unit, r->median * unit,
           r->p99 * unit, r->mean * unit, unit > 1e3 ? "ns" : "us", r->total.count,
           (double)r->total.count / total_queries, mean_distance(r));
}

static void print_query_line(const scene *subject, const bench_result *r, double unit) {
    printf("%-16s ", subject->name);
    print_query_times(r, unit);
    printf("%016" PRIx64, r->counts.hash);
}

static void add_ratio(mean *m, const bench_result *r, double ratio) {
    snprintf(m->engine, sizeof m->engine, "%s", r->engine);
    m->sum_of_logs += log(ratio);
    m->count++;
}

static bool is_near(double a, double b, double fraction, double margin) {
    return fabs(a - b) <= fraction * fabs(b) + margin;
}

// Prints which numbers of a peer's work differ from Cairn's. If any do, the peer's time says
// little.
static void print_work_differences(const bench_result *r, const bench_result *cairn) {
    bool touching = is_near(r->counts.touching, cairn->counts.touching, 0.03, 2);
    bool awake = is_near((double)r->awake_sum, (double)cairn->awake_sum, 0.02, 0);
    bool height = is_near(r->counts.mean_height, cairn->counts.mean_height, 0.03, 0.05);
    if (touching && awake && height) return;
    printf("  different work:%s%s%s", touching ? "" : " touching", awake ? "" : " awake",
           height ? "" : " height");
}

// Prints the line of a peer. In place of the hash, it has the time as a multiple of Cairn's time.
static void print_peer(const bench_result *r, const bench_result *cairn, double unit) {
    double ratio = r->mean / cairn->mean;
    printf("  %-14s ", r->engine);
    print_times(r, unit);
    printf("%10s %10" PRIu64 " %9.4f %10.2f times", "-", r->awake_sum, r->counts.mean_height,
           ratio);
}

static void print_query_peer(const bench_result *r, const bench_result *cairn, double unit) {
    printf("  %-14s ", r->engine);
    print_query_times(r, unit);
    printf("%10.2f times", r->mean / cairn->mean);
}

static void print_result_differences(const bench_result *r, const bench_result *cairn) {
    bool results = is_near((double)r->total.count, (double)cairn->total.count, 0.01, 0);
    bool distance = is_near(mean_distance(r), mean_distance(cairn), 0.01, 0);
    if (results && distance) return;
    printf("  different work:%s%s", results ? "" : " results", distance ? "" : " distance");
}

static void print_stages(const bench_result *r) {
    double sum = 0;
    for (int i = 0; i < r->profile.count; i++) sum += r->stages[i];
    for (int i = 0; i < r->profile.count; i++)
        printf("    %-24s %9.4f ms %5.1f %%\n", r->profile.names[i], r->stages[i],
               sum > 0 ? 100 * r->stages[i] / sum : 0);
}

// Returns the factor from ms to the printed unit. Steps of small worlds are in microseconds, and
// steps of other worlds are in milliseconds. Queries are in nanoseconds, or in microseconds if they
// take one microsecond or more.
static double unit_of(const scene *subject, const bench_result *r) {
    if (r->queries) return r->mean < 1e-3 ? 1e6 : 1e3;
    return bench_is_small(subject) ? 1e3 : 1;
}

void bench_print_results(const scene *subject, const bench_result *results, int count,
                         const bench_settings *settings) {
    double unit = unit_of(subject, results);
    bool queries = results->queries > 0;
    mean *peer_means = queries ? means.queries : means.steps;
    print_columns(queries, settings);
    (queries ? print_query_line : print_step_line)(subject, results, unit);
    print_slowest(results, unit, settings);
    putchar('\n');
    if (settings->stages && !queries) print_stages(results);
    for (int i = 1; i < count; i++) {
        const bench_result *r = &results[i];
        if (r->refusal[0]) {
            printf("  %-14s does not support: %s\n", r->engine, r->refusal);
            continue;
        }
        if (queries)
            print_query_peer(r, results, unit);
        else
            print_peer(r, results, unit);
        print_slowest(r, unit, settings);
        if (queries)
            print_result_differences(r, results);
        else
            print_work_differences(r, results);
        putchar('\n');
        add_ratio(&peer_means[i], r, r->mean / results->mean);
    }
}

static void print_means(const mean peer_means[BENCH_MAX_ENGINES], const char *what) {
    for (int i = 0; i < BENCH_MAX_ENGINES; i++) {
        const mean *m = &peer_means[i];
        if (m->count > 0)
            printf("%s%s: %.2f times cairn's time (geometric mean of %d scene%s%s)\n",
                   i == 1 ? "\n" : "", m->engine, exp(m->sum_of_logs / m->count), m->count,
                   m->count > 1 ? "s" : "", what);
    }
}

void bench_print_means(void) {
    print_means(means.steps, "");
    print_means(means.queries, " of queries");
}

// -------------------------------------------------------------------------------------------- json

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

static void print_json_ms(const bench_result *r, int digits) {
    printf("   \"ms\": {\"min\": %.*f, \"median\": %.*f, \"p99\": %.*f, \"mean\": %.*f, "
           "\"slowest\": %.*f},\n",
           digits, r->min, digits, r->median, digits, r->p99, digits, r->mean, digits, r->slowest);
    if (r->round_trip > 0) printf("   \"round_trip_ns\": %.0f,\n", r->round_trip);
}

static void print_json_times(const bench_result *r) {
    const bench_counts *c = &r->counts;
    printf("   \"bodies\": %d, \"shapes\": %d, \"contacts\": %d, \"touching\": %d, \"joints\": %d, "
           "\"steps\": %d, \"timed\": %d,\n",
           c->bodies, c->shapes, c->contacts, c->touching, c->joints, r->steps, r->timed);
    if (r->queries)
        printf("   \"queries\": %d, \"results\": %" PRIu64 ", \"distance\": %.9g,\n", r->queries,
               r->total.count, mean_distance(r));
    print_json_ms(r, r->queries ? 9 : 7); // digits for queries and for steps
    printf("   \"awake_sum\": %" PRIu64 ", \"height\": %.9g", r->awake_sum, c->mean_height);
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

// ------------------------------------------------------------------------------------------- rooms

static int compare_medians(const void *a, const void *b) {
    double x = ((const bench_result *)a)->median, y = ((const bench_result *)b)->median;
    return (x > y) - (x < y);
}

static void print_rooms(const bench_result *r, const int fit[3], const bench_settings *settings) {
    printf("\n%d rooms of %d awake bodies, steps of 1/30 s; %zu bytes per room, hash %016" PRIx64
           "\n",
           settings->rooms, r->counts.awake / settings->rooms,
           r->counts.bytes / (size_t)settings->rooms, r->counts.hash);
    printf("a step of all rooms, in ms: min %.3f, median %.3f, p99 %.3f; %d steps, %d timed\n",
           r->min, r->median, r->p99, r->steps, r->timed);
    printf("%d rooms fit in real time at 30 Hz", fit[1]);
    if (settings->repeat > 1) printf(" (%d..%d in %d runs)", fit[0], fit[2], settings->repeat);
    putchar('\n');
}

static void print_json_rooms(const bench_result *r, const int fit[3], const bench_machine *machine,
                             const bench_settings *settings) {
    printf("[\n  {\"scene\": \"rooms\", \"engine\": \"cairn\",\n"
           "   \"rooms\": %d, \"fit\": %d, \"fit_least\": %d, \"fit_most\": %d,\n",
           settings->rooms, fit[1], fit[0], fit[2]);
    print_json_ms(r, 7);
    printf(
        "   \"awake\": %d, \"touching\": %d, \"steps\": %d, \"timed\": %d, \"hash\": \"%016" PRIx64
        "\", \"lanes\": %d, \"bytes\": %zu,\n",
        r->counts.awake, r->counts.touching, r->steps, r->timed, r->counts.hash, machine->lanes,
        r->counts.bytes);
    print_json_machine(machine, settings);
    puts("}\n]");
}

// Prints the results from the median tick of the median run.
void bench_print_worlds(bench_result *runs, const bench_machine *machine,
                        const bench_settings *settings) {
    int count = settings->repeat;
    qsort(runs, (size_t)count, sizeof *runs, compare_medians);
    const bench_result *shown = &runs[(count - 1) / 2];
    const int fit[3] = {bench_count_worlds_in_real_time(runs[count - 1].median, settings),
                        bench_count_worlds_in_real_time(shown->median, settings),
                        bench_count_worlds_in_real_time(runs[0].median, settings)};
    if (settings->json)
        print_json_rooms(shown, fit, machine, settings);
    else
        print_rooms(shown, fit, settings);
}
