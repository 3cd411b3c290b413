/* A trial: random calls on a world, and what must hold after each of them. */
#ifndef TESTS_RANDOM_TRIAL_H
#define TESTS_RANDOM_TRIAL_H

#include "meter.h"
#include "query_judge.h"
#include "random_calls.h"

enum { BODIES = 60, JOINTS = 40, MAX_OPEN = 4096 };

typedef struct {
    uint64_t a, b;
} pair;

typedef struct {
    meter meter;
    cn_world *world;
    cn_body bodies[BODIES];
    cn_grid tiles;           // the last grid that was created
    cn_chain chain;          // the last chain that was created
    cn_joint joints[JOINTS]; // user data: the index
    bool existed[JOINTS];    // valid before the step
    pair open[2][MAX_OPEN];  // of contacts, and of sensors
    int open_count[2];
    cn_ride ride;  // of the last character that was moved
    uint64_t hash; // of all states until now
} trial;

// ---- calls

static bool create_body(trial *t, cn_body *body) {
    const cn_motion_type types[] = {CN_DYNAMIC, CN_DYNAMIC, CN_DYNAMIC, CN_KINEMATIC, CN_STATIC};
    const cn_shape_def shapes[2] = {
        {.hull = some_hull(), .sensor = one_in(5), .user_data = (uint64_t)below(2)},
        {.hull = some_hull(), .no_collision = one_in(5)}};
    *body = cn_body_create(t->world, &(cn_body_def){.type = types[below(5)],
                                                    .position = somewhere(),
                                                    .angle = (float)uniform(-3, 3),
                                                    .asleep = one_in(4),
                                                    .disabled = one_in(10),
                                                    .shapes = shapes,
                                                    .shape_count = one_in(3) ? 1 + below(2) : 0});
    return body->id != 0;
}

// Creates a small zigzag, sometimes closed.
static bool create_chain(trial *t, cn_body body) {
    vec2s points[6];
    int count = 3 + below(4);
    for (int i = 0; i < count; i++) points[i] = point(2 - i, i % 2 ? uniform(-0.5, 0.5) : -1);
    cn_chain_def def = {.points = points, .count = count, .closed = one_in(3)};
    def.custom_filter = one_in(4), def.pre_solve = one_in(4);
    cn_chain chain = cn_chain_create(t->world, body, &def);
    if (chain.id) t->chain = chain;
    return chain.id;
}

static bool change_chain(trial *t) {
    cn_world *w = t->world;
    int count = cn_chain_count(w, t->chain), index = below(count + 1);
    if (one_in(12)) return cn_chain_destroy(w, t->chain);
    cn_shape segment = cn_chain_next_segment(w, t->chain, (cn_shape){0});
    if (one_in(3) && cn_chain_next_segment(w, t->chain, segment).id && one_in(2))
        segment = cn_chain_next_segment(w, t->chain, segment);
    if (one_in(6)) return cn_shape_destroy(w, segment);
    cn_material material = some_material();
    return cn_chain_set_material(w, t->chain, index, material);
}

static bool create_tiles(trial *t, cn_body body) {
    uint8_t solid[30];
    cn_tile forms[30];
    cn_material materials[2] = {some_material(), some_material()};
    for (int i = 0; i < 30; i++) solid[i] = !one_in(3), forms[i] = some_tile(2);
    cn_grid_def def = {.width = 6, .height = 5, .origin = point(-2, -2)};
    def.tile_size = (float)uniform(0.3, 1);
    if (one_in(2))
        def.solid = solid;
    else
        def.tiles = forms, def.materials = materials, def.material_count = 2;
    if (one_in(4)) def.one_way = point(uniform(-1, 1), 1);
    def.custom_filter = one_in(4), def.pre_solve = one_in(4);
    cn_grid tiles = cn_grid_create(t->world, body, &def);
    if (tiles.id) t->tiles = tiles;
    return tiles.id;
}

static bool change_tiles(trial *t) {
    cn_world *w = t->world;
    if (one_in(30)) return cn_grid_destroy(w, t->tiles);
    if (one_in(8)) return cn_grid_set_material(w, t->tiles, below(3), some_material());
    if (one_in(2)) return cn_grid_set_tile(w, t->tiles, below(6), below(5), some_tile(3));
    return cn_grid_set_solid(w, t->tiles, below(6), below(5), one_in(2));
}

