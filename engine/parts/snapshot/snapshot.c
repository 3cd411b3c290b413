/* Snapshots: the state of a world in bytes, and worlds in that state.
 *
 *      header | scenery (may be left out) | moving part
 *
 * cn_world_restore() reads the bytes into a second world, and then moves the simulation of this
 * world to the first one. So a failure leaves the world unchanged. cn_restore_in_place() reads into
 * the rows of the world itself, which is faster. */
#include "walk.h"

#define MAGIC 0x4E524143u // "CARN"
enum { FORMAT = 5, HEADER_BYTES = 40 };

typedef struct {
    uint32_t magic, format;
    uint64_t scenery_bytes, moving_bytes;
    uint64_t scenery_hash;
    uint64_t checksum; // of all that follows the header; 0: none
} header;

static void walk_header(cn_archive *a, header *h) {
    cn_archive_words(a, &h->magic, 1);
    cn_archive_words(a, &h->format, 1);
    cn_archive_longs(a, &h->scenery_bytes, 1);
    cn_archive_longs(a, &h->moving_bytes, 1);
    cn_archive_longs(a, &h->scenery_hash, 1);
    cn_archive_longs(a, &h->checksum, 1);
}

// Returns a checksum that is not 0. It does not depend on the byte order of the machine.
static uint64_t checksum_of(const unsigned char *bytes, size_t size) {
    uint64_t sum = size;
    for (size_t i = 0; i < size; i++) {
        sum = (sum ^ bytes[i]) * 0x9E3779B97F4A7C15u;
        sum ^= sum >> 29;
    }
    return sum ? sum : 1;
}

// ---- save

static bool check_save(const cn_world *world, const void *bytes, size_t capacity,
                       cn_save_parts parts) {
    if (parts != CN_SAVE_ALL && parts != CN_SAVE_MOVING)
        return cn_fail(CN_ERROR_RANGE,
                       "the parts are %d; they must be CN_SAVE_ALL or "
                       "CN_SAVE_MOVING",
                       (int)parts);
    if (world->in_callback || cn_is_in_accept(world))
        return cn_fail(CN_ERROR_STATE, "a world cannot be saved while its filter, pre_solve, "
                                       "accept() or the sink of its recording runs");
    return capacity == 0 || cn_require_pointer("array of bytes", bytes);
}

size_t cn_world_save(const cn_world *shared, cn_save_parts parts, void *bytes, size_t capacity) {
    if (!cn_check_world(shared, __func__) || !CN_CHECK(check_save(shared, bytes, capacity, parts)))
        return 0;
    const cn_scenery *scenery = cn_find_scenery(shared);
    if (!CN_CHECK(scenery != NULL)) return 0;
    cn_world *world = (cn_world *)shared; // is only read
    cn_archive a = {.use = CN_ARCHIVE_WRITE, .to = bytes, .at = HEADER_BYTES, .size = capacity};
    header h = {MAGIC, FORMAT, .scenery_hash = scenery->hash};
    if (parts == CN_SAVE_ALL) cn_walk_scenery(&a, world, scenery);
    h.scenery_bytes = a.at - HEADER_BYTES;
    cn_close_gaps(&world->sim);
    cn_walk_moving(&a, world, scenery);
    h.moving_bytes = a.at - HEADER_BYTES - h.scenery_bytes;
    size_t size = a.at;
    if (size > capacity) return size;
    if (parts == CN_SAVE_ALL)
        h.checksum = checksum_of((unsigned char *)bytes + HEADER_BYTES, size - HEADER_BYTES);
    a.at = 0;
    walk_header(&a, &h);
    return size;
}

size_t cn_save_scenery(const cn_world *shared, void *bytes, size_t capacity) {
    cn_archive a = {.use = CN_ARCHIVE_WRITE, .to = bytes, .size = capacity};
    cn_walk_scenery(&a, (cn_world *)shared, cn_find_scenery(shared)); // is only read
    return a.at;
}

// ---- headers

