/* Worlds of many grids of tiles: bodies and queries find the grids near them. */
#include "../../support/links_oracle.h"
#include "../../support/tile_maps.h"

enum { GRIDS = 40, ROUNDS = 300 };

static uint64_t chance;

static int below(int count) { return (int)random_between(&chance, 0, count); }
static vec2s somewhere(void) {
    return point(random_between(&chance, -30, 30), random_between(&chance, -30, 30));
}

static const char *const map[] = {"###.#", "#..##", ".####"};

typedef struct {
    cn_world *all, *alone[GRIDS]; // one world with all grids, and one world for each
    cn_body bodies[GRIDS], body_alone[GRIDS];
} worlds;

static cn_body add_grid(cn_world *world, vec2s at, float angle, double size) {
    cn_body body = add_static(world);
    add_map(world, body, map, 3, size, point(-2, -1));
    assert_done(cn_body_set_pose(world, body, cn_pose_at(at, angle)));
    return body;
}

static worlds make_worlds(void) {
    worlds w = {.all = make_world(0)};
    for (int i = 0; i < GRIDS; i++) {
        float angle = below(3) ? (float)random_between(&chance, -3, 3) : 0;
        vec2s at = somewhere();
        double size = random_between(&chance, 0.5, 3);
        w.alone[i] = make_world(0);
        w.bodies[i] = add_grid(w.all, at, angle, size);
        w.body_alone[i] = add_grid(w.alone[i], at, angle, size);
    }
    return w;
}

static void destroy_worlds(worlds *w) {
    cn_world_destroy(w->all);
    for (int i = 0; i < GRIDS; i++) cn_world_destroy(w->alone[i]);
}

// Moves, disables or enables a grid in both of its worlds.
static void change_grid(worlds *w, int i) {
    cn_world *const both[] = {w->all, w->alone[i]};
    const cn_body bodies[] = {w->bodies[i], w->body_alone[i]};
    vec2s at = somewhere();
    int kind = below(4);
    for (int k = 0; k < 2; k++) {
        bool enabled = !cn_body_disabled(both[k], bodies[k]);
        assert_done(kind ? cn_body_set_pose(both[k], bodies[k], cn_pose_at(at, (float)kind))
                         : cn_body_set_disabled(both[k], bodies[k], enabled));
    }
}

// ---- queries

static void check_ray(const worlds *w, vec2s origin, vec2s translation) {
    cn_world_hit hit = cn_world_cast_ray(w->all, origin, translation, NULL), best = {0};
    for (int i = 0; i < GRIDS; i++) {
        cn_world_hit other = cn_world_cast_ray(w->alone[i], origin, translation, NULL);
        if (other.hit && (!best.hit || other.fraction < best.fraction)) best = other;
    }
    assert_int_equal(hit.hit, best.hit);
    assert_true(hit.fraction == best.fraction && hit.point.x == best.point.x &&
                hit.point.y == best.point.y && hit.side.tile == best.side.tile);
}

static void check_sweep(const worlds *w, cn_hull hull, vec2s origin, vec2s translation,
                        float turn) {
    const cn_sweep sweep = {cn_pose_at(origin, 1), {{0, 0}}, translation, turn};
    cn_world_hit hit = cn_world_cast_hull(w->all, hull, sweep, NULL), best = {0};
    for (int i = 0; i < GRIDS; i++) {
        cn_world_hit other = cn_world_cast_hull(w->alone[i], hull, sweep, NULL);
        if (other.hit && (!best.hit || other.fraction < best.fraction)) best = other;
    }
    assert_int_equal(hit.hit, best.hit);
    assert_true(hit.fraction == best.fraction);
}

static void check_nearest(const worlds *w, cn_hull hull, vec2s at, float reach) {
    cn_pose pose = cn_pose_at(at, 0.5f);
    cn_neighbor found = cn_world_nearest(w->all, hull, pose, reach, NULL), best = {0};
    for (int i = 0; i < GRIDS; i++) {
        cn_neighbor other = cn_world_nearest(w->alone[i], hull, pose, reach, NULL);
        if (other.found && (!best.found || other.gap.distance < best.gap.distance)) best = other;
    }
    assert_int_equal(found.found, best.found);
    assert_true(found.gap.distance == best.gap.distance);
}

