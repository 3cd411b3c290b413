/* Tiles of several materials: each acts by its own friction, restitution and surface speed. Tiles
 * that change their form or material under bodies act in the next step. */
#include "../../support/tile_maps.h"

// ---- materials

// A box slides over a meter of each material. It loses 2 mu g per meter of the square of its speed.
static void each_material_brakes_by_its_own_friction(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    const float frictions[] = {0.5f, 0.02f, 0.9f};
    cn_material materials[3] = {{0}};
    for (int i = 0; i < 3; i++) materials[i].friction = frictions[i];
    cn_grid_def def = {.materials = materials, .material_count = 3, .origin = point(0, -0.5)};
    def.tile_size = 0.5f;
    add_forms(world, add_static(world), (const char *const[]){"aaaabbbbbbbbbbbbccccaaaa"}, 1, def);
    cn_shape_def small = {.hull = cn_circle(0.05f), .material = {.friction = 0.5f}};
    cn_body_def slides = {.position = {{0.5f, 0.05f}}, .velocity = {{8, 0}}};
    cn_body body = add(world, slides, small);
    assert_done(cn_body_set_locks(world, body, false, false, true)); // it does not roll
    const double ends[] = {2, 8, 10};
    double x = 0.5, square = 64;
    for (int i = 0; i < 3; i++) {
        while (motion_of(world, body).x < ends[i]) assert_done(cn_world_step(world, STEP / 20));
        square -= 2 * sqrt(0.5 * (double)frictions[i]) * GRAVITY * (ends[i] - x), x = ends[i];
        assert_near(motion_of(world, body).vx, sqrt(square), 0.02);
    }
    cn_world_destroy(world);
}

static void rubber_bounces_beside_stone_that_does_not(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    const cn_material materials[] = {{0}, {.restitution = 0.7f}};
    cn_grid_def def = {.materials = materials, .material_count = 2, .origin = point(0, -1)};
    add_forms(world, add_static(world), (const char *const[]){"aaaabbbb"}, 1, def);
    cn_shape_def shape = {.hull = cn_circle(0.2f)};
    cn_body stone = add(world, (cn_body_def){.position = {{2, 2.2f}}}, shape);
    cn_body rubber = add(world, (cn_body_def){.position = {{6, 2.2f}}}, shape);
    double highest[2] = {0, 0};
    for (int i = 0; i < 90; i++) {
        run(world, 1);
        motion a = motion_of(world, stone), b = motion_of(world, rubber);
        if (i > 40) highest[0] = fmax(highest[0], a.y), highest[1] = fmax(highest[1], b.y);
    }
    assert_near(highest[0], 0.2, 1e-3);
    assert_near(highest[1], 0.2 + 0.49 * 2, 0.02); // e^2 h
    cn_world_destroy(world);
}

static void conveyor_tiles_carry_what_lies_on_them(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    const cn_material materials[] = {{0}, {.friction = 0.9f, .surface_speed = 2}};
    cn_grid_def def = {.materials = materials, .material_count = 2, .origin = point(0, -1)};
    add_forms(world, add_static(world), (const char *const[]){"aabbbbbbbbaaaaaa"}, 1, def);
    cn_body body = add(world, (cn_body_def){.position = {{4, 0.25f}}}, box_of(0.25f));
    run(world, 120);
    assert_near(motion_of(world, body).vx, 2, 1e-3);
    run(world, 180);
    assert_near(motion_of(world, body).vx, 0, 1e-3); // it slid on to plain tiles and stopped
    assert_in_range(motion_of(world, body).x > 10, 1, 1);
    cn_world_destroy(world);
}

// ---- changes

static void a_sleeping_body_slides_off_when_its_tile_becomes_a_slope(void **state) {
    (void)state;
    for (int which = 0; which < MOVERS; which++) {
        cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
        const char *const map[] = {"...#....", "########"};
        cn_grid_def def = {.origin = point(-3.5, -2), .material = frictionless};
        cn_grid tiles = add_forms(world, add_static(world), map, 2, def);
        cn_body body = add_mover(world, which, point(0, 0.5), 0, point(0, 0), 0);
        run(world, 200);
        assert_false(!cn_body_asleep(world, body));
        cn_tile slope = {.solid = true, .form = CN_TILE_RISES_LEFT};
        assert_done(cn_grid_set_tile(world, tiles, 3, 1, slope));
        assert_true(!cn_body_asleep(world, body));
        run(world, 40);
        motion m = motion_of(world, body);
        assert_in_range(m.vx > 0.5 && m.y < 0.45, 1, 1);
        cn_world_destroy(world);
    }
}

// The contact of a box with a tile continues while the material of the tile changes in both ways.
static void a_new_material_applies_to_existing_contacts(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        bool table = i & 1, awake = i & 2;
        cn_world *world =
            cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .no_sleep = awake});
        cn_material belt = {.friction = 0.8f, .surface_speed = -3};
        cn_material materials[] = {{.friction = 0.5f}, belt};
        cn_grid_def def = {.materials = materials, .material_count = 2, .origin = point(-5, -10)};
        def.tile_size = 10;
        cn_grid tiles = add_forms(world, add_static(world), (const char *const[]){"a"}, 1, def);
        cn_body body = add(world, (cn_body_def){.position = {{2, 0.5f}}}, box_of(0.5f));
        run(world, 120);
        assert_int_equal(!cn_body_asleep(world, body), awake);
        cn_tile tile = {.solid = true, .material = 1};
        assert_done(table ? cn_grid_set_material(world, tiles, 0, belt)
                          : cn_grid_set_tile(world, tiles, 0, 0, tile));
        assert_true(!cn_body_asleep(world, body));
        tally events = count_events(world, 60);
        assert_near(motion_of(world, body).vx, -3, 1e-3);
        assert_int_equal(events.begins + events.ends, 0);
        cn_contact contact;
        assert_int_equal(cn_world_contacts(world, &contact, 1), 1);
        assert_near((double)contact.friction, sqrt(0.8 * 0.6), 1e-6);
        cn_world_destroy(world);
    }
}

static void an_unchanged_tile_wakes_nothing(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
    cn_grid tiles = add_forms(world, add_static(world), (const char *const[]){"/#\\."}, 1,
                              (cn_grid_def){.origin = point(-1.5, -1)});
    cn_body body = add_mover(world, 0, point(0, 0.5), 0, point(0, 0), 0);
    run(world, 200);
    for (int x = 0; x < 3; x++) {
        cn_tile same = cn_grid_tile(world, tiles, x, 0);
        assert_true(same.solid);
        assert_done(cn_grid_set_tile(world, tiles, x, 0, same));
        assert_done(cn_grid_set_solid(world, tiles, x, 0, true));
    }
    assert_done(cn_grid_set_tile(world, tiles, 3, 0, (cn_tile){.form = CN_TILE_RISES_LEFT}));
    assert_false(!cn_body_asleep(world, body));
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_material_brakes_by_its_own_friction),
        cmocka_unit_test(rubber_bounces_beside_stone_that_does_not),
        cmocka_unit_test(conveyor_tiles_carry_what_lies_on_them),
        cmocka_unit_test(a_sleeping_body_slides_off_when_its_tile_becomes_a_slope),
        cmocka_unit_test(a_new_material_applies_to_existing_contacts),
        cmocka_unit_test(an_unchanged_tile_wakes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
