/* Figures of joints and of fast bodies for the quality harness: errors of gaps, angles and
 * energies, and bodies that pass through walls. Gravity is 10 m/s^2 unless a figure says otherwise.
 */
#include "../support/gap.h"
#include "quality.h"

#include <math.h>

#define PI 3.14159265358979323846

enum { SECOND = 60, PHASES = 20, MAX_JOINTS = 2000 };

static cn_body add_body(quality_run *run, cn_motion_type type, double x, double y,
                        cn_shape_def shape) {
    cn_body_def def = {.type = type, .position = {{(float)x, (float)y}}};
    cn_body body = cn_body_create(run->world, &def);
    if (shape.hull.count) quality_check(run, cn_shape_create(run->world, body, &shape).id);
    return body;
}

static vec2s point(double x, double y) { return (vec2s){{(float)x, (float)y}}; }

static cn_joint add_joint(quality_run *run, cn_joint_def def) {
    cn_joint joint = cn_joint_create(run->world, def);
    quality_check(run, joint.id);
    return joint;
}

static double greatest_gap(const cn_world *world) {
    double most = 0;
    cn_joint joint = cn_world_next_joint(world, (cn_joint){0});
    for (; joint.id; joint = cn_world_next_joint(world, joint))
        most = fmax(most, gap_of(world, joint));
    return most;
}

// Joins a row of links of 1 kg to a static body at the origin, and a ball of `mass` kg to the last
// one. The row points `angle` radians below the x axis. Returns the ball.
static cn_body hang_row(quality_run *run, int links, double length, double angle, double mass) {
    const cn_filter apart = {.category = 2, .mask = 1};
    double c = cos(angle), s = -sin(angle), radius = length, half = length / 2;
    cn_body last = add_body(run, CN_STATIC, 0, 0, (cn_shape_def){0});
    for (int i = 0; i <= links; i++) {
        bool is_ball = i == links;
        double joint = i * length, centre = joint + (is_ball ? radius : half);
        cn_body_def def = {.position = point(centre * c, centre * s), .angle = (float)-angle};
        cn_body next = cn_body_create(run->world, &def);
        cn_shape_def link = {.hull = cn_box((float)half, (float)half / 4),
                             .density = (float)(1 / (half * length)),
                             .filter = apart};
        cn_shape_def ball = {.hull = cn_circle((float)radius),
                             .density = (float)(mass / (PI * radius * radius)),
                             .filter = apart};
        quality_check(run, cn_shape_create(run->world, next, is_ball ? &ball : &link).id);
        add_joint(run, cn_revolute_joint(run->world, last, next, point(joint * c, joint * s)));
        last = next;
    }
    return last;
}

// The gap of joints and the sag of a ball of n kg on 50 links.
void quality_chain(quality_run *run, int n) {
    quality_begin(run, -10, 1);
    cn_body ball = hang_row(run, 50, 1, PI / 2, n);
    double y = (double)cn_body_position(run->world, ball).y;
    quality_step(run, 10 * SECOND);
    run->values[0] = 1000 * greatest_gap(run->world);
    run->values[1] = 1000 * fabs((double)cn_body_position(run->world, ball).y - y);
}

// The greatest gap while a ball of n kg on ten links swings down from 15 degrees below horizontal.
void quality_swing(quality_run *run, int n) {
    quality_begin(run, -10, 1);
    hang_row(run, 10, 0.5, PI / 12, n);
    for (int i = 0; i < 10 * SECOND; i++) {
        quality_step(run, 1);
        run->values[0] = fmax(run->values[0], 1000 * greatest_gap(run->world));
    }
}

// A pendulum of n bars starts horizontal and at rest. The values are the greatest gain of energy
// and the loss after a minute, both in percent of the greatest kinetic energy.
void quality_double_pendulum(quality_run *run, int n) {
    quality_begin(run, -10, 1);
    cn_body last = add_body(run, CN_STATIC, 0, 0, (cn_shape_def){0});
    cn_shape_def bar = {.hull = cn_box(0.5f, 0.05f), .filter = {.category = 2, .mask = 1}};
    for (int i = 0; i < n; i++) {
        cn_body next = add_body(run, CN_DYNAMIC, 0.5 + i, 0, bar);
        add_joint(run, cn_revolute_joint(run->world, last, next, point(i, 0)));
        last = next;
    }
    cn_energy start = cn_world_energy(run->world);
    double fall = 0, now = 0;
    for (int i = 0; i < 60 * SECOND; i++) {
        quality_step(run, 1);
        cn_energy e = cn_world_energy(run->world);
        now = e.kinetic + e.potential - start.kinetic - start.potential;
        fall = fmax(fall, e.kinetic);
        run->values[0] = fmax(run->values[0], now);
    }
    run->values[0] *= 100 / fall;
    run->values[1] = -100 * now / fall;
}

