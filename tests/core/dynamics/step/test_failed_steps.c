/* A step that gets no memory changes nothing: neither the state nor the later steps.
 *
 * Two random worlds are equal and get the same calls. In one of them every allocation of every step
 * fails once, one after the other, until the step succeeds. After each step both worlds must be
 * equal. Only shapes of tiles may appear in a step that fails. */
#include "../../../support/saved_world.h"
#include "../../../support/meter.h"
#include "../../../support/random_calls.h"

enum { BODIES = 40, TILES = BODIES - 1, JOINTS = 24, STEPS = 60 };

typedef struct {
    meter meter;
    cn_world *world;
    cn_body bodies[BODIES]; // 0: kinematic, TILES: static, the others are dynamic
    cn_joint joints[JOINTS];
    cn_grid tiles;
    int failures;
} scene;

// ---- the worlds

static void add_tiles(scene *s) {
    cn_tile tiles[32 * 3];
    for (int i = 0; i < 32 * 3; i++)
        tiles[i] = (cn_tile){.solid = !one_in(3), .one_way = one_in(4)};
    cn_grid_def def = {.tiles = tiles, .width = 32, .height = 3, .tile_size = 0.8f};
    def.origin = point(-13, -2.4), def.one_way = point(0, 1);
    s->tiles = cn_grid_create(s->world, s->bodies[TILES], &def);
    assert_done(s->tiles.id != 0);
}

static void add_bodies(scene *s, bool asleep) {
    cn_shape_def floor = {.hull = cn_box(100, 1)};
    add(s->world, (cn_body_def){.type = CN_STATIC, .position = {{0, -4}}}, floor);
    for (int i = 0; i < BODIES; i++) {
        cn_body_def def = {.type = i == 0 ? CN_KINEMATIC : i == TILES ? CN_STATIC : CN_DYNAMIC};
        def.asleep = i > 0 && asleep && one_in(2);
        if (i != TILES) def.position = somewhere();
        s->bodies[i] = cn_body_create(s->world, &def);
        cn_shape_def shape = {.hull = some_hull(), .material = some_material()};
        shape.sensor = i > 0 && one_in(8);
        if (shape.sensor && one_in(2)) shape.medium = (cn_medium){.density = 2, .linear_drag = 1};
        if (i != TILES) assert_done(cn_shape_create(s->world, s->bodies[i], &shape).id != 0);
    }
}

// Every third joint is coupled to the one before it.
static void add_joints(scene *s) {
    for (int i = 0; i < JOINTS; i++) {
        cn_body a = s->bodies[below(BODIES)], b = s->bodies[1 + below(TILES - 1)];
        while (a.id == b.id) a = s->bodies[below(BODIES)];
        cn_joint_def def = some_joint(s->world, a, b);
        if (i % 3) def = cn_revolute_joint(s->world, a, b, cn_body_position(s->world, b));
        if (one_in(6)) def.break_force = 5;
        s->joints[i] = cn_joint_create(s->world, def);
        assert_done(s->joints[i].id != 0);
        cn_coupling coupling = {s->joints[i - 1 + !i], CN_JOINT_ANGLE, CN_JOINT_ANGLE, 2, false};
        if (i % 3 == 2) assert_done(cn_joint_set_coupling(s->world, s->joints[i], coupling));
    }
}

static void make_scene(scene *s, uint64_t seed, bool tiles) {
    *s = (scene){0};
    chance = seed;
    s->world =
        cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .allocator = metered(&s->meter)});
    assert_done(s->world != NULL);
    add_bodies(s, seed % 2);
    if (tiles) add_tiles(s);
    add_joints(s);
}

// ---- edits between the steps

// Adds bodies that touch each other, so the next step needs memory in every stage.
static void add_pile(cn_world *world, vec2s place) {
    for (int i = 0; i < 12; i++) {
        cn_body_def body = {.position = point((double)place.x + 0.4 * (i % 4), 6 + 0.4 * (i / 4))};
        add(world, body, box_of(0.2f));
    }
}

static void edit(scene *s) {
    cn_body body = s->bodies[below(BODIES)];
    cn_joint joint = s->joints[below(JOINTS)];
    vec2s place = somewhere();
    bool on = one_in(2);
    switch (below(10)) {
    case 0:
    case 1:
        if (cn_joint_valid(s->world, joint)) cn_joint_set_disabled(s->world, joint, !on);
        break;
    case 2: cn_body_set_disabled(s->world, body, !on); break;
    case 3: cn_body_set_pose(s->world, body, cn_pose_at(place, place.x)); break;
    case 4:
        cn_body_set_pose(s->world, s->bodies[TILES],
                         cn_pose_at(point(place.x / 10, place.y / 10), 0));
        break;
    case 5: cn_body_set_disabled(s->world, s->bodies[TILES], !on); break;
    case 6: cn_body_drop_through(s->world, body, place.y / 10); break;
    case 7:
    case 8: add_pile(s->world, place); break;
    default: cn_body_set_velocity(s->world, s->bodies[0], place); break;
    }
}

