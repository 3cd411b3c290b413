/* Shared by the tests of explosions: one blast for all, impulses of bodies, and outlines of hulls
 * as many points. */
#ifndef TESTS_BLASTS_H
#define TESTS_BLASTS_H

#include "../../support/small_world.h"

// Full strength up to 2 m, none from 6 m on; 3 N s per m of width.
static inline cn_explosion blast_at(double x, double y) {
    return (cn_explosion){
        .position = point(x, y), .radius = 2, .falloff = 4, .impulse_per_length = 3};
}

static inline double strength_at(double distance) { return fmax(0, fmin(1, (6 - distance) / 4)); }

static inline cn_explosion blocked_at(double x, double y) {
    cn_explosion e = blast_at(x, y);
    e.blocked = true;
    return e;
}

static inline void assert_explodes(cn_world *world, cn_explosion e, int bodies) {
    cn_error_clear();
    assert_int_equal(cn_world_explode(world, &e), bodies);
    assert_string_equal(cn_error(), "");
}

static inline cn_body add_crate(cn_world *world, double x, double y, double half) {
    return add(world, (cn_body_def){.position = point(x, y)}, box_of((float)half));
}

static inline cn_body add_wall(cn_world *world, double x, double y, double hx, double hy) {
    return add(world, (cn_body_def){.type = CN_STATIC, .position = point(x, y)},
               (cn_shape_def){.hull = cn_box((float)hx, (float)hy)});
}

// The impulse that a body at rest got.
typedef struct {
    double x, y, turn; // N s, N m s
} impulse;

static inline impulse impulse_of(const cn_world *world, cn_body body) {
    motion m = motion_of(world, body);
    double mass = mass_of(world, body);
    return (impulse){m.vx * mass, m.vy * mass, m.w * inertia_of(world, body)};
}

static inline void assert_impulse(const cn_world *world, cn_body body, double x, double y,
                                  double turn) {
    impulse i = impulse_of(world, body);
    assert_near(i.x, x, 2e-6);
    assert_near(i.y, y, 2e-6);
    assert_near(i.turn, turn, 2e-6);
}

// ---- outlines

enum { ARC_POINTS = 4000, MAX_OUTLINE = CN_MAX_VERTICES * (ARC_POINTS + 1) };

// Writes the outline of a hull in the world, counter-clockwise, with arcs as chords.
static inline int trace_outline(const cn_hull *hull, cn_pose pose, double outline[][2]) {
    int count = 0;
    for (int i = 0; i < hull->count; i++) {
        vec2s n = hull->normals[(i + hull->count - 1) % hull->count], m = hull->normals[i];
        double from = hull->count > 1 ? atan2((double)n.y, (double)n.x) : -PI;
        double to = hull->count > 1 ? atan2((double)m.y, (double)m.x) : PI;
        while (to < from - 1e-6) to += 2 * PI;
        vec2s v = cn_pose_point(pose, hull->vertices[i]);
        double turn = (double)cn_rotation_angle(pose.rotation), r = (double)hull->radius;
        int chords = hull->count == 1 ? 4 * ARC_POINTS : r > 0 ? ARC_POINTS : 1;
        for (int k = 0; k <= chords; k++, count++) {
            double angle = from + (to - from) * k / chords + turn;
            outline[count][0] = (double)v.x + r * cos(angle);
            outline[count][1] = (double)v.y + r * sin(angle);
        }
    }
    return count;
}

// Finds the centroid of the part of the outline that faces a point. False if none does.
static inline bool find_facing(double outline[][2], int count, vec2s p, double middle[2]) {
    double sum = 0, x = 0, y = 0;
    for (int i = 0; i < count; i++) {
        const double *a = outline[i], *b = outline[(i + 1) % count];
        double side = (b[0] - a[0]) * ((double)p.y - a[1]) - (b[1] - a[1]) * ((double)p.x - a[0]);
        double length = side < 0 ? hypot(b[0] - a[0], b[1] - a[1]) : 0;
        sum += length, x += length * (a[0] + b[0]) / 2, y += length * (a[1] + b[1]) / 2;
    }
    middle[0] = x / sum, middle[1] = y / sum;
    return sum > 0;
}

static inline double width_of(double outline[][2], int count, double dx, double dy) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; i++) {
        double across = dx * outline[i][1] - dy * outline[i][0];
        low = fmin(low, across), high = fmax(high, across);
    }
    return high - low;
}

static inline cn_hull some_hull(uint64_t *chance, int kind) {
    double size = random_between(chance, 0.2, 1), r = kind % 2 ? random_between(chance, 0, 0.4) : 0;
    vec2s points[8];
    int count = 3 + kind % 6;
    for (int i = 0; i < count; i++) {
        double angle = 2 * PI * (i + random_between(chance, -0.3, 0.3)) / count;
        points[i] = point(0.3 + size * cos(angle), 2 * size * sin(angle) - 0.2);
    }
    if (kind % 9 == 0) return cn_circle((float)size);
    if (kind % 9 == 1) return cn_capsule(points[0], points[1], 0.1f);
    if (kind % 9 == 2) return cn_rounded_box((float)size, 0.3f, (float)r);
    return cn_polygon(points, count, (float)r);
}

// ---- a crowd

// Adds body i of a crowd. The sign mirrors it.
static inline cn_body add_mirrored(cn_world *world, int i, float sign) {
    uint64_t chance = (uint64_t)i + 1;
    float x = (float)random_between(&chance, -3, 3), y = (float)random_between(&chance, -3, 3);
    float angle = (float)random_between(&chance, -3, 3);
    cn_hull hull = i % 3 == 0   ? cn_circle(0.2f)
                   : i % 3 == 1 ? cn_box(0.25f, 0.125f)
                                : cn_rounded_box(0.25f, 0.125f, 0.1f);
    cn_body_def def = {.position = {{sign * x, y}}, .angle = sign * angle};
    return add(world, def, (cn_shape_def){.hull = hull});
}

#endif
