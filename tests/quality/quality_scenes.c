/* The scenes of the quality harness. Each function builds a world, runs it and measures errors.
 *
 * Stacks, pyramids, an arch and a pile show how stiff contacts are. A ramp, bounces, gases, a
 * projectile and a spin are compared with their closed formulas. Boxes are 1 m wide, with density 1
 * and friction 0.6, and gravity is 10 m/s^2, unless a figure says otherwise. Comparisons are
 * written so that a NaN counts as a failure. */
#include "quality_build.h"

static const double DT = (double)(1.0f / 60); // 1/60 s as the engine rounds it

// --------------------------------------------------------------------------------------- measuring

static double distance(point a, point b) { return hypot(a.x - b.x, a.y - b.y); }

// A stack has fallen if a box has moved sideways by half its size, or down by 10 % of its height
// plus a quarter of its size. (Tall stacks sag, which is not a fall.)
static bool has_fallen(const quality_run *run, double size) {
    for (int i = 0; i < run->box_count; i++) {
        point moved = moved_by(run, i);
        bool stands =
            fabs(moved.x) <= 0.5 * size && fabs(moved.y) <= 0.1 * run->boxes[i].y + 0.25 * size;
        if (!stands) return true;
    }
    return false;
}

static double greatest_displacement(const quality_run *run) {
    double most = 0;
    for (int i = 0; i < run->box_count; i++) {
        point moved = moved_by(run, i);
        most = greatest(most, hypot(moved.x, moved.y));
    }
    return most;
}

// ------------------------------------------------------------------------------------------ stacks

static double count_fallen_stacks(quality_run *run, int n, double size) {
    int fallen = 0;
    for (int seed = 1; seed <= run->seeds; seed++) {
        quality_begin(run, -10, (uint64_t)seed);
        add_ground(run, 0);
        add_stack(run, n, 0, size, 0.01);
        quality_step(run, 20 * SECOND);
        fallen += has_fallen(run, size);
    }
    return fallen;
}

void quality_stack_stands(quality_run *run, int n) {
    run->values[0] = count_fallen_stacks(run, n, 1);
}

void quality_small_stack_stands(quality_run *run, int n) {
    run->values[0] = count_fallen_stacks(run, n, 0.05);
}

// Returns the error of the height of a straight stack of n metres, in percent.
static double stack_height_error(quality_run *run, int n, double x) {
    quality_begin(run, -10, 1);
    add_ground(run, x);
    add_stack(run, n, x, 1, 0);
    quality_step(run, 20 * SECOND);
    return 100 * fabs(moved_by(run, n - 1).y) / n;
}

void quality_stack_height(quality_run *run, int n) {
    run->values[0] = stack_height_error(run, n, 0);
}

void quality_far_stack(quality_run *run, int n) {
    run->values[0] = stack_height_error(run, n, 10000);
    for (int i = 0; i < n; i++)
        run->values[1] = greatest(run->values[1], 1000 * fabs(moved_by(run, i).x));
}

void quality_pyramid(quality_run *run, int n) {
    quality_begin(run, -10, 1);
    add_ground(run, 0);
    add_pyramid(run, n);
    quality_step(run, 10 * SECOND);
    run->values[0] = 1000 * greatest_displacement(run);
    run->values[1] = 1000 * quality_measure_penetration(run->world).max;
}

// Stacks n light boxes, and one of the same size and a hundred times the mass on top of them.
static void load_stack(quality_run *run, int n) {
    quality_begin(run, -10, 1);
    add_ground(run, 0);
    add_stack(run, n, 0, 1, 0);
    add_box(run, 0, n + 0.5, 1, 100);
    quality_step(run, 10 * SECOND);
}

void quality_heavy_sinks(quality_run *run, int n) {
    load_stack(run, n);
    run->values[0] = 1000 * fabs(moved_by(run, n).y);
}

