/* Many edits of the shapes of one body between two steps. The mass is computed when it is
 * needed (engine/core/dynamics/model/mass.c). No result may depend on when that is:
 *
 *   - the mass is the sum over the shapes in their order, bit for bit
 *   - reads, failed calls and saves in between change nothing
 *   - the edits that a sum over all shapes refuses are refused
 *   - the lists of shapes and of sensors stay in order */
#include "../../../engine/parts/fields/fields.h"
#include "../../support/meter.h"
#include "../../support/physics.h"
#include "../../support/slow.h"

#include <pthread.h>
#include <stdio.h>

enum { BODIES = 5, SHAPES = 24, TRIALS = 12 / SLOW, ROUNDS = 60 };

// A world with some bodies whose shapes are edited, and its random numbers.
typedef struct {
    cn_world *world;
    cn_body bodies[BODIES], floor;
    cn_joint joint;
    uint64_t chance;
    meter meter;
} stage;

static double pick(stage *s, double low, double high) {
    return random_between(&s->chance, low, high);
}
static int pick_below(stage *s, int count) { return (int)pick(s, 0, count); }

// ---- random edits

static cn_hull some_hull(stage *s) {
    float size = (float)pick(s, 0.1, 0.6), other = (float)pick(s, 0.1, 0.6);
    int kind = pick_below(s, 4);
    cn_hull hull = kind == 0   ? cn_circle(size)
                   : kind == 1 ? cn_box(size, other)
                   : kind == 2 ? cn_regular_polygon(3 + pick_below(s, 6), size)
                               : cn_capsule(point(-0.6, 0), point(0.6, 0.1), size);
    float angle = (float)pick(s, -3, 3);
    return cn_hull_at(hull, cn_pose_at(random_point_between(&s->chance, -1, 1), angle));
}

static cn_shape_def some_shape(stage *s) {
    cn_shape_def def = {.hull = some_hull(s), .density = (float)pick(s, 0.1, 3)};
    def.massless = pick_below(s, 5) == 0;
    def.sensor = pick_below(s, 6) == 0;
    return def;
}

static int count_shapes(const cn_world *world, cn_body body) {
    int count = 0;
    for (cn_shape i = {0}; (i = cn_body_next_shape(world, body, i)).id;) count++;
    return count;
}

static cn_shape some_shape_of(stage *s, cn_body body) {
    int skip = pick_below(s, count_shapes(s->world, body));
    cn_shape shape = first_shape(s->world, body);
    for (; skip > 0; skip--) shape = cn_body_next_shape(s->world, body, shape);
    return shape;
}

// Edits a shape of the body. The call may be refused, for example if no other shape has mass.
static void edit_shape(stage *s, cn_body body) {
    int count = count_shapes(s->world, body), kind = pick_below(s, 8);
    cn_shape_def def = some_shape(s);
    if (count == 0 || (kind < 3 && count < SHAPES)) {
        cn_shape_create(s->world, body, &def);
        return;
    }
    cn_shape shape = some_shape_of(s, body);
    if (kind < 5) cn_shape_destroy(s->world, shape);
    if (kind == 5) cn_shape_set_density(s->world, shape, def.massless ? 0 : def.density);
    if (kind == 6) cn_shape_set_hull(s->world, shape, def.hull);
    if (kind == 7) cn_shape_set_sensor(s->world, shape, def.sensor);
}

// Calls that depend on the mass of the body, or change it.
static void edit_body(stage *s, cn_body body) {
    cn_world *w = s->world;
    vec2s p = random_point_between(&s->chance, -3, 3);
    switch (pick_below(s, 14)) {
    case 0: cn_body_set_velocity(w, body, p); break;
    case 1: cn_body_set_angular_velocity(w, body, p.x); break;
    case 2: cn_body_apply_impulse_at(w, body, p, cn_body_position(w, body)); break;
    case 3: cn_body_apply_force_at(w, body, p, cn_body_position(w, body)); break;
    case 4: cn_body_set_pose(w, body, cn_pose_at(point((double)p.x, (double)p.y + 4), p.x)); break;
    case 5: cn_body_set_locks(w, body, pick_below(s, 4) == 0, false, pick_below(s, 4) == 0); break;
    case 6: cn_body_set_type(w, body, (cn_motion_type)pick_below(s, 3)); break;
    case 7: cn_body_set_type(w, body, CN_DYNAMIC); break;
    case 8: cn_body_set_mass_data(w, body, (cn_mass_data){2, 1, {{0.1f, 0}}}); break;
    case 9: cn_body_reset_mass(w, body); break;
    case 10: cn_body_set_asleep(w, body, !(pick_below(s, 2) == 0)); break;
    case 11: cn_body_set_disabled(w, body, !(pick_below(s, 3) > 0)); break;
    case 12: cn_world_shift_origin(w, point(0.25, 0)); break;
    default: cn_body_set_bullet(w, body, pick_below(s, 2) == 0); break;
    }
}

