/* mover: the hull of a character, the shapes that it touches, and the shapes that block its motion
 * (mover.c, move_hull.c). Also its ride on moving ground (ride.c), and the sensors on its path
 * (meet.c).
 *
 * The hull keeps a distance of tuning.slop from all shapes. A plane between the hull and a convex
 * shape represents the shape: as long as the hull stays in front of the plane, it does not reach
 * the shape, on any path. The planes of touched shapes tell what supports the hull, and how it
 * leaves an overlap (depenetration). The planes that block a motion are those of shapes that the
 * motion would hit. "Horizontal" means at a right angle to `up`. */
#ifndef CN_MOVER_H
#define CN_MOVER_H

#include "../queries/queries.h"

// How a plane with the normal n changes a motion against it.
typedef enum {
    CN_PLANE_GROUND,  // n is within max_slope of `up`: lifts the hull, which keeps its horizontal
                      // speed
    CN_PLANE_EDGE,    // the edge of such ground, not higher than a step: supports the hull like
                      // ground, and stops it like a wall
    CN_PLANE_WALL,    // steeper, up to vertical: stops horizontal motion, and lets the hull fall
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

// Times `keep`: the hull moves away from shapes that are nearer, and climbs no step that leads
// nearer.
#define CN_MOVER_ROOM 0.9

// If the hull touches more shapes, only those with the smallest gaps are used.
enum { CN_MAX_PLANES = 24 };

typedef struct {
    cn_plane items[CN_MAX_PLANES];
    int count;
} cn_plane_list;

// The first shape in the way of a motion.
typedef struct {
    double distance; // m along the path at which the cast detects the shape
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
    int ridden;       // the hull rides this body, which does not stop it; -1: none
    cn_vec2d carried; // how far the hull went along with its ground in this move
    // The plane of a body that moved into the hull is the one at which they met.
    bool leaves_motion;

    cn_plane_list touched; // sorted by gap, then by key
    bool touched_is_known; // `touched` is valid for the present position
    cn_plane_list stops;   // obstacles that casts found at the present position
    cn_plane_list blocks;  // the planes that bent the last motion: see cn_mover_bend()

    int left[CN_MAX_PLANES]; // bodies that the hull overlaps at the start, and leaves
    int left_count;
    bool passes_left; // casts ignore these bodies

    cn_path path; // of the running cast
    cn_obstacle obstacle;
} cn_mover;

// Sets the hull and its pose. The other fields must be set before.
void cn_mover_set_hull(cn_mover *m, const cn_hull *hull, cn_pose pose);
// Moves the hull, whatever is in the way.
void cn_mover_shift(cn_mover *m, cn_vec2d by);
// Returns the least coordinate of the hull along a direction.
double cn_mover_lowest(const cn_mover *m, cn_vec2d direction);
// Returns the body of a key.
int cn_mover_body(const cn_mover *m, uint64_t key);
// Finds the shapes that the hull touches.
void cn_mover_touch(cn_mover *m);
// Returns the smallest gap between the hull and a touched shape. If it touches none, returns more
// than `keep`.
double cn_mover_gap(cn_mover *m);
// True if a touched shape supports the hull.
bool cn_mover_stands(cn_mover *m);
// Returns the plane that supports the hull after a cast down, or NULL. If an obstacle has stopped
// the hull, only this obstacle is tested: a round hull that hangs on a corner may still be near the
// ground.
const cn_plane *cn_mover_landing(cn_mover *m);
// Moves the hull by x, or up to the first obstacle. Returns the fraction of x, 0..1.
double cn_mover_advance(cn_mover *m, cn_vec2d x);
// Returns the motion that is possible instead of x at the present position. Stores in `blocks` the
// planes that block the rest: obstacles that stopped a cast here, and touched shapes that the
// motion would hit.
cn_vec2d cn_mover_bend(cn_mover *m, cn_vec2d x);
// Moves the hull out of shapes that it overlaps, or away from shapes that are too near: in the
// direction in which they hit it in the last step, or else by the shortest path.
void cn_mover_leave(cn_mover *m);

// If a body moved into the hull in the last step, changes the plane of a shape of this body to the
// one at which they met. (entry.c)
void cn_mover_find_entry(const cn_mover *m, int shape, cn_plane *plane);

// ---- the ride on moving ground (ride.c)

bool cn_ride_check(const cn_ride *ride); // false, with the error recorded, if it is not valid
// Returns the body that the hull rides; -1 if it rides none, or does not go with it.
int cn_ride_body(const cn_world *world, const cn_ride *ride);
// Returns how far the foot of the hull has moved with the body since the move before.
cn_vec2d cn_ride_motion(const cn_simulation *sim, int body, const cn_ride *ride);
// Returns the velocity of the foot and of the conveyor, in m/s.
vec2s cn_ride_velocity(const cn_simulation *sim, int body, const cn_ride *ride);
// Returns the ride of a hull with its foot at a point, on a surface with a velocity at a point.
cn_ride cn_ride_on(const cn_world *world, int body, vec2s velocity, cn_vec2d surface,
                   cn_vec2d foot);

// ---- sensors on the path (meet.c)

typedef struct {
    cn_search search;
    cn_query query; // that of the move, but it sees sensors
    bool is_needed; // the world has sensors
    int shapes[CN_MAX_MOVE_SENSORS];
    double distances[CN_MAX_MOVE_SENSORS]; // along their legs
    int count;
    int leg;       // the first one of the running leg
    double length; // of this leg
} cn_meeting;

// Begins a path for the query of a move. Do not copy the meeting: its search points to its query.
bool cn_meeting_begin(cn_meeting *meeting, const cn_search *search);
// Adds the straight leg from a position of the hull's centre to the present one.
void cn_meeting_add(cn_meeting *meeting, const cn_mover *m, cn_vec2d from);
void cn_meeting_end(const cn_meeting *meeting, cn_move *move); // stores the sensors in the result

// ---- small functions

// Returns the horizontal part of a vector.
static inline cn_vec2d cn_mover_level(const cn_mover *m, cn_vec2d v) {
    return cn_add_scaled(v, -cn_dot2d(v, m->up), m->up);
}
static inline bool cn_plane_supports(const cn_plane *p) {
    return p->kind == CN_PLANE_GROUND || p->kind == CN_PLANE_EDGE;
}

#endif
