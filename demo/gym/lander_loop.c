/* The landers of lander.py in C, in a plain loop over the worlds. The speed of a batch in Python is
 * compared with this program. It builds the same worlds, flies them with the same pilot and begins
 * new flights in the same way, so it ends with the same hashes.
 *
 *     lander_loop [LANDERS [STEPS [THREADS]]]      default: 256 1000 0
 *
 * It prints world-steps per second, the same per second of processor time, and the sum of the
 * hashes of the worlds, as `lander.py --speed` does. With threads it steps all worlds by
 * cn_worlds_step(). */
#include "../../engine/cairn.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CHUNKS = 11, MAX_STEPS = 1000, FORCE = 16, DISPERSION = 20 };
#define FPS        50
#define SCALE      30.0
#define WIDTH      (600 / SCALE)
#define HEIGHT     (400 / SCALE)
#define LEG_AWAY   (20 / SCALE)
#define LEG_DOWN   (18 / SCALE)
#define PAD_HEIGHT (HEIGHT / 4)
#define PI         3.14159265358979323846

typedef struct {
    cn_world *world;
    cn_body moon, ship, legs[2];
    uint64_t seed;
    int steps;
    bool is_new;
    double angle, shaping, reward;
    float state[8];
} lander;

static void *template;
static size_t template_size;

// ---- random numbers: each is a function of a seed and an index

static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
}

static double uniform(uint64_t seed, uint64_t index) {
    return (double)(mix(seed + 0x9E3779B97F4A7C15 * (index + 1)) >> 11) * 0x1p-53;
}

static vec2s point(double x, double y) { return (vec2s){{(float)x, (float)y}}; }

// ---- worlds

static void add_leg(cn_world *world, cn_body ship, int side) {
    cn_rotation turn = cn_rotation_of((float)(-0.4 * side));
    double x = side * LEG_AWAY, y = LEG_DOWN;
    vec2s at = cn_body_position(world, ship);
    double dx = (double)turn.c * x - (double)turn.s * y,
           dy = (double)turn.s * x + (double)turn.c * y;
    cn_body leg = cn_body_create(
        world, &(cn_body_def){.position = point((double)at.x - dx, (double)at.y - dy),
                              .angle = (float)(-0.4 * side)});
    cn_shape_create(world, leg,
                    &(cn_shape_def){.hull = cn_box((float)(2 / SCALE), (float)(8 / SCALE)),
                                    .material = {.friction = 0.2f},
                                    .filter = {.category = 0x20, .mask = 1}});
    cn_joint_def hinge = cn_revolute_joint(world, ship, leg, at);
    hinge.frame_a = cn_pose_at((vec2s){{0, 0}}, 0);
    hinge.frame_b = cn_pose_at(point(x, y), 0);
    hinge.angle.mode = CN_LIMITED;
    hinge.angle.lower = side < 0 ? 0.4f : -0.9f;
    hinge.angle.upper = side < 0 ? 0.9f : -0.4f;
    hinge.angle.motor = true;
    hinge.angle.motor_speed = (float)(0.3 * side);
    hinge.angle.max_motor_force = 40;
    cn_joint_create(world, hinge);
}

static void make_template(void) {
    static const double outline[6][2] = {{-14, 17}, {-17, 0}, {-17, -10},
                                         {17, -10}, {17, 0},  {14, 17}};
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
    cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    cn_body ship = cn_body_create(world, &(cn_body_def){.position = point(WIDTH / 2, HEIGHT)});
    vec2s points[6];
    for (int i = 0; i < 6; i++) points[i] = point(outline[i][0] / SCALE, outline[i][1] / SCALE);
    cn_shape_create(world, ship,
                    &(cn_shape_def){.hull = cn_polygon(points, 6, 0),
                                    .density = 5,
                                    .material = {.friction = 0.1f},
                                    .filter = {.category = 0x10, .mask = 1}});
    add_leg(world, ship, -1);
    add_leg(world, ship, 1);
    template_size = cn_world_save(world, CN_SAVE_ALL, NULL, 0);
    template = malloc(template_size);
    cn_world_save(world, CN_SAVE_ALL, template, template_size);
    cn_world_destroy(world);
}

