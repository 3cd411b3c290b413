/* A 64-bit hash of the whole state of the simulation. Worlds with the same state have the same
 * hash, and behave alike from there on.
 *
 * The state is read as a sequence of 32-bit words; a float is the word of its bits. Each word goes
 * through one multiplication and one shift. Words are numbers, not bytes, so the hash is the same
 * on all machines.
 *
 * The hash leaves out data that follow from the rest of the state: the plan, the inner levels of
 * trees, scratch memory, and the separations of contacts, which every step computes first. It also
 * leaves out data without effect: a polygon counts with its vertices, not with its index in the
 * pool. User data and tags are not part of the simulation. */
#include "world.h"

typedef uint64_t hash;

static void add_int(hash *h, int value) {
    *h = (*h ^ (uint32_t)value) * 0x9E3779B97F4A7C15u;
    *h ^= *h >> 29;
}

static void add_long(hash *h, uint64_t value) {
    add_int(h, (int)(uint32_t)value);
    add_int(h, (int)(uint32_t)(value >> 32));
}

// Adds data that consists only of 32-bit fields.
static void add_words(hash *h, const void *data, size_t size) {
    for (size_t i = 0; i < size; i += sizeof(int)) {
        int word;
        memcpy(&word, (const char *)data + i, sizeof word);
        add_int(h, word);
    }
}

// ---- settings

static void add_settings(hash *h, const cn_simulation *sim) {
    const float times[] = {sim->length_unit, sim->last_substep, sim->contact_substep,
                           sim->joint_substep, sim->step_seconds};
    add_words(h, &sim->gravity, sizeof sim->gravity);
    add_words(h, &sim->tuning, sizeof sim->tuning);
    add_int(h, sim->substeps);
    add_int(h, sim->sleeping);
    add_words(h, times, sizeof times);
}

// ---- bodies

static void add_body(hash *h, const cn_simulation *sim, int body) {
    cn_body_hot hot = sim->hot[body];
    cn_body_warm warm = sim->warm[body];
    hot.flags &= ~(uint32_t)(CN_BODY_UNPLANNED | CN_BODY_SPRINGS_CHANGED); // for the plan
    warm.batch = warm.batch_state = 0;
    add_words(h, &hot, sizeof hot);
    add_words(h, &warm, sizeof warm);
}

// ---- shapes

static void add_placed(hash *h, const cn_simulation *sim, int shape) {
    cn_placed_hull placed = sim->placed[shape];
    if (cn_placed_class(&placed) != CN_CLASS_BOX) {
        add_words(h, &sim->hulls.hulls8[placed.hull], sizeof(cn_hull8));
        placed.hull = 0;
    }
    add_words(h, &placed, sizeof placed);
}

static void add_filter(hash *h, cn_filter filter) {
    add_long(h, filter.category);
    add_long(h, filter.mask);
    add_int(h, filter.group);
}

static void add_shape(hash *h, const cn_simulation *sim, int shape) {
    cn_shape_warm warm = sim->shapes[shape];
    const cn_shape_rare *rare = cn_rare_of(sim, shape);
    const cn_tree *tree = cn_tree_with(sim, shape);
    warm.flags &= ~(uint32_t)CN_SHAPE_RARE;
    add_placed(h, sim, shape);
    add_words(h, &sim->links[shape], sizeof *sim->links);
    add_words(h, &warm, sizeof warm);
    add_words(h, rare, offsetof(cn_shape_rare, filter));
    add_filter(h, rare->filter);
    add_int(h, sim->dirty[shape]);
    if (!tree) return;
    cn_bounds box = cn_tree_box(tree, shape);
    add_words(h, &box, sizeof box);
}

// ---- tile grids

static void add_material(hash *h, const cn_material *m) {
    add_words(h, m, 2 * sizeof(float));
    add_int(h, (int)(m->frictionless | cn_mix_bits(m->friction_mix, CN_SHAPE_FRICTION_MIX) |
                     cn_mix_bits(m->restitution_mix, CN_SHAPE_RESTITUTION_MIX)));
    if (cn_has_resistance(*m)) add_words(h, &m->rolling_resistance, 2 * sizeof(float));
}

// Traits of 0 are left out: it does not matter whether they are stored. So is the usual direction
// of one-way tiles.
static void add_traits(hash *h, const cn_tile_grid *grid) {
    vec2s up = grid->shape.one_way;
    if (up.x != 0 || up.y != 1) add_words(h, &up, sizeof up);
    for (int i = 0; grid->traits && i < grid->width * grid->height; i++) {
        if (grid->traits[i] == 0) continue;
        add_int(h, i);
        add_int(h, grid->traits[i]);
    }
    for (int i = 0; grid->materials && i < grid->material_count; i++)
        add_material(h, &grid->materials[i]);
}

static void add_grid(hash *h, const cn_simulation *sim, int slot) {
    const cn_tile_grid *grid = &sim->grids[slot];
    const cn_shape_def *shape = &grid->shape;
    add_words(h, grid, offsetof(cn_tile_grid, enabled) + sizeof grid->enabled);
    add_words(h, grid->tiles, (size_t)grid->width * (size_t)grid->height * sizeof(int32_t));
    add_material(h, &shape->material);
    add_traits(h, grid);
    add_filter(h, shape->filter);
    add_int(h, shape->hit_events | shape->no_touch_events << 1);
}

// ---- joints

static void add_coordinate(hash *h, const cn_coordinate *c) {
    add_int(h, (int)c->mode);
    add_int(h, c->motor);
    add_words(h, &c->lower, offsetof(cn_coordinate, motor) - offsetof(cn_coordinate, lower));
    add_words(h, &c->speed, sizeof *c - offsetof(cn_coordinate, speed));
}

