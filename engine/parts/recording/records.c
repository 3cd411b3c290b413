/* Finds and checks the records in the bytes of a recording, and copies a recording without some of
 * its calls. */
#include "recording.h"

#include <limits.h>

#define MAGIC 0x43524E43u // "CNRC"

static void put_number(unsigned char *to, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) to[i] = (unsigned char)(value >> 8 * i);
}

static uint64_t take_number(const unsigned char *from, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint64_t)from[i] << 8 * i;
    return value;
}

void cn_write_file_header(unsigned char header[CN_FILE_HEADER]) {
    put_number(header, MAGIC, 4);
    put_number(header + 4, CN_FORMAT, 4);
    put_number(header + 8, cn_api_hash(), 8);
}

static uint16_t checksum_of(cn_record_kind kind, const unsigned char *data, size_t size) {
    uint64_t sum = size * 8 + (uint64_t)kind;
    for (size_t i = 0; i < size; i++) {
        sum = (sum ^ data[i]) * 0x9E3779B97F4A7C15u;
        sum ^= sum >> 29;
    }
    return (uint16_t)(sum >> 40);
}

unsigned char *cn_write_record_header(unsigned char *data, cn_record_kind kind, size_t size) {
    int length = 1;
    for (size_t rest = size; rest > 127; rest >>= 7) length++;
    unsigned char *header = data - 2 - length - 1;
    header[0] = (unsigned char)kind;
    size_t rest = size;
    for (int i = 1; i < length; i++, rest >>= 7) header[i] = (unsigned char)(rest | 128);
    header[length] = (unsigned char)rest;
    put_number(data - 2, checksum_of(kind, data, size), 2);
    return header;
}

static bool fail_damaged(size_t at) {
    return cn_fail(CN_ERROR_DATA, "the recording is damaged at byte %.0f", (double)at);
}

bool cn_read_record(const unsigned char *bytes, size_t size, size_t at, cn_record *record) {
    *record = (cn_record){0};
    size_t place = at;
    if (at >= size) return true;
    int kind = bytes[place++];
    if (kind == 0 || kind >= CN_RECORD_KINDS) return fail_damaged(at);
    uint64_t length = 0;
    for (int shift = 0;; shift += 7) {
        if (place >= size) return true;
        if (shift > 56) return fail_damaged(at);
        length |= (uint64_t)(bytes[place] & 127) << shift;
        if (bytes[place++] < 128) break;
    }
    if (size - place < 2 || length > size - place - 2) return true;
    uint16_t sum = (uint16_t)take_number(bytes + place, 2);
    place += 2;
    if (sum != checksum_of((cn_record_kind)kind, bytes + place, (size_t)length))
        return fail_damaged(at);
    *record = (cn_record){(cn_record_kind)kind, place, (size_t)length, place + (size_t)length};
    return true;
}

static bool check_file_header(const unsigned char *bytes, size_t size) {
    if (size < CN_FILE_HEADER || take_number(bytes, 4) != MAGIC)
        return cn_fail(CN_ERROR_DATA, "these bytes are not a recording");
    unsigned format = (unsigned)take_number(bytes + 4, 4);
    if (format != CN_FORMAT)
        return cn_fail(CN_ERROR_DATA,
                       "the format of the recording is %u; this version of the engine reads %d",
                       format, CN_FORMAT);
    if (take_number(bytes + 8, 8) != cn_api_hash())
        return cn_fail(CN_ERROR_DATA, "the recording was made by another version of the engine, "
                                      "with other functions");
    return true;
}

bool cn_check_recording(const unsigned char *bytes, size_t size, cn_recording_size *found) {
    *found = (cn_recording_size){.end = CN_FILE_HEADER};
    if (!check_file_header(bytes, size)) return false;
    for (cn_record r;; found->end = r.next) {
        if (!cn_read_record(bytes, size, found->end, &r)) return false;
        bool is_first = found->end == CN_FILE_HEADER;
        if (is_first && r.kind == 0)
            return cn_fail(CN_ERROR_DATA, "the recording is cut off before the end of its first "
                                          "record, the state of the world");
        if (r.kind == 0) return true;
        if (is_first != (r.kind == CN_RECORD_START)) return fail_damaged(found->end);
        found->calls += r.kind == CN_RECORD_CALL;
        found->steps += r.kind == CN_RECORD_STEP;
        found->complete = r.kind == CN_RECORD_END;
        if (found->calls == INT_MAX || found->steps == INT_MAX) return fail_damaged(found->end);
    }
}

