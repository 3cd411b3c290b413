/* A net of small bodies, which ropes connect to their neighbours on four sides. It hangs from a few
 * hooks, and wind blows through it in gusts. A ball on an arm swings into its edge. The motor of
 * the arm only makes up for the energy that the swing loses. */
#include "scene.h"

enum { MOST_COLUMNS = 24, MOST_ROWS = 18, HOOKS = 4 };

#define WIDTH  7.2f // m, of the net
#define HEIGHT 5.0f // m, about
#define TOP    9.0f // m

enum { COLUMNS, WIND, LOAD };
static const scene_parameter parameters[] = {{"columns", 18, 8, MOST_COLUMNS, true, ""},
                                             {"wind", 5, 0, 15, false, "m/s"},
                                             {"density", 1, 0.2f, 5, false, "kg/m^2"},
                                             {0}};

enum { NET_CATEGORY = 2, BALL_CATEGORY = 4 };

typedef struct {
    int columns, rows;
    float spacing; // m
    cn_body knots[MOST_ROWS][MOST_COLUMNS];
    cn_shape wind;
    cn_joint arm;
} state;

// ---- the net

static cn_body add_knot(cn_world *world, vec2s place, float radius) {
    cn_body_def def = {.position = place, .linear_damping = 0.2f, .lock_rotation = true};
    cn_shape_def shape = {.hull = cn_circle(radius),
                          .density = 4,
                          .material = {.friction = 0.2f},
                          .filter = {.category = NET_CATEGORY, .mask = ~(uint64_t)NET_CATEGORY}};
    cn_body knot = cn_body_create(world, &def);
    return cn_shape_create(world, knot, &shape).id ? knot : (cn_body){0};
}

static bool tie(cn_world *world, cn_body a, cn_body b) {
    cn_joint_def def =
        cn_rope_joint(world, a, b, cn_body_position(world, a), cn_body_position(world, b));
    return cn_joint_create(world, def).id;
}

static bool add_net(cn_world *world, state *s) {
    bool made = true;
    for (int row = 0; row < s->rows; row++)
        for (int i = 0; i < s->columns && made; i++) {
            vec2s place = {{(float)i * s->spacing - WIDTH / 2, TOP - (float)row * s->spacing}};
            cn_body knot = add_knot(world, place, 0.25f * s->spacing);
            s->knots[row][i] = knot;
            made = knot.id && (i == 0 || tie(world, s->knots[row][i - 1], knot)) &&
                   (row == 0 || tie(world, s->knots[row - 1][i], knot));
        }
    return made;
}

// The hooks are nearer to each other than the net is wide, so that it sags between them.
static bool hang_net(cn_world *world, state *s) {
    bool made = true;
    for (int i = 0; i < HOOKS && made; i++) {
        cn_body knot = s->knots[0][(s->columns - 1) * i / (HOOKS - 1)];
        vec2s place = cn_body_position(world, knot);
        cn_body hook = scene_add_body(world, CN_STATIC, 0.94f * place.x, TOP + 0.1f);
        cn_shape_def shape = {.hull = cn_circle(0.1f), .no_collision = true};
        cn_joint_def def = {.a = hook, .b = knot, .angle = {.mode = CN_FREE}};
        made = cn_shape_create(world, hook, &shape).id &&
               cn_body_set_pose(world, knot, cn_pose_at(cn_body_position(world, hook), 0)) &&
               cn_joint_create(world, def).id;
    }
    return made;
}

// ---- the ball and the wind

static bool add_ball(cn_world *world, state *s, float load) {
    vec2s pivot = {{-5.2f, 8.6f}};
    cn_body stand = scene_add_one(world, CN_STATIC, pivot.x, pivot.y, cn_circle(0.15f), 1);
    cn_body arm = cn_body_create(world, &(cn_body_def){.position = pivot, .angle = -1.2f});
    cn_hull ball = cn_circle(0.75f);
    cn_shape_def rod = {.hull = cn_capsule((vec2s){{0, -0.2f}}, (vec2s){{0, -4.4f}}, 0.06f),
                        .no_collision = true};
    cn_shape_def end = {.hull = cn_hull_at(ball, cn_pose_at((vec2s){{0, -5}}, 0)),
                        .density = load,
                        .material = {.friction = 0.2f},
                        .filter = {.category = BALL_CATEGORY}};
    if (!cn_shape_create(world, arm, &rod).id || !cn_shape_create(world, arm, &end).id)
        return false;
    cn_joint_def def = {.a = stand, .b = arm};
    def.angle = (cn_coordinate){.mode = CN_FREE, .motor = true, .max_motor_force = 3 * load};
    s->arm = cn_joint_create(world, def);
    return s->arm.id;
}

