/* The command line of cost. See cost.h. */
#include "cost.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// After this many steps the bodies of a crowd have come to rest, or move steadily.
enum { WARM_UP = 12, CROWD = 500 };

// Objects that a world may have in addition to the n of its case.
enum { FEW = 256 };

// ---- trials

static void *take_memory(int count, size_t size) {
    void *memory = calloc((size_t)count, size);
    cost_check(memory != NULL, "calloc");
    return memory;
}

// Fills the order of the calls. A shuffled one is equal on every machine.
static void fill_order(trial *t, cost_order order) {
    for (int i = 0; i < t->n; i++) t->order[i] = order == REVERSED ? t->n - 1 - i : i;
    for (int i = t->n - 1; order == SHUFFLED && i > 0; i--) {
        int k = (int)(noise(i) * (float)i), swapped = t->order[i];
        t->order[i] = t->order[k], t->order[k] = swapped;
    }
}

static trial start_trial(int n, cost_order order, cn_motion_type type) {
    int room = 4 * n + FEW;
    trial t = {.n = n,
               .room = room,
               .type = type,
               .order = take_memory(n, sizeof *t.order),
               .bodies = take_memory(room, sizeof *t.bodies),
               .shapes = take_memory(room, sizeof *t.shapes),
               .joints = take_memory(room, sizeof *t.joints)};
    fill_order(&t, order);
    return t;
}

static void stop_trial(trial *t) {
    cn_replay_destroy(t->replay);
    cn_rollback_destroy(t->rollback);
    cn_world_destroy(t->world);
    cn_world_destroy(t->other);
    for (int i = 0; t->worlds && i < t->n; i++) cn_world_destroy(t->worlds[i]);
    void *memory[] = {t->order, t->bodies, t->shapes, t->joints, t->worlds, t->bytes, t->results};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) free(memory[i]);
}

// ---- growth

static const cost_case *running;

static void act_on_all(trial *t) {
    for (int i = 0; i < t->n; i++) running->act(t, t->order[i]);
    take_steps(t, 1);
}

static void run_case(const cost_case *c, int n) {
    trial t = start_trial(n, c->order, c->type);
    running = c;
    c->build(&t);
    cost_count(c->work ? c->work : act_on_all, &t);
    printf("%s %d\n", c->name, n);
    fflush(stdout);
    stop_trial(&t);
}

// True if the user named it, or named nothing.
static bool is_wanted(const char *name, bool on_purpose, char **names) {
    bool any = false;
    for (int i = 0; names[i]; i++) any = any || strcmp(names[i], name) == 0;
    return any || (!names[0] && !on_purpose);
}

static void run_growth(char **names) {
    const cost_case *const lists[] = {shape_cases,  body_cases, joint_cases, step_cases,
                                      sensor_cases, tile_cases, query_cases, state_cases};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        for (const cost_case *c = lists[k]; c->name; c++) {
            if (!is_wanted(c->name, c->on_purpose, names)) continue;
            run_case(c, c->n);
            run_case(c, 2 * c->n);
        }
}

// ---- beside

// Returns the number of bodies that may have moved in the last step.
static int count_moving(const cn_world *world) {
    int count = 0;
    for (cn_body b = {0}; (b = cn_world_next_body(world, b)).id;) {
        vec2s v = cn_body_velocity(world, b);
        bool is_kinematic = cn_body_type(world, b) == CN_KINEMATIC;
        bool moves = v.x != 0 || v.y != 0 || cn_body_angular_velocity(world, b) != 0;
        count += !cn_body_asleep(world, b) && (!is_kinematic || moves);
    }
    return count;
}

static void run_pair(const cost_group *crowd, const cost_group *object) {
    trial t = start_trial(CROWD, IN_ORDER, CN_DYNAMIC);
    start_world(&t, 10);
    if (object) object->build(&t);
    crowd->build(&t); // last, because the object wakes sleepers
    take_steps(&t, WARM_UP);
    cost_count(four_steps, &t);
    printf("%s %s %d\n", crowd->name, object ? object->name : "-", count_moving(t.world));
    fflush(stdout);
    stop_trial(&t);
}

static void run_beside(char **names) {
    for (const cost_group *crowd = crowds; crowd->name; crowd++) {
        if (!is_wanted(crowd->name, crowd->on_purpose, names)) continue;
        run_pair(crowd, NULL);
        for (const cost_group *object = objects; object->name; object++) run_pair(crowd, object);
    }
}

int main(int argc, char **argv) {
    bool growth = argc > 1 && strcmp(argv[1], "growth") == 0;
    bool beside = argc > 1 && strcmp(argv[1], "beside") == 0;
    if (!growth && !beside) {
        fputs("usage: cost growth [CASE...] | cost beside [CROWD...]\n", stderr);
        return 2;
    }
    (growth ? run_growth : run_beside)(argv + 2);
    return 0;
}
