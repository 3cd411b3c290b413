/* A platform game. The player is a hull without a body, moved by cn_world_move_hull(). The level is
 * a map of text: tiles, and letters for the objects. Five rules make the player easy to control:
 *
 *   grip    The speed follows the keys by an acceleration, which is smaller in the air.
 *   coyote  The player can still jump for some steps after it has run over an edge.
 *   buffer  A jump that is pressed some steps before the player lands happens when it lands.
 *   height  If the key is released while a jump rises, gravity is stronger. So a tap jumps low.
 *   ride    The player goes with the platform that it stands on, and a jump keeps its velocity. */
#include "pushes.h"

#include <string.h>

// MAX_THINGS is at least the number of objects on the map. GRACE, of coyote and buffer, and CRACK,
// until a cracked block falls, are in steps.
enum { WIDTH = 90, HEIGHT = 13, MAX_THINGS = 80, GRACE = 6, CRACK = 24 };

#define STEP (1.0f / 60) // seconds, of the demo

static const float run_speed = 6.5f, jump_speed = 12.5f, spring_speed = 20, top_fall = 18; // m/s
static const float grip = 70, air_grip = 40, gravity = 30, cut_gravity = 90;               // m/s^2
static const float bottom = -6; // m; what is below it is put back

//  # / L  tiles            -  plank: solid from above       o  coin       @  player
//  X  crate                c  block that cracks and falls   S  spring     F  flag, the goal
//  > ^  lifts              A  seesaw
static const char *const map[HEIGHT] = {
    "..........................................................................................",
    "..........................................................................................",
    "..........................................................................................",
    "...................................................................ooo.o.o................",
    ".........ooo..........................o.o.o.o....o...o.................###............../#",
    "#........---.....................................o..###................###..............##",
    "#L.................o...........oooo..............o..###L...............###..............##",
    "##....ooo....--...o.o.........######.>..............####L..o.o.o.o.....###.o.....o......##",
    "##....---....oo..........X....######................#####L.............###..........X.F.##",
    "##L.@..oo.../##L.X.......XX...######.............S..######cccccccc###^####....A....#######",
    "##################...###############..........############........########.........#######",
    "##################...###############..........############........########################",
    "##################...###############..........############........########################",
};

// The objects of the level. Each is a body with one shape: a box, or for a coin a circle.
typedef struct {
    char letter;
    cn_motion_type type;
    vec2s half;   // m, half of width and height
    float y;      // m, of the centre above the lower edge of its square in the map
    vec2s travel; // m, how far a lift moves
    bool is_sensor, is_one_way;
    sketch_ink ink; // INK_TEXT: the demo draws it as any body
} kind;

static const kind kinds[] = {
    {'-', CN_STATIC, {{0.5f, 0.12f}}, .y = 0.88f, .is_one_way = true},
    {'X', CN_DYNAMIC, {{0.49f, 0.5f}}, .y = 0.5f},
    {'c', CN_STATIC, {{0.49f, 0.2f}}, .y = 0.8f, .ink = INK_ORANGE},
    {'S', CN_STATIC, {{0.5f, 0.15f}}, .y = 0.15f, .ink = INK_PINK},
    {'>', CN_KINEMATIC, {{1.3f, 0.12f}}, .y = 0.88f, .travel = {{6, 0}}},
    {'^', CN_KINEMATIC, {{1.45f, 0.12f}}, .y = 0.88f, .travel = {{0, 5}}, .is_one_way = true},
    {'o', CN_STATIC, {{0.28f, 0}}, .y = 0.5f, .is_sensor = true, .ink = INK_YELLOW},
    {'F', CN_STATIC, {{0.06f, 1.2f}}, .y = 1.2f, .is_sensor = true, .ink = INK_DIM},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct {
    cn_body body;
    const kind *kind;
    vec2s start;
    int cracked; // steps since the player stood on it
} thing;

typedef struct {
    cn_pose pose, safe; // safe: the last place above a tile it stood on
    vec2s velocity;     // relative to `drift`, m/s
    vec2s drift;        // m/s, of the ground that it stands on or has left
    float facing;       // 1: to the right, or -1
    cn_move last;
    uint32_t keys;    // SCENE_KEY_..., of the last step
    int since_ground; // steps since it stood
    int since_press;  // steps since the key to jump was pressed
    bool jumps;       // it rises by a jump, not by a spring
} player;

typedef struct {
    player player;
    cn_grid ground;
    thing things[MAX_THINGS];
    int count, coins, taken;
    int started, finished; // steps of the first key and of the goal; 0: not yet
} state;

// ---- the level

static char letter_at(int x, int y) { return map[HEIGHT - 1 - y][x]; }

// A lift that goes up starts in the ground, flush with its surface.
static bool is_ground(char letter) { return letter && strchr("#/L^", letter); }

static bool add_ground(cn_world *world, state *s) {
    cn_tile tiles[WIDTH * HEIGHT] = {0};
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        char letter = letter_at(i % WIDTH, i / WIDTH);
        tiles[i].solid = is_ground(letter);
        if (letter == '/') tiles[i].form = CN_TILE_RISES_RIGHT;
        if (letter == 'L') tiles[i].form = CN_TILE_RISES_LEFT;
    }
    cn_body body = scene_add_body(world, CN_STATIC, 0, 0);
    cn_grid_def def = {.tiles = tiles, .width = WIDTH, .height = HEIGHT, .tile_size = 1};
    s->ground = cn_grid_create(world, body, &def);
    return s->ground.id;
}

