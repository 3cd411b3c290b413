/* A ring buffer of kept states. A frame has the moving part of a state. Frames that were kept with
 * the same scenery share its bytes. These are needed only if the scenery has changed since then. */
#include "snapshot.h"

enum { MAX_FRAMES = 1 << 16 };

// Scenery with which frames were kept.
typedef struct {
    uint64_t hash;
    unsigned char *bytes;
    size_t size;
    int users; // number of frames
} kept_scenery;

typedef struct {
    int number;
    unsigned char *bytes; // with CN_SAVE_MOVING
    size_t size, capacity;
    int scenery; // index
} frame;

struct cn_rollback {
    cn_attachment base;      // first
    frame *frames;           // a ring buffer
    kept_scenery *sceneries; // as many entries as frames
    int capacity, first, count;
};

// ---- create, destroy

cn_rollback *cn_rollback_create(cn_world *world, int frames) {
    if (!cn_edit_world(world, __func__) ||
        !CN_CHECK(cn_require("number of frames", (float)frames, 1, MAX_FRAMES)))
        return NULL;
    cn_memory memory = {.allocator = world->memory.allocator};
    cn_rollback *r = cn_allocate(&memory, sizeof *r);
    if (!CN_CHECK(r != NULL)) return NULL;
    *r = (cn_rollback){.base.memory = memory, .capacity = frames};
    cn_attach(world, &r->base);
    size_t count = (size_t)frames;
    r->frames = cn_allocate(&r->base.memory, count * sizeof *r->frames);
    if (r->frames) r->sceneries = cn_allocate(&r->base.memory, count * sizeof *r->sceneries);
    if (CN_CHECK(r->sceneries != NULL)) return r;
    cn_rollback_destroy(r);
    return NULL;
}

void cn_rollback_destroy(cn_rollback *rollback) {
    if (!rollback) return;
    cn_detach(&rollback->base);
    cn_memory memory = rollback->base.memory; // the rollback itself is one of the blocks
    cn_release_all(&memory);
}

// ---- frames

static frame *frame_at(const cn_rollback *r, int index) {
    return &r->frames[(r->first + index) % r->capacity];
}

// Returns the index of a frame, or -1.
static int find_frame(const cn_rollback *r, int number) {
    for (int i = r->count - 1; i >= 0; i--)
        if (frame_at(r, i)->number == number) return i;
    return -1;
}

static void leave_scenery(cn_rollback *r, int index) {
    kept_scenery *scenery = &r->sceneries[index];
    if (--scenery->users > 0) return;
    cn_release(&r->base.memory, scenery->bytes, scenery->size);
    *scenery = (kept_scenery){0};
}

static void forget_newest(cn_rollback *r) { leave_scenery(r, frame_at(r, --r->count)->scenery); }

static void forget_oldest(cn_rollback *r) {
    leave_scenery(r, frame_at(r, 0)->scenery);
    r->first = (r->first + 1) % r->capacity;
    r->count--;
}

// ---- keep

// Returns the index of the scenery that the world has now, or -1 if memory is short. An entry is
// always unused, because each used entry belongs to a frame and one frame is free.
static int find_kept_scenery(cn_rollback *r) {
    const cn_scenery *scenery = cn_find_scenery(r->base.world);
    int unused = 0;
    if (!scenery) return -1;
    for (int i = 0; i < r->capacity; i++) {
        if (r->sceneries[i].users && r->sceneries[i].hash == scenery->hash) return i;
        if (!r->sceneries[i].users) unused = i;
    }
    kept_scenery *kept = &r->sceneries[unused];
    size_t size = cn_save_scenery(r->base.world, NULL, 0);
    kept->bytes = cn_allocate_uncleared(&r->base.memory, size);
    if (!kept->bytes) return -1;
    cn_save_scenery(r->base.world, kept->bytes, size);
    kept->hash = scenery->hash, kept->size = size;
    return unused;
}

// Makes room in a frame for some bytes. Reserves 1.5 times as many, because later states may need
// more.
static bool fit_frame(cn_rollback *r, frame *f, size_t size) {
    if (size <= f->capacity) return true;
    size_t capacity = size + size / 2;
    unsigned char *bytes = cn_allocate_uncleared(&r->base.memory, capacity);
    if (!bytes) return false;
    cn_release(&r->base.memory, f->bytes, f->capacity);
    f->bytes = bytes, f->capacity = capacity;
    return true;
}

