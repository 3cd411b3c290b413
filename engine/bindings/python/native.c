/* What ctypes cannot do, or only slowly: a callback that returns a struct, and one call for the
 * poses of many worlds or for the motions of many bodies. */
#include "native.h"

#include <string.h>

// The user pointer of the callbacks of a world points to this.
typedef struct {
    void (*pre_solve)(const cn_contact *contact, cn_pre_solve_result *result);
} hooks;

CAIRN2D_API cn_pre_solve_result cairn2d_pre_solve(cn_world *world, const cn_contact *contact,
                                                  void *user) {
    (void)world;
    cn_pre_solve_result result = {0};
    ((const hooks *)user)->pre_solve(contact, &result);
    return result;
}

// Writes `capacity` poses of each world, by slot. Poses without a slot are zeros. Returns the
// greatest number of slots, or -1 if a call failed.
CAIRN2D_API int cairn2d_poses(cn_world *const *worlds, int count, cn_pose *poses, int capacity,
                              bool drawn) {
    int most = 0;
    for (int i = 0; i < count; i++) {
        cn_pose *row = poses + (size_t)i * (size_t)capacity;
        int slots = cn_world_poses(worlds[i], row, capacity, drawn);
        if (has_failed()) return -1;
        if (slots < capacity) memset(row + slots, 0, (size_t)(capacity - slots) * sizeof *row);
        if (slots > most) most = slots;
    }
    return most;
}

typedef struct {
    cn_pose pose;
    vec2s velocity;
    float angle, angular_velocity;
    bool asleep;
} body_motion;

// Reads the motions of bodies; the world of body i is table[cells[i]]. Stops at the first call that
// fails, and returns how many it read.
CAIRN2D_API int cairn2d_motions(int count, cn_world *const *table, const intptr_t *cells,
                                const cn_body *bodies, body_motion *motions) {
    for (int i = 0; i < count; i++) {
        const cn_world *world = table[cells[i]];
        cn_body body = bodies[i];
        motions[i] = (body_motion){
            .pose = cn_body_pose(world, body),
            .velocity = cn_body_velocity(world, body),
            .angle = cn_body_angle(world, body),
            .angular_velocity = cn_body_angular_velocity(world, body),
            .asleep = cn_body_asleep(world, body),
        };
        if (has_failed()) return i;
    }
    return count;
}
