/* Walks through the whole state of a world, to write, hash, check or read it.
 *
 * The rows of a kind of object come in runs of slots. A run of the moving part ends where a slot is
 * scenery, and the other way round:
 *
 *     first, count, rows of these slots | first, count, rows of these slots | 0, 0
 *
 * The moving part has the rows of unused slots, too: contacts and events name the object that was
 * in a slot until a step has reported its end. So nothing depends on when a world is saved. */
#include "saved_state.h"

typedef struct {
    cn_archive *archive;
    cn_world *world;
    cn_simulation *sim;
    const cn_scenery *scenery;   // the slots that are scenery now
    bool is_scenery;             // this part is the scenery
    int end;                     // of the slots of the present kind: in the bytes, if it reads
    int polygons;                // that were read
    int proxies[2];              // of the moving and of the static tree, that are missing
    bool refused, had_pre_solve; // the state that is read had callbacks that refuse contacts
} walk;

static bool is_reading(const walk *w) { return w->archive->use == CN_ARCHIVE_READ; }
static bool is_checking(const walk *w) { return w->archive->use == CN_ARCHIVE_CHECK; }

// Records that memory is short, while the archive is checked.
static void need(walk *w, bool has_memory) {
    if (!has_memory) w->archive->failed = w->archive->no_memory = true;
}

// ---- rows

enum { CHUNK_WORDS = 1024 };

// Changes the copy of a row that is written.
typedef void clean_row(void *row);

// Walks through `count` rows of whole words.
static void walk_rows(walk *w, void *rows, size_t size, int count, clean_row *clean) {
    size_t words = size / sizeof(uint32_t);
    if (cn_archive_reads(w->archive) || !clean) {
        cn_archive_words(w->archive, rows, (size_t)count * words);
        return;
    }
    uint32_t chunk[CHUNK_WORDS];
    int most = (int)(CHUNK_WORDS / words);
    for (int done = 0; done < count; done += most) {
        int n = cn_min_int(count - done, most);
        memcpy(chunk, (char *)rows + (size_t)done * size, (size_t)n * size);
        for (int i = 0; i < n; i++) clean(chunk + (size_t)i * words);
        cn_archive_words(w->archive, chunk, (size_t)n * words);
    }
}

// Finds the next run of slots from `from` on that belongs to this part. Returns its length.
static int find_run(const walk *w, cn_slot_kind kind, int from, int *first) {
    int slot = from;
    while (slot < w->end && cn_is_scenery(w->scenery, kind, slot) != w->is_scenery) slot++;
    *first = slot;
    while (slot < w->end && cn_is_scenery(w->scenery, kind, slot) == w->is_scenery) slot++;
    return slot - *first;
}

// Walks through all runs of a kind.
static void walk_runs(walk *w, cn_slot_kind kind, void (*walk_run)(walk *w, int first, int count)) {
    cn_archive *a = w->archive;
    for (int first = 0, count = 0;;) {
        int from = first + count;
        if (!cn_archive_reads(a)) count = find_run(w, kind, from, &first);
        if (count == 0) first = 0;
        first = cn_archive_count(a, first, w->end);
        count = cn_archive_count(a, count, w->end - first);
        if (count == 0) return;
        if (first < from) a->failed = true;
        if (a->failed) return;
        walk_run(w, first, count);
    }
}

static bool has_user_data(const walk *w, cn_slot_kind kind, int first, int count) {
    for (int i = first; i < first + count; i++)
        if (cn_user_data(w->sim, kind, i)) return true;
    return false;
}

// Walks through the user data of a run, if it has any.
static void walk_user_data(walk *w, cn_slot_kind kind, int first, int count) {
    cn_slot_rows *slots = &w->sim->slots[kind];
    bool writes = !cn_archive_reads(w->archive);
    int has = cn_archive_count(w->archive, writes && has_user_data(w, kind, first, count), 1);
    if (is_checking(w) && has)
        need(w, cn_fit(&w->sim->memory, &slots->user_data, &slots->user_data_capacity,
                       slots->capacity));
    if (has)
        cn_archive_longs(w->archive, slots->user_data + first, (size_t)count);
    else if (is_reading(w) && slots->user_data)
        memset(slots->user_data + first, 0, (size_t)count * sizeof *slots->user_data);
}

static void walk_slots(walk *w, cn_slot_kind kind, int first, int count) {
    cn_archive_words(w->archive, w->sim->slots[kind].items + first, 2 * (size_t)count);
    walk_user_data(w, kind, first, count);
}

static int find_end_of_scenery(const walk *w, cn_slot_kind kind) {
    int end = w->sim->slots[kind].end;
    while (end > 0 && !cn_is_scenery(w->scenery, kind, end - 1)) end--;
    return end;
}

