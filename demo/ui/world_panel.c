/* The right panel from top to bottom. Each section can be folded. */
#include "world_panel.h"
#include "card.h"
#include "font.h"
#include "../stage/hooks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_SUBSTEPS = 16 };

// ---- simulation

static void draw_time(demo_controls *controls, demo_stage *stage) {
    int first, last;
    char text[32];
    stage_range(stage, &first, &last);
    if (controls->mouse.held != &controls->time) controls->time = (float)stage->run.step;
    float steps = stage->replay ? controls->time - (float)first : (float)last - controls->time;
    const char *name = stage->replay ? "Time" : "Rewind";
    snprintf(text, sizeof text, "%.1f s", (double)(steps * STAGE_STEP));
    if (last > first &&
        panel_slider(&controls->world, name, text, &controls->time, (float)first, (float)last)) {
        stage->paused = true;
        stage_go_to(stage, (int)controls->time);
    }
}

static void draw_speed(demo_panel *panel, demo_stage *stage) {
    static float power; // of ten
    char text[32];
    power = log10f(stage->speed);
    snprintf(text, sizeof text, "%.2g x", (double)stage->speed);
    if (panel_slider(panel, "Speed", text, &power, -1, 1)) {
        stage->speed = powf(10, power);
        if (fabsf(stage->speed - 1) < 0.15f) stage->speed = 1;
    }
}

static void draw_simulation(demo_controls *controls, demo_stage *stage, controls_request *request) {
    demo_panel *panel = &controls->world;
    const char *const buttons[] = {stage->paused ? "Run" : "Pause", "Step", "Restart", "Lab"};
    switch (panel_buttons(panel, buttons, stage->replay ? 3 : 4)) { // no lab for recordings
    case 0: stage->paused = stage->failed || !stage->paused; break;
    case 1: request->step = true; break;
    case 2: request->restart = true; break;
    case 3: request->lab = true; break;
    default: break;
    }
    draw_time(controls, stage);
    draw_speed(panel, stage);
    if (!stage->show) return;
    panel_check(panel, "Sound", "F8", &stage->show->is_heard);
    panel_check(panel, "Dust and sparks", "F7", &stage->show->is_seen);
}

// ---- scene

void parameter_write(char *text, int size, const scene_parameter *p, float value) {
    const char *format = p->is_whole || fabsf(value) >= 100 ? "%.0f%s%s"
                         : *p->unit                         ? "%.2g%s%s"
                                                            : "%.2f%s%s";
    snprintf(text, (size_t)size, format, (double)value, *p->unit ? " " : "", p->unit);
    char *square = strstr(text, "^2"); // scenes name their units in ASCII
    if (square) memcpy(square, FONT_TEXT_SQUARED, 2);
}

static void draw_parameter(demo_panel *panel, demo_stage *stage, int i, controls_request *request) {
    const scene_parameter *p = &stage->run.scene->parameters[i];
    char text[32];
    float *value = &stage->values[i];
    parameter_write(text, sizeof text, p, *value);
    if (!panel_slider(panel, p->name, text, value, p->low, p->high)) return;
    if (p->is_whole) *value = floorf(*value + 0.5f);
    request->restart = request->restart || *value != stage->run.values[i];
}

static void draw_substeps(demo_controls *controls, demo_stage *stage) {
    char text[32];
    snprintf(text, sizeof text, "%d", (int)lroundf(controls->substeps));
    if (!panel_slider(&controls->world, "Substeps", text, &controls->substeps, 1, MAX_SUBSTEPS))
        return;
    stage->options.substeps = (int)lroundf(controls->substeps);
    cn_world_set_substeps(stage->run.world, stage->options.substeps);
}

static void draw_gravity(demo_controls *controls, demo_stage *stage) {
    char text[32];
    vec2s gravity = cn_world_gravity(stage->run.world);
    if (controls->mouse.held != &controls->gravity) controls->gravity = gravity.y;
    snprintf(text, sizeof text, "%.2g m/s" FONT_TEXT_SQUARED, (double)controls->gravity);
    if (panel_slider(&controls->world, "Gravity", text, &controls->gravity, -20, 20)) {
        cn_world_set_gravity(stage->run.world, (vec2s){{gravity.x, controls->gravity}});
    }
}

static void draw_threads(demo_controls *controls, demo_stage *stage, controls_request *request) {
    static float threads;
    char text[32];
    if (controls->max_threads <= 1) return;
    threads = (float)(stage->options.threads > 0 ? stage->options.threads : 1);
    snprintf(text, sizeof text, "%.0f", (double)threads);
    if (!panel_slider(&controls->world, "Threads", text, &threads, 1, (float)controls->max_threads))
        return;
    int chosen = (int)lroundf(threads);
    request->restart = request->restart || chosen != stage->options.threads;
    stage->options.threads = chosen;
}

static void draw_sleeping(demo_panel *panel, demo_stage *stage) {
    static bool sleeping;
    sleeping = !cn_world_no_sleep(stage->run.world);
    if (panel_check(panel, "Bodies may sleep", NULL, &sleeping))
        cn_world_set_no_sleep(stage->run.world, !sleeping);
}

static void draw_scene(demo_controls *controls, demo_stage *stage, controls_request *request) {
    demo_panel *panel = &controls->world;
    const scene_parameter *all = stage->run.scene->parameters;
    for (int i = 0; all && all[i].name; i++) draw_parameter(panel, stage, i, request);
    draw_gravity(controls, stage);
    draw_substeps(controls, stage);
    draw_threads(controls, stage, request);
    draw_sleeping(panel, stage);
}

