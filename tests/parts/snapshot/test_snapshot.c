/* A world that continues from saved bytes gives the same bits as the world that was saved.
 *
 *     test_snapshot [moments]     saves each scene at this many random moments
 */
#include "../../../demo/scenes/scene.h"
#include "../../../engine/parts/snapshot/snapshot.h"
#include "../../support/movers.h"
#include "../../support/sleepers.h"

#include <inttypes.h>
#include <stdio.h>

enum { AHEAD = 60, LATEST = 150 }; // number of compared steps; step of the latest save

static int moments = 1;
static uint64_t chance = 7;
static int differences;

typedef struct {
    unsigned char *bytes;
    size_t size;
} saved;

static saved save(const cn_world *world, cn_save_parts parts) {
    saved s = {NULL, cn_world_save(world, parts, NULL, 0)};
    assert_true(s.size > 0);
    s.bytes = malloc(s.size);
    assert_int_equal(cn_world_save(world, parts, s.bytes, s.size), s.size);
    return s;
}

typedef struct {
    uint64_t hashes[AHEAD + 1];
} future;

static future run_ahead(cn_world *world) {
    future f;
    for (int i = 0; i <= AHEAD; i++) {
        f.hashes[i] = cn_world_hash(world);
        if (i < AHEAD) assert_done(cn_world_step(world, STEP));
    }
    return f;
}

static void compare(const char *name, const char *how, int moment, const future *a,
                    const future *b) {
    for (int i = 0; i <= AHEAD; i++) {
        if (a->hashes[i] == b->hashes[i]) continue;
        print_error("%s, %s, saved at step %d: differs %d steps later\n", name, how, moment, i);
        differences++;
        return;
    }
}

static cn_callbacks callbacks_of(const cn_world *world) { return world->callbacks; }

// A new world has other callbacks: their context may be the first world.
static void check_loaded(const scene_run *run, const char *name, int moment, const saved *all,
                         const future *expected, cn_world_def def) {
    cn_callbacks callbacks = callbacks_of(run->world);
    cn_world *loaded = cn_world_load(&def, &callbacks, all->bytes, all->size);
    if (!loaded) print_error("%s: %s\n", name, cn_error());
    assert_non_null(loaded);
    saved again = save(loaded, CN_SAVE_ALL);
    assert_int_equal(again.size, all->size);
    assert_memory_equal(again.bytes, all->bytes, all->size);
    free(again.bytes);
    future got = run_ahead(loaded);
    compare(name, "loaded", moment, expected, &got);
    cn_world_destroy(loaded);
}

static void check_moment(scene_run *run, const char *name, int moment) {
    cn_world *world = run->world;
    saved all = save(world, CN_SAVE_ALL), moving = save(world, CN_SAVE_MOVING);
    assert_true(moving.size <= all.size);
    future expected = run_ahead(world), got;
    assert_done(cn_world_restore(world, all.bytes, all.size));
    got = run_ahead(world);
    compare(name, "restored", moment, &expected, &got);
    assert_done(cn_world_restore(world, moving.bytes, moving.size));
    got = run_ahead(world);
    compare(name, "restored without scenery", moment, &expected, &got);
    assert_true(cn_restore_in_place(world, moving.bytes, moving.size));
    got = run_ahead(world);
    compare(name, "rewound", moment, &expected, &got);
    assert_true(cn_restore_in_place(world, moving.bytes, moving.size));
    check_loaded(run, name, moment, &all, &expected, (cn_world_def){.lanes = 1});
    check_loaded(run, name, moment, &all, &expected, (cn_world_def){.lanes = 4, .threads = 3});
    free(all.bytes), free(moving.bytes);
}

static void check_scene(const scene *which) {
    for (int i = 0; i < moments; i++) {
        scene_run run;
        int moment = (int)random_between(&chance, 0, LATEST);
        assert_done(scene_start(&run, which, (cn_world_def){0}));
        for (int k = 0; k < moment; k++) assert_done(scene_step(&run, STEP));
        check_moment(&run, which->name, moment);
        scene_stop(&run);
    }
}

