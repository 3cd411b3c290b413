/* Mass, centre of mass and inertia of a body, and the measures of its shapes that depend on them.
 *
 * When the mass changes, the origin and the motion of the material stay the same. The centre moves
 * to another point of the body, so it gets the velocity of that point: v + w x (new - old).
 *
 * The mass of a dynamic body is the sum over its shapes, in the order of their list. A sum in each
 * edit would take quadratic time for n shapes. So an edit of a body with several shapes only sets
 * CN_BODY_EDITED, and the rows keep the previous mass:
 *
 *   - An appended shape (CN_SHAPE_UNCOUNTED) continues the sum. Each one moves the centre.
 *   - After any other edit (CN_BODY_RECOUNTS) the sum begins anew. The centre moves once.
 *
 * The sum follows from the rows and these flags, which are saved. So it makes no difference when
 * it is computed:
 *
 *   cn_settled_mass(), cn_settled_body()   read it, and keep it in cn_body_edit for later reads
 *   cn_settle_body()     writes it to the rows, for calls that depend on the mass of a body
 *   cn_settle_bodies()   writes all of them at the start of a step; if the step fails,
 *                        cn_unsettle_bodies() restores the rows */
#include "model.h"

// The same as CN_BOX_ROUNDING, for the distance of the farthest point of a box.
#define REACH_ROUNDING (16 * FLT_EPSILON)

// ---- sums

// By the parallel axis theorem, about the common centre the parts add ma mb / (ma + mb) d^2 to the
// inertia, with d the distance of their centres.
cn_mass_data cn_add_mass(cn_mass_data a, cn_mass_data b) {
    float mass = a.mass + b.mass;
    if (mass == 0) return a;
    float fraction_b = b.mass / mass;
    vec2s d = glms_vec2_sub(b.center, a.center);
    return (cn_mass_data){
        .mass = mass,
        .inertia = a.inertia + b.inertia + a.mass * fraction_b * glms_vec2_dot(d, d),
        .center = glms_vec2_add(a.center, glms_vec2_scale(d, fraction_b)),
    };
}

cn_mass_data cn_shape_mass(const cn_simulation *sim, int shape) {
    cn_hull outline = cn_outline_of(sim, shape);
    return cn_mass_of(&outline, sim->shapes[shape].density);
}

cn_mass_data cn_mass_of_shapes(const cn_simulation *sim, int body, int changed,
                               const cn_mass_data *part) {
    cn_mass_data sum = {0};
    CN_EACH_SHAPE(i, sim, body) {
        if (i == changed || sim->shapes[i].density == 0) continue;
        sum = cn_add_mass(sum, cn_shape_mass(sim, i));
    }
    return part ? cn_add_mass(sum, *part) : sum;
}

// Returns the sum over the shapes up to the last one given.
static cn_mass_data mass_through(const cn_simulation *sim, int body, int last) {
    cn_mass_data sum = {0};
    CN_EACH_SHAPE(i, sim, body) {
        if (sim->shapes[i].density != 0) sum = cn_add_mass(sum, cn_shape_mass(sim, i));
        if (i == last) break;
    }
    return sum;
}

// True if the shapes give the body a valid mass: then the mass is their sum.
static bool is_sum(cn_mass_data mass) { return cn_min(mass.mass, mass.inertia) >= FLT_MIN; }

// A dynamic body needs a mass with a finite inverse. If its shapes do not give it one, it is a
// point at its origin with the mass of a square metre of the default density.
static cn_mass_data sum_or_point(const cn_simulation *sim, cn_mass_data sum) {
    return is_sum(sum) ? sum : (cn_mass_data){.mass = sim->length_unit * sim->length_unit};
}

// ---- the centre moves

