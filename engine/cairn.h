/* Cairn: a 2D rigid-body physics engine.
 *
 * A world holds bodies. A body carries shapes. A shape is a rounded convex hull with a material:
 * a circle, a capsule, a box or a polygon. Each step finds the shapes that touch, makes contacts
 * of them, and solves contacts and joints for the impulses that keep bodies apart or together,
 * with friction and restitution. After a step you read where the bodies are and what happened.
 *
 * Cairn does not draw, does not read files, and starts no threads unless told to.
 *
 * Units are metres, kilograms, seconds and radians. Angles turn counter-clockwise and y is up.
 * If your game measures in pixels or other lengths, see "tuning".
 *
 *     #include <cairn.h>
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
 *         cn_body ground = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
 *         cn_shape_create(world, ground, &(cn_shape_def){.hull = cn_box(50, 1)});
 *
 *         cn_body crate = cn_body_create(world, &(cn_body_def){.position = {{0, 10}}});
 *         cn_shape_create(world, crate, &(cn_shape_def){
 *             .hull = cn_box(0.5f, 0.5f), .density = 2, .material = {.friction = 0.4f}});
 *
 *         for (int i = 0; i < 120; i++) cn_world_step(world, 1.0f / 60);
 *         vec2s p = cn_body_position(world, crate);
 *         printf("the crate rests at a height of %.3f\n", p.y);
 *         cn_world_destroy(world);
 *     }
 *
 * It prints "the crate rests at a height of 1.500". In C, (cn_body_def){...} is a temporary
 * struct: the fields that it does not name are zero. {{0, 10}} is a vec2s, the vector of cglm,
 * with fields .x and .y. The examples below use a world, a ground and a crate like these.
 *
 * Contents. To jump to a section, search for its name with "- " in front, for example "- bodies".
 *
 *     errors          why a call failed
 *     maths           rotations, poses, axis-aligned boxes
 *     hulls           circles, capsules, boxes, polygons; mass, bounds, rays
 *     collision       two hulls without a world: contact points, distance, casts, clipping, slicing
 *     worlds          handles, memory, threads; step a world, settings, the engine's constants
 *     bodies          create and move bodies; forces, mass, locks, continuous collision, sleep
 *     shapes          materials, filters, sensors, one-way platforms
 *     chains          smooth ground, and outlines that are solid on one side
 *     tiles           ground from a bitmap; slopes, materials
 *     fields          water, wind, the gravity of a planet: sensors that act on the bodies inside
 *     iteration       all bodies, shapes and joints
 *     joints          hinges, sliders, ropes, springs, motors
 *     couplings       gears, racks, pulleys
 *     events          what happened in a step: touches, hits, sensors, broken joints, sleep, motion
 *     contacts        what touches what; the ground under a body
 *     callbacks       your functions in a step
 *     queries         rays, casts, overlaps, what is near
 *     explosions      push all bodies around a point; walls protect
 *     characters      move a hull that walks, jumps and slides
 *     saving          the state of a world as bytes: saved games
 *     rewinding       the last states of a world in memory: rollback; how two worlds differ
 *     recordings      the calls on a world as bytes that can be replayed: bug reports
 *     looking inside  energy, counters, profile, hash, debug drawing
 *     C++             definitions by reference, comparison of handles
 *     tuning          what to change for pixels, tall stacks, top-down games, ...
 *     limits          what does not work or holds only within a range, and what to do instead
 *
 * Definitions. Objects are created from a definition, a struct that starts as all zeros (= {0}, in
 * C++ {}). Zero means the default, field by field: a body is dynamic, for example. So leave out
 * the fields that you do not care about. Only the hull of a shape, the bodies of a joint, the
 * points of a chain and the tiles of a grid are required. If zero is also a useful value, a flag
 * stands for it (.frictionless, .weightless, .no_sleep, ...). A definition and its arrays are
 * copied.
 *
 * Setters. In a setter every value is literal: zero is zero. To change a part of a struct, get it,
 * change it, set it.
 *
 * Errors. A call that fails returns false, a null handle (its .id is 0) or zero, and changes
 * nothing. cn_error() says why, in debug and release builds. Every function that takes a handle
 * fails if the handle is null or stale. It also fails for a handle of another world if the two
 * worlds have different tags (cn_world_def.tag). Only the functions named ..._valid() take any
 * handle without an error. Numbers must be finite.
 *
 * Arrays. A function that writes to an array takes its capacity, writes up to that many results,
 * and returns the number of all results, which may be greater. With (NULL, 0) it only counts.
 *
 * Frames. Points and vectors are in the world unless a comment says that they are in the frame of
 * a body or hull. Coordinates of positions are up to 1e9, in your lengths.
 *
 * Threads. Different worlds may be used from different threads at the same time. Several threads
 * may read one world at once, with functions that take a const world, as long as no thread changes
 * or steps it. A step itself uses as many threads as cn_world_def.threads says.
 *
 * Determinism. The same calls give the same bits, on every machine, compiler and SIMD width, and
 * with any number of threads, as long as no allocation fails.
 *
 * Parts. The engine consists of a core and of parts that a build can leave out. A section or a
 * function that belongs to a part says so: "Part: queries." By default all parts are built. Meson's
 * option -Dparts= selects parts: all, none, or names with commas, such as -Dparts=queries,snapshot.
 * The parts that they need are built, too. If a part is not built, a program that calls one of its
 * functions does not link, and the linker names the function. Creating a shape with a medium fails
 * without the part fields, and the error names the part.
 */
#ifndef CAIRN_H
#define CAIRN_H

#if defined(__cplusplus) && !defined(CGLM_USE_ANONYMOUS_STRUCT)
#define CGLM_USE_ANONYMOUS_STRUCT 1 // else cglm gives vec2s no .x and .y in C++
#endif
// In C++, include cairn.h before other cglm headers, or define the above yourself.
#include <cglm/struct/vec2.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CN_VERSION_MAJOR 0
#define CN_VERSION_MINOR 1
#define CN_VERSION_PATCH 0

// ------------------------------------------------------------------------------------------ errors

/*     void log_error(cn_error_kind kind, const char *text, void *user) {
 *         fprintf(user, "cairn error %d: %s\n", (int)kind, text);
 *     }
 *
 *     cn_set_error_hook(log_error, stderr); // in main(): shows every error as it happens
 *
 *     vec2s up = {{0, 5}}; // or look at a single call
 *     if (!cn_body_set_velocity(world, ground, up))
 *         puts(cn_error()); // "... make the body kinematic"
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
} cn_error_kind;

// Returns the error of the last call of this thread that failed: the function, what is wrong, with
// numbers, and often what to do. Never NULL; "" if no call has failed yet. Calls that succeed leave
// it as it is. The text is valid until the next call of this thread that fails.
const char *cn_error(void);
cn_error_kind cn_error_code(void);
// Clears the error of this thread: cn_error() is then "" and cn_error_code() is CN_ERROR_NONE.
void cn_error_clear(void);

// Sets the error hook of this thread: Cairn calls `function` once for every call that fails, before
// the failed call returns. Use it to log errors, or to set a breakpoint. The text is that of
// cn_error(). NULL removes the hook. Each thread has its own hook and needs no lock, so set it on
// every thread that calls Cairn. The function may call cn_error() and cn_error_code(), but no other
// function of Cairn.
void cn_set_error_hook(void (*function)(cn_error_kind kind, const char *text, void *user),
                       void *user);

// ------------------------------------------------------------------------------------------- maths

/*     cn_pose tank = cn_pose_at((vec2s){{3, 1}}, 0.5f);   // at (3, 1), turned by half a radian
 *     cn_pose turret = cn_pose_at((vec2s){{0, 1}}, 1.2f); // in the frame of the tank
 *     cn_pose gun = cn_pose_multiply(tank, turret);       // in the world
 *     vec2s muzzle = cn_pose_point(gun, (vec2s){{2, 0}}); // a point of the gun, in the world
 *     vec2s seen = cn_pose_local_point(tank, muzzle);     // the same point, from the tank
 *     printf("(%g, %g) from the tank\n", seen.x, seen.y);
 */

// A rotation as the cosine and sine of its angle.
typedef struct {
    float c, s;
} cn_rotation;

// A position and a rotation: a point is first turned, then moved. {0} is no valid pose, because its
// rotation has no length. Make poses with cn_pose_at().
typedef struct {
    vec2s position;
    cn_rotation rotation;
} cn_pose;

// Returns the rotation by any finite angle in radians, the same bits on every machine.
cn_rotation cn_rotation_of(float angle);
// Returns the angle of a rotation, in -pi..pi.
float cn_rotation_angle(cn_rotation rotation);
// Returns the pose at a position, turned by an angle in radians.
cn_pose cn_pose_at(vec2s position, float angle);
// Take a point from the frame of a pose to the frame in which the pose is given, and back. A pose
// with the position (0, 0) does the same to a direction.
vec2s cn_pose_point(cn_pose pose, vec2s local);
vec2s cn_pose_local_point(cn_pose pose, vec2s point);
// Takes pose b, given in the frame of a, to the frame in which a is given.
cn_pose cn_pose_multiply(cn_pose a, cn_pose b);
// Returns the inverse: cn_pose_point() of one is cn_pose_local_point() of the other.
cn_pose cn_pose_inverse(cn_pose pose);

// An axis-aligned box. It is valid if lower <= upper in both coordinates.
typedef struct {
    vec2s lower, upper;
} cn_bounds;

// True if the two boxes share a point. Boxes that merely touch overlap, too.
bool cn_bounds_overlap(cn_bounds a, cn_bounds b);
// Returns how deep the boxes overlap along x and y; negative along an axis where they are apart.
vec2s cn_bounds_depth(cn_bounds a, cn_bounds b);
// Returns the shortest move of b along one axis that takes b out of a; zero without overlap.
vec2s cn_bounds_resolve(cn_bounds a, cn_bounds b);
cn_bounds cn_bounds_union(cn_bounds a, cn_bounds b);
bool cn_bounds_contains(cn_bounds bounds, vec2s point);

// ------------------------------------------------------------------------------------------- hulls

/*     cn_hull box = cn_box(1, 0.5f); // 2 m wide, 1 m high: half extents
 *     vec2s corners[] = {{{0, 0}}, {{2, 0}}, {{0, 1}}};
 *     cn_hull ramp = cn_polygon(corners, 3, 0);
 *     if (ramp.count == 0) puts(cn_error()); // it could not be made
 *     printf("wood of this size weighs %g kg\n", cn_hull_mass(&box, 600).mass); // 1200
 */

enum { CN_MAX_VERTICES = 8 };

/* A convex hull of 1 to 8 vertices, counter-clockwise, grown by a radius:
 *
 *     count 1: a circle      count 2: a capsule, or a segment if radius is 0      3..8: a polygon
 *
 * A hull is a plain value and needs no world. normals[i] is the outward unit normal of the edge
 * vertices[i] -> vertices[i + 1]. A capsule has the two normals of its sides, a circle has none.
 *
 * If a hull could not be made, its count is 0 and every call refuses it. The error of that call
 * repeats why the hull was not made, if that is among the last 8 such errors of this thread. */
typedef struct {
    vec2s vertices[CN_MAX_VERTICES];
    vec2s normals[CN_MAX_VERTICES];
    float radius;
    int count;
    uint32_t failure; // if the count is 0: identifies the error of the call that failed; else 0
} cn_hull;

// These calls make hulls. Sizes are positive, up to 1e9.
cn_hull cn_circle(float radius);
cn_hull cn_capsule(vec2s p, vec2s q, float radius); // p and q apart
cn_hull cn_segment(vec2s p, vec2s q); // no mass: for static and kinematic bodies, as a rule
cn_hull cn_box(float half_width, float half_height);
// The radius lies outside of the half extents.
cn_hull cn_rounded_box(float half_width, float half_height, float radius);
// Makes the convex hull of any points; close points are welded. Fails if fewer than 3 points are
// left, if they lie on a line, or if the hull has more than 8 vertices. The radius may be 0.
cn_hull cn_polygon(const vec2s *points, int count, float radius);
// Makes a regular polygon of 3 to 8 corners on a circle. The first corner lies on the x axis.
cn_hull cn_regular(int corners, float circumradius);
// Returns the hull moved and turned, for a shape off the origin of its body.
cn_hull cn_hull_at(const cn_hull *hull, cn_pose pose);

typedef struct {
    float mass;    // kg
    float inertia; // kg m^2 about the centre of mass
    vec2s center;  // centre of mass, in the frame of the hull or body
} cn_mass;

// Returns the mass of the hull, exact for rounded hulls too. The density is in kg/m^2, >= 0.
cn_mass cn_hull_mass(const cn_hull *hull, float density);
cn_bounds cn_hull_bounds(const cn_hull *hull, cn_pose pose);
// Returns the point of the hull, its radius included, that is farthest along a direction of any
// length. Both are in the frame of the hull.
vec2s cn_hull_support(const cn_hull *hull, vec2s direction);
// Projects the hull on a unit axis: x is the least and y the greatest coordinate of its points
// along the axis. This is the interval that the separating axis theorem compares.
vec2s cn_hull_project(const cn_hull *hull, cn_pose pose, vec2s axis);
// True if the point, in the frame of the hull, lies in the hull or on its edge.
bool cn_hull_contains(const cn_hull *hull, vec2s point);

typedef struct {
    bool hit;
    float fraction; // 0..1 of the ray
    vec2s point;
    vec2s normal; // of the surface there; zero if the ray starts inside (then fraction is 0)
} cn_ray_hit;

// Casts a ray from origin to origin + translation, in the frame of the hull.
cn_ray_hit cn_hull_cast_ray(const cn_hull *hull, vec2s origin, vec2s translation);

// --------------------------------------------------------------------------------------- collision

/*     cn_hull box = cn_box(1, 1), ball = cn_circle(0.5f);
 *     cn_pose here = cn_pose_at((vec2s){{0, 0}}, 0), above = cn_pose_at((vec2s){{0, 1.4f}}, 0);
 *     cn_manifold manifold = cn_collide(&box, here, &ball, above, 0);
 *     if (manifold.count > 0) printf("%g m deep\n", -manifold.points[0].separation); // 0.1
 *     cn_mtv overlap = cn_overlap(&box, here, &ball, above);
 *     above.position.y += overlap.translation.y; // now they merely touch
 */

typedef struct {
    vec2s point;          // half way between the two surfaces, world
    float separation;     // along the normal; negative if the hulls overlap
    uint8_t id;           // feature id: vertex of A (low 4 bits), vertex of B (high 4 bits)
    float normal_impulse; // N s, of the last substep; filled in only for contacts of a world
} cn_manifold_point;