static void every_scene_goes_on_from_saved_bytes(void **state) {
    (void)state;
    for (const scene *const *list = demo_scenes; *list; list++) {
        if (getenv("CAIRN_SCENE") && strcmp(getenv("CAIRN_SCENE"), (*list)->name) != 0) continue;
        check_scene(*list);
    }
    assert_int_equal(differences, 0);
}

// ---- what is drawn and counted

enum { MOST_POSES = 4096 };

static void compare_poses(const char *name, const cn_world *a, const cn_world *b) {
    static cn_pose poses[2][MOST_POSES];
    int count = cn_world_poses(a, poses[0], MOST_POSES, true);
    assert_int_equal(cn_world_poses(b, poses[1], MOST_POSES, true), count);
    for (int i = 0; i < cn_min_int(count, MOST_POSES); i++) {
        if (memcmp(&poses[0][i], &poses[1][i], sizeof(cn_pose)) == 0) continue;
        print_error("%s: body %d is drawn at (%g, %g) and at (%g, %g)\n", name, i,
                    (double)poses[0][i].position.x, (double)poses[0][i].position.y,
                    (double)poses[1][i].position.x, (double)poses[1][i].position.y);
        differences++;
        return;
    }
}

// Batches, colours and bytes depend on the machine and on what happened before.
static void compare_counters(const char *name, const cn_world *a, const cn_world *b) {
    cn_counters p = cn_world_counters(a), q = cn_world_counters(b);
    if (p.islands > 0 && p.awake_bodies > 0) assert_true(q.batches > 0);
    p.lanes = q.lanes = p.batches = q.batches = p.colors = q.colors = 0;
    p.bytes = q.bytes = 0, p.allocations = q.allocations = 0;
    if (memcmp(&p, &q, sizeof p) == 0) return;
    print_error("%s: %d and %d islands\n", name, p.islands, q.islands);
    differences++;
}

static void compare_drawings(const char *name, cn_world *a, cn_world *b, uint32_t flags) {
    cn_drawing p, q;
    assert_done(cn_world_draw(a, flags, &p) && cn_world_draw(b, flags, &q));
    size_t triangles = (size_t)p.triangle_vertices * sizeof *p.triangles;
    size_t lines = (size_t)p.line_vertices * sizeof *p.lines;
    bool same = p.triangle_vertices == q.triangle_vertices && p.line_vertices == q.line_vertices &&
                (triangles == 0 || memcmp(p.triangles, q.triangles, triangles) == 0) &&
                (lines == 0 || memcmp(p.lines, q.lines, lines) == 0);
    if (same) return;
    print_error("%s: is drawn in another way\n", name);
    differences++;
}

// The crosses at contacts that have just begun are events, which a load clears. The inner boxes of
// the trees depend on what happened before.
static void check_drawn(const scene *which) {
    const uint32_t all = CN_DRAW_ALL & ~(uint32_t)CN_DRAW_TREE;
    scene_run run;
    assert_done(scene_start(&run, which, (cn_world_def){0}));
    for (int i = 0; i < 40; i++) assert_true(cn_world_advance(run.world, 0.013f) >= 0);
    cn_callbacks callbacks = callbacks_of(run.world);
    saved bytes = save(run.world, CN_SAVE_ALL);
    cn_world *loaded = cn_world_load(&(cn_world_def){0}, &callbacks, bytes.bytes, bytes.size);
    cn_world *other =
        cn_world_load(&(cn_world_def){.lanes = 1}, &callbacks, bytes.bytes, bytes.size);
    assert_true(loaded && other);
    compare_poses(which->name, run.world, loaded);
    compare_counters(which->name, run.world, loaded);
    compare_drawings(which->name, run.world, loaded, all & ~(uint32_t)CN_DRAW_CONTACTS);
    compare_drawings(which->name, loaded, other, all);
    for (int i = 0; i < 5; i++) cn_world_advance(run.world, 0.013f);
    assert_done(cn_world_restore(run.world, bytes.bytes, bytes.size));
    compare_poses(which->name, run.world, loaded);
    compare_counters(which->name, run.world, loaded);
    free(bytes.bytes);
    cn_world_destroy(loaded);
    cn_world_destroy(other);
    scene_stop(&run);
}

static void every_scene_is_drawn_and_counted_alike_after_a_load(void **state) {
    (void)state;
    for (const scene *const *list = demo_scenes; *list; list++) check_drawn(*list);
    assert_int_equal(differences, 0);
}

