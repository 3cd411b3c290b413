/* Lists that bodies and joints leave in any order, and the islands that calls put to sleep, against
 * plain scans. */
#include "../../../support/links_oracle.h"
#include "../../../support/meter.h"
#include "../../../support/small_world.h"

enum { MANY = 24, ROUNDS = 400 };

static uint64_t chance;

static int below(int count) { return (int)random_between(&chance, 0, count); }

// ---- joints

static cn_joint_def hinge(cn_body a, cn_body b) {
    cn_joint_def def = {.a = a,
                        .b = b,
                        .frame_a.rotation = {1, 0},
                        .frame_b.rotation = {1, 0},
                        .angle.mode = CN_FREE};
    def.disabled = below(3) == 0;
    def.collide_connected = below(3) == 0;
    return def;
}

static bool some_joint_prevents(const cn_simulation *sim, int a, int b) {
    bool prevents = false;
    CN_EACH(CN_JOINTS, i, sim) {
        const cn_joint_def *def = &sim->joints[i].def;
        prevents |= cn_joint_has_body(sim, i, a) && cn_joint_has_body(sim, i, b) &&
                    !def->disabled && !def->collide_connected;
    }
    return prevents;
}

// Destroys the joint, or creates it between two of the bodies and couples it with the other one.
static void change_joint(cn_world *world, const cn_body *bodies, cn_joint *joint, cn_joint other) {
    if (cn_joint_valid(world, *joint)) {
        assert_done(cn_joint_destroy(world, *joint));
        return;
    }
    int a = below(MANY), b = (a + 1 + below(MANY - 1)) % MANY;
    cn_joint_def def = hinge(bodies[a], bodies[b]);
    *joint = cn_joint_create(world, def);
    assert_done(joint->id != 0);
    if (!cn_joint_valid(world, other) || other.id == joint->id) return;
    cn_coupling coupling = {other, CN_JOINT_ANGLE, CN_JOINT_ANGLE, 1, false};
    assert_done(cn_joint_set_coupling(world, *joint, coupling));
    if (below(4) == 0) assert_done(cn_joint_set_coupling(world, *joint, (cn_coupling){0}));
}

// Does this for one of the joints and another one. (Compilers call the functions in one expression
// in different orders.)
static void change_some_joint(cn_world *world, const cn_body *bodies, cn_joint *joints, int count) {
    int changed = below(count), other = below(count);
    change_joint(world, bodies, &joints[changed], joints[other]);
}

static void joints_leave_their_lists_in_any_order(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body bodies[MANY];
    cn_joint joints[3 * MANY] = {{0}};
    for (int i = 0; i < MANY; i++) bodies[i] = add_ball(world, 2 * i, 0);
    for (int i = 0; i < ROUNDS; i++) {
        change_some_joint(world, bodies, joints, 3 * MANY);
        if (below(40) == 0) run(world, 1);
        check_links(world);
        int a = below(MANY), b = (a + 1 + below(MANY - 1)) % MANY;
        assert_int_equal(cn_joint_prevents_collision(&world->sim, a, b),
                         some_joint_prevents(&world->sim, a, b));
    }
    for (int i = 0; i < MANY; i++) {
        assert_done(cn_body_destroy(world, bodies[i]));
        check_links(world);
    }
    cn_world_destroy(world);
}

// ---- kinematic bodies and drop-throughs

// The order in which bodies joined a list.
typedef struct {
    int slots[MANY], count;
} order;

static void join_order(order *o, int slot) { o->slots[o->count++] = slot; }

static void leave_order(order *o, int slot) {
    int kept = 0;
    for (int i = 0; i < o->count; i++)
        if (o->slots[i] != slot) o->slots[kept++] = o->slots[i];
    o->count = kept;
}

static void kinematic_bodies_keep_the_order_of_becoming_so(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    const cn_simulation *sim = &world->sim;
    cn_body bodies[MANY];
    order expected = {.count = 0};
    for (int i = 0; i < MANY; i++) bodies[i] = add_ball(world, 2 * i, 0);
    for (int i = 0; i < ROUNDS; i++) {
        int body = below(MANY), slot = body; // the first bodies have the first slots
        bool was = cn_body_type(world, bodies[body]) == CN_KINEMATIC;
        assert_done(cn_body_set_type(world, bodies[body], was ? CN_DYNAMIC : CN_KINEMATIC));
        leave_order(&expected, slot);
        if (!was) join_order(&expected, slot);
        check_links(world);
        if (below(10) > 0) continue;
        cn_world_hash(world); // a read closes the gaps
        assert_int_equal(sim->kinematics.count, expected.count);
        for (int k = 0; k < expected.count; k++)
            assert_int_equal(sim->kinematics.items[k], expected.slots[k]);
    }
    cn_world_destroy(world);
}

