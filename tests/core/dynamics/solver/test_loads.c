/* Loads of joints and contacts: the impulses of a whole step, at any number of substeps. */
#include "../../../support/joints.h"

static const int substep_counts[] = {4, 8, 12};
enum { COUNTS = 3 };

static cn_world *make_world_with(int substeps, double gravity, double unit) {
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, (float)(-gravity * unit)}},
                                                      .substeps = substeps,
                                                      .length_unit = (float)unit,
                                                      .no_sleep = true});
    assert_done(world != NULL);
    return world;
}

// A body of a given mass that raises hit events.
static cn_body add_mass(cn_world *world, vec2s at, cn_hull hull, double mass, double restitution) {
    cn_shape_def shape = {
        .hull = hull, .material.restitution = (float)restitution, .hit_events = true};
    cn_body body = add(world, (cn_body_def){.position = at}, shape);
    float density = (float)(mass / mass_of(world, body));
    assert_done(cn_shape_set_density(world, first_shape(world, body), density));
    return body;
}

// ---- impacts

typedef cn_joint_def make_joint(const cn_world *world, cn_body a, cn_body b, vec2s at);

static cn_joint_def slide_to_stop(const cn_world *world, cn_body a, cn_body b, vec2s at) {
    cn_joint_def def = cn_prismatic_joint(world, a, b, at, point(1, 0));
    def.x = (cn_coordinate){.mode = CN_LIMITED, .lower = 0, .upper = 1};
    return def;
}

static cn_joint_def hold_by_motors(const cn_world *world, cn_body a, cn_body b, vec2s at) {
    (void)at;
    return cn_motor_joint(world, a, b, 0, 0);
}

// A ball flies at a plate of 1 x 1 that a joint holds. Lengths and speeds are in length units.
typedef struct {
    double mass, speed, restitution, unit;
    make_joint *hold;
} impact;

static const impact impacts[] = {{3.4, 13, 0, 1, cn_weld_joint},
                                 {3.4, 13, 0.5, 1, cn_weld_joint},
                                 {0.1, 90, 0, 1, slide_to_stop},
                                 {40, 5, 0, 30, cn_revolute_joint},
                                 {2, 20, 0.8, 0.1, hold_by_motors}};
enum { PHASES = 100, IMPACTS = sizeof impacts / sizeof *impacts };

static double impulse_of(const impact *b) {
    return b->mass * b->speed * b->unit * (1 + b->restitution);
}

// Makes the world. The ball is `phase` hundredths of a step farther away.
static cn_world *make_impact(const impact *b, int substeps, int phase, cn_joint *joint,
                             double limit) {
    cn_world *world = make_world_with(substeps, 0, b->unit);
    const double u = b->unit, way = 0.6 + phase * b->speed * (double)STEP / PHASES;
    cn_body plate = add_mass(world, point(u, 0), cn_box((float)u / 2, (float)u / 2), 2, 0);
    cn_joint_def def = b->hold(world, add_anchor(world, 0, 0), plate, point(0.3 * u, 0));
    def.break_force = (float)(limit * impulse_of(b) / (double)STEP);
    *joint = join(world, def);
    cn_body ball = add_mass(world, point((1.7 + way) * u, 0), cn_circle(0.2f * (float)u), b->mass,
                            b->restitution);
    assert_done(cn_body_set_velocity(world, ball, point(-b->speed * u, 0)));
    return world;
}

static int count_breaks(const impact *b, int substeps, double limit) {
    int breaks = 0;
    for (int phase = 0; phase < PHASES; phase++) {
        cn_joint joint;
        cn_world *world = make_impact(b, substeps, phase, &joint, limit);
        run(world, 20);
        breaks += !cn_joint_valid(world, joint);
        cn_world_destroy(world);
    }
    return breaks;
}

static void an_impact_breaks_a_joint_at_any_number_of_substeps(void **state) {
    (void)state;
    for (int i = 0; i < IMPACTS * COUNTS; i++) {
        const impact *b = &impacts[i / COUNTS];
        int substeps = substep_counts[i % COUNTS];
        assert_int_equal(count_breaks(b, substeps, 0.5), PHASES);
        assert_int_equal(count_breaks(b, substeps, 2), 0);
    }
}