// A beam of n boxes of 1 m is welded to a wall. The value is how far its end sags.
void quality_cantilever(quality_run *run, int n) {
    quality_begin(run, -10, 1);
    cn_body last = add_body(run, CN_STATIC, 0, 0, (cn_shape_def){0});
    cn_shape_def box = {
        .hull = cn_box(0.5f, 0.125f), .density = 4, .filter = {.category = 2, .mask = 1}};
    for (int i = 0; i < n; i++) {
        cn_body next = add_body(run, CN_DYNAMIC, 0.5 + i, 0, box);
        add_joint(run, cn_weld_joint(run->world, last, next, point(i, 0)));
        last = next;
    }
    quality_step(run, 10 * SECOND);
    run->values[0] = -1000 * (double)cn_body_position(run->world, last).y;
}

// Ten boxes of 5 kg fall from 2 m on a bridge of n planks of 1 kg, which starts out straight. The
// values are the greatest gap of its joints, and the gap after 20 s.
void quality_bridge(quality_run *run, int n) {
    quality_begin(run, -10, 1);
    cn_body ground = add_body(run, CN_STATIC, 0, 0, (cn_shape_def){0}), last = ground;
    for (int i = 0; i < n; i++) {
        cn_shape_def plank = {.hull = cn_box(0.5f, 0.125f), .density = 4};
        cn_body next = add_body(run, CN_DYNAMIC, 0.5 + i, 0, plank);
        add_joint(run, cn_revolute_joint(run->world, last, next, point(i, 0)));
        last = next;
    }
    add_joint(run, cn_revolute_joint(run->world, last, ground, point(n, 0)));
    for (int i = 0; i < 10; i++)
        add_body(run, CN_DYNAMIC, n / 2.0 - 9 + 2 * i, 2,
                 (cn_shape_def){.hull = cn_box(0.5f, 0.5f), .density = 5});
    for (int i = 0; i < 20 * SECOND; i++) {
        quality_step(run, 1);
        run->values[0] = fmax(run->values[0], 1000 * greatest_gap(run->world));
    }
    run->values[1] = 1000 * greatest_gap(run->world);
}

// n x n circles, each joined to the one above and the one on the left. The first row is static.
void quality_joint_grid(quality_run *run, int n) {
    static cn_body grid[30][30];
    quality_begin(run, -10, 1);
    cn_shape_def circle = {.hull = cn_circle(0.4f), .filter = {.category = 2, .mask = 1}};
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            grid[k][i] = add_body(run, i ? CN_DYNAMIC : CN_STATIC, k, -i, circle);
            if (i > 0)
                add_joint(run, cn_revolute_joint(run->world, grid[k][i - 1], grid[k][i],
                                                 point(k, 0.5 - i)));
            if (k > 0)
                add_joint(run, cn_revolute_joint(run->world, grid[k - 1][i], grid[k][i],
                                                 point(k - 0.5, -i)));
        }
    quality_step(run, 10 * SECOND);
    run->values[0] = 1000 * greatest_gap(run->world);
}

// A bar with n times its mass at its end falls until a limit of its hinge stops it. The values are
// the overshoot of the angle, and the gap of the hinge.
void quality_limit(quality_run *run, int n) {
    quality_begin(run, -10, 1);
    cn_body ground = add_body(run, CN_STATIC, 0, 0, (cn_shape_def){0});
    cn_body bar = add_body(run, CN_DYNAMIC, 1, 0, (cn_shape_def){.hull = cn_box(1, 0.1f)});
    cn_joint_def hinge = cn_revolute_joint(run->world, ground, bar, point(0, 0));
    hinge.angle = (cn_coordinate){.mode = CN_LIMITED, .lower = -0.5f, .upper = 0.5f};
    cn_joint joint = add_joint(run, hinge);
    cn_shape_def load = {.hull = cn_circle(0.5f), .density = (float)(n * 0.4 / (0.25 * PI))};
    cn_body ball = add_body(run, CN_DYNAMIC, 2, 0, load);
    add_joint(run, cn_revolute_joint(run->world, bar, ball, point(2, 0)));
    for (int i = 0; i < 5 * SECOND; i++) {
        quality_step(run, 1);
        double angle = (double)cn_joint_value(run->world, joint, CN_JOINT_ANGLE);
        run->values[0] = fmax(run->values[0], (-0.5 - angle) * 180 / PI);
        run->values[1] = fmax(run->values[1], 1000 * greatest_gap(run->world));
    }
}

