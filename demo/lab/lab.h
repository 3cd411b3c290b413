/* lab: draws the SAT lab and handles its mouse and keys. */
#ifndef DEMO_LAB_H
#define DEMO_LAB_H

#include "../ui/panel.h"
#include "../stage/picture.h"
#include "../scenes/sat_lab.h"
#include "../stage/stage.h"

// An axis on which the two hulls are compared. It points from A towards B. The shadow of a hull is
// its projection onto the axis, an interval.
typedef struct {
    vec2s direction;
    int side, edge;   // the edge of hull 0 or 1 that is normal to the axis; -1: it joins corners
    vec2s shadows[2]; // of A and B, measured from the point half way between the hulls
    float separation; // from the end of A's shadow to the start of B's, metres; negative: overlap
} lab_axis;

enum { LAB_MAX_AXES = 2 * CN_MAX_VERTICES + 1 };

// The results for two hulls and their poses.
typedef struct {
    cn_hull hulls[2];
    cn_pose poses[2];
    vec2s middle; // half way between the origins of the two
    lab_axis axes[LAB_MAX_AXES];
    int count, best; // number of axes; index of the one with the largest separation
    cn_manifold manifold;
    bool touching;
    float depth; // of the deepest contact point, metres; 0 if apart
} lab_result;

lab_result lab_examine(const cn_world *world, const sat_lab *lab);

void lab_draw(const demo_picture *picture, demo_stage *stage);
void lab_rows(demo_panel *panel, demo_stage *stage);
bool lab_event(const demo_picture *picture, demo_stage *stage, const demo_event *event);

// Returns the width of the boxes at the right, in pixels. The report's box may be wider.
float lab_box_width(const demo_area *area);
// Returns the index of the axis to show in full: that of the row under the mouse, or the best one.
int lab_shown_axis(const demo_picture *picture, const lab_result *result);
// Draws the list of axes in a box at the right of the picture.
void lab_draw_axes(const demo_picture *picture, const lab_result *result, int shown);

#endif
