/* The README's program in a game loop. Frames have uneven lengths. The world advances in
 * steps of 1/60 s, and the drawn poses are interpolated between steps. Prints the height at which
 * the crate comes to rest. */
#include <cairn.h>

#include <stdio.h>

int main(void) {
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
    cn_shape_def slab = {.hull = cn_box(50, 1)};
    cn_body_create(world, &(cn_body_def){.type = CN_STATIC, .shapes = &slab, .shape_count = 1});

    cn_shape_def wood = {.hull = cn_box(0.5f, 0.5f), .density = 2, .material = {.friction = 0.4f}};
    cn_body crate = cn_body_create(
        world, &(cn_body_def){.position = {{0, 10}}, .shapes = &wood, .shape_count = 1});
    if (!crate.id) { // a null handle: the call failed, and cn_error() says why
        fprintf(stderr, "hello: %s\n", cn_error());
        return 1;
    }

    for (int frame = 0; frame < 180; frame++) {
        float seconds = frame % 3 ? 0.016f : 0.018f; // in a game: the time since the last frame
        if (cn_world_advance(world, seconds) < 0) break;
        cn_pose drawn = cn_body_drawn_pose(world, crate); // in a game: draw the crate here
        if (frame % 30 == 0) printf("%3d: the crate is at height %.3f\n", frame, drawn.position.y);
    }

    vec2s p = cn_body_position(world, crate);
    printf("the crate rests at a height of %.3f\n", p.y);
    cn_world_destroy(world);
}
