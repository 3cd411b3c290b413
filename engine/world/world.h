/* world: what the user's calls do.
 *
 *   world.c          create, destroy, settings, tuning
 *   handle.c         handles, and the slots behind them
 *   body_calls.c     bodies come, go, change type, fall asleep
 *   body_motion.c    poses, velocities, forces, impulses
 *   body_settings.c  masses, damping, locks and the other plain properties
 *   shape_calls.c    shapes come, go and change
 *   chain_calls.c    chains of one-sided segments
 *   tile_calls.c     grids of tiles, and which of them are real
 *   shape_reads.c    what they are, and questions to them
 *   joint_calls.c    joints come, go and change
 *   joint_presets.c  common joints
 *   step.c           the step from outside: time, profile, frames
 *   event.c          the events of a step
 *   moves.c          move events
 *   contact_calls.c  the touching contacts, and the ground of a body
 *   query.c          the first hit of a ray or hull, the nearest shape
 *   query_list.c     all hits of a ray, all overlaps
 *   query_rays.c     many rays at once
 *   query_tiles.c    queries of grids of tiles
 *   shift.c          moves the origin
 *   inspect.c        iteration, bulk reads, energy, counters
 *   hash.c           64 bits over the state
 *   draw.c           pictures for debugging
 *
 * This is the border: a call checks its arguments here and nowhere below, then reserves all memory
 * it may need, then changes the world; from there on it cannot fail. A check records what is wrong;
 * CN_CHECK() in the public function puts the name of that function before it, so that every message
 * says who was called wrongly. */
#ifndef CN_WORLD_H
#define CN_WORLD_H

#include "../dynamics/step/step.h"

// Coordinates of positions go up to this.
#define CN_FARTHEST 1e9f
// Seconds: of a shorter step, squares of inverses would not be numbers.
#define CN_LEAST_STEP 1e-15f
// Masses and moments of inertia stay within these, so that their inverses are floats too.
#define CN_LEAST_MASS    1e-36f
#define CN_GREATEST_MASS 1e36f

// ---- slots (handle.c)

// Slots are 24 bits of a handle.
enum { CN_MAX_SLOTS = (1 << 24) - 1 };

/* The queue of unused slots, linked through next_free; -1 ends it. Events and
 * contacts of a step name the objects that were destroyed since the step before, and their user
 * data is read from the slot when the event is: so a slot lies still until the next step or frame
 * after the one that tells its end has been made. In the queue come first those that have lain so
 * long, up to `rested`, then those that have seen a step, up to `seen`, then the rest; -1: there
 * are none. */
typedef struct {
    int first, last, rested, seen;
} cn_slot_queue;

// ---- the world

// Vertices of a drawing, in an array that is kept and used again.
typedef CN_LIST(cn_draw_vertex) cn_draw_list;

// Where a contact is.
typedef struct {
    const cn_contact_record *record;
    const cn_anchor *anchor;
} cn_contact_place;

// The bodies that moved in the last step, or in all steps of a frame (moves.c). A group is 64
// bodies: one word of bits, and 64 poses.
typedef struct {
    int groups;                    // capacity
    cn_pose *poses;                // of the origins, after the last step
    uint64_t *moved, *slept;       // a bit per body, for its event
    uint64_t *placed;              // a bit per body that a call moved since the last step
    CN_LIST(cn_move_event) events; // written out when they are asked for
} cn_moves;

struct cn_world {
    cn_simulation sim;
    cn_slot_queue unused[CN_SLOT_KINDS]; // slots
    uint8_t tag;
    uint64_t steps;   // ever taken
    bool step_failed; // the last one did: its plan of islands is void

    // cn_world_advance()
    float time_step;    // seconds
    int max_steps;      // in one call
    double accumulator; // seconds of frames that no step has covered yet
    bool by_hand;       // the last step was none of cn_world_advance(): nothing to draw in between

    cn_callbacks callbacks;
    bool calling;              // one of the first two
    bool preparing;            // a step of a frame: before_step is called
    atomic_bool team_is_taken; // a call of cn_world_cast_rays() uses the threads

    bool profiling;
    cn_profile profile; // of the last step that was measured

    // the events of the last step, written out when they are asked for
    CN_LIST(cn_touch_event) begins, ends;
    CN_LIST(cn_hit_event) hits;
    CN_LIST(cn_body_event) bodies;
    CN_LIST(cn_sensor_event) sensor_begins, sensor_ends;
    cn_joint_event *broken; // joints; a row beside them: as many may break in a step
    int broken_count;

    // contacts by body (contact_calls.c), made by the first call that needs them
    CN_LIST(uint64_t) contact_keys;
    CN_LIST(cn_contact_place) contact_places;
    _Atomic uint64_t index_step; // steps + 1 at the time when it was made; 0: never
    cn_spinlock index_lock;      // held by the thread that makes it

