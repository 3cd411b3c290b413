/* The window. Each frame handles events, takes steps and draws a picture.
 *
 * Mouse presses and the wheel go to the panels if the mouse is over them. All other events go to
 * the scene's hook first. If the hook does not use an event, the demo does: grab, pan, zoom, keys.
 * While a film is recorded, each frame takes one step whatever time passes, so the film has the
 * true speed. */
#include "app.h"
#include "controls.h"
#include "hooks.h"
#include "picture.h"
#include "record.h"
#include "stage.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const demo_options *options;
    SDL_Window *window;
    SDL_Renderer *renderer;
    demo_canvas canvas;
    demo_stage stage;
    demo_controls controls;
    demo_picture picture;
    demo_record film;
    bool vsync, quit, panning;
    bool moved; // the user moved the view, so it is no longer fitted to the window
    int width, height;
} app;

static bool report_error(const char *what, const char *why) {
    fprintf(stderr, "cairn-demo: %s: %s\n", what, why);
    return false;
}

// ---- opening and closing

// Without a display SDL may fall back to a driver that shows nothing. That counts as no display,
// unless the user chose the driver.
static bool has_display(void) {
    const char *driver = SDL_GetCurrentVideoDriver();
    if (getenv("SDL_VIDEODRIVER") || !driver) return driver != NULL;
    return strcmp(driver, "offscreen") != 0 && strcmp(driver, "dummy") != 0 &&
           strcmp(driver, "evdev") != 0;
}

static bool open_window(app *a) {
    static const char hint[] =
        "no display; use --headless, with --screenshot FILE.png for a picture";
    SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "0");
    if (SDL_Init(SDL_INIT_VIDEO) != 0 || !has_display())
        return report_error("cannot open a window", hint);
    a->window = SDL_CreateWindow("Cairn", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                 a->options->width, a->options->height, SDL_WINDOW_RESIZABLE);
    if (!a->window) return report_error("cannot open a window", SDL_GetError());
    a->renderer = SDL_CreateRenderer(a->window, -1, SDL_RENDERER_PRESENTVSYNC);
    if (!a->renderer) a->renderer = SDL_CreateRenderer(a->window, -1, SDL_RENDERER_SOFTWARE);
    if (!a->renderer || !canvas_open(&a->canvas, a->renderer))
        return report_error("cannot draw", SDL_GetError());
    SDL_RendererInfo info;
    a->vsync = SDL_GetRendererInfo(a->renderer, &info) == 0 &&
               (info.flags & SDL_RENDERER_PRESENTVSYNC) != 0;
    SDL_GetRendererOutputSize(a->renderer, &a->width, &a->height);
    return true;
}

static void close_window(app *a) {
    canvas_close(&a->canvas);
    if (a->renderer) SDL_DestroyRenderer(a->renderer);
    if (a->window) SDL_DestroyWindow(a->window);
    SDL_Quit();
}

static void fit_view(app *a) {
    SDL_FRect area = controls_free_area(&a->controls, a->stage.run.scene, a->width, a->height);
    if (a->moved)
        a->picture.view.area = area;
    else
        a->picture.view = view_of_scene(a->stage.run.scene, area);
}

static void start_scene(app *a, const scene *chosen) {
    a->moved = a->moved && chosen == a->stage.run.scene;
    controls_change_scene(&a->controls, a->stage.run.scene, chosen);
    if (!stage_restart(&a->stage, chosen)) report_error("cannot make the scene", a->stage.error);
    a->controls.profile = (cn_profile){.count = 0};
}

// ---- the mouse

static bool is_over_world(const app *a) {
    const SDL_FRect *area = &a->picture.view.area;
    vec2s p = a->controls.mouse.position;
    return !a->controls.mouse.held && p.x >= area->x && p.x < area->x + area->w && p.y >= area->y &&
           p.y < area->y + area->h;
}

static vec2s mouse_point(const app *a) { return view_to_world(&a->picture.view, a->picture.mouse); }

