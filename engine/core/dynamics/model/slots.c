/* Slots: the places of bodies, shapes, joints, tile grids and chains in their rows.
 *
 * A new object takes the first slot of the queue of unused slots if that slot may be used again
 * (see cn_slot_queue), otherwise a new slot at the end of the rows. The slot of a destroyed object
 * joins the end of the queue. So the slot of a new object depends only on the calls and steps
 * before. The generation of a slot starts at 1 and increases by one when its object is destroyed.
 * After its last generation a slot is not used again. */
#include "model.h"

enum {
    FIRST_CAPACITY = 8,     // rows
    FIRST_GRIDS = 4,        // the same for grids of tiles, whose rows are long
    DOUBLING_CAPACITY = 64, // rows: a smaller capacity doubles, any other grows by half
    MAX_ROWS = 10,          // parallel rows of a kind, and an empty one at the end
    MAX_OPTIONAL = 5,       // optional rows of a kind
};

static const char *const plurals[] = {"bodies", "shapes", "joints", "grids of tiles", "chains"};

// ---- rows

static int count_rows(const cn_row *rows) {
    int count = 0;
    while (rows[count].array) count++;
    return count;
}

// Lists the parallel rows of a kind.
static void list_rows(cn_simulation *sim, cn_slot_kind kind, cn_row rows[MAX_ROWS]) {
    cn_slot_rows *slots = &sim->slots[kind];
    const cn_row all[CN_SLOT_KINDS][MAX_ROWS] = {
        {CN_ROW(sim->hot), CN_ROW(sim->warm), CN_ROW(slots->items), CN_ROW(sim->motions),
         CN_ROW(sim->unplanned), CN_ROW(sim->swept), CN_ROW(sim->first_joint), CN_ROW(sim->drifts)},
        {CN_ROW(sim->placed), CN_ROW(sim->links), CN_ROW(sim->shapes), CN_ROW(slots->items),
         CN_ROW(sim->dirty), CN_ROW(sim->dirty_shapes), CN_ROW(sim->surface_of),
         CN_ROW(sim->box_slack)},
        {CN_ROW(sim->joint_records), CN_ROW(sim->joint_load), CN_ROW(sim->prepared_joints),
         CN_ROW(sim->joints), CN_ROW(slots->items), CN_ROW(sim->broken), CN_ROW(sim->joint_links)},
        {CN_ROW(slots->items)},
        {CN_ROW(sim->chains), CN_ROW(slots->items)}};
    memcpy(rows, all[kind], sizeof all[kind]);
}

// Optional rows, which not every world has. Once they exist, they grow before the other rows of
// their kind.
typedef struct {
    cn_row row;
    int *capacity;
} optional_row;

static int list_optional_rows(cn_simulation *sim, cn_slot_kind kind,
                              optional_row rows[MAX_OPTIONAL]) {
    cn_slot_rows *slots = &sim->slots[kind];
    int count = 0;
    rows[count++] = (optional_row){CN_ROW(slots->user_data), &slots->user_data_capacity};
    if (kind == CN_BODIES) {
        rows[count++] = (optional_row){CN_ROW(sim->previous), &sim->previous_capacity};
        rows[count++] = (optional_row){CN_ROW(sim->pulls), &sim->pull_capacity};
        rows[count++] = (optional_row){CN_ROW(sim->body_links), &sim->body_links_capacity};
        rows[count++] = (optional_row){CN_ROW(sim->edits), &sim->edit_capacity};
    }
    if (kind == CN_SHAPES) {
        rows[count++] = (optional_row){CN_ROW(sim->rare), &sim->rare_capacity};
        rows[count++] = (optional_row){CN_ROW(sim->shape_before), &sim->shape_before_capacity};
        rows[count++] = (optional_row){CN_ROW(sim->sensor_places), &sim->sensor_places_capacity};
    }
    return count;
}

// Short rows get a reserve, so that they grow every other time.
static bool resize_optional(cn_simulation *sim, const optional_row *optional, int needed) {
    if (*optional->capacity == 0 || *optional->capacity >= needed) return true;
    int reserve = optional->row.size > sizeof(int) ? 0 : needed / 2;
    return cn_fit_rows(&sim->memory, &optional->row, 1, optional->capacity, needed + reserve);
}

bool cn_resize_slots(cn_simulation *sim, cn_slot_kind kind, int needed, bool exactly) {
    cn_slot_rows *slots = &sim->slots[kind];
    int more = slots->capacity / (slots->capacity < DOUBLING_CAPACITY ? 1 : 2);
    int first = kind == CN_GRIDS ? FIRST_GRIDS : FIRST_CAPACITY;
    if (needed <= slots->capacity) return true;
    if (!exactly) needed = cn_max_int(needed, cn_max_int(slots->capacity + more, first));
    cn_row rows[MAX_ROWS];
    optional_row optional[MAX_OPTIONAL];
    list_rows(sim, kind, rows);
    int count = list_optional_rows(sim, kind, optional);
    for (int i = 0; i < count; i++)
        if (!resize_optional(sim, &optional[i], needed)) return false;
    return cn_fit_rows(&sim->memory, rows, count_rows(rows), &slots->capacity, needed);
}

static void clear_row(cn_row row, int first, int end) {
    char *items;
    memcpy(&items, row.array, sizeof items);
    if (first < end) memset(items + (size_t)first * row.size, 0, (size_t)(end - first) * row.size);
}

