/* A soak test: a world that runs for a long time. Between its steps, bodies, joints, shapes, tiles,
 * chains and sensors are created and destroyed, so that their numbers stay about the same.
 *
 *     soak [STEPS]      default: 20,000; `meson test --benchmark soak` takes 1,000,000
 *
 * It checks:
 *
 *   - the counters of the world are equal to those of the program
 *   - in the second half, the memory is at most 9/8 of its maximum in the first half
 *   - the hashes are equal to those of a second world that gets the same calls
 *   - at the end all memory was released */
#include "../support/meter.h"
#include "../support/physics.h"

#include <inttypes.h>
#include <stdio.h>

enum { BODIES = 60, JOINTS = 30, GRIDS = 2, CHAINS = 3, REPORTS = 10 };

typedef struct {
    meter meter;
    cn_world *world;
    uint64_t chance;
    cn_body ground, bodies[BODIES];
    cn_joint joints[JOINTS];
    cn_grid grids[GRIDS];
    cn_chain chains[CHAINS];
    cn_shape sensor;
    uint64_t created;
} soak;

static double draw(soak *s, double low, double high) {
    return random_between(&s->chance, low, high);
}

static int draw_below(soak *s, int count) { return (int)draw(s, 0, count); }

// ---- creating and destroying

static cn_hull draw_hull(soak *s) {
    float size = (float)draw(s, 0.2, 0.6);
    switch (draw_below(s, 4)) {
    case 0: return cn_circle(size);
    case 1: return cn_capsule(point(-0.3, 0), point(0.3, 0.1), size);
    case 2: return cn_regular_polygon(3 + draw_below(s, 6), size);
    default: return cn_box(size, (float)draw(s, 0.2, 0.6));
    }
}

static void replace_body(soak *s) {
    int i = draw_below(s, BODIES);
    if (cn_body_valid(s->world, s->bodies[i])) assert_done(cn_body_destroy(s->world, s->bodies[i]));
    double x = draw(s, -12, 12), y = draw(s, 4, 12); // in this order with every compiler
    vec2s position = point(x, y);
    s->bodies[i] = cn_body_create(s->world, &(cn_body_def){.position = position});
    cn_shape_def def = {.hull = draw_hull(s)};
    if (draw_below(s, 4) == 0) def.hit_events = true;
    assert_done(cn_shape_create(s->world, s->bodies[i], &def).id != 0);
    s->created++;
}

static void replace_joint(soak *s) {
    int i = draw_below(s, JOINTS);
    cn_body a = s->bodies[draw_below(s, BODIES)], b = s->bodies[draw_below(s, BODIES)];
    if (cn_joint_valid(s->world, s->joints[i])) cn_joint_destroy(s->world, s->joints[i]);
    if (a.id == b.id || !cn_body_valid(s->world, a) || !cn_body_valid(s->world, b)) return;
    cn_joint_def def = cn_spring_joint(s->world, a, b, cn_body_position(s->world, a),
                                       cn_body_position(s->world, b));
    def.break_force = 300;
    s->joints[i] = cn_joint_create(s->world, def); // may fail: the bodies may be at one place
    s->created += s->joints[i].id != 0;
}

static void replace_grid(soak *s) {
    int i = draw_below(s, GRIDS);
    uint8_t solid[24];
    for (int k = 0; k < 24; k++) solid[k] = (uint8_t)(draw_below(s, 3) > 0);
    if (s->grids[i].id) assert_done(cn_grid_destroy(s->world, s->grids[i]));
    cn_grid_def def = {.solid = solid, .width = 6, .height = 4, .tile_size = 0.5f};
    def.origin = point(i * 8 - 6, 0.5);
    s->grids[i] = cn_grid_create(s->world, s->ground, &def);
    assert_done(s->grids[i].id != 0);
    s->created++;
}

static void replace_chain(soak *s) {
    int i = draw_below(s, CHAINS);
    vec2s points[5];
    for (int k = 0; k < 5; k++) points[k] = point(8 * i - 4 - k, 0.5 + draw(s, 0, 0.8));
    if (s->chains[i].id) assert_done(cn_chain_destroy(s->world, s->chains[i]));
    s->chains[i] =
        cn_chain_create(s->world, s->ground, &(cn_chain_def){.points = points, .count = 5});
    assert_done(s->chains[i].id != 0);
    s->created++;
}

