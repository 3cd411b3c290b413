/* Chains as objects of the world: iteration, handles, slots, segments that are destroyed one by
 * one, materials, and the sides of contacts, events and queries, which name chain and segment. */
#include "../../support/floors.h"

static const vec2s corners[] = {{{6, 0}}, {{3, 0}}, {{0, 0}}, {{-3, 0}}, {{-6, 0}}};
enum { SEGMENTS = 4 };

static cn_chain add_ground(cn_world *world, cn_body body) {
    cn_chain_def def = {.points = corners, .count = SEGMENTS + 1, .hit_events = true};
    cn_chain chain = cn_chain_create(world, body, &def);
    assert_done(chain.id != 0);
    return chain;
}

static cn_shape segment(const cn_world *world, cn_chain chain, int index) {
    cn_shape s = cn_chain_next_segment(world, chain, (cn_shape){0});
    for (int i = 0; i < index; i++) s = cn_chain_next_segment(world, chain, s);
    assert_done(s.id != 0);
    return s;
}

static int count_segments(const cn_world *world, cn_chain chain) {
    int count = 0;
    for (cn_shape s = {0}; (s = cn_chain_next_segment(world, chain, s)).id;) count++;
    return count;
}

static int slot_of(uint64_t id) { return (int)(id & 0xFFFFFF); }

// ---- iteration

static void chains_of_a_body_and_of_a_world_are_visited_in_order(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body grounds[2] = {add_static(world), add_static(world)};
    cn_chain chains[6];
    for (int i = 0; i < 6; i++) {
        add_tile(world, grounds[i % 2], 0, -5, 1, 1);
        chains[i] = add_ground(world, grounds[i % 2]);
        assert_true(cn_chain_body(world, chains[i]).id == grounds[i % 2].id);
    }
    assert_done(cn_chain_destroy(world, chains[2]));
    cn_chain at = {0};
    const int all[] = {0, 1, 3, 4, 5}, first[] = {0, 4}, second[] = {1, 3, 5};
    for (int i = 0; i < 5; i++)
        assert_true((at = cn_world_next_chain(world, at)).id == chains[all[i]].id);
    assert_int_equal(cn_world_next_chain(world, at).id, 0);
    at = (cn_chain){0};
    for (int i = 0; i < 2; i++)
        assert_true((at = cn_body_next_chain(world, grounds[0], at)).id == chains[first[i]].id);
    assert_int_equal(cn_body_next_chain(world, grounds[0], at).id, 0);
    at = (cn_chain){0};
    for (int i = 0; i < 3; i++)
        assert_true((at = cn_body_next_chain(world, grounds[1], at)).id == chains[second[i]].id);
    assert_int_equal(cn_body_next_chain(world, grounds[1], at).id, 0);
    assert_int_equal(cn_body_next_chain(world, add_static(world), (cn_chain){0}).id, 0);
    assert_true(cn_world_chain_in_slot(world, 3).id == chains[3].id);
    assert_int_equal(cn_world_chain_in_slot(world, 2).id, 0);
    cn_world_destroy(world);
}

// ---- handles

static void a_handle_is_stale_after_the_end_of_its_chain_or_body(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body ground = add_static(world);
    cn_chain chain = add_ground(world, ground), other = add_ground(world, ground);
    cn_shape first = segment(world, chain, 0);
    assert_done(cn_chain_destroy(world, chain));
    assert_false(cn_chain_valid(world, chain) || cn_shape_valid(world, first));
    assert_true(cn_chain_valid(world, other));
    assert_int_equal(cn_chain_count(world, chain), 0);
    assert_string_equal(cn_error(),
                        "cn_chain_count: the chain in slot 0 (generation 1) was destroyed");
    assert_done(cn_body_destroy(world, ground));
    assert_false(cn_chain_valid(world, other));
    assert_int_equal(cn_world_next_chain(world, (cn_chain){0}).id, 0);
    cn_world_destroy(world);
}

static void a_slot_is_used_again_with_a_new_generation(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body ground = add_static(world);
    cn_chain old = add_ground(world, ground);
    assert_done(cn_chain_destroy(world, old));
    run(world, 2);
    cn_chain fresh = add_ground(world, ground);
    assert_int_equal(slot_of(fresh.id), slot_of(old.id));
    assert_int_equal(fresh.id >> 32, (old.id >> 32) + 1);
    assert_true(cn_chain_valid(world, fresh) && !cn_chain_valid(world, old));
    assert_true(cn_world_chain_in_slot(world, slot_of(old.id)).id == fresh.id);
    cn_world_destroy(world);
}

// ---- segments

