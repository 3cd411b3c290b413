/* Walks through the two parts of the state and the settings, and the functions that the walks of
 * all kinds of objects share. */
#include "walk.h"

#include "../parts.h"

void cn_need(cn_walk *w, bool done) {
    if (!done) w->archive->failed = w->archive->has_error = true;
}

// ---- rows by slot

static void mask_words(const cn_walked_rows *r, void *rows, int count) {
    for (int k = 0; k < r->masked_count; k++) {
        char *at = (char *)rows + r->masked[k].offset;
        for (int i = 0; i < count; i++, at += r->size) {
            uint32_t word;
            memcpy(&word, at, sizeof word);
            word = (word & r->masked[k].keep) | r->masked[k].set;
            memcpy(at, &word, sizeof word);
        }
    }
}

enum { CHUNK_WORDS = 1024 };

// Writes or hashes rows with masked words.
static void write_masked(cn_walk *w, const cn_walked_rows *r, const char *rows, int count) {
    uint32_t chunk[CHUNK_WORDS];
    int words = (int)(r->size / sizeof(uint32_t));
    for (int i = 0, n; i < count; i += n) {
        n = cn_min_int(count - i, CHUNK_WORDS / words);
        memcpy(chunk, rows + (size_t)i * r->size, (size_t)n * r->size);
        mask_words(r, chunk, n);
        cn_archive_words(w->archive, chunk, (size_t)n * (size_t)words);
    }
}

// Copies a masked word of some rows to a list, or back.
static void copy_word(const cn_walked_rows *r, int masked, char *rows, int count, uint32_t *list,
                      bool back) {
    char *at = rows + r->masked[masked].offset;
    for (int i = 0; i < count; i++, at += r->size)
        memcpy(back ? at : (char *)&list[i], back ? (char *)&list[i] : at, sizeof *list);
}

static void read_masked(cn_walk *w, const cn_walked_rows *r, char *rows, int count) {
    enum { CHUNK = 64 };
    uint32_t staying[CN_MOST_MASKED][CHUNK];
    for (int i = 0, n; i < count; i += n, rows += (size_t)n * r->size) {
        n = cn_min_int(count - i, CHUNK);
        for (int k = 0; k < r->masked_count; k++)
            if (r->masked[k].stays) copy_word(r, k, rows, n, staying[k], false);
        cn_archive_words(w->archive, rows, (size_t)n * (r->size / sizeof(uint32_t)));
        mask_words(r, rows, n);
        for (int k = 0; k < r->masked_count; k++)
            if (r->masked[k].stays) copy_word(r, k, rows, n, staying[k], true);
    }
}

typedef uint32_t four_words __attribute__((vector_size(16)));

// Returns the next four words of an archive.
static four_words words_at(const unsigned char *bytes) {
    four_words words;
    memcpy(&words, bytes, sizeof words);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (int k = 0; k < 4; k++) words[k] = __builtin_bswap32(words[k]);
#endif
    return words;
}

// True if a row differs from the bytes in a bit that is compared.
static inline bool row_differs(const uint32_t *motion, const char *row, const unsigned char *bytes,
                               size_t size) {
    four_words differences = {0}, words, ignored;
    for (size_t at = 0; at + sizeof words <= size; at += sizeof words) {
        memcpy(&words, row + at, sizeof words);
        memcpy(&ignored, motion + at / sizeof *motion, sizeof ignored);
        differences |= (words ^ words_at(bytes + at)) & ~ignored;
    }
    uint32_t any = differences[0] | differences[1] | differences[2] | differences[3];
    for (size_t at = size & ~(sizeof words - 1); at < size; at += sizeof any) {
        uint32_t word;
        memcpy(&word, row + at, sizeof word);
        any |= (word ^ cn_archive_word_at(bytes + at)) & ~motion[at / sizeof *motion];
    }
    return any != 0;
}

// Compares rows with the bytes that a check skips. Most rows have one of two sizes, for which the
// compiler unrolls the loop over the words.
static inline __attribute__((always_inline)) void find_changed(cn_walk *w, const cn_walked_rows *r,
                                                               size_t size, const char *rows,
                                                               int first, int count) {
    static const uint32_t no_motion[sizeof(cn_stored_contact) / sizeof(uint32_t)];
    const uint32_t *motion = r->motion ? r->motion : no_motion;
    const unsigned char *bytes = w->archive->from + w->archive->at;
    for (int i = 0; i < count; i++, rows += size, bytes += size) {
        if (!row_differs(motion, rows, bytes, size)) continue;
        if (r->changed)
            cn_set_bit(r->changed, first + i);
        else
            w->archive->differs = true;
    }
}

