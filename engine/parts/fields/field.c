/* Fields: sensors with a medium that acts on the bodies inside.
 *
 * Before a step changes anything, cn_find_field_pairs() lists the shapes near fields, by body.
 * cn_apply_fields() adds the forces of all fields on a body to the forces of the user, which are
 * constant during a step. Attraction is the exception: it depends strongly on the position, so the
 * solver computes it in each substep (cn_attract_bodies()).
 *
 * The forces are those at the pose that the body has in the middle of the step if its velocity does
 * not change. Together with the exact free flight of the solver this is the leapfrog method (drift,
 * kick, drift), which conserves energy. The kick solves
 *
 *      (M + X + Z + Z M^-1 Z) dv = dt F,       Z = dt^2 K / 12
 *
 *      dv  the change of the velocity
 *      dt  the time step
 *      M   mass and inertia
 *      F   force: gravity, the user's forces, buoyancy, drag, acceleration, attraction
 *      X   the implicit part of the drag
 *      K   the stiffness of buoyancy and attraction: change of force per displacement
 *
 * The terms in Z make an oscillation stable at any stiffness, because with z = dt^2 K / 12 M the
 * value of dt^2 K / M / (1 + z + z^2) is at most 4. They also make the frequency w of the
 * oscillation exact up to the fourth order of dt. Both follow from the leapfrog relation
 * 2 - 2 cos(w dt) = dt^2 K / M / (1 + z + z^2).
 *
 * The exact decay of a velocity v under the drag k and a constant force F is
 *
 *      dv = m dt (F / M - k v),        m = (1 - e^-x) / x,  x = k dt
 *
 * so X = M (1/m - 1), where 1/m - 1 is cn_implicit_decay(x). The drags of several fields and shapes
 * are a force -D v with one matrix D. Their rates k add up, and X = dt D (1/m - 1) / x. So the
 * velocity decays exactly, also in fields that overlap. If drags act at several points of a body,
 * or if it turns, the decay is not exact but stable: X is at least half of dt D, the value of the
 * implicit Euler method. */
#include "fields.h"

#include "../../core/dynamics/step/sensor.h"

// The work of finding pairs, in boxes that a search visits.
enum {
    SEARCH_WORK = 20, // a search of a field
    LOOK_WORK = 8,    // a search of a body for fields
};

// ---- which shapes are in fields

// The key of a pair consists of its body, shape and field.
static uint64_t key_of(int body, int shape, int field) {
    return (uint64_t)body << 40 | (uint64_t)shape << 16 | (uint64_t)field;
}
static int body_of(uint64_t key) { return (int)(key >> 40); }
static int shape_of(uint64_t key) { return (int)(key >> 16 & 0xffffff); }
static int field_of(uint64_t key) { return (int)(key & 0xffff); }

// True if the body of a field is not at rest. For a dynamic body the sleep time decides, because
// its velocity at rest is rarely zero.
static bool is_moving(const cn_body_hot *hot) {
    bool rests = cn_is_dynamic(hot) && hot->sleep_time > 0;
    return cn_took_part(hot) && !rests && (hot->vx != 0 || hot->vy != 0 || hot->w != 0);
}

// True if a field acts on a shape, or wakes its body.
static bool is_in_reach(const cn_simulation *sim, int field_shape, int shape) {
    int body = sim->links[shape].body;
    return cn_is_dynamic(&sim->hot[body]) && !(sim->shapes[shape].flags & CN_SHAPE_SENSOR) &&
           (cn_body_is_awake(sim, body) || is_moving(&sim->hot[sim->links[field_shape].body])) &&
           cn_filters_agree(sim, field_shape, shape);
}

cn_float4 cn_half_motion(const cn_simulation *sim, int body) {
    const cn_body_hot *hot = &sim->hot[body];
    float half = cn_took_part(hot) ? sim->step_seconds / 2 : 0;
    return (cn_float4){hot->vx * half, hot->vy * half, hot->w * half, 0};
}

static bool push_pair(cn_simulation *sim, int field, int shape) {
    cn_field_state *fields = cn_fields_of(sim);
    uint64_t key = key_of(sim->links[shape].body, shape, field);
    return !is_in_reach(sim, fields->list.items[field].shape, shape) ||
           cn_append(&sim->memory, &fields->pairs, key);
}

// Returns the box of a field in the middle of the step.
static cn_bounds box_of_field(const cn_simulation *sim, int shape) {
    cn_float4 d = cn_half_motion(sim, sim->links[shape].body);
    cn_placed_hull placed = cn_placed_after(sim, shape, cn_vec(d[0], d[1]), d[2]);
    return cn_placed_bounds(&placed, sim->hulls.hulls8);
}

