/* Which field of a simulation belongs to which group of data.h, as a hash of each group.
 *
 * A hash depends on what a group means, not on how it is stored: only lists up to their counts,
 * rows of slots that were used, contacts in occupied slots. Data that follow from others at once,
 * such as capacities and links back, are left out, and so is what only one stage uses. */
#include "stage_data.h"

#include "../../../../engine/parts/fields/fields.h"
#include "../../../../engine/parts/tiles/tiles.h"

const char *const group_names[GROUPS] = {
    "properties", "poses",   "velocities", "forces", "rest",     "flags", "motions",  "shapes",
    "surfaces",   "hulls",   "boxes",      "trees",  "dirty",    "pairs", "contacts", "joints",
    "prepared",   "islands", "overlaps",   "plan",   "findings", "edits", "slots",    "results",
};

// ---- hashes

static uint64_t mix(uint64_t hash, const void *data, size_t size) {
    const char *bytes = data;
    for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, bytes + at, size - at < sizeof word ? size - at : sizeof word);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return hash;
}

static uint64_t mix_items(uint64_t hash, const void *items, int count, size_t size) {
    return items && count > 0 ? mix(hash, items, (size_t)count * size) : hash;
}

#define MIX(hash, field)              mix(hash, &(field), sizeof(field))
#define MIX_ITEMS(hash, items, count) mix_items(hash, items, count, sizeof *(items))
#define MIX_LIST(hash, list)          MIX_ITEMS(MIX(hash, (list).count), (list).items, (list).count)
// Fields from..to of a struct, both included. There must be no gap between them.
#define MIX_FIELDS(hash, row, from, to)                                                            \
    mix(hash, &(row)->from, (size_t)((const char *)(&(row)->to + 1) - (const char *)&(row)->from))

static uint64_t mix_int(uint64_t hash, int value) { return MIX(hash, value); }

static int bodies_of(const cn_simulation *sim) { return sim->slots[CN_BODIES].end; }
static int shapes_of(const cn_simulation *sim) { return sim->slots[CN_SHAPES].end; }

// ---- bodies

static uint64_t hash_properties(cn_simulation *sim, uint64_t hash) {
    for (int i = 0; i < bodies_of(sim); i++) {
        const cn_body_hot *hot = &sim->hot[i];
        const cn_body_warm *warm = &sim->warm[i];
        hash = MIX_FIELDS(hash, hot, inverse_mass, gravity_scale);
        hash = MIX_FIELDS(hash, warm, center, extent);
        hash = MIX_FIELDS(hash, &sim->motions[i], ccd_threshold, ccd_reach);
    }
    hash = MIX_FIELDS(hash, sim, gravity, sleeping);
    hash = MIX(MIX(hash, sim->min_ccd_threshold), sim->pinned_count);
    hash = MIX_LIST(hash, sim->kinematics);
    return MIX(MIX(MIX(hash, sim->filter), sim->pre_solve), sim->callback_context);
}

static uint64_t hash_poses(cn_simulation *sim, uint64_t hash) {
    for (int i = 0; i < bodies_of(sim); i++) {
        hash = MIX_FIELDS(hash, &sim->hot[i], x, s);
        hash = MIX_FIELDS(hash, &sim->hot[i], low_x, low_y);
    }
    return hash;
}

static uint64_t hash_velocities(cn_simulation *sim, uint64_t hash) {
    for (int i = 0; i < bodies_of(sim); i++) hash = MIX_FIELDS(hash, &sim->hot[i], vx, w);
    return hash;
}

static uint64_t hash_forces(cn_simulation *sim, uint64_t hash) {
    const cn_field_state *fields = cn_fields_of(sim);
    for (int i = 0; i < bodies_of(sim); i++) hash = MIX_FIELDS(hash, &sim->warm[i], force, torque);
    if (!fields) return hash;
    hash = MIX_LIST(MIX_LIST(MIX_LIST(hash, fields->attractions), fields->dragged),
                    fields->drag_rates);
    return MIX(MIX(hash, sim->substep_force), sim->part_damping);
}