static bool add_seesaw(cn_world *world, float x, float y) {
    const vec2s corners[] = {{{-0.7f, -1.5f}}, {{0.7f, -1.5f}}, {{0, -0.12f}}};
    cn_body stand = scene_add_one(world, CN_STATIC, x, y, cn_polygon(corners, 3, 0), 1);
    cn_body board = scene_add_one(world, CN_DYNAMIC, x, y, cn_box(3.4f, 0.12f), 25);
    cn_joint_def def = cn_revolute_joint(world, stand, board, (vec2s){{x, y}});
    def.angle = (cn_coordinate){.mode = CN_LIMITED, .lower = -0.3f, .upper = 0.3f};
    return cn_joint_create(world, def).id;
}

static bool add_thing(cn_world *world, state *s, const kind *k, float x, float y) {
    cn_shape_def def = {.density = 25, .sensor = k->is_sensor};
    def.hull = k->half.y > 0 ? cn_box(k->half.x, k->half.y) : cn_circle(k->half.x);
    if (k->is_one_way) def.one_way = (vec2s){{0, 1}};
    cn_body body = scene_add_body(world, k->type, x, y + k->y);
    s->things[s->count++] = (thing){body, k, {{x, y + k->y}}, 0};
    s->coins += k->letter == 'o';
    return cn_shape_create(world, body, &def).id;
}

// The key to jump counts as held, so that only a new press jumps.
static player start_at(cn_pose pose) {
    return (player){.pose = pose,
                    .safe = pose,
                    .facing = 1,
                    .keys = SCENE_KEY_UP,
                    .since_ground = GRACE + 1,
                    .since_press = GRACE + 1};
}

// Adds what the letter of a square stands for. (x, y) is the middle of its lower edge.
static bool add_letter(cn_world *world, state *s, char letter, float x, float y) {
    if (letter == '@') s->player = start_at(cn_pose_at((vec2s){{x, y + 0.61f}}, 0));
    if (letter == 'A') return add_seesaw(world, x, y + 0.5f);
    for (int i = 0; i < KINDS; i++)
        if (kinds[i].letter == letter) return add_thing(world, s, &kinds[i], x, y);
    return true;
}

static bool create(scene_run *run) {
    state *s = run->memory;
    bool made = add_ground(run->world, s);
    for (int i = 0; i < WIDTH * HEIGHT && made; i++) {
        int x = i % WIDTH, y = i / WIDTH;
        made = add_letter(run->world, s, letter_at(x, y), (float)x + 0.5f, (float)y);
    }
    run->follow = s->player.pose.position.x - run->scene->view.x;
    return made;
}

// Returns NULL if the body belongs to no object.
static thing *find_thing(state *s, cn_body body) {
    for (int i = 0; i < s->count; i++)
        if (s->things[i].body.id == body.id) return &s->things[i];
    return NULL;
}

// ---- the player

static float clamp(float value, float low, float high) {
    return value < low ? low : value > high ? high : value;
}

static cn_hull get_hull(void) { return cn_capsule((vec2s){{0, -0.3f}}, (vec2s){{0, 0.3f}}, 0.3f); }

static void read_keys(player *p, uint32_t keys) {
    bool presses = keys & ~p->keys & SCENE_KEY_UP;
    p->since_ground = p->last.grounded ? 0 : p->since_ground + 1;
    p->since_press = presses ? 0 : p->since_press + 1;
    p->keys = keys;
}

