/* Draws a stage from back to front: grid, ground of chains, tiles, fields behind the bodies,
 * bodies, fields in front of them, overlays, the scene's own drawing, mouse spring, scale.
 *
 * The outline of a rounded hull has an arc at each vertex, from the normal of the edge before it to
 * the normal of the edge after it. A circle is one vertex with a full turn. A capsule is two
 * vertices with half a turn each. The arcs of a polygon without radius are single points. So one
 * loop draws all of them. */
#include "picture.h"
#include "../ui/captions.h"
#include "../ui/font.h"
#include "forces.h"
#include "ground.h"
#include "hooks.h"
#include "marks.h"
#include "measures.h"
#include "media.h"
#include "overlays.h"
#include "particles_paint.h"
#include "sketch_paint.h"

#include <math.h>
#include <stdio.h>

static const float pi = 3.14159265f;

// ---- hulls

typedef struct {
    vec2s points[CANVAS_MAX_POINTS]; // pixels
    int count;
} hull_outline;

static void add_point(hull_outline *o, const demo_view *view, vec2s world) {
    if (o->count < CANVAS_MAX_POINTS) o->points[o->count++] = view_to_screen(view, world);
}

static float angle_of(vec2s v) { return atan2f(v.y, v.x); }

// Returns the counter-clockwise turn from one angle to another, 0..2 pi.
static float turn_between(float from, float to) {
    float turn = fmodf(to - from, 2 * pi);
    return turn < 0 ? turn + 2 * pi : turn;
}

static void add_corner(hull_outline *o, const demo_view *view, vec2s center, float radius,
                       float angle, float turn) {
    int steps = (int)ceilf((float)canvas_arc_steps(radius * view->scale) * turn / (2 * pi));
    for (int i = 0; i <= steps; i++) {
        float a = steps ? angle + turn * (float)i / (float)steps : angle;
        add_point(o, view, (vec2s){{center.x + radius * cosf(a), center.y + radius * sinf(a)}});
    }
}

static hull_outline trace_hull(const demo_view *view, const cn_hull *hull, cn_pose pose) {
    hull_outline o = {.count = 0};
    cn_hull placed = cn_hull_at(*hull, pose);
    for (int i = 0; i < placed.count; i++) {
        vec2s vertex = placed.vertices[i];
        if (placed.radius <= 0) {
            add_point(&o, view, vertex);
            continue;
        }
        float from = angle_of(placed.normals[(i + placed.count - 1) % placed.count]);
        float turn = turn_between(from, angle_of(placed.normals[i]));
        add_corner(&o, view, vertex, placed.radius, from, placed.count > 1 ? turn : 2 * pi);
    }
    if (placed.count == 1) o.count--; // the last point of a circle repeats the first
    return o;
}

void picture_hull(const demo_picture *picture, const cn_hull *hull, cn_pose pose,
                  demo_paint paint) {
    cn_hull drawn = *hull;
    if (hull->count == 2 && hull->radius <= 0) { // a segment: round ends close the joints of chains
        drawn.radius = 1.25f / picture->view.scale;
        paint = (demo_paint){.fill = paint.fill & 255 ? paint.fill : paint.outline};
    }
    hull_outline o = trace_hull(&picture->view, &drawn, pose);
    canvas_polygon(picture->canvas, o.points, o.count, paint);
}

hull_class picture_hull_class(const cn_hull *hull) {
    bool rounded = hull->radius > 0;
    if (hull->count == 1) return CLASS_CIRCLE;
    if (hull->count == 2) return rounded ? CLASS_CAPSULE : CLASS_SEGMENT;
    bool square = hull->count == 4 &&
                  fabsf(glms_vec2_dot(hull->normals[0], hull->normals[1])) < 1e-3f &&
                  fabsf(glms_vec2_dot(hull->normals[1], hull->normals[2])) < 1e-3f;
    if (square) return rounded ? CLASS_ROUNDED_BOX : CLASS_BOX;
    return rounded ? CLASS_ROUNDED_POLYGON : CLASS_POLYGON;
}

void picture_label(const demo_picture *picture, vec2s point, float dx, float dy, uint32_t color,
                   const char *text) {
    vec2s p = view_to_screen(&picture->view, point);
    float x = p.x + dx - (float)font_text_width(text) / 2, y = p.y + dy - FONT_HEIGHT / 2.0f;
    canvas_text(picture->canvas, x, y, color, text);
}

// ---- bodies

