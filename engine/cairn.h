/* Cairn: a 2D rigid-body physics engine. Version 0.2.0. SPDX-License-Identifier: MIT
 *
 * A world holds bodies. A body carries shapes. A shape is a rounded convex hull with a material:
 * a circle, a capsule, a box or a polygon. Each step finds the shapes that touch, makes contacts
 * of them, and solves contacts and joints for the impulses that keep bodies apart or together.
 * After a step you read where the bodies are and what happened. Cairn does not draw, does not read
 * files, and starts no threads unless told to.
 *
 * If you know Box2D, read guides/from-box2d.md. All guides are in engine/bindings/docs/guides/.
 *
 * Units are metres, kilograms, seconds and radians. Angles turn counter-clockwise and y is up.
 * If your game measures in pixels or other lengths, see "tuning".
 *
 *     #include <cairn.h>
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
 *         cn_shape_def slab = {.hull = cn_box(50, 1)}, wood = {.hull = cn_box(0.5f, 0.5f)};
 *         cn_body_def still = {.type = CN_STATIC, .shapes = &slab, .shape_count = 1};
 *         cn_body_def falling = {.position = {{0, 10}}, .shapes = &wood, .shape_count = 1};
 *         cn_body_create(world, &still); // the ground
 *         cn_body crate = cn_body_create(world, &falling);
 *
 *         for (int i = 0; i < 120; i++) cn_world_step(world, 1.0f / 60);
 *         printf("the crate rests at a height of %.3f\n", cn_body_position(world, crate).y);
 *         cn_world_destroy(world);
 *     }
 *
 * It prints "the crate rests at a height of 1.500". In C, (cn_body_def){...} is a temporary
 * struct: the fields that it does not name are zero. {{0, 10}} is a vec2s, the vector of cglm,
 * with fields .x and .y. The examples below use a world, a ground and a crate like these.
 *
 * Contents. To jump to a section, search for its name with "- " in front, for example "- bodies".
 *
 *     basics          vectors, poses and boxes
 *     worlds          handles, memory, threads; step a world, settings, the engine's constants
 *     bodies          create and move bodies; forces, mass, locks, continuous collision, sleep
 *     hulls           circles, capsules, boxes, polygons
 *     shapes          materials, filters, sensors, one-way platforms
 *     errors          why a call failed
 *     chains          smooth ground, and outlines that are solid on one side
 *     grids           ground from a bitmap; slopes, materials
 *     fields          water, wind, the gravity of a planet: sensors that act on the bodies inside
 *     joints          hinges, sliders, ropes, springs, motors
 *     couplings       gears, racks, pulleys
 *     iteration       all bodies, shapes and joints
 *     events          what happened in a step: touches, hits, sensors, broken joints, sleep, motion
 *     contacts        what touches what; the ground under a body
 *     callbacks       your functions in a step
 *     queries         rays, casts, overlaps, what is near
 *     explosions      push all bodies around a point; walls protect
 *     characters      move a hull that walks, jumps and slides
 *     saving          the state of a world as bytes: saved games
 *     rewinding       the last states of a world in memory: rollback; how two worlds differ
 *     many worlds     step thousands of worlds in one call
 *     recordings      the calls on a world as bytes that can be replayed: bug reports
 *     looking inside  energy, counters, profile, hash, debug drawing
 *     geometry        poses, boxes and hulls without a world: contact points, distance, casts
 *     C++             definitions by reference, comparison of handles
 *     tuning          what to change for pixels, tall stacks, top-down games, ...
 *     limits          what does not work or holds only within a range, and what to do instead
 *
 * Definitions. A definition starts as all zeros (= {0}, in C++ {}). Zero means the default, field
 * by field. If zero is also a useful value, a flag stands for it (.frictionless, .weightless, ...).
 * Only the hull of a shape, the bodies of a joint, the points of a chain and the tiles of a grid
 * are required. A definition and its arrays are copied.
 *
 * Setters. A struct means the same in a setter as in a definition. The struct that a getter returns
 * sets the same values. Setters of single numbers are literal: zero is zero. For a limit (a
 * greatest speed or force, or the load that breaks a joint) zero means no limit.
 *
 * Errors. A call that fails returns false, a null handle (its .id is 0) or zero, and changes
 * nothing. The rotation of a pose is NaN then, so that later calls refuse the pose. cn_error() says
 * why. Calls fail for null and stale handles, for handles of a world with another tag, and for
 * numbers that are not finite. Only ..._valid() takes any handle without an error.
 *
 * Arrays. A function that writes to an array takes its capacity, writes up to that many results,
 * and returns the number of all results, which may be greater. With (NULL, 0) it only counts.
 *
 * Frames. Points and vectors are in the world unless a comment says that they are in the frame of
 * a body or hull. Coordinates of positions are up to 1e9, in your lengths.
 *
 * Threads. Different worlds may be used from different threads at the same time. Several threads
 * may call functions that take a const world at once, as long as no thread changes or steps it.
 *
 * Determinism. The same calls give the same bits, on every machine, compiler and SIMD width, and
 * with any number of threads, as long as no allocation fails.
 *
 * Parts. A build can leave out parts of the engine. Meson's option -Dparts= takes all, none, or
 * names with commas, such as -Dparts=queries,snapshot. The comment of a section or function names
 * its part: "Part: queries." A program that calls a function of a missing part does not link.
 */
#ifndef CAIRN_H
#define CAIRN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus) && !defined(CGLM_USE_ANONYMOUS_STRUCT)
#define CGLM_USE_ANONYMOUS_STRUCT 1 // else cglm gives vec2s no .x and .y in C++
#endif
// In C++, include cairn.h before other cglm headers, or define the above yourself.
#if __has_include(<cglm/struct/vec2.h>)
#include <cglm/struct/vec2.h>
#elif !defined(cglm_types_struct_h) // without cglm: the same vector, and some of its functions
#include <math.h>
#if defined(__cplusplus) && (defined(__GNUC__) || defined(__clang__))
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic" // C++ has no struct without a name, its compilers do
#endif
typedef union vec2s {
    float raw[2];
    struct {
        float x, y;
    };
} vec2s;
#if defined(__cplusplus) && (defined(__GNUC__) || defined(__clang__))
#pragma GCC diagnostic pop
#endif
static inline vec2s glms_vec2_muladds(vec2s a, float s, vec2s b) { // a * s + b
    b.x += a.x * s, b.y += a.y * s;
    return b;
}
static inline vec2s glms_vec2_scale(vec2s v, float s) {
    v.x *= s, v.y *= s;
    return v;
}
static inline vec2s glms_vec2_sub(vec2s a, vec2s b) {
    a.x -= b.x, a.y -= b.y;
    return a;
}
static inline float glms_vec2_dot(vec2s a, vec2s b) { return a.x * b.x + a.y * b.y; }
static inline float glms_vec2_norm(vec2s v) { return sqrtf(glms_vec2_dot(v, v)); }
static inline vec2s glms_vec2_normalize(vec2s v) { // zero if v is zero
    float norm = glms_vec2_norm(v);
    return norm == 0 ? glms_vec2_sub(v, v) : glms_vec2_scale(v, 1 / norm);
}
static inline float glms_vec2_distance(vec2s a, vec2s b) {
    return glms_vec2_norm(glms_vec2_sub(b, a));
}
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define CN_VERSION_MAJOR 0
#define CN_VERSION_MINOR 2
#define CN_VERSION_PATCH 0
#define CN_VERSION       (CN_VERSION_MAJOR * 10000 + CN_VERSION_MINOR * 100 + CN_VERSION_PATCH)

// Returns the CN_VERSION of the library that the program runs with.
uint32_t cn_version(void);
// Returns a hash of all functions, structs, enums and constants of this header, without the
// version. A binding or a program that loads the library compares it with the "hash" of api.json.
uint32_t cn_api_hash(void);

// ------------------------------------------------------------------------------------------ basics

static inline vec2s cn_vec(float x, float y) {
    vec2s v;
    v.x = x, v.y = y;
    return v;
}

// A rotation as the cosine and sine of its angle.
typedef struct {
    float c, s;
} cn_rotation;

// A position and a rotation: a point is first turned, then moved. Make poses with cn_pose_at(). In
// arguments and definitions, a rotation of all zeros means: not turned. So {0} is the identity.
typedef struct {
    vec2s position;
    cn_rotation rotation;
} cn_pose;

// Returns the rotation by any finite angle in radians, the same bits on every machine.
cn_rotation cn_rotation_of(float angle);
// Returns the pose at a position, turned by an angle in radians.
cn_pose cn_pose_at(vec2s position, float angle);

// An axis-aligned box. It is valid if lower <= upper in both coordinates.
typedef struct {
    vec2s lower, upper;
} cn_bounds;

// One of a pair: the first or the second body of a joint, or hull of a manifold.
typedef enum { CN_A, CN_B } cn_which;

// ------------------------------------------------------------------------------------------ worlds

/*     cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .threads = 4});
 *     cn_body ball = cn_body_create(world, &(cn_body_def){.position = {{0, 9}}});
 *     while (is_running()) {                                   // your game loop
 *         cn_world_advance(world, seconds_since_last_frame()); // steps of 1/60 s, as needed
 *         cn_pose pose = cn_body_drawn_pose(world, ball);      // between the last two steps
 *         draw_ball(pose.position, cn_rotation_angle(pose.rotation));
 *     }
 *     cn_world_destroy(world);
 */

typedef struct cn_world cn_world;

// Handles name objects: generation 32 bits | tag 8 | slot 24. Zero is null. Lists "in slot order"
// are sorted by slot. The handle of a destroyed object stays stale, even when its slot is used
// again. Only a restored state brings it back: see "saving".
typedef struct {
    uint64_t id;
} cn_body;
typedef struct {
    uint64_t id;
} cn_shape;
typedef struct {
    uint64_t id;
} cn_joint;
// A chain of segments on a body.
typedef struct {
    uint64_t id;
} cn_chain;
// A grid of tiles on a body.
typedef struct {
    uint64_t id;
} cn_grid;

// The source of a world's memory; all zero: the C library. allocate() returns `size` bytes aligned
// to `alignment` (a power of two, 64 at most) or NULL. release() gets the same size. A step calls
// them from any of its threads, and cn_body_contacts() from the thread that calls it, but never two
// at a time. Set both functions or none.
typedef struct {
    void *(*allocate)(size_t size, size_t alignment, void *user);
    void (*release)(void *block, size_t size, void *user);
    void *user;
} cn_allocator;

// Your task system, which runs the work of other threads in a step; all zero: the world's own
// threads. Set both functions or none. start() makes your threads call task(context, i) for each i
// of 0..count-1, on any thread, in any order, now or later. finish() gets what start() returned,
// and returns when all these calls have returned. A step calls start() and finish() several times,
// one pair after the other, and its own thread works on the tasks, too.
typedef void cn_task(void *context, int index);
typedef struct {
    void *(*start)(cn_task *task, void *context, int count, void *user);
    void (*finish)(void *handle, void *user);
    void *user;
} cn_task_system;

// Memory that a world reserves when it is created. As long as the world stays within these counts,
// creating objects and stepping allocate nothing. "limits" lists what is not covered.
typedef struct {
    int bodies;
    int shapes, static_shapes; // of bodies that can move, and of static bodies
    int joints;
    int contacts; // pairs of shapes that touch or nearly do, at one time: some two or three a body
} cn_capacity;

typedef struct {
    vec2s gravity;     // m/s^2, literal: zero is none
    int substeps;      // solver passes in a step, 1..64; 0: 4. More is stiffer and costs more time
    int threads;       // that run a step, the caller's included: 1..64; 0: 1. Same results
    int lanes;         // SIMD lanes: 1, 4, 8, 16; 0: the best of this machine. Same results
    float length_unit; // how many of your lengths make a metre, 1e-6..1e6; 0: 1. See "tuning"
    float time_step;   // seconds of a step of cn_world_advance(), 1e-15..1; 0: 1/60
    int max_steps;     // most steps that cn_world_advance() takes in one call; 0: 8
    float linear_damping, angular_damping; // 1/s, >= 0: added to the damping of each body
    uint8_t tag;          // yours: part of every handle, so a world refuses handles of other tags
    bool no_sleep;        // bodies never fall asleep
    bool profiling;       // measure the stages of a step: cn_world_profile()
    bool move_events;     // list the bodies that moved: cn_events.moved
    cn_capacity capacity; // all 0: the world grows as needed
    cn_allocator allocator;
    cn_task_system tasks;
    uint64_t user_data; // for a pointer: (uint64_t)(uintptr_t)pointer
} cn_world_def;

// Creates a world, and you destroy it. Returns NULL if the definition is bad or memory is short.
cn_world *cn_world_create(const cn_world_def *def);
void cn_world_destroy(cn_world *world); // and all that is in it; NULL is ignored

// Advances the world by dt seconds, 0..1. A dt below 1e-15 moves nothing and raises no events,
// but clears the forces and torques that were applied. Fails if dt is out of range or memory is
// short; then the world is unchanged and you may step it again.
bool cn_world_step(cn_world *world, float dt);

// Advances the world by the time of a frame, in seconds (>= 0), in whole steps of
// cn_world_def.time_step. The rest of the time is kept for the next call. Returns the number of
// steps taken, at most max_steps: a slow frame loses time instead of freezing the game. Draw the
// bodies at cn_body_drawn_pose() for smooth motion. The first time above 1 s in a world gives a
// hint (CN_ERROR_HINT), because it may be in milliseconds.
// Returns -1 if a step fails. The steps before it stay taken, with their events, and the time that
// is left is kept: cn_world_advance(world, 0) tries to go on. If the first step fails, the time of
// the frame is not kept, so you may repeat the call.
int cn_world_advance(cn_world *world, float frame_seconds);
// Returns where the drawn poses are between the last two steps, 0..1.
float cn_world_interpolation(const cn_world *world);

// Wakes everything. Also changes tuning.push_speed, unless you have set that.
bool cn_world_set_gravity(cn_world *world, vec2s gravity);
vec2s cn_world_gravity(const cn_world *world);
bool cn_world_set_substeps(cn_world *world, int substeps); // 1..64; wakes nothing
int cn_world_substeps(const cn_world *world);
bool cn_world_set_no_sleep(cn_world *world, bool no_sleep); // true wakes everything
bool cn_world_no_sleep(const cn_world *world);
// Switches move events on or off, from the next step on. Fails only if memory is short.
bool cn_world_set_move_events(cn_world *world, bool on);
bool cn_world_move_events(const cn_world *world);
// Sets the damping that is added to that of each body, in 1/s. Wakes nothing.
bool cn_world_set_damping(cn_world *world, float linear, float angular);
float cn_world_linear_damping(const cn_world *world);
float cn_world_angular_damping(const cn_world *world);
bool cn_world_set_user_data(cn_world *world, uint64_t user_data);
uint64_t cn_world_user_data(const cn_world *world);

// Return values of the definition, or of the saved state; defaults are filled in.
int cn_world_threads(const cn_world *world); // 1 if this platform has no threads
float cn_world_time_step(const cn_world *world);
int cn_world_max_steps(const cn_world *world);
float cn_world_length_unit(const cn_world *world);
uint8_t cn_world_tag(const cn_world *world);
// Returns the greatest numbers of objects so far, including shapes of tiles. Use it as .capacity of
// a world like this one. They are not saved, and restoring a state does not lower them.
cn_capacity cn_world_peak_capacity(const cn_world *world);
// Returns the tight box of all shapes and grids of the world; zeros if there are none.
cn_bounds cn_world_bounds(const cn_world *world);

