/* Contacts: touching contacts, pairs of shapes that are apart, and contacts of sleeping islands. */
#include "walk.h"

// ---- contacts

// True if the occupied slots that were read can be counted by class.
static bool can_be_counted(const cn_touching_rows *t, int end) {
    CN_EACH_BIT(slot, t->occupied, (end + 63) / 64 * 64) {
        if (slot >= end || cn_class_of(t->records[slot].meta) >= CN_CLASS_COUNT) return false;
    }
    return true;
}

// Rows that begin with the record of a contact. A comparison ignores the separations: every step
// computes them first, and a step that fails may have changed them.
static cn_walked_rows record_rows(const cn_walk *w, void *rows, size_t size) {
    return (cn_walked_rows){
        .rows = rows,
        .size = size,
        .masked = {{offsetof(cn_contact_record, s1), 0, 0, false},
                   {offsetof(cn_contact_record, s2), 0, 0, false}},
        .masked_count = w->compares ? 2 : 0,
    };
}

// Walks through rows by the slot of a contact. Kernels also write to unoccupied slots, so a save
// has zeros for these.
static void walk_by_slot(cn_walk *w, cn_walked_rows rows, int end) {
    const uint64_t *occupied = w->sim->touching.occupied;
    uint32_t zeros[sizeof(cn_contact_record) / sizeof(uint32_t)] = {0};
    if (cn_archive_reads(w->archive)) {
        cn_walk_rows(w, &rows, CN_FIRST_SLOT, end - CN_FIRST_SLOT);
        return;
    }
    for (int slot = CN_FIRST_SLOT, next; slot < end; slot = next) {
        bool is_occupied = cn_has_bit(occupied, slot);
        next = cn_find_bit(occupied, slot, end, !is_occupied);
        if (is_occupied) cn_walk_rows(w, &rows, slot, next - slot);
        for (int i = slot; i < next && !is_occupied; i++)
            cn_archive_words(w->archive, zeros, rows.size / sizeof(uint32_t));
    }
}

#define RECORD(field) [CN_WORD(cn_contact_record, field)]

// Contacts whose bodies differ, or whose records differ in bits outside of `motion`, get their bits
// in `ending`, which is scratch. The anchors and loads belong to the motion.
static void walk_contact_rows(cn_walk *w, int end) {
    static const uint32_t motion[sizeof(cn_contact_record) / sizeof(uint32_t)] = {
        RECORD(nx) = CN_ALL_BITS,  RECORD(ny) = CN_ALL_BITS,
        RECORD(p1x) = CN_ALL_BITS, RECORD(p1y) = CN_ALL_BITS,
        RECORD(p2x) = CN_ALL_BITS, RECORD(p2y) = CN_ALL_BITS,
        RECORD(dx) = CN_ALL_BITS,  RECORD(dy) = CN_ALL_BITS,
        RECORD(s1) = CN_ALL_BITS,  RECORD(s2) = CN_ALL_BITS,
        RECORD(ln1) = CN_ALL_BITS, RECORD(ln2) = CN_ALL_BITS,
        RECORD(lt) = CN_ALL_BITS,  RECORD(meta) = ~(uint32_t)CN_META_FLAGS,
    };
    cn_touching_rows *t = &w->sim->touching;
    cn_walked_rows records = record_rows(w, t->records, sizeof *t->records);
    cn_walked_rows bodies = {.rows = t->bodies, .size = sizeof *t->bodies};
    records.motion = motion;
    records.changed = bodies.changed = t->ending;
    cn_walk_compared(w, true);
    walk_by_slot(w, records, end);
    cn_walk_compared(w, false);
    walk_by_slot(w, (cn_walked_rows){.rows = t->anchors, .size = sizeof *t->anchors}, end);
    walk_by_slot(w, (cn_walked_rows){.rows = t->load, .size = sizeof *t->load}, end);
    cn_walk_compared(w, true);
    walk_by_slot(w, bodies, end);
    cn_walk_compared(w, false);
}

