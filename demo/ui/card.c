/* The rows of the card: values, then sliders and check boxes that change the body. */
#include "card.h"
#include "font.h"

#include <math.h>
#include <stdio.h>

// The values of the widgets. Their addresses identify the widgets.
static float friction, restitution, density, gravity_scale;
static bool is_static, is_bullet, keeps_awake, no_rotation;

static void draw_values(demo_panel *panel, const cn_world *world, cn_body body) {
    static const char *const types[] = {
        [CN_STATIC] = "static", [CN_KINEMATIC] = "kinematic", [CN_DYNAMIC] = "dynamic"};
    char text[48];
    int joints = 0, shapes = 0;
    for (cn_joint j = {0}; (j = cn_body_next_joint(world, body, j)).id;) joints++;
    for (cn_shape s = {0}; (s = cn_body_next_shape(world, body, s)).id;) shapes++;
    snprintf(text, sizeof text, "%u, generation %u", (unsigned)(body.id & 0xFFFFFF),
             (unsigned)(body.id >> 32));
    panel_value(panel, "slot", text);
    cn_motion_type type = cn_body_type(world, body);
    const char *state = !cn_body_asleep(world, body) ? ", awake" : ", asleep";
    snprintf(text, sizeof text, "%s%s", types[type], type == CN_STATIC ? "" : state);
    panel_value(panel, "type", text);
    cn_mass_data mass = cn_body_mass_data(world, body);
    snprintf(text, sizeof text, "%.3g kg", (double)mass.mass);
    panel_value(panel, "mass", text);
    snprintf(text, sizeof text, "%.3g kg m" FONT_TEXT_SQUARED, (double)mass.inertia);
    panel_value(panel, "inertia", text);
    snprintf(text, sizeof text, "%.2f m/s", (double)glms_vec2_norm(cn_body_velocity(world, body)));
    panel_value(panel, "speed", text);
    snprintf(text, sizeof text, "%.2f rad/s", (double)cn_body_angular_velocity(world, body));
    panel_value(panel, "spin", text);
    snprintf(text, sizeof text, "%d, %d, %d", shapes, cn_body_contacts(world, body, NULL, 0),
             joints);
    panel_value(panel, "shapes, contacts, joints", text);
}

static bool slide(demo_panel *panel, const char *name, float *value, float high, const char *unit) {
    char text[32];
    snprintf(text, sizeof text, "%.2g%s", (double)*value, unit);
    return panel_slider(panel, name, text, value, 0, high);
}

enum { FRICTION = 1, RESTITUTION = 2, DENSITY = 4 };

// Sets what has changed, for all shapes.
static void set_materials(cn_world *world, cn_body body, int changed) {
    for (cn_shape s = {0}; (s = cn_body_next_shape(world, body, s)).id;) {
        cn_material material = cn_shape_material(world, s);
        if (changed & FRICTION) material.friction = friction;
        if (changed & RESTITUTION) material.restitution = restitution;
        material.frictionless = material.friction == 0;
        cn_shape_set_material(world, s, material);
        if (changed & DENSITY) cn_shape_set_density(world, s, density);
    }
}

static void draw_material(demo_panel *panel, cn_world *world, cn_body body) {
    cn_shape first = cn_body_next_shape(world, body, (cn_shape){0});
    if (!first.id) return;
    cn_material material = cn_shape_material(world, first);
    friction = material.friction, restitution = material.restitution;
    density = cn_shape_density(world, first);
    int changed = 0;
    if (slide(panel, "Friction", &friction, 1.5f, "")) changed |= FRICTION;
    if (slide(panel, "Restitution", &restitution, 1, "")) changed |= RESTITUTION;
    if (slide(panel, "Density", &density, 10, " kg/m" FONT_TEXT_SQUARED)) changed |= DENSITY;
    density = fmaxf(density, 0.05f);
    if (changed) set_materials(world, body, changed);
}

static void draw_flags(demo_panel *panel, cn_world *world, cn_body body) {
    bool x, y;
    is_static = cn_body_type(world, body) == CN_STATIC;
    is_bullet = cn_body_bullet(world, body);
    keeps_awake = cn_body_no_sleep(world, body);
    cn_body_locks(world, body, &x, &y, &no_rotation);
    if (cn_body_type(world, body) != CN_KINEMATIC && panel_check(panel, "Static", NULL, &is_static))
        cn_body_set_type(world, body, is_static ? CN_STATIC : CN_DYNAMIC);
    if (cn_body_type(world, body) != CN_DYNAMIC) return;
    gravity_scale = cn_body_gravity_scale(world, body);
    if (slide(panel, "Gravity", &gravity_scale, 3, " x"))
        cn_body_set_gravity_scale(world, body, gravity_scale);
    if (panel_check(panel, "Bullet", NULL, &is_bullet)) cn_body_set_bullet(world, body, is_bullet);
    if (panel_check(panel, "Never sleeps", NULL, &keeps_awake))
        cn_body_set_no_sleep(world, body, keeps_awake);
    if (panel_check(panel, "No rotation", NULL, &no_rotation))
        cn_body_set_locks(world, body, x, y, no_rotation);
}

void card_draw(demo_panel *panel, cn_world *world, cn_body body) {
    draw_values(panel, world, body);
    draw_material(panel, world, body);
    draw_flags(panel, world, body);
}
