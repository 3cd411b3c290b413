/* The kernels of all widths give the same bits. */
#include "joints.h"

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

static void joints_give_the_same_bits_at_every_width(void **state) {
    (void)state;
    uint64_t hashes[120];
    for (int lanes = 1; lanes <= 16; lanes = lanes == 1 ? 4 : 2 * lanes) {
        cn_world *world = make_world_of_all_joints(lanes);
        for (int i = 0; world && i < 120; i++) {
            run(world, 1);
            if (lanes == 1) hashes[i] = cn_world_hash(world);
            assert_true(cn_world_hash(world) == hashes[i]);
        }
        cn_world_destroy(world);
    }
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
            def.x.speed = k ? 1e9f : 5;
            if (k) assert_done(cn_body_set_mass(world, body, (cn_mass){1e12f, 1e12f, point(0, 0)}));
            assert_done(cn_joint_create(world, &def).id != 0);
        }
        if (world) run(world, 3);
        hashes[i] = world ? cn_world_hash(world) : hashes[0]; // this machine has fewer lanes
        assert_int_equal(hashes[i], hashes[0]);
        cn_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_give_the_same_bits_at_every_width),
        cmocka_unit_test(a_strong_motor_changes_nothing_for_its_neighbour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
