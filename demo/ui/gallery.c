/* A picture is the batch of triangles that a run of the scene draws into a canvas of its own. It is
 * drawn again by adding its triangles, moved, to the canvas of the window. */
#include "gallery.h"
#include "font.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_WIDTH = 196, CELL_HEIGHT = 146, PICTURE_HEIGHT = 118, GAP = 12, TOP = 52 };
enum { STEPS = 70, MAX_BODIES = 4000 };

// ---- the list

// Returns the scene of a number, and its group. NULL after the last.
static const scene *scene_at(int index, const scene_group **group) {
    int lists = 0;
    for (const scene_group *g = scene_groups; g->name; g++)
        for (const scene *const *s = g->scenes; *s; s++, lists++) {
            if (lists != index) continue;
            *group = g;
            return *s;
        }
    return NULL;
}

// Where the searched text may stand: anywhere, or where a word begins.
typedef enum { ANYWHERE, AT_A_WORD } place;

static bool contains(const char *text, const char *word, size_t length, place where) {
    for (const char *c = text; *c; c++) {
        size_t i = 0;
        while (i < length && tolower((unsigned char)c[i]) == word[i]) i++;
        bool begins = c == text || !isalnum((unsigned char)c[-1]);
        if (i == length && (where == ANYWHERE || begins)) return true;
    }
    return false;
}

// In the middle of the words of a sentence, "pin" is in "sleeping" and "keeping".
static bool finds_word(const char *word, size_t length, const scene *s) {
    return contains(s->title, word, length, ANYWHERE) ||
           contains(s->name, word, length, ANYWHERE) ||
           contains(s->caption, word, length, AT_A_WORD);
}

bool gallery_finds(const char *search, const scene *s) {
    while (*search) {
        size_t length = strcspn(search, " ");
        if (length && !finds_word(search, length, s)) return false;
        search += length;
        while (*search == ' ') search++;
    }
    return true;
}

bool gallery_shows(const demo_gallery *gallery, const scene_group *group, const scene *s) {
    bool is_benchmark = group->scenes == bench_scenes;
    return gallery_finds(gallery->search, s) &&
           (gallery->search[0] || is_benchmark == gallery->has_benchmarks);
}

// Returns how well a scene fits. Best is that of this name, then one with such a word in its title.
static int judge(const char *search, const scene *s) {
    size_t length = strlen(search);
    if (!gallery_finds(search, s)) return 0;
    if (strcmp(s->name, search) == 0) return 3;
    return contains(s->title, search, length, AT_A_WORD) ? 2 : 1;
}

const scene *gallery_first(const demo_gallery *gallery) {
    const scene_group *group;
    const scene *s, *best = NULL;
    for (int i = 0, most = 0; (s = scene_at(i, &group)); i++) {
        int fits = gallery_shows(gallery, group, s) ? judge(gallery->search, s) : 0;
        if (fits > most) most = fits, best = s;
    }
    return best;
}

// ---- open, close

static void forget_pictures(demo_gallery *gallery) {
    for (int i = 0; i < GALLERY_MAX_SCENES; i++) {
        free(gallery->pictures[i].triangles.vertices);
        free(gallery->pictures[i].triangles.indices);
        gallery->pictures[i] = (gallery_picture){0};
    }
}

void gallery_open(demo_gallery *gallery) {
    gallery->open = true;
    gallery->is_complete = false;
    gallery->search[0] = 0;
    gallery->scroll = 0;
}

void gallery_close(demo_gallery *gallery) { gallery->open = false; }

void gallery_free(demo_gallery *gallery) { forget_pictures(gallery); }

bool gallery_handle(demo_gallery *gallery, const demo_event *event) {
    size_t length = strlen(gallery->search);
    if (event->kind == EVENT_KEY && event->key == KEY_BACKSPACE) {
        if (length) gallery->search[length - 1] = 0;
        return true;
    }
    if (event->kind != EVENT_TEXT) return false;
    for (const char *c = event->text; *c && length + 1 < GALLERY_MAX_SEARCH; c++)
        if (*c >= ' ' && *c <= '~') gallery->search[length++] = (char)tolower((unsigned char)*c);
    gallery->search[length] = 0;
    gallery->scroll = 0;
    return true;
}

