/* Explosions that walls, tiles, chains and other bodies shield, the query of an explosion, and the
 * order in which it finds its shapes. */
#include "blasts.h"

// ---- shields

static void in_the_open_a_blocked_blast_is_like_another(void **state) {
    (void)state;
    uint64_t chance = 5;
    for (int kind = 0; kind < 60; kind++) {
        cn_world *open = make_world(0), *blocked = make_world(0);
        cn_shape_def def = {.hull = some_hull(&chance, kind)};
        vec2s at = random_point_between(&chance, -2, 2);
        cn_body a = add(open, (cn_body_def){.position = at}, def);
        cn_body b = add(blocked, (cn_body_def){.position = at}, def);
        cn_explosion first = blast_at(0, 0), second = blocked_at(0, 0);
        assert_int_equal(cn_world_explode(open, &first), cn_world_explode(blocked, &second));
        motion m = motion_of(open, a), n = motion_of(blocked, b);
        assert_memory_equal(&m, &n, sizeof m);
        cn_world_destroy(open);
        cn_world_destroy(blocked);
    }
}

static void a_wall_shields_completely(void **state) {
    (void)state;
    for (int blocked = 0; blocked < 2; blocked++) {
        cn_world *world = make_world(0);
        cn_body crate = add_crate(world, 3, 0, 0.5);
        add_wall(world, 1, 0, 0.1, 3);
        cn_explosion e = blast_at(0, 0);
        e.blocked = blocked;
        assert_explodes(world, e, !blocked);
        assert_impulse(world, crate, blocked ? 0 : 3 * strength_at(2.5), 0, 0);
        cn_world_destroy(world);
    }
}

// The wall hides the lower half of the face, so the impulse goes to the middle of the upper half.
static void a_wall_that_hides_half_of_a_box_takes_half_of_the_impulse(void **state) {
    (void)state;
    const cn_motion_type types[] = {CN_STATIC, CN_KINEMATIC};
    for (int i = 0; i < 2; i++) {
        cn_world *world = make_world(0);
        cn_body crate = add_crate(world, 3, 0, 0.5);
        add(world, (cn_body_def){.type = types[i], .position = point(1, -1)},
            (cn_shape_def){.hull = cn_box(0.25f, 1)});
        assert_explodes(world, blocked_at(0, 0), 1);
        double length = hypot(2.5, 0.25), size = 0.5 * 3 * strength_at(2.5);
        double jx = size * 2.5 / length, jy = size * 0.25 / length;
        assert_impulse(world, crate, jx, jy, -0.5 * jy - 0.25 * jx);
        cn_world_destroy(world);
    }
}

// Finds the impulse on the part of an outline that a blast sees, by a ray to each of many points.
// `whole` is the impulse on all of the facing part.
static impulse see_outline(const cn_world *world, cn_body body, double outline[][2], int count,
                           vec2s p, double whole) {
    const cn_query others = {.ignore = body};
    double middle[2], all = 0, seen = 0, length = 0, x = 0, y = 0;
    if (!find_facing(outline, count, p, middle)) return (impulse){0};
    double dx = middle[0] - (double)p.x, dy = middle[1] - (double)p.y;
    for (int i = 0; i < count; i++) {
        const double *a = outline[i], *b = outline[(i + 1) % count];
        double ex = b[0] - a[0], ey = b[1] - a[1], mx = a[0] + ex / 2, my = a[1] + ey / 2;
        if (ex * ((double)p.y - a[1]) - ey * ((double)p.x - a[0]) >= 0) continue; // faces away
        double width = fabs(dx * ey - dy * ex), part = hypot(ex, ey);
        vec2s ray = point(0.999 * (mx - (double)p.x), 0.999 * (my - (double)p.y));
        all += width;
        if (cn_world_cast_ray(world, p, ray, &others).hit) continue;
        seen += width, length += part, x += part * mx, y += part * my;
    }
    if (seen == 0) return (impulse){0};
    dx = x / length - (double)p.x, dy = y / length - (double)p.y;
    double size = whole * (seen / all) / hypot(dx, dy);
    motion m = motion_of(world, body);
    return (impulse){size * dx, size * dy,
                     size * ((x / length - m.x) * dy - (y / length - m.y) * dx)};
}

// Cuts each chord into pieces of at most 1 cm. Returns their number.
static int refine_outline(double coarse[][2], int count, double fine[][2], int capacity) {
    int made = 0;
    for (int i = 0; i < count; i++) {
        const double *a = coarse[i], *b = coarse[(i + 1) % count];
        int pieces = 1 + (int)(hypot(b[0] - a[0], b[1] - a[1]) / 0.01);
        for (int k = 0; k < pieces; k++, made++) {
            assert_true(made < capacity);
            for (int c = 0; c < 2; c++) fine[made][c] = a[c] + (b[c] - a[c]) * k / pieces;
        }
    }
    return made;
}

