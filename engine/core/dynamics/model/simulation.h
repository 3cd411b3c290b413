/* simulation: the plan of the solver, and the simulation: all arrays of rows in one struct. */
#ifndef CN_SIMULATION_H
#define CN_SIMULATION_H

#include "rows.h"

// ---- constants

enum {
    CN_ARENA_UNIT = 64, // bytes: size and alignment of the pieces of an arena
    // Greatest number of closure rows in a system that is solved directly (plan/forest.c defines
    // the words). Its cost grows with rows times joints. Ladders of hinges took 2 times the
    // instructions of iteration with 2 rows, 4 with 8, 8 with 14, and 13 with 24.
    CN_MAX_CLOSURE_ROWS = 16,
    // From this number of constraints on, eight lanes are faster than four on machines with
    // sixteen. It is at least `few` of the eight-lane kernels, because these have no `narrower`
    // kernels.
    CN_NARROWEST_BELOW = 12,
};

// ---- the plan: which constraints are solved together, in which order

// One lane of a constraint block: a contact or joint, and the states of its bodies in the batch.
typedef struct {
    int32_t slot; // of the contact or joint; CN_SLOT_ZERO: the lane is unused
    int32_t a, b; // states
    float count;  // contacts between the two bodies, this one included, as the stiffness counts
                  // them; 0 for joints and unused lanes
} cn_lane;

// A run of blocks of one colour and row type. No two of its constraints share a body that can move,
// unless it is solved in order.
typedef struct {
    int first_block, end_block; // of the batch; a block has as many lanes as the kernels
    cn_row_type row_type;
    int number;      // of the colour; all its row types have the same
    bool static_a;   // A is static or kinematic
    bool one_by_one; // the blocks may share bodies, so they are solved one after the other
} cn_color;

// Blocks of joints of one height and row type. See plan/forest.c.
typedef struct {
    int first_block, end_block;
    cn_row_type row_type;
    bool leaves; // their height is 0
} cn_tree_run;

enum {
    CN_LINK_CHILD_IS_A = 1,    // the child is body A of the joint
    CN_LINK_ONLY_CONTACTS = 2, // contacts act on the child, but no coupling or iterated joint
};

// How a joint of a tree connects a child to its parent.
typedef struct {
    // The lane of a body is the lane of the joint above it. So child_lane of a joint in a tree is
    // its own lane. parent_lane is -1 if the parent is static or kinematic.
    int32_t child_lane, parent_lane;
    int32_t flags;  // CN_LINK_...
    int32_t system; // of a closure: the number of its system in the batch
} cn_tree_link;

// Whole trees of joints that one worker solves at a time.
typedef struct {
    int first_run, end_run; // from the leaves to the roots
    int end_closures;       // the runs after end_run are closures
    int first_system, systems;
    bool isolated; // only the joints of its trees act on their bodies
} cn_tree_group;

typedef struct cn_kernels cn_kernels;
typedef struct cn_simulation cn_simulation;

// Whole islands that are solved together in one piece of scratch memory. The planner writes it,
// except where noted.
typedef struct cn_batch {
    CN_LIST(int) bodies;       // by island, then the kinematic ones (copies); state i + 1 is body i
    CN_LIST(int) island_sizes; // number of bodies of each island
    CN_LIST(cn_color) colors;  // in solving order
    CN_LIST(cn_lane) lanes;    // by block
    int body_count;            // bodies without the kinematic ones
    int joint_blocks;          // blocks of couplings and joints; these come first
    // Joints that are solved directly. Their lanes have blocks of their own.
    CN_LIST(cn_tree_group) tree_groups;
    CN_LIST(cn_tree_run) tree_runs;
    CN_LIST(cn_lane) tree_lanes;
    CN_LIST(cn_tree_link) tree_links; // by lane
    int tree_joints;                  // of the trees, and closures
    int systems;                      // sets of trees that closures connect
    const cn_kernels *kernels;        // that the lanes are laid out for
    int substeps;                     // for each substep of the world: 1 or 2
    int first_section;                // scratch: of its bodies (plan/batch.c)
    int first_chunk;                  // scratch of "move bodies": number of its first chunk
    int awake_at; // hint of "sleep": index in `bodies` of a body that was not at rest in the last
                  // step
    // Scratch: the groups being filled, [0] of trees with other constraints, [1] of isolated trees.
    // -1: none.
    int open_groups[2];
    bool alive;              // else the entry may be used again
    bool dirty;              // must be planned again; cn_replan_body() and others set it
    bool has_extended;       // has contacts of type CN_ROW_EXTENDED
    bool has_hits;           // may have contacts that raise hit events
    bool has_couplings;      // has joints with a coupling
    bool has_joint_rows;     // has joints of type CN_ROW_POINT_ANGLE or CN_ROW_AXES
    bool has_tree_rows;      // its trees have joints of type CN_ROW_POINT_ANGLE or CN_ROW_AXES
    bool has_tree_axes;      // its trees have CN_ROW_AXES or CN_ROW_ROOT
    bool has_watched_joints; // has joints with CN_JOINT_WATCHED
    bool has_clamped_bodies; // has bodies with CN_BODY_CLAMPED
    // Flags between the workers of the solver. They are not in scratch memory, because a
    // worker that is ahead may already use that for another batch.
    atomic_bool any_response;   // some body has a response: see solver/response.h
    atomic_bool any_pressed;    // some body is on a kinematic one or deep inside another
    atomic_bool orders_bounces; // of the bounces of a body, the earliest goes first
    // The substep in which lists of contacts were made: for each body; for the bodies beside trees.
    // Until then it is CN_NO_SUBSTEP.
    _Atomic int8_t listed, listed_beside_trees;
} cn_batch;