static cn_medium some_medium(void) {
    cn_medium m = {.density = (float)uniform(0, 3)};
    if (one_in(2)) m.linear_drag = (float)uniform(0, 5), m.angular_drag = (float)uniform(0, 5);
    if (one_in(3)) m.flow = point(uniform(-3, 3), uniform(-3, 3));
    if (one_in(4)) m.acceleration = point(uniform(-9, 9), uniform(-9, 9));
    if (one_in(4)) m.attraction = (float)uniform(-30, 30), m.floor = (float)uniform(0, 1);
    return m;
}

static bool create_shape(trial *t, cn_body body) {
    bool is_static = cn_body_type(t->world, body) == CN_STATIC;
    if (is_static && one_in(3)) return create_tiles(t, body);
    if (cn_body_type(t->world, body) != CN_DYNAMIC && one_in(3)) return create_chain(t, body);
    cn_shape_def def = {.hull = some_hull(), .hit_events = one_in(2), .sensor = one_in(5)};
    if (one_in(4)) def.material.restitution = 0.5f;
    if (one_in(6)) def.material.rolling_resistance = 0.1f;
    if (one_in(6)) def.material.surface_speed = (float)uniform(-3, 3);
    if (one_in(6) && !def.sensor) def.one_way = point(uniform(-1, 1), 1);
    def.no_touch_events = one_in(5);
    def.custom_filter = one_in(3), def.pre_solve = one_in(3);
    if (def.sensor && one_in(2)) def.medium = some_medium();
    return cn_shape_create(t->world, body, &def).id != 0;
}

// A field stays a sensor, and only a sensor becomes a field.
static bool change_sensor(cn_world *w, cn_shape shape) {
    if (cn_shape_sensor(w, shape) && one_in(2)) return cn_shape_set_medium(w, shape, some_medium());
    if (cn_shape_sensor(w, shape)) cn_shape_set_medium(w, shape, (cn_medium){0});
    return cn_shape_set_sensor(w, shape, one_in(3));
}

static bool change_shape(trial *t, cn_shape shape) {
    cn_world *w = t->world;
    cn_hull hull = some_hull();
    cn_material material = some_material();
    switch (below(12)) {
    case 7: return cn_shape_set_no_touch_events(w, shape, !one_in(2));
    case 9: return cn_shape_set_custom_filter(w, shape, one_in(2));
    case 10: return cn_shape_set_pre_solve(w, shape, one_in(2));
    case 11: return cn_shape_set_no_collision(w, shape, one_in(4));
    case 0: return cn_shape_set_hull(w, shape, hull);
    case 1: return cn_shape_set_filter(w, shape, (cn_filter){(uint64_t)below(3) + 1, 5, 0});
    case 2: return cn_shape_set_filter(w, shape, (cn_filter){1, UINT64_MAX, 0});
    case 3: return cn_shape_set_material(w, shape, material);
    case 4: return cn_shape_set_density(w, shape, (float)uniform(0.1, 3));
    case 5: return change_sensor(w, shape);
    case 6: return cn_shape_set_one_way(w, shape, point(below(2), below(2)));
    default:
        return one_in(3) ? cn_shape_destroy(w, shape) : cn_shape_set_hit_events(w, shape, true);
    }
}

static bool change_body(trial *t, cn_body b) {
    cn_world *w = t->world;
    cn_mass_data mass = {(float)uniform(0.1, 5), (float)uniform(0.1, 2),
                         point(uniform(-0.2, 0.2), 0)};
    switch (below(17)) {
    case 0: return cn_body_destroy(w, b);
    case 1: return cn_body_set_type(w, b, (cn_motion_type)below(3));
    case 2: return cn_body_set_disabled(w, b, one_in(3));
    case 3: return cn_body_set_pose(w, b, cn_pose_at(somewhere(), (float)uniform(-3, 3)));
    case 4: return cn_body_set_asleep(w, b, !one_in(2));
    case 5: return cn_body_set_asleep(w, b, true);
    case 6: return cn_body_set_velocity(w, b, point(uniform(-9, 9), uniform(-9, 9)));
    case 7: return cn_body_apply_impulse_at(w, b, point(uniform(-3, 3), 0), somewhere());
    case 8: return cn_body_set_locks(w, b, one_in(5), one_in(5), one_in(5));
    case 9: return cn_body_set_mass_data(w, b, mass);
    case 10: return cn_body_reset_mass(w, b);
    case 11: return cn_body_set_no_sleep(w, b, one_in(8));
    case 12: return cn_body_set_bullet(w, b, one_in(2));
    case 13: return cn_body_drop_through(w, b, (float)uniform(-0.2, 1));
    case 14: return cn_body_set_target(w, b, cn_pose_at(somewhere(), (float)uniform(-3, 3)), 1);
    case 15: return cn_body_set_position(w, b, somewhere());
    default: return cn_body_set_max_speed(w, b, one_in(2) ? 5 : 0);
    }
}

