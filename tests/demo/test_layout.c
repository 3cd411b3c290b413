/* In the first picture of each scene no words and no panel cover a body that can move. Words beside
 * sliders do not cover them. The demo's program draws on a canvas without a screen. */
#include "../../demo/ui/captions.h"
#include "../../demo/ui/font.h"
#include "../../demo/stage/hooks.h"
#include "../../demo/stage/sketch_paint.h"
#include "../../demo/ui/world_panel.h"
#include "host.h"

#include <stdio.h>

// Returns the box of a shape on the screen.
static demo_area shape_area(const demo_program *demo, cn_shape shape) {
    cn_bounds box = cn_shape_bounds(demo->stage.run.world, shape);
    vec2s low = view_to_screen(&demo->picture.view, box.lower);
    vec2s high = view_to_screen(&demo->picture.view, box.upper);
    return (demo_area){low.x, high.y, high.x - low.x, low.y - high.y};
}

static demo_area notes_area(const demo_program *demo) {
    const scene_run *run = &demo->stage.run;
    sketch drawn = {0};
    if (run->scene->draw) run->scene->draw(run, &drawn);
    demo_area area = sketch_notes_area(demo->picture.view.area, &drawn);
    sketch_free(&drawn);
    return area;
}

// Returns how many moving shapes the words cover.
static int count_covered(const demo_program *demo) {
    const cn_world *world = demo->stage.run.world;
    demo_area words[] = {captions_area(demo->stage.run.scene, demo->picture.view.area),
                         notes_area(demo)};
    int covered = 0;
    for (cn_shape s = {0}; (s = cn_world_next_shape(world, s)).id;) {
        if (cn_body_type(world, cn_shape_body(world, s)) == CN_STATIC) continue;
        demo_area shape = shape_area(demo, s);
        bool is_seen = areas_overlap(shape, demo->picture.view.area);
        for (int i = 0; i < 2 && is_seen; i++)
            covered += words[i].h > 0 && areas_overlap(shape, words[i]);
    }
    return covered;
}

static int check_scene(const scene *shown, float width, float height) {
    demo_canvas canvas;
    demo_program demo;
    demo_options options = {.scene = shown, .overlays = shown->overlays};
    scene_default_values(shown, options.values);
    open_canvas(&canvas);
    assert_true(demo_open(&demo, &options, &canvas, width, height));
    demo_draw(&demo);
    int covered = count_covered(&demo);
    if (covered)
        print_error("%s, %g x %g: words cover %d moving shapes\n", shown->name, (double)width,
                    (double)height, covered);
    demo_close(&demo);
    canvas_close(&canvas);
    return covered;
}

static void words_cover_no_body_in_the_first_picture(void **state) {
    (void)state;
    const float sizes[][2] = {{400, 300}, {1280, 720}, {1920, 1080}};
    int covered = 0;
    for (const scene *const *s = demo_scenes; *s; s++)
        for (int i = 0; i < 3; i++) covered += check_scene(*s, sizes[i][0], sizes[i][1]) > 0;
    assert_true(triangles > 1000);
    assert_int_equal(covered, 0);
}

static void panels_lie_beside_the_world(void **state) {
    (void)state;
    demo_controls controls;
    controls_open(&controls, 0, 4);
    demo_area wide = controls_free_area(&controls, 1280, 720);
    assert_true(wide.x > 100 && wide.w < 1000 && wide.h < 720);
    demo_area narrow = controls_free_area(&controls, 400, 300); // no panels, but the hint line
    assert_true(narrow.x == 0 && narrow.w == 400 && narrow.h == 300 - CAPTIONS_BAR);
    controls.panels = PANELS_SHOWN;
    demo_area phone = controls_free_area(&controls, 320, 568); // the panel is below
    assert_true(phone.x == 0 && phone.w == 320 && phone.h > 200 && phone.h < 284);
}

static void check_hero(float width, float height) {
    demo_options options = {.scene = scene_find("platformer")};
    demo_canvas canvas;
    demo_program demo;
    open_canvas(&canvas);
    assert_true(demo_open(&demo, &options, &canvas, width, height));
    demo_handle(&demo, &(demo_event){.kind = EVENT_KEY, .key = KEY_LEFT}); // to the wall
    for (int i = 0; i < 120; i++) {
        cn_bounds seen = view_bounds(&demo.picture.view);
        float hero = demo.stage.run.scene->view.x + demo.stage.run.follow;
        assert_true(hero > seen.lower.x + 0.3f && hero < seen.upper.x - 0.3f);
        assert_true(seen.lower.x > -1e-3f); // nothing is left of the level
        demo_step(&demo);
    }
    demo_close(&demo);
    canvas_close(&canvas);
}

static void the_hero_of_the_platformer_is_in_view(void **state) {
    (void)state;
    check_hero(1280, 720);
    check_hero(375, 620);
    check_hero(320, 500);
}

// Returns the width of a text that canvas_code() draws.
static float code_width(const char *text) {
    demo_canvas canvas;
    open_canvas(&canvas);
    float width = canvas_code(&canvas, 0, 0, 0xFFFFFFFF, text);
    canvas_close(&canvas);
    return width;
}

static void code_has_columns_and_units_are_single_signs(void **state) {
    (void)state;
    assert_true(code_width("iiii") == code_width("mW_#") && code_width("iiii") > 0);
    assert_true(font_text_width("iiii") < font_text_width("mW_#"));
    assert_int_equal(font_text_width("m/s" FONT_TEXT_SQUARED),
                     font_text_width("m/s") + font_find(FONT_SQUARED)->advance);
    for (int i = 0; i < FONT_GLYPHS; i++) assert_int_equal(font_index(font_code(i)), i);
    assert_int_equal(font_index(200), font_index('?'));
}

static bool fits(const scene_parameter *p) {
    char low[32], high[32];
    parameter_write(low, sizeof low, p, p->low);
    parameter_write(high, sizeof high, p, p->high);
    bool fits = font_text_width(p->name) + PANEL_KNOB <= PANEL_NAME &&
                font_text_width(low) <= PANEL_VALUE &&
                font_text_width(high) + PANEL_KNOB <= PANEL_VALUE;
    if (!fits) print_error("%s: %s .. %s\n", p->name, low, high);
    return fits;
}

static void parameters_fit_beside_their_sliders(void **state) {
    (void)state;
    int wide = 0;
    for (const scene *const *s = demo_scenes; *s; s++)
        for (const scene_parameter *p = (*s)->parameters; p && p->name; p++) wide += !fits(p);
    assert_int_equal(wide, 0);
}

static void scenes_that_take_keys_list_them(void **state) {
    (void)state;
    for (const scene *const *s = demo_scenes; *s; s++)
        if ((*s)->takes_keys && !hooks_of(*s)->keys) fail_msg("%s lists no keys", (*s)->name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_cover_no_body_in_the_first_picture),
        cmocka_unit_test(panels_lie_beside_the_world),
        cmocka_unit_test(the_hero_of_the_platformer_is_in_view),
        cmocka_unit_test(code_has_columns_and_units_are_single_signs),
        cmocka_unit_test(parameters_fit_beside_their_sliders),
        cmocka_unit_test(scenes_that_take_keys_list_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
