/* cn_collide(): how two hulls touch, for callers without a world.
 *
 * The hulls are taken apart into their canonical form, placed into a store of their own and given
 * to the kernels of manifold.h in their one-lane version: the same arithmetic as in a world. The
 * canonical form keeps the order of the vertices, so edges and ids need no translation. */
#define CN_LANES 1
#include "manifold.h"

#define MAX_COORDINATE 1e18f   // squares of differences stay finite
#define MAX_TURN_ERROR 1e-3f   // of the squared length of a rotation
#define TOLERANCE      0.0005f // a tenth of the slop, in metres

static bool check_pose(const char *side, cn_pose pose) {
    vec2s p = pose.position;
    cn_rotation q = pose.rotation;
    if (!cn_finite2(p) || !cn_finite(q.c) || !cn_finite(q.s))
        return cn_fail(CN_ERROR_NUMBER, "pose %s {(%g, %g), (%g, %g)} is not finite", side, p.x,
                       p.y, q.c, q.s);
    if (cn_abs(p.x) > MAX_COORDINATE || cn_abs(p.y) > MAX_COORDINATE)
        return cn_fail(CN_ERROR_RANGE, "pose %s is at (%g, %g); coordinates go up to %g", side, p.x,
                       p.y, MAX_COORDINATE);
    if (cn_abs(q.c * q.c + q.s * q.s - 1) <= MAX_TURN_ERROR) return true;
    return cn_fail(CN_ERROR_RANGE, "the rotation (c %g, s %g) of pose %s is not of unit length",
                   q.c, q.s, side);
}

static bool check_margin(float margin) {
    if (!cn_finite(margin)) return cn_fail(CN_ERROR_NUMBER, "the margin is %g", margin);
    return margin >= 0 || cn_fail(CN_ERROR_RANGE, "the margin is %g, below 0", margin);
}

static cn_placed_hull place_hull(const cn_canonical_hull *canonical, cn_pose pose, int index) {
    cn_pose center = cn_compose(pose, canonical->pose);
    cn_placed_hull placed = {
        .x = center.position.x,
        .y = center.position.y,
        .c = center.rotation.c,
        .s = center.rotation.s,
        .radius = canonical->radius,
        .kind = canonical->count | (int32_t)canonical->class << 8,
    };
    if (canonical->class == CN_CLASS_BOX)
        placed.hx = canonical->hx, placed.hy = canonical->hy;
    else
        placed.hull = index;
    return placed;
}

// Collides placed hull 0 with placed hull 1.
static cn_manifoldw collide_placed(cn_hull_class class, const cn_hull_store *store, float margin) {
    const int32_t a = 0, b = 1;
    cn_manifoldw m;
    switch (class) {
    case CN_CLASS_BOX: cn_collide_pairsw(CN_CLASS_BOX, store, &a, &b, margin, TOLERANCE, &m); break;
    case CN_CLASS_HULL4:
        cn_collide_pairsw(CN_CLASS_HULL4, store, &a, &b, margin, TOLERANCE, &m);
        break;
    default: cn_collide_pairsw(CN_CLASS_HULL8, store, &a, &b, margin, TOLERANCE, &m);
    }
    return m;
}

static cn_manifold_point make_point(vec2s center_a, float x, float y, float separation, int id) {
    vec2s point = glms_vec2_add(center_a, cn_vec(x, y));
    return (cn_manifold_point){.point = point, .separation = separation, .id = (uint8_t)id};
}

// The nearer point is always reported, the other one only within the margin.
static cn_manifold make_manifold(const cn_manifoldw *m, vec2s center_a, float margin) {
    if (m->count == 0) return (cn_manifold){.separation = m->separation};
    cn_manifold manifold = {
        .normal = cn_vec(m->nx, m->ny),
        .reference = m->reference & 8 ? CN_HULL_B : CN_HULL_A,
        .reference_edge = m->reference & 7,
        .incident_edge = m->incident,
        .separation = m->separation,
    };
    float limit = cn_max(margin, cn_min(m->s1, m->s2));
    if (m->s1 <= limit)
        manifold.points[manifold.count++] = make_point(center_a, m->x1, m->y1, m->s1, m->ids & 255);
    if (m->s2 <= limit && m->count == 2)
        manifold.points[manifold.count++] = make_point(center_a, m->x2, m->y2, m->s2, m->ids >> 8);
    return manifold;
}

cn_manifold cn_collide(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b,
                       float margin) {
    if (!cn_hull_check(a) || !cn_hull_check(b) || !check_pose("A", pose_a) ||
        !check_pose("B", pose_b) || !check_margin(margin))
        return (cn_manifold){0};
    cn_canonical_hull ca = cn_hull_canonical(a), cb = cn_hull_canonical(b);
    cn_placed_hull placed[2] = {place_hull(&ca, pose_a, 0), place_hull(&cb, pose_b, 1)};
    cn_hull4 hulls4[2] = {ca.hull4, cb.hull4};
    cn_hull8 hulls8[2] = {ca.hull8, cb.hull8};
    cn_hull_store store = {placed, hulls4, hulls8};
    cn_hull_class class = ca.class > cb.class ? ca.class : cb.class;
    cn_manifoldw m = collide_placed(class, &store, margin);
    return make_manifold(&m, cn_vec(placed[0].x, placed[0].y), margin);
}
