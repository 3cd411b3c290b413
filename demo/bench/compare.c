/* Compares with results that --json wrote earlier: how many times as fast each scene is now, the
 * bounds of this ratio, and whether both did the same work. */
#include "bench.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OLD = 512, MAX_LINES = 256, MAX_FILE_SIZE = 1 << 24 };

typedef struct {
    char scene[64], engine[32], hash[24];
    char cpu[96], compiler[64], build[32];
    double mean, slowest, steps, queries, results, bodies, joints, touching, awake_sum, substeps,
        threads, lanes, repeat;
} record;

typedef struct {
    char scene[64], engine[32];
    double before, now, low, high; // ms per step or query; bounds of the ratio
    bool same_steps;               // as many steps as before
    bool single_run;               // one run before, so the spread of the runs is not known
    char differences[400];
} comparison;

static record old[MAX_OLD];
static int old_count;
static comparison lines[MAX_LINES];
static int line_count;

// ----------------------------------------------------------------------------------------- reading

// Stores a value of the old file in its record. Ignores values with other names.
static void store_leaf(void *user, const char *path, const char *value) {
    (void)user;
    char *name;
    long index = strtol(path, &name, 10);
    if (name == path || *name++ != '.' || index >= MAX_OLD) return;
    record *r = &old[index];
    old_count = (int)index + 1;
    const struct {
        const char *name;
        char *text;
        size_t size;
    } texts[] = {
        {"scene", r->scene, sizeof r->scene}, {"engine", r->engine, sizeof r->engine},
        {"hash", r->hash, sizeof r->hash},    {"cpu", r->cpu, sizeof r->cpu},
        {"build", r->build, sizeof r->build}, {"compiler", r->compiler, sizeof r->compiler},
    };
    const struct {
        const char *name;
        double *number;
    } numbers[] = {
        {"ms.mean", &r->mean},        {"ms.slowest", &r->slowest}, {"steps", &r->steps},
        {"bodies", &r->bodies},       {"joints", &r->joints},      {"touching", &r->touching},
        {"awake_sum", &r->awake_sum}, {"substeps", &r->substeps},  {"threads", &r->threads},
        {"lanes", &r->lanes},         {"repeat", &r->repeat},      {"queries", &r->queries},
        {"results", &r->results},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(name, texts[i].name) == 0) snprintf(texts[i].text, texts[i].size, "%s", value);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(name, numbers[i].name) == 0) *numbers[i].number = strtod(value, NULL);
}

// Returns the text of a file, which the caller frees. Prints a message on stderr and returns NULL
// if it fails.
static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = file ? malloc(MAX_FILE_SIZE) : NULL;
    size_t length = text ? fread(text, 1, MAX_FILE_SIZE - 1, file) : 0;
    if (!text || ferror(file)) {
        fprintf(stderr, "cairn-bench: cannot read %s: %s\n", path, strerror(errno));
        free(text);
        text = NULL;
    }
    if (text) text[length] = 0;
    if (file) fclose(file);
    return text;
}

static bool parse(const char *path, const char *text) {
    int line;
    const char *problem = json_read(text, store_leaf, NULL, &line);
    if (problem) {
        fprintf(stderr, "cairn-bench: %s is not the output of --json: line %d: %s\n", path, line,
                problem);
        return false;
    }
    for (int i = 0; i < old_count; i++) {
        if (old[i].scene[0] && old[i].mean > 0) continue;
        fprintf(stderr, "cairn-bench: %s: item %d has no \"scene\" or no \"ms\": {\"mean\"}\n",
                path, i + 1);
        return false;
    }
    if (old_count > 0) return true;
    fprintf(stderr, "cairn-bench: %s contains no scenes\n", path);
    return false;
}

bool bench_read_old(const char *path) {
    char *text = read_file(path);
    if (!text) return false;
    bool done = parse(path, text);
    free(text);
    return done;
}

// --------------------------------------------------------------------------------------- comparing

static const record *find_old(const char *name, const char *engine) {
    for (int i = 0; i < old_count; i++) {
        bool is_engine = strcmp(old[i].engine, engine) == 0 ||
                         (!old[i].engine[0] && strcmp(engine, "cairn") == 0);
        if (is_engine && strcmp(old[i].scene, name) == 0) return &old[i];
    }
    return NULL;
}

// Adds a difference to the list. Leaves it out if the buffer is full.
static void add_difference(comparison *c, const char *name, const char *before, const char *after) {
    size_t length = strlen(c->differences), free_size = sizeof c->differences - length;
    int needed = snprintf(c->differences + length, free_size, "%s%s %s -> %s", length ? ", " : "",
                          name, before, after);
    if (needed < 0 || (size_t)needed >= free_size) c->differences[length] = 0;
}

