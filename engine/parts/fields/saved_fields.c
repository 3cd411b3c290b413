/* The list of fields in a save, and in its hash. */
#include "../snapshot/walk.h"
#include "fields.h"

bool cn_has_fields(const cn_simulation *sim, bool in_scenery) {
    return !in_scenery && cn_fields_of(sim) && cn_fields_of(sim)->list.count > 0;
}

void cn_walk_fields(cn_walk *w, cn_saved_place place) {
    if (place != CN_SAVED_LISTS) return;
    cn_simulation *sim = w->sim;
    cn_field_state *fields = cn_fields_of(sim);
    CN_WALK_LIST(w, &fields->list);
    if (cn_is_checking(w))
        cn_need(w, cn_reserve_field_places(sim) &&
                       cn_reserve(&sim->memory, &fields->placed, fields->list.capacity));
}

// Checks that each shape is in the list only once, before the media: the check of a medium looks
// for its shape in the list.
bool cn_check_fields(cn_simulation *sim) {
    if (!cn_fields_of(sim)) return true;
    const cn_field *fields = cn_fields_of(sim)->list.items;
    int count = cn_fields_of(sim)->list.count;
    for (int i = 0; i < count; i++)
        if (!cn_sound(cn_is_in(sim, CN_SHAPES, fields[i].shape) &&
                          sim->shapes[fields[i].shape].flags & CN_SHAPE_SENSOR,
                      "field", i))
            return false;
    if (!cn_sound(count <= CN_MAX_FIELDS && cn_find_field_places(sim), "list of fields", count))
        return false;
    for (int i = 0; i < count; i++)
        if (!cn_sound(cn_require_medium(sim, fields[i].medium, fields[i].shape), "medium", i))
            return false;
    return true;
}