static void replace_sensor(soak *s) {
    if (s->sensor.id) assert_done(cn_shape_destroy(s->world, s->sensor));
    cn_hull hull = cn_box(2, 2);
    hull = cn_hull_at(hull, cn_pose_at(point(draw(s, -9, 9), 3), 0));
    cn_shape_def def = {.hull = hull, .sensor = true};
    if (draw_below(s, 2)) def.medium = (cn_medium){.density = 0.5f, .linear_drag = 1};
    s->sensor = cn_shape_create(s->world, s->ground, &def);
    assert_done(s->sensor.id != 0);
    s->created++;
}

static void churn(soak *s) {
    if (draw_below(s, 4) == 0) replace_body(s);
    if (draw_below(s, 8) == 0) replace_joint(s);
    if (draw_below(s, 64) == 0) replace_grid(s);
    if (draw_below(s, 64) == 0) replace_chain(s);
    if (draw_below(s, 64) == 0) replace_sensor(s);
    int grid = draw_below(s, GRIDS), x = draw_below(s, 6), y = draw_below(s, 4);
    if (s->grids[grid].id && draw_below(s, 8) == 0)
        assert_done(cn_grid_set_solid(s->world, s->grids[grid], x, y, draw_below(s, 2)));
}

// ---- claims

static void check_counters(const soak *s) {
    cn_counters c = cn_world_counters(s->world);
    int bodies = 1, joints = 0, shapes = 3 + (s->sensor.id != 0); // three walls
    for (int i = 0; i < BODIES; i++) bodies += cn_body_valid(s->world, s->bodies[i]);
    for (int i = 0; i < JOINTS; i++) joints += cn_joint_valid(s->world, s->joints[i]);
    for (int i = 0; i < CHAINS; i++) shapes += s->chains[i].id ? 4 : 0;
    shapes += bodies - 1;
    assert_int_equal(c.bodies, bodies);
    assert_int_equal(c.joints, joints);
    assert_int_equal(c.shapes, shapes);
    assert_int_equal(c.bytes, s->meter.bytes);
}

static void begin(soak *s, int lanes) {
    *s = (soak){.chance = 25};
    cn_world_def def = {.gravity = {{0, -10}}, .lanes = lanes, .allocator = metered(&s->meter)};
    s->world = cn_world_create(&def);
    s->ground = cn_body_create(s->world, &(cn_body_def){.type = CN_STATIC});
    cn_hull walls[3] = {cn_box(20, 0.5f), cn_box(0.5f, 20), cn_box(0.5f, 20)};
    for (int i = 0; i < 3; i++) {
        cn_pose pose = cn_pose_at(point(i ? 29 - 19.5 * i : 0, 0), 0);
        if (i) pose.position.x = i == 1 ? -15 : 15;
        cn_hull hull = cn_hull_at(walls[i], pose);
        assert_done(cn_shape_create(s->world, s->ground, &(cn_shape_def){.hull = hull}).id != 0);
    }
}

static void step(soak *s) {
    churn(s);
    assert_done(cn_world_step(s->world, STEP));
    cn_world_events(s->world);
}

static size_t step_both(soak *s, int count) {
    size_t most = 0;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 2; k++) step(&s[k]);
        if (i % 10 == 0) assert_true(cn_world_hash(s[0].world) == cn_world_hash(s[1].world));
        if (i % 100 == 0) check_counters(&s[0]);
        most = s[0].meter.bytes > most ? s[0].meter.bytes : most;
    }
    return most;
}

static int steps = 20000;

static void a_long_run_takes_no_more_memory_and_is_the_same_twice(void **state) {
    (void)state;
    static soak s[2];
    size_t first = 0; // the most of the first half
    begin(&s[0], 0), begin(&s[1], 1);
    for (int i = 0; i < REPORTS; i++) {
        size_t most = step_both(s, steps / REPORTS);
        if (i < REPORTS / 2 && most > first) first = most;
        print_message("%9" PRIu64 " steps, %" PRIu64
                      " objects created, at most %zu bytes, hash %016" PRIx64 "\n",
                      cn_world_counters(s[0].world).steps, s[0].created, most,
                      cn_world_hash(s[0].world));
        assert_true(most <= first + first / 8);
    }
    for (int k = 0; k < 2; k++) {
        cn_world_destroy(s[k].world);
        assert_int_equal(s[k].meter.blocks, 0);
    }
}

int main(int count, char **arguments) {
    if (count > 1) steps = atoi(arguments[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_run_takes_no_more_memory_and_is_the_same_twice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