// The load of the joint changes the momentum of both bodies, the hit that of the ball. The joint
// passes the impact on in about one substep: its peak is as many times the mean as there are
// substeps.
static void check_impact(const impact *b, int substeps, int phase) {
    cn_joint joint;
    cn_world *world = make_impact(b, substeps, phase, &joint, 0);
    cn_body plate = cn_joint_bodies(world, joint).b, ball = cn_world_next_body(world, plate);
    ball = cn_world_next_body(world, ball); // after the static body
    double j = impulse_of(b), peak = 0, hits = 0;
    for (int k = 0; k < 20; k++) {
        double slow = 2 * motion_of(world, plate).vx, fast = b->mass * motion_of(world, ball).vx;
        run(world, 1);
        slow = 2 * motion_of(world, plate).vx - slow;
        fast = b->mass * motion_of(world, ball).vx - fast;
        cn_events events = cn_world_events(world);
        double load = (double)cn_joint_force(world, joint).x * (double)STEP;
        assert_near(load / j, (slow + fast) / j, 1e-3);
        if (events.hit_count) assert_near((double)events.hits[0].impulse / j, fast / j, 0.01);
        hits += events.hit_count;
        peak = fmax(peak, (double)cn_joint_peak_force(world, joint) * (double)STEP);
    }
    assert_true(hits > 0);
    assert_true(peak / j > 0.5 * substeps && peak / j < 1.2 * substeps);
    cn_world_destroy(world);
}

static void an_impact_has_its_impulse_and_a_peak(void **state) {
    (void)state;
    for (int i = 0; i < IMPACTS * COUNTS; i++)
        for (int phase = 0; phase < PHASES; phase += 7)
            check_impact(&impacts[i / COUNTS], substep_counts[i % COUNTS], phase);
}

// ---- ropes that become taut

// A disc flies away from another body until the rope between them is taut. The impulse is
// m v, with m the mass of the disc or the reduced mass of both. Returns in how many of 60 phases
// the rope breaks.
static int count_jerks(int substeps, bool is_held, double speed, double limit) {
    enum { JERKS = 60 };
    const double mass = is_held ? 3 : 3 * 5 / (3 + 5.0);
    int breaks = 0;
    for (int phase = 0; phase < JERKS; phase++) {
        cn_world *world = make_world_with(substeps, 0, 1);
        cn_body disc = add_disc(world, 1, 0, 3),
                a = is_held ? add_anchor(world, 0, 0) : add_disc(world, 0, 0, 5);
        cn_joint_def def = cn_rope_joint(world, a, disc, point(0, 0), point(1, 0));
        def.x.upper = (float)(2 + phase * speed * (double)STEP / JERKS);
        def.break_force = (float)(limit * mass * speed / (double)STEP);
        cn_joint rope = join(world, def);
        assert_done(cn_body_set_velocity(world, disc, point(speed, 0)));
        run(world, 60);
        breaks += !cn_joint_valid(world, rope);
        cn_world_destroy(world);
    }
    return breaks;
}

static void a_rope_that_becomes_taut_breaks_at_any_number_of_substeps(void **state) {
    (void)state;
    for (int i = 0; i < 2 * COUNTS; i++) {
        int substeps = substep_counts[i % COUNTS];
        assert_int_equal(count_jerks(substeps, i < COUNTS, 8, 0.95), 60);
        assert_int_equal(count_jerks(substeps, i < COUNTS, 8, 1.05), 0);
        assert_int_equal(count_jerks(substeps, i < COUNTS, 3, 0.95), 60);
        assert_int_equal(count_jerks(substeps, i < COUNTS, 3, 1.05), 0);
    }
}

// ---- loads and momenta

static cn_joint_def spring_slider(const cn_world *world, cn_body a, cn_body b, vec2s at) {
    cn_joint_def def = cn_prismatic_joint(world, a, b, at, point(1, 1));
    def.x.hertz = 3, def.x.damping_ratio = 0.1f;
    def.x.motor = true, def.x.max_motor_force = 4;
    return def;
}

static cn_joint_def bar_to_middle(const cn_world *world, cn_body a, cn_body b, vec2s at) {
    return cn_distance_joint(world, a, b, at, cn_body_center(world, b));
}

// A grid of discs of 1 kg whose neighbours are joined. The corners at the top are joined to static
// bodies: one corner of a row, both of a wide grid.
typedef struct {
    int width, height;
    bool closed; // the row is held at both ends
    make_joint *make;
} grid;

static const grid grids[] = {
    {5, 1, false, cn_revolute_joint}, {5, 1, false, cn_weld_joint},    {3, 1, false, spring_slider},
    {4, 1, false, bar_to_middle},     {6, 1, true, cn_revolute_joint}, {2, 2, true, cn_weld_joint},
    {6, 6, true, cn_revolute_joint},  {5, 5, true, cn_weld_joint},
};
enum { GRIDS = sizeof grids / sizeof *grids, MAX_ANCHORS = 2 };

