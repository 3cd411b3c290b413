/* The recipes of the guides about fields, queries, characters and saving do what their text says.
 * recipes.h has them literally. */
#include "../../support/physics.h"

#include <stdio.h>
#include <stdlib.h>

#include "recipes.h"

static cn_body add_at(cn_world *world, cn_motion_type type, float x, float y, float half) {
    return add(world, (cn_body_def){.type = type, .position = {{x, y}}}, box_of(half));
}

// ---- fields

static void add_fields_at(cn_world *world, cn_body_def pool, cn_body_def tunnel,
                          cn_body_def planet) {
    pool.type = tunnel.type = planet.type = CN_STATIC;
    assert_true(add_fields(world, cn_body_create(world, &pool), cn_body_create(world, &tunnel),
                           cn_body_create(world, &planet)));
}

static void a_box_of_half_the_density_floats_half_submerged(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_fields_at(world, (cn_body_def){.position = point(0, -1.5)},
                  (cn_body_def){.position = point(0, 50)},
                  (cn_body_def){.position = point(0, 100)});
    cn_body raft = add(world, (cn_body_def){.position = point(0, 1)},
                       (cn_shape_def){.hull = cn_box(1, 0.25f), .density = 0.5f});
    run(world, 900);
    assert_near(motion_of(world, raft).y, 0, 0.002);
    cn_world_destroy(world);
}

// The speed v after t seconds is 8 (1 - e^-t).
static void a_leaf_speeds_up_to_the_wind(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    add_fields_at(world, (cn_body_def){.position = point(0, 50)}, (cn_body_def){0},
                  (cn_body_def){.position = point(0, 100)});
    cn_body leaf = add(world, (cn_body_def){.position = point(-19, 0)}, box_of(0.1f));
    for (int second = 1; second <= 4; second++) {
        run(world, 60);
        assert_near((double)cn_body_velocity(world, leaf).x, 8 * (1 - exp(-second)), 0.001);
    }
    cn_world_destroy(world);
}

static void a_body_stays_on_a_circle_around_the_planet(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    add_fields_at(world, (cn_body_def){.position = point(0, 50)},
                  (cn_body_def){.position = point(0, 100)}, (cn_body_def){0});
    cn_body moon =
        add(world, (cn_body_def){.position = point(9, 0), .velocity = point(0, sqrt(10))},
            (cn_shape_def){.hull = cn_circle(0.1f)});
    cn_body stone = add(world, (cn_body_def){.position = point(-3, 0)}, // it starts to fall
                        (cn_shape_def){.hull = cn_circle(0.1f)});
    run(world, 1);
    assert_near((double)cn_body_velocity(world, stone).x, 10 * STEP, 0.001);
    for (int i = 0; i < 1200; i++) {
        run(world, 1);
        motion m = motion_of(world, moon);
        assert_near(hypot(m.x, m.y), 9, 0.01);
    }
    cn_world_destroy(world);
}

// ---- queries

static void only_a_wall_in_between_hides_a_body(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body a = add_at(world, CN_DYNAMIC, 0, 0, 0.5f), b = add_at(world, CN_DYNAMIC, 10, 0, 0.5f);
    cn_body wall = add_at(world, CN_STATIC, 5, 3, 1);
    add_at(world, CN_STATIC, 15, 0, 1); // behind b
    assert_true(sees(world, a, b));
    assert_true(sees(world, b, a));
    assert_done(cn_body_set_pose(world, wall, cn_pose_at((vec2s){{5, 0.5f}}, 0)));
    assert_false(sees(world, a, b));
    assert_false(sees(world, b, a));
    cn_world_destroy(world);
}

// The centre of the ring is in none of its shapes, so the ray hits nothing and the ring is seen.
static void a_ring_is_seen_through_its_middle(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body a = add_at(world, CN_DYNAMIC, 0, 0, 0.5f),
            ring = cn_body_create(world, &(cn_body_def){.type = CN_STATIC, .position = {{5, 0}}});
    cn_hull side = cn_box(2, 0.1f);
    cn_hull above = cn_hull_at(side, cn_pose_at((vec2s){{0, 1}}, 0));
    assert_done(cn_shape_create(world, ring, &(cn_shape_def){.hull = above}).id != 0);
    assert_true(sees(world, a, ring));
    cn_world_destroy(world);
}

