/* host: the demo's program without a window, for tests. It draws on a canvas without a screen,
 * which counts triangles. */
#ifndef TESTS_DEMO_HOST_H
#define TESTS_DEMO_HOST_H

#include "../../demo/ui/demo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static int triangles; // drawn so far

static inline void clear(void *context, uint32_t color) { (void)context, (void)color; }
static inline void clip(void *context, const demo_area *area) { (void)context, (void)area; }
static inline void count(void *context, const canvas_batch *batch, bool has_texture) {
    (void)context, (void)has_texture;
    triangles += batch->index_count / 3;
}

static inline void open_canvas(demo_canvas *canvas) {
    canvas_open(canvas, (canvas_backend){NULL, clear, count, clip});
}

typedef struct {
    demo_canvas canvas;
    demo_options options;
    demo_program program;
} host;

static inline void take_steps(host *h, int steps) {
    for (int i = 0; i < steps; i++) demo_step(&h->program);
}

// Opens a scene in a picture of 1280 x 720, and takes steps of it.
static inline host *open_scene(const char *name, int steps) {
    host *h = calloc(1, sizeof *h);
    assert_non_null(h);
    h->options.scene = scene_find(name);
    assert_non_null(h->options.scene);
    scene_default_values(h->options.scene, h->options.values);
    open_canvas(&h->canvas);
    assert_true(demo_open(&h->program, &h->options, &h->canvas, 1280, 720));
    take_steps(h, steps);
    return h;
}

static inline void close_scene(host *h) {
    demo_close(&h->program);
    canvas_close(&h->canvas);
    free(h);
}

static inline void press_key(host *h, int key) {
    demo_handle(&h->program, &(demo_event){.kind = EVENT_KEY, .key = key});
    demo_handle(&h->program, &(demo_event){.kind = EVENT_KEY_UP, .key = key});
}

static inline cn_world *world_of(const host *h) { return h->program.stage.run.world; }

#endif
