/* Fuzz target: hulls and the functions that need no world, with any arguments. It checks:
 *
 *   - a call that fails says why
 *   - a hull that one function made is accepted by all others
 *   - results are finite, except those of plain arithmetic with arguments that are not finite */
#include "answers.h"

#include "fuzz_calls.h"

enum { CALLS = sizeof calls / sizeof *calls };

static void call_within(fuzz *f, cn_world *world, uint64_t key, callback_kind kind) {
    (void)f, (void)world, (void)key, (void)kind;
}

static bool is_of_toolkit(const api_call *call) {
    return strcmp(call->section, "maths") == 0 || strcmp(call->section, "hulls") == 0 ||
           strcmp(call->section, "collision") == 0;
}

// A hull that was made is good for others.
static void check_hull(cn_hull hull) {
    if (hull.count == 0) return;
    cn_error_clear();
    cn_pose pose = cn_pose_at((vec2s){{0, 0}}, 0);
    cn_hull_mass_data(hull, 1);
    cn_hull_bounds(hull, pose);
    cn_hull_support(hull, (vec2s){{1, 0}});
    cn_hull_contains(hull, hull.vertices[0]);
    CLAIM(cn_error_code() == CN_ERROR_NONE, "%s", cn_error());
    call_count += 4;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static block_list blocks;
    static int chosen[CALLS], count;
    fuzz f = {.bytes = bytes, .size = size, .blocks = &blocks};
    count_calls();
    for (int i = 0; count == 0 && i < CALLS; i++)
        if (is_of_toolkit(&calls[i])) chosen[count++] = i;
    while (f.at < f.size) {
        const api_call *call = &calls[chosen[draw_below(&f, count)]];
        outcome o;
        f.is_wild = draw_below(&f, 4) == 3;
        if (draw_below(&f, 4) == 0) check_hull(make_usual_hull(&f));
        call->call(&f, NULL, &o);
        if (o.failed) {
            size_t length = strlen(call->name);
            CLAIM(strncmp(cn_error(), call->name, length) == 0, "%s: %s", call->name, cn_error());
        }
        bool is_plain = strcmp(call->section, "maths") == 0;
        if (!is_plain && !o.failed) CLAIM(o.is_finite, "%s gave a number that is not", call->name);
        free_blocks(&blocks);
    }
    return 0;
}
