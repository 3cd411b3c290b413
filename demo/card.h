/* card: what is known about a body, and what can be changed of it. */
#ifndef DEMO_CARD_H
#define DEMO_CARD_H

#include "panel.h"

#include "../engine/cairn.h"

void card_draw(demo_panel *panel, cn_world *world, cn_body body);

#endif