typedef enum { CN_HULL_A, CN_HULL_B } cn_hull_side;

/* How two hulls touch.
 *
 * The reference edge is the edge, of either hull, whose outward normal separates the two best. The
 * incident edge is the edge of the other hull that faces it most. It is clipped to the sides of
 * the reference edge, and its end points are the contact points. The normal is that of the
 * reference edge. Where two rounded corners meet, the normal joins the two corners instead. */
typedef struct {
    vec2s normal; // unit, from A to B, world
    int count;    // 0 (apart), 1 or 2 points
    cn_manifold_point points[2];
    cn_hull_side reference; // the hull that the reference edge belongs to
    int reference_edge;     // the vertex of that hull at which it starts
    int incident_edge;      // the same for the other hull; 0 in contacts of a world
    float separation;       // along the best face normal, radii included; in contacts: the smallest
} cn_manifold;

// Collides two hulls at two poses. Reports points that are at most `margin` (>= 0) apart.
cn_manifold cn_collide(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b,
                       float margin);

// The gap between two hulls, radii included.
typedef struct {
    float distance;         // negative if they overlap: by how much, along the shortest way out
    vec2s normal;           // unit, from A to B, world; zero only after an error
    vec2s point_a, point_b; // the nearest points of the two surfaces, or the deepest ones; world
} cn_gap;

cn_gap cn_distance(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b);

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

cn_mtv cn_overlap(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b);

// Writes the corners of the outline of the common part of two hulls, counter-clockwise, world.
//
// Arcs become chords with both ends on the arc. No chord is farther from its arc than the tolerance
// (a length above 0). A chord spans at most a quarter turn and at least 1/2048 turn, so the
// tolerance is never finer than about a millionth of the radius. Corners that nearly coincide are
// written once. (Far from the origin, neighbours may still round to the same floats.)
//
// The result is 0 if the hulls are apart. If the common part has no area, because the hulls only
// touch or one of them is a segment, the corners are its 1 or 2 end points.
//
// `exact` (NULL: not wanted) receives the mass of the true common part, arcs included, at density
// 1: its area, its centroid in the world and its inertia about the centroid. It is zero if the
// hulls are apart.
// Part: outlines.
int cn_clip(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b, float tolerance,
            vec2s *points, int capacity, cn_mass *exact);

// Writes the points where the outlines of two hulls cross or touch, world. Each point comes once,
// counter-clockwise along the outline of A from the start of its edge 0 (of a circle: from the
// lowest point of its own frame). Outlines that coincide along a stretch cross at both ends of the
// stretch. Identical outlines have no crossing.
// Part: outlines.
int cn_outline_crossings(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b,
                         vec2s *points, int capacity);
// The same for the outlines of two boxes, from the lower left corner of a.
// Part: outlines.
int cn_bounds_crossings(cn_bounds a, cn_bounds b, vec2s *points, int capacity);

// Cuts a hull in two along the line through a point. The normal of the line has any length except
// 0. Point, normal and results are in the frame of the hull. Writes the hulls that the two parts
// consist of. The hulls in front of the line, where the normal points, come first; `in_front`
// (NULL: not wanted) receives their number.
//
// A cut has sharp corners, so the parts are polygons of radius 0. Their arcs become chords to the
// tolerance, as in cn_clip(), or to 1/500000 of the greatest coordinate if that is more. A part
// with more than 8 corners becomes several hulls that share edges and leave no gap. A segment
// becomes two segments.
//
// If the line misses the hull or only touches it, the result is the unchanged hull. A part that is
// too thin for cn_polygon() is dropped. If both parts are too thin, the result is the unchanged
// hull, on one side.
// Part: outlines.
int cn_slice(const cn_hull *hull, vec2s point, vec2s normal, float tolerance, cn_hull *hulls,
             int capacity, int *in_front);

// Finds where A first touches B while A moves along the translation. `point` is on B, and `normal`
// is that of B's surface. If they overlap at the start, the fraction is 0 and the normal is zero.
cn_ray_hit cn_cast_hull(const cn_hull *a, cn_pose pose_a, vec2s translation, const cn_hull *b,
                        cn_pose pose_b);

// A motion: `center` moves along a straight line, and the hull turns at an even rate about it.
typedef struct {
    cn_pose start;
    vec2s center;      // usually the centre of mass; in the frame of the hull
    vec2s translation; // of that centre
    float turn;        // radians, up to 1e6: any number of turns
} cn_sweep;

// Returns the pose at a fraction (0..1) of a sweep, for example where a cast stopped.
cn_pose cn_sweep_pose(const cn_sweep *sweep, float fraction);

// Finds when A and B first touch while both move at the same time. The result is like that of
// cn_cast_hull(). It is never late, and early by at most a millionth of their size.
cn_ray_hit cn_time_of_impact(const cn_hull *a, const cn_sweep *sweep_a, const cn_hull *b,
                             const cn_sweep *sweep_b);

enum { CN_MAX_OUTLINE_POINTS = 512 }; // of all outlines in one call

/* Cuts a concave outline with holes into convex hulls. Outline 0 is the outer one, the others are
 * holes, and `count` is the number of all outlines.
 *
 *     vec2s points[] = {{{0, 0}}, {{3, 0}}, {{3, 1}}, {{1, 1}}, {{1, 3}}, {{0, 3}}}; // letter L
 *     cn_outline outline = {points, 6};
 *     cn_hull hulls[8];
 *     int count = cn_decompose(&outline, 1, 0, hulls, 8);
 *     for (int i = 0; i < count && i < 8; i++)
 *         cn_shape_create(world, crate, &(cn_shape_def){.hull = hulls[i]});
 *
 * The hulls are in the frame of the points. They fill the outline without gaps and overlaps, and
 * they are few and fat. An outline may run either way and begin anywhere: the result is the same.
 * Repeated points and points on a straight edge are dropped, to within rounding.
 *
 * A hull has 3 to 8 vertices and is as cn_polygon() makes it, with one exception: it keeps corners
 * that cn_polygon() would weld, because a neighbour has the same corners. The vertices are points
 * of the outlines. If this makes too many hulls, further vertices lie on edges, rounded to floats.
 * For n points with r reflex corners, too many is more than twice the greater of r / 2 + 1 and
 * (n - 2) / 6, both rounded up.
 *
 * `radius` (0..1e9) rounds every hull. It lies outside of the outline, so hulls overlap by it.
 *
 * Outlines may touch themselves or each other, at corners or along edges. The call fails if an
 * outline crosses itself or another one, if a hole lies outside of outline 0, or if a hole lies in
 * another hole. Then cn_error() names two edges. Edge k of an outline goes from its point k to the
 * next point.
 *
 * The call also fails if an outline has fewer than 3 corners, if all outlines together have more
 * than CN_MAX_OUTLINE_POINTS points, if a coordinate is beyond 1e9, or if parts are too thin for
 * hulls at their coordinates.
 *
 * It needs about 60 kB of stack and no other memory. 200 points take half a millisecond.
 * Part: outlines. */
int cn_decompose(const cn_outline *outlines, int count, float radius, cn_hull *hulls, int capacity);

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

// Handles name objects: generation 32 bits | tag 8 | slot 24. Zero is null. The slot is the place
// of the object in the world; lists "in slot order" are sorted by it. When an object is destroyed,
// its handle becomes stale and stays so, also when the slot is used again. Only a restored state
// brings it back: see "saving".
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
    cn_body body;
    uint64_t id;
} cn_chain;
// A grid of tiles on a body.
typedef struct {
    uint64_t id;
} cn_tiles;

// The source of a world's memory; all zero: the C library. allocate() returns `size` bytes aligned
// to `alignment` (a power of two, 64 at most) or NULL. release() gets the same size. A step may
// call them from any of its threads, and cn_body_contacts() from the thread that calls it, but only
// one of these calls runs at a time. Set both functions or none.
typedef struct {
    void *(*allocate)(size_t size, size_t alignment, void *user);
    void (*release)(void *block, size_t size, void *user);
    void *user;
} cn_allocator;

// Your task system, which runs the work of other threads in a step; all zero: the world's own
// threads, which sleep between steps. Set both functions or none.
//
// start() makes your threads call task(context, i) for each i of 0..count-1, on any thread, in any
// order, now or later. finish() returns when all these calls have returned. The thread that steps
// the world works on all tasks at the same time, so late tasks find nothing to do. A step calls
// start() and finish() several times, one pair after the other. With a pool of your own:
//
//     void *start(cn_task *task, void *context, int count, void *pool) {
//         return pool_run(pool, count, task, context); // what finish() gets
//     }
//     void finish(void *handle, void *pool) { pool_wait(pool, handle); }
typedef void cn_task(void *context, int index);
typedef struct {
    void *(*start)(cn_task *task, void *context, int count, void *user);
    void (*finish)(void *handle, void *user);
    void *user;
} cn_task_system;

// Memory that a world reserves when it is created. As long as the world stays within these counts,
// creating bodies, shapes and joints and stepping allocate nothing. A world that outgrows them
// grows as usual. "limits" lists what is not covered.
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
    uint8_t tag;       // yours: part of every handle, so a world refuses handles of other tags
    bool no_sleep;     // bodies never fall asleep
    bool profile;      // measure the stages of a step: cn_world_profile()
    bool move_events;  // list the bodies that moved: cn_events.moved
    cn_capacity capacity; // all 0: the world grows as needed
    cn_allocator allocator;
    cn_task_system tasks;
} cn_world_def;

// Creates a world, which you have to destroy. Returns NULL if the definition is bad or memory is
// short.
cn_world *cn_world_create(const cn_world_def *def);
void cn_world_destroy(cn_world *world); // and all that is in it; NULL is ignored

// Advances the world by dt seconds, 0..1. A dt below 1e-15 moves nothing and raises no events.
// Fails if dt is out of range or memory is short; then the world is unchanged and you may step it
// again.
bool cn_world_step(cn_world *world, float dt);

// Advances many worlds by dt seconds each, as cn_world_step() does, on the threads or the task
// system of the first one. Each world is stepped by one thread. Its callbacks and the sink of its
// recording run on this thread. Stores in errors[i] why world i was not stepped, or CN_ERROR_NONE.
// `errors` may be NULL. Returns the number of worlds that were stepped. If it is less than `count`,
// cn_error() is about the first world that was not stepped.
// Part: many.
int cn_worlds_step(cn_world *const *worlds, int count, float dt, cn_error_kind *errors);

// Advances the world by the time of a frame (>= 0), in whole steps of cn_world_def.time_step. The
// rest of the time is kept for the next call. Returns the number of steps taken, at most max_steps:
// a slow frame loses time instead of freezing the game. The time is in seconds: milliseconds would
// take max_steps in every call. Draw the bodies at cn_body_drawn_pose() for
// smooth motion.
//
// Returns -1 if a step fails. The steps that the call took before it stay taken: the bodies have
// moved, cn_world_events() has their events, and the time that is left is kept, so
// cn_world_advance(world, 0) tries to go on. If the first step fails, the time of the frame is not
// kept, so you may repeat the call.
int cn_world_advance(cn_world *world, float frame_seconds);
// Returns where the drawn poses are between the last two steps, 0..1.
float cn_world_interpolation(const cn_world *world);

// Wakes everything. Also changes tuning.push_speed, unless you have set that.
bool cn_world_set_gravity(cn_world *world, vec2s gravity);
vec2s cn_world_gravity(const cn_world *world);
bool cn_world_set_substeps(cn_world *world, int substeps); // 1..64; wakes nothing
int cn_world_substeps(const cn_world *world);
bool cn_world_set_sleeping(cn_world *world, bool allowed); // false wakes everything
bool cn_world_sleeping(const cn_world *world);
// Switches move events on or off; they begin with the next step. A step then compares the pose of
// each awake body. While they are off they cost nothing. Fails only if memory is short.
bool cn_world_set_move_events(cn_world *world, bool on);
bool cn_world_move_events(const cn_world *world);

/* Makes a point of the world the new origin: everything moves by minus `origin`. Floats are finest
 * near the origin. So in a large world, shift the origin to the player when the player is far away
 * from it, say 1000 m.
 *
 * Nothing wakes, no contact or joint begins or ends, and the shift raises no move events. The
 * points of the last step's events are shifted, too. Points in the frame of a body, such as the
 * frames of joints, stay the same. Shift the coordinates that you keep yourself, including the
 * arrays of an earlier cn_world_events(): a body that stood at the old origin is now at minus
 * `origin`.
 *
 * The shift is exact for everything that comes nearer to the origin. If no coordinate is rounded
 * before or after the shift, the world continues bit for bit like a world that was built at the new
 * place. Otherwise the two differ by rounding.
 *
 * The time is proportional to the number of bodies and shapes. Fails if a coordinate of `origin`,
 * or the new position of a body, is beyond 1e9. */
bool cn_world_shift_origin(cn_world *world, vec2s origin);

// The constants of the engine, in your units: length_unit scales the lengths and speeds. All are
// positive and finite.
typedef struct {
    float slop;               // 0.005 m: a small overlap; unit of the tolerances of contacts
    float speculative_margin; // 0.02 m: gap at which a contact is made
    float box_margin; // 0.015 m: the fat boxes that find pairs are larger than their shapes by it
                      // on each side, or by more; at least half of speculative_margin
    // The anchors of a contact are the points of each body at which it acts. It keeps them until
    // the pair has slid by anchor_distance or a body has turned
    // by anchor_angle; by less for circles, and for bodies that stand on one end.
    float anchor_distance; // 0.05 m
    float anchor_angle;    // 0.05 rad
    // 30 m/s, or the speed of a fall of 1 s if that is more: the greatest speed at which
    // overlapping bodies are moved apart. This gives them no speed. The default follows gravity
    // until you set push_speed. Joints that are pulled open close at 1/20 of it. Jointed bodies are
    // not moved: their contacts push them apart at 1/10 of it, and they may become faster than
    // that.
    float push_speed;
    // 1 m/s: slower impacts do not bounce. Contacts without restitution, too, are solved as impacts
    // only above this speed. So do not raise it to prevent bounces: set the restitution to 0.
    float restitution_threshold;
    float hit_threshold; // 1 m/s: slower impacts raise no hit event
    float sleep_speed;   // 0.05 m/s: a body slower than this is at rest
    float sleep_time;    // 0.5 s at rest before an island falls asleep
} cn_tuning;

cn_tuning cn_world_tuning(const cn_world *world);
bool cn_world_set_tuning(cn_world *world, const cn_tuning *tuning); // wakes everything

// ------------------------------------------------------------------------------------------ bodies

