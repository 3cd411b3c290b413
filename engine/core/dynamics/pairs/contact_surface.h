/* Contacts at surfaces: shapes that touch each other are one surface (model/ground.c), and a
 * contact with one of them must not see the edges between them. Such a pair is collided again, one
 * pair at a time.
 *
 * On ground, A has the surface. Between two dynamic bodies either may have it. */
#ifndef CN_CONTACT_SURFACE_H
#define CN_CONTACT_SURFACE_H

#include "../../base/wide.h"
#include "../../collision/manifold.h"
#include "pairs.h"

// Slops: a corner is preferred to a face only if it is nearer by this.
#define CORNER_TOLERANCE 0.1f

// Flags of an index of a surface.
enum {
    SURFACE_OF_B = 1 << 30,  // of B; else of A
    SURFACE_MOVES = 1 << 29, // of a dynamic body
};

// Returns the surface that counts between two shapes; zero or less if none does.
static int32_t surface_between(const cn_simulation *sim, int a, int b) {
    int32_t surface = sim->surface_of[a];
    if (!sim->moving_surfaces || !cn_is_dynamic(&sim->hot[sim->links[a].body])) return surface;
    const bool of_b = surface <= 0;
    surface = of_b ? cn_surface_against(sim, b, a) : cn_surface_against(sim, a, b);
    return surface > 0 ? surface | SURFACE_MOVES | (of_b ? SURFACE_OF_B : 0) : 0;
}

// The surface that counts in a lane.
typedef struct {
    const cn_surface *surface;
    bool of_b, moves; // of a dynamic body
    vec2s offset;     // from the centre of A to that of B
} lane_surface;

static lane_surface surface_of_lane(const cn_simulation *sim, const cn_placed_hull *a,
                                    const cn_placed_hull *b, int32_t index) {
    return (lane_surface){
        &sim->surfaces.items[index & ~(SURFACE_OF_B | SURFACE_MOVES)],
        index & SURFACE_OF_B,
        index & SURFACE_MOVES,
        glms_vec2_sub(b->pose.position, a->pose.position),
    };
}

// True if both contact points are on the visible part of an edge.
static bool is_on_part(const lane_surface *s, int edge, const cn_manifoldw *m, int k) {
    vec2s along = cn_perp(cn_vec(m->normal.x[k], m->normal.y[k]));
    const float start = s->of_b ? glms_vec2_dot(along, s->offset) : 0, sign = s->of_b ? -1 : 1;
    bool inside = true;
    for (int i = 0; i < 2; i++) {
        vec2s point = cn_vec(m->points[i].x[k], m->points[i].y[k]);
        float at = sign * (glms_vec2_dot(along, point) - start);
        inside &= at >= s->surface->parts[edge][0] && at <= s->surface->parts[edge][1];
    }
    return inside;
}

// True if one hull lies on a face of the other one, the one with the surface, and the face ends at
// no convex corner: there the surface changes nothing. (On ground only whole faces count. Contacts
// on others would differ by rounding.)
static bool is_on_flat_face(const lane_surface *s, const cn_manifoldw *m, int k) {
    const int edge = m->reference[k] ^ (s->of_b ? 8 : 0);
    if (m->count[k] != 2 || edge >= CN_MAX_VERTICES) return false;
    return s->surface->flat >> edge & 1 ||
           (s->moves && s->surface->inner >> edge & 1 && is_on_part(s, edge, m, k));
}

// Collides the hulls a and b of lane k again, if the surface changes their manifold.
static void collide_on_surface(const cn_simulation *sim, const cn_hull_store *store, int a, int b,
                               int32_t index, float margin, cn_manifoldw *m, int k) {
    const lane_surface s = surface_of_lane(sim, &store->placed[a], &store->placed[b], index);
    if (is_on_flat_face(&s, m, k)) return;
    const int pair[2] = {a, b};
    cn_manifold_row row = cn_collide_surface(store, s.surface, pair[s.of_b], pair[!s.of_b], margin,
                                             CORNER_TOLERANCE * sim->tuning.slop);
    if (s.of_b) row = cn_manifold_swapped(&row, s.offset);
    for (size_t i = 0; i < sizeof row / 4; i++)
        memcpy((char *)m + 4 * (i * CN_LANES + (size_t)k), &row.words[i], 4);
}

#endif
