/* What still moves an island whose bodies are all slow. The island falls asleep only if nothing
 * moves it.
 *
 * An island is at rest if its bodies would stay where they are after they were stopped. Two things
 * could move them:
 *
 *   - A drive, which gives two bodies a relative velocity: a moving kinematic body, a moving
 *     surface, or the motor or spring of a joint. It moves the island if the bodies follow it. A
 *     motor at the limit of its joint, a spring that carries a load, and a conveyor below a box
 *     that leans on a wall move nothing.
 *   - A force that nothing balances. A body that it accelerated has the flag CN_BODY_PULLED
 *     (solver/finish_kernel.c): a ball at the highest point of its path, a pendulum, a body in free
 *     flight. A body that contacts support at two points only sways on its soft contacts, about
 *     the place where it stays. A body supports another if it is supported itself and does not
 * press it down: a box on a cart goes where the cart goes, and does not support it. */
#include "step.h"

// ---- contacts

typedef struct {
    float friction, surface_speed; // in this step
} contact_values;

static contact_values values_in_step(const cn_simulation *sim, int slot) {
    const cn_contact_values *given = sim->contact_values.items;
    const cn_contact_record *record = &sim->touching.records[slot];
    if (sim->pre_solve && given[slot].is_given != 0)
        return (contact_values){given[slot].friction, given[slot].surface_speed};
    if (!(record->meta & CN_META_RARE_MATERIAL)) return (contact_values){record->friction, 0};
    return (contact_values){record->friction,
                            cn_surface_speed_of(sim, &sim->touching.anchors[slot])};
}

// True if a moving surface moves one body of the contact along the other.
static bool is_conveyed(const cn_simulation *sim, int slot) {
    float surface = values_in_step(sim, slot).surface_speed;
    if (surface == 0) return false;
    const cn_contact_bodies *bodies = &sim->touching.bodies[slot];
    const cn_body_hot *a = &sim->hot[bodies->a], *b = &sim->hot[bodies->b];
    float speed = glms_vec2_norm(cn_vec(b->vx - a->vx, b->vy - a->vy));
    float turn = cn_abs(b->w - a->w) * sim->warm[bodies->b].extent; // a ball rolls
    return cn_follows(sim, bodies->b, speed + turn, cn_abs(surface));
}

// ---- joints

// Returns the velocity of a coordinate of a joint.
static float rate_of(const cn_simulation *sim, int joint, const cn_coordinate_row *r) {
    const int32_t *bodies = sim->joint_records[joint].bodies;
    const cn_body_hot *a = &sim->hot[bodies[0]], *b = &sim->hot[bodies[1]];
    return r->n.x * (b->vx - a->vx) + r->n.y * (b->vy - a->vy) + b->w * r->sb - a->w * r->sa;
}

// True if the motor or the spring of a coordinate moves it, as seen from a body of the joint.
static bool is_driven_along(const cn_simulation *sim, int joint, int axis, int body) {
    const cn_coordinate *c = cn_coordinate_of(&sim->joints[joint].def, axis);
    bool has_motor = c->motor && c->motor_speed != 0, has_spring = cn_is_sprung(c);
    if (c->mode == CN_LOCKED || !(has_motor || has_spring)) return false;
    cn_coordinate_row row = cn_joint_row_now(sim, joint, axis);
    float reach = axis == CN_JOINT_ANGLE ? sim->warm[body].extent : 1; // m for a unit
    float rate = rate_of(sim, joint, &row), speed = cn_abs(rate) * reach;
    bool to_speed = (c->motor_speed > 0) == (rate > 0);
    return (has_motor && to_speed &&
            cn_follows(sim, body, speed, cn_abs(c->motor_speed) * reach)) ||
           (has_spring && cn_follows(sim, body, speed, FLT_MAX));
}

static bool is_driven_by_joints(const cn_simulation *sim, int body) {
    for (int i = sim->first_joint[body]; i >= 0; i = cn_joint_next(sim, i, body)) {
        const cn_body_hot *other = &sim->hot[cn_joint_other(sim, i, body)];
        if (sim->joints[i].row_type == CN_ROW_NONE || !(other->flags & CN_BODY_ENABLED)) continue;
        for (int axis = CN_JOINT_X; axis <= CN_JOINT_ANGLE; axis++)
            if (is_driven_along(sim, i, axis, body)) return true;
    }
    return false;
}

// ---- forces

// Returns the number of points at which a contact presses, if friction holds its surfaces together.
static int points_that_grip(const cn_simulation *sim, int slot) {
    const cn_contact_record *record = &sim->touching.records[slot];
    bool two = cn_points_of(record->meta) > 1;
    float normal = record->ln1 + (two ? record->ln2 : 0);
    if (!(cn_abs(record->lt) < values_in_step(sim, slot).friction * normal)) return 0;
    return (record->ln1 > 0) + (two && record->ln2 > 0);
}

