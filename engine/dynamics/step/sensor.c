/* Sensors: shapes that detect the shapes that overlap them, and touch nothing.
 *
 * A sensor detects shapes of all kinds of bodies, awake, asleep or static, and other sensors. After
 * a step each sensor queries the trees for shapes nearby and measures their distances. The pairs
 * that overlap are keys (sensor, other shape) in a sorted list, which is compared with the list of
 * the step before:
 *
 *      now:     a b   d          b, d   still overlap
 *      before:    b c d          a      begins,   c ends
 *
 * A shape that moved far in this step may have passed through a sensor without overlapping it at
 * the end. So the paths of fast bodies and of kinematic bodies are swept, and a pair that met only
 * on their paths begins and ends in one step.
 *
 * The lists need memory, but this stage must not fail. If memory is short it leaves the lists of
 * the step before as they are, and the next step reports what this one should have. So every begin
 * event has its end event. */
#include "step.h"

#define KEY(sensor, other) ((uint64_t)(sensor) << 32 | (uint32_t)(other))

typedef struct {
    cn_simulation *sim;
    int shape;
    cn_swept_hull hull; // of the shape
    bool along_path;    // finds the shapes met on its path, too, not only overlaps now
} search;

static bool is_sensor(const cn_simulation *sim, int shape) {
    return sim->shapes[shape].flags & CN_SHAPE_SENSOR;
}

// Adds a pair to the list of the search, if the first shape is a sensor. False if memory is short.
static bool push_pair(search *s, int sensor, int other) {
    cn_key_list *list = s->along_path ? &s->sim->crossed_pairs : &s->sim->overlapping;
    return !is_sensor(s->sim, sensor) || cn_append(&s->sim->memory, list, KEY(sensor, other));
}

// True if the bounds of the paths of two bodies overlap. A static body B was found where it is, so
// the bounds need no test.
static bool paths_overlap(cn_simulation *sim, int a, int b) {
    return cn_tree_of(sim, b) == &sim->static_tree ||
           cn_boxes_overlap(cn_swept_bounds(sim, a, 0), cn_swept_bounds(sim, b, 0));
}

// Adds the pair of the shape of the search and another shape if they overlap, or met on their
// paths. A search along a path adds it for both of them, if both are sensors. False if memory is
// short.
static bool test_shape(search *s, int other) {
    cn_simulation *sim = s->sim;
    int body = sim->links[other].body;
    if (!is_sensor(sim, s->shape) && !is_sensor(sim, other)) return true;
    if (s->along_path && !paths_overlap(sim, sim->links[s->shape].body, body)) return true;
    if (!cn_filters_agree(sim, s->shape, other)) return true;
    cn_swept_hull hull = cn_swept_shape(sim, other);
    double tolerance = CN_IMPACT_TOLERANCE * (double)sim->tuning.slop;
    bool found = s->along_path ? cn_find_impact(&s->hull, &hull, -tolerance, tolerance, 1) <= 1
                               : cn_gap_at(&s->hull, &hull, 1).distance <= 0;
    return !found ||
           (push_pair(s, s->shape, other) && (!s->along_path || push_pair(s, other, s->shape)));
}

// Tests a shape against all shapes whose boxes overlap a box. False if memory is short.
static bool search_box(cn_simulation *sim, int shape, cn_bounds box, bool along_path) {
    search s = {sim, shape, cn_swept_shape(sim, shape), along_path};
    const cn_tree *const trees[] = {&sim->moving_tree, &sim->static_tree};
    for (int i = 0; i < 2; i++) CN_EACH_OVER(other, trees[i], box) {
            if (!test_shape(&s, other)) return false;
        }
    return true;
}

static bool find_overlaps(cn_simulation *sim) {
    sim->overlapping.count = 0;
    for (int i = 0; i < sim->sensors.count; i++) {
        int shape = sim->sensors.items[i];
        cn_bounds box = cn_placed_bounds(&sim->placed[shape], sim->hulls.hulls8);
        if (cn_tree_with(sim, shape) && !search_box(sim, shape, box, false)) return false;
    }
    return true;
}