// A ball of 3.4 kg at 13 m/s hits a plate on a weld, which stops it. The weld breaks at `limit`
// times the impulse over the time of a step. The ball comes later by a part `phase` of a step.
// Returns the impulse of the weld, or 0 if it broke.
static double stop_ball(quality_run *run, double limit, double phase) {
    const double mass = 3.4, speed = 13;
    quality_begin(run, 0, 1);
    cn_body ground = add_body(run, CN_STATIC, 0, 0, (cn_shape_def){0});
    cn_body plate = add_body(run, CN_DYNAMIC, 1, 0, (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
    cn_shape_def shape = {.hull = cn_circle(0.2f), .density = (float)(mass / (0.04 * PI))};
    cn_body ball = add_body(run, CN_DYNAMIC, 2.2 + phase * speed / SECOND, 0, shape);
    quality_check(run, cn_body_set_velocity(run->world, ball, point(-speed, 0)));
    cn_joint_def weld = cn_weld_joint(run->world, ground, plate, point(0.3, 0));
    weld.break_force = (float)(limit * mass * speed * SECOND);
    cn_joint joint = add_joint(run, weld);
    double sum = 0;
    for (int i = 0; i < 20; i++) {
        quality_step(run, 1);
        if (!cn_joint_valid(run->world, joint)) return 0;
        sum += (double)cn_joint_force(run->world, joint).x / SECOND;
    }
    return sum / (mass * speed);
}

// Impacts in n phases of a step, with limits of half and twice their load. The values are how many
// welds broke wrongly, and the greatest error of the impulse of the others.
void quality_impact_load(quality_run *run, int n) {
    for (int i = 0; i < n; i++) {
        run->values[0] += stop_ball(run, 0.5, (double)i / n) != 0;
        double impulse = stop_ball(run, 2, (double)i / n);
        run->values[0] += impulse == 0;
        run->values[1] = fmax(run->values[1], 100 * fabs(impulse - 1));
    }
}

// A body with restitution 1 slides along x at 5 m/s and hits a wall whose normal is turned by
// `degrees`. It comes later by a part `phase` of a step. Returns the error of its speed afterwards.
static double bounce_on_slider(quality_run *run, cn_hull hull, double degrees, double phase) {
    const double speed = 5;
    cn_shape_def shape = {.hull = hull, .material = {.restitution = 1, .frictionless = true}};
    cn_shape_def side = {.hull = cn_box(0.5f, 5), .material = shape.material};
    quality_begin(run, 0, 1);
    cn_body_def wall = {
        .type = CN_STATIC, .position = point(3, 0), .angle = (float)(degrees * PI / 180)};
    quality_check(run, cn_shape_create(run->world, cn_body_create(run->world, &wall), &side).id);
    cn_body body = add_body(run, CN_DYNAMIC, -phase * speed / SECOND, 0, shape);
    quality_check(run, cn_body_set_velocity(run->world, body, point(speed, 0)));
    cn_body ground = add_body(run, CN_STATIC, 0, 0, (cn_shape_def){0});
    add_joint(run, cn_prismatic_joint(run->world, ground, body, point(0, 0), point(1, 0)));
    quality_step(run, SECOND);
    return fabs((double)cn_body_velocity(run->world, body).x / speed + 1);
}

// The greatest error of a ball and of a box that come in PHASES phases of a step. The normal of the
// wall is turned by n degrees.
void quality_slanted(quality_run *run, int n) {
    const cn_hull hulls[] = {cn_circle(0.2f), cn_box(0.2f, 0.3f)};
    for (int i = 0; i < PHASES; i++)
        for (int k = 0; k < 2; k++) {
            double error = bounce_on_slider(run, hulls[k], n, (double)i / PHASES);
            run->values[0] = fmax(run->values[0], 100 * error);
        }
}

// A box of `mass` kg, turned by `angle`, falls by `drop` m on the ground. It has `wheels` wheels of
// 0.3 kg, at `offset` m to its right and left. Returns the greatest gap of an axle in any step.
static double land_on_wheels(quality_run *run, double mass, double drop, double angle,
                             double offset, int wheels) {
    quality_begin(run, -10, 1);
    cn_body ground = add_body(run, CN_STATIC, 0, 0, (cn_shape_def){0});
    cn_shape_def floor = {.hull = cn_segment(point(-9, 0), point(9, 0))};
    quality_check(run, cn_shape_create(run->world, ground, &floor).id);
    cn_body_def def = {.position = point(0, 1 + drop), .angle = (float)angle};
    cn_body box = cn_body_create(run->world, &def);
    cn_shape_def shape = {.hull = cn_box(0.25f, 0.25f), .density = (float)(mass / 0.25)};
    quality_check(run, cn_shape_create(run->world, box, &shape).id);
    cn_shape_def disc = {.hull = cn_circle(0.1f), .density = (float)(0.3 / (0.01 * PI))};
    for (int i = 0; i < wheels; i++) {
        vec2s at = cn_pose_point(cn_body_pose(run->world, box), point(i ? -offset : offset, -0.2));
        cn_body wheel = add_body(run, CN_DYNAMIC, (double)at.x, (double)at.y, disc);
        add_joint(run, cn_revolute_joint(run->world, box, wheel, at));
    }
    double gap = 0;
    for (int i = 0; i < 3 * SECOND / 2; i++) {
        quality_step(run, 1);
        gap = fmax(gap, 1000 * greatest_gap(run->world));
    }
    return gap;
}

// The greatest gap in 54 landings of a box of n kg on one wheel and on two.
void quality_axle(quality_run *run, int n) {
    const double drops[] = {0.5, 1, 2};
    for (int i = 0; i < 54; i++) {
        double offset = 0.2 + 0.2 * (i % 3), angle = 0.25 * (i / 3 % 3);
        double gap = land_on_wheels(run, n, drops[i / 9 % 3], angle, offset, 1 + i / 27);
        run->values[i / 27] = fmax(run->values[i / 27], gap);
    }
}

// A pendulum is released at 90 degrees. The value is the part of its height that it loses in 100 s.
void quality_pendulum(quality_run *run, int n) {
    (void)n;
    quality_begin(run, -10, 1);
    cn_body ground = add_body(run, CN_STATIC, 0, 0, (cn_shape_def){0});
    cn_body bob = add_body(run, CN_DYNAMIC, 1, 0, (cn_shape_def){.hull = cn_circle(0.1f)});
    add_joint(run, cn_revolute_joint(run->world, ground, bob, point(0, 0)));
    quality_step(run, 97 * SECOND);
    double top = -1;
    for (int i = 0; i < 3 * SECOND; i++) {
        quality_step(run, 1);
        top = fmax(top, (double)cn_body_position(run->world, bob).y);
    }
    run->values[0] = -100 * top;
}

// An undamped spring of n Hz is pulled by 1 m. The value is the error of its amplitude after 10 s.
void quality_spring(quality_run *run, int n) {
    quality_begin(run, 0, 1);
    cn_body ground = add_body(run, CN_STATIC, 0, 0, (cn_shape_def){0});
    cn_body box = add_body(run, CN_DYNAMIC, 2, 0, (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
    cn_joint_def def = cn_prismatic_joint(run->world, ground, box, point(2, 0), point(1, 0));
    def.x.hertz = (float)n;
    def.x.target = 1;
    add_joint(run, def);
    quality_step(run, 9 * SECOND);
    double most = 0, least = 9;
    for (int i = 0; i < SECOND; i++) {
        quality_step(run, 1);
        double x = (double)cn_body_position(run->world, box).x;
        most = fmax(most, x), least = fmin(least, x);
    }
    run->values[0] = 100 * fabs(0.5 * (most - least) - 1);
}

// A bar that is hinged at its end to a static body, with a spring whose target is 0.5 rad. Its
// centre is 0.5 m from the hinge. Returns the joint.
static cn_joint add_sprung_bar(quality_run *run, double hertz, double damping_ratio) {
    quality_begin(run, 0, 1);
    cn_body ground = add_body(run, CN_STATIC, 0, 0, (cn_shape_def){0});
    cn_body bar = add_body(run, CN_DYNAMIC, 0.5, 0, (cn_shape_def){.hull = cn_box(0.5f, 0.05f)});
    cn_joint_def def = cn_revolute_joint(run->world, ground, bar, point(0, 0));
    def.angle = (cn_coordinate){.mode = CN_FREE,
                                .hertz = (float)hertz,
                                .damping_ratio = (float)damping_ratio,
                                .target = 0.5f};
    return add_joint(run, def);
}

// The error of the frequency of a hinge with a spring of n Hz in 10 s, and how far it swings beyond
// its target with a damping ratio of 1. Both are percentages.
void quality_hinge_spring(quality_run *run, int n) {
    cn_joint joint = add_sprung_bar(run, n, 0);
    double first = 0, last = 0, before = -0.5;
    int crossings = 0;
    for (int i = 1; i <= 10 * SECOND; i++) {
        quality_step(run, 1);
        double now = (double)cn_joint_value(run->world, joint, CN_JOINT_ANGLE) - 0.5;
        if ((before < 0) != (now < 0)) {
            last = (i - now / (now - before)) / SECOND;
            if (crossings++ == 0) first = last;
        }
        before = now;
    }
    run->values[0] = 100 * fabs((crossings - 1) / (2 * n * (last - first)) - 1);
    joint = add_sprung_bar(run, n, 1);
    for (int i = 0; i < 3 * SECOND; i++) {
        quality_step(run, 1);
        double angle = (double)cn_joint_value(run->world, joint, CN_JOINT_ANGLE);
        run->values[1] = fmax(run->values[1], 100 * (angle / 0.5 - 1));
    }
}

// A row of n touching balls hangs on rods. The first ball is released at 45 degrees.
void quality_cradle(quality_run *run, int n) {
    quality_begin(run, -10, 1);
    cn_body ground = add_body(run, CN_STATIC, 0, 0, (cn_shape_def){0}), balls[8];
    cn_shape_def ball = {.hull = cn_circle(0.5f),
                         .material = {.restitution = 1, .frictionless = true}};
    for (int i = 0; i < n; i++) {
        double tilt = i == 0 ? PI / 4 : 0;
        balls[i] = add_body(run, CN_DYNAMIC, i - 4 * sin(tilt), -4 * cos(tilt), ball);
        vec2s centre = cn_body_position(run->world, balls[i]);
        add_joint(run, cn_distance_joint(run->world, ground, balls[i], point(i, 0), centre));
    }
    double in = 0, out = 0, rest = 0;
    for (int i = 0; i < 3 * SECOND / 2; i++) {
        quality_step(run, 1);
        in = fmax(in, (double)cn_body_velocity(run->world, balls[0]).x);
        out = fmax(out, (double)cn_body_velocity(run->world, balls[n - 1]).x);
        for (int k = 1; k < n - 1; k++)
            rest = fmax(rest, fabs((double)cn_body_velocity(run->world, balls[k]).x));
    }
    run->values[0] = fmax(fabs(out / in - 1), rest / in);
}

// Throws a box of 1 m at a wall of 0.1 m, from another place in each phase. Returns the number of
// boxes that pass.
static double count_passes(quality_run *run, cn_motion_type wall_type, double speed) {
    double passes = 0;
    for (int phase = 0; phase < PHASES; phase++) {
        quality_begin(run, 0, 1);
        add_body(run, wall_type, 0, 0, (cn_shape_def){.hull = cn_box(0.05f, 3)});
        double x = -1 - speed / 60 * (2 + (double)phase / PHASES);
        cn_body box = add_body(run, CN_DYNAMIC, x, 0, (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
        cn_body wall = cn_world_next_body(run->world, (cn_body){0});
        cn_body_set_velocity(run->world, box, point(speed, 0));
        quality_step(run, SECOND / 2);
        passes += cn_body_position(run->world, box).x > cn_body_position(run->world, wall).x;
    }
    return passes;
}

void quality_static_wall(quality_run *run, int n) {
    run->values[0] = count_passes(run, CN_STATIC, n);
}

void quality_dynamic_wall(quality_run *run, int n) {
    run->values[0] = count_passes(run, CN_DYNAMIC, n);
}
