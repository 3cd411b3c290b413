/* Whole scenes: what stands stays standing, what comes to rest falls asleep, what sleeps costs
 * nothing and wakes when it should; and every scene gives the same bits each time and on every SIMD
 * width. */
#include "../engine/world/world.h"
#include "physics.h"
#include "../demo/scene.h"

enum { MAX_WATCHED = 256 };

static cn_world *make_sleepy_world(void) {
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, (float)-GRAVITY}}});
    assert_done(world != NULL);
    return world;
}

static cn_body add_crate(cn_world *world, double x, double y) {
    return add(world, (cn_body_def){.position = point(x, y)},
               (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
}

// Bodies that are watched, and where they were put.
typedef struct {
    cn_body bodies[MAX_WATCHED];
    double x[MAX_WATCHED], y[MAX_WATCHED];
    int count;
} watch;

static void add_watched_crate(cn_world *world, watch *w, double x, double y) {
    w->bodies[w->count] = add_crate(world, x, y);
    w->x[w->count] = x;
    w->y[w->count++] = y;
}

static watch add_stack(cn_world *world, double x, int height) {
    watch w = {.count = 0};
    for (int i = 0; i < height; i++) add_watched_crate(world, &w, x, 0.5 + i);
    return w;
}

static double greatest_displacement(const cn_world *world, const watch *w) {
    double greatest = 0;
    for (int i = 0; i < w->count; i++) {
        motion m = motion_of(world, w->bodies[i]);
        greatest = fmax(greatest, hypot(m.x - w->x[i], m.y - w->y[i]));
    }
    return greatest;
}

// ---- standing

static void a_stack_of_ten_stands(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){0});
    watch stack = add_stack(world, 0, 10);
    run(world, 1200);
    assert_true(greatest_displacement(world, &stack) < 0.03);
    assert_near(motion_of(world, stack.bodies[9]).y, 9.5, 0.002 * 10);
    assert_near(motion_of(world, stack.bodies[9]).x, 0, 0.005);
    cn_world_destroy(world);
}

static void a_crooked_stack_of_ten_stands(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        uint64_t chance = seed;
        cn_world *world = make_world(GRAVITY);
        add_floor(world, (cn_material){0});
        watch stack = {.count = 0};
        for (int i = 0; i < 10; i++)
            add_watched_crate(world, &stack, random_between(&chance, -0.01, 0.01), 0.5 + i);
        run(world, 1200);
        assert_true(greatest_displacement(world, &stack) < 0.05);
        cn_world_destroy(world);
    }
}

static void a_pyramid_of_base_twenty_stands(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){0});
    watch pyramid = {.count = 0};
    for (int row = 0; row < 20; row++)
        for (int i = 0; i < 20 - row; i++)
            add_watched_crate(world, &pyramid, 1.05 * (i + row * 0.5 - 9.5), 0.5 + row);
    run(world, 600);
    assert_true(greatest_displacement(world, &pyramid) < 0.1);
    cn_world_destroy(world);
}

static cn_hull mixed_hull(int i) {
    switch (i % 7) {
    case 0: return cn_box(0.3f, 0.3f);
    case 1: return cn_circle(0.3f);
    case 2: return cn_capsule(point(-0.3, 0), point(0.3, 0), 0.15f);
    case 3: return cn_regular(3, 0.4f);
    case 4: return cn_regular(5, 0.35f);
    case 5: return cn_rounded_box(0.25f, 0.15f, 0.1f);
    default: return cn_regular(8, 0.35f);
    }
}

// A bin 8 m wide inside, with its floor at y = 0.
static void add_bin(cn_world *world) {
    cn_body bin = add_floor(world, (cn_material){0});
    cn_hull walls[] = {cn_box(1, 20), cn_box(1, 20)};
    for (int i = 0; i < 2; i++) {
        walls[i] = cn_hull_at(&walls[i], cn_pose_at(point(i ? 5 : -5, 20), 0));
        assert_done(cn_shape_create(world, bin, &(cn_shape_def){.hull = walls[i]}).id != 0);
    }
}

static watch fill_bin(cn_world *world, int count) {
    watch pile = {.count = count};
    uint64_t seed = 8;
    for (int i = 0; i < count; i++) {
        double x = i % 8 - 3.5 + random_between(&seed, -0.1, 0.1), y = 1 + i / 8;
        pile.bodies[i] =
            add(world, (cn_body_def){.position = point(x, y), .angle = (float)(i * 0.7)},
                (cn_shape_def){.hull = mixed_hull(i)});
    }
    return pile;
}

