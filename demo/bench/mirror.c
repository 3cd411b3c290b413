/* See mirror.h. The user data of a body in the Cairn world is its number in the peer's world plus
 * 1, or 0 if the body is new. (The benchmark scenes have no user data of their own.) The user data
 * of a joint is 1 if it has been mirrored. */
#include "mirror.h"

#include <stdlib.h>

typedef struct {
    cn_body body;
    bool is_removed, is_kinematic;
} twin;

struct mirror {
    const peer *peer;
    peer_world *world;
    scene_run source;
    twin *twins;
    int count, capacity;
    peer_shape *shapes; // of the body that is being read
    int shape_capacity;
    const char *refusal;
};

static bool refuse(mirror *m, const char *refusal) {
    if (refusal && !m->refusal) m->refusal = refusal;
    return !refusal;
}

// ----------------------------------------------------------------------------------------- reading

static vec2s first_point(const cn_world *world, cn_shape segment) {
    return cn_shape_hull(world, segment).vertices[0];
}

static vec2s last_point(const cn_world *world, cn_shape segment) {
    return cn_shape_hull(world, segment).vertices[1];
}

// Finds the points of a chain before and after one of its segments. At an end of an open chain, the
// chain is taken to go straight on.
static void read_neighbours(const cn_world *world, cn_shape segment, peer_shape *out) {
    cn_chain chain = cn_shape_chain(world, segment);
    out->is_chained = chain.id != 0;
    if (!out->is_chained) return;
    const vec2s p = first_point(world, segment), q = last_point(world, segment);
    out->before = glms_vec2_sub(p, glms_vec2_sub(q, p));
    out->after = glms_vec2_add(q, glms_vec2_sub(q, p));
    cn_shape other = cn_chain_next_segment(world, chain, (cn_shape){0});
    for (; other.id; other = cn_chain_next_segment(world, chain, other)) {
        if (glms_vec2_eqv_eps(last_point(world, other), p)) out->before = first_point(world, other);
        if (glms_vec2_eqv_eps(first_point(world, other), q)) out->after = last_point(world, other);
    }
}

static const char *find_unsupported(const cn_shape_def *shape) {
    if (shape->sensor) return "sensors";
    if (shape->one_way.x != 0 || shape->one_way.y != 0) return "one-way shapes";
    if (shape->material.surface_speed != 0) return "conveyors";
    if (shape->material.rolling_resistance != 0) return "rolling resistance";
    return NULL;
}

// Makes sure that the array can hold one more element. Returns the array, which may have moved, or
// NULL if memory is short.
static void *grow(void *array, size_t size, int count, int *capacity) {
    if (count < *capacity) return array;
    void *grown = realloc(array, size * (2 * (size_t)count + 64));
    if (grown) *capacity = 2 * count + 64;
    return grown;
}

static bool add_shape(mirror *m, int count, peer_shape shape) {
    peer_shape *shapes = grow(m->shapes, sizeof *shapes, count, &m->shape_capacity);
    if (!shapes) return refuse(m, "out of memory");
    m->shapes = shapes;
    shapes[count] = shape;
    return refuse(m, find_unsupported(&shape.def));
}

static bool read_shapes(mirror *m, cn_body body, peer_body *out) {
    const cn_world *world = m->source.world;
    cn_shape shape = cn_body_next_shape(world, body, (cn_shape){0});
    for (; shape.id; shape = cn_body_next_shape(world, body, shape)) {
        peer_shape s = {.def = {
                            .hull = cn_shape_hull(world, shape),
                            .material = cn_shape_material(world, shape),
                            .filter = cn_shape_filter(world, shape),
                            .sensor = cn_shape_sensor(world, shape),
                            .one_way = cn_shape_one_way(world, shape),
                        }};
        read_neighbours(world, shape, &s);
        if (!add_shape(m, out->shape_count++, s)) return false;
    }
    out->shapes = m->shapes;
    return true;
}

static bool read_body(mirror *m, cn_body body, peer_body *out) {
    const cn_world *world = m->source.world;
    cn_body_def *def = &out->def;
    *out = (peer_body){.mass = cn_body_mass_data(world, body)};
    *def = (cn_body_def){
        .type = cn_body_type(world, body),
        .position = cn_body_position(world, body),
        .angle = cn_body_angle(world, body),
        .velocity = cn_body_velocity(world, body),
        .angular_velocity = cn_body_angular_velocity(world, body),
        .linear_damping = cn_body_linear_damping(world, body),
        .angular_damping = cn_body_angular_damping(world, body),
        .gravity_scale = cn_body_gravity_scale(world, body),
        .bullet = cn_body_bullet(world, body),
        .no_sleep = cn_body_no_sleep(world, body),
        .asleep = cn_body_asleep(world, body),
    };
    cn_body_locks(world, body, &def->lock_x, &def->lock_y, &def->lock_rotation);
    if (def->lock_x || def->lock_y || def->lock_rotation) return refuse(m, "locked motions");
    if (cn_body_max_speed(world, body) > 0) return refuse(m, "speed limits");
    if (cn_body_disabled(world, body)) return refuse(m, "disabled bodies");
    return read_shapes(m, body, out) && refuse(m, m->peer->refuse_body(out));
}

static int number_of(const cn_world *world, cn_body body) {
    return (int)cn_body_user_data(world, body) - 1;
}

static bool is_locked_at_zero(const cn_coordinate *c) {
    return c->mode == CN_LOCKED && c->target == 0;
}

