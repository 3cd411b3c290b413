/* The wide loops over contacts, CN_LANES at a time. Compiled once per instruction set.
 *
 * refresh   A touching contact keeps its record (normal and lever arms, in world axes) while the
 *           pair hardly moves. Only the separation s follows the bodies. Each point has an anchor
 *           on each body. The two coincided when they were made. Now they are apart by e:
 *
 *               e = d + R_B rB - R_A rA,      s = s0 + n . e
 *
 *           d is the centre of B minus that of A now, R the turn of a body since the anchors were
 *           made, rA and rB the lever arms and s0 the separation at that time, n the normal. A
 *           contact is remade if |e| or a turn is too large, or if it is about to part. The anchor
 *           of a circle does not turn if its centre is that of the body.
 * collide   Remakes contacts: reads hulls, runs the narrowphase, writes records and anchors.
 *           Impulses stay with the points whose feature ids are the same. If a surface counts
 *           (model/ground.c), the pair is collided again, one pair at a time.
 * test      Only tests whether apart pairs are near enough to be contacts.
 *
 * If there are fewer pairs than lanes, the unused lanes repeat the first pair. Scalar code visits
 * only the lanes in use, so a single pair costs about as much in many lanes as in one.
 *
 * Tall stacks stand because the lever arms do not follow the bodies: anchors that turn with the
 * bodies would feed each wobble back into the torques.
 *
 * A pair that may close a large gap within the step becomes a contact early. The contact is dropped
 * if the two shapes will miss each other. If they pass close by, the contact lets them pass
 * (adjust_passing_contact()).
 */
#include "../../base/wide.h"
#include "contact_surface.h"

// refresh: an anchor slides at most by this fraction of the shorter lever arm, which is about the
// size of the smaller body.
#define SLIDE_FRACTION 0.35f
// refresh, contacts with a circle: factor of the largest slide and of tuning.anchor_angle. A circle
// curves away under a body that slides or turns on it, and the contact stays behind. That would
// drive a plank on two rollers.
#define CIRCLE_FRACTION 0.01f
// refresh, bodies that stand on one end: factor of tuning.anchor_angle. Otherwise the body would
// fall about the place where its end was.
#define END_FRACTION 0.3f
// refresh, bodies that turn together: the displacement of the end of a lever arm counts four times
// (this is the square). Otherwise a body on a rocking platform would creep outwards, because the
// lever arms stay behind.
#define COMMON_TURN_WEIGHT 16.0f
// Passing pairs, slops: a single point is between two corners if its gap is larger by this than the
// separation along the reference normal.
#define CORNER_EXCESS 0.01f
// Passing pairs: the least approach that is worth a prediction, as a fraction of the gap, and in
// slops.
#define MIN_APPROACH_FRACTION 0.25f
#define MIN_APPROACH_SLOPS    0.1f

// Byte offsets of the rows of some contacts.
typedef struct {
    uint32_t records[CN_LANES], anchors[CN_LANES], bodies_a[CN_LANES], bodies_b[CN_LANES];
} offsets;

CN_INLINE offsets offsets_of(const cn_touching_rows *touching, const int *slots) {
    offsets o;
    for (int k = 0; k < CN_LANES; k++) {
        o.records[k] = (uint32_t)slots[k] * sizeof(cn_contact_record);
        o.anchors[k] = (uint32_t)slots[k] * sizeof(cn_anchor);
        o.bodies_a[k] = (uint32_t)touching->bodies[slots[k]].a * sizeof(cn_body_hot);
        o.bodies_b[k] = (uint32_t)touching->bodies[slots[k]].b * sizeof(cn_body_hot);
    }
    return o;
}

// ---- refresh

// Returns the turn of a body since the anchors were made: (c, s) is its rotation then.
CN_INLINE cn_vec2w turn_since(cn_floatw c, cn_floatw s, cn_row4w body, cn_intw is_circle) {
    cn_vec2w turn = cn_unrotatew((cn_vec2w){c, s}, (cn_vec2w){body.z, body.w});
    return (cn_vec2w){cn_selectw(is_circle, cn_splatw(1), turn.x), cn_keepw(~is_circle, turn.y)};
}

typedef struct {
    cn_floatw separation;
    cn_floatw slide; // squared distance of the two anchors
    cn_floatw size;  // squared length of the shorter lever arm: about the size of the smaller body
    cn_floatw lag;   // squared displacement of the end of a lever arm that turned with its body
} anchor_state;

