/* Shared by the tests of joints that connect many bodies: chains that hang from static bodies. */
#ifndef TESTS_CHAINS_H
#define TESTS_CHAINS_H

#include "joints.h"
#include "sleepers.h"

enum { LINKS = 50, MOST_LINKS = 60 };

typedef struct {
    cn_world *world;
    cn_body anchor, links[MOST_LINKS];
    cn_joint joints[MOST_LINKS];
    int count;
} chain;

// Links of 1 kg and 1 m that do not collide and hang straight down.
static inline void hang_chain(chain *c, cn_world *world, int count) {
    *c = (chain){.world = world, .anchor = add_anchor(world, 0, 0), .count = count};
    cn_shape_def shape = {
        .hull = cn_box(0.125f, 0.5f), .density = 4, .filter = {.group = -1, .category = 1}};
    for (int i = 0; i < count; i++) {
        c->links[i] = add(world, (cn_body_def){.position = point(0, -0.5 - i)}, shape);
        cn_body above = i ? c->links[i - 1] : c->anchor;
        c->joints[i] = join(world, cn_revolute_joint(world, above, c->links[i], point(0, -i)));
    }
}

// Hangs a row of `links` links from the origin, with the same offset from each link to the next,
// and a ball at the end. Revolute joints connect them where they meet, and they do not collide.
// Returns the ball.
static inline cn_body hang_loaded_chain(cn_world *world, int links, vec2s offset, cn_shape_def link,
                                        cn_shape_def ball) {
    cn_body last = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    link.filter = ball.filter = (cn_filter){.group = -1};
    for (int k = 0; k <= links; k++) {
        vec2s joint = glms_vec2_scale(offset, (float)k);
        float fraction = k < links ? 0.5f : ball.hull.radius / glms_vec2_norm(offset);
        cn_body_def def = {.position = glms_vec2_add(joint, glms_vec2_scale(offset, fraction))};
        cn_body next = add(world, def, k < links ? link : ball);
        cn_joint_def hinge = cn_revolute_joint(world, last, next, joint);
        assert_done(cn_joint_create(world, hinge).id != 0);
        last = next;
    }
    return last;
}

#endif
