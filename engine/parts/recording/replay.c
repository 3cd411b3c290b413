/* Makes the calls of a recording in a world of its own.
 *
 * The cursor is the position of a record. A call is made when its record is read. The records that
 * belong to the call follow. They are read while the call runs: by before_step, by the callbacks
 * that give the recorded answers, and after each step. If the replay differs from the recorded
 * world, for example because calls were left out, some of these records are not read. They are
 * skipped when the call returns.
 *
 * Keyframes are states of the replay between calls, at equal distances in steps. When there are too
 * many, every second one is released and the distance doubles. So seeking back takes one restore,
 * and steps that are a small part of the recording. */
#include "replay.h"

#include <stdio.h>

enum { FIRST_DISTANCE = 30 }; // steps between keyframes

static cn_replay *replay_of(const cn_world *world) { return (cn_replay *)world->recorder; }

// ---- records

static cn_stream *open_record(cn_replay *p, const cn_record *record) {
    cn_stream *s = &p->stream;
    s->from = p->bytes + record->data, s->at = 0, s->size = record->size;
    s->failed = s->is_unknown = s->restored = s->creates = false;
    s->created = 0;
    s->text = NULL;
    return s;
}

// ---- calls

bool cn_may_call(cn_stream *s) { return !s->failed && !s->is_unknown && !s->text; }

void cn_end_create(cn_stream *s, cn_handle_kind kind, uint64_t id) {
    s->creates = true, s->created_kind = kind, s->created = id;
}

void cn_end_restore(cn_stream *s) { s->restored = true; }

// Maps the recorded shapes of a new body, or the recorded segments of a chain, to those of the
// replay.
static bool map_shapes(cn_replay *p, cn_stream *s, cn_handle_kind kind, uint64_t id) {
    int count = 0;
    cn_walk_int(s, "", &count);
    bool is_chain = kind == CN_HANDLE_CHAIN;
    cn_shape shape = {0};
    for (int i = 0; i < count && !s->failed; i++) {
        uint64_t recorded = cn_walk_id(s, 0);
        shape = is_chain ? cn_chain_next_segment(p->world, (cn_chain){id}, shape)
                         : cn_body_next_shape(p->world, (cn_body){id}, shape);
        if (!shape.id) break;
        p->is_cut |= recorded != shape.id;
        if (!cn_map_handle(&p->memory, &p->handles, CN_HANDLE_SHAPE, recorded, shape.id))
            return false;
    }
    return true;
}

// Reads the handle that the call created when it was recorded, and maps it to the new one.
static void map_created(cn_replay *p, cn_handle_kind kind, uint64_t id) {
    cn_record record = cn_peek(p);
    if (record.kind != CN_RECORD_CREATED) return;
    p->at = record.next;
    cn_stream s = cn_side_stream(p, &record);
    uint64_t recorded = cn_walk_id(&s, 0);
    p->is_cut |= recorded != id;
    if (!id) return;
    bool done =
        cn_map_handle(&p->memory, &p->handles, kind, recorded, id) &&
        ((kind != CN_HANDLE_CHAIN && kind != CN_HANDLE_BODY) || map_shapes(p, &s, kind, id));
    p->failed |= !done || s.failed;
}

// Reads the error of a played call. The replay fails if memory is short, or if the call needs a
// part that is not built in. Any other error means that the call also failed when it was recorded.
// A call that creates an object may have lacked the part then, too. In this case no handle was
// recorded, and the replay goes on.
static void read_error(cn_replay *p, const cn_stream *s) {
    bool failed_before = s->creates && cn_peek(p).kind != CN_RECORD_CREATED;
    if (!failed_before && cn_missing_part()) p->lacks = cn_missing_part();
    p->failed |= s->failed || p->lacks || cn_error_code() == CN_ERROR_MEMORY;
    cn_error_clear();
}

