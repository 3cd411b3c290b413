/* Lite: the step. In the order of this file:
 *
 *      find contacts    pairs whose circles overlap, their manifolds, the impulses of the last step
 *      in each substep  forces, warm start, solve with bias, positions, relax without bias
 *      bounces          of points that hit something in this step
 *
 * Letters as in the engine's contact_rows.h: n is the normal from A to B, t = (ny, -nx) the
 * tangent, rn = cross(r, n) a lever arm, vn the speed along n. The idea is Box2D-Lite (E. Catto,
 * 2006): a whole engine that you can read in an evening. The solver is the soft step ("Solver2D",
 * E. Catto, 2024). */
#include "lite.h"

#include <math.h>
#include <string.h>

#define MARGIN  0.02f   // m: nearer hulls have a contact
#define TURNS   0.1875f // turns of a contact's spring in a substep, as in solver.c
#define DAMPING 10      // damping ratio of this spring
#define PUSH    3.0f    // m/s: the fastest that an overlap is pushed apart
#define BOUNCE  1.0f    // m/s: slower hits do not bounce

static float cross(vec2s a, vec2s b) { return a.x * b.y - a.y * b.x; }

// ---- bodies

cn_pose lite_pose(const lite_body *b) { return cn_pose_at(b->position, b->angle); }

int lite_add_body(lite_world *world, cn_hull hull, cn_pose pose, float density) {
    if (world->body_count == LITE_BODIES) return -1;
    lite_body *b = &world->bodies[world->body_count];
    *b = (lite_body){.position = pose.position, .hull = hull, .friction = 0.6f};
    b->angle = cn_rotation_angle(pose.rotation);
    for (int i = 0; i < hull.count; i++)
        b->extent = fmaxf(b->extent, glms_vec2_norm(hull.vertices[i]) + hull.radius);
    if (density > 0) {
        cn_mass_data mass = cn_hull_mass_data(hull, density);
        b->inverse_mass = 1 / mass.mass, b->inverse_inertia = 1 / mass.inertia;
    }
    return world->body_count++;
}

static bool is_static(const lite_body *b) { return b->inverse_mass == 0; }

// Body B gets the impulse l along n, and body A the opposite one.
static void push(lite_body *a, lite_body *b, vec2s n, const lite_row *row, float l) {
    a->v = glms_vec2_muladds(n, -l * a->inverse_mass, a->v);
    b->v = glms_vec2_muladds(n, l * b->inverse_mass, b->v);
    a->w -= l * a->inverse_inertia * row->rna;
    b->w += l * b->inverse_inertia * row->rnb;
}

// ---- find contacts

static float effective_mass(const lite_body *a, const lite_body *b, float rna, float rnb) {
    return 1 / (a->inverse_mass + b->inverse_mass + a->inverse_inertia * rna * rna +
                b->inverse_inertia * rnb * rnb);
}

static float row_speed(const lite_body *a, const lite_body *b, vec2s n, const lite_row *row) {
    return glms_vec2_dot(n, glms_vec2_sub(b->v, a->v)) + b->w * row->rnb - a->w * row->rna;
}

static void place_row(lite_row *row, const lite_body *a, const lite_body *b, vec2s place, vec2s n) {
    row->rna = cross(glms_vec2_sub(place, a->position), n);
    row->rnb = cross(glms_vec2_sub(place, b->position), n);
    row->mass = effective_mass(a, b, row->rna, row->rnb);
}

static vec2s tangent_of(vec2s n) { return (vec2s){{n.y, -n.x}}; }

// The impulses of the last step, if the same corners touched then: the warm start.
static void copy_impulses(lite_point *p, const lite_contact *old) {
    for (int i = 0; old && i < old->count; i++) {
        if (old->points[i].id != p->id) continue;
        p->normal.impulse = old->points[i].normal.impulse;
        p->tangent.impulse = old->points[i].tangent.impulse;
    }
}

