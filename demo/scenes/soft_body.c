/* Soft bodies: rings of small circles. Bars keep neighbours apart, and springs across the ring act
 * like the pressure of what is inside. The bodies fall down a flight of stairs. Each one that
 * leaves at the bottom starts again at the top. */
#include "scene.h"

enum { MOST_BODIES = 5, NODES = 20, STAIRS = 5, STEPS_DOWN = 400, FEWEST_STEPS_BETWEEN = 90 };

static const float ring = 1.25f, node = 0.2f;           // m, radii
static const float tread = 4.4f, rise = 1.9f;           // m, of a stair
static const float right_end = 11.5f, top_stair = 7.6f; // m

enum { STIFFNESS, DAMPING, BODIES };
static const scene_parameter parameters[] = {{"stiffness", 2, 0.8f, 12, false, "Hz"},
                                             {"damping", 0.2f, 0, 1, false, ""},
                                             {"bodies", 3, 1, MOST_BODIES, true, ""},
                                             {0}};

typedef struct {
    cn_body nodes[NODES]; // counter-clockwise
    bool exists;
} jelly;

typedef struct {
    jelly jellies[MOST_BODIES];
    int last_start; // step
    scene_random random;
} state;

// ---- the stairs

// The treads fall a little to the left, so that nothing stays on them.
static bool add_stairs(cn_world *world) {
    cn_body body = scene_add_body(world, CN_STATIC, 0, 0);
    bool made = true;
    for (int i = 0; i < STAIRS && made; i++) {
        float right = right_end - tread * (float)i, top = top_stair - rise * (float)i;
        float left = right - tread;
        const vec2s corners[] = {
            {{left, -2}}, {{right, -2}}, {{right, top}}, {{left, top - 0.45f}}};
        made = scene_add_hull(world, body, cn_polygon(corners, 4, 0), 0.6f, 1).id;
    }
    cn_hull wall = cn_box(0.3f, 4);
    wall = cn_hull_at(wall, cn_pose_at((vec2s){{right_end + 0.3f, top_stair + 1.5f}}, 0));
    return made && scene_add_hull(world, body, wall, 0.6f, 1).id;
}

// ---- a soft body

static bool add_bar(cn_world *world, const jelly *j, int a, int b) {
    vec2s p = cn_body_position(world, j->nodes[a]), q = cn_body_position(world, j->nodes[b]);
    cn_joint_def def = cn_distance_joint(world, j->nodes[a], j->nodes[b], p, q);
    return cn_joint_create(world, def).id;
}

static bool add_spring(cn_world *world, const jelly *j, int a, int b, const float *values) {
    vec2s p = cn_body_position(world, j->nodes[a]), q = cn_body_position(world, j->nodes[b]);
    cn_joint_def def = cn_spring_joint(world, j->nodes[a], j->nodes[b], p, q);
    def.x.hertz = values[STIFFNESS];
    def.x.damping_ratio = values[DAMPING];
    def.collide_connected = true; // so that the sides of a ring that is pressed flat meet
    return cn_joint_create(world, def).id;
}

// Each node has springs to nodes that are 2 places, a third and a half of the ring away.
static bool add_springs(cn_world *world, const jelly *j, const float *values) {
    bool made = true;
    for (int i = 0; i < NODES && made; i++)
        made = add_bar(world, j, i, (i + 1) % NODES) &&
               add_spring(world, j, i, (i + 2) % NODES, values) &&
               add_spring(world, j, i, (i + NODES / 3) % NODES, values) &&
               (i >= NODES / 2 || add_spring(world, j, i, i + NODES / 2, values));
    return made;
}

static bool add_jelly(cn_world *world, jelly *j, scene_random *random, const float *values) {
    bool made = true;
    float turn = scene_random_range(random, 0, 6), speed = scene_random_range(random, -3, -1.5f);
    vec2s middle = {{right_end - 1.8f, top_stair + scene_random_range(random, 2.5f, 3.8f)}};
    for (int i = 0; i < NODES && made; i++) {
        cn_rotation r = cn_rotation_of(turn + 2 * 3.14159265f * (float)i / NODES);
        cn_body_def def = {.position = {{middle.x + ring * r.c, middle.y + ring * r.s}},
                           .velocity = {{speed, 0}}};
        j->nodes[i] = cn_body_create(world, &def);
        made = scene_add_hull(world, j->nodes[i], cn_circle(node), 0.6f, 2).id;
    }
    j->exists = true;
    return made && add_springs(world, j, values);
}

