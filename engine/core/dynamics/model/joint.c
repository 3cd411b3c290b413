/* Joints as data: the lists of a body's joints, the coordinates of a joint, its impulses, and its
 * removal. (Limits, motors and springs: joint_springs.c.)
 *
 * The joints of a body form a list, which is linked through the joints themselves. Each joint is in
 * the lists of its two bodies:
 *
 *     first_joint[a] ──> joint 5 { a next ──> ... , b next ──> ... } <── first_joint[b]
 *
 * cn_joint_links has the same lists backwards, so a joint leaves them at once. It also has a list
 * of the joints that are coupled to a joint. The links follow from the state and are not saved.
 *
 * The coordinates of a joint are x, y and the angle of frame B in frame A. Let c be the vector from
 * anchor A to anchor B, n the unit axis of a coordinate, rA and rB the anchors relative to the
 * centres of mass, v and w the velocities:
 *
 *     x = n . c,    x' = n . (vB - vA) + wB (rB x n) - wA ((rA + c) x n)
 *
 * For x, n is the x axis of frame A. For y, n is the same axis turned by 90 degrees. n turns with
 * A, hence the lever rA + c instead of rA. A polar joint has n = c / |c| for x.
 *
 * The angle counts turns: the solver adds up how far the bodies turn, and cn_joint_angle() returns
 * the exact angle that is nearest to this sum. */
#include "model.h"

// ---- lists

static const cn_joint_links no_links = {{-1, -1}, -1, -1, -1};

void cn_clear_pulls(cn_simulation *sim, int body) {
    if (sim->pulls) sim->pulls[body] = (cn_pull){0};
}

// Returns 0 if the body is A of the joint, 1 if it is B.
static int side_of(const cn_simulation *sim, int joint, int body) {
    return sim->joint_records[joint].bodies[1] == body;
}

// Returns the link from a joint to the next joint of the body.
static int32_t *find_link(const cn_simulation *sim, int joint, int body) {
    return &sim->joints[joint].next[side_of(sim, joint, body)];
}

int cn_joint_next(const cn_simulation *sim, int joint, int body) {
    return *find_link(sim, joint, body);
}

bool cn_reserve_pulls(cn_simulation *sim) {
    int needed = sim->slots[CN_BODIES].capacity;
    return sim->pull_capacity >= needed ||
           cn_fit(&sim->memory, &sim->pulls, &sim->pull_capacity, needed);
}

// Stores which joint comes before a joint (-1: none) in the list of the body.
static void set_previous(cn_simulation *sim, int joint, int body, int previous) {
    if (joint >= 0) sim->joint_links[joint].previous[side_of(sim, joint, body)] = previous;
}

void cn_joint_link(cn_simulation *sim, int joint) {
    const int32_t *bodies = sim->joint_records[joint].bodies;
    uint32_t both = sim->hot[bodies[0]].flags & sim->hot[bodies[1]].flags;
    if (both & CN_BODY_JOINT_REMOVED) sim->may_have_parted = true; // they lost other joints
    sim->joint_links[joint] = no_links;
    for (int k = 0; k < 2; k++) {
        int body = bodies[k], next = sim->first_joint[body];
        sim->joints[joint].next[k] = next;
        set_previous(sim, next, body, joint);
        sim->first_joint[body] = joint;
    }
}

static void unlink_joint(cn_simulation *sim, int joint) {
    for (int k = 0; k < 2; k++) {
        int body = sim->joint_records[joint].bodies[k];
        int next = sim->joints[joint].next[k], previous = sim->joint_links[joint].previous[k];
        *(previous < 0 ? &sim->first_joint[body] : find_link(sim, previous, body)) = next;
        set_previous(sim, next, body, previous);
        if (sim->first_joint[body] < 0) cn_clear_pulls(sim, body);
    }
}

static void link_coupling(cn_simulation *sim, int joint) {
    cn_joint_links *links = sim->joint_links;
    int *first = &links[sim->joints[joint].coupling.other].first_coupled, next = *first;
    links[joint].next_coupled = next, links[joint].previous_coupled = -1;
    if (next >= 0) links[next].previous_coupled = joint;
    *first = joint;
}

static void unlink_coupling(cn_simulation *sim, int joint) {
    cn_joint_links *links = sim->joint_links;
    int next = links[joint].next_coupled, previous = links[joint].previous_coupled;
    int other = sim->joints[joint].coupling.other;
    *(previous < 0 ? &links[other].first_coupled : &links[previous].next_coupled) = next;
    if (next >= 0) links[next].previous_coupled = previous;
}

