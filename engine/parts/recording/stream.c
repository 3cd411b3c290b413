/* Numbers, structs and arrays in the data of a record. The same functions write them to bytes, read
 * them from bytes, and print them as text.
 *
 * An integer is a varint: seven bits in each byte, lowest bits first, and the highest bit of the
 * byte is set except in the last byte. A signed int is stored with its sign in the lowest bit (the
 * zigzag code of Protocol Buffers). A float is a byte of 0 if all of its bits are 0. Otherwise it
 * is a byte of 1 and the four bytes of the float. Reading past the end gives zeros and sets
 * `failed`. */
#include "recording.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

// ---- bytes

void cn_start_writing(cn_stream *s) {
    if (s->failed || !cn_reserve(s->memory, &s->written, CN_HEADER_ROOM)) {
        s->failed = true;
        return;
    }
    s->written.count = CN_HEADER_ROOM;
}

static void put_bytes(cn_stream *s, const void *bytes, size_t size) {
    if (s->failed || size > (size_t)(INT_MAX / 2) - (size_t)s->written.count ||
        !cn_reserve(s->memory, &s->written, s->written.count + (int)size)) {
        s->failed = true;
        return;
    }
    if (size) memcpy(s->written.items + s->written.count, bytes, size);
    s->written.count += (int)size;
}

static const unsigned char *take_bytes(cn_stream *s, size_t size) {
    if (s->failed || size > s->size - s->at) {
        s->failed = true;
        return NULL;
    }
    s->at += size;
    return s->from + s->at - size;
}

static uint8_t walk_byte(cn_stream *s, uint8_t value) {
    if (!s->reads) {
        put_bytes(s, &value, 1);
        return value;
    }
    const unsigned char *byte = take_bytes(s, 1);
    return byte ? *byte : 0;
}

static uint64_t walk_varint(cn_stream *s, uint64_t value) {
    if (!s->reads) {
        for (; value > 127; value >>= 7) walk_byte(s, (uint8_t)(value | 128));
        walk_byte(s, (uint8_t)value);
        return value;
    }
    uint64_t result = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        uint8_t byte = walk_byte(s, 0);
        result |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return result;
    }
    s->failed = true;
    return 0;
}

// ---- text

void cn_add_text(cn_stream *s, const char *format, ...) {
    if (!s->text || s->text_length >= CN_MAX_TEXT - 1) return;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(s->text + s->text_length, (size_t)(CN_MAX_TEXT - s->text_length), format,
                           arguments);
    va_end(arguments);
    s->text_length = cn_min_int(s->text_length + cn_max_int(length, 0), CN_MAX_TEXT - 1);
    if (s->text_length == CN_MAX_TEXT - 1) memcpy(s->text + CN_MAX_TEXT - 4, "...", 3);
}

// Writes ", " in front of all values except the first one, and the name of the value.
static void add_name(cn_stream *s, const char *name) {
    if (!s->text) return;
    char last = s->text_length ? s->text[s->text_length - 1] : '(';
    cn_add_text(s, "%s%s%s", last == '(' || last == '{' ? "" : ", ", name, *name ? " " : "");
}

// True if a value is printed. Zeros in structs are not.
static bool is_written_out(const cn_stream *s, bool is_zero) {
    return s->text && !(is_zero && s->depth > 0);
}

// ---- numbers

void cn_walk_byte(cn_stream *s, const char *name, uint8_t *value) {
    *value = walk_byte(s, *value);
    if (!is_written_out(s, *value == 0)) return;
    add_name(s, name);
    cn_add_text(s, "%d", *value);
}

void cn_walk_long(cn_stream *s, const char *name, uint64_t *value) {
    uint64_t number = walk_varint(s, *value);
    if (s->reads) *value = number;
    if (!is_written_out(s, *value == 0)) return;
    add_name(s, name);
    cn_add_text(s, "0x%llx", (unsigned long long)*value);
}

void cn_walk_word(cn_stream *s, const char *name, uint32_t *value) {
    uint64_t number = *value;
    cn_walk_long(s, name, &number);
    *value = (uint32_t)number;
}

static int walk_int(cn_stream *s, int value) {
    uint32_t bits = (uint32_t)value;
    uint64_t coded = walk_varint(s, (uint32_t)(bits << 1 ^ (value < 0 ? UINT32_MAX : 0)));
    if (!s->reads) return value;
    bits = (uint32_t)coded >> 1 ^ (coded & 1 ? UINT32_MAX : 0);
    memcpy(&value, &bits, sizeof value);
    return value;
}

void cn_walk_int(cn_stream *s, const char *name, int *value) {
    *value = walk_int(s, *value);
    if (!is_written_out(s, *value == 0)) return;
    add_name(s, name);
    cn_add_text(s, "%d", *value);
}

int cn_walk_enum(cn_stream *s, const char *name, int value) {
    cn_walk_int(s, name, &value);
    return value;
}

bool cn_walk_bool(cn_stream *s, const char *name, bool value) {
    value = walk_byte(s, value);
    if (is_written_out(s, !value)) {
        add_name(s, name);
        cn_add_text(s, value ? "true" : "false");
    }
    return value;
}