static uint64_t hash_rest(cn_simulation *sim, uint64_t hash) {
    for (int i = 0; i < bodies_of(sim); i++) hash = MIX(hash, sim->hot[i].sleep_time);
    return hash;
}

enum { EDIT_FLAGS = CN_BODY_EDITED | CN_BODY_RECOUNTS };

static uint64_t hash_flags(cn_simulation *sim, uint64_t hash) {
    for (int i = 0; i < bodies_of(sim); i++)
        hash = mix_int(hash, (int)(sim->hot[i].flags & ~(uint32_t)(CN_BODY_PLANNING | EDIT_FLAGS)));
    return MIX_LIST(hash, sim->drop_throughs);
}

static uint64_t mix_sets(const cn_simulation *sim, uint64_t hash) {
    int end = cn_min_int(bodies_of(sim), 64 * (sim->body_sets.capacity / CN_SET_COUNT));
    for (int set = 0; set < CN_SET_COUNT && end; set++)
        CN_EACH_BIT(body, cn_bits_of(sim, (cn_body_set)set), end)
            hash = mix_int(mix_int(hash, set), body);
    return hash;
}

static uint64_t hash_motions(cn_simulation *sim, uint64_t hash) {
    for (int i = 0; i < bodies_of(sim); i++) {
        hash = MIX_FIELDS(hash, &sim->motions[i], x, until);
        hash = MIX_FIELDS(hash, &sim->motions[i], stop, sweep);
    }
    hash = mix_sets(sim, hash);
    hash = MIX(MIX(hash, sim->any_fault), sim->max_slow_displacement);
    hash = MIX_ITEMS(MIX(hash, sim->swept_count), sim->swept, sim->swept_count);
    hash = MIX_LIST(hash, sim->moving_kinematics);
    hash = MIX(hash, sim->knows_resting_bounds);
    return sim->knows_resting_bounds ? MIX(hash, sim->resting_bounds) : hash;
}

// ---- shapes

static uint64_t hash_tiles(const cn_simulation *sim, uint64_t hash) {
    const cn_tile_state *tiles = cn_tiles_of(sim);
    hash = MIX(hash, sim->terrain_shape_count);
    for (int i = 0; tiles && i < sim->slots[CN_GRIDS].end; i++) {
        const cn_tile_grid *grid = &tiles->grids[i];
        int count = grid->tiles ? grid->width * grid->height : 0;
        hash = MIX_FIELDS(hash, grid, body, enabled);
        hash = MIX_ITEMS(hash, grid->tiles, count);
        hash = MIX_ITEMS(hash, grid->traits, count);
        hash = MIX_FIELDS(hash, grid, first_shape, last_shape);
    }
    return hash;
}

static uint64_t hash_shapes(cn_simulation *sim, uint64_t hash) {
    const cn_field_state *fields = cn_fields_of(sim);
    for (int i = 0; i < bodies_of(sim); i++)
        hash = MIX_FIELDS(hash, &sim->warm[i], first_shape, last_shape);
    for (int i = 0; i < shapes_of(sim); i++) {
        cn_shape_warm shape = sim->shapes[i];
        shape.flags &= ~(uint32_t)CN_SHAPE_UNCOUNTED;
        hash = MIX_FIELDS(MIX(hash, shape), &sim->links[i], body, friction);
        if (shape.flags & CN_SHAPE_RARE) hash = MIX(hash, sim->rare[i]);
    }
    hash = MIX_ITEMS(hash, sim->chains, sim->slots[CN_CHAINS].end);
    hash = MIX(MIX(hash, sim->bouncy_shapes), sim->one_way_shapes);
    hash = MIX_LIST(hash, sim->sensors);
    if (fields) hash = MIX_LIST(hash, fields->list);
    for (int i = 0; i < sim->hulls.count; i++)
        hash = MIX(MIX(hash, sim->hulls.entries[i].users), sim->hulls.hulls8[i]);
    return hash_tiles(sim, hash);
}

static uint64_t hash_surfaces(cn_simulation *sim, uint64_t hash) {
    hash = MIX_ITEMS(hash, sim->surface_of, sim->slots[CN_SHAPES].end);
    for (int i = 1; i < sim->surfaces.count; i++) hash = MIX(hash, sim->surfaces.items[i]);
    hash = MIX(MIX(hash, sim->known_surfaces), sim->moving_surfaces);
    return MIX(MIX(hash, sim->surface_free), sim->surfaces_expected);
}