// Two walls stand between the blast and a hull. The rays decide to within a piece of the outline,
// which is 1/16 of it. Returns true if a part is hidden.
static bool check_some_shield(uint64_t *chance, int kind) {
    static double coarse[MAX_OUTLINE][2], fine[2 * MAX_OUTLINE][2];
    cn_world *open = make_world(0), *world = make_world(0);
    cn_shape_def def = {.hull = some_hull(chance, kind)};
    cn_body_def at = {.position = point(4, 0), .angle = (float)random_between(chance, -3, 3)};
    cn_body alone = add(open, at, def), body = add(world, at, def);
    for (int i = 0; i < 2; i++)
        add_wall(world, random_between(chance, 0.5, 1.5), random_between(chance, -2, 2), 0.1, 0.7);
    cn_explosion e = blocked_at(0, 0);
    e.radius = 9;
    assert_explodes(open, e, 1);
    int pushed = cn_world_explode(world, &e);
    impulse whole = impulse_of(open, alone), got = impulse_of(world, body);
    int count = trace_outline(&def.hull, cn_body_pose(world, body), coarse);
    count = refine_outline(coarse, count, fine, 2 * MAX_OUTLINE);
    double size = hypot(whole.x, whole.y);
    impulse seen = see_outline(world, body, fine, count, point(0, 0), size);
    assert_near(got.x, seen.x, size / 16);
    assert_near(got.y, seen.y, size / 16);
    assert_near(got.turn, seen.turn, size / 16);
    assert_int_equal(pushed, got.x != 0);
    cn_world_destroy(open);
    cn_world_destroy(world);
    return got.x < 0.9 * whole.x && got.x > 0.1 * whole.x;
}

static void walls_hide_what_rays_do_not_reach(void **state) {
    (void)state;
    uint64_t seed = 11, chance = seed;
    print_message("seed %d\n", (int)seed);
    int hidden = 0;
    for (int kind = 0; kind < 90; kind++) hidden += check_some_shield(&chance, kind);
    assert_in_range(hidden, 15, 90);
}

// A box of two halves, one behind the other.
static void shapes_of_one_body_shield_each_other(void **state) {
    (void)state;
    for (int blocked = 0; blocked < 2; blocked++) {
        cn_world *world = make_world(0);
        cn_body body = cn_body_create(world, &(cn_body_def){.position = point(2, 0)});
        for (int i = 0; i < 2; i++) {
            cn_hull half = cn_box(0.25f, 0.5f);
            half = cn_hull_at(half, cn_pose_at(point(i ? 0.25 : -0.25, 0), 0));
            assert_done(cn_shape_create(world, body, &(cn_shape_def){.hull = half}).id != 0);
        }
        cn_explosion e = blast_at(0, 0);
        e.blocked = blocked;
        assert_explodes(world, e, 1);
        assert_impulse(world, body, blocked ? 3 : 6, 0, 0);
        cn_world_destroy(world);
    }
}

static void a_crate_shields_the_crate_behind_it(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body front = add_crate(world, 1.5, 0, 0.5), back = add_crate(world, 2.5, 0, 0.5);
    assert_explodes(world, blocked_at(0, 0), 1);
    assert_impulse(world, front, 3, 0, 0);
    assert_impulse(world, back, 0, 0, 0);
    cn_world_destroy(world);
}

// A wall around the crate stands out before its face, by less or by more than the slop of 5 mm.
static void an_overlap_within_the_slop_does_not_shield(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        cn_world *world = make_world(0);
        cn_body crate = add_crate(world, 3, 0, 0.5);
        add_wall(world, i ? 5.49 : 5.496, 0, 3, 3);
        assert_explodes(world, blocked_at(0, 0), !i);
        assert_impulse(world, crate, i ? 0 : 3 * strength_at(2.5), 0, 0);
        cn_world_destroy(world);
    }
}

static void tiles_shield(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    static const uint8_t solid[] = {1, 1, 1, 1, 0, 0};
    cn_body ground = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    cn_grid_def def = {
        .solid = solid, .width = 1, .height = 6, .tile_size = 0.5f, .origin = point(1, -2)};
    cn_grid tiles = cn_grid_create(world, ground, &def);
    assert_done(tiles.id != 0);
    cn_body half = add_crate(world, 3, 0, 0.5);
    assert_explodes(world, blocked_at(0, 0), 1);
    assert_true(impulse_of(world, half).turn < 0);
    assert_near(hypot(impulse_of(world, half).x, impulse_of(world, half).y),
                0.5 * 3 * strength_at(2.5), 1e-6);
    assert_done(cn_grid_set_solid(world, tiles, 0, 4, true) &&
                cn_grid_set_solid(world, tiles, 0, 5, true));
    assert_explodes(world, blocked_at(0, 0), 0);
    run(world, 2); // a step gives shapes to tiles near the crate
    assert_explodes(world, blocked_at(0, 0), 0);
    cn_world_destroy(world);
}

