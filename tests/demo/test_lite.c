/* Lite, the small engine of the lessons, against Cairn and closed formulas. */
#include "../../demo/lessons/lite.h"
#include "../../demo/scenes/scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const float step_seconds = 1.0f / 60;

static void open_lite(lite_world *world) {
    *world = (lite_world){.gravity = {{0, -10}}, .substeps = 4, .sweeps = 1};
    lite_add_body(world, cn_box(20, 1), cn_pose_at((vec2s){{0, -1}}, 0), 0);
}

static lite_body *add(lite_world *world, cn_hull hull, float x, float y, float angle) {
    int i = lite_add_body(world, hull, cn_pose_at((vec2s){{x, y}}, angle), 1);
    assert_true(i > 0);
    return &world->bodies[i];
}

static void steps(lite_world *world, int count) {
    for (int i = 0; i < count; i++) lite_step(world, step_seconds);
}

static void near(float a, float b, float tolerance) {
    if (fabsf(a - b) <= tolerance) return;
    print_error("%g instead of %g\n", (double)a, (double)b);
    fail();
}

// Starts the scene that shows both engines with the bodies of one lesson.
static scene_run start_lesson(int lesson) {
    scene_run run;
    float values[SCENE_MAX_PARAMETERS];
    const scene *which = scene_find("lite");
    assert_non_null(which);
    scene_default_values(which, values);
    values[0] = (float)lesson;
    assert_true(scene_start_with(&run, which, values, (cn_world_def){.no_sleep = true}));
    return run;
}

// The greatest distance of a body of Lite from its twin, which is shifted along x. Both have the
// same order.
static float find_difference(const scene_run *run) {
    const lite_world *lite = run->memory; // is the first in the memory
    cn_body body = {0};
    float greatest = 0, shift = 0;
    for (int i = 0; i < lite->body_count; i++) {
        body = cn_world_next_body(run->world, body);
        assert_true(body.id != 0);
        vec2s here = lite->bodies[i].position, there = cn_body_position(run->world, body);
        if (i == 0) shift = there.x - here.x; // a static body
        there.x -= shift;
        greatest = fmaxf(greatest, glms_vec2_distance(here, there));
    }
    assert_true(cn_world_next_body(run->world, body).id == 0);
    return greatest;
}

static void check_lesson(int lesson, int count, float tolerance) {
    scene_run run = start_lesson(lesson);
    for (int i = 0; i < count; i++) assert_true(scene_step(&run, step_seconds));
    near(find_difference(&run), 0, tolerance);
    scene_stop(&run);
}

static void boxes_fall_and_bounce_like_those_of_cairn(void **state) {
    (void)state;
    check_lesson(6, 54, 0.03f); // Cairn's free fall is exact, Lite is g t h / 2 ahead
}

static void boxes_slide_and_stick_like_those_of_cairn(void **state) {
    (void)state;
    check_lesson(7, 90, 0.02f);
}

static void a_stack_rests_like_that_of_cairn(void **state) {
    (void)state;
    check_lesson(8, 240, 0.01f);
}

static void heavy_boxes_rest_like_those_of_cairn(void **state) {
    (void)state;
    check_lesson(9, 120, 0.03f);
}

static void a_stack_of_ten_stands_for_twenty_seconds(void **state) {
    (void)state;
    lite_world world;
    open_lite(&world);
    for (int i = 0; i < 10; i++) add(&world, cn_box(0.5f, 0.5f), 0, 0.5f + (float)i, 0);
    steps(&world, 1200);
    near(world.bodies[10].position.y, 9.5f, 0.02f);
    near(world.bodies[10].position.x, 0, 0.02f);
    float sum =
        world.contacts[0].points[0].normal.impulse + world.contacts[0].points[1].normal.impulse;
    near(4 * sum, 100 * step_seconds, 0.005f); // the ground bears 100 N
}

static void the_warm_start_makes_the_residual_a_hundredth(void **state) {
    (void)state;
    lite_world warm, cold;
    open_lite(&warm);
    for (int i = 0; i < 10; i++) add(&warm, cn_box(0.5f, 0.5f), 0, 0.5f + (float)i, 0);
    steps(&warm, 120);
    cold = warm;
    cold.cold = true;
    steps(&warm, 1), steps(&cold, 1);
    assert_true(warm.residuals[0] < 0.01f * cold.residuals[0]);
}

static void relax_takes_the_speed_of_the_push_back(void **state) {
    (void)state;
    float fastest[2] = {0, 0};
    for (int no_relax = 0; no_relax < 2; no_relax++) {
        lite_world world;
        open_lite(&world);
        world.no_relax = no_relax;
        lite_body *box = add(&world, cn_box(0.5f, 0.5f), 0, 0.4f, 0);
        for (int i = 0; i < 60; i++)
            steps(&world, 1), fastest[no_relax] = fmaxf(fastest[no_relax], box->v.y);
        near(box->position.y, 0.5f, 0.002f);
    }
    assert_true(fastest[1] > 3 * fastest[0]);
}

