/* Contacts begin, persist and end.
 *
 *            boxes overlap                 near enough
 *   (none) ----------------> apart (16 B) <-----------> touching (64 + 32 + 8 B) <--> asleep
 *            <-------------------+------------------------+
 *                     boxes no longer overlap
 *
 * cn_prepare_contacts() counts what this step may bring and gets all memory for it; new contacts are
 * already written, to slots that are not occupied yet. cn_update_contacts() then changes the state and
 * cannot fail: sleepers wake, new slots become occupied, all touching contacts are refreshed and those
 * whose anchors are too old are remade; what does not touch any more ends.
 */
#include "dynamics.h"

// The kernels address records by 32-bit byte offsets.
enum { MAX_SLOTS = 1 << 25 };

// ---- slots

void cn_occupy_slot(cn_touching *touching, int slot) {
    touching->occupied[slot >> 6] |= (uint64_t)1 << (slot & 63);
    touching->end = cn_max_int(touching->end, slot + 1);
    touching->count++;
    touching->per_class[touching->records[slot].meta >> CN_META_CLASS & 3]++;
}

void cn_free_slot(cn_touching *touching, int slot) {
    touching->per_class[touching->records[slot].meta >> CN_META_CLASS & 3]--;
    touching->count--;
    touching->occupied[slot >> 6] &= ~((uint64_t)1 << (slot & 63));
    touching->records[slot] = (cn_contact_record){0};
    touching->anchors[slot] = (cn_anchor){0};
    touching->bodies[slot] = (cn_contact_bodies){0};
    while (touching->end > 0 && !touching->occupied[(touching->end - 1) >> 6])
        touching->end = (touching->end - 1) & ~63;
}

// The first free slot from `slot` on.
static int next_free_slot(const cn_touching *touching, int slot) {
    for (int word = slot >> 6;; word++, slot = word * 64) {
        uint64_t free = ~touching->occupied[word] >> (slot & 63);
        if (free) return slot + cn_lowest_bit(free);
    }
}

static bool grow_touching(cn_simulation *sim, int slots) {
    cn_touching *touching = &sim->touching;
    const cn_row rows[] = {{&touching->records, 64 * sizeof(cn_contact_record)},
                           {&touching->anchors, 64 * sizeof(cn_anchor)},
                           {&touching->bodies, 64 * sizeof(cn_contact_bodies)},
                           {&touching->occupied, sizeof(uint64_t)}};
    return cn_grow_rows(&sim->memory, rows, 4, &touching->capacity, (slots + 63) / 64);
}

// ---- prepare: contacts that end before the solver

static bool find_lost(cn_simulation *sim) {
    const cn_touching *touching = &sim->touching;
    sim->lost_count = 0;
    if (!sim->news_count) return true;
    if (!cn_grow(&sim->memory, &sim->lost_slots, &sim->lost_capacity, touching->count))
        return false;
    for (int word = 0; word * 64 < touching->end; word++) {
        for (uint64_t bits = touching->occupied[word]; bits; bits &= bits - 1) {
            int slot = word * 64 + cn_lowest_bit(bits);
            const cn_anchor *anchor = &touching->anchors[slot];
            if (cn_is_lost(sim, anchor->shape_a, anchor->shape_b))
                sim->lost_slots[sim->lost_count++] = slot;
        }
    }
    return true;
}

// ---- prepare: memory

typedef struct {
    int begun, restored, bodies;
    int per_class[CN_CLASS_COUNT]; // new touching contacts
} arrivals;

static int count_begun(const cn_apart_list *list) {
    int count = 0;
    for (int i = 0; i < list->count; i++) count += cn_fate_of(&list->pairs[i]) == CN_FATE_TOUCHES;
    return count;
}

static arrivals count_arrivals(const cn_simulation *sim) {
    arrivals sum = {0};
    for (int class = 0; class < CN_CLASS_COUNT; class ++) {
        sum.per_class[class] =
            count_begun(&sim->apart[class]) + count_begun(&sim->fresh_pairs[class]);
        sum.begun += sum.per_class[class];
    }
    for (int i = 0; i < sim->waking_count; i++) {
        const cn_sleeping_island *island = &sim->sleepers[sim->waking[i]];
        for (int k = 0; k < island->touching_count; k++)
            sum.per_class[island->records[k].meta >> CN_META_CLASS & 3]++;
        sum.restored += island->touching_count;
        sum.bodies += island->body_count;
    }
    return sum;
}

