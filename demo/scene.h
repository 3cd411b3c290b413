/* A scene: bodies in a world, and what it does to them from step to step. The demo shows scenes, the
 * benchmark times them and the tests check them, all from the same source in demo/scenes/. */
#ifndef DEMO_SCENE_H
#define DEMO_SCENE_H

#include "sketch.h"

// Where the camera looks: the centre, and what of the height must be seen, in metres.
typedef struct {
    float x, y, height;
} scene_view;

typedef struct scene_run scene_run;

typedef struct {
    const char *name;  // on the command line: stack
    const char *title; // for people: Vertical stack
    const char *about; // one sentence: what to look at
    scene_view view;
    float width; // what must be seen of the scene's width, 0: 6/5 of the height
    vec2s gravity;
    bool no_sleep;
    uint32_t overlays; // cn_draw_flags that are on at first
    int steps;         // length of a benchmark run or a headless run, 0: the default of the program

    // Fills the new world. Returns false (and cn_error() says why) if that failed.
    // `memory` is `memory_size` zeroed bytes for the scene's own use, NULL if that is 0.
    bool (*create)(cn_world *world, void *memory);
    // Called before each step; `step` counts from 0. May be NULL.
    bool (*before_step)(cn_world *world, void *memory, int step);
    // Draws more than the bodies, in the state after the last step. May be NULL.
    void (*draw)(const scene_run *run, sketch *s);
    bool hides_bodies; // draw(), or the demo's part of the scene, draws them in its own way
    size_t memory_size;
    bool is_about_calls; // a benchmark of what before_step does rather than of the step
    const struct query_plan *queries; // a benchmark of these queries (queries.h), one batch after
                                      // each step; NULL: of the step
} scene;

// A running scene.
struct scene_run {
    const scene *scene;
    cn_world *world;
    void *memory;
    int step;
    bool has_mouse; // is the mouse over the world?
    vec2s mouse;    // its place then, world. Only for drawing: worlds do not depend on it
};

// `options` sets threads, lanes, substeps, profile and the like; gravity and no_sleep come from the
// scene. False, and cn_error() says why, if it could not be made.
bool scene_start(scene_run *run, const scene *which, cn_world_def options);
bool scene_step(scene_run *run, float dt);
void scene_stop(scene_run *run);

// The scenes of the demo (stacking first) and of the benchmark (of steps, of questions), each list
// ending with NULL.
extern const scene *const demo_scenes[];
extern const scene *const bench_scenes[];
extern const scene *const query_scenes[];
// The scene of that name in a list, or in any list; NULL if there is none.
const scene *scene_find_in(const scene *const *list, const char *name);
const scene *scene_find(const char *name);

// A small seeded generator for scenes with random parts: the same on every machine.
typedef struct {
    uint64_t state;
} scene_random;
float scene_random_range(scene_random *random, float low, float high);

// Shorthands that scenes share.
cn_body scene_add_body(cn_world *world, cn_body_type type, float x, float y);
// A body of one shape, friction 0.6. A null handle if it failed.
cn_body scene_add_one(cn_world *world, cn_body_type type, float x, float y, cn_hull hull,
                      float density);
cn_shape scene_add_hull(cn_world *world, cn_body body, cn_hull hull, float friction, float density);

#endif
