/* The forces of the medium of a field on the part of a shape that is inside, and their derivatives
 * by velocity and position. field.c explains the matrices. */
#include "fields.h"

// Adds a force at a point r.
static void add_force(double sum[3], cn_vec2d r, cn_vec2d force) {
    sum[0] += force.x, sum[1] += force.y;
    sum[2] += cn_cross2d(r, force);
}

// Adds a term that resists the motion of a point r in all directions.
static void add_point(double *matrix, cn_vec2d r, double scale) {
    matrix[CN_XX] += scale, matrix[CN_YY] += scale;
    matrix[CN_XW] -= scale * r.y, matrix[CN_YW] += scale * r.x;
    matrix[CN_WW] += scale * cn_dot2d(r, r);
}

// The same for its motion along n.
static void add_direction(double *matrix, cn_vec2d r, cn_vec2d n, double scale) {
    double arm = cn_cross2d(r, n);
    matrix[CN_XX] += scale * n.x * n.x, matrix[CN_XY] += scale * n.x * n.y;
    matrix[CN_YY] += scale * n.y * n.y, matrix[CN_WW] += scale * arm * arm;
    matrix[CN_XW] += scale * n.x * arm, matrix[CN_YW] += scale * n.y * arm;
}

// ---- masses

// The weights of shapes are proportional to their masses; if all are massless, to their areas.
static double weight_of(const cn_medium_load *l, int shape, double area) {
    return l->by_area ? area : area * (double)l->sim->shapes[shape].density;
}

// Adds up the weights. Returns the centroid of all shapes except sensors, in the frame of the body.
static cn_vec2d weigh_shapes(cn_medium_load *l) {
    cn_vec2d first = {0, 0};
    l->weights = 0;
    CN_EACH_SHAPE(i, l->sim, l->body) {
        if (l->sim->shapes[i].flags & CN_SHAPE_SENSOR) continue;
        cn_hull outline = cn_outline_of(l->sim, i);
        cn_mass_data mass = cn_mass_of(&outline, 1);
        double weight = weight_of(l, i, (double)mass.mass);
        l->weights += weight;
        first = cn_add_scaled(first, weight, cn_widen(mass.center));
    }
    return l->weights > 0 ? cn_scale2d(1 / l->weights, first) : first;
}

// Finds the distribution of the mass. A body of one shape has no shift, unless the user set its
// mass.
static void distribute_mass(cn_medium_load *l) {
    const cn_simulation *sim = l->sim;
    const cn_body_hot *hot = &sim->hot[l->body];
    const cn_body_warm *warm = &sim->warm[l->body];
    bool own_mass = hot->flags & CN_BODY_USER_MASS;
    if (sim->shapes[warm->first_shape].next < 0 && !own_mass) return;
    cn_vec2d centroid = weigh_shapes(l);
    if (l->weights == 0) l->by_area = true, centroid = weigh_shapes(l);
    cn_rotation q = cn_combine(l->turn, (cn_rotation){hot->c, hot->s});
    l->shift = cn_rotate2d(q, cn_add_scaled(cn_widen(warm->center), -1, centroid));
}

void cn_begin_load(cn_medium_load *l, cn_simulation *sim, int body) {
    const cn_body_hot *hot = &sim->hot[body];
    *l = (cn_medium_load){.sim = sim, .body = body, .d = cn_half_motion(sim, body)};
    l->turn = cn_rotation_of_step(l->d[2]);
    l->center = (cn_vec2d){(double)(hot->x + l->d[0]), (double)(hot->y + l->d[1])};
    l->velocity = (cn_vec2d){(double)hot->vx, (double)hot->vy};
    l->w = (double)hot->w, l->dt = (double)sim->step_seconds;
    distribute_mass(l);
}

// ---- the part of a shape in a field

typedef struct {
    const cn_medium *medium;
    const cn_placed_field *field;
    cn_vec2d offset; // from the field's centre to the centre of mass
    cn_hulld hull;   // relative to the field's centre
    cn_submersion in;
    // Relative to the centre of mass.
    cn_vec2d centroid;
    cn_vec2d r;        // where forces on the mass of this part act
    double part;       // 0..1: of the shape's area
    double fraction;   // 0..1: the shape's, of the mass of the body
    double shape_mass; // kg
} submerged;

static bool submerge_shape(const cn_medium_load *l, int shape, submerged *s) {
    const cn_simulation *sim = l->sim;
    cn_placed_hull placed = sim->placed[shape];
    placed.pose.rotation = cn_combine(l->turn, placed.pose.rotation);
    vec2s offset = cn_rotate(l->turn, sim->links[shape].offset);
    s->offset = cn_add_scaled(l->center, -1, s->field->center);
    cn_set_hulld(&s->hull, &placed, sim->hulls.hulls8,
                 cn_add_scaled(s->offset, 1, cn_widen(offset)));
    const cn_circled around = {s->offset, (double)sim->warm[l->body].extent};
    cn_submerge(&s->in, &s->hull, around, &s->field->hull);
    s->centroid = cn_add_scaled(s->in.centroid, -1, s->offset);
    return s->in.area > 0;
}

// Returns the velocity of the field's body at a point relative to the centre of mass.
static cn_vec2d velocity_of_field(const cn_medium_load *l, const submerged *s, cn_vec2d r) {
    cn_vec2d arm = cn_add_scaled(cn_add_scaled(l->center, 1, r), -1, s->field->at);
    cn_vec2d v = s->field->velocity;
    return (cn_vec2d){v.x - s->field->w * arm.y, v.y + s->field->w * arm.x};
}

// ---- buoyancy

