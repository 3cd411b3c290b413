/* Grids of tiles: a million load at once, bodies slide, rest and fall on them as on one floor, tiles come and
 * go under what lies on them, and nothing shows of which tiles are shapes. */
#include "movers.h"
#include "room.h"

#include <stdio.h>

// ---- grids from a drawing: rows from above, '#' is solid

enum { MAX_MAP = 4096 };

static cn_tiles add_map(cn_world *world, cn_body body, const char *const *rows, int height,
                        double size, vec2s origin) {
    int width = (int)strlen(rows[0]);
    uint8_t solid[MAX_MAP] = {0};
    assert_in_range(width * height, 1, MAX_MAP);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) solid[y * width + x] = rows[height - 1 - y][x] == '#';
    cn_tiles_def def = {.solid = solid, .width = width, .height = height, .origin = origin};
    def.tile_size = (float)size, def.material = slick, def.user_data = 77;
    cn_tiles tiles = cn_tiles_create(world, body, &def);
    assert_done(tiles.id != 0);
    return tiles;
}

// A floor of two rows whose surface is y = 0, from x = 0.
static cn_tiles add_tile_floor(cn_world *world, cn_body body, int width, double size) {
    char row[MAX_MAP / 2];
    memset(row, '#', (size_t)width);
    row[width] = 0;
    return add_map(world, body, (const char *const[]){row, row}, 2, size, point(0, -2 * size));
}

// ---- what lies on them: all but the circle on a flat side, 0.5 from the centre to the floor

static cn_world *sleepy_world(int lanes) {
    cn_world_def def = {.gravity = {{0, -10}}, .lanes = lanes};
    return cn_world_create(&def);
}

// ---- size

static void a_million_tiles_are_four_bytes_each(void **state) {
    (void)state;
    enum { SIDE = 1000 };
    cn_world *world = make_world(GRAVITY);
    cn_body body = add_static(world);
    uint8_t *solid = calloc(SIDE * SIDE, 1);
    assert_non_null(solid);
    for (int i = 0; i < SIDE * SIDE; i++) solid[i] = (uint8_t)(i * 7 % 5 < 3);
    size_t before = cn_world_counters(world).bytes;
    cn_tiles_def def = {.solid = solid, .width = SIDE, .height = SIDE, .tile_size = 1};
    cn_tiles tiles = cn_tiles_create(world, body, &def);
    assert_done(tiles.id != 0);
    assert_in_range(cn_world_counters(world).bytes - before, 1, 4 * SIDE * SIDE + 8192);
    add_mover(world, 0, point(500, 1001), 0, point(0, 0), 0);
    run(world, 60);
    assert_in_range(cn_world_counters(world).bytes - before, 1, 5 * SIDE * SIDE);
    for (int i = 0; i < SIDE * SIDE; i += 997)
        assert_int_equal(cn_tiles_get(world, tiles, i % SIDE, i / SIDE), solid[i]);
    free(solid);
    cn_world_destroy(world);
}

// ---- sliding

typedef struct {
    double bump, lost; // greatest deviation of the height; share of the speed that was lost
} ride;

// On a body that is turned, with gravity turned alike; the height is measured in its frame.
static ride ride_over(int who, double size, double angle, bool tilted) {
    cn_world *world = make_world(0);
    double c = cos(angle), s = sin(angle);
    assert_done(cn_world_set_gravity(world, point(GRAVITY * s, -GRAVITY * c)));
    cn_body ground = add_static(world);
    add_tile_floor(world, ground, (int)(100 / size + 0.5), size);
    assert_done(cn_body_set_pose(world, ground, point(0, 0), (float)angle));
    double h = tilted ? 0.55 : 0.5, tilt = angle + (tilted ? 0.05 : 0);
    cn_body body =
        add_mover(world, who, point(3 * c - h * s, 3 * s + h * c), 0, point(20 * c, 20 * s), 0);
    vec2s start = point(3 * c - h * s, 3 * s + h * c);
    assert_done(cn_body_set_pose(world, body, start, (float)tilt));
    if (tilted) run(world, 90); // it falls flat
    ride r = {0, 0};
    for (double x = 0; x < 95;) {
        run(world, 1);
        motion m = motion_of(world, body);
        x = m.x * c + m.y * s;
        r.bump = fmax(r.bump, fabs(m.y * c - m.x * s - 0.5));
        r.lost = fmax(r.lost, 1 - (m.vx * c + m.vy * s) / 20);
        cn_contact contact;
        assert_in_range(cn_world_contacts(world, &contact, 1), 1, 8);
    }
    cn_world_destroy(world);
    return r;
}

