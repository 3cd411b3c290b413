/* The calls of grids: reading them back, naming tiles in events and contacts, memory, mistakes. */
#include "../../support/meter.h"
#include "../../support/tile_maps.h"

// ---- size

static void a_million_tiles_load_at_once_and_read_back(void **state) {
    (void)state;
    enum { SIDE = 1000 };
    cn_world *world = make_world(GRAVITY);
    cn_body body = add_static(world);
    uint8_t *solid = calloc(SIDE * SIDE, 1);
    assert_non_null(solid);
    for (int i = 0; i < SIDE * SIDE; i++) solid[i] = (uint8_t)(i * 7 % 5 < 3);
    cn_grid_def def = {.solid = solid, .width = SIDE, .height = SIDE, .tile_size = 1};
    cn_grid tiles = cn_grid_create(world, body, &def);
    assert_done(tiles.id != 0);
    add_mover(world, 0, point(500, 1001), 0, point(0, 0), 0);
    run(world, 60);
    for (int i = 0; i < SIDE * SIDE; i += 997)
        assert_int_equal(cn_grid_solid(world, tiles, i % SIDE, i / SIDE), solid[i]);
    free(solid);
    cn_world_destroy(world);
}

// The middle of the grid is at (3, 1), 2 m x 1 m from its corners, and turned by 30 degrees.
static void the_bounds_of_bodies_and_worlds_have_whole_grids(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body ground = cn_body_create(
        world,
        &(cn_body_def){.type = CN_STATIC, .position = point(3, 1), .angle = (float)(PI / 6)});
    add_map(world, ground, (const char *const[]){"....", "..#."}, 2, 1, point(-2, -1));
    double x = 2 * cos(PI / 6) + sin(PI / 6), y = 2 * sin(PI / 6) + cos(PI / 6);
    for (int i = 0; i < 2; i++) { // also if steps made shapes of tiles
        cn_bounds bounds[] = {cn_body_bounds(world, ground), cn_world_bounds(world)};
        for (int k = 0; k < 2 - i; k++) {
            assert_near((double)bounds[k].lower.x, 3 - x, 1e-5);
            assert_near((double)bounds[k].lower.y, 1 - y, 1e-5);
            assert_near((double)bounds[k].upper.x, 3 + x, 1e-5);
            assert_near((double)bounds[k].upper.y, 1 + y, 1e-5);
        }
        add_mover(world, 0, point(3.5, 0.8), 0, point(0, 0), 0);
        run(world, 5);
    }
    cn_world_destroy(world);
}

// ---- names

static void events_and_contacts_name_the_tile(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body ground = add_static(world);
    add_tile_floor(world, ground, 3, 1);
    cn_grid tiles = add_map(world, ground, (const char *const[]){"#####"}, 1, 2, point(10, -2));
    cn_body body = add_mover(world, 0, point(15, 0.5), 0, point(0, 0), 0);
    run(world, 1);
    cn_events events = cn_world_events(world);
    cn_contact contact;
    assert_int_equal(events.begin_count, 1);
    assert_int_equal(cn_world_contacts(world, &contact, 1), 1);
    const cn_side sides[] = {events.begins[0].a, contact.a};
    for (int i = 0; i < 2; i++) {
        assert_true(sides[i].grid.id == tiles.id && sides[i].body.id == ground.id);
        assert_int_equal(sides[i].tile, 2);
        assert_int_equal(sides[i].shape_user_data, 77);
    }
    assert_true(contact.b.grid.id == 0 && contact.b.tile == -1);
    assert_int_equal(cn_grid_body(world, tiles).id, ground.id);
    assert_done(cn_grid_destroy(world, tiles));
    assert_false(cn_grid_valid(world, tiles));
    run(world, 1);
    events = cn_world_events(world);
    assert_int_equal(events.end_count, 1);
    assert_true(events.ends[0].a.grid.id == tiles.id && events.ends[0].a.tile == 2);
    run(world, 10);
    assert_in_range(motion_of(world, body).y < 0.45, 1, 1);
    cn_world_destroy(world);
}

