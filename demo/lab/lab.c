/* The SAT lab: compares two hulls, and lets the user move and change them.
 *
 * The separating axis theorem: two convex shapes are apart exactly if their shadows (projections)
 * on some axis are apart. For polygons it is enough to test the normals of their edges. For hulls
 * with round corners the line between the two nearest corners is tested too. To push the
 * hulls apart, use the axis of largest separation. On it the shadows overlap least. */
#include "lab.h"

#include <math.h>
#include <stdio.h>

// ---- comparing

static int edge_count(const cn_hull *hull) { return hull->count == 1 ? 0 : hull->count; }

static void add_axis(lab_result *result, vec2s direction, int side, int edge) {
    lab_axis axis = {.direction = direction, .side = side, .edge = edge};
    float origin = glms_vec2_dot(direction, result->middle);
    for (int i = 0; i < 2; i++) {
        vec2s shadow = cn_hull_project(result->hulls[i], result->poses[i], direction);
        axis.shadows[i] = (vec2s){{shadow.x - origin, shadow.y - origin}};
    }
    axis.separation = axis.shadows[1].x - axis.shadows[0].y;
    if (result->count == 0 || axis.separation > result->axes[result->best].separation)
        result->best = result->count;
    result->axes[result->count++] = axis;
}

static void add_edge_axes(lab_result *result, int side) {
    cn_hull placed = cn_hull_at(result->hulls[side], result->poses[side]);
    for (int i = 0; i < edge_count(&placed); i++) {
        vec2s outward = placed.normals[i];
        add_axis(result, side == 0 ? outward : glms_vec2_negate(outward), side, i);
    }
}

static void add_corner_axis(lab_result *result) {
    cn_hull a = cn_hull_at(result->hulls[0], result->poses[0]);
    cn_hull b = cn_hull_at(result->hulls[1], result->poses[1]);
    if (a.radius + b.radius <= 0) return;
    vec2s shortest = {{INFINITY, 0}};
    for (int i = 0; i < a.count; i++) {
        for (int j = 0; j < b.count; j++) {
            vec2s d = glms_vec2_sub(b.vertices[j], a.vertices[i]);
            if (glms_vec2_norm2(d) < glms_vec2_norm2(shortest)) shortest = d;
        }
    }
    if (glms_vec2_norm2(shortest) > 0) add_axis(result, glms_vec2_normalize(shortest), 0, -1);
}

lab_result lab_examine(const cn_world *world, const sat_lab *lab) {
    lab_result result = {.count = 0};
    for (int i = 0; i < 2; i++) {
        result.hulls[i] = cn_shape_hull(world, lab->shapes[i]);
        result.poses[i] = cn_body_pose(world, lab->bodies[i]);
    }
    result.middle = glms_vec2_lerp(result.poses[0].position, result.poses[1].position, 0.5f);
    add_edge_axes(&result, 0);
    add_edge_axes(&result, 1);
    add_corner_axis(&result);
    const float margin = 1000; // metres, so that hulls that are apart also get points
    result.manifold = cn_hull_collide(&result.hulls[0], result.poses[0], &result.hulls[1],
                                      result.poses[1], margin);
    for (int i = 0; i < result.manifold.count; i++)
        result.depth = fmaxf(result.depth, -result.manifold.points[i].separation);
    result.touching = result.count == 0 || result.axes[result.best].separation <= 0;
    return result;
}

// ---- moving and changing

static void turn_hull(demo_stage *stage, int side, float degrees) {
    const sat_lab *lab = stage->run.memory;
    cn_body body = lab->bodies[side];
    float angle = cn_body_angle(stage->run.world, body) + degrees * 0.0174532925f;
    cn_body_set_pose(stage->run.world, body,
                     cn_pose_at(cn_body_position(stage->run.world, body), angle));
}

static void change_shape(demo_stage *stage, int side, int by) {
    sat_lab *lab = stage->run.memory;
    int count = sat_lab_hull_count();
    sat_lab_set_hull(stage->run.world, lab, side, (lab->hulls[side] + by + count) % count);
    lab->chosen = side;
}

