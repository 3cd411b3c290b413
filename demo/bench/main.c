/* The command line of cairn-bench. Each option is one row of a table: its name, the value it takes
 * and the setting it changes. The help text is made from the same table. */
#include "cores.h"
#include "peer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPTIONS = 24 };

typedef struct {
    const char *name, *takes, *help; // `takes` names the value; NULL for a switch
    bool *on;                        // the option sets one of these three
    int *number;
    const char **text;
    int low, high; // bounds of the number
} option;

// The parsed command line. `scene` is the name that was read last.
typedef struct {
    bench_settings settings;
    const char *scene;
    bool list, help;
} command;

// Fills the rows and returns how many there are.
static int list_options(command *c, option rows[MAX_OPTIONS]) {
    bench_settings *s = &c->settings;
    const option table[] = {
        {"--scene", "NAME",
         "measure this scene; may be repeated (default: all scenes not marked (demo))",
         .text = &c->scene},
        {"--steps", "N", "steps per run, including the warm-up (each scene has its own default)",
         .number = &s->steps, .low = 2, .high = 1000000},
        {"--warm-up", "N",
         "do not time the first N of these steps (1; in small worlds, which are timed in\n"
         "                    groups of 100 steps, 60 or fewer plus the rest of an incomplete "
         "group)",
         .number = &s->warm_up, .low = 1, .high = 1000000},
        {"--repeat", "R", "runs of each scene; the one with the smallest mean counts (1)",
         .number = &s->repeat, .low = 1, .high = 1000},
        {"--substeps", "N", "substeps per step (4)", .number = &s->world.substeps, .low = 1,
         .high = 64},
        {"--lanes", "N",
         "SIMD lanes: 1, 4, 8 or 16 (the best of this machine; fewer for small islands)",
         .number = &s->world.lanes, .low = 1, .high = 16},
        {"--threads", "N", "threads of the world (1)", .number = &s->world.threads, .low = 1,
         .high = 64},
        {"--near", NULL,
         "with --threads: measure how long a cache line takes to another core and back, before\n"
         "                    and after each run; prefer runs between near cores (less than 220 "
         "ns)",
         .on = &s->near},
        {"--cores", "N",
         "predict the time of a step on N cores from the times of its blocks on one thread",
         .number = &s->cores, .low = 2, .high = 64},
        {"--rooms", "N",
         "instead of scenes, measure N worlds of 60 awake bodies, divided among the\n"
         "                    threads: how many worlds can be stepped in real time at 30 Hz",
         .number = &s->rooms, .low = 1, .high = 1000000},
        {"--memory", NULL,
         "check how many bytes worlds, bodies, contacts and tiles take, each figure against its\n"
         "                    bar, and time nothing",
         .on = &s->memory},
        {"--pin", "CPU", "run on this CPU only, counted from 0 (Linux)", .number = &s->pin,
         .high = 4095},
        {"--peers", NULL, "also run the scenes in the other engines that are built in",
         .on = &s->peers},
        {"--stages", NULL, "also print the mean wall-clock time of each stage of a step",
         .on = &s->stages},
        {"--json", NULL, "print an array of JSON objects instead", .on = &s->json},
        {"--list", NULL, "print the scenes and exit", .on = &c->list},
        {"--help", NULL, "print this help and exit", .on = &c->help},
    };
    static_assert(sizeof table <= MAX_OPTIONS * sizeof *rows, "MAX_OPTIONS is too small");
    memcpy(rows, table, sizeof table);
    return (int)(sizeof table / sizeof *table);
}

