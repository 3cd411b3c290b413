/* What happened in the last step, and what touches now.
 *
 * The step takes short notes: slots of shapes and bodies, and a few numbers. Only when they are
 * asked for are they written out with handles and user data, from slots that stay as they were even
 * if their object has gone (see cn_slot_queue in world.h).
 *
 * A touching contact is a record whose points are arms from the centre of mass of body A. It may
 * have a second point that is far apart: the solver has to know it, users do not. */
#include "world.h"

cn_side cn_side_of(const cn_world *world, int shape) {
    const cn_simulation *sim = &world->sim;
    int body = sim->links[shape].body;
    cn_tile_name name = cn_rare_of(sim, shape)->tile;
    return (cn_side){.body = cn_body_handle(world, body),
                     .shape = cn_shape_handle(world, shape),
                     .body_user_data = cn_user_data(sim, CN_BODIES, body),
                     .shape_user_data = cn_user_data(sim, CN_SHAPES, shape),
                     .tiles = cn_tiles_handle(world, name.grid),
                     .tile = name.tile};
}

// ---- events

// Writes an event for every note `n` of a list of the simulation, and tells where they are.
#define WRITE_EVENTS(notes, row, row_count, ...)                                                   \
    done = done && cn_reserve(&sim->memory, &world->row, sim->notes.count);                        \
    for (int i = 0; done && i < sim->notes.count; i++) {                                           \
        const __typeof__(*sim->notes.items) *n = &sim->notes.items[i];                             \
        world->row.items[i] = (__typeof__(*world->row.items)){__VA_ARGS__};                        \
    }                                                                                              \
    events.row = world->row.items, events.row_count = sim->notes.count;
#define SIDE_A cn_side_of(world, n->shape_a)
#define SIDE_B cn_side_of(world, n->shape_b)

cn_events cn_world_events(cn_world *world) {
    CN_EDIT_WORLD(true, (cn_events){0});
    cn_events events = {.broken = world->broken, .broken_count = world->broken_count};
    bool done = true;
    WRITE_EVENTS(begins, begins, begin_count, SIDE_A, SIDE_B, n->point, n->normal)
    WRITE_EVENTS(ends, ends, end_count, .a = SIDE_A, .b = SIDE_B)
    WRITE_EVENTS(hits, hits, hit_count, SIDE_A, SIDE_B, n->point, n->normal, n->approach_speed,
                 n->impulse)
    WRITE_EVENTS(notes, bodies, body_count, cn_body_handle(world, n->body),
                 cn_user_data(sim, CN_BODIES, n->body), n->change)
    WRITE_EVENTS(seen, sensor_begins, sensor_begin_count, SIDE_A, SIDE_B)
    WRITE_EVENTS(lost, sensor_ends, sensor_end_count, SIDE_A, SIDE_B)
    return CN_CHECK(done) ? events : (cn_events){0};
}

// ---- contacts

// The points as far as they are within the margin, but at least the nearest.
static cn_manifold manifold_of(const cn_simulation *sim, const cn_contact_record *r, int body_a) {
    const cn_body_hot *a = &sim->hot[body_a];
    const cn_manifold_point points[2] = {
        {cn_vec(a->x + r->p1x, a->y + r->p1y), r->s1, (uint8_t)(r->meta & 255), r->ln1},
        {cn_vec(a->x + r->p2x, a->y + r->p2y), r->s2, (uint8_t)(r->meta >> 8 & 255), r->ln2}};
    bool two = cn_points_of(r->meta) == 2;
    int near = two && r->s2 < r->s1, far = 1 - near;
    two = two && points[far].separation <= sim->tuning.speculative_margin;
    uint32_t reference = r->meta >> CN_META_REFERENCE & 15;
    cn_manifold manifold = {
        .normal = cn_vec(r->nx, r->ny),
        .count = two ? 2 : 1,
        .points = {points[two ? 0 : near]},
        .reference = reference & 8 ? CN_HULL_B : CN_HULL_A,
        .reference_edge = (int)(reference & 7),
        .separation = points[near].separation,
    };
    if (two) manifold.points[1] = points[1];
    return manifold;
}

cn_contact cn_contact_of(const cn_world *world, cn_contact_place place) {
    const cn_contact_record *r = place.record;
    cn_side a = cn_side_of(world, place.anchor->shape_a), b = cn_side_of(world, place.anchor->shape_b);
    int body_a = world->sim.links[place.anchor->shape_a].body;
    float restitution = r->restitution > FLT_MIN ? r->restitution : 0; // cn_expect_impact()
    return (cn_contact){a, b, manifold_of(&world->sim, r, body_a), r->friction, restitution};
}

// Has neither shape gone since the last step?
static bool is_contact(const cn_simulation *sim, cn_contact_place place) {
    uint8_t news = sim->news[place.anchor->shape_a] | sim->news[place.anchor->shape_b];
    return !(news & CN_SHAPE_GONE);
}

