#include "archive.h"

// ---- hash

// Adds a number to the hash: one multiplication and one shift.
static void add_to_hash(cn_archive *a, uint64_t value) {
    a->hash = (a->hash ^ value) * 0x9E3779B97F4A7C15u;
    a->hash ^= a->hash >> 29;
}

// Adds numbers of `size` bytes each, which is 1, 4 or 8.
static void hash_numbers(cn_archive *a, const unsigned char *data, size_t count, size_t size) {
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        uint64_t value = data[i];
        if (size == sizeof word) memcpy(&word, data + i * size, size), value = word;
        if (size == sizeof value) memcpy(&value, data + i * size, size);
        add_to_hash(a, value);
    }
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

void cn_archive_skip(cn_archive *a, size_t bytes) {
    if (!fits(a, bytes, 1)) a->failed = true;
    if (!a->failed) a->at += bytes;
}

static void walk_numbers(cn_archive *a, void *data, size_t count, size_t size) {
    if (count == 0) return;
    switch (a->use) {
    case CN_ARCHIVE_HASH: hash_numbers(a, data, count, size); return;
    case CN_ARCHIVE_CHECK: break;
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

void cn_archive_int(cn_archive *a, int *value) { cn_archive_words(a, value, 1); }

void cn_archive_bool(cn_archive *a, bool *value) {
    int number = *value;
    cn_archive_int(a, &number);
    if (a->use == CN_ARCHIVE_READ) *value = number != 0;
}

// ---- counts

int cn_archive_count(cn_archive *a, int value, int most) {
    cn_archive_use use = a->use;
    if (use == CN_ARCHIVE_CHECK) a->use = CN_ARCHIVE_READ;
    cn_archive_int(a, &value);
    a->use = use;
    if (value < 0 || value > most) a->failed = true;
    return a->failed ? 0 : value;
}

int cn_archive_items(cn_archive *a, int value, size_t size) {
    size_t most = cn_archive_reads(a) ? (a->size - a->at) / size : INT32_MAX;
    return cn_archive_count(a, value, most < INT32_MAX ? (int)most : INT32_MAX);
}
