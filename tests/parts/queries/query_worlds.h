/* Random worlds for the tests of queries, by seed. They have hulls of all types, bodies of all
 * types, compound bodies, chains, grids of tiles, sensors, filters, one-way shapes and disabled
 * bodies.
 *
 * The oracle of a world has to know its grids: see query_oracle.h. */
#ifndef CN_QUERY_WORLDS_H
#define CN_QUERY_WORLDS_H

#include "../../support/query_oracle.h"

typedef enum {
    RANDOM_WORLD_MIXED,  // all shapes near the origin, 0.1 to 1.5 m large
    RANDOM_WORLD_FAR,    // the same, 10 km from the origin
    RANDOM_WORLD_SIZES,  // 1 cm to 100 m
    RANDOM_WORLD_TILES,  // mostly grids
    RANDOM_WORLD_CHAINS, // mostly chains
    RANDOM_WORLD_TINY,   // all shapes about a centimetre large
    RANDOM_WORLD_STACKS, // crates and balls on the ground, which fall asleep
    RANDOM_WORLD_TYPES,
} random_world_type;

enum { RANDOM_WORLD_BODIES = 60 };

typedef struct {
    cn_world *world;
    oracle oracle;
    random_world_type type;
    uint64_t random_state;     // of pick_uniform()
    double x, y, reach;        // the area of all bodies
    double smallest, greatest; // sizes
    cn_body bodies[RANDOM_WORLD_BODIES];
    int body_count;
} random_world;

// Returns false if this machine has no such lanes.
bool random_world_begin(random_world *w, random_world_type type, uint64_t seed, cn_world_def def);
void random_world_end(random_world *w);
// Makes a few changes. They take effect without a step.
void random_world_edit(random_world *w);

// Random values. All of them come from pick_uniform().
double pick_uniform(random_world *w, double low, double high);
int pick_below(random_world *w, int count);
bool one_chance_in(random_world *w, int count); // true once in `count` calls, on average
vec2s pick_place(random_world *w);              // a random place among the bodies
cn_hull pick_hull(random_world *w, bool with_area);
cn_filter pick_filter(random_world *w);

#endif