#define CN_NO_SUBSTEP INT8_MAX

// The sweeps of impacts in a substep (solver/contact_impact.h).
typedef struct {
    int due;         // blocks when the substep began
    uint8_t count;   // 1 + the last sweep that has work; 0 until a second one has: see `due`
    uint16_t single; // bits from sweep 1 on: one worker does the sweep, or after the last one the
                     // end of the impacts, because they have little work
} cn_impact_sweeps;
static_assert(CN_IMPACT_SWEEPS <= 16, "bits of cn_impact_sweeps.single");

typedef struct {
    cn_batch *batches;
    int batch_count, batch_capacity;  // entries, alive or not; rows
    int reserved_batches;             // rows that the capacities of the world need; 0: it has none
    int work_items;                   // lanes and bodies of all batches
    bool dirty;                       // some batch is dirty, or bodies wait in `unplanned`
    CN_LIST(cn_impact_sweeps) sweeps; // by batch (up to 2 * substeps), then substep
    // Scratch.
    CN_LIST(uint64_t) body_bits; // bits: bodies that are planned anew
    CN_LIST(int) keys;           // of each section: number of constraints by key (plan/batch.c)
} cn_plan;

// A body while its batch is being solved. State 0 of a batch is the static world.
typedef struct {
    cn_float4 v; // velocity x, y, angular; inverse mass
    cn_float4 d; // displacement in the step x, y, angle; inverse mass
} cn_state;
static_assert(sizeof(cn_state) == 32, "two rows of four");

// Sets of bodies that one stage makes for a later one, as a bit per body.
typedef enum {
    CN_SET_SWEPT,   // continuous collision looks at the body
    CN_SET_FAULT,   // its motion is not finite, too fast, or out of range
    CN_SET_AHEAD,   // immovable shapes are in its path in the next step
    CN_SET_RESTED,  // the first body of an island that has rested; in a call that puts an island to
                    // sleep, the bodies of that island
    CN_SET_TOUCHED, // contacts support the body at one point
    CN_SET_SUPPORTED, // contacts support the body at two points or more
    CN_SET_LOOSE,     // contacts do not support the body
    CN_SET_COUNT,
    // Continuous collision ends before these three are used. In their memory it has:
    CN_SET_HIT = CN_SET_TOUCHED,      // a search found an earlier stop for the body
    CN_SET_LINKED = CN_SET_SUPPORTED, // the body has joints and stops; the bodies that they lock to
                                      // it may not know yet
} cn_body_set;

// ---- scratch memory

// Memory that a stage reserves and then hands out in pieces.
typedef struct {
    char *memory;
    size_t used;  // bytes
    int capacity; // in CN_ARENA_UNIT
} cn_arena;

// Returns the next piece of an arena. An arena without memory only counts bytes and returns NULL.
static inline void *cn_take(cn_arena *arena, int count, size_t size) {
    void *piece = arena->memory ? arena->memory + arena->used : NULL;
    arena->used += ((size_t)count * size + CN_ARENA_UNIT - 1) & ~(size_t)(CN_ARENA_UNIT - 1);
    assert(!arena->memory || arena->used <= (size_t)arena->capacity * CN_ARENA_UNIT);
    return piece;
}

