/* A world with one body of each type, for the tests of mistakes. */
#ifndef TESTS_SMALL_STAGE_H
#define TESTS_SMALL_STAGE_H

#include "refuse.h"

typedef struct {
    cn_world *world;
    cn_body dynamic, kinematic, ground;
    cn_shape shape; // of the dynamic body
} stage;

static inline stage make_stage(void) {
    cn_shape_def box = {.hull = cn_box(1, 1)};
    stage s = {.world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}})};
    assert_non_null(s.world);
    s.dynamic = add(s.world, (cn_body_def){.position = {{0, 5}}}, box);
    s.kinematic = add(s.world, (cn_body_def){.type = CN_KINEMATIC, .position = {{5, 5}}}, box);
    s.ground = add(s.world, (cn_body_def){.type = CN_STATIC}, box);
    s.shape = cn_body_next_shape(s.world, s.dynamic, (cn_shape){0});
    run(s.world, 3);
    unchanged_world = s.world;
    return s;
}

static inline void end_stage(stage *s) {
    unchanged_world = NULL;
    cn_world_destroy(s->world);
}

#endif
