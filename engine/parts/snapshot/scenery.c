/* Finds which part of the state is scenery, and the hash of this part. The results stay valid until
 * a call may have changed the scenery. Such calls change cn_world.scenery_revision. */
#include "walk.h"

static bool clear_bits(cn_world *world, cn_slot_kind kind) {
    cn_scenery_bits *bits = &world->scenery.bits[kind];
    int words = (world->sim.slots[kind].end + 63) / 64;
    if (!cn_reserve(&world->memory, bits, words)) return false;
    bits->count = words;
    if (words) memset(bits->items, 0, (size_t)words * sizeof *bits->items);
    return true;
}

static void mark_slots(cn_world *world) {
    const cn_simulation *sim = &world->sim;
    uint64_t *bodies = world->scenery.bits[CN_BODIES].items;
    uint64_t *shapes = world->scenery.bits[CN_SHAPES].items;
    CN_EACH(CN_BODIES, i, sim) {
        if (!(sim->hot[i].flags & CN_BODY_MOVES)) cn_set_bit(bodies, i);
    }
    CN_EACH_PART(part) {
        if (part->clear_scenery) part->clear_scenery(sim, bodies);
    }
    CN_EACH(CN_SHAPES, i, sim) {
        if (cn_has_bit(bodies, sim->links[i].body)) cn_set_bit(shapes, i);
    }
}

static bool find_scenery(cn_world *world) {
    if (!clear_bits(world, CN_BODIES) || !clear_bits(world, CN_SHAPES)) return false;
    mark_slots(world);
    cn_archive archive = {.use = CN_ARCHIVE_HASH};
    cn_walk_scenery(&archive, world, &world->scenery);
    world->scenery.hash = archive.hash;
    world->scenery.revision = world->scenery_revision;
    return true;
}

const cn_scenery *cn_find_scenery(const cn_world *world) {
    cn_world *found = (cn_world *)(uintptr_t)world; // the result is not part of the state
    cn_lock(&found->scenery_lock);
    bool known = world->scenery.revision == world->scenery_revision || find_scenery(found);
    cn_unlock(&found->scenery_lock);
    return known ? &world->scenery : NULL;
}
