/* Growth: calls on n bodies, and sleep. */
#include "cost.h"

static const cn_shape_def unit_box = {
    .hull = {.vertices = {{{-0.5f, -0.5f}}, {{0.5f, -0.5f}}, {{0.5f, 0.5f}}, {{-0.5f, 0.5f}}},
             .normals = {{{0, -1}}, {{1, 0}}, {{0, 1}}, {{-1, 0}}},
             .count = 4}};

// ---- worlds

static void start(trial *t) { start_world(t, 10); }

static void build_spread(trial *t) {
    start_world(t, 0);
    add_spread(t, t->n, (cn_body_def){.type = t->type}, 2);
    take_steps(t, 2);
}

static void build_sleepers(trial *t) {
    start_world(t, 10);
    add_spread(t, t->n, (cn_body_def){.asleep = true}, 2);
    take_steps(t, 2);
    must_sleep(t, 0);
}

// Stacks of ten that are at rest. They may sleep, but do not yet.
static void build_stacks(trial *t) {
    start_world(t, 10);
    add_ground(t);
    add_stacks(t, t->n, (cn_body_def){0});
    take_steps(t, 5);
}

static void build_sleeping_stacks(trial *t) {
    start_world(t, 10);
    add_ground(t);
    add_stacks(t, t->n, (cn_body_def){.asleep = true});
    take_steps(t, 2);
    must_sleep(t, 0);
}

// A row of boxes that touch each other: one island.
static void build_row(trial *t) {
    start_world(t, 10);
    add_ground(t);
    for (int i = 0; i < t->n; i++)
        add_one(t, (cn_body_def){.position = {{(float)i, 0.5f}}}, unit_box);
    take_steps(t, 5);
}

static void build_sleeping_row(trial *t) {
    build_row(t);
    must(cn_body_set_asleep(t->world, t->bodies[0], true));
}

// Boxes on a platform of their own each.
static void build_riders(trial *t) {
    start_world(t, 10);
    for (int i = 0; i < t->n; i++) {
        vec2s place = place_of(i, 3);
        add_one(t, (cn_body_def){.position = {{place.x, place.y + 1}}}, unit_box);
        cn_body platform =
            cn_body_create(t->world, &(cn_body_def){.type = CN_STATIC, .position = place});
        must(cn_shape_create(t->world, platform,
                             &(cn_shape_def){.hull = cn_box(0.5f, 0.5f), .one_way = {{0, 1}}})
                 .id != 0);
    }
    take_steps(t, 5);
}

// ---- calls

static void create_body(trial *t, int i) {
    add_one(t, (cn_body_def){.type = t->type, .position = place_of(i, 2)}, unit_box);
}

static void create_sleeper(trial *t, int i) {
    add_one(t, (cn_body_def){.position = place_of(i, 2), .asleep = true}, unit_box);
}

static void destroy_body(trial *t, int i) { must(cn_body_destroy(t->world, t->bodies[i])); }

static void put_to_sleep(trial *t, int i) {
    must(cn_body_set_asleep(t->world, t->bodies[i], true));
}

static void move_and_put_to_sleep(trial *t, int i) {
    must(cn_body_set_velocity(t->world, t->bodies[i], (vec2s){{1, 0}}));
    must(cn_body_set_asleep(t->world, t->bodies[i], true));
}

static void put_stack_to_sleep(trial *t, int i) {
    if (i % 10 == 0) put_to_sleep(t, i);
}

static void wake(trial *t, int i) { must(cn_body_set_asleep(t->world, t->bodies[i], false)); }

// One body after the other wakes, falls for a step, and is put to sleep again.
static void wake_and_put_to_sleep(trial *t, int i) {
    wake(t, i);
    take_steps(t, 1);
    put_to_sleep(t, i);
}

static void drop_through(trial *t, int i) { must(cn_body_drop_through(t->world, t->bodies[i], 1)); }

static void push(trial *t, int i) {
    must(cn_body_apply_impulse(t->world, t->bodies[i], (vec2s){{0, 1}}));
}

static void set_velocity(trial *t, int i) {
    must(cn_body_set_velocity(t->world, t->bodies[i], (vec2s){{0, 1}}));
}

static void set_pose(trial *t, int i) {
    vec2s place = place_of(i, 2);
    must(cn_body_set_pose(t->world, t->bodies[i],
                          cn_pose_at((vec2s){{place.x, place.y + 0.5f}}, 0.1f)));
}