static void compare_rows(cn_walk *w, const cn_walked_rows *r, const char *rows, int first,
                         int count) {
    const cn_archive *a = w->archive;
    if (a->failed || (a->size - a->at) / r->size < (size_t)count) return;
    switch (r->size) {
    case 64: find_changed(w, r, 64, rows, first, count); return;
    case 32: find_changed(w, r, 32, rows, first, count); return;
    default: find_changed(w, r, r->size, rows, first, count);
    }
}

void cn_walk_rows(cn_walk *w, const cn_walked_rows *r, int first, int count) {
    if (count == 0) return; // there may be no memory
    size_t words = (size_t)count * (r->size / sizeof(uint32_t));
    char *rows = (char *)r->rows + (size_t)first * r->size;
    if (cn_is_checking(w)) {
        if (w->archive->compares) compare_rows(w, r, rows, first, count);
        cn_archive_skip(w->archive, words * sizeof(uint32_t));
    } else if (!r->masked_count) {
        cn_archive_words(w->archive, rows, words);
    } else if (cn_is_reading(w)) {
        read_masked(w, r, rows, count);
    } else {
        write_masked(w, r, rows, count);
    }
}

bool cn_any_row_has(const cn_walk *w, size_t size, int count, size_t offset, uint32_t mask,
                    uint32_t bits) {
    const cn_archive *a = w->archive;
    if (!cn_is_checking(w) || a->failed || (a->size - a->at) / size < (size_t)count) return false;
    const unsigned char *word = a->from + a->at + offset;
    bool any = false;
    for (int i = 0; i < count && !any; i++, word += size)
        any = (cn_archive_word_at(word) & mask) == bits;
    return any;
}

void cn_walk_compared(cn_walk *w, bool compared) { w->archive->compares = compared && w->changes; }

void cn_walk_motion(cn_walk *w, void *words, size_t count) {
    bool compares = w->archive->compares;
    w->archive->compares = false;
    cn_archive_words(w->archive, words, count);
    w->archive->compares = compares;
}

// Returns the first slot from `slot` on that is scenery (or, if `scenery` is false, is not);
// w->end if there is none.
static int find_slot(const cn_walk *w, cn_slot_kind kind, int slot, bool scenery) {
    const cn_scenery_bits *bits = &w->scenery->bits[kind];
    int known = cn_min_int(64 * bits->count, w->end);
    int found = cn_find_bit(bits->items, slot, known, scenery);
    return found < known ? found : scenery ? w->end : cn_max_int(slot, known);
}

// Returns the first slot from `slot` on that is in use (or, if `used` is false, is not); w->end if
// there is none.
static int find_used_slot(const cn_walk *w, cn_slot_kind kind, int slot, bool used) {
    while (slot < w->end && cn_is_alive(w->sim, kind, slot) != used) slot++;
    return slot;
}

// Finds the next run of slots from `from` on that belongs to this part. Returns its length.
static int find_run(const cn_walk *w, cn_slot_kind kind, int from, int *first) {
    if (w->compares) {
        *first = find_used_slot(w, kind, from, true);
        return find_used_slot(w, kind, *first, false) - *first;
    }
    *first = find_slot(w, kind, from, w->is_scenery);
    return find_slot(w, kind, *first, !w->is_scenery) - *first;
}

void cn_walk_runs(cn_walk *w, cn_slot_kind kind,
                  void (*walk_run)(cn_walk *w, int first, int count)) {
    cn_archive *a = w->archive;
    for (int first = 0, count = 0;;) {
        int from = first + count;
        if (!cn_archive_reads(a)) count = find_run(w, kind, from, &first);
        if (count == 0) first = 0;
        first = cn_archive_count(a, first, w->end);
        count = cn_archive_count(a, count, w->end - first);
        if (count == 0) return;
        // A moving part may only write its own slots.
        bool is_own = w->is_scenery || find_slot(w, kind, first, true) >= first + count;
        if (first < from || !is_own) a->failed = true;
        if (a->failed) return;
        walk_run(w, first, count);
    }
}

static bool has_user_data(const cn_walk *w, cn_slot_kind kind, int first, int count) {
    for (int i = first; i < first + count; i++)
        if (cn_user_data(w->sim, kind, i)) return true;
    return false;
}

