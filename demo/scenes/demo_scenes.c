/* The list of the demo scenes, in the order in which the demo shows them. */
#include "sat_lab.h"

extern const scene scene_stack, scene_pyramid, scene_rain_of_shapes, scene_dominoes,
    scene_card_house, scene_arch, scene_friction_ramp, scene_restitution, scene_mass_ratio,
    scene_mixer, scene_bridge, scene_lorry, scene_chain, scene_hammock, scene_crane,
    scene_cantilever, scene_robot_arm, scene_ragdolls, scene_car, scene_motors, scene_gears,
    scene_pulley, scene_ratchet, scene_seesaw, scene_cradle, scene_soft_welds, scene_tumbling_box,
    scene_bullets, scene_sliding_race, scene_one_way, scene_conveyor, scene_sensors, scene_rolling,
    scene_tiles, scene_cave, scene_character, scene_sight, scene_casts, scene_nearest, scene_clip,
    scene_slice, scene_decompose, scene_blast, scene_pool, scene_wind, scene_planets;

const scene *const demo_scenes[] = {
    &scene_stack,       &scene_pyramid,      &scene_rain_of_shapes, &scene_dominoes,
    &scene_card_house,  &scene_arch,         &scene_friction_ramp,  &scene_rolling,
    &scene_restitution, &scene_mass_ratio,   &scene_mixer,          &scene_bridge,
    &scene_lorry,       &scene_chain,        &scene_hammock,        &scene_crane,
    &scene_cantilever,  &scene_robot_arm,    &scene_ragdolls,       &scene_car,
    &scene_motors,      &scene_gears,        &scene_pulley,         &scene_ratchet,
    &scene_seesaw,      &scene_cradle,       &scene_soft_welds,     &scene_tumbling_box,
    &scene_bullets,     &scene_sliding_race, &scene_tiles,          &scene_cave,
    &scene_one_way,     &scene_conveyor,     &scene_sensors,        &scene_blast,
    &scene_pool,        &scene_wind,         &scene_planets,        &scene_sight,
    &scene_casts,       &scene_nearest,      &scene_clip,           &scene_slice,
    &scene_decompose,   &scene_sat_lab,      &scene_character,      NULL,
};
