/* archive: numbers in a sequence of bytes. The same code writes and reads them:
 *
 *     static void walk_pose(cn_archive *a, cn_pose *pose) { cn_archive_words(a, pose, 4); }
 *
 * An archive has one of four uses:
 *
 *   CN_ARCHIVE_WRITE   copies numbers into memory, and counts the bytes that do not fit
 *   CN_ARCHIVE_HASH    adds numbers to a hash
 *   CN_ARCHIVE_CHECK   reads counts, and skips or compares all else; changes nothing
 *   CN_ARCHIVE_READ    copies numbers out of memory
 *
 * Bytes are read twice. CN_ARCHIVE_CHECK checks that no bytes are missing, and lets the caller
 * reserve memory. So CN_ARCHIVE_READ cannot fail because bytes or memory are missing. Numbers are
 * words of 32 bits or longs of 64 bits, in little-endian order. After an archive has failed, it
 * reads only zeros. */
#ifndef CN_ARCHIVE_H
#define CN_ARCHIVE_H

#include "../../core/base/base.h"

typedef enum {
    CN_ARCHIVE_WRITE,
    CN_ARCHIVE_HASH,
    CN_ARCHIVE_CHECK,
    CN_ARCHIVE_READ
} cn_archive_use;

typedef struct {
    cn_archive_use use;
    unsigned char *to;         // of CN_ARCHIVE_WRITE
    const unsigned char *from; // of CN_ARCHIVE_CHECK and CN_ARCHIVE_READ
    size_t at, size;           // bytes: done so far; capacity of `to` or size of `from`
    int most_slots;            // when reading: greatest number of slots of a kind of object
    uint64_t hash;             // of CN_ARCHIVE_HASH
    bool compares;             // CN_ARCHIVE_CHECK compares the numbers with those in memory
    bool differs;              // some number differs
    bool failed;               // the bytes are bad, or memory is short
    bool has_error;            // its error is recorded already: it is not that of bad bytes
} cn_archive;

// Returns the word that these four bytes of an archive stand for.
static inline uint32_t cn_archive_word_at(const unsigned char *bytes) {
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap32(word);
#endif
    return word;
}

static inline bool cn_archive_reads(const cn_archive *a) { return a->use >= CN_ARCHIVE_CHECK; }

void cn_archive_words(cn_archive *a, void *words, size_t count);
void cn_archive_longs(cn_archive *a, void *longs, size_t count);
void cn_archive_bytes(cn_archive *a, void *bytes, size_t count);
void cn_archive_peek(cn_archive *a, void *bytes, size_t count); // CN_ARCHIVE_CHECK reads them, too
void cn_archive_skip(cn_archive *a, size_t bytes);              // of CN_ARCHIVE_CHECK
void cn_archive_int(cn_archive *a, int *value);
void cn_archive_bool(cn_archive *a, bool *value);
// Writes an int, or reads one, also with CN_ARCHIVE_CHECK. Returns it. Fails unless it is in
// 0..most.
int cn_archive_count(cn_archive *a, int value, int most);
// Does the same for the number of items that follow, each of at least `size` bytes.
int cn_archive_items(cn_archive *a, int value, size_t size);

#endif