static lite_contact make_contact(const lite_world *world, int ia, int ib, const cn_manifold *m,
                                 const lite_contact *old) {
    const lite_body *a = &world->bodies[ia], *b = &world->bodies[ib];
    lite_contact c = {.a = ia, .b = ib, .count = m->count, .n = m->normal};
    c.friction = sqrtf(a->friction * b->friction);
    c.restitution = fmaxf(a->restitution, b->restitution);
    for (int i = 0; i < m->count; i++) {
        lite_point *p = &c.points[i];
        *p = (lite_point){.id = m->points[i].id, .place = m->points[i].point};
        p->separation = m->points[i].separation;
        copy_impulses(p, old);
        place_row(&p->normal, a, b, p->place, c.n);
        place_row(&p->tangent, a, b, p->place, tangent_of(c.n));
        p->approach = row_speed(a, b, c.n, &p->normal);
    }
    return c;
}

// The gap at which a contact is made: one that might close within the step.
static float find_margin(const lite_body *a, const lite_body *b, float dt) {
    return fmaxf(MARGIN, dt * glms_vec2_norm(glms_vec2_sub(b->v, a->v)));
}

static bool may_touch(const lite_world *world, int ia, int ib, float margin) {
    const lite_body *a = &world->bodies[ia], *b = &world->bodies[ib];
    if (is_static(a) && is_static(b)) return false;
    for (int i = 0; i < world->hinge_count; i++)
        if (world->hinges[i].a == ia && world->hinges[i].b == ib) return false;
    return glms_vec2_distance(a->position, b->position) < a->extent + b->extent + margin;
}

static const lite_contact *find_contact(const lite_contact *contacts, int count, int a, int b) {
    for (int i = 0; i < count; i++)
        if (contacts[i].a == a && contacts[i].b == b) return &contacts[i];
    return NULL;
}

static void find_contacts(lite_world *world, float dt) {
    lite_contact old[LITE_CONTACTS];
    int old_count = world->contact_count;
    memcpy(old, world->contacts, sizeof old);
    world->contact_count = 0;
    for (int i = 0; i < world->body_count; i++)
        for (int k = i + 1; k < world->body_count; k++) {
            const lite_body *a = &world->bodies[i], *b = &world->bodies[k];
            float margin = find_margin(a, b, dt);
            if (world->contact_count == LITE_CONTACTS || !may_touch(world, i, k, margin)) continue;
            cn_manifold m = cn_hull_collide(&a->hull, lite_pose(a), &b->hull, lite_pose(b), margin);
            if (m.count == 0) continue;
            const lite_contact *before = find_contact(old, old_count, i, k);
            world->contacts[world->contact_count++] = make_contact(world, i, k, &m, before);
        }
}

// ---- rows of contacts

// A spring that is solved implicitly: see make_softness() in the engine's solver.c.
typedef struct {
    float inverse_h, bias_rate; // 1/s
    float impulse_scale;        // fraction of the impulse that leaks in a solve
} lite_softness;

static lite_softness make_softness(float h) {
    float omega = 2 * 3.14159265f * TURNS, a2 = omega * (omega + 2 * DAMPING), a3 = 1 / (1 + a2);
    return (lite_softness){1 / h, omega * omega * a3 / h, a3};
}

static float separation_now(const lite_body *a, const lite_body *b, vec2s n, const lite_point *p) {
    return p->separation + glms_vec2_dot(n, glms_vec2_sub(b->moved, a->moved)) +
           b->turned * p->normal.rnb - a->turned * p->normal.rna;
}

// A gap may close within the substep. An overlap is a soft spring with bias, and is left alone
// without. Returns the change of the speed.
static float solve_normal(lite_body *a, lite_body *b, vec2s n, lite_point *p,
                          const lite_softness *soft, bool biased) {
    lite_row *row = &p->normal;
    float s = separation_now(a, b, n, p), bias = s * soft->inverse_h, scale = 1;
    if (s <= 0 && biased) bias = fmaxf(s * soft->bias_rate, -PUSH), scale -= soft->impulse_scale;
    if (s <= 0 && !biased) bias = 0;
    float old = row->impulse, free = old - row->mass * row_speed(a, b, n, row);
    row->impulse = fmaxf(scale * free - row->mass * bias, 0);
    push(a, b, n, row, row->impulse - old);
    return fabsf(row->impulse - old) / row->mass;
}

// Friction stays within the cone: at most `limit`, either way.
static void solve_friction(lite_body *a, lite_body *b, vec2s t, lite_row *row, float limit) {
    float old = row->impulse, wanted = old - row->mass * row_speed(a, b, t, row);
    row->impulse = fmaxf(-limit, fminf(wanted, limit));
    push(a, b, t, row, row->impulse - old);
}

