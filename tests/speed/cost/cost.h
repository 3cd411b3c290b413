/* cost: a program that makes worlds, and then the calls and steps whose instructions growth.py and
 * beside.py count in callgrind.
 *
 *     cost growth [CASE...]     each case with n objects, then with 2 n
 *     cost beside [CROWD...]    each crowd of bodies alone, then with one unusual object
 *
 * Each line of the output names a world. The work of a world is done in cost_count(): callgrind
 * counts in this function, and writes one total each time that the function returns. So the totals
 * stand in the order of the lines. Building a world is not counted.
 *
 * All worlds are made through cairn.h. A call that fails ends the program with an error. */
#ifndef TESTS_COST_H
#define TESTS_COST_H

#include "../../../engine/cairn.h"

#define COST_STEP (1.0f / 60)

// A world, and the objects on which the counted work acts. All null and zero at first.
typedef struct {
    int n;               // number of objects, as the case says
    cn_motion_type type; // of the bodies, as the case says
    int *order;          // a permutation of 0..n-1: in which order the calls are made

    cn_world *world;
    cn_body hub; // the body that holds all shapes, joints or tiles; or the ground
    cn_grid tiles;
    int room; // for handles of each kind
    cn_body *bodies;
    cn_shape *shapes;
    cn_joint *joints;
    int body_count, shape_count, joint_count;

    cn_world *other;   // for comparisons
    cn_world **worlds; // n worlds
    void *bytes;       // a saved world or a recording
    size_t size, capacity;
    cn_rollback *rollback;
    cn_replay *replay;
    void *results; // memory for results of queries
    bool advances; // the steps are those of cn_world_advance()
} trial;

// ---- cases

typedef enum { IN_ORDER, REVERSED, SHUFFLED } cost_order;

// Counted is either work(), or act() for each of n objects and the step that follows.
typedef struct {
    const char *name;
    int n; // the smaller one
    void (*build)(trial *t);
    void (*act)(trial *t, int i);
    void (*work)(trial *t);
    cost_order order; // of act()
    cn_motion_type type;
    bool on_purpose; // costs too much, so that a test sees this found; runs only if it is named
} cost_case;

// Lists of cases, each of which ends with an empty one.
extern const cost_case shape_cases[], body_cases[], joint_cases[], step_cases[], sensor_cases[],
    tile_cases[], query_cases[], state_cases[];

// A group of bodies, or an unusual object beside them. `build` adds it to the world.
typedef struct {
    const char *name;
    void (*build)(trial *t);
    bool on_purpose; // as above
} cost_group;

extern const cost_group crowds[], objects[];

// ---- counting

// Runs the work. Callgrind counts in this function only.
void cost_count(void (*work)(trial *t), trial *t);

// ---- errors

// Ends the program with an error unless `done`.
void cost_check(bool done, const char *what);
#define must(call) cost_check(call, #call)

// ---- worlds

void start_world(trial *t, float gravity);
void take_steps(trial *t, int count);
void four_steps(trial *t);
// Ends the program unless at most this many bodies are awake.
void must_sleep(const trial *t, int awake);

// These append to the lists of the trial and return what they added.
cn_body add_body(trial *t, cn_body_def def);
cn_shape add_shape(trial *t, cn_body body, cn_shape_def def);
cn_joint add_joint(trial *t, cn_joint_def def);
cn_body add_one(trial *t, cn_body_def def, cn_shape_def shape); // a body with a shape

// Makes the body t->hub: a wide static box with its surface at y = 0.
void add_ground(trial *t);
// Adds boxes of 1 m in stacks of ten, 1.5 m apart, on a ground.
void add_stacks(trial *t, int count, cn_body_def def);
// Adds boxes of 1 m that touch nothing, in rows of 32, with their lower left one at the position of
// the definition.
void add_spread(trial *t, int count, cn_body_def def, float spacing);

// Returns where object i of a spread with this spacing is.
vec2s place_of(int i, float spacing);
// Returns a box off the origin of its body.
cn_hull box_at(float half, vec2s place);

// Returns a number from 0 to 1. The same index gives the same number on every machine.
float noise(int index);

#endif
