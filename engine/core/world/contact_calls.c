/* The touching contacts, and the ground of a body.
 *
 * A touching contact is a record whose points are lever arms from the centre of mass of body A. It
 * may have a second point that is beyond the speculative margin. The solver needs this point, but
 * users do not.
 *
 * An index finds the contacts of one body. It has references to all contacts, and two sorted keys
 * for each contact, one per body. The first call that needs the index after contacts may have moved
 * builds it. Such calls take a const world and may come from several threads at once. So the index
 * is built under a lock, and the revision of the contacts is stored last. A thread that reads this
 * revision (acquire) sees all of the index that was written before it was stored (release). No
 * other read allocates memory. */
#include "world.h"

#include <math.h>

// ---- all contacts

// Distributes the friction to the points in proportion to their normal impulses.
static void distribute_friction(cn_manifold *m, float impulse) {
    cn_manifold_point *p = m->points;
    float both = p[0].normal_impulse + p[1].normal_impulse;
    float first = m->count == 1 ? 1 : both > 0 ? p[0].normal_impulse / both : 0.5f;
    p[0].tangent_impulse = first * impulse;
    if (m->count == 2) p[1].tangent_impulse = impulse - p[0].tangent_impulse;
}

// Writes out the points within the margin, or the nearest point if there are none. The first
// point gets the normal impulse of a point that is left out.
static cn_manifold manifold_of(const cn_simulation *sim, cn_contact_ref ref) {
    const cn_contact_record *r = ref.record;
    const cn_body_hot *a = &sim->hot[sim->links[ref.anchor->shape_a].body];
    const cn_manifold_point points[2] = {
        {cn_vec(a->x + r->p1x, a->y + r->p1y), r->s1, (uint8_t)(r->meta & 255), ref.load->n1, 0},
        {cn_vec(a->x + r->p2x, a->y + r->p2y), r->s2, (uint8_t)(r->meta >> 8 & 255), ref.load->n2,
         0}};
    bool two = cn_points_of(r->meta) == 2;
    int near = two && r->s2 < r->s1, far = 1 - near;
    bool hides = two && points[far].separation > sim->tuning.speculative_margin;
    two = two && !hides;
    uint32_t reference = r->meta >> CN_META_REFERENCE & 15;
    cn_manifold manifold = {
        .normal = cn_vec(r->nx, r->ny),
        .count = two ? 2 : 1,
        .points = {points[two ? 0 : near]},
        .reference = reference & 8 ? CN_B : CN_A,
        .reference_edge = (int)(reference & 7),
        .separation = points[near].separation,
    };
    if (two) manifold.points[1] = points[1];
    if (hides) manifold.points[0].normal_impulse += points[far].normal_impulse;
    distribute_friction(&manifold, ref.load->t);
    return manifold;
}

cn_contact cn_contact_of(const cn_world *world, cn_contact_ref ref) {
    const cn_contact_record *r = ref.record;
    cn_side a = cn_side_of(world, ref.anchor->shape_a), b = cn_side_of(world, ref.anchor->shape_b);
    return (cn_contact){.a = a,
                        .b = b,
                        .manifold = manifold_of(&world->sim, ref),
                        .friction = r->friction,
                        .restitution = r->restitution,
                        .surface_speed = cn_surface_speed_of(&world->sim, ref.anchor)};
}

// True if no call has destroyed one of the two shapes since the last step.
static bool is_contact(const cn_simulation *sim, cn_contact_ref ref) {
    uint8_t dirty = sim->dirty[ref.anchor->shape_a] | sim->dirty[ref.anchor->shape_b];
    return !(dirty & CN_DIRTY_REMOVED);
}

bool cn_next_contact(const cn_world *world, cn_contact_iterator *it) {
    const cn_simulation *sim = &world->sim;
    const cn_touching_rows *awake = &sim->touching;
    while (it->slot < awake->end) {
        int slot = it->slot++;
        it->at = (cn_contact_ref){&awake->records[slot], &awake->anchors[slot], &awake->load[slot]};
        if (cn_is_slot_occupied(awake, slot) && is_contact(sim, it->at)) return true;
    }
    for (; it->island < sim->sleeping_end; it->island++, it->index = 0) {
        const cn_sleeping_island *island = &sim->sleeping_islands[it->island];
        while (island->alive && it->index < island->contacts.count) {
            const cn_stored_contact *contact = &island->contacts.items[it->index++];
            it->at = (cn_contact_ref){&contact->record, &contact->anchor, &contact->load};
            if (is_contact(sim, it->at)) return true;
        }
    }
    return false;
}

int cn_world_contacts(const cn_world *world, cn_contact *contacts, int capacity) {
    if (!cn_check_world(world, __func__)) return 0;
    if (!CN_CHECK(cn_require_capacity(contacts, capacity))) return 0;
    int count = 0;
    for (cn_contact_iterator it = {0}; cn_next_contact(world, &it); count++)
        if (count < capacity) contacts[count] = cn_contact_of(world, it.at);
    return count;
}

