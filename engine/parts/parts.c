/* The parts that are built in, as the core calls them: see core/dynamics/model/part.h. */
#include "parts.h"

#include "../core/dynamics/model/data.h"
#include "../core/world/world.h"

#if CN_HAS_FIELDS
#include "fields/fields.h"
#endif
#if CN_HAS_TILES
#include "tiles/tiles.h"
#endif
#if CN_HAS_DRAWING
#include "drawing/drawing.h"
#endif
#if CN_HAS_EXPLOSIONS
#include "explosions/explosions.h"
#endif
#if CN_HAS_MANY
#include "many/many.h"
#endif
#if CN_HAS_QUERIES
#include "queries/queries.h"
#endif
#if CN_HAS_SNAPSHOT
#include "snapshot/snapshot.h"
#endif

// In the order of cn_stage_place.
const cn_part_stage cn_part_stages[] = {
#if CN_HAS_TILES
    // Makes shapes of the solid tiles near moving shapes and sensors. (parts/tiles/tiles.c)
    {CN_STAGE_FIND_PAIRS,
     {"create tile shapes", .prepare = cn_create_tile_shapes,
      .reads = PROPERTIES | POSES | VELOCITIES | FLAGS | SHAPES | SURFACES | BOXES | TREES | SLOTS,
      .writes = SHAPES | SURFACES | HULLS | BOXES | TREES | DIRTY | SLOTS}},
#endif
#if CN_HAS_FIELDS
    // Finds the shapes in fields. (parts/fields/field.c)
    {CN_STAGE_PREPARE_CONTACTS,
     {"find fields", .prepare = cn_find_field_pairs,
      .reads = VELOCITIES | REST | FLAGS | SHAPES | HULLS | BOXES | TREES | ISLANDS | OVERLAPS |
               PLAN | FINDINGS,
      .writes = TREES | FINDINGS}},
    // Adds the forces of fields to the forces of the user. (parts/fields/field.c)
    {CN_STAGE_SOLVE,
     {"apply fields", .run = cn_apply_fields,
      .reads = PROPERTIES | POSES | VELOCITIES | FORCES | REST | FLAGS | SHAPES | HULLS | ISLANDS |
               FINDINGS,
      .writes = FORCES | REST | ISLANDS | FINDINGS}},
#endif
#if CN_HAS_TILES
    // Destroys the shapes of tiles that have nothing near them. (parts/tiles/tiles.c)
    {CN_STAGE_BREAK_JOINTS,
     {"remove tile shapes", .run = cn_remove_idle_tiles,
      .reads = FLAGS | SHAPES | SURFACES | HULLS | BOXES | TREES,
      .writes = SHAPES | SURFACES | BOXES | TREES | DIRTY | SLOTS}},
#endif
    {.before = CN_NO_STAGE},
};
static_assert((int)CN_STAGES + sizeof cn_part_stages / sizeof *cn_part_stages <= 1 + CN_MAX_STAGES,
              "cn_profile has a place for each stage");

const cn_part_hooks *const cn_parts[] = {
#if CN_HAS_FIELDS
    &cn_fields_part,
#endif
#if CN_HAS_TILES
    &cn_tiles_part,
#endif
    NULL,
};

const int cn_part_count = CN_PARTS_WITH_DATA;
const char *const cn_part_names[] = {[CN_FIELDS] = "fields", [CN_TILES] = "tiles"};
static_assert(sizeof cn_part_names / sizeof *cn_part_names == CN_PARTS_WITH_DATA,
              "every part with data has a name");

// ---- data of parts behind a world

typedef struct {
    cn_world world;
#if CN_HAS_DRAWING
    cn_drawing_data drawing;
#endif
#if CN_HAS_EXPLOSIONS
    cn_explosion_data explosion;
#endif
#if CN_HAS_MANY
    cn_many_data many;
#endif
#if CN_HAS_QUERIES
    cn_query_data query;
#endif
#if CN_HAS_SNAPSHOT
    cn_snapshot_data snapshot;
#endif
} whole_world;
const size_t cn_world_bytes = sizeof(whole_world);

#if CN_HAS_DRAWING
const size_t cn_drawing_offset = offsetof(whole_world, drawing);
#endif
#if CN_HAS_EXPLOSIONS
const size_t cn_explosion_offset = offsetof(whole_world, explosion);
#endif
#if CN_HAS_MANY
const size_t cn_many_offset = offsetof(whole_world, many);
#endif
#if CN_HAS_QUERIES
const size_t cn_query_offset = offsetof(whole_world, query);
#endif
#if CN_HAS_SNAPSHOT
const size_t cn_snapshot_offset = offsetof(whole_world, snapshot);
#endif

// ---- where two parts meet

#if CN_HAS_TILES
#define IF_TILES(table) &(table)
#else
#define IF_TILES(table) NULL
#endif
#if CN_HAS_DRAWING
void (*const cn_draw_grids)(cn_pen *pen) = IF_TILES(cn_draw_tiles);
#endif
#if CN_HAS_QUERIES
const cn_queried_grids *const cn_grids_in_queries = IF_TILES(cn_queried_tiles);
#endif
