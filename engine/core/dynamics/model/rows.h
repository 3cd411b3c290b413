/* rows: what is stored for each body, shape, chain, tile grid, contact and joint.
 *
 * The whole state of a simulation is in these structs and in cn_simulation (simulation.h): plain
 * arrays that refer to each other by index. An index of -1 means "none"; every other special value
 * has a name or is given at its field. Fields marked "scratch" or "plan" follow from the others and
 * are not part of the state.
 *
 * Units are metres, radians, seconds and kilograms. A vector is in world axes unless its comment
 * says otherwise.
 *
 * Two words have more than one meaning. A row is an element of a parallel array (rows by slot); a
 * row of four is four floats, which the kernels read at once; a row of a constraint is one scalar
 * equation of the solver. A slot is the index of such an element. Objects with handles, touching
 * contacts and the boxes of a tree number their slots independently.
 */
#ifndef CN_ROWS_H
#define CN_ROWS_H

#include "../../collision/collision.h"

// ---- constants that several stages share

// Fraction of the inner radius beyond which the displacement of a bullet is swept. Against static
// shapes other bodies are swept almost like bullets (cn_static_threshold()), and against the rest
// only beyond the whole inner radius.
#define CN_BULLET_FRACTION 0.25f
// Fraction of a coordinate: a bound of the rounding errors when a box is compared with another.
#define CN_BOX_ROUNDING (4 * FLT_EPSILON)
// Two normals belong to the same face if the cosine of their angle is larger (about 45 degrees).
#define CN_SAME_FACE_COSINE 0.7f
// The most sweeps of impacts in a substep. Sweeps carry a shock through a row of bodies. A heavy
// body that falls on three light ones sinks in by 1.4 times as much with half of the sweeps.
enum { CN_IMPACT_SWEEPS = 16 };
// Fraction of the sleep speed. The mean velocity of a body at rest changes by less than this from
// one half of a watch (cn_drift) to the other, and drives such as motors move it more slowly.
#define CN_REST_FRACTION 0.02f
// The largest velocity of a body in x and in y, and its largest angular velocity: per second, as
// many lengths as the largest coordinate. Squares of products of two such speeds and lengths are
// floats.
#define CN_MAX_SPEED 1e9f

// ---- bodies: parallel rows by slot; a body never moves in memory

enum {
    CN_BODY_ALIVE = 1 << 0,
    CN_BODY_ENABLED = 1 << 1,
    CN_BODY_AWAKE = 1 << 2, // dynamic and kinematic bodies only: a static body is never awake
    CN_BODY_IS_DYNAMIC = 1 << 3,
    CN_BODY_IS_KINEMATIC = 1 << 4, // a body that is neither dynamic nor kinematic is static
    CN_BODY_NO_SLEEP = 1 << 5,
    CN_BODY_LOCK_X = 1 << 6,
    CN_BODY_LOCK_Y = 1 << 7,
    CN_BODY_LOCK_ROTATION = 1 << 8,
    CN_BODY_LIMITED = 1 << 9,    // has a speed limit
    CN_BODY_USER_MASS = 1 << 10, // the user set its mass: it does not follow from its shapes
    CN_BODY_UNPLANNED = 1 << 11, // is in cn_simulation.unplanned
    CN_BODY_BULLET = 1 << 12,    // all its sweeps begin at CN_BULLET_FRACTION
    CN_BODY_EDITED = 1 << 13,    // its shapes were edited, and its rows have the previous mass
    CN_BODY_STOPPED = 1 << 14,   // continuous collision stopped it in the last step
    CN_BODY_RECOUNTS = 1 << 15,  // with CN_BODY_EDITED: its shapes must be summed up anew
    CN_BODY_PULLED = 1 << 16,    // a force accelerated it: see cn_drift
    CN_BODY_IN_FLIGHT = 1 << 17, // in the running step, no constraint changed its velocity
    CN_BODY_SPRINGS_CHANGED = 1 << 18, // a joint changed, so all its joints are prepared anew
    CN_BODY_WAS_PULLED = 1 << 19,      // CN_BODY_PULLED in the watch before
    CN_BODY_JOINT_REMOVED = 1 << 20,   // lost a joint that prevented collisions since the last step
    CN_BODY_TELEPORTS = 21,            // shift of 8 bits: how often it was teleported, modulo 256
    // Only for the next plan, so not part of the state.
    CN_BODY_PLANNING = CN_BODY_UNPLANNED | CN_BODY_SPRINGS_CHANGED,
    CN_BODY_PULLS = CN_BODY_PULLED | CN_BODY_WAS_PULLED,
    CN_BODY_MOVES = CN_BODY_IS_DYNAMIC | CN_BODY_IS_KINEMATIC, // is not static
    // Locks or the speed limit change its velocity after each solve.
    CN_BODY_CLAMPED = CN_BODY_LOCK_X | CN_BODY_LOCK_Y | CN_BODY_LIMITED,
};

