/* The table of stages names the data that each stage reads and changes. Here all groups of data are
 * compared before and after each stage, in scenes in which all kinds of things happen. A stage may
 * change only what it names, and each change that it names must happen in some scene. */
#include "../../../../demo/scenes/scene.h"
#include "../../../../engine/core/world/world.h"
#include "../../../support/random_calls.h"
#include "stage_data.h"

#include <stdio.h>

// ---- checked steps

// What the stages of all checked steps changed, by their order.
static struct {
    const cn_stage *stages[CN_MAX_STAGES];
    uint32_t changed[CN_MAX_STAGES];
    int count; // of stages
    int wrong; // changes that a stage does not name
} seen;

typedef struct {
    const char *where;
    cn_simulation *sim;
    data_hashes before;
    int step, stage;
} checked_step;

// Reports each wrong change once.
static void see_change(const checked_step *c, const cn_stage *stage, int group) {
    bool is_new = !(seen.changed[c->stage] >> group & 1);
    seen.changed[c->stage] |= 1u << group;
    if (stage->writes >> group & 1) return;
    seen.wrong++;
    if (is_new)
        print_error("%s, step %d: the stage '%s' changes %s\n", c->where, c->step, stage->name,
                    group_names[group]);
}

static void end_stage(void *context, const cn_stage *stage) {
    checked_step *c = context;
    data_hashes after = hash_data(c->sim);
    for (int i = 0; i < GROUPS; i++)
        if (after.hashes[i] != c->before.hashes[i]) see_change(c, stage, i);
    c->before = after;
    seen.stages[c->stage++] = stage;
    seen.count = c->stage;
}

// Takes a step of 1/60 s. What a step does before its first stage is done first, so it does nothing
// more there.
static void check_step(cn_world *world, const char *where, int step) {
    checked_step c = {.where = where, .sim = &world->sim, .step = step};
    cn_close_gaps(c.sim);
    cn_settle_bodies(c.sim);
    c.before = hash_data(c.sim);
    assert_done(cn_step(c.sim, STEP, NULL, end_stage, &c));
}

// ---- the scenes of the demo

static void check_scene(const scene *which, int threads) {
    scene_run run;
    assert_done(scene_start(&run, which, (cn_world_def){.threads = threads}));
    for (; run.step < 40; run.step++) {
        assert_done(scene_act(&run));
        check_step(run.world, which->name, run.step);
    }
    scene_stop(&run);
}

static void stages_change_only_what_they_name_in_the_demo(void **state) {
    (void)state;
    for (int i = 0; demo_scenes[i]; i++) check_scene(demo_scenes[i], 1 + i % 3);
    assert_int_equal(seen.wrong, 0);
}

// ---- calls between the steps

enum { THINGS = 40, LINKS = 16 };

typedef struct {
    cn_world *world;
    cn_body bodies[THINGS]; // 0 and 1 are kinematic, 2 is static
    cn_joint joints[LINKS];
    cn_grid tiles;
} playground;

static void add_ground(playground *p) {
    cn_shape_def floor = {.hull = cn_box(100, 1), .pre_solve = true},
                 ledge = {.hull = cn_box(3, 0.1f)};
    cn_tile tiles[32 * 3];
    ledge.one_way = point(0, 1);
    add(p->world, (cn_body_def){.type = CN_STATIC, .position = {{0, -4}}}, floor);
    add(p->world, (cn_body_def){.type = CN_STATIC, .position = {{0, 2}}}, ledge);
    for (int i = 0; i < 32 * 3; i++)
        tiles[i] = (cn_tile){.solid = !one_in(3), .form = (cn_tile_form)below(5)};
    cn_grid_def def = {.tiles = tiles, .width = 32, .height = 3, .tile_size = 0.8f};
    def.origin = point(-13, -2.4);
    p->tiles = cn_grid_create(p->world, p->bodies[2], &def);
    assert_done(p->tiles.id != 0);
}