// ---- kernels: the loops that exist once per SIMD width

// Declares what exists once per SIMD width (CN_WIDE() in base/wide.h defines it).
#define CN_PER_WIDTH(type, name)                                                                   \
    extern type name##_1, name##_4, name##_8, name##_16, name##_4_avx2, name##_4_avx512

// The functions are described where they are declared.
struct cn_kernels {
    int lanes;
    int few; // these kernels are the fastest from this number of constraints on; with fewer, too
             // many lanes would stay empty
    const cn_kernels *narrower;  // the fastest with fewer, if they are at least CN_NARROWEST_BELOW
    const cn_kernels *narrowest; // the fastest with fewer than that
    const cn_kernels *single;    // one lane
    cn_tree_search_function *search;
    // cn_refresh_contacts(), cn_collide_contacts() and cn_test_pairs() of pairs/pairs.h.
    int (*refresh)(cn_simulation *sim, int first, int end, int *moved);
    int (*collide)(cn_simulation *sim, cn_hull_class hull_class, int *slots, int count);
    void (*test)(cn_simulation *sim, cn_hull_class hull_class, cn_apart *pairs, int count);
    // cn_batch_bytes() and cn_solve_batch() of solver/solver.h.
    size_t (*batch_bytes)(cn_batch *batch);
    void (*solve)(cn_simulation *sim, cn_batch *batch, size_t place, cn_worker *worker);
    // cn_move_bodies() of step/step.h.
    void (*move)(cn_simulation *sim, const int *bodies, int count);
};

// ---- sensors

// What follows from the sensors and their overlaps, and what "update sensors" needs while it runs.
typedef struct {
    bool is_current;             // else the tree and the counts must be made anew
    cn_tree tree;                // the fat boxes of all sensors, as in the other trees
    CN_LIST(int) overlap_counts; // by shape: how many pairs in `overlaps` it is part of
    // Scratch.
    CN_LIST(uint64_t) changed; // bits: shapes whose pairs are measured (step/sensor_index.c)
    // Pairs, as in cn_simulation.overlaps.
    cn_key_list measured;    // those that were measured in this step and overlap
    cn_key_list overlapping; // all that overlap after this step
    cn_key_list crossed;     // those that met on the path of this step
} cn_sensor_index;

// ---- the simulation

/* Everything of a world that a step needs. The fields stand in groups: first the state by kind of
 * object, then what each stage of a step owns (step/step.c lists the stages). Rows by slot have as
 * many rows as cn_slot_rows.capacity of their kind. */
struct cn_simulation {
    cn_memory memory;
    cn_team *team;             // NULL: one thread
    const cn_kernels *kernels; // the widest ones
    bool widest_only;          // use these even for few constraints

    // Settings, from the user.
    vec2s gravity;                         // m/s^2
    float linear_damping, angular_damping; // 1/s: added to those of each body
    int substeps;                          // of a step
    cn_tuning tuning;
    float length_unit; // how many of the user's units make a metre
    bool sleeping;     // islands may fall asleep

    cn_slot_rows slots[CN_SLOT_KINDS];
    cn_slot_queue unused_slots[CN_SLOT_KINDS];

    // Bodies: rows by slot.
    cn_body_hot *hot;
    cn_body_warm *warm;
    cn_motion *motions;
    cn_drift *drifts;
    int *first_joint;    // head of the body's list of joints
    cn_body_edit *edits; // NULL until a body has several shapes
    int edit_capacity;
    int edited_count;        // length of the list in cn_body_edit.listed
    uint32_t sleep_revision; // changes when a call puts bodies to sleep or adds to sleeping ones
    int pull_capacity;
    cn_pull *pulls;            // of the iterated joints on the body; NULL until there is a joint
    cn_body_links *body_links; // NULL until a body is in one of their lists (gaps.c)
    int body_links_capacity;
    CN_LIST(int) kinematics; // all enabled kinematic bodies, in order of becoming so; -1: a gap
    int kinematic_gaps;
    atomic_bool has_gaps;           // some lists have gaps (model/gaps.c)
    CN_LIST(int) moving_kinematics; // scratch: those that move in the running step, or the last one
    cn_bounds resting_bounds;       // if known: encloses the boxes of the other kinematic bodies
    bool knows_resting_bounds;
    float min_ccd_threshold; // a lower bound of all CCD thresholds
    int pinned_count;        // pinned bodies, see cn_is_pinned(); follows from the bodies
    cn_pose *previous;       // of the body's origin before the last step of
                             // cn_world_advance(); NULL until the first call
    int previous_capacity;
    bool keep_poses; // the running step stores them

