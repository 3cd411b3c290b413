/* Delta debugging (A. Zeller and R. Hildebrandt, "Simplifying and Isolating Failure-Inducing
 * Input", 2002), over the calls of a recording. Steps are calls, too.
 *
 * Runs of consecutive calls are left out, the last runs first, because calls after the failure do
 * not matter. If the recording without a run still fails, the run stays out. At first a run has
 * half of the calls. When no run of a length can be left out, the length is halved. At the end no
 * single call can be left out. */
#include "shrink.h"

#include <cairn.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const void *bytes;
    size_t size;
    still_fails *fails;
    void *user;
    uint8_t *kept; // by call
    int count;     // of all calls
    void *left;    // the smallest recording that fails
    size_t left_size;
    int tries;
} shrinker;

static int count_calls(const void *bytes, size_t size) {
    cn_replay *replay = cn_replay_create(&(cn_world_def){0}, bytes, size);
    if (!replay) return -1;
    int calls = cn_replay_at(replay).calls;
    cn_replay_destroy(replay);
    return calls;
}

// Tests the recording of the calls in `kept`. If it fails, stores it as the smallest one.
static bool try_cut(shrinker *s) {
    size_t size = cn_recording_cut(s->bytes, s->size, s->kept, s->count, NULL, 0);
    void *cut = size ? malloc(size) : NULL;
    if (!cut) return false;
    bool fails = cn_recording_cut(s->bytes, s->size, s->kept, s->count, cut, size) == size &&
                 (s->tries++, s->fails(cut, size, s->user));
    if (!fails) {
        free(cut);
        return false;
    }
    free(s->left);
    s->left = cut, s->left_size = size;
    return true;
}

// Writes the numbers of all calls that are kept. Returns how many there are.
static int list_kept(const shrinker *s, int *calls) {
    int count = 0;
    for (int i = 0; i < s->count; i++)
        if (s->kept[i]) calls[count++] = i;
    return count;
}

static void set_kept(shrinker *s, const int *calls, int count, uint8_t kept) {
    for (int i = 0; i < count; i++) s->kept[calls[i]] = kept;
}

// Tries to leave out each run of this length. Returns whether any run was left out.
static bool leave_out_runs(shrinker *s, int *calls, int length) {
    bool shrunk = false;
    int count = list_kept(s, calls);
    for (int end = count; end > 0; end -= length) {
        int first = end > length ? end - length : 0;
        set_kept(s, calls + first, end - first, 0);
        if (try_cut(s))
            shrunk = true;
        else
            set_kept(s, calls + first, end - first, 1);
    }
    return shrunk;
}

static void shrink(shrinker *s, int *calls) {
    for (int length = list_kept(s, calls) / 2; length >= 1;)
        if (!leave_out_runs(s, calls, length) || length > list_kept(s, calls)) length /= 2;
}

void *shrink_recording(const void *bytes, size_t size, still_fails *fails, void *user,
                       size_t *left_size, int *tries) {
    shrinker s = {.bytes = bytes, .size = size, .fails = fails, .user = user};
    s.count = count_calls(bytes, size);
    s.kept = s.count < 0 ? NULL : malloc((size_t)s.count + 1);
    int *calls = s.count < 0 ? NULL : malloc(((size_t)s.count + 1) * sizeof *calls);
    if (s.kept && calls) {
        memset(s.kept, 1, (size_t)s.count);
        if (try_cut(&s)) shrink(&s, calls);
    }
    free(s.kept), free(calls);
    *left_size = s.left_size, *tries = s.tries;
    return s.left;
}