static void run_and_turn(player *p) {
    float right = p->keys & SCENE_KEY_RIGHT ? 1 : 0, left = p->keys & SCENE_KEY_LEFT ? 1 : 0;
    float most = (p->last.grounded ? grip : air_grip) * STEP;
    p->velocity.x += clamp(run_speed * (right - left) - p->velocity.x, -most, most);
    if (right != left) p->facing = right - left;
    if (p->last.grounded) p->drift = p->last.ground_velocity;
}

static void jump_and_fall(player *p, const thing *ground) {
    bool is_thrown = ground && ground->kind->letter == 'S';
    if (is_thrown || (p->since_ground <= GRACE && p->since_press <= GRACE)) {
        p->velocity.y = is_thrown ? spring_speed : jump_speed;
        p->jumps = !is_thrown;
        p->since_ground = p->since_press = GRACE + 1;
    }
    bool is_cut = p->jumps && p->velocity.y > 0 && !(p->keys & SCENE_KEY_UP);
    p->velocity.y -= (is_cut ? cut_gravity : gravity) * STEP;
    if (p->velocity.y < -top_fall) p->velocity.y = -top_fall;
}

// On ground the velocity is relative to the ground, which carries the hull, also when it jumps.
static bool walk(cn_world *world, player *p, cn_grid tiles) {
    cn_move_def def = {.step_height = 0.3f, .snap_distance = 0.3f, .mass = 60};
    def.ride = p->last.ride;
    def.drop_through = p->keys & SCENE_KEY_DOWN;
    const vec2s v = p->last.grounded ? p->velocity : glms_vec2_add(p->velocity, p->drift);
    const cn_hull hull = get_hull();
    cn_error_clear();
    p->last = cn_world_move_hull(world, hull, p->pose, glms_vec2_scale(v, STEP), &def);
    p->pose = p->last.pose;
    if (p->last.grounded && p->velocity.y < 0) p->velocity.y = 0;
    if (p->last.ceiling && v.y > 0) p->velocity.y = -p->drift.y;
    if (p->last.wall && v.x * p->last.wall_normal.x < 0) p->velocity.x = 0;
    bool is_on_tile = p->last.grounded && p->last.ground.grid.id == tiles.id &&
                      floorf(p->pose.position.x) == (float)(p->last.ground.tile % WIDTH);
    if (is_on_tile) p->safe = p->pose;
    if (p->pose.position.y < bottom) *p = start_at(p->safe);
    return cn_error_code() == CN_ERROR_NONE && apply_pushes(world, &p->last);
}

// Takes the coins that the player met, and ends the game at the goal.
static bool take(scene_run *run, state *s) {
    const cn_move *last = &s->player.last;
    for (int i = 0; i < last->sensor_count; i++) {
        const thing *t = find_thing(s, last->sensors[i].body);
        if (t && t->kind->letter == 'F' && !s->finished) s->finished = run->step;
        if (!t || t->kind->letter != 'o') continue;
        if (!cn_body_destroy(run->world, t->body)) return false;
        s->taken++;
    }
    return true;
}

static bool control(scene_run *run) {
    state *s = run->memory;
    player *p = &s->player;
    if (run->input.keys && !s->started) s->started = run->step + 1;
    read_keys(p, run->input.keys);
    run_and_turn(p);
    jump_and_fall(p, p->last.grounded ? find_thing(s, p->last.ground.body) : NULL);
    bool done = walk(run->world, p, s->ground) && take(run, s);
    run->follow = p->pose.position.x - run->scene->view.x;
    return done;
}

// ---- the objects

// Puts back an object that fell out of the level.
static bool put_back(cn_world *world, thing *t) {
    t->cracked = 0;
    return cn_body_set_pose(world, t->body, cn_pose_at(t->start, 0)) &&
           cn_body_set_velocity(world, t->body, (vec2s){{0, 0}}) &&
           cn_body_set_angular_velocity(world, t->body, 0) &&
           cn_body_set_type(world, t->body, t->kind->type);
}

static bool move_thing(cn_world *world, const player *p, thing *t, int step) {
    bool has_player = p->last.grounded && p->last.ground.body.id == t->body.id;
    if (t->kind->letter == 'c' && (has_player || t->cracked)) t->cracked++;
    if (t->cracked == CRACK && !cn_body_set_type(world, t->body, CN_DYNAMIC)) return false;
    if (cn_body_position(world, t->body).y < bottom) return put_back(world, t);
    if (cn_body_type(world, t->body) != CN_KINEMATIC) return true;
    float part = 0.5f - 0.5f * cn_rotation_of(0.02f * (float)step).c;
    vec2s target = glms_vec2_lerp(t->start, glms_vec2_add(t->start, t->kind->travel), part);
    return cn_body_set_target(world, t->body, cn_pose_at(target, 0), STEP);
}