/*     cn_body_def def = {.position = {{0, 5}}, .velocity = {{3, 0}}};
 *     cn_body ball = cn_body_create(world, &def);
 *     cn_shape_create(world, ball, &(cn_shape_def){.hull = cn_circle(0.5f)});
 *     cn_body_apply_center_impulse(world, ball, (vec2s){{0, 4}}); // N s: a kick upwards
 *     cn_world_step(world, 1.0f / 60);
 *     vec2s p = cn_body_position(world, ball), v = cn_body_velocity(world, ball);
 *     printf("at (%g, %g) with (%g, %g) m/s\n", p.x, p.y, v.x, v.y);
 */

typedef enum {
    CN_DYNAMIC,   // moved by forces, contacts and joints
    CN_KINEMATIC, // moved by its velocity only; pushes dynamic bodies
    CN_STATIC,    // never moves by itself
} cn_body_type;

typedef struct {
    cn_body_type type;
    vec2s position; // of the body's origin, world
    float angle;
    vec2s velocity;                     // of the centre of mass, m/s; x and y up to 1e9
    float angular_velocity;             // rad/s, up to 1e9
    float linear_damping;               // 1/s, >= 0: the velocity decays by this rate
    float angular_damping;              // 1/s, >= 0
    float gravity_scale;                // 0: 1
    float speed_limit;                  // greatest linear speed, m/s; 0: none
    float sleep_speed;                  // at rest below this speed, m/s; 0: that of cn_tuning
    bool weightless;                    // gravity scale 0
    bool lock_x, lock_y, lock_rotation; // never moves along or turns about that axis
    bool bullet;                        // swept more often: cn_body_set_bullet()
    bool no_sleep;
    bool asleep;        // created asleep
    bool disabled;      // created disabled
    uint64_t user_data; // for a pointer: (uint64_t)(uintptr_t)pointer
} cn_body_def;

// In this section, "wakes its neighbours" means: wakes the bodies that touch it or nearly do, and
// the bodies that joints hold to it.

// Creates a body without shapes. As long as a dynamic body has no shapes, it moves as a point of
// 1 kg times length_unit^2.
cn_body cn_body_create(cn_world *world, const cn_body_def *def);
// Destroys a body with its shapes, joints and grids. Wakes its neighbours.
bool cn_body_destroy(cn_world *world, cn_body body);

bool cn_body_valid(const cn_world *world, cn_body body);

cn_body_type cn_body_get_type(const cn_world *world, cn_body body);
// Changes the type. Velocities stay; those of a static body become 0. Wakes its neighbours. Fails
// if the body has a grid of tiles, or if it would be dynamic and all its shapes have no mass.
bool cn_body_set_type(cn_world *world, cn_body body, cn_body_type type);

// Poses and positions are those of the body's origin.
cn_pose cn_body_pose(const cn_world *world, cn_body body);
vec2s cn_body_position(const cn_world *world, cn_body body);
float cn_body_angle(const cn_world *world, cn_body body);  // -pi..pi
vec2s cn_body_center(const cn_world *world, cn_body body); // centre of mass, world
// Teleports the body: it hits nothing on the way and keeps its velocity. Wakes it, and its
// neighbours at the old and the new place.
bool cn_body_set_pose(cn_world *world, cn_body body, vec2s position, float angle);
// Returns the pose between the last two steps, for drawing with cn_world_advance(). After
// cn_world_step() it is the pose itself. cn_world_bodies() writes the poses of all bodies.
cn_pose cn_body_drawn_pose(const cn_world *world, cn_body body);
// Gives a kinematic body the velocities that take it to a pose in `seconds` (> 0), by the shorter
// turn. The body keeps these velocities. So call this before every step (see "callbacks") with the
// time of the step, or stop the body when it arrives. If you call it once per frame of
// cn_world_advance() with the time of the frame, the body is at most one step late. Wakes the
// neighbours of a body that moves. Fails if the body is not kinematic.
bool cn_body_set_target(cn_world *world, cn_body body, vec2s position, float angle, float seconds);

// Linear velocities are those of the centre of mass, in m/s; angular velocities are in rad/s.
// Setting a velocity other than 0 wakes the body, and the neighbours of a kinematic body. It fails
// if the body is static, or if x, y or the angular velocity would be beyond 1e9 in either
// direction.
vec2s cn_body_velocity(const cn_world *world, cn_body body);
bool cn_body_set_velocity(cn_world *world, cn_body body, vec2s velocity);
float cn_body_angular_velocity(const cn_world *world, cn_body body);
bool cn_body_set_angular_velocity(cn_world *world, cn_body body, float angular_velocity);
// Returns the velocity of the body's material at a point of the world.
vec2s cn_body_velocity_at(const cn_world *world, cn_body body, vec2s point);

// Forces (N) and torques (N m) add up, act during the next step that moves time, and are then
// cleared. Impulses (N s, N m s) act at once. Points are in the world. Each of these calls wakes
// the body, even if the force or impulse is zero, and fails if the body is not dynamic or is
// disabled. A frame of cn_world_advance() takes no step, one or several, so apply forces in
// before_step: see "callbacks".
bool cn_body_apply_force(cn_world *world, cn_body body, vec2s force, vec2s point);
bool cn_body_apply_center_force(cn_world *world, cn_body body, vec2s force);
bool cn_body_apply_torque(cn_world *world, cn_body body, float torque);
bool cn_body_apply_impulse(cn_world *world, cn_body body, vec2s impulse, vec2s point);
bool cn_body_apply_center_impulse(cn_world *world, cn_body body, vec2s impulse);
bool cn_body_apply_angular_impulse(cn_world *world, cn_body body, float impulse);

// The mass of a dynamic body follows from its shapes until you set it, and again after
// cn_body_reset_mass(). Static and kinematic bodies have no mass unless you set it: zeros, with the
// centre at their origin. Setting wakes the body.
cn_mass cn_body_mass(const cn_world *world, cn_body body);
// The mass is 1e-36..1e36. The inertia has the same range, or is 0: then the body does not turn.
bool cn_body_set_mass(cn_world *world, cn_body body, cn_mass mass);
bool cn_body_reset_mass(cn_world *world, cn_body body);

// Damping and speed limit wake nothing. The gravity scale wakes the body.
bool cn_body_set_damping(cn_world *world, cn_body body, float linear, float angular); // 1/s
float cn_body_linear_damping(const cn_world *world, cn_body body);
float cn_body_angular_damping(const cn_world *world, cn_body body);
bool cn_body_set_gravity_scale(cn_world *world, cn_body body, float scale);
float cn_body_gravity_scale(const cn_world *world, cn_body body);
bool cn_body_set_speed_limit(cn_world *world, cn_body body, float limit); // m/s; 0: none
float cn_body_speed_limit(const cn_world *world, cn_body body);
// Locks axes of the world, along which the body never moves, or its rotation. Along a lock the body
// bounces like a wall, and it carries any load on its joints. It does not carry heavy bodies that
// touch it: see "limits". Wakes the body.
bool cn_body_set_locks(cn_world *world, cn_body body, bool x, bool y, bool rotation);
void cn_body_locks(const cn_world *world, cn_body body, bool *x, bool *y, bool *rotation);

// Continuous collision is always on. A dynamic body that moves by more than its inner radius in a
// step is swept along its path. (The inner radius is that of the largest circle about the middle of
// its smallest shape that fits into the shape.) Against static shapes, a quarter of the inner
// radius is enough, if that is more than tuning.speculative_margin. Where the body hits something,
// it stops for the rest of the step and keeps its velocity. So no body passes static shapes, at any
// speed, and no body in free flight passes a moving one. A kinematic body carries along the bodies
// that it hits. For bodies that touch others already, see "limits".
//
// A bullet is swept against all shapes if it moves by more than a quarter of its inner radius, so
// it also stops before a deep overlap with a moving body. Setting it wakes nothing.
bool cn_body_set_bullet(cn_world *world, cn_body body, bool bullet);
bool cn_body_bullet(const cn_world *world, cn_body body);

// Sleep: an island (dynamic bodies connected by contacts or joints) that has been at rest for a
// while is not simulated. It sleeps and wakes as a whole. It wakes when a moving body touches it;
// when a call sets a velocity other than 0, or applies a force or impulse, even of 0; when a shape
// beside it is created, destroyed, moved or changed; and when its joints or gravity change.
// Queries, overlaps with sensors, user data, damping, speed limits, substeps, and bodies that pass
// by wake nothing. There are two exceptions: a field that moves wakes the bodies inside, and a call
// that creates, destroys, moves or changes a sensor wakes the bodies beside it, as for any other
// shape. A body that a call woke is awake for cn_body_awake() at once, and moves in the next step.
//
// Putting a body to sleep puts its island to sleep. Fails if the body is not dynamic or is
// disabled. Putting it to sleep also fails if the world or a body of the island never sleeps, if a
// change is about to wake the island, or if a moving kinematic body touches or pulls the island.
bool cn_body_set_awake(cn_world *world, cn_body body, bool awake);
bool cn_body_awake(const cn_world *world, cn_body body);
bool cn_body_set_no_sleep(cn_world *world, cn_body body, bool no_sleep); // true wakes the body
bool cn_body_no_sleep(const cn_world *world, cn_body body);
bool cn_body_set_sleep_speed(cn_world *world, cn_body body, float speed); // >= 0; wakes nothing
float cn_body_sleep_speed(const cn_world *world, cn_body body);

// Lets the body pass all one-way shapes for some seconds (0: no longer), also those that it stands
// on. Wakes the body.
bool cn_body_drop_through(cn_world *world, cn_body body, float seconds);

// A disabled body keeps its state but does not move, and nothing touches it. Setting wakes the
// neighbours.
bool cn_body_set_enabled(cn_world *world, cn_body body, bool enabled);
bool cn_body_enabled(const cn_world *world, cn_body body);

bool cn_body_set_user_data(cn_world *world, cn_body body, uint64_t user_data);
uint64_t cn_body_user_data(const cn_world *world, cn_body body);

// ------------------------------------------------------------------------------------------ shapes

/*     cn_shape_def rubber = {.hull = cn_circle(0.3f), .density = 1.1f, .hit_events = true};
 *     rubber.material = (cn_material){.friction = 0.9f, .restitution = 0.8f};
 *     rubber.filter = (cn_filter){.category = 2, .mask = 1 | 4}; // not with other rubber
 *     cn_shape_create(world, crate, &rubber);
 *
 *     // A platform, solid from above only, and a sensor above it, placed in the body's frame.
 *     cn_hull slab = cn_box(2, 0.1f), zone = cn_box(2, 1);
 *     cn_shape_create(world, ground, &(cn_shape_def){
 *         .hull = cn_hull_at(&slab, cn_pose_at((vec2s){{6, 3}}, 0)), .one_way = {{0, 1}}});
 *     cn_shape_create(world, ground, &(cn_shape_def){
 *         .hull = cn_hull_at(&zone, cn_pose_at((vec2s){{6, 4.1f}}, 0)), .sensor = true});
 */

// How a property of two shapes that touch is mixed. If the shapes have two rules, the later one in
// this list counts. (The rules are those of Rapier.)
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
    float rolling_resistance; // of rounded shapes, as a fraction of the radius. Two mix as the
                              // larger
    float surface_speed;      // m/s, a conveyor; clockwise around the shape: its upper side runs to
                              // the right. Two add up
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
    float attraction; // m^3/s^2, within +-1e18: at the distance r from the centroid of the sensor's
                      // hull, the acceleration is attraction / r^2, towards the centroid; negative:
                      // away from it
    float floor; // m, 0..1e9; 0: 0.1 (times length_unit). At distances r below it, the acceleration
                 // is attraction * r / floor^3, as inside a planet of this radius
} cn_medium;

typedef struct {
    cn_hull hull;  // in the frame of the body; cn_hull_at() moves it
    float density; // kg/m^2; 0: 1
    cn_material material;
    cn_filter filter;
    bool massless;        // density 0; a dynamic body needs another shape with mass
    bool no_collision;    // collides with nothing
    bool hit_events;      // contacts of this shape raise cn_hit_event
    bool no_touch_events; // contacts of this shape raise no cn_touch_event
    bool sensor;   // overlaps raise cn_sensor_event, and it touches nothing. It has mass like any
                   // shape: set .massless too
    vec2s one_way; // not zero: solid only for shapes that come from this side, a direction in the
                   // frame of the body. Other shapes pass until the two have parted
    cn_medium medium; // of a sensor; needs the part fields
    uint64_t user_data;
} cn_shape_def;

// In this section and the next, "wakes" means: wakes the body of the shape, and the bodies that
// touch the shape or nearly do.

// Setting a filter, sensor or one-way direction to its present value does nothing.

// An edit that may move the centre of mass of a dynamic body also wakes its neighbours. The mass
// of a body with several shapes is not computed in each edit, but in the next step or in the first
// call that needs it. So creating or destroying n shapes takes time in proportion to n.

// Adds a shape to a body and updates the mass of the body. Wakes. A segment has no area and no
// mass, so a dynamic body with a segment needs another shape with mass.
cn_shape cn_shape_create(cn_world *world, cn_body body, const cn_shape_def *def);
bool cn_shape_destroy(cn_world *world, cn_shape shape); // updates the body's mass; wakes
bool cn_shape_valid(const cn_world *world, cn_shape shape);