// Walks through the end of the slots of a kind, and through the queue of unused ones. Sets w->end.
static void begin_kind(walk *w, cn_slot_kind kind) {
    cn_slot_rows *slots = &w->sim->slots[kind];
    w->end = w->is_scenery ? find_end_of_scenery(w, kind) : slots->end;
    w->end = cn_archive_count(w->archive, w->end, CN_MAX_SLOTS);
    if (is_checking(w) && !w->archive->failed)
        need(w, cn_resize_slots(w->sim, kind, w->end, true) &&
                    (kind != CN_BODIES || cn_reserve_moves(w->world, w->end)));
    if (w->is_scenery && is_reading(w)) slots->end = w->end;
    if (w->is_scenery) return;
    int count = cn_archive_count(w->archive, slots->count, w->end);
    cn_archive_words(w->archive, &w->sim->unused_slots[kind], 4);
    if (!is_reading(w)) return;
    if (slots->end > w->end) // slots that had never been used
        memset(slots->items + w->end, 0, (size_t)(slots->end - w->end) * sizeof *slots->items);
    slots->end = w->end, slots->count = count;
}

// ---- lists

// Walks through a list of items that consist of whole words.
static void walk_list(walk *w, cn_row row, int *list_count, int *capacity) {
    char *items;
    int count = cn_archive_items(w->archive, *list_count, row.size);
    if (is_checking(w)) need(w, cn_grow_rows(&w->sim->memory, &row, 1, capacity, count));
    memcpy(&items, row.array, sizeof items);
    cn_archive_words(w->archive, items, (size_t)count * (row.size / sizeof(uint32_t)));
    if (is_reading(w)) *list_count = count;
}
#define WALK_LIST(w, list) walk_list(w, CN_ROW((list)->items), &(list)->count, &(list)->capacity)

// ---- settings

static void walk_settings(walk *w) {
    cn_archive *a = w->archive;
    cn_simulation *sim = w->sim;
    cn_world *world = w->world;
    int tag = world->tag;
    cn_archive_words(a, &sim->gravity, 2);
    cn_archive_int(a, &sim->substeps);
    cn_archive_words(a, &sim->tuning, sizeof sim->tuning / sizeof(float));
    cn_archive_words(a, &sim->length_unit, 1);
    cn_archive_bool(a, &sim->sleeping);
    cn_archive_words(a, &world->time_step, 1);
    cn_archive_int(a, &world->max_steps);
    cn_archive_longs(a, &world->accumulator, 1);
    cn_archive_bool(a, &world->stepped_manually);
    cn_archive_int(a, &tag);
    cn_archive_words(a, &sim->last_substep, 1);
    cn_archive_words(a, &sim->contact_substep, 1);
    cn_archive_words(a, &sim->joint_substep, 1);
    cn_archive_words(a, &sim->step_seconds, 1);
    cn_archive_longs(a, &sim->steps, 1);
    cn_archive_bool(a, &sim->sensors_failed);
    cn_archive_words(a, &sim->min_ccd_threshold, 1);
    cn_archive_int(a, &sim->bouncy_shapes);
    cn_archive_int(a, &sim->one_way_shapes);
    bool refuses = sim->filter || sim->pre_solve, has_pre_solve = sim->pre_solve;
    cn_archive_bool(a, &refuses);
    cn_archive_bool(a, &has_pre_solve);
    if (!is_reading(w)) return;
    world->tag = (uint8_t)tag;
    w->refused = refuses, w->had_pre_solve = has_pre_solve;
}

// ---- bodies

// The plan is not saved.
static void clean_hot(void *row) {
    cn_body_hot *hot = row;
    hot->flags &= ~(uint32_t)(CN_BODY_UNPLANNED | CN_BODY_SPRINGS_CHANGED);
}

static void clean_warm(void *row) {
    cn_body_warm *warm = row;
    warm->batch = warm->batch_state = -1;
}

// The motion of the last step is state: the next step reads that of bodies that it does not solve.
static void walk_motions(walk *w, int first, int count) {
    for (int i = first; i < first + count; i++) {
        cn_motion *m = &w->sim->motions[i];
        float numbers[] = {m->x, m->y, m->angle, m->until, m->ccd_threshold, m->ccd_reach};
        cn_archive_words(w->archive, numbers, 6);
        if (!is_reading(w)) continue;
        memset(m, 0, sizeof *m);
        m->x = numbers[0], m->y = numbers[1], m->angle = numbers[2], m->until = numbers[3];
        m->ccd_threshold = numbers[4], m->ccd_reach = numbers[5];
    }
}

// Walks through a row that exists only in some worlds: in all runs or in none.
static void walk_optional_row(walk *w, void *array, size_t size, int *capacity, bool has, int first,
                              int count) {
    char *rows;
    has = cn_archive_count(w->archive, has, 1);
    if (is_checking(w) && has)
        need(w, cn_fit_rows(&w->sim->memory, &(cn_row){array, size}, 1, capacity,
                            w->sim->slots[CN_BODIES].capacity));
    memcpy(&rows, array, sizeof rows);
    if (has) walk_rows(w, rows + (size_t)first * size, size, count, NULL);
    if (!has && is_reading(w) && rows) memset(rows + (size_t)first * size, 0, (size_t)count * size);
}

static void walk_body_run(walk *w, int first, int count) {
    cn_simulation *sim = w->sim;
    walk_slots(w, CN_BODIES, first, count);
    walk_rows(w, sim->hot + first, sizeof *sim->hot, count, clean_hot);
    walk_rows(w, sim->warm + first, sizeof *sim->warm, count, clean_warm);
    walk_motions(w, first, count);
    if (w->is_scenery) return;
    cn_archive_words(w->archive, sim->first_joint + first, (size_t)count);
    walk_optional_row(w, &sim->pulls, sizeof *sim->pulls, &sim->pull_capacity, sim->pulls, first,
                      count);
    bool interpolated = sim->previous && !w->world->stepped_manually;
    walk_optional_row(w, &sim->previous, sizeof *sim->previous, &sim->previous_capacity,
                      interpolated, first, count);
}