static void add_joint(hash *h, const cn_simulation *sim, int slot) {
    cn_joint_data *joint = &sim->joints[slot];
    const cn_joint_record *record = &sim->joint_records[slot]; // its arms follow from its frames
    add_words(h, &record->state, sizeof *record - offsetof(cn_joint_record, state));
    add_words(h, &joint->def.frame_a, 2 * sizeof(cn_pose));
    for (int k = 0; k < 3; k++) add_coordinate(h, cn_coordinate_of(&joint->def, k));
    add_int(h, joint->def.polar | joint->def.collide_connected << 1 | joint->def.disabled << 2);
    add_words(h, &joint->def.break_force, 2 * sizeof(float));
    add_words(h, joint->next, 2 * sizeof(int32_t));
    add_words(h, &joint->coupling, sizeof joint->coupling);
}

// ---- slots, and what is in them

// Adds the generations of all slots of a kind, and the objects in them.
static void add_all(hash *h, const cn_simulation *sim, cn_slot_kind kind,
                    void (*add)(hash *h, const cn_simulation *sim, int slot)) {
    for (int i = 0; i < sim->slots[kind].end; i++) {
        add_int(h, (int)sim->slots[kind].items[i].generation);
        if (cn_is_alive(sim, kind, i)) add(h, sim, i);
    }
}

// Adds the unused slots of an age: 0 since the last step, 1 since the step before, 2 those that may
// be used again.
static void add_slots(hash *h, const cn_world *world, cn_slot_kind kind, int age) {
    const cn_slot *slots = world->sim.slots[kind].items;
    const cn_slot_queue *unused = &world->sim.unused_slots[kind];
    int now = (unused->rested >= 0) + (unused->seen >= 0);
    for (int i = unused->first; i >= 0; i = slots[i].next_free) {
        if (age == now) add_int(h, i);
        now -= (i == unused->rested) + (i == unused->seen);
    }
    add_int(h, -1);
}

// ---- contacts

static void add_contact(hash *h, cn_stored_contact contact) {
    contact.record.s1 = contact.record.s2 = 0;
    add_words(h, &contact, offsetof(cn_stored_contact, silent));
    if (contact.silent) add_int(h, true);
}

static void add_touching(hash *h, const cn_touching_rows *touching) {
    CN_EACH_BIT(slot, touching->occupied, touching->end) {
        add_int(h, slot);
        add_contact(h, cn_contact_at(touching, slot));
    }
}

static void add_apart(hash *h, const cn_apart_list *list) {
    add_int(h, list->count);
    for (int i = 0; i < list->count; i++) {
        cn_apart pair = list->items[i];
        pair.result = CN_PAIR_APART; // the result is only used within a step
        add_words(h, &pair, sizeof pair);
    }
}

static void add_island(hash *h, const cn_sleeping_island *island) {
    const int alive[] = {true, island->wake_requested, island->first_body, island->contacts.count};
    const int dead[] = {false, island->next_free};
    add_words(h, island->alive ? alive : dead, island->alive ? sizeof alive : sizeof dead);
    for (int i = 0; island->alive && i < island->contacts.count; i++)
        add_contact(h, island->contacts.items[i]);
}

uint64_t cn_world_hash(const cn_world *world) {
    if (!cn_check_world(world, __func__)) return 0;
    const cn_simulation *sim = &world->sim;
    hash h = 0xCA12;
    add_settings(&h, sim);
    add_all(&h, sim, CN_BODIES, add_body);
    add_words(&h, sim->kinematics.items, (size_t)sim->kinematics.count * sizeof(int));
    add_all(&h, sim, CN_SHAPES, add_shape);
    add_all(&h, sim, CN_JOINTS, add_joint);
    for (int i = 0; i < sim->slots[CN_BODIES].end && sim->slots[CN_JOINTS].end; i++) {
        if (!cn_is_alive(sim, CN_BODIES, i)) continue;
        add_int(&h, sim->first_joint[i]);
        add_words(&h, &sim->pulls[i], sizeof(cn_pull));
    }
    add_all(&h, sim, CN_GRIDS, add_grid);
    add_words(&h, sim->drop_throughs.items, (size_t)sim->drop_throughs.count * sizeof(cn_drop));
    add_words(&h, sim->sensors.items, (size_t)sim->sensors.count * sizeof(int));
    add_words(&h, sim->fields.items, (size_t)sim->fields.count * sizeof(cn_field));
    for (int i = 0; i < sim->overlaps.count; i++) add_long(&h, sim->overlaps.items[i]);
    for (int age = 0; age <= 2; age++) {
        for (cn_slot_kind k = CN_BODIES; k < CN_SLOT_KINDS; k++)
            if (k < CN_JOINTS || sim->slots[k].end) add_slots(&h, world, k, age);
    }
    add_touching(&h, &sim->touching);
    for (int i = 0; i < CN_CLASS_COUNT; i++) add_apart(&h, &sim->apart[i]);
    for (int i = 0; i < sim->sleeping_end; i++) add_island(&h, &sim->sleeping_islands[i]);
    add_int(&h, sim->sleeping_free);
    return h;
}

uint64_t cn_hash_body(const cn_simulation *sim, int body) {
    if (!cn_is_alive(sim, CN_BODIES, body)) return 0;
    hash h = 0xCA12;
    add_body(&h, sim, body);
    CN_EACH_SHAPE(i, sim, body) { add_shape(&h, sim, i); }
    return h;
}
