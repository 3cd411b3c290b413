/* Bodies: their rows, the heads of their lists of joints, and their times of drop-throughs. */
#include "walk.h"

#define HOT(field)  [CN_WORD(cn_body_hot, field)]
#define WARM(field) [CN_WORD(cn_body_warm, field)]

// The plan is not saved. keep.c itself compares which bodies are in the plan: that follows
// from their flags.
static void walk_body_rows(cn_walk *w, int first, int count) {
    static const uint32_t hot_motion[sizeof(cn_body_hot) / sizeof(uint32_t)] = {
        HOT(x) = CN_ALL_BITS,
        HOT(y) = CN_ALL_BITS,
        HOT(c) = CN_ALL_BITS,
        HOT(s) = CN_ALL_BITS,
        HOT(vx) = CN_ALL_BITS,
        HOT(vy) = CN_ALL_BITS,
        HOT(w) = CN_ALL_BITS,
        HOT(low_x) = CN_ALL_BITS,
        HOT(low_y) = CN_ALL_BITS,
        HOT(sleep_time) = CN_ALL_BITS,
        HOT(flags) = CN_BODY_AWAKE | CN_BODY_PLANNING | CN_BODY_STOPPED | CN_BODY_PULLS |
                     CN_BODY_JOINT_REMOVED | 255 << CN_BODY_TELEPORTS,
    };
    static const uint32_t warm_motion[sizeof(cn_body_warm) / sizeof(uint32_t)] = {
        WARM(force) = CN_ALL_BITS, WARM(force.y) = CN_ALL_BITS,     WARM(torque) = CN_ALL_BITS,
        WARM(batch) = CN_ALL_BITS, WARM(batch_state) = CN_ALL_BITS, WARM(island) = CN_ALL_BITS,
        WARM(next) = CN_ALL_BITS,
    };
    static const uint32_t drift_motion[sizeof(cn_drift) / sizeof(uint32_t)] = {
        CN_ALL_BITS, CN_ALL_BITS, CN_ALL_BITS, CN_ALL_BITS};
    const cn_walked_rows hot = {
        .rows = w->sim->hot,
        .size = sizeof *w->sim->hot,
        .masked = {{offsetof(cn_body_hot, flags), ~(uint32_t)CN_BODY_PLANNING, 0, false}},
        .masked_count = 1,
        .motion = hot_motion,
    };
    const cn_walked_rows warm = {
        .rows = w->sim->warm,
        .size = sizeof *w->sim->warm,
        .masked = {{offsetof(cn_body_warm, batch), 0, (uint32_t)-1, true},
                   {offsetof(cn_body_warm, batch_state), 0, (uint32_t)-1, true}},
        .masked_count = 2,
        .motion = warm_motion,
    };
    const cn_walked_rows drifts = {
        .rows = w->sim->drifts, .size = sizeof *w->sim->drifts, .motion = drift_motion};
    w->has_compounds |= cn_any_row_has(w, hot.size, count, offsetof(cn_body_hot, flags),
                                       CN_BODY_EDITED, CN_BODY_EDITED);
    cn_walk_rows(w, &hot, first, count);
    cn_walk_rows(w, &warm, first, count);
    cn_walk_rows(w, &drifts, first, count);
}

// The motion of the last step is part of the state, because the next step reads the motion of
// bodies that it does not solve.
static void walk_motions(cn_walk *w, int first, int count) {
    const cn_walked_rows motions = {
        .rows = w->sim->motions,
        .size = sizeof *w->sim->motions,
        .masked = {{offsetof(cn_motion, stop), 0, 0, false},
                   {offsetof(cn_motion, sweep), 0, 0, false}},
        .masked_count = 2,
    };
    cn_walk_rows(w, &motions, first, count);
}

// Walks through a row that only some worlds have. A world that has it has it for all bodies.
static void walk_optional_row(cn_walk *w, void *array, size_t size, int *capacity, bool has,
                              int first, int count) {
    char *rows;
    has = cn_archive_count(w->archive, has, 1);
    if (cn_is_checking(w) && has)
        cn_need(w, cn_fit_rows(&w->sim->memory, &(cn_row){array, size}, 1, capacity,
                               w->sim->slots[CN_BODIES].capacity));
    memcpy(&rows, array, sizeof rows);
    if (has) cn_walk_rows(w, &(cn_walked_rows){.rows = rows, .size = size}, first, count);
    if (!has && cn_is_reading(w) && rows)
        memset(rows + (size_t)first * size, 0, (size_t)count * size);
}

void cn_walk_body_run(cn_walk *w, int first, int count) {
    cn_simulation *sim = w->sim;
    cn_walk_slots(w, CN_BODIES, first, count);
    cn_walk_compared(w, true);
    walk_body_rows(w, first, count);
    cn_walk_compared(w, false);
    walk_motions(w, first, count);
    if (w->is_scenery) return;
    cn_walk_compared(w, true);
    cn_archive_words(w->archive, sim->first_joint + first, (size_t)count);
    cn_walk_compared(w, false);
    bool has_pulls = sim->pulls && sim->slots[CN_JOINTS].end;
    walk_optional_row(w, &sim->pulls, sizeof *sim->pulls, &sim->pull_capacity, has_pulls, first,
                      count);
    bool interpolated = cn_is_interpolated(w->world) && !w->compares;
    walk_optional_row(w, &sim->previous, sizeof *sim->previous, &sim->previous_capacity,
                      interpolated, first, count);
}

