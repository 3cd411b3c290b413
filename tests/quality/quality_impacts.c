/* Figures of impacts and of overlap recovery for the quality harness.
 *
 * Restitution is 0 in all of them, except at the break of a rack and beside a seam. So a body that
 * rises after an impact has got its energy from the solver. Heavy boxes have 100 times the mass of
 * the others. The rebound of a body is the greatest height that it reaches above the lowest height
 * before. Gravity is 10 m/s^2 unless a figure says otherwise. */
#include "../support/successive_impacts.h"
#include "quality_build.h"

static const double HEAVY = 100; // density

static double deepest_overlap(const quality_run *run) {
    return quality_measure_penetration(run->world).max;
}

// Follows the height of a body.
typedef struct {
    double lowest, rebound;
} rebound;

static void follow(rebound *r, double y) {
    r->lowest = fmin(r->lowest, y);
    r->rebound = greatest(r->rebound, y - r->lowest);
}

// The places of now are those from which bodies have moved.
static void mark_places(quality_run *run) {
    for (int i = 0; i < run->box_count; i++) {
        point p = position_of(run, run->boxes[i].body);
        run->boxes[i].x = p.x, run->boxes[i].y = p.y;
    }
}

// ------------------------------------------------------------------------------------- heavy boxes

// A pyramid is wrecked if one of its boxes has moved sideways by 1 m or down by 0.6 m.
static bool is_wrecked(const quality_run *run, int boxes) {
    for (int i = 0; i < boxes; i++) {
        point moved = moved_by(run, i);
        bool stands = fabs(moved.x) <= 1 && moved.y >= -0.6;
        if (!stands) return true;
    }
    return false;
}

// A heavy box falls by 2 m to 4 m on the apex of a pyramid of n rows. The values are the number of
// wrecked pyramids and the mean rebound.
void quality_apex(quality_run *run, int n) {
    const int runs = 20;
    for (int seed = 1; seed <= runs; seed++) {
        quality_begin(run, -10, (uint64_t)seed);
        add_ground(run, 0);
        add_pyramid(run, n);
        quality_step(run, 2 * SECOND);
        mark_places(run);
        int boxes = run->box_count;
        double x = quality_random(run, -0.02, 0.02), fall = quality_random(run, 2, 4);
        cn_body heavy = add_box(run, x, n + 0.5 + fall, 1, HEAVY);
        rebound r = {INFINITY, 0};
        for (int i = 0; i < 5 * SECOND; i++) {
            quality_step(run, 1);
            follow(&r, position_of(run, heavy).y);
        }
        run->values[0] += is_wrecked(run, boxes);
        run->values[1] += r.rebound / runs;
    }
}

// A heavy box falls by 1.5 m to 2.5 m on a stack of n boxes. The values are the means of its
// rebound and of the deepest overlap.
void quality_falls(quality_run *run, int n) {
    const int runs = 12;
    for (int seed = 1; seed <= runs; seed++) {
        quality_begin(run, -10, (uint64_t)seed);
        add_ground(run, 0);
        for (int i = 0; i < n; i++) add_box(run, 0, i + 0.5, 1, 1);
        quality_step(run, 2 * SECOND);
        double x = quality_random(run, -0.05, 0.05), fall = quality_random(run, 1.5, 2.5);
        cn_body heavy = add_box(run, x, n + 0.5 + fall, 1, HEAVY);
        rebound r = {INFINITY, 0};
        double depth = 0;
        for (int i = 0; i < 2 * SECOND; i++) {
            quality_step(run, 1);
            follow(&r, position_of(run, heavy).y);
            depth = greatest(depth, deepest_overlap(run));
        }
        run->values[0] += 1000 * r.rebound / runs;
        run->values[1] += 1000 * depth / runs;
    }
}

