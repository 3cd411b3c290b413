/* A house of cards. Friction alone keeps it standing.
 *
 * A card of half length a and half thickness t leans by the angle q. It extends
 * e = a sin q + t cos q from its centre along x, and f = a cos q + t sin q along y. Two cards meet
 * at the apex, so their centres are e to the left and right of it, and f above the floor. A level
 * is 2 f high, plus 2 t for the flat cards on it. The distance between apexes is slightly more than
 * the length of a card. So the flat cards meet on the apexes, and each apex above stands over the
 * middle of a flat card. */
#include "scene.h"

static const float a = 1, t = 0.04f, lean = 0.42f;

static bool add_card(cn_world *world, float x, float y, float angle) {
    cn_body card = cn_body_create(world, &(cn_body_def){.position = {{x, y}}, .angle = angle});
    return scene_add_hull(world, card, cn_box(a, t), 0.8f, 1).id != 0;
}

static bool add_level(cn_world *world, float floor, int frames) {
    cn_rotation q = cn_rotation_of(lean);
    float e = a * q.s + t * q.c, f = a * q.c + t * q.s, spacing = 2 * a + 0.02f;
    float right_angle = 1.57079633f;
    bool made = true;
    for (int i = 0; i < frames && made; i++) {
        float apex = ((float)i - (float)(frames - 1) / 2) * spacing;
        made = add_card(world, apex - e, floor + f, right_angle - lean) &&
               add_card(world, apex + e, floor + f, right_angle + lean) &&
               (i == 0 || add_card(world, apex - spacing / 2, floor + 2 * f + t, 0));
    }
    return made;
}

enum { LEVELS };
static const scene_parameter parameters[] = {
    {"levels", 6, 1, 7, true, ""},
    {.name = NULL},
};

static bool create(scene_run *run) {
    cn_world *world = run->world;
    cn_body ground = scene_add_body(world, CN_STATIC, 0, -5);
    bool made = scene_add_hull(world, ground, cn_box(40, 5), 0.8f, 1).id;
    cn_rotation q = cn_rotation_of(lean);
    float level = 2 * (a * q.c + t * q.s) + 2 * t;
    int levels = (int)run->values[LEVELS];
    for (int i = 0; i < levels && made; i++) made = add_level(world, level * (float)i, levels - i);
    return made;
}

const scene scene_card_house = {
    .name = "card-house",
    .title = "House of cards",
    .caption = "Only friction keeps the leaning cards from sliding apart.",
    .view = {0, 5.4f, 14},
    .gravity = {{0, -10}},
    .parameters = parameters,
    .create = create,
};
