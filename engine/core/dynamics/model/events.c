/* The buffers of events: what happened in a step, in a short form, until the user reads it or the
 * next step begins. (world/event.c writes the events out.) */
#include "model.h"

void cn_push_body_event(cn_simulation *sim, int body, cn_body_change change) {
    cn_append(&sim->memory, &sim->body_events, (cn_body_event_row){body, change});
}

void cn_clear_event_buffers(cn_simulation *sim) {
    sim->begins.count = sim->ends.count = sim->hits.count = sim->body_events.count = 0;
    sim->sensor_begins.count = sim->sensor_ends.count = 0;
    sim->broken_count = 0;
}
