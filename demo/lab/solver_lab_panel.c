/* The panel of the solver lab: the place, from the stage down to the contact; what the engine does
 * there; the impulses; and a curve of how much they still change.
 *
 * The curve has a point for each substep: the largest change of an impulse by solve, and by relax.
 * Its scale is logarithmic. A solver that has converged changes nothing any more. */
#include "../ui/font.h"
#include "solver_lab.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINE = 64, PLOT_HEIGHT = 96, STAGES = 9 }; // STAGES: that are listed at once

// ---- text

// Writes text in as many lines as it needs, but at least the height of `lines`, so that the rows
// below do not move.
static void write_paragraph(demo_panel *panel, const char *text, int lines) {
    for (; *text; lines--) {
        char line[FONT_LINE_BYTES];
        int length = font_line_length(text, panel->rect.w - 2 * PANEL_MARGIN);
        snprintf(line, sizeof line, "%.*s", length, text);
        panel_value(panel, line, "");
        text += length + (text[length] == ' ');
    }
    if (lines > 0) panel_space(panel, (float)(lines * FONT_LINE));
}

static void write_substep(char *text, size_t size, const trace_place *p) {
    if (!p || p->batch < 0)
        snprintf(text, size, "Substep");
    else if (p->substep < 0)
        snprintf(text, size, "Substep: preparing batch %d", p->batch + 1);
    else if (p->substep == p->substeps)
        snprintf(text, size, "Substep: storing batch %d", p->batch + 1);
    else
        snprintf(text, size, "Substep: %d of %d, batch %d", p->substep + 1, p->substeps,
                 p->batch + 1);
}

static void write_place(char text[TRACE_LEVELS][LINE], const trace *shown, const trace_place *p) {
    snprintf(text[TRACE_STAGE], LINE, "Stage: %s", p ? shown->stage_names[p->stage] : "none yet");
    write_substep(text[TRACE_SUBSTEP], LINE, p);
    bool is_pass = p && p->batch >= 0, is_one = p && p->slot >= 0;
    snprintf(text[TRACE_PASS], LINE, "Pass%s%s", is_pass ? ": " : "",
             is_pass ? solver_lab_describe(p).name : "");
    bool has_color = p && p->color >= 0;
    snprintf(text[TRACE_COLOR], LINE, has_color ? "Colour: %d of %d" : "Colour",
             has_color ? p->color + 1 : 0, has_color ? p->colors : 0);
    const char *what = p && p->is_joint ? "Joint" : "Contact";
    snprintf(text[TRACE_CONTACT], LINE, is_one ? "%s: bodies %d and %d" : "%s", what,
             is_one ? p->ends[0] : 0, is_one ? p->ends[1] : 0);
}

// The rows are the levels. A click chooses how far the keys go.
static void draw_place(solver_lab *lab, demo_panel *panel) {
    static char texts[TRACE_LEVELS][LINE]; // static: the address of its text identifies a row
    write_place(texts, solver_lab_shown(lab), solver_lab_place(lab));
    for (int i = 0; i < TRACE_LEVELS; i++)
        if (panel_choice(panel, texts[i], i == (int)lab->level)) lab->level = (trace_level)i;
}

// ---- numbers

static void draw_impulse(demo_panel *panel, const char *name, float impulse, float change) {
    char text[LINE];
    snprintf(text, sizeof text, "%.4g (%+.2g) N s", (double)impulse, (double)change);
    panel_value(panel, name, text);
}

// For a joint, it draws only how the place changes its impulses.
static void draw_impulses(const trace_view *view, demo_panel *panel, const trace_place *p) {
    static const char *const contact[] = {"point 1", "point 2", "friction"};
    static const char *const joint[] = {"x", "y", "angle"};
    bool has_sum = !p->is_joint && p->slot < view->contact_count;
    const trace_impulses *change = &view->change;
    const trace_impulses *now = has_sum ? &view->contacts[p->slot].impulses : change;
    const char *const *names = p->is_joint ? joint : contact;
    draw_impulse(panel, names[0], now->normal[0], change->normal[0]);
    draw_impulse(panel, names[1], now->normal[1], change->normal[1]);
    draw_impulse(panel, names[2], now->friction, change->friction);
}

static void draw_count(demo_panel *panel, const char *name, int count) {
    char text[LINE];
    snprintf(text, sizeof text, "%d", count);
    panel_value(panel, name, text);
}

