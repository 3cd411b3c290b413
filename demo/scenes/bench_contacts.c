/* The benchmark scenes about contacts.
 *
 * Seven of them are benchmark scenes of Box2D 3.2, rebuilt from their numbers, so that both engines
 * can run the same work: pyramids (one large, many small), a wrecking box, a junkyard with a
 * pusher, falling compounds, a washing machine and a spinner in a ring. The small worlds are the
 * size of most games: n boxes in stacks of ten. mixed has 20,000 boxes at rest and one ball that
 * bounces beside them for ever. `mixed_base` is the same without the ball, and should take
 * the same time.
 *
 * The order in which a scene creates its bodies is part of the scene: do not change it. "Box w x h"
 * gives half extents in metres. Density is 1 kg/m^2, friction is 0.6 and restitution is 0 unless
 * stated otherwise. */
#include "scene.h"

#include <math.h>

#define PI 3.14159265358979f

enum {
    PYRAMID_BASE = 100,
    SMALL_PYRAMID_BASE = 10,
    STACK_HEIGHT = 10,
};

static bool is_valid(cn_shape shape) { return shape.id != 0; }

static bool add_hull(cn_world *world, cn_body body, cn_hull hull) {
    return is_valid(cn_shape_create(world, body, &(cn_shape_def){.hull = hull}));
}

// Adds a dynamic body with one shape and the default material.
static bool add_dynamic(cn_world *world, const cn_hull *hull, float x, float y) {
    return add_hull(world, scene_add_body(world, CN_DYNAMIC, x, y), *hull);
}

static cn_hull offset_box(float half_width, float half_height, float x, float y) {
    cn_hull box = cn_box(half_width, half_height);
    return cn_hull_at(box, cn_pose_at((vec2s){{x, y}}, 0));
}

static bool add_segment(cn_world *world, cn_body body, float half_width, float y) {
    return add_hull(world, body, cn_segment((vec2s){{-half_width, y}}, (vec2s){{half_width, y}}));
}

/* Adds a pyramid of boxes 0.5 x 0.5. The lower left corner of its base is at (x, y):
 *
 *           []           row i has base - i boxes; the boxes of a row touch;
 *         [][]           each row starts half a box further right
 *       [][][] */
static bool add_pyramid(cn_world *world, int base, float x, float y) {
    cn_hull box = cn_box(0.5f, 0.5f);
    for (int i = 0; i < base; i++) {
        float row_y = y + (float)(2 * i + 1) * 0.5f;
        for (int j = i; j < base; j++)
            if (!add_dynamic(world, &box, x + 0.5f * (float)(i + 1) + (float)(j - i), row_y))
                return false;
    }
    return true;
}

// Adds a floor of `width` tiles and two walls of `height` tiles to a static body. The tiles
// overlap.
static bool add_tiles(cn_world *world, cn_body ground, int width, int height) {
    int edge = width / 2;
    for (int x = -edge; x <= edge; x++)
        if (!add_hull(world, ground, offset_box(0.55f, 0.5f, (float)x, 0))) return false;
    for (int side = -1; side <= 1; side += 2)
        for (int y = 1; y <= height; y++)
            if (!add_hull(world, ground, offset_box(0.5f, 0.55f, (float)(side * edge), (float)y)))
                return false;
    return true;
}

// ---------------------------------------------------------------------------------------- pyramids

static bool create_large_pyramid(scene_run *run) {
    cn_world *world = run->world;
    cn_body ground = scene_add_body(world, CN_STATIC, 0, -1);
    return add_hull(world, ground, cn_box(100, 1)) && add_pyramid(world, PYRAMID_BASE, -50, 0);
}

static const scene large_pyramid = {
    .name = "large-pyramid",
    .title = "Large pyramid",
    .caption = "5,050 boxes at rest form one island that never changes.",
    .view = {0, 48, 110},
    .gravity = {{0, -10}},
    .no_sleep = true,
    .steps = 500,
    .create = create_large_pyramid,
};

// Adds a row of small pyramids to each floor. The first pyramid of a row begins at `left`.
static bool add_pyramid_floors(cn_world *world, int floors, int pyramids, float left) {
    float pitch = SMALL_PYRAMID_BASE + 1;
    for (int i = 0; i < floors; i++)
        for (int j = 0; j < pyramids; j++)
            if (!add_pyramid(world, SMALL_PYRAMID_BASE, left + pitch * (float)j, pitch * (float)i))
                return false;
    return true;
}

static bool create_many_pyramids(scene_run *run) {
    cn_world *world = run->world;
    cn_body ground = scene_add_body(world, CN_STATIC, 0, 0);
    for (int i = 0; i < 20; i++)
        if (!add_segment(world, ground, 110, 11 * (float)i)) return false;
    return add_pyramid_floors(world, 20, 20, -109.5f);
}

