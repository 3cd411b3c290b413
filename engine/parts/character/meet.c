/* The sensors that a hull meets on its path: coins, doors, spikes.
 *
 * The path is a sequence of straight legs. Each leg is a cast of the hull, without the distance
 * that it keeps from shapes. The sensors of a leg are in the order of their distances, then of
 * their slots. So the order in which the trees find them does not matter. */
#include "mover.h"

bool cn_meeting_begin(cn_meeting *meeting, const cn_search *search) {
    const cn_simulation *sim = &search->world->sim;
    meeting->count = 0;
    meeting->is_needed = sim->sensors.count > 0;
    if (!meeting->is_needed) return true;
    meeting->query = *search->query;
    meeting->query.sensors = true;
    return cn_begin_search(&meeting->search, search->world, &meeting->query, false);
}

static bool is_met(const cn_meeting *meeting, int shape) {
    for (int i = 0; i < meeting->count; i++)
        if (meeting->shapes[i] == shape) return true;
    return false;
}

static bool is_before(const cn_meeting *meeting, int i, double distance, int shape) {
    const double other = meeting->distances[i];
    return other != distance ? distance < other : shape < meeting->shapes[i];
}

static double add_sensor(void *context, int id, double distance, vec2s normal) {
    cn_meeting *m = context;
    (void)normal;
    const uint32_t flags = m->search.world->sim.shapes[id].flags;
    if (!(flags & CN_SHAPE_SENSOR) || is_met(m, id) || !cn_sees(&m->search, id)) return m->length;
    int place = m->count;
    while (place > m->leg && is_before(m, place - 1, distance, id)) place--;
    if (place == CN_MAX_MOVE_SENSORS) return m->length;
    m->count = cn_min_int(m->count + 1, CN_MAX_MOVE_SENSORS);
    for (int i = m->count - 1; i > place; i--) {
        m->shapes[i] = m->shapes[i - 1];
        m->distances[i] = m->distances[i - 1];
    }
    m->shapes[place] = id, m->distances[place] = distance;
    return m->length;
}

void cn_meeting_add(cn_meeting *meeting, const cn_mover *m, cn_vec2d from) {
    if (!meeting->is_needed) return;
    const cn_path path = cn_path_of(from, cn_minus2d(m->center, from));
    cn_query_scene scene = cn_query_scene_of(m->search.world);
    meeting->leg = meeting->count, meeting->length = path.length;
    cn_query_kernels_of(&m->search.world->sim)->cast(&scene, &m->probe, &path, add_sensor, meeting);
}

void cn_meeting_end(const cn_meeting *meeting, cn_move *move) {
    move->sensor_count = meeting->count;
    for (int i = 0; i < meeting->count; i++)
        move->sensors[i] = cn_side_of(meeting->search.world, meeting->shapes[i]);
}
