/* A hit is a contact whose impulse has grown, and whose two sides approached each other before the
 * step: a resting contact has about the same impulse in each step, and a stack that takes up its
 * load does not move. The growth, divided by the mass of the lighter body, is the change of its
 * speed. A body in a stack carries the load of those above it, so a hit must also be a good part of
 * the impulse of the step before. */
#include "effects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float least_hit = 0.6f;     // m/s
static const float least_growth = 0.6f;  // times the impulse of the step before
static const float least_slide = 0.4f;   // m/s
static const float least_power = 0.004f; // W for each kg that slides

void effects_open(demo_effects *effects) { *effects = (demo_effects){.is_fresh = true}; }

void effects_close(demo_effects *effects) {
    free(effects->contacts);
    free(effects->before);
    free(effects->now);
    free(effects->motions);
    free(effects->joints);
    *effects = (demo_effects){.is_fresh = true};
}

void effects_reset(demo_effects *effects) {
    effects->is_fresh = true;
    effects->count = 0;
}

void effects_clear(demo_effects *effects) { effects->count = 0; }

void effects_add(demo_effects *effects, const demo_effect *effect) {
    if (effects->count < EFFECTS_MAX) {
        effects->list[effects->count++] = *effect;
        return;
    }
    int weakest = 0;
    for (int i = 1; i < EFFECTS_MAX; i++)
        if (effects->list[i].power < effects->list[weakest].power) weakest = i;
    if (effects->list[weakest].power < effect->power) effects->list[weakest] = *effect;
}

// Worlds with more contacts are benchmarks, whose steps should not wait for an effect.
enum { MOST_CONTACTS = 8000 };

static bool is_large(const cn_world *world) {
    cn_counters c = cn_world_counters(world);
    return c.touching + c.sleeping_touching > MOST_CONTACTS;
}

// ---- the impulses of the step before

static effect_impulse *find_slot(effect_impulse *table, uint32_t slots, uint64_t a, uint64_t b) {
    uint64_t mixed = (a * 0x9E3779B97F4A7C15u) ^ (b * 0xC2B2AE3D27D4EB4Fu);
    uint32_t i = (uint32_t)(mixed >> 32) & (slots - 1);
    while (table[i].a && !(table[i].a == a && table[i].b == b)) i = (i + 1) & (slots - 1);
    return &table[i];
}

static float impulse_before(const demo_effects *e, uint64_t a, uint64_t b) {
    return e->slots ? find_slot(e->before, e->slots, a, b)->impulse : 0;
}

// Makes both tables more than twice as large as the number of contacts.
static bool reserve_slots(demo_effects *e, int contacts) {
    uint32_t slots = 64;
    while (slots < 2 * (uint32_t)contacts + 2) slots *= 2;
    if (slots <= e->slots) return true;
    effect_impulse *before = calloc(slots, sizeof *before), *now = calloc(slots, sizeof *now);
    if (!before || !now) {
        free(before), free(now);
        return false;
    }
    for (uint32_t i = 0; i < e->slots; i++)
        if (e->before[i].a)
            *find_slot(before, slots, e->before[i].a, e->before[i].b) = e->before[i];
    free(e->before), free(e->now);
    e->before = before, e->now = now, e->slots = slots;
    return true;
}

static bool read_contacts(demo_effects *e, const cn_world *world, int *count) {
    *count = cn_world_contacts(world, e->contacts, e->contact_capacity);
    if (*count <= e->contact_capacity) return true;
    void *grown = realloc(e->contacts, 2 * (size_t)*count * sizeof *e->contacts);
    if (!grown) return false;
    e->contacts = grown, e->contact_capacity = 2 * *count;
    *count = cn_world_contacts(world, e->contacts, e->contact_capacity);
    return true;
}

// ---- motions before the step

static int slot_of(cn_body body) { return (int)(body.id & 0xFFFFFF); }

static bool reserve_motions(demo_effects *e, int slot) {
    if (slot < e->motion_capacity) return true;
    int capacity = 2 * slot + 64;
    void *grown = realloc(e->motions, (size_t)capacity * sizeof *e->motions);
    if (!grown) return false;
    e->motions = grown, e->motion_capacity = capacity;
    return true;
}

static void keep_motions(demo_effects *e, const cn_world *world) {
    for (cn_body b = {0}; (b = cn_world_next_body(world, b)).id;) {
        if (!reserve_motions(e, slot_of(b))) return;
        e->motions[slot_of(b)] =
            (effect_motion){cn_body_velocity(world, b), cn_body_position(world, b),
                            cn_body_angular_velocity(world, b)};
    }
}

static vec2s velocity_before(const demo_effects *e, cn_body body, vec2s point) {
    if (slot_of(body) >= e->motion_capacity) return glms_vec2_zero();
    effect_motion m = e->motions[slot_of(body)];
    vec2s arm = glms_vec2_sub(point, m.position);
    return (vec2s){{m.velocity.x - m.spin * arm.y, m.velocity.y + m.spin * arm.x}};
}

// Returns how fast the two sides approached each other.
static float approach_speed(const demo_effects *e, const cn_contact *contact) {
    vec2s point = contact->manifold.points[0].point;
    vec2s past = glms_vec2_sub(velocity_before(e, contact->a.body, point),
                               velocity_before(e, contact->b.body, point));
    return glms_vec2_dot(past, contact->manifold.normal);
}