static uint64_t hash_hulls(cn_simulation *sim, uint64_t hash) {
    for (int i = 0; i < shapes_of(sim); i++)
        hash = MIX(MIX(hash, sim->placed[i]), sim->links[i].offset);
    return hash;
}

static uint64_t hash_boxes(cn_simulation *sim, uint64_t hash) {
    for (int i = 0; i < shapes_of(sim); i++) {
        const cn_tree *tree = cn_tree_with(sim, i);
        hash = mix_int(hash, tree == &sim->moving_tree ? 1 : tree ? 2 : 0);
        hash = MIX(hash, sim->box_slack[i]);
        if (!tree) continue;
        cn_bounds box = cn_tree_box(tree, i), old = cn_box8_get(tree->old, tree->slots[i]);
        hash = MIX(MIX(hash, box), old);
    }
    return hash;
}

static uint64_t hash_tree(cn_tree *tree, uint64_t hash) {
    hash = MIX_ITEMS(MIX(hash, tree->slot_count), tree->ids, tree->slot_count);
    hash = MIX(MIX(MIX(hash, tree->live), tree->levels), tree->top);
    hash = MIX(MIX(MIX(hash, tree->base), tree->ordered), tree->changed);
    hash = MIX(MIX(MIX(hash, tree->cost), tree->base_cost), tree->work);
    hash = MIX_ITEMS(hash, tree->moved, tree->levels ? cn_tree_blocks(tree, 0) : 0);
    for (int level = 1; level < tree->levels; level++) {
        int blocks = cn_tree_blocks(tree, level);
        hash = MIX_ITEMS(MIX_ITEMS(hash, tree->boxes[level], blocks), tree->dirty[level], blocks);
    }
    return hash;
}

static uint64_t hash_trees(cn_simulation *sim, uint64_t hash) {
    cn_sensor_index *index = sim->sensor_index;
    hash = hash_tree(&sim->static_tree, hash_tree(&sim->moving_tree, hash));
    if (cn_grid_tree(sim)) hash = hash_tree(cn_grid_tree(sim), hash);
    if (!index) return hash;
    hash = MIX(hash_tree(&index->tree, hash), index->is_current);
    if (!index->is_current) return hash;
    hash = MIX_ITEMS(hash, index->tree.boxes[0], cn_tree_blocks(&index->tree, 0));
    return MIX_ITEMS(hash, index->overlap_counts.items,
                     cn_min_int(index->overlap_counts.capacity, sim->slots[CN_SHAPES].end));
}

static uint64_t hash_dirty(cn_simulation *sim, uint64_t hash) {
    hash = MIX_ITEMS(MIX(hash, sim->dirty_count), sim->dirty_shapes, sim->dirty_count);
    return MIX_ITEMS(hash, sim->dirty, sim->slots[CN_SHAPES].end);
}

// ---- pairs of shapes, joints, islands

static uint64_t hash_pairs(cn_simulation *sim, uint64_t hash) {
    for (int i = 0; i < CN_CLASS_COUNT; i++) {
        const cn_apart_list *list = &sim->apart[i];
        hash = MIX(hash, list->count);
        for (int k = 0; k < list->count; k++) {
            hash = MIX_FIELDS(hash, &list->items[k], shape_a, shape_b);
            hash = MIX(hash, list->items[k].meta);
        }
    }
    return hash;
}

static uint64_t mix_contact(const cn_simulation *sim, int slot, uint64_t hash) {
    const cn_stored_contact contact = cn_contact_at(&sim->touching, slot);
    return MIX(mix_int(hash, slot), contact);
}

static uint64_t hash_contacts(cn_simulation *sim, uint64_t hash) {
    CN_EACH_BIT(slot, sim->touching.occupied, sim->touching.end) {
        hash = mix_contact(sim, slot, hash);
        if (slot < sim->contact_values.capacity) hash = MIX(hash, sim->contact_values.items[slot]);
    }
    hash = MIX_FIELDS(hash, &sim->touching, end, per_class);
    return MIX(MIX(hash, sim->last_substep), sim->contact_substep);
}

