/* The number of islands in the plan, for counters, and the islands of the present state, for
 * drawing. The plan may be out of date after calls or a restore. */
#include "plan.h"

int cn_count_islands(const cn_simulation *sim) {
    int count = 0;
    for (int i = 0; i < sim->plan.batch_count; i++)
        if (sim->plan.batches[i].alive) count += sim->plan.batches[i].island_sizes.count;
    return count;
}

// ---- islands of the present state

// Static, kinematic and sleeping bodies link nothing.
static void link_bodies(const cn_simulation *sim, cn_sets islands, int a, int b) {
    if (cn_is_solved(&sim->hot[a]) && cn_is_solved(&sim->hot[b])) cn_join_sets(islands, a, b);
}

static bool is_enabled(const cn_simulation *sim, int joint) {
    const int32_t *bodies = sim->joint_records[joint].bodies;
    return !sim->joints[joint].def.disabled &&
           sim->hot[bodies[0]].flags & sim->hot[bodies[1]].flags & CN_BODY_ENABLED;
}

static void link_joint(const cn_simulation *sim, cn_sets islands, int joint) {
    const cn_joint_data *data = &sim->joints[joint];
    const int32_t *bodies = sim->joint_records[joint].bodies;
    int other = data->coupling.other;
    if (data->row_type != CN_ROW_NONE) link_bodies(sim, islands, bodies[0], bodies[1]);
    if (other < 0 || !is_enabled(sim, joint) || !is_enabled(sim, other)) return;
    const int32_t *others = sim->joint_records[other].bodies;
    for (int i = 0; i < 4; i++) link_bodies(sim, islands, bodies[i & 1], others[i >> 1]);
}

const int *cn_find_islands(cn_simulation *sim) {
    int end = sim->slots[CN_BODIES].end;
    int *parents = cn_scratch(sim, (size_t)end * sizeof(int));
    if (!parents) return NULL;
    const cn_sets islands = {parents, 1};
    for (int i = 0; i < end; i++) parents[i] = i;
    CN_EACH_BIT(slot, sim->touching.occupied, sim->touching.end) {
        const cn_anchor *anchor = &sim->touching.anchors[slot];
        if (!cn_has_ended(sim, anchor->shape_a, anchor->shape_b))
            link_bodies(sim, islands, sim->touching.bodies[slot].a, sim->touching.bodies[slot].b);
    }
    CN_EACH(CN_JOINTS, i, sim) link_joint(sim, islands, i);
    for (int i = 0; i < end; i++) parents[i] = cn_first_of_set(islands, i);
    return parents;
}
