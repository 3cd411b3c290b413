/* The callbacks are called only for shapes with .custom_filter or .pre_solve. Other static bodies
 * stay one smooth ground, whether there are callbacks or not. */
#include "../../../support/floors.h"

#include <stdio.h>
#include <string.h>

// ---- callbacks that count

typedef struct {
    int filters, solves;
    int strangers; // calls for a pair without a flagged shape
    bool refuses;
} game;

static bool has_flag(const cn_world *world, cn_shape shape, bool filter) {
    return filter ? cn_shape_custom_filter(world, shape) : cn_shape_pre_solve(world, shape);
}

static bool count_filter(cn_world *world, cn_shape a, cn_shape b, void *user) {
    game *g = user;
    g->filters++;
    g->strangers += !has_flag(world, a, true) && !has_flag(world, b, true);
    return !g->refuses;
}

static cn_pre_solve_result count_solve(cn_world *world, const cn_contact *contact, void *user) {
    game *g = user;
    g->solves++;
    g->strangers +=
        !has_flag(world, contact->a.shape, false) && !has_flag(world, contact->b.shape, false);
    return (cn_pre_solve_result){.disabled = g->refuses};
}

static cn_callbacks callbacks_of(game *g) {
    return (cn_callbacks){.filter = count_filter, .pre_solve = count_solve, .user = g};
}

static void set_game(cn_world *world, game *g) {
    assert_done(cn_world_set_callbacks(world, callbacks_of(g)));
}

static cn_body add_ground(cn_world *world, double x, cn_shape_def def) {
    def.hull = cn_box(1, 1);
    def.material = frictionless;
    return add(world, (cn_body_def){.type = CN_STATIC, .position = point(x, -1)}, def);
}

// ---- smooth ground

// A ball beside a seam of two bodies, and an octagon that slides over seams of bodies.
static cn_world *make_seams(game *g) {
    cn_world *world = make_world(GRAVITY);
    add_long_floor(world, BODIES);
    cn_shape_def shape = {.hull = cn_circle(0.5f), .material.restitution = 0.8f};
    add(world, (cn_body_def){.position = point(80.01, 3.5)}, shape);
    add_mover(world, 4, point(20, 0.5), 0, point(6, 0), 0);
    shape.custom_filter = shape.pre_solve = true; // far away, so that there is a flagged shape
    add(world, (cn_body_def){.position = point(-50, 0)}, shape);
    if (g) set_game(world, g);
    return world;
}

static void callbacks_change_nothing_on_ground_without_flags(void **state) {
    (void)state;
    game g = {.refuses = true};
    cn_world *world = make_seams(&g), *twin = make_seams(NULL);
    cn_body ball = cn_world_body_in_slot(world, 100), octagon = cn_world_body_in_slot(world, 101);
    for (int i = 0; i < 300; i++) {
        run(world, 1), run(twin, 1);
        assert_true(cn_world_hash(world) == cn_world_hash(twin));
        assert_near(motion_of(world, octagon).y, 0.5, 0.01);
        assert_near(motion_of(world, ball).vx, 0, 1e-3);
    }
    assert_near(motion_of(world, octagon).x, 20 + 6 * 5, 0.05);
    assert_int_equal(g.filters + g.solves, 0);
    cn_world_destroy(world), cn_world_destroy(twin);
}

// True if an octagon that slides over the seam of two boxes does not feel it.
static bool are_joined(cn_shape_def left, cn_shape_def right, bool one_body) {
    cn_world *world = make_world(GRAVITY);
    cn_body ground = add_ground(world, -1, left);
    cn_hull box = cn_box(1, 1);
    right.hull = cn_hull_at(box, cn_pose_at(point(2, 0), 0)), right.material = frictionless;
    if (one_body)
        assert_done(cn_shape_create(world, ground, &right).id != 0);
    else
        add_ground(world, 1, right);
    cn_body octagon = add_mover(world, 4, point(-1.2, 0.5), 0, point(6, 0), 0);
    run(world, 20);
    bool joined = motion_of(world, octagon).x > 0.75 && fabs(motion_of(world, octagon).w) < 0.01;
    cn_world_destroy(world);
    return joined;
}

