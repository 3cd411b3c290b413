/* Steps in which workers share the small loops of the pair search, of continuous collision and of
 * sleep: the state after each step is that of one thread, bit by bit. */
#include "../../../support/physics.h"
#include "../../../support/task_systems.h"
#include "../../../../engine/core/world/world.h"

enum { STEPS = 60, ROWS = 6, COLUMNS = 40 };

// How often the events happened that the test is about.
typedef struct {
    int stopped, linked, slept, woken, asleep, surfaces;
} happened;

// A floor of tiles, whose shapes join, and thin walls.
static void add_ground(cn_world *world) {
    cn_body ground = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    for (int i = -20; i < 60; i++) {
        vec2s at = {{2 * (float)i, -0.5f}};
        cn_shape_def tile = {.hull = cn_hull_at(cn_box(1, 0.5f), cn_pose_at(at, 0))};
        assert_true(cn_shape_create(world, ground, &tile).id != 0);
    }
    for (int i = 0; i < 4; i++)
        add(world, (cn_body_def){.type = CN_STATIC, .position = {{60 + 4 * (float)i, 10}}},
            (cn_shape_def){.hull = cn_box(0.05f, 10)});
}

// Boxes in rows, which come to rest one after the other.
static void add_crates(cn_world *world) {
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        vec2s at = {{1.5f * (float)(i % COLUMNS), 0.5f + 1.01f * (float)(i / COLUMNS)}};
        add(world, (cn_body_def){.position = at}, box_of(0.5f));
    }
}

// Pairs of hinged boxes, small circles and single boxes fly at the crates and the walls, some so
// fast that they pass several of them in a step.
static void add_shots(cn_world *world) {
    for (int i = 0; i < 60; i++) {
        vec2s at = {{-30 - 0.7f * (float)(i % 10), 1 + 0.5f * (float)(i / 10)}};
        vec2s velocity = {{200 + 30 * (float)(i % 7), 2}};
        cn_body_def def = {.position = at, .velocity = velocity, .bullet = i % 3 == 0};
        cn_body first =
            add(world, def, i % 2 ? box_of(0.1f) : (cn_shape_def){.hull = cn_circle(0.1f)});
        if (i % 4) continue;
        def.position.y += 0.3f;
        cn_body second = add(world, def, box_of(0.1f));
        cn_joint_def hinge = cn_revolute_joint(world, first, second, (vec2s){{at.x, at.y + 0.15f}});
        assert_true(cn_joint_create(world, hinge).id != 0);
    }
}

// A fast kinematic bat carries the bodies that it hits.
static void add_bat(cn_world *world) {
    cn_body_def def = {.type = CN_KINEMATIC, .position = {{90, 3}}, .velocity = {{-60, 0}}};
    add(world, def, (cn_shape_def){.hull = cn_box(0.2f, 2.9f)});
}

static cn_world *make_barrage(int threads, cn_task_system tasks) {
    cn_world *world =
        cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .threads = threads, .tasks = tasks});
    assert_done(world != NULL);
    cn_tuning tuning = cn_world_tuning(world);
    tuning.sleep_time = 0.2f;
    assert_done(cn_world_set_tuning(world, tuning));
    cn_team_distribute_all(world->sim.team);
    add_ground(world);
    add_crates(world);
    return world;
}

static void count_happened(const cn_world *world, happened *t) {
    const cn_simulation *sim = &world->sim;
    for (int i = 0; i < sim->slots[CN_BODIES].end; i++) {
        bool stopped = sim->hot[i].flags & CN_BODY_STOPPED;
        t->stopped += stopped, t->linked += stopped && sim->first_joint[i] >= 0;
    }
    t->woken += cn_max_int(t->asleep - sim->sleeping_count, 0);
    t->slept += cn_max_int(sim->sleeping_count - t->asleep, 0);
    t->asleep = sim->sleeping_count;
    t->surfaces = sim->known_surfaces;
}

// Compares the hash after each step with that of the run on one thread, which must come first.
static happened run_barrage(int threads, int system, uint64_t hashes[STEPS]) {
    task_calls calls = {0};
    cn_world *world = make_barrage(threads, record_calls(system, &calls));
    happened t = {0};
    for (int i = 0; i < STEPS; i++) {
        if (i == STEPS / 2) add_shots(world), add_bat(world);
        assert_done(cn_world_step(world, STEP));
        if (threads == 1) hashes[i] = cn_world_hash(world);
        if (cn_world_hash(world) != hashes[i]) fail_msg("%d threads: step %d differs", threads, i);
        count_happened(world, &t);
    }
    cn_world_destroy(world);
    check_calls(system, &calls);
    return t;
}

static void shared_steps_have_the_bits_of_one_thread(void **state) {
    (void)state;
    uint64_t hashes[STEPS];
    happened t = run_barrage(1, OWN_THREADS, hashes);
    print_message("stopped %d, with joints %d, fell asleep %d, woken %d, surfaces %d\n", t.stopped,
                  t.linked, t.slept, t.woken, t.surfaces);
    // If this fails, the scene must change.
    assert_true(t.stopped > 20 && t.linked > 4 && t.slept > 10 && t.woken > 10 && t.surfaces > 10);
    const int threads[] = {2, 3, 8};
    for (int i = 0; i < 3; i++)
        for (int system = OWN_THREADS; system <= NEVER; system++)
            run_barrage(threads[i], system, hashes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_steps_have_the_bits_of_one_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