// Makes the call of a record, and reads the records that belong to the call.
static void play_call(cn_replay *p, const cn_record *record) {
    cn_stream saved = p->stream; // in before_step: of the outer call
    p->stream.block_count = 0;
    cn_stream *s = open_record(p, record);
    int number = 0;
    cn_walk_int(s, "", &number);
    p->at = record->next;
    p->call++;
    if (s->failed || number < 0 || number >= cn_played_call_count) {
        p->failed = true;
    } else {
        cn_played_calls[number].play(s, p->world);
        cn_free_blocks(s);
        read_error(p, s);
        map_created(p, s->created_kind, s->created);
        if (s->restored && !cn_map_world(&p->memory, &p->handles, p->world)) p->failed = true;
    }
    p->stream = saved;
}

// Plays the calls of before_step.
static void play_before_step(cn_world *world, float time_step, void *user) {
    (void)time_step;
    cn_replay *p = user;
    cn_record record = cn_peek(p);
    if (record.kind != CN_RECORD_BEFORE_STEP) return;
    p->at = record.next;
    for (; (record = cn_peek(p)).kind != 0 && !p->failed;) {
        if (record.kind == CN_RECORD_CALL) {
            play_call(p, &record);
            continue;
        }
        if (record.kind == CN_RECORD_ANSWERS || record.kind == CN_RECORD_STEP ||
            record.kind == CN_RECORD_END)
            break;
        p->at = record.next;
        if (record.kind == CN_RECORD_PREPARED) break;
    }
    assert(world == p->world);
    (void)world;
}

// ---- comparison

// Compares the world with the data of a record. Only the first difference counts.
static void compare_with(cn_replay *p, const cn_record *record) {
    cn_stream s = cn_side_stream(p, record);
    cn_desync desync;
    if (p->failed || p->desync.found) return;
    p->failed = !cn_reserve_marks(&p->memory, &p->marks, p->world->sim.slots[CN_BODIES].end) ||
                !cn_compare(&s, p->world, &p->marks, &desync);
    if (p->failed || !desync.found) return;
    desync.call = p->outer, desync.step = p->step;
    if (desync.bodies) desync.body = cn_world_body_in_slot(p->world, desync.slot);
    p->desync = desync;
}

static void end_step(cn_world *world) {
    cn_replay *p = replay_of(world);
    cn_record record;
    size_t at = p->at;
    while ((record = cn_peek(p)).kind == CN_RECORD_ANSWERS) p->at = record.next;
    if (record.kind != CN_RECORD_STEP) {
        p->at = at;
        return;
    }
    p->at = record.next;
    compare_with(p, &record);
    p->step++;
}

static void ignore_created(cn_world *world, cn_slot_kind kind, uint64_t id) {
    (void)world, (void)kind, (void)id;
}

// ---- keyframes

static void release_keyframe(cn_replay *p, cn_keyframe *k) {
    if (k->state) cn_release(&p->memory, k->state, k->size);
    cn_free_handles(&p->memory, &k->handles);
    *k = (cn_keyframe){0};
}

static bool fill_keyframe(cn_replay *p, cn_keyframe *k) {
    *k = (cn_keyframe){.at = p->at, .call = p->call, .step = p->step};
    k->callbacks = p->world->callbacks, k->is_cut = p->is_cut;
    k->has_moves = p->world->moves != NULL, k->profiles = p->world->profile != NULL;
    k->size = cn_world_save(p->world, CN_SAVE_ALL, NULL, 0);
    if (k->size == 0 || !(k->state = cn_allocate_uncleared(&p->memory, k->size))) return false;
    if (cn_world_save(p->world, CN_SAVE_ALL, k->state, k->size) != k->size) return false;
    return cn_copy_handles(&p->memory, &k->handles, &p->handles);
}

static void thin_out(cn_replay *p) {
    int kept = 0;
    for (int i = 0; i < p->keyframe_count; i++) {
        if (i % 2 == 0)
            p->keyframes[kept++] = p->keyframes[i];
        else
            release_keyframe(p, &p->keyframes[i]);
    }
    p->keyframe_count = kept;
    p->distance *= 2;
}

