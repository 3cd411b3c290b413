/* A chain is solid on the left of its segments, without an end. The picture fills
 *
 *   the landscape   a chain from right to left below which there is no other static shape: down to
 *                   the lower edge of the picture.
 *   other chains    a strip along the solid side, which fades out.
 *
 * Neighbouring strips meet at the mean of their two normals. */
#include "ground.h"

#include <math.h>

static const float strip_depth = 11; // pixels

typedef struct {
    const demo_picture *picture;
    const cn_world *world;
} pen;

// A segment in the world.
typedef struct {
    vec2s a, b;
    vec2s in; // unit, into the solid side
} edge;

static edge find_edge(const cn_world *world, cn_shape segment) {
    cn_hull hull = cn_shape_hull(world, segment);
    cn_pose pose = cn_body_pose(world, cn_shape_body(world, segment));
    edge e = {.a = cn_pose_point(pose, hull.vertices[0]),
              .b = cn_pose_point(pose, hull.vertices[1])};
    vec2s along = glms_vec2_normalize(glms_vec2_sub(e.b, e.a));
    e.in = (vec2s){{-along.y, along.x}};
    return e;
}

static void fill_triangle(const pen *p, vec2s a, vec2s b, vec2s c, uint32_t color) {
    const demo_view *view = &p->picture->view;
    vec2s points[] = {view_to_screen(view, a), view_to_screen(view, b), view_to_screen(view, c)};
    canvas_triangle(p->picture->canvas, points, color);
}

// ---- landscapes

// Returns the lowest point of all static shapes that do not belong to a chain.
static float find_lowest_shape(const cn_world *world) {
    float lowest = INFINITY;
    for (cn_shape s = {0}; (s = cn_world_next_shape(world, s)).id;) {
        bool counts = cn_body_type(world, cn_shape_body(world, s)) == CN_STATIC;
        if (counts && !cn_shape_chain(world, s).id)
            lowest = fminf(lowest, cn_shape_bounds(world, s).lower.y);
    }
    return lowest;
}

static bool is_landscape(const pen *p, cn_chain chain, float lowest) {
    if (cn_world_gravity(p->world).y >= 0) return false;
    float low = INFINITY;
    for (cn_shape s = {0}; (s = cn_chain_next_segment(p->world, chain, s)).id;) {
        edge e = find_edge(p->world, s);
        if (e.b.x > e.a.x + 1e-3f) return false;
        low = fminf(low, fminf(e.a.y, e.b.y));
    }
    return low <= lowest + 1;
}

static void fill_below(const pen *p, const edge *e) {
    float bottom = fminf(view_bounds(&p->picture->view).lower.y, fminf(e->a.y, e->b.y));
    vec2s under_a = {{e->a.x, bottom}}, under_b = {{e->b.x, bottom}};
    uint32_t color = p->picture->theme->static_fill;
    fill_triangle(p, e->a, e->b, under_a, color);
    fill_triangle(p, e->b, under_b, under_a, color);
}

// ---- strips

// The corner between two normals, at the distance 1 from both edges. Sharp corners are cut.
static vec2s miter(vec2s a, vec2s b) {
    vec2s sum = glms_vec2_add(a, b);
    return glms_vec2_scale(sum, 1 / fmaxf(1 + glms_vec2_dot(a, b), 0.5f));
}

static void fill_strip(const pen *p, const edge *e, vec2s before, vec2s after) {
    enum { LAYERS = 5 };
    float depth = strip_depth / p->picture->view.scale;
    uint32_t color = color_fade(p->picture->theme->static_outline, 0.6f / LAYERS);
    vec2s at_a = miter(before, e->in), at_b = miter(e->in, after);
    for (int i = 1; i <= LAYERS; i++) { // each a little deeper, on top of each other
        float in = depth * (float)i / LAYERS;
        vec2s a = glms_vec2_muladds(at_a, in, e->a), b = glms_vec2_muladds(at_b, in, e->b);
        fill_triangle(p, e->a, e->b, a, color);
        fill_triangle(p, e->b, b, a, color);
    }
}

// Returns the normal of a neighbour, or that of the segment itself if none begins or ends there.
static vec2s normal_beside(const pen *p, cn_shape neighbour, vec2s corner, const edge *e) {
    if (!neighbour.id) return e->in;
    edge other = find_edge(p->world, neighbour);
    float gap = fminf(glms_vec2_distance(other.a, corner), glms_vec2_distance(other.b, corner));
    return gap < 0.01f ? other.in : e->in;
}

static void fill_chain(const pen *p, cn_chain chain, bool is_deep) {
    const cn_world *world = p->world;
    cn_shape first = cn_chain_next_segment(world, chain, (cn_shape){0}), last = first;
    for (cn_shape s = first; s.id; s = cn_chain_next_segment(world, chain, s)) last = s;
    cn_shape before = last; // that of a closed chain
    for (cn_shape s = first; s.id;) {
        cn_shape next = cn_chain_next_segment(world, chain, s);
        edge e = find_edge(world, s);
        if (is_deep)
            fill_below(p, &e);
        else
            fill_strip(p, &e, normal_beside(p, before, e.a, &e),
                       normal_beside(p, next.id ? next : first, e.b, &e));
        before = s, s = next;
    }
}

void ground_draw(const demo_picture *picture, const cn_world *world) {
    const pen p = {picture, world};
    cn_chain chain = cn_world_next_chain(world, (cn_chain){0});
    float lowest = chain.id ? find_lowest_shape(world) : 0;
    for (; chain.id; chain = cn_world_next_chain(world, chain))
        fill_chain(&p, chain, is_landscape(&p, chain, lowest));
}
