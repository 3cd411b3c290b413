// The README's first program in C++: vectors have .x and .y, handles compare, and definitions may
// be passed by reference, in C++20 as temporaries. Built as C++17 and as C++20.
#include "../../../engine/cairn.h"

#include <cmath>
#include <cstdio>
#include <vector>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored                                                                     \
    "-Wmissing-field-initializers" // left out on purpose: zero is the default
#endif

static cn_body add_ground(cn_world *world) {
#if __cplusplus >= 202002L
    cn_body ground = cn_body_create(world, {.type = CN_STATIC});
    cn_shape_create(world, ground, {.hull = cn_box(50, 1)});
#else
    cn_body_def def{};
    def.type = CN_STATIC;
    cn_body ground = cn_body_create(world, def);
    cn_shape_def shape{};
    shape.hull = cn_box(50, 1);
    cn_shape_create(world, ground, shape);
#endif
    return ground;
}

static cn_body add_crate(cn_world *world) {
    cn_body_def def{};
    def.position.y = 10;
    cn_body crate = cn_body_create(world, &def); // the C form works as well
    cn_shape_def shape{};
    shape.hull = cn_box(0.5f, 0.5f);
    shape.density = 2;
    shape.material.friction = 0.4f;
    cn_shape created = cn_shape_create(world, crate, shape);
    return created == cn_shape{} ? cn_body{} : crate;
}

// A rope to the ground, long enough to hang slack.
static bool tie(cn_world *world, cn_body ground, cn_body crate) {
    vec2s on_ground{}, on_crate{};
    on_ground.x = 4, on_ground.y = 1, on_crate.y = 10;
    cn_joint_def def = cn_rope_joint(world, ground, crate, on_ground, on_crate);
    def.collide_connected = true;
    cn_joint rope = cn_joint_create(world, def);
    return !(rope == cn_joint{});
}

static vec2s vector(float x, float y) {
    vec2s v{};
    v.x = x, v.y = y;
    return v;
}

// All queries take their query by reference.
static bool finds(const cn_world *world, cn_body ground, cn_body crate) {
    cn_query query{};
    query.ignore = ground;
    vec2s above = vector(0, 5), down = vector(0, -10), middle = vector(0, 1.5f);
    cn_hull ball = cn_circle(0.25f);
    cn_sweep sweep{};
    sweep.start = cn_pose_at(above, 0), sweep.translation = down;
    cn_ray ray{above, down};
    cn_bounds box{vector(-1, 1), vector(1, 2)};
    cn_world_hit hits[4];
    cn_side sides[4];
    bool all_hit = cn_world_cast_rays(world, &ray, 1, query, hits) && hits[0].side.body == crate &&
                   cn_world_cast_ray_all(world, above, down, query, hits, 4) == 1 &&
                   cn_world_cast_hull(world, ball, sweep, query).side.body == crate;
    bool all_overlap = cn_world_overlap(world, ball, cn_pose_at(middle, 0), query, sides, 4) == 1 &&
                       cn_world_overlap_bounds(world, box, query, sides, 4) == 1 &&
                       cn_world_overlap_point(world, middle, query, sides, 4) == 1;
    cn_move_def walk{};
    walk.query = query;
    bool lands =
        cn_world_move_hull(world, ball, cn_pose_at(above, 0), down, walk).ground.body == crate;
    cn_neighbor nearest = cn_world_nearest(world, ball, cn_pose_at(above, 0), 10, query);
#if __cplusplus >= 202002L
    cn_world_hit hit = cn_world_cast_ray(world, above, down, {.ignore = crate});
#else
    query.ignore = crate;
    cn_world_hit hit = cn_world_cast_ray(world, above, down, query);
#endif
    return all_hit && all_overlap && lands && nearest.side.body == crate && hit.side.body == ground;
}

// Explosions are passed by reference, too. This one pushes the crate, if walls do not protect it.
static bool pushes(cn_world *world) {
    cn_explosion bang{};
    bang.position = vector(0, 3), bang.radius = 2, bang.impulse_per_length = 1, bang.blocked = true;
    return cn_world_explode(world, bang) == 1;
}

// A world that was loaded and a replay of its calls end up alike.
static bool replays(const cn_world *world) {
    std::vector<char> state(cn_world_save(world, CN_SAVE_ALL, nullptr, 0)), calls;
    cn_world_save(world, CN_SAVE_ALL, state.data(), state.size());
    cn_world_def def{};
    cn_world *loaded = cn_world_load(def, nullptr, state.data(), state.size());
    cn_recording_sink sink{[](const void *bytes, std::size_t size, void *user) {
                               const char *first = static_cast<const char *>(bytes);
                               auto &to = *static_cast<std::vector<char> *>(user);
                               to.insert(to.end(), first, first + size);
                               return true;
                           },
                           &calls};
    bool done = cn_recording_begin(loaded, sink) && cn_world_step(loaded, 1.0f / 60) &&
                cn_recording_end(loaded);
    cn_replay *replay = cn_replay_create(def, calls.data(), calls.size());
    done = done && cn_replay_next(replay) &&
           cn_world_compare(loaded, cn_replay_world(replay)).part == CN_PART_NONE;
    cn_replay_destroy(replay);
    cn_world_destroy(loaded);
    return done;
}

int main() {
    cn_world_def def{};
    def.gravity.y = -10;
    cn_world *world = cn_world_create(def);
    cn_body ground = add_ground(world), crate = add_crate(world);
    if (ground == crate || crate == cn_body{} || !tie(world, ground, crate)) {
        std::fprintf(stderr, "could not build the world: %s\n", cn_error());
        return 1;
    }
    for (int i = 0; i < 180; i++)
        if (!cn_world_step(world, 1.0f / 60)) break;

    vec2s p = cn_body_position(world, crate);
    std::printf("the crate rests at a height of %.3f\n", double(p.y));
    bool rests = std::fabs(p.x) < 0.01f && std::fabs(p.y - 1.5f) < 0.01f;
    bool found = finds(world, ground, crate);
    if (!found) std::fprintf(stderr, "a query did not find the crate: %s\n", cn_error());
    bool pushed = pushes(world);
    if (!pushed) std::fprintf(stderr, "the explosion did not push the crate: %s\n", cn_error());
    bool replayed = replays(world);
    if (!replayed) std::fprintf(stderr, "the replay is not alike: %s\n", cn_error());
    cn_world_destroy(world);
    return rests && found && pushed && replayed ? 0 : 1;
}
