/* Lesson 2: circles, capsules and segments. A capsule is all points within a radius of a segment,
 * and a circle is all points within a radius of a point. So the gap between two of them is the
 * distance of their segments minus both radii. */
#include <cairn.h>

#include <math.h>
#include <stdio.h>

typedef struct {
    vec2s p, q; // the ends of the segment; equal for a circle
    float radius;
} capsule;

static float dot(vec2s a, vec2s b) { return a.x * b.x + a.y * b.y; }
static vec2s between(vec2s a, vec2s b) { return (vec2s){{b.x - a.x, b.y - a.y}}; }
static float clamp(float v) { return fminf(fmaxf(v, 0), 1); }

// The point of the segment p..q that is nearest to c: follow p + t (q - p), t within 0..1.
static vec2s nearest_on(vec2s p, vec2s q, vec2s c) {
    vec2s d = between(p, q);
    float length2 = dot(d, d), t = length2 > 0 ? clamp(dot(between(p, c), d) / length2) : 0;
    return (vec2s){{p.x + t * d.x, p.y + t * d.y}};
}

static float distance(vec2s a, vec2s b) { return sqrtf(dot(between(a, b), between(a, b))); }

static bool cross(vec2s a, vec2s b, vec2s c, vec2s d) { // do the segments a..b and c..d cross?
    vec2s ab = between(a, b), ac = between(a, c), ad = between(a, d);
    vec2s cd = between(c, d), ca = between(c, a), cb = between(c, b);
    float side_c = ab.x * ac.y - ab.y * ac.x, side_d = ab.x * ad.y - ab.y * ad.x;
    float side_a = cd.x * ca.y - cd.y * ca.x, side_b = cd.x * cb.y - cd.y * cb.x;
    return side_c * side_d < 0 && side_a * side_b < 0;
}

// Segments that do not cross are nearest at an end of one of them: four cases.
static float segment_distance(const capsule *a, const capsule *b) {
    if (cross(a->p, a->q, b->p, b->q)) return 0;
    float best = distance(a->p, nearest_on(b->p, b->q, a->p));
    best = fminf(best, distance(a->q, nearest_on(b->p, b->q, a->q)));
    best = fminf(best, distance(b->p, nearest_on(a->p, a->q, b->p)));
    return fminf(best, distance(b->q, nearest_on(a->p, a->q, b->q)));
}

static float gap(const capsule *a, const capsule *b) {
    return segment_distance(a, b) - a->radius - b->radius;
}

int main(void) {
    const capsule a = {{{-1, 0}}, {{1, 0}}, 0.5f};
    const capsule others[] = {
        {{{3, 0}}, {{3, 0}}, 1},              // a circle beside the end of a
        {{{0, 2}}, {{0, 2}}, 1},              // a circle above a
        {{{-1, 2}}, {{2, 1}}, 0.25f},         // a capsule
        {{{1.2f, -2}}, {{2.5f, 0.5f}}, 0.2f}, // another one
        {{{0, -2}}, {{0.5f, -0.4f}}, 0.3f},   // one that overlaps a
    };
    int differences = 0;
    for (int i = 0; i < 5; i++) {
        const capsule *b = &others[i];
        bool is_circle = distance(b->p, b->q) == 0;
        cn_hull hull_a = cn_capsule(a.p, a.q, a.radius);
        cn_hull hull_b = is_circle ? cn_circle(b->radius) : cn_capsule(b->p, b->q, b->radius);
        cn_pose here = cn_pose_at((vec2s){{0, 0}}, 0);
        cn_pose there = cn_pose_at(is_circle ? b->p : (vec2s){{0, 0}}, 0);
        cn_gap found = cn_hull_distance(&hull_a, here, &hull_b, there);
        differences += fabsf(gap(&a, b) - found.distance) > 1e-4f;
        printf("%s %d: the gap is %+.4f m (the engine: %+.4f m)\n",
               is_circle ? "circle" : "capsule", i, gap(&a, b), found.distance);
    }
    return differences;
}
