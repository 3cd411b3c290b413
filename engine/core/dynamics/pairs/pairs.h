/* pairs: which shapes touch.
 *
 *   pairs.c            the pair search: new contacts, and the islands that they wake
 *   pair_filter.c      pairs that may not touch although they are near
 *   one_way.c          one-way shapes and chains, and bodies that drop through them
 *   contact.c          the slots of contacts; what a step begins and ends is listed
 *   contact_update.c   contacts begin, persist and end
 *   contact_kernel.c   the wide loops over contacts: refresh, collide, test (per SIMD width)
 *   pre_solve.c        the user's pre-solve callback
 *
 * A pair is known while the fat boxes of its two shapes overlap. It is a touching contact or an
 * apart pair (rows.h). "Touching" means near enough: the gap is at most tuning.speculative_margin,
 * or could close within the step (contact_reach()). So a touching contact may still have a gap.
 * Then it has an impulse only if the gap closes within a substep.
 */
#ifndef CN_PAIRS_H
#define CN_PAIRS_H

#include "../model/model.h"

// cn_pressed_depth(): some slops, and a fraction of the CCD threshold (mostly the inner radius).
enum { CN_PRESSED_SLOPS = 4 };
#define CN_PRESSED_FRACTION 0.15f

// ---- pairs (pairs.c)

// True if the boxes of the shapes overlapped at the last search. Then the pair is known. Otherwise
// the next search reports it as soon as they overlap.
bool cn_proxies_overlapped(const cn_simulation *sim, int shape_a, int shape_b);
// Returns the pair in its order (A is static or kinematic, or has the lower slot), with the class
// and the flags that follow from the shapes now.
cn_apart cn_make_pair(const cn_simulation *sim, int shape_a, int shape_b);
// Finds the pairs that begin to touch in this step, and the islands that wake. Changes no state.
// False if memory is short.
bool cn_find_pairs(cn_simulation *sim);
// Call this if a stage failed: islands that contacts of the step would have woken stay asleep.
void cn_cancel_waking(cn_simulation *sim);

// ---- one-way shapes (one_way.c)

// At which poses two shapes are compared.
typedef enum {
    CN_BEFORE_MOVE,      // where they are now, before "move bodies"
    CN_AFTER_LAST_MOVE,  // where they are now, in the stages before the solver
    CN_BEFORE_LAST_MOVE, // where they were before "move bodies" of the last step
} cn_moment;

// Returns the normal, in the body's frame, of the face of a hull that points most along `up`: the
// solid side of a one-way shape.
vec2s cn_one_way_normal(const cn_hull *hull, vec2s up);
// True if one shape of the pair is one-way and the other passes it. At the moments before a move, a
// segment of a chain also lets shapes pass that are behind it.
bool cn_passes_one_way(const cn_simulation *sim, int shape_a, int shape_b, cn_moment moment);
// True if one shape of the pair is one-way, and the other one touches further one-way ground that
// goes on in the face of the first.
bool cn_is_on_further_ground(const cn_simulation *sim, int shape_a, int shape_b);
// cn_passes_one_way() for a piece of terrain without a shape, at CN_BEFORE_MOVE.
bool cn_passes_piece(const cn_simulation *sim, const cn_terrain_piece *piece, int shape);
// Lets the body pass one-way shapes for some seconds. False if memory is short.
bool cn_start_drop_through(cn_simulation *sim, int body, float seconds);

// ---- pairs that may not touch (pair_filter.c)

// True if a pair may not touch, even if it touched before: because of a joint between the bodies,
// or because one of them drops through one-way shapes.
bool cn_is_excluded_pair(const cn_simulation *sim, int shape_a, int shape_b);
static inline bool cn_is_excluded(const cn_simulation *sim, int shape_a, int shape_b) {
    // Inline, since most worlds have no such pairs.
    bool may_exclude = sim->slots[CN_JOINTS].count || sim->drop_throughs.count;
    return may_exclude && cn_is_excluded_pair(sim, shape_a, shape_b);
}
// Fills cn_simulation.parted. Returns false if memory is short.
bool cn_find_parted(cn_simulation *sim);
// Changes the result of pairs that are near enough to touch but may not.
void cn_filter_pairs(const cn_simulation *sim, cn_apart *pairs, int count);

// ---- pre-solve (pre_solve.c)

// Calls the user's pre-solve callback, which may disable contacts for this step or change their
// values. Also counts the time of dropping through.
void cn_run_pre_solve(cn_simulation *sim);

// ---- contacts (contact.c)

