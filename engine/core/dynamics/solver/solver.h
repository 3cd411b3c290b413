/* solver: the substeps of a batch, which is a set of whole islands in one piece of scratch memory.
 *
 *   solver.c           the loop of substeps, passes over the constraints         (per SIMD width)
 *   contact_block.h    the wide contact constraints: data, and what all passes need
 *   contact_prepare.h  contact records and bodies become blocks
 *   contact_rows.h     solve, relax, store
 *   contact_fast.h     what solve and relax do about points that approach fast
 *   contact_impact.h   impacts, before a substep is solved
 *   contact_push.h     how impacts change bodies
 *   contact_tree_impact.h  impacts of bodies of trees
 *   contact_overlap.h  bodies that overlap are moved apart
 *   contact_limits.h   contacts between walls: their warm start is limited
 *   joint_block.h      the wide joint constraints: data, reading and writing
 *   joint_rows.h       joints that are iterated, such as those of nets with many cycles
 *   trees.c            trees of joints, solved directly                          (per SIMD width)
 *   impact_trees.h     how impacts move trees
 *   response.c         velocities of bodies of trees, as contacts see them
 *   finish_kernel.c    new poses, shapes and boxes after the substeps            (per SIMD width)
 *   bodies.c           the states of bodies: loading, forces and damping, clamping
 *   coupling.c         gears and pulleys
 *   workers.c          all batches, and which workers solve them: one worker alone, or all together
 *
 * Symbols: h is the length of a substep; a, b are the bodies of a constraint; v, w are velocity and
 * angular velocity; d is the displacement since the start of the step; n is the normal from A to B,
 * t the tangent; r is a lever arm; l is an accumulated impulse, p a new one; m is an effective
 * mass.
 *
 * A row of a body in lanes has the members x, y, z, w of cn_row4w. Of velocities, z is the angular
 * velocity and w the inverse mass. Of displacements, z is the angle and w the inverse mass again.
 *
 * A pass goes once over the constraints of a batch. Impacts take several passes, called sweeps.
 * (The sweeps of continuous collision are other ones.)
 */
#ifndef CN_SOLVER_H
#define CN_SOLVER_H

#include "../plan/plan.h"

// ---- the solution of a batch

#define CN_LARGEST 1e30f // N s, N m s, kg m^2: keeps impulses and inertias finite

// Fraction of tuning.push_speed: the contacts of bodies with joints push with this speed at most,
// and the warm start between walls stops a contact of this speed. Bodies that part faster are not
// moved apart.
#define CN_PUSH_BY_VELOCITY 0.1f

// The softness of a constraint: factors of an implicit spring and damper. A row with effective mass
// m, velocity v, error s and impulse l gets the impulse
//
//     (1 - impulse_scale) (l - m v) - m bias_rate s
//
// {1 / h, 0} is a rigid row. See make_softness(). (Box2D's biasRate times massScale is bias_rate.)
typedef struct {
    float bias_rate;     // 1/s
    float impulse_scale; // 0..1: fraction of the impulse that leaks in a solve
} cn_softness;

// The effect of forces and damping on the velocity of a body in a substep: v = damp * v + add.
typedef struct {
    cn_float4 damp, add; // x, y, angle; lane 3 keeps the inverse mass
} cn_drive;

// The impacts of a body. The contacts of a body are a list of their ends: end 2 * lane is body A of
// the contact, 2 * lane + 1 is body B.
typedef struct {
    cn_float4 before; // velocity before its first impact in `substep`; in lane 3 the time of that
    int8_t substep;   // the last one in which it had an impact; -1: none
    int8_t stopped;   // of the first body of an island: the last substep in which the island had no
                      // more sweeps because of CROWD; -1: none
    int8_t due; // of the first body of an island: the last substep in which trees were solved for
                // its impacts; -1: none
    bool beside_tree; // has a contact with a body of a tree of joints
    int impacts;      // of the first body of an island: those of the present sweep
    int first;        // state of the first body of its island
    int first_end;    // -1: none
} cn_impact_body;
static_assert(sizeof(cn_impact_body) == 32, "");

typedef struct cn_solver cn_solver;
// A part of the solution: passes and other stages.
typedef void cn_solver_work(cn_solver *s);
// A pass does something with blocks first..end - 1, which are of one colour.
typedef void cn_solver_pass(cn_solver *s, const cn_color *color, int first, int end);

