/* model: the plan of who is solved with whom, and the simulation: all arrays of rows in one struct. */
#ifndef CN_SIMULATION_H
#define CN_SIMULATION_H

#include "rows.h"

// ---- the plan: who is solved with whom, in which order

// What is so much heavier than another takes it along like a wall (see greatest_push()), and needs more substeps where
// a joint holds both.
#define CN_UNEVEN_RATIO 10.0f
static inline bool cn_masses_uneven(const cn_body_hot *a, const cn_body_hot *b) {
    return a->inverse_mass > CN_UNEVEN_RATIO * b->inverse_mass ||
           b->inverse_mass > CN_UNEVEN_RATIO * a->inverse_mass;
}

// One lane of a constraint block: a contact and the states of its bodies in the batch.
typedef struct {
    int32_t slot;
    int32_t a, b;
    float count; // contacts between the two bodies, of which it is one; 0: not a contact
} cn_lane;

// Blocks of one colour and kind: no two of their contacts share a body that can move. Where the colours did
// not suffice each block has one contact only.
typedef struct {
    int first_block, end_block; // of the batch; each has as many lanes as its kernels
    cn_row_type row_type;
    int number;    // the same for all kinds of a colour
    bool static_a;    // A is static or kinematic
    bool in_order; // the blocks may share bodies
} cn_color;

typedef struct cn_kernels cn_kernels;
typedef struct cn_simulation cn_simulation;

// Whole islands that are solved together in one piece of scratch memory.
typedef struct cn_batch {
    CN_LIST(int) bodies;  // by island, then the kinematic ones (carriers); state i + 1 is body i
    CN_LIST(int) islands; // number of bodies of each island
    CN_LIST(uint8_t) touches; // by body: had it contacts when the batch was planned?
    CN_LIST(cn_color) colors;  // in solving order
    CN_LIST(cn_lane) lanes;    // by block; unused ones are zero
    int body_count;            // without the carriers
    int joint_blocks;          // the first ones
    const cn_kernels *kernels; // that it is laid out for
    int substeps;              // for each of the world's: 2 where joints hold uneven masses
    int sweeps;                // over the joints in a pass
    int number;                // scratch: among those that are planned anew
    bool alive, dirty;
    bool has_colors; // while the plan is being made
    bool extensions; // has contacts with them: shared ones or extended ones,
    bool extended;   // and of the latter
    bool hits;       // may have contacts that raise hit events
    bool rows;       // has joints of kinds that have rows
    bool watched;    // has joints with a ratchet, or that may break
    bool clamped;    // has bodies whose velocity needs projecting
    // What workers tell each other, not in scratch memory, which those who are ahead may already use for
    // another batch. Is any body deep in others? By substep and sweep of impacts: did any contact bounce?
    atomic_bool any_recovers, any_pressed;
    CN_LIST(atomic_bool) bounced;
} cn_batch;

typedef struct {
    cn_batch *batches; // dead ones among them are used again
    int batch_count, batch_capacity;
    int work;   // lanes and bodies of all batches
    bool dirty; // some batch is, or bodies are fresh
    // scratch: bodies that are planned anew, and of each batch how many constraints there are of each key
    CN_LIST(uint64_t) body_bits;
    CN_LIST(int) keys;
} cn_plan;

// A body while its batch is being solved. State 0 of a batch is the static world.
typedef struct {
    cn_float4 v; // velocity x, y, angular; inverse mass
    cn_float4 d; // displacement in the step: x, y, angle; inverse mass, < 0 after a shock
} cn_state;
static_assert(sizeof(cn_state) == 32, "two rows of four");

// ---- the simulation

// Memory that is reserved before a stage and handed out piece by piece.
enum { CN_ARENA_UNIT = 64 };
typedef struct {
    char *memory;
    size_t used;  // bytes
    int capacity; // units
} cn_arena;

// A piece of it. Without memory behind it an arena only counts the bytes.
static inline void *cn_take(cn_arena *arena, int count, size_t size) {
    void *piece = arena->memory ? arena->memory + arena->used : NULL;
    arena->used += ((size_t)count * size + CN_ARENA_UNIT - 1) & ~(size_t)(CN_ARENA_UNIT - 1);
    assert(!arena->memory || arena->used <= (size_t)arena->capacity * CN_ARENA_UNIT);
    return piece;
}

