/* The picture of a field shows its effect:
 *
 *   density      a liquid with a bright surface. More drag makes its colour more like syrup.
 *   attraction   a glow that grows towards the centroid.
 *   flow         moving arrows, which are longer in a faster flow. All move at the same pace, so
 *                that they do not jump when the flow changes.
 */
#include "media.h"

#include <math.h>

static const float syrup_drag = 10; // 1/s, halfway between the colours of water and syrup
static const float rows = 0.8f, columns = 2.4f; // m, distances between arrows
static const float pace = 5;                    // m/s, of the arrows
enum { GLOWS = 8 };

typedef struct {
    const demo_picture *picture;
    cn_medium medium;
    cn_hull hull; // in the world
    vec2s origin; // of the field's body
    vec2s up;     // against gravity
} media;

static const cn_pose in_place = {.rotation = {1, 0}};

static bool is_zero(vec2s v) { return v.x == 0 && v.y == 0; }

bool media_is_field(const cn_world *world, cn_shape shape) {
    if (!cn_shape_sensor(world, shape)) return false;
    cn_medium m = cn_shape_medium(world, shape);
    return m.density > 0 || m.linear_drag > 0 || m.angular_drag > 0 || m.attraction != 0 ||
           !is_zero(m.flow) || !is_zero(m.acceleration);
}

bool media_is_in_front(const cn_world *world, cn_shape shape) {
    return cn_shape_medium(world, shape).density > 0;
}

// ---- liquids

// Draws the edges on the upper side.
static void draw_surface(const media *m, uint32_t color) {
    for (int i = 0; i < m->hull.count; i++) {
        vec2s normal = m->hull.normals[i], out = glms_vec2_scale(normal, m->hull.radius);
        if (glms_vec2_dot(normal, m->up) < 0.5f) continue;
        vec2s from = glms_vec2_add(m->hull.vertices[i], out);
        vec2s to = glms_vec2_add(m->hull.vertices[(i + 1) % m->hull.count], out);
        canvas_line(m->picture->canvas, view_to_screen(&m->picture->view, from),
                    view_to_screen(&m->picture->view, to), 2.5f, color);
    }
}

static void draw_liquid(const media *m) {
    const demo_theme *theme = m->picture->theme;
    float drag = m->medium.linear_drag;
    uint32_t color = color_mix(theme->water, theme->syrup,
                               drag * drag / (drag * drag + syrup_drag * syrup_drag));
    picture_hull(m->picture, &m->hull, in_place, (demo_paint){.fill = color_fade(color, 0.4f)});
    draw_surface(m, color);
}

// ---- attraction

// Draws smaller and smaller copies on top of each other.
static void draw_glow(const media *m) {
    vec2s center = cn_hull_mass_data(m->hull, 1).center;
    demo_paint paint = {.fill = color_fade(m->picture->theme->accent, 0.035f)};
    for (int i = 0; i < GLOWS; i++) {
        float scale = (float)(GLOWS - i) / GLOWS;
        cn_hull copy = m->hull;
        copy.radius *= scale;
        for (int k = 0; k < copy.count; k++)
            copy.vertices[k] = glms_vec2_lerp(center, m->hull.vertices[k], scale);
        picture_hull(m->picture, &copy, in_place, paint);
    }
}

// ---- flow

static void draw_arrow(const media *m, vec2s tail, vec2s along) {
    vec2s head = glms_vec2_add(tail, along);
    if (!cn_hull_contains(m->hull, tail) || !cn_hull_contains(m->hull, head)) return;
    canvas_arrow(m->picture->canvas, view_to_screen(&m->picture->view, tail),
                 view_to_screen(&m->picture->view, head), 1.5f,
                 color_fade(m->picture->theme->accent, 0.55f));
}

// Draws rows of arrows along the flow, each row at its own phase.
static void draw_flow(const media *m, float seconds) {
    float speed = glms_vec2_norm(m->medium.flow);
    vec2s along = glms_vec2_scale(m->medium.flow, 1 / speed), across = {{-along.y, along.x}};
    vec2s arrow = glms_vec2_scale(along, fminf(fmaxf(0.1f * speed, 0.3f), 1));
    vec2s width = cn_hull_project(m->hull, in_place, across);
    vec2s length = cn_hull_project(m->hull, in_place, along);
    float from = glms_vec2_dot(m->origin, along) + fmodf(pace * seconds, columns);
    int count = (int)fmaxf(roundf((width.y - width.x) / rows), 1);
    for (int i = 0; i < count; i++) {
        float y = width.x + (width.y - width.x) * ((float)i + 0.5f) / (float)count;
        float phase = fmodf(from + 0.618f * (float)i * columns - length.x, columns);
        for (float x = length.x + phase - columns; x < length.y; x += columns)
            draw_arrow(m, glms_vec2_add(glms_vec2_scale(along, x), glms_vec2_scale(across, y)),
                       arrow);
    }
}

void media_draw(const demo_picture *picture, const cn_world *world, cn_shape field, cn_pose pose,
                float seconds) {
    media m = {.picture = picture, .medium = cn_shape_medium(world, field)};
    cn_hull hull = cn_shape_hull(world, field);
    vec2s gravity = cn_world_gravity(world);
    m.hull = cn_hull_at(hull, pose), m.origin = pose.position;
    m.up = is_zero(gravity) ? gravity : glms_vec2_scale(gravity, -1 / glms_vec2_norm(gravity));
    bool attracts = m.medium.attraction != 0;
    uint32_t color = color_fade(picture->theme->accent, 0.09f);
    if (m.medium.density > 0) draw_liquid(&m);
    if (attracts) draw_glow(&m);
    if (m.medium.density == 0 && !attracts)
        picture_hull(picture, &m.hull, in_place, (demo_paint){.fill = color});
    if (!is_zero(m.medium.flow)) draw_flow(&m, seconds);
}
