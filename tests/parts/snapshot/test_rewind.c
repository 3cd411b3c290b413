/* A rewound world goes on like a loaded one, whatever happened between keeping its state and the
 * rewind. A rewind keeps the plan of the solver if it can; a load makes it anew. (tests/fuzz/
 * rewind.c does this with random calls.) */
#include "../../../engine/parts/snapshot/snapshot.h"
#include "../../support/joints.h"
#include "../../support/movers.h"
#include "../../support/sleepers.h"

#include <stdio.h>

enum { AHEAD = 60, LINKS = 4 };

typedef struct {
    cn_world *world;
    cn_body ground, links[LINKS], crate;
    cn_joint joints[LINKS];
} setting;

typedef cn_joint_def make_joint(const cn_world *world, cn_body a, cn_body b, vec2s at);

static cn_joint_def hinge(const cn_world *world, cn_body a, cn_body b, vec2s at) {
    return cn_revolute_joint(world, a, b, at);
}
static cn_joint_def limited_hinge(const cn_world *world, cn_body a, cn_body b, vec2s at) {
    cn_joint_def def = cn_revolute_joint(world, a, b, at);
    def.angle = (cn_coordinate){.mode = CN_LIMITED, .lower = -0.2f, .upper = 0.1f};
    return def;
}
static cn_joint_def weld(const cn_world *world, cn_body a, cn_body b, vec2s at) {
    return cn_weld_joint(world, a, b, at);
}
static cn_joint_def slider(const cn_world *world, cn_body a, cn_body b, vec2s at) {
    return cn_prismatic_joint(world, a, b, at, point(0.3, 1));
}
static cn_joint_def spring(const cn_world *world, cn_body a, cn_body b, vec2s at) {
    cn_joint_def def = cn_weld_joint(world, a, b, at);
    def.angle = (cn_coordinate){.mode = CN_FREE, .hertz = 3, .damping_ratio = 0.3f};
    return def;
}
static make_joint *const kinds[] = {hinge, limited_hinge, weld, slider, spring};
enum { KINDS = sizeof kinds / sizeof *kinds };

// A chain of links hangs from a static body. A crate lies on a floor below it.
static setting make_setting(make_joint *make, bool is_closed) {
    setting s = {.world = make_sleepy_world(GRAVITY)};
    s.ground = add_static(s.world);
    cn_shape_def floor = {.hull = cn_box(20, 0.5f)};
    assert_true(cn_shape_create(s.world, s.ground, &floor).id);
    s.crate = add_box(s.world, (cn_body_def){.position = point(6, 1)});
    for (int i = 0; i < LINKS; i++) {
        cn_body_def def = {.position = point(i, 8)};
        cn_shape_def link = {.hull = cn_box(0.4f, 0.1f)};
        s.links[i] = add(s.world, def, link);
        cn_joint_def joint =
            make(s.world, i ? s.links[i - 1] : s.ground, s.links[i], point(i - 0.5, 8));
        s.joints[i] = cn_joint_create(s.world, joint);
        assert_true(s.joints[i].id);
    }
    cn_joint_def closing =
        cn_spring_joint(s.world, s.links[LINKS - 1], s.ground, point(3.4, 8), point(4, 9));
    if (is_closed) assert_true(cn_joint_create(s.world, closing).id);
    run(s.world, 20);
    return s;
}

// ---- the comparison

typedef bool change(setting *s, int link);

typedef struct {
    unsigned char *bytes;
    size_t size;
} saved;

static saved save(const cn_world *world) {
    saved all = {NULL, cn_world_save(world, CN_SAVE_ALL, NULL, 0)};
    all.bytes = malloc(all.size);
    assert_int_equal(cn_world_save(world, CN_SAVE_ALL, all.bytes, all.size), all.size);
    return all;
}

