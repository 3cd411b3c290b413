/* The character mover in random levels. It never gets into a shape. It never gets stuck where many
 * small moves would not, and it can leave every place. The results do not depend on the SIMD width
 * and on the order of the tree.
 *
 *     test_move_random [MOVES [SEED]]      20,000 and 1; the long run has 1,000,000 moves */
#include "move_worlds.h"

static int all_moves = 20000;
static uint64_t first_seed = 1;

enum { MOVES_OF_LEVEL = 200, KNOWN = 256 };

// The shapes that a check uses: not those that the hull overlapped at the start, and not one-way
// shapes.
typedef struct {
    cn_side sides[KNOWN];
    int count;
} overlap_list;

static overlap_list overlaps_of(const character *c) {
    overlap_list list = {.count = 0};
    list.count = cn_world_overlap(c->world, c->hull, c->pose, NULL, list.sides, KNOWN);
    assert_in_range(list.count, 0, KNOWN);
    return list;
}

static bool counts(const cn_world *world, cn_side side, void *user) {
    const overlap_list *list = user;
    for (int i = 0; i < list->count; i++) {
        const cn_side *s = &list->sides[i];
        if (s->shape.id == side.shape.id && s->grid.id == side.grid.id && s->tile == side.tile)
            return false;
    }
    if (!side.shape.id) return true;
    vec2s one_way = cn_shape_one_way(world, side.shape);
    return one_way.x == 0 && one_way.y == 0;
}

// The gap to the nearest of these shapes; 1 if none is so near.
static double free_gap(const character *c, overlap_list *list) {
    cn_query query = {.accept = counts, .user = list};
    cn_neighbor near = cn_world_nearest(c->world, c->hull, c->pose, 1, &query);
    return near.found ? (double)near.gap.distance : 1;
}

static double progress(const character *c, vec2s from, vec2s way) {
    vec2s moved = glms_vec2_sub(c->pose.position, from);
    double length = hypot((double)way.x, (double)way.y);
    return ((double)moved.x * (double)way.x + (double)moved.y * (double)way.y) / length;
}

// Puts a character at a random place. Returns false if that is in or below the hills.
static bool place_randomly(level *l, character *c) {
    *c = (character){.world = l->world, .hull = level_hull(l), .def = level_def(l)};
    double x = level_uniform(l, -25, 25);
    c->pose = cn_pose_at(point(x, level_ground(l, x) + level_uniform(l, 0.3, 5)), 0);
    if (level_below(l, 3) == 0)
        c->pose = cn_pose_at(c->pose.position, (float)level_uniform(l, -3, 3));
    cn_bounds box = cn_hull_bounds(c->hull, c->pose);
    double lowest =
        fmax(level_ground(l, (double)box.lower.x), level_ground(l, (double)box.upper.x));
    return (double)box.lower.y > fmax(lowest, level_ground(l, x)) + 0.1;
}

// ---- long and short moves

// The measurements, for all moves and for moves that start without overlap.
typedef struct {
    int moves, free, stuck, behind;
    double least_gap, least_free_gap, greatest_lag;
} statistics;

// Compares a move with a hundred moves of a hundredth of it. The move is stuck if the hull stays
// within 1 mm of its start although the small moves get farther than 1 cm.
static void compare_with_small_moves(const character *c, character small, vec2s way,
                                     statistics *sum) {
    vec2s from = small.pose.position;
    for (int i = 0; i < 100; i++) move(&small, (double)way.x / 100, (double)way.y / 100);
    double gained = progress(c, from, way), by_small = progress(&small, from, way);
    double distance = (double)glms_vec2_distance(c->pose.position, from);
    bool is_stuck = distance < 0.001 && by_small > 0.01;
    if (is_stuck)
        print_error("stuck at (%.9g, %.9g) on the way by (%.9g, %.9g)\n", (double)from.x,
                    (double)from.y, (double)way.x, (double)way.y);
    sum->stuck += is_stuck;
    sum->behind += by_small - gained > 0.01;
    sum->greatest_lag = fmax(sum->greatest_lag, by_small - gained);
}

// True if a plain cast of the hull by 10 cm hits nothing.
static bool is_free(const character *c, vec2s way) {
    const cn_sweep sweep = {.start = c->pose, .translation = way};
    return !cn_world_cast_hull(c->world, c->hull, sweep, NULL).hit;
}

// If a cast finds one of 16 paths of 10 cm free, the character moves at least 5 cm on one of them.
static bool can_leave(const character *c) {
    bool is_any_free = false;
    for (int i = 0; i < 16; i++) {
        vec2s way = point(0.1 * cos(i * PI / 8), 0.1 * sin(i * PI / 8));
        if (!is_free(c, way)) continue;
        is_any_free = true;
        character leaver = *c;
        move(&leaver, (double)way.x, (double)way.y);
        if (progress(&leaver, c->pose.position, way) > 0.05) return true;
    }
    return !is_any_free;
}

static void judge_move(level *l, character c, statistics *sum) {
    overlap_list list = overlaps_of(&c);
    double size = level_below(l, 4) ? 0.3 : 3;
    vec2s way = point(level_uniform(l, -size, size), level_uniform(l, -size, size));
    const character before = c;
    move(&c, (double)way.x, (double)way.y);
    sum->moves++;
    sum->least_gap = fmin(sum->least_gap, free_gap(&c, &list));
    if (list.count > 0) return;
    sum->free++;
    // A place that is narrow from the start stays narrow.
    double kept = fmin(free_gap(&before, &list), SLOP / 2);
    sum->least_free_gap = fmin(sum->least_free_gap, free_gap(&c, &list) - kept + SLOP / 2);
    compare_with_small_moves(&c, before, way, sum);
    if (!can_leave(&c))
        fail_msg("from (%.9g, %.9g) by (%.9g, %.9g) it gets to a place that it cannot leave",
                 (double)before.pose.position.x, (double)before.pose.position.y, (double)way.x,
                 (double)way.y);
}

