/* What happened in the last step, and what touches now.
 *
 * The step takes short notes: slots of shapes and bodies, and a few numbers. Only when they are
 * asked for are they written out with handles and user data, from slots that stay as they were even
 * if their object has gone (see cn_slot_queue in world.h).
 *
 * A touching contact is a record whose points are arms from the centre of mass of body A. It may
 * have a second point that is far apart: the solver has to know it, users do not. */
#include "world.h"

static cn_side side_of(const cn_world *world, int shape) {
    int body = world->sim.links[shape].body;
    cn_tile_name name = world->sim.tile_of[shape];
    cn_side side = {.body = cn_body_handle(world, body), .shape = cn_shape_handle(world, shape)};
    side.body_user_data = world->sim.cold[body].user_data;
    side.shape_user_data = world->sim.shape_cold[shape].user_data;
    if (name.grid >= 0) side.tiles = cn_tiles_handle(world, name.grid);
    side.tile = name.grid >= 0 ? name.tile : -1;
    return side;
}

// ---- events

// Rows of one capacity for all kinds of events: room for `needed` of each; -1 frees them.
static bool resize_events(cn_world *world, int needed) {
    const cn_row rows[] = {CN_ROW(world->begins), CN_ROW(world->ends), CN_ROW(world->hits),
                           CN_ROW(world->changes)};
    if (needed >= 0)
        return cn_grow_rows(&world->sim.memory, rows, 4, &world->event_capacity, needed);
    cn_release_rows(&world->sim.memory, rows, 4, &world->event_capacity);
    return true;
}

void cn_free_events(cn_world *world) { resize_events(world, -1); }

static void write_events(cn_world *world) {
    const cn_simulation *sim = &world->sim;
    for (int i = 0; i < sim->begins.count; i++) {
        const cn_touch_note *n = &sim->begins.items[i];
        cn_side a = side_of(world, n->shape_a), b = side_of(world, n->shape_b);
        world->begins[i] = (cn_touch_event){a, b, n->point, n->normal};
    }
    for (int i = 0; i < sim->ends.count; i++) {
        const cn_end_note *n = &sim->ends.items[i];
        cn_side a = side_of(world, n->shape_a), b = side_of(world, n->shape_b);
        world->ends[i] = (cn_touch_event){.a = a, .b = b};
    }
    for (int i = 0; i < sim->hits.count; i++) {
        const cn_touch_note *n = &sim->hits.items[i];
        cn_side a = side_of(world, n->shape_a), b = side_of(world, n->shape_b);
        world->hits[i] = (cn_hit_event){a, b, n->point, n->normal, n->approach_speed, n->impulse};
    }
    for (int i = 0; i < sim->notes.count; i++) {
        int body = sim->notes.items[i].body;
        world->changes[i] = (cn_body_event){cn_body_handle(world, body), sim->cold[body].user_data,
                                            sim->notes.items[i].change};
    }
}

cn_events cn_world_events(cn_world *world) {
    if (!CN_CHECK_WORLD(true)) return (cn_events){0};
    const cn_simulation *sim = &world->sim;
    int touches = cn_max_int(sim->begins.count, sim->ends.count);
    int others = cn_max_int(sim->hits.count, sim->notes.count);
    if (!CN_CHECK(resize_events(world, cn_max_int(touches, others)))) return (cn_events){0};
    write_events(world);
    return (cn_events){world->begins,    world->ends,        world->hits,     world->changes,
                       world->broken,    sim->begins.count,  sim->ends.count, sim->hits.count,
                       sim->notes.count, world->broken_count};
}

// ---- contacts

// The points as far as they are within the margin, but at least the nearest.
static cn_manifold manifold_of(const cn_simulation *sim, const cn_contact_record *r, int body_a) {
    const cn_body_hot *a = &sim->hot[body_a];
    const cn_manifold_point points[2] = {
        {cn_vec(a->x + r->p1x, a->y + r->p1y), r->s1, (uint8_t)(r->meta & 255), r->ln1},
        {cn_vec(a->x + r->p2x, a->y + r->p2y), r->s2, (uint8_t)(r->meta >> 8 & 255), r->ln2}};
    bool two = (r->meta >> CN_META_COUNT & 3) == 2;
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

static bool takes_part(const cn_simulation *sim, int shape) {
    return cn_is_shape(sim, shape) && !(sim->news[shape] & CN_SHAPE_GONE);
}

typedef struct {
    const cn_world *world;
    cn_contact_visitor *visit;
    void *context;
} tour;

static void visit_one(const tour *t, const cn_contact_record *record, const cn_anchor *anchor) {
    const cn_simulation *sim = &t->world->sim;
    int a = anchor->shape_a, b = anchor->shape_b;
    if (!takes_part(sim, a) || !takes_part(sim, b)) return;
    cn_manifold manifold = manifold_of(sim, record, sim->links[a].body);
    const cn_contact contact = {side_of(t->world, a), side_of(t->world, b), manifold,
                                record->friction, record->restitution};
    t->visit(&contact, t->context);
}

void cn_visit_contacts(const cn_world *world, cn_contact_visitor *visit, void *context) {
    const tour t = {world, visit, context};
    const cn_touching *awake = &world->sim.touching;
    for (int i = 0; i < awake->end; i++)
        if (cn_occupied(awake, i)) visit_one(&t, &awake->records[i], &awake->anchors[i]);
    for (int i = 0; i < world->sim.sleeper_end; i++) {
        const cn_sleeping_island *island = &world->sim.sleepers[i];
        for (int k = 0; island->alive && k < island->contacts.count; k++)
            visit_one(&t, &island->contacts.items[k].record, &island->contacts.items[k].anchor);
    }
}

// The next free places of the user's array, and how many contacts there were.
typedef struct {
    cn_contact *contacts;
    int capacity, count;
} list;

static void add_contact(const cn_contact *contact, void *context) {
    list *l = context;
    if (l->count < l->capacity) l->contacts[l->count] = *contact;
    l->count++;
}

int cn_world_contacts(const cn_world *world, cn_contact *contacts, int capacity) {
    if (!CN_CHECK_WORLD(cn_require_room(contacts, capacity))) return 0;
    list l = {contacts, capacity, 0};
    cn_visit_contacts(world, add_contact, &l);
    return l.count;
}
