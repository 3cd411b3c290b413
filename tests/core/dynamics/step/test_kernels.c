/* The kernels of all widths give the same bits. */
#include "../../../../engine/core/world/world.h"
#include "../../../support/joints.h"

// Joints of all kinds in one island among crates, with couplings.
static cn_world *make_world_of_all_joints(int lanes) {
    cn_world *w = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .lanes = lanes});
    if (!w) return NULL;
    cn_body floor = add_floor(w, (cn_material){0}), last = floor;
    cn_joint old = {0};
    for (int i = 0; i < 90; i++) {
        vec2s p = point(i % 15, 1 + 1.1 * (i / 15)), q = point(i % 15 - 0.4, 1 + 1.1 * (i / 15));
        cn_body b =
            add(w, (cn_body_def){.position = p}, (cn_shape_def){.hull = cn_box(0.4f, 0.4f)});
        cn_joint_def def[] = {
            cn_revolute_joint(w, last, b, q),  cn_prismatic_joint(w, last, b, q, point(1, 1)),
            cn_weld_joint(w, last, b, q),      cn_wheel_joint(w, last, b, p, point(0, 1)),
            cn_spring_joint(w, last, b, q, p), cn_rope_joint(w, last, b, q, p),
            cn_motor_joint(w, last, b, 5, 2),  cn_distance_joint(w, last, b, q, p)};
        def[i % 8].collide_connected = i % 3 == 0;
        if (i % 10 == 0) continue;
        cn_joint joint = join(w, def[i % 8]);
        if (i % 7 == 0 && old.id)
            assert_done(cn_joint_set_coupling(
                w, joint, (cn_coupling){old, CN_JOINT_ANGLE, (cn_joint_axis)(i % 3), 2, i % 2}));
        last = b, old = joint;
    }
    return w;
}

static void check_same_on_every_width(cn_world *make(int lanes)) {
    enum { HASHED_STEPS = 120 };
    uint64_t hashes[HASHED_STEPS];
    for (int lanes = 1; lanes <= 16; lanes = lanes == 1 ? 4 : 2 * lanes) {
        cn_world *world = make(lanes);
        for (int i = 0; world && i < HASHED_STEPS; i++) {
            run(world, 1);
            if (lanes == 1) hashes[i] = cn_world_hash(world);
            assert_true(cn_world_hash(world) == hashes[i]);
        }
        cn_world_destroy(world);
    }
}

static void joints_give_the_same_bits_at_every_width(void **state) {
    (void)state;
    check_same_on_every_width(make_world_of_all_joints);
}

/* Chains on which crates fall. The chains have the same structure, so they share blocks, but only
 * some of them carry a heavy ball. So in one block some joints have a drag and others have none
 * (tree_passes.h), and some bodies have contacts and others have none. */
static cn_world *make_world_of_loaded_chains(int lanes) {
    enum { CHAINS = 16, LINKS = 5 };
    cn_world *w = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .lanes = lanes});
    if (!w) return NULL;
    for (int k = 0; k < CHAINS; k++) {
        double x = 8.0 * k, load = pow(10, k % 5);
        cn_body last = add_anchor(w, x, 10);
        for (int i = 0; i < LINKS; i++) {
            cn_body b = add(w, (cn_body_def){.position = point(x + 0.5 + i, 10)},
                            (cn_shape_def){.hull = cn_box(0.45f, 0.1f)});
            join(w, cn_revolute_joint(w, last, b, point(x + i, 10)));
            if (k % 3) add(w, (cn_body_def){.position = point(x + 0.6 + i, 10.7)}, box_of(0.2f));
            last = b;
        }
        vec2s end = point(x + LINKS, 10);
        cn_body ball = add(w, (cn_body_def){.position = end},
                           (cn_shape_def){.hull = cn_circle(0.2f), .density = (float)load});
        join(w, cn_revolute_joint(w, last, ball, end));
    }
    return w;
}

static void loaded_chains_give_the_same_bits_at_every_width(void **state) {
    (void)state;
    check_same_on_every_width(make_world_of_loaded_chains);
}

/* Bodies over a hilly chain, some fast. From one to 16 of them touch at a time, so most blocks have
 * lanes without a pair. The narrowphase handles corners of the ground, circles that are aimed and
 * bodies that pass each other one pair at a time. */
