/* Chipmunk 7 as a peer. Its numbers are doubles. It has everything that the benchmark scenes use,
 * except continuous collision, one-sided chains and restitution that mixes as the larger value. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // dup2
#endif
#include "peer.h"

#include <chipmunk/chipmunk.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TEXT(x)    TEXT_OF(x)
#define TEXT_OF(x) #x

enum { ITERATIONS = 10, MAX_CATEGORIES = 32 };

// Properties that Chipmunk's bodies do not have. The user data of a body points to them.
typedef struct {
    cpFloat gravity_scale, linear_damping, angular_damping; // 1/s
} extras;

typedef struct {
    cpBody *body; // NULL once it is removed
    extras extras;
} entry;

struct peer_world {
    cpSpace *space;
    entry **entries; // by number
    int count, capacity;
};

static cpVect vect(vec2s v) { return cpv((cpFloat)v.x, (cpFloat)v.y); }

static void *check_memory(void *memory) {
    if (memory) return memory;
    fputs("cairn-bench: out of memory\n", stderr);
    abort();
}

// ------------------------------------------------------------------------------------------- world

// A build of Chipmunk with assertions prints a line on the standard output. This hides it.
static cpSpace *create_space_quietly(void) {
    fflush(stdout);
    int output = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    cpSpace *space = check_memory(cpSpaceNew());
    fflush(stdout);
    dup2(output, STDOUT_FILENO);
    close(nowhere);
    close(output);
    return space;
}

static peer_world *create(const cn_world *like) {
    peer_world *world = check_memory(calloc(1, sizeof *world));
    cn_tuning tuning = cn_world_tuning(like);
    cpSpace *space = world->space = create_space_quietly();
    cpSpaceSetGravity(space, vect(cn_world_gravity(like)));
    cpSpaceSetIterations(space, ITERATIONS);
    cpSpaceSetCollisionSlop(space, (cpFloat)tuning.slop); // the default is for pixels
    if (cn_world_no_sleep(like)) return world;
    cpSpaceSetSleepTimeThreshold(space, (cpFloat)tuning.sleep_time);
    cpSpaceSetIdleSpeedThreshold(space, (cpFloat)tuning.sleep_speed);
    return world;
}

static void remove_shape(cpBody *body, cpShape *shape, void *space) {
    (void)body;
    cpSpaceRemoveShape(space, shape);
    cpShapeFree(shape);
}

static void remove_constraint(cpBody *body, cpConstraint *constraint, void *space) {
    (void)body;
    cpSpaceRemoveConstraint(space, constraint);
    cpConstraintFree(constraint);
}

static void remove_body(peer_world *world, int number) {
    entry *e = world->entries[number];
    cpBodyEachConstraint(e->body, remove_constraint, world->space);
    cpBodyEachShape(e->body, remove_shape, world->space);
    cpSpaceRemoveBody(world->space, e->body);
    cpBodyFree(e->body);
    e->body = NULL;
}

static void free_shape(cpBody *body, cpShape *shape, void *space) {
    (void)body, (void)space;
    cpShapeFree(shape);
}

// Destroys the space before the shapes, because removing a shape from a space takes time in
// proportion to all contacts.
static void destroy(peer_world *world) {
    for (int i = 0; i < world->count; i++)
        if (world->entries[i]->body)
            cpBodyEachConstraint(world->entries[i]->body, remove_constraint, world->space);
    cpSpaceFree(world->space);
    for (int i = 0; i < world->count; i++) {
        entry *e = world->entries[i];
        if (e->body) {
            cpBodyEachShape(e->body, free_shape, NULL);
            cpBodyFree(e->body);
        }
        free(e);
    }
    free(world->entries);
    free(world);
}

static void step(peer_world *world, float dt) { cpSpaceStep(world->space, (cpFloat)dt); }

// ------------------------------------------------------------------------------------------ bodies

static const char *refuse_body(const peer_body *body) {
    for (int i = 0; i < body->shape_count; i++) {
        cn_filter filter = body->shapes[i].def.filter;
        if (filter.group > 0) return "groups that always collide";
        if (filter.category >> MAX_CATEGORIES) return "more than 32 categories";
    }
    return NULL;
}

// Updates a velocity like Chipmunk's default, but with the body's own gravity scale and damping.
// The damping factor is 1 / (1 + dt c), as in Cairn.
static void update_velocity(cpBody *body, cpVect gravity, cpFloat damping, cpFloat dt) {
    const extras *x = cpBodyGetUserData(body);
    cpBodyUpdateVelocity(body, cpvmult(gravity, x->gravity_scale), damping, dt);
    cpBodySetVelocity(body, cpvmult(cpBodyGetVelocity(body), 1 / (1 + dt * x->linear_damping)));
    cpBodySetAngularVelocity(body, cpBodyGetAngularVelocity(body) / (1 + dt * x->angular_damping));
}

static cpShape *make_shape(cpBody *body, const peer_shape *shape) {
    const cn_hull *hull = &shape->def.hull;
    cpVect points[CN_MAX_VERTICES];
    for (int i = 0; i < hull->count; i++) points[i] = vect(hull->vertices[i]);
    cpFloat radius = (cpFloat)hull->radius;
    if (hull->count == 1) return cpCircleShapeNew(body, radius, points[0]);
    if (hull->count > 2) return cpPolyShapeNewRaw(body, hull->count, points, radius);
    cpShape *segment = cpSegmentShapeNew(body, points[0], points[1], radius);
    if (shape->is_chained)
        cpSegmentShapeSetNeighbors(segment, vect(shape->before), vect(shape->after));
    return segment;
}

// Adds a shape. Chipmunk mixes friction as the product, so each shape gets the square root.
static void add_shape(cpSpace *space, cpBody *body, const peer_shape *shape) {
    cpShape *made = check_memory(make_shape(body, shape));
    const cn_material *material = &shape->def.material;
    const cn_filter *filter = &shape->def.filter;
    cpShapeSetFriction(made, sqrt((cpFloat)material->friction));
    cpShapeSetElasticity(made, (cpFloat)material->restitution);
    cpShapeSetFilter(made, cpShapeFilterNew((cpGroup)-filter->group, (cpBitmask)filter->category,
                                            (cpBitmask)filter->mask));
    cpSpaceAddShape(space, made);
}

static cpBody *make_body(const peer_body *body) {
    if (body->def.type == CN_STATIC) return cpBodyNewStatic();
    if (body->def.type == CN_KINEMATIC) return cpBodyNewKinematic();
    cpFloat inertia = (cpFloat)body->mass.inertia;
    return cpBodyNew((cpFloat)body->mass.mass, inertia > 0 ? inertia : (cpFloat)INFINITY);
}

static void set_dynamics(entry *e, const cn_body_def *def, vec2s center) {
    e->extras = (extras){(cpFloat)def->gravity_scale, (cpFloat)def->linear_damping,
                         (cpFloat)def->angular_damping};
    cpBodySetUserData(e->body, &e->extras);
    cpBodySetCenterOfGravity(e->body, vect(center));
    bool is_plain =
        def->gravity_scale == 1 && def->linear_damping == 0 && def->angular_damping == 0;
    if (!is_plain) cpBodySetVelocityUpdateFunc(e->body, update_velocity);
}

static entry *add_entry(peer_world *world) {
    if (world->count == world->capacity) {
        world->capacity = 2 * world->capacity + 64;
        world->entries =
            check_memory(realloc(world->entries, sizeof *world->entries * (size_t)world->capacity));
    }
    return world->entries[world->count++] = check_memory(calloc(1, sizeof(entry)));
}

static void add_body(peer_world *world, const peer_body *body) {
    const cn_body_def *def = &body->def;
    entry *e = add_entry(world);
    e->body = cpSpaceAddBody(world->space, check_memory(make_body(body)));
    if (def->type == CN_DYNAMIC) set_dynamics(e, def, body->mass.center);
    cpBodySetPosition(e->body, vect(def->position));
    cpBodySetAngle(e->body, (cpFloat)def->angle);
    for (int i = 0; i < body->shape_count; i++) add_shape(world->space, e->body, &body->shapes[i]);
    if (def->type == CN_STATIC) return;
    cpBodySetVelocity(e->body, vect(def->velocity));
    cpBodySetAngularVelocity(e->body, (cpFloat)def->angular_velocity);
    if (def->type == CN_DYNAMIC && def->asleep) cpBodySleep(e->body);
}

static void set_velocity(peer_world *world, int body, vec2s velocity, float angular) {
    cpBodySetVelocity(world->entries[body]->body, vect(velocity));
    cpBodySetAngularVelocity(world->entries[body]->body, (cpFloat)angular);
}

static cn_pose pose(const peer_world *world, int body) {
    const cpBody *b = world->entries[body]->body;
    cpVect p = cpBodyGetPosition(b);
    return cn_pose_at((vec2s){{(float)p.x, (float)p.y}}, (float)cpBodyGetAngle(b));
}

// ------------------------------------------------------------------------------------------ joints

static const char *refuse_joint(const peer_joint *joint) {
    (void)joint;
    return NULL;
}

static void add_constraint(peer_world *world, const peer_joint *joint, cpConstraint *made,
                           float force) {
    if (force > 0) cpConstraintSetMaxForce(check_memory(made), (cpFloat)force);
    cpConstraintSetCollideBodies(check_memory(made), joint->def.collide_connected);
    cpSpaceAddConstraint(world->space, made);
}

// Makes a spring. Its stiffness and damping follow from its frequency and both inertias. Those are
// inertias about the centres of mass. About a joint at the end of a bone the inertia is greater, so
// the spring of Cairn is stiffer.
static cpConstraint *make_spring(cpBody *a, cpBody *b, const cn_coordinate *angle, cpFloat rest) {
    cpFloat inertia = 1 / (1 / cpBodyGetMoment(a) + 1 / cpBodyGetMoment(b));
    cpFloat rate = 2 * CP_PI * (cpFloat)angle->hertz;
    return cpDampedRotarySpringNew(a, b, -rest, inertia * rate * rate,
                                   2 * (cpFloat)angle->damping_ratio * inertia * rate);
}

// Adds a joint. Chipmunk has separate constraints for the anchor, the limits, the motor and the
// spring.
static void add_joint(peer_world *world, const peer_joint *joint) {
    const cn_coordinate *angle = &joint->def.angle;
    cn_pose frame_a = joint->def.frame_a, frame_b = joint->def.frame_b;
    cpBody *a = world->entries[joint->a]->body, *b = world->entries[joint->b]->body;
    cpFloat zero =
        (cpFloat)(cn_rotation_angle(frame_a.rotation) - cn_rotation_angle(frame_b.rotation));
    add_constraint(world, joint,
                   cpPivotJointNew2(a, b, vect(frame_a.position), vect(frame_b.position)), 0);
    if (angle->mode == CN_LOCKED)
        add_constraint(world, joint, cpGearJointNew(a, b, (cpFloat)angle->target + zero, 1), 0);
    if (angle->mode == CN_LIMITED)
        add_constraint(
            world, joint,
            cpRotaryLimitJointNew(a, b, (cpFloat)angle->lower + zero, (cpFloat)angle->upper + zero),
            0);
    if (angle->motor)
        add_constraint(world, joint, cpSimpleMotorNew(a, b, -(cpFloat)angle->motor_speed),
                       angle->max_motor_force);
    if (angle->hertz > 0)
        add_constraint(world, joint, make_spring(a, b, angle, (cpFloat)angle->target + zero),
                       angle->max_spring_force);
}

// ---------------------------------------------------------------------------------------- counting

static void count_arbiter(cpBody *body, cpArbiter *arbiter, void *counts) {
    (void)body;
    ((peer_counts *)counts)->contacts++;
    ((peer_counts *)counts)->touching += cpArbiterGetCount(arbiter) > 0;
}

static void count_one(void *counts) { ++*(int *)counts; }
static void count_shape(cpBody *body, cpShape *shape, void *count) {
    (void)body, (void)shape;
    count_one(count);
}
static void count_constraint(cpConstraint *constraint, void *count) {
    (void)constraint;
    count_one(count);
}

static void count_body(peer_counts *counts, cpBody *body) {
    counts->bodies++;
    cpBodyEachShape(body, count_shape, &counts->shapes);
    cpBodyEachArbiter(body, count_arbiter, counts);
    if (cpBodyGetType(body) != CP_BODY_TYPE_DYNAMIC) return;
    counts->awake += !cpBodyIsSleeping(body);
    counts->mass += cpBodyGetMass(body);
    counts->height += cpBodyGetPosition(body).y;
}

static peer_counts count(const peer_world *world) {
    peer_counts counts = {0};
    int dynamic = 0;
    for (int i = 0; i < world->count; i++) {
        cpBody *body = world->entries[i]->body;
        if (!body) continue;
        count_body(&counts, body);
        dynamic += cpBodyGetType(body) == CP_BODY_TYPE_DYNAMIC;
    }
    cpSpaceEachConstraint(world->space, count_constraint, &counts.joints);
    counts.contacts /= 2; // each contact is counted at both of its bodies
    counts.touching /= 2;
    if (dynamic > 0) counts.height /= dynamic;
    return counts;
}

// ----------------------------------------------------------------------------------------- queries

static const char *refuse_queries(const query_plan *plan) {
    if (plan->type == QUERY_RAY_ANY) return "ray queries for any hit";
    if (plan->type == QUERY_CAST && plan->half_height > 0) return "hull casts except circle casts";
    if (plan->type == QUERY_CAST && plan->turn != 0) return "turning casts";
    return NULL;
}

// The results of a query.
typedef struct {
    const cpShape *shapes[QUERY_MAX_RESULTS];
    cpFloat distances[QUERY_MAX_RESULTS];
    int count;
} result_list;

static void add_result(result_list *list, const cpShape *shape, cpFloat distance) {
    if (list->count == QUERY_MAX_RESULTS) return;
    list->shapes[list->count] = shape;
    list->distances[list->count++] = distance;
}

static void add_hit(cpShape *shape, cpVect point, cpVect normal, cpFloat alpha, void *list) {
    (void)point, (void)normal;
    add_result(list, shape, alpha);
}
static void add_box(cpShape *shape, void *list) { add_result(list, shape, 0); }
static void add_overlap(cpShape *shape, cpContactPointSet *points, void *list) {
    (void)points;
    add_result(list, shape, 0);
}

// Sorts by distance. An insertion sort is enough for a few results.
static void sort(result_list *list) {
    for (int i = 1; i < list->count; i++) {
        cpFloat distance = list->distances[i];
        const cpShape *shape = list->shapes[i];
        int k = i;
        for (; k > 0 && list->distances[k - 1] > distance; k--) {
            list->distances[k] = list->distances[k - 1];
            list->shapes[k] = list->shapes[k - 1];
        }
        list->distances[k] = distance;
        list->shapes[k] = shape;
    }
}

// Finds the first hit of a ray or, with a radius, of a circle. Chipmunk tests only the shapes whose
// boxes meet the line of the circle's centre, so circles miss about one shape in twenty.
static void query_first_hit(cpSpace *space, const query *q, cpFloat radius, query_result *result) {
    cpSegmentQueryInfo info;
    cpVect from = vect(q->origin), to = cpvadd(from, vect(q->translation));
    if (cpSpaceSegmentQueryFirst(space, from, to, radius, CP_SHAPE_FILTER_ALL, &info))
        query_add(result, info.alpha);
}

static void query_all_hits(cpSpace *space, const query *q, query_result *result) {
    result_list list = {.count = 0};
    cpVect from = vect(q->origin), to = cpvadd(from, vect(q->translation));
    cpSpaceSegmentQuery(space, from, to, 0, CP_SHAPE_FILTER_ALL, add_hit, &list);
    sort(&list);
    for (int i = 0; i < list.count; i++) query_add(result, list.distances[i]);
}

static void query_bounds(cpSpace *space, const query_batch *batch, const query *q,
                         query_result *result) {
    result_list list = {.count = 0};
    cn_bounds box = cn_hull_bounds(batch->hull, q->pose);
    cpBB bb = cpBBNew((cpFloat)box.lower.x, (cpFloat)box.lower.y, (cpFloat)box.upper.x,
                      (cpFloat)box.upper.y);
    cpSpaceBBQuery(space, bb, CP_SHAPE_FILTER_ALL, add_box, &list);
    result->count += (uint64_t)list.count;
}

static void query_overlap(cpSpace *space, cpShape *shape, const query *q, query_result *result) {
    result_list list = {.count = 0};
    cpBody *body = cpShapeGetBody(shape);
    cpBodySetPosition(body, vect(q->origin));
    cpBodySetAngle(body, (cpFloat)cn_rotation_angle(q->pose.rotation));
    cpSpaceShapeQuery(space, shape, add_overlap, &list);
    result->count += (uint64_t)list.count;
}

static void query_nearest(cpSpace *space, const query *q, cpFloat reach, query_result *result) {
    cpPointQueryInfo info;
    if (cpSpacePointQueryNearest(space, vect(q->origin), reach, CP_SHAPE_FILTER_ALL, &info))
        query_add(result, info.distance);
}

static query_result run_queries(peer_world *world, const query_batch *batch) {
    const query_plan *plan = batch->plan;
    cpSpace *space = world->space;
    cpFloat width = (cpFloat)plan->half_width, height = (cpFloat)plan->half_height;
    cpBody *body = check_memory(cpBodyNewKinematic());
    cpShape *box = check_memory(cpBoxShapeNew(body, 2 * width, 2 * height, 0));
    query_result result = {0};
    for (int i = 0; i < plan->count; i++) {
        const query *q = &batch->items[i];
        switch (plan->type) {
        case QUERY_RAY:
        case QUERY_RAYS: query_first_hit(space, q, 0, &result); break;
        case QUERY_RAY_ALL: query_all_hits(space, q, &result); break;
        case QUERY_BOUNDS: query_bounds(space, batch, q, &result); break;
        case QUERY_OVERLAP: query_overlap(space, box, q, &result); break;
        case QUERY_CAST: query_first_hit(space, q, width, &result); break;
        case QUERY_NEAREST: query_nearest(space, q, (cpFloat)plan->reach, &result); break;
        case QUERY_RAY_ANY: break; // refused
        }
    }
    cpShapeFree(box);
    cpBodyFree(body);
    return result;
}

extern const peer peer_chipmunk;
const peer peer_chipmunk = {
    .name =
        "chipmunk " TEXT(CP_VERSION_MAJOR) "." TEXT(CP_VERSION_MINOR) "." TEXT(CP_VERSION_RELEASE),
    .settings_text =
        "10 iterations, slop 5 mm, no continuous collision; restitution mixes as the product, "
        "chains have two sides, sleeping bodies wake more easily",
    .refuse_body = refuse_body,
    .refuse_joint = refuse_joint,
    .refuse_queries = refuse_queries,
    .create = create,
    .destroy = destroy,
    .add_body = add_body,
    .remove_body = remove_body,
    .add_joint = add_joint,
    .set_velocity = set_velocity,
    .pose = pose,
    .step = step,
    .count = count,
    .run_queries = run_queries,
};
