/* Draws a column one pixel wide for each step. The scale is the longest time, rounded up. */
#include "graph.h"
#include "font.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HEIGHT = 64 };

static const struct {
    const char *name;
    const char *stages[5]; // of the profile, ended by NULL; the last group has all others
} groups[GRAPH_GROUPS] = {
    {"contacts", {"find pairs", "prepare contacts", "update contacts", "pre-solve", NULL}},
    {"islands", {"plan islands", "sleep", "begin changes", NULL}},
    {"solver", {"solve islands", NULL}},
    {"other", {NULL}},
};

static int group_of(const char *stage) {
    for (int g = 0; g < GRAPH_GROUPS; g++)
        for (int i = 0; groups[g].stages[i]; i++)
            if (strcmp(groups[g].stages[i], stage) == 0) return g;
    return GRAPH_GROUPS - 1;
}

void graph_add(graph *g, const cn_profile *profile) {
    float *column = g->columns[g->next];
    memset(column, 0, sizeof g->columns[0]);
    for (int i = 0; i < profile->count; i++)
        column[group_of(profile->names[i])] += (float)(profile->seconds[i] * 1e6);
    g->next = (g->next + 1) % GRAPH_STEPS;
    if (g->count < GRAPH_STEPS) g->count++;
}

static uint32_t color_of(const demo_theme *theme, int group) {
    const uint32_t colors[GRAPH_GROUPS] = {theme->class_fills[CLASS_CIRCLE],
                                           theme->class_fills[CLASS_CAPSULE],
                                           theme->class_fills[CLASS_BOX], theme->static_outline};
    return colors[group];
}

static float total_of(const float *column) {
    float total = 0;
    for (int g = 0; g < GRAPH_GROUPS; g++) total += column[g];
    return total;
}

// Returns 1, 2 or 5 times a power of ten, at least `value`.
static float round_up(float value) {
    float power = powf(10, floorf(log10f(fmaxf(value, 1))));
    for (int i = 0; i < 3; i++) {
        static const float steps[] = {1, 2, 5};
        if (value <= steps[i] * power) return steps[i] * power;
    }
    return 10 * power;
}

static void draw_columns(demo_panel *panel, const graph *g, demo_area area, float scale) {
    int shown = (int)area.w < g->count ? (int)area.w : g->count;
    for (int i = 0; i < shown; i++) {
        const float *column = g->columns[(g->next - 1 - i + 2 * GRAPH_STEPS) % GRAPH_STEPS];
        float x = area.x + area.w - 1 - (float)i, bottom = area.y + area.h;
        for (int group = 0; group < GRAPH_GROUPS; group++) {
            float height = fminf(column[group] / scale * area.h, bottom - area.y);
            if (height < 0.25f) continue;
            canvas_rect(panel->canvas, (demo_area){x, bottom - height, 1, fmaxf(height, 1)},
                        color_of(panel->theme, group));
            bottom -= height;
        }
    }
}

void graph_draw(demo_panel *panel, const graph *g) {
    demo_area area = panel_area(panel, HEIGHT);
    float longest = 1;
    for (int i = 0; i < g->count; i++) longest = fmaxf(longest, total_of(g->columns[i]));
    float scale = round_up(longest);
    canvas_rect(panel->canvas, area, panel->theme->widget);
    draw_columns(panel, g, area, scale);
    char text[32];
    snprintf(text, sizeof text, "%g " FONT_TEXT_MICRO "s", (double)scale);
    canvas_text(panel->canvas, area.x + 3, area.y + 1, panel->theme->text_dim, text);
    const char *names[GRAPH_GROUPS];
    uint32_t colors[GRAPH_GROUPS];
    for (int i = 0; i < GRAPH_GROUPS; i++)
        names[i] = groups[i].name, colors[i] = color_of(panel->theme, i);
    panel_legend(panel, names, colors, GRAPH_GROUPS);
}
