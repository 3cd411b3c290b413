/* A character that is a hull without a body, moved by cn_world_move_hull(). It walks up stairs and
 * slopes, rides a belt and a lift, pushes crates, jumps, and drops through one-way platforms. The
 * user plays it with the keyboard. Until a key is pressed, it walks along a fixed route. */
#include "pushes.h"

#define STEP (1.0f / 60) // seconds, of the demo

enum { CRATES = 4, PATIENCE = 30 }; // steps

static const float speed = 4.5f, jump_speed = 8.5f, fall = 22, top_fall = 20; // m/s and m/s^2
static const float lift_top = 3.5f;                                           // m

typedef struct {
    cn_pose pose;
    vec2s velocity; // relative to `drift`, m/s
    vec2s drift;    // m/s, of the ground that the character stands on or has left
    cn_move last;
    cn_body lift;
    uint32_t keys, before; // in this step and in the one before; SCENE_KEY_...
    bool is_played;        // a key was pressed
    // of the route without a user
    int stage;   // an index into `trip`
    int waiting; // steps without progress
} state;

// ---- the level

static bool add_block(cn_world *world, cn_body body, float left, float bottom, float right,
                      float top, vec2s one_way) {
    cn_hull box = cn_box((right - left) / 2, (top - bottom) / 2);
    cn_pose at = cn_pose_at((vec2s){{(left + right) / 2, (bottom + top) / 2}}, 0);
    cn_shape_def def = {.hull = cn_hull_at(box, at), .one_way = one_way};
    return cn_shape_create(world, body, &def).id;
}

static bool add_tiles(cn_world *world, cn_body body) {
    enum { WIDTH = 84, HEIGHT = 18 };
    uint8_t solid[WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        int x = i % WIDTH, y = i / WIDTH;
        bool is_ledge = x >= 61 && x < 66 && y < 9; // from 9.5 to 12, with its top at 3.5
        solid[i] = y < 2 || x < 2 || x >= WIDTH - 2 || is_ledge;
    }
    cn_grid_def def = {.solid = solid, .width = WIDTH, .height = HEIGHT, .tile_size = 0.5f};
    def.origin = (vec2s){{-21, -1}};
    return cn_grid_create(world, body, &def).id;
}

static bool add_stairs_and_slopes(cn_world *world, cn_body body) {
    const vec2s solid = {{0, 0}};
    for (int i = 0; i < 6; i++)
        if (!add_block(world, body, -15 + 0.35f * (float)i, 0, -11, 0.25f * (float)(i + 1), solid))
            return false;
    const vec2s slope[] = {{{-11, 0}}, {{-8.4f, 0}}, {{-11, 1.5f}}}; // 30 degrees
    const vec2s steep[] = {{{18.2f, 0}}, {{20, 0}}, {{20, 3.5f}}};   // 63 degrees
    const vec2s hill[] = {{{-3.2f, 0}}, {{-4, 0.4f}}, {{-5, 0.6f}}, {{-6, 0.4f}}, {{-7, 0}}};
    cn_chain_def chain = {.points = hill, .count = 5};
    return cn_shape_create(world, body, &(cn_shape_def){.hull = cn_polygon(slope, 3, 0)}).id &&
           cn_shape_create(world, body, &(cn_shape_def){.hull = cn_polygon(steep, 3, 0)}).id &&
           cn_chain_create(world, body, &chain).id;
}

static bool add_platforms(cn_world *world, cn_body body) {
    const vec2s up = {{0, 1}};
    return add_block(world, body, 12.2f, 2.4f, 16, 2.6f, up) &&
           add_block(world, body, 12.2f, 1.1f, 17, 1.3f, up) &&
           add_block(world, body, 2, 1.4f, 5, 1.6f, up) &&
           add_block(world, body, -1.5f, 2.8f, 1.5f, 3, up);
}

static bool add_belt(cn_world *world, cn_body body) {
    vec2s left = {{2, 0}}, right = {{5.5f, 0}};
    cn_shape_def belt = {.hull = cn_capsule(left, right, 0.25f), .material = {.surface_speed = 2}};
    return cn_shape_create(world, body, &belt).id;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    cn_body ground = scene_add_body(world, CN_STATIC, 0, 0);
    bool made = add_tiles(world, ground) && add_stairs_and_slopes(world, ground) &&
                add_platforms(world, ground) && add_belt(world, ground);
    s->lift = scene_add_one(world, CN_KINEMATIC, 8.3f, 0.1f, cn_box(1.1f, 0.1f), 1);
    for (int i = 0; i < CRATES && made; i++)
        made = scene_add_one(world, CN_DYNAMIC, -1.6f + 0.8f * (float)(i % 3),
                             0.35f + 0.7f * (float)(i / 3), cn_box(0.35f, 0.35f), 40)
                   .id;
    s->pose = cn_pose_at((vec2s){{-18.5f, 0.8f}}, 0);
    return made && s->lift.id;
}

// ---- the character by itself

// A part of the route ends at the coordinate x, when the height is in this range.
typedef struct {
    float x, least_height, greatest_height;
    uint32_t keys; // pressed repeatedly, in addition to those for walking
} leg;