// True if the body moved farther than its CCD threshold.
static bool moved_far(const cn_simulation *sim, int body) {
    const cn_motion *m = &sim->motions[body];
    return sqrtf(m->x * m->x + m->y * m->y) + cn_abs(m->angle) * m->ccd_reach > m->ccd_threshold;
}

// Tests the shapes of a body along its path. The boxes in the trees are where bodies are now, and a
// body that is not fast may have been as far as `max_slow_displacement` from there.
static bool search_path(cn_simulation *sim, int body) {
    if (!moved_far(sim, body)) return true;
    cn_bounds box = cn_swept_bounds(sim, body, sim->max_slow_displacement);
    CN_EACH_SHAPE(shape, sim, body) {
        if (cn_tree_with(sim, shape) && !search_box(sim, shape, box, true)) return false;
    }
    return true;
}

// Kinematic bodies are not swept for collisions, so they are not in the list of fast bodies.
static bool find_crossed(cn_simulation *sim) {
    sim->crossed_pairs.count = 0;
    for (int i = 0; i < sim->swept_count; i++)
        if (!search_path(sim, sim->swept[i])) return false;
    for (int i = 0; i < sim->kinematics.count; i++)
        if (cn_is_moving_kinematic(&sim->hot[sim->kinematics.items[i]]) &&
            !search_path(sim, sim->kinematics.items[i]))
            return false;
    return true;
}

static bool has_key(const cn_key_list *list, uint64_t key) {
    int i = cn_find_key(list->items, list->count, key);
    return i < list->count && list->items[i] == key;
}

static cn_shape_pair_row event_of(uint64_t key) {
    return (cn_shape_pair_row){(int32_t)(key >> 32), (int32_t)(uint32_t)key};
}

// Pushes events for the keys that are not among the others. Both lists are sorted, so they are
// merged.
static void push_missing(const cn_key_list *keys, const cn_key_list *others,
                         cn_shape_pair_list *events) {
    for (int i = 0, k = 0; i < keys->count; i++) {
        const uint64_t key = keys->items[i];
        while (k < others->count && others->items[k] < key) k++;
        if (k == others->count || others->items[k] != key)
            events->items[events->count++] = event_of(key);
    }
}

// Pushes a begin and an end event for each pair that met only on its paths.
static void push_crossed(cn_simulation *sim) {
    for (int i = 0; i < sim->crossed_pairs.count; i++) {
        uint64_t key = sim->crossed_pairs.items[i];
        if (i > 0 && key == sim->crossed_pairs.items[i - 1]) continue; // found from both bodies
        if (has_key(&sim->overlapping, key) || has_key(&sim->overlaps, key)) continue;
        sim->sensor_begins.items[sim->sensor_begins.count++] = event_of(key);
        sim->sensor_ends.items[sim->sensor_ends.count++] = event_of(key);
    }
}

static bool reserve_events(cn_simulation *sim) {
    int crossed = sim->crossed_pairs.count;
    return cn_reserve(&sim->memory, &sim->sensor_begins,
                      sim->sensor_begins.count + sim->overlapping.count + crossed) &&
           cn_reserve(&sim->memory, &sim->sensor_ends,
                      sim->sensor_ends.count + sim->overlaps.count + crossed);
}

void cn_update_sensors(cn_simulation *sim) {
    bool any = sim->sensors.count > 0 || sim->overlaps.count > 0;
    if (any) cn_tree_refit(&sim->moving_tree), cn_tree_refit(&sim->static_tree);
    if (any && find_overlaps(sim) && find_crossed(sim) && cn_sort_list(sim, &sim->overlapping) &&
        cn_sort_list(sim, &sim->crossed_pairs) && reserve_events(sim)) {
        push_missing(&sim->overlapping, &sim->overlaps, &sim->sensor_begins);
        push_missing(&sim->overlaps, &sim->overlapping, &sim->sensor_ends);
        push_crossed(sim);
        cn_key_list before = sim->overlaps;
        sim->overlaps = sim->overlapping;
        sim->overlapping = before;
        any = false;
    }
    sim->sensors_failed = any;
    sim->swept_count = 0; // the fast bodies and their motions are not needed after this stage
    sim->max_slow_displacement = 0;
}