// The heads of the lists of joints of scenery, which joints of the moving part change.
static void walk_scenery_joints(walk *w) {
    int32_t *first = w->sim->first_joint;
    for (int body = 0; body < w->end && is_reading(w); body++)
        if (cn_is_scenery(w->scenery, CN_BODIES, body)) first[body] = -1;
    if (!cn_archive_reads(w->archive)) {
        for (int body = 0; w->sim->slots[CN_JOINTS].count && body < w->end; body++) {
            if (first[body] < 0 || !cn_is_scenery(w->scenery, CN_BODIES, body)) continue;
            cn_archive_count(w->archive, 1 + body, w->end);
            cn_archive_int(w->archive, &first[body]);
        }
        cn_archive_count(w->archive, 0, 0);
        return;
    }
    for (int body; (body = cn_archive_count(w->archive, 0, w->end) - 1) >= 0;)
        cn_archive_int(w->archive, &first[body]);
}

static void walk_bodies(walk *w) {
    begin_kind(w, CN_BODIES);
    walk_runs(w, CN_BODIES, walk_body_run);
    if (w->is_scenery) return;
    walk_scenery_joints(w);
    WALK_LIST(w, &w->sim->kinematics);
}

// ---- proxies

// What is written about the proxy of a shape, as a byte. The old box follows only if the box has
// moved since the last search; else they are equal.
enum { PROXY_IN_TREE = 1 << 0, PROXY_IS_STATIC = 1 << 1, PROXY_HAS_MOVED = 1 << 2 };

static cn_tree *tree_of(const walk *w, int proxy) {
    return proxy & PROXY_IS_STATIC ? &w->sim->static_tree : &w->sim->moving_tree;
}

static uint8_t find_proxy(const walk *w, int shape) {
    for (uint8_t proxy = PROXY_IN_TREE; proxy <= (PROXY_IN_TREE | PROXY_IS_STATIC); proxy += 2) {
        const cn_tree *tree = tree_of(w, proxy);
        if (!cn_tree_has(tree, shape)) continue;
        // Whether scenery has moved since the last search belongs to the moving part.
        bool moved = !w->is_scenery && cn_tree_has_moved(tree, shape);
        return proxy | (moved ? PROXY_HAS_MOVED : 0);
    }
    return 0;
}

static void read_proxy(walk *w, int shape, int proxy, cn_bounds box, cn_bounds old) {
    cn_tree *const trees[] = {&w->sim->moving_tree, &w->sim->static_tree};
    for (int i = 0; i < 2; i++) {
        bool wanted = proxy & PROXY_IN_TREE && tree_of(w, proxy) == trees[i];
        if (!wanted && cn_tree_has(trees[i], shape)) cn_tree_remove(trees[i], shape);
        if (wanted) cn_tree_restore(trees[i], shape, box, old);
    }
}

static void walk_proxy(walk *w, int shape, int proxy) {
    cn_bounds box = {0}, old;
    if (!(proxy & PROXY_IN_TREE)) {
        if (is_reading(w)) read_proxy(w, shape, proxy, box, box);
        return;
    }
    const cn_tree *tree = tree_of(w, proxy);
    if (is_checking(w)) w->proxies[tree != &w->sim->moving_tree] += !cn_tree_has(tree, shape);
    bool writes = !cn_archive_reads(w->archive);
    if (writes) box = cn_tree_box(tree, shape);
    old = writes ? cn_tree_old_box(tree, shape) : box;
    cn_archive_words(w->archive, &box, 4);
    if (proxy & PROXY_HAS_MOVED)
        cn_archive_words(w->archive, &old, 4);
    else
        old = box;
    if (is_reading(w)) {
        read_proxy(w, shape, proxy, box, old);
        if (!(proxy & PROXY_HAS_MOVED)) cn_tree_mark_searched(tree_of(w, proxy), shape);
    }
}

static void walk_proxies(walk *w, int first, int count) {
    for (int i = first; i < first + count && !w->archive->failed; i++) {
        int proxy = cn_archive_reads(w->archive) ? 0 : find_proxy(w, i);
        proxy = cn_archive_count(w->archive, proxy, 7);
        walk_proxy(w, i, proxy);
    }
}

// The old boxes of the scenery that has moved since the last search.
static void walk_moved_scenery(walk *w) {
    cn_tree *tree = &w->sim->static_tree;
    if (!cn_archive_reads(w->archive)) {
        bool any = cn_load_relaxed(&tree->changed);
        for (int shape = 0; any && shape < w->end; shape++) {
            if (!cn_is_scenery(w->scenery, CN_SHAPES, shape) || !cn_tree_has(tree, shape) ||
                !cn_tree_has_moved(tree, shape))
                continue;
            cn_bounds old = cn_tree_old_box(tree, shape);
            cn_archive_count(w->archive, 1 + shape, w->end);
            cn_archive_words(w->archive, &old, 4);
        }
        cn_archive_count(w->archive, 0, 0);
        return;
    }
    for (int shape; (shape = cn_archive_count(w->archive, 0, w->end) - 1) >= 0;) {
        cn_bounds old;
        cn_archive_words(w->archive, &old, 4);
        if (!is_reading(w)) continue;
        if (cn_tree_has(tree, shape))
            cn_tree_restore(tree, shape, cn_tree_box(tree, shape), old);
        else
            w->archive->failed = true;
    }
}

