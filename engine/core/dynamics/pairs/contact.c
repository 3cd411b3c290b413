/* Contacts begin, persist and end.
 *
 *            boxes overlap                 near enough
 *   (none) ----------------> apart (16 B) <-----------> touching (105 B) <--> asleep
 *            <-------------------+------------------------+
 *                     boxes no longer overlap
 *
 * cn_prepare_contacts() lists what this step begins and ends, and reserves all memory for it. It
 * already writes the new contacts, to slots that are not occupied yet. Such a contact has no
 * points, and its impulses are zero: the pair search found it near enough, but kept no manifold.
 * The flag CN_META_REMAKE makes the update collide it like a contact that moved.
 * cn_update_contacts() of contact_update.c then changes the state.
 *
 * Workers share two jobs. In the first one, ranges of slots mark the contacts that end, and ranges
 * of apart pairs list those that begin. Then one thread gives the new contacts their slots: number
 * k gets the free slot number k. The second job writes them. So slots and order depend on the lists
 * alone, and not on the ranges.
 */
#include "pairs.h"

enum {
    MAX_SLOTS = 1 << 25, // because the kernels address records by byte offsets of 32 bits
    PAIR_GRAIN = 512,    // apart pairs that a worker takes at a time
    NEW_GRAIN = 32,      // new contacts that a worker takes at a time
    // A test of an apart pair takes a quarter of the work of a contact. Writing a new contact takes
    // eight times as much.
    PAIRS_PER_ITEM = 4,
    ITEMS_PER_NEW = 8,
};

// ---- slots

static void write_contact(cn_touching_rows *touching, int slot, const cn_stored_contact *contact) {
    touching->records[slot] = contact->record;
    touching->anchors[slot] = contact->anchor;
    touching->load[slot] = contact->load;
    touching->bodies[slot] = contact->bodies;
}

void cn_clear_slot(cn_touching_rows *touching, int slot) {
    write_contact(touching, slot, &(cn_stored_contact){0});
    cn_clear_bit(touching->occupied, slot);
    cn_clear_bit(touching->silent, slot);
}

void cn_trim_slots(cn_touching_rows *touching) {
    while (touching->end > 0 && !touching->occupied[(touching->end - 1) >> 6])
        touching->end = (touching->end - 1) & ~63;
}

void cn_free_slot(cn_touching_rows *touching, int slot) {
    touching->per_class[cn_class_of(touching->records[slot].meta)]--;
    touching->count--;
    cn_clear_slot(touching, slot);
    cn_trim_slots(touching);
}

bool cn_reserve_touching(cn_simulation *sim, int slots) {
    cn_touching_rows *touching = &sim->touching;
    int groups = (slots + CN_SLOT_GROUP - 1) / CN_SLOT_GROUP;
    const cn_row rows[] = {{&touching->records, CN_SLOT_GROUP * sizeof(cn_contact_record)},
                           {&touching->anchors, CN_SLOT_GROUP * sizeof(cn_anchor)},
                           {&touching->load, CN_SLOT_GROUP * sizeof(cn_contact_load)},
                           {&touching->bodies, CN_SLOT_GROUP * sizeof(cn_contact_bodies)},
                           {&touching->row_types, CN_SLOT_GROUP}};
    const int count = sizeof rows / sizeof *rows;
    if (!cn_grow_rows(&sim->memory, rows, count, &touching->groups, groups)) return false;
    int words = (cn_touching_slots(touching) + 63) / 64;
    const cn_row bits[] = {CN_ROW(touching->occupied), CN_ROW(touching->ending),
                           CN_ROW(touching->planned), CN_ROW(touching->silent)};
    return cn_fit_rows(&sim->memory, bits, 4, &touching->words, words);
}

void cn_recount_touching(cn_touching_rows *touching, int end, int end_before) {
    for (int slot = end; slot < end_before; slot++) cn_clear_slot(touching, slot);
    for (int i = 0; i * 64 < end; i++) touching->silent[i] &= touching->occupied[i];
    touching->end = end, touching->count = 0;
    memset(touching->per_class, 0, sizeof touching->per_class);
    CN_EACH_BIT(slot, touching->occupied, end) {
        touching->per_class[cn_class_of(touching->records[slot].meta)]++;
        touching->count++;
    }
}