    // Shapes: rows by slot.
    cn_placed_hull *placed;
    cn_shape_link *links;
    cn_shape_warm *shapes;
    float *box_slack;    // scratch: how far the shape may still move within its fat box
    uint8_t *dirty;      // CN_DIRTY_BOX ...; cn_update_contacts() clears it
    int *dirty_shapes;   // list of the shapes whose `dirty` is not 0
    cn_shape_rare *rare; // of shapes with CN_SHAPE_RARE; NULL until there is one
    int rare_capacity;
    int dirty_count;          // length of dirty_shapes
    bool any_dirty_neighbour; // some of them may have CN_DIRTY_NEIGHBOUR
    int *shape_before; // the shape before this one in the list of the body; follows from `next`.
                       // NULL until a body has several shapes; not valid for the first ones
    int shape_before_capacity;
    int bouncy_shapes;  // number of shapes with restitution: if there are any, the boxes of jointed
                        // bodies cover the motion of a step
    int one_way_shapes; // number of shapes that are solid from one side only
    cn_hull_pool hulls; // polygons
    cn_tree moving_tree, static_tree; // fat boxes of dynamic and kinematic bodies; of static ones

    // Surfaces of shapes that touch. They follow from the shapes (ground.c).
    int32_t *surface_of;          // by shape: CN_SURFACE_UNKNOWN ..., or an index of `surfaces`
    CN_LIST(cn_surface) surfaces; // entry 0 is not used
    int surface_free;             // the first free entry; 0: none
    int known_surfaces;           // shapes whose surface is known
    int moving_surfaces;          // those of dynamic bodies, without the expected ones
    bool surfaces_expected;       // some are CN_SURFACE_EXPECTED

    // Chains: rows by slot.
    cn_chain_row *chains;

    // Joints: rows by slot.
    cn_joint_record *joint_records;
    cn_joint_load *joint_load;
    cn_prepared_joint *prepared_joints;
    cn_joint_data *joints;
    cn_joint_links *joint_links;
    int coupling_count;         // joints with a coupling: room in the plan
    bool may_have_parted;       // if false, `parted` (below) would be empty in the next step
    cn_break_event_row *broken; // list of the joints that broke in this step
    int broken_count;
    atomic_bool any_broken; // some joint broke in this step

    // Contacts.
    cn_touching_rows touching;
    cn_apart_list apart[CN_APART_LISTS];
    uint64_t
        contact_revision; // changes before each stage, and when a call moves contacts in memory

    // Sleeping islands.
    cn_sleeping_island *sleeping_islands;
    int sleeping_end, sleeping_capacity; // all islands are below; rows
    int sleeping_free;                   // 1 + the first unused island; 0: none
    int sleeping_count;                  // islands alive
    int requested_islands;               // list of those that wake at the start of the next step:
                                         // 1 + the first one; 0: none
    int most_contacts; // touching contacts and apart pairs, in the step that had most

    // Parts (part.h).
    const struct cn_terrain *terrain; // NULL: there was no terrain yet
    int terrain_shape_count;          // shapes that steps made of pieces of terrain
    void **part_states;               // their data, by id; NULL: none has any
    // Set by stages of parts for the running step; NULL: there is nothing to do.
    void (*substep_force)(void *solver, int first, int end);   // a job: see cn_distribute(). Adds
                                                               // forces before a substep is solved
    vec2s (*part_damping)(const cn_simulation *sim, int body); // damping in addition to that of the
                                                               // body: linear, angular, 1/s

    // The user's callbacks; NULL if there are none.
    bool (*filter)(void *context, int shape_a, int shape_b);
    // Gets a touching contact, and may change its values. False: it does not act in this step.
    bool (*pre_solve)(void *context, int slot, cn_contact_values *values);
    void *callback_context;

    // Events of the step, or of all steps of a frame.
    CN_LIST(cn_contact_event_row) begins, hits;
    CN_LIST(cn_shape_pair_row) ends;
    CN_LIST(cn_body_event_row) body_events;
    cn_shape_pair_list sensor_begins, sensor_ends;
    int first_hit;    // index in `hits` of the first hit of this step
    bool keep_events; // a step adds to the events of the step before: both are in one frame

