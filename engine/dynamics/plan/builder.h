/* A plan while it is being made: what plan.c lists, and batch.c packs. */
#ifndef CN_BUILDER_H
#define CN_BUILDER_H

#include "plan.h"

enum {
    BATCH_BODIES = 440,  // with its constraints about 100 KB
    FEW_BODIES = 330,    // that batches of many islands have in the mean
    DYNAMIC_COLORS = 48, // bits of a body's mask; the rest is for contacts with kinematic bodies
    STATIC_COLORS = 50,  // and, from here on, with static ones, which so have the last word
    MASK_BITS = 64,
    // Colours in solving order: dynamic ones, those of bodies with too many contacts (they are solved one
    // after the other), static ones, the same of these.
    DYNAMIC_OVERFLOW = DYNAMIC_COLORS,
    STATIC_OVERFLOW = MASK_BITS + 1,
    ALL_COLORS,
    // Keys in solving order: couplings (0), joints, contacts; of both by colour, then type.
    CONTACT_KEYS = 1 + ALL_COLORS * CN_JOINT_ROW_TYPES, // the first of them
    KEYS = CONTACT_KEYS + ALL_COLORS * CN_CONTACT_ROW_TYPES,
};

// A contact or joint while it is being planned.
typedef struct {
    int slot;
    int a, b;   // dense indices of the bodies; a: -1 if fixed
    int key;    // colour and type
    // Where one of the bodies has several shapes: the first edge of the pair, which has the points of all
    // contacts of the two. Else -1 and 0.
    int first, points;
} edge;

// A body, named by its dense index: its place among those that are planned, in slot order.
typedef struct {
    uint64_t mask; // colours in use by its contacts
    int parent;    // union-find; then its island; in the end its batch
    uint32_t degree : 31;     // edges of which it is b; in the end its state
    uint32_t is_compound : 1; // it has several shapes
} node;
static_assert(sizeof(node) == 16, "a loop over edges reads two of them");

typedef struct {
    int bodies, edges;
    uint32_t joints : 28, uneven : 1, very_uneven : 1; // if one holds such masses
    uint32_t rigid : 2;                                // > 1: several hold an angle
    int batch;
    int end; // of its bodies that are already in the batch
} island;

typedef struct {
    cn_simulation *sim;
    cn_plan *plan;
    int body_count, edge_count, joint_count, island_count, pair_slots; // edges of joints come first
    int *dense;  // slot of a planned body -> dense index
    int *bodies; // dense index -> slot
    node *nodes;
    uint64_t *joint_masks; // colours in use by joints
    island *islands;
    edge *edges; // in slot order
    int *order;  // of edges, by their bodies B; NULL: as they are
    int *ends;   // of the edges of each body in it
    int *pairs;  // hash table by bodies: 1 + the first edge of a pair
    int counted; // edges that are in it
    int row_types;   // all bits of cn_touching_rows.row_types that occur
} plan_builder;

// Packs islands into batches and lays out their lanes. False if memory is short. (batch.c)
bool cn_make_batches(plan_builder *d);

#endif
