/* Shapes: their rows, polygons, boxes in the trees, and the lists in which they are. */
#include "walk.h"

// ---- proxies

// A byte for the proxy of a shape: in which tree it is, if any. The old box is written only if the
// box has moved since the last search. Otherwise the two boxes are equal.
enum { PROXY_IS_MOVING = 1 << 0, PROXY_IS_STATIC = 1 << 1, PROXY_HAS_MOVED = 1 << 2 };

// Proxies are written in groups: their bytes, then their boxes, then their old boxes.
enum { GROUP = 64 };
typedef struct {
    uint8_t kinds[GROUP];
    cn_bounds boxes[GROUP], old[GROUP];
    int box_count, old_count;
} proxy_group;

static cn_tree *tree_of(const cn_walk *w, int kind) {
    return kind & PROXY_IS_STATIC ? &w->sim->static_tree : &w->sim->moving_tree;
}

// Adds the proxy of a shape to a group. Whether scenery has moved since the last search belongs to
// the moving part.
static uint8_t gather_proxy(const cn_walk *w, int shape, proxy_group *g) {
    for (uint8_t kind = PROXY_IS_MOVING; kind <= PROXY_IS_STATIC; kind *= 2) {
        const cn_tree *tree = tree_of(w, kind);
        if (!cn_tree_has(tree, shape)) continue;
        g->boxes[g->box_count++] = cn_tree_box(tree, shape);
        if (w->is_scenery || !cn_tree_has_moved(tree, shape)) return kind;
        g->old[g->old_count++] = cn_tree_old_box(tree, shape);
        return kind | PROXY_HAS_MOVED;
    }
    return 0;
}

// Counts the boxes that the archive has next, and the proxies that the trees do not have yet.
static void count_boxes(cn_walk *w, int first, int count, proxy_group *g) {
    for (int i = 0; i < count; i++) {
        int kind = g->kinds[i];
        if (kind > (PROXY_IS_STATIC | PROXY_HAS_MOVED) || kind == PROXY_HAS_MOVED ||
            (kind & PROXY_IS_MOVING && kind & PROXY_IS_STATIC))
            w->archive->failed = true;
        if (kind == 0) continue;
        const cn_tree *tree = tree_of(w, kind);
        w->proxies[tree != &w->sim->moving_tree] += !cn_tree_has(tree, first + i);
        g->box_count++, g->old_count += kind & PROXY_HAS_MOVED ? 1 : 0;
    }
}

static bool are_boxes(const cn_bounds *boxes, int count) {
    int wrong = 0;
    for (int i = 0; i < count; i++)
        wrong += !(boxes[i].lower.x <= boxes[i].upper.x && boxes[i].lower.y <= boxes[i].upper.y);
    return wrong == 0 && cn_are_finite(boxes, (size_t)count * sizeof *boxes);
}

static void remove_proxy(cn_tree *tree, int shape) {
    if (cn_tree_has(tree, shape)) cn_tree_remove(tree, shape);
}

static void scatter_proxies(cn_walk *w, int first, int count, const proxy_group *g) {
    const cn_bounds *box = g->boxes, *old = g->old;
    if (!are_boxes(g->boxes, g->box_count) ||
        !cn_are_finite(g->old, (size_t)g->old_count * sizeof *g->old))
        w->archive->failed = true;
    if (w->archive->failed) return;
    for (int i = 0; i < count; i++) {
        int kind = g->kinds[i];
        if (!(kind & PROXY_IS_MOVING)) remove_proxy(&w->sim->moving_tree, first + i);
        if (!(kind & PROXY_IS_STATIC)) remove_proxy(&w->sim->static_tree, first + i);
        if (kind == 0) continue;
        bool moved = kind & PROXY_HAS_MOVED;
        cn_tree_restore(tree_of(w, kind), first + i, *box, moved ? old++ : NULL);
        box++;
    }
}

static void walk_group(cn_walk *w, int first, int count) {
    proxy_group g;
    g.box_count = g.old_count = 0;
    bool reads = cn_archive_reads(w->archive);
    for (int i = 0; i < count && !reads; i++) g.kinds[i] = gather_proxy(w, first + i, &g);
    cn_archive_peek(w->archive, g.kinds, (size_t)count);
    if (w->archive->failed) return;
    if (reads) count_boxes(w, first, count, &g);
    cn_archive_words(w->archive, g.boxes, 4 * (size_t)g.box_count);
    cn_archive_words(w->archive, g.old, 4 * (size_t)g.old_count);
    if (cn_is_reading(w)) scatter_proxies(w, first, count, &g);
}

