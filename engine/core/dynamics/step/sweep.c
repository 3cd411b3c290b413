/* Continuous collision: stops fast bodies at the shapes that they would have passed through.
 *
 * A step moves a body by its whole motion at once. If the body moves by no more than its inner
 * radius (the largest circle about the middle of a shape that fits into it), it is still on the
 * right side of the shape that it ran into, and the solver can push it out. A body that moves
 * farther may be past the shape. So such bodies are swept: before they move, each is followed along
 * its path, from where it is to where its motion takes it, against everything that the path
 * crosses. All bodies move at the same time, along straight lines, turning at constant rates. A
 * time within the step is a fraction of it, 0 .. 1.
 *
 * Which bodies are swept. A body is fast if its displacement, plus its turn times its CCD reach, is
 * more than its CCD threshold: its smallest inner radius, or a quarter of that for a bullet.
 * Against static shapes all bodies are swept like bullets, if they move by more than the
 * speculative margin. The solver marks these bodies when it has found their motions
 * (solver/finish_kernel.c).
 *
 * What counts as a hit (sweep_pair.c).
 *
 *      apart at the start   The body gets into the other by more than 3/4 of its CCD threshold.
 *                           (Static shapes count with the threshold of a bullet.) It stops where
 *                           the gap was half a slop: the next step sees a contact that is about to
 *                           close, with the full approach speed.
 *      near at the start    The pair was within the speculative margin, so it was a contact in this
 *                           step and the solver has seen it. A body that slides along a floor must
 *                           go on, and a wedged one must not be stopped in an overlap, which would
 *                           throw it. The pair counts as a hit if it gets as deep as other hits,
 *                           and deeper than it was by a quarter of that depth. It stops where it
 *                           is deeper by that quarter, or by 4 slops if that is less. A body that
 *                           is not fast does not stop for a static shape near it.
 *
 *      fast in free flight  The pair was apart at the start. One body is in free flight, so no
 *                           contact has solved a hit of the two, and no joint holds either. They
 *                           move relative to each other by more than twice the sum of their CCD
 *                           thresholds. They hit where they first touch, and stop there. So bodies
 *                           that graze each other exchange the right momentum. Neither stops if
 *                           the next step sees the same contact: they still overlap at the end,
 *                           less than above, and the normal has hardly turned.
 *
 * Shallower overlaps are left to the contacts of the next step.
 *
 * Where a body stops. Its motion ends at the earliest of its hits, and the rest of it is lost. The
 * body keeps its velocity, except for the work that gravity did on the rest of the path, which is
 * taken back. So a bounce loses time, not energy.
 *
 * Constrained bodies. Sweeps are for the first hits of bodies in free flight; the inside of a pile
 * is left to the contact solver. Otherwise the bodies of a fast pile would stop each other in every
 * step: it would stick, and take twice the work. So two bodies whose velocities were both changed
 * by constraints must pass each other by twice the distance to hit. If joints link them as well,
 * they never stop each other, or a chain that is whirled would be torn.
 *
 * Joints. If a body stops, all bodies stop at the same time to which joints with a locked
 * coordinate connect it. They keep their velocities. Otherwise the joints would be torn.
 *
 * Kinematic bodies do not stop. A wall or a bat would pass the body that it hit in the rest of the
 * step, so that body is carried: it moves on with the kinematic body, and its path becomes the
 * straight line to where that takes it. Seen from a fast kinematic body all others are fast, so
 * bodies at rest are swept against it, too.
 *
 * Rounds. A body that stops changes what others hit: of two bodies that rush at each other, both
 * stop. So the bodies that stopped in one round search again for those that run into them. In each
 * round all searches end before any body stops, and the earliest of all hits of a body counts. So
 * the results depend neither on the order of searches nor on threads, lanes, batches or trees.
 *
 * sweep_search.c finds the bodies that may meet, and looks ahead to the next step. */
#include "sweep.h"

enum {
    MAX_ROUNDS = 4, // searches of stopped bodies, after the first search of all
};

// ---- rounds

