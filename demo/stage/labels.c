/* One loop over the dynamic bodies, with a function that writes the label of a body. A label lies
 * above its body, or on it. There it is left out if it is wider than the body. */
#include "labels.h"
#include "../ui/font.h"

#include <stdio.h>

typedef void label_writer(char *text, size_t size, const cn_world *world, cn_body body,
                          cn_shape shape);

// Returns true if the text is no wider on the screen than the shape.
static bool has_room(const demo_picture *picture, const cn_world *world, cn_shape shape,
                     const char *text) {
    cn_bounds bounds = cn_shape_bounds(world, shape);
    float width = (bounds.upper.x - bounds.lower.x) * picture->view.scale;
    return (float)font_text_width(text) <= width;
}

static void write_labels(const demo_picture *picture, demo_stage *stage, float above,
                         label_writer *write) {
    const cn_world *world = stage->run.world;
    const stage_poses *poses = stage_draw_poses(stage, false);
    for (int i = 0; i < poses->count; i++) {
        cn_body body = poses->states[i].body;
        if (!cn_body_valid(world, body) || cn_body_type(world, body) != CN_DYNAMIC) continue;
        cn_shape shape = cn_body_next_shape(world, body, (cn_shape){0});
        char text[32];
        write(text, sizeof text, world, body, shape);
        if (above == 0 && !has_room(picture, world, shape, text)) continue;
        vec2s point = poses->states[i].pose.position;
        point.y += above;
        picture_label(picture, point, 0, above > 0 ? -10 : 0,
                      above > 0 ? picture->theme->text : picture->theme->outline, text);
    }
}

static void write_friction(char *text, size_t size, const cn_world *world, cn_body body,
                           cn_shape shape) {
    (void)body;
    snprintf(text, size, "%.2f", (double)cn_shape_material(world, shape).friction);
}

static void write_restitution(char *text, size_t size, const cn_world *world, cn_body body,
                              cn_shape shape) {
    (void)body;
    snprintf(text, size, "%.1f", (double)cn_shape_material(world, shape).restitution);
}

static void write_mass(char *text, size_t size, const cn_world *world, cn_body body,
                       cn_shape shape) {
    (void)shape;
    snprintf(text, size, "%g", (double)cn_body_mass(world, body));
}

static void write_rolling(char *text, size_t size, const cn_world *world, cn_body body,
                          cn_shape shape) {
    (void)body;
    snprintf(text, size, "%.2f", (double)cn_shape_material(world, shape).rolling_resistance);
}

static void write_density(char *text, size_t size, const cn_world *world, cn_body body,
                          cn_shape shape) {
    (void)body;
    snprintf(text, size, "%g", (double)cn_shape_density(world, shape));
}

void labels_rolling(const demo_picture *picture, demo_stage *stage) {
    write_labels(picture, stage, 0.8f, write_rolling);
}

void labels_counts(const demo_picture *picture, demo_stage *stage) {
    const cn_world *world = stage->run.world;
    for (cn_shape s = {0}; (s = cn_world_next_shape(world, s)).id;) {
        if (!cn_shape_sensor(world, s)) continue;
        cn_bounds bounds = cn_shape_bounds(world, s);
        vec2s point = {{(bounds.lower.x + bounds.upper.x) / 2, bounds.upper.y}};
        char text[32];
        snprintf(text, sizeof text, "%d", (int)cn_shape_user_data(world, s));
        picture_label(picture, point, 0, -9, picture->theme->text, text);
    }
}

void labels_friction(const demo_picture *picture, demo_stage *stage) {
    write_labels(picture, stage, 0.7f, write_friction);
}

void labels_restitution(const demo_picture *picture, demo_stage *stage) {
    write_labels(picture, stage, 0.5f, write_restitution);
}

void labels_mass(const demo_picture *picture, demo_stage *stage) {
    write_labels(picture, stage, 0, write_mass);
}

void labels_density(const demo_picture *picture, demo_stage *stage) {
    write_labels(picture, stage, 0, write_density);
}
