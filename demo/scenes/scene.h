/* scene: bodies in a world, and a function that acts on them before each step. The demo shows
 * scenes, the benchmark times them and the tests check them, all from the same sources in
 * demo/scenes/. */
#ifndef DEMO_SCENE_H
#define DEMO_SCENE_H

#include "sketch.h"

// What the camera shows: the centre, and the height that must be visible, in metres.
typedef struct {
    float x, y, height;
} scene_view;

// Keys that are held: arrows, or W A S D. Space is the same as up.
enum { SCENE_KEY_LEFT = 1, SCENE_KEY_RIGHT = 2, SCENE_KEY_UP = 4, SCENE_KEY_DOWN = 8 };

// What the user does. In runs without a window all is zero, so such runs are repeatable.
typedef struct {
    bool has_mouse; // the mouse is over the world
    vec2s mouse;    // if so, its position in the world
    bool clicked;   // the mouse was clicked there since the last step, beside all bodies
    uint32_t keys;  // a sum of SCENE_KEY_...; 0 unless the scene takes keys
} scene_input;

typedef struct scene_run scene_run;

// A number that the user may choose before the scene starts, with its default and its range.
typedef struct {
    const char *name; // such as height; on the command line --set height=30
    float value, low, high;
    bool is_whole;    // a whole number
    const char *unit; // such as m/s; empty: none
} scene_parameter;
enum { SCENE_MAX_PARAMETERS = 8 };

typedef struct {
    const char *name;    // on the command line, such as stack
    const char *title;   // in the window, such as Vertical stack
    const char *caption; // one sentence: what the scene shows
    scene_view view;
    float width;                  // the width that must be visible, metres; 0: 6/5 of the height
    float follow_from, follow_to; // m: a view that follows stays between these x; both 0: no limit
    vec2s gravity;
    bool no_sleep;
    uint32_t overlays; // the initial overlays, cn_draw_flags
    int steps;         // length of a benchmark run or a headless run; 0: the program's default

    const scene_parameter *parameters; // ends with one without a name; NULL: none
    // Fills the new world. Returns false if that fails; cn_error() says why.
    bool (*create)(scene_run *run);
    // Releases what `memory` refers to, also after create() failed. May be NULL.
    void (*destroy)(void *memory);
    // Called before each step. Returns false if it fails. May be NULL.
    bool (*before_step)(scene_run *run);
    // The same for a scene that reacts to the user. Called before before_step(). May be NULL.
    bool (*control)(scene_run *run);
    bool takes_keys; // the keys above go to control() instead of the demo
    // Draws in addition to the bodies, in the state after the last step. May be NULL.
    void (*draw)(const scene_run *run, sketch *s);
    bool hides_bodies;  // draw() or the scene's hook draws the bodies instead of the demo
    size_t memory_size; // of scene_run.memory
    bool times_calls;   // the benchmark times before_step() instead of the step
    const struct query_plan *queries; // the benchmark times a batch of these queries (queries.h)
                                      // after each step; NULL: it times the step
} scene;

// A running scene.
struct scene_run {
    const scene *scene;
    cn_world *world;
    void *memory;                       // zeroed at the start, for the scene's own use
    float values[SCENE_MAX_PARAMETERS]; // of the parameters, in the order of their table
    int step;                           // that is taken next; counts from 0
    float follow;                       // m: added to the x of the scene's view; the scene sets it
    scene_input input;                  // for control() and draw()
    // What the scene blew up, for the demo to show it: how often, and the last place and reach, m.
    int blast_count;
    vec2s blast;
    float blast_reach;
};

// Starts a scene. `options` sets threads, lanes, substeps, profile and so on. Gravity comes from
// the scene. Sleep is off if either of them says no_sleep. Returns false if it fails; cn_error()
// says why.
bool scene_start(scene_run *run, const scene *which, cn_world_def options);
// The same with values for its parameters. They are clamped to their ranges.
bool scene_start_with(scene_run *run, const scene *which, const float *values,
                      cn_world_def options);
// Writes the defaults of all parameters. Returns their number.
int scene_default_values(const scene *which, float values[SCENE_MAX_PARAMETERS]);
// Calls scene_act(), then scene_advance(). Returns false if one fails.
bool scene_step(scene_run *run, float dt);
// Calls control() and before_step() of the scene. Returns false if one fails.
bool scene_act(scene_run *run);
// Steps the world. Returns false if that fails.
bool scene_advance(scene_run *run, float dt);
void scene_stop(scene_run *run);

// The scenes of the demo (stacking first), the benchmarks of steps and the benchmarks of queries.
// Each list ends with NULL.
extern const scene *const demo_scenes[];
extern const scene *const bench_scenes[];
extern const scene *const query_scenes[];
// All scenes of the demo by groups, in the order of its list; ended by one without a name.
typedef struct {
    const char *name;
    const scene *const *scenes; // ended by NULL
} scene_group;
extern const scene_group scene_groups[];
// Return the scene of this name in one list, or in all lists. NULL if there is none.
const scene *scene_find_in(const scene *const *list, const char *name);
const scene *scene_find(const char *name);

// A seeded random generator. It gives the same numbers on every machine.
typedef struct {
    uint64_t state;
} scene_random;
float scene_random_range(scene_random *random, float low, float high);

// Helpers for scenes. Each returns a null handle if it fails.
cn_body scene_add_body(cn_world *world, cn_motion_type type, float x, float y);
// Adds a body with one shape of friction 0.6.
cn_body scene_add_one(cn_world *world, cn_motion_type type, float x, float y, cn_hull hull,
                      float density);
cn_shape scene_add_hull(cn_world *world, cn_body body, cn_hull hull, float friction, float density);

#endif