static void set_target(trial *t, int i) {
    vec2s place = place_of(i, 2);
    must(cn_body_set_target(t->world, t->bodies[i],
                            cn_pose_at((vec2s){{place.x + 0.01f, place.y}}, 0), COST_STEP));
}

static void change_type(trial *t, int i) {
    cn_motion_type type = t->type == CN_DYNAMIC ? CN_STATIC : CN_DYNAMIC;
    must(cn_body_set_type(t->world, t->bodies[i], type));
}

static void become_kinematic(trial *t, int i) {
    must(cn_body_set_type(t->world, t->bodies[i], CN_KINEMATIC));
}

static void disable(trial *t, int i) { must(cn_body_set_disabled(t->world, t->bodies[i], true)); }

static void disable_and_enable(trial *t, int i) {
    disable(t, i);
    must(cn_body_set_disabled(t->world, t->bodies[i], false));
}

static void set_mass(trial *t, int i) {
    must(cn_body_set_mass_data(t->world, t->bodies[i], (cn_mass_data){2, 1, {{0, 0}}}));
}

static void set_locks(trial *t, int i) {
    must(cn_body_set_locks(t->world, t->bodies[i], true, false, true));
}

static void set_no_sleep(trial *t, int i) {
    must(cn_body_set_no_sleep(t->world, t->bodies[i], true));
}

static void read_ground(trial *t, int i) {
    must(cn_body_ground(t->world, t->bodies[i], (vec2s){{0, 1}}, 0.785f).found);
}

static void read_contacts(trial *t, int i) {
    cn_contact contacts[4];
    must(cn_body_contacts(t->world, t->bodies[i], contacts, 4) > 0);
}

static void read_touching(trial *t, int i) {
    cn_body below = i % 10 ? t->bodies[i - 1] : t->hub;
    must(cn_body_touches(t->world, t->bodies[i], below));
}

static void read_touching_ground(trial *t, int i) {
    must(cn_body_touches(t->world, t->hub, t->bodies[i]) == (i % 10 == 0));
}

static void reset_mass(trial *t, int i) { must(cn_body_reset_mass(t->world, t->bodies[i])); }

// ---- calls on the world

static void wake_world(trial *t) {
    must(cn_world_set_gravity(t->world, (vec2s){{0, -9}}));
    take_steps(t, 1);
}

static void shift_origin(trial *t) {
    must(cn_world_shift_origin(t->world, (vec2s){{8, 8}}));
    take_steps(t, 1);
}

static void read_next_bodies(trial *t) {
    for (cn_body b = {0}; (b = cn_world_next_body(t->world, b)).id;)
        must(cn_body_valid(t->world, b));
}

// Searches each body from the first one.
static void read_square(trial *t) {
    for (int i = 0; i < t->n; i++) {
        cn_body b = cn_world_next_body(t->world, (cn_body){0});
        for (int k = 0; k < i; k++) b = cn_world_next_body(t->world, b);
        must(b.id == t->bodies[i].id);
    }
}

static void destroy_world(trial *t) {
    cn_world_destroy(t->world);
    t->world = NULL;
}

// The row of sleeping boxes wakes from its end.
static void hit_row(trial *t) {
    must(cn_body_set_velocity(t->world, t->bodies[0], (vec2s){{5, 0}}));
    four_steps(t);
}

static void put_row_to_sleep(trial *t) {
    must(cn_body_set_asleep(t->world, t->bodies[0], true));
    take_steps(t, 1);
}

// All stacks come to rest in the same step.
static void fall_asleep(trial *t) {
    for (int i = 0; i < 120 && cn_world_counters(t->world).awake_bodies; i++) take_steps(t, 1);
    must(cn_world_counters(t->world).awake_bodies == 0);
}