// Keeps the state, makes the change and some steps, rewinds, and compares with a loaded world.
// Returns the number of steps after which the worlds differ; 0 if they do not.
static int steps_until_different(setting *s, change *make, int link, int steps) {
    cn_rollback *rollback = cn_rollback_create(s->world, 1);
    saved all = save(s->world);
    assert_done(cn_rollback_keep(rollback, 0));
    assert_done(make(s, link));
    run(s->world, steps);
    assert_done(cn_rollback_rewind(rollback, 0));
    cn_world *loaded = cn_world_load(&(cn_world_def){.lanes = 1}, NULL, all.bytes, all.size);
    assert_non_null(loaded);
    int different = 0;
    for (int i = 1; i <= AHEAD && !different; i++) {
        run(s->world, 1), run(loaded, 1);
        if (cn_world_hash(s->world) != cn_world_hash(loaded)) different = i;
    }
    cn_world_destroy(loaded);
    cn_rollback_destroy(rollback);
    free(all.bytes);
    return different;
}

// ---- calls

static bool disable(setting *s, int i) { return cn_body_set_disabled(s->world, s->links[i], true); }
static bool make_static(setting *s, int i) {
    return cn_body_set_type(s->world, s->links[i], CN_STATIC);
}
static bool make_kinematic(setting *s, int i) {
    return cn_body_set_type(s->world, s->links[i], CN_KINEMATIC);
}
static bool lock_rotation(setting *s, int i) {
    return cn_body_set_locks(s->world, s->links[i], false, false, true);
}
static bool lock_place(setting *s, int i) {
    return cn_body_set_locks(s->world, s->links[i], true, true, false);
}
static bool set_no_inertia(setting *s, int i) {
    return cn_body_set_mass_data(s->world, s->links[i], (cn_mass_data){.mass = 1});
}
static bool make_heavy(setting *s, int i) {
    return cn_shape_set_density(s->world, first_shape(s->world, s->links[i]), 300);
}
static bool destroy_body(setting *s, int i) { return cn_body_destroy(s->world, s->links[i]); }
static bool destroy_joint(setting *s, int i) { return cn_joint_destroy(s->world, s->joints[i]); }
static bool disable_joint(setting *s, int i) {
    return cn_joint_set_disabled(s->world, s->joints[i], true);
}
static bool put_to_sleep(setting *s, int i) {
    return cn_body_set_asleep(s->world, s->links[i], true);
}
static bool add_shape(setting *s, int i) {
    cn_shape_def def = {.hull = cn_circle(0.3f)};
    return cn_shape_create(s->world, s->links[i], &def).id != 0;
}
static bool limit_speed(setting *s, int i) {
    return cn_body_set_max_speed(s->world, s->links[i], 0.5f);
}
static bool drop_on_crate(setting *s, int i) {
    return cn_body_set_pose(s->world, s->links[i], cn_pose_at(point(6, 2), 0.3f));
}
static bool add_joint(setting *s, int i) {
    cn_joint_def def = cn_revolute_joint(s->world, s->links[i], s->crate, point(5, 4));
    return cn_joint_create(s->world, def).id != 0;
}
static bool couple(setting *s, int i) {
    cn_coupling coupling = {s->joints[(i + 1) % LINKS], CN_JOINT_ANGLE, CN_JOINT_ANGLE, 2, false};
    return cn_joint_set_coupling(s->world, s->joints[i], coupling) || cn_error_code();
}
static bool set_gravity(setting *s, int i) { return cn_world_set_gravity(s->world, point(i, -3)); }
static bool set_substeps(setting *s, int i) { return cn_world_set_substeps(s->world, 5 + i); }
static bool nothing(setting *s, int i) { return (void)s, (void)i, true; }

