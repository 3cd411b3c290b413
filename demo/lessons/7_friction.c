/* Lesson 7: friction. A second row of the contact acts along the surface. Its impulse stays within
 * a cone: at most the friction mu times the impulse along the normal, either way. */
#include "twin.h"

#define H (1.0f / 240) // s: a step

typedef struct {
    body ramp, box;
    row normals[2], frictions[2];
} slope;

// The box touches the ramp with two corners. Each has a row along the normal n and one along the
// tangent t. A gap may close within the step: its bias is a speed that the contact allows.
static void solve_contact(slope *s, float mu) {
    cn_manifold m =
        cn_hull_collide(&s->ramp.hull, pose_of(&s->ramp), &s->box.hull, pose_of(&s->box), 0.1f);
    vec2s n = m.normal, t = {{n.y, -n.x}};
    for (int k = 0; k < m.count; k++) {
        s->normals[k].impulse = s->frictions[k].impulse = 0;
        place_row(&s->normals[k], &s->ramp, &s->box, m.points[k].point, n);
        place_row(&s->frictions[k], &s->ramp, &s->box, m.points[k].point, t);
    }
    for (int i = 0; i < 20 * m.count; i++) { // 20 sweeps over both corners
        int k = i % m.count;
        float gap = fmaxf(m.points[k].separation, 0), limit = mu * s->normals[k].impulse;
        solve_row(&s->frictions[k], &s->ramp, &s->box, 0, -limit, limit);
        solve_row(&s->normals[k], &s->ramp, &s->box, gap / H, 0, INFINITY);
    }
}

// A box on a slope of some angle, with a speed along it.
static slope make_slope(float angle, float speed) {
    cn_rotation r = cn_rotation_of(-angle);
    slope s = {.ramp = {.angle = -angle, .hull = cn_box(20, 0.1f)}};
    s.box = make_body(cn_box(0.5f, 0.25f), 0.35f * -r.s, 0.35f * r.c, 1);
    s.box.angle = -angle, s.box.v = (vec2s){{speed * r.c, speed * r.s}};
    return s;
}

// Returns how far the box has slid, in metres.
static float slide(slope *s, float mu, float seconds) {
    vec2s start = s->box.position;
    for (float time = 0; time < seconds - 0.5f * H; time += H) {
        s->box.v.y -= 10 * H;
        solve_contact(s, mu);
        move(&s->box, H);
    }
    return glms_vec2_distance(start, s->box.position);
}

static float slide_in_engine(const slope *s, float mu, float seconds) {
    body bodies[] = {s->ramp, s->box};
    twin t = make_twin(bodies, 2, mu);
    for (float time = 0; time < seconds - 0.5f * H; time += H) cn_world_step(t.world, H);
    float distance = glms_vec2_distance(bodies[1].position, cn_body_position(t.world, t.bodies[1]));
    cn_world_destroy(t.world);
    return distance;
}

int main(void) {
    const float mu = 0.5f; // tan 0.464
    int differences = 0;
    for (int i = 0; i < 8; i++) {
        float angle = 0.1f * (float)i, speed = 2;
        slope s = make_slope(angle, speed), same = s;
        float own = slide(&s, mu, 1), engine = slide_in_engine(&same, mu, 1);
        // Newton: it brakes or accelerates along the slope, and a box that stops stays there.
        float a = 10 * (sinf(angle) - mu * cosf(angle)), formula = speed + 0.5f * a;
        if (speed + a < 0) formula = -speed * speed / (2 * a);
        printf("%.1f rad: %.3f m (the engine: %.3f m, Newton: %.3f m)\n", angle, own, engine,
               formula);
        differences += fabsf(own - engine) > 0.01f || fabsf(own - formula) > 0.02f;
    }
    return differences;
}
