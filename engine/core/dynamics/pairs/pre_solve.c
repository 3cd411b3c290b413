/* Calls the user's pre-solve callback for the touching contacts of shapes with
 * CN_SHAPE_PRE_SOLVE. */
#include "pairs.h"

static cn_contact_values own_values(const cn_simulation *sim, int slot) {
    const cn_contact_record *record = &sim->touching.records[slot];
    return (cn_contact_values){.friction = record->friction,
                               .restitution = record->restitution,
                               .surface_speed =
                                   cn_surface_speed_of(sim, &sim->touching.anchors[slot]),
                               .is_given = 1};
}

void cn_run_pre_solve(cn_simulation *sim) {
    cn_pass_drop_time(sim, sim->step_seconds);
    cn_contact_values *values = sim->contact_values.items;
    if (!sim->pre_solve || !values) return; // without values there was no contact yet
    memset(values, 0, (size_t)cn_touching_slots(&sim->touching) * sizeof *values);
    CN_EACH_BIT(slot, sim->touching.occupied, sim->touching.end) {
        if (!(sim->touching.row_types[slot] & CN_PLAN_PRE_SOLVE)) continue;
        values[slot] = own_values(sim, slot);
        if (sim->pre_solve(sim->callback_context, slot, &values[slot])) continue;
        cn_contact_record *record = &sim->touching.records[slot];
        record->meta |= CN_META_DISABLED | CN_META_REMAKE; // remaking enables it again
        record->ln1 = record->ln2 = record->lt = 0;
    }
}