    cn_moves *moves; // NULL: move events are off

    cn_draw_list triangles, lines;
};

// ---- checks (handle.c; cn_require() and its like are in base/maths.h)

bool cn_require_pointer(const char *what, const void *pointer);
// No callback is running: the world may be changed.
bool cn_require_idle(const cn_world *world);

// ---- slots and their handles (handle.c)

enum { CN_IN_USE = -2 }; // next_free of a slot that has an object

// Is there a body, a shape, ... in this slot?
static inline bool cn_is_alive(const cn_simulation *sim, cn_slot_kind kind, int slot) {
    return sim->slots[kind].items[slot].next_free == CN_IN_USE;
}
// Goes through the slots of all that are alive: CN_EACH(CN_BODIES, i, sim) { ... }
#define CN_EACH(kind, i, sim)                                                                      \
    for (int i = 0; i < (sim)->slots[kind].end; i++)                                               \
        if (cn_is_alive(sim, kind, i))

// Checks a body among the arguments and gives its slot.
bool cn_require_body(const cn_world *world, cn_body body, int *slot);
// The slot of a handle; -1, with the error recorded in the caller's name, if it is not valid.
int cn_find_body(const cn_world *world, cn_body body, const char *caller);
int cn_find_shape(const cn_world *world, cn_shape shape, const char *caller);
int cn_find_joint(const cn_world *world, cn_joint joint, const char *caller);
int cn_find_tiles(const cn_world *world, cn_tiles tiles, const char *caller);
// The id of the handle of the object in a slot. If the object is gone: the id that it had. If the
// slot is -1: 0.
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
cn_tiles cn_tiles_handle(const cn_world *world, int slot);
// The slot of the user's next object of a kind after that with the handle `previous` (0: the
// first); -1 after the last, or, with the error recorded in the caller's name, if the handle is not
// valid.
int cn_slot_after(const cn_world *world, cn_slot_kind kind, uint64_t previous, const char *caller);

static inline uint64_t cn_user_data(const cn_simulation *sim, cn_slot_kind kind, int slot) {
    const uint64_t *user_data = sim->slots[kind].user_data;
    return user_data ? user_data[slot] : 0;
}
bool cn_set_user_data(cn_simulation *sim, cn_slot_kind kind, int slot, uint64_t user_data);
void cn_age_slots(cn_world *world, bool told); // a step was taken; are the ends before it told?
// The slot that the next object gets, with room made for it and its user data written, or -1.
// Nothing changes until it is taken.
int cn_next_slot(cn_world *world, cn_slot_kind kind, uint64_t user_data);
// Room for so many, exactly or with a reserve.
bool cn_resize_slots(cn_world *world, cn_slot_kind kind, int needed, bool exactly);
bool cn_reserve_slots(cn_world *world, cn_slot_kind kind, int count); // for so many more
void cn_take_slot(cn_world *world, cn_slot_kind kind, int slot);
void cn_retire_slot(cn_world *world, cn_slot_kind kind, int slot);

/* Open a function that reads or that changes the world: give it sim; or return `none` if the world
 * is NULL or the check (of sim and arguments) not passed. */
#define CN_OPEN_WORLD(simulation, check, none)                                                     \
    if (!CN_CHECK(cn_require_pointer("world", world))) return none;                                \
    simulation *sim = &world->sim;                                                                 \
    (void)sim;                                                                                     \
    if (!CN_CHECK(check)) return none
#define CN_READ_WORLD(check, none) CN_OPEN_WORLD(const cn_simulation, check, none)
#define CN_EDIT_WORLD(check, none)                                                                 \
    CN_OPEN_WORLD(cn_simulation, cn_require_idle(world) && (check), none)

/* The same for a function of a body, shape, joint or grid (`noun`): they give it slot, too, which
 * the check may ask; or return `none` if the handle is not valid. */
#define CN_OPEN(noun, simulation, check, none)                                                     \
    int slot = cn_find_##noun(world, noun, __func__);                                              \
    if (slot < 0) return none;                                                                     \
    CN_OPEN_WORLD(simulation, check, none)
#define CN_READ(noun, check, none) CN_OPEN(noun, const cn_simulation, check, none)
#define CN_EDIT(noun, check, none)                                                                 \
    CN_OPEN(noun, cn_simulation, cn_require_idle(world) && (check), none)
#define CN_ENTER(noun, check) CN_EDIT(noun, check, false) // what most are

/* Defines the getter `name` of a body, shape, ... (`noun`), documented in cairn.h: an expression of
 * sim, world and slot. Of a handle that is not valid it is zero. */