/* Makes a point of the world the new origin: everything moves by minus `origin`. Floats are finest
 * near the origin, so in a large world call it when the player is, say, 1000 m away from it. Wakes
 * nothing and raises no events. The points of the last step's events are shifted, too. Shift the
 * coordinates that you keep yourself, including the arrays of an earlier cn_world_events(). Fails
 * if a coordinate of `origin`, or the new position of a body, is beyond 1e9. */
bool cn_world_shift_origin(cn_world *world, vec2s origin);

// The constants of the engine, in your units: length_unit scales the lengths and speeds. All are
// positive and finite. In cn_world_set_tuning(), 0 stands for the value in the comment.
typedef struct {
    float slop;               // 0.005 m: a small overlap; unit of the tolerances of contacts
    float speculative_margin; // 0.02 m: gap at which a contact is made
    float box_margin; // 0.015 m: the fat boxes that find pairs are larger than their shapes by it
                      // on each side, or by more; at least half of speculative_margin
    // A contact keeps the points of each body at which it acts, until the pair has slid by
    // anchor_distance or a body has turned by anchor_angle; by less for circles.
    float anchor_distance; // 0.05 m
    float anchor_angle;    // 0.05 rad
    // 30 m/s, or the speed of a fall of 1 s if that is more, until you set another: the greatest
    // speed at which overlapping bodies are moved apart. This gives them no speed. Joints that are
    // pulled open close at 1/20 of it. Contacts push jointed bodies apart at 1/10 of it.
    float push_speed;
    float hit_threshold; // 1 m/s: slower impacts raise no hit event
    float sleep_speed;   // 0.05 m/s: a body at rest is slower than this
    float sleep_time;    // 0.5 s at rest before an island falls asleep
} cn_tuning;

cn_tuning cn_world_tuning(const cn_world *world);
bool cn_world_set_tuning(cn_world *world, cn_tuning tuning); // wakes everything

// ------------------------------------------------------------------------------------------ bodies

/*     cn_shape_def disc = {.hull = cn_circle(0.5f)};
 *     cn_body_def def = {.position = {{0, 5}}, .shapes = &disc, .shape_count = 1};
 *     cn_body ball = cn_body_create(world, &def);
 *     cn_body_apply_impulse(world, ball, cn_vec(0, 4)); // N s: a kick upwards
 *     cn_world_step(world, 1.0f / 60);
 *     vec2s p = cn_body_position(world, ball), v = cn_body_velocity(world, ball);
 *     printf("at (%g, %g) with (%g, %g) m/s\n", p.x, p.y, v.x, v.y);
 */

typedef enum {
    CN_DYNAMIC,   // moved by forces, contacts and joints
    CN_KINEMATIC, // moved by its velocity only; pushes dynamic bodies
    CN_STATIC,    // never moves by itself
} cn_motion_type;

typedef struct cn_shape_def cn_shape_def; // see "shapes"

typedef struct {
    cn_motion_type type;
    vec2s position;                     // of the body's origin, world
    float angle;                        // rad
    vec2s velocity;                     // of the centre of mass, m/s; x and y up to 1e9
    float angular_velocity;             // rad/s, up to 1e9
    float linear_damping;               // 1/s, >= 0: the velocity decays by this rate
    float angular_damping;              // 1/s, >= 0
    float gravity_scale;                // 0: 1
    float max_speed;                    // of the centre, m/s; 0: none
    float sleep_speed;                  // a body at rest is slower, m/s; 0: that of cn_tuning
    bool weightless;                    // gravity scale 0
    bool lock_x, lock_y, lock_rotation; // never moves along or turns about that axis
    bool bullet;                        // swept more often: cn_body_set_bullet()
    bool no_sleep;
    bool asleep;                // created asleep
    bool disabled;              // created disabled
    const cn_shape_def *shapes; // the shapes that it is created with, as by cn_shape_create(): in
                                // this order, and all or nothing
    int shape_count;            // 0: none
    uint64_t user_data;         // for a pointer: (uint64_t)(uintptr_t)pointer
} cn_body_def;

// In this section, "wakes its neighbours" means: wakes the bodies that touch it or nearly do, and
// the bodies that joints hold to it.

// Creates a body. If one of its shapes is refused, no body is created. As long as a dynamic body
// has no shapes, it moves as a point of 1 kg times length_unit^2.
cn_body cn_body_create(cn_world *world, const cn_body_def *def);
// Destroys a body with its shapes, chains, joints and grids. Wakes its neighbours.
bool cn_body_destroy(cn_world *world, cn_body body);

bool cn_body_valid(const cn_world *world, cn_body body);

cn_motion_type cn_body_type(const cn_world *world, cn_body body);
// Changes the type. Velocities stay; those of a static body become 0. Wakes its neighbours. Fails
// if the body has a grid of tiles, or if it would be dynamic and all its shapes have no mass.
bool cn_body_set_type(cn_world *world, cn_body body, cn_motion_type type);

// Poses and positions are those of the body's origin.
cn_pose cn_body_pose(const cn_world *world, cn_body body);
vec2s cn_body_position(const cn_world *world, cn_body body);
float cn_body_angle(const cn_world *world, cn_body body);  // -pi..pi
vec2s cn_body_center(const cn_world *world, cn_body body); // centre of mass, world
// Teleports the body: it hits nothing on the way and keeps its velocity. Wakes it, and its
// neighbours at the old and the new place.
bool cn_body_set_pose(cn_world *world, cn_body body, cn_pose pose);
// Teleports the body like cn_body_set_pose(). Its rotation stays, bit for bit.
bool cn_body_set_position(cn_world *world, cn_body body, vec2s position);
// Returns the pose between the last two steps, for drawing with cn_world_advance(). After
// cn_world_step() it is the pose itself. cn_world_body_states() writes the poses of all bodies.
cn_pose cn_body_drawn_pose(const cn_world *world, cn_body body);
// Gives a kinematic body the velocities that take it to a pose in `seconds` (> 0), by the shorter
// turn. The body keeps them, so call this before every step (see "callbacks"), or stop it when it
// arrives. Wakes the neighbours of a body that moves. Fails if the body is not kinematic.
bool cn_body_set_target(cn_world *world, cn_body body, cn_pose target, float seconds);

// Linear velocities are those of the centre of mass, in m/s; angular velocities are in rad/s.
// Setting a velocity other than 0 wakes the body, and the neighbours of a kinematic body. It fails
// if the body is static, or if x, y or the angular velocity would be beyond 1e9.
vec2s cn_body_velocity(const cn_world *world, cn_body body);
bool cn_body_set_velocity(cn_world *world, cn_body body, vec2s velocity);
float cn_body_angular_velocity(const cn_world *world, cn_body body);
bool cn_body_set_angular_velocity(cn_world *world, cn_body body, float angular_velocity);
// Returns the velocity of the body's material at a point of the world.
vec2s cn_body_velocity_at(const cn_world *world, cn_body body, vec2s point);

// Forces (N) and torques (N m) add up, act during the next step, and are then cleared. Impulses
// (N s, N m s) act at once. Points are in the world. Each of these calls wakes the body, even if
// the force or impulse is zero, and fails if the body is not dynamic or is disabled. With
// cn_world_advance(), apply forces in before_step: see "callbacks".
bool cn_body_apply_force_at(cn_world *world, cn_body body, vec2s force, vec2s point);
bool cn_body_apply_force(cn_world *world, cn_body body, vec2s force);
bool cn_body_apply_torque(cn_world *world, cn_body body, float torque);
bool cn_body_apply_impulse_at(cn_world *world, cn_body body, vec2s impulse, vec2s point);
bool cn_body_apply_impulse(cn_world *world, cn_body body, vec2s impulse);
bool cn_body_apply_angular_impulse(cn_world *world, cn_body body, float impulse);

typedef struct {
    float mass;    // kg
    float inertia; // kg m^2 about the centre of mass
    vec2s center;  // centre of mass, in the frame of the hull or body
} cn_mass_data;

// The mass of a dynamic body follows from its shapes until you set it, and again after
// cn_body_reset_mass(). That of other bodies is 0 until you set it. Setting wakes the body.
float cn_body_mass(const cn_world *world, cn_body body); // kg
cn_mass_data cn_body_mass_data(const cn_world *world, cn_body body);
// The mass is 1e-36..1e36. The inertia has the same range, or is 0: then the body does not turn.
bool cn_body_set_mass_data(cn_world *world, cn_body body, cn_mass_data mass_data);
bool cn_body_reset_mass(cn_world *world, cn_body body);

// Damping and max_speed wake nothing. The gravity scale wakes the body.
bool cn_body_set_damping(cn_world *world, cn_body body, float linear, float angular); // 1/s
float cn_body_linear_damping(const cn_world *world, cn_body body);
float cn_body_angular_damping(const cn_world *world, cn_body body);
bool cn_body_set_gravity_scale(cn_world *world, cn_body body, float scale);
float cn_body_gravity_scale(const cn_world *world, cn_body body);
bool cn_body_set_max_speed(cn_world *world, cn_body body, float max_speed); // m/s; 0: none
float cn_body_max_speed(const cn_world *world, cn_body body);
// Locks axes of the world, along which the body never moves, or its rotation. Along a lock the body
// acts like a wall, but does not carry heavy bodies that touch it: see "limits". Wakes the body.
bool cn_body_set_locks(cn_world *world, cn_body body, bool x, bool y, bool rotation);
void cn_body_locks(const cn_world *world, cn_body body, bool *x, bool *y, bool *rotation);

// Continuous collision is always on: no body passes static shapes, at any speed, and no body in
// free flight passes a moving one. A fast body that hits something stops there for the rest of the
// step and keeps its velocity. For exceptions, and for bodies that only graze others, see "limits".
//
// A bullet is tested more often, and against all shapes. So it also stops before a deep overlap
// with a moving body. Setting it wakes nothing.
bool cn_body_set_bullet(cn_world *world, cn_body body, bool bullet);
bool cn_body_bullet(const cn_world *world, cn_body body);

// Sleep: an island (dynamic bodies connected by contacts or joints) that has been at rest for a
// while is not simulated. A body at rest is slow, and nothing moves it: no force, motor, spring,
// conveyor, kinematic body or flow. An island wakes as a whole: when a moving body touches it; when
// a call sets a velocity other than 0, or applies a force or impulse; when a shape beside it is
// created, destroyed, moved or changed; and when its joints or gravity change. A moving field wakes
// the bodies inside. Queries, user data, damping, max_speed, substeps, passing bodies wake nothing.
//
// Putting a body to sleep puts its island to sleep. Fails if the body is not dynamic or is
// disabled. Putting it to sleep also fails if the world or a body of the island never sleeps, if a
// change is about to wake the island, or if a moving kinematic body touches or pulls the island.
bool cn_body_set_asleep(cn_world *world, cn_body body, bool asleep);
bool cn_body_asleep(const cn_world *world, cn_body body);
bool cn_body_set_no_sleep(cn_world *world, cn_body body, bool no_sleep); // true wakes the body
bool cn_body_no_sleep(const cn_world *world, cn_body body);
// Sets the speed below which the body may be at rest, in m/s, > 0. Wakes nothing.
bool cn_body_set_sleep_speed(cn_world *world, cn_body body, float speed);
// Returns this speed: that of cn_tuning if the body has none of its own.
float cn_body_sleep_speed(const cn_world *world, cn_body body);

// Lets the body pass all one-way shapes for some seconds (0: no longer). Wakes the body.
bool cn_body_drop_through(cn_world *world, cn_body body, float seconds);

// A disabled body does not move, and nothing touches it. Setting wakes the neighbours.
bool cn_body_set_disabled(cn_world *world, cn_body body, bool disabled);
bool cn_body_disabled(const cn_world *world, cn_body body);

// Returns the tight box of all shapes and whole grids; the body's position if there are none.
cn_bounds cn_body_bounds(const cn_world *world, cn_body body);

bool cn_body_set_user_data(cn_world *world, cn_body body, uint64_t user_data);
uint64_t cn_body_user_data(const cn_world *world, cn_body body);

// ------------------------------------------------------------------------------------------- hulls

/*     cn_hull box = cn_box(1, 0.5f); // 2 m wide, 1 m high: half extents
 *     cn_hull ramp = cn_polygon((vec2s[]){{{0, 0}}, {{2, 0}}, {{0, 1}}}, 3, 0);
 *     if (ramp.count == 0) puts(cn_error()); // it could not be made
 *     printf("wood of this size weighs %g kg\n", cn_hull_mass_data(box, 600).mass); // 1200
 */

enum { CN_MAX_VERTICES = 8 };

/* A convex hull of 1 to 8 vertices, counter-clockwise, grown by a radius. A circle has 1 vertex. A
 * capsule has 2, and so has a segment, whose radius is 0. A polygon has 3 to 8. normals[i] is the
 * outward unit normal of the edge vertices[i] -> vertices[i + 1]. A capsule has the two normals of
 * its sides, a circle has none. A hull is a plain value and needs no world.
 * If a hull could not be made, its count is 0. Every call refuses it, and repeats the reason if
 * that is among the last 8 such errors of this thread. */
typedef struct {
    vec2s vertices[CN_MAX_VERTICES];
    vec2s normals[CN_MAX_VERTICES];
    float radius;
    int count;
    uint32_t failure; // if the count is 0: identifies the error of the call that failed; else 0
} cn_hull;

// These calls make hulls. Sizes are positive, up to 1e9.
cn_hull cn_circle(float radius); // 0: a point, for queries and distances, but not for shapes
cn_hull cn_capsule(vec2s p, vec2s q, float radius); // p and q apart
cn_hull cn_segment(vec2s p, vec2s q); // no mass: for static and kinematic bodies, as a rule
cn_hull cn_box(float half_width, float half_height);
// The radius lies outside of the half extents.
cn_hull cn_rounded_box(float half_width, float half_height, float radius);
// Makes the convex hull of any points; close points are welded. Fails if fewer than 3 points are
// left, if they lie on a line, or if the hull has more than 8 vertices. The radius may be 0.
cn_hull cn_polygon(const vec2s *points, int count, float radius);
// Makes a regular polygon of 3 to 8 corners on a circle. The first corner lies on the x axis.
cn_hull cn_regular_polygon(int corners, float circumradius);
// Returns the hull moved and turned, for a shape off the origin of its body.
cn_hull cn_hull_at(cn_hull hull, cn_pose pose);

// ------------------------------------------------------------------------------------------ shapes

/*     cn_shape_def rubber = {.hull = cn_circle(0.3f), .density = 1.1f, .hit_events = true};
 *     rubber.material = (cn_material){.friction = 0.9f, .restitution = 0.8f};
 *     rubber.filter = (cn_filter){.category = 2, .mask = 1 | 4}; // not with other rubber
 *     cn_shape_create(world, crate, &rubber);
 *
 *     // A platform, solid from above only, and a sensor above it, placed in the body's frame.
 *     cn_shape_create(world, ground, &(cn_shape_def){
 *         .hull = cn_hull_at(cn_box(2, 0.1f), cn_pose_at(cn_vec(6, 3), 0)), .one_way = {{0, 1}}});
 *     cn_shape_create(world, ground, &(cn_shape_def){
 *         .hull = cn_hull_at(cn_box(2, 1), cn_pose_at(cn_vec(6, 4.1f), 0)), .sensor = true});
 */

