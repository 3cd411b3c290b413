/* The table of hooks: one row for each scene that has some. */
#include "hooks.h"
#include "../lab/lab.h"
#include "labels.h"

extern const scene scene_blast, scene_breakout, scene_character, scene_drive, scene_friction_ramp,
    scene_restitution, scene_mass_ratio, scene_pinball, scene_platformer, scene_pulley,
    scene_rollback, scene_rolling, scene_sensors, scene_pool, scene_top_down_cars;

static const char *const lab_keys[] = {
    "drag",    "move a hull", "wheel, Left, Right", "turn it", "1, 2", "change A, B", "Enter",
    "explain", NULL,
};

static const char *const blast_keys[] = {"drag", "grab", "click beside bodies", "explode", NULL};

static const char *const character_keys[] = {
    "Left, Right or A, D", "walk", "Up, W or Space", "jump", "Down or S", "drop through", NULL,
};

static const char *const breakout_keys[] = {"Left, Right or A, D", "move the paddle", NULL};

static const char *const drive_keys[] = {"Right", "forward", "Left", "back", NULL};

static const char *const pinball_keys[] = {
    "Left, Right", "flip", "hold Down", "pull the plunger", "release", "shoot", NULL,
};

static const char *const platformer_keys[] = {
    "Left, Right or A, D", "run", "Up, W or Space", "jump", "Down or S", "drop through", NULL,
};

static const char *const rollback_keys[] = {
    "Left, Right or A, D", "push the left player", "Up, W or Space", "jump", NULL,
};

static const char *const cars_keys[] = {
    "Left, Right or A, D", "steer", "Up or W", "accelerate", "Down or S", "brake, reverse", NULL,
};

static const scene_hooks table[] = {
    {.scene = &scene_blast, .keys = blast_keys},
    {.scene = &scene_breakout, .keys = breakout_keys},
    {.scene = &scene_character, .keys = character_keys},
    {.scene = &scene_drive, .keys = drive_keys},
    {.scene = &scene_pinball, .keys = pinball_keys},
    {.scene = &scene_platformer, .keys = platformer_keys},
    {.scene = &scene_rollback, .keys = rollback_keys},
    {.scene = &scene_top_down_cars, .keys = cars_keys},
    {.scene = &scene_friction_ramp, .draw = labels_friction},
    {.scene = &scene_rolling, .draw = labels_rolling},
    {.scene = &scene_sensors, .draw = labels_counts},
    {.scene = &scene_pool, .draw = labels_density},
    {.scene = &scene_restitution, .draw = labels_restitution},
    {.scene = &scene_mass_ratio, .draw = labels_mass},
    {.scene = &scene_pulley, .draw = labels_mass},
    {.scene = &scene_sat_lab,
     .keys = lab_keys,
     .draw = lab_draw,
     .rows = lab_rows,
     .event = lab_event},
};

const scene_hooks *hooks_of(const scene *chosen) {
    static const scene_hooks none = {0};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].scene == chosen) return &table[i];
    return &none;
}
