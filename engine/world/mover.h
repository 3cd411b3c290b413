/* mover: the hull of a character, what it touches, and what blocks its way (mover.c, move_hull.c).
 *
 * The hull keeps a distance of tuning.slop from everything. A plane between the hull and a convex
 * shape stands for the shape: as long as the hull stays in front of the plane, it does not reach
 * the shape, on whatever path. The planes that the hull touches tell what supports it, and how it
 * leaves an overlap. The planes that block a motion are those of shapes that the motion would hit.
 */
#ifndef CN_MOVER_H
#define CN_MOVER_H

#include "world.h"

// What a plane does with a motion against it, by its normal n and the direction `up`.
typedef enum {
    CN_PLANE_GROUND,  // n is within max_slope of `up`: lifts the hull, which keeps its speed along
                      // the horizon
    CN_PLANE_EDGE,    // the edge of such ground, not higher than a step: supports the hull like
                      // ground, and stops it like a wall
    CN_PLANE_WALL,    // steeper, up to vertical: stops motion along the horizon, lets the hull fall
    CN_PLANE_CEILING, // faces down: the hull slides along it
} cn_plane_kind;

typedef struct {
    cn_vec2d normal; // unit, from the shape to the hull
    cn_vec2d point;  // of the shape, world
    double gap;      // m; negative: they overlap
    double least;    // m: the hull may move by x if dot(normal, x) is at least this
    uint64_t key;    // cn_result_key()
    cn_plane_kind kind;
} cn_plane;

// Times `keep`: the hull leaves shapes that are nearer, and takes no step that leads nearer.
#define CN_MOVER_ROOM 0.9

// The hull may touch more shapes: those with the least gaps count.
enum { CN_MAX_PLANES = 24 };

typedef struct {
    cn_plane items[CN_MAX_PLANES];
    int count;
} cn_plane_list;

// The first shape in the way of a motion.
typedef struct {
    double distance; // along the path, at which the hull is detected to be too near
    uint64_t key;    // CN_NO_KEY: none
    cn_vec2d normal;
} cn_obstacle;

typedef struct {
    cn_search search; // must be first
    cn_probe probe;   // the hull
    cn_probe grown;   // the hull and the gap at which a cast detects shapes
    cn_probe reach;   // the hull and the gap up to which it touches shapes
    cn_swept_hull hull;
    cn_vec2d center; // of the probes, world; moves with hull.sweep.start_center
    cn_vec2d up;     // unit
    double least_cosine, step_height, snap_distance;
    double keep; // m: the distance that the hull keeps
    bool drop_through;

    cn_plane_list touched; // by gap, then by key
    bool touched_is_known; // for the present place
    cn_plane_list stops;   // obstacles that casts found at the present place
    cn_plane_list blocks;  // what bent the last motion: see cn_mover_bend()

    int left[CN_MAX_PLANES]; // bodies that the hull overlaps at the start
    int left_count;
    bool passes_left; // casts ignore them

    cn_path path; // of the running cast
    cn_obstacle obstacle;
} cn_mover;

// Sets the hull and its place. The other fields must be set before.
void cn_mover_set_hull(cn_mover *m, const cn_hull *hull, cn_pose pose);
// Moves the hull, without looking at the world.
void cn_mover_shift(cn_mover *m, cn_vec2d by);
// Returns the coordinate along `up` of the lowest point of the hull.
double cn_mover_lowest(const cn_mover *m);
// Finds what the hull touches.
void cn_mover_touch(cn_mover *m);
// Returns the least gap of the hull to anything, if that is a touch; otherwise more than `keep`.
double cn_mover_gap(cn_mover *m);
// True if something that the hull touches supports it.
bool cn_mover_stands(cn_mover *m);
// Returns what supports the hull after a cast down, or NULL. If something has stopped the hull,
// only this counts: a round hull that hangs on a corner may still be near to the ground.
const cn_plane *cn_mover_landing(cn_mover *m);
// Moves the hull by x, or up to the first obstacle. Returns the fraction of x, 0..1.
double cn_mover_advance(cn_mover *m, cn_vec2d x);
// Returns the part of a motion that remains at the present place. Leaves in `blocks` what takes the
// rest: obstacles at which casts ended here, and touched shapes that the motion would hit.
cn_vec2d cn_mover_bend(cn_mover *m, cn_vec2d x);
// Moves the hull out of what it overlaps, or is too near to, on the shortest way.
void cn_mover_leave(cn_mover *m);

// Returns the part of a vector that is at a right angle to `up`.
static inline cn_vec2d cn_mover_level(const cn_mover *m, cn_vec2d v) {
    return cn_add_scaled(v, -cn_dot2d(v, m->up), m->up);
}
static inline bool cn_plane_supports(const cn_plane *p) {
    return p->kind == CN_PLANE_GROUND || p->kind == CN_PLANE_EDGE;
}

#endif
