/* world_panel: the contents of the right panel: what the user can set, and what is measured. */
#ifndef DEMO_WORLD_PANEL_H
#define DEMO_WORLD_PANEL_H

#include "controls.h"

void world_panel_draw(demo_controls *controls, demo_stage *stage, tool_use *tools,
                      controls_request *request);

// Writes the value of a parameter with its unit.
void parameter_write(char *text, int size, const scene_parameter *parameter, float value);

#endif
