/* world: the implementation of the public calls on a world.
 *
 *   world.c          creates and destroys worlds; settings, tuning
 *   handle.c         checks of arguments; handles
 *   body_calls.c     creates and destroys bodies; type, enabled, sleep
 *   body_motion.c    poses, velocities, forces, impulses
 *   body_settings.c  mass, damping, locks and the other plain properties
 *   shape_calls.c    creates, changes and destroys shapes
 *   chain_calls.c    chains of one-sided segments
 *   shape_reads.c    properties of shapes, and queries of a single shape
 *   joint_calls.c    creates, changes and destroys joints
 *   joint_reads.c    properties of joints, their positions and forces
 *   joint_presets.c  definitions of common joints
 *   step.c           cn_world_step(), cn_world_advance() and the profile of a step
 *   event.c          the events of a step, and the callbacks
 *   moves.c          move events
 *   contact_calls.c  the touching contacts, and the ground of a body
 *   shift.c          moves the origin
 *   inspect.c        iteration, bulk reads, energy, counters
 *   recorder.h       the functions by which calls report to a recording
 *
 * The arguments of a public call are checked here and in no layer below. A call checks its
 * arguments, then reserves all memory that it may need, then changes the world. The last part
 * cannot fail.
 *
 * Every public function begins in the same way. A call on an object finds its slot, a call on the
 * world checks the pointer:
 *
 *     cn_find_body(), ...    cn_check_world()      in a call that reads the world
 *     cn_edit_body(), ...    cn_edit_world()       in a call that changes it: these also fail while
 *                                                  a callback runs
 *
 * These functions take the name of the public function (__func__) and record a complete error. Then
 * the call checks its other arguments. A check records what is wrong, and CN_CHECK() puts the name
 * of the public function before that. So every message names the function that was called wrongly.
 */
#ifndef CN_WORLD_H
#define CN_WORLD_H

#include "../dynamics/step/step.h"
#include "recorder.h"

// The largest coordinate of a position, either sign.
#define CN_MAX_COORDINATE 1e9f
// Seconds. For a shorter step, the square of its inverse would be too large for a float.
#define CN_MIN_STEP 1e-15f
// The range of masses and moments of inertia. Their inverses are floats, too.
#define CN_MIN_MASS 1e-36f
#define CN_MAX_MASS 1e36f
// Cosine: tolerance for the rounding of normals, where they are compared with a greatest slope.
#define CN_SLOPE_PLAY 1e-5

// ---- the world

// A touching contact: its rows among the awake contacts, or in a sleeping island.
typedef struct {
    const cn_contact_record *record;
    const cn_anchor *anchor;
    const cn_contact_load *load;
} cn_contact_ref;

// The bodies that moved in the last step, or in the steps of one cn_world_advance() (moves.c). A
// group is 64 bodies: one word of bits, and 64 poses.
typedef struct {
    int groups;                    // capacity
    cn_pose *poses;                // poses of the body origins after the last step
    uint64_t *moved, *slept;       // a bit per body: the body has a move event; it fell asleep
    uint64_t *placed;              // a bit per body: a call moved it since the last step
    CN_LIST(cn_move_event) events; // filled by cn_world_events()
} cn_moves;

// The memory of an object that uses a world and may outlive it.
typedef struct cn_attachment {
    cn_memory memory;
    cn_world *world;            // NULL: it was destroyed
    struct cn_attachment *next; // of the same world
} cn_attachment;

// Parts may keep data of a world behind it in memory: see cn_world_bytes.
struct cn_world {
    cn_simulation sim;
    cn_memory memory; // of the world itself and of all that is not in the simulation
    uint64_t user_data;

    // cn_world_advance()
    float time_step;       // seconds
    int max_steps;         // in one call
    double accumulator;    // seconds of frame time that no step has covered
    bool stepped_manually; // the last step was taken by cn_world_step(): nothing to interpolate
    bool hinted_seconds;   // that a frame time is probably in milliseconds

    uint8_t tag; // part of every handle of this world