static cn_counted_mass counted_in_rows(const cn_simulation *sim, int body) {
    const cn_body_hot *hot = &sim->hot[body];
    const cn_body_warm *warm = &sim->warm[body];
    return (cn_counted_mass){{warm->mass, warm->inertia, warm->center},
                             cn_vec(hot->x, hot->y),
                             cn_vec(hot->vx, hot->vy)};
}

// Returns what another mass makes of the centre of a body. The body stays where it is. Its motion
// stays the same, unless the velocity of the new centre would exceed CN_MAX_SPEED: then the
// velocity stays.
static cn_counted_mass with_mass(const cn_body_hot *hot, cn_counted_mass before,
                                 cn_mass_data mass) {
    cn_counted_mass after = before;
    after.mass.mass = mass.mass, after.mass.inertia = mass.inertia;
    if (glms_vec2_eqv(before.mass.center, mass.center)) return after;
    vec2s shift = glms_vec2_sub(mass.center, before.mass.center);
    shift = cn_rotate((cn_rotation){hot->c, hot->s}, shift);
    after.mass.center = mass.center;
    after.position = glms_vec2_add(before.position, shift);
    vec2s moved = glms_vec2_add(before.velocity, cn_spin(hot->w, shift));
    if (!(hot->flags & CN_BODY_MOVES) ||
        !(cn_max(cn_abs(moved.x), cn_abs(moved.y)) <= CN_MAX_SPEED))
        return after;
    if (!(hot->flags & CN_BODY_LOCK_X)) after.velocity.x = moved.x;
    if (!(hot->flags & CN_BODY_LOCK_Y)) after.velocity.y = moved.y;
    return after;
}

// ---- measures

// True if all of a box lies within a distance of a point of the body, rounding included. (For other
// hulls this is not known without their vertices.)
static bool is_box_within(const cn_simulation *sim, int shape, vec2s center, float distance) {
    const cn_placed_hull *placed = &sim->placed[shape];
    if (cn_placed_class(placed) != CN_CLASS_BOX) return false;
    vec2s place = sim->shapes[shape].pose.position;
    float reach = glms_vec2_distance(place, center) + placed->hx + placed->hy + placed->radius;
    float size = cn_abs(place.x) + cn_abs(place.y) + cn_abs(center.x) + cn_abs(center.y) + reach;
    return reach + REACH_ROUNDING * size < distance;
}

// Returns how far a shape reaches from the centre of mass.
static float measure_reach(const cn_simulation *sim, int body, int shape) {
    cn_hull outline = cn_outline_of(sim, shape);
    float reach = 0;
    for (int k = 0; k < outline.count; k++)
        reach = cn_max(reach, glms_vec2_distance(outline.vertices[k], sim->warm[body].center) +
                                  outline.radius);
    return reach;
}

static float measure_extent(const cn_simulation *sim, int body) {
    float extent = 0;
    CN_EACH_SHAPE(i, sim, body) {
        if (!is_box_within(sim, i, sim->warm[body].center, extent))
            extent = cn_max(extent, measure_reach(sim, body, i));
    }
    return extent;
}

static float inner_radius(const cn_simulation *sim, int shape) {
    cn_hull outline = cn_outline_of(sim, shape);
    return cn_inner_radius(&outline);
}

// Returns the part of the smallest inner radius that a body may move without a sweep.
static float sweep_fraction(const cn_body_hot *hot) {
    return hot->flags & CN_BODY_BULLET ? CN_BULLET_FRACTION : 1;
}

// Stores how far the shapes reach, and how far the body may move without a sweep: by the smallest
// inner radius. A body without shapes may move any distance.
static void store_measures(cn_simulation *sim, int body, float extent, float inner) {
    cn_motion *motion = &sim->motions[body];
    sim->warm[body].extent = extent;
    motion->ccd_threshold = inner * sweep_fraction(&sim->hot[body]);
    motion->ccd_reach = cn_max(extent - inner, 0);
    sim->min_ccd_threshold = cn_min(sim->min_ccd_threshold, motion->ccd_threshold);
}