static void move_mouse(app *a, int x, int y) {
    a->controls.mouse.position = a->picture.mouse = (vec2s){{(float)x, (float)y}};
}

static void press_mouse(app *a, const SDL_MouseButtonEvent *event) {
    bool left = event->button == SDL_BUTTON_LEFT;
    if (!is_over_world(a)) {
        a->controls.mouse.pressed = a->controls.mouse.pressed || left;
        a->controls.mouse.down = a->controls.mouse.down || left;
        return;
    }
    a->panning = a->panning || !left;
    float reach = 4 / a->picture.view.scale;
    if (left && a->stage.run.world && !a->stage.replay &&
        !grab_start(&a->stage.grab, a->stage.run.world, mouse_point(a), reach))
        a->stage.run.input.clicked = true;
}

static void release_mouse(app *a, const SDL_MouseButtonEvent *event) {
    if (event->button == SDL_BUTTON_LEFT) {
        grab_end(&a->stage.grab);
        a->controls.mouse.down = false;
    } else {
        a->panning = false;
    }
}

static void turn_wheel(app *a, float notches) {
    if (!is_over_world(a)) {
        a->controls.mouse.wheel += notches;
        return;
    }
    view_zoom(&a->picture.view, a->picture.mouse, powf(1.15f, notches));
    a->moved = true;
}

static void drag_view(app *a, const SDL_MouseMotionEvent *event) {
    if (!a->panning) return;
    view_pan(&a->picture.view, (float)event->xrel, (float)event->yrel);
    a->moved = true;
}

// ---- the keyboard

static const scene *scene_at(int index) {
    int count = 0;
    for (const scene *const *s = demo_scenes; *s; s++, count++)
        if (count == index) return *s;
    for (const scene *const *s = bench_scenes; *s; s++, count++)
        if (count == index) return *s;
    return NULL;
}

// Starts the scene that is `by` places further down the list, if there is one.
static void change_scene(app *a, int by) {
    int index = 0;
    while (scene_at(index) && scene_at(index) != a->stage.run.scene) index++;
    const scene *chosen = scene_at(index + by);
    if (chosen) start_scene(a, chosen);
}

static void change_substeps(app *a, int by) {
    int substeps = (int)lroundf(a->controls.substeps) + by;
    if (substeps < 1 || substeps > 64 || a->stage.replay) return;
    a->controls.substeps = (float)substeps;
    a->stage.options.substeps = substeps;
    cn_world_set_substeps(a->stage.run.world, substeps);
}

// Begins to record the calls of the scene, or ends this.
static void toggle_recording(app *a) {
    char path[100];
    snprintf(path, sizeof path, "%s.cairn", a->stage.run.scene->name);
    if (a->stage.recording)
        stage_end_recording(&a->stage);
    else
        stage_record(&a->stage, path);
}

static void single_step(app *a) {
    a->stage.paused = true;
    stage_step(&a->stage);
}

static bool toggle_overlay(app *a, SDL_Keycode key) {
    for (int i = 0; i < OVERLAY_COUNT; i++) {
        if (key != tolower(overlays[i].key[0])) continue;
        a->controls.overlays[i] = !a->controls.overlays[i];
        return true;
    }
    return false;
}

typedef struct {
    SDL_Scancode code;
    uint32_t key; // SCENE_KEY_...
} scene_key;

static const scene_key scene_keys[] = {
    {SDL_SCANCODE_LEFT, SCENE_KEY_LEFT}, {SDL_SCANCODE_RIGHT, SCENE_KEY_RIGHT},
    {SDL_SCANCODE_UP, SCENE_KEY_UP},     {SDL_SCANCODE_DOWN, SCENE_KEY_DOWN},
    {SDL_SCANCODE_A, SCENE_KEY_LEFT},    {SDL_SCANCODE_D, SCENE_KEY_RIGHT},
    {SDL_SCANCODE_W, SCENE_KEY_UP},      {SDL_SCANCODE_S, SCENE_KEY_DOWN},
    {SDL_SCANCODE_SPACE, SCENE_KEY_UP},
};
enum { SCENE_KEYS = sizeof scene_keys / sizeof *scene_keys };

