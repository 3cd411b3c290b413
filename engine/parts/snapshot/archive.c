#include "archive.h"

// ---- hash

enum { SUMS = 4 };

// Adds a number to a sum: one multiplication and one shift.
static uint64_t add_to_sum(uint64_t sum, uint64_t value) {
    sum = (sum ^ value) * 0x9E3779B97F4A7C15u;
    return sum ^ sum >> 29;
}

// Returns eight bytes of numbers of `size` bytes each as one number. The first is the lowest part.
static uint64_t join_numbers(const unsigned char *data, size_t size) {
    uint64_t joined;
    memcpy(&joined, data, sizeof joined);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    if (size == sizeof(uint32_t)) joined = joined << 32 | joined >> 32;
    if (size == 1) joined = __builtin_bswap64(joined);
#else
    (void)size;
#endif
    return joined;
}

// Adds numbers of `size` bytes each, which is 1, 4 or 8, to the hash. Eight bytes at a time go to
// one of four sums in turn, because a processor can compute four sums in parallel.
static void hash_numbers(cn_archive *a, const unsigned char *data, size_t count, size_t size) {
    enum { JOINED = sizeof(uint64_t) };
    size_t end = count * size, at = 0;
    uint64_t sums[SUMS] = {a->hash, 1, 2, 3};
    for (; at + SUMS * JOINED <= end; at += SUMS * JOINED)
        for (size_t k = 0; k < SUMS; k++)
            sums[k] = add_to_sum(sums[k], join_numbers(data + at + k * JOINED, size));
    for (; at + JOINED <= end; at += JOINED)
        sums[0] = add_to_sum(sums[0], join_numbers(data + at, size));
    for (; at < end; at += size) { // a word, or up to seven bytes
        uint32_t value = data[at];
        if (size == sizeof value) memcpy(&value, data + at, size);
        sums[0] = add_to_sum(sums[0], value);
    }
    for (int k = 1; k < SUMS && count * size >= SUMS * JOINED; k++)
        sums[0] = add_to_sum(sums[0], sums[k]);
    a->hash = sums[0];
}

// ---- copies

// Copies numbers of `size` bytes each between the order of this machine and little-endian order.
static void copy_numbers(unsigned char *to, const unsigned char *from, size_t count, size_t size) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(to, from, count * size);
#else
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < size; k++) to[i * size + k] = from[i * size + size - 1 - k];
#endif
}

static bool fits(const cn_archive *a, size_t count, size_t size) {
    return a->at <= a->size && count <= (a->size - a->at) / size;
}

static void read_numbers(cn_archive *a, void *data, size_t count, size_t size) {
    if (!fits(a, count, size)) a->failed = true;
    if (a->failed)
        memset(data, 0, count * size);
    else
        copy_numbers(data, a->from + a->at, count, size);
}

// Compares numbers in memory with those in the bytes.
static void compare_numbers(cn_archive *a, const void *data, size_t count, size_t size) {
    unsigned char chunk[256];
    const unsigned char *memory = data;
    if (!fits(a, count, size)) return; // the caller finds this, too
    for (size_t at = 0, n; at < count * size && !a->differs; at += n) {
        n = count * size - at < sizeof chunk ? count * size - at : sizeof chunk;
        copy_numbers(chunk, a->from + a->at + at, n / size, size);
        a->differs = memcmp(chunk, memory + at, n) != 0;
    }
}

void cn_archive_skip(cn_archive *a, size_t bytes) {
    if (!fits(a, bytes, 1)) a->failed = true;
    if (!a->failed) a->at += bytes;
}

static void walk_numbers(cn_archive *a, void *data, size_t count, size_t size) {
    if (count == 0) return;
    switch (a->use) {
    case CN_ARCHIVE_HASH:
        hash_numbers(a, data, count, size);
        a->at += count * size;
        return;
    case CN_ARCHIVE_CHECK:
        if (a->compares && data) compare_numbers(a, data, count, size);
        break;
    case CN_ARCHIVE_READ: read_numbers(a, data, count, size); break;
    case CN_ARCHIVE_WRITE:
        if (fits(a, count, size)) copy_numbers(a->to + a->at, data, count, size);
        a->at += count * size;
        return;
    }
    cn_archive_skip(a, count * size);
}

void cn_archive_words(cn_archive *a, void *words, size_t count) {
    walk_numbers(a, words, count, sizeof(uint32_t));
}

void cn_archive_longs(cn_archive *a, void *longs, size_t count) {
    walk_numbers(a, longs, count, sizeof(uint64_t));
}

void cn_archive_bytes(cn_archive *a, void *bytes, size_t count) {
    walk_numbers(a, bytes, count, 1);
}

void cn_archive_peek(cn_archive *a, void *bytes, size_t count) {
    cn_archive_use use = a->use;
    if (use == CN_ARCHIVE_CHECK) a->use = CN_ARCHIVE_READ;
    cn_archive_bytes(a, bytes, count);
    a->use = use;
}

void cn_archive_int(cn_archive *a, int *value) { cn_archive_words(a, value, 1); }

void cn_archive_bool(cn_archive *a, bool *value) {
    int number = *value;
    cn_archive_int(a, &number);
    if (a->use == CN_ARCHIVE_READ) *value = number != 0;
}

// ---- counts

int cn_archive_count(cn_archive *a, int value, int most) {
    if (a->use == CN_ARCHIVE_CHECK) {
        a->use = CN_ARCHIVE_READ;
        cn_archive_int(a, &value);
        a->use = CN_ARCHIVE_CHECK;
    } else {
        cn_archive_int(a, &value);
    }
    if (value < 0 || value > most) a->failed = true;
    return a->failed ? 0 : value;
}

int cn_archive_items(cn_archive *a, int value, size_t size) {
    size_t most = cn_archive_reads(a) ? (a->size - a->at) / size : INT32_MAX;
    return cn_archive_count(a, value, most < INT32_MAX ? (int)most : INT32_MAX);
}