// Searches around a field. False if memory is short.
static bool push_pairs_of_field(cn_simulation *sim, int field) {
    int shape = cn_fields_of(sim)->list.items[field].shape;
    if (!cn_tree_with(sim, shape)) return true; // its body is disabled
    CN_EACH_OVER(other, &sim->moving_tree, box_of_field(sim, shape)) {
        if (!push_pair(sim, field, other)) return false;
    }
    return true;
}

// ---- fields at rest

static bool is_at_rest(const cn_simulation *sim, int field_shape) {
    return !cn_took_part(&sim->hot[sim->links[field_shape].body]);
}

// Finds the fields at rest around a body, if it is awake. `all` is the box of all sensors. False if
// memory is short.
static bool push_pairs_of_body(cn_simulation *sim, int body, cn_bounds all) {
    CN_EACH_SHAPE(shape, sim, body) {
        if (!cn_tree_has(&sim->moving_tree, shape)) continue;
        cn_bounds box = cn_tree_box(&sim->moving_tree, shape);
        if (!cn_boxes_overlap(box, all) || !cn_belongs_in_plan(sim, body)) continue;
        CN_EACH_OVER(sensor, &sim->sensor_index->tree, box) {
            int field = cn_find_field(sim, sensor);
            bool is_near = field >= 0 && is_at_rest(sim, sensor) &&
                           cn_boxes_overlap(box_of_field(sim, sensor), box);
            if (is_near && !push_pair(sim, field, shape)) return false;
        }
    }
    return true;
}

// Returns how many bodies may be awake.
static int count_awake(const cn_simulation *sim) {
    int count = sim->unplanned_count;
    for (int i = 0; i < sim->plan.batch_count; i++)
        count += sim->plan.batches[i].alive ? sim->plan.batches[i].body_count : 0;
    for (int i = 0; i < sim->waking.count; i++)
        count += sim->sleeping_islands[sim->waking.items[i]].body_count;
    return count;
}

// Does this for all bodies that may be awake: those of the last plan, those that the next plan
// adds, and those that wake. A body may come twice.
static bool push_pairs_of_bodies(cn_simulation *sim) {
    cn_bounds all = cn_tree_bounds(&sim->sensor_index->tree);
    if (!cn_boxes_overlap(all, cn_tree_bounds(&sim->moving_tree))) return true;
    for (int i = 0; i < sim->plan.batch_count; i++) {
        const cn_batch *batch = &sim->plan.batches[i];
        for (int k = 0; batch->alive && k < batch->body_count; k++)
            if (!push_pairs_of_body(sim, batch->bodies.items[k], all)) return false;
    }
    for (int i = 0; i < sim->unplanned_count; i++)
        if (!push_pairs_of_body(sim, sim->unplanned[i], all)) return false;
    for (int i = 0; i < sim->waking.count; i++) {
        int body = sim->sleeping_islands[sim->waking.items[i]].first_body;
        for (; body >= 0; body = sim->warm[body].next)
            if (!push_pairs_of_body(sim, body, all)) return false;
    }
    return true;
}

// ---- the stage that finds the pairs

static void drop_duplicates(cn_key_list *list) {
    int kept = 0;
    for (int i = 0; i < list->count; i++)
        if (i == 0 || list->items[i] != list->items[i - 1]) list->items[kept++] = list->items[i];
    list->count = kept;
}

// True if searches of the awake bodies for the fields at rest are less work than searches of these
// fields. They are, unless most bodies are awake.
static bool bodies_search(const cn_simulation *sim) {
    int searches = SEARCH_WORK * cn_fields_of(sim)->list.count + sim->moving_tree.live;
    return searches > LOOK_WORK * count_awake(sim);
}

// A field at rest acts only on awake bodies. They look for it in the index of the sensors, so
// sleeping bodies cost nothing. A field searches for bodies itself if it moves, if most bodies are
// awake, or if there is no memory for the index.
bool cn_find_field_pairs(cn_simulation *sim) {
    cn_field_state *fields = cn_fields_of(sim);
    if (!fields) return true;
    fields->pairs.count = 0;
    if (fields->list.count == 0) return true;
    bool looks = bodies_search(sim) && cn_update_sensor_index(sim);
    for (int i = 0; i < fields->list.count; i++)
        if (!(looks && is_at_rest(sim, fields->list.items[i].shape)) &&
            !push_pairs_of_field(sim, i))
            return false;
    if (looks && !push_pairs_of_bodies(sim)) return false;
    if (fields->pairs.count == 0) return true;
    if (!cn_sort_list(sim, &fields->pairs)) return false;
    drop_duplicates(&fields->pairs);
    return cn_reserve(&sim->memory, &fields->attractions, fields->pairs.count) &&
           cn_reserve(&sim->memory, &fields->dragged, fields->pairs.count) &&
           cn_reserve(&sim->memory, &fields->drag_rates, fields->pairs.count);
}