static const leg trip[] = {
    {8.3f, lift_top, 99, 0},          // on the lift, up
    {14.5f, -99, 99, 0},              // over the ledge, to a platform
    {15, -99, 1, SCENE_KEY_DOWN},     // down to the ground
    {17.5f, -99, 99, 0},              // to the steep slope
    {11, lift_top, 99, SCENE_KEY_UP}, // up through the platforms, to the ledge
    {-18.5f, -99, 99, 0},             // and home
};
enum { LEGS = sizeof trip / sizeof *trip };

static uint32_t choose_keys(state *s) {
    const leg *l = &trip[s->stage];
    vec2s p = s->pose.position;
    float ahead = l->x - p.x;
    bool is_there = ahead < 0.2f && ahead > -0.2f;
    if (is_there && p.y >= l->least_height && p.y <= l->greatest_height) {
        s->stage = (s->stage + 1) % LEGS;
        return 0;
    }
    uint32_t keys = l->keys | (is_there ? 0 : ahead > 0 ? SCENE_KEY_RIGHT : SCENE_KEY_LEFT);
    if (!is_there && s->last.wall && s->last.grounded) s->waiting++;
    if (s->waiting > PATIENCE) keys |= SCENE_KEY_UP, s->waiting = 0;
    return keys & ~(s->before & SCENE_KEY_UP); // a key that stays down jumps only once
}

// ---- steps

static bool control(scene_run *run) {
    const scene_input *input = &run->input;
    state *s = run->memory;
    s->is_played = s->is_played || input->keys;
    s->before = s->keys;
    s->keys = s->is_played ? input->keys : choose_keys(s);
    return true;
}

static bool move_lift(cn_world *world, const state *s, int step) {
    cn_rotation phase = cn_rotation_of(0.016f * (float)step);
    float height = 0.1f + (lift_top - 0.2f) * (0.5f - 0.5f * phase.c);
    return cn_body_set_target(world, s->lift, cn_pose_at((vec2s){{8.3f, height}}, 0), STEP);
}

static cn_hull get_hull(void) {
    return cn_capsule((vec2s){{0, -0.35f}}, (vec2s){{0, 0.35f}}, 0.3f);
}

// Returns the velocity for the next move. On ground it is relative to the ground, which carries
// the hull, also when it jumps.
static vec2s choose_velocity(state *s) {
    float right = s->keys & SCENE_KEY_RIGHT ? 1 : 0, left = s->keys & SCENE_KEY_LEFT ? 1 : 0;
    bool jumps = s->last.grounded && s->keys & ~s->before & SCENE_KEY_UP;
    if (s->last.grounded) s->drift = s->last.ground_velocity;
    s->velocity.x = speed * (right - left);
    if (jumps) s->velocity.y = jump_speed;
    s->velocity.y -= fall * STEP;
    if (s->velocity.y < -top_fall) s->velocity.y = -top_fall;
    return s->last.grounded ? s->velocity : glms_vec2_add(s->velocity, s->drift);
}

static bool walk(cn_world *world, state *s) {
    cn_move_def def = {.step_height = 0.35f, .snap_distance = 0.35f, .mass = 60};
    def.ride = s->last.ride;
    def.drop_through = s->keys & SCENE_KEY_DOWN;
    const cn_hull hull = get_hull();
    const vec2s v = choose_velocity(s);
    cn_error_clear();
    s->last = cn_world_move_hull(world, hull, s->pose, glms_vec2_scale(v, STEP), &def);
    s->pose = s->last.pose;
    if (s->last.grounded && s->velocity.y < 0) s->velocity.y = 0;
    if (s->last.ceiling && v.y > 0) s->velocity.y = -s->drift.y;
    return cn_error_code() == CN_ERROR_NONE && apply_pushes(world, &s->last);
}

static bool before_step(scene_run *run) {
    state *s = run->memory;
    return walk(run->world, s) && move_lift(run->world, s, run->step);
}

// ---- the picture

static void draw(const scene_run *run, sketch *s) {
    const state *m = run->memory;
    cn_hull hull = get_hull();
    sketch_hull(s, &hull, m->pose,
                (sketch_pen){m->last.grounded ? INK_GREEN : INK_BLUE, 0.8f, 1.5f});
    for (int i = 0; i < m->last.push_count; i++) {
        const cn_push *p = &m->last.pushes[i];
        vec2s head = glms_vec2_muladds(p->impulse, 0.01f, p->point);
        sketch_arrow(s, p->point, head, (sketch_pen){INK_ORANGE, 1, 1.5f});
    }
    if (m->last.grounded) {
        vec2s head = glms_vec2_muladds(m->last.ground_normal, 0.5f, m->last.ground_point);
        sketch_arrow(s, m->last.ground_point, head, (sketch_pen){INK_YELLOW, 1, 1.5f});
    }
    sketch_note(s, INK_DIM, m->is_played ? "you play the character" : "press an arrow to play");
}

const scene scene_character = {
    .name = "character",
    .title = "Character",
    .caption = "A hull without a body walks, climbs, jumps and rides. Play it with the arrows.",
    .view = {0, 3, 9},
    .width = 43,
    .gravity = {{0, -10}},
    .steps = 1500,
    .create = create,
    .before_step = before_step,
    .control = control,
    .takes_keys = true,
    .draw = draw,
    .memory_size = sizeof(state),
};
