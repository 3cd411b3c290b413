/* Many rays in one call.
 *
 * Rays with near origins and similar directions visit the same boxes. So the rays are sorted along
 * a Z curve through their origins, and by the octants of their directions. Then they are cast eight
 * at a time, on all threads that are free. Each ray gets the result that it would get alone. The
 * exception is query.any: a ray may get another one of its hits.
 *
 * The call allocates no memory: the order and the results are kept in the caller's array of hits.
 * When all rays are done, swaps move each record to the place of its ray:
 *
 *      sorted keys      [k0 k1 k2 .                  ]    at the front of the array, then
 *      records          [k0 ..  | k1 ..  | k2 ..     ]    one for each ray, with its result
 *      hits             [of ray 0 | of ray 1 | ...   ]
 */
#include "queries.h"

enum { RASTER_BITS = 10 };

typedef struct {
    const cn_world *world;
    const cn_search *search;
    const cn_ray *rays;
    cn_world_hit *hits;
    int count;
} batch;

// The content of an element of the array of hits until the hit is written.
typedef struct {
    cn_result best;
    int32_t ray;
} record;
static_assert(sizeof(record) <= sizeof(cn_world_hit), "a record must fit in the place of a hit");

static record read_record(const cn_world_hit *hits, int i) {
    record p;
    memcpy(&p, &hits[i], sizeof p);
    return p;
}

// ---- order

// abcd -> 0a0b0c0d.
static uint32_t spread_bits(uint32_t v) {
    v = (v | v << 8) & 0x00ff00ff, v = (v | v << 4) & 0x0f0f0f0f;
    v = (v | v << 2) & 0x33333333;
    return (v | v << 1) & 0x55555555;
}

static cn_bounds box_of_origins(const batch *b) {
    cn_bounds box = {b->rays[0].origin, b->rays[0].origin};
    for (int i = 1; i < b->count; i++)
        box = cn_box_union(box, (cn_bounds){b->rays[i].origin, b->rays[i].origin});
    return box;
}

// Returns the octant of a direction, 0..7.
static uint32_t octant_of(vec2s d) {
    return (uint32_t)(d.x < 0) << 2 | (uint32_t)(d.y < 0) << 1 | (cn_abs(d.x) < cn_abs(d.y));
}

// Origins lie in cells of a raster of 1024 x 1024. The key is the group of cells (1 << `fine` cells
// along each side), then the octant of the direction, then the cell within the group.
static uint64_t key_of(const cn_ray *ray, cn_bounds box, float scale, int fine) {
    uint32_t x = (uint32_t)((ray->origin.x - box.lower.x) * scale);
    uint32_t y = (uint32_t)((ray->origin.y - box.lower.y) * scale);
    uint32_t z = spread_bits(x) | spread_bits(y) << 1, within = (1u << 2 * fine) - 1;
    return (uint64_t)((z & ~within) << 3 | octant_of(ray->translation) << 2 * fine | (z & within));
}

// Chooses the size of groups such that each has about four packets of rays.
static int choose_groups(int count) {
    int fine = RASTER_BITS;
    for (int rays = count; rays > 4 * CN_RAY_PACKET && fine > 0; rays /= 4) fine--;
    return fine;
}

// Puts rays that visit the same boxes side by side: record i gets the number of its ray.
static void sort_rays(const batch *b) {
    char *memory = (char *)b->hits;
    uint64_t *keys = (void *)memory;
    cn_bounds box = box_of_origins(b);
    float side = cn_max(box.upper.x - box.lower.x, box.upper.y - box.lower.y);
    float scale = ((1 << RASTER_BITS) - 1) / cn_max(side, FLT_MIN * 1024);
    int fine = choose_groups(b->count);
    for (int i = 0; i < b->count; i++)
        keys[i] = key_of(&b->rays[i], box, scale, fine) << 32 | (uint64_t)i;
    cn_sort_keys(keys, keys + b->count, b->count, 32);
    for (int i = b->count - 1; i >= 0; i--) {
        record p = {.ray = (int32_t)(uint32_t)keys[i]};
        memcpy(&b->hits[i], &p, sizeof p);
    }
}

