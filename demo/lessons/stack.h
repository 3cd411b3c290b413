/* A stack of boxes, as lessons 8 and 9 solve it: where the boxes touch, and the warm start. */
#ifndef LESSON_STACK_H
#define LESSON_STACK_H

#include "twin.h"

enum { MAX_BOXES = 20 };

typedef struct {
    row normal, friction;
    float gap; // m; negative: an overlap
} contact_point;

typedef struct {
    int count;                           // of boxes
    body bodies[MAX_BOXES + 1];          // from below; the ground is the first
    contact_point points[2 * MAX_BOXES]; // two between each body and the next one
} stack;

// Boxes of 1 m and 1 kg. The top one has another mass.
static inline stack make_stack(int count, float load) {
    stack s = {.count = count, .bodies[0] = {.position = {{0, -0.5f}}, .hull = cn_box(10, 0.5f)}};
    for (int i = 1; i <= count; i++)
        s.bodies[i] = make_body(cn_box(0.5f, 0.5f), 0, (float)i - 0.5f, i == count ? load : 1);
    return s;
}

static inline void find_points(stack *s) {
    for (int i = 0; i < s->count; i++) {
        const body *a = &s->bodies[i], *b = a + 1;
        cn_manifold m = cn_hull_collide(&a->hull, pose_of(a), &b->hull, pose_of(b), 0.1f);
        for (int k = 0; k < 2; k++) {
            contact_point *p = &s->points[2 * i + k];
            if (k >= m.count) *p = (contact_point){.normal.mass = 1, .friction.mass = 1}; // none
            if (k >= m.count) continue;
            p->gap = m.points[k].separation;
            place_row(&p->normal, a, b, m.points[k].point, m.normal);
            place_row(&p->friction, a, b, m.points[k].point, (vec2s){{m.normal.y, -m.normal.x}});
        }
    }
}

// The boxes fall for h seconds, and each point pushes as before.
static inline void fall_and_warm_start(stack *s, float h) {
    for (int i = 1; i <= s->count; i++) s->bodies[i].v.y -= 10 * h;
    for (int i = 0; i < 2 * s->count; i++) {
        const contact_point *p = &s->points[i];
        body *a = &s->bodies[i / 2];
        push(&p->normal, a, a + 1, p->normal.impulse);
        push(&p->friction, a, a + 1, p->friction.impulse);
    }
}

static inline void move_boxes(stack *s, float h) {
    for (int i = 1; i <= s->count; i++) move(&s->bodies[i], h);
}

// Returns the impulse between body i and the one above it.
static inline float impulse_above(const stack *s, int i) {
    return s->points[2 * i].normal.impulse + s->points[2 * i + 1].normal.impulse;
}

#endif