typedef struct {
    cn_world *world;
    cn_body bodies[64];
    int body_count, anchor_count;
    cn_joint anchors[MAX_ANCHORS]; // joints to static bodies
} net;

static void hang(net *n, const grid *g, int body, double x) {
    cn_body to = n->bodies[body];
    n->anchors[n->anchor_count++] =
        join(n->world, g->make(n->world, add_anchor(n->world, x, 0), to, point(x, 0)));
}

static net make_net(const grid *g, int substeps) {
    net n = {.world = make_world_with(substeps, 10, 1)};
    for (int i = 0; i < g->width * g->height; i++) {
        int x = i % g->width, y = i / g->width;
        cn_body body = n.bodies[n.body_count++] = add_disc(n.world, x, -y, 1);
        vec2s left = point(x - 0.5, -y), above = point(x, 0.5 - y);
        if (x > 0) join(n.world, g->make(n.world, n.bodies[i - 1], body, left));
        if (y > 0) join(n.world, g->make(n.world, n.bodies[i - g->width], body, above));
    }
    hang(&n, g, 0, -0.5);
    if (g->closed) hang(&n, g, g->width - 1, g->width - 0.5);
    return n;
}

static vec2s momentum_of(const net *n) {
    vec2s sum = point(0, 0);
    for (int i = 0; i < n->body_count; i++)
        sum = glms_vec2_muladds(cn_body_velocity(n->world, n->bodies[i]),
                                cn_body_mass(n->world, n->bodies[i]), sum);
    return sum;
}

// In each step, the loads of the joints to the static world and the weight change the momentum.
static void check_momentum(const grid *g, int substeps) {
    net n = make_net(g, substeps);
    double weight = 10.0 * n.body_count;
    for (int i = 0; i < 90; i++) {
        vec2s before = momentum_of(&n);
        run(n.world, 1);
        vec2s after = momentum_of(&n), load = point(0, 0);
        for (int k = 0; k < n.anchor_count; k++) {
            vec2s force = cn_joint_force(n.world, n.anchors[k]);
            load = glms_vec2_add(load, force);
            assert_true((double)cn_joint_peak_force(n.world, n.anchors[k]) * 1.0001 >=
                        (double)glms_vec2_norm(force));
        }
        double tolerance = 1e-3 * (weight + (double)glms_vec2_norm(load));
        assert_near((double)load.x, (double)(after.x - before.x) / (double)STEP, tolerance);
        assert_near((double)load.y - weight, (double)(after.y - before.y) / (double)STEP,
                    tolerance);
    }
    cn_world_destroy(n.world);
}

static void loads_change_the_momentum(void **state) {
    (void)state;
    for (int i = 0; i < GRIDS * COUNTS; i++)
        check_momentum(&grids[i / COUNTS], substep_counts[i % COUNTS]);
}

static void a_hanging_chain_bears_its_weight(void **state) {
    (void)state;
    for (int i = 0; i < COUNTS; i++) {
        enum { LINKS = 10 };
        cn_world *world = make_world_with(substep_counts[i], 10, 1);
        cn_body last = add_anchor(world, 0, 0);
        cn_joint joints[LINKS];
        for (int k = 0; k < LINKS; k++) {
            cn_body link = add_disc(world, 0, -k - 0.5, 1 + k);
            joints[k] = join(world, cn_revolute_joint(world, last, link, point(0, -k)));
            last = link;
        }
        run(world, 30);
        for (int k = 0, mass = 55; k < LINKS; mass -= ++k) {
            double force = (double)cn_joint_force(world, joints[k]).y;
            assert_near(force / (10 * mass), 1, 1e-3);
            assert_near((double)cn_joint_peak_force(world, joints[k]) / force, 1, 1e-3);
        }
        cn_world_destroy(world);
    }
}

// The torque of a weld about its anchor holds the moment of the weight.
static void a_bracket_bears_the_moment_of_its_weight(void **state) {
    (void)state;
    for (int i = 0; i < COUNTS; i++) {
        cn_world *world = make_world_with(substep_counts[i], 10, 1);
        cn_body beam = add_disc(world, 1.5, 0, 2);
        cn_joint weld =
            join(world, cn_weld_joint(world, add_anchor(world, 0, 0), beam, point(0, 0)));
        run(world, 60);
        assert_near((double)cn_joint_torque(world, weld), 30, 0.03);
        assert_near((double)cn_joint_peak_torque(world, weld), 30, 0.03);
        cn_world_destroy(world);
    }
}

