/* Sensors: shapes that detect the shapes that overlap them, and touch nothing.
 *
 * A sensor detects shapes of all kinds of bodies, awake, asleep or static, and other sensors. The
 * pairs that overlap are keys (sensor, other shape) in a sorted list. A pair is measured only in a
 * step in which one of its shapes changed (sensor_index.c). The other pairs stay as they are, so
 * sleeping and static shapes under a sensor at rest cost nothing. If a measured pair begins or
 * ends, the measured and the other pairs are merged into a new list. It is compared with the list
 * of the step before:
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
#include "sensor.h"

#define KEY(sensor, other) ((uint64_t)(sensor) << 32 | (uint32_t)(other))
static int sensor_of(uint64_t key) { return (int)(key >> 32); }
static int other_of(uint64_t key) { return (int)(uint32_t)key; }

// A search for the pairs of one shape.
typedef struct {
    cn_simulation *sim;
    int shape;
    cn_swept_hull hull; // of the shape; made when it is first needed, until then it has no vertices
} search;

// Does not clear the whole hull, because that would often take longer than the search.
static void begin_search(search *s, cn_simulation *sim, int shape) {
    s->sim = sim, s->shape = shape, s->hull.count = 0;
}

// ---- pairs that overlap now

// True if the centre of one shape is inside the other, by more than rounding errors.
static bool surely_overlap(const cn_simulation *sim, int a, int b) {
    vec2s da = sim->links[a].offset, db = sim->links[b].offset;
    float size = cn_abs(da.x) + cn_abs(da.y) + cn_abs(db.x) + cn_abs(db.y);
    const cn_placed_hull *of_a = &sim->placed[a], *of_b = &sim->placed[b];
    return cn_holds_center(of_a, of_b, sim->hulls.hulls8, size) ||
           cn_holds_center(of_b, of_a, sim->hulls.hulls8, size);
}

// True if two shapes overlap, one of which is that of the search.
static bool overlap_now(search *s, int sensor, int other) {
    const cn_simulation *sim = s->sim;
    if (surely_overlap(sim, sensor, other)) return true;
    if (!s->hull.count) s->hull = cn_still_shape(sim, s->shape);
    cn_swept_hull found = cn_still_shape(sim, sensor == s->shape ? other : sensor);
    const cn_swept_hull *a = sensor == s->shape ? &s->hull : &found;
    const cn_swept_hull *b = sensor == s->shape ? &found : &s->hull;
    return cn_gap_at(a, b, 1).distance <= 0;
}

// Lists the pair if it overlaps. False if memory is short.
static bool measure(search *s, int sensor, int other) {
    cn_simulation *sim = s->sim;
    return !cn_filters_agree(sim, sensor, other) || !overlap_now(s, sensor, other) ||
           cn_append(&sim->memory, &sim->sensor_index->measured, KEY(sensor, other));
}

static cn_bounds tight_box(const cn_simulation *sim, int shape) {
    return cn_placed_bounds(&sim->placed[shape], sim->hulls.hulls8);
}

// Measures the pairs of a sensor with all shapes nearby. False if memory is short.
static bool search_around(cn_simulation *sim, int sensor) {
    search s;
    begin_search(&s, sim, sensor);
    cn_bounds box = tight_box(sim, sensor);
    const cn_tree *const trees[] = {&sim->moving_tree, &sim->static_tree};
    for (int i = 0; i < 2; i++)
        CN_EACH_OVER(other, trees[i], box) {
            if (!measure(&s, sensor, other)) return false;
        }
    return true;
}

// Measures the pairs of a shape with the sensors that did not change. A pair is a candidate if the
// tight box of the sensor overlaps the fat box of the other shape, as in the search of a sensor.
// False if memory is short.
static bool search_sensors(cn_simulation *sim, int shape, cn_bounds box) {
    search s;
    begin_search(&s, sim, shape);
    CN_EACH_OVER(sensor, &sim->sensor_index->tree, box) {
        bool is_near = !cn_has_changed(sim, sensor) && cn_tree_with(sim, sensor) &&
                       cn_boxes_overlap(tight_box(sim, sensor), box);
        if (is_near && !measure(&s, sensor, shape)) return false;
    }
    return true;
}

static bool measure_changed(cn_simulation *sim) {
    cn_bounds sensors = cn_tree_bounds(&sim->sensor_index->tree);
    sim->sensor_index->measured.count = 0;
    CN_EACH_CHANGED(shape, sim) {
        const cn_tree *tree = cn_tree_with(sim, shape);
        if (!tree) continue;
        if (cn_is_sensor(sim, shape) && !search_around(sim, shape)) return false;
        cn_bounds box = cn_tree_box(tree, shape);
        if (cn_boxes_overlap(sensors, box) && !search_sensors(sim, shape, box)) return false;
    }
    return true;
}

// ---- pairs that met on their paths

// Adds a pair if the first shape is a sensor. False if memory is short.
static bool push_crossed_pair(cn_simulation *sim, int sensor, int other) {
    return !cn_is_sensor(sim, sensor) ||
           cn_append(&sim->memory, &sim->sensor_index->crossed, KEY(sensor, other));
}

// True if the bounds of the paths of two bodies overlap. A static body B was found where it is, so
// the bounds need no test.
static bool paths_overlap(cn_simulation *sim, int a, int b) {
    return cn_tree_of(sim, b) == &sim->static_tree ||
           cn_boxes_overlap(cn_past_bounds(sim, a, 0), cn_past_bounds(sim, b, 0));
}

// Adds the pair of the shape of the search and another shape if they met on their paths; for both
// of them, if both are sensors. False if memory is short.
static bool test_paths(search *s, int other) {
    cn_simulation *sim = s->sim;
    if (!cn_is_sensor(sim, s->shape) && !cn_is_sensor(sim, other)) return true;
    if (!paths_overlap(sim, sim->links[s->shape].body, sim->links[other].body)) return true;
    if (!cn_filters_agree(sim, s->shape, other)) return true;
    if (!s->hull.count) s->hull = cn_past_shape(sim, s->shape);
    cn_swept_hull hull = cn_past_shape(sim, other);
    double tolerance = CN_IMPACT_TOLERANCE * (double)sim->tuning.slop;
    if (cn_find_impact(&s->hull, &hull, -tolerance, tolerance, 1) > 1) return true;
    return push_crossed_pair(sim, s->shape, other) && push_crossed_pair(sim, other, s->shape);
}

// Tests a shape against all shapes whose boxes overlap the box of its path. If it is no sensor,
// only sensors matter. False if memory is short.
static bool search_along_path(cn_simulation *sim, int shape, cn_bounds box) {
    search s;
    begin_search(&s, sim, shape);
    const cn_tree *const all[] = {&sim->moving_tree, &sim->static_tree};
    const cn_tree *const sensors[] = {&sim->sensor_index->tree};
    bool is_sensor = cn_is_sensor(sim, shape);
    for (int i = 0; i < (is_sensor ? 2 : 1); i++)
        CN_EACH_OVER(other, is_sensor ? all[i] : sensors[i], box) {
            if (!test_paths(&s, other)) return false;
        }
    return true;
}

// True if the body moved farther than its CCD threshold.
static bool moved_far(const cn_simulation *sim, int body) {
    return cn_ccd_length(&sim->motions[body]) > sim->motions[body].ccd_threshold;
}

// Tests the shapes of a body along its path. The boxes in the trees are where bodies are now, and a
// body that is not fast may have been as far as `max_slow_displacement` from there.
static bool search_paths(cn_simulation *sim, int body, cn_bounds sensors) {
    if (!moved_far(sim, body)) return true;
    cn_bounds box = cn_past_bounds(sim, body, sim->max_slow_displacement);
    if (!cn_boxes_overlap(box, sensors)) return true; // and the body has no sensor
    CN_EACH_SHAPE(shape, sim, body) {
        if (cn_tree_with(sim, shape) && !search_along_path(sim, shape, box)) return false;
    }
    return true;
}

// Kinematic bodies are not swept for collisions, so they are not in the list of fast bodies.
static bool find_crossed(cn_simulation *sim) {
    cn_bounds sensors = cn_tree_bounds(&sim->sensor_index->tree);
    sim->sensor_index->crossed.count = 0;
    for (int i = 0; i < sim->swept_count; i++)
        if (!search_paths(sim, sim->swept[i], sensors)) return false;
    for (int i = 0; i < sim->moving_kinematics.count; i++)
        if (!search_paths(sim, sim->moving_kinematics.items[i], sensors)) return false;
    return cn_sort_list(sim, &sim->sensor_index->crossed);
}

// ---- the new list

static bool has_key(const cn_key_list *list, uint64_t key) {
    int i = cn_find_key(list->items, list->count, key);
    return i < list->count && list->items[i] == key;
}

// How many of the two shapes changed.
static int count_changed(const cn_simulation *sim, uint64_t key) {
    return cn_has_changed(sim, sensor_of(key)) + cn_has_changed(sim, other_of(key));
}

// True if a pair begins or ends. If none begins, all measured overlaps are old ones. Then none ends
// if there are as many of them as there were overlaps with a changed shape. (A pair of two changed
// shapes counts twice in both numbers.)
static bool has_changes(const cn_simulation *sim) {
    const cn_key_list *measured = &sim->sensor_index->measured;
    const int *counts = sim->sensor_index->overlap_counts.items;
    int now = 0, before = 0;
    for (int i = 0; i < measured->count; i++) {
        if (!has_key(&sim->overlaps, measured->items[i])) return true;
        now += count_changed(sim, measured->items[i]);
    }
    CN_EACH_CHANGED(shape, sim) before += counts[shape];
    return now != before;
}

// Merges the pairs that were measured with those that were not. False if memory is short.
static bool merge_overlaps(cn_simulation *sim) {
    const cn_key_list *before = &sim->overlaps, *measured = &sim->sensor_index->measured;
    cn_key_list *now = &sim->sensor_index->overlapping;
    now->count = 0;
    if (!cn_sort_list(sim, &sim->sensor_index->measured) ||
        !cn_reserve(&sim->memory, now, before->count + measured->count))
        return false;
    int k = 0;
    for (int i = 0; i < before->count; i++) {
        const uint64_t key = before->items[i];
        if (count_changed(sim, key)) continue;
        while (k < measured->count && measured->items[k] < key)
            now->items[now->count++] = measured->items[k++];
        now->items[now->count++] = key;
    }
    while (k < measured->count) now->items[now->count++] = measured->items[k++];
    return true;
}

// ---- events

static void push_event(cn_shape_pair_list *events, uint64_t key) {
    events->items[events->count++] = (cn_shape_pair_row){sensor_of(key), other_of(key)};
}

// Pushes events for the keys that are not among the others, and adds `change` to the counts of
// their shapes. Both lists are sorted, so they are merged.
static void push_missing(cn_simulation *sim, const cn_key_list *keys, const cn_key_list *others,
                         cn_shape_pair_list *events, int change) {
    int *counts = sim->sensor_index->overlap_counts.items;
    for (int i = 0, k = 0; i < keys->count; i++) {
        const uint64_t key = keys->items[i];
        while (k < others->count && others->items[k] < key) k++;
        if (k < others->count && others->items[k] == key) continue;
        push_event(events, key);
        counts[sensor_of(key)] += change;
        counts[other_of(key)] += change;
    }
}

// Pushes a begin and an end event for each pair that met only on its paths.
static void push_crossed(cn_simulation *sim, const cn_key_list *now) {
    const cn_key_list *crossed = &sim->sensor_index->crossed;
    for (int i = 0; i < crossed->count; i++) {
        uint64_t key = crossed->items[i];
        if (i > 0 && key == crossed->items[i - 1]) continue; // found from both bodies
        if (has_key(now, key) || has_key(&sim->overlaps, key)) continue;
        push_event(&sim->sensor_begins, key);
        push_event(&sim->sensor_ends, key);
    }
}

// Only measured pairs can begin, and only earlier overlaps can end.
static bool reserve_events(cn_simulation *sim, bool differs) {
    int crossed = sim->sensor_index->crossed.count;
    int begins = crossed + (differs ? sim->sensor_index->measured.count : 0);
    int ends = crossed + (differs ? sim->overlaps.count : 0);
    return cn_reserve(&sim->memory, &sim->sensor_begins, sim->sensor_begins.count + begins) &&
           cn_reserve(&sim->memory, &sim->sensor_ends, sim->sensor_ends.count + ends);
}

// ---- the stage

// False if memory is short: then nothing has changed.
static bool detect_overlaps(cn_simulation *sim) {
    if (!cn_mark_moved_shapes(sim) || !cn_update_sensor_index(sim) || !measure_changed(sim) ||
        !find_crossed(sim))
        return false;
    bool differs = has_changes(sim);
    if ((differs && !merge_overlaps(sim)) || !reserve_events(sim, differs)) return false;
    cn_key_list *overlapping = &sim->sensor_index->overlapping, before = sim->overlaps;
    if (differs) {
        push_missing(sim, overlapping, &before, &sim->sensor_begins, 1);
        push_missing(sim, &before, overlapping, &sim->sensor_ends, -1);
    }
    push_crossed(sim, differs ? overlapping : &before);
    if (differs) sim->overlaps = *overlapping, *overlapping = before;
    return true;
}

void cn_update_sensors(cn_simulation *sim) {
    bool failed = false;
    if (cn_has_sensors(sim)) {
        cn_tree_refit(&sim->moving_tree);
        cn_tree_refit(&sim->static_tree);
        failed = !detect_overlaps(sim);
    }
    if (failed) cn_forget_sensor_index(sim);
    sim->sensors_failed = failed;
}
