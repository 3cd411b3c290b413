/* probe: the hull of a query, and the searches that the trees answer. It knows hulls and boxes, but
 * no worlds. */
#ifndef CN_PROBE_H
#define CN_PROBE_H

#include "../../core/collision/collision.h"

/* A probe is the hull of a query, or a point (one vertex, radius 0). Coordinates are in world axes,
 * relative to its centre, which is the middle of its box. Unused elements repeat element 0. */
typedef struct {
    float x[8], y[8], nx[8], ny[8];
    int count;
    float radius;
    float half_width, half_height; // of its box, including the radius
} cn_probe;

// The probe of a hull at a pose. Its centre is stored in `center`, world.
cn_probe cn_probe_of(const cn_hull *hull, cn_pose pose, cn_vec2d *center);
extern const cn_probe cn_point_probe;

// The straight path of a probe's centre.
typedef struct {
    cn_vec2d origin, direction; // a unit vector; zero if the length is 0
    double length;
} cn_path;

cn_path cn_path_of(cn_vec2d origin, cn_vec2d translation);

// The point where a probe with its centre at `at` touches a hull, whose normal there is `normal`.
// If they share a stretch of an edge, it is the middle of the stretch.
cn_vec2d cn_touch_point(const cn_placed_hull *hull, cn_vec2d center, const cn_hull8 *pool,
                        const cn_probe *probe, cn_vec2d at, vec2s normal);

// Boxes and the hulls in them. An id of the trees is an index into the placed hulls.
typedef struct {
    const cn_tree *trees[2];
    cn_hull_store store;
} cn_query_scene;

// Receives one result of a query: the distance along the path or from the probe. For casts also the
// normal of the hull where the path enters it (zero if the path starts inside). Returns the new
// limit: results beyond it are not needed. A negative limit ends the query.
typedef double cn_query_callback(void *context, int id, double distance, vec2s normal);

// The point at which a probe on its path enters a hull.
typedef struct {
    double distance; // along the path; negative: no hit
    vec2s normal;    // of the hull; zero if the path starts inside
} cn_path_hit;

enum { CN_RAY_PACKET = 8 }; // number of rays that walk the tree together

typedef struct {
    // Finds hulls that the probe hits on its path. The nearest boxes come first, but `found` must
    // not rely on any order.
    void (*cast)(const cn_query_scene *scene, const cn_probe *probe, const cn_path *path,
                 cn_query_callback *found, void *context);
    // The same for up to CN_RAY_PACKET rays, each with its own context.
    void (*cast_rays)(const cn_query_scene *scene, const cn_path *paths, int count,
                      cn_query_callback *found, void **contexts);
    // Finds hulls whose fat boxes are hit by a box with these half sizes on its path. The distance
    // is where it enters the fat box.
    void (*sweep_box)(const cn_query_scene *scene, vec2s half, const cn_path *path,
                      cn_query_callback *found, void *context);
    // Find hulls that overlap the probe, or whose tight boxes overlap `box`, in no order, with
    // distance 0.
    void (*overlap)(const cn_query_scene *scene, const cn_probe *probe, cn_vec2d center,
                    cn_query_callback *found, void *context);
    void (*overlap_box)(const cn_query_scene *scene, cn_bounds box, cn_query_callback *found,
                        void *context);
    // Finds hulls up to `limit` from the probe, with their signed distances, nearest boxes first.
    void (*nearest)(const cn_query_scene *scene, const cn_probe *probe, cn_vec2d center,
                    double limit, cn_query_callback *found, void *context);
    // The same for the fat boxes instead of the hulls in them.
    void (*near_boxes)(const cn_query_scene *scene, const cn_probe *probe, cn_vec2d center,
                       double limit, cn_query_callback *found, void *context);
    // A cast, a signed distance and an overlap test against a single hull, for the tiles of a grid.
    cn_path_hit (*cast_at)(const cn_placed_hull *hull, cn_vec2d center, const cn_hull8 *pool,
                           const cn_probe *probe, const cn_path *path);
    double (*distance_to)(const cn_placed_hull *hull, cn_vec2d center, const cn_hull8 *pool,
                          const cn_probe *probe, cn_vec2d at);
    bool (*overlaps)(const cn_placed_hull *hull, cn_vec2d center, const cn_hull8 *pool,
                     const cn_probe *probe, cn_vec2d at);
} cn_query_kernels;

extern const cn_query_kernels cn_query_kernels_4, cn_query_kernels_8;

#endif
