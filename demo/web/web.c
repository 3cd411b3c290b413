/* The demo in a web page. Like app.c, it runs the program of demo.h.
 *
 * The page (page.ts) calls the exported functions and draws the batches that they pass to it. It
 * also is the file system (files.ts): fopen() in the demo reads files that were dropped on the
 * page, and a file that was written is downloaded when fclose() closes it. Points are in pixels of
 * the user interface.
 *
 * Strings pass through one buffer, text(): the page writes one there before it calls a function
 * that takes a string. */
#include "../ui/demo.h"
#include "../ui/font.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name)))
#define IMPORT(name) __attribute__((import_module("page"), import_name(#name)))

IMPORT(clear) void page_clear(uint32_t color);
IMPORT(draw)
void page_draw(const canvas_vertex *vertices, int vertex_count, const int *indices, int index_count,
               bool has_texture);
IMPORT(clip) void page_clip(int x, int y, int width, int height); // width < 0: everywhere

enum { MAX_TEXT = 256 };

static char text_buffer[MAX_TEXT];
static demo_options options = {.overlays = OVERLAY_SLEEP, .in_page = true};
static float chosen_values[SCENE_MAX_PARAMETERS];
static uint32_t chosen_overlays; // OVERLAY_DEFAULT: those of the scene
static demo_canvas canvas;
static demo_program demo;

// ---- drawing

static void clear(void *context, uint32_t color) {
    (void)context;
    page_clear(color);
}

static void draw(void *context, const canvas_batch *batch, bool has_texture) {
    (void)context;
    page_draw(batch->vertices, batch->vertex_count, batch->indices, batch->index_count,
              has_texture);
}

static void clip(void *context, const demo_area *area) {
    (void)context;
    if (area)
        page_clip((int)area->x, (int)area->y, (int)area->w, (int)area->h);
    else
        page_clip(0, 0, -1, -1);
}

// The texture of glyphs; and the code of each glyph, and the width of the glyph of a code. The page
// can draw a finer texture with them.
EXPORT(font) const uint8_t *web_font(void) {
    static uint8_t alphas[CANVAS_FONT_WIDTH * CANVAS_FONT_HEIGHT];
    canvas_write_font(alphas);
    return alphas;
}

EXPORT(glyphs) int web_glyphs(void) { return FONT_GLYPHS; }
EXPORT(code) int web_code(int index) { return font_code(index); }
EXPORT(advance) int web_advance(int code) { return font_find(code)->advance; }

// ---- scenes

EXPORT(text) char *web_text(void) { return text_buffer; }

// Chooses the scene of this name for start(), with its defaults. Returns false if there is none.
EXPORT(choose) bool web_choose(void) {
    const scene *found = scene_find(text_buffer);
    if (!found) return false;
    options.scene = found;
    chosen_overlays = OVERLAY_DEFAULT;
    scene_default_values(found, chosen_values);
    return true;
}

// Sets a parameter of the chosen scene. Returns false if it has none of this name.
EXPORT(set) bool web_set(float value) {
    const scene_parameter *all = options.scene->parameters;
    for (int i = 0; all && all[i].name; i++) {
        if (strcmp(all[i].name, text_buffer) != 0) continue;
        chosen_values[i] = fminf(fmaxf(value, all[i].low), all[i].high);
        return true;
    }
    return false;
}

static const overlay *find_overlay(const char *name) {
    for (int i = 0; i < OVERLAY_COUNT; i++)
        if (strcmp(overlays[i].name, name) == 0) return &overlays[i];
    return NULL;
}

// Draws the overlay of this name over the chosen scene. The first call hides all others, also if
// the name is empty. Returns false if there is none.
EXPORT(show) bool web_show(void) {
    const overlay *found = find_overlay(text_buffer);
    if (!found && text_buffer[0]) return false;
    chosen_overlays = (chosen_overlays & ~(uint32_t)OVERLAY_DEFAULT) | (found ? found->flag : 0);
    return true;
}

// Sets whether the demo begins with the light theme. Call it before the first start.
EXPORT(use_light) void web_use_light(bool light) { options.light = light; }

static uint32_t default_overlays(const scene *shown) { return OVERLAY_SLEEP | shown->overlays; }

