/* The solver lab in the demo's program: its keys and its panel. It changes nothing in the world. */
#include "../../demo/ui/captions.h"
#include "host.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const solver_lab *lab_of(const host *h) { return &h->program.controls.lab; }
static uint64_t hash_of(const host *h) { return cn_world_hash(world_of(h)); }

static host *open_lab(const char *name, int steps) {
    host *h = open_scene(name, steps);
    press_key(h, KEY_F1 + 3);
    assert_true(lab_of(h)->is_open);
    assert_int_equal(lab_of(h)->at, 0);
    return h;
}

// ---- the world

static void the_lab_takes_no_step_until_it_closes_and_then_one(void **state) {
    (void)state;
    host *without = open_scene("pyramid", 20), *h = open_lab("pyramid", 20);
    uint64_t before = hash_of(without);
    assert_true(hash_of(h) == before);
    for (int i = 0; i < 30; i++) press_key(h, KEY_RIGHT); // passes
    press_key(h, 'w');
    demo_step(&h->program);
    assert_true(hash_of(h) == before);
    press_key(h, KEY_F1 + 3);
    demo_step(&without->program);
    assert_false(lab_of(h)->is_open);
    assert_int_equal(h->program.stage.run.step, without->program.stage.run.step);
    assert_true(hash_of(h) == hash_of(without));
    close_scene(without);
    close_scene(h);
}

// The walker's control acts on the world before each step: that half of the step comes first.
static void the_next_step_is_compared_with_its_trace(void **state) {
    (void)state;
    static const char *const names[] = {"walker", "car", "cloth", "pool", "pinball"};
    for (int i = 0; i < 5; i++) {
        host *h = open_lab(names[i], 30);
        assert_int_equal(lab_of(h)->compared, STEP_NOT_TAKEN);
        for (int k = 0; k < 5; k++) {
            press_key(h, KEY_ENTER);
            assert_int_equal(lab_of(h)->compared, STEP_IS_SAME);
        }
        assert_int_equal(h->program.stage.run.step, 35);
        close_scene(h);
    }
}

static bool accept_all(cn_world *world, cn_shape a, cn_shape b, void *user) {
    (void)world, (void)a, (void)b, (void)user;
    return true;
}

// The scene has done its part of the step. If the step were not taken, the scene would do it twice.
static void a_step_that_cannot_be_shown_is_taken(void **state) {
    (void)state;
    host *h = open_scene("walker", 30);
    assert_true(cn_world_set_callbacks(world_of(h), (cn_callbacks){.filter = accept_all}));
    press_key(h, KEY_F1 + 3);
    assert_false(lab_of(h)->is_open);
    assert_int_equal(h->program.stage.run.step, 31);
    close_scene(h);
}

static void keys_and_clicks_that_change_the_world_do_nothing_in_the_lab(void **state) {
    (void)state;
    host *h = open_lab("stack", 10);
    uint64_t before = hash_of(h);
    const int keys[] = {'1', 'k', 'x', KEY_DELETE, KEY_BACKSPACE, 'l', 'g', KEY_F1 + 8};
    demo_event press = {.kind = EVENT_PRESS, .point = {{620, 400}}};
    for (int i = 0; i < 8; i++) {
        press_key(h, keys[i]);
        press.kind = EVENT_PRESS;
        demo_handle(&h->program, &press);
        press.kind = EVENT_RELEASE;
        demo_handle(&h->program, &press);
        demo_step(&h->program);
    }
    assert_true(hash_of(h) == before);
    assert_null(h->program.stage.recording);
    close_scene(h);
}

static void another_scene_or_a_restart_closes_the_lab(void **state) {
    (void)state;
    host *h = open_lab("stack", 10);
    press_key(h, 'r');
    assert_false(lab_of(h)->is_open);
    assert_int_equal(h->program.stage.run.step, 0);
    press_key(h, KEY_F1 + 3);
    press_key(h, KEY_PAGE_DOWN);
    assert_false(lab_of(h)->is_open);
    assert_ptr_not_equal(h->program.stage.run.scene, scene_find("stack"));
    close_scene(h);
}

// ---- places