const cost_case body_cases[] = {
    {"create-bodies", 1500, start, .act = create_body},
    {"create-static-bodies", 1500, start, .act = create_body, .type = CN_STATIC},
    {"create-kinematic-bodies", 1500, start, .act = create_body, .type = CN_KINEMATIC},
    {"create-sleepers", 1500, start, .act = create_sleeper},
    {"destroy-bodies", 500, build_spread, .act = destroy_body},
    {"destroy-bodies-reversed", 500, build_spread, .act = destroy_body, .order = REVERSED},
    {"destroy-bodies-shuffled", 500, build_spread, .act = destroy_body, .order = SHUFFLED},
    {"destroy-static-bodies", 500, build_spread, .act = destroy_body, .type = CN_STATIC},
    {"destroy-static-bodies-reversed", 500, build_spread, .act = destroy_body, .order = REVERSED,
     .type = CN_STATIC},
    {"destroy-kinematic-bodies", 500, build_spread, .act = destroy_body, .type = CN_KINEMATIC},
    {"destroy-kinematic-bodies-reversed", 500, build_spread, .act = destroy_body, .order = REVERSED,
     .type = CN_KINEMATIC},
    {"destroy-kinematic-bodies-shuffled", 500, build_spread, .act = destroy_body, .order = SHUFFLED,
     .type = CN_KINEMATIC},
    {"destroy-stacks", 500, build_stacks, .act = destroy_body},
    {"destroy-sleeping-stacks", 1000, build_sleeping_stacks, .act = destroy_body,
     .order = REVERSED},
    {"destroy-sleeping-row", 250, build_sleeping_row, .act = destroy_body},
    {"destroy-world", 500, build_stacks, .work = destroy_world},
    {"put-to-sleep", 500, build_spread, .act = put_to_sleep},
    {"put-to-sleep-moving", 500, build_spread, .act = move_and_put_to_sleep},
    {"put-to-sleep-stacks", 500, build_stacks, .act = put_stack_to_sleep},
    {"wake-one-by-one", 300, build_sleepers, .act = wake_and_put_to_sleep},
    {"put-to-sleep-row", 500, build_row, .work = put_row_to_sleep},
    {"fall-asleep-stacks", 500, build_stacks, .work = fall_asleep},
    {"wake", 1000, build_sleepers, .act = wake},
    {"wake-stacks", 1000, build_sleeping_stacks, .act = wake},
    {"wake-by-gravity", 1000, build_sleeping_stacks, .work = wake_world},
    {"wake-row-by-hit", 1000, build_sleeping_row, .work = hit_row},
    {"push-sleepers", 1000, build_sleepers, .act = push},
    {"push-row", 1000, build_sleeping_row, .act = push},
    {"drop-through", 500, build_spread, .act = drop_through},
    {"drop-through-riders", 500, build_riders, .act = drop_through, .order = SHUFFLED},
    {"set-velocity", 500, build_spread, .act = set_velocity},
    {"set-kinematic-velocity", 1500, build_spread, .act = set_velocity, .type = CN_KINEMATIC},
    {"set-pose", 500, build_spread, .act = set_pose},
    {"set-static-pose", 1500, build_spread, .act = set_pose, .type = CN_STATIC},
    {"set-pose-of-sleepers", 1000, build_sleepers, .act = set_pose},
    {"set-target", 500, build_spread, .act = set_target, .type = CN_KINEMATIC},
    {"become-static", 1000, build_spread, .act = change_type},
    {"become-dynamic", 1000, build_spread, .act = change_type, .type = CN_STATIC},
    {"become-kinematic", 1000, build_spread, .act = become_kinematic},
    {"stop-being-kinematic", 500, build_spread, .act = change_type, .type = CN_KINEMATIC},
    {"disable", 1000, build_spread, .act = disable},
    {"disable-stacks", 1000, build_stacks, .act = disable},
    {"disable-and-enable", 1000, build_stacks, .act = disable_and_enable},
    {"disable-and-enable-kinematic", 500, build_spread, .act = disable_and_enable,
     .order = REVERSED, .type = CN_KINEMATIC},
    {"set-mass", 500, build_stacks, .act = set_mass},
    {"reset-mass", 500, build_stacks, .act = reset_mass},
    {"set-locks", 500, build_stacks, .act = set_locks},
    {"set-no-sleep", 500, build_sleeping_stacks, .act = set_no_sleep},
    {"read-ground", 1000, build_riders, .act = read_ground},
    {"read-contacts", 1000, build_stacks, .act = read_contacts},
    {"read-touching", 500, build_stacks, .act = read_touching},
    {"read-touching-ground", 1000, build_stacks, .act = read_touching_ground},
    {"next-bodies", 2000, build_spread, .work = read_next_bodies, .type = CN_STATIC},
    {"square-on-purpose", 50, build_spread, .work = read_square, .on_purpose = true},
    {"shift-origin", 500, build_stacks, .work = shift_origin},
    {0},
};