static void assert_inside_bin(const cn_world *world, const watch *pile) {
    for (int i = 0; i < pile->count; i++) {
        motion m = motion_of(world, pile->bodies[i]);
        assert_true(fabs(m.x) < 4 && m.y > 0 && m.y < 40); // false for what is not a number
    }
}

// Steps until all sleep; fails if that takes longer than `steps`.
static void run_until_asleep(cn_world *world, int steps) {
    for (int i = 0; i < steps; i++) {
        run(world, 1);
        if (cn_world_counters(world).awake_bodies == 0) return;
    }
    print_error("%d bodies are still awake\n", cn_world_counters(world).awake_bodies);
    fail();
}

static void assert_costs_nothing(const cn_world *world) {
    cn_counters counters = cn_world_counters(world);
    assert_int_equal(counters.awake_bodies, 0);
    assert_int_equal(counters.contacts, 0);
    assert_int_equal(counters.touching, 0);
    assert_int_equal(counters.islands, 0);
    assert_int_equal(counters.batches, 0);
}

static void a_pile_stays_in_its_bin_and_falls_asleep(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world();
    add_bin(world);
    watch pile = fill_bin(world, 200);
    for (int second = 0; second < 60 && cn_world_counters(world).awake_bodies > 0; second++) {
        run(world, 60);
        assert_inside_bin(world, &pile);
    }
    run(world, 1); // the plan of which the counters tell is made at the start of a step
    assert_costs_nothing(world);
    assert_true(cn_world_counters(world).sleeping_touching > 200);
    cn_world_destroy(world);
}

// ---- sleeping

static void all_islands_fall_asleep(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world();
    add_floor(world, (cn_material){0});
    for (int i = 0; i < 12; i++) add_stack(world, 2.0 * i, 1 + i % 5);
    run_until_asleep(world, 600);
    run(world, 1); // the plan of which the counters tell is made at the start of a step
    assert_costs_nothing(world);
    cn_counters counters = cn_world_counters(world);
    assert_int_equal(counters.sleeping_islands, 12);
    assert_true(counters.sleeping_touching >= counters.bodies - 1);
    cn_world_destroy(world);
}

static void a_sleeping_body_keeps_its_pose_bit_for_bit(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world();
    add_bin(world);
    watch pile = fill_bin(world, 30);
    run_until_asleep(world, 3600);
    cn_pose before[30];
    for (int i = 0; i < 30; i++) before[i] = cn_body_pose(world, pile.bodies[i]);
    uint64_t allocations = cn_world_counters(world).allocations;
    run(world, 600);
    for (int i = 0; i < 30; i++) {
        cn_pose after = cn_body_pose(world, pile.bodies[i]);
        assert_memory_equal(&before[i], &after, sizeof after);
        assert_true(motion_of(world, pile.bodies[i]).vx == 0);
    }
    assert_true(cn_world_counters(world).allocations == allocations);
    cn_world_destroy(world);
}

static void a_body_that_must_not_sleep_keeps_its_island_awake(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world();
    add_floor(world, (cn_material){0});
    watch awake = add_stack(world, 0, 3), other = add_stack(world, 5, 3);
    assert_done(cn_body_set_no_sleep(world, awake.bodies[1], true));
    run(world, 300);
    for (int i = 0; i < 3; i++) {
        assert_true(cn_body_awake(world, awake.bodies[i]));
        assert_false(cn_body_awake(world, other.bodies[i]));
    }
    cn_world_destroy(world);
}

static void a_body_on_a_moving_platform_stays_awake(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world();
    add(world, (cn_body_def){.type = CN_KINEMATIC, .position = {{0, -1}}, .velocity = {{1, 0}}},
        (cn_shape_def){.hull = cn_box(9, 1)});
    cn_body box = add_crate(world, 0, 0.5);
    run(world, 300);
    assert_true(cn_body_awake(world, box));
    assert_near(motion_of(world, box).vx, 1, 0.01);
    cn_world_destroy(world);
}

static bool has_change(cn_world *world, cn_body body, cn_body_change change) {
    cn_events events = cn_world_events(world);
    for (int i = 0; i < events.body_count; i++)
        if (events.bodies[i].body.id == body.id && events.bodies[i].change == change) return true;
    return false;
}