// Starts the chosen scene. The first call also starts the demo.
EXPORT(start) bool web_start(float width, float height, float scale) {
    memcpy(options.values, chosen_values, sizeof options.values);
    if (demo.canvas) {
        demo_start(&demo, options.scene, chosen_values);
        if (chosen_overlays != OVERLAY_DEFAULT)
            controls_show_overlays(&demo.controls, chosen_overlays);
        return true;
    }
    options.overlays =
        chosen_overlays == OVERLAY_DEFAULT ? default_overlays(options.scene) : chosen_overlays;
    canvas_open(&canvas, (canvas_backend){NULL, clear, draw, clip});
    canvas.scale = scale;
    return demo_open(&demo, &options, &canvas, width, height);
}

// The page is used by fingers, without a keyboard. If the scene takes keys, the page has buttons
// for them, which need this width at both sides of the world, and this height below it.
EXPORT(touch) void web_touch(bool is_touched, float pad_width, float pad_height) {
    demo.controls.is_touched = is_touched;
    demo.pad = (vec2s){{pad_width, pad_height}};
}

EXPORT(title) const char *web_title(void) { return demo.stage.run.scene->title; }

static size_t append(size_t length, const char *text) {
    if (length >= MAX_TEXT) return length;
    return length + (size_t)snprintf(text_buffer + length, MAX_TEXT - length, "%s", text);
}

// Appends the overlays that are drawn, such as "&overlay=contacts,normals".
static void append_overlays(size_t length) {
    uint32_t shown = controls_overlays(&demo.controls);
    const char *before = "&overlay=";
    if (shown == default_overlays(demo.stage.run.scene)) return;
    if (!shown) append(length, before);
    for (int i = 0; i < OVERLAY_COUNT; i++) {
        if (!(shown & overlays[i].flag)) continue;
        length = append(append(length, before), overlays[i].name);
        before = ",";
    }
}

// Returns the scene, its parameters and overlays that differ from their defaults, such as
// "scene=stack&height=30&overlay=contacts". Empty for a recording, because no link can name it.
EXPORT(link) const char *web_link(void) {
    const scene *shown = demo.stage.run.scene;
    text_buffer[0] = 0;
    if (playback_is(shown)) return text_buffer;
    size_t length = (size_t)snprintf(text_buffer, MAX_TEXT, "scene=%s", shown->name);
    const scene_parameter *all = shown->parameters;
    for (int i = 0; all && all[i].name && length < MAX_TEXT; i++)
        if (demo.stage.values[i] != all[i].value)
            length += (size_t)snprintf(text_buffer + length, MAX_TEXT - length, "&%s=%g",
                                       all[i].name, (double)demo.stage.values[i]);
    append_overlays(length);
    return text_buffer;
}

// ---- a frame

// Takes the steps that are due and draws. Returns false if the picture stays the same until the
// next event.
EXPORT(frame) bool web_frame(float seconds, float width, float height, float scale) {
    canvas.scale = scale;
    demo_resize(&demo, width, height);
    demo_advance(&demo, seconds);
    demo_draw(&demo);
    return !demo_is_idle(&demo);
}

// The sound: whether there is none, and the next pairs of samples, left and right, at MIXER_RATE.
// The samples are valid until the next call.
EXPORT(hush) void web_hush(void) { mixer_open(&demo.show.mixer); } // forgets what was not heard
EXPORT(is_silent) bool web_is_silent(void) { return mixer_is_silent(&demo.show.mixer); }
EXPORT(mix) const float *web_mix(int pairs) {
    enum { MOST = 1024 };
    static float samples[2 * MOST];
    mixer_mix(&demo.show.mixer, samples, pairs < MOST ? pairs : MOST);
    return samples;
}

EXPORT(cursor) demo_cursor web_cursor(void) { return demo_find_cursor(&demo); }

// ---- events

EXPORT(pointer)
void web_pointer(demo_event_kind kind, float x, float y, int button, int clicks, bool shift) {
    demo_handle(
        &demo,
        &(demo_event){
            .kind = kind, .point = {{x, y}}, .button = button, .clicks = clicks, .shift = shift});
}

