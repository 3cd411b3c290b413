/* What both files of the sensors use: sensor_index.c knows which shapes changed and where the
 * sensors are; sensor.c measures pairs and raises events. */
#ifndef CN_SENSOR_H
#define CN_SENSOR_H

#include "step.h"

static inline bool cn_is_sensor(const cn_simulation *sim, int shape) {
    return sim->shapes[shape].flags & CN_SHAPE_SENSOR;
}
// False if no sensor has anything to do.
static inline bool cn_has_sensors(const cn_simulation *sim) {
    return sim->sensors.count > 0 || sim->overlaps.count > 0;
}
// True if the pairs of the shape are measured in this step.
static inline bool cn_has_changed(const cn_simulation *sim, int shape) {
    return cn_has_bit(sim->sensor_index->changed.items, shape);
}
// Loops over these shapes by slot: CN_EACH_CHANGED(shape, sim) { ... }. The bits must exist.
#define CN_EACH_CHANGED(shape, sim)                                                                \
    CN_EACH_BIT(shape, (sim)->sensor_index->changed.items, (sim)->slots[CN_SHAPES].end)

// Adds the shapes that moved in this step to the changed ones, except those that overlap nothing
// and are near no sensor. False if memory is short.
bool cn_mark_moved_shapes(cn_simulation *sim);
// Updates the index with the changed shapes. False if memory is short, or if there are no bits.
bool cn_update_sensor_index(cn_simulation *sim);

#endif
