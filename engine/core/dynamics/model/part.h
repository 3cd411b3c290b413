/* part: how the parts of the engine join the core.
 *
 * The core is complete without parts. It calls them only through two tables in
 * engine/parts/parts.c, which list the parts that are built in, and through the functions that
 * parts store in a simulation ("Parts" in simulation.h):
 *
 *   cn_part_stages   the stages that parts add to a step (step/step.c)
 *   cn_parts         what parts do when something happens in the core
 *
 * A part may keep data in a simulation, which it reserves when it first needs them. Data that do
 * not follow a simulation into another world lie behind the world (cn_world_bytes in
 * world/world.h). A part without a function for an event has NULL there. */
#ifndef CN_PART_H
#define CN_PART_H

#include "simulation.h"

// ---- stages

// The stages of the core, in their order.
typedef enum {
    CN_STAGE_FIND_PAIRS,
    CN_STAGE_FIND_EDITED_SHAPES,
    CN_STAGE_PREPARE_CONTACTS,
    CN_STAGE_PLAN,
    CN_STAGE_BEGIN_CHANGES, // stages before this one may fail, those from here on may not
    CN_STAGE_UPDATE_CONTACTS,
    CN_STAGE_PRE_SOLVE,
    CN_STAGE_SOLVE,
    CN_STAGE_QUARANTINE,
    CN_STAGE_KINEMATICS,
    CN_STAGE_SWEEP,
    CN_STAGE_MOVE,
    CN_STAGE_SENSORS,
    CN_STAGE_SLEEP,
    CN_STAGE_REFIT_TREES,
    CN_STAGE_BREAK_JOINTS,
    CN_STAGES,       // their number; as a place: after all of them
    CN_NO_STAGE = -1 // the end of a table
} cn_stage_place;

// A stage has exactly one of the two functions.
typedef struct {
    const char *name;                    // in a profile
    bool (*prepare)(cn_simulation *sim); // may fail, and does not change the state
    void (*run)(cn_simulation *sim);     // cannot fail
    uint32_t reads, writes;              // groups of data.h: it depends on, or changes, no others
} cn_stage;

// A stage of a part runs before one of the core.
typedef struct {
    cn_stage_place before;
    cn_stage stage;
} cn_part_stage;

extern const cn_part_stage cn_part_stages[]; // in the order of places; ends with CN_NO_STAGE

// ---- terrain: static ground that has shapes only near bodies

// A piece of terrain that has no shape.
typedef struct {
    int body;
    cn_hull hull;  // in the frame of the body
    vec2s one_way; // direction in the frame of the body; zero: solid from all sides
    const cn_filter *filter;
} cn_terrain_piece;
typedef void cn_terrain_visitor(void *context, const cn_terrain_piece *piece);
typedef void cn_hull_visitor(void *context, const cn_hull *hull);

// A part sets cn_simulation.terrain to such a table when there is terrain.
typedef struct cn_terrain {
    // True if a box overlaps a piece without a shape that may need one.
    bool (*has_piece)(const cn_simulation *sim, cn_bounds box);
    // Visits these pieces.
    void (*visit_pieces)(const cn_simulation *sim, cn_bounds box, cn_terrain_visitor *visit,
                         void *context);
    // Visits the hulls of the pieces beside the one with this shape, in the frame of the body.
    // These pieces may have shapes.
    void (*visit_neighbours)(const cn_simulation *sim, int shape, cn_hull_visitor *visit,
                             void *context);
    // True if the shapes of some terrain have this flag (CN_SHAPE_CALLBACKS), whether they exist or
    // not.
    bool (*has_flag)(const cn_simulation *sim, uint32_t flag);
} cn_terrain;

// ---- events of the core

struct cn_walk; // of parts/snapshot

// Where parts walk through their data in a save, in the order of a world that is read.
typedef enum {
    CN_SAVED_SCENERY, // the last data of the scenery
    CN_SAVED_LISTS,   // after the rows of shapes, before the lists of sensors and overlaps
    CN_SAVED_OBJECTS, // between shapes and joints
} cn_saved_place;

