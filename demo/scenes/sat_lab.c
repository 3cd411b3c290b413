/* Two hulls on static bodies, which stay where the mouse puts them. The collision toolkit of the
 * engine computes the rest of the picture from their poses (demo/lab). */
#include "sat_lab.h"

static cn_hull make_circle(void) { return cn_circle(1.7f); }
static cn_hull make_capsule(void) {
    return cn_capsule((vec2s){{-1.6f, 0}}, (vec2s){{1.6f, 0}}, 0.9f);
}
static cn_hull make_segment(void) { return cn_segment((vec2s){{-2.4f, 0}}, (vec2s){{2.4f, 0}}); }
static cn_hull make_box(void) { return cn_box(2.1f, 1.3f); }
static cn_hull make_rounded_box(void) { return cn_rounded_box(1.6f, 0.9f, 0.45f); }
static cn_hull make_triangle(void) { return cn_regular_polygon(3, 2.3f); }
static cn_hull make_square(void) { return cn_regular_polygon(4, 2.2f); }
static cn_hull make_pentagon(void) { return cn_regular_polygon(5, 2.1f); }
static cn_hull make_hexagon(void) { return cn_regular_polygon(6, 2.1f); }
static cn_hull make_heptagon(void) { return cn_regular_polygon(7, 2.1f); }
static cn_hull make_octagon(void) { return cn_regular_polygon(8, 2.1f); }
static cn_hull make_rounded_polygon(void) {
    cn_hull core = cn_regular_polygon(5, 1.6f);
    return cn_polygon(core.vertices, core.count, 0.5f);
}

static const struct {
    const char *name;
    cn_hull (*make)(void);
} hulls[] = {
    {"circle", make_circle},           {"capsule", make_capsule},
    {"segment", make_segment},         {"box", make_box},
    {"rounded box", make_rounded_box}, {"triangle", make_triangle},
    {"square", make_square},           {"pentagon", make_pentagon},
    {"hexagon", make_hexagon},         {"heptagon", make_heptagon},
    {"octagon", make_octagon},         {"rounded pentagon", make_rounded_polygon},
};
enum { HULLS = sizeof hulls / sizeof *hulls, BOX = 3, PENTAGON = 7 };

int sat_lab_hull_count(void) { return HULLS; }

const char *sat_lab_hull_name(int index) { return hulls[index].name; }

bool sat_lab_set_hull(cn_world *world, sat_lab *lab, int side, int index) {
    cn_hull hull = hulls[index].make();
    if (!cn_shape_set_hull(world, lab->shapes[side], hull)) return false;
    lab->hulls[side] = index;
    return true;
}

static bool add_side(cn_world *world, sat_lab *lab, int side, int index, vec2s position,
                     float angle) {
    cn_body body = cn_body_create(
        world, &(cn_body_def){.type = CN_STATIC, .position = position, .angle = angle});
    cn_shape shape = cn_shape_create(world, body, &(cn_shape_def){.hull = hulls[index].make()});
    lab->bodies[side] = body;
    lab->shapes[side] = shape;
    lab->hulls[side] = index;
    return shape.id != 0;
}

enum { HULL_A, A_ANGLE, HULL_B, B_X, B_Y, B_ANGLE, LESSON };
static const scene_parameter parameters[] = {
    {"hull-a", BOX, 0, HULLS - 1, true, ""},
    {"a-angle", 0.2f, -3.14f, 3.14f, false, "rad"},
    {"hull-b", PENTAGON, 0, HULLS - 1, true, ""},
    {"b-x", 1.65f, -5, 5, false, "m"},
    {"b-y", 1.1f, -4, 4, false, "m"},
    {"b-angle", 0.42f, -3.14f, 3.14f, false, "rad"},
    {"explain", 0, 0, SAT_LAB_LESSONS, true, ""},
    {.name = NULL},
};

static bool create(scene_run *run) {
    const float *v = run->values;
    sat_lab *lab = run->memory;
    lab->chosen = 1;
    lab->lesson = (int)v[LESSON];
    return add_side(run->world, lab, 0, (int)v[HULL_A], (vec2s){{-1.4f, -0.3f}}, v[A_ANGLE]) &&
           add_side(run->world, lab, 1, (int)v[HULL_B], (vec2s){{v[B_X], v[B_Y]}}, v[B_ANGLE]);
}

const scene scene_sat_lab = {
    .name = "sat-lab",
    .title = "SAT lab",
    .caption = "Two hulls, their projections on every axis, and the contact that results.",
    .view = {2.4f, 0, 11},
    .parameters = parameters,
    .create = create,
    .hides_bodies = true,
    .steps = 1,
    .memory_size = sizeof(sat_lab),
};