static void edit(stage *s) {
    cn_body body = s->bodies[pick_below(s, BODIES)];
    pick_below(s, 8) ? edit_shape(s, body) : edit_body(s, body);
}

static void begin(stage *s, uint64_t seed) {
    *s = (stage){.chance = seed};
    s->world =
        cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .allocator = metered(&s->meter)});
    assert_done(s->world != NULL);
    s->floor = add_floor(s->world, (cn_material){0});
    for (int i = 0; i < BODIES; i++) {
        cn_body_def def = {.position = point(2.5 * i - 5, 2),
                           .angular_velocity = (float)(i - 2),
                           .asleep = i == 3};
        s->bodies[i] = cn_body_create(s->world, &def);
    }
    cn_joint_def def = cn_revolute_joint(s->world, s->bodies[0], s->bodies[1], point(-4, 2));
    s->joint = cn_joint_create(s->world, def);
    for (int i = 0; i < 30; i++) edit(s);
}

static void end(stage *s) {
    cn_world_destroy(s->world);
    assert_int_equal(s->meter.blocks, 0);
}

// ---- reads

// Reads everything of a body that depends on its mass.
static uint64_t read_body(const cn_world *world, cn_body body) {
    cn_mass_data mass = cn_body_mass_data(world, body);
    vec2s center = cn_body_center(world, body), velocity = cn_body_velocity(world, body);
    vec2s there = cn_body_velocity_at(world, body, point(1, 2));
    cn_pose pose = cn_body_pose(world, body);
    const float values[] = {mass.mass,       mass.inertia,   mass.center.x,   mass.center.y,
                            center.x,        center.y,       velocity.x,      velocity.y,
                            there.x,         there.y,        pose.position.x, pose.position.y,
                            pose.rotation.c, pose.rotation.s};
    uint64_t sum = 1;
    for (int i = 0; i < (int)(sizeof values / sizeof *values); i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        sum = (sum ^ bits) * 0x9E3779B97F4A7C15u;
    }
    return sum;
}

static uint64_t read_all(const stage *s) {
    uint64_t sum = (uint64_t)(cn_world_energy(s->world).kinetic * 1e6);
    for (int i = 0; i < BODIES; i++) sum = sum * 31 + read_body(s->world, s->bodies[i]);
    return sum + (uint64_t)((double)cn_joint_rate(s->world, s->joint, CN_JOINT_ANGLE) * 1e6);
}

static void reads_between_edits_change_nothing(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        static stage quiet, read;
        begin(&quiet, seed), begin(&read, seed);
        for (int round = 0; round < ROUNDS; round++) {
            for (int k = (int)seed % 7; k >= 0; k--) {
                edit(&quiet), edit(&read);
                read_all(&read);
                assert_true(cn_world_hash(read.world) == cn_world_hash(quiet.world));
            }
            assert_true(read_all(&quiet) == read_all(&read));
            run(quiet.world, 1), run(read.world, 1);
            assert_true(cn_world_hash(read.world) == cn_world_hash(quiet.world));
        }
        end(&quiet), end(&read);
    }
}

// ---- the mass

// The mass of all shapes: in double precision, about the origin of the body.
static cn_mass_data sum_of_shapes(const cn_world *world, cn_body body) {
    double mass = 0, x = 0, y = 0, inertia = 0;
    for (cn_shape i = {0}; (i = cn_body_next_shape(world, body, i)).id;) {
        cn_hull hull = cn_shape_hull(world, i);
        cn_mass_data part = cn_mass_of(&hull, cn_shape_density(world, i));
        double m = (double)part.mass, px = (double)part.center.x, py = (double)part.center.y;
        mass += m, x += m * px, y += m * py;
        inertia += (double)part.inertia + m * (px * px + py * py);
    }
    x /= mass, y /= mass;
    inertia -= mass * (x * x + y * y);
    return (cn_mass_data){(float)mass, (float)inertia, point(x, y)};
}