cn_body cn_shape_body(const cn_world *world, cn_shape shape);
cn_hull cn_shape_hull(const cn_world *world, cn_shape shape); // in the frame of the body
// Updates the mass of the body, begins new contacts, and wakes.
bool cn_shape_set_hull(cn_world *world, cn_shape shape, const cn_hull *hull);
float cn_shape_density(const cn_world *world, cn_shape shape);
// Updates the mass of the body and wakes the body. kg/m^2, >= 0.
bool cn_shape_set_density(cn_world *world, cn_shape shape, float density);
cn_material cn_shape_material(const cn_world *world, cn_shape shape);
// Applies to existing contacts too. Wakes.
bool cn_shape_set_material(cn_world *world, cn_shape shape, cn_material material);
cn_filter cn_shape_filter(const cn_world *world, cn_shape shape);
// Ends the contacts of the shape, and begins those that the new filter allows. Wakes.
bool cn_shape_set_filter(cn_world *world, cn_shape shape, cn_filter filter);
bool cn_shape_hit_events(const cn_world *world, cn_shape shape);
bool cn_shape_set_hit_events(cn_world *world, cn_shape shape, bool hit_events); // wakes
// Sets whether contacts of this shape raise begin and end events. A contact raises both, or none if
// one of its two shapes had them off when it began. Setting wakes nothing and has no effect on
// existing contacts, so every begin event still has its end event. Sensor and hit events are not
// affected.
bool cn_shape_touch_events(const cn_world *world, cn_shape shape);
bool cn_shape_set_touch_events(cn_world *world, cn_shape shape, bool touch_events);
bool cn_shape_sensor(const cn_world *world, cn_shape shape);
// Wakes. False fails for a field: first set its medium to all zeros.
bool cn_shape_set_sensor(cn_world *world, cn_shape shape, bool sensor);
// Writes the shapes that overlapped a sensor after the last step, in slot order.
int cn_shape_overlaps(const cn_world *world, cn_shape sensor, cn_shape *shapes, int capacity);
vec2s cn_shape_one_way(const cn_world *world, cn_shape shape);
bool cn_shape_set_one_way(cn_world *world, cn_shape shape, vec2s direction); // zero: solid; wakes
bool cn_shape_set_user_data(cn_world *world, cn_shape shape, uint64_t user_data);
uint64_t cn_shape_user_data(const cn_world *world, cn_shape shape);
cn_bounds cn_shape_bounds(const cn_world *world, cn_shape shape); // tight, world
// True if a point of the world is in the shape. For all shapes at a point use cn_world_at().
bool cn_shape_contains(const cn_world *world, cn_shape shape, vec2s point);
// Casts a ray in the world. Hits segments of chains from both sides, unlike cn_world_cast_ray().
cn_ray_hit cn_shape_cast_ray(const cn_world *world, cn_shape shape, vec2s origin,
                             vec2s translation);

// ------------------------------------------------------------------------------------------ chains

/*     cn_body hill = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
 *     vec2s points[] = {{{30, 0}}, {{20, 4}}, {{10, 1}}, {{0, 0}}}; // right to left: solid below
 *     cn_chain chain = cn_chain_create(world, hill, &(cn_chain_def){.points = points, .count = 4});
 *     for (cn_shape s = {0}; (s = cn_chain_next_segment(world, chain, s)).id;)
 *         cn_shape_set_hit_events(world, s, true);
 */

/* Smooth ground. Shapes of static bodies, or of one kinematic body, that touch and have the same
 * filter and radius are one surface. A box slides over the seams of a floor of tiles as over one
 * long box, and edges inside the ground are not felt. This is always on. Gaps and steps of up to
 * 0.0025 m (times length_unit) are no edges. You may create, destroy, change and move the shapes at
 * any time: contacts with the others continue. "limits" says when shapes do not join.
 *
 * A chain is an outline of segments that is solid on one side only: on the left, when going from
 * point to point. So list the points of a floor from right to left, of a rock counter-clockwise
 * (closed), and of a cave clockwise. A body whose centre is on the solid side passes through.
 *
 * Each segment is a shape of the body, so events, materials, filters and everything else work
 * segment by segment. Chains, segments and tiles that touch join smoothly, too. */
typedef struct {
    // In the frame of the body, neighbours at least 0.005 m (times length_unit) apart.
    const vec2s *points;
    int count;                    // at least 2, or 3 if closed
    bool closed;                  // one more segment, from the last point to the first
    cn_material material;         // of all segments,
    const cn_material *materials; // or of each: as many as segments
    cn_filter filter;
    bool hit_events, no_touch_events; // as in cn_shape_def
    uint64_t user_data;               // of each segment
} cn_chain_def;

// Adds a chain to a body that is static or kinematic, and wakes. If it fails, it has made no
// segment.
cn_chain cn_chain_create(cn_world *world, cn_body body, const cn_chain_def *def);
bool cn_chain_destroy(cn_world *world, cn_chain chain); // all segments that are left; wakes
// Goes through the segments in order: null gives the first one, and the last one gives null.
cn_shape cn_chain_next_segment(const cn_world *world, cn_chain chain, cn_shape previous);
cn_chain cn_shape_chain(const cn_world *world, cn_shape shape); // null if it is no segment

// ------------------------------------------------------------------------------------------- tiles

// Part: tiles.

/*     static const uint8_t solid[] = {1, 1, 1, 1, // the lowest row
 *                                     1, 0, 0, 1};
 *     cn_body cave = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
 *     cn_tiles tiles = cn_tiles_create(world, cave, &(cn_tiles_def){
 *         .solid = solid, .width = 4, .height = 2, .tile_size = 1});
 *     cn_tiles_set(world, tiles, 2, 0, false); // digs a hole
 */

/* A grid of square tiles, each solid or empty: smooth ground from a bitmap, with four bytes per
 * tile. It belongs to a static body, which may be moved, turned and disabled. A grid joins other
 * static shapes that touch it. Tiles that are surrounded by solid ones are not felt.
 *
 * Steps give shapes to solid tiles near moving bodies and sensors, and take them back later.
 * Iteration skips these shapes, and they cannot be changed. Events and contacts name the grid and
 * the tile: see cn_side.
 *
 * A tile may also be a slope of 45 degrees, have one of up to 16 materials, and be one-way. A grid
 * with such tiles takes five bytes per tile. Tiles of all forms and materials join:
 *
 *     const cn_tile o = {0}, x = {.solid = true}, ice = {.solid = true, .material = 1};
 *     const cn_tile up = {.solid = true, .form = CN_TILE_RISES_RIGHT};
 *     const cn_tile map[] = {x,  x, ice, ice, // the lowest row
 *                            up, x, o,   o};
 *     const cn_material materials[] = {{.friction = 0.8f}, {.friction = 0.02f}};
 *     cn_tiles_create(world, cave, &(cn_tiles_def){
 *         .tiles = map, .width = 4, .height = 2, .tile_size = 1,
 *         .materials = materials, .material_count = 2}); */

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
    uint8_t material; // index in cn_tiles_def.materials
    bool one_way;     // solid only for shapes that come from cn_tiles_def.one_way. One-way tiles
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
    uint64_t user_data;               // becomes cn_side.shape_user_data
    bool hit_events, no_touch_events; // as in cn_shape_def
} cn_tiles_def;

// Adds a grid to a static body, which stays static as long as it has a grid. Wakes the bodies that
// sleep there.
cn_tiles cn_tiles_create(cn_world *world, cn_body body, const cn_tiles_def *def);
// Destroys the grid and wakes the bodies that sleep there. Destroying its body does the same.
bool cn_tiles_destroy(cn_world *world, cn_tiles tiles);
bool cn_tiles_valid(const cn_world *world, cn_tiles tiles);
cn_body cn_tiles_body(const cn_world *world, cn_tiles tiles);
int cn_tiles_width(const cn_world *world, cn_tiles tiles); // in tiles
int cn_tiles_height(const cn_world *world, cn_tiles tiles);
float cn_tiles_tile_size(const cn_world *world, cn_tiles tiles); // m
// Returns the lower left corner, in the frame of the body.
vec2s cn_tiles_origin(const cn_world *world, cn_tiles tiles);
// Makes a tile solid or empty; x counts from the left, y from below. Its form, material and one_way
// stay as they are. Contacts with the tile begin or end in the next step. Wakes the bodies that
// sleep beside it. Allocates nothing.
bool cn_tiles_set(cn_world *world, cn_tiles tiles, int x, int y, bool solid);
bool cn_tiles_get(const cn_world *world, cn_tiles tiles, int x, int y); // true if solid
// Does the same for all properties of a tile. A new form ends the contacts with the tile, and new
// ones begin in the next step. A new material applies to existing contacts. The first tile of a
// grid that is not a plain square with material 0 allocates a byte per tile, and fails if memory is
// short.
bool cn_tiles_set_tile(cn_world *world, cn_tiles tiles, int x, int y, cn_tile tile);
cn_tile cn_tiles_get_tile(const cn_world *world, cn_tiles tiles, int x, int y);
// Sets a material of the grid, also for existing contacts. Wakes the bodies on tiles that have it.
// Without cn_tiles_def.materials there is only material 0. Allocates nothing.
bool cn_tiles_set_material(cn_world *world, cn_tiles tiles, int index, cn_material material);
cn_material cn_tiles_material(const cn_world *world, cn_tiles tiles, int index);

// ------------------------------------------------------------------------------------------ fields

// Part: fields.

/*     // A pool of water, 8 m wide and 3 m deep, and a wind that blows to the right above it.
 *     cn_hull pool = cn_box(4, 1.5f), air = cn_box(4, 2);
 *     cn_shape water = cn_shape_create(world, ground, &(cn_shape_def){
 *         .hull = cn_hull_at(&pool, cn_pose_at((vec2s){{-20, -1.5f}}, 0)), .sensor = true,
 *         .medium = {.density = 2, .linear_drag = 1, .angular_drag = 1}});
 *     cn_shape_create(world, ground, &(cn_shape_def){
 *         .hull = cn_hull_at(&air, cn_pose_at((vec2s){{-20, 2}}, 0)), .sensor = true,
 *         .medium = {.linear_drag = 0.5f, .flow = {{6, 0}}}});
 *     cn_medium river = cn_shape_medium(world, water);
 *     river.flow = (vec2s){{1, 0}}; // 1 m/s to the right
 *     cn_shape_set_medium(world, water, river);
 */

/* A sensor with a medium is a field. In each step it acts on all shapes of dynamic bodies that
 * overlap it, if the filters of both shapes allow it. The forces follow from the exact area of the
 * shape that is inside. Sensors and segments feel no field. A field may belong to any body and
 * moves with it. It does not act on its own body, and no body acts back on it. The forces of
 * several fields add up.
 *
 *   density       Buoyancy: the weight of the medium that the part inside displaces acts upwards at
 *                 the centroid of this part. A box of half the density floats half submerged, on
 *                 its stable side.
 *   linear_drag   The velocity of the part inside decays exponentially to the velocity of the
 *                 medium. The velocity of the medium is that of the field's body plus `flow`. The
 *                 force acts at the centroid of the part, in proportion to its mass.
 *   angular_drag  Does the same for the rotation, in proportion to the fraction of the shape's area
 *                 that is inside.
 *   acceleration  The force is the acceleration times the mass of the part inside. It acts at the
 *                 centroid of this part. The same holds for `attraction`.
 *
 * The mass of a body is distributed over its shapes, except sensors, in proportion to their masses.
 *
 * The force of attraction is computed in each substep. The other forces are computed once a step,
 * for the pose in the middle of the step. This is the leapfrog method, with which floating bodies
 * and orbits keep their energy. Without drag, a body that falls into a medium of more than 20 times
 * its density gains energy. A body that passes the centre of an attraction keeps its energy if
 * `floor` is at least ten times the distance that the body moves in a substep there. With a smaller
 * `floor` the body may leave the centre too fast. Any density, drag and attraction is stable.
 *
 * Drag is proportional to the mass of the part inside, but buoyancy is proportional to the density
 * of the medium. So a light body bounces off water unless the drag is strong. A current carries a
 * light body slowly: if one tenth of it is inside, the drag acts on one tenth of its mass. A body
 * that consists of thin walls displaces only the area of its walls.
 *
 * The velocity under drag is exact if no contact or joint acts on the body. The drag is computed as
 * if none did. So the drag on a body that a joint or contact holds in a flow is at most the mass of
 * the body times the speed of the flow divided by the time step.
 *
 * A floating body falls asleep when it comes to rest. If it bobs slowly, its depth may then be
 * wrong by 1 cm: use a lower .sleep_speed. A body stays awake in a flow with drag, in a field that
 * moves, and while it falls in fields, however slowly. cn_world_energy() does not include the
 * energy of fields. */

// Sets the medium of a sensor. All zero: the sensor is no longer a field. Wakes the bodies inside.
// Fails if the shape is not a sensor, if a number is out of range, if the world has 65,536 fields
// already, or if memory is short.
bool cn_shape_set_medium(cn_world *world, cn_shape shape, cn_medium medium);
cn_medium cn_shape_medium(const cn_world *world, cn_shape shape);

// --------------------------------------------------------------------------------------- iteration

/*     // Destroys all bodies that fell out of the world. Gets the next body first.
 *     for (cn_body b = cn_world_next_body(world, (cn_body){0}), next; b.id; b = next) {
 *         next = cn_world_next_body(world, b);
 *         if (cn_body_position(world, b).y < -100) cn_body_destroy(world, b);
 *     }
 */

// A null handle gives the first object, and the last object gives a null handle. Objects of a world
// come in slot order, shapes of a body in the order of their creation. Shapes of tiles are skipped.
cn_body cn_world_next_body(const cn_world *world, cn_body previous);
cn_shape cn_world_next_shape(const cn_world *world, cn_shape previous);
cn_shape cn_body_next_shape(const cn_world *world, cn_body body, cn_shape previous);
cn_joint cn_world_next_joint(const cn_world *world, cn_joint previous);
cn_joint cn_body_next_joint(const cn_world *world, cn_body body, cn_joint previous);

// Return the object in a slot. Error texts name objects by their slots. If the slot is empty or has
// the shape of a tile, the handle is null, without an error. Fails if the slot is not in
// 0..16777214.
cn_body cn_world_body(const cn_world *world, int slot);
cn_shape cn_world_shape(const cn_world *world, int slot);
cn_joint cn_world_joint(const cn_world *world, int slot);
cn_tiles cn_world_grid(const cn_world *world, int slot);

// ------------------------------------------------------------------------------------------ joints

/*     cn_joint_def hinge = cn_revolute_joint(world, wall, door, (vec2s){{2, 1}});
 *     hinge.angle = (cn_coordinate){.mode = CN_LIMITED, .lower = 0, .upper = 1.57f};
 *     hinge.angle.motor = true, hinge.angle.speed = 1, hinge.angle.motor_force = 20; // rad/s, N m
 *     hinge.break_force = 5000;
 *     cn_joint joint = cn_joint_create(world, &hinge);
 *     cn_joint_set_speed(world, joint, CN_JOINT_ANGLE, -1); // closes the door again
 *
 *     cn_joint_def wheel = cn_wheel_joint(world, chassis, tyre, axle, (vec2s){{0, 1}});
 *     wheel.angle.motor = true, wheel.angle.speed = -10; // rad/s: clockwise, drives to the right
 *     wheel.angle.motor_force = 20;                      // N m
 *
 *     cn_joint_def winch = cn_revolute_joint(world, wall, drum, axle); // turns only one way
 *     winch.angle = (cn_coordinate){.mode = CN_LIMITED, .upper = 1e9f, .ratchet = 0.5f};
 */

