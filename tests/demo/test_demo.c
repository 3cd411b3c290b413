/* The demo's program without a window: tools, rewinding, parameters and the search. */
#include "../../demo/ui/captions.h"
#include "../../demo/stage/hooks.h"
#include "host.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Presses the left button at a place of the world, moves to another one, and lets go.
static void drag(host *h, vec2s from, vec2s to) {
    const demo_view *view = &h->program.picture.view;
    vec2s a = view_to_screen(view, from), b = view_to_screen(view, to);
    demo_handle(&h->program, &(demo_event){.kind = EVENT_MOVE, .point = a});
    demo_handle(&h->program, &(demo_event){.kind = EVENT_PRESS, .point = a});
    for (int i = 1; i <= 10; i++) {
        vec2s p = glms_vec2_lerp(a, b, 0.1f * (float)i);
        demo_handle(&h->program, &(demo_event){.kind = EVENT_MOVE, .point = p});
    }
    demo_handle(&h->program, &(demo_event){.kind = EVENT_RELEASE, .point = b});
}

static vec2s at(float x, float y) { return (vec2s){{x, y}}; }
static int bodies(const host *h) { return cn_world_counters(h->program.stage.run.world).bodies; }

// ---- tools

static void a_click_adds_a_body_and_delete_removes_it(void **state) {
    (void)state;
    host *h = open_scene("stack", 0);
    int before = bodies(h);
    press_key(h, '1');
    drag(h, at(-14, 12), at(-14, 12));
    assert_int_equal(bodies(h), before + 1);
    press_key(h, KEY_DELETE);
    drag(h, at(-14, 12), at(-14, 12));
    assert_int_equal(bodies(h), before);
    close_scene(h);
}

static void a_stroke_cuts_the_bodies_that_it_crosses(void **state) {
    (void)state;
    host *h = open_scene("stack", 0);
    int before = bodies(h);
    press_key(h, 'x');
    drag(h, at(-12, 2.5f), at(-7, 2.5f)); // one box of the first stack, one of the second
    assert_int_equal(bodies(h), before + 2);
    close_scene(h);
}

static void a_drawn_outline_becomes_a_body(void **state) {
    (void)state;
    host *h = open_scene("stack", 0);
    int before = bodies(h);
    const vec2s corners[] = {at(-14, 10), at(-12, 10), at(-12, 13), at(-13, 11), at(-14, 13)};
    press_key(h, 'o');
    demo_event event = {.kind = EVENT_PRESS};
    for (int i = 0; i < 5; i++) { // concave: the third corner is a dent
        event.point = view_to_screen(&h->program.picture.view, corners[i]);
        demo_handle(&h->program, &event);
        event.kind = EVENT_MOVE;
    }
    event.kind = EVENT_RELEASE;
    demo_handle(&h->program, &event);
    assert_int_equal(bodies(h), before + 1);
    close_scene(h);
}

static void freezing_tying_and_throwing_act_on_the_body_under_the_mouse(void **state) {
    (void)state;
    host *h = open_scene("stack", 0);
    cn_world *world = h->program.stage.run.world;
    vec2s top = at(-11, 4.5f), other = at(-8, 4.5f);
    press_key(h, 'y');
    drag(h, top, other);
    assert_int_equal(cn_world_counters(world).joints, 1);
    press_key(h, 'f');
    drag(h, top, at(-13, 4.5f));
    cn_body thrown = h->program.controls.picked;
    assert_true(cn_body_velocity(world, thrown).x > 1); // back to where the band began
    press_key(h, 'v');
    drag(h, top, top);
    assert_int_equal(cn_body_type(world, thrown), CN_STATIC);
    close_scene(h);
}

static demo_event event_at(const host *h, demo_event_kind kind, vec2s world) {
    return (demo_event){.kind = kind, .point = view_to_screen(&h->program.picture.view, world)};
}

static void a_large_outline_is_closed_where_the_mouse_lets_go(void **state) {
    (void)state;
    host *h = open_scene("stack", 0);
    cn_world *world = h->program.stage.run.world;
    press_key(h, 'o');
    const float radius = 10, turn = 2 * 3.14159265f;
    demo_event event = {.kind = EVENT_PRESS};
    for (int i = 0; i < 400; i++, event.kind = EVENT_MOVE) { // more points than a stroke has
        float angle = turn * (float)i / 400;
        vec2s p = at(radius * cosf(angle), 10 + radius * sinf(angle));
        event.point = view_to_screen(&h->program.picture.view, p);
        demo_handle(&h->program, &event);
    }
    event.kind = EVENT_RELEASE;
    demo_handle(&h->program, &event);
    float mass = 0;
    for (cn_body b = {0}; (b = cn_world_next_body(world, b)).id;)
        mass = fmaxf(mass, cn_body_mass(world, b));
    assert_true(fabsf(mass - turn / 2 * radius * radius) < 10); // a disc of density 1
    close_scene(h);
}