static void check_mass(const stage *s, cn_body body) {
    const cn_simulation *sim = &s->world->sim;
    int slot = (int)(body.id & CN_MAX_SLOTS);
    if (!cn_mass_follows_shapes(&sim->hot[slot])) return;
    cn_mass_data mass = cn_body_mass_data(s->world, body),
                 sum = cn_mass_of_shapes(sim, slot, -1, NULL);
    if (sum.mass == 0) {
        assert_true(mass.mass == 1 && mass.inertia == 0); // a point
        return;
    }
    assert_memory_equal(&mass, &sum, sizeof mass);
    cn_mass_data expected = sum_of_shapes(s->world, body);
    assert_near((double)mass.mass, (double)expected.mass, 1e-5 * (double)expected.mass);
    assert_near((double)mass.inertia, (double)expected.inertia, 1e-4 * (double)expected.inertia);
    assert_near((double)mass.center.x, (double)expected.center.x, 1e-5);
    assert_near((double)mass.center.y, (double)expected.center.y, 1e-5);
}

static void the_mass_is_the_sum_over_the_shapes_in_their_order(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        static stage s;
        begin(&s, seed);
        for (int round = 0; round < ROUNDS; round++) {
            for (int k = 0; k < 5; k++) edit(&s);
            for (int i = 0; i < BODIES; i++) check_mass(&s, s.bodies[i]);
            if (round % 3 == 0) run(s.world, 1);
        }
        end(&s);
    }
}

// The measures that a step reads, from the vertices of all shapes.
static void check_measures(const cn_simulation *sim, int body) {
    vec2s center = sim->warm[body].center;
    float extent = 0, inner = FLT_MAX;
    CN_EACH_SHAPE(i, sim, body) {
        cn_hull hull = cn_outline_of(sim, i);
        inner = fminf(inner, cn_inner_radius(&hull));
        for (int k = 0; k < hull.count; k++)
            extent = fmaxf(extent, glms_vec2_distance(hull.vertices[k], center) + hull.radius);
        vec2s offset = cn_rotate((cn_rotation){sim->hot[body].c, sim->hot[body].s},
                                 glms_vec2_sub(sim->shapes[i].pose.position, center));
        assert_near((double)sim->links[i].offset.x, (double)offset.x, 1e-5);
        assert_near((double)sim->links[i].offset.y, (double)offset.y, 1e-5);
    }
    if (sim->hot[body].flags & CN_BODY_BULLET) inner *= CN_BULLET_FRACTION;
    assert_true(sim->warm[body].extent == extent);
    assert_true(sim->motions[body].ccd_threshold == inner);
    assert_true(sim->min_ccd_threshold <= inner);
}

static void a_step_measures_the_shapes_of_edited_bodies(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        static stage s;
        begin(&s, seed);
        for (int round = 0; round < ROUNDS; round++) {
            for (int k = 0; k < 5; k++) edit(&s);
            run(s.world, 1);
            const cn_simulation *sim = &s.world->sim;
            CN_EACH(CN_BODIES, i, sim) {
                assert_false(sim->hot[i].flags & (CN_BODY_EDITED | CN_BODY_RECOUNTS));
                if (sim->hot[i].flags & CN_BODY_MOVES) check_measures(sim, i);
            }
        }
        end(&s);
    }
}

