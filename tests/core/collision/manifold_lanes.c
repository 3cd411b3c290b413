/* One width of the narrowphase kernels: see manifold_lanes.h. */
#include "manifold_lanes.h"

#include "../../../engine/core/collision/manifold.h"

static lane_manifold take_lane(const cn_manifoldw *m, int lane) {
    lane_manifold one = {
        .separation = m->separation[lane],
        .count = m->count[lane],
    };
    if (one.count == 0) return one;
    one.nx = m->normal.x[lane], one.ny = m->normal.y[lane];
    one.x1 = m->points[0].x[lane], one.y1 = m->points[0].y[lane];
    one.x2 = m->points[1].x[lane], one.y2 = m->points[1].y[lane];
    one.s1 = m->separations[0][lane], one.s2 = m->separations[1][lane];
    one.ids = m->ids[lane];
    one.reference = m->reference[lane];
    one.incident = m->incident[lane];
    return one;
}

CN_INLINE void collide_class(cn_hull_class hull_class, const cn_hull_store *store, const int32_t *a,
                             const int32_t *b, int count, float margin, lane_manifold *manifolds) {
    for (int i = 0; i < count; i += CN_LANES) {
        cn_manifoldw m;
        cn_collide_pairsw(hull_class, store, a + i, b + i, cn_splatw(margin), cn_splatw(0.0005f),
                          &m);
        for (int k = 0; k < CN_LANES; k++) manifolds[i + k] = take_lane(&m, k);
    }
}

void CN_WIDE(collide_lanes)(cn_hull_class hull_class, const cn_hull_store *store, const int32_t *a,
                            const int32_t *b, int count, float margin, lane_manifold *manifolds) {
    switch (hull_class) {
    case CN_CLASS_BOX: collide_class(CN_CLASS_BOX, store, a, b, count, margin, manifolds); break;
    case CN_CLASS_HULL4:
        collide_class(CN_CLASS_HULL4, store, a, b, count, margin, manifolds);
        break;
    default: collide_class(CN_CLASS_HULL8, store, a, b, count, margin, manifolds);
    }
}
