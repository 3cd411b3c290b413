/* Cairn: a minimal 2D rigid-body physics engine.
 *
 * A world holds bodies; a body carries shapes; a shape is a rounded convex hull with a material.
 * Each step finds the shapes that touch, turns them into contacts, and solves for impulses that
 * keep bodies apart, with friction and restitution. Cairn does not draw, does not read files, and
 * starts no threads unless told to.
 *
 * Units are metres, kilograms, seconds and radians. Angles turn counter-clockwise and y is up. If
 * your game measures in other lengths, say how many of them make a metre: cn_world_def.length_unit.
 * Then everything that you pass is in your lengths. With 50 pixels per metre gravity is 500, and a
 * crate of 50 x 50 with the default density 1 weighs 2500. (Only ratios of masses matter. Set a
 * density if forces matter.) Slop and margins are made for bodies of 0.1 m to 50 m, and scale with
 * length_unit. If your bodies are boxes of 0.01 m, set it to 0.02. Such small bodies fall by more
 * of their size in a step, so use 16 substeps.
 *
 * If y is down (gravity is positive), everything is mirrored: angles turn clockwise on the screen,
 * chains are solid on their right, and belts run the other way.
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
 * Definitions start as all zeros (= {0}, in C++ {}). Zero means the default, field by field: a body
 * is dynamic, for example. So leave out the fields that you do not care about. Only the hull of a
 * shape, the bodies of a joint, the points of a chain and the tiles of a grid are required. If zero
 * is also a useful value, a flag stands for it (.frictionless, .weightless, .no_sleep, ...). In a
 * setter every value is literal.
 *
 * Errors: a call that fails returns false, a null handle or zero, and changes nothing. cn_error()
 * says why, in debug and release builds. To see every error as it happens, set a hook:
 * cn_set_error_hook(). Every function that takes a handle fails if the handle is null or stale. It
 * also fails for a handle of another world, if the two worlds have different tags
 * (cn_world_def.tag).
 *
 * Threads: different worlds may be used from different threads at the same time. Several threads
 * may read one world at once, with functions that take a const world, as long as no thread changes
 * or steps it. A step itself uses as many threads as cn_world_def.threads says.
 *
 * Determinism: the same calls give the same bits, on every machine, compiler and SIMD width, and
 * with any number of threads, as long as memory lasts.
 */
#ifndef CAIRN_H
#define CAIRN_H

#if defined(__cplusplus) && !defined(CGLM_USE_ANONYMOUS_STRUCT)
#define CGLM_USE_ANONYMOUS_STRUCT 1 // else cglm gives vec2s no .x and .y in C++
#endif
#include <cglm/struct/vec2.h> // in C++, include cairn.h before other cglm headers, or define the above

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CN_VERSION_MAJOR 0
#define CN_VERSION_MINOR 1
#define CN_VERSION_PATCH 0

// ---------------------------------------------------------------------------------------- errors

typedef enum {
    CN_ERROR_NONE,
    CN_ERROR_NUMBER, // a number that is not finite
    CN_ERROR_RANGE,  // a number outside its range
    CN_ERROR_SHAPE,  // a hull that cannot be made: degenerate, too many vertices
    CN_ERROR_HANDLE, // a null, stale or foreign handle, or a null pointer
    CN_ERROR_STATE,  // not now, or not for this kind of body
    CN_ERROR_MEMORY, // the allocator returned nothing
} cn_error_kind;

// The error of the last call of this thread that failed: its function, what is wrong, with numbers,
// and often what to do. Never NULL. "" if none has failed yet. Calls that succeed leave it as it
// is. The text is valid until the next call of this thread that fails.
const char *cn_error(void);
cn_error_kind cn_error_code(void);
// Clears the error of this thread: cn_error() is then "" and cn_error_code() is CN_ERROR_NONE.
void cn_error_clear(void);

// Sets the hook of this thread: Cairn calls `function` once for every call that fails, before the
// failed call returns. Use it to log all errors, or to set a breakpoint. The text is that of
// cn_error(). NULL removes the hook. Each thread has its own hook and needs no lock, so set it on
// every thread that calls Cairn. The function may call cn_error() and cn_error_code(), but no other
// function of Cairn.
void cn_set_error_hook(void (*function)(cn_error_kind kind, const char *text, void *user),
                       void *user);

// ----------------------------------------------------------------------------------------- maths

// A rotation as the cosine and sine of its angle.
typedef struct {
    float c, s;
} cn_rotation;

// A position and a rotation: a point is first turned, then moved. {0} is no valid pose, because its
// rotation has no length: see cn_pose_at().
typedef struct {
    vec2s position;
    cn_rotation rotation;
} cn_pose;

// The rotation by an angle in radians, the same bits on every machine. Any finite angle.
cn_rotation cn_rotation_of(float angle);
// The angle of a rotation in -pi..pi.
float cn_rotation_angle(cn_rotation rotation);
// The pose at a position, turned by an angle in radians.
cn_pose cn_pose_at(vec2s position, float angle);
// Takes a local point to the frame in which the pose is given, and back. A pose with the position
// (0, 0) does the same to a direction.
vec2s cn_pose_point(cn_pose pose, vec2s local);
vec2s cn_pose_local_point(cn_pose pose, vec2s point);
// Takes pose b, given in the frame of a, to the frame in which a is given.
cn_pose cn_pose_multiply(cn_pose a, cn_pose b);
// The inverse of a pose: cn_pose_point() of one is cn_pose_local_point() of the other.
cn_pose cn_pose_inverse(cn_pose pose);

// An axis-aligned box. It is valid when lower <= upper in both coordinates.
typedef struct {
    vec2s lower, upper;
} cn_bounds;

// Do the two boxes share a point? Boxes that merely touch do.
bool cn_bounds_overlap(cn_bounds a, cn_bounds b);
// How deep they overlap along x and y; negative where they are apart.
vec2s cn_bounds_depth(cn_bounds a, cn_bounds b);
// The shortest move of b along one axis that takes it out of a; zero if they do not overlap.
vec2s cn_bounds_resolve(cn_bounds a, cn_bounds b);
cn_bounds cn_bounds_union(cn_bounds a, cn_bounds b);
bool cn_bounds_contains(cn_bounds bounds, vec2s point);

// ----------------------------------------------------------------------------------------- hulls

enum { CN_MAX_VERTICES = 8 };

/* The one shape: a convex hull of 1 to 8 vertices, counter-clockwise, grown by a radius.
 *
 *     count 1: a circle      count 2: a capsule, or a segment if radius is 0      3..8: a polygon
 *
 * normals[i] is the outward unit normal of the edge vertices[i] -> vertices[i + 1]; a capsule has
 * the two normals of its sides, a circle has none. A hull is a plain value and needs no world. If a
 * hull could not be made, its count is 0 and every call refuses it. The error of such a call
 * repeats why the hull was not made, as long as this is among the last 8 such errors of this
 * thread. */
typedef struct {
    vec2s vertices[CN_MAX_VERTICES];
    vec2s normals[CN_MAX_VERTICES];
    float radius;
    int count;
    uint32_t failure; // if the count is 0: a mark of the error of the call that failed; else 0
} cn_hull;

// Lengths are those of the user, positive and finite, up to 1e9.
cn_hull cn_circle(float radius);
cn_hull cn_capsule(vec2s p, vec2s q, float radius); // p and q apart
cn_hull cn_segment(vec2s p, vec2s q); // for static and kinematic bodies, or with other mass
cn_hull cn_box(float half_width, float half_height);
cn_hull cn_rounded_box(float half_width, float half_height, float radius); // radius outside
// The convex hull of any points; close ones are welded. Fails if fewer than 3 are left, if they lie
// on a line or if the hull has more than 8 vertices. The radius may be 0.
cn_hull cn_polygon(const vec2s *points, int count, float radius);
// A regular polygon of 3 to 8 corners on a circle; the first corner lies on the x axis.
cn_hull cn_regular(int corners, float circumradius);
// The hull moved and turned.
cn_hull cn_hull_at(const cn_hull *hull, cn_pose pose);

