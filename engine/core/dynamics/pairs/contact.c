/* Contacts begin, persist and end.
 *
 *            boxes overlap                 near enough
 *   (none) ----------------> apart (16 B) <-----------> touching (105 B) <--> asleep
 *            <-------------------+------------------------+
 *                     boxes no longer overlap
 *
 * cn_prepare_contacts() counts what this step may begin and end, and reserves all memory for it. It
 * already writes the new contacts, to slots that are not occupied yet. Such a contact has no
 * points, and its impulses are zero: the pair search found it near enough, but kept no manifold.
 * The flag CN_META_REMAKE makes the update collide it like a contact that moved.
 * cn_update_contacts() then changes the state and cannot fail: new slots become occupied, islands
 * wake, all touching contacts are refreshed, and contacts whose pair has moved too far are remade.
 * Contacts that no longer touch end.
 */
#include "pairs.h"

enum {
    MAX_SLOTS = 1 << 25, // because the kernels address records by byte offsets of 32 bits
    SLOT_GRAIN = 1024,   // slots that a worker takes at a time: whole words of bits
};

// ---- slots

static void write_contact(cn_touching_rows *touching, int slot, const cn_stored_contact *contact) {
    touching->records[slot] = contact->record;
    touching->anchors[slot] = contact->anchor;
    touching->load[slot] = contact->load;
    touching->bodies[slot] = contact->bodies;
    if (contact->silent)
        cn_set_bit(touching->silent, slot);
    else
        cn_clear_bit(touching->silent, slot);
}

static void occupy_slot(cn_touching_rows *touching, int slot) {
    cn_set_bit(touching->occupied, slot);
    touching->end = cn_max_int(touching->end, slot + 1);
    touching->count++;
    touching->per_class[cn_class_of(touching->records[slot].meta)]++;
}