// Ties the centre of a body to a net of 100 hinges and more, which are iterated. With 12 substeps
// the island then has 24.
static void tie_to_net(cn_world *world, cn_body body) {
    enum { SIZE = 9 };
    cn_body discs[SIZE * SIZE];
    for (int i = 0; i < SIZE * SIZE; i++) {
        int x = i % SIZE, y = i / SIZE;
        discs[i] = add_disc(world, x, -3 - y, 1);
        if (x > 0)
            join(world, cn_revolute_joint(world, discs[i - 1], discs[i], point(x - 0.5, -3 - y)));
        if (y > 0)
            join(world, cn_revolute_joint(world, discs[i - SIZE], discs[i], point(x, -2.5 - y)));
    }
    join(world, cn_revolute_joint(world, add_anchor(world, 0, -3), discs[0], point(0, -3)));
    vec2s center = cn_body_center(world, body);
    join(world, cn_spring_joint(world, discs[0], body, point(0, -3), center));
}

// The torque of two gears counts for the joint that owns the coupling: it turns its wheel.
static void the_load_of_a_gear_turns_its_wheel(void **state) {
    (void)state;
    for (int i = 0; i < 4 * COUNTS; i++) {
        cn_world *world = make_world_with(substep_counts[i / 4], 10, 1);
        cn_body wheels[2];
        cn_joint axles[2];
        for (int k = 0; k < 2; k++) {
            wheels[k] = add_disc(world, 3 * k, 0, 1);
            axles[k] = join(world, cn_revolute_joint(world, add_anchor(world, 3 * k, 0), wheels[k],
                                                     point(3 * k, 0)));
        }
        cn_coupling gears = {axles[1], CN_JOINT_ANGLE, CN_JOINT_ANGLE, 2, false};
        assert_done(cn_joint_set_coupling(world, axles[0], gears));
        assert_done(cn_body_set_angular_velocity(world, wheels[0], 4));
        if (i % 4 > 1) tie_to_net(world, wheels[0]);
        run(world, i % 2);
        double before = motion_of(world, wheels[0]).w;
        assert_done(cn_body_apply_torque(world, wheels[1], 2));
        run(world, 1);
        double torque = inertia_of(world, wheels[0]) * (motion_of(world, wheels[0]).w - before);
        assert_near((double)cn_joint_torque(world, axles[0]), torque / (double)STEP, 1e-3);
        if (i % 4 < 2) assert_near((double)cn_joint_force(world, axles[0]).y, 10, 0.01);
        cn_world_destroy(world);
    }
}

// ---- contacts

static double contact_impulse(const cn_world *world, cn_body body) {
    cn_contact contacts[4];
    int count = cn_body_contacts(world, body, contacts, 4);
    double sum = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < contacts[i].manifold.count; k++)
            sum += (double)contacts[i].manifold.points[k].normal_impulse;
    return sum;
}

static void contacts_bear_the_weight(void **state) {
    (void)state;
    const float steps[] = {1.0f / 60, 1.0f / 144, 1.0f / 30};
    for (int i = 0; i < 3 * COUNTS; i++) {
        cn_world *world = make_world_with(substep_counts[i % COUNTS], 10, 1);
        add_floor(world, (cn_material){0});
        cn_body box = add_mass(world, point(0, 0.5), cn_box(0.5f, 0.5f), 7, 0),
                ball = add_mass(world, point(0, 1.3), cn_circle(0.3f), 2, 0);
        for (int k = 0; k < 60; k++) assert_done(cn_world_step(world, steps[i / COUNTS]));
        double weight = 10 * (double)steps[i / COUNTS];
        assert_near(contact_impulse(world, ball) / (2 * weight), 1, 1e-3);
        assert_near(contact_impulse(world, box) / ((9 + 2) * weight), 1, 1e-3);
        assert_done(cn_world_step(world, 0)); // solves nothing
        assert_near(contact_impulse(world, ball) / (2 * weight), 1, 1e-3);
        cn_world_destroy(world);
    }
}