// Walks through the user data of a run, if the run has any.
static void walk_user_data(cn_walk *w, cn_slot_kind kind, int first, int count) {
    cn_slot_rows *slots = &w->sim->slots[kind];
    bool writes = !cn_archive_reads(w->archive);
    int has = cn_archive_count(w->archive, writes && has_user_data(w, kind, first, count), 1);
    if (cn_is_checking(w) && has)
        cn_need(w, cn_fit(&w->sim->memory, &slots->user_data, &slots->user_data_capacity,
                          slots->capacity));
    if (has)
        cn_archive_longs(w->archive, slots->user_data + first, (size_t)count);
    else if (cn_is_reading(w) && slots->user_data)
        memset(slots->user_data + first, 0, (size_t)count * sizeof *slots->user_data);
}

void cn_walk_object_id(cn_walk *w, uint64_t *id) {
    uint64_t untagged = *id & ~((uint64_t)UINT8_MAX << 24);
    cn_archive_longs(w->archive, w->compares ? &untagged : id, 1);
}

void cn_walk_slots(cn_walk *w, cn_slot_kind kind, int first, int count) {
    if (w->compares) return; // cn_begin_kind() has compared the slots
    cn_archive_words(w->archive, w->sim->slots[kind].items + first, 2 * (size_t)count);
    walk_user_data(w, kind, first, count);
}

static int find_end_of_scenery(const cn_walk *w, cn_slot_kind kind) {
    int end = w->sim->slots[kind].end;
    while (end > 0 && !cn_is_scenery(w->scenery, kind, end - 1)) end--;
    return end;
}

void cn_begin_kind(cn_walk *w, cn_slot_kind kind) {
    cn_slot_rows *slots = &w->sim->slots[kind];
    w->end = w->is_scenery ? find_end_of_scenery(w, kind) : slots->end;
    int most = cn_archive_reads(w->archive) ? w->archive->most_slots : CN_MAX_SLOTS;
    w->end = cn_archive_count(w->archive, w->end, most);
    if (cn_is_checking(w) && !w->archive->failed)
        cn_need(w, cn_resize_slots(w->sim, kind, w->end, true) &&
                       (kind != CN_BODIES || cn_reserve_moves(w->world, w->end)));
    if (w->is_scenery && cn_is_reading(w)) slots->end = w->end;
    if (w->is_scenery) return;
    int count = cn_archive_count(w->archive, slots->count, w->end);
    cn_archive_words(w->archive, &w->sim->unused_slots[kind], 4);
    if (w->compares) cn_archive_words(w->archive, slots->items, 2 * (size_t)slots->end);
    if (!cn_is_reading(w)) return;
    cn_forget_slots(w->sim, kind, w->end);
    slots->end = w->end, slots->count = count;
}

// ---- lists

int cn_walk_list(cn_walk *w, cn_row row, int *list_count, int *capacity) {
    char *items;
    int count = cn_archive_items(w->archive, *list_count, row.size);
    if (cn_is_checking(w)) cn_need(w, cn_grow_rows(&w->sim->memory, &row, 1, capacity, count));
    memcpy(&items, row.array, sizeof items);
    cn_archive_words(w->archive, items, (size_t)count * (row.size / sizeof(uint32_t)));
    if (cn_is_reading(w)) *list_count = count;
    return count;
}

// ---- settings

// Needs memory even without bodies, because calls may create some before the next step.
static void walk_interpolation(cn_walk *w) {
    cn_simulation *sim = w->sim;
    bool interpolated = cn_archive_count(w->archive, cn_is_interpolated(w->world), 1);
    if (cn_is_checking(w) && interpolated)
        cn_need(w, cn_fit(&sim->memory, &sim->previous, &sim->previous_capacity,
                          cn_max_int(sim->slots[CN_BODIES].capacity, 1)));
    if (cn_is_reading(w)) w->world->stepped_manually = !interpolated;
}

// A world without damping of its own has the hash that it had before there was any.
static void walk_damping(cn_walk *w) {
    cn_simulation *sim = w->sim;
    bool is_hashed = sim->linear_damping != 0 || sim->angular_damping != 0;
    if (w->compares && !is_hashed) return;
    cn_archive_words(w->archive, &sim->linear_damping, 1);
    cn_archive_words(w->archive, &sim->angular_damping, 1);
}

