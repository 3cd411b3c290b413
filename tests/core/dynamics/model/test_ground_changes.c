/* Smooth ground that is put together of pieces: pieces act like the whole, also while tiles are
 * created, moved and destroyed under bodies. */
#include "../../../support/floors.h"

// ---- pieces against the whole

enum { ROW, BLOCK, WEDGES, HALVES, RING, PUZZLES };

static void add_polygon(cn_world *world, cn_body ground, const vec2s *points, int count) {
    cn_shape_def def = {.hull = cn_polygon(points, count, 0), .material = frictionless};
    assert_done(cn_shape_create(world, ground, &def).id != 0);
}

// A row of six tiles, or three by two tiles; or an octagon in four parts, in two parts, or as a
// closed chain. `whole`: the same shape in one piece.
static cn_world *make_puzzle(int puzzle, bool whole) {
    cn_world *world = make_world(0);
    cn_body ground = add_static(world);
    assert_done(cn_body_set_pose(world, ground, cn_pose_at(point(0.3, -0.2), 0.4f)));
    vec2s corners[9];
    for (int i = 0; i < 9; i++) corners[i] = point(2 * cos(i * PI / 4), 2 * sin(i * PI / 4));
    int columns = puzzle == ROW ? 6 : 3, rows = puzzle == ROW ? 1 : 2;
    if (whole && puzzle <= BLOCK) add_tile(world, ground, 0, 0, 0.5 * columns, 0.5 * rows);
    if (whole && puzzle > BLOCK) add_polygon(world, ground, corners, 8);
    for (int i = 0; !whole && puzzle <= BLOCK && i < columns * rows; i++)
        add_tile(world, ground, i % columns + 0.5 * (1 - columns), i / columns + 0.5 * (1 - rows),
                 0.5, 0.5);
    for (int i = 0; !whole && puzzle == WEDGES && i < 8; i += 2)
        add_polygon(world, ground, (vec2s[]){corners[i], corners[i + 1], corners[i + 2], {{0, 0}}},
                    4);
    for (int i = 0; !whole && puzzle == HALVES && i < 8; i += 4)
        add_polygon(world, ground, corners + i, 5);
    cn_chain_def ring = {.points = corners, .count = 8, .closed = true, .material = frictionless};
    if (!whole && puzzle == RING) assert_done(cn_chain_create(world, ground, &ring).id != 0);
    return world;
}

static void pieces_collide_as_the_whole_does(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int puzzle = 0; puzzle < PUZZLES; puzzle++) {
        cn_world *whole = make_puzzle(puzzle, true), *pieces = make_puzzle(puzzle, false);
        int touching = 0, other_normals = 0;
        for (int i = 0; i < 40000; i++) {
            vec2s place = point(random_between(&seed, -4, 4), random_between(&seed, -3, 3));
            vec2s n = {{0}}, m = {{0}};
            double angle = random_between(&seed, -4, 4);
            double expected = deepest_at(whole, i % MOVERS, place, angle, &n);
            double found = deepest_at(pieces, i % MOVERS, place, angle, &m);
            if (expected < -0.4 || fabs(expected - 0.02) < 1e-5) continue;
            assert_true((expected < 1) == (found < 1));
            touching += expected < 1;
            other_normals +=
                (double)n.x * (double)m.x + (double)n.y * (double)m.y < 0.9999 && found < 1;
            other_normals += fabs(expected - found) > 1e-4;
        }
        assert_in_range(touching, 300, 40000);
        assert_in_range(other_normals, 0, 1);
        cn_world_destroy(whole);
        cn_world_destroy(pieces);
    }
}

// ---- changes under bodies

// One box slides on the right half when the left half is moved beside it. Another box then slides
// over both.
static void a_floor_may_be_put_together_while_it_is_used(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body tiles[30];
    for (int i = 0; i < 30; i++)
        tiles[i] = add_tile_body(world, i + 0.5, i < 15 ? -4 : -0.5, i % 4);
    cn_body first = add_mover(world, 0, point(15.5, 0.5), 0, point(6, 0), 0);
    run(world, 10);
    for (int i = 0; i < 15; i++)
        assert_done(cn_body_set_pose(world, tiles[i], cn_pose_at(point(i + 0.5, -0.5), 0)));
    cn_body second = add_mover(world, 0, point(2, 0.5), 0, point(6, 0), 0);
    for (int i = 0; i < 120; i++) {
        run(world, 1);
        assert_near(motion_of(world, first).y, 0.5, 0.5e-3);
        assert_near(motion_of(world, second).y, 0.5, 0.5e-3);
    }
    assert_near(motion_of(world, second).x, 14, 0.01);
    assert_done(cn_body_set_disabled(world, tiles[20], true)); // a hole
    run(world, 30);
    assert_done(cn_body_set_disabled(world, tiles[20], false));
    run(world, 30);
    assert_near(motion_of(world, second).vx, 6, 1e-3);
    assert_near(motion_of(world, second).y, 0.5, 0.5e-3);
    cn_world_destroy(world);
}

// A shape that covers a part of the floor does not cover it for a body that may not touch the
// shape, because of a joint or of a callback.
static bool refuse_marked(cn_world *world, cn_shape a, cn_shape b, void *user) {
    (void)user;
    return cn_shape_user_data(world, a) + cn_shape_user_data(world, b) == 0;
}

