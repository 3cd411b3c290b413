/* rows: what is stored of each body, shape, tile grid, contact and joint.
 *
 * The whole state of a simulation is in these structs and in cn_simulation (model.h), as plain arrays
 * joined by indices. What is marked "scratch" or "plan" follows from the rest and is not part of the state.
 */
#ifndef CN_ROWS_H
#define CN_ROWS_H

#include "../../collision/collision.h"

// The largest velocity of a body, in each coordinate and of turning: per second as far as the largest
// coordinate. Squares of products of two such speeds and lengths are still floats.
#define CN_MAX_SPEED 1e9f

// ---- bodies: parallel rows by slot; a body never moves in memory

enum {
    CN_BODY_ALIVE = 1 << 0,
    CN_BODY_ENABLED = 1 << 1,
    CN_BODY_AWAKE = 1 << 2, // dynamic and kinematic; a static body is never awake
    CN_BODY_IS_DYNAMIC = 1 << 3,
    CN_BODY_IS_KINEMATIC = 1 << 4, // neither: static
    CN_BODY_NO_SLEEP = 1 << 5,
    CN_BODY_LOCK_X = 1 << 6,
    CN_BODY_LOCK_Y = 1 << 7,
    CN_BODY_LOCK_ROTATION = 1 << 8,
    CN_BODY_LIMITED = 1 << 9,     // has a speed limit
    CN_BODY_OWN_MASS = 1 << 10,   // mass set by hand
    CN_BODY_UNPLANNED = 1 << 11,      // in the list of bodies that the plan has yet to take in
    CN_BODY_BULLET = 1 << 12,     // swept also when it is not that fast
    CN_BODY_EXPECTS_IMPACT = 1 << 14,   // was stopped by the sweep of the last step, or has ground ahead
    CN_BODY_RECOVERS = 1 << 16,      // was made, or put, deep into others, and still is
    CN_BODY_SPRINGS_CHANGED = 1 << 18, // a joint changed: the springs of the others follow it
    CN_BODY_RAISE_INERTIA = 1 << 19,   // joints pull so that it may not turn as lightly as it is
    CN_BODY_JOINT_REMOVED = 1 << 20, // a joint that kept it from colliding went since the last step
    CN_BODY_MOVES = CN_BODY_IS_DYNAMIC | CN_BODY_IS_KINEMATIC, // or may
    // Its velocity needs projecting.
    CN_BODY_CLAMPED = CN_BODY_LOCK_X | CN_BODY_LOCK_Y | CN_BODY_LIMITED,
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
    vec2s force; // of the user, for the next step
    float torque;
    vec2s center;                // centre of mass in the body's frame
    float mass, inertia;         // about the centre of mass, whatever the type
    float speed_limit;           // 0: none
    float sleep_speed;           // 0: the tuning's
    float extent;                // farthest point of its shapes from the centre of mass
    int first_shape, last_shape; // in order of creation; -1: none
    int batch;                   // plan: awake dynamic bodies, -1 if in none
    int local;                   // plan: its state in that batch
    int island;                  // sleeping: the sleeping island it belongs to, else -1
    int next;                    // sleeping: next body of the island, -1 at the end
} cn_body_warm;
static_assert(sizeof(cn_body_warm) == 64, "one cache line");

// How a body moved in the running step; scratch, but for `least`.
typedef struct {
    float x, y, angle; // awake dynamic and moving kinematic bodies only
    float until;       // 0..1: the fraction of it after which it stopped
    float ccd_threshold;     // a longer way is swept: the inner radius, or CN_BULLET_FRACTION of it
    float ccd_reach; // how far the shapes reach beyond the inner radius: what turning may sweep over
    _Atomic float stop; // fast bodies: `until` as found so far
    uint32_t sweep;     // CN_SWEEP_FAST ..., and the round in which it stopped; 0 outside of a step
} cn_motion;

