/* Growth: joints and couplings. */
#include "cost.h"

// ---- worlds

static cn_joint hinge(trial *t, cn_body a, cn_body b, vec2s point) {
    cn_joint_def def = cn_revolute_joint(t->world, a, b, point);
    return add_joint(t, def);
}

// A hub without shapes, and bodies around it that touch nothing.
static void build_loose_hub(trial *t) {
    start_world(t, 0);
    t->hub = cn_body_create(t->world, &(cn_body_def){.type = t->type});
    add_spread(t, t->n, (cn_body_def){.position = {{2, 2}}}, 2);
    take_steps(t, 2);
}

static void join_to_hub(trial *t, int i) {
    hinge(t, t->hub, t->bodies[i], cn_body_position(t->world, t->bodies[i]));
}

static void build_hub(trial *t) {
    build_loose_hub(t);
    for (int i = 0; i < t->n; i++) join_to_hub(t, i);
    take_steps(t, 2);
}

static void build_sleeping_hub(trial *t) {
    build_hub(t);
    must(cn_world_set_gravity(t->world, (vec2s){{0, 0}}));
    for (int i = 0; i < t->n; i++)
        if (!cn_body_asleep(t->world, t->bodies[i]))
            must(cn_body_set_asleep(t->world, t->bodies[i], true));
    take_steps(t, 1);
}

