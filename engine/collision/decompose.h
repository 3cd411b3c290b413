/* decompose: outlines with holes, as meshes of half-edges.
 *
 *   outline.c       reads outlines: checks them, drops points that are none
 *   triangulate.c   the constrained Delaunay triangulation of them
 *   decompose.c     joins its triangles to few and fat convex hulls: cn_decompose()
 *
 * Half-edges 2 e and 2 e + 1 are the two directions of edge e. Each has the face on its left, and is
 * linked to the next and the previous one around that face, counter-clockwise:
 *
 *              c                    origin[h] = a        h ^ 1: the other direction
 *       prev /   \ next             next[h]: b -> c      prev[h]: c -> a
 *          /   h   \
 *         a ------> b               (the outer face is a ring, too, around all others)
 *
 * A mesh has no memory of its own. It lives on the stack. */
#ifndef CN_DECOMPOSE_H
#define CN_DECOMPOSE_H

#include "collision.h"

enum { CN_MESH_EDGES = 3 * CN_MAX_OUTLINE_POINTS, CN_MESH_HALVES = 2 * CN_MESH_EDGES };

// A corner of an outline, and the edge that leaves it: the outside goes counter-clockwise, holes clockwise.
typedef struct {
    vec2s at;
    int16_t outline, edge; // as the user counts them
    uint16_t next, prev;   // corners of this outline
    uint16_t point;        // of the mesh
    bool dropped;
} cn_corner;

typedef struct {
    cn_corner corners[CN_MAX_OUTLINE_POINTS];
    int corner_count;
    vec2s points[CN_MAX_OUTLINE_POINTS + CN_MAX_OUTLINE_POINTS / 4]; // distinct, sorted by x, then y
    int point_count;
    uint16_t origin[CN_MESH_HALVES], next[CN_MESH_HALVES], prev[CN_MESH_HALVES];
    int8_t winding[CN_MESH_HALVES]; // how often the outlines go round the face on the left
    int8_t net[CN_MESH_EDGES];      // outlines that go along the half-edge 2 e less those along 2 e + 1
    int16_t source[CN_MESH_EDGES];  // a corner whose edge lies here, -1 if there is none
    uint16_t list[CN_MESH_EDGES];   // of edges or half-edges, for whoever needs one
    int edge_count;
} cn_mesh;

// Twice the area of the triangle; its sign is exact: positive if it is counter-clockwise.
double cn_orientation(vec2s a, vec2s b, vec2s c);

static inline vec2s cn_origin(const cn_mesh *mesh, int half) {
    return mesh->points[mesh->origin[half]];
}
static inline void cn_link(cn_mesh *mesh, int half, int next) {
    mesh->next[half] = (uint16_t)next;
    mesh->prev[next] = (uint16_t)half;
}
// Takes an edge out, so that its two faces are one. Its own links stay as they are: edges that are put
// back in the opposite order, where they were, undo it.
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
// Splits a face by the edge from the origin of `from` to that of `to`, which are in its ring.
static inline void cn_split_face(cn_mesh *mesh, int half, int from, int to) {
    int twin = half ^ 1, before_from = mesh->prev[from], before_to = mesh->prev[to];
    mesh->origin[half] = mesh->origin[from];
    mesh->origin[twin] = mesh->origin[to];
    cn_link(mesh, before_from, half);
    cn_link(mesh, half, to);
    cn_link(mesh, before_to, twin);
    cn_link(mesh, twin, from);
}

// False, with the error recorded, if the outlines are none.
bool cn_read_outlines(cn_mesh *mesh, const cn_outline *outlines, int count);
// Fills the mesh from its corners. False, with the error recorded, if edges cross or holes lie outside.
bool cn_triangulate(cn_mesh *mesh);

#endif