static void check_overlaps(const worlds *w, cn_hull hull, vec2s at) {
    cn_pose pose = cn_pose_at(at, 0.5f);
    cn_bounds box = cn_hull_bounds(hull, pose);
    int count = 0, in_box = 0;
    for (int i = 0; i < GRIDS; i++) {
        count += cn_world_overlap(w->alone[i], hull, pose, NULL, NULL, 0);
        in_box += cn_world_overlap_bounds(w->alone[i], box, NULL, NULL, 0);
    }
    assert_int_equal(cn_world_overlap(w->all, hull, pose, NULL, NULL, 0), count);
    assert_int_equal(cn_world_overlap_bounds(w->all, box, NULL, NULL, 0), in_box);
}

static void queries_find_in_many_grids_what_they_find_in_each(void **state) {
    (void)state;
    worlds w = make_worlds();
    for (int i = 0; i < ROUNDS; i++) {
        vec2s a = somewhere(), b = somewhere();
        vec2s way = point((double)(b.x - a.x), (double)(b.y - a.y));
        cn_hull hull = below(2) ? cn_box(0.3f, 2) : cn_circle((float)(1 + below(4)));
        check_ray(&w, a, way);
        check_sweep(&w, hull, a, way, 0);
        check_sweep(&w, hull, a, way, 2);
        check_nearest(&w, hull, a, (float)below(12));
        check_overlaps(&w, hull, a);
        change_grid(&w, below(GRIDS)); // seen by the next queries, before any step
        if (below(8) == 0) run(w.all, 1);
        check_links(w.all);
    }
    destroy_worlds(&w);
}

static void a_walk_visits_all_grids_with_tiles_near_a_box(void **state) {
    (void)state;
    worlds w = make_worlds();
    for (int i = 0; i < 10 * ROUNDS; i++) {
        vec2s a = somewhere(), b = somewhere();
        if (below(3)) b = point((double)a.x + below(3), (double)a.y + below(9));
        check_grid_walk(&w.all->sim, (cn_bounds){cn_min2(a, b), cn_max2(a, b)});
        if (below(20) == 0) change_grid(&w, below(GRIDS));
        if (below(20) == 0) run(w.all, 1);
    }
    vec2s far = point(1e9, 1e9);
    check_grid_walk(&w.all->sim, (cn_bounds){glms_vec2_negate(far), far});
    destroy_worlds(&w);
}

// ---- bodies

static void far_grids_change_nothing_for_a_body(void **state) {
    (void)state;
    cn_world *few = make_world(GRAVITY), *many = make_world(GRAVITY);
    cn_world *const both[] = {few, many};
    cn_body bodies[2];
    for (int k = 0; k < 2; k++) {
        add_grid(both[k], point(0, 0), 0.3f, 2);
        bodies[k] = add_mover(both[k], 0, point(0, 5), 0, point(3, -40), 0.5);
    }
    for (int i = 0; i < 500; i++) add_grid(many, point(100 + 15 * i, 0), 0.1f * (float)i, 1);
    for (int i = 0; i < 200; i++) {
        run(few, 1), run(many, 1);
        cn_pose a = cn_body_pose(few, bodies[0]), b = cn_body_pose(many, bodies[1]);
        assert_memory_equal(&a, &b, sizeof a);
    }
    cn_world_destroy(few), cn_world_destroy(many);
}

static void a_grid_that_moves_away_wakes_the_bodies_on_it(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
    cn_body grids[GRIDS], movers[GRIDS];
    for (int i = 0; i < GRIDS; i++) {
        grids[i] = add_static(world);
        add_tile_floor(world, grids[i], 6, 1);
        assert_done(cn_body_set_pose(world, grids[i], cn_pose_at(point(20 * i, 0), 0)));
        movers[i] = add_mover(world, 0, point(20 * i + 3, 0.5), 0, point(0, 0), 0);
    }
    run(world, 200);
    for (int i = 0; i < GRIDS; i++) assert_false(!cn_body_asleep(world, movers[i]));
    assert_done(cn_body_set_pose(world, grids[3], cn_pose_at(point(60, -5), 0)));
    assert_done(cn_body_set_disabled(world, grids[7], true));
    assert_done(cn_body_destroy(world, grids[9]));
    run(world, 30);
    for (int i = 0; i < GRIDS; i++) {
        bool falls = i == 3 || i == 7 || i == 9;
        assert_int_equal(cn_body_position(world, movers[i]).y < 0.3f, falls);
        assert_int_equal(!cn_body_asleep(world, movers[i]), falls);
    }
    check_links(world);
    cn_world_destroy(world);
}

// ---- tile shapes

