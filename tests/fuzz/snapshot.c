/* Fuzz target: the bytes of a saved world with changes and with a correct checksum.
 *
 * cn_world_load() and cn_world_restore() give an error, or a world that can be stepped, queried,
 * drawn, saved and destroyed. After a failed restore the world is as before. The memory of both is
 * at most a constant times the size of the bytes.
 *
 * The first bytes of the input choose the world and the changes. The input contains the changes of
 * a valid state, not the state itself. So every input gets past the checks of the header. */
#include "answers.h"

enum { HEADER_BYTES = 40, CHECKSUM_AT = 32, MOST_CHANGES = 16 };
// Limits of the memory of a world: a constant, and bytes for each saved byte.
enum { BYTES_ANYWAY = 1 << 17, BYTES_PER_BYTE = 64 };

static void call_within(fuzz *f, cn_world *world, uint64_t key, callback_kind kind) {
    (void)f, (void)world, (void)key, (void)kind;
}

// ---- a world with some of everything

static void add_joints(cn_world *w, cn_body ground, cn_body *boxes, int count) {
    for (int i = 0; i + 1 < count; i += 2) {
        vec2s p = cn_body_position(w, boxes[i]);
        cn_joint_def def = i % 4 ? cn_revolute_joint(w, boxes[i], boxes[i + 1], p)
                                 : cn_spring_joint(w, ground, boxes[i], (vec2s){{0, 9}}, p);
        cn_joint_create(w, def);
    }
}

static void add_grounds(cn_world *w, cn_body ground) {
    vec2s points[] = {{{9, 0}}, {{6, 1}}, {{3, 0}}, {{0, 1}}, {{-3, 0}}};
    cn_chain_create(w, ground, &(cn_chain_def){.points = points, .count = 5});
    uint8_t solid[12] = {1, 1, 1, 0, 1, 1, 0, 0, 1, 1, 1, 1};
    cn_grid_def tiles = {.solid = solid, .width = 4, .height = 3, .tile_size = 1};
    tiles.origin = (vec2s){{-8, 0}};
    cn_grid_create(w, ground, &tiles);
    cn_shape_def field = {.hull = cn_box(2, 2), .sensor = true, .medium = {.density = 2}};
    cn_shape_create(w, ground, &field);
    cn_shape_def shelf = {.hull = cn_box(2, 0.1f), .one_way = {{0, 1}}};
    cn_shape_create(w, ground, &shelf);
}

static cn_world *make_world(int kind, cn_world_def def) {
    enum { BOXES = 8 };
    cn_body boxes[BOXES];
    cn_world *w = cn_world_create(&def);
    cn_body ground = cn_body_create(w, &(cn_body_def){.type = CN_STATIC});
    int count = kind % (BOXES + 1);
    add_grounds(w, ground);
    for (int i = 0; i < count; i++) {
        float x = (float)i - 4;
        boxes[i] = cn_body_create(w, &(cn_body_def){.position = {{x, 2}}});
        cn_hull hull = i % 3 == 0   ? cn_circle(0.5f)
                       : i % 3 == 1 ? cn_box(0.4f, 0.4f)
                                    : cn_regular_polygon(5, 0.6f);
        cn_shape_create(w, boxes[i], &(cn_shape_def){.hull = hull});
    }
    if (kind & 16) add_joints(w, ground, boxes, count);
    for (int i = 0; i < (kind & 96) / 2; i++) cn_world_step(w, 1.0f / 60);
    return w;
}

// ---- changed bytes

static uint64_t checksum_of(const unsigned char *bytes, size_t size) { // as in snapshot.c
    uint64_t sum = size;
    for (size_t i = 0; i < size; i++) {
        sum = (sum ^ bytes[i]) * 0x9E3779B97F4A7C15u;
        sum ^= sum >> 29;
    }
    return sum ? sum : 1;
}

static void change_word(fuzz *f, unsigned char *bytes, size_t size) {
    static const uint32_t odd[] = {0,          1,          0xffffffff, 0x7fffffff, 0x80000000, 2,
                                   0x7fc00000, 0x7f800000, 0x00ffffff, 0xff800000, 7,          16};
    size_t at = draw_word(f) % size;
    int kind = draw_byte(f);
    if (kind < 128) at -= at % 4;
    uint32_t word = kind % 4 == 0 ? draw_word(f) : odd[draw_below(f, 12)];
    if (kind % 4 == 1) word = bytes[at] ^ 1u << draw_below(f, 8);
    for (size_t i = 0; i < (kind % 4 == 1 ? 1 : 4) && at + i < size; i++)
        bytes[at + i] = (unsigned char)(word >> 8 * i);
}