// p and q: lever arms on A and B; d: centre of B minus that of A; a and b: turns; n: normal.
CN_INLINE anchor_state follow_anchor(cn_vec2w p, cn_vec2w q, cn_vec2w d, cn_vec2w a, cn_vec2w b,
                                     cn_vec2w n, cn_floatw s0) {
    cn_vec2w e = cn_sub2w(cn_add2w(d, cn_rotatew(b, q)), cn_rotatew(a, p));
    cn_floatw pp = cn_dot2w(p, p), qq = cn_dot2w(q, q), aa = a.y * a.y, bb = b.y * b.y;
    return (anchor_state){
        s0 + cn_dot2w(n, e), cn_dot2w(e, e), cn_minw(pp, qq),
        cn_maxw(cn_maxw(aa * pp, bb * qq), COMMON_TURN_WEIGHT * cn_minw(aa, bb) * cn_maxw(pp, qq))};
}

CN_INLINE cn_intw has_flag(cn_intw meta, int32_t flag) { return (meta & flag) != 0; }

// Refreshes CN_LANES contacts from slot `first` on. Returns the lanes that must be remade.
CN_INLINE int refresh_group(cn_simulation *sim, int first) {
    cn_touching_rows *touching = &sim->touching;
    const cn_tuning *tuning = &sim->tuning;
    int slots[CN_LANES];
    for (int k = 0; k < CN_LANES; k++) slots[k] = first + k;
    offsets o = offsets_of(touching, slots);
    cn_contact_record *records = touching->records;
    const cn_anchor *anchors = touching->anchors;

    cn_row4w row1 = CN_GATHER_ROW(records, o.records, nx, ny, p1x, p1y);
    cn_row4w row2 = CN_GATHER_ROW(records, o.records, p2x, p2y, dx, dy);
    cn_row4w row3 = CN_GATHER_ROW(records, o.records, s1, s2, friction, meta);
    cn_row4w made = CN_GATHER_ROW(anchors, o.anchors, ca, sa, cb, sb);
    cn_row4w base = CN_GATHER_ROW(anchors, o.anchors, s1, s2, shape_a, shape_b);
    cn_row4w a = CN_GATHER_ROW(sim->hot, o.bodies_a, x, y, c, s);
    cn_row4w b = CN_GATHER_ROW(sim->hot, o.bodies_b, x, y, c, s);
    cn_row4w la = CN_GATHER_ROW(sim->hot, o.bodies_a, low_x, low_y, sleep_time, flags);
    cn_row4w lb = CN_GATHER_ROW(sim->hot, o.bodies_b, low_x, low_y, sleep_time, flags);
    cn_intw meta = cn_bitsw(row3.w);

    cn_vec2w ta = turn_since(made.x, made.y, a, has_flag(meta, CN_META_CIRCLE_A));
    cn_vec2w tb = turn_since(made.z, made.w, b, has_flag(meta, CN_META_CIRCLE_B));
    cn_vec2w n = {row1.x, row1.y}, between = {row2.z, row2.w};
    cn_vec2w d = {(b.x - a.x) + (lb.x - la.x), (b.y - a.y) + (lb.y - la.y)};
    cn_vec2w arm1 = {row1.z, row1.w}, arm2 = {row2.x, row2.y};
    anchor_state p1 = follow_anchor(arm1, cn_sub2w(arm1, between), d, ta, tb, n, base.x);
    anchor_state p2 = follow_anchor(arm2, cn_sub2w(arm2, between), d, ta, tb, n, base.y);
    row3.x = p1.separation;
    row3.y = p2.separation;
    CN_SCATTER_ROW(records, o.records, row3, s1, s2, friction, meta);

    cn_intw circle = has_flag(meta, CN_META_CIRCLE_A | CN_META_CIRCLE_B);
    cn_floatw one = cn_splatw(1), fraction = cn_selectw(circle, cn_splatw(CIRCLE_FRACTION), one);
    cn_floatw farthest = cn_splatw(tuning->anchor_distance * tuning->anchor_distance);
    cn_floatw size = SLIDE_FRACTION * SLIDE_FRACTION * cn_minw(p1.size, p2.size);
    cn_intw on_end = cn_maxw(p1.separation, p2.separation) > tuning->slop;
    cn_floatw turn = cn_minw(fraction, cn_selectw(on_end, cn_splatw(END_FRACTION), one));
    cn_intw remake = (cn_maxw(p1.slide, p2.slide) > cn_minw(farthest, fraction * fraction * size)) |
                     (cn_maxw(cn_absw(ta.y), cn_absw(tb.y)) > tuning->anchor_angle * turn) |
                     (cn_maxw(p1.lag, p2.lag) > farthest) |
                     (cn_minw(p1.separation, p2.separation) > tuning->slop) |
                     (cn_minw(ta.x, tb.x) < 0) |
                     has_flag(meta, CN_META_ALWAYS_REMAKE | CN_META_REMAKE);
    return cn_mask_bitsw(remake);
}

