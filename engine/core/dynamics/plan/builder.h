/* The plan builder: the data that plan.c, edges.c, forest.c and batch.c share while a plan is being
 * made. It is in scratch memory. plan.c fills it with bodies, edges.c with edges and islands, and
 * batch.c packs them.
 */
#ifndef CN_BUILDER_H
#define CN_BUILDER_H

#include "plan.h"

enum {
    RANGES_PER_WORKER = 2, // so that a worker that is done early helps
    MAX_RANGES = RANGES_PER_WORKER * CN_MAX_WORKERS,
    SECTION_SHIFT = 8, // a section has up to 256 bodies

    BATCH_BODIES = 440,      // with their constraints they take about 100 KB, which stays in cache
    BATCH_CONTACTS = 1100,   // contacts and joints of a batch, with which it fits the cache, too
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
    // contacts are ordered by colour, then by row type. Joints that are solved directly have one
    // of two negative keys.
    TREE_KEY = -1,    // a joint that is an edge of a tree
    CLOSURE_KEY = -2, // a joint that closes a cycle: a closure
    FIRST_CONTACT_KEY = 1 + ALL_COLORS * CN_JOINT_ROW_TYPES,
    KEYS = FIRST_CONTACT_KEY + ALL_COLORS * CN_CONTACT_ROW_TYPES,
};

// The body A of an edge, if it has no dense index. A kinematic body has a copy in each batch where
// it touches something: until its state there is known, A is KINEMATIC_A minus the slot of the
// body, then STATIC_A minus the state.
enum { STATIC_A = -1, KINEMATIC_A = -2 };

// A contact, joint or coupling while it is being planned.
typedef struct {
    int slot; // of the contact or joint
    int a, b; // dense indices of the bodies; a < 0: that body is static or kinematic
    union {
        int key; // colour and row type
        // Of a contact, before it gets its key.
        struct {
            uint8_t row_types;  // of cn_touching_rows
            bool counts_points; // one of its bodies has several shapes
        };
    };
    int points; // of all contacts between the two bodies; 0: not counted
} edge;

// The points between two bodies, one of which has several shapes: by edge.
typedef struct {
    int first; // the first edge of the same two bodies
    int count; // only of a first edge: the points of all of them
} pair_points;

// A body that is being planned. Its dense index is its place among these bodies, in slot order.
typedef struct {
    union {
        int parent;  // of cn_sets; then the number of its island
        int section; // once the batches have their bodies
    };
    union {
        struct {
            uint32_t degree : 31;     // number of edges that have it as b
            uint32_t is_compound : 1; // it has several shapes
        };
        int state; // in the batch; once the batches have their bodies
    };
} node;
static_assert(sizeof(node) == 8, "a loop over edges reads two of them");

// Some bodies of a batch that follow one another, and the contacts that have them as b. Several
// workers put the contacts of sections into lanes. Contacts that are solved one after the other
// belong to the first section of their batch, which keeps their order.
typedef struct {
    int batch;
    int first_edge, end_edge; // in builder.sorted
} section;

typedef struct {
    int bodies, edges;
    int joints; // that are iterated
    int batch;
    int end; // index after its bodies that are already in the batch
} island;

// The trees of an island.
typedef struct {
    int joints;
    int height; // of the highest tree, in joints
} island_trees;

enum { TREE_ROW_TYPES = CN_ROW_ROOT - CN_ROW_POINT + 1 };

// A body as a node of a tree of joints.
typedef struct {
    int set_parent;         // of cn_sets: the sets are systems of trees
    int first_link;         // list of its tree joints: 2 * edge, + 1 if the body is A; -1: none
    int edge;               // the joint to its parent or its anchor; -1: a root without an anchor
    int anchor;             // the edge that joins it to a static or kinematic body; -1: none
    int height;             // number of joints from the body to its farthest leaf; -1: in no tree
    int lane;               // lane of the joint above it, in the batch
    bool is_anchor;         // the body itself counts as anchored, so it is a root
    bool ends_closure;      // a closure ends at the body
    bool has_only_contacts; // contacts act on it, but no coupling or iterated joint
    bool has_other_constraints; // contacts, couplings or iterated joints act on it
    // Only of the first body of a set, which stands for its system.
    bool anchored; // some body of the system is anchored
    int rows;      // of its closures; if more than CN_MAX_CLOSURE_ROWS, its joints are iterated
    int group;     // -1: none yet
    bool isolated; // only its joints act on its bodies
} tree_node;