static const scene many_pyramids = {
    .name = "many-pyramids",
    .title = "Many pyramids",
    .caption = "400 small pyramids at rest: many islands and many contacts.",
    .view = {0, 110, 240},
    .gravity = {{0, -10}},
    .no_sleep = true,
    .steps = 200,
    .create = create_many_pyramids,
};

// ------------------------------------------------------------------------------------ wrecking box

static bool create_smash(scene_run *run) {
    cn_world *world = run->world;
    cn_body_def wrecking_box = {.position = {{-20, 0}}, .velocity = {{40, 0}}};
    cn_shape_def shape = {.hull = cn_box(4, 4), .density = 8};
    if (!is_valid(cn_shape_create(world, cn_body_create(world, &wrecking_box), &shape)))
        return false;

    cn_hull box = cn_box(0.2f, 0.2f);
    for (int i = 0; i < 120; i++) {
        for (int j = 0; j < 80; j++) {
            float x = 0.4f * (float)i + 30, y = 0.4f * (float)(j - 40);
            cn_body_def def = {.position = {{x, y}}, .asleep = true};
            if (!add_hull(world, cn_body_create(world, &def), box)) return false;
        }
    }
    return true;
}

static const scene smash = {
    .name = "smash",
    .title = "Smash",
    .caption = "A heavy box hits 9,600 sleeping boxes. There is no gravity.",
    .view = {40, 0, 80},
    .steps = 300,
    .create = create_smash,
};

// ---------------------------------------------------------------------------------------- junkyard

typedef struct {
    cn_body pusher;
} junkyard_memory;

static cn_hull make_pentagon(void) {
    vec2s corners[5];
    for (int k = 0; k < 5; k++) {
        float angle = (float)k * PI * (sqrtf(5) - 1);
        cn_rotation direction = cn_rotation_of(angle);
        corners[k] = (vec2s){{0.25f * direction.c, 0.25f * direction.s}};
    }
    return cn_polygon(corners, 5, 0);
}

static bool create_junkyard(scene_run *run) {
    cn_world *world = run->world;
    if (!add_tiles(world, scene_add_body(world, CN_STATIC, 0, 0), 161, 50)) return false;

    cn_hull pentagon = make_pentagon();
    float offset = -0.1f;
    for (int i = 0; i < 200; i++) {
        float x = 1.5f * (float)(2 * i - 200) * 0.25f;
        for (int j = 0; j < 40; j++) {
            if (!add_dynamic(world, &pentagon, x + offset, (float)j + 15)) return false;
            offset = -offset;
        }
    }
    junkyard_memory *yard = run->memory;
    yard->pusher = scene_add_body(world, CN_KINEMATIC, 0, 0);
    return add_hull(world, yard->pusher, offset_box(2, 4, 0, 4));
}

static bool push_junk(scene_run *run) {
    cn_world *world = run->world;
    junkyard_memory *yard = run->memory;
    float dt = 1.0f / 60, t = (float)(run->step + 1) * dt; // the time at the end of the step
    vec2s target = {{60 * cn_rotation_of(0.2f * t).s, 0}};
    return cn_body_set_target(world, yard->pusher, cn_pose_at(target, 0), dt);
}

static const scene junkyard = {
    .name = "junkyard",
    .title = "Junkyard",
    .caption = "A pusher ploughs through 8,000 irregular pentagons.",
    .view = {0, 28, 70},
    .width = 170,
    .gravity = {{0, -10}},
    .steps = 800,
    .create = create_junkyard,
    .before_step = push_junk,
    .memory_size = sizeof(junkyard_memory),
};

// --------------------------------------------------------------------------------------- compounds

static bool create_compounds(scene_run *run) {
    cn_world *world = run->world;
    cn_body ground = scene_add_body(world, CN_STATIC, 0, 0);
    if (!add_tiles(world, ground, 81, 100) || !add_segment(world, ground, 800, -80)) return false;

    cn_hull left = cn_polygon((vec2s[]){{{-1, 0}}, {{0.5f, 1}}, {{0, 2}}}, 3, 0);
    cn_hull right = cn_polygon((vec2s[]){{{1, 0}}, {{-0.5f, 1}}, {{0, 2}}}, 3, 0);
    float offset = 0.25f;
    for (int i = 0; i < 20; i++) {
        for (int j = 0; j < 150; j++) {
            float x = (float)(2 * i - 19) + offset, y = 2.25f * (float)j + 5.575f;
            cn_body body = scene_add_body(world, CN_DYNAMIC, x, y);
            if (!is_valid(scene_add_hull(world, body, left, 0.5f, 1)) ||
                !is_valid(scene_add_hull(world, body, right, 0.5f, 1)))
                return false;
            offset = -offset;
        }
    }
    return true;
}