#define CN_GETTER(type, name, noun, expression)                                                    \
    type name(const cn_world *world, cn_##noun noun) {                                             \
        CN_READ(noun, true, (type){0});                                                            \
        return expression;                                                                         \
    }

// Defines the setter `name` with its one argument (type and name): a check of it, and statements.
#define CN_SETTER(name, noun, argument, check, ...)                                                \
    bool name(cn_world *world, cn_##noun noun, argument) {                                         \
        CN_ENTER(noun, check);                                                                     \
        __VA_ARGS__;                                                                               \
        return true;                                                                               \
    }

// The same of the world.
#define CN_WORLD_GETTER(type, name, expression)                                                    \
    type name(const cn_world *world) {                                                             \
        CN_READ_WORLD(true, (type){0});                                                            \
        return expression;                                                                         \
    }
#define CN_WORLD_SETTER(name, argument, check, ...)                                                \
    bool name(cn_world *world, argument) {                                                         \
        CN_EDIT_WORLD(check, false);                                                               \
        __VA_ARGS__;                                                                               \
        return true;                                                                               \
    }

static inline bool cn_is_same_pose(cn_pose a, cn_pose b) {
    return a.position.x == b.position.x && a.position.y == b.position.y &&
           a.rotation.c == b.rotation.c && a.rotation.s == b.rotation.s;
}

static inline void cn_set_flag(uint32_t *flags, uint32_t flag, bool on) {
    *flags = on ? *flags | flag : *flags & ~flag;
}

// ---- frames (step.c)

bool cn_require_unprepared(const cn_world *world);

// The pose of a body for drawing, between those before and after the last step.
cn_pose cn_drawn_pose(const cn_world *world, int body);

// ---- events and contacts (event.c, contact_calls.c)

// Drops the index of contacts, because the contacts move in memory.
static inline void cn_drop_index(cn_world *world) {
    atomic_store_explicit(&world->index_step, 0, memory_order_relaxed);
}
cn_side cn_side_of(const cn_world *world, int shape);
cn_contact cn_contact_of(const cn_world *world, cn_contact_place place);

// A tour of all touching contacts: awake ones in the order of their slots, then those that sleep,
// island by island. It begins with all zeros; the world must not change meanwhile.
typedef struct {
    cn_contact_place at;    // the contact that it has come to
    int slot, island, kept; // where it goes on: of the touching rows, then of the sleeping islands
} cn_contact_tour;
bool cn_next_contact(const cn_world *world, cn_contact_tour *tour); // false after the last

// ---- move events (moves.c)

// All except the first do nothing while move events are off. False if memory is short.
bool cn_begin_moves(cn_world *world);
bool cn_reserve_moves(cn_world *world); // for all bodies that have rows
// After a body was created, and after a call moved it.
void cn_begin_body_moves(cn_world *world, int body);
void cn_mark_placed(cn_world *world, int body);
void cn_find_moves(cn_world *world); // after a step
void cn_clear_moves(cn_world *world);
bool cn_write_moves(cn_world *world, cn_events *events);

// ---- queries (query.c, query_list.c, query_rays.c, query_tiles.c)

/* A query that runs, and what it sees. Kernels and walks through grids pass ids: of shapes or,
 * while `grid` is not negative, of tiles of that grid. Every kind of search begins with a
 * cn_search, so that it can be the context of a cn_found. */
typedef struct {
    const cn_world *world;
    const cn_query *query;
    int ignored;    // body; -1: none
    bool sees_all;  // no shape needs a check
    bool any;       // stops at the first result found
    bool casts;     // segments of chains stop it only if it starts on their open side:
    cn_vec2d start; // where the ray, or the middle of the hull, starts
    int grid;       // -1: ids are shapes
} cn_search;

// Records an error and returns false if the query is bad. A query of NULL is all zero. Pass
// may_stop = false for a search that needs all results, or the nearest one.
bool cn_begin_search(cn_search *search, const cn_world *world, const cn_query *query,
                     bool may_stop);
bool cn_is_asked(const cn_world *world); // within accept() of a query of the world, on this thread
bool cn_sees(const cn_search *search, int id);
bool cn_sees_grid(const cn_search *search, int grid); // before query.accept is called for its tiles
// The hull of a shape or tile. Its pose has the rotation, and `center` is its exact place.
cn_placed_hull cn_found_hull(const cn_search *search, int id, cn_vec2d *center);
cn_placed_hull cn_placed_tile(const cn_simulation *sim, const cn_tile_grid *grid, int tile,
                              cn_vec2d *center);
cn_scene cn_scene_of(const cn_world *world);

// A result in its short form. Results are in the order of their distance (for turning casts, of
// their fraction), then of their places.
typedef struct {
    double distance;
    uint64_t place; // a shape; or a tile: CN_TILE_PLACE | grid << 32 | tile
    vec2s normal;
} cn_result;
#define CN_TILE_PLACE ((uint64_t)1 << 63)
#define CN_NO_PLACE   UINT64_MAX