// ---- eight rays

static void cast_packet(const batch *b, int first, int count) {
    cn_nearest_search searches[CN_RAY_PACKET];
    cn_path paths[CN_RAY_PACKET];
    void *contexts[CN_RAY_PACKET];
    record records[CN_RAY_PACKET];
    for (int i = 0; i < count; i++) {
        records[i] = read_record(b->hits, first + i);
        const cn_ray *ray = &b->rays[records[i].ray];
        paths[i] = cn_path_of_ray(*ray);
        searches[i] = cn_ray_search(b->search, &paths[i]);
        contexts[i] = &searches[i];
    }
    cn_query_scene scene = cn_query_scene_of(b->world);
    cn_query_kernels_of(&b->world->sim)->cast_rays(&scene, paths, count, cn_keep_nearest, contexts);
    for (int i = 0; i < count; i++) {
        cn_search_tiles(&searches[i], &cn_point_probe, &paths[i]);
        records[i].best = searches[i].best;
        memcpy(&b->hits[first + i], &records[i], sizeof records[i]);
    }
}

static void cast_packets(void *context, int first, int end) {
    const batch *b = context;
    for (int i = first; i < end; i++)
        cast_packet(b, i * CN_RAY_PACKET, cn_min_int(CN_RAY_PACKET, b->count - i * CN_RAY_PACKET));
}

// ---- writing out

// Moves each record to the place of its ray. Each swap puts one record in its final place.
static void restore_order(const batch *b) {
    for (int i = 0; i < b->count; i++)
        for (record p; (p = read_record(b->hits, i)).ray != i;) {
            record other = read_record(b->hits, p.ray);
            memcpy(&b->hits[p.ray], &p, sizeof p);
            memcpy(&b->hits[i], &other, sizeof other);
        }
}

static void write_out(const batch *b) {
    restore_order(b);
    for (int i = 0; i < b->count; i++) {
        cn_result best = read_record(b->hits, i).best;
        cn_path path = cn_path_of_ray(b->rays[i]);
        b->hits[i] = cn_hit_of(b->search, &best, &b->rays[i], &path);
    }
}

// ---- threads

// True if the caller gets the threads of the world. Only one caller at a time may use them, and no
// caller within a step.
static bool take_team(const cn_world *world, cn_query_data *data) {
    return !world->in_callback && !atomic_exchange(&data->team_is_taken, true);
}

static void cast_all(const batch *b) {
    cn_query_data *data = cn_behind_world(b->world, cn_query_offset);
    int packets = (b->count + CN_RAY_PACKET - 1) / CN_RAY_PACKET;
    bool shared = b->world->sim.team && take_team(b->world, data);
    cn_run_loop(shared ? b->world->sim.team : NULL, b->count, packets, 4, cast_packets, (void *)b);
    if (shared) atomic_store(&data->team_is_taken, false);
}

static bool require_rays(const cn_ray *rays, int count, const cn_world_hit *hits) {
    if (count < 0)
        return cn_fail(CN_ERROR_RANGE, "the number of rays is %d; it must be 0 or more", count);
    if (count == 0) return true;
    if (!cn_require_pointer("array of rays", rays) || !cn_require_pointer("array of hits", hits))
        return false;
    for (int i = 0; i < count; i++)
        if (!cn_require_ray(rays[i].origin, rays[i].translation))
            return cn_fail_in_number("ray", i);
    return true;
}

bool cn_world_cast_rays(const cn_world *world, const cn_ray *rays, int count, const cn_query *query,
                        cn_world_hit *hits) {
    cn_search search;
    if (!cn_check_world(world, __func__)) return false;
    if (!CN_CHECK(require_rays(rays, count, hits) && cn_begin_search(&search, world, query, true)))
        return false;
    const batch b = {world, &search, rays, hits, count};
    if (count == 0) return true;
    sort_rays(&b);
    cast_all(&b);
    write_out(&b);
    return true;
}