static void a_body_that_cannot_be_made_leaves_nothing_behind(void **state) {
    (void)state;
    host *h = open_scene("stack", 0);
    int before = bodies(h);
    press_key(h, '1');
    h->program.tools.size = INFINITY;
    drag(h, at(-14, 12), at(-14, 12));
    assert_int_equal(bodies(h), before);
    close_scene(h);
}

static void scenes_go_on_without_the_bodies_that_are_erased(void **state) {
    (void)state;
    for (const scene *const *s = demo_scenes; *s; s++) {
        host *h = open_scene((*s)->name, 0);
        demo_stage *stage = &h->program.stage;
        take_steps(h, 2);
        for (cn_body b; (b = cn_world_next_body(stage->run.world, (cn_body){0})).id;)
            assert_true(cn_body_destroy(stage->run.world, b));
        stage_refresh(stage);
        for (int i = 0; i < 20; i++) {
            take_steps(h, 1);
            demo_draw(&h->program);
            if (stage->failed) fail_msg("%s: %s", (*s)->name, stage->error);
        }
        close_scene(h);
    }
}

static void a_click_on_the_source_leaves_the_world_alone(void **state) {
    (void)state;
    host *h = open_scene("stack", 0);
    int before = bodies(h);
    press_key(h, KEY_F1 + 2);
    press_key(h, '1');
    drag(h, at(-14, 12), at(-14, 12));
    assert_int_equal(bodies(h), before);
    press_key(h, KEY_ESCAPE);
    drag(h, at(-14, 12), at(-14, 12));
    assert_int_equal(bodies(h), before + 1);
    close_scene(h);
}

// ---- windows

static void a_question_gets_the_next_key_or_click(void **state) {
    (void)state;
    host *h = open_scene("sat-lab", 0); // Enter is a key of this scene
    demo_program *d = &h->program;
    int before = bodies(h);
    press_key(h, KEY_ESCAPE);
    press_key(h, 'h'); // no: does not choose a tool
    assert_false(d->quit || d->asks);
    assert_ptr_equal(d->tools.chosen, &tool_grab);
    press_key(h, 'h');
    press_key(h, KEY_F1);
    drag(h, at(0, -4), at(0, -4));
    assert_false(d->shows_keys);
    assert_int_equal(bodies(h), before);
    press_key(h, KEY_ESCAPE);
    press_key(h, KEY_ENTER);
    assert_true(d->quit);
    close_scene(h);
}

static void what_is_held_is_let_go_when_the_gallery_opens(void **state) {
    (void)state;
    host *h = open_scene("character", 0);
    demo_program *d = &h->program;
    demo_event press = event_at(h, EVENT_PRESS, at(0, 5));
    demo_handle(d, &press);
    press.button = BUTTON_RIGHT;
    demo_handle(d, &press);
    demo_handle(d, &(demo_event){.kind = EVENT_KEY, .key = KEY_BACKSPACE});
    demo_handle(d, &(demo_event){.kind = EVENT_KEY, .key = KEY_RIGHT});
    assert_true(d->tools.down && d->panning && d->rewinding && d->held_keys);
    press_key(h, KEY_F1 + 1); // the gallery gets the ends of all of these
    press_key(h, KEY_ESCAPE);
    assert_false(d->gallery.open || d->tools.down || d->panning || d->rewinding || d->held_keys);
    close_scene(h);
}

static void the_gallery_is_idle_once_all_pictures_are_made(void **state) {
    (void)state;
    host *h = open_scene("stack", 0);
    press_key(h, KEY_F1 + 1);
    demo_draw(&h->program); // makes the first picture
    assert_false(demo_is_idle(&h->program));
    for (int i = 0; i < GALLERY_MAX_SCENES; i++) h->program.gallery.pictures[i].is_made = true;
    demo_draw(&h->program);
    assert_true(demo_is_idle(&h->program));
    close_scene(h);
}

static int count_shown(const demo_gallery *gallery, bool benchmarks) {
    int count = 0;
    for (const scene_group *g = scene_groups; g->name; g++)
        for (int i = 0; g->scenes[i]; i++)
            count += (g->scenes == bench_scenes) == benchmarks &&
                     gallery_shows(gallery, g, g->scenes[i]);
    return count;
}