static void walk_proxies(cn_walk *w, int first, int count) {
    for (int i = first; i < first + count && !w->archive->failed; i += GROUP)
        walk_group(w, i, cn_min_int(GROUP, first + count - i));
}

// The old boxes of the scenery that has moved since the last search.
static void walk_moved_scenery(cn_walk *w) {
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
        if (!cn_is_reading(w)) continue;
        if (cn_tree_has(tree, shape) && CN_IS_FINITE(old))
            cn_tree_restore(tree, shape, cn_tree_box(tree, shape), &old);
        else
            w->archive->failed = true;
    }
}

// ---- shapes

static bool is_polygon(const cn_walk *w, int shape) {
    return cn_is_alive(w->sim, CN_SHAPES, shape) &&
           cn_placed_class(&w->sim->placed[shape]) != CN_CLASS_BOX;
}

// The index of a polygon in the pool follows from its vertices.
static void walk_hulls(cn_walk *w, int first, int count) {
    enum { CHUNK = 64 };
    cn_placed_hull chunk[CHUNK], *placed = w->sim->placed + first;
    const size_t words = sizeof *placed / sizeof(float);
    if (cn_archive_reads(w->archive)) {
        cn_archive_words(w->archive, placed, (size_t)count * words);
        return;
    }
    for (int done = 0, n; done < count; done += n) {
        n = cn_min_int(count - done, CHUNK);
        memcpy(chunk, placed + done, (size_t)n * sizeof *chunk);
        for (int i = 0; i < n; i++)
            if (cn_placed_class(&chunk[i]) != CN_CLASS_BOX) chunk[i].hull = 0;
        cn_archive_words(w->archive, chunk, (size_t)n * words);
    }
}

static void walk_polygons(cn_walk *w, int first, int count) {
    int polygons = 0;
    if (!cn_archive_reads(w->archive))
        for (int i = first; i < first + count; i++) polygons += is_polygon(w, i);
    polygons = cn_archive_items(w->archive, polygons, sizeof(cn_hull8));
    if (cn_is_checking(w)) {
        for (int i = 0; i < polygons; i++)
            cn_archive_words(w->archive, NULL, sizeof(cn_hull8) / sizeof(float));
        w->polygons += polygons;
        return;
    }
    for (int i = first; i < first + count && polygons > 0; i++) {
        if (!is_polygon(w, i)) continue;
        polygons--;
        cn_canonical_hull hull = {.placed = w->sim->placed[i]};
        if (!cn_is_reading(w)) hull.hull8 = w->sim->hulls.hulls8[hull.placed.hull];
        cn_archive_words(w->archive, &hull.hull8, sizeof hull.hull8 / sizeof(float));
        if (cn_is_reading(w))
            w->sim->placed[i].hull = cn_hull_pool_add(&w->sim->hulls, &w->sim->memory, &hull);
    }
    if (polygons > 0) w->archive->failed = true;
}

void cn_walk_filter(cn_archive *a, cn_filter *filter) {
    cn_archive_longs(a, &filter->category, 1);
    cn_archive_longs(a, &filter->mask, 1);
    cn_archive_int(a, &filter->group);
}

// The words are 0 for a shape that is no segment.
static void walk_segment(cn_archive *a, cn_shape_rare *rare) {
    uint32_t name[] = {1 + (uint32_t)rare->chain, 1 + (uint32_t)rare->segment};
    cn_archive_words(a, name, 2);
    if (a->use == CN_ARCHIVE_READ)
        rare->chain = (int32_t)(name[0] - 1), rare->segment = (int32_t)(name[1] - 1);
}

static void walk_rare(cn_archive *a, cn_shape_rare *rare) {
    cn_archive_words(a, &rare->rolling_resistance, 1);
    cn_archive_words(a, &rare->surface_speed, 1);
    cn_archive_words(a, &rare->min_bounce_speed, 1);
    cn_archive_words(a, &rare->one_way, 2);
    cn_walk_filter(a, &rare->filter);
    walk_segment(a, rare);
    cn_archive_words(a, &rare->terrain, 2);
}