// Reserves memory for `count` pairs whose boxes overlap, touching or apart. False if memory is
// short.
bool cn_reserve_contacts(cn_simulation *sim, int count);
// Lists the contacts that end before the solver in cn_simulation.lost_slots. Contacts of changed
// shapes get their new row types. False if memory is short.
bool cn_list_lost_contacts(cn_simulation *sim);
// Reserves slots and memory for everything that the step may begin or end. False if memory is
// short.
bool cn_prepare_contacts(cn_simulation *sim);
// Clears the slots that it wrote, when the step has failed after it.
void cn_cancel_new_contacts(cn_simulation *sim);
// True if the contact has ended. A contact that had ended when a body of it was put to sleep has
// ended, too, wherever the bodies were moved since.
bool cn_has_contact_ended(const cn_simulation *sim, int slot);
// True if a stored contact is not restored: it may not touch, it ends now, or its boxes had parted
// when the island fell asleep. In the last case the pair search reports the pair again.
bool cn_is_lost_in_sleep(const cn_simulation *sim, const cn_stored_contact *contact);
// Writes the data that a contact takes from its shapes, and marks the contact to be remade.
void cn_mix_shapes(const cn_simulation *sim, const cn_apart *pair, cn_contact_record *record);
static inline cn_stored_contact cn_contact_at(const cn_touching_rows *touching, int slot) {
    return (cn_stored_contact){touching->records[slot], touching->anchors[slot],
                               touching->load[slot], touching->bodies[slot],
                               cn_has_bit(touching->silent, slot)};
}
// Removes the contact in a slot: its rows become zero, and the slot is free. cn_clear_slot() leaves
// the counts and the end of the slots as they are. cn_trim_slots() lowers the end to the last word
// of bits with a contact.
void cn_free_slot(cn_touching_rows *touching, int slot);
void cn_clear_slot(cn_touching_rows *touching, int slot);
void cn_trim_slots(cn_touching_rows *touching);
// Makes rows for at least `slots` slots of touching contacts. Returns false if memory is short.
bool cn_reserve_touching(cn_simulation *sim, int slots);
// Sets the end of the slots and all counts, after the rows below `end` were written. `end_before`
// is the end until now.
void cn_recount_touching(cn_touching_rows *touching, int end, int end_before);
// Stores the row type of a touching contact. If a shape is dirty, it is the type after the change.
// Returns true if it was another one: then both bodies must be planned again. A contact of a shape
// with CN_SHAPE_PRE_SOLVE is extended, because the plan is made before the callback says whether
// the contact gets restitution or a moving surface.
bool cn_update_row_type(cn_simulation *sim, int slot);
// Stores the row types of all touching contacts, and plans all batches again.
void cn_update_row_types(cn_simulation *sim);
// Returns the overlap, in metres, from which on a body counts as deep in another one.
static inline float cn_pressed_depth(const cn_simulation *sim, int body) {
    return CN_PRESSED_SLOPS * sim->tuning.slop +
           CN_PRESSED_FRACTION * sim->motions[body].ccd_threshold;
}
static inline bool cn_is_slot_occupied(const cn_touching_rows *touching, int slot) {
    return cn_has_bit(touching->occupied, slot);
}

// ---- contacts are updated (contact_update.c)

// Returns the scratch memory that the update of this step needs, in bytes.
size_t cn_update_contacts_bytes(const cn_simulation *sim);
// Begins, refreshes, remakes and ends contacts. This changes the state, so it cannot fail.
void cn_update_contacts(cn_simulation *sim);
// Returns an event of a contact. Its point lies between the two points of the contact: at the first
// if the fraction is 0, at the second if it is 1.
cn_contact_event_row cn_make_contact_event(const cn_simulation *sim, int slot, float fraction);

// ---- the wide loops over contacts (contact_kernel.c)

// Refreshes the separations of the touching contacts in slots first..end - 1. Writes the slots
// whose anchors must be remade to `moved`, and returns their number.
typedef int cn_refresh_function(cn_simulation *sim, int first, int end, int *moved);
// Collides the pairs of the given slots, all of one class, and writes their records and anchors.
// Moves the slots that no longer touch to the front of the list, and returns their number.
typedef int cn_collide_function(cn_simulation *sim, cn_hull_class hull_class, int *slots,
                                int count);
// Writes the result of each pair: near enough to be a contact, or apart.
typedef void cn_test_function(cn_simulation *sim, cn_hull_class hull_class, cn_apart *pairs,
                              int count);
CN_PER_WIDTH(cn_refresh_function, cn_refresh_contacts);
CN_PER_WIDTH(cn_collide_function, cn_collide_contacts);
CN_PER_WIDTH(cn_test_function, cn_test_pairs);

#endif