// ---- calls of joints

static bool create_joint(trial *t, int index) {
    cn_body a = t->bodies[below(BODIES)], b = t->bodies[below(BODIES)];
    if (!cn_body_valid(t->world, a) || !cn_body_valid(t->world, b)) return true;
    cn_joint_def def = some_joint(t->world, a, b);
    if (one_in(4)) def.angle = some_coordinate();
    if (one_in(4)) def.x = some_coordinate();
    def.collide_connected = one_in(3), def.disabled = one_in(8);
    if (one_in(3)) def.break_force = (float)uniform(20, 200);
    if (one_in(3)) def.break_torque = (float)uniform(20, 200);
    def.user_data = (uint64_t)index;
    t->joints[index] = cn_joint_create(t->world, def);
    return t->joints[index].id != 0;
}

static bool change_joint(trial *t, cn_joint joint) {
    cn_world *w = t->world;
    cn_joint other = t->joints[below(JOINTS)];
    cn_joint_axis axis = (cn_joint_axis)below(3), other_axis = (cn_joint_axis)below(3);
    cn_coordinate c = some_coordinate();
    cn_pose frame = cn_pose_at(point(uniform(-1, 1), 0), (float)uniform(-3, 3));
    switch (below(12)) {
    case 0: return cn_joint_destroy(w, joint);
    case 1: return cn_joint_set_coordinate(w, joint, axis, c);
    case 2: return cn_joint_set_motor_speed(w, joint, axis, (float)uniform(-3, 3));
    case 3: return cn_joint_set_target(w, joint, axis, (float)below(2));
    case 4: return cn_joint_set_frames(w, joint, frame, (cn_pose){0});
    case 5: return cn_joint_set_polar(w, joint, one_in(2));
    case 6: return cn_joint_set_collide_connected(w, joint, one_in(2));
    case 7: return cn_joint_set_disabled(w, joint, !one_in(2));
    case 8: return cn_joint_set_break(w, joint, one_in(2) ? 50 : 0, one_in(2) ? 50 : 0);
    case 9: return cn_joint_set_coupling(w, joint, (cn_coupling){0});
    default:
        return cn_joint_set_coupling(
            w, joint, (cn_coupling){other, axis, other_axis, (float)uniform(-3, 3), one_in(3)});
    }
}

static bool call_joint(trial *t) {
    int index = below(JOINTS);
    cn_joint joint = t->joints[index];
    return cn_joint_valid(t->world, joint) ? change_joint(t, joint) : create_joint(t, index);
}

// ---- any call

// The answers depend only on the handles, as those of a filter must.
static bool filter(cn_world *world, cn_shape a, cn_shape b, void *user) {
    (void)user;
    assert_false(cn_shape_set_density(world, a, 1));
    return (a.id + b.id) % 5 != 0;
}

static cn_pre_solve_result pre_solve(cn_world *world, const cn_contact *contact, void *user) {
    (void)user;
    assert_false(cn_body_destroy(world, contact->a.body));
    return (cn_pre_solve_result){.disabled = one_in(7),
                                 .changed = one_in(2),
                                 .friction = odd_number(0, 1),
                                 .restitution = odd_number(0, 1),
                                 .surface_speed = odd_number(-5, 5)};
}

static bool change_callbacks(trial *t) {
    cn_callbacks callbacks = {.filter = one_in(2) ? filter : NULL,
                              .pre_solve = one_in(2) ? pre_solve : NULL};
    return cn_world_set_callbacks(t->world, callbacks);
}

// Checks that objects found in slots are valid for all other calls, and that no shape is that of a
// tile.
static bool look_into_slots(trial *t) {
    int slot = below(2 * BODIES);
    cn_body body = cn_world_body_in_slot(t->world, slot);
    cn_shape shape = cn_world_shape_in_slot(t->world, slot);
    cn_joint joint = cn_world_joint_in_slot(t->world, slot);
    cn_grid tiles = cn_world_grid_in_slot(t->world, slot);
    cn_chain chain = cn_world_chain_in_slot(t->world, slot);
    assert_true(!body.id || cn_body_valid(t->world, body));
    assert_true(!joint.id || cn_joint_valid(t->world, joint));
    assert_true(!tiles.id || cn_grid_width(t->world, tiles) > 0);
    assert_true(!chain.id || cn_chain_count(t->world, chain) > 0);
    return !shape.id || cn_shape_set_user_data(t->world, shape, 1);
}