static uint64_t hash_joints(cn_simulation *sim, uint64_t hash) {
    int end = sim->slots[CN_JOINTS].end, bodies = sim->slots[CN_BODIES].end;
    hash = MIX_ITEMS(MIX_ITEMS(hash, sim->joint_records, end), sim->joints, end);
    hash = MIX_ITEMS(hash, sim->joint_load, end);
    hash = MIX_ITEMS(hash, sim->first_joint, bodies);
    hash = MIX_ITEMS(hash, sim->pulls, cn_min_int(bodies, sim->pull_capacity));
    return MIX(MIX(MIX(hash, sim->coupling_count), sim->any_broken), sim->joint_substep);
}

static uint64_t hash_prepared(cn_simulation *sim, uint64_t hash) {
    return MIX_ITEMS(hash, sim->prepared_joints, sim->slots[CN_JOINTS].end);
}

static uint64_t hash_islands(cn_simulation *sim, uint64_t hash) {
    for (int i = 0; i < bodies_of(sim); i++) hash = MIX_FIELDS(hash, &sim->warm[i], island, next);
    for (int i = 0; i < sim->sleeping_end; i++) {
        const cn_sleeping_island *island = &sim->sleeping_islands[i];
        hash = MIX_LIST(MIX_FIELDS(hash, island, first_body, body_count), island->contacts);
        hash = MIX(MIX_FIELDS(hash, island, next_free, next_requested), island->alive);
    }
    hash = MIX_FIELDS(hash, sim, sleeping_free, requested_islands);
    return MIX(MIX(hash, sim->sleeping_end), sim->sleep_revision);
}

static uint64_t hash_overlaps(cn_simulation *sim, uint64_t hash) {
    return MIX(MIX_LIST(hash, sim->overlaps), sim->sensors_failed);
}

static uint64_t hash_batch(const cn_batch *batch, uint64_t hash) {
    hash = MIX(MIX(hash, batch->alive), batch->dirty);
    if (!batch->alive) return hash;
    hash = MIX_LIST(MIX_LIST(hash, batch->bodies), batch->island_sizes);
    hash = MIX_LIST(MIX_LIST(hash, batch->colors), batch->lanes);
    hash = MIX_LIST(MIX_LIST(hash, batch->tree_groups), batch->tree_runs);
    hash = MIX_LIST(MIX_LIST(hash, batch->tree_lanes), batch->tree_links);
    hash = MIX(MIX(hash, batch->body_count), batch->joint_blocks);
    hash = MIX(MIX(MIX_FIELDS(hash, batch, tree_joints, systems), batch->kernels), batch->substeps);
    return MIX_FIELDS(hash, batch, has_extended, has_clamped_bodies);
}

static uint64_t hash_plan(cn_simulation *sim, uint64_t hash) {
    const cn_touching_rows *touching = &sim->touching;
    for (int i = 0; i < bodies_of(sim); i++) {
        hash = MIX_FIELDS(hash, &sim->warm[i], batch, batch_state);
        hash = mix_int(hash, (int)(sim->hot[i].flags & CN_BODY_PLANNING));
    }
    for (int i = 0; i < sim->plan.batch_count; i++) hash = hash_batch(&sim->plan.batches[i], hash);
    hash = MIX(MIX(hash, sim->plan.work_items), sim->plan.dirty);
    hash = MIX_ITEMS(MIX(hash, sim->unplanned_count), sim->unplanned, sim->unplanned_count);
    CN_EACH_BIT(slot, touching->occupied, touching->end) {
        hash = MIX(hash, touching->row_types[slot]);
        hash = mix_int(hash, cn_has_bit(touching->planned, slot));
    }
    return hash;
}

// ---- all kinds