static void a_list_has_at_most_as_many_gaps_as_bodies(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    for (int i = 0; i < 8; i++) {
        cn_body body = add_ball(world, 2 * i, 0);
        assert_done(cn_body_set_type(world, body, CN_KINEMATIC));
    }
    for (int i = 0; i < 1000; i++) {
        cn_body body = add_ball(world, 0, 9);
        assert_done(cn_body_set_type(world, body, CN_KINEMATIC));
        assert_done(cn_body_drop_through(world, body, 1));
        assert_done(cn_body_destroy(world, body));
        assert_in_range(world->sim.kinematics.count, 8, 20);
        assert_in_range(world->sim.drop_throughs.count, 0, 20);
    }
    check_links(world);
    cn_world_destroy(world);
}

static void bodies_drop_through_until_their_time_is_over(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body bodies[MANY];
    int left[MANY] = {0}; // steps
    for (int i = 0; i < MANY; i++) bodies[i] = add_ball(world, 2 * i, 0);
    for (int i = 0; i < ROUNDS; i++) {
        int body = below(MANY);
        int few = below(3);
        left[body] = few * (1 + below(20));
        assert_done(cn_body_drop_through(world, bodies[body],
                                         ((float)left[body] - 0.5f) * STEP * (left[body] > 0)));
        check_links(world);
        if (below(2)) continue;
        run(world, 1);
        for (int k = 0; k < MANY; k++) {
            left[k] -= left[k] > 0;
            assert_int_equal(cn_is_dropping(&world->sim, k), left[k] > 0);
        }
    }
    cn_world_destroy(world);
}

static void saved_bytes_with_two_drop_throughs_of_a_body_are_refused(void **state) {
    (void)state;
    static unsigned char bytes[1 << 16];
    cn_world *world = make_world(GRAVITY);
    cn_body a = add_ball(world, 0, 0), b = add_ball(world, 2, 0);
    assert_done(cn_body_drop_through(world, a, 1) && cn_body_drop_through(world, b, 1));
    size_t size = cn_world_save(world, CN_SAVE_ALL, bytes, sizeof bytes);
    assert_done(size > 0 && size <= sizeof bytes && cn_world_restore(world, bytes, size));
    world->sim.drop_throughs.items[1].body = world->sim.drop_throughs.items[0].body;
    size = cn_world_save(world, CN_SAVE_ALL, bytes, sizeof bytes);
    assert_false(cn_world_restore(world, bytes, size));
    assert_int_equal(cn_error_code(), CN_ERROR_DATA);
    cn_world_destroy(world);
}

// ---- islands that calls put to sleep

static bool links(const cn_simulation *sim, int body) {
    const uint32_t needed = CN_BODY_ENABLED | CN_BODY_IS_DYNAMIC | CN_BODY_AWAKE;
    return (sim->hot[body].flags & needed) == needed;
}

// Gives two linked bodies the lower of their numbers.
static bool link_pair(const cn_simulation *sim, int *numbers, int a, int b) {
    if (!links(sim, a) || !links(sim, b) || numbers[a] == numbers[b]) return false;
    numbers[a] = numbers[b] = cn_min_int(numbers[a], numbers[b]);
    return true;
}

static bool link_joint(const cn_simulation *sim, int *numbers, int joint) {
    const int32_t *bodies = sim->joint_records[joint].bodies;
    int other = sim->joints[joint].coupling.other;
    bool changed =
        sim->joints[joint].row_type != CN_ROW_NONE && link_pair(sim, numbers, bodies[0], bodies[1]);
    for (int i = 0; other >= 0 && i < 4; i++)
        changed |= link_pair(sim, numbers, bodies[i & 1], sim->joint_records[other].bodies[i >> 1]);
    return changed;
}

// Numbers the islands of all awake bodies: passes over all contacts and joints until none changes.
static void number_islands(const cn_simulation *sim, int *numbers) {
    for (int i = 0; i < sim->slots[CN_BODIES].end; i++) numbers[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        CN_EACH_BIT(slot, sim->touching.occupied, sim->touching.end) {
            const cn_anchor *anchor = &sim->touching.anchors[slot];
            cn_contact_bodies pair = sim->touching.bodies[slot];
            changed |= !cn_has_ended(sim, anchor->shape_a, anchor->shape_b) &&
                       link_pair(sim, numbers, pair.a, pair.b);
        }
        CN_EACH(CN_JOINTS, i, sim) changed |= link_joint(sim, numbers, i);
    }
}

