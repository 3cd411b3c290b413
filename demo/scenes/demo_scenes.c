/* The scenes of the demo by groups, in the order in which it shows them. */
#include "sat_lab.h"

extern const scene scene_stack, scene_friction_ramp, scene_restitution, scene_rolling,
    scene_mass_ratio, scene_tumbling_box, scene_pyramid, scene_rain_of_shapes, scene_dominoes,
    scene_card_house, scene_arch, scene_mixer, scene_sliding_race, scene_bridge, scene_chain,
    scene_hammock, scene_cantilever, scene_soft_welds, scene_pulley, scene_ratchet, scene_seesaw,
    scene_cradle, scene_gears, scene_motors, scene_ragdolls, scene_car, scene_lorry, scene_crane,
    scene_robot_arm, scene_conveyor, scene_character, scene_one_way, scene_tiles, scene_cave,
    scene_bullets, scene_sight, scene_casts, scene_nearest, scene_sensors, scene_blast, scene_pool,
    scene_wind, scene_planets, scene_clip, scene_slice, scene_decompose, scene_rollback,
    scene_ball_pit, scene_billiards, scene_cloth, scene_marble_run, scene_soft_body,
    scene_top_down_cars;

// A list for each group, and the list of all.
#define FIRST_STEPS                                                                                \
    &scene_stack, &scene_friction_ramp, &scene_restitution, &scene_rolling, &scene_mass_ratio,     \
        &scene_tumbling_box
#define STACKS                                                                                     \
    &scene_pyramid, &scene_rain_of_shapes, &scene_dominoes, &scene_card_house, &scene_arch,        \
        &scene_mixer, &scene_sliding_race, &scene_ball_pit
#define JOINTS                                                                                     \
    &scene_bridge, &scene_chain, &scene_hammock, &scene_cantilever, &scene_soft_welds,             \
        &scene_pulley, &scene_ratchet, &scene_seesaw, &scene_cradle, &scene_gears, &scene_motors,  \
        &scene_ragdolls, &scene_cloth, &scene_soft_body
#define MACHINES                                                                                   \
    &scene_car, &scene_lorry, &scene_crane, &scene_robot_arm, &scene_conveyor, &scene_marble_run
#define GAMES                                                                                      \
    &scene_character, &scene_one_way, &scene_tiles, &scene_cave, &scene_bullets, &scene_billiards, \
        &scene_top_down_cars
#define QUERIES           &scene_sight, &scene_casts, &scene_nearest, &scene_sensors
#define FIELDS_AND_BLASTS &scene_blast, &scene_pool, &scene_wind, &scene_planets
#define LABS              &scene_sat_lab, &scene_clip, &scene_slice, &scene_decompose, &scene_rollback

const scene *const demo_scenes[] = {FIRST_STEPS,       STACKS, JOINTS, MACHINES, GAMES, QUERIES,
                                    FIELDS_AND_BLASTS, LABS,   NULL};

static const scene *const list_of_first_steps[] = {FIRST_STEPS, NULL};
static const scene *const list_of_stacks[] = {STACKS, NULL};
static const scene *const list_of_joints[] = {JOINTS, NULL};
static const scene *const list_of_machines[] = {MACHINES, NULL};
static const scene *const list_of_games[] = {GAMES, NULL};
static const scene *const list_of_queries[] = {QUERIES, NULL};
static const scene *const list_of_fields_and_blasts[] = {FIELDS_AND_BLASTS, NULL};
static const scene *const list_of_labs[] = {LABS, NULL};

const scene_group scene_groups[] = {{"First steps", list_of_first_steps},
                                    {"Stacks", list_of_stacks},
                                    {"Joints", list_of_joints},
                                    {"Machines", list_of_machines},
                                    {"Games", list_of_games},
                                    {"Queries", list_of_queries},
                                    {"Fields and blasts", list_of_fields_and_blasts},
                                    {"Labs", list_of_labs},
                                    {"Benchmarks", bench_scenes},
                                    {NULL, NULL}};