static void a_bullet_pushes_the_body_that_it_hits_at_the_point(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body shooter = add_at(world, CN_DYNAMIC, 0, 0, 0.5f);
    // A crate of 1 kg that is hit above its centre.
    cn_body crate = add_at(world, CN_DYNAMIC, 10, -0.25f, 0.5f);
    cn_body hit = shoot(world, shooter, (vec2s){{0, 0}}, (vec2s){{20, 0}});
    assert_int_equal(hit.id, crate.id);
    assert_near(cn_body_velocity(world, crate).x, 0.5, 1e-6);
    assert_near(cn_body_velocity(world, crate).y, 0, 1e-6);
    // The arm of the impulse is 0.25 m, the inertia of a unit square 1/6.
    assert_near(cn_body_angular_velocity(world, crate), -0.25 * 0.5 * 6, 1e-5);
    assert_near(cn_body_velocity(world, shooter).x, 0, 0);
    cn_world_destroy(world);
}

static void a_bullet_hits_within_the_length_of_its_path(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body shooter = add_at(world, CN_DYNAMIC, 0, 0, 0.5f);
    add_at(world, CN_DYNAMIC, 10, 0, 0.5f);
    assert_int_equal(shoot(world, shooter, (vec2s){{0, 0}}, (vec2s){{9.4f, 0}}).id, 0);
    assert_int_not_equal(shoot(world, shooter, (vec2s){{0, 0}}, (vec2s){{9.6f, 0}}).id, 0);
    cn_world_destroy(world);
}

// A floor below y = 0 and a wall from x = 20 on. A path of 45 degrees down from (0, 5) hits the
// floor at x = 5 and the wall at y = 15, and comes back through (15, 20). From the floor to the
// wall it is 15 sqrt 2 long, and then 5 sqrt 2 more.
static void a_bullet_bounces_like_light(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body shooter = add_at(world, CN_DYNAMIC, 0, 5, 0.5f);
    add_at(world, CN_STATIC, 0, -100, 100);
    add_at(world, CN_STATIC, 120, 0, 100);
    cn_body target = add_at(world, CN_DYNAMIC, 15, 20, 0.25f);
    vec2s from = {{0, 5}}, path = {{26, -26}}; // its length is 26 sqrt 2
    assert_int_equal(shoot(world, shooter, from, path).id, target.id);
    vec2s velocity = cn_body_velocity(world, target);
    assert_near(velocity.x, velocity.y * -1, 1e-3);
    assert_true(velocity.x < 0);
    assert_int_equal(shoot(world, shooter, from, (vec2s){{24, -24}}).id, 0); // too short
    cn_world_destroy(world);
}

// Between two walls: the bullet bounces three times, and ends at the fourth wall.
static void a_bullet_bounces_three_times(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body shooter = add_at(world, CN_DYNAMIC, 0, 0, 0.5f);
    add_at(world, CN_STATIC, -105, 0, 100);
    add_at(world, CN_STATIC, 105, 0, 100);
    // The walls are at x = -5 and 5, the path climbs by 1 m on 10 m: y is 0.5, 1.5, 2.5, 3.5 at the
    // walls.
    vec2s path = {{100, 10}};
    cn_body late = add_at(world, CN_DYNAMIC, 0, 4, 0.25f);
    assert_int_equal(shoot(world, shooter, (vec2s){{0, 0}}, path).id, 0);
    cn_body early = add_at(world, CN_DYNAMIC, 0, 3, 0.25f);
    assert_int_equal(shoot(world, shooter, (vec2s){{0, 0}}, path).id, early.id);
    assert_near(cn_body_velocity(world, late).x, 0, 0);
    cn_world_destroy(world);
}

static void a_bullet_may_come_back_to_its_shooter(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body shooter = add_at(world, CN_DYNAMIC, 0, 0, 0.5f);
    add_at(world, CN_STATIC, 105, 0, 100);
    assert_int_equal(shoot(world, shooter, (vec2s){{0, 0}}, (vec2s){{20, 0}}).id, shooter.id);
    cn_world_destroy(world);
}

// Crates of 1 kg and 1 m. The impulse per metre falls from 12 N s at 1 m to 0 at 6 m.
static void an_explosion_pushes_bodies_away(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body bomb = add_at(world, CN_DYNAMIC, 0, 0, 0.1f);
    cn_body near = add_at(world, CN_DYNAMIC, 1.25f, 0, 0.5f),
            up = add_at(world, CN_DYNAMIC, 0, 4, 0.5f),
            far = add_at(world, CN_DYNAMIC, 0, -7, 0.5f);
    cn_body wall = add_at(world, CN_STATIC, -1, 0, 0.5f),
            hidden = add_at(world, CN_DYNAMIC, -3, 0, 0.5f);
    assert_int_equal(explode(world, bomb), 2);
    assert_near(cn_body_velocity(world, near).x, 12, 1e-5);
    assert_near(cn_body_velocity(world, up).y, 6, 1e-5);
    assert_near(cn_body_velocity(world, up).x, 0, 0);
    const cn_body others[] = {bomb, far, wall, hidden};
    for (int i = 0; i < 4; i++) assert_near(cn_body_velocity(world, others[i]).x, 0, 0);
    assert_done(
        cn_body_set_pose(world, wall, cn_pose_at((vec2s){{-1, -0.5f}}, 0))); // hides the lower half
    assert_int_equal(explode(world, bomb), 3);
    vec2s v = cn_body_velocity(world, hidden);
    assert_near(glms_vec2_norm(v), 0.5 * 12 * 0.7, 1e-5);
    assert_true(cn_body_angular_velocity(world, hidden) > 0); // its upper half flies ahead
    cn_world_destroy(world);
}