static void check_that_it_cannot_be_changed(cn_world *world, cn_shape tile) {
    cn_hull box = cn_box(1, 1);
    REFUSES(CN_ERROR_STATE, cn_shape_destroy(world, tile));
    REFUSES(CN_ERROR_STATE, cn_shape_set_hull(world, tile, box));
    REFUSES(CN_ERROR_STATE, cn_shape_set_density(world, tile, 1));
    REFUSES(CN_ERROR_STATE, cn_shape_set_material(world, tile, (cn_material){0}));
    REFUSES(CN_ERROR_STATE, cn_shape_set_filter(world, tile, (cn_filter){0}));
    REFUSES(CN_ERROR_STATE, cn_shape_set_hit_events(world, tile, true));
    REFUSES(CN_ERROR_STATE, cn_shape_set_no_touch_events(world, tile, false));
    REFUSES(CN_ERROR_STATE, cn_shape_set_user_data(world, tile, 1));
}

static void the_shapes_of_tiles_are_hidden_and_cannot_be_changed(void **state) {
    (void)state;
    cn_world *world = unchanged_world = make_world(GRAVITY);
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
    assert_false(cn_shape_valid(world, tile)); // the shape was destroyed
    cn_world_destroy(world);
    unchanged_world = NULL;
}

// ---- memory

static void a_grid_without_memory_is_not_created(void **state) {
    (void)state;
    meter m = {0};
    cn_world_def def = {.allocator = metered(&m)};
    cn_world *world = unchanged_world = cn_world_create(&def);
    cn_body body = add_static(world);
    const cn_tile forms[4] = {{.solid = true, .material = 1}, {.form = CN_TILE_RISES_LEFT}};
    const cn_material materials[2] = {{0}};
    cn_grid_def map = {.tiles = forms, .width = 2, .height = 2, .tile_size = 1};
    map.materials = materials, map.material_count = 2;
    cn_grid tiles = {0};
    for (int n = 1; !tiles.id; n++) {
        uint64_t hash = cn_world_hash(world);
        m.calls = 0, m.fail_at = n;
        tiles = cn_grid_create(world, body, &map);
        assert_true(tiles.id || cn_error_code() == CN_ERROR_MEMORY);
        assert_true(tiles.id || cn_world_hash(world) == hash);
        assert_in_range(n, 1, 100);
    }
    m.fail_at = 1, m.calls = 0;
    assert_done(cn_grid_set_solid(world, tiles, 1, 0, true));
    assert_done(cn_grid_destroy(world, tiles));
    cn_world_destroy(world);
    assert_int_equal(m.bytes, 0);
    unchanged_world = NULL;
}

// ---- reading a grid back

static void a_grid_gives_its_size_and_place(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = cn_body_create(
        world, &(cn_body_def){.type = CN_STATIC, .position = {{100, 200}}, .angle = 1});
    const uint8_t solid[6] = {1, 0, 1, 1, 0, 1};
    cn_grid_def def = {.solid = solid, .width = 3, .height = 2, .tile_size = 0.25f};
    def.origin = point(-7, 8);
    cn_grid tiles = cn_grid_create(world, body, &def);
    assert_done(tiles.id != 0);
    assert_int_equal(cn_grid_width(world, tiles), 3);
    assert_int_equal(cn_grid_height(world, tiles), 2);
    assert_true(cn_grid_tile_size(world, tiles) == 0.25f);
    vec2s origin = cn_grid_origin(world, tiles); // in the frame of the body
    assert_true(origin.x == -7 && origin.y == 8);
    cn_world_destroy(world);
}

static int count_shapes(cn_world *world) {
    int count = 0;
    for (int slot = 0; slot < 100; slot++) count += cn_world_shape_in_slot(world, slot).id != 0;
    return count;
}