void quality_heavy_stands(quality_run *run, int n) {
    load_stack(run, n);
    run->values[0] = has_fallen(run, 1);
}

// ---------------------------------------------------------------------------------- arch and pile

/* A half circle of n equal stones between radii 4 m and 5 m, without mortar, on the ground. The
 * stones meet in straight joints, so only friction and weight hold it: the line of thrust of an
 * arch this thick stays inside. A stone's frame is on its middle line, 4.5 m from the centre, with
 * x outward:
 *
 *           _____
 *         /  |  \         inner and outer edges are chords
 *       /\ __|__ /\
 *      /__/     \__\      */
void quality_arch(quality_run *run, int n) {
    const double inner = 4, outer = 5, middle = 4.5, half = PI / (2 * n);
    vec2s corners[4] = {
        {{(float)(inner * cos(half) - middle), (float)(inner * sin(-half))}},
        {{(float)(outer * cos(half) - middle), (float)(outer * sin(-half))}},
        {{(float)(outer * cos(half) - middle), (float)(outer * sin(half))}},
        {{(float)(inner * cos(half) - middle), (float)(inner * sin(half))}},
    };
    cn_shape_def stone = {.hull = cn_polygon(corners, 4, 0)};

    quality_begin(run, -10, 1);
    add_ground(run, 0);
    for (int i = 0; i < n; i++) {
        double angle = (2 * i + 1) * half;
        add_watched(run, middle * cos(angle), middle * sin(angle), angle, stone);
    }
    quality_step(run, 10 * SECOND);
    run->values[0] = 1000 * fabs(moved_by(run, n / 2).y);
}

// Returns a circle, box, capsule or polygon in turn, about `size` from its centre to its farthest
// point.
static cn_hull make_pile_shape(quality_run *run, int i) {
    float size = (float)quality_random(run, 0.2, 0.4);
    vec2s end = {{0.6f * size, 0}}, other = {{-0.6f * size, 0}};
    switch (i % 4) {
    case 0: return cn_circle(size);
    case 1: return cn_box(size, 0.7f * size);
    case 2: return cn_capsule(other, end, 0.5f * size);
    default: return cn_regular_polygon(3 + (int)quality_random(run, 0, 6), size);
    }
}

static bool all_lie_in_bin(const quality_run *run) {
    for (int i = 0; i < run->box_count; i++) {
        point p = position_of(run, run->boxes[i].body);
        bool inside = fabs(p.x) < 20 && p.y > 0 && p.y < 80;
        if (!inside) return false;
    }
    return true;
}

// n shapes fall into a bin 40 m wide and lie there. Returns how deep they overlap.
static quality_penetration measure_pile(quality_run *run, int n, uint64_t seed) {
    const double pitch = 1.1;
    const int columns = 36;
    quality_begin(run, -10, seed);
    add_bin(run, 20);
    for (int i = 0; i < n; i++) {
        double jitter = quality_random(run, -0.05, 0.05), angle = quality_random(run, -PI, PI);
        double x = pitch * (i % columns - 0.5 * (columns - 1)) + jitter;
        double y = 1 + pitch * (i / columns);
        add_watched(run, x, y, angle, (cn_shape_def){.hull = make_pile_shape(run, i)});
    }
    quality_step(run, 20 * SECOND);
    quality_penetration p = quality_measure_penetration(run->world);
    return all_lie_in_bin(run) ? p : (quality_penetration){NAN, NAN, NAN, 0};
}

// The figures are means over several piles, because the greatest overlap of one pile is a matter of
// chance: from 6 to 14 mm.
void quality_pile(quality_run *run, int n) {
    for (int seed = 1; seed <= run->seeds; seed++) {
        quality_penetration p = measure_pile(run, n, (uint64_t)seed);
        run->values[0] += 1000 * p.mean / run->seeds;
        run->values[1] += 1000 * p.p99 / run->seeds;
        run->values[2] += 1000 * p.max / run->seeds;
    }
}