// The heads of the joint lists of scenery bodies. They belong to the moving part, because joints
// do.
static void walk_scenery_joints(cn_walk *w) {
    int32_t *first = w->sim->first_joint;
    for (int body = 0; body < w->end && cn_is_reading(w); body++)
        if (cn_is_scenery(w->scenery, CN_BODIES, body)) first[body] = -1;
    if (!cn_archive_reads(w->archive)) {
        for (int body = 0; w->sim->slots[CN_JOINTS].count && body < w->end; body++) {
            if (first[body] < 0 || !cn_is_scenery(w->scenery, CN_BODIES, body)) continue;
            cn_archive_count(w->archive, 1 + body, w->end);
            cn_archive_int(w->archive, &first[body]);
        }
        cn_archive_count(w->archive, 0, 0);
        return;
    }
    for (int body; (body = cn_archive_count(w->archive, 0, w->end) - 1) >= 0;)
        cn_archive_int(w->archive, &first[body]);
}

void cn_walk_bodies(cn_walk *w) {
    cn_begin_kind(w, CN_BODIES);
    if (w->changes) w->changes->body_end = w->end;
    cn_walk_runs(w, CN_BODIES, cn_walk_body_run);
    if (w->is_scenery) return;
    walk_scenery_joints(w);
    w->has_links |= CN_WALK_LIST(w, &w->sim->kinematics) > 0;
    if (cn_is_checking(w))
        cn_need(w, cn_reserve(&w->sim->memory, &w->sim->moving_kinematics,
                              w->sim->kinematics.capacity));
}

void cn_walk_drops(cn_walk *w) { w->has_links |= CN_WALK_LIST(w, &w->sim->drop_throughs) > 0; }

// ---- checks

// Only bodies that are not static can be edited. An enabled body that is not static is awake or, if
// it is dynamic, in a sleeping island.
static bool has_sound_flags(const cn_simulation *sim, int body) {
    uint32_t flags = sim->hot[body].flags;
    bool enabled = flags & CN_BODY_ENABLED, awake = flags & CN_BODY_AWAKE;
    bool dynamic = flags & CN_BODY_IS_DYNAMIC, sleeps = sim->warm[body].island >= 0;
    bool edited = flags & CN_BODY_EDITED, recounts = flags & CN_BODY_RECOUNTS;
    if ((edited && !(flags & CN_BODY_MOVES)) || (recounts && !edited)) return false;
    return flags & CN_BODY_ALIVE && !(dynamic && flags & CN_BODY_IS_KINEMATIC) &&
           awake == (enabled && flags & CN_BODY_MOVES && !sleeps) && !(sleeps && !dynamic);
}

static bool has_sound_numbers(const cn_simulation *sim, int body) {
    const cn_body_hot *hot = &sim->hot[body];
    const cn_body_warm *warm = &sim->warm[body];
    const cn_motion *motion = &sim->motions[body];
    const float numbers[] = {motion->x, motion->y, motion->angle, motion->until};
    float length = hot->c * hot->c + hot->s * hot->s;
    return cn_are_finite(hot, offsetof(cn_body_hot, flags)) && length > 0.5f && length < 2 &&
           hot->inverse_mass >= 0 && hot->inverse_inertia >= 0 &&
           cn_are_finite(warm, offsetof(cn_body_warm, first_shape)) && CN_IS_FINITE(numbers) &&
           CN_IS_FINITE(sim->drifts[body]) && motion->ccd_threshold >= 0 &&
           motion->ccd_reach >= 0 &&
           (!sim->previous || !cn_is_active(hot) || CN_IS_FINITE(sim->previous[body]));
}

// Follows the list of shapes. Returns how many there are, or -1 if something is wrong. The list
// ends, because each shape names its body, and no list has more than `most`.
static int count_shapes(const cn_simulation *sim, int body, int most) {
    int last = -1, count = 0;
    for (int i = sim->warm[body].first_shape; i != -1; i = sim->shapes[i].next) {
        if (!cn_is_in(sim, CN_SHAPES, i) || sim->links[i].body != body || count++ == most)
            return -1;
        last = i;
    }
    return last == sim->warm[body].last_shape ? count : -1;
}

bool cn_check_bodies(const cn_simulation *sim) {
    int shapes = 0;
    CN_EACH(CN_SHAPES, i, sim) shapes++;
    CN_EACH(CN_BODIES, i, sim) {
        int count = count_shapes(sim, i, shapes);
        shapes -= count;
        if (!cn_sound(has_sound_flags(sim, i) && has_sound_numbers(sim, i), "body", i) ||
            !cn_sound(count >= 0, "list of shapes of body", i))
            return false;
    }
    return cn_sound(shapes == 0, "number of shapes without a body", shapes);
}

// The next step writes these numbers to the rows, so they must be finite.
bool cn_check_edits(const cn_simulation *sim) {
    CN_EACH(CN_BODIES, i, sim) {
        if (!(sim->hot[i].flags & CN_BODY_EDITED)) continue;
        const cn_body_hot hot = cn_settled_body(sim, i);
        const cn_mass_data mass = cn_settled_mass(sim, i).mass;
        bool ok = cn_are_finite(&hot, offsetof(cn_body_hot, flags)) && CN_IS_FINITE(mass);
        if (!cn_sound(ok, "mass of edited body", i)) return false;
    }
    return true;
}

static bool is_enabled_kinematic(const cn_simulation *sim, int body) {
    const uint32_t needed = CN_BODY_ENABLED | CN_BODY_IS_KINEMATIC;
    return (sim->hot[body].flags & needed) == needed;
}

bool cn_check_kinematics(cn_world *world) {
    const cn_simulation *sim = &world->sim;
    int count = 0;
    CN_EACH(CN_BODIES, i, sim) count += is_enabled_kinematic(sim, i);
    return cn_check_set(world, "list of kinematic bodies", sim->kinematics.items,
                        sim->kinematics.count, count, CN_BODIES, is_enabled_kinematic);
}