static inline bool cn_comes_before(const cn_result *a, const cn_result *b) {
    return a->distance != b->distance ? a->distance < b->distance : a->place < b->place;
}
uint64_t cn_place_of(const cn_search *search, int id);
cn_side cn_side_at(const cn_world *world, uint64_t place);

// Looks for the first result in this order.
typedef struct {
    cn_search search;
    cn_result best; // at first the greatest distance of a result
} cn_nearest_search;
cn_found cn_keep_nearest; // with a cn_nearest_search

// Rays.
bool cn_require_ray(vec2s origin, vec2s translation);
cn_path cn_path_of_ray(cn_ray ray);
cn_nearest_search cn_ray_search(const cn_search *search, const cn_path *path);
// Searches the tiles, too, unless the search may stop and has a result.
void cn_search_tiles(cn_nearest_search *s, const cn_probe *probe, const cn_path *path);
// The hit of a result; no hit if the result has no place.
cn_world_hit cn_hit_of(const cn_search *search, const cn_result *result, const cn_ray *ray,
                       const cn_path *path);

// Grids (query_tiles.c): these call `found` for solid tiles, as the kernels do for shapes.
void cn_cast_at_grids(cn_search *search, const cn_probe *probe, const cn_path *path, double limit,
                      cn_found *found);
void cn_sweep_over_grids(cn_search *search, vec2s half, const cn_path *path, double limit,
                         cn_found *found);
void cn_overlap_grids(cn_search *search, const cn_probe *probe, cn_vec2d center, cn_found *found);
void cn_overlap_grid_boxes(cn_search *search, cn_bounds box, cn_found *found);
void cn_nearest_of_grids(cn_search *search, const cn_probe *probe, cn_vec2d center, double limit,
                         cn_found *found);

// ---- shapes of a body (shape_calls.c)

// Takes an item out of a list of `count`; returns how many are left.
static inline int cn_take_out(int *items, int count, int item) {
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (items[i] != item) items[kept++] = items[i];
    return kept;
}

// Is the definition that of a shape which the body may have?
bool cn_check_shape(const cn_simulation *sim, int body, const cn_shape_def *def);
// The definition with what its zeros and flags stand for.
cn_shape_def cn_spell_out(const cn_shape_def *given);
// May the body, if dynamic, have the mass of its shapes? `part` (if not NULL) is added, or stands
// in for that of shape `changed` (if not -1). It needs mass if it has shapes, in numbers that
// floats can hold.
bool cn_require_mass(const cn_simulation *sim, int body, int changed, const cn_mass *part);

// Wakes what rests on the shape, or may come to now.
void cn_wake_at(cn_simulation *sim, int shape);
// Contacts of the shape end, if it has a proxy. The edit of the tree is to remove that, or to
// forget what it overlapped: then those that it has now are found again.
void cn_end_contacts(cn_simulation *sim, int shape, void (*edit)(cn_tree *tree, int id));
// A further shape of a body, yet without a proxy; -1 if memory is short. Room for the proxy is
// reserved.
int cn_put_shape(cn_world *world, int body, const cn_shape_def *def);
void cn_show_shape(cn_simulation *sim, int shape); // gives it its proxy
// Destroys a shape; those of a body that the test chooses, or all if it is NULL. Masses stay as
// they are.
void cn_destroy_shape(cn_world *world, int shape);
typedef bool cn_shape_test(cn_world *world, int shape, int what);
void cn_destroy_shapes(cn_world *world, int body, cn_shape_test *goes, int what);

// ---- tiles (tile_calls.c)

// Before a step: the tiles near what moves become shapes. False if memory is short; the next call
// goes on where this one ended.
bool cn_update_tiles(cn_world *world);
void cn_take_back_tiles(cn_world *world); // after a step: now and then, those that nothing is near
int cn_first_grid(const cn_simulation *sim, int body); // -1: the body has none
void cn_remove_grids(cn_world *world, int body);

// ---- joints (joint_calls.c)

void cn_remove_joint(cn_world *world, int joint);

// ---- bodies (body_calls.c, body_motion.c, body_settings.c)

// Finite velocities, and none of a body whose flags say that it is static.
bool cn_require_velocity(uint32_t flags, vec2s v, float w);

// Takes the locked parts out of the velocities.
void cn_apply_locks(cn_body_hot *body);
// Asleep and in touch with nothing: it can be furnished with shapes and mass without being woken.
bool cn_sleeps_alone(const cn_simulation *sim, int body);
// The mass of the body follows its shapes or what was set: masses, places, contacts, sleep.
void cn_renew_mass(cn_simulation *sim, int body);

#endif