// It gets tile shapes in the step after it collides again.
static void only_shapes_that_collide_need_tile_shapes(void **state) {
    (void)state;
    for (int which = 0; which < MOVERS; which++) {
        cn_world *world = make_world(GRAVITY);
        add_tile_floor(world, add_static(world), 40, 0.25);
        cn_body body = add_mover(world, which, point(5, 1), 0, point(0, 0), 0);
        cn_shape shape = first_shape(world, body);
        assert_done(cn_shape_set_no_collision(world, shape, true));
        for (int k = 0; k < 30; k++) {
            run(world, 1);
            assert_int_equal(world->sim.terrain_shape_count, 0);
        }
        assert_done(cn_body_set_position(world, body, point(5, 0.6)) &&
                    cn_body_set_velocity(world, body, point(0, 0)) &&
                    cn_shape_set_no_collision(world, shape, false));
        run(world, 100);
        assert_near(motion_of(world, body).y, 0.5, 0.3e-3);
        assert_true(world->sim.terrain_shape_count > 0);
        assert_done(cn_shape_set_no_collision(world, shape, true));
        run(world, 200); // idle tiles lose their shapes
        assert_int_equal(world->sim.terrain_shape_count, 0);
        cn_world_destroy(world);
    }
}

// ---- one body with many grids, saved and rewound worlds

static void grids_of_one_body_end_with_it_in_the_order_of_slots(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body body = add_static(world), other = add_static(world);
    cn_grid tiles[GRIDS];
    for (int i = 0; i < GRIDS; i++)
        tiles[i] = add_map(world, i % 3 ? body : other, map, 3, 1, point(8 * i, 0));
    for (int i = 0; i < GRIDS; i++) add_mover(world, 0, point(8 * i + 0.5, 4), 0, point(0, -9), 0);
    run(world, 30);
    assert_true(world->sim.terrain_shape_count > GRIDS);
    check_links(world);
    for (int i = 5; i < GRIDS; i += 4) assert_done(cn_grid_destroy(world, tiles[i]));
    check_links(world);
    assert_done(cn_body_destroy(world, body));
    check_links(world);
    int last = world->sim.unused_slots[CN_GRIDS].first, descents = 0;
    for (int slot; (slot = world->sim.slots[CN_GRIDS].items[last].next_free) >= 0; last = slot)
        descents += slot < last; // one list of tiles[], then the grids of the body
    assert_int_equal(descents, 1);
    run(world, 130);
    check_links(world);
    cn_world_destroy(world);
}

static void loads_and_rewinds_find_the_grids_again(void **state) {
    (void)state;
    static unsigned char bytes[1 << 20];
    worlds w = make_worlds();
    cn_world *world = w.all;
    for (int i = 0; i < 30; i++) add_mover(world, 0, somewhere(), 0, point(2, -3), 0);
    cn_rollback *rollback = cn_rollback_create(world, 4);
    for (int i = 0; i < 60; i++) {
        size_t size = cn_world_save(world, CN_SAVE_ALL, bytes, sizeof bytes);
        assert_in_range(size, 1, sizeof bytes);
        uint64_t hash = cn_world_hash(world);
        assert_done(cn_rollback_keep(rollback, i));
        for (int k = below(4); k > 0; k--) change_grid(&w, below(GRIDS)), run(world, 1);
        assert_done(i % 2 ? cn_rollback_rewind(rollback, i) : cn_world_restore(world, bytes, size));
        assert_true(cn_world_hash(world) == hash);
        check_links(world);
        check_grid_walk(&world->sim, (cn_bounds){point(-5, -5), point(5, 9)});
        change_grid(&w, below(GRIDS));
        run(world, 2);
        assert_done(cn_world_shift_origin(world, point(1, below(3))));
        check_links(world);
    }
    cn_rollback_destroy(rollback);
    destroy_worlds(&w);
}

int main(void) {
    chance = 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries_find_in_many_grids_what_they_find_in_each),
        cmocka_unit_test(a_walk_visits_all_grids_with_tiles_near_a_box),
        cmocka_unit_test(far_grids_change_nothing_for_a_body),
        cmocka_unit_test(a_grid_that_moves_away_wakes_the_bodies_on_it),
        cmocka_unit_test(only_shapes_that_collide_need_tile_shapes),
        cmocka_unit_test(grids_of_one_body_end_with_it_in_the_order_of_slots),
        cmocka_unit_test(loads_and_rewinds_find_the_grids_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