void cn_forget_slots(cn_simulation *sim, cn_slot_kind kind, int end) {
    cn_slot_rows *slots = &sim->slots[kind];
    cn_row rows[MAX_ROWS];
    optional_row optional[MAX_OPTIONAL];
    list_rows(sim, kind, rows);
    int optional_count = list_optional_rows(sim, kind, optional), used = slots->end;
    for (int i = 0; rows[i].array; i++) clear_row(rows[i], end, used);
    for (int i = 0; i < optional_count; i++)
        clear_row(optional[i].row, end, cn_min_int(used, *optional[i].capacity));
    slots->most = cn_max_int(slots->most, used);
    slots->end = cn_min_int(used, end);
}

void cn_clear_slots(cn_simulation *sim, cn_slot_kind kind) {
    cn_forget_slots(sim, kind, 0);
    sim->slots[kind].count = 0;
    sim->unused_slots[kind] = (cn_slot_queue){-1, -1, -1, -1};
}

bool cn_set_user_data(cn_simulation *sim, cn_slot_kind kind, int slot, uint64_t user_data) {
    cn_slot_rows *slots = &sim->slots[kind];
    int *capacity = &slots->user_data_capacity, needed = user_data ? slots->capacity : 0;
    if (!cn_fit(&sim->memory, &slots->user_data, capacity, needed)) return false;
    if (slot < *capacity) slots->user_data[slot] = user_data;
    return true;
}

// ---- taking and retiring

// Slots that were seen by one step may be used again, with two exceptions. If the sensors of the
// last step failed, that step did not report the ends of all objects. (sensors_failed is still that
// of the last step, because this stage comes before the sensors.) And if this step is in the same
// frame as the last one, the events of both are read after the last step of the frame.
void cn_age_slots(cn_simulation *sim) {
    const bool reported = !sim->keep_events && !sim->sensors_failed;
    for (int kind = 0; kind < CN_SLOT_KINDS; kind++) {
        cn_slot_queue *unused = &sim->unused_slots[kind];
        if (reported) unused->rested = unused->seen;
        unused->seen = unused->last;
    }
}

bool cn_reserve_slots(cn_simulation *sim, cn_slot_kind kind, int count) {
    int left = CN_MAX_SLOTS - sim->slots[kind].end;
    if (count > left)
        return cn_fail(CN_ERROR_RANGE, "there are no slots for %d more %s: %d of %d are left",
                       count, plurals[kind], left, CN_MAX_SLOTS);
    return cn_resize_slots(sim, kind, sim->slots[kind].end + count, false);
}

// Returns how many of the next slots are used again: at most `most`.
static int count_reused(const cn_simulation *sim, cn_slot_kind kind, int most) {
    const cn_slot_queue *unused = &sim->unused_slots[kind];
    int count = 0, slot = unused->rested >= 0 ? unused->first : -1;
    for (; slot >= 0 && count < most; count++)
        slot = slot == unused->rested ? -1 : sim->slots[kind].items[slot].next_free;
    return count;
}

bool cn_reserve_next_slots(cn_simulation *sim, cn_slot_kind kind, int count, bool has_user_data) {
    cn_slot_rows *slots = &sim->slots[kind];
    int reused = count_reused(sim, kind, count);
    if (reused < count && !cn_reserve_slots(sim, kind, count - reused)) return false;
    return !has_user_data ||
           cn_fit(&sim->memory, &slots->user_data, &slots->user_data_capacity, slots->capacity);
}

int cn_next_slot(cn_simulation *sim, cn_slot_kind kind, uint64_t user_data) {
    const cn_slot_queue *unused = &sim->unused_slots[kind];
    bool is_reused = unused->rested >= 0;
    int slot = is_reused ? unused->first : sim->slots[kind].end;
    bool done = (is_reused || cn_reserve_slots(sim, kind, 1)) &&
                cn_set_user_data(sim, kind, slot, user_data);
    return done ? slot : -1;
}

// Removes the first slot of the queue; `next` is the slot after it.
static void pop_first(cn_slot_queue *unused, int next) {
    int *const marks[] = {&unused->last, &unused->rested, &unused->seen};
    for (int i = 0; i < 3; i++)
        if (*marks[i] == unused->first) *marks[i] = -1;
    unused->first = next;
}

void cn_take_slot(cn_simulation *sim, cn_slot_kind kind, int slot) {
    cn_slot_rows *slots = &sim->slots[kind];
    cn_slot *taken = &slots->items[slot];
    if (slot == slots->end)
        slots->end++;
    else
        pop_first(&sim->unused_slots[kind], taken->next_free);
    slots->count++;
    taken->next_free = CN_IN_USE;
    if (taken->generation == 0) taken->generation = 1;
}

void cn_retire_slot(cn_simulation *sim, cn_slot_kind kind, int slot) {
    cn_slot *slots = sim->slots[kind].items;
    cn_slot_queue *unused = &sim->unused_slots[kind];
    if (kind == CN_BODIES) cn_set_flag(&sim->hot[slot].flags, CN_BODY_ALIVE, false);
    if (kind == CN_SHAPES) sim->shapes[slot].flags &= CN_SHAPE_RARE; // events read the tile's name
    if (kind == CN_JOINTS) sim->joints[slot].flags = 0;
    sim->slots[kind].count--;
    slots[slot].next_free = -1;
    if (++slots[slot].generation == 0) return; // this was the last generation
    *(unused->first < 0 ? &unused->first : &slots[unused->last].next_free) = slot;
    unused->last = slot;
}
