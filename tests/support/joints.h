/* Shared by the tests of joints: points of the static world, bodies of a given mass, and joints in
 * one call. */
#ifndef TESTS_JOINTS_H
#define TESTS_JOINTS_H

#include "gap.h"
#include "physics.h"

#include <stdio.h>

// ---- bodies

// A static body without shapes.
static inline cn_body add_anchor(cn_world *world, double x, double y) {
    cn_body body =
        cn_body_create(world, &(cn_body_def){.type = CN_STATIC, .position = point(x, y)});
    assert_done(body.id != 0);
    return body;
}

// A disc with a radius of 0.2 m that collides with nothing.
static inline cn_body add_disc(cn_world *world, double x, double y, double mass) {
    double density = mass / (PI * 0.2 * 0.2);
    return add(
        world, (cn_body_def){.position = point(x, y)},
        (cn_shape_def){.hull = cn_circle(0.2f), .density = (float)density, .no_collision = true});
}

// ---- joints

static inline cn_joint join(cn_world *world, cn_joint_def def) {
    cn_joint joint = cn_joint_create(world, def);
    assert_done(joint.id != 0);
    return joint;
}

// How a joint holds the angle of its bodies.
typedef enum { WELDS, MOTORS, LIMITS, ALL_KINDS } angle_kind;

static inline cn_joint hold_together(cn_world *world, cn_body a, cn_body b, vec2s at,
                                     angle_kind kind) {
    cn_joint_def def = cn_revolute_joint(world, a, b, at);
    if (kind == WELDS) def = cn_weld_joint(world, a, b, at);
    if (kind == MOTORS) def.angle.motor = true;
    if (kind == LIMITS)
        def.angle = (cn_coordinate){.mode = CN_LIMITED, .lower = -0.05f, .upper = 0.05f};
    return join(world, def);
}

// ---- measurements

static inline double value_of(const cn_world *world, cn_joint joint, cn_joint_axis axis) {
    return (double)cn_joint_value(world, joint, axis);
}

static inline double speed_of(const cn_world *world, cn_joint joint, cn_joint_axis axis) {
    return (double)cn_joint_rate(world, joint, axis);
}

static inline double greatest_gap(const cn_world *world) {
    double greatest = 0;
    for (cn_joint j = {0}; (j = cn_world_next_joint(world, j)).id;)
        greatest = fmax(greatest, gap_of(world, j));
    return greatest;
}

#endif
