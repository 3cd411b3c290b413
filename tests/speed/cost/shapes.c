/* Growth: calls on the n shapes of one body. */
#include "cost.h"

static void start_hub(trial *t) {
    start_world(t, 0);
    t->hub = add_body(t, (cn_body_def){.type = t->type});
}

static void create_shape(trial *t, int i) {
    add_shape(t, t->hub, (cn_shape_def){.hull = box_at(0.25f, place_of(i, 0.6f))});
}

static void build_compound(trial *t) {
    start_hub(t);
    for (int i = 0; i < t->n; i++) create_shape(t, i);
    take_steps(t, 2);
}

// Each shape touches a sleeping or kinematic neighbour, so that calls have something to wake.
static void build_touched_compound(trial *t) {
    build_compound(t);
    for (int i = 0; i < t->n; i++) {
        vec2s place = place_of(i, 0.6f);
        add_one(t, (cn_body_def){.position = {{place.x, place.y + 0.3f}}, .asleep = true},
                (cn_shape_def){.hull = cn_circle(0.05f)});
    }
    take_steps(t, 1);
}

// A body with shapes that many joints hold: the lever arms of the joints follow the mass.
static void build_jointed_hub(trial *t) {
    start_hub(t);
    create_shape(t, 0);
    for (int i = 0; i < t->n; i++) {
        cn_body other = add_one(t, (cn_body_def){.position = place_of(i, 0.6f)},
                                (cn_shape_def){.hull = cn_circle(0.1f)});
        add_joint(t, cn_revolute_joint(t->world, t->hub, other, place_of(i, 0.6f)));
    }
}

static void create_further_shape(trial *t, int i) { create_shape(t, i + 1); }

// ---- calls

static void destroy_shape(trial *t, int i) { must(cn_shape_destroy(t->world, t->shapes[i])); }

static void set_density(trial *t, int i) { must(cn_shape_set_density(t->world, t->shapes[i], 2)); }

static void set_hull(trial *t, int i) {
    cn_hull hull = box_at(0.2f, place_of(i, 0.6f));
    must(cn_shape_set_hull(t->world, t->shapes[i], hull));
}

static void set_material(trial *t, int i) {
    must(cn_shape_set_material(t->world, t->shapes[i], (cn_material){.restitution = 0.5f}));
}

static void set_filter(trial *t, int i) {
    must(cn_shape_set_filter(t->world, t->shapes[i], (cn_filter){2, 1, 0}));
}

static void set_sensor(trial *t, int i) { must(cn_shape_set_sensor(t->world, t->shapes[i], true)); }

static void set_one_way(trial *t, int i) {
    must(cn_shape_set_one_way(t->world, t->shapes[i], (vec2s){{0, 1}}));
}

static void set_hit_events(trial *t, int i) {
    must(cn_shape_set_hit_events(t->world, t->shapes[i], true));
}

// ---- the same shapes, found by iteration

static void destroy_first_shapes(trial *t) {
    for (cn_shape s; (s = cn_body_next_shape(t->world, t->hub, (cn_shape){0})).id;)
        must(cn_shape_destroy(t->world, s));
}

static void destroy_next_shapes(trial *t) {
    for (cn_shape s = cn_body_next_shape(t->world, t->hub, (cn_shape){0}), next; s.id; s = next) {
        next = cn_body_next_shape(t->world, t->hub, s);
        must(cn_shape_destroy(t->world, s));
    }
}

static void read_next_shapes(trial *t) {
    for (cn_shape s = {0}; (s = cn_body_next_shape(t->world, t->hub, s)).id;)
        must(cn_shape_valid(t->world, s));
}

static void read_world_shapes(trial *t) {
    for (cn_shape s = {0}; (s = cn_world_next_shape(t->world, s)).id;)
        must(cn_shape_valid(t->world, s));
}

// ---- the body of the shapes

static void destroy_hub(trial *t) { must(cn_body_destroy(t->world, t->hub)); }

static void move_hub(trial *t) {
    must(cn_body_set_pose(t->world, t->hub, cn_pose_at((vec2s){{1, 0}}, 0.1f)));
    take_steps(t, 1);
}

static void toggle_hub(trial *t) {
    must(cn_body_set_disabled(t->world, t->hub, true));
    take_steps(t, 1);
    must(cn_body_set_disabled(t->world, t->hub, false));
    take_steps(t, 1);
}

