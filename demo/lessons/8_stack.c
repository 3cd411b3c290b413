/* Lesson 8: a stack. Each contact sees only two boxes, so the contacts are solved one after the
 * other, in several sweeps: sequential impulses. The sum of the pushes of a contact is kept, and
 * the next step begins with it. */
#include "stack.h"

#define H    (1.0f / 60) // s: a step
#define SLOP 0.005f      // m: an overlap that is left alone
enum { SWEEPS = 20 };

static void begin_step(stack *s, bool warm) {
    find_points(s);
    for (int i = 0; i < 2 * s->count; i++) {
        contact_point *p = &s->points[i];
        if (!warm) p->normal.impulse = p->friction.impulse = 0;
    }
    fall_and_warm_start(s, H);
}

// A gap may close within the step, and a fifth of an overlap is taken back. Both are a bias: a
// speed that is added to what the contact sees.
static float bias_of(const contact_point *p) {
    return p->gap > 0 ? p->gap / H : 0.2f / H * fminf(p->gap + SLOP, 0);
}

// Solves each row once, from below. Returns the residual: the greatest change of a speed, in m/s.
static float sweep(stack *s) {
    float residual = 0;
    for (int i = 0; i < 2 * s->count; i++) {
        contact_point *p = &s->points[i];
        body *a = &s->bodies[i / 2], *b = a + 1;
        float limit = 0.6f * p->normal.impulse;
        solve_row(&p->friction, a, b, 0, -limit, limit);
        residual = fmaxf(residual, solve_row(&p->normal, a, b, bias_of(p), 0, INFINITY));
    }
    return residual;
}

static void step(stack *s) {
    begin_step(s, true);
    for (int i = 0; i < SWEEPS; i++) sweep(s);
    move_boxes(s, H);
}

int main(void) {
    stack s = make_stack(10, 1);
    twin t = make_twin(s.bodies, 11, 0.6f);
    for (int i = 0; i < 120; i++) step(&s), cn_world_step(t.world, H);
    stack cold = s, warm = s;
    begin_step(&cold, false), begin_step(&warm, true);
    for (int i = 1; i <= SWEEPS; i++)
        printf("residual of sweep %2d: %.4f m/s, warm %.4f m/s\n", i, sweep(&cold), sweep(&warm));
    int differences = 0;
    for (int i = 1; i <= 10; i++) {
        float y = s.bodies[i].position.y, twin_y = cn_body_position(t.world, t.bodies[i]).y;
        float l = impulse_above(&s, i - 1), twin_l = twin_impulse(&t, i - 1, i);
        printf("box %d: %.4f m %.4f N s (engine: %.4f m %.4f N s)\n", i, y, l, twin_y, twin_l);
        differences += fabsf(y - twin_y) > 0.01f || fabsf(l - twin_l) > 0.01f * twin_l;
    }
    cn_world_destroy(t.world);
    return differences;
}