void cn_store_coupling(cn_simulation *sim, int joint, cn_coupling_row coupling) {
    cn_coupling_row *row = &sim->joints[joint].coupling;
    if (row->other >= 0) unlink_coupling(sim, joint);
    sim->coupling_count += (coupling.other >= 0) - (row->other >= 0);
    *row = coupling;
    sim->joint_load[joint] = (cn_joint_load){0};
    if (row->other >= 0) link_coupling(sim, joint);
}

void cn_find_joint_links(cn_simulation *sim) {
    for (int i = 0; i < sim->slots[CN_JOINTS].end; i++) sim->joint_links[i] = no_links;
    CN_EACH(CN_JOINTS, i, sim) {
        for (int k = 0; k < 2; k++)
            set_previous(sim, sim->joints[i].next[k], sim->joint_records[i].bodies[k], i);
        if (sim->joints[i].coupling.other >= 0) link_coupling(sim, i);
    }
}

int cn_joint_other(const cn_simulation *sim, int joint, int body) {
    const int32_t *bodies = sim->joint_records[joint].bodies;
    return bodies[bodies[0] == body];
}

bool cn_joint_has_dynamic_body(const cn_simulation *sim, int joint) {
    const int32_t *bodies = sim->joint_records[joint].bodies;
    return cn_is_dynamic(&sim->hot[bodies[0]]) || cn_is_dynamic(&sim->hot[bodies[1]]);
}

// True if the joint prevents its body from colliding with the other one.
static bool prevents_collision(const cn_simulation *sim, int joint, int body, int other) {
    const cn_joint_def *def = &sim->joints[joint].def;
    return cn_joint_other(sim, joint, body) == other && !def->disabled && !def->collide_connected;
}

// A joint of both bodies is in both lists. Walks them in step, and ends with the shorter one: one
// of the bodies may be a ground with very many joints.
bool cn_joint_prevents_collision(const cn_simulation *sim, int body_a, int body_b) {
    int a = sim->first_joint[body_a], b = sim->first_joint[body_b];
    while (a >= 0 && b >= 0) {
        if (prevents_collision(sim, a, body_a, body_b) ||
            prevents_collision(sim, b, body_b, body_a))
            return true;
        a = cn_joint_next(sim, a, body_a), b = cn_joint_next(sim, b, body_b);
    }
    return false;
}

void cn_wake_joined(cn_simulation *sim, int body) {
    for (int i = sim->first_joint[body]; i >= 0; i = cn_joint_next(sim, i, body))
        cn_wake_body(sim, cn_joint_other(sim, i, body));
}

void cn_replan_joint(cn_simulation *sim, int joint) {
    for (int k = 0; k < 2; k++) {
        int body = sim->joint_records[joint].bodies[k];
        cn_replan_body(sim, body);
        cn_wake_body(sim, body);
        sim->hot[body].flags |= CN_BODY_SPRINGS_CHANGED;
    }
}

bool cn_joint_has_body(const cn_simulation *sim, int joint, int body) {
    const int32_t *bodies = sim->joint_records[joint].bodies;
    return bodies[0] == body || bodies[1] == body;
}

void cn_replan_joined(cn_simulation *sim, int body) {
    if (!sim->slots[CN_JOINTS].count) return;
    for (int i = sim->first_joint[body]; i >= 0; i = cn_joint_next(sim, i, body)) {
        int other = sim->joints[i].coupling.other;
        cn_replan_joint(sim, i);
        if (other >= 0) cn_replan_joint(sim, other);
        for (int k = sim->joint_links[i].first_coupled; k >= 0;
             k = sim->joint_links[k].next_coupled)
            cn_replan_joint(sim, k);
    }
}

// ---- row types

static bool is_idle(const cn_coordinate *c) {
    return c->mode == CN_FREE && !cn_is_sprung(c) && !c->motor;
}

static bool is_locked_at_zero(const cn_coordinate *c) {
    return c->mode == CN_LOCKED && c->target == 0;
}

cn_row_type cn_joint_row_type(const cn_joint_def *def) {
    bool is_angle_idle = is_idle(&def->angle);
    bool all_idle = is_idle(&def->x) && (def->polar || is_idle(&def->y)) && is_angle_idle;
    if (def->disabled || all_idle) return CN_ROW_NONE;
    if (def->polar || !is_locked_at_zero(&def->x) || !is_locked_at_zero(&def->y))
        return CN_ROW_AXES;
    return is_angle_idle ? CN_ROW_POINT : CN_ROW_POINT_ANGLE;
}

