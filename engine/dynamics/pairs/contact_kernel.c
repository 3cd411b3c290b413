/* The wide loops over contacts, CN_LANES at a time; compiled once per instruction set.
 *
 * refresh   A touching contact keeps its record (normal, lever arms, all in world axes) while the pair
 *           hardly moves. What follows the bodies is the separation. Let d be the difference of the
 *           centres, rA and rB the lever arms when the anchors were made, and R the turn of a body
 *           since then; the two anchors, one on each body, coincided then and are now apart by
 *
 *               e = d' + R_B rB - R_A rA,      s = s0 + n . e
 *
 *           A contact is remade when |e| or a turn became too large or when it is about to part. The
 *           anchor of a circle about the centre of its body does not turn.
 * collide   remakes contacts: hulls from the shapes' rows, the narrowphase kernel, records and anchors
 *           back. Impulses stay with the points whose feature ids are the same. Pairs of ground that
 *           has a surface of its own (ground.c) are done anew, one at a time.
 * test      asks only whether pairs are near enough to be contacts.
 *
 * Frozen lever arms are what makes tall stacks stand: anchors that turn with the bodies feed every
 * wobble back into the torques.
 */
#include "../../base/wide.h"
#include "../../collision/manifold.h"
#include "pairs.h"

typedef struct {
    uint32_t records[CN_LANES], anchors[CN_LANES], bodies_a[CN_LANES], bodies_b[CN_LANES];
} offsets; // in bytes, of the rows of some contacts

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

// An anchor slides by this share of a small body's size at most.
#define SIZE_SHARE 0.35f
// Of that, and of the angle at which contacts are made anew: what turns or slides on a circle, which turns away, leaves
// its contact behind, and a plank on two rollers would be driven by that; what stands on one end would fall about
// where that was.
#define CIRCLE_SHARE 0.01f
#define END_TURN     0.3f
// What turns together, as what lies on a platform that rocks, would creep outwards while levers stay behind: there the
// way of a lever's end counts four times. (Squared.)
#define TOGETHER 16.0f

// The turn since the anchors were made, from the rotation then and the row of the body now.
CN_INLINE cn_vec2w turn_since(cn_floatw c, cn_floatw s, cn_row4w body, cn_intw is_circle) {
    cn_vec2w turn = cn_unrotatew((cn_vec2w){c, s}, (cn_vec2w){body.z, body.w});
    return (cn_vec2w){cn_selectw(is_circle, cn_splatw(1), turn.x), cn_keepw(~is_circle, turn.y)};
}

typedef struct {
    cn_floatw separation, drift; // drift: squared distance of the two anchors
    cn_floatw size;              // squared, of the shorter lever arm: that of the smaller body
    cn_floatw turned;            // squared way of the end of a lever arm that would have turned
} anchor_state;

// Lever arms p on A and q on B, centre difference d, turns a and b, normal n.
CN_INLINE anchor_state follow_anchor(cn_vec2w p, cn_vec2w q, cn_vec2w d, cn_vec2w a, cn_vec2w b,
                                     cn_vec2w n, cn_floatw s0) {
    cn_vec2w e = cn_sub2w(cn_add2w(d, cn_rotatew(b, q)), cn_rotatew(a, p));
    cn_floatw pp = cn_dot2w(p, p), qq = cn_dot2w(q, q), aa = a.y * a.y, bb = b.y * b.y;
    return (anchor_state){
        s0 + cn_dot2w(n, e), cn_dot2w(e, e), cn_minw(pp, qq),
        cn_maxw(cn_maxw(aa * pp, bb * qq), TOGETHER * cn_minw(aa, bb) * cn_maxw(pp, qq))};
}

CN_INLINE cn_intw has_flag(cn_intw meta, int32_t flag) { return (meta & flag) != 0; }