// ---- contacts of a body

static bool has_index(const cn_world *world) {
    return atomic_load_explicit(&world->index_revision, memory_order_acquire) ==
           world->sim.contact_revision + 1;
}

// Adds two keys for a contact, which are sorted later: body << 32 | index in contact_refs.
static bool index_contact(cn_world *world, cn_contact_ref ref) {
    cn_memory *memory = &world->memory;
    uint64_t at = (uint64_t)world->contact_refs.count;
    uint64_t a = (uint64_t)world->sim.links[ref.anchor->shape_a].body;
    uint64_t b = (uint64_t)world->sim.links[ref.anchor->shape_b].body;
    return cn_append(memory, &world->contact_refs, ref) &&
           cn_append(memory, &world->contact_keys, a << 32 | at) &&
           cn_append(memory, &world->contact_keys, b << 32 | at);
}

static bool write_index(cn_world *world) {
    world->contact_keys.count = world->contact_refs.count = 0;
    for (cn_contact_iterator it = {0}; cn_next_contact(world, &it);)
        if (!index_contact(world, it.at)) return false;
    int count = world->contact_keys.count;
    if (!cn_reserve(&world->memory, &world->contact_keys, 2 * count)) return false;
    // Sorts without scratch memory of the step, because a callback may call this in a step.
    uint64_t *keys = world->contact_keys.items;
    if (count) cn_sort_keys(keys, keys + count, count, 0);
    atomic_store_explicit(&world->index_revision, world->sim.contact_revision + 1,
                          memory_order_release);
    return true;
}

// This is the only read that writes. Every world comes from cn_world_create(), so none is really
// const, and no other thread reads the index before its revision is stored.
static bool build_index(const cn_world *shared) {
    if (has_index(shared)) return true;
    cn_world *world = (cn_world *)shared;
    cn_lock(&world->index_lock);
    bool done = has_index(world) || write_index(world);
    cn_unlock(&world->index_lock);
    return done;
}

// Returns the next contact of the body that still exists, starting at key *i (0: the first key of
// the body); NULL after the last.
static const cn_contact_ref *next_contact_of(const cn_world *world, int body, int *i) {
    const uint64_t *keys = world->contact_keys.items;
    if (*i == 0) *i = cn_find_key(keys, world->contact_keys.count, (uint64_t)body << 32);
    while (*i < world->contact_keys.count && (int)(keys[*i] >> 32) == body) {
        const cn_contact_ref *ref = &world->contact_refs.items[(uint32_t)keys[(*i)++]];
        if (is_contact(&world->sim, *ref)) return ref;
    }
    return NULL;
}

int cn_body_contacts(const cn_world *world, cn_body body, cn_contact *contacts, int capacity) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0 || !CN_CHECK(cn_require_capacity(contacts, capacity) && build_index(world)))
        return 0;
    int i = 0, count = 0;
    for (const cn_contact_ref *p; (p = next_contact_of(world, slot, &i)); count++)
        if (count < capacity) contacts[count] = cn_contact_of(world, *p);
    return count;
}

bool cn_body_touches(const cn_world *world, cn_body a, cn_body b) {
    int slot_a = cn_find_body(world, a, __func__);
    if (slot_a < 0) return false;
    int slot_b = cn_find_body(world, b, __func__);
    if (slot_b < 0 || !CN_CHECK(build_index(world)) || slot_a == slot_b) return false;
    // Searches the contacts of a dynamic body, because a static body may have many.
    int i = 0, mover = cn_is_dynamic(&world->sim.hot[slot_a]) ? slot_a : slot_b;
    int other = slot_a + slot_b - mover;
    for (const cn_contact_ref *p; (p = next_contact_of(world, mover, &i));)
        if (world->sim.links[p->anchor->shape_a].body == other ||
            world->sim.links[p->anchor->shape_b].body == other)
            return true;
    return false;
}

// ---- a contact seen from one side

static vec2s opposite(vec2s v) { return cn_vec(0 - v.x, 0 - v.y); } // never -0

static cn_contact swap_sides(cn_contact contact) {
    cn_manifold *m = &contact.manifold;
    cn_side a = contact.a;
    contact.a = contact.b, contact.b = a;
    m->normal = opposite(m->normal);
    m->reference = m->reference == CN_A ? CN_B : CN_A;
    for (int i = 0; i < m->count; i++)
        m->points[i].id = (uint8_t)(m->points[i].id << 4 | m->points[i].id >> 4);
    return contact;
}