// The impulse of a hit event is the change of the momentum of the body in that step, apart from its
// weight. So is that of the contact.
static void check_hits(int substeps, double restitution, double unit, cn_hull hull) {
    for (int phase = 0; phase < 20; phase++) {
        cn_world *world = make_world_with(substeps, 10, unit);
        add_floor(world, (cn_material){0});
        cn_body body = add_mass(world, point(0, unit * (2 + 0.017 * phase)), hull, 3, restitution);
        int hits = 0;
        for (int i = 0; i < 60; i++) {
            double before = motion_of(world, body).vy;
            run(world, 1);
            cn_events events = cn_world_events(world);
            if (!events.hit_count) continue;
            double weight = 10 * unit * (double)STEP;
            double change = 3 * (motion_of(world, body).vy - before + weight);
            assert_near((double)events.hits[0].impulse / change, 1, 0.01);
            assert_near(contact_impulse(world, body) / change, 1, 0.01);
            hits++;
        }
        assert_true(hits > 0);
        cn_world_destroy(world);
    }
}

static void hits_have_the_impulse_that_stops_the_body(void **state) {
    (void)state;
    const double restitutions[] = {0, 0.5, 1};
    for (int i = 0; i < 3 * COUNTS; i++) {
        int substeps = substep_counts[i % COUNTS];
        check_hits(substeps, restitutions[i / COUNTS], 1, cn_circle(0.4f));
        check_hits(substeps, restitutions[i / COUNTS], 1, cn_box(0.5f, 0.3f));
        check_hits(substeps, restitutions[i / COUNTS], 20, cn_regular_polygon(5, 9));
    }
}

// ---- when nothing is solved

static void a_step_without_time_keeps_the_loads(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body disc = add_disc(world, 0, -1, 3);
    cn_joint joint =
        join(world, cn_revolute_joint(world, add_anchor(world, 0, 0), disc, point(0, 0)));
    run(world, 10);
    for (int i = 0; i < 3; i++) {
        assert_done(cn_world_step(world, i == 1 ? 1.0f / 200 : 0));
        assert_near((double)cn_joint_force(world, joint).y, 30, 0.03);
    }
    assert_done(cn_joint_set_disabled(world, joint, true));
    assert_true(cn_joint_force(world, joint).y == 0 && cn_joint_peak_force(world, joint) == 0);
    cn_world_destroy(world);
}

// A world that was loaded has the loads of the world that was saved, asleep too.
static void loads_are_saved(void **state) {
    (void)state;
    for (int asleep = 0; asleep < 2; asleep++) {
        cn_world *world = make_world(10);
        add_floor(world, (cn_material){0});
        cn_body box = add_mass(world, point(5, 0.5), cn_box(0.5f, 0.5f), 7, 0);
        cn_body beam = add_disc(world, 1.5, 0, 2);
        cn_joint weld =
            join(world, cn_weld_joint(world, add_anchor(world, 0, 0), beam, point(0, 0)));
        assert_done(cn_world_set_no_sleep(world, !asleep));
        run(world, asleep ? 120 : 5);
        assert_int_equal(cn_body_asleep(world, box), asleep);
        static unsigned char bytes[1 << 16];
        size_t size = cn_world_save(world, CN_SAVE_ALL, bytes, sizeof bytes);
        cn_world *loaded = cn_world_load(&(cn_world_def){0}, NULL, bytes, size);
        assert_done(size > 0 && loaded);
        assert_true(contact_impulse(loaded, box) == contact_impulse(world, box));
        assert_near(contact_impulse(loaded, box), 70 * (double)STEP, 0.01);
        vec2s force = cn_joint_force(world, weld), again = cn_joint_force(loaded, weld);
        assert_true(force.x == again.x && force.y == again.y && force.y > 19);
        assert_true(cn_joint_torque(loaded, weld) == cn_joint_torque(world, weld));
        assert_true(cn_joint_peak_force(loaded, weld) == cn_joint_peak_force(world, weld));
        assert_true(cn_joint_peak_torque(loaded, weld) == cn_joint_peak_torque(world, weld));
        cn_world_destroy(loaded);
        cn_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_impact_breaks_a_joint_at_any_number_of_substeps),
        cmocka_unit_test(an_impact_has_its_impulse_and_a_peak),
        cmocka_unit_test(a_rope_that_becomes_taut_breaks_at_any_number_of_substeps),
        cmocka_unit_test(loads_change_the_momentum),
        cmocka_unit_test(a_hanging_chain_bears_its_weight),
        cmocka_unit_test(a_bracket_bears_the_moment_of_its_weight),
        cmocka_unit_test(the_load_of_a_gear_turns_its_wheel),
        cmocka_unit_test(contacts_bear_the_weight),
        cmocka_unit_test(hits_have_the_impulse_that_stops_the_body),
        cmocka_unit_test(a_step_without_time_keeps_the_loads),
        cmocka_unit_test(loads_are_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
