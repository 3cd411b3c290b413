/* The window. Each frame hands on events, takes steps and shows a picture.
 *
 * While a film is recorded, each frame takes one step whatever time passes, so the film has the
 * true speed. */
#include "app.h"
#include "canvas_sdl.h"
#include "demo.h"
#include "record.h"

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
    bool vsync;
    int width, height; // pixels of the screen
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
    if (!a->renderer || !canvas_sdl_open(&a->sdl, &a->canvas, a->renderer))
        return report_error("cannot draw", SDL_GetError());
    SDL_RendererInfo info;
    a->vsync = SDL_GetRendererInfo(a->renderer, &info) == 0 &&
               (info.flags & SDL_RENDERER_PRESENTVSYNC) != 0;
    SDL_GetRendererOutputSize(a->renderer, &a->width, &a->height);
    return true;
}

static void close_window(app *a) {
    canvas_sdl_close(&a->sdl, &a->canvas);
    if (a->renderer) SDL_DestroyRenderer(a->renderer);
    if (a->window) SDL_DestroyWindow(a->window);
    SDL_Quit();
}

// ---- a frame

static void handle_events(app *a) {
    SDL_Event event;
    demo_event translated;
    while (SDL_PollEvent(&event))
        if (event_from_sdl(&translated, &event, 1)) demo_handle(&a->demo, &translated);
    SDL_GetRendererOutputSize(a->renderer, &a->width, &a->height);
    demo_resize(&a->demo, (float)a->width, (float)a->height);
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
        Uint64 now = SDL_GetPerformanceCounter();
        handle_events(a);
        take_steps(a, (float)(now - before) * tick);
        before = now;
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
