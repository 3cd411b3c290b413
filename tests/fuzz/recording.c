/* Fuzz target: the bytes of a recording with changes and with correct checksums.
 *
 * cn_replay_create() gives an error, or a replay that can play, seek, cut the recording and write
 * the remaining calls. A replay with other lanes gives the same results. The memory of a replay is
 * at most a constant times the size of the bytes.
 *
 * The first bytes of the input choose the recording. The others change the data or the kinds of
 * records, exchange records, or cut off the end. The saved world at the start is rarely changed,
 * because that is tested by snapshot.c. */
#include "../../engine/parts/recording/recording.h"
#include "answers.h"

enum { MOST_RECORDS = 400, MOST_CHANGES = 8, STEPS = 40 };
// Limits of the memory of a replay: a constant, and bytes for each byte of the recording.
enum { BYTES_ANYWAY = 1 << 21, BYTES_PER_BYTE = 512 };

static void call_within(fuzz *f, cn_world *world, uint64_t key, callback_kind kind) {
    (void)f;
    if (kind == IN_FILTER) return;
    cn_body body = cn_world_body_in_slot(world, (int)(key % 8));
    if (key % 5 == 0) cn_body_create(world, &(cn_body_def){.position = {{0, (float)(key % 9)}}});
    if (key % 3 == 0) cn_body_apply_force(world, body, (vec2s){{9, 3}});
    if (key % 7 == 0) cn_body_set_pose(world, body, cn_pose_at((vec2s){{1, 4}}, 1));
}

// ---- a recording with some of everything

static void add_ground(cn_world *w) {
    cn_body ground = cn_body_create(w, &(cn_body_def){.type = CN_STATIC});
    vec2s points[] = {{{9, 0}}, {{6, 1}}, {{3, 0}}, {{0, 1}}, {{-3, 0}}};
    cn_chain_create(w, ground, &(cn_chain_def){.points = points, .count = 5, .pre_solve = true});
    uint8_t solid[6] = {1, 1, 1, 0, 1, 1};
    cn_grid_def tiles = {.solid = solid, .width = 3, .height = 2, .tile_size = 1};
    tiles.origin = (vec2s){{-6, 0}}, tiles.custom_filter = true;
    cn_grid t = cn_grid_create(w, ground, &tiles);
    cn_grid_set_solid(w, t, 0, 1, true);
}

static void add_bodies(cn_world *w, int count) {
    cn_body last = {0};
    for (int i = 0; i < count; i++) {
        vec2s p = {{(float)i - 5, 2 + (float)(i % 3)}};
        cn_body body = cn_body_create(w, &(cn_body_def){.position = p, .user_data = 7});
        cn_hull hull = i % 2 ? cn_circle(0.5f) : cn_regular_polygon(5, 0.6f);
        cn_shape shape = cn_shape_create(
            w, body,
            &(cn_shape_def){.hull = hull, .custom_filter = i % 2, .pre_solve = i % 3 == 0});
        if (i % 3 == 1) cn_shape_set_material(w, shape, (cn_material){.friction = 0.1f});
        cn_joint_def joint = cn_revolute_joint(w, last, body, p);
        if (i % 4 == 1) cn_joint_create(w, joint);
        last = body;
    }
}

static void call_some(fuzz *f, cn_world *w, int kind, int step) {
    cn_body body = cn_world_body_in_slot(w, 1 + step % 8);
    cn_explosion explosion = {.radius = 9, .impulse_per_length = 1};
    explosion.query.accept = answer_cn_query_accept, explosion.query.user = f;
    switch (kind >> step % 5 & 1 ? step % 8 : -1) {
    case 0: cn_world_explode(w, &explosion); break;
    case 1: cn_body_destroy(w, body); break;
    case 2: cn_body_apply_impulse(w, body, (vec2s){{3, 9}}); break;
    case 3: cn_world_shift_origin(w, (vec2s){{1, 0}}); break;
    case 4: add_bodies(w, 1); break;
    case 5: cn_body_set_type(w, body, CN_KINEMATIC); break;
    case 6: cn_world_set_substeps(w, 1 + step % 4); break;
    default: break;
    }
}

// Restores an earlier state, without and with its scenery.
static void restore(fuzz *f, cn_world *w, cn_save_parts parts) {
    size_t size = cn_world_save(w, parts, NULL, 0);
    unsigned char *saved = new_block(f, (int64_t)size, 1);
    cn_world_save(w, parts, saved, size);
    cn_world_advance(w, 0.05f);
    CLAIM(cn_world_restore(w, saved, size), "%s", cn_error());
}