static void the_mouse_picks_a_dynamic_body(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    add_at(world, CN_STATIC, 0, 0, 10); // covers everything, and has the first slot
    cn_body crate = add_at(world, CN_DYNAMIC, 3, 2, 0.5f);
    assert_int_equal(pick(world, (vec2s){{3.4f, 2.4f}}).id, crate.id);
    assert_int_equal(pick(world, (vec2s){{3.6f, 2.4f}}).id, 0);
    assert_int_equal(pick(world, (vec2s){{30, 30}}).id, 0);
    cn_world_destroy(world);
}

// It jumps at 8 m/s against 20 m/s^2, so its highest step is 8 / (20 / 60) = 24 steps later. The
// speed falls before each step, so it rises by the sum of (8 - 20 k / 60) / 60 for k from 1 to 24.
static void a_character_walks_climbs_and_jumps(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){0});
    add_at(world, CN_STATIC, 4, -0.7f, 1); // a step of 0.3 m, from x = 3 to 5
    walker w = {.hull = cn_capsule(point(0, -0.3), point(0, 0.3), 0.3f)};
    w.last.pose = cn_pose_at(point(0, 0.605), 0);
    double top = 0;
    for (int i = 0; i < 48; i++) walk(world, &w, 1, false);
    assert_near((double)w.last.pose.position.x, 4, 1e-3);
    assert_near((double)w.last.pose.position.y, 0.905, 1e-4);
    assert_true(w.last.grounded);
    for (int i = 0; i < 50; i++) {
        walk(world, &w, 0, i == 0);
        top = fmax(top, (double)w.last.pose.position.y);
    }
    assert_near(top, 0.905 + 24 * 8.0 / 60 - 20.0 * 300 / 3600, 1e-3);
    assert_near((double)w.last.pose.position.y, 0.905, 1e-4);
    cn_world_destroy(world);
}

// The platform moves at 3 m/s to the right, and rises at 2 m/s. In the air the character keeps
// both.
static void a_character_rides_and_jumps_off(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body_def def = {.type = CN_KINEMATIC, .position = point(0, -0.5), .velocity = point(3, 2)};
    cn_body lift = add(world, def, (cn_shape_def){.hull = cn_box(1, 0.5f)});
    walker w = {.hull = cn_capsule(point(0, -0.3), point(0, 0.3), 0.3f)};
    w.last.pose = cn_pose_at(point(0.5, 0.605), 0);
    double above = 0;
    for (int i = 0; i < 80; i++) {
        walk(world, &w, 0, i == 60);
        vec2s place = glms_vec2_sub(w.last.pose.position, cn_body_position(world, lift));
        if (i <= 60) assert_true(w.last.grounded == (i < 60));
        if (i < 60) assert_near((double)place.y, 1.105, 1e-3);
        assert_near((double)place.x, 0.5, i < 60 ? 1e-3 : 0.051);
        above = fmax(above, (double)place.y - 1.105);
        run(world, 1);
    }
    // As on ground at rest, except that the platform is one step ahead.
    assert_near(above, 24 * 8.0 / 60 - 20.0 * 300 / 3600 - 2.0 / 60, 1e-3);
    cn_world_destroy(world);
}

// The crate of 40 kg slides ahead of the character, which weighs 80 kg.
static void a_character_pushes_what_it_runs_into(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, frictionless);
    cn_shape_def box = {.hull = cn_box(0.5f, 0.5f), .density = 40};
    cn_body crate = add(world, (cn_body_def){.position = point(2, 0.5)}, box);
    walker w = {.hull = cn_capsule(point(0, -0.2), point(0, 0.2), 0.3f)};
    w.last.pose = cn_pose_at(point(0, 0.505), 0);
    for (int i = 0; i < 120; i++) {
        walk(world, &w, 1, false);
        run(world, 1);
    }
    assert_true(cn_body_velocity(world, crate).x > 3);
    assert_true(cn_body_position(world, crate).x > w.last.pose.position.x + 0.8f);
    cn_world_destroy(world);
}