static const struct {
    const char *name;
    change *make;
} changes[] = {
    {"disable", disable},
    {"make_static", make_static},
    {"make_kinematic", make_kinematic},
    {"lock_rotation", lock_rotation},
    {"lock_place", lock_place},
    {"set_no_inertia", set_no_inertia},
    {"make_heavy", make_heavy},
    {"destroy_body", destroy_body},
    {"destroy_joint", destroy_joint},
    {"disable_joint", disable_joint},
    {"put_to_sleep", put_to_sleep},
    {"add_shape", add_shape},
    {"limit_speed", limit_speed},
    {"drop_on_crate", drop_on_crate},
    {"add_joint", add_joint},
    {"couple", couple},
    {"set_gravity", set_gravity},
    {"set_substeps", set_substeps},
    {"nothing", nothing},
};
enum { CHANGES = sizeof changes / sizeof *changes };

static int count_differences(int which, int kind, int variant) {
    setting s = make_setting(kinds[kind], variant & 1);
    int link = variant >> 1 & 1 ? LINKS - 1 : 1, steps = variant >> 2 & 1 ? 7 : 1;
    int different = steps_until_different(&s, changes[which].make, link, steps);
    if (different)
        print_error("%s, joint %d, variant %d: differs %d steps later\n", changes[which].name, kind,
                    variant, different);
    cn_world_destroy(s.world);
    return different > 0;
}

static void a_rewound_world_goes_on_like_a_loaded_one(void **state) {
    (void)state;
    int differences = 0;
    for (int which = 0; which < CHANGES; which++)
        for (int kind = 0; kind < KINDS; kind++)
            for (int variant = 0; variant < 8; variant++)
                differences += count_differences(which, kind, variant);
    assert_int_equal(differences, 0);
}

// ---- every byte

// Rows of slots, and the words that must not change: indices, flags, and what belongs to the plan.
typedef struct {
    const char *name;
    char *rows;
    size_t size;
    size_t fixed[16];
    int fixed_count;
} row_table;

static bool is_fixed(const row_table *t, size_t word) {
    for (int i = 0; i < t->fixed_count; i++)
        if (t->fixed[i] == word * sizeof(uint32_t)) return true;
    return false;
}

static char *place; // of the changed byte

// Changes a byte, or sets the word that begins there to 0. Has the next step plan everything anew.
static bool change_place(setting *s, int clears) {
    *place ^= 1;
    if (clears) memset(place, 0, sizeof(uint32_t));
    cn_replan_all(&s->world->sim);
    for (int i = 0; i < s->world->sim.slots[CN_JOINTS].end; i++)
        s->world->sim.prepared_joints[i].h = 0;
    cn_update_row_types(&s->world->sim);
    return true;
}

static row_table table_of(const cn_simulation *sim, int which) {
    const row_table tables[] = {
        {"body", (char *)sim->hot, sizeof *sim->hot, {offsetof(cn_body_hot, flags)}, 1},
        {"body, seldom",
         (char *)sim->warm,
         sizeof *sim->warm,
         {offsetof(cn_body_warm, first_shape), offsetof(cn_body_warm, last_shape),
          offsetof(cn_body_warm, batch), offsetof(cn_body_warm, batch_state),
          offsetof(cn_body_warm, island), offsetof(cn_body_warm, next)},
         6},
        {"link", (char *)sim->links, sizeof *sim->links, {offsetof(cn_shape_link, body)}, 1},
        {"shape",
         (char *)sim->shapes,
         sizeof *sim->shapes,
         {offsetof(cn_shape_warm, next), offsetof(cn_shape_warm, flags)},
         2},
        {"joint",
         (char *)sim->joint_records,
         sizeof *sim->joint_records,
         {offsetof(cn_joint_record, bodies), offsetof(cn_joint_record, bodies[1])},
         2},
    };
    return tables[which];
}