static void benchmarks_have_their_own_page_of_the_gallery(void **state) {
    (void)state;
    host *h = open_scene("stack", 0);
    demo_gallery *gallery = &h->program.gallery;
    press_key(h, KEY_F1 + 1);
    demo_draw(&h->program);
    assert_true(count_shown(gallery, false) > 50 && count_shown(gallery, true) == 0);
    for (float x = 280; x < 480 && !gallery->has_benchmarks; x += 10) { // the button is there
        demo_handle(&h->program, &(demo_event){.kind = EVENT_PRESS, .point = at(x, 20)});
        demo_draw(&h->program);
    }
    assert_true(count_shown(gallery, false) == 0 && count_shown(gallery, true) > 10);
    demo_handle(&h->program, &(demo_event){.kind = EVENT_TEXT, .text = "pyramid"});
    assert_true(count_shown(gallery, false) > 0 && count_shown(gallery, true) > 0);
    close_scene(h);
}

static void a_slider_stays_when_the_mouse_leaves_the_window(void **state) {
    (void)state;
    host *h = open_scene("stack", 0);
    demo_program *d = &h->program;
    const float *height = &d->stage.values[0];
    demo_event press = {.kind = EVENT_PRESS, .point = at(1170, 0)};
    for (; d->controls.mouse.held != height && press.point.y < 720; press.point.y += 10) {
        d->controls.mouse.held = NULL;
        demo_handle(d, &press);
        demo_draw(d);
    }
    assert_ptr_equal(d->controls.mouse.held, height);
    float value = *height;
    assert_true(value > d->stage.run.scene->parameters[0].low);
    demo_handle(d, &(demo_event){.kind = EVENT_LEAVE});
    demo_draw(d);
    assert_true(*height == value);
    close_scene(h);
}

static void the_grid_ends_far_away_from_the_origin(void **state) {
    (void)state;
    host *h = open_scene("stack", 0);
    demo_view *view = &h->program.picture.view;
    h->program.moved = true;
    for (float x = 1e3f; x < 1e9f; x *= 10) {
        *view = (demo_view){{{x, x}}, 1e5f, view->area}; // more lines away than a float counts
        demo_draw(&h->program);
    }
    close_scene(h);
}

// ---- time

static void a_long_wait_is_no_long_way_back(void **state) {
    (void)state;
    host *h = open_scene("stack", 0);
    take_steps(h, 100);
    press_key(h, 'p'); // the window then waits for an event
    demo_handle(&h->program, &(demo_event){.kind = EVENT_KEY, .key = KEY_BACKSPACE});
    demo_advance(&h->program, 30);
    assert_in_range(h->program.stage.run.step, 90, 99);
    close_scene(h);
}

static void a_scene_goes_back_with_its_memory_and_on_to_the_same_bits(void **state) {
    (void)state;
    static const char *const names[] = {"drive", "rain-of-shapes", "slice", "conveyor"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        host *h = open_scene(names[i], 0);
        demo_stage *stage = &h->program.stage;
        size_t size = stage->run.scene->memory_size;
        void *memory = malloc(size);
        take_steps(h, 120);
        uint64_t then = cn_world_hash(stage->run.world);
        memcpy(memory, stage->run.memory, size);
        take_steps(h, 130);
        uint64_t later = cn_world_hash(stage->run.world);
        assert_true(stage_go_to(stage, 120));
        assert_int_equal(stage->run.step, 120);
        assert_true(cn_world_hash(stage->run.world) == then);
        assert_memory_equal(memory, stage->run.memory, size);
        take_steps(h, 130);
        assert_true(cn_world_hash(stage->run.world) == later);
        assert_false(stage_go_to(stage, -1));
        free(memory);
        close_scene(h);
    }
}

static void a_world_that_grows_keeps_fewer_states(void **state) {
    (void)state;
    host *h = open_scene("growth-churn", 0); // it creates and destroys 10,000 bodies in each step
    demo_stage *stage = &h->program.stage;
    assert_int_equal(stage->history.interval, 1);
    for (int i = 0; i < 60; i++) assert_true(stage_step(stage));
    assert_in_range(stage->history.interval, 5, 100);
    int oldest = history_oldest(&stage->history);
    assert_in_range(oldest, 1, 60 - stage->history.interval);
    assert_true(stage_go_to(stage, oldest));
    close_scene(h);
}