// The gap between two bodies when the first one stops: the smallest of all pairs of shapes that may
// touch.
static cn_gapd gap_at_stop(const cn_simulation *sim, int body, int other) {
    double until = (double)sim->motions[body].until;
    cn_gapd least = {.distance = DBL_MAX};
    CN_EACH_SHAPE(i, sim, body)
        CN_EACH_SHAPE(k, sim, other) {
            cn_swept_hull a = cn_coming_shape(sim, i), b = cn_coming_shape(sim, k);
            cn_gapd gap = cn_gap_at(&a, &b, until);
            if (gap.distance < least.distance && cn_may_touch(sim, i, k)) least = gap;
        }
    return least;
}

// Adds d = {x, y, angle} to the motion of the body, except along locked axes.
static void add_motion(cn_simulation *sim, int body, const float *d) {
    cn_motion *m = &sim->motions[body];
    const uint32_t flags = sim->hot[body].flags;
    if (!(flags & CN_BODY_LOCK_X)) m->x += d[0];
    if (!(flags & CN_BODY_LOCK_Y)) m->y += d[1];
    if (!(flags & CN_BODY_LOCK_ROTATION)) m->angle += d[2];
}

// If the body stops at a kinematic body, it moves on with that body for the rest of the step: as a
// part of it, and out of any overlap. Its path becomes the straight line to there, so the next
// round tests that path against others.
static void carry_body(cn_simulation *sim, int body) {
    const cn_body_hot *hot = &sim->hot[body];
    cn_motion *m = &sim->motions[body];
    for (int i = 0; i < sim->moving_kinematics.count && m->until < 1; i++) {
        int kinematic = sim->moving_kinematics.items[i];
        if (!cn_is_moving_kinematic(&sim->hot[kinematic])) continue;
        const cn_motion n = cn_motion_of(sim, kinematic);
        float rest = 1 - m->until, x = rest * (n.x - m->x), y = rest * (n.y - m->y);
        const cn_body_hot *k = &sim->hot[kinematic];
        vec2s arm = cn_vec(hot->x + m->x - (k->x + n.x) + x, hot->y + m->y - (k->y + n.y) + y);
        float reach = sim->warm[body].extent + sim->warm[kinematic].extent + sim->tuning.slop;
        if (glms_vec2_norm(arm) > reach) continue;
        cn_gapd gap = gap_at_stop(sim, body, kinematic);
        if (gap.distance >= (double)sim->tuning.slop) continue;
        cn_vec2d out = cn_add_scaled(cn_widen(arm), fmin(gap.distance, 0), gap.normal);
        vec2s turned = cn_rotate(cn_rotation_full(rest * n.angle), cn_narrow(out));
        float d[3] = {x + turned.x - arm.x, y + turned.y - arm.y, rest * (n.angle - m->angle)};
        add_motion(sim, body, d);
        m->stop = m->until = 1;
    }
}

// Lists the slow bodies in free flight at which others stop. They are fast from now on and stop,
// too, or they would pass the others in the rest of the step.
static void list_hit(cn_simulation *sim) {
    CN_EACH_BIT(body, cn_bits_of(sim, CN_SET_SWEPT), sim->slots[CN_BODIES].end) {
        cn_motion *m = &sim->motions[body];
        cn_clear_bit(cn_bits_of(sim, CN_SET_SWEPT), body);
        if (!m->sweep) sim->swept[sim->swept_count++] = body, m->stop = 1;
        m->sweep |= CN_SWEEP_FAST | CN_SWEEP_FREE_FLIGHT;
    }
}

// Stops a body for which the searches found an earlier stop.
static void stop_swept(cn_sweeps *s, int body) {
    cn_simulation *sim = s->sim;
    cn_motion *m = &sim->motions[body];
    assert(m->stop < m->until);
    m->until = m->stop;
    if (!cn_was_stopped(m)) carry_body(sim, body);
    if (m->until == 1) cn_widen_search(s, body); // it was carried
    m->sweep |= CN_SWEEP_FAST;                   // a slow body may be hit by a kinematic one
    cn_set_round(m, s->round);
    if (sim->first_joint[body] >= 0) cn_set_bit(cn_bits_of(sim, CN_SET_LINKED), body);
    s->stopped[s->stopped_count++] = body;
}