static saved_bytes record(fuzz *f, int kind, int callbacks) {
    saved_bytes tape = {0};
    cn_world *w = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
    cn_callbacks c = {.user = f};
    if (callbacks & 1) c.filter = answer_cn_callbacks_filter;
    if (callbacks & 2) c.pre_solve = answer_cn_callbacks_pre_solve;
    if (callbacks & 4) c.before_step = answer_cn_callbacks_before_step;
    if (kind & 1) add_ground(w);
    if (kind & 2) cn_world_set_callbacks(w, c);
    cn_recording_begin(w, (cn_recording_sink){add_to_tape, &tape});
    if (!(kind & 1)) add_ground(w);
    add_bodies(w, kind >> 2 & 7);
    if (!(kind & 2)) cn_world_set_callbacks(w, c);
    for (int i = 0; i < STEPS; i++) {
        call_some(f, w, kind, i);
        cn_world_advance(w, callbacks & 8 ? 0.03f : 1.0f / 60);
        if (i == STEPS / 2) restore(f, w, callbacks & 16 ? CN_SAVE_MOVING : CN_SAVE_ALL);
    }
    CLAIM(cn_recording_end(w), "%s", cn_error());
    cn_world_destroy(w);
    return tape;
}

// ---- changed records

typedef struct {
    unsigned char *bytes; // with CN_HEADER_ROOM bytes in front
    cn_record_kind kind;
    size_t size;
} record_data;

static int list_records(fuzz *f, const saved_bytes *tape, record_data *list) {
    int count = 0;
    cn_record r;
    for (size_t at = CN_FILE_HEADER; count < MOST_RECORDS; at = r.next) {
        CLAIM(cn_read_record(tape->bytes, tape->size, at, &r), "%s", cn_error());
        if (r.kind == 0) break;
        unsigned char *copy = new_block(f, (int64_t)(r.size + CN_HEADER_ROOM + 8), 1);
        memcpy(copy + CN_HEADER_ROOM, tape->bytes + r.data, r.size);
        list[count++] = (record_data){copy, r.kind, r.size};
    }
    return count;
}

static void change_data(fuzz *f, record_data *r) {
    static const uint32_t odd[] = {0,          1,          0xffffffff, 0x7fffffff, 0x80000000, 0x80,
                                   0x7fc00000, 0x7f800000, 0x00ffffff, 0xff800000, 7,          16};
    int kind = draw_byte(f);
    size_t at = draw_word(f) % (r->size + 1);
    unsigned char *data = r->bytes + CN_HEADER_ROOM;
    if (r->kind == CN_RECORD_START && kind % 16) return;
    if (kind % 4 == 0) {
        uint32_t word = kind & 16 ? draw_word(f) : odd[draw_below(f, 12)];
        for (size_t i = at; i < at + 4 && i < r->size; i++, word >>= 8)
            data[i] = (unsigned char)word;
    } else if (kind % 4 == 1 && at < r->size) {
        data[at] = (unsigned char)(data[at] ^ 1 << draw_below(f, 8));
    } else if (kind % 4 == 2) {
        r->size = at; // cut off
    } else if (at < r->size) {
        data[at] = (unsigned char)draw_byte(f);
    }
}

// Returns the number of records after the changes.
static int change_records(fuzz *f, record_data *list, int count) {
    int changes = 1 + draw_below(f, MOST_CHANGES);
    for (int i = 0; f->at < f->size && i < changes; i++) {
        int kind = draw_byte(f);
        record_data *chosen = &list[draw_word(f) % (uint32_t)count];
        record_data *other = &list[draw_word(f) % (uint32_t)count];
        bool is_start = chosen == list || other == list; // mostly stays in its place
        if (kind % 8 < 5 || (is_start && kind < 240)) {
            change_data(f, chosen);
        } else if (kind % 8 == 5) {
            record_data moved = *chosen;
            *chosen = *other, *other = moved;
        } else if (kind % 8 == 6) {
            chosen->kind = (cn_record_kind)(1 + draw_below(f, CN_RECORD_KINDS - 1));
        } else {
            count = (int)(chosen - list) + 1;
        }
    }
    return count;
}

// Joins the records to a recording, in a block of exactly the size of the recording.
static saved_bytes join(fuzz *f, const record_data *list, int count) {
    saved_bytes all = {malloc(CN_FILE_HEADER), CN_FILE_HEADER};
    cn_write_file_header(all.bytes);
    for (int i = 0; i < count; i++) {
        unsigned char *data = list[i].bytes + CN_HEADER_ROOM;
        unsigned char *header = cn_write_record_header(data, list[i].kind, list[i].size);
        add_to_tape(header, list[i].size + (size_t)(data - header), &all);
    }
    saved_bytes exact = {new_block(f, (int64_t)all.size, 1), all.size};
    memcpy(exact.bytes, all.bytes, all.size);
    free(all.bytes);
    return exact;
}

// ---- replays of any bytes

static cn_replay *open_replay(fuzz *f, const saved_bytes *s, int lanes) {
    cn_world_def def = {.lanes = lanes, .allocator = allocator_of(f->memory)};
    cn_error_clear();
    cn_replay *replay = cn_replay_create(&def, s->bytes, s->size);
    call_count++;
    if (!replay) CLAIM(cn_error_code() != CN_ERROR_NONE, "no replay and no error");
    return replay;
}

static void check_position(const cn_replay *replay) {
    cn_replay_position at = cn_replay_at(replay);
    CLAIM(at.call >= 0 && at.call <= at.calls, "call %d of %d", at.call, at.calls);
    CLAIM(at.step >= 0 && at.step <= at.steps, "step %d of %d", at.step, at.steps);
}

