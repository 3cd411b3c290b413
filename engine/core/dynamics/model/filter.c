/* Which shapes may collide: their filters, their bodies and, if one of the two shapes has
 * CN_SHAPE_CUSTOM_FILTER, the user's filter decide. A shape with CN_SHAPE_NO_COLLISION never does.
 *
 * Equal groups other than 0 decide alone: the shapes collide if the group is positive. Else each
 * shape's category must be in the mask of the other. Joints and one-way shapes are tested only for
 * pairs that are near enough to touch (pairs/one_way.c). */
#include "model.h"

bool cn_filter_agrees(const cn_filter *a, const cn_filter *b) {
    if (a->group == b->group && a->group != 0) return a->group > 0;
    return (a->category & b->mask) && (b->category & a->mask);
}

// The user's filter is called only for a pair with a shape that says so. It gets the shape in the
// lower slot first: which of the two shapes found the other depends on the trees, and so on the
// history of the world, which is not saved.
static bool user_agrees(const cn_simulation *sim, uint32_t flags, int shape_a, int shape_b) {
    return !sim->filter || !(flags & CN_SHAPE_CUSTOM_FILTER) ||
           sim->filter(sim->callback_context, cn_min_int(shape_a, shape_b),
                       cn_max_int(shape_a, shape_b));
}

bool cn_filters_agree(const cn_simulation *sim, int shape_a, int shape_b) {
    uint32_t flags = sim->shapes[shape_a].flags | sim->shapes[shape_b].flags;
    return !(flags & CN_SHAPE_NO_COLLISION) &&
           sim->links[shape_a].body != sim->links[shape_b].body &&
           cn_filter_agrees(&cn_rare_of(sim, shape_a)->filter, &cn_rare_of(sim, shape_b)->filter) &&
           user_agrees(sim, flags, shape_a, shape_b);
}

bool cn_should_collide(const cn_simulation *sim, int shape_a, int shape_b) {
    int a = sim->links[shape_a].body, b = sim->links[shape_b].body;
    if (!cn_is_dynamic(&sim->hot[a]) && !cn_is_dynamic(&sim->hot[b])) return false;
    bool sensor = (sim->shapes[shape_a].flags | sim->shapes[shape_b].flags) & CN_SHAPE_SENSOR;
    return !sensor && cn_filters_agree(sim, shape_a, shape_b);
}
