/* Moves the origin: a point of the world becomes (0, 0), so that a large world stays exact near the
 * player.
 *
 * These values are measured from the origin: positions of bodies, with their low parts; poses
 * before the last step; positions of shapes, which follow from their bodies; boxes, also those of
 * the last search; the last known poses of grids; the points of events. All other values are
 * relative: contacts have lever arms from centres of mass, and joints have points in the frames of
 * their bodies. So no contact ends, no body wakes, and a step does the same as without the
 * shift. Surfaces are found again, because they follow from the rounded poses of several bodies.
 *
 * Differences are computed in double precision and rounded once. They are exact for a body that
 * comes nearer to the origin, because its new coordinates need no more digits than its old ones. A
 * box that must be rounded grows, so it still contains its shape. Rounding is monotone: the
 * smallest of some rounded numbers is the smallest number, rounded. So unions of boxes in the tree
 * remain unions if each box is moved by itself (cn_tree_shift()).
 *
 * A stored pose that is equal to the pose of its body stays exactly equal. Otherwise bodies at rest
 * would be drawn as if they moved, and a grid would wake the bodies on it. */
#include "world.h"

// ---- positions

static float difference(float value, float by) { return (float)((double)value - (double)by); }

static vec2s moved(vec2s point, vec2s by) {
    return cn_vec(difference(point.x, by.x), difference(point.y, by.y));
}

// The position is *high + *low. The new sum is split into the nearest float and the rest.
static void move_coordinate(float *high, float *low, float by) {
    double value = (double)*high - (double)by + (double)*low;
    *high = (float)value;
    *low = (float)(value - (double)*high);
}

cn_body_hot cn_shifted_body(const cn_body_hot *body, vec2s by) {
    cn_body_hot hot = *body;
    move_coordinate(&hot.x, &hot.low_x, by.x);
    move_coordinate(&hot.y, &hot.low_y, by.y);
    return hot;
}

// True if all bodies may have their new positions. The limit is that of cn_body_set_pose().
static bool check_positions(const cn_simulation *sim, vec2s by) {
    CN_EACH(CN_BODIES, i, sim) {
        vec2s position = moved(cn_origin_pose(sim, i).position, by);
        if (cn_require2("new position", position, CN_MAX_COORDINATE)) continue;
        return cn_fail_in_number("body", i);
    }
    return true;
}

// ---- data that move with a body

void cn_shift_pose(cn_pose *stored, cn_pose before, cn_pose after, vec2s by) {
    if (cn_is_same_pose(*stored, before))
        *stored = after;
    else
        stored->position = moved(stored->position, by);
}

static void shift_body(cn_world *world, int body, vec2s by) {
    cn_simulation *sim = &world->sim;
    cn_pose before = cn_origin_pose(sim, body);
    sim->hot[body] = cn_shifted_body(&sim->hot[body], by);
    cn_pose after = cn_origin_pose(sim, body);
    if (sim->previous) cn_shift_pose(&sim->previous[body], before, after, by);
    if (world->moves) cn_shift_pose(&world->moves->poses[body], before, after, by);
    CN_EACH_SHAPE(i, sim, body) {
        cn_place_shape(sim, body, i);
        sim->box_slack[i] = 0; // so that its box is checked when it moves
    }
}

static void shift_events(cn_simulation *sim, vec2s by) {
    for (int i = 0; i < sim->begins.count; i++)
        sim->begins.items[i].point = moved(sim->begins.items[i].point, by);
    for (int i = 0; i < sim->hits.count; i++)
        sim->hits.items[i].point = moved(sim->hits.items[i].point, by);
}

// ---- the call

bool cn_world_shift_origin(cn_world *world, vec2s origin) {
    CN_RECORD(cn_world_shift_origin, world, origin);
    if (!cn_edit_world(world, __func__)) return false;
    if (!CN_CHECK(cn_require2("origin", origin, CN_MAX_COORDINATE) &&
                  check_positions(&world->sim, origin)))
        return false;
    cn_simulation *sim = &world->sim;
    CN_EACH(CN_BODIES, i, sim) cn_settle_body(sim, i);
    CN_EACH_PART(part) {
        if (part->shift) part->shift(sim, origin);
    }
    CN_EACH(CN_BODIES, i, sim) shift_body(world, i, origin);
    cn_tree_shift(&sim->moving_tree, origin);
    cn_tree_shift(&sim->static_tree, origin);
    CN_EACH_PART(part) {
        if (part->shifted) part->shifted(sim);
    }
    shift_events(sim, origin);
    cn_forget_sensor_index(sim);
    sim->knows_resting_bounds = false;
    cn_expect_known_surfaces(sim);
    world->static_revision++;
    return true;
}
