/* Rollback: two machines play one game over a bad network, each in its own world. They send only
 * the keys that are pressed. Keys arrive late, in another order, or not at all. So each machine
 * predicts that the other player keeps pressing the same keys. If a prediction was wrong, the
 * machine rewinds its world to that step and repeats the steps with the right keys. So both worlds
 * are equal up to the last step for which both machines know all keys. The right picture shows the
 * second machine. */
#include "scene.h"

#define STEP (1.0f / 60) // seconds, of the demo

enum {
    PLAYERS = 2,
    KEPT = 64,          // steps that a machine can rewind
    IN_PACKET = 30,     // steps whose keys are in a packet: many, because packets get lost
    PACKETS = 32,       // greatest number on their way to a machine
    LEAST_DELAY = 4,    // steps
    JITTER = 7,         // steps
    LOST_IN_TEN = 3,    // packets of ten that get lost
    GUESS_STEPS = 25,   // steps after which a player without a user changes its keys
    SECOND_PICTURE = 22 // m to the right
};

typedef struct {
    int first; // step; -1: no packet
    int arrival;
    uint8_t keys[IN_PACKET];
} packet;

typedef struct {
    cn_world *world;
    cn_rollback *rollback;
    cn_body players[PLAYERS];
    uint8_t keys[PLAYERS][KEPT]; // by step % KEPT: known or predicted
    uint64_t hashes[KEPT];       // of the world before the step
    int step;                    // the next one
    int known[PLAYERS];          // the keys of all steps before this one are known
    int wrong;                   // the first step with a wrong prediction, or `step`
    int repeated, shown;         // repeated steps in this second, and in the second before
    packet packets[PACKETS];     // on their way to this machine
} machine;

typedef struct {
    machine machines[PLAYERS];
    scene_random network, habits;
    uint8_t own[PLAYERS]; // what the players press now
    bool is_played;       // a key was pressed
    int unequal;          // steps after which the worlds differed
} state;

// ---- the game

static bool add_player(machine *m, int player, float x) {
    m->players[player] =
        scene_add_one(m->world, CN_DYNAMIC, x, 0.6f, cn_regular_polygon(5 + player, 0.6f), 3);
    return m->players[player].id;
}

static bool fill_world(machine *m) {
    cn_body ground = scene_add_body(m->world, CN_STATIC, 0, 0);
    const float walls[][4] = {{10, 0.5f, 0, -0.5f}, {0.3f, 4, -10, 3}, {0.3f, 4, 10, 3}};
    for (int i = 0; i < 3; i++) {
        cn_hull box = cn_box(walls[i][0], walls[i][1]);
        box = cn_hull_at(box, cn_pose_at((vec2s){{walls[i][2], walls[i][3]}}, 0));
        if (!scene_add_hull(m->world, ground, box, 0.6f, 1).id) return false;
    }
    for (int i = 0; i < 15; i++) {
        float x = 1.05f * (float)(i % 3 - 1), y = 0.5f + 1.0f * (float)(i / 3);
        if (!scene_add_one(m->world, CN_DYNAMIC, x, y, cn_box(0.5f, 0.5f), 1).id) return false;
    }
    return add_player(m, 0, -6) && add_player(m, 1, 6);
}

static bool press(machine *m, int player, uint8_t keys) {
    cn_body body = m->players[player];
    float push = (float)(!!(keys & SCENE_KEY_RIGHT) - !!(keys & SCENE_KEY_LEFT));
    vec2s velocity = cn_body_velocity(m->world, body);
    bool stands = cn_body_ground(m->world, body, (vec2s){{0, 1}}, 0.785f).found;
    vec2s impulse = {{0.6f * push, keys & SCENE_KEY_UP && stands && velocity.y < 1 ? 14.0f : 0}};
    if (impulse.x == 0 && impulse.y == 0) return true;
    return cn_body_apply_impulse_at(m->world, body, impulse, cn_body_center(m->world, body));
}

// Keeps the state, and applies the keys of a step. The caller takes the step.
static bool begin_step(machine *m, int step) {
    m->hashes[step % KEPT] = cn_world_hash(m->world);
    bool done = cn_rollback_keep(m->rollback, step);
    for (int i = 0; i < PLAYERS && done; i++) done = press(m, i, m->keys[i][step % KEPT]);
    return done;
}

// ---- the network

static bool chance(scene_random *random, float part) {
    return scene_random_range(random, 0, 1) < part;
}

// Sends the keys of a player in the last steps, the oldest step first.
static void send_keys(state *s, int player) {
    const machine *from = &s->machines[player];
    machine *to = &s->machines[1 - player];
    packet sent = {from->step - IN_PACKET + 1, from->step + LEAST_DELAY, {0}};
    sent.arrival += (int)scene_random_range(&s->network, 0, JITTER);
    for (int i = 0; i < IN_PACKET; i++)
        if (sent.first + i >= 0) sent.keys[i] = from->keys[player][(sent.first + i) % KEPT];
    if (chance(&s->network, LOST_IN_TEN / 10.0f)) return;
    for (int i = 0; i < PACKETS; i++)
        if (to->packets[i].arrival <= to->step - 1) {
            to->packets[i] = sent;
            return;
        }
}

// Stores the keys of the other player in a step, and predicts the same keys for later steps.
static void learn_keys(machine *m, int other, int step, uint8_t keys) {
    if (step != m->known[other]) return;
    m->known[other]++;
    for (int i = step; i < m->step; i++) {
        if (m->keys[other][i % KEPT] == keys) continue;
        m->keys[other][i % KEPT] = keys;
        m->wrong = i < m->wrong ? i : m->wrong;
    }
}

