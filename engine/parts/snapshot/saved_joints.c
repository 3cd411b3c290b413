/* Joints: their definitions, impulses and couplings. */
#include "walk.h"

static void walk_coordinate(cn_archive *a, cn_coordinate *c) {
    int mode = (int)c->mode;
    cn_archive_int(a, &mode);
    cn_archive_words(a, &c->lower, 1);
    cn_archive_words(a, &c->upper, 1);
    cn_archive_words(a, &c->target, 1);
    cn_archive_words(a, &c->hertz, 1);
    cn_archive_words(a, &c->damping_ratio, 1);
    cn_archive_words(a, &c->stiffness, 1);
    cn_archive_words(a, &c->damping, 1);
    cn_archive_words(a, &c->max_spring_force, 1);
    cn_archive_bool(a, &c->motor);
    cn_archive_words(a, &c->motor_speed, 1);
    cn_archive_words(a, &c->max_motor_force, 1);
    cn_archive_words(a, &c->ratchet, 1);
    if (a->use == CN_ARCHIVE_READ) c->mode = (cn_coordinate_mode)mode;
}

static void walk_joint_def(cn_walk *w, cn_joint_def *def) {
    cn_archive *a = w->archive;
    cn_walk_object_id(w, &def->a.id);
    cn_walk_object_id(w, &def->b.id);
    cn_archive_words(a, &def->frame_a, 4);
    cn_archive_words(a, &def->frame_b, 4);
    for (int i = 0; i < 3; i++) walk_coordinate(a, cn_coordinate_of(def, i));
    cn_archive_bool(a, &def->polar);
    cn_archive_bool(a, &def->collide_connected);
    cn_archive_bool(a, &def->disabled);
    cn_archive_words(a, &def->break_force, 1);
    cn_archive_words(a, &def->break_torque, 1);
    cn_archive_longs(a, &def->user_data, 1);
}

static void walk_record(cn_walk *w, cn_joint_record *record) {
    enum { STATE = CN_WORD(cn_joint_record, state), BODIES = CN_WORD(cn_joint_record, bodies) };
    uint32_t motion[sizeof *record / sizeof(uint32_t)] = {0};
    for (int i = STATE; i < BODIES; i++) motion[i] = CN_ALL_BITS;
    const cn_walked_rows row = {.rows = record, .size = sizeof *record, .motion = motion};
    cn_walk_rows(w, &row, 0, 1);
}

static void walk_coupling(cn_walk *w, cn_coupling_row *coupling) {
    static const uint32_t motion[sizeof *coupling / sizeof(uint32_t)] = {
        [CN_WORD(cn_coupling_row, impulse)] = CN_ALL_BITS,
    };
    const cn_walked_rows row = {.rows = coupling, .size = sizeof *coupling, .motion = motion};
    cn_walk_rows(w, &row, 0, 1);
}

static void walk_joint(cn_walk *w, cn_joint_record *record, cn_joint_load *load,
                       cn_joint_data *data) {
    cn_archive *a = w->archive;
    int row_type = (int)data->row_type;
    walk_record(w, record);
    cn_walk_motion(w, load, CN_WORD(cn_joint_load, unused));
    walk_joint_def(w, &data->def);
    cn_archive_words(a, data->next, 2);
    cn_archive_words(a, &data->flags, 1);
    cn_archive_int(a, &row_type);
    cn_walk_motion(w, &data->broken_force, 1);
    cn_walk_motion(w, &data->broken_torque, 1);
    walk_coupling(w, &data->coupling);
    if (a->use == CN_ARCHIVE_READ) data->row_type = (cn_row_type)row_type;
}

static size_t joint_bytes(void) {
    cn_archive counter = {.use = CN_ARCHIVE_WRITE};
    cn_joint_record record = {0};
    cn_joint_load load = {0};
    cn_joint_data data = {0};
    walk_joint(&(cn_walk){.archive = &counter}, &record, &load, &data);
    return counter.at;
}