typedef struct {
    float mass;    // kg
    float inertia; // kg m^2 about the centre of mass
    vec2s center;  // centre of mass, in the hull's or body's frame
} cn_mass;

// Mass of the hull, exact for rounded ones too. density in kg/m^2, not negative.
cn_mass cn_hull_mass(const cn_hull *hull, float density);
cn_bounds cn_hull_bounds(const cn_hull *hull, cn_pose pose);
// The point of the hull (its radius included) that is farthest along a direction of any length.
vec2s cn_hull_support(const cn_hull *hull, vec2s direction);
// The interval {x: least, y: greatest} of the hull's points along a unit axis: the "shadow" that
// the separating axis theorem compares.
vec2s cn_hull_project(const cn_hull *hull, cn_pose pose, vec2s axis);
bool cn_hull_contains(const cn_hull *hull, vec2s point); // in the hull's frame; the edge counts

typedef struct {
    bool hit;
    float fraction; // 0..1 of the ray
    vec2s point;
    vec2s normal; // of the surface there; zero if the ray starts inside (then fraction is 0)
} cn_ray_hit;

// Casts a ray from origin to origin + translation, in the hull's frame.
cn_ray_hit cn_hull_cast_ray(const cn_hull *hull, vec2s origin, vec2s translation);

// ------------------------------------------------------------------------------------- collision

typedef struct {
    vec2s point;      // half way between the two surfaces, world
    float separation; // along the normal; negative when they overlap
    uint8_t id;       // which features made it: vertex of A (low 4 bits), vertex of B (high 4 bits)
    float normal_impulse; // N s, of the last substep; only filled in for contacts of a world
} cn_manifold_point;

typedef enum { CN_HULL_A, CN_HULL_B } cn_hull_side;

/* How two hulls touch. The reference edge is the edge, of either hull, whose outward normal
 * separates the two best; the incident edge is the edge of the other hull that faces it most,
 * clipped to the sides of the reference edge, and its end points are the contact points. The normal
 * is that of the reference edge, except where two rounded corners meet: there it joins the two
 * corners. */
typedef struct {
    vec2s normal; // unit, from A to B, world
    int count;    // 0 (apart), 1 or 2 points
    cn_manifold_point points[2];
    cn_hull_side reference; // the hull that the reference edge belongs to
    int reference_edge;     // starts at that vertex of that hull
    int incident_edge;      // of the other hull; 0 in contacts of a world
    float separation;       // along the best face normal, radii included; in contacts: the smallest
} cn_manifold;

// Collides two hulls at two poses. Points farther apart than margin (>= 0) are not reported.
cn_manifold cn_collide(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b,
                       float margin);

// The gap between two hulls, radii included.
typedef struct {
    float distance;         // negative when they overlap: by how much, along the shortest way out
    vec2s normal;           // unit, from A to B, world; zero only after an error
    vec2s point_a, point_b; // the nearest points of the two surfaces, or the deepest ones; world
} cn_gap;

cn_gap cn_distance(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b);

// The points of a closed outline in order; the last one joins the first.
typedef struct {
    const vec2s *points;
    int count;
} cn_outline;

// The minimum translation vector of two hulls.
typedef struct {
    bool overlap;      // they share a point; hulls that merely touch do
    vec2s translation; // the shortest move of B that ends the overlap, world; zero without overlap
} cn_mtv;

cn_mtv cn_overlap(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b);

// The outline of the common part of two hulls, counter-clockwise, world. Returns the number of its
// corners and writes the first `capacity` of them, so (NULL, 0) only counts.
// Arcs become chords with both ends on the arc. No chord is farther from its arc than the tolerance
// (a length above 0). A chord spans at most a quarter turn and at least 1/2048 turn, so the
// tolerance is never finer than about a millionth of the radius. Corners that nearly coincide are
// written once. (Far from the origin, neighbours may still round to the same floats.)
// The result is 0 if the hulls are apart. If the common part has no area, because the hulls only
// touch or one of them is a segment, the corners are its 1 or 2 end points.
// `exact` (NULL: not wanted) is the mass of the true common part, arcs included, at density 1: its
// area, its centroid in the world and its inertia about the centroid. It is zero if the hulls are
// apart.
int cn_clip(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b, float tolerance,
            vec2s *points, int capacity, cn_mass *exact);

// The points where the outlines of two hulls cross or touch, world. Each point comes once, in
// counter-clockwise order along the outline of A from the start of its edge 0 (of a circle: from
// the lowest point of its own frame). Outlines that coincide along a stretch cross at both ends of
// the stretch. Identical outlines have no crossing. Returns the number of points and writes the
// first `capacity` of them.
int cn_outline_crossings(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b,
                         vec2s *points, int capacity);
// The same for the outlines of two boxes, from the lower left corner of a.
int cn_bounds_crossings(cn_bounds a, cn_bounds b, vec2s *points, int capacity);

// Cuts a hull in two along the line through a point. The normal has any length except 0. Point,
// normal and result are in the hull's frame. Returns the number of hulls that the two parts consist
// of, and writes the first `capacity` of them. Those in front of the line, where the normal points,
// come first; their number goes to `in_front` (NULL: not wanted).
// A cut has sharp corners, so the parts are polygons of radius 0. Their arcs are chords to the
// tolerance, as in cn_clip(), or to 1/500000 of the greatest coordinate if that is more. A part
// with more than 8 corners becomes several hulls that share edges and leave no gap. A segment
// becomes two segments. If the line misses the hull or only touches it, the result is the unchanged
// hull. A part that is too thin for cn_polygon() is dropped. If both are, the result is the unchanged
// hull, on one side.
int cn_slice(const cn_hull *hull, vec2s point, vec2s normal, float tolerance, cn_hull *hulls,
             int capacity, int *in_front);

// Where A first touches B while it moves along the translation. `point` is on B, and `normal` is
// the normal of B's surface. If they overlap from the start, the fraction is 0 and the normal is
// zero.
cn_ray_hit cn_cast_hull(const cn_hull *a, cn_pose pose_a, vec2s translation, const cn_hull *b,
                        cn_pose pose_b);

// A motion: `center` moves along a straight line, and the hull turns at an even rate about it.
typedef struct {
    cn_pose start;
    vec2s center;      // for a body its centre of mass; in the hull's frame
    vec2s translation; // of that centre
    float turn;        // radians, up to 1e6: any number of turns
} cn_sweep;

// The pose at a fraction (0..1) of a sweep, for example where a cast stopped.
cn_pose cn_sweep_pose(const cn_sweep *sweep, float fraction);

// When A and B first touch while both move at the same time. The result is as for cn_cast_hull().
// It is never late, and early by at most a millionth of their size. The exception: hulls that turn
// many times and almost touch may be reported as touching.
cn_ray_hit cn_time_of_impact(const cn_hull *a, const cn_sweep *sweep_a, const cn_hull *b,
                             const cn_sweep *sweep_b);

enum { CN_MAX_OUTLINE_POINTS = 512 }; // of all outlines in one call

/* Cuts a concave outline with holes into convex hulls. Outline 0 is the outer one, the others are
 * holes, and `count` is the number of all outlines. Returns the number of hulls and writes the
 * first `capacity` of them. With capacity 0 the call only counts, and hulls may be NULL.
 *
 *     vec2s points[] = {{{0, 0}}, {{3, 0}}, {{3, 1}}, {{1, 1}}, {{1, 3}}, {{0, 3}}}; // letter L
 *     cn_outline outline = {points, 6};
 *     cn_hull hulls[8];
 *     int count = cn_decompose(&outline, 1, 0, hulls, 8);
 *     for (int i = 0; i < count && i < 8; i++)
 *         cn_shape_create(world, body, &(cn_shape_def){.hull = hulls[i]});
 *
 * The hulls are in the frame of the points. An outline may run either way and begin anywhere: the
 * result is the same. Repeated points and points on a straight edge are dropped, to within
 * rounding.
 *
 * The hulls fill the outline without gaps and overlaps. They are few and fat. A hull has 3 to 8
 * vertices, and is as cn_polygon() makes it, with one exception: it keeps corners that cn_polygon()
 * would weld, because a neighbour has the same corners. The vertices are points of the outlines. If
 * this would make too many hulls, further vertices lie on edges, rounded to floats. For n points
 * with r reflex corners, too many is more than twice the greater of r / 2 + 1 and (n - 2) / 6, both
 * rounded up.
 *
 * `radius` (0..1e9) rounds every hull. It lies outside of the outline, so hulls overlap by it.
 *
 * Outlines may touch themselves or each other, at corners or along edges. The call fails if an
 * outline crosses itself or another one, if a hole lies outside of outline 0, or if a hole lies in
 * another hole. Then cn_error() names two edges. Edge k of an outline goes from its point k to the
 * next point.
 *
 * The call also fails if an outline has fewer than 3 corners, if all outlines together have more
 * than CN_MAX_OUTLINE_POINTS points, if a coordinate is not finite or beyond 1e9, or if parts are
 * too thin for hulls at their coordinates. It needs about 60 kB of stack and no other memory. 200
 * points take half a millisecond. */
