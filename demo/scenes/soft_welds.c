/* Soft welds. In the tree, a weld joint connects each branch to its parent branch: the joint is
 * rigid in position, and a spring holds the angle. In the cloth, weld joints with springs in all
 * three coordinates connect each node to its neighbours on the left and above. */
#include "scene.h"

#define PI 3.14159265358979f

enum { WIDTH = 16, HEIGHT = 14, DEPTH = 3 };

typedef struct {
    vec2s root;
    float angle, length, radius;
    int depth; // levels of branches to add on this one
} branch;

static cn_body add_branch(cn_world *world, cn_body parent, const branch *b) {
    cn_body_def def = {.position = b->root, .angle = b->angle, .angular_damping = 0.2f};
    cn_body body = cn_body_create(world, &def);
    cn_shape_def shape = {
        .hull = cn_capsule((vec2s){{0, 0}}, (vec2s){{b->length, 0}}, b->radius),
        .filter = {.category = 2, .mask = ~(uint64_t)2}}; // branches pass through each other
    cn_joint_def weld = cn_weld_joint(world, parent, body, b->root);
    float hertz = b->depth == DEPTH ? 5 : 7.5f; // of the trunk, and of the other branches
    weld.angle = (cn_coordinate){.mode = CN_FREE, .hertz = hertz, .damping_ratio = 0.08f};
    bool made = cn_shape_create(world, body, &shape).id && cn_joint_create(world, weld).id;
    return made ? body : (cn_body){0};
}

static bool add_tree(cn_world *world, cn_body parent, branch b) {
    cn_body body = add_branch(world, parent, &b);
    if (!body.id) return false;
    cn_rotation r = cn_rotation_of(b.angle);
    b.root = glms_vec2_muladds((vec2s){{r.c, r.s}}, b.length, b.root);
    b.length *= 0.72f;
    b.radius *= 0.62f;
    if (b.depth-- == 0) return true;
    for (int i = -1; i <= 1; i++) {
        branch next = b;
        next.angle += 0.62f * (float)i + 0.06f;
        if (!add_tree(world, body, next)) return false;
    }
    return true;
}

static bool connect(cn_world *world, cn_body a, cn_body b) {
    vec2s middle = glms_vec2_lerp(cn_body_position(world, a), cn_body_position(world, b), 0.5f);
    cn_joint_def weld = cn_weld_joint(world, a, b, middle);
    weld.x = weld.y = (cn_coordinate){.mode = CN_FREE, .hertz = 12, .damping_ratio = 0.5f};
    weld.angle = (cn_coordinate){.mode = CN_FREE, .hertz = 4, .damping_ratio = 0.5f};
    return cn_joint_create(world, weld).id != 0;
}

// Adds a cloth that hangs by its top row. Every fifth node of this row is static.
static bool add_cloth(cn_world *world, float x, float y) {
    cn_body above[WIDTH] = {{0}};
    for (int i = 0; i < HEIGHT; i++) {
        cn_body left = {0};
        for (int k = 0; k < WIDTH; k++) {
            bool is_static = i == 0 && k % 5 == 0;
            cn_body node =
                scene_add_one(world, is_static ? CN_STATIC : CN_DYNAMIC, x + 0.42f * (float)k,
                              y - 0.42f * (float)i, cn_box(0.17f, 0.17f), 1);
            if (!node.id || (i > 0 && !connect(world, above[k], node)) ||
                (k > 0 && !connect(world, left, node)))
                return false;
            above[k] = left = node;
        }
    }
    return true;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    cn_body ground = scene_add_one(world, CN_STATIC, 0, -0.5f, cn_box(20, 0.5f), 1);
    branch trunk = {
        .root = {{-5, 0}}, .angle = PI / 2, .length = 2.3f, .radius = 0.22f, .depth = DEPTH};
    cn_body balls[] = {scene_add_one(world, CN_DYNAMIC, 11, 3.5f, cn_circle(0.7f), 3),
                       scene_add_one(world, CN_DYNAMIC, -11, 4, cn_circle(0.5f), 1)};
    cn_body walls[] = {scene_add_one(world, CN_STATIC, -13, 1, cn_box(0.5f, 2), 1),
                       scene_add_one(world, CN_STATIC, 13, 1, cn_box(0.5f, 2), 1)};
    return walls[0].id && walls[1].id && add_tree(world, ground, trunk) &&
           add_cloth(world, 1, 8.5f) && cn_body_set_velocity(world, balls[0], (vec2s){{-9, 5}}) &&
           cn_body_set_velocity(world, balls[1], (vec2s){{9, 5}});
}

const scene scene_soft_welds = {
    .name = "soft-welds",
    .title = "Soft welds",
    .caption = "A tree and a cloth. Their weld joints have springs and are not rigid.",
    .view = {0, 4.6f, 12},
    .width = 27.5f,
    .gravity = {{0, -10}},
    .steps = 60,
    .create = create,
};
