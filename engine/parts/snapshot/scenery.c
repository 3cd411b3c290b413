/* Finds which part of the state is scenery, and the hash of this part. The results stay valid until
 * a call may have changed the scenery. Such calls change cn_world.static_revision. */
#include "walk.h"

static bool clear_bits(cn_world *world, cn_slot_kind kind) {
    cn_scenery_bits *bits = &cn_snapshot_of(world)->scenery.bits[kind];
    int words = (world->sim.slots[kind].end + 63) / 64;
    if (!cn_reserve(&world->memory, bits, words)) return false;
    bits->count = words;
    if (words) memset(bits->items, 0, (size_t)words * sizeof *bits->items);
    return true;
}

static void mark_slots(const cn_world *world) {
    const cn_simulation *sim = &world->sim;
    const cn_scenery *scenery = &cn_snapshot_of(world)->scenery;
    uint64_t *bodies = scenery->bits[CN_BODIES].items, *shapes = scenery->bits[CN_SHAPES].items;
    CN_EACH(CN_BODIES, i, sim) {
        if (!(sim->hot[i].flags & CN_BODY_MOVES)) cn_set_bit(bodies, i);
    }
    CN_EACH_PART(part) {
        if (part->clear_scenery) part->clear_scenery(sim, bodies);
    }
    CN_EACH(CN_SHAPES, i, sim) {
        if (cn_has_bit(bodies, sim->links[i].body)) cn_set_bit(shapes, i);
    }
    CN_EACH(CN_CHAINS, i, sim) {
        if (cn_has_bit(bodies, sim->chains[i].body)) cn_set_bit(scenery->bits[CN_CHAINS].items, i);
    }
}

static bool find_scenery(cn_world *world) {
    if (!clear_bits(world, CN_BODIES) || !clear_bits(world, CN_SHAPES) ||
        !clear_bits(world, CN_CHAINS))
        return false;
    mark_slots(world);
    cn_archive archive = {.use = CN_ARCHIVE_HASH};
    cn_scenery *scenery = &cn_snapshot_of(world)->scenery;
    cn_walk_scenery(&archive, world, scenery);
    scenery->hash = archive.hash;
    scenery->revision = world->static_revision;
    return true;
}

const cn_scenery *cn_find_scenery(const cn_world *world) {
    cn_world *found = (cn_world *)(uintptr_t)world; // the result is not part of the state
    cn_snapshot_data *data = cn_snapshot_of(world);
    cn_lock(&data->lock);
    bool known = data->scenery.revision == world->static_revision || find_scenery(found);
    cn_unlock(&data->lock);
    return known ? &data->scenery : NULL;
}