static void print_help(command *c) {
    puts("usage: cairn-bench [OPTION]...\n\n"
         "Measures how long the steps of the benchmark scenes take, and how long queries take.\n");
    option rows[MAX_OPTIONS];
    int count = list_options(c, rows);
    for (int i = 0; i < count; i++)
        printf("  %-11s %-5s %s\n", rows[i].name, rows[i].takes ? rows[i].takes : "", rows[i].help);
    puts(
        "\nEach line describes the best run of a scene: the counts at the end (bodies, contacts\n"
        "between overlapping boxes, touching contacts, joints), all steps and the timed steps,\n"
        "the minimum, median, 99th percentile and mean time of a step in ms (small worlds: us),\n"
        "the bytes in use, the sum of awake bodies over all steps, the mean height of the\n"
        "dynamic bodies, and the hash of the world. Two engines or builds did the same work if\n"
        "touching, awake sum and height agree.\n\n"
        "Scenes marked (queries) time a batch of queries after each step, but not the step.\n"
        "Their lines have the time of one query in us or ns, the number of results of all\n"
        "batches and per query, and the mean distance of the results (for rays and casts, the\n"
        "fraction). Two engines did the same work if results and distance agree.\n\n"
        "  cairn-bench --scene smash --stages              the time of each stage of a step\n"
        "  cairn-bench --repeat 5 --json > before.json     run this before a change, then this:\n"
        "  cairn-bench --repeat 5 --json | demo/bench/compare.py before.json\n"
        "  cairn-bench --peers --scene small-100           compare with other engines\n"
        "  cairn-bench --threads 2 --near --repeat 9       two threads, where cores share a cache\n"
        "  cairn-bench --cores 8 --repeat 5 --stages       where the time would go on 8 cores\n"
        "  cairn-bench --rooms 4000 --threads 2            many worlds, as on a game server");
}

static bool report_error(const char *problem, const char *argument) {
    fprintf(stderr, "cairn-bench: %s: %s (see --help)\n", problem, argument);
    return false;
}

static bool read_number(const option *o, const char *text) {
    char *end;
    long number = strtol(text, &end, 10);
    if (end != text && *end == 0 && number >= o->low && number <= o->high) {
        *o->number = (int)number;
        return true;
    }
    fprintf(stderr, "cairn-bench: %s needs a number from %d to %d, not \"%s\"\n", o->name, o->low,
            o->high, text);
    return false;
}

static bool add_scene(bench_settings *settings, const char *name) {
    // Some demo scenes have the same names as scenes of queries, which come first here.
    const scene *subject = scene_find_in(query_scenes, name);
    if (!subject) subject = scene_find(name);
    if (!subject) {
        fprintf(stderr, "cairn-bench: there is no scene \"%s\" (see --list)\n", name);
        return false;
    }
    if (settings->scene_count == BENCH_MAX_SCENES) return report_error("too many scenes", name);
    settings->scenes[settings->scene_count++] = subject;
    return true;
}

static void add_all_scenes(bench_settings *settings) {
    const scene *const *const lists[] = {bench_scenes, query_scenes};
    // (Queries are not work of a step.)
    for (size_t k = 0; k < (settings->cores ? 1 : sizeof lists / sizeof *lists); k++)
        for (int i = 0; lists[k][i] && settings->scene_count < BENCH_MAX_SCENES; i++)
            settings->scenes[settings->scene_count++] = lists[k][i];
}

static bool read_value(command *c, const option *o, const char *value) {
    if (!value) {
        fprintf(stderr, "cairn-bench: %s needs a value: %s\n", o->name, o->takes);
        return false;
    }
    if (o->number) return read_number(o, value);
    *o->text = value;
    return o->text != &c->scene || add_scene(&c->settings, value);
}

static const option *find_option(const option *rows, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    return NULL;
}

static bool parse(command *c, int argc, char **argv) {
    option rows[MAX_OPTIONS];
    int count = list_options(c, rows);
    for (int i = 1; i < argc; i++) {
        const option *o = find_option(rows, count, argv[i]);
        if (!o) return report_error("unknown argument", argv[i]);
        if (o->on)
            *o->on = true;
        else if (!read_value(c, o, ++i < argc ? argv[i] : NULL))
            return false;
    }
    return true;
}

static bool is_demo_scene(const scene *which) {
    for (int i = 0; demo_scenes[i]; i++)
        if (demo_scenes[i] == which) return true;
    return false;
}