// Keeps the present state. Returns false if memory is short.
static bool keep_state(cn_replay *p) {
    cn_keyframe *k = &p->keyframes[p->keyframe_count];
    if (fill_keyframe(p, k)) {
        p->keyframe_count++;
        return true;
    }
    release_keyframe(p, k);
    return false;
}

// Keeps the state after a call with steps, if the last keyframe is far enough behind. So a keyframe
// is at the first position after its step. If memory is short, there is no keyframe, and seeking
// takes longer.
static void add_keyframe(cn_replay *p) {
    if (p->step < p->keyframes[p->keyframe_count - 1].step + p->distance) return;
    if (p->keyframe_count == CN_MAX_KEYFRAMES) thin_out(p);
    if (!keep_state(p)) cn_error_clear();
}

// Restores the world of a keyframe with its callbacks. cn_world_set_callbacks() would have sensors
// measured anew.
static bool restore_world(cn_world *world, const cn_keyframe *k) {
    cn_callbacks before = cn_exchange_callbacks(world, k->callbacks);
    if (cn_world_restore(world, k->state, k->size)) return true;
    cn_exchange_callbacks(world, before);
    return false;
}

// Has the next step raise the move events that it raised at first. After a restore it would raise
// one for every body, as at the start of a replay.
static bool restore_moves(cn_world *world, const cn_keyframe *k) {
    if (!cn_world_set_move_events(world, k->has_moves)) return false;
    if (k->step == 0) {
        cn_restart_moves(world);
        return true;
    }
    CN_EACH(CN_BODIES, i, &world->sim) cn_start_body_moves(world, i);
    return true;
}

static bool go_to(cn_replay *p, const cn_keyframe *k) {
    if (!restore_world(p->world, k)) return false;
    p->failed = true; // until the rest has succeeded
    if (!restore_moves(p->world, k) || !cn_world_set_profiling(p->world, k->profiles) ||
        !cn_copy_handles(&p->memory, &p->handles, &k->handles))
        return false;
    p->at = k->at, p->call = k->call, p->step = k->step;
    p->is_cut = k->is_cut, p->failed = false, p->lacks = NULL;
    p->answers_from = p->answers_end = p->accepted_at = 0;
    return true;
}

// ---- create, destroy

static bool read_start(cn_replay *p, const cn_world_def *def) {
    p->at = CN_FILE_HEADER;
    cn_record record = cn_peek(p);
    cn_stream *s = open_record(p, &record);
    uint8_t flags = 0;
    size_t size = 0;
    cn_walk_byte(s, "", &flags);
    const void *state = cn_walk_bytes(s, "", NULL, &size);
    if (s->failed || !state) return cn_fail(CN_ERROR_DATA, "the recording has no state of a world");
    cn_callbacks callbacks = {.user = p};
    if (flags & CN_HAS_FILTER) callbacks.filter = cn_answer_filter;
    if (flags & CN_HAS_PRE_SOLVE) callbacks.pre_solve = cn_answer_pre_solve;
    if (flags & CN_HAS_BEFORE_STEP) callbacks.before_step = play_before_step;
    p->world = cn_world_load(def, &callbacks, state, size);
    if (!p->world) return false;
    p->world->recorder = &p->hooks;
    p->at = record.next;
    return cn_map_world(&p->memory, &p->handles, p->world);
}

static void destroy(cn_replay *p) {
    if (p->world) {
        p->world->recorder = NULL;
        cn_world_destroy(p->world);
    }
    cn_memory memory = p->memory; // the replay itself is one of the blocks
    cn_release_all(&memory);
}

static void initialize(cn_replay *p) {
    p->hooks = (cn_recorder){.created = ignore_created, .stepped = end_step};
    p->distance = FIRST_DISTANCE;
    p->stream.memory = &p->memory;
    p->stream.reads = true;
    p->stream.handles = &p->handles;
    p->stream.callbacks.filter = cn_answer_filter;
    p->stream.callbacks.pre_solve = cn_answer_pre_solve;
    p->stream.callbacks.before_step = play_before_step;
    p->stream.callbacks.accept = cn_answer_accept;
    p->stream.user = p;
}