// How a property of two shapes is mixed. If they have two rules, the later one in this list counts.
typedef enum {
    CN_MIX_DEFAULT, // friction: sqrt(a b); restitution: the larger one
    CN_MIX_AVERAGE,
    CN_MIX_MINIMUM,
    CN_MIX_MAXIMUM,
    CN_MIX_MULTIPLY,
} cn_mix;

typedef struct {
    float friction;           // >= 0; 0: 0.6. See friction_mix
    float restitution;        // 0..1: fraction of the speed after an impact. See restitution_mix
    bool frictionless;        // friction 0, whatever the field above says
    float rolling_resistance; // of rounded shapes, fraction of the radius; of two the larger
    float surface_speed;      // m/s, a conveyor; clockwise around the shape: its upper side runs to
                              // the right. Two add up
    float min_bounce_speed;   // m/s: slower impacts do not bounce. Of two that are set, the smaller
                              // counts. 0: what forces in any direction, or the load, make in 0.1 s
    cn_mix friction_mix, restitution_mix; // for example CN_MIX_MINIMUM for ice: slippery with all
} cn_material;

// Two shapes collide if the category of each is in the mask of the other. If both groups are equal
// and not zero, the group decides instead: shapes of a positive group always collide, shapes of a
// negative group never.
typedef struct {
    uint64_t category; // a bit or several; 0: 1
    uint64_t mask;     // 0: all
    int32_t group;
} cn_filter;

// What fills a sensor: see "fields". All zero: nothing. "The part inside" is the part of a shape
// that overlaps the sensor. The flow and the acceleration are up to 1e9 along each axis.
typedef struct {
    float density;      // kg/m^2, 0..1e9: buoyancy, against the gravity of the world
    float linear_drag;  // 1/s, 0..1e9: slows the part inside, relative to the flow
    float angular_drag; // 1/s, 0..1e9: slows the rotation, relative to that of the field's body
    vec2s flow;         // m/s, world axes: velocity of the medium relative to the field's body
    vec2s acceleration; // m/s^2, world axes: of the part inside
    float attraction;   // m^3/s^2, within +-1e18: at the distance r from the sensor's centroid, the
                        // acceleration towards it is attraction / r^2; negative: away from it
    float floor; // m, 0..1e9; 0: 0.1 (times length_unit). At distances r below it, the acceleration
                 // is attraction * r / floor^3, as inside a planet of this radius
} cn_medium;

typedef struct cn_shape_def {
    cn_hull hull;  // in the frame of the body; cn_hull_at() moves it
    float density; // kg/m^2; 0: 1
    cn_material material;
    cn_filter filter;
    bool massless;        // density 0; a dynamic body needs another shape with mass
    bool no_collision;    // collides with nothing, and no sensor or field sees it
    bool hit_events;      // contacts of this shape raise cn_hit_event
    bool no_touch_events; // contacts of this shape raise no cn_touch_event
    bool custom_filter;   // the filter callback decides about this shape: see "callbacks"
    bool pre_solve;       // the pre_solve callback decides about contacts of this shape
    bool sensor;   // overlaps raise cn_sensor_event, and it touches nothing. It has mass like any
                   // shape: set .massless too. Not together with .one_way
    vec2s one_way; // not zero: solid only for shapes that come from this side, a direction in the
                   // frame of the body. Other shapes pass until the two have parted
    cn_medium medium; // of a sensor; needs the part fields
    uint64_t user_data;
} cn_shape_def;

// In this section and in "chains", "wakes" means: wakes the body of the shape, and the bodies that
// touch the shape or nearly do. An edit that may move the centre of mass of a dynamic body also
// wakes its neighbours. The mass of a body is computed in the next step, or in the first call that
// needs it. Setting a filter, flag or one-way direction to its present value does nothing.

typedef struct {
    bool hit;
    float fraction; // 0..1 of the ray
    vec2s point;    // in the frame of the ray, like the normal
    vec2s normal;   // of the surface there; zero if the ray starts inside (then fraction is 0)
} cn_ray_hit;

// Adds a shape to a body and updates the mass of the body. Wakes. A segment has no area and no
// mass, so a dynamic body with a segment needs another shape with mass.
cn_shape cn_shape_create(cn_world *world, cn_body body, const cn_shape_def *def);
bool cn_shape_destroy(cn_world *world, cn_shape shape); // updates the body's mass; wakes
bool cn_shape_valid(const cn_world *world, cn_shape shape);

cn_body cn_shape_body(const cn_world *world, cn_shape shape);
cn_hull cn_shape_hull(const cn_world *world, cn_shape shape); // in the frame of the body
// Updates the mass of the body, begins new contacts, and wakes.
bool cn_shape_set_hull(cn_world *world, cn_shape shape, cn_hull hull);
float cn_shape_density(const cn_world *world, cn_shape shape);
// Updates the mass of the body and wakes the body. kg/m^2, >= 0.
bool cn_shape_set_density(cn_world *world, cn_shape shape, float density);
cn_material cn_shape_material(const cn_world *world, cn_shape shape);
// Applies to existing contacts too. Wakes.
bool cn_shape_set_material(cn_world *world, cn_shape shape, cn_material material);
cn_filter cn_shape_filter(const cn_world *world, cn_shape shape);
// Ends the contacts of the shape, and begins those that the new filter allows. Wakes.
bool cn_shape_set_filter(cn_world *world, cn_shape shape, cn_filter filter);
// Sets whether the shape collides with nothing. Ends or begins its contacts, and wakes.
bool cn_shape_set_no_collision(cn_world *world, cn_shape shape, bool no_collision);
bool cn_shape_no_collision(const cn_world *world, cn_shape shape);
// Sets whether the filter callback decides about the shape. Begins its contacts anew. Wakes.
bool cn_shape_custom_filter(const cn_world *world, cn_shape shape);
bool cn_shape_set_custom_filter(cn_world *world, cn_shape shape, bool custom_filter);
// Sets whether pre_solve decides about the contacts of the shape, existing ones too. Wakes.
bool cn_shape_pre_solve(const cn_world *world, cn_shape shape);
bool cn_shape_set_pre_solve(cn_world *world, cn_shape shape, bool pre_solve);
bool cn_shape_hit_events(const cn_world *world, cn_shape shape);
bool cn_shape_set_hit_events(cn_world *world, cn_shape shape, bool hit_events); // wakes
// Sets whether contacts of this shape raise no begin and end events. A contact raises both, or none
// if one of its two shapes had the flag when it began. Has no effect on existing contacts, sensor
// events and hit events. Wakes nothing.
bool cn_shape_no_touch_events(const cn_world *world, cn_shape shape);
bool cn_shape_set_no_touch_events(cn_world *world, cn_shape shape, bool no_touch_events);
bool cn_shape_sensor(const cn_world *world, cn_shape shape);
// Wakes. True fails for a one-way shape. False fails for a field: first clear its medium.
bool cn_shape_set_sensor(cn_world *world, cn_shape shape, bool sensor);
// Writes the shapes that overlapped a sensor after the last step, in slot order.
int cn_sensor_shapes(const cn_world *world, cn_shape sensor, cn_shape *shapes, int capacity);
vec2s cn_shape_one_way(const cn_world *world, cn_shape shape);
// In the body's frame; zero: solid from all sides. Wakes. Fails for a sensor unless it is zero.
bool cn_shape_set_one_way(cn_world *world, cn_shape shape, vec2s direction);
bool cn_shape_set_user_data(cn_world *world, cn_shape shape, uint64_t user_data);
uint64_t cn_shape_user_data(const cn_world *world, cn_shape shape);
cn_bounds cn_shape_bounds(const cn_world *world, cn_shape shape); // tight, world
// Returns the point of the shape, its radius included, that is nearest to a point of the world. If
// the point is in the shape, it is the point itself.
vec2s cn_shape_closest_point(const cn_world *world, cn_shape shape, vec2s point);
// True if a point of the world is in the shape. For all shapes use cn_world_overlap_point().
bool cn_shape_contains(const cn_world *world, cn_shape shape, vec2s point);
// Casts a ray in the world. Hits segments of chains from both sides, unlike cn_world_cast_ray().
cn_ray_hit cn_shape_cast_ray(const cn_world *world, cn_shape shape, vec2s origin,
                             vec2s translation);

// ------------------------------------------------------------------------------------------ errors

/*     void log_error(cn_error_kind kind, const char *text, void *user) {
 *         fprintf(user, "cairn error %d: %s\n", (int)kind, text);
 *     }
 *
 *     cn_error_set_hook(log_error, stderr); // in main(): shows every error as it happens
 *     if (!cn_body_set_velocity(world, ground, cn_vec(0, 5))) // or look at a single call
 *         puts(cn_error());                                   // "... make the body kinematic"
 */

typedef enum {
    CN_ERROR_NONE,
    CN_ERROR_NUMBER, // a number that is not finite
    CN_ERROR_RANGE,  // a number outside its range
    CN_ERROR_SHAPE,  // a hull that cannot be made: degenerate, or too many vertices
    CN_ERROR_HANDLE, // a null, stale or foreign handle, or a null pointer
    CN_ERROR_STATE,  // not possible now, or not for this kind of object
    CN_ERROR_MEMORY, // the allocator returned NULL
    CN_ERROR_DATA,   // bytes that are not a saved world or recording, or are damaged
    CN_ERROR_HINT,   // the call succeeded, but it probably does not do what was meant
} cn_error_kind;

// Returns the last error or hint (CN_ERROR_HINT) of this thread: the function, what is wrong, with
// numbers, and often what to do. Never NULL; "" if there was none yet. All other calls leave it as
// it is. The text is valid until the next error or hint of this thread.
const char *cn_error(void);
cn_error_kind cn_error_code(void);
// Clears the error of this thread: cn_error() is then "" and cn_error_code() is CN_ERROR_NONE.
void cn_error_clear(void);

// Sets a function that Cairn calls for every call of this thread that fails, before the call
// returns, and for every hint. The text is that of cn_error(). NULL removes the hook. The function
// may call cn_error() and cn_error_code(), but no other function of Cairn.
void cn_error_set_hook(void (*function)(cn_error_kind kind, const char *text, void *user),
                       void *user);

// ------------------------------------------------------------------------------------------ chains

/*     cn_body hill = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
 *     vec2s points[] = {{{30, 0}}, {{20, 4}}, {{10, 1}}, {{0, 0}}}; // right to left: solid below
 *     cn_chain chain = cn_chain_create(world, hill, &(cn_chain_def){.points = points, .count = 4});
 *     for (cn_shape s = {0}; (s = cn_chain_next_segment(world, chain, s)).id;)
 *         cn_shape_set_hit_events(world, s, true);
 */

/* Smooth ground. Shapes of one body, or of static bodies, that touch and have the same filter and
 * radius are one surface. A box slides over a floor of tiles as over one long box: it feels no
 * edges inside. A dynamic body is so smooth only for dynamic bodies of one shape. Gaps and steps of
 * up to 0.0025 m (times length_unit) are no edges. "limits" says when shapes do not join.
 *
 * A chain is an outline of segments that is solid on one side only: on the left, when going from
 * point to point. So list the points of a floor from right to left, of a rock counter-clockwise
 * (closed), and of a cave clockwise. A body whose centre is on the solid side passes through.
 *
 * Each segment is a shape of the body. Segment i starts at point i. Events and contacts name the
 * chain and this number: see cn_side. A segment may be destroyed alone, with cn_shape_destroy();
 * the others keep their numbers. The chain is destroyed with its last segment. */
typedef struct {
    // In the frame of the body, neighbours at least 0.005 m (times length_unit) apart.
    const vec2s *points;
    int count;                    // at least 2, or 3 if closed
    bool closed;                  // one more segment, from the last point to the first
    cn_material material;         // of all segments,
    const cn_material *materials; // or of each: as many as segments
    cn_filter filter;
    bool hit_events, no_touch_events, custom_filter, pre_solve; // as in cn_shape_def
    uint64_t user_data;                                         // of each segment
} cn_chain_def;

// Adds a chain to a body that is static or kinematic, and wakes.
cn_chain cn_chain_create(cn_world *world, cn_body body, const cn_chain_def *def);
// Destroys the chain with all segments that are left. Wakes. Destroying its body does the same.
bool cn_chain_destroy(cn_world *world, cn_chain chain);
bool cn_chain_valid(const cn_world *world, cn_chain chain);
cn_body cn_chain_body(const cn_world *world, cn_chain chain);
// Returns the number of segments that the chain was created with, even if some were destroyed.
int cn_chain_count(const cn_world *world, cn_chain chain);
// Goes through the segments that are left: null gives the first one, and the last one gives null.
cn_shape cn_chain_next_segment(const cn_world *world, cn_chain chain, cn_shape previous);
cn_chain cn_shape_chain(const cn_world *world, cn_shape shape); // null if it is no segment
// The material of segment `index`. Fails if there is no such segment, or if it was destroyed.
cn_material cn_chain_material(const cn_world *world, cn_chain chain, int index);
// Sets the material of segment `index`, also for existing contacts. Wakes.
bool cn_chain_set_material(cn_world *world, cn_chain chain, int index, cn_material material);

// ------------------------------------------------------------------------------------------- grids

// Part: tiles.

/*     static const uint8_t solid[] = {1, 1, 1, 1, // the lowest row
 *                                     1, 0, 0, 1};
 *     cn_body cave = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
 *     cn_grid grid = cn_grid_create(world, cave, &(cn_grid_def){
 *         .solid = solid, .width = 4, .height = 2, .tile_size = 1});
 *     cn_grid_set_solid(world, grid, 2, 0, false); // digs a hole
 */

/* A grid of square tiles, each solid or empty: smooth ground from a bitmap, with four bytes per
 * tile. It belongs to a static body, which may be moved, turned and disabled. A grid joins other
 * static shapes that touch it. Steps give shapes to solid tiles near moving bodies and sensors, and
 * take them back later. Iteration skips these shapes, and they cannot be changed. Events and
 * contacts name the grid and the tile: see cn_side. A tile may also be a slope of 45 degrees, have
 * one of up to 16 materials, and be one-way. A grid with such tiles takes five bytes per tile.
 * More: guides/tiles.md. */

/* The part of its square that a solid tile fills. A slope is full on the side in its name.
 *
 *      # # #        . . #        # . .        # # #        # # #
 *      # # #        . # #        # # .        . # #        # # .
 *      # # #        # # #        # # #        . . #        # . .
 *     SQUARE     RISES_RIGHT  RISES_LEFT   HANGS_RIGHT  HANGS_LEFT */
typedef enum {
    CN_TILE_SQUARE,
    CN_TILE_RISES_RIGHT,
    CN_TILE_RISES_LEFT,
    CN_TILE_HANGS_RIGHT,
    CN_TILE_HANGS_LEFT,
} cn_tile_form;

typedef struct {
    bool solid;
    cn_tile_form form;
    uint8_t material; // index in cn_grid_def.materials
    bool one_way;     // solid only for shapes that come from cn_grid_def.one_way. One-way tiles
                      // join only each other
} cn_tile;

enum { CN_MAX_TILE_MATERIALS = 16 };

typedef struct {
    const uint8_t *solid; // width * height, row by row from below; not 0: solid,
    const cn_tile *tiles; // or what each tile is, in the same order
    int width, height;    // at most 1 << 26 tiles
    float tile_size;      // m; at least 0.02 m x length_unit and 2e-6 of the farthest coordinate
    vec2s origin;         // lower left corner, in the frame of the body
    cn_material material; // of all tiles,
    const cn_material *materials; // or by cn_tile.material
    int material_count;           // of .materials: at most 16
    vec2s one_way;                // of one-way tiles, as in cn_shape_def; zero: (0, 1), above
    cn_filter filter;
    uint64_t user_data;                                         // becomes cn_side.shape_user_data
    bool hit_events, no_touch_events, custom_filter, pre_solve; // as in cn_shape_def
} cn_grid_def;