void cn_walk_settings(cn_walk *w) {
    cn_archive *a = w->archive;
    cn_simulation *sim = w->sim;
    cn_world *world = w->world;
    int tag = world->tag;
    cn_walk_compared(w, true);
    cn_archive_words(a, &sim->gravity, 2);
    cn_archive_int(a, &sim->substeps);
    cn_archive_words(a, &sim->tuning, sizeof sim->tuning / sizeof(float));
    cn_archive_words(a, &sim->length_unit, 1);
    cn_archive_bool(a, &sim->sleeping);
    cn_archive_words(a, &world->time_step, 1);
    cn_archive_int(a, &world->max_steps);
    walk_damping(w);
    cn_walk_compared(w, false);
    cn_archive_words(a, &sim->last_substep, 1);
    cn_archive_words(a, &sim->contact_substep, 1);
    cn_archive_words(a, &sim->joint_substep, 1);
    cn_archive_words(a, &sim->step_seconds, 1);
    cn_archive_longs(a, &sim->steps, 1);
    cn_archive_bool(a, &sim->sensors_failed);
    if (w->compares) return;
    cn_archive_words(a, &sim->min_ccd_threshold, 1); // a bound that includes destroyed shapes
    cn_archive_int(a, &tag);
    cn_archive_longs(a, &world->user_data, 1);
    cn_archive_longs(a, &world->accumulator, 1);
    walk_interpolation(w);
    cn_archive_int(a, &sim->solved_islands);
    if (cn_is_reading(w)) world->tag = (uint8_t)tag;
}

// ---- parts of the engine

static_assert((int)CN_PARTS_WITH_DATA < (int)CN_CHAINS_BIT, "each part has a bit of an int");

static bool is_used(const cn_walk *w, int part) { return w->used_parts >> part & 1; }

// True if there are chains in what the walk goes through. Scenery is read into an empty world.
static bool has_chains(const cn_walk *w) {
    bool writes_scenery = w->is_scenery && !cn_archive_reads(w->archive);
    return writes_scenery ? find_end_of_scenery(w, CN_CHAINS) > 0
                          : w->sim->slots[CN_CHAINS].end > 0;
}

// Returns the bits of the parts that have data in what the walk goes through, and that of chains. A
// comparison goes through both the moving part and the scenery.
static uint32_t find_used_parts(const cn_walk *w) {
    uint32_t used = (uint32_t)has_chains(w) << CN_CHAINS_BIT;
    CN_EACH_PART(part) {
        bool has_data = part->is_used && (part->is_used(w->sim, w->is_scenery) ||
                                          (w->compares && part->is_used(w->sim, true)));
        used |= (uint32_t)has_data << part->id;
    }
    return used;
}

static bool require_used_parts(const cn_walk *w) {
    for (int id = 0; id < CN_PARTS_WITH_DATA; id++)
        if (is_used(w, id) && !cn_require_part(cn_part_names[id])) return false;
    return true;
}

// Walks through the word with these bits. Fails if it has an unknown bit, or that of a part that is
// not built in.
static void begin_parts(cn_walk *w) {
    const int known = 1 << CN_CHAINS_BIT | ((1 << CN_PARTS_WITH_DATA) - 1);
    w->used_parts = (uint32_t)cn_archive_count(w->archive, (int)find_used_parts(w), known);
    w->archive->failed |= (w->used_parts & ~(uint32_t)known) != 0;
    if (cn_is_checking(w)) cn_need(w, require_used_parts(w));
    CN_EACH_PART(part) {
        bool used = is_used(w, part->id);
        if (cn_is_checking(w) && used) cn_need(w, cn_reserve_part_state(w->sim, part));
        if (cn_is_reading(w) && !w->is_scenery && part->begin_reading)
            part->begin_reading(w->sim, used);
    }
}

// Fails if a part whose bit is set turned out to have no data.
static void end_parts(cn_walk *w) {
    if (cn_is_reading(w) && find_used_parts(w) != w->used_parts) w->archive->failed = true;
}

void cn_walk_parts(cn_walk *w, cn_saved_place place) {
    CN_EACH_PART(part) {
        if (part->walk && is_used(w, part->id) && !w->archive->failed) part->walk(w, place);
    }
}

// ---- the parts of a state

void cn_walk_scenery(cn_archive *archive, cn_world *world, const cn_scenery *scenery) {
    cn_walk w = {archive, world, &world->sim, scenery, .is_scenery = true};
    begin_parts(&w);
    cn_walk_bodies(&w);
    cn_walk_shapes(&w);
    cn_walk_chains(&w);
    cn_walk_parts(&w, CN_SAVED_SCENERY);
    end_parts(&w);
}

