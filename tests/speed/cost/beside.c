/* Crowds of bodies, and unusual objects far from them. See cost.h. */
#include "cost.h"

enum { BOXES = 500, JOINTED = 200, WALKERS = 100 };

static const vec2s far_place = {{-5000, 0}};

// ---- crowds

static void add_nothing(trial *t) { (void)t; }

static void add_boxes(trial *t, cn_body_def def) {
    add_ground(t);
    add_stacks(t, BOXES, def);
}

static void add_sleeping(trial *t) { add_boxes(t, (cn_body_def){.asleep = true}); }
static void add_awake(trial *t) { add_boxes(t, (cn_body_def){.no_sleep = true}); }
static void add_static(trial *t) { add_boxes(t, (cn_body_def){.type = CN_STATIC}); }

static void add_kinematic(trial *t) {
    add_spread(t, BOXES, (cn_body_def){.type = CN_KINEMATIC}, 3);
}

static void add_moving(trial *t) {
    add_spread(t, BOXES, (cn_body_def){.type = CN_KINEMATIC, .velocity = {{0.5f, 0}}}, 3);
}

static void add_fast(trial *t) {
    add_spread(t, BOXES, (cn_body_def){.velocity = {{100, 0}}, .weightless = true}, 3);
}

// Boxes that fly freely, too slow to be swept.
static void add_free(trial *t) {
    add_spread(t, BOXES, (cn_body_def){.velocity = {{1, 0}}, .weightless = true}, 3);
}

static void add_hinge(trial *t, cn_body a, cn_body b, vec2s point) {
    add_joint(t, cn_revolute_joint(t->world, a, b, point));
}

// Chains of ten links that hang from a ceiling.
static void add_chains(trial *t) {
    cn_body ceiling = add_body(t, (cn_body_def){.type = CN_STATIC});
    for (int i = 0; i < JOINTED; i++) {
        vec2s top = {{3 * (float)(i / 10), -(float)(i % 10)}};
        cn_body link =
            add_one(t, (cn_body_def){.position = {{top.x, top.y - 0.5f}}, .no_sleep = true},
                    (cn_shape_def){.hull = cn_box(0.1f, 0.4f)});
        add_hinge(t, i % 10 ? t->bodies[t->body_count - 2] : ceiling, link, top);
    }
}

static cn_body add_sensor(trial *t, cn_hull hull, vec2s place, cn_medium medium) {
    return add_one(t, (cn_body_def){.type = CN_STATIC, .position = place},
                   (cn_shape_def){.hull = hull, .sensor = true, .medium = medium});
}

static void add_sensor_over(trial *t) {
    add_sensor(t, cn_box(1000, 100), (vec2s){{0, 0}}, (cn_medium){0});
}

static void add_field_over(trial *t) {
    add_sensor(t, cn_box(1000, 100), (vec2s){{0, 0}}, (cn_medium){.linear_drag = 0.1f});
}

static void add_watched_sleepers(trial *t) {
    add_sensor_over(t);
    add_sleeping(t);
}

static void add_grid(trial *t, vec2s place, int width) {
    static const uint8_t solid[2000] = {1, 1, 1, 1, 1, 1, 1, 1};
    static uint8_t all[2000];
    for (int i = 0; i < width; i++) all[i] = 1;
    cn_body body = add_body(t, (cn_body_def){.type = CN_STATIC, .position = place});
    must(cn_grid_create(
             t->world, body,
             &(cn_grid_def){
                 .solid = width > 8 ? all : solid, .width = width, .height = 1, .tile_size = 1})
             .id != 0);
}