int cn_decompose(const cn_outline *outlines, int count, float radius, cn_hull *hulls, int capacity);

// ---------------------------------------------------------------------------------------- worlds

typedef struct cn_world cn_world;

// Handles: generation 32 bits | tag 8 | slot 24. Zero is null. A handle stays invalid for ever once
// its object is destroyed, also when the slot is used again.
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

// The source of a world's memory; all zero is the C library. allocate() returns `size` bytes
// aligned to `alignment` (a power of two, 64 at most) or NULL. release() gets the same size. A step
// may call them from any of its threads, and cn_body_contacts() from the thread that calls it, but
// only one of these calls runs at a time.
typedef struct {
    void *(*allocate)(size_t size, size_t alignment, void *user);
    void (*release)(void *block, size_t size, void *user);
    void *user;
} cn_allocator;

// Your task system, which runs the work of other threads in a step; all zero: the world's own
// threads, which sleep between steps. start() makes your threads call task(context, i) for each i
// of 0..count-1, on any thread, in any order, now or later. finish() returns when all these calls
// have returned. The thread that steps the world works on all tasks at the same time, so late tasks
// find nothing to do. A step calls start() and finish() several times, one pair after the other.
// With a pool that has such functions:
//
//      void *start(cn_task *task, void *context, int count, void *pool) {
//          return pool_run(pool, count, task, context); // what finish() gets
//      }
//      void finish(void *handle, void *pool) { pool_wait(pool, handle); }
typedef void cn_task(void *context, int index);
typedef struct {
    void *(*start)(cn_task *task, void *context, int count, void *user);
    void (*finish)(void *handle, void *user);
    void *user;
} cn_task_system;

// What a world has room for from the start. As long as the world stays within these counts,
// creating objects and stepping allocate nothing. Not covered: polygons, tiles, sensors, kinematic
// bodies, islands that fall asleep or have more than 440 bodies, and data that threads other than
// the first collect. The first filter, one-way shape, user data or call of cn_world_advance() is
// not covered either: it makes room for those of all objects. A world that outgrows its capacity
// grows as usual.
typedef struct {
    int bodies;
    int shapes, static_shapes; // of bodies that can move, and of static ones
    int joints;
    int contacts; // pairs of shapes that touch or nearly do, at one time: some two or three a body
} cn_capacity;

typedef struct {
    vec2s gravity; // m/s^2, literal: zero is none
    int substeps; // solver passes in a step, 1..64; 0: 4. More is stiffer and dearer. Where a joint
        // holds masses that differ more than ten times they are doubled, more than 300 times and
        // below 12 taken fourfold, and from 12 on doubled where more than 100 joints hang together.
        // Where several joints hold angles the joints alone are solved four times in each
    int threads; // that a step runs on, the caller's included: 1..64, 0: 1. Does not change results
    int lanes;   // SIMD lanes: 1, 4, 8, 16; 0: the best of this machine. Does not change results
    float length_unit; // how many of your units make a metre; 0: 1
    float time_step;   // seconds of a step of cn_world_advance(), 1e-15..1; 0: 1/60
    int max_steps;     // most steps that cn_world_advance() takes in one call; 0: 8
    uint8_t tag;       // yours: in every handle, so that worlds with different tags are told apart
    bool no_sleep;     // bodies never fall asleep
    bool profile;      // measure the stages of a step (cn_world_profile)
    bool move_events;  // list the bodies that moved: cn_events.moved
    cn_capacity capacity; // all 0: it grows as needed
    cn_allocator allocator;
    cn_task_system tasks;
} cn_world_def;

// NULL and an error if the definition is bad or memory is short.
cn_world *cn_world_create(const cn_world_def *def);
void cn_world_destroy(cn_world *world); // with all that is in it; NULL is ignored

// Advances the world by dt seconds, 0..1. A dt below 1e-15 moves nothing and raises no events. Use
// more substeps if steps are longer than 1/30 s: below 120 substeps per second stacks get soft.
// Returns false if dt is bad or memory is short. Then the world is unchanged and can still be used.
bool cn_world_step(cn_world *world, float dt);

// Advances by the time of a frame, in whole steps of cn_world_def.time_step; the rest is kept for
// the next call. Returns the number of steps taken (at most max_steps: a slow frame loses time
// rather than freezing the game), -1 on error. Draw the bodies at cn_body_drawn_pose() for smooth
// motion.
int cn_world_advance(cn_world *world, float frame_seconds);
// How far between the last two steps the drawn poses are, 0..1.
float cn_world_interpolation(const cn_world *world);

bool cn_world_set_gravity(cn_world *world, vec2s gravity); // wakes everything; see push_speed
vec2s cn_world_gravity(const cn_world *world);
bool cn_world_set_substeps(cn_world *world, int substeps);
int cn_world_substeps(const cn_world *world);
bool cn_world_set_sleeping(cn_world *world, bool allowed); // false wakes everything
bool cn_world_sleeping(const cn_world *world);
// Move events compare the pose of each awake body after a step. While they are off they cost
// nothing. When switched on, they begin with the next step. Setting fails only if memory is short.
bool cn_world_set_move_events(cn_world *world, bool on);
bool cn_world_move_events(const cn_world *world);

/* Makes a point of the world the new origin: everything moves by minus `origin`. Floats are finest
 * near the origin. So in a large world, shift the origin to the player when the player is far away
 * from it, say 1000 m.
 *
 * Nothing wakes, and no contact or joint begins or ends. The points of the last step's events move
 * along. The shift raises no move events. Shift the coordinates that you keep yourself, including
 * the arrays of an earlier cn_world_events(). A body that stood at the origin is then at minus
 * `origin`. Points in the frame of a body, such as the frames of joints, stay the same.
 *
 * The shift itself is exact for everything that comes nearer to the origin. If no coordinate is
 * rounded, neither before nor after the shift, the world continues bit for bit like a world that
 * was built at the new place. Otherwise the two differ by rounding.
 *
 * The time is proportional to the number of bodies and shapes. Fails if a coordinate of `origin`,
 * or the new position of a body, is beyond 1e9. */
bool cn_world_shift_origin(cn_world *world, vec2s origin);

// The engine's constants, in your units (they were scaled by length_unit). Positive and finite.
typedef struct {
    float slop;               // 0.005 m: penetration that is left alone
    float speculative_margin; // 0.02 m: gap at which a contact is made
    float box_margin;         // 0.015 m: boxes grow by it on each side, or more; >= margin / 2
    float anchor_distance;    // 0.05 m: a contact keeps its anchors until the pair slid that far...
    // 0.05 rad: ... or a body turned that far, or less: on circles, and on one end
    float anchor_angle;
    // 3 m/s, or the speed of a fall of 0.1 s if that is more (until you change it, it follows
    // gravity): greatest speed at which overlapping bodies are pushed apart. Open joints close at
    // half of it. With more than 240 substeps per second contacts push less in proportion. The wall
    // of a fast drum pushes more. A body that is created or put deep inside of others gains at most
    // the speed of a fall of 0.15 s, and hardly any without gravity. It is also shifted out,
    // without gaining speed: at 0.1 of push_speed, or at all of it if the other body is not
    // dynamic.
    float push_speed;
    // 1 m/s: slower impacts do not bounce. After a hit at 0.4 of it or more, the contacts of a body
    // repeat less of the hit within the step.
    float restitution_threshold;
    float hit_threshold; // 1 m/s: slower impacts raise no hit event
    float sleep_speed;   // 0.05 m/s: a body slower than this is at rest
    float sleep_time;    // 0.5 s at rest before an island falls asleep
} cn_tuning;