bool cn_next_contact(const cn_world *world, cn_contact_tour *tour) {
    const cn_simulation *sim = &world->sim;
    const cn_touching_rows *awake = &sim->touching;
    while (tour->slot < awake->end) {
        int slot = tour->slot++;
        tour->at = (cn_contact_place){&awake->records[slot], &awake->anchors[slot]};
        if (cn_occupied(awake, slot) && is_contact(sim, tour->at)) return true;
    }
    for (; tour->island < sim->sleeper_end; tour->island++, tour->kept = 0) {
        const cn_sleeping_island *island = &sim->sleepers[tour->island];
        while (island->alive && tour->kept < island->contacts.count) {
            const cn_kept_contact *contact = &island->contacts.items[tour->kept++];
            tour->at = (cn_contact_place){&contact->record, &contact->anchor};
            if (is_contact(sim, tour->at)) return true;
        }
    }
    return false;
}

int cn_world_contacts(const cn_world *world, cn_contact *contacts, int capacity) {
    CN_READ_WORLD(cn_require_room(contacts, capacity), 0);
    int count = 0;
    for (cn_contact_tour tour = {0}; cn_next_contact(world, &tour); count++)
        if (count < capacity) contacts[count] = cn_contact_of(world, tour.at);
    return count;
}

// ---- contacts of a body

// Two keys a contact, sorted later: body << 32 | place.
static bool index_contact(cn_world *world, cn_contact_place place) {
    cn_memory *memory = &world->sim.memory;
    uint64_t at = (uint64_t)world->contact_places.count;
    uint64_t a = (uint64_t)world->sim.links[place.anchor->shape_a].body;
    uint64_t b = (uint64_t)world->sim.links[place.anchor->shape_b].body;
    return cn_push(memory, &world->contact_places, place) &&
           cn_push(memory, &world->contact_keys, a << 32 | at) &&
           cn_push(memory, &world->contact_keys, b << 32 | at);
}

static bool make_index(cn_world *world) {
    if (world->index_step == world->steps + 1) return true;
    world->contact_keys.count = world->contact_places.count = 0;
    for (cn_contact_tour tour = {0}; cn_next_contact(world, &tour);)
        if (!index_contact(world, tour.at)) return false;
    int count = world->contact_keys.count;
    if (!cn_reserve(&world->sim.memory, &world->contact_keys, 2 * count)) return false;
    uint64_t *keys = world->contact_keys.items; // no scratch: a callback may ask during the step
    if (count) cn_sort_keys(keys, keys + count, count, 0);
    world->index_step = world->steps + 1;
    return true;
}

// The next contact of the body from key *i on (0: its first) that is still one; NULL after the last.
static const cn_contact_place *next_of_body(const cn_world *world, int body, int *i) {
    const uint64_t *keys = world->contact_keys.items;
    if (*i == 0) *i = cn_find_key(keys, world->contact_keys.count, (uint64_t)body << 32);
    while (*i < world->contact_keys.count && (int)(keys[*i] >> 32) == body) {
        const cn_contact_place *place = &world->contact_places.items[(uint32_t)keys[(*i)++]];
        if (is_contact(&world->sim, *place)) return place;
    }
    return NULL;
}

int cn_body_contacts(cn_world *world, cn_body body, cn_contact *contacts, int capacity) {
    CN_READ(body, cn_require_room(contacts, capacity) && make_index(world), 0);
    int i = 0, count = 0;
    for (const cn_contact_place *p; (p = next_of_body(world, slot, &i)); count++)
        if (count < capacity) contacts[count] = cn_contact_of(world, *p);
    return count;
}

bool cn_touching(cn_world *world, cn_body a, cn_body b) {
    int slot_a = cn_find_body(world, a, __func__);
    int slot_b = slot_a < 0 ? -1 : cn_find_body(world, b, __func__);
    if (slot_b < 0 || !CN_CHECK(make_index(world)) || slot_a == slot_b) return false;
    // Among the contacts of one that moves: the ground has many.
    int i = 0, mover = cn_is_dynamic(&world->sim.hot[slot_a]) ? slot_a : slot_b;
    int other = slot_a + slot_b - mover;
    for (const cn_contact_place *p; (p = next_of_body(world, mover, &i));)
        if (world->sim.links[p->anchor->shape_a].body == other ||
            world->sim.links[p->anchor->shape_b].body == other)
            return true;
    return false;
}

// ---- callbacks

static bool ask_filter(void *context, int shape_a, int shape_b) {
    cn_world *world = context;
    world->calling = true;
    bool collide = world->callbacks.filter(world, cn_shape_handle(world, shape_a),
                                           cn_shape_handle(world, shape_b), world->callbacks.user);
    world->calling = false;
    return collide;
}

static bool ask_pre_solve(void *context, int slot) {
    cn_world *world = context;
    const cn_touching_rows *touching = &world->sim.touching;
    const cn_contact_place place = {&touching->records[slot], &touching->anchors[slot]};
    cn_contact contact = cn_contact_of(world, place);
    world->calling = true;
    bool act = world->callbacks.pre_solve(world, &contact, world->callbacks.user);
    world->calling = false;
    return act;
}

// Where callbacks may refuse pairs the ground is another (ground.c).
CN_WORLD_SETTER(cn_world_set_callbacks, cn_callbacks callbacks, true,
                bool refused = sim->filter || sim->pre_solve;
                world->callbacks = callbacks, sim->callback_context = world;
                sim->filter = callbacks.filter ? ask_filter : NULL;
                sim->pre_solve = callbacks.pre_solve ? ask_pre_solve : NULL;
                bool refuses = sim->filter || sim->pre_solve;
                CN_EACH(CN_SHAPES, i, sim) if (refuses != refused) cn_forget_surface(sim, i))
