/* Lesson 3: support points and the reference edge. The separation of an edge from the other polygon
 * is that of one vertex: the support point of the other polygon against the normal of the edge. */
#include <cairn.h>

#include <math.h>
#include <stdio.h>

static float dot(vec2s a, vec2s b) { return a.x * b.x + a.y * b.y; }

// The vertex that is farthest along a direction.
static int support(const cn_hull *hull, vec2s direction) {
    int best = 0;
    for (int i = 1; i < hull->count; i++)
        if (dot(hull->vertices[i], direction) > dot(hull->vertices[best], direction)) best = i;
    return best;
}

typedef struct {
    int edge;         // of the polygon whose edges were tried
    float separation; // of the other polygon from this edge; negative: overlap
} face;

// The edge of a from which b is farthest. If it does not separate the two, no other edge of a does.
static face best_face(const cn_hull *a, const cn_hull *b) {
    face best = {-1, -INFINITY};
    for (int i = 0; i < a->count; i++) {
        vec2s normal = a->normals[i], inward = {{-normal.x, -normal.y}};
        vec2s nearest = b->vertices[support(b, inward)];
        float separation = dot(normal, nearest) - dot(normal, a->vertices[i]);
        if (separation > best.separation) best = (face){i, separation};
    }
    return best;
}

// The edge of b that faces a normal of a most: the one that will be clipped.
static int incident_edge(const cn_hull *b, vec2s normal) {
    int best = 0;
    for (int i = 1; i < b->count; i++)
        if (dot(b->normals[i], normal) < dot(b->normals[best], normal)) best = i;
    return best;
}

int main(void) {
    cn_hull box = cn_box(2, 1), hexagon = cn_regular_polygon(6, 1.5f);
    cn_pose here = cn_pose_at((vec2s){{0, 0}}, 0), there = cn_pose_at((vec2s){{2.9f, 0.8f}}, 0.3f);
    cn_hull a = cn_hull_at(box, here), b = cn_hull_at(hexagon, there); // in the world
    face of_a = best_face(&a, &b), of_b = best_face(&b, &a);
    bool a_is_reference = of_a.separation >= of_b.separation;
    const cn_hull *reference = a_is_reference ? &a : &b, *incident = a_is_reference ? &b : &a;
    face best = a_is_reference ? of_a : of_b;
    int edge = incident_edge(incident, reference->normals[best.edge]);
    printf("edges of A: best is %d, separation %+.4f m\n", of_a.edge, of_a.separation);
    printf("edges of B: best is %d, separation %+.4f m\n", of_b.edge, of_b.separation);
    printf("reference edge: %c%d; incident edge: %c%d\n", a_is_reference ? 'A' : 'B', best.edge,
           a_is_reference ? 'B' : 'A', edge);
    cn_manifold engine = cn_hull_collide(&box, here, &hexagon, there, 1);
    printf("the engine: %c%d and edge %d, separation %+.4f m\n",
           engine.reference == CN_A ? 'A' : 'B', engine.reference_edge, engine.incident_edge,
           engine.separation);
    return (engine.reference == CN_A) != a_is_reference || engine.reference_edge != best.edge ||
           engine.incident_edge != edge || fabsf(engine.separation - best.separation) > 1e-5f;
}
