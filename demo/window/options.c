/* Reads the command line. A table has a row for each option: its name, its value and the function
 * that reads it. The help text is printed from the same table. */
#include "options.h"
#include "../stage/overlays.h"
#include "../stage/playback.h"
#include "record.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name, *value; // value: its name in the help text, NULL for a switch
    const char *help;
    bool (*read)(demo_options *options, const char *value);
} option;

static bool report_error(const char *format, ...) {
    va_list values;
    va_start(values, format);
    fputs("cairn-demo: ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    return false;
}

static bool read_number(const char *name, const char *text, int low, int high, int *number) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end || errno || value < low || value > high)
        return report_error("%s must be a whole number from %d to %d, not '%s'", name, low, high,
                            text);
    *number = (int)value;
    return true;
}

static bool read_list(demo_options *options, const char *value) {
    (void)value;
    return options->list = true;
}

static bool read_help(demo_options *options, const char *value) {
    (void)value;
    return options->help = true;
}

static bool read_headless(demo_options *options, const char *value) {
    (void)value;
    return options->headless = true;
}

static bool read_light(demo_options *options, const char *value) {
    (void)value;
    return options->light = true;
}

static bool read_panels(demo_options *options, const char *value) {
    (void)value;
    return options->panels = true;
}

static bool read_mute(demo_options *options, const char *value) {
    (void)value;
    return options->mute = true;
}

static bool read_effects(demo_options *options, const char *value) {
    (void)value;
    return options->effects = true;
}

static bool read_sound(demo_options *options, const char *value) {
    if (!record_has_ending(value, ".wav"))
        return report_error("--sound needs a .wav file, not '%s'", value);
    options->sound = value;
    return true;
}

static bool read_steps(demo_options *options, const char *value) {
    return read_number("--steps", value, 0, 1000000000, &options->steps);
}

static bool read_lab(demo_options *options, const char *value) {
    return read_number("--lab", value, 0, 1000000000, &options->lab);
}

static bool read_threads(demo_options *options, const char *value) {
    return read_number("--threads", value, 1, 64, &options->world.threads);
}

static bool read_substeps(demo_options *options, const char *value) {
    return read_number("--substeps", value, 1, 64, &options->world.substeps);
}

static bool read_lanes(demo_options *options, const char *value) {
    int lanes = 0;
    if (!read_number("--lanes", value, 0, 16, &lanes)) return false;
    if (lanes != 0 && lanes != 1 && lanes != 4 && lanes != 8 && lanes != 16)
        return report_error(
            "--lanes must be 1, 4, 8, 16, or 0 for the best of this machine, not %d", lanes);
    options->world.lanes = lanes;
    return true;
}

static bool read_size(demo_options *options, const char *value) {
    int width, height, length = 0;
    if (sscanf(value, "%5dx%5d%n", &width, &height, &length) != 2 || value[length] || width < 160 ||
        height < 120 || width > 7680 || height > 4320)
        return report_error("--size must be WIDTHxHEIGHT from 160x120 to 7680x4320, not '%s'",
                            value);
    options->width = width;
    options->height = height;
    return true;
}

static bool read_screenshot(demo_options *options, const char *value) {
    if (!record_has_ending(value, ".png"))
        return report_error("--screenshot needs a .png file, not '%s'", value);
    options->screenshot = value;
    return true;
}

static bool read_record(demo_options *options, const char *value) {
    if (record_format_of(value) == RECORD_UNKNOWN)
        return report_error("--record needs a .gif file, an .mp4 file or a directory, not '%s'",
                            value);
    options->record = value;
    return true;
}

static bool read_calls(demo_options *options, const char *value) {
    if (!record_has_ending(value, ".cairn"))
        return report_error("--calls needs a .cairn file, not '%s'", value);
    options->calls = value;
    return true;
}

static bool read_set(demo_options *options, const char *value) {
    if (options->set_count == SCENE_MAX_PARAMETERS || !strchr(value, '='))
        return report_error("--set needs NAME=VALUE, up to %d times, not '%s'",
                            SCENE_MAX_PARAMETERS, value);
    options->sets[options->set_count++] = value;
    return true;
}

// Applies a --set to the parameters of the scene.
static bool apply_set(demo_options *options, const char *text) {
    size_t length = (size_t)(strchr(text, '=') - text);
    const scene_parameter *all = options->scene->parameters;
    for (int i = 0; all && all[i].name; i++) {
        if (strlen(all[i].name) != length || memcmp(all[i].name, text, length) != 0) continue;
        char *end;
        float value = strtof(text + length + 1, &end);
        if (end == text + length + 1 || *end || !(value >= all[i].low && value <= all[i].high))
            return report_error("%s must be a number from %g to %g%s%s, not '%s'", all[i].name,
                                (double)all[i].low, (double)all[i].high, *all[i].unit ? " " : "",
                                all[i].unit, text + length + 1);
        options->values[i] = value;
        return true;
    }
    report_error("the scene %s has no parameter '%.*s'%s", options->scene->name, (int)length, text,
                 all ? "; it has:" : "");
    for (int i = 0; all && all[i].name; i++)
        fprintf(stderr, "  %s (%g to %g%s%s)\n", all[i].name, (double)all[i].low,
                (double)all[i].high, *all[i].unit ? " " : "", all[i].unit);
    return false;
}