static void falling_asleep_and_waking_are_told(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world();
    add_floor(world, (cn_material){0});
    cn_body box = add_crate(world, 0, 0.5);
    run_until_asleep(world, 300);
    assert_true(has_change(world, box, CN_BODY_SLEPT));
    assert_done(cn_body_apply_center_impulse(world, box, point(1, 0)));
    run(world, 1);
    assert_true(has_change(world, box, CN_BODY_WOKE));
    cn_world_destroy(world);
}

// ---- waking

// Two stacks asleep on a floor.
typedef struct {
    cn_world *world;
    cn_body floor;
    watch near, far;
} sleepers;

static sleepers make_sleepers(void) {
    sleepers s = {.world = make_sleepy_world()};
    s.floor = add_floor(s.world, (cn_material){0});
    s.near = add_stack(s.world, 0, 3);
    s.far = add_stack(s.world, 20, 3);
    run_until_asleep(s.world, 600);
    return s;
}

static bool is_awake(const sleepers *s, const watch *stack) {
    for (int i = 0; i < stack->count; i++)
        if (!cn_body_awake(s->world, stack->bodies[i])) return false;
    return true;
}

static void a_hit_wakes_one_stack_only(void **state) {
    (void)state;
    sleepers s = make_sleepers();
    cn_body ball = add(s.world, (cn_body_def){.position = {{-5, 1.5f}}, .velocity = {{10, 2}}},
                       (cn_shape_def){.hull = cn_circle(0.4f), .density = 3});
    double before = motion_of(s.world, s.near.bodies[1]).x;
    run(s.world, 40);
    assert_true(cn_body_awake(s.world, ball) && is_awake(&s, &s.near));
    assert_false(is_awake(&s, &s.far));
    assert_true(motion_of(s.world, s.near.bodies[1]).x > before + 0.05);
    run_until_asleep(s.world, 3600);
    cn_world_destroy(s.world);
}

static void without_their_floor_all_fall(void **state) {
    (void)state;
    sleepers s = make_sleepers();
    assert_done(cn_body_destroy(s.world, s.floor));
    run(s.world, 60);
    assert_true(is_awake(&s, &s.near) && is_awake(&s, &s.far));
    assert_near(motion_of(s.world, s.near.bodies[2]).vy, -GRAVITY * seconds_of(60), 0.2);
    cn_world_destroy(s.world);
}

static void without_the_lowest_the_others_fall(void **state) {
    (void)state;
    sleepers s = make_sleepers();
    assert_done(cn_body_destroy(s.world, s.near.bodies[0]));
    run(s.world, 20);
    assert_true(cn_body_awake(s.world, s.near.bodies[1]));
    assert_true(cn_body_awake(s.world, s.near.bodies[2]));
    assert_false(is_awake(&s, &s.far));
    assert_true(motion_of(s.world, s.near.bodies[1]).y < 1.4);
    run_until_asleep(s.world, 600);
    assert_near(motion_of(s.world, s.near.bodies[1]).y, 0.5, 0.02);
    cn_world_destroy(s.world);
}

static void a_shape_that_appears_beneath_wakes(void **state) {
    (void)state;
    sleepers s = make_sleepers();
    add(s.world, (cn_body_def){.type = CN_KINEMATIC, .position = {{0.6f, 0.5f}}},
        (cn_shape_def){.hull = cn_box(0.3f, 0.3f)});
    run(s.world, 2);
    assert_true(is_awake(&s, &s.near));
    assert_false(is_awake(&s, &s.far));
    cn_world_destroy(s.world);
}

static bool push(cn_world *w, cn_body b) { return cn_body_apply_center_impulse(w, b, point(1, 0)); }
static bool pull(cn_world *w, cn_body b) { return cn_body_apply_center_force(w, b, point(1, 0)); }
static bool twist(cn_world *w, cn_body b) { return cn_body_apply_torque(w, b, 1); }
static bool speed(cn_world *w, cn_body b) { return cn_body_set_velocity(w, b, point(1, 0)); }
static bool spin(cn_world *w, cn_body b) { return cn_body_set_angular_velocity(w, b, 1); }
static bool wake(cn_world *w, cn_body b) { return cn_body_set_awake(w, b, true); }
static bool lift(cn_world *w, cn_body b) { return cn_body_set_pose(w, b, point(0, 6), 0); }
static bool disable(cn_world *w, cn_body b) { return cn_body_set_enabled(w, b, false); }
static bool weigh(cn_world *w, cn_body b) {
    return cn_body_set_mass(w, b, (cn_mass){.mass = 9, .inertia = 2});
}
static bool shrink(cn_world *w, cn_body b) {
    cn_hull hull = cn_box(0.4f, 0.4f);
    return cn_shape_set_hull(w, cn_body_next_shape(w, b, (cn_shape){0}), &hull);
}
static bool let_through(cn_world *w, cn_body b) {
    return cn_shape_set_filter(w, cn_body_next_shape(w, b, (cn_shape){0}), (cn_filter){0});
}
static bool hang(cn_world *w, cn_body b) { return cn_body_set_type(w, b, CN_STATIC); }
static bool tilt(cn_world *w, cn_body b) {
    (void)b;
    return cn_world_set_gravity(w, point(1, -10));
}