// ---------------------------------------------------------------------------------------- friction

// Puts a box at rest on a ramp with this angle in radians. It would slide towards -x.
static cn_body put_on_ramp(quality_run *run, double angle) {
    quality_begin(run, -10, 1);
    cn_body_def ramp = {.type = CN_STATIC, .angle = (float)angle};
    add_shape(run, cn_body_create(run->world, &ramp), (cn_shape_def){.hull = cn_box(100, 1)});
    cn_shape_def box = {.hull = cn_box(0.5f, 0.5f)};
    return add_watched(run, -1.5 * sin(angle), 1.5 * cos(angle), angle, box);
}

static double travel(quality_run *run, cn_body body, int steps) {
    point before = position_of(run, body);
    quality_step(run, steps);
    return distance(before, position_of(run, body));
}

// True if the box slides. By Coulomb's law a box that has started to move (it settles a little)
// speeds up above the friction angle and slows down below it. So it slides if it is faster after 20
// s than after 10 s. The 0.1 mm correspond to 0.00003 degrees.
static bool slides(quality_run *run, double angle) {
    cn_body body = put_on_ramp(run, angle);
    quality_step(run, 8 * SECOND);
    double early = travel(run, body, 2 * SECOND);
    quality_step(run, 8 * SECOND);
    double late = travel(run, body, 2 * SECOND);
    return late > early + 1e-4;
}

void quality_friction(quality_run *run, int n) {
    (void)n;
    const double right = atan(0.6), range = 0.5 * PI / 180;
    double low = right - range, high = right + range;
    bool is_bracketed = !slides(run, low) && slides(run, high);
    for (int i = 0; i < 13 && is_bracketed; i++) {
        double angle = 0.5 * (low + high);
        if (slides(run, angle))
            high = angle;
        else
            low = angle;
    }
    run->values[0] = is_bracketed ? fabs(0.5 * (low + high) - right) * 180 / PI : NAN;

    cn_body body = put_on_ramp(run, right - range);
    quality_step(run, 5 * SECOND);
    run->values[1] = 1000 * travel(run, body, 10 * SECOND);
}

// ---------------------------------------------------------------------------------------- bouncing

// Returns the height to which a body bounces when it is dropped from `height` above its place of
// rest. The top lies between two steps: the velocity of the last step gives the missing part.
static double bounce_height(quality_run *run, cn_hull hull, double height) {
    quality_begin(run, -10, 1);
    add_ground(run, 0);
    cn_shape_def shape = {.hull = hull, .material = {.restitution = 0.5f}};
    return wait_for_bounce(run, add_watched(run, 0, 0.5 + height, 0, shape));
}

// The exact height is e^2 times that of the drop, e = 0.5.
static void measure_bounces(quality_run *run, cn_hull hull) {
    const double heights[] = {0.8, 1.7, 3.1, 5, 8.3};
    for (size_t i = 0; i < sizeof heights / sizeof *heights; i++) {
        double exact = 0.25 * heights[i], bounce = bounce_height(run, hull, heights[i]);
        run->values[0] = greatest(run->values[0], 100 * fabs(bounce / exact - 1));
    }
}

void quality_ball_bounce(quality_run *run, int n) {
    (void)n;
    measure_bounces(run, cn_circle(0.5f));
}

void quality_box_bounce(quality_run *run, int n) {
    (void)n;
    measure_bounces(run, cn_box(0.5f, 0.5f));
}

// ------------------------------------------------------------------------------------------- gases

static double kinetic_energy(const quality_run *run) {
    double sum = 0;
    for (int i = 0; i < run->box_count; i++) {
        cn_body body = run->boxes[i].body;
        cn_mass_data mass = cn_body_mass_data(run->world, body);
        vec2s velocity = cn_body_velocity(run->world, body);
        double vx = (double)velocity.x, vy = (double)velocity.y;
        double w = (double)cn_body_angular_velocity(run->world, body);
        sum += 0.5 * (double)mass.mass * (vx * vx + vy * vy) + 0.5 * (double)mass.inertia * w * w;
    }
    return sum;
}

