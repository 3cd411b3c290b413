/* The plan builder: the data that plan.c and batch.c share while a plan is being made. It is in
 * scratch memory. plan.c fills it with bodies, edges and islands, and batch.c packs them.
 */
#ifndef CN_BUILDER_H
#define CN_BUILDER_H

#include "plan.h"

enum {
    BATCH_BODIES = 440,      // with their constraints they take about 100 KB, which stays in cache
    BATCH_MEAN_BODIES = 330, // how many a batch of many islands has on average

    // A body has two masks, with a bit for each colour that its contacts or its joints use. Edges
    // between dynamic bodies use the first bits. Contacts with static bodies use the last bits, so
    // they are solved last. Contacts with kinematic bodies, and all joints that have one dynamic
    // body, may also use the bits between these.
    MASK_BITS = 64,
    DYNAMIC_COLORS = 48,
    STATIC_COLORS = 14,
    FIRST_KINEMATIC_BIT = DYNAMIC_COLORS,
    FIRST_STATIC_BIT = MASK_BITS - STATIC_COLORS,

    // Colours in solving order. Edges whose bodies have no free colour left get an overflow colour,
    // and are solved one after the other:
    //      0 .. 47     both bodies are dynamic           48  their overflow
    //      49 .. 64    A is static or kinematic          65  their overflow
    DYNAMIC_OVERFLOW = DYNAMIC_COLORS,
    STATIC_OVERFLOW = MASK_BITS + 1,
    ALL_COLORS,

    // Keys in solving order: 0 for couplings, then joints, then contacts. The keys of joints and of
    // contacts are ordered by colour, then by row type.
    FIRST_CONTACT_KEY = 1 + ALL_COLORS * CN_JOINT_ROW_TYPES,
    KEYS = FIRST_CONTACT_KEY + ALL_COLORS * CN_CONTACT_ROW_TYPES,
};

// A contact, joint or coupling while it is being planned.
typedef struct {
    int slot; // of the contact or joint
    int a, b; // dense indices of the bodies; a: -1 if that body is static or kinematic
    int key;  // colour and row type
    // Only for contacts of a body with several shapes, else -1 and 0. `first` is the first edge of
    // the same two bodies. That edge counts the points of all contacts between them.
    int first, points;
} edge;

// A body that is being planned. Its dense index is its place among these bodies, in slot order.
typedef struct {
    uint64_t mask;        // colours in use by its contacts
    int parent;           // union-find; then its island; in the end its batch
    uint32_t degree : 31; // number of edges that have it as b; in the end its state in the batch
    uint32_t is_compound : 1; // it has several shapes
} node;
static_assert(sizeof(node) == 16, "a loop over edges reads two of them");

typedef struct {
    int bodies, edges;
    uint32_t joints : 28;
    uint32_t uneven : 1, very_uneven : 1; // a joint connects bodies of such different masses
    uint32_t rigid : 2;                   // joints that hold an angle: 0, 1, or 2 for several
    int batch;
    int end; // index after its bodies that are already in the batch
} island;

typedef struct {
    cn_simulation *sim;
    cn_plan *plan;
    int body_count, edge_count, island_count;
    int joint_count;       // edges of joints and couplings; they come first
    int *dense;            // slot of a planned body -> dense index
    int *bodies;           // dense index -> slot
    node *nodes;           // by dense index
    uint64_t *joint_masks; // by dense index: colours in use by joints
    island *islands;
    edge *edges;    // joints in the order of their bodies, then contacts in slot order
    int *order;     // indices of the edges, ordered by their bodies B; NULL: the order of `edges`
    int *ends;      // by body B: end of its edges in `order`
    int *pairs;     // hash table by the two bodies: 1 + the first edge of the pair, 0 if unused
    int pair_slots; // a power of two
    int counted;    // edges that are in the hash table
    int row_types;  // all bits of cn_touching_rows.row_types that occur
} plan_builder;

// Packs islands into batches and lays out their lanes. False if memory is short. (batch.c)
bool cn_make_batches(plan_builder *builder);

#endif