// Plays to the end or to the first error, in two replays. Returns false after an error.
static bool play_both(cn_replay *replay, cn_replay *twin) {
    for (int last = -1;;) {
        cn_replay_position at = cn_replay_at(replay);
        CLAIM(at.call > last, "call %d again", at.call);
        last = at.call;
        check_position(replay);
        if (at.call == at.calls) return true;
        CLAIM(strlen(cn_replay_text(replay)) < CN_MAX_TEXT, "a long text");
        bool is_done = cn_replay_next(replay);
        CLAIM(cn_replay_next(twin) == is_done, "only one fails");
        CLAIM(cn_world_hash(cn_replay_world(replay)) == cn_world_hash(cn_replay_world(twin)),
              "call %d differs with other lanes", at.call);
        call_count += 2;
        if (!is_done) return false;
    }
}

static void seek_some(fuzz *f, cn_replay *replay) {
    int steps = cn_replay_at(replay).steps;
    for (int i = 0; i < 4; i++) {
        int step = draw_below(f, steps < 255 ? steps + 1 : 255);
        bool is_done = cn_replay_seek(replay, step);
        check_position(replay);
        if (is_done) CLAIM(cn_replay_at(replay).step >= step, "before step %d", step);
    }
    call_count += 4;
}

// The rest begins where the replay is.
static void play_rest(fuzz *f, cn_replay *replay) {
    saved_bytes rest = {.size = cn_replay_rest(replay, NULL, 0)};
    if (rest.size == 0) return;
    rest.bytes = new_block(f, (int64_t)rest.size, 1);
    CLAIM(cn_replay_rest(replay, rest.bytes, rest.size) == rest.size, "another size");
    cn_replay *next = open_replay(f, &rest, 0);
    CLAIM(next, "%s", cn_error());
    CLAIM(cn_world_hash(cn_replay_world(next)) == cn_world_hash(cn_replay_world(replay)),
          "the rest begins with another state");
    while (cn_replay_at(next).call < cn_replay_at(next).calls && cn_replay_next(next)) {}
    cn_replay_destroy(next);
}

static void play_cut(fuzz *f, const saved_bytes *s, int calls) {
    uint8_t *kept = new_block(f, calls, 1);
    for (int i = 0; i < calls; i++) kept[i] = scramble(f->seed + (uint64_t)i) % 8 > 0;
    saved_bytes cut = {.size = cn_recording_cut(s->bytes, s->size, kept, calls, NULL, 0)};
    CLAIM(cut.size > 0 && cut.size <= s->size, "%zu of %zu bytes", cut.size, s->size);
    cut.bytes = new_block(f, (int64_t)cut.size, 1);
    size_t written = cn_recording_cut(s->bytes, s->size, kept, calls, cut.bytes, cut.size);
    CLAIM(written == cut.size, "%zu is another size than %zu", written, cut.size);
    cn_replay *replay = open_replay(f, &cut, 0);
    CLAIM(replay, "%s", cn_error());
    while (cn_replay_at(replay).call < cn_replay_at(replay).calls && cn_replay_next(replay)) {}
    cn_replay_destroy(replay);
}

static void play(fuzz *f, const saved_bytes *s, bool is_changed) {
    size_t before = f->memory->bytes;
    f->memory->peak = before;
    cn_replay *replay = open_replay(f, s, 0);
    if (!replay) return;
    cn_replay *twin = open_replay(f, s, 1);
    CLAIM(twin, "%s", cn_error());
    bool is_done = play_both(replay, twin);
    size_t most = 2 * (BYTES_ANYWAY + BYTES_PER_BYTE * s->size), peak = f->memory->peak - before;
    CLAIM(peak <= most, "%zu bytes for %zu", peak, s->size);
    if (!is_changed) CLAIM(is_done && !cn_replay_desync(replay).found, "it is not the same");
    cn_replay_destroy(twin);
    seek_some(f, replay);
    play_rest(f, replay);
    play_cut(f, s, cn_replay_at(replay).calls);
    cn_replay_destroy(replay);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static record_data list[MOST_RECORDS];
    fuzz_memory memory = {.largest = (size_t)1 << 28};
    block_list blocks = {.count = 0};
    fuzz f = {.bytes = bytes, .size = size, .memory = &memory, .blocks = &blocks};
    count_calls();
    int kind = draw_byte(&f), callbacks = draw_byte(&f);
    f.seed = scramble((uint64_t)draw_byte(&f));
    saved_bytes tape = record(&f, kind, callbacks);
    bool is_changed = f.at < f.size;
    int count = list_records(&f, &tape, list);
    count = is_changed ? change_records(&f, list, count) : count;
    saved_bytes changed = join(&f, list, count);
    play(&f, is_changed ? &changed : &tape, is_changed);
    free(tape.bytes);
    free_blocks(&blocks);
    CLAIM(memory.blocks == 0, "%zu blocks leak", memory.blocks);
    return 0;
}