static void compare_numbers(comparison *c, const char *name, double before, double after) {
    char texts[2][32];
    if (before == after) return;
    snprintf(texts[0], sizeof texts[0], "%.0f", before);
    snprintf(texts[1], sizeof texts[1], "%.0f", after);
    add_difference(c, name, texts[0], texts[1]);
}

static void compare_work(comparison *c, const record *before, const bench_result *r) {
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, r->counts.hash);
    if (r->counts.hash && strcmp(before->hash, hash) != 0)
        add_difference(c, "hash", before->hash, hash);
    compare_numbers(c, "steps", before->steps, r->steps);
    compare_numbers(c, "queries", before->queries, r->queries);
    compare_numbers(c, "results", before->results, (double)r->total.count);
    compare_numbers(c, "bodies", before->bodies, r->counts.bodies);
    compare_numbers(c, "joints", before->joints, r->counts.joints);
    compare_numbers(c, "touching", before->touching, r->counts.touching);
    compare_numbers(c, "awake sum", before->awake_sum, (double)r->awake_sum);
}

void bench_compare(FILE *out, const scene *subject, const bench_result *results, int count) {
    for (int i = 0; i < count; i++) {
        const bench_result *r = &results[i];
        const record *before = find_old(subject->name, r->engine);
        if (r->refusal[0] || line_count == MAX_LINES) continue;
        if (!before) {
            fprintf(out, "%s of %s is not in the file to compare with\n", subject->name, r->engine);
            continue;
        }
        double slowest = before->slowest > 0 ? before->slowest : before->mean;
        comparison *c = &lines[line_count++];
        *c = (comparison){.before = before->mean,
                          .now = r->mean,
                          .same_steps = before->steps == r->steps,
                          .single_run = before->repeat < 2,
                          .low = before->mean / r->slowest,
                          .high = slowest / r->mean};
        snprintf(c->scene, sizeof c->scene, "%s", subject->name);
        snprintf(c->engine, sizeof c->engine, "%s", r->engine);
        compare_work(c, before, r);
    }
}

// ---------------------------------------------------------------------------------------- printing

// Prints a remark if a side has a single run. The bound of the ratio on that side then comes from
// this run alone and says nothing about the noise.
static void print_single_runs(FILE *out, const bench_settings *settings) {
    bool before = false, now = settings->repeat < 2;
    for (int i = 0; i < line_count; i++) before = before || lines[i].single_run;
    if (!before && !now) return;
    fprintf(out,
            "only one run %s: the spread of the runs is not known, so a ratio may be noise.\n"
            "Measure both sides with --repeat 5 or more.\n",
            before && now ? "on each side"
            : before      ? "before"
                          : "now");
}

static void print_other_machine(FILE *out, const bench_machine *machine,
                                const bench_settings *settings) {
    const record *before = &old[0];
    comparison c = {0};
    if (strcmp(before->cpu, machine->cpu) != 0)
        add_difference(&c, "processor", before->cpu, machine->cpu);
    if (strcmp(before->compiler, machine->compiler) != 0)
        add_difference(&c, "compiler", before->compiler, machine->compiler);
    if (strcmp(before->build, machine->build) != 0)
        add_difference(&c, "build", before->build, machine->build);
    compare_numbers(&c, "substeps", before->substeps, bench_substeps(settings));
    compare_numbers(&c, "threads", before->threads, bench_threads(settings));
    compare_numbers(&c, "lanes", before->lanes, machine->lanes);
    if (c.differences[0]) fprintf(out, "different conditions: %s\n", c.differences);
}

static void print_comparison(FILE *out, const comparison *c, bool single_run) {
    char spread[32] = "(one run)";
    if (!single_run) snprintf(spread, sizeof spread, "(%.2f..%.2f)", c->low, c->high);
    fprintf(out, "%-16s %-16s %10.6f %10.6f %7.2f %s\n", c->scene, c->engine, c->before, c->now,
            c->before / c->now, spread);
    if (c->differences[0]) fprintf(out, "    different work: %s\n", c->differences);
}

void bench_print_comparison(FILE *out, const bench_machine *machine,
                            const bench_settings *settings) {
    fprintf(out, "\n%-16s %-16s %10s %10s %7s (range, from the spread of the runs)\n", "scene",
            "engine", "ms before", "ms now", "ratio");
    double sum = 0;
    int count = 0;
    for (int i = 0; i < line_count; i++) {
        print_comparison(out, &lines[i], lines[i].single_run || settings->repeat < 2);
        if (!lines[i].same_steps || strcmp(lines[i].engine, "cairn") != 0) continue;
        sum += log(lines[i].before / lines[i].now);
        count++;
    }
    if (count > 0)
        fprintf(out, "cairn is %.2f times as fast as before (geometric mean of %d scene%s)\n",
                exp(sum / count), count, count > 1 ? "s" : "");
    print_single_runs(out, settings);
    print_other_machine(out, machine, settings);
}
