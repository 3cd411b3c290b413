/* Text is broken into lines of words, first to measure it, then to draw it. */
#include "captions.h"
#include "font.h"
#include "../lab/solver_lab.h"
#include "../stage/hooks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEFT = 16, TOP = 12 };

// ---- title and sentence

// Draws text on a box in the background's colour, so that it can be read over bodies.
static float draw_words(const demo_picture *picture, float x, float y, uint32_t color,
                        const char *text) {
    demo_area box = {x - 4, y - 2, (float)font_text_width(text) + 8, FONT_LINE};
    canvas_rect(picture->canvas, box, color_fade(picture->theme->background, 0.7f));
    return canvas_text(picture->canvas, x, y, color, text);
}

int captions_write(const demo_picture *picture, float x, float y, float width, uint32_t color,
                   const char *text) {
    int lines = 0;
    for (; *text; lines++) {
        char line[FONT_LINE_BYTES];
        int length = font_line_length(text, width);
        snprintf(line, sizeof line, "%.*s", length, text);
        if (picture) draw_words(picture, x, y + (float)(lines * FONT_LINE), color, line);
        text += length;
        while (*text == ' ') text++;
    }
    return lines;
}

float captions_height(const scene *shown, float width) {
    int lines = 1 + captions_write(NULL, 0, 0, width - LEFT - 8, 0, shown->caption);
    return (float)(TOP + lines * FONT_LINE);
}

demo_area captions_area(const scene *shown, demo_area world) {
    float width = world.w - LEFT - 8, text = (float)font_text_width(shown->caption);
    return (demo_area){world.x + LEFT - 4, world.y, fminf(text, width) + 8,
                       captions_height(shown, world.w)};
}

// Returns a word about the state of the stage, or NULL.
static const char *find_state(const demo_stage *stage) {
    if (stage->failed) return "stopped";
    if (playback_has_ended(stage->replay)) return "end of the recording";
    if (stage->recording) return "recording to";
    if (stage->paused) return "paused";
    cn_counters c = cn_world_counters(stage->run.world);
    bool waits = stage->run.scene->takes_keys; // for the player
    bool at_rest = !waits && stage->run.step > 60 && c.sleeping_islands > 0 && c.awake_bodies == 0;
    return at_rest ? "at rest; R: restart" : NULL;
}

void captions_draw(const demo_picture *picture, const demo_stage *stage) {
    const demo_theme *theme = picture->theme;
    const scene *shown = stage->run.scene;
    float x = picture->view.area.x + LEFT, y = picture->view.area.y + TOP;
    float width = picture->view.area.w - LEFT - 8;
    float end = draw_words(picture, x, y, theme->text, shown->title);
    const char *state = stage->run.world ? find_state(stage) : NULL;
    if (state) end = draw_words(picture, end + 8, y, theme->grab, state);
    if (stage->recording && !stage->failed)
        draw_words(picture, end + 6, y, theme->grab, stage->recording_path);
    y += FONT_LINE;
    if (stage->failed)
        captions_write(picture, x, y, width, theme->text_error, stage->error);
    else if (stage->notice[0])
        captions_write(picture, x, y, width, theme->grab, stage->notice);
    else
        captions_write(picture, x, y, width, theme->text_dim, shown->caption);
}

// ---- keys

typedef struct {
    const demo_picture *picture;
    float x, y, right; // where the next pair of a key and its meaning is, and where it must end
} pen;

static bool write_pair(pen *p, const char *key, const char *meaning) {
    const demo_theme *theme = p->picture->theme;
    float width = (float)(font_text_width(key) + 6 + font_text_width(meaning));
    if (p->x + width > p->right) return false;
    float end = canvas_text(p->picture->canvas, p->x, p->y, theme->text, key);
    canvas_text(p->picture->canvas, end + 6, p->y, theme->text_dim, meaning);
    p->x += width + 14;
    return true;
}

// Writes pairs at the right end of the bar. Returns where they begin.
static float write_at_end(const demo_picture *picture, demo_area bar, const char *const *pairs) {
    float width = 0;
    for (const char *const *p = pairs; p[0]; p += 2)
        width += (float)(font_text_width(p[0]) + 6 + font_text_width(p[1]) + 14);
    float left = bar.x + bar.w - width;
    pen end = {picture, left, bar.y + 5, bar.x + bar.w};
    for (; pairs[0]; pairs += 2) write_pair(&end, pairs[0], pairs[1]);
    return left;
}

void captions_draw_bar(const demo_picture *picture, const demo_stage *stage, const tool_use *tools,
                       demo_area bar, captions_hints hints) {
    static const char *const last[] = {"Tab", "panels", "F1", "all keys", NULL};
    const char *const *own = hints.only ? hints.only : hooks_of(stage->run.scene)->keys;
    const bool plays = stage->run.scene->takes_keys;
    canvas_rect(picture->canvas, bar, picture->theme->panel);
    float end = bar.x + bar.w;
    if (hints.has_keys) end = write_at_end(picture, bar, hints.lacks_panels ? last : last + 2);
    pen p = {picture, bar.x + LEFT, bar.y + 5, end - 12};
    for (; own && own[0]; own += 2)
        if (!write_pair(&p, own[0], own[1])) return;
    if (hints.only) return;
    if (!stage->replay && !write_pair(&p, tools->chosen->name, tools->chosen->hint)) return;
    if (!hints.has_keys) return;
    if (write_pair(&p, plays ? "P" : "Space", "pause") && write_pair(&p, "Backspace", "rewind"))
        write_pair(&p, "R", "restart");
}

typedef struct {
    const char *title;
    const char *const *pairs;
} key_list;

