/* Measures how many worlds a game server can run (option --rooms). A room is a small game: a world
 * of 60 awake bodies, stepped 30 times a second.
 *
 * Every thread has its own rooms and steps them one after the other, as a server would. The worlds
 * have no threads of their own. A tick is one step of all rooms. Its time is the CPU time of the
 * slowest thread. Threads do not wait for each other, so on an idle machine this is the wall-clock
 * time. The rooms of a full server do not fit in the caches, and this is a part of their cost. So
 * measure about as many rooms as the result says.
 *
 * A room is a box of 16 m x 10 m with 30 boxes and 30 balls. Before each step one of the bodies
 * jumps, so that all bodies stay in motion. */
#include "bench.h"

#include <pthread.h>
#include <stdlib.h>

enum { BOXES = 30, BALLS = 30, BODIES = BOXES + BALLS, JUMPS = 1 };
enum { DEFAULT_TICKS = 150, WARM_UP = 30, RATE = 30, MOST_THREADS = 64 };

typedef struct {
    cn_world *world;
    cn_body bodies[BODIES];
    scene_random random;
} room;

typedef struct {
    room *rooms; // all rooms of the server
    int first, count, ticks;
    double *times; // ms, per tick
    bool failed;
    pthread_t id;
} worker;

typedef struct {
    room *rooms;
    int count, threads, ticks, warm_up;
    worker workers[MOST_THREADS];
} server;

static bool report_error(const char *problem) {
    fprintf(stderr, "cairn-bench: --rooms: %s\n", problem);
    return false;
}

// ------------------------------------------------------------------------------------------ a room

static bool add_walls(cn_world *world) {
    cn_body walls = scene_add_body(world, CN_STATIC, 0, 0);
    bool done = true;
    for (int side = -1; side <= 1; side += 2) {
        cn_hull flat = cn_box(9, 0.5f), upright = cn_box(0.5f, 6);
        cn_hull horizontal = cn_hull_at(flat, cn_pose_at((vec2s){{0, 5.5f * (float)side}}, 0));
        cn_hull vertical = cn_hull_at(upright, cn_pose_at((vec2s){{8.5f * (float)side, 0}}, 0));
        done = done && scene_add_hull(world, walls, horizontal, 0.6f, 1).id &&
               scene_add_hull(world, walls, vertical, 0.6f, 1).id;
    }
    return done;
}

static bool fill_room(room *r) {
    for (int i = 0; i < BODIES; i++) {
        float x = -7 + 1.5f * (float)(i % 10), y = -4 + 1.5f * (float)(i / 10);
        float size = scene_random_range(&r->random, 0.2f, 0.5f);
        cn_hull hull = i % 2 ? cn_circle(size) : cn_box(size, size);
        r->bodies[i] = scene_add_one(r->world, CN_DYNAMIC, x, y, hull, 1);
        if (!r->bodies[i].id) return false;
    }
    return true;
}

static bool start_room(room *r, int number, cn_world_def def) {
    def.threads = 1;
    def.gravity = (vec2s){{0, -10}};
    def.no_sleep = true;
    r->random = (scene_random){(uint64_t)number};
    r->world = cn_world_create(&def);
    return r->world && add_walls(r->world) && fill_room(r);
}

static bool step_room(room *r) {
    for (int i = 0; i < JUMPS; i++) {
        int k = (int)scene_random_range(&r->random, 0, (float)BODIES - 0.01f);
        vec2s velocity = {
            {scene_random_range(&r->random, -4, 4), scene_random_range(&r->random, 3, 9)}};
        if (!cn_body_set_velocity(r->world, r->bodies[k], velocity)) return false;
    }
    return cn_world_step(r->world, 1.0f / RATE);
}

// ---------------------------------------------------------------------------------------- a server

