/* data: the data of a simulation in groups, as the table of stages names them.
 *
 * Each stage of a step names the groups that it reads, and those that it may change (cn_stage in
 * part.h). A test compares all groups before and after each stage, and knows which field belongs to
 * which group (tests/core/dynamics/step/stage_data.c). Data that only one stage uses, as most
 * scratch memory, belong to no group.
 *
 * Only the tables of stages include this file, so the names have no prefix. */
#ifndef CN_DATA_H
#define CN_DATA_H

enum {
    // Bodies.
    PROPERTIES = 1 << 0, // mass, extent, damping and so on, which a step does not change; settings
    POSES = 1 << 1,
    VELOCITIES = 1 << 2,
    FORCES = 1 << 3,  // of the user and of fields, until the solver has applied them
    REST = 1 << 4,    // how long each body has been at rest
    FLAGS = 1 << 5,   // awake, stopped by continuous collision, ...; which bodies drop through
                      // one-way shapes
    MOTIONS = 1 << 6, // how bodies move in the step; which ones are fast or faulty

    // Shapes.
    SHAPES = 1 << 7,   // which there are, and their bodies and materials; chains, tiles, sensors,
                       // fields
    SURFACES = 1 << 8, // smooth surfaces of shapes that touch
    HULLS = 1 << 9,    // in world coordinates
    BOXES = 1 << 10,   // fat boxes, now and at the last search
    TREES = 1 << 11,   // how boxes are sorted, and the boxes above them; the index of sensors
    DIRTY = 1 << 12,   // dirty flags

    // What connects bodies and shapes.
    PAIRS = 1 << 13, // known pairs of shapes that are apart
    CONTACTS = 1 << 14,
    JOINTS = 1 << 15,
    PREPARED = 1 << 16, // joints as the solver needs them for substeps of one length
    ISLANDS = 1 << 17,  // sleeping ones, with their contacts; requests to wake them
    OVERLAPS = 1 << 18, // of sensors
    PLAN = 1 << 19,     // batches of awake islands, and what must be planned again

    // All kinds.
    FINDINGS = 1 << 20, // of the stages that may fail: what begins, ends, wakes or changed
    EDITS = 1 << 21,    // which bodies have shapes that calls edited
    SLOTS = 1 << 22,    // of objects
    RESULTS = 1 << 23,  // what the user reads: events, poses before the step, number of islands

    // These follow from the others. So they are not part of the state, and a stage that may fail
    // may change them.
    FOLLOWING = SURFACES | TREES | PREPARED | PLAN | FINDINGS,
};

#endif
