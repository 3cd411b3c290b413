/* trace: one step of a world, seen from inside.
 *
 * A trace copies a world and takes the step in the copy. There the engine's own solver, compiled
 * a second time with one lane, reports each part of its work. Each part is a place of the step:
 *
 *      stage      find pairs, ..., solve islands, move bodies, ...
 *      substep    of a batch; before the first one it is prepared, after the last one stored
 *      pass       a loop over bodies, contacts or joints: velocities, solve, positions, relax, ...
 *      colour     contacts or joints that share no moving body
 *      contact    one contact, or one joint
 *
 * trace_look() shows the step after its first n places: it takes the step once more and copies what
 * the state of the solver there. So every place can be visited, in any order, and the world does
 * not change. At the end of the step the copy has the same state as the world after its own step,
 * bit for bit.
 *
 *   trace.c          copies the world, lists the places
 *   look.c           copies velocities, displacements and impulses at a place
 *   hooks.h          what the solver calls
 *   traced_solver.c  the solver of the engine, which calls it
 *
 * blocks.c has another subject: the time of each block of work of a scene.
 *
 * This folder includes internal headers of the engine. The rest of the demo does not. */
#ifndef DEMO_TRACE_H
#define DEMO_TRACE_H

#include "../../engine/cairn.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum {
    TRACE_STAGE,
    TRACE_SUBSTEP,
    TRACE_PASS,
    TRACE_COLOR,
    TRACE_CONTACT,
    TRACE_LEVELS
} trace_level;

// Impulses of a contact in N s. Those of a joint are in N s and N m s: x, y, angle.
typedef struct {
    float normal[2]; // of its points
    float friction;
} trace_impulses;

typedef struct {
    const char *name;         // of the stage, or of the function of the solver
    int groups[TRACE_LEVELS]; // places with the same number belong together at that level
    int stage;                // counts from 0
    int batch;                // that is solved; -1: this is a whole stage
    int islands, bodies;      // of the batch
    int substep;              // of the batch: -1 before the first; `substeps` after the last
    int substeps;
    int color, colors; // of the batch, and how many it has; color -1: none
    int slot;          // of the contact or joint; -1: none
    int ends[2];       // of it: slots of its bodies
    bool is_joint;
    bool relaxes; // the constraints are solved without bias
    float change; // of an impulse: the largest one
} trace_place;

enum { TRACE_MAX_SUBSTEPS = 64 };

typedef struct {
    unsigned char *bytes; // the world before the step
    size_t size;
    float dt;
    bool is_cold; // the stored impulses were cleared before the step: no warm start
    trace_place *places;
    int count, capacity;
    const char *stage_names[CN_MAX_STAGES];
    int stages;
    uint64_t hash;         // of the copy after the step
    float largest_impulse; // N s: the largest normal impulse of a point
    float largest_speed;   // m/s: of a body, when a substep begins
    // N s, by substep of the world: the largest change of an impulse by solve and by relax.
    float residuals[TRACE_MAX_SUBSTEPS][2];
    int substeps; // of the world; 0: nothing was solved
} trace;

// Takes the step of dt seconds in a copy of the world. Returns false if that fails; cn_error() says
// why. It fails if the world has the callbacks `filter` or `pre_solve`, because they would be
// called twice.
bool trace_make(trace *made, const cn_world *world, float dt, bool is_cold);
void trace_free(trace *made);

// Return where the next group of places of a level ends after the first n places, and where the
// group before begins. The result is 0 .. trace.count.
int trace_next(const trace *made, int n, trace_level level);
int trace_previous(const trace *made, int n, trace_level level);

// ---- looking at a place

typedef struct {
    bool is_dynamic; // dynamic and awake
    vec2s center, velocity;
    cn_rotation rotation;
    float w; // rad/s
} trace_body;

typedef struct {
    int count; // of points; 0: there is no contact in this slot
    vec2s normal, points[2];
    float separations[2];    // m; positive: a gap
    trace_impulses impulses; // at the impacts of a substep: those of the impacts
    int color;               // of its batch; -1: not planned yet
} trace_contact;

typedef struct {
    trace_body *bodies;      // by slot
    int body_count;          // slots
    trace_contact *contacts; // by slot
    int contact_count;       // slots
    int touching, apart;     // contacts, and pairs whose boxes overlap
    trace_impulses change;   // by the last place, of its contact or joint
} trace_view;

// Shows the step after its first n places. Returns false if it fails; cn_error() says why. The view
// must be zero, or one of an earlier call.
bool trace_look(const trace *made, int n, trace_view *view);
void trace_view_free(trace_view *view);

#endif
