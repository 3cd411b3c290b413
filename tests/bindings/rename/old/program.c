/* A program for Cairn 0.1. A crate falls, a motor turns a wheel, a lift goes up, and a tile breaks.
 */
#include "../../../../engine/cairn.h"
#include <math.h>
#include <stdio.h>

typedef struct {
    cn_world_def settings;
    cn_world *world;
    cn_body ground, crate, wheel, lift;
    cn_joint hinge;
    cn_tiles tiles;
    float speed; /* not a field of Cairn: cn_joint_set_speed() sets that of a motor */
} game;

static cn_body add(game *g, cn_body_type type, float x, float y, const cn_hull *hull) {
    const cn_body_def def = {.type = type, .position = {{x, y}}, .speed_limit = 50};
    cn_body body = cn_body_create(g->world, &def);
    cn_shape_create(g->world, body, &(cn_shape_def){.hull = *hull});
    return body;
}

static void build(game *g) {
    g->settings.profile = true;
    g->world = cn_world_create(&g->settings);
    cn_hull box = cn_box(0.5f, 0.5f), wheel = cn_regular(6, 0.5f);
    g->ground = cn_body_create(g->world, &(cn_body_def){.type = CN_STATIC});
    const uint8_t solid[4] = {1, 1, 1, 1};
    g->tiles =
        cn_tiles_create(g->world, g->ground,
                        &(cn_tiles_def){.solid = solid, .width = 4, .height = 1, .tile_size = 1});
    g->crate = add(g, CN_DYNAMIC, 1, 3, &box);
    g->wheel = add(g, CN_DYNAMIC, 8, 3, &wheel);
    g->lift = add(g, CN_KINEMATIC, 12, 0, &box);
    cn_joint_def def = cn_revolute_joint(g->world, g->ground, g->wheel, (vec2s){{8, 3}});
    def.angle = (cn_coordinate){.mode = CN_FREE, .motor = true, .speed = 1, .motor_force = 50};
    g->hinge = cn_joint_create(g->world, &def);
    g->speed = def.angle.speed + 1;
}

static int count_awake(game *g) {
    cn_body_state states[8];
    int count = cn_world_bodies(g->world, states, 8, false), awake = 0;
    for (int i = 0; i < count; i++)
        if (states[i].awake) awake++;
    return awake;
}

static void step(game *g) {
    cn_world_step(g->world, 1.0f / 60);
    cn_events events = cn_world_events(g->world);
    for (int i = 0; i < events.begin_count; i++)
        if (events.begins[i].a.tiles.id) printf("tile %d\n", events.begins[i].a.tile);
    if (!cn_body_awake(g->world, g->crate)) cn_body_set_awake(g->world, g->crate, true);
}

int main(void) {
    game g = {.settings = {.gravity = {{0, -10}}}};
    build(&g);
    cn_body_set_pose(g.world, g.crate, (vec2s){{1, 2}}, 0.1f);
    cn_body_set_target(g.world, g.lift, (vec2s){{12, 1}}, 0, 1);
    cn_joint_set_speed(g.world, g.hinge, CN_JOINT_ANGLE, g.speed);
    float mass = cn_body_mass(g.world, g.crate).mass;
    cn_body_apply_center_impulse(g.world, g.crate, (vec2s){{mass, 0}});
    cn_body_apply_impulse(g.world, g.crate, (vec2s){{0, mass}}, cn_body_center(g.world, g.crate));
    for (int i = 0; i < 60; i++) step(&g);
    printf("the wheel turns at %.1f\n", cn_joint_speed(g.world, g.hinge, CN_JOINT_ANGLE));
    cn_tiles_set(g.world, g.tiles, 0, 0, false);
    if (cn_touching(g.world, g.crate, g.ground) && cn_tiles_get(g.world, g.tiles, 1, 0))
        printf("%d bodies are awake\n", count_awake(&g));
    else
        cn_body_set_enabled(g.world, g.crate, false);
    cn_hull probe = cn_hull_at(&(cn_hull){0}, cn_body_pose(g.world, g.crate));
    if (probe.count == 0) printf("%s\n", cn_error());
    cn_side sides[4];
    printf("%d shapes\n", cn_world_at(g.world, cn_body_position(g.world, g.wheel), NULL, sides, 4));
    cn_world_destroy(g.world);
    return 0;
}
