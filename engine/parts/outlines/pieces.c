/* Joins triangles to convex pieces, and looks for fewer and fatter pieces.
 *
 * Hertel and Mehlhorn ("Fast triangulation of simple polygons", 1983) remove an edge of the
 * triangulation if both its ends stay convex. This leaves at most four times as many pieces as
 * needed. Here a piece has at most 8 corners, and short edges are removed first.
 *
 * A local search then comes closer to the least number. It cuts two neighbours in another way:
 *
 *        +-----+                 +-----+         A cut may end at any corner of the two together,
 *       /     /|\               |\     \         but each reflex corner must be one of its ends. If
 *      +  A  / | \    becomes   | \  A  \        one of the new pieces can be joined to a third
 *       \   / B|  \             |  \     +       piece, a piece is saved. Otherwise one of the cuts
 *        +-+---+---+            +---+---+        is picked pseudorandomly, because it may make
 *                                                others possible.
 *
 * At the end the same exchange picks the cut with the fattest pieces, until nothing gets fatter. */
#include "decompose.h"

enum {
    MAX_RING = 40,   // points around two pieces; larger pairs are not cut again
    MAX_CUTS = 256,  // of one pair
    MAX_ROUNDS = 16, // of the search, at most
    IDLE_ROUNDS = 3, // rounds without success that end the search
    FATTEN_ROUNDS = 8,
};

// ---- joining

int cn_count_corners(const cn_mesh *mesh, int half) {
    int count = 0;
    CN_EACH_AROUND(h, mesh, half) {
        count += cn_is_corner(mesh, h);
        if (count > CN_MAX_VERTICES) break;
    }
    return count;
}

int cn_count_pieces(const cn_mesh *mesh) {
    int count = 0;
    for (int h = 0; h < 2 * mesh->edge_count; h++) count += cn_is_piece(mesh, h);
    return count;
}

static int count_points(const cn_mesh *mesh, int half) {
    int count = 0;
    CN_EACH_AROUND(h, mesh, half) count++;
    return count;
}

// True if the corner at the origin of a half-edge is convex without this edge.
static bool is_convex_without(const cn_mesh *mesh, int half) {
    return cn_turns_left(mesh, cn_before(mesh, half), mesh->origin[half],
                         cn_target(mesh, mesh->next[half ^ 1]));
}

// True if the two pieces at an inner edge can become one.
static bool can_join(cn_mesh *mesh, int half) {
    if (!is_convex_without(mesh, half) || !is_convex_without(mesh, half ^ 1)) return false;
    int points = count_points(mesh, half) + count_points(mesh, half ^ 1) - 2;
    if (points <= CN_MAX_VERTICES) return true;
    cn_unlink_edge(mesh, half);
    bool fits = cn_count_corners(mesh, mesh->next[half]) <= CN_MAX_VERTICES;
    cn_relink_edge(mesh, half);
    return fits;
}

static double squared_length(const cn_mesh *mesh, int edge) {
    cn_vec2d e = cn_between(cn_origin(mesh, 2 * edge), cn_origin(mesh, 2 * edge + 1));
    return cn_dot2d(e, e);
}

static bool is_longer(const cn_mesh *mesh, int a, int b) {
    double la = squared_length(mesh, a), lb = squared_length(mesh, b);
    return la > lb || (la == lb && a > b);
}

// Restores the heap, longest edge first, below place i.
static void sift_down(const cn_mesh *mesh, uint16_t *heap, int count, int i) {
    for (int child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && is_longer(mesh, heap[child + 1], heap[child])) child++;
        if (!is_longer(mesh, heap[child], heap[i])) return;
        uint16_t swap = heap[i];
        heap[i] = heap[child];
        heap[child] = swap;
    }
}

// Lists the inner edges, the shortest first.
static void list_by_length(cn_mesh *mesh) {
    uint16_t *heap = mesh->list;
    int count = 0;
    for (int e = 0; e < mesh->edge_count; e++)
        if (cn_is_inner(mesh, 2 * e)) heap[count++] = (uint16_t)e;
    mesh->list_count = count;
    for (int i = count / 2; i-- > 0;) sift_down(mesh, heap, count, i);
    while (count-- > 1) {
        uint16_t swap = heap[0];
        heap[0] = heap[count];
        heap[count] = swap;
        sift_down(mesh, heap, count, 0);
    }
}

void cn_join_pieces(cn_mesh *mesh) {
    list_by_length(mesh);
    for (int i = 0; i < mesh->list_count; i++)
        if (can_join(mesh, 2 * mesh->list[i])) cn_take_out(mesh, 2 * mesh->list[i]);
}

// ---- other cuts

// Two pieces without the edge between them: the half-edges around them, and the reflex corners.
typedef struct {
    int halves[MAX_RING];
    int count;
    int reflex[2], reflex_count;
} pair;

typedef struct {
    uint8_t from[MAX_CUTS], to[MAX_CUTS]; // indices into the half-edges of the pair
    int count;
} cuts;

static int point_at(const cn_mesh *mesh, const pair *p, int i) {
    return mesh->origin[p->halves[(i + p->count) % p->count]];
}

// False if there are too many points.
static bool find_pair(const cn_mesh *mesh, int half, pair *p) {
    p->count = p->reflex_count = 0;
    CN_EACH_AROUND(h, mesh, half) {
        if (p->count == MAX_RING) return false;
        p->halves[p->count++] = h;
    }
    for (int i = 0; i < p->count; i++) {
        if (cn_turns_left(mesh, point_at(mesh, p, i - 1), point_at(mesh, p, i),
                          point_at(mesh, p, i + 1)))
            continue;
        assert(p->reflex_count < 2); // only the ends of the edge between convex pieces
        p->reflex[p->reflex_count++] = i;
    }
    return true;
}