/* A joint has a frame on each of its two bodies. Frame B seen from frame A has three coordinates: a
 * place (x, y) along the axes of frame A, and an angle. The joint controls each of them by itself:
 *
 *     CN_LOCKED    kept at `target`, rigidly
 *     CN_FREE      left alone
 *     CN_LIMITED   kept between `lower` and `upper`
 *
 * A coordinate that is not locked may also have a spring, a motor, or both. In a revolute joint the
 * angle is free, in a slider x is free, and in a weld all are locked. A definition of all zeros,
 * except for its bodies, welds their origins to each other. In a polar joint x is the distance of
 * the two anchors, and y is left alone.
 *
 * Joints are solved exactly, whatever the masses of their bodies: a chain does not stretch under
 * its load, and a beam of welds does not bend. Two kinds of joints are solved by iteration instead,
 * and yield to a load. The first are springs, ropes and motors that close a cycle. The second are
 * all joints of a net with many cycles. The number of cycles is the number of joints minus the
 * number of moving bodies, plus 1 if no joint leads to a static or kinematic body. Nets of up to 8
 * cycles are exact if the joints that close them are hinges without limit, spring or motor. With
 * other joints this is up to 5 cycles. For example, a hinged truss of two panels with crossed
 * diagonals has 6 cycles and is exact. One of three panels has 9 and is not.
 *
 * A field that would have no effect must be 0. Otherwise the call fails and names the field. Limits
 * and ratchets need CN_LIMITED, targets need CN_LOCKED or a spring, damping and forces of springs
 * need hertz, and speeds and forces of motors need .motor. The y of a polar joint must be {0} or
 * {.mode = CN_FREE}. To remove a motor or a spring, set the whole coordinate, for example to
 * {.mode = CN_FREE}.
 *
 * If the motors of x and y have the same greatest force, they share it: together they exert at most
 * this force, in any direction.
 *
 * The stiffness of a spring is computed for the pose in which the two frames coincide, at their
 * targets (for a polar joint: along their x axes). In this pose the two bodies swing at the hertz
 * of the spring if nothing else is joined to them. In every other pose the stiffness is the same. A
 * spring yields to a load. For example, a spring between a wheel of mass m and a mass M above the
 * wheel yields by (M + m) / m * g / (2 pi hertz)^2. At 4 Hz this is 17 cm if M is 10 times m.
 *
 * Lengths are in m, angles in rad (they count turns), forces in N and torques in N m. Lengths and
 * speeds are up to 1e9, hertz and damping ratios up to 1e6. */
typedef enum { CN_LOCKED, CN_FREE, CN_LIMITED } cn_coordinate_mode; // default: locked
typedef enum { CN_JOINT_X, CN_JOINT_Y, CN_JOINT_ANGLE } cn_joint_axis;

typedef struct {
    cn_coordinate_mode mode;
    float lower, upper;  // of CN_LIMITED, else 0; lower <= upper
    float target;        // value at which it is locked, or at which its spring is at rest; else 0
    float hertz;         // of the spring: undamped, for the masses of the two bodies; 0: no spring
    float damping_ratio; // of the spring; 0: swings for ever, 1: comes back without swinging
    float spring_force;  // greatest, of the spring; 0: unlimited
    bool motor;          // has a motor
    float speed;         // m/s or rad/s that the motor aims at; positive: b turns counter-clockwise
    float motor_force;   // greatest, of the motor; 0: unlimited. With speed 0 a motor is friction
    float ratchet;       // of CN_LIMITED, > 0: width of teeth; `lower` follows the coordinate up by
                         // teeth, to `upper`
} cn_coordinate;

typedef struct {
    cn_body a, b;
    cn_pose frame_a, frame_b; // in the frame of each body; a rotation of all zeros: not rotated
    cn_coordinate x, y, angle;
    bool polar;
    // a and b collide. Off: no shape of a meets a shape of b. cn_mouse_joint() and cn_motor_joint()
    // set it.
    bool collide_connected;
    bool disabled;     // does nothing, as if it were not there
    float break_force; // N: a greater force at the end of a step destroys the joint; 0: unbreakable
    // N m, of the angle; 0: unbreakable. An angle that is free, without spring, motor and coupling,
    // has no torque.
    float break_torque;
    uint64_t user_data;
    uint32_t failure; // if it could not be made: identifies the error of that call; else 0
} cn_joint_def;

// These calls make definitions of common joints. Change a definition as you like and pass it to
// cn_joint_create(). At the present poses of the bodies every coordinate is 0, except a distance.
// If such a call fails, its definition has no bodies, and cn_joint_create() refuses it with an
// error that repeats why the definition was not made.

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
// For dragging: pulls a point of b softly towards a point of a. Move the point of a with
// cn_joint_set_frames() (pass the frame_b of cn_joint_get() unchanged).
cn_joint_def cn_mouse_joint(const cn_world *world, cn_body a, cn_body b, vec2s point);
// Keeps b at rest relative to a, at b's centre of mass, with at most this force and torque (0:
// unlimited; for none set the coordinate to {.mode = CN_FREE}). Set speeds to drive b. The two
// bodies collide, so a may have walls.
cn_joint_def cn_motor_joint(const cn_world *world, cn_body a, cn_body b, float greatest_force,
                            float greatest_torque);
// Only keeps a and b from colliding.
cn_joint_def cn_filter_joint(const cn_world *world, cn_body a, cn_body b);

// Creates a joint and wakes both bodies. Fails if both bodies are the same, if `lower` is above
// `upper`, if the greatest length of a polar joint is 0 or less, or if a field would have no effect
// (see above).
cn_joint cn_joint_create(cn_world *world, const cn_joint_def *def);
// Destroys a joint and wakes both bodies. Destroying one of the bodies does the same. If the bodies
// overlap, see "limits".
bool cn_joint_destroy(cn_world *world, cn_joint joint);
bool cn_joint_valid(const cn_world *world, cn_joint joint);

// Returns the joint as it is now, with the limit that a ratchet has reached.
cn_joint_def cn_joint_get(const cn_world *world, cn_joint joint);
// All setters of this section wake both bodies, and fail for values that cn_joint_create() would
// refuse. The user data wakes nothing.
bool cn_joint_set_coordinate(cn_world *world, cn_joint joint, cn_joint_axis axis,
                             const cn_coordinate *coordinate);
// Set the speed of a motor, or the target of a lock or spring. These calls are cheap, for control
// in every step. They keep the impulses, and wake nothing if the value is the same as before. They
// fail if the coordinate has no motor (speed), or has no spring and is not locked (target). To make
// a motor follow an angle, set its speed, in rad/s, to 10 times the error in every step. A lock
// moves the body to the target without giving it a velocity, so objects that stand on the body sink
// into it. For a lift, use a motor or a kinematic body.
bool cn_joint_set_speed(cn_world *world, cn_joint joint, cn_joint_axis axis, float speed);
bool cn_joint_set_target(cn_world *world, cn_joint joint, cn_joint_axis axis, float target);
bool cn_joint_set_frames(cn_world *world, cn_joint joint, cn_pose frame_a, cn_pose frame_b);
bool cn_joint_set_polar(cn_world *world, cn_joint joint, bool polar);
bool cn_joint_set_collide_connected(cn_world *world, cn_joint joint, bool collide);
bool cn_joint_set_enabled(cn_world *world, cn_joint joint, bool enabled);
bool cn_joint_set_break(cn_world *world, cn_joint joint, float force, float torque);
bool cn_joint_set_user_data(cn_world *world, cn_joint joint, uint64_t user_data);
uint64_t cn_joint_user_data(const cn_world *world, cn_joint joint);

// Return where a coordinate is and how fast it changes. (The angle of a joint that holds no dynamic
// body counts no turns.)
float cn_joint_value(const cn_world *world, cn_joint joint, cn_joint_axis axis);
float cn_joint_speed(const cn_world *world, cn_joint joint, cn_joint_axis axis);
// Return the load that the joint exerted on b in the last substep: a force in the world, and a
// torque about its anchor.
vec2s cn_joint_force(const cn_world *world, cn_joint joint);
float cn_joint_torque(const cn_world *world, cn_joint joint);

// --------------------------------------------------------------------------------------- couplings

/*     // A gear of radius 2 drives one of radius 1, which turns twice as far, the other way round.
 *     cn_coupling gears = {.other = small_gear, .axis = CN_JOINT_ANGLE,
 *                          .other_axis = CN_JOINT_ANGLE, .ratio = 1.0f / 2};
 *     cn_joint_set_coupling(world, large_gear, gears);
 */

/* Couples a coordinate q of a joint with a coordinate q' of another joint: q + ratio q' stays as it
 * is now.
 *
 *     gears             the angles of two revolute joints; ratio r'/r, which turns them against
 *                       each other (negative: both turn the same way)
 *     rack and pinion   an angle and an x; the ratio is the inverse of the radius
 *     pulley            the lengths of two polar joints; ratio 1, with slack: the sum may become
 *                       smaller, like that of a rope
 *
 * Both joints must hold a dynamic body. A joint owns at most one coupling. The force and torque of
 * the owner include those of the coupling, also for breaking. Those of the other joint do not. */
typedef struct {
    cn_joint other; // null: no coupling
    cn_joint_axis axis, other_axis;
    float ratio; // not 0, within +-1e6
    bool slack;
} cn_coupling;

// Wakes the bodies of both joints.
bool cn_joint_set_coupling(cn_world *world, cn_joint joint, cn_coupling coupling);
cn_coupling cn_joint_get_coupling(const cn_world *world, cn_joint joint);

// ------------------------------------------------------------------------------------------ events

/*     cn_events events = cn_world_events(world); // after a step
 *     for (int i = 0; i < events.hit_count; i++) // of shapes with .hit_events
 *         play_thud(events.hits[i].point, events.hits[i].approach_speed);
 *     for (int i = 0; i < events.begin_count; i++)
 *         printf("%llu touches %llu\n", (unsigned long long)events.begins[i].a.body_user_data,
 *                (unsigned long long)events.begins[i].b.body_user_data);
 */

// One side of a contact. In an end event the handles may be those of destroyed objects.
typedef struct {
    cn_body body;
    cn_shape shape; // of a tile: only a name, until a step takes the tile's shape back
    uint64_t body_user_data, shape_user_data;
    cn_tiles tiles; // the grid, if the shape is a tile; else null
    int tile;       // its y * width + x; else -1
} cn_side;

typedef struct {
    cn_side a, b;
    vec2s point;  // world; where they meet, or will meet (begin only)
    vec2s normal; // unit, from A to B (begin only)
} cn_touch_event;

// A sensor sees the shapes of all other bodies, also of sleeping and static ones, and other
// sensors, if the filters of both allow it. If a shape passes through the sensor within one step,
// that step has both events. A step measures a pair only if one of the two shapes moved or was
// changed. So pairs of a sensor at rest with shapes at rest cost nothing.
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

// A body whose pose differs from its pose after the previous step, because the body was awake, is a
// moving kinematic body, or was moved by cn_body_set_pose() between the steps. A body that falls
// asleep in the step raises one more event, even if it did not move, and then none until it wakes.
// A new body raises its first event when it moves. A body that was destroyed after the step raises
// none.
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
// cn_world_advance() they are the events of all the steps that it took; if it took no step, there
// are none. Every begin event has its end event, even if a shape is destroyed. A step that cannot
// get memory for its events succeeds, but hits, sleep and sensor events may be missing: see
// "limits".
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

// Returns the events. The arrays belong to the world and are valid until the next step or
// cn_world_events(), so you may destroy bodies while you read them. Fails, and returns all zeros,
// if memory is short; then call it again.
cn_events cn_world_events(cn_world *world);

// ---------------------------------------------------------------------------------------- contacts

/*     cn_ground under = cn_body_ground(world, player, (vec2s){{0, 1}}, 0.7f); // up to 45 degrees
 *     float rise = cn_body_velocity(world, player).y - under.velocity.y;
 *     if (under.found && rise < 0.5f && jump_pressed) // the first step of a jump still finds it
 *         cn_body_apply_center_impulse(world, player, (vec2s){{0, 300}});
 *
 *     cn_contact contacts[8];
 *     int count = cn_body_contacts(world, player, contacts, 8);
 *     for (int i = 0; i < count && i < 8; i++) // normals point away from the player
 *         contacts[i] = cn_contact_seen_from(contacts[i], player);
 */

// A contact of two shapes. Its manifold has 1 or 2 points.
//
// Two shapes touch if the gap between them is at most tuning.speculative_margin (0.02 m). So a body
// that flies past at 1 cm touches, without a force: to react to impacts, use hit events. Contacts
// are those that the last step found before it moved the bodies. So in the first step of a jump the
// body still touches the ground, and an end event comes one step after the shapes parted.
typedef struct {
    cn_side a, b;
    cn_manifold manifold;
    // Its own values, as they follow from the materials. What pre_solve changes is not in them.
    float friction, restitution;
    // m/s: the sum of both surface speeds. Friction drives b past a at this speed along
    // (normal.y, -normal.x): to the right if b stands on a.
    float surface_speed;
} cn_contact;

// Writes the touching contacts, of sleeping bodies too. A second point that is farther apart than
// tuning.speculative_margin is left out.
int cn_world_contacts(const cn_world *world, cn_contact *contacts, int capacity);

// Writes the touching contacts of one body, which may be either side of them.
//
// This function, cn_touching() and cn_body_ground() use an index. The first of these calls after a
// step makes it, and allocates memory for it; the call fails if memory is short. No other function
// of a const world allocates memory. Several threads may call them at once.
int cn_body_contacts(const cn_world *world, cn_body body, cn_contact *contacts, int capacity);
// True if two bodies have a touching contact. Its shapes may still be apart, by a gap of up to
// tuning.speculative_margin.
bool cn_touching(const cn_world *world, cn_body a, cn_body b);

// Returns the contact with the body as side a. If the body is side b, the two sides change places:
// the normal then points from the body to the other one, and ids and reference side change
// accordingly. Fails, and returns all zeros, if the body is neither side.
cn_contact cn_contact_seen_from(cn_contact contact, cn_body body);

typedef struct {
    bool found;
    cn_side side; // the shape that the body stands on
    vec2s point;  // world; half way between two contact points
    vec2s normal; // unit, from the ground to the body
    // m/s of the ground's surface at the point, with the surface_speed of its material
    vec2s velocity;
} cn_ground;

// Finds the ground on which a body stands after the last step: the touching contact whose normal
// (towards the body) has the greatest cosine with `up`, if this cosine is at least `least_cosine`.
// With up = (0, 1) and 0.7 the ground is no steeper than 45 degrees. If several contacts are equal,
// the first one in cn_body_contacts() wins. Sensors and contacts that pre_solve disabled do not
// count. `up` has any length except 0; `least_cosine` is -1..1.
cn_ground cn_body_ground(const cn_world *world, cn_body body, vec2s up, float least_cosine);

// --------------------------------------------------------------------------------------- callbacks

