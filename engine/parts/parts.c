/* The parts that are built in, as the core calls them: see core/dynamics/model/part.h. */
#include "parts.h"

#if CN_HAS_FIELDS
#include "fields/fields.h"
#endif

// In the order of their places.
const cn_part_stage cn_part_stages[] = {
#if CN_HAS_FIELDS
    // Finds the shapes in fields. (parts/fields/field.c)
    {CN_STAGE_PREPARE_CONTACTS, {"find fields", .prepare = cn_find_field_pairs}},
    // Adds the forces of fields to the forces of the user. (parts/fields/field.c)
    {CN_STAGE_SOLVE, {"apply fields", .run = cn_apply_fields}},
#endif
    {CN_NO_STAGE, {NULL}},
};

const cn_part_hooks *const cn_parts[] = {
#if CN_HAS_FIELDS
    &cn_fields_part,
#endif
    NULL,
};

const int cn_part_count = CN_PARTS_WITH_DATA;