// A touching contact may fall back among the apart ones, so these always have room for it.
static bool reserve_apart(cn_simulation *sim, const arrivals *sum) {
    for (int class = 0; class < CN_CLASS_COUNT; class ++) {
        cn_apart_list *list = &sim->apart[class];
        int needed = list->count + sim->fresh_pairs[class].count + sim->touching.per_class[class] +
                     sum->per_class[class];
        if (!cn_grow(&sim->memory, &list->pairs, &list->capacity, needed)) return false;
    }
    return true;
}

static bool reserve_lists(cn_simulation *sim, const arrivals *sum) {
    cn_memory *memory = &sim->memory;
    int fresh = sum->begun + sum->restored, total = sim->touching.count + fresh;
    const cn_row lists[] = {
        {&sim->moved, sizeof(int)}, {&sim->sorted, sizeof(int)}, {&sim->ended, sizeof(int)}};
    return cn_grow_rows(memory, lists, 3, &sim->moved_capacity, total) &&
           cn_grow(memory, &sim->new_slots, &sim->new_capacity, fresh) &&
           cn_grow(memory, &sim->begins, &sim->begin_capacity, sim->begin_count + sum->begun) &&
           cn_grow(memory, &sim->ends, &sim->end_capacity, sim->end_count + total) &&
           cn_grow(memory, &sim->notes, &sim->note_capacity, sim->note_count + sum->bodies);
}

// ---- prepare: new contacts

static void write_begun(cn_simulation *sim, int slot, const cn_apart *pair) {
    cn_touching *touching = &sim->touching;
    const cn_shape_warm *a = &sim->shapes[pair->shape_a], *b = &sim->shapes[pair->shape_b];
    const cn_shape_link *la = &sim->links[pair->shape_a], *lb = &sim->links[pair->shape_b];
    touching->records[slot] = (cn_contact_record){
        .friction = cn_mix_friction(la->friction, lb->friction),
        .restitution = cn_max(a->restitution, b->restitution),
        .meta = (pair->meta & CN_META_FLAGS) | CN_META_REMAKE,
    };
    touching->anchors[slot] = (cn_anchor){.shape_a = pair->shape_a, .shape_b = pair->shape_b};
    touching->bodies[slot] = (cn_contact_bodies){la->body, lb->body};
    if ((sim->hot[la->body].flags | sim->hot[lb->body].flags) & CN_BODY_STOPPED)
        cn_expect_impact(&touching->records[slot]);
    cn_replan_body(sim, la->body);
    cn_replan_body(sim, lb->body);
}

static int write_begun_list(cn_simulation *sim, const cn_apart_list *list, int slot) {
    for (int i = 0; i < list->count; i++) {
        if (cn_fate_of(&list->pairs[i]) != CN_FATE_TOUCHES) continue;
        slot = next_free_slot(&sim->touching, slot);
        write_begun(sim, slot, &list->pairs[i]);
        sim->new_slots[sim->new_count++] = slot++;
    }
    return slot;
}

// Lost now, or already when the island fell asleep; then the search will report the pair anew.
static bool is_lost_in_sleep(const cn_simulation *sim, const cn_anchor *anchor) {
    return cn_is_lost(sim, anchor->shape_a, anchor->shape_b) ||
           !cn_boxes_overlapped(sim, anchor->shape_a, anchor->shape_b);
}

static int write_restored(cn_simulation *sim, const cn_sleeping_island *island, int slot) {
    cn_touching *touching = &sim->touching;
    for (int i = 0; i < island->touching_count; i++) {
        if (is_lost_in_sleep(sim, &island->anchors[i])) continue;
        slot = next_free_slot(touching, slot);
        touching->records[slot] = island->records[i];
        touching->anchors[slot] = island->anchors[i];
        touching->bodies[slot] = island->bodies[i];
        sim->new_slots[sim->new_count++] = slot++;
    }
    return slot;
}

