/* What happened in the last step, and what touches now.
 *
 * The step takes short notes: slots of shapes and bodies, and a few numbers. Only when they are
 * asked for are they written out with handles and user data, from slots that stay as they were even
 * if their object has gone (see cn_slots in world.h).
 *
 * A touching contact is a record whose points are arms from the centre of mass of body A. Awake
 * contacts are read in the order of their slots, then those that sleep, island by island. */
#include "world.h"

// ---- events

static cn_side side_of(const cn_world *world, int shape) {
    int body = world->sim.links[shape].body;
    return (cn_side){
        .body = cn_body_handle(world, body),
        .shape = cn_shape_handle(world, shape),
        .body_user_data = world->sim.cold[body].user_data,
        .shape_user_data = world->sim.shape_cold[shape].user_data,
    };
}

static cn_touch_event begin_of(const cn_world *world, const cn_begin_note *note) {
    return (cn_touch_event){side_of(world, note->shape_a), side_of(world, note->shape_b),
                            note->point, note->normal};
}

static cn_touch_event end_of(const cn_world *world, const cn_end_note *note) {
    return (cn_touch_event){.a = side_of(world, note->shape_a), .b = side_of(world, note->shape_b)};
}

static cn_hit_event hit_of(const cn_world *world, const cn_hit_note *note) {
    return (cn_hit_event){
        .a = side_of(world, note->shape_a),
        .b = side_of(world, note->shape_b),
        .point = note->point,
        .normal = note->normal,
        .approach_speed = note->approach_speed,
        .impulse = note->impulse,
    };
}

static bool reserve_events(cn_world *world) {
    cn_simulation *sim = &world->sim;
    cn_memory *memory = &sim->memory;
    return cn_grow(memory, &world->begins, &world->begin_capacity, sim->begin_count) &&
           cn_grow(memory, &world->ends, &world->end_capacity, sim->end_count) &&
           cn_grow(memory, &world->hits, &world->hit_capacity, sim->hit_count) &&
           cn_grow(memory, &world->changes, &world->change_capacity, sim->note_count);
}

void cn_free_events(cn_world *world) {
    cn_memory *memory = &world->sim.memory;
    cn_free(memory, &world->begins, &world->begin_capacity);
    cn_free(memory, &world->ends, &world->end_capacity);
    cn_free(memory, &world->hits, &world->hit_capacity);
    cn_free(memory, &world->changes, &world->change_capacity);
}

static void write_events(cn_world *world) {
    const cn_simulation *sim = &world->sim;
    for (int i = 0; i < sim->begin_count; i++) world->begins[i] = begin_of(world, &sim->begins[i]);
    for (int i = 0; i < sim->end_count; i++) world->ends[i] = end_of(world, &sim->ends[i]);
    for (int i = 0; i < sim->hit_count; i++) world->hits[i] = hit_of(world, &sim->hits[i]);
    for (int i = 0; i < sim->note_count; i++) {
        int body = sim->notes[i].body;
        world->changes[i] = (cn_body_event){cn_body_handle(world, body), sim->cold[body].user_data,
                                            sim->notes[i].change};
    }
}

cn_events cn_world_events(cn_world *world) {
    if (!cn_check_world(world, __func__) || !reserve_events(world)) return (cn_events){0};
    write_events(world);
    const cn_simulation *sim = &world->sim;
    return (cn_events){
        .begins = world->begins,
        .begin_count = sim->begin_count,
        .ends = world->ends,
        .end_count = sim->end_count,
        .hits = world->hits,
        .hit_count = sim->hit_count,
        .bodies = world->changes,
        .body_count = sim->note_count,
    };
}

// ---- contacts

// The next free places of the user's array, and how many contacts there were.
typedef struct {
    const cn_world *world;
    cn_contact *contacts;
    int capacity, count;
} list;

static bool takes_part(const cn_simulation *sim, int shape) {
    return cn_is_shape(sim, shape) && !(sim->news[shape] & CN_SHAPE_GONE);
}

static cn_manifold manifold_of(const cn_simulation *sim, const cn_contact_record *record,
                               int body_a) {
    const cn_body_hot *a = &sim->hot[body_a];
    uint32_t meta = record->meta, reference = meta >> CN_META_REFERENCE & 15;
    cn_manifold manifold = {
        .normal = cn_vec(record->nx, record->ny),
        .count = (int)(meta >> CN_META_COUNT & 3),
        .points = {{.point = cn_vec(a->x + record->p1x, a->y + record->p1y),
                    .separation = record->s1,
                    .id = (uint8_t)(meta & 255),
                    .normal_impulse = record->ln1},
                   {.point = cn_vec(a->x + record->p2x, a->y + record->p2y),
                    .separation = record->s2,
                    .id = (uint8_t)(meta >> 8 & 255),
                    .normal_impulse = record->ln2}},
        .reference = reference & 8 ? CN_HULL_B : CN_HULL_A,
        .reference_edge = (int)(reference & 7),
        .separation = record->s1,
    };
    if (manifold.count < 2) manifold.points[1] = (cn_manifold_point){0};
    if (manifold.count == 2) manifold.separation = cn_min(record->s1, record->s2);
    return manifold;
}

static void add_contact(list *l, const cn_contact_record *record, const cn_anchor *anchor) {
    const cn_simulation *sim = &l->world->sim;
    if (!takes_part(sim, anchor->shape_a) || !takes_part(sim, anchor->shape_b)) return;
    if (l->count++ >= l->capacity) return;
    l->contacts[l->count - 1] = (cn_contact){
        .a = side_of(l->world, anchor->shape_a),
        .b = side_of(l->world, anchor->shape_b),
        .manifold = manifold_of(sim, record, sim->links[anchor->shape_a].body),
        .friction = record->friction,
        .restitution = record->restitution,
    };
}

static void add_awake(list *l) {
    const cn_touching *touching = &l->world->sim.touching;
    for (int i = 0; i < touching->end; i++)
        if (touching->occupied[i >> 6] >> (i & 63) & 1)
            add_contact(l, &touching->records[i], &touching->anchors[i]);
}

static void add_sleeping(list *l, const cn_sleeping_island *island) {
    for (int i = 0; i < island->touching_count; i++)
        add_contact(l, &island->records[i], &island->anchors[i]);
}

int cn_world_contacts(const cn_world *world, cn_contact *contacts, int capacity) {
    if (!cn_check_world(world, __func__) || !cn_check_room(contacts, capacity, __func__)) return 0;
    list l = {.world = world, .contacts = contacts, .capacity = capacity};
    add_awake(&l);
    for (int i = 0; i < world->sim.sleeper_end; i++)
        if (world->sim.sleepers[i].alive) add_sleeping(&l, &world->sim.sleepers[i]);
    return l.count;
}