// What is the same in all substeps of a step.
typedef struct {
    int substeps;
    float h, inverse_h; // s, 1/s
    float warm_scale;   // stored impulse -> warm start: stored ones are of a substep of the world
    float store_scale;  // impulse of a substep -> stored impulse
    double closure_compliance; // of a closure row, as a fraction of its inverse mass
    float pull_scale;          // s: stored impulse -> force times the square of the substep
    float spring_speed; // m/s: the speed that the springs of a contact may add to what it bears
    float impact_speed; // m/s: contacts without restitution that approach faster land
    cn_softness contact_softness, static_softness, joint_softness;
} cn_solver_constants;

// Impacts (contact_impact.h).
typedef struct {
    struct impact_row *rows;  // by block
    int *next_ends;           // by end: the next one in the list of its body; -1: none
    uint64_t *due_blocks;     // bits: blocks that the next sweep visits; NULL: it visits all
    uint64_t *visited;        // bits: blocks that were visited in this substep; NULL: no bits
    bool visits_all;          // the sweeps of this substep visit all blocks
    cn_impact_sweeps *sweeps; // by substep. Not in scratch memory.
    cn_impact_body *bodies;   // by state; unused lanes have none
} cn_solver_impacts;

// A body of a tree, during the impacts.
typedef struct {
    int state, group;
    int next;     // lane of the next body of the tree, from the root down; -1: none
    int path;     // scratch: lane of the child towards a body that is pushed; -1: none
    bool on_path; // scratch: its joint passes on a part of the push
    // Of the root:
    int next_pushed; // root of the next pushed tree of the group; -1: none
    bool pushed;     // an impact has changed the tree, and it must be settled
    bool yields;     // it must be settled after impacts: it has limits, motors or closures that act
} cn_tree_body;

// A group of trees, during the impacts.
typedef struct {
    bool listed;      // its bodies have their places in `bodies` and `lanes`
    bool due;         // in this substep, an island of one of its trees has impacts
    int first_pushed; // root of the first pushed tree; -1: none
} cn_tree_group_impacts;

// Trees of joints (trees.c).
typedef struct {
    // By block of tree_lanes.
    struct tree_block *blocks;
    struct joint_block *joints;
    struct joint_rows *rows;
    struct tree_axes *axes;
    // Sums that the children of a body add to its inertia and momentum, by the block of the body.
    struct tree_inertia *inertias;
    struct tree_momentum *momenta;
    struct closure_system *closures;
    bool *factored; // by group: D and g of its blocks are up to date
    // The responses of a group begin at the index of its first lane.
    struct cn_response *responses;
    int *response_counts; // by group
    cn_state *centres;    // by state: centre of its response, in v; NULL if there are no responses
    // By state: the number of the tree of the body, -1 if only other joints act on it, 0 if none
    // do. NULL if the batch has no joints.
    int *numbers;
    // During the impacts (impact_trees.h). NULL if the batch has no trees.
    cn_tree_body *bodies;          // by lane
    int *lanes;                    // by state: lane of the body
    cn_tree_group_impacts *groups; // by group
    cn_float4 *alone;    // by state: velocity without the joints: the next solve begins with it
    cn_float4 *changes;  // by state: change of the velocity in this substep by forces and joints
    cn_float4 *before;   // by state, scratch: velocity before the trees are settled
    uint64_t *due_lanes; // bits: lanes of contacts that the next sweep visits, if in trees
    struct tree_impact *impacts; // scratch: the contacts of trees that a sweep visits
    uint64_t *contact_blocks;    // bits: blocks that have contacts of trees
} cn_solver_trees;

// Where the solution is.
typedef struct {
    int substep, sweep;
    bool relax;
    bool repeats;                          // the trees are solved once more, after contacts
    bool impacts;                          // the trees are solved during the impacts
    bool ends_impacts;                     // the next solve of the trees ends the impacts
    bool links_beside_trees, links_others; // the contacts that link_blocks() adds to lists
    cn_solver_pass *pass;
    int color, block, end_color; // the first ones of the current stage, and its end
    int grain; // blocks that a worker takes at a time; 0: each takes one part of a colour
    cn_solver_work *work;
} cn_solver_progress;

// The solution of a batch. Every worker has a solver of its own, with pointers to the same memory
// if several workers solve the batch together.
struct cn_solver {
    cn_simulation *sim;
    cn_batch *batch;
    cn_worker *worker;
    // By state. In `free`, v is the unconstrained velocity of the body in this substep, and d is h
    // / 2 times its change. While constraints are prepared, free.v is {warm start; inverse
    // inertia}.
    cn_state *states, *free;
    cn_drive *drives;
    float *load_limits; // N s, by state: see limit_carried_impulse(); NULL if none is pressed
    // Block k of the batch has the lanes from k * CN_LANES on. Joints come first, then contacts.
    // Rows, extensions and hits are NULL if no block of the batch has them.
    struct joint_block *joints;
    struct joint_rows *rows;
    struct contact_block *blocks;
    struct contact_extension *extensions;
    struct hit_row *hits;
    cn_solver_impacts impacts;
    cn_solver_trees tree;
    cn_solver_constants constants;
    cn_solver_progress now;
};

