/* Seeded random hulls, and pairs of hulls in the situations that a narrowphase meets. */
#ifndef CN_RANDOM_PAIRS_H
#define CN_RANDOM_PAIRS_H

#include "../../engine/cairn.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t state;
} random_source;

uint32_t random_bits(random_source *source);
float random_between(random_source *source, float low, float high);
int random_below(random_source *source, int count);

typedef enum {
    CLASS_CIRCLE,
    CLASS_CAPSULE,
    CLASS_SEGMENT,
    CLASS_BOX,
    CLASS_ROUNDED_BOX,
    CLASS_POLYGON,
    CLASS_ROUNDED_POLYGON,
    KIND_REGULAR,
    KIND_SLIVER,
    KIND_OCTAGON,
    CLASS_COUNT,
} hull_kind;

// Returns a hull of 0.2 to 2 m. Upright boxes, capsules and segments lie on the axes of their
// frame.
cn_hull random_hull(random_source *source, hull_kind kind, bool upright);

// How the two hulls are turned. They are upright, except with TURN_RANDOM.
typedef enum { TURN_RANDOM, TURN_ALIGNED, TURN_NEARLY_ALIGNED, TURN_COUNT } turn_mode;

typedef enum {
    PLACE_RANDOM,
    PLACE_IN_LINE,     // offset exactly along an axis of A
    PLACE_SAME_CENTER, // the averages of the vertices coincide
    PLACE_INSIDE,      // B is a tenth of its size and near the centre of A
    PLACE_TOUCHING,    // slid along a line until it touches, to within rounding
    PLACE_NEAR,        // the same, then moved by up to 3 cm
    PLACE_COUNT,
} place_mode;

typedef struct {
    cn_hull a, b;
    cn_pose pose_a, pose_b;
    hull_kind kind_a, kind_b;
    turn_mode turn;
    place_mode place;
} hull_pair;

hull_pair random_pair(random_source *source);

#endif
