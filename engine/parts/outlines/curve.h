/* Outlines as closed curves of straight pieces and arcs, and the common region of two curves.
 * curve.c, region.c, clip.c, crossings.c and slice.c use this header. Everything is in double
 * precision. */
#ifndef CN_CURVE_H
#define CN_CURVE_H

#include "../../core/collision/collision.h"

// ---- curves (curve.c)

// A piece of a curve: straight if its radius is 0, else an arc.
typedef struct {
    cn_vec2d from, to, center;
    double radius, angle; // of the arc, which runs counter-clockwise from `from` to `to`; 0..2 pi
} cn_piece;

// The outline of a rounded hull, counter-clockwise.
typedef struct {
    cn_piece pieces[2 * CN_MAX_VERTICES]; // edge i is piece 2 i, the arc at its end 2 i + 1
    int count;
} cn_curve;

// Coordinates with another origin and a y axis along the unit vector `up`.
typedef struct {
    cn_vec2d origin, up;
} cn_frame;

static inline cn_vec2d cn_into_frame(cn_frame f, cn_vec2d p) {
    cn_vec2d r = cn_add_scaled(p, -1, f.origin);
    return (cn_vec2d){cn_cross2d(r, f.up), cn_dot2d(r, f.up)};
}
static inline cn_vec2d cn_out_of_frame(cn_frame f, cn_vec2d p) {
    cn_vec2d right = {f.up.y, -f.up.x};
    return cn_add_scaled(cn_add_scaled(f.origin, p.x, right), p.y, f.up);
}

// `start` is the direction in which the outline of a circle begins.
cn_curve cn_curve_of(const cn_vec2d *vertices, int count, double radius, cn_vec2d start);
cn_curve cn_curve_in(cn_frame frame, const cn_curve *curve);
// The outline of a hull of a resting pair.
cn_curve cn_curve_at_rest(const cn_swept_hull *hull);
// Each piece lies on a line or a circle. Finds the 0, 1 (a touch) or 2 points where these meet.
// Returns their number.
int cn_pieces_meet(const cn_piece *a, const cn_piece *b, double rounding, cn_vec2d points[2]);

// ---- regions (region.c, clip.c)

// A point of a curve may lie this many rounding errors beside it, because slopes multiply them.
#define CN_SLACK 16.0

static inline bool cn_is_near(cn_vec2d p, cn_vec2d q, double distance) {
    return fabs(p.x - q.x) <= distance && fabs(p.y - q.y) <= distance;
}

// A side of the boundary of a region.
typedef struct {
    cn_vec2d from;          // the side ends at the `from` of the next side
    const cn_piece *source; // the piece on which it lies; NULL: no piece, and the side is straight
    double angle;           // of an arc; 0 for a straight side
} cn_region_side;

// Limits on the corners of two curves, and on the cuts through their corners and crossings
// (region.c).
enum { CN_MAX_CORNERS = 48, CN_MAX_CUTS = 9 * CN_MAX_CORNERS };

// The common region of two curves. (It is large, and its sides point into it, so pass its address.)
typedef struct {
    cn_region_side sides[2 * CN_MAX_CUTS + 2]; // counter-clockwise; 1 or 2 if it has no area
    int count;
    bool flat;          // it has no area
    cn_frame frame;     // the frame of its points
    cn_curve curves[2]; // in that frame
    double rounding;
} cn_region;

// The curves must share a point, to rounding. If they only touch, this point is `near`, and
// `normal` is a normal of both there.
void cn_find_region(cn_region *region, const cn_curve *a, const cn_curve *b, cn_vec2d near,
                    cn_vec2d normal, double rounding);
// The moments about the region's first point, in its frame; zero if it is flat.
cn_moments cn_region_moments(const cn_region *region);
// The corners, moved by an offset, with arcs as chords within the tolerance. Returns the number of
// corners and writes the first `capacity` of them.
int cn_region_points(const cn_region *region, cn_vec2d offset, double tolerance, vec2s *points,
                     int capacity);
enum { CN_CHORDS_OF_TURN = 2048, CN_MAX_POINTS = CN_CHORDS_OF_TURN + 128 };

#endif