// The data of a body that every step reads and writes. 64 bytes: one cache line.
typedef struct {
    float x, y, c, s;      // centre of mass, cosine and sine of the rotation; world
    float vx, vy, w;       // velocity of the centre of mass, m/s; angular velocity, rad/s
    float inverse_mass;    // 1/kg; 0 unless the body is dynamic and free in x or y
    float inverse_inertia; // 1/(kg m^2); 0 unless the body is dynamic and free to turn
    float linear_damping, angular_damping; // 1/s
    float gravity_scale;                   // factor of the world's gravity
    float low_x, low_y;                    // rounding errors: the exact position is x + low_x
    float sleep_time;                      // s for which it has been slow
    uint32_t flags;                        // CN_BODY_ALIVE ...
} cn_body_hot;
static_assert(sizeof(cn_body_hot) == 64, "one cache line");

// How often the body was teleported, modulo 256. A hull that rides it does not follow a teleport.
static inline uint32_t cn_teleports_of(const cn_body_hot *body) {
    return body->flags >> CN_BODY_TELEPORTS & 255;
}
static inline void cn_count_teleport(cn_body_hot *body) {
    const uint32_t count = (cn_teleports_of(body) + 1) & 255;
    body->flags &= ~(255u << CN_BODY_TELEPORTS);
    body->flags |= count << CN_BODY_TELEPORTS;
}

// The data of a body that a step reads less often.
typedef struct {
    vec2s force;                 // N, from the user; the next step applies and clears it
    float torque;                // N m, likewise
    vec2s center;                // centre of mass, in the body's frame
    float mass, inertia;         // kg; kg m^2 about the centre of mass, whatever the type
    float max_speed;             // m/s, with CN_BODY_LIMITED
    float sleep_speed;           // m/s; 0: that of the tuning
    float extent;                // distance of the farthest point of its shapes from the centre
    int first_shape, last_shape; // in order of creation
    int batch;                   // plan: an awake dynamic body's batch, else -1
    int batch_state; // plan: its state in that batch; for a kinematic body that of its last copy
    int island;      // the sleeping island that it belongs to, else -1
    int next;        // the next body of the sleeping island
} cn_body_warm;
static_assert(sizeof(cn_body_warm) == 64, "one cache line");

// The places of a body in lists. They follow from the lists; -1: it is in none.
typedef struct {
    int32_t kinematic; // in cn_simulation.kinematics
    int32_t drop;      // in cn_simulation.drop_throughs
    int32_t previous;  // the body before it in its sleeping island
} cn_body_links;

// How a body moves in the running step. The solver writes it, continuous collision shortens it, and
// "move bodies" moves the body by it. Scratch, except the two measures of continuous collision
// (CCD): they change only when the shapes of the body change.
typedef struct {
    float x, y, angle;   // displacement; valid if cn_took_part()
    float until;         // 0..1: fraction of the displacement at which the body stops
    float ccd_threshold; // a longer displacement is swept: inner radius of its smallest shape, or
                         // CN_BULLET_FRACTION of that. FLT_MAX without shapes
    float ccd_reach;     // extent minus that inner radius: turning by an angle (rad) counts as a
                         // displacement of angle * ccd_reach
    _Atomic float stop;  // the least `until` that the current round of sweeps found
    uint32_t sweep;      // CN_SWEEP_FAST ..., and the round in which it stopped; 0 outside a step
} cn_motion;