static bool before_step(scene_run *run) {
    state *s = run->memory;
    for (int i = 0; i < s->count; i++) {
        thing *t = &s->things[i];
        if (!cn_body_valid(run->world, t->body)) continue; // taken, or erased by the user
        if (!move_thing(run->world, &s->player, t, run->step)) return false;
    }
    return true;
}

// ---- the picture

static void draw_grass(const cn_world *world, cn_grid ground, sketch *s) {
    for (int i = 0; i < WIDTH * (HEIGHT - 1); i++) {
        int x = i % WIDTH, y = i / WIDTH;
        if (!cn_grid_solid(world, ground, x, y) || cn_grid_solid(world, ground, x, y + 1)) continue;
        vec2s left = {{(float)x, (float)y + (letter_at(x, y) != '/')}};
        vec2s right = {{(float)x + 1, (float)y + (letter_at(x, y) != 'L')}};
        vec2s overlap = glms_vec2_scale(glms_vec2_sub(right, left), 0.04f); // without gaps
        sketch_line(s, glms_vec2_sub(left, overlap), glms_vec2_add(right, overlap),
                    (sketch_pen){INK_GREEN, 1, 4});
    }
}

static void draw_thing(const cn_world *world, const thing *t, bool is_over, sketch *s) {
    if (!cn_body_valid(world, t->body) || t->kind->ink == INK_TEXT) return;
    cn_hull hull = cn_shape_hull(world, cn_body_next_shape(world, t->body, (cn_shape){0}));
    sketch_ink ink = t->cracked ? INK_RED : t->kind->ink;
    sketch_hull(s, &hull, cn_body_pose(world, t->body), (sketch_pen){ink, 0.85f, 1.5f});
    if (t->kind->letter != 'F') return;
    vec2s top = {{t->start.x, t->start.y + 1.2f}}, low = {{top.x, top.y - 0.9f}};
    vec2s tip = {{top.x - 1.2f, top.y - 0.45f}};
    sketch_triangle(s, top, low, tip, (sketch_pen){is_over ? INK_GREEN : INK_RED, 1, 0});
}

static void draw_player(const player *p, sketch *s) {
    cn_hull hull = get_hull(), eye = cn_capsule((vec2s){{0, -0.05f}}, (vec2s){{0, 0.05f}}, 0.05f);
    sketch_hull(s, &hull, p->pose, (sketch_pen){INK_BLUE, 1, 2});
    for (int i = 0; i < 2; i++) {
        vec2s offset = {{p->facing * (0.02f + 0.17f * (float)i), 0.28f}};
        cn_pose at = cn_pose_at(glms_vec2_add(p->pose.position, offset), 0);
        sketch_hull(s, &eye, at, (sketch_pen){INK_TEXT, 1, 0});
    }
}

static void draw(const scene_run *run, sketch *s) {
    const state *m = run->memory;
    draw_grass(run->world, m->ground, s);
    for (int i = 0; i < m->count; i++) draw_thing(run->world, &m->things[i], m->finished, s);
    draw_player(&m->player, s);
    sketch_note(s, INK_YELLOW, "%d of %d coins", m->taken, m->coins);
    float seconds = STEP * (float)((m->finished ? m->finished : run->step) - m->started);
    if (m->finished)
        sketch_note(s, INK_GREEN, "at the flag after %.1f s; R: again", (double)seconds);
    else if (m->started)
        sketch_note(s, INK_DIM, "%.0f s", (double)seconds);
    else
        sketch_note(s, INK_DIM, "press an arrow to play");
}

const scene scene_platformer = {
    .name = "platformer",
    .title = "Platformer",
    .caption = "A hull without a body runs on tiles. Run with Left and Right, jump with Up, drop "
               "through planks with Down. Collect the coins and reach the flag.",
    .view = {11.5f, 5.5f, 11.2f},
    .follow_to = WIDTH,
    .gravity = {{0, -20}},
    .steps = 600,
    .create = create,
    .control = control,
    .before_step = before_step,
    .takes_keys = true,
    .draw = draw,
    .memory_size = sizeof(state),
};