// ---- cutting

// Which records are left out.
typedef struct {
    bool drops_all;  // after a call outside of before_step: all up to the next such call
    bool drops_some; // after a call of before_step: its records of kind created and accepted
    bool changed;    // a call was left out, so later comparisons are not valid
    bool is_nested;
} cutter;

static bool is_kept(cutter *c, cn_record_kind kind, const uint8_t *kept, int *call) {
    if (kind == CN_RECORD_BEFORE_STEP) c->is_nested = true;
    if (kind == CN_RECORD_PREPARED) c->is_nested = c->drops_some = false;
    if (kind == CN_RECORD_START || kind == CN_RECORD_END) return true;
    if (kind == CN_RECORD_CALL) {
        bool drops = !kept[(*call)++];
        if (c->is_nested)
            c->drops_some = drops;
        else
            c->drops_all = drops, c->drops_some = false;
        c->changed |= drops;
        return !c->drops_all && !c->drops_some;
    }
    bool belongs_to_call = kind == CN_RECORD_CREATED || kind == CN_RECORD_ACCEPTED;
    return !c->drops_all && !(c->drops_some && belongs_to_call);
}

typedef struct {
    unsigned char *to;
    size_t at, capacity;
} output;

static void put(output *o, const unsigned char *bytes, size_t size) {
    if (o->at <= o->capacity && size <= o->capacity - o->at) memcpy(o->to + o->at, bytes, size);
    o->at += size;
}

// Writes a record with a comparison, marked as one that compares nothing. The flags are its first
// byte: see comparison.c.
static void put_comparison(output *o, cn_record_kind kind, const unsigned char *data, size_t size) {
    size_t header = 4, at = o->at;
    for (size_t rest = size; rest > 127; rest >>= 7) header++;
    bool fits = at <= o->capacity && header + size <= o->capacity - at;
    o->at += header + size;
    if (!fits) return;
    unsigned char *copy = o->to + at + header;
    if (size) memcpy(copy, data, size);
    if (size) copy[0] = 0;
    cn_write_record_header(copy, kind, size);
}

static size_t cut(const unsigned char *bytes, size_t end, const uint8_t *kept, output *o) {
    cutter c = {0};
    int call = 0;
    put(o, bytes, CN_FILE_HEADER);
    for (size_t at = CN_FILE_HEADER; at < end;) {
        cn_record r;
        if (!cn_read_record(bytes, end, at, &r) || r.kind == 0) return 0;
        if (!is_kept(&c, r.kind, kept, &call))
            ;
        else if (c.changed && (r.kind == CN_RECORD_STEP || r.kind == CN_RECORD_END))
            put_comparison(o, r.kind, bytes + r.data, r.size);
        else
            put(o, bytes + at, r.next - at);
        at = r.next;
    }
    return o->at;
}

size_t cn_recording_cut(const void *bytes, size_t size, const uint8_t *kept, int count,
                        void *cut_to, size_t capacity) {
    cn_recording_size found;
    if (!CN_CHECK(cn_require_pointer("array of bytes", bytes) &&
                  cn_require_pointer("array of kept calls", kept) &&
                  (capacity == 0 || cn_require_pointer("array for the result", cut_to)) &&
                  cn_check_recording(bytes, size, &found)))
        return 0;
    if (!CN_CHECK(count == found.calls ||
                  cn_fail(CN_ERROR_RANGE, "the count is %d; the recording has %d calls", count,
                          found.calls)))
        return 0;
    output o = {cut_to, 0, capacity};
    return cut(bytes, found.end, kept, &o);
}