static bool check_header(const header *h, const void *bytes, size_t size) {
    if (h->magic != MAGIC)
        return cn_fail(CN_ERROR_DATA,
                       "these bytes were not written by cn_world_save(), or the array "
                       "was too small for it");
    if (h->format != FORMAT)
        return cn_fail(CN_ERROR_DATA,
                       "the format of the bytes is %u; this version of the engine reads %d",
                       (unsigned)h->format, FORMAT);
    size_t left = size - HEADER_BYTES;
    if (h->scenery_bytes > left || h->moving_bytes != left - h->scenery_bytes)
        return cn_fail(CN_ERROR_DATA, "the saved state has %.0f bytes, but %.0f are given",
                       (double)h->scenery_bytes + (double)h->moving_bytes + HEADER_BYTES,
                       (double)size);
    if (h->checksum &&
        h->checksum != checksum_of((const unsigned char *)bytes + HEADER_BYTES, left))
        return cn_fail(CN_ERROR_DATA, "the bytes are damaged: their checksum is wrong");
    return true;
}

// A header, and where the parts are.
typedef struct {
    header h;
    const unsigned char *scenery, *moving;
} saved_parts;

static bool find_parts(saved_parts *parts, const void *bytes, size_t size) {
    *parts = (saved_parts){.scenery = (const unsigned char *)bytes + HEADER_BYTES};
    cn_archive a = {.use = CN_ARCHIVE_READ, .from = bytes, .size = size};
    walk_header(&a, &parts->h);
    if (a.failed)
        return cn_fail(CN_ERROR_DATA, "there are only %.0f bytes; the header has %d", (double)size,
                       HEADER_BYTES);
    if (!check_header(&parts->h, bytes, size)) return false;
    parts->moving = parts->scenery + parts->h.scenery_bytes;
    return true;
}

// ---- read

typedef void walk_part(cn_archive *archive, cn_world *world, const cn_scenery *scenery);

static bool is_whole(const cn_archive *a, size_t size) {
    return (!a->failed && a->at == size) ||
           (!a->has_error && cn_fail(CN_ERROR_DATA, "the bytes are damaged: a part of them has a "
                                                    "wrong size, or a number is out of range"));
}

// Checks a part, and reserves memory for it. Returns false if the bytes are bad or memory is short.
static bool check_part(walk_part *walk, cn_world *world, const unsigned char *bytes, size_t size,
                       int most_slots) {
    const cn_scenery *scenery = cn_find_scenery(world);
    cn_archive a = {CN_ARCHIVE_CHECK, .from = bytes, .size = size, .most_slots = most_slots};
    if (!scenery) return false;
    walk(&a, world, scenery);
    return is_whole(&a, size);
}

// Checks and reads a part. Returns false if the bytes are bad or memory is short.
static bool read_part(walk_part *walk, cn_world *world, const unsigned char *bytes, size_t size,
                      int most_slots) {
    if (!check_part(walk, world, bytes, size, most_slots)) return false;
    cn_archive a = {CN_ARCHIVE_READ, .from = bytes, .size = size, .most_slots = most_slots};
    walk(&a, world, &cn_snapshot_of(world)->scenery);
    return is_whole(&a, size);
}

bool cn_restore_in_place(cn_world *world, const void *bytes, size_t size) {
    saved_parts parts;
    const cn_scenery *scenery = cn_find_scenery(world);
    if (!scenery || !find_parts(&parts, bytes, size)) return false;
    assert(scenery->hash == parts.h.scenery_hash && parts.h.scenery_bytes == 0);
    size_t moving_bytes = (size_t)parts.h.moving_bytes;
    cn_archive check = {CN_ARCHIVE_CHECK, .from = parts.moving, .size = moving_bytes,
                        .most_slots = CN_MAX_SLOTS};
    cn_state_changes changes = cn_find_changes(&check, world, scenery);
    if (!is_whole(&check, moving_bytes)) {
        cn_forget_changes(&world->sim);
        return false;
    }
    cn_leave_plan(&world->sim, changes.body_end);
    cn_archive a = {CN_ARCHIVE_READ, .from = parts.moving, .size = moving_bytes,
                    .most_slots = CN_MAX_SLOTS};
    cn_walk_moving(&a, world, scenery);
    assert(!a.failed && a.at == moving_bytes);
    cn_end_reading(world, !changes.others);
    return true;
}