bool cn_update_row_type(cn_simulation *sim, int slot) {
    const cn_anchor *anchor = &sim->touching.anchors[slot];
    const cn_body_hot *a = &sim->hot[sim->touching.bodies[slot].a];
    uint8_t dirty = sim->dirty[anchor->shape_a] | sim->dirty[anchor->shape_b];
    uint32_t meta = dirty & CN_DIRTY_CHANGED
                        ? cn_make_pair(sim, anchor->shape_a, anchor->shape_b).meta
                        : sim->touching.records[slot].meta;
    uint32_t flags = sim->shapes[anchor->shape_a].flags | sim->shapes[anchor->shape_b].flags;
    bool has_pre_solve = flags & CN_SHAPE_PRE_SOLVE;
    bool is_extended = has_pre_solve || meta & (CN_META_BOUNCY | CN_META_RARE_MATERIAL);
    cn_row_type type = is_extended                  ? CN_ROW_EXTENDED
                       : (meta & CN_META_ONE_POINT) ? CN_ROW_ONE_POINT
                                                    : CN_ROW_PLAIN;
    const uint8_t before = sim->touching.row_types[slot];
    sim->touching.row_types[slot] =
        (uint8_t)((int)type | (cn_is_dynamic(a) ? 0 : CN_PLAN_STATIC_A) |
                  (meta & CN_META_HITS ? CN_PLAN_HITS : 0) |
                  (has_pre_solve ? CN_PLAN_PRE_SOLVE : 0) |
                  (int)cn_class_of(meta) << CN_PLAN_CLASS);
    return sim->touching.row_types[slot] != before;
}

void cn_update_row_types(cn_simulation *sim) {
    CN_EACH_BIT(slot, sim->touching.occupied, sim->touching.end) cn_update_row_type(sim, slot);
    cn_replan_all(sim);
}

// ---- prepare: contacts that end before the solver

// Returns a bit for each body that has a dirty shape, or NULL if memory is short.
static const uint64_t *list_dirty_bodies(cn_simulation *sim) {
    if (!cn_clear_body_bits(sim)) return NULL;
    uint64_t *bits = sim->plan.body_bits.items; // unused until the plan is made
    for (int i = 0; i < sim->dirty_count; i++)
        cn_set_bit(bits, sim->links[sim->dirty_shapes[i]].body);
    return bits;
}

bool cn_has_contact_ended(const cn_simulation *sim, int slot) {
    const cn_anchor *anchor = &sim->touching.anchors[slot];
    cn_contact_bodies pair = sim->touching.bodies[slot];
    return cn_has_ended(sim, anchor->shape_a, anchor->shape_b) ||
           (sim->sleeping_count &&
            (sim->warm[pair.a].island >= 0 || sim->warm[pair.b].island >= 0));
}

// What is searched for contacts that end and for pairs that begin to touch.
typedef struct {
    cn_simulation *sim;
    int slots;                    // 0: no shape is dirty, so none ends
    const uint64_t *dirty_bodies; // contacts of other bodies are skipped; NULL: none is
    int pairs;                    // of all apart lists; 0: they are not searched
    const cn_apart **begun;       // by pair: each range lists its pairs from its start on
    int *begun_counts;            // by range of PAIR_GRAIN pairs
} contact_search;

static void find_lost(void *context, int first, int end) {
    const contact_search *s = context;
    cn_simulation *sim = s->sim;
    const cn_touching_rows *touching = &sim->touching;
    CN_EACH_BIT(k, touching->occupied + first / 64, end - first) {
        int slot = first + k;
        cn_contact_bodies pair = touching->bodies[slot];
        if (s->dirty_bodies && !cn_has_bit(s->dirty_bodies, pair.a) &&
            !cn_has_bit(s->dirty_bodies, pair.b))
            continue;
        int a = touching->anchors[slot].shape_a, b = touching->anchors[slot].shape_b;
        bool changed = (sim->dirty[a] | sim->dirty[b]) & CN_DIRTY_CHANGED;
        if (changed && cn_update_row_type(sim, slot)) cn_set_bit(touching->planned, slot);
        if (cn_has_contact_ended(sim, slot) || (changed && cn_is_excluded(sim, a, b)))
            cn_set_bit(touching->ending, slot);
    }
}

static void find_begun(void *context, int first, int end) {
    const contact_search *s = context;
    const cn_apart_list *list = s->sim->apart;
    const cn_apart **begun = s->begun + first;
    int count = 0;
    for (int start = 0; start < end; start += list->count, list++) {
        int stop = cn_min_int(end - start, list->count);
        for (int i = cn_max_int(first - start, 0); i < stop; i++) {
            begun[count] = &list->items[i];
            count += cn_begins_contact(&list->items[i]);
        }
    }
    s->begun_counts[first / PAIR_GRAIN] = count;
}

