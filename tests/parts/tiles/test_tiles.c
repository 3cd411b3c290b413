/* Grids of tiles as ground: bodies slide, rest and fall on them as on one floor, tiles are set and
 * cleared under bodies, and results do not depend on which tiles have become shapes. */
#include "../../support/meter.h"
#include "../../support/tile_maps.h"

#include <stdio.h>

static cn_world *sleepy_world(int lanes) {
    cn_world_def def = {.gravity = {{0, -10}}, .lanes = lanes};
    return cn_world_create(&def);
}

// ---- sliding

typedef struct {
    double bump, lost; // greatest deviation of the height, m; fraction of the speed that was lost
} ride;

// Slides a mover over a grid on a turned body. Gravity is turned in the same way, and the height is
// measured in the frame of the body.
static ride ride_over(int which, double size, double angle, bool tilted) {
    cn_world *world = make_world(0);
    double c = cos(angle), s = sin(angle);
    assert_done(cn_world_set_gravity(world, point(GRAVITY * s, -GRAVITY * c)));
    cn_body ground = add_static(world);
    add_tile_floor(world, ground, (int)(100 / size + 0.5), size);
    assert_done(cn_body_set_pose(world, ground, cn_pose_at(point(0, 0), (float)angle)));
    double h = tilted ? 0.55 : 0.5, tilt = angle + (tilted ? 0.05 : 0);
    cn_body body =
        add_mover(world, which, point(3 * c - h * s, 3 * s + h * c), 0, point(20 * c, 20 * s), 0);
    vec2s start = point(3 * c - h * s, 3 * s + h * c);
    assert_done(cn_body_set_pose(world, body, cn_pose_at(start, (float)tilt)));
    if (tilted) run(world, 90); // until it lies flat
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

static void check_ride(int which, double size, double angle, bool tilted) {
    ride r = ride_over(which, size, angle, tilted);
    if (getenv("CN_PRINT"))
        printf("mover %d, size %g angle %g: bump %.4f mm, lost %.5f %%\n", which, size, angle,
               1e3 * r.bump, 100 * r.lost);
    assert_near(r.bump, 0, 0.5e-3);
    assert_near(r.lost, 0, 1e-4);
}

static void bodies_slide_over_200_tiles_without_a_bump(void **state) {
    (void)state;
    for (int which = 0; which < MOVERS; which++)
        for (int tilted = 0; tilted < 2; tilted++) {
            check_ride(which, 0.5, 0, tilted);
            check_ride(which, 1, 0, tilted);
        }
}

static void a_turned_grid_is_as_smooth(void **state) {
    (void)state;
    for (int which = 0; which < MOVERS; which++) {
        check_ride(which, 0.5, 0.5, false);
        check_ride(which, 1, -2.5, false);
    }
}

// One body has tiles from x = 0 to 20, a box to 40 and another grid to 60.
static void a_grid_and_shapes_that_touch_it_are_one_smooth_floor(void **state) {
    (void)state;
    for (int which = 0; which < MOVERS; which++) {
        cn_world *world = make_world(GRAVITY);
        cn_body ground = add_static(world);
        char row[41];
        memset(row, '#', 40), row[40] = 0;
        add_tile_floor(world, ground, 20, 1);
        add_map(world, ground, (const char *const[]){row}, 1, 0.5, point(40, -0.5));
        cn_hull slab = cn_box(10, 1);
        slab = cn_hull_at(slab, cn_pose_at(point(30, -1), 0));
        cn_shape_def def = {.hull = slab, .material = frictionless};
        assert_done(cn_shape_create(world, ground, &def).id != 0);
        cn_body body = add_mover(world, which, point(3, 0.5), 0, point(20, 0), 0);
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
    for (int which = 0; which < MOVERS; which++) {
        cn_world *world = sleepy_world(0);
        cn_body ground = add_static(world);
        add_tile_floor(world, ground, 40, 0.25);
        cn_body body = add_mover(world, which, point(5, 1), 0, point(0, 0), 0);
        run(world, 300);
        motion m = motion_of(world, body);
        assert_near(m.y, 0.5, 0.3e-3);
        assert_near(m.x, 5, 1e-3);
        assert_near(m.angle, 0, 1e-3);
        assert_false(!cn_body_asleep(world, body));
        cn_world_destroy(world);
    }
}

static void a_body_falls_through_a_tile_that_is_cleared(void **state) {
    (void)state;
    for (int asleep = 0; asleep < 2; asleep++)
        for (int which = 0; which < MOVERS; which++) {
            cn_world *world = sleepy_world(0);
            cn_grid tiles = add_map(world, add_static(world), (const char *const[]){"#####"}, 1, 2,
                                    point(0, -2));
            cn_body body = add_mover(world, which, point(5, 0.5), 0, point(0, 0), 0);
            run(world, asleep ? 200 : 10);
            assert_int_equal(!cn_body_asleep(world, body), !asleep);
            assert_done(cn_grid_set_solid(world, tiles, 2, 0, false));
            run(world, 60);
            assert_near(motion_of(world, body).y, 0.5 - 0.5 * GRAVITY, 0.15);
            cn_world_destroy(world);
        }
}

static void a_body_lands_on_a_tile_that_is_set(void **state) {
    (void)state;
    for (int which = 0; which < MOVERS; which++) {
        cn_world *world = sleepy_world(0);
        const char *const map[] = {"...", "...", "###"};
        cn_grid tiles = add_map(world, add_static(world), map, 3, 2, point(0, -2));
        cn_body body = add_mover(world, which, point(3, 5), 0, point(0, 0), 0);
        run(world, 20);
        assert_done(cn_grid_set_solid(world, tiles, 1, 1, true)); // the top of the tile is y = 2
        assert_true(cn_grid_solid(world, tiles, 1, 1));
        run(world, 200);
        assert_near(motion_of(world, body).y, 2.5, 0.3e-3);
        assert_false(!cn_body_asleep(world, body));
        // A tile beside the body may wake it or not.
        assert_done(cn_grid_set_solid(world, tiles, 0, 1, true));
        assert_done(cn_grid_set_solid(world, tiles, 1, 1, false));
        run(world, 200);
        assert_near(motion_of(world, body).y, 0.5, 0.3e-3);
        cn_world_destroy(world);
    }
}

// ---- corners

static void the_inner_corner_of_tiles_has_two_faces(void **state) {
    (void)state;
    const char *const map[] = {"....#", "....#", "....#", "#####"};
    for (int which = 0; which < MOVERS; which++) {
        cn_world *world =
            cn_world_create(&(cn_world_def){.gravity = {{10, -10}}, .no_sleep = true});
        add_map(world, add_static(world), map, 4, 1, point(-4, -1));
        add_mover(world, which, point(-2, 0.6), 0, point(3, 0), 0);
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

// Compares a block of 3 x 3 tiles with one box at random poses: outer corners, sides and seams.
static void tiles_collide_like_one_box_of_their_size(void **state) {
    (void)state;
    cn_world *whole = make_world(0), *pieces = make_world(0);
    cn_body a = add(whole, (cn_body_def){.type = CN_STATIC},
                    (cn_shape_def){.hull = cn_box(1.5f, 1.5f), .material = frictionless});
    cn_body b = add_static(pieces);
    add_map(pieces, b, (const char *const[]){"###", "###", "###"}, 3, 1, point(-1.5, -1.5));
    check_same_outline(whole, a, pieces, b, 3);
    cn_world_destroy(whole);
    cn_world_destroy(pieces);
}

// ---- fast bodies

static void fast_bodies_do_not_pass_a_wall_of_one_tile(void **state) {
    (void)state;
    const char *const wall[] = {"#", "#", "#", "#", "#", "#", "#", "#", "#", "#"};
    for (int which = 0; which < MOVERS; which++)
        for (int i = 0; i < 20; i++)
            for (int k = 0; k < 4; k++) {
                cn_world *world = make_world(0);
                add_map(world, add_static(world), wall, 10, 0.5, point(0, -2.5));
                double speed = k & 1 ? 1000 : 100, bounce = k & 2 ? 0.5 : 0;
                cn_body body = add_mover(world, which, point(-30 - 0.3 * i, 0.05 * i), 0,
                                         point(speed, 0), bounce);
                run(world, 60);
                motion m = motion_of(world, body);
                assert_true(m.x < 0 && (bounce == 0 || m.vx < 0));
                cn_world_destroy(world);
            }
}

// ---- a grid that moves

static void bodies_on_a_grid_wake_when_it_moves(void **state) {
    (void)state;
    cn_world *world = sleepy_world(0);
    cn_body ground = add_static(world);
    add_tile_floor(world, ground, 20, 0.5);
    cn_body body = add_mover(world, 0, point(5, 0.5), 0, point(0, 0), 0);
    run(world, 120);
    assert_false(!cn_body_asleep(world, body));
    assert_done(
        cn_body_set_pose(world, ground, cn_pose_at(point(3, -1), 0))); // the body falls by a metre
    run(world, 200);
    assert_near(motion_of(world, body).y, -0.5, 0.3e-3);
    assert_false(!cn_body_asleep(world, body));
    assert_done(cn_body_set_disabled(world, ground, true));
    run(world, 20);
    assert_in_range(motion_of(world, body).y < -0.8, 1, 1);
    assert_done(cn_body_set_pose(world, ground, cn_pose_at(point(-4, -5), 0)));
    assert_done(cn_body_set_disabled(world, ground, false));
    run(world, 200);
    assert_near(motion_of(world, body).y, -4.5, 0.3e-3);
    assert_done(cn_body_destroy(world, ground));
    run(world, 30);
    assert_in_range(motion_of(world, body).y < -5, 1, 1);
    cn_world_destroy(world);
}

// ---- tiles that are set and cleared

enum { WIDE = 24, HIGH = 8, MAX_OPEN = 4096 };

typedef struct {
    cn_world *world;
    cn_body ground;
    cn_grid tiles;
    uint64_t open[MAX_OPEN]; // pairs that touch: a key of both shapes
    int open_count;
    uint64_t seed;
    bool forms; // edits make tiles of all forms and materials, and one-way tiles
} building;

static uint64_t key_of(const cn_touch_event *event) {
    assert_int_equal(event->a.tile >= 0, event->a.grid.id != 0);
    return event->a.shape.id * 0x9E3779B97F4A7C15u + event->b.shape.id;
}

static void follow_events(building *b) {
    cn_events events = cn_world_events(b->world);
    for (int i = 0; i < events.end_count; i++) {
        int k = 0;
        while (k < b->open_count && b->open[k] != key_of(&events.ends[i])) k++;
        assert_in_range(k, 0, b->open_count - 1); // the pair had begun
        b->open[k] = b->open[--b->open_count];
    }
    for (int i = 0; i < events.begin_count; i++) {
        uint64_t key = key_of(&events.begins[i]);
        for (int k = 0; k < b->open_count; k++) assert_true(b->open[k] != key); // it had ended
        b->open[b->open_count++] = key;
        assert_in_range(b->open_count, 1, MAX_OPEN - 1);
    }
}

static bool begin_building(building *b, cn_world_def def, bool forms) {
    static const cn_material materials[2] = {{0}, {.restitution = 0.5f, .surface_speed = 1}};
    *b = (building){.seed = 5, .forms = forms};
    def.gravity = point(0, -10);
    b->world = cn_world_create(&def);
    if (!b->world) return false; // this machine has no such lanes
    b->ground = add_static(b->world);
    uint8_t solid[WIDE * HIGH] = {0};
    for (int i = 0; i < WIDE * HIGH; i++)
        solid[i] = i < 4 * WIDE || i % WIDE == 0 || i % WIDE == WIDE - 1;
    cn_grid_def map = {.solid = solid, .width = WIDE, .height = HIGH, .tile_size = 0.7f};
    if (forms) map.materials = materials, map.material_count = 2;
    b->tiles = cn_grid_create(b->world, b->ground, &map);
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
    cn_tile tile = {.solid = solid, .form = (cn_tile_form)random_between(&b->seed, 0, 5)};
    tile.one_way = random_between(&b->seed, 0, 5) < 1;
    tile.material = random_between(&b->seed, 0, 3) < 1;
    if (b->forms)
        assert_done(cn_grid_set_tile(b->world, b->tiles, x, y, tile));
    else
        assert_done(cn_grid_set_solid(b->world, b->tiles, x, y, solid));
    double turn = random_between(&b->seed, 0, 150);
    if (turn < 1) assert_done(cn_body_set_pose(b->world, b->ground, cn_pose_at(point(0, turn), 0)));
    if (turn > 149) {
        assert_done(cn_body_set_disabled(b->world, b->ground, true));
        run(b->world, 1);
        follow_events(b);
        assert_done(cn_body_set_disabled(b->world, b->ground, false));
    }
}

// Runs edits and steps. Returns a hash over all steps, or 0 if this machine has no such lanes.
static uint64_t build(int lanes, int threads, int steps, bool forms) {
    building b;
    uint64_t hash = 0;
    if (!begin_building(&b, (cn_world_def){.lanes = lanes, .threads = threads}, forms)) return 0;
    for (int i = 0; i < steps; i++) {
        if (i % 3 == 0 && i / 400 % 2 == 0) edit(&b); // with pauses in which bodies fall asleep
        run(b.world, 1);
        follow_events(&b);
        hash = hash * 31 + cn_world_hash(b.world);
    }
    cn_contact contact;
    assert_int_equal(cn_world_contacts(b.world, &contact, 1), b.open_count);
    assert_done(cn_grid_destroy(b.world, b.tiles));
    run(b.world, 300);
    cn_world_destroy(b.world);
    return hash;
}

static void every_begin_has_its_end_when_tiles_are_set_and_cleared(void **state) {
    (void)state;
    build(0, 1, 2000, false);
    build(0, 1, 2000, true);
}

static void a_changing_grid_gives_the_same_bits_on_all_lanes_and_threads(void **state) {
    (void)state;
    for (int forms = 0; forms < 2; forms++) {
        uint64_t hash = build(1, 1, 500, forms);
        assert_int_equal(build(4, 3, 500, forms), hash);
        for (int lanes = 8; lanes <= 16; lanes *= 2) {
            uint64_t wide = build(lanes, 1, 500, forms);
            assert_true(wide == 0 || wide == hash);
        }
    }
}

// ---- memory

static void starve_steps(bool forms) {
    building a, b;
    meter m = {0};
    begin_building(&a, (cn_world_def){0}, forms);
    begin_building(&b, (cn_world_def){.allocator = metered(&m)}, forms);
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

static void a_step_that_gets_no_memory_for_tiles_leaves_no_trace(void **state) {
    (void)state;
    starve_steps(false);
    starve_steps(true);
}

// ---- the finest tiles

// The smallest allowed tiles carry bodies even far from the origin, where floats are coarse.
static void the_finest_tiles_far_from_the_origin_are_solid(void **state) {
    (void)state;
    const uint8_t solid[64] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    for (float far = 1e5f; far < 1e6f; far *= 1.37f) {
        cn_world *world = make_world(GRAVITY);
        cn_grid_def def = {.solid = solid, .width = 16, .height = 1};
        def.tile_size = 1.01f / (1 << 19) * (far + 1), def.origin = point((double)far, -1);
        cn_error_set_hook(record_error, NULL);
        hook_calls.count = 0;
        assert_done(cn_grid_create(world, add_static(world), &def).id != 0);
        double width = 16 * (double)def.tile_size, top = -1 + (double)def.tile_size;
        cn_shape_def ball = {.hull = cn_circle((float)width / 4)};
        cn_body body =
            add(world, (cn_body_def){.position = point((double)far + width / 2, top + width / 2)},
                ball);
        run(world, 120);
        assert_true(motion_of(world, body).y > top);
        assert_int_equal(hook_calls.count, 0); // all hulls were valid
        cn_world_destroy(world);
    }
}

// Its tiles never had shapes, so the saved state has no rare properties of shapes.
static void the_first_step_of_a_loaded_world_may_lack_memory(void **state) {
    (void)state;
    static unsigned char bytes[1 << 14];
    cn_world *world = make_world(10);
    cn_body ground = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    const uint8_t solid[] = {1, 1, 1};
    cn_grid_create(world, ground,
                   &(cn_grid_def){.width = 3, .height = 1, .tile_size = 1, .solid = solid});
    cn_body box =
        cn_body_create(world, &(cn_body_def){.type = CN_DYNAMIC, .position = point(1.5, 1.5)});
    cn_shape_create(world, box, &(cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
    size_t size = cn_world_save(world, CN_SAVE_ALL, bytes, sizeof bytes);
    assert_in_range(size, 1, sizeof bytes);
    bool done = false;
    for (int n = 1; !done; n++) {
        meter m = {0};
        cn_world *loaded =
            cn_world_load(&(cn_world_def){.allocator = metered(&m)}, NULL, bytes, size);
        fail_at(&m, n);
        done = cn_world_step(loaded, STEP);
        fail_at(&m, 0);
        assert_done(cn_world_step(loaded, STEP));
        cn_world_destroy(loaded);
        assert_true(m.bytes == 0);
    }
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_slide_over_200_tiles_without_a_bump),
        cmocka_unit_test(a_turned_grid_is_as_smooth),
        cmocka_unit_test(a_grid_and_shapes_that_touch_it_are_one_smooth_floor),
        cmocka_unit_test(bodies_rest_on_tiles_and_fall_asleep),
        cmocka_unit_test(a_body_falls_through_a_tile_that_is_cleared),
        cmocka_unit_test(a_body_lands_on_a_tile_that_is_set),
        cmocka_unit_test(the_inner_corner_of_tiles_has_two_faces),
        cmocka_unit_test(tiles_collide_like_one_box_of_their_size),
        cmocka_unit_test(fast_bodies_do_not_pass_a_wall_of_one_tile),
        cmocka_unit_test(bodies_on_a_grid_wake_when_it_moves),
        cmocka_unit_test(every_begin_has_its_end_when_tiles_are_set_and_cleared),
        cmocka_unit_test(a_changing_grid_gives_the_same_bits_on_all_lanes_and_threads),
        cmocka_unit_test(a_step_that_gets_no_memory_for_tiles_leaves_no_trace),
        cmocka_unit_test(the_finest_tiles_far_from_the_origin_are_solid),
        cmocka_unit_test(the_first_step_of_a_loaded_world_may_lack_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