// ---- pictures

static void ignore_clear(void *context, uint32_t color) { (void)context, (void)color; }
static void ignore_clip(void *context, const demo_area *area) { (void)context, (void)area; }

// Adds the triangles to those of the picture. Glyphs are too small to be read.
static void keep_batch(void *context, const canvas_batch *batch, bool has_texture) {
    if (!has_texture) canvas_add_batch(context, batch, 0, 0);
}

static void make_picture(gallery_picture *made, const scene *s, const demo_theme *theme) {
    demo_stage stage;
    demo_canvas canvas;
    float values[SCENE_MAX_PARAMETERS] = {0};
    made->is_made = true;
    scene_default_values(s, values);
    if (!stage_open(&stage, s, values, &(cn_world_def){0})) return;
    bool is_small = cn_world_counters(stage.run.world).bodies <= MAX_BODIES;
    for (int i = 0; i < (is_small ? STEPS : 1); i++) stage_step(&stage);
    canvas_open(&canvas, (canvas_backend){&made->triangles, ignore_clear, keep_batch, ignore_clip});
    demo_picture picture = {
        .canvas = &canvas,
        .theme = theme,
        .view = view_of_scene(s, (demo_area){0, 0, CELL_WIDTH, PICTURE_HEIGHT}, 0, 0),
        .overlays = s->overlays,
        .mouse = {{-1000, -1000}},
        .is_small = true};
    picture_draw(&picture, &stage);
    canvas_flush(&canvas);
    canvas_close(&canvas);
    stage_close(&stage);
}

void gallery_work(demo_gallery *gallery, const demo_theme *theme) {
    const scene_group *group;
    const scene *s;
    gallery->is_complete = false;
    if (gallery->theme != theme) forget_pictures(gallery);
    gallery->theme = theme;
    for (int i = 0; i < GALLERY_MAX_SCENES && (s = scene_at(i, &group)); i++) {
        if (gallery->pictures[i].is_made || !gallery_shows(gallery, group, s)) continue;
        make_picture(&gallery->pictures[i], s, theme);
        return;
    }
    gallery->is_complete = true;
}

// ---- drawing

typedef struct {
    demo_gallery *gallery;
    demo_canvas *canvas;
    const demo_theme *theme;
    panel_mouse *mouse;
    float width, height;
    float x, y; // of the next cell
    const scene *clicked;
} pen;

static void draw_cell(pen *p, int index, const scene *s) {
    demo_area cell = {p->x, p->y, CELL_WIDTH, CELL_HEIGHT};
    demo_area picture = {p->x, p->y, CELL_WIDTH, PICTURE_HEIGHT};
    if (cell.y > p->height || cell.y + cell.h < TOP) return;
    bool hot = area_contains(cell, p->mouse->position) && p->mouse->position.y > TOP;
    if (hot && p->mouse->pressed) p->clicked = s;
    canvas_flush(p->canvas);
    demo_area clip = picture;
    if (clip.y < TOP) clip.h -= TOP - clip.y, clip.y = TOP;
    if (clip.h > 0) {
        canvas_clip(p->canvas, &clip);
        canvas_rect(p->canvas, picture, p->theme->grid);
        canvas_add(p->canvas, &p->gallery->pictures[index].triangles, p->x, p->y);
        canvas_clip(p->canvas, NULL);
    }
    if (hot) {
        const vec2s corners[] = {{{cell.x, cell.y}},
                                 {{cell.x, cell.y + PICTURE_HEIGHT}},
                                 {{cell.x + cell.w, cell.y + PICTURE_HEIGHT}},
                                 {{cell.x + cell.w, cell.y}}};
        canvas_polygon(p->canvas, corners, 4, (demo_paint){0, p->theme->accent, 2});
    }
    if (cell.y + PICTURE_HEIGHT + 6 > TOP)
        canvas_text(p->canvas, p->x, p->y + PICTURE_HEIGHT + 6,
                    hot ? p->theme->text : p->theme->text_dim, s->title);
}

