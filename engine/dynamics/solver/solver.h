/* solver: the substeps of a batch, whole islands in one piece of scratch memory.
 *
 *   solver.c          the loop of substeps, passes over the constraints         (per SIMD width)
 *   contact_rows.h    the wide contact constraints: prepare, solve, store
 *   contact_impact.h  impacts, before a substep is solved
 *   contact_limits.h  contacts that push with less than all their force
 *   joint_rows.h      the wide joint constraints
 *   finish_kernel.c   new poses, shapes and boxes after the substeps            (per SIMD width)
 *   bodies.c          the states of bodies: loaded, driven, moved
 *   coupling.c        gears and pulleys
 *   workers.c         all batches, and who solves what: a worker alone, or several together
 */
#ifndef CN_SOLVER_H
#define CN_SOLVER_H

#include "../plan/plan.h"

// ---- the solution of a batch

// How a constraint gives way: factors of the implicit spring-damper, already multiplied out.
typedef struct {
    float bias_rate, impulse_scale;
} cn_softness;

// What drives a body in a substep.
typedef struct {
    cn_float4 damp, add; // v = damp * v + add; lane 3 keeps the inverse mass
} cn_drive;

// What a pass does with a run of blocks of a colour.
typedef struct cn_solver cn_solver;
typedef void cn_solver_pass(cn_solver *s, const cn_color *color, int first, int end);

// The solution of a batch; every worker has a solver of its own.
struct cn_solver {
    cn_simulation *sim;
    cn_batch *batch;
    cn_worker *worker;
    // By state. Of `free` v is the unconstrained velocity, in prepare {warm start, 1/inertia}, and d is h/2 times
    // its change in this substep.
    cn_state *states, *free;
    cn_drive *drives;
    uint8_t *recovers; // is it a body that is deep in others, to be parted? NULL if none is
    bool *block_recovers;  // by block of contacts: is any of its bodies? Only if some are
    float *load_limits;  // see limit_carried_impulse(); NULL if nothing is pressed
    // Block k of the batch has the lanes from k * CN_LANES on; first come joints, then contacts. Rows,
    // extensions and hits are only there if some have any.
    struct joint_block *joints;
    struct joint_rows *rows;
    struct contact_block *blocks;
    struct contact_extension *extensions;
    struct hit_row *hits;
    // The same in all substeps.
    int substeps;
    float h, inverse_h;
    float warm_scale; // impulses are stored as those of a substep of the world
    float store_scale;
    float push_speed; // m/s, of contacts: as prepared_joints, but less in short substeps
    float threshold;  // m/s
    cn_softness contact_softness, static_softness, joint_softness;
    // What is being done.
    int substep, sweep;
    bool relax;
    cn_solver_pass *pass;
    int color, block; // where the stage begins
};

// Scratch bytes that the solution of a batch needs, and the solution: all substeps, results written
// back to contacts and bodies. Several workers may solve a batch together, or each its own, each from
// another place in the arena.
typedef size_t cn_batch_bytes_function(cn_batch *batch);
typedef void cn_solve_function(cn_simulation *sim, cn_batch *batch, size_t place, cn_worker *worker);
CN_PER_WIDTH(cn_batch_bytes_function, cn_batch_bytes);
CN_PER_WIDTH(cn_solve_function, cn_solve_batch);

// Velocities, poses, shapes, boxes and rest times of bodies, from their states and unconstrained
// velocities. `touches` says which of them have contacts; NULL: none. (finish_kernel.c)
typedef void cn_finish_function(cn_simulation *sim, const int *bodies, int count,
                                const cn_state *states, const cn_state *free,
                                const uint8_t *touches);
CN_PER_WIDTH(cn_finish_function, cn_finish_bodies);

// ---- bodies (bodies.c): items first..end - 1 of the batch, shared by workers

// Where the unused lanes of a type are led: blocks of one colour are solved at the same time, and may not
// write what others use. (There are fewer kinds of joints than of contacts.)
static inline int cn_unused_state(const cn_batch *batch, cn_row_type type) {
    return batch->bodies.count + 1 + (int)type % CN_CONTACT_ROW_TYPES;
}
void cn_load_bodies(void *solver, int first, int end);
void cn_clamp_velocities(void *solver, int first, int end); // locks and speed limits

// A body that had a shock: constraints stopped or hit it in this substep. The sign of the inverse
// mass beside its displacement says so, hence passes read it together with the displacement.
static inline void cn_mark_shock(cn_state *state) { state->d[3] = -state->v[3]; }

// ---- couplings (coupling.c)

void cn_prepare_coupling(const cn_solver *s, int joint); // adds the warm start to `free`
void cn_solve_coupling(const cn_solver *s, int joint);

// ---- workers (workers.c)

void cn_solve(cn_simulation *sim); // all batches

// The constraints before block `end`, stage by stage, shared by the workers of a giant batch.
void cn_share_pass(cn_solver *s, cn_solver_pass *what, int end);
// Joints by themselves, from the last colour to the first.
void cn_run_joints_back(cn_solver *s, cn_solver_pass *what);

static inline void cn_share_bodies(cn_solver *s, int count, cn_part *part) {
    cn_distribute(s->worker, count, 0, part, s);
}

// The constraints before block `end`. Couplings, joints, contacts; of each first the colours with bodies on both
// sides, then those with the static world: the last word counts.
static inline void cn_run_blocks(cn_solver *s, cn_solver_pass *what, int end) {
    const cn_color *colors = s->batch->colors.items;
    if (s->worker->job)
        cn_share_pass(s, what, end);
    else
        for (int i = 0; i < s->batch->colors.count && colors[i].first_block < end; i++)
            what(s, &colors[i], colors[i].first_block, colors[i].end_block);
}

static inline void cn_run_pass(cn_solver *s, cn_solver_pass *what) { cn_run_blocks(s, what, INT32_MAX); }

#endif