// Returns the greatest coordinate of a hull along a direction, a unit vector.
static double top_of(const cn_hulld *hull, cn_vec2d direction) {
    double top = -DBL_MAX;
    for (int i = 0; i < hull->count; i++)
        top = cn_max2d(top, cn_dot2d(hull->vertices[i], direction));
    return top + hull->radius;
}

// Returns how far the shape must rise along `up`, a unit vector, to leave the field: until it is
// above the highest point of the field or beyond one of its edges.
static double depth_of(const submerged *s, cn_vec2d up) {
    const cn_hulld *field = &s->field->hull;
    double depth = top_of(field, up) + top_of(&s->hull, cn_scale2d(-1, up)), least, greatest;
    for (int i = 0; i < field->count && field->count > 1; i++) {
        double rise = cn_dot2d(field->normals[i], up);
        if (rise <= 0) continue;
        cn_find_heights(&s->hull, field, i, &least, &greatest);
        depth = cn_min2d(depth, (field->radius - least) / rise);
    }
    return depth;
}

// Adds the stiffness that the waterline gives to the buoyancy. Returns its part along `up`.
static double add_waterline(cn_medium_load *l, const submerged *s) {
    double sum = 0;
    for (int i = 0; i < s->in.chord_count; i++) {
        const cn_chord *c = &s->in.chords[i];
        cn_vec2d along = cn_add_scaled(c->to, -1, c->from);
        double rise = cn_dot2d(c->normal, s->field->up), square = cn_dot2d(along, along);
        if (rise <= 0) continue;
        double rate = rise * s->field->weight * sqrt(square);
        cn_vec2d middle = cn_add_scaled(cn_add_scaled(c->from, 0.5, along), -1, s->offset);
        add_direction(l->stiffness, middle, c->normal, rate);
        l->stiffness[CN_WW] += rate * square / 12;
        sum += rate * rise * rise;
    }
    return sum;
}

// Adds the buoyancy. Its stiffness is at least that of a spring whose force is 0 where the shape
// has left the field.
static void add_buoyancy(cn_medium_load *l, const submerged *s) {
    if (s->field->weight == 0) return;
    cn_vec2d up = s->field->up;
    double buoyancy = s->field->weight * s->in.area;
    add_force(l->force, s->centroid, cn_scale2d(buoyancy, up));
    double least = buoyancy / depth_of(s, up) - add_waterline(l, s);
    if (least > 0) add_direction(l->stiffness, s->centroid, up, least);
}

// ---- drag

static void add_drag(cn_medium_load *l, const submerged *s) {
    double k = (double)s->medium->linear_drag * s->part;
    if (k == 0) return;
    cn_vec2d own = {l->velocity.x - l->w * s->r.y, l->velocity.y + l->w * s->r.x};
    cn_vec2d flow = cn_add_scaled(velocity_of_field(l, s, s->r), 1, cn_widen(s->medium->flow));
    add_force(l->drag_force, s->r, cn_scale2d(k * s->shape_mass, cn_add_scaled(flow, -1, own)));
    add_point(l->drag, s->r, k * s->shape_mass);
    l->rate += k * s->fraction;
}

static void add_angular_drag(cn_medium_load *l, const submerged *s) {
    double k = (double)s->medium->angular_drag * s->part;
    double inertia = s->fraction * (double)l->sim->warm[l->body].inertia;
    l->drag_force[2] += k * inertia * (s->field->w - l->w);
    l->angular_drag += k * inertia;
    l->angular_rate += k * s->fraction;
}

// ---- attraction

// Lists the attraction, which the solver applies in each substep (attract.c). Adds its force
// only because the drag acts at the same time.
static void add_attraction(cn_medium_load *l, const submerged *s) {
    double strength = (double)s->medium->attraction * s->part * s->shape_mass;
    if (strength == 0) return;
    cn_vec2d target = cn_add_scaled(s->field->centroid, -1, s->offset);
    cn_vec2d to = cn_add_scaled(target, -1, s->r), velocity = velocity_of_field(l, s, target);
    cn_vec2d relative = cn_add_scaled(velocity, -1, l->velocity);
    cn_attraction a = {.body = l->body,
                       .arm = cn_narrow(s->r),
                       .to = cn_narrow(cn_add_scaled(to, -l->dt / 2, relative)),
                       .velocity = cn_narrow(velocity),
                       .strength = strength,
                       .floor = s->medium->floor};
    cn_field_state *fields = cn_fields_of(l->sim);
    fields->attractions.items[fields->attractions.count++] = a;
    double distance = cn_max2d(sqrt(cn_dot2d(to, to)), (double)a.floor);
    double rate = strength / (distance * distance * distance);
    add_force(l->attraction, s->r, cn_scale2d(rate, to));
}

// ---- all forces

bool cn_add_medium(cn_medium_load *l, int shape, int field) {
    submerged s;
    s.medium = &cn_fields_of(l->sim)->list.items[field].medium;
    s.field = &cn_fields_of(l->sim)->placed.items[field];
    if (!submerge_shape(l, shape, &s)) return false;
    const cn_body_warm *warm = &l->sim->warm[l->body];
    s.part = s.in.area / s.in.whole;
    s.fraction = l->weights > 0 ? weight_of(l, shape, s.in.whole) / l->weights : 1;
    s.shape_mass = s.fraction * (double)warm->mass;
    s.r = cn_add_scaled(s.centroid, 1, l->shift);
    add_buoyancy(l, &s);
    add_drag(l, &s);
    add_angular_drag(l, &s);
    cn_vec2d acceleration = cn_widen(s.medium->acceleration);
    add_force(l->force, s.r, cn_scale2d(s.part * s.shape_mass, acceleration));
    add_attraction(l, &s);
    return true;
}