// Adds a grid to a static body, which then stays static. Wakes the bodies that sleep there.
cn_grid cn_grid_create(cn_world *world, cn_body body, const cn_grid_def *def);
// Destroys the grid and wakes the bodies that sleep there. Destroying its body does the same.
bool cn_grid_destroy(cn_world *world, cn_grid grid);
bool cn_grid_valid(const cn_world *world, cn_grid grid);
cn_body cn_grid_body(const cn_world *world, cn_grid grid);
int cn_grid_width(const cn_world *world, cn_grid grid); // in tiles
int cn_grid_height(const cn_world *world, cn_grid grid);
float cn_grid_tile_size(const cn_world *world, cn_grid grid); // m
// Returns the lower left corner, in the frame of the body.
vec2s cn_grid_origin(const cn_world *world, cn_grid grid);
// Makes a tile solid or empty; x counts from the left, y from below. Contacts with it begin or end
// in the next step. Wakes the bodies that sleep beside it. Allocates nothing.
bool cn_grid_set_solid(cn_world *world, cn_grid grid, int x, int y, bool solid);
bool cn_grid_solid(const cn_world *world, cn_grid grid, int x, int y); // true if solid
// Sets all properties of a tile, and wakes the bodies that sleep beside it. A new form ends the
// contacts with the tile, and new ones begin in the next step. The first tile of a grid that is not
// a plain square with material 0 allocates a byte per tile.
bool cn_grid_set_tile(cn_world *world, cn_grid grid, int x, int y, cn_tile tile);
cn_tile cn_grid_tile(const cn_world *world, cn_grid grid, int x, int y);
// Sets a material of the grid, also for existing contacts. Wakes the bodies on tiles that have it.
// Without cn_grid_def.materials there is only material 0. Allocates nothing.
bool cn_grid_set_material(cn_world *world, cn_grid grid, int index, cn_material material);
cn_material cn_grid_material(const cn_world *world, cn_grid grid, int index);

// ------------------------------------------------------------------------------------------ fields

// Part: fields.

/*     // A pool of water, 8 m wide and 3 m deep, that begins to flow.
 *     cn_shape water = cn_shape_create(world, ground, &(cn_shape_def){
 *         .hull = cn_hull_at(cn_box(4, 1.5f), cn_pose_at(cn_vec(-20, -1.5f), 0)), .sensor = true,
 *         .medium = {.density = 2, .linear_drag = 1, .angular_drag = 1}});
 *     cn_medium river = cn_shape_medium(world, water);
 *     river.flow = cn_vec(1, 0); // 1 m/s to the right
 *     cn_shape_set_medium(world, water, river);
 */

/* A sensor with a medium is a field. In each step it acts on the shapes of dynamic bodies that
 * overlap it, if the filters of both allow it. Sensors and segments feel no field. A field may
 * belong to any body and moves with it. It does not act on its own body, and no body acts back on
 * it. The forces of several fields add up. They act on the exact part of each shape that is inside,
 * at its centroid. Buoyancy is the weight of the medium that the part displaces. Drag takes the
 * velocity of the part to that of the medium. Any density, drag and attraction is stable.
 * cn_world_energy() does not include the energy of fields. More: guides/fields.md. */

// Sets the medium of a sensor. All zero: the sensor is no longer a field. Wakes the bodies inside.
// Fails if the shape is not a sensor, or if the world has 65,536 fields already.
bool cn_shape_set_medium(cn_world *world, cn_shape shape, cn_medium medium);
cn_medium cn_shape_medium(const cn_world *world, cn_shape shape);

// ------------------------------------------------------------------------------------------ joints

/*     cn_joint_def hinge = cn_revolute_joint(world, wall, door, cn_vec(2, 1));
 *     hinge.angle = (cn_coordinate){.mode = CN_LIMITED, .lower = 0, .upper = 1.57f};
 *     hinge.angle.motor = true, hinge.angle.motor_speed = 1; // rad/s
 *     hinge.angle.max_motor_force = 20;                      // N m
 *     cn_joint joint = cn_joint_create(world, hinge);
 *     cn_joint_set_motor_speed(world, joint, CN_JOINT_ANGLE, -1); // closes the door again
 *     cn_joint_create(world, cn_rope_joint(world, wall, lamp, hook, ring)); // without changes
 */

/* A joint has a frame on each of its two bodies. Frame B seen from frame A has three coordinates: a
 * place (x, y) along the axes of frame A, and an angle. The joint controls each of them by itself:
 *
 *     CN_LOCKED    kept at `target`, rigidly
 *     CN_FREE      left alone
 *     CN_LIMITED   kept between `lower` and `upper`
 *
 * A definition of all zeros, except for its bodies, welds their origins to each other. In a polar
 * joint x is the distance of the two anchors, and y is left alone. A coordinate that is not locked
 * may also have a spring, a motor, or both. The `hertz` of a spring are for the mass with which
 * the coordinate responds in the rest pose while the locked coordinates stay: in a hinge, for the
 * inertia about the hinge. Damping without stiffness is a damper.
 *
 * A field that would have no effect must be 0. Otherwise the call fails and names the field. Limits
 * and ratchets need CN_LIMITED, targets a lock or a spring, speeds and forces of motors .motor. The
 * y of a polar joint is {0} or {.mode = CN_FREE}. To remove a motor or spring, set the coordinate.
 *
 * Joints are solved exactly, whatever the masses of their bodies. Nets with many cycles, and
 * springs, ropes and motors that close a cycle, yield to a load. Motors of x and y with the same
 * greatest force share it: together they exert at most this force. More: guides/joints.md.
 *
 * Angles (rad) count turns. Lengths and speeds are up to 1e9, hertz and damping ratios to 1e6. */
typedef enum { CN_LOCKED, CN_FREE, CN_LIMITED } cn_coordinate_mode; // default: locked
typedef enum { CN_JOINT_X, CN_JOINT_Y, CN_JOINT_ANGLE } cn_joint_axis;

typedef struct {
    cn_coordinate_mode mode;
    float lower, upper;  // of CN_LIMITED, else 0; lower <= upper
    float target;        // value at which it is locked, or at which its spring is at rest; else 0
    float hertz;         // of the spring, undamped; 0: no spring
    float damping_ratio; // of the spring; 0: swings for ever, 1: comes back without swinging
    float stiffness, damping; // instead of these two: N/m and N s/m, or N m/rad and N m s/rad
    float max_spring_force;   // 0: unlimited
    bool motor;               // has a motor
    float motor_speed; // m/s or rad/s that the motor aims at; positive: b turns counter-clockwise
    float max_motor_force; // 0: unlimited. With motor_speed 0 a motor is friction
    float ratchet; // of CN_LIMITED: `lower` follows the value up by teeth of this width, to `upper`
} cn_coordinate;

typedef struct {
    cn_body a, b;
    cn_pose frame_a, frame_b; // in the frame of each body
    cn_coordinate x, y, angle;
    bool polar;
    bool collide_connected; // off: no shape of a meets a shape of b
    bool disabled;          // does nothing, as if it were not there
    float break_force;      // N: a step with a greater load destroys the joint; 0: unbreakable
    float break_torque;     // N m, of the angle; 0: unbreakable
    uint64_t user_data;
    uint32_t failure; // if it could not be made: identifies the error of that call; else 0
} cn_joint_def;

// These calls make definitions of common joints. Change a definition as you like and pass it to
// cn_joint_create(). At the present poses of the bodies every coordinate is 0, except a distance.
// If such a call fails, cn_joint_create() refuses its definition and repeats the reason.

// A hinge at a point.
cn_joint_def cn_revolute_joint(const cn_world *world, cn_body a, cn_body b, vec2s point);
// Slides along an axis (any length except 0) that moves with a: x is free.
cn_joint_def cn_prismatic_joint(const cn_world *world, cn_body a, cn_body b, vec2s point,
                                vec2s axis);
// Rigid. For a soft weld, set the modes to CN_FREE and give springs.
cn_joint_def cn_weld_joint(const cn_world *world, cn_body a, cn_body b, vec2s point);
// A wheel b on a car a: turns freely, and x, along the axis, is a spring of 4 Hz with a damping
// ratio of 0.7. The spring has no stops. To add stops, set .x.mode to CN_LIMITED.
cn_joint_def cn_wheel_joint(const cn_world *world, cn_body a, cn_body b, vec2s point, vec2s axis);
// A bar between two points, as long as the points are apart now.
cn_joint_def cn_distance_joint(const cn_world *world, cn_body a, cn_body b, vec2s point_a,
                               vec2s point_b);
// Keeps two points at most as far apart as they are now.
cn_joint_def cn_rope_joint(const cn_world *world, cn_body a, cn_body b, vec2s point_a,
                           vec2s point_b);
// A spring of 2 Hz without damping between two points, at rest as they are now.
cn_joint_def cn_spring_joint(const cn_world *world, cn_body a, cn_body b, vec2s point_a,
                             vec2s point_b);
// For dragging: pulls a point of b softly towards a point of a. The two bodies collide. Move the
// point of a with cn_joint_set_anchor(world, joint, CN_A, point).
cn_joint_def cn_mouse_joint(const cn_world *world, cn_body a, cn_body b, vec2s point);
// Keeps b at rest relative to a, at b's centre of mass, with at most this force and torque (0:
// unlimited). Set speeds to drive b. The two bodies collide.
cn_joint_def cn_motor_joint(const cn_world *world, cn_body a, cn_body b, float max_force,
                            float max_torque);
// Only keeps a and b from colliding.
cn_joint_def cn_filter_joint(const cn_world *world, cn_body a, cn_body b);

// Creates a joint and wakes both bodies. Fails if both bodies are the same, if `lower` is above
// `upper`, if the greatest length of a polar joint is 0 or less, or if a field has no effect.
cn_joint cn_joint_create(cn_world *world, cn_joint_def def);
// Destroys a joint and wakes both bodies, as destroying one of them does. Overlaps: see "limits".
bool cn_joint_destroy(cn_world *world, cn_joint joint);
bool cn_joint_valid(const cn_world *world, cn_joint joint);

// Returns the joint as it is now, with the limit that a ratchet has reached.
cn_joint_def cn_joint_definition(const cn_world *world, cn_joint joint);
// All setters of this section wake both bodies, and fail for values that cn_joint_create() would
// refuse. The user data wakes nothing.
bool cn_joint_set_coordinate(cn_world *world, cn_joint joint, cn_joint_axis axis,
                             cn_coordinate coordinate);
// Set the speed of a motor, or the target of a lock or spring. These calls are cheap, keep the
// impulses, and wake nothing if the value is the same as before. They fail if the coordinate has no
// motor (speed), or has no spring and is not locked (target). A lock moves the body to the target
// without giving it a velocity: for a lift, use a motor or a kinematic body.
bool cn_joint_set_motor_speed(cn_world *world, cn_joint joint, cn_joint_axis axis,
                              float motor_speed);
bool cn_joint_set_target(cn_world *world, cn_joint joint, cn_joint_axis axis, float target);
bool cn_joint_set_frames(cn_world *world, cn_joint joint, cn_pose frame_a, cn_pose frame_b);
bool cn_joint_set_polar(cn_world *world, cn_joint joint, bool polar);
bool cn_joint_set_collide_connected(cn_world *world, cn_joint joint, bool collide);
bool cn_joint_set_disabled(cn_world *world, cn_joint joint, bool disabled);
bool cn_joint_set_break(cn_world *world, cn_joint joint, float force, float torque);
// Moves the origin of a frame to a point of the world. The frame keeps its rotation.
bool cn_joint_set_anchor(cn_world *world, cn_joint joint, cn_which which, vec2s world_point);
bool cn_joint_set_user_data(cn_world *world, cn_joint joint, uint64_t user_data);
uint64_t cn_joint_user_data(const cn_world *world, cn_joint joint);

typedef struct {
    cn_body a, b;
} cn_body_pair;

// Return parts of cn_joint_definition(). A coordinate without motor or target has 0.
cn_body_pair cn_joint_bodies(const cn_world *world, cn_joint joint);
cn_coordinate cn_joint_coordinate(const cn_world *world, cn_joint joint, cn_joint_axis axis);
float cn_joint_target(const cn_world *world, cn_joint joint, cn_joint_axis axis);
float cn_joint_motor_speed(const cn_world *world, cn_joint joint, cn_joint_axis axis);
bool cn_joint_polar(const cn_world *world, cn_joint joint);
bool cn_joint_collide_connected(const cn_world *world, cn_joint joint);
bool cn_joint_disabled(const cn_world *world, cn_joint joint);
float cn_joint_break_force(const cn_world *world, cn_joint joint);
float cn_joint_break_torque(const cn_world *world, cn_joint joint);
cn_pose cn_joint_frame(const cn_world *world, cn_joint joint, cn_which which);
// Returns the origin of a frame, world.
vec2s cn_joint_anchor(const cn_world *world, cn_joint joint, cn_which which);

// Return where a coordinate is and how fast it changes.
float cn_joint_value(const cn_world *world, cn_joint joint, cn_joint_axis axis);
float cn_joint_rate(const cn_world *world, cn_joint joint, cn_joint_axis axis);
// Return the load that the joint exerted on b in the last step: a force in the world, and a torque
// about its anchor. The load is the impulse of all substeps and impacts, divided by dt.
vec2s cn_joint_force(const cn_world *world, cn_joint joint);
float cn_joint_torque(const cn_world *world, cn_joint joint);
// Return the peaks: the greatest force and the greatest torque of a substep of the last step, >= 0.
float cn_joint_peak_force(const cn_world *world, cn_joint joint);
float cn_joint_peak_torque(const cn_world *world, cn_joint joint);

// --------------------------------------------------------------------------------------- couplings

/*     // A gear of radius 2 drives one of radius 1, which turns twice as far, the other way round.
 *     cn_coupling gears = {.other = small_gear, .axis = CN_JOINT_ANGLE,
 *                          .other_axis = CN_JOINT_ANGLE, .ratio = 1.0f / 2};
 *     cn_joint_set_coupling(world, large_gear, gears);
 */

/* Couples a coordinate q of a joint with q' of another joint: q + ratio q' stays as it is now. Both
 * joints must hold a dynamic body. A joint owns at most one coupling, which its load includes.
 *
 *     gears             two angles; ratio r'/r (negative: both turn the same way)
 *     rack and pinion   an angle and an x; the ratio is the inverse of the radius
 *     pulley            the lengths of two polar joints; ratio 1, with slack */
typedef struct {
    cn_joint other; // null: no coupling
    cn_joint_axis axis, other_axis;
    float ratio; // not 0, within +-1e6
    bool slack;  // the sum may become smaller, like that of a rope
} cn_coupling;

// Wakes the bodies of both joints.
bool cn_joint_set_coupling(cn_world *world, cn_joint joint, cn_coupling coupling);
cn_coupling cn_joint_coupling(const cn_world *world, cn_joint joint);

// --------------------------------------------------------------------------------------- iteration

/*     // Destroys all bodies that fell out of the world. Gets the next body first.
 *     for (cn_body b = cn_world_next_body(world, (cn_body){0}), next; b.id; b = next) {
 *         next = cn_world_next_body(world, b);
 *         if (cn_body_position(world, b).y < -100) cn_body_destroy(world, b);
 *     }
 */