// ---- saving

static void a_saved_world_goes_on_from_a_file(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    for (int i = 0; i < 5; i++)
        add_at(world, i ? CN_DYNAMIC : CN_STATIC, 0.1f * (float)i, 2.f * (float)i, 1);
    run(world, 30);
    FILE *file = tmpfile();
    assert_non_null(file);
    fputs("own objects", file);
    long start = ftell(file);
    assert_true(save_world(world, file));
    run(world, 60);
    fseek(file, start, SEEK_SET);
    cn_world *loaded = load_world(NULL, file);
    assert_non_null(loaded);
    run(loaded, 60);
    assert_true(cn_world_hash(loaded) == cn_world_hash(world));
    assert_null(load_world(NULL, file)); // the file is at its end
    fclose(file);
    cn_world_destroy(world);
    cn_world_destroy(loaded);
}

static void a_key_goes_back_ten_seconds(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body ball = add_at(world, CN_DYNAMIC, 0, 0, 1);
    cn_rollback *rollback = cn_rollback_create(world, 600);
    uint64_t hash = 0;
    int step = 0;
    while (step < 700) {
        if (step == 100) hash = cn_world_hash(world);
        step = step_or_rewind(world, rollback, step, false);
    }
    for (int i = 0; i < 700; i++) step = step_or_rewind(world, rollback, step, true);
    assert_int_equal(step, 100);
    assert_true(cn_world_hash(world) == hash && cn_body_valid(world, ball));
    cn_rollback_destroy(rollback);
    cn_world_destroy(world);
}

static void begin_match(match *m) {
    *m = (match){.world = make_world(GRAVITY)};
    cn_body ground = cn_body_create(m->world, &(cn_body_def){.type = CN_STATIC});
    cn_shape_create(m->world, ground, &(cn_shape_def){.hull = cn_box(90, 1)});
    for (int i = 0; i < 2; i++) m->players[i] = add_at(m->world, CN_DYNAMIC, 4.f * (float)i, 2, 1);
    m->rollback = cn_rollback_create(m->world, 9);
}

static float stick_of(int player, int step) {
    return 0.5f + sinf((float)(step / 7 * (player + 3)));
}

// Inputs of the other player are late by 8 steps.
static void late_inputs_lead_to_the_same_match(void **state) {
    (void)state;
    enum { STEPS = 300, LATE = 8 };
    static match m[2];
    for (int i = 0; i < 2; i++) begin_match(&m[i]);
    for (int step = 0; step < STEPS + LATE; step++) {
        for (int i = 0; i < 2; i++) {
            int sent = step - LATE;
            if (sent >= 0) assert_true(take_input(&m[i], 1 - i, sent, stick_of(1 - i, sent)));
            if (step >= STEPS) continue;
            assert_true(take_input(&m[i], i, step, stick_of(i, step)));
            take_step(&m[i]);
        }
    }
    assert_int_equal(cn_world_compare(m[0].world, m[1].world).part, CN_PART_NONE);
    assert_true(fabs(motion_of(m[0].world, m[0].players[0]).x) > 0.1);
    assert_false(take_input(&m[0], 1, STEPS - 20, 7)); // too late
    for (int i = 0; i < 2; i++) {
        cn_rollback_destroy(m[i].rollback);
        cn_world_destroy(m[i].world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_of_half_the_density_floats_half_submerged),
        cmocka_unit_test(a_leaf_speeds_up_to_the_wind),
        cmocka_unit_test(a_body_stays_on_a_circle_around_the_planet),
        cmocka_unit_test(only_a_wall_in_between_hides_a_body),
        cmocka_unit_test(a_ring_is_seen_through_its_middle),
        cmocka_unit_test(a_bullet_pushes_the_body_that_it_hits_at_the_point),
        cmocka_unit_test(a_bullet_hits_within_the_length_of_its_path),
        cmocka_unit_test(a_bullet_bounces_like_light),
        cmocka_unit_test(a_bullet_bounces_three_times),
        cmocka_unit_test(a_bullet_may_come_back_to_its_shooter),
        cmocka_unit_test(an_explosion_pushes_bodies_away),
        cmocka_unit_test(a_character_walks_climbs_and_jumps),
        cmocka_unit_test(a_character_rides_and_jumps_off),
        cmocka_unit_test(a_character_pushes_what_it_runs_into),
        cmocka_unit_test(the_mouse_picks_a_dynamic_body),
        cmocka_unit_test(a_saved_world_goes_on_from_a_file),
        cmocka_unit_test(a_key_goes_back_ten_seconds),
        cmocka_unit_test(late_inputs_lead_to_the_same_match),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