int CN_WIDE(cn_refresh_contacts)(cn_simulation *sim, int first, int end, int *moved) {
    int count = 0;
    for (; first < end; first += CN_LANES) {
        int lanes = (int)(sim->touching.occupied[first >> 6] >> (first & 63)) & CN_ALL_LANES;
        if (lanes) lanes &= refresh_group(sim, first);
        CN_EACH_LANE(k, lanes) moved[count++] = first + k;
    }
    return count;
}

// ---- margins

// CN_LANES pairs of one class. If there are fewer, the first fills the other lanes.
typedef struct {
    int32_t a[CN_LANES], b[CN_LANES]; // shapes
    int32_t meta[CN_LANES];
    int used; // bits of the lanes that have a pair of their own
} pair_lanes;

// How far apart each pair may be to become a contact.
typedef struct {
    cn_floatw margin;      // m: the greatest gap
    cn_vec2w displacement; // m: of B relative to A in this step, without turns
} reach;

// True if the body is on a joint, or continuous collision stopped it in the last step.
static bool begins_early(const cn_simulation *sim, int body) {
    return sim->first_joint[body] >= 0 || sim->hot[body].flags & CN_BODY_STOPPED;
}

// Returns the reach of each pair. Usually the margin is the speculative margin. Pairs with
// restitution, pairs with an immovable body, and pairs with a body that begins_early() become a
// contact as soon as they could meet within the step (speed as in cn_closing_speed_bound()).
// Otherwise a body that was stopped at one that moves away would stop again in each step, and never
// hit it.
CN_INLINE reach contact_reach(const cn_simulation *sim, const pair_lanes *pairs) {
    cn_floatw margin = cn_splatw(sim->tuning.speculative_margin);
    uint32_t row_a[CN_LANES], row_b[CN_LANES];
    for (int k = 0; k < CN_LANES; k++) {
        // In bytes: hot and warm rows have the same size.
        row_a[k] = (uint32_t)sim->links[pairs->a[k]].body * sizeof(cn_body_hot);
        row_b[k] = (uint32_t)sim->links[pairs->b[k]].body * sizeof(cn_body_hot);
    }
    cn_intw meta;
    memcpy(&meta, pairs->meta, sizeof meta);
    cn_row4w va = CN_GATHER_ROW(sim->hot, row_a, vx, vy, w, inverse_mass);
    cn_row4w vb = CN_GATHER_ROW(sim->hot, row_b, vx, vy, w, inverse_mass);
    cn_row4w sa = CN_GATHER_ROW(sim->warm, row_a, sleep_speed, extent, first_shape, last_shape);
    cn_row4w sb = CN_GATHER_ROW(sim->warm, row_b, sleep_speed, extent, first_shape, last_shape);
    cn_floatw x = vb.x - va.x, y = vb.y - va.y;
    cn_floatw speed = cn_sqrtw(x * x + y * y) + cn_absw(va.z) * sa.y + cn_absw(vb.z) * sb.y;
    cn_floatw approach = speed * sim->step_seconds;
    cn_intw early = has_flag(meta, CN_META_BOUNCY) | (va.w == 0) | (vb.w == 0);
    int far = cn_mask_bitsw(~early & (approach > margin)) & pairs->used;
    CN_EACH_LANE(k, far) {
        early[k] = -(begins_early(sim, sim->links[pairs->a[k]].body) ||
                     begins_early(sim, sim->links[pairs->b[k]].body));
    }
    return (reach){cn_selectw(early, cn_maxw(margin, approach), margin),
                   {x * sim->step_seconds, y * sim->step_seconds}};
}