static void measure_shapes(cn_simulation *sim, int body) {
    float inner = FLT_MAX;
    CN_EACH_SHAPE(i, sim, body) inner = cn_min(inner, inner_radius(sim, i));
    store_measures(sim, body, measure_extent(sim, body), inner);
}

// Enlarges the measures of the body by a further shape. The centre of mass stays.
static void measure_further(cn_simulation *sim, int body, int shape) {
    float inner = sim->motions[body].ccd_threshold / sweep_fraction(&sim->hot[body]);
    float extent = cn_max(sim->warm[body].extent, measure_reach(sim, body, shape));
    store_measures(sim, body, extent, cn_min(inner, inner_radius(sim, shape)));
}

// ---- the rows

static void store_inverses(cn_body_hot *hot, cn_mass_data mass) {
    bool turns = mass.inertia > 0 && !(hot->flags & CN_BODY_LOCK_ROTATION);
    hot->inverse_mass = cn_is_dynamic(hot) && !cn_is_pinned(hot) ? 1 / mass.mass : 0;
    hot->inverse_inertia = cn_is_dynamic(hot) && turns ? 1 / mass.inertia : 0;
}

// Prepares the joints of the body again. If a spring has a stiffness, its strength follows
// from the mass, and other joints of its other body depend on this strength.
static void update_lever_arms(cn_simulation *sim, int body) {
    for (int i = sim->first_joint[body]; i >= 0; i = cn_joint_next(sim, i, body)) {
        int other = cn_joint_other(sim, i, body);
        cn_update_lever_arms(sim, i);
        if (!cn_joint_has_stiffness(&sim->joints[i].def)) continue;
        for (int k = sim->first_joint[other]; k >= 0; k = cn_joint_next(sim, k, other))
            sim->prepared_joints[k].h = 0;
    }
}

void cn_update_inverse_mass(cn_simulation *sim, int body) {
    const cn_body_warm *warm = &sim->warm[body];
    store_inverses(&sim->hot[body], (cn_mass_data){warm->mass, warm->inertia, warm->center});
    update_lever_arms(sim, body);
    sim->warm[body].extent = 0;
    if (sim->hot[body].flags & CN_BODY_MOVES) measure_shapes(sim, body);
}

static void store_counted(cn_simulation *sim, int body, const cn_counted_mass *c) {
    cn_body_hot *hot = &sim->hot[body];
    cn_body_warm *warm = &sim->warm[body];
    warm->mass = c->mass.mass, warm->inertia = c->mass.inertia, warm->center = c->mass.center;
    hot->x = c->position.x, hot->y = c->position.y;
    hot->vx = c->velocity.x, hot->vy = c->velocity.y;
}

void cn_set_mass(cn_simulation *sim, int body, cn_mass_data mass) {
    const cn_body_hot *hot = &sim->hot[body];
    bool moves = !glms_vec2_eqv(sim->warm[body].center, mass.center);
    cn_counted_mass counted = with_mass(hot, counted_in_rows(sim, body), mass);
    store_counted(sim, body, &counted);
    if (moves && !(hot->flags & CN_BODY_MOVES))
        cn_expect_known_surfaces(sim); // the pose of a static body is rounded anew
    cn_update_inverse_mass(sim, body);
}

void cn_update_mass(cn_simulation *sim, int body) {
    if (sim->hot[body].flags & CN_BODY_USER_MASS) {
        cn_update_inverse_mass(sim, body);
        return;
    }
    bool dynamic = cn_is_dynamic(&sim->hot[body]);
    cn_mass_data sum = dynamic ? cn_mass_of_shapes(sim, body, -1, NULL) : (cn_mass_data){0};
    cn_set_mass(sim, body, dynamic ? sum_or_point(sim, sum) : sum);
}

// ---- the mass of an edited body

static bool is_known(const cn_body_edit *edit) {
    return atomic_load_explicit(&edit->is_known, memory_order_acquire);
}