static void a_ball_rises_to_the_square_of_its_restitution(void **state) {
    (void)state;
    lite_world world;
    open_lite(&world);
    world.substeps = 16;
    lite_body *ball = add(&world, cn_circle(0.5f), 0, 5.5f, 0);
    ball->restitution = 0.8f;
    float highest = 0;
    for (int i = 0; i < 120; i++) {
        steps(&world, 1);
        if (i > 62) highest = fmaxf(highest, ball->position.y); // it lands after 1 s
    }
    near(highest - 0.5f, 0.64f * 5, 0.15f);
}

static void a_disc_rolls_with_two_thirds_of_its_speed(void **state) {
    (void)state;
    lite_world world;
    open_lite(&world);
    lite_body *disc = add(&world, cn_circle(0.5f), 0, 0.5f, 0);
    disc->v.x = 3;
    steps(&world, 60);
    near(disc->v.x, 2, 0.02f);
    near(disc->w, -4, 0.04f);
}

static void a_hinge_stays_closed_and_swings_in_time(void **state) {
    (void)state;
    lite_world world;
    open_lite(&world);
    world.bodies[0].position.y = -20;
    lite_body *rod = add(&world, cn_box(0.05f, 1), 0, -1, 0);
    assert_int_equal(lite_add_hinge(&world, 0, 1, (vec2s){{0, 0}}), 0);
    rod->w = 0.1f;
    int turns = 0, count = 0;
    while (turns < 2 && count < 1000) {
        float before = rod->w;
        steps(&world, 1), count++;
        turns += (before < 0) != (rod->w < 0);
        vec2s gap = cn_pose_point(lite_pose(rod), (vec2s){{0, 1}});
        near(glms_vec2_norm(gap), 0, 0.001f);
    }
    near((float)count * step_seconds, 0.75f * 2.294f, 0.02f); // from the middle to the second end
}

static void impulses_follow_the_points_of_a_contact(void **state) {
    (void)state;
    lite_world world;
    open_lite(&world);
    add(&world, cn_box(0.5f, 0.5f), 0, 0.5f, 0);
    steps(&world, 60);
    near(world.residuals[0], 0, 1e-4f);  // the first sweep has nothing left to do
    world.contacts[0].points[0].id ^= 1; // an unknown point has no warm start
    steps(&world, 1);
    assert_true(world.contact_count == 1 && world.bodies[1].w != 0);
}

static void a_full_world_takes_no_more_bodies(void **state) {
    (void)state;
    lite_world world;
    open_lite(&world);
    for (int i = 1; i < LITE_BODIES; i++) add(&world, cn_circle(0.1f), (float)i, 50, 0);
    assert_int_equal(lite_add_body(&world, cn_circle(1), cn_pose_at((vec2s){{0, 9}}, 0), 1), -1);
    steps(&world, 1);
}

static void a_click_adds_a_body_to_both(void **state) {
    (void)state;
    scene_run run = start_lesson(11);
    const lite_world *lite = run.memory;
    int before = lite->body_count;
    for (int i = 0; i < 2 * LITE_BODIES; i++) {
        run.input =
            (scene_input){.has_mouse = true, .mouse = {{i % 2 ? 5 : -5, 12}}, .clicked = true};
        assert_true(scene_step(&run, step_seconds));
        if (i == 3) assert_int_equal(lite->body_count, before + 4);
    }
    assert_int_equal(lite->body_count, LITE_BODIES); // and no more
    assert_int_equal(cn_world_counters(run.world).bodies, LITE_BODIES);
    scene_stop(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_fall_and_bounce_like_those_of_cairn),
        cmocka_unit_test(boxes_slide_and_stick_like_those_of_cairn),
        cmocka_unit_test(a_stack_rests_like_that_of_cairn),
        cmocka_unit_test(heavy_boxes_rest_like_those_of_cairn),
        cmocka_unit_test(a_stack_of_ten_stands_for_twenty_seconds),
        cmocka_unit_test(the_warm_start_makes_the_residual_a_hundredth),
        cmocka_unit_test(relax_takes_the_speed_of_the_push_back),
        cmocka_unit_test(a_ball_rises_to_the_square_of_its_restitution),
        cmocka_unit_test(a_disc_rolls_with_two_thirds_of_its_speed),
        cmocka_unit_test(a_hinge_stays_closed_and_swings_in_time),
        cmocka_unit_test(impulses_follow_the_points_of_a_contact),
        cmocka_unit_test(a_full_world_takes_no_more_bodies),
        cmocka_unit_test(a_click_adds_a_body_to_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