// Marks the slots that are occupied either now or in the bytes, but not both.
static void find_changed_slots(cn_walk *w, size_t words) {
    const cn_archive *a = w->archive;
    cn_touching_rows *t = &w->sim->touching;
    if (!w->changes || a->failed || (a->size - a->at) / sizeof(uint64_t) < words) return;
    const unsigned char *bytes = a->from + a->at;
    for (int i = 0; i < t->words; i++) {
        uint64_t now = t->occupied[i], then = 0;
        if ((size_t)i < words)
            then = cn_archive_word_at(bytes + 8 * i) |
                   (uint64_t)cn_archive_word_at(bytes + 8 * i + 4) << 32;
        t->ending[i] = now ^ then;
    }
}

static void walk_touching(cn_walk *w) {
    cn_simulation *sim = w->sim;
    cn_archive *a = w->archive;
    cn_touching_rows *t = &sim->touching;
    int first = CN_FIRST_SLOT, before = t->end; // the rows before the first slot are zero
    int rows = cn_archive_items(a, cn_max_int(t->end - first, 0), sizeof(cn_contact_record));
    int end = rows ? first + rows : 0;
    if (cn_is_checking(w) && !a->failed) cn_need(w, cn_reserve_touching(sim, end));
    if (a->failed) return;
    size_t words = (size_t)(end + 63) / 64;
    find_changed_slots(w, words);
    cn_archive_longs(a, t->occupied, words);
    cn_archive_longs(a, t->silent, words);
    if (rows) walk_contact_rows(w, end); // else the pointers may be NULL
    if (!cn_is_reading(w)) return;
    if (can_be_counted(t, end))
        cn_recount_touching(t, end, before);
    else
        a->failed = true;
}

static void walk_apart(cn_walk *w, cn_apart_list *list) {
    const size_t size = sizeof *list->items;
    int count = cn_archive_items(w->archive, list->count, size);
    if (cn_is_checking(w)) cn_need(w, cn_reserve(&w->sim->memory, list, count));
    if (w->archive->failed) return;
    const cn_walked_rows pairs = {
        .rows = list->items,
        .size = size,
        .masked = {{offsetof(cn_apart, result), 0, CN_PAIR_APART, false}},
        .masked_count = 1,
    };
    cn_walk_rows(w, &pairs, 0, count);
    if (cn_is_reading(w)) list->count = count;
}

void cn_walk_contacts(cn_walk *w) {
    walk_touching(w);
    for (int i = 0; i < CN_CLASS_COUNT; i++) walk_apart(w, &w->sim->apart[i]);
}

// ---- sleeping islands

static void walk_island(cn_walk *w, int index) {
    cn_archive *a = w->archive;
    cn_sleeping_island *island = &w->sim->sleeping_islands[index];
    cn_archive_bool(a, &island->alive);
    cn_archive_bool(a, &island->wake_requested);
    cn_archive_int(a, &island->first_body);
    cn_archive_int(a, &island->body_count);
    cn_archive_int(a, &island->next_free);
    const size_t size = sizeof *island->contacts.items;
    int count = cn_archive_items(a, island->contacts.count, size);
    if (cn_is_checking(w)) cn_need(w, cn_reserve(&w->sim->memory, &island->contacts, count));
    if (a->failed) return;
    const cn_walked_rows contacts = record_rows(w, island->contacts.items, size);
    cn_walk_rows(w, &contacts, 0, count);
    if (cn_is_reading(w)) island->contacts.count = count;
}

void cn_walk_islands(cn_walk *w) {
    enum { LEAST_BYTES = 6 * sizeof(int) };
    cn_simulation *sim = w->sim;
    int before = sim->sleeping_end;
    int end = cn_archive_items(w->archive, sim->sleeping_end, LEAST_BYTES);
    w->has_links |= end > 0;
    if (cn_is_checking(w))
        cn_need(w, cn_grow(&sim->memory, &sim->sleeping_islands, &sim->sleeping_capacity, end) &&
                       (!w->has_links || cn_reserve_body_links(sim)));
    cn_archive_int(w->archive, &sim->sleeping_free);
    cn_archive_bool(w->archive, &(bool){sim->requested_islands > 0});
    for (int i = 0; i < end && !w->archive->failed; i++) walk_island(w, i);
    if (!cn_is_reading(w)) return;
    for (int i = end; i < before; i++) {
        cn_free_list(&sim->memory, &sim->sleeping_islands[i].contacts);
        sim->sleeping_islands[i] = (cn_sleeping_island){0};
    }
    sim->sleeping_end = end, sim->sleeping_count = 0;
    for (int i = 0; i < end; i++) sim->sleeping_count += sim->sleeping_islands[i].alive;
}

