/* snapshot: saves the state of a world as a sequence of bytes, and restores it.
 *
 *   archive.c          writes, hashes, checks and reads numbers with the same code
 *   scenery.c          finds which part of the state is scenery, and its hash
 *   walk.c             walks through the whole state; settings, slots, lists
 *   saved_bodies.c     bodies           each of these walks through the rows of its kind, and
 *   saved_shapes.c     shapes           checks the data that were read
 *   saved_chains.c     chains
 *   saved_joints.c     joints
 *   saved_contacts.c   contacts and sleeping islands
 *   snapshot.c         saves, restores and loads
 *   hash.c             the hash of a state
 *   rollback.c         a ring buffer of kept states
 *   compare.c          finds where two states differ
 *
 * The state has two parts. The scenery is the part that only calls change, not steps: static bodies
 * without grids of tiles, their shapes and chains, and the contents of grids. The moving part is
 * all the rest. A level may have a million static shapes and tiles, so the moving part can be saved
 * alone. It is valid only together with the scenery that it was saved with. A hash identifies this
 * scenery.
 *
 * Data that follow from the state are not saved: the plan, upper levels of trees, surfaces,
 * prepared joints, the places of boxes in their trees, and the places of polygons in the hull pool.
 * They are computed again after the state was read.
 *
 * Bytes may come from an untrusted source. They are read into a separate world. Reading follows no
 * index, and reserves at most a multiple of their size. Then cn_check_state() checks everything
 * that the rest of the engine relies on: indices, lists, counts, enums, finite numbers. */
#ifndef CN_SNAPSHOT_H
#define CN_SNAPSHOT_H

#include "../parts.h"
#include "archive.h"
#include "../../core/dynamics/plan/plan.h"
#include "../../core/world/world.h"

// ---- data of a world

// The slots of scenery by kind of object.
typedef CN_LIST(uint64_t) cn_scenery_bits;
typedef struct {
    uint64_t revision;                   // static_revision when these were found; 0: never
    cn_scenery_bits bits[CN_SLOT_KINDS]; // empty for joints and grids
    uint64_t hash;
} cn_scenery;

typedef struct {
    cn_scenery scenery; // found by cn_find_scenery()
    cn_spinlock lock;   // of the scenery
} cn_snapshot_data;

static inline cn_snapshot_data *cn_snapshot_of(const cn_world *world) {
    return cn_behind_world(world, cn_snapshot_offset);
}

// ---- scenery (scenery.c)

// Finds which slots are scenery, and the hash of the scenery. Returns the last result if no call
// has changed the scenery since then. Several threads may call it at the same time. Returns NULL if
// memory is short.
const cn_scenery *cn_find_scenery(const cn_world *world);

static inline bool cn_is_scenery(const cn_scenery *scenery, cn_slot_kind kind, int slot) {
    const cn_scenery_bits *bits = &scenery->bits[kind];
    return slot < bits->count * 64 && cn_has_bit(bits->items, slot);
}

// ---- the state (walk.c)

// Walks through the scenery, or through the moving part. With CN_ARCHIVE_WRITE and
// CN_ARCHIVE_HASH the world does not change. CN_ARCHIVE_CHECK reserves memory for what
// CN_ARCHIVE_READ will read. `scenery` tells which slots are scenery now.
void cn_walk_scenery(cn_archive *archive, cn_world *world, const cn_scenery *scenery);
void cn_walk_moving(cn_archive *archive, cn_world *world, const cn_scenery *scenery);

// True if a state that was read is valid: the scenery alone, or all of it. Otherwise false, with
// the error recorded. cn_check_scenery() must come before cn_find_scenery().
bool cn_check_scenery(const cn_simulation *sim);
bool cn_check_state(cn_world *world);

// Computes the data that follow from a state that was read, which must be valid. If `keeps_plan` is
// true, the state was read over another one that differs only in contacts, and cn_leave_plan() was
// called before.
void cn_end_reading(cn_world *world, bool keeps_plan);

// ---- hashes (hash.c)

// Returns the hash of an object, with the data that cn_world_hash() includes; 0 for an unused slot.
uint64_t cn_hash_object(const cn_world *world, cn_slot_kind kind, int slot);
// Returns the hash of a body with its shapes; 0 for a slot without a body.
uint64_t cn_hash_body(const cn_world *world, int body);
// Returns the hash of where a body is and how it moves: its hot row. 0 for a slot without a body.
uint64_t cn_hash_motion(const cn_simulation *sim, int body);
// Returns cn_world_hash(). `bytes` receives the number of bytes that it is the hash of.
uint64_t cn_hash_world(const cn_world *world, size_t *bytes);

// ---- snapshots (snapshot.c)

// Reads the moving part into the rows of the world itself, from bytes that cn_world_save() wrote in
// this process. The scenery must be the same. Returns false if memory is short; then the world is
// as before.
bool cn_restore_in_place(cn_world *world, const void *bytes, size_t size);

// Writes the scenery alone. cn_find_scenery() must come before. Returns its size.
size_t cn_save_scenery(const cn_world *world, void *bytes, size_t capacity);
// Joins scenery, and bytes that were saved without it, to bytes that cn_world_restore() accepts.
// Returns their size. Writes nothing if `bytes` is NULL.
size_t cn_join_parts(void *bytes, const void *scenery, size_t scenery_size, const void *moving,
                     size_t moving_size);

// ---- the plan of a step, when another state is read (keep.c)

// These calls keep the plan while another state is read over the present one. First the reader sets
// the bits in cn_touching_rows.ending of the contacts that differ (walk.h).
//
// True if the next step may change the types of contacts, because shapes have changed.
bool cn_has_changed_shapes(const cn_simulation *sim);
// Clears the bits if the state is not read.
void cn_forget_changes(cn_simulation *sim);
// Call this before the rows are read. `end` is the end of the slots of bodies in the new state.
void cn_leave_plan(cn_simulation *sim, int end);
// Call this after the rows were read. If `is_kept` is true, the states differ only in these
// contacts, in bodies behind `end`, and in what ordinary steps change: then the next step plans
// only what differs. Otherwise it plans everything.
void cn_enter_plan(cn_simulation *sim, bool is_kept);

#endif
