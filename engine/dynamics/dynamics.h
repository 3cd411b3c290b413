/* dynamics: bodies, contacts, islands and the solver; nothing of the user's calls.
 *
 *   hull_pool.c        equal polygons are stored once
 *   body.c             masses, poses of shapes, boxes: what follows when a body changes
 *   ground.c           surfaces of static and kinematic shapes that touch
 *   tiles.c            grids of tiles: which are seen, where they are, what comes near them
 *   pairs.c            which pairs of shapes become contacts
 *   verdict.c          which pairs may touch: filters, joints, one-way shapes
 *   contact.c          contacts begin, persist and end
 *   contact_kernel.c   the wide loops over contacts: refresh, collide, test  (per SIMD width)
 *   plan.c             islands, colours and batches
 *   contact_solver.h   the wide constraint blocks: prepare, solve, impact, store
 *   solver.c           substeps of one batch                                 (per SIMD width)
 *   joint.c            joints as data: lists, coordinates, springs
 *   joint_solver.h     the wide joint constraints
 *   coupling.c         gears and pulleys
 *   finish_kernel.c    new poses and boxes after the solver                 (per SIMD width)
 *   motion.h           how a body moves by a displacement
 *   finish.c           what is not finished in batches: kinematic bodies, what the sweep puts back
 *   sweep.c            continuous collision: fast bodies stop at what they hit
 *   sensor.c           what overlaps sensors
 *   sleep.c            islands fall asleep and wake
 *   simulation.c       the step: its stages in order
 *
 * The whole state of a simulation is in the structs of this file, as plain arrays joined by indices.
 * What is marked "scratch" or "plan" follows from the rest and is not part of the state.
 */
#ifndef CN_DYNAMICS_H
#define CN_DYNAMICS_H

#include "../collision/collision.h"

// ---- bodies: parallel rows by slot; a body never moves in memory

enum {
    CN_BODY_ALIVE = 1,
    CN_BODY_ENABLED = 2,
    CN_BODY_AWAKE = 4, // dynamic and kinematic; a static body is never awake
    CN_BODY_IS_DYNAMIC = 8,
    CN_BODY_IS_KINEMATIC = 16, // neither: static
    CN_BODY_NO_SLEEP = 32,
    CN_BODY_LOCK_X = 64,
    CN_BODY_LOCK_Y = 128,
    CN_BODY_LOCK_ROTATION = 256,
    CN_BODY_LIMITED = 512,   // has a speed limit
    CN_BODY_OWN_MASS = 1024, // mass set by hand
    CN_BODY_FRESH = 2048,    // in the list of bodies that the plan has yet to take in
    CN_BODY_BULLET = 4096,   // swept also when it is not that fast
    CN_BODY_FAST = 8192,     // scratch: to be swept in this step
    CN_BODY_STOPPED = 16384, // by the sweep of the last step: an impact is due
    CN_BODY_FLIES = 32768,   // scratch: fast, and no constraint held it
    CN_BODY_CLAMPED =
        CN_BODY_LOCK_X | CN_BODY_LOCK_Y | CN_BODY_LIMITED, // velocity needs projecting
};

// What every step reads and writes. 64 bytes: one cache line.
typedef struct {
    float x, y, c, s;      // centre of mass and rotation, world
    float vx, vy, w;       // velocities of the centre of mass
    float inverse_mass;    // 0 unless dynamic
    float inverse_inertia; // 0 unless dynamic and free to turn
    float linear_damping, angular_damping, gravity_scale;
    float low_x, low_y; // what x and y lost to rounding: the position is x + low_x
    float sleep_time;   // seconds at rest
    uint32_t flags;
} cn_body_hot;
static_assert(sizeof(cn_body_hot) == 64, "one cache line");

// What a step reads now and then.
typedef struct {
    float force_x, force_y, torque; // of the user, for the next step
    float center_x, center_y;       // centre of mass in the body's frame
    float mass, inertia;            // about the centre of mass, whatever the type
    float speed_limit;              // 0: none
    float sleep_speed;              // 0: the tuning's
    float extent;                   // farthest point of its shapes from the centre of mass
    int first_shape, last_shape;    // in order of creation; -1: none
    int batch;                      // plan: awake dynamic bodies, -1 if in none
    int local;                      // plan: its state in that batch
    int island;                     // sleeping: the sleeping island it belongs to, else -1
    int next;                       // sleeping: next body of the island, -1 at the end
} cn_body_warm;
static_assert(sizeof(cn_body_warm) == 64, "one cache line");

// How a body moved in the running step; scratch, but for `least`.
typedef struct {
    float x, y, angle; // awake dynamic and moving kinematic bodies only
    float until;       // 0..1: the fraction of it after which it stopped
    float least;       // a longer way is swept: the inner radius, or CN_BULLET_SHARE of it
    float swing; // how far the shapes reach beyond the inner radius: what turning may sweep over
    _Atomic float stop; // fast bodies: `until` as found so far
    int round;          // fast bodies: the round of the sweep in which it stopped, -1 before
} cn_motion;

#define CN_BULLET_SHARE 0.25f

// What has slots: bodies, shapes, joints and grids. Where they are alike they are told apart by this.
typedef enum { CN_BODIES, CN_SHAPES, CN_JOINTS, CN_GRIDS, CN_SLOT_KINDS } cn_slot_kind;

typedef struct {
    uint32_t generation; // of the slot's handle; one more after its object was destroyed
    int next_free;       // unused slots: the next of the list
} cn_slot;

// ---- shapes: parallel rows by slot