// What continuous collision knows of a body in the running step.
enum {
    CN_SWEEP_FAST = 1 << 0,        // moved farther than its CCD threshold: is swept
    CN_SWEEP_FREE_FLIGHT = 1 << 1, // fast, and no constraint changed its velocity; or a bullet
    CN_SWEEP_LOOKS_AHEAD = 1 << 2, // its box covers the next step if static shapes are in its path
    CN_SWEEP_WAS_HIT = 1 << 3,     // was slow, and an impact in this step made it move that far
    CN_SWEEP_ROUND = 8,            // shift of 8 bits: 0 until it is stopped, else 1 + the round
};
static inline bool cn_was_stopped(const cn_motion *m) { return m->sweep >> CN_SWEEP_ROUND; }

#define CN_BULLET_FRACTION 0.25f

// What has slots: bodies, shapes, joints and grids. Where they are alike they are told apart by this.
typedef enum { CN_BODIES, CN_SHAPES, CN_JOINTS, CN_GRIDS, CN_SLOT_KINDS } cn_slot_kind;

typedef struct {
    uint32_t generation; // of the slot's handle; one more after its object was destroyed
    int next_free;       // unused slots: the next of the list
} cn_slot;

// A handle has 24 bits for the slot.
enum { CN_MAX_SLOTS = (1 << 24) - 1 };

/* The queue of unused slots, linked through next_free; -1 ends it.
 *
 * Contacts and the events of a step name objects that were destroyed since the step before. The
 * user data of such an object is read from its slot when the event is read. So a slot is not used
 * again before the event of its end was reported by a step, and the next step or frame was taken.
 * The queue is in order of age:
 *
 *     first .. rested    may be used again
 *     .. seen            one step was taken since these became unused
 *     .. last            no step was taken since these became unused
 *
 * Each of these is a slot, or -1 if that part of the queue is empty. */
typedef struct {
    int first, last, rested, seen; // slots; -1: none
} cn_slot_queue;

// The slots of a kind, beside the rows of its own.
typedef struct {
    cn_slot *items;
    uint64_t *user_data; // NULL as long as none has any
    int user_data_capacity;
    int end, count, capacity; // those in use are below; alive; rows
} cn_slot_rows;

// ---- shapes: parallel rows by slot

enum {
    CN_SHAPE_ALIVE = 1 << 0,
    CN_SHAPE_HIT_EVENTS = 1 << 1,
    CN_SHAPE_FRICTIONLESS = 1 << 2, // only to give the material back as it was set
    CN_SHAPE_ONE_SIDED = 1 << 5,   // a segment of a chain
    CN_SHAPE_SENSOR = 1 << 4,      // sees, and touches nothing
    CN_SHAPE_RESISTS = 1 << 3,      // has rolling resistance or a moving surface
    CN_SHAPE_RARE = 1 << 6,        // has a cn_shape_rare of its own
    CN_SHAPE_SILENT = 1 << 7,     // raises no touch events
};

// Beside the placed hull: where it sits on its body.
typedef struct {
    vec2s offset; // from the body's centre of mass to the hull's centre, world axes
    int32_t body;
    float friction;
} cn_shape_link;
static_assert(sizeof(cn_shape_link) == 16, "a row of four");

typedef struct {
    cn_pose pose; // of the hull's centre in its canonical frame, on the body
    float restitution, density;
    uint32_t flags;
    int next; // shape of the same body, -1 at the end
} cn_shape_warm;
static_assert(sizeof(cn_shape_warm) == 32, "two in a cache line");

// What cn_simulation.surface_of has of a shape, beside the index of its surface (1 and more).
enum { CN_SURFACE_UNKNOWN = 0, CN_SURFACE_OF_HULL = -1 };

// Which tile a shape is, if it is one.
typedef struct {
    int32_t grid, tile; // -1 if it is none
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
    CN_DIRTY_BOX = 1 << 0,   // it has a new fat box: do its contacts' boxes still overlap?
    CN_DIRTY_REMOVED = 1 << 1,    // its contacts end (destroyed, disabled, other hull or filter)
    CN_DIRTY_CHANGED = 1 << 2, // its material, mass or place on the body changed: remake its contacts
    CN_DIRTY_NEIGHBOUR = 1 << 3,  // a neighbour came, went or changed: it needs another surface
};

typedef struct {
    int users, vertices;
    int next; // entry of the same bucket, or free one
} cn_hull_entry;

