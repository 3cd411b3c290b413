/* Another engine, as the benchmark sees it: it is given bodies, shapes and joints in Cairn's own
 * definitions and makes of them what it has. One that it cannot make it refuses, and says why.
 *
 * Bodies have numbers: the first is 0, each new one is the next. */
#ifndef DEMO_PEER_H
#define DEMO_PEER_H

#include "../queries.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    cn_shape_def def;
    bool is_chained;     // a segment of a chain, solid on its left...
    vec2s before, after; // ... and the chain's points before and after it
} peer_shape;

typedef struct {
    cn_body_def def;
    cn_mass mass; // of a dynamic body
    const peer_shape *shapes;
    int shape_count;
} peer_body;

typedef struct {
    cn_joint_def def;
    int a, b; // bodies
} peer_joint;

typedef struct {
    int bodies, shapes, joints;
    int contacts, touching; // pairs of shapes: near each other, in touch
    int awake;              // dynamic bodies
    double mass, height;    // of the dynamic bodies: sum, mean
} peer_counts;

typedef struct peer_world peer_world;

typedef struct {
    const char *name; // box2d 2.4.1
    const char *how;  // its settings, and what it only approximates
    // Why it has no such body, joint or query; NULL if it has.
    const char *(*refuse_body)(const peer_body *body);
    const char *(*refuse_joint)(const peer_joint *joint);
    const char *(*refuse_queries)(const query_plan *plan);
    peer_world *(*create)(const cn_world *like);
    void (*destroy)(peer_world *world);
    void (*add_body)(peer_world *world, const peer_body *body);
    void (*remove_body)(peer_world *world, int body); // with its joints
    void (*add_joint)(peer_world *world, const peer_joint *joint);
    void (*set_velocity)(peer_world *world, int body, vec2s velocity, float angular);
    cn_pose (*pose)(const peer_world *world, int body); // of its origin
    void (*step)(peer_world *world, float dt);
    peer_counts (*count)(const peer_world *world);
    query_answer (*ask)(peer_world *world, const query_batch *batch);
} peer;

// Those that are part of this build; the list ends with NULL.
extern const peer *const peers[];

#ifdef __cplusplus
} // extern "C"
#endif

#endif