typedef struct {
    cn_batch *batch;
    int joints, trees;
    bool isolated;
} group_plan;

// The trees of the joints that are solved directly, as cn_find_trees() finds them.
typedef struct {
    tree_node *nodes;      // by dense index
    int *links;            // by 2 * edge (+ 1): the next link of the body
    int *order;            // bodies of trees, tree after tree, each from the root on
    int count;             // entries of `order`
    int closure_count;     // closures, in all trees
    island_trees *islands; // by island; only if there are joints
} forest;

// Scratch memory of cn_lay_out_trees().
typedef struct {
    group_plan *groups;
    int *entry_groups, *ranks; // by entry of forest.order: its group, and its rank (forest.c)
    int *place_counts;
    uint64_t *keys, *closure_keys, *spare_keys;
} tree_layout;

// A hash table of the edges by their two bodies.
typedef struct {
    int *slots;     // 1 + the first edge of the pair, 0 if unused
    int slot_count; // a power of two
    int edges;      // that are in the table
} pair_table;

typedef struct {
    cn_simulation *sim;
    cn_plan *plan;
    int body_count, edge_count, island_count, section_count;
    int joint_count;       // edges of joints and couplings; they come first
    int row_types;         // all bits of cn_touching_rows.row_types that occur
    bool is_shared;        // several workers make the plan
    bool has_compounds;    // some body has several shapes
    int *dense;            // slot of a planned body -> dense index
    int *bodies;           // dense index -> slot
    node *nodes;           // by dense index
    uint64_t *masks;       // by dense index: colours in use by contacts
    uint64_t *joint_masks; // by dense index: colours in use by joints
    island *islands;
    edge *edges; // joints in the order of their bodies, then contacts in slot order
    // By contact, in the order of `edges`.
    uint8_t *colors;
    pair_points *points;
    int *kinematic_edges; // the contacts with kinematic bodies
    int kinematic_count;
    pair_table pairs;
    // Ranges of slots of contacts. Together they have all words of bits of planned contacts.
    int range_count, word_count;
    int *first_edges; // by range, and the end of the last one
    // If several workers make the plan.
    section *sections;
    edge *sorted;       // the contacts by section, each in slot order
    int *sorted_places; // by range, then section: the number of contacts, then where the next one
                        // goes
    forest forest;
    tree_layout layout;
} plan_builder;

// Lists the joints and contacts, chooses their colours and links their bodies. (edges.c)
void cn_list_edges(plan_builder *builder);
// Gives edges first..end - 1, which are contacts, their keys, and the points of their pairs.
// (edges.c)
void cn_set_keys(plan_builder *builder, int first, int end);
// Numbers the islands in order of their first bodies. After that the parent of a node is the number
// of its island. (edges.c)
void cn_number_islands(plan_builder *builder);
static inline int cn_count_bits(const uint64_t *bits, int words) {
    int count = 0;
    for (int i = 0; i < words; i++) count += __builtin_popcountll(bits[i]);
    return count;
}
// Returns where one of the equal ranges of some items begins.
static inline int cn_first_of_range(const plan_builder *builder, int range, int items) {
    return (int)((int64_t)items * range / builder->range_count);
}

// Finds the joints that are solved directly, and gives them TREE_KEY or CLOSURE_KEY. The key of
// every other joint is its row type until color_joints(). (forest.c)
void cn_find_trees(plan_builder *builder);
// Lays out the joints of trees in the batches of their bodies. False if memory is short.
bool cn_lay_out_trees(plan_builder *builder);
// Returns the batch of a body. Only after its bodies were filled in. (batch.c)
cn_batch *cn_batch_of(const plan_builder *builder, int dense);
// Writes the states of the bodies of a joint into a lane. A state of -1 means that memory is short.
// (batch.c)
cn_lane cn_joint_lane(plan_builder *builder, cn_batch *batch, int joint);

// Counts the joints of each island, and finds the height of its trees.
void cn_survey_joints(plan_builder *builder);
// False if the batches that stay and those of the new islands are more than the batches that were
// reserved for the capacities of the world. True if none stays, or if the world needed more before.
bool cn_has_batches(const plan_builder *builder);
// Packs islands into batches and lays out their lanes. False if memory is short. (batch.c)
bool cn_make_batches(plan_builder *builder);

#endif