// ---- shapes

// The index of a polygon in the pool follows from its vertices.
static void clean_placed(void *row) {
    cn_placed_hull *placed = row;
    if (cn_placed_class(placed) != CN_CLASS_BOX) placed->hull = 0;
}

static bool is_polygon(const walk *w, int shape) {
    return cn_is_alive(w->sim, CN_SHAPES, shape) &&
           cn_placed_class(&w->sim->placed[shape]) != CN_CLASS_BOX;
}

static void walk_polygons(walk *w, int first, int count) {
    int polygons = 0;
    if (!cn_archive_reads(w->archive))
        for (int i = first; i < first + count; i++) polygons += is_polygon(w, i);
    polygons = cn_archive_items(w->archive, polygons, sizeof(cn_hull8));
    if (is_checking(w)) {
        for (int i = 0; i < polygons; i++)
            cn_archive_words(w->archive, NULL, sizeof(cn_hull8) / sizeof(float));
        w->polygons += polygons;
        return;
    }
    for (int i = first; i < first + count && polygons > 0; i++) {
        if (!is_polygon(w, i)) continue;
        polygons--;
        cn_canonical_hull hull = {.placed = w->sim->placed[i]};
        if (!is_reading(w)) hull.hull8 = w->sim->hulls.hulls8[hull.placed.hull];
        cn_archive_words(w->archive, &hull.hull8, sizeof hull.hull8 / sizeof(float));
        if (is_reading(w))
            w->sim->placed[i].hull = cn_hull_pool_add(&w->sim->hulls, &w->sim->memory, &hull);
    }
}

static void walk_filter(cn_archive *a, cn_filter *filter) {
    cn_archive_longs(a, &filter->category, 1);
    cn_archive_longs(a, &filter->mask, 1);
    cn_archive_int(a, &filter->group);
}

static void walk_rare(cn_archive *a, cn_shape_rare *rare) {
    cn_archive_words(a, &rare->rolling_resistance, 1);
    cn_archive_words(a, &rare->surface_speed, 1);
    cn_archive_words(a, &rare->one_way, 2);
    walk_filter(a, &rare->filter);
    cn_archive_longs(a, &rare->chain, 1);
    cn_archive_words(a, &rare->tile, 2);
}

static size_t rare_bytes(void) {
    cn_archive counter = {.use = CN_ARCHIVE_WRITE};
    cn_shape_rare rare = {0};
    walk_rare(&counter, &rare);
    return counter.at;
}

static bool is_rare(const walk *w, int shape) {
    return w->sim->shapes[shape].flags & CN_SHAPE_RARE;
}

// Shapes with rare properties, also destroyed ones: events read the names of their tiles.
static void walk_rares(walk *w, int first, int count) {
    int rares = 0;
    if (!cn_archive_reads(w->archive))
        for (int i = first; i < first + count; i++) rares += is_rare(w, i);
    rares = cn_archive_items(w->archive, rares, rare_bytes());
    if (is_checking(w)) {
        if (rares) need(w, cn_reserve_rare(w->sim));
        cn_archive_skip(w->archive, (size_t)rares * rare_bytes());
        return;
    }
    for (int i = first; i < first + count; i++) {
        if (!is_rare(w, i)) continue;
        if (rares-- == 0) w->archive->failed = true;
        if (w->archive->failed) return;
        walk_rare(w->archive, &w->sim->rare[i]);
    }
}

static void walk_shape_run(walk *w, int first, int count) {
    cn_simulation *sim = w->sim;
    walk_slots(w, CN_SHAPES, first, count);
    walk_rows(w, sim->placed + first, sizeof *sim->placed, count, clean_placed);
    walk_rows(w, sim->links + first, sizeof *sim->links, count, NULL);
    walk_rows(w, sim->shapes + first, sizeof *sim->shapes, count, NULL);
    walk_polygons(w, first, count);
    walk_rares(w, first, count);
    walk_proxies(w, first, count);
}

// Takes the polygons of the shapes that will be overwritten out of the pool. Those that come back
// find their entries free, or still used by the scenery.
static void release_polygons(walk *w) {
    for (int i = 0; i < w->sim->slots[CN_SHAPES].end; i++)
        if (is_polygon(w, i) && !cn_is_scenery(w->scenery, CN_SHAPES, i)) cn_unpool_hull(w->sim, i);
}

// Removes the proxies of shapes whose slots have never been used in the state that is read.
static void remove_later_proxies(walk *w, int end_before) {
    for (int i = w->end; i < end_before; i++) read_proxy(w, i, 0, (cn_bounds){0}, (cn_bounds){0});
}