static void next_row(pen *p, float height) {
    p->x = GAP;
    p->y += height;
}

static void draw_group(pen *p, const scene_group *group, int first) {
    bool has_heading = false;
    for (int i = 0; group->scenes[i]; i++) {
        if (!gallery_shows(p->gallery, group, group->scenes[i])) continue;
        if (!has_heading) {
            if (p->y > TOP) canvas_text(p->canvas, GAP, p->y, p->theme->text_heading, group->name);
            next_row(p, FONT_LINE + 6);
            has_heading = true;
        }
        if (p->x + CELL_WIDTH > p->width - GAP && p->x > GAP) next_row(p, CELL_HEIGHT + GAP);
        draw_cell(p, first + i, group->scenes[i]);
        p->x += CELL_WIDTH + GAP;
    }
    if (has_heading) next_row(p, CELL_HEIGHT + GAP);
}

// Draws the buttons of the two pages. A click on one changes the page. Returns where they end.
static float draw_pages(const pen *p, float x) {
    static const char *const names[] = {"Scenes", "Benchmarks"};
    demo_gallery *gallery = p->gallery;
    for (int i = 0; i < 2; i++) {
        demo_area face = {x, 12, (float)font_text_width(names[i]) + 20, 26};
        bool chosen = gallery->has_benchmarks == (i == 1);
        bool hot = area_contains(face, p->mouse->position);
        uint32_t fill = chosen ? p->theme->accent : hot ? p->theme->widget_hot : p->theme->widget;
        canvas_rounded(p->canvas, face, 4, (demo_paint){.fill = fill});
        canvas_text(p->canvas, x + 10, face.y + 5,
                    chosen ? p->theme->text_on_accent : p->theme->text, names[i]);
        if (hot && p->mouse->pressed && !chosen)
            gallery->has_benchmarks = i == 1, gallery->scroll = 0, gallery->is_complete = false;
        x += face.w + 6;
    }
    return x;
}

static void draw_head(const pen *p) {
    const demo_theme *theme = p->theme;
    canvas_rect(p->canvas, (demo_area){0, 0, p->width, TOP - 4}, theme->panel);
    bool is_narrow = p->width < 480;
    demo_area field = {GAP, 12, is_narrow ? 150 : 260, 26};
    canvas_rounded(p->canvas, field, 4, (demo_paint){theme->widget, theme->accent, 1});
    const char *search = p->gallery->search;
    float end =
        canvas_text(p->canvas, field.x + 8, field.y + 5, *search ? theme->text : theme->text_dim,
                    *search ? search : "type to search");
    if (*search) canvas_rect(p->canvas, (demo_area){end + 1, field.y + 5, 1, 16}, theme->text);
    const char *hint = "click a scene; Enter: the best match; Esc: back";
    float left = draw_pages(p, field.x + field.w + 12) + 10;
    if (left + (float)font_text_width(hint) < p->width)
        canvas_text(p->canvas, left, field.y + 5, theme->text_dim, hint);
}

const scene *gallery_draw(demo_gallery *gallery, demo_canvas *canvas, const demo_theme *theme,
                          panel_mouse *mouse, float width, float height) {
    pen p = {gallery, canvas, theme, mouse, width, height, GAP, TOP + 8 - gallery->scroll, NULL};
    canvas_flush(canvas);
    canvas_rect(canvas, (demo_area){0, 0, width, height}, theme->background);
    int first = 0;
    for (const scene_group *g = scene_groups; g->name; g++) {
        draw_group(&p, g, first);
        for (int i = 0; g->scenes[i]; i++) first++;
    }
    float content = p.y + gallery->scroll - height + GAP;
    gallery->scroll -= mouse->wheel * 80;
    gallery->scroll = fmaxf(0, fminf(gallery->scroll, content));
    canvas_flush(canvas);
    draw_head(&p);
    mouse->pressed = false, mouse->wheel = 0;
    return p.clicked;
}
