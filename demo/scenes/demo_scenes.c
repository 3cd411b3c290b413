/* The scenes of the demo by groups, in the order in which it shows them. A scene is one X(...),
 * with the name of its variable without scene_. */
#include "scene.h"

#define FIRST_STEPS(X)                                                                             \
    X(stack)                                                                                       \
    X(friction_ramp)                                                                               \
    X(restitution)                                                                                 \
    X(rolling)                                                                                     \
    X(mass_ratio)                                                                                  \
    X(tumbling_box)
#define STACKS(X)                                                                                  \
    X(pyramid)                                                                                     \
    X(rain_of_shapes)                                                                              \
    X(dominoes)                                                                                    \
    X(card_house)                                                                                  \
    X(arch)                                                                                        \
    X(mixer)                                                                                       \
    X(sliding_race)                                                                                \
    X(ball_pit)
#define JOINTS(X)                                                                                  \
    X(bridge)                                                                                      \
    X(chain)                                                                                       \
    X(hammock)                                                                                     \
    X(cantilever)                                                                                  \
    X(soft_welds)                                                                                  \
    X(pulley)                                                                                      \
    X(ratchet)                                                                                     \
    X(seesaw)                                                                                      \
    X(cradle)                                                                                      \
    X(gears)                                                                                       \
    X(motors)                                                                                      \
    X(ragdolls)                                                                                    \
    X(cloth)                                                                                       \
    X(soft_body)
#define MACHINES(X)                                                                                \
    X(car)                                                                                         \
    X(lorry)                                                                                       \
    X(crane)                                                                                       \
    X(wrecking_ball)                                                                               \
    X(robot_arm)                                                                                   \
    X(conveyor)                                                                                    \
    X(marble_run)                                                                                  \
    X(walker)                                                                                      \
    X(trebuchet)                                                                                   \
    X(catapult)
#define GAMES(X)                                                                                   \
    X(character)                                                                                   \
    X(platformer)                                                                                  \
    X(breakout)                                                                                    \
    X(drive)                                                                                       \
    X(one_way)                                                                                     \
    X(tiles)                                                                                       \
    X(cave)                                                                                        \
    X(bullets)                                                                                     \
    X(billiards)                                                                                   \
    X(pinball)                                                                                     \
    X(top_down_cars)
#define QUERIES(X)                                                                                 \
    X(sight)                                                                                       \
    X(casts)                                                                                       \
    X(nearest)                                                                                     \
    X(sensors)
#define FIELDS_AND_BLASTS(X)                                                                       \
    X(blast)                                                                                       \
    X(pool)                                                                                        \
    X(wind)                                                                                        \
    X(planets)
#define LABS(X)                                                                                    \
    X(sat_lab)                                                                                     \
    X(clip)                                                                                        \
    X(lite)                                                                                        \
    X(slice)                                                                                       \
    X(decompose)                                                                                   \
    X(rollback)

#define ALL(X)                                                                                     \
    FIRST_STEPS(X) STACKS(X) JOINTS(X) MACHINES(X) GAMES(X) QUERIES(X) FIELDS_AND_BLASTS(X) LABS(X)

#define DECLARE(NAME) extern const scene scene_##NAME;
#define ENTRY(NAME)   &scene_##NAME,

ALL(DECLARE)

const scene *const demo_scenes[] = {ALL(ENTRY) NULL};

static const scene *const list_of_first_steps[] = {FIRST_STEPS(ENTRY) NULL};
static const scene *const list_of_stacks[] = {STACKS(ENTRY) NULL};
static const scene *const list_of_joints[] = {JOINTS(ENTRY) NULL};
static const scene *const list_of_machines[] = {MACHINES(ENTRY) NULL};
static const scene *const list_of_games[] = {GAMES(ENTRY) NULL};
static const scene *const list_of_queries[] = {QUERIES(ENTRY) NULL};
static const scene *const list_of_fields_and_blasts[] = {FIELDS_AND_BLASTS(ENTRY) NULL};
static const scene *const list_of_labs[] = {LABS(ENTRY) NULL};

const scene_group scene_groups[] = {
    {"First steps", list_of_first_steps},
    {"Stacks", list_of_stacks},
    {"Joints", list_of_joints},
    {"Machines", list_of_machines},
    {"Games", list_of_games},
    {"Queries", list_of_queries},
    {"Fields and blasts", list_of_fields_and_blasts},
    {"Labs", list_of_labs},
    {"Benchmarks", bench_scenes},
    {NULL, NULL},
};

const scene *scene_find(const char *name) {
    const scene *const *const lists[] = {demo_scenes, bench_scenes, query_scenes};
    const scene *found = NULL;
    for (size_t i = 0; i < sizeof lists / sizeof *lists && !found; i++)
        found = scene_find_in(lists[i], name);
    return found;
}
