/* A hammock of chain mail hangs between two posts. Rings and links alternate, and are connected by
 * revolute joints. At the start the hammock is an arc of a circle. A heap of shapes falls into the
 * hammock, and then a ball of a hundred times the mass of a ring. */
#include "any_shape.h"

#include <math.h>

enum { PIECES = 49, SHAPES = 28 }; // an even piece is a ring, an odd one a link

static const float ring = 0.15f, link = 0.22f;                 // m, half lengths
static const float span = 13, height = 7.5f, mass_ratio = 100; // m, m, ball / ring
static const float arc = 1.05f;                                // rad, half the angle of the arc

static cn_body add_piece(cn_world *world, vec2s from, vec2s to, bool is_ring) {
    vec2s middle = glms_vec2_lerp(from, to, 0.5f), half = glms_vec2_sub(to, middle);
    if (is_ring) return scene_add_one(world, CN_DYNAMIC, middle.x, middle.y, cn_circle(ring), 1);
    cn_hull hull = cn_capsule(glms_vec2_negate(half), half, 0.06f);
    return scene_add_one(world, CN_DYNAMIC, middle.x, middle.y, hull, 1);
}

static bool add_hinge(cn_world *world, cn_body a, cn_body b, vec2s point) {
    cn_joint_def hinge = cn_revolute_joint(world, a, b, point);
    return cn_joint_create(world, hinge).id != 0;
}

// Returns a point of the arc, at a fraction of its length.
static vec2s find_point(float fraction) {
    cn_rotation end = cn_rotation_of(arc), r = cn_rotation_of(arc * (2 * fraction - 1));
    float radius = span / 2 / end.s;
    return (vec2s){{radius * r.s, height + radius * (end.c - r.c)}};
}

static bool add_hammock(cn_world *world, cn_body posts) {
    const float whole = ring * (PIECES + 1) + link * (PIECES - 1);
    cn_body last = posts;
    vec2s from = find_point(0);
    float passed = 0;
    for (int i = 0; i < PIECES; i++) {
        passed += 2 * (i % 2 ? link : ring);
        vec2s to = find_point(passed / whole);
        cn_body next = add_piece(world, from, to, i % 2 == 0);
        if (!next.id || !add_hinge(world, last, next, from)) return false;
        last = next;
        from = to;
    }
    return add_hinge(world, last, posts, from);
}

static cn_body add_posts(cn_world *world) {
    cn_body posts = scene_add_body(world, CN_STATIC, 0, 0);
    for (int i = -1; i <= 1; i += 2) {
        cn_hull post = cn_box(0.4f, height / 2 + 0.2f);
        post = cn_hull_at(post, cn_pose_at((vec2s){{(span / 2 + 0.4f) * (float)i, height / 2}}, 0));
        if (!scene_add_hull(world, posts, post, 0.6f, 1).id) return (cn_body){0};
    }
    return posts;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    scene_random random = {3};
    cn_body posts = add_posts(world);
    bool made = posts.id && add_hammock(world, posts) &&
                scene_add_one(world, CN_STATIC, 0, -0.5f, cn_box(20, 0.5f), 1).id;
    for (int i = 0; i < SHAPES && made; i++) {
        float x = -3.3f + 1.1f * (float)(i % 7), y = 6 + 1.1f * (float)(i / 7);
        made = add_any_shape(world, &random, x, y, 0.42f);
    }
    cn_hull ball = cn_circle(0.9f), circle = cn_circle(ring);
    float mass = mass_ratio * cn_hull_mass_data(circle, 1).mass;
    return made &&
           scene_add_one(world, CN_DYNAMIC, 0.3f, 11, ball, mass / cn_hull_mass_data(ball, 1).mass)
               .id;
}

const scene scene_hammock = {
    .name = "hammock",
    .title = "Hammock",
    .caption = "Chain mail of rings and links. The ball weighs a hundred times as much as a ring.",
    .view = {0, 6.2f, 14.6f},
    .width = 20,
    .gravity = {{0, -10}},
    .overlays = CN_DRAW_JOINTS,
    .create = create,
};