// Makes a colour a little lighter or darker from body to body, so that bricks of a wall differ.
static uint32_t vary(uint32_t color, cn_body body) {
    uint32_t mixed = (uint32_t)body.id * 2654435761u;
    float change = (float)(mixed >> 24) / 255 * 0.22f - 0.11f;
    return change > 0 ? color_mix(color, 0xFFFFFFFF, change)
                      : color_mix(color, 0x000000FF, -change);
}

static demo_paint paint_of(const demo_picture *picture, cn_motion_type type, hull_class hull,
                           const cn_body_state *state) {
    const demo_theme *theme = picture->theme;
    if (type == CN_STATIC) return (demo_paint){theme->static_fill, theme->static_outline, 1.25f};
    if (type == CN_KINEMATIC) return (demo_paint){theme->kinematic, theme->kinematic_outline, 1.5f};
    uint32_t fill = vary(theme->class_fills[hull], state->body);
    if (state->asleep && picture->overlays & OVERLAY_SLEEP)
        fill = color_mix(fill, theme->background, 0.3f);
    return (demo_paint){fill, color_mix(fill, theme->outline, 0.55f), 1.5f};
}

// Draws a radius that shows how a circle turns.
static void draw_spoke(const demo_picture *picture, const cn_hull *hull, cn_pose pose,
                       uint32_t color) {
    vec2s center = hull->vertices[0], rim = {{center.x + 0.78f * hull->radius, center.y}};
    canvas_line(picture->canvas, view_to_screen(&picture->view, cn_pose_point(pose, center)),
                view_to_screen(&picture->view, cn_pose_point(pose, rim)), 1.5f, color);
}

// A sensor is translucent. It is brighter while a shape overlaps it.
static demo_paint sensor_paint(const demo_picture *picture, const cn_world *world, cn_shape shape) {
    bool is_overlapped = cn_sensor_shapes(world, shape, NULL, 0) > 0;
    uint32_t color = is_overlapped ? picture->theme->gap : picture->theme->accent;
    return (demo_paint){color_fade(color, is_overlapped ? 0.35f : 0.12f), color, 1.5f};
}

// Returns the smallest extent of a hull along its normals.
static float find_thickness(const cn_hull *hull) {
    if (hull->count <= 2) return 2 * hull->radius;
    float least = INFINITY;
    for (int i = 0; i < hull->count; i++) {
        vec2s extent = cn_hull_project(*hull, (cn_pose){.rotation = {1, 0}}, hull->normals[i]);
        least = fminf(least, extent.y - extent.x);
    }
    return least;
}

// The outline of a thin hull is thinner, so that its fill is seen. Below half a pixel there is
// none.
static float outline_width(const demo_picture *picture, const cn_hull *hull, float width) {
    float thickness = find_thickness(hull) * picture->view.scale;
    if (thickness <= 0) return width; // a segment
    float fitting = fminf(width, 0.12f * thickness);
    return fitting < 0.5f ? 0 : fitting;
}

static void draw_shape(const demo_picture *picture, const cn_body_state *state, cn_motion_type type,
                       const cn_world *world, cn_shape shape, const cn_hull *hull) {
    cn_bounds bounds = cn_hull_bounds(*hull, state->pose);
    if (!cn_bounds_overlap(bounds, view_bounds(&picture->view))) return;
    bool sensor = cn_shape_sensor(world, shape);
    demo_paint paint = sensor ? sensor_paint(picture, world, shape)
                              : paint_of(picture, type, picture_hull_class(hull), state);
    paint.width = outline_width(picture, hull, paint.width);
    if (type == CN_STATIC && hull->count == 2 && hull->radius <= 0) paint.fill = paint.outline;
    picture_hull(picture, hull, state->pose, paint);
    if (hull->count == 1 && paint.width > 0 && type != CN_STATIC && !sensor)
        draw_spoke(picture, hull, state->pose, paint.outline);
}

static void draw_bodies(const demo_picture *picture, const demo_stage *stage,
                        const stage_poses *poses) {
    const cn_world *world = stage->run.world;
    for (int i = 0; i < poses->count; i++) {
        const cn_body_state *state = &poses->states[i];
        if (!cn_body_valid(world, state->body)) continue;
        cn_motion_type type = cn_body_type(world, state->body);
        for (cn_shape s = cn_body_next_shape(world, state->body, (cn_shape){0}); s.id;
             s = cn_body_next_shape(world, state->body, s)) {
            if (media_is_field(world, s)) continue;
            cn_hull hull = cn_shape_hull(world, s);
            draw_shape(picture, state, type, world, s, &hull);
            marks_draw(picture, world, s, &hull, state->pose, (float)stage->run.step / 60);
        }
    }
}

