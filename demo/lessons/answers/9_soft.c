/* The answers to the exercises of lesson 9. */
#define main lesson
#include "../9_soft.c"
#undef main

// Returns how far the top box of a stack has sunk after 2 s.
static float sink(int boxes, float load, int substeps) {
    stack s = make_stack(boxes, load);
    softness soft = make_softness(3.0f / 16, 10, DT / (float)substeps);
    for (int i = 0; i < 120; i++) step(&s, substeps, soft, true);
    return (float)boxes - 0.5f - s.bodies[boxes].position.y;
}

// 1. What do twice as many substeps change? A spring with as many turns in half the time has four
// times the stiffness. So the stack sinks a quarter as far.
static int more_substeps(void) {
    float few = sink(10, 20, 4), many = sink(10, 20, 8);
    printf("1. 4 substeps: %.1f mm, 8 substeps: %.1f mm\n", 1000 * few, 1000 * many);
    return fabsf(many / few - 0.25f) > 0.01f;
}

// 2. How far does a stack of ten boxes sink? A point that bears the force F sinks by F / k with
// k = m omega^2 / h^2. Two points share the load. m is 1 / (1 + 6/4) kg at the ground, which has no
// inverse mass, and half of that between two boxes.
static int compute_the_sink(void) {
    float h = DT / 4, omega = 2 * 3.14159265f * 3 / 16, sum = 0;
    for (int i = 0; i < 10; i++) {
        float mass = i ? 0.2f : 0.4f, force = 0.5f * 10 * (float)(10 - i);
        sum += force * h * h / (mass * omega * omega);
    }
    float found = sink(10, 1, 4);
    printf("2. formula: %.2f mm, found: %.2f mm\n", 1000 * sum, 1000 * found);
    return fabsf(found / sum - 1) > 0.02f;
}

int main(void) { return lesson() + more_substeps() + compute_the_sink(); }
