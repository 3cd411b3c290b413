/* A 64-bit hash of the state of the simulation, computed by the same walks as a save. Worlds with
 * the same state have the same hash, and behave alike from there on. Left out are user data, tags,
 * the data that only the next cn_world_advance() uses, and the data that a call that fails may
 * change: separations of contacts, known surfaces, and the rows of unused slots. The hash is the
 * same on all machines, because it is computed from numbers and not from bytes in memory. */
#include "walk.h"

uint64_t cn_hash_world(const cn_world *world, size_t *bytes) {
    cn_archive archive;
    cn_walk w = cn_begin_comparison(&archive, (cn_world *)world); // is only read
    cn_walk_whole(&w);
    *bytes = archive.at;
    return archive.hash;
}

uint64_t cn_world_hash(const cn_world *world) {
    size_t bytes;
    return cn_check_world(world, __func__) ? cn_hash_world(world, &bytes) : 0;
}

static void walk_part_objects(cn_walk *w, int first, int count) {
    CN_EACH_PART(part) {
        if (part->walk_objects) part->walk_objects(w, first, count);
    }
}

uint64_t cn_hash_object(const cn_world *world, cn_slot_kind kind, int slot) {
    static void (*const walk_run[CN_SLOT_KINDS])(cn_walk * w, int first, int count) = {
        [CN_BODIES] = cn_walk_body_run,  [CN_SHAPES] = cn_walk_shape_run,
        [CN_JOINTS] = cn_walk_joint_run, [CN_GRIDS] = walk_part_objects,
        [CN_CHAINS] = cn_walk_chain_run,
    };
    if (!cn_is_alive(&world->sim, kind, slot)) return 0;
    cn_archive archive;
    cn_walk w = cn_begin_comparison(&archive, (cn_world *)world); // is only read
    archive.hash = world->sim.slots[kind].items[slot].generation;
    walk_run[kind](&w, slot, 1);
    return archive.hash;
}

uint64_t cn_hash_body(const cn_world *world, int body) {
    const cn_simulation *sim = &world->sim;
    uint64_t hash = cn_hash_object(world, CN_BODIES, body);
    if (!hash) return 0;
    CN_EACH_SHAPE(shape, sim, body) hash = hash * 31 + cn_hash_object(world, CN_SHAPES, shape);
    return hash;
}

uint64_t cn_hash_motion(const cn_simulation *sim, int body) {
    if (!cn_is_alive(sim, CN_BODIES, body)) return 0;
    cn_body_hot hot = sim->hot[body];
    hot.flags &= ~(uint32_t)CN_BODY_PLANNING;
    cn_archive archive = {.use = CN_ARCHIVE_HASH};
    archive.hash = sim->slots[CN_BODIES].items[body].generation;
    cn_archive_words(&archive, &hot, sizeof hot / sizeof(uint32_t));
    return archive.hash;
}