static bool apply_sets(demo_options *options) {
    scene_default_values(options->scene, options->values);
    for (int i = 0; i < options->set_count; i++)
        if (!apply_set(options, options->sets[i])) return false;
    return true;
}

static const overlay *find_overlay(const char *name, size_t length) {
    for (int i = 0; i < OVERLAY_COUNT; i++)
        if (strlen(overlays[i].name) == length && memcmp(overlays[i].name, name, length) == 0)
            return &overlays[i];
    return NULL;
}

static bool read_overlays(demo_options *options, const char *value) {
    options->overlays = 0;
    while (*value) {
        size_t length = strcspn(value, ",");
        const overlay *found = find_overlay(value, length);
        if (!found)
            return report_error("there is no overlay '%.*s' (--help lists them)", (int)length,
                                value);
        options->overlays |= found->flag;
        value += length + (value[length] == ',');
    }
    return true;
}

static const option table[] = {
    {"--list", NULL, "list the scenes and exit", read_list},
    {"--headless", NULL, "open no window; print one line of results", read_headless},
    {"--steps", "N", "exit after N steps of 1/60 s", read_steps},
    {"--screenshot", "FILE.png", "write the last picture to FILE.png", read_screenshot},
    {"--record", "FILE",
     "write a film to FILE.gif or FILE.mp4, or numbered pictures to a directory;\n"
     "                          replaces older ones",
     read_record},
    {"--calls", "FILE",
     "record all calls to FILE.cairn, also those before a crash;\n"
     "                          cairn-demo FILE.cairn plays them",
     read_calls},
    {"--size", "WxH", "size of the window or picture in pixels", read_size},
    {"--set", "NAME=VALUE", "a parameter of the scene, such as rows=10 of pyramid", read_set},
    {"--threads", "N", "threads for the simulation", read_threads},
    {"--lanes", "N", "SIMD lanes: 1, 4, 8, 16, or 0 for the best of this machine", read_lanes},
    {"--substeps", "N", "solver substeps in a step", read_substeps},
    {"--overlay", "A,B,...", "overlays to draw, from the list below", read_overlays},
    {"--lab", "N", "with --headless, draw the solver lab after N places of the next step",
     read_lab},
    {"--panels", NULL, "with --headless, draw the panels, too", read_panels},
    {"--effects", NULL, "with --headless, draw dust and sparks, too", read_effects},
    {"--sound", "FILE.wav", "with --headless, write the sound of the steps to FILE.wav",
     read_sound},
    {"--mute", NULL, "begin without sound", read_mute},
    {"--light", NULL, "use the light theme", read_light},
    {"--help", NULL, "print this help and exit", read_help},
};
enum { OPTION_COUNT = sizeof table / sizeof *table };

static const option *find_option(const char *name) {
    for (int i = 0; i < OPTION_COUNT; i++)
        if (strcmp(table[i].name, name) == 0) return &table[i];
    return NULL;
}

static bool read_scene(demo_options *options, const char *name) {
    if (options->scene)
        return report_error("only one scene can be shown, '%s' or '%s'", options->scene->name,
                            name);
    if (record_has_ending(name, ".cairn")) return (options->scene = playback_load(name));
    options->scene = scene_find(name);
    return options->scene || report_error("there is no scene '%s' (--list lists them)", name);
}

bool options_parse(demo_options *options, int count, char **arguments) {
    *options = (demo_options){
        .steps = -1, .lab = -1, .width = 1280, .height = 720, .overlays = OVERLAY_DEFAULT};
    for (int i = 1; i < count; i++) {
        const char *argument = arguments[i];
        if (argument[0] != '-') {
            if (!read_scene(options, argument)) return false;
            continue;
        }
        const option *found = find_option(argument);
        if (!found) return report_error("there is no option '%s' (--help lists them)", argument);
        if (found->value && (++i == count || strncmp(arguments[i], "--", 2) == 0))
            return report_error("%s needs a value: %s", argument, found->value);
        if (!found->read(options, arguments[i])) return false;
    }
    if (!options->scene) options->scene = demo_scenes[0];
    if (options->overlays == OVERLAY_DEFAULT)
        options->overlays = OVERLAY_SLEEP | options->scene->overlays;
    return apply_sets(options);
}

void options_print_help(void) {
    puts("usage: cairn-demo [SCENE | FILE.cairn] [OPTION]...\n\n"
         "Shows a scene of the Cairn physics engine. Without SCENE, shows the first one of "
         "--list.\n");
    for (int i = 0; i < OPTION_COUNT; i++)
        printf("  %-12s %-10s %s\n", table[i].name, table[i].value ? table[i].value : "",
               table[i].help);
    printf("\noverlays:");
    for (int i = 0; i < OVERLAY_COUNT; i++) printf(" %s", overlays[i].name);
    putchar('\n');
}

static void print_list(const scene *const *list) {
    for (; *list; list++) printf("%-16s %s\n", (*list)->name, (*list)->title);
}

void options_print_scenes(void) {
    print_list(demo_scenes);
    print_list(bench_scenes);
}
