/* Events, in this order: a list of keys or a question that is open gets the next key or click.
 * Presses and the wheel go to the panels if the mouse is over them. All other events go to the
 * scene's hook first. If the hook does not use an event, the demo does: grab, pan, zoom, keys. */
#include "demo.h"
#include "captions.h"
#include "font.h"
#include "../stage/hooks.h"
#include "../stage/sketch_paint.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

// s: more time than this is not made up for, such as the wait for a key while the demo is paused.
static const float longest_frame = 0.1f;

static bool report_error(const char *what, const char *why) {
    fprintf(stderr, "cairn-demo: %s: %s\n", what, why);
    return false;
}

// ---- scenes

static void fit_view(demo_program *d) {
    d->controls.pad = d->stage.run.scene->takes_keys ? d->pad : glms_vec2_zero();
    demo_area area = controls_free_area(&d->controls, (int)d->width, (int)d->height);
    if (d->moved)
        d->picture.view.area = area;
    else
        d->picture.view = picture_fit(&d->stage, area);
}

void demo_start(demo_program *d, const scene *chosen, const float *values) {
    tools_cancel(&d->tools);
    solver_lab_drop(&d->controls.lab);
    if (chosen != d->stage.run.scene) {
        d->moved = false;
        d->controls.picked = (cn_body){0};
    }
    controls_change_scene(&d->controls, d->stage.run.scene, chosen);
    if (!stage_restart_with(&d->stage, chosen, values))
        report_error("cannot make the scene", d->stage.error);
    d->controls.profile = (cn_profile){.count = 0};
}

static void start_scene(demo_program *d, const scene *chosen) { demo_start(d, chosen, NULL); }

bool demo_open(demo_program *d, const demo_options *options, demo_canvas *canvas, float width,
               float height) {
    *d = (demo_program){.options = options, .canvas = canvas, .width = width, .height = height};
    cn_world_def def = options->world;
    def.profiling = true;
    if (!stage_open(&d->stage, options->scene, options->values, &def))
        return report_error("cannot make the scene", d->stage.error);
    show_open(&d->show);
    d->show.is_heard = !options->mute;
    d->stage.show = &d->show;
    controls_open(&d->controls, options->overlays, cn_world_substeps(d->stage.run.world));
    if (options->in_page) d->controls.max_threads = 1;
    d->picture = (demo_picture){.canvas = canvas,
                                .theme = options->light ? &theme_light : &theme_dark,
                                .mouse = {{-1000, -1000}}};
    d->tools.stage = &d->stage;
    tools_choose(&d->tools, &tool_grab);
    fit_view(d);
    return !options->calls || stage_record(&d->stage, options->calls);
}

void demo_close(demo_program *d) {
    solver_lab_drop(&d->controls.lab);
    gallery_free(&d->gallery);
    show_close(&d->show);
    stage_close(&d->stage);
}

void demo_resize(demo_program *d, float width, float height) {
    d->width = width, d->height = height;
    fit_view(d);
}

// ---- the mouse

static bool is_over_world(const demo_program *d) {
    return !d->controls.mouse.held &&
           area_contains(d->picture.view.area, d->controls.mouse.position);
}

static vec2s mouse_point(const demo_program *d) {
    return view_to_world(&d->picture.view, d->picture.mouse);
}

static void follow_mouse(demo_program *d) {
    d->tools.pixel = 1 / d->picture.view.scale;
    d->tools.seen = view_bounds(&d->picture.view);
    tools_move(&d->tools, mouse_point(d));
}

static void move_mouse(demo_program *d, vec2s point) {
    vec2s by = glms_vec2_sub(point, d->picture.mouse);
    d->controls.mouse.position = d->picture.mouse = point;
    if (d->panning) {
        view_pan(&d->picture.view, by.x, by.y);
        d->moved = true;
    }
    follow_mouse(d);
}

// The body that was pressed gets the card. Joints that a tool makes are shown.
static void use_tool(demo_program *d) {
    tools_press(&d->tools);
    d->controls.picked = d->tools.body;
    if (d->tools.chosen == &tool_tie || d->tools.chosen == &tool_pin)
        controls_show(&d->controls, CN_DRAW_JOINTS);
}

