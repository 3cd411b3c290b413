/* The answers to the exercises of lesson 10. */
#define main lesson
#include "../10_joint.c"
#undef main

// A rod of 2 m and 0.2 kg that hangs at one end, turned by an angle from hanging straight down.
static mobile make_pendulum(float angle) {
    mobile m = {.count = 1, .bodies[0].hull = cn_box(0.1f, 0.1f)};
    hang(&m, 0, cn_box(0.05f, 1), (vec2s){{0, -1}}, (vec2s){{0, 0}});
    cn_rotation r = cn_rotation_of(angle);
    m.bodies[1].position = (vec2s){{r.s, -r.c}}, m.bodies[1].angle = angle;
    return m;
}

// 1. What is the period of a small swing? The period of a body is
// 2 pi sqrt(I / (m g d)), where I is the inertia about the hinge: for this rod
// 2 pi sqrt(2 L / (3 g)) = 2.294 s.
static int period(void) {
    mobile m = make_pendulum(0.05f);
    link links[COUNT] = {0};
    int turns = 0, steps = 0;
    for (; turns < 2 && steps < 10000; steps++) {
        float before = m.bodies[1].w;
        step(&m, links);
        turns += before != 0 && (before < 0) != (m.bodies[1].w < 0);
    }
    printf("1. the period is %.3f s\n", H * (float)steps);
    return fabsf(H * (float)steps - 2.294f) > 0.01f;
}

// 2. The rod starts horizontally. Which force does the hinge bear when it passes the lowest point?
// The centre falls by L / 2, which gives w^2 = 3 g / L. So the force is
// m g + m w^2 L / 2 = 5/2 m g.
static int force_at_the_bottom(void) {
    mobile m = make_pendulum(0.5f * 3.14159265f);
    link links[COUNT] = {0};
    float most = 0;
    for (int i = 0; i < 240; i++) step(&m, links), most = fmaxf(most, links[1].impulse.y / H);
    printf("2. the hinge bears %.3f N\n", most);
    return fabsf(most - 5) > 0.03f;
}

int main(void) { return lesson() + period() + force_at_the_bottom(); }
