/* fields: sensors with a medium that acts on the bodies inside.
 *
 *   submerge.h       the part of a hull that lies in another one, and its waterline
 *   submerge.c       finds both
 *   field_calls.c    media of shapes: checks, defaults, the list of fields
 *   field.c          finds the shapes in fields, and solves for the forces of the fields
 *   medium.c         the forces of the medium of a field on a shape
 *   attract.c        attraction, in each substep
 *   saved_fields.c   the list of fields in a save (with the part snapshot)
 */
#ifndef CN_FIELDS_H
#define CN_FIELDS_H

#include "../../core/world/world.h"
#include "../parts.h"
#include "submerge.h"

// ---- data

enum { CN_MAX_FIELDS = 1 << 16 };

// A sensor with a medium.
typedef struct {
    int32_t shape;
    cn_medium medium; // with its defaults
} cn_field;

// A field in the middle of the running step.
typedef struct {
    cn_hulld hull;         // world axes, relative to `center`
    cn_vec2d center;       // m, world: of the hull
    cn_vec2d centroid;     // of the hull, relative to `center`
    cn_vec2d velocity, at; // velocity and position of the centre of mass of its body
    double w;              // rad/s: of its body
    cn_vec2d up;           // unit, against gravity
    double weight;         // N/m^2: the buoyancy of its medium, per area
    bool moves;            // its body is not at rest
    bool is_placed;        // else the values above are not those of this step
} cn_placed_field;

// The attraction of a field on a shape. Its force depends strongly on the position of the body, so
// every substep computes it.
typedef struct {
    int32_t body;
    vec2s arm;           // from the centre of mass to the point where the force acts
    vec2s to;            // from this point to the centroid of the field, at the start of the step
    vec2s velocity;      // of the centroid of the field
    double strength;     // N m^2: the force is strength / r^2
    float floor;         // m: see cn_medium
    cn_float4 last_kick; // change of velocity in the last substep
} cn_attraction;

// The fields of a simulation.
typedef struct {
    CN_LIST(cn_field) list; // state: in the order in which they became fields
    int gaps;
    int *places; // by shape: its place in `list`
    int places_capacity;
    // Scratch.
    CN_LIST(cn_placed_field) placed;    // parallel to `list`
    cn_key_list pairs;                  // body << 40 | shape << 16 | index in `list`
    CN_LIST(cn_attraction) attractions; // of the running step
    cn_key_list dragged;                // sorted: bodies on which drags act in the running step
    CN_LIST(vec2s) drag_rates;          // parallel to `dragged`: linear, angular, 1/s
} cn_field_state;

extern const cn_part_hooks cn_fields_part;

// Returns the fields of a simulation; NULL if it never had one.
static inline cn_field_state *cn_fields_of(const cn_simulation *sim) {
    return cn_part_state(sim, CN_FIELDS);
}
// Returns the index of the field of a shape, or -1.
int cn_find_field(const cn_simulation *sim, int shape);

// ---- stages (field.c)

bool cn_find_field_pairs(cn_simulation *sim);
void cn_apply_fields(cn_simulation *sim);
// Updates the drives of the bodies in a batch that fields attract, for the present substep. It is a
// job of cn_distribute() with one item, so one worker does this for all bodies. (attract.c)
void cn_attract_bodies(void *solver, int first, int end);

// ---- media (field_calls.c)

// True if the shape may have the medium. `shape` is -1 if it does not exist yet.
bool cn_require_medium(const cn_simulation *sim, cn_medium medium, int shape);

// ---- saves (saved_fields.c)

// Reserves the places of all shapes, and of one more. False if memory is short.
bool cn_reserve_field_places(cn_simulation *sim);
// Fills the places after a state was read. False if a shape has two fields.
bool cn_find_field_places(cn_simulation *sim);
bool cn_has_fields(const cn_simulation *sim, bool in_scenery);
void cn_walk_fields(struct cn_walk *walk, cn_saved_place place);
bool cn_check_fields(cn_simulation *sim);

// ---- forces (medium.c)

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
} cn_medium_load;

// Starts the load of a body, with no field yet.
void cn_begin_load(cn_medium_load *load, cn_simulation *sim, int body);
// Adds the forces of a field on a shape of the body. Returns false if the shape is not inside.
bool cn_add_medium(cn_medium_load *load, int shape, int field);

// Returns how far a body moves in half of the step, if nothing changes its velocity: x, y, angle.
cn_float4 cn_half_motion(const cn_simulation *sim, int body);

#endif