static void refused_ground_covers_no_other_ground(void **state) {
    (void)state;
    for (int how = 0; how < 3; how++) {
        cn_world *world = make_world(GRAVITY);
        cn_body floor = add_static(world);
        add_tile(world, floor, 0, -1, 5, 1);
        cn_shape_def curb = {.hull = cn_box(2, 0.5f), .user_data = 1, .custom_filter = how == 2};
        cn_body low = add(world, (cn_body_def){.type = CN_STATIC, .position = point(0, 0.5)}, curb);
        if (how != 1) run(world, 1);
        cn_body box = add_mover(world, 0, point(0, 2), 0, point(0, 0), 0);
        cn_joint_def slider = cn_prismatic_joint(world, low, box, point(0, 2), point(0, 1));
        if (how == 0) run(world, 30); // it first rests on the curb
        if (how < 2) assert_done(cn_joint_create(world, slider).id != 0);
        const cn_callbacks callbacks = {.filter = refuse_marked};
        if (how == 2) assert_done(cn_world_set_callbacks(world, callbacks));
        run(world, 120);
        assert_near(motion_of(world, box).y, 0.5, 0.01);
        cn_world_destroy(world);
    }
}

// ---- tiles that are created and destroyed

enum { TILES = 24 };

typedef struct {
    cn_world *world;
    cn_body ground;
    cn_shape tiles[TILES];
    cn_body bodies[TILES]; // every third tile is a body of its own
    uint64_t open[4096];   // keys of the touching pairs
    int open_count;
    uint64_t seed;
} building;

static void follow_events(building *b) {
    cn_events events = cn_world_events(b->world);
    for (int i = 0; i < events.end_count; i++) {
        int k = 0;
        uint64_t key = events.ends[i].a.shape.id * 31 + events.ends[i].b.shape.id;
        while (k < b->open_count && b->open[k] != key) k++;
        assert_in_range(k, 0, b->open_count - 1); // the pair must have begun
        b->open[k] = b->open[--b->open_count];
    }
    for (int i = 0; i < events.begin_count; i++) {
        uint64_t key = events.begins[i].a.shape.id * 31 + events.begins[i].b.shape.id;
        for (int k = 0; k < b->open_count; k++) assert_true(b->open[k] != key); // not twice
        b->open[b->open_count++] = key;
        assert_in_range(b->open_count, 1, 4095);
    }
}

static void change_tile(building *b) {
    int i = (int)random_between(&b->seed, 0, TILES);
    double x = i % 12 + 0.5, y = i < 12 ? -0.5 : -1.5;
    if (b->bodies[i].id && random_between(&b->seed, 0, 1) < 0.5) {
        double down = random_between(&b->seed, 0, 1) < 0.5 ? 0.5 : 0;
        assert_done(cn_body_set_pose(b->world, b->bodies[i], cn_pose_at(point(x, y - down), 0)));
    } else if (b->bodies[i].id) {
        assert_done(cn_body_destroy(b->world, b->bodies[i]));
        b->bodies[i] = (cn_body){0};
    } else if (b->tiles[i].id) {
        assert_done(cn_shape_destroy(b->world, b->tiles[i]));
        b->tiles[i] = (cn_shape){0};
    } else if (i % 3 == 0) {
        b->bodies[i] = add_tile_body(b->world, x, y, i);
    } else {
        b->tiles[i] = add_tile(b->world, b->ground, x, y, 0.5, 0.5);
    }
}

// Returns the world's hash after the last step, or 0 if this machine has no kernel of this width.
static uint64_t build(int lanes, int steps) {
    building b = {.seed = 5};
    b.world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .lanes = lanes});
    if (!b.world) return 0;
    b.ground = add_static(b.world);
    add_tile(b.world, b.ground, 6, -3, 8, 0.5);
    for (int i = 0; i < 30; i++)
        add_mover(b.world, i % MOVERS, point(1 + 0.35 * i, 1.1 + 1.1 * (i % 4)), 0.1 * i,
                  point(0, 0), 0);
    for (int i = 0; i < steps; i++) {
        if (i % 3 == 0) change_tile(&b);
        run(b.world, 1);
        follow_events(&b);
    }
    cn_contact contact;
    assert_int_equal(cn_world_contacts(b.world, &contact, 1), b.open_count);
    uint64_t hash = cn_world_hash(b.world);
    cn_world_destroy(b.world);
    return hash;
}

static void every_begin_has_its_end_while_tiles_change(void **state) {
    (void)state;
    build(0, 2000);
}

static void all_lanes_give_the_same_bits(void **state) {
    (void)state;
    uint64_t hash = build(1, 500);
    assert_int_equal(build(4, 500), hash);
    uint64_t wide = build(8, 500);
    assert_true(wide == 0 || wide == hash);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_collide_as_the_whole_does),
        cmocka_unit_test(a_floor_may_be_put_together_while_it_is_used),
        cmocka_unit_test(refused_ground_covers_no_other_ground),
        cmocka_unit_test(every_begin_has_its_end_while_tiles_change),
        cmocka_unit_test(all_lanes_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