// Two placed hulls in each lane, given by their indices in the store.
typedef struct {
    cn_hull_store store;
    const int32_t *a, *b;
    const int32_t *surfaces; // as in cn_simulation.surface_of, with flags
    int used;                // bits of the lanes that have a pair of their own
    reach reach;
} hull_lanes;

// Collides again, one by one, the touching lanes in which a surface counts.
static __attribute__((noinline)) void collide_surfaces(const cn_simulation *sim,
                                                       const hull_lanes *hulls, cn_manifoldw *m) {
    CN_EACH_LANE(k, hulls->used & cn_mask_bitsw(m->count > 0)) {
        if (hulls->surfaces[k] > 0)
            collide_on_surface(sim, &hulls->store, hulls->a[k], hulls->b[k], hulls->surfaces[k],
                               hulls->reach.margin[k], m, k);
    }
}

// Removes the contacts of pairs whose displacement in this step leaves the gap beyond the
// speculative margin. Turns do not count.
CN_INLINE void drop_distant(const cn_simulation *sim, const reach *r, cn_manifoldw *m) {
    cn_floatw gap = cn_minw(m->separations[0], m->separations[1]);
    cn_floatw closed = cn_maxw(-cn_dot2w(r->displacement, m->normal), cn_splatw(0));
    m->count &= ~(gap > closed + sim->tuning.speculative_margin);
}

// Each call of the narrowphase has a constant class, which selects its kernel at compile time.
static void collide_hulls(const cn_simulation *sim, cn_hull_class hull_class,
                          const hull_lanes *hulls, cn_manifoldw *m) {
    const cn_hull_store *store = &hulls->store;
    const int32_t *a = hulls->a, *b = hulls->b;
    cn_floatw tolerance = cn_splatw(CORNER_TOLERANCE * sim->tuning.slop),
              margin = hulls->reach.margin;
    if (hull_class == CN_CLASS_BOX)
        cn_collide_pairsw(CN_CLASS_BOX, store, a, b, margin, tolerance, m);
    else if (hull_class == CN_CLASS_HULL4)
        cn_collide_pairsw(CN_CLASS_HULL4, store, a, b, margin, tolerance, m);
    else
        cn_collide_pairsw(CN_CLASS_HULL8, store, a, b, margin, tolerance, m);
    drop_distant(sim, &hulls->reach, m);
    bool any = false;
    for (int k = 0; k < CN_LANES; k++) any |= hulls->surfaces[k] > 0;
    if (any) collide_surfaces(sim, hulls, m);
}

// ---- predictions

// Returns the hull at its pose after t seconds.
static cn_placed_hull place_later(const cn_simulation *sim, int shape, float t) {
    const cn_body_hot *body = &sim->hot[sim->links[shape].body];
    return cn_placed_after(sim, shape, cn_vec(body->vx * t, body->vy * t), body->w * t);
}

// Returns the velocity of the body of B minus that of A.
static vec2s relative_velocity(const cn_simulation *sim, int a, int b) {
    const cn_body_hot *p = &sim->hot[sim->links[a].body], *q = &sim->hot[sim->links[b].body];
    return cn_vec(q->vx - p->vx, q->vy - p->vy);
}

// Collides two shapes at their poses after t seconds. The first lane gets the manifold.
static __attribute__((noinline)) void collide_later(const cn_simulation *sim,
                                                    cn_hull_class hull_class, int a, int b, float t,
                                                    cn_manifoldw *m) {
    const cn_placed_hull pair[2] = {place_later(sim, a, t), place_later(sim, b, t)};
    const int32_t first[CN_LANES] = {0}, surfaces[CN_LANES] = {surface_between(sim, a, b)};
    int32_t second[CN_LANES];
    for (int k = 0; k < CN_LANES; k++) second[k] = 1;
    const hull_lanes hulls = {{pair, sim->hulls.hulls8},
                              first,
                              second,
                              surfaces,
                              1,
                              {.margin = cn_splatw(sim->tuning.speculative_margin)}};
    collide_hulls(sim, hull_class, &hulls, m);
}