// How a slow body moves in a watch, the second half of the sleep time: its displacement in the
// later half of the watch minus that in the earlier half, less what damping takes away. The noise
// of the solver cancels, and an acceleration adds up. A body that was pulled in one of the last two
// watches stays awake: a pendulum drifts evenly near its lowest point, but not for long.
typedef struct {
    float x, y, angle, unused;
} cn_drift;

// The mass of a body, and where its centre of mass is and moves.
typedef struct {
    cn_mass_data mass;        // its centre is in the body's frame
    vec2s position, velocity; // of the centre of mass, world
} cn_counted_mass;

// The edits of the shapes of a body since the last step (mass.c). It follows from the state. Zero
// for a body that was not edited, except `listed`.
typedef struct {
    cn_counted_mass counted;     // with the present shapes, if `is_known`; with `is_settled`: that
                                 // of the rows before
    float extent, ccd_threshold; // with `is_settled`: those before
    float ccd_reach;             // likewise
    float max_mass, max_inertia; // upper bounds unless `is_known`; the inertia is about the origin
    int listed;                  // of row i: entry i of the list of edited bodies
    uint32_t woken;              // cn_simulation.sleep_revision when its neighbours were woken
    atomic_bool is_known;        // readers may set it: see cn_settled_mass()
    bool is_listed;              // it is in the list of edited bodies
    bool is_dirty;               // all its shapes have CN_DIRTY_CHANGED
    bool is_settled;             // by the running step, which may still fail
} cn_body_edit;

// The pull of iterated joints on a body: add_inertia() in solver/bodies.c finds the added inertia
// from it.
typedef struct {
    float sum;           // N s m: impulse times lever arm in the last substep, over all its joints
    float added_inertia; // kg m^2: in the last step
} cn_pull;

// Flags of a body for continuous collision in the running step. The solver writes them at its end,
// and "move bodies" clears them.
enum {
    // Its displacement exceeds the CCD threshold, or a moving kinematic body hits it, or it is in
    // free flight and a fast body hits it: it is swept against all shapes.
    CN_SWEEP_FAST = 1 << 0,
    // With CN_SWEEP_FAST: it is a bullet, or no constraint changed its velocity.
    CN_SWEEP_FREE_FLIGHT = 1 << 1,
    // It may leave its margin in this step or the next. It looks for immovable shapes in its path
    // in the next step. Beyond cn_static_threshold() it is also swept against static shapes.
    CN_SWEEP_LEAVES_MARGIN = 1 << 2,
    CN_SWEEP_AHEAD = 1 << 3, // there are such shapes: its boxes cover that path
    CN_SWEEP_ROUND = 8,      // shift of 8 bits: 0 if it was not stopped, else 1 + the round
};
static inline bool cn_was_stopped(const cn_motion *m) { return m->sweep >> CN_SWEEP_ROUND; }

// ---- slots: what bodies, shapes, joints, grids and chains have in common

typedef enum { CN_BODIES, CN_SHAPES, CN_JOINTS, CN_GRIDS, CN_CHAINS, CN_SLOT_KINDS } cn_slot_kind;

typedef struct {
    uint32_t generation; // of the slot's handle; grows by one when the object is destroyed
    int next_free;       // the next slot of the queue of unused slots; CN_IN_USE: has an object
} cn_slot;

// A handle has 24 bits for the slot.
enum { CN_MAX_SLOTS = (1 << 24) - 1 };

