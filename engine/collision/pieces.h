/* pieces: a mesh whose faces are being joined to convex hulls.
 *
 *   join.c        joins triangles as long as they make a convex hull
 *   recut.c       cuts joined pieces in other ways, so that there are fewer, or fatter ones
 *
 * An edge is inner if both its faces are pieces. One that is taken out is none any more, but its place can
 * be used again. */
#ifndef CN_PIECES_H
#define CN_PIECES_H

#include "decompose.h"

enum { CN_INSIDE = 1, CN_TAKEN_OUT = 2 }; // winding of a half-edge

static inline bool cn_is_inside(const cn_mesh *mesh, int half) {
    return mesh->winding[half] == CN_INSIDE;
}
static inline bool cn_is_inner(const cn_mesh *mesh, int half) {
    return cn_is_inside(mesh, half) && cn_is_inside(mesh, half ^ 1);
}
static inline void cn_take_out(cn_mesh *mesh, int half) {
    cn_unlink_edge(mesh, half);
    mesh->winding[half] = mesh->winding[half ^ 1] = CN_TAKEN_OUT;
}
// Back where it was.
static inline void cn_put_back(cn_mesh *mesh, int half) {
    cn_relink_edge(mesh, half);
    mesh->winding[half] = mesh->winding[half ^ 1] = CN_INSIDE;
}
static inline void cn_cut(cn_mesh *mesh, int half, int from, int to) {
    cn_split_face(mesh, half, from, to);
    mesh->winding[half] = mesh->winding[half ^ 1] = CN_INSIDE;
}

// Is p -> q -> r a corner of a convex polygon, or straight on?
static inline bool cn_turns_left(vec2s p, vec2s q, vec2s r) {
    double turn = cn_orientation(p, q, r);
    return turn > 0 || (turn == 0 && cn_dot2d(cn_between(q, p), cn_between(q, r)) < 0);
}

// Corners of a piece, 9 if there are more. A point on a straight edge is no corner.
int cn_corner_count(const cn_mesh *mesh, int half);
// May the two pieces at an inner edge be one?
bool cn_can_join(cn_mesh *mesh, int half);
void cn_join_pieces(cn_mesh *mesh);
// Searches for fewer pieces until there are no more than `goal`; only for so many, it may add points.
void cn_recut_pieces(cn_mesh *mesh, int goal, int limit);

#endif