static cn_shape_def some_shape(void) {
    cn_shape_def def = {.hull = some_hull(), .material = some_material(), .hit_events = true};
    def.pre_solve = one_in(2);
    def.sensor = one_in(6);
    if (def.sensor) def.medium = (cn_medium){.density = 1, .linear_drag = 1, .attraction = 5};
    return def;
}

static void add_things(playground *p) {
    for (int i = 0; i < THINGS; i++) {
        cn_body_def def = {.type = i < 2 ? CN_KINEMATIC : i == 2 ? CN_STATIC : CN_DYNAMIC};
        if (i != 2) def.position = somewhere();
        if (i < 2) def.velocity = point(uniform(-1, 1), 0);
        def.bullet = one_in(8);
        p->bodies[i] = cn_body_create(p->world, &def);
        for (int k = i == 2 ? 0 : 1 + one_in(3); k > 0; k--) {
            cn_shape_def shape = some_shape();
            assert_done(cn_shape_create(p->world, p->bodies[i], &shape).id != 0);
        }
    }
}

static void add_link(playground *p, int i) {
    cn_body a = p->bodies[below(THINGS)], b = p->bodies[3 + below(THINGS - 3)];
    if (a.id == b.id) a = p->bodies[2];
    cn_joint_def def = one_in(3) ? some_joint(p->world, a, b)
                                 : cn_revolute_joint(p->world, a, b, cn_body_position(p->world, b));
    if (one_in(6)) def.break_force = 5;
    p->joints[i] = cn_joint_create(p->world, def);
    assert_done(p->joints[i].id != 0);
    cn_joint other = p->joints[i - 1 + !i];
    cn_coupling coupling = {other, CN_JOINT_ANGLE, CN_JOINT_ANGLE, 2, false};
    if (i % 3 == 2 && cn_joint_valid(p->world, other))
        assert_done(cn_joint_set_coupling(p->world, p->joints[i], coupling));
}

static void change_shape(playground *p, cn_body body) {
    cn_shape shape = first_shape(p->world, body);
    cn_shape_def def = some_shape();
    switch (shape.id ? below(5) : 0) {
    case 0: cn_shape_create(p->world, body, &def); break;
    case 1: cn_shape_destroy(p->world, shape); break;
    case 2: cn_shape_set_hull(p->world, shape, def.hull); break;
    case 3: cn_shape_set_material(p->world, shape, def.material); break;
    default: cn_shape_set_density(p->world, shape, (float)uniform(0.5, 2)); break;
    }
}

static void change_something(playground *p) {
    cn_body body = p->bodies[below(THINGS)];
    int link = below(LINKS);
    bool is_there = cn_joint_valid(p->world, p->joints[link]), on = one_in(2);
    vec2s place = somewhere();
    switch (below(12)) {
    case 0: cn_body_set_disabled(p->world, body, !on); break;
    case 1: cn_body_set_pose(p->world, body, cn_pose_at(place, place.x)); break;
    case 2: cn_body_set_velocity(p->world, body, point(9 * (double)place.x, place.y)); break;
    case 3: cn_body_drop_through(p->world, body, place.y / 10); break;
    case 4: cn_body_apply_force(p->world, body, place); break;
    case 5: cn_body_set_asleep(p->world, body, !on); break;
    case 6: cn_grid_set_solid(p->world, p->tiles, below(32), below(3), on); break;
    case 7: // disabled, destroyed, or made anew
        if (!is_there)
            add_link(p, link);
        else if (on)
            cn_joint_set_disabled(p->world, p->joints[link], !one_in(2));
        else
            cn_joint_destroy(p->world, p->joints[link]);
        break;
    default: change_shape(p, body); break;
    }
}

static cn_pre_solve_result answer(cn_world *world, const cn_contact *contact, void *user) {
    (void)world, (void)user;
    return (cn_pre_solve_result){
        .disabled = contact->a.shape.id % 8 == 0, .changed = true, .friction = 1};
}