typedef struct {
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
    CN_META_ALWAYS_REMAKE = 1 << 26,  // a circle elsewhere on its body: remade in every step
    CN_META_REMAKE = 1 << 27,  // to be remade in the next step
    CN_META_BOUNCY = 1 << 28,  // has restitution
    CN_META_HITS = 1 << 29,    // raises hit events
    CN_META_RESISTS = 1 << 30, // has rolling resistance or a moving surface
    CN_META_ONE_POINT = CN_META_CIRCLE_A | CN_META_CIRCLE_B | CN_META_ALWAYS_REMAKE,
    CN_META_FLAGS =
        3 << CN_META_CLASS | CN_META_ONE_POINT | CN_META_BOUNCY | CN_META_HITS | CN_META_RESISTS,
};

// Bit of cn_apart.meta, where a contact has its ids: the two pass each other until they part.
#define CN_APART_PASSES (1u << 2)

// Of a touching contact that is to do nothing in this step.
#define CN_META_DISABLED (1u << 31)

/* A touching contact. 64 bytes, written by the narrowphase and read by the solver in rows of four.
 * Points and centre difference are world-axes vectors as they were when the anchors were made: those
 * lever arms stay put while the pair hardly moves, only s1 and s2 are refreshed. */
typedef struct {
    float nx, ny, p1x, p1y; // normal from A to B; point 1 minus centre of mass of A
    float p2x, p2y, dx, dy; // point 2; centre of mass of B minus that of A
    float s1, s2, friction; // separations now
    uint32_t meta;
    // Impulses of the last substep: normal 1 and 2, tangent. Of one point ln2 is that against rolling.
    float ln1, ln2, lt;
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
    uint8_t *row_types;     // in short: cn_row_type, CN_ROW_STATIC_A ...
    uint64_t *occupied; // a bit per slot
    uint64_t *ending;   // scratch: a bit per slot that ends, else zero
    uint64_t *planned;  // scratch: a bit per slot that is planned anew
    uint64_t *silent;   // a bit per slot whose begin raised no event, so that its end raises none
    int groups, words;  // capacities: groups of CN_SLOT_GROUP, words of bits
    int end;            // all occupied slots are below
    int count;
    int per_class[CN_CLASS_COUNT];
} cn_touching_rows;

// The restitution of a contact that has none, but whose impact is solved as one: cn_expect_impact().
#define CN_EXPECTED_IMPACT FLT_MIN

enum { CN_SLOT_GROUP = 16 }; // the kernels read contacts by so many at most
static inline int cn_touching_slots(const cn_touching_rows *touching) {
    return touching->groups * CN_SLOT_GROUP;
}

// What becomes of an apart pair in the running step.
typedef enum { CN_PAIR_APART, CN_PAIR_TOUCHES, CN_PAIR_ENDS, CN_PAIR_PASSES } cn_pair_result;

// A pair whose boxes overlap but which does not touch. 16 bytes.
typedef struct {
    int32_t shape_a, shape_b;
    cn_pair_result result;  // scratch
    uint32_t meta; // class and flags as in cn_contact_record.meta
} cn_apart;

typedef CN_LIST(cn_apart) cn_apart_list;

// By class: pairs that were apart before this step, then those that are new in it (which is scratch).
enum { CN_NEW_APART = CN_CLASS_COUNT, CN_APART_LISTS = 2 * CN_CLASS_COUNT };

// An event in short; the public one is made when it is asked for.
typedef struct {
    int32_t shape_a, shape_b;
} cn_end_event_row;

typedef struct {
    int32_t slot; // of the contact: hits are sorted by it
    int32_t shape_a, shape_b;
    float approach_speed, impulse; // of hits
    vec2s point, normal;
} cn_contact_event_row;

typedef struct {
    int32_t body;
    cn_body_change change;
} cn_body_event_row;

typedef struct {
    int32_t joint;
    float force, torque; // N, N m: when it broke
} cn_break_event_row;

// ---- islands

// A touching contact of a sleeping island.
typedef struct {
    cn_contact_record record;
    cn_anchor anchor;
    cn_contact_bodies bodies;
    bool silent; // its begin raised no event
} cn_stored_contact;

