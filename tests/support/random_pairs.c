/* Random hulls and pairs. Aligned pairs of upright hulls have exactly parallel faces. If such a
 * pair is also in line, it lies exactly on an axis of A. So edges and vertices coincide in all the
 * awkward ways. */
#include "random_pairs.h"

#include "oracle.h"

#include <math.h>

// ---- numbers (splitmix64)

uint32_t random_bits(random_source *source) {
    uint64_t z = source->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

float random_between(random_source *source, float low, float high) {
    return low + (high - low) * (float)(random_bits(source) >> 8) / 16777216.0f;
}

int random_below(random_source *source, int count) {
    return (int)(((uint64_t)random_bits(source) * (uint64_t)count) >> 32);
}

// Each random number is drawn in its own statement, because C does not define the order in which a
// list is evaluated.
static vec2s random_point(random_source *source, float reach) {
    float x = random_between(source, -reach, reach);
    float y = random_between(source, -reach, reach);
    return (vec2s){{x, y}};
}

// ---- hulls

static cn_hull random_polygon(random_source *source, float radius) {
    for (;;) {
        vec2s points[8];
        int count = 3 + random_below(source, 6);
        for (int i = 0; i < count; i++) points[i] = random_point(source, 1);
        cn_hull hull = cn_polygon(points, count, radius);
        if (hull.count) return hull;
    }
}

static cn_hull random_sliver(random_source *source) {
    float length = random_between(source, 0.5f, 1.5f),
          width = random_between(source, 0.002f, 0.02f);
    vec2s points[4] = {{{-length, 0}}, {{length, -width}}, {{0.9f * length, width}}, {{0, width}}};
    return cn_polygon(points, 3 + random_below(source, 2), 0);
}

static cn_hull make_kind(random_source *source, hull_kind kind) {
    float size = random_between(source, 0.1f, 1), width = random_between(source, 0.1f, 1);
    float radius = random_between(source, 0.02f, 0.3f);
    vec2s p = {{-size, 0}}, q = {{size, 0}};
    switch (kind) {
    case CLASS_CIRCLE: return cn_circle(size);
    case CLASS_CAPSULE: return cn_capsule(p, q, radius);
    case CLASS_SEGMENT: return cn_segment(p, q);
    case CLASS_BOX: return cn_box(size, width);
    case CLASS_ROUNDED_BOX: return cn_rounded_box(size, width, radius);
    case CLASS_POLYGON: return random_polygon(source, 0);
    case CLASS_ROUNDED_POLYGON: return random_polygon(source, radius);
    case KIND_REGULAR: return cn_regular_polygon(3 + random_below(source, 6), size);
    case KIND_SLIVER: return random_sliver(source);
    default: return cn_regular_polygon(8, size);
    }
}

cn_hull random_hull(random_source *source, hull_kind kind, bool upright) {
    cn_hull hull = make_kind(source, kind);
    if (upright) return hull;
    vec2s position = random_point(source, 0.5f);
    return cn_hull_at(hull, cn_pose_at(position, random_between(source, -3, 3)));
}

// ---- pairs

static cn_rotation random_turn(random_source *source, turn_mode turn) {
    if (turn == TURN_RANDOM) return cn_rotation_of(random_between(source, -3.2f, 3.2f));
    static const cn_rotation quarters[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    cn_rotation quarter = quarters[random_below(source, 4)];
    if (turn == TURN_ALIGNED) return quarter;
    cn_rotation q = cn_rotation_of(random_between(source, -1e-4f, 1e-4f));
    return (cn_rotation){q.c * quarter.c - q.s * quarter.s, q.s * quarter.c + q.c * quarter.s};
}

static vec2s vertex_average(const cn_hull *hull) {
    double x = 0, y = 0;
    for (int i = 0; i < hull->count; i++) x += hull->vertices[i].x, y += hull->vertices[i].y;
    return (vec2s){{(float)(x / hull->count), (float)(y / hull->count)}};
}

// Moves B so that the average of its vertices lies at an offset from that of A.
static void place_center(hull_pair *pair, vec2s offset) {
    vec2s a = cn_pose_point(pair->pose_a, vertex_average(&pair->a));
    pair->pose_b.position = (vec2s){{0, 0}};
    vec2s b = cn_pose_point(pair->pose_b, vertex_average(&pair->b));
    pair->pose_b.position = (vec2s){{a.x + offset.x - b.x, a.y + offset.y - b.y}};
}

// Slides B towards A, from far away, until they are `gap` apart. Uses Newton's method. The distance
// is convex along the line, so the method never overshoots.
static void slide_to(hull_pair *pair, vec2s direction, double gap) {
    oracle_core a = oracle_place(&pair->a, pair->pose_a);
    place_center(pair, (vec2s){{6 * direction.x, 6 * direction.y}});
    for (int i = 0; i < 8; i++) {
        oracle_core b = oracle_place(&pair->b, pair->pose_b);
        oracle_result r = oracle_collide(&a, &b);
        double excess = r.separation - a.radius - b.radius - gap;
        double rate = r.normal.x * (double)direction.x + r.normal.y * (double)direction.y;
        if (fabs(excess) < 5e-7 || rate < 0.01) return;
        pair->pose_b.position.x -= (float)((double)direction.x * excess / rate);
        pair->pose_b.position.y -= (float)((double)direction.y * excess / rate);
    }
}

static void place_pair(random_source *source, hull_pair *pair) {
    cn_rotation q = pair->pose_a.rotation;
    if (pair->turn == TURN_RANDOM) q = random_turn(source, TURN_RANDOM);
    vec2s direction = {{q.c, q.s}};
    float distance = random_between(source, 0, 2);
    switch (pair->place) {
    case PLACE_RANDOM: place_center(pair, random_point(source, 1.2f)); break;
    case PLACE_IN_LINE:
        place_center(pair, (vec2s){{distance * direction.x, distance * direction.y}});
        break;
    case PLACE_SAME_CENTER: place_center(pair, (vec2s){{0, 0}}); break;
    case PLACE_INSIDE: place_center(pair, random_point(source, 0.2f)); break;
    case PLACE_TOUCHING: slide_to(pair, direction, 0); break;
    default: slide_to(pair, direction, (double)random_between(source, -0.03f, 0.03f));
    }
}

static cn_hull shrink(cn_hull hull) {
    for (int i = 0; i < hull.count; i++) hull.vertices[i].x *= 0.1f, hull.vertices[i].y *= 0.1f;
    hull.radius *= 0.1f;
    return hull;
}

hull_pair random_pair(random_source *source) {
    hull_pair pair = {0};
    pair.turn = (turn_mode)random_below(source, TURN_COUNT);
    pair.place = (place_mode)random_below(source, PLACE_COUNT);
    // Half of the aligned pairs are circles or have faces along the axes.
    bool plain = pair.turn == TURN_ALIGNED && random_below(source, 2);
    pair.kind_a = (hull_kind)random_below(source, plain ? CLASS_POLYGON : CLASS_COUNT);
    pair.kind_b = (hull_kind)random_below(source, plain ? CLASS_POLYGON : CLASS_COUNT);
    pair.a = random_hull(source, pair.kind_a, pair.turn != TURN_RANDOM);
    pair.b = random_hull(source, pair.kind_b, pair.turn != TURN_RANDOM);
    if (pair.place == PLACE_INSIDE) pair.b = shrink(pair.b);
    pair.pose_a.position = random_point(source, 5);
    pair.pose_a.rotation = random_turn(source, pair.turn);
    pair.pose_b.rotation = random_turn(source, pair.turn);
    place_pair(source, &pair);
    return pair;
}