static void check_playground(uint64_t seed) {
    playground p = {0};
    chance = seed;
    p.world = cn_world_create(
        &(cn_world_def){.gravity = {{0, -10}}, .threads = 1 + (int)(seed % 3), .time_step = STEP});
    if (seed % 4 == 0)
        assert_done(cn_world_set_callbacks(p.world, (cn_callbacks){.pre_solve = answer}));
    add_things(&p);
    add_ground(&p);
    for (int i = 0; i < LINKS; i++) add_link(&p, i);
    assert_int_equal(cn_world_advance(p.world, STEP), 1);
    p.world->sim.keep_poses = true;
    for (int i = 0; i < 200; i++) {
        if (i < 100)
            for (int k = below(3); k > 0; k--) change_something(&p);
        check_step(p.world, "playground", i);
    }
    cn_world_destroy(p.world);
}

static void stages_change_only_what_they_name_between_calls(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 16; seed++) check_playground(seed);
    assert_int_equal(seen.wrong, 0);
}

// ---- rare cases

// A body gets infinitely fast, and another one is swept in the same step.
static void check_faults(void) {
    cn_world *w = make_world(GRAVITY);
    cn_body wall = add(w, (cn_body_def){.type = CN_STATIC}, box_of(1));
    cn_body arm = add(w, (cn_body_def){.position = point(0, 3)}, box_of(0.5f));
    cn_joint_def def = cn_revolute_joint(w, wall, arm, point(0, 2));
    assert_done(cn_joint_create(w, def).id != 0);
    cn_shape_def further = {.hull = cn_hull_at(cn_box(0.5f, 0.5f), cn_pose_at(point(1, 0), 0))};
    assert_done(cn_shape_create(w, arm, &further).id != 0);
    add(w, (cn_body_def){.position = point(1, 4)}, box_of(0.5f)); // so the surfaces are known
    check_step(w, "faults", 0);
    add(w, (cn_body_def){.position = point(9, 0), .velocity = point(-500, 0)}, box_of(0.1f));
    assert_done(cn_body_apply_force(w, arm, point(1e30, 0)));
    check_step(w, "faults", 1);
    cn_world_destroy(w);
}

// A kinematic body needs billions of steps to get too far away, so here it begins there.
static void check_kinematic_fault(void) {
    cn_world *w = make_world(GRAVITY);
    cn_body lift = add(w, (cn_body_def){.type = CN_KINEMATIC, .velocity = {{1, 0}}}, box_of(1));
    w->sim.hot[cn_find_body(w, lift, __func__)].x = 2e18f;
    check_step(w, "kinematic fault", 0);
    assert_true(cn_body_velocity(w, lift).x == 0);
    cn_world_destroy(w);
}

