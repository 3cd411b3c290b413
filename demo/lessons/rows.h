/* Shared by lessons 7 to 10: the impulse of lesson 6 between two bodies. A row stands for one
 * question: how fast do two bodies part along one direction at one point? */
#ifndef LESSON_ROWS_H
#define LESSON_ROWS_H

#include <cairn.h>

#include <math.h>

typedef struct {
    vec2s position, v;
    float angle, w;
    float inverse_mass, inverse_inertia; // 0: it cannot be moved
    cn_hull hull;
} body;

typedef struct {
    vec2s n, ra, rb; // the direction, from A to B, and the lever arms
    float mass;      // kg: effective mass
    float impulse;   // N s, on B along n; on A the other way
} row;

static inline float cross(vec2s a, vec2s b) { return a.x * b.y - a.y * b.x; }
static inline cn_pose pose_of(const body *b) { return cn_pose_at(b->position, b->angle); }

static inline body make_body(cn_hull hull, float x, float y, float density) {
    cn_mass_data mass = cn_hull_mass_data(hull, density);
    return (body){.position = {{x, y}},
                  .inverse_mass = 1 / mass.mass,
                  .inverse_inertia = 1 / mass.inertia,
                  .hull = hull};
}

// Makes a row at a point of the world. Its impulse stays. The mass counts both bodies.
static inline void place_row(row *r, const body *a, const body *b, vec2s point, vec2s n) {
    r->n = n, r->ra = glms_vec2_sub(point, a->position), r->rb = glms_vec2_sub(point, b->position);
    float rna = cross(r->ra, n), rnb = cross(r->rb, n);
    r->mass = 1 / (a->inverse_mass + b->inverse_mass + a->inverse_inertia * rna * rna +
                   b->inverse_inertia * rnb * rnb);
}

static inline float row_speed(const row *r, const body *a, const body *b) {
    return glms_vec2_dot(r->n, glms_vec2_sub(b->v, a->v)) + b->w * cross(r->rb, r->n) -
           a->w * cross(r->ra, r->n);
}

static inline void push(const row *r, body *a, body *b, float l) {
    a->v = glms_vec2_muladds(r->n, -l * a->inverse_mass, a->v);
    b->v = glms_vec2_muladds(r->n, l * b->inverse_mass, b->v);
    a->w -= a->inverse_inertia * cross(r->ra, r->n) * l;
    b->w += b->inverse_inertia * cross(r->rb, r->n) * l;
}

// Solves a row: afterwards the two bodies part with the speed -bias. But the sum of its impulses
// stays within a range. What is added may be negative: it takes back a push that was too large.
// Returns by how much the speed changed.
static inline float solve_row(row *r, body *a, body *b, float bias, float lower, float upper) {
    float old = r->impulse, wanted = old - r->mass * (row_speed(r, a, b) + bias);
    r->impulse = fmaxf(lower, fminf(wanted, upper));
    push(r, a, b, r->impulse - old);
    return fabsf(r->impulse - old) / r->mass;
}

static inline void move(body *b, float h) {
    b->position = glms_vec2_muladds(b->v, h, b->position), b->angle += h * b->w;
}

#endif