// Whatever is done to the box in the middle, the one on top of it wakes.
static void what_is_done_to_a_body_wakes_its_island(void **state) {
    (void)state;
    bool (*const deeds[])(cn_world *, cn_body) = {push,        pull, twist,   speed, spin,
                                                  wake,        lift, disable, weigh, shrink,
                                                  let_through, hang, tilt};
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++) {
        sleepers s = make_sleepers();
        assert_false(cn_body_awake(s.world, s.near.bodies[2]));
        assert_done(deeds[i](s.world, s.near.bodies[1]));
        run(s.world, 2);
        if (!cn_body_awake(s.world, s.near.bodies[2])) {
            print_error("deed %d woke nobody\n", (int)i);
            fail();
        }
        cn_world_destroy(s.world);
    }
}

static void a_floor_that_moves_away_wakes_all(void **state) {
    (void)state;
    sleepers s = make_sleepers();
    assert_done(cn_body_set_pose(s.world, s.floor, point(0, -4), 0));
    run(s.world, 30);
    assert_true(is_awake(&s, &s.near) && is_awake(&s, &s.far));
    assert_true(motion_of(s.world, s.far.bodies[0]).y < 0);
    cn_world_destroy(s.world);
}

static void an_island_put_to_sleep_by_hand_sleeps_as_a_whole(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world();
    add_floor(world, (cn_material){0});
    watch stack = add_stack(world, 0, 4);
    run(world, 5);
    assert_done(cn_body_set_awake(world, stack.bodies[2], false));
    for (int i = 0; i < 4; i++) assert_false(cn_body_awake(world, stack.bodies[i]));
    run(world, 60);
    assert_costs_nothing(world);
    cn_world_destroy(world);
}

// ---- joints

enum { MAX_JOINTS = 512 };

// How far the locked places of a joint are from where they should be.
static double opening_of(const cn_world *world, cn_joint joint) {
    cn_joint_def def = cn_joint_get(world, joint);
    double x = (double)(cn_joint_value(world, joint, CN_JOINT_X) - def.x.target);
    double y = (double)(cn_joint_value(world, joint, CN_JOINT_Y) - def.y.target);
    return hypot(def.x.mode == CN_LOCKED ? x : 0, def.y.mode == CN_LOCKED && !def.polar ? y : 0);
}

// What a coupling keeps.
static double coupled_sum_of(const cn_world *world, cn_joint joint) {
    cn_coupling c = cn_joint_get_coupling(world, joint);
    if (!c.other.id || c.slack) return 0;
    return (double)cn_joint_value(world, joint, c.axis) +
           (double)c.ratio * (double)cn_joint_value(world, c.other, c.other_axis);
}

static int read_sums(const cn_world *world, double sums[MAX_JOINTS]) {
    int count = 0;
    cn_joint joint = cn_world_next_joint(world, (cn_joint){0});
    for (; joint.id; joint = cn_world_next_joint(world, joint)) {
        assert_true(count < MAX_JOINTS);
        sums[count++] = coupled_sum_of(world, joint);
    }
    return count;
}

// (The ball that breaks a bridge opens a joint by 0.1 to 0.3 m for a moment, after the course that it takes.)
static void check_joints(const scene *which, const cn_world *world, const double *sums) {
    cn_joint joint = cn_world_next_joint(world, (cn_joint){0});
    for (int i = 0; joint.id; joint = cn_world_next_joint(world, joint), i++) {
        double opening = opening_of(world, joint);
        double slip = sums ? fabs(coupled_sum_of(world, joint) - sums[i]) : 0;
        if (opening < 0.3 && slip < 0.01) continue;
        print_error("%s: joint %d is %g m open, %g off\n", which->name, i, opening, slip);
        fail();
    }
}

