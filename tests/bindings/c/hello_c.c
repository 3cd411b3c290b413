/* The README's first program, using nothing but the public header. Built as C11 and as C17. */
#include "../../../engine/cairn.h"

#include <math.h>
#include <stdio.h>

int main(void) {
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
    cn_shape_def slab = {.hull = cn_box(50, 1)};
    cn_body_create(world, &(cn_body_def){.type = CN_STATIC, .shapes = &slab, .shape_count = 1});

    cn_shape_def wood = {.hull = cn_box(0.5f, 0.5f), .density = 2, .material = {.friction = 0.4f}};
    cn_body crate = cn_body_create(
        world, &(cn_body_def){.position = {{0, 10}}, .shapes = &wood, .shape_count = 1});

    for (int i = 0; i < 180; i++)
        if (!cn_world_step(world, 1.0f / 60)) break;

    vec2s p = cn_body_position(world, crate);
    printf("the crate rests at a height of %.3f\n", p.y);
    bool rests = fabsf(p.x) < 0.01f && fabsf(p.y - 1.5f) < 0.01f;
    if (!rests) fprintf(stderr, "not where it should be: %s\n", cn_error());
    cn_world_destroy(world);
    return rests ? 0 : 1;
}
