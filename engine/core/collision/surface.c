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

static_assert(sizeof(cn_manifold_row) == sizeof(cn_manifoldw), "lanes of four bytes in a row");

// ---- the surface of a hull alone

static float turn_of(vec2s before, vec2s after) {
    float cosine = glms_vec2_dot(before, after);
    return cn_cross(before, after) < 0 ? cosine - 1 : 1 - cosine;
}
// True if a corner with this turn is convex, not flat (within 0.01 rad) or concave.
static bool is_convex_turn(float turn) { return turn > 5e-5f && turn <= CN_LARGEST_TURN; }
static bool is_convex(const cn_surface_edge *edge, int end) {
    return is_convex_turn(edge->turns[end]);
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
    if (cn_abs(glms_vec2_dot(m, offset)) > near) return;
    float along = glms_vec2_dot(cn_perp(m), offset), length = length_of(other, k);
    float passed = end ? along : length - along;
    if (passed < -near || passed >= length - near) return;
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

// True if the next edge of the hull itself goes on at an end, or one that is parallel to it.
static bool is_own_end(const cn_surface_edge *e, const cn_hull *hull, int edge, int end) {
    int next = (edge + (end ? 1 : hull->count - 1)) % hull->count;
    float turn = turn_of(e->normals[end], hull->normals[next]);
    return !is_convex_turn(cn_abs(turn));
}

static bool is_plain(const cn_surface *surface, const cn_hull *hull, int edge) {
    const cn_surface_edge *e = &surface->edges[edge];
    bool plain =
        e->visible && !surface->one_sided && e->ends[0] == 0 && e->ends[1] == length_of(hull, edge);
    for (int end = 0; end < 2; end++) plain &= !is_convex(e, end) || is_own_end(e, hull, edge, end);
    return plain;
}

void cn_surface_end(cn_surface *surface, const cn_hull *hull, cn_rotation frame) {
    for (int i = 0; i < hull->count; i++) {
        cn_surface_edge *edge = &surface->edges[i];
        surface->plain |= (unsigned)is_plain(surface, hull, i) << i;
        for (int end = 0; end < 2; end++) {
            surface->convex[end] |= (unsigned)is_convex(edge, end) << i;
            edge->normals[end] = cn_unrotate(frame, edge->normals[end]);
        }
    }
}

bool cn_surface_goes_on(const cn_surface *surface, int edge, vec2s own, vec2s normal, vec2s up) {
    const cn_surface_edge *e = &surface->edges[edge];
    int end = cn_cross(own, normal) > 0;
    float beyond = cn_cross(e->normals[end], normal);
    return is_convex(e, end) && glms_vec2_dot(e->normals[end], up) > 0 &&
           (end ? beyond : -beyond) <= CN_CORNER_SLACK;
}

// ---- how two surfaces touch; everything in the frame of A

typedef struct {
    const cn_surface *surface; // NULL: a hull alone
    cn_hullw hull;
    int count; // of its vertices
} side;

// A has a surface.
typedef struct {
    cn_pairw pair;
    side a, b;
} surface_pair;

static vec2s vector(cn_vec2w v) { return cn_vec(v.x[0], v.y[0]); }
static cn_vec2w lane(vec2s v) { return (cn_vec2w){cn_splatw(v.x), cn_splatw(v.y)}; }
static vec2s normal_of(const side *s, int edge) { return vector(s->hull.normals[edge]); }
static vec2s vertex_of(const side *s, int i) { return vector(s->hull.vertices[i]); }

static bool is_visible(const side *s, int edge) {
    return !s->surface || s->surface->edges[edge].visible;
}

static vec2s edge_end(const side *s, int edge, int end) {
    if (!s->surface) return vertex_of(s, edge + end < s->count ? edge + end : 0);
    float along = s->surface->edges[edge].ends[end];
    vec2s along_edge = glms_vec2_scale(cn_perp(normal_of(s, edge)), along);
    return glms_vec2_add(vertex_of(s, edge), along_edge);
}

// Whether a contact of an edge may have a certain normal, away from its side. SKIPPED: the contact
// belongs to the neighbour. SNAPPED: the contact gets the normal of the edge.
typedef enum { ADMITTED, SKIPPED, SNAPPED } admission;

static admission admit_normal(const side *s, int edge, vec2s normal, float slack) {
    if (!s->surface) return ADMITTED;
    const cn_surface_edge *e = &s->surface->edges[edge];
    int end = cn_cross(normal_of(s, edge), normal) > 0;
    if (!is_convex(e, end)) return SNAPPED;
    float beyond = cn_cross(e->normals[end], normal);
    return (end ? beyond : -beyond) > slack ? SKIPPED : ADMITTED;
}

// The edge that faces a normal of the other side most, among the visible edges that admit this
// normal; -1 if none does. Without a slack, an edge does not admit its own normal at a flat end.
static int admitting_edge(const side *s, vec2s normal, float slack) {
    float least = FLT_MAX;
    int edge = -1;
    for (int i = 0; i < s->count; i++) {
        vec2s own = normal_of(s, i);
        float cosine = glms_vec2_dot(normal, own);
        if (cosine >= least || !is_visible(s, i)) continue;
        bool parallel = cosine < 0 && cn_abs(cn_cross(own, normal)) < slack;
        if (parallel || admit_normal(s, i, glms_vec2_negate(normal), slack) == ADMITTED)
            least = cosine, edge = i;
    }
    return edge;
}

// The distance of a hull from the plane through a point.
static float hull_height(const side *s, vec2s normal, vec2s point) {
    float least = FLT_MAX;
    for (int i = 0; i < s->count; i++)
        least = cn_min(least, glms_vec2_dot(normal, vertex_of(s, i)));
    return least - glms_vec2_dot(normal, point);
}

// The same for the visible edge of a surface that admits the normal of the plane; -FLT_MAX if none
// does.
static float height_above(const side *s, vec2s normal, vec2s point, float slack) {
    if (!s->surface) return hull_height(s, normal, point);
    int edge = admitting_edge(s, normal, slack);
    if (edge < 0) return -FLT_MAX;
    vec2s start = edge_end(s, edge, 0), end = edge_end(s, edge, 1);
    float least = cn_min(glms_vec2_dot(normal, start), glms_vec2_dot(normal, end));
    return least - glms_vec2_dot(normal, point);
}

typedef struct {
    float separation;
    int edge; // -1: none
} face;

// The edge of a side from which the other side is farthest.
static face best_face(const side *s, const side *other, float slack) {
    face best = {-FLT_MAX, -1};
    for (int i = 0; i < s->count && s->count > 1; i++) {
        if (!is_visible(s, i)) continue;
        float separation = height_above(other, normal_of(s, i), vertex_of(s, i), slack);
        if (separation > best.separation) best = (face){separation, i};
    }
    return best;
}

// An edge of B gets no slack: a normal that one edge of A admits only by the slack may be snapped
// by another edge. An edge of A gets it, so two parallel faces touch along the normal of A.
static face best_edge_of_a(const surface_pair *m) {
    return best_face(&m->a, &m->b, CN_CORNER_SLACK);
}
static face best_edge_of_b(const surface_pair *m) { return best_face(&m->b, &m->a, 0); }

// True if the centre of B is on the far side of a chain: behind this segment and its neighbours.
static bool is_behind(const surface_pair *m, int edge) {
    if (edge < 0 || !m->a.surface->one_sided) return false;
    const cn_surface_edge *e = &m->a.surface->edges[edge];
    bool behind = true;
    for (int end = 0; end < 2 && behind; end++) {
        vec2s offset = glms_vec2_sub(vector(m->pair.offset), edge_end(&m->a, edge, end));
        behind = glms_vec2_dot(normal_of(&m->a, edge), offset) < 0 &&
                 (!is_convex(e, end) || glms_vec2_dot(e->normals[end], offset) < 0);
    }
    return behind;
}

// True if an edge of B shows that B is on the other side of A. If B lies across a crest of thin
// ground, it is deep behind the plane of the top of either hull, and less deep behind the plane of
// the underside, although it is not below the hull. Then an edge of B that faces the same way as
// the underside separates A better. The sharp corner of a hull B that passes a seam has such an
// edge too, so the two normals must be within 60 degrees.
static bool is_across_crest(const surface_pair *m, face a) {
    if (m->a.surface->one_sided || a.separation >= -m->pair.tolerance[0]) return false;
    for (int i = 0; i < m->b.count; i++) {
        vec2s n = normal_of(&m->b, i);
        if (is_visible(&m->b, i) && glms_vec2_dot(n, normal_of(&m->a, a.edge)) > 0.5f &&
            hull_height(&m->a, n, vertex_of(&m->b, i)) > a.separation)
            return true;
    }
    return false;
}

// True if the best face is on the wrong side. If two hulls are pressed into each other beside their
// corners, a face on the far side may be the only one that is admitted, because the contact belongs
// to other hulls. Such a face would push the centres of the two hulls past each other. A lone hull
// stays on its side of the ground, however deep it is.
static bool is_wrong_side(const surface_pair *m, face best, bool flip) {
    if (m->a.surface->of_ground && !m->b.surface) return !flip && is_across_crest(m, best);
    float apart = glms_vec2_dot(normal_of(flip ? &m->b : &m->a, best.edge), vector(m->pair.offset));
    return (flip ? -apart : apart) < 0;
}

// Two facing edges as manifold_clip.h needs them, and which they are. If `flip` is true, the
// reference edge belongs to B.
typedef struct {
    cn_facingw f;
    bool flip;
    int edges[2]; // of A, of B
} facing_edges;

static facing_edges make_facing(const surface_pair *m, face reference, bool flip) {
    const side *s = flip ? &m->b : &m->a, *other = flip ? &m->a : &m->b;
    facing_edges result = {.flip = flip};
    cn_facingw *f = &result.f;
    f->flip = cn_splat_intw(flip ? -1 : 0);
    f->best = cn_splatw(reference.separation);
    f->count = flip ? m->pair.b.count : m->pair.a.count;
    f->other_count = flip ? m->pair.a.count : m->pair.b.count;
    f->reference = cn_splat_intw(reference.edge);
    f->normal = s->hull.normals[reference.edge];
    int incident = -1;
    if (other->surface)
        incident = admitting_edge(other, vector(f->normal), flip ? 0 : CN_CORNER_SLACK);
    f->incident = incident >= 0 ? cn_splat_intw(incident)
                                : cn_hull_incidentw(&other->hull, other->count, f->normal);
    result.edges[flip] = reference.edge;
    result.edges[!flip] = f->incident[0];
    f->origin = lane(edge_end(s, reference.edge, 0));
    cn_vec2w seen[3] = {lane(edge_end(s, reference.edge, 1)),
                        lane(edge_end(other, f->incident[0], 0)),
                        lane(edge_end(other, f->incident[0], 1))};
    for (int i = 0; i < 3; i++) seen[i] = cn_unrotatew(f->normal, cn_sub2w(seen[i], f->origin));
    f->length = seen[0].y, f->start = seen[1], f->end = seen[2];
    return result;
}

// True if the contact belongs to a face that continues the edge of a side, because the other side
// is farther from that face.
static bool belongs_to_neighbour(const surface_pair *m, const facing_edges *facing, bool of_b) {
    const side *s = of_b ? &m->b : &m->a, *other = of_b ? &m->a : &m->b;
    if (!s->surface) return false;
    const cn_facingw *f = &facing->f;
    const int edge = facing->edges[of_b], deeper = f->end.x[0] <= f->start.x[0];
    const cn_surface_edge *e = &s->surface->edges[edge];
    vec2s n = vector(f->normal);
    // An incident edge belongs to the face that it faces most, at the deeper corner.
    bool owned = facing->flip != of_b && is_convex(e, deeper) &&
                 glms_vec2_dot(e->normals[deeper], n) < glms_vec2_dot(normal_of(s, edge), n);
    for (int end = 0; end < 2 && f->best[0] <= m->pair.tolerance[0]; end++)
        owned |= is_convex(e, end) && height_above(other, e->normals[end], edge_end(s, edge, end),
                                                   CN_CORNER_SLACK) > f->best[0];
    return owned;
}

// Clips the edges against faces only; no corner is preferred.
static cn_touchw touch_faces(const surface_pair *m, const cn_facingw *f) {
    cn_pairw pair = m->pair;
    cn_facingw faces = *f;
    pair.a.count = cn_splat_intw(3); // with this and `best` 0, corners are not nearest features
    faces.best = cn_splatw(0);
    return cn_touch_edgesw(&pair, &faces);
}

// True if the edges overlap along y and are within reach. The tolerance is there because a corner
// of B exactly on a seam must belong to one of the two faces.
static bool is_over_face(const surface_pair *m, const cn_facingw *f, const cn_touchw *touch) {
    cn_floatw slack = m->pair.tolerance;
    cn_intw over = (f->start.y >= -slack) & (f->end.y <= f->length + slack);
    float nearest = cn_min(touch->separations[0][0], touch->separations[1][0]);
    return over[0] && nearest + m->pair.radii[0] <= m->pair.reach[0];
}

// Whether both edges admit the normal from A to B of two corners. If A snaps it, A gets the
// reference edge.
static admission admit_corners(const surface_pair *m, const facing_edges *facing,
                               const cn_touchw *touch, bool *snapped_by_a) {
    vec2s normal = vector(cn_rotatew(facing->f.normal, touch->normal));
    if (facing->flip) normal = glms_vec2_negate(normal);
    admission a = admit_normal(&m->a, facing->edges[0], normal, CN_CORNER_SLACK);
    admission b = admit_normal(&m->b, facing->edges[1], glms_vec2_negate(normal), CN_CORNER_SLACK);
    *snapped_by_a = a == SNAPPED;
    if (a == SKIPPED || b == SKIPPED) return SKIPPED;
    return a == SNAPPED || b == SNAPPED ? SNAPPED : ADMITTED;
}

static void touch_surfaces(const surface_pair *m, cn_manifoldw *result) {
    face a = best_edge_of_a(m);
    if (is_behind(m, a.edge)) return;
    face b = best_edge_of_b(m);
    bool flip = b.separation > a.separation;
    const face best = flip ? b : a;
    if (best.edge < 0 || is_wrong_side(m, best, flip)) return;
    facing_edges facing = make_facing(m, best, flip);
    result->separation = facing.f.best - m->pair.radii;
    cn_touchw touch = cn_touch_edgesw(&m->pair, &facing.f);
    if (!touch.touching[0] || belongs_to_neighbour(m, &facing, false) ||
        belongs_to_neighbour(m, &facing, true))
        return;

    bool corner = touch.normal.y[0] != 0; // the nearest features are two corners
    if (corner) {
        bool snapped_by_a;
        admission admitted = admit_corners(m, &facing, &touch, &snapped_by_a);
        if (admitted == SKIPPED) return;
        corner = admitted == ADMITTED;
        if (snapped_by_a && flip) {
            int edge = facing.edges[0];
            float height = hull_height(&m->b, normal_of(&m->a, edge), vertex_of(&m->a, edge));
            facing = make_facing(m, (face){height, edge}, false);
        }
        if (!corner) touch = touch_faces(m, &facing.f);
    }
    if (corner || is_over_face(m, &facing.f, &touch))
        cn_manifold_finishw(&m->pair, &facing.f, &touch, result);
}

// Returns a surface with the normals turned into another frame.
static cn_surface turned_surface(const cn_surface *surface, int count, cn_rotation turn) {
    cn_surface turned = *surface;
    for (int i = 0; i < count; i++)
        for (int end = 0; end < 2; end++)
            turned.edges[i].normals[end] = cn_rotate(turn, surface->edges[i].normals[end]);
    return turned;
}

// Exchanges A and B. `from_a` is the centre of B minus that of A.
static void exchange_sides(cn_manifoldw *m, cn_vec2w from_a) {
    cn_manifoldw old = *m;
    cn_vec2w zero = {cn_splatw(0), cn_splatw(0)};
    m->normal = cn_sub2w(zero, old.normal);
    for (int i = 0; i < 2; i++) {
        m->points[i] = cn_add2w(old.points[1 - i], from_a);
        m->separations[i] = old.separations[1 - i];
    }
    cn_intw turned = (old.ids & 0x0f0f) << 4 | (old.ids >> 4 & 0x0f0f);
    m->ids = (turned & 255) << 8 | turned >> 8;
    m->reference = old.reference ^ 8;
}

// ---- the call

static surface_pair gather(const cn_hull_store *store, const cn_surface_pair *pair, float margin,
                           float tolerance) {
    // For the gather of boxes, which reads the first hull for nothing, in rows of 16 bytes.
    static _Alignas(16) const cn_hull8 dummy;
    const cn_hull_store hulls = {.placed = store->placed,
                                 .hulls8 = store->hulls8 ? store->hulls8 : &dummy};
    const bool exchanged = !pair->surfaces[0];
    const int32_t a = pair->hulls[exchanged], b = pair->hulls[!exchanged];
    surface_pair m = {.a.surface = pair->surfaces[exchanged]};
    m.pair = cn_pair_gatherw(store->placed, &a, &b, cn_splatw(margin), cn_splatw(tolerance));
    cn_hull_gatherw(8, &hulls, &m.pair.a, &m.a.hull);
    cn_hull_gatherw(8, &hulls, &m.pair.b, &m.b.hull);
    m.a.count = m.pair.a.count[0], m.b.count = m.pair.b.count[0];
    cn_hull_placew(&m.pair, m.b.count, &m.b.hull);
    return m;
}

cn_manifold_row cn_collide_surfaces(const cn_hull_store *store, const cn_surface_pair *pair,
                                    float margin, float tolerance) {
    surface_pair m = gather(store, pair, margin, tolerance);
    cn_surface surface_b;
    if (pair->surfaces[0] && pair->surfaces[1]) {
        cn_rotation turn = {m.pair.turn.x[0], m.pair.turn.y[0]};
        surface_b = turned_surface(pair->surfaces[1], m.b.count, turn);
        m.b.surface = &surface_b;
    }
    cn_manifoldw result = {0};
    touch_surfaces(&m, &result);
    if (!pair->surfaces[0] && result.count[0])
        exchange_sides(&result, cn_sub2w(m.pair.a.center, m.pair.b.center));
    cn_manifold_row row;
    memcpy(&row, &result, sizeof row);
    return row;
}
