/* Random outlines with holes. Each family is hard in a different way. No outline crosses itself or
 * another one. */
#ifndef TESTS_RANDOM_OUTLINES_H
#define TESTS_RANDOM_OUTLINES_H

#include "../../../engine/core/collision/collision.h"

enum { MAX_OUTLINES = 11 };

typedef enum {
    OUTLINE_STAR,      // random radii
    OUTLINE_BLOB,      // smooth radii
    OUTLINE_TOUR,      // a random tour, untangled
    OUTLINE_CONVEX,    // points of an ellipse
    OUTLINE_SPIRAL,    // one long arm
    OUTLINE_COMB,      // many thin teeth
    OUTLINE_STAIRS,    // right angles only, as in letters and levels
    OUTLINE_HOLES,     // a blob with up to 10 holes
    OUTLINE_COLLINEAR, // a star with many points on each edge
    OUTLINE_TINY,      // a star with its corners cut off by tiny edges
    OUTLINE_FAMILIES
} outline_family;

typedef struct {
    vec2s points[CN_MAX_OUTLINE_POINTS];
    cn_outline outlines[MAX_OUTLINES];
    int count, point_count;
} random_outlines;

extern const char *const outline_family_names[OUTLINE_FAMILIES];

// Makes outlines about 1 m large, of up to 200 points. They are the same for the same seed.
void make_random_outlines(random_outlines *made, outline_family family, uint64_t seed);
// Scales, turns and moves outlines.
void place_outlines(random_outlines *made, float scale, float angle, vec2s offset);
void reverse_outline(random_outlines *made, int i);

#endif