static bool change_world(trial *t) {
    cn_tuning tuning = cn_world_tuning(t->world);
    tuning.slop = (float)uniform(0.001, 0.01);
    if (one_in(3)) return change_callbacks(t);
    if (one_in(3)) return cn_world_set_tuning(t->world, tuning);
    if (one_in(3)) return cn_world_set_move_events(t->world, one_in(2));
    if (one_in(6))
        return cn_world_set_damping(t->world, (float)uniform(0, 0.3), (float)uniform(0, 0.3));
    if (one_in(3)) return cn_world_shift_origin(t->world, point(uniform(-3, 3), uniform(-1, 1)));
    return cn_world_set_no_sleep(t->world, one_in(4));
}

// ---- queries and explosions

enum { CAPACITY = 24 };

static vec2s odd_vector(double reach) {
    float x = odd_number(-reach, reach), y = odd_number(-reach, reach);
    return (vec2s){{x, y}};
}

static bool refuses_some(const cn_world *world, cn_side side, void *user) {
    assert_true(cn_body_valid(world, side.body));
    return (side.shape.id + side.grid.id + (uint64_t)side.tile) % 4 != *(uint64_t *)user;
}

static const cn_query *some_query(trial *t, cn_query *query) {
    static uint64_t refused = 1;
    *query = (cn_query){.sensors = one_in(2), .any = one_in(4)};
    if (one_in(3)) {
        query->category = (uint64_t)below(3), query->mask = (uint64_t)below(6);
        query->group = below(3);
    }
    if (one_in(3)) query->ignore = t->bodies[below(BODIES)]; // the body may have been destroyed
    if (one_in(3)) query->accept = refuses_some, query->user = &refused;
    return one_in(3) ? NULL : query;
}

static bool explode(trial *t) {
    cn_query query;
    const cn_query *seen = some_query(t, &query);
    cn_explosion e = {.position = odd_vector(10), .radius = odd_number(-0.1, 3)};
    e.falloff = odd_number(-0.1, 3), e.blocked = one_in(2);
    e.impulse_per_length = one_in(40) ? NAN : (float)uniform(-2, 2);
    if (seen) e.query = *seen;
    return cn_world_explode(t->world, one_in(40) ? NULL : &e) > 0;
}

static void check_side(const trial *t, cn_side side) {
    assert_true(cn_body_valid(t->world, side.body));
    assert_true(side.tile >= 0 ? cn_grid_valid(t->world, side.grid) && !side.shape.id
                               : cn_shape_valid(t->world, side.shape) && !side.grid.id);
    cn_chain chain = side.shape.id ? cn_shape_chain(t->world, side.shape) : (cn_chain){0};
    assert_true(side.chain.id == chain.id && (chain.id ? side.segment >= 0 : side.segment == -1));
}

static void follow_side(trial *t, cn_side side) {
    check_side(t, side);
    mix_side(&t->hash, side);
}

// Which hit a query with .any finds depends on what was searched before.
static bool follow_hits(trial *t, const cn_query *query, const cn_world_hit *hits, int count) {
    bool any = query && query->any;
    for (int i = 0; i < count && i < CAPACITY; i++) {
        if (hits[i].hit) check_side(t, hits[i].side);
        assert_true(hits[i].fraction >= 0 && hits[i].fraction <= 1);
        if (any)
            t->hash = t->hash * 31 + hits[i].hit;
        else
            mix_hit(&t->hash, &hits[i]);
    }
    return count > 0;
}

static bool follow_sides(trial *t, const cn_side *sides, int count) {
    assert_true(count >= 0);
    for (int i = 0; i < count && i < CAPACITY; i++) follow_side(t, sides[i]);
    return count > 0;
}

static bool query_along(trial *t, const cn_query *query) {
    cn_world_hit hits[CAPACITY] = {0};
    cn_ray rays[CAPACITY];
    for (int i = 0; i < CAPACITY; i++)
        rays[i].origin = somewhere(), rays[i].translation = somewhere();
    rays[0] = (cn_ray){odd_vector(10), odd_vector(20)};
    const cn_ray *ray = &rays[0];
    cn_hull none = {0}, hull = one_in(20) ? none : some_hull();
    cn_sweep sweep = {.start = cn_pose_at(ray->origin, odd_number(-3, 3))};
    sweep.translation = ray->translation, sweep.turn = one_in(2) ? odd_number(-3, 3) : 0;
    int count = below(CAPACITY + 1) - one_in(30);
    switch (below(4)) {
    case 0:
        hits[0] = cn_world_cast_ray(t->world, ray->origin, ray->translation, query);
        return follow_hits(t, query, hits, 1);
    case 1:
        count = cn_world_cast_ray_all(t->world, ray->origin, ray->translation, query,
                                      one_in(30) ? NULL : hits, CAPACITY);
        return follow_hits(t, query, hits, count);
    case 2:
        if (!cn_world_cast_rays(t->world, rays, count, query, hits)) return false;
        return follow_hits(t, query, hits, count);
    default:
        hits[0] = cn_world_cast_hull(t->world, hull, sweep, query);
        return follow_hits(t, query, hits, 1);
    }
}