cn_tuning cn_world_tuning(const cn_world *world);
bool cn_world_set_tuning(cn_world *world, const cn_tuning *tuning); // wakes everything

// ---------------------------------------------------------------------------------------- bodies

typedef enum {
    CN_DYNAMIC,   // moved by forces and contacts
    CN_KINEMATIC, // moved by its velocity only; pushes dynamic bodies
    CN_STATIC,    // never moves by itself
} cn_body_type;

typedef struct {
    cn_body_type type;
    vec2s position; // of the body's origin, world
    float angle;
    vec2s velocity; // of the centre of mass, m/s
    float angular_velocity;
    float linear_damping;               // 1/s, >= 0: the velocity decays by this rate
    float angular_damping;              // 1/s, >= 0
    float gravity_scale;                // 0: 1
    float speed_limit;                  // greatest linear speed, m/s; 0: none
    float sleep_speed;                  // at rest below this speed, m/s; 0: that of cn_tuning
    bool weightless;                    // gravity scale 0
    bool lock_x, lock_y, lock_rotation; // never moves along or turns about that axis
    bool bullet;                        // watched closer in a step: see cn_body_set_bullet()
    bool no_sleep;
    bool asleep;        // created asleep
    bool disabled;      // created disabled
    uint64_t user_data; // for a pointer: (uint64_t)(uintptr_t)pointer
} cn_body_def;

// Creates a body without shapes. As long as a dynamic body has no shapes, it moves as a point of 1
// kg times length_unit^2.
cn_body cn_body_create(cn_world *world, const cn_body_def *def);
bool cn_body_destroy(cn_world *world, cn_body body);     // with its shapes; wakes what it touched
bool cn_body_valid(const cn_world *world, cn_body body); // no error if it is not

cn_body_type cn_body_get_type(const cn_world *world, cn_body body);
bool cn_body_set_type(cn_world *world, cn_body body,
                      cn_body_type type); // velocities stay; static: 0

// Poses are those of the body's origin. Setting one teleports: nothing in between is hit.
cn_pose cn_body_pose(const cn_world *world, cn_body body);
vec2s cn_body_position(const cn_world *world, cn_body body);
float cn_body_angle(const cn_world *world, cn_body body);  // -pi..pi
vec2s cn_body_center(const cn_world *world, cn_body body); // centre of mass, world
// Puts the body at a pose at once. It hits nothing in between, and bodies that are joined to it
// follow at about 1 m/s only. So move anchors by the velocities of a kinematic body.
bool cn_body_set_pose(cn_world *world, cn_body body, vec2s position, float angle);
// The pose between the last two steps, for drawing with cn_world_advance().
cn_pose cn_body_drawn_pose(const cn_world *world, cn_body body);
// Gives a kinematic body the velocities that take it to a pose in `seconds` (> 0), by the shorter
// turn. The velocities stay. So call this before every step (see cn_callbacks) with the time of the
// step, or stop the body when it arrives. If you call it once per frame of cn_world_advance(), with
// the frame's time, the body is at most one step late.
bool cn_body_set_target(cn_world *world, cn_body body, vec2s position, float angle, float seconds);

vec2s cn_body_velocity(const cn_world *world, cn_body body);              // of the centre of mass
bool cn_body_set_velocity(cn_world *world, cn_body body, vec2s velocity); // if not 0 it wakes
float cn_body_angular_velocity(const cn_world *world, cn_body body);
bool cn_body_set_angular_velocity(cn_world *world, cn_body body, float angular_velocity);
vec2s cn_body_velocity_at(const cn_world *world, cn_body body, vec2s point); // point in the world

// Forces add up, act during the next step that moves time, and are then cleared. Impulses act at
// once. Points are in the world. Both wake the body, even if they are zero. The body must be
// dynamic. With cn_world_advance() a frame takes no step, one or several, so apply forces in
// before_step: see cn_callbacks.
bool cn_body_apply_force(cn_world *world, cn_body body, vec2s force, vec2s point);
bool cn_body_apply_center_force(cn_world *world, cn_body body, vec2s force);
bool cn_body_apply_torque(cn_world *world, cn_body body, float torque);
bool cn_body_apply_impulse(cn_world *world, cn_body body, vec2s impulse, vec2s point);
bool cn_body_apply_center_impulse(cn_world *world, cn_body body, vec2s impulse);
bool cn_body_apply_angular_impulse(cn_world *world, cn_body body, float impulse);

// The mass follows from the shapes until you set it, and again after cn_body_reset_mass(). Static
// and kinematic bodies have no mass unless you set it: zeros, with the centre at their origin.
cn_mass cn_body_mass(const cn_world *world, cn_body body);
bool cn_body_set_mass(cn_world *world, cn_body body, cn_mass mass); // > 0; inertia 0: does not turn
bool cn_body_reset_mass(cn_world *world, cn_body body);

bool cn_body_set_damping(cn_world *world, cn_body body, float linear, float angular);
float cn_body_linear_damping(const cn_world *world, cn_body body);
float cn_body_angular_damping(const cn_world *world, cn_body body);
bool cn_body_set_gravity_scale(cn_world *world, cn_body body, float scale);
float cn_body_gravity_scale(const cn_world *world, cn_body body);
bool cn_body_set_speed_limit(cn_world *world, cn_body body, float limit); // 0: none
float cn_body_speed_limit(const cn_world *world, cn_body body);
// Along a lock a body bounces like a wall, but carries only as much as its own mass allows. A load
// of ten times its mass sinks in by some cm, and a load of a hundred times falls through. For such
// loads make the body kinematic or heavy.
bool cn_body_set_locks(cn_world *world, cn_body body, bool x, bool y, bool rotation);
void cn_body_locks(const cn_world *world, cn_body body, bool *x, bool *y, bool *rotation);

// Continuous collision: a dynamic body that moves by more than its inner radius in a step is swept
// along its path. Where it hits something, it stops for the rest of the step. So no body passes
// static shapes, at any speed, and kinematic bodies carry along bodies that they hit. Two dynamic
// bodies pass each other only if both are held by contacts or joints and move by less than twice
// both inner radii, or if they are parts of one chain of joints. A bullet is swept if it moves by
// more than a quarter of its inner radius, so it also stops before a deep overlap.
bool cn_body_set_bullet(cn_world *world, cn_body body, bool bullet);
bool cn_body_bullet(const cn_world *world, cn_body body);

// Sleep: an island (bodies connected by contacts) that is at rest for a while is not simulated
// until something touches or changes one of its bodies. Putting one body to sleep puts its whole
// island to sleep. This fails (CN_ERROR_STATE) if a change is about to wake the island, if its
// joints changed after the last step, or if a moving kinematic body touches it.
bool cn_body_set_awake(cn_world *world, cn_body body, bool awake);
bool cn_body_awake(const cn_world *world, cn_body body);
bool cn_body_set_no_sleep(cn_world *world, cn_body body, bool no_sleep);
bool cn_body_no_sleep(const cn_world *world, cn_body body);
bool cn_body_set_sleep_speed(cn_world *world, cn_body body, float speed); // >= 0
float cn_body_sleep_speed(const cn_world *world, cn_body body);

// The body passes one-way shapes for this many seconds (0: no longer), also those it stands on.
bool cn_body_drop_through(cn_world *world, cn_body body, float seconds);

// A disabled body keeps its state but does not move, and nothing touches it.
bool cn_body_set_enabled(cn_world *world, cn_body body, bool enabled);
bool cn_body_enabled(const cn_world *world, cn_body body);

bool cn_body_set_user_data(cn_world *world, cn_body body, uint64_t user_data);
uint64_t cn_body_user_data(const cn_world *world, cn_body body);

// ---------------------------------------------------------------------------------------- shapes