// Joints open by less than 20 cm whatever hits them, and gears do not slip.
static void joints_of_the_demo_hold(void **state) {
    (void)state;
    for (int i = 0; demo_scenes[i]; i++) {
        scene_run run;
        double sums[MAX_JOINTS];
        assert_done(scene_start(&run, demo_scenes[i], (cn_world_def){0}));
        int count = read_sums(run.world, sums);
        for (int k = 0; k < 300 && count > 0; k++) {
            assert_done(scene_step(&run, STEP));
            bool same = cn_world_counters(run.world).joints == count; // none broke
            check_joints(demo_scenes[i], run.world, same ? sums : NULL);
        }
        scene_stop(&run);
    }
}

static void a_cradle_keeps_its_energy(void **state) {
    (void)state;
    scene_run run;
    assert_done(scene_start(&run, scene_find("cradle"), (cn_world_def){0}));
    cn_energy before = cn_world_energy(run.world);
    for (int i = 0; i < 1200; i++) assert_done(scene_step(&run, STEP));
    cn_energy after = cn_world_energy(run.world);
    double lost = before.kinetic + before.potential - after.kinetic - after.potential;
    assert_near(lost, 0, 0.5); // of 26.4 J of swing
    scene_stop(&run);
}

// The mean height of the five dolls that fell first, on the lowest floor.
static double height_of_dolls(const cn_world *world) {
    enum { BONES = 5 * 11 };
    double sum = 0;
    int count = 0;
    cn_body body = cn_world_next_body(world, (cn_body){0});
    for (; body.id && count < BONES; body = cn_world_next_body(world, body)) {
        if (cn_body_get_type(world, body) != CN_DYNAMIC) continue;
        sum += (double)cn_body_position(world, body).y;
        count++;
    }
    return sum / BONES;
}

// They land at 28 m/s, and were thrown up again 30 m at 12 substeps.
static void dolls_that_fall_from_high_stay_where_they_land(void **state) {
    (void)state;
    for (int substeps = 4; substeps <= 16; substeps += 4) {
        scene_run run;
        assert_done(scene_start(&run, scene_find("rain"), (cn_world_def){.substeps = substeps}));
        for (int i = 0; i < 170; i++) assert_done(scene_step(&run, STEP));
        double highest = 0;
        for (int i = 0; i < 130; i++) {
            assert_done(scene_step(&run, STEP));
            highest = fmax(highest, height_of_dolls(run.world));
        }
        if (highest > 1.2) fail_msg("%d substeps: up to %.2f m", substeps, highest);
        scene_stop(&run);
    }
}

// ---- determinism

enum { HASHED_STEPS = 60 };

// The hash after each step; returns how many. Crowded scenes take fewer steps. Mixed: as on a CPU of that
// width, where few contacts are left to fewer lanes.
static int hash_scene(const scene *which, int lanes, bool mixed, uint64_t hashes[HASHED_STEPS]) {
    scene_run run;
    assert_done(scene_start(&run, which, (cn_world_def){.lanes = lanes}));
    run.world->sim.widest_only = !mixed;
    int steps = cn_world_counters(run.world).bodies > 2000 ? 10 : HASHED_STEPS;
    for (int i = 0; i < steps; i++) {
        assert_done(scene_step(&run, STEP));
        hashes[i] = cn_world_hash(run.world);
    }
    scene_stop(&run);
    return steps;
}

static void check_same_hashes(const scene *which, int lanes, bool mixed, const uint64_t *expected) {
    uint64_t hashes[HASHED_STEPS];
    int steps = hash_scene(which, lanes, mixed, hashes);
    for (int i = 0; i < steps; i++) {
        if (hashes[i] == expected[i]) continue;
        print_error("%s, %d lanes: differs from step %d on\n", which->name, lanes, i);
        fail();
    }
}

static bool can_use_lanes(int lanes) {
    cn_world *world = cn_world_create(&(cn_world_def){.lanes = lanes});
    cn_world_destroy(world);
    return world != NULL;
}

static void check_scene(const scene *which, bool mixed) {
    uint64_t expected[HASHED_STEPS];
    hash_scene(which, 1, false, expected);
    for (int lanes = 1; lanes <= 16; lanes = lanes == 1 ? 4 : 2 * lanes) {
        if (!can_use_lanes(lanes)) continue;
        check_same_hashes(which, lanes, false, expected);
        if (mixed && lanes > 4) check_same_hashes(which, lanes, true, expected);
    }
}