static void press_mouse(demo_program *d, const demo_event *event) {
    bool left = event->button == BUTTON_LEFT;
    if (!is_over_world(d)) {
        d->controls.mouse.pressed = d->controls.mouse.pressed || left;
        d->controls.mouse.down = d->controls.mouse.down || left;
        return;
    }
    d->panning = d->panning || !left;
    if (left && !d->source.open) use_tool(d);
}

static void release_mouse(demo_program *d, const demo_event *event) {
    if (event->button == BUTTON_LEFT) {
        tools_release(&d->tools);
        d->controls.mouse.down = false;
    } else {
        d->panning = false;
    }
}

static void turn_wheel(demo_program *d, const demo_event *event) {
    if (!is_over_world(d)) {
        d->controls.mouse.wheel += event->notches;
        return;
    }
    if (d->source.open) {
        source_view_scroll(&d->source, (int)(-3 * event->notches));
        return;
    }
    if (event->shift && tools_resize(&d->tools, event->notches)) return;
    if (!event->shift && !event->ctrl && tools_strengthen(&d->tools, event->notches)) return;
    view_zoom(&d->picture.view, d->picture.mouse, powf(1.15f, event->notches));
    d->moved = true;
}

// ---- the scene's hook, and the gallery

static bool is_for_hook(const demo_program *d, const demo_event *event) {
    bool starts = event->kind == EVENT_PRESS || event->kind == EVENT_WHEEL;
    return d->stage.run.world && (!starts || is_over_world(d));
}

// Returns true if the hook uses the event.
static bool use_hook(demo_program *d, const demo_event *event) {
    const scene_hooks *hooks = hooks_of(d->stage.run.scene);
    return hooks->event && is_for_hook(d, event) && hooks->event(&d->picture, &d->stage, event);
}

// Ends all that goes on while a key or a button is held: the gallery gets what follows.
static void let_go(demo_program *d) {
    use_hook(d, &(demo_event){.kind = EVENT_RELEASE, .button = BUTTON_LEFT});
    tools_cancel(&d->tools);
    d->panning = d->rewinding = d->controls.mouse.down = false;
    d->held_keys = 0;
}

static void open_lab(demo_program *d) {
    let_go(d);
    solver_lab_open(&d->controls.lab, &d->stage);
}

static void open_gallery(demo_program *d) {
    let_go(d);
    gallery_open(&d->gallery);
}

// ---- the keyboard

static const scene *scene_at(int index) {
    int count = 0;
    for (const scene_group *g = scene_groups; g->name; g++)
        for (const scene *const *s = g->scenes; *s; s++, count++)
            if (count == index) return *s;
    return NULL;
}

// Starts the scene that is `by` places further down the list, if there is one.
static void change_scene(demo_program *d, int by) {
    int index = 0;
    while (scene_at(index) && scene_at(index) != d->stage.run.scene) index++;
    const scene *chosen = scene_at(index + by);
    if (chosen) start_scene(d, chosen);
}

static void change_substeps(demo_program *d, int by) {
    int substeps = (int)lroundf(d->controls.substeps) + by;
    if (substeps < 1 || substeps > 64 || d->stage.replay) return;
    d->controls.substeps = (float)substeps;
    d->stage.options.substeps = substeps;
    cn_world_set_substeps(d->stage.run.world, substeps);
}

static bool file_exists(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file) fclose(file);
    return file;
}

// Starts to record the calls of the scene to a new file, or ends the recording.
static void toggle_recording(demo_program *d) {
    if (d->stage.recording) {
        stage_end_recording(&d->stage);
        return;
    }
    const char *name = d->stage.run.scene->name;
    char path[STAGE_MAX_PATH];
    snprintf(path, sizeof path, "%s.cairn", name);
    for (int i = 2; i < 1000 && file_exists(path); i++)
        snprintf(path, sizeof path, "%s-%d.cairn", name, i);
    stage_record(&d->stage, path);
}

static void single_step(demo_program *d) {
    d->stage.paused = true;
    stage_step(&d->stage);
}