/* The queue of unused slots, linked through next_free.
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
    int first, last, rested, seen; // slots
} cn_slot_queue;

// The slots of one kind. The other rows of the kind are parallel to `items`.
typedef struct {
    cn_slot *items;
    uint64_t *user_data;    // NULL until an object of this kind has user data
    int user_data_capacity; // rows of user_data
    int end;                // all slots that were ever used are below
    int most;               // the greatest `end` before a restored state lowered it
    int count;              // objects alive
    int capacity;           // rows
} cn_slot_rows;

// ---- shapes: parallel rows by slot

enum {
    CN_SHAPE_ALIVE = 1 << 0,
    CN_SHAPE_HIT_EVENTS = 1 << 1,
    CN_SHAPE_FRICTIONLESS = 1 << 2,  // only for reading the material back as the user set it
    CN_SHAPE_RARE_MATERIAL = 1 << 3, // cn_is_rare_material()
    CN_SHAPE_SENSOR = 1 << 4,        // detects overlaps and touches nothing
    CN_SHAPE_ONE_SIDED = 1 << 5,     // a segment of a chain
    CN_SHAPE_RARE = 1 << 6,          // has a cn_shape_rare of its own
    CN_SHAPE_SILENT = 1 << 7,        // raises no touch events
    CN_SHAPE_FRICTION_MIX = 7 << 8,  // a cn_mix
    CN_SHAPE_RESTITUTION_MIX = 7 << 11,
    CN_SHAPE_UNCOUNTED = 1 << 14,     // was appended to a body with CN_BODY_EDITED
    CN_SHAPE_CUSTOM_FILTER = 1 << 15, // the user's filter decides about its pairs
    CN_SHAPE_PRE_SOLVE = 1 << 16,     // the user's pre-solve decides about its contacts
    CN_SHAPE_CALLBACKS = CN_SHAPE_CUSTOM_FILTER | CN_SHAPE_PRE_SOLVE,
    CN_SHAPE_NO_COLLISION = 1 << 17, // collides with nothing, whatever its filter
};

// Returns the rule in the bits of a mask.
static inline cn_mix cn_mix_in(uint32_t flags, uint32_t mask) {
    return (cn_mix)((flags & mask) / (mask & -mask));
}

static inline uint32_t cn_mix_bits(cn_mix mix, uint32_t mask) {
    return (uint32_t)mix * (mask & -mask);
}

// Where a shape is attached. Its placed hull (cn_placed_hull) is the row beside this one.
typedef struct {
    vec2s offset; // from the body's centre of mass to the hull's centre, world axes
    int32_t body;
    float friction;
} cn_shape_link;
static_assert(sizeof(cn_shape_link) == 16, "a row of four");

typedef struct {
    cn_pose pose;      // of the hull's centre in its canonical frame, on the body
    float restitution; // 0..1
    float density;     // kg/m^2
    uint32_t flags;    // CN_SHAPE_ALIVE ...
    int next;          // the next shape of the body
} cn_shape_warm;
static_assert(sizeof(cn_shape_warm) == 32, "two in a cache line");

// Values of cn_simulation.surface_of. A greater value is the index of the shape's surface.
// CN_SURFACE_EXPECTED counts as known: the next step finds it again. CN_SURFACE_FOUND - n: that of
// the hull, found in step n.
enum {
    CN_SURFACE_UNKNOWN = 0,
    CN_SURFACE_OF_HULL = -1,
    CN_SURFACE_EXPECTED = -2,
    CN_SURFACE_FOUND = -3,
};

// Names a piece of terrain (part.h), for the shape that a step made of it.
typedef struct {
    int32_t owner, piece; // slot of its owner, and its number there; both -1 for other shapes
} cn_terrain_name;

// Properties that few shapes have. These rows exist only once a shape has one of the properties.
typedef struct {
    float rolling_resistance; // fraction of the radius
    float surface_speed;      // m/s, clockwise around the shape
    float min_bounce_speed;   // m/s; 0: none of its own
    vec2s one_way;            // direction in the body's frame; zero: solid from all sides
    cn_filter filter;
    int32_t chain, segment; // slot of its chain, and its number there; both -1 for other shapes
    cn_terrain_name terrain;
    int32_t next, previous; // shapes of the same owner, for the part with the terrain
} cn_shape_rare;
extern const cn_shape_rare cn_common_shape; // the values of all shapes without CN_SHAPE_RARE

// ---- chains: rows by slot

// The segments of a chain follow each other in the list of the body's shapes.
typedef struct {
    int32_t body;
    int32_t count;       // of segments when it was created, with those that were destroyed
    int32_t first, last; // the shapes of the first and of the last segment that is left
} cn_chain_row;

// Dirty flags: what happened to a shape since the last step updated its contacts. A byte per shape.
enum {
    CN_DIRTY_BOX = 1 << 0,       // has a new fat box: its pairs may no longer overlap
    CN_DIRTY_REMOVED = 1 << 1,   // destroyed, disabled, or new hull or filter: its contacts end
    CN_DIRTY_CHANGED = 1 << 2,   // new material, mass or place on the body: contacts are remade
    CN_DIRTY_NEIGHBOUR = 1 << 3, // a neighbour was added, removed or changed: new surface
};

// A polygon in the pool. Links are indices of entries; 0: none (hull_pool.c).
typedef struct {
    int users; // shapes that have this polygon
    int vertices;
    int next; // the next entry of the bucket or of the free list
} cn_hull_entry;

typedef struct {
    cn_hull8 *hulls8;       // by entry
    cn_hull_entry *entries; // parallel to hulls8
    int *buckets;           // hash table: the first entry of each bucket; `capacity` of them
    int count, capacity;    // entries ever used, with entry 0; rows
    int free;               // the first free entry
} cn_hull_pool;

// ---- contacts

// cn_contact_record.meta. The two lowest bytes are the feature ids of point 1 and of point 2.
enum {
    CN_META_REFERENCE = 16,     // shift of 4 bits: reference edge, plus 8 if it belongs to B
    CN_META_COUNT = 20,         // shift of 2 bits: number of points
    CN_META_CLASS = 22,         // shift of 2 bits: cn_hull_class of the pair
    CN_META_CIRCLE_A = 1 << 24, // A is a circle about its body's centre: its anchor does not turn
    CN_META_CIRCLE_B = 1 << 25,
    CN_META_ALWAYS_REMAKE = 1 << 26, // a circle elsewhere on its body: remade in every step
    CN_META_REMAKE = 1 << 27,        // is remade in the next step
    CN_META_BOUNCY = 1 << 28,        // has restitution
    CN_META_HITS = 1 << 29,          // raises hit events
    CN_META_RARE_MATERIAL = 1 << 30, // a shape has CN_SHAPE_RARE_MATERIAL
    // A circle takes part, so the contact has one point.
    CN_META_ONE_POINT = CN_META_CIRCLE_A | CN_META_CIRCLE_B | CN_META_ALWAYS_REMAKE,
    // The bits that follow from the two shapes alone.
    CN_META_FLAGS = 3 << CN_META_CLASS | CN_META_ONE_POINT | CN_META_BOUNCY | CN_META_HITS |
                    CN_META_RARE_MATERIAL,
};
// The pre-solve callback disabled the contact for this step.
#define CN_META_DISABLED (1u << 31)

// A bit of cn_apart.meta, in place of the feature ids: the two shapes pass each other until they
// part.
#define CN_APART_PASSES (1u << 2)

/* A touching contact. 64 bytes, written by the narrowphase and read by the solver in rows of four.
 * The points and the centre difference are vectors in world axes as they were when the anchors were
 * made. These lever arms stay as they are while the pair hardly moves; only s1 and s2 are
 * refreshed. */