// Null gives the first object, and the last object gives null. Objects of a world come in slot
// order, shapes and chains of a body in the order of their creation. Shapes of tiles are skipped.
cn_body cn_world_next_body(const cn_world *world, cn_body previous);
cn_shape cn_world_next_shape(const cn_world *world, cn_shape previous);
cn_shape cn_body_next_shape(const cn_world *world, cn_body body, cn_shape previous);
cn_joint cn_world_next_joint(const cn_world *world, cn_joint previous);
cn_joint cn_body_next_joint(const cn_world *world, cn_body body, cn_joint previous);
cn_chain cn_world_next_chain(const cn_world *world, cn_chain previous);
cn_chain cn_body_next_chain(const cn_world *world, cn_body body, cn_chain previous);

// Return the object in a slot. Error texts name objects by their slots. The handle is null if the
// slot is empty or has the shape of a tile. Fails if the slot is not in 0..16777214.
cn_body cn_world_body_in_slot(const cn_world *world, int slot);
cn_shape cn_world_shape_in_slot(const cn_world *world, int slot);
cn_joint cn_world_joint_in_slot(const cn_world *world, int slot);
cn_grid cn_world_grid_in_slot(const cn_world *world, int slot);
cn_chain cn_world_chain_in_slot(const cn_world *world, int slot);

// ------------------------------------------------------------------------------------------ events

/*     cn_events events = cn_world_events(world); // after a step
 *     for (int i = 0; i < events.hit_count; i++) // of shapes with .hit_events
 *         play_thud(events.hits[i].point, events.hits[i].approach_speed);
 */

// One side of a contact. In an end event the handles may be those of destroyed objects.
typedef struct {
    cn_body body;
    cn_shape shape; // of a tile: only a name, until a step takes the tile's shape back
    uint64_t body_user_data, shape_user_data;
    cn_grid grid;   // if the shape is a tile; else null
    int tile;       // its y * width + x; else -1
    cn_chain chain; // if the shape is a segment; else null
    int segment;    // its number: see cn_chain_def; else -1
} cn_side;

typedef struct {
    cn_side a, b;
    vec2s point;  // world; where they meet, or will meet (begin only)
    vec2s normal; // unit, from A to B (begin only)
} cn_touch_event;

// A sensor sees the shapes of all other bodies, also of sleeping and static ones, and other
// sensors, if the filters of both allow it. If a shape passes through the sensor within one step,
// that step has both events.
typedef struct {
    cn_side sensor, other;
} cn_sensor_event;

// One event for each pair of shapes: a body that hits two tiles at once raises two events.
typedef struct {
    cn_side a, b;
    vec2s point, normal;  // as in a begin event
    float approach_speed; // m/s along the normal before the impact
    float impulse;        // N s, all of the step
} cn_hit_event;

typedef enum { CN_BODY_SLEPT, CN_BODY_WOKE, CN_BODY_FAULT } cn_body_change;

typedef struct {
    cn_body body;
    uint64_t user_data;
    // FAULT: a step made the body too fast, took it too far away, or gave it a state that is not
    // finite. The body did not move in this step. It was stopped and disabled.
    cn_body_change change;
} cn_body_event;

// A body whose pose differs from its pose after the previous step, because it moved or was
// teleported (cn_body_set_pose()). A body that falls asleep in the step raises one more event, even
// if it did not move. A new body raises its first event when it moves.
typedef struct {
    cn_body body;
    uint64_t user_data;
    // The pose of the origin after the step. Drawn poses (cn_body_drawn_pose()) lag behind and also
    // change in frames without a step. So if you draw those, update in each frame the bodies of the
    // last call of cn_world_advance() that took steps, and once more the bodies of the call before.
    cn_pose pose;
    bool fell_asleep; // in this step
} cn_move_event;

// A joint that broke. Its handle is no longer valid.
typedef struct {
    cn_joint joint;
    uint64_t user_data;
    float force, torque; // N, N m
} cn_joint_event;

// The events of the last step, and of the calls between it and the step before. After
// cn_world_advance() they are the events of all the steps that it took. Every begin event has its
// end event, even if a shape is destroyed. If memory was short, some are missing: see "limits".
typedef struct {
    const cn_touch_event *begins, *ends;
    const cn_hit_event *hits;
    const cn_body_event *bodies;
    const cn_joint_event *broken;
    const cn_sensor_event *sensor_begins, *sensor_ends;
    int begin_count, end_count, hit_count, body_count, broken_count;
    int sensor_begin_count, sensor_end_count;
    // In slot order; each body once, with its last pose. None unless move events are on.
    const cn_move_event *moved;
    int moved_count;
} cn_events;

// Return the event with the body as side a. If the body is side b, the two sides change places, and
// the normal turns round. Fail, and return all zeros, if the body is neither side.
cn_touch_event cn_touch_event_seen_from(cn_touch_event event, cn_body body);
cn_hit_event cn_hit_event_seen_from(cn_hit_event event, cn_body body);
// Returns the side that is not the body. Fails like the functions above.
cn_side cn_sensor_event_other_side(cn_sensor_event event, cn_body body);

// Returns the events. The arrays belong to the world and are valid until the next step or
// cn_world_events(), so you may destroy bodies while you read them. Fails, and returns all zeros,
// if memory is short; then call it again.
cn_events cn_world_events(cn_world *world);

// ---------------------------------------------------------------------------------------- contacts

/*     cn_ground under = cn_body_ground(world, player, cn_vec(0, 1), 0.785f); // 45 degrees
 *     float rise = cn_body_velocity(world, player).y - under.velocity.y;
 *     if (under.found && rise < 0.5f && jump_pressed) // the first step of a jump still finds it
 *         cn_body_apply_impulse(world, player, cn_vec(0, 300));
 *
 *     cn_contact contacts[8];
 *     int count = cn_body_contacts(world, player, contacts, 8);
 *     for (int i = 0; i < count && i < 8; i++) // normals point away from the player
 *         contacts[i] = cn_contact_seen_from(contacts[i], player);
 */

typedef struct {
    vec2s point;      // half way between the two surfaces, world
    float separation; // along the normal; negative if the hulls overlap
    uint8_t id;       // feature id: vertex of A (low 4 bits), vertex of B (high 4 bits)
    // N s of the last step, on b: along the normal, and of friction along (normal.y, -normal.x)
    float normal_impulse, tangent_impulse; // 0 except in contacts of a world
} cn_manifold_point;

/* How two hulls touch. The reference edge is the edge, of either hull, whose outward normal
 * separates the two best. The incident edge is the edge of the other hull that faces it most. It is
 * clipped to the sides of the reference edge, and its end points are the contact points. Where two
 * rounded corners meet, the normal joins the two corners. */
typedef struct {
    vec2s normal; // unit, from A to B, world
    int count;    // 0 (apart), 1 or 2 points
    cn_manifold_point points[2];
    cn_which reference; // the hull that the reference edge belongs to
    int reference_edge; // the vertex of that hull at which it starts
    int incident_edge;  // the same for the other hull; 0 in contacts of a world
    float separation;   // along the best face normal, radii included; in contacts: the smallest
} cn_manifold;

// A contact of two shapes. The pair (a.shape, b.shape) identifies it as long as it lasts; for a
// tile, the grid and the tile stand for the shape. Two shapes touch if the gap between them is at
// most tuning.speculative_margin (0.02 m). So a body that flies past at 1 cm touches, without a
// force: to react to impacts, use hit events. Contacts are those that the last step found before it
// moved the bodies. So in the first step of a jump the body still touches the ground.
typedef struct {
    cn_side a, b;
    cn_manifold manifold;
    float friction, restitution; // as they follow from the materials, without pre_solve
    // m/s: the sum of both surface speeds. Friction drives b past a at this speed along
    // (normal.y, -normal.x): to the right if b stands on a.
    float surface_speed;
} cn_contact;

// Writes the touching contacts, of sleeping bodies too. A second point that is farther apart than
// tuning.speculative_margin is left out; its normal impulse counts for the first point.
int cn_world_contacts(const cn_world *world, cn_contact *contacts, int capacity);

// Writes the touching contacts of one body, which may be either side of them. The first call of
// this function, cn_body_touches() or cn_body_ground() after a step allocates an index, and fails
// if memory is short. Several threads may call them at once.
int cn_body_contacts(const cn_world *world, cn_body body, cn_contact *contacts, int capacity);
// True if two bodies have a touching contact: a gap of at most tuning.speculative_margin.
bool cn_body_touches(const cn_world *world, cn_body a, cn_body b);

// Returns the contact with the body as side a. If the body is side b, the two sides change places,
// and the normal turns round. Fails, and returns all zeros, if the body is neither side.
cn_contact cn_contact_seen_from(cn_contact contact, cn_body body);

typedef struct {
    bool found;
    cn_side side;   // the shape that the body stands on
    vec2s point;    // world; half way between two contact points
    vec2s normal;   // unit, from the ground to the body
    vec2s velocity; // m/s of the ground's surface at the point, with its surface_speed
} cn_ground;

// Finds the ground on which a body stands after the last step: the touching contact whose normal
// (towards the body) has the smallest angle to `up`, if this angle is at most `max_slope` (rad,
// 0..pi, literal: 0 is only flat ground). Sensors and contacts that pre_solve disabled do not
// count. `up` has any length except 0.
cn_ground cn_body_ground(const cn_world *world, cn_body body, vec2s up, float max_slope);

// --------------------------------------------------------------------------------------- callbacks

/*     void before_step(cn_world *world, float time_step, void *user) {
 *         game *g = user; // yours
 *         g->time += time_step;
 *         cn_body_apply_force(world, g->player, cn_vec(40 * g->stick, 0));
 *         cn_pose place = cn_pose_at(cn_vec(8, 3 + 2 * sinf(g->time)), 0);
 *         cn_body_set_target(world, g->lift, place, time_step);
 *     }
 *
 *     // Shapes with .pre_solve are ice as long as the game says so.
 *     cn_pre_solve_result pre_solve(cn_world *world, const cn_contact *contact, void *user) {
 *         const game *g = user;
 *         if (!g->frozen) return (cn_pre_solve_result){0}; // as usual
 *         return (cn_pre_solve_result){.changed = true, .friction = 0.02f}; // no restitution
 *     }
 *
 *     cn_callbacks calls = {.pre_solve = pre_solve, .before_step = before_step, .user = &my_game};
 *     cn_world_set_callbacks(world, calls);
 */

// What a touching contact does in this step. All zero: it acts as usual. The three values are
// literal, and replace those of cn_contact for this step only.
typedef struct {
    bool disabled;       // the contact does not act
    bool changed;        // the contact has the values below; if not set, they must be 0
    float friction;      // >= 0
    float restitution;   // 0..1
    float surface_speed; // m/s, with the sign of cn_contact.surface_speed
} cn_pre_solve_result;

/* before_step runs before each step of cn_world_advance(). Use it for values that are set in every
 * step: forces, targets of kinematic bodies, speeds of motors. cn_world_step() does not call it. It
 * may change the world, also destroy bodies. It must not step, restore or destroy the world, or
 * begin or end a recording. If a step fails, before_step runs again for the next attempt.
 *
 * filter and pre_solve run within a step, only for shapes with a flag: filter if one of the two
 * shapes has .custom_filter, pre_solve if one of them has .pre_solve. They may read the world; a
 * call that would change it fails with CN_ERROR_STATE. To destroy a body that they find, remember
 * it, and do it after the step. Flagged ground joins only shapes of its own body with the same
 * flags: see "limits". If a callback is set and no shape has its flag, the first step gives a hint.
 *
 * filter      Returns whether two shapes may collide at all, if cn_filter allows it. The shape in
 *             the lower slot comes first. Called when their boxes begin to overlap, when a sleeping
 *             body wakes, for shapes ahead of a fast body, and often for sensors. So its answer
 *             must not change from step to step.
 * pre_solve   Returns what a touching contact does in this step: it acts as usual, does not act, or
 *             has another friction, restitution and surface speed. Called in every step for awake
 *             contacts, in the order of cn_world_contacts(). If the answer for a sleeping contact
 *             changes, wake its body. If a contact is disabled, a fast body still stops at the
 *             other shape for the rest of a step. If a value is out of its range, the contact keeps
 *             its own three values, and cn_error() has the reason. */
typedef struct {
    bool (*filter)(cn_world *world, cn_shape a, cn_shape b, void *user);
    cn_pre_solve_result (*pre_solve)(cn_world *world, const cn_contact *contact, void *user);
    void (*before_step)(cn_world *world, float time_step, void *user);
    void *user;
} cn_callbacks;

// Replaces all callbacks. A function that is NULL is not called.
bool cn_world_set_callbacks(cn_world *world, cn_callbacks callbacks);
cn_callbacks cn_world_callbacks(const cn_world *world);

// ----------------------------------------------------------------------------------------- queries

// Part: queries.

/*     const cn_query others = {.ignore = player};
 *     vec2s eye = cn_body_center(world, player), gaze = {{20, 0}};
 *     cn_world_hit hit = cn_world_cast_ray(world, eye, gaze, &others);
 *     if (hit.hit) printf("a wall in %g m\n", hit.fraction * 20);
 *
 *     cn_side sides[16];
 *     int count = cn_world_overlap_point(world, mouse, NULL, sides, 16);
 *     printf("%d shapes lie under the mouse\n", count);
 */

/* Queries of the whole world: the hits of a ray, the shapes at a point, the nearest shape. Results
 * are exact for the present shapes, also right after a change and before any step. Shapes of
 * disabled bodies are left out. Shapes with .no_collision and one-way shapes are seen from all
 * sides. Sensors are seen only on request.
 *
 * A segment of a chain stops only rays that start on its open side, where bodies stand, and hulls
 * whose middle (the average of their vertices) starts there. Overlaps and distances see it from
 * both sides. Solid tiles of a grid are seen one by one: their side has .grid and .tile, and its
 * .shape is null.
 *
 * Queries allocate nothing and wake nothing. Callbacks may query, too. Shapes that share a point
 * overlap. Bodies at rest overlap the ground by up to about tuning.slop. So to test whether a place
 * is free for a body, make the hull smaller by two slops on each side. More: guides/queries.md. */

// What a query sees. All zero, or NULL: every shape that is not a sensor.
typedef struct {
    uint64_t category; // of the query itself, which the mask of a shape may exclude; 0: none does
    uint64_t mask;     // the categories that are seen; 0: all
    // If it is not 0 and a shape has the same group, the group decides instead: a positive group is
    // seen, a negative one is not.
    int32_t group;
    // The shapes and tiles of this body are not seen; null: none. A destroyed body is an error.
    cn_body ignore;
    bool sensors; // sensors are seen, too
    bool any;     // casts stop at the first hit found, which may not be the nearest, and set only
                  // .hit and .side of the result. Which one it is may differ in a restored world
    // Called for each shape or tile that would be a result; false: it is not seen. NULL: all are.
    // It may query the world but not change it: such calls fail with CN_ERROR_STATE.
    // cn_world_cast_rays() may call it on several threads at once.
    bool (*accept)(const cn_world *world, cn_side side, void *user);
    void *user;
} cn_query;

// A motion: `center` moves along a straight line, and the hull turns at an even rate about it.
typedef struct {
    cn_pose start;
    vec2s center;      // usually the centre of mass; in the frame of the hull
    vec2s translation; // of that centre
    float turn;        // radians, up to 1e6: any number of turns
} cn_sweep;