    bool in_callback;       // filter or pre_solve runs
    bool in_before_step;    // before_step runs
    bool has_new_callbacks; // no step with shapes has been taken since they were set
    cn_callbacks callbacks;

    cn_profile *profile; // of the last step; NULL: profiling is off

    // the events of the last step, filled by cn_world_events()
    CN_LIST(cn_touch_event) begins, ends;
    CN_LIST(cn_hit_event) hits;
    CN_LIST(cn_body_event) bodies;
    CN_LIST(cn_sensor_event) sensor_begins, sensor_ends;
    CN_LIST(cn_joint_event) broken;

    // the contacts by body (contact_calls.c), built by the first call that needs them
    CN_LIST(uint64_t) contact_keys;
    CN_LIST(cn_contact_ref) contact_refs;
    _Atomic uint64_t index_revision; // 1 + contact_revision when the index was built; 0: none
    cn_spinlock index_lock;          // held by the thread that builds the index

    cn_moves *moves; // NULL: move events are off

    uint64_t static_revision;   // changes with every call that may change static bodies
    cn_recorder *recorder;      // of the recording or replay of this world; NULL: none
    cn_attachment *attachments; // a list
};

// Bytes of a world with the data of parts behind it (engine/parts/parts.c).
extern const size_t cn_world_bytes;

// ---- settings (world.c)

// cn_world_create() without the name of the call in its error.
cn_world *cn_make_world(const cn_world_def *def);

// True if the settings of the world are ones that the user could have given.
bool cn_require_settings(const cn_world *world);

// Adds an object to the attachments of the world, or removes it.
void cn_attach(cn_world *world, cn_attachment *attachment);
void cn_detach(cn_attachment *attachment);

// ---- joints (joint_calls.c, joint_reads.c)

// True if the numbers and modes of a definition are good.
bool cn_require_joint(const cn_joint_def *def);

bool cn_require_axis(cn_joint_axis axis);
bool cn_require_which(cn_which which);

// ---- checks (handle.c; cn_require() and similar checks are in base/maths.h)

bool cn_require_pointer(const char *what, const void *pointer);
// True if the world may be changed: no callback of it runs.
bool cn_require_idle(const cn_world *world);

// True if the world is not NULL. Otherwise false, with the error recorded in the caller's name.
static inline bool cn_check_world(const cn_world *world, const char *caller) {
    return world || cn_require_pointer("world", world) || cn_fail_call(caller);
}
// The same for a call that changes the world: also false while a callback runs.
bool cn_edit_world(const cn_world *world, const char *caller);

// The running calls of query.accept() on this thread, the innermost first. Their worlds cannot be
// changed, because a query is walking through their trees.
typedef struct cn_accept_call {
    const cn_world *world;
    const struct cn_accept_call *outer;
} cn_accept_call;
void cn_begin_accept(cn_accept_call *call, const cn_world *world);
void cn_end_accept(const cn_accept_call *call);
bool cn_is_in_accept(const cn_world *world); // on this thread, for a query of this world

// ---- handles (handle.c)

// True if an object of this kind with this id exists.
bool cn_is_valid_object(const cn_world *world, cn_slot_kind kind, uint64_t id);

// Checks a body among the arguments. Stores its slot.
bool cn_require_body(const cn_world *world, cn_body body, int *slot);

// Return the slot of a handle. If the world is NULL or the handle is not valid, they return -1,
// with the error recorded in the caller's name.
int cn_find_body(const cn_world *world, cn_body body, const char *caller);
int cn_find_shape(const cn_world *world, cn_shape shape, const char *caller);
int cn_find_joint(const cn_world *world, cn_joint joint, const char *caller);
int cn_find_chain(const cn_world *world, cn_chain chain, const char *caller);
// The same for a call that changes the world: also -1 while a callback runs.
int cn_edit_body(cn_world *world, cn_body body, const char *caller);
int cn_edit_shape(cn_world *world, cn_shape shape, const char *caller);
int cn_edit_joint(cn_world *world, cn_joint joint, const char *caller);
int cn_edit_chain(cn_world *world, cn_chain chain, const char *caller);
// The same for an object of any kind. After an edit of an object of a part, the caller must call
// cn_mark_edited() with its body.
int cn_find_object(const cn_world *world, cn_slot_kind kind, uint64_t id, const char *caller);
int cn_edit_object(cn_world *world, cn_slot_kind kind, uint64_t id, const char *caller);