typedef struct {
    float nx, ny;   // normal from A to B
    float p1x, p1y; // m: point 1 minus centre of mass of A
    float p2x, p2y; // point 2, likewise; equal to point 1 if there is one point
    float dx, dy;   // m: centre of mass of B minus that of A
    float s1, s2;   // m: separations before the motion of the step; positive: a gap
    float friction; // coefficient of the pair
    uint32_t meta;  // feature ids, CN_META_REFERENCE ...
    // Impulses of the last substep, for the warm start: normal ones in N s. With one point, ln2 is
    // the impulse of the rolling resistance in N m s.
    float ln1, ln2;
    float lt;          // tangential impulse, N s
    float restitution; // of the pair
} cn_contact_record;
static_assert(sizeof(cn_contact_record) == 64, "one cache line");

// The load of a contact: its impulses in the whole last step, of all substeps and impacts, N s.
// Only users read it.
typedef struct {
    float n1, n2; // normal, of both points
    float t;      // tangential
    float unused; // 0
} cn_contact_load;
static_assert(sizeof(cn_contact_load) == 16, "a row of four");

// The state of the pair when its anchors were made, and its shapes. The anchors themselves are the
// points in the record.
typedef struct {
    float ca, sa, cb, sb; // cosine and sine of the rotations of A and of B
    float s1, s2;         // separations
    int32_t shape_a, shape_b;
} cn_anchor;
static_assert(sizeof(cn_anchor) == 32, "two rows of four");