// ---- restore

// The greatest numbers of a world include those before a restore.
static void keep_peaks(cn_simulation *sim, const cn_simulation *old) {
    for (cn_slot_kind k = CN_BODIES; k < CN_SLOT_KINDS; k++) {
        int before = cn_max_int(old->slots[k].most, old->slots[k].end);
        sim->slots[k].most = cn_max_int(sim->slots[k].most, before);
    }
    sim->moving_tree.most = cn_max_int(sim->moving_tree.most, old->moving_tree.most);
    sim->static_tree.most = cn_max_int(sim->static_tree.most, old->static_tree.most);
    sim->most_contacts = cn_max_int(sim->most_contacts, old->most_contacts);
}

// Moves the simulation and the settings of the other world to the world.
static void adopt(cn_world *world, cn_world *other) {
    cn_simulation *sim = &world->sim, old = *sim;
    *sim = other->sim;
    sim->team = old.team, sim->kernels = old.kernels, sim->widest_only = old.widest_only;
    sim->filter = old.filter, sim->pre_solve = old.pre_solve;
    sim->callback_context = old.callback_context;
    sim->moving_tree.shared = sim->static_tree.shared = old.team != NULL;
    sim->memory.calls += old.memory.calls;
    sim->contact_revision = old.contact_revision; // never one that the index of contacts may have
    keep_peaks(sim, &old);
    other->sim = (cn_simulation){0};
    cn_release_all(&old.memory);
    world->tag = other->tag, world->user_data = other->user_data;
    world->time_step = other->time_step, world->max_steps = other->max_steps;
    world->accumulator = other->accumulator, world->stepped_manually = other->stepped_manually;
    world->static_revision++;
}

// Copies the scenery of the world to another one.
static bool copy_scenery(cn_world *into, const cn_world *world, const header *h) {
    const cn_scenery *scenery = cn_find_scenery(world);
    if (!scenery) return false;
    if (scenery->hash != h->scenery_hash)
        return cn_fail(CN_ERROR_STATE, "the bytes were saved without scenery, with another scenery "
                                       "than the world has now");
    size_t size = cn_save_scenery(world, NULL, 0);
    unsigned char *copy = cn_allocate_uncleared(&into->memory, size);
    if (!copy) return false;
    cn_save_scenery(world, copy, size);
    bool done = read_part(cn_walk_scenery, into, copy, size, CN_MAX_SLOTS);
    cn_release(&into->memory, copy, size);
    return done;
}

// Every slot has a row in the bytes, or is scenery of the world. So the memory for the rows is
// limited by the number of bytes and by the size of the world.
static int find_most_slots(const cn_world *world, const header *h) {
    uint64_t most = (h->scenery_bytes + h->moving_bytes) / sizeof(cn_slot);
    for (cn_slot_kind kind = CN_BODIES; kind < CN_SLOT_KINDS && !h->scenery_bytes; kind++)
        most += (uint64_t)world->sim.slots[kind].end;
    return most < CN_MAX_SLOTS ? (int)most : CN_MAX_SLOTS;
}

// Reads the whole state into an empty world.
static bool read_state(cn_world *into, const cn_world *world, const saved_parts *parts) {
    const header *h = &parts->h;
    int most_slots = find_most_slots(world, h);
    bool has_scenery = h->scenery_bytes ? read_part(cn_walk_scenery, into, parts->scenery,
                                                    (size_t)h->scenery_bytes, most_slots)
                                        : copy_scenery(into, world, h);
    if (!has_scenery || !cn_check_scenery(&into->sim)) return false;
    into->static_revision++;
    const cn_scenery *read = cn_find_scenery(into);
    if (!read) return false;
    if (read->hash != h->scenery_hash)
        return cn_fail(CN_ERROR_DATA, "the bytes are damaged: the hash of the scenery is wrong");
    return read_part(cn_walk_moving, into, parts->moving, (size_t)h->moving_bytes, most_slots) &&
           cn_check_state(into);
}

