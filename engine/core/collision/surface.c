/* Surfaces: the touching hulls of one body, treated as one surface.
 *
 * A box slides over a floor of tiles. At a seam the next tile has a side as well as a top. If the
 * box lies a millimetre too deep, the side is the better face: the box stumbles over an edge that
 * does not exist. So a hull with neighbours gets a surface, which knows of every edge
 *
 *      before                                                  after
 *          \     normal         the part of it that is not         /
 *           \      ^            covered by a neighbour (start to  /
 *            o-----+-----o      end), and at both ends the face  o
 *          start        end     that continues it, of whichever hull, and how it turns there
 *
 * Only visible parts are faces. A normal that is not the normal of a face is admitted if it points
 * away from a convex corner, between the two normals that meet there. At a flat or concave corner
 * only the normals of faces are admitted. If a hull overlaps two convex neighbours, the contact
 * belongs to the neighbour that separates better. So each point of the outline belongs to one hull,
 * whatever the outline consists of: boxes, polygons, capsules, or the segments of a chain, which
 * are solid on one side only.
 *
 * To find the face that continues a part at its end, turn about this end through the outside,
 * starting from the part. The first edge met is the next edge of the outline. It is the edge with
 * the smallest turn. (A turn to the right is concave, and negative.) */
#define CN_LANES 1
#include "manifold.h"

#define CORNER_SLACK 0.01f // rad: by which a normal at a corner may be beyond that of the next face

static_assert(sizeof(cn_manifold_row) == sizeof(cn_manifoldw), "lanes of four bytes in a row");

// ---- the surface of a hull alone

static float turn_of(vec2s before, vec2s after) {
    float cosine = glms_vec2_dot(before, after);
    return cn_cross(before, after) < 0 ? cosine - 1 : 1 - cosine;
}
static bool is_convex(const cn_surface_edge *edge, int end) {
    return edge->turns[end] > 5e-5f && edge->turns[end] <= CN_LARGEST_TURN; // 0.01 rad
}
static float length_of(const cn_hull *hull, int edge) {
    return glms_vec2_distance(hull->vertices[edge], hull->vertices[(edge + 1) % hull->count]);
}

cn_surface cn_surface_of(const cn_hull *hull, bool one_sided) {
    cn_surface surface = {.one_sided = one_sided, .merged = one_sided};
    int count = hull->count;
    for (int i = 0; i < (one_sided ? 1 : count); i++) {
        cn_surface_edge *edge = &surface.edges[i];
        *edge = (cn_surface_edge){.ends = {0, length_of(hull, i)}, .visible = true};
        vec2s n = hull->normals[i], t = cn_perp(n);
        edge->normals[0] = one_sided ? glms_vec2_negate(t) : hull->normals[(i + count - 1) % count];
        edge->normals[1] = one_sided ? t : hull->normals[(i + 1) % count];
        edge->turns[0] = count == 2 ? CN_LARGEST_TURN : turn_of(edge->normals[0], n);
        edge->turns[1] = count == 2 ? CN_LARGEST_TURN : turn_of(n, edge->normals[1]);
    }
    return surface;
}

// ---- neighbours

// The part of an edge, moved outward by the tolerance, that lies within another hull; empty if from
// >= to.
typedef struct {
    float from, to;
} part;

static part covered_part(const cn_hull *hull, int edge, const cn_hull *other, float tolerance) {
    vec2s n = hull->normals[edge], t = cn_perp(n);
    vec2s start = glms_vec2_add(hull->vertices[edge], glms_vec2_scale(n, tolerance));
    part inside = {0, other->count < 3 ? 0 : length_of(hull, edge)};
    for (int i = 0; i < other->count; i++) {
        vec2s m = other->normals[i];
        float depth = glms_vec2_dot(m, glms_vec2_sub(other->vertices[i], start));
        float slope = glms_vec2_dot(m, t);
        if (slope > 0) inside.to = cn_min(inside.to, depth / slope);
        if (slope < 0) inside.from = cn_max(inside.from, depth / slope);
        if (slope == 0 && depth < 0) return (part){0, 0};
    }
    return inside;
}

// Moves an end of the visible part. The face that continues the edge there is not known yet.
static void cut_end(cn_surface *surface, cn_surface_edge *edge, int end, float at) {
    edge->ends[end] = at;
    edge->turns[end] = 2 * CN_LARGEST_TURN;
    surface->merged = true;
}