/*     void before_step(cn_world *world, float time_step, void *user) {
 *         game *g = user; // yours
 *         g->time += time_step;
 *         cn_body_apply_center_force(world, g->player, (vec2s){{40 * g->stick, 0}});
 *         cn_body_set_target(world, g->lift, (vec2s){{8, 3 + 2 * sinf(g->time)}}, 0, time_step);
 *     }
 *
 *     // The lake is ice as long as the game says so.
 *     cn_pre_solve_result pre_solve(cn_world *world, const cn_contact *contact, void *user) {
 *         const game *g = user;
 *         bool lake = contact->a.body.id == g->lake.id || contact->b.body.id == g->lake.id;
 *         if (!lake || !g->frozen) return (cn_pre_solve_result){0}; // as usual
 *         return (cn_pre_solve_result){.changed = true,
 *                                      .friction = 0.02f,
 *                                      .restitution = contact->restitution,
 *                                      .surface_speed = contact->surface_speed};
 *     }
 *
 *     cn_world_set_callbacks(world, (cn_callbacks){
 *         .pre_solve = pre_solve, .before_step = before_step, .user = &my_game});
 */

// What a touching contact does in this step. All zero: it acts as usual. The three values are
// literal, and replace those of cn_contact for this step only.
typedef struct {
    bool disabled;       // the contact does not act
    bool changed;        // the contact has the values below
    float friction;      // >= 0
    float restitution;   // 0..1
    float surface_speed; // m/s, with the sign of cn_contact.surface_speed
} cn_pre_solve_result;

/* before_step runs before each step of cn_world_advance(). Use it for values that are set in every
 * step: forces, targets of kinematic bodies, speeds of motors. cn_world_step() does not call it. It
 * may change the world, also destroy bodies. It must not step, restore or destroy the world, or
 * begin or end a recording. If a step fails, before_step has run already, and runs again for the
 * next attempt.
 *
 * filter and pre_solve run within a step. They may read the world; a call that would change it
 * fails with CN_ERROR_STATE. To destroy a body that they find, remember it, and do it after the
 * step. Platforms, conveyors and sensors need neither.
 *
 * filter      Returns whether two shapes may collide at all, if cn_filter allows it. Called when
 *             their boxes begin to overlap, again when a sleeping body wakes, and for shapes ahead
 *             of a fast body. For a sensor and a shape near it, called in each step in which one of
 *             the two moved or was changed, and in the step after cn_world_set_callbacks(). So its
 *             answer must not change from step to step.
 * pre_solve   Returns what a touching contact does in this step: it acts as usual, does not act, or
 *             has another friction, restitution and surface speed. Called in every step for awake
 *             contacts, in the order of cn_world_contacts(). Not called for sleeping contacts: if
 *             the answer for one changes, wake its body. If a contact is disabled, a fast body
 *             still stops at the other shape for the rest of a step before it passes through. If a
 *             value is out of its range, the contact keeps its own three values, the step goes on,
 *             and cn_error() has the reason.
 *
 * Two dynamic bodies that get restitution only from pre_solve may overlap before they bounce, by
 * the distance that they approach in a step.
 *
 * pre_solve takes time even if it returns zeros. With it, a step of a pyramid of 465 boxes executes
 * 1.6 times the instructions. More than half of the additional ones are the calls. The others
 * solve every contact as one with restitution and a moving surface. */
typedef struct {
    bool (*filter)(cn_world *world, cn_shape a, cn_shape b, void *user);
    cn_pre_solve_result (*pre_solve)(cn_world *world, const cn_contact *contact, void *user);
    void (*before_step)(cn_world *world, float time_step, void *user);
    void *user;
} cn_callbacks;

// Replaces all callbacks. NULL: none.
bool cn_world_set_callbacks(cn_world *world, cn_callbacks callbacks);

// ----------------------------------------------------------------------------------------- queries

// Part: queries.

/*     const cn_query others = {.ignore = player};
 *     vec2s eye = cn_body_center(world, player), gaze = {{20, 0}};
 *     cn_world_hit hit = cn_world_cast_ray(world, eye, gaze, &others);
 *     if (hit.hit) printf("a wall in %g m\n", hit.fraction * 20);
 *
 *     cn_side sides[16];
 *     int count = cn_world_at(world, mouse, NULL, sides, 16);
 *     printf("%d shapes lie under the mouse\n", count);
 */

/* Queries of the whole world: the hits of a ray, the shapes at a point, the nearest shape.
 *
 * Results are exact for the present shapes, also right after a change and before any step. Shapes
 * of disabled bodies are left out. All shapes are solid. Shapes with .no_collision and one-way
 * shapes are seen from all sides. Sensors are seen only on request.
 *
 * A segment of a chain stops only rays that start on its open side, where bodies stand, and hulls
 * whose middle (the average of their vertices) starts there. Overlaps and distances see it from
 * both sides. Solid tiles of a grid are seen one by one, also the surrounded ones: their side has
 * .tiles and .tile, and its .shape is null. A slope is seen as a triangle. Shapes that touch are
 * separate, also on smooth ground: a ray through two of them hits both.
 *
 * Queries allocate nothing, wake nothing and do not change the hash. Callbacks may query, too.
 *
 * Shapes that share a point overlap. Bodies at rest overlap the ground: a single body by less than
 * tuning.slop, a tall stack by several slops. So to test whether a place is free for a body, make
 * the hull smaller by two slops on each side, and keep a character that you sweep yourself that far
 * away from walls (or use cn_world_move_hull(), which does). The gap of cn_world_nearest() is the
 * way out of an overlap.
 *
 * A wrong argument gives no hit or a count of 0, and cn_error() says why. */

