/* cn_hull_collide(): how two hulls touch, for callers without a world.
 *
 * The hulls are brought into their canonical form, placed in a temporary store and given to the
 * kernels of manifold.h in their one-lane version. This is the same arithmetic as in a world. (All
 * polygons are treated as polygons of up to eight vertices, because padding changes no result.) The
 * canonical form keeps the order of the vertices, so edges and ids need no translation. */
#define CN_LANES 1
#include "manifold.h"

#define TOLERANCE 0.0005f // a tenth of the slop, in metres

static cn_placed_hull place_hull(const cn_canonical_hull *canonical, cn_pose pose, int index) {
    cn_placed_hull placed = canonical->placed;
    placed.pose = cn_compose(pose, placed.pose);
    if (cn_placed_class(&placed) != CN_CLASS_BOX) placed.hull = index;
    return placed;
}

// The nearer point is always reported; the other point only if it is within the margin.
static cn_manifold make_manifold(const cn_manifoldw *m, vec2s center_a, float margin) {
    if (m->count[0] == 0) return (cn_manifold){.separation = m->separation[0]};
    cn_manifold manifold = {
        .normal = cn_vec(m->normal.x[0], m->normal.y[0]),
        .reference = m->reference[0] & 8 ? CN_B : CN_A,
        .reference_edge = m->reference[0] & 7,
        .incident_edge = m->incident[0],
        .separation = m->separation[0],
    };
    float limit = cn_max(margin, cn_min(m->separations[0][0], m->separations[1][0]));
    for (int i = 0; i < m->count[0]; i++) {
        cn_manifold_point point = {
            .point = glms_vec2_add(center_a, cn_vec(m->points[i].x[0], m->points[i].y[0])),
            .separation = m->separations[i][0],
            .id = (uint8_t)(m->ids[0] >> 8 * i),
        };
        if (point.separation <= limit) manifold.points[manifold.count++] = point;
    }
    return manifold;
}

cn_manifold cn_hull_collide(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b,
                            float margin) {
    if (!CN_CHECK(cn_check_pair(a, pose_a, b, pose_b) && cn_require("margin", margin, 0, FLT_MAX)))
        return (cn_manifold){0};
    cn_canonical_hull ca = cn_hull_canonical(a), cb = cn_hull_canonical(b);
    cn_placed_hull placed[2] = {place_hull(&ca, cn_given_pose(pose_a), 0),
                                place_hull(&cb, cn_given_pose(pose_b), 1)};
    cn_hull8 hulls8[2] = {ca.hull8, cb.hull8};
    cn_hull_store store = {.placed = placed, .hulls8 = hulls8};
    const int32_t first = 0, second = 1;
    bool boxes =
        cn_placed_class(&placed[0]) == CN_CLASS_BOX && cn_placed_class(&placed[1]) == CN_CLASS_BOX;
    cn_manifoldw m;
    cn_collide_pairsw(boxes ? CN_CLASS_BOX : CN_CLASS_HULL8, &store, &first, &second,
                      cn_splatw(margin), cn_splatw(TOLERANCE), &m);
    return make_manifold(&m, placed[0].pose.position, margin);
}
