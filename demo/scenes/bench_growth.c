/* The benchmark scenes about growth: operations that must not cost more in a large world.
 *
 *     growth_10000      boxes in stacks of ten, as in the small worlds: the same time per body
 *     growth_sleepers   one moving ball beside 100,000 sleeping boxes: as fast as the ball alone
 *     growth_statics    1,000 static boxes are created one by one before each step
 *     growth_churn      10,000 bodies are created and destroyed before each step, so that the step
 *                       sees none of them */
#include "scene.h"

enum {
    SLEEPING_BOXES = 100000,
    STATIC_BOXES = 100000,
    STATIC_BOXES_PER_STEP = 1000,
    TEMPORARY_BODIES = 10000,
    ROW_LENGTH = 100
};

// The boxes lie in rows and do not touch.
static vec2s place_box(int i) {
    return (vec2s){{1.5f * (float)(i % ROW_LENGTH), 1.5f * (float)(i / ROW_LENGTH)}};
}

static cn_body add_box(cn_world *world, const cn_hull *box, cn_body_def def, int i) {
    def.position = place_box(i);
    cn_body body = cn_body_create(world, &def);
    cn_shape_create(world, body, &(cn_shape_def){.hull = *box});
    return body;
}

static bool create_sleepers(scene_run *run) {
    cn_world *world = run->world;
    cn_hull box = cn_box(0.5f, 0.5f);
    for (int i = 0; i < SLEEPING_BOXES; i++)
        if (!add_box(world, &box, (cn_body_def){.asleep = true}, i).id) return false;
    cn_body_def def = {.position = {{-10, 0}}, .velocity = {{0, 1}}};
    cn_shape_def ball = {.hull = cn_circle(0.5f)};
    return cn_shape_create(world, cn_body_create(world, &def), &ball).id != 0;
}

const scene scene_growth_sleepers = {
    .name = "growth-sleepers",
    .title = "Growth: sleepers",
    .caption = "One ball moves past 100,000 sleeping boxes, which add no cost to a step.",
    .view = {70, 750, 1530},
    .steps = 1000,
    .create = create_sleepers,
};

static bool create_nothing(scene_run *run) {
    (void)run;
    return true;
}

static bool add_static_boxes(scene_run *run) {
    cn_world *world = run->world;
    cn_hull box = cn_box(0.5f, 0.5f);
    int first = run->step * STATIC_BOXES_PER_STEP;
    for (int i = first; i < first + STATIC_BOXES_PER_STEP && i < STATIC_BOXES; i++)
        if (!add_box(world, &box, (cn_body_def){.type = CN_STATIC}, i).id) return false;
    return true;
}

const scene scene_growth_statics = {
    .name = "growth-statics",
    .title = "Growth: static boxes",
    .caption = "1,000 static boxes are added before each step, up to 100,000.",
    .view = {70, 40, 100},
    .steps = 100,
    .create = create_nothing,
    .before_step = add_static_boxes,
    .times_calls = true,
};

static bool create_and_destroy(scene_run *run) {
    cn_world *world = run->world;
    cn_body *bodies = run->memory;
    cn_hull box = cn_box(0.5f, 0.5f);
    for (int i = 0; i < TEMPORARY_BODIES; i++)
        if (!(bodies[i] = add_box(world, &box, (cn_body_def){0}, i)).id) return false;
    for (int i = 0; i < TEMPORARY_BODIES; i++)
        if (!cn_body_destroy(world, bodies[i])) return false;
    return true;
}

// The bodies are gone before the step, so a picture shows where they were.
static void draw_places(const scene_run *run, sketch *s) {
    const float corner = 0.5f;
    for (int i = 0; i < TEMPORARY_BODIES; i++) {
        vec2s p = place_box(i);
        const vec2s corners[] = {{{p.x - corner, p.y - corner}},
                                 {{p.x + corner, p.y - corner}},
                                 {{p.x + corner, p.y + corner}},
                                 {{p.x - corner, p.y + corner}}};
        sketch_polygon(s, corners, 4, (sketch_pen){INK_DIM, 0.5f, 0});
    }
    sketch_note(s, INK_DIM, "%.1f million bodies were here for a moment",
                (double)run->step * TEMPORARY_BODIES / 1e6);
}

const scene scene_growth_churn = {
    .name = "growth-churn",
    .title = "Growth: create and destroy",
    .caption = "10,000 bodies are created and destroyed before each step.",
    .view = {70, 70, 160},
    .steps = 100,
    .create = create_nothing,
    .before_step = create_and_destroy,
    .draw = draw_places,
    .memory_size = TEMPORARY_BODIES * sizeof(cn_body),
    .times_calls = true,
};