static void check_ride(int who, double size, double angle, bool tilted) {
    ride r = ride_over(who, size, angle, tilted);
    if (getenv("CN_PRINT"))
        printf("who %d size %g angle %g: bump %.4f mm, lost %.5f %%\n", who, size, angle,
               1e3 * r.bump, 100 * r.lost);
    assert_near(r.bump, 0, 0.5e-3);
    assert_near(r.lost, 0, 1e-4);
}

static void bodies_slide_over_200_tiles_without_a_bump(void **state) {
    (void)state;
    for (int who = 0; who < MOVERS; who++)
        for (int tilted = 0; tilted < 2; tilted++) {
            check_ride(who, 0.5, 0, tilted);
            check_ride(who, 1, 0, tilted);
        }
}

static void a_turned_grid_is_as_smooth(void **state) {
    (void)state;
    for (int who = 0; who < MOVERS; who++) {
        check_ride(who, 0.5, 0.5, false);
        check_ride(who, 1, -2.5, false);
    }
}

// Tiles from x = 0 to 20, a box to 40, another grid to 60: one body, one floor.
static void a_grid_joins_what_touches_it(void **state) {
    (void)state;
    for (int who = 0; who < MOVERS; who++) {
        cn_world *world = make_world(GRAVITY);
        cn_body ground = add_static(world);
        char row[41];
        memset(row, '#', 40), row[40] = 0;
        add_tile_floor(world, ground, 20, 1);
        add_map(world, ground, (const char *const[]){row}, 1, 0.5, point(40, -0.5));
        cn_hull slab = cn_box(10, 1);
        slab = cn_hull_at(&slab, cn_pose_at(point(30, -1), 0));
        cn_shape_def def = {.hull = slab, .material = slick};
        assert_done(cn_shape_create(world, ground, &def).id != 0);
        cn_body body = add_mover(world, who, point(3, 0.5), 0, point(20, 0), 0);
        for (double x = 0; x < 55;) {
            run(world, 1);
            motion m = motion_of(world, body);
            x = m.x;
            assert_near(m.y, 0.5, 0.5e-3);
            assert_near(m.vx, 20, 2e-3);
        }
        cn_world_destroy(world);
    }
}

// ---- rest

static void bodies_rest_on_tiles_and_fall_asleep(void **state) {
    (void)state;
    for (int who = 0; who < MOVERS; who++) {
        cn_world *world = sleepy_world(0);
        cn_body ground = add_static(world);
        add_tile_floor(world, ground, 40, 0.25);
        cn_body body = add_mover(world, who, point(5, 1), 0, point(0, 0), 0);
        run(world, 300);
        motion m = motion_of(world, body);
        assert_near(m.y, 0.5, 0.3e-3);
        assert_near(m.x, 5, 1e-3);
        assert_near(m.angle, 0, 1e-3);
        assert_false(cn_body_awake(world, body));
        cn_world_destroy(world);
    }
}

static void a_body_falls_through_a_tile_that_is_cleared(void **state) {
    (void)state;
    for (int asleep = 0; asleep < 2; asleep++)
        for (int who = 0; who < MOVERS; who++) {
            cn_world *world = sleepy_world(0);
            cn_tiles tiles = add_map(world, add_static(world), (const char *const[]){"#####"}, 1, 2,
                                     point(0, -2));
            cn_body body = add_mover(world, who, point(5, 0.5), 0, point(0, 0), 0);
            run(world, asleep ? 200 : 10);
            assert_int_equal(cn_body_awake(world, body), !asleep);
            assert_done(cn_tiles_set(world, tiles, 2, 0, false));
            run(world, 60);
            assert_near(motion_of(world, body).y, 0.5 - 0.5 * GRAVITY, 0.15);
            cn_world_destroy(world);
        }
}

static void a_body_lands_on_a_tile_that_is_set(void **state) {
    (void)state;
    for (int who = 0; who < MOVERS; who++) {
        cn_world *world = sleepy_world(0);
        const char *const map[] = {"...", "...", "###"};
        cn_tiles tiles = add_map(world, add_static(world), map, 3, 2, point(0, -2));
        cn_body body = add_mover(world, who, point(3, 5), 0, point(0, 0), 0);
        run(world, 20);
        assert_done(cn_tiles_set(world, tiles, 1, 1, true)); // its top is y = 2
        assert_true(cn_tiles_get(world, tiles, 1, 1));
        run(world, 200);
        assert_near(motion_of(world, body).y, 2.5, 0.3e-3);
        assert_false(cn_body_awake(world, body));
        assert_done(cn_tiles_set(world, tiles, 0, 1, true)); // beside it: goes on sleeping or not
        assert_done(cn_tiles_set(world, tiles, 1, 1, false));
        run(world, 200);
        assert_near(motion_of(world, body).y, 0.5, 0.3e-3);
        cn_world_destroy(world);
    }
}