// A world with a grid of tiles, far from the rest, and a box on it. Returns the box.
static cn_body add_guest_on_tiles(cn_world *w) {
    static const uint8_t solid[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    cn_grid_def grid = {.solid = solid, .width = 8, .height = 1, .tile_size = 1};
    cn_body ground = cn_body_create(w, &(cn_body_def){.type = CN_STATIC});
    grid.origin = point(50, 0);
    assert_done(cn_grid_create(w, ground, &grid).id != 0);
    return add(w, (cn_body_def){.position = point(51, 1.5)}, box_of(0.5f));
}

// A lamp hangs from a ceiling by a joint that breaks in the given step. On the ceiling lies a box,
// so its surface is known. A guest leaves some tiles.
static void check_break(float sleep_time, int when) {
    cn_world *w = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
    cn_tuning tuning = cn_world_tuning(w);
    tuning.sleep_time = sleep_time;
    assert_done(cn_world_set_tuning(w, tuning));
    cn_body ceiling = add(w, (cn_body_def){.type = CN_STATIC, .position = point(0, 5)}, box_of(1));
    cn_body lamp = add(w, (cn_body_def){.position = point(0, 3), .sleep_speed = 1}, box_of(0.5f));
    cn_body guest = add_guest_on_tiles(w);
    add(w, (cn_body_def){.position = point(0, 6.5)}, box_of(0.5f));
    cn_joint_def def = cn_weld_joint(w, ceiling, lamp, point(0, 4));
    cn_joint joint = cn_joint_create(w, def);
    for (int i = 0; i <= when; i++) {
        if (i == 2) assert_done(cn_body_set_pose(w, guest, cn_pose_at(point(80, 0), 0)));
        if (i == when) assert_done(cn_joint_set_break(w, joint, 1, 0));
        check_step(w, "break", i);
    }
    assert_false(cn_joint_valid(w, joint));
    cn_world_destroy(w);
}

static void stages_change_only_what_they_name_in_rare_cases(void **state) {
    (void)state;
    check_faults();
    check_kinematic_fault();
    check_break(0.5f, 3);
    check_break(0.001f, 0); // the lamp falls asleep in the step in which its joint breaks
    check_break(0.5f, 63);  // in this step, the shapes of unused tiles are removed
    assert_int_equal(seen.wrong, 0);
}

// ---- the table

static void each_change_that_a_stage_names_happens(void **state) {
    (void)state;
    int missing = 0;
    for (int k = 0; k < seen.count; k++)
        for (int i = 0; i < GROUPS; i++) {
            if (!((seen.stages[k]->writes & ~seen.changed[k]) >> i & 1)) continue;
            print_error("the stage '%s' never changes %s\n", seen.stages[k]->name, group_names[i]);
            missing++;
        }
    assert_int_equal(missing, 0);
}

// The exception are shapes of tiles, which do not affect how bodies move.
static void stages_that_may_fail_change_no_state(void **state) {
    (void)state;
    for (int k = 0; k < seen.count; k++) {
        const cn_stage *stage = seen.stages[k];
        uint32_t allowed = FOLLOWING;
        if (!strcmp(stage->name, "create tile shapes"))
            allowed |= SHAPES | HULLS | BOXES | DIRTY | SLOTS;
        if (stage->prepare && stage->writes & ~allowed)
            fail_msg("the stage '%s' may fail, so it must not change state", stage->name);
    }
}

static const char *readme_path;

static char *read_readme(void) {
    enum { MOST = 1 << 16 };
    FILE *file = fopen(readme_path, "rb");
    assert_non_null(file);
    char *text = calloc(MOST, 1);
    assert_non_null(text);
    assert_in_range(fread(text, 1, MOST - 1, file), 1, MOST - 2);
    fclose(file);
    return text;
}

// Adds a cell of a table: the names of some groups.
static void add_names(char *line, uint32_t groups) {
    const char *between = "";
    for (int i = 0; i < GROUPS; i++) {
        if (!(groups >> i & 1)) continue;
        strcat(strcat(line, between), group_names[i]);
        between = ", ";
    }
    strcat(line, " | ");
}

static void the_map_of_the_engine_has_the_same_table(void **state) {
    (void)state;
    char *text = read_readme();
    const char *at = text;
    for (int k = 0; k < seen.count && at; k++) {
        char line[1000];
        sprintf(line, "| %s | ", seen.stages[k]->name);
        add_names(line, seen.stages[k]->reads);
        add_names(line, seen.stages[k]->writes);
        line[strlen(line) - 1] = '\n';
        at = strstr(at, line);
        if (!at) print_error("engine/README.md lacks this line, or not here:\n%s", line);
    }
    assert_non_null(at);
    free(text);
}

int main(int argc, char **argv) {
    readme_path = argc > 1 ? argv[1] : "engine/README.md";
    // The last three need what the first three have seen.
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_change_only_what_they_name_in_the_demo),
        cmocka_unit_test(stages_change_only_what_they_name_between_calls),
        cmocka_unit_test(stages_change_only_what_they_name_in_rare_cases),
        cmocka_unit_test(each_change_that_a_stage_names_happens),
        cmocka_unit_test(stages_that_may_fail_change_no_state),
        cmocka_unit_test(the_map_of_the_engine_has_the_same_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