// What a query sees. All zero: every shape that is not a sensor.
typedef struct {
    // Like the filter of a shape, except for zeros. .mask selects the categories that are seen; 0:
    // all. .category is that of the query itself, which the mask of a shape may exclude; 0: no mask
    // excludes it. Equal groups, if not zero, decide alone: a positive group is seen, a negative
    // one is not.
    cn_filter filter;
    // The shapes and tiles of this body are not seen; null: no body is ignored. A destroyed body is
    // an error, and then the query finds nothing.
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

typedef struct {
    bool hit;
    cn_side side;   // the shape or tile that was hit
    float fraction; // 0..1 of the translation
    vec2s point;    // world; on the surface that was hit
    // Unit, of that surface. Zero if the ray starts in or on the shape, or if the hull overlaps it
    // at the start. A hull that touches a shape at the start hits it at fraction 0, even if the
    // hull moves away: then the normal and the translation point the same way.
    vec2s normal;
} cn_world_hit;

// A ray from origin to origin + translation. If the translation is zero, the ray is a point.
typedef struct {
    vec2s origin, translation;
} cn_ray;

// In all these functions a query of NULL means all zero.

// Finds the nearest hit of a ray. If several hits have the same fraction, the shape with the lowest
// slot wins, and shapes come before tiles.
cn_world_hit cn_world_cast_ray(const cn_world *world, vec2s origin, vec2s translation,
                               const cn_query *query);
// Writes all shapes and tiles that a ray hits, sorted by fraction, then by slot. query->any is
// ignored.
int cn_world_cast_ray_all(const cn_world *world, vec2s origin, vec2s translation,
                          const cn_query *query, cn_world_hit *hits, int capacity);
// Writes the nearest hit of each of many rays, in the order of the rays. Rays that start near each
// other cost less together. The work is spread over the threads of the world, unless another call
// uses them. If an argument is bad, it returns false and writes no hit.
bool cn_world_cast_rays(const cn_world *world, const cn_ray *rays, int count, const cn_query *query,
                        cn_world_hit *hits);
// Finds the first shape or tile that a hull touches while it moves along a sweep, straight or
// turning. Point and normal are on the shape that is hit.
cn_world_hit cn_world_cast_hull(const cn_world *world, const cn_hull *hull, const cn_sweep *sweep,
                                const cn_query *query);

// Writes all shapes, then all tiles, that overlap or touch a hull at a pose, by slot. A body with
// several shapes may come several times.
int cn_world_overlap(const cn_world *world, const cn_hull *hull, cn_pose pose,
                     const cn_query *query, cn_side *sides, int capacity);
// The same for shapes whose tight axis-aligned boxes overlap a box: cheaper and less exact.
int cn_world_overlap_bounds(const cn_world *world, cn_bounds bounds, const cn_query *query,
                            cn_side *sides, int capacity);
// The same for shapes that contain a point. Points on the edge count.
int cn_world_at(const cn_world *world, vec2s point, const cn_query *query, cn_side *sides,
                int capacity);

typedef struct {
    bool found;
    cn_side side;
    cn_gap gap; // from the hull of the query (A) to the shape (B)
} cn_neighbor;

// Finds the shape nearest to a hull at a pose, at a distance of at most `greatest_distance` (>= 0).
// If several overlap the hull, it is the one that overlaps deepest. If `hull` is NULL, the position
// of the pose is a point.
cn_neighbor cn_world_nearest(const cn_world *world, const cn_hull *hull, cn_pose pose,
                             float greatest_distance, const cn_query *query);

// -------------------------------------------------------------------------------------- explosions

// Part: explosions.

/*     cn_explosion bang = {.position = cn_body_center(world, bomb), .radius = 1, .falloff = 5};
 *     bang.impulse_per_length = 12; // N s/m: a near crate that is 1 m wide gets 12 N s
 *     bang.query.ignore = bomb;
 *     bang.blocked = true; // walls protect
 *     printf("%d bodies are pushed\n", cn_world_explode(world, &bang));
 */

/* Pushes dynamic bodies away from a point. Each shape that the query sees gets an impulse, and the
 * impulses of the shapes of a body add up:
 *
 *     impulse = impulse_per_length * strength * width
 *
 * strength   1 up to `radius`, then falls linearly to 0 over the length `falloff`. The distance is
 *            that from the blast to the nearest point of the shape, visible or not; 0 in the shape.
 * line       The impulse acts along the line from the blast to the centroid of the part of the
 *            shape's outline that faces the blast. This may spin a body. A circle does not spin.
 * width      The width of the shape across this line. A box that turns a face to the blast has the
 *            width of the face, and a circle has its diameter.
 *
 * If the blast is in a shape, the line goes to the centroid of the shape. The impulse then falls
 * from its full size at the outline to 0 at the centroid: it is multiplied by e / (e + d), with the
 * distance e of the blast from the centroid and its depth d below the outline.
 *
 * With .blocked, shapes and tiles shield the shapes behind them. The part of an outline that faces
 * the blast is divided into 16 pieces of equal length, with a ray from the blast to the middle of
 * each. If the ray hits another shape first, the piece loses its part of the width. The impulse
 * acts along the line to the centroid of the pieces that are left. So a box or circle that is half
 * covered gets half of the impulse, off its centre.
 *
 * Every shape and tile that the query sees shields, also other shapes of the same body. A shape
 * that contains the blast shields nothing, so a blast may start in a bomb or in the ground. A
 * segment of a chain shields only from blasts on its open side. The rays end one tuning.slop before
 * the outline, because bodies that touch overlap by up to that. */
typedef struct {
    vec2s position;           // world
    float radius;             // m, 0..1e9: full strength up to this distance
    float falloff;            // m, 0..1e9; the sum of radius and falloff must be above 0
    float impulse_per_length; // N s/m; negative: pulls bodies to the position
    // Which shapes are pushed, and with .blocked also which shapes and tiles shield. accept() may
    // be called several times for a shape. `sensors` and `any` have no effect: sensors are not
    // pushed and do not shield.
    cn_query query;
    bool blocked; // shapes shield what is behind them
} cn_explosion;

// Applies the impulses of an explosion at once, as cn_body_apply_impulse() does. Returns the number
// of bodies that got one and wakes these bodies. Bodies that are out of reach, completely shielded,
// disabled or not dynamic get none. Fails, and pushes no body, if a velocity would be beyond 1e9 or
// if memory is short. Allocates memory only if more shapes are in reach than ever before.
int cn_world_explode(cn_world *world, const cn_explosion *explosion);

// ------------------------------------------------------------------------------------- characters

// Part: character.

/*     cn_hull capsule = cn_capsule((vec2s){{0, -0.4f}}, (vec2s){{0, 0.4f}}, 0.3f);
 *     cn_move_def walk = {.step_height = 0.3f, .snap_distance = 0.3f, .mass = 80};
 *     vec2s translation = {{5 * stick * time_step, speed_up * time_step}}; // in every step
 *     cn_move move = cn_world_move_hull(world, &capsule, pose, translation, &walk);
 *     pose = move.pose;
 *     if (move.grounded && speed_up < 0) speed_up = 0;
 *     for (int i = 0; i < move.push_count; i++)
 *         cn_body_apply_impulse(world, move.pushes[i].side.body, move.pushes[i].impulse,
 *                               move.pushes[i].point);
 */

/* A kinematic character controller, also called a mover. The character is not a body but a hull
 * that your program moves. cn_world_move_hull() returns the pose where the hull ends up. The
 * function is a query of the present shapes and changes nothing. So apply gravity and speeds
 * yourself, and call it once per step, before the step. The hull does not turn.
 *
 * The hull slides along the shapes that it meets. It keeps a distance of tuning.slop from them, and
 * at least half of this distance from a corner that it passes. So it can move away again from every
 * position that it has reached. Seams, steps and gaps of up to half of the slop do not stop it.
 * Below, "horizontal" means at a right angle to `up`.
 *
 * - Ground is a surface that is not steeper than max_slope. The hull stands on it. It climbs ground
 *   with the horizontal speed of the translation. Steeper slopes are walls: the hull does not climb
 *   them, and slides down.
 * - A wall that is not higher than step_height above the ground is a step. The hull climbs a step
 *   if there is room above it. A round hull stands on the edge of a step like a box. It also rolls
 *   over edges at which its own surface is not steeper than max_slope.
 * - If the hull stood on ground and the translation does not lead up, the hull follows ground that
 *   goes down by up to snap_distance. So it walks down slopes and stairs without leaving them.
 * - A one-way shape stops a hull that is in front of it. A segment of a chain stops a hull on its
 *   open side. If a hull comes through a chain from behind, it is put in front of the chain as soon
 *   as its middle is there. So use one-way shapes for platforms. Shapes with .no_collision stop the
 *   hull, too.
 * - If the hull overlaps shapes at the start, it first leaves all of them by the shortest path. If
 *   no such path is shorter than four times the depth, the hull stays. Then it can only move out of
 *   these shapes, not deeper into them.
 *
 * Shapes do not move while the hull moves. A rising lift carries the hull, because the hull leaves
 * the overlap. The hull follows a falling lift like ground that goes down. On a platform that moves
 * sideways or a conveyor, add the horizontal part of ground_velocity * time_step to the next
 * translation. A lift moves in the step, after the hull. So the hull is drawn one step late: 5 cm
 * too low if the lift rises at 3 m/s. If you call cn_world_step() yourself, you can move the hull
 * after the step instead. Then it stands on the lift exactly. With cn_world_advance(), move the
 * hull in before_step. Draw it between its last two poses, at the fraction
 * cn_world_interpolation().
 *
 * The function divides a long translation into up to 32 parts. A part ends at its 24th obstacle. A
 * call takes about 15,000 instructions on a floor of tiles, and 5,000 in the air. */
typedef struct {
    vec2s up;            // any length; zero: (0, 1)
    float max_slope;     // rad, 0..1.5: steepest ground; 0: 45 degrees
    float step_height;   // m, 0..1e9; 0: climbs no steps
    float snap_distance; // m, 0..1e9; 0: does not follow the ground down
    float mass;          // kg, 0..1e36, for the pushes; 0: that of the hull with density 1
    float seconds;       // duration of the translation, for the pushes, at least 1e-15; 0:
                         // cn_world_def.time_step
    bool drop_through;   // one-way shapes do not stop the hull. Keep it set for some steps, say
                         // 0.2 s. If it is cleared too early, the hull is put back on top
    cn_query query;      // which shapes stop the hull; .any is ignored. If the character also has a
                         // body, .ignore it
} cn_move_def;

// A dynamic body that the hull ran into or presses on.
typedef struct {
    cn_side side;
    vec2s point;   // world; on the body
    vec2s impulse; // N s, along the normal: the impulse of an inelastic impact of the two masses,
                   // with translation / seconds as the velocity of the hull
} cn_push;

enum { CN_MAX_PUSHES = 8 };

typedef struct {
    cn_pose pose;       // where the hull ends up, with unchanged rotation
    bool grounded;      // the hull stands on ground; also true in the first step of a slow jump
    bool wall, ceiling; // a steep surface, or one that faces down, stopped the hull
    bool overlaps;      // a shape still overlaps the hull at the end
    // If grounded: the ground whose normal has the greatest cosine with `up`.
    cn_side ground;
    vec2s ground_point;            // world; on the ground
    vec2s ground_normal;           // unit, from the ground to the hull
    vec2s ground_velocity;         // m/s of the surface at this point, with its surface_speed
    cn_push pushes[CN_MAX_PUSHES]; // each body once, with its greatest impulse
    int push_count;
} cn_move;

// Moves a hull by a translation, in m. `def` may be NULL: all zero. Allocates nothing. Several
// threads may call it at once. If an argument is bad, it returns the pose unchanged, not grounded
// and without pushes, and cn_error() says why.
cn_move cn_world_move_hull(const cn_world *world, const cn_hull *hull, cn_pose pose,
                           vec2s translation, const cn_move_def *def);

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
 * results, bit for bit, as the world that was saved, if it gets the same calls. The machine, the
 * compiler, the SIMD lanes, the number of threads and the parts that are built may be different. A
 * build without the part fields cannot read a world with fields, and a build without the part tiles
 * cannot read a world that has or had tiles. The error names the part.
 *
 * Saved are all objects with their handles and user data, contacts, sleeping islands, settings, the
 * tag, and the time that cn_world_advance() keeps for its next call. Not saved are callbacks,
 * allocator, threads, the profile, whether move events are on, and the events of the last step: so
 * read the events first. A filter or pre_solve callback must give the same answers in the world
 * that continues.
 *
 * Drawn poses, drawings and counters are those of the saved world. Drawings may differ in the boxes
 * of CN_DRAW_TREE, and in what shows events and forces of the last step. The counters of memory, of
 * lanes and of the plan (batches and colors) may differ.
 *
 * Handles. After cn_world_restore() the valid handles are those that were valid when the state was
 * saved. Handles of later objects are stale, until the same calls make the same objects again.
 * Handles are also valid in a world of cn_world_load(), so a saved game may store them.
 *
 * User data are saved as numbers. After a load in another run of the program, pointers in user data
 * are not valid: set them again. An object that was destroyed after the save comes back with its
 * user data. So do not free what they point to as long as you may restore the state.
 *
 * Events do not report what a restore changes. A contact that began after the save has no end
 * event. If your game follows contacts by events, read cn_world_contacts() after a restore. */
typedef enum {
    CN_SAVE_ALL, // with a checksum
    // Without scenery and checksum, for saves in memory: fewer bytes, and faster. The scenery is
    // the part of the state that only calls change, not steps: static bodies without tiles, their
    // shapes, and the contents of grids of tiles. Such bytes can only be restored to a world with
    // the same scenery as when they were saved.
    CN_SAVE_MOVING,
} cn_save_parts;

// Writes the state to an array of bytes. Returns the size that the bytes need. If this is more than
// the capacity, the contents of the array are not a valid state. Returns 0 if memory is short, or
// while filter, pre_solve or accept() runs.
size_t cn_world_save(const cn_world *world, cn_save_parts parts, void *bytes, size_t capacity);

// Sets the world to the state in bytes from cn_world_save(). They may have been saved from another
// world. The bytes may come from an untrusted source: all of them are checked before the world
// changes. Fails if memory is short, if the bytes are cut off or damaged, if their scenery is
// missing and the world has another one, or in before_step. If move events are on, the next step
// raises one for every body.
bool cn_world_restore(cn_world *world, const void *bytes, size_t size);

// Creates a world in the state in bytes from cn_world_save(..., CN_SAVE_ALL, ...). Of the
// definition it uses the allocator, the task system, threads, lanes, profile and move_events; all
// else comes from the bytes. `callbacks` may be NULL: none. Give it the callbacks of the world that
// was saved. If filter or pre_solve is set only after the load, the world joins static bodies to
// smooth ground anew, and does not go on as the saved one. Returns NULL if the bytes are damaged,
// the definition is bad or memory is short. The world may need 200 bytes of memory for each saved
// byte, so limit the size of bytes from an untrusted source.
cn_world *cn_world_load(const cn_world_def *def, const cn_callbacks *callbacks, const void *bytes,
                        size_t size);

// --------------------------------------------------------------------------------------- rewinding

// Part: snapshot.

/*     cn_rollback *rollback = cn_rollback_create(world, 600);
 *     ...
 *     cn_rollback_keep(rollback, step); // before each step
 *     cn_world_step(world, 1.0f / 60);
 *     ...
 *     cn_rollback_rewind(rollback, step - 60); // one second back, at 60 steps per second
 */

/* A ring buffer of the last states of a world, in memory. Use it to rewind a game, or to repeat
 * steps that used a wrong prediction of another player's input (rollback). With 1000 boxes, keeping
 * a state takes about 13 microseconds, and rewinding takes about 33. */
typedef struct cn_rollback cn_rollback;

// Creates a ring buffer for `frames` states (1..65536) of the world. It allocates from the
// allocator of the world. After the world was destroyed, cn_rollback_keep() and
// cn_rollback_rewind() fail.
cn_rollback *cn_rollback_create(cn_world *world, int frames);
void cn_rollback_destroy(cn_rollback *rollback); // NULL is ignored

// Keeps the present state under a number (0 or greater), for example that of the next step. First
// drops all kept states with this or a greater number, and the oldest state if the ring buffer is
// full. Fails if memory is short, or while filter, pre_solve or accept() runs. If memory is short,
// the states may have been dropped all the same.
bool cn_rollback_keep(cn_rollback *rollback, int number);

// Sets the world to a kept state, as cn_world_restore() does. Scenery that has changed since is
// brought back, too. All kept states stay. Fails if no state is kept under the number, if memory is
// short, or in before_step. (A recording contains this call as a cn_world_restore(), which takes as
// many bytes as cn_world_save() does.)
bool cn_rollback_rewind(cn_rollback *rollback, int number);

// Return the number of the oldest and of the newest state that is kept; -1 if none is kept.
int cn_rollback_oldest(const cn_rollback *rollback);
int cn_rollback_newest(const cn_rollback *rollback);

/* Where the states of two worlds differ. Use it for worlds that should be equal, for example your
 * world and one that was loaded from the bytes that another player's machine saved. */
typedef enum {
    CN_PART_NONE, // no difference was found
    CN_PART_SETTINGS,
    CN_PART_BODIES,
    CN_PART_SHAPES,
    CN_PART_TILES,
    CN_PART_JOINTS,
    CN_PART_CONTACTS, // touching contacts, pairs of shapes that are near, and sleeping islands
} cn_state_part;

typedef struct {
    cn_state_part part; // the first part, in the order above, that differs
    // The first object that differs, as a handle of world a; null if world a does not have it or if
    // only a list of objects differs. For a shape, `body` is the body of the shape. For a touching
    // contact, `body` is the second body.
    cn_body body;
    cn_shape shape;
    cn_joint joint;
    cn_tiles tiles;
} cn_difference;

// Compares two worlds. Ignores user data, tags, and the time that cn_world_advance() keeps for its
// next call. Does not ignore handles: if the same objects were created in another order, the worlds
// differ. Worlds whose callbacks may refuse contacts differ from those without, because in them no
// static bodies join to smooth ground: see "limits". If the call fails, the part is CN_PART_NONE,
// too; cn_error() says why. It fails if a world is NULL, or while filter, pre_solve or accept()
// runs.
cn_difference cn_world_compare(const cn_world *a, const cn_world *b);

// -------------------------------------------------------------------------------------- recordings

// Part: recording.

/*     bool write_to_file(const void *bytes, size_t size, void *file) {
 *         return file && fwrite(bytes, 1, size, file) == size && fflush(file) == 0;
 *     }
 *
 *     cn_recording_begin(world, &(cn_recording_sink){write_to_file, file});
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
 * the same, bit for bit, also on another machine, with other SIMD lanes and another number of
 * threads. If they differ, cn_replay_desync() says where the replay found the first difference.
 * A replay needs no callbacks: it uses the recorded answers.
 *
 * Not recorded are calls that only read the world, allocations that fail, the task system, threads
 * and lanes. If memory was short in a recorded call, the replay may differ from there on.
 *
 * Every call is written before it is made. So if the program crashes in a call, this call is the
 * last one of the recording. A step adds at least 3 bytes to the recording for each body that
 * moves. With 500 boxes that move, recording makes a step execute 1.5 times as many instructions.
 * Bodies at rest add neither time nor bytes. */
typedef struct {
    // Appends bytes to the recording. Returns false if it fails; then the recording ends there, the
    // world goes on, and cn_recording_end() fails. Must not call functions on the world: those that
    // change it fail.
    bool (*write)(const void *bytes, size_t size, void *user);
    void *user;
} cn_recording_sink;

// Begins to record the world. The recording ends with cn_recording_end() or when the world is
// destroyed. Fails if the world is recorded already, if the sink fails at once, if memory is short,
// or in before_step.
bool cn_recording_begin(cn_world *world, const cn_recording_sink *sink);
// Ends the recording. Fails if the world is not recorded, or in before_step. Also returns false if
// the recording is not complete, because the sink failed or memory was short; then the recording
// has ended all the same.
bool cn_recording_end(cn_world *world);

// Writes a copy of a recording without some of its calls. Call i stays if kept[i] is not 0. If a
// call is left out, its steps and the calls that before_step made in it are left out, too. `count`
// must be the number of calls (cn_replay_position.calls). A replay does not compare steps after a
// call that was left out. Returns the size that the bytes need, or 0 if the recording is damaged.
// If the size is more than the capacity, the contents of the array are not a valid recording.
size_t cn_recording_cut(const void *bytes, size_t size, const uint8_t *kept, int count, void *cut,
                        size_t capacity);

typedef struct cn_replay cn_replay;

// Creates a replay of a recording, in the state in which the recording begins. The bytes are not
// copied: keep them as long as the replay. The definition is used as by cn_world_load(). If a
// recording is cut off after its first state, the replay ends with its last complete call. Returns
// NULL if the bytes are damaged or from another version of the API, if the definition is bad, or if
// memory is short.
cn_replay *cn_replay_create(const cn_world_def *def, const void *bytes, size_t size);
void cn_replay_destroy(cn_replay *replay); // with its world; NULL is ignored
// Returns the world of the replay, for example to draw it. The world belongs to the replay, which
// destroys it. Call only functions that do not change the world, or the replay differs from the
// recording.
cn_world *cn_replay_world(cn_replay *replay);

// The position of a replay. The numbers of calls include those that before_step made.
typedef struct {
    int call, calls; // number of calls that were made, and of all calls
    int step, steps; // number of steps that were taken, and of all steps
    bool complete;   // the recording was ended; false after a crash
} cn_replay_position;

cn_replay_position cn_replay_at(const cn_replay *replay);
// Makes the next call, with the calls of before_step in it. Skips the call if one of its objects
// does not exist, because the call that created the object was left out of the recording. Fails
// after the last call, if the recording is damaged, if memory is short, or if the call needs a part
// that is not built in. Then the error names the part. After a failure cn_replay_seek() can still
// go back.
bool cn_replay_next(cn_replay *replay);
// Goes back or forward to the first position between two calls at which at least `step` steps
// (0..steps) were taken. The world, its events and its later steps are the same as if
// cn_replay_next() had made every call up to there. To go back, the replay keeps up to 32 states of
// its world.
bool cn_replay_seek(cn_replay *replay, int step);
// Returns the next call and its arguments as text; "" after the last call. Each call that
// before_step makes in it follows on a line of its own. An object is written as the slot and the
// generation of its recorded handle. Zeros in structs are left out. A long text is cut off and ends
// with "...". The text is valid until the next call on this replay.
const char *cn_replay_text(cn_replay *replay);

// Writes the remaining calls as a new recording that begins with the present state. So if a replay
// differs after some step, a short recording of this step can be made. Returns the size that the
// bytes need. If this is more than the capacity, the contents of the array are not a valid
// recording. Returns 0 if memory is short, or if calls that create objects were left out of the
// recording.
size_t cn_replay_rest(cn_replay *replay, void *bytes, size_t capacity);

/* The first difference between the replay and the recorded world. After each step, the replay
 * compares the motion of the bodies that moved in it, and all data of the bodies that calls changed
 * before it. So it finds a body that moves differently in the step in which this happens.
 *
 * The whole worlds are compared after the first step, at the end of the recording, and in between:
 * every 10 to 20 steps if most bodies move, and less often if fewer move. So a difference that
 * moves no body, for example in the break force of a joint, may be found later than it arises. */
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
    bool awake;
} cn_body_state;

// Writes all bodies in slot order, with drawn poses if `drawn`.
int cn_world_bodies(const cn_world *world, cn_body_state *states, int capacity, bool drawn);

