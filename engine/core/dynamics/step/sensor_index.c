/* Which shapes changed, and where the sensors are.
 *
 * Whether a sensor and a shape overlap follows from their hulls, poses and filters. So a pair is
 * measured only in a step in which one of the two shapes changed. Such a shape has a bit in
 * `changed`:
 *
 *      edited   A call changed the shape since the last step, or a stage made or removed it: it is
 *               dirty, or its proxy was inserted or moved in a tree.
 *      moved    Its body is dynamic and awake, or kinematic and moving. A moved shape has no bit if
 *               it overlaps nothing and its box overlaps no box of a sensor.
 *
 * The bits follow from the saved state, so a loaded or rewound world measures the same pairs as the
 * world that was saved. Two things make all pairs of sensors be measured: memory was short in the
 * last step (`sensors_failed`, which is saved), or the user set another filter.
 *
 * The index has the fat boxes of the sensors in a tree, where a changed shape looks for sensors
 * that did not change, and the number of overlaps of each shape. A box in the tree is updated in
 * the steps in which its sensor changed. */
#define CN_LANES 4
#include "../../collision/tree.h"
#include "sensor.h"

enum { BLOCK = 8 }; // shapes in a leaf block of a tree

// ---- edited shapes

// Makes a bit for each shape, all 0. If memory is short, returns false and there are no bits.
static bool reserve_bits(cn_simulation *sim) {
    int words = (sim->slots[CN_SHAPES].end + 63) / 64;
    if (!sim->sensor_index)
        sim->sensor_index = cn_allocate(&sim->memory, sizeof *sim->sensor_index);
    cn_sensor_index *index = sim->sensor_index;
    if (!index) return false;
    index->changed.count = 0;
    if (!cn_reserve(&sim->memory, &index->changed, words)) return false;
    if (words) memset(index->changed.items, 0, (size_t)words * sizeof(uint64_t));
    index->changed.count = words;
    return true;
}

static bool has_bits(const cn_simulation *sim) {
    return sim->sensor_index && sim->sensor_index->changed.count > 0;
}

// Marks a shape, unless cn_mark_moved_shapes() will decide: it moves in this step and is no sensor.
static void mark_edited(cn_simulation *sim, int shape) {
    uint32_t flags = sim->shapes[shape].flags & (CN_SHAPE_ALIVE | CN_SHAPE_SENSOR);
    if (flags != CN_SHAPE_ALIVE || !cn_took_part(&sim->hot[sim->links[shape].body]))
        cn_set_bit(sim->sensor_index->changed.items, shape);
}

static void mark_edited_boxes(cn_simulation *sim, const cn_tree *tree) {
    int leaves = cn_load_relaxed(&tree->changed) ? cn_tree_blocks(tree, 0) : 0;
    for (int i = 0; (i = cn_next_flag(tree->moved, i, leaves)) < leaves; i++)
        CN_EACH_LANE(k, tree->moved[i]) {
            int shape = tree->ids[BLOCK * i + k];
            if (shape >= 0) mark_edited(sim, shape);
        }
}

// If memory is short, there are no bits, and "update sensors" tries again.
bool cn_find_edited_shapes(cn_simulation *sim) {
    if (!cn_has_sensors(sim)) cn_forget_sensor_index(sim);
    if (!cn_has_sensors(sim) || !reserve_bits(sim)) return true;
    for (int i = 0; i < sim->dirty_count; i++) mark_edited(sim, sim->dirty_shapes[i]);
    mark_edited_boxes(sim, &sim->moving_tree);
    mark_edited_boxes(sim, &sim->static_tree);
    return true;
}

// ---- the index

// Brings the box of a shape in the tree of sensors up to date. False if memory is short.
static bool update_box(cn_simulation *sim, int shape) {
    cn_tree *sensors = &sim->sensor_index->tree;
    const cn_tree *tree = cn_is_sensor(sim, shape) ? cn_tree_with(sim, shape) : NULL;
    bool is_known = cn_tree_has(sensors, shape);
    if (!tree) {
        if (is_known) cn_tree_remove(sensors, shape);
        return true;
    }
    cn_bounds box = cn_tree_box(tree, shape);
    if (!is_known) {
        if (!cn_reserve_boxes(sim, sensors, 1)) return false;
        cn_tree_insert(sensors, shape, box);
        return true;
    }
    cn_bounds known = cn_tree_box(sensors, shape);
    if (memcmp(&known, &box, sizeof box) != 0) cn_tree_move(sensors, shape, box);
    return true;
}

