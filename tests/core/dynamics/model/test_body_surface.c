/* Touching shapes of one body are one surface, whether the body is static, kinematic or dynamic.
 * Rafts of ten boxes carry riders of one shape as one long box does. */
#include "../../../support/floors.h"

enum { BOXES = 10 };

// ---- riders

typedef struct {
    cn_motion_type type;
    int which, substeps; // rider
    double unit, tilt;   // m; rad
    double speed;        // of the rider on the raft, units/s
    bool first;          // the rider's slot is before that of the raft
} trip;

// A weightless raft of ten boxes of one unit. Its deck is the line y = 0 of its frame.
static cn_body add_raft(cn_world *world, const trip *t) {
    cn_body_def def = {.type = t->type, .weightless = true, .angle = (float)t->tilt};
    if (t->type == CN_KINEMATIC) def.velocity = point(5 * t->unit, 0);
    cn_body raft = cn_body_create(world, &def);
    for (int i = 0; i < BOXES; i++) {
        cn_hull box = cn_box((float)(t->unit / 2), (float)(t->unit / 2));
        cn_pose place = cn_pose_at(point((i - 4.5) * t->unit, -t->unit / 2), 0);
        cn_shape_def shape = {
            .hull = cn_hull_at(box, place), .density = 1000, .material = frictionless};
        assert_done(cn_shape_create(world, raft, &shape).id != 0);
    }
    return raft;
}

static cn_hull scaled_mover(int which, double unit) {
    const cn_hull hull = mover(which);
    vec2s points[CN_MAX_VERTICES];
    for (int i = 0; i < hull.count; i++)
        points[i] = point(unit * (double)hull.vertices[i].x, unit * (double)hull.vertices[i].y);
    const float radius = (float)unit * hull.radius;
    return hull.count == 1   ? cn_circle(radius)
           : hull.count == 2 ? cn_capsule(points[0], points[1], radius)
                             : cn_polygon(points, hull.count, radius);
}

static cn_body add_rider(cn_world *world, const trip *t, cn_body raft) {
    cn_pose deck = cn_body_pose(world, raft);
    vec2s along = cn_pose_direction(deck, point(t->speed * t->unit, 0));
    cn_body_def def = {.position = cn_pose_point(deck, point(-4.5 * t->unit, 0.5 * t->unit)),
                       .angle = (float)t->tilt,
                       .velocity = glms_vec2_add(along, cn_body_velocity(world, raft))};
    return add(world, def,
               (cn_shape_def){.hull = scaled_mover(t->which, t->unit), .material = frictionless});
}

static cn_world *make_trip_world(const trip *t) {
    const double g = GRAVITY * t->unit;
    cn_world *world =
        cn_world_create(&(cn_world_def){.gravity = point(g * sin(t->tilt), -g * cos(t->tilt)),
                                        .length_unit = (float)t->unit,
                                        .substeps = t->substeps,
                                        .no_sleep = true});
    assert_done(world != NULL);
    return world;
}

// The rider neither hops by a millimetre nor loses a thousandth of its speed.
static void check_trip(const trip *t) {
    cn_world *world = make_trip_world(t);
    cn_body before = cn_body_create(world, &(cn_body_def){0}), raft = add_raft(world, t);
    if (t->first) assert_done(cn_body_destroy(world, before)); // the rider gets its slot
    cn_body rider = add_rider(world, t, raft);
    for (int i = 0; i < (int)(60 * 8.5 / t->speed); i++) {
        run(world, 1);
        cn_pose deck = cn_body_pose(world, raft);
        vec2s place = cn_pose_local_point(deck, cn_body_center(world, rider));
        vec2s moving = glms_vec2_sub(cn_body_velocity(world, rider), cn_body_velocity(world, raft));
        assert_near((double)place.y / t->unit, 0.5, 1e-3);
        assert_near((double)cn_pose_local_direction(deck, moving).x / t->unit, t->speed,
                    1e-3 * t->speed);
        assert_near((double)cn_body_angular_velocity(world, rider), 0, 0.01);
    }
    cn_world_destroy(world);
}

static void riders_slide_over_any_raft_as_over_static_ground(void **state) {
    (void)state;
    const cn_motion_type types[] = {CN_STATIC, CN_KINEMATIC, CN_DYNAMIC};
    for (int type = 0; type < 3; type++)
        for (int which = 0; which < MOVERS; which++)
            for (int substeps = 4; substeps <= 12; substeps += 4) {
                check_trip(&(trip){types[type], which, substeps, 1, 0, 10.5, false});
                check_trip(&(trip){types[type], which, substeps, 1, 0, 10.5, true});
                check_trip(&(trip){types[type], which, substeps, 1, -0.4, 7, true});
                check_trip(&(trip){types[type], which, substeps, 50, 2.5, 15, false});
            }
}

// ---- pieces against the whole