void cn_walk_joint_run(cn_walk *w, int first, int count) {
    cn_simulation *sim = w->sim;
    cn_walk_compared(w, true);
    cn_walk_slots(w, CN_JOINTS, first, count);
    if (cn_is_checking(w) && !w->archive->compares) {
        cn_archive_skip(w->archive, (size_t)count * joint_bytes());
        return;
    }
    for (int i = first; i < first + count; i++) {
        cn_joint_data compared = sim->joints[i];
        compared.def.user_data = 0;
        walk_joint(w, &sim->joint_records[i], &sim->joint_load[i],
                   w->compares ? &compared : &sim->joints[i]);
        if (cn_is_reading(w)) sim->prepared_joints[i].h = 0; // so that it is prepared again
    }
    cn_walk_compared(w, false);
}

void cn_walk_joints(cn_walk *w) {
    cn_begin_kind(w, CN_JOINTS);
    if (cn_is_checking(w) && w->end != w->sim->slots[CN_JOINTS].end) w->archive->differs = true;
    if (cn_is_checking(w) && w->end) cn_need(w, cn_reserve_pulls(w->sim));
    cn_walk_runs(w, CN_JOINTS, cn_walk_joint_run);
    if (!cn_is_reading(w)) return;
    w->sim->coupling_count = 0;
    for (int i = 0; i < w->end; i++)
        w->sim->coupling_count += w->sim->joints[i].coupling.other >= 0;
}

// ---- checks

static bool is_sound_coupling(const cn_simulation *sim, const cn_coupling_row *c, int joint) {
    return c->other == -1 ||
           (cn_is_in(sim, CN_JOINTS, c->other) && c->other != joint && c->axis >= CN_JOINT_X &&
            c->axis <= CN_JOINT_ANGLE && c->other_axis >= CN_JOINT_X &&
            c->other_axis <= CN_JOINT_ANGLE && isfinite(c->ratio) && c->ratio != 0 &&
            isfinite(c->constant) && isfinite(c->impulse));
}

static bool is_sound_joint(const cn_world *world, int joint) {
    const cn_simulation *sim = &world->sim;
    const cn_joint_record *record = &sim->joint_records[joint];
    const cn_joint_data *data = &sim->joints[joint];
    int a = record->bodies[0], b = record->bodies[1];
    return cn_is_in(sim, CN_BODIES, a) && cn_is_in(sim, CN_BODIES, b) && a != b &&
           data->def.a.id == cn_id_of(world, CN_BODIES, a) &&
           data->def.b.id == cn_id_of(world, CN_BODIES, b) &&
           data->row_type == cn_joint_row_type(&data->def) &&
           is_sound_coupling(sim, &data->coupling, joint);
}

// Each joint is in the lists of its two bodies.
static bool check_lists(const cn_simulation *sim) {
    int left = 2 * sim->slots[CN_JOINTS].count;
    CN_EACH(CN_BODIES, body, sim) {
        for (int i = sim->first_joint[body]; i != -1; i = cn_joint_next(sim, i, body))
            if (!cn_sound(cn_is_in(sim, CN_JOINTS, i) && cn_joint_has_body(sim, i, body) &&
                              left-- > 0,
                          "list of joints of body", body))
                return false;
    }
    return cn_sound(left == 0, "number of joints that are in no list", left);
}

bool cn_check_joints(const cn_world *world) {
    const cn_simulation *sim = &world->sim;
    for (int i = 0; i < sim->slots[CN_JOINTS].end; i++) {
        const cn_joint_data *data = &sim->joints[i];
        bool alive = cn_is_alive(sim, CN_JOINTS, i);
        if (!cn_sound(alive || data->coupling.other == -1, "coupling of joint", i) ||
            !cn_sound(!alive || (is_sound_joint(world, i) && cn_require_joint(&data->def)), "joint",
                      i))
            return false;
    }
    return check_lists(sim);
}