// ---- corners

static void the_inner_corner_of_tiles_has_two_faces(void **state) {
    (void)state;
    const char *const map[] = {"....#", "....#", "....#", "#####"};
    for (int who = 0; who < MOVERS; who++) {
        cn_world *world =
            cn_world_create(&(cn_world_def){.gravity = {{10, -10}}, .no_sleep = true});
        add_map(world, add_static(world), map, 4, 1, point(-4, -1));
        add_mover(world, who, point(-2, 0.6), 0, point(3, 0), 0);
        for (int i = 0; i < 120; i++) {
            run(world, 1);
            cn_contact contacts[16];
            int count = cn_world_contacts(world, contacts, 16);
            assert_in_range(count, i < 100 ? 0 : 2, 16);
            for (int k = 0; k < count; k++) {
                vec2s n = contacts[k].manifold.normal;
                assert_near(fmax((double)n.y, -(double)n.x), 1, 1e-3);
            }
        }
        cn_world_destroy(world);
    }
}

// Outer corners, sides and seams: a block of 3 x 3 tiles and one box, turned and moved.
static void tiles_collide_as_the_whole_does(void **state) {
    (void)state;
    uint64_t seed = 3;
    cn_world *whole = make_world(0), *pieces = make_world(0);
    cn_body a = add(whole, (cn_body_def){.type = CN_STATIC},
                    (cn_shape_def){.hull = cn_box(1.5f, 1.5f), .material = slick});
    cn_body b = add_static(pieces);
    add_map(pieces, b, (const char *const[]){"###", "###", "###"}, 3, 1, point(-1.5, -1.5));
    int touching = 0, others = 0;
    for (int i = 0; i < 20000; i++) {
        if (i % 1000 == 0) {
            vec2s place = point(random_between(&seed, -1, 1), random_between(&seed, -1, 1));
            float angle = (float)random_between(&seed, -4, 4);
            assert_done(cn_body_set_pose(whole, a, place, angle));
            assert_done(cn_body_set_pose(pieces, b, place, angle));
        }
        vec2s place = point(random_between(&seed, -3.2, 3.2), random_between(&seed, -3.2, 3.2));
        vec2s n = {{0}}, m = {{0}};
        double angle = random_between(&seed, -4, 4);
        double expected = deepest_at(whole, i % MOVERS, place, angle, &n);
        double found = deepest_at(pieces, i % MOVERS, place, angle, &m);
        if (expected < -0.03 || fabs(expected - 0.02) < 1e-5) continue;
        assert_true((expected < 1) == (found < 1));
        touching += expected < 1;
        others += found < 1 && (fabs(expected - found) > 1e-4 ||
                                (double)n.x * (double)m.x + (double)n.y * (double)m.y < 0.9999);
    }
    assert_in_range(touching, 300, 20000);
    assert_in_range(others, 0, 1);
    cn_world_destroy(whole);
    cn_world_destroy(pieces);
}

// ---- fast bodies

static void fast_bodies_do_not_pass_a_wall_of_one_tile(void **state) {
    (void)state;
    const char *const wall[] = {"#", "#", "#", "#", "#", "#", "#", "#", "#", "#"};
    for (int who = 0; who < MOVERS; who++)
        for (int i = 0; i < 20; i++)
            for (int k = 0; k < 4; k++) {
                cn_world *world = make_world(0);
                add_map(world, add_static(world), wall, 10, 0.5, point(0, -2.5));
                double speed = k & 1 ? 1000 : 100, bounce = k & 2 ? 0.5 : 0;
                cn_body body = add_mover(world, who, point(-30 - 0.3 * i, 0.05 * i), 0,
                                         point(speed, 0), bounce);
                run(world, 60);
                motion m = motion_of(world, body);
                assert_true(m.x < 0 && (bounce == 0 || m.vx < 0));
                cn_world_destroy(world);
            }
}

// ---- a grid that moves