static void change_type_of_hub(trial *t) {
    must(cn_body_set_type(t->world, t->hub, t->type == CN_STATIC ? CN_DYNAMIC : CN_STATIC));
    take_steps(t, 1);
}

// The velocity does not depend on n.
static void drive_hub(trial *t) {
    must(cn_body_set_velocity(t->world, t->hub, (vec2s){{1, 0}}));
    four_steps(t);
}

const cost_case shape_cases[] = {
    {"create-shapes", 256, start_hub, .act = create_shape},
    {"create-static-shapes", 1500, start_hub, .act = create_shape, .type = CN_STATIC},
    {"create-kinematic-shapes", 1500, start_hub, .act = create_shape, .type = CN_KINEMATIC},
    {"create-shapes-of-jointed-body", 200, build_jointed_hub, .act = create_further_shape},
    {"destroy-shapes", 200, build_compound, .act = destroy_shape},
    {"destroy-shapes-reversed", 200, build_compound, .act = destroy_shape, .order = REVERSED},
    {"destroy-shapes-shuffled", 200, build_compound, .act = destroy_shape, .order = SHUFFLED},
    {"destroy-shapes-first", 200, build_compound, .work = destroy_first_shapes},
    {"destroy-shapes-next", 200, build_compound, .work = destroy_next_shapes},
    {"destroy-static-shapes", 500, build_compound, .act = destroy_shape, .type = CN_STATIC},
    {"destroy-static-shapes-reversed", 500, build_compound, .act = destroy_shape, .order = REVERSED,
     .type = CN_STATIC},
    {"destroy-static-shapes-shuffled", 500, build_compound, .act = destroy_shape, .order = SHUFFLED,
     .type = CN_STATIC},
    {"destroy-static-shapes-first", 500, build_compound, .work = destroy_first_shapes,
     .type = CN_STATIC},
    {"destroy-static-shapes-next", 500, build_compound, .work = destroy_next_shapes,
     .type = CN_STATIC},
    {"destroy-kinematic-shapes-reversed", 500, build_compound, .act = destroy_shape,
     .order = REVERSED, .type = CN_KINEMATIC},
    {"next-shapes-of-body", 1000, build_compound, .work = read_next_shapes, .type = CN_STATIC},
    {"next-shapes-of-world", 1000, build_compound, .work = read_world_shapes, .type = CN_STATIC},
    {"set-density", 200, build_compound, .act = set_density},
    {"set-static-density", 500, build_compound, .act = set_density, .type = CN_STATIC},
    {"set-hull", 200, build_compound, .act = set_hull},
    {"set-static-hull", 1000, build_touched_compound, .act = set_hull, .type = CN_STATIC},
    {"set-material", 1000, build_compound, .act = set_material},
    {"set-static-material", 1000, build_touched_compound, .act = set_material, .type = CN_STATIC},
    {"set-filter", 500, build_compound, .act = set_filter},
    {"set-static-filter", 1000, build_touched_compound, .act = set_filter, .type = CN_STATIC},
    {"set-sensor", 300, build_compound, .act = set_sensor},
    {"set-static-sensor", 300, build_touched_compound, .act = set_sensor, .type = CN_STATIC},
    {"set-one-way", 1000, build_touched_compound, .act = set_one_way, .type = CN_STATIC},
    {"set-hit-events", 500, build_touched_compound, .act = set_hit_events, .type = CN_KINEMATIC},
    {"destroy-body-of-shapes", 1000, build_compound, .work = destroy_hub},
    {"destroy-static-body-of-shapes", 1000, build_touched_compound, .work = destroy_hub,
     .type = CN_STATIC},
    {"move-static-body-of-shapes", 1500, build_touched_compound, .work = move_hub,
     .type = CN_STATIC},
    {"toggle-body-of-shapes", 500, build_compound, .work = toggle_hub},
    {"toggle-static-body-of-shapes", 1500, build_touched_compound, .work = toggle_hub,
     .type = CN_STATIC},
    {"set-type-of-body-of-shapes", 500, build_compound, .work = change_type_of_hub},
    {"set-type-of-static-body-of-shapes", 500, build_compound, .work = change_type_of_hub,
     .type = CN_STATIC},
    {"step-body-of-shapes", 500, build_compound, .work = drive_hub},
    {"step-kinematic-body-of-shapes", 500, build_compound, .work = drive_hub, .type = CN_KINEMATIC},
    {0},
};