enum {
    CN_SHAPE_ALIVE = 1,
    CN_SHAPE_HIT_EVENTS = 2,
    CN_SHAPE_FRICTIONLESS = 4, // only to give the material back as it was set
    CN_SHAPE_ONE_SIDED = 32,   // a segment of a chain
    CN_SHAPE_SENSOR = 16,      // sees, and touches nothing
    CN_SHAPE_RESISTS = 8,      // has rolling resistance or a moving surface
    CN_SHAPE_RARE = 64,        // has a cn_shape_rare of its own
};

// Beside the placed hull: where it sits on its body.
typedef struct {
    float offset_x, offset_y; // from the body's centre of mass to the hull's centre, world axes
    int32_t body;
    float friction;
} cn_shape_link;
static_assert(sizeof(cn_shape_link) == 16, "a row of four");

typedef struct {
    float x, y, c, s; // canonical pose of the hull's centre in the body's frame
    float restitution, density;
    uint32_t flags;
    int next; // shape of the same body, -1 at the end
} cn_shape_warm;
static_assert(sizeof(cn_shape_warm) == 32, "two in a cache line");

// Which tile a shape is, if it is one.
typedef struct {
    int32_t grid, tile; // grid: -1 if it is none
} cn_tile_name;

// What few shapes have. The rows of all are made when the first has any of it.
typedef struct {
    float rolling_resistance, surface_speed;
    vec2s one_way; // in the body's frame; zero: solid from all sides
    cn_filter filter;
    uint64_t chain; // id of the chain that it is a segment of, or 0
    cn_tile_name tile;
} cn_shape_rare;
extern const cn_shape_rare cn_common_shape; // what the others have

// What happened to a shape since its contacts were last looked at (a byte per shape).
enum {
    CN_SHAPE_MOVED = 1,   // it has a new fat box: do its contacts' boxes still overlap?
    CN_SHAPE_GONE = 2,    // its contacts end (destroyed, disabled, other hull or filter)
    CN_SHAPE_CHANGED = 4, // its material, mass or place on the body changed: remake its contacts
    CN_SHAPE_BESIDE = 8,  // a neighbour came, went or changed: it needs another surface
};

typedef struct {
    int users, vertices;
    int next; // entry of the same bucket, or free one
} cn_hull_entry;

typedef struct {
    cn_hull4 *hulls4;
    cn_hull8 *hulls8;
    cn_hull_entry *entries;
    int *buckets;
    int count, capacity, free;
} cn_hull_pool;

// ---- tile grids

enum { CN_TILE_EMPTY = 0, CN_TILE_SOLID = -1 }; // greater than 0: solid, and real: 1 + its shape

typedef struct {
    int32_t body;
    int32_t width, height;
    float size;   // of a tile
    vec2s origin; // lower left corner, in the body's frame
    cn_pose pose; // of the body's origin, and whether it was enabled, when that was last looked at
    int32_t enabled;
    int32_t *tiles;     // by y * width + x; NULL: there is no grid in this slot
    cn_shape_def shape; // as which a tile becomes real
} cn_tile_grid;

// Tiles from..to in both directions, ends included; none if from > to.
typedef struct {
    int from_x, to_x, from_y, to_y;
} cn_tile_range;

// ---- contacts

enum { CN_IMPACT_SWEEPS = 8 }; // in a substep, at most

enum { // cn_contact_record.meta: id of point 1 (8 bits) | id of point 2 (8) | reference (4) | ...
    CN_META_REFERENCE = 16,     // shift of 4 bits: edge, 8 if it is of B
    CN_META_COUNT = 20,         // shift of 2 bits
    CN_META_CLASS = 22,         // shift of 2 bits: cn_hull_class of the pair
    CN_META_CIRCLE_A = 1 << 24, // a circle about its body's centre: its anchor does not turn
    CN_META_CIRCLE_B = 1 << 25,
    CN_META_ALWAYS = 1 << 26,  // a circle elsewhere on its body: remade in every step
    CN_META_REMAKE = 1 << 27,  // to be remade in the next step
    CN_META_BOUNCY = 1 << 28,  // has restitution
    CN_META_HITS = 1 << 29,    // raises hit events
    CN_META_RESISTS = 1 << 30, // has rolling resistance or a moving surface
    // Of an apart pair instead of ids:
    CN_META_FATE = 3,    // cn_fate in the running step
    CN_META_PASSING = 4, // passes a one-way shape
    CN_META_ONE_POINT = CN_META_CIRCLE_A | CN_META_CIRCLE_B | CN_META_ALWAYS,
    CN_META_FLAGS =
        3 << CN_META_CLASS | CN_META_ONE_POINT | CN_META_BOUNCY | CN_META_HITS | CN_META_RESISTS,
};

// Of a touching contact that is to do nothing in this step.
#define CN_META_OFF (1u << 31)

/* A touching contact. 64 bytes, written by the narrowphase and read by the solver in rows of four.
 * Points and centre difference are world-axes vectors as they were when the anchors were made: those
 * lever arms stay put while the pair hardly moves, only s1 and s2 are refreshed. */
typedef struct {
    float nx, ny, p1x, p1y; // normal from A to B; point 1 minus centre of mass of A
    float p2x, p2y, dx, dy; // point 2; centre of mass of B minus that of A
    float s1, s2, friction; // separations now
    uint32_t meta;
    float ln1, ln2, lt; // impulses of the last substep: normal 1 and 2, tangent
    float restitution;
} cn_contact_record;
static_assert(sizeof(cn_contact_record) == 64, "one cache line");

// When the anchors were made: rotations of both bodies, separations; and whose contact it is.
typedef struct {
    float ca, sa, cb, sb;
    float s1, s2;
    int32_t shape_a, shape_b;
} cn_anchor;
static_assert(sizeof(cn_anchor) == 32, "two rows of four");