static const scene compounds = {
    .name = "compounds",
    .title = "Compounds",
    .caption = "3,000 concave bodies, each made of two triangles, fall into a bin.",
    .view = {0, 172, 360},
    .gravity = {{0, -10}},
    .steps = 500,
    .create = create_compounds,
};

// ------------------------------------------------------------------------------------------ washer

// Returns the quadrilateral between two radii and two angles (degrees) around the origin.
static cn_hull make_ring_quad(float inner, float outer, float from, float to) {
    cn_rotation a = cn_rotation_of(from * PI / 180), b = cn_rotation_of(to * PI / 180);
    vec2s corners[4] = {
        {{inner * a.c, inner * a.s}},
        {{outer * a.c, outer * a.s}},
        {{inner * b.c, inner * b.s}},
        {{outer * b.c, outer * b.s}},
    };
    return cn_polygon(corners, 4, 0);
}

static bool add_drum(cn_world *world) {
    cn_body_def def = {
        .type = CN_KINEMATIC,
        .position = {{0, 10}},
        .velocity = {{0.001f, -0.002f}},
        .angular_velocity = 25 * PI / 180,
    };
    cn_body drum = cn_body_create(world, &def);
    for (int i = 0; i < 36; i++) {
        float from = 10 * (float)i, to = from + 10;
        if (!add_hull(world, drum, make_ring_quad(16, 18, from - 1, to + 1))) return false;
        bool has_blade = i % 9 == 0;
        if (has_blade && !add_hull(world, drum, make_ring_quad(14, 16, from, to))) return false;
    }
    return true;
}

static bool create_washer(scene_run *run) {
    cn_world *world = run->world;
    if (scene_add_body(world, CN_STATIC, 0, 0).id == 0 || !add_drum(world)) return false;

    cn_shape_def shape = {.hull = cn_box(0.1f, 0.1f), .hit_events = true};
    for (int i = 0; i < 90; i++) {
        for (int j = 0; j < 90; j++) {
            float x = -9.9f + 0.21f * (float)j, y = 0.1f + 0.21f * (float)i;
            cn_body body = scene_add_body(world, CN_DYNAMIC, x, y);
            if (!is_valid(cn_shape_create(world, body, &shape))) return false;
        }
    }
    return true;
}

static const scene washer = {
    .name = "washer",
    .title = "Washer",
    .caption = "8,100 small boxes in a turning drum, with hit events on.",
    .view = {0, 10, 42},
    .gravity = {{0, -10}},
    .steps = 500,
    .create = create_washer,
};

// ------------------------------------------------------------------------------------ small worlds

static bool create_small(cn_world *world, int count) {
    cn_body ground = scene_add_body(world, CN_STATIC, 0, 0);
    if (!add_segment(world, ground, 1000, 0)) return false;

    cn_hull box = cn_box(0.5f, 0.5f);
    int stacks = (count + STACK_HEIGHT - 1) / STACK_HEIGHT;
    for (int i = 0; i < count; i++) {
        float x = 1.5f * ((float)(i / STACK_HEIGHT) - 0.5f * (float)(stacks - 1));
        if (!add_dynamic(world, &box, x, 0.5f + (float)(i % STACK_HEIGHT))) return false;
    }
    return true;
}

#define STACKS(NAME, TITLE, COUNT)                                                                 \
    static bool create_##NAME(scene_run *run) { return create_small(run->world, COUNT); }          \
    static const scene NAME = {                                                                    \
        .name = TITLE,                                                                             \
        .title = "Stacks: " #COUNT,                                                                \
        .caption = "Boxes in stacks of ten: the size of most games.",                              \
        .view = {0, 6, 16},                                                                        \
        .width = 20 + 0.15f * COUNT,                                                               \
        .gravity = {{0, -10}},                                                                     \
        .no_sleep = true,                                                                          \
        .steps = 3000,                                                                             \
        .create = create_##NAME,                                                                   \
    }

STACKS(small_1, "small-1", 1);
STACKS(small_5, "small-5", 5);
STACKS(small_10, "small-10", 10);
STACKS(small_50, "small-50", 50);
STACKS(small_100, "small-100", 100);
STACKS(small_500, "small-500", 500);
STACKS(small_1000, "small-1000", 1000);
STACKS(growth_10000, "growth-10000", 10000);

// ----------------------------------------------------------------------------------------- spinner

enum { RING_POINTS = 360, SPINNER_BODIES = 6076 };