static void segments_keep_their_numbers_and_the_last_one_ends_the_chain(void **state) {
    (void)state;
    const int orders[3][SEGMENTS] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 3, 0, 2}};
    for (int k = 0; k < 3; k++) {
        cn_world *world = make_world(GRAVITY);
        cn_chain chain = add_ground(world, add_static(world));
        cn_shape segments[SEGMENTS];
        for (int i = 0; i < SEGMENTS; i++) segments[i] = segment(world, chain, i);
        for (int i = 0; i < SEGMENTS; i++) {
            assert_int_equal(cn_chain_count(world, chain), SEGMENTS);
            assert_int_equal(count_segments(world, chain), SEGMENTS - i);
            float friction = 0.1f * (float)(1 + orders[k][i]);
            assert_done(cn_chain_set_material(world, chain, orders[k][i],
                                              (cn_material){.friction = friction}));
            assert_near(cn_shape_material(world, segments[orders[k][i]]).friction, friction, 0);
            assert_done(cn_shape_destroy(world, segments[orders[k][i]]));
        }
        assert_false(cn_chain_valid(world, chain));
        assert_int_equal(cn_chain_next_segment(world, chain, (cn_shape){0}).id, 0);
        cn_world_destroy(world);
    }
}

static void materials_are_set_and_read_by_the_numbers_of_segments(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_chain chain = add_ground(world, add_static(world));
    for (int i = 0; i < SEGMENTS; i++) {
        assert_near(cn_chain_material(world, chain, i).friction, 0.6, 1e-6);
        cn_material m = {0.1f * (float)i, 0.25f, i == 0,         0.5f,
                         (float)i,        2.5f,  CN_MIX_MINIMUM, CN_MIX_MAXIMUM};
        assert_done(cn_chain_set_material(world, chain, i, m));
    }
    for (int i = 0; i < SEGMENTS; i++) {
        cn_material m = cn_chain_material(world, chain, i);
        cn_material same = cn_shape_material(world, segment(world, chain, i));
        assert_near(m.friction, 0.1 * i, 1e-6);
        assert_true(m.frictionless == (i == 0) && m.restitution == 0.25f);
        assert_true(m.rolling_resistance == 0.5f && m.surface_speed == (float)i);
        assert_true(m.min_bounce_speed == 2.5f);
        assert_true(m.friction_mix == CN_MIX_MINIMUM && m.restitution_mix == CN_MIX_MAXIMUM);
        assert_true(same.friction == m.friction && same.surface_speed == m.surface_speed);
    }
    cn_world_destroy(world);
}

// A box slides on a segment until the segment gets friction: after v / (mu g) = 0.6 s it rests.
static void a_new_material_acts_on_existing_contacts(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    vec2s points[] = {point(50, 0), point(-50, 0)};
    cn_chain chain = add_chain(world, points, 2, false);
    assert_done(cn_chain_set_material(world, chain, 0, (cn_material){.frictionless = true}));
    cn_body box =
        add(world, (cn_body_def){.position = point(0, 0.5), .velocity = point(3, 0)},
            (cn_shape_def){.hull = cn_box(0.5f, 0.5f),
                           .material = {.friction = 0.5f, .friction_mix = CN_MIX_MINIMUM}});
    run(world, 60);
    assert_near(motion_of(world, box).vx, 3, 1e-3);
    assert_done(cn_chain_set_material(world, chain, 0, (cn_material){.friction = 0.5f}));
    run(world, 30);
    assert_near(motion_of(world, box).vx, 0.5, 0.05);
    run(world, 15);
    assert_near(motion_of(world, box).vx, 0, 1e-3);
    cn_world_destroy(world);
}

// ---- sides

static void assert_names(cn_side side, cn_chain chain, int segment) {
    assert_true(side.chain.id == chain.id && side.segment == segment && side.tile == -1);
}

static void assert_names_none(cn_side side) {
    assert_true(side.chain.id == 0 && side.segment == -1);
}

static cn_body drop_ball(cn_world *world, double x, double y) {
    return add(world, (cn_body_def){.position = point(x, y), .velocity = point(0, -5)},
               (cn_shape_def){.hull = cn_circle(0.5f)});
}

static void events_and_contacts_name_chain_and_segment(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_ground(world, add_static(world));
    cn_chain chain = add_ground(world, add_static(world));
    assert_done(cn_chain_destroy(world, cn_world_chain_in_slot(world, 0)));
    cn_body ball = drop_ball(world, -1.5, 1); // over segment 2
    cn_events e = cn_world_events(world);
    for (int i = 0; i < 60 && e.begin_count == 0; i++) run(world, 1), e = cn_world_events(world);
    assert_true(e.begin_count == 1 && e.hit_count == 1);
    assert_names(e.begins[0].a, chain, 2);
    assert_names_none(e.begins[0].b);
    assert_names(e.hits[0].a, chain, 2);
    cn_contact contact;
    assert_int_equal(cn_body_contacts(world, ball, &contact, 1), 1);
    assert_names(contact.a, chain, 2);
    assert_names(cn_body_ground(world, ball, point(0, 1), 0.7f).side, chain, 2);
    // The end event has the names of the destroyed chain.
    assert_done(cn_chain_destroy(world, chain));
    run(world, 1);
    e = cn_world_events(world);
    assert_int_equal(e.end_count, 1);
    assert_names(e.ends[0].a, chain, 2);
    cn_world_destroy(world);
}