// Slots show the shape of a ball, and not the shapes of the tiles below it.
static void slots_do_not_show_the_shapes_of_tiles(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body ground = add_static(world);
    cn_grid tiles = add_map(world, ground, (const char *const[]){"#####"}, 1, 1, point(-2, -1));
    add(world, (cn_body_def){.position = point(0.5, 0.5)}, (cn_shape_def){.hull = cn_circle(0.5f)});
    run(world, 5);
    cn_contact contact;
    assert_int_equal(cn_world_contacts(world, &contact, 1), 1);
    cn_side tile = contact.a.grid.id ? contact.a : contact.b;
    assert_true(tile.grid.id == tiles.id && cn_shape_valid(world, tile.shape));
    cn_error_clear();
    assert_true(cn_world_shape_in_slot(world, (int)(tile.shape.id & 0xFFFFFF)).id == 0);
    assert_int_equal(count_shapes(world), 1);
    assert_true(cn_world_grid_in_slot(world, 0).id == tiles.id &&
                cn_world_grid_in_slot(world, 1).id == 0);
    assert_int_equal(cn_error_code(), CN_ERROR_NONE);
    // The handle of a tile's shape may be used after the shape was destroyed.
    assert_done(cn_grid_destroy(world, tiles));
    assert_true(cn_shape_body(world, tile.shape).id == 0);
    assert_non_null(strstr(cn_error(), "was destroyed, or was a tile that has no shape now"));
    assert_true(cn_world_grid_in_slot(world, 0).id == 0);
    cn_world_destroy(world);
}

static bool same_tile(cn_tile a, cn_tile b) {
    return a.solid == b.solid && a.form == b.form && a.material == b.material &&
           a.one_way == b.one_way;
}

// Solid and empty tiles of all forms, materials and directions.
static void tiles_read_back_as_they_were_set(void **state) {
    (void)state;
    enum { COUNT = 2 * 5 * 16 * 2 };
    cn_tile all[COUNT];
    for (int i = 0; i < COUNT; i++)
        all[i] = (cn_tile){i & 1, (cn_tile_form)(i / 32 % 5), (uint8_t)(i / 2 % 16), i / 160};
    const cn_material materials[16] = {{0}};
    cn_world *world = make_world(0);
    cn_grid_def def = {.tiles = all, .width = 32, .height = COUNT / 32, .tile_size = 1};
    def.materials = materials, def.material_count = 16;
    cn_grid tiles = cn_grid_create(world, add_static(world), &def);
    assert_done(tiles.id != 0);
    for (int turn = 0; turn < 2; turn++)
        for (int i = 0; i < COUNT; i++) {
            int k = turn ? COUNT - 1 - i : i;
            if (turn) assert_done(cn_grid_set_tile(world, tiles, i % 32, i / 32, all[k]));
            assert_true(same_tile(cn_grid_tile(world, tiles, i % 32, i / 32), all[k]));
            assert_int_equal(cn_grid_solid(world, tiles, i % 32, i / 32), all[k].solid);
        }
    cn_tile before = cn_grid_tile(world, tiles, 9, 7), after = before;
    after.solid = !before.solid;
    assert_done(cn_grid_set_solid(world, tiles, 9, 7, after.solid));
    assert_true(same_tile(cn_grid_tile(world, tiles, 9, 7), after));
    cn_world_destroy(world);
}

static void materials_have_defaults_and_read_back(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    const uint8_t solid[1] = {1};
    const cn_material materials[] = {
        {.restitution = 0.3f, .surface_speed = -2}, {.friction = 0.1f}, {.frictionless = true}};
    cn_grid_def def = {.solid = solid, .width = 1, .height = 1, .tile_size = 1};
    def.material = (cn_material){.friction = 0.25f};
    cn_grid plain = cn_grid_create(world, add_static(world), &def);
    def.materials = materials, def.material_count = 3;
    cn_grid tiles = cn_grid_create(world, add_static(world), &def);
    assert_true(cn_grid_material(world, plain, 0).friction == 0.25f);
    assert_true(cn_grid_material(world, tiles, 0).friction == 0.6f);
    assert_true(cn_grid_material(world, tiles, 0).restitution == 0.3f);
    assert_true(cn_grid_material(world, tiles, 0).surface_speed == -2);
    assert_true(cn_grid_material(world, tiles, 1).friction == 0.1f);
    assert_true(cn_grid_material(world, tiles, 2).frictionless);
    assert_done(cn_grid_set_material(world, tiles, 1, (cn_material){0}));
    assert_true(cn_grid_material(world, tiles, 1).friction == 0.6f);
    assert_done(cn_grid_set_material(world, plain, 0, materials[2]));
    assert_true(cn_grid_material(world, plain, 0).frictionless);
    assert_true(cn_grid_material(world, plain, 0).friction == 0);
    cn_world_destroy(world);
}