// True if two shapes with a gap along n come within the margin in this step, and still face each
// other along n when the gap is closed. If not, a contact with the present normal would stop shapes
// that miss each other: a ring that turns fast would throw the balls inside.
static __attribute__((noinline)) bool will_meet(const cn_simulation *sim, cn_hull_class hull_class,
                                                int a, int b, vec2s n, float gap) {
    float closing = -glms_vec2_dot(relative_velocity(sim, a, b), n);
    if (!(closing * sim->step_seconds > gap - sim->tuning.speculative_margin)) return false;
    cn_manifoldw m;
    collide_later(sim, hull_class, a, b, gap / closing, &m);
    return m.count[0] != 0 && m.normal.x[0] * n.x + m.normal.y[0] * n.y > CN_SAME_FACE_COSINE;
}

// True for two circles that have the centres of their bodies.
static bool are_circles(const cn_simulation *sim, int a, int b) {
    float off = glms_vec2_norm2(sim->links[a].offset) + glms_vec2_norm2(sim->links[b].offset);
    return cn_placed_count(&sim->placed[a]) * cn_placed_count(&sim->placed[b]) == 1 && !(off > 0);
}

// Aims the contact of two circles: its normal is the line between their centres when they meet, not
// now. With the present normal, billiard balls would leave in wrong directions. Returns false if
// they do not meet within the step.
//
// With d the centre of B minus that of A, v the relative velocity and r the sum of the radii, they
// meet at the time t of |d + v t| = r. Then n = (d + v t) / r. `along` and `across` are |v| times
// the parts of r n along -v and across v.
static bool aim_circles(const cn_simulation *sim, int a, int b, int k, cn_manifoldw *m) {
    const cn_placed_hull *pa = &sim->placed[a], *pb = &sim->placed[b];
    vec2s d = glms_vec2_sub(pb->pose.position, pa->pose.position), v = relative_velocity(sim, a, b);
    float r = pa->radius + pb->radius, vr = glms_vec2_norm(v) * r, across = glms_vec2_cross(v, d);
    if (!(cn_abs(across) < vr)) return false;
    float along = sqrtf(vr * vr - across * across), scale = 1 / (vr * glms_vec2_norm(v));
    vec2s n = cn_vec(scale * (-v.y * across - v.x * along), scale * (v.x * across - v.y * along));
    float gap = glms_vec2_dot(d, n) - r;
    float most = along * sim->step_seconds + sim->tuning.speculative_margin * r;
    if (!(gap > 0 && gap * r < most)) return false; // they overlap, or meet later
    for (int i = 0; i < 2; i++) {
        m->separations[i][k] = gap;
        m->points[i].x[k] = (pa->radius + gap / 2) * n.x;
        m->points[i].y[k] = (pa->radius + gap / 2) * n.y;
    }
    m->normal.x[k] = n.x, m->normal.y[k] = n.y;
    return true;
}

// Removes the contacts of pairs beyond the speculative margin that will miss each other, and aims
// those of circles.
CN_INLINE void drop_misses(const cn_simulation *sim, cn_hull_class hull_class,
                           const pair_lanes *pairs, cn_manifoldw *m) {
    cn_floatw gap = cn_minw(m->separations[0], m->separations[1]);
    int far = cn_mask_bitsw((gap > sim->tuning.speculative_margin) & (m->count > 0)) & pairs->used;
    if (!far) return;
    const int32_t *a = pairs->a, *b = pairs->b;
    int32_t counts[CN_LANES];
    memcpy(counts, &m->count, sizeof counts);
    CN_EACH_LANE(k, far) {
        vec2s n = cn_vec(m->normal.x[k], m->normal.y[k]);
        bool meets = are_circles(sim, a[k], b[k])
                         ? aim_circles(sim, a[k], b[k], k, m)
                         : will_meet(sim, hull_class, a[k], b[k], n, gap[k]);
        if (!meets) counts[k] = 0;
    }
    memcpy(&m->count, counts, sizeof counts);
}

// ---- passing pairs

// True if two shapes are apart after t seconds, or overlap by less than the slop. If n is given,
// this overlap must be at another face than that with the normal n. Lowers *left to the separation
// then, if the two are within the margin.
static bool are_apart_later(const cn_simulation *sim, cn_hull_class hull_class, int a, int b,
                            float t, const vec2s *n, float *left) {
    cn_manifoldw m;
    collide_later(sim, hull_class, a, b, t, &m);
    if (!m.count[0]) return true;
    *left = cn_min(*left, cn_min(m.separations[0][0], m.separations[1][0]));
    bool other_face = !n || m.normal.x[0] * n->x + m.normal.y[0] * n->y < CN_SAME_FACE_COSINE;
    return other_face && *left > -sim->tuning.slop;
}