// n boxes in a loose grid fall from 20 m. Returns the highest rebound of any box.
static double drop_crowd(quality_run *run, int n, uint64_t seed) {
    rebound rebounds[QUALITY_MAX_BOXES];
    quality_begin(run, -10, seed);
    add_ground(run, 0);
    for (int i = 0; i < n; i++) {
        double dx = quality_random(run, -0.05, 0.05), dy = quality_random(run, -0.05, 0.05);
        double angle = quality_random(run, -0.2, 0.2);
        add_watched(run, 1.5 * (i % 10 - 4.5) + dx, 20.5 + 1.2 * (i / 10) + dy, angle,
                    (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
        rebounds[i] = (rebound){INFINITY, 0};
    }
    double highest = 0;
    for (int k = 0; k < 8 * SECOND; k++) {
        quality_step(run, 1);
        for (int i = 0; i < n; i++) {
            follow(&rebounds[i], position_of(run, run->boxes[i].body).y);
            highest = greatest(highest, rebounds[i].rebound);
        }
    }
    return highest;
}

void quality_crowd(quality_run *run, int n) {
    for (int seed = 1; seed <= run->seeds; seed++)
        run->values[0] += drop_crowd(run, n, (uint64_t)seed) / run->seeds;
}

// ---------------------------------------------------------------------------------------- overlaps

// n boxes start within `jitter` of one point, without gravity. The values are the time until none
// of them overlap by more than 2 slops, the kinetic energy at this time and the greatest speed.
static void part_boxes(quality_run *run, int n, double jitter, uint64_t seed) {
    quality_begin(run, 0, seed);
    for (int i = 0; i < n; i++) {
        double x = quality_random(run, -jitter, jitter), y = quality_random(run, -jitter, jitter);
        add_box(run, x, y, 1, 1);
    }
    run->values[0] = INFINITY; // if they never part
    for (int i = 1; i <= 20 * SECOND && isinf(run->values[0]) && !run->failed; i++) {
        quality_step(run, 1);
        if (deepest_overlap(run) <= 0.01) run->values[0] = (double)i / SECOND;
    }
    run->values[1] = cn_world_energy(run->world).kinetic;
    for (int i = 0; i < n; i++) {
        vec2s v = cn_body_velocity(run->world, run->boxes[i].body);
        run->values[2] = greatest(run->values[2], hypot((double)v.x, (double)v.y));
    }
}

// Many boxes in one place part chaotically. So for more than 5 boxes the values are means of ten
// runs, in which the boxes begin within 0.1 mm of the point.
void quality_spawn(quality_run *run, int n) {
    if (n <= 5) {
        part_boxes(run, n, 0, 1);
        return;
    }
    const int runs = 10;
    double time = 0, energy = 0;
    for (int seed = 1; seed <= runs; seed++) {
        part_boxes(run, n, 1e-4, (uint64_t)seed);
        time += run->values[0] / runs, energy += run->values[1] / runs;
    }
    run->values[0] = time, run->values[1] = energy;
}

void quality_burst(quality_run *run, int n) { part_boxes(run, n, 0.05, 1); }

// ------------------------------------------------------------------------------------------- lifts

// A lift that carries n boxes down stops at once: ten boxes at 5 m/s, fewer at 8 m/s. The gap is
// how far the top box rises above its height in a stack without overlap.
void quality_lift(quality_run *run, int n) {
    const vec2s down = {{0, n < 10 ? -8 : -5}};
    quality_begin(run, -10, 1);
    cn_body_def def = {.type = CN_KINEMATIC, .position = {{0, 30}}, .velocity = down};
    cn_body lift = cn_body_create(run->world, &def), top = {0};
    add_shape(run, lift, (cn_shape_def){.hull = cn_box(3, 0.25f)});
    for (int i = 0; i < n; i++) {
        top = add_box(run, 0, 30.75 + i, 1, 1);
        quality_check(run, cn_body_set_velocity(run->world, top, down));
    }
    quality_step(run, SECOND);
    quality_check(run, cn_body_set_velocity(run->world, lift, (vec2s){{0, 0}}));
    for (int i = 0; i < 2 * SECOND; i++) {
        quality_step(run, 1);
        double height = position_of(run, top).y - position_of(run, lift).y;
        run->values[0] = greatest(run->values[0], 1000 * (height - (n - 0.25)));
        run->values[1] = greatest(run->values[1], 1000 * deepest_overlap(run));
    }
}

// ----------------------------------------------------------------------------------------- seesaws

static void add_hinge(quality_run *run, cn_body plank, double height, float limit) {
    vec2s at = {{0, (float)height}};
    cn_body_def def = {.type = CN_STATIC, .position = at};
    cn_body pivot = cn_body_create(run->world, &def);
    cn_joint_def hinge = cn_revolute_joint(run->world, pivot, plank, at);
    if (limit > 0)
        hinge.angle = (cn_coordinate){.mode = CN_LIMITED, .lower = -limit, .upper = limit};
    quality_check(run, cn_joint_create(run->world, hinge).id);
}

// A box of `mass` kg falls by `drop` metres on the right end of a plank of 8 m, which lies on a
// hinge and has a box of 1 kg on its left end. The values keep the worst of all calls.
static void run_seesaw(quality_run *run, double mass, double height, double drop, float limit) {
    quality_begin(run, -10, 1);
    add_ground(run, 0);
    cn_shape_def board = {.hull = cn_box(4, 0.1f)};
    add_hinge(run, add_watched(run, 0, height, 0, board), height, limit);
    add_box(run, -3.5, height + 0.35, 0.5, 4);
    add_box(run, 3.5, height + 0.6 + drop, 1, mass);
    cn_energy start = cn_world_energy(run->world);
    for (int i = 0; i < 4 * SECOND; i++) {
        quality_step(run, 1);
        cn_energy now = cn_world_energy(run->world);
        double gained = now.kinetic + now.potential - start.kinetic - start.potential;
        run->values[0] = greatest(run->values[0], 100 * gained / (mass * 10 * drop));
        run->values[1] = greatest(run->values[1], 1000 * deepest_overlap(run));
    }
}

// The worst of 24 variants with a box of n kg. The gain is in percent of the energy of the fall.
void quality_seesaw(quality_run *run, int n) {
    const double heights[] = {0.5, 1, 1.5, 2}, drops[] = {2, 5, 8};
    const float limits[] = {0, 0.3f};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 2; k++) run_seesaw(run, n, heights[i], drops[j], limits[k]);
}

// ----------------------------------------------------------------------------------------- bounces

// A disc of the oracle as a body. `d` becomes what the body is: it is rounded to floats.
static cn_body add_disc(quality_run *run, disc *d) {
    cn_shape_def shape = {.hull = cn_circle((float)DISC_RADIUS),
                          .material = {.restitution = 1, .frictionless = true}};
    cn_body body = add_watched(run, d->x, d->y, 0, shape);
    vec2s velocity = {{(float)d->vx, (float)d->vy}};
    quality_check(run, cn_body_set_velocity(run->world, body, velocity));
    *d = disc_of(run->world, body);
    return body;
}

// The break of a rack of n rows with gaps of about 1 mm. The values are the mean error of the
// velocities against successive impacts, and the greatest error of the energy.
void quality_break(quality_run *run, int n) {
    const int runs = 20;
    for (int seed = 1; seed <= runs; seed++) {
        disc discs[MAX_DISCS];
        cn_body bodies[MAX_DISCS];
        int count = make_rack(discs, n, 1e-3);
        quality_begin(run, 0, (uint64_t)seed);
        discs[0].x -= quality_random(run, 0, 10.0 / SECOND); // anywhere within a step
        discs[0].y += quality_random(run, -0.1, 0.1);
        for (int i = 0; i < count; i++) {
            discs[i].x += quality_random(run, -3e-4, 3e-4);
            discs[i].y += quality_random(run, -3e-4, 3e-4);
            bodies[i] = add_disc(run, &discs[i]);
        }
        double start = cn_world_energy(run->world).kinetic;
        quality_step(run, SECOND);
        double error = 100 * fabs(cn_world_energy(run->world).kinetic / start - 1);
        run_successive_impacts(discs, count, 1);
        for (int i = 0; i < count; i++)
            run->values[0] +=
                speed_between(disc_of(run->world, bodies[i]), discs[i]) / count / runs;
        run->values[1] = greatest(run->values[1], error);
    }
}

static bool allow_all(cn_world *world, cn_shape a, cn_shape b, void *user) {
    (void)world, (void)a, (void)b, (void)user;
    return true;
}

// A ball with restitution 0.8 falls by about 3 m onto one of two boxes, up to 0.6 m from their
// seam. If a filter decides about the boxes, they are not one smooth ground. The value is the
// greatest error of the height.
void quality_seam(quality_run *run, int n) {
    const cn_shape_def ball = {.hull = cn_circle(0.5f), .material = {.restitution = 0.8f}};
    for (int i = 0; i < n; i++) {
        double aside = (i % 2 ? 1e-4 : -1e-4) * pow(6000, i / (n - 1.0)), drop = 3 + 0.02 * (i % 7);
        for (int filtered = 0; filtered < 2; filtered++) {
            quality_begin(run, -10, 1);
            cn_callbacks callbacks = {.filter = filtered ? allow_all : NULL};
            quality_check(run, cn_world_set_callbacks(run->world, callbacks));
            add_static_box(run, -1, -1, 1, 1);
            add_static_box(run, 1, -1, 1, 1);
            for (cn_shape s = {0}; filtered && (s = cn_world_next_shape(run->world, s)).id;)
                quality_check(run, cn_shape_set_custom_filter(run->world, s, true));
            double rise = wait_for_bounce(run, add_watched(run, aside, 0.5 + drop, 0, ball));
            double error = 100 * fabs(rise / (0.8 * 0.8 * drop) - 1);
            run->values[0] = greatest(run->values[0], error);
        }
    }
}