static void assert_drawn_in_place(const cn_world *world, cn_body body) {
    cn_pose drawn = cn_body_drawn_pose(world, body), pose = cn_body_pose(world, body);
    assert_memory_equal(&drawn, &pose, sizeof pose);
}

// No step has moved anything here, so there are no earlier poses.
static void a_loaded_world_without_moving_bodies_is_drawn(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body rock = add(world, (cn_body_def){.type = CN_STATIC, .position = point(5, 7)}, box_of(1));
    assert_int_equal(cn_world_advance(world, 0.025f), 1);
    saved all = save(world, CN_SAVE_ALL);
    cn_world *loaded = cn_world_load(&(cn_world_def){0}, NULL, all.bytes, all.size);
    assert_non_null(loaded);
    assert_drawn_in_place(loaded, rock);
    assert_drawn_in_place(loaded, add_box(loaded, (cn_body_def){.position = point(2, 3)}));
    assert_done(cn_body_set_type(loaded, rock, CN_DYNAMIC));
    assert_drawn_in_place(loaded, rock);
    free(all.bytes);
    cn_world_destroy(world);
    cn_world_destroy(loaded);
}

static void the_ground_is_drawn_in_place_after_a_load(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body rock = add(world, (cn_body_def){.type = CN_STATIC, .position = point(5, 7)}, box_of(1));
    cn_body box = add_box(world, (cn_body_def){.position = point(5, 12)});
    assert_int_equal(cn_world_advance(world, 0.03f), 1);
    saved all = save(world, CN_SAVE_ALL);
    cn_world *loaded = cn_world_load(&(cn_world_def){0}, NULL, all.bytes, all.size);
    assert_drawn_in_place(loaded, rock);
    cn_pose drawn = cn_body_drawn_pose(loaded, box), live = cn_body_drawn_pose(world, box);
    assert_memory_equal(&drawn, &live, sizeof live);
    free(all.bytes);
    cn_world_destroy(world);
    cn_world_destroy(loaded);
}

// ---- contacts whose shapes have changed

// True if each contact of the plan is in a colour of its row type.
static bool has_its_row_types(const cn_world *world) {
    const cn_simulation *sim = &world->sim;
    for (int i = 0; i < sim->plan.batch_count; i++) {
        const cn_batch *batch = &sim->plan.batches[i];
        for (int k = 0; batch->alive && k < batch->colors.count; k++) {
            cn_color color = batch->colors.items[k];
            const cn_lane *lane = &batch->lanes.items[color.first_block * batch->kernels->lanes];
            int type = cn_row_type_in(sim->touching.row_types[lane->slot]);
            if (color.row_type < CN_ROW_POINT && type != (int)color.row_type) return false;
        }
    }
    return true;
}

// A contact of a body that was stopped is solved as an impact, until one of its shapes changes.
// The end of a joint changes all shapes of its second body. There are so many other bodies that the
// joint and the contact are in different batches.
static void a_stopped_contact_of_changed_ground_is_planned_anew(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body ground = add(world, (cn_body_def){.type = CN_STATIC}, box_of(2));
    cn_body far = add_box(world, (cn_body_def){.position = point(40, 5)});
    for (int i = 0; i < 500; i++)
        add_box(world, (cn_body_def){.position = point(3 * i, -9), .weightless = true});
    cn_body box = add_box(world, (cn_body_def){.position = point(0.3, 9)});
    assert_done(cn_body_set_velocity(world, box, point(3, -200)));
    cn_joint_def def = cn_revolute_joint(world, far, ground, point(38, 5));
    cn_joint joint = cn_joint_create(world, def);
    cn_contact contact;
    while (cn_body_contacts(world, box, &contact, 1) == 0) run(world, 1);
    run(world, 2);
    assert_true(has_its_row_types(world));
    assert_done(cn_joint_destroy(world, joint));
    saved all = save(world, CN_SAVE_ALL);
    cn_world *loaded = cn_world_load(&(cn_world_def){0}, NULL, all.bytes, all.size);
    for (int i = 0; i < AHEAD; i++) {
        run(world, 1), run(loaded, 1);
        assert_true(has_its_row_types(world));
        assert_true(cn_world_hash(world) == cn_world_hash(loaded));
    }
    free(all.bytes);
    cn_world_destroy(world);
    cn_world_destroy(loaded);
}