static void draw_numbers(const solver_lab *lab, demo_panel *panel) {
    const trace_place *p = solver_lab_place(lab);
    const trace_view *view = &lab->view;
    if (p && p->slot >= 0) {
        draw_impulses(view, panel, p);
        return;
    }
    bool is_solved = p && p->batch >= 0;
    draw_count(panel, is_solved ? "islands of the batch" : "touching contacts",
               is_solved ? p->islands : view->touching);
    draw_count(panel, is_solved ? "bodies of the batch" : "pairs that are apart",
               is_solved ? p->bodies : view->apart);
    draw_count(panel, "places in the step", solver_lab_shown(lab)->count);
}

// ---- the curve

typedef struct {
    demo_area area;
    float top, bottom; // powers of ten
    int substeps;
} plot;

static vec2s plot_point(const plot *p, int substep, float value) {
    float x = ((float)substep + 0.5f) / (float)p->substeps;
    float power = value > 0 ? fmaxf(log10f(value), p->bottom) : p->bottom;
    float y = (p->top - power) / (p->top - p->bottom);
    return (vec2s){{p->area.x + x * p->area.w, p->area.y + 2 + y * (p->area.h - 4)}};
}

static void draw_curve(const demo_panel *panel, const plot *p, const trace *of, bool relaxes,
                       uint32_t color) {
    int count = of->substeps < p->substeps ? of->substeps : p->substeps;
    for (int i = 0; i < count; i++) {
        vec2s point = plot_point(p, i, of->residuals[i][relaxes]);
        canvas_disc(panel->canvas, point, 2.5f, (demo_paint){.fill = color});
        if (i == 0) continue;
        canvas_line(panel->canvas, plot_point(p, i - 1, of->residuals[i - 1][relaxes]), point, 1.5f,
                    color);
    }
}

// Makes the scale reach from the smallest to the largest value, by decades, but not more than six.
// Returns false if nothing changes.
static bool find_range(plot *p, const solver_lab *lab) {
    float low = INFINITY, high = 0;
    for (int i = 0; i < 2 * p->substeps; i++) {
        const float *values = lab->traces[i % 2].residuals[i / 2];
        for (int k = 0; k < 2; k++) {
            high = fmaxf(high, values[k]);
            if (values[k] > 0) low = fminf(low, values[k]);
        }
    }
    if (!(high > 0)) return false;
    p->top = ceilf(log10f(high));
    p->bottom = fminf(fmaxf(floorf(log10f(low)), p->top - 6), p->top - 1);
    return true;
}

// Marks the present substep, and writes the scale.
static void draw_scale(const demo_panel *panel, const plot *p, const trace_place *place) {
    const demo_theme *theme = panel->theme;
    char text[LINE];
    if (place && place->batch >= 0 && place->substep >= 0 && place->substep < place->substeps) {
        float width = p->area.w / (float)place->substeps;
        demo_area now = {p->area.x + width * (float)place->substep, p->area.y, width, p->area.h};
        canvas_rect(panel->canvas, now, theme->widget_held);
    }
    for (float power = p->bottom; power <= p->top; power++) {
        float y = p->area.y + 2 + (p->area.h - 4) * (p->top - power) / (p->top - p->bottom);
        canvas_rect(panel->canvas, (demo_area){p->area.x, y, p->area.w, 1}, theme->panel_edge);
    }
    snprintf(text, sizeof text, "1e%d", (int)p->top);
    canvas_text(panel->canvas, p->area.x + 3, p->area.y + 2, theme->text_dim, text);
    snprintf(text, sizeof text, "1e%d", (int)p->bottom);
    canvas_text(panel->canvas, p->area.x + 3, p->area.y + p->area.h - FONT_HEIGHT - 2,
                theme->text_dim, text);
}