static void mend_checksum(unsigned char *bytes, size_t size) {
    uint64_t sum = checksum_of(bytes + HEADER_BYTES, size - HEADER_BYTES);
    for (int i = 0; i < 8; i++) bytes[CHECKSUM_AT + i] = (unsigned char)(sum >> 8 * i);
}

// ---- a world in any state

static void use_world(cn_world *w) {
    cn_drawing drawing;
    cn_hull hull = cn_circle(1);
    cn_side sides[16];
    cn_query query = {.sensors = true};
    for (int i = 0; i < 3; i++) {
        cn_world_step(w, 1.0f / 60);
        cn_world_events(w);
        cn_world_draw(w, CN_DRAW_ALL, &drawing);
    }
    cn_world_cast_ray(w, (vec2s){{-20, 1}}, (vec2s){{40, 0}}, NULL);
    cn_world_overlap(w, hull, cn_pose_at((vec2s){{0, 1}}, 0), &query, sides, 16);
    cn_world_nearest(w, hull, cn_pose_at((vec2s){{0, 5}}, 0), 9, &query);
    cn_world_energy(w);
    cn_world_save(w, CN_SAVE_ALL, NULL, 0);
    for (cn_joint j = {0}; j = cn_world_next_joint(w, j), j.id;) cn_joint_force(w, j);
    for (cn_shape s = {0}; s = cn_world_next_shape(w, s), s.id;) cn_shape_bounds(w, s);
    for (int i = 0; i < 3; i++) {
        cn_body body = cn_world_next_body(w, (cn_body){0});
        if (body.id) CLAIM(cn_body_destroy(w, body), "%s", cn_error());
        cn_world_step(w, 1.0f / 60);
    }
    cn_world_hash(w);
    call_count += 18;
}

static void try_load(fuzz *f, const unsigned char *bytes, size_t size) {
    cn_world_def def = {.allocator = allocator_of(f->memory)};
    size_t before = f->memory->bytes;
    f->memory->peak = before;
    cn_error_clear();
    cn_world *w = cn_world_load(&def, NULL, bytes, size);
    call_count++;
    CLAIM(f->memory->peak - before <= BYTES_ANYWAY + BYTES_PER_BYTE * size, "%zu bytes for %zu",
          f->memory->peak - before, size);
    if (!w) CLAIM(cn_error_code() != CN_ERROR_NONE, "no world and no error");
    if (w) use_world(w);
    cn_world_destroy(w);
    CLAIM(f->memory->bytes == before, "memory leaks");
}

static void try_restore(fuzz *f, int kind, const unsigned char *bytes, size_t size) {
    cn_world *w = make_world(kind, (cn_world_def){.allocator = allocator_of(f->memory)});
    uint64_t hash = cn_world_hash(w);
    cn_error_clear();
    bool is_done = cn_world_restore(w, bytes, size);
    call_count++;
    if (!is_done) CLAIM(cn_error_code() != CN_ERROR_NONE, "it failed without an error");
    if (!is_done) CLAIM(cn_world_hash(w) == hash, "it failed and changed the world");
    use_world(w);
    cn_world_destroy(w);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    fuzz_memory memory = {.largest = (size_t)1 << 28};
    block_list blocks = {.count = 0};
    fuzz f = {.bytes = bytes, .size = size, .memory = &memory, .blocks = &blocks};
    count_calls();
    int kind = draw_byte(&f), parts = draw_byte(&f);
    cn_world *w = make_world(kind, (cn_world_def){.gravity = {{0, -10}}});
    cn_save_parts which = parts & 1 ? CN_SAVE_MOVING : CN_SAVE_ALL;
    size_t length = cn_world_save(w, which, NULL, 0);
    unsigned char *saved = new_block(&f, (int64_t)length, 1);
    cn_world_save(w, which, saved, length);
    cn_world_destroy(w);
    for (int i = 0; f.at < f.size && i < MOST_CHANGES; i++)
        change_word(&f, saved + HEADER_BYTES, length - HEADER_BYTES);
    if (parts & 2) change_word(&f, saved, HEADER_BYTES);
    if (parts & 4) length = HEADER_BYTES + draw_word(&f) % (length - HEADER_BYTES);
    if (which == CN_SAVE_ALL) mend_checksum(saved, length);
    unsigned char *exact = new_block(&f, (int64_t)length, 1);
    memcpy(exact, saved, length);
    try_load(&f, exact, length);
    try_restore(&f, parts & 8 ? kind : parts, exact, length);
    free_blocks(&blocks);
    CLAIM(memory.blocks == 0, "%zu blocks leak", memory.blocks);
    return 0;
}