// Two bodies that overlap lost a joint each, and are disabled during a step. Then they get a joint
// that lets them collide. Whether they part first is the same in a world that was loaded.
static void a_joint_after_a_removed_one_acts_alike_after_a_load(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body post =
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(50, 0)}, box_of(1));
    cn_body boxes[2];
    for (int i = 0; i < 2; i++) {
        boxes[i] = add_box(world, (cn_body_def){.position = point(0.1 * i, 0)});
        cn_joint_def def = cn_filter_joint(world, boxes[i], post);
        assert_done(cn_joint_destroy(world, cn_joint_create(world, def)));
    }
    for (int i = 0; i < 2; i++) assert_done(cn_body_set_disabled(world, boxes[i], true));
    run(world, 1);
    for (int i = 0; i < 2; i++) assert_done(cn_body_set_disabled(world, boxes[i], false));
    cn_joint_def rope = cn_rope_joint(world, boxes[0], boxes[1], point(-5, 0), point(5, 0));
    rope.collide_connected = true;
    assert_done(cn_joint_create(world, rope).id);
    saved all = save(world, CN_SAVE_ALL);
    cn_world *loaded = cn_world_load(&(cn_world_def){0}, NULL, all.bytes, all.size);
    for (int i = 0; i < AHEAD; i++) {
        run(world, 1), run(loaded, 1);
        assert_true(cn_world_hash(world) == cn_world_hash(loaded));
    }
    free(all.bytes);
    cn_world_destroy(world);
    cn_world_destroy(loaded);
}

// ---- handles, refusals

static cn_world *make_pile(cn_body *bodies, int count) {
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){0});
    for (int i = 0; i < count; i++)
        bodies[i] = add_box(world, (cn_body_def){.position = point(0, 0.5 + i), .user_data = 5});
    run(world, 10);
    return world;
}

static void handles_are_those_of_the_saved_state(void **state) {
    (void)state;
    cn_body bodies[3];
    cn_world *world = make_pile(bodies, 3);
    saved all = save(world, CN_SAVE_ALL);
    assert_done(cn_body_destroy(world, bodies[0]));
    cn_body later = add_box(world, (cn_body_def){.position = point(4, 3)});
    run(world, 3);
    assert_done(cn_world_restore(world, all.bytes, all.size));
    for (int i = 0; i < 3; i++) assert_true(cn_body_valid(world, bodies[i]));
    assert_int_equal(cn_body_user_data(world, bodies[0]), 5);
    assert_false(cn_body_valid(world, later));
    cn_body again = add_box(world, (cn_body_def){.position = point(4, 3)});
    assert_true(again.id == later.id);
    free(all.bytes);
    cn_world_destroy(world);
}

// The contacts of a body are indexed by the first call that needs them.
static void contacts_are_those_of_the_saved_state(void **state) {
    (void)state;
    cn_body bodies[3];
    cn_world *world = make_pile(bodies, 3);
    saved all = save(world, CN_SAVE_ALL);
    cn_contact contacts[8];
    for (int i = 0; i < 20; i++) { // so that the states before and after have had as many changes
        assert_int_equal(cn_body_contacts(world, bodies[0], contacts, 8), 2);
        assert_done(cn_body_destroy(world, bodies[1]));
        run(world, i);
        assert_int_equal(cn_body_contacts(world, bodies[0], contacts, 8), 1);
        assert_done(cn_world_restore(world, all.bytes, all.size));
    }
    assert_int_equal(cn_body_contacts(world, bodies[0], contacts, 8), 2);
    free(all.bytes);
    cn_world_destroy(world);
}