static vec2s find_middle(const cn_world *world, const jelly *j) {
    vec2s sum = {{0, 0}};
    for (int i = 0; i < NODES; i++) sum = glms_vec2_add(sum, cn_body_position(world, j->nodes[i]));
    return glms_vec2_scale(sum, 1.0f / NODES);
}

static bool remove_jelly(cn_world *world, jelly *j) {
    bool done = true;
    for (int i = 0; i < NODES; i++) done &= cn_body_destroy(world, j->nodes[i]);
    j->exists = false;
    return done;
}

// ---- steps

static bool create(scene_run *run) {
    state *s = run->memory;
    s->random.state = 5;
    s->last_start = -STEPS_DOWN;
    return add_stairs(run->world);
}

static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    int count = (int)run->values[BODIES], wait = STEPS_DOWN / (count + 1);
    if (wait < FEWEST_STEPS_BETWEEN) wait = FEWEST_STEPS_BETWEEN;
    bool done = true;
    for (int i = 0; i < count && done; i++) {
        jelly *j = &s->jellies[i];
        if (j->exists && find_middle(world, j).y < -5) done = remove_jelly(world, j);
        if (j->exists || run->step - s->last_start < wait) continue;
        s->last_start = run->step;
        done = done && add_jelly(world, j, &s->random, run->values);
    }
    return done;
}

// ---- the picture

// Returns the point of the outline at a node: on the side that is away from its neighbours.
static vec2s find_rim(const cn_world *world, const jelly *j, int i) {
    vec2s before = cn_body_position(world, j->nodes[(i + NODES - 1) % NODES]);
    vec2s after = cn_body_position(world, j->nodes[(i + 1) % NODES]);
    vec2s along = glms_vec2_normalize(glms_vec2_sub(after, before));
    return glms_vec2_add(cn_body_position(world, j->nodes[i]),
                         (vec2s){{node * along.y, -node * along.x}});
}

static void draw_eye(sketch *s, vec2s middle, vec2s axis, float side) {
    vec2s across = {{-axis.y, axis.x}};
    vec2s place = glms_vec2_muladds(axis, 0.3f, glms_vec2_muladds(across, side, middle));
    cn_hull white = cn_circle(0.17f), pupil = cn_circle(0.08f);
    sketch_hull(s, &white, cn_pose_at(place, 0), (sketch_pen){INK_WHITE, 1, 0});
    sketch_hull(s, &pupil, cn_pose_at((vec2s){{place.x + 0.05f, place.y - 0.03f}}, 0),
                (sketch_pen){INK_BLACK, 1, 0});
}

static void draw_jelly(const cn_world *world, const jelly *j, sketch_ink ink, sketch *s) {
    vec2s middle = find_middle(world, j), rim[NODES];
    for (int i = 0; i < NODES; i++) rim[i] = find_rim(world, j, i);
    for (int i = 0; i < NODES; i++) {
        vec2s next = rim[(i + 1) % NODES];
        sketch_triangle(s, middle, rim[i], next, (sketch_pen){ink, 0.75f, 0});
        sketch_line(s, rim[i], next, (sketch_pen){ink, 1, 2.5f});
    }
    vec2s axis = glms_vec2_normalize(glms_vec2_sub(rim[0], middle));
    draw_eye(s, middle, axis, 0.3f);
    draw_eye(s, middle, axis, -0.3f);
}

static void draw(const scene_run *run, sketch *s) {
    static const sketch_ink inks[MOST_BODIES] = {INK_GREEN, INK_PINK, INK_YELLOW, INK_BLUE,
                                                 INK_ORANGE};
    const state *m = run->memory;
    for (int i = 0; i < MOST_BODIES; i++)
        if (m->jellies[i].exists) draw_jelly(run->world, &m->jellies[i], inks[i], s);
}

const scene scene_soft_body = {
    .name = "soft-body",
    .title = "Soft bodies",
    .caption = "Springs keep rings of circles round. The rings bounce down a flight of stairs.",
    .view = {0, 4.6f, 14.5f},
    .width = 24,
    .gravity = {{0, -10}},
    .steps = 900,
    .parameters = parameters,
    .create = create,
    .before_step = before_step,
    .draw = draw,
    .memory_size = sizeof(state),
};