// Boxes that rest on a ground to which joints hold them, or every second one of them.
static void build_held_boxes(trial *t, int stride) {
    start_world(t, 10);
    add_ground(t);
    for (int i = 0; i < t->n; i++) {
        cn_body box = add_one(t, (cn_body_def){.position = {{1.5f * (float)i, 0.5f}}},
                              (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
        if (i % stride == 0) hinge(t, t->hub, box, (vec2s){{1.5f * (float)i, 0}});
    }
    take_steps(t, 4);
}

static void build_all_held(trial *t) { build_held_boxes(t, 1); }
static void build_half_held(trial *t) { build_held_boxes(t, 2); }

// Motor joints let the bodies collide with the ground that they are joined to.
static void build_floor_friction(trial *t) {
    start_world(t, 10);
    add_ground(t);
    add_stacks(t, t->n, (cn_body_def){0});
    for (int i = 0; i < t->n; i++)
        add_joint(t, cn_motor_joint(t->world, t->hub, t->bodies[i], 1, 1));
    take_steps(t, 4);
}

static void build_chain(trial *t) {
    start_world(t, 10);
    t->hub = cn_body_create(t->world, &(cn_body_def){.type = CN_STATIC});
    cn_body last = t->hub;
    for (int i = 0; i < t->n; i++) {
        cn_body link = add_one(t, (cn_body_def){.position = {{(float)i + 0.5f, 0}}},
                               (cn_shape_def){.hull = cn_box(0.4f, 0.1f)});
        hinge(t, last, link, (vec2s){{(float)i, 0}});
        last = link;
    }
    take_steps(t, 2);
}

static void build_links(trial *t) {
    start_world(t, 10);
    add_spread(t, t->n + 1, (cn_body_def){0}, 2);
    take_steps(t, 2);
}

static void join_links(trial *t, int i) {
    hinge(t, t->bodies[i], t->bodies[i + 1], cn_body_position(t->world, t->bodies[i]));
}

// A net of 16 columns of circles.
static void build_net(trial *t) {
    start_world(t, 10);
    for (int i = 0; i < t->n; i++) {
        vec2s place = {{(float)(i % 16), -(float)(i / 16)}};
        cn_body knot =
            add_one(t, (cn_body_def){.position = place, .type = i < 16 ? CN_STATIC : CN_DYNAMIC},
                    (cn_shape_def){.hull = cn_circle(0.2f), .filter = {2, 1, 0}});
        if (i % 16) hinge(t, t->bodies[i - 1], knot, (vec2s){{place.x - 0.5f, place.y}});
        if (i >= 16) hinge(t, t->bodies[i - 16], knot, (vec2s){{place.x, place.y + 0.5f}});
    }
    take_steps(t, 2);
}

// A closed ring of links.
static void build_ring(trial *t) {
    build_chain(t);
    add_joint(t, cn_rope_joint(t->world, t->bodies[0], t->bodies[t->n - 1],
                               cn_body_position(t->world, t->bodies[0]),
                               cn_body_position(t->world, t->bodies[t->n - 1])));
    take_steps(t, 2);
}

// A bridge of two rows with rungs: as many cycles as rungs.
static void build_ladder(trial *t) {
    start_world(t, 10);
    for (int i = 0; i < t->n; i++) {
        vec2s place = {{(float)(i / 2), (float)(i % 2)}};
        cn_body knot =
            add_one(t, (cn_body_def){.position = place, .type = i < 2 ? CN_STATIC : CN_DYNAMIC},
                    (cn_shape_def){.hull = cn_circle(0.2f), .filter = {2, 1, 0}});
        if (i % 2) hinge(t, t->bodies[i - 1], knot, (vec2s){{place.x, 0.5f}});
        if (i >= 2) hinge(t, t->bodies[i - 2], knot, (vec2s){{place.x - 0.5f, place.y}});
    }
    take_steps(t, 2);
}

// Springs between one body and all others: none of them is solved directly.
static void build_springs(trial *t) {
    build_loose_hub(t);
    for (int i = 0; i < t->n; i++)
        add_joint(t, cn_spring_joint(t->world, t->hub, t->bodies[i], (vec2s){{-1, 0}},
                                     cn_body_position(t->world, t->bodies[i])));
    take_steps(t, 2);
}

// Joints that all hold the same two bodies.
static void build_double_joints(trial *t) {
    start_world(t, 10);
    add_spread(t, 2, (cn_body_def){0}, 2);
    for (int i = 0; i < t->n; i++) hinge(t, t->bodies[0], t->bodies[1], (vec2s){{1, noise(i)}});
    take_steps(t, 2);
}

// Ragdolls or cars in numbers: many small trees of joints.
static void build_pairs(trial *t) {
    start_world(t, 10);
    add_spread(t, 2 * t->n, (cn_body_def){0}, 2);
    for (int i = 0; i < t->n; i++)
        hinge(t, t->bodies[2 * i], t->bodies[2 * i + 1],
              cn_body_position(t->world, t->bodies[2 * i]));
    take_steps(t, 2);
}

// All joints break in the same step.
static void build_weak_joints(trial *t) {
    build_hub(t);
    for (int i = 0; i < t->n; i++) {
        must(cn_joint_set_break(t->world, t->joints[i], 1, 0));
        must(cn_body_apply_force_at(t->world, t->bodies[i], (vec2s){{1e6f, 0}},
                                    cn_body_position(t->world, t->bodies[i])));
    }
}

// Joint i and joint i + 1 turn against each other.
static void couple_neighbors(trial *t, int i) {
    cn_joint other = t->joints[i + 1 < t->n ? i + 1 : i - 1];
    must(cn_joint_set_coupling(t->world, t->joints[i],
                               (cn_coupling){other, CN_JOINT_ANGLE, CN_JOINT_ANGLE, 1, false}));
}

static void couple_to_first(trial *t, int i) {
    cn_joint other = t->joints[i ? 0 : 1];
    must(cn_joint_set_coupling(t->world, t->joints[i],
                               (cn_coupling){other, CN_JOINT_ANGLE, CN_JOINT_ANGLE, 1, false}));
}

static void build_gear_train(trial *t) {
    build_hub(t);
    for (int i = 0; i < t->n; i++) couple_neighbors(t, i);
    take_steps(t, 2);
}

// One wheel drives all others.
static void build_sun_gear(trial *t) {
    build_hub(t);
    for (int i = 0; i < t->n; i++) couple_to_first(t, i);
    take_steps(t, 2);
}

// Pairs of coupled wheels.
static void build_gear_pairs(trial *t) {
    build_hub(t);
    for (int i = 0; i < t->n; i += 2) couple_neighbors(t, i);
    take_steps(t, 2);
}

// ---- calls

static void destroy_joint(trial *t, int i) { must(cn_joint_destroy(t->world, t->joints[i])); }

static void destroy_first_joints(trial *t) {
    for (cn_joint j; (j = cn_body_next_joint(t->world, t->hub, (cn_joint){0})).id;)
        must(cn_joint_destroy(t->world, j));
}

static void destroy_next_joints(trial *t) {
    for (cn_joint j = cn_body_next_joint(t->world, t->hub, (cn_joint){0}), next; j.id; j = next) {
        next = cn_body_next_joint(t->world, t->hub, j);
        must(cn_joint_destroy(t->world, j));
    }
}

static void read_next_joints(trial *t) {
    for (cn_joint j = {0}; (j = cn_body_next_joint(t->world, t->hub, j)).id;)
        must(cn_joint_valid(t->world, j));
}

static void disable_joint(trial *t, int i) {
    must(cn_joint_set_disabled(t->world, t->joints[i], true));
}

static void let_collide(trial *t, int i) {
    must(cn_joint_set_collide_connected(t->world, t->joints[i], true));
}

static void add_motor(trial *t, int i) {
    cn_coordinate motor = {.mode = CN_FREE, .motor = true, .motor_speed = 1, .max_motor_force = 1};
    must(cn_joint_set_coordinate(t->world, t->joints[i], CN_JOINT_ANGLE, motor));
}

static void set_frames(trial *t, int i) {
    cn_joint_def def = cn_joint_definition(t->world, t->joints[i]);
    must(cn_joint_set_frames(t->world, t->joints[i], def.frame_a, def.frame_b));
}

static void remove_coupling(trial *t, int i) {
    must(cn_joint_set_coupling(t->world, t->joints[i], (cn_coupling){0}));
}

static void destroy_joined_body(trial *t, int i) { must(cn_body_destroy(t->world, t->bodies[i])); }

static void push_held(trial *t, int i) {
    must(cn_body_set_velocity(t->world, t->bodies[i], (vec2s){{0, 1}}));
}

static void destroy_hub(trial *t) {
    must(cn_body_destroy(t->world, t->hub));
    take_steps(t, 1);
}

static void move_hub(trial *t) {
    must(cn_body_set_pose(t->world, t->hub, cn_pose_at((vec2s){{0.1f, 0}}, 0)));
    take_steps(t, 1);
}

static void break_joints(trial *t) {
    take_steps(t, 1);
    must(cn_world_events(t->world).broken_count == t->n);
}

const cost_case joint_cases[] = {
    {"create-joints-of-ground", 1500, build_loose_hub, .act = join_to_hub, .type = CN_STATIC},
    {"create-joints-of-body", 1500, build_loose_hub, .act = join_to_hub},
    {"create-joints-of-chain", 1500, build_links, .act = join_links},
    {"destroy-joints-of-ground", 500, build_hub, .act = destroy_joint, .type = CN_STATIC},
    {"destroy-joints-of-ground-reversed", 500, build_hub, .act = destroy_joint, .order = REVERSED,
     .type = CN_STATIC},
    {"destroy-joints-of-ground-shuffled", 500, build_hub, .act = destroy_joint, .order = SHUFFLED,
     .type = CN_STATIC},
    {"destroy-joints-of-ground-first", 500, build_hub, .work = destroy_first_joints,
     .type = CN_STATIC},
    {"destroy-joints-of-ground-next", 500, build_hub, .work = destroy_next_joints,
     .type = CN_STATIC},
    {"destroy-joints-of-body", 300, build_hub, .act = destroy_joint},
    {"destroy-joints-of-body-reversed", 300, build_hub, .act = destroy_joint, .order = REVERSED},
    {"destroy-joints-of-chain", 500, build_chain, .act = destroy_joint},
    {"destroy-joints-of-chain-shuffled", 500, build_chain, .act = destroy_joint, .order = SHUFFLED},
    {"destroy-joined-bodies", 500, build_hub, .act = destroy_joined_body, .type = CN_STATIC},
    {"destroy-joined-bodies-reversed", 500, build_hub, .act = destroy_joined_body,
     .order = REVERSED, .type = CN_STATIC},
    {"destroy-links", 500, build_chain, .act = destroy_joined_body},
    {"destroy-hub", 500, build_hub, .work = destroy_hub, .type = CN_STATIC},
    {"destroy-dynamic-hub", 300, build_hub, .work = destroy_hub},
    {"move-hub", 500, build_hub, .work = move_hub, .type = CN_STATIC},
    {"next-joints-of-body", 1000, build_hub, .work = read_next_joints, .type = CN_STATIC},
    {"disable-joints", 1000, build_hub, .act = disable_joint, .type = CN_STATIC},
    {"let-joined-bodies-collide", 300, build_all_held, .act = let_collide},
    {"add-motors", 1000, build_hub, .act = add_motor, .type = CN_STATIC},
    {"set-frames", 1000, build_hub, .act = set_frames, .type = CN_STATIC},
    {"wake-joined-bodies", 1000, build_sleeping_hub, .act = push_held, .type = CN_STATIC},
    {"break-joints", 500, build_weak_joints, .work = break_joints, .type = CN_STATIC},
    {"couple-in-train", 1000, build_hub, .act = couple_neighbors, .type = CN_STATIC},
    {"couple-to-one", 1000, build_hub, .act = couple_to_first, .type = CN_STATIC},
    {"uncouple-train", 250, build_gear_train, .act = remove_coupling, .type = CN_STATIC},
    {"uncouple-from-one", 250, build_sun_gear, .act = remove_coupling, .type = CN_STATIC},
    {"destroy-gear-train", 250, build_gear_train, .act = destroy_joint, .type = CN_STATIC},
    {"destroy-gear-train-reversed", 250, build_gear_train, .act = destroy_joint, .order = REVERSED,
     .type = CN_STATIC},
    {"destroy-sun-gear", 250, build_sun_gear, .act = destroy_joint, .type = CN_STATIC},
    {"destroy-gear-pairs", 250, build_gear_pairs, .act = destroy_joint, .type = CN_STATIC},
    {"step-hub", 300, build_hub, .work = four_steps},
    {"step-static-hub", 500, build_hub, .work = four_steps, .type = CN_STATIC},
    {"step-all-held", 300, build_all_held, .work = four_steps},
    {"step-half-held", 300, build_half_held, .work = four_steps},
    {"step-motor-joints", 300, build_floor_friction, .work = four_steps},
    {"step-chain", 300, build_chain, .work = four_steps},
    {"step-ring", 300, build_ring, .work = four_steps},
    {"step-ladder", 300, build_ladder, .work = four_steps},
    {"step-springs", 200, build_springs, .work = four_steps},
    {"step-double-joints", 100, build_double_joints, .work = four_steps},
    {"step-net", 512, build_net, .work = four_steps},
    {"step-pairs", 300, build_pairs, .work = four_steps},
    {"step-gear-train", 250, build_gear_train, .work = four_steps, .type = CN_STATIC},
    {"step-sun-gear", 250, build_sun_gear, .work = four_steps, .type = CN_STATIC},
    {"step-gear-pairs", 250, build_gear_pairs, .work = four_steps, .type = CN_STATIC},
    {0},
};