// A spinning bar of boxes loses one after the other.
static void the_material_moves_on_as_it_did(void **state) {
    (void)state;
    enum { COUNT = 40 };
    cn_world *world = make_world(0);
    cn_body bar = cn_body_create(
        world, &(cn_body_def){.position = point(3, 4), .velocity = point(2, 1), .angle = 0.7f});
    for (int i = 0; i < COUNT; i++) {
        cn_hull box = cn_box(0.25f, 0.2f);
        box = cn_hull_at(box, cn_pose_at(point(0.5 * i, 0), 0));
        assert_done(cn_shape_create(world, bar, &(cn_shape_def){.hull = box}).id);
    }
    assert_done(cn_body_set_angular_velocity(world, bar, 3));
    const vec2s p = point(5, -2), before = cn_body_velocity_at(world, bar, p);
    for (int i = 0; i < COUNT - 1; i++) {
        assert_done(cn_shape_destroy(world, first_shape(world, bar)));
        vec2s v = cn_body_velocity_at(world, bar, p), at = cn_body_position(world, bar);
        assert_near((double)v.x, (double)before.x, 1e-4);
        assert_near((double)v.y, (double)before.y, 1e-4);
        assert_near((double)at.x, 3, 1e-5);
        assert_near((double)at.y, 4, 1e-5);
        assert_near((double)cn_body_mass_data(world, bar).center.x, 0.25 * (COUNT + i), 1e-4);
    }
    cn_world_destroy(world);
}

// ---- saves

// Saves the world and loads it into a new one.
static void reload(stage *s) {
    size_t size = cn_world_save(s->world, CN_SAVE_ALL, NULL, 0);
    void *bytes = malloc(size);
    assert_int_equal(cn_world_save(s->world, CN_SAVE_ALL, bytes, size), size);
    uint64_t hash = cn_world_hash(s->world);
    cn_world_destroy(s->world);
    s->world = cn_world_load(&(cn_world_def){.allocator = metered(&s->meter)}, NULL, bytes, size);
    assert_done(s->world != NULL);
    assert_true(cn_world_hash(s->world) == hash);
    free(bytes);
}

// Edits the world, and restores it.
static void make_detour(stage *s) {
    cn_rollback *rollback = cn_rollback_create(s->world, 1);
    assert_done(cn_rollback_keep(rollback, 0));
    uint64_t chance = s->chance, hash = cn_world_hash(s->world);
    for (int k = 0; k < 6; k++) edit(s);
    run(s->world, 1);
    for (int k = 0; k < 3; k++) edit(s);
    assert_done(cn_rollback_rewind(rollback, 0));
    cn_rollback_destroy(rollback);
    s->chance = chance;
    assert_true(cn_world_hash(s->world) == hash);
}

static void a_world_that_was_saved_between_edits_goes_on_alike(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        static stage plain, saved;
        begin(&plain, seed), begin(&saved, seed);
        for (int round = 0; round < ROUNDS; round++) {
            for (int k = 0; k < 6; k++) {
                if ((round + k) % 4 == 0) seed % 2 ? reload(&saved) : make_detour(&saved);
                edit(&plain), edit(&saved);
                assert_true(cn_world_hash(saved.world) == cn_world_hash(plain.world));
            }
            assert_true(read_all(&plain) == read_all(&saved));
            run(plain.world, 1), run(saved.world, 1);
            assert_true(cn_world_hash(saved.world) == cn_world_hash(plain.world));
        }
        end(&plain), end(&saved);
    }
}

// ---- memory is short

// Lets the first allocations of a step fail, with edits between the attempts. Returns false if the
// step was done in spite of the failure: it left other work undone.
static bool step_in_the_end(stage *s, stage *twin) {
    for (int at = 1;; at++) {
        uint64_t hash = cn_world_hash(s->world), read = read_all(s);
        fail_at(&s->meter, at);
        bool done = cn_world_step(s->world, STEP), failed = has_failed(&s->meter);
        s->meter.fail_at = 0;
        if (done) return !failed;
        assert_true(cn_world_hash(s->world) == hash);
        assert_true(read_all(s) == read);
        if (at % 2 == 0) edit(s), edit(twin);
        assert_true(cn_world_hash(s->world) == cn_world_hash(twin->world));
    }
}

static void a_step_without_memory_leaves_the_edits(void **state) {
    (void)state;
    int compared = 0;
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        static stage s, twin;
        bool equal = true;
        begin(&s, seed), begin(&twin, seed);
        for (int round = 0; round < ROUNDS && equal; round++) {
            for (int k = 0; k < 4; k++) edit(&s), edit(&twin);
            equal = step_in_the_end(&s, &twin);
            run(twin.world, 1);
            if (!equal) break;
            assert_true(cn_world_hash(s.world) == cn_world_hash(twin.world));
            compared++;
        }
        end(&s), end(&twin);
    }
    assert_true(compared > 0);
}