static void draw_plot(const solver_lab *lab, demo_panel *panel) {
    const trace *shown = solver_lab_shown(lab), *other = &lab->traces[!lab->is_cold];
    panel_label(panel, "Largest change of an impulse, N s");
    plot p = {.area = panel_area(panel, PLOT_HEIGHT), .substeps = lab->substeps};
    canvas_rect(panel->canvas, p.area, panel->theme->widget);
    uint32_t colors[] = {panel->theme->accent, panel->theme->gap,
                         color_fade(panel->theme->text_dim, 0.8f)};
    if (find_range(&p, lab)) {
        draw_scale(panel, &p, solver_lab_place(lab));
        draw_curve(panel, &p, other, false, colors[2]);
        draw_curve(panel, &p, shown, true, colors[1]);
        draw_curve(panel, &p, shown, false, colors[0]);
    } else {
        canvas_text(panel->canvas, p.area.x + 6, p.area.y + 4, panel->theme->text_dim,
                    shown->substeps ? "no impulse changes" : "no body is awake");
    }
    const char *names[] = {"solve", "relax", lab->is_cold ? "solve, warm" : "solve, no warm start"};
    panel_legend(panel, names, colors, 3);
}

// ---- the panel

static void draw_stages(const solver_lab *lab, demo_panel *panel) {
    const trace *shown = solver_lab_shown(lab);
    const trace_place *p = solver_lab_place(lab);
    int now = p ? p->stage : -1, last = shown->stages > STAGES ? shown->stages - STAGES : 0;
    int first = now < STAGES / 2 ? 0 : now - STAGES / 2 < last ? now - STAGES / 2 : last;
    panel_heading(panel, "Stages of the step");
    for (int i = first; i < shown->stages && i < first + STAGES; i++) {
        char number[LINE];
        snprintf(number, sizeof number, "%d", i + 1);
        panel_bar(panel, shown->stage_names[i], number, i == now ? 1 : 0);
    }
}

static void draw_buttons(solver_lab *lab, demo_panel *panel, demo_stage *stage) {
    const char *const buttons[] = {"Back", lab->plays ? "Stop" : "Play", "Next", "Step"};
    static const int keys[] = {KEY_LEFT, ' ', KEY_RIGHT, KEY_ENTER};
    int clicked = panel_buttons(panel, buttons, 4);
    if (clicked < 0) return;
    demo_event event = {.kind = EVENT_KEY, .key = keys[clicked]};
    solver_lab_event(lab, stage, &event, false);
}

static void draw_warm_start(solver_lab *lab, demo_panel *panel, demo_stage *stage) {
    static bool is_warm;
    is_warm = !lab->is_cold;
    if (panel_check(panel, "Warm start", "W", &is_warm))
        solver_lab_event(lab, stage, &(demo_event){.kind = EVENT_KEY, .key = 'w'}, false);
}

static const char *find_result(const solver_lab *lab) {
    if (lab->is_cold) return "The world takes the step with its warm start.";
    if (lab->compared == STEP_DIFFERS) return "The last step differs from its trace.";
    return lab->compared == STEP_IS_SAME ? "The last step had the same bits as its trace."
                                         : "This is the next step of the world.";
}

static void draw_slider(solver_lab *lab, demo_panel *panel, demo_stage *stage) {
    const int count = solver_lab_shown(lab)->count;
    char text[LINE];
    if (panel->mouse->held != &lab->slider) lab->slider = (float)lab->at;
    snprintf(text, sizeof text, "%d", lab->at);
    if (panel_slider(panel, "Place", text, &lab->slider, 0, (float)count))
        solver_lab_go_to(lab, stage, (int)lroundf(lab->slider));
}

// A step in which all bodies sleep has nothing to show.
static const char *find_beginning(const solver_lab *lab) {
    return solver_lab_shown(lab)->substeps
               ? "The step begins."
               : "No body is awake, so nothing is solved. R restarts the scene.";
}

void solver_lab_rows(solver_lab *lab, demo_panel *panel, demo_stage *stage) {
    draw_buttons(lab, panel, stage);
    if (!lab->is_open) return; // the stage failed
    draw_slider(lab, panel, stage);
    if (!lab->is_open) return;
    draw_place(lab, panel);
    panel_space(panel, 4);
    const trace_place *p = solver_lab_place(lab);
    write_paragraph(panel, p ? solver_lab_describe(p).sentence : find_beginning(lab), 3);
    draw_numbers(lab, panel);
    panel_space(panel, 6);
    draw_warm_start(lab, panel, stage);
    if (!lab->is_open) return;
    draw_plot(lab, panel);
    panel_space(panel, 4);
    draw_stages(lab, panel);
    panel_space(panel, 4);
    write_paragraph(panel, find_result(lab), 2);
    if (panel_button(panel, "Close the lab", "F4")) solver_lab_close(lab, stage);
}