// Returns the least distance within some seconds of two points at distance d that move at v.
static float min_distance(vec2s d, vec2s v, float seconds) {
    float nearest = cn_clamp(-glms_vec2_dot(d, v) / glms_vec2_norm2(v), 0, seconds);
    return glms_vec2_norm(glms_vec2_add(d, glms_vec2_scale(v, nearest)));
}

/* Adjusts a contact of two corners, or of two faces that are hardly opposite each other. The solver
 * knows only the present normal, so it would stop a pair that passes: a ball that flies over crates
 * would hit their corners and be thrown up.
 *
 * The poses are predicted to one substep beyond the step, because the relax pass looks that far. If
 * the shapes are apart then, the contact gets a wider gap: the approach along the normal closes it
 * to the separation that is really left. So the solver lets the pair pass.
 *
 * Returns true if the normal is good for this step only. Returns false, and changes nothing, if the
 * pair hardly approaches, if corners overlap, and for two circles, whose contact is aimed instead.
 */
static bool adjust_passing_contact(const cn_simulation *sim, cn_hull_class hull_class, int a, int b,
                                   int k, cn_manifoldw *m) {
    const cn_placed_hull *pa = &sim->placed[a], *pb = &sim->placed[b];
    const float slop = sim->tuning.slop, gap = cn_min(m->separations[0][k], m->separations[1][k]);
    const float radii = pa->radius + pb->radius;
    vec2s n = cn_vec(m->normal.x[k], m->normal.y[k]), between = glms_vec2_scale(n, gap + radii);
    vec2s middle = glms_vec2_add(pa->pose.position, cn_vec(m->points[0].x[k], m->points[0].y[k]));
    vec2s start = glms_vec2_sub(middle, glms_vec2_scale(n, pa->radius + gap / 2)); // on A's core
    vec2s v =
        glms_vec2_sub(cn_velocity_at(&sim->hot[sim->links[b].body], glms_vec2_add(start, between)),
                      cn_velocity_at(&sim->hot[sim->links[a].body], start));
    float seconds = (1 + 1 / (float)sim->substeps) * sim->step_seconds;
    float speed = -glms_vec2_dot(v, n), approach = speed * seconds, left = approach - gap;
    bool corners = m->count[k] == 1 && gap > m->separation[k] + CORNER_EXCESS * slop;
    if (!(approach > cn_max(MIN_APPROACH_FRACTION * gap, MIN_APPROACH_SLOPS * slop)) ||
        !cn_finite(approach) || (corners && gap <= 0) || are_circles(sim, a, b))
        return false;
    if (!(approach > gap)) return true;
    if (corners) left = min_distance(between, v, seconds) - radii;
    if (!(left > -slop)) return true;
    float overlap_time = (gap + 2 * slop) / speed; // until faces would overlap by two slops
    if (!corners && overlap_time < seconds &&
        !are_apart_later(sim, hull_class, a, b, overlap_time, &n, &left))
        return true;
    if (are_apart_later(sim, hull_class, a, b, seconds, corners ? NULL : &n, &left))
        m->separations[0][k] = m->separations[1][k] = left + approach;
    return true;
}

// Returns the lanes whose normals are good for this step only. `narrow`: contacts with one point,
// or with two points less than a slop apart.
CN_INLINE int adjust_passing_contacts(const cn_simulation *sim, cn_hull_class hull_class,
                                      const pair_lanes *pairs, cn_manifoldw *m) {
    int short_lived = 0;
    float slop = sim->tuning.slop;
    cn_floatw gap = cn_minw(m->separations[0], m->separations[1]);
    cn_vec2w width = cn_sub2w(m->points[1], m->points[0]);
    cn_intw narrow = (m->count == 1) | ((m->count == 2) & (cn_dot2w(width, width) < slop * slop));
    CN_EACH_LANE(k, cn_mask_bitsw((gap > -slop) & narrow) & pairs->used) {
        short_lived |= adjust_passing_contact(sim, hull_class, pairs->a[k], pairs->b[k], k, m) << k;
    }
    return short_lived;
}

// ---- pairs in lanes

