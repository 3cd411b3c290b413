/* The kernels of engine/core/collision/manifold.h at each width, for test_manifold_wide.c. Compile
 * manifold_lanes.c once with each of -DCN_LANES=1, 4 and (with AVX2 and AVX-512) 8, 16. */
#ifndef CN_MANIFOLD_LANES_H
#define CN_MANIFOLD_LANES_H

#include "../../../engine/core/collision/collision.h"

// One lane of a cn_manifoldw. Fields without a meaning, such as those of pairs that are apart, are
// zero.
typedef struct {
    float nx, ny, x1, y1, x2, y2, s1, s2, separation;
    int32_t ids, reference, incident, count;
} lane_manifold;

// Collides `count` pairs, a multiple of 8, of one class.
typedef void collide_lanes_function(cn_hull_class hull_class, const cn_hull_store *store,
                                    const int32_t *a, const int32_t *b, int count, float margin,
                                    lane_manifold *manifolds);
collide_lanes_function collide_lanes_1, collide_lanes_4, collide_lanes_8, collide_lanes_16;

#endif
