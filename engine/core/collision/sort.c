/* Radix sort of 64-bit keys, least significant byte first.
 *
 * There is one pass for each byte in which the keys differ. It counts how often each value occurs,
 * turns the counts into places, and moves every key to its place. A pass keeps the order of equal
 * bytes, so later passes preserve what earlier passes sorted.
 *
 *      keys    3a 17 3b 11   -- by low digit -->   11 17 3a 3b   -- by high digit -->   11 17 3a 3b
 *
 * A few keys are sorted by insertion. */
#include "collision.h"

enum { FEW = 24 };

static void move_by_digit(const uint64_t *from, uint64_t *to, int count, int shift) {
    int place[256] = {0};
    for (int i = 0; i < count; i++) place[from[i] >> shift & 255]++;
    for (int digit = 0, sum = 0; digit < 256; digit++) {
        int occurs = place[digit];
        place[digit] = sum;
        sum += occurs;
    }
    for (int i = 0; i < count; i++) to[place[from[i] >> shift & 255]++] = from[i];
}

static void insert_keys(uint64_t *keys, int count, int first_bit) {
    for (int i = 1; i < count; i++) {
        const uint64_t key = keys[i];
        int k = i;
        for (; k > 0 && keys[k - 1] >> first_bit > key >> first_bit; k--) keys[k] = keys[k - 1];
        keys[k] = key;
    }
}

void cn_sort_keys(uint64_t *keys, uint64_t *spare, int count, int first_bit) {
    if (count <= FEW) {
        insert_keys(keys, count, first_bit);
        return;
    }
    uint64_t differing = 0, *from = keys, *to = spare;
    for (int i = 1; i < count; i++) differing |= keys[i] ^ keys[0];
    for (int shift = first_bit; shift < 64; shift += 8) {
        if ((differing >> shift & 255) == 0) continue;
        move_by_digit(from, to, count, shift);
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != keys) memcpy(keys, from, (size_t)count * sizeof *keys);
}

int cn_find_key(const uint64_t *keys, int count, uint64_t key) {
    int low = 0, high = count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