// Returns the keys of the scene that are down.
static uint32_t held_keys(const app *a) {
    const Uint8 *down = SDL_GetKeyboardState(NULL);
    uint32_t keys = 0;
    for (int i = 0; i < SCENE_KEYS && a->stage.run.scene->takes_keys; i++)
        if (down[scene_keys[i].code]) keys |= scene_keys[i].key;
    return keys;
}

static bool is_scene_key(const app *a, SDL_Scancode code) {
    for (int i = 0; i < SCENE_KEYS && a->stage.run.scene->takes_keys; i++)
        if (scene_keys[i].code == code) return true;
    return false;
}

static void press_key(app *a, const SDL_KeyboardEvent *event) {
    SDL_Keycode key = event->keysym.sym;
    if (is_scene_key(a, event->keysym.scancode)) return;
    if (key == SDLK_s || key == SDLK_PERIOD) single_step(a); // repeats while the key is down
    if (event->repeat || toggle_overlay(a, key)) return;
    switch (key) {
    case SDLK_p:
    case SDLK_SPACE: a->stage.paused = a->stage.failed || !a->stage.paused; break;
    case SDLK_F9: toggle_recording(a); break;
    case SDLK_r: start_scene(a, a->stage.run.scene); break;
    case SDLK_PAGEUP:
    case SDLK_UP: change_scene(a, -1); break;
    case SDLK_PAGEDOWN:
    case SDLK_DOWN: change_scene(a, 1); break;
    case SDLK_HOME: a->moved = false; break;
    case SDLK_TAB: a->controls.hidden = !a->controls.hidden; break;
    case SDLK_l: a->stage.speed = a->stage.speed < 1 ? 1 : 0.2f; break;
    case SDLK_MINUS:
    case SDLK_LEFTBRACKET: change_substeps(a, -1); break;
    case SDLK_PLUS:
    case SDLK_EQUALS:
    case SDLK_RIGHTBRACKET: change_substeps(a, 1); break;
    case SDLK_d:
        a->picture.theme = a->picture.theme == &theme_dark ? &theme_light : &theme_dark;
        break;
    case SDLK_ESCAPE: a->quit = true; break;
    default: break;
    }
}

// ---- a frame

static bool is_for_hook(const app *a, const SDL_Event *event) {
    bool starts = event->type == SDL_MOUSEBUTTONDOWN || event->type == SDL_MOUSEWHEEL;
    return a->stage.run.world && (!starts || is_over_world(a));
}

static void handle_event(app *a, const SDL_Event *event) {
    if (event->type == SDL_MOUSEMOTION) move_mouse(a, event->motion.x, event->motion.y);
    if (event->type == SDL_MOUSEBUTTONDOWN) move_mouse(a, event->button.x, event->button.y);
    const scene_hooks *hooks = hooks_of(a->stage.run.scene);
    if (hooks->event && is_for_hook(a, event) && hooks->event(&a->picture, &a->stage, event))
        return;
    switch (event->type) {
    case SDL_QUIT: a->quit = true; break;
    case SDL_MOUSEBUTTONDOWN: press_mouse(a, &event->button); break;
    case SDL_MOUSEBUTTONUP: release_mouse(a, &event->button); break;
    case SDL_MOUSEMOTION: drag_view(a, &event->motion); break;
    case SDL_MOUSEWHEEL: turn_wheel(a, event->wheel.preciseY); break;
    case SDL_KEYDOWN: press_key(a, &event->key); break;
    default: break;
    }
}

static void handle_events(app *a) {
    SDL_Event event;
    while (SDL_PollEvent(&event)) handle_event(a, &event);
    SDL_GetRendererOutputSize(a->renderer, &a->width, &a->height);
    fit_view(a);
    a->stage.grab.target = mouse_point(a);
    a->stage.run.input.has_mouse = is_over_world(a);
    a->stage.run.input.mouse = mouse_point(a);
    a->stage.run.input.keys = held_keys(a);
}