static void add_walkers(trial *t) {
    add_grid(t, (vec2s){{0, 0}}, 500);
    for (int i = 0; i < WALKERS; i++)
        add_one(t, (cn_body_def){.position = {{3 * (float)i + 4, 1.5f}}, .no_sleep = true},
                (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
}

// Objects are built before the crowd.
static void add_more_beside_objects(trial *t) {
    bool any = t->body_count > 0;
    add_spread(t, any ? 2 * BOXES : BOXES, (cn_body_def){.no_sleep = true}, 3);
}

const cost_group crowds[] = {
    {"nothing", .build = add_nothing},
    {"sleeping-boxes", .build = add_sleeping},
    {"sleeping-in-sensor", .build = add_watched_sleepers},
    {"static-boxes", .build = add_static},
    {"awake-boxes", .build = add_awake},
    {"kinematic-at-rest", .build = add_kinematic},
    {"kinematic-moving", .build = add_moving},
    {"free-boxes", .build = add_free},
    {"fast-boxes", .build = add_fast},
    {"chains", .build = add_chains},
    {"walkers-on-tiles", .build = add_walkers},
    {"doubled-on-purpose", .build = add_more_beside_objects, .on_purpose = true},
    {0},
};

// ---- objects: fixed things

static void add_far(trial *t, cn_body_def def, cn_shape_def shape) {
    def.position = far_place;
    add_one(t, def, shape);
}

static void add_idle_sensor(trial *t) { add_sensor(t, cn_box(1, 1), far_place, (cn_medium){0}); }

static void add_idle_field(trial *t) {
    add_sensor(t, cn_box(1, 1), far_place, (cn_medium){.density = 1, .linear_drag = 1});
}

static void add_idle_grid(trial *t) { add_grid(t, far_place, 8); }

static void add_kinematic_box(trial *t) {
    add_far(t, (cn_body_def){.type = CN_KINEMATIC}, (cn_shape_def){.hull = cn_box(1, 1)});
}

static void add_platform(trial *t) {
    add_far(t, (cn_body_def){.type = CN_STATIC},
            (cn_shape_def){.hull = cn_box(1, 0.1f), .one_way = {{0, 1}}});
}

static void add_static_material(trial *t, cn_material material) {
    add_far(t, (cn_body_def){.type = CN_STATIC},
            (cn_shape_def){.hull = cn_box(1, 1), .material = material});
}

static void add_bouncy_wall(trial *t) {
    add_static_material(t, (cn_material){.restitution = 0.5f});
}

static void add_conveyor(trial *t) { add_static_material(t, (cn_material){.surface_speed = 1}); }

static void add_huge_box(trial *t) {
    add_one(t, (cn_body_def){.type = CN_STATIC, .position = {{0, -9000}}},
            (cn_shape_def){.hull = cn_box(9000, 1000)});
}

static void add_chain(trial *t) {
    const vec2s points[] = {{{3, 0}}, {{2, 0.1f}}, {{1, 0}}, {{0, 0.1f}}};
    cn_body body = add_body(t, (cn_body_def){.type = CN_STATIC, .position = far_place});
    must(cn_chain_create(t->world, body, &(cn_chain_def){.points = points, .count = 4}).id != 0);
}

static void add_sleeping_pile(trial *t) {
    for (int i = 0; i < 10; i++)
        add_one(t, (cn_body_def){.position = {{far_place.x, (float)i}}, .asleep = true},
                (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
}

static void add_disabled_body(trial *t) {
    add_far(t, (cn_body_def){.disabled = true}, (cn_shape_def){.hull = cn_box(1, 1)});
}

static void add_idle_joint(trial *t) {
    cn_body a = add_body(t, (cn_body_def){.type = CN_STATIC, .position = far_place});
    cn_body b = add_body(t, (cn_body_def){.type = CN_STATIC, .position = far_place});
    add_hinge(t, a, b, far_place);
}

// ---- objects: bodies that move

static void add_fast_box(trial *t) {
    add_far(t, (cn_body_def){.velocity = {{-100, 0}}, .weightless = true},
            (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
}

static void add_bullet(trial *t) {
    add_far(t, (cn_body_def){.velocity = {{-100, 0}}, .weightless = true, .bullet = true},
            (cn_shape_def){.hull = cn_circle(0.1f)});
}

static void add_spinner(trial *t) {
    add_far(t, (cn_body_def){.angular_velocity = 50, .weightless = true},
            (cn_shape_def){.hull = cn_box(2, 0.1f)});
}

static void add_lift(trial *t) {
    add_far(t, (cn_body_def){.type = CN_KINEMATIC, .velocity = {{0, 1}}},
            (cn_shape_def){.hull = cn_box(1, 0.1f)});
}

static void add_fast_lift(trial *t) {
    add_far(t, (cn_body_def){.type = CN_KINEMATIC, .velocity = {{0, 100}}},
            (cn_shape_def){.hull = cn_box(1, 0.1f)});
}

static void add_fast_shapeless(trial *t) {
    add_body(t, (cn_body_def){.position = far_place, .velocity = {{0, 60000}}});
}

static void add_moving_sensor(trial *t) {
    add_far(t, (cn_body_def){.type = CN_KINEMATIC, .velocity = {{0, 1}}},
            (cn_shape_def){.hull = cn_box(1, 1), .sensor = true});
}

static void add_falling_box(trial *t) {
    add_far(t, (cn_body_def){.no_sleep = true}, (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
}

static void add_limited_body(trial *t) {
    add_far(t, (cn_body_def){.no_sleep = true, .max_speed = 1, .linear_damping = 1},
            (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
}

static void add_compound(trial *t) {
    cn_body body =
        add_body(t, (cn_body_def){.position = far_place, .velocity = {{1, 0}}, .weightless = true});
    for (int i = 0; i < 100; i++)
        add_shape(t, body, (cn_shape_def){.hull = box_at(0.5f, place_of(i, 1))});
}

// ---- objects: bodies at rest on a floor of their own

static cn_body add_resting(trial *t, cn_shape_def shape) {
    add_one(t, (cn_body_def){.type = CN_STATIC, .position = {{far_place.x, -1}}},
            (cn_shape_def){.hull = cn_box(5, 1)});
    shape.hull = cn_circle(0.5f);
    return add_one(t, (cn_body_def){.position = {{far_place.x, 0.5f}}, .no_sleep = true}, shape);
}

static void add_plain_ball(trial *t) { add_resting(t, (cn_shape_def){0}); }

static void add_bouncy_ball(trial *t) {
    add_resting(t, (cn_shape_def){.material = {.restitution = 0.8f}});
}

static void add_resisting_ball(trial *t) {
    add_resting(t, (cn_shape_def){.material = {.rolling_resistance = 0.1f}});
}

static void add_hitting_ball(trial *t) { add_resting(t, (cn_shape_def){.hit_events = true}); }

static void add_dropping_ball(trial *t) {
    cn_body ball = add_resting(t, (cn_shape_def){0});
    must(cn_body_drop_through(t->world, ball, 1000));
}

// A wheel on a body, and two wheels that are coupled.
static void add_hinged_ball(trial *t) {
    cn_body ball = add_resting(t, (cn_shape_def){0});
    add_hinge(t, t->bodies[t->body_count - 2], ball, (vec2s){{far_place.x, 0.5f}});
}

static void add_gears(trial *t) {
    add_hinged_ball(t);
    add_hinged_ball(t);
    must(cn_joint_set_coupling(
        t->world, t->joints[t->joint_count - 1],
        (cn_coupling){t->joints[t->joint_count - 2], CN_JOINT_ANGLE, CN_JOINT_ANGLE, 1, false}));
}

// ---- settings of the world

static bool drop_bytes(const void *bytes, size_t size, void *user) {
    (void)bytes, (void)size, (void)user;
    return true;
}

static void begin_recording(trial *t) {
    must(cn_recording_begin(t->world, (cn_recording_sink){drop_bytes, NULL}));
}

static void keep_state(trial *t) {
    t->rollback = cn_rollback_create(t->world, 2);
    must(t->rollback && cn_rollback_keep(t->rollback, 0));
}

static void use_advance(trial *t) { t->advances = true; }

static void list_moves(trial *t) { must(cn_world_set_move_events(t->world, true)); }

static bool allow(cn_world *world, cn_shape a, cn_shape b, void *user) {
    (void)world, (void)a, (void)b, (void)user;
    return true;
}

static cn_pre_solve_result act_as_usual(cn_world *world, const cn_contact *contact, void *user) {
    (void)world, (void)contact, (void)user;
    return (cn_pre_solve_result){0};
}

static void set_filter(trial *t) {
    add_resting(t, (cn_shape_def){.custom_filter = true});
    must(cn_world_set_callbacks(t->world, (cn_callbacks){.filter = allow}));
}

static void set_pre_solve(trial *t) {
    add_resting(t, (cn_shape_def){.pre_solve = true});
    must(cn_world_set_callbacks(t->world, (cn_callbacks){.pre_solve = act_as_usual}));
}

const cost_group objects[] = {
    {"idle-sensor", .build = add_idle_sensor},
    {"idle-field", .build = add_idle_field},
    {"tile-grid", .build = add_idle_grid},
    {"chain", .build = add_chain},
    {"kinematic-at-rest", .build = add_kinematic_box},
    {"one-way-platform", .build = add_platform},
    {"bouncy-wall", .build = add_bouncy_wall},
    {"conveyor", .build = add_conveyor},
    {"huge-static-box", .build = add_huge_box},
    {"sleeping-pile", .build = add_sleeping_pile},
    {"disabled-body", .build = add_disabled_body},
    {"idle-joint", .build = add_idle_joint},
    {"fast-body", .build = add_fast_box},
    {"bullet", .build = add_bullet},
    {"spinning-body", .build = add_spinner},
    {"lift", .build = add_lift},
    {"fast-lift", .build = add_fast_lift},
    {"fast-body-without-shapes", .build = add_fast_shapeless},
    {"moving-sensor", .build = add_moving_sensor},
    {"falling-body", .build = add_falling_box},
    {"speed-limit", .build = add_limited_body},
    {"compound-of-100", .build = add_compound},
    {"plain-ball", .build = add_plain_ball},
    {"bouncy-ball", .build = add_bouncy_ball},
    {"rolling-resistance", .build = add_resisting_ball},
    {"hit-events", .build = add_hitting_ball},
    {"drop-through", .build = add_dropping_ball},
    {"hinge", .build = add_hinged_ball},
    {"gears", .build = add_gears},
    {"sensor-over", .build = add_sensor_over},
    {"field-over", .build = add_field_over},
    {"recording", .build = begin_recording},
    {"rollback", .build = keep_state},
    {"drawn-poses", .build = use_advance},
    {"move-events", .build = list_moves},
    {"filter", .build = set_filter},
    {"pre-solve", .build = set_pre_solve},
    {0},
};