// A cut only grows, and what would have caused it still does after another cut. So the order of the
// neighbours does not matter. An edge that is covered has no ends.
static bool cover_edge(cn_surface *surface, cn_surface_edge *edge, part inside, float tolerance) {
    const float *ends = edge->ends;
    bool at_start = inside.from <= ends[0] + tolerance && inside.to > ends[0];
    bool at_end = inside.to >= ends[1] - tolerance && inside.from < ends[1];
    if (at_start) cut_end(surface, edge, 0, inside.to);
    if (at_end) cut_end(surface, edge, 1, inside.from);
    if (at_start || at_end) edge->visible = ends[1] - ends[0] > tolerance;
    if (!edge->visible) *edge = (cn_surface_edge){0};
    return at_start || at_end;
}

bool cn_surface_cover(cn_surface *surface, const cn_hull *hull, const cn_hull *other,
                      float tolerance) {
    bool changed = false;
    for (int i = 0; i < hull->count; i++) {
        cn_surface_edge *edge = &surface->edges[i];
        if (!edge->visible) continue;
        part inside = covered_part(hull, i, other, tolerance);
        if (inside.to - inside.from <= tolerance) continue;
        changed |= cover_edge(surface, edge, inside, tolerance);
    }
    return changed;
}

// An end of an edge: 0 where it starts, 1 where it stops.
typedef struct {
    cn_surface_edge *edge;
    int end;
    vec2s normal, corner; // of the edge; where it ends
} surface_corner;

// Edges with equal turns may have normals that differ by rounding. The order of the numbers
// decides.
static bool comes_before(float turn, vec2s m, const cn_surface_edge *edge, int end) {
    vec2s best = edge->normals[end];
    if (turn != edge->turns[end]) return turn < edge->turns[end];
    return m.x != best.x ? m.x < best.x : m.y < best.y;
}

// Records edge k of the other hull if it continues this edge at an end. It does if it begins at
// this end or passes through it.
static void join_edge(cn_surface *surface, surface_corner at, const cn_hull *other, int k,
                      float near) {
    cn_surface_edge *edge = at.edge;
    const int end = at.end;
    vec2s n = at.normal, m = other->normals[k];
    vec2s offset = glms_vec2_sub(at.corner, other->vertices[k]);
    float along = glms_vec2_dot(cn_perp(m), offset), length = length_of(other, k);
    float passed = end ? along : length - along;
    if (cn_abs(glms_vec2_dot(m, offset)) > near || passed < -near || passed >= length - near)
        return;
    float turn = end ? turn_of(n, m) : turn_of(m, n);
    if (glms_vec2_dot(n, m) < -0.99f || !comes_before(turn, m, edge, end))
        return; // a crack between the hulls, or another edge comes first
    edge->turns[end] = turn;
    edge->normals[end] = m;
    surface->merged = true;
}

void cn_surface_join(cn_surface *surface, const cn_hull *hull, const cn_hull *other,
                     bool other_one_sided, float tolerance) {
    for (int i = 0; i < hull->count; i++) {
        cn_surface_edge *edge = &surface->edges[i];
        vec2s n = hull->normals[i];
        for (int end = 0; edge->visible && end < 2; end++) {
            vec2s along_edge = glms_vec2_scale(cn_perp(n), edge->ends[end]);
            vec2s corner = glms_vec2_add(hull->vertices[i], along_edge);
            for (int k = 0; k < (other_one_sided ? 1 : other->count); k++)
                join_edge(surface, (surface_corner){edge, end, n, corner}, other, k, 2 * tolerance);
        }
    }
}

// True if a part of the edge is visible and ends at no convex corner.
static bool is_inner(const cn_surface *surface, int edge) {
    const cn_surface_edge *e = &surface->edges[edge];
    return e->visible && !surface->one_sided && !is_convex(e, 0) && !is_convex(e, 1);
}

void cn_surface_end(cn_surface *surface, const cn_hull *hull, cn_pose pose) {
    for (int i = 0; i < hull->count; i++) {
        cn_surface_edge *edge = &surface->edges[i];
        bool inner = is_inner(surface, i);
        bool flat = inner && edge->ends[0] == 0 && edge->ends[1] == length_of(hull, i);
        surface->inner |= (unsigned)inner << i;
        surface->flat |= (unsigned)flat << i;
        vec2s offset = glms_vec2_sub(hull->vertices[i], pose.position);
        float start = glms_vec2_dot(cn_perp(hull->normals[i]), offset);
        for (int end = 0; end < 2; end++) {
            surface->parts[i][end] = start + edge->ends[end];
            edge->normals[end] = cn_unrotate(pose.rotation, edge->normals[end]);
        }
    }
}

