/* Lesson 10: a joint. A hinge keeps two points together: it is two rows at once. Hinges without a
 * cycle form a tree, which needs no sweeps: one pass from the leaves to the root, and one back. */
#include "mobile.h"

#define H (1.0f / 240) // s: a step

// How a body moves, with all bodies that hang on it: a v - p are the impulses on it. The three
// components are x, y and angular.
typedef struct {
    float a[3][3], p[3];
} inertia;

typedef struct {
    vec2s r, rp;               // lever arms of the hinge at the body and at its parent
    vec2s aim, impulse;        // m/s, the speed that closes the gap of the hinge; N s, on the body
    inertia own, at_hinge, up; // at the centre, at the hinge, and what the hinge passes up
} link;

// The same inertia for the velocity at another point. The arm leads there.
static inertia seen_from(inertia x, vec2s arm) {
    for (int i = 0; i < 3; i++) x.a[i][2] += arm.y * x.a[i][0] - arm.x * x.a[i][1];
    for (int i = 0; i < 3; i++) x.a[2][i] += arm.y * x.a[0][i] - arm.x * x.a[1][i];
    x.p[2] += arm.y * x.p[0] - arm.x * x.p[1];
    return x;
}

// A hinge passes on no torque. So row 2 gives the angular velocity, and it is eliminated.
static inertia release_rotation(inertia x) {
    inertia y = x;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) y.a[i][j] -= x.a[i][2] * x.a[2][j] / x.a[2][2];
        y.p[i] -= x.a[i][2] * x.p[2] / x.a[2][2];
    }
    return y;
}

static void begin(link *l, const hinge *h, const body *b, const body *parent) {
    vec2s here = cn_pose_point(pose_of(b), h->anchor);
    vec2s there = cn_pose_point(pose_of(parent), h->parent_anchor);
    l->r = glms_vec2_sub(here, b->position), l->rp = glms_vec2_sub(here, parent->position);
    l->aim = glms_vec2_scale(glms_vec2_sub(there, here), 0.2f / H);
    float m = 1 / b->inverse_mass, turn = 1 / b->inverse_inertia;
    l->own = (inertia){{{m, 0, 0}, {0, m, 0}, {0, 0, turn}},
                       {m * b->v.x, m * (b->v.y - 10 * H), turn * b->w}};
}

// Up: the parent gets the inertia that it feels through the hinge.
static void pass_up(link *l, link *parent) {
    l->at_hinge = seen_from(l->own, l->r);
    l->up = release_rotation(l->at_hinge);
    for (int i = 0; i < 2; i++) l->up.p[i] -= l->up.a[i][0] * l->aim.x + l->up.a[i][1] * l->aim.y;
    inertia added = seen_from(l->up, (vec2s){{-l->rp.x, -l->rp.y}});
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) parent->own.a[i][j] += added.a[i][j];
        parent->own.p[i] += added.p[i];
    }
}

// Down: the velocity of the parent is known. It moves the hinge, and the hinge moves the body.
static void pass_down(link *l, body *b, const body *parent) {
    float x = parent->v.x - parent->w * l->rp.y, y = parent->v.y + parent->w * l->rp.x;
    l->impulse.x = l->up.a[0][0] * x + l->up.a[0][1] * y - l->up.p[0];
    l->impulse.y = l->up.a[1][0] * x + l->up.a[1][1] * y - l->up.p[1];
    x += l->aim.x, y += l->aim.y;
    const float *turn = l->at_hinge.a[2];
    b->w = (l->at_hinge.p[2] - turn[0] * x - turn[1] * y) / turn[2];
    b->v = (vec2s){{x + b->w * l->r.y, y - b->w * l->r.x}};
}

static void step(mobile *m, link links[COUNT]) {
    body *b = m->bodies;
    const hinge *h = m->hinges;
    for (int i = 1; i < m->count; i++) begin(&links[i], &h[i], &b[i], &b[h[i].parent]);
    for (int i = m->count - 1; i > 0; i--) pass_up(&links[i], &links[h[i].parent]);
    for (int i = 1; i < m->count; i++) pass_down(&links[i], &b[i], &b[h[i].parent]);
    for (int i = 1; i < m->count; i++) move(&b[i], H);
}

int main(void) {
    link links[COUNT] = {0};
    cn_joint joints[COUNT];
    mobile m = make_mobile();
    twin t = make_twin_of_mobile(&m, joints);
    int differences = 0;
    for (int i = 1; i <= 480; i++) {
        step(&m, links), cn_world_step(t.world, H);
        if (i % 60) continue;
        vec2s p = m.bodies[6].position, q = cn_body_position(t.world, t.bodies[6]);
        float force = links[1].impulse.y / H, twin_force = cn_joint_force(t.world, joints[1]).y;
        printf(
            "%.2f s: ball at (%.3f, %.3f) m, hinge bears %.2f N (engine: (%.3f, %.3f) m, %.2f N)\n",
            H * (float)i, p.x, p.y, force, q.x, q.y, twin_force);
        differences += glms_vec2_distance(p, q) > 0.005f || fabsf(force - twin_force) > 0.3f;
    }
    cn_world_destroy(t.world);
    return differences;
}