// Each scene twice with one lane, then with 4, 8 and 16.
static void scenes_of_the_demo_are_the_same_each_time_and_on_every_width(void **state) {
    (void)state;
    for (int i = 0; demo_scenes[i]; i++) check_scene(demo_scenes[i], true);
}

static void scenes_of_the_benchmark_are_the_same_each_time_and_on_every_width(void **state) {
    (void)state;
    for (int i = 0; bench_scenes[i]; i++) check_scene(bench_scenes[i], false);
}

static void look_at(cn_world *world) {
    cn_drawing drawing;
    assert_done(cn_world_draw(world, CN_DRAW_ALL, &drawing));
    cn_world_contacts(world, NULL, 0);
    cn_world_events(world);
    cn_world_energy(world);
}

static uint64_t hash_of_pile(bool is_looked_at) {
    cn_world *world = make_sleepy_world(), *other = make_world(GRAVITY);
    add_bin(world);
    fill_bin(world, 60);
    add_stack(other, 0, 5);
    for (int i = 0; i < 300; i++) {
        run(world, 1);
        if (!is_looked_at) continue;
        look_at(world);
        run(other, 1);
    }
    uint64_t hash = cn_world_hash(world);
    cn_world_destroy(world);
    cn_world_destroy(other);
    return hash;
}

static void looking_at_a_world_and_running_another_change_nothing(void **state) {
    (void)state;
    assert_true(hash_of_pile(false) == hash_of_pile(true));
}

// Draws the sketch of a scene, with a mouse that moves, and without.
static void check_sketch(scene_run *run) {
    for (int i = 0; i < 2; i++) {
        sketch drawn = {0};
        run->has_mouse = i == 1;
        run->mouse = point(6 - 0.2f * (float)run->step, -4 + 0.13f * (float)run->step);
        run->scene->draw(run, &drawn);
        if (drawn.count == 0) fail_msg("%s, step %d: no sketch", run->scene->name, run->step);
        sketch_free(&drawn);
    }
}

static uint64_t hash_sketched(const scene *which, bool is_sketched) {
    scene_run run;
    assert_done(scene_start(&run, which, (cn_world_def){0}));
    for (int i = 0; i < 120; i++) {
        assert_done(scene_step(&run, STEP));
        if (is_sketched) check_sketch(&run);
    }
    uint64_t hash = cn_world_hash(run.world);
    scene_stop(&run);
    return hash;
}

static void sketches_of_scenes_change_nothing(void **state) {
    (void)state;
    for (int i = 0; demo_scenes[i]; i++)
        if (demo_scenes[i]->draw)
            assert_true(hash_sketched(demo_scenes[i], true) ==
                        hash_sketched(demo_scenes[i], false));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_of_ten_stands),
        cmocka_unit_test(a_crooked_stack_of_ten_stands),
        cmocka_unit_test(a_pyramid_of_base_twenty_stands),
        cmocka_unit_test(a_pile_stays_in_its_bin_and_falls_asleep),
        cmocka_unit_test(all_islands_fall_asleep),
        cmocka_unit_test(a_sleeping_body_keeps_its_pose_bit_for_bit),
        cmocka_unit_test(a_body_that_must_not_sleep_keeps_its_island_awake),
        cmocka_unit_test(a_body_on_a_moving_platform_stays_awake),
        cmocka_unit_test(falling_asleep_and_waking_are_told),
        cmocka_unit_test(a_hit_wakes_one_stack_only),
        cmocka_unit_test(without_their_floor_all_fall),
        cmocka_unit_test(without_the_lowest_the_others_fall),
        cmocka_unit_test(a_shape_that_appears_beneath_wakes),
        cmocka_unit_test(what_is_done_to_a_body_wakes_its_island),
        cmocka_unit_test(a_floor_that_moves_away_wakes_all),
        cmocka_unit_test(an_island_put_to_sleep_by_hand_sleeps_as_a_whole),
        cmocka_unit_test(joints_of_the_demo_hold),
        cmocka_unit_test(a_cradle_keeps_its_energy),
        cmocka_unit_test(dolls_that_fall_from_high_stay_where_they_land),
        cmocka_unit_test(scenes_of_the_demo_are_the_same_each_time_and_on_every_width),
        cmocka_unit_test(scenes_of_the_benchmark_are_the_same_each_time_and_on_every_width),
        cmocka_unit_test(looking_at_a_world_and_running_another_change_nothing),
        cmocka_unit_test(sketches_of_scenes_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