static cn_medium make_gust(float speed, int step) {
    float gust = cn_rotation_of(0.012f * (float)step).s;
    float flutter = cn_rotation_of(0.061f * (float)step).s;
    return (cn_medium){.linear_drag = 0.8f,
                       .flow = {{speed * (0.5f + 0.8f * gust), 0.25f * speed * flutter}}};
}

static bool add_wind(cn_world *world, state *s, float speed) {
    cn_body air = scene_add_body(world, CN_STATIC, 0.6f, 6.2f);
    cn_shape_def def = {.hull = cn_box(5.4f, 3.7f),
                        .sensor = true,
                        .medium = make_gust(speed, 0),
                        .filter = {.mask = NET_CATEGORY}};
    s->wind = cn_shape_create(world, air, &def);
    return s->wind.id;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    s->columns = (int)run->values[COLUMNS];
    s->spacing = WIDTH / (float)(s->columns - 1);
    s->rows = 1 + (int)(HEIGHT / s->spacing + 0.5f);
    return scene_add_one(world, CN_STATIC, 0, 0.5f, cn_box(16, 0.5f), 1).id && add_net(world, s) &&
           hang_net(world, s) && add_ball(world, s, run->values[LOAD]) &&
           add_wind(world, s, run->values[WIND]);
}

static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    const state *s = run->memory;
    float speed = cn_joint_rate(world, s->arm, CN_JOINT_ANGLE);
    return cn_joint_set_motor_speed(world, s->arm, CN_JOINT_ANGLE, speed < 0 ? -1.6f : 1.6f) &&
           cn_shape_set_medium(world, s->wind, make_gust(run->values[WIND], run->step));
}

// ---- the picture

// Draws a mesh of the net as two triangles, with its upper and left edge.
static void draw_mesh(const cn_world *world, const state *m, int row, int i, sketch *s) {
    vec2s a = cn_body_position(world, m->knots[row][i]);
    vec2s b = cn_body_position(world, m->knots[row][i + 1]);
    vec2s c = cn_body_position(world, m->knots[row + 1][i]);
    vec2s d = cn_body_position(world, m->knots[row + 1][i + 1]);
    sketch_pen area = {(row / 2 + i / 2) % 2 ? INK_BLUE : INK_ORANGE, 0.3f, 0};
    sketch_triangle(s, a, b, c, area);
    sketch_triangle(s, b, d, c, area);
}

static void draw(const scene_run *run, sketch *s) {
    const state *m = run->memory;
    const cn_world *world = run->world;
    const sketch_pen thread = {INK_TEXT, 0.55f, 1.25f};
    for (int row = 0; row < m->rows; row++)
        for (int i = 0; i < m->columns; i++) {
            vec2s here = cn_body_position(world, m->knots[row][i]);
            bool is_last = i + 1 == m->columns, is_lowest = row + 1 == m->rows;
            if (!is_last && !is_lowest) draw_mesh(world, m, row, i, s);
            if (!is_last)
                sketch_line(s, here, cn_body_position(world, m->knots[row][i + 1]), thread);
            if (!is_lowest)
                sketch_line(s, here, cn_body_position(world, m->knots[row + 1][i]), thread);
        }
}

const scene scene_cloth = {
    .name = "cloth",
    .title = "Cloth in the wind",
    .caption =
        "Ropes connect small bodies to form a net. Wind lifts it, and a ball pushes it aside.",
    .view = {-1.2f, 5.4f, 11.2f},
    .width = 20,
    .gravity = {{0, -10}},
    .steps = 900,
    .parameters = parameters,
    .create = create,
    .before_step = before_step,
    .draw = draw,
    .memory_size = sizeof(state),
};
