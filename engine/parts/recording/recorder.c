/* Records a world: writes each call and each step to the sink of the user.
 *
 * The world reports its calls through the functions of a cn_recorder (world/recorder.h). The
 * generated functions in calls.c write the arguments. The callbacks are replaced by functions that
 * call those of the user and keep the answers. The answers are written after each stage of a step.
 * They are sorted by pair of shapes, because the order in which a step calls the callbacks is not
 * part of the state of the world.
 *
 * If memory is short or the sink fails, the recording ends there: nothing more is written. */
#include "recording.h"

#include <stdlib.h>

typedef struct {
    cn_recorder base; // first
    cn_world *world;
    cn_recording_sink sink;
    cn_stream stream;
    bool failed;
    cn_callbacks callbacks; // of the user
    cn_explosion explosion; // of the running call, with an accept() that keeps the answers
    bool (*accept)(const cn_world *world, cn_side side, void *user);
    void *accept_user;
    CN_LIST(cn_answer) answers;    // in this stage of a step
    CN_LIST(cn_accepted) accepted; // of the last explosion
    cn_body_marks marks;           // bodies that calls changed since the last step
    bool is_edited;                // calls changed anything since the last step
    size_t compared;               // bytes that comparisons have read, less those of whole ones
    size_t whole_bytes;            // bytes that a whole comparison reads
} recording;

static recording *recording_of(const cn_world *world) { return (recording *)world->recorder; }

// ---- records

// The sink is a callback: it must not change the world, in the middle of a call or of a step.
static void write_to_sink(recording *r, const void *bytes, size_t size) {
    if (r->failed) return;
    r->world->in_callback = true;
    r->failed = !r->sink.write(bytes, size, r->sink.user);
    r->world->in_callback = false;
}

// Ends the recording because memory is short. The recorded call does not fail because of this.
static void end_early(recording *r) {
    r->failed = true;
    cn_error_clear();
}

static void end_record(recording *r, cn_record_kind kind) {
    if (r->stream.failed && !r->failed) end_early(r);
    if (r->failed) return;
    size_t size = (size_t)(r->stream.written.count - CN_HEADER_ROOM);
    unsigned char *data = r->stream.written.items + CN_HEADER_ROOM;
    unsigned char *header = cn_write_record_header(data, kind, size);
    write_to_sink(r, header, size + (size_t)(data - header));
}

static void write_accepted(recording *r) {
    if (r->accepted.count == 0) return;
    cn_start_writing(&r->stream);
    cn_walk_int(&r->stream, "", &r->accepted.count);
    for (int i = 0; i < r->accepted.count; i++) cn_walk_accepted(&r->stream, &r->accepted.items[i]);
    r->accepted.count = 0;
    end_record(r, CN_RECORD_ACCEPTED);
}

static void begin_record(recording *r) {
    write_accepted(r);
    cn_start_writing(&r->stream);
}

static void write_empty(recording *r, cn_record_kind kind) {
    begin_record(r);
    end_record(r, kind);
}

// ---- calls

// While a filter, pre_solve or accept() callback runs, calls that change the world fail. They are
// not recorded, because callbacks of queries may run on several threads.
cn_stream *cn_begin_call(cn_world *world, int number) {
    recording *r = recording_of(world);
    if (world->in_callback || cn_is_in_accept(world) || r->failed) return NULL;
    r->is_edited |= !cn_played_calls[number].steps;
    begin_record(r);
    cn_walk_int(&r->stream, "", &number);
    return &r->stream;
}

void cn_end_call(cn_world *world) { end_record(recording_of(world), CN_RECORD_CALL); }

static void mark_edited(cn_world *world, int body) {
    recording *r = recording_of(world);
    if (r->failed) return;
    const int bodies = world->sim.slots[CN_BODIES].end;
    if (!cn_reserve_marks(r->stream.memory, &r->marks, bodies)) end_early(r);
    if (!r->failed) cn_mark_whole(&r->marks, body);
}

static void write_segments(recording *r, cn_chain chain) {
    int count = cn_chain_count(r->world, chain);
    cn_walk_int(&r->stream, "", &count);
    for (cn_shape s = {0}; (s = cn_chain_next_segment(r->world, chain, s)).id;)
        cn_walk_id(&r->stream, s.id);
}

static void write_shapes(recording *r, cn_body body) {
    int count = 0;
    for (cn_shape s = {0}; (s = cn_body_next_shape(r->world, body, s)).id;) count++;
    cn_walk_int(&r->stream, "", &count);
    for (cn_shape s = {0}; (s = cn_body_next_shape(r->world, body, s)).id;)
        cn_walk_id(&r->stream, s.id);
}