static size_t rare_bytes(void) {
    cn_archive counter = {.use = CN_ARCHIVE_WRITE};
    cn_shape_rare rare = {0};
    walk_rare(&counter, &rare);
    return counter.at;
}

static bool is_rare(const cn_walk *w, int shape) {
    return w->sim->shapes[shape].flags & CN_SHAPE_RARE;
}

// Walks through shapes with rare properties, also destroyed ones: events read which tiles they
// were.
static void walk_rares(cn_walk *w, int first, int count) {
    int rares = 0;
    if (!cn_archive_reads(w->archive))
        for (int i = first; i < first + count; i++) rares += is_rare(w, i);
    rares = cn_archive_items(w->archive, rares, rare_bytes());
    if (cn_is_checking(w)) {
        if (rares) cn_need(w, cn_reserve_rare(w->sim));
        cn_archive_skip(w->archive, (size_t)rares * rare_bytes());
        return;
    }
    for (int i = first; i < first + count; i++) {
        if (!is_rare(w, i)) continue;
        if (rares-- == 0) w->archive->failed = true;
        if (w->archive->failed) return;
        walk_rare(w->archive, &w->sim->rare[i]);
    }
    if (rares > 0) w->archive->failed = true;
}

void cn_walk_shape_run(cn_walk *w, int first, int count) {
    cn_simulation *sim = w->sim;
    cn_walk_slots(w, CN_SHAPES, first, count);
    walk_hulls(w, first, count);
    cn_archive_words(w->archive, sim->links + first,
                     (size_t)count * sizeof *sim->links / sizeof(float));
    // A shape with a next one in the list of its body.
    w->has_compounds |=
        cn_any_row_has(w, sizeof *sim->shapes, count, offsetof(cn_shape_warm, next), 1u << 31, 0);
    cn_archive_words(w->archive, sim->shapes + first,
                     (size_t)count * sizeof *sim->shapes / sizeof(float));
    walk_polygons(w, first, count);
    walk_rares(w, first, count);
    walk_proxies(w, first, count);
}

// Removes the polygons of the shapes that will be overwritten from the pool. Reading adds the saved
// polygons again.
static void release_polygons(cn_walk *w) {
    if (!w->sim->hulls.count) return;
    for (int i = 0; i < w->sim->slots[CN_SHAPES].end; i++)
        if (is_polygon(w, i) && !cn_is_scenery(w->scenery, CN_SHAPES, i)) cn_unpool_hull(w->sim, i);
}

static void clear_dirty(cn_simulation *sim) {
    for (int i = 0; i < sim->dirty_count; i++) sim->dirty[sim->dirty_shapes[i]] = 0;
    sim->dirty_count = 0;
}

// Removes the proxies of shapes whose slots were never used in the state that is read.
static void remove_later_proxies(cn_walk *w, int end_before) {
    for (int i = w->end; i < end_before; i++)
        remove_proxy(&w->sim->moving_tree, i), remove_proxy(&w->sim->static_tree, i);
}

// Shapes that changed since the last step.
static void walk_dirty(cn_walk *w) {
    cn_simulation *sim = w->sim;
    int count = cn_archive_items(w->archive, sim->dirty_count, 2 * sizeof(int));
    if (cn_is_checking(w)) {
        cn_archive_skip(w->archive, (size_t)count * 2 * sizeof(int));
        return;
    }
    for (int i = 0, shape = -1; i < count && !w->archive->failed; i++) {
        int dirty = 0;
        // In slot order, because the order of the list depends on the places in the trees.
        if (!cn_is_reading(w)) {
            for (shape++; !sim->dirty[shape];) shape++;
            dirty = sim->dirty[shape];
        }
        shape = cn_archive_count(w->archive, cn_is_reading(w) ? 0 : shape, w->end - 1);
        dirty = cn_archive_count(w->archive, dirty, UINT8_MAX);
        if (cn_is_reading(w) && !w->archive->failed) cn_mark_dirty(sim, shape, (uint8_t)dirty);
    }
}