// Eight lanes are worth so many constraints where there are sixteen, too. (Not less than `few` of eight lanes, which
// have nothing narrower but the narrowest.)
enum { CN_FEWEST = 12 };

// Declares what exists once per SIMD width (CN_WIDE() in base/wide.h defines it).
#define CN_PER_WIDTH(type, name)                                                                   \
    extern type name##_1, name##_4, name##_8, name##_16, name##_4_avx2, name##_4_avx512

// The loops that exist once per SIMD width.
struct cn_kernels {
    int lanes;
    int few; // fewer constraints than that are done sooner by others, as lanes would stay empty:
    const cn_kernels *narrower;
    const cn_kernels *narrowest; // if they are less than CN_FEWEST
    cn_tree_search_function *search;
    const cn_query_kernels *queries;
    // Refreshes the separations of touching contacts, slots first..end - 1; returns how many slots it wrote
    // to `moved`: those whose anchors must be remade.
    int (*refresh)(cn_simulation *sim, int first, int end, int *moved);
    // Collides the pairs of the given slots, all of one class, and writes their records and anchors.
    // Those that touch no more come to the front of the slots; returns how many.
    int (*collide)(cn_simulation *sim, cn_hull_class class, int *slots, int count);
    // Gives each pair its fate: is it near enough to be a contact?
    void (*test)(cn_simulation *sim, cn_hull_class class, cn_apart *pairs, int count);
    // Scratch bytes that the solution of a batch needs, and the solution: all substeps, results written
    // back to contacts and bodies. Several workers may solve a batch together, or each its own, each from
    // another place in the arena.
    size_t (*batch_bytes)(cn_batch *batch);
    void (*solve)(cn_simulation *sim, cn_batch *batch, size_t place, cn_worker *worker);
};

// Sets of bodies that a stage makes for a later one, as a bit per body.
typedef enum {
    CN_SET_FAST,   // it moved far, so continuous collision looks at it
    CN_SET_FAULT,  // its motion is no number
    CN_SET_AHEAD,  // static shapes are in its path in the next step
    CN_SET_RESTED, // it is the first of an island that has rested
    CN_BODY_SETS
} cn_body_set;

struct cn_simulation {
    cn_memory memory;
    cn_team *team;             // NULL: one thread
    const cn_kernels *kernels; // the widest
    bool widest_only;           // also for few constraints

    // settings
    vec2s gravity;
    int substeps;
    cn_tuning tuning;
    float length_unit;
    bool sleeping; // allowed

    cn_slot_rows slots[CN_SLOT_KINDS]; // how many bodies, shapes, joints and grids there are
    cn_slot_queue unused[CN_SLOT_KINDS];

    // bodies
    cn_body_hot *hot;
    cn_body_warm *warm;
    // Of the origins, before the last step of cn_world_advance(); NULL if never used.
    cn_pose *previous;
    int previous_capacity;
    int *unplanned;              // bodies to take into the plan
    CN_LIST(int) kinematics; // all enabled kinematic bodies, in order of becoming so
    cn_motion *motions;
    int *fast;               // scratch: bodies that continuous collision looks at
    int unplanned_count, fast_count;
    float slow_displacement; // scratch: how far any body moved that is not swept
    float least_ccd_threshold;    // at most the smallest inner radius there is

    // shapes
    cn_placed_hull *placed;
    cn_shape_link *links;
    float *box_slack; // how far each may go before its box must be looked at; scratch
    cn_shape_warm *shapes;
    uint8_t *dirty;  // what happened to each shape: CN_DIRTY_BOX ...
    int *dirty_shapes; // the shapes that something happened to
    int dirty_count;
    int bouncy_shapes; // with restitution: then boxes are extended along the motion
    cn_hull_pool hulls;
    cn_shape_rare *rare; // of shapes with CN_SHAPE_RARE; NULL if there are none
    int rare_capacity;
    // Surfaces, which follow from the shapes (ground.c). By shape: 0: not known, -1: that of its hull,
    // else an index into the list.
    int32_t *surface_of;
    CN_LIST(cn_surface) surfaces; // from 1 on
    int surface_free, known_surfaces;
    cn_tree moving_tree, static_tree; // boxes of dynamic and kinematic bodies; of static ones