// Returns the hull at a point, or -1. Hulls count as 6 pixels larger, so thin ones can be hit.
static int find_hull(const demo_picture *picture, const demo_stage *stage, vec2s point) {
    const sat_lab *lab = stage->run.memory;
    for (int side = 1; side >= 0; side--) { // B first, because it is drawn above A
        cn_hull hull = cn_shape_hull(stage->run.world, lab->shapes[side]);
        hull.radius += 6 / picture->view.scale;
        cn_pose pose = cn_body_pose(stage->run.world, lab->bodies[side]);
        if (cn_hull_contains(hull, cn_pose_local_point(pose, point))) return side;
    }
    return -1;
}

static bool grab_hull(const demo_picture *picture, demo_stage *stage, vec2s point) {
    sat_lab *lab = stage->run.memory;
    int side = find_hull(picture, stage, point);
    if (side < 0) return false;
    lab->chosen = side;
    lab->is_dragged = true;
    lab->drag_offset = glms_vec2_sub(cn_body_position(stage->run.world, lab->bodies[side]), point);
    return true;
}

static bool drag_hull(demo_stage *stage, vec2s point) {
    const sat_lab *lab = stage->run.memory;
    if (!lab->is_dragged) return false;
    cn_body body = lab->bodies[lab->chosen];
    return cn_body_set_pose(
        stage->run.world, body,
        cn_pose_at(glms_vec2_add(point, lab->drag_offset), cn_body_angle(stage->run.world, body)));
}

static bool press_key(demo_stage *stage, const demo_event *event) {
    sat_lab *lab = stage->run.memory;
    switch (event->key) {
    case KEY_ENTER: lab->lesson = (lab->lesson + 1) % (SAT_LAB_LESSONS + 1); return true;
    case '1': change_shape(stage, 0, event->shift ? -1 : 1); return true;
    case '2': change_shape(stage, 1, event->shift ? -1 : 1); return true;
    case KEY_LEFT: turn_hull(stage, lab->chosen, event->shift ? 0.5f : 3); return true;
    case KEY_RIGHT: turn_hull(stage, lab->chosen, event->shift ? -0.5f : -3); return true;
    default: return false;
    }
}

bool lab_event(const demo_picture *picture, demo_stage *stage, const demo_event *event) {
    sat_lab *lab = stage->run.memory;
    vec2s point = view_to_world(&picture->view, picture->mouse);
    switch (event->kind) {
    case EVENT_PRESS: return event->button == BUTTON_LEFT && grab_hull(picture, stage, point);
    case EVENT_RELEASE: lab->is_dragged = lab->is_dragged && event->button != BUTTON_LEFT; break;
    case EVENT_MOVE: return drag_hull(stage, point);
    case EVENT_WHEEL: {
        int side = find_hull(picture, stage, point);
        if (side >= 0) turn_hull(stage, side, 3 * event->notches);
        return side >= 0;
    }
    case EVENT_KEY: return press_key(stage, event);
    default: break;
    }
    return false;
}

void lab_rows(demo_panel *panel, demo_stage *stage) {
    static char texts[2][48]; // static, because the address of its text identifies a button
    const sat_lab *lab = stage->run.memory;
    panel_heading(panel, "Hulls (click to change)");
    for (int side = 0; side < 2; side++) {
        snprintf(texts[side], sizeof texts[side], "%c: %s", 'A' + side,
                 sat_lab_hull_name(lab->hulls[side]));
        if (panel_button(panel, texts[side], side == 0 ? "1" : "2")) change_shape(stage, side, 1);
    }
    sat_lab *changed = stage->run.memory;
    if (panel_button(panel, lab->lesson ? "next step" : "explain step by step", "Enter"))
        changed->lesson = (lab->lesson + 1) % (SAT_LAB_LESSONS + 1);
    panel_space(panel, 8);
}
