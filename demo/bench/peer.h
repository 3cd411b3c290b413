/* peer: the interface of another engine in the benchmark. A peer gets bodies, shapes and joints as
 * Cairn's definitions and creates its own equivalents. It refuses what it does not support, and
 * says why.
 *
 * Bodies have numbers: the first is 0, and each new body has the next number. */
#ifndef DEMO_PEER_H
#define DEMO_PEER_H

#include "../scenes/queries.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    cn_shape_def def;
    bool is_chained;     // a segment of a chain, solid on its left
    vec2s before, after; // the points of the chain before and after the segment
} peer_shape;

typedef struct {
    cn_body_def def;
    cn_mass_data mass; // of a dynamic body
    const peer_shape *shapes;
    int shape_count;
} peer_body;

typedef struct {
    cn_joint_def def;
    int a, b; // numbers of the bodies
} peer_joint;

typedef struct {
    int bodies, shapes, joints;
    int contacts, touching; // pairs of shapes: near each other; touching
    int awake;              // dynamic bodies
    double mass, height;    // of the dynamic bodies: kg, sum; m, mean
} peer_counts;

typedef struct peer_world peer_world;

typedef struct {
    const char *name;          // such as "box2d 2.4.1"
    const char *settings_text; // its settings, and what it can only approximate
    // Return why the engine does not support the body, joint or queries; NULL if it does.
    const char *(*refuse_body)(const peer_body *body);
    const char *(*refuse_joint)(const peer_joint *joint);
    const char *(*refuse_queries)(const query_plan *plan);
    peer_world *(*create)(const cn_world *like);
    void (*destroy)(peer_world *world);
    void (*add_body)(peer_world *world, const peer_body *body);
    void (*remove_body)(peer_world *world, int body); // also removes its joints
    void (*add_joint)(peer_world *world, const peer_joint *joint);
    void (*set_velocity)(peer_world *world, int body, vec2s velocity, float angular);
    cn_pose (*pose)(const peer_world *world, int body); // of the body's origin
    void (*step)(peer_world *world, float dt);
    peer_counts (*count)(const peer_world *world);
    query_result (*run_queries)(peer_world *world, const query_batch *batch);
} peer;

// The peers in this build. The list ends with NULL.
extern const peer *const peers[];

#ifdef __cplusplus
} // extern "C"
#endif

#endif
