/* walk: shared by the walks through the rows of bodies, shapes, joints, contacts and parts.
 *
 * A walk goes through one part of the state, in one of the four uses of its archive. The rows of a
 * kind of object are walked in runs of slots. A run of the moving part ends where a slot is
 * scenery. A run of the scenery ends where a slot belongs to the moving part:
 *
 *     first, count, rows of these slots | first, count, rows of these slots | 0, 0
 *
 * The moving part has the rows of unused slots, too. After an object was destroyed, contacts and
 * events refer to its slot until a step has reported their end. So it makes no difference when a
 * world is saved. A comparison ignores unused slots: a call that fails may have written to the slot
 * that is used next.
 *
 * Each part of the state begins with a word of bits, and so does the hash of a world. The bits say
 * which parts of the engine have data in it, and whether it has chains. The bit of a part of the
 * engine without data is 0, and it adds nothing else. So a new part of the engine changes neither
 * the hash nor the bytes of a world that does not use it.
 *
 * A function cn_walk_...() that reads must not follow an index of the state, because nothing has
 * been checked yet. The function cn_check_...() beside it checks all that the rest of the engine
 * relies on. If something is wrong, it returns false with the error recorded. */
#ifndef CN_WALK_H
#define CN_WALK_H

#include "snapshot.h"

// How the state in the bytes differs from that of the world, apart from what ordinary steps change.
// The contacts that differ have their bits in cn_touching_rows.ending.
typedef struct {
    bool others;  // something other than contacts differs
    int body_end; // of the slots of bodies, in the bytes
} cn_state_changes;

// The bit of chains among those of the parts: a state without chains has no data of them, either.
enum { CN_CHAINS_BIT = 30 };

typedef struct cn_walk {
    cn_archive *archive;
    cn_world *world;
    cn_simulation *sim;
    const cn_scenery *scenery; // the slots that are scenery now
    bool is_scenery;           // this part is the scenery
    bool compares;             // ignores user data, tags and data that the step does not use
    uint32_t used_parts;       // bits of the parts of the engine with data in it, by id; that of
                               // chains
    cn_state_changes *changes; // receives what a check finds; NULL: it does not compare
    int end;                   // of the slots of the present kind; when reading, in the bytes
    int polygons;              // number that were read
    int proxies[2];            // number missing in the moving and in the static tree
    bool has_compounds;        // a check found bodies with several shapes, or edited ones
    bool has_links;            // some body is in a list of cn_body_links
} cn_walk;

static inline bool cn_is_reading(const cn_walk *w) { return w->archive->use == CN_ARCHIVE_READ; }
static inline bool cn_is_checking(const cn_walk *w) { return w->archive->use == CN_ARCHIVE_CHECK; }

// True if drawing interpolates: then the poses before the last step are part of the state.
static inline bool cn_is_interpolated(const cn_world *world) {
    return world->sim.previous && !world->stepped_manually;
}

// ---- walk.c

// If `done` is false, lets the archive fail with the error that was just recorded: memory is short,
// or a part is missing.
void cn_need(cn_walk *w, bool done);

enum { CN_MOST_MASKED = 2 };

// Rows of whole words. A masked word is not state, or only some of its bits are. It is written and
// read as (word & keep) | set. If it stays, reading does not change it.
typedef struct {
    void *rows;
    size_t size; // bytes of a row
    struct {
        size_t offset; // of the word, in bytes
        uint32_t keep, set;
        bool stays;
    } masked[CN_MOST_MASKED];
    int masked_count;
    // By word: the bits that are not compared, because ordinary steps change them and the plan does
    // not depend on them. NULL: all bits are compared.
    const uint32_t *motion;
    uint64_t *changed; // receives a bit for each row that differs. NULL: the archive differs
} cn_walked_rows;
// The index of a field in `motion`, and its value if no bit of the field is compared.
#define CN_WORD(type, field) (offsetof(type, field) / sizeof(uint32_t))
#define CN_ALL_BITS          UINT32_MAX
void cn_walk_rows(cn_walk *w, const cn_walked_rows *rows, int first, int count);
// True if a check finds a row among the next ones whose word at `offset` has these bits of `mask`.
bool cn_any_row_has(const cn_walk *w, size_t size, int count, size_t offset, uint32_t mask,
                    uint32_t bits);