// Refreshes CN_LANES contacts from slot `first` on; returns the lanes that must be remade.
CN_INLINE int refresh_group(cn_simulation *sim, int first) {
    cn_touching_rows *touching = &sim->touching;
    const cn_tuning *tuning = &sim->tuning;
    int slots[CN_LANES];
    for (int k = 0; k < CN_LANES; k++) slots[k] = first + k;
    offsets o = offsets_of(touching, slots);
    char *records = (char *)touching->records;
    const char *anchors = (const char *)touching->anchors;

    cn_row4w row1 = cn_gather4w(records, o.records), row2 = cn_gather4w(records + 16, o.records);
    cn_row4w row3 = cn_gather4w(records + 32, o.records);
    cn_row4w made = cn_gather4w(anchors, o.anchors), base = cn_gather4w(anchors + 16, o.anchors);
    cn_row4w a = cn_gather4w(sim->hot, o.bodies_a), b = cn_gather4w(sim->hot, o.bodies_b);
    cn_row4w la = cn_gather4w(&sim->hot->low_x, o.bodies_a),
             lb = cn_gather4w(&sim->hot->low_x, o.bodies_b);
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
    cn_scatter4w(records + 32, o.records, row3);

    cn_intw circle = has_flag(meta, CN_META_CIRCLE_A | CN_META_CIRCLE_B);
    cn_floatw one = cn_splatw(1), share = cn_selectw(circle, cn_splatw(CIRCLE_SHARE), one);
    cn_floatw farthest = cn_splatw(tuning->anchor_distance * tuning->anchor_distance);
    cn_floatw size = SIZE_SHARE * SIZE_SHARE * cn_minw(p1.size, p2.size);
    cn_intw on_end = cn_maxw(p1.separation, p2.separation) > tuning->slop;
    cn_floatw turn = cn_minw(share, cn_selectw(on_end, cn_splatw(END_TURN), one));
    cn_intw remake = (cn_maxw(p1.drift, p2.drift) > cn_minw(farthest, share * share * size)) |
                     (cn_maxw(cn_absw(ta.y), cn_absw(tb.y)) > tuning->anchor_angle * turn) |
                     (cn_maxw(p1.turned, p2.turned) > farthest) |
                     (cn_minw(p1.separation, p2.separation) > tuning->slop) |
                     (cn_minw(ta.x, tb.x) < 0) | has_flag(meta, CN_META_ALWAYS_REMAKE | CN_META_REMAKE);
    return cn_mask_bitsw(remake);
}

int CN_WIDE(cn_refresh_contacts)(cn_simulation *sim, int first, int end, int *moved) {
    int count = 0;
    for (; first < end; first += CN_LANES) {
        int lanes = (int)(sim->touching.occupied[first >> 6] >> (first & 63)) & CN_ALL_LANES;
        if (lanes) lanes &= refresh_group(sim, first);
        CN_EACH_LANE(k, lanes) { moved[count++] = first + k; }
    }
    return count;
}

// ---- margins

// A pair that may bounce, of which A is the ground, or one is a fast link, is a contact as soon as it could meet within
// the step: see cn_closing_speed_bound().
CN_INLINE cn_floatw margins_of(const cn_simulation *sim, const int32_t *a, const int32_t *b,
                               cn_intw bouncy) {
    cn_floatw margin = cn_splatw(sim->tuning.speculative_margin);
    uint32_t row_a[CN_LANES], row_b[CN_LANES];
    for (int k = 0; k < CN_LANES; k++) {
        row_a[k] = (uint32_t)sim->links[a[k]].body * sizeof(cn_body_hot); // of the warm row, too
        row_b[k] = (uint32_t)sim->links[b[k]].body * sizeof(cn_body_hot);
    }
    cn_row4w va = cn_gather4w(&sim->hot->vx, row_a), vb = cn_gather4w(&sim->hot->vx, row_b);
    cn_row4w sa = cn_gather4w(&sim->warm->sleep_speed, row_a); // y: extent
    cn_row4w sb = cn_gather4w(&sim->warm->sleep_speed, row_b);
    cn_floatw x = vb.x - va.x, y = vb.y - va.y;
    cn_floatw speed = cn_sqrtw(x * x + y * y) + cn_absw(va.z) * sa.y + cn_absw(vb.z) * sb.y;
    cn_floatw way = speed * sim->step_seconds;
    cn_intw early = bouncy | (va.w == 0);
    int far = sim->slots[CN_JOINTS].count ? cn_mask_bitsw(~early & (way > margin)) : 0;
    CN_EACH_LANE(k, far) {
        int first = (int)(row_a[k] / sizeof(cn_body_hot)),
            other = (int)(row_b[k] / sizeof(cn_body_hot));
        early[k] = -(cn_is_fast_jointed(sim, first) || cn_is_fast_jointed(sim, other));
    }
    return cn_selectw(early, cn_maxw(margin, way), margin);
}