// More bodies than the world ever had, and fewer.
static void move_events_follow_a_restore(void **state) {
    (void)state;
    enum { MANY = 200 };
    cn_body bodies[MANY], few[3];
    cn_world *large = make_pile(bodies, MANY), *world = make_pile(few, 3);
    saved all = save(large, CN_SAVE_ALL), small = save(world, CN_SAVE_ALL);
    assert_done(cn_world_set_move_events(world, true));
    for (int i = 0; i < 3; i++) {
        assert_done(cn_world_restore(world, all.bytes, all.size));
        assert_int_equal(cn_world_events(world).moved_count, 0);
        run(world, 1);
        assert_int_equal(cn_world_events(world).moved_count, MANY + 1); // with the floor
        assert_done(cn_world_restore(world, small.bytes, small.size));
        run(world, 1);
        assert_int_equal(cn_world_events(world).moved_count, 4);
    }
    cn_world_def def = {.move_events = true};
    cn_world *loaded = cn_world_load(&def, NULL, all.bytes, all.size);
    run(loaded, 1);
    assert_int_equal(cn_world_events(loaded).moved_count, MANY + 1); // with the floor
    cn_world_destroy(loaded);
    free(all.bytes), free(small.bytes);
    cn_world_destroy(large);
    cn_world_destroy(world);
}

// The pairs of a destroyed shape end in the next step, which still reads its hull.
static void pairs_of_a_destroyed_polygon_end_in_a_loaded_world(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_shape_def hexagon = {.hull = cn_regular_polygon(6, 0.5f)};
    cn_body bodies[] = {add(world, (cn_body_def){0}, hexagon),
                        add(world, (cn_body_def){.position = point(0.8, 0.8)}, hexagon)};
    run(world, 1); // their boxes overlap
    assert_int_equal(cn_world_contacts(world, NULL, 0), 0);
    for (int i = 0; i < 2; i++) assert_done(cn_body_destroy(world, bodies[i]));
    saved all = save(world, CN_SAVE_ALL);
    cn_world *loaded = cn_world_load(&(cn_world_def){0}, NULL, all.bytes, all.size);
    assert_non_null(loaded);
    run(world, 2), run(loaded, 2);
    assert_true(cn_world_hash(loaded) == cn_world_hash(world));
    free(all.bytes);
    cn_world_destroy(world);
    cn_world_destroy(loaded);
}

// Far from the origin sums are rounded by millimetres. What a body finds in its path must not
// depend on the shapes beside it in the tree, which a load builds anew.
static cn_world *make_far_world(uint64_t seed) {
    cn_world *world = make_world(0);
    for (int i = 0; i < 900; i++) {
        vec2s at = point(1e5 + 4 * (i % 30) + random_between(&seed, -1, 1),
                         1e5 + 4 * (i / 30) + random_between(&seed, -1, 1));
        vec2s v = random_point_between(&seed, -6, 6);
        add(world, (cn_body_def){.position = at, .velocity = v},
            (cn_shape_def){.hull = cn_circle(0.3f)});
    }
    for (int i = 0; i < 112; i++)
        add(world,
            (cn_body_def){.type = CN_STATIC, .position = random_point_between(&seed, 1e5, 100120)},
            (cn_shape_def){.hull = cn_circle(0.1f)});
    return world;
}

static void a_world_far_from_the_origin_goes_on_alike_after_a_load(void **state) {
    (void)state;
    cn_world *world = make_far_world(95);
    for (int i = 0; i < 3; i++) {
        saved all = save(world, CN_SAVE_ALL);
        cn_world *loaded = cn_world_load(&(cn_world_def){0}, NULL, all.bytes, all.size);
        run(world, 1), run(loaded, 1);
        assert_true(cn_world_hash(loaded) == cn_world_hash(world));
        free(all.bytes);
        cn_world_destroy(loaded);
    }
    cn_world_destroy(world);
}

// The world keeps its state.
static void refuse(cn_world *world, cn_error_kind kind, const void *bytes, size_t size) {
    uint64_t hash = cn_world_hash(world);
    cn_error_clear();
    assert_false(cn_world_restore(world, bytes, size));
    assert_int_equal(cn_error_code(), kind);
    assert_true(cn_world_hash(world) == hash);
}

