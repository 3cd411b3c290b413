/* Forces of media on bodies: field.c finds which shapes are in which fields, and medium.c what acts
 * on them. */
#ifndef CN_MEDIUM_H
#define CN_MEDIUM_H

#include "step.h"

// The elements of a symmetric matrix over x, y and angle.
enum { CN_XX, CN_XY, CN_YY, CN_XW, CN_YW, CN_WW, CN_ELEMENTS };

// The body that fields act on, in the middle of the step. Everything is about its centre of mass.
typedef struct {
    cn_simulation *sim;
    int body;
    cn_float4 d;       // displacement in half of the step
    cn_rotation turn;  // rotation in half of the step
    cn_vec2d center;   // world
    cn_vec2d velocity; // at the start of the step
    double w, dt;
    // How its mass is spread over its shapes.
    double weights; // sum over all shapes except sensors; 0: it has only one shape
    bool by_area;   // no shape has a density
    cn_vec2d shift; // m: from the centroid of these shapes to the centre of mass
    // Sums over the fields.
    double force[3];                                  // x, y, torque: lift and acceleration
    double drag_force[3];                             // likewise
    double attraction[3];                             // likewise
    double drag[CN_ELEMENTS], stiffness[CN_ELEMENTS]; // kg/s ..., N/m ...: D and K, see field.c
    double angular_drag;                              // kg m^2/s
    double rate, angular_rate;                        // 1/s: of the drags, per mass and inertia
    bool is_lifted;
} cn_medium_load;

// Begins with a body on which no field acts yet.
void cn_begin_load(cn_medium_load *load, cn_simulation *sim, int body);
// Adds what a field does to a shape of the body. Returns false if the shape is not inside.
bool cn_add_medium(cn_medium_load *load, int shape, int field);

// Returns how far a body moves in half of the step, if nothing changes its velocity: x, y, angle.
cn_float4 cn_half_motion(const cn_simulation *sim, int body);

#endif
