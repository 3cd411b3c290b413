/* Keeps the plan when another state is read over the present one. Usually that is a state of a few
 * steps ago, with nearly the same contacts.
 *
 * What a plan follows from is copied before the state is read, and compared afterwards. Then only
 * what differs is planned again, as if calls and steps had changed it. */
#include "plan.h"

// The flags of a body that decide how it is planned.
enum { PLANNED_FLAGS = CN_BODY_ALIVE | CN_BODY_ENABLED | CN_BODY_AWAKE | CN_BODY_MOVES };

// ---- before

static cn_planned_body body_basis(const cn_simulation *sim, int body) {
    const cn_body_hot *hot = &sim->hot[body];
    const cn_body_warm *warm = &sim->warm[body];
    return (cn_planned_body){
        .flags = hot->flags & (PLANNED_FLAGS | CN_BODY_CLAMPED),
        .inverse_mass = hot->inverse_mass,
        .is_compound = warm->first_shape != warm->last_shape,
        .first_joint = sim->first_joint[body],
        .batch = warm->batch,
        .batch_state = warm->batch_state,
    };
}

static cn_planned_contact contact_basis(const cn_simulation *sim, int slot) {
    const uint32_t typed =
        CN_META_ONE_POINT | CN_META_BOUNCY | CN_META_RESISTS | CN_META_HITS | 3u << CN_META_CLASS;
    const cn_touching_rows *t = &sim->touching;
    return (cn_planned_contact){t->bodies[slot], t->records[slot].meta & typed};
}

// The fields that a step changes are left out.
static void copy_joint(cn_planned_joint *to, const cn_simulation *sim, int joint) {
    memset(to, 0, sizeof *to);
    memcpy(&to->data, &sim->joints[joint], sizeof to->data); // with its padding
    memcpy(to->bodies, sim->joint_records[joint].bodies, sizeof to->bodies);
    to->is_alive = cn_is_alive(sim, CN_JOINTS, joint);
    to->data.broken_force = to->data.broken_torque = to->data.coupling.impulse = 0;
    for (int axis = 0; axis < 3; axis++) cn_coordinate_of(&to->data.def, axis)->lower = 0;
}

static cn_planned_settings settings_basis(const cn_simulation *sim) {
    return (cn_planned_settings){sim->tuning, sim->gravity, sim->length_unit, sim->substeps,
                                 sim->sleeping};
}

// Contacts of changed shapes are about to get other types.
static bool has_changed_shapes(const cn_simulation *sim) {
    for (int i = 0; i < sim->dirty_count; i++)
        if (sim->dirty[sim->dirty_shapes[i]] & CN_DIRTY_CHANGED) return true;
    return false;
}

static void take_memory(cn_plan_basis *basis, cn_arena *arena) {
    basis->bodies = cn_take(arena, basis->body_count, sizeof *basis->bodies);
    basis->joints = cn_take(arena, basis->joint_count, sizeof *basis->joints);
    basis->contacts = cn_take(arena, basis->contact_end, sizeof *basis->contacts);
    basis->occupied = cn_take(arena, (basis->contact_end + 63) / 64, sizeof *basis->occupied);
}

bool cn_copy_plan_basis(cn_simulation *sim, cn_plan_basis *basis) {
    cn_arena counter = {0};
    *basis = (cn_plan_basis){
        .settings = settings_basis(sim),
        .body_count = sim->slots[CN_BODIES].end,
        .joint_count = sim->slots[CN_JOINTS].end,
        .contact_end = sim->touching.end,
        .has_changed_shapes = has_changed_shapes(sim),
    };
    take_memory(basis, &counter);
    if (!cn_scratch(sim, counter.used)) return false;
    take_memory(basis, &sim->arena);
    for (int i = 0; i < basis->body_count; i++) basis->bodies[i] = body_basis(sim, i);
    for (int i = 0; i < basis->joint_count; i++) copy_joint(&basis->joints[i], sim, i);
    for (int i = 0; i < basis->contact_end; i++) basis->contacts[i] = contact_basis(sim, i);
    for (int i = 0; i < basis->contact_end; i += 64)
        basis->occupied[i >> 6] = sim->touching.occupied[i >> 6];
    return true;
}

// ---- after

static bool same_joints(const cn_simulation *sim, const cn_plan_basis *basis) {
    if (sim->slots[CN_JOINTS].end != basis->joint_count) return false;
    for (int i = 0; i < basis->joint_count; i++) {
        cn_planned_joint now;
        copy_joint(&now, sim, i);
        if (memcmp(&now, &basis->joints[i], sizeof now) != 0) return false;
    }
    return true;
}

// Gives the bodies their batches back, and finds those that are planned otherwise now. Returns
// false if the masses or types of bodies differ: then contacts are of other types, too.
static bool renew_bodies(cn_simulation *sim, const cn_plan_basis *basis) {
    const uint32_t type = CN_BODY_ALIVE | CN_BODY_MOVES;
    int end = sim->slots[CN_BODIES].end;
    bool same_types = true;
    for (int i = 0; i < cn_max_int(basis->body_count, end); i++) {
        cn_planned_body before = {.batch = -1, .batch_state = -1}, now;
        if (i < basis->body_count) before = basis->bodies[i];
        now = body_basis(sim, i);
        sim->warm[i].batch = before.batch, sim->warm[i].batch_state = before.batch_state;
        bool same = now.flags == before.flags && now.is_compound == before.is_compound &&
                    now.first_joint == before.first_joint;
        same_types = same_types && (i >= basis->body_count || i >= end ||
                                    ((now.flags & type) == (before.flags & type) &&
                                     now.inverse_mass == before.inverse_mass));
        if (!same || before.batch < 0) cn_replan_body(sim, i);
    }
    return same_types;
}

static bool same_contact(const cn_simulation *sim, int slot, cn_planned_contact before) {
    cn_planned_contact now = contact_basis(sim, slot);
    return now.bodies.a == before.bodies.a && now.bodies.b == before.bodies.b &&
           now.meta == before.meta;
}

static void replan_bodies(cn_simulation *sim, cn_contact_bodies bodies) {
    cn_replan_body(sim, bodies.a);
    cn_replan_body(sim, bodies.b);
}

// Marks contacts to be planned that were not there before, or otherwise.
static void renew_contacts(cn_simulation *sim, const cn_plan_basis *basis) {
    cn_touching_rows *t = &sim->touching;
    for (int slot = CN_FIRST_SLOT; slot < cn_max_int(basis->contact_end, t->end); slot++) {
        bool was = slot < basis->contact_end && cn_has_bit(basis->occupied, slot);
        bool is = slot < t->end && cn_has_bit(t->occupied, slot);
        if (!was && !is) continue;
        if (was && is && same_contact(sim, slot, basis->contacts[slot])) continue;
        if (was) replan_bodies(sim, basis->contacts[slot].bodies);
        if (!is) continue;
        cn_update_row_type(sim, slot);
        replan_bodies(sim, t->bodies[slot]);
        cn_set_bit(t->planned, slot);
    }
}

void cn_renew_plan(cn_simulation *sim, const cn_plan_basis *basis) {
    sim->unplanned_count = 0; // the state that was read has no such flags
    cn_planned_settings settings = settings_basis(sim);
    bool same = memcmp(&settings, &basis->settings, sizeof settings) == 0 &&
                !basis->has_changed_shapes && !has_changed_shapes(sim);
    if (same && renew_bodies(sim, basis) && same_joints(sim, basis)) {
        renew_contacts(sim, basis);
        return;
    }
    cn_update_row_types(sim);
    cn_forget_plan(sim);
}