// The static or kinematic body is always A, else the one with the lower slot.
typedef struct {
    int32_t a, b;
} cn_contact_bodies;

static inline cn_hull_class cn_class_of(uint32_t meta) {
    return (cn_hull_class)(meta >> CN_META_CLASS & 3);
}
static inline int cn_points_of(uint32_t meta) { return (int)(meta >> CN_META_COUNT & 3); }

// Touching contacts keep their slot while they touch. A new one takes the lowest free slot, so the order
// in the arrays depends on the history of contacts only. Two slots are never occupied: the zero record
// that fills unused lanes, and a spare one.
enum { CN_SLOT_ZERO, CN_FIRST_SLOT = 2 };

typedef struct {
    cn_contact_record *records;
    cn_anchor *anchors;
    cn_contact_bodies *bodies;
    uint8_t *kinds;     // in short: cn_constraint_kind, CN_KIND_FIXED, the class
    uint64_t *occupied; // a bit per slot
    int groups, words;  // capacities: groups of CN_SLOT_GROUP, words of `occupied`
    int end;            // all occupied slots are below
    int count;
    int per_class[CN_CLASS_COUNT];
} cn_touching_rows;

enum { CN_SLOT_GROUP = 16 }; // the kernels read contacts by so many at most
static inline int cn_touching_slots(const cn_touching_rows *touching) {
    return touching->groups * CN_SLOT_GROUP;
}

// A pair whose boxes overlap but which does not touch. 16 bytes.
typedef struct {
    int32_t shape_a, shape_b;
    int32_t child; // for shapes of many parts (tiles); 0
    uint32_t meta; // class and flags as in cn_contact_record.meta
} cn_apart;

typedef CN_LIST(cn_apart) cn_apart_list;

// By class: pairs that were apart before this step, then those that are new in it (which is scratch).
enum { CN_NEW_APART = CN_CLASS_COUNT, CN_APART_LISTS = 2 * CN_CLASS_COUNT };

// An event in short; the public one is made when it is asked for.
typedef struct {
    int32_t shape_a, shape_b;
} cn_end_note;

typedef struct {
    int32_t slot; // of the contact: hits are sorted by it
    int32_t shape_a, shape_b;
    float approach_speed, impulse; // of hits
    vec2s point, normal;
} cn_touch_note;

typedef struct {
    int32_t body;
    cn_body_change change;
} cn_body_note;

// ---- islands

// A touching contact of a sleeping island.
typedef struct {
    cn_contact_record record;
    cn_anchor anchor;
    cn_contact_bodies bodies;
} cn_kept_contact;

/* A sleeping island keeps its touching contacts, anchors and all, until it wakes. Its bodies are linked
 * through cn_body_warm.next. */
typedef struct {
    int first_body, body_count;
    CN_LIST(cn_kept_contact) contacts;
    bool alive, wake; // wake: to be woken at the start of the next step

    bool searched; // scratch: its neighbours were looked up in this step
    int next_free;
} cn_sleeping_island;

typedef CN_LIST(uint64_t) cn_key_list;
typedef CN_LIST(cn_end_note) cn_end_list;

// A body that passes one-way shapes, and for how long yet.
typedef struct {
    int body;
    float seconds;
} cn_drop;

// ---- joints

typedef enum {
    CN_KIND_PLAIN, // contacts: contact_solver.h
    CN_KIND_ONE_POINT,
    CN_KIND_EXTENDED,
    CN_KIND_POINT, // joints: a locked point; and its angle; or three rows (joint_solver.h)
    CN_KIND_TURN,
    CN_KIND_AXES,
    CN_KIND_COUPLING, // of two joints (coupling.c)
    CN_KIND_COUNT,
    CN_KIND_NONE = CN_KIND_COUNT // a joint that does nothing
} cn_constraint_kind;
enum {                 // cn_touching_rows.kinds: that of the contact, and
    CN_KIND_FIXED = 4, // A is static or kinematic
    CN_KIND_CLASS = 3, // shift: cn_hull_class of the pair
};

enum {
    CN_JOINT_ALIVE = 1,
    CN_JOINT_WATCHED = 2, // has a ratchet, or may break
    CN_JOINT_BROKEN = 4,  // in this step: to be destroyed after it
};

// What the step changes of a joint. Impulses are those of the last substep, by coordinate; of x and y along
// the world's axes, but along the joint's own if it is a CN_KIND_AXES.
typedef struct {
    float lock[3]; // impulses of locks and limits
    float angle;   // of frame B against frame A, with its turns; see cn_joint_angle()
    float spring[3], motor[3];
} cn_joint_state;

// What every step reads of a joint. 64 bytes, read by the solver in rows of four.
typedef struct {
    vec2s
        arms[2]; // anchors from the centres of mass, in the bodies' frames: follow from the frames
    cn_joint_state state;
    int32_t bodies[2];
} cn_joint_record;
static_assert(sizeof(cn_joint_record) == 64, "one cache line");

// A coordinate as the solver sees it. Limits are of impulses.
typedef struct {
    float lower, upper, scale, rate; // rate and scale: of the spring
    float target, speed, spring_limit, motor_limit;
} cn_tuned_row;

// What follows from a joint's coordinates and frames for substeps of h. Joints of CN_KIND_POINT do without.
typedef struct {
    cn_tuned_row rows[3];
    cn_rotation frames[2];
    float h; // 0: to be made anew
    int32_t polar;
    float unused[2];
} cn_tuned_joint;
static_assert(sizeof(cn_tuned_joint) == 128,
              "of two cache lines a joint with a locked point reads one");