static void damaged_bytes_are_refused(void **state) {
    (void)state;
    cn_body bodies[3];
    cn_world *world = make_pile(bodies, 3);
    saved all = save(world, CN_SAVE_ALL);
    run(world, 5);
    for (size_t size = 0; size < all.size; size += 7) refuse(world, CN_ERROR_DATA, all.bytes, size);
    for (size_t i = 0; i < all.size; i += 11) {
        all.bytes[i] ^= 1;
        refuse(world, CN_ERROR_DATA, all.bytes, all.size);
        all.bytes[i] ^= 1;
    }
    refuse(world, CN_ERROR_HANDLE, NULL, 0);
    assert_done(cn_world_restore(world, all.bytes, all.size));
    run(world, 60);
    free(all.bytes);
    cn_world_destroy(world);
}

static void a_save_of_another_format_is_refused(void **state) {
    (void)state;
    char text[100];
    cn_body bodies[1];
    cn_world *world = make_pile(bodies, 1);
    saved all = save(world, CN_SAVE_ALL);
    unsigned char *format = all.bytes + 4, present = *format;
    for (*format = 1; *format < present + 3; ++*format) {
        if (*format == present) continue;
        refuse(world, CN_ERROR_DATA, all.bytes, all.size);
        snprintf(text, sizeof text,
                 "format of the bytes is %d; this version of the engine reads %d", *format,
                 present);
        assert_non_null(strstr(cn_error(), text));
    }
    free(all.bytes);
    cn_world_destroy(world);
}

static void a_save_without_scenery_needs_the_same_scenery(void **state) {
    (void)state;
    cn_body bodies[3];
    cn_world *world = make_pile(bodies, 3);
    saved moving = save(world, CN_SAVE_MOVING);
    assert_done(cn_world_restore(world, moving.bytes, moving.size));
    cn_body more = add_static(world);
    refuse(world, CN_ERROR_STATE, moving.bytes, moving.size);
    assert_null(cn_world_load(&(cn_world_def){0}, NULL, moving.bytes, moving.size));
    assert_non_null(strstr(cn_error(), "CN_SAVE_ALL"));
    assert_done(cn_body_destroy(world, more));
    assert_done(cn_world_restore(world, moving.bytes, moving.size));
    free(moving.bytes);
    cn_world_destroy(world);
}

// The size of a save depends on the moving bodies, not on the static ones.
static void a_save_without_scenery_is_as_large_as_what_moves(void **state) {
    (void)state;
    cn_body bodies[3];
    cn_world *world = make_pile(bodies, 3);
    size_t before = cn_world_save(world, CN_SAVE_MOVING, NULL, 0);
    for (int i = 0; i < 1000; i++)
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(10 + i, -9)}, box_of(0.5f));
    run(world, 2);
    assert_true(cn_world_save(world, CN_SAVE_MOVING, NULL, 0) <= before + 100);
    assert_true(cn_world_save(world, CN_SAVE_ALL, NULL, 0) > before + 200000);
    cn_world_destroy(world);
}

static cn_world *stepped;
static saved bytes_in_step;

static void restore_in_step(cn_world *world, float dt, void *user) {
    (void)dt, (void)user;
    refuse(world, CN_ERROR_STATE, bytes_in_step.bytes, bytes_in_step.size);
}

static bool save_in_filter(cn_world *world, cn_shape a, cn_shape b, void *user) {
    (void)a, (void)b, (void)user;
    assert_int_equal(cn_world_save(world, CN_SAVE_ALL, NULL, 0), 0);
    assert_int_equal(cn_error_code(), CN_ERROR_STATE);
    return true;
}

static void a_step_neither_saves_nor_restores(void **state) {
    (void)state;
    cn_body bodies[3];
    stepped = make_pile(bodies, 3);
    bytes_in_step = save(stepped, CN_SAVE_ALL);
    cn_callbacks callbacks = {.filter = save_in_filter, .before_step = restore_in_step};
    assert_done(cn_world_set_callbacks(stepped, callbacks));
    add_box(stepped, (cn_body_def){.position = point(0, 4)});
    flag_all_shapes(stepped);
    assert_int_equal(cn_world_advance(stepped, 0.11f), 6);
    free(bytes_in_step.bytes);
    cn_world_destroy(stepped);
}

static void only_two_selections_of_parts_can_be_saved(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    assert_int_equal(cn_world_save(world, (cn_save_parts)2, NULL, 0), 0);
    assert_int_equal(cn_error_code(), CN_ERROR_RANGE);
    cn_world_destroy(world);
}

