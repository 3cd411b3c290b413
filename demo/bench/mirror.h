/* mirror: a scene in another engine.
 *
 * The scene makes its bodies in a Cairn world, which is never stepped; all that is in that world is
 * made again in the peer's. So a scene is described once. What a scene does while it runs is done to
 * the Cairn world, too, and from there mirrored: bodies and joints that come, bodies that go,
 * velocities of kinematic bodies. (A scene that does other things, and all but the scenes of the
 * benchmark might, cannot be mirrored.) */
#ifndef DEMO_MIRROR_H
#define DEMO_MIRROR_H

#include "../scene.h"
#include "peer.h"

typedef struct mirror mirror;

// NULL if the peer cannot run the scene; then `refusal` says why.
mirror *mirror_start(const peer *which, const scene *subject, cn_world_def options,
                     const char **refusal);
void mirror_stop(mirror *m);
// What the scene does before a step, done in the peer's world too. NULL, or why it could not be.
const char *mirror_prepare(mirror *m);
void mirror_step(mirror *m, float dt);
peer_counts mirror_count(const mirror *m);
// Runs a batch of queries in the peer.
query_answer mirror_ask(mirror *m, const query_batch *batch);
// The scene's Cairn world, from which a batch is made.
const cn_world *mirror_source(const mirror *m);

#endif
