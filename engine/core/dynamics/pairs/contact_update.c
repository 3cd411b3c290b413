/* Contacts and apart pairs are brought up to date (contact.c has the states of a contact).
 *
 * cn_update_contacts() changes the state and cannot fail: cn_prepare_contacts() has reserved the
 * memory. Lost contacts end, new slots become occupied, islands wake, all touching contacts are
 * refreshed, and contacts whose pair has moved too far are remade. Contacts that no longer touch
 * end.
 *
 * Workers share the slots, in ranges. A worker ends the contacts of its range: it clears their
 * slots and writes what is left to do, 16 bytes a contact. What depends on the order is then done
 * by one thread: events and apart pairs. It visits the contacts that were lost by slot, and those
 * that have parted by hull class, then by slot:
 *
 *      ranges of slots     [ 0 .. 1023 ]   [ 1024 .. 2047 ]
 *      ended contacts      | A A B |       | A B B C |          A, B, C: hull classes
 *      in order            A A A B B B C
 */
#include "pairs.h"

enum {
    EVENT_GRAIN = 128,  // begin events that a worker takes at a time
    BLOCK_GRAIN = 64,   // leaf blocks of a tree that a worker takes at a time
    ITEMS_PER_LOST = 8, // a lost contact takes several times as long as one that is refreshed
    BLOCK_ITEMS = 2,    // work in items of cn_run(): of a leaf block that is committed
    DENSE = 16,         // if one shape in 16 or more is dirty, the flags of all shapes are read
};

// What the update does in the order of contacts after a contact has ended.
enum {
    ENDED_EVENT = 1,   // there is an end event
    ENDED_NEAR = 2,    // the pair becomes an apart pair
    ENDED_SWAPPED = 4, // ... whose A is shape B of the contact
};
typedef struct {
    int32_t shape_a, shape_b; // of the contact
    uint32_t meta;            // of the apart pair, or of the contact if there is none
    uint32_t tasks;           // ENDED_EVENT ...
} ended_contact;

typedef struct {
    cn_simulation *sim;
    ended_contact *ended;          // each range of slots lists its contacts from its start on
    int (*counts)[CN_CLASS_COUNT]; // of each range: contacts that have parted, by hull class
    cn_contact_event_row *begins;  // by number of the new contact; slot -1: there is no event
} contact_update;

static void take_update_memory(contact_update *update, int slots, cn_arena *arena) {
    update->ended = cn_take(arena, slots, sizeof *update->ended);
    update->counts =
        cn_take(arena, (slots + CN_SLOT_GRAIN - 1) / CN_SLOT_GRAIN, sizeof *update->counts);
}

// Returns the end of all slots once the new ones are occupied.
static int end_with_new(const cn_simulation *sim) {
    const int count = sim->new_slots.count;
    return count ? cn_max_int(sim->touching.end, sim->new_slots.items[count - 1] + 1)
                 : sim->touching.end;
}

size_t cn_update_contacts_bytes(const cn_simulation *sim) {
    cn_arena needed = {0};
    take_update_memory(&(contact_update){0}, end_with_new(sim), &needed);
    return needed.used;
}

// ---- contacts end

// Clears the slot of a contact that ends, and returns what is left to do. Several workers may call
// it for slots in different ranges. `parts`: the pair becomes an apart pair if the boxes still
// overlap. In this step the plan may still contain the slot. Its zeroed record has no effect there.
static ended_contact end_contact(cn_simulation *sim, int slot, bool parts) {
    cn_touching_rows *touching = &sim->touching;
    const cn_contact_bodies bodies = touching->bodies[slot];
    const uint32_t meta = touching->records[slot].meta;
    ended_contact e = {touching->anchors[slot].shape_a, touching->anchors[slot].shape_b, meta, 0};
    // A contact without points has never touched: something changed after the pair was tested.
    if (cn_points_of(meta) > 0 && !cn_has_bit(touching->silent, slot)) e.tasks |= ENDED_EVENT;
    cn_replan_batch_of(sim, bodies.a);
    cn_replan_batch_of(sim, bodies.b);
    cn_clear_slot(touching, slot);
    if (!parts || !cn_proxies_overlap(sim, e.shape_a, e.shape_b)) return e;
    const cn_apart pair = cn_make_pair(sim, e.shape_a, e.shape_b);
    e.meta = pair.meta;
    e.tasks |= pair.shape_a == e.shape_a ? ENDED_NEAR : ENDED_NEAR | ENDED_SWAPPED;
    return e;
}

