/* What pre-solve returns, in piles: the same bits as without the callback, as with materials, at
 * every SIMD width and on all threads; and random results. */
#include "pre_solve.h"

// ---- the same bits as without the callback

static void make_pile(cn_world *world, bool boxes) {
    add_floor(world, (cn_material){0});
    for (int i = 0; i < 60; i++) {
        cn_hull hull = boxes || i % 3 == 0 ? cn_box(0.5f, 0.4f)
                       : i % 3 == 1        ? cn_circle(0.45f)
                                           : cn_regular_polygon(5, 0.5f);
        add(world,
            (cn_body_def){.position = point(i % 6 * 1.05, 0.5 + i / 6),
                          .angle = 0.2f * (float)(i % 5)},
            (cn_shape_def){.hull = hull});
    }
}

// True if all bodies of two worlds have the same bits.
static bool move_alike(const cn_world *a, const cn_world *b) {
    for (cn_body body = {0}; (body = cn_world_next_body(a, body)).id;) {
        motion m = motion_of(a, body), n = motion_of(b, body);
        if (memcmp(&m, &n, sizeof m) != 0) return false;
    }
    return true;
}

// The callback gets a copy.
static cn_pre_solve_result scribble(cn_world *world, const cn_contact *contact, void *user) {
    (void)world, (void)user;
    memset((void *)(uintptr_t)contact, 255, sizeof *contact);
    return (cn_pre_solve_result){0};
}

// The contacts of the twin are solved in the fast form.
static void a_callback_that_returns_zeros_changes_nothing(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY), *twin = make_world(GRAVITY);
    make_pile(world, true);
    make_pile(twin, true);
    flag_all_shapes(world);
    for (int i = 0; i < 300; i++) {
        const cn_callbacks callbacks = {.pre_solve = i / 50 % 2 ? scribble : NULL};
        assert_done(cn_world_set_callbacks(world, callbacks));
        run(world, 1);
        run(twin, 1);
        assert_true(move_alike(world, twin));
    }
    cn_world_destroy(world);
    cn_world_destroy(twin);
}

// Changed values have the same bits as materials with these values.
static void changed_values_act_like_those_of_materials(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY), *twin = make_world(GRAVITY);
    make_pile(world, false);
    make_pile(twin, false);
    game g = {.result = changed_to(0.25, 0, 1.5)};
    set_game(world, &g);
    for (int i = 0; (cn_world_shape_in_slot(twin, i)).id; i++) // two speeds add up
        assert_done(
            cn_shape_set_material(twin, cn_world_shape_in_slot(twin, i),
                                  (cn_material){.friction = 0.25f, .surface_speed = 0.75f}));
    for (int i = 0; i < 300; i++) {
        run(world, 1);
        run(twin, 1);
        assert_true(move_alike(world, twin));
    }
    cn_world_destroy(world);
    cn_world_destroy(twin);
}

// ---- random results

// A result for each pair and step, whatever the order of the calls.
static cn_pre_solve_result vary(cn_world *world, const cn_contact *contact, void *user) {
    uint64_t seed = contact->a.shape.id * 31 + contact->b.shape.id + *(uint64_t *)user;
    seed += cn_world_counters(world).steps << 40;
    cn_pre_solve_result result = changed_to(
        random_between(&seed, 0, 2), random_between(&seed, 0, 1), random_between(&seed, -5, 5));
    result.changed = random_between(&seed, 0, 2) < 1;
    bool stands = cn_body_type(world, contact->a.body) == CN_STATIC; // must not fall through
    result.disabled = !stands && random_between(&seed, 0, 50) < 1;
    return result;
}

static void set_random(cn_world *world, uint64_t *seed) {
    flag_all_shapes(world);
    assert_done(cn_world_set_callbacks(world, (cn_callbacks){.pre_solve = vary, .user = seed}));
}

static void results_have_the_same_bits_at_every_width_and_on_all_threads(void **state) {
    (void)state;
    enum { HASHED_STEPS = 150 };
    static const int lanes[] = {1, 4, 8, 16, 0, 0}, threads[] = {1, 1, 1, 1, 2, 4};
    uint64_t hashes[HASHED_STEPS], seed = 1;
    for (int i = 0; i < COUNT(lanes); i++) {
        cn_world *world = cn_world_create(
            &(cn_world_def){.gravity = {{0, -10}}, .lanes = lanes[i], .threads = threads[i]});
        if (!world) continue; // this machine has fewer lanes
        make_pile(world, false);
        set_random(world, &seed);
        for (int k = 0; k < HASHED_STEPS; k++) {
            run(world, 1);
            if (i == 0) hashes[k] = cn_world_hash(world);
            assert_true(cn_world_hash(world) == hashes[k]);
        }
        cn_world_destroy(world);
    }
}

static void random_results_keep_a_pile_finite_for_10000_steps(void **state) {
    (void)state;
    uint64_t seed = 7;
    print_message("seed %d\n", (int)seed);
    cn_world *world = make_world(GRAVITY);
    make_pile(world, false);
    for (int side = -1; side <= 1; side += 2)
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(3 + 6 * side, 50)},
            (cn_shape_def){.hull = cn_box(1, 50)});
    set_random(world, &seed);
    for (int i = 0; i < 10000; i++) {
        run(world, 1);
        if (i % 100) continue;
        for (cn_body body = {0}; (body = cn_world_next_body(world, body)).id;) {
            motion m = motion_of(world, body);
            assert_true(!cn_body_disabled(world, body) && fabs(m.vx) + fabs(m.vy) < 100);
            assert_true(m.x >= -3 && m.x <= 9 && m.y >= -1 && m.y < 100);
        }
    }
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_callback_that_returns_zeros_changes_nothing),
        cmocka_unit_test(changed_values_act_like_those_of_materials),
        cmocka_unit_test(results_have_the_same_bits_at_every_width_and_on_all_threads),
        cmocka_unit_test(random_results_keep_a_pile_finite_for_10000_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