// What a contact has in the running step: its own values, or those that pre-solve returned.
typedef struct {
    float friction, restitution; // as in cn_contact_record
    float surface_speed;         // m/s: see cn_surface_speed_of()
    float is_given;              // 1: these values count; 0: the contact has its own
} cn_contact_values;
static_assert(sizeof(cn_contact_values) == 16, "a row of four");

// A static or kinematic body is always A. Of two dynamic bodies, A has the lower slot.
typedef struct {
    int32_t a, b;
} cn_contact_bodies;

static inline cn_hull_class cn_class_of(uint32_t meta) {
    return (cn_hull_class)(meta >> CN_META_CLASS & 3);
}
static inline int cn_points_of(uint32_t meta) { return (int)(meta >> CN_META_COUNT & 3); }

// A contact keeps its slot while it touches. A new one takes the lowest free slot, so the order in
// the arrays depends only on the history of contacts. The first two slots are never occupied: the
// zero record, which unused lanes of the solver name, and a spare one.
enum { CN_SLOT_ZERO, CN_FIRST_SLOT = 2 };

// Rows by slot of a touching contact.
typedef struct {
    cn_contact_record *records;
    cn_anchor *anchors;
    cn_contact_load *load;
    cn_contact_bodies *bodies;
    uint8_t *row_types; // what the plan needs: cn_row_type, CN_PLAN_STATIC_A ...
    uint64_t *occupied; // bits: slots with a contact
    uint64_t *ending;   // scratch, bits: contacts that end, or (in continuous collision) of stopped
                        // bodies; all zero between the stages
    uint64_t *planned;  // bits: contacts that are planned anew; after a plan, none
    uint64_t *silent;   // bits: contacts whose begin raised no event, so their end raises none
    int groups, words;  // capacities: groups of CN_SLOT_GROUP rows; words of bits
    int end;            // all occupied slots are below
    int count;          // contacts
    int per_class[CN_CLASS_COUNT]; // contacts of each cn_hull_class
} cn_touching_rows;

// Rows are allocated in groups, because the widest kernels read 16 contacts at once.
enum { CN_SLOT_GROUP = 16 };
// Slots that a worker takes at a time: whole words of bits.
enum { CN_SLOT_GRAIN = 1024 };
static inline int cn_touching_slots(const cn_touching_rows *touching) {
    return touching->groups * CN_SLOT_GROUP;
}

// The result for an apart pair in the running step.
typedef enum {
    CN_PAIR_APART,     // stays apart
    CN_PAIR_TOUCHES,   // becomes a touching contact
    CN_PAIR_SEPARATED, // its boxes no longer overlap
    CN_PAIR_PASSES,    // stays apart as long as the shapes are near enough to touch (one_way.c)
} cn_pair_result;

// A pair whose boxes overlap but which does not touch. 16 bytes.
typedef struct {
    int32_t shape_a, shape_b; // A and B as in cn_contact_bodies; shape_a is -1: a gap
    cn_pair_result result;    // scratch
    uint32_t meta;            // class and flags as in cn_contact_record.meta; CN_APART_PASSES
} cn_apart;