typedef struct {
    int id;            // see parts.h
    size_t state_size; // bytes of its data in a simulation; they begin as zeros

    // A shape is created. The first function runs before anything changes, and only in
    // cn_shape_create() and cn_body_create(): segments of chains and shapes of terrain have no data
    // of a part. It gets the definitions of all shapes that the call creates, up to this one, which
    // has the index i. It returns false, with an error, if definition i is not valid for the part,
    // or if memory is short for all of them.
    bool (*prepare_shape)(cn_simulation *sim, const cn_shape_def *defs, int i);
    void (*shape_created)(cn_simulation *sim, int shape, const cn_shape_def *def);
    void (*shape_destroyed)(cn_simulation *sim, int shape);
    // Returns false, with an error, if a sensor must not become a solid shape.
    bool (*check_solid)(const cn_simulation *sim, int shape);
    // Reserves memory before a body is enabled. Returns false if memory is short.
    bool (*prepare_body)(cn_simulation *sim, int body);
    void (*body_placed)(cn_simulation *sim, int body); // it was moved, enabled or disabled
    void (*body_destroyed)(cn_simulation *sim, int body);
    // Extends a box by what the part has on a body, without its shapes.
    void (*add_bounds)(const cn_simulation *sim, int body, cn_bounds *bounds);
    // Returns false, with an error, if a static body must stay static.
    bool (*check_moving)(const cn_simulation *sim, int body);
    // The origin moves to `by` (m). The first function runs before the bodies are moved, the second
    // one after that.
    void (*shift)(cn_simulation *sim, vec2s by);
    void (*shifted)(cn_simulation *sim);
    // Closes the gaps of the part's lists (gaps.c). The core holds a lock, because reads of a world
    // by several threads close gaps, too.
    void (*close_gaps)(cn_simulation *sim);

    // The data that belong to the state, in a save and in its hash. walk.h of parts/snapshot says
    // what walk() and check() must do.
    //
    // True if the part has such data: in the scenery, or in the moving part of the state. If not,
    // it adds nothing to a save or to a hash, and walk() is not called.
    bool (*is_used)(const cn_simulation *sim, bool in_scenery);
    // Is called at each place. The part has a state then (cn_part_state).
    void (*walk)(struct cn_walk *walk, cn_saved_place place);
    // Returns false, with an error, if the data that were read are damaged.
    bool (*check)(cn_simulation *sim);
    // Another moving part is read over the present one from here on. If it has no data of the part,
    // `is_used` is false. Then this function removes the present data, so that is_used() is false.
    void (*begin_reading)(cn_simulation *sim, bool is_used);
    // Finds the data that follow from the state, after another state was read and checked.
    void (*state_read)(cn_simulation *sim);
    // For the part with objects of the kind CN_GRIDS. The first function walks through all data of
    // such objects, for a hash. The second one clears the bits of the static bodies that belong to
    // the moving part, because they have such objects.
    void (*walk_objects)(struct cn_walk *walk, int first, int count);
    void (*clear_scenery)(const cn_simulation *sim, uint64_t *bodies);
} cn_part_hooks;

extern const cn_part_hooks *const cn_parts[]; // ends with NULL
#define CN_EACH_PART(part)                                                                         \
    for (const cn_part_hooks *const *part##_at = cn_parts, *part; (part = *part##_at); part##_at++)

extern const int cn_part_count;           // number of ids
extern const char *const cn_part_names[]; // by id: the folders, also of parts that are not built in

// Returns the data of a part in a simulation. NULL if there are none yet.
static inline void *cn_part_state(const cn_simulation *sim, int id) {
    return sim->part_states ? sim->part_states[id] : NULL;
}
// Reserves these data, unless they exist. False if memory is short.
bool cn_reserve_part_state(cn_simulation *sim, const cn_part_hooks *part);
// True if a part with an entry in cn_parts is built in. Otherwise false, with an error.
bool cn_require_part(const char *name);

#endif
