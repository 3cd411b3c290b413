/* Whole scenes: stacks stand, joints hold, energy is kept. */
#include "../support/crates.h"
#include "../../demo/scenes/scene.h"
#include "../support/slow.h"

static double greatest_displacement(const cn_world *world, const watch *w) {
    double greatest = 0;
    for (int i = 0; i < w->count; i++) {
        motion m = motion_of(world, w->bodies[i]);
        greatest = fmax(greatest, hypot(m.x - w->x[i], m.y - w->y[i]));
    }
    return greatest;
}

// ---- stacks

static void a_stack_of_ten_stands(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){0});
    watch stack = add_stack(world, 0, 10);
    run(world, 1200);
    assert_true(greatest_displacement(world, &stack) < 0.03);
    assert_near(motion_of(world, stack.bodies[9]).y, 9.5, 0.002 * 10);
    assert_near(motion_of(world, stack.bodies[9]).x, 0, 0.005);
    cn_world_destroy(world);
}

static void a_crooked_stack_of_ten_stands(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        uint64_t chance = seed;
        cn_world *world = make_world(GRAVITY);
        add_floor(world, (cn_material){0});
        watch stack = {.count = 0};
        for (int i = 0; i < 10; i++)
            add_watched_crate(world, &stack, random_between(&chance, -0.01, 0.01), 0.5 + i);
        run(world, 1200);
        assert_true(greatest_displacement(world, &stack) < 0.05);
        cn_world_destroy(world);
    }
}

static void a_pyramid_of_base_twenty_stands(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){0});
    watch pyramid = {.count = 0};
    for (int row = 0; row < 20; row++)
        for (int i = 0; i < 20 - row; i++)
            add_watched_crate(world, &pyramid, 1.05 * (i + row * 0.5 - 9.5), 0.5 + row);
    run(world, 600);
    assert_true(greatest_displacement(world, &pyramid) < 0.1);
    cn_world_destroy(world);
}

// ---- joints

enum { MAX_JOINTS = 512 };

// Returns how far the anchors of a joint are apart along its locked coordinates, in metres.
static double opening_of(const cn_world *world, cn_joint joint) {
    cn_joint_def def = cn_joint_definition(world, joint);
    double x = (double)(cn_joint_value(world, joint, CN_JOINT_X) - def.x.target);
    double y = (double)(cn_joint_value(world, joint, CN_JOINT_Y) - def.y.target);
    return hypot(def.x.mode == CN_LOCKED ? x : 0, def.y.mode == CN_LOCKED && !def.polar ? y : 0);
}

// Returns the sum that a coupling keeps constant.
static double coupled_sum_of(const cn_world *world, cn_joint joint) {
    cn_coupling c = cn_joint_coupling(world, joint);
    if (!c.other.id || c.slack) return 0;
    return (double)cn_joint_value(world, joint, c.axis) +
           (double)c.ratio * (double)cn_joint_value(world, c.other, c.other_axis);
}

static int read_sums(const cn_world *world, double sums[MAX_JOINTS]) {
    int count = 0;
    cn_joint joint = cn_world_next_joint(world, (cn_joint){0});
    for (; joint.id; joint = cn_world_next_joint(world, joint)) {
        assert_true(count < MAX_JOINTS);
        sums[count++] = coupled_sum_of(world, joint);
    }
    return count;
}

// (The ball that breaks the bridge opens a joint by 0.1 to 0.3 m for a moment, depending on its
// path.)
static void check_joints(const scene *which, const cn_world *world, const double *sums) {
    cn_joint joint = cn_world_next_joint(world, (cn_joint){0});
    for (int i = 0; joint.id; joint = cn_world_next_joint(world, joint), i++) {
        double opening = opening_of(world, joint);
        double slip = sums ? fabs(coupled_sum_of(world, joint) - sums[i]) : 0;
        if (opening < 0.3 && slip < 0.01) continue;
        print_error("%s: joint %d is %g m open, %g off\n", which->name, i, opening, slip);
        fail();
    }
}

// Joints open by less than 30 cm whatever hits them, and gears do not slip.
static void joints_of_the_demo_hold(void **state) {
    (void)state;
    for (int i = 0; demo_scenes[i]; i++) {
        scene_run run;
        double sums[MAX_JOINTS];
        assert_done(scene_start(&run, demo_scenes[i], (cn_world_def){0}));
        int count = read_sums(run.world, sums);
        for (int k = 0; k < 300 && count > 0; k++) {
            assert_done(scene_step(&run, STEP));
            bool same = cn_world_counters(run.world).joints == count; // no joint broke
            check_joints(demo_scenes[i], run.world, same ? sums : NULL);
        }
        scene_stop(&run);
    }
}

static void a_cradle_keeps_its_energy(void **state) {
    (void)state;
    scene_run run;
    assert_done(scene_start(&run, scene_find("cradle"), (cn_world_def){0}));
    cn_energy before = cn_world_energy(run.world);
    for (int i = 0; i < 1200; i++) assert_done(scene_step(&run, STEP));
    cn_energy after = cn_world_energy(run.world);
    double lost = before.kinetic + before.potential - after.kinetic - after.potential;
    assert_near(lost, 0, 0.5); // of 26.4 J
    scene_stop(&run);
}

// Returns the mean height of the first five dolls, which fell to the lowest floor.
static double height_of_dolls(const cn_world *world) {
    enum { BONES = 5 * 11 };
    double sum = 0;
    int count = 0;
    cn_body body = cn_world_next_body(world, (cn_body){0});
    for (; body.id && count < BONES; body = cn_world_next_body(world, body)) {
        if (cn_body_type(world, body) != CN_DYNAMIC) continue;
        sum += (double)cn_body_position(world, body).y;
        count++;
    }
    return sum / BONES;
}

// They land at 28 m/s. (At 12 substeps they were once thrown 30 m up again.)
static void dolls_that_fall_from_a_height_stay_where_they_land(void **state) {
    (void)state;
    const int substeps[] = {12, 4, 8, 16};
    for (int k = 0; k < 4 / SLOW; k++) {
        scene_run run;
        assert_done(scene_start(&run, scene_find("rain"), (cn_world_def){.substeps = substeps[k]}));
        for (int i = 0; i < 170; i++) assert_done(scene_step(&run, STEP));
        double highest = 0;
        for (int i = 0; i < 130; i++) {
            assert_done(scene_step(&run, STEP));
            highest = fmax(highest, height_of_dolls(run.world));
        }
        if (highest > 1.2) fail_msg("%d substeps: up to %.2f m", substeps[k], highest);
        scene_stop(&run);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_of_ten_stands),
        cmocka_unit_test(a_crooked_stack_of_ten_stands),
        cmocka_unit_test(a_pyramid_of_base_twenty_stands),
        cmocka_unit_test(joints_of_the_demo_hold),
        cmocka_unit_test(a_cradle_keeps_its_energy),
        cmocka_unit_test(dolls_that_fall_from_a_height_stay_where_they_land),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
