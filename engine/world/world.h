/* world: what the user's calls do.
 *
 *   world.c          create, destroy, settings, tuning
 *   handle.c         checks of arguments; slots of bodies and shapes
 *   body_calls.c     bodies come, go, change type, fall asleep
 *   body_motion.c    poses, velocities, forces, impulses
 *   body_settings.c  masses, damping, locks and the other plain properties
 *   shape_calls.c    shapes come, go and change
 *   shape_reads.c    what they are, and questions to them
 *   step.c           the step from outside: time, profile, frames
 *   event.c          what happened and what touches
 *   inspect.c        iteration, bulk reads, energy, counters
 *   hash.c           64 bits over the state
 *   draw.c           pictures for debugging
 *
 * This is the border: a call checks its arguments here and nowhere below, then reserves all memory
 * it may need, then changes the world; from there on it cannot fail. Checks are told the name of
 * the public function (__func__), so that every message says who was called wrongly. */
#ifndef CN_WORLD_H
#define CN_WORLD_H

#include "../dynamics/dynamics.h"
#include "draw.h"

// Coordinates of positions go up to this.
#define CN_FARTHEST 1e9f
// Masses and moments of inertia stay within these, so that their inverses are floats too.
#define CN_LEAST_MASS    1e-36f
#define CN_GREATEST_MASS 1e36f

// ---- slots (handle.c)

// Slots are 24 bits of a handle.
enum { CN_MAX_SLOTS = (1 << 24) - 1 };

// Unused slots linked through next_free of their cold row; -1 ends the list.
typedef struct {
    int first, last;
} cn_slot_list;

/* Where unused slots wait. Events and contacts of a step name the objects that were destroyed since
 * the step before, and their user data is read from the slot when the event is: so a slot lies
 * still until another step has been made.
 *
 *     destroyed ──> pending ──next step──> limbo ──the one after──> free ──> created
 */
typedef struct {
    cn_slot_list pending, limbo, free;
} cn_slots;

// ---- the world

struct cn_world {
    cn_simulation sim;
    cn_slots body_slots, shape_slots;
    uint8_t tag;
    uint64_t steps;   // ever taken
    bool step_failed; // the last one did: its plan of islands is void

    // cn_world_advance()
    float time_step;    // seconds
    int max_steps;      // in one call
    double accumulator; // seconds of frames that no step has covered yet
    bool by_hand;       // the last step was none of cn_world_advance(): nothing to draw in between

    bool profiling;
    cn_profile profile; // of the last step that was measured

    // the events of the last step, written out when they are asked for
    cn_touch_event *begins, *ends;
    cn_hit_event *hits;
    cn_body_event *changes;
    int begin_capacity, end_capacity, hit_capacity, change_capacity;

    cn_draw_buffers draw;
};

// ---- checks: false, or slot -1, with the error recorded in the caller's name (handle.c)

bool cn_check_world(const cn_world *world, const char *caller);
bool cn_check_pointer(const void *pointer, const char *what, const char *caller);
bool cn_check_finite(float value, const char *what, const char *caller);
bool cn_check_finite2(vec2s value, const char *what, const char *caller);
bool cn_check_range(float value, float low, float high, const char *what, const char *caller);
bool cn_check_count(int value, int low, int high, const char *what, const char *caller);
// Near enough to the origin to compute with.
bool cn_check_point(vec2s point, const char *what, const char *caller);
bool cn_check_hull(const cn_hull *hull, const char *caller);
// Room for results that the caller brought.
bool cn_check_room(const void *array, int capacity, const char *caller);

// The slot of a handle.
int cn_find_body(const cn_world *world, cn_body body, const char *caller);
int cn_find_shape(const cn_world *world, cn_shape shape, const char *caller);

// ---- slots and their handles (handle.c)

// Is there a body, a shape, in this slot?
static inline bool cn_is_body(const cn_simulation *sim, int slot) {
    return sim->hot[slot].flags & CN_BODY_ALIVE;
}
static inline bool cn_is_shape(const cn_simulation *sim, int slot) {
    return sim->shapes[slot].flags & CN_SHAPE_ALIVE;
}

// The handle of a slot; of one that is not alive, the handle that it had when it was.
cn_body cn_body_handle(const cn_world *world, int slot);
cn_shape cn_shape_handle(const cn_world *world, int slot);

// The slot that the next body gets, with room made for it, or -1. Nothing changes until it is
// taken.
int cn_next_body_slot(cn_world *world, const char *caller);
int cn_next_shape_slot(cn_world *world, const char *caller);
void cn_take_body_slot(cn_world *world, int slot);
void cn_take_shape_slot(cn_world *world, int slot);
void cn_retire_body_slot(cn_world *world, int slot);
void cn_retire_shape_slot(cn_world *world, int slot);

void cn_init_slots(cn_world *world);
void cn_age_slots(cn_world *world); // a step has been made: pending ones become limbo, limbo free
void cn_free_slots(cn_world *world);

// ---- frames (step.c)

// The pose of a body for drawing, between those before and after the last step.
cn_pose cn_drawn_pose(const cn_world *world, int body);

// ---- events (event.c)

void cn_free_events(cn_world *world);

// ---- shapes of a body (shape_calls.c)

// The hull of a shape, in the body's frame.
cn_hull cn_hull_of(const cn_simulation *sim, int shape);

// May the body, if dynamic, have the mass of its shapes? `part` (if not NULL) is added, or stands
// in for that of shape `changed` (if not -1). It needs mass if it has shapes, in numbers that
// floats can hold.
bool cn_check_mass(const cn_simulation *sim, int body, int changed, const cn_mass *part,
                   const char *caller);

// Proxies of all shapes of a body: room for them in the tree, in, out (then contacts end).
bool cn_reserve_proxies(cn_simulation *sim, cn_tree *tree, int body);
void cn_insert_proxies(cn_simulation *sim, int body);
void cn_remove_proxies(cn_simulation *sim, int body);
// Destroys all shapes of a body that has no proxies and is about to go itself.
void cn_destroy_shapes(cn_world *world, int body);

// ---- bodies (body_calls.c, body_settings.c)

// The body rests no longer; its island wakes if it slept.
void cn_disturb_body(cn_simulation *sim, int body);
void cn_wake_all(cn_simulation *sim);
// Takes the locked parts out of the velocities.
void cn_apply_locks(cn_body_hot *body);
// Asleep and in touch with nothing: it can be furnished with shapes and mass without being woken.
bool cn_sleeps_alone(const cn_simulation *sim, int body);
// The mass of the body follows its shapes or what was set: masses, places, contacts, sleep.
void cn_renew_mass(cn_simulation *sim, int body);

#endif