static void push_end_event(cn_simulation *sim, int shape_a, int shape_b) {
    sim->ends.items[sim->ends.count++] = (cn_shape_pair_row){shape_a, shape_b};
}

static void finish_ended(cn_simulation *sim, const ended_contact *ended, int count) {
    for (const ended_contact *e = ended; e < ended + count; e++) {
        const bool swap = e->tasks & ENDED_SWAPPED;
        const int a = e->shape_a, b = e->shape_b;
        cn_apart_list *list = &sim->apart[cn_class_of(e->meta)];
        sim->touching.per_class[cn_class_of(e->meta)]--;
        if (e->tasks & ENDED_EVENT) push_end_event(sim, a, b);
        if (e->tasks & ENDED_NEAR)
            list->items[list->count++] =
                (cn_apart){swap ? b : a, swap ? a : b, CN_PAIR_APART, e->meta};
    }
    sim->touching.count -= count;
}

// Returns how many of the lost slots are below this one.
static int lost_before(const cn_simulation *sim, int slot) {
    int first = 0, end = sim->lost_slots.count;
    while (first < end) {
        int middle = first + (end - first) / 2;
        if (sim->lost_slots.items[middle] < slot)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static void end_lost_slots(void *context, int first, int end) {
    const contact_update *update = context;
    cn_simulation *sim = update->sim;
    const int stop = lost_before(sim, end);
    for (int i = lost_before(sim, first); i < stop; i++) {
        int slot = sim->lost_slots.items[i];
        bool is_excluded = !cn_has_contact_ended(sim, slot);
        update->ended[i] = end_contact(sim, slot, is_excluded);
    }
}

static void end_lost(contact_update *update) {
    cn_simulation *sim = update->sim;
    const int lost = sim->lost_slots.count;
    if (lost) {
        cn_run_loop(sim->team, ITEMS_PER_LOST * lost, sim->touching.end, CN_SLOT_GRAIN,
                    end_lost_slots, update);
        finish_ended(sim, update->ended, lost);
        cn_trim_slots(&sim->touching);
    }
    for (int i = 0; i < sim->waking.count; i++) {
        const cn_sleeping_island *island = &sim->sleeping_islands[sim->waking.items[i]];
        for (int k = 0; k < island->contacts.count; k++) {
            const cn_stored_contact *contact = &island->contacts.items[k];
            if (!contact->silent && cn_is_lost_in_sleep(sim, contact))
                push_end_event(sim, contact->anchor.shape_a, contact->anchor.shape_b);
        }
    }
}

// ---- contacts begin

static int class_of_slot(const cn_simulation *sim, int slot) {
    return sim->touching.row_types[slot] >> CN_PLAN_CLASS & 3;
}

static void occupy_new_slots(cn_simulation *sim) {
    cn_touching_rows *touching = &sim->touching;
    const int count = sim->new_slots.count;
    for (int i = 0; i < count; i++) {
        int slot = sim->new_slots.items[i];
        cn_set_bit(touching->occupied, slot);
        touching->per_class[class_of_slot(sim, slot)]++;
    }
    touching->end = end_with_new(sim);
    touching->count += count;
}

// ---- pairs that are apart

// Keeps the pairs that stay apart, and appends the new ones. Without branches, because such
// branches are mispredicted.
static void keep_apart_pairs(cn_simulation *sim, int hull_class) {
    cn_apart_list *list = &sim->apart[hull_class];
    const cn_apart_list *sources[] = {list, &sim->apart[CN_NEW_APART + hull_class]};
    const int counts[] = {sources[0]->count, sources[1]->count};
    cn_apart *items = list->items;
    int kept = 0;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < counts[k]; i++) {
            const cn_apart *pair = &sources[k]->items[i];
            const bool passes = pair->result == CN_PAIR_PASSES;
            const bool stays = passes | (pair->result == CN_PAIR_APART);
            const uint32_t meta = (pair->meta & ~CN_APART_PASSES) | passes * CN_APART_PASSES;
            items[kept] = *pair;
            items[kept].meta = meta;
            kept += stays;
        }
    list->count = kept;
}

// ---- dirty shapes

// True if so many shapes are dirty that reading the flags of all shapes is faster than the list.
static bool are_dirty_shapes_dense(const cn_simulation *sim) {
    return sim->dirty_count > sim->slots[CN_SHAPES].end / DENSE;
}

static bool has_changed_shapes(const cn_simulation *sim) {
    uint8_t all = 0;
    if (are_dirty_shapes_dense(sim))
        for (int i = 0; i < sim->slots[CN_SHAPES].end; i++) all |= sim->dirty[i];
    else
        for (int i = 0; i < sim->dirty_count; i++) all |= sim->dirty[sim->dirty_shapes[i]];
    return all & CN_DIRTY_CHANGED;
}

// Updates contacts and apart pairs whose shapes changed.
static void apply_changes(cn_simulation *sim) {
    cn_touching_rows *touching = &sim->touching;
    if (!has_changed_shapes(sim)) return;
    CN_EACH_BIT(slot, touching->occupied, touching->end) {
        const cn_anchor *anchor = &touching->anchors[slot];
        uint8_t dirty = sim->dirty[anchor->shape_a] | sim->dirty[anchor->shape_b];
        if (!(dirty & CN_DIRTY_CHANGED)) continue;
        cn_apart pair = cn_make_pair(sim, anchor->shape_a, anchor->shape_b);
        cn_mix_shapes(sim, &pair, &touching->records[slot]);
    }
    for (int hull_class = 0; hull_class < CN_CLASS_COUNT; hull_class++)
        for (int i = 0; i < sim->apart[hull_class].count; i++) {
            cn_apart *pair = &sim->apart[hull_class].items[i];
            uint32_t passing = pair->meta & CN_APART_PASSES;
            pair->meta = cn_make_pair(sim, pair->shape_a, pair->shape_b).meta | passing;
        }
}

static void clear_dirty_flags(cn_simulation *sim) {
    if (are_dirty_shapes_dense(sim))
        memset(sim->dirty, 0, (size_t)sim->slots[CN_SHAPES].end);
    else
        for (int i = 0; i < sim->dirty_count; i++) sim->dirty[sim->dirty_shapes[i]] = 0;
    sim->dirty_count = 0;
}

// ---- touching contacts

static void remake_range(const contact_update *update, int first, int end) {
    cn_simulation *sim = update->sim;
    int moved[CN_SLOT_GRAIN], slots[CN_SLOT_GRAIN]; // to be remade: all, and those of one class
    ended_contact *ended = update->ended + first;
    // cn_refresh_contacts() and cn_collide_contacts() of contact_kernel.c.
    int moved_count = cn_kernels_of(sim, end - first)->refresh(sim, first, end, moved);
    for (int hull_class = 0; hull_class < CN_CLASS_COUNT; hull_class++) {
        int count = 0, *parted = &update->counts[first / CN_SLOT_GRAIN][hull_class];
        *parted = 0;
        if (!sim->touching.per_class[hull_class] || !moved_count) continue;
        for (int i = 0; i < moved_count; i++) {
            slots[count] = moved[i];
            count += class_of_slot(sim, moved[i]) == hull_class;
        }
        *parted = cn_kernels_of(sim, count)->collide(sim, (cn_hull_class)hull_class, slots, count);
        for (int i = 0; i < *parted; i++) *ended++ = end_contact(sim, slots[i], true);
    }
}

static void remake_slots(void *context, int first, int end) {
    for (; first < end; first += CN_SLOT_GRAIN)
        remake_range(context, first, cn_min_int(end, first + CN_SLOT_GRAIN));
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

// Makes the begin events. The point of an event lies in the middle of two equally deep points, and
// at the deeper one if that is deeper by a slop or more.
static void make_begin_events(void *context, int first, int end) {
    const contact_update *update = context;
    const cn_simulation *sim = update->sim;
    for (int i = first; i < end; i++) {
        const int slot = sim->new_slots.items[i];
        const cn_contact_record *record = &sim->touching.records[slot];
        float lead = 0.5f * (record->s1 - record->s2) / sim->tuning.slop;
        float fraction = cn_max(0, cn_min(0.5f + lead, 1));
        update->begins[i].slot = -1;
        if (!cn_is_slot_occupied(&sim->touching, slot) || cn_has_bit(sim->touching.silent, slot))
            continue;
        update->begins[i] =
            cn_make_contact_event(sim, slot, cn_points_of(record->meta) == 2 ? fraction : 0);
    }
}

static void commit_moving(void *context, int first, int end) {
    const contact_update *update = context;
    cn_tree_commit_blocks(&update->sim->moving_tree, first, end);
}

static void update_in_ranges(void *context, cn_worker *worker) {
    const contact_update *update = context;
    cn_simulation *sim = update->sim;
    cn_distribute(worker, cn_tree_uncommitted_blocks(&sim->moving_tree), BLOCK_GRAIN, commit_moving,
                  context);
    cn_distribute(worker, sim->touching.end, CN_SLOT_GRAIN, remake_slots, context);
    cn_distribute(worker, sim->begun_count, EVENT_GRAIN, make_begin_events, context);
}

static void finish_parted(contact_update *update) {
    cn_simulation *sim = update->sim;
    const int ranges = (sim->touching.end + CN_SLOT_GRAIN - 1) / CN_SLOT_GRAIN;
    for (int hull_class = 0; hull_class < CN_CLASS_COUNT; hull_class++)
        for (int i = 0; i < ranges; i++) {
            const ended_contact *ended = update->ended + (size_t)i * CN_SLOT_GRAIN;
            if (!update->counts[i][hull_class]) continue;
            for (int k = 0; k < hull_class; k++) ended += update->counts[i][k];
            finish_ended(sim, ended, update->counts[i][hull_class]);
        }
    cn_trim_slots(&sim->touching);
}

static void push_begin_events(contact_update *update) {
    cn_simulation *sim = update->sim;
    for (int i = 0; i < sim->begun_count; i++) {
        cn_contact_event_row *next = &sim->begins.items[sim->begins.count];
        if (update->begins[i].slot < 0) continue;
        if (next != &update->begins[i]) *next = update->begins[i];
        sim->begins.count++;
    }
}

// ---- the stage

void cn_update_contacts(cn_simulation *sim) {
    contact_update update = {.sim = sim};
    cn_scratch(sim, cn_update_contacts_bytes(sim)); // cn_prepare_contacts() has reserved it
    take_update_memory(&update, end_with_new(sim), &sim->arena);
    if (!sim->keep_events) cn_clear_event_buffers(sim);
    sim->first_hit = sim->hits.count;
    end_lost(&update); // reads the boxes of the last search
    cn_tree_commit(&sim->static_tree);
    occupy_new_slots(sim);
    for (int hull_class = 0; hull_class < CN_CLASS_COUNT; hull_class++)
        keep_apart_pairs(sim, hull_class);
    apply_changes(sim);
    clear_dirty_flags(sim);
    cn_wake_islands(sim);
    update.begins = sim->begins.items + sim->begins.count;
    const int blocks = cn_tree_uncommitted_blocks(&sim->moving_tree);
    cn_run(sim->team, sim->touching.end + BLOCK_ITEMS * blocks, update_in_ranges, &update);
    cn_tree_commit(&sim->moving_tree); // no block is left
    finish_parted(&update);
    push_begin_events(&update);
}