cn_replay *cn_replay_create(const cn_world_def *def, const void *bytes, size_t size) {
    cn_recording_size found;
    if (!CN_CHECK(cn_require_pointer("definition", def) &&
                  cn_require_pointer("array of bytes", bytes) &&
                  cn_check_recording(bytes, size, &found)))
        return NULL;
    cn_memory memory = {.allocator = def->allocator};
    cn_replay *p = cn_allocate(&memory, sizeof *p);
    if (!CN_CHECK(p != NULL)) return NULL;
    p->memory = memory;
    p->bytes = bytes, p->found = found;
    initialize(p);
    if (CN_CHECK(read_start(p, def) && keep_state(p))) return p;
    destroy(p);
    return NULL;
}

void cn_replay_destroy(cn_replay *replay) {
    if (replay) destroy(replay);
}

static bool check_replay(const cn_replay *replay, const char *caller) {
    return cn_require_pointer("replay", replay) || cn_fail_call(caller);
}

// ---- playing

cn_world *cn_replay_world(cn_replay *replay) {
    return check_replay(replay, __func__) ? replay->world : NULL;
}

cn_replay_position cn_replay_at(const cn_replay *replay) {
    if (!check_replay(replay, __func__)) return (cn_replay_position){0};
    return (cn_replay_position){replay->call, replay->found.calls, replay->step,
                                replay->found.steps, replay->found.complete};
}

cn_desync cn_replay_desync(const cn_replay *replay) {
    return check_replay(replay, __func__) ? replay->desync : (cn_desync){0};
}

// Skips the records that belong to the last call and were not read.
static void skip_to_call(cn_replay *p) {
    bool is_nested = false;
    for (cn_record r; (r = cn_peek(p)).kind != 0; p->at = r.next) {
        if (r.kind == CN_RECORD_CALL && !is_nested) return;
        if (r.kind == CN_RECORD_BEFORE_STEP) is_nested = true;
        if (r.kind == CN_RECORD_PREPARED) is_nested = false;
        if (r.kind == CN_RECORD_END) compare_with(p, &r);
        p->call += r.kind == CN_RECORD_CALL;
        p->step += r.kind == CN_RECORD_STEP;
    }
}

static bool fail_playing(const cn_replay *p) {
    if (p->lacks) return cn_require_part(p->lacks);
    return cn_fail(CN_ERROR_DATA, "the recording is damaged in call %d, or memory is short",
                   p->outer);
}

// After a failure the replay makes no more calls, until it goes back.
static bool play_next(cn_replay *p) {
    if (p->failed) return fail_playing(p);
    skip_to_call(p);
    cn_record record = cn_peek(p);
    if (record.kind != CN_RECORD_CALL)
        return cn_fail(CN_ERROR_STATE, "the recording has no more calls: it has %d",
                       p->found.calls);
    int step = p->step;
    cn_error_clear();
    p->outer = p->call;
    play_call(p, &record);
    if (p->failed) return fail_playing(p);
    skip_to_call(p);
    if (p->step > step) add_keyframe(p);
    return true;
}

bool cn_replay_next(cn_replay *replay) {
    return check_replay(replay, __func__) && CN_CHECK(play_next(replay));
}

// The keyframe is before the step, so at least one step follows the restore. It makes what is not
// restored: its events, the plan and the profile.
static bool seek(cn_replay *p, int step) {
    int best = 0;
    for (int i = 0; i < p->keyframe_count; i++)
        if (p->keyframes[i].step < step) best = i;
    // If the replay has taken just this step, other calls may have followed it. A replay that
    // failed may have stopped within a call.
    bool is_behind = step <= p->step || p->failed;
    if ((is_behind || p->keyframes[best].step > p->step) && !go_to(p, &p->keyframes[best]))
        return false;
    while (p->step < step)
        if (!play_next(p)) return false;
    return true;
}