// Shapes that changed since the last step.
static void walk_dirty(walk *w) {
    cn_simulation *sim = w->sim;
    int count = cn_archive_items(w->archive, sim->dirty_count, 2 * sizeof(int));
    if (is_checking(w)) {
        cn_archive_skip(w->archive, (size_t)count * 2 * sizeof(int));
        return;
    }
    if (is_reading(w)) {
        for (int i = 0; i < sim->dirty_count; i++) sim->dirty[sim->dirty_shapes[i]] = 0;
        sim->dirty_count = 0;
    }
    for (int i = 0, shape = -1; i < count && !w->archive->failed; i++) {
        int dirty = 0;
        if (!is_reading(w)) { // in slot order: that of the list depends on the places in the trees
            for (shape++; !sim->dirty[shape];) shape++;
            dirty = sim->dirty[shape];
        }
        shape = cn_archive_count(w->archive, is_reading(w) ? 0 : shape, w->end - 1);
        dirty = cn_archive_count(w->archive, dirty, UINT8_MAX);
        if (is_reading(w) && !w->archive->failed) cn_mark_dirty(sim, shape, (uint8_t)dirty);
    }
}

// Surfaces follow from the shapes, but an edit changes contacts only beside known ones.
static void walk_surfaces(walk *w) {
    cn_simulation *sim = w->sim;
    int count = cn_archive_items(w->archive, sim->known_surfaces, sizeof(int));
    if (is_checking(w)) {
        cn_archive_skip(w->archive, (size_t)count * sizeof(int));
        return;
    }
    if (is_reading(w)) {
        cn_release_surfaces(sim);
        for (int i = 0; i < count; i++) {
            int shape = cn_archive_count(w->archive, 0, w->end - 1);
            if (!w->archive->failed) cn_expect_surface(sim, shape);
        }
        return;
    }
    for (int i = 0; i < w->end && count > 0; i++) {
        if (sim->surface_of[i] == CN_SURFACE_UNKNOWN) continue;
        cn_archive_int(w->archive, &(int){i});
        count--;
    }
}

static void walk_fields(walk *w) {
    cn_simulation *sim = w->sim;
    WALK_LIST(w, &sim->fields);
    if (is_checking(w))
        need(w, cn_reserve(&sim->memory, &sim->placed_fields, sim->fields.capacity));
}

static void walk_overlaps(walk *w) {
    cn_simulation *sim = w->sim;
    int count = cn_archive_items(w->archive, sim->overlaps.count, sizeof(uint64_t));
    if (is_checking(w)) need(w, cn_reserve(&sim->memory, &sim->overlaps, count));
    cn_archive_longs(w->archive, sim->overlaps.items, (size_t)count);
    if (is_reading(w)) sim->overlaps.count = count;
}

static void walk_shapes(walk *w) {
    cn_simulation *sim = w->sim;
    int end_before = sim->slots[CN_SHAPES].end;
    if (is_reading(w) && !w->is_scenery) release_polygons(w);
    if (is_reading(w)) cn_tree_commit(&sim->moving_tree), cn_tree_commit(&sim->static_tree);
    begin_kind(w, CN_SHAPES);
    walk_runs(w, CN_SHAPES, walk_shape_run);
    if (is_checking(w) && !w->archive->failed) {
        int limit = sim->slots[CN_SHAPES].capacity;
        need(w, cn_hull_pool_reserve(&sim->hulls, &sim->memory, w->polygons) &&
                    cn_tree_reserve(&sim->moving_tree, &sim->memory, w->proxies[0], limit) &&
                    cn_tree_reserve(&sim->static_tree, &sim->memory, w->proxies[1], limit));
    }
    if (is_reading(w) && w->is_scenery) cn_tree_commit(&sim->static_tree);
    if (w->is_scenery) return;
    if (is_reading(w)) remove_later_proxies(w, end_before);
    walk_moved_scenery(w);
    walk_dirty(w);
    walk_surfaces(w);
    walk_fields(w);
    WALK_LIST(w, &sim->sensors);
    walk_overlaps(w);
}

// ---- tile grids

static void walk_grid_run(walk *w, int first, int count) {
    walk_slots(w, CN_GRIDS, first, count);
    size_t words = (offsetof(cn_tile_grid, enabled) + sizeof(int32_t)) / sizeof(int32_t);
    for (int i = first; i < first + count; i++) {
        cn_tile_grid *grid = &w->sim->grids[i];
        int width = grid->width, height = grid->height; // as in the scenery
        cn_archive_words(w->archive, grid, words);
        bool differs = grid->tiles && (width != grid->width || height != grid->height);
        if (is_reading(w) && differs) w->archive->failed = true;
    }
}

// All shapes of tiles belong to the moving part.
static void find_tile_shapes(cn_simulation *sim) {
    sim->tile_shape_count = 0;
    CN_EACH(CN_SHAPES, i, sim) {
        if (!cn_is_tile(sim, i)) continue;
        cn_tile_name name = sim->rare[i].tile;
        const cn_tile_grid *grid = &sim->grids[name.grid];
        grid->tiles[name.tile] = 1 + i;
        sim->tile_shape_count++;
    }
}

// Takes the shapes from the tiles, whose numbers are then as in the scenery.
static void forget_tile_shapes(cn_simulation *sim) {
    CN_EACH(CN_SHAPES, i, sim) {
        if (!cn_is_tile(sim, i)) continue;
        cn_tile_name name = sim->rare[i].tile;
        sim->grids[name.grid].tiles[name.tile] = CN_TILE_SOLID;
    }
}