static void flagged_shapes_join_only_those_of_their_body_with_the_same_flags(void **state) {
    (void)state;
    cn_shape_def defs[4] = {{.density = 1}};
    defs[1].custom_filter = defs[2].pre_solve = defs[3].custom_filter = defs[3].pre_solve = true;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            for (int one_body = 0; one_body < 2; one_body++)
                assert_int_equal(are_joined(defs[i], defs[k], one_body),
                                 i == k && (one_body || i == 0));
}

// ---- for which shapes

// Crates on a floor. Crates `from`..`to` are flagged.
static cn_world *make_crates(int from, int to) {
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){0});
    for (int i = 0; i < 8; i++) {
        bool flagged = i >= from && i < to;
        add(world, (cn_body_def){.position = point(3 * i, 0.5)},
            (cn_shape_def){
                .hull = cn_box(0.5f, 0.5f), .custom_filter = flagged, .pre_solve = flagged});
    }
    return world;
}

static void callbacks_are_called_only_for_flagged_shapes(void **state) {
    (void)state;
    game g = {0};
    cn_world *world = make_crates(2, 5);
    set_game(world, &g);
    run(world, 10);
    assert_int_equal(g.filters, 3);
    assert_int_equal(g.solves, 30);
    assert_int_equal(g.strangers, 0);
    g.refuses = true; // existing pairs have their filter's answer
    run(world, 30);
    for (int i = 0; i < 8; i++)
        assert_true((motion_of(world, cn_world_body_in_slot(world, 1 + i)).y < 0.4) ==
                    (i >= 2 && i < 5));
    cn_world_destroy(world);
}

static void tiles_and_chains_may_be_flagged(void **state) {
    (void)state;
    for (int flagged = 0; flagged < 2; flagged++) {
        game g = {0};
        const uint8_t solid[] = {1, 1};
        const vec2s points[] = {{{9, 0}}, {{7, 0}}, {{5, 0}}};
        cn_world *world = make_world(GRAVITY);
        cn_grid_def grid = {.solid = solid, .width = 2, .height = 1, .tile_size = 1};
        cn_chain_def chain = {.points = points, .count = 3};
        grid.custom_filter = grid.pre_solve = chain.custom_filter = chain.pre_solve = flagged;
        grid.origin = point(0, -1);
        cn_body ground = add_static(world);
        assert_done(cn_grid_create(world, ground, &grid).id != 0);
        cn_chain made = cn_chain_create(world, ground, &chain);
        cn_shape segment = cn_chain_next_segment(world, made, (cn_shape){0});
        assert_int_equal(cn_shape_custom_filter(world, segment), flagged);
        assert_int_equal(cn_shape_pre_solve(world, segment), flagged);
        add(world, (cn_body_def){.position = point(0.5, 0.25)}, box_of(0.25f));
        add(world, (cn_body_def){.position = point(8, 0.25)}, box_of(0.25f));
        set_game(world, &g);
        run(world, 5);
        assert_true(flagged ? g.filters >= 2 : g.filters == 0);
        assert_int_equal(g.solves, flagged ? 10 : 0);
        cn_world_destroy(world);
    }
}

// ---- setters

static void a_flag_ends_the_contacts_that_the_filter_refuses(void **state) {
    (void)state;
    game g = {.refuses = true};
    cn_world *world = make_crates(7, 8);
    cn_body crate = cn_world_body_in_slot(world, 1);
    cn_shape shape = first_shape(world, crate);
    run(world, 10);
    set_game(world, &g);
    run(world, 10);
    assert_int_equal(cn_body_contacts(world, crate, NULL, 0), 1);
    assert_done(cn_shape_set_custom_filter(world, shape, true));
    assert_true(cn_shape_custom_filter(world, shape));
    run(world, 1);
    cn_events events = cn_world_events(world);
    assert_int_equal(events.end_count, 1);
    assert_int_equal(cn_body_contacts(world, crate, NULL, 0), 0);
    assert_done(cn_shape_set_custom_filter(world, shape, false));
    run(world, 1);
    assert_int_equal(cn_body_contacts(world, crate, NULL, 0), 1);
    cn_world_destroy(world);
}

