/* labels: numbers on the bodies of scenes that compare a property, such as friction. */
#ifndef DEMO_LABELS_H
#define DEMO_LABELS_H

#include "picture.h"

void labels_friction(const demo_picture *picture, demo_stage *stage);
void labels_restitution(const demo_picture *picture, demo_stage *stage);
void labels_rolling(const demo_picture *picture, demo_stage *stage);
// The number of visitors of each sensor. The scene keeps it in the user data of the shape.
void labels_counts(const demo_picture *picture, demo_stage *stage);
void labels_density(const demo_picture *picture, demo_stage *stage); // of the first shape
void labels_mass(const demo_picture *picture, demo_stage *stage);

#endif
