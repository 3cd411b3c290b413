/* cairn-replay: plays a recording, and prints where it differs from the recorded world.
 *
 * The exit status is 0 if all steps are the same, 1 if one differs, and 2 if the recording cannot
 * be played. If the engine crashes, so does the program. --shrink runs a command, by default this
 * program, with shorter and shorter recordings. It keeps those for which the exit status stays the
 * same. */
#include "shrink.h"

#include <cairn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *file, *shrunk, *command;
    int lanes, threads, twin; // twin: lanes of the second replay
    bool prints, quiet, has_twin;
} options;

static const char usage[] =
    "usage: cairn-replay [options] FILE\n"
    "\n"
    "Plays a recording of Cairn. Prints the first step that differs from the recorded world.\n"
    "\n"
    "    -v               prints each call\n"
    "    -q               prints only errors\n"
    "    --lanes N        number of SIMD lanes: 1, 4, 8 or 16\n"
    "    --threads N      number of threads: 1 to 64\n"
    "    --twin N         plays the recording also with N lanes, and compares the two replays\n"
    "    --shrink OUT     leaves out as many calls as possible while the recording fails in the\n"
    "                     same way, and writes the shorter recording to OUT\n"
    "    --command TEXT   with --shrink: tests a recording with this command, followed by the\n"
    "                     name of the file. The default is cairn-replay with the other options.\n"
    "\n"
    "Exit status: 0 if all steps are the same, 1 if one differs, 2 after an error.\n";

// ---- files

static unsigned char *read_file(const char *name, size_t *size) {
    FILE *file = fopen(name, "rb");
    unsigned char *bytes = NULL;
    size_t capacity = 0, count = 1;
    for (*size = 0; file && count > 0; *size += count) {
        if (*size == capacity) {
            capacity = capacity ? 2 * capacity : 65536;
            unsigned char *more = realloc(bytes, capacity);
            if (!more) break;
            bytes = more;
        }
        count = fread(bytes + *size, 1, capacity - *size, file);
    }
    if (!file) fprintf(stderr, "cairn-replay: cannot read %s\n", name);
    if (file) fclose(file);
    return bytes;
}

static bool write_file(const char *name, const void *bytes, size_t size) {
    FILE *file = fopen(name, "wb");
    bool done = file && fwrite(bytes, 1, size, file) == size;
    if (file && fclose(file) != 0) done = false;
    if (!done) fprintf(stderr, "cairn-replay: cannot write %s\n", name);
    return done;
}

// ---- playing

static cn_replay *open_replay(const options *o, int lanes, const void *bytes, size_t size) {
    cn_world_def def = {.lanes = lanes, .threads = o->threads};
    cn_replay *replay = cn_replay_create(&def, bytes, size);
    if (!replay) fprintf(stderr, "cairn-replay: %s\n", cn_error());
    return replay;
}

static bool play_call(cn_replay *replay) {
    if (cn_replay_next(replay)) return true;
    fprintf(stderr, "cairn-replay: %s\n", cn_error());
    return false;
}

static void print_desync(const cn_desync *d) {
    printf("step %d (call %d) differs: hash %016llx", d->step, d->call,
           (unsigned long long)d->replayed);
    if (d->recorded) printf(", recorded %016llx", (unsigned long long)d->recorded);
    puts("");
    if (d->bodies)
        printf("%d bodies differ; the first is the body in slot %d\n", d->bodies, d->slot);
    else
        puts("the bodies and their shapes are the same");
}

// Returns the exit status.
static int play(const options *o, cn_replay *replay, cn_replay *twin) {
    for (cn_replay_position at; at = cn_replay_at(replay), at.call < at.calls;) {
        if (o->prints) {
            printf("call %d, step %d: %s\n", at.call, at.step, cn_replay_text(replay));
            fflush(stdout); // the call may crash
        }
        if (!play_call(replay) || (twin && !play_call(twin))) return 2;
        cn_desync desync = cn_replay_desync(replay);
        if (desync.found) {
            if (!o->quiet) print_desync(&desync);
            return 1;
        }
        if (!twin || cn_world_hash(cn_replay_world(replay)) == cn_world_hash(cn_replay_world(twin)))
            continue;
        if (!o->quiet)
            printf("call %d: the replays with %d and %d lanes differ\n", at.call, o->lanes,
                   o->twin);
        return 1;
    }
    cn_replay_position end = cn_replay_at(replay);
    if (o->quiet) return 0;
    printf("%d calls and %d steps are the same%s\n", end.calls, end.steps,
           end.complete ? "" : "; the recording was not ended: the program may have crashed");
    return 0;
}

static int run(const options *o, const void *bytes, size_t size) {
    cn_replay *replay = open_replay(o, o->lanes, bytes, size);
    cn_replay *twin = replay && o->has_twin ? open_replay(o, o->twin, bytes, size) : NULL;
    int status = replay && (twin || !o->has_twin) ? play(o, replay, twin) : 2;
    cn_replay_destroy(replay);
    cn_replay_destroy(twin);
    return status;
}