static bool toggle_overlay(demo_program *d, int key) {
    for (int i = 0; i < OVERLAY_COUNT; i++) {
        if (key != tolower(overlays[i].key[0])) continue;
        d->controls.overlays[i] = !d->controls.overlays[i];
        return true;
    }
    return false;
}

static uint32_t scene_key(int key) {
    switch (key) {
    case KEY_LEFT:
    case 'a': return SCENE_KEY_LEFT;
    case KEY_RIGHT:
    case 'd': return SCENE_KEY_RIGHT;
    case KEY_UP:
    case 'w':
    case ' ': return SCENE_KEY_UP;
    case KEY_DOWN:
    case 's': return SCENE_KEY_DOWN;
    default: return 0;
    }
}

static void press_key(demo_program *d, const demo_event *event) {
    int key = event->key;
    if (key == 's' || key == '.') single_step(d); // repeats while the key is down
    if (event->repeats || toggle_overlay(d, key) || tools_choose_by_key(&d->tools, key)) return;
    switch (key) {
    case 'p':
    case ' ': d->stage.paused = d->stage.failed || !d->stage.paused; break;
    case KEY_F1 + 8: toggle_recording(d); break;
    case 'r': start_scene(d, d->stage.run.scene); break;
    case KEY_BACKSPACE: d->rewinding = true; break;
    case KEY_F1 + 1: open_gallery(d); break;
    case KEY_PAGE_UP:
    case KEY_UP: change_scene(d, -1); break;
    case KEY_PAGE_DOWN:
    case KEY_DOWN: change_scene(d, 1); break;
    case KEY_HOME: d->moved = false; break;
    case KEY_TAB: controls_toggle_panels(&d->controls, (int)d->width, (int)d->height); break;
    case KEY_F1:
        d->shows_keys = true;
        d->keys_scroll = 0;
        break;
    case KEY_F1 + 7: d->show.is_heard = !d->show.is_heard; break;
    case KEY_F1 + 6: d->show.is_seen = !d->show.is_seen; break;
    case '9':
        follow_mouse(d);
        tools_throw_ball(&d->tools);
        break;
    case KEY_F1 + 2: source_view_toggle(&d->source); break;
    case KEY_F1 + 3: open_lab(d); break;
    case 'l': d->stage.speed = d->stage.speed < 1 ? 1 : 0.2f; break;
    case '-':
    case '[': change_substeps(d, -1); break;
    case '+':
    case '=':
    case ']': change_substeps(d, 1); break;
    case 'd':
        d->picture.theme = d->picture.theme == &theme_dark ? &theme_light : &theme_dark;
        break;
    case KEY_ESCAPE:
        d->asks = !d->source.open && !d->options->in_page;
        d->source.open = false;
        break;
    default: break;
    }
}

// Moves the list of keys, if it is open. Returns false if the event does not do this.
static bool scroll_keys(demo_program *d, const demo_event *event) {
    if (!d->shows_keys) return false;
    float lines = 0;
    if (event->kind == EVENT_WHEEL) lines = -3 * event->notches;
    if (event->kind == EVENT_KEY && event->key == KEY_DOWN) lines = 3;
    if (event->kind == EVENT_KEY && event->key == KEY_UP) lines = -3;
    d->keys_scroll += lines * FONT_LINE;
    return lines != 0;
}

// A list or a question is open: the next key or click closes it. Returns false if none is open.
static bool answer(demo_program *d, const demo_event *event) {
    bool is_key = event->kind == EVENT_KEY;
    if (!(d->asks || d->shows_keys) || !(is_key || event->kind == EVENT_PRESS)) return false;
    if (event->repeats) return true;
    d->quit = d->asks && is_key &&
              (event->key == KEY_ESCAPE || event->key == KEY_ENTER || event->key == 'y');
    d->asks = d->shows_keys = false;
    return true;
}

// Returns true if the key belongs to the scene.
static bool hold_key(demo_program *d, const demo_event *event) {
    uint32_t key = scene_key(event->key);
    d->held_keys = event->kind == EVENT_KEY ? d->held_keys | key : d->held_keys & ~key;
    return key && d->stage.run.scene->takes_keys;
}