static void random_moves_end_in_no_shape_and_are_never_stuck(void **state) {
    (void)state;
    statistics sum = {.least_gap = 1, .least_free_gap = 1};
    for (uint64_t seed = first_seed; sum.moves < all_moves; seed++) {
        level l;
        assert_done(level_begin(&l, seed, (cn_world_def){0}));
        for (int i = 0; i < MOVES_OF_LEVEL; i++) {
            character c;
            if (i % 20 == 0) run(l.world, 5);
            if (place_randomly(&l, &c)) judge_move(&l, c, &sum);
        }
        level_end(&l);
        if (sum.least_gap < 0 || sum.least_free_gap < SLOP / 2 - 2e-5 || sum.stuck)
            fail_msg("level of seed %d: least gap %g m, %g m from a free start, %d moves stuck",
                     (int)seed, sum.least_gap, sum.least_free_gap, sum.stuck);
    }
    print_message("%d moves: least gap %g m; %d of them free at the start: least gap %g m, %d "
                  "behind small moves by more than 1 cm, at most by %g m\n",
                  sum.moves, sum.least_gap, sum.free, sum.least_free_gap, sum.behind,
                  sum.greatest_lag);
}

// ---- the same bits

static uint64_t hash_of(const void *data, size_t size, uint64_t hash) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 0x100000001B3u;
    return hash;
}

static uint64_t hash_of_move(const cn_move *m, uint64_t hash) {
    hash = hash_of(&m->pose, sizeof m->pose, hash);
    hash = hash_of(&m->ground.shape, sizeof m->ground.shape, hash);
    hash = hash_of(&m->ground_point, sizeof m->ground_point, hash);
    hash = hash_of(&m->ground_normal, sizeof m->ground_normal, hash);
    int flags = m->grounded | m->wall << 1 | m->ceiling << 2 | m->overlaps << 3;
    hash = hash_of(&flags, sizeof flags, hash);
    for (int i = 0; i < m->push_count; i++) {
        hash = hash_of(&m->pushes[i].side.shape, sizeof m->pushes[i].side.shape, hash);
        hash = hash_of(&m->pushes[i].impulse, sizeof m->pushes[i].impulse, hash);
    }
    for (int i = 0; i < m->sensor_count; i++)
        hash = hash_of(&m->sensors[i].shape, sizeof m->sensors[i].shape, hash);
    hash = hash_of(&m->ride.pose, sizeof m->ride.pose, hash);
    hash = hash_of(&m->ride.surface_velocity, sizeof m->ride.surface_velocity, hash);
    return hash_of(&m->wall_normal, sizeof m->wall_normal, hash);
}

static uint64_t hash_of_moves(level *l, int count) {
    uint64_t hash = 0;
    for (int i = 0; i < count; i++) {
        character c;
        if (!place_randomly(l, &c)) continue;
        move(&c, level_uniform(l, -1, 1), level_uniform(l, -1, 1));
        hash = hash_of_move(&c.last, hash);
    }
    return hash;
}

// Characters fall for some steps, and ride on what they fall on.
static uint64_t hash_of_rides(level *l, int count) {
    uint64_t hash = 0;
    for (int i = 0; i < count; i++) {
        character c;
        if (!place_randomly(l, &c)) continue;
        for (int k = 0; k < 8; k++) {
            c.def.ride = c.last.ride;
            move(&c, level_uniform(l, -0.1, 0.1), -0.4);
            hash = hash_of_move(&c.last, hash);
            run(l->world, 1);
        }
    }
    return hash;
}

static void moves_are_the_same_on_every_simd_width(void **state) {
    (void)state;
    const int lanes[] = {1, 4, 8, 16};
    for (uint64_t seed = 1; seed <= 10; seed++) {
        uint64_t first = 0;
        for (int i = 0; i < 4; i++) {
            level l;
            if (!level_begin(&l, seed, (cn_world_def){.lanes = lanes[i]})) continue;
            run(l.world, 10);
            uint64_t hash = hash_of_moves(&l, 200) ^ hash_of_rides(&l, 20);
            if (i == 0) first = hash;
            assert_int_equal(hash, first);
            level_end(&l);
        }
    }
}

// Makes the trees sort themselves again, with other boxes among those of the level.
static void rebuild_trees(level *l) {
    cn_body others[200];
    for (int i = 0; i < 200; i++)
        others[i] = add_block(l->world, -30 + 0.3 * i, 20 + i % 7, 0.2, 0.2);
    run(l->world, 1);
    for (int i = 0; i < 200; i++) assert_done(cn_body_destroy(l->world, others[i]));
}

static void moves_do_not_depend_on_the_order_of_the_tree(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        uint64_t hashes[2];
        for (int i = 0; i < 2; i++) {
            level l;
            assert_done(level_begin(&l, seed, (cn_world_def){0}));
            if (i == 0) run(l.world, 1);
            if (i == 1) rebuild_trees(&l);
            hashes[i] = hash_of_moves(&l, 200);
            level_end(&l);
        }
        assert_int_equal(hashes[0], hashes[1]);
    }
}

int main(int count, char **arguments) {
    if (count > 1) all_moves = atoi(arguments[1]);
    if (count > 2) first_seed = strtoull(arguments[2], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_moves_end_in_no_shape_and_are_never_stuck),
        cmocka_unit_test(moves_are_the_same_on_every_simd_width),
        cmocka_unit_test(moves_do_not_depend_on_the_order_of_the_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