static bool save_frame(cn_rollback *r, frame *f) {
    f->size = cn_world_save(r->base.world, CN_SAVE_MOVING, f->bytes, f->capacity);
    if (f->size <= f->capacity) return f->size > 0;
    return fit_frame(r, f, f->size) &&
           cn_world_save(r->base.world, CN_SAVE_MOVING, f->bytes, f->capacity) > 0;
}

static bool keep(cn_rollback *r, int number) {
    while (r->count > 0 && frame_at(r, r->count - 1)->number >= number) forget_newest(r);
    if (r->count == r->capacity) forget_oldest(r);
    frame *f = frame_at(r, r->count);
    f->number = number, f->scenery = find_kept_scenery(r);
    if (f->scenery < 0) return false;
    r->sceneries[f->scenery].users++;
    if (!save_frame(r, f)) {
        leave_scenery(r, f->scenery);
        return false;
    }
    r->count++;
    return true;
}

static bool require_world(const cn_rollback *r) {
    return r->base.world ||
           cn_fail(CN_ERROR_STATE,
                   "the world of the rollback was destroyed: call cn_rollback_destroy()");
}

// True if a call may use the rollback now. Otherwise false, with the error recorded.
static bool check_rollback(const cn_rollback *r, const char *caller) {
    return (cn_require_pointer("rollback", r) && require_world(r) &&
            cn_require_idle(r->base.world)) ||
           cn_fail_call(caller);
}

static bool require_number(int number) {
    return number >= 0 ||
           cn_fail(CN_ERROR_RANGE, "the number of a state must be 0 or greater, not %d", number);
}

bool cn_rollback_keep(cn_rollback *rollback, int number) {
    return check_rollback(rollback, __func__) &&
           CN_CHECK(require_number(number) && keep(rollback, number));
}

// ---- rewind

// Returns the number of a frame, counted from the oldest (0) or backwards from the newest (-1).
static int number_of(const cn_rollback *r, int index, const char *caller) {
    if (!r) cn_require_pointer("rollback", r), cn_fail_call(caller);
    return r && r->count ? frame_at(r, index < 0 ? r->count + index : index)->number : -1;
}

// Restores the whole state, for a world that is being recorded or whose scenery has changed.
static bool restore_frame(const cn_rollback *r, const frame *f) {
    const kept_scenery *kept = &r->sceneries[f->scenery];
    cn_memory *memory = &r->base.world->memory;
    size_t size = cn_join_parts(NULL, kept->bytes, kept->size, f->bytes, f->size);
    void *bytes = cn_allocate_uncleared(memory, size);
    if (!bytes) return false;
    cn_join_parts(bytes, kept->bytes, kept->size, f->bytes, f->size);
    bool done = cn_world_restore(r->base.world, bytes, size);
    cn_release(memory, bytes, size);
    return done;
}

static bool fail_not_kept(const cn_rollback *r, int number) {
    if (r->count == 0)
        return cn_fail(CN_ERROR_RANGE, "no state is kept under the number %d or any other", number);
    return cn_fail(CN_ERROR_RANGE,
                   "no state is kept under the number %d: the ring has %d of %d states, from %d to "
                   "%d",
                   number, r->count, r->capacity, frame_at(r, 0)->number,
                   frame_at(r, r->count - 1)->number);
}

static bool rewind_to(cn_rollback *r, int number) {
    int index = find_frame(r, number);
    if (index < 0) return fail_not_kept(r, number);
    const frame *f = frame_at(r, index);
    const cn_scenery *scenery = cn_find_scenery(r->base.world);
    if (!scenery) return false;
    if (scenery->hash == r->sceneries[f->scenery].hash && !r->base.world->recorder)
        return cn_restore_in_place(r->base.world, f->bytes, f->size);
    return restore_frame(r, f);
}

bool cn_rollback_rewind(cn_rollback *rollback, int number) {
    return check_rollback(rollback, __func__) &&
           CN_CHECK(cn_require_outside_before_step(rollback->base.world) &&
                    rewind_to(rollback, number));
}

int cn_rollback_oldest(const cn_rollback *rollback) { return number_of(rollback, 0, __func__); }

int cn_rollback_newest(const cn_rollback *rollback) { return number_of(rollback, -1, __func__); }
