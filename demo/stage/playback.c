/* Plays a recording as a scene. */
#include "playback.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    scene scene;
    unsigned char *bytes;
    size_t size;
    char path[200]; // the caption of the scene
} loaded_file;

static loaded_file files[2]; // the last two: the older one may still be on the screen
static int next_file;

// ---- reading

static bool report_error(const char *path, const char *why) {
    fprintf(stderr, "cairn-demo: %s: %s\n", path, why);
    return false;
}

static bool read_file(loaded_file *loaded, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0 || ftell(file) < 0) {
        if (file) fclose(file);
        return report_error(path, "cannot read this file");
    }
    loaded->size = (size_t)ftell(file);
    loaded->bytes = malloc(loaded->size + 1);
    rewind(file);
    bool done = loaded->bytes && fread(loaded->bytes, 1, loaded->size, file) == loaded->size;
    fclose(file);
    return done || report_error(path, "cannot read this file");
}

// Shows all bodies that can move; or all bodies, if none can.
static scene_view view_of(const cn_world *world, bool shows_static, bool *found) {
    cn_bounds all = {{{INFINITY, INFINITY}}, {{-INFINITY, -INFINITY}}};
    for (cn_body b = {0}; (b = cn_world_next_body(world, b)).id;) {
        if (cn_body_type(world, b) == CN_STATIC && !shows_static) continue;
        vec2s p = cn_body_position(world, b);
        all = cn_bounds_union(all, (cn_bounds){p, p});
        *found = true;
    }
    if (!*found) return (scene_view){0, 5, 20};
    vec2s size = glms_vec2_sub(all.upper, all.lower);
    return (scene_view){(all.lower.x + all.upper.x) / 2, (all.lower.y + all.upper.y) / 2,
                        1.2f * fmaxf(size.y, size.x / 1.2f) + 4};
}

// Goes to the first moment with the most bodies, within some steps: many recordings begin with an
// empty world.
static void find_most_bodies(cn_replay *replay) {
    enum { STEPS = 300 };
    int steps = cn_replay_at(replay).steps, most = 0, best = 0;
    for (int step = 0; step <= steps && step <= STEPS && cn_replay_seek(replay, step); step++) {
        int bodies = cn_world_counters(cn_replay_world(replay)).bodies;
        if (bodies > most) most = bodies, best = step;
    }
    cn_replay_seek(replay, best);
}

const scene *playback_load(const char *path) {
    loaded_file *loaded = &files[next_file];
    free(loaded->bytes);
    *loaded = (loaded_file){0};
    if (!read_file(loaded, path)) return NULL;
    cn_replay *replay = cn_replay_create(&(cn_world_def){0}, loaded->bytes, loaded->size);
    if (!replay) {
        report_error(path, cn_error());
        return NULL;
    }
    find_most_bodies(replay);
    const cn_world *world = cn_replay_world(replay);
    bool found = false;
    scene_view view = view_of(world, false, &found);
    if (!found) view = view_of(world, true, &found);
    snprintf(loaded->path, sizeof loaded->path, "%s", path);
    loaded->scene = (scene){.name = "recording",
                            .title = "Recording",
                            .caption = loaded->path,
                            .view = view,
                            .steps = cn_replay_at(replay).steps};
    cn_replay_destroy(replay);
    next_file = !next_file;
    return &loaded->scene;
}

// ---- playing

static const loaded_file *file_of(const scene *chosen) {
    for (int i = 0; i < 2; i++)
        if (chosen == &files[i].scene) return &files[i];
    return NULL;
}

bool playback_is(const scene *chosen) { return file_of(chosen) != NULL; }

cn_replay *playback_start(const scene *chosen, const cn_world_def *options) {
    const loaded_file *file = file_of(chosen);
    return file ? cn_replay_create(options, file->bytes, file->size) : NULL;
}

playback_result playback_step(cn_replay *replay, char *error, size_t error_size) {
    int step = cn_replay_at(replay).step;
    for (cn_replay_position at; at = cn_replay_at(replay), at.step == step;) {
        if (at.call == at.calls) return PLAYBACK_ENDED;
        if (cn_replay_next(replay)) continue;
        snprintf(error, error_size, "%s", cn_error());
        return PLAYBACK_FAILED;
    }
    cn_desync desync = cn_replay_desync(replay);
    if (!desync.found) return PLAYBACK_STEPPED;
    snprintf(error, error_size, "step %d differs from the recorded one: %d bodies, first slot %d",
             desync.step, desync.bodies, desync.slot);
    return PLAYBACK_FAILED;
}

bool playback_has_ended(const cn_replay *replay) {
    if (!replay) return false;
    cn_replay_position at = cn_replay_at(replay);
    return at.step == at.steps;
}

// ---- recording

static bool write_bytes(const void *bytes, size_t size, void *file) {
    return fwrite(bytes, 1, size, file) == size;
}

FILE *playback_record(cn_world *world, const char *path) {
    FILE *file = fopen(path, "wb");
    if (!file) {
        report_error(path, "cannot write this file");
        return NULL;
    }
    setvbuf(file, NULL, _IONBF, 0); // so that a crash loses nothing
    if (cn_recording_begin(world, (cn_recording_sink){write_bytes, file})) return file;
    report_error(path, cn_error());
    fclose(file);
    return NULL;
}