static void forms_and_materials_are_part_of_the_hash(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    const uint8_t solid[2] = {1, 1};
    const cn_material materials[2] = {{0}, {.friction = 0.1f}}, slippery = {.frictionless = true};
    cn_grid_def def = {.solid = solid, .width = 2, .height = 1, .tile_size = 1};
    def.materials = materials, def.material_count = 2;
    cn_grid tiles = cn_grid_create(world, add_static(world), &def);
    const cn_tile changes[] = {{.solid = true},
                               {.solid = true, .form = CN_TILE_RISES_LEFT},
                               {.solid = true, .form = CN_TILE_RISES_RIGHT},
                               {.solid = true, .material = 1},
                               {.solid = true, .one_way = true},
                               {.solid = false, .one_way = true}};
    uint64_t hashes[7];
    for (int i = 0; i < 7; i++) {
        if (i < 6) assert_done(cn_grid_set_tile(world, tiles, 1, 0, changes[i]));
        if (i == 6) assert_done(cn_grid_set_material(world, tiles, 1, slippery));
        hashes[i] = cn_world_hash(world);
        for (int k = 0; k < i; k++) assert_true(hashes[i] != hashes[k]);
    }
    assert_done(cn_grid_set_material(world, tiles, 1, materials[1]));
    assert_done(cn_grid_set_tile(world, tiles, 1, 0, changes[0]));
    assert_true(cn_world_hash(world) == hashes[0]);
    cn_world_destroy(world);
}

// A grid of plain tiles gets memory for forms with the first tile that needs it.
static void plain_grids_take_four_bytes_a_tile_and_others_five(void **state) {
    (void)state;
    enum { SIDE = 100 };
    static uint8_t solid[SIDE * SIDE];
    cn_world *world = make_world(0);
    cn_body body = add_static(world);
    uint64_t empty = cn_world_counters(world).bytes;
    cn_grid_def def = {.solid = solid, .width = SIDE, .height = SIDE, .tile_size = 1};
    cn_grid tiles = cn_grid_create(world, body, &def);
    uint64_t plain = cn_world_counters(world).bytes - empty;
    assert_in_range(plain, 4 * SIDE * SIDE, 4 * SIDE * SIDE + 4000); // with rows, and a tree
    assert_done(cn_grid_set_tile(world, tiles, 5, 5, (cn_tile){.solid = true}));
    assert_int_equal(cn_world_counters(world).bytes - empty, plain);
    cn_tile slope = {.solid = true, .form = CN_TILE_RISES_LEFT};
    assert_done(cn_grid_set_tile(world, tiles, 5, 5, slope));
    assert_in_range(cn_world_counters(world).bytes - empty, 5 * SIDE * SIDE,
                    5 * SIDE * SIDE + 6000);
    cn_world_destroy(world);
}

static void a_tile_that_gets_no_memory_for_its_form_stays_as_it_is(void **state) {
    (void)state;
    meter m = {0};
    cn_world_def def = {.allocator = metered(&m)};
    cn_world *world = unchanged_world = cn_world_create(&def);
    cn_grid tiles =
        add_map(world, add_static(world), (const char *const[]){"##"}, 1, 1, point(0, 0));
    cn_tile slope = {.solid = true, .form = CN_TILE_HANGS_LEFT};
    bool done = false;
    for (int n = 1; !done; n++) {
        uint64_t hash = cn_world_hash(world);
        m.calls = 0, m.fail_at = n;
        done = cn_grid_set_tile(world, tiles, 1, 0, slope);
        assert_true(done || (cn_error_code() == CN_ERROR_MEMORY && cn_world_hash(world) == hash));
        assert_true(
            same_tile(cn_grid_tile(world, tiles, 1, 0), done ? slope : (cn_tile){.solid = true}));
        assert_in_range(n, 1, 100);
    }
    m.calls = 0, m.fail_at = 1; // further changes need no memory
    assert_done(cn_grid_set_tile(world, tiles, 0, 0, slope));
    assert_done(cn_grid_set_material(world, tiles, 0, (cn_material){.surface_speed = 2}));
    assert_done(cn_grid_destroy(world, tiles));
    cn_world_destroy(world);
    assert_int_equal(m.bytes, 0);
    unchanged_world = NULL;
}

// ---- mistakes

