/* world_panel: the contents of the right panel: what the user can set, and what is measured. */
#ifndef DEMO_WORLD_PANEL_H
#define DEMO_WORLD_PANEL_H

#include "controls.h"

void world_panel_draw(demo_controls *controls, demo_stage *stage, tool_use *tools,
                      controls_request *request);

#endif