// A chain that goes upwards is solid on its left, and open on its right.
static void a_chain_shields_from_its_open_side(void **state) {
    (void)state;
    for (int side = -1; side <= 1; side += 2) {
        cn_world *world = make_world(0);
        vec2s points[] = {point(0, -3), point(0, 3)};
        cn_body rock = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
        cn_chain_def def = {.points = points, .count = 2};
        assert_done(cn_chain_create(world, rock, &def).id != 0);
        cn_body crate = add_crate(world, -side, 0, 0.25);
        assert_explodes(world, blocked_at(side, 0), side < 0);
        assert_impulse(world, crate, side < 0 ? 3 * 0.5 : 0, 0, 0);
        cn_world_destroy(world);
    }
}

static void a_shape_that_contains_the_blast_shields_nothing(void **state) {
    (void)state;
    for (double y = -0.25; y <= 0; y += 0.25) { // in the floor, and on it
        cn_world *world = make_world(0);
        add_floor(world, (cn_material){0});
        cn_body crate = add_crate(world, 2, 0.5, 0.5), bomb = add_ball(world, 0, y);
        assert_explodes(world, blocked_at(0, y), 1);
        assert_true(impulse_of(world, crate).x > 2);
        assert_impulse(world, bomb, 0, 0, 0);
        cn_world_destroy(world);
    }
}

// ---- queries

enum { DEBRIS = 2, GLASS = 4 };

static cn_shape_def box_of_category(uint64_t category) {
    return (cn_shape_def){.hull = cn_box(0.5f, 0.5f), .filter.category = category};
}

static void a_filter_chooses_what_is_pushed_and_what_shields(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body pane = add(world, (cn_body_def){.position = point(1.5, 0)}, box_of_category(GLASS));
    cn_body debris = add(world, (cn_body_def){.position = point(3, 0)}, box_of_category(DEBRIS));
    cn_explosion e = blocked_at(0, 0);
    e.query.mask = DEBRIS;
    assert_explodes(world, e, 1);
    assert_impulse(world, pane, 0, 0, 0);
    assert_impulse(world, debris, 3 * strength_at(2.5), 0, 0);
    e.query.mask = DEBRIS | GLASS;
    assert_explodes(world, e, 1);
    assert_impulse(world, pane, 3, 0, 0);
    assert_impulse(world, debris, 3 * strength_at(2.5), 0, 0);
    cn_world_destroy(world);
}

static void an_ignored_body_is_not_pushed_and_does_not_shield(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body bomb = add_crate(world, 1.5, 0, 0.5), crate = add_crate(world, 3, 0, 0.5);
    cn_explosion e = blocked_at(0, 0);
    e.query.ignore = bomb;
    assert_explodes(world, e, 1);
    assert_impulse(world, bomb, 0, 0, 0);
    assert_impulse(world, crate, 3 * strength_at(2.5), 0, 0);
    cn_world_destroy(world);
}

typedef struct {
    cn_world *world;
    cn_body refused;
} judge;

static bool accepts_others(const cn_world *world, cn_side side, void *user) {
    judge *j = user;
    cn_explosion e = blast_at(0, 0);
    assert_true(world == j->world && !cn_world_explode(j->world, &e));
    assert_int_equal(cn_error_code(), CN_ERROR_STATE);
    return side.body.id != j->refused.id;
}

static void accept_decides_and_cannot_explode(void **state) {
    (void)state;
    judge j = {.world = make_world(0)};
    j.refused = add_crate(j.world, 1.5, 0, 0.5);
    cn_body crate = add_crate(j.world, 3, 0, 0.5);
    cn_explosion e = blocked_at(0, 0);
    e.query.accept = accepts_others, e.query.user = &j;
    assert_int_equal(cn_world_explode(j.world, &e), 1);
    assert_impulse(j.world, j.refused, 0, 0, 0);
    assert_impulse(j.world, crate, 3 * strength_at(2.5), 0, 0);
    cn_world_destroy(j.world);
}

static void sensors_are_not_pushed_and_do_not_shield(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_shape_def eye = {.hull = cn_box(0.5f, 0.5f), .sensor = true};
    cn_body sensor = add(world, (cn_body_def){.position = point(1.5, 0)}, eye);
    cn_body crate = add_crate(world, 3, 0, 0.5);
    cn_explosion e = blocked_at(0, 0);
    e.query.sensors = e.query.any = true; // without effect
    assert_explodes(world, e, 1);
    assert_impulse(world, sensor, 0, 0, 0);
    assert_impulse(world, crate, 3 * strength_at(2.5), 0, 0);
    cn_world_destroy(world);
}