// The island that must sleep: its bodies and its contacts, both by slot.
typedef struct {
    bool bodies[2 * MANY], is_refused;
    int anchors[8 * MANY][2], contacts;
} island;

static bool has_body_of(const cn_simulation *sim, const island *found, int joint) {
    const int32_t *bodies = sim->joint_records[joint].bodies;
    return found->bodies[bodies[0]] || found->bodies[bodies[1]];
}

static bool has_sleeper(const cn_simulation *sim, int joint) {
    const int32_t *bodies = sim->joint_records[joint].bodies;
    return sim->warm[bodies[0]].island >= 0 || sim->warm[bodies[1]].island >= 0;
}

// True if the joint, or its coupling, is between a body of the island and one that sleeps. It was
// changed, so the sleeping one is about to wake.
static bool joint_wakes(const cn_simulation *sim, const island *found, int joint) {
    int other = sim->joints[joint].coupling.other;
    bool acts = sim->joints[joint].row_type != CN_ROW_NONE,
         in_island = has_body_of(sim, found, joint);
    if (acts && in_island && has_sleeper(sim, joint)) return true;
    if (other < 0) return false;
    return (in_island && has_sleeper(sim, other)) ||
           (has_body_of(sim, found, other) && has_sleeper(sim, joint));
}

static island find_island(const cn_simulation *sim, int body) {
    int numbers[2 * MANY];
    island found = {.contacts = 0};
    number_islands(sim, numbers);
    for (int i = 0; i < sim->slots[CN_BODIES].end; i++) {
        found.bodies[i] = links(sim, i) && numbers[i] == numbers[body];
        found.is_refused |= found.bodies[i] && sim->hot[i].flags & CN_BODY_NO_SLEEP;
    }
    CN_EACH(CN_JOINTS, i, sim) found.is_refused |= joint_wakes(sim, &found, i);
    CN_EACH_BIT(slot, sim->touching.occupied, sim->touching.end) {
        const cn_anchor *anchor = &sim->touching.anchors[slot];
        if (!found.bodies[sim->touching.bodies[slot].b] ||
            cn_has_ended(sim, anchor->shape_a, anchor->shape_b))
            continue;
        found.anchors[found.contacts][0] = anchor->shape_a;
        found.anchors[found.contacts++][1] = anchor->shape_b;
    }
    return found;
}

// Puts the island of a body to sleep, and checks that exactly its bodies and contacts sleep then.
static void check_sleep(cn_world *world, const cn_body *bodies, int body) {
    const cn_simulation *sim = &world->sim;
    if (!links(sim, body)) return;
    island expected = find_island(sim, body);
    bool awake[2 * MANY];
    for (int i = 0; i < MANY; i++) awake[i] = links(sim, i);
    assert_int_equal(cn_body_set_asleep(world, bodies[body], true), !expected.is_refused);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(links(sim, i), awake[i] && (expected.is_refused || !expected.bodies[i]));
    if (expected.is_refused) return;
    const cn_sleeping_island *asleep = &sim->sleeping_islands[sim->warm[body].island];
    assert_int_equal(asleep->contacts.count, expected.contacts);
    for (int i = 0; i < expected.contacts; i++) {
        assert_int_equal(asleep->contacts.items[i].anchor.shape_a, expected.anchors[i][0]);
        assert_int_equal(asleep->contacts.items[i].anchor.shape_b, expected.anchors[i][1]);
    }
}

// No pair of two sleeping or static bodies is kept unless a call removed one of its shapes.
static void check_pairs(cn_world *world) {
    cn_simulation *sim = &world->sim;
    cn_close_gaps(sim);
    for (int hull_class = 0; hull_class < CN_CLASS_COUNT; hull_class++)
        for (int i = 0; i < sim->apart[hull_class].count; i++) {
            const cn_apart *pair = &sim->apart[hull_class].items[i];
            assert_true(cn_is_active(&sim->hot[sim->links[pair->shape_a].body]) ||
                        cn_is_active(&sim->hot[sim->links[pair->shape_b].body]) ||
                        cn_has_ended(sim, pair->shape_a, pair->shape_b));
        }
}

// A pile of balls and boxes on a floor. The floor has the last slot.
static cn_world *make_pile(cn_body *bodies) {
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
    for (int i = 0; i < MANY; i++) {
        double x = below(18), y = 0.5 + 1.01 * below(3);
        bodies[i] = below(2) ? add_ball(world, x, y)
                             : add(world, (cn_body_def){.position = point(x, y)}, box_of(0.5f));
    }
    add(world, (cn_body_def){.type = CN_STATIC, .position = point(0, -1)},
        (cn_shape_def){.hull = cn_box(100, 1)});
    return world;
}