EXPORT(wheel) void web_wheel(float x, float y, float notches, bool shift) {
    demo_event event = {.kind = EVENT_WHEEL, .point = {{x, y}}, .notches = notches, .shift = shift};
    demo_handle(&demo, &event);
}

EXPORT(key) void web_key(demo_event_kind kind, int key, bool shift, bool ctrl, bool repeats) {
    demo_event event = {.kind = kind, .key = key, .shift = shift, .ctrl = ctrl, .repeats = repeats};
    demo_handle(&demo, &event);
}

// Text was typed, or a file with this name was dropped.
EXPORT(enter) void web_enter(demo_event_kind kind) {
    demo_handle(&demo, &(demo_event){.kind = kind, .text = text_buffer});
}

// Two fingers: moves the view by pixels, and zooms it about a point.
EXPORT(pinch) void web_pinch(float x, float y, float dx, float dy, float factor) {
    view_pan(&demo.picture.view, dx, dy);
    view_zoom(&demo.picture.view, (vec2s){{x, y}}, factor);
    demo.moved = true;
}

// Ends the action of the first finger, because a second finger touches the screen.
EXPORT(cancel) void web_cancel(void) {
    tools_cancel(&demo.tools);
    demo.controls.mouse.down = false;
    web_pointer(EVENT_RELEASE, 0, 0, BUTTON_LEFT, 0, false);
    web_pointer(EVENT_LEAVE, 0, 0, 0, 0, false);
}

// ---- state for the controls of the page

EXPORT(is_world) bool web_is_world(float x, float y) {
    return !demo.gallery.open && !demo.source.open &&
           area_contains(demo.picture.view.area, (vec2s){{x, y}});
}
EXPORT(is_gallery) bool web_is_gallery(void) { return demo.gallery.open; }
// Returns how many places of the step the solver lab has visited; -1: it is closed.
EXPORT(lab) int web_lab(void) { return demo.controls.lab.is_open ? demo.controls.lab.at : -1; }
EXPORT(is_light) bool web_is_light(void) { return demo.picture.theme == &theme_light; }
EXPORT(is_paused) bool web_is_paused(void) { return demo.stage.paused; }
EXPORT(is_recording) bool web_is_recording(void) { return demo.stage.recording != NULL; }
EXPORT(takes_keys) bool web_takes_keys(void) { return demo.stage.run.scene->takes_keys; }
EXPORT(ui_width) float web_ui_width(void) { return demo.width; }
// The part of the window, in pixels of the user interface, that shows the world.
EXPORT(world_left) float web_world_left(void) { return demo.picture.view.area.x; }
EXPORT(world_bottom) float web_world_bottom(void) {
    return demo.picture.view.area.y + demo.picture.view.area.h;
}
EXPORT(world_right) float web_world_right(void) {
    return demo.picture.view.area.x + demo.picture.view.area.w;
}

// ---- for tests, and for pages around the demo

EXPORT(step) int web_step(void) { return demo.stage.run.step; }
EXPORT(hash) uint64_t web_hash(void) { return cn_world_hash(demo.stage.run.world); }

// Takes this many steps at once, also while the demo is paused.
EXPORT(run) bool web_run(int steps) {
    if (demo.controls.lab.is_open) solver_lab_close(&demo.controls.lab, &demo.stage);
    for (int i = 0; i < steps; i++)
        if (!stage_step(&demo.stage)) return false;
    return true;
}

// Opens the solver lab at a place of the next step, or at its end if it has fewer places.
EXPORT(open_lab) bool web_open_lab(int place) {
    return solver_lab_open_at(&demo.controls.lab, &demo.stage, place);
}

// Returns the x and y of the body in a slot, in the world and in pixels of the user interface; NULL
// if there is none.
EXPORT(body) const float *web_body(int slot) {
    static float place[4];
    const cn_world *world = demo.stage.run.world;
    for (cn_body b = {0}; (b = cn_world_next_body(world, b)).id;) {
        if ((int)(b.id & 0xFFFFFF) != slot) continue;
        vec2s p = cn_body_position(world, b), seen = view_to_screen(&demo.picture.view, p);
        memcpy(place, (float[]){p.x, p.y, seen.x, seen.y}, sizeof place);
        return place;
    }
    return NULL;
}