typedef struct {
    bool hit;
    cn_side side;   // the shape or tile that was hit
    float fraction; // 0..1 of the translation
    vec2s point;    // world; on the surface that was hit
    // Unit, of that surface. Zero if the ray starts in or on the shape, or if the hull overlaps it
    // at the start. A hull that touches a shape at the start hits it at fraction 0.
    vec2s normal;
} cn_world_hit;

// A ray from origin to origin + translation. If the translation is zero, the ray is a point.
typedef struct {
    vec2s origin, translation;
} cn_ray;

// Finds the nearest hit of a ray. If several hits have the same fraction, the shape with the lowest
// slot wins, and shapes come before tiles.
cn_world_hit cn_world_cast_ray(const cn_world *world, vec2s origin, vec2s translation,
                               const cn_query *query);
// Writes all shapes and tiles that a ray hits, by fraction, then by slot. query->any is ignored.
int cn_world_cast_ray_all(const cn_world *world, vec2s origin, vec2s translation,
                          const cn_query *query, cn_world_hit *hits, int capacity);
// Writes the nearest hit of each of many rays, in the order of the rays, on the threads of the
// world. If an argument is bad, it returns false and writes no hit.
bool cn_world_cast_rays(const cn_world *world, const cn_ray *rays, int count, const cn_query *query,
                        cn_world_hit *hits);
// Finds the first shape or tile that a hull touches on a sweep. Point and normal are on the shape.
cn_world_hit cn_world_cast_hull(const cn_world *world, cn_hull hull, cn_sweep sweep,
                                const cn_query *query);

// Writes all shapes, then all tiles, that overlap or touch a hull at a pose, by slot.
int cn_world_overlap(const cn_world *world, cn_hull hull, cn_pose pose, const cn_query *query,
                     cn_side *sides, int capacity);
// The same for shapes whose tight axis-aligned boxes overlap a box: cheaper and less exact.
int cn_world_overlap_bounds(const cn_world *world, cn_bounds bounds, const cn_query *query,
                            cn_side *sides, int capacity);
// The same for shapes that contain a point. Points on the edge count.
int cn_world_overlap_point(const cn_world *world, vec2s point, const cn_query *query,
                           cn_side *sides, int capacity);

// The gap between two hulls, radii included.
typedef struct {
    float distance;         // negative if they overlap: by how much, along the shortest way out
    vec2s normal;           // unit, from A to B, world; zero only after an error
    vec2s point_a, point_b; // the nearest points of the two surfaces, or the deepest ones; world
} cn_gap;

typedef struct {
    bool found;
    cn_side side;
    cn_gap gap; // from the hull of the query (A) to the shape (B)
} cn_neighbor;

// Finds the shape nearest to a hull at a pose, at a distance of at most `max_distance` (>= 0). If
// several overlap the hull, it is the one that overlaps deepest. For a point use cn_circle(0).
cn_neighbor cn_world_nearest(const cn_world *world, cn_hull hull, cn_pose pose, float max_distance,
                             const cn_query *query);

// -------------------------------------------------------------------------------------- explosions

// Part: explosions.

/*     cn_explosion bang = {.position = cn_body_center(world, bomb), .radius = 1, .falloff = 5};
 *     bang.impulse_per_length = 12; // N s/m: a near crate that is 1 m wide gets 12 N s
 *     bang.query.ignore = bomb;
 *     bang.blocked = true; // walls protect
 *     printf("%d bodies are pushed\n", cn_world_explode(world, &bang));
 */

/* Pushes dynamic bodies away from a point. Each shape that the query sees gets the impulse
 * impulse_per_length * strength * width. The strength is 1 up to `radius`, then falls linearly to 0
 * over the length `falloff`. The width is that of the shape across the line from the blast to the
 * middle of the outline that faces it. The impulse acts along this line, so it may spin a body.
 * More: guides/fields.md. */
typedef struct {
    vec2s position;           // world
    float radius;             // m, 0..1e9: full strength up to this distance
    float falloff;            // m, 0..1e9; the sum of radius and falloff must be above 0
    float impulse_per_length; // N s/m; negative: pulls bodies to the position
    // Which shapes are pushed, and with .blocked also which shapes and tiles shield. accept() may
    // be called several times for a shape. `sensors` and `any` have no effect.
    cn_query query;
    bool blocked; // shapes and tiles shield what is behind them, in part if they cover a part. A
                  // shape that contains the blast shields nothing
} cn_explosion;

// Applies the impulses of an explosion at once, as cn_body_apply_impulse_at() does. Returns the
// number of bodies that got one and wakes these bodies. Bodies that are out of reach, completely
// shielded, disabled or not dynamic get none. Fails, and pushes no body, if a velocity would be
// beyond 1e9 or if memory is short.
int cn_world_explode(cn_world *world, const cn_explosion *explosion);

// -------------------------------------------------------------------------------------- characters

// Part: character.

/*     cn_hull capsule = cn_capsule(cn_vec(0, -0.4f), cn_vec(0, 0.4f), 0.3f);
 *     cn_move_def walk = {.step_height = 0.3f, .snap_distance = 0.3f, .mass = 80};
 *     vec2s translation = {{5 * stick * time_step, speed_up * time_step}}; // in every step
 *     cn_move move = cn_world_move_hull(world, capsule, pose, translation, &walk);
 *     pose = move.pose, walk.ride = move.ride;
 *     if (move.grounded && speed_up < 0) speed_up = 0;
 *     for (cn_push *p = move.pushes; p < move.pushes + move.push_count; p++)
 *         cn_body_apply_impulse_at(world, p->side.body, p->impulse, p->point);
 */

/* A kinematic character controller (a mover). The character is not a body but a hull that your
 * program moves. Apply gravity and speeds yourself, and move the hull once for each step. A move
 * returns the pose where the hull ends up, and changes nothing. The hull does not turn. It slides
 * along shapes, keeps a distance of tuning.slop from them, and slides down ground steeper than
 * max_slope. A one-way shape stops a hull that is in front of it. A segment of a chain stops a hull
 * on its open side. A shape with .no_collision stops every hull. Shapes that moved into the hull in
 * the last step push it out. The hull leaves other shapes that overlap it by the shortest path.
 * With the .ride of its last move, the hull first goes with its ground: lifts, turning platforms,
 * conveyors. The translation is then relative to the ground. In the air, add ground_velocity. The
 * hull does not go with destroyed, disabled or teleported ground. More: guides/characters.md. */
typedef struct {
    cn_body body;           // the ground; null: none
    cn_pose pose;           // of this body at the end of the move
    vec2s point;            // where the hull stands, in the frame of the body
    vec2s surface_velocity; // m/s, relative to the body: from its surface_speed
    uint32_t teleports;     // of the body so far, modulo 256
} cn_ride;
typedef struct {
    vec2s up;            // any length; zero: (0, 1)
    float max_slope;     // rad, 0..1.5: steepest ground; 0: 45 degrees
    float step_height;   // m, 0..1e9: highest step that it climbs, if there is room; 0: none
    float snap_distance; // m, 0..1e9: how far it follows ground down unless it rises; 0: not at all
    float mass;          // kg, 0..1e36, for the pushes; 0: that of the hull with density 1
    float seconds;       // of the translation, at least 1e-15; 0: cn_world_def.time_step
    bool drop_through;   // one-way shapes let the hull pass. Keep it set for at least about 0.2 s
    cn_ride ride;        // of the last move; all zero: the hull does not go with its ground
    cn_query query;      // what stops the hull and which sensors it meets. .ignore its body, if any
} cn_move_def;

// A dynamic body that the hull ran into or presses on.
typedef struct {
    cn_side side;
    vec2s point;   // world; on the body
    vec2s impulse; // N s, along the normal: of an inelastic impact of the two masses. The velocity
                   // of the hull is translation / seconds; with .ride plus that of its ground
} cn_push;

enum { CN_MAX_PUSHES = 8, CN_MAX_MOVE_SENSORS = 16 };
typedef struct {
    cn_pose pose;       // where the hull ends up, with unchanged rotation
    bool grounded;      // the hull stands on ground; also true in the first step of a slow jump
    bool wall, ceiling; // a steep surface, or one that faces down, stopped the hull
    bool overlaps;      // a shape still overlaps the hull at the end
    vec2s wall_normal;  // if `wall`: unit, from the first wall to the hull
    cn_side ground;     // if grounded: the one whose normal has the smallest angle to `up`
    vec2s ground_point, ground_normal;    // world; unit, from the ground to the hull
    vec2s ground_velocity;                // m/s of the surface at this point, with surface_speed
    cn_ride ride;                         // for the next move
    cn_push pushes[CN_MAX_PUSHES];        // each body once, with its greatest impulse
    cn_side sensors[CN_MAX_MOVE_SENSORS]; // the first 16 on the path, in order, each once
    int push_count, sensor_count;
} cn_move;

// Moves a hull by a translation, in m. `def` may be NULL: all zero. Allocates nothing. If an
// argument is bad, the call returns the pose unchanged and all else zero.
cn_move cn_world_move_hull(const cn_world *world, cn_hull hull, cn_pose pose, vec2s translation,
                           const cn_move_def *def);

// ------------------------------------------------------------------------------------------ saving

// Part: snapshot.

/*     size_t size = cn_world_save(world, CN_SAVE_ALL, NULL, 0);
 *     void *bytes = malloc(size);
 *     cn_world_save(world, CN_SAVE_ALL, bytes, size); // write them to a file, or keep them
 *     cn_world_step(world, 1.0f / 60);
 *     cn_world_restore(world, bytes, size); // takes the step back
 *     cn_world *loaded = cn_world_load(&(cn_world_def){0}, NULL, bytes, size); // in another run
 */

/* The whole state of a world as bytes. A world that continues from saved bytes gives the same
 * results, bit for bit, as the world that was saved, if it gets the same calls, on any machine and
 * with other lanes, threads and parts. Worlds that use the parts fields or tiles need the part.
 *
 * Not saved are callbacks, allocator, threads, the profile, whether move events are on, and the
 * events of the last step: so read the events first. A filter or pre_solve callback must give the
 * same answers in the world that continues.
 *
 * After cn_world_restore() the valid handles are those that were valid when the state was saved. So
 * are they in a world of cn_world_load(), and a saved game may store them. User data are saved as
 * numbers: pointers in them are not valid in another run of the program. An object that was
 * destroyed after the save comes back with its user data, so do not free what they point to.
 *
 * Events do not report what a restore changes. If your game follows contacts by events, read
 * cn_world_contacts() after a restore. */
typedef enum {
    CN_SAVE_ALL, // with a checksum
    // Without scenery and checksum: fewer bytes, and faster, for saves in memory. The scenery is
    // what only calls change: static bodies without tiles, their shapes and chains, and the tiles
    // of grids. Such bytes can only be restored to a world with the same scenery.
    CN_SAVE_MOVING,
} cn_save_parts;

// Writes the state to an array. Returns the size of the bytes. If this is more than the capacity,
// the array has no valid state. Returns 0 if memory is short, or in filter, pre_solve and accept().
size_t cn_world_save(const cn_world *world, cn_save_parts parts, void *bytes, size_t capacity);

// Sets the world to the state in bytes from cn_world_save(), also from another world. The bytes may
// come from an untrusted source: all of them are checked before the world changes. Fails if memory
// is short, if the bytes are damaged, if their scenery is missing and the world has another one, or
// in before_step. If move events are on, the next step raises one for every body.
bool cn_world_restore(cn_world *world, const void *bytes, size_t size);

// Creates a world in the state in bytes from cn_world_save(..., CN_SAVE_ALL, ...). Of the
// definition it uses the allocator, task system, threads, lanes, profiling and move_events; all
// else comes from the bytes. Pass the callbacks of the world that was saved (NULL: none), or set
// them before the next step. Returns NULL if the bytes are damaged, the definition is bad or memory
// is short. A world may need 200 bytes of memory for each byte: limit the size of untrusted bytes.
cn_world *cn_world_load(const cn_world_def *def, const cn_callbacks *callbacks, const void *bytes,
                        size_t size);

// --------------------------------------------------------------------------------------- rewinding

// Part: snapshot.

/*     cn_rollback *rollback = cn_rollback_create(world, 600);
 *     for (int step = 0; step < 60; step++)
 *         cn_rollback_keep(rollback, step), cn_world_step(world, 1.0f / 60);
 *     cn_rollback_rewind(rollback, 0); // one second back
 */

/* A ring buffer of the last states of a world, in memory. Use it to rewind a game, or to repeat
 * steps that used a wrong prediction of another player's input (rollback). */
typedef struct cn_rollback cn_rollback;

// Creates a ring buffer for `frames` states (1..65536), with the allocator of the world. After the
// world was destroyed, cn_rollback_keep() and cn_rollback_rewind() fail.
cn_rollback *cn_rollback_create(cn_world *world, int frames);
void cn_rollback_destroy(cn_rollback *rollback); // NULL is ignored

// Keeps the present state under a number (0 or greater), such as that of the next step. First drops
// all kept states with this or a greater number, and the oldest state if the ring buffer is full.
// Fails if memory is short, and may have dropped states then. Fails in filter, pre_solve, accept().
bool cn_rollback_keep(cn_rollback *rollback, int number);

// Sets the world to a kept state, as cn_world_restore() does, scenery included. All kept states
// stay. Fails if no state is kept under the number, if memory is short, or in before_step.
bool cn_rollback_rewind(cn_rollback *rollback, int number);

// Return the number of the oldest and of the newest state that is kept; -1 if none is kept.
int cn_rollback_oldest(const cn_rollback *rollback);
int cn_rollback_newest(const cn_rollback *rollback);

// Where the states of two worlds differ. Use it for worlds that should be equal.
typedef enum {
    CN_PART_NONE, // no difference was found
    CN_PART_SETTINGS,
    CN_PART_BODIES,
    CN_PART_SHAPES,
    CN_PART_GRIDS,
    CN_PART_JOINTS,
    CN_PART_CONTACTS, // touching contacts, pairs of shapes that are near, and sleeping islands
} cn_state_part;

typedef struct {
    cn_state_part part; // the first part, in the order above, that differs
    // The first object that differs, as a handle of world a; null if world a does not have it or if
    // only a list of objects differs. For a shape or chain, `body` is its body. For a touching
    // contact, `body` is the second body.
    cn_body body;
    cn_shape shape;
    cn_joint joint;
    cn_grid grid;
} cn_difference;

// Compares two worlds. Ignores user data, tags, and the time that cn_world_advance() keeps for its
// next call. If the same objects were created in another order, the worlds differ. Fails, with
// CN_PART_NONE, if a world is NULL, or in filter, pre_solve and accept().
cn_difference cn_world_compare(const cn_world *a, const cn_world *b);

// ------------------------------------------------------------------------------------- many worlds

// Advances many worlds by dt seconds each, as cn_world_step() does, on the threads or the task
// system of the first one. One thread steps a world, calls its callbacks and writes its recording.
// Stores in errors[i] (`errors` may be NULL) why world i was not stepped, or CN_ERROR_NONE. Returns
// how many were stepped. If not all, cn_error() is about the first of the others.
// Part: many.
int cn_worlds_step(cn_world *const *worlds, int count, float dt, cn_error_kind *errors);

// -------------------------------------------------------------------------------------- recordings

// Part: recording.