static void an_edit_without_memory_changes_nothing(void **state) {
    (void)state;
    static stage s, twin;
    begin(&s, 6), begin(&twin, 6);
    for (int i = 0; i < 20 * ROUNDS; i++) {
        uint64_t chance = s.chance, hash = cn_world_hash(s.world);
        for (int at = 1;; at++) {
            s.chance = chance;
            fail_at(&s.meter, at);
            edit(&s);
            bool failed = has_failed(&s.meter);
            s.meter.fail_at = 0;
            if (!failed) break;
            assert_true(cn_world_hash(s.world) == hash);
        }
        edit(&twin);
        assert_true(cn_world_hash(s.world) == cn_world_hash(twin.world));
        if (i % 10 == 0) run(s.world, 1), run(twin.world, 1);
    }
    end(&s), end(&twin);
}

// ---- what is refused

// True if mass and inertia are valid.
static bool is_valid(cn_mass_data mass) {
    return mass.mass >= CN_MIN_MASS && mass.mass <= CN_MAX_MASS && mass.inertia >= CN_MIN_MASS &&
           mass.inertia <= CN_MAX_MASS;
}

// Returns a density that leads to all magnitudes of mass, or 0.
static float some_density(uint64_t *chance) {
    double exponent = random_between(chance, -38, 37);
    return random_between(chance, 0, 1) < 0.2 ? 0 : (float)pow(10, exponent);
}

static void what_is_refused_does_not_depend_on_edits_before(void **state) {
    (void)state;
    uint64_t chance = 9;
    int refused = 0;
    cn_world *world = make_world(0);
    cn_body body = add(world, (cn_body_def){0}, box_of(0.5f));
    const cn_simulation *sim = &world->sim;
    for (int i = 0; i < 4000; i++) {
        float density = some_density(&chance);
        cn_hull hull = cn_box((float)random_between(&chance, 0.1, 4), 0.5f);
        cn_mass_data part = cn_mass_of(&hull, density);
        int changed = (int)(first_shape(world, body).id & CN_MAX_SLOTS);
        bool creates = random_between(&chance, 0, 1) < 0.5, done = true;
        if (creates) changed = -1;
        if (!creates) hull = cn_outline_of(sim, changed), part = cn_mass_of(&hull, density);
        int slot = (int)(body.id & CN_MAX_SLOTS);
        bool expected = is_valid(cn_mass_of_shapes(sim, slot, changed, &part));
        const cn_shape_def def = {.hull = hull, .density = density, .massless = density == 0};
        if (creates) done = cn_shape_create(world, body, &def).id;
        if (!creates) done = cn_shape_set_density(world, first_shape(world, body), density);
        assert_int_equal(done, expected);
        refused += !done;
        if (i % 3 == 0 && count_shapes(world, body) > 1)
            assert_done(cn_shape_destroy(world, first_shape(world, body)));
        if (i % 50 == 0) assert_done(cn_body_destroy(world, body));
        if (i % 50 == 0) body = add(world, (cn_body_def){0}, box_of(0.5f));
        if (i % 50 == 0) run(world, 2);
    }
    assert_true(refused > 100);
    cn_world_destroy(world);
}

// ---- threads

enum { READERS = 6 };

static void *read_in_thread(void *argument) {
    const stage *s = argument;
    return (void *)(uintptr_t)read_all(s);
}

static void several_threads_read_the_same_edited_bodies(void **state) {
    (void)state;
    static stage s, twin;
    begin(&s, 7), begin(&twin, 7);
    for (int round = 0; round < ROUNDS; round++) {
        pthread_t threads[READERS];
        for (int k = 0; k < 5; k++) edit(&s), edit(&twin);
        for (int i = 0; i < READERS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, read_in_thread, &s), 0);
        uintptr_t expected = (uintptr_t)read_all(&twin);
        for (int i = 0; i < READERS; i++) {
            void *answer;
            pthread_join(threads[i], &answer);
            assert_true((uintptr_t)answer == expected);
        }
        if (round % 4 == 0) run(s.world, 1), run(twin.world, 1);
        assert_true(cn_world_hash(s.world) == cn_world_hash(twin.world));
    }
    end(&s), end(&twin);
}

// ---- lists