// Returns how many bytes of scratch memory the solution of a batch needs.
typedef size_t cn_batch_bytes_function(cn_batch *batch);
// Solves a batch: all substeps. Writes the results back to contacts, joints and bodies. Several
// workers may solve the same batch together, or each worker another one. `place` is the offset of
// the worker's memory in the arena.
typedef void cn_solve_function(cn_simulation *sim, cn_batch *batch, size_t place,
                               cn_worker *worker);
CN_PER_WIDTH(cn_batch_bytes_function, cn_batch_bytes);
CN_PER_WIDTH(cn_solve_function, cn_solve_batch);

// Writes velocities, motions and rest times of bodies, from their states and unconstrained
// velocities. (finish_kernel.c)
typedef void cn_finish_function(cn_simulation *sim, const int *bodies, int count,
                                const cn_state *states, const cn_state *free);
CN_PER_WIDTH(cn_finish_function, cn_finish_bodies);

// ---- trees of joints (trees.c)

enum { CN_DISTRIBUTED_GROUPS = 3 }; // groups of trees: fewer are solved by one worker

// Take scratch memory; prepare, solve or relax, and store all joints of the batch's trees. Then the
// contacts act on them, and cn_finish_trees() takes over what they did. With now.repeats it also
// solves the trees once more.
typedef void cn_tree_function(cn_solver *s);
typedef void cn_tree_memory_function(cn_solver *s, cn_arena *arena);
CN_PER_WIDTH(cn_tree_memory_function, cn_take_tree_memory);
CN_PER_WIDTH(cn_tree_function, cn_prepare_trees);
CN_PER_WIDTH(cn_tree_function, cn_prepare_all_responses);
CN_PER_WIDTH(cn_tree_function, cn_solve_trees);
CN_PER_WIDTH(cn_tree_function, cn_finish_trees);
CN_PER_WIDTH(cn_tree_function, cn_store_trees);

// ---- trees of joints during the impacts (impact_trees.h)

// Solve the trees of the islands that have impacts; solve those again that were pushed; give the
// bodies the velocities from which the next solve begins (with now.ends_impacts, the next
// cn_solve_trees() also does this).
CN_PER_WIDTH(cn_tree_function, cn_begin_tree_impacts);
CN_PER_WIDTH(cn_tree_function, cn_settle_trees);
CN_PER_WIDTH(cn_tree_function, cn_end_tree_impacts);

// Impulses on the bodies A and B of a contact, or what they change: x, y, angular. Torques and
// velocities are those about the centre of the response of a body.
typedef struct {
    cn_float4 a, b;
} cn_pair_change;

// Returns the changes of the velocities by impulses on two bodies, one or both in trees. A body
// that is in no tree does not change.
typedef cn_pair_change cn_respond_function(const cn_solver *s, int a, int b, cn_pair_change p);
CN_PER_WIDTH(cn_respond_function, cn_respond);
// Applies an impulse to a body of a tree: changes the velocities of all bodies of the tree, and
// moves them back by that times the time of the impact. That is lane 3 of the impulse, or with
// `lands` the time of the first impact of the tree.
typedef void cn_push_tree_function(const cn_solver *s, int state, cn_float4 impulse, bool lands);
CN_PER_WIDTH(cn_push_tree_function, cn_push_tree);

// ---- responses of bodies in trees to contacts (response.h, response.c)

// The mass, inertia and centre with which contacts act on a body of a tree.
typedef struct cn_response {
    // Velocities before the contacts are solved, at the centre of mass.
    cn_float4 v, free;           // of the response
    cn_float4 alone, free_alone; // of the body alone
    cn_float4 d, shift;          // displacement of the body; that of the centre minus d
    cn_float4 excess;            // velocity of the body alone minus that of the response
    int state;
    float inverse_mass, inverse_inertia;         // of the response, about its centre
    float own_inverse_mass, own_inverse_inertia; // of the body alone
    vec2s centre;                                // of the response, from the centre of mass
} cn_response;

// Returns the index of the first lane of a group, where its responses begin.
static inline int cn_first_lane_of_group(const cn_solver *s, int group) {
    const cn_batch *batch = s->batch;
    int run = batch->tree_groups.items[group].first_run;
    return batch->tree_runs.items[run].first_block * batch->kernels->lanes;
}