// Draws the fields that lie in front of the bodies, or those behind them.
static void draw_fields(const demo_picture *picture, const demo_stage *stage,
                        const stage_poses *poses, bool in_front) {
    const cn_world *world = stage->run.world;
    for (int i = 0; i < poses->count; i++) {
        const cn_body_state *state = &poses->states[i];
        if (!cn_body_valid(world, state->body)) continue;
        for (cn_shape s = {0}; (s = cn_body_next_shape(world, state->body, s)).id;)
            if (media_is_field(world, s) && media_is_in_front(world, s) == in_front)
                media_draw(picture, world, s, state->pose, (float)stage->run.step / 60);
    }
}

// ---- drawn by the engine: overlays, and tiles, which are not among the shapes of a body

// Draws layers with the given paint. If it is NULL, uses the engine's colours. Returns the force in
// N that a line of 1 m at a joint stands for, or 0 if no joints are drawn.
static float draw_layers(const demo_picture *picture, cn_world *world, uint32_t layers,
                         const demo_paint *paint) {
    const demo_view *view = &picture->view;
    float shade = picture->theme->overlay_shade;
    cn_drawing drawing;
    if (!cn_world_draw(world, layers, &drawing)) return 0;
    for (int i = 0; i + 3 <= drawing.triangle_vertices; i += 3) {
        const cn_draw_vertex *v = drawing.triangles + i;
        vec2s points[3];
        for (int k = 0; k < 3; k++) points[k] = view_to_screen(view, v[k].position);
        canvas_triangle(picture->canvas, points,
                        paint ? paint->fill : color_mix(v->color, 0, shade));
    }
    for (int i = 0; i + 2 <= drawing.line_vertices; i += 2) {
        const cn_draw_vertex *v = drawing.lines + i;
        canvas_line(picture->canvas, view_to_screen(view, v[0].position),
                    view_to_screen(view, v[1].position), 1.5f,
                    paint ? paint->outline : color_mix(v->color, 0, shade));
    }
    return drawing.force_scale;
}

static void draw_tiles(const demo_picture *picture, cn_world *world) {
    demo_paint paint = {picture->theme->static_fill, picture->theme->static_outline, 1.5f};
    draw_layers(picture, world, CN_DRAW_GRIDS, &paint);
}

static float draw_overlays(const demo_picture *picture, cn_world *world) {
    uint32_t layers = picture->overlays & CN_DRAW_ALL & ~(uint32_t)CN_DRAW_SHAPES;
    return draw_layers(picture, world, layers, NULL);
}

// ---- grid and scale

// Returns a length of 1, 2 or 5 times a power of ten metres that is at least `pixels` wide.
static float round_length(const demo_view *view, float pixels) {
    float minimum = pixels / view->scale, power = powf(10, floorf(log10f(minimum)));
    float factor = minimum / power;
    return power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10);
}

static void draw_grid(const demo_picture *picture) {
    const demo_view *view = &picture->view;
    cn_bounds seen = view_bounds(view);
    float step = round_length(view, 48);
    // Lines are counted from the first one: far from the origin, a float cannot be counted up.
    float first_x = ceilf(seen.lower.x / step), first_y = ceilf(seen.lower.y / step);
    int columns = (int)ceilf(view->area.w / (step * view->scale));
    int rows = (int)ceilf(view->area.h / (step * view->scale));
    for (int i = 0; i < columns && (first_x + (float)i) * step < seen.upper.x; i++) {
        float x = first_x + (float)i;
        vec2s p = view_to_screen(view, (vec2s){{x * step, 0}});
        uint32_t color = x == 0 ? picture->theme->grid_axis : picture->theme->grid;
        canvas_rect(picture->canvas, (demo_area){p.x, view->area.y, 1, view->area.h}, color);
    }
    for (int i = 0; i < rows && (first_y + (float)i) * step < seen.upper.y; i++) {
        float y = first_y + (float)i;
        vec2s p = view_to_screen(view, (vec2s){{0, y * step}});
        uint32_t color = y == 0 ? picture->theme->grid_axis : picture->theme->grid;
        canvas_rect(picture->canvas, (demo_area){view->area.x, p.y, view->area.w, 1}, color);
    }
}

float picture_scale_width(demo_area area) { return fminf(PICTURE_SCALE, area.w / 6); }