// Changes each byte of a row of a jointed body, its shape and its joint.
static int count_differing_bytes(int which) {
    setting s = make_setting(limited_hinge, true);
    const cn_simulation *sim = &s.world->sim;
    int body = (int)(s.links[1].id & CN_MAX_SLOTS), differences = 0;
    int row = which < 2 ? body : which < 4 ? sim->warm[body].first_shape : sim->first_joint[body];
    row_table t = table_of(sim, which);
    for (size_t byte = 0; byte < t.size; byte++) {
        if (is_fixed(&t, byte / sizeof(uint32_t))) continue;
        for (int clears = 0; clears <= (byte % sizeof(uint32_t) == 0); clears++) {
            place = table_of(sim, which).rows + (size_t)row * t.size + byte;
            int different = steps_until_different(&s, change_place, clears, 1);
            if (different) print_error("%s, byte %d: differs\n", t.name, (int)byte);
            differences += different > 0;
        }
    }
    cn_world_destroy(s.world);
    return differences;
}

static void no_byte_of_a_row_stays_in_the_plan(void **state) {
    (void)state;
    for (int which = 0; which < 5; which++) assert_int_equal(count_differing_bytes(which), 0);
}

// ---- flags of bodies, by the calls that set them, in every combination of before and after

static bool set_flags(setting *s, int flags) {
    cn_body body = s->links[1];
    return cn_body_set_locks(s->world, body, flags & 1, flags >> 1 & 1, flags >> 2 & 1) &&
           cn_body_set_bullet(s->world, body, flags >> 3 & 1) &&
           cn_body_set_disabled(s->world, body, !(!(flags >> 4 & 1))) &&
           cn_body_set_no_sleep(s->world, body, flags >> 5 & 1);
}

static void flags_of_before_are_back_in_the_plan(void **state) {
    (void)state;
    enum { ALL = 1 << 6 };
    uint64_t chance = 5;
    int differences = 0;
    for (int i = 0; i < 200; i++) {
        setting s = make_setting(kinds[i % KINDS], i / KINDS % 2);
        int before = (int)random_between(&chance, 0, ALL),
            after = (int)random_between(&chance, 0, ALL);
        assert_done(set_flags(&s, before));
        run(s.world, i % 3);
        int different = steps_until_different(&s, set_flags, after, 1 + i % 2);
        if (different)
            print_error("flags %d, then %d: differs %d steps later\n", before, after, different);
        differences += different > 0;
        cn_world_destroy(s.world);
    }
    assert_int_equal(differences, 0);
}

// ---- edits of shapes

static void add_two_shapes(cn_world *world, cn_body body) {
    for (int i = 0; i < 2; i++) {
        cn_shape_def def = {.hull = cn_box(0.2f, 0.3f)};
        assert_true(cn_shape_create(world, body, &def).id);
    }
}

// The rewind takes away bodies that were edited before the one that stays.
static void edits_that_are_rewound_are_forgotten(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_static(world); // in the first slot
    cn_body body = cn_body_create(world, &(cn_body_def){.angular_velocity = 1});
    add_two_shapes(world, body);
    run(world, 1);
    cn_rollback *rollback = cn_rollback_create(world, 1);
    saved all = save(world);
    assert_done(cn_rollback_keep(rollback, 0));
    for (int i = 0; i < 3; i++)
        add_two_shapes(world, cn_body_create(world, &(cn_body_def){.position = point(9, i)}));
    add_two_shapes(world, body);
    assert_done(cn_rollback_rewind(rollback, 0));
    cn_world *loaded = cn_world_load(&(cn_world_def){.lanes = 1}, NULL, all.bytes, all.size);
    add_two_shapes(world, body), add_two_shapes(loaded, body);
    run(world, 2), run(loaded, 2);
    assert_true(cn_world_hash(world) == cn_world_hash(loaded));
    cn_world_destroy(loaded);
    cn_world_destroy(world);
    cn_rollback_destroy(rollback);
    free(all.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rewound_world_goes_on_like_a_loaded_one),
        cmocka_unit_test(no_byte_of_a_row_stays_in_the_plan),
        cmocka_unit_test(flags_of_before_are_back_in_the_plan),
        cmocka_unit_test(edits_that_are_rewound_are_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
