/* The window. Each frame hands on events, takes steps and shows a picture.
 *
 * While a film is recorded, each frame takes one step whatever time passes, so the film has the
 * true speed. */
#include "app.h"
#include "canvas_sdl.h"
#include "../ui/demo.h"
#include "record.h"
#include "sound_sdl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const demo_options *options;
    SDL_Window *window;
    SDL_Renderer *renderer;
    canvas_sdl sdl;
    demo_canvas canvas;
    demo_program demo;
    demo_record film;
    SDL_GameController *pad;
    SDL_AudioDeviceID speaker;
    SDL_Cursor *cursors[CURSOR_COUNT];
    bool vsync;
    int due;             // pictures before the next wait: a control changes only the next picture
    int width, height;   // pixels of the screen
    const scene *titled; // the scene in the title of the window
    float zoom;          // of the user interface, that the user chose; 0: by the size of the window
    float points; // points of the window (in which SDL reports the mouse) for a pixel of the UI
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

// Finds the size of the window, and how large the user interface is drawn in it.
static void measure_window(app *a) {
    int points = 1, ignored;
    SDL_GetRendererOutputSize(a->renderer, &a->width, &a->height);
    SDL_GetWindowSize(a->window, &points, &ignored);
    float density = (float)a->width / (float)(points > 0 ? points : 1);
    float large = SDL_floorf(SDL_min((float)a->width / 1200, (float)a->height / 680));
    float zoom = a->zoom > 0 ? a->zoom * density : SDL_max(large, SDL_max(density, 1));
    a->canvas.scale = zoom;
    a->points = zoom / density;
}

static bool open_window(app *a) {
    static const char hint[] =
        "no display; use --headless, with --screenshot FILE.png for a picture";
    SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "0");
    if (SDL_Init(SDL_INIT_VIDEO | SDL_INIT_GAMECONTROLLER) != 0 || !has_display())
        return report_error("cannot open a window", hint);
    a->window =
        SDL_CreateWindow("Cairn", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, a->options->width,
                         a->options->height, SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    if (!a->window) return report_error("cannot open a window", SDL_GetError());
    a->renderer = SDL_CreateRenderer(a->window, -1, SDL_RENDERER_PRESENTVSYNC);
    if (!a->renderer) a->renderer = SDL_CreateRenderer(a->window, -1, SDL_RENDERER_SOFTWARE);
    if (!a->renderer || !canvas_sdl_open(&a->sdl, &a->canvas, a->renderer))
        return report_error("cannot draw", SDL_GetError());
    SDL_RendererInfo info;
    a->vsync = SDL_GetRendererInfo(a->renderer, &info) == 0 &&
               (info.flags & SDL_RENDERER_PRESENTVSYNC) != 0;
    const SDL_SystemCursor shapes[CURSOR_COUNT] = {SDL_SYSTEM_CURSOR_ARROW, SDL_SYSTEM_CURSOR_HAND,
                                                   SDL_SYSTEM_CURSOR_CROSSHAIR};
    for (int i = 0; i < CURSOR_COUNT; i++) a->cursors[i] = SDL_CreateSystemCursor(shapes[i]);
    if (!a->options->record) a->speaker = sound_sdl_open(); // a film has its own time
    measure_window(a);
    return true;
}

static void close_window(app *a) {
    if (a->speaker) sound_sdl_close(a->speaker);
    if (a->pad) SDL_GameControllerClose(a->pad);
    for (int i = 0; i < CURSOR_COUNT; i++)
        if (a->cursors[i]) SDL_FreeCursor(a->cursors[i]);
    canvas_sdl_close(&a->sdl, &a->canvas);
    if (a->renderer) SDL_DestroyRenderer(a->renderer);
    if (a->window) SDL_DestroyWindow(a->window);
    SDL_Quit();
}

// ---- a frame

static void toggle_full_screen(app *a) {
    bool is_full = SDL_GetWindowFlags(a->window) & SDL_WINDOW_FULLSCREEN_DESKTOP;
    SDL_SetWindowFullscreen(a->window, is_full ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP);
}