void cn_free_slot(cn_touching_rows *touching, int slot) {
    touching->per_class[cn_class_of(touching->records[slot].meta)]--;
    touching->count--;
    cn_clear_bit(touching->occupied, slot);
    write_contact(touching, slot, &(cn_stored_contact){0});
    while (touching->end > 0 && !touching->occupied[(touching->end - 1) >> 6])
        touching->end = (touching->end - 1) & ~63;
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
    for (int slot = end; slot < end_before; slot++) {
        write_contact(touching, slot, &(cn_stored_contact){0});
        cn_clear_bit(touching->occupied, slot);
    }
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

// True if the contact has ended. A contact that had ended when a body of it was put to sleep has
// ended, too, wherever the bodies were moved since.
static bool has_ended(const cn_simulation *sim, int slot) {
    const cn_anchor *anchor = &sim->touching.anchors[slot];
    cn_contact_bodies pair = sim->touching.bodies[slot];
    return cn_has_ended(sim, anchor->shape_a, anchor->shape_b) ||
           (sim->sleeping_count &&
            (sim->warm[pair.a].island >= 0 || sim->warm[pair.b].island >= 0));
}

typedef struct {
    cn_simulation *sim;
    const uint64_t *dirty_bodies; // contacts of other bodies are skipped; NULL: none is
} lost_search;

static void find_lost(void *context, int first, int end) {
    const lost_search *s = context;
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
        if (has_ended(sim, slot) || (changed && cn_is_excluded(sim, a, b)))
            cn_set_bit(touching->ending, slot);
    }
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
bool cn_list_lost_contacts(cn_simulation *sim) {
    const cn_touching_rows *touching = &sim->touching;
    lost_search search = {sim, NULL};
    bool few = sim->dirty_count < touching->count / 8, done = true;
    sim->lost_slots.count = 0;
    if (!sim->dirty_count) return true;
    if (few && !(search.dirty_bodies = list_dirty_bodies(sim))) return false;
    cn_run_loop(sim->team, touching->count, touching->end, SLOT_GRAIN, find_lost, &search);
    replan_contacts(sim);
    CN_EACH_BIT(slot, touching->ending, touching->end) {
        cn_clear_bit(touching->ending, slot);
        done = done && cn_append(&sim->memory, &sim->lost_slots, slot);
    }
    return done;
}

// ---- prepare: new contacts

// Returns the first free slot from `slot` on.
static int next_free_slot(const cn_touching_rows *touching, int slot) {
    for (; slot < touching->end; slot = (slot | 63) + 1) {
        uint64_t free = ~touching->occupied[slot >> 6] >> (slot & 63);
        if (free) return slot + cn_lowest_bit(free);
    }
    return slot;
}

// Writes a contact to the first free slot after the last new one. The slot is not occupied yet.
static bool write_new(cn_simulation *sim, const cn_stored_contact *contact) {
    cn_touching_rows *touching = &sim->touching;
    int count = sim->new_slots.count;
    int slot = count ? sim->new_slots.items[count - 1] + 1 : CN_FIRST_SLOT;
    slot = next_free_slot(touching, slot);
    if (slot >= MAX_SLOTS) return cn_fail(CN_ERROR_MEMORY, "too many touching contacts: %d", slot);
    bool fits = slot < cn_min_int(cn_touching_slots(touching), touching->words * 64);
    if ((!fits && !cn_reserve_touching(sim, slot + 1)) ||
        !cn_append(&sim->memory, &sim->new_slots, slot))
        return false;
    write_contact(touching, slot, contact);
    cn_update_row_type(sim, slot);
    return true;
}

void cn_cancel_new_contacts(cn_simulation *sim) {
    for (int i = 0; i < sim->new_slots.count; i++) {
        int slot = sim->new_slots.items[i];
        if (!cn_has_bit(sim->touching.occupied, slot))
            write_contact(&sim->touching, slot, &(cn_stored_contact){0});
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

// Writes the data that a contact takes from its shapes, and marks the contact to be remade.
static void mix_shapes(const cn_simulation *sim, const cn_apart *pair, cn_contact_record *record) {
    const cn_shape_warm *a = &sim->shapes[pair->shape_a], *b = &sim->shapes[pair->shape_b];
    float fa = sim->links[pair->shape_a].friction, fb = sim->links[pair->shape_b].friction;
    record->friction = mix(rule_of(a, b, CN_SHAPE_FRICTION_MIX), fa, fb, sqrtf(fa * fb));
    record->restitution = mix(rule_of(a, b, CN_SHAPE_RESTITUTION_MIX), a->restitution,
                              b->restitution, cn_max(a->restitution, b->restitution));
    record->meta &= ~(uint32_t)CN_META_FLAGS;
    record->meta |= (pair->meta & CN_META_FLAGS) | CN_META_REMAKE;
}

static bool write_begun(cn_simulation *sim, const cn_apart *pair) {
    int a = sim->links[pair->shape_a].body, b = sim->links[pair->shape_b].body;
    uint32_t flags = sim->shapes[pair->shape_a].flags | sim->shapes[pair->shape_b].flags;
    cn_stored_contact contact = {.bodies = {a, b}, .silent = (flags & CN_SHAPE_SILENT) != 0};
    contact.anchor.shape_a = pair->shape_a, contact.anchor.shape_b = pair->shape_b;
    mix_shapes(sim, pair, &contact.record);
    return write_new(sim, &contact);
}

// True if a stored contact is not restored: it may not touch, it ends now, or its boxes had parted
// when the island fell asleep. In the last case the pair search reports the pair again.
static bool is_lost_in_sleep(const cn_simulation *sim, const cn_stored_contact *contact) {
    const cn_anchor *anchor = &contact->anchor;
    return cn_is_excluded(sim, anchor->shape_a, anchor->shape_b) ||
           cn_has_ended(sim, anchor->shape_a, anchor->shape_b) ||
           !cn_proxies_overlapped(sim, anchor->shape_a, anchor->shape_b);
}

static bool write_restored(cn_simulation *sim, const cn_sleeping_island *island) {
    for (int i = 0; i < island->contacts.count; i++) {
        const cn_stored_contact *contact = &island->contacts.items[i];
        if (!is_lost_in_sleep(sim, contact) && !write_new(sim, contact)) return false;
    }
    return true;
}

static bool write_new_contacts(cn_simulation *sim) {
    sim->new_slots.count = 0;
    for (int list = 0; list < CN_APART_LISTS; list++)
        for (int i = 0; i < sim->apart[list].count; i++) {
            const cn_apart *pair = &sim->apart[list].items[i];
            if (cn_begins_contact(pair) && !write_begun(sim, pair)) return false;
        }
    sim->begun_count = sim->new_slots.count;
    for (int i = 0; i < sim->waking.count; i++)
        if (!write_restored(sim, &sim->sleeping_islands[sim->waking.items[i]])) return false;
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
static void count_contacts(cn_simulation *sim) {
    int count = sim->touching.count + sim->new_slots.count - sim->begun_count;
    for (int i = 0; i < CN_APART_LISTS; i++) count += sim->apart[i].count;
    sim->most_contacts = cn_max_int(sim->most_contacts, count);
}

bool cn_prepare_contacts(cn_simulation *sim) {
    if (!cn_list_lost_contacts(sim) || !write_new_contacts(sim) || !reserve_apart(sim) ||
        !reserve_lists(sim))
        return false;
    for (int i = 0; i < sim->begun_count; i++) replan_both(sim, sim->new_slots.items[i]);
    for (int i = 0; i < sim->lost_slots.count; i++) replan_both(sim, sim->lost_slots.items[i]);
    if (sim->waking.count) sim->plan.dirty = true;
    count_contacts(sim);
    return true;
}

// ---- update: ends

static void push_end_event(cn_simulation *sim, const cn_anchor *anchor) {
    sim->ends.items[sim->ends.count++] = (cn_shape_pair_row){anchor->shape_a, anchor->shape_b};
}

// In this step the plan may still contain the slot. Its zeroed record has no effect there.
static void end_contact(cn_simulation *sim, int slot) {
    cn_touching_rows *touching = &sim->touching;
    // A contact without points has never touched: something changed after the pair was tested.
    bool has_begun = cn_points_of(touching->records[slot].meta) > 0;
    if (has_begun && !cn_has_bit(touching->silent, slot))
        push_end_event(sim, &touching->anchors[slot]);
    replan_both(sim, slot);
    cn_free_slot(touching, slot);
}

// Ends a contact that no longer touches. The pair becomes an apart pair if the boxes still overlap.
static void part_contact(cn_simulation *sim, int slot) {
    cn_anchor anchor = sim->touching.anchors[slot];
    end_contact(sim, slot);
    if (!cn_proxies_overlap(sim, anchor.shape_a, anchor.shape_b)) return;
    cn_apart pair = cn_make_pair(sim, anchor.shape_a, anchor.shape_b);
    cn_apart_list *list = &sim->apart[cn_class_of(pair.meta)];
    list->items[list->count++] = pair;
}

static void end_lost(cn_simulation *sim) {
    for (int i = 0; i < sim->lost_slots.count; i++) {
        int slot = sim->lost_slots.items[i];
        if (has_ended(sim, slot))
            end_contact(sim, slot);
        else
            part_contact(sim, slot); // excluded
    }
    for (int i = 0; i < sim->waking.count; i++) {
        const cn_sleeping_island *island = &sim->sleeping_islands[sim->waking.items[i]];
        for (int k = 0; k < island->contacts.count; k++) {
            const cn_stored_contact *contact = &island->contacts.items[k];
            if (!contact->silent && is_lost_in_sleep(sim, contact))
                push_end_event(sim, &contact->anchor);
        }
    }
}

// ---- update: pairs that are apart

// Keeps the pairs that stay apart, and appends the new ones.
static void keep_apart_pairs(cn_simulation *sim, int hull_class) {
    cn_apart_list *list = &sim->apart[hull_class], *fresh = &sim->apart[CN_NEW_APART + hull_class];
    int known = list->count;
    list->count = 0;
    for (int i = 0; i < known + fresh->count; i++) {
        cn_apart pair = i < known ? list->items[i] : fresh->items[i - known];
        if (pair.result != CN_PAIR_APART && pair.result != CN_PAIR_PASSES) continue;
        pair.meta &= ~CN_APART_PASSES;
        if (pair.result == CN_PAIR_PASSES) pair.meta |= CN_APART_PASSES;
        list->items[list->count++] = pair;
    }
}

// ---- update: dirty shapes

// Updates contacts and apart pairs whose shapes changed.
static void apply_changes(cn_simulation *sim) {
    cn_touching_rows *touching = &sim->touching;
    bool any_changed = false;
    for (int i = 0; i < sim->dirty_count; i++)
        any_changed |= (sim->dirty[sim->dirty_shapes[i]] & CN_DIRTY_CHANGED) != 0;
    if (!any_changed) return;
    CN_EACH_BIT(slot, touching->occupied, touching->end) {
        const cn_anchor *anchor = &touching->anchors[slot];
        uint8_t dirty = sim->dirty[anchor->shape_a] | sim->dirty[anchor->shape_b];
        if (!(dirty & CN_DIRTY_CHANGED)) continue;
        cn_apart pair = cn_make_pair(sim, anchor->shape_a, anchor->shape_b);
        mix_shapes(sim, &pair, &touching->records[slot]);
    }
    for (int hull_class = 0; hull_class < CN_CLASS_COUNT; hull_class++)
        for (int i = 0; i < sim->apart[hull_class].count; i++) {
            cn_apart *pair = &sim->apart[hull_class].items[i];
            uint32_t passing = pair->meta & CN_APART_PASSES;
            pair->meta = cn_make_pair(sim, pair->shape_a, pair->shape_b).meta | passing;
        }
}

static void clear_dirty_flags(cn_simulation *sim) {
    for (int i = 0; i < sim->dirty_count; i++) sim->dirty[sim->dirty_shapes[i]] = 0;
    sim->dirty_count = 0;
}

// ---- update: touching contacts

static int class_of_slot(const cn_simulation *sim, int slot) {
    return sim->touching.row_types[slot] >> CN_PLAN_CLASS & 3;
}

static void remake_group(cn_simulation *sim, int first, int end) {
    int moved[SLOT_GRAIN], slots[SLOT_GRAIN]; // to be remade: all, and those of one class
    // cn_refresh_contacts() and cn_collide_contacts() of contact_kernel.c.
    int moved_count = cn_kernels_of(sim, end - first)->refresh(sim, first, end, moved);
    for (int hull_class = 0; hull_class < CN_CLASS_COUNT && moved_count; hull_class++) {
        int count = 0;
        if (!sim->touching.per_class[hull_class]) continue;
        for (int i = 0; i < moved_count; i++) {
            slots[count] = moved[i];
            count += class_of_slot(sim, moved[i]) == hull_class;
        }
        int ended =
            cn_kernels_of(sim, count)->collide(sim, (cn_hull_class)hull_class, slots, count);
        for (int i = 0; i < ended; i++) cn_set_bit(sim->touching.ending, slots[i]);
    }
}

static void remake_slots(void *context, int first, int end) {
    for (; first < end; first += SLOT_GRAIN)
        remake_group(context, first, cn_min_int(end, first + SLOT_GRAIN));
}

static void remake_contacts(cn_simulation *sim) {
    int end = sim->touching.end;
    cn_run_loop(sim->team, end, end, SLOT_GRAIN, remake_slots, sim);
    for (int hull_class = 0; hull_class < CN_CLASS_COUNT; hull_class++)
        CN_EACH_BIT(slot, sim->touching.ending, sim->touching.per_class[hull_class] ? end : 0)
            if (class_of_slot(sim, slot) == hull_class) {
                cn_clear_bit(sim->touching.ending, slot);
                part_contact(sim, slot);
            }
}

cn_contact_event_row cn_make_contact_event(const cn_simulation *sim, int slot, float fraction) {
    const cn_contact_record *record = &sim->touching.records[slot];
    const cn_anchor *anchor = &sim->touching.anchors[slot];
    const cn_body_hot *a = &sim->hot[sim->touching.bodies[slot].a];
    float x = record->p1x + fraction * (record->p2x - record->p1x);
    float y = record->p1y + fraction * (record->p2y - record->p1y);
    return (cn_contact_event_row){.slot = slot,
                                  .shape_a = anchor->shape_a,
                                  .shape_b = anchor->shape_b,
                                  .point = cn_vec(a->x + x, a->y + y),
                                  .normal = cn_vec(record->nx, record->ny)};
}

// Pushes the begin events. The point of an event lies in the middle of two equally deep points, and
// at the deeper one if that is deeper by a slop or more.
static void push_begin_events(cn_simulation *sim) {
    for (int i = 0; i < sim->begun_count; i++) {
        int slot = sim->new_slots.items[i];
        if (!cn_is_slot_occupied(&sim->touching, slot)) continue;
        const cn_contact_record *record = &sim->touching.records[slot];
        float lead = 0.5f * (record->s1 - record->s2) / sim->tuning.slop;
        float fraction = cn_max(0, cn_min(0.5f + lead, 1));
        if (cn_has_bit(sim->touching.silent, slot)) continue;
        sim->begins.items[sim->begins.count++] =
            cn_make_contact_event(sim, slot, cn_points_of(record->meta) == 2 ? fraction : 0);
    }
}

void cn_update_contacts(cn_simulation *sim) {
    if (!sim->keep_events) cn_clear_event_buffers(sim);
    sim->first_hit = sim->hits.count;
    end_lost(sim); // reads the boxes of the last search
    cn_tree_commit(&sim->moving_tree);
    cn_tree_commit(&sim->static_tree);
    for (int i = 0; i < sim->new_slots.count; i++)
        occupy_slot(&sim->touching, sim->new_slots.items[i]);
    for (int hull_class = 0; hull_class < CN_CLASS_COUNT; hull_class++)
        keep_apart_pairs(sim, hull_class);
    apply_changes(sim);
    clear_dirty_flags(sim);
    cn_wake_islands(sim);
    remake_contacts(sim);
    push_begin_events(sim);
}
