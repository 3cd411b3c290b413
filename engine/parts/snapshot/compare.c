/* Finds where the states of two worlds differ: compares the hash of each object, and then those of
 * the lists. The hashes come from the same walks as a save. */
#include "walk.h"

typedef void walk_part(cn_walk *w);

static uint64_t hash_part(cn_world *world, walk_part *part) {
    cn_archive archive;
    cn_walk w = cn_begin_comparison(&archive, world);
    part(&w);
    return archive.hash;
}

// Returns the first slot whose objects differ, or -1.
static int find_slot(cn_world *a, cn_world *b, cn_slot_kind kind) {
    int end = cn_min_int(a->sim.slots[kind].end, b->sim.slots[kind].end);
    for (int i = 0; i < end; i++)
        if (cn_hash_object(a, kind, i) != cn_hash_object(b, kind, i)) return i;
    return a->sim.slots[kind].end == b->sim.slots[kind].end ? -1 : end;
}

// True if a part differs. Stores the slot of the first object that differs; -1 if only lists of
// objects do.
static bool differs(cn_world *a, cn_world *b, cn_slot_kind kind, walk_part *part, int *slot) {
    *slot = find_slot(a, b, kind);
    return *slot >= 0 || hash_part(a, part) != hash_part(b, part);
}

static void walk_all_bodies(cn_walk *w) {
    cn_walk_bodies(w);
    cn_walk_drops(w);
}

// Returns the body of the first time of a drop-through that differs, or -1.
static int find_drop_body(const cn_simulation *a, const cn_simulation *b) {
    int count = cn_min_int(a->drop_throughs.count, b->drop_throughs.count);
    const cn_drop *drops = a->drop_throughs.items, *others = b->drop_throughs.items;
    for (int i = 0; i < count; i++)
        if (memcmp(&drops[i], &others[i], sizeof *drops) != 0) return drops[i].body;
    if (a->drop_throughs.count > count) return drops[count].body;
    return b->drop_throughs.count > count ? others[count].body : -1;
}

static void walk_all_shapes(cn_walk *w) {
    cn_walk_shapes(w);
    cn_walk_chains(w);
}

// Returns the first shape that differs, or -1. Stores its body, or that of the first chain that
// differs; -1 if there is none.
static int find_shape(cn_world *a, cn_world *b, int slot, int *body) {
    int chain = slot < 0 ? find_slot(a, b, CN_CHAINS) : -1;
    if (slot >= a->sim.slots[CN_SHAPES].end) slot = -1;
    *body = slot >= 0 ? a->sim.links[slot].body : -1;
    if (chain >= 0 && chain < a->sim.slots[CN_CHAINS].end) *body = a->sim.chains[chain].body;
    return slot;
}

static void walk_all_contacts(cn_walk *w) {
    cn_walk_contacts(w);
    cn_walk_islands(w);
}

// Returns body B of the first touching contact that differs, or -1.
static int find_contact_body(const cn_simulation *a, const cn_simulation *b) {
    const cn_touching_rows *t = &a->touching, *u = &b->touching;
    for (int i = CN_FIRST_SLOT; i < cn_min_int(t->end, u->end); i++) {
        bool same = memcmp(&t->records[i], &u->records[i], sizeof *t->records) == 0 &&
                    memcmp(&t->anchors[i], &u->anchors[i], sizeof *t->anchors) == 0 &&
                    memcmp(&t->load[i], &u->load[i], sizeof *t->load) == 0 &&
                    cn_has_bit(t->occupied, i) == cn_has_bit(u->occupied, i);
        if (!same) return t->bodies[i].b;
    }
    return -1;
}

static void walk_grids(cn_walk *w) { cn_walk_parts(w, CN_SAVED_OBJECTS); }

static cn_body body_in(const cn_world *world, int slot) {
    bool exists = slot >= 0 && slot < world->sim.slots[CN_BODIES].end;
    return exists ? cn_body_handle(world, slot) : (cn_body){0};
}

static cn_difference compare(cn_world *a, cn_world *b) {
    int slot;
    if (hash_part(a, cn_walk_settings) != hash_part(b, cn_walk_settings))
        return (cn_difference){.part = CN_PART_SETTINGS};
    if (differs(a, b, CN_BODIES, walk_all_bodies, &slot)) {
        if (slot < 0) slot = find_drop_body(&a->sim, &b->sim);
        return (cn_difference){.part = CN_PART_BODIES, .body = body_in(a, slot)};
    }
    if (differs(a, b, CN_SHAPES, walk_all_shapes, &slot)) {
        int body, shape = find_shape(a, b, slot, &body);
        return (cn_difference){
            .part = CN_PART_SHAPES, .body = body_in(a, body), .shape = cn_shape_handle(a, shape)};
    }
    if (differs(a, b, CN_GRIDS, walk_grids, &slot)) {
        bool exists = slot >= 0 && slot < a->sim.slots[CN_GRIDS].end;
        return (cn_difference){.part = CN_PART_GRIDS,
                               .grid = {exists ? cn_id_of(a, CN_GRIDS, slot) : 0}};
    }
    if (differs(a, b, CN_JOINTS, cn_walk_joints, &slot)) {
        bool exists = slot >= 0 && slot < a->sim.slots[CN_JOINTS].end;
        return (cn_difference){.part = CN_PART_JOINTS,
                               .joint = exists ? cn_joint_handle(a, slot) : (cn_joint){0}};
    }
    if (hash_part(a, walk_all_contacts) != hash_part(b, walk_all_contacts))
        return (cn_difference){.part = CN_PART_CONTACTS,
                               .body = body_in(a, find_contact_body(&a->sim, &b->sim))};
    return (cn_difference){.part = CN_PART_NONE};
}

cn_difference cn_world_compare(const cn_world *a, const cn_world *b) {
    bool good = cn_check_world(a, __func__) && cn_check_world(b, __func__) &&
                CN_CHECK(cn_require_idle(a) && cn_require_idle(b));
    if (!good) return (cn_difference){.part = CN_PART_NONE};
    return compare((cn_world *)a, (cn_world *)b); // they are only read
}
