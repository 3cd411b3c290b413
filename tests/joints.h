/* What the tests of joints share: a point of the static world, bodies whose mass is given, and joints in
 * one call. */
#ifndef TESTS_JOINTS_H
#define TESTS_JOINTS_H

#include "physics.h"

#include <stdio.h>

// A body that never moves, without shapes.
static inline cn_body add_anchor(cn_world *world, double x, double y) {
    cn_body body =
        cn_body_create(world, &(cn_body_def){.type = CN_STATIC, .position = point(x, y)});
    assert_done(body.id != 0);
    return body;
}

// A disc of a radius of 0.2 m that touches nothing.
static inline cn_body add_disc(cn_world *world, double x, double y, double mass) {
    double density = mass / (PI * 0.2 * 0.2);
    return add(
        world, (cn_body_def){.position = point(x, y)},
        (cn_shape_def){.hull = cn_circle(0.2f), .density = (float)density, .no_collision = true});
}

static inline cn_joint join(cn_world *world, cn_joint_def def) {
    cn_joint joint = cn_joint_create(world, &def);
    assert_done(joint.id != 0);
    return joint;
}

static inline double value_of(const cn_world *world, cn_joint joint, cn_joint_axis axis) {
    return (double)cn_joint_value(world, joint, axis);
}

static inline double speed_of(const cn_world *world, cn_joint joint, cn_joint_axis axis) {
    return (double)cn_joint_speed(world, joint, axis);
}

// How far the two anchors of a joint that locks a point are apart, from the poses of the bodies.
static inline double gap_of(const cn_world *world, cn_joint joint) {
    cn_joint_def def = cn_joint_get(world, joint);
    const cn_body bodies[] = {def.a, def.b};
    const cn_pose frames[] = {def.frame_a, def.frame_b};
    double x[2], y[2];
    for (int k = 0; k < 2; k++) {
        cn_pose q = cn_body_pose(world, bodies[k]);
        double c = (double)q.rotation.c, s = (double)q.rotation.s;
        double lx = (double)frames[k].position.x, ly = (double)frames[k].position.y;
        x[k] = (double)q.position.x + c * lx - s * ly;
        y[k] = (double)q.position.y + s * lx + c * ly;
    }
    return hypot(x[1] - x[0], y[1] - y[0]);
}

static inline double greatest_gap(const cn_world *world) {
    double greatest = 0;
    for (cn_joint j = {0}; (j = cn_world_next_joint(world, j)).id;)
        greatest = fmax(greatest, gap_of(world, j));
    return greatest;
}

#endif