// The surfaces follow from the shapes. It is part of the state which of them are known, because an
// edit changes contacts only beside known surfaces. A comparison ignores this.
static void walk_surfaces(cn_walk *w) {
    cn_simulation *sim = w->sim;
    if (w->compares) return;
    int count = cn_archive_items(w->archive, sim->known_surfaces, sizeof(int));
    if (cn_is_checking(w)) {
        cn_archive_skip(w->archive, (size_t)count * sizeof(int));
        return;
    }
    if (cn_is_reading(w)) {
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

static void walk_sensors(cn_walk *w) {
    int count = CN_WALK_LIST(w, &w->sim->sensors);
    if (cn_is_checking(w) && count > 0) cn_need(w, cn_reserve_sensor_places(w->sim));
}

static void walk_overlaps(cn_walk *w) {
    cn_simulation *sim = w->sim;
    int count = cn_archive_items(w->archive, sim->overlaps.count, sizeof(uint64_t));
    if (cn_is_checking(w)) cn_need(w, cn_reserve(&sim->memory, &sim->overlaps, count));
    cn_archive_longs(w->archive, sim->overlaps.items, (size_t)count);
    if (cn_is_reading(w)) sim->overlaps.count = count;
}

static void count_special(cn_simulation *sim) {
    sim->bouncy_shapes = sim->one_way_shapes = 0;
    CN_EACH(CN_SHAPES, i, sim) {
        sim->bouncy_shapes += sim->shapes[i].restitution > 0;
        sim->one_way_shapes += cn_is_one_way(sim, i);
    }
}

void cn_walk_shapes(cn_walk *w) {
    cn_simulation *sim = w->sim;
    int end_before = sim->slots[CN_SHAPES].end;
    if (cn_is_reading(w) && !w->is_scenery) release_polygons(w), clear_dirty(sim);
    if (cn_is_reading(w)) cn_tree_commit(&sim->static_tree); // moved scenery will be read
    cn_begin_kind(w, CN_SHAPES);
    cn_walk_runs(w, CN_SHAPES, cn_walk_shape_run);
    if (w->archive->failed) return;
    if (cn_is_checking(w)) {
        int limit = sim->slots[CN_SHAPES].capacity;
        int polygons = cn_max_int(w->polygons, w->end > 0); // at least the dummy hull
        cn_need(w, (!w->has_compounds || cn_reserve_compounds(sim)) &&
                       cn_hull_pool_reserve(&sim->hulls, &sim->memory, polygons) &&
                       cn_tree_reserve(&sim->moving_tree, &sim->memory, w->proxies[0], limit) &&
                       cn_tree_reserve(&sim->static_tree, &sim->memory, w->proxies[1], limit));
    }
    if (cn_is_reading(w) && w->is_scenery) cn_tree_commit(&sim->static_tree);
    if (w->is_scenery) return;
    if (cn_is_reading(w)) remove_later_proxies(w, end_before);
    if (cn_is_reading(w)) count_special(sim);
    walk_moved_scenery(w);
    walk_dirty(w);
    walk_surfaces(w);
    cn_walk_parts(w, CN_SAVED_LISTS);
    walk_sensors(w);
    walk_overlaps(w);
}

// ---- checks

// The class of boxes includes circles, with one vertex, and segments and capsules, with two.
// Kernels also read the hulls of destroyed shapes until the pairs of these shapes end.
static bool is_sound_hull(const cn_simulation *sim, int shape) {
    const cn_placed_hull *p = &sim->placed[shape];
    const cn_hull_pool *pool = &sim->hulls;
    int count = cn_placed_count(p), hull_class = (int)cn_placed_class(p);
    if (!CN_IS_FINITE(p->pose) || !(p->radius >= 0 && p->radius <= CN_MAX_LENGTH)) return false;
    if (hull_class == CN_CLASS_BOX)
        return (count == 1 || count == 2 || count == 4) && p->hx >= 0 && p->hx <= CN_MAX_LENGTH &&
               p->hy >= 0 && p->hy <= CN_MAX_LENGTH;
    if (hull_class != (count > 4 ? CN_CLASS_HULL8 : CN_CLASS_HULL4) || count < 3 ||
        count > CN_MAX_VERTICES)
        return false;
    if (!cn_is_alive(sim, CN_SHAPES, shape)) return p->hull == 0; // the dummy hull
    return p->hull > 0 && p->hull < pool->count && pool->entries[p->hull].users > 0 &&
           CN_IS_FINITE(pool->hulls8[p->hull]);
}

// The shapes of an enabled body are in the tree of its type, those of a disabled body in no tree.
static bool is_in_its_tree(const cn_simulation *sim, int shape) {
    uint32_t flags = sim->hot[sim->links[shape].body].flags;
    bool enabled = flags & CN_BODY_ENABLED, moves = flags & CN_BODY_MOVES;
    return cn_tree_has(&sim->moving_tree, shape) == (enabled && moves) &&
           cn_tree_has(&sim->static_tree, shape) == (enabled && !moves);
}

static bool is_sound_shape(const cn_simulation *sim, int shape) {
    const cn_shape_link *link = &sim->links[shape];
    const cn_shape_warm *warm = &sim->shapes[shape];
    bool edited = sim->hot[link->body].flags & CN_BODY_EDITED;
    if (warm->flags & CN_SHAPE_UNCOUNTED && !edited) return false;
    return warm->flags & CN_SHAPE_ALIVE && CN_IS_FINITE(link->offset) && link->friction >= 0 &&
           link->friction <= FLT_MAX && CN_IS_FINITE(warm->pose) && warm->restitution >= 0 &&
           warm->restitution <= 1 && warm->density >= 0 && warm->density <= FLT_MAX &&
           cn_mix_in(warm->flags, CN_SHAPE_FRICTION_MIX) <= CN_MIX_MULTIPLY &&
           cn_mix_in(warm->flags, CN_SHAPE_RESTITUTION_MIX) <= CN_MIX_MULTIPLY &&
           is_in_its_tree(sim, shape);
}

// Events also read the grids of destroyed shapes. The part tiles checks the tiles.
static bool is_sound_rare(const cn_simulation *sim, int shape) {
    const cn_shape_rare *rare = cn_rare_of(sim, shape);
    return rare->terrain.owner < sim->slots[CN_GRIDS].end &&
           cn_are_finite(rare, offsetof(cn_shape_rare, filter));
}

static bool is_sensor(const cn_simulation *sim, int shape) {
    return sim->shapes[shape].flags & CN_SHAPE_SENSOR;
}

// Overlaps contain slots of shapes, which may have been destroyed since then.
static bool check_overlaps(const cn_simulation *sim) {
    uint64_t end = (uint64_t)sim->slots[CN_SHAPES].end, before = 0;
    for (int i = 0; i < sim->overlaps.count; i++) {
        uint64_t key = sim->overlaps.items[i];
        bool ok = key > before && key >> 32 < end && (uint32_t)key < end;
        if (!cn_sound(ok || (i == 0 && key == 0), "overlap", i)) return false;
        before = key;
    }
    return true;
}

static bool check_expected_surfaces(const cn_simulation *sim) {
    for (int i = 0; i < sim->slots[CN_SHAPES].end; i++) {
        bool known = sim->surface_of[i] != CN_SURFACE_UNKNOWN;
        if (!cn_sound(!known || cn_is_alive(sim, CN_SHAPES, i), "surface", i)) return false;
    }
    return true;
}

bool cn_check_shape_rows(const cn_simulation *sim) {
    for (int i = 0; i < sim->slots[CN_SHAPES].end; i++) {
        int body = sim->links[i].body;
        bool used = sim->slots[CN_SHAPES].items[i].generation != 0;
        if (!cn_sound(body >= 0 && body < sim->slots[CN_BODIES].end && is_sound_rare(sim, i),
                      "name in shape", i) ||
            !cn_sound(!used || is_sound_hull(sim, i), "hull of shape", i) ||
            !cn_sound(!cn_is_alive(sim, CN_SHAPES, i) || is_sound_shape(sim, i), "shape", i))
            return false;
    }
    return true;
}

bool cn_check_shapes(cn_world *world) {
    cn_simulation *sim = &world->sim;
    int sensors = 0;
    if (!cn_check_shape_rows(sim)) return false;
    CN_EACH(CN_SHAPES, i, sim) sensors += is_sensor(sim, i);
    return cn_check_set(world, "list of sensors", sim->sensors.items, sim->sensors.count, sensors,
                        CN_SHAPES, is_sensor) &&
           check_overlaps(sim) && check_expected_surfaces(sim);
}