static void edit_both(scene *s, scene *twin) {
    uint64_t before = chance;
    edit(s);
    chance = before;
    edit(twin);
}

// ---- failing steps

// True if the world is in the saved state, except that tiles may have shapes now. The body of the
// tiles lists these shapes. It is the last body, so a comparison names every other body first.
static bool is_as_saved(const scene *s, saved_world saved) {
    cn_world *before = cn_world_load(&(cn_world_def){0}, NULL, saved.bytes, saved.size);
    assert_done(before != NULL);
    cn_difference difference = cn_world_compare(s->world, before);
    bool same_time = cn_world_interpolation(s->world) == cn_world_interpolation(before);
    cn_world_destroy(before);
    if (difference.part == CN_PART_NONE) return same_time;
    return same_time && difference.part == CN_PART_BODIES &&
           difference.body.id == s->bodies[TILES].id && s->tiles.id;
}

// Takes a step while allocation n fails. Returns whether the step was taken.
static bool try_step(scene *s, int n, bool by_frames) {
    saved_world before = save_world(s->world);
    fail_at(&s->meter, n);
    bool done = by_frames ? cn_world_advance(s->world, STEP) == 1 : cn_world_step(s->world, STEP);
    bool failed = has_failed(&s->meter);
    fail_at(&s->meter, 0);
    assert_true(done || (failed && cn_error_code() == CN_ERROR_MEMORY));
    assert_true(done || is_as_saved(s, before));
    bool undone = done && failed;
    if (undone) assert_done(cn_world_restore(s->world, before.bytes, before.size));
    free(before.bytes);
    s->failures += !done;
    return done && (!undone || try_step(s, 0, by_frames));
}

// Takes a step, after one failed attempt for each allocation: what an attempt has allocated stays,
// so the next attempt fails at the allocation after that. The second half of a step cannot fail,
// but it leaves work undone if it gets no memory: such a step is taken again.
static void starve_step(scene *s, bool by_frames) {
    for (int n = 1; !try_step(s, n, by_frames);) n = 2;
}

// Two coupled wheels that turn against each other. The coupling ends because its other joint is
// disabled, and in the same step many new bodies need a plan, which needs memory.
static void a_failed_step_keeps_the_impulse_of_a_coupling_that_ends(void **state) {
    (void)state;
    scene s = {0};
    s.world = cn_world_create(&(cn_world_def){.allocator = metered(&s.meter)});
    cn_shape_def disc = {.hull = cn_circle(1)};
    for (int i = 0; i < 2; i++) {
        cn_body anchor = cn_body_create(s.world, &(cn_body_def){.type = CN_STATIC});
        cn_body wheel =
            add(s.world, (cn_body_def){.position = point(4 * i, 0), .angular_velocity = 3}, disc);
        cn_joint_def def = cn_revolute_joint(s.world, anchor, wheel, point(4 * i, 0));
        s.joints[i] = cn_joint_create(s.world, def);
    }
    cn_coupling coupling = {s.joints[1], CN_JOINT_ANGLE, CN_JOINT_ANGLE, 1, false};
    assert_done(cn_joint_set_coupling(s.world, s.joints[0], coupling));
    run(s.world, 1);
    assert_true(cn_joint_torque(s.world, s.joints[0]) != 0);
    assert_done(cn_joint_set_disabled(s.world, s.joints[1], true));
    for (int i = 0; i < 500; i++)
        add(s.world, (cn_body_def){.position = point(0.9 * i, 10)}, box_of(0.5f));
    starve_step(&s, false);
    assert_in_range(s.failures, 5, 1000);
    cn_world_destroy(s.world);
}

static void check_scene(uint64_t seed, bool tiles, bool by_frames, int *failures) {
    scene s, twin;
    make_scene(&twin, seed, tiles);
    make_scene(&s, seed, tiles);
    for (int i = 0; i < STEPS; i++) {
        if (i % 2) edit_both(&s, &twin);
        starve_step(&s, by_frames);
        assert_true(try_step(&twin, 0, by_frames));
        if (cn_world_hash(s.world) != cn_world_hash(twin.world))
            fail_msg("seed %d differs after step %d", (int)seed, i);
    }
    *failures += s.failures;
    cn_world_destroy(s.world);
    cn_world_destroy(twin.world);
}

static void a_failed_step_changes_nothing(void **state) {
    (void)state;
    int failures = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) check_scene(seed, false, false, &failures);
    assert_in_range(failures, 500, 100000);
}

static void a_failed_step_over_tiles_leaves_only_shapes_of_tiles(void **state) {
    (void)state;
    int failures = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) check_scene(seed, true, false, &failures);
    assert_in_range(failures, 500, 100000);
}

static void a_failed_frame_changes_nothing(void **state) {
    (void)state;
    int failures = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) check_scene(seed, true, true, &failures);
    assert_in_range(failures, 200, 100000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failed_step_keeps_the_impulse_of_a_coupling_that_ends),
        cmocka_unit_test(a_failed_step_changes_nothing),
        cmocka_unit_test(a_failed_step_over_tiles_leaves_only_shapes_of_tiles),
        cmocka_unit_test(a_failed_frame_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