// Bits of the lanes whose pairs ...
typedef struct {
    int apart;       // do not touch
    int short_lived; // have normals that are good only for this step
} outcome;

// Writes the manifolds of the pairs.
static outcome collide_lanes(const cn_simulation *sim, cn_hull_class hull_class,
                             const pair_lanes *pairs, cn_manifoldw *m) {
    int32_t surfaces[CN_LANES];
    for (int k = 0; k < CN_LANES; k++) surfaces[k] = sim->surface_of[pairs->a[k]];
    for (int k = 0; sim->moving_surfaces && k < CN_LANES; k++)
        surfaces[k] = surface_between(sim, pairs->a[k], pairs->b[k]);
    const hull_lanes hulls = {
        {sim->placed, sim->hulls.hulls8}, pairs->a, pairs->b, surfaces, pairs->used,
        contact_reach(sim, pairs)};
    collide_hulls(sim, hull_class, &hulls, m);
    outcome o;
    drop_misses(sim, hull_class, pairs, m);
    o.short_lived = adjust_passing_contacts(sim, hull_class, pairs, m);
    o.apart = cn_mask_bitsw(m->count == 0) & pairs->used;
    return o;
}

// ---- collide

typedef struct {
    cn_floatw ln1, ln2, lt;
} impulses;

// Gives the impulses of the old points to the new points with the same ids.
CN_INLINE impulses carry_impulses(cn_row4w old, cn_intw old_meta, cn_intw ids, cn_intw two) {
    cn_intw count = old_meta >> CN_META_COUNT & 3;
    cn_intw had1 = count > 0, had2 = count > 1;
    cn_intw old1 = old_meta & 255, old2 = old_meta >> 8 & 255;
    cn_intw new1 = ids & 255, new2 = ids >> 8 & 255;
    cn_intw same11 = had1 & (old1 == new1), same12 = had2 & (old2 == new1);
    cn_intw same21 = had1 & (old1 == new2), same22 = had2 & (old2 == new2);
    cn_floatw ln1 = cn_selectw(same11, old.x, cn_keepw(same12, old.y));
    cn_floatw ln2 = cn_selectw(same22, old.y, cn_keepw(same21, old.x));
    ln2 = cn_selectw(two, ln2, cn_keepw(same11 & ~had2, old.y)); // or the one against rolling
    return (impulses){ln1, ln2, cn_keepw(same11 | same12 | same21 | same22, old.z)};
}

// Copies the manifold of the first lane, which scalar code may have changed, to the unused lanes:
// they are stored to the same contact. (Stores of single lanes would take longer: they keep all
// rows in memory.)
CN_INLINE void repeat_first_lane(int used, cn_manifoldw *m, int *short_lived) {
    if (used == CN_ALL_LANES) return;
    cn_intw keep;
    for (int k = 0; k < CN_LANES; k++) keep[k] = -(used >> k & 1);
    for (size_t i = 0; i < sizeof *m / sizeof(cn_intw); i++) {
        cn_intw row;
        memcpy(&row, (char *)m + i * sizeof row, sizeof row);
        row = cn_select_intw(keep, row, cn_splat_intw(row[0]));
        memcpy((char *)m + i * sizeof row, &row, sizeof row);
    }
    if (*short_lived & 1) *short_lived |= CN_ALL_LANES & ~used;
}