// Demo scenes may make calls while they run that a mirror does not copy: see mirror.h.
static bool check_peers(const bench_settings *settings) {
    if (!peers[0])
        return report_error("this build has no other engines (meson setup -Dpeers=enabled)",
                            "--peers");
    for (int i = 0; i < settings->scene_count; i++)
        if (is_demo_scene(settings->scenes[i]))
            return report_error("other engines cannot run a demo scene", settings->scenes[i]->name);
    return true;
}

static bool check(command *c) {
    bench_settings *s = &c->settings;
    if (s->pin >= 0 && s->world.threads > 1)
        return report_error("several threads cannot run on one CPU", "--pin");
    if (s->rooms && (s->scene_count || s->peers || s->stages || s->near))
        return report_error("cannot be used with --scene, --peers, --stages or --near", "--rooms");
    if (s->memory &&
        (s->scene_count || s->rooms || s->cores || s->near || s->peers || s->stages || s->json))
        return report_error("cannot be used with another option", "--memory");
    if (s->near && s->world.threads < 2) return report_error("needs --threads", "--near");
    if (s->cores && (s->rooms || s->peers || s->near || s->world.threads))
        return report_error("cannot be used with --threads, --near, --rooms or --peers", "--cores");
    if (s->peers && !check_peers(s)) return false;
    s->world.profiling = s->stages && !s->cores; // the trace of blocks knows the stages itself
    return true;
}

static void list_scenes(void) {
    for (int i = 0; bench_scenes[i]; i++)
        printf("%-20s %s\n", bench_scenes[i]->name, bench_scenes[i]->caption);
    for (int i = 0; query_scenes[i]; i++)
        printf("%-20s (queries) %s\n", query_scenes[i]->name, query_scenes[i]->caption);
    for (int i = 0; demo_scenes[i]; i++)
        printf("%-20s (demo) %s\n", demo_scenes[i]->name, demo_scenes[i]->caption);
}

static bool run(const bench_settings *settings, const bench_machine *machine) {
    bool json = settings->json;
    if (!json) bench_print_header(machine, settings);
    for (int i = 0; i < settings->scene_count; i++) {
        const scene *subject = settings->scenes[i];
        bench_result results[BENCH_MAX_ENGINES] = {0};
        int count = bench_measure(results, subject, settings);
        if (count == 0) return false;
        if (json)
            bench_print_json(subject, results, count, machine, settings, i == 0);
        else
            bench_print_results(subject, results, count, settings);
        fflush(stdout);
    }
    if (json)
        puts("\n]");
    else
        bench_print_means();
    return true;
}

static bool run_worlds(const bench_settings *settings, const bench_machine *machine) {
    bench_result *runs = calloc((size_t)settings->repeat, sizeof *runs);
    bool done = runs != NULL;
    if (!settings->json) bench_print_header(machine, settings);
    for (int i = 0; i < settings->repeat && done; i++)
        done = bench_measure_worlds(&runs[i], settings);
    if (done) bench_print_worlds(runs, machine, settings);
    free(runs);
    return done;
}

int main(int argc, char **argv) {
    command c = {.settings = {.repeat = 1, .pin = -1}};
    if (!parse(&c, argc, argv)) return 2;
    if (c.help) return print_help(&c), 0;
    if (c.list) return list_scenes(), 0;
    bench_settings *settings = &c.settings;
    if (!check(&c)) return 2;
    if (settings->memory) return bench_check_memory() ? 0 : 1;
    if (settings->scene_count == 0) add_all_scenes(settings);
    if (settings->pin >= 0 && !bench_pin(settings->pin)) return 2;
    bench_machine machine;
    if (!bench_read_machine(&machine, settings)) return 2;
    if (settings->cores) return cores_measure(settings, &machine) ? 0 : 1;
    return (settings->rooms ? run_worlds : run)(settings, &machine) ? 0 : 1;
}
