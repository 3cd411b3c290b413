/* Calls of Cairn 0.1 that need a person. */
#include <cairn.h>

static bool pass(cn_world *world, cn_shape a, cn_shape b, void *user) { return a.id != b.id; }

void look(cn_world *world, cn_body ground, cn_chain_def points, cn_filter filter) {
    const cn_chain chain = cn_chain_create(world, ground, &points);
    cn_body_set_speed_limit(world, chain.body, 3);
    cn_query query = {.any = true};
    query.filter = filter;
    cn_world_set_callbacks(world, (cn_callbacks){.filter = pass});
    cn_shape_set_filter(world, cn_chain_next_segment(world, chain, (cn_shape){0}), (cn_filter){.mask = 0});
}