// Changes a body, so that contacts end before the next step, or islands wake.
static void disturb(cn_world *world, cn_body body) {
    int x = below(18), y = below(5);
    switch (below(6)) {
    case 0: assert_done(cn_body_set_disabled(world, body, !cn_body_disabled(world, body))); return;
    case 1: assert_done(cn_body_set_no_sleep(world, body, below(3) == 0)); return;
    case 2: assert_done(cn_body_set_pose(world, body, cn_pose_at(point(x, y), 0))); return;
    case 3: assert_done(cn_body_set_velocity(world, body, point(0, y))); return;
    default: return;
    }
}

static void a_call_puts_the_island_of_a_plain_search_to_sleep(void **state) {
    (void)state;
    cn_body bodies[MANY];
    cn_joint joints[MANY] = {{0}};
    cn_world *world = make_pile(bodies);
    for (int i = 0; i < ROUNDS; i++) {
        if (below(3) == 0) run(world, 1 + below(3));
        if (below(8) == 0) change_some_joint(world, bodies, joints, MANY);
        if (below(2)) disturb(world, bodies[below(MANY)]);
        check_sleep(world, bodies, below(MANY));
        check_links(world);
        if (below(4) == 0) check_pairs(world);
    }
    cn_world_destroy(world);
}

static void a_world_goes_on_alike_whether_or_not_gaps_were_closed(void **state) {
    (void)state;
    cn_body bodies[2][MANY];
    cn_world *worlds[2];
    for (int k = 0; k < 2; k++) chance = 7, worlds[k] = make_pile(bodies[k]);
    for (int i = 0; i < ROUNDS / 4; i++) {
        uint64_t before = chance;
        for (int k = 0; k < 2; k++) {
            chance = before;
            for (int sleeps = 0; sleeps < 3; sleeps++) {
                cn_body_set_asleep(worlds[k], bodies[k][below(MANY)], true);
                if (k) cn_world_hash(worlds[k]);
                disturb(worlds[k], bodies[k][below(MANY)]);
            }
            run(worlds[k], 2);
        }
        assert_true(cn_world_hash(worlds[0]) == cn_world_hash(worlds[1]));
    }
    for (int k = 0; k < 2; k++) cn_world_destroy(worlds[k]);
}

// ---- memory

static bool edit(cn_world *world, cn_body body, int number) {
    cn_grid_def tiles = {.solid = (const uint8_t[]){1}, .width = 1, .height = 1, .tile_size = 1};
    switch (number) {
    case 0: return cn_body_set_asleep(world, body, true);
    case 1: return cn_body_set_type(world, body, CN_KINEMATIC);
    case 2: return cn_body_drop_through(world, body, 1);
    case 3: return cn_body_set_type(world, body, CN_STATIC);
    case 4: return cn_grid_create(world, body, &tiles).id;
    case 5: return cn_body_set_disabled(world, body, true);
    default: return cn_body_set_disabled(world, body, false);
    }
}

static void edits_change_nothing_if_memory_is_short(void **state) {
    (void)state;
    meter m = {0};
    cn_world *world = cn_world_create(&(cn_world_def){.allocator = metered(&m)});
    cn_body bodies[MANY];
    for (int i = 0; i < MANY; i++) bodies[i] = add_ball(world, 0.9 * i, 0);
    run(world, 2);
    for (int number = 0, failures = 0; number < 7; number++)
        for (int i = 0; i < MANY; i++)
            for (int call = 1; call < 20; call++) {
                uint64_t before = cn_world_hash(world);
                fail_at(&m, call);
                bool done = edit(world, bodies[i], number);
                failures += !done;
                m.fail_at = 0;
                check_links(world);
                if (done || cn_error_code() != CN_ERROR_MEMORY) break;
                assert_true(cn_world_hash(world) == before);
                assert_in_range(failures, 1, 1000);
            }
    cn_world_destroy(world);
    assert_int_equal(m.bytes, 0);
}

int main(void) {
    chance = 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_leave_their_lists_in_any_order),
        cmocka_unit_test(kinematic_bodies_keep_the_order_of_becoming_so),
        cmocka_unit_test(a_list_has_at_most_as_many_gaps_as_bodies),
        cmocka_unit_test(bodies_drop_through_until_their_time_is_over),
        cmocka_unit_test(saved_bytes_with_two_drop_throughs_of_a_body_are_refused),
        cmocka_unit_test(a_call_puts_the_island_of_a_plain_search_to_sleep),
        cmocka_unit_test(a_world_goes_on_alike_whether_or_not_gaps_were_closed),
        cmocka_unit_test(edits_change_nothing_if_memory_is_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
