/* Growth: whole states of worlds: saves, rollbacks, recordings, hashes, drawings, events. */
#include "cost.h"

#include <stdlib.h>
#include <string.h>

// ---- worlds

static void build_stacks(trial *t) {
    start_world(t, 10);
    add_ground(t);
    add_stacks(t, t->n, (cn_body_def){.no_sleep = true});
    take_steps(t, 4);
}

static void build_sleepers(trial *t) {
    start_world(t, 10);
    add_ground(t);
    add_stacks(t, t->n, (cn_body_def){.asleep = true});
    add_one(t, (cn_body_def){.position = {{-500, 0.5f}}, .no_sleep = true},
            (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
    take_steps(t, 4);
    must_sleep(t, 1);
}

static void save(trial *t) {
    size_t size = cn_world_save(t->world, CN_SAVE_ALL, NULL, 0);
    t->bytes = malloc(size);
    t->size = size;
    must(t->bytes && cn_world_save(t->world, CN_SAVE_ALL, t->bytes, size) == size);
}

static void build_saved(trial *t) {
    build_stacks(t);
    save(t);
    four_steps(t);
}

static void build_pair(trial *t) {
    build_stacks(t);
    save(t);
    t->other = cn_world_load(&(cn_world_def){0}, NULL, t->bytes, t->size);
    must(t->other != NULL);
}

static void keep_states(trial *t, int count) {
    t->rollback = cn_rollback_create(t->world, 4);
    must(t->rollback != NULL);
    for (int i = 0; i < count; i++) {
        must(cn_rollback_keep(t->rollback, i));
        take_steps(t, 1);
    }
}

static void build_kept(trial *t) {
    build_stacks(t);
    keep_states(t, 4);
}

static void build_kept_sleepers(trial *t) {
    build_sleepers(t);
    keep_states(t, 4);
}

// ---- recordings

static bool append_bytes(const void *bytes, size_t size, void *user) {
    trial *t = user;
    if (t->size + size > t->capacity) {
        t->capacity = 2 * (t->size + size);
        void *grown = realloc(t->bytes, t->capacity);
        if (!grown) return false;
        t->bytes = grown;
    }
    memcpy((char *)t->bytes + t->size, bytes, size);
    t->size += size;
    return true;
}

static void begin_recording(trial *t) {
    must(cn_recording_begin(t->world, (cn_recording_sink){append_bytes, t}));
}

static void build_recorded(trial *t) {
    build_stacks(t);
    begin_recording(t);
    take_steps(t, 2);
}

static void build_recorded_sleepers(trial *t) {
    build_sleepers(t);
    begin_recording(t);
    take_steps(t, 2);
}

static void build_empty_recorded(trial *t) {
    start_world(t, 0);
    begin_recording(t);
}

static void create_recorded(trial *t, int i) {
    add_one(t, (cn_body_def){.position = place_of(i, 2), .asleep = true},
            (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
}

// A recording of n calls and n steps of one body.
static void build_long_recording(trial *t) {
    start_world(t, 0);
    cn_body body = add_one(t, (cn_body_def){0}, (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
    begin_recording(t);
    for (int i = 0; i < t->n; i++) {
        must(cn_body_apply_impulse(t->world, body, (vec2s){{0, 0.01f}}));
        take_steps(t, 1);
    }
    must(cn_recording_end(t->world));
}

static void create_replay(trial *t) {
    t->replay = cn_replay_create(&(cn_world_def){0}, t->bytes, t->size);
    must(t->replay != NULL);
}

static void build_replay(trial *t) {
    build_long_recording(t);
    create_replay(t);
}

static void replay_all(trial *t) {
    while (cn_replay_at(t->replay).call < cn_replay_at(t->replay).calls)
        must(cn_replay_text(t->replay)[0] && cn_replay_next(t->replay));
    must(!cn_replay_desync(t->replay).found);
}

// Seeks forward to the end, and then back and forth.
static void seek_replay(trial *t) {
    for (int i = 0; i < 4; i++) {
        must(cn_replay_seek(t->replay, t->n));
        must(cn_replay_seek(t->replay, t->n / 2 - i));
    }
}

static void cut_recording(trial *t) {
    int calls = cn_replay_at(t->replay).calls;
    uint8_t *kept = malloc((size_t)calls);
    char *cut = malloc(t->size);
    must(kept && cut);
    for (int i = 0; i < calls; i++) kept[i] = i % 4 > 1;
    must(cn_recording_cut(t->bytes, t->size, kept, calls, cut, t->size) != 0);
    free(kept);
    free(cut);
}

// ---- work

static void restore(trial *t) { must(cn_world_restore(t->world, t->bytes, t->size)); }

static void load(trial *t) {
    t->other = cn_world_load(&(cn_world_def){0}, NULL, t->bytes, t->size);
    must(t->other != NULL);
}

static void hash(trial *t) { must(cn_world_hash(t->world) != 0); }

static void compare(trial *t) { must(cn_world_compare(t->world, t->other).part == CN_PART_NONE); }

static void keep(trial *t) { must(cn_rollback_keep(t->rollback, 4)); }

static void rewind_and_step(trial *t) {
    must(cn_rollback_rewind(t->rollback, 1));
    take_steps(t, 1);
}

// Keeps n states, and goes back through all of them.
static void scrub(trial *t) {
    for (int i = 0; i < t->n; i++) {
        must(cn_rollback_keep(t->rollback, i));
        take_steps(t, 1);
    }
    for (int i = t->n - 1; i >= 0; i--) must(cn_rollback_rewind(t->rollback, i));
}

static void build_few(trial *t) {
    start_world(t, 10);
    add_ground(t);
    add_stacks(t, 10, (cn_body_def){.no_sleep = true});
    t->rollback = cn_rollback_create(t->world, t->n);
    must(t->rollback != NULL);
}

static void draw(trial *t) {
    cn_drawing drawing;
    must(cn_world_draw(t->world, CN_DRAW_ALL, &drawing));
}

static void draw_one_by_one(trial *t) {
    for (uint32_t flag = 1; flag < CN_DRAW_ALL; flag *= 2) {
        cn_drawing drawing;
        must(cn_world_draw(t->world, flag, &drawing));
    }
}

static void read_all(trial *t) {
    must(cn_world_body_states(t->world, NULL, 0, true) > t->n);
    must(cn_world_contacts(t->world, NULL, 0) >= t->n);
    must(cn_world_poses(t->world, NULL, 0, true) > t->n);
    must(cn_world_energy(t->world).potential != 0);
    must(cn_world_counters(t->world).bodies > t->n);
}

// ---- events

static void build_events(trial *t) {
    start_world(t, 10);
    add_ground(t);
    must(cn_world_set_move_events(t->world, true));
    for (int i = 0; i < t->n; i++)
        add_one(t, (cn_body_def){.position = {{(float)i, 0.26f}}},
                (cn_shape_def){.hull = cn_circle(0.25f)});
}

static void read_events(trial *t) {
    take_steps(t, 1);
    cn_events events = cn_world_events(t->world);
    must(events.begin_count == t->n && events.moved_count == t->n);
}

// The events of a call of cn_world_advance() are those of all its steps.
static void build_advanced(trial *t) {
    build_events(t);
    t->advances = true;
}

static void read_events_of_steps(trial *t) {
    must(cn_world_advance(t->world, 6 * COST_STEP) > 4);
    must(cn_world_events(t->world).moved_count == t->n);
}

// ---- many worlds

static void build_worlds(trial *t) {
    t->worlds = calloc((size_t)t->n, sizeof(cn_world *));
    must(t->worlds != NULL);
    for (int i = 0; i < t->n; i++) {
        start_world(t, 10);
        add_ground(t);
        t->body_count = t->shape_count = 0;
        add_stacks(t, 5, (cn_body_def){.no_sleep = true});
        t->worlds[i] = t->world;
    }
    t->world = NULL;
}

static void step_worlds(trial *t) {
    must(cn_worlds_step(t->worlds, t->n, COST_STEP, NULL) == t->n);
}

const cost_case state_cases[] = {
    {"save", 500, build_stacks, .work = save},
    {"save-sleepers", 500, build_sleepers, .work = save},
    {"restore", 500, build_saved, .work = restore},
    {"load", 500, build_saved, .work = load},
    {"hash", 500, build_stacks, .work = hash},
    {"compare", 500, build_pair, .work = compare},
    {"rollback-keep", 500, build_kept, .work = keep},
    {"rollback-keep-sleepers", 500, build_kept_sleepers, .work = keep},
    {"rollback-rewind", 500, build_kept, .work = rewind_and_step},
    {"rollback-rewind-sleepers", 500, build_kept_sleepers, .work = rewind_and_step},
    {"rollback-scrub", 100, build_few, .work = scrub},
    {"record-steps", 500, build_recorded, .work = four_steps},
    {"record-sleepers", 500, build_recorded_sleepers, .work = four_steps},
    {"record-creations", 1000, build_empty_recorded, .act = create_recorded},
    {"create-replay", 300, build_long_recording, .work = create_replay},
    {"replay", 300, build_replay, .work = replay_all},
    {"replay-seek", 200, build_replay, .work = seek_replay},
    {"recording-cut", 300, build_replay, .work = cut_recording},
    {"draw", 1500, build_stacks, .work = draw},
    {"draw-one-by-one", 250, build_stacks, .work = draw_one_by_one},
    {"read-all", 500, build_stacks, .work = read_all},
    {"events", 500, build_events, .work = read_events},
    {"events-of-steps", 250, build_advanced, .work = read_events_of_steps},
    {"worlds", 50, build_worlds, .work = step_worlds},
    {0},
};