// Two placed hulls in each lane, by their indices in the store.
typedef struct {
    cn_hull_store store;
    const int32_t *a, *b;
    const int32_t *surfaces; // of A, as in cn_simulation.surface_of
    cn_floatw margin;
} hull_lanes;

// Does B lie on a face that goes on at both ends? Then the surface has nothing to change.
static bool is_on_flat(const cn_surface *surface, const cn_manifoldw *m, int k) {
    int reference = m->reference[k];
    return m->count[k] == 2 && reference < 8 && surface->flat >> reference & 1;
}

// The lanes of which A has a surface are done anew, one by one, if they touch at all.
static __attribute__((noinline)) void collide_surfaces(const cn_simulation *sim,
                                                       const hull_lanes *hulls, cn_manifoldw *m) {
    for (int k = 0; k < CN_LANES; k++) {
        if (hulls->surfaces[k] <= 0 || !m->count[k]) continue;
        const cn_surface *surface = &sim->surfaces.items[hulls->surfaces[k]];
        if (is_on_flat(surface, m, k)) continue;
        cn_manifold_row row =
            cn_collide_surface(&hulls->store, surface, hulls->a[k], hulls->b[k], hulls->margin[k],
                               0.1f * sim->tuning.slop);
        for (size_t i = 0; i < sizeof row / 4; i++)
            memcpy((char *)m + 4 * (i * CN_LANES + (size_t)k), &row.words[i], 4);
    }
}

// In the kernels the class is a constant.
static void collide_hulls(const cn_simulation *sim, cn_hull_class class, const hull_lanes *hulls,
                          cn_manifoldw *m) {
    const cn_hull_store *store = &hulls->store;
    const int32_t *a = hulls->a, *b = hulls->b;
    cn_floatw tolerance = cn_splatw(0.1f * sim->tuning.slop), margin = hulls->margin;
    if (class == CN_CLASS_BOX)
        cn_collide_pairsw(CN_CLASS_BOX, store, a, b, margin, tolerance, m);
    else if (class == CN_CLASS_HULL4)
        cn_collide_pairsw(CN_CLASS_HULL4, store, a, b, margin, tolerance, m);
    else
        cn_collide_pairsw(CN_CLASS_HULL8, store, a, b, margin, tolerance, m);
    bool any = false;
    for (int k = 0; k < CN_LANES; k++) any |= hulls->surfaces[k] > 0;
    if (any) collide_surfaces(sim, hulls, m);
}

// ---- far pairs

// The hull where it will be after t seconds.
static cn_placed_hull place_later(const cn_simulation *sim, int shape, float t) {
    const cn_body_hot *body = &sim->hot[sim->links[shape].body];
    return cn_placed_after(sim, shape, cn_vec(body->vx * t, body->vy * t), body->w * t);
}

// How fast B moves, seen from A.
static vec2s passing_speed(const cn_simulation *sim, int a, int b) {
    const cn_body_hot *p = &sim->hot[sim->links[a].body], *q = &sim->hot[sim->links[b].body];
    return cn_vec(q->vx - p->vx, q->vy - p->vy);
}

// The manifold of two shapes after t seconds, in all lanes.
static __attribute__((noinline)) void collide_later(const cn_simulation *sim, cn_hull_class class,
                                                    int a, int b, float t, cn_manifoldw *m) {
    const cn_placed_hull pair[2] = {place_later(sim, a, t), place_later(sim, b, t)};
    int32_t first[CN_LANES] = {0}, second[CN_LANES], surfaces[CN_LANES] = {sim->surface_of[a]};
    for (int k = 0; k < CN_LANES; k++) second[k] = 1;
    const hull_lanes hulls = {
        {pair, sim->hulls.hulls8}, first, second, surfaces, cn_splatw(sim->tuning.speculative_margin)};
    collide_hulls(sim, class, &hulls, m);
}

// Two shapes with a gap along n: once the gap has closed, are they still in front of each other?
static __attribute__((noinline)) bool will_meet(const cn_simulation *sim, cn_hull_class class,
                                                int a, int b, vec2s n, float gap) {
    float closing = -glms_vec2_dot(passing_speed(sim, a, b), n);
    if (!(closing * sim->step_seconds > gap - sim->tuning.speculative_margin)) return false;
    cn_manifoldw m;
    collide_later(sim, class, a, b, gap / closing, &m);
    return m.count[0] != 0 && m.normal.x[0] * n.x + m.normal.y[0] * n.y > 0.7f;
}

