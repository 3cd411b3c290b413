/* Random worlds for the tests of queries, by seed. They have all kinds of hulls, bodies of all
 * types, compound bodies, chains, grids of tiles, sensors, filters, one-way shapes and disabled
 * bodies.
 *
 * The oracle of a world has to know its grids: see query_oracle.h. */
#ifndef CN_QUERY_WORLDS_H
#define CN_QUERY_WORLDS_H

#include "query_oracle.h"

typedef enum {
    ZOO_MIXED,  // all shapes near the origin, 0.1 to 1.5 m large
    ZOO_FAR,    // the same, 10 km from the origin
    ZOO_SIZES,  // 1 cm to 100 m
    ZOO_TILES,  // mostly grids
    ZOO_CHAINS, // mostly chains
    ZOO_TINY,   // all shapes about a centimetre large
    ZOO_STACKS, // crates and balls on the ground, which fall asleep
    ZOO_KINDS,
} zoo_kind;

enum { ZOO_BODIES = 60 };

typedef struct {
    cn_world *world;
    oracle oracle;
    zoo_kind kind;
    uint64_t chance;
    double x, y, reach;        // the area of all bodies
    double smallest, greatest; // sizes
    cn_body bodies[ZOO_BODIES];
    int body_count;
} zoo;

// Returns false if this machine has no such lanes.
bool zoo_begin(zoo *z, zoo_kind kind, uint64_t seed, cn_world_def def);
void zoo_end(zoo *z);
// Makes a few changes. They take effect without a step.
void zoo_edit(zoo *z);

double zoo_uniform(zoo *z, double low, double high);
int zoo_below(zoo *z, int count);
bool zoo_one_in(zoo *z, int count);
vec2s zoo_place(zoo *z); // a random place among the bodies
cn_hull zoo_hull(zoo *z, bool with_area);
cn_filter zoo_filter(zoo *z);

#endif