// True if a body presses the other one down, more than sideways.
static bool presses_down(const cn_simulation *sim, int slot, bool is_b) {
    const cn_contact_record *record = &sim->touching.records[slot];
    vec2s push = cn_vec(record->nx, record->ny); // on B
    float along = glms_vec2_dot(push, sim->gravity) * (is_b ? 1.0f : -1.0f);
    return along > cn_abs(glms_vec2_cross(push, sim->gravity));
}

// Adds the points at which a contact supports its body A or B.
static void add_points(cn_simulation *sim, int slot, bool is_b) {
    cn_contact_bodies pair = sim->touching.bodies[slot];
    int body = is_b ? pair.b : pair.a, bearer = is_b ? pair.a : pair.b;
    int points = points_that_grip(sim, slot);
    if (points == 0 || presses_down(sim, slot, is_b) ||
        cn_has_bit(cn_bits_of(sim, CN_SET_LOOSE), bearer))
        return;
    bool enough = points > 1 || cn_has_bit(cn_bits_of(sim, CN_SET_TOUCHED), body);
    cn_set_bit(cn_bits_of(sim, enough ? CN_SET_SUPPORTED : CN_SET_TOUCHED), body);
}

static void clear_listed(cn_simulation *sim, cn_body_set set) {
    for (int i = 0; i < sim->lost_slots.count; i++) {
        cn_contact_bodies pair = sim->touching.bodies[sim->lost_slots.items[i]];
        cn_clear_bit(cn_bits_of(sim, set), pair.a), cn_clear_bit(cn_bits_of(sim, set), pair.b);
    }
}

// Adds the bodies that the listed contacts do not support to CN_SET_LOOSE. A loose body supports
// no other, and a body with a joint goes where the joint lets it. Returns how many were added.
static int find_loose(cn_simulation *sim, const int *bodies, int count) {
    uint64_t *loose = cn_bits_of(sim, CN_SET_LOOSE);
    int added = 0;
    for (int i = 0; i < sim->lost_slots.count; i++)
        for (int is_b = 0; is_b < 2; is_b++) add_points(sim, sim->lost_slots.items[i], is_b);
    for (int i = 0; i < count; i++) {
        bool stays = sim->first_joint[bodies[i]] < 0 &&
                     cn_has_bit(cn_bits_of(sim, CN_SET_SUPPORTED), bodies[i]);
        if (stays || cn_has_bit(loose, bodies[i])) continue;
        cn_set_bit(loose, bodies[i]);
        added++;
    }
    clear_listed(sim, CN_SET_TOUCHED);
    clear_listed(sim, CN_SET_SUPPORTED);
    return added;
}

// True if a force accelerated one of the bodies that are in CN_SET_LOOSE, or of all.
static bool any_pulled(const cn_simulation *sim, const int *bodies, int count, bool loose) {
    for (int i = 0; i < count; i++)
        if (sim->hot[bodies[i]].flags & CN_BODY_PULLS &&
            (!loose || cn_has_bit(cn_bits_of(sim, CN_SET_LOOSE), bodies[i])))
            return true;
    return false;
}

bool cn_is_pulled(cn_simulation *sim, const int *bodies, int count) {
    if (!any_pulled(sim, bodies, count, false)) return false;
    bool pulled = false;
    while (!pulled && find_loose(sim, bodies, count) > 0)
        pulled = any_pulled(sim, bodies, count, true);
    for (int i = 0; i < count; i++) cn_clear_bit(cn_bits_of(sim, CN_SET_LOOSE), bodies[i]);
    return pulled;
}

// ---- the island

bool cn_is_moved_by_kinematic(const cn_simulation *sim, const int *bodies, int count) {
    for (int i = 0; i < sim->lost_slots.count; i++)
        if (cn_is_moving_kinematic(&sim->hot[sim->touching.bodies[sim->lost_slots.items[i]].a]))
            return true;
    for (int i = 0; i < count; i++)
        for (int k = sim->first_joint[bodies[i]]; k >= 0; k = cn_joint_next(sim, k, bodies[i]))
            if (cn_is_moving_kinematic(&sim->hot[cn_joint_other(sim, k, bodies[i])])) return true;
    return false;
}

bool cn_is_driven(const cn_simulation *sim, const int *bodies, int count) {
    if (cn_is_moved_by_kinematic(sim, bodies, count)) return true;
    for (int i = 0; i < sim->lost_slots.count; i++)
        if (is_conveyed(sim, sim->lost_slots.items[i])) return true;
    for (int i = 0; sim->slots[CN_JOINTS].count && i < count; i++)
        if (is_driven_by_joints(sim, bodies[i])) return true;
    return false;
}
