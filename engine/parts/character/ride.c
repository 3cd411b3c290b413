/* The ride of a hull on its ground, between two moves.
 *
 * A move that ends on ground keeps the pose of the ground's body, and the foot of the hull in the
 * frame of this body. The foot is the point of its core, without its rounding, that is nearest to
 * the ground. The next move compares the pose with the present one:
 *
 *     motion = present pose * point - pose then * point
 *
 * So it does not matter how many steps there are between the two moves. A teleport changes the pose
 * as well, but the hull must not follow. So a body counts its teleports. */
#include "mover.h"

bool cn_ride_check(const cn_ride *ride) {
    if (ride->body.id == 0) return true;
    return (cn_require_pose(ride->pose) &&
            cn_require2("position of the pose", ride->pose.position, CN_MAX_COORDINATE) &&
            cn_require2("point", ride->point, CN_MAX_COORDINATE) &&
            cn_require2("surface_velocity", ride->surface_velocity, CN_MAX_COORDINATE)) ||
           cn_fail_in("ride");
}

int cn_ride_body(const cn_world *world, const cn_ride *ride) {
    int body;
    if (!cn_body_valid(world, ride->body) || !cn_require_body(world, ride->body, &body)) return -1;
    const cn_body_hot *hot = &world->sim.hot[body];
    bool is_there = hot->flags & CN_BODY_ENABLED && cn_teleports_of(hot) == ride->teleports;
    return is_there ? body : -1;
}

// Returns where a point of a body is, relative to a place in the world.
static cn_vec2d point_from(cn_pose pose, vec2s point, vec2s place) {
    vec2s arm = cn_rotate(pose.rotation, point);
    return cn_add_scaled(cn_between(place, pose.position), 1, cn_widen(arm));
}

cn_vec2d cn_ride_motion(const cn_simulation *sim, int body, const cn_ride *ride) {
    const cn_pose then = cn_given_pose(ride->pose), now = cn_settled_pose(sim, body);
    return cn_minus2d(point_from(now, ride->point, then.position),
                      point_from(then, ride->point, then.position));
}

vec2s cn_ride_velocity(const cn_simulation *sim, int body, const cn_ride *ride) {
    const cn_body_hot hot = cn_settled_body(sim, body);
    vec2s point = cn_to_world(cn_settled_pose(sim, body), ride->point);
    return glms_vec2_add(cn_velocity_at(&hot, point), ride->surface_velocity);
}

cn_ride cn_ride_on(const cn_world *world, int body, vec2s velocity, cn_vec2d surface,
                   cn_vec2d foot) {
    const cn_simulation *sim = &world->sim;
    const cn_body_hot hot = cn_settled_body(sim, body);
    const cn_pose pose = cn_settled_pose(sim, body);
    vec2s of_body = cn_velocity_at(&hot, cn_narrow(surface));
    return (cn_ride){.body = cn_body_handle(world, body),
                     .pose = pose,
                     .point = cn_to_local(pose, cn_narrow(foot)),
                     .surface_velocity = glms_vec2_sub(velocity, of_body),
                     .teleports = cn_teleports_of(&hot)};
}
