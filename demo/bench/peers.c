/* The list of the engines in this build that Cairn is compared with. */
#include "peer.h"

#include <stddef.h>

extern const peer peer_box2d, peer_chipmunk;

const peer *const peers[] = {
#ifdef PEER_BOX2D
    &peer_box2d,
#endif
#ifdef PEER_CHIPMUNK
    &peer_chipmunk,
#endif
    NULL,
};