typedef CN_LIST(cn_apart) cn_apart_list;

// True if the pair becomes a touching contact.
static inline bool cn_begins_contact(const cn_apart *pair) {
    return pair->result == CN_PAIR_TOUCHES;
}

// Lists by cn_hull_class: first the pairs that were apart before this step, then the pairs that are
// new in it (scratch).
enum { CN_NEW_APART = CN_CLASS_COUNT, CN_APART_LISTS = 2 * CN_CLASS_COUNT };

// ---- events, in short form; world/event.c makes the public events when they are read

typedef struct {
    int32_t shape_a, shape_b; // of sensor events: the sensor and the other shape
} cn_shape_pair_row;

typedef CN_LIST(cn_shape_pair_row) cn_shape_pair_list;

typedef struct {
    int32_t slot; // of the contact: hits are sorted by it
    int32_t shape_a, shape_b;
    float approach_speed, impulse; // m/s, N s; hits only
    vec2s point, normal;           // world
} cn_contact_event_row;

typedef struct {
    int32_t body;
    cn_body_change change;
} cn_body_event_row;

typedef struct {
    int32_t joint;
    float force, torque; // N, N m: the load that broke it
} cn_break_event_row;

// ---- islands

// A touching contact of a sleeping island.
typedef struct {
    cn_contact_record record;
    cn_anchor anchor;
    cn_contact_load load;
    cn_contact_bodies bodies;
    int32_t silent; // 1: its begin raised no event. Rows of whole words can be saved as they are
} cn_stored_contact;

/* A sleeping island keeps its touching contacts, with their anchors and impulses, until it wakes.
 * Its bodies are linked through cn_body_warm.next. */
typedef struct {
    int first_body, body_count;
    CN_LIST(cn_stored_contact) contacts;
    bool alive;
    bool wake_requested; // wakes at the start of the next step
    int place;           // scratch, while it wakes: in cn_simulation.waking
    int next_free;       // 1 + the next unused island; 0: none
    int next_requested;  // 1 + the next island that wakes; 0: none
} cn_sleeping_island;

// A body that drops through one-way shapes.
typedef struct {
    int body;      // -1: a gap
    float seconds; // left
} cn_drop;

// ---- joints

// The types of constraint rows. The constraints of one block have one type.
typedef enum {
    // Contacts (solver/contact_rows.h).
    CN_ROW_PLAIN,
    CN_ROW_ONE_POINT,
    CN_ROW_EXTENDED, // restitution, rolling resistance, a moving surface, or pre-solve
    // Joints (solver/joint_block.h).
    CN_ROW_POINT,       // a locked point
    CN_ROW_POINT_ANGLE, // a locked point and a row for the angle
    CN_ROW_AXES,        // a row for each coordinate
    CN_ROW_ROOT,        // no joint: the root of a tree of joints that is not anchored
    // Couplings of two joints (solver/coupling.c).
    CN_ROW_COUPLING,
    CN_ROW_NONE, // a joint that does nothing
} cn_row_type;
enum { CN_CONTACT_ROW_TYPES = CN_ROW_POINT, CN_JOINT_ROW_TYPES = CN_ROW_ROOT - CN_ROW_POINT };
// The bits of cn_touching_rows.row_types above the cn_row_type of the contact.
enum {
    CN_PLAN_STATIC_A = 1 << 2,  // A is static or kinematic
    CN_PLAN_CLASS = 3,          // shift of 2 bits: cn_hull_class of the pair
    CN_PLAN_HITS = 1 << 5,      // raises hit events
    CN_PLAN_PRE_SOLVE = 1 << 6, // a shape has CN_SHAPE_PRE_SOLVE
};
static_assert((int)CN_CONTACT_ROW_TYPES <= (int)CN_PLAN_STATIC_A, "the row type is below");
static inline int cn_row_type_in(int row_types) { return row_types & (CN_PLAN_STATIC_A - 1); }