// The pairs and contacts that begin or end.
static uint64_t hash_changing_pairs(const cn_simulation *sim, uint64_t hash) {
    for (int i = 0; i < CN_APART_LISTS; i++) {
        const cn_apart_list *list = &sim->apart[i];
        if (i >= CN_NEW_APART) hash = MIX_LIST(hash, *list);
        for (int k = 0; k < list->count; k++) hash = MIX(hash, list->items[k].result);
    }
    for (int i = 0; i < sim->new_slots.count; i++) {
        int slot = sim->new_slots.items[i];
        const cn_contact_bodies *pair = &sim->touching.bodies[slot];
        bool is_free_again = pair->a == pair->b; // then kernels may write to its rows
        if (!cn_is_slot_occupied(&sim->touching, slot) && !is_free_again)
            hash = mix_contact(sim, slot, hash);
    }
    hash = MIX(MIX_LIST(hash, sim->new_slots), sim->begun_count);
    return MIX_LIST(MIX_LIST(hash, sim->lost_slots), sim->parted);
}

static uint64_t hash_findings(cn_simulation *sim, uint64_t hash) {
    const cn_field_state *fields = cn_fields_of(sim);
    hash = hash_changing_pairs(sim, hash);
    hash = MIX(MIX(hash, sim->may_have_parted), sim->requested_count);
    hash = MIX_LIST(MIX_LIST(hash, sim->waking), sim->uncoupled);
    for (int i = 0; i < sim->sleeping_end; i++)
        hash = MIX(hash, sim->sleeping_islands[i].wake_requested);
    if (sim->sensor_index) hash = MIX_LIST(hash, sim->sensor_index->changed);
    return fields ? MIX_LIST(hash, fields->pairs) : hash;
}

static uint64_t hash_edits(cn_simulation *sim, uint64_t hash) {
    for (int i = 0; i < bodies_of(sim); i++)
        hash = mix_int(hash, (int)(sim->hot[i].flags & EDIT_FLAGS));
    for (int i = 0; i < shapes_of(sim); i++)
        if (sim->shapes[i].flags & CN_SHAPE_UNCOUNTED) hash = mix_int(hash, i);
    for (int i = 0; i < sim->edited_count; i++) {
        const cn_body_edit *edit = &sim->edits[sim->edits[i].listed];
        hash = MIX(MIX(MIX(hash, sim->edits[i].listed), edit->is_settled), edit->is_listed);
    }
    return MIX(hash, sim->edited_count);
}

static uint64_t hash_slots(cn_simulation *sim, uint64_t hash) {
    for (int kind = 0; kind < CN_SLOT_KINDS; kind++) {
        const cn_slot_rows *slots = &sim->slots[kind];
        hash = MIX_ITEMS(MIX(MIX(hash, slots->end), slots->count), slots->items, slots->end);
        hash = MIX(hash, sim->unused_slots[kind]);
    }
    return hash;
}

static uint64_t hash_results(cn_simulation *sim, uint64_t hash) {
    int poses = cn_min_int(sim->slots[CN_BODIES].end, sim->previous_capacity);
    hash = MIX_LIST(MIX_LIST(MIX_LIST(hash, sim->begins), sim->hits), sim->ends);
    hash = MIX_LIST(MIX_LIST(hash, sim->sensor_begins), sim->sensor_ends);
    hash = MIX(MIX_LIST(hash, sim->body_events), sim->first_hit);
    hash = MIX_ITEMS(MIX(hash, sim->broken_count), sim->broken, sim->broken_count);
    return MIX(MIX_ITEMS(hash, sim->previous, poses), sim->solved_islands);
}

// ---- all groups

data_hashes hash_data(cn_simulation *sim) {
    static uint64_t (*const of[GROUPS])(cn_simulation * sim, uint64_t hash) = {
        hash_properties, hash_poses,  hash_velocities, hash_forces, hash_rest,     hash_flags,
        hash_motions,    hash_shapes, hash_surfaces,   hash_hulls,  hash_boxes,    hash_trees,
        hash_dirty,      hash_pairs,  hash_contacts,   hash_joints, hash_prepared, hash_islands,
        hash_overlaps,   hash_plan,   hash_findings,   hash_edits,  hash_slots,    hash_results,
    };
    data_hashes data;
    for (int i = 0; i < GROUPS; i++) data.hashes[i] = of[i](sim, 1);
    return data;
}