// Writes records and anchors. The contacts in lanes that no longer touch are about to end: of their
// records only the old meta word matters, with the number of points that they had.
CN_INLINE void store_contacts(cn_simulation *sim, const int *slots, const pair_lanes *pairs,
                              const cn_manifoldw *m, int short_lived) {
    offsets at = offsets_of(&sim->touching, slots);
    cn_contact_record *records = sim->touching.records;
    cn_anchor *anchors = sim->touching.anchors;
    uint32_t link_a[CN_LANES];
    for (int k = 0; k < CN_LANES; k++) link_a[k] = (uint32_t)pairs->a[k] * sizeof(cn_shape_link);
    cn_row4w offset = CN_GATHER_ROW(sim->links, link_a, offset.x, offset.y, body, friction);
    cn_row4w a = CN_GATHER_ROW(sim->hot, at.bodies_a, x, y, c, s);
    cn_row4w b = CN_GATHER_ROW(sim->hot, at.bodies_b, x, y, c, s);
    cn_row4w row3 = CN_GATHER_ROW(records, at.records, s1, s2, friction, meta);
    cn_row4w row4 = CN_GATHER_ROW(records, at.records, ln1, ln2, lt, restitution);
    cn_intw old_meta = cn_bitsw(row3.w);
    cn_intw two = m->count > 1;
    impulses kept = carry_impulses(row4, old_meta, m->ids, two);
    cn_intw meta = (old_meta & CN_META_FLAGS) | m->ids | m->reference << CN_META_REFERENCE |
                   m->count << CN_META_COUNT;
    CN_EACH_LANE(k, short_lived) meta[k] |= CN_META_REMAKE;
    meta = cn_select_intw(m->count > 0, meta, old_meta);

    cn_vec2w center = {offset.x, offset.y};
    cn_vec2w p1 = cn_add2w(m->points[0], center), p2 = cn_add2w(m->points[1], center);
    cn_floatw s1 = m->separations[0], s2 = m->separations[1];
    cn_intw ia, ib;
    memcpy(&ia, pairs->a, sizeof ia);
    memcpy(&ib, pairs->b, sizeof ib);
    const cn_row4w record[4] = {
        {m->normal.x, m->normal.y, p1.x, p1.y},
        {p2.x, p2.y, b.x - a.x, b.y - a.y},
        {s1, s2, row3.z, cn_from_bitsw(meta)},
        {kept.ln1, kept.ln2, kept.lt, row4.w},
    };
    const cn_row4w anchor[2] = {{a.z, a.w, b.z, b.w},
                                {s1, s2, cn_from_bitsw(ia), cn_from_bitsw(ib)}};
    CN_SCATTER_ROW(records, at.records, record[0], nx, ny, p1x, p1y);
    CN_SCATTER_ROW(records, at.records, record[1], p2x, p2y, dx, dy);
    CN_SCATTER_ROW(records, at.records, record[2], s1, s2, friction, meta);
    CN_SCATTER_ROW(records, at.records, record[3], ln1, ln2, lt, restitution);
    CN_SCATTER_ROW(anchors, at.anchors, anchor[0], ca, sa, cb, sb);
    CN_SCATTER_ROW(anchors, at.anchors, anchor[1], s1, s2, shape_a, shape_b);
}

int CN_WIDE(cn_collide_contacts)(cn_simulation *sim, cn_hull_class hull_class, int *list,
                                 int count) {
    cn_touching_rows *touching = &sim->touching;
    int end_count = 0;
    for (int i = 0; i < count; i += CN_LANES) {
        int slots[CN_LANES], used = cn_min_int(CN_LANES, count - i);
        pair_lanes pairs;
        pairs.used = (1 << used) - 1;
        for (int k = 0; k < CN_LANES; k++) {
            int slot = slots[k] = list[i + (k < used ? k : 0)];
            pairs.a[k] = touching->anchors[slot].shape_a;
            pairs.b[k] = touching->anchors[slot].shape_b;
            pairs.meta[k] = (int32_t)touching->records[slot].meta;
        }
        cn_manifoldw m;
        outcome o = collide_lanes(sim, hull_class, &pairs, &m);
        repeat_first_lane(pairs.used, &m, &o.short_lived);
        store_contacts(sim, slots, &pairs, &m, o.short_lived);
        CN_EACH_LANE(k, o.apart) list[end_count++] = slots[k];
    }
    return end_count;
}

// ---- test

void CN_WIDE(cn_test_pairs)(cn_simulation *sim, cn_hull_class hull_class, cn_apart *list,
                            int count) {
    for (int i = 0; i < count; i += CN_LANES) {
        int used = cn_min_int(CN_LANES, count - i);
        pair_lanes pairs;
        pairs.used = (1 << used) - 1;
        for (int k = 0; k < CN_LANES; k++) {
            const cn_apart *pair = &list[i + (k < used ? k : 0)];
            pairs.a[k] = pair->shape_a;
            pairs.b[k] = pair->shape_b;
            pairs.meta[k] = (int32_t)pair->meta;
        }
        cn_manifoldw m;
        const outcome o = collide_lanes(sim, hull_class, &pairs, &m);
        for (int k = 0; k < used; k++)
            list[i + k].result = o.apart >> k & 1 ? CN_PAIR_APART : CN_PAIR_TOUCHES;
    }
}