// Stops and lists the bodies for which the searches found an earlier stop. True if there is any.
static bool stop_bodies(cn_sweeps *s) {
    cn_simulation *sim = s->sim;
    s->stopped_count = 0;
    list_hit(sim);
    CN_EACH_BIT(body, cn_bits_of(sim, CN_SET_HIT), sim->slots[CN_BODIES].end) {
        cn_clear_bit(cn_bits_of(sim, CN_SET_HIT), body);
        stop_swept(s, body);
    }
    return s->stopped_count > 0;
}

// ---- after the last round

/* Ends the motion of a body where it stops, and takes back the work that gravity did on the rest of
 * its path. Otherwise bodies that turn while they bounce would gain energy. With gravity g and the
 * displacement d back to the stop, the speed v along gravity changes such that
 *
 *     m v^2 / 2 changes by m g.d
 *
 * It does not change sign; if the work was more than the whole energy, v becomes 0. */
static void clip_motion(cn_simulation *sim, int body) {
    cn_body_hot *hot = &sim->hot[body];
    cn_motion *m = &sim->motions[body];
    float rest = m->until - 1, d[2] = {rest * m->x, rest * m->y};
    m->x *= m->until, m->y *= m->until, m->angle *= m->until;
    m->until = 1;
    vec2s g = glms_vec2_scale(sim->gravity, hot->gravity_scale);
    if (hot->flags & CN_BODY_LOCK_X) g.x = 0;
    if (hot->flags & CN_BODY_LOCK_Y) g.y = 0;
    vec2s down = glms_vec2_normalize(g);
    float work = g.x * d[0] + g.y * d[1], speed = hot->vx * down.x + hot->vy * down.y;
    if (hot->flags & CN_BODY_LIMITED) work = cn_min(work, 0); // it has a speed limit
    float changed = (speed < 0 ? -1.0f : 1.0f) * sqrtf(cn_max(0, speed * speed + 2 * work));
    if (!cn_finite(changed)) return;
    hot->vx += (changed - speed) * down.x, hot->vy += (changed - speed) * down.y;
}

// Moves a stopped body B out of the immovable body A of a contact, up to the depth that a near pair
// may have. Otherwise a thin body would get a little deeper with every stop, and pass through in
// the end.
static void push_out(cn_simulation *sim, int slot) {
    const cn_anchor *anchor = &sim->touching.anchors[slot];
    cn_contact_bodies pair = sim->touching.bodies[slot];
    cn_swept_hull a = cn_coming_shape(sim, anchor->shape_a);
    cn_swept_hull b = cn_coming_shape(sim, anchor->shape_b);
    cn_gapd gap = cn_gap_at(&a, &b, 1);
    double out = -CN_NEAR_DEPTH * CN_HIT_DEPTH * b.inner - gap.distance;
    bool disabled = sim->touching.records[slot].meta & CN_META_DISABLED;
    if (disabled || out <= 0) return;
    add_motion(sim, pair.b, (float[3]){(float)(out * gap.normal.x), (float)(out * gap.normal.y)});
}

// Marks the contacts of stopped bodies with immovable ones.
static void mark_contacts_to_push_out(void *context, int first, int end) {
    const cn_simulation *sim = context;
    const cn_touching_rows *touching = &sim->touching;
    CN_EACH_BIT(k, touching->occupied + first / 64, end - first) {
        cn_contact_bodies pair = touching->bodies[first + k];
        if (cn_was_stopped(&sim->motions[pair.b]) && !cn_is_dynamic(&sim->hot[pair.a]))
            cn_set_bit(touching->ending, first + k);
    }
}

// Bodies with several such contacts are pushed out of one after the other, by slot.
static void push_out_stopped(cn_simulation *sim) {
    const cn_touching_rows *touching = &sim->touching;
    cn_run_loop(sim->team, touching->count / 4, touching->end, CN_SLOT_GRAIN,
                mark_contacts_to_push_out, sim);
    CN_EACH_BIT(slot, touching->ending, touching->end) {
        cn_clear_bit(touching->ending, slot);
        push_out(sim, slot);
    }
}

