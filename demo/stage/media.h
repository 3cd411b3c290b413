/* media: draws fields, which are sensors with a medium. */
#ifndef DEMO_MEDIA_H
#define DEMO_MEDIA_H

#include "picture.h"

bool media_is_field(const cn_world *world, cn_shape shape);
// True if the field has density: the bodies in a liquid lie behind it.
bool media_is_in_front(const cn_world *world, cn_shape shape);
// `seconds` is the world's time. It sets the position of the arrows of a flow.
void media_draw(const demo_picture *picture, const cn_world *world, cn_shape field, cn_pose pose,
                float seconds);

#endif