static void check_list(const cn_simulation *sim, int body) {
    int before = -1, last = -1;
    CN_EACH_SHAPE(i, sim, body) {
        assert_int_equal(cn_shape_before(sim, i), before);
        before = last = i;
    }
    assert_int_equal(sim->warm[body].last_shape, last);
}

static void check_sensors(const cn_simulation *sim) {
    int count = 0, gaps = 0;
    CN_EACH(CN_SHAPES, i, sim) count += !!(sim->shapes[i].flags & CN_SHAPE_SENSOR);
    assert_int_equal(sim->sensors.count - sim->sensor_gaps, count);
    for (int i = 0; i < sim->sensors.count; i++) {
        int shape = sim->sensors.items[i];
        gaps += shape < 0;
        if (shape < 0) continue;
        assert_true(sim->shapes[shape].flags & CN_SHAPE_SENSOR);
        assert_int_equal(sim->sensor_places[shape], i);
    }
    assert_int_equal(sim->sensor_gaps, gaps);
}

static void lists_of_shapes_and_sensors_stay_in_order(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        static stage s;
        begin(&s, seed);
        for (int round = 0; round < 10 * ROUNDS; round++) {
            edit(&s);
            if (round % 20 == 0) reload(&s);
            if (round % 30 == 0) make_detour(&s);
            CN_EACH(CN_BODIES, i, &s.world->sim) check_list(&s.world->sim, i);
            check_sensors(&s.world->sim);
            if (round % 9 == 0) run(s.world, 1);
        }
        end(&s);
    }
}

// A list as it should be: slots in order of joining.
typedef struct {
    int slots[64], count;
} order;

static void toggle(order *list, int slot, bool joins) {
    list->count = cn_remove_item(list->slots, list->count, slot);
    if (joins) list->slots[list->count++] = slot;
}

// Items of `size` bytes begin with their slots; those of gaps are -1.
static void check_order(const order *expected, const void *items, size_t size, int count) {
    int found = 0;
    for (int i = 0; i < count; i++) {
        int32_t slot;
        memcpy(&slot, (const char *)items + (size_t)i * size, sizeof slot);
        if (slot < 0) continue;
        assert_true(found < expected->count);
        assert_int_equal(slot, expected->slots[found++]);
    }
    assert_int_equal(found, expected->count);
}

// Sensors and fields are in the order in which they became so, whatever was removed in between.
static void sensors_and_fields_stay_in_the_order_of_becoming_so(void **state) {
    (void)state;
    enum { COUNT = 64 };
    uint64_t chance = 4;
    cn_shape shapes[COUNT];
    order sensors = {.count = 0}, fields = {.count = 0};
    cn_world *world = make_world(0);
    const cn_simulation *sim = &world->sim;
    cn_body body = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    for (int i = 0; i < COUNT; i++)
        shapes[i] = cn_shape_create(world, body, &(cn_shape_def){.hull = cn_circle(1)});
    for (int i = 0; i < 40 * COUNT; i++) {
        cn_shape shape = shapes[(int)random_between(&chance, 0, COUNT)];
        int slot = (int)(shape.id & CN_MAX_SLOTS);
        bool was_sensor = cn_shape_sensor(world, shape), was_field = cn_find_field(sim, slot) >= 0;
        if (was_field || (was_sensor && (int)random_between(&chance, 0, 2) == 1)) {
            cn_medium medium = {.density = was_field ? 0 : 1};
            assert_done(cn_shape_set_medium(world, shape, medium));
            toggle(&fields, slot, !was_field);
        } else {
            assert_done(cn_shape_set_sensor(world, shape, !was_sensor));
            toggle(&sensors, slot, !was_sensor);
        }
        if (i % 50 == 0) assert_done(cn_world_step(world, 0.01f));
        check_order(&sensors, sim->sensors.items, sizeof(int), sim->sensors.count);
        const cn_field_state *now = cn_fields_of(sim);
        if (!now) continue; // there never was a field
        check_order(&fields, now->list.items, sizeof(cn_field), now->list.count);
        assert_int_equal(now->list.count - now->gaps, fields.count);
    }
    cn_world_destroy(world);
}

// ---- sleep