bool cn_surface_goes_on(const cn_surface *surface, int edge, vec2s own, vec2s normal, vec2s up) {
    const cn_surface_edge *e = &surface->edges[edge];
    int end = cn_cross(own, normal) > 0;
    float beyond = cn_cross(e->normals[end], normal);
    return is_convex(e, end) && glms_vec2_dot(e->normals[end], up) > 0 &&
           (end ? beyond : -beyond) <= CORNER_SLACK;
}

// ---- how a hull touches a surface; everything in the frame of A, the hull with the surface

typedef struct {
    const cn_surface *surface;
    cn_pairw pair;
    cn_hullw a, b;
    int count_a, count_b;
} surface_pair;

static vec2s vector(cn_vec2w v) { return cn_vec(v.x[0], v.y[0]); }
static cn_vec2w lane(vec2s v) { return (cn_vec2w){cn_splatw(v.x), cn_splatw(v.y)}; }
static vec2s normal_of(const surface_pair *m, int edge) { return vector(m->a.normals[edge]); }

static vec2s edge_end(const surface_pair *m, int edge, int end) {
    float along = m->surface->edges[edge].ends[end];
    vec2s along_edge = glms_vec2_scale(cn_perp(normal_of(m, edge)), along);
    return glms_vec2_add(vector(m->a.vertices[edge]), along_edge);
}

// The distance of a hull from the plane through a point.
static float height_above(const cn_hullw *hull, int count, vec2s normal, vec2s point) {
    float least = FLT_MAX;
    for (int i = 0; i < count; i++)
        least = cn_min(least, glms_vec2_dot(normal, vector(hull->vertices[i])));
    return least - glms_vec2_dot(normal, point);
}

static float face_separation(const surface_pair *m, int edge) {
    return height_above(&m->b, m->count_b, normal_of(m, edge), vector(m->a.vertices[edge]));
}

typedef struct {
    float separation;
    int edge;
} face;

static face best_face(const surface_pair *m) {
    face best = {-FLT_MAX, -1};
    for (int i = 0; i < m->count_a; i++) {
        if (!m->surface->edges[i].visible) continue;
        float separation = face_separation(m, i);
        if (separation > best.separation) best = (face){separation, i};
    }
    return best;
}

// Whether a contact of an edge may have a certain normal, from A to B. SKIPPED: the contact belongs
// to the neighbour. SNAPPED: the contact gets the normal of the edge.
typedef enum { ADMITTED, SKIPPED, SNAPPED } admission;

static admission admit_normal(const surface_pair *m, int edge, vec2s normal, float slack) {
    const cn_surface_edge *e = &m->surface->edges[edge];
    int end = cn_cross(normal_of(m, edge), normal) > 0;
    if (!is_convex(e, end)) return SNAPPED;
    float beyond = cn_cross(e->normals[end], normal);
    return (end ? beyond : -beyond) > slack ? SKIPPED : ADMITTED;
}

// The edge of A that faces a normal of B most, among the visible edges that admit this normal; -1
// if none does. There is no slack here: a normal that one edge admits only by the slack may be
// snapped by another edge.
static int admitting_edge(const surface_pair *m, vec2s normal) {
    float least = FLT_MAX;
    int edge = -1;
    for (int i = 0; i < m->count_a; i++) {
        float cosine = glms_vec2_dot(normal, normal_of(m, i));
        bool admits = admit_normal(m, i, glms_vec2_negate(normal), 0) == ADMITTED;
        if (m->surface->edges[i].visible && cosine < least && admits) least = cosine, edge = i;
    }
    return edge;
}

// The edge of B from which A is farthest, among the edges whose normals are admitted.
static face best_edge_of_b(const surface_pair *m) {
    face best = {-FLT_MAX, 0};
    for (int i = 0; i < m->count_b && m->count_b > 1; i++) {
        vec2s n = vector(m->b.normals[i]), corner = vector(m->b.vertices[i]);
        int edge = admitting_edge(m, n);
        if (edge < 0) continue;
        vec2s start = edge_end(m, edge, 0), end = edge_end(m, edge, 1);
        float least = cn_min(glms_vec2_dot(n, start), glms_vec2_dot(n, end));
        least -= glms_vec2_dot(n, corner);
        if (least > best.separation) best = (face){least, i};
    }
    return best;
}

