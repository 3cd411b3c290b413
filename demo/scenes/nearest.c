/* A probe among bodies that fall on a ground of tiles. The picture shows the shape nearest to the
 * probe and its distance, the shapes that overlap the probe, and the shapes at its centre. The
 * probe follows the mouse while the mouse is over the picture. Otherwise it moves by itself. */
#include "any_shape.h"

enum { WIDTH = 24, HEIGHT = 8, BODIES = 34 };

#define TILE  1.0f
#define REACH 3.5f // metres from the surface of the probe

typedef struct {
    scene_random random;
    cn_body ground;
    int made;
} state;

static const vec2s corner = {{-12, -7.5f}}; // of the grid, lower left

static const char *const hills[HEIGHT] = {
    "#......................#", "#......................#", "#......................#",
    "##.....................#", "###..........##.......##", "####....#...####.....###",
    "######.###.######...####", "########################",
};

static bool add_ground(cn_world *world, state *s) {
    uint8_t solid[WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        solid[i] = hills[HEIGHT - 1 - i / WIDTH][i % WIDTH] == '#';
    s->ground = scene_add_body(world, CN_STATIC, corner.x, corner.y);
    cn_grid_def def = {.solid = solid, .width = WIDTH, .height = HEIGHT, .tile_size = TILE};
    return cn_grid_create(world, s->ground, &def).id;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    s->random = (scene_random){21};
    cn_body paddle = cn_body_create(
        world,
        &(cn_body_def){.type = CN_KINEMATIC, .position = {{-2, 3.4f}}, .angular_velocity = 0.7f});
    return add_ground(world, s) && scene_add_hull(world, paddle, cn_box(2.6f, 0.2f), 0.6f, 1).id;
}

static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    if (run->step % 20 != 0 || s->made == BODIES) return true;
    s->made++;
    float x = scene_random_range(&s->random, -9, 9);
    return add_any_shape(world, &s->random, x, 8.5f, scene_random_range(&s->random, 0.4f, 0.75f));
}

// ---- the picture

typedef struct {
    cn_hull hull;
    cn_pose pose;
} probe;

static probe place_probe(const scene_run *run) {
    cn_hull hull = cn_rounded_box(0.7f, 0.25f, 0.15f);
    cn_rotation slow = cn_rotation_of(0.008f * (float)run->step);
    cn_rotation fast = cn_rotation_of(0.016f * (float)run->step);
    vec2s path = {{8.5f * slow.s, 0.2f + 3.4f * fast.s}};
    vec2s place = run->input.has_mouse ? run->input.mouse : path;
    return (probe){hull, cn_pose_at(place, 0.01f * (float)run->step)};
}

// Draws a shape, or a tile of the ground.
static void draw_side(const scene_run *run, sketch *s, cn_side side, sketch_pen pen) {
    cn_pose pose = cn_body_pose(run->world, side.body);
    cn_hull hull = cn_box(TILE / 2, TILE / 2);
    if (side.tile < 0) {
        hull = cn_shape_hull(run->world, side.shape);
    } else {
        vec2s middle = {{(float)(side.tile % WIDTH) + 0.5f, (float)(side.tile / WIDTH) + 0.5f}};
        pose.position = glms_vec2_muladds(middle, TILE, pose.position);
    }
    sketch_hull(s, &hull, pose, pen);
}

static int draw_overlaps(const scene_run *run, sketch *s, const probe *p) {
    cn_side sides[32];
    int count = cn_world_overlap(run->world, p->hull, p->pose, NULL, sides, 32);
    for (int i = 0; i < count && i < 32; i++)
        draw_side(run, s, sides[i], (sketch_pen){INK_RED, 0.7f, 2.5f});
    return count;
}

static int draw_at_point(const scene_run *run, sketch *s, vec2s point) {
    cn_side sides[8];
    int count = cn_world_overlap_point(run->world, point, NULL, sides, 8);
    for (int i = 0; i < count && i < 8; i++)
        draw_side(run, s, sides[i], (sketch_pen){INK_YELLOW, 0.6f, 2.5f});
    return count;
}

static void draw_gap(sketch *s, const cn_gap *gap) {
    sketch_ink ink = gap->distance > 0 ? INK_GREEN : INK_RED;
    sketch_line(s, gap->point_a, gap->point_b, (sketch_pen){ink, 1, 2.5f});
    sketch_dot(s, gap->point_a, (sketch_pen){ink, 1, 4});
    sketch_dot(s, gap->point_b, (sketch_pen){ink, 1, 4});
}

static void draw_nearest(const scene_run *run, sketch *s, const probe *p) {
    cn_neighbor nearest = cn_world_nearest(run->world, p->hull, p->pose, REACH, NULL);
    if (nearest.found && nearest.gap.distance > 0)
        draw_side(run, s, nearest.side, (sketch_pen){INK_GREEN, 0.4f, 2});
    if (nearest.found) draw_gap(s, &nearest.gap);
    vec2s label = {{p->pose.position.x, p->pose.position.y + 1.3f}};
    if (!nearest.found)
        sketch_label(s, label, INK_DIM, "nothing within %g m", (double)REACH);
    else if (nearest.gap.distance > 0)
        sketch_label(s, label, INK_GREEN, "nearest: %.2f m", (double)nearest.gap.distance);
    else
        sketch_label(s, label, INK_RED, "overlap: %.2f m", (double)-nearest.gap.distance);
}

static void draw(const scene_run *run, sketch *s) {
    probe p = place_probe(run);
    cn_hull reach = p.hull;
    reach.radius += REACH;
    sketch_hull(s, &reach, p.pose, (sketch_pen){INK_BLUE, 0.05f, 1});
    int overlaps = draw_overlaps(run, s, &p);
    int at_point = draw_at_point(run, s, p.pose.position);
    sketch_hull(s, &p.hull, p.pose, (sketch_pen){INK_BLUE, 0.45f, 2});
    draw_nearest(run, s, &p);
    sketch_dot(s, p.pose.position, (sketch_pen){INK_YELLOW, 1, 3.5f});
    sketch_note(s, INK_BLUE, "the probe, and its range of %g m", (double)REACH);
    sketch_note(s, INK_GREEN, "the nearest shape or tile, and the gap to it");
    sketch_note(s, INK_RED, "shapes that overlap the probe: %d", overlaps);
    sketch_note(s, INK_YELLOW, "shapes at the centre of the probe: %d", at_point);
}

const scene scene_nearest = {
    .name = "nearest",
    .title = "Nearest neighbours",
    .caption =
        "The shape nearest to a probe, and the shapes that overlap the probe. Move the mouse.",
    .view = {0, -0.5f, 18.2f},
    .width = 25,
    .gravity = {{0, -10}},
    .steps = 900,
    .create = create,
    .before_step = before_step,
    .draw = draw,
    .memory_size = sizeof(state),
};