// clang-format off
static const char *const time_keys[] = {
    "Space, P", "pause", "S, .", "single step", "Backspace", "rewind while held",
    "L", "slow motion", "R", "restart", "F9", "record the calls to a file",
    "F8", "sound on or off", "F7", "dust and sparks on or off", NULL};
static const char *const tool_keys[] = {
    "G", "grab", "F", "throw with a rubber band", "1 - 8", "add a shape; H: next shape", "9", "throw a heavy ball",
    "O", "draw a body", "X", "cut", "K", "bomb", "Y", "tie: rope, spring, weld", "U", "pin",
    "Q", "dig and fill tiles", "V", "freeze", "Delete", "erase", "Shift+wheel", "size of shape or bomb",
    "wheel", "strength of the bomb", NULL};
static const char *const view_keys[] = { // in a web page without the first
    "Esc", "quit", "wheel", "zoom", "right drag", "move the view", "Home", "show the whole scene", "Tab", "show or hide panels",
    "F2", "gallery of all scenes", "F3", "source of the scene", "F4", "solver lab: inside a step", "PgUp, PgDn", "previous, next scene", "D", "light or dark theme", "F11", "full screen",
    "Ctrl + -", "larger, smaller text", "[ ]", "fewer, more substeps", NULL};
// clang-format on

// Games take the arrows, Space and WASD. Returns the key that is left for the demo, or NULL.
static const char *find_key(const char *key, bool plays) {
    static const char *const taken[][2] = {{"Space, P", "P"}, {"S, .", "."}, {"D", NULL}};
    for (int i = 0; i < 3 && plays; i++)
        if (strcmp(key, taken[i][0]) == 0) return taken[i][1];
    return key;
}

static float find_indent(const char *const *pairs) {
    float indent = 96;
    for (; pairs[0]; pairs += 2) indent = fmaxf(indent, (float)font_text_width(pairs[0]) + 12);
    return indent;
}

// Returns the height of the list. Without a picture it only measures.
static float draw_list(const demo_picture *picture, key_list list, bool plays, float x, float y) {
    if (!list.pairs) return 0;
    float indent = find_indent(list.pairs), top = y;
    if (picture) canvas_text(picture->canvas, x, y, picture->theme->text_heading, list.title);
    y += FONT_LINE + 4;
    for (const char *const *pair = list.pairs; pair[0]; pair += 2) {
        const char *key = find_key(pair[0], plays);
        if (key && picture) {
            canvas_text(picture->canvas, x, y, picture->theme->text, key);
            canvas_text(picture->canvas, x + indent, y, picture->theme->text_dim, pair[1]);
        }
        y += key ? FONT_LINE : 0;
    }
    return y - top + (float)(FONT_LINE / 2);
}

enum { KEYS_COLUMN = 300, KEYS_MARGIN = 14 };

// Returns the height of the highest column. Without a picture it only measures.
static float draw_lists(const demo_picture *picture, const scene *shown, bool can_quit, int columns,
                        float x, float y) {
    enum { LISTS = 5 };
    const key_list lists[LISTS] = {{"This scene", hooks_of(shown)->keys},
                                   {"Tools", tool_keys},
                                   {"Time", time_keys},
                                   {"View", can_quit ? view_keys : view_keys + 2},
                                   {"Solver lab", solver_lab_keys}};
    const int column_of[4][LISTS] = {[1] = {0}, [2] = {0, 0, 1, 1}, [3] = {1, 0, 1, 2, 1}};
    float heights[3] = {0}, highest = 0;
    for (int i = 0; i < LISTS; i++) {
        int column = column_of[columns][i];
        heights[column] += draw_list(picture, lists[i], shown->takes_keys,
                                     x + (float)(column * KEYS_COLUMN), y + heights[column]);
        highest = fmaxf(highest, heights[column]);
    }
    return highest;
}

void captions_draw_keys(const demo_picture *picture, const scene *shown, bool can_quit, float width,
                        float height, float *scroll) {
    int columns = (int)fminf(fmaxf((width - 20) / KEYS_COLUMN, 1), 3);
    float content = draw_lists(NULL, shown, can_quit, columns, 0, 0) + 2 * KEYS_MARGIN + FONT_LINE;
    float box_width = (float)(columns * KEYS_COLUMN + 20), box_height = fminf(content, height);
    demo_area box = {fmaxf((width - box_width) / 2, 0), (height - box_height) / 2,
                     fminf(box_width, width), box_height};
    *scroll = fmaxf(0, fminf(*scroll, content - box_height));
    canvas_flush(picture->canvas);
    demo_paint paint = {picture->theme->panel, picture->theme->panel_edge, 1};
    canvas_rounded(picture->canvas, box, 6, paint);
    demo_area lists = {box.x, box.y, box.w, box.h - FONT_LINE - 8};
    canvas_clip(picture->canvas, &lists);
    draw_lists(picture, shown, can_quit, columns, box.x + 16, box.y + KEYS_MARGIN - *scroll);
    canvas_clip(picture->canvas, NULL);
    canvas_text(picture->canvas, box.x + 16, box.y + box.h - FONT_LINE - 4,
                picture->theme->text_dim,
                content > height ? "wheel, Up, Down: more   any other key: back" : "any key: back");
}

void captions_draw_question(const demo_picture *picture, const char *text, float width,
                            float height) {
    float text_width = (float)font_text_width(text);
    demo_area box = {(width - text_width) / 2 - 24, height / 2 - 28, text_width + 48, 56};
    canvas_flush(picture->canvas);
    demo_paint paint = {picture->theme->panel, picture->theme->accent, 1.5f};
    canvas_rounded(picture->canvas, box, 6, paint);
    canvas_text(picture->canvas, box.x + 24, box.y + 20, picture->theme->text, text);
}