static bool are_circles(const cn_simulation *sim, int a, int b) {
    float off = glms_vec2_norm2(sim->links[a].offset) + glms_vec2_norm2(sim->links[b].offset);
    return cn_placed_count(&sim->placed[a]) * cn_placed_count(&sim->placed[b]) == 1 && !(off > 0);
}

// The contact of two circles that fly at each other is on the line between their centres when they meet, not now. False
// if they do not meet within the step.
static bool aim_circles(const cn_simulation *sim, int a, int b, int k, cn_manifoldw *m) {
    const cn_placed_hull *pa = &sim->placed[a], *pb = &sim->placed[b];
    vec2s d = glms_vec2_sub(pb->pose.position, pa->pose.position), v = passing_speed(sim, a, b);
    float r = pa->radius + pb->radius, vr = glms_vec2_norm(v) * r, across = glms_vec2_cross(v, d);
    if (!(cn_abs(across) < vr)) return false;
    float along = sqrtf(vr * vr - across * across), scale = 1 / (vr * glms_vec2_norm(v));
    vec2s n = cn_vec(scale * (-v.y * across - v.x * along), scale * (v.x * across - v.y * along));
    float gap = glms_vec2_dot(d, n) - r;
    float most = along * sim->step_seconds + sim->tuning.speculative_margin * r;
    if (!(gap > 0 && gap * r < most)) return false; // else they met before, or will later
    for (int i = 0; i < 2; i++) {
        m->separations[i][k] = gap;
        m->points[i].x[k] = (pa->radius + gap / 2) * n.x;
        m->points[i].y[k] = (pa->radius + gap / 2) * n.y;
    }
    m->normal.x[k] = n.x, m->normal.y[k] = n.y;
    return true;
}

// Of pairs that are contacts from afar those that will miss each other are none.
CN_INLINE void drop_misses(const cn_simulation *sim, cn_hull_class class, const int32_t *a,
                           const int32_t *b, cn_manifoldw *m) {
    cn_floatw gap = cn_minw(m->separations[0], m->separations[1]);
    int far = cn_mask_bitsw((gap > sim->tuning.speculative_margin) & (m->count > 0));
    if (!far) return;
    int32_t counts[CN_LANES];
    memcpy(counts, &m->count, sizeof counts);
    CN_EACH_LANE(k, far) {
        vec2s n = cn_vec(m->normal.x[k], m->normal.y[k]);
        bool meets = are_circles(sim, a[k], b[k]) ? aim_circles(sim, a[k], b[k], k, m)
                                                  : will_meet(sim, class, a[k], b[k], n, gap[k]);
        if (!meets) counts[k] = 0;
    }
    memcpy(&m->count, counts, sizeof counts);
}

// ---- what passes

// Are two shapes free of each other after t seconds, but for the slop? If n is given also not by what they have along
// n, but at another face. Then there is no more left between them than that.
static bool are_free_later(const cn_simulation *sim, cn_hull_class class, int a, int b, float t,
                           const vec2s *n, float *left) {
    cn_manifoldw m;
    collide_later(sim, class, a, b, t, &m);
    if (!m.count[0]) return true;
    *left = cn_min(*left, cn_min(m.separations[0][0], m.separations[1][0]));
    bool other = !n || m.normal.x[0] * n->x + m.normal.y[0] * n->y < 0.7f;
    return other && *left > -sim->tuning.slop;
}

// Of two points that are so far apart and move on: the least distance within the time.
static float least_distance(vec2s apart, vec2s v, float seconds) {
    float nearest = cn_clamp(-glms_vec2_dot(apart, v) / glms_vec2_norm2(v), 0, seconds);
    return glms_vec2_norm(glms_vec2_add(apart, glms_vec2_scale(v, nearest)));
}