static void what_lies_on_a_grid_notices_when_it_moves(void **state) {
    (void)state;
    cn_world *world = sleepy_world(0);
    cn_body ground = add_static(world);
    add_tile_floor(world, ground, 20, 0.5);
    cn_body body = add_mover(world, 0, point(5, 0.5), 0, point(0, 0), 0);
    run(world, 120);
    assert_false(cn_body_awake(world, body));
    assert_done(cn_body_set_pose(world, ground, point(3, -1), 0)); // it falls by a metre
    run(world, 200);
    assert_near(motion_of(world, body).y, -0.5, 0.3e-3);
    assert_false(cn_body_awake(world, body));
    assert_done(cn_body_set_enabled(world, ground, false));
    run(world, 20);
    assert_in_range(motion_of(world, body).y < -0.8, 1, 1);
    assert_done(cn_body_set_pose(world, ground, point(-4, -5), 0));
    assert_done(cn_body_set_enabled(world, ground, true));
    run(world, 200);
    assert_near(motion_of(world, body).y, -4.5, 0.3e-3);
    assert_done(cn_body_destroy(world, ground));
    run(world, 30);
    assert_in_range(motion_of(world, body).y < -5, 1, 1);
    cn_world_destroy(world);
}

// ---- names

static void events_and_contacts_name_the_tile(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body ground = add_static(world);
    add_tile_floor(world, ground, 3, 1);
    cn_tiles tiles = add_map(world, ground, (const char *const[]){"#####"}, 1, 2, point(10, -2));
    cn_body body = add_mover(world, 0, point(15, 0.5), 0, point(0, 0), 0);
    run(world, 1);
    cn_events events = cn_world_events(world);
    cn_contact contact;
    assert_int_equal(events.begin_count, 1);
    assert_int_equal(cn_world_contacts(world, &contact, 1), 1);
    const cn_side sides[] = {events.begins[0].a, contact.a};
    for (int i = 0; i < 2; i++) {
        assert_true(sides[i].tiles.id == tiles.id && sides[i].body.id == ground.id);
        assert_int_equal(sides[i].tile, 2);
        assert_int_equal(sides[i].shape_user_data, 77);
    }
    assert_true(contact.b.tiles.id == 0 && contact.b.tile == -1);
    assert_int_equal(cn_tiles_body(world, tiles).id, ground.id);
    assert_done(cn_tiles_destroy(world, tiles));
    assert_false(cn_tiles_valid(world, tiles));
    run(world, 1);
    events = cn_world_events(world);
    assert_int_equal(events.end_count, 1);
    assert_true(events.ends[0].a.tiles.id == tiles.id && events.ends[0].a.tile == 2);
    run(world, 10);
    assert_in_range(motion_of(world, body).y < 0.45, 1, 1);
    cn_world_destroy(world);
}

static void check_that_it_cannot_be_changed(cn_world *world, cn_shape tile) {
    cn_hull box = cn_box(1, 1);
    REFUSES(CN_ERROR_STATE, cn_shape_destroy(world, tile));
    REFUSES(CN_ERROR_STATE, cn_shape_set_hull(world, tile, &box));
    REFUSES(CN_ERROR_STATE, cn_shape_set_density(world, tile, 1));
    REFUSES(CN_ERROR_STATE, cn_shape_set_material(world, tile, (cn_material){0}));
    REFUSES(CN_ERROR_STATE, cn_shape_set_filter(world, tile, (cn_filter){0}));
    REFUSES(CN_ERROR_STATE, cn_shape_set_hit_events(world, tile, true));
    REFUSES(CN_ERROR_STATE, cn_shape_set_touch_events(world, tile, true));
    REFUSES(CN_ERROR_STATE, cn_shape_set_user_data(world, tile, 1));
}

static void the_shapes_of_tiles_are_hidden_and_not_the_users(void **state) {
    (void)state;
    cn_world *world = watched = make_world(GRAVITY);
    cn_body ground = add_static(world);
    add_tile_floor(world, ground, 20, 1);
    cn_body body = add_mover(world, 0, point(3, 0.5), 0, point(0, 0), 0);
    run(world, 1);
    cn_contact contact;
    assert_in_range(cn_world_contacts(world, &contact, 1), 1, 2);
    cn_shape tile = contact.a.shape, own = cn_body_next_shape(world, body, (cn_shape){0});
    assert_int_equal(cn_shape_body(world, tile).id, ground.id);
    assert_near(cn_shape_bounds(world, tile).upper.y, 0, 1e-6);
    check_that_it_cannot_be_changed(world, tile);
    REFUSES(CN_ERROR_STATE, cn_body_set_type(world, ground, CN_DYNAMIC));
    assert_int_equal(cn_world_counters(world).shapes, 1);
    assert_int_equal(cn_world_next_shape(world, (cn_shape){0}).id, own.id);
    assert_int_equal(cn_world_next_shape(world, own).id, 0);
    assert_int_equal(cn_body_next_shape(world, ground, (cn_shape){0}).id, 0);
    assert_done(cn_body_destroy(world, body));
    run(world, 64);
    assert_false(cn_shape_valid(world, tile)); // taken back
    cn_world_destroy(world);
    watched = NULL;
}

