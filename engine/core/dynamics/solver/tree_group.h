/* The passes over a group of trees, which one worker solves at a time. See trees.c. */
#ifndef CN_TREE_GROUP_H
#define CN_TREE_GROUP_H

#include "tree_passes.h"

// Calls a function of a block for all blocks of a run, with the type as a constant.
#define FOR_TYPE(run, name, call)                                                                  \
    if ((run)->row_type == name) {                                                                 \
        const cn_row_type type = name;                                                             \
        for (int k = (run)->first_block; k < (run)->end_block; k++) call;                          \
    }
#define FOR_RUN(run, call)                                                                         \
    {                                                                                              \
        FOR_TYPE(run, CN_ROW_POINT, call)                                                          \
        FOR_TYPE(run, CN_ROW_POINT_ANGLE, call)                                                    \
        FOR_TYPE(run, CN_ROW_AXES, call)                                                           \
        FOR_TYPE(run, CN_ROW_ROOT, call)                                                           \
    }

// FOR_BLOCKS() is for functions that run once per step: the type is not a constant, because code
// for each type would double the size of the kernels. FOR_LEAVES() also defines `leaves`. In
// kernels of one lane `type` and `leaves` are constants, because a block with one joint has little
// work beside the branches.
#if CN_LANES == 1
#define FOR_BLOCKS FOR_RUN
#define FOR_LEAVES(run, call)                                                                      \
    if ((run)->leaves) {                                                                           \
        const bool leaves = true;                                                                  \
        FOR_RUN(run, call)                                                                         \
    } else {                                                                                       \
        const bool leaves = false;                                                                 \
        FOR_RUN(run, call)                                                                         \
    }
#else
#define FOR_BLOCKS(run, call)                                                                      \
    {                                                                                              \
        const cn_row_type type = (run)->row_type;                                                  \
        for (int k = (run)->first_block; k < (run)->end_block; k++) call;                          \
    }
#define FOR_LEAVES(run, call)                                                                      \
    {                                                                                              \
        const bool leaves = (run)->leaves;                                                         \
        FOR_RUN(run, call)                                                                         \
    }
#endif

typedef struct {
    const cn_tree_run *first, *end; // of the trees
    const cn_tree_run *end_closures;
    int first_block, end_block; // of the trees
    int index, first_system, systems;
} group_range;

static group_range group_of(const cn_solver *s, int index) {
    const cn_tree_group *g = &s->batch->tree_groups.items[index];
    const cn_tree_run *runs = s->batch->tree_runs.items;
    return (group_range){runs + g->first_run,
                         runs + g->end_run,
                         runs + g->end_closures,
                         runs[g->first_run].first_block,
                         runs[g->end_run - 1].end_block,
                         index,
                         g->first_system,
                         g->systems};
}

#define EACH_RUN(run, group) for (const cn_tree_run *run = (group).first; run < (group).end; run++)
#define EACH_CLOSURE(run, group)                                                                   \
    for (const cn_tree_run *run = (group).end; run < (group).end_closures; run++)
// The runs of trees and closures.
#define EACH_ANY(run, group)                                                                       \
    for (const cn_tree_run *run = (group).first; run < (group).end_closures; run++)
#define EACH_RUN_BACK(run, group) for (const cn_tree_run *run = (group).end; run-- > (group).first;)

// Clears the sums of the bodies that have children: those of all runs after the runs of leaves.
static void clear_sums(const cn_solver *s, group_range g, bool inertias) {
    const cn_tree_run *run = g.first;
    while (run < g.end && run->leaves) run++;
    if (run == g.end) return;
    int first = run->first_block, count = g.end_block - first;
    if (inertias)
        memset(s->tree.inertias + first, 0, (size_t)count * sizeof(tree_inertia));
    else
        memset(s->tree.momenta + first, 0, (size_t)count * sizeof(tree_momentum));
}

static __attribute__((noinline)) void factor_group(const cn_solver *s, group_range g) {
    clear_sums(s, g, true);
    EACH_RUN(run, g) FOR_LEAVES(run, factor_block(s, k, type, leaves));
    s->tree.factored[g.index] = true;
}

/* An isolated tree is relaxed only in the last substep. A solve sets the velocities of its rows, so
 * the next solve also removes the velocity of the last correction, as relax does. (With relax in
 * every substep this is the method RATTLE, without it SHAKE. Both give the same positions.)
 * Contacts need the relaxed velocities in every substep. */
static bool skips_relax(const cn_solver *s, group_range g) {
    return s->batch->tree_groups.items[g.index].isolated && has_next_substep(s);
}

static __attribute__((noinline)) void place_group(const cn_solver *s, group_range g, bool turns) {
    EACH_ANY(run, g) FOR_RUN(run, place_block(s, parts_of(s, k), type, turns));
    s->tree.factored[g.index] = false;
}

static __attribute__((noinline)) void begin_group(const cn_solver *s, group_range g) {
    // The velocities during the impacts do not correct errors of joints, like those of relax.
    const bool relax = s->now.relax || s->now.impacts, first = is_first_solve(s);
    int stale = 0;
    EACH_ANY(run, g) FOR_RUN(run, stale |= begin_block(s, parts_of(s, k), type, relax, first));
    if (stale) s->tree.factored[g.index] = false;
}

static __attribute__((noinline)) void up_group(const cn_solver *s, group_range g) {
    EACH_RUN(run, g) FOR_LEAVES(run, go_up(s, k, type, leaves, false));
}

static __attribute__((noinline)) int down_group(const cn_solver *s, group_range g,
                                                row_moves moves) {
    int moved = 0;
    EACH_RUN_BACK(run, g) FOR_RUN(run, moved |= go_down(s, parts_of(s, k), type, moves, false));
    return moved;
}

// Finds the velocities that the momenta in the sums alone cause: T times these momenta.
static __attribute__((noinline)) void find_response(const cn_solver *s, group_range g) {
    EACH_RUN(run, g) FOR_RUN(run, go_up(s, k, type, false, true));
    EACH_RUN_BACK(run, g) FOR_RUN(run, go_down(s, parts_of(s, k), type, MOVE_NONE, true));
}

static __attribute__((noinline)) void finish_group(const cn_solver *s, group_range g) {
    const bool relax = s->now.relax, first = is_first_solve(s);
    const bool isolated = !relax && skips_relax(s, g);
    EACH_RUN(run, g) {
        if (isolated) FOR_RUN(run, finish_isolated_block(s, parts_of(s, k), type))
        if (!isolated) FOR_RUN(run, finish_block(s, parts_of(s, k), type, relax, first))
    }
    if (!has_next_substep(s) || !(isolated || relax)) return;
    EACH_CLOSURE(run, g) {
        FOR_RUN(run, add_tree_load(s, parts_of(s, k), type))
        FOR_RUN(run, keep_speeds(parts_of(s, k), type))
    }
}

#endif