static float solve_contact(lite_world *world, lite_contact *c, const lite_softness *soft,
                           bool biased) {
    lite_body *a = &world->bodies[c->a], *b = &world->bodies[c->b];
    float change = 0;
    for (int i = 0; i < c->count; i++)
        change = fmaxf(change, solve_normal(a, b, c->n, &c->points[i], soft, biased));
    for (int i = 0; i < c->count; i++)
        solve_friction(a, b, tangent_of(c->n), &c->points[i].tangent,
                       c->friction * c->points[i].normal.impulse);
    return change;
}

// A point that hit something faster than BOUNCE leaves it with e times its speed. This is no part
// of the warm start.
static void bounce(lite_world *world, lite_contact *c) {
    lite_body *a = &world->bodies[c->a], *b = &world->bodies[c->b];
    for (int i = 0; i < c->count; i++) {
        lite_point *p = &c->points[i];
        if (c->restitution == 0 || p->approach > -BOUNCE || p->along == 0) continue;
        float missing = -c->restitution * p->approach - row_speed(a, b, c->n, &p->normal);
        float l = fmaxf(p->normal.mass * missing, 0);
        push(a, b, c->n, &p->normal, l);
        p->along += l;
    }
}

// ---- hinges

int lite_add_hinge(lite_world *world, int a, int b, vec2s point) {
    if (world->hinge_count == LITE_HINGES) return -1;
    lite_hinge *hinge = &world->hinges[world->hinge_count];
    *hinge = (lite_hinge){.a = a < b ? a : b, .b = a < b ? b : a};
    cn_pose frame_a = lite_pose(&world->bodies[hinge->a]),
            frame_b = lite_pose(&world->bodies[hinge->b]);
    hinge->anchor_a = cn_pose_local_point(frame_a, point);
    hinge->anchor_b = cn_pose_local_point(frame_b, point);
    return world->hinge_count++;
}

// Two rows at once, x and y: the inverse of the 2x2 matrix takes the place of 1 / mass.
static void place_hinge(const lite_world *world, lite_hinge *hinge) {
    const lite_body *a = &world->bodies[hinge->a], *b = &world->bodies[hinge->b];
    vec2s pa = cn_pose_point(lite_pose(a), hinge->anchor_a);
    vec2s pb = cn_pose_point(lite_pose(b), hinge->anchor_b);
    vec2s ra = glms_vec2_sub(pa, a->position), rb = glms_vec2_sub(pb, b->position);
    float m = a->inverse_mass + b->inverse_mass, ia = a->inverse_inertia, ib = b->inverse_inertia;
    float xx = m + ia * ra.y * ra.y + ib * rb.y * rb.y,
          yy = m + ia * ra.x * ra.x + ib * rb.x * rb.x;
    float xy = -ia * ra.x * ra.y - ib * rb.x * rb.y, inverse = 1 / (xx * yy - xy * xy);
    hinge->ra = ra, hinge->rb = rb, hinge->gap = glms_vec2_sub(pb, pa);
    hinge->mass[0] = yy * inverse, hinge->mass[1] = -xy * inverse, hinge->mass[2] = xx * inverse;
}

static void push_hinge(lite_body *a, lite_body *b, const lite_hinge *hinge, vec2s p) {
    a->v = glms_vec2_muladds(p, -a->inverse_mass, a->v);
    b->v = glms_vec2_muladds(p, b->inverse_mass, b->v);
    a->w -= a->inverse_inertia * cross(hinge->ra, p);
    b->w += b->inverse_inertia * cross(hinge->rb, p);
}

// How the gap of two anchors changes if the bodies move by v and turn by w.
static vec2s gap_change(const lite_hinge *hinge, vec2s va, float wa, vec2s vb, float wb) {
    vec2s v = glms_vec2_sub(vb, va);
    return (vec2s){
        {v.x - wb * hinge->rb.y + wa * hinge->ra.y, v.y + wb * hinge->rb.x - wa * hinge->ra.x}};
}

