/* Lesson 9: soft contacts and substeps. A step is cut into substeps, and each contact pushes like a
 * stiff spring with a damper: the bias. Relax then takes back the speed of this push. */
#include "stack.h"

#define DT (1.0f / 60) // s: a step

// How a row pushes an overlap s apart. {0.2 / h, 0} is the rigid row of lesson 8.
typedef struct {
    float bias_rate;     // 1/s: it aims at the speed -bias_rate s
    float impulse_scale; // the fraction of its impulse that it gives up
} softness;

// The spring makes `turns` oscillations in a substep if nothing damps it. It is solved implicitly:
// its force is that at the end of the substep. So it is stable however stiff it is.
static softness make_softness(float turns, float damping, float h) {
    float omega = 2 * 3.14159265f * turns, a2 = omega * (omega + 2 * damping);
    return (softness){omega * omega / (1 + a2) / h, 1 / (1 + a2)};
}

// A gap is rigid and may close within the substep. An overlap is soft.
static void solve_normal(contact_point *p, body *a, float h, softness soft) {
    row *r = &p->normal;
    bool overlaps = p->gap < 0;
    float scale = overlaps ? 1 - soft.impulse_scale : 1;
    float bias = overlaps ? soft.bias_rate * p->gap : p->gap / h;
    float old = r->impulse, free = old - r->mass * row_speed(r, a, a + 1);
    r->impulse = fmaxf(scale * free - r->mass * bias, 0);
    push(r, a, a + 1, r->impulse - old);
}

// One sweep over all rows.
static void solve(stack *s, float h, softness soft) {
    find_points(s); // where the boxes are now
    for (int i = 0; i < 2 * s->count; i++) {
        contact_point *p = &s->points[i];
        body *a = &s->bodies[i / 2];
        solve_normal(p, a, h, soft);
        float limit = 0.6f * p->normal.impulse;
        solve_row(&p->friction, a, a + 1, 0, -limit, limit);
    }
}

static void step(stack *s, int substeps, softness soft, bool relax) {
    float h = DT / (float)substeps;
    for (int i = 0; i < substeps; i++) {
        fall_and_warm_start(s, h);
        solve(s, h, soft);
        move_boxes(s, h);
        if (relax) solve(s, h, (softness){0, 0});
    }
}

// Returns the speed with which a box leaves the ground if it starts 0.1 m deep.
static float pop(softness soft, bool relax) {
    stack s = make_stack(1, 1);
    float fastest = 0;
    s.bodies[1].position.y -= 0.1f;
    for (int i = 0; i < 60; i++)
        step(&s, 4, soft, relax), fastest = fmaxf(fastest, s.bodies[1].v.y);
    return fastest;
}

int main(void) {
    const softness rigid = {0.2f * 4 / DT, 0}, soft = make_softness(3.0f / 16, 10, DT / 4);
    stack s = make_stack(10, 20), hard = s, pushed = s;
    twin t = make_twin(s.bodies, 11, 0.6f);
    for (int i = 0; i < 240; i++) {
        step(&hard, 4, rigid, false), step(&pushed, 4, soft, false), step(&s, 4, soft, true);
        cn_world_step(t.world, DT);
    }
    float y = s.bodies[10].position.y, twin_y = cn_body_position(t.world, t.bodies[10]).y;
    float l = 4 * impulse_above(&s, 0), twin_l = twin_impulse(&t, 0, 1);
    printf("the top box at 9.5 m after 4 s: %.3f m (rigid: %.3f m, soft without relax: %.3f m, "
           "the engine: %.3f m)\n",
           y, hard.bodies[10].position.y, pushed.bodies[10].position.y, twin_y);
    printf("the ground bears %.3f N s in a step (the engine: %.3f N s)\n", l, twin_l);
    cn_world_destroy(t.world);
    float softly = pop(soft, true), rigidly = pop(rigid, false), not_relaxed = pop(soft, false);
    printf("a box pushed out of the ground is as fast as %.2f m/s (rigid: %.2f m/s, soft without "
           "relax: %.2f m/s)\n",
           softly, rigidly, not_relaxed);
    return fabsf(y - twin_y) > 0.01f || fabsf(l - twin_l) > 0.01f * twin_l ||
           hard.bodies[10].position.y > 5 || softly > 0.3f || not_relaxed < 1 || rigidly < 4;
}