static void add_ground(lander *l) {
    double heights[CHUNKS + 1];
    for (int i = 0; i <= CHUNKS; i++)
        heights[i] = i >= CHUNKS / 2 - 2 && i <= CHUNKS / 2 + 2
                         ? PAD_HEIGHT
                         : uniform(l->seed, (uint64_t)i) * (HEIGHT / 2);
    vec2s points[CHUNKS];
    for (int i = 0; i < CHUNKS; i++) {
        double before = heights[i > 0 ? i - 1 : CHUNKS];
        points[CHUNKS - 1 - i] =
            point(WIDTH / (CHUNKS - 1) * i, 0.33 * (before + heights[i] + heights[i + 1]));
    }
    cn_chain_create(
        l->world, l->moon,
        &(cn_chain_def){.points = points, .count = CHUNKS, .material = {.friction = 0.1f}});
}

static void begin(lander *l) {
    cn_world_restore(l->world, template, template_size);
    add_ground(l);
    double x = (uniform(l->seed, FORCE) * 2 - 1) * 1000,
           y = (uniform(l->seed, FORCE + 1) * 2 - 1) * 1000;
    cn_body_apply_force(l->world, l->ship, point(x, y));
    l->steps = 0, l->angle = 0, l->shaping = NAN, l->is_new = false;
}

static lander make_lander(uint64_t seed) {
    lander l = {.seed = seed};
    l.world = cn_world_load(&(cn_world_def){0}, NULL, template, template_size);
    l.moon = cn_world_body_in_slot(l.world, 0);
    l.ship = cn_world_body_in_slot(l.world, 1);
    l.legs[0] = cn_world_body_in_slot(l.world, 2);
    l.legs[1] = cn_world_body_in_slot(l.world, 3);
    begin(&l);
    return l;
}

// ---- a step

static void fire(lander *l, double power, vec2s at, double x, double y, double dx, double dy) {
    if (power > 0)
        cn_body_apply_impulse_at(l->world, l->ship, point(-x * power, -y * power),
                                 point((double)at.x + (x + dx), (double)at.y + (y + dy)));
}

static void fire_engines(lander *l, int action) {
    cn_pose pose = cn_body_pose(l->world, l->ship);
    double sine = (double)pose.rotation.s, cosine = (double)pose.rotation.c;
    uint64_t index = DISPERSION + 2 * (uint64_t)l->steps;
    double along = (uniform(l->seed, index) * 2 - 1) / SCALE;
    double across = (uniform(l->seed, index + 1) * 2 - 1) / SCALE;
    double down = 4 / SCALE + 2 * along;
    fire(l, (action == 2) * 13.0, pose.position, sine * down - cosine * across,
         -cosine * down - sine * across, 0, 0);
    double reach = 3 * across + (action - 2.0) * (12 / SCALE);
    fire(l, (action == 1 || action == 3) * 0.6, pose.position, sine * along - cosine * reach,
         -cosine * along - sine * reach, -sine * 17 / SCALE, cosine * (14 / SCALE));
}

static void observe(lander *l) {
    vec2s p = cn_body_position(l->world, l->ship), v = cn_body_velocity(l->world, l->ship);
    double angle = (double)cn_body_angle(l->world, l->ship), s[8];
    l->angle = angle + nearbyint((l->angle - angle) / (2 * PI)) * (2 * PI);
    s[0] = ((double)p.x - WIDTH / 2) / (WIDTH / 2);
    s[1] = ((double)p.y - (PAD_HEIGHT + LEG_DOWN)) / (HEIGHT / 2);
    s[2] = (double)v.x * (WIDTH / 2) / FPS;
    s[3] = (double)v.y * (HEIGHT / 2) / FPS;
    s[4] = l->angle;
    s[5] = (double)(cn_body_angular_velocity(l->world, l->ship) * 20.0f / FPS);
    s[6] = cn_body_touches(l->world, l->legs[0], l->moon);
    s[7] = cn_body_touches(l->world, l->legs[1], l->moon);
    double shaping = -100 * sqrt(s[0] * s[0] + s[1] * s[1]) -
                     100 * sqrt(s[2] * s[2] + s[3] * s[3]) - 100 * fabs(s[4]) + 10 * s[6] +
                     10 * s[7];
    l->reward = isnan(l->shaping) ? 0 : shaping - l->shaping;
    l->shaping = shaping;
    for (int i = 0; i < 8; i++) l->state[i] = (float)s[i];
}

