/* card: rows of a panel that show the properties of a body and change some of them. */
#ifndef DEMO_CARD_H
#define DEMO_CARD_H

#include "panel.h"

#include "../../engine/cairn.h"

void card_draw(demo_panel *panel, cn_world *world, cn_body body);

#endif
