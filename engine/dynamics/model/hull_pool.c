/* Equal polygons are stored once: a pile of a thousand equal crates shares one entry, so the
 * narrowphase finds it in cache.
 *
 * A hash table with chains, its buckets one more row beside the entries:
 *
 *     buckets[hash % capacity] ──> entry ──next──> entry ──next──> 0
 *     free ──> entry ──next──> 0
 *
 * Entry 0 is a dummy of zeros that belongs to nobody. So 0 means "none" in every link, a zeroed
 * pool is an empty one, and kernels may read row 0 for a shape that has no stored polygon. Two
 * polygons are equal if all their numbers are, bit by bit. A new entry takes the last one freed,
 * else the next never used: its index follows from the calls alone. */
#include "model.h"

enum { FIRST_CAPACITY = 4 };

// Where the entries of this hash begin: FNV-1a, a word at a time.
static int *bucket_of(const cn_hull_pool *pool, const cn_hull8 *hull, int count) {
    uint32_t words[sizeof *hull / sizeof(uint32_t)], hash = 2166136261u ^ (uint32_t)count;
    memcpy(words, hull, sizeof words);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        hash = (hash ^ words[i]) * 16777619u;
        hash ^= hash >> 15; // or the sign and exponent bits never reach the low ones
    }
    return &pool->buckets[hash % (uint32_t)pool->capacity];
}

static void link_entry(cn_hull_pool *pool, int index) {
    int *bucket = bucket_of(pool, &pool->hulls8[index], pool->entries[index].vertices);
    pool->entries[index].next = *bucket;
    *bucket = index;
}

// The link to the entry of a polygon; if it has none, the one that ends its bucket.
static int *link_to(const cn_hull_pool *pool, const cn_hull8 *hull, int count) {
    int *link = bucket_of(pool, hull, count);
    while (*link && (pool->entries[*link].vertices != count ||
                     memcmp(&pool->hulls8[*link], hull, sizeof *hull) != 0))
        link = &pool->entries[*link].next;
    return link;
}

// Only called when no entry is free: all of 1..count - 1 are in use.
static bool grow(cn_hull_pool *pool, cn_memory *memory) {
    int before = pool->capacity;
    int least = before ? pool->count + 1 : FIRST_CAPACITY;
    const cn_row rows[] = {CN_ROW(pool->hulls8), CN_ROW(pool->entries), CN_ROW(pool->buckets)};
    if (!cn_grow_rows(memory, rows, 3, &pool->capacity, least)) return false;
    if (pool->capacity == before) return true;

    pool->count = cn_max_int(pool->count, 1); // the dummy
    memset(pool->buckets, 0, (size_t)pool->capacity * sizeof *pool->buckets);
    for (int i = 1; i < pool->count; i++) link_entry(pool, i);
    return true;
}

static int take_entry(cn_hull_pool *pool, cn_memory *memory) {
    int index = pool->free;
    if (index) {
        pool->free = pool->entries[index].next;
        return index;
    }
    return grow(pool, memory) ? pool->count++ : 0;
}

int cn_hull_pool_add(cn_hull_pool *pool, cn_memory *memory, const cn_canonical_hull *hull) {
    int count = cn_placed_count(&hull->placed);
    int index = pool->capacity ? *link_to(pool, &hull->hull8, count) : 0;
    if (!index) {
        index = take_entry(pool, memory);
        if (!index) return -1;
        pool->hulls8[index] = hull->hull8;
        pool->entries[index].vertices = count;
        link_entry(pool, index);
    }
    pool->entries[index].users++;
    return index;
}

void cn_hull_pool_remove(cn_hull_pool *pool, int index) {
    assert(index > 0 && index < pool->count && pool->entries[index].users > 0);
    if (--pool->entries[index].users > 0) return;
    cn_hull_entry *entry = &pool->entries[index];
    *link_to(pool, &pool->hulls8[index], entry->vertices) = entry->next;
    entry->next = pool->free;
    pool->free = index;
}