// Reads a joint. Only revolute joints are mirrored: x and y locked at 0, and any angle.
static bool read_joint(mirror *m, cn_joint joint, peer_joint *out) {
    const cn_world *world = m->source.world;
    cn_joint_def def = cn_joint_definition(world, joint);
    *out = (peer_joint){def, number_of(world, def.a), number_of(world, def.b)};
    if (def.polar || !is_locked_at_zero(&def.x) || !is_locked_at_zero(&def.y))
        return refuse(m, "joints that are not revolute");
    if (def.angle.ratchet > 0 || cn_joint_coupling(world, joint).other.id)
        return refuse(m, "ratchets and gears");
    if (def.break_force > 0 || def.break_torque > 0) return refuse(m, "joints that break");
    return refuse(m, m->peer->refuse_joint(out));
}

// ---------------------------------------------------------------------------------------- changing

static bool add_twin(mirror *m, cn_body body, bool is_kinematic) {
    twin *twins = grow(m->twins, sizeof *twins, m->count, &m->capacity);
    if (!twins) return refuse(m, "out of memory");
    m->twins = twins;
    m->twins[m->count++] = (twin){.body = body, .is_kinematic = is_kinematic};
    return cn_body_set_user_data(m->source.world, body, (uint64_t)m->count);
}

static bool add_bodies(mirror *m) {
    cn_world *world = m->source.world;
    cn_body body = cn_world_next_body(world, (cn_body){0});
    for (; body.id; body = cn_world_next_body(world, body)) {
        if (number_of(world, body) >= 0) continue;
        peer_body def;
        if (!read_body(m, body, &def) || !add_twin(m, body, def.def.type == CN_KINEMATIC))
            return false;
        m->peer->add_body(m->world, &def);
    }
    return true;
}

static bool is_static(const mirror *m, cn_body body) {
    return cn_body_type(m->source.world, body) == CN_STATIC;
}

// Adds the joints that are not mirrored yet. Leaves out a joint between two static bodies: it has
// no effect, and some engines cannot solve it.
static bool add_joints(mirror *m) {
    cn_world *world = m->source.world;
    cn_joint joint = cn_world_next_joint(world, (cn_joint){0});
    for (; joint.id; joint = cn_world_next_joint(world, joint)) {
        if (cn_joint_user_data(world, joint) || !cn_joint_set_user_data(world, joint, 1)) continue;
        peer_joint def;
        if (!read_joint(m, joint, &def)) return false;
        if (!is_static(m, def.def.a) || !is_static(m, def.def.b))
            m->peer->add_joint(m->world, &def);
    }
    return true;
}

static void remove_bodies(mirror *m) {
    for (int i = 0; i < m->count; i++) {
        twin *t = &m->twins[i];
        if (t->is_removed || cn_body_valid(m->source.world, t->body)) continue;
        t->is_removed = true;
        m->peer->remove_body(m->world, i);
    }
}

// Copies the poses of the kinematic bodies from the peer to the Cairn world.
static void read_back_poses(mirror *m) {
    for (int i = 0; i < m->count; i++) {
        const twin *t = &m->twins[i];
        if (t->is_removed || !t->is_kinematic) continue;
        cn_pose pose = m->peer->pose(m->world, i);
        cn_body_set_pose(m->source.world, t->body, pose);
    }
}

// Copies the velocities of the kinematic bodies from the Cairn world to the peer.
static void copy_velocities(mirror *m) {
    for (int i = 0; i < m->count; i++) {
        const twin *t = &m->twins[i];
        if (t->is_removed || !t->is_kinematic) continue;
        m->peer->set_velocity(m->world, i, cn_body_velocity(m->source.world, t->body),
                              cn_body_angular_velocity(m->source.world, t->body));
    }
}

// ----------------------------------------------------------------------------------------- running

static const char *find_refusal(const peer *which, const scene *subject) {
    if (subject->times_calls) return "the calls between the steps, which this scene measures";
    if (!subject->queries) return NULL;
    return subject->queries->tiles ? "grids of tiles" : which->refuse_queries(subject->queries);
}

mirror *mirror_start(const peer *which, const scene *subject, cn_world_def options,
                     const char **refusal) {
    *refusal = find_refusal(which, subject);
    if (*refusal) return NULL;
    *refusal = "out of memory";
    mirror *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->peer = which;
    if (!scene_start(&m->source, subject, options)) {
        *refusal = cn_error();
        mirror_stop(m);
        return NULL;
    }
    m->world = which->create(m->source.world);
    if (add_bodies(m) && add_joints(m)) return m;
    *refusal = m->refusal;
    mirror_stop(m);
    return NULL;
}

void mirror_stop(mirror *m) {
    if (m->world) m->peer->destroy(m->world);
    if (m->source.world) scene_stop(&m->source);
    free(m->twins);
    free(m->shapes);
    free(m);
}

const char *mirror_prepare(mirror *m) {
    const scene *which = m->source.scene;
    if (!which->before_step && !which->control) return NULL;
    read_back_poses(m);
    if (!scene_act(&m->source)) return cn_error();
    remove_bodies(m);
    if (!add_bodies(m) || !add_joints(m)) return m->refusal;
    copy_velocities(m);
    return NULL;
}

void mirror_step(mirror *m, float dt) {
    m->peer->step(m->world, dt);
    m->source.step++;
}

peer_counts mirror_count(const mirror *m) { return m->peer->count(m->world); }

query_result mirror_run_queries(mirror *m, const query_batch *batch) {
    return m->peer->run_queries(m->world, batch);
}

const cn_world *mirror_source(const mirror *m) { return m->source.world; }