// True if the two parts of corner i are convex after a cut to corner k.
static bool halves_corner(const cn_mesh *mesh, const pair *p, int i, int k) {
    int at = point_at(mesh, p, i), to = point_at(mesh, p, k);
    return cn_turns_left(mesh, to, at, point_at(mesh, p, i + 1)) &&
           cn_turns_left(mesh, point_at(mesh, p, i - 1), at, to);
}

static bool is_cut(const cn_mesh *mesh, const pair *p, int i, int k) {
    for (int n = 0; n < p->reflex_count; n++)
        if (p->reflex[n] != i && p->reflex[n] != k) return false;
    return halves_corner(mesh, p, i, k) && halves_corner(mesh, p, k, i);
}

static void find_cuts(const cn_mesh *mesh, const pair *p, cuts *c) {
    for (int i = 0; i < p->count; i++)
        for (int k = i + 2; k < p->count - (i == 0); k++) {
            if (c->count == MAX_CUTS || !is_cut(mesh, p, i, k)) continue;
            c->from[c->count] = (uint8_t)i;
            c->to[c->count++] = (uint8_t)k;
        }
}

static bool fits(const cn_mesh *mesh, int half) {
    return cn_count_corners(mesh, half) <= CN_MAX_VERTICES &&
           cn_count_corners(mesh, half ^ 1) <= CN_MAX_VERTICES;
}

// Area divided by squared perimeter of a piece.
static double fatness(const cn_mesh *mesh, int half) {
    double area = 0, perimeter = 0;
    CN_EACH_AROUND(h, mesh, half) {
        vec2s a = cn_origin(mesh, h), b = cn_origin(mesh, h ^ 1);
        cn_vec2d e = cn_between(a, b);
        area += cn_cross2d(cn_between(cn_origin(mesh, half), a), e);
        perimeter += sqrt(cn_dot2d(e, e));
    }
    return area / (perimeter * perimeter);
}

static double least_fatness(const cn_mesh *mesh, int half) {
    return fmin(fatness(mesh, half), fatness(mesh, half ^ 1));
}

// Takes out another edge of the piece, if possible.
static bool join_neighbour(cn_mesh *mesh, int half) {
    for (int h = mesh->next[half]; h != half; h = mesh->next[h]) {
        if (!cn_is_inner(mesh, h) || !can_join(mesh, h)) continue;
        cn_take_out(mesh, h);
        return true;
    }
    return false;
}

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

// Removes the edge between two pieces, and finds the cuts that may replace it.
static void unlink_pair(cn_mesh *mesh, int half, pair *p, cuts *c) {
    int from = mesh->next[half ^ 1];
    c->count = 0;
    cn_unlink_edge(mesh, half);
    if (find_pair(mesh, from, p)) find_cuts(mesh, p, c);
}

// True if a piece is saved. Otherwise the two pieces get some cut, perhaps the old one.
static bool save_piece(cn_mesh *mesh, int half, uint32_t *random) {
    int from = mesh->next[half ^ 1], to = mesh->next[half], kept = 0;
    pair p;
    cuts c;
    unlink_pair(mesh, half, &p, &c);
    for (int i = 0; i < c.count; i++) {
        cn_split_face(mesh, half, p.halves[c.from[i]], p.halves[c.to[i]]);
        if (fits(mesh, half)) {
            if (join_neighbour(mesh, half) || join_neighbour(mesh, half ^ 1)) return true;
            c.from[kept] = c.from[i];
            c.to[kept++] = c.to[i];
        }
        cn_unlink_edge(mesh, half);
    }
    uint32_t pick = next_random(random) % (uint32_t)(kept + 1);
    if (pick < (uint32_t)kept) from = p.halves[c.from[pick]], to = p.halves[c.to[pick]];
    cn_split_face(mesh, half, from, to);
    return false;
}

void cn_recut_pieces(cn_mesh *mesh, int goal) {
    uint32_t random = 1;
    int count = cn_count_pieces(mesh);
    for (int i = 0, idle = 0; i < MAX_ROUNDS && idle < IDLE_ROUNDS; i++) {
        int saved = 0;
        for (int h = 0; h < 2 * mesh->edge_count && count - saved > goal; h += 2)
            if (cn_is_inner(mesh, h) && save_piece(mesh, h, &random)) saved++;
        count -= saved;
        if (count <= goal) return;
        idle = saved ? 0 : idle + 1;
    }
}

// Cuts two pieces so that the thinner one is as fat as possible. True if it is fatter now.
static bool fatten_pair(cn_mesh *mesh, int half) {
    int from = mesh->next[half ^ 1], to = mesh->next[half];
    double before = least_fatness(mesh, half), best = before;
    pair p;
    cuts c;
    unlink_pair(mesh, half, &p, &c);
    for (int i = 0; i < c.count; i++) {
        cn_split_face(mesh, half, p.halves[c.from[i]], p.halves[c.to[i]]);
        double fat = least_fatness(mesh, half);
        if (fat > best * (1 + 1e-9) && fits(mesh, half)) {
            best = fat;
            from = p.halves[c.from[i]];
            to = p.halves[c.to[i]];
        }
        cn_unlink_edge(mesh, half);
    }
    cn_split_face(mesh, half, from, to);
    return best > before;
}

void cn_fatten_pieces(cn_mesh *mesh) {
    bool changed = true;
    for (int i = 0; i < FATTEN_ROUNDS && changed; i++) {
        changed = false;
        for (int h = 0; h < 2 * mesh->edge_count; h += 2)
            if (cn_is_inner(mesh, h) && fatten_pair(mesh, h)) changed = true;
    }
}
