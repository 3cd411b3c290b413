/* Forces of media on bodies. field.c finds the shapes in fields and solves for the change of
 * velocity. medium.c finds the forces. */
#ifndef CN_MEDIUM_H
#define CN_MEDIUM_H

#include "step.h"

// The body on which fields act, in the middle of the step. Moments are about its centre of mass.
typedef struct {
    cn_simulation *sim;
    int body;
    cn_float4 d;       // displacement in half of the step
    cn_rotation turn;  // rotation in half of the step
    cn_vec2d center;   // world
    cn_vec2d velocity; // at the start of the step
    double w, dt;
    // The distribution of its mass over its shapes.
    double weights; // sum over all shapes except sensors; 0: it has only one shape
    bool by_area;   // no shape has a density
    cn_vec2d shift; // m: from the centroid of these shapes to the centre of mass
    // Sums over the fields.
    double force[3];      // N, N, N m: x, y, torque of buoyancy and acceleration
    double drag_force[3]; // the same for the drag
    double attraction[3]; // the same for the attraction
    double drag[CN_ELEMENTS], stiffness[CN_ELEMENTS]; // kg/s ..., N/m ...: D and K, see field.c
    double angular_drag;                              // kg m^2/s
    double rate, angular_rate;                        // 1/s: of the drags, per mass and inertia
    bool is_buoyant;                                  // a field gives it buoyancy
} cn_medium_load;

// Begins with a body on which no field acts yet.
void cn_begin_load(cn_medium_load *load, cn_simulation *sim, int body);
// Adds the forces of a field on a shape of the body. Returns false if the shape is not inside.
bool cn_add_medium(cn_medium_load *load, int shape, int field);

// Returns how far a body moves in half of the step, if nothing changes its velocity: x, y, angle.
cn_float4 cn_half_motion(const cn_simulation *sim, int body);

#endif