// The points are in clockwise order, so the ring is solid outside.
static bool add_ring(cn_world *world, cn_body ground) {
    vec2s points[RING_POINTS];
    for (int i = 0; i < RING_POINTS; i++) {
        cn_rotation r = cn_rotation_of(-2 * PI * (float)i / RING_POINTS);
        points[i] = (vec2s){{40 * r.c, 32 + 40 * r.s}};
    }
    cn_chain_def ring = {
        .points = points, .count = RING_POINTS, .closed = true, .material = {.friction = 0.1f}};
    return cn_chain_create(world, ground, &ring).id != 0;
}

static bool add_spinner(cn_world *world, cn_body ground) {
    cn_body body = cn_body_create(world, &(cn_body_def){.position = {{0, 12}}, .no_sleep = true});
    cn_shape_def bar = {.hull = cn_rounded_box(0.4f, 20, 0.2f), .material = {.frictionless = true}};
    if (!is_valid(cn_shape_create(world, body, &bar))) return false;
    cn_joint_def motor = cn_revolute_joint(world, ground, body, (vec2s){{0, 12}});
    motor.angle.motor = true;
    motor.angle.motor_speed = 5;
    return cn_joint_create(world, motor).id != 0;
}

static bool create_spinner(scene_run *run) {
    cn_world *world = run->world;
    cn_body ground = scene_add_body(world, CN_STATIC, 0, 0);
    if (!add_ring(world, ground) || !add_spinner(world, ground)) return false;
    const cn_hull hulls[] = {cn_capsule((vec2s){{-0.25f, 0}}, (vec2s){{0.25f, 0}}, 0.25f),
                             cn_circle(0.35f), cn_box(0.35f, 0.35f)};
    float x = -23, y = 2;
    for (int i = 0; i < SPINNER_BODIES; i++) {
        cn_shape_def def = {.hull = hulls[i % 3],
                            .density = 0.25f,
                            .material = {.friction = 0.1f, .restitution = 0.1f}};
        if (!is_valid(cn_shape_create(world, scene_add_body(world, CN_DYNAMIC, x, y), &def)))
            return false;
        x += 0.5f;
        if (x >= 23) x = -23, y += 0.5f;
    }
    return true;
}

static const scene spinner = {
    .name = "spinner",
    .title = "Spinner",
    .caption = "A bar with a motor stirs 6,076 bodies in a ring of 360 segments.",
    .view = {0, 32, 86},
    .gravity = {{0, -10}},
    .steps = 500,
    .create = create_spinner,
};

// ------------------------------------------------------------------------------------------- mixed

// Adds 26 floors of 14 pyramids: 20,020 boxes. The lowest floor is wider, so that the ball can
// bounce beside the pyramids.
static bool create_mixed_base(scene_run *run) {
    cn_world *world = run->world;
    cn_body ground = scene_add_body(world, CN_STATIC, 0, 0);
    for (int i = 0; i < 26; i++)
        if (!add_segment(world, ground, i == 0 ? 100 : 77, 11 * (float)i)) return false;
    return add_pyramid_floors(world, 26, 14, -76.5f);
}

static bool create_mixed(scene_run *run) {
    cn_world *world = run->world;
    if (!create_mixed_base(run)) return false;
    cn_shape_def ball = {.hull = cn_circle(0.5f), .material = {.restitution = 1}};
    return is_valid(cn_shape_create(world, scene_add_body(world, CN_DYNAMIC, 90, 5), &ball));
}

static const scene mixed_base = {
    .name = "mixed-base",
    .title = "Mixed, without the ball",
    .caption = "20,020 boxes at rest: the baseline for mixed.",
    .view = {0, 143, 300},
    .gravity = {{0, -10}},
    .no_sleep = true,
    .steps = 200,
    .create = create_mixed_base,
};

static const scene mixed = {
    .name = "mixed",
    .title = "Mixed",
    .caption = "20,020 boxes at rest, and one ball that bounces beside them.",
    .view = {0, 143, 300},
    .gravity = {{0, -10}},
    .no_sleep = true,
    .steps = 200,
    .create = create_mixed,
};

extern const scene scene_joint_grid, scene_rain, scene_tumbler; // bench_joints.c
extern const scene scene_growth_sleepers, scene_growth_statics,
    scene_growth_churn; // bench_growth.c

const scene *const bench_scenes[] = {
    &scene_joint_grid,
    &scene_rain,
    &scene_tumbler,
    &large_pyramid,
    &many_pyramids,
    &smash,
    &junkyard,
    &compounds,
    &washer,
    &spinner,
    &small_1,
    &small_5,
    &small_10,
    &small_50,
    &small_100,
    &small_500,
    &small_1000,
    &mixed_base,
    &mixed,
    &growth_10000,
    &scene_growth_sleepers,
    &scene_growth_statics,
    &scene_growth_churn,
    NULL,
};
