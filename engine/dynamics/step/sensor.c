/* Sensors: shapes that see what overlaps them and touch nothing.
 *
 * They see shapes of every kind of body, awake, asleep or static, and each other. After a step each
 * sensor asks the trees what is near and measures the gap; the sorted list of what overlaps is
 * compared with that of the step before:
 *
 *      now:     a b   d          b, d   overlap on
 *      before:    b c d          a      begins,   c ends
 *
 * What was fast in this step may have been through a sensor without overlapping it at the end: its way
 * is swept, and such a pair begins and ends in one step.
 *
 * This comes after all that can fail. If memory is short nothing is taken over, and the next step
 * reports what this one should have: every begin still has its end. */
#include "step.h"

#define KEY(sensor, other) ((uint64_t)(sensor) << 32 | (uint32_t)(other))

typedef struct {
    cn_simulation *sim;
    int shape;
    cn_swept_hull hull;
    bool on_its_way; // else only where it is now
} search;

static bool is_sensor(const cn_simulation *sim, int shape) {
    return sim->shapes[shape].flags & CN_SHAPE_SENSOR;
}

static bool note_pair(search *s, int sensor, int other) {
    cn_key_list *list = s->on_its_way ? &s->sim->crossed : &s->sim->overlapping;
    return !is_sensor(s->sim, sensor) || cn_push(&s->sim->memory, list, KEY(sensor, other));
}

// Do the places that two bodies went through have anything in common? What is static went nowhere: it was
// found where it is.
static bool ways_meet(cn_simulation *sim, int a, int b) {
    return cn_tree_of(sim, b) == &sim->static_tree ||
           cn_boxes_overlap(cn_swept_bounds(sim, a, 0), cn_swept_bounds(sim, b, 0));
}

static bool visit(search *s, int other) {
    cn_simulation *sim = s->sim;
    int body = sim->links[other].body;
    if (!is_sensor(sim, s->shape) && !is_sensor(sim, other)) return true;
    if (s->on_its_way && !ways_meet(sim, sim->links[s->shape].body, body)) return true;
    if (!cn_filters_agree(sim, s->shape, other)) return true;
    cn_swept_hull hull = cn_swept_shape(sim, other);
    double tolerance = 0.1 * (double)sim->tuning.slop;
    bool meet = s->on_its_way ? cn_find_impact(&s->hull, &hull, -tolerance, tolerance, 1) <= 1
                              : cn_gap_at(&s->hull, &hull, 1).distance <= 0;
    return !meet ||
           (note_pair(s, s->shape, other) && (!s->on_its_way || note_pair(s, other, s->shape)));
}

static bool look(cn_simulation *sim, int shape, cn_bounds box, bool on_its_way) {
    search s = {sim, shape, cn_swept_shape(sim, shape), on_its_way};
    const cn_tree *const trees[] = {&sim->moving_tree, &sim->static_tree};
    for (int i = 0; i < 2; i++) CN_EACH_OVER(other, trees[i], box) {
            if (!visit(&s, other)) return false;
        }
    return true;
}

static bool find_overlaps(cn_simulation *sim) {
    sim->overlapping.count = 0;
    for (int i = 0; i < sim->sensors.count; i++) {
        int shape = sim->sensors.items[i];
        cn_bounds box = cn_placed_bounds(&sim->placed[shape], sim->hulls.hulls8);
        if (cn_tree_with(sim, shape) && !look(sim, shape, box, false)) return false;
    }
    return true;
}

static bool went_far(const cn_simulation *sim, int body) {
    const cn_motion *m = &sim->motions[body];
    return sqrtf(m->x * m->x + m->y * m->y) + cn_abs(m->angle) * m->ccd_reach > m->ccd_threshold;
}

static bool look_along(cn_simulation *sim, int body) {
    if (!went_far(sim, body)) return true;
    cn_bounds box = cn_swept_bounds(sim, body, sim->slow_displacement);
    CN_EACH_SHAPE(shape, sim, body) {
        if (cn_tree_with(sim, shape) && !look(sim, shape, box, true)) return false;
    }
    return true;
}

// Kinematic bodies are not swept, so they are not among the fast ones.
static bool find_crossed(cn_simulation *sim) {
    sim->crossed.count = 0;
    for (int i = 0; i < sim->fast_count; i++)
        if (!look_along(sim, sim->fast[i])) return false;
    for (int i = 0; i < sim->kinematics.count; i++)
        if (cn_is_moving_kinematic(&sim->hot[sim->kinematics.items[i]]) &&
            !look_along(sim, sim->kinematics.items[i]))
            return false;
    return true;
}

static bool has_key(const cn_key_list *list, uint64_t key) {
    int i = cn_find_key(list->items, list->count, key);
    return i < list->count && list->items[i] == key;
}

static cn_end_event_row note_of(uint64_t key) {
    return (cn_end_event_row){(int32_t)(key >> 32), (int32_t)(uint32_t)key};
}

// Pushes events for the keys that are not among the others. Both lists are sorted, so they are merged.
static void note_missing(const cn_key_list *keys, const cn_key_list *others, cn_end_list *notes) {
    for (int i = 0, k = 0; i < keys->count; i++) {
        const uint64_t key = keys->items[i];
        while (k < others->count && others->items[k] < key) k++;
        if (k == others->count || others->items[k] != key)
            notes->items[notes->count++] = note_of(key);
    }
}

static void note_crossed(cn_simulation *sim) {
    for (int i = 0; i < sim->crossed.count; i++) {
        uint64_t key = sim->crossed.items[i];
        if (i > 0 && key == sim->crossed.items[i - 1]) continue; // both were fast
        if (has_key(&sim->overlapping, key) || has_key(&sim->overlaps, key)) continue;
        sim->sensor_begins.items[sim->sensor_begins.count++] = note_of(key);
        sim->sensor_ends.items[sim->sensor_ends.count++] = note_of(key);
    }
}

static bool reserve_notes(cn_simulation *sim) {
    int crossed = sim->crossed.count;
    return cn_reserve(&sim->memory, &sim->sensor_begins,
                      sim->sensor_begins.count + sim->overlapping.count + crossed) &&
           cn_reserve(&sim->memory, &sim->sensor_ends, sim->sensor_ends.count + sim->overlaps.count + crossed);
}

void cn_update_sensors(cn_simulation *sim) {
    bool any = sim->sensors.count > 0 || sim->overlaps.count > 0;
    if (any) cn_tree_refit(&sim->moving_tree), cn_tree_refit(&sim->static_tree);
    if (any && find_overlaps(sim) && find_crossed(sim) && cn_sort_list(sim, &sim->overlapping) &&
        cn_sort_list(sim, &sim->crossed) && reserve_notes(sim)) {
        note_missing(&sim->overlapping, &sim->overlaps, &sim->sensor_begins);
        note_missing(&sim->overlaps, &sim->overlapping, &sim->sensor_ends);
        note_crossed(sim);
        cn_key_list before = sim->overlaps;
        sim->overlaps = sim->overlapping;
        sim->overlapping = before;
        any = false;
    }
    sim->sensors_failed = any;
    sim->fast_count = 0;
    sim->slow_displacement = 0;
}
