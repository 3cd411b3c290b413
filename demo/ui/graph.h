/* graph: the time of the last steps, by groups of stages, as columns. */
#ifndef DEMO_GRAPH_H
#define DEMO_GRAPH_H

#include "panel.h"

#include "../../engine/cairn.h"

enum { GRAPH_STEPS = 300, GRAPH_GROUPS = 4 };

typedef struct {
    float columns[GRAPH_STEPS][GRAPH_GROUPS]; // microseconds; a ring
    int next, count;
} graph;

void graph_add(graph *g, const cn_profile *profile);
void graph_draw(demo_panel *panel, const graph *g);

#endif