#define REFUSED(kind, call)                                                                        \
    do {                                                                                           \
        before_call before = prepare_refusal(kind);                                                \
        assert_true(call);                                                                         \
        assert_int_equal(cn_error_code(), kind);                                                   \
        assert_true(has_reason(cn_error()) && hook_called_once());                                 \
        assert_int_equal(cn_world_hash(unchanged_world), before.hash);                             \
    } while (0)

#define BAD_TILES(kind, BODY, ...)                                                                 \
    REFUSED(kind, is_zero_tiles(cn_grid_create(world, BODY, &(cn_grid_def){__VA_ARGS__})))

static void bad_grids_are_refused(void **state) {
    (void)state;
    cn_world *world = unchanged_world = make_world(0);
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
    REFUSED(CN_ERROR_HANDLE, is_zero_tiles(cn_grid_create(world, ground, NULL)));
    cn_world_destroy(world);
    unchanged_world = NULL;
}

static void bad_tiles_and_materials_are_refused(void **state) {
    (void)state;
    cn_world *world = unchanged_world = make_world(0);
    cn_body ground = add_static(world);
    const uint8_t s[2] = {1, 1};
    const cn_tile good[2] = {{.solid = true}}, no_form[2] = {{0}, {.form = (cn_tile_form)5}};
    const cn_tile second[2] = {{0}, {.material = 1}};
    const cn_material m[17] = {{0}}, bad[2] = {{0}, {.friction = NAN}};
    BAD_TILES(CN_ERROR_STATE, ground, .solid = s, .tiles = good, .width = 2, .height = 1,
              .tile_size = 1);
    BAD_TILES(CN_ERROR_RANGE, ground, .tiles = no_form, .width = 2, .height = 1, .tile_size = 1);
    BAD_TILES(CN_ERROR_RANGE, ground, .tiles = second, .width = 2, .height = 1, .tile_size = 1);
    BAD_TILES(CN_ERROR_RANGE, ground, .tiles = second, .width = 2, .height = 1, .tile_size = 1,
              .materials = m, .material_count = 1);
    BAD_TILES(CN_ERROR_RANGE, ground, .tiles = good, .width = 2, .height = 1, .tile_size = 1,
              .materials = m, .material_count = 17);
    BAD_TILES(CN_ERROR_RANGE, ground, .tiles = good, .width = 2, .height = 1, .tile_size = 1,
              .materials = m);
    BAD_TILES(CN_ERROR_HANDLE, ground, .tiles = good, .width = 2, .height = 1, .tile_size = 1,
              .material_count = 2);
    BAD_TILES(CN_ERROR_NUMBER, ground, .tiles = good, .width = 2, .height = 1, .tile_size = 1,
              .materials = bad, .material_count = 2);
    BAD_TILES(CN_ERROR_NUMBER, ground, .tiles = good, .width = 2, .height = 1, .tile_size = 1,
              .one_way = {{NAN, 1}});
    cn_world_destroy(world);
    unchanged_world = NULL;
}

static void bad_changes_of_tiles_and_materials_are_refused(void **state) {
    (void)state;
    cn_world *world = unchanged_world = make_world(0);
    const cn_material fine = {.friction = 1}, bad = {.restitution = 2}, odd = {.friction = NAN};
    const cn_tile tile = {.solid = true}, none = {.form = (cn_tile_form)-1}, next = {.material = 1};
    cn_grid tiles =
        add_map(world, add_static(world), (const char *const[]){"##"}, 1, 1, point(0, 0));
    const cn_grid stale[] = {{0}, {tiles.id + 1}};
    REFUSES(CN_ERROR_RANGE, cn_grid_set_tile(world, tiles, 2, 0, tile));
    REFUSES(CN_ERROR_RANGE, cn_grid_set_tile(world, tiles, 0, 0, none));
    REFUSES(CN_ERROR_RANGE, cn_grid_set_tile(world, tiles, 0, 0, next));
    REFUSES(CN_ERROR_RANGE, cn_grid_tile(world, tiles, 0, 1));
    REFUSES(CN_ERROR_RANGE, cn_grid_set_material(world, tiles, 1, fine));
    REFUSES(CN_ERROR_RANGE, cn_grid_set_material(world, tiles, -1, fine));
    REFUSES(CN_ERROR_RANGE, cn_grid_set_material(world, tiles, 0, bad));
    REFUSES(CN_ERROR_NUMBER, cn_grid_set_material(world, tiles, 0, odd));
    REFUSES(CN_ERROR_RANGE, cn_grid_material(world, tiles, 1));
    for (int i = 0; i < 2; i++) {
        REFUSES(CN_ERROR_HANDLE, cn_grid_set_tile(world, stale[i], 0, 0, tile));
        REFUSES(CN_ERROR_HANDLE, cn_grid_tile(world, stale[i], 0, 0));
        REFUSES(CN_ERROR_HANDLE, cn_grid_set_material(world, stale[i], 0, fine));
        REFUSES(CN_ERROR_HANDLE, cn_grid_material(world, stale[i], 0));
    }
    cn_world_destroy(world);
    unchanged_world = NULL;
}