static void draw_scale(const demo_picture *picture) {
    const demo_view *view = &picture->view;
    float least = picture_scale_width(view->area) / 2.5f; // lengths go up by 2.5 times or less
    float length = round_length(view, least), width = length * view->scale;
    float right = view->area.x + view->area.w - 16, y = view->area.y + view->area.h - 14;
    uint32_t color = picture->theme->text_dim,
             behind = color_fade(picture->theme->background, 0.7f);
    canvas_rect(picture->canvas, (demo_area){right - width - 4, y - 20, width + 8, 24}, behind);
    canvas_rect(picture->canvas, (demo_area){right - width, y, width, 1}, color);
    canvas_rect(picture->canvas, (demo_area){right - width, y - 4, 1, 5}, color);
    canvas_rect(picture->canvas, (demo_area){right - 1, y - 4, 1, 5}, color);
    char text[32];
    snprintf(text, sizeof text, "%g m", (double)length);
    canvas_text(picture->canvas, right - (width + (float)font_text_width(text)) / 2, y - 18, color,
                text);
}

static void draw_grab(const demo_picture *picture, const demo_grab *grab,
                      const stage_poses *poses) {
    for (int i = 0; i < poses->count && grab_is_active(grab); i++) {
        if (poses->states[i].body.id != grab->body.id) continue;
        vec2s anchor = cn_pose_point(poses->states[i].pose, grab->anchor);
        vec2s from = view_to_screen(&picture->view, anchor);
        vec2s to = view_to_screen(&picture->view, grab->target);
        demo_paint paint = {.fill = picture->theme->grab};
        canvas_line(picture->canvas, from, to, 2, paint.fill);
        canvas_disc(picture->canvas, from, 4, paint);
        canvas_disc(picture->canvas, to, 3, paint);
    }
}

static void draw_sketch(const demo_picture *picture, const scene_run *run) {
    sketch drawn = {0};
    run->scene->draw(run, &drawn);
    sketch_paint(picture, &drawn);
    sketch_free(&drawn);
}

// Returns the height of the notes, from the lower edge of the area.
static float notes_height(const demo_stage *stage, demo_area area) {
    if (!stage->run.world || !stage->run.scene->draw) return 0;
    sketch drawn = {0};
    stage->run.scene->draw(&stage->run, &drawn);
    demo_area notes = sketch_notes_area(area, &drawn);
    sketch_free(&drawn);
    return notes.h > 0 ? area.y + area.h - notes.y : 0;
}

demo_view picture_fit(const demo_stage *stage, demo_area area) {
    const scene *shown = stage->run.scene;
    demo_view view =
        view_of_scene(shown, area, captions_height(shown, area.w), notes_height(stage, area));
    view.center.x += stage->run.follow;
    float half = area.w / 2 / view.scale, from = shown->follow_from, to = shown->follow_to;
    if (to > from) view.center.x = fmaxf(fminf(view.center.x, to - half), from + half);
    return view;
}

// They are one step late, as the bodies are.
static void draw_particles(const demo_picture *picture, const demo_stage *stage, bool exact,
                           bool dust) {
    if (!stage->show || !stage->show->is_seen) return;
    float ahead = exact || stage->paused ? 0 : stage->unstepped - STAGE_STEP;
    particles_paint(picture, &stage->show->particles, ahead, dust);
}

void picture_draw(const demo_picture *picture, demo_stage *stage) {
    if (!stage->run.world) return;
    // Overlays and sketches show the state after the last step, so the bodies must too.
    bool has_sketch = stage->run.scene->draw != NULL;
    bool exact = has_sketch || (picture->overlays & ~(uint32_t)OVERLAY_SLEEP) != 0;
    const scene_hooks *hooks = hooks_of(stage->run.scene);
    const stage_poses *poses = stage_draw_poses(stage, exact);
    if (!picture->is_small) draw_grid(picture);
    draw_particles(picture, stage, exact, true); // dust is behind the ground and the bodies
    ground_draw(picture, stage->run.world);
    draw_tiles(picture, stage->run.world);
    draw_fields(picture, stage, poses, false);
    if (!stage->run.scene->hides_bodies) draw_bodies(picture, stage, poses);
    draw_particles(picture, stage, exact, false);
    draw_fields(picture, stage, poses, true);
    float force_scale = draw_overlays(picture, stage->run.world);
    measures_draw(picture, stage->run.world);
    if (has_sketch) draw_sketch(picture, &stage->run);
    if (hooks->draw) hooks->draw(picture, stage);
    draw_grab(picture, &stage->grab, poses);
    if (!picture->is_small) draw_scale(picture);
    if (force_scale > 0 && !picture->is_small) forces_draw(picture, &stage->run, force_scale);
}