// Writes the poses of all bodies by slot, with drawn poses if `drawn`. A pose is four floats: x, y,
// cosine and sine. The pose of an empty slot is all zeros. Returns the number of slots. The slot of
// a body is body.id & 0xFFFFFF.
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
cn_profile cn_world_profile(const cn_world *world); // zeros while profiling is off

// Returns a hash of the state of the simulation, to compare two runs. Worlds in the same state have
// the same hash on all machines. The hash does not include user data, tags, callbacks, and the time
// that cn_world_advance() keeps for its next call.
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
    CN_DRAW_TILES = 512,  // grids of tiles, which CN_DRAW_SHAPES draws as well
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
    // The force in N that a line of 1 m (times length_unit) at a joint stands for. It is the
    // greatest cn_joint_force(), or a greater one of earlier drawings, which falls slowly from
    // drawing to drawing. 0 without CN_DRAW_JOINTS.
    float force_scale;
} cn_drawing;

// Makes a drawing of the world for debugging. `flags` is a sum of cn_draw_flags. Sleeping bodies
// are drawn paler. Tiles of materials other than 0 have colours of their own. Fails if memory is
// short.
// Part: drawing.
bool cn_world_draw(cn_world *world, uint32_t flags, cn_drawing *drawing);

#ifdef __cplusplus
} // extern "C"

// --------------------------------------------------------------------------------------------- C++

//     cn_body crate = cn_body_create(world, {.position = {{0, 10}}}); // C++20
//     cn_body_def def{};                                              // C++17
//     def.position.y = 10;
//     cn_body other = cn_body_create(world, def);
//     if (crate != other) cn_body_destroy(world, other);

// Definitions, hulls, queries and sinks may be passed by reference, also as temporaries. An empty
// {} is NULL, however: for a definition of all zeros write cn_body_def{}. After a hull by
// reference, the query of all zeros is {}. Handles of the same object are equal.
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
inline cn_tiles cn_tiles_create(cn_world *world, cn_body body, const cn_tiles_def &def) {
    return cn_tiles_create(world, body, &def);
}
inline cn_joint cn_joint_create(cn_world *world, const cn_joint_def &def) {
    return cn_joint_create(world, &def);
}
inline cn_world *cn_world_load(const cn_world_def &def, const cn_callbacks *callbacks,
                               const void *bytes, size_t size) {
    return cn_world_load(&def, callbacks, bytes, size);
}
inline bool cn_recording_begin(cn_world *world, const cn_recording_sink &sink) {
    return cn_recording_begin(world, &sink);
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
inline cn_hull cn_hull_at(const cn_hull &hull, cn_pose pose) { return cn_hull_at(&hull, pose); }
inline cn_world_hit cn_world_cast_hull(const cn_world *world, const cn_hull &hull,
                                       const cn_sweep &sweep, const cn_query &query) {
    return cn_world_cast_hull(world, &hull, &sweep, &query);
}
inline int cn_world_overlap(const cn_world *world, const cn_hull &hull, cn_pose pose,
                            const cn_query &query, cn_side *sides, int capacity) {
    return cn_world_overlap(world, &hull, pose, &query, sides, capacity);
}
inline int cn_world_overlap_bounds(const cn_world *world, cn_bounds bounds, const cn_query &query,
                                   cn_side *sides, int capacity) {
    return cn_world_overlap_bounds(world, bounds, &query, sides, capacity);
}
inline int cn_world_at(const cn_world *world, vec2s point, const cn_query &query, cn_side *sides,
                       int capacity) {
    return cn_world_at(world, point, &query, sides, capacity);
}
inline cn_neighbor cn_world_nearest(const cn_world *world, const cn_hull &hull, cn_pose pose,
                                    float greatest_distance, const cn_query &query) {
    return cn_world_nearest(world, &hull, pose, greatest_distance, &query);
}
inline int cn_world_explode(cn_world *world, const cn_explosion &explosion) {
    return cn_world_explode(world, &explosion);
}
inline cn_move cn_world_move_hull(const cn_world *world, const cn_hull &hull, cn_pose pose,
                                  vec2s translation, const cn_move_def &def) {
    return cn_world_move_hull(world, &hull, pose, translation, &def);
}
inline bool operator==(cn_body a, cn_body b) { return a.id == b.id; }
inline bool operator==(cn_shape a, cn_shape b) { return a.id == b.id; }
inline bool operator==(cn_joint a, cn_joint b) { return a.id == b.id; }
inline bool operator==(cn_tiles a, cn_tiles b) { return a.id == b.id; }
inline bool operator==(cn_chain a, cn_chain b) { return a.body == b.body && a.id == b.id; }
inline bool operator!=(cn_body a, cn_body b) { return !(a == b); }
inline bool operator!=(cn_shape a, cn_shape b) { return !(a == b); }
inline bool operator!=(cn_joint a, cn_joint b) { return !(a == b); }
inline bool operator!=(cn_tiles a, cn_tiles b) { return !(a == b); }
inline bool operator!=(cn_chain a, cn_chain b) { return !(a == b); }
#endif

// ------------------------------------------------------------------------------------------ tuning

/* What to change for a certain kind of game. Everything else may stay at its default.
 *
 * Pixels          Set cn_world_def.length_unit to the number of pixels that make a metre, say 50.
 *                 Then everything that you pass is in pixels: gravity is 500, and a crate of 50 x
 *                 50 with the default density 1 weighs 2500. Impulses and forces scale with it: a
 *                 jump of 300 px/s needs the impulse 300 * cn_body_mass(world, body).mass. For
 *                 masses as in metres, divide densities by length_unit^2.
 * y down          Use positive gravity. Everything is mirrored: angles turn clockwise on the
 *                 screen, chains are solid on their right, and belts run the other way. For
 *                 cn_body_ground() and .one_way, up is (0, -1). Row 0 of tiles is the top row, and
 *                 bodies walk on the slopes named CN_TILE_HANGS_...
 * Small things    Slop and margins are made for bodies of 0.1 m to 50 m, and scale with
 *                 length_unit. For boxes of 0.01 m set it to 0.02, and use 16 substeps, because
 *                 small bodies fall by more of their size in a step.
 * Tall stacks     They sink or sway: set .substeps to 8. With the default 4, a column of 100 equal
 *                 boxes of 1 m stands and one of 200 falls; with 8 both stand.
 * Heavy loads     They press light bodies into each other. Use more substeps, or a higher density
 *                 for the light bodies. Two boxes of 1 m under a third one of 100 times their mass
 *                 give way by 5.5 cm with 4 substeps, by 1.4 cm with 8, and by 0.4 cm with 16. A
 *                 load of 1000 times crushes them. But joints pass a load on: light wheels bear a
 *                 truck, and a platform on a weld bears anything. So does a platform on a motor
 *                 without a greatest force. Limits, springs and other motors do not pass a load on.
 *                 With 4 substeps, a crate sinks into a platform of 1/100 of its mass that rests on
 *                 a limit, by 2 cm if the limit is that of a slider, and by 7 cm if it is that of a
 *                 hinge.
 * Top-down games  Set no gravity. For the friction of the floor, give each body a cn_motor_joint()
 *                 to a static body: its force is friction times weight. Damping is cheaper.
 * Platformers     Move the player by cn_world_move_hull(). Or, if other bodies should push it, make
 *                 it a body: a capsule with .lock_rotation, .no_sleep and .frictionless, or it
 *                 hangs on walls that it runs against. Set its speed in before_step, and add
 *                 cn_ground.velocity: a lift carries a frictionless body upwards only. It creeps
 *                 down slopes (7 cm/s on 30 degrees), so give it a friction of 1 while it stands
 *                 still. cn_body_drop_through() lets it down through a one-way platform.
 * Many bodies     Only awake bodies take time, in proportion to their number: 10,000 touching boxes
 *                 some 0.5 ms a step on a fast core. Sleeping and static bodies take next to none.
 *                 A body with a shape takes 0.4 kB of memory, a touching contact 0.35 kB. Arrays
 *                 that grow reserve more than they use: with this, a body in a pile takes 1 to 2
 *                 kB.
 * Fast bodies     Walls stop them at any speed without a setting. Set .bullet for small bodies that
 *                 must not get deep into what they hit, and .speed_limit for bodies that may get
 *                 too fast.
 * Small worlds    For thousands of them, give the first one .threads and step all of them by
 *                 cn_worlds_step(). Give each a .capacity, so that steps allocate nothing, and a
 *                 .tag, so that it refuses handles of others.
 * Long bridges    Join the ends to small static bodies of their own, not to the body of the ground:
 *                 joined bodies do not collide. Hinges take little energy: a bridge of planks
 *                 swings for minutes unless its bodies have damping or its joints have friction
 *                 (.motor, .motor_force).
 */

// ------------------------------------------------------------------------------------------ limits

/* What does not work, or holds only within a range, and what to do instead.
 *
 * Steps and memory
 *
 * - Below 120 substeps per second stacks get soft. If steps are longer than 1/30 s, use more
 *   substeps.
 * - After a step that could not get memory for its events, some of them are missing: hits, body
 *   events, and fell_asleep of move events. Sensor events come with a later step; those of a shape
 *   that passed through the sensor within the step are missing. Begins, ends and broken joints are
 *   complete. The step itself succeeds.
 * - cn_capacity does not cover polygons, tiles, sensors, kinematic bodies, islands that fall asleep
 *   or have more than 440 bodies, hit events, and data that threads other than the first collect.
 *   The first filter, pre_solve callback, one-way shape, user data or call of cn_world_advance() is
 *   not covered either: it allocates memory for those of all objects. The first body with several
 *   shapes is covered only if shapes and static_shapes together are more than bodies. If this must
 *   not reach the C library, use an allocator of your own.
 * - A step that fails because memory is short may have given shapes to some tiles. This changes the
 *   hash of the world but nothing else that you can see.
 * - The format of saved bytes may change with every version. Bytes from an untrusted source may be
 *   a world that no calls can make, for example one with unusual masses. Such a world can be used
 *   like any other.
 *
 * Contacts
 *
 * - A body that is created or put deep inside of others is moved out within a few steps, and gains
 *   hardly any speed. Of two dynamic bodies, the heavier one is moved as if it had at most 4 times
 *   the mass of the other. Many bodies at one place take longer: 100 boxes of 1 kg on the ground
 *   need 2 to 3 s and get up to 5 m/s. Put bodies where nothing is: cn_world_overlap(). A jointed
 *   body is not moved but pushed.
 * - Overlapping bodies that already separate faster than 1/10 of push_speed are not moved.
 * - A contact without restitution is an impact if its bodies approach faster than
 *   restitution_threshold and than the speed of a fall of 0.1 s (1 m/s with gravity 10). If an
 *   island has more than 100 impacts at once, the solver stops early, and its bodies overlap a
 *   little more.
 * - A heavy body sinks into light ones. With 8 substeps, a stack of 5 boxes stands if a body of
 *   100 times the mass of a box falls on it from 2 m; with 4 substeps it may fall. A body of 1000
 *   times the mass crushes a stack with 8 substeps and throws its boxes out, at up to 80 m/s. With
 *   16 substeps, a stack of 5 boxes carries such a body, but may fall if the body falls on it. Pass
 *   such loads on with joints.
 * - Two dynamic bodies may pass each other within a step in two cases: both are supported by
 *   contacts or held by joints, and they move by less than twice the sum of their inner radii; or
 *   they are parts of one chain of joints. Use shorter steps or thicker shapes.
 * - A fast body passes a moving one that it only grazes: if the two would overlap by less than 3/4
 *   of its inner radius. With .bullet it is a quarter of that.
 * - A fast small body that is stopped at a body stays there for the rest of the step, while the
 *   other body moves on. A body that a motor turns fast, such as a flipper at 20 rad/s, may so pass
 *   through a ball. Set .bullet for both.
 * - Along a lock (cn_body_set_locks()) a body carries only as much as its own mass allows. A load
 *   of ten times its mass sinks in by some cm, and one of a hundred times falls through. Make the
 *   body kinematic or heavy.
 *
 * Sensors
 *
 * - If a sensor and another shape both move by more than their size in a step, and cross each
 *   other's path in the middle of it, the sensor may miss the shape. Use shorter steps.
 *
 * Ground
 *
 * - A static body does not join other bodies to smooth ground while one of its joints keeps some
 *   body from colliding with it. No static bodies join while a filter or pre_solve callback is set.
 *   (A body that may pass one shape would fall through the shapes that it covers.) Shapes of one
 *   body still join, so put the ground on one body; and use cn_filter instead of callbacks.
 * - A body that is completely filled over by tiles or shapes falls through the ground. Move it out.
 * - If the body of a chain becomes dynamic later, the segments of the chain have two sides.
 * - One-way shapes and tiles join only others of the same direction. A polygon may trip over the
 *   seam between them and solid ground; circles, capsules and boxes slide over it.
 * - A hard impact from another body may press a body so deep into one-way ground that it passes.
 *
 * Joints
 *
 * - A net of joints with many cycles, such as a cloth, yields to a load. Use more substeps.
 * - A joint may let two dynamic bodies overlap, as links of a chain do. When it is destroyed,
 *   disabled, or set to let its bodies collide, they are pushed apart. If they overlap by more than
 *   half of the smaller inner radius, they pass each other instead until they part or fall asleep.
 * - If a limit or lock is moved faster than 1.5 m/s, its body follows it 0.06 s behind. Reel in a
 *   rope with a motor instead.
 * - Bodies that are joined to a body follow cn_body_set_pose() at about 1 m/s only. Move anchors by
 *   the velocities of a kinematic body.
 * - A frame may lie outside the shapes of its body. But if a small body is on a rigid arm of some
 *   hundred times its size, a hit turns it by more than its joint can correct, and the body gains
 *   speed. Give such an arm a shape and mass.
 *
 * Hulls and sizes
 *
 * - A hull has at most 8 vertices. Use several shapes: cn_decompose() makes them.
 * - Far from the origin floats are coarse: they are 0.06 mm apart at 1 km, 1 mm at 10 km, and 8 mm
 *   at 100 km, which is more than tuning.slop. Shift the origin before: cn_world_shift_origin().
 * - cn_time_of_impact() may report hulls that turn many times and almost touch as touching.
 * - Velocities go up to 1e9 in x and in y, and angular velocities up to 1e9: as many lengths per
 *   second as the largest coordinate. A call that would exceed this fails. A body that a step makes
 *   faster does not move and is disabled, with the body event CN_BODY_FAULT.
 * - A world has up to 16777215 bodies, and as many shapes, joints and grids.
 * - cn_world_draw() draws at most 65536 tiles of a grid. */

#endif
