/* The pool of polygons stores equal polygons once. A pile of a thousand equal crates shares one
 * entry, so the narrowphase finds it in the cache.
 *
 * The pool is a hash table with chains. Its buckets are one more row beside the entries:
 *
 *     buckets[hash % capacity] ──> entry ──next──> entry ──next──> 0
 *     free ──> entry ──next──> 0
 *
 * Entry 0 is a dummy of zeros without users. So 0 means "none" in every link, a zeroed pool is an
 * empty one, and kernels may read row 0 for a shape without a stored polygon. Two polygons are
 * equal if all their numbers are equal, bit by bit. A new polygon takes the entry that was freed
 * last, or else the next entry that was never used. So its index depends only on earlier calls. */
#include "model.h"

enum { FIRST_CAPACITY = 4 };

// Returns the bucket of a polygon. The hash is FNV-1a, a word at a time.
static int *find_bucket(const cn_hull_pool *pool, const cn_hull8 *hull, int count) {
    uint32_t words[sizeof *hull / sizeof(uint32_t)], hash = 2166136261u ^ (uint32_t)count;
    memcpy(words, hull, sizeof words);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        hash = (hash ^ words[i]) * 16777619u;
        hash ^= hash >> 15; // without this, sign and exponent bits never reach the low bits
    }
    return &pool->buckets[hash % (uint32_t)pool->capacity];
}

static void link_entry(cn_hull_pool *pool, int index) {
    int *bucket = find_bucket(pool, &pool->hulls8[index], pool->entries[index].vertices);
    pool->entries[index].next = *bucket;
    *bucket = index;
}

// Returns the link to the entry of a polygon, or the link that ends its bucket if it has none.
static int *find_link(const cn_hull_pool *pool, const cn_hull8 *hull, int count) {
    int *link = find_bucket(pool, hull, count);
    while (*link && (pool->entries[*link].vertices != count ||
                     memcmp(&pool->hulls8[*link], hull, sizeof *hull) != 0))
        link = &pool->entries[*link].next;
    return link;
}

// Makes all rows hold at least `least` entries.
static bool grow_rows(cn_hull_pool *pool, cn_memory *memory, int least) {
    int before = pool->capacity;
    const cn_row rows[] = {CN_ROW(pool->hulls8), CN_ROW(pool->entries), CN_ROW(pool->buckets)};
    if (!cn_grow_rows(memory, rows, 3, &pool->capacity, least)) return false;
    if (pool->capacity == before) return true;

    pool->count = cn_max_int(pool->count, 1); // the dummy
    memset(pool->buckets, 0, (size_t)pool->capacity * sizeof *pool->buckets);
    for (int i = 1; i < pool->count; i++)
        if (pool->entries[i].users > 0) link_entry(pool, i); // else it is in the free list
    return true;
}

// Returns a free entry, or 0 if memory is short.
static int take_entry(cn_hull_pool *pool, cn_memory *memory) {
    int index = pool->free;
    if (index) {
        pool->free = pool->entries[index].next;
        return index;
    }
    int least = pool->capacity ? pool->count + 1 : FIRST_CAPACITY;
    return grow_rows(pool, memory, least) ? pool->count++ : 0;
}

bool cn_hull_pool_reserve(cn_hull_pool *pool, cn_memory *memory, int more) {
    return more == 0 || grow_rows(pool, memory, cn_max_int(pool->count, 1) + more);
}

int cn_hull_pool_add(cn_hull_pool *pool, cn_memory *memory, const cn_canonical_hull *hull) {
    int count = cn_placed_count(&hull->placed);
    int index = pool->capacity ? *find_link(pool, &hull->hull8, count) : 0;
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
    *find_link(pool, &pool->hulls8[index], entry->vertices) = entry->next;
    entry->next = pool->free;
    pool->free = index;
}