    // "find pairs": scratch.
    cn_key_list pairs;  // pairs of boxes that are new; then the pairs of a waking island
    cn_key_list parted; // sorted: body << 32 | body, the lower slot first. Both lost a joint, and
                        // have or had one with each other
    CN_LIST(cn_key_list) worker_pairs; // those that each worker except the first finds
    CN_LIST(int) waking;               // sleeping islands that wake in this step
    int requested_count; // how many of them, at the front, woke by calls; the others by contact

    // "prepare contacts": scratch.
    CN_LIST(int) new_slots;  // contacts that begin, then those that a waking island restores
    CN_LIST(int) lost_slots; // contacts that end before the solver; "sleep" uses it, too
    int begun_count;         // how many of the new ones begin

    // "sleep": scratch of calls that put an island to sleep (step/put_to_sleep.c).
    bool pairs_indexed;     // `pair_index` has all contacts and pairs that there are
    cn_key_list pair_index; // sorted: body << 32 | list << 30 | slot of a contact, or apart pair
    CN_LIST(int) island;    // its bodies

    // "plan islands".
    cn_plan plan;
    int *unplanned; // list of the bodies that the next plan adds
    int unplanned_count;
    int solved_islands; // number of islands that the last step solved
    // Scratch: joints whose coupling the new plan leaves out, because one of the two joints is
    // disabled or on a body that does not take part.
    CN_LIST(int) uncoupled;

    // "pre-solve".
    CN_LIST(cn_drop) drop_throughs; // bodies that drop through one-way shapes, and gaps
    int drop_gaps;
    // Scratch, by slot of a touching contact; zero where there is none. Only with a callback.
    CN_LIST(cn_contact_values) contact_values;

    // "solve islands".
    float last_substep;    // s: length of the substep to which the stored impulses belong
    float contact_substep; // s: contacts are as soft as in a substep of this length, which is that
                           // of this step or a longer one of the steps before
    float joint_substep;   // s: joints are as stiff as in a substep of this length, the mean of the
                           // last second or so
    float max_slow_displacement; // scratch: the longest displacement of a body that is not swept
    size_t arena_per_worker;     // scratch: bytes for each worker that solves batches alone

    // "continuous collision": scratch.
    int *swept; // list of the bodies that it looks at, in any order
    int swept_count;

    // "update sensors".
    CN_LIST(int) sensors; // all sensor shapes, in order of becoming so; -1: a gap
    int sensor_gaps, sensor_places_capacity;
    int *sensor_places;   // by shape: its place in `sensors`; NULL until there is a sensor
    cn_key_list overlaps; // sensor << 32 | other shape, sorted: after the last step
    bool sensors_failed;  // memory was short: the next step reports what this one should have
    cn_sensor_index *sensor_index; // NULL until there is a sensor

    // All stages.
    float step_seconds;          // dt of the running step, or of the last one
    uint64_t steps;              // taken since the world was created
    cn_arena arena;              // scratch: see cn_scratch()
    cn_spinlock lock;            // of lists to which several workers add
    CN_LIST(uint64_t) body_sets; // scratch: cn_body_set after cn_body_set; empty between the steps
    atomic_bool any_fault;       // CN_SET_FAULT is not empty
    atomic_bool short_of_memory; // some worker ran out of memory
};

// Returns the fastest kernels for a batch in which trees of joints fill `width` lanes on average:
// the narrowest that have as many. (Measured with chains side by side: one lane for a single chain,
// four lanes for two to four, eight from there on.)
static inline const cn_kernels *cn_tree_kernels_of(const cn_simulation *sim, int width) {
    const cn_kernels *widest = sim->kernels;
    const cn_kernels *rising[] = {widest->single, widest->narrowest, widest->narrower};
    for (int i = 0; i < 3 && !sim->widest_only; i++)
        if (rising[i] && rising[i]->lanes >= width) return rising[i];
    return widest;
}

// Returns the fastest kernels for `count` constraints or contacts.
static inline const cn_kernels *cn_kernels_of(const cn_simulation *sim, int count) {
    const cn_kernels *kernels = sim->kernels;
    if (sim->widest_only || count >= kernels->few) return kernels;
    return count < CN_NARROWEST_BELOW ? kernels->narrowest : kernels->narrower;
}

#endif