typedef struct {
    float friction;    // >= 0; 0: 0.6. Two shapes mix as sqrt(a b)
    float restitution; // 0..1; two mix as the larger. Up to 1/8 what is pressed does not bounce
    bool frictionless; // friction 0, whatever the field above says
    float rolling_resistance; // of rounded shapes, as a share of the radius; two mix as the larger
    // m/s of the surface, clockwise round the shape (a belt's upper side to the right); two add up
    float surface_speed;
} cn_material;

// Two shapes collide if each one's category is in the other's mask. If both groups are equal and
// not zero the group decides instead: positive always, negative never.
typedef struct {
    uint64_t category; // 0: 1
    uint64_t mask;     // 0: all
    int32_t group;
} cn_filter;

typedef struct {
    cn_hull hull;  // in the body's frame
    float density; // kg/m^2; 0: 1
    cn_material material;
    cn_filter filter;
    bool massless;        // density 0; a dynamic body needs another shape with mass
    bool no_collision;    // collides with nothing
    bool hit_events;      // contacts of this shape raise cn_hit_event
    bool no_touch_events; // contacts of this shape raise no cn_touch_event
    bool sensor;          // sees shapes that overlap it, the ground too, and touches nothing:
                          // cn_sensor_event. It has mass as any shape: set .massless
    vec2s one_way; // not zero: solid only for shapes that come from this side, a direction in the
                   // body's frame. Others pass until the two have parted
    uint64_t user_data;
} cn_shape_def;

// Adds a shape to a body and updates the body's mass. A segment has no area and no mass, so a
// dynamic body with a segment needs another shape with mass.
cn_shape cn_shape_create(cn_world *world, cn_body body, const cn_shape_def *def);
bool cn_shape_destroy(cn_world *world, cn_shape shape);
bool cn_shape_valid(const cn_world *world, cn_shape shape); // no error if it is not

cn_body cn_shape_body(const cn_world *world, cn_shape shape);
cn_hull cn_shape_hull(const cn_world *world, cn_shape shape); // in the body's frame
// Updates the body's mass.
bool cn_shape_set_hull(cn_world *world, cn_shape shape, const cn_hull *hull);
float cn_shape_density(const cn_world *world, cn_shape shape);
bool cn_shape_set_density(cn_world *world, cn_shape shape, float density);
cn_material cn_shape_material(const cn_world *world, cn_shape shape);
// Literal values: get the material (or filter), change it, set it.
bool cn_shape_set_material(cn_world *world, cn_shape shape, cn_material material);
cn_filter cn_shape_filter(const cn_world *world, cn_shape shape);
bool cn_shape_set_filter(cn_world *world, cn_shape shape, cn_filter filter);
bool cn_shape_hit_events(const cn_world *world, cn_shape shape);
bool cn_shape_set_hit_events(cn_world *world, cn_shape shape, bool hit_events);
// Do contacts of this shape raise begin and end events? A contact raises both, or none if one of
// its two shapes had them off when it began. Setting wakes nothing and has no effect on existing
// contacts, so every begin event still has its end event. Sensor and hit events are not affected.
bool cn_shape_touch_events(const cn_world *world, cn_shape shape);
bool cn_shape_set_touch_events(cn_world *world, cn_shape shape, bool touch_events);
bool cn_shape_sensor(const cn_world *world, cn_shape shape);
bool cn_shape_set_sensor(cn_world *world, cn_shape shape, bool sensor);
// The shapes that overlapped a sensor after the last step. Writes up to `capacity` of them, in slot
// order, and returns their number.
int cn_shape_overlaps(const cn_world *world, cn_shape sensor, cn_shape *shapes, int capacity);
vec2s cn_shape_one_way(const cn_world *world, cn_shape shape);
bool cn_shape_set_one_way(cn_world *world, cn_shape shape, vec2s direction); // zero: solid
bool cn_shape_set_user_data(cn_world *world, cn_shape shape, uint64_t user_data);
uint64_t cn_shape_user_data(const cn_world *world, cn_shape shape);
cn_bounds cn_shape_bounds(const cn_world *world, cn_shape shape); // tight, world
// Is a point of the world in the shape? To find all shapes and tiles at a point, use cn_world_at().
bool cn_shape_contains(const cn_world *world, cn_shape shape, vec2s point);
// Segments of chains are hit from both sides, unlike by cn_world_cast_ray().
cn_ray_hit cn_shape_cast_ray(const cn_world *world, cn_shape shape, vec2s origin,
                             vec2s translation);

/* Smooth ground. Shapes of static bodies, or of one kinematic body, that touch and have the same
 * filter and radius are one surface. A box slides over the seams of a floor of tiles as over one
 * long box, and edges within the ground are not felt. This is always on. Gaps and steps up to
 * 0.0025 m (times length_unit) are no edges. Tiles may come, go, change and be moved; contacts
 * continue. But a body that is completely filled over falls through the ground: move it out.
 *
 * Two exceptions: a static body joins no other body while one of its joints keeps some body from
 * colliding with it, and no static bodies join while a filter or pre_solve callback is set.
 * Otherwise a body that may pass one shape would fall through those that it covers.
 *
 * A chain is an outline that is solid on one side only: on the left, when going from point to
 * point. So list the points of a floor from right to left, of a rock counter-clockwise (closed),
 * and of a cave clockwise. A body whose centre is on the solid side passes through. (If the chain's
 * body becomes dynamic later, its segments have two sides.) Each segment is a shape of the body, so
 * events, materials, filters and everything else work segment by segment. Chains, segments and
 * tiles that touch join smoothly, too. */
typedef struct {
    // In the body's frame, neighbours at least 0.005 m (times length_unit) apart; copied.
    const vec2s *points;
    int count;
    bool closed;                  // one more segment, from the last point to the first
    cn_material material;         // of all segments,
    const cn_material *materials; // or of each: as many as segments; copied
    cn_filter filter;
    bool hit_events, no_touch_events; // as of a shape
    uint64_t user_data;               // of each segment
} cn_chain_def;

// For static and kinematic bodies. If it fails no segment has been made.
cn_chain cn_chain_create(cn_world *world, cn_body body, const cn_chain_def *def);
bool cn_chain_destroy(cn_world *world, cn_chain chain); // what is left of its segments
// Its segments, in order: null gives the first, and comes back after the last.
cn_shape cn_chain_next_segment(const cn_world *world, cn_chain chain, cn_shape previous);
cn_chain cn_shape_chain(const cn_world *world, cn_shape shape); // null if it is no segment

/* A grid of square tiles, each solid or empty: smooth ground from a bitmap, with four bytes per
 * tile. It belongs to a static body, which may be moved, turned and disabled. Steps give shapes to
 * solid tiles near moving bodies, and take them back later. Iteration skips these shapes, and they
 * cannot be changed. Tiles that are surrounded by solid ones are not felt. A grid joins other
 * static shapes that touch it. Events and contacts name the grid and the tile: see cn_side. A step
 * that fails because memory is short may have given shapes to some tiles. This changes the world's
 * hash but nothing else that you can see. */
typedef struct {
    const uint8_t *solid; // width * height, row by row from below; not 0: solid; copied
    int width, height;    // at most 1 << 26 tiles
    float tile_size;      // m; at least 0.02 m x length_unit and 2e-6 of the farthest coordinate
    vec2s origin;         // lower left corner, in the body's frame
    cn_material material; // of all tiles
    cn_filter filter;
    uint64_t user_data;               // what cn_side.shape_user_data will be
    bool hit_events, no_touch_events; // as of a shape
} cn_tiles_def;

// The body must be static, and stays static as long as it has a grid. Wakes the bodies that sleep
// there.
cn_tiles cn_tiles_create(cn_world *world, cn_body body, const cn_tiles_def *def);
bool cn_tiles_destroy(cn_world *world, cn_tiles tiles);     // also when its body is destroyed
bool cn_tiles_valid(const cn_world *world, cn_tiles tiles); // no error if it is not
cn_body cn_tiles_body(const cn_world *world, cn_tiles tiles);
int cn_tiles_width(const cn_world *world, cn_tiles tiles); // in tiles
int cn_tiles_height(const cn_world *world, cn_tiles tiles);
float cn_tiles_tile_size(const cn_world *world, cn_tiles tiles); // m
// The lower left corner, in the body's frame.
vec2s cn_tiles_origin(const cn_world *world, cn_tiles tiles);
// Changes a tile. Contacts with it end or begin in the next step. Bodies that sleep beside it wake.
// x counts from the left, y from below. Allocates nothing.
bool cn_tiles_set(cn_world *world, cn_tiles tiles, int x, int y, bool solid);
bool cn_tiles_get(const cn_world *world, cn_tiles tiles, int x, int y); // is it solid?