// ---- order and symmetry

static void a_mirrored_world_gets_mirrored_velocities(void **state) {
    (void)state;
    enum { CROWD = 120 };
    for (int blocked = 0; blocked < 2; blocked++) {
        cn_world *worlds[] = {make_world(0), make_world(0)};
        cn_body bodies[2][CROWD];
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < CROWD; i++) bodies[k][i] = add_mirrored(worlds[k], i, k ? -1 : 1);
            cn_explosion e = blast_at(k ? -0.25 : 0.25, 0.125);
            e.blocked = blocked;
            assert_true(cn_world_explode(worlds[k], &e) > CROWD / (blocked ? 8 : 2));
        }
        for (int i = 0; i < CROWD; i++) {
            motion m = motion_of(worlds[0], bodies[0][i]), n = motion_of(worlds[1], bodies[1][i]);
            assert_near(m.vx, -n.vx, 4e-6 * fabs(m.vx));
            assert_near(m.vy, n.vy, 4e-6 * fabs(m.vy));
            assert_near(m.w, -n.w, 1e-5 * (1 + fabs(m.w)));
        }
        for (int k = 0; k < 2; k++) cn_world_destroy(worlds[k]);
    }
}

static void the_order_of_creation_does_not_matter(void **state) {
    (void)state;
    enum { CROWD = 120 };
    cn_world *worlds[] = {make_world(0), make_world(0)};
    cn_body bodies[2][CROWD];
    for (int i = 0; i < CROWD; i++) {
        bodies[0][i] = add_mirrored(worlds[0], i, 1);
        int other = i * 77 % CROWD;
        bodies[1][other] = add_mirrored(worlds[1], other, 1);
    }
    cn_explosion e = blocked_at(0.25, 0.125);
    assert_int_equal(cn_world_explode(worlds[0], &e), cn_world_explode(worlds[1], &e));
    for (int i = 0; i < CROWD; i++) {
        motion m = motion_of(worlds[0], bodies[0][i]), n = motion_of(worlds[1], bodies[1][i]);
        assert_memory_equal(&m, &n, sizeof m);
    }
    for (int k = 0; k < 2; k++) cn_world_destroy(worlds[k]);
}

static void every_width_gives_the_same_bits(void **state) {
    (void)state;
    uint64_t hash = 0;
    for (int lanes = 1; lanes <= 16; lanes = lanes == 1 ? 4 : 2 * lanes) {
        cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .lanes = lanes});
        if (!world) continue; // this machine has fewer lanes
        add_floor(world, (cn_material){0});
        for (int i = 0; i < 300; i++) add_crate(world, i % 30 * 0.45 - 7, 0.2 + i / 30 * 0.4, 0.2);
        for (int i = 0; i < 60; i++) {
            cn_explosion e = i % 2 ? blast_at(0.1 * i - 3, 0.5) : blocked_at(0.1 * i - 3, 0.5);
            e.impulse_per_length = 0.1f;
            if (i % 10 < 2) assert_true(cn_world_explode(world, &e) > 0);
            run(world, 1);
        }
        if (lanes == 1) hash = cn_world_hash(world);
        assert_true(cn_world_hash(world) == hash);
        cn_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_the_open_a_blocked_blast_is_like_another),
        cmocka_unit_test(a_wall_shields_completely),
        cmocka_unit_test(a_wall_that_hides_half_of_a_box_takes_half_of_the_impulse),
        cmocka_unit_test(walls_hide_what_rays_do_not_reach),
        cmocka_unit_test(shapes_of_one_body_shield_each_other),
        cmocka_unit_test(a_crate_shields_the_crate_behind_it),
        cmocka_unit_test(an_overlap_within_the_slop_does_not_shield),
        cmocka_unit_test(tiles_shield),
        cmocka_unit_test(a_chain_shields_from_its_open_side),
        cmocka_unit_test(a_shape_that_contains_the_blast_shields_nothing),
        cmocka_unit_test(a_filter_chooses_what_is_pushed_and_what_shields),
        cmocka_unit_test(an_ignored_body_is_not_pushed_and_does_not_shield),
        cmocka_unit_test(accept_decides_and_cannot_explode),
        cmocka_unit_test(sensors_are_not_pushed_and_do_not_shield),
        cmocka_unit_test(a_mirrored_world_gets_mirrored_velocities),
        cmocka_unit_test(the_order_of_creation_does_not_matter),
        cmocka_unit_test(every_width_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