static void an_error_of_loading_names_the_call(void **state) {
    (void)state;
    cn_world_def bad = {.threads = -1};
    assert_null(cn_world_load(&bad, NULL, "", 0));
    assert_memory_equal(cn_error(), "cn_world_load: ", 15);
    assert_int_equal(cn_error_code(), CN_ERROR_RANGE);
}

// The scenery that an earlier save found is out of date when the chain is gone.
static void a_world_without_its_chain_can_be_loaded(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){0});
    cn_body ground = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    const vec2s points[] = {{{2, 0}}, {{0, 0}}, {{-2, 0}}};
    cn_chain chain = cn_chain_create(world, ground, &(cn_chain_def){.points = points, .count = 3});
    size_t size = cn_world_save(world, CN_SAVE_ALL, NULL, 0);
    assert_true(size > 0 && chain.id);
    void *bytes = malloc(size);
    assert_done(cn_chain_destroy(world, chain));
    size = cn_world_save(world, CN_SAVE_ALL, bytes, size);
    cn_world *loaded = cn_world_load(&(cn_world_def){0}, NULL, bytes, size);
    if (!loaded) print_error("%s\n", cn_error());
    assert_non_null(loaded);
    assert_true(cn_world_hash(loaded) == cn_world_hash(world));
    cn_world_destroy(loaded);
    cn_world_destroy(world);
    free(bytes);
}

// ---- chains

typedef struct {
    cn_world *world;
    cn_body bodies[2];
    cn_chain chains[4];
} chain_world;

static cn_chain add_zigzag(cn_world *world, cn_body body) {
    const vec2s points[] = {point(6, 0), point(3, -1), point(0, 0), point(-3, -1), point(-6, 0)};
    cn_chain chain = cn_chain_create(world, body, &(cn_chain_def){.points = points, .count = 5});
    assert_done(chain.id != 0);
    return chain;
}

// Two chains of a static body and one of a kinematic one, where another was destroyed. One chain
// lacks a segment. A ball rolls on them.
static chain_world make_chain_world(void) {
    chain_world c = {.world = make_world(10)};
    for (int i = 0; i < 2; i++) {
        cn_body_def def = {.type = i ? CN_KINEMATIC : CN_STATIC, .position = point(0, -0.2 * i)};
        c.bodies[i] = cn_body_create(c.world, &def);
    }
    for (int i = 0; i < 4; i++) c.chains[i] = add_zigzag(c.world, c.bodies[i / 2]);
    assert_done(cn_chain_destroy(c.world, c.chains[2]));
    cn_shape first = cn_chain_next_segment(c.world, c.chains[1], (cn_shape){0});
    assert_done(cn_shape_destroy(c.world, cn_chain_next_segment(c.world, c.chains[1], first)));
    add(c.world, (cn_body_def){.position = point(1, 1)}, (cn_shape_def){.hull = cn_circle(0.5f)});
    run(c.world, 30);
    return c;
}

// Makes the same calls in all worlds. Returns the hash of the results.
static uint64_t change_chains(cn_world *world, const chain_world *c) {
    cn_chain fresh = add_zigzag(world, c->bodies[0]);
    uint64_t hash = fresh.id;
    assert_done(cn_chain_set_material(world, c->chains[1], 2, (cn_material){.friction = 1}));
    assert_done(cn_chain_destroy(world, c->chains[0]));
    assert_done(cn_shape_destroy(world, cn_chain_next_segment(world, fresh, (cn_shape){0})));
    for (cn_chain at = {0}; (at = cn_world_next_chain(world, at)).id;) hash = hash * 31 + at.id;
    run(world, 30);
    return hash * 31 + cn_world_hash(world);
}

