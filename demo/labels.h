/* labels: numbers written on the bodies of scenes that are about a number. */
#ifndef DEMO_LABELS_H
#define DEMO_LABELS_H

#include "picture.h"

void labels_friction(const demo_picture *picture, demo_stage *stage);
void labels_restitution(const demo_picture *picture, demo_stage *stage);
void labels_rolling(const demo_picture *picture, demo_stage *stage);
// How much has entered each sensor: the user data of its shape.
void labels_counts(const demo_picture *picture, demo_stage *stage);
void labels_mass(const demo_picture *picture, demo_stage *stage);

#endif