static cn_world *make_world_over_a_chain(int lanes) {
    cn_world *w = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .lanes = lanes});
    if (!w) return NULL;
    vec2s points[81];
    for (int i = 0; i <= 80; i++) points[i] = point(20 - 0.5 * i, i % 4 ? 0 : 0.3);
    cn_body ground = cn_body_create(w, &(cn_body_def){.type = CN_STATIC});
    cn_chain_def chain = {.points = points, .count = 81};
    assert_done(cn_chain_create(w, ground, &chain).id != 0);
    for (int i = 0; i < 16; i++) {
        const cn_hull hulls[] = {cn_circle(0.3f), cn_box(0.3f, 0.2f), cn_regular_polygon(5, 0.3f)};
        cn_body_def body = {.position = point(2 * i - 16, 0.8 + 0.9 * (i % 5)),
                            .velocity = point(i % 3 == 0 ? 30 : 1, -4 * (i % 4))};
        add(w, body, (cn_shape_def){.hull = hulls[i % 3]});
    }
    return w;
}

static void pairs_over_a_chain_give_the_same_bits_at_every_width(void **state) {
    (void)state;
    check_same_on_every_width(make_world_over_a_chain);
}

// Two motors side by side, one of them with an extreme force.
static void a_strong_motor_changes_nothing_for_its_neighbour(void **state) {
    (void)state;
    uint64_t hashes[4];
    for (int i = 0; i < 4; i++) {
        cn_world *world = cn_world_create(&(cn_world_def){.lanes = i ? 2 << i : 1});
        for (int k = 0; world && k < 2; k++) {
            cn_body body = add(world, (cn_body_def){.position = point(5 * k, 0)}, box_of(0.5f));
            cn_joint_def def =
                cn_motor_joint(world, add_anchor(world, 0, 0), body, k ? 1e30f : 10, 1);
            def.x.motor_speed = k ? 1e9f : 5;
            if (k)
                assert_done(
                    cn_body_set_mass_data(world, body, (cn_mass_data){1e12f, 1e12f, point(0, 0)}));
            assert_done(cn_joint_create(world, def).id != 0);
        }
        if (world) run(world, 3);
        hashes[i] = world ? cn_world_hash(world) : hashes[0]; // this machine has fewer lanes
        assert_int_equal(hashes[i], hashes[0]);
        cn_world_destroy(world);
    }
}

// Two boxes at rest on the ground, and a ball that hits the second one. The sums of friction are
// changed to -0 before each step.
static bool hit_one_box(int lanes, uint64_t *hashes, int steps) {
    cn_world *world =
        cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .lanes = lanes, .no_sleep = true});
    if (!world) return true; // there are no such lanes
    add_floor(world, (cn_material){.friction = 0.375f});
    for (int i = 0; i < 2; i++)
        add(world, (cn_body_def){.position = point(4 * i, 0.5)}, box_of(0.5f));
    run(world, 60);
    cn_shape_def ball = {.hull = cn_circle(0.25f), .material.restitution = 1};
    add(world, (cn_body_def){.position = point(4, 1.5), .velocity = point(0, -10)}, ball);
    bool same = true;
    for (int i = 0; i < steps; i++) {
        cn_touching_rows *t = &world->sim.touching;
        CN_EACH_BIT(slot, t->occupied, t->end) t->records[slot].lt = -0.0f;
        run(world, 1);
        if (lanes == 1) hashes[i] = cn_world_hash(world);
        same &= cn_world_hash(world) == hashes[i];
    }
    cn_world_destroy(world);
    return same;
}

static void a_shock_leaves_the_zeros_of_other_lanes(void **state) {
    (void)state;
    enum { HIT_STEPS = 12 };
    uint64_t hashes[HIT_STEPS] = {0};
    for (int lanes = 1; lanes <= 16; lanes = lanes == 1 ? 4 : 2 * lanes)
        assert_true(hit_one_box(lanes, hashes, HIT_STEPS));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_give_the_same_bits_at_every_width),
        cmocka_unit_test(loaded_chains_give_the_same_bits_at_every_width),
        cmocka_unit_test(pairs_over_a_chain_give_the_same_bits_at_every_width),
        cmocka_unit_test(a_strong_motor_changes_nothing_for_its_neighbour),
        cmocka_unit_test(a_shock_leaves_the_zeros_of_other_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
