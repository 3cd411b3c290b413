/* pairs: which shapes touch.
 *
 *   pairs.c            which pairs of shapes become contacts, which islands they wake
 *   one_way.c          pairs that may not touch although they are near: one-way shapes, joints
 *   contact.c          contacts begin, persist and end
 *   contact_kernel.c   the wide loops over contacts: refresh, collide, test  (per SIMD width)
 */
#ifndef CN_PAIRS_H
#define CN_PAIRS_H

#include "../model/model.h"

// ---- pairs (pairs.c)

// Did they at the last search? Then the pair is known, else the search will report it.
bool cn_proxies_overlapped(const cn_simulation *sim, int shape_a, int shape_b);
// The pair in its order, with class and flags from the shapes as they are now.
cn_apart cn_make_pair(const cn_simulation *sim, int shape_a, int shape_b);
bool cn_find_pairs(cn_simulation *sim); // new pairs of this step, and islands that wake
// After a stage failed: takes back what the stages before it had noted.
void cn_abandon_step(cn_simulation *sim);

// ---- pairs that may not touch (one_way.c)

// One-way shapes: is this pair held, or does one pass the other? Now, or before the step's motion, when also
// segments of chains let through what is behind them.
bool cn_one_way_blocks(const cn_simulation *sim, int shape_a, int shape_b, bool before);
// May a pair that was let touch do so no longer? (joints, dropping through)
bool cn_is_excluded_pair(const cn_simulation *sim, int shape_a, int shape_b);
static inline bool cn_is_excluded(const cn_simulation *sim, int shape_a, int shape_b) {
    // Seldom: the common case is inline.
    bool asks = sim->slots[CN_JOINTS].count || sim->drop_throughs.count;
    return asks && cn_is_excluded_pair(sim, shape_a, shape_b);
}
// Those that are near enough but may not touch stay apart.
void cn_filter_pairs(const cn_simulation *sim, cn_apart *pairs, int count);
// For so long the body passes one-way shapes. False if memory is short.
bool cn_start_drop_through(cn_simulation *sim, int body, float seconds);
void cn_end_drop_through(cn_simulation *sim, int body);
void cn_run_pre_solve(cn_simulation *sim); // which contacts are to do nothing in this step

// ---- contacts (contact.c)

// Memory in advance. False if it is short. For so many pairs whose boxes overlap, touching or not:
bool cn_reserve_contacts(cn_simulation *sim, int count);
bool cn_prepare_contacts(cn_simulation *sim); // slots and memory for all that the step may bring
void cn_update_contacts(cn_simulation *sim);  // from here on the state changes
void cn_clear_event_buffers(cn_simulation *sim);
// The note of a contact; its point is that share of the way from the first point to the second.
cn_contact_event_row cn_make_contact_event(const cn_simulation *sim, int slot, float share);
// A hit by a fast body is solved as an impact, which has no bounds of speed and spin, also without
// restitution: that is then the least there is.
static inline void cn_expect_impact(cn_contact_record *record) {
    record->restitution = cn_max(record->restitution, CN_EXPECTED_IMPACT);
    record->meta |= CN_META_BOUNCY;
}

static inline cn_stored_contact cn_contact_at(const cn_touching_rows *touching, int slot) {
    return (cn_stored_contact){touching->records[slot], touching->anchors[slot],
                             touching->bodies[slot], cn_has_bit(touching->silent, slot)};
}
bool cn_touching_resize(cn_simulation *sim, int slots); // for so many
void cn_free_slot(cn_touching_rows *touching, int slot);
// Notes the kind of a touching contact, as it is once dirty of its shapes have been taken over.
void cn_update_row_type(cn_simulation *sim, int slot);
// From so much overlap on, in the beginning, a body is deep in another: slops, and a share of its inner radius.
enum { CN_RECOVERY_SLOPS = 4 };
#define CN_RECOVERY_FRACTION 0.15f
static inline float cn_recovery_depth(const cn_simulation *sim, int body) {
    return CN_RECOVERY_SLOPS * sim->tuning.slop + CN_RECOVERY_FRACTION * sim->motions[body].ccd_threshold;
}
// Do two overlap by more than that and what they moved lately? Then they were made, or put, there.
// (Not what meets at speed, nor a contact that is to do nothing.)
bool cn_needs_recovery(const cn_simulation *sim, int slot, float than);
static inline bool cn_occupied(const cn_touching_rows *touching, int slot) {
    return cn_has_bit(touching->occupied, slot);
}


// ---- the wide loops over contacts (contact_kernel.c)

// Refreshes the separations of touching contacts, slots first..end - 1; returns how many slots it wrote
// to `moved`: those whose anchors must be remade.
typedef int cn_refresh_function(cn_simulation *sim, int first, int end, int *moved);
// Collides the pairs of the given slots, all of one class, and writes their records and anchors.
// Those that touch no more come to the front of the slots; returns how many.
typedef int cn_collide_function(cn_simulation *sim, cn_hull_class class, int *slots, int count);
// Gives each pair its fate: is it near enough to be a contact?
typedef void cn_test_function(cn_simulation *sim, cn_hull_class class, cn_apart *pairs, int count);
CN_PER_WIDTH(cn_refresh_function, cn_refresh_contacts);
CN_PER_WIDTH(cn_collide_function, cn_collide_contacts);
CN_PER_WIDTH(cn_test_function, cn_test_pairs);

#endif
