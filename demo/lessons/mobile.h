/* The mobile of lesson 10: a bar that hangs at its middle, two chains of light links, and a heavy
 * ball on each chain. The hinges form a tree: each body hangs on one parent. */
#ifndef LESSON_MOBILE_H
#define LESSON_MOBILE_H

#include "twin.h"

enum { COUNT = 12 }; // bodies, with the root

typedef struct {
    int parent;                  // stands before its children
    vec2s anchor, parent_anchor; // in the frames of the body and of its parent
} hinge;

typedef struct {
    int count;
    body bodies[COUNT];  // the root is the first, and static
    hinge hinges[COUNT]; // of each body with its parent; the root has none
} mobile;

static inline void hang(mobile *m, int parent, cn_hull hull, vec2s place, vec2s point) {
    vec2s above = m->bodies[parent].position;
    m->bodies[m->count] = make_body(hull, place.x, place.y, 1);
    m->hinges[m->count++] =
        (hinge){parent, glms_vec2_sub(point, place), glms_vec2_sub(point, above)};
}

// A ball has about a hundred times the mass of a link.
static inline mobile make_mobile(void) {
    mobile m = {.count = 1, .bodies[0].hull = cn_box(0.1f, 0.1f)};
    hang(&m, 0, cn_box(2, 0.05f), (vec2s){{0, 0}}, (vec2s){{0, 0}});
    for (int i = 0; i < 10; i++) {
        float x = i < 5 ? -2 : 2, y = -0.5f * (float)(i % 5), radius = i < 5 ? 1.2f : 1.3f;
        int parent = i % 5 ? m.count - 1 : 1;
        bool is_ball = i % 5 == 4;
        hang(&m, parent, is_ball ? cn_circle(radius) : cn_box(0.05f, 0.25f),
             (vec2s){{x, y - (is_ball ? radius : 0.25f)}}, (vec2s){{x, y}});
    }
    return m;
}

// Returns the twin in the engine, with its joints.
static inline twin make_twin_of_mobile(const mobile *m, cn_joint joints[COUNT]) {
    twin t = make_twin(m->bodies, m->count, 0.6f);
    for (int i = 1; i < m->count; i++) {
        vec2s point = glms_vec2_muladds(m->hinges[i].anchor, 1, m->bodies[i].position);
        cn_body parent = t.bodies[m->hinges[i].parent];
        joints[i] =
            cn_joint_create(t.world, cn_revolute_joint(t.world, parent, t.bodies[i], point));
    }
    return t;
}

#endif