// A recording that was dropped on the window.
static bool open_file(demo_program *d, const char *path) {
    const scene *recording = playback_load(path);
    if (recording)
        start_scene(d, recording);
    else
        stage_tell(&d->stage, "%s is not a recording that can be played.", path);
    return recording;
}

// ---- events

// While the gallery is open, it gets all events.
static void handle_in_gallery(demo_program *d, const demo_event *event) {
    panel_mouse *mouse = &d->controls.mouse;
    if (gallery_handle(&d->gallery, event)) return;
    if (event->kind == EVENT_MOVE || event->kind == EVENT_PRESS) mouse->position = event->point;
    if (event->kind == EVENT_PRESS) mouse->pressed = mouse->pressed || event->button == BUTTON_LEFT;
    if (event->kind == EVENT_WHEEL) mouse->wheel += event->notches;
    if (event->kind == EVENT_QUIT) d->quit = true;
    if (event->kind == EVENT_DROP && open_file(d, event->text)) gallery_close(&d->gallery);
    if (event->kind != EVENT_KEY) return;
    const scene *first = event->key == KEY_ENTER ? gallery_first(&d->gallery) : NULL;
    if (first) start_scene(d, first);
    if (first || event->key == KEY_ESCAPE || event->key == KEY_F1 + 1) gallery_close(&d->gallery);
}

// Returns true if the solver lab uses the event. An open source view gets the keys first.
static bool use_lab(demo_program *d, const demo_event *event) {
    bool closes_source = d->source.open && event->kind == EVENT_KEY && event->key == KEY_ESCAPE;
    return !closes_source && solver_lab_event(&d->controls.lab, &d->stage, event, is_over_world(d));
}

void demo_handle(demo_program *d, const demo_event *event) {
    if (event->kind == EVENT_PRESS || (event->kind == EVENT_KEY && !event->repeats))
        d->stage.notice[0] = 0;
    if (d->gallery.open) {
        handle_in_gallery(d, event);
        return;
    }
    if (event->kind == EVENT_MOVE || event->kind == EVENT_PRESS) move_mouse(d, event->point);
    if (scroll_keys(d, event) || answer(d, event) || use_lab(d, event) || use_hook(d, event))
        return;
    switch (event->kind) {
    case EVENT_PRESS: press_mouse(d, event); break;
    case EVENT_RELEASE: release_mouse(d, event); break;
    case EVENT_WHEEL: turn_wheel(d, event); break;
    case EVENT_KEY:
        if (!hold_key(d, event)) press_key(d, event);
        break;
    case EVENT_KEY_UP:
        hold_key(d, event);
        if (event->key == KEY_BACKSPACE) d->rewinding = false;
        break;
    case EVENT_QUIT: d->quit = true; break;
    case EVENT_LEAVE:
        if (!d->tools.down && !d->panning && !d->controls.mouse.held)
            move_mouse(d, (vec2s){{-1000, -1000}});
        break;
    case EVENT_MOVE:
    case EVENT_TEXT: break;
    case EVENT_DROP: open_file(d, event->text); break;
    }
}

// ---- time

// What the user does, for the scene and the mouse spring.
static void update_input(demo_program *d) {
    fit_view(d);
    follow_mouse(d);
    d->show.ear = d->picture.view.center;
    d->show.width = d->picture.view.area.w / d->picture.view.scale;
    d->stage.run.input.has_mouse = is_over_world(d);
    d->stage.run.input.mouse = mouse_point(d);
    d->stage.run.input.keys = d->stage.run.scene->takes_keys ? d->held_keys : 0;
}

// Rewinds as fast as time passes, but by at least one kept state.
static void rewind_time(demo_program *d, float seconds) {
    int first, last, by = (int)ceilf(seconds / STAGE_STEP);
    int least = d->stage.replay ? 1 : d->stage.history.interval;
    stage_range(&d->stage, &first, &last);
    int step = d->stage.run.step - (by > least ? by : least);
    stage_go_to(&d->stage, step > first ? step : first);
}

