/* A ragdoll of eleven bones. It is 1.6 m tall. */
#ifndef DEMO_RAGDOLL_H
#define DEMO_RAGDOLL_H

#include "scene.h"

enum { RAGDOLL_HEAD = 2, RAGDOLL_BONES = 11, RAGDOLL_JOINTS = RAGDOLL_BONES - 1 };

typedef struct {
    cn_body bones[RAGDOLL_BONES];
    cn_joint joints[RAGDOLL_JOINTS]; // joints[i] connects bones[i + 1] to its parent
} ragdoll;

// Adds an upright doll that faces right, with its soles at (x, y). Dolls of the same group (1, 2,
// ...) pass through each other, and so do the limbs of a doll. Returns false if it fails.
bool ragdoll_add(cn_world *world, ragdoll *doll, float x, float y, int group);
bool ragdoll_destroy(cn_world *world, const ragdoll *doll); // destroys the joints first

#endif