// Returns a velocity at a point r away from where it was taken.
static inline cn_float4 cn_move_velocity(cn_float4 v, vec2s r) {
    return v + (cn_float4){-v[2] * r.y, v[2] * r.x, 0, 0};
}

// Convert the velocities of the bodies of a group that have a response, before and after contacts:
// see response.c. Without responses they do nothing.
void cn_prepare_responses(const cn_solver *s, int group); // converts the warm start
void cn_begin_responses(const cn_solver *s, int group);
void cn_end_responses(const cn_solver *s, int group);
// Move velocities and displacements to the centres of the responses and back, for the impacts.
void cn_begin_impact_responses(const cn_solver *s, int group);
void cn_end_impact_responses(const cn_solver *s, int group);

// ---- bodies (bodies.c)

// These are parts of cn_distribute(): they handle bodies first..end - 1 of the batch.
void cn_load_bodies(void *solver, int first, int end);
void cn_clear_impact_marks(cn_solver *s); // blocks that are due and that were visited
void cn_clamp_velocities(void *solver, int first, int end); // locks and speed limits

// Returns the state that unused lanes of a row type read and write. Blocks of one colour are solved
// at the same time, so blocks of different row types may not write the same state. (Joints and
// contacts have equally many row types.)
static inline int cn_unused_state(const cn_batch *batch, cn_row_type type) {
    return batch->bodies.count + 1 + (int)type % CN_CONTACT_ROW_TYPES;
}

// ---- couplings (coupling.c)

void cn_prepare_coupling(const cn_solver *s, int joint); // adds the warm start to `free`
void cn_solve_coupling(const cn_solver *s, int joint);
void cn_finish_coupling(const cn_solver *s, int joint); // also the load of a joint without rows

// The impulse of a joint on B.
typedef struct {
    vec2s p;    // N s, world
    float turn; // N m s
} cn_joint_push;
// Returns the impulse in this substep of the coupling that the joint of a lane owns.
cn_joint_push cn_coupling_push(const cn_solver *s, const cn_lane *lane);

// ---- workers (workers.c)

void cn_solve(cn_simulation *sim); // solves all batches

// Runs a pass over the colours first..end - 1, stage by stage, distributed to the workers of a
// giant batch. Then one worker runs a function, in the last stage if that is not distributed. NULL:
// no function.
void cn_distribute_pass(cn_solver *s, cn_solver_pass *pass, int first, int end,
                        cn_solver_work *then);
// Returns the number of stages of a pass over all colours.
int cn_count_stages(const cn_batch *batch);
// The same for a pass whose blocks do not depend on each other: it is one stage.
void cn_distribute_free_pass(cn_solver *s, cn_solver_pass *pass, int first, int end);

// One worker runs a function of several stages alone, as a single stage, if waiting for each other
// would take longer than the work. Changes of s->now by the function are lost.
void cn_run_alone(cn_solver *s, cn_solver_work *work);

static inline void cn_distribute_bodies(cn_solver *s, int count, cn_part *part) {
    cn_distribute(s->worker, count, 0, part, s);
}

// Returns the number of the colours of couplings and joints, which come first.
static inline int cn_count_joint_colors(const cn_batch *batch) {
    int i = 0;
    while (i < batch->colors.count && batch->colors.items[i].first_block < batch->joint_blocks) i++;
    return i;
}

// Runs a pass over the colours first..end - 1, then a function on one worker. Couplings come first,
// then joints, then contacts. Of each of these the colours between moving bodies come first, then
// those with static bodies, because the constraint that is solved last is fulfilled best.
static inline void cn_run_colors_then(cn_solver *s, cn_solver_pass *pass, int first, int end,
                                      cn_solver_work *work) {
    const cn_color *colors = s->batch->colors.items;
    if (cn_has_job(s->worker)) {
        cn_distribute_pass(s, pass, first, end, work);
        return;
    }
    for (int i = first; i < end; i++)
        pass(s, &colors[i], colors[i].first_block, colors[i].end_block);
    if (work) work(s);
}

static inline void cn_run_colors(cn_solver *s, cn_solver_pass *pass, int first, int end) {
    cn_run_colors_then(s, pass, first, end, NULL);
}

static inline void cn_run_pass(cn_solver *s, cn_solver_pass *pass) {
    cn_run_colors(s, pass, 0, s->batch->colors.count);
}

// Runs a pass whose blocks do not depend on each other, over the colours from `first` on.
static inline void cn_run_free_pass(cn_solver *s, cn_solver_pass *pass, int first) {
    if (cn_has_job(s->worker))
        cn_distribute_free_pass(s, pass, first, s->batch->colors.count);
    else
        cn_run_colors(s, pass, first, s->batch->colors.count);
}

#endif