// Makes a plan of the awake bodies, so that the counters have batches and colours. The next step
// plans everything anew, because islands may wake in it. If memory is short, there is no plan.
static void show_plan(cn_simulation *sim) {
    if (cn_list_lost_contacts(sim) && cn_plan_islands(sim))
        cn_replan_all(sim);
    else
        cn_forget_plan(sim), cn_error_clear();
}

static bool restore(cn_world *world, const saved_parts *parts) {
    cn_world *other = cn_allocate(&world->memory, cn_world_bytes);
    if (!other) return false;
    other->memory.allocator = other->sim.memory.allocator = world->memory.allocator;
    other->static_revision = 1;
    other->sim.kernels = world->sim.kernels;
    for (cn_slot_kind k = CN_BODIES; k < CN_SLOT_KINDS; k++) cn_clear_slots(&other->sim, k);
    bool done =
        read_state(other, world, parts) && cn_reserve_moves(world, other->sim.slots[CN_BODIES].end);
    if (done) {
        adopt(world, other);
        cn_end_reading(world, false);
        show_plan(&world->sim);
    }
    cn_release_all(&other->sim.memory);
    cn_release_all(&other->memory);
    cn_release(&world->memory, other, cn_world_bytes);
    return done;
}

size_t cn_join_parts(void *bytes, const void *scenery, size_t scenery_size, const void *moving,
                     size_t moving_size) {
    unsigned char *to = bytes;
    saved_parts parts;
    size_t size = scenery_size + moving_size;
    if (!bytes || !find_parts(&parts, moving, moving_size)) return size;
    parts.h.scenery_bytes = scenery_size;
    cn_archive a = {.use = CN_ARCHIVE_WRITE, .to = to, .size = size};
    walk_header(&a, &parts.h);
    memcpy(to + HEADER_BYTES, scenery, scenery_size);
    memcpy(to + HEADER_BYTES + scenery_size, parts.moving, moving_size - HEADER_BYTES);
    return size;
}

static bool restore_all(cn_world *world, const void *bytes, size_t size) {
    saved_parts parts;
    return find_parts(&parts, bytes, size) && restore(world, &parts);
}

static bool load_all(cn_world *world, const void *bytes, size_t size) {
    saved_parts parts;
    if (!find_parts(&parts, bytes, size)) return false;
    if (parts.h.scenery_bytes) return restore(world, &parts);
    return cn_fail(CN_ERROR_STATE, "the bytes are without scenery: a new world needs those of "
                                   "CN_SAVE_ALL");
}

bool cn_world_restore(cn_world *world, const void *bytes, size_t size) {
    CN_RECORD(cn_world_restore, world, bytes, size);
    return cn_edit_world(world, __func__) &&
           CN_CHECK(cn_require_outside_before_step(world) &&
                    cn_require_pointer("array of bytes", bytes) && restore_all(world, bytes, size));
}

cn_world *cn_world_load(const cn_world_def *def, const cn_callbacks *callbacks, const void *bytes,
                        size_t size) {
    if (!CN_CHECK(cn_require_pointer("definition", def) &&
                  cn_require_pointer("array of bytes", bytes)))
        return NULL;
    cn_world *world = cn_make_world(&(cn_world_def){
        .threads = def->threads,
        .lanes = def->lanes,
        .profiling = def->profiling,
        .move_events = def->move_events,
        .allocator = def->allocator,
        .tasks = def->tasks,
    });
    if (!CN_CHECK(world != NULL)) return NULL;
    if (callbacks) cn_world_set_callbacks(world, *callbacks);
    if (CN_CHECK(load_all(world, bytes, size))) return world;
    cn_world_destroy(world);
    return NULL;
}
