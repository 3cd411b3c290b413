/* One width of the narrowphase kernels: see manifold_lanes.h. */
#include "manifold_lanes.h"

#include "../engine/collision/manifold.h"

static lane_manifold take_lane(const cn_manifoldw *m, int lane) {
    lane_manifold one = {
        .separation = cn_lanew(m->separation, lane),
        .count = cn_lane_intw(m->count, lane),
    };
    if (one.count == 0) return one;
    one.nx = cn_lanew(m->normal.x, lane), one.ny = cn_lanew(m->normal.y, lane);
    one.x1 = cn_lanew(m->points[0].x, lane), one.y1 = cn_lanew(m->points[0].y, lane);
    one.x2 = cn_lanew(m->points[1].x, lane), one.y2 = cn_lanew(m->points[1].y, lane);
    one.s1 = cn_lanew(m->separations[0], lane), one.s2 = cn_lanew(m->separations[1], lane);
    one.ids = cn_lane_intw(m->ids, lane);
    one.reference = cn_lane_intw(m->reference, lane);
    one.incident = cn_lane_intw(m->incident, lane);
    return one;
}

CN_INLINE void collide_class(cn_hull_class class, const cn_hull_store *store, const int32_t *a,
                             const int32_t *b, int count, float margin, lane_manifold *manifolds) {
    for (int i = 0; i < count; i += CN_LANES) {
        cn_manifoldw m;
        cn_collide_pairsw(class, store, a + i, b + i, cn_splatw(margin), cn_splatw(0.0005f), &m);
        for (int k = 0; k < CN_LANES; k++) manifolds[i + k] = take_lane(&m, k);
    }
}

void CN_WIDE(collide_lanes)(cn_hull_class class, const cn_hull_store *store, const int32_t *a,
                            const int32_t *b, int count, float margin, lane_manifold *manifolds) {
    switch (class) {
    case CN_CLASS_BOX: collide_class(CN_CLASS_BOX, store, a, b, count, margin, manifolds); break;
    case CN_CLASS_HULL4:
        collide_class(CN_CLASS_HULL4, store, a, b, count, margin, manifolds);
        break;
    default: collide_class(CN_CLASS_HULL8, store, a, b, count, margin, manifolds);
    }
}