// A row of boxes in the x direction, from the origin of the body on.
static cn_body add_row(cn_world *world, cn_body_def def, int count) {
    cn_body row = cn_body_create(world, &def);
    for (int i = 0; i < count; i++) {
        cn_hull box = cn_box(0.5f, 0.5f);
        box = cn_hull_at(box, cn_pose_at(point(i, 0), 0));
        assert_done(cn_shape_create(world, row, &(cn_shape_def){.hull = box}).id);
    }
    return row;
}

static void a_body_that_is_put_to_sleep_after_an_edit_stops(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){0});
    cn_body row = add_row(world, (cn_body_def){.angular_velocity = 2}, 8);
    run(world, 1);
    assert_done(cn_shape_destroy(world, first_shape(world, row)));
    assert_true(glms_vec2_norm(cn_body_velocity(world, row)) > 0.5f);
    assert_done(cn_body_set_asleep(world, row, true));
    for (int i = 0; i < 3; i++) {
        vec2s v = cn_body_velocity(world, row);
        assert_true(v.x == 0 && v.y == 0 && cn_body_angular_velocity(world, row) == 0);
        if (i == 1) assert_done(cn_shape_destroy(world, first_shape(world, row)));
        run(world, 1);
    }
    cn_world_destroy(world);
}

// A body in the path of a step is a neighbour: the boxes of a fast body cover that path.
static void an_edit_after_a_push_wakes_the_neighbours_ahead(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){0});
    cn_body row = add_row(world, (cn_body_def){0}, 8);
    cn_body sleeper =
        add(world, (cn_body_def){.position = point(9.5, 0), .asleep = true}, box_of(0.5f));
    run(world, 1);
    assert_done(cn_shape_destroy(world, first_shape(world, row)));
    assert_done(cn_body_set_velocity(world, row, point(120, 0)));
    assert_false(!cn_body_asleep(world, sleeper));
    assert_done(cn_shape_destroy(world, first_shape(world, row)));
    assert_true(!cn_body_asleep(world, sleeper));
    cn_world_destroy(world);
}

// Every edit that may move the centre of mass wakes the neighbours, including bodies that were
// created asleep, or put to sleep, between two edits.
static void each_edit_wakes_the_neighbours(void **state) {
    (void)state;
    enum { ARMS = 8 };
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, 0}}});
    cn_body comb = cn_body_create(world, &(cn_body_def){0});
    for (int i = 0; i < ARMS; i++) {
        cn_hull arm = cn_box(0.2f, 1);
        arm = cn_hull_at(arm, cn_pose_at(point(3 * i, 0), 0));
        assert_done(cn_shape_create(world, comb, &(cn_shape_def){.hull = arm}).id);
    }
    run(world, 1);
    for (int i = 2; i < ARMS; i++) {
        cn_body_def def = {.position = point(3 * i + 0.3, 0), .asleep = true};
        cn_body sleeper = add(world, def, box_of(0.3f));
        assert_false(!cn_body_asleep(world, sleeper));
        if (i == 4) assert_done(cn_body_set_asleep(world, sleeper, true));
        assert_done(i % 2 ? cn_shape_set_density(world, first_shape(world, comb), (float)i)
                          : cn_shape_destroy(world, first_shape(world, comb)));
        assert_true(!cn_body_asleep(world, sleeper));
    }
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_between_edits_change_nothing),
        cmocka_unit_test(the_mass_is_the_sum_over_the_shapes_in_their_order),
        cmocka_unit_test(a_step_measures_the_shapes_of_edited_bodies),
        cmocka_unit_test(the_material_moves_on_as_it_did),
        cmocka_unit_test(a_world_that_was_saved_between_edits_goes_on_alike),
        cmocka_unit_test(a_step_without_memory_leaves_the_edits),
        cmocka_unit_test(an_edit_without_memory_changes_nothing),
        cmocka_unit_test(what_is_refused_does_not_depend_on_edits_before),
        cmocka_unit_test(several_threads_read_the_same_edited_bodies),
        cmocka_unit_test(lists_of_shapes_and_sensors_stay_in_order),
        cmocka_unit_test(sensors_and_fields_stay_in_the_order_of_becoming_so),
        cmocka_unit_test(a_body_that_is_put_to_sleep_after_an_edit_stops),
        cmocka_unit_test(an_edit_after_a_push_wakes_the_neighbours_ahead),
        cmocka_unit_test(each_edit_wakes_the_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