bool cn_replay_seek(cn_replay *replay, int step) {
    if (!check_replay(replay, __func__)) return false;
    return CN_CHECK(cn_require("step", (float)step, 0, (float)replay->found.steps) &&
                    seek(replay, step));
}

// ---- the remaining calls

// Writes a start record with the present state to the stream. Returns false if memory is short.
static bool write_state(cn_replay *p, cn_stream *s) {
    uint8_t flags = cn_callback_flags(&p->world->callbacks);
    size_t size = cn_world_save(p->world, CN_SAVE_ALL, NULL, 0);
    void *state = size ? cn_allocate_uncleared(&p->memory, size) : NULL;
    if (!state) return false;
    cn_world_save(p->world, CN_SAVE_ALL, state, size);
    cn_start_writing(s);
    cn_walk_byte(s, "", &flags);
    cn_walk_bytes(s, "", state, &size);
    cn_release(&p->memory, state, size);
    return !s->failed;
}

static size_t write_rest(cn_replay *p, unsigned char *bytes, size_t capacity) {
    cn_stream s = {.memory = &p->memory};
    size_t total = 0;
    if (write_state(p, &s)) {
        size_t size = (size_t)s.written.count - CN_HEADER_ROOM, rest = p->found.end - p->at;
        unsigned char *data = s.written.items + CN_HEADER_ROOM;
        unsigned char *header = cn_write_record_header(data, CN_RECORD_START, size);
        size += (size_t)(data - header);
        total = CN_FILE_HEADER + size + rest;
        if (total <= capacity) {
            cn_write_file_header(bytes);
            memcpy(bytes + CN_FILE_HEADER, header, size);
            memcpy(bytes + CN_FILE_HEADER + size, p->bytes + p->at, rest);
        }
    }
    cn_free_list(&p->memory, &s.written);
    return total;
}

size_t cn_replay_rest(cn_replay *replay, void *bytes, size_t capacity) {
    if (!check_replay(replay, __func__) ||
        !CN_CHECK(capacity == 0 || cn_require_pointer("array of bytes", bytes)))
        return 0;
    if (!CN_CHECK(!replay->is_cut ||
                  cn_fail(CN_ERROR_STATE, "calls that create objects were left out of the "
                                          "recording, so the replay has other handles")))
        return 0;
    size_t written = write_rest(replay, bytes, capacity);
    return CN_CHECK(written > 0) ? written : 0;
}

// Appends the call of a record to the text.
static void write_call(cn_replay *p, const cn_record *record) {
    cn_stream *s = open_record(p, record);
    int number = 0;
    cn_walk_int(s, "", &number);
    if (s->failed || number < 0 || number >= cn_played_call_count) return;
    s->text = p->text, s->depth = 0;
    s->handles = NULL;
    cn_add_text(s, "%s%s(", s->text_length ? "\n    " : "", cn_played_calls[number].name);
    cn_played_calls[number].play(s, p->world);
    cn_add_text(s, ")");
    cn_free_blocks(s);
    s->text = NULL, s->handles = &p->handles;
}

const char *cn_replay_text(cn_replay *replay) {
    if (!check_replay(replay, __func__)) return "";
    cn_replay *p = replay;
    p->text[0] = 0;
    p->stream.text_length = 0;
    bool is_nested = false;
    cn_record r;
    for (size_t at = p->at; cn_read_record(p->bytes, p->found.end, at, &r) && r.kind; at = r.next) {
        if (r.kind == CN_RECORD_CALL && at > p->at && !is_nested) break;
        if (r.kind == CN_RECORD_CALL) write_call(p, &r);
        if (r.kind == CN_RECORD_BEFORE_STEP) is_nested = true;
        if (r.kind == CN_RECORD_PREPARED) is_nested = false;
    }
    return p->text;
}