static bool query_at(trial *t, const cn_query *query) {
    cn_side sides[CAPACITY];
    cn_hull none = {0}, hull = one_in(20) ? none : some_hull();
    cn_pose pose = cn_pose_at(odd_vector(10), odd_number(-3, 3));
    cn_bounds box = {odd_vector(10), odd_vector(10)};
    int capacity = one_in(30) ? -1 : CAPACITY;
    cn_neighbor near;
    switch (below(4)) {
    case 0:
        return follow_sides(t, sides,
                            cn_world_overlap(t->world, hull, pose, query, sides, capacity));
    case 1:
        return follow_sides(t, sides,
                            cn_world_overlap_bounds(t->world, box, query, sides, capacity));
    case 2:
        return follow_sides(
            t, sides, cn_world_overlap_point(t->world, pose.position, query, sides, capacity));
    default:
        if (one_in(3)) hull = cn_circle(0);
        near = cn_world_nearest(t->world, hull, pose, odd_number(-0.1, 9), query);
        if (near.found) follow_side(t, near.side);
        mix_neighbor(&t->hash, &near);
        return near.found;
    }
}

static bool move_hull(trial *t, const cn_query *query) {
    cn_hull none = {0}, hull = one_in(20) ? none : some_hull();
    cn_pose pose = cn_pose_at(odd_vector(10), odd_number(-3, 3));
    cn_move_def def = {.up = odd_vector(1), .max_slope = odd_number(0, 1.7)};
    def.step_height = odd_number(-0.01, 1), def.snap_distance = odd_number(-0.01, 1);
    def.mass = odd_number(0, 9), def.seconds = odd_number(0, 1), def.drop_through = one_in(2);
    def.ride = t->ride;
    if (query) def.query = *query;
    cn_move move = cn_world_move_hull(t->world, hull, pose, odd_vector(2), one_in(9) ? NULL : &def);
    t->ride = move.ride;
    if (move.grounded) follow_side(t, move.ground);
    for (int i = 0; i < move.sensor_count; i++) follow_side(t, move.sensors[i]);
    for (int i = 0; i < move.push_count; i++) follow_side(t, move.pushes[i].side);
    mix_move(&t->hash, &move);
    return move.grounded;
}

static bool query_world(trial *t) {
    cn_query query;
    const cn_query *given = some_query(t, &query);
    uint64_t hash = cn_world_hash(t->world);
    int calls = t->meter.calls;
    bool found = one_in(2)   ? query_along(t, given)
                 : one_in(3) ? move_hull(t, given)
                             : query_at(t, given);
    assert_true(cn_world_hash(t->world) == hash);
    assert_int_equal(t->meter.calls, calls);
    return found;
}

// Any call except a step.
static bool call_without_step(trial *t) {
    if (one_in(6)) return query_world(t);
    cn_body *body = &t->bodies[below(BODIES)];
    if (one_in(100)) return change_world(t);
    if (one_in(50)) return look_into_slots(t);
    if (one_in(50)) return explode(t);
    if (one_in(5)) return call_joint(t);
    if (cn_grid_valid(t->world, t->tiles) && one_in(6)) return change_tiles(t);
    if (cn_chain_valid(t->world, t->chain) && one_in(12)) return change_chain(t);
    if (!cn_body_valid(t->world, *body)) return create_body(t, body);
    cn_shape shape = first_shape(t->world, *body);
    if (!shape.id || one_in(8)) return create_shape(t, *body);
    return one_in(3) ? change_shape(t, shape) : change_body(t, *body);
}

// ---- begin, end

static void begin_trial(trial *t, uint64_t seed, int lanes) {
    memset(t, 0, sizeof *t);
    chance = seed;
    t->world = cn_world_create(&(cn_world_def){
        .gravity = {{0, -10}},
        .lanes = lanes,
        .allocator = metered(&t->meter),
    });
    assert_done(t->world != NULL);
    add_floor(t->world, (cn_material){0});
}

#endif