static void judge(lander *l, int action, bool begun) {
    l->steps++;
    observe(l);
    l->reward -= 0.3 * (action == 2) + 0.03 * (action == 1 || action == 3);
    bool crashed = cn_body_touches(l->world, l->ship, l->moon) || fabsf(l->state[0]) >= 1;
    bool rests = cn_body_asleep(l->world, l->ship) && !crashed;
    l->reward = begun ? 0 : crashed ? -100 : rests ? 100 : l->reward;
    l->is_new = ((crashed || rests) && !begun) || l->steps > MAX_STEPS;
}

static double clamp(double value, double limit) {
    return value < -limit ? -limit : value > limit ? limit : value;
}

static int fly(const lander *l) {
    const float *s = l->state;
    double x = (double)s[0], y = (double)s[1], vx = (double)s[2], vy = (double)s[3];
    double turn = (clamp(x * 0.5 + vx, 0.4) - (double)s[4]) * 0.5 - (double)s[5];
    double rise = (0.55 * fabs(x) - y) * 0.5 - vy * 0.5;
    if (s[6] > 0 || s[7] > 0) turn = 0, rise = -vy * 0.5;
    if (rise > fabs(turn) && rise > 0.05) return 2;
    return turn < -0.05 ? 3 : turn > 0.05 ? 1 : 0;
}

// Steps all landers: one after the other, or in one call on several threads.
static void step_all(lander *landers, cn_world **worlds, int count, bool is_idle, int threads) {
    int *actions = malloc((size_t)count * sizeof *actions);
    bool *begun = malloc((size_t)count * sizeof *begun);
    for (int i = 0; i < count; i++) {
        lander *l = &landers[i];
        actions[i] = is_idle || l->is_new ? 0 : fly(l), begun[i] = l->is_new;
        if (l->is_new) l->seed = mix(l->seed + 1), begin(l);
        fire_engines(l, actions[i]);
        if (!threads) {
            cn_world_step(l->world, 1.0f / FPS);
            judge(l, actions[i], begun[i]);
        }
    }
    if (threads) {
        cn_worlds_step(worlds, count + 1, 1.0f / FPS, NULL);
        for (int i = 0; i < count; i++) judge(&landers[i], actions[i], begun[i]);
    }
    if (is_idle)
        for (int i = 0; i < count; i++) landers[i].is_new = false;
    free(actions), free(begun);
}

static double read_clock(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argument_count, char **arguments) {
    int count = argument_count > 1 ? atoi(arguments[1]) : 256;
    int steps = argument_count > 2 ? atoi(arguments[2]) : 1000;
    int threads = argument_count > 3 ? atoi(arguments[3]) : 0;
    make_template();
    lander *landers = malloc((size_t)count * sizeof *landers);
    cn_world **worlds = malloc((size_t)(count + 1) * sizeof *worlds);
    worlds[0] = cn_world_create(&(cn_world_def){.threads = threads});
    for (int i = 0; i < count; i++) {
        landers[i] = make_lander(mix(1 + 0x9E3779B97F4A7C15 * (uint64_t)(i + 1)));
        worlds[i + 1] = landers[i].world;
    }
    step_all(landers, worlds, count, true, threads);
    double start = read_clock();
    clock_t work = clock();
    for (int i = 0; i < steps; i++) step_all(landers, worlds, count, false, threads);
    double seconds = read_clock() - start, work_seconds = (double)(clock() - work) / CLOCKS_PER_SEC;
    uint64_t hashes = 0;
    for (int i = 0; i < count; i++) hashes += cn_world_hash(landers[i].world);
    printf("%.0f steps per second, %.0f per second of work, hash %016" PRIx64 "\n",
           count * (double)steps / seconds, count * (double)steps / work_seconds, hashes);
    if (cn_error_code()) fprintf(stderr, "%s\n", cn_error());
    for (int i = 0; i <= count; i++) cn_world_destroy(worlds[i]);
    free(landers), free(worlds), free(template);
    return cn_error_code() != CN_ERROR_NONE;
}
