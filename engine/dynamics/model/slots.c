/* Slots: where the rows of bodies, shapes, joints and grids of tiles begin and end.
 *
 * A new object takes the first slot of the queue of unused slots if that slot may be used again
 * (see cn_slot_queue), otherwise a new slot at the end of the rows. The slot of a destroyed object
 * joins the end of the queue. So the slot of a new object depends only on the calls and steps
 * before. The generation of a slot starts at 1 and increases by one when its object is destroyed.
 * After its last generation a slot is not used again. */
#include "model.h"

enum { MAX_ROWS = 9, FIRST_CAPACITY = 8, MANY = 64 };

static const char *const plurals[] = {"bodies", "shapes", "joints", "grids of tiles"};

// ---- rows

// Grows optional rows, which not every world has. Once they exist, they grow before the other rows
// of their kind.
static bool follow(cn_simulation *sim, cn_row row, int *capacity, int needed) {
    return *capacity == 0 || cn_fit_rows(&sim->memory, &row, 1, capacity, needed);
}

bool cn_resize_slots(cn_simulation *sim, cn_slot_kind k, int needed, bool exactly) {
    cn_slot_rows *slots = &sim->slots[k];
    int more = slots->capacity / (slots->capacity < MANY ? 1 : 2);
    if (needed <= slots->capacity) return true;
    if (!exactly) needed = cn_max_int(needed, cn_max_int(slots->capacity + more, FIRST_CAPACITY));
    const int counts[] = {7, 8, 5, 2};
    const cn_row rows[CN_SLOT_KINDS][MAX_ROWS] = {
        {CN_ROW(sim->hot), CN_ROW(sim->warm), CN_ROW(slots->items), CN_ROW(sim->motions),
         CN_ROW(sim->unplanned), CN_ROW(sim->fast), CN_ROW(sim->first_joint)},
        {CN_ROW(sim->placed), CN_ROW(sim->links), CN_ROW(sim->shapes), CN_ROW(slots->items),
         CN_ROW(sim->dirty), CN_ROW(sim->dirty_shapes), CN_ROW(sim->surface_of), CN_ROW(sim->box_slack)},
        {CN_ROW(sim->joint_records), CN_ROW(sim->prepared_joints), CN_ROW(sim->joints), CN_ROW(slots->items),
         CN_ROW(sim->broken)},
        {CN_ROW(sim->grids), CN_ROW(slots->items)}};
    const cn_row previous = CN_ROW(sim->previous), rare = CN_ROW(sim->rare);
    return follow(sim, CN_ROW(slots->user_data), &slots->user_data_capacity, needed) &&
           (k != CN_BODIES || follow(sim, previous, &sim->previous_capacity, needed)) &&
           (k != CN_SHAPES || follow(sim, rare, &sim->rare_capacity, needed)) &&
           cn_fit_rows(&sim->memory, rows[k], counts[k], &slots->capacity, needed);
}

bool cn_set_user_data(cn_simulation *sim, cn_slot_kind k, int slot, uint64_t user_data) {
    cn_slot_rows *slots = &sim->slots[k];
    int *capacity = &slots->user_data_capacity, needed = user_data ? slots->capacity : 0;
    if (!cn_fit(&sim->memory, &slots->user_data, capacity, needed)) return false;
    if (slot < *capacity) slots->user_data[slot] = user_data;
    return true;
}

// ---- taking and retiring

// Before the sensors are updated: if the last step could not, it did not report all ends. Slots stay as
// they are within the steps of one frame, because events are read after the last.
void cn_age_slots(cn_simulation *sim) {
    const bool reported = !sim->keep_events && !sim->sensors_failed;
    for (int k = 0; k < CN_SLOT_KINDS; k++) {
        cn_slot_queue *unused = &sim->unused[k];
        if (reported) unused->rested = unused->seen;
        unused->seen = unused->last;
    }
    sim->steps++;
}

bool cn_reserve_slots(cn_simulation *sim, cn_slot_kind k, int count) {
    int left = CN_MAX_SLOTS - sim->slots[k].end;
    if (count > left)
        return cn_fail(CN_ERROR_RANGE, "there are no slots for %d more %s: %d of %d are left",
                       count, plurals[k], left, CN_MAX_SLOTS);
    return cn_resize_slots(sim, k, sim->slots[k].end + count, false);
}

int cn_next_slot(cn_simulation *sim, cn_slot_kind k, uint64_t user_data) {
    const cn_slot_queue *unused = &sim->unused[k];
    bool again = unused->rested >= 0;
    int slot = again ? unused->first : sim->slots[k].end;
    bool done = (again || cn_reserve_slots(sim, k, 1)) &&
                cn_set_user_data(sim, k, slot, user_data);
    return done ? slot : -1;
}

static void take_first(cn_slot_queue *unused, int next) {
    int *const marks[] = {&unused->last, &unused->rested, &unused->seen};
    for (int i = 0; i < 3; i++)
        if (*marks[i] == unused->first) *marks[i] = -1;
    unused->first = next;
}

void cn_take_slot(cn_simulation *sim, cn_slot_kind k, int slot) {
    cn_slot_rows *slots = &sim->slots[k];
    cn_slot *taken = &slots->items[slot];
    if (slot == slots->end)
        slots->end++;
    else
        take_first(&sim->unused[k], taken->next_free);
    slots->count++;
    taken->next_free = CN_IN_USE;
    if (taken->generation == 0) taken->generation = 1;
}

void cn_retire_slot(cn_simulation *sim, cn_slot_kind k, int slot) {
    cn_slot *slots = sim->slots[k].items;
    cn_slot_queue *unused = &sim->unused[k];
    if (k == CN_BODIES) cn_set_flag(&sim->hot[slot].flags, CN_BODY_ALIVE, false);
    if (k == CN_SHAPES) sim->shapes[slot].flags &= CN_SHAPE_RARE; // events read the tile's number
    if (k == CN_JOINTS) sim->joints[slot].flags = 0;
    sim->slots[k].count--;
    slots[slot].next_free = -1;
    if (++slots[slot].generation == 0) return; // this was the last generation
    *(unused->first < 0 ? &unused->first : &slots[unused->last].next_free) = slot;
    unused->last = slot;
}