static void receive_keys(machine *m, int other) {
    for (int i = 0; i < PACKETS; i++) {
        const packet *p = &m->packets[i];
        if (p->arrival != m->step) continue;
        for (int k = 0; k < IN_PACKET; k++) learn_keys(m, other, p->first + k, p->keys[k]);
    }
}

// Rewinds to the first step with a wrong prediction, and repeats the steps from there on.
static bool correct(machine *m) {
    bool done = m->wrong >= m->step || cn_rollback_rewind(m->rollback, m->wrong);
    for (int step = m->wrong; step < m->step && done; step++, m->repeated++)
        done = begin_step(m, step) && cn_world_step(m->world, STEP);
    m->wrong = m->step;
    return done;
}

// ---- steps

static bool begin_machine(state *s, int player) {
    machine *m = &s->machines[player];
    int other = 1 - player;
    m->wrong = m->step;
    receive_keys(m, other);
    if (!correct(m)) return false;
    m->keys[player][m->step % KEPT] = s->own[player];
    m->known[player] = m->step + 1;
    uint8_t last = m->step > 0 ? m->keys[other][(m->step - 1) % KEPT] : 0;
    if (m->known[other] <= m->step) m->keys[other][m->step % KEPT] = last;
    send_keys(s, player);
    if (m->step % 60 == 0) m->shown = m->repeated, m->repeated = 0;
    return begin_step(m, m->step);
}

// Compares the worlds before the last step whose keys both machines know.
static void compare(state *s) {
    const machine *a = &s->machines[0], *b = &s->machines[1];
    int step = a->known[1] < b->known[0] ? a->known[1] : b->known[0];
    step = step < a->step ? step : a->step - 1;
    if (step >= 0) s->unequal += a->hashes[step % KEPT] != b->hashes[step % KEPT];
}

static bool control(scene_run *run) {
    const scene_input *input = &run->input;
    state *s = run->memory;
    s->is_played |= input->keys != 0;
    for (int i = 0; i < PLAYERS && run->step % GUESS_STEPS == 0; i++) {
        const uint8_t habits[] = {SCENE_KEY_LEFT,
                                  SCENE_KEY_RIGHT,
                                  SCENE_KEY_UP,
                                  0,
                                  SCENE_KEY_UP | SCENE_KEY_LEFT,
                                  SCENE_KEY_UP | SCENE_KEY_RIGHT};
        s->own[i] = habits[(int)scene_random_range(&s->habits, 0, 5.99f)];
    }
    if (s->is_played) s->own[0] = (uint8_t)input->keys;
    return true;
}

// The caller takes the step of the first world.
static bool before_step(scene_run *run) {
    state *s = run->memory;
    if (!begin_machine(s, 0) || !begin_machine(s, 1)) return false;
    if (!cn_world_step(s->machines[1].world, STEP)) return false;
    compare(s);
    for (int i = 0; i < PLAYERS; i++) s->machines[i].step++;
    return true;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    s->machines[0].world = world;
    s->machines[1].world = cn_world_create(&(cn_world_def){.gravity = cn_world_gravity(world)});
    for (int i = 0; i < PLAYERS; i++) {
        machine *m = &s->machines[i];
        if (!m->world || !fill_world(m)) return false;
        for (int k = 0; k < PACKETS; k++) m->packets[k].arrival = -1;
        m->rollback = cn_rollback_create(m->world, KEPT);
        if (!m->rollback) return false;
    }
    return true;
}

static void destroy(void *memory) {
    state *s = memory;
    for (int i = 0; i < PLAYERS; i++) cn_rollback_destroy(s->machines[i].rollback);
    cn_world_destroy(s->machines[1].world);
}

// ---- the picture

static void draw_body(const machine *m, cn_body body, sketch *s) {
    cn_pose pose = cn_body_pose(m->world, body);
    pose.position.x += SECOND_PICTURE;
    bool is_player = body.id == m->players[0].id || body.id == m->players[1].id;
    sketch_pen pen = {is_player ? INK_ORANGE : INK_BLUE, 0.25f, 1.5f};
    for (cn_shape i = {0}; (i = cn_body_next_shape(m->world, body, i)).id;) {
        cn_hull hull = cn_shape_hull(m->world, i);
        sketch_hull(s, &hull, pose, pen);
    }
}

static void draw(const scene_run *run, sketch *sketch) {
    const state *s = run->memory;
    const machine *m = s->machines;
    for (cn_body i = {0}; (i = cn_world_next_body(m[1].world, i)).id;) draw_body(&m[1], i, sketch);
    sketch_note(sketch, s->unequal ? INK_RED : INK_GREEN,
                s->unequal ? "the worlds differed after %d steps"
                           : "%d steps in which the worlds differed",
                s->unequal);
    for (int i = 0; i < PLAYERS; i++) {
        int behind = m[i].step - m[i].known[1 - i];
        vec2s at = {{(float)(i * SECOND_PICTURE), 8}};
        sketch_label(sketch, at, INK_TEXT, "machine %d", i + 1);
        sketch_note(sketch, INK_TEXT, "machine %d: predicts %d steps, repeats %d per second", i + 1,
                    behind, m[i].shown);
    }
}

const scene scene_rollback = {
    .name = "rollback",
    .title = "Rollback netcode",
    .caption = "Keys arrive late or get lost. Each machine predicts them, and repeats steps after "
               "a wrong prediction.",
    .view = {SECOND_PICTURE / 2.0f, 4, 14},
    .width = 44,
    .gravity = {{0, -10}},
    .memory_size = sizeof(state),
    .create = create,
    .control = control,
    .before_step = before_step,
    .destroy = destroy,
    .takes_keys = true,
    .draw = draw,
};