// ---- tiles that come and go

enum { WIDE = 24, HIGH = 8, MAX_OPEN = 4096 };

typedef struct {
    cn_world *world;
    cn_body ground;
    cn_tiles tiles;
    uint64_t open[MAX_OPEN]; // pairs that touch: shape ids of both
    int open_count;
    uint64_t seed;
} building;

static uint64_t key_of(const cn_touch_event *event) {
    assert_int_equal(event->a.tile >= 0, event->a.tiles.id != 0);
    return event->a.shape.id * 0x9E3779B97F4A7C15u + event->b.shape.id;
}

static void follow_events(building *b) {
    cn_events events = cn_world_events(b->world);
    for (int i = 0; i < events.end_count; i++) {
        int k = 0;
        while (k < b->open_count && b->open[k] != key_of(&events.ends[i])) k++;
        assert_in_range(k, 0, b->open_count - 1); // it had begun
        b->open[k] = b->open[--b->open_count];
    }
    for (int i = 0; i < events.begin_count; i++) {
        uint64_t key = key_of(&events.begins[i]);
        for (int k = 0; k < b->open_count; k++) assert_true(b->open[k] != key); // it had ended
        b->open[b->open_count++] = key;
        assert_in_range(b->open_count, 1, MAX_OPEN - 1);
    }
}

static bool begin_building(building *b, cn_world_def def) {
    *b = (building){.seed = 5};
    def.gravity = point(0, -10);
    b->world = cn_world_create(&def);
    if (!b->world) return false; // this machine has no such lanes
    b->ground = add_static(b->world);
    uint8_t solid[WIDE * HIGH] = {0};
    for (int i = 0; i < WIDE * HIGH; i++)
        solid[i] = i < 4 * WIDE || i % WIDE == 0 || i % WIDE == WIDE - 1;
    cn_tiles_def map = {.solid = solid, .width = WIDE, .height = HIGH, .tile_size = 0.7f};
    b->tiles = cn_tiles_create(b->world, b->ground, &map);
    assert_done(b->tiles.id != 0);
    add(b->world, (cn_body_def){.type = CN_STATIC, .position = {{8, -4}}},
        (cn_shape_def){.hull = cn_box(50, 2)});
    for (int i = 0; i < 40; i++)
        add_mover(b->world, i % MOVERS, point(2 + 0.3 * i, 4 + 1.1 * (i % 5)), 0, point(0, 0), 0);
    return true;
}

static void edit(building *b) {
    int x = (int)random_between(&b->seed, 0, WIDE), y = (int)random_between(&b->seed, 0, HIGH);
    bool solid = random_between(&b->seed, 0, HIGH) > y;
    assert_done(cn_tiles_set(b->world, b->tiles, x, y, solid));
    double turn = random_between(&b->seed, 0, 150);
    if (turn < 1) assert_done(cn_body_set_pose(b->world, b->ground, point(0, turn), 0));
    if (turn > 149) {
        assert_done(cn_body_set_enabled(b->world, b->ground, false));
        run(b->world, 1);
        follow_events(b);
        assert_done(cn_body_set_enabled(b->world, b->ground, true));
    }
}

// The hash over all steps.
static uint64_t build(int lanes, int steps) {
    building b;
    uint64_t hash = 0;
    if (!begin_building(&b, (cn_world_def){.lanes = lanes})) return 0;
    for (int i = 0; i < steps; i++) {
        if (i % 3 == 0 && i / 400 % 2 == 0) edit(&b); // and time to fall asleep
        run(b.world, 1);
        follow_events(&b);
        hash = hash * 31 + cn_world_hash(b.world);
    }
    cn_contact contact;
    assert_int_equal(cn_world_contacts(b.world, &contact, 1), b.open_count);
    assert_done(cn_tiles_destroy(b.world, b.tiles));
    run(b.world, 300);
    cn_world_destroy(b.world);
    return hash;
}