// The contact goes on: no event, and the crate that is let through falls for one step.
static void pre_solve_decides_about_existing_contacts_from_the_next_step(void **state) {
    (void)state;
    game g = {.refuses = true};
    cn_world *world = make_crates(7, 8);
    cn_body crate = cn_world_body_in_slot(world, 1);
    cn_shape shape = first_shape(world, crate);
    assert_done(cn_world_set_no_sleep(world, false));
    run(world, 120);
    set_game(world, &g);
    assert_false(!cn_body_asleep(world, crate));
    assert_done(cn_shape_set_pre_solve(world, shape, true));
    run(world, 1);
    assert_true(cn_shape_pre_solve(world, shape) && !cn_body_asleep(world, crate));
    assert_int_equal(g.solves, 1);
    assert_int_equal(cn_world_events(world).end_count, 0);
    assert_near(motion_of(world, crate).vy, -GRAVITY / 60, 1e-4);
    assert_done(cn_shape_set_pre_solve(world, shape, false));
    run(world, 60);
    assert_int_equal(g.solves, 1);
    assert_near(motion_of(world, crate).y, 0.5, 0.01);
    cn_world_destroy(world);
}

static void setting_the_present_value_does_nothing(void **state) {
    (void)state;
    cn_world *world = make_crates(0, 4);
    run(world, 30);
    uint64_t hash = cn_world_hash(world);
    for (cn_shape s = {0}; (s = cn_world_next_shape(world, s)).id;) {
        assert_done(cn_shape_set_custom_filter(world, s, cn_shape_custom_filter(world, s)));
        assert_done(cn_shape_set_pre_solve(world, s, cn_shape_pre_solve(world, s)));
    }
    assert_true(cn_world_hash(world) == hash);
    cn_world_destroy(world);
}

// ---- saves

enum { BYTES = 1 << 20 };
static unsigned char bytes[BYTES];

// A floor of bodies, some of which are flagged; flagged tiles; and movers on them.
static cn_world *make_mixed(game *g) {
    const uint8_t solid[] = {1, 1, 0, 1};
    cn_world *world = make_world(GRAVITY);
    for (int i = 0; i < 10; i++)
        add_ground(world, 2 * i,
                   (cn_shape_def){.custom_filter = i % 3 == 1, .pre_solve = i % 4 == 1});
    cn_grid_def grid = {.solid = solid, .width = 4, .height = 1, .tile_size = 1, .pre_solve = true};
    grid.origin = point(4, 0);
    assert_done(cn_grid_create(world, add_static(world), &grid).id != 0);
    for (int i = 0; i < 12; i++)
        add_mover(world, i % MOVERS, point(1.5 * i, 3), 0.1 * i, point(3, 0), 0.3);
    set_game(world, g);
    return world;
}

static void a_loaded_world_goes_on_wherever_its_callbacks_are_set(void **state) {
    (void)state;
    for (int how = 0; how < 3; how++) {
        game g = {0}, other = {0};
        cn_world *world = make_mixed(&g);
        run(world, 70);
        size_t size = cn_world_save(world, CN_SAVE_ALL, bytes, BYTES);
        assert_in_range(size, 1, BYTES);
        cn_callbacks callbacks = callbacks_of(&other);
        cn_world *loaded =
            cn_world_load(&(cn_world_def){0}, how == 0 ? &callbacks : NULL, bytes, size);
        assert_non_null(loaded);
        assert_int_equal(cn_world_compare(world, loaded).part, CN_PART_NONE);
        if (how == 1) assert_done(cn_world_set_callbacks(loaded, callbacks));
        g.filters = g.solves = 0;
        for (int i = 0; i < 120; i++) {
            run(world, 1), run(loaded, 1);
            assert_true(cn_world_hash(world) == cn_world_hash(loaded));
        }
        assert_true(g.solves > 0);
        if (how < 2) assert_true(g.solves == other.solves && g.filters == other.filters);
        cn_world_destroy(world), cn_world_destroy(loaded);
    }
}

