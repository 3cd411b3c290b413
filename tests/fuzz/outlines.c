/* Fuzz target: outlines. They are decomposed, and become chains and shapes of a world that steps.
 * It checks:
 *
 *   - cn_outline_decompose() gives hulls that a world accepts, or an error
 *   - with (NULL, 0) it returns the same count */
#include "answers.h"

enum { MOST_HULLS = 600, MOST_OUTLINES = 4 };

static void call_within(fuzz *f, cn_world *world, uint64_t key, callback_kind kind) {
    (void)f, (void)world, (void)key, (void)kind;
}

// Points near a grid, so that many lie on lines or on each other, or anywhere.
static vec2s draw_point(fuzz *f, int style) {
    if (style % 3 == 0) return make_vec2s(f);
    float x = (float)draw_below(f, 8);
    return (vec2s){{x, (float)draw_below(f, 8)}};
}

static cn_outline draw_outline(fuzz *f) {
    int count = draw_count(f), style = draw_byte(f);
    if (style >= 192) count = 3 + draw_byte(f);
    vec2s *points = new_block(f, count, sizeof *points);
    for (int i = 0; points && i < count; i++) points[i] = draw_point(f, style);
    return (cn_outline){points, count};
}

static void check_decompose(const cn_outline *outlines, int count, float radius, cn_world *world,
                            cn_body body) {
    static cn_hull hulls[MOST_HULLS];
    cn_error_clear();
    int total = cn_outline_decompose(outlines, count, radius, hulls, MOST_HULLS);
    CLAIM(total > 0 || cn_error_code() != CN_ERROR_NONE, "no hulls and no error");
    int counted = cn_outline_decompose(outlines, count, radius, NULL, 0);
    CLAIM(counted == total, "%d hulls, but %d are counted", total, counted);
    call_count += 2;
    for (int i = 0; i < total && i < MOST_HULLS; i++) {
        cn_shape shape = cn_shape_create(world, body, &(cn_shape_def){.hull = hulls[i]});
        CLAIM(shape.id, "%s", cn_error());
        call_count++;
    }
}

static void check_chain(fuzz *f, cn_world *world, cn_body body, cn_outline outline) {
    cn_chain_def def = {.points = outline.points, .count = outline.count};
    def.closed = draw_bool(f);
    cn_error_clear();
    cn_chain chain = cn_chain_create(world, body, &def);
    CLAIM(chain.id || cn_error_code() != CN_ERROR_NONE, "no chain and no error");
    if (chain.id && draw_bool(f)) CLAIM(cn_chain_destroy(world, chain), "%s", cn_error());
    call_count += 2;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static block_list blocks;
    fuzz_memory memory = {.largest = (size_t)1 << 26};
    fuzz f = {.bytes = bytes, .size = size, .blocks = &blocks, .memory = &memory};
    count_calls();
    cn_world_def def = {.gravity = {{0, -10}}, .allocator = allocator_of(&memory)};
    cn_world *world = cn_world_create(&def);
    cn_body body = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    cn_body ball = cn_body_create(world, &(cn_body_def){.position = {{3, 9}}});
    cn_shape_create(world, ball, &(cn_shape_def){.hull = cn_circle(0.4f)});
    while (f.at < f.size) {
        cn_outline outlines[MOST_OUTLINES];
        f.is_wild = draw_below(&f, 4) == 3;
        int count = 1 + draw_below(&f, MOST_OUTLINES);
        for (int i = 0; i < count; i++) outlines[i] = draw_outline(&f);
        float radius = draw_bool(&f) ? 0 : draw_float(&f);
        check_decompose(outlines, count, radius, world, body);
        check_chain(&f, world, body, outlines[0]);
        CLAIM(cn_world_step(world, 1.0f / 60), "%s", cn_error());
        call_count++;
        free_blocks(&blocks);
    }
    cn_world_destroy(world);
    CLAIM(memory.blocks == 0, "%zu blocks leak", memory.blocks);
    return 0;
}