static void set_known(cn_body_edit *edit, bool known) {
    atomic_store_explicit(&edit->is_known, known, memory_order_release);
}

// Adds a shape of an edited body to the sum. All shapes before it in the list must be in the sum.
static void count_shape(const cn_simulation *sim, int body, cn_counted_mass *counted, int shape) {
    const cn_body_hot *hot = &sim->hot[body];
    if (sim->shapes[shape].density == 0) return;
    cn_mass_data sum = is_sum(counted->mass) ? cn_add_mass(counted->mass, cn_shape_mass(sim, shape))
                                             : sum_or_point(sim, mass_through(sim, body, shape));
    bool anew = hot->flags & CN_BODY_RECOUNTS;
    *counted = with_mass(hot, anew ? counted_in_rows(sim, body) : *counted, sum);
}

static cn_counted_mass count_shapes(const cn_simulation *sim, int body) {
    cn_counted_mass counted = counted_in_rows(sim, body);
    const cn_body_hot *hot = &sim->hot[body];
    if (!cn_mass_follows_shapes(hot)) return counted;
    if (hot->flags & CN_BODY_RECOUNTS) {
        cn_mass_data sum = cn_mass_of_shapes(sim, body, -1, NULL);
        return with_mass(hot, counted, sum_or_point(sim, sum));
    }
    CN_EACH_SHAPE(i, sim, body) {
        if (sim->shapes[i].flags & CN_SHAPE_UNCOUNTED) count_shape(sim, body, &counted, i);
    }
    return counted;
}

// Several threads may read a body at once. The first one sums up under the lock. A thread that
// reads `is_known` (acquire) sees all that was written before it was set (release).
static const cn_counted_mass *counted_of(const cn_simulation *shared, int body) {
    cn_simulation *sim = (cn_simulation *)shared; // what is written is not part of the state
    cn_body_edit *edit = &sim->edits[body];
    if (is_known(edit)) return &edit->counted;
    cn_lock(&sim->lock);
    if (!is_known(edit)) {
        edit->counted = count_shapes(sim, body);
        set_known(edit, true);
    }
    cn_unlock(&sim->lock);
    return &edit->counted;
}

static bool is_edited(const cn_simulation *sim, int body) {
    return sim->hot[body].flags & CN_BODY_EDITED;
}

bool cn_is_mass_known(const cn_simulation *sim, int body) {
    return !is_edited(sim, body) || is_known(&sim->edits[body]);
}

cn_counted_mass cn_settled_mass(const cn_simulation *sim, int body) {
    return is_edited(sim, body) ? *counted_of(sim, body) : counted_in_rows(sim, body);
}

cn_body_hot cn_settled_body(const cn_simulation *sim, int body) {
    cn_body_hot hot = sim->hot[body];
    if (!is_edited(sim, body)) return hot;
    const cn_counted_mass *c = counted_of(sim, body);
    hot.x = c->position.x, hot.y = c->position.y;
    hot.vx = c->velocity.x, hot.vy = c->velocity.y;
    store_inverses(&hot, c->mass);
    return hot;
}

vec2s cn_settled_offset(const cn_simulation *sim, int shape) {
    const cn_shape_link *link = &sim->links[shape];
    if (!is_edited(sim, link->body)) return link->offset;
    const cn_body_hot *hot = &sim->hot[link->body];
    vec2s center = counted_of(sim, link->body)->mass.center;
    return cn_rotate((cn_rotation){hot->c, hot->s},
                     glms_vec2_sub(sim->shapes[shape].pose.position, center));
}

cn_mass_data cn_mass_with(const cn_simulation *sim, int body, cn_mass_data part) {
    cn_mass_data mass = cn_settled_mass(sim, body).mass;
    bool is_continued = cn_mass_follows_shapes(&sim->hot[body]) && is_sum(mass);
    return is_continued ? cn_add_mass(mass, part) : cn_mass_of_shapes(sim, body, -1, &part);
}