// Marks a body because a call may change it, or an object that belongs to it.
void cn_mark_edited(cn_world *world, int body);

// Returns the id of the handle of the object in a slot. If the object was destroyed, this is the id
// that it had. If the slot is -1, it is 0.
static inline uint64_t cn_id_of(const cn_world *world, cn_slot_kind kind, int slot) {
    if (slot < 0) return 0;
    const cn_slot *item = &world->sim.slots[kind].items[slot];
    uint32_t generation = item->generation - (item->next_free == CN_IN_USE ? 0 : 1);
    return (uint64_t)generation << 32 | (uint64_t)world->tag << 24 | (uint64_t)slot;
}
// The handle with this id.
cn_body cn_body_handle(const cn_world *world, int slot);
cn_shape cn_shape_handle(const cn_world *world, int slot);
cn_joint cn_joint_handle(const cn_world *world, int slot);
cn_chain cn_chain_handle(const cn_world *world, int slot);
cn_grid cn_grid_handle(const cn_world *world, int slot);
// Returns the slot of the next object of a kind that the user created, after the object with the id
// `previous` (0: the first object). Returns -1 after the last object. If the id is not valid, it
// returns -1 with the error recorded in the caller's name.
int cn_slot_after(const cn_world *world, cn_slot_kind kind, uint64_t previous, const char *caller);

// ---- frames (step.c)

// True unless before_step runs.
bool cn_require_outside_before_step(const cn_world *world);
// Takes a step, unless an argument is wrong. Returns false, with the error recorded, if it fails.
bool cn_check_and_step(cn_world *world, float dt);

// Turns profiling on. False if memory is short.
bool cn_start_profiling(cn_world *world);
// Returns the pose of a body for drawing: interpolated between its poses before and after the last
// step.
cn_pose cn_drawn_pose(const cn_world *world, int body);

// ---- events and contacts (event.c, contact_calls.c)

// Sets the callbacks, and nothing that follows from them: call it before a state is read that was
// saved with these callbacks. Returns the previous callbacks.
cn_callbacks cn_exchange_callbacks(cn_world *world, cn_callbacks callbacks);
// True if the world belongs to a replay: the recorded program has had the hints.
static inline bool cn_is_replayed(const cn_world *world) {
    return world->recorder && !world->recorder->calls;
}
// After a call that steps, on its thread: once for callbacks that were set, gives a hint if the
// filter or pre-solve callback is never called, because no shape has its flag.
void cn_check_new_callbacks(cn_world *world);

cn_side cn_side_of(const cn_world *world, int shape);
cn_contact cn_contact_of(const cn_world *world, cn_contact_ref ref);
// Returns the velocity of the surface of a shape at a point, where its outward normal is `normal`.
// The surface of a conveyor belt moves clockwise around its shape.
vec2s cn_surface_velocity(const cn_simulation *sim, int shape, vec2s normal, vec2s point);

// An iterator over all touching contacts: awake contacts in the order of their slots, then sleeping
// contacts, island by island. It starts as all zeros. The world must not change meanwhile.
typedef struct {
    cn_contact_ref at;       // the current contact
    int slot, island, index; // the next one: an awake slot, or an island and an index in it
} cn_contact_iterator;
bool cn_next_contact(const cn_world *world, cn_contact_iterator *it); // false after the last

// ---- move events (moves.c)

// All except cn_start_moves() do nothing while move events are off. The functions that return bool
// return false if memory is short.
bool cn_start_moves(cn_world *world);
bool cn_reserve_moves(cn_world *world, int bodies);  // for the slots of this many bodies
void cn_start_body_moves(cn_world *world, int body); // the body was created
void cn_mark_placed(cn_world *world, int body);      // a call moved the body
void cn_restart_moves(cn_world *world);              // the next step has an event of every body
void cn_find_moves(cn_world *world);                 // after a step
void cn_clear_moves(cn_world *world);
bool cn_write_moves(cn_world *world, cn_events *events);