static void search_contacts(void *context, cn_worker *worker) {
    const contact_search *s = context;
    cn_distribute(worker, s->slots, CN_SLOT_GRAIN, find_lost, context);
    cn_distribute(worker, s->pairs, PAIR_GRAIN, find_begun, context);
}

static void replan_both(cn_simulation *sim, int slot) {
    cn_replan_body(sim, sim->touching.bodies[slot].a);
    cn_replan_body(sim, sim->touching.bodies[slot].b);
}

// Has the bodies of contacts with another row type planned again.
static void replan_contacts(cn_simulation *sim) {
    CN_EACH_BIT(slot, sim->touching.planned, sim->touching.end) replan_both(sim, slot);
}

// Lists the contacts that end because of dirty shapes. If few shapes are dirty, most contacts are
// skipped by their bodies, which take a quarter of the memory that anchors take. A contact can
// become excluded only when a shape changes, so only changed shapes are tested for that.
static bool run_search(contact_search *search) {
    cn_simulation *sim = search->sim;
    const cn_touching_rows *touching = &sim->touching;
    bool few = sim->dirty_count < touching->count / 8, done = true;
    sim->lost_slots.count = 0;
    search->slots = sim->dirty_count ? touching->end : 0;
    if (search->slots && few && !(search->dirty_bodies = list_dirty_bodies(sim))) return false;
    int items = (search->slots ? touching->count : 0) + search->pairs / PAIRS_PER_ITEM;
    cn_run(sim->team, items, search_contacts, search);
    if (!search->slots) return true;
    replan_contacts(sim);
    CN_EACH_BIT(slot, touching->ending, touching->end) {
        cn_clear_bit(touching->ending, slot);
        done = done && cn_append(&sim->memory, &sim->lost_slots, slot);
    }
    return done;
}

bool cn_list_lost_contacts(cn_simulation *sim) { return run_search(&(contact_search){.sim = sim}); }

// ---- prepare: new contacts

// Returns the first free slot from `slot` on.
static int next_free_slot(const cn_touching_rows *touching, int slot) {
    for (; slot < touching->end; slot = (slot | 63) + 1) {
        uint64_t free = ~touching->occupied[slot >> 6] >> (slot & 63);
        if (free) return slot + cn_lowest_bit(free);
    }
    return slot;
}

// Gives slots to the new contacts, and reserves their rows at once.
static bool reserve_new_slots(cn_simulation *sim, int count) {
    int slot = CN_FIRST_SLOT - 1, *slots;
    if (!cn_reserve(&sim->memory, &sim->new_slots, count)) return false;
    slots = sim->new_slots.items;
    for (int i = 0; i < count; i++) slots[i] = slot = next_free_slot(&sim->touching, slot + 1);
    if (slot >= MAX_SLOTS) return cn_fail(CN_ERROR_MEMORY, "too many touching contacts: %d", slot);
    if (count && !cn_reserve_touching(sim, slot + 1)) return false;
    sim->new_slots.count = count;
    return true;
}

void cn_cancel_new_contacts(cn_simulation *sim) {
    for (int i = 0; i < sim->new_slots.count; i++) {
        int slot = sim->new_slots.items[i];
        if (!cn_has_bit(sim->touching.occupied, slot)) cn_clear_slot(&sim->touching, slot);
    }
}

// Returns the rule that counts for two shapes.
static cn_mix rule_of(const cn_shape_warm *a, const cn_shape_warm *b, uint32_t mask) {
    cn_mix of_a = cn_mix_in(a->flags, mask), of_b = cn_mix_in(b->flags, mask);
    return of_a > of_b ? of_a : of_b;
}

// `standard` is the value of the default rule.
static float mix(cn_mix rule, float a, float b, float standard) {
    switch (rule) {
    case CN_MIX_DEFAULT: return standard;
    case CN_MIX_AVERAGE: return (a + b) / 2;
    case CN_MIX_MINIMUM: return cn_min(a, b);
    case CN_MIX_MAXIMUM: return cn_max(a, b);
    case CN_MIX_MULTIPLY: return a * b;
    }
    return standard;
}