// ---- coordinates

// Returns the angle of frame B in frame A, from -pi to pi.
static float relative_angle(const cn_simulation *sim, int joint) {
    const int32_t *bodies = sim->joint_records[joint].bodies;
    const cn_body_hot *a = &sim->hot[bodies[0]], *b = &sim->hot[bodies[1]];
    const cn_joint_def *def = &sim->joints[joint].def;
    cn_rotation qa = cn_combine((cn_rotation){a->c, a->s}, def->frame_a.rotation);
    cn_rotation qb = cn_combine((cn_rotation){b->c, b->s}, def->frame_b.rotation);
    vec2s turned = cn_unrotate(qa, cn_vec(qb.c, qb.s));
    return cn_atan2(turned.y, turned.x);
}

float cn_joint_angle(const cn_simulation *sim, int joint) {
    float angle = relative_angle(sim, joint), last = sim->joint_records[joint].state.angle;
    return angle + 2 * CN_PI * floorf((last - angle) / (2 * CN_PI) + 0.5f);
}

void cn_update_lever_arms(cn_simulation *sim, int joint) {
    cn_joint_record *record = &sim->joint_records[joint];
    const cn_joint_def *def = &sim->joints[joint].def;
    const cn_body_warm *a = &sim->warm[record->bodies[0]], *b = &sim->warm[record->bodies[1]];
    record->arms[0] = glms_vec2_sub(def->frame_a.position, a->center);
    record->arms[1] = glms_vec2_sub(def->frame_b.position, b->center);
    sim->prepared_joints[joint].h = 0; // prepared again: the masses may have changed, too
}

// Returns the rotation of a body after a turn by `angle`. If the angle is NaN, so is the result:
// such bodies are quarantined (step/kinematics.c).
static cn_rotation rotation_after(const cn_body_hot *body, float angle) {
    return cn_combine(cn_rotation_of_step(angle), (cn_rotation){body->c, body->s});
}

const cn_float4 cn_no_displacement = {0};

cn_lever_arms cn_lever_arms_of(const cn_simulation *sim, int joint, cn_float4 da, cn_float4 db) {
    const cn_joint_record *record = &sim->joint_records[joint];
    const cn_body_hot *a = &sim->hot[record->bodies[0]], *b = &sim->hot[record->bodies[1]];
    const cn_rotation qa = rotation_after(a, da[2]),
                      frame = sim->joints[joint].def.frame_a.rotation;
    return (cn_lever_arms){
        .d = cn_vec((b->x - a->x) + (b->low_x - a->low_x) + (db[0] - da[0]),
                    (b->y - a->y) + (b->low_y - a->low_y) + (db[1] - da[1])),
        .r = {cn_rotate(qa, record->arms[0]), cn_rotate(rotation_after(b, db[2]), record->arms[1])},
        .axis = cn_rotate(qa, cn_vec(frame.c, frame.s)),
    };
}

cn_coordinate_row cn_joint_row(const cn_simulation *sim, int joint, cn_joint_axis axis, cn_float4 a,
                               cn_float4 b) {
    if (axis == CN_JOINT_ANGLE)
        return (cn_coordinate_row){
            .value = cn_joint_angle(sim, joint) + (b[2] - a[2]), .sa = 1, .sb = 1};
    cn_lever_arms arms = cn_lever_arms_of(sim, joint, a, b);
    vec2s c = glms_vec2_sub(glms_vec2_add(arms.d, arms.r[1]), arms.r[0]), n = arms.axis;
    float length = glms_vec2_norm(c);
    if (sim->joints[joint].def.polar && length > 0) n = glms_vec2_scale(c, 1 / length);
    if (axis == CN_JOINT_Y) n = cn_perp(n);
    return (cn_coordinate_row){glms_vec2_dot(n, c), n, cn_cross(glms_vec2_add(arms.r[0], c), n),
                               cn_cross(arms.r[1], n)};
}

// ---- after a step

// Raises the lower limit of a ratchet by whole teeth up to `value`. Returns false if it did not
// change.
static bool advance_ratchet(cn_coordinate *c, float value) {
    bool is_ratchet = c->mode == CN_LIMITED && c->ratchet > 0;
    if (!is_ratchet || !(value >= c->lower + c->ratchet)) return false; // also if the value is NaN
    float teeth = floorf((value - c->lower) / c->ratchet);
    c->lower = cn_min(c->lower + teeth * c->ratchet, c->upper);
    return true;
}