static void backspace_goes_back_while_it_is_held(void **state) {
    (void)state;
    host *h = open_scene("stack", 0);
    take_steps(h, 100);
    demo_handle(&h->program, &(demo_event){.kind = EVENT_KEY, .key = KEY_BACKSPACE});
    for (int i = 0; i < 30; i++) demo_advance(&h->program, 1.0f / 60);
    demo_handle(&h->program, &(demo_event){.kind = EVENT_KEY_UP, .key = KEY_BACKSPACE});
    assert_in_range(h->program.stage.run.step, 65, 75);
    demo_advance(&h->program, 0.051f);
    assert_in_range(h->program.stage.run.step, 66, 79);
    close_scene(h);
}

static void a_recording_that_is_dropped_plays_and_can_be_searched(void **state) {
    (void)state;
    host *h = open_scene("stack", 0);
    demo_stage *stage = &h->program.stage;
    remove("stack.cairn");
    press_key(h, KEY_F1 + 8); // begins to record to stack.cairn, in the folder of the test
    press_key(h, 'k');
    take_steps(h, 30);
    drag(h, at(-8, 5), at(-8, 5)); // a bomb
    take_steps(h, 60);
    uint64_t hash = cn_world_hash(stage->run.world);
    press_key(h, KEY_F1 + 8);
    demo_handle(&h->program, &(demo_event){.kind = EVENT_DROP, .text = "stack.cairn"});
    assert_non_null(stage->replay);
    take_steps(h, 90);
    assert_int_equal(stage->run.step, 90);
    assert_true(cn_world_hash(stage->run.world) == hash);
    assert_true(stage_go_to(stage, 10) && stage_go_to(stage, 90));
    assert_true(cn_world_hash(stage->run.world) == hash);
    demo_handle(&h->program, &(demo_event){.kind = EVENT_DROP, .text = "no such file"});
    assert_non_null(stage->replay); // still the one before
    close_scene(h);
    remove("stack.cairn");
}

static void a_second_recording_keeps_the_first(void **state) {
    (void)state;
    host *h = open_scene("stack", 0);
    remove("stack.cairn"), remove("stack-2.cairn");
    for (int i = 0; i < 2; i++) {
        press_key(h, KEY_F1 + 8);
        assert_string_equal(h->program.stage.recording_path, i ? "stack-2.cairn" : "stack.cairn");
        press_key(h, KEY_F1 + 8);
    }
    close_scene(h);
    assert_int_equal(remove("stack.cairn"), 0);
    assert_int_equal(remove("stack-2.cairn"), 0);
}

static void what_a_tool_cannot_do_and_where_a_recording_is_are_told_until_the_next_key(
    void **state) {
    (void)state;
    host *h = open_scene("stack", 0);
    demo_stage *stage = &h->program.stage;
    const vec2s corners[] = {at(-14, 10), at(-12, 12), at(-14, 12), at(-12, 10)}; // cross
    press_key(h, 'o');
    demo_event event = {.kind = EVENT_PRESS};
    for (int i = 0; i < 4; i++) {
        event.point = view_to_screen(&h->program.picture.view, corners[i]);
        demo_handle(&h->program, &event);
        event.kind = EVENT_MOVE;
    }
    event.kind = EVENT_RELEASE;
    demo_handle(&h->program, &event);
    assert_non_null(strstr(stage->notice, "Draw: "));
    remove("stack.cairn");
    press_key(h, KEY_F1 + 8);
    assert_string_equal(stage->notice, "");
    press_key(h, KEY_F1 + 8);
    assert_non_null(strstr(stage->notice, "stack.cairn"));
    demo_handle(&h->program, &(demo_event){.kind = EVENT_DROP, .text = "stack.cairn"});
    press_key(h, 'k');
    assert_string_equal(stage->notice, "");
    drag(h, at(-8, 5), at(-8, 5));
    assert_non_null(strstr(stage->notice, "recording"));
    close_scene(h);
    remove("stack.cairn");
}

static void a_recording_has_no_card_of_an_earlier_body_and_starts_again(void **state) {
    (void)state;
    host *h = open_scene("stack", 0);
    demo_program *d = &h->program;
    remove("stack.cairn");
    press_key(h, KEY_F1 + 8);
    take_steps(h, 20);
    drag(h, at(-11, 4.5f), at(-11, 4.5f));
    assert_true(d->controls.picked.id);
    press_key(h, KEY_F1 + 8);
    press_key(h, KEY_F1 + 1); // files can also be dropped on the gallery
    demo_handle(d, &(demo_event){.kind = EVENT_DROP, .text = "stack.cairn"});
    assert_false(d->gallery.open);
    assert_non_null(d->stage.replay);
    assert_false(d->controls.picked.id); // its sliders would change the recorded world
    take_steps(h, 21);
    assert_true(d->stage.paused); // at the end
    press_key(h, 'r');
    assert_false(d->stage.paused);
    close_scene(h);
    remove("stack.cairn");
}