static void walk_grids(walk *w) {
    begin_kind(w, CN_GRIDS);
    walk_runs(w, CN_GRIDS, walk_grid_run);
}

static void walk_mix(cn_archive *a, cn_mix *mix) {
    int number = (int)*mix;
    cn_archive_int(a, &number);
    if (a->use == CN_ARCHIVE_READ) *mix = (cn_mix)number;
}

static void walk_material(cn_archive *a, cn_material *m) {
    cn_archive_words(a, &m->friction, 1);
    cn_archive_words(a, &m->restitution, 1);
    cn_archive_bool(a, &m->frictionless);
    cn_archive_words(a, &m->rolling_resistance, 1);
    cn_archive_words(a, &m->surface_speed, 1);
    walk_mix(a, &m->friction_mix);
    walk_mix(a, &m->restitution_mix);
}

// What the shapes of tiles are made from.
static void walk_tile_def(cn_archive *a, cn_shape_def *def) {
    cn_archive_words(a, &def->density, 1);
    walk_material(a, &def->material);
    walk_filter(a, &def->filter);
    cn_archive_bool(a, &def->hit_events);
    cn_archive_bool(a, &def->no_touch_events);
    cn_archive_words(a, &def->one_way, 2);
    cn_archive_longs(a, &def->user_data, 1);
}

// A byte per tile: 0 is empty, 1 solid.
static void walk_solid(cn_archive *a, cn_tile_grid *grid) {
    int tiles = grid->width * grid->height;
    for (int done = 0; done < tiles; done += CHUNK_WORDS) {
        uint8_t chunk[CHUNK_WORDS];
        int n = cn_min_int(tiles - done, CHUNK_WORDS);
        for (int i = 0; i < n; i++) chunk[i] = grid->tiles[done + i] != CN_TILE_EMPTY;
        cn_archive_bytes(a, chunk, (size_t)n);
        for (int i = 0; i < n && a->use == CN_ARCHIVE_READ; i++)
            grid->tiles[done + i] = chunk[i] ? CN_TILE_SOLID : CN_TILE_EMPTY;
    }
}

// What a grid needs memory for.
typedef struct {
    int width, height, material_count;
    bool has_materials, has_traits;
} grid_size;

static grid_size walk_grid_size(cn_archive *a, const cn_tile_grid *grid) {
    grid_size size;
    size.width = cn_archive_count(a, grid->width, INT32_MAX);
    size.height = cn_archive_count(a, grid->height, INT32_MAX);
    size.material_count = cn_archive_count(a, grid->material_count, CN_MAX_TILE_MATERIALS);
    size.has_materials = cn_archive_count(a, grid->materials != NULL, 1);
    size.has_traits = cn_archive_count(a, grid->traits != NULL, 1);
    size_t left = cn_archive_reads(a) ? a->size - a->at : INT32_MAX;
    if (size.width == 0 || size.height == 0 || (size_t)size.width > left / (size_t)size.height)
        a->failed = true;
    return size;
}

// Scenery is only read into a world without grids.
static void allocate_grid(walk *w, cn_tile_grid *grid, grid_size size) {
    cn_memory *memory = &w->sim->memory;
    grid->width = size.width, grid->height = size.height;
    grid->material_count = size.material_count;
    grid->tiles = cn_allocate(memory, cn_grid_bytes(grid));
    if (size.has_materials) grid->materials = cn_allocate(memory, cn_material_bytes(grid));
    need(w, grid->tiles && (!size.has_materials || grid->materials));
}

static size_t material_bytes(void) {
    cn_archive counter = {.use = CN_ARCHIVE_WRITE};
    cn_material material = {0};
    walk_material(&counter, &material);
    return counter.at;
}

static void walk_grid_contents(walk *w, cn_tile_grid *grid) {
    cn_archive *a = w->archive;
    grid_size size = walk_grid_size(a, grid);
    size_t materials = size.has_materials ? (size_t)size.material_count : 0;
    size_t tiles = (size_t)size.width * (size_t)size.height;
    if (is_reading(w) && !a->failed) allocate_grid(w, grid, size);
    if (a->failed) return;
    cn_archive_words(a, &grid->size, 1);
    walk_tile_def(a, &grid->shape);
    if (is_checking(w)) {
        cn_archive_skip(a, materials * material_bytes() + tiles * (size.has_traits ? 2 : 1));
        return;
    }
    for (size_t i = 0; i < materials; i++) walk_material(a, &grid->materials[i]);
    walk_solid(a, grid);
    if (is_reading(w) && size.has_traits) need(w, cn_add_traits(w->sim, grid));
    if (size.has_traits && !a->failed) cn_archive_bytes(a, grid->traits, tiles);
}

