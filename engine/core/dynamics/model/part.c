/* The data of parts in a simulation. */
#include "model.h"

bool cn_reserve_part_state(cn_simulation *sim, const cn_part_hooks *part) {
    size_t bytes = (size_t)cn_part_count * sizeof *sim->part_states;
    if (cn_part_state(sim, part->id)) return true;
    if (!sim->part_states) sim->part_states = cn_allocate(&sim->memory, bytes);
    if (!sim->part_states) return false;
    sim->part_states[part->id] = cn_allocate(&sim->memory, part->state_size);
    return sim->part_states[part->id];
}

bool cn_require_part(const char *name) {
    CN_EACH_PART(part) {
        if (strcmp(cn_part_names[part->id], name) == 0) return true;
    }
    return cn_fail_without(name);
}