    // sensors
    CN_LIST(int) sensors;             // shapes, in order of becoming so
    cn_key_list overlaps;             // sensor << 32 | other shape, sorted: after the last step
    cn_key_list overlapping, crossed; // scratch: the same now; those on whose way it was
    cn_end_list sensor_begins, sensor_ends;           // what began and ended in this step

    int one_way_shapes;
    CN_LIST(cn_drop) drop_throughs;

    // the user's callbacks, NULL if there are none
    bool (*filter)(void *context, int shape_a, int shape_b);
    bool (*pre_solve)(void *context, int slot); // of a touching contact
    void *callback_context;

    // grids of tiles
    cn_tile_grid *grids;
    int tile_shape_count; // those that are shapes now

    // joints
    cn_joint_record *joint_records;
    cn_prepared_joint *prepared_joints;
    cn_joint_data *joints;
    int *first_joint; // by body: its first joint, -1 if it has none
    int coupling_count;
    atomic_bool any_broken; // in this step
    cn_break_event_row *broken; // joints that broke; as many rows as there are rows of joints
    int broken_count;

    // contacts
    cn_touching_rows touching;
    cn_apart_list apart[CN_APART_LISTS];
    float last_substep; // seconds; the impulses belong to it
    float soft_substep; // seconds; contacts are as soft as in such a one
    float mean_substep; // seconds, of the last second or so; joints are as stiff as in such a one

    // sleeping islands
    cn_sleeping_island *sleeping_islands;
    int sleeping_end, sleeping_capacity, sleeping_free;
    int sleeping_count;
    bool wake_requested; // some island is to be woken

    cn_plan plan;

    // what happened in this step
    CN_LIST(cn_contact_event_row) begins, hits;
    CN_LIST(cn_end_event_row) ends;
    CN_LIST(cn_body_event_row) body_events;
    int first_hit;   // of the last step
    bool sensors_failed;      // memory was too short to see what sensors see
    bool keep_events; // the next step adds to those of the last one

    // scratch of the running step
    cn_key_list pairs;          // new pairs of boxes; then those of a waking island
    CN_LIST(int) waking;        // sleeping islands that wake
    int requested_count;           // the first of them woke by the user's calls, the others by contact
    CN_LIST(int) new_slots;     // contacts that begin or are restored
    int begun_count;            // the first of them, that begin
    CN_LIST(int) lost_slots;    // that end before the solver
    CN_LIST(cn_key_list) worker_pairs; // pairs, by each worker but the first
    cn_arena arena;
    size_t arena_per_worker;   // of each worker that solves batches alone
    cn_spinlock lock;        // of what workers add to
    CN_LIST(uint64_t) body_sets; // cn_body_set after cn_body_set, all empty between the stages
    atomic_bool any_fault;
    atomic_bool short_of_memory; // some worker was
    float step_seconds;          // dt of the running step
    uint64_t steps;            // taken since the world was created
    uint64_t contact_revision; // changes whenever contacts move in memory
};

// Is the batch solved by all workers together? If it is a good part of all that there is.
static inline bool cn_is_giant(const cn_simulation *sim, const cn_batch *batch) {
    enum { LEAST = 2048 };
    int workers = cn_team_workers(sim->team);
    return workers > 1 && batch->lanes.count >= LEAST &&
           batch->lanes.count > sim->plan.work / (2 * workers);
}

// Those for so many constraints or contacts.
static inline const cn_kernels *cn_kernels_of(const cn_simulation *sim, int count) {
    const cn_kernels *kernels = sim->kernels;
    if (sim->widest_only || count >= kernels->few) return kernels;
    return count < CN_FEWEST ? kernels->narrowest : kernels->narrower;
}

#endif