static void calls_with_bad_handles_and_places_are_refused(void **state) {
    (void)state;
    cn_world *world = unchanged_world = make_world(0);
    const cn_grid none = {0};
    cn_body body = add_static(world), other = add_static(world);
    cn_grid tiles = add_map(world, body, (const char *const[]){"##", "##"}, 2, 1, point(0, 0));
    cn_grid gone = add_map(world, other, (const char *const[]){"##"}, 1, 1, point(0, 0));
    assert_done(cn_body_destroy(world, other));
    assert_false(cn_grid_valid(world, gone));
    REFUSED(CN_ERROR_RANGE, !cn_grid_set_solid(world, tiles, 2, 0, true));
    REFUSED(CN_ERROR_RANGE, !cn_grid_set_solid(world, tiles, 0, -1, true));
    REFUSED(CN_ERROR_RANGE, !cn_grid_solid(world, tiles, -1, 0));
    REFUSED(CN_ERROR_RANGE, !cn_grid_solid(world, tiles, 0, 2));
    const cn_grid bad[] = {none, gone, {tiles.id + 1}, {tiles.id + ((uint64_t)1 << 24)}};
    for (int i = 0; i < 4; i++) {
        REFUSED(CN_ERROR_HANDLE, !cn_grid_set_solid(world, bad[i], 0, 0, true));
        REFUSED(CN_ERROR_HANDLE, !cn_grid_solid(world, bad[i], 0, 0));
        REFUSED(CN_ERROR_HANDLE, !cn_grid_destroy(world, bad[i]));
        REFUSED(CN_ERROR_HANDLE, !cn_grid_body(world, bad[i]).id);
        REFUSES(CN_ERROR_HANDLE, cn_grid_width(world, bad[i]));
        REFUSES(CN_ERROR_HANDLE, cn_grid_height(world, bad[i]));
        REFUSES(CN_ERROR_HANDLE, cn_grid_tile_size(world, bad[i]));
        REFUSES(CN_ERROR_HANDLE, cn_grid_origin(world, bad[i]));
    }
    REFUSED(CN_ERROR_HANDLE, !cn_grid_destroy(NULL, tiles));
    cn_world_destroy(world);
    unchanged_world = NULL;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_tiles_load_at_once_and_read_back),
        cmocka_unit_test(the_bounds_of_bodies_and_worlds_have_whole_grids),
        cmocka_unit_test(events_and_contacts_name_the_tile),
        cmocka_unit_test(the_shapes_of_tiles_are_hidden_and_cannot_be_changed),
        cmocka_unit_test(a_grid_without_memory_is_not_created),
        cmocka_unit_test(a_grid_gives_its_size_and_place),
        cmocka_unit_test(slots_do_not_show_the_shapes_of_tiles),
        cmocka_unit_test(tiles_read_back_as_they_were_set),
        cmocka_unit_test(materials_have_defaults_and_read_back),
        cmocka_unit_test(forms_and_materials_are_part_of_the_hash),
        cmocka_unit_test(plain_grids_take_four_bytes_a_tile_and_others_five),
        cmocka_unit_test(a_tile_that_gets_no_memory_for_its_form_stays_as_it_is),
        cmocka_unit_test(bad_grids_are_refused),
        cmocka_unit_test(bad_tiles_and_materials_are_refused),
        cmocka_unit_test(bad_changes_of_tiles_and_materials_are_refused),
        cmocka_unit_test(calls_with_bad_handles_and_places_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