// Walks through words without comparing them, because ordinary steps change them.
void cn_walk_motion(cn_walk *w, void *words, size_t count);
// From here on, compares with the world or not. A walk without `changes` never compares.
void cn_walk_compared(cn_walk *w, bool compared);
// Walks through the end of the slots of a kind, and through the queue of unused ones. Sets w->end.
void cn_begin_kind(cn_walk *w, cn_slot_kind kind);
// Walks through all runs of a kind.
void cn_walk_runs(cn_walk *w, cn_slot_kind kind,
                  void (*walk_run)(cn_walk *w, int first, int count));
void cn_walk_slots(cn_walk *w, cn_slot_kind kind, int first, int count);
void cn_walk_object_id(cn_walk *w, uint64_t *id); // of a handle
// Walks through the data that the parts of the engine have at a place.
void cn_walk_parts(cn_walk *w, cn_saved_place place);

// Walks through a list of items that consist of whole words. Returns their number.
int cn_walk_list(cn_walk *w, cn_row row, int *list_count, int *capacity);
#define CN_WALK_LIST(w, list)                                                                      \
    cn_walk_list(w, CN_ROW((list)->items), &(list)->count, &(list)->capacity)

// Begins a walk that hashes the state, except user data, tags and data that the step does not use.
// Scenery counts as all other objects.
cn_walk cn_begin_comparison(cn_archive *archive, cn_world *world);
void cn_walk_whole(cn_walk *w); // all parts, after cn_begin_comparison()

// Does what cn_walk_moving() does with CN_ARCHIVE_CHECK, and compares the state with that of the
// world.
cn_state_changes cn_find_changes(cn_archive *archive, cn_world *world, const cn_scenery *scenery);

// ---- the kinds: saved_bodies.c, saved_shapes.c, saved_chains.c, saved_joints.c, saved_contacts.c

void cn_walk_settings(cn_walk *w);
void cn_walk_bodies(cn_walk *w);
void cn_walk_drops(cn_walk *w); // the times of cn_body_drop_through()
void cn_walk_shapes(cn_walk *w);
void cn_walk_chains(cn_walk *w);
void cn_walk_joints(cn_walk *w);
void cn_walk_contacts(cn_walk *w);
void cn_walk_islands(cn_walk *w);
void cn_walk_filter(cn_archive *a, cn_filter *filter);

// The rows of a run of slots: a part of the walks above.
void cn_walk_body_run(cn_walk *w, int first, int count);
void cn_walk_shape_run(cn_walk *w, int first, int count);
void cn_walk_chain_run(cn_walk *w, int first, int count);
void cn_walk_joint_run(cn_walk *w, int first, int count);

// ---- checks

// Returns `ok`. If it is false, records what is wrong.
static inline bool cn_sound(bool ok, const char *what, int index) {
    return ok ||
           cn_fail(CN_ERROR_DATA, "the bytes are damaged: they have a wrong %s %d", what, index);
}
// True if all floats in these bytes are finite.
bool cn_are_finite(const void *floats, size_t bytes);
#define CN_IS_FINITE(row) cn_are_finite(&(row), sizeof(row))
// True if the list has `expected` different slots of objects of this kind, and the test accepts
// each of them.
typedef bool cn_slot_test(const cn_simulation *sim, int slot);
bool cn_check_set(cn_world *world, const char *what, const int *slots, int count, int expected,
                  cn_slot_kind kind, cn_slot_test *test);
static inline bool cn_is_in(const cn_simulation *sim, cn_slot_kind kind, int slot) {
    return slot >= 0 && slot < sim->slots[kind].end && cn_is_alive(sim, kind, slot);
}

// Bodies and their lists of shapes.
bool cn_check_bodies(const cn_simulation *sim);
bool cn_check_kinematics(cn_world *world);
bool cn_check_shape_rows(const cn_simulation *sim);
bool cn_check_shapes(cn_world *world); // rows and lists
bool cn_check_chain_rows(const cn_simulation *sim);
bool cn_check_chains(const cn_simulation *sim); // rows and segments; after cn_check_shapes()
bool cn_check_edits(const cn_simulation *sim);  // after cn_check_shapes()
bool cn_check_joints(const cn_world *world);
bool cn_check_contacts(const cn_simulation *sim);
bool cn_check_islands(const cn_simulation *sim);

#endif