// ---- shapes of a body (shape_calls.c)

// True if the body may get a shape with this definition.
bool cn_check_shape(const cn_simulation *sim, int body, const cn_shape_def *def);
// The shapes of a new body with this definition, whose rows are filled. The first function returns
// true if the definitions of the shapes are good. The second one reserves all memory that they
// need, so that the third one cannot fail.
bool cn_check_body_shapes(int body, const cn_body_def *def);
bool cn_reserve_body_shapes(cn_simulation *sim, int body, const cn_body_def *def);
void cn_create_body_shapes(cn_simulation *sim, int body, const cn_body_def *def);
// True if the values that a contact takes from its materials, or gets from pre_solve, are within
// their ranges.
bool cn_require_contact_values(float friction, float restitution, float surface_speed);
bool cn_require_material(cn_material material); // false, with the error recorded, if it is bad
// True if a shape may have this medium: a solid shape (`sensor` is false) only an empty one.
bool cn_require_sensor(cn_medium medium, bool sensor);
// True if the user may change the shape. Only steps create and destroy the shapes of terrain.
bool cn_require_not_terrain(const cn_simulation *sim, int shape);
// Returns the material of a shape, or sets it. Setting fails, with the error recorded, if the
// material is bad or memory is short.
cn_material cn_material_of(const cn_simulation *sim, int shape);
bool cn_change_material(cn_simulation *sim, int shape, cn_material material);
// Return the definition with its zeros and flags replaced by the values that they stand for.
cn_shape_def cn_apply_shape_defaults(const cn_shape_def *given);
cn_material cn_apply_material_defaults(cn_material given);
// True if the sum of the masses of the shapes is a valid mass of a dynamic body: if there are
// shapes, mass and inertia are within CN_MIN_MASS .. CN_MAX_MASS. `part` (if not NULL) is added to
// the sum, or replaces the mass of the shape `changed` (if that is not -1).
bool cn_require_mass(const cn_simulation *sim, int body, int changed, const cn_mass_data *part);

// ---- bodies (body_calls.c, body_motion.c, body_settings.c)

// True if the velocities are finite and, for a body that its flags say is static, zero.
bool cn_require_velocity(uint32_t flags, vec2s v, float w);

// True if the body may get this impulse (N s) and this angular impulse (N m s) about its centre of
// mass: its velocities stay in range.
bool cn_require_impulse(const cn_simulation *sim, int body, vec2s impulse, float turn);
// Adds the impulse and wakes the body. Returns false, with the error recorded, as above.
bool cn_add_impulse(cn_simulation *sim, int body, vec2s impulse, float turn);

// Tells the parts that a body was moved, enabled or disabled.
void cn_report_placed(cn_simulation *sim, int body);
// Moves another stored pose of a body when a shift of the origin moves the body from `before` to
// `after`.
void cn_shift_pose(cn_pose *stored, cn_pose before, cn_pose after, vec2s by);
cn_body_hot cn_shifted_body(const cn_body_hot *body, vec2s by);

// Sets the velocities along locked axes to zero.
void cn_apply_locks(cn_body_hot *body);
// True if the body is alone in its sleeping island and has no contacts. Then shapes and mass can
// change without waking it.
bool cn_sleeps_alone(const cn_simulation *sim, int body);
// Updates the mass of the body from its shapes, or keeps the mass that was set. Then updates boxes,
// contacts and, if it wakes, sleep, which depend on the mass. The body must be settled.
void cn_refresh_mass(cn_simulation *sim, int body, bool wakes);
// Do the same after an edit of the shapes of the body. If it has several, its mass is computed
// later (dynamics/model/mass.c). The first one is for a shape that was appended, the second one for
// a shape that was changed or destroyed (-1). `counts`: the shape has a density, or had one.
void cn_count_new_shape(cn_simulation *sim, int body, int shape);
void cn_count_shapes_anew(cn_simulation *sim, int body, int shape, bool counts);

#endif