// n bodies move in a closed box of 20 m x 20 m, without friction and with restitution 1, so that
// their energy stays the same.
static void measure_gas(quality_run *run, int n, cn_hull hull) {
    const double pitch = 1.3;
    const int columns = 15;
    quality_begin(run, 0, 1);
    for (int side = -1; side <= 1; side += 2) {
        add_static_box(run, 11 * side, 0, 1, 12);
        add_static_box(run, 0, 11 * side, 12, 1);
    }
    cn_shape_def shape = {.hull = hull, .material = {.restitution = 1, .frictionless = true}};
    for (int i = 0; i < n; i++) {
        double x = pitch * (i % columns - 0.5 * (columns - 1));
        double y = pitch * (i / columns - 0.5 * (columns - 1));
        cn_body body = add_watched(run, x, y, quality_random(run, -PI, PI), shape);
        vec2s velocity = {{(float)quality_random(run, -5, 5), (float)quality_random(run, -5, 5)}};
        quality_check(run, cn_body_set_velocity(run->world, body, velocity));
    }
    double start = kinetic_energy(run);
    for (int i = 0; i < 20; i++) {
        quality_step(run, SECOND);
        double error = 100 * fabs(kinetic_energy(run) / start - 1);
        run->values[0] = greatest(run->values[0], error);
    }
}

void quality_circle_gas(quality_run *run, int n) { measure_gas(run, n, cn_circle(0.3f)); }

void quality_box_gas(quality_run *run, int n) { measure_gas(run, n, cn_box(0.25f, 0.25f)); }

// A ball with restitution 1 moves in a closed box of 4 m x 3 m, without gravity and friction. Its
// speed at the start is n mm/s.
void quality_room(quality_run *run, int n) {
    quality_begin(run, 0, 1);
    for (int side = -1; side <= 1; side += 2) {
        add_static_box(run, 3 * side, 0, 1, 3.5);
        add_static_box(run, 0, 2.5 * side, 3, 1);
    }
    cn_shape_def shape = {.hull = cn_circle(0.1f),
                          .material = {.restitution = 1, .frictionless = true}};
    cn_body body = add_watched(run, 0, 0, 0, shape);
    vec2s velocity = {{0.9138e-3f * (float)n, 0.4061e-3f * (float)n}}; // as (0.9, 0.4)
    quality_check(run, cn_body_set_velocity(run->world, body, velocity));
    double start = kinetic_energy(run);
    quality_step(run, 60 * SECOND);
    run->values[0] = 100 * fabs(sqrt(kinetic_energy(run) / start) - 1);
}

// ------------------------------------------------------------------------------------- free flight

void quality_projectile(quality_run *run, int n) {
    (void)n;
    quality_begin(run, -10, 1);
    cn_body body = add_box(run, 0, 0, 1, 1);
    quality_check(run, cn_body_set_velocity(run->world, body, (vec2s){{30, 40}}));
    quality_step(run, 5 * SECOND);
    double t = 5 * SECOND * DT;
    point exact = {30 * t, 40 * t - 5 * t * t};
    run->values[0] = 1000 * distance(position_of(run, body), exact);
}

void quality_spin(quality_run *run, int n) {
    (void)n;
    quality_begin(run, 0, 1);
    cn_body body = add_box(run, 0, 0, 1, 1);
    quality_check(run, cn_body_set_angular_velocity(run->world, body, 10));
    quality_step(run, 100 * SECOND);
    double exact = 10 * (100 * SECOND * DT);
    double error = remainder((double)cn_body_angle(run->world, body) - exact, 2 * PI);
    run->values[0] = fabs(error) * 180 / PI;
}