// ---- scenes

static void values_of_parameters_change_the_scene(void **state) {
    (void)state;
    host *h = open_scene("pyramid", 0);
    demo_stage *stage = &h->program.stage;
    assert_int_equal(bodies(h), 1 + 24 * 25 / 2);
    stage->values[0] = 5;
    assert_true(stage_restart(stage, stage->run.scene));
    assert_int_equal(bodies(h), 1 + 5 * 6 / 2);
    stage->values[0] = 1000; // clamped
    assert_true(stage_restart(stage, stage->run.scene));
    assert_int_equal(bodies(h), 1 + 40 * 41 / 2);
    assert_true(stage_restart(stage, scene_find("stack")));
    assert_true(stage_restart(stage, scene_find("pyramid"))); // the defaults again
    assert_int_equal(bodies(h), 1 + 24 * 25 / 2);
    close_scene(h);
}

static void the_search_finds_words_of_titles_and_captions(void **state) {
    (void)state;
    const scene *pyramid = scene_find("pyramid");
    assert_true(gallery_finds("", pyramid));
    assert_true(gallery_finds("pyr", pyramid));
    assert_true(gallery_finds("boxes hundred", pyramid)); // of the caption, in any order
    assert_false(gallery_finds("pyramid car", pyramid));
}

static void enter_opens_the_scene_whose_title_has_the_word(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"pin", "pinball"}, {"gears", "gears"}, {"car", "car"}, {"stack", "stack"}};
    for (int i = 0; i < 4; i++) {
        host *h = open_scene("pyramid", 0);
        press_key(h, KEY_F1 + 1);
        demo_handle(&h->program, &(demo_event){.kind = EVENT_TEXT, .text = cases[i][0]});
        press_key(h, KEY_ENTER);
        assert_string_equal(h->program.stage.run.scene->name, cases[i][1]);
        close_scene(h);
    }
    assert_false(gallery_finds("pin", scene_find("growth-sleepers"))); // "sleeping"
}

// The scene lies below its title, so bodies that fall into it do not come through the title.
static void letters_fall_from_below_the_caption(void **state) {
    (void)state;
    host *h = open_scene("decompose", 0);
    for (int i = 0; i < 400; i++) {
        take_steps(h, 1);
        cn_world *world = h->program.stage.run.world;
        for (cn_body b = {0}; (b = cn_world_next_body(world, b)).id;) {
            float y = view_to_screen(&h->program.picture.view, cn_body_position(world, b)).y;
            assert_true(y > captions_height(scene_find("decompose"), 800));
        }
    }
    close_scene(h);
}

static void every_scene_is_in_one_group_and_has_a_source(void **state) {
    (void)state;
    for (const scene *const *s = demo_scenes; *s; s++) {
        int groups = 0, sources = 0;
        for (const scene_group *g = scene_groups; g->name; g++)
            for (const scene *const *other = g->scenes; *other; other++) groups += *other == *s;
        for (const scene_source *source = scene_sources; source->name; source++)
            sources += strcmp(source->name, (*s)->name) == 0;
        assert_int_equal(groups, 1);
        assert_in_range(sources, 1, 2); // two benchmarks of queries have names of scenes
    }
}

// ---- the list of keys

enum { MAX_GLYPHS = 2000 };

typedef struct {
    demo_area cells[MAX_GLYPHS];
    int count;
} glyphs;

static void keep_glyphs(void *context, const canvas_batch *batch, bool has_texture) {
    glyphs *kept = context;
    for (int i = 0; i + 3 < batch->vertex_count && has_texture; i += 4) {
        canvas_vertex a = batch->vertices[i], b = batch->vertices[i + 2];
        assert_true(kept->count < MAX_GLYPHS);
        kept->cells[kept->count++] = (demo_area){a.x, a.y, b.x - a.x, b.y - a.y};
    }
}