// ---- shrinking

typedef struct {
    char trial[1000], command[4000]; // the file of a trial, and the command for it
    int status;
} search;

static bool fails_alike(const void *bytes, size_t size, void *user) {
    search *s = user;
    return write_file(s->trial, bytes, size) && system(s->command) == s->status;
}

// Finds the call after which the replay differs from the recorded world. Returns a recording that
// begins after the step before this call. Returns NULL if there is no such call, or if calls that
// create objects were left out.
static void *cut_to_desync(const options *o, const void *bytes, size_t size, size_t *left_size) {
    cn_replay *replay = open_replay(o, o->lanes, bytes, size);
    cn_replay_position before = {0};
    while (replay && !cn_replay_desync(replay).found) {
        before = cn_replay_at(replay);
        if (before.call == before.calls || !cn_replay_next(replay)) break;
    }
    void *left = NULL;
    if (replay && cn_replay_desync(replay).found && cn_replay_seek(replay, before.step)) {
        *left_size = cn_replay_rest(replay, NULL, 0);
        left = *left_size ? malloc(*left_size) : NULL;
        if (left) cn_replay_rest(replay, left, *left_size);
    }
    cn_replay_destroy(replay);
    return left;
}

// Replaces the recording by one that begins shortly before the difference, if it still fails.
static void begin_late(const options *o, search *s, void **bytes, size_t *size) {
    size_t left_size;
    void *left = cut_to_desync(o, *bytes, *size, &left_size);
    if (!left || !fails_alike(left, left_size, s)) {
        free(left);
        return;
    }
    free(*bytes);
    *bytes = left, *size = left_size;
}

static int shrink(const options *o, const char *program, void **given, size_t size) {
    search s;
    char own[2000], twin[40] = "";
    if (o->has_twin) snprintf(twin, sizeof twin, " --twin %d", o->twin);
    snprintf(own, sizeof own, "\"%s\" -q --lanes %d --threads %d%s", program, o->lanes, o->threads,
             twin);
    snprintf(s.trial, sizeof s.trial, "%s.try", o->shrunk);
    int length =
        snprintf(s.command, sizeof s.command, "%s \"%s\"", o->command ? o->command : own, s.trial);
    if (length >= (int)sizeof s.command || !write_file(s.trial, *given, size)) return 2;
    s.status = system(s.command);
    if (s.status == 0) {
        fprintf(stderr, "cairn-replay: the recording does not fail\n");
        remove(s.trial);
        return 2;
    }
    size_t left_size, size_before = size;
    int tries;
    if (!o->has_twin && !o->command) begin_late(o, &s, given, &size);
    void *left = shrink_recording(*given, size, fails_alike, &s, &left_size, &tries);
    remove(s.trial);
    bool done = left && write_file(o->shrunk, left, left_size);
    if (done) printf("%d trials: %zu of %zu bytes are left\n", tries, left_size, size_before);
    free(left);
    return done ? 0 : 2;
}

// ---- options

static bool read_number(const char *text, int *number) {
    char *end;
    long value = text ? strtol(text, &end, 10) : -1;
    if (!text || *end || value < 0 || value > 64) return false;
    *number = (int)value;
    return true;
}

static bool read_options(options *o, int count, char **arguments) {
    for (int i = 1; i < count; i++) {
        const char *name = arguments[i], *value = i + 1 < count ? arguments[i + 1] : NULL;
        bool has_value = true, good = value;
        if (strcmp(name, "-v") == 0)
            o->prints = true, has_value = false, good = true;
        else if (strcmp(name, "-q") == 0)
            o->quiet = true, has_value = false, good = true;
        else if (strcmp(name, "--lanes") == 0)
            good = read_number(value, &o->lanes);
        else if (strcmp(name, "--threads") == 0)
            good = read_number(value, &o->threads);
        else if (strcmp(name, "--twin") == 0)
            good = o->has_twin = read_number(value, &o->twin);
        else if (strcmp(name, "--shrink") == 0)
            o->shrunk = value;
        else if (strcmp(name, "--command") == 0)
            o->command = value;
        else
            has_value = false, good = name[0] != '-' && !o->file, o->file = name;
        if (!good) return false;
        i += has_value;
    }
    return o->file && (o->shrunk || !o->command);
}

int main(int count, char **arguments) {
    options o = {0};
    if (!read_options(&o, count, arguments)) {
        fputs(usage, stderr);
        return 2;
    }
    size_t size;
    void *bytes = read_file(o.file, &size);
    if (!bytes) return 2;
    int status = o.shrunk ? shrink(&o, arguments[0], &bytes, size) : run(&o, bytes, size);
    free(bytes);
    return status;
}
