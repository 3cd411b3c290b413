/* mirror: runs a scene in another engine.
 *
 * The scene creates its bodies in a Cairn world, which is never stepped. The mirror creates
 * everything in that world again in the peer's world. So a scene is described only once. The calls
 * that a scene makes while it runs also change the Cairn world, and the mirror copies their
 * effects: new bodies and joints, destroyed bodies, and the velocities of kinematic bodies. It
 * copies no other effects. The benchmark scenes have no others, but other scenes may have, and then
 * cannot be mirrored. */
#ifndef DEMO_MIRROR_H
#define DEMO_MIRROR_H

#include "../scenes/scene.h"
#include "peer.h"

typedef struct mirror mirror;

// Returns NULL if the peer cannot run the scene; then `refusal` says why.
mirror *mirror_start(const peer *which, const scene *subject, cn_world_def options,
                     const char **refusal);
void mirror_stop(mirror *m);
// Makes the scene's calls before a step, and copies their effects to the peer's world. Returns
// NULL, or the reason why it failed.
const char *mirror_prepare(mirror *m);
void mirror_step(mirror *m, float dt);
peer_counts mirror_count(const mirror *m);
// Runs a batch of queries in the peer.
query_result mirror_run_queries(mirror *m, const query_batch *batch);
// Returns the scene's Cairn world, from which a batch of queries is made.
const cn_world *mirror_source(const mirror *m);

#endif