// ---- fields in the middle of the step

static void place_field(cn_simulation *sim, int index) {
    const cn_field *given = &cn_fields_of(sim)->list.items[index];
    int shape = given->shape, body = sim->links[shape].body;
    const cn_body_hot *hot = &sim->hot[body];
    cn_placed_field *field = &cn_fields_of(sim)->placed.items[index];
    cn_float4 d = cn_half_motion(sim, body);
    cn_placed_hull placed = cn_placed_after(sim, shape, cn_vec(d[0], d[1]), d[2]);
    cn_vec2d gravity = cn_widen(sim->gravity);
    double area;
    cn_set_hulld(&field->hull, &placed, sim->hulls.hulls8, (cn_vec2d){0, 0});
    cn_find_normals(&field->hull);
    cn_measure_hull(&field->hull, &area, &field->centroid);
    field->center = cn_widen(placed.pose.position);
    field->is_placed = true;
    field->moves = is_moving(hot);
    field->at = (cn_vec2d){(double)(hot->x + d[0]), (double)(hot->y + d[1])};
    field->up = cn_unit2d((cn_vec2d){-gravity.x, -gravity.y});
    field->weight = (double)given->medium.density * sqrt(cn_dot2d(gravity, gravity));
    field->velocity = (cn_vec2d){(double)hot->vx, (double)hot->vy}, field->w = (double)hot->w;
}

// True if the medium of a field moves. The field then keeps the bodies inside awake.
static bool is_medium_moving(const cn_simulation *sim, int index) {
    const cn_field_state *fields = cn_fields_of(sim);
    const cn_medium *m = &fields->list.items[index].medium;
    bool flows = m->flow.x != 0 || m->flow.y != 0;
    return fields->placed.items[index].moves || (flows && m->linear_drag > 0);
}

// ---- the kick

// Returns X / D, in s. It is at least half of dt.
static double implicit_seconds(double rate, double dt) {
    return rate > 0 ? cn_implicit_decay(rate * dt) / rate : 0;
}

// Writes S = M + X + Z + Z M^-1 Z.
static void make_system(const cn_medium_load *l, const double mass[3], double s[CN_ELEMENTS]) {
    double z[CN_ELEMENTS], scale = l->dt * l->dt / 12, m = 1 / mass[0], i = 1 / mass[2];
    double linear = implicit_seconds(l->rate, l->dt);
    for (int k = 0; k < CN_ELEMENTS; k++)
        z[k] = scale * l->stiffness[k], s[k] = linear * l->drag[k] + z[k];
    s[CN_WW] += implicit_seconds(l->angular_rate, l->dt) * l->angular_drag;
    s[CN_XX] += mass[0] + m * (z[CN_XX] * z[CN_XX] + z[CN_XY] * z[CN_XY]) + i * z[CN_XW] * z[CN_XW];
    s[CN_YY] += mass[1] + m * (z[CN_XY] * z[CN_XY] + z[CN_YY] * z[CN_YY]) + i * z[CN_YW] * z[CN_YW];
    s[CN_WW] += mass[2] + m * (z[CN_XW] * z[CN_XW] + z[CN_YW] * z[CN_YW]) + i * z[CN_WW] * z[CN_WW];
    s[CN_XY] += m * z[CN_XY] * (z[CN_XX] + z[CN_YY]) + i * z[CN_XW] * z[CN_YW];
    s[CN_XW] += m * (z[CN_XX] * z[CN_XW] + z[CN_XY] * z[CN_YW]) + i * z[CN_XW] * z[CN_WW];
    s[CN_YW] += m * (z[CN_XY] * z[CN_XW] + z[CN_YY] * z[CN_YW]) + i * z[CN_YW] * z[CN_WW];
}

// Removes a locked coordinate from the system.
static void lock(double s[CN_ELEMENTS], const double mass[3], double f[3], int i) {
    static const int others[3][2] = {{CN_XY, CN_XW}, {CN_XY, CN_YW}, {CN_XW, CN_YW}};
    static const int own[3] = {CN_XX, CN_YY, CN_WW};
    s[others[i][0]] = s[others[i][1]] = f[i] = 0;
    s[own[i]] = mass[i];
}

// Solves S x = f; f becomes x. S - M is positive semidefinite, so without rounding no pivot is less
// than the mass. With a huge stiffness it may be less, so it is limited.
static void solve(const double s[CN_ELEMENTS], const double mass[3], double f[3]) {
    double x = 1 / s[CN_XX], yx = s[CN_XY] * x, wx = s[CN_XW] * x, yw = s[CN_YW] - yx * s[CN_XW];
    double y = 1 / cn_max2d(s[CN_YY] - yx * s[CN_XY], mass[1]), wy = yw * y;
    double w = 1 / cn_max2d(s[CN_WW] - wx * s[CN_XW] - wy * yw, mass[2]);
    f[1] -= yx * f[0];
    f[2] = w * (f[2] - wx * f[0] - wy * f[1]);
    f[1] = y * f[1] - wy * f[2];
    f[0] = x * f[0] - yx * f[1] - wx * f[2];
}

