/* Chains. Those of scenery belong to the scenery, all other slots to the moving part. A state in
 * which no slot of a chain was ever used has no data of chains: see CN_CHAINS_BIT. */
#include "walk.h"

void cn_walk_chain_run(cn_walk *w, int first, int count) {
    cn_simulation *sim = w->sim;
    cn_walk_slots(w, CN_CHAINS, first, count);
    cn_archive_words(w->archive, sim->chains + first,
                     (size_t)count * sizeof *sim->chains / sizeof(int32_t));
}

void cn_walk_chains(cn_walk *w) {
    if (!(w->used_parts >> CN_CHAINS_BIT & 1)) {
        if (cn_is_reading(w) && !w->is_scenery) cn_clear_slots(w->sim, CN_CHAINS);
        return;
    }
    cn_begin_kind(w, CN_CHAINS);
    cn_walk_runs(w, CN_CHAINS, cn_walk_chain_run);
}

// ---- checks

// Events also read the chains of destroyed shapes.
static bool is_sound_name(const cn_simulation *sim, int shape) {
    const cn_shape_rare *rare = cn_rare_of(sim, shape);
    bool is_named = rare->chain >= 0;
    if (rare->chain < -1 || rare->chain >= sim->slots[CN_CHAINS].end || rare->segment < -1 ||
        is_named != (rare->segment >= 0))
        return false;
    if (!cn_is_alive(sim, CN_SHAPES, shape)) return true;
    if (is_named != !!(sim->shapes[shape].flags & CN_SHAPE_ONE_SIDED)) return false;
    return !is_named || (cn_is_alive(sim, CN_CHAINS, rare->chain) &&
                         sim->chains[rare->chain].body == sim->links[shape].body &&
                         rare->segment < sim->chains[rare->chain].count);
}

// Returns the number of segments in the run of a chain. Returns 0 if the run has other shapes, or
// if its segments are not in order. The lists of shapes were checked before.
static int count_segments(const cn_simulation *sim, int chain) {
    const cn_chain_row *row = &sim->chains[chain];
    if (!cn_is_in(sim, CN_SHAPES, row->first) || !cn_is_in(sim, CN_SHAPES, row->last)) return 0;
    int count = 0, before = -1;
    for (int i = row->first; i >= 0; i = sim->shapes[i].next) {
        const cn_shape_rare *rare = cn_rare_of(sim, i);
        if (rare->chain != chain || rare->segment <= before) return 0;
        before = rare->segment;
        count++;
        if (i == row->last) return count;
    }
    return 0;
}

bool cn_check_chain_rows(const cn_simulation *sim) {
    CN_EACH(CN_CHAINS, i, sim) {
        const cn_chain_row *row = &sim->chains[i];
        if (!cn_sound(cn_is_in(sim, CN_BODIES, row->body) && row->count > 0, "chain", i))
            return false;
    }
    return true;
}

bool cn_check_chains(const cn_simulation *sim) {
    int segments = 0;
    if (!cn_check_chain_rows(sim)) return false;
    for (int i = 0; i < sim->slots[CN_SHAPES].end; i++) {
        if (!cn_sound(is_sound_name(sim, i), "chain of shape", i)) return false;
        segments += cn_is_alive(sim, CN_SHAPES, i) && cn_rare_of(sim, i)->chain >= 0;
    }
    CN_EACH(CN_CHAINS, i, sim) {
        int count = count_segments(sim, i);
        if (!cn_sound(count > 0, "chain", i)) return false;
        segments -= count;
    }
    return cn_sound(segments == 0, "number of segments", segments);
}
