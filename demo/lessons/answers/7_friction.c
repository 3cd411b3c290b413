/* The answers to the exercises of lesson 7. */
#define main lesson
#include "../7_friction.c"
#undef main

// 1. How far does a box slide on flat ground, from 3 m/s with mu = 0.3? Friction brakes it with
// a = mu g, so it needs v^2 / (2 mu g) = 1.5 m.
static int braking_distance(void) {
    slope s = make_slope(0, 3), same = s;
    float own = slide(&s, 0.3f, 2), engine = slide_in_engine(&same, 0.3f, 2);
    printf("1. %.3f m (the engine: %.3f m)\n", own, engine);
    return fabsf(own - 1.5f) > 0.015f || fabsf(engine - 1.5f) > 0.015f;
}

// 2. A disc slides at 3 m/s without turning. When does it roll, and how fast is it then? Friction
// brakes the centre by mu g and turns the disc by 2 mu g / r. Both agree, v = r w, after
// v0 / (3 mu g) = 1/3 s. Then v is 2/3 v0 = 2 m/s, whatever mu is.
static int sliding_disc(void) {
    slope s = make_slope(0, 3);
    s.box = make_body(cn_circle(0.5f), 0, 0.6f, 1), s.box.v.x = 3;
    body bodies[] = {s.ramp, s.box};
    twin t = make_twin(bodies, 2, 0.3f);
    float before = 0;
    for (int i = 0; i < 120; i++) {
        s.box.v.y -= 10 * H;
        solve_contact(&s, 0.3f);
        move(&s.box, H), cn_world_step(t.world, H);
        if (i == 72) before = s.box.v.x; // after 0.3 s it still slides
    }
    float own = s.box.v.x, engine = cn_body_velocity(t.world, t.bodies[1]).x;
    printf("2. %.3f m/s, turning at %.3f rad/s (the engine: %.3f m/s)\n", own, s.box.w, engine);
    cn_world_destroy(t.world);
    return before < 2.05f || fabsf(own - 2) > 0.02f || fabsf(engine - 2) > 0.02f ||
           fabsf(own + 0.5f * s.box.w) > 0.02f;
}

int main(void) { return lesson() + braking_distance() + sliding_disc(); }