static void keys_go_forth_and_back_by_the_chosen_level(void **state) {
    (void)state;
    host *h = open_lab("stack", 20);
    const trace *shown = solver_lab_shown(lab_of(h));
    for (int i = 0; i < TRACE_LEVELS; i++) press_key(h, KEY_UP);
    assert_int_equal(lab_of(h)->level, TRACE_STAGE);
    while (solver_lab_place(lab_of(h)) == NULL ||
           strcmp(solver_lab_place(lab_of(h))->name, "begin changes") != 0)
        press_key(h, KEY_RIGHT);
    int visited[TRACE_LEVELS] = {lab_of(h)->at};
    for (int level = 1; level < TRACE_LEVELS; level++) {
        press_key(h, KEY_DOWN);
        press_key(h, KEY_RIGHT);
        press_key(h, KEY_RIGHT);
        visited[level] = lab_of(h)->at;
        assert_true(visited[level] > visited[level - 1]);
    }
    for (int level = TRACE_LEVELS - 1; level > 0; level--) {
        press_key(h, KEY_LEFT);
        press_key(h, KEY_LEFT);
        assert_true(lab_of(h)->at <= visited[level - 1]);
        press_key(h, KEY_UP);
    }
    press_key(h, KEY_END); // does nothing
    assert_true(lab_of(h)->at < shown->count);
    close_scene(h);
}

static void it_plays_through_the_step_into_the_next_one(void **state) {
    (void)state;
    host *h = open_lab("stack", 20);
    press_key(h, ' ');
    assert_false(demo_is_idle(&h->program));
    int step = h->program.stage.run.step, frames = 0;
    for (; h->program.stage.run.step == step && frames < 6000; frames++)
        demo_advance(&h->program, 1.0f / 60);
    assert_int_equal(h->program.stage.run.step, step + 1);
    press_key(h, ' ');
    assert_true(demo_is_idle(&h->program));
    close_scene(h);
}

static void the_warm_start_can_be_left_out(void **state) {
    (void)state;
    host *h = open_lab("stack", 30);
    const solver_lab *lab = lab_of(h);
    press_key(h, 'w');
    assert_true(lab->is_cold && solver_lab_shown(lab)->is_cold);
    assert_true(lab->traces[0].residuals[0][0] < lab->traces[1].residuals[0][0] / 2);
    press_key(h, 'w');
    assert_false(lab->is_cold);
    close_scene(h);
}

static void more_substeps_are_traced_at_once(void **state) {
    (void)state;
    host *h = open_lab("stack", 30);
    press_key(h, '+');
    demo_step(&h->program);
    assert_int_equal(cn_world_substeps(world_of(h)), 5);
    assert_int_equal(lab_of(h)->traces[0].substeps, 5);
    press_key(h, KEY_ENTER);
    assert_int_equal(lab_of(h)->compared, STEP_IS_SAME);
    close_scene(h);
}

// ---- the picture

static void the_lab_leaves_room_for_the_world_in_windows_of_all_sizes(void **state) {
    (void)state;
    const float sizes[][2] = {{1280, 720}, {640, 480}, {400, 300}, {360, 640}};
    host *h = open_lab("pyramid", 20);
    for (int i = 0; i < 4; i++) {
        demo_resize(&h->program, sizes[i][0], sizes[i][1]);
        demo_area area = h->program.picture.view.area;
        assert_true(area.w >= 150 && area.h >= 150);
        assert_true(area.w * area.h < 0.75f * sizes[i][0] * sizes[i][1]);
        triangles = 0;
        demo_draw(&h->program);
        assert_true(triangles > 5000);
        press_key(h, KEY_RIGHT);
    }
    close_scene(h);
}

static void each_stage_and_each_pass_is_described_in_three_lines(void **state) {
    (void)state;
    int missing = 0;
    for (const scene *const *s = demo_scenes; *s; s++) {
        host *h = open_lab((*s)->name, 40);
        const trace *shown = solver_lab_shown(lab_of(h));
        for (int i = 0; i < shown->count; i++) {
            const char *sentence = solver_lab_describe(&shown->places[i]).sentence;
            if (*sentence && captions_write(NULL, 0, 0, 224, 0, sentence) <= 3) continue;
            if (missing++ < 10) print_error("%s\n", shown->places[i].name);
        }
        close_scene(h);
    }
    assert_int_equal(missing, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lab_takes_no_step_until_it_closes_and_then_one),
        cmocka_unit_test(the_next_step_is_compared_with_its_trace),
        cmocka_unit_test(a_step_that_cannot_be_shown_is_taken),
        cmocka_unit_test(keys_and_clicks_that_change_the_world_do_nothing_in_the_lab),
        cmocka_unit_test(another_scene_or_a_restart_closes_the_lab),
        cmocka_unit_test(keys_go_forth_and_back_by_the_chosen_level),
        cmocka_unit_test(it_plays_through_the_step_into_the_next_one),
        cmocka_unit_test(the_warm_start_can_be_left_out),
        cmocka_unit_test(more_substeps_are_traced_at_once),
        cmocka_unit_test(the_lab_leaves_room_for_the_world_in_windows_of_all_sizes),
        cmocka_unit_test(each_stage_and_each_pass_is_described_in_three_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
