/* Three pairs of hulls that turn. The picture shows their intersection, the points where their
 * outlines cross, and the shortest move that separates them. The bodies have no weight and collide
 * with nothing, so they stay where the mouse puts them. */
#include "scene.h"

enum { PAIRS = 3, MAX_CORNERS = 128, MAX_CROSSINGS = 32 };

#define TOLERANCE 0.002f // metres, greatest distance of an arc from its chords

typedef struct {
    cn_body bodies[PAIRS][2]; // A and B
} state;

static cn_hull make_rounded_triangle(void) {
    cn_hull core = cn_regular_polygon(3, 1.5f);
    return cn_polygon(core.vertices, core.count, 0.4f);
}

static cn_body add_hull(cn_world *world, vec2s place, float angle, cn_hull hull) {
    cn_body_def def = {.position = place,
                       .angle = angle,
                       .weightless = true,
                       .linear_damping = 8,
                       .no_sleep = true};
    cn_body body = cn_body_create(world, &def);
    cn_shape_def shape = {.hull = hull, .no_collision = true};
    return cn_shape_create(world, body, &shape).id ? body : (cn_body){0};
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    cn_hull capsule = cn_capsule((vec2s){{-1.7f, 0}}, (vec2s){{1.7f, 0}}, 0.7f);
    cn_hull hulls[PAIRS][2] = {{cn_box(2.2f, 1.1f), cn_regular_polygon(6, 1.9f)},
                               {cn_rounded_box(1.6f, 0.7f, 0.4f), cn_circle(1.4f)},
                               {capsule, make_rounded_triangle()}};
    for (int i = 0; i < PAIRS; i++) {
        float x = 8 * (float)(i - 1);
        s->bodies[i][0] = add_hull(world, (vec2s){{x - 0.7f, 0.9f}}, (float)i, hulls[i][0]);
        s->bodies[i][1] = add_hull(world, (vec2s){{x + 0.7f, 2.1f}}, (float)i, hulls[i][1]);
        if (!s->bodies[i][0].id || !s->bodies[i][1].id) return false;
    }
    return true;
}

// Sets the angular velocities again, because the mouse slows down the body that it drags.
static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    const state *s = run->memory;
    for (int i = 0; i < PAIRS; i++)
        if (!cn_body_set_angular_velocity(world, s->bodies[i][0], 0.35f) ||
            !cn_body_set_angular_velocity(world, s->bodies[i][1], -0.5f))
            return false;
    return true;
}

// ---- the picture

typedef struct {
    cn_hull a, b;
    cn_pose pose_a, pose_b;
} pair;

static pair read_pair(const scene_run *run, int i) {
    const state *m = run->memory;
    const cn_body *bodies = m->bodies[i];
    return (pair){
        cn_shape_hull(run->world, cn_body_next_shape(run->world, bodies[0], (cn_shape){0})),
        cn_shape_hull(run->world, cn_body_next_shape(run->world, bodies[1], (cn_shape){0})),
        cn_body_pose(run->world, bodies[0]), cn_body_pose(run->world, bodies[1])};
}

static void draw_intersection(sketch *s, const pair *p) {
    vec2s corners[MAX_CORNERS], label = p->pose_a.position;
    cn_mass_data exact;
    int count =
        cn_hull_clip(&p->a, p->pose_a, &p->b, p->pose_b, TOLERANCE, corners, MAX_CORNERS, &exact);
    if (count > MAX_CORNERS) count = MAX_CORNERS;
    sketch_polygon(s, corners, count, (sketch_pen){INK_YELLOW, 0.5f, 2});
    if (count < 3) return;
    sketch_dot(s, exact.center, (sketch_pen){INK_TEXT, 1, 3});
    label = (vec2s){{exact.center.x, exact.center.y - 0.45f}};
    sketch_label(s, label, INK_YELLOW, "%.2f m2", (double)exact.mass);
}

static void draw_crossings(sketch *s, const pair *p) {
    vec2s points[MAX_CROSSINGS];
    int count = cn_hull_crossings(&p->a, p->pose_a, &p->b, p->pose_b, points, MAX_CROSSINGS);
    for (int i = 0; i < count && i < MAX_CROSSINGS; i++)
        sketch_dot(s, points[i], (sketch_pen){INK_GREEN, 1, 5});
}

// Draws B after the shortest move that separates the two hulls.
static void draw_separation(sketch *s, const pair *p, vec2s label) {
    cn_mtv mtv = cn_hull_mtv(&p->a, p->pose_a, &p->b, p->pose_b);
    if (!mtv.overlap) {
        cn_gap gap = cn_hull_distance(&p->a, p->pose_a, &p->b, p->pose_b);
        sketch_dashes(s, gap.point_a, gap.point_b, (sketch_pen){INK_DIM, 1, 1.5f});
        sketch_label(s, label, INK_DIM, "%.2f m apart", (double)gap.distance);
        return;
    }
    cn_pose moved = p->pose_b;
    moved.position = glms_vec2_add(moved.position, mtv.translation);
    sketch_hull(s, &p->b, moved, (sketch_pen){INK_FAINT, 0, 1});
    sketch_arrow(s, p->pose_b.position, moved.position, (sketch_pen){INK_RED, 1, 3});
    sketch_label(s, label, INK_RED, "%.2f m to separate", (double)glms_vec2_norm(mtv.translation));
}

static void draw(const scene_run *run, sketch *s) {
    for (int i = 0; i < PAIRS; i++) {
        pair p = read_pair(run, i);
        sketch_hull(s, &p.a, p.pose_a, (sketch_pen){INK_BLUE, 0.25f, 2});
        sketch_hull(s, &p.b, p.pose_b, (sketch_pen){INK_ORANGE, 0.25f, 2});
        draw_intersection(s, &p);
        draw_separation(s, &p, (vec2s){{8 * (float)(i - 1), -2.4f}});
        draw_crossings(s, &p);
    }
    sketch_note(s, INK_BLUE, "hull A");
    sketch_note(s, INK_ORANGE, "hull B");
    sketch_note(s, INK_YELLOW, "the intersection, its area and centroid");
    sketch_note(s, INK_GREEN, "points where the outlines cross");
    sketch_note(s, INK_RED, "the shortest move of B that separates them, and B after it");
}

const scene scene_clip = {
    .name = "clip",
    .title = "Intersections",
    .caption =
        "The intersection of two hulls, and the shortest move that separates them. Drag them.",
    .view = {0, 0.6f, 14},
    .width = 25,
    .steps = 600,
    .create = create,
    .before_step = before_step,
    .draw = draw,
    .hides_bodies = true,
    .memory_size = sizeof(state),
};
