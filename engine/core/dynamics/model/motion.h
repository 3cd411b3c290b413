/* Moves bodies by displacements, and measures the displacements: CN_LANES bodies at a time.
 * (cn_reach_of() and cn_ccd_length() of model.h measure that of one body in the same way.)
 *
 * A position is kept as x + low. The sum of position and displacement is split without error into
 * the nearest float and the rounding error. So slow bodies move exactly, even far from the origin.
 * A rotation is kept as cosine and sine and is normalized after each turn; a body that does not
 * turn keeps its bits. */
#ifndef CN_MOTION_H
#define CN_MOTION_H

#include "../../base/wide.h"
#include "rows.h"

// In metres: how far a displacement d = {x, y, angle} moves any point of a body, at most. A turn
// moves a point by a chord of its circle.
CN_INLINE cn_floatw cn_reachw(cn_row4w d, cn_floatw extent) {
    return cn_sqrtw(d.x * d.x + d.y * d.y) + cn_minw(cn_absw(d.z), cn_splatw(2)) * extent;
}
// In metres: the length that continuous collision compares with the CCD threshold.
CN_INLINE cn_floatw cn_ccd_lengthw(cn_row4w d, cn_floatw ccd_reach) {
    return cn_sqrtw(d.x * d.x + d.y * d.y) + cn_absw(d.z) * ccd_reach;
}

// In metres: the threshold of this length for static shapes. See cn_static_threshold().
CN_INLINE cn_floatw cn_static_thresholdw(cn_floatw threshold, cn_intw bullet, cn_floatw margin) {
    cn_floatw fraction = cn_selectw(bullet, cn_splatw(1), cn_splatw(CN_BULLET_FRACTION));
    return cn_maxw(fraction * threshold, cn_minw(threshold, margin));
}

// Adds d to *high + *low exactly (Knuth's two-sum).
CN_INLINE void cn_add_exactlyw(cn_floatw *high, cn_floatw *low, cn_floatw d) {
    cn_floatw part = *low + d, sum = *high + part, virtual = sum - *high;
    *low = (*high - (sum - virtual)) + (part - virtual);
    *high = sum;
}

// cn_rotation_of_step() of each lane: a short series, and one call for each lane that turns by 0.25
// rad or more.
CN_INLINE cn_vec2w cn_rotation_of_stepw(cn_floatw angle) {
    cn_floatw square = angle * angle;
    cn_floatw s = CN_SMALL_SINE(angle, square), c = CN_SMALL_COSINE(square);
    CN_EACH_LANE(k, CN_ALL_LANES & ~cn_mask_bitsw(cn_absw(angle) < 0.25f)) {
        cn_rotation turn = cn_rotation_full(angle[k]);
        c[k] = turn.c, s[k] = turn.s;
    }
    return (cn_vec2w){c, s};
}

// Moves poses {x, y, cosine, sine} and the rounding errors of their positions by d: {x, y, angle}.
CN_INLINE void cn_movew(cn_row4w *pose, cn_vec2w *low, cn_row4w d) {
    cn_add_exactlyw(&pose->x, &low->x, d.x);
    cn_add_exactlyw(&pose->y, &low->y, d.y);
    cn_vec2w q = cn_rotatew(cn_rotation_of_stepw(d.z), (cn_vec2w){pose->z, pose->w});
    cn_floatw scale = 1 / cn_sqrtw(cn_dot2w(q, q));
    cn_intw still = cn_absw(d.z) <= 0;
    pose->z = cn_selectw(still, pose->z, q.x * scale);
    pose->w = cn_selectw(still, pose->w, q.y * scale);
}

#endif