static void expect_apart(const glyphs *kept, float width) {
    for (int i = 0; i < kept->count; i++) {
        demo_area a = kept->cells[i];
        assert_true(a.x >= 0 && a.x + a.w <= width);
        for (int k = 0; k < i; k++) { // the cells of neighbours overlap by two pixels
            demo_area b = kept->cells[k];
            bool apart = a.x + 3 >= b.x + b.w || b.x + 3 >= a.x + a.w || fabsf(a.y - b.y) >= a.h;
            assert_true(apart);
        }
    }
}

static void the_list_of_keys_fits_the_window_and_no_words_run_into_others(void **state) {
    (void)state;
    static glyphs kept;
    static const float widths[] = {360, 640, 1280};
    for (const scene *const *s = demo_scenes; *s; s++)
        for (int i = 0; i < 3 && hooks_of(*s)->keys; i++) {
            demo_canvas canvas;
            float scroll = 0;
            kept.count = 0;
            canvas_open(&canvas, (canvas_backend){&kept, clear, keep_glyphs, clip});
            demo_picture picture = {.canvas = &canvas, .theme = &theme_dark};
            captions_draw_keys(&picture, *s, true, widths[i], 1200, &scroll);
            canvas_flush(&canvas);
            assert_true(kept.count > 100);
            expect_apart(&kept, widths[i]);
            canvas_close(&canvas);
        }
}

static void the_list_of_keys_moves_in_a_low_window(void **state) {
    (void)state;
    host *h = open_scene("breakout", 0);
    demo_resize(&h->program, 400, 300);
    press_key(h, KEY_F1);
    for (int i = 0; i < 100; i++) press_key(h, KEY_DOWN);
    demo_draw(&h->program);
    assert_true(h->program.shows_keys);
    assert_in_range(h->program.keys_scroll, 100, 1000); // clamped to the end of the list
    press_key(h, 'g');
    assert_false(h->program.shows_keys);
    close_scene(h);
}

static void every_scene_that_takes_keys_tells_which(void **state) {
    (void)state;
    for (const scene *const *s = demo_scenes; *s; s++)
        if ((*s)->takes_keys) assert_non_null(hooks_of(*s)->keys);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_click_adds_a_body_and_delete_removes_it),
        cmocka_unit_test(a_stroke_cuts_the_bodies_that_it_crosses),
        cmocka_unit_test(a_drawn_outline_becomes_a_body),
        cmocka_unit_test(freezing_tying_and_throwing_act_on_the_body_under_the_mouse),
        cmocka_unit_test(a_large_outline_is_closed_where_the_mouse_lets_go),
        cmocka_unit_test(a_body_that_cannot_be_made_leaves_nothing_behind),
        cmocka_unit_test(scenes_go_on_without_the_bodies_that_are_erased),
        cmocka_unit_test(a_click_on_the_source_leaves_the_world_alone),
        cmocka_unit_test(a_question_gets_the_next_key_or_click),
        cmocka_unit_test(what_is_held_is_let_go_when_the_gallery_opens),
        cmocka_unit_test(the_gallery_is_idle_once_all_pictures_are_made),
        cmocka_unit_test(benchmarks_have_their_own_page_of_the_gallery),
        cmocka_unit_test(a_slider_stays_when_the_mouse_leaves_the_window),
        cmocka_unit_test(the_grid_ends_far_away_from_the_origin),
        cmocka_unit_test(a_long_wait_is_no_long_way_back),
        cmocka_unit_test(a_recording_has_no_card_of_an_earlier_body_and_starts_again),
        cmocka_unit_test(a_scene_goes_back_with_its_memory_and_on_to_the_same_bits),
        cmocka_unit_test(a_world_that_grows_keeps_fewer_states),
        cmocka_unit_test(backspace_goes_back_while_it_is_held),
        cmocka_unit_test(a_recording_that_is_dropped_plays_and_can_be_searched),
        cmocka_unit_test(a_second_recording_keeps_the_first),
        cmocka_unit_test(
            what_a_tool_cannot_do_and_where_a_recording_is_are_told_until_the_next_key),
        cmocka_unit_test(values_of_parameters_change_the_scene),
        cmocka_unit_test(the_search_finds_words_of_titles_and_captions),
        cmocka_unit_test(enter_opens_the_scene_whose_title_has_the_word),
        cmocka_unit_test(letters_fall_from_below_the_caption),
        cmocka_unit_test(every_scene_is_in_one_group_and_has_a_source),
        cmocka_unit_test(the_list_of_keys_fits_the_window_and_no_words_run_into_others),
        cmocka_unit_test(the_list_of_keys_moves_in_a_low_window),
        cmocka_unit_test(every_scene_that_takes_keys_tells_which),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