void cn_mix_shapes(const cn_simulation *sim, const cn_apart *pair, cn_contact_record *record) {
    const cn_shape_warm *a = &sim->shapes[pair->shape_a], *b = &sim->shapes[pair->shape_b];
    float fa = sim->links[pair->shape_a].friction, fb = sim->links[pair->shape_b].friction;
    record->friction = mix(rule_of(a, b, CN_SHAPE_FRICTION_MIX), fa, fb, sqrtf(fa * fb));
    record->restitution = mix(rule_of(a, b, CN_SHAPE_RESTITUTION_MIX), a->restitution,
                              b->restitution, cn_max(a->restitution, b->restitution));
    record->meta &= ~(uint32_t)CN_META_FLAGS;
    record->meta |= (pair->meta & CN_META_FLAGS) | CN_META_REMAKE;
}

static void write_begun(cn_simulation *sim, int slot, const cn_apart *pair) {
    int a = sim->links[pair->shape_a].body, b = sim->links[pair->shape_b].body;
    cn_stored_contact contact = {.bodies = {a, b}};
    contact.anchor.shape_a = pair->shape_a, contact.anchor.shape_b = pair->shape_b;
    cn_mix_shapes(sim, pair, &contact.record);
    write_contact(&sim->touching, slot, &contact);
}

static bool is_silent_pair(const cn_simulation *sim, const cn_apart *pair) {
    uint32_t flags = sim->shapes[pair->shape_a].flags | sim->shapes[pair->shape_b].flags;
    return flags & CN_SHAPE_SILENT;
}

bool cn_is_lost_in_sleep(const cn_simulation *sim, const cn_stored_contact *contact) {
    const cn_anchor *anchor = &contact->anchor;
    return cn_is_excluded(sim, anchor->shape_a, anchor->shape_b) ||
           cn_has_ended(sim, anchor->shape_a, anchor->shape_b) ||
           !cn_proxies_overlapped(sim, anchor->shape_a, anchor->shape_b);
}

// The new contacts: first those that begin, then those that waking islands restore.
typedef struct {
    cn_simulation *sim;
    const cn_apart **begun;             // by number of the new contact
    const cn_stored_contact **restored; // by that number minus begun_count
} new_contacts;

// The slot is free, so it is not silent yet.
static void set_silent(cn_simulation *sim, int slot, bool silent) {
    if (silent) cn_set_shared_bit(sim->touching.silent, slot, sim->team);
}

static void write_new(void *context, int first, int end) {
    const new_contacts *contacts = context;
    cn_simulation *sim = contacts->sim;
    for (int i = first; i < end; i++) {
        const int slot = sim->new_slots.items[i];
        if (i < sim->begun_count) {
            write_begun(sim, slot, contacts->begun[i]);
            set_silent(sim, slot, is_silent_pair(sim, contacts->begun[i]));
            cn_replan_batch_of(sim, sim->touching.bodies[slot].a);
            cn_replan_batch_of(sim, sim->touching.bodies[slot].b);
        } else {
            const cn_stored_contact *stored = contacts->restored[i - sim->begun_count];
            write_contact(&sim->touching, slot, stored);
            set_silent(sim, slot, stored->silent);
        }
        cn_update_row_type(sim, slot);
    }
}

// Moves what the ranges have found to the front. Returns the number of pairs.
static int gather_begun(const contact_search *search) {
    int count = 0;
    for (int first = 0; first < search->pairs; first += PAIR_GRAIN)
        for (int i = 0; i < search->begun_counts[first / PAIR_GRAIN]; i++)
            search->begun[count++] = search->begun[first + i];
    return count;
}

// Lists the contacts that waking islands restore. Returns their number.
static int list_restored(const cn_simulation *sim, const cn_stored_contact **restored) {
    int count = 0;
    for (int i = 0; i < sim->waking.count; i++) {
        const cn_sleeping_island *island = &sim->sleeping_islands[sim->waking.items[i]];
        for (int k = 0; k < island->contacts.count; k++) {
            const cn_stored_contact *contact = &island->contacts.items[k];
            if (!cn_is_lost_in_sleep(sim, contact)) restored[count++] = contact;
        }
    }
    return count;
}

static int count_restorable(const cn_simulation *sim) {
    int count = 0;
    for (int i = 0; i < sim->waking.count; i++)
        count += sim->sleeping_islands[sim->waking.items[i]].contacts.count;
    return count;
}

static void take_memory(contact_search *search, new_contacts *contacts, int restorable,
                        cn_arena *arena) {
    int ranges = (search->pairs + PAIR_GRAIN - 1) / PAIR_GRAIN;
    search->begun_counts = cn_take(arena, ranges, sizeof(int));
    search->begun = contacts->begun = cn_take(arena, search->pairs, sizeof *search->begun);
    contacts->restored = cn_take(arena, restorable, sizeof *contacts->restored);
    if (arena->memory && ranges) memset(search->begun_counts, 0, (size_t)ranges * sizeof(int));
}