static void chains_go_on_after_a_load(void **state) {
    (void)state;
    chain_world c = make_chain_world();
    saved all = save(c.world, CN_SAVE_ALL), moving = save(c.world, CN_SAVE_MOVING);
    uint64_t hash = cn_world_hash(c.world);
    cn_world *loaded = cn_world_load(&(cn_world_def){0}, NULL, all.bytes, all.size);
    assert_non_null(loaded);
    assert_true(cn_world_hash(loaded) == hash);
    assert_int_equal(cn_world_compare(loaded, c.world).part, CN_PART_NONE);
    for (int i = 0; i < 4; i++) assert_int_equal(cn_chain_valid(loaded, c.chains[i]), i != 2);
    run(c.world, 10);
    assert_done(cn_world_restore(c.world, moving.bytes, moving.size));
    assert_true(cn_world_hash(c.world) == hash);
    uint64_t result = change_chains(c.world, &c);
    assert_true(change_chains(loaded, &c) == result);
    assert_done(cn_world_restore(c.world, all.bytes, all.size));
    assert_true(cn_world_hash(c.world) == hash && change_chains(c.world, &c) == result);
    cn_world_destroy(loaded);
    cn_world_destroy(c.world);
    free(all.bytes), free(moving.bytes);
}

// A rewind to a time before the first chain leaves none.
static void a_rewind_brings_chains_back_and_takes_them_away(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body lift = cn_body_create(world, &(cn_body_def){.type = CN_KINEMATIC});
    cn_rollback *rollback = cn_rollback_create(world, 4);
    uint64_t hashes[3];
    cn_chain chain = {0};
    for (int i = 0; i < 3; i++) {
        hashes[i] = cn_world_hash(world);
        assert_done(cn_rollback_keep(rollback, i));
        if (i == 0) chain = add_zigzag(world, lift);
        if (i == 1) assert_done(cn_chain_destroy(world, chain));
        run(world, 1);
    }
    const int order[] = {1, 0, 2, 1, 2, 0};
    for (int i = 0; i < 6; i++) {
        assert_done(cn_rollback_rewind(rollback, order[i]));
        assert_true(cn_world_hash(world) == hashes[order[i]]);
        assert_int_equal(cn_chain_valid(world, chain), order[i] == 1);
        assert_int_equal(cn_world_next_chain(world, (cn_chain){0}).id,
                         order[i] == 1 ? chain.id : 0);
    }
    cn_rollback_destroy(rollback);
    cn_world_destroy(world);
}

static size_t moving_bytes_with(int chains) {
    cn_world *world = make_world(10);
    cn_body ground = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    for (int i = 0; i < chains; i++) add_zigzag(world, ground);
    run(world, 2);
    size_t size = cn_world_save(world, CN_SAVE_MOVING, NULL, 0);
    cn_world_destroy(world);
    return size;
}

static void chains_of_static_bodies_are_scenery(void **state) {
    (void)state;
    assert_int_equal(moving_bytes_with(50), moving_bytes_with(1));
}

int main(int count, char **arguments) {
    if (count > 1) moments = atoi(arguments[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scene_goes_on_from_saved_bytes),
        cmocka_unit_test(every_scene_is_drawn_and_counted_alike_after_a_load),
        cmocka_unit_test(a_loaded_world_without_moving_bodies_is_drawn),
        cmocka_unit_test(the_ground_is_drawn_in_place_after_a_load),
        cmocka_unit_test(a_stopped_contact_of_changed_ground_is_planned_anew),
        cmocka_unit_test(a_joint_after_a_removed_one_acts_alike_after_a_load),
        cmocka_unit_test(handles_are_those_of_the_saved_state),
        cmocka_unit_test(contacts_are_those_of_the_saved_state),
        cmocka_unit_test(move_events_follow_a_restore),
        cmocka_unit_test(pairs_of_a_destroyed_polygon_end_in_a_loaded_world),
        cmocka_unit_test(a_world_far_from_the_origin_goes_on_alike_after_a_load),
        cmocka_unit_test(damaged_bytes_are_refused),
        cmocka_unit_test(a_save_of_another_format_is_refused),
        cmocka_unit_test(a_save_without_scenery_needs_the_same_scenery),
        cmocka_unit_test(a_save_without_scenery_is_as_large_as_what_moves),
        cmocka_unit_test(a_step_neither_saves_nor_restores),
        cmocka_unit_test(only_two_selections_of_parts_can_be_saved),
        cmocka_unit_test(an_error_of_loading_names_the_call),
        cmocka_unit_test(a_world_without_its_chain_can_be_loaded),
        cmocka_unit_test(chains_go_on_after_a_load),
        cmocka_unit_test(a_rewind_brings_chains_back_and_takes_them_away),
        cmocka_unit_test(chains_of_static_bodies_are_scenery),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