// ---- hits and slides

// Returns the mass of a body that can be moved, or infinity.
static float moved_mass(const cn_world *world, cn_body body) {
    return cn_body_type(world, body) == CN_DYNAMIC ? cn_body_mass(world, body) : INFINITY;
}

// Returns an effect of the contact's lighter body, as side a; of mass 0 if neither can be moved.
static demo_effect describe(const cn_world *world, const cn_contact *contact) {
    float a = moved_mass(world, contact->a.body), b = moved_mass(world, contact->b.body);
    const cn_side *side = a <= b ? &contact->a : &contact->b;
    demo_effect e = {.point = contact->manifold.points[0].point, .mass = fminf(a, b)};
    if (isinf(e.mass) || e.mass <= 0) return (demo_effect){.mass = 0};
    e.normal = a <= b ? glms_vec2_negate(contact->manifold.normal) : contact->manifold.normal;
    e.material = cn_shape_material(world, side->shape);
    e.density = cn_shape_density(world, side->shape);
    e.size = sqrtf(e.mass / fmaxf(e.density, 0.01f));
    return e;
}

static void add_hit(demo_effects *effects, const demo_effect *made, float speed) {
    demo_effect e = *made;
    e.kind = EFFECT_HIT;
    e.strength = speed;
    e.power = e.mass * e.strength * e.strength / 2;
    effects_add(effects, &e);
}

static void add_slide(demo_effects *effects, const cn_world *world, const cn_contact *contact,
                      const demo_effect *made, float friction, float dt) {
    demo_effect e = *made;
    vec2s along = {{contact->manifold.normal.y, -contact->manifold.normal.x}};
    vec2s past = glms_vec2_sub(cn_body_velocity_at(world, contact->b.body, e.point),
                               cn_body_velocity_at(world, contact->a.body, e.point));
    float speed = glms_vec2_dot(past, along) - contact->surface_speed;
    e.kind = EFFECT_SLIDE;
    e.strength = fabsf(speed);
    e.power = e.strength * friction / dt;
    if (e.strength < least_slide || e.power < least_power * e.mass) return;
    e.normal = glms_vec2_scale(along, speed > 0 ? 1.0f : -1.0f);
    effects_add(effects, &e);
}

static void compare(demo_effects *e, const cn_world *world, const cn_contact *contact, float dt) {
    float impulse = 0, friction = 0;
    for (int i = 0; i < contact->manifold.count; i++) {
        impulse += contact->manifold.points[i].normal_impulse;
        friction += fabsf(contact->manifold.points[i].tangent_impulse);
    }
    uint64_t a = contact->a.shape.id, b = contact->b.shape.id;
    *find_slot(e->now, e->slots, a, b) = (effect_impulse){a, b, impulse};
    float before = impulse_before(e, a, b), growth = impulse - before;
    bool grows = growth > least_growth * before;
    if (e->is_fresh || (!grows && friction == 0)) return;
    if (cn_body_asleep(world, contact->a.body) && cn_body_asleep(world, contact->b.body)) return;
    demo_effect made = describe(world, contact);
    if (made.mass <= 0) return;
    float speed = grows ? fminf(growth / made.mass, approach_speed(e, contact)) : 0;
    if (speed > least_hit) add_hit(e, &made, speed);
    if (friction > 0) add_slide(e, world, contact, &made, friction, dt);
}

// ---- joints that break

void effects_begin_step(demo_effects *e, const cn_world *world) {
    e->joint_count = 0;
    if (is_large(world)) return;
    keep_motions(e, world);
    for (cn_joint j = {0}; (j = cn_world_next_joint(world, j)).id;) {
        if (cn_joint_break_force(world, j) <= 0 && cn_joint_break_torque(world, j) <= 0) continue;
        if (e->joint_count == e->joint_capacity) {
            int capacity = 2 * e->joint_capacity + 16;
            void *grown = realloc(e->joints, (size_t)capacity * sizeof *e->joints);
            if (!grown) return;
            e->joints = grown, e->joint_capacity = capacity;
        }
        e->joints[e->joint_count++] = (effect_joint){j, cn_joint_anchor(world, j, CN_A)};
    }
}

static void add_broken(demo_effects *e, cn_world *world) {
    cn_events events = cn_world_events(world);
    for (int i = 0; i < events.broken_count; i++)
        for (int k = 0; k < e->joint_count; k++) {
            if (e->joints[k].joint.id != events.broken[i].joint.id) continue;
            effects_add(e, &(demo_effect){.kind = EFFECT_BREAK,
                                          .point = e->joints[k].anchor,
                                          .normal = {{0, 1}},
                                          .strength = events.broken[i].force,
                                          .power = events.broken[i].force,
                                          .mass = 1,
                                          .size = 0.5f});
        }
}

void effects_end_step(demo_effects *e, cn_world *world, float dt) {
    int count;
    if (is_large(world)) e->is_fresh = true;
    if (is_large(world) || !read_contacts(e, world, &count) || !reserve_slots(e, count)) return;
    memset(e->now, 0, e->slots * sizeof *e->now);
    for (int i = 0; i < count; i++) compare(e, world, &e->contacts[i], dt);
    if (e->joint_count > 0) add_broken(e, world);
    effect_impulse *kept = e->before;
    e->before = e->now, e->now = kept;
    e->is_fresh = false;
}
