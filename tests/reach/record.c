/* Records a game that uses many kinds of calls, for the bindings to replay:
 *
 *     record FILE       writes the recording, and prints the hash at its end */
#include "../../engine/cairn.h"

#include <inttypes.h>
#include <stdio.h>

static bool write_to_file(const void *bytes, size_t size, void *file) {
    return fwrite(bytes, 1, size, file) == size;
}

// Lets contacts be slippery now and then: a replay needs the recorded answers.
static cn_pre_solve_result pre_solve(cn_world *world, const cn_contact *contact, void *user) {
    (void)world;
    int *calls = user;
    return (cn_pre_solve_result){.changed = ++*calls % 7 == 0,
                                 .friction = 0.02f,
                                 .restitution = contact->restitution,
                                 .surface_speed = contact->surface_speed};
}

static void play(cn_world *world) {
    cn_body ground = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    uint8_t solid[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 1};
    cn_tiles tiles = cn_tiles_create(
        world, ground,
        &(cn_tiles_def){
            .solid = solid, .width = 8, .height = 2, .tile_size = 2, .origin = {{-8, -3}}});
    vec2s floor[] = {{{60, -1}}, {{8, -1}}};
    cn_chain_create(world, ground, &(cn_chain_def){.points = floor, .count = 2});
    cn_body first = {0}, previous = ground;
    for (int i = 0; i < 40; i++) {
        cn_body_def def = {.position = {{(float)(i % 8) - 4, 2 + (float)(i / 8)}}};
        cn_body body = cn_body_create(world, &def);
        if (i == 0) first = body;
        cn_shape_create(world, body,
                        &(cn_shape_def){.hull = i % 2 ? cn_circle(0.4f) : cn_box(0.4f, 0.4f)});
        if (i % 8 == 3) {
            cn_joint_def hinge = cn_revolute_joint(world, previous, body, def.position);
            cn_joint_create(world, &hinge);
            previous = body;
        }
    }
    for (int i = 0; i < 240; i++) {
        if (i % 30 == 0) cn_body_apply_center_impulse(world, first, (vec2s){{2, 6}});
        if (i == 60) cn_tiles_set(world, tiles, 3, 0, false);
        if (i == 120)
            cn_world_explode(world, &(cn_explosion){.radius = 3, .impulse_per_length = 4});
        if (i == 180) cn_body_destroy(world, first), first = cn_world_next_body(world, ground);
        cn_world_step(world, 1.0f / 60);
    }
}

int main(int count, char **arguments) {
    FILE *file = count == 2 ? fopen(arguments[1], "wb") : NULL;
    if (!file) return 2;
    int calls = 0;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
    cn_world_set_callbacks(world, (cn_callbacks){.pre_solve = pre_solve, .user = &calls});
    cn_recording_begin(world, &(cn_recording_sink){write_to_file, file});
    play(world);
    bool complete = cn_recording_end(world);
    printf("%016" PRIx64 "\n", cn_world_hash(world));
    cn_world_destroy(world);
    if (cn_error_code()) fprintf(stderr, "%s\n", cn_error());
    return fclose(file) || !complete || cn_error_code() != CN_ERROR_NONE;
}
