/* Meshes of half-edges, which decompose outlines with holes.
 *
 *   outline.c       reads outlines and drops points that are no corners
 *   triangulate.c   makes their constrained Delaunay triangulation
 *   pieces.c        joins triangles to convex pieces, and looks for fewer and fatter pieces
 *   cut.c           the other method for convex pieces: one cut for each reflex corner
 *   decompose.c     makes hulls of the pieces: cn_outline_decompose()
 *
 * The half-edges 2 e and 2 e + 1 are the two directions of edge e. Each is linked to the next and
 * the previous half-edge around the face on its left, counter-clockwise:
 *
 *               c
 *        prev /   \ next         origin[h] is a; h ^ 1 is the other direction, b -> a;
 *            /     \             next[h] is b -> c, prev[h] is c -> a.
 *           a ----> b
 *               h                The outer face is a ring too, around all other faces.
 *
 * winding[h] is the number of times that the outlines wind around the face on the left of h. Faces
 * of winding 1 are inside, and become the pieces. A mesh needs no other memory. It is on the stack
 * and has about 45 kB. */
#ifndef CN_DECOMPOSE_H
#define CN_DECOMPOSE_H

#include "../../core/collision/collision.h"

enum {
    CN_MESH_EDGES = 3 * CN_MAX_OUTLINE_POINTS,
    CN_MESH_HALVES = 2 * CN_MESH_EDGES,
    CN_MESH_POINTS = CN_MAX_OUTLINE_POINTS + CN_MAX_OUTLINE_POINTS / 2
};

// A corner of an outline, with the edge that leaves it. Outline 0 goes counter-clockwise, holes
// clockwise.
typedef struct {
    vec2s at;
    int16_t outline, edge; // the user's numbers
    uint16_t next, prev;   // corners of the same outline
    uint16_t point;        // of the mesh
    bool dropped;
} cn_corner;

typedef struct {
    cn_corner corners[CN_MAX_OUTLINE_POINTS];
    int corner_count;             // including dropped corners
    vec2s points[CN_MESH_POINTS]; // of the corners, by x, then by y, each once; then those of cut.c
    int point_count;              // including those of cut.c
    int exact_count; // turns among this many first points are exact, others to within rounding
    uint16_t origin[CN_MESH_HALVES], next[CN_MESH_HALVES], prev[CN_MESH_HALVES];
    int8_t winding[CN_MESH_HALVES];
    int8_t net[CN_MESH_EDGES]; // outlines that run along half-edge 2 e, minus those along 2 e + 1
    int16_t source[CN_MESH_EDGES]; // a corner whose edge lies here; -1: there is none
    int edge_count;
    uint16_t list[CN_MESH_EDGES]; // scratch: edges or half-edges
    int list_count;
    cn_vec2d rounding; // of coordinates
} cn_mesh;

// The winding of a half-edge that is taken out. Its place can be used for another edge.
enum { CN_TAKEN_OUT = 126 };

// ---- exact signs (triangulate.c)

// Twice the area of the triangle, positive if it is counter-clockwise. The sign is exact.
double cn_orientation(vec2s a, vec2s b, vec2s c);
// The same for points of a mesh. If they are not all exact, it is 0 if they lie on a line to within
// rounding.
double cn_turn(const cn_mesh *mesh, int a, int b, int c);
// True if the corner b of a -> b -> c is convex or straight.
bool cn_turns_left(const cn_mesh *mesh, int a, int b, int c);

// ---- edges

