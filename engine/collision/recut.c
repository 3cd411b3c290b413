#include "pieces.h"

enum { MAX_RING = 48, MAX_CUTS = 256 };

// A region: the half-edges around it, and which corners are reflex.
typedef struct {
    int halves[MAX_RING];
    int count;
    int reflex[3], reflex_count;
} region;

static vec2s at(const cn_mesh *mesh, const region *r, int i) {
    return cn_origin(mesh, r->halves[(i + r->count) % r->count]);
}

// False if it is too large, or has more reflex corners than a cut could end at.
static bool find_region(const cn_mesh *mesh, int half, region *r) {
    r->count = r->reflex_count = 0;
    int h = half;
    do {
        if (r->count == MAX_RING) return false;
        r->halves[r->count++] = h;
        h = mesh->next[h];
    } while (h != half);
    for (int i = 0; i < r->count; i++) {
        if (cn_turns_left(at(mesh, r, i - 1), at(mesh, r, i), at(mesh, r, i + 1))) continue;
        if (r->reflex_count == 2) return false;
        r->reflex[r->reflex_count++] = i;
    }
    return true;
}

// Would a cut from corner i to the point leave two convex corners there?
static bool halves_corner(const cn_mesh *mesh, const region *r, int i, vec2s point) {
    vec2s p = at(mesh, r, i);
    return cn_turns_left(point, p, at(mesh, r, i + 1)) && cn_turns_left(at(mesh, r, i - 1), p, point);
}

static bool ends_at(const region *r, int i, int k, int corner) { return i == corner || k == corner; (void)r; }

// Would a cut between corners i and k leave convex pieces? (Their sizes are looked at later.)
static bool is_cut(const cn_mesh *mesh, const region *r, int i, int k) {
    for (int n = 0; n < r->reflex_count; n++)
        if (!ends_at(r, i, k, r->reflex[n])) return false;
    return halves_corner(mesh, r, i, at(mesh, r, k)) && halves_corner(mesh, r, k, at(mesh, r, i));
}

static bool fits(const cn_mesh *mesh, int half) {
    return cn_corner_count(mesh, half) <= CN_MAX_VERTICES &&
           cn_corner_count(mesh, half ^ 1) <= CN_MAX_VERTICES;
}

typedef struct {
    uint8_t from[MAX_CUTS], to[MAX_CUTS];
    int count;
} cuts;

// All cuts of the region into two pieces.
static void find_cuts(const cn_mesh *mesh, const region *r, cuts *c) {
    c->count = 0;
    for (int i = 0; i < r->count; i++)
        for (int k = i + 2; k < r->count - (i == 0); k++) {
            if (c->count == MAX_CUTS || !is_cut(mesh, r, i, k)) continue;
            c->from[c->count] = (uint8_t)i;
            c->to[c->count++] = (uint8_t)k;
        }
}

static int find_join(cn_mesh *mesh, int half) {
    for (int h = mesh->next[half]; h != half; h = mesh->next[h])
        if (cn_is_inner(mesh, h) && cn_can_join(mesh, h)) return h;
    return -1;
}

// ---- numbers that look random

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

// Cuts two pieces in another way. True if one of them could be joined to another then.
static bool recut_pair(cn_mesh *mesh, int half, uint32_t *random) {
    int from = mesh->next[half ^ 1], to = mesh->next[half];
    region r;
    cuts c = {.count = 0};
    cn_unlink_edge(mesh, half);
    if (find_region(mesh, from, &r)) find_cuts(mesh, &r, &c);
    int kept = 0;
    for (int i = 0; i < c.count; i++) {
        int a = r.halves[c.from[i]], b = r.halves[c.to[i]];
        if ((a == from && b == to) || (a == to && b == from)) continue;
        cn_split_face(mesh, half, a, b);
        if (fits(mesh, half)) {
            int join = find_join(mesh, half);
            if (join < 0) join = find_join(mesh, half ^ 1);
            if (join >= 0) {
                cn_take_out(mesh, join);
                return true;
            }
            c.from[kept] = c.from[i], c.to[kept++] = c.to[i];
        }
        cn_unlink_edge(mesh, half);
    }
    int pick = (int)(next_random(random) % (uint32_t)(kept + 1));
    if (pick == kept)
        cn_split_face(mesh, half, from, to);
    else
        cn_split_face(mesh, half, r.halves[c.from[pick]], r.halves[c.to[pick]]);
    return false;
}

// ---- three to two

static bool shares_piece(const cn_mesh *mesh, int a, int b) {
    for (int h = mesh->next[a]; h != a; h = mesh->next[h])
        if (h == b) return true;
    return false;
}

// Splits the border edge `half` at a point, with a free edge.
static void split_border(cn_mesh *mesh, int half, int free_half, int point) {
    mesh->origin[free_half] = (uint16_t)point;
    mesh->origin[free_half ^ 1] = mesh->origin[half ^ 1];
    mesh->origin[half ^ 1] = (uint16_t)point;
    cn_link(mesh, free_half, mesh->next[half]);
    cn_link(mesh, half, free_half);
    mesh->winding[free_half] = CN_INSIDE;
    mesh->winding[free_half ^ 1] = 0;
}
static void unsplit_border(cn_mesh *mesh, int half, int free_half) {
    mesh->origin[half ^ 1] = mesh->origin[free_half ^ 1];
    cn_link(mesh, half, mesh->next[free_half]);
}