static void the_flags_are_saved_compared_and_hashed(void **state) {
    (void)state;
    cn_world *world = make_crates(1, 4), *twin = make_crates(1, 3);
    cn_shape shape = first_shape(world, cn_world_body_in_slot(world, 4));
    for (int steps = 0; steps < 60; steps += 30) {
        cn_difference d = cn_world_compare(world, twin);
        assert_true(d.part == CN_PART_SHAPES && d.shape.id == shape.id);
        assert_true(cn_world_hash(world) != cn_world_hash(twin));
        run(world, 30), run(twin, 30);
    }
    size_t size = cn_world_save(world, CN_SAVE_ALL, bytes, BYTES);
    assert_done(cn_world_restore(twin, bytes, size));
    assert_int_equal(cn_world_compare(world, twin).part, CN_PART_NONE);
    assert_true(cn_shape_custom_filter(twin, shape) && cn_shape_pre_solve(twin, shape));
    cn_world_destroy(world), cn_world_destroy(twin);
}

// ---- the hint

typedef struct {
    int count;
    char text[512]; // of the last one
} errors;

static void keep_error(cn_error_kind kind, const char *text, void *user) {
    errors *e = user;
    assert_int_equal(kind, CN_ERROR_HINT);
    e->count++;
    snprintf(e->text, sizeof e->text, "%s", text);
}

static void callbacks_without_flagged_shapes_are_reported_once(void **state) {
    (void)state;
    game g = {0};
    errors e = {0};
    cn_world *world = make_world(GRAVITY), *crates = make_crates(0, 0),
             *flagged = make_crates(3, 4);
    set_game(world, &g), set_game(crates, &g), set_game(flagged, &g);
    cn_error_set_hook(keep_error, &e);
    run(world, 3), run(flagged, 3);
    assert_int_equal(e.count, 0); // there is no shape yet, or one is flagged
    run(crates, 1);
    assert_int_equal(e.count, 2);
    assert_int_equal(strncmp(e.text, "pre_solve: ", 11), 0);
    assert_non_null(strstr(e.text, "no shape has .pre_solve"));
    run(crates, 5);
    assert_int_equal(e.count, 2);
    assert_done(cn_world_set_callbacks(crates, (cn_callbacks){.filter = count_filter, .user = &g}));
    run(crates, 5);
    assert_int_equal(e.count, 3);
    assert_non_null(strstr(e.text, "cn_shape_set_custom_filter()"));
    cn_grid_def grid = {.solid = (uint8_t[]){1}, .width = 1, .height = 1, .tile_size = 1};
    grid.custom_filter = grid.pre_solve = true;
    assert_done(cn_grid_create(world, add_static(world), &grid).id != 0);
    run(world, 5);
    assert_int_equal(e.count, 3);
    cn_error_set_hook(NULL, NULL);
    cn_world_destroy(world), cn_world_destroy(crates), cn_world_destroy(flagged);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(callbacks_change_nothing_on_ground_without_flags),
        cmocka_unit_test(flagged_shapes_join_only_those_of_their_body_with_the_same_flags),
        cmocka_unit_test(callbacks_are_called_only_for_flagged_shapes),
        cmocka_unit_test(tiles_and_chains_may_be_flagged),
        cmocka_unit_test(a_flag_ends_the_contacts_that_the_filter_refuses),
        cmocka_unit_test(pre_solve_decides_about_existing_contacts_from_the_next_step),
        cmocka_unit_test(setting_the_present_value_does_nothing),
        cmocka_unit_test(a_loaded_world_goes_on_wherever_its_callbacks_are_set),
        cmocka_unit_test(the_flags_are_saved_compared_and_hashed),
        cmocka_unit_test(callbacks_without_flagged_shapes_are_reported_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