static void solve_hinge(lite_world *world, lite_hinge *hinge, const lite_softness *soft,
                        bool biased) {
    lite_body *a = &world->bodies[hinge->a], *b = &world->bodies[hinge->b];
    float leak = biased ? soft->impulse_scale : 0, rate = biased ? soft->bias_rate : 0;
    vec2s moved = gap_change(hinge, a->moved, a->turned, b->moved, b->turned);
    vec2s v = glms_vec2_scale(gap_change(hinge, a->v, a->w, b->v, b->w), 1 - leak);
    v = glms_vec2_muladds(hinge->gap, rate, glms_vec2_muladds(moved, rate, v));
    const float *m = hinge->mass;
    vec2s p = {{-m[0] * v.x - m[1] * v.y, -m[1] * v.x - m[2] * v.y}};
    p = glms_vec2_muladds(hinge->impulse, -leak, p);
    hinge->impulse.x += p.x, hinge->impulse.y += p.y;
    push_hinge(a, b, hinge, p);
}

// ---- the step

static void add_impulses(lite_contact *c) {
    for (int i = 0; i < c->count; i++) {
        c->points[i].along += c->points[i].normal.impulse;
        c->points[i].across += c->points[i].tangent.impulse;
    }
}

static void begin_step(lite_world *world, float dt) {
    for (int i = 0; i < world->body_count; i++)
        world->bodies[i].moved = (vec2s){{0, 0}}, world->bodies[i].turned = 0;
    find_contacts(world, dt);
    for (int i = 0; i < world->hinge_count; i++) place_hinge(world, &world->hinges[i]);
}

static void integrate_velocities(lite_world *world, float h) {
    for (int i = 0; i < world->body_count; i++)
        if (!is_static(&world->bodies[i]))
            world->bodies[i].v = glms_vec2_muladds(world->gravity, h, world->bodies[i].v);
}

// Begins with the impulses of the last substep, because loads hardly change.
static void warm_start(lite_world *world) {
    for (int i = 0; i < world->contact_count; i++) {
        lite_contact *c = &world->contacts[i];
        for (int k = 0; k < c->count; k++) {
            lite_point *p = &c->points[k];
            if (world->cold) p->normal.impulse = p->tangent.impulse = 0;
            lite_body *a = &world->bodies[c->a], *b = &world->bodies[c->b];
            push(a, b, c->n, &p->normal, p->normal.impulse);
            push(a, b, tangent_of(c->n), &p->tangent, p->tangent.impulse);
        }
    }
    for (int i = 0; i < world->hinge_count; i++) {
        lite_hinge *hinge = &world->hinges[i];
        if (world->cold) hinge->impulse = (vec2s){{0, 0}};
        push_hinge(&world->bodies[hinge->a], &world->bodies[hinge->b], hinge, hinge->impulse);
    }
}

// Sweeps over all rows. Each row sees what the rows before it did.
static void solve(lite_world *world, float h, bool biased) {
    lite_softness soft = make_softness(h);
    for (int sweep = 0; sweep < world->sweeps; sweep++) {
        float change = 0;
        for (int i = 0; i < world->hinge_count; i++)
            solve_hinge(world, &world->hinges[i], &soft, biased);
        for (int i = 0; i < world->contact_count; i++)
            change = fmaxf(change, solve_contact(world, &world->contacts[i], &soft, biased));
        if (biased && sweep < LITE_SWEEPS) world->residuals[sweep] = change;
    }
}

static void integrate_positions(lite_world *world, float h) {
    for (int i = 0; i < world->body_count; i++) {
        lite_body *b = &world->bodies[i];
        b->moved = glms_vec2_muladds(b->v, h, b->moved), b->turned += h * b->w;
        b->position = glms_vec2_muladds(b->v, h, b->position), b->angle += h * b->w;
    }
}

void lite_step(lite_world *world, float dt) {
    float h = dt / (float)world->substeps;
    begin_step(world, dt);
    for (int i = 0; i < world->substeps; i++) {
        integrate_velocities(world, h);
        warm_start(world);
        solve(world, h, true);
        integrate_positions(world, h);
        if (!world->no_relax) solve(world, h, false);
        for (int k = 0; k < world->contact_count; k++) add_impulses(&world->contacts[k]);
    }
    for (int i = 0; i < world->contact_count; i++) bounce(world, &world->contacts[i]);
}