static void every_begin_has_its_end_when_tiles_come_and_go(void **state) {
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

// ---- memory

typedef struct {
    int calls, fail_at; // the call with this number fails; 0: none
    size_t bytes;
} meter;

static void *meter_allocate(size_t size, size_t alignment, void *user) {
    meter *m = user;
    if (++m->calls == m->fail_at) return NULL;
    m->bytes += size;
    return take_room(size, alignment);
}

static void meter_release(void *block, size_t size, void *user) {
    ((meter *)user)->bytes -= size;
    give_room(block);
}

static void a_step_without_memory_for_tiles_does_not_show_in_what_follows(void **state) {
    (void)state;
    building a, b;
    meter m = {0};
    begin_building(&a, (cn_world_def){0});
    begin_building(&b, (cn_world_def){.allocator = {meter_allocate, meter_release, &m}});
    int failures = 0;
    for (int i = 0; i < 200; i++) {
        if (i % 3 == 0) edit(&a), edit(&b);
        run(a.world, 1);
        bool done = false;
        for (int n = 1; !done; n++) {
            m.calls = 0, m.fail_at = n;
            done = cn_world_step(b.world, STEP);
            failures += !done;
            assert_true(done || cn_error_code() == CN_ERROR_MEMORY);
        }
        m.fail_at = 0;
        if (i < 20) assert_int_equal(cn_world_hash(a.world), cn_world_hash(b.world));
    }
    assert_in_range(failures, 20, 10000);
    cn_world_destroy(a.world);
    cn_world_destroy(b.world);
    assert_int_equal(m.bytes, 0);
}

static void a_grid_without_memory_is_none(void **state) {
    (void)state;
    meter m = {0};
    cn_world_def def = {.allocator = {meter_allocate, meter_release, &m}};
    cn_world *world = watched = cn_world_create(&def);
    cn_body body = add_static(world);
    uint8_t solid[4] = {1, 0, 1, 1};
    cn_tiles_def map = {.solid = solid, .width = 2, .height = 2, .tile_size = 1};
    cn_tiles tiles = {0};
    for (int n = 1; !tiles.id; n++) {
        uint64_t hash = cn_world_hash(world);
        m.calls = 0, m.fail_at = n;
        tiles = cn_tiles_create(world, body, &map);
        assert_true(tiles.id || cn_error_code() == CN_ERROR_MEMORY);
        assert_true(tiles.id || cn_world_hash(world) == hash);
        assert_in_range(n, 1, 100);
    }
    m.fail_at = 1, m.calls = 0;
    assert_done(cn_tiles_set(world, tiles, 1, 0, true));
    assert_done(cn_tiles_destroy(world, tiles));
    cn_world_destroy(world);
    assert_int_equal(m.bytes, 0);
    watched = NULL;
}

// ---- what a grid is

static void a_grid_gives_its_size_and_place(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = cn_body_create(
        world, &(cn_body_def){.type = CN_STATIC, .position = {{100, 200}}, .angle = 1});
    const uint8_t solid[6] = {1, 0, 1, 1, 0, 1};
    cn_tiles_def def = {.solid = solid, .width = 3, .height = 2, .tile_size = 0.25f};
    def.origin = point(-7, 8);
    cn_tiles tiles = cn_tiles_create(world, body, &def);
    assert_done(tiles.id != 0);
    assert_int_equal(cn_tiles_width(world, tiles), 3);
    assert_int_equal(cn_tiles_height(world, tiles), 2);
    assert_true(cn_tiles_tile_size(world, tiles) == 0.25f);
    vec2s origin = cn_tiles_origin(world, tiles); // in the body's frame
    assert_true(origin.x == -7 && origin.y == 8);
    cn_world_destroy(world);
}

// Far from the origin, where floats are coarse, the smallest allowed tiles still carry bodies.
static void the_finest_tiles_far_out_are_solid(void **state) {
    (void)state;
    const uint8_t solid[64] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    for (float far = 1e5f; far < 1e6f; far *= 1.37f) {
        cn_world *world = make_world(GRAVITY);
        cn_tiles_def def = {.solid = solid, .width = 16, .height = 1};
        def.tile_size = 1.01f / (1 << 19) * (far + 1), def.origin = point((double)far, -1);
        cn_set_error_hook(hear, NULL);
        heard.count = 0;
        assert_done(cn_tiles_create(world, add_static(world), &def).id != 0);
        double width = 16 * (double)def.tile_size, top = -1 + (double)def.tile_size;
        cn_shape_def ball = {.hull = cn_circle((float)width / 4)};
        cn_body body =
            add(world, (cn_body_def){.position = point((double)far + width / 2, top + width / 2)},
                ball);
        run(world, 120);
        assert_true(motion_of(world, body).y > top);
        assert_int_equal(heard.count, 0); // all hulls could be made
        cn_world_destroy(world);
    }
}

static int count_shapes(cn_world *world) {
    int count = 0;
    for (int slot = 0; slot < 100; slot++) count += cn_world_shape(world, slot).id != 0;
    return count;
}

// The slots of a ball, and of the shapes of the tiles below it, which come and go.
static void slots_do_not_show_the_shapes_of_tiles(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body ground = add_static(world);
    cn_tiles tiles = add_map(world, ground, (const char *const[]){"#####"}, 1, 1, point(-2, -1));
    add(world, (cn_body_def){.position = point(0.5, 0.5)}, (cn_shape_def){.hull = cn_circle(0.5f)});
    run(world, 5);
    cn_contact contact;
    assert_int_equal(cn_world_contacts(world, &contact, 1), 1);
    cn_side tile = contact.a.tiles.id ? contact.a : contact.b;
    assert_true(tile.tiles.id == tiles.id && cn_shape_valid(world, tile.shape));
    cn_error_clear();
    assert_true(cn_world_shape(world, (int)(tile.shape.id & 0xFFFFFF)).id == 0);
    assert_int_equal(count_shapes(world), 1);
    assert_true(cn_world_grid(world, 0).id == tiles.id && cn_world_grid(world, 1).id == 0);
    assert_int_equal(cn_error_code(), CN_ERROR_NONE);
    // The handle of a tile's shape outlives the shape.
    assert_done(cn_tiles_destroy(world, tiles));
    assert_true(cn_shape_body(world, tile.shape).id == 0);
    assert_non_null(strstr(cn_error(), "was destroyed, or was a tile that has no shape now"));
    assert_true(cn_world_grid(world, 0).id == 0);
    cn_world_destroy(world);
}

// ---- mistakes

#define REFUSED(kind, call)                                                                        \
    do {                                                                                           \
        before_call before = prepare_refusal(kind);                                                \
        assert_true(call);                                                                         \
        assert_int_equal(cn_error_code(), kind);                                                   \
        assert_true(has_reason(cn_error()) && heard_once());                                       \
        assert_int_equal(cn_world_hash(watched), before.hash);                                     \
    } while (0)
#define BAD_TILES(kind, BODY, ...)                                                                 \
    REFUSED(kind, is_zero_tiles(cn_tiles_create(world, BODY, &(cn_tiles_def){__VA_ARGS__})))

static void bad_grids_are_refused(void **state) {
    (void)state;
    cn_world *world = watched = make_world(0);
    cn_body ground = add_static(world), none = {0};
    cn_body dynamic = cn_body_create(world, &(cn_body_def){.type = CN_DYNAMIC});
    cn_body lift = cn_body_create(world, &(cn_body_def){.type = CN_KINEMATIC});
    const uint8_t s[4] = {1, 1, 1, 1};
    BAD_TILES(CN_ERROR_HANDLE, none, .solid = s, .width = 2, .height = 2, .tile_size = 1);
    BAD_TILES(CN_ERROR_STATE, dynamic, .solid = s, .width = 2, .height = 2, .tile_size = 1);
    BAD_TILES(CN_ERROR_STATE, lift, .solid = s, .width = 2, .height = 2, .tile_size = 1);
    BAD_TILES(CN_ERROR_HANDLE, ground, .width = 2, .height = 2, .tile_size = 1);
    BAD_TILES(CN_ERROR_RANGE, ground, .solid = s, .width = 0, .height = 2, .tile_size = 1);
    BAD_TILES(CN_ERROR_RANGE, ground, .solid = s, .width = 2, .height = -2, .tile_size = 1);
    BAD_TILES(CN_ERROR_RANGE, ground, .solid = s, .width = 1 << 20, .height = 65, .tile_size = 1);
    BAD_TILES(CN_ERROR_RANGE, ground, .solid = s, .width = INT32_MAX, .height = INT32_MAX,
              .tile_size = 1);
    BAD_TILES(CN_ERROR_RANGE, ground, .solid = s, .width = 2, .height = 2);
    BAD_TILES(CN_ERROR_RANGE, ground, .solid = s, .width = 2, .height = 2, .tile_size = -1);
    BAD_TILES(CN_ERROR_RANGE, ground, .solid = s, .width = 2, .height = 2, .tile_size = 0.001f);
    BAD_TILES(CN_ERROR_RANGE, ground, .solid = s, .width = 2, .height = 2, .tile_size = 8e8f);
    BAD_TILES(CN_ERROR_RANGE, ground, .solid = s, .width = 2, .height = 2, .tile_size = 0.1f,
              .origin = {{0, -1e5f}});
    BAD_TILES(CN_ERROR_NUMBER, ground, .solid = s, .width = 2, .height = 2, .tile_size = NAN);
    BAD_TILES(CN_ERROR_NUMBER, ground, .solid = s, .width = 2, .height = 2, .tile_size = 1,
              .origin = {{NAN, 0}});
    BAD_TILES(CN_ERROR_RANGE, ground, .solid = s, .width = 2, .height = 2, .tile_size = 1,
              .origin = {{0, 2e9f}});
    BAD_TILES(CN_ERROR_RANGE, ground, .solid = s, .width = 2, .height = 2, .tile_size = 1,
              .material = {.friction = -1});
    REFUSED(CN_ERROR_HANDLE, is_zero_tiles(cn_tiles_create(world, ground, NULL)));
    cn_world_destroy(world);
    watched = NULL;
}

static void calls_with_bad_handles_and_places_are_refused(void **state) {
    (void)state;
    cn_world *world = watched = make_world(0);
    const cn_tiles none = {0};
    cn_body body = add_static(world), other = add_static(world);
    cn_tiles tiles = add_map(world, body, (const char *const[]){"##", "##"}, 2, 1, point(0, 0));
    cn_tiles gone = add_map(world, other, (const char *const[]){"##"}, 1, 1, point(0, 0));
    assert_done(cn_body_destroy(world, other));
    assert_false(cn_tiles_valid(world, gone));
    REFUSED(CN_ERROR_RANGE, !cn_tiles_set(world, tiles, 2, 0, true));
    REFUSED(CN_ERROR_RANGE, !cn_tiles_set(world, tiles, 0, -1, true));
    REFUSED(CN_ERROR_RANGE, !cn_tiles_get(world, tiles, -1, 0));
    REFUSED(CN_ERROR_RANGE, !cn_tiles_get(world, tiles, 0, 2));
    const cn_tiles bad[] = {none, gone, {tiles.id + 1}, {tiles.id + ((uint64_t)1 << 24)}};
    for (int i = 0; i < 4; i++) {
        REFUSED(CN_ERROR_HANDLE, !cn_tiles_set(world, bad[i], 0, 0, true));
        REFUSED(CN_ERROR_HANDLE, !cn_tiles_get(world, bad[i], 0, 0));
        REFUSED(CN_ERROR_HANDLE, !cn_tiles_destroy(world, bad[i]));
        REFUSED(CN_ERROR_HANDLE, !cn_tiles_body(world, bad[i]).id);
        REFUSES(CN_ERROR_HANDLE, cn_tiles_width(world, bad[i]));
        REFUSES(CN_ERROR_HANDLE, cn_tiles_height(world, bad[i]));
        REFUSES(CN_ERROR_HANDLE, cn_tiles_tile_size(world, bad[i]));
        REFUSES(CN_ERROR_HANDLE, cn_tiles_origin(world, bad[i]));
    }
    REFUSED(CN_ERROR_HANDLE, !cn_tiles_destroy(NULL, tiles));
    cn_world_destroy(world);
    watched = NULL;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_tiles_are_four_bytes_each),
        cmocka_unit_test(bodies_slide_over_200_tiles_without_a_bump),
        cmocka_unit_test(a_turned_grid_is_as_smooth),
        cmocka_unit_test(a_grid_joins_what_touches_it),
        cmocka_unit_test(bodies_rest_on_tiles_and_fall_asleep),
        cmocka_unit_test(a_body_falls_through_a_tile_that_is_cleared),
        cmocka_unit_test(a_body_lands_on_a_tile_that_is_set),
        cmocka_unit_test(the_inner_corner_of_tiles_has_two_faces),
        cmocka_unit_test(tiles_collide_as_the_whole_does),
        cmocka_unit_test(fast_bodies_do_not_pass_a_wall_of_one_tile),
        cmocka_unit_test(what_lies_on_a_grid_notices_when_it_moves),
        cmocka_unit_test(events_and_contacts_name_the_tile),
        cmocka_unit_test(the_shapes_of_tiles_are_hidden_and_not_the_users),
        cmocka_unit_test(every_begin_has_its_end_when_tiles_come_and_go),
        cmocka_unit_test(all_lanes_give_the_same_bits),
        cmocka_unit_test(a_step_without_memory_for_tiles_does_not_show_in_what_follows),
        cmocka_unit_test(a_grid_without_memory_is_none),
        cmocka_unit_test(a_grid_gives_its_size_and_place),
        cmocka_unit_test(the_finest_tiles_far_out_are_solid),
        cmocka_unit_test(slots_do_not_show_the_shapes_of_tiles),
        cmocka_unit_test(bad_grids_are_refused),
        cmocka_unit_test(calls_with_bad_handles_and_places_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
