/* cutting: cuts a body in two. For scenes and tools. */
#ifndef DEMO_CUTTING_H
#define DEMO_CUTTING_H

#include "../../engine/cairn.h"

// Cuts all shapes of a dynamic body along the line through a point with this normal (world). The
// parts on each side become a new body with the motion of the whole one, and the whole one is
// destroyed. `speed` (m/s) is added to both parts so that they separate. A body that lies on one
// side of the line, or is lighter than `least_mass` (kg), stays whole. `was_cut` may be NULL.
// Returns false if a call fails; cn_error() says why.
bool cut_body(cn_world *world, cn_body body, vec2s point, vec2s normal, float speed,
              float least_mass, bool *was_cut);

#endif
