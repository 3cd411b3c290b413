/* Lesson 6: one bounce. A body hits a wall at one point. The wall answers with an impulse, and the
 * restitution says how much of the speed comes back. */
#include <cairn.h>

#include <math.h>
#include <stdio.h>

typedef struct {
    vec2s position, v;
    float angle, w;
    float inverse_mass, inverse_inertia;
    float hit_time, hit_impulse; // s, N s
} body;

static float cross(vec2s a, vec2s b) { return a.x * b.y - a.y * b.x; }

// How fast the point of the body at the lever arm r moves along n.
static float speed_along(const body *b, vec2s r, vec2s n) {
    return (b->v.x - b->w * r.y) * n.x + (b->v.y + b->w * r.x) * n.y;
}

// The mass that this point has for a push along n: the impulse that changes its speed by 1 m/s.
static float effective_mass(const body *b, vec2s r, vec2s n) {
    float rn = cross(r, n);
    return 1 / (b->inverse_mass + b->inverse_inertia * rn * rn);
}

static void apply_impulse(body *b, vec2s r, vec2s p) {
    b->v.x += b->inverse_mass * p.x, b->v.y += b->inverse_mass * p.y;
    b->w += b->inverse_inertia * cross(r, p);
}

// The impulse along n turns the speed vn into -e vn. Returns it, in N s.
static float bounce(body *b, vec2s r, vec2s n, float e) {
    float vn = speed_along(b, r, n);
    if (vn >= 0) return 0; // it leaves already
    float l = -(1 + e) * vn * effective_mass(b, r, n);
    apply_impulse(b, r, (vec2s){{l * n.x, l * n.y}});
    return l;
}

static body make_body(cn_hull hull, vec2s position, float angle, vec2s v) {
    cn_mass_data mass = cn_hull_mass_data(hull, 1);
    return (body){position, v, angle, 0, 1 / mass.mass, 1 / mass.inertia, 0, 0};
}

// A body flies to the ground, without gravity, and bounces.
static body bounce_by_hand(body b, cn_hull hull, float e) {
    cn_hull ground = cn_hull_at(cn_box(10, 1), cn_pose_at((vec2s){{0, -1}}, 0));
    cn_pose none = cn_pose_at((vec2s){{0, 0}}, 0), pose = cn_pose_at(b.position, b.angle);
    cn_manifold far = cn_hull_collide(&ground, none, &hull, pose, 10); // finds the gap
    b.hit_time = -far.separation / speed_along(&b, (vec2s){{0, 0}}, far.normal);
    b.position = pose.position = glms_vec2_muladds(b.v, b.hit_time, b.position);
    cn_manifold touch = cn_hull_collide(&ground, none, &hull, pose, 1e-3f); // and now the corner
    vec2s r = glms_vec2_sub(touch.points[0].point, b.position);
    b.hit_impulse = bounce(&b, r, touch.normal, e);
    return b;
}

static body bounce_in_engine(body b, cn_hull hull, float e) {
    cn_world *world = cn_world_create(&(cn_world_def){0});
    cn_shape_def slab = {.hull = cn_box(10, 1), .material = {.frictionless = true}}, shape = slab;
    shape.hull = hull, shape.material.restitution = e, shape.hit_events = true;
    cn_body_def floor = {CN_STATIC, .position = {{0, -1}}, .shapes = &slab, .shape_count = 1};
    cn_body_def def = {CN_DYNAMIC, b.position, b.angle, b.v, .shapes = &shape, .shape_count = 1};
    cn_body_create(world, &floor);
    cn_body it = cn_body_create(world, &def);
    for (int i = 1; i <= 240 && b.hit_impulse == 0; i++) {
        cn_world_step(world, 1.0f / 240);
        cn_events events = cn_world_events(world);
        if (events.hit_count) b.hit_time = (float)i / 240, b.hit_impulse = events.hits[0].impulse;
    }
    b.v = cn_body_velocity(world, it), b.w = cn_body_angular_velocity(world, it);
    cn_world_destroy(world);
    return b;
}

// Compares both. The engine sees the hit at the end of a step of 1/240 s.
static bool is_same(const body *a, const body *b) {
    return fabsf(a->hit_impulse - b->hit_impulse) < 2e-3f && fabsf(a->v.y - b->v.y) < 2e-3f &&
           fabsf(a->w - b->w) < 1e-2f && b->hit_time >= a->hit_time &&
           b->hit_time < a->hit_time + 1.0f / 240;
}

int main(void) {
    cn_hull box = cn_box(0.5f, 0.5f);
    int differences = 0;
    for (int i = 1; i <= 7; i++) {
        body start = make_body(box, (vec2s){{0, 2}}, 0.1f * (float)i, (vec2s){{1, -4}});
        body own = bounce_by_hand(start, box, 0.5f), engine = bounce_in_engine(start, box, 0.5f);
        differences += !is_same(&own, &engine);
        printf("tilt %.1f: %.3f N s, then %+.3f m/s, %+.3f rad/s", start.angle, own.hit_impulse,
               own.v.y, own.w);
        printf(" (the engine: %.3f, %+.3f, %+.3f)\n", engine.hit_impulse, engine.v.y, engine.w);
    }
    return differences;
}