// q + ratio q' = constant, with a coordinate of another joint.
typedef struct {
    int32_t other; // -1: none
    int32_t axis, other_axis;
    float ratio, constant, impulse;
    int32_t slack;
} cn_joint_link_row;

typedef struct {
    cn_joint_def def; // with the limit that a ratchet has reached
    int32_t next[2];  // joint of the same body, -1 at the end
    uint32_t flags;
    cn_constraint_kind kind; // follows from the definition
    float broken_force, broken_torque;
    cn_joint_link_row coupling;
} cn_joint_data;

// ---- the plan: who is solved with whom, in which order

// Bodies whose masses differ more are pushed apart more softly. Measured: at 4 the deepest pairs of a pile
// of mixed shapes lie 12 mm in each other at 12 substeps, at 10 only 8; impacts are as calm.
#define CN_UNEVEN_RATIO 10.0f
static inline bool cn_masses_uneven(const cn_body_hot *a, const cn_body_hot *b) {
    return a->inverse_mass > CN_UNEVEN_RATIO * b->inverse_mass ||
           b->inverse_mass > CN_UNEVEN_RATIO * a->inverse_mass;
}

// One lane of a constraint block: a contact and the states of its bodies in the batch.
typedef struct {
    int32_t slot;
    int32_t a, b;
} cn_lane;

// Blocks of one colour and kind: no two of their contacts share a body that can move. Where the colours did
// not suffice each block has one contact only.
typedef struct {
    int first_block, end_block; // of the batch; each has as many lanes as its kernels
    cn_constraint_kind kind;
    int number;    // the same for all kinds of a colour
    bool fixed;    // A is static or kinematic
    bool in_order; // the blocks may share bodies
} cn_color;

typedef struct cn_kernels cn_kernels;
typedef struct cn_simulation cn_simulation;

// Whole islands that are solved together in one piece of scratch memory.
typedef struct cn_batch {
    CN_LIST(int) bodies;  // by island, then the kinematic ones (carriers); state i + 1 is body i
    CN_LIST(int) islands; // number of bodies of each island
    CN_LIST(cn_color) colors;  // in solving order
    CN_LIST(cn_lane) lanes;    // by block; unused ones are zero
    int body_count;            // without the carriers
    int joint_blocks;          // the first ones
    const cn_kernels *kernels; // that it is laid out for
    int substeps;              // for each of the world's: 2 where joints hold uneven masses
    int number;                // scratch: among those that are planned anew
    bool alive, dirty;
    bool extended; // has contacts of that kind
    bool rows;     // has joints of kinds that have rows
    bool watched;  // has joints with a ratchet, or that may break
    bool clamped;  // has bodies whose velocity needs projecting
    // By substep and sweep of impacts: did any contact bounce? Not in scratch memory, which workers that
    // are ahead may already use for another batch.
    CN_LIST(atomic_bool) bounced;
} cn_batch;

typedef struct {
    cn_batch *batches; // dead ones among them are used again
    int batch_count, batch_capacity;
    int lanes;  // of all batches
    int work;   // lanes and bodies
    bool dirty; // some batch is, or bodies are fresh
    // scratch: what is planned anew, and of each batch how many constraints there are of each key
    CN_LIST(uint64_t) body_bits, contact_bits;
    CN_LIST(int) keys;
} cn_plan;