enum {
    CN_JOINT_WATCHED = 1 << 1, // has a ratchet or may break: is checked after every step
    CN_JOINT_BROKEN = 1 << 2,  // broke in this step: is destroyed at its end
    CN_JOINT_LOCKS = 1 << 3,   // at least one coordinate is locked
    CN_JOINT_TWISTS = 1 << 4,  // locks or limits its angle, or has a motor there
};

// The data of a joint that a step changes. Impulses are those of the last substep, by coordinate
// (x, y, angle), in N s and N m s. The impulses of x and y are along the joint's own axes if the
// joint is a CN_ROW_AXES, else along the world's axes.
typedef struct {
    float lock[3];   // impulses of locks and limits
    float angle;     // of frame B against frame A, counting full turns: see cn_joint_angle()
    float spring[3]; // impulses of springs
    float motor[3];  // impulses of motors
} cn_joint_state;

// The load of a joint in the last step that solved it: what it exerted on B. Force and torque are
// the impulse of the whole step over the time of the step. The peaks are the greatest impulse of a
// substep over the time of the substep. A coupling counts for the joint that owns it. Only users
// and the break limits read the load.
typedef struct {
    vec2s force;      // N, world
    float torque;     // N m, without the drag of trees
    float peak_force; // N
    float peak_torque;
    float unused[3]; // 0
} cn_joint_load;
static_assert(sizeof(cn_joint_load) == 32, "two rows of four");

// The data of a joint that every step reads. 64 bytes, which the solver reads in rows of four.
typedef struct {
    vec2s arms[2]; // from the centres of mass to the anchors, in the bodies' frames; these follow
                   // from the joint's frames
    cn_joint_state state;
    int32_t bodies[2]; // A and B
} cn_joint_record;
static_assert(sizeof(cn_joint_record) == 64, "one cache line");

// A coordinate as the solver sees it, in m and m/s or rad and rad/s.
typedef struct {
    float lower, upper; // limits of the coordinate; equal if it is locked
    // Impulse of the spring per velocity before the substep, and per distance from the target.
    float per_speed, per_length;
    float target;                    // rest value of the spring
    float speed;                     // of the motor
    float spring_limit, motor_limit; // greatest impulse in a substep
} cn_prepared_row;

// The values that follow from a joint's coordinates and frames for substeps of length h. Joints of
// type CN_ROW_POINT do not use it.
typedef struct {
    cn_prepared_row rows[3]; // x, y, angle
    cn_rotation frames[2];   // of the joint on its bodies
    float h;                 // s; 0: must be prepared anew
    float damping[3];        // of the springs: impulse per velocity after the substep
} cn_prepared_joint;
// The damping of y if the joint is polar: then it has no y.
#define CN_POLAR -1.0f
static_assert(sizeof(cn_prepared_joint) == 128,
              "two cache lines: a joint with a locked point reads only the second");

// A coupling of a joint's coordinate q with a coordinate q' of another joint: q + ratio q' =
// constant.
typedef struct {
    int32_t other;            // the other joint; also -1 in the slot of a destroyed joint
    int32_t axis, other_axis; // cn_joint_axis of q and of q'
    float ratio, constant;
    float impulse; // of the last substep
    int32_t slack; // bool: the sum may be less than the constant
} cn_coupling_row;

// The lists of a joint in the other direction. They follow from the lists and the couplings.
typedef struct {
    int32_t previous[2];   // the joint before this one in the list of body A, and of body B
    int32_t first_coupled; // list of the joints whose coupling names this one
    int32_t next_coupled, previous_coupled; // in the list of the joint that its coupling names
} cn_joint_links;

typedef struct {
    cn_joint_def def;                  // a ratchet moves its lower limit
    int32_t next[2];                   // the next joint of body A, and of body B
    uint32_t flags;                    // CN_JOINT_WATCHED ...
    cn_row_type row_type;              // follows from the definition
    float broken_force, broken_torque; // N, N m: the load that broke it, with CN_JOINT_BROKEN
    cn_coupling_row coupling;
} cn_joint_data;

#endif
