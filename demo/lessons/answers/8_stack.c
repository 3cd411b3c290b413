/* The answers to the exercises of lesson 8. */
#define main lesson
#include "../8_stack.c"
#undef main

// Takes a step in which each push is clamped instead of the sum: an impulse only grows.
static void step_with_clamped_pushes(stack *s) {
    begin_step(s, true);
    for (int i = 0; i < SWEEPS * 2 * s->count; i++) {
        int k = i % (2 * s->count);
        row *normal = &s->points[k].normal;
        body *a = &s->bodies[k / 2];
        solve_row(normal, a, a + 1, bias_of(&s->points[k]), normal->impulse, INFINITY);
    }
    move_boxes(s, H);
}

// 1. What if each push is clamped instead of the sum? A push that was too large stays, and the warm
// start repeats it in every step. So the boxes are thrown into the air.
static int clamp_each_push(void) {
    stack s = make_stack(10, 1), right = s;
    for (int i = 0; i < 60; i++) step_with_clamped_pushes(&s), step(&right);
    float thrown = s.bodies[10].position.y, kept = right.bodies[10].position.y;
    printf("1. after 1 s the top box is at %.2f m; with a clamped sum at %.2f m\n", thrown, kept);
    return thrown < 12 || fabsf(kept - 9.5f) > 0.02f;
}

// Returns how many sweeps a stack needs, from impulses of zero, until the ground bears 95 % of it.
static int count_sweeps(int boxes) {
    stack s = make_stack(boxes, 1);
    int sweeps = 0;
    begin_step(&s, false);
    while (impulse_above(&s, 0) < 0.95f * 10 * H * (float)boxes) {
        sweep(&s);
        if (++sweeps == 100000) break;
    }
    return sweeps;
}

// 2. How many sweeps does a stack need without a warm start? In a sweep a box learns only what its
// neighbours do. So the number grows about with the square of the height.
static int grow_with_the_square(void) {
    int few = count_sweeps(5), more = count_sweeps(10), most = count_sweeps(20);
    printf("2. 5, 10 and 20 boxes: %d, %d and %d sweeps\n", few, more, most);
    return more < 3 * few || most < 3 * more;
}

// Lesson 9 begins with this: a box of 20 kg on nine boxes of 1 kg. Returns its height after 4 s.
static float height_of_load(int sweeps) {
    stack s = make_stack(10, 20);
    for (int i = 0; i < 240; i++) {
        begin_step(&s, true);
        for (int k = 0; k < sweeps; k++) sweep(&s);
        move_boxes(&s, H);
    }
    return s.bodies[10].position.y;
}

static int carry_a_load(void) {
    float few = height_of_load(16), many = height_of_load(32);
    printf("the load is at %.2f m with 16 sweeps, at %.2f m with 32\n", few, many);
    return few > 5 || fabsf(many - 9.5f) > 0.05f;
}

int main(void) { return lesson() + clamp_each_push() + grow_with_the_square() + carry_a_load(); }