static void walk_all_contents(walk *w) {
    cn_simulation *sim = w->sim;
    cn_archive *a = w->archive;
    if (!cn_archive_reads(a)) {
        for (int i = 0; i < sim->slots[CN_GRIDS].capacity; i++) {
            if (!sim->grids[i].tiles) continue;
            cn_archive_count(a, 1 + i, CN_MAX_SLOTS);
            walk_grid_contents(w, &sim->grids[i]);
        }
        cn_archive_count(a, 0, 0);
        return;
    }
    for (int i; (i = cn_archive_count(a, 0, CN_MAX_SLOTS) - 1) >= 0 && !a->failed;) {
        need(w, cn_resize_slots(sim, CN_GRIDS, i + 1, true));
        if (!a->failed && sim->grids[i].tiles) a->failed = true; // twice
        if (!a->failed) walk_grid_contents(w, &sim->grids[i]);
    }
}

// ---- joints

static void walk_coordinate(cn_archive *a, cn_coordinate *c) {
    int mode = (int)c->mode;
    cn_archive_int(a, &mode);
    cn_archive_words(a, &c->lower, 1);
    cn_archive_words(a, &c->upper, 1);
    cn_archive_words(a, &c->target, 1);
    cn_archive_words(a, &c->hertz, 1);
    cn_archive_words(a, &c->damping_ratio, 1);
    cn_archive_words(a, &c->spring_force, 1);
    cn_archive_bool(a, &c->motor);
    cn_archive_words(a, &c->speed, 1);
    cn_archive_words(a, &c->motor_force, 1);
    cn_archive_words(a, &c->ratchet, 1);
    if (a->use == CN_ARCHIVE_READ) c->mode = (cn_coordinate_mode)mode;
}

static void walk_joint_def(cn_archive *a, cn_joint_def *def) {
    cn_archive_longs(a, &def->a.id, 1);
    cn_archive_longs(a, &def->b.id, 1);
    cn_archive_words(a, &def->frame_a, 4);
    cn_archive_words(a, &def->frame_b, 4);
    for (int i = 0; i < 3; i++) walk_coordinate(a, cn_coordinate_of(def, i));
    cn_archive_bool(a, &def->polar);
    cn_archive_bool(a, &def->collide_connected);
    cn_archive_bool(a, &def->disabled);
    cn_archive_words(a, &def->break_force, 1);
    cn_archive_words(a, &def->break_torque, 1);
    cn_archive_longs(a, &def->user_data, 1);
}

static void walk_joint(cn_archive *a, cn_joint_record *record, cn_joint_data *data) {
    int row_type = (int)data->row_type;
    cn_archive_words(a, record, sizeof *record / sizeof(float));
    walk_joint_def(a, &data->def);
    cn_archive_words(a, data->next, 2);
    cn_archive_words(a, &data->flags, 1);
    cn_archive_int(a, &row_type);
    cn_archive_words(a, &data->broken_force, 1);
    cn_archive_words(a, &data->broken_torque, 1);
    cn_archive_words(a, &data->coupling, sizeof data->coupling / sizeof(float));
    if (a->use == CN_ARCHIVE_READ) data->row_type = (cn_row_type)row_type;
}

static size_t joint_bytes(void) {
    cn_archive counter = {.use = CN_ARCHIVE_WRITE};
    cn_joint_record record = {0};
    cn_joint_data data = {0};
    walk_joint(&counter, &record, &data);
    return counter.at;
}

static void walk_joint_run(walk *w, int first, int count) {
    cn_simulation *sim = w->sim;
    walk_slots(w, CN_JOINTS, first, count);
    if (is_checking(w)) {
        cn_archive_skip(w->archive, (size_t)count * joint_bytes());
        return;
    }
    for (int i = first; i < first + count; i++) {
        walk_joint(w->archive, &sim->joint_records[i], &sim->joints[i]);
        if (is_reading(w)) sim->prepared_joints[i].h = 0; // to be prepared again
    }
}

static void walk_joints(walk *w) {
    begin_kind(w, CN_JOINTS);
    walk_runs(w, CN_JOINTS, walk_joint_run);
    if (!is_reading(w)) return;
    w->sim->coupling_count = 0;
    for (int i = 0; i < w->end; i++)
        w->sim->coupling_count += w->sim->joints[i].coupling.other >= 0;
}

// ---- contacts

static void walk_touching(walk *w) {
    cn_simulation *sim = w->sim;
    cn_archive *a = w->archive;
    cn_touching_rows *t = &sim->touching;
    int before = t->end;
    int end = cn_archive_items(a, t->end, sizeof(cn_contact_record));
    if (is_checking(w) && !a->failed) need(w, cn_reserve_touching(sim, end));
    if (a->failed) return;
    size_t words = (size_t)(end + 63) / 64, rows = (size_t)end;
    cn_archive_longs(a, t->occupied, words);
    cn_archive_longs(a, t->silent, words);
    cn_archive_bytes(a, t->row_types, rows);
    cn_archive_words(a, t->records, rows * sizeof *t->records / sizeof(float));
    cn_archive_words(a, t->anchors, rows * sizeof *t->anchors / sizeof(float));
    cn_archive_words(a, t->bodies, rows * sizeof *t->bodies / sizeof(float));
    if (is_reading(w)) cn_recount_touching(t, end, before);
}

static void walk_apart_pair(cn_archive *a, cn_apart *pair) {
    cn_archive_words(a, &pair->shape_a, 2);
    cn_archive_words(a, &pair->meta, 1);
    if (a->use == CN_ARCHIVE_READ) pair->result = CN_PAIR_APART; // scratch
}