static void the_end_of_a_single_segment_names_it(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_chain chain = add_ground(world, add_static(world));
    drop_ball(world, 4.5, 0.5); // on segment 0
    run(world, 20);
    assert_done(cn_shape_destroy(world, segment(world, chain, 0)));
    run(world, 1);
    cn_events e = cn_world_events(world);
    assert_int_equal(e.end_count, 1);
    assert_names(e.ends[0].a, chain, 0);
    assert_true(cn_chain_valid(world, chain));
    cn_world_destroy(world);
}

static void sensors_name_chain_and_segment(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_chain chain = add_ground(world, add_static(world));
    add(world, (cn_body_def){.position = point(-4.5, 0)},
        (cn_shape_def){.hull = cn_circle(0.5f), .sensor = true});
    run(world, 1);
    cn_events e = cn_world_events(world);
    assert_int_equal(e.sensor_begin_count, 1);
    assert_names(e.sensor_begins[0].other, chain, 3);
    assert_names_none(e.sensor_begins[0].sensor);
    cn_world_destroy(world);
}

typedef struct {
    cn_chain chain;
    int calls; // for a segment
} seen_sides;

static bool see(const cn_world *world, cn_side side, void *user) {
    (void)world;
    seen_sides *seen = user;
    if (side.segment < 0) return true;
    seen->calls++;
    assert_names(side, seen->chain, 1);
    return true;
}

static void queries_name_chain_and_segment(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_chain chain = add_ground(world, add_static(world));
    seen_sides seen = {chain, 0};
    cn_query query = {.accept = see, .user = &seen};
    cn_world_hit hit = cn_world_cast_ray(world, point(1.5, 1), point(0, -2), &query);
    assert_true(hit.hit && seen.calls == 1);
    assert_names(hit.side, chain, 1);
    cn_side sides[2];
    cn_hull ball = cn_circle(0.5f);
    cn_pose near = {.position = point(1.5, 0.2), .rotation = cn_rotation_of(0)};
    assert_int_equal(cn_world_overlap(world, ball, near, NULL, sides, 2), 1);
    assert_names(sides[0], chain, 1);
    assert_names(cn_world_nearest(world, ball, near, 3, NULL).side, chain, 1);
    cn_pose above = {.position = point(1.5, 2), .rotation = cn_rotation_of(0)};
    cn_move move = cn_world_move_hull(world, ball, above, point(0, -3), &(cn_move_def){0});
    assert_names(move.ground, chain, 1);
    cn_world_destroy(world);
}

static void shields_name_chain_and_segment(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_chain chain = add_ground(world, add_static(world));
    drop_ball(world, 1.5, -0.6);
    seen_sides seen = {chain, 0};
    cn_explosion blast = {.position = point(1.5, 0.5), .radius = 1, .impulse_per_length = 1};
    blast.blocked = true, blast.query = (cn_query){.accept = see, .user = &seen};
    assert_int_equal(cn_world_explode(world, &blast), 0);
    assert_true(seen.calls > 0);
    cn_world_destroy(world);
}

static void sides_of_other_shapes_and_tiles_name_no_chain(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body ground = add_static(world);
    cn_grid_def def = {.solid = (const uint8_t[]){1}, .width = 1, .height = 1, .tile_size = 1};
    assert_done(cn_grid_create(world, ground, &def).id != 0);
    add_tile(world, ground, 3.5, 0.5, 0.5, 0.5);
    assert_names_none(cn_world_cast_ray(world, point(0.5, 3), point(0, -5), NULL).side);
    assert_names_none(cn_world_cast_ray(world, point(3.5, 3), point(0, -5), NULL).side);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_of_a_body_and_of_a_world_are_visited_in_order),
        cmocka_unit_test(a_handle_is_stale_after_the_end_of_its_chain_or_body),
        cmocka_unit_test(a_slot_is_used_again_with_a_new_generation),
        cmocka_unit_test(segments_keep_their_numbers_and_the_last_one_ends_the_chain),
        cmocka_unit_test(materials_are_set_and_read_by_the_numbers_of_segments),
        cmocka_unit_test(a_new_material_acts_on_existing_contacts),
        cmocka_unit_test(events_and_contacts_name_chain_and_segment),
        cmocka_unit_test(the_end_of_a_single_segment_names_it),
        cmocka_unit_test(sensors_name_chain_and_segment),
        cmocka_unit_test(queries_name_chain_and_segment),
        cmocka_unit_test(shields_name_chain_and_segment),
        cmocka_unit_test(sides_of_other_shapes_and_tiles_name_no_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