// True if the centre of B is on the far side of a chain: behind this segment and its neighbours.
static bool is_behind(const surface_pair *m, int edge) {
    const cn_surface_edge *e = &m->surface->edges[edge];
    bool behind = m->surface->one_sided;
    for (int end = 0; end < 2 && behind; end++) {
        vec2s offset = glms_vec2_sub(vector(m->pair.offset), edge_end(m, edge, end));
        behind = glms_vec2_dot(normal_of(m, edge), offset) < 0 &&
                 (!is_convex(e, end) || glms_vec2_dot(e->normals[end], offset) < 0);
    }
    return behind;
}

// True if an edge of B shows that B is on the other side of A. If B lies across a crest of thin
// ground, it is deep behind the plane of the top of either hull, and less deep behind the plane of
// the underside, although it is not below the hull. Then an edge of B that faces the same way as
// the underside separates A better. The sharp corner of a hull B that passes a seam has such an
// edge too, so the two normals must be within 60 degrees.
static bool is_wrong_side(const surface_pair *m, face a) {
    if (m->surface->one_sided || a.separation >= -m->pair.tolerance[0]) return false;
    for (int i = 0; i < m->count_b; i++) {
        vec2s n = vector(m->b.normals[i]);
        float height = height_above(&m->a, m->count_a, n, vector(m->b.vertices[i]));
        if (height > a.separation && glms_vec2_dot(n, normal_of(m, a.edge)) > 0.5f) return true;
    }
    return false;
}

// An edge of B, or the visible part of an edge of A.
typedef struct {
    vec2s ends[2];
} line;

static line line_of_a(const surface_pair *m, int edge) {
    return (line){{edge_end(m, edge, 0), edge_end(m, edge, 1)}};
}
static line line_of_b(const surface_pair *m, int edge) {
    int next = edge + 1 < m->count_b ? edge + 1 : 0;
    return (line){{vector(m->b.vertices[edge]), vector(m->b.vertices[next])}};
}

// Two facing edges as manifold_clip.h needs them. If `b` is NULL, edge a is the reference edge.
static cn_facingw make_facing(const surface_pair *m, face a, const face *b) {
    cn_facingw f = {.flip = cn_splat_intw(b ? -1 : 0)};
    f.best = cn_splatw(b ? b->separation : a.separation);
    f.count = b ? m->pair.b.count : m->pair.a.count;
    f.other_count = b ? m->pair.a.count : m->pair.b.count;
    f.reference = cn_splat_intw(b ? b->edge : a.edge);
    f.normal = b ? m->b.normals[b->edge] : m->a.normals[a.edge];
    f.incident = b ? cn_splat_intw(a.edge) : cn_hull_incidentw(&m->b, m->count_b, f.normal);
    line reference = b ? line_of_b(m, b->edge) : line_of_a(m, a.edge);
    line incident = b ? line_of_a(m, a.edge) : line_of_b(m, f.incident[0]);
    f.origin = lane(reference.ends[0]);
    cn_vec2w seen[3] = {lane(reference.ends[1]), lane(incident.ends[0]), lane(incident.ends[1])};
    for (int i = 0; i < 3; i++) seen[i] = cn_unrotatew(f.normal, cn_sub2w(seen[i], f.origin));
    f.length = seen[0].y, f.start = seen[1], f.end = seen[2];
    return f;
}

// True if the contact belongs to a face that continues this edge, because B is farther from that
// face.
static bool belongs_to_neighbour(const surface_pair *m, int edge, const cn_facingw *f) {
    const cn_surface_edge *e = &m->surface->edges[edge];
    int deeper = f->end.x[0] <= f->start.x[0];
    vec2s n = vector(f->normal);
    // An edge of B belongs to the face that it faces most, at the deeper corner.
    bool owned = f->flip[0] && is_convex(e, deeper) &&
                 glms_vec2_dot(e->normals[deeper], n) < glms_vec2_dot(normal_of(m, edge), n);
    for (int end = 0; end < 2 && f->best[0] <= m->pair.tolerance[0]; end++)
        owned |= is_convex(e, end) && height_above(&m->b, m->count_b, e->normals[end],
                                                   edge_end(m, edge, end)) > f->best[0];
    return owned;
}