// Keys of the window itself. Returns false for all others.
static bool handle_key(app *a, const SDL_KeyboardEvent *event) {
    SDL_Keycode key = event->keysym.sym;
    bool alt = event->keysym.mod & KMOD_ALT, ctrl = event->keysym.mod & KMOD_CTRL;
    if (key == SDLK_F11 || (alt && key == SDLK_RETURN)) {
        if (!event->repeat) toggle_full_screen(a);
        return true;
    }
    bool larger = key == SDLK_PLUS || key == SDLK_EQUALS || key == SDLK_KP_PLUS;
    bool smaller = key == SDLK_MINUS || key == SDLK_KP_MINUS;
    if (!ctrl || !(larger || smaller || key == SDLK_0)) return false;
    float now = a->zoom > 0 ? a->zoom : a->points;
    a->zoom = key == SDLK_0 ? 0 : SDL_max(0.5f, SDL_min(4, now + (larger ? 0.5f : -0.5f)));
    return true;
}

// A game controller was unplugged. If it is the one in use, takes another one, if there is one.
static void change_pad(app *a, SDL_JoystickID removed) {
    SDL_Joystick *used = SDL_GameControllerGetJoystick(a->pad);
    if (!a->pad || SDL_JoystickInstanceID(used) != removed) return;
    SDL_GameControllerClose(a->pad);
    a->pad = NULL;
    for (int i = 0; i < SDL_NumJoysticks() && !a->pad; i++)
        if (SDL_IsGameController(i)) a->pad = SDL_GameControllerOpen(i);
}

static void handle_event(app *a, const SDL_Event *event) {
    demo_event translated;
    a->due = 2;
    if (event->type == SDL_KEYDOWN && handle_key(a, &event->key)) return;
    if (event->type == SDL_CONTROLLERDEVICEADDED && !a->pad)
        a->pad = SDL_GameControllerOpen(event->cdevice.which);
    if (event->type == SDL_CONTROLLERDEVICEREMOVED) change_pad(a, event->cdevice.which);
    if (event_from_sdl(&translated, event, a->points)) demo_handle(&a->demo, &translated);
}

static void set_title(app *a) {
    char title[120];
    const scene *shown = a->demo.stage.run.scene;
    if (a->titled == shown) return;
    snprintf(title, sizeof title, "Cairn: %s", shown->title);
    SDL_SetWindowTitle(a->window, title);
    a->titled = shown;
}

static void handle_events(app *a) {
    SDL_Event event;
    while (SDL_PollEvent(&event)) handle_event(a, &event);
    measure_window(a);
    demo_resize(&a->demo, (float)a->width / a->canvas.scale, (float)a->height / a->canvas.scale);
    set_title(a);
    SDL_Cursor *cursor = a->cursors[demo_find_cursor(&a->demo)];
    if (cursor && cursor != SDL_GetCursor()) SDL_SetCursor(cursor);
}

static void take_steps(app *a, float seconds) {
    if (a->options->record)
        demo_step(&a->demo);
    else
        demo_advance(&a->demo, seconds);
    if (a->options->steps >= 0 && a->demo.stage.run.step >= a->options->steps) a->demo.quit = true;
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
    bool still = a->options->screenshot && a->demo.quit;
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

// True if a sound goes on after the demo was paused.
static bool rings(const app *a) { return a->speaker && !mixer_is_silent(&a->demo.show.mixer); }

// Waits for an event while nothing changes.
static void wait_for_event(app *a) {
    SDL_Event event;
    while (demo_is_idle(&a->demo) && a->due == 0 && !rings(a) && !a->options->record &&
           !a->demo.quit)
        if (SDL_WaitEventTimeout(&event, 500)) handle_event(a, &event);
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
    while (!a->demo.quit) {
        wait_for_event(a);
        Uint64 now = SDL_GetPerformanceCounter();
        handle_events(a);
        if (a->due > 0) a->due--;
        take_steps(a, (float)(now - before) * tick);
        before = now;
        sound_sdl_feed(a->speaker, &a->demo.show);
        demo_draw(&a->demo);
        if (!save_frame(a)) return false;
        SDL_RenderPresent(a->renderer);
        wait_for_frame(a, now);
    }
    return true;
}

static bool run_window(app *a) {
    const demo_options *o = a->options;
    if (!open_window(a) || !demo_open(&a->demo, o, &a->canvas, (float)a->width, (float)a->height))
        return false;
    if (o->record && !record_open(&a->film, o->record, a->width, a->height)) return false;
    bool done = loop(a);
    if (o->record) done = record_close(&a->film) && done;
    return done;
}

int app_run(const demo_options *options) {
    app a = {.options = options};
    bool done = run_window(&a);
    demo_close(&a.demo);
    close_window(&a);
    return done ? 0 : 1;
}