void cn_walk_float(cn_stream *s, const char *name, float *value) {
    uint32_t bits;
    memcpy(&bits, value, sizeof bits);
    if (!walk_byte(s, bits != 0)) {
        if (s->reads) bits = 0;
    } else if (s->reads) {
        const unsigned char *b = take_bytes(s, 4);
        bits = b ? b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24 : 0;
    } else {
        unsigned char b[4];
        for (int i = 0; i < 4; i++) b[i] = (unsigned char)(bits >> 8 * i);
        put_bytes(s, b, sizeof b);
    }
    memcpy(value, &bits, sizeof bits);
    if (!is_written_out(s, bits == 0)) return;
    add_name(s, name);
    cn_add_text(s, "%.9g", (double)*value);
}

void cn_walk_short_hash(cn_stream *s, uint16_t *hash) {
    const unsigned char bytes[] = {(unsigned char)*hash, (unsigned char)(*hash >> 8)};
    const unsigned char *taken = s->reads ? take_bytes(s, sizeof bytes) : NULL;
    if (!s->reads) put_bytes(s, bytes, sizeof bytes);
    if (taken) *hash = (uint16_t)(taken[0] | taken[1] << 8);
}

// ---- handles

// The slot with the tag, and the generation, are separate varints, because both are small numbers.
uint64_t cn_walk_id(cn_stream *s, uint64_t id) {
    uint64_t low = walk_varint(s, (uint32_t)id), high = walk_varint(s, id >> 32);
    return s->reads ? (high << 32 | (uint32_t)low) : id;
}

void cn_walk_handle(cn_stream *s, const char *name, cn_handle_kind kind, uint64_t *id) {
    uint64_t recorded = cn_walk_id(s, *id);
    if (!s->reads) return;
    *id = s->handles ? cn_find_handle(s->handles, kind, recorded) : recorded;
    if (recorded && !*id) s->is_unknown = true;
    if (!is_written_out(s, recorded == 0)) return;
    add_name(s, name);
    cn_add_text(s, "%d.%u", (int)(recorded & CN_MAX_SLOTS), (unsigned)(recorded >> 32));
}

bool cn_walk_given(cn_stream *s, const char *name, bool given) {
    given = walk_byte(s, given);
    if (s->text && !given) {
        add_name(s, name);
        cn_add_text(s, "NULL");
    }
    return given;
}

// ---- structs and arrays

void cn_walk_open(cn_stream *s, const char *name) {
    if (!s->text) return;
    add_name(s, name);
    cn_add_text(s, "{");
    s->depth++;
}

void cn_walk_close(cn_stream *s) {
    if (!s->text) return;
    cn_add_text(s, "}");
    s->depth--;
}

// Allocates memory for items that will be read. Fails if fewer bytes than items are left. So bad
// bytes can only allocate a multiple of their size.
static void *allocate_items(cn_stream *s, int64_t count, size_t size) {
    if (count > (int64_t)(s->size - s->at) || s->block_count == CN_MAX_BLOCKS) {
        s->failed = true;
        return NULL;
    }
    size_t bytes = (size_t)cn_max_int((int)count, 1) * size; // NULL would mean no array
    void *items = cn_allocate(s->memory, bytes);
    if (!items) {
        s->failed = true;
        return NULL;
    }
    s->blocks[s->block_count].items = items;
    s->blocks[s->block_count++].size = bytes;
    return items;
}

const void *cn_walk_items(cn_stream *s, const char *name, const void *items, int64_t count,
                          size_t size, int *number) {
    *number = 0;
    if (count < 0) count = 0; // the call will be refused
    if (!walk_byte(s, items != NULL)) return NULL;
    if (count > INT_MAX) return s->failed = true, NULL;
    cn_walk_open(s, name);
    if (s->reads) items = allocate_items(s, count, size);
    *number = items ? (int)count : 0;
    return items;
}

void cn_free_blocks(cn_stream *s) {
    for (int i = 0; i < s->block_count; i++)
        cn_release(s->memory, s->blocks[i].items, s->blocks[i].size);
    s->block_count = 0;
}

const void *cn_walk_bytes(cn_stream *s, const char *name, const void *bytes, size_t *size) {
    bool given = walk_byte(s, bytes != NULL);
    uint64_t count = walk_varint(s, *size);
    if (!s->reads) {
        if (given) put_bytes(s, bytes, *size);
        return bytes;
    }
    *size = (size_t)count;
    if (s->text) {
        add_name(s, name);
        cn_add_text(s, "%.0f bytes", (double)count);
    }
    return given ? take_bytes(s, *size) : NULL;
}

// ---- answers

void cn_walk_answer(cn_stream *s, cn_answer *answer) {
    cn_pre_solve_result *r = &answer->result;
    answer->a = cn_walk_id(s, answer->a);
    answer->b = cn_walk_id(s, answer->b);
    int bits = walk_byte(s, (uint8_t)(answer->is_pre_solve | r->disabled << 1 | r->changed << 2));
    answer->is_pre_solve = bits & 1;
    r->disabled = bits & 2;
    r->changed = bits & 4;
    if (!r->changed) return;
    cn_walk_float(s, "", &r->friction);
    cn_walk_float(s, "", &r->restitution);
    cn_walk_float(s, "", &r->surface_speed);
}

void cn_walk_accepted(cn_stream *s, cn_accepted *accepted) {
    accepted->shape = cn_walk_id(s, accepted->shape);
    accepted->grid = cn_walk_id(s, accepted->grid);
    accepted->tile = walk_int(s, accepted->tile);
    accepted->accepted = walk_byte(s, accepted->accepted);
}

int cn_compare_answers(const void *p, const void *q) {
    const cn_answer *x = p, *y = q;
    if (x->is_pre_solve != y->is_pre_solve) return x->is_pre_solve - y->is_pre_solve;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    if (x->b != y->b) return x->b < y->b ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}
