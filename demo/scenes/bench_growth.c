/* The scenes of the benchmark about growth: what must not cost more because a world is large.
 *
 *     growth_10000      boxes in stacks of ten, as the small worlds have: the same time per body
 *     growth_sleepers   one mover beside 100,000 sleeping boxes: no more than one mover alone
 *     growth_statics    1,000 static boxes come one by one before each step
 *     growth_churn      10,000 bodies come and go before each step, which sees none of them */
#include "../scene.h"

enum { SLEEPERS = 100000, STATICS = 100000, STATICS_PER_STEP = 1000, PASSERS = 10000, ROW = 100 };

// Box number i of many that lie apart, in rows.
static cn_body add_box(cn_world *world, const cn_hull *box, cn_body_def def, int i) {
    def.position = (vec2s){{1.5f * (float)(i % ROW), 1.5f * (float)(i / ROW)}};
    cn_body body = cn_body_create(world, &def);
    cn_shape_create(world, body, &(cn_shape_def){.hull = *box});
    return body;
}

static bool create_sleepers(cn_world *world, void *memory) {
    (void)memory;
    cn_hull box = cn_box(0.5f, 0.5f);
    for (int i = 0; i < SLEEPERS; i++)
        if (!add_box(world, &box, (cn_body_def){.asleep = true}, i).id) return false;
    cn_body_def def = {.position = {{-10, 0}}, .velocity = {{0, 1}}};
    cn_shape_def ball = {.hull = cn_circle(0.5f)};
    return cn_shape_create(world, cn_body_create(world, &def), &ball).id != 0;
}

const scene scene_growth_sleepers = {
    .name = "growth_sleepers",
    .title = "Growth: sleepers",
    .about = "One ball passes 100,000 sleeping boxes, which cost it nothing.",
    .view = {40, 40, 100},
    .steps = 1000,
    .create = create_sleepers,
};

static bool create_nothing(cn_world *world, void *memory) {
    (void)world, (void)memory;
    return true;
}

static bool add_statics(cn_world *world, void *memory, int step) {
    (void)memory;
    cn_hull box = cn_box(0.5f, 0.5f);
    int first = step * STATICS_PER_STEP;
    for (int i = first; i < first + STATICS_PER_STEP && i < STATICS; i++)
        if (!add_box(world, &box, (cn_body_def){.type = CN_STATIC}, i).id) return false;
    return true;
}

const scene scene_growth_statics = {
    .name = "growth_statics",
    .title = "Growth: static boxes",
    .about = "1,000 static boxes more in each step, to 100,000.",
    .view = {70, 40, 100},
    .steps = 100,
    .create = create_nothing,
    .before_step = add_statics,
    .is_about_calls = true,
};

static bool pass_through(cn_world *world, void *memory, int step) {
    cn_body *bodies = memory;
    cn_hull box = cn_box(0.5f, 0.5f);
    (void)step;
    for (int i = 0; i < PASSERS; i++)
        if (!(bodies[i] = add_box(world, &box, (cn_body_def){0}, i)).id) return false;
    for (int i = 0; i < PASSERS; i++)
        if (!cn_body_destroy(world, bodies[i])) return false;
    return true;
}

const scene scene_growth_churn = {
    .name = "growth_churn",
    .title = "Growth: come and go",
    .about = "10,000 bodies are created and destroyed before each step.",
    .view = {70, 70, 160},
    .steps = 100,
    .create = create_nothing,
    .before_step = pass_through,
    .memory_size = PASSERS * sizeof(cn_body),
    .is_about_calls = true,
};
