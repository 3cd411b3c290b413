/* Lite: a whole physics engine to read, in lite.h and lite.c. Bodies of one hull each, contacts
 * with friction and restitution, hinges. It takes cn_hull_collide() from the engine, and does the
 * rest as the engine does, one pair at a time. lite.md is its page. */
#ifndef LITE_H
#define LITE_H

#include <cairn.h>

enum { LITE_BODIES = 48, LITE_CONTACTS = 128, LITE_HINGES = 16, LITE_SWEEPS = 64 };

typedef struct {
    vec2s position, v;                   // of the centre of mass, m and m/s
    float angle, w;                      // rad, rad/s
    vec2s moved;                         // displacement since the start of the step
    float turned;                        // the same of the angle
    float inverse_mass, inverse_inertia; // 0: nothing moves it
    float friction, restitution;
    float extent; // m: the farthest point of the hull from the centre
    cn_hull hull;
} lite_body;

// A row stands for one question: how fast do two bodies part at a point, along a direction?
typedef struct {
    float rna, rnb; // m: lever arms, cross(r, n)
    float mass;     // kg: effective mass
    float impulse;  // N s, in a substep
} lite_row;

typedef struct {
    uint8_t id;       // feature id: finds the point again in the next step
    float separation; // m, at the start of the step
    float approach;   // m/s along n, at the start of the step; negative: they approach
    vec2s place;      // world
    lite_row normal, tangent;
    float along, across; // N s: the impulses of the whole step along n and t
} lite_point;

typedef struct {
    int a, b, count;
    vec2s n; // from A to B
    float friction, restitution;
    lite_point points[2];
} lite_contact;

typedef struct {
    int a, b;
    vec2s anchor_a, anchor_b; // in the frames of the bodies
    vec2s ra, rb, gap;        // at the start of the step: lever arms; from anchor A to anchor B
    float mass[3];            // xx, xy and yy of the symmetric matrix of effective masses
    vec2s impulse;            // N s, on B, in a substep
} lite_hinge;

typedef struct {
    lite_body bodies[LITE_BODIES];
    lite_contact contacts[LITE_CONTACTS];
    lite_hinge hinges[LITE_HINGES];
    int body_count, contact_count, hinge_count;
    vec2s gravity;
    int substeps, sweeps;         // of a step; over all rows in a solve
    bool cold, no_relax;          // leave out the warm start; leave out relax
    float residuals[LITE_SWEEPS]; // m/s: the greatest change of a speed in each sweep of the last
                                  // solve with bias
} lite_world;

// Return the number of the new body or hinge, or -1 if there is no room. Density 0: it is static.
int lite_add_body(lite_world *world, cn_hull hull, cn_pose pose, float density);
int lite_add_hinge(lite_world *world, int a, int b, vec2s point);
cn_pose lite_pose(const lite_body *body);
void lite_step(lite_world *world, float dt);

#endif