/*     cn_recording_begin(world, (cn_recording_sink){write_to_file, file}); // your function
 *     play(world);
 *     cn_recording_end(world);
 *
 *     cn_replay *replay = cn_replay_create(&(cn_world_def){0}, bytes, size); // from that file
 *     while (cn_replay_at(replay).call < cn_replay_at(replay).calls && cn_replay_next(replay)) {}
 *     cn_desync desync = cn_replay_desync(replay);
 *     if (desync.found) printf("the worlds differ after step %d\n", desync.step);
 *     cn_replay_destroy(replay);
 */

/* A recording contains the state of a world, each call that changed the world since then, and the
 * answers of the callbacks. A replay makes the same calls in a world of its own. The results are
 * the same, bit for bit, also on another machine, with other lanes and threads. If they differ,
 * cn_replay_desync() says where. Every call is written before it is made, so after a crash the last
 * call of the recording is the one that crashed. Not recorded are calls that only read the world,
 * and allocations that fail. More: guides/snapshots.md. */
typedef struct {
    // Appends bytes to the recording. If it returns false, the recording ends there, the world goes
    // on, and cn_recording_end() fails. Must not call functions that change the world.
    bool (*write)(const void *bytes, size_t size, void *user);
    void *user;
} cn_recording_sink;

// Begins to record the world, until cn_recording_end() or the end of the world. Fails if the world
// is recorded already, if the sink fails at once, if memory is short, or in before_step.
bool cn_recording_begin(cn_world *world, cn_recording_sink sink);
// Ends the recording. Fails if the world is not recorded, or in before_step. Also returns false if
// the recording is not complete, because the sink failed or memory was short.
bool cn_recording_end(cn_world *world);

// Writes a copy of a recording without some of its calls, and without the calls of before_step in
// them. Call i stays if kept[i] is not 0. `count` must be cn_replay_position.calls. A replay does
// not compare steps after such a call. Returns the size that the bytes need, or 0 if the recording
// is damaged. If the size is more than the capacity, the array has no valid recording.
size_t cn_recording_cut(const void *bytes, size_t size, const uint8_t *kept, int count, void *cut,
                        size_t capacity);

typedef struct cn_replay cn_replay;

// Creates a replay, in the state in which the recording begins. Keep the bytes as long as the
// replay: they are not copied. The definition is used as by cn_world_load(). Returns NULL if the
// bytes are damaged or from another version of the API, the definition is bad or memory is short.
cn_replay *cn_replay_create(const cn_world_def *def, const void *bytes, size_t size);
void cn_replay_destroy(cn_replay *replay); // with its world; NULL is ignored
// Returns the world of the replay, for example to draw it. The world belongs to the replay. Do not
// change it, or the replay differs from the recording.
cn_world *cn_replay_world(cn_replay *replay);

// The position of a replay. The numbers of calls include those that before_step made.
typedef struct {
    int call, calls; // number of calls that were made, and of all calls
    int step, steps; // number of steps that were taken, and of all steps
    bool complete;   // the recording was ended; false after a crash
} cn_replay_position;

cn_replay_position cn_replay_at(const cn_replay *replay);
// Makes the next call, with the calls of before_step in it. Skips it if one of its objects does not
// exist, because its creation was left out. Fails after the last call, if the recording is damaged,
// if memory is short, or if a part is not built in. Afterwards cn_replay_seek() can still go back.
bool cn_replay_next(cn_replay *replay);
// Goes back or forward to the first position between two calls at which at least `step` steps
// (0..steps) were taken. The world and its events are as if cn_replay_next() had made every call.
// To go back, the replay keeps up to 32 states of its world.
bool cn_replay_seek(cn_replay *replay, int step);
// Returns the next call and its arguments as text; "" after the last call. Calls of before_step
// follow on lines of their own. An object is written as the slot and the generation of its recorded
// handle. Zeros in structs are left out. The text is valid until the next call on this replay.
const char *cn_replay_text(cn_replay *replay);

// Writes the remaining calls as a new recording that begins with the present state. Returns the
// size that the bytes need. If this is more than the capacity, the array has no valid recording.
// Returns 0 if memory is short, or if calls that create objects were left out of the recording.
size_t cn_replay_rest(cn_replay *replay, void *bytes, size_t capacity);

/* The first difference between the replay and the recorded world. After each step, the replay
 * compares the bodies that moved, and those that calls changed. The whole worlds are compared after
 * the first step, at the end, and every 10 steps or more in between. So a difference that moves no
 * body may be found later than it arises. */
typedef struct {
    bool found;
    // The call that took the step, and the step; both count from 0. If the difference was found at
    // the end of the recording, the step is the number of steps.
    int call, step;
    int bodies;                  // number of bodies that differ; 0: no body or shape differs
    int slot;                    // of the first of these bodies
    cn_body body;                // this body in the world of the replay; null: it does not exist
    uint64_t recorded, replayed; // cn_world_hash() of both worlds; recorded is 0 if it is not known
} cn_desync;

cn_desync cn_replay_desync(const cn_replay *replay);

// ---------------------------------------------------------------------------------- looking inside

/*     cn_drawing drawing;
 *     if (cn_world_draw(world, CN_DRAW_SHAPES | CN_DRAW_CONTACTS, &drawing)) {
 *         draw_triangles(drawing.triangles, drawing.triangle_vertices); // your renderer
 *         draw_lines(drawing.lines, drawing.line_vertices);
 *     }
 *     cn_counters counters = cn_world_counters(world);
 *     printf("%d of %d bodies are awake\n", counters.awake_bodies, counters.bodies);
 */

typedef struct {
    cn_body body;
    uint64_t user_data;
    cn_pose pose;
    bool asleep;
} cn_body_state;

// Writes all bodies in slot order, with drawn poses if `drawn`.
int cn_world_body_states(const cn_world *world, cn_body_state *states, int capacity, bool drawn);

// Writes the poses of all bodies by slot (body.id & 0xFFFFFF), drawn poses if `drawn`; zeros for
// empty slots. Returns the number of slots.
int cn_world_poses(const cn_world *world, cn_pose *poses, int capacity, bool drawn);

typedef struct {
    double kinetic, potential;              // J; potential is 0 at the origin
    double momentum_x, momentum_y, angular; // kg m/s; kg m^2/s about the origin
} cn_energy;

// Returns the sums over all dynamic bodies, in double precision.
cn_energy cn_world_energy(const cn_world *world);

typedef struct {
    int bodies, awake_bodies, shapes, joints;
    int contacts, touching; // of awake bodies: contacts whose boxes overlap; those that touch
    int sleeping_touching;  // touching contacts that sleep with their islands
    int islands;            // of awake bodies, in the last step
    int sleeping_islands;
    // Numbers in the plan of the solver. They depend on the lanes, the threads and the earlier
    // states of the world, so they may differ after a restore, a rewind or a seek.
    int batches, colors;
    int lanes;            // SIMD width in use
    uint64_t steps;       // ever taken
    size_t bytes;         // memory now in use, including rollbacks, as counted by the allocator
    uint64_t allocations; // ever made
} cn_counters;

cn_counters cn_world_counters(const cn_world *world);

enum { CN_MAX_STAGES = 24 };

// The stages of the last step in their order, such as "find pairs" and "solve islands".
typedef struct {
    int count;
    const char *names[CN_MAX_STAGES];
    double seconds[CN_MAX_STAGES];
    double total; // seconds
} cn_profile;

bool cn_world_set_profiling(cn_world *world, bool on);
bool cn_world_profiling(const cn_world *world);
cn_profile cn_world_profile(const cn_world *world); // zeros while profiling is off

// Returns a hash of the state of the world, to compare two runs, also on different machines. Not
// included are user data, tags, callbacks, and the time that cn_world_advance() keeps.
// Part: snapshot.
uint64_t cn_world_hash(const cn_world *world);

typedef enum {
    CN_DRAW_SHAPES = 1,
    CN_DRAW_CONTACTS = 2,
    CN_DRAW_NORMALS = 4,
    CN_DRAW_REFERENCE_EDGES = 8,
    CN_DRAW_BOUNDS = 16,  // fat boxes of the shapes
    CN_DRAW_TREE = 32,    // inner boxes of the tree
    CN_DRAW_ISLANDS = 64, // a line from each body to the first body of its island
    CN_DRAW_MASS = 128,   // centres of mass
    CN_DRAW_JOINTS = 256, // anchors, lines to them, slides, bars, and the forces on b
    CN_DRAW_GRIDS = 512,  // grids of tiles, which CN_DRAW_SHAPES draws as well
    CN_DRAW_ALL = 1023,
} cn_draw_flags;

typedef struct {
    vec2s position;
    uint32_t color; // 0xRRGGBBAA
} cn_draw_vertex;

// Three vertices per triangle, two per line. They belong to the world and are valid until the next
// call that changes it.
typedef struct {
    const cn_draw_vertex *triangles, *lines;
    int triangle_vertices, line_vertices;
    // The force in N that a line of 1 m (times length_unit) at a joint stands for: the greatest one
    // of this drawing, or of earlier ones, which falls slowly. 0 without CN_DRAW_JOINTS.
    float force_scale;
} cn_drawing;

// Makes a drawing of the world for debugging. `flags` is a sum of cn_draw_flags. Sleeping bodies
// are paler. Strokes mark the side on which a segment is solid. Fails if memory is short.
// Part: drawing.
bool cn_world_draw(cn_world *world, uint32_t flags, cn_drawing *drawing);

// ---------------------------------------------------------------------------------------- geometry

/*     cn_pose tank = cn_pose_at(cn_vec(3, 1), 0.5f);   // at (3, 1), turned by half a radian
 *     cn_pose turret = cn_pose_at(cn_vec(0, 1), 1.2f); // in the frame of the tank
 *     cn_pose gun = cn_pose_multiply(tank, turret);    // in the world
 *     vec2s muzzle = cn_pose_point(gun, cn_vec(2, 0)); // a point of the gun, in the world
 *     vec2s seen = cn_pose_local_point(tank, muzzle);  // the same point, from the tank
 */

// Returns the angle of a rotation, in -pi..pi.
float cn_rotation_angle(cn_rotation rotation);
// Take a point from the frame of a pose to the frame in which the pose is given, and back.
vec2s cn_pose_point(cn_pose pose, vec2s local);
vec2s cn_pose_local_point(cn_pose pose, vec2s point);
// Do the same to a direction: it is only turned.
vec2s cn_pose_direction(cn_pose pose, vec2s local);
vec2s cn_pose_local_direction(cn_pose pose, vec2s direction);
// Takes pose b, given in the frame of a, to the frame in which a is given.
cn_pose cn_pose_multiply(cn_pose a, cn_pose b);
// Returns the inverse: cn_pose_point() of one is cn_pose_local_point() of the other.
cn_pose cn_pose_inverse(cn_pose pose);

// True if the two boxes share a point. Boxes that merely touch overlap, too.
bool cn_bounds_overlap(cn_bounds a, cn_bounds b);
// Returns how deep the boxes overlap along x and y; negative along an axis where they are apart.
vec2s cn_bounds_depth(cn_bounds a, cn_bounds b);
// Returns the shortest move of b along one axis that takes b out of a; zero without overlap.
vec2s cn_bounds_resolve(cn_bounds a, cn_bounds b);
cn_bounds cn_bounds_union(cn_bounds a, cn_bounds b);
bool cn_bounds_contains(cn_bounds bounds, vec2s point);

// Returns the mass of the hull, exact for rounded hulls too. The density is in kg/m^2, >= 0.
cn_mass_data cn_hull_mass_data(cn_hull hull, float density);
cn_bounds cn_hull_bounds(cn_hull hull, cn_pose pose);
// Returns the point of the hull, its radius included, that is farthest along a direction of any
// length. Both are in the frame of the hull.
vec2s cn_hull_support(cn_hull hull, vec2s direction);
// Projects the hull on a unit axis. Returns the least (x) and greatest (y) coordinate along it.
vec2s cn_hull_project(cn_hull hull, cn_pose pose, vec2s axis);
// True if the point, in the frame of the hull, lies in the hull or on its edge.
bool cn_hull_contains(cn_hull hull, vec2s point);

// Casts a ray from origin to origin + translation, in the frame of the hull.
cn_ray_hit cn_hull_cast_ray(cn_hull hull, vec2s origin, vec2s translation);

/*     cn_hull box = cn_box(1, 1), ball = cn_circle(0.5f);
 *     cn_pose here = {0}, above = cn_pose_at(cn_vec(0, 1.4f), 0);
 *     cn_manifold manifold = cn_hull_collide(&box, here, &ball, above, 0);
 *     if (manifold.count > 0) printf("%g m deep\n", -manifold.points[0].separation); // 0.1
 *     cn_mtv overlap = cn_hull_mtv(&box, here, &ball, above);
 *     above.position.y += overlap.translation.y; // now they merely touch
 */

// Collides two hulls at two poses. Reports points that are at most `margin` (>= 0) apart.
cn_manifold cn_hull_collide(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b,
                            float margin);

cn_gap cn_hull_distance(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b);

// The points of a closed outline in order. The last point joins the first.
typedef struct {
    const vec2s *points;
    int count;
} cn_outline;

// The minimum translation vector of two hulls.
typedef struct {
    bool overlap;      // they share a point, as hulls that merely touch do
    vec2s translation; // the shortest move of B that ends the overlap, world; zero without overlap
} cn_mtv;

cn_mtv cn_hull_mtv(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b);

// Writes the corners of the common part of two hulls, counter-clockwise, world. Arcs become chords
// that are at most the tolerance (> 0) away from them. The result is 0 if the hulls are apart. If
// the common part has no area, the corners are its 1 or 2 end points. `exact` (NULL: not wanted)
// receives the mass of the true common part, arcs included, at density 1: its area, its centroid in
// the world and its inertia about the centroid.
// Part: outlines.
int cn_hull_clip(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b,
                 float tolerance, vec2s *points, int capacity, cn_mass_data *exact);

// Writes the points where the outlines of two hulls cross or touch, world, each once,
// counter-clockwise along the outline of A from the start of its edge 0. Outlines that coincide
// along a stretch cross at both ends of it. Identical outlines have no crossing.
// Part: outlines.
int cn_hull_crossings(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b,
                      vec2s *points, int capacity);
// The same for the outlines of two boxes, from the lower left corner of a.
// Part: outlines.
int cn_bounds_crossings(cn_bounds a, cn_bounds b, vec2s *points, int capacity);

// Cuts a hull in two along the line through a point. The normal of the line has any length except
// 0. Point, normal and results are in the frame of the hull. Writes the hulls of the two parts.
// Those in front of the line, where the normal points, come first; `in_front` (NULL: not wanted)
// receives their number. The parts are polygons of radius 0 with arcs as in cn_hull_clip(). A part
// with more than 8 corners becomes several hulls. If the line misses the hull, or leaves no part
// that is thick enough for cn_polygon(), the result is the unchanged hull.
// Part: outlines.
int cn_hull_slice(cn_hull hull, vec2s point, vec2s normal, float tolerance, cn_hull *hulls,
                  int capacity, int *in_front);

// Finds where A first touches B while A moves along the translation. `point` is on B, and `normal`
// is that of B's surface. If they overlap at the start, the fraction is 0 and the normal is zero.
cn_ray_hit cn_hull_cast(const cn_hull *a, cn_pose pose_a, vec2s translation, const cn_hull *b,
                        cn_pose pose_b);

// Returns the pose at a fraction (0..1) of a sweep, for example where a cast stopped.
cn_pose cn_sweep_pose(cn_sweep sweep, float fraction);

