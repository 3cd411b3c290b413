/* Moves bodies by their motions: poses, shapes and boxes. CN_LANES bodies at a time. This file is
 * compiled once per instruction set. */
#include "../model/motion.h"
#include "step.h"

// True if the boxes of the body must cover its motion in the next step: model/body.c says why.
static bool covers_motion(const cn_simulation *sim, int body, uint32_t flags) {
    return flags & (CN_BODY_IS_KINEMATIC | CN_BODY_STOPPED) || sim->first_joint[body] >= 0 ||
           sim->motions[body].sweep & CN_SWEEP_AHEAD ||
           (flags & CN_BODY_IN_FLIGHT && sim->bouncy_shapes > 0);
}

// No point of the body moves farther than `moved`.
static void move_shapes(cn_simulation *sim, int body, float moved, uint32_t flags,
                        cn_move_report *report) {
    bool covers = covers_motion(sim, body, flags);
    // Written only if needed, so that workers do not contend for its cache line.
    if (sim->motions[body].sweep) sim->motions[body].sweep = 0;
    cn_refit_body(sim, body, moved, false, covers, report);
}

// Bodies that are not awake were quarantined in this step.
static void move_group(cn_simulation *sim, const int *bodies, int used, cn_move_report *report) {
    uint32_t hot[CN_LANES], motion[CN_LANES]; // byte offsets of the rows
    for (int k = 0; k < CN_LANES; k++) {
        uint32_t body = (uint32_t)bodies[k < used ? k : 0];
        hot[k] = body * sizeof(cn_body_hot); // warm rows have the same size
        motion[k] = body * sizeof(cn_motion);
    }
    cn_row4w pose = CN_GATHER_ROW(sim->hot, hot, x, y, c, s);
    cn_row4w rest = CN_GATHER_ROW(sim->hot, hot, low_x, low_y, sleep_time, flags);
    cn_row4w size = CN_GATHER_ROW(sim->warm, hot, sleep_speed, extent, first_shape, last_shape);
    cn_row4w d = CN_GATHER_ROW(sim->motions, motion, x, y, angle, until);
    cn_vec2w low = {rest.x, rest.y};
    cn_movew(&pose, &low, d);
    cn_intw flags = cn_bitsw(rest.w);
    rest = (cn_row4w){low.x, low.y, rest.z, cn_from_bitsw(flags & ~CN_BODY_IN_FLIGHT)};
    int awake = cn_mask_bitsw((flags & CN_BODY_AWAKE) != 0) & ((1 << used) - 1);
    CN_SCATTER_ROW(sim->hot, hot, pose, x, y, c, s);
    CN_SCATTER_ROW(sim->hot, hot, rest, low_x, low_y, sleep_time, flags);
    cn_floatw moved = cn_reachw(d, size.y);
    CN_EACH_LANE(k, awake) move_shapes(sim, bodies[k], moved[k], (uint32_t)flags[k], report);
}

void CN_WIDE(cn_move_bodies)(cn_simulation *sim, const int *bodies, int count) {
    cn_move_report report;
    report.count = 0; // clearing the list too would take long
    for (int i = 0; i < count; i += CN_LANES)
        move_group(sim, bodies + i, cn_min_int(CN_LANES, count - i), &report);
    cn_publish_moves(sim, &report);
}