// ---- checks

static bool is_shape(const cn_simulation *sim, int slot) {
    return slot >= 0 && slot < sim->slots[CN_SHAPES].end;
}

static bool are_bodies(const cn_simulation *sim, cn_contact_bodies bodies) {
    int end = sim->slots[CN_BODIES].end;
    return bodies.a >= 0 && bodies.a < end && bodies.b >= 0 && bodies.b < end;
}

// True if the next step ends the contact of two shapes before it uses it.
static bool is_ending(const cn_simulation *sim, int shape_a, int shape_b,
                      cn_contact_bodies bodies) {
    bool sleeps = sim->warm[bodies.a].island >= 0 || sim->warm[bodies.b].island >= 0;
    return sim->dirty[shape_a] | sim->dirty[shape_b] &&
           (cn_has_ended(sim, shape_a, shape_b) || sleeps);
}

// A static or kinematic body is A; of two dynamic bodies, A has the lower slot.
static bool is_sound_pair(const cn_simulation *sim, int a, int b, uint32_t meta) {
    if (!cn_is_in(sim, CN_SHAPES, a) || !cn_is_in(sim, CN_SHAPES, b)) return false;
    int body_a = sim->links[a].body, body_b = sim->links[b].body;
    const cn_body_hot *hot_a = &sim->hot[body_a], *hot_b = &sim->hot[body_b];
    cn_hull_class class_a = cn_placed_class(&sim->placed[a]),
                  class_b = cn_placed_class(&sim->placed[b]);
    return hot_a->flags & hot_b->flags & CN_BODY_ENABLED && cn_is_dynamic(hot_b) &&
           (!cn_is_dynamic(hot_a) || body_a < body_b) &&
           cn_class_of(meta) == (class_a > class_b ? class_a : class_b);
}

// Impulses and places are not checked: a step handles any numbers in them.
static bool is_sound_record(const cn_contact_record *record) {
    int points = cn_points_of(record->meta);
    return points >= 1 && points <= 2 && cn_class_of(record->meta) < CN_CLASS_COUNT;
}

static bool has_sound_bodies(const cn_simulation *sim, const cn_anchor *anchor,
                             cn_contact_bodies bodies) {
    return bodies.a == sim->links[anchor->shape_a].body &&
           bodies.b == sim->links[anchor->shape_b].body;
}

static bool is_in_no_island(const cn_simulation *sim, int body) {
    return sim->warm[body].island < 0;
}

static bool is_sound_touching(const cn_simulation *sim, int slot) {
    const cn_touching_rows *t = &sim->touching;
    const cn_anchor *anchor = &t->anchors[slot];
    int a = anchor->shape_a, b = anchor->shape_b;
    if (slot < CN_FIRST_SLOT || !is_sound_record(&t->records[slot])) return false;
    cn_contact_bodies bodies = t->bodies[slot];
    if (is_ending(sim, a, b, bodies)) return true;
    return is_sound_pair(sim, a, b, t->records[slot].meta) &&
           has_sound_bodies(sim, anchor, bodies) && is_in_no_island(sim, bodies.a) &&
           is_in_no_island(sim, bodies.b);
}

static bool is_sound_apart(const cn_simulation *sim, const cn_apart *pair, int hull_class) {
    int a = pair->shape_a, b = pair->shape_b;
    if (!is_shape(sim, a) || !is_shape(sim, b) || (int)cn_class_of(pair->meta) != hull_class)
        return false;
    if (cn_has_ended(sim, a, b)) return true;
    const cn_body_hot *hot_a = &sim->hot[sim->links[a].body],
                      *hot_b = &sim->hot[sim->links[b].body];
    return is_sound_pair(sim, a, b, pair->meta) && (hot_a->flags | hot_b->flags) & CN_BODY_AWAKE;
}

