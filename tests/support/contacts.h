/* Shared by the tests of contacts: an elastic material, bodies of any hull, and slopes. */
#ifndef TESTS_CONTACTS_H
#define TESTS_CONTACTS_H

#include "physics.h"

static inline cn_material elastic(double restitution) {
    return (cn_material){.restitution = (float)restitution, .frictionless = true};
}

static inline cn_body add_hull(cn_world *world, double x, double y, cn_hull hull,
                               cn_material material, float density) {
    return add(world, (cn_body_def){.position = point(x, y)},
               (cn_shape_def){.hull = hull, .density = density, .material = material});
}

// ---- slopes

typedef struct {
    cn_world *world;
    cn_body body;
    double angle;
} slope;

// A body on a slope that falls to the right. `height` is the height of the body's centre above the
// surface.
static inline slope make_slope(double angle, cn_hull hull, double height, double friction) {
    slope s = {.world = make_world(GRAVITY), .angle = angle};
    cn_material material = {.friction = (float)friction, .frictionless = friction == 0};
    add(s.world, (cn_body_def){.type = CN_STATIC, .angle = (float)-angle},
        (cn_shape_def){.hull = cn_box(200, 1), .material = material});
    double up = 1 + height;
    s.body = add(
        s.world,
        (cn_body_def){.position = point(up * sin(angle), up * cos(angle)), .angle = (float)-angle},
        (cn_shape_def){.hull = hull, .material = material});
    return s;
}

static inline double speed_downhill(const slope *s) {
    motion m = motion_of(s->world, s->body);
    return m.vx * cos(s->angle) - m.vy * sin(s->angle);
}

static inline double position_downhill(const slope *s) {
    motion m = motion_of(s->world, s->body);
    return m.x * cos(s->angle) - m.y * sin(s->angle);
}

// The mean acceleration between 0.5 s and 1.5 s.
static inline double measure_acceleration(const slope *s) {
    run(s->world, 30);
    double start = speed_downhill(s);
    run(s->world, 60);
    return (speed_downhill(s) - start) / seconds_of(60);
}

#endif