static void break_if_overloaded(cn_simulation *sim, int joint) {
    cn_joint_data *data = &sim->joints[joint];
    float force = glms_vec2_norm(sim->joint_load[joint].force);
    float torque = cn_abs(sim->joint_load[joint].torque);
    if (!(data->def.break_force > 0 && force > data->def.break_force) &&
        !(data->def.break_torque > 0 && torque > data->def.break_torque))
        return;
    data->flags |= CN_JOINT_BROKEN;
    data->broken_force = force, data->broken_torque = torque;
    cn_store_relaxed(&sim->any_broken, true);
}

void cn_joint_after_step(cn_simulation *sim, int joint, const cn_state *a, const cn_state *b) {
    cn_joint_data *data = &sim->joints[joint];
    if (!(data->flags & CN_JOINT_WATCHED)) return;
    for (int i = 0; i < 3; i++) {
        float value = cn_joint_row(sim, joint, (cn_joint_axis)i, a->d, b->d).value;
        if (advance_ratchet(cn_coordinate_of(&data->def, i), value))
            sim->prepared_joints[joint].h = 0;
    }
    break_if_overloaded(sim, joint);
}

void cn_joint_clear_impulses(cn_simulation *sim, int joint) {
    cn_joint_state *state = &sim->joint_records[joint].state;
    *state = (cn_joint_state){.angle = state->angle};
    sim->joints[joint].coupling.impulse = 0;
    sim->joint_load[joint] = (cn_joint_load){0};
}

cn_coordinate_row cn_joint_row_now(const cn_simulation *sim, int joint, int axis) {
    return cn_joint_row(sim, joint, (cn_joint_axis)axis, cn_no_displacement, cn_no_displacement);
}

// ---- removal

// The next step decides again whether the two bodies collide.
void cn_joint_refilter(cn_simulation *sim, int joint) {
    cn_mark_body_dirty(sim, sim->joint_records[joint].bodies[1], CN_DIRTY_CHANGED);
}

// Marks both bodies if the joint kept them from colliding. If they overlap deeply, they do not
// collide until they part (must_part_first() in pairs/one_way.c).
void cn_joint_mark_removed(cn_simulation *sim, int joint) {
    const cn_joint_def *def = &sim->joints[joint].def;
    for (int k = 0; k < 2 && !def->disabled && !def->collide_connected; k++) {
        cn_body_hot *hot = &sim->hot[sim->joint_records[joint].bodies[k]];
        if (cn_is_dynamic(hot) && hot->flags & CN_BODY_ENABLED) hot->flags |= CN_BODY_JOINT_REMOVED;
    }
    sim->may_have_parted = true;
}

// Forgets the surfaces that a static body of the joint shares with others.
void cn_joint_forget_surfaces(cn_simulation *sim, int joint) {
    for (int k = 0; k < 2; k++) cn_forget_body_surfaces(sim, sim->joint_records[joint].bodies[k]);
}

static void remove_coupling(cn_simulation *sim, int joint) {
    cn_store_coupling(sim, joint, (cn_coupling_row){.other = -1});
    cn_replan_joint(sim, joint);
}

// Removes the coupling of this joint and the couplings to it.
static void remove_couplings(cn_simulation *sim, int joint) {
    if (sim->joints[joint].coupling.other >= 0) remove_coupling(sim, joint);
    while (sim->joint_links[joint].first_coupled >= 0)
        remove_coupling(sim, sim->joint_links[joint].first_coupled);
}

void cn_remove_joint(cn_simulation *sim, int joint) {
    remove_couplings(sim, joint);
    cn_replan_joint(sim, joint);
    cn_joint_mark_removed(sim, joint);
    cn_joint_refilter(sim, joint);
    if (!sim->joints[joint].def.collide_connected) cn_joint_forget_surfaces(sim, joint);
    unlink_joint(sim, joint);
    cn_retire_slot(sim, CN_JOINTS, joint);
}

void cn_remove_broken_joints(cn_simulation *sim) {
    for (int i = 0; cn_load_relaxed(&sim->any_broken) && i < sim->slots[CN_JOINTS].end; i++) {
        const cn_joint_data *joint = &sim->joints[i];
        if (!(joint->flags & CN_JOINT_BROKEN)) continue;
        sim->broken[sim->broken_count++] =
            (cn_break_event_row){i, joint->broken_force, joint->broken_torque};
        cn_remove_joint(sim, i);
    }
    cn_store_relaxed(&sim->any_broken, false);
}
