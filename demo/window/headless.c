/* A run without a display. The software renderer draws requested pictures into memory. */
#include "app.h"
#include "canvas_sdl.h"
#include "../ui/captions.h"
#include "../ui/controls.h"
#include "../stage/picture.h"
#include "record.h"
#include "sound_sdl.h"
#include "../stage/stage.h"

#include <inttypes.h>
#include <stdio.h>

enum { DEFAULT_STEPS = 300 };

typedef struct {
    const demo_options *options;
    demo_stage stage;
    demo_show show; // used with --effects or --sound
    sound_file sound;
    demo_controls controls;
    tool_use tools;       // none is used, but the panel shows them
    SDL_Surface *surface; // NULL if no picture is requested
    SDL_Renderer *renderer;
    canvas_sdl sdl;
    demo_canvas canvas;
    demo_record film;
    double seconds; // spent in steps
} run;

static bool report_error(const char *what, const char *why) {
    fprintf(stderr, "cairn-demo: %s: %s\n", what, why);
    return false;
}

static bool open_picture(run *r) {
    r->surface = SDL_CreateRGBSurfaceWithFormat(0, r->options->width, r->options->height, 32,
                                                SDL_PIXELFORMAT_RGBA32);
    if (r->surface) r->renderer = SDL_CreateSoftwareRenderer(r->surface);
    if (!r->renderer || !canvas_sdl_open(&r->sdl, &r->canvas, r->renderer))
        return report_error("cannot draw", SDL_GetError());
    // As in a window of this size.
    float large =
        SDL_floorf(SDL_min((float)r->options->width / 1200, (float)r->options->height / 680));
    r->canvas.scale = SDL_max(large, 1);
    return true;
}

static void close_picture(run *r) {
    canvas_sdl_close(&r->sdl, &r->canvas);
    if (r->renderer) SDL_DestroyRenderer(r->renderer);
    if (r->surface) SDL_FreeSurface(r->surface);
}

static void draw(run *r) {
    int width = (int)((float)r->options->width / r->canvas.scale);
    int height = (int)((float)r->options->height / r->canvas.scale);
    demo_area area = controls_free_area(&r->controls, width, height);
    demo_picture picture = {
        .canvas = &r->canvas,
        .theme = r->options->light ? &theme_light : &theme_dark,
        .view = picture_fit(&r->stage, area),
        .overlays = r->options->overlays,
        .mouse = {{-1000, -1000}},
    };
    canvas_clear(&r->canvas, picture.theme->background);
    picture_draw(&picture, &r->stage);
    solver_lab_draw(&r->controls.lab, &picture, &r->stage);
    controls_draw(&r->controls, &picture, &r->stage, &r->tools, width, height);
    canvas_flush(&r->canvas);
    SDL_RenderPresent(r->renderer);
}

static bool record_step(run *r) {
    if (!r->options->record || !record_wants_frame(&r->film)) return true;
    draw(r);
    return record_frame(&r->film, r->surface->pixels);
}

static bool take_steps(run *r, int steps) {
    const demo_options *o = r->options;
    double tick = 1 / (double)SDL_GetPerformanceFrequency();
    for (int i = 0; i < steps; i++) {
        Uint64 start = SDL_GetPerformanceCounter();
        if (!stage_step(&r->stage))
            return report_error("the step failed", playback_has_ended(r->stage.replay)
                                                       ? "the recording has ended"
                                                       : r->stage.error);
        r->seconds += (double)(SDL_GetPerformanceCounter() - start) * tick;
        if (o->sound && !sound_file_add(&r->sound, &r->show, MIXER_RATE / 60)) return false;
        if (!record_step(r)) return false;
    }
    return true;
}

static void print_summary(const run *r, int steps) {
    const cn_world *world = r->stage.run.world;
    cn_counters c = cn_world_counters(world);
    printf("%s: %d steps, %d bodies, %d contacts, %.4f ms/step, hash %016" PRIx64 "\n",
           r->options->scene->name, steps, c.bodies, c.touching + c.sleeping_touching,
           steps ? r->seconds * 1000 / steps : 0, cn_world_hash(world));
}

static bool save_screenshot(run *r) {
    const demo_options *o = r->options;
    if (!o->screenshot) return true;
    draw(r);
    return record_png(o->screenshot, r->surface->pixels, o->width, o->height);
}

static bool open_show(run *r) {
    const demo_options *o = r->options;
    if (!o->effects && !o->sound) return true;
    show_open(&r->show);
    r->show.is_seen = o->effects;
    r->show.is_heard = o->sound != NULL;
    r->show.ear = (vec2s){{o->scene->view.x, o->scene->view.y}};
    r->show.width = 1.6f * o->scene->view.height;
    r->stage.show = &r->show;
    return !o->sound || sound_file_open(&r->sound, o->sound);
}

static bool open_lab(run *r) {
    int place = r->options->lab;
    return place < 0 || solver_lab_open_at(&r->controls.lab, &r->stage, place);
}

static bool run_all(run *r) {
    const demo_options *o = r->options;
    int requested = o->steps >= 0 ? o->steps : o->scene->steps;
    int steps = o->steps >= 0 || requested > 0 ? requested : DEFAULT_STEPS;
    cn_world_def def = o->world;
    def.profiling = o->panels; // only panels show it
    if (!stage_open(&r->stage, o->scene, o->values, &def))
        return report_error("cannot make the scene", r->stage.error);
    r->stage.unstepped = STAGE_STEP; // pictures show the last step, not an interpolation
    if (!open_show(r)) return false;
    r->tools.stage = &r->stage;
    tools_choose(&r->tools, &tool_grab);
    controls_open(&r->controls, o->overlays, cn_world_substeps(r->stage.run.world));
    r->controls.panels = o->panels ? PANELS_SHOWN : PANELS_AND_HINTS_HIDDEN;
    if ((o->screenshot || o->record) && !open_picture(r)) return false;
    if (o->calls && !stage_record(&r->stage, o->calls)) return false;
    if (o->record && !record_open(&r->film, o->record, o->width, o->height)) return false;
    bool done = take_steps(r, steps) && open_lab(r) && save_screenshot(r);
    if (o->record) done = record_close(&r->film) && done;
    done = sound_file_close(&r->sound) && done;
    if (done) print_summary(r, steps);
    return done;
}

int headless_run(const demo_options *options) {
    run r = {.options = options};
    bool done = run_all(&r);
    close_picture(&r);
    show_close(&r.show);
    solver_lab_drop(&r.controls.lab);
    stage_close(&r.stage);
    return done ? 0 : 1;
}