// Returns mass and inertia about the origin of the body's frame.
static cn_mass_data about_origin(cn_mass_data m) {
    float inertia = m.inertia + m.mass * glms_vec2_dot(m.center, m.center);
    return (cn_mass_data){.mass = m.mass, .inertia = inertia};
}

cn_mass_data cn_mass_bound(const cn_simulation *sim, int body, cn_mass_data part) {
    cn_mass_data most, more = about_origin(part);
    if (cn_is_mass_known(sim, body)) {
        cn_mass_data mass = cn_settled_mass(sim, body).mass;
        most = is_sum(mass) ? about_origin(mass) : (cn_mass_data){.mass = FLT_MAX};
    } else {
        const cn_body_edit *edit = &sim->edits[body];
        most = (cn_mass_data){.mass = edit->max_mass, .inertia = edit->max_inertia};
    }
    return (cn_mass_data){.mass = most.mass + more.mass, .inertia = most.inertia + more.inertia};
}

// ---- edits

// Marks the body as edited. Before the first edit, the mass in its rows is the sum.
static cn_body_edit *begin_edit(cn_simulation *sim, int body) {
    cn_body_edit *edit = &sim->edits[body];
    if (!is_edited(sim, body)) {
        edit->counted = counted_in_rows(sim, body);
        set_known(edit, true);
    }
    sim->hot[body].flags |= CN_BODY_EDITED;
    if (!edit->is_listed) sim->edits[sim->edited_count++].listed = body;
    edit->is_listed = true;
    return edit;
}

static void store_bound(cn_body_edit *edit, cn_mass_data most) {
    edit->max_mass = most.mass, edit->max_inertia = most.inertia;
}

bool cn_append_mass(cn_simulation *sim, int body, int shape) {
    const cn_body_hot *hot = &sim->hot[body];
    if (!(hot->flags & CN_BODY_MOVES)) return false;
    measure_further(sim, body, shape);
    if (!cn_is_dynamic(hot)) return false;
    bool follows = cn_mass_follows_shapes(hot), anew = hot->flags & CN_BODY_RECOUNTS;
    cn_body_edit *edit = begin_edit(sim, body);
    if (follows && !anew) counted_of(sim, body); // without the new shape
    sim->shapes[shape].flags |= CN_SHAPE_UNCOUNTED;
    if (!follows || sim->shapes[shape].density == 0) return false;
    if (!is_known(edit)) {
        store_bound(edit, cn_mass_bound(sim, body, cn_shape_mass(sim, shape)));
        return true;
    }
    vec2s before = edit->counted.mass.center;
    count_shape(sim, body, &edit->counted, shape);
    return anew || !glms_vec2_eqv(before, edit->counted.mass.center);
}

bool cn_recount_mass(cn_simulation *sim, int body, int shape, bool counts) {
    const cn_body_hot *hot = &sim->hot[body];
    if (!(hot->flags & CN_BODY_MOVES)) return false;
    if (shape >= 0) measure_further(sim, body, shape);
    cn_body_edit *edit = begin_edit(sim, body);
    if (!counts || !cn_mass_follows_shapes(hot)) return false;
    cn_mass_data part = shape >= 0 ? cn_shape_mass(sim, shape) : (cn_mass_data){0};
    store_bound(edit, cn_mass_bound(sim, body, part));
    sim->hot[body].flags |= CN_BODY_RECOUNTS;
    set_known(edit, false);
    return true;
}

// ---- settling

// Writes the mass and what follows from it to the rows. The shapes and their boxes stay in place.
static void write_counted(cn_simulation *sim, int body, const cn_counted_mass *counted) {
    bool moves = !glms_vec2_eqv(sim->warm[body].center, counted->mass.center);
    store_counted(sim, body, counted);
    store_inverses(&sim->hot[body], counted->mass);
    update_lever_arms(sim, body);
    if (!moves) return;
    CN_EACH_SHAPE(i, sim, body) {
        cn_place_shape(sim, body, i);
        sim->box_slack[i] = 0; // so that the next move checks its box
    }
}

