/* The spring of the mouse, stable for any mass, shape and time step.
 *
 * The grabbed point, at d = point - target with velocity v, should move like a critically damped
 * oscillator of angular frequency w: a = -w^2 d - 2 w v. Solved implicitly (d and v those at the
 * end of the step) this is
 *
 *      v' = (v - h w^2 d) / (1 + h w)^2        h: time step
 *
 * which never overshoots, however large h w is. The force that gives the point the acceleration
 * (v' - v) / h is F = M a, with M the inverse of the point's mobility
 *
 *      K = 1/m [1 0; 0 1] + 1/I [r.y^2  -r.x r.y; -r.x r.y  r.x^2]      r: from the centre of mass
 *
 * So a body weighs what it weighs at the point where it is held: a long plank is light at its end.
 */
#include "grab.h"

#include <math.h>

static const float angular_frequency = 2 * 3.14159265f * 4; // 4 Hz
static const float spin_damping = 3;                        // 1/s
// m/s^2 on the body's mass: a held body moves others, but it cannot crush a pile.
static const float greatest_pull = 500;

void grab_end(demo_grab *grab) { *grab = (demo_grab){0}; }

vec2s grab_point(const demo_grab *grab, const cn_world *world) {
    return cn_pose_point(cn_body_pose(world, grab->body), grab->anchor);
}

static cn_body find_body(const cn_world *world, vec2s point) {
    cn_body found = {0}; // the last one is drawn on top
    for (cn_shape s = cn_world_next_shape(world, (cn_shape){0}); s.id;
         s = cn_world_next_shape(world, s)) {
        cn_body body = cn_shape_body(world, s);
        if (cn_body_get_type(world, body) == CN_DYNAMIC && cn_shape_contains(world, s, point))
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

// The force on a body at r from its centre of mass that accelerates the point there by a.
static vec2s force_for(cn_mass mass, vec2s r, vec2s a) {
    float m = 1 / mass.mass, i = mass.inertia > 0 ? 1 / mass.inertia : 0;
    float xx = m + i * r.y * r.y, yy = m + i * r.x * r.x, xy = -i * r.x * r.y;
    float determinant = xx * yy - xy * xy; // > 0: at least 1 / m^2
    return (vec2s){{(yy * a.x - xy * a.y) / determinant, (xx * a.y - xy * a.x) / determinant}};
}

static vec2s spring_acceleration(vec2s d, vec2s v, float h) {
    float w = angular_frequency, share = 1 / ((1 + h * w) * (1 + h * w));
    vec2s wanted = glms_vec2_scale(glms_vec2_muladds(d, -h * w * w, v), share);
    return glms_vec2_scale(glms_vec2_sub(wanted, v), 1 / h);
}

static vec2s limit_length(vec2s v, float limit) {
    float length = glms_vec2_norm(v);
    return length > limit ? glms_vec2_scale(v, limit / length) : v;
}

void grab_pull(demo_grab *grab, cn_world *world, float dt) {
    if (!grab_holds(grab) || dt <= 0) return;
    if (!cn_body_valid(world, grab->body)) {
        grab_end(grab);
        return;
    }
    cn_mass mass = cn_body_mass(world, grab->body);
    vec2s point = grab_point(grab, world);
    vec2s r = glms_vec2_sub(point, cn_body_center(world, grab->body));
    vec2s a = spring_acceleration(glms_vec2_sub(point, grab->target),
                                  cn_body_velocity_at(world, grab->body, point), dt);
    vec2s force = limit_length(force_for(mass, r, a), mass.mass * greatest_pull);
    cn_body_apply_force(world, grab->body, force, point);
    float spin = cn_body_angular_velocity(world, grab->body);
    cn_body_apply_torque(world, grab->body, -mass.inertia * spin_damping * spin);
}