// Lets the bodies that joints lock to a stopped body stop with it.
static void stop_linked(cn_simulation *sim, int body) {
    const float until = sim->motions[body].until;
    for (int i = sim->first_joint[body]; i >= 0; i = cn_joint_next(sim, i, body)) {
        int other = cn_joint_other(sim, i, body);
        cn_motion *m = &sim->motions[other];
        bool links =
            sim->joints[i].row_type != CN_ROW_NONE && sim->joints[i].flags & CN_JOINT_LOCKS;
        if (!links || !cn_is_dynamic(&sim->hot[other]) || !cn_took_part(&sim->hot[other]) ||
            m->until <= until)
            continue;
        if (m->until == 1 && !m->sweep) sim->swept[sim->swept_count++] = other;
        m->until = until;
        cn_set_bit(cn_bits_of(sim, CN_SET_LINKED), other);
    }
}

// Stops each tree or net of joints where the first of its bodies stops. Otherwise the joints would
// be torn. The set is followed in both directions by turns, because chains are numbered either way.
static void stop_all_linked(cn_simulation *sim) {
    uint64_t *linked = cn_bits_of(sim, CN_SET_LINKED);
    const int words = sim->slots[CN_JOINTS].count ? cn_body_words(sim) : 0;
    bool any = words > 0;
    for (bool back = false; any; back = !back) {
        any = false;
        for (int i = 0; i < words; i++) {
            const int word = back ? words - 1 - i : i;
            for (; linked[word]; any = true) {
                const int body = (word << 6) + cn_lowest_bit(linked[word]);
                cn_clear_bit(linked, body);
                if (sim->motions[body].until < 1) stop_linked(sim, body); // else it was carried
            }
        }
    }
}

typedef struct {
    cn_simulation *sim;
    bool any_stopped;
} sweep_ends;

// Ends the motion of a swept body. Returns how far it moved if it was stopped and is slow now.
static float finish_body(cn_simulation *sim, int body) {
    cn_motion *m = &sim->motions[body];
    uint64_t *ahead = cn_bits_of(sim, CN_SET_AHEAD);
    if (cn_has_bit(ahead, body)) m->sweep |= CN_SWEEP_AHEAD;
    if (m->until < 1) clip_motion(sim, body);
    if (!cn_was_stopped(m)) return 0;
    sim->hot[body].flags |= CN_BODY_STOPPED;
    // Sensors do not follow its path if it is short now.
    return cn_ccd_length(m) <= m->ccd_threshold ? cn_reach_of(m, sim->warm[body].extent) : 0;
}

static void finish_bodies(void *context, int first, int end) {
    sweep_ends *e = context;
    cn_simulation *sim = e->sim;
    float displacement = 0;
    bool any_stopped = false;
    for (int i = first; i < end; i++) {
        const int body = sim->swept[i];
        displacement = cn_max(displacement, finish_body(sim, body));
        any_stopped |= cn_was_stopped(&sim->motions[body]);
    }
    if (!any_stopped) return;
    if (sim->team) cn_lock(&sim->lock);
    sim->max_slow_displacement = cn_max(sim->max_slow_displacement, displacement);
    e->any_stopped = true;
    if (sim->team) cn_unlock(&sim->lock);
}

// Ends the motions of the stopped bodies.
static void finish_sweeps(cn_simulation *sim) {
    sweep_ends ends = {sim, false};
    stop_all_linked(sim);
    cn_run_loop(sim->team, sim->swept_count / 2, sim->swept_count, CN_SWEPT_GRAIN, finish_bodies,
                &ends);
    if (sim->swept_count)
        memset(cn_bits_of(sim, CN_SET_AHEAD), 0, (size_t)cn_body_words(sim) * sizeof(uint64_t));
    if (ends.any_stopped) push_out_stopped(sim);
}

static int count_swept(const cn_simulation *sim) {
    const uint64_t *swept = cn_bits_of(sim, CN_SET_SWEPT);
    int count = 0;
    for (int i = 0; i < cn_body_words(sim); i++)
        if (swept[i]) count += __builtin_popcountll(swept[i]);
    return count;
}

void cn_sweep_bodies(cn_simulation *sim) {
    const int count = count_swept(sim);
    if (!count && !sim->moving_kinematics.count) return;
    cn_sweeps s = {.sim = sim};
    cn_search_all(&s, count);
    for (; stop_bodies(&s) && s.round < MAX_ROUNDS; s.round++) cn_search_stopped(&s);
    finish_sweeps(sim);
}