static void take_steps(app *a, float seconds) {
    if (!a->options->record)
        stage_advance(&a->stage, seconds);
    else if (!a->stage.paused)
        stage_step(&a->stage);
    if (a->options->steps >= 0 && a->stage.run.step >= a->options->steps) a->quit = true;
}

static void apply_request(app *a, controls_request request) {
    if (request.chosen)
        start_scene(a, request.chosen);
    else if (request.restart)
        start_scene(a, a->stage.run.scene);
    else if (request.step)
        single_step(a);
}

static void draw_frame(app *a) {
    a->picture.overlays = controls_overlays(&a->controls);
    canvas_clear(&a->canvas, a->picture.theme->background);
    picture_draw(&a->picture, &a->stage);
    apply_request(a, controls_draw(&a->controls, &a->picture, &a->stage, a->width, a->height));
    canvas_flush(&a->canvas);
}

// Returns the picture just drawn as RGBA, or NULL if that fails. The caller frees it.
static unsigned char *read_pixels(const app *a) {
    unsigned char *pixels = malloc((size_t)a->width * (size_t)a->height * 4);
    if (pixels &&
        SDL_RenderReadPixels(a->renderer, NULL, SDL_PIXELFORMAT_RGBA32, pixels, 4 * a->width) == 0)
        return pixels;
    free(pixels);
    report_error("cannot read the picture", SDL_GetError());
    return NULL;
}

static bool save_frame(app *a) {
    bool film = a->options->record && record_wants_frame(&a->film);
    bool still = a->options->screenshot && a->quit;
    if (!film && !still) return true;
    if (film && (a->width != a->film.width || a->height != a->film.height))
        return report_error("cannot record", "the size of the window changed");
    unsigned char *pixels = read_pixels(a);
    if (!pixels) return false;
    bool saved = (!film || record_frame(&a->film, pixels)) &&
                 (!still || record_png(a->options->screenshot, pixels, a->width, a->height));
    free(pixels);
    return saved;
}

// Sleeps for the rest of 1/60 s if the display does not synchronise frames.
static void wait_for_frame(const app *a, Uint64 start) {
    if (a->vsync && !(SDL_GetWindowFlags(a->window) & SDL_WINDOW_MINIMIZED)) return;
    Uint64 spent = (SDL_GetPerformanceCounter() - start) * 1000 / SDL_GetPerformanceFrequency();
    if (spent < 16) SDL_Delay((Uint32)(16 - spent));
}

static bool loop(app *a) {
    float tick = 1 / (float)SDL_GetPerformanceFrequency();
    Uint64 before = SDL_GetPerformanceCounter();
    while (!a->quit) {
        Uint64 now = SDL_GetPerformanceCounter();
        handle_events(a);
        take_steps(a, (float)(now - before) * tick);
        before = now;
        draw_frame(a);
        if (!save_frame(a)) return false;
        SDL_RenderPresent(a->renderer);
        wait_for_frame(a, now);
    }
    return true;
}

static bool run_window(app *a) {
    const demo_options *o = a->options;
    cn_world_def def = o->world;
    def.profile = true;
    if (!open_window(a)) return false;
    if (!stage_open(&a->stage, o->scene, &def))
        return report_error("cannot make the scene", a->stage.error);
    controls_open(&a->controls, o->overlays, cn_world_substeps(a->stage.run.world));
    a->picture = (demo_picture){.canvas = &a->canvas,
                                .theme = o->light ? &theme_light : &theme_dark,
                                .mouse = {{-1000, -1000}}};
    fit_view(a);
    if (o->calls && !stage_record(&a->stage, o->calls)) return false;
    if (o->record && !record_open(&a->film, o->record, a->width, a->height)) return false;
    bool done = loop(a);
    if (o->record) done = record_close(&a->film) && done;
    return done;
}

int app_run(const demo_options *options) {
    app a = {.options = options};
    bool done = run_window(&a);
    stage_close(&a.stage);
    close_window(&a);
    return done ? 0 : 1;
}