// Adds boxes of the given size in a row, or one box of their size.
static cn_body add_bar(cn_world *world, cn_body_def def, double half, double height, bool whole) {
    cn_body bar = cn_body_create(world, &def);
    assert_done(bar.id != 0);
    if (whole) add_tile(world, bar, 0, 0, half, height);
    for (int i = 0; !whole && i < BOXES; i++)
        add_tile(world, bar, (2 * i - 9) * half / BOXES, 0, half / BOXES, height);
    return bar;
}

// A box slides on a bar, which moves and turns. Returns where it is after a second. `first`: the
// box is created before the bar.
static motion slide_on_bar(cn_motion_type type, int substeps, bool first, bool whole) {
    cn_world *world = make_world(GRAVITY);
    assert_done(cn_world_set_substeps(world, substeps));
    cn_body_def lower = {.type = type, .velocity = point(2, 0), .weightless = true};
    cn_body_def upper = {.position = point(-8, 0.7), .velocity = point(8, 0.8)};
    lower.angular_velocity = upper.angular_velocity = -0.1f;
    cn_body rider = {0};
    if (first) rider = add_bar(world, upper, 2, 0.2, true);
    cn_body base = add_bar(world, lower, 20, 0.5, whole);
    assert_done(type != CN_DYNAMIC ||
                cn_body_set_mass_data(world, base, (cn_mass_data){1e4f, 1e6f, {{0, 0}}}));
    if (!first) rider = add_bar(world, upper, 2, 0.2, true);
    run(world, 60);
    const motion m = motion_of(world, rider);
    cn_world_destroy(world);
    return m;
}

static void a_box_slides_on_a_turning_bar_of_pieces_as_on_one_piece(void **state) {
    (void)state;
    for (int type = 1; type < 3; type++)
        for (int i = 0; i < 6; i++) {
            const cn_motion_type moving = type == 1 ? CN_KINEMATIC : CN_DYNAMIC;
            const int substeps = 4 + 4 * (i % 3);
            motion whole = slide_on_bar(moving, substeps, i < 3, true);
            motion pieces = slide_on_bar(moving, substeps, i < 3, false);
            assert_near(pieces.x, whole.x, 5e-3);
            assert_near(pieces.y, whole.y, 2e-3);
            assert_near(pieces.vx, whole.vx, 5e-3);
            assert_near(pieces.angle, whole.angle, 2e-3);
        }
}

// A bar and a box: how they lie, and which of them is created first.
typedef struct {
    cn_body_def defs[2]; // bar, box
    bool box_first;
} scene;

// Returns the separation of the deepest contact point of the two, and the normal there, out of the
// bar; 1e9 if they do not touch. The point is half way between them.
static double deepest_of(const scene *s, bool whole, vec2s *normal) {
    cn_world *world = make_world(0);
    if (s->box_first) add_bar(world, s->defs[1], 1.5, 0.3, true);
    cn_body bar = add_bar(world, s->defs[0], 2, 0.5, whole);
    if (!s->box_first) add_bar(world, s->defs[1], 1.5, 0.3, true);
    assert_done(cn_world_step(world, 1e-6f));
    cn_contact contacts[BOXES];
    int count = cn_world_contacts(world, contacts, BOXES);
    double deepest = 1e9;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < contacts[i].manifold.count; k++) {
            const cn_manifold *m = &contacts[i].manifold;
            if ((double)m->points[k].separation >= deepest) continue;
            deepest = (double)m->points[k].separation;
            *normal = contacts[i].a.body.id == bar.id ? m->normal : glms_vec2_negate(m->normal);
        }
    cn_world_destroy(world);
    return deepest;
}

static void a_box_touches_a_dynamic_bar_of_pieces_like_a_whole_bar(void **state) {
    (void)state;
    uint64_t seed = 5;
    int touching = 0, others = 0;
    for (int i = 0; i < 6000; i++) {
        scene s = {.box_first = i % 2};
        s.defs[0].angle = (float)random_between(&seed, -4, 4);
        s.defs[1].position = random_point_between(&seed, -3, 3);
        const double limit = i % 3 == 0 ? 0.1 : 4;
        s.defs[1].angle = s.defs[0].angle + (float)random_between(&seed, -limit, limit);
        vec2s n = {{0}}, m = {{0}};
        double whole = deepest_of(&s, true, &n), pieces = deepest_of(&s, false, &m);
        if (whole < -0.1 || fabs(whole - 0.02) < 1e-5) continue; // deep, or at the margin
        assert_true((whole < 1) == (pieces < 1));
        touching += whole < 1;
        double cosine = (double)n.x * (double)m.x + (double)n.y * (double)m.y;
        others += whole < 1 && (fabs(whole - pieces) > 1e-3 || cosine < 0.9998);
    }
    assert_in_range(touching, 150, 6000);
    assert_in_range(others, 0, touching / 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(riders_slide_over_any_raft_as_over_static_ground),
        cmocka_unit_test(a_box_slides_on_a_turning_bar_of_pieces_as_on_one_piece),
        cmocka_unit_test(a_box_touches_a_dynamic_bar_of_pieces_like_a_whole_bar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
