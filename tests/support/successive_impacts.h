/* The oracle for impacts: equal discs that bounce without loss and without friction. One impact
 * comes after another, the earliest first, in double precision. The impacts use no code of the
 * engine. For the tests and the quality harness. */
#ifndef TESTS_SUCCESSIVE_IMPACTS_H
#define TESTS_SUCCESSIVE_IMPACTS_H

#include <math.h>

#include "../../engine/cairn.h"

enum { MAX_DISCS = 16 };

#define DISC_RADIUS 0.5 // m

typedef struct {
    double x, y, vx, vy;
} disc;

// Returns the time until two discs touch. It is INFINITY if they never do.
static inline double time_of_touch(disc a, disc b) {
    double x = b.x - a.x, y = b.y - a.y, vx = b.vx - a.vx, vy = b.vy - a.vy;
    double approach = -(x * vx + y * vy), vv = vx * vx + vy * vy;
    double outside = x * x + y * y - 4 * DISC_RADIUS * DISC_RADIUS;
    double root = approach * approach - vv * outside;
    if (approach <= 1e-12 || root < 0) return INFINITY;
    return fmax(outside, 0) / (approach + sqrt(root));
}

// Discs of equal mass exchange their speeds along the line of centres.
static inline void bounce_discs(disc *a, disc *b) {
    double x = b->x - a->x, y = b->y - a->y;
    double along = (x * (b->vx - a->vx) + y * (b->vy - a->vy)) / (x * x + y * y);
    a->vx += along * x, a->vy += along * y;
    b->vx -= along * x, b->vy -= along * y;
}

// Moves the discs through all impacts of the next `seconds`.
static inline void run_successive_impacts(disc *discs, int count, double seconds) {
    while (seconds > 0) {
        double first = seconds;
        int a = -1, b = -1;
        for (int i = 0; i < count; i++)
            for (int k = i + 1; k < count; k++) {
                double time = time_of_touch(discs[i], discs[k]);
                if (time < first) first = time, a = i, b = k;
            }
        for (int i = 0; i < count; i++)
            discs[i].x += first * discs[i].vx, discs[i].y += first * discs[i].vy;
        if (a < 0) return;
        bounce_discs(&discs[a], &discs[b]);
        seconds -= first;
    }
}

// Makes a disc that comes along x at 10 m/s, and a triangle of `rows` rows at rest with these gaps.
// The first row is at the origin. Returns the number of discs.
static inline int make_rack(disc *discs, int rows, double gap) {
    const double pitch = 2 * DISC_RADIUS + gap;
    int count = 0;
    discs[count++] = (disc){.x = -3, .vx = 10};
    for (int i = 0; i < rows; i++)
        for (int k = 0; k <= i; k++)
            discs[count++] = (disc){.x = i * pitch * sqrt(0.75), .y = (k - 0.5 * i) * pitch};
    return count;
}

// A body as it is now, which is rounded to floats.
static inline disc disc_of(const cn_world *world, cn_body body) {
    vec2s p = cn_body_position(world, body), v = cn_body_velocity(world, body);
    return (disc){(double)p.x, (double)p.y, (double)v.x, (double)v.y};
}

static inline double speed_between(disc a, disc b) { return hypot(a.vx - b.vx, a.vy - b.vy); }

#endif
