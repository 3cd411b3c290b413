/* A hash of each group of data of a simulation (engine/core/dynamics/model/data.h). */
#ifndef TESTS_STAGE_DATA_H
#define TESTS_STAGE_DATA_H

#include "../../../../engine/core/dynamics/step/step.h"

#include "../../../../engine/core/dynamics/model/data.h"

enum { GROUPS = 24 };

typedef struct {
    uint64_t hashes[GROUPS]; // by the number of the bit
} data_hashes;

data_hashes hash_data(cn_simulation *sim);
extern const char *const group_names[GROUPS];

#endif
