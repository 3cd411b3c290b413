/* The benchmark scenes with joints: a net of revolute joints, an endless rain of ragdolls, and
 * boxes in a box that a motor turns. They too are scenes of Box2D 3.2 (see bench_contacts.c). */
#include "ragdoll.h"

#define PI 3.14159265358979f

// -------------------------------------------------------------------------------------- joint_grid

enum { GRID = 100 };

typedef struct {
    cn_body bodies[GRID][GRID];
} grid_memory;

static cn_body add_node(cn_world *world, int k, int i) {
    bool is_static = k >= GRID / 2 - 3 && k <= GRID / 2 + 3 && i == 0;
    cn_body body = scene_add_body(world, is_static ? CN_STATIC : CN_DYNAMIC, (float)k, (float)-i);
    cn_shape_def shape = {.hull = cn_circle(0.4f), .filter = {.category = 2, .mask = ~(uint64_t)2}};
    return cn_shape_create(world, body, &shape).id ? body : (cn_body){0};
}

// Connects b to a at the point half way between them. The point is at (x, y) in the frame of a.
static bool connect(cn_world *world, cn_body a, cn_body b, float x, float y) {
    cn_joint_def def = {.a = a,
                        .b = b,
                        .frame_a = {.position = {{x, y}}},
                        .frame_b = {.position = {{-x, -y}}},
                        .angle = {.mode = CN_FREE}};
    return cn_joint_create(world, def).id != 0;
}

static bool create_grid(scene_run *run) {
    cn_world *world = run->world;
    grid_memory *grid = run->memory;
    for (int k = 0; k < GRID; k++) {
        for (int i = 0; i < GRID; i++) {
            cn_body node = grid->bodies[k][i] = add_node(world, k, i);
            if (!node.id || (i > 0 && !connect(world, grid->bodies[k][i - 1], node, 0, -0.5f)) ||
                (k > 0 && !connect(world, grid->bodies[k - 1][i], node, 0.5f, 0)))
                return false;
        }
    }
    return true;
}

const scene scene_joint_grid = {
    .name = "joint-grid",
    .title = "Joint grid",
    .caption = "A net of 10,000 circles and 19,800 revolute joints.",
    .view = {50, -50, 130},
    .gravity = {{0, -10}},
    .no_sleep = true,
    .steps = 500,
    .create = create_grid,
    .memory_size = sizeof(grid_memory),
};

// -------------------------------------------------------------------------------------------- rain

enum { FLOORS = 5, TILES = 501, COLUMNS = 40, DOLLS = 5, STEPS_BETWEEN = 8 };

typedef struct {
    ragdoll dolls[COLUMNS][FLOORS][DOLLS];
} rain_memory;

static bool create_rain(scene_run *run) {
    cn_world *world = run->world;
    cn_body ground = scene_add_body(world, CN_STATIC, 0, 0);
    cn_hull tile = cn_box(0.25f, 0.25f);
    for (int i = 0; i < FLOORS; i++) {
        for (int j = 0; j < TILES; j++) {
            vec2s place = {{0.5f * (float)(j - TILES / 2), 45 * (float)i}};
            cn_shape_def def = {.hull = cn_hull_at(tile, cn_pose_at(place, 0))};
            if (!cn_shape_create(world, ground, &def).id) return false;
        }
    }
    return true;
}

// Adds a column of ragdolls. When all columns are full, it replaces the oldest column.
static bool replace_dolls(scene_run *run) {
    cn_world *world = run->world;
    int step = run->step;
    rain_memory *rain = run->memory;
    if (step % STEPS_BETWEEN != 0) return true;
    int wave = step / STEPS_BETWEEN, column = wave % COLUMNS;
    for (int i = 0; i < FLOORS; i++) {
        ragdoll *group = rain->dolls[column][i];
        for (int k = 0; k < DOLLS && wave >= COLUMNS; k++)
            if (!ragdoll_destroy(world, &group[k])) return false;
        for (int k = 0; k < DOLLS; k++) {
            float x = -125 + 6.25f * ((float)column + 0.5f) + 0.5f * (float)k;
            if (!ragdoll_add(world, &group[k], x, 40 + 45 * (float)i, k + 1)) return false;
        }
    }
    return true;
}

const scene scene_rain = {
    .name = "rain",
    .title = "Rain of ragdolls",
    .caption =
        "Ragdolls rain onto five floors. When there are a thousand, new ones replace the oldest.",
    .view = {0, 110, 230},
    .gravity = {{0, -10}},
    .steps = 1000,
    .create = create_rain,
    .before_step = replace_dolls,
    .memory_size = sizeof(rain_memory),
};

// ----------------------------------------------------------------------------------------- tumbler

static cn_hull offset_box(float half_width, float half_height, float x, float y) {
    cn_hull box = cn_box(half_width, half_height);
    return cn_hull_at(box, cn_pose_at((vec2s){{x, y}}, 0));
}

static bool add_drum(cn_world *world) {
    cn_body ground = scene_add_body(world, CN_STATIC, 0, 0);
    cn_body drum = scene_add_body(world, CN_DYNAMIC, 0, 10);
    const cn_hull walls[] = {offset_box(0.5f, 10, 10, 0), offset_box(0.5f, 10, -10, 0),
                             offset_box(10, 0.5f, 0, 10), offset_box(10, 0.5f, 0, -10)};
    for (int i = 0; i < 4; i++)
        if (!cn_shape_create(world, drum, &(cn_shape_def){.hull = walls[i], .density = 50}).id)
            return false;
    cn_joint_def motor = cn_revolute_joint(world, ground, drum, (vec2s){{0, 10}});
    motor.angle = (cn_coordinate){
        .mode = CN_FREE, .motor = true, .motor_speed = 25 * PI / 180, .max_motor_force = 1e8f};
    return cn_joint_create(world, motor).id != 0;
}

static bool create_tumbler(scene_run *run) {
    cn_world *world = run->world;
    if (!add_drum(world)) return false;
    cn_shape_def def = {.hull = cn_box(0.125f, 0.125f)};
    for (int i = 0; i < 45; i++) {
        for (int j = 0; j < 45; j++) {
            float x = -9 + 0.4f * (float)j, y = 1 + 0.4f * (float)i;
            cn_body box = scene_add_body(world, CN_DYNAMIC, x, y);
            if (!cn_shape_create(world, box, &def).id) return false;
        }
    }
    return true;
}

const scene scene_tumbler = {
    .name = "tumbler",
    .title = "Tumbler (large)",
    .caption = "A motor turns a heavy box that holds 2,025 small boxes.",
    .view = {0, 10, 32},
    .gravity = {{0, -10}},
    .steps = 750,
    .create = create_tumbler,
};