// The kernels read whole groups of slots, so the indices in unused slots must be valid, too.
static bool has_sound_indices(const cn_simulation *sim, int slot) {
    const cn_anchor *anchor = &sim->touching.anchors[slot];
    return is_shape(sim, anchor->shape_a) && is_shape(sim, anchor->shape_b) &&
           are_bodies(sim, sim->touching.bodies[slot]);
}

bool cn_check_contacts(const cn_simulation *sim) {
    const cn_touching_rows *t = &sim->touching;
    for (int slot = 0; slot < t->end; slot++)
        if (!cn_sound(has_sound_indices(sim, slot), "slot of a contact", slot)) return false;
    CN_EACH_BIT(slot, t->occupied, t->end) {
        if (!cn_sound(is_sound_touching(sim, slot), "contact", slot)) return false;
    }
    for (int hull_class = 0; hull_class < CN_CLASS_COUNT; hull_class++)
        for (int i = 0; i < sim->apart[hull_class].count; i++)
            if (!cn_sound(is_sound_apart(sim, &sim->apart[hull_class].items[i], hull_class),
                          "pair of shapes", i))
                return false;
    return true;
}

// True if waking the island ends the contact.
static bool is_lost(const cn_simulation *sim, int shape_a, int shape_b) {
    return cn_has_ended(sim, shape_a, shape_b) || !cn_proxies_overlapped(sim, shape_a, shape_b);
}

static bool is_sound_stored(const cn_simulation *sim, const cn_stored_contact *contact,
                            int island) {
    int a = contact->anchor.shape_a, b = contact->anchor.shape_b;
    cn_contact_bodies bodies = contact->bodies;
    if (!is_shape(sim, a) || !is_shape(sim, b) || !are_bodies(sim, bodies) ||
        !is_sound_record(&contact->record))
        return false;
    bool shared = !cn_is_dynamic(&sim->hot[bodies.a]) || sim->warm[bodies.a].island == island;
    return is_lost(sim, a, b) || (is_sound_pair(sim, a, b, contact->record.meta) &&
                                  has_sound_bodies(sim, &contact->anchor, bodies) &&
                                  sim->warm[bodies.b].island == island && shared);
}

static bool is_sound_island(const cn_simulation *sim, int index) {
    const cn_sleeping_island *island = &sim->sleeping_islands[index];
    int count = 0;
    for (int i = island->first_body; i != -1; i = sim->warm[i].next)
        if (!cn_is_in(sim, CN_BODIES, i) || sim->warm[i].island != index ||
            count++ >= island->body_count)
            return false;
    for (int i = 0; i < island->contacts.count; i++)
        if (!is_sound_stored(sim, &island->contacts.items[i], index)) return false;
    return count == island->body_count;
}

static bool has_sound_unused_islands(const cn_simulation *sim) {
    int left = sim->sleeping_end;
    for (int i = sim->sleeping_free; i != 0; i = sim->sleeping_islands[i - 1].next_free)
        if (i < 0 || i > sim->sleeping_end || sim->sleeping_islands[i - 1].alive || left-- == 0)
            return false;
    return true;
}

bool cn_check_islands(const cn_simulation *sim) {
    int bodies = 0;
    for (int i = 0; i < sim->sleeping_end; i++) {
        if (!sim->sleeping_islands[i].alive) continue;
        if (!cn_sound(is_sound_island(sim, i), "sleeping island", i)) return false;
        bodies += sim->sleeping_islands[i].body_count;
    }
    CN_EACH(CN_BODIES, i, sim) bodies -= sim->warm[i].island >= 0;
    return cn_sound(bodies == 0, "number of bodies in islands", bodies) &&
           cn_sound(has_sound_unused_islands(sim), "list of unused islands", sim->sleeping_free);
}
