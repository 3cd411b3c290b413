/* The mouse spring. It is stable for any mass, shape and time step.
 *
 * The grabbed point has the offset d = point - target and the velocity v. It should move like a
 * critically damped oscillator of angular frequency w: a = -w^2 d - 2 w v. The implicit solution,
 * with d and v at the end of the step, is
 *
 *      v' = (v - h w^2 d) / (1 + h w)^2        h: time step
 *
 * It never overshoots, however large h w is. The force that accelerates the point by
 * a = (v' - v) / h is F = M a. M is the effective mass at the point, the inverse of
 *
 *      K = 1/m [1 0; 0 1] + 1/I [r.y^2  -r.x r.y; -r.x r.y  r.x^2]      r: from the centre of mass
 *
 * A long plank is therefore lighter at its end than at its middle. */
#include "grab.h"

#include <math.h>

static const float angular_frequency = 2 * 3.14159265f * 4; // 4 Hz
static const float spin_damping = 3;                        // 1/s
// m/s^2. Limits the force, so that a grabbed body pushes others but cannot crush a pile. If the
// body is held back, the limit grows e-fold in this time (s), so that a stone comes out of a wall.
static const float max_acceleration = 500, effort_time = 0.6f, max_effort = 4;

void grab_end(demo_grab *grab) { *grab = (demo_grab){0}; }

vec2s grab_point(const demo_grab *grab, const cn_world *world) {
    return cn_pose_point(cn_body_pose(world, grab->body), grab->anchor);
}

static cn_body find_body(const cn_world *world, vec2s point) {
    cn_body found = {0}; // takes the last one, which is drawn on top
    for (cn_shape s = cn_world_next_shape(world, (cn_shape){0}); s.id;
         s = cn_world_next_shape(world, s)) {
        cn_body body = cn_shape_body(world, s);
        if (cn_body_type(world, body) == CN_DYNAMIC && cn_shape_contains(world, s, point))
            found = body;
    }
    return found;
}

bool grab_start(demo_grab *grab, const cn_world *world, vec2s point, float reach) {
    static const vec2s around[] = {{{0, 0}}, {{1, 0}}, {{-1, 0}}, {{0, 1}}, {{0, -1}}};
    for (int i = 0; i < 5; i++) {
        vec2s tried = glms_vec2_muladds(around[i], reach, point);
        cn_body body = find_body(world, tried);
        if (!body.id) continue;
        vec2s anchor = cn_pose_local_point(cn_body_pose(world, body), tried);
        *grab = (demo_grab){.body = body, .anchor = anchor, .target = point};
        return true;
    }
    return false;
}

// Returns the force that accelerates the point at r from the body's centre of mass by a.
static vec2s find_force(cn_mass_data mass, vec2s r, vec2s a) {
    float m = 1 / mass.mass, i = mass.inertia > 0 ? 1 / mass.inertia : 0;
    float xx = m + i * r.y * r.y, yy = m + i * r.x * r.x, xy = -i * r.x * r.y;
    float determinant = xx * yy - xy * xy; // > 0: at least 1 / m^2
    return (vec2s){{(yy * a.x - xy * a.y) / determinant, (xx * a.y - xy * a.x) / determinant}};
}

static vec2s find_acceleration(vec2s d, vec2s v, float h) {
    float w = angular_frequency, damping = 1 / ((1 + h * w) * (1 + h * w));
    vec2s target = glms_vec2_scale(glms_vec2_muladds(d, -h * w * w, v), damping);
    return glms_vec2_scale(glms_vec2_sub(target, v), 1 / h);
}

static vec2s limit_length(vec2s v, float limit) {
    float length = glms_vec2_norm(v);
    return length > limit ? glms_vec2_scale(v, limit / length) : v;
}

// The body is held back if the spring is long and the body slow.
static void update_effort(demo_grab *grab, vec2s d, vec2s v, float dt) {
    bool is_held = glms_vec2_norm(d) > 0.25f && glms_vec2_norm(v) < 0.5f;
    grab->effort += is_held ? dt / effort_time : -4 * dt / effort_time;
    grab->effort = fminf(fmaxf(grab->effort, 0), max_effort);
}

void grab_pull(demo_grab *grab, cn_world *world, float dt) {
    if (!grab_is_active(grab) || dt <= 0) return;
    if (!cn_body_valid(world, grab->body) || cn_body_type(world, grab->body) != CN_DYNAMIC) {
        grab_end(grab);
        return;
    }
    cn_mass_data mass = cn_body_mass_data(world, grab->body);
    vec2s point = grab_point(grab, world);
    vec2s r = glms_vec2_sub(point, cn_body_center(world, grab->body));
    vec2s d = glms_vec2_sub(point, grab->target), v = cn_body_velocity_at(world, grab->body, point);
    update_effort(grab, d, v, dt);
    vec2s a = find_acceleration(d, v, dt);
    float limit = mass.mass * max_acceleration * expf(grab->effort);
    vec2s force = limit_length(find_force(mass, r, a), limit);
    cn_body_apply_force_at(world, grab->body, force, point);
    float spin = cn_body_angular_velocity(world, grab->body);
    cn_body_apply_torque(world, grab->body, -mass.inertia * spin_damping * spin);
}