// With a gap between two corners, or faces of which next to nothing is opposite each other: the solver knows but
// this normal. Will they pass each other, until where relax looks, a substep beyond the step? Then it is told of a gap
// from which it comes to what is left of it. (The contact of two circles is aimed.)
static bool let_pass(const cn_simulation *sim, cn_hull_class class, int a, int b, int k,
                     cn_manifoldw *m) {
    const cn_placed_hull *pa = &sim->placed[a], *pb = &sim->placed[b];
    const float slop = sim->tuning.slop, gap = cn_min(m->separations[0][k], m->separations[1][k]);
    const float radii = pa->radius + pb->radius;
    vec2s n = cn_vec(m->normal.x[k], m->normal.y[k]), apart = glms_vec2_scale(n, gap + radii);
    vec2s middle = glms_vec2_add(pa->pose.position, cn_vec(m->points[0].x[k], m->points[0].y[k]));
    vec2s start = glms_vec2_sub(middle, glms_vec2_scale(n, pa->radius + gap / 2));
    vec2s v =
        glms_vec2_sub(cn_velocity_at(&sim->hot[sim->links[b].body], glms_vec2_add(start, apart)),
                      cn_velocity_at(&sim->hot[sim->links[a].body], start));
    float seconds = (1 + 1 / (float)sim->substeps) * sim->step_seconds;
    float speed = -glms_vec2_dot(v, n), way = speed * seconds, left = way - gap;
    bool corners = m->count[k] == 1 && gap > m->separation[k] + 0.01f * slop;
    if (!(way > cn_max(gap / 4, 0.1f * slop)) || !cn_finite(way) || (corners && gap <= 0) ||
        are_circles(sim, a, b))
        return false;
    if (!(way > gap)) return true;
    if (corners) left = least_distance(apart, v, seconds) - radii;
    if (!(left > -slop)) return true;
    float deep = (gap + 2 * slop) / speed; // when faces would be that deep in each other
    if (!corners && deep < seconds && !are_free_later(sim, class, a, b, deep, &n, &left))
        return true;
    if (are_free_later(sim, class, a, b, seconds, corners ? NULL : &n, &left))
        m->separations[0][k] = m->separations[1][k] = left + way;
    return true;
}

CN_INLINE int let_all_pass(const cn_simulation *sim, cn_hull_class class, const int32_t *a,
                           const int32_t *b, cn_manifoldw *m) {
    int short_lived = 0;
    float slop = sim->tuning.slop;
    cn_floatw gap = cn_minw(m->separations[0], m->separations[1]);
    cn_vec2w width = cn_sub2w(m->points[1], m->points[0]);
    cn_intw narrow = (m->count == 1) | ((m->count == 2) & (cn_dot2w(width, width) < slop * slop));
    CN_EACH_LANE(k, cn_mask_bitsw((gap > -slop) & narrow)) {
        short_lived |= let_pass(sim, class, a[k], b[k], k, m) << k;
    }
    return short_lived;
}

// ---- pairs in lanes

// CN_LANES pairs of one class; where there are fewer the first comes again.
typedef struct {
    int32_t a[CN_LANES], b[CN_LANES]; // shapes
    int32_t meta[CN_LANES];
} pair_lanes;

// The manifolds of the pairs, and in which lanes their normals are good for this step only; returns the
// lanes that do not touch.
static int collide_lanes(const cn_simulation *sim, cn_hull_class class, const pair_lanes *pairs,
                         cn_manifoldw *m, int *short_lived) {
    cn_intw meta;
    memcpy(&meta, pairs->meta, sizeof meta);
    int32_t surfaces[CN_LANES];
    for (int k = 0; k < CN_LANES; k++) surfaces[k] = sim->surface_of[pairs->a[k]];
    const hull_lanes hulls = {
        {sim->placed, sim->hulls.hulls8}, pairs->a, pairs->b, surfaces,
        margins_of(sim, pairs->a, pairs->b, has_flag(meta, CN_META_BOUNCY))};
    collide_hulls(sim, class, &hulls, m);
    drop_misses(sim, class, pairs->a, pairs->b, m);
    *short_lived = let_all_pass(sim, class, pairs->a, pairs->b, m);
    return cn_mask_bitsw(m->count == 0);
}

// ---- collide

typedef struct {
    cn_floatw ln1, ln2, lt;
} impulses;

