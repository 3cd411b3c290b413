/* The list of the demo's scenes, in the order in which it shows them. */
#include "sat_lab.h"

extern const scene scene_stack, scene_pyramid, scene_rain_of_shapes, scene_dominoes,
    scene_card_house, scene_arch, scene_friction_ramp, scene_restitution, scene_mass_ratio,
    scene_mixer, scene_sliding_race, scene_tiles;

const scene *const demo_scenes[] = {
    &scene_stack,
    &scene_pyramid,
    &scene_rain_of_shapes,
    &scene_dominoes,
    &scene_card_house,
    &scene_arch,
    &scene_friction_ramp,
    &scene_restitution,
    &scene_mass_ratio,
    &scene_mixer,
    &scene_sliding_race,
    &scene_tiles,
    &scene_sat_lab,
    NULL,
};