static inline int cn_target(const cn_mesh *mesh, int half) { return mesh->origin[half ^ 1]; }
static inline int cn_before(const cn_mesh *mesh, int half) {
    return mesh->origin[mesh->prev[half]];
}
static inline vec2s cn_origin(const cn_mesh *mesh, int half) {
    return mesh->points[mesh->origin[half]];
}
static inline void cn_link(cn_mesh *mesh, int half, int next) {
    mesh->next[half] = (uint16_t)next;
    mesh->prev[next] = (uint16_t)half;
}
// Removes an edge, so that its two faces become one. The edge keeps its own links, so
// cn_relink_edge() can put it back as long as nothing else has changed.
static inline void cn_unlink_edge(cn_mesh *mesh, int half) {
    int twin = half ^ 1;
    cn_link(mesh, mesh->prev[half], mesh->next[twin]);
    cn_link(mesh, mesh->prev[twin], mesh->next[half]);
}
static inline void cn_relink_edge(cn_mesh *mesh, int half) {
    for (int h = half, i = 0; i < 2; i++, h ^= 1) {
        cn_link(mesh, mesh->prev[h], h);
        cn_link(mesh, h, mesh->next[h]);
    }
}
// Splits a face by an edge from the origin of `from` to the origin of `to`, both of one ring.
static inline void cn_split_face(cn_mesh *mesh, int half, int from, int to) {
    int twin = half ^ 1, before_from = mesh->prev[from], before_to = mesh->prev[to];
    mesh->origin[half] = mesh->origin[from];
    mesh->origin[twin] = mesh->origin[to];
    cn_link(mesh, before_from, half);
    cn_link(mesh, half, to);
    cn_link(mesh, before_to, twin);
    cn_link(mesh, twin, from);
}
// Visits the half-edges of a face once: CN_EACH_AROUND(h, mesh, half) { ... }
#define CN_EACH_AROUND(h, mesh, half)                                                              \
    for (int h = (half), h##_first = 1; h##_first || h != (half);                                  \
         h = (mesh)->next[h], h##_first = 0)

// True if two half-edges have the same face.
static inline bool cn_shares_face(const cn_mesh *mesh, int a, int b) {
    CN_EACH_AROUND(h, mesh, a)
        if (h == b) return true;
    return false;
}

// ---- pieces (pieces.c)

static inline bool cn_is_inside(const cn_mesh *mesh, int half) { return mesh->winding[half] == 1; }
static inline bool cn_is_inner(const cn_mesh *mesh, int half) { // with a piece on both sides
    return cn_is_inside(mesh, half) && cn_is_inside(mesh, half ^ 1);
}
static inline void cn_take_out(cn_mesh *mesh, int half) {
    cn_unlink_edge(mesh, half);
    mesh->winding[half] = mesh->winding[half ^ 1] = CN_TAKEN_OUT;
}
static inline void cn_put_in(cn_mesh *mesh, int half, int from, int to) {
    cn_split_face(mesh, half, from, to);
    mesh->winding[half] = mesh->winding[half ^ 1] = 1;
}
// True if this half-edge is the one that represents its piece.
static inline bool cn_is_piece(const cn_mesh *mesh, int half) {
    if (!cn_is_inside(mesh, half)) return false;
    CN_EACH_AROUND(h, mesh, half)
        if (h < half) return false;
    return true;
}
// True if the half-edge leaves a corner. (A point on a straight edge is no corner.)
static inline bool cn_is_corner(const cn_mesh *mesh, int half) {
    return cn_turn(mesh, cn_before(mesh, half), mesh->origin[half], cn_target(mesh, half)) > 0;
}
// The number of corners of a piece; 9 if it has more than 8.
int cn_count_corners(const cn_mesh *mesh, int half);
int cn_count_pieces(const cn_mesh *mesh);
// Joins convex pieces to larger pieces as far as possible.
void cn_join_pieces(cn_mesh *mesh);
// Cut pairs of pieces in other ways. cn_recut_pieces() leaves fewer pieces, down to `goal`;
// cn_fatten_pieces() makes them fatter.
void cn_recut_pieces(cn_mesh *mesh, int goal);
void cn_fatten_pieces(cn_mesh *mesh);

// ---- the stages

// False, with the error recorded, if the outlines are not valid.
bool cn_read_outlines(cn_mesh *mesh, const cn_outline *outlines, int count);
// Makes the mesh of the corners. False, with the error recorded, if edges cross or holes lie
// outside.
bool cn_triangulate(cn_mesh *mesh);
// Accepts any mesh. False if it fails; then the mesh is useless.
bool cn_cut_reflex_corners(cn_mesh *mesh);

#endif
