/* 64 bits over the whole state of the simulation: two worlds that will behave alike have equal
 * hashes.
 *
 * The state is read as a sequence of 32-bit words, floats by their bits, and every word goes
 * through one multiplication and one shift. Words are numbers, not bytes, so all machines agree.
 * What follows from the rest (plan, trees' inner levels, scratch) is left out, and so is what
 * differs without meaning anything: a polygon counts with its vertices, not with its place in the
 * pool; separations of contacts are left out since every step begins by computing them anew. User
 * data and tags are not of the simulation. */
#include "world.h"

typedef struct {
    uint64_t value;
} hash;

static void add_word(hash *h, uint32_t word) {
    h->value = (h->value ^ word) * 0x9E3779B97F4A7C15u;
    h->value ^= h->value >> 29;
}

static void add_int(hash *h, int value) { add_word(h, (uint32_t)value); }

static void add_long(hash *h, uint64_t value) {
    add_word(h, (uint32_t)value);
    add_word(h, (uint32_t)(value >> 32));
}

// Structs of nothing but 32-bit fields.
static void add_words(hash *h, const void *data, size_t size) {
    const char *bytes = data;
    for (size_t i = 0; i < size; i += sizeof(uint32_t)) {
        uint32_t word;
        memcpy(&word, bytes + i, sizeof word);
        add_word(h, word);
    }
}

static void add_float(hash *h, float value) { add_words(h, &value, sizeof value); }

// ---- settings

static void add_settings(hash *h, const cn_simulation *sim) {
    add_words(h, &sim->gravity, sizeof sim->gravity);
    add_words(h, &sim->tuning, sizeof sim->tuning);
    add_int(h, sim->substeps);
    add_int(h, sim->sleeping);
    add_float(h, sim->length_unit);
    add_float(h, sim->last_substep);
    add_float(h, sim->step_seconds);
}

// ---- bodies

static void add_body(hash *h, const cn_simulation *sim, int body) {
    cn_body_hot hot = sim->hot[body];
    hot.flags &= ~(uint32_t)CN_BODY_FRESH;
    cn_body_warm warm = sim->warm[body];
    warm.batch = warm.local = 0;
    add_words(h, &hot, sizeof hot);
    add_words(h, &warm, sizeof warm);
}

static void add_bodies(hash *h, const cn_simulation *sim) {
    for (int i = 0; i < sim->body_end; i++) {
        add_word(h, sim->cold[i].generation);
        if (cn_is_body(sim, i)) add_body(h, sim, i);
    }
    for (int i = 0; i < sim->kinematic_count; i++) add_int(h, sim->kinematics[i]);
}

// ---- shapes

static void add_placed(hash *h, const cn_simulation *sim, int shape) {
    cn_placed_hull placed = sim->placed[shape];
    if (cn_placed_class(&placed) != CN_CLASS_BOX) {
        add_words(h, &sim->hulls.hulls8[placed.hull], sizeof(cn_hull8));
        placed.hull = placed.unused = 0;
    }
    add_words(h, &placed, sizeof placed);
}

static void add_shape(hash *h, const cn_simulation *sim, int shape) {
    const cn_shape_warm *local = &sim->shapes[shape];
    add_placed(h, sim, shape);
    add_words(h, &sim->links[shape], sizeof *sim->links);
    add_words(h, local, offsetof(cn_shape_warm, filter));
    add_long(h, local->filter.category);
    add_long(h, local->filter.mask);
    add_int(h, local->filter.group);
    add_int(h, sim->news[shape]);

    const cn_tree *trees[] = {&sim->moving, &sim->fixed};
    for (int i = 0; i < 2; i++) {
        if (!cn_tree_has(trees[i], shape)) continue;
        cn_bounds box = cn_tree_box(trees[i], shape);
        add_words(h, &box, sizeof box);
    }
}

static void add_shapes(hash *h, const cn_simulation *sim) {
    for (int i = 0; i < sim->shape_end; i++) {
        add_word(h, sim->shape_cold[i].generation);
        if (cn_is_shape(sim, i)) add_shape(h, sim, i);
    }
}

// ---- slots that will be used again

static void add_slots(hash *h, const cn_world *world) {
    const cn_slots *bodies = &world->body_slots, *shapes = &world->shape_slots;
    const int body_lists[] = {bodies->pending.first, bodies->limbo.first, bodies->free.first};
    const int shape_lists[] = {shapes->pending.first, shapes->limbo.first, shapes->free.first};
    for (int i = 0; i < 3; i++) {
        for (int k = body_lists[i]; k >= 0; k = world->sim.cold[k].next_free) add_int(h, k);
        add_int(h, -1);
        for (int k = shape_lists[i]; k >= 0; k = world->sim.shape_cold[k].next_free) add_int(h, k);
        add_int(h, -1);
    }
}

// ---- contacts

static void add_contact(hash *h, cn_contact_record record, const cn_anchor *anchor,
                        const cn_contact_bodies *bodies) {
    record.s1 = record.s2 = 0;
    add_words(h, &record, sizeof record);
    add_words(h, anchor, sizeof *anchor);
    add_words(h, bodies, sizeof *bodies);
}

static void add_touching(hash *h, const cn_touching *touching) {
    for (int i = 0; i < touching->end; i++) {
        if (!(touching->occupied[i >> 6] >> (i & 63) & 1)) continue;
        add_int(h, i);
        add_contact(h, touching->records[i], &touching->anchors[i], &touching->bodies[i]);
    }
}

static void add_apart(hash *h, const cn_apart *pairs, int count) {
    add_int(h, count);
    for (int i = 0; i < count; i++) {
        cn_apart pair = pairs[i];
        cn_set_fate(&pair, CN_FATE_APART); // which is nothing but a note of the running step
        add_words(h, &pair, sizeof pair);
    }
}

static void add_island(hash *h, const cn_sleeping_island *island) {
    add_int(h, island->alive);
    if (!island->alive) {
        add_int(h, island->next_free);
        return;
    }
    add_int(h, island->wake);
    add_int(h, island->first_body);
    add_int(h, island->touching_count);
    for (int i = 0; i < island->touching_count; i++)
        add_contact(h, island->records[i], &island->anchors[i], &island->bodies[i]);
}

static void add_contacts(hash *h, const cn_simulation *sim) {
    add_touching(h, &sim->touching);
    for (int i = 0; i < CN_CLASS_COUNT; i++) add_apart(h, sim->apart[i].pairs, sim->apart[i].count);
    for (int i = 0; i < sim->sleeper_end; i++) add_island(h, &sim->sleepers[i]);
    add_int(h, sim->sleeper_free);
}

uint64_t cn_world_hash(const cn_world *world) {
    if (!cn_check_world(world, __func__)) return 0;
    hash h = {0xCA12};
    add_settings(&h, &world->sim);
    add_bodies(&h, &world->sim);
    add_shapes(&h, &world->sim);
    add_slots(&h, world);
    add_contacts(&h, &world->sim);
    return h.value;
}