static void write_new_contacts(cn_simulation *sim) {
    int slot = CN_FIRST_SLOT;
    sim->new_count = 0;
    for (int class = 0; class < CN_CLASS_COUNT; class ++)
        slot = write_begun_list(sim, &sim->apart[class], slot);
    for (int class = 0; class < CN_CLASS_COUNT; class ++)
        slot = write_begun_list(sim, &sim->fresh_pairs[class], slot);
    sim->begun_count = sim->new_count;
    for (int i = 0; i < sim->waking_count; i++)
        slot = write_restored(sim, &sim->sleepers[sim->waking[i]], slot);
}

bool cn_prepare_contacts(cn_simulation *sim) {
    if (!find_lost(sim)) return false;
    arrivals sum = count_arrivals(sim);
    int slots = CN_FIRST_SLOT + sim->touching.count + sum.begun + sum.restored;
    if (slots > MAX_SLOTS) return cn_fail(CN_ERROR_MEMORY, "too many touching contacts: %d", slots);
    if (!grow_touching(sim, cn_max_int(slots, sim->touching.end)) || !reserve_apart(sim, &sum) ||
        !reserve_lists(sim, &sum))
        return false;
    write_new_contacts(sim);
    for (int i = 0; i < sim->lost_count; i++) {
        cn_replan_body(sim, sim->touching.bodies[sim->lost_slots[i]].a);
        cn_replan_body(sim, sim->touching.bodies[sim->lost_slots[i]].b);
    }
    if (sim->waking_count) sim->plan.dirty = true;
    return true;
}

// ---- update: ends

static void note_end(cn_simulation *sim, const cn_anchor *anchor) {
    sim->ends[sim->end_count++] = (cn_end_note){anchor->shape_a, anchor->shape_b};
}

// The plan still names the slot in this step; its zeroed record does nothing there.
static void end_contact(cn_simulation *sim, int slot) {
    cn_touching *touching = &sim->touching;
    bool began = touching->records[slot].meta >> CN_META_COUNT & 3; // else a change came in between
    if (began) note_end(sim, &touching->anchors[slot]);
    cn_replan_body(sim, touching->bodies[slot].a);
    cn_replan_body(sim, touching->bodies[slot].b);
    cn_free_slot(touching, slot);
}

static void fall_apart(cn_simulation *sim, int slot) {
    cn_anchor anchor = sim->touching.anchors[slot];
    end_contact(sim, slot);
    if (!cn_boxes_overlap(sim, anchor.shape_a, anchor.shape_b)) return;
    cn_apart pair = cn_make_pair(sim, anchor.shape_a, anchor.shape_b);
    cn_apart_list *list = &sim->apart[pair.meta >> CN_META_CLASS & 3];
    list->pairs[list->count++] = pair;
}

static void end_lost(cn_simulation *sim) {
    for (int i = 0; i < sim->lost_count; i++) end_contact(sim, sim->lost_slots[i]);
    for (int i = 0; i < sim->waking_count; i++) {
        const cn_sleeping_island *island = &sim->sleepers[sim->waking[i]];
        for (int k = 0; k < island->touching_count; k++)
            if (is_lost_in_sleep(sim, &island->anchors[k])) note_end(sim, &island->anchors[k]);
    }
}

// ---- update: pairs that are apart

static void keep_apart(cn_simulation *sim, int class) {
    cn_apart_list *list = &sim->apart[class];
    const cn_apart_list *fresh = &sim->fresh_pairs[class];
    int count = 0;
    for (int i = 0; i < list->count; i++)
        if (cn_fate_of(&list->pairs[i]) == CN_FATE_APART) list->pairs[count++] = list->pairs[i];
    for (int i = 0; i < fresh->count; i++)
        if (cn_fate_of(&fresh->pairs[i]) == CN_FATE_APART) list->pairs[count++] = fresh->pairs[i];
    list->count = count;
}

// ---- update: news of shapes

// Takes over what changed on the shapes of a contact and lets it be remade.
static void apply_change(cn_simulation *sim, int slot) {
    const cn_anchor *anchor = &sim->touching.anchors[slot];
    cn_contact_record *record = &sim->touching.records[slot];
    int a = anchor->shape_a, b = anchor->shape_b;
    record->friction = cn_mix_friction(sim->links[a].friction, sim->links[b].friction);
    record->restitution = cn_max(sim->shapes[a].restitution, sim->shapes[b].restitution);
    uint32_t flags = cn_make_pair(sim, a, b).meta & CN_META_FLAGS;
    record->meta = (record->meta & ~(uint32_t)CN_META_FLAGS) | flags | CN_META_REMAKE;
}