// Iteration: a null handle gives the first object, and the last object gives a null handle. To
// destroy an object on the way, get the next one first.
cn_body cn_world_next_body(const cn_world *world, cn_body previous);
cn_shape cn_world_next_shape(const cn_world *world, cn_shape previous);
cn_shape cn_body_next_shape(const cn_world *world, cn_body body, cn_shape previous);
cn_joint cn_world_next_joint(const cn_world *world, cn_joint previous);
cn_joint cn_body_next_joint(const cn_world *world, cn_body body, cn_joint previous);

// The object in a slot. Error texts name objects by their slots. Returns a null handle, without an
// error, if the slot is empty or has the shape of a tile. Fails if the slot is not in 0 ..
// 16777214.
cn_body cn_world_body(const cn_world *world, int slot);
cn_shape cn_world_shape(const cn_world *world, int slot);
cn_joint cn_world_joint(const cn_world *world, int slot);
cn_tiles cn_world_grid(const cn_world *world, int slot);

// ---------------------------------------------------------------------------------------- joints

/* A joint holds two bodies by three coordinates. Each body has a frame; frame B seen from frame A
 * has a place (x, y) along the axes of frame A and an angle. Each coordinate by itself is
 *
 *     CN_LOCKED    held at `target`, rigidly
 *     CN_FREE      left alone
 *     CN_LIMITED   kept between `lower` and `upper`
 *
 * and, unless it is locked, may have a spring, a motor, or both. In a revolute joint the angle is
 * free, in a slider x is free, and in a weld all are locked. A definition of all zeros, except for
 * its bodies, welds their origins to each other. In a polar joint x is the distance of the two
 * anchors, and y is left alone. If the motors of x and y have the same greatest force, they share
 * it: their force together is at most this, in any direction.
 *
 * A field that would have no effect must be 0. Otherwise the call fails and names the field. Limits
 * and ratchets need CN_LIMITED, targets need CN_LOCKED or a spring, damping and forces of springs
 * need hertz, and speeds and forces of motors need .motor. The y of a polar joint must be {0} or
 * {.mode = CN_FREE}. To remove a motor or a spring, set the whole coordinate, for example to
 * {.mode = CN_FREE}.
 *
 * A spring swings at its hertz in the pose where the two frames are laid on each other, at their
 * targets (for a polar joint: along their x axes). It has the same stiffness in every other pose,
 * where its bodies may be easier or harder to turn.
 *
 * A frame may lie outside its body's shapes. But if a small body is on a rigid arm of some hundred
 * times its size, a hit turns it by more than its joint can correct, and the body gains speed. Give
 * such an arm a shape and mass.
 *
 * Lengths in m, angles in rad (they count turns), forces in N and torques in N m. */
typedef enum { CN_LOCKED, CN_FREE, CN_LIMITED } cn_coordinate_mode;
typedef enum { CN_JOINT_X, CN_JOINT_Y, CN_JOINT_ANGLE } cn_joint_axis;

typedef struct {
    cn_coordinate_mode mode;
    float lower, upper;  // of CN_LIMITED, else 0; lower <= upper
    float target;        // value at which it is locked, or at which its spring is at rest; else 0
    float hertz;         // of the spring: undamped, for the two bodies' masses; 0: no spring
    float damping_ratio; // of the spring; 0: swings for ever, 1: comes back without swinging
    float spring_force;  // greatest, of the spring; 0: unlimited
    bool motor;          // has a motor
    float speed;         // m/s or rad/s that the motor aims at
    float motor_force;   // greatest, of the motor; 0: unlimited. With speed 0 a motor is friction
    float ratchet; // of CN_LIMITED, > 0: teeth of this width; `lower` follows the coordinate up
} cn_coordinate;

typedef struct {
    cn_body a, b;
    cn_pose frame_a, frame_b; // in the frame of each body; all zeros in a rotation: not rotated
    cn_coordinate x, y, angle;
    bool polar;
    bool collide_connected; // a and b collide; cn_mouse_joint() and cn_motor_joint() set it
    bool disabled;          // does nothing, as if it were not there
    float break_force;      // N: a greater one destroys the joint; 0: unbreakable
    // N m, of the angle; 0: unbreakable. A free angle without spring, motor and coupling has none
    float break_torque;
    uint64_t user_data;
    uint32_t failure; // if it could not be made: a mark of the error of that call; else 0
} cn_joint_def;

// Definitions of common joints. Change them as you like and pass them to cn_joint_create(). Points
// and axes are in the world. At the present poses of the bodies every coordinate is 0, except a
// distance. If such a call fails, its definition has no bodies. cn_joint_create() refuses it, and
// its error repeats why the definition was not made. Hinges take little energy: a bridge of planks
// swings for minutes unless its bodies have damping or its joints have friction (.motor,
// .motor_force).
cn_joint_def cn_revolute_joint(const cn_world *world, cn_body a, cn_body b, vec2s point);
// Slides along an axis of a (any length except 0): x is free.
cn_joint_def cn_prismatic_joint(const cn_world *world, cn_body a, cn_body b, vec2s point,
                                vec2s axis);
// Rigid. For a soft one set the modes to CN_FREE and give springs.
cn_joint_def cn_weld_joint(const cn_world *world, cn_body a, cn_body b, vec2s point);
// A wheel b on a car a: turns freely, and x, along the axis, is a spring of 4 Hz, damping ratio
// 0.7.
cn_joint_def cn_wheel_joint(const cn_world *world, cn_body a, cn_body b, vec2s point, vec2s axis);
// A bar between two points, as long as they are apart now.
cn_joint_def cn_distance_joint(const cn_world *world, cn_body a, cn_body b, vec2s point_a,
                               vec2s point_b);
// At most as far apart as they are now.
cn_joint_def cn_rope_joint(const cn_world *world, cn_body a, cn_body b, vec2s point_a,
                           vec2s point_b);
// A spring of 2 Hz without damping, at rest as they are now.
cn_joint_def cn_spring_joint(const cn_world *world, cn_body a, cn_body b, vec2s point_a,
                             vec2s point_b);
// For dragging: pulls a point of b softly towards a point of a. Move the point of a with
// cn_joint_set_frames() (pass the frame_b of cn_joint_get() unchanged).
cn_joint_def cn_mouse_joint(const cn_world *world, cn_body a, cn_body b, vec2s point);
// Keeps b at rest relative to a, at b's centre of mass, with at most this force and torque (0:
// unlimited; for none set the coordinate to {.mode = CN_FREE}). Set speeds to drive b. If a is
// static, the joint acts as the friction of a floor seen from above. The two bodies collide, so a
// may have walls.
cn_joint_def cn_motor_joint(const cn_world *world, cn_body a, cn_body b, float greatest_force,
                            float greatest_torque);
// Does nothing but keep a and b from colliding.
cn_joint_def cn_filter_joint(const cn_world *world, cn_body a, cn_body b);

// Wakes both bodies. Fails if both bodies are the same, if `lower` is above `upper`, if the
// greatest length of a polar joint is 0 or less, or if a field would have no effect (see above).
cn_joint cn_joint_create(cn_world *world, const cn_joint_def *def);
// Destroying a body also destroys its joints. The joint may have let two dynamic bodies overlap, as
// links of a chain do. If they overlap by more than half of the smaller inner radius, they pass
// each other until they part or fall asleep. If they overlap less, they are pushed apart. The same
// holds when the joint is disabled, or set to let its bodies collide.
bool cn_joint_destroy(cn_world *world, cn_joint joint);
bool cn_joint_valid(const cn_world *world, cn_joint joint); // no error if it is not