void demo_advance(demo_program *d, float seconds) {
    if (d->gallery.open) return;
    update_input(d);
    seconds = fminf(seconds, longest_frame);
    solver_lab_advance(&d->controls.lab, &d->stage, seconds);
    if (d->rewinding)
        rewind_time(d, seconds);
    else
        stage_advance(&d->stage, seconds);
}

void demo_step(demo_program *d) {
    if (d->gallery.open) return;
    update_input(d);
    solver_lab_advance(&d->controls.lab, &d->stage, STAGE_STEP);
    if (d->rewinding)
        rewind_time(d, STAGE_STEP);
    else if (!d->stage.paused)
        stage_step(&d->stage);
}

// ---- the picture

static void apply_request(demo_program *d, controls_request request) {
    if (request.chosen)
        start_scene(d, request.chosen);
    else if (request.restart)
        start_scene(d, d->stage.run.scene);
    else if (request.step)
        single_step(d);
    else if (request.gallery)
        open_gallery(d);
    else if (request.lab)
        open_lab(d);
}

static void outline_body(const demo_program *d, sketch *s, cn_body body, sketch_ink ink) {
    const cn_world *world = d->stage.run.world;
    if (!cn_body_valid(world, body)) return;
    for (cn_shape shape = {0}; (shape = cn_body_next_shape(world, body, shape)).id;) {
        cn_hull hull = cn_shape_hull(world, shape);
        sketch_hull(s, &hull, cn_body_pose(world, body), (sketch_pen){ink, 0, 2});
    }
}

static void draw_tool(const demo_program *d) {
    sketch drawn = {0};
    if (!d->tools.down && d->tools.chosen->size == 0)
        outline_body(d, &drawn, tool_body_at(&d->tools, d->tools.point, false), INK_DIM);
    tools_draw(&d->tools, &drawn);
    sketch_paint(&d->picture, &drawn);
    sketch_free(&drawn);
}

demo_cursor demo_find_cursor(const demo_program *d) {
    if (d->gallery.open || !d->stage.run.world || !is_over_world(d)) return CURSOR_ARROW;
    bool is_on_body = d->tools.down || tool_body_at(&d->tools, d->tools.point, false).id;
    if (d->tools.chosen == &tool_grab) return is_on_body ? CURSOR_HAND : CURSOR_ARROW;
    return CURSOR_CROSS;
}

static void draw_gallery(demo_program *d) {
    gallery_work(&d->gallery, d->picture.theme);
    const scene *chosen = gallery_draw(&d->gallery, d->canvas, d->picture.theme, &d->controls.mouse,
                                       d->width, d->height);
    canvas_flush(d->canvas);
    if (!chosen) return;
    gallery_close(&d->gallery);
    start_scene(d, chosen);
}

bool demo_is_idle(const demo_program *d) {
    if (d->gallery.open) return d->gallery.is_complete;
    return d->stage.paused && !d->rewinding && !(d->controls.lab.is_open && d->controls.lab.plays);
}

void demo_draw(demo_program *d) {
    if (d->gallery.open) {
        draw_gallery(d);
        return;
    }
    d->picture.overlays = controls_overlays(&d->controls);
    canvas_clear(d->canvas, d->picture.theme->background);
    picture_draw(&d->picture, &d->stage);
    solver_lab_draw(&d->controls.lab, &d->picture, &d->stage);
    if (is_over_world(d) && d->stage.run.world && !d->controls.lab.is_open) draw_tool(d);
    apply_request(d, controls_draw(&d->controls, &d->picture, &d->stage, &d->tools, (int)d->width,
                                   (int)d->height));
    source_view_draw(&d->source, &d->picture, d->stage.run.scene, d->picture.view.area);
    if (d->shows_keys)
        captions_draw_keys(&d->picture, d->stage.run.scene, !d->options->in_page, d->width,
                           d->height, &d->keys_scroll);
    if (d->asks)
        captions_draw_question(&d->picture, "Quit?  Esc: yes   any other key: no", d->width,
                               d->height);
    canvas_flush(d->canvas);
}