static void write_created(cn_world *world, cn_slot_kind kind, uint64_t id) {
    recording *r = recording_of(world);
    if (kind == CN_BODIES) mark_edited(world, (int)(id & CN_MAX_SLOTS));
    begin_record(r);
    id = cn_walk_id(&r->stream, id);
    if (kind == CN_CHAINS) write_segments(r, (cn_chain){id});
    if (kind == CN_BODIES) write_shapes(r, (cn_body){id}); // those of its definition
    end_record(r, CN_RECORD_CREATED);
}

// ---- callbacks

static void add_answer(recording *r, const cn_answer *answer) {
    if (!r->failed && !cn_append(r->stream.memory, &r->answers, *answer)) end_early(r);
}

static bool record_filter(cn_world *world, cn_shape a, cn_shape b, void *user) {
    recording *r = user;
    bool collide = r->callbacks.filter(world, a, b, r->callbacks.user);
    cn_answer answer = {.a = a.id, .b = b.id, .order = r->answers.count};
    answer.result.disabled = !collide;
    add_answer(r, &answer);
    return collide;
}

static cn_pre_solve_result record_pre_solve(cn_world *world, const cn_contact *contact,
                                            void *user) {
    recording *r = user;
    cn_pre_solve_result result = r->callbacks.pre_solve(world, contact, r->callbacks.user);
    cn_answer answer = {.a = contact->a.shape.id,
                        .b = contact->b.shape.id,
                        .order = r->answers.count,
                        .is_pre_solve = true,
                        .result = result};
    add_answer(r, &answer);
    return result;
}

static void run_before_step(cn_world *world, float time_step, void *user) {
    recording *r = user;
    write_empty(r, CN_RECORD_BEFORE_STEP);
    r->callbacks.before_step(world, time_step, r->callbacks.user);
    write_empty(r, CN_RECORD_PREPARED);
}

void cn_wrap_callbacks(cn_world *world, cn_callbacks *callbacks) {
    recording *r = recording_of(world);
    r->callbacks = *callbacks;
    callbacks->user = r;
    if (callbacks->filter) callbacks->filter = record_filter;
    if (callbacks->pre_solve) callbacks->pre_solve = record_pre_solve;
    if (callbacks->before_step) callbacks->before_step = run_before_step;
}

static bool record_accept(const cn_world *world, cn_side side, void *user) {
    recording *r = user;
    bool accepted = r->accept(world, side, r->accept_user);
    cn_accepted answer = {side.shape.id, side.grid.id, side.tile, accepted};
    if (!r->failed && !cn_append(r->stream.memory, &r->accepted, answer)) end_early(r);
    return accepted;
}

void cn_wrap_explosion(cn_world *world, const cn_explosion **explosion) {
    recording *r = recording_of(world);
    if (!*explosion || !(*explosion)->query.accept) return;
    r->explosion = **explosion;
    r->accept = r->explosion.query.accept;
    r->accept_user = r->explosion.query.user;
    r->explosion.query.accept = record_accept;
    r->explosion.query.user = r;
    *explosion = &r->explosion;
}

// ---- steps

static void write_answers(cn_world *world) {
    recording *r = recording_of(world);
    if (r->answers.count == 0) return;
    qsort(r->answers.items, (size_t)r->answers.count, sizeof(cn_answer), cn_compare_answers);
    begin_record(r);
    cn_walk_int(&r->stream, "", &r->answers.count);
    for (int i = 0; i < r->answers.count; i++) cn_walk_answer(&r->stream, &r->answers.items[i]);
    r->answers.count = 0;
    end_record(r, CN_RECORD_ANSWERS);
}

/* A whole comparison reads all data of the world. So it is due only when the other comparisons have
 * read as many bytes since the last one: it at most doubles their cost.
 *
 * A step without a call before it waits for twice as many bytes. So most calls find enough bytes
 * for a whole comparison in the next step, which also finds differences that move no body. */
static bool is_whole_due(const recording *r) {
    return r->compared >= (r->is_edited ? r->whole_bytes : 2 * r->whole_bytes);
}

static void write_comparison(recording *r, bool is_whole) {
    enum { BODY_BYTES = sizeof(cn_body_hot), STEP_BYTES = 8 };
    size_t bytes, *all = is_whole ? &bytes : NULL;
    int count = cn_write_comparison(&r->stream, r->world, &r->marks, all);
    r->is_edited = false;
    if (is_whole) {
        r->whole_bytes = 2 * bytes; // for the hash of the world, and for those of all bodies
        r->compared = r->compared > r->whole_bytes ? r->compared - r->whole_bytes : 0;
    } else {
        r->compared += STEP_BYTES + BODY_BYTES * (size_t)count;
    }
}