static void walk_apart(walk *w, cn_apart_list *list) {
    int count = cn_archive_items(w->archive, list->count, 3 * sizeof(int));
    if (is_checking(w)) need(w, cn_reserve(&w->sim->memory, list, count));
    if (w->archive->failed) return;
    for (int i = 0; i < count; i++) walk_apart_pair(w->archive, &list->items[i]);
    if (is_reading(w)) list->count = count;
}

// ---- sleeping islands

static void walk_stored_contact(cn_archive *a, cn_stored_contact *contact) {
    cn_archive_words(a, &contact->record, sizeof contact->record / sizeof(float));
    cn_archive_words(a, &contact->anchor, sizeof contact->anchor / sizeof(float));
    cn_archive_words(a, &contact->bodies, sizeof contact->bodies / sizeof(float));
    cn_archive_bool(a, &contact->silent);
}

static size_t stored_contact_bytes(void) {
    cn_archive counter = {.use = CN_ARCHIVE_WRITE};
    cn_stored_contact contact = {0};
    walk_stored_contact(&counter, &contact);
    return counter.at;
}

static void walk_island(walk *w, int index) {
    cn_archive *a = w->archive;
    cn_sleeping_island *island = &w->sim->sleeping_islands[index];
    cn_archive_bool(a, &island->alive);
    cn_archive_bool(a, &island->wake_requested);
    cn_archive_int(a, &island->first_body);
    cn_archive_int(a, &island->body_count);
    cn_archive_int(a, &island->next_free);
    int count = cn_archive_items(a, island->contacts.count, stored_contact_bytes());
    if (is_checking(w)) {
        need(w, cn_reserve(&w->sim->memory, &island->contacts, count));
        cn_archive_skip(a, (size_t)count * stored_contact_bytes());
        return;
    }
    if (a->failed) return;
    for (int i = 0; i < count; i++) walk_stored_contact(a, &island->contacts.items[i]);
    if (is_reading(w)) island->contacts.count = count;
}

static void walk_islands(walk *w) {
    enum { LEAST_BYTES = 6 * sizeof(int) };
    cn_simulation *sim = w->sim;
    int before = sim->sleeping_end;
    int end = cn_archive_items(w->archive, sim->sleeping_end, LEAST_BYTES);
    if (is_checking(w))
        need(w, cn_grow(&sim->memory, &sim->sleeping_islands, &sim->sleeping_capacity, end));
    cn_archive_int(w->archive, &sim->sleeping_free);
    cn_archive_bool(w->archive, &sim->wake_requested);
    for (int i = 0; i < end && !w->archive->failed; i++) walk_island(w, i);
    if (!is_reading(w)) return;
    for (int i = end; i < before; i++) {
        cn_free_list(&sim->memory, &sim->sleeping_islands[i].contacts);
        sim->sleeping_islands[i] = (cn_sleeping_island){0};
    }
    sim->sleeping_end = end, sim->sleeping_count = 0;
    for (int i = 0; i < end; i++) sim->sleeping_count += sim->sleeping_islands[i].alive;
}

// ---- the parts

void cn_walk_scenery(cn_archive *archive, cn_world *world, const cn_scenery *scenery) {
    walk w = {archive, world, &world->sim, scenery, .is_scenery = true};
    walk_bodies(&w);
    walk_shapes(&w);
    walk_all_contents(&w);
}

void cn_walk_moving(cn_archive *archive, cn_world *world, const cn_scenery *scenery) {
    walk w = {archive, world, &world->sim, scenery, .is_scenery = false};
    if (is_reading(&w)) forget_tile_shapes(&world->sim);
    walk_settings(&w);
    walk_bodies(&w);
    walk_shapes(&w);
    walk_grids(&w);
    walk_joints(&w);
    WALK_LIST(&w, &world->sim.drop_throughs);
    walk_touching(&w);
    for (int i = 0; i < CN_CLASS_COUNT; i++) walk_apart(&w, &world->sim.apart[i]);
    walk_islands(&w);
    if (is_reading(&w)) world->saved_callbacks = (cn_saved_callbacks){w.refused, w.had_pre_solve};
}

// ---- what follows from the state

// The callbacks are those of now. The effect of other ones is that of cn_world_set_callbacks().
static void apply_callbacks(cn_world *world) {
    cn_simulation *sim = &world->sim;
    cn_saved_callbacks saved = world->saved_callbacks;
    if (saved.pre_solve != (sim->pre_solve != NULL)) cn_update_row_types(sim);
    if (saved.refuse == (sim->filter || sim->pre_solve)) return;
    CN_EACH(CN_SHAPES, i, sim) { cn_forget_own_surface(sim, i); }
}

void cn_end_reading(cn_world *world) {
    cn_simulation *sim = &world->sim;
    find_tile_shapes(sim);
    cn_forget_plan(sim);
    apply_callbacks(world);
    cn_clear_event_buffers(sim);
    sim->waking.count = sim->requested_count = 0;
    sim->contact_revision++;
    if (sim->box_slack)
        memset(sim->box_slack, 0, (size_t)sim->slots[CN_SHAPES].end * sizeof *sim->box_slack);
    cn_tree_refit(&sim->moving_tree);
    cn_tree_refit(&sim->static_tree);
    cn_restart_moves(world);
}