// The middle of what corner i sees of an edge straight ahead.
static bool find_end(const cn_mesh *mesh, const region *r, int i, int k, vec2s *end) {
    vec2s p = at(mesh, r, i), a = at(mesh, r, k), b = at(mesh, r, k + 1);
    vec2s before = at(mesh, r, i - 1), after = at(mesh, r, i + 1);
    double low = 0, high = 1;
    double side[2][2] = {{cn_orientation(before, p, a), cn_orientation(before, p, b)},
                         {cn_orientation(p, after, a), cn_orientation(p, after, b)}};
    for (int n = 0; n < 2; n++) {
        double f = side[n][0], g = side[n][1];
        if (f <= 0 && g <= 0) return false;
        if (f < 0) low = fmax(low, f / (f - g));
        if (g < 0) high = fmin(high, f / (f - g));
    }
    if (low >= high) return false;
    cn_vec2d e = cn_between(a, b);
    *end = cn_narrow(cn_add_scaled(cn_widen(a), (low + high) / 2, e));
    return halves_corner(mesh, r, i, *end) && cn_turns_left(p, *end, b) && cn_turns_left(a, *end, p) &&
           cn_turns_left(at(mesh, r, k - 1), a, *end) &&
           cn_turns_left(*end, b, at(mesh, r, k + 2));
}

static bool cut_to_border(cn_mesh *mesh, const region *r, int first, int second) {
    enum { ROOM = sizeof mesh->points / sizeof *mesh->points };
    if (r->reflex_count != 1 || mesh->point_count == ROOM) return false;
    int i = r->reflex[0], m = r->count;
    for (int d = 1; d + 1 < m; d++) {
        int k = (i + d) % m, border = r->halves[k];
        vec2s end;
        if (cn_is_inner(mesh, border) || !find_end(mesh, r, i, k, &end)) continue;
        mesh->points[mesh->point_count] = end;
        split_border(mesh, border, second, mesh->point_count);
        cn_cut(mesh, first, r->halves[i], second);
        if (fits(mesh, first)) {
            mesh->point_count++;
            return true;
        }
        cn_unlink_edge(mesh, first);
        unsplit_border(mesh, border, second);
    }
    return false;
}

static bool cut_to_corner(cn_mesh *mesh, const region *r, int half) {
    cuts c;
    find_cuts(mesh, r, &c);
    for (int i = 0; i < c.count; i++) {
        cn_cut(mesh, half, r->halves[c.from[i]], r->halves[c.to[i]]);
        if (fits(mesh, half)) return true;
        cn_unlink_edge(mesh, half);
    }
    return false;
}

// Two edges of a piece.
static bool recut_three(cn_mesh *mesh, int a, int b, bool may_add) {
    if (!cn_is_inner(mesh, a) || !cn_is_inner(mesh, b) || shares_piece(mesh, a ^ 1, b ^ 1)) return false;
    int from_a = mesh->next[a ^ 1], to_a = mesh->next[a];
    cn_take_out(mesh, a);
    int from_b = mesh->next[b ^ 1], to_b = mesh->next[b];
    cn_take_out(mesh, b);
    region r;
    if (find_region(mesh, mesh->next[b], &r)) {
        if (cut_to_corner(mesh, &r, a)) return true;
        if (may_add && cut_to_border(mesh, &r, a, b)) return true;
    }
    cn_cut(mesh, b, from_b, to_b);
    cn_cut(mesh, a, from_a, to_a);
    return false;
}

static bool recut_piece(cn_mesh *mesh, int half, bool may_add) {
    for (int h = mesh->next[half]; h != half; h = mesh->next[h])
        if (recut_three(mesh, half, h, may_add)) return true;
    return false;
}

// ----

static int count_pieces(const cn_mesh *mesh) { // by Euler's formula? counted.
    int sum = 0;
    bool seen[CN_MESH_HALVES] = {0};
    for (int h = 0; h < 2 * mesh->edge_count; h++) {
        if (!cn_is_inside(mesh, h) || seen[h]) continue;
        sum++;
        int k = h;
        do seen[k] = true, k = mesh->next[k];
        while (k != h);
    }
    return sum;
}

static int recut_all(cn_mesh *mesh, uint32_t *random, bool may_add, bool three) {
    int won = 0;
    for (int e = 0; e < mesh->edge_count; e++) {
        if (cn_is_inner(mesh, 2 * e) && recut_pair(mesh, 2 * e, random)) won++;
        for (int h = 2 * e; three && h <= 2 * e + 1; h++)
            if (cn_is_inner(mesh, h) && recut_piece(mesh, h, may_add)) won++;
    }
    return won;
}
extern int cn_debug_rot, cn_debug_steiner, cn_debug_three;
int cn_debug_steiner=4, cn_debug_three=1, cn_debug_added;
void cn_recut_pieces(cn_mesh *mesh, int goal, int limit) {
    uint32_t random = 1;
    int count = count_pieces(mesh), n = mesh->point_count;
    for (int i = 0; i < cn_debug_rot && count > goal; i++) count -= recut_all(mesh, &random, false, cn_debug_three);
    for (int i = 0; i < cn_debug_steiner && count > limit; i++) count -= recut_all(mesh, &random, true, true);
    cn_debug_added += mesh->point_count - n;
}