// The joint as it is now, with the limit that a ratchet has reached.
cn_joint_def cn_joint_get(const cn_world *world, cn_joint joint);
bool cn_joint_set_coordinate(cn_world *world, cn_joint joint, cn_joint_axis axis,
                             const cn_coordinate *coordinate);
// Cheap changes that keep the impulses, for control in every step. Fail if the coordinate has no
// motor (`speed`), or neither spring nor lock (`target`). If a limit or lock is moved faster than
// 1.5 m/s, its body follows it 0.06 s behind. So reel in a rope with a motor instead. Control an
// arm of several links under a heavy load by the targets of springs. Motors whose speeds are set
// from the angles make such an arm oscillate.
bool cn_joint_set_speed(cn_world *world, cn_joint joint, cn_joint_axis axis, float speed);
bool cn_joint_set_target(cn_world *world, cn_joint joint, cn_joint_axis axis, float target);
bool cn_joint_set_frames(cn_world *world, cn_joint joint, cn_pose frame_a, cn_pose frame_b);
bool cn_joint_set_polar(cn_world *world, cn_joint joint, bool polar);
bool cn_joint_set_collide_connected(cn_world *world, cn_joint joint, bool collide);
bool cn_joint_set_enabled(cn_world *world, cn_joint joint, bool enabled);
bool cn_joint_set_break(cn_world *world, cn_joint joint, float force, float torque);
bool cn_joint_set_user_data(cn_world *world, cn_joint joint, uint64_t user_data);
uint64_t cn_joint_user_data(const cn_world *world, cn_joint joint);

// Where a coordinate is and how fast it changes. (The angle of a joint that holds no dynamic body
// counts no turns.)
float cn_joint_value(const cn_world *world, cn_joint joint, cn_joint_axis axis);
float cn_joint_speed(const cn_world *world, cn_joint joint, cn_joint_axis axis);
// What the joint exerted on b in the last substep: a force in the world, a torque about its anchor.
vec2s cn_joint_force(const cn_world *world, cn_joint joint);
float cn_joint_torque(const cn_world *world, cn_joint joint);

/* Couples a coordinate q of a joint with a coordinate q' of another: q + ratio q' stays as it is
 * now.
 *
 *     gears             the angles of two revolute joints; ratio r'/r, which turns them against
 *                       each other (negative: both turn the same way)
 *     rack and pinion   an angle and an x; the ratio is the inverse of the radius
 *     pulley            the lengths of two polar joints; ratio 1, with slack: the sum may be
 *                       smaller, as of a rope
 *
 * Both joints must hold a dynamic body. A joint owns at most one coupling. The force and torque of
 * the owner include those of the coupling, also for breaking. Those of the other joint do not. */
typedef struct {
    cn_joint other; // null: no coupling
    cn_joint_axis axis, other_axis;
    float ratio; // finite, not 0
    bool slack;
} cn_coupling;

bool cn_joint_set_coupling(cn_world *world, cn_joint joint, cn_coupling coupling);
cn_coupling cn_joint_get_coupling(const cn_world *world, cn_joint joint);

// ---------------------------------------------------------------------------------------- events

// One side of a contact. In an end event the handles may be of destroyed objects.
typedef struct {
    cn_body body;
    cn_shape shape; // of a tile: a name only, until the tile's shape is taken back
    uint64_t body_user_data, shape_user_data;
    cn_tiles tiles; // the grid, if the shape is a tile; else null
    int tile;       // y * width + x of it; else -1
} cn_side;

typedef struct {
    cn_side a, b;
    vec2s point;  // world; where they first touch (begin only)
    vec2s normal; // from A to B (begin only)
} cn_touch_event;

// A sensor sees the shapes of all other bodies, also of sleeping and static ones, and other
// sensors, if the filters of both allow it. For a shape that passes through the sensor within one
// step, both events are in that step.
typedef struct {
    cn_side sensor, other;
} cn_sensor_event;

// One event for each pair of shapes: a body that hits two tiles at once raises two events.
typedef struct {
    cn_side a, b;
    vec2s point, normal;
    float approach_speed; // m/s along the normal before the impact
    float impulse;        // N s, all of the step
} cn_hit_event;

typedef enum { CN_BODY_SLEPT, CN_BODY_WOKE, CN_BODY_FAULT } cn_body_change;

typedef struct {
    cn_body body;
    uint64_t user_data;
    cn_body_change change; // FAULT: its state left the range of numbers; put back and disabled
} cn_body_event;

// A body whose pose differs from its pose after the previous step. It was awake, it is kinematic
// and has a velocity, or cn_body_set_pose() moved it between the steps. A body that falls asleep in
// the step raises one more event, even if it did not move, and then none until it wakes. A new body
// raises its first event when it moves. A body that was destroyed after the step raises none.
typedef struct {
    cn_body body;
    uint64_t user_data;
    // Of the origin, after the step. Drawn poses (cn_body_drawn_pose()) lag behind and change in
    // frames without a step, too. So if you draw those, update the bodies of the last call of
    // cn_world_advance() that took steps in each frame, and those of the call before once more.
    cn_pose pose;
    bool fell_asleep; // in this step
} cn_move_event;

// A joint that broke: its handle is no longer valid. force in N, torque in N m.
typedef struct {
    cn_joint joint;
    uint64_t user_data;
    float force, torque;
} cn_joint_event;

// The events of the last step, and of the calls between it and the step before. After
// cn_world_advance(): of all the steps that it took (none if it took none). Every begin has its
// end, also when a shape is destroyed. The arrays are valid until the next step or
// cn_world_events(), so you may destroy bodies while you read them.
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

cn_events cn_world_events(cn_world *world);

// A contact: two shapes whose boxes overlap; touching if its manifold has points.
typedef struct {
    cn_side a, b;
    cn_manifold manifold;
    float friction, restitution;
} cn_contact;

// Writes up to `capacity` of the touching contacts and returns their number. If one of two points
// is farther apart than tuning.speculative_margin, it is left out.
int cn_world_contacts(const cn_world *world, cn_contact *contacts, int capacity);

// The touching contacts of one body, which may be either side of them; and do two bodies touch?
//
// These two functions and cn_body_ground() use an index. The first of these calls after a step
// makes it, and allocates memory for it. No other function of a const world allocates memory. Like
// all functions of a const world, any number of threads may call them at once as long as no thread
// changes or steps the world.
int cn_body_contacts(const cn_world *world, cn_body body, cn_contact *contacts, int capacity);
bool cn_touching(const cn_world *world, cn_body a, cn_body b);

// The same contact with the body as side a. If the body is side b, the two sides change places. The
// normal then points from the body to the other one, and ids and reference side change accordingly.
// Fails, and returns all zeros, if the body is neither side.
cn_contact cn_contact_seen_from(cn_contact contact, cn_body body);

typedef struct {
    bool found;
    cn_side side;   // the shape that the body stands on
    vec2s point;    // world; half way between two contact points
    vec2s normal;   // unit, from the ground to the body
    vec2s velocity; // m/s of the ground's surface at the point, with its surface_speed
} cn_ground;

/* The ground on which a body stands. Among its touching contacts, it is the one whose normal
 * (towards the body) has the greatest cosine with `up`, if this is at least `least_cosine`. With up
 * = (0, 1) and 0.7 the ground is no steeper than 45 degrees. Among equal contacts, the first one in
 * cn_body_contacts() wins. Sensors and contacts that pre_solve refused do not count.
 *
 * `up` has any length except 0; `least_cosine` is -1..1. Contacts are those of the last step. */
cn_ground cn_body_ground(const cn_world *world, cn_body body, vec2s up, float least_cosine);

/* Two callbacks run within a step. They may read the world. A call that would change it fails with
 * CN_ERROR_STATE. Platforms, conveyors and sensors need neither callback.
 *
 * filter      May two shapes collide at all, if cn_filter allows it? Called when their boxes begin
 *             to overlap, again when a sleeping body wakes, and for shapes ahead of a fast body.
 *             So the answer must not change from step to step.
 * pre_solve   Does a touching contact act in this step? Called in every step for awake contacts, in
 *             the order of cn_world_contacts(). If it refuses, a fast body still stops at the other
 *             shape for the rest of a step before it passes through.
 *
 * before_step runs before each step of cn_world_advance(), for what is set anew in every step:
 * forces, targets of kinematic bodies, speeds of motors. (A frame takes no step, one or several.)
 * It may change the world, but not step or destroy it. If a step fails, before_step has run
 * already, and runs again for the next attempt. */