// A body while its batch is being solved. State 0 of a batch is the static world.
typedef struct {
    float v[4]; // velocity x, y, angular; inverse mass
    float d[4]; // displacement since the start of the step: x, y, angle; inverse mass
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

// The loops that exist once per SIMD width.
struct cn_kernels {
    int lanes;
    int few; // fewer constraints than that are done sooner by the next ones, as lanes would stay empty
    const cn_kernels *narrower;
    cn_tree_search_function *search;
    // Refreshes the separations of touching contacts, slots first..end - 1; returns how many slots it wrote
    // to `moved`: those whose anchors must be remade.
    int (*refresh)(cn_simulation *sim, int first, int end, int *moved);
    // Collides the pairs of the given slots, all of one class, and writes their records and anchors.
    // Those that touch no more (their records are kept) come to the front of the slots; returns how
    // many.
    int (*collide)(cn_simulation *sim, cn_hull_class class, int *slots, int count);
    // Gives each pair its fate: is it near enough to be a contact?
    void (*test)(cn_simulation *sim, cn_hull_class class, cn_apart *pairs, int count);
    // Scratch bytes that the solution of a batch needs, and the solution: all substeps, results written
    // back to contacts and bodies. Several workers may solve a batch together, or each its own.
    size_t (*batch_bytes)(const cn_simulation *sim, const cn_batch *batch);
    void (*solve)(cn_simulation *sim, const cn_batch *batch, cn_arena arena, cn_worker *worker);
};

extern const cn_kernels cn_kernels_1, cn_kernels_4, cn_kernels_8, cn_kernels_16;
const cn_kernels *cn_kernels_for(int lanes); // NULL if that width was not built or cannot run here

struct cn_simulation {
    cn_memory memory;
    cn_team *team;             // NULL: one thread
    const cn_kernels *kernels; // the widest
    bool only_these;           // also for few constraints

    // settings
    vec2s gravity;
    int substeps;
    cn_tuning tuning;
    float length_unit;
    bool sleeping; // allowed

    cn_slot *slots[CN_SLOT_KINDS];      // rows beside the others of each kind
    uint64_t *user_data[CN_SLOT_KINDS]; // NULL as long as none has any
    int user_data_capacities[CN_SLOT_KINDS];

    // bodies
    cn_body_hot *hot;
    cn_body_warm *warm;
    cn_pose
        *previous; // of the origins, before the last step of cn_world_advance(); NULL if never used
    int previous_capacity;
    int *fresh;      // bodies to take into the plan
    int *kinematics; // all enabled kinematic bodies, in order of becoming so
    cn_motion *motions;
    int *fast; // scratch: bodies to sweep, which are none of the fresh ones and lie behind them
    int body_end, body_capacity;
    int fresh_count, fast_count, kinematic_count, kinematic_capacity;
    float slow_motion; // scratch: how far any body moved that is not swept
    float thinnest;    // at most the smallest inner radius there is
    int body_count;    // alive

    // shapes
    cn_placed_hull *placed;
    cn_shape_link *links;
    float *rooms; // how far each may go before its box must be looked at; scratch
    cn_shape_warm *shapes;
    uint8_t *news;  // what happened to each shape: CN_SHAPE_MOVED ...
    int *news_list; // the shapes that something happened to
    int news_count;
    int shape_end, shape_capacity;
    int shape_count;   // alive
    int bouncy_shapes; // with restitution: then boxes are extended along the motion
    cn_hull_pool hulls;
    cn_shape_rare *rare; // of shapes with CN_SHAPE_RARE; NULL if there are none
    int rare_capacity;
    // Surfaces, which follow from the shapes (ground.c). By shape: 0: not known, -1: that of its hull,
    // else an index into the list.
    int32_t *surface_of;
    CN_LIST(cn_surface) surfaces; // from 1 on
    int surface_free, known_surfaces;
    cn_tree moving, fixed; // boxes of dynamic and kinematic bodies; of static ones

    // sensors
    CN_LIST(int) sensors;             // shapes, in order of becoming so
    cn_key_list overlaps;             // sensor << 32 | other shape, sorted: after the last step
    cn_key_list overlapping, crossed; // scratch: the same now; those on whose way it was
    cn_end_list seen, lost;           // what began and ended in this step

    int one_way_shapes;
    CN_LIST(cn_drop) drops;

    // the user's callbacks, NULL if there are none
    bool (*filter)(void *context, int shape_a, int shape_b);
    bool (*pre_solve)(void *context, int slot); // of a touching contact
    void *callback_context;

    // grids of tiles
    cn_tile_grid *grids;
    int grid_end, grid_capacity;
    int grid_count, real_tiles; // alive; tiles that are shapes now

    // joints
    cn_joint_record *joint_records;
    cn_tuned_joint *tuned;
    cn_joint_data *joints;
    int *first_joint; // by body: its first joint, -1 if it has none
    int joint_end, joint_capacity;
    int joint_count, coupling_count; // alive
    atomic_bool any_broken;          // in this step

    // contacts
    cn_touching_rows touching;
    cn_apart_list apart[CN_APART_LISTS];
    float last_substep; // seconds; the impulses belong to it

    // sleeping islands
    cn_sleeping_island *sleepers;
    int sleeper_end, sleeper_capacity, sleeper_free;
    int sleeper_count;
    bool any_wake; // some island is to be woken

    cn_plan plan;

    // what happened in this step
    CN_LIST(cn_touch_note) begins, hits;
    CN_LIST(cn_end_note) ends;
    CN_LIST(cn_body_note) notes;
    int first_hit;   // of the last step
    bool blind;      // memory was too short to see what sensors see
    bool keep_notes; // the next step adds to those of the last one

    // scratch of the running step
    cn_pair_list pairs;      // new pairs of boxes; then those of a waking island
    CN_LIST(int) waking;     // sleeping islands that wake
    int wished_count;        // the first of them woke by the user's calls, the others by contact
    CN_LIST(int) new_slots;  // contacts that begin or are restored
    int begun_count;         // the first of them, that begin
    CN_LIST(int) lost_slots; // that end before the solver
    CN_LIST(int) moved, class_slots; // to be remade: all; those of one class; from its own slot on
    CN_LIST(uint64_t) ending;        // a bit per touching slot that ends
    CN_LIST(cn_pair_list) found;     // pairs, by each worker but the first
    cn_arena arena;
    size_t share_of_arena;   // of each worker that solves batches alone
    cn_spinlock lock;        // of what workers add to
    CN_LIST(uint64_t) noted; // a bit per body that was found fast, or given up
    atomic_bool any_given_up;
    atomic_bool short_of_memory; // some worker was
    float step_seconds;          // dt of the running step
};

// Is the batch solved by all workers together? If it is a good part of all that there is.
static inline bool cn_is_giant(const cn_simulation *sim, const cn_batch *batch) {
    enum { LEAST = 2048 };
    int workers = cn_team_workers(sim->team);
    return workers > 1 && batch->lanes.count >= LEAST &&
           batch->lanes.count > sim->plan.lanes / (2 * workers);
}

// Those for so many constraints or contacts.
static inline const cn_kernels *cn_kernels_of(const cn_simulation *sim, int count) {
    const cn_kernels *kernels = sim->kernels;
    while (!sim->only_these && count < kernels->few) kernels = kernels->narrower;
    return kernels;
}

// ---- bodies and shapes (body.c)

static inline bool cn_is_dynamic(const cn_body_hot *body) {
    return body->flags & CN_BODY_IS_DYNAMIC;
}
static inline bool cn_is_moving_kinematic(const cn_body_hot *body) {
    return (body->flags & CN_BODY_IS_KINEMATIC) && (body->flags & CN_BODY_ENABLED) &&
           (body->vx != 0 || body->vy != 0 || body->w != 0);
}
// Are pairs of this body watched? Awake, or kinematic: that may move at any time.
static inline bool cn_is_active(const cn_body_hot *body) { return body->flags & CN_BODY_AWAKE; }
static inline cn_hull_store cn_store(const cn_simulation *sim) {
    return (cn_hull_store){sim->placed, sim->hulls.hulls4, sim->hulls.hulls8};
}
// The tree that a shape has its box in; NULL if in none.
static inline const cn_tree *cn_tree_with(const cn_simulation *sim, int shape) {
    return cn_tree_has(&sim->moving, shape)  ? &sim->moving
           : cn_tree_has(&sim->fixed, shape) ? &sim->fixed
                                             : NULL;
}
static inline const cn_shape_rare *cn_rare_of(const cn_simulation *sim, int shape) {
    return sim->shapes[shape].flags & CN_SHAPE_RARE ? &sim->rare[shape] : &cn_common_shape;
}
// Room for rare properties of all shapes; those of one that are its own. False, NULL if memory is short.
bool cn_reserve_rare(cn_simulation *sim);
cn_shape_rare *cn_make_rare(cn_simulation *sim, int shape);
// The tree that the shapes of this body are in.
static inline cn_tree *cn_tree_of(cn_simulation *sim, int body) {
    return sim->hot[body].flags & (CN_BODY_IS_DYNAMIC | CN_BODY_IS_KINEMATIC) ? &sim->moving
                                                                              : &sim->fixed;
}

// The hull of a shape, in the body's frame.
cn_hull cn_hull_of(const cn_simulation *sim, int shape);
// Recomputes mass, centre and inertia of a body from its shapes (unless set by hand), keeping the
// origin where it is and the velocity that of the same material point.
void cn_update_mass(cn_simulation *sim, int body);
// Recomputes inverse masses from mass, type and locks, and the extent.
void cn_update_inverse_mass(cn_simulation *sim, int body);
// Places one shape after the pose of its body; its proxy stays as it is.
void cn_place_shape(cn_simulation *sim, int body, int shape);
// Places all shapes of the body, none of whose points went farther than `moved`, with new fat boxes
// where needed. `reset` gives every shape a new fat box; those of `ahead` cover the way of a step where
// that matters.
void cn_place_shapes(cn_simulation *sim, int body, float moved, bool reset, bool ahead);

// What a worker that moves bodies has to tell, kept until it is worth the lock.
enum { CN_REPORT_SIZE = 128 };
typedef struct {
    int count;
    float slow_motion;
    int moved[CN_REPORT_SIZE]; // shapes with new boxes
} cn_report;
static inline void cn_begin_report(cn_report *report) {
    report->count = 0;
    report->slow_motion = 0;
}
void cn_hand_in(cn_simulation *sim, cn_report *report); // empties it
// As cn_place_shapes().
void cn_follow_body(cn_simulation *sim, int body, float moved, bool reset, bool ahead,
                    cn_report *report);
// The box that a shape's proxy gets: tight, grown by the margin and along the motion.
cn_bounds cn_fat_bounds(const cn_simulation *sim, int shape);
cn_pose cn_origin_pose(const cn_simulation *sim, int body);
void cn_set_origin_pose(cn_simulation *sim, int body, cn_pose origin);

// Records news of a shape.
static inline void cn_tell(cn_simulation *sim, int shape, uint8_t news) {
    if (!sim->news[shape]) sim->news_list[sim->news_count++] = shape;
    sim->news[shape] |= news;
}
// News of all shapes of a body; its batch is planned again.
void cn_tell_body(cn_simulation *sim, int body, uint8_t news);
// The body joins or leaves the plan: created, destroyed, enabled, disabled, other type, other mass.
void cn_replan_body(cn_simulation *sim, int body);
void cn_replan_all(cn_simulation *sim);

// ---- after the solver (finish.c)

// Velocities, poses, shapes, boxes and rest times of bodies, from their states and unconstrained
// velocities.
typedef void cn_finish_function(cn_simulation *sim, const int *bodies, int count,
                                const cn_state *states, const float (*free)[4]);
cn_finish_function cn_finish_bodies_1, cn_finish_bodies_4, cn_finish_bodies_8, cn_finish_bodies_16;
// Then: those that are fast are listed, and those whose motion is no longer finite taken out.
void cn_finish_noted(cn_simulation *sim);
// Moves the kinematic bodies by their velocities.
bool cn_move_kinematics(cn_simulation *sim);
// Moves and turns the body by d: x, y, angle.
void cn_move_body(cn_body_hot *body, const float *d);

// ---- continuous collision (sweep.c)

bool cn_sweep_bodies(cn_simulation *sim);
// How the body moved in this step; a shape on its way; all places that it went through, and `more`.
cn_way cn_way_of(const cn_simulation *sim, int body);
cn_swept_hull cn_swept_shape(const cn_simulation *sim, int shape, const cn_way *way);
cn_bounds cn_way_bounds(const cn_simulation *sim, int body, float more);

// ---- sensors (sensor.c)

bool cn_look_around(cn_simulation *sim); // what overlaps each sensor now

// ---- joints (joint.c, coupling.c)

// The next joint of the body after this one, -1 at the end; first_joint[] has the first.
int cn_joint_next(const cn_simulation *sim, int joint, int body);
int cn_joint_other(const cn_simulation *sim, int joint, int body); // the other body
void cn_joint_link(cn_simulation *sim, int joint);                 // into the lists of its bodies
void cn_joint_unlink(cn_simulation *sim, int joint);
void cn_joint_forget(cn_simulation *sim, int joint); // its impulses
// A frame of the joint moved on its body, or the body's centre of mass did.
void cn_place_arms(cn_simulation *sim, int joint);
// Does a joint keep the two bodies from colliding?
bool cn_are_joined(const cn_simulation *sim, int body_a, int body_b);
void cn_wake_joined(cn_simulation *sim, int body); // the bodies that joints tie to it
// The joint came, goes or changed: both bodies wake and are planned again.
void cn_replan_joint(cn_simulation *sim, int joint);
// The body begins or ceases to take part: so do its joints, and what is coupled to them.
void cn_replan_joined(cn_simulation *sim, int body);
cn_constraint_kind cn_joint_kind(const cn_joint_def *def);
static inline cn_coordinate *cn_coordinate_of(cn_joint_def *def, int axis) {
    return axis == CN_JOINT_X ? &def->x : axis == CN_JOINT_Y ? &def->y : &def->angle;
}
// The angle of frame B against frame A, counting turns.
float cn_joint_angle(const cn_simulation *sim, int joint);

// Where a joint's anchors are: world axes.
typedef struct {
    vec2s d;    // centre of mass of B minus that of A
    vec2s r[2]; // anchors from their bodies' centres of mass
    vec2s axis; // x of frame A
} cn_joint_arms;
// After displacements {x, y, angle} of both bodies.
extern const float cn_still[3]; // none
cn_joint_arms cn_arms_of(const cn_simulation *sim, int joint, const float *a, const float *b);

// A coordinate and how velocities change it: n . (vB - vA) + wB sb - wA sa.
typedef struct {
    float value;
    vec2s n;
    float sa, sb;
} cn_coordinate_row;
cn_coordinate_row cn_joint_row(const cn_simulation *sim, int joint, cn_joint_axis axis,
                               const float *a, const float *b);
// Makes the rows those for substeps of h.
void cn_joint_tune(cn_simulation *sim, int joint, float h);
// Of lock, spring and motor together, in the last substep.
float cn_total_impulse(const cn_simulation *sim, int joint, cn_joint_axis axis);
vec2s cn_joint_impulse_on_b(const cn_simulation *sim, int joint);
// After the solver: ratchets, what broke. The bodies' poses are still those before, the angle is not.
void cn_joint_watch(cn_simulation *sim, int joint, const cn_state *a, const cn_state *b, float h);

// Rows of couplings, by the joint that owns them: the warm start added to `free`, and a solution.
typedef struct {
    float h, bias_rate, mass_scale;
} cn_coupling_softness;
void cn_warm_coupling(cn_simulation *sim, const cn_batch *batch, const cn_state *states, int joint,
                      float (*free)[4], float scale);
void cn_solve_coupling(cn_simulation *sim, const cn_batch *batch, cn_state *states, int joint,
                       const cn_coupling_softness *soft, bool relax, float (*free)[4]);

// ---- hull pool (hull_pool.c)

// The index of an equal entry, added if new; -1 if memory is short.
int cn_hull_pool_add(cn_hull_pool *pool, cn_memory *memory, const cn_canonical_hull *hull);
void cn_hull_pool_remove(cn_hull_pool *pool, int index);
void cn_hull_pool_free(cn_hull_pool *pool, cn_memory *memory);

// ---- surfaces (ground.c)

// Finds the surface of a shape unless it is known; the tree of its body must be refit. False if memory is
// short.
bool cn_find_surface(cn_simulation *sim, int shape);
bool cn_find_lost_surfaces(cn_simulation *sim); // of the shapes that have news of their neighbours
// The shape has come or is about to go or change: forgets its surface and those around it. (Those of tiles
// of one grid follow from its bitmap, so they do not mind.)
void cn_forget_surfaces(cn_simulation *sim, int shape);
void cn_forget_surface(cn_simulation *sim, int shape); // its own

// ---- tile grids (tiles.c)

static inline bool cn_is_tile(const cn_simulation *sim, int shape) {
    return cn_rare_of(sim, shape)->tile.grid >= 0;
}
// The shape is this tile, and the tile this shape; and no more.
void cn_name_tile(cn_simulation *sim, int shape, int grid, int tile);
void cn_forget_tile(cn_simulation *sim, int shape);
// Outside the grid nothing is solid.
bool cn_tile_is_solid(const cn_tile_grid *grid, int x, int y);
// Is it solid, but not all of its four neighbours?
bool cn_tile_is_exposed(const cn_tile_grid *grid, int x, int y);
// In the body's frame.
cn_hull cn_tile_hull(const cn_tile_grid *grid, int x, int y);
cn_tile_range cn_all_tiles(const cn_tile_grid *grid);
// Those whose fat boxes a box in the world may overlap.
cn_tile_range cn_tiles_under(const cn_simulation *sim, const cn_tile_grid *grid, cn_bounds box);
// The box of a range in the world, with the body at that pose, grown by all margins.
cn_bounds cn_tiles_bounds(const cn_simulation *sim, const cn_tile_grid *grid, cn_pose pose,
                          cn_tile_range range);
// The box of a shape in the moving tree, carried along the way of the running step.
cn_bounds cn_reach_of(const cn_simulation *sim, int shape);

// ---- pairs (pairs.c) and contacts (contact.c)

// What becomes of an apart pair in the running step.
typedef enum { CN_FATE_APART, CN_FATE_TOUCHES, CN_FATE_GONE, CN_FATE_PASSES } cn_fate;
static inline cn_fate cn_fate_of(const cn_apart *pair) {
    return (cn_fate)(pair->meta & CN_META_FATE);
}
static inline void cn_set_fate(cn_apart *pair, cn_fate fate) {
    pair->meta = (pair->meta & ~(uint32_t)CN_META_FATE) | (uint32_t)fate;
}

// Do the boxes of two shapes overlap?
bool cn_boxes_overlap(const cn_simulation *sim, int shape_a, int shape_b);
// Did they at the last search? Then the pair is known, else the search will report it.
bool cn_boxes_overlapped(const cn_simulation *sim, int shape_a, int shape_b);
// The pair in its order, with class and flags from the shapes as they are now.
cn_apart cn_make_pair(const cn_simulation *sim, int shape_a, int shape_b);
float cn_mix_friction(float a, float b);

// Memory in advance. False if it is short.
bool cn_reserve_contacts(cn_simulation *sim,
                         int count); // pairs whose boxes overlap, touching or not
bool cn_reserve_plan(cn_simulation *sim, int bodies, int edges);

bool cn_find_pairs(cn_simulation *sim);       // new pairs of this step, and islands that wake
bool cn_prepare_contacts(cn_simulation *sim); // slots and memory for all that the step may bring
bool cn_plan_islands(cn_simulation *sim);     // plan.c; the last stage that can fail
bool cn_update_contacts(cn_simulation *sim);  // from here on the state changes
bool cn_solve(cn_simulation *sim);            // all batches
bool cn_sleep_islands(cn_simulation *sim);
// Ends the sleep of the waking islands (their contacts have been brought back).
void cn_end_sleep(cn_simulation *sim);
void cn_clear_notes(cn_simulation *sim);
// The note of a contact; `arm` goes from the centre of mass of its body A to its point.
cn_touch_note cn_note_of(const cn_simulation *sim, int slot, vec2s arm);
void cn_note_body(cn_simulation *sim, int body, cn_body_change change);
// Does the body belong into the plan: dynamic, enabled, awake or about to be?
bool cn_is_planned(const cn_simulation *sim, int body);
void cn_plan_free(cn_simulation *sim);

// Has the pair ceased to be neighbours?
static inline bool cn_is_lost(const cn_simulation *sim, int shape_a, int shape_b) {
    uint8_t news = sim->news[shape_a] | sim->news[shape_b];
    return news & CN_SHAPE_GONE ||
           (news & CN_SHAPE_MOVED && !cn_boxes_overlap(sim, shape_a, shape_b));
}
// A hit by a fast body is solved as an impact, which has no bounds of speed and spin, also without
// restitution: that is then the least there is.
static inline void cn_expect_impact(cn_contact_record *record) {
    record->restitution = cn_max(record->restitution, FLT_MIN);
    record->meta |= CN_META_BOUNCY;
}

bool cn_touching_resize(cn_simulation *sim, int slots); // for so many; -1: gives all memory back
void cn_free_slot(cn_touching_rows *touching, int slot);
// Notes the kind of a touching contact, as it is once news of its shapes have been taken over.
void cn_note_kind(cn_simulation *sim, int slot);
static inline bool cn_occupied(const cn_touching_rows *touching, int slot) {
    return cn_has_bit(touching->occupied, slot);
}

// ---- who may touch (verdict.c)

static inline bool cn_is_one_way(const cn_simulation *sim, int shape) {
    vec2s up = cn_rare_of(sim, shape)->one_way;
    return up.x != 0 || up.y != 0;
}

// Do the filters of two shapes let them meet, and are they of two bodies?
bool cn_filters_agree(const cn_simulation *sim, int shape_a, int shape_b);
// May the two shapes be a contact? (filters, bodies)
bool cn_should_collide(const cn_simulation *sim, int shape_a, int shape_b);
// One-way shapes: is this pair held, or does one pass the other?
bool cn_is_held(const cn_simulation *sim, int shape_a, int shape_b);
bool cn_was_held(const cn_simulation *sim, int shape_a, int shape_b); // before the step's motion
// May a pair that was let touch do so no longer? (joints, dropping through)
bool cn_is_forbidden(const cn_simulation *sim, int shape_a, int shape_b);
static inline bool cn_is_refused(const cn_simulation *sim, int shape_a, int shape_b) {
    bool asks = sim->joint_count || sim->drops.count; // seldom: the common case is inline
    return asks && cn_is_forbidden(sim, shape_a, shape_b);
}
// Those that are near enough but may not touch stay apart.
void cn_judge_pairs(const cn_simulation *sim, cn_apart *pairs, int count);
// For so long the body passes one-way shapes. False if memory is short.
bool cn_drop_body(cn_simulation *sim, int body, float seconds);
void cn_forget_drop(cn_simulation *sim, int body);
bool cn_ask_user(cn_simulation *sim); // which contacts are to do nothing in this step

// ---- waking (sleep.c)

// All of these only mark: the islands wake at the start of the next step.
void cn_wake_body(cn_simulation *sim, int body);
// Every sleeping island with a fat box that overlaps.
void cn_wake_bounds(cn_simulation *sim, cn_bounds bounds);
// Those that overlap the fat boxes of a body's shapes, and those joined to it.
void cn_wake_around(cn_simulation *sim, int body);
bool cn_body_is_awake(const cn_simulation *sim, int body); // dynamic: awake or about to wake
// Makes a single sleeping island of a new or lone body, or puts the whole island of an awake body to
// sleep. False if memory is short.
bool cn_put_to_sleep(cn_simulation *sim, int body);
// Takes a body out of its sleeping island (the island must have been woken or the body be alone).
void cn_sleeper_forget_body(cn_simulation *sim, int body);
void cn_sleepers_free(cn_simulation *sim);
// Sorts items by the int32_t that each begins with.
void cn_sort_items(void *items, int count, size_t size);

// ---- the step (simulation.c)

typedef struct {
    const char *name;
    bool (*run)(cn_simulation *sim);
} cn_stage;
extern const cn_stage cn_stages[];
extern const int cn_stage_count;

// After a stage failed: takes back what the stages before it had noted.
void cn_abandon_step(cn_simulation *sim);
// The arena, with room for so many bytes and nothing taken; NULL if memory is short. For any stage, until
// the next one asks.
void *cn_scratch(cn_simulation *sim, size_t bytes);
void cn_simulation_free(cn_simulation *sim);

#endif
