/* The character mover in other frames and units, and at the limits of numbers: any direction of up,
 * pixels, far from the origin, and moves of any length. */
#include "characters.h"

// ---- up

// Turns a vector by a number of quarter turns, without rounding.
static vec2s turned(double x, double y, int quarters) {
    for (int i = 0; i < quarters; i++) {
        double kept = x;
        x = -y, y = kept;
    }
    return point(x, y);
}

static void add_turned_block(cn_world *world, double left, double bottom, double right, double top,
                             int quarters) {
    bool is_upright = quarters % 2;
    float hx = (float)((right - left) / 2), hy = (float)((top - bottom) / 2);
    cn_body_def def = {.type = CN_STATIC};
    def.position = turned((left + right) / 2, (bottom + top) / 2, quarters);
    add(world, def, (cn_shape_def){.hull = is_upright ? cn_box(hy, hx) : cn_box(hx, hy)});
}

// Walks to the right and climbs a step. Returns the position in a frame whose y axis is `up`.
static vec2s walk_turned(int quarters, float length) {
    cn_world *world = make_world(0);
    add_turned_block(world, -10, -1, 10, 0, quarters);
    add_turned_block(world, 2, 0, 10, 0.25, quarters);
    character c = {.world = world, .hull = cn_circle(0.5f)};
    c.def.step_height = c.def.snap_distance = 0.3f;
    vec2s up = turned(0, 1, quarters);
    c.def.up = glms_vec2_scale(up, length);
    c.pose = cn_pose_at(turned(0, 0.505, quarters), 0);
    vec2s way = turned(0.05, -0.02, quarters);
    for (int i = 0; i < 80; i++) move(&c, (double)way.x, (double)way.y);
    assert_true(c.last.grounded);
    assert_near((double)c.last.ground_normal.x, (double)up.x, 1e-6);
    assert_near((double)c.last.ground_normal.y, (double)up.y, 1e-6);
    cn_world_destroy(world);
    vec2s p = c.pose.position;
    return turned((double)p.x, (double)p.y, (4 - quarters) % 4);
}

static void up_may_be_any_direction_of_any_length(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        vec2s place = walk_turned(i, i == 0 ? 1 : i == 1 ? 1e-20f : 1e20f);
        assert_near((double)place.x, 4, 1e-4);
        assert_near((double)place.y, 0.755, 1e-4);
    }
}

// ---- units

// Walks up a slope and stairs in a world of other lengths. Returns the place in metres.
static vec2s walk_scaled(double unit) {
    cn_world *world = cn_world_create(&(cn_world_def){.length_unit = (float)unit});
    add_block(world, -10 * unit, -unit, 20 * unit, unit);
    for (int i = 1; i < 4; i++) add_block(world, (i + 1) * unit, 0, 9 * unit, 0.2 * i * unit);
    character c = {.world = world, .hull = cn_circle((float)(0.5 * unit))};
    c.def.step_height = c.def.snap_distance = (float)(0.25 * unit);
    c.pose = cn_pose_at(point(0, 0.505 * unit), 0);
    for (int i = 0; i < 100; i++) move(&c, 0.05 * unit, -0.02 * unit);
    assert_true(c.last.grounded);
    cn_world_destroy(world);
    return glms_vec2_scale(c.pose.position, (float)(1 / unit));
}

static void a_world_in_pixels_gives_the_same_walk(void **state) {
    (void)state;
    vec2s metres = walk_scaled(1), pixels = walk_scaled(64), small = walk_scaled(1.0 / 64);
    assert_near((double)metres.x, 5, 1e-3);
    assert_near((double)metres.y, 1.105, 1e-4);
    assert_near((double)pixels.x, (double)metres.x, 1e-4);
    assert_near((double)pixels.y, (double)metres.y, 1e-4);
    assert_near((double)small.x, (double)metres.x, 1e-4);
    assert_near((double)small.y, (double)metres.y, 1e-4);
}

// ---- far from the origin

// Ten kilometres away, floats are 1 mm apart. The character keeps its distance to this precision.
static void a_character_walks_far_from_the_origin(void **state) {
    (void)state;
    for (int i = 0; i < WALKERS; i++) {
        cn_world *world = make_world(0);
        for (int k = 0; k < 20; k++) add_block(world, 10000 + k, 9999, 1, 1);
        character c = place(world, i, 10001, 10000);
        for (int k = 0; k < 200; k++) {
            move(&c, 0.0625, -0.02);
            assert_near(feet_of(&c) - 10000, SLOP, 2e-3);
            assert_true(c.last.grounded && !c.last.wall);
        }
        assert_near(x_of(&c), 10013.5, 0.2);
        cn_world_destroy(world);
    }
}

static void a_move_may_have_any_length(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    add_floor(world, frictionless);
    add_block(world, 50, 0, 1, 10);
    for (int i = 0; i < WALKERS; i++) {
        double half = i == 0 ? 0.5 : 0.3;
        character c = place(world, i, 0, 3);
        move(&c, 0, -1e6);
        assert_near(feet_of(&c), SLOP, 1e-3);
        move(&c, 1e6, -10);
        assert_near(x_of(&c), 50 - half - SLOP, 1e-2);
        cn_pose still = c.pose;
        move(&c, 1e-30, 0);
        move(&c, 0, 0);
        assert_memory_equal(&c.pose, &still, sizeof still);
        move(&c, 0, 9e8);
        assert_near((double)c.pose.position.y, 9e8, 1);
    }
    cn_world_destroy(world);
}

static void an_empty_world_stops_nothing(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    character c = place(world, 0, 0, 0);
    move(&c, 3, -4);
    assert_near(x_of(&c), 3, 0);
    assert_near(feet_of(&c), -4 + SLOP, 1e-6);
    assert_false(c.last.grounded || c.last.wall || c.last.ceiling || c.last.overlaps);
    assert_int_equal(c.last.push_count, 0);
    cn_world_destroy(world);
}

static void a_null_definition_is_all_zero(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    add_floor(world, frictionless);
    add_slope(world, 2, 40, 10);
    cn_hull hull = walker(1);
    const cn_move_def zero = {0};
    for (int i = 0; i < 2; i++) {
        cn_move move = {.pose = cn_pose_at(point(0, 0.505), 0)};
        for (int k = 0; k < 60; k++)
            move = cn_world_move_hull(world, hull, move.pose, point(0.1, -0.1), i ? &zero : NULL);
        assert_near((double)move.pose.position.x, 6, 1e-3);
        assert_true(move.pose.position.y > 3);
    }
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(up_may_be_any_direction_of_any_length),
        cmocka_unit_test(a_world_in_pixels_gives_the_same_walk),
        cmocka_unit_test(a_character_walks_far_from_the_origin),
        cmocka_unit_test(a_move_may_have_any_length),
        cmocka_unit_test(an_empty_world_stops_nothing),
        cmocka_unit_test(a_null_definition_is_all_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
