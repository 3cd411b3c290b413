/* Finds the handle in a replay for a recorded handle.
 *
 * A hash table with open addressing and linear probing: a handle is stored at the place of its
 * hash, or at the next free place. Single handles are never removed. */
#include "recording.h"

static int place_of(const cn_handle_pair *items, int capacity, uint64_t recorded) {
    uint64_t h = recorded * 0x9E3779B97F4A7C15u;
    int i = (int)(h >> 33) & (capacity - 1);
    while (items[i].recorded != 0 && items[i].recorded != recorded) i = (i + 1) & (capacity - 1);
    return i;
}

static bool grow(cn_memory *memory, cn_handle_map *map, cn_handle_kind kind) {
    int old = map->tables[kind].capacity, capacity = old ? 2 * old : 64;
    cn_handle_pair *from = map->tables[kind].items;
    cn_handle_pair *to = cn_allocate(memory, (size_t)capacity * sizeof *to);
    if (!to) return false;
    for (int i = 0; i < old; i++)
        if (from[i].recorded) to[place_of(to, capacity, from[i].recorded)] = from[i];
    if (from) cn_release(memory, from, (size_t)old * sizeof *from);
    map->tables[kind].items = to, map->tables[kind].capacity = capacity;
    return true;
}

bool cn_map_handle(cn_memory *memory, cn_handle_map *map, cn_handle_kind kind, uint64_t recorded,
                   uint64_t actual) {
    if (recorded == 0) return true;
    bool is_full = 2 * (map->tables[kind].count + 1) > map->tables[kind].capacity;
    if (is_full && !grow(memory, map, kind)) return false;
    cn_handle_pair *items = map->tables[kind].items;
    cn_handle_pair *item = &items[place_of(items, map->tables[kind].capacity, recorded)];
    map->tables[kind].count += item->recorded == 0;
    *item = (cn_handle_pair){recorded, actual};
    return true;
}

uint64_t cn_find_handle(const cn_handle_map *map, cn_handle_kind kind, uint64_t recorded) {
    if (recorded == 0 || map->tables[kind].capacity == 0) return 0;
    const cn_handle_pair *items = map->tables[kind].items;
    return items[place_of(items, map->tables[kind].capacity, recorded)].actual;
}

static void clear(cn_handle_map *map) {
    for (int k = 0; k < CN_HANDLE_KINDS; k++) {
        size_t size = (size_t)map->tables[k].capacity * sizeof(cn_handle_pair);
        if (size) memset(map->tables[k].items, 0, size);
        map->tables[k].count = 0;
    }
}

bool cn_map_world(cn_memory *memory, cn_handle_map *map, const cn_world *world) {
    static const cn_handle_kind kinds[] = {CN_HANDLE_BODY, CN_HANDLE_SHAPE, CN_HANDLE_JOINT,
                                           CN_HANDLE_GRID, CN_HANDLE_CHAIN};
    const cn_simulation *sim = &world->sim;
    clear(map);
    for (cn_slot_kind k = CN_BODIES; k < CN_SLOT_KINDS; k++) {
        CN_EACH(k, i, sim) {
            uint64_t id = cn_id_of(world, k, i);
            if (!cn_map_handle(memory, map, kinds[k], id, id)) return false;
        }
    }
    return true;
}

bool cn_copy_handles(cn_memory *memory, cn_handle_map *to, const cn_handle_map *from) {
    cn_free_handles(memory, to);
    for (int k = 0; k < CN_HANDLE_KINDS; k++) {
        size_t size = (size_t)from->tables[k].capacity * sizeof(cn_handle_pair);
        if (size == 0) continue;
        to->tables[k].items = cn_allocate_uncleared(memory, size);
        if (!to->tables[k].items) return false;
        memcpy(to->tables[k].items, from->tables[k].items, size);
        to->tables[k].count = from->tables[k].count;
        to->tables[k].capacity = from->tables[k].capacity;
    }
    return true;
}

void cn_free_handles(cn_memory *memory, cn_handle_map *map) {
    for (int k = 0; k < CN_HANDLE_KINDS; k++)
        if (map->tables[k].items)
            cn_release(memory, map->tables[k].items,
                       (size_t)map->tables[k].capacity * sizeof(cn_handle_pair));
    *map = (cn_handle_map){0};
}