static bool find_and_write_contacts(cn_simulation *sim) {
    contact_search search = {.sim = sim};
    new_contacts contacts = {.sim = sim};
    int restorable = count_restorable(sim);
    for (int i = 0; i < CN_APART_LISTS; i++) search.pairs += sim->apart[i].count;
    cn_arena needed = {0};
    take_memory(&search, &contacts, restorable, &needed);
    sim->new_slots.count = sim->begun_count = 0;
    if (!cn_scratch(sim, needed.used)) return false;
    take_memory(&search, &contacts, restorable, &sim->arena);
    if (!run_search(&search)) return false;
    const int begun = gather_begun(&search);
    const int count = begun + list_restored(sim, contacts.restored);
    if (!reserve_new_slots(sim, count)) return false;
    sim->begun_count = begun;
    cn_run_loop(sim->team, ITEMS_PER_NEW * count, count, NEW_GRAIN, write_new, &contacts);
    return true;
}

// ---- prepare: memory

// A touching contact may become an apart pair, so their lists always have memory for it.
static bool reserve_apart(cn_simulation *sim) {
    int touching[CN_CLASS_COUNT];
    memcpy(touching, sim->touching.per_class, sizeof touching);
    // Contacts that begin are still in the lists of apart pairs.
    for (int i = sim->begun_count; i < sim->new_slots.count; i++)
        touching[cn_class_of(sim->touching.records[sim->new_slots.items[i]].meta)]++;
    for (int hull_class = 0; hull_class < CN_CLASS_COUNT; hull_class++) {
        int known = sim->apart[hull_class].count + sim->apart[CN_NEW_APART + hull_class].count;
        if (!cn_reserve(&sim->memory, &sim->apart[hull_class], known + touching[hull_class]))
            return false;
    }
    return true;
}

static bool reserve_lists(cn_simulation *sim) {
    cn_memory *memory = &sim->memory;
    int total = sim->touching.count + sim->begun_count, bodies = 0, kept = sim->keep_events;
    for (int i = 0; i < sim->waking.count; i++) {
        total += sim->sleeping_islands[sim->waking.items[i]].contacts.count;
        bodies += sim->sleeping_islands[sim->waking.items[i]].body_count;
    }
    int slots = cn_touching_slots(&sim->touching);
    if (!cn_scratch(sim, cn_update_contacts_bytes(sim))) return false;
    if (sim->pre_solve && !cn_reserve(memory, &sim->contact_values, slots)) return false;
    return cn_reserve(memory, &sim->lost_slots, slots) &&
           cn_reserve(memory, &sim->begins, kept * sim->begins.count + sim->begun_count) &&
           cn_reserve(memory, &sim->ends, kept * sim->ends.count + total) &&
           cn_reserve(memory, &sim->body_events, kept * sim->body_events.count + bodies);
}

bool cn_reserve_contacts(cn_simulation *sim, int count) {
    if (count == 0) return true;
    cn_memory *memory = &sim->memory;
    bool done = cn_reserve_touching(sim, CN_FIRST_SLOT + count);
    int slots = cn_touching_slots(&sim->touching);
    for (int i = 0; i < CN_APART_LISTS; i++)
        done = done && cn_reserve(memory, &sim->apart[i], slots);
    return done && cn_reserve(memory, &sim->new_slots, slots) &&
           cn_reserve(memory, &sim->lost_slots, slots) && cn_reserve(memory, &sim->begins, slots) &&
           cn_reserve(memory, &sim->ends, slots) &&
           cn_reserve(memory, &sim->pairs, count + CN_PAIRS_OF_JOB);
}

// Contacts that begin are still in the lists of apart pairs.
static void update_most_contacts(cn_simulation *sim) {
    int count = sim->touching.count + sim->new_slots.count - sim->begun_count;
    for (int i = 0; i < CN_APART_LISTS; i++) count += sim->apart[i].count;
    sim->most_contacts = cn_max_int(sim->most_contacts, count);
}

bool cn_prepare_contacts(cn_simulation *sim) {
    if (!find_and_write_contacts(sim) || !reserve_apart(sim) || !reserve_lists(sim)) return false;
    for (int i = 0; i < sim->lost_slots.count; i++) replan_both(sim, sim->lost_slots.items[i]);
    if (sim->waking.count) sim->plan.dirty = true;
    update_most_contacts(sim);
    return true;
}