static void walk_moving(cn_walk *w) {
    if (cn_is_reading(w)) cn_forget_edits(w->sim);
    begin_parts(w);
    cn_walk_settings(w);
    cn_walk_bodies(w);
    cn_walk_shapes(w);
    cn_walk_chains(w);
    cn_walk_parts(w, CN_SAVED_OBJECTS);
    cn_walk_joints(w);
    cn_walk_drops(w);
    cn_walk_contacts(w);
    cn_walk_islands(w);
    end_parts(w);
}

void cn_walk_moving(cn_archive *archive, cn_world *world, const cn_scenery *scenery) {
    walk_moving(&(cn_walk){archive, world, &world->sim, scenery, .is_scenery = false});
}

cn_state_changes cn_find_changes(cn_archive *archive, cn_world *world, const cn_scenery *scenery) {
    cn_state_changes changes = {0};
    walk_moving(&(cn_walk){archive, world, &world->sim, scenery, .changes = &changes});
    changes.others = archive->differs || cn_has_changed_shapes(&world->sim);
    return changes;
}

cn_walk cn_begin_comparison(cn_archive *archive, cn_world *world) {
    static const cn_scenery no_scenery;
    cn_close_gaps(&world->sim);
    *archive = (cn_archive){.use = CN_ARCHIVE_HASH};
    cn_walk w = {archive, world, &world->sim, &no_scenery, .compares = true};
    w.used_parts = find_used_parts(&w);
    return w;
}

void cn_walk_whole(cn_walk *w) {
    begin_parts(w);
    cn_walk_settings(w);
    cn_walk_bodies(w);
    cn_walk_shapes(w);
    cn_walk_chains(w);
    cn_walk_parts(w, CN_SAVED_OBJECTS);
    cn_walk_parts(w, CN_SAVED_SCENERY);
    cn_walk_joints(w);
    cn_walk_drops(w);
    cn_walk_contacts(w);
    cn_walk_islands(w);
}

// ---- checks

bool cn_are_finite(const void *floats, size_t bytes) {
    const uint32_t infinite = 0x7F800000; // all bits of the exponent: infinite, or not a number
    uint32_t any = false;
    for (size_t i = 0; i < bytes; i += sizeof(float)) {
        uint32_t bits;
        memcpy(&bits, (const char *)floats + i, sizeof bits);
        any |= (bits & infinite) == infinite;
    }
    return !any;
}

static bool is_set(uint64_t *seen, const cn_simulation *sim, const int *slots, int count,
                   cn_slot_kind kind, cn_slot_test *test) {
    for (int i = 0; i < count; i++) {
        if (!cn_is_in(sim, kind, slots[i]) || cn_has_bit(seen, slots[i]) || !test(sim, slots[i]))
            return false;
        cn_set_bit(seen, slots[i]);
    }
    return true;
}

bool cn_check_set(cn_world *world, const char *what, const int *slots, int count, int expected,
                  cn_slot_kind kind, cn_slot_test *test) {
    const cn_simulation *sim = &world->sim;
    if (count != expected) return cn_sound(false, what, count);
    size_t bytes = (size_t)(sim->slots[kind].end + 63) / 64 * sizeof(uint64_t);
    uint64_t *seen = bytes ? cn_allocate(&world->memory, bytes) : NULL;
    if (bytes && !seen) return false;
    bool sound = cn_sound(is_set(seen, sim, slots, count, kind, test), what, count);
    cn_release(&world->memory, seen, bytes);
    return sound;
}

// Follows the queue of unused slots. `rested` and `seen` must be in it, and `rested` must not come
// after `seen`.
static bool is_sound_queue(const cn_simulation *sim, cn_slot_kind kind) {
    const cn_slot_rows *slots = &sim->slots[kind];
    const cn_slot_queue *queue = &sim->unused_slots[kind];
    int last = -1, rested = queue->rested < 0 ? 0 : -1, seen = queue->seen < 0 ? 0 : -1, place = 0;
    for (int i = queue->first; i >= 0; i = slots->items[i].next_free) {
        if (i >= slots->end || cn_is_alive(sim, kind, i) || place++ == slots->end) return false;
        if (i == queue->rested) rested = place;
        if (i == queue->seen) seen = place;
        last = i;
    }
    return rested >= 0 && seen >= rested && last == queue->last;
}