// Writes a record with a comparison.
static void write_compared(recording *r, cn_record_kind kind, bool is_whole) {
    if (r->failed) return;
    const int bodies = r->world->sim.slots[CN_BODIES].end;
    if (!cn_reserve_marks(r->stream.memory, &r->marks, bodies)) end_early(r);
    if (r->failed) return;
    begin_record(r);
    write_comparison(r, is_whole);
    end_record(r, kind);
}

static void write_step(cn_world *world) {
    recording *r = recording_of(world);
    write_compared(r, CN_RECORD_STEP, is_whole_due(r));
}

// ---- begin, end

static void release(recording *r) {
    cn_memory *memory = r->stream.memory;
    cn_free_list(memory, &r->stream.written);
    cn_free_list(memory, &r->answers);
    cn_free_list(memory, &r->accepted);
    cn_free_marks(memory, &r->marks);
    cn_release(memory, r, sizeof *r);
}

static void write_start(recording *r, const cn_world *world) {
    uint8_t flags = cn_callback_flags(&world->callbacks);
    size_t size = cn_world_save(world, CN_SAVE_ALL, NULL, 0);
    void *bytes = size ? cn_allocate_uncleared(r->stream.memory, size) : NULL;
    r->failed = !bytes || cn_world_save(world, CN_SAVE_ALL, bytes, size) != size;
    unsigned char header[CN_FILE_HEADER];
    cn_write_file_header(header);
    write_to_sink(r, header, sizeof header);
    begin_record(r);
    cn_walk_byte(&r->stream, "", &flags);
    if (!r->failed) cn_walk_bytes(&r->stream, "", bytes, &size);
    end_record(r, CN_RECORD_START);
    if (bytes) cn_release(r->stream.memory, bytes, size);
}

static bool begin(cn_world *world, const cn_recording_sink *sink) {
    recording *r = cn_allocate(&world->memory, sizeof *r);
    if (!r) return false;
    cn_error_clear(); // so that cn_error_code() below has an error of this call
    r->base = (cn_recorder){&cn_writing_calls, write_created, mark_edited,
                            write_answers,     write_step,    &r->callbacks};
    r->world = world;
    r->sink = *sink;
    r->stream.memory = &world->memory;
    r->failed = !cn_reserve_marks(&world->memory, &r->marks, world->sim.slots[CN_BODIES].end);
    if (!r->failed) write_start(r, world);
    if (r->failed) {
        release(r);
        if (cn_error_code() != CN_ERROR_MEMORY)
            cn_fail(CN_ERROR_STATE, "the state of the world cannot be written: the sink failed or "
                                    "memory is short");
        return false;
    }
    world->recorder = &r->base;
    cn_wrap_callbacks(world, &world->callbacks);
    return true;
}

static bool check_sink(const cn_world *world, const cn_recording_sink *sink) {
    if (!cn_require_pointer("sink", sink) ||
        !cn_require_pointer("write() of the sink", (const void *)(uintptr_t)sink->write))
        return false;
    if (!world->recorder) return true;
    return cn_fail(CN_ERROR_STATE,
                   world->recorder->calls
                       ? "the world is being recorded already: end that recording first"
                       : "the world of a replay cannot be recorded: see cn_replay_rest()");
}

bool cn_recording_begin(cn_world *world, cn_recording_sink sink) {
    return cn_edit_world(world, __func__) &&
           CN_CHECK(cn_require_outside_before_step(world) && check_sink(world, &sink) &&
                    begin(world, &sink));
}

// Writes the last record. Returns false if the recording is not complete.
static bool end(cn_world *world) {
    recording *r = recording_of(world);
    write_compared(r, CN_RECORD_END, true);
    bool done = !r->failed;
    // After a recording has failed, callbacks that are set later are not replaced.
    if (world->callbacks.user == r) world->callbacks = r->callbacks;
    world->recorder = NULL;
    release(r);
    return done;
}

static bool fail_incomplete(void) {
    return cn_fail(CN_ERROR_STATE, "the recording is not complete: its sink failed or memory was "
                                   "short");
}

bool cn_recording_end(cn_world *world) {
    if (!cn_edit_world(world, __func__)) return false;
    bool recorded = world->recorder && world->recorder->calls;
    return CN_CHECK(cn_require_outside_before_step(world) &&
                    (recorded || cn_fail(CN_ERROR_STATE, "the world is not being recorded")) &&
                    (end(world) || fail_incomplete()));
}

void cn_end_with_world(cn_world *world) { end(world); }