static void apply_changes(cn_simulation *sim) {
    bool any = false;
    for (int i = 0; i < sim->news_count; i++)
        any |= (sim->news[sim->news_list[i]] & CN_SHAPE_CHANGED) != 0;
    if (!any) return;
    for (int slot = CN_FIRST_SLOT; slot < sim->touching.end; slot++) {
        const cn_anchor *anchor = &sim->touching.anchors[slot];
        uint8_t news = sim->news[anchor->shape_a] | sim->news[anchor->shape_b];
        if (cn_occupied(&sim->touching, slot) && news & CN_SHAPE_CHANGED) apply_change(sim, slot);
    }
    for (int class = 0; class < CN_CLASS_COUNT; class ++)
        for (int i = 0; i < sim->apart[class].count; i++) {
            cn_apart *pair = &sim->apart[class].pairs[i];
            pair->meta = cn_make_pair(sim, pair->shape_a, pair->shape_b).meta;
        }
}

static void forget_news(cn_simulation *sim) {
    for (int i = 0; i < sim->news_count; i++) sim->news[sim->news_list[i]] = 0;
    sim->news_count = 0;
}

// ---- update: touching contacts

// Sorts slots by the class of their contacts; count[] gets the number of each.
static void sort_by_class(cn_simulation *sim, int total, int *count) {
    int first[CN_CLASS_COUNT] = {0};
    for (int i = 0; i < total; i++)
        count[sim->touching.records[sim->moved[i]].meta >> CN_META_CLASS & 3]++;
    for (int class = 1; class < CN_CLASS_COUNT; class ++)
        first[class] = first[class - 1] + count[class - 1];
    for (int i = 0; i < total; i++) {
        int class = sim->touching.records[sim->moved[i]].meta >> CN_META_CLASS & 3;
        sim->sorted[first[class]++] = sim->moved[i];
    }
}

static void remake_contacts(cn_simulation *sim) {
    int count[CN_CLASS_COUNT] = {0}, at = 0;
    sort_by_class(sim, sim->kernels->refresh(sim, sim->moved), count);
    for (int class = 0; class < CN_CLASS_COUNT; class ++) {
        if (!count[class]) continue;
        int ended = sim->kernels->collide(sim, (cn_hull_class) class, sim->sorted + at,
                                          count[class], sim->ended);
        for (int i = 0; i < ended; i++) fall_apart(sim, sim->ended[i]);
        at += count[class];
    }
}

static void note_begins(cn_simulation *sim) {
    for (int i = 0; i < sim->begun_count; i++) {
        int slot = sim->new_slots[i];
        if (!cn_occupied(&sim->touching, slot)) continue;
        const cn_contact_record *record = &sim->touching.records[slot];
        const cn_anchor *anchor = &sim->touching.anchors[slot];
        const cn_body_hot *a = &sim->hot[sim->touching.bodies[slot].a];
        sim->begins[sim->begin_count++] = (cn_begin_note){
            anchor->shape_a, anchor->shape_b, cn_vec(a->x + record->p1x, a->y + record->p1y),
            cn_vec(record->nx, record->ny)};
    }
}

void cn_clear_notes(cn_simulation *sim) {
    sim->begin_count = sim->end_count = sim->hit_count = sim->note_count = 0;
}

bool cn_update_contacts(cn_simulation *sim) {
    if (!sim->keep_notes) cn_clear_notes(sim);
    sim->first_hit = sim->hit_count;
    end_lost(sim); // looks at the boxes of the last search
    cn_tree_commit(&sim->moving);
    cn_tree_commit(&sim->fixed);
    for (int i = 0; i < sim->new_count; i++) cn_occupy_slot(&sim->touching, sim->new_slots[i]);
    for (int class = 0; class < CN_CLASS_COUNT; class ++) keep_apart(sim, class);
    apply_changes(sim);
    forget_news(sim);
    cn_end_sleep(sim);
    remake_contacts(sim);
    note_begins(sim);
    return true;
}
