/* What the recorder writes after each step, and how a replay is compared with it.
 *
 *     flags | hash of the world, in a whole comparison | bodies ..
 *
 *     body     (slot - slot of the body before, at first -1) << 1, plus 1 if the short hash is that
 *              of all data of the body; then the short hash, 16 bits
 *
 * The bodies are in the order of their slots. The short hash of a body that the step moved is that
 * of its hot row of 64 bytes. The short hash of a body that a call changed since the last step is
 * that of all its data and its shapes, and so are those of all bodies in a whole comparison. Other
 * comparisons leave out sleeping and static bodies, so these take no time.
 *
 * A short hash is 0 if the slot has no body. A body that moves in the replay but is not in the list
 * differs. */
#include "recording.h"

enum { WHOLE_BODY = 1 }; // in the lowest bit of a distance: the short hash is of all data

// ---- the bodies in the list

bool cn_reserve_marks(cn_memory *memory, cn_body_marks *marks, int bodies) {
    const int words = (bodies + 63) / 64;
    if (words <= marks->words) return true;
    const cn_row rows[] = {CN_ROW(marks->moving), CN_ROW(marks->whole)};
    return cn_grow_rows(memory, rows, 2, &marks->words, words);
}

void cn_free_marks(cn_memory *memory, cn_body_marks *marks) {
    const cn_row rows[] = {CN_ROW(marks->moving), CN_ROW(marks->whole)};
    cn_fit_rows(memory, rows, 2, &marks->words, -1);
}

static void mark(cn_body_marks *marks, uint64_t *bits, int body) {
    if (marks->first >= marks->end) marks->first = marks->end = body / 64;
    marks->first = cn_min_int(marks->first, body / 64);
    marks->end = cn_max_int(marks->end, body / 64 + 1);
    cn_set_bit(bits, body);
}

void cn_mark_whole(cn_body_marks *marks, int body) { mark(marks, marks->whole, body); }

// Marks the bodies that the last step moved. Those that fell asleep in it are still in the plan.
static void mark_moving(const cn_simulation *sim, cn_body_marks *marks) {
    for (int i = 0; i < sim->plan.batch_count; i++) {
        const cn_batch *batch = &sim->plan.batches[i];
        for (int k = 0; batch->alive && k < batch->body_count; k++)
            mark(marks, marks->moving, batch->bodies.items[k]);
    }
    for (int i = 0; i < sim->kinematics.count; i++) {
        int body = sim->kinematics.items[i]; // or a gap, if damaged bytes compare after a call
        if (body >= 0 && cn_is_moving_kinematic(&sim->hot[body])) mark(marks, marks->moving, body);
    }
}

static void mark_all(const cn_simulation *sim, cn_body_marks *marks, uint64_t *bits) {
    CN_EACH(CN_BODIES, i, sim) mark(marks, bits, i);
}

static uint16_t short_hash(const cn_world *world, int body, bool is_whole) {
    if (body >= world->sim.slots[CN_BODIES].end) return 0;
    uint64_t hash = is_whole ? cn_hash_body(world, body) : cn_hash_motion(&world->sim, body);
    return hash ? (uint16_t)(hash >> 48 | 1) : 0;
}

// ---- writing

// Writes the marked bodies among 64 slots, and removes the marks. `last` is the last body in the
// list. Returns the number of bodies.
static int write_bodies(cn_stream *s, const cn_world *world, cn_body_marks *marks, int word,
                        int *last) {
    uint64_t whole = marks->whole[word], listed = whole | marks->moving[word];
    int count = 0;
    marks->whole[word] = marks->moving[word] = 0;
    CN_EACH_BIT(bit, &listed, 64) {
        int body = 64 * word + bit;
        bool is_whole = cn_has_bit(&whole, bit);
        uint32_t distance = (uint32_t)(body - *last) << 1 | (is_whole ? WHOLE_BODY : 0);
        uint16_t hash = short_hash(world, body, is_whole);
        cn_walk_word(s, "", &distance);
        cn_walk_short_hash(s, &hash);
        *last = body, count++;
    }
    return count;
}

int cn_write_comparison(cn_stream *s, const cn_world *world, cn_body_marks *marks,
                        size_t *whole_bytes) {
    uint8_t flags = whole_bytes ? CN_COMPARES | CN_COMPARES_ALL : CN_COMPARES;
    int count = 0, last = -1;
    cn_walk_byte(s, "", &flags); // first, because put_comparison() in records.c clears it
    if (whole_bytes) {
        uint64_t hash = cn_hash_world(world, whole_bytes);
        cn_walk_long(s, "", &hash);
        mark_all(&world->sim, marks, marks->whole);
    }
    mark_moving(&world->sim, marks);
    for (int word = marks->first; word < marks->end; word++)
        count += write_bodies(s, world, marks, word, &last);
    marks->first = marks->end = 0;
    return count;
}

// ---- comparing

static void add_body(cn_desync *desync, int body) {
    if (desync->bodies++ == 0 || body < desync->slot) desync->slot = body;
}

// Compares the bodies in the list, and removes their marks.
static void compare_list(cn_stream *s, const cn_world *world, cn_body_marks *marks,
                         cn_desync *desync) {
    for (int64_t body = -1; s->at < s->size && !s->failed;) {
        uint32_t distance = 0;
        uint16_t recorded = 0;
        cn_walk_word(s, "", &distance);
        cn_walk_short_hash(s, &recorded);
        body += distance >> 1;
        if (body < 0 || body > CN_MAX_SLOTS) s->failed = true;
        if (s->failed) return;
        bool is_whole = distance & WHOLE_BODY;
        if (short_hash(world, (int)body, is_whole) != recorded) add_body(desync, (int)body);
        if (body < 64 * marks->words) cn_clear_bit(marks->moving, (int)body);
    }
}

// Adds the bodies that are still marked: the list lacks them. Removes the marks.
static void add_unlisted(const cn_simulation *sim, bool is_whole, cn_body_marks *marks,
                         cn_desync *desync) {
    CN_EACH_BIT(body, marks->moving, sim->slots[CN_BODIES].end) {
        cn_clear_bit(marks->moving, body);
        if (is_whole || cn_is_active(&sim->hot[body])) add_body(desync, body);
    }
    marks->first = marks->end = 0;
}

bool cn_compare(cn_stream *s, const cn_world *world, cn_body_marks *marks, cn_desync *desync) {
    const cn_simulation *sim = &world->sim;
    uint8_t flags = 0;
    cn_walk_byte(s, "", &flags);
    *desync = (cn_desync){0};
    if (s->failed || !(flags & CN_COMPARES)) return !s->failed;
    bool is_whole = flags & CN_COMPARES_ALL;
    if (is_whole)
        cn_walk_long(s, "", &desync->recorded), mark_all(sim, marks, marks->moving);
    else
        mark_moving(sim, marks);
    compare_list(s, world, marks, desync);
    add_unlisted(sim, is_whole, marks, desync);
    desync->found = desync->bodies > 0;
    if (is_whole || desync->found) desync->replayed = cn_world_hash(world);
    desync->found |= is_whole && desync->recorded != desync->replayed;
    return !s->failed;
}
