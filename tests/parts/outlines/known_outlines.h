/* Outlines by their points. */
#ifndef TESTS_KNOWN_OUTLINES_H
#define TESTS_KNOWN_OUTLINES_H

#include "../../support/physics.h"
#include "random_outlines.h"

#include "../../../engine/parts/outlines/decompose.h"

#define OUTLINE(...)                                                                               \
    { (const vec2s[]){__VA_ARGS__}, sizeof((const vec2s[]){__VA_ARGS__}) / sizeof(vec2s) }

#define P(x, y)                                                                                    \
    {                                                                                              \
        { x, y }                                                                                   \
    }

#define SQUARE(x0, y0, x1, y1) OUTLINE(P(x0, y0), P(x1, y0), P(x1, y1), P(x0, y1))

#endif