static void *work(void *context) {
    worker *w = context;
    for (int tick = 0; tick < w->ticks && !w->failed; tick++) {
        double start = bench_now(false);
        for (int i = w->first; i < w->first + w->count; i++)
            if (!step_room(&w->rooms[i])) w->failed = true;
        w->times[tick] = bench_now(false) - start;
    }
    if (w->failed) report_error(cn_error());
    return NULL;
}

// Runs all workers and waits for them. The first worker runs in this thread.
static bool run_workers(server *s) {
    int started = 1;
    while (started < s->threads &&
           pthread_create(&s->workers[started].id, NULL, work, &s->workers[started]) == 0)
        started++;
    if (started == s->threads) work(&s->workers[0]);
    bool done = started == s->threads || report_error("the system cannot create more threads");
    for (int i = 0; i < started; i++) {
        if (i > 0) pthread_join(s->workers[i].id, NULL);
        done = done && !s->workers[i].failed;
    }
    return done;
}

static void stop_server(server *s) {
    for (int i = 0; s->rooms && i < s->count; i++) cn_world_destroy(s->rooms[i].world);
    for (int i = 0; i < s->threads; i++) free(s->workers[i].times);
    free(s->rooms);
}

static bool start_server(server *s, const bench_settings *settings) {
    int ticks = settings->steps ? settings->steps : DEFAULT_TICKS;
    int warm_up = settings->warm_up ? settings->warm_up : WARM_UP < ticks ? WARM_UP : 1;
    *s = (server){.count = settings->rooms,
                  .threads = bench_threads(settings),
                  .ticks = ticks,
                  .warm_up = warm_up};
    if (warm_up >= ticks) return report_error("--warm-up leaves no step to time");
    s->rooms = calloc((size_t)s->count, sizeof *s->rooms);
    if (!s->rooms) return report_error("out of memory");
    for (int i = 0; i < s->threads; i++) {
        int first = (int)((int64_t)s->count * i / s->threads);
        int end = (int)((int64_t)s->count * (i + 1) / s->threads);
        s->workers[i] = (worker){.rooms = s->rooms,
                                 .first = first,
                                 .count = end - first,
                                 .ticks = ticks,
                                 .times = calloc((size_t)ticks, sizeof(double))};
        if (!s->workers[i].times) return report_error("out of memory");
    }
    for (int i = 0; i < s->count; i++)
        if (!start_room(&s->rooms[i], i, settings->world)) return report_error(cn_error());
    return true;
}

// ----------------------------------------------------------------------------------------- results

static void count_worlds(const server *s, bench_result *out) {
    bench_counts *counts = &out->counts;
    for (int i = 0; i < s->count; i++) {
        cn_counters c = cn_world_counters(s->rooms[i].world);
        counts->awake += c.awake_bodies;
        counts->touching += c.touching;
        counts->bytes += c.bytes;
        counts->hash = counts->hash * 0x9E3779B97F4A7C15u + cn_world_hash(s->rooms[i].world);
    }
    counts->bodies = s->count * BODIES;
}

static void summarise(const server *s, bench_result *out) {
    int timed = s->ticks - s->warm_up;
    double *ticks = s->workers[0].times + s->warm_up;
    for (int k = 0; k < timed; k++)
        for (int i = 1; i < s->threads; i++) {
            double time = s->workers[i].times[s->warm_up + k];
            if (time > ticks[k]) ticks[k] = time;
        }
    bench_summarise(out, ticks, timed);
    out->steps = s->ticks, out->timed = timed;
}

bool bench_measure_worlds(bench_result *out, const bench_settings *settings) {
    server s;
    *out = (bench_result){.engine = "cairn"};
    bool done = start_server(&s, settings) && run_workers(&s);
    if (done) {
        summarise(&s, out);
        count_worlds(&s, out);
    }
    stop_server(&s);
    return done;
}

int bench_count_worlds_in_real_time(double ms_per_tick, const bench_settings *settings) {
    return (int)(settings->rooms * (1000.0 / RATE) / ms_per_tick);
}
