/* lab: the SAT lab, drawn and played with. */
#ifndef DEMO_LAB_H
#define DEMO_LAB_H

#include "panel.h"
#include "picture.h"
#include "scenes/sat_lab.h"
#include "stage.h"

// An axis on which the two hulls are compared. It points from A towards B.
typedef struct {
    vec2s direction;
    int side, edge;   // the normal of this edge of hull 0 or 1; edge -1: it joins two corners
    vec2s shadows[2]; // the intervals of A and B on it, from the point half way between them
    float separation; // from the end of A's shadow to the start of B's
} lab_axis;

enum { LAB_MAX_AXES = 2 * CN_MAX_VERTICES + 1 };

// All that follows from two hulls and two poses.
typedef struct {
    cn_hull hulls[2];
    cn_pose poses[2];
    vec2s middle; // half way between the two
    lab_axis axes[LAB_MAX_AXES];
    int count, best; // the best axis has the largest separation
    cn_manifold manifold;
    bool touching;
    float depth; // of the deepest contact point; 0 if apart
} lab_findings;

lab_findings lab_examine(const cn_world *world, const sat_lab *lab);

void lab_draw(const demo_picture *picture, demo_stage *stage);
void lab_rows(demo_panel *panel, demo_stage *stage);
bool lab_event(const demo_picture *picture, demo_stage *stage, const SDL_Event *event);

// How wide the boxes at the right are, if their texts fit into that.
float lab_box_width(const SDL_FRect *area);
// The axis to be shown in full: that of the row under the mouse, else the best one.
int lab_shown_axis(const demo_picture *picture, const lab_findings *found);
// Draws the list of axes in a box at the right of the picture.
void lab_draw_axes(const demo_picture *picture, const lab_findings *found, int shown);

#endif
