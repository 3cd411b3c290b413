/* Random levels for the tests of the character mover, by seed. A chain of hills, 60 m wide, is the
 * lowest ground. Above it are hills of tiles, slopes, boxes, balls, one-way platforms, lifts and
 * crates that fall. */
#ifndef TESTS_MOVE_WORLDS_H
#define TESTS_MOVE_WORLDS_H

#include "characters.h"

typedef struct {
    cn_world *world;
    uint64_t seed;
    vec2s hills[31]; // from left to right
} level;

// Returns false if this machine has no such lanes.
bool level_begin(level *l, uint64_t seed, cn_world_def def);
void level_end(level *l);

double level_uniform(level *l, double low, double high);
int level_below(level *l, int count);
// The height of the hills at a coordinate.
double level_ground(const level *l, double x);
// A circle, capsule, box, rounded box or polygon, 0.2 to 1.2 m large.
cn_hull level_hull(level *l);
// A definition with random fields.
cn_move_def level_def(level *l);

#endif
