/* Shared by the scenes of the quality harness: bodies in one call, and their places. Boxes are 1 m
 * wide, with density 1, unless a figure says otherwise. */
#ifndef TESTS_QUALITY_BUILD_H
#define TESTS_QUALITY_BUILD_H

#include "quality.h"

#include <math.h>

#define PI 3.14159265358979323846

enum { SECOND = 60 }; // steps

// ---- building

static inline void add_shape(quality_run *run, cn_body body, cn_shape_def def) {
    quality_check(run, cn_shape_create(run->world, body, &def).id);
}

static inline void add_static_box(quality_run *run, double x, double y, double half_width,
                                  double half_height) {
    cn_body_def def = {.type = CN_STATIC, .position = {{(float)x, (float)y}}};
    cn_hull hull = cn_box((float)half_width, (float)half_height);
    add_shape(run, cn_body_create(run->world, &def), (cn_shape_def){.hull = hull});
}

// Adds the ground. Its surface is y = 0.
static inline void add_ground(quality_run *run, double x) { add_static_box(run, x, -1, 100, 1); }

// Adds a bin with its floor at y = 0 and walls of 80 m.
static inline void add_bin(quality_run *run, double half_width) {
    add_static_box(run, 0, -1, half_width + 2, 1);
    add_static_box(run, -half_width - 1, 40, 1, 42);
    add_static_box(run, half_width + 1, 40, 1, 42);
}

// Adds a dynamic body and puts it into run->boxes, the list of bodies that are watched.
static inline cn_body add_watched(quality_run *run, double x, double y, double angle,
                                  cn_shape_def shape) {
    cn_body_def def = {.position = {{(float)x, (float)y}}, .angle = (float)angle};
    cn_body body = cn_body_create(run->world, &def);
    add_shape(run, body, shape);
    vec2s start = cn_body_position(run->world, body);
    run->boxes[run->box_count++] = (quality_box){body, (double)start.x, (double)start.y};
    return body;
}

static inline cn_body add_box(quality_run *run, double x, double y, double size, double density) {
    cn_hull hull = cn_box((float)(size / 2), (float)(size / 2));
    return add_watched(run, x, y, 0, (cn_shape_def){.hull = hull, .density = (float)density});
}

// Adds a tower of n boxes at x. Each is moved sideways by up to `offset` times its size.
static inline void add_stack(quality_run *run, int n, double x, double size, double offset) {
    for (int i = 0; i < n; i++) {
        double dx = quality_random(run, -offset, offset) * size;
        add_box(run, x + dx, (i + 0.5) * size, size, 1);
    }
}

// Adds a pyramid that is n boxes wide and n boxes high.
static inline void add_pyramid(quality_run *run, int n) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) add_box(run, 0.5 * (i + 1) + (j - i) - 0.5 * n, i + 0.5, 1, 1);
}

// ---- measuring

typedef struct {
    double x, y;
} point;

static inline point position_of(const quality_run *run, cn_body body) {
    vec2s p = cn_body_position(run->world, body);
    return (point){(double)p.x, (double)p.y};
}

static inline point moved_by(const quality_run *run, int box) {
    const quality_box *b = &run->boxes[box];
    point p = position_of(run, b->body);
    return (point){p.x - b->x, p.y - b->y};
}

// Waits for a body of 1 m to bounce at y = 0. Returns how high it rises, or INFINITY.
static inline double wait_for_bounce(quality_run *run, cn_body body) {
    bool bounced = false;
    for (int i = 0; i < 20 * SECOND && !run->failed; i++) {
        quality_step(run, 1);
        double v = (double)cn_body_velocity(run->world, body).y;
        if (v > 0) bounced = true;
        if (bounced && v <= 0) return position_of(run, body).y - 0.5 + v * v / 20;
    }
    return INFINITY;
}

static inline double greatest(double a, double b) { return b <= a ? a : b; } // b if it is a NaN

#endif