// Settles an edited body, and keeps the previous values for unsettle().
static void settle(cn_simulation *sim, int body) {
    cn_body_edit *edit = &sim->edits[body];
    const cn_counted_mass counted = *counted_of(sim, body);
    edit->counted = counted_in_rows(sim, body);
    edit->extent = sim->warm[body].extent;
    edit->ccd_threshold = sim->motions[body].ccd_threshold;
    edit->ccd_reach = sim->motions[body].ccd_reach;
    edit->is_settled = true;
    sim->hot[body].flags &= ~(uint32_t)CN_BODY_EDITED;
    write_counted(sim, body, &counted);
    measure_shapes(sim, body);
    if (cn_is_dynamic(&sim->hot[body])) cn_replan_body(sim, body);
}

static void unsettle(cn_simulation *sim, int body) {
    cn_body_edit *edit = &sim->edits[body];
    const cn_counted_mass counted = counted_in_rows(sim, body);
    write_counted(sim, body, &edit->counted);
    edit->counted = counted;
    edit->is_settled = false;
    sim->warm[body].extent = edit->extent;
    sim->motions[body].ccd_threshold = edit->ccd_threshold;
    sim->motions[body].ccd_reach = edit->ccd_reach;
    sim->hot[body].flags |= CN_BODY_EDITED;
}

// After this, the settled body can no longer be unsettled.
static void end_edit(cn_simulation *sim, int body) {
    cn_body_edit *edit = &sim->edits[body];
    sim->hot[body].flags &= ~(uint32_t)CN_BODY_RECOUNTS;
    CN_EACH_SHAPE(i, sim, body) sim->shapes[i].flags &= ~(uint32_t)CN_SHAPE_UNCOUNTED;
    edit->is_settled = false;
    edit->woken = 0;
    set_known(edit, false);
}

void cn_settle_body(cn_simulation *sim, int body) {
    if (!is_edited(sim, body)) return;
    settle(sim, body);
    end_edit(sim, body);
}

void cn_settle_bodies(cn_simulation *sim) {
    for (int i = 0; i < sim->edited_count; i++)
        if (is_edited(sim, sim->edits[i].listed)) settle(sim, sim->edits[i].listed);
}

void cn_unsettle_bodies(cn_simulation *sim) {
    for (int i = 0; i < sim->edited_count; i++)
        if (sim->edits[sim->edits[i].listed].is_settled) unsettle(sim, sim->edits[i].listed);
}

// `listed` stays: it is an entry of the list, of any body.
static void clear_edit(cn_simulation *sim, int body) {
    sim->edits[body] = (cn_body_edit){.listed = sim->edits[body].listed};
}

void cn_end_edits(cn_simulation *sim) {
    for (int i = 0; i < sim->edited_count; i++) {
        int body = sim->edits[i].listed;
        if (sim->edits[body].is_settled) end_edit(sim, body);
        clear_edit(sim, body);
    }
    sim->edited_count = 0;
}

void cn_forget_edits(cn_simulation *sim) {
    for (int i = 0; i < sim->edited_count; i++) clear_edit(sim, sim->edits[i].listed);
    sim->edited_count = 0;
}

void cn_find_edits(cn_simulation *sim) {
    sim->sleep_revision = 1;
    for (int i = 0; i < sim->slots[CN_BODIES].end; i++) {
        if (!is_edited(sim, i) || !cn_is_alive(sim, CN_BODIES, i)) continue;
        sim->edits[i] = (cn_body_edit){.max_mass = FLT_MAX, .is_listed = true};
        sim->edits[sim->edited_count++].listed = i;
    }
}
