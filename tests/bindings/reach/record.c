/* Records a small game that uses many kinds of calls. The tests of Python and JavaScript replay the
 * recording and must get the same hashes.
 *
 *     record FILE     writes the recording, and prints the hash after each step */
#include "../../../engine/cairn.h"

#include <inttypes.h>
#include <stdio.h>

enum { STEPS = 240, CRATES = 24 };

typedef struct {
    cn_body lift, crates[CRATES];
    float time;
} game;

static bool write_to_file(const void *bytes, size_t size, void *file) {
    return fwrite(bytes, 1, size, file) == size;
}

static void before_step(cn_world *world, float time_step, void *user) {
    game *g = user;
    g->time += time_step;
    float t = g->time - (float)(int)(g->time / 2) * 2; // up for a second, then down
    cn_body_set_target(world, g->lift, cn_pose_at((vec2s){{8, t < 1 ? 1 + t : 3 - t}}, 0),
                       time_step);
    cn_body_apply_force(world, g->crates[0], (vec2s){{20, 0}});
}

static cn_pre_solve_result pre_solve(cn_world *world, const cn_contact *contact, void *user) {
    (void)world, (void)user;
    return (cn_pre_solve_result){.changed = contact->a.tile >= 0 || contact->b.tile >= 0,
                                 .friction = 0.1f};
}

static void make_ground(cn_world *world) {
    uint8_t solid[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1};
    cn_body ground = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    vec2s points[] = {{{60, 0}}, {{12, 0}}, {{6, 0.5f}}, {{0, 0}}, {{-20, 3}}};
    cn_chain_create(world, ground, &(cn_chain_def){.points = points, .count = 5});
    cn_body cave = cn_body_create(world, &(cn_body_def){.type = CN_STATIC, .position = {{14, 0}}});
    cn_grid_create(
        world, cave,
        &(cn_grid_def){.solid = solid, .width = 8, .height = 2, .tile_size = 1, .pre_solve = true});
    cn_shape_create(world, ground,
                    &(cn_shape_def){.hull = cn_box(4, 2),
                                    .sensor = true,
                                    .medium = {.density = 2, .linear_drag = 1}});
}

static void make_crates(cn_world *world, game *g) {
    for (int i = 0; i < CRATES; i++) {
        cn_hull hull = i % 3 == 0   ? cn_circle(0.4f)
                       : i % 3 == 1 ? cn_box(0.4f, 0.3f)
                                    : cn_regular_polygon(5, 0.4f);
        vec2s position = {{(float)(i % 6) * 3 - 2, 4 + (float)(i / 6) * 1.5f}};
        g->crates[i] = cn_body_create(world, &(cn_body_def){.position = position});
        cn_shape_create(
            world, g->crates[i],
            &(cn_shape_def){.hull = hull, .material = {.restitution = 0.3f}, .hit_events = true});
        if (i % 6 == 5) {
            cn_joint_def rope = cn_rope_joint(world, g->crates[i - 1], g->crates[i],
                                              cn_body_position(world, g->crates[i - 1]), position);
            cn_joint_create(world, rope);
        }
    }
    g->lift = cn_body_create(world, &(cn_body_def){.type = CN_KINEMATIC, .position = {{8, 1}}});
    cn_shape_create(world, g->lift, &(cn_shape_def){.hull = cn_box(1.5f, 0.2f)});
}

static void play(cn_world *world, game *g) {
    for (int i = 1; i <= STEPS; i++) {
        if (i == 60) cn_body_destroy(world, g->crates[7]);
        if (i == 90) cn_world_set_gravity(world, (vec2s){{1, -9}});
        if (i == 120)
            cn_world_explode(world, &(cn_explosion){.position = {{4, 0}},
                                                    .radius = 2,
                                                    .falloff = 4,
                                                    .impulse_per_length = 3});
        cn_world_advance(world, 1.0f / 60);
        printf("%016" PRIx64 "\n", cn_world_hash(world));
    }
}

int main(int count, char **arguments) {
    FILE *file = count > 1 ? fopen(arguments[1], "wb") : NULL;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
    if (!file || !world) return 1;
    game g = {0};
    cn_world_set_callbacks(
        world, (cn_callbacks){.pre_solve = pre_solve, .before_step = before_step, .user = &g});
    cn_recording_begin(world, (cn_recording_sink){write_to_file, file});
    make_ground(world);
    make_crates(world, &g);
    play(world, &g);
    cn_recording_end(world);
    cn_world_destroy(world);
    fclose(file);
    if (cn_error_code()) fprintf(stderr, "%s\n", cn_error());
    return cn_error_code() != CN_ERROR_NONE;
}