// Finds when A and B first touch while both move at the same time. The result is like that of
// cn_hull_cast(). It is never late, and early by at most a millionth of their size.
cn_ray_hit cn_hull_time_of_impact(const cn_hull *a, const cn_sweep *sweep_a, const cn_hull *b,
                                  const cn_sweep *sweep_b);

enum { CN_MAX_OUTLINE_POINTS = 512 }; // of all outlines in one call

/* Cuts a concave outline with holes into convex hulls. Outline 0 is the outer one, the others are
 * holes, and `count` is the number of all outlines.
 *
 *     vec2s points[] = {{{0, 0}}, {{3, 0}}, {{3, 1}}, {{1, 1}}, {{1, 3}}, {{0, 3}}}; // letter L
 *     cn_outline outline = {points, 6};
 *     cn_hull hulls[8];
 *     int count = cn_outline_decompose(&outline, 1, 0, hulls, 8);
 *     for (int i = 0; i < count && i < 8; i++)
 *         cn_shape_create(world, crate, &(cn_shape_def){.hull = hulls[i]});
 *
 * The hulls are in the frame of the points and fill the outline without gaps and overlaps. `radius`
 * (0..1e9) rounds every hull; it lies outside of the outline. An outline may run either way. The
 * call fails, and the error names two edges, if an outline crosses itself or another one, or if a
 * hole lies outside of outline 0 or in another hole. It also fails for fewer than 3 corners, more
 * than CN_MAX_OUTLINE_POINTS points in all, and parts too thin for hulls. It needs 60 kB of stack.
 * Part: outlines. */
int cn_outline_decompose(const cn_outline *outlines, int count, float radius, cn_hull *hulls,
                         int capacity);

#ifdef __cplusplus
} // extern "C"

// --------------------------------------------------------------------------------------------- C++

//     cn_body crate = cn_body_create(world, {.position = {{0, 10}}}); // C++20
//     cn_body_def def{};                                              // C++17
//     cn_body other = cn_body_create(world, def);
//     if (crate != other) cn_body_destroy(world, other);

// What a function reads through a pointer to one value (definitions, queries, the hulls of two-hull
// functions) may be passed by reference, also as a temporary. An empty {} is NULL, however: for a
// definition of all zeros write cn_body_def{}. Handles of the same object are equal.
inline cn_world *cn_world_create(const cn_world_def &def) { return cn_world_create(&def); }
inline cn_body cn_body_create(cn_world *world, const cn_body_def &def) {
    return cn_body_create(world, &def);
}
inline cn_shape cn_shape_create(cn_world *world, cn_body body, const cn_shape_def &def) {
    return cn_shape_create(world, body, &def);
}
inline cn_chain cn_chain_create(cn_world *world, cn_body body, const cn_chain_def &def) {
    return cn_chain_create(world, body, &def);
}
inline cn_grid cn_grid_create(cn_world *world, cn_body body, const cn_grid_def &def) {
    return cn_grid_create(world, body, &def);
}
inline cn_world *cn_world_load(const cn_world_def &def, const cn_callbacks *callbacks,
                               const void *bytes, size_t size) {
    return cn_world_load(&def, callbacks, bytes, size);
}
inline cn_world *cn_world_load(const cn_world_def &def, const cn_callbacks &callbacks,
                               const void *bytes, size_t size) {
    return cn_world_load(&def, &callbacks, bytes, size);
}
inline cn_manifold cn_hull_collide(const cn_hull &a, cn_pose pose_a, const cn_hull &b,
                                   cn_pose pose_b, float margin) {
    return cn_hull_collide(&a, pose_a, &b, pose_b, margin);
}
inline cn_gap cn_hull_distance(const cn_hull &a, cn_pose pose_a, const cn_hull &b, cn_pose pose_b) {
    return cn_hull_distance(&a, pose_a, &b, pose_b);
}
inline cn_mtv cn_hull_mtv(const cn_hull &a, cn_pose pose_a, const cn_hull &b, cn_pose pose_b) {
    return cn_hull_mtv(&a, pose_a, &b, pose_b);
}
inline int cn_hull_clip(const cn_hull &a, cn_pose pose_a, const cn_hull &b, cn_pose pose_b,
                        float tolerance, vec2s *points, int capacity, cn_mass_data *exact) {
    return cn_hull_clip(&a, pose_a, &b, pose_b, tolerance, points, capacity, exact);
}
inline int cn_hull_crossings(const cn_hull &a, cn_pose pose_a, const cn_hull &b, cn_pose pose_b,
                             vec2s *points, int capacity) {
    return cn_hull_crossings(&a, pose_a, &b, pose_b, points, capacity);
}
inline cn_ray_hit cn_hull_cast(const cn_hull &a, cn_pose pose_a, vec2s translation,
                               const cn_hull &b, cn_pose pose_b) {
    return cn_hull_cast(&a, pose_a, translation, &b, pose_b);
}
inline cn_ray_hit cn_hull_time_of_impact(const cn_hull &a, const cn_sweep &sweep_a,
                                         const cn_hull &b, const cn_sweep &sweep_b) {
    return cn_hull_time_of_impact(&a, &sweep_a, &b, &sweep_b);
}
inline cn_replay *cn_replay_create(const cn_world_def &def, const void *bytes, size_t size) {
    return cn_replay_create(&def, bytes, size);
}
inline cn_world_hit cn_world_cast_ray(const cn_world *world, vec2s origin, vec2s translation,
                                      const cn_query &query) {
    return cn_world_cast_ray(world, origin, translation, &query);
}
inline int cn_world_cast_ray_all(const cn_world *world, vec2s origin, vec2s translation,
                                 const cn_query &query, cn_world_hit *hits, int capacity) {
    return cn_world_cast_ray_all(world, origin, translation, &query, hits, capacity);
}
inline bool cn_world_cast_rays(const cn_world *world, const cn_ray *rays, int count,
                               const cn_query &query, cn_world_hit *hits) {
    return cn_world_cast_rays(world, rays, count, &query, hits);
}
inline cn_world_hit cn_world_cast_hull(const cn_world *world, cn_hull hull, cn_sweep sweep,
                                       const cn_query &query) {
    return cn_world_cast_hull(world, hull, sweep, &query);
}
inline int cn_world_overlap(const cn_world *world, cn_hull hull, cn_pose pose,
                            const cn_query &query, cn_side *sides, int capacity) {
    return cn_world_overlap(world, hull, pose, &query, sides, capacity);
}
inline int cn_world_overlap_bounds(const cn_world *world, cn_bounds bounds, const cn_query &query,
                                   cn_side *sides, int capacity) {
    return cn_world_overlap_bounds(world, bounds, &query, sides, capacity);
}
inline int cn_world_overlap_point(const cn_world *world, vec2s point, const cn_query &query,
                                  cn_side *sides, int capacity) {
    return cn_world_overlap_point(world, point, &query, sides, capacity);
}
inline cn_neighbor cn_world_nearest(const cn_world *world, cn_hull hull, cn_pose pose,
                                    float max_distance, const cn_query &query) {
    return cn_world_nearest(world, hull, pose, max_distance, &query);
}
inline int cn_world_explode(cn_world *world, const cn_explosion &explosion) {
    return cn_world_explode(world, &explosion);
}
inline cn_move cn_world_move_hull(const cn_world *world, cn_hull hull, cn_pose pose,
                                  vec2s translation, const cn_move_def &def) {
    return cn_world_move_hull(world, hull, pose, translation, &def);
}
inline bool operator==(cn_body a, cn_body b) { return a.id == b.id; }
inline bool operator==(cn_shape a, cn_shape b) { return a.id == b.id; }
inline bool operator==(cn_joint a, cn_joint b) { return a.id == b.id; }
inline bool operator==(cn_grid a, cn_grid b) { return a.id == b.id; }
inline bool operator==(cn_chain a, cn_chain b) { return a.id == b.id; }
inline bool operator!=(cn_body a, cn_body b) { return !(a == b); }
inline bool operator!=(cn_shape a, cn_shape b) { return !(a == b); }
inline bool operator!=(cn_joint a, cn_joint b) { return !(a == b); }
inline bool operator!=(cn_grid a, cn_grid b) { return !(a == b); }
inline bool operator!=(cn_chain a, cn_chain b) { return !(a == b); }
#endif

// ------------------------------------------------------------------------------------------ tuning

/* What to change for a certain kind of game. Everything else may stay at its default. More:
 * guides/tuning.md.
 *
 * Pixels          Set cn_world_def.length_unit to the number of pixels that make a metre, say 50.
 *                 Then everything that you pass is in pixels: gravity is 500, and a crate of 50 x
 *                 50 with the default density 1 weighs 2500. Impulses and forces scale with it: a
 *                 jump of 300 px/s needs the impulse 300 * cn_body_mass(world, body).
 * y down          Use positive gravity. Everything is mirrored: angles turn clockwise on the
 *                 screen, chains are solid on their right, and belts run the other way. For
 *                 cn_body_ground() and .one_way, up is (0, -1). Row 0 of tiles is the top row, and
 *                 bodies walk on the slopes named CN_TILE_HANGS_...
 * Small things    Slop and margins are made for bodies of 0.1 m to 50 m, and scale with
 *                 length_unit. For boxes of 0.01 m set it to 0.02, and use 16 substeps.
 * Tall stacks     They sink or sway: set .substeps to 8. With the default 4, a column of 100 equal
 *                 boxes of 1 m stands and one of 200 falls; with 8 both stand.
 * Heavy loads     They press light bodies into each other. Use more substeps, or a higher density
 *                 for the light bodies. Joints pass a load on: light wheels bear a truck, and a
 *                 platform on a weld, or on a motor without a greatest force, bears anything.
 *                 Limits, springs and other motors do not pass a load on.
 * Top-down games  Set no gravity. For the friction of the floor, give each body a cn_motor_joint()
 *                 to a static body: its force is friction times weight. Damping is cheaper.
 * Platformers     Move the player by cn_world_move_hull(), or make it a body: a capsule with
 *                 .lock_rotation, .no_sleep and .frictionless. See guides/characters.md.
 * Many bodies     Only awake bodies take time. A body with a shape takes 0.4 kB of memory, a
 *                 touching contact 0.35 kB; a body in a pile takes 1 to 2 kB.
 * Fast bodies     Walls stop them at any speed. Set .bullet for small bodies that must not get deep
 *                 into what they hit, and .max_speed for bodies that may get too fast.
 * Small worlds    For thousands of them, give the first one .threads and step all of them by
 *                 cn_worlds_step(). Give each a .capacity and a .tag of its own.
 * Long bridges    Join the ends to small static bodies of their own, not to the body of the ground:
 *                 joined bodies do not collide. Give the bodies damping, or the joints friction
 *                 (.motor, .max_motor_force), or the bridge swings for minutes.
 */

// ------------------------------------------------------------------------------------------ limits

/* What does not work, or holds only within a range, and what to do instead.
 *
 * Steps and memory
 *
 * - Below 120 substeps per second stacks get soft. If steps are longer than 1/30 s, use more
 *   substeps.
 * - After a step that could not get memory for its events, some of them are missing: hits, body
 *   events, fell_asleep of move events, and sensor events of shapes that passed through the sensor
 *   within the step. Other sensor events come later. The step itself succeeds.
 * - cn_capacity does not cover polygons, tiles, sensors, kinematic bodies, islands that fall asleep
 *   or have more than 440 bodies, hit events, and data that threads other than the first collect.
 *   The first callback, one-way shape, user data or call of cn_world_advance() allocates memory for
 *   all objects. The first body with several shapes does, too, unless shapes and static_shapes
 *   together are more than bodies.
 * - The format of saved bytes may change with every version.
 *
 * Contacts
 *
 * - A body that is created or put deep inside of others is moved out within a few steps, and gains
 *   hardly any speed. Many bodies at one place take longer, and a jointed body is pushed instead.
 *   Find free places by cn_world_overlap(). Bodies that already separate faster than 1/10
 *   of push_speed are not moved.
 * - A contact without restitution is an impact if its bodies approach faster than 1 m/s (times
 *   length_unit) and than the speed of a fall of 0.1 s. If an island has more than 100 impacts at
 *   once, its bodies overlap a little more.
 * - A heavy body sinks into light ones, and may crush a stack of them: from 100 times their mass
 *   with 4 substeps, and 1000 times with 8. Pass such loads on with joints.
 * - Two dynamic bodies may pass each other within a step in two cases: both are supported by
 *   contacts or held by joints, and they move by less than twice the sum of their inner radii (see
 *   guides/step.md); or they are parts of one chain of joints. Use shorter steps or thicker shapes.
 * - Two bodies whose paths overlap by less than 3/4 of an inner radius (.bullet: 3/16) may pass.
 * They do not pass if one is in free flight, no joint holds either, their relative motion is more
 * than twice the sum of both inner radii, and they overlap by more than tuning.slop at first touch.
 * - A fast small body that is stopped at a body stays there for the rest of the step, while the
 *   other body moves on. So a body that a motor turns fast, such as a flipper at 20 rad/s, may pass
 *   through a ball. Set .bullet for both.
 * - Along a lock (cn_body_set_locks()) a body carries only as much as its own mass allows: a
 *   load of ten times its mass sinks in. Make the body kinematic or heavy.
 * - If a sensor and another shape both move by more than their size in a step, and cross each
 *   other's path in the middle of it, the sensor may miss the shape. Use shorter steps.
 *
 * Ground
 *
 * - A static body does not join other bodies to smooth ground while one of its joints keeps some
 *   body from colliding with it. A shape with .custom_filter or .pre_solve joins only shapes of its
 *   own body with the same flags. So a callback must treat such shapes of one body alike. To let a
 *   body pass only some of the ground, flag that ground, not the body.
 * - A body that is completely buried in tiles or shapes falls through the ground. Move it out.
 * - If the body of a chain becomes dynamic later, the segments of the chain have two sides.
 * - One-way shapes and tiles join only others of the same direction. A polygon may trip over the
 *   seam between them and solid ground.
 * - A hard impact from another body may press a body so deep into one-way ground that it passes.
 *
 * Joints
 *
 * - A joint may let two dynamic bodies overlap, as links of a chain do. When it is destroyed,
 *   disabled, or set to let its bodies collide, they are pushed apart. If they overlap by more than
 *   half of the smaller inner radius, they pass each other instead until they part or fall asleep.
 * - If a limit or lock is moved faster than 1.5 m/s, its body follows it 0.06 s behind. Reel in a
 *   rope with a motor instead.
 * - Bodies that are joined to a body follow cn_body_set_pose() at about 1 m/s only. Move anchors by
 *   the velocities of a kinematic body.
 * - A frame may lie outside the shapes of its body. But a hit turns a small body on a rigid arm of
 *   some hundred times its size too far, and the body gains speed. Give the arm a shape and mass.
 *
 * Hulls and sizes
 *
 * - A hull has at most 8 vertices. Use several shapes: cn_outline_decompose() makes them.
 * - Far from the origin floats are coarse: they are 0.06 mm apart at 1 km, 1 mm at 10 km, and 8 mm
 *   at 100 km, which is more than tuning.slop. Shift the origin before: cn_world_shift_origin().
 * - cn_hull_time_of_impact() may report hulls that turn many times and almost touch as touching.
 * - Velocities in x and y and angular velocities go up to 1e9. A call that would exceed this fails.
 *   A body that a step makes faster is disabled, with the body event CN_BODY_FAULT.
 * - A world has up to 16777215 bodies, and as many shapes, joints, grids and chains.
 * - cn_world_draw() draws at most 65536 tiles of a grid. */

#endif