// ---- tools

static void draw_tools(demo_panel *panel, tool_use *tools) {
    enum { IN_ROW = 4 };
    for (int first = 0, count = IN_ROW; count == IN_ROW && demo_tools[first]; first += IN_ROW) {
        const char *names[IN_ROW];
        int chosen = -1;
        for (count = 0; count < IN_ROW && demo_tools[first + count]; count++) {
            names[count] = demo_tools[first + count]->name;
            if (demo_tools[first + count] == tools->chosen) chosen = count;
        }
        int clicked = panel_toggles(panel, names, count, IN_ROW, chosen);
        if (clicked >= 0) tools_choose(tools, demo_tools[first + clicked]);
    }
    const char *const *variants = tools->chosen->variants;
    if (variants && panel_button(panel, variants[tools->variant], "next"))
        tools->variant = variants[tools->variant + 1] ? tools->variant + 1 : 0;
}

// ---- overlays, times, counts

static void draw_overlay_checks(demo_controls *controls) {
    float shade = controls->world.theme->overlay_shade;
    for (int i = 0; i < OVERLAY_COUNT; i++)
        panel_check_color(&controls->world, overlays[i].label, overlays[i].key,
                          color_mix(overlays[i].color, 0, shade), &controls->overlays[i]);
}

// Moves the shown profile a tenth of the way to that of the last step.
static void average_profile(demo_controls *controls, const demo_stage *stage) {
    cn_profile now = cn_world_profile(stage->run.world), *shown = &controls->profile;
    uint64_t steps = cn_world_counters(stage->run.world).steps;
    if (steps == controls->profiled_steps && shown->count == now.count) return;
    bool fresh = steps < controls->profiled_steps || shown->count != now.count;
    double weight = fresh ? 1 : 0.1;
    controls->profiled_steps = steps;
    shown->count = now.count;
    shown->total += (now.total - shown->total) * weight;
    for (int i = 0; i < now.count; i++) {
        shown->names[i] = now.names[i];
        shown->seconds[i] += (now.seconds[i] - shown->seconds[i]) * weight;
    }
    graph_add(&controls->times, &now);
}

static void draw_times(demo_controls *controls) {
    demo_panel *panel = &controls->world;
    const cn_profile *p = &controls->profile;
    char text[32];
    graph_draw(panel, &controls->times);
    snprintf(text, sizeof text, "%.1f " FONT_TEXT_MICRO "s", p->total * 1e6);
    panel_value(panel, "whole step", text);
    for (int i = 0; i < p->count; i++) {
        if (p->seconds[i] < 0.01 * p->total) continue; // the list stays short
        snprintf(text, sizeof text, "%.1f " FONT_TEXT_MICRO "s", p->seconds[i] * 1e6);
        panel_bar(panel, p->names[i], text, p->total > 0 ? (float)(p->seconds[i] / p->total) : 0);
    }
}

static void draw_count(demo_panel *panel, const char *label, int64_t count) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)count);
    panel_value(panel, label, text);
}

static void draw_count_of(demo_panel *panel, const char *label, int count, int total) {
    char text[32];
    snprintf(text, sizeof text, "%d of %d", count, total);
    panel_value(panel, label, text);
}

static void draw_counts(demo_panel *panel, const cn_world *world) {
    cn_counters c = cn_world_counters(world);
    draw_count_of(panel, "awake bodies", c.awake_bodies, c.bodies);
    draw_count_of(panel, "touching contacts", c.touching, c.contacts);
    draw_count(panel, "sleeping contacts", c.sleeping_touching);
    draw_count(panel, "joints", c.joints);
    draw_count_of(panel, "sleeping islands", c.sleeping_islands, c.islands + c.sleeping_islands);
    draw_count(panel, "solver colours", c.colors);
    draw_count(panel, "SIMD lanes", c.lanes);
    draw_count(panel, "memory, KiB", (int64_t)(c.bytes / 1024));
    draw_count(panel, "steps", (int64_t)c.steps);
}

// ---- the panel

static bool open(demo_controls *controls, panel_section_id section, const char *title) {
    return panel_section(&controls->world, title, &controls->closed[section]);
}

void world_panel_draw(demo_controls *controls, demo_stage *stage, tool_use *tools,
                      controls_request *request) {
    demo_panel *panel = &controls->world;
    const scene_hooks *hooks = hooks_of(stage->run.scene);
    if (open(controls, SECTION_SIMULATION, "Simulation")) draw_simulation(controls, stage, request);
    panel_space(panel, 6);
    if (hooks->rows) hooks->rows(panel, stage);
    if (!stage->replay && open(controls, SECTION_SCENE, "Scene"))
        draw_scene(controls, stage, request);
    panel_space(panel, 6);
    if (!stage->replay && open(controls, SECTION_TOOLS, "Tools")) draw_tools(panel, tools);
    panel_space(panel, 6);
    if (cn_body_valid(stage->run.world, controls->picked) && open(controls, SECTION_BODY, "Body"))
        card_draw(panel, stage->run.world, controls->picked);
    panel_space(panel, 6);
    if (open(controls, SECTION_OVERLAYS, "Overlays")) draw_overlay_checks(controls);
    panel_space(panel, 6);
    average_profile(controls, stage);
    if (controls->profile.count && open(controls, SECTION_TIMES, "Time per step"))
        draw_times(controls);
    panel_space(panel, 6);
    if (open(controls, SECTION_COUNTS, "Counts")) draw_counts(panel, stage->run.world);
}