// Lists the rates of the drags on a body. Drags only stop a body, as damping does, so they do not
// count as forces that move it.
static void add_drag_rates(cn_field_state *fields, const cn_medium_load *l) {
    if (l->rate == 0 && l->angular_rate == 0) return;
    fields->dragged.items[fields->dragged.count++] = (uint64_t)l->body;
    fields->drag_rates.items[fields->drag_rates.count++] =
        cn_vec((float)l->rate, (float)l->angular_rate);
}

// Returns the rates of the drags on a body.
static vec2s drag_rates_of(const cn_simulation *sim, int body) {
    const cn_field_state *fields = cn_fields_of(sim);
    const cn_key_list *dragged = &fields->dragged;
    int i = cn_find_key(dragged->items, dragged->count, (uint64_t)body);
    bool found = i < dragged->count && dragged->items[i] == (uint64_t)body;
    return found ? fields->drag_rates.items[i] : cn_vec(0, 0);
}

// Sets the force of the body so that, together with weight and attraction, it changes the velocity
// as the kick does.
static void kick_body(cn_simulation *sim, const cn_medium_load *l) {
    const cn_body_hot *hot = &sim->hot[l->body];
    cn_body_warm *warm = &sim->warm[l->body];
    float *forces[3] = {&warm->force.x, &warm->force.y, &warm->torque};
    const bool locked[3] = {hot->flags & CN_BODY_LOCK_X, hot->flags & CN_BODY_LOCK_Y,
                            hot->inverse_inertia == 0};
    const double mass[3] = {(double)warm->mass, (double)warm->mass,
                            locked[2] ? 1 : (double)warm->inertia};
    const double outer[3] = {
        (double)(sim->gravity.x * hot->gravity_scale) * mass[0] + l->attraction[0],
        (double)(sim->gravity.y * hot->gravity_scale) * mass[1] + l->attraction[1],
        l->attraction[2]};
    double s[CN_ELEMENTS], f[3];
    make_system(l, mass, s);
    add_drag_rates(cn_fields_of(sim), l);
    for (int i = 0; i < 3; i++) {
        f[i] = l->force[i] + l->drag_force[i] + outer[i] + (double)*forces[i];
        if (locked[i]) lock(s, mass, f, i);
    }
    solve(s, mass, f); // f becomes dv / dt
    for (int i = 0; i < 3; i++)
        if (!locked[i]) *forces[i] = (float)(mass[i] * f[i] - outer[i]);
}

// Applies all fields to a body, whose pairs are keys[0..count - 1]. A sleeping body has pairs only
// with fields that move. If it is inside one of them, it wakes in the next step.
static void apply_to_body(cn_simulation *sim, const uint64_t *keys, int count) {
    int body = body_of(keys[0]);
    cn_body_hot *hot = &sim->hot[body];
    bool inside = false;
    cn_medium_load l;
    cn_begin_load(&l, sim, body);
    for (int i = 0; i < count; i++) {
        int field = field_of(keys[i]);
        if (!cn_fields_of(sim)->placed.items[field].is_placed) place_field(sim, field);
        if (!cn_add_medium(&l, shape_of(keys[i]), field)) continue;
        inside = true;
        if (is_medium_moving(sim, field)) hot->sleep_time = 0;
    }
    if (inside && hot->flags & CN_BODY_AWAKE)
        kick_body(sim, &l);
    else if (inside)
        cn_wake_body(sim, body);
}

void cn_apply_fields(cn_simulation *sim) {
    cn_field_state *fields = cn_fields_of(sim);
    sim->substep_force = NULL, sim->part_damping = NULL;
    if (!fields || !fields->pairs.count) return;
    fields->attractions.count = fields->dragged.count = fields->drag_rates.count = 0;
    for (int i = 0; i < fields->list.count; i++) fields->placed.items[i].is_placed = false;
    const uint64_t *keys = fields->pairs.items;
    for (int first = 0, end; first < fields->pairs.count; first = end) {
        for (end = first + 1; end < fields->pairs.count; end++)
            if (body_of(keys[end]) != body_of(keys[first])) break;
        apply_to_body(sim, keys + first, end - first);
    }
    if (fields->attractions.count) sim->substep_force = cn_attract_bodies;
    if (fields->dragged.count) sim->part_damping = drag_rates_of;
}