static bool check_sides(cn_body a, cn_body b, cn_body body, const char *what) {
    return (body.id && (a.id == body.id || b.id == body.id)) ||
           cn_fail(CN_ERROR_HANDLE, "body 0x%016llx is on neither side of the %s",
                   (unsigned long long)body.id, what);
}

static bool check_contact(const cn_contact *contact, cn_body body) {
    int count = contact->manifold.count;
    return check_sides(contact->a.body, contact->b.body, body, "contact") &&
           cn_require("number of points", (float)count, 0, 2);
}

cn_contact cn_contact_seen_from(cn_contact contact, cn_body body) {
    if (!CN_CHECK(check_contact(&contact, body))) return (cn_contact){0};
    return contact.a.body.id == body.id ? contact : swap_sides(contact);
}

// ---- events seen from one side

cn_touch_event cn_touch_event_seen_from(cn_touch_event event, cn_body body) {
    if (!CN_CHECK(check_sides(event.a.body, event.b.body, body, "event")))
        return (cn_touch_event){0};
    if (event.a.body.id == body.id) return event;
    cn_side a = event.a;
    event.a = event.b, event.b = a, event.normal = opposite(event.normal);
    return event;
}

cn_hit_event cn_hit_event_seen_from(cn_hit_event event, cn_body body) {
    if (!CN_CHECK(check_sides(event.a.body, event.b.body, body, "event"))) return (cn_hit_event){0};
    if (event.a.body.id == body.id) return event;
    cn_side a = event.a;
    event.a = event.b, event.b = a, event.normal = opposite(event.normal);
    return event;
}

cn_side cn_sensor_event_other_side(cn_sensor_event event, cn_body body) {
    if (!CN_CHECK(check_sides(event.sensor.body, event.other.body, body, "event")))
        return (cn_side){0};
    return event.sensor.body.id == body.id ? event.other : event.sensor;
}

// ---- the ground

// A contact of the body, as a support: the other shape, and the normal towards the body.
typedef struct {
    const cn_contact_ref *ref;
    int shape; // the shape of the other body
    vec2s normal;
} support;

static support support_of(const cn_simulation *sim, const cn_contact_ref *ref, int body) {
    const cn_contact_record *r = ref->record;
    bool above = sim->links[ref->anchor->shape_b].body == body;
    return (support){ref, above ? ref->anchor->shape_a : ref->anchor->shape_b,
                     above ? cn_vec(r->nx, r->ny) : cn_vec(0 - r->nx, 0 - r->ny)};
}

static double cosine_of(vec2s a, vec2s b) {
    double ax = (double)a.x, ay = (double)a.y, bx = (double)b.x, by = (double)b.y;
    return (ax * bx + ay * by) / sqrt((ax * ax + ay * ay) * (bx * bx + by * by));
}

// Returns the middle of the two points, or the only point.
static vec2s middle_of(const cn_manifold *m) {
    vec2s last = m->points[m->count - 1].point;
    return glms_vec2_scale(glms_vec2_add(m->points[0].point, last), 0.5f);
}

vec2s cn_surface_velocity(const cn_simulation *sim, int shape, vec2s normal, vec2s point) {
    const cn_body_hot hot = cn_settled_body(sim, sim->links[shape].body);
    vec2s v = cn_velocity_at(&hot, point);
    float speed = cn_rare_of(sim, shape)->surface_speed;
    return cn_vec(v.x + speed * normal.y, v.y - speed * normal.x);
}

static cn_ground ground_of(const cn_world *world, const support *s) {
    cn_manifold m = manifold_of(&world->sim, *s->ref);
    vec2s point = middle_of(&m);
    return (cn_ground){true, cn_side_of(world, s->shape), point, s->normal,
                       cn_surface_velocity(&world->sim, s->shape, s->normal, point)};
}

static bool check_up(vec2s up, float max_slope) {
    return cn_require2("up", up, FLT_MAX) &&
           (up.x != 0 || up.y != 0 ||
            cn_fail(CN_ERROR_RANGE, "up is (0, 0); it must not be zero: pass a direction")) &&
           cn_require("max_slope", max_slope, 0, CN_PI);
}

cn_ground cn_body_ground(const cn_world *world, cn_body body, vec2s up, float max_slope) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0 || !CN_CHECK(check_up(up, max_slope) && build_index(world))) return (cn_ground){0};
    support best = {0};
    double least = cn_direction2d((double)max_slope).x - CN_SLOPE_PLAY, greatest = 0;
    int i = 0;
    for (const cn_contact_ref *p; (p = next_contact_of(world, slot, &i));) {
        support s = support_of(&world->sim, p, slot);
        double cosine = cosine_of(up, s.normal);
        bool acts = !(p->record->meta & CN_META_DISABLED);
        if (!acts || cosine < least || (best.ref && cosine <= greatest)) continue;
        best = s, greatest = cosine;
    }
    return best.ref ? ground_of(world, &best) : (cn_ground){0};
}