// The impulses of the old points go to the new points with the same ids.
CN_INLINE impulses carry_impulses(cn_row4w old, cn_intw old_meta, cn_intw ids, cn_intw two) {
    cn_intw count = old_meta >> CN_META_COUNT & 3;
    cn_intw had1 = count > 0, had2 = count > 1;
    cn_intw old1 = old_meta & 255, old2 = old_meta >> 8 & 255;
    cn_intw new1 = ids & 255, new2 = ids >> 8 & 255;
    cn_intw same11 = had1 & (old1 == new1), same12 = had2 & (old2 == new1);
    cn_intw same21 = had1 & (old1 == new2), same22 = had2 & (old2 == new2);
    cn_floatw ln1 = cn_selectw(same11, old.x, cn_keepw(same12, old.y));
    cn_floatw ln2 = cn_selectw(same22, old.y, cn_keepw(same21, old.x));
    ln2 = cn_selectw(two, ln2, cn_keepw(same11 & ~had2, old.y)); // or against rolling
    return (impulses){ln1, ln2, cn_keepw(same11 | same12 | same21 | same22, old.z)};
}

// Writes records and anchors. Those of lanes that touch no more are about to end: they only keep how many points
// they had.
CN_INLINE void store_contacts(cn_simulation *sim, const int *slots, const pair_lanes *pairs,
                              const cn_manifoldw *m, int short_lived) {
    offsets at = offsets_of(&sim->touching, slots);
    char *records = (char *)sim->touching.records, *anchors = (char *)sim->touching.anchors;
    uint32_t link_a[CN_LANES];
    for (int k = 0; k < CN_LANES; k++) link_a[k] = (uint32_t)pairs->a[k] * sizeof(cn_shape_link);
    cn_row4w offset = cn_gather4w(sim->links, link_a);
    cn_row4w a = cn_gather4w(sim->hot, at.bodies_a), b = cn_gather4w(sim->hot, at.bodies_b);
    cn_row4w row3 = cn_gather4w(records + 32, at.records),
             row4 = cn_gather4w(records + 48, at.records);
    cn_intw old_meta = cn_bitsw(row3.w);
    cn_intw two = m->count > 1;
    impulses kept = carry_impulses(row4, old_meta, m->ids, two);
    cn_intw meta = (old_meta & CN_META_FLAGS) | m->ids | m->reference << CN_META_REFERENCE |
                   m->count << CN_META_COUNT;
    CN_EACH_LANE(k, short_lived) { meta[k] |= CN_META_REMAKE; }
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
    for (int i = 0; i < 4; i++) cn_scatter4w(records + 16 * i, at.records, record[i]);
    for (int i = 0; i < 2; i++) cn_scatter4w(anchors + 16 * i, at.anchors, anchor[i]);
}

int CN_WIDE(cn_collide_contacts)(cn_simulation *sim, cn_hull_class class, int *list, int count) {
    cn_touching_rows *touching = &sim->touching;
    int end_count = 0;
    for (int i = 0; i < count; i += CN_LANES) {
        int slots[CN_LANES], used = cn_min_int(CN_LANES, count - i);
        pair_lanes pairs;
        for (int k = 0; k < CN_LANES; k++) {
            int slot = slots[k] = list[i + (k < used ? k : 0)];
            pairs.a[k] = touching->anchors[slot].shape_a;
            pairs.b[k] = touching->anchors[slot].shape_b;
            pairs.meta[k] = (int32_t)touching->records[slot].meta;
        }
        cn_manifoldw m;
        int short_lived, apart = collide_lanes(sim, class, &pairs, &m, &short_lived);
        store_contacts(sim, slots, &pairs, &m, short_lived);
        CN_EACH_LANE(k, apart & ((1 << used) - 1)) { list[end_count++] = slots[k]; }
    }
    return end_count;
}

// ---- test

void CN_WIDE(cn_test_pairs)(cn_simulation *sim, cn_hull_class class, cn_apart *list, int count) {
    for (int i = 0; i < count; i += CN_LANES) {
        int used = cn_min_int(CN_LANES, count - i);
        pair_lanes pairs;
        for (int k = 0; k < CN_LANES; k++) {
            const cn_apart *pair = &list[i + (k < used ? k : 0)];
            pairs.a[k] = pair->shape_a;
            pairs.b[k] = pair->shape_b;
            pairs.meta[k] = (int32_t)pair->meta;
        }
        cn_manifoldw m;
        int short_lived, apart = collide_lanes(sim, class, &pairs, &m, &short_lived);
        for (int k = 0; k < used; k++)
            list[i + k].result = apart >> k & 1 ? CN_PAIR_APART : CN_PAIR_TOUCHES;
    }
}