typedef struct {
    bool (*filter)(cn_world *world, cn_shape a, cn_shape b, void *user);
    bool (*pre_solve)(cn_world *world, const cn_contact *contact, void *user);
    void *user;
    void (*before_step)(cn_world *world, float time_step, void *user);
} cn_callbacks;

bool cn_world_set_callbacks(cn_world *world, cn_callbacks callbacks);

// --------------------------------------------------------------------------------------- queries

/* Queries of the whole world: what a ray hits, what lies at a point, what is near.
 *
 * Results are exact for the present shapes, also right after a change and before any step. Shapes
 * of disabled bodies are left out. All shapes are solid. Shapes with .no_collision and one-way
 * shapes are seen from all sides. Sensors are seen only on request.
 *
 * A segment of a chain stops only rays that start on its open side, where bodies stand, and hulls
 * whose middle (the average of their vertices) starts there. Overlaps and distances see it from
 * both sides. Solid tiles of a grid are seen one by one, also the surrounded ones: their side has
 * .tiles and .tile, and its .shape is null. Shapes that touch are separate, also on smooth ground:
 * a ray through two of them hits both.
 *
 * Queries take a const world, allocate nothing, wake nothing and do not change the hash. Any number
 * of threads may query at the same time as long as no thread changes or steps the world. Callbacks
 * may query, too. Results are the same bits on every machine, with any number of threads.
 *
 * To touch is to overlap, and bodies at rest overlap the ground by about tuning.slop. So to ask
 * whether there is room for a body, make the hull smaller by two slops on each side, and keep a
 * character that you sweep yourself that far away from walls. The gap of cn_world_nearest() is the
 * way out of an overlap.
 *
 * Coordinates are up to 1e9 in your lengths. A wrong argument gives no hit or a count of 0, and
 * cn_error() says why. */

// What a query sees. All zero: every shape that is not a sensor.
typedef struct {
    // As the filter of a shape, except for zeros. Category 0: shapes of any mask are seen. Mask 0:
    // shapes of all categories are seen. Equal groups, if not zero, decide alone: a positive group
    // is seen, a negative one is not.
    cn_filter filter;
    // The shapes and tiles of this body are not seen; null: no body is ignored. A destroyed body is
    // an error, and then the query finds nothing.
    cn_body ignore;
    bool sensors;   // sensors are seen, too
    bool any;       // casts stop at the first hit found, which may not be the nearest, and set only
                    // .hit and .side of the result
    // Called for each shape or tile that would be a result; false: it is not seen. NULL: all are.
    // It may ask the world but not change it: such calls fail with CN_ERROR_STATE.
    // cn_world_cast_rays() may call it on several threads at once.
    bool (*accept)(const cn_world *world, cn_side side, void *user);
    void *user;
} cn_query;

typedef struct {
    bool hit;
    cn_side side;   // the shape or tile that was hit
    float fraction; // 0..1 of the translation
    vec2s point;    // world; of the surface that was hit
    // Unit, of that surface. Zero if the ray starts in or on the shape, or if the hull overlaps it
    // from the start. What touches at the start hits at fraction 0, even if it moves away: then
    // the normal and the translation point the same way.
    vec2s normal;
} cn_world_hit;

// A ray from origin to origin + translation. If the translation is zero, the ray is a point.
typedef struct {
    vec2s origin, translation;
} cn_ray;

// In all these functions a query of NULL means all zero.

// The nearest hit of a ray. Among several at the same fraction, the shape with the lowest slot
// wins, and shapes come before tiles.
cn_world_hit cn_world_cast_ray(const cn_world *world, vec2s origin, vec2s translation,
                               const cn_query *query);
// All shapes and tiles that a ray hits, by fraction, then by slot. Writes the first `capacity` hits
// and returns the number of all. query->any is ignored.
int cn_world_cast_ray_all(const cn_world *world, vec2s origin, vec2s translation,
                          const cn_query *query, cn_world_hit *hits, int capacity);
// The nearest hit of each of many rays, in the order of the rays. Rays that start near each other
// share work. The threads of the world share the rays, unless another call uses these threads. If an
// argument is bad, it returns false and writes no hit.
bool cn_world_cast_rays(const cn_world *world, const cn_ray *rays, int count,
                        const cn_query *query, cn_world_hit *hits);
// The first shape or tile that a hull touches while it moves along a sweep, straight or turning. As
// for cn_time_of_impact(), the point and the normal are on the shape that is hit.
cn_world_hit cn_world_cast_hull(const cn_world *world, const cn_hull *hull, const cn_sweep *sweep,
                                const cn_query *query);

// All shapes, then all tiles, that overlap or touch a hull at a pose, by slot. A body with several
// shapes may come several times. Writes the first `capacity` sides and returns the number of all.
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

// The shape nearest to a hull at a pose, at a distance of at most `greatest_distance` (>= 0). If
// several overlap the hull, it is the one that overlaps deepest. If `hull` is NULL, the position of
// the pose is a point.
cn_neighbor cn_world_nearest(const cn_world *world, const cn_hull *hull, cn_pose pose,
                             float greatest_distance, const cn_query *query);

// --------------------------------------------------------------------------------- looking inside

typedef struct {
    cn_body body;
    uint64_t user_data;
    cn_pose pose;
    bool awake;
} cn_body_state;

// Writes up to `capacity` bodies (drawn poses if `drawn`), in slot order. Returns the number of
// all.
int cn_world_bodies(const cn_world *world, cn_body_state *states, int capacity, bool drawn);

typedef struct {
    double kinetic, potential;              // J; potential is 0 at the origin
    double momentum_x, momentum_y, angular; // kg m/s; kg m^2/s about the origin
} cn_energy;

cn_energy cn_world_energy(const cn_world *world); // of all dynamic bodies, in double precision

typedef struct {
    int bodies, awake_bodies, shapes, joints;
    int contacts, touching; // contacts of awake bodies whose boxes overlap; those that touch
    int sleeping_touching;  // touching contacts that sleep with their islands
    int islands, sleeping_islands, batches, colors;
    int lanes;            // SIMD width in use
    uint64_t steps;       // ever taken
    size_t bytes;         // memory now in use, as counted by the allocator
    uint64_t allocations; // ever made
} cn_counters;

cn_counters cn_world_counters(const cn_world *world);

enum { CN_MAX_STAGES = 16 };

typedef struct {
    int count;
    const char *names[CN_MAX_STAGES];
    double seconds[CN_MAX_STAGES]; // of the last step
    double total;
} cn_profile;

bool cn_world_set_profiling(cn_world *world, bool on);
cn_profile cn_world_profile(const cn_world *world); // zeros while profiling is off

// 64 bits over the whole state of the simulation (not over user data and tags).
uint64_t cn_world_hash(const cn_world *world);

typedef enum {
    CN_DRAW_SHAPES = 1,
    CN_DRAW_CONTACTS = 2,
    CN_DRAW_NORMALS = 4,
    CN_DRAW_REFERENCE_EDGES = 8,
    CN_DRAW_BOUNDS = 16,  // fat boxes of the shapes
    CN_DRAW_TREE = 32,    // inner boxes of the tree
    CN_DRAW_ISLANDS = 64, // a line from each body to its island's first
    CN_DRAW_MASS = 128,   // centres of mass
    CN_DRAW_JOINTS = 256, // anchors, lines to them, and slides and bars
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
} cn_drawing;

// Sleeping bodies are drawn paler. `flags` is a sum of cn_draw_flags.
bool cn_world_draw(cn_world *world, uint32_t flags, cn_drawing *drawing);

#ifdef __cplusplus
} // extern "C"

// C++: definitions and queries may be passed as temporaries, cn_body_create(world, {.position =
// {{0, 10}}}).
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

#endif