/* A sleeping island keeps its touching contacts, anchors and all, until it wakes. Its bodies are linked
 * through cn_body_warm.next. */
typedef struct {
    int first_body, body_count;
    CN_LIST(cn_stored_contact) contacts;
    bool alive, wake; // wake: to be woken at the start of the next step

    bool searched; // scratch, of those that wake: its neighbours were looked up in this step
    int next_free;
} cn_sleeping_island;

typedef CN_LIST(cn_end_event_row) cn_end_list;

// A body that passes one-way shapes, and for how long yet.
typedef struct {
    int body;
    float seconds;
} cn_drop;

// ---- joints

typedef enum {
    CN_ROW_PLAIN, // contacts: contact_solver.h
    CN_ROW_ONE_POINT,
    CN_ROW_COMPOUND, // of two bodies that have others
    CN_ROW_EXTENDED,
    CN_ROW_POINT, // joints: a locked point; and its angle; or three rows (joint_solver.h)
    CN_ROW_POINT_ANGLE,
    CN_ROW_AXES,
    CN_ROW_COUPLING, // of two joints (coupling.h)
    CN_ROW_NONE,     // a joint that does nothing
} cn_row_type;
enum { CN_CONTACT_ROW_TYPES = CN_ROW_POINT, CN_JOINT_ROW_TYPES = CN_ROW_COUPLING - CN_ROW_POINT };
enum {                 // cn_touching_rows.kinds: that of the contact, and
    CN_ROW_STATIC_A = 1 << 2, // A is static or kinematic
    CN_ROW_CLASS = 3, // shift: cn_hull_class of the pair
    CN_ROW_HITS = 1 << 5, // raises hit events
};

enum {
    CN_JOINT_WATCHED = 1 << 1, // has a ratchet, or may break
    CN_JOINT_BROKEN = 1 << 2,  // in this step: to be destroyed after it
    CN_JOINT_RIGID = 1 << 3,   // a lock, a limit or a motor holds its angle
};

// What the step changes of a joint. Impulses are those of the last substep, by coordinate; of x and y along
// the world's axes, but along the joint's own if it is a CN_ROW_AXES.
typedef struct {
    float lock[3]; // impulses of locks and limits
    float angle;   // of frame B against frame A, with its turns; see cn_joint_angle()
    float spring[3], motor[3];
} cn_joint_state;

// What every step reads of a joint. 64 bytes, read by the solver in rows of four.
typedef struct {
    // Anchors from the centres of mass, in the bodies' frames: they follow from the joint's frames.
    vec2s arms[2];
    cn_joint_state state;
    int32_t bodies[2];
} cn_joint_record;
static_assert(sizeof(cn_joint_record) == 64, "one cache line");

// A coordinate as the solver sees it. Limits are of impulses.
typedef struct {
    // Rate and scale are those of the spring; below 0 the rate is one of velocity: to be multiplied by the
    // effective mass.
    float lower, upper, scale, rate;
    float target, speed, spring_limit, motor_limit;
} cn_prepared_row;

// What follows from a joint's coordinates and frames for substeps of h. Joints of CN_ROW_POINT do without.
typedef struct {
    cn_prepared_row rows[3];
    cn_rotation frames[2];
    float h;       // 0: to be made anew
    float hold[3]; // of the springs: see tune_spring(); of y CN_POLAR if the joint is polar
} cn_prepared_joint;
#define CN_POLAR -1.0f // where a joint with a y has the hold of its spring, which is 0..1
static_assert(sizeof(cn_prepared_joint) == 128,
              "of two cache lines a joint with a locked point reads one");

// q + ratio q' = constant, with a coordinate of another joint.
typedef struct {
    int32_t other; // -1: none, also of a joint that is no more
    int32_t axis, other_axis;
    float ratio, constant, impulse;
    int32_t slack;
} cn_joint_link_row;

typedef struct {
    cn_joint_def def; // with the limit that a ratchet has reached
    int32_t next[2];  // joint of the same body, -1 at the end
    uint32_t flags;
    cn_row_type row_type; // follows from the definition
    float broken_force, broken_torque;
    cn_joint_link_row coupling;
} cn_joint_data;

#endif