// Clips the edges against faces only; no corner is preferred.
static cn_touchw touch_faces(const surface_pair *m, const cn_facingw *f) {
    cn_pairw pair = m->pair;
    cn_facingw facing = *f;
    pair.a.count = cn_splat_intw(3); // with this and `best` 0, corners are not nearest features
    facing.best = cn_splatw(0);
    return cn_touch_edgesw(&pair, &facing);
}

// True if the edges overlap along y and are within reach. The tolerance is there because a corner
// of B exactly on a seam must belong to one of the two faces.
static bool is_over_face(const surface_pair *m, const cn_facingw *f, const cn_touchw *touch) {
    cn_floatw slack = m->pair.tolerance;
    cn_intw over = (f->start.y >= -slack) & (f->end.y <= f->length + slack);
    float nearest = cn_min(touch->separations[0][0], touch->separations[1][0]);
    return over[0] && nearest + m->pair.radii[0] <= m->pair.reach[0];
}

static void touch_surface(const surface_pair *m, face a, cn_manifoldw *result) {
    face b = best_edge_of_b(m);
    bool flip = b.separation > a.separation;
    if (!flip && is_wrong_side(m, a)) return;
    if (flip) a.edge = admitting_edge(m, vector(m->b.normals[b.edge]));
    cn_facingw f = make_facing(m, a, flip ? &b : NULL);
    result->separation = f.best - m->pair.radii;
    cn_touchw touch = cn_touch_edgesw(&m->pair, &f);
    if (!touch.touching[0] || belongs_to_neighbour(m, a.edge, &f)) return;

    bool corner = touch.normal.y[0] != 0; // the nearest features are two corners
    if (corner) {
        vec2s normal = vector(cn_rotatew(f.normal, touch.normal));
        admission v =
            admit_normal(m, a.edge, flip ? glms_vec2_negate(normal) : normal, CORNER_SLACK);
        if (v == SKIPPED) return;
        corner = v == ADMITTED;
        if (v == SNAPPED) {
            a.separation = face_separation(m, a.edge);
            f = make_facing(m, a, NULL);
            touch = touch_faces(m, &f);
        }
    }
    if (corner || is_over_face(m, &f, &touch)) cn_manifold_finishw(&m->pair, &f, &touch, result);
}

cn_manifold_row cn_collide_surface(const cn_hull_store *store, const cn_surface *surface, int a,
                                   int b, float margin, float tolerance) {
    // For the gather of boxes, which reads the first hull for nothing, in rows of 16 bytes.
    static _Alignas(16) const cn_hull8 dummy;
    const cn_hull_store hulls = {.placed = store->placed,
                                 .hulls8 = store->hulls8 ? store->hulls8 : &dummy};
    const int32_t first = a, second = b;
    surface_pair m = {.surface = surface};
    m.pair =
        cn_pair_gatherw(store->placed, &first, &second, cn_splatw(margin), cn_splatw(tolerance));
    cn_hull_gatherw(8, &hulls, &m.pair.a, &m.a);
    cn_hull_gatherw(8, &hulls, &m.pair.b, &m.b);
    m.count_a = m.pair.a.count[0], m.count_b = m.pair.b.count[0];
    cn_hull_placew(&m.pair, m.count_b, &m.b);

    cn_manifoldw result = {0};
    face best = best_face(&m);
    if (best.edge >= 0 && !is_behind(&m, best.edge)) touch_surface(&m, best, &result);
    cn_manifold_row row;
    memcpy(&row, &result, sizeof row);
    return row;
}

cn_manifold_row cn_manifold_swapped(const cn_manifold_row *row, vec2s offset) {
    cn_manifoldw m;
    memcpy(&m, row, sizeof m);
    cn_manifoldw swapped = m;
    swapped.normal = cn_flip_sign2w(m.normal, cn_splat_intw(CN_SIGN_BIT));
    for (int i = 0; i < 2; i++) {
        swapped.points[i] = cn_add2w(m.points[1 - i], lane(offset));
        swapped.separations[i] = m.separations[1 - i];
    }
    cn_intw turned = (m.ids >> 8 & 0xff) | (m.ids & 0xff) << 8;
    swapped.ids = (turned & 0x0f0f) << 4 | (turned >> 4 & 0x0f0f);
    swapped.reference = m.reference ^ 8;
    cn_manifold_row result;
    memcpy(&result, &swapped, sizeof result);
    return result;
}