static bool reserve_counts(cn_simulation *sim) {
    return cn_reserve(&sim->memory, &sim->sensor_index->overlap_counts, sim->slots[CN_SHAPES].end);
}

static bool make_index(cn_simulation *sim) {
    cn_sensor_index *index = sim->sensor_index;
    for (int slot = 0; slot < index->tree.slot_count; slot++)
        if (index->tree.ids[slot] >= 0) cn_tree_remove(&index->tree, index->tree.ids[slot]);
    for (int i = 0; i < sim->sensors.count; i++)
        if (!update_box(sim, sim->sensors.items[i])) return false;
    if (!reserve_counts(sim)) return false;
    int *counts = index->overlap_counts.items;
    if (counts) memset(counts, 0, (size_t)index->overlap_counts.capacity * sizeof *counts);
    for (int i = 0; i < sim->overlaps.count; i++) {
        counts[sim->overlaps.items[i] >> 32]++;
        counts[(uint32_t)sim->overlaps.items[i]]++;
    }
    return true;
}

bool cn_update_sensor_index(cn_simulation *sim) {
    cn_sensor_index *index = sim->sensor_index;
    if (!has_bits(sim)) return false;
    bool done = (index->is_current || make_index(sim)) && reserve_counts(sim);
    CN_EACH_CHANGED(shape, sim) done = done && update_box(sim, shape);
    index->is_current = done && cn_update_boxes(sim, &index->tree);
    return index->is_current;
}

// ---- moved shapes

static void mark_sensors(cn_simulation *sim) {
    for (int i = 0; i < sim->sensors.count; i++) {
        int shape = sim->sensors.items[i];
        if (cn_took_part(&sim->hot[sim->links[shape].body]))
            cn_set_bit(sim->sensor_index->changed.items, shape);
    }
}

// True if the box of the shape overlaps that of a sensor. `all` is the box of all sensors.
static bool is_near_sensor(const cn_simulation *sim, int shape, cn_bounds all) {
    if (!cn_tree_has(&sim->moving_tree, shape)) return false;
    cn_bounds box = cn_tree_box(&sim->moving_tree, shape);
    if (!cn_boxes_overlap(box, all)) return false;
    cn_tree_walk walk;
    cn_walk_begin(&walk, &sim->sensor_index->tree, cn_box_bounded(box), 0);
    return cn_walk_next(&walk) >= 0;
}

// Marks the shapes of a body that overlapped something, or may overlap a sensor now.
static void mark_body(cn_simulation *sim, int body, cn_bounds sensors) {
    CN_EACH_SHAPE(shape, sim, body) {
        if (sim->sensor_index->overlap_counts.items[shape] || is_near_sensor(sim, shape, sensors))
            cn_set_bit(sim->sensor_index->changed.items, shape);
    }
}

static void mark_bodies(cn_simulation *sim, cn_bounds sensors) {
    for (int i = 0; i < sim->plan.batch_count; i++) {
        const cn_batch *batch = &sim->plan.batches[i];
        for (int k = 0; batch->alive && k < batch->body_count; k++)
            mark_body(sim, batch->bodies.items[k], sensors);
    }
    for (int i = 0; i < sim->moving_kinematics.count; i++)
        mark_body(sim, sim->moving_kinematics.items[i], sensors);
}

static void mark_all(cn_simulation *sim) {
    uint64_t *bits = sim->sensor_index->changed.items;
    for (int i = 0; i < sim->slots[CN_SHAPES].end; i++) cn_set_bit(bits, i);
}

bool cn_mark_moved_shapes(cn_simulation *sim) {
    bool all = sim->sensors_failed || !has_bits(sim);
    if (!has_bits(sim) && !reserve_bits(sim)) return false;
    const cn_sensor_index *index = sim->sensor_index;
    if (!(index->is_current ? reserve_counts(sim) : cn_update_sensor_index(sim))) return false;
    if (all) {
        mark_all(sim);
        return true;
    }
    mark_sensors(sim);
    cn_bounds sensors = cn_tree_bounds(&index->tree), moving = cn_tree_bounds(&sim->moving_tree);
    if (sim->overlaps.count || cn_boxes_overlap(sensors, moving)) mark_bodies(sim, sensors);
    return true;
}