static bool check_slots(const cn_simulation *sim, cn_slot_kind kind) {
    int count = 0;
    for (int i = 0; i < sim->slots[kind].end; i++) {
        const cn_slot *slot = &sim->slots[kind].items[i];
        count += slot->next_free == CN_IN_USE;
        bool ok =
            slot->next_free >= CN_IN_USE && (slot->next_free != CN_IN_USE || slot->generation);
        if (!cn_sound(ok, "slot", i)) return false;
    }
    return cn_sound(count == sim->slots[kind].count, "number of objects", count) &&
           cn_sound(is_sound_queue(sim, kind), "queue of unused slots", (int)kind);
}

static bool check_settings(const cn_world *world) {
    const cn_simulation *sim = &world->sim;
    const float times[] = {sim->last_substep, sim->contact_substep, sim->joint_substep,
                           sim->step_seconds};
    for (int i = 0; i < 4; i++)
        if (!cn_sound(times[i] >= 0 && times[i] <= FLT_MAX, "time", i)) return false;
    return cn_sound(cn_require_settings(world), "setting", 0) &&
           cn_sound(sim->solved_islands >= 0, "number of islands", sim->solved_islands) &&
           cn_sound(world->accumulator >= 0 && world->accumulator <= FLT_MAX, "accumulator", 0) &&
           cn_sound(sim->min_ccd_threshold >= 0, "CCD threshold", 0);
}

static bool is_drop(const cn_simulation *sim, int index) {
    const cn_drop *drop = &sim->drop_throughs.items[index];
    return cn_is_in(sim, CN_BODIES, drop->body) && drop->seconds <= FLT_MAX;
}

// Checks the list of the bodies that drop through: no body is in it twice.
static bool check_drops(cn_simulation *sim) {
    for (int i = 0; i < sim->drop_throughs.count; i++) {
        if (!cn_sound(is_drop(sim, i), "body that drops through", i)) return false;
        sim->body_links[sim->drop_throughs.items[i].body].drop = i;
    }
    for (int i = 0; i < sim->drop_throughs.count; i++) {
        int body = sim->drop_throughs.items[i].body;
        if (!cn_sound(sim->body_links[body].drop == i, "second drop-through of body", body))
            return false;
    }
    return true;
}

bool cn_check_scenery(const cn_simulation *sim) {
    CN_EACH(CN_BODIES, i, sim) {
        if (!cn_sound(!(sim->hot[i].flags & CN_BODY_MOVES), "static body", i)) return false;
    }
    return cn_check_bodies(sim) && cn_check_shape_rows(sim) && cn_check_chain_rows(sim);
}

static bool check_parts(cn_simulation *sim) {
    CN_EACH_PART(part) {
        if (part->check && !part->check(sim)) return false;
    }
    return true;
}

bool cn_check_state(cn_world *world) {
    cn_simulation *sim = &world->sim;
    for (cn_slot_kind kind = CN_BODIES; kind < CN_SLOT_KINDS; kind++)
        if (!check_slots(sim, kind)) return false;
    return check_settings(world) && check_drops(sim) && cn_check_bodies(sim) &&
           cn_check_kinematics(world) && cn_check_shapes(world) && cn_check_chains(sim) &&
           cn_check_edits(sim) && check_parts(sim) && cn_check_joints(world) &&
           cn_check_contacts(sim) && cn_check_islands(sim);
}

// ---- data that follow from the state

void cn_end_reading(cn_world *world, bool keeps_plan) {
    cn_simulation *sim = &world->sim;
    cn_link_shapes_back(sim);
    cn_find_edits(sim);
    cn_find_places(sim);
    CN_EACH_PART(part) {
        if (part->state_read) part->state_read(sim);
    }
    cn_find_requested_islands(sim);
    cn_find_joint_links(sim);
    sim->may_have_parted = true;
    sim->pairs_indexed = false;
    sim->pinned_count = 0;
    CN_EACH(CN_BODIES, i, sim) sim->pinned_count += cn_is_pinned(&sim->hot[i]);
    sim->waking.count = sim->requested_count = sim->new_slots.count = 0;
    cn_enter_plan(sim, keeps_plan && !cn_has_changed_shapes(sim));
    cn_clear_event_buffers(sim);
    cn_forget_sensor_index(sim);
    sim->knows_resting_bounds = false;
    sim->contact_revision++;
    if (sim->box_slack)
        memset(sim->box_slack, 0, (size_t)sim->slots[CN_SHAPES].end * sizeof *sim->box_slack);
    cn_tree_refit(&sim->moving_tree);
    cn_tree_refit(&sim->static_tree);
    cn_restart_moves(world);
}
