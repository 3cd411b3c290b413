/* Smooth ground: bodies slide over the seams of touching shapes and over the joints of chains as over
 * one long edge; and the calls that make chains. Heights are read from outside, in double precision. */
#include "movers.h"

#include <stdio.h>

// ---- floors whose surface is y = 0, from x = 0 to x = 100

typedef enum { CHAIN, SQUARES, UNEVEN, OVERLAPPING, BODIES, FLOORS } floor_kind;

static cn_shape add_tile(cn_world *world, cn_body ground, double x, double y, double hx,
                         double hy) {
    cn_hull box = cn_box((float)hx, (float)hy);
    box = cn_hull_at(&box, cn_pose_at(point(x, y), 0));
    cn_shape tile = cn_shape_create(world, ground, &(cn_shape_def){.hull = box, .material = slick});
    assert_done(tile.id != 0);
    return tile;
}

static cn_chain add_chain(cn_world *world, const vec2s *points, int count, bool closed) {
    cn_chain_def def = {.points = points, .count = count, .closed = closed, .material = slick};
    cn_chain chain = cn_chain_create(world, add_static(world), &def);
    assert_done(chain.id != 0);
    return chain;
}

// A tile of a metre that is a body of its own, and lies on any of its sides.
static cn_body add_tile_body(cn_world *world, double x, double y, int side) {
    cn_body_def def = {.type = CN_STATIC, .position = point(x, y)};
    def.angle = (float)(side * PI / 2);
    return add(world, def, (cn_shape_def){.hull = cn_box(0.5f, 0.5f), .material = slick});
}

static void add_long_floor(cn_world *world, floor_kind kind) {
    vec2s points[201];
    for (int i = 0; i <= 200; i++) points[i] = point(100 - 0.5 * i, 0);
    if (kind == CHAIN) {
        add_chain(world, points, 201, false);
        return;
    }
    for (int i = 0; i < 100 && kind == BODIES; i++) add_tile_body(world, i + 0.5, -0.5, i % 4);
    if (kind == BODIES) return;
    cn_body ground = add_static(world);
    for (int i = 0; i < 100; i++) {
        double half = kind == UNEVEN ? 0.2 + 0.1 * (i * 7 % 5) : 0.5;
        add_tile(world, ground, i + 0.5, -half, kind == OVERLAPPING ? 0.55 : 0.5, half);
    }
}

// ---- what slides

// ---- sliding

typedef struct {
    double highest, lowest, slowest; // deviation from y = 0.5; share of the speed that was lost
} ride;

static ride ride_over(floor_kind kind, int who, double tilt) {
    cn_world *world = make_world(GRAVITY);
    add_long_floor(world, kind);
    cn_body body = add_mover(world, who, point(3, 0.5 + tilt), tilt, point(20, 0), 0);
    if (tilt != 0) run(world, 90); // it falls flat
    ride r = {-1, 1, 1};
    for (double x = 0; x < 95;) {
        run(world, 1);
        motion m = motion_of(world, body);
        x = m.x;
        r.highest = fmax(r.highest, m.y - 0.5), r.lowest = fmin(r.lowest, m.y - 0.5);
        r.slowest = fmin(r.slowest, m.vx / 20);
        cn_contact contact;
        assert_in_range(cn_world_contacts(world, &contact, 1), 1, 4);
    }
    cn_world_destroy(world);
    return r;
}

static void bodies_slide_over_seams_as_over_one_floor(void **state) {
    (void)state;
    for (int kind = 0; kind < FLOORS; kind++)
        for (int who = 0; who < MOVERS; who++)
            for (int tilt = 0; tilt < 2; tilt++) {
                ride r = ride_over((floor_kind)kind, who, 0.05 * tilt);
                assert_near(r.highest, 0, 0.5e-3);
                assert_near(r.lowest, 0, 0.5e-3);
                assert_near(r.slowest, 1, 1e-4);
            }
}

// One box is on the right half when the left one comes up to it, and another then slides over both.
static void a_floor_may_be_put_together_while_it_is_used(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body tiles[30];
    for (int i = 0; i < 30; i++)
        tiles[i] = add_tile_body(world, i + 0.5, i < 15 ? -4 : -0.5, i % 4);
    cn_body first = add_mover(world, 0, point(15.5, 0.5), 0, point(6, 0), 0);
    run(world, 10);
    for (int i = 0; i < 15; i++)
        assert_done(cn_body_set_pose(world, tiles[i], point(i + 0.5, -0.5), 0));
    cn_body second = add_mover(world, 0, point(2, 0.5), 0, point(6, 0), 0);
    for (int i = 0; i < 120; i++) {
        run(world, 1);
        assert_near(motion_of(world, first).y, 0.5, 0.5e-3);
        assert_near(motion_of(world, second).y, 0.5, 0.5e-3);
    }
    assert_near(motion_of(world, second).x, 14, 0.01);
    assert_done(cn_body_set_enabled(world, tiles[20], false)); // a hole
    run(world, 30);
    assert_done(cn_body_set_enabled(world, tiles[20], true));
    run(world, 30);
    assert_near(motion_of(world, second).vx, 6, 1e-3);
    assert_near(motion_of(world, second).y, 0.5, 0.5e-3);
    cn_world_destroy(world);
}

// ---- ground that moves, or may

// How high a body rises that is kept at its speed from x = 2 to 18.
static double rise_on_way(cn_world *world, cn_body body, double speed) {
    double start = motion_of(world, body).y, highest = start;
    motion m = motion_of(world, body);
    for (int i = 0; m.x < 18; i++) {
        assert_in_range(i, 0, (uintmax_t)(2 * 60 * 16 / speed)); // it gets on
        assert_done(cn_body_set_velocity(world, body, point(speed, m.vy)));
        run(world, 1);
        m = motion_of(world, body);
        highest = fmax(highest, m.y);
    }
    return highest - start;
}

static void crates_side_by_side_have_no_edges(void **state) {
    (void)state;
    const cn_hull hulls[] = {cn_circle(0.3f), cn_box(0.3f, 0.3f)};
    for (int i = 0; i < 8; i++) {
        double speed = 1.5 * (1 << i / 2);
        cn_world *world = make_world(GRAVITY);
        cn_hull ground = cn_segment(point(-50, -1), point(50, -1));
        cn_shape_create(world, add_static(world), &(cn_shape_def){.hull = ground});
        cn_shape_def crate = {.hull = cn_box(0.5f, 0.5f), .density = 50};
        for (int k = 0; k < 30; k++) add(world, (cn_body_def){.position = point(k, -0.5)}, crate);
        run(world, 60);
        cn_body_def def = {.position = point(2, 0.3)};
        if (i % 2 == 0) def.angular_velocity = (float)(-speed / 0.3);
        cn_shape_def shape = {.hull = hulls[i % 2], .material.frictionless = i % 2};
        assert_near(rise_on_way(world, add(world, def, shape), speed), 0, 0.005);
        cn_world_destroy(world);
    }
}

static void a_lift_beside_the_floor_has_no_edges(void **state) {
    (void)state;
    const cn_hull hulls[] = {cn_capsule(point(0, 0), point(0, 0.6), 0.3f), cn_box(0.3f, 0.3f)};
    for (int i = 0; i < 8; i++) {
        cn_world *world = make_world(GRAVITY);
        cn_body ground = add_static(world);
        for (int k = 0; k < 20; k++)
            if (k < 9 || k > 11) add_tile(world, ground, k + 0.5, -0.5, 0.5, 0.5);
        cn_shape_def plate = {.hull = cn_box(1.5f, 0.25f), .material = slick};
        add(world, (cn_body_def){.type = CN_KINEMATIC, .position = point(10.5, -0.25)}, plate);
        cn_body_def def = {.position = point(2, 0.3), .lock_rotation = true};
        cn_body feet = add(world, def, (cn_shape_def){.hull = hulls[i % 2], .material = slick});
        assert_near(rise_on_way(world, feet, 1.5 * (1 << i / 2)), 0, 0.003);
        cn_world_destroy(world);
    }
}

// What covers a part of the floor for others does not for a body that may not touch it, by a joint or a callback.
static bool refuse_marked(cn_world *world, cn_shape a, cn_shape b, void *user) {
    (void)user;
    return cn_shape_user_data(world, a) + cn_shape_user_data(world, b) == 0;
}

static void ground_that_is_refused_covers_nothing(void **state) {
    (void)state;
    for (int how = 0; how < 3; how++) {
        cn_world *world = make_world(GRAVITY);
        cn_body floor = add_static(world);
        add_tile(world, floor, 0, -1, 5, 1);
        cn_shape_def curb = {.hull = cn_box(2, 0.5f), .user_data = 1};
        cn_body low = add(world, (cn_body_def){.type = CN_STATIC, .position = point(0, 0.5)}, curb);
        if (how != 1) run(world, 1);
        cn_body box = add_mover(world, 0, point(0, 2), 0, point(0, 0), 0);
        cn_joint_def slider = cn_prismatic_joint(world, low, box, point(0, 2), point(0, 1));
        if (how == 0) run(world, 30); // it rests on the curb before
        if (how < 2) assert_done(cn_joint_create(world, &slider).id != 0);
        const cn_callbacks callbacks = {.filter = refuse_marked};
        if (how == 2) assert_done(cn_world_set_callbacks(world, callbacks));
        run(world, 120);
        assert_near(motion_of(world, box).y, 0.5, 0.01);
        cn_world_destroy(world);
    }
}

// Tiles 2 mm apart, every second one 2 mm higher.
static void small_gaps_and_steps_are_no_edges(void **state) {
    (void)state;
    for (int who = 0; who < MOVERS; who++) {
        cn_world *world = make_world(GRAVITY);
        cn_body ground = add_static(world);
        for (int i = 0; i < 100; i++)
            add_tile(world, ground, 1.002 * i + 0.5, -0.5 + 0.002 * (i % 2), 0.5, 0.5);
        cn_body body = add_mover(world, who, point(3, 0.502), 0, point(20, 0), 0);
        for (double x = 0; x < 95;) {
            run(world, 1);
            motion m = motion_of(world, body);
            x = m.x;
            assert_near(m.y, 0.501, 1.5e-3);
            assert_near(m.vx, 20, 2e-3);
        }
        cn_world_destroy(world);
    }
}

// A wall of tiles at x = 0, from y = 0 to 100; the box is pressed to it and slides up.
static void a_box_slides_along_a_wall_that_it_is_pressed_to(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{-20, 0}}, .no_sleep = true});
    cn_body ground = add_static(world);
    for (int i = 0; i < 100; i++) add_tile(world, ground, -0.5, i + 0.5, 0.5, 0.5);
    cn_body body = add_mover(world, 0, point(0.5, 3), 0, point(0, 0), 0);
    assert_done(cn_body_set_velocity(world, body, point(0, 20)));
    for (double y = 0; y < 95;) {
        run(world, 1);
        motion m = motion_of(world, body);
        y = m.y;
        assert_near(m.x, 0.5, 0.5e-3);
        assert_near(m.vy, 20, 2e-3);
    }
    cn_world_destroy(world);
}

static void a_lift_of_tiles_is_as_smooth(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body_def def = {.type = CN_KINEMATIC, .velocity = point(0, 1)};
    cn_body lift = cn_body_create(world, &def);
    for (int i = 0; i < 100; i++) add_tile(world, lift, i + 0.5, -0.5, 0.5, 0.5);
    cn_body body = add_mover(world, 0, point(3, 0.5), 0, point(20, 0), 0);
    assert_done(cn_body_set_velocity(world, body, point(20, 1)));
    for (double x = 0; x < 95;) {
        run(world, 1);
        motion m = motion_of(world, body);
        x = m.x;
        assert_near(m.y - motion_of(world, lift).y, 0.5, 0.5e-3);
        assert_near(m.vx, 20, 2e-3);
    }
    cn_world_destroy(world);
}

// Rolling without slipping; what is lost of the impulses at a seam is a sinking of less than 1 mm.
static void a_circle_rolls_over_a_chain_without_sinking(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    vec2s points[201];
    for (int i = 0; i <= 200; i++) points[i] = point(100 - 0.5 * i, 0);
    cn_chain_def def = {.points = points, .count = 201, .material = {.friction = 0.9f}};
    assert_done(cn_chain_create(world, add_static(world), &def).id != 0);
    cn_body ball = add(
        world,
        (cn_body_def){.position = point(3, 0.5), .velocity = point(20, 0), .angular_velocity = -40},
        (cn_shape_def){.hull = cn_circle(0.5f), .material = {.friction = 0.9f}});
    for (double x = 0; x < 95;) {
        run(world, 1);
        motion m = motion_of(world, ball);
        x = m.x;
        assert_near(m.y, 0.5, 1e-3);
        assert_near(m.w, -40, 0.1);
        assert_near(m.vx, 20, 0.05);
    }
    cn_world_destroy(world);
}

// ---- hills and valleys

enum { ARC = 41 };

// y = height (1 + cos x / 3) over -3 pi .. 3 pi, from right to left.
static void arc(vec2s *points, double height) {
    for (int i = 0; i < ARC; i++) {
        double x = 3 * PI * (1 - 2.0 * i / (ARC - 1));
        points[i] = point(x, height * (1 + cos(x / 3)));
    }
}

// The energy of a body above the floor, per kg.
static double energy_of(const cn_world *world, cn_body body) {
    motion m = motion_of(world, body);
    double spin = 0.5 * inertia_of(world, body) / mass_of(world, body) * m.w * m.w;
    return 0.5 * (m.vx * m.vx + m.vy * m.vy) + spin + GRAVITY * m.y;
}

static void check_arc(double height, double speed, double x, int who) {
    cn_world *world = make_world(GRAVITY);
    vec2s points[ARC];
    arc(points, height);
    add_chain(world, points, ARC, false);
    double top = height * (1 + cos(x / 3));
    cn_body body = add_mover(world, who, point(x, top + 0.52), 0, point(0, 0), 0);
    run(world, 30);
    assert_done(cn_body_set_velocity(world, body, point(speed, 0)));
    double energy = energy_of(world, body);
    int touching = 0, steps = 0;
    for (; steps < 200 && fabs(motion_of(world, body).x) < 8; steps++) {
        run(world, 1);
        assert_in_range(energy_of(world, body) < energy * 1.002 + 0.05, 1, 1);
        energy = fmin(energy, energy_of(world, body));
        cn_contact contact;
        touching += cn_world_contacts(world, &contact, 1) > 0;
    }
    assert_in_range(touching, steps - 3, steps);
    cn_world_destroy(world);
}

static void bodies_follow_hills_and_valleys_and_gain_no_energy(void **state) {
    (void)state;
    for (int who = 0; who < MOVERS; who++) {
        check_arc(0.5, 2, -1, who);  // over a hill
        check_arc(-0.5, 2, -4, who); // through a valley
    }
}

// ---- rest, sides and corners

static void a_box_rests_flat_on_a_seam(void **state) {
    (void)state;
    for (int who = 0; who < MOVERS; who++) {
        cn_world *world = make_world(GRAVITY);
        add_long_floor(world, SQUARES);
        cn_body body = add_mover(world, who, point(50, 1), 0, point(0, 0), 0);
        run(world, 240);
        motion m = motion_of(world, body);
        assert_near(m.y, 0.5, 0.3e-3);
        assert_near(m.x, 50, 1e-3);
        assert_near(m.angle, 0, 1e-3);
        cn_world_destroy(world);
    }
}

// The normals of all contacts, from the ground to the body, lie along these directions.
static void check_normals(const cn_world *world, const vec2s *allowed, int count, int least) {
    cn_contact contacts[32];
    int found = cn_world_contacts(world, contacts, 32);
    assert_in_range(found, least, 32);
    for (int i = 0; i < found; i++) {
        vec2s n = contacts[i].manifold.normal;
        double best = -1;
        for (int k = 0; k < count; k++)
            best =
                fmax(best, (double)n.x * (double)allowed[k].x + (double)n.y * (double)allowed[k].y);
        assert_near(best, 1, 1e-3);
    }
}

static void the_outer_side_of_the_last_tile_is_a_side(void **state) {
    (void)state;
    for (int who = 0; who < MOVERS; who++) {
        cn_world *world = make_world(0);
        add_long_floor(world, SQUARES);
        cn_body body = add_mover(world, who, point(103, -0.5), 0, point(-5, 0), 0);
        for (int i = 0; i < 60; i++) {
            run(world, 1);
            check_normals(world, (vec2s[]){point(1, 0)}, 1, 0);
        }
        assert_in_range(motion_of(world, body).x > 100.49 - (who == 1 ? -0.3 : 0), 1, 1);
        cn_world_destroy(world);
    }
}

static void the_inner_corner_of_tiles_has_two_faces(void **state) {
    (void)state;
    for (int who = 0; who < MOVERS; who++) {
        cn_world *world =
            cn_world_create(&(cn_world_def){.gravity = {{10, -10}}, .no_sleep = true});
        cn_body ground = add_static(world);
        for (int i = 0; i < 5; i++) add_tile(world, ground, i - 3.5, -0.5, 0.5, 0.5);
        for (int i = 0; i < 5; i++) add_tile(world, ground, 0.5, i + 0.5, 0.5, 0.5);
        add_mover(world, who, point(-2, 0.6), 0, point(3, 0), 0);
        for (int i = 0; i < 120; i++) {
            run(world, 1);
            check_normals(world, (vec2s[]){point(-1, 0), point(0, 1)}, 2, i < 100 ? 0 : 2);
        }
        cn_world_destroy(world);
    }
}

// ---- chains

static void a_chain_is_solid_on_one_side_only(void **state) {
    (void)state;
    for (int who = 0; who < MOVERS; who++) {
        cn_world *world = make_world(0);
        vec2s points[] = {point(10, 0), point(0, 0), point(-10, 0)};
        add_chain(world, points, 3, false);
        cn_body above = add_mover(world, who, point(1, 3), 0, point(0, 0), 0),
                below = add_mover(world, who, point(-3, -3), 0, point(0, 0), 0);
        assert_done(cn_body_set_velocity(world, above, point(0, -5)));
        assert_done(cn_body_set_velocity(world, below, point(0, 5)));
        run(world, 120);
        assert_in_range(motion_of(world, above).y > 0.495, 1, 1);
        assert_near(motion_of(world, below).y, 7, 1e-3);
        cn_world_destroy(world);
    }
}

// A ring of 24 points; bodies that start at the centre or outside run against it.
static void a_closed_chain_holds_bodies_in_or_out_by_its_winding(void **state) {
    (void)state;
    for (int inside = 0; inside < 2; inside++) {
        cn_world *world = make_world(0);
        vec2s points[24];
        for (int i = 0; i < 24; i++) {
            double angle = (inside ? -1 : 1) * 2 * PI * i / 24;
            points[i] = point(5 * cos(angle), 5 * sin(angle));
        }
        add_chain(world, points, 24, true);
        cn_body bodies[12];
        for (int i = 0; i < 12; i++) {
            double c = cos(0.53 * i), s = sin(0.53 * i), from = inside ? 2 : 9, v = inside ? 3 : -3;
            bodies[i] = add_mover(world, i % MOVERS, point(from * c, from * s), i, point(0, 0), 0);
            assert_done(cn_body_set_velocity(world, bodies[i], point(v * c, v * s)));
        }
        for (int i = 0; i < 300; i++) {
            run(world, 1);
            for (int k = 0; k < 12; k++) {
                double r = hypot(motion_of(world, bodies[k]).x, motion_of(world, bodies[k]).y);
                assert_in_range(inside ? r < 4.6 : r > 5.3, 1, 1);
            }
        }
        cn_world_destroy(world);
    }
}

static void a_chain_has_its_segments(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    vec2s points[] = {point(3, 0), point(1, 0), point(-1, 0), point(-3, 0), point(0, -3)};
    cn_material materials[] = {{.friction = 0.1f},
                               {.friction = 0.2f},
                               {.friction = 0.3f},
                               {.friction = 0.4f},
                               {.restitution = 0.5f}};
    cn_body ground = add_static(world);
    cn_chain_def def = {.points = points, .count = 5, .closed = true, .materials = materials};
    cn_chain chain = cn_chain_create(world, ground, &def),
             other = cn_chain_create(world, ground, &def);
    assert_true(chain.id != other.id);
    int count = 0;
    for (cn_shape s = {0}; (s = cn_chain_next_segment(world, chain, s)).id; count++) {
        assert_near(cn_shape_material(world, s).friction, count < 4 ? 0.1 * (count + 1) : 0.6,
                    1e-6);
        assert_int_equal(cn_shape_chain(world, s).id, chain.id);
        assert_near(cn_shape_hull(world, s).vertices[0].x, points[count].x, 1e-6);
    }
    assert_int_equal(count, 5);
    assert_done(cn_shape_destroy(world, cn_chain_next_segment(world, chain, (cn_shape){0})));
    assert_done(cn_chain_destroy(world, chain));
    assert_int_equal(cn_world_counters(world).shapes, 5);
    assert_false(cn_chain_destroy(world, chain));
    assert_done(cn_chain_destroy(world, other));
    assert_int_equal(cn_world_counters(world).shapes, 0);
    cn_world_destroy(world);
}

// ---- chance

// Where the lowest point of a mover is, from its centre.
static double depth_of(int who, double angle) {
    cn_hull hull = mover(who);
    return -(double)cn_hull_project(&hull, cn_pose_at(point(0, 0), (float)angle), point(0, 1)).x;
}

static void no_place_over_a_flat_floor_gives_a_false_normal(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int kind = 0; kind < FLOORS; kind++) {
        cn_world *world = make_world(0);
        add_long_floor(world, (floor_kind)kind);
        for (int i = 0; i < 4000; i++) {
            int who = i % MOVERS;
            double angle =
                i % 3 ? random_between(&seed, -0.02, 0.02) : random_between(&seed, -4, 4);
            double x = random_between(&seed, 5, 95), y = random_between(&seed, -0.02, 0.01);
            cn_body body =
                add_mover(world, who, point(x, depth_of(who, angle) + y), angle, point(0, 0), 0);
            assert_done(cn_world_step(world, 1e-6f));
            check_normals(world, (vec2s[]){point(0, 1)}, 1, 1);
            assert_done(cn_body_destroy(world, body));
        }
        cn_world_destroy(world);
    }
}

// ---- pieces against the whole

enum { ROW, BLOCK, WEDGES, HALVES, RING, PUZZLES };

static void add_polygon(cn_world *world, cn_body ground, const vec2s *points, int count) {
    cn_shape_def def = {.hull = cn_polygon(points, count, 0), .material = slick};
    assert_done(cn_shape_create(world, ground, &def).id != 0);
}

// Six tiles in a row or three by two, an octagon in four or in two parts or its outline; or the same in one piece.
static cn_world *make_puzzle(int puzzle, bool whole) {
    cn_world *world = make_world(0);
    cn_body ground = add_static(world);
    assert_done(cn_body_set_pose(world, ground, point(0.3, -0.2), 0.4f));
    vec2s corners[9];
    for (int i = 0; i < 9; i++) corners[i] = point(2 * cos(i * PI / 4), 2 * sin(i * PI / 4));
    int columns = puzzle == ROW ? 6 : 3, rows = puzzle == ROW ? 1 : 2;
    if (whole && puzzle <= BLOCK) add_tile(world, ground, 0, 0, 0.5 * columns, 0.5 * rows);
    if (whole && puzzle > BLOCK) add_polygon(world, ground, corners, 8);
    for (int i = 0; !whole && puzzle <= BLOCK && i < columns * rows; i++)
        add_tile(world, ground, i % columns + 0.5 * (1 - columns), i / columns + 0.5 * (1 - rows),
                 0.5, 0.5);
    for (int i = 0; !whole && puzzle == WEDGES && i < 8; i += 2)
        add_polygon(world, ground, (vec2s[]){corners[i], corners[i + 1], corners[i + 2], {{0, 0}}},
                    4);
    for (int i = 0; !whole && puzzle == HALVES && i < 8; i += 4)
        add_polygon(world, ground, corners + i, 5);
    cn_chain_def ring = {.points = corners, .count = 8, .closed = true, .material = slick};
    if (!whole && puzzle == RING) assert_done(cn_chain_create(world, ground, &ring).id != 0);
    return world;
}

static void pieces_collide_as_the_whole_does(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int puzzle = 0; puzzle < PUZZLES; puzzle++) {
        cn_world *whole = make_puzzle(puzzle, true), *pieces = make_puzzle(puzzle, false);
        int touching = 0, other_normals = 0;
        for (int i = 0; i < 40000; i++) {
            vec2s place = point(random_between(&seed, -4, 4), random_between(&seed, -3, 3));
            vec2s n = {{0}}, m = {{0}};
            double angle = random_between(&seed, -4, 4);
            double expected = deepest_at(whole, i % MOVERS, place, angle, &n);
            double found = deepest_at(pieces, i % MOVERS, place, angle, &m);
            if (expected < -0.4 || fabs(expected - 0.02) < 1e-5) continue;
            assert_true((expected < 1) == (found < 1));
            touching += expected < 1;
            other_normals +=
                (double)n.x * (double)m.x + (double)n.y * (double)m.y < 0.9999 && found < 1;
            other_normals += fabs(expected - found) > 1e-4;
        }
        assert_in_range(touching, 300, 40000);
        assert_in_range(other_normals, 0, 1);
        cn_world_destroy(whole);
        cn_world_destroy(pieces);
    }
}

// ---- tiles that come and go

enum { TILES = 24 };

typedef struct {
    cn_world *world;
    cn_body ground;
    cn_shape tiles[TILES];
    cn_body bodies[TILES]; // of every third tile that is there
    uint64_t open[4096];   // pairs that touch: shape ids of both
    int open_count;
    uint64_t seed;
} building;

static void follow_events(building *b) {
    cn_events events = cn_world_events(b->world);
    for (int i = 0; i < events.end_count; i++) {
        int k = 0;
        uint64_t key = events.ends[i].a.shape.id * 31 + events.ends[i].b.shape.id;
        while (k < b->open_count && b->open[k] != key) k++;
        assert_in_range(k, 0, b->open_count - 1); // it had begun
        b->open[k] = b->open[--b->open_count];
    }
    for (int i = 0; i < events.begin_count; i++) {
        uint64_t key = events.begins[i].a.shape.id * 31 + events.begins[i].b.shape.id;
        for (int k = 0; k < b->open_count; k++) assert_true(b->open[k] != key); // it had ended
        b->open[b->open_count++] = key;
        assert_in_range(b->open_count, 1, 4095);
    }
}

static void change_tile(building *b) {
    int i = (int)random_between(&b->seed, 0, TILES);
    double x = i % 12 + 0.5, y = i < 12 ? -0.5 : -1.5;
    if (b->bodies[i].id && random_between(&b->seed, 0, 1) < 0.5) {
        double down = random_between(&b->seed, 0, 1) < 0.5 ? 0.5 : 0;
        assert_done(cn_body_set_pose(b->world, b->bodies[i], point(x, y - down), 0));
    } else if (b->bodies[i].id) {
        assert_done(cn_body_destroy(b->world, b->bodies[i]));
        b->bodies[i] = (cn_body){0};
    } else if (b->tiles[i].id) {
        assert_done(cn_shape_destroy(b->world, b->tiles[i]));
        b->tiles[i] = (cn_shape){0};
    } else if (i % 3 == 0) {
        b->bodies[i] = add_tile_body(b->world, x, y, i);
    } else {
        b->tiles[i] = add_tile(b->world, b->ground, x, y, 0.5, 0.5);
    }
}

// The hash of the last step.
static uint64_t build(int lanes, int steps) {
    building b = {.seed = 5};
    b.world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .lanes = lanes});
    if (!b.world) return 0; // this machine has no such lanes
    b.ground = add_static(b.world);
    add_tile(b.world, b.ground, 6, -3, 8, 0.5);
    for (int i = 0; i < 30; i++)
        add_mover(b.world, i % MOVERS, point(1 + 0.35 * i, 1.1 + 1.1 * (i % 4)), 0.1 * i,
                  point(0, 0), 0);
    for (int i = 0; i < steps; i++) {
        if (i % 3 == 0) change_tile(&b);
        run(b.world, 1);
        follow_events(&b);
    }
    cn_contact contact;
    assert_int_equal(cn_world_contacts(b.world, &contact, 1), b.open_count);
    uint64_t hash = cn_world_hash(b.world);
    cn_world_destroy(b.world);
    return hash;
}

static void every_begin_has_its_end_when_tiles_come_and_go(void **state) {
    (void)state;
    build(0, 2000);
}

static void all_lanes_give_the_same_bits(void **state) {
    (void)state;
    uint64_t hash = build(1, 500);
    assert_int_equal(build(4, 500), hash);
    uint64_t wide = build(8, 500);
    assert_true(wide == 0 || wide == hash);
}

// ---- mistakes

ZERO_TEST(cn_chain, chain, v.id == 0 && v.body.id == 0)
#define REFUSED(kind, call)                                                                        \
    do {                                                                                           \
        before_call before = prepare_refusal(kind);                                                \
        assert_true(call);                                                                         \
        assert_int_equal(cn_error_code(), kind);                                                   \
        assert_true(heard_once());                                                                 \
        assert_int_equal(cn_world_hash(watched), before.hash);                                     \
    } while (0)
#define BAD_CHAIN(kind, BODY, ...)                                                                 \
    REFUSED(kind, is_zero_chain(cn_chain_create(world, BODY, &(cn_chain_def){__VA_ARGS__})))

static void bad_chains_are_refused(void **state) {
    (void)state;
    cn_world *world = watched = make_world(0);
    cn_body ground = add_static(world), none = {0};
    cn_body dynamic = cn_body_create(world, &(cn_body_def){.type = CN_DYNAMIC});
    vec2s good[] = {point(0, 0), point(1, 0), point(1, 1)};
    vec2s nan[] = {point(0, 0), point(NAN, 0), point(1, 1)};
    vec2s far[] = {point(0, 0), point(2e9, 0), point(1, 1)};
    vec2s twice[] = {point(0, 0), point(1, 0), point(1, 0.001)};
    vec2s round[] = {point(0, 0), point(1, 0), point(0.001, 0)};
    cn_material bad[] = {{.friction = 1}, {.restitution = 2}};
    BAD_CHAIN(CN_ERROR_HANDLE, none, .points = good, .count = 3);
    BAD_CHAIN(CN_ERROR_STATE, dynamic, .points = good, .count = 3);
    BAD_CHAIN(CN_ERROR_HANDLE, ground, .count = 3);
    BAD_CHAIN(CN_ERROR_RANGE, ground, .points = good, .count = 1);
    BAD_CHAIN(CN_ERROR_RANGE, ground, .points = good, .count = -7);
    BAD_CHAIN(CN_ERROR_RANGE, ground, .points = good, .count = 2, .closed = true);
    BAD_CHAIN(CN_ERROR_RANGE, ground, .points = good, .count = 1 << 24);
    BAD_CHAIN(CN_ERROR_NUMBER, ground, .points = nan, .count = 3);
    BAD_CHAIN(CN_ERROR_RANGE, ground, .points = far, .count = 3);
    BAD_CHAIN(CN_ERROR_SHAPE, ground, .points = twice, .count = 3);
    BAD_CHAIN(CN_ERROR_SHAPE, ground, .points = round, .count = 3, .closed = true);
    BAD_CHAIN(CN_ERROR_RANGE, ground, .points = good, .count = 3, .materials = bad);
    BAD_CHAIN(CN_ERROR_RANGE, ground, .points = good, .count = 3, .material = {.friction = -1});
    REFUSED(CN_ERROR_HANDLE, is_zero_chain(cn_chain_create(world, ground, NULL)));
    cn_world_destroy(world);
    watched = NULL;
}

static void calls_with_bad_chain_handles_are_refused(void **state) {
    (void)state;
    cn_world *world = watched = make_world(0);
    vec2s points[] = {point(0, 0), point(1, 0), point(1, 1)};
    cn_chain gone = add_chain(world, points, 3, false), chain = add_chain(world, points, 3, false);
    assert_done(cn_chain_destroy(world, gone));
    const cn_chain none = {0}, half = {.body = chain.body};
    const cn_shape first = {0};
    cn_shape tile = add_tile(world, chain.body, 0, 0, 1, 1);
    cn_chain_def def = {.points = points, .count = 3};
    REFUSED(CN_ERROR_HANDLE, is_zero_chain(cn_chain_create(NULL, chain.body, &def)));
    REFUSED(CN_ERROR_HANDLE, !cn_chain_destroy(world, none));
    REFUSED(CN_ERROR_HANDLE, !cn_chain_destroy(world, half));
    REFUSED(CN_ERROR_HANDLE, !cn_chain_destroy(world, gone));
    REFUSED(CN_ERROR_HANDLE, !cn_chain_destroy(NULL, chain));
    REFUSED(CN_ERROR_HANDLE, !cn_chain_next_segment(world, gone, first).id);
    REFUSED(CN_ERROR_HANDLE, !cn_chain_next_segment(world, chain, tile).id);
    REFUSED(CN_ERROR_HANDLE, !cn_chain_next_segment(NULL, chain, first).id);
    REFUSED(CN_ERROR_HANDLE, is_zero_chain(cn_shape_chain(world, first)));
    assert_true(is_zero_chain(cn_shape_chain(world, tile)));
    cn_world_destroy(world);
    watched = NULL;
}

// (Made and destroyed segment by segment, each going through all others, it took minutes.)
static void a_long_chain_comes_and_goes_quickly(void **state) {
    (void)state;
    enum { LONG = 50000 };
    cn_world *world = cn_world_create(&(cn_world_def){0});
    cn_body belt = cn_body_create(world, &(cn_body_def){.type = CN_KINEMATIC});
    vec2s *points = malloc(LONG * sizeof *points);
    for (int i = 0; i < LONG; i++) points[i] = point(-0.02 * i, 0);
    cn_shape other = cn_shape_create(world, belt, &(cn_shape_def){.hull = cn_box(1, 1)});
    cn_chain chain = cn_chain_create(world, belt, &(cn_chain_def){.points = points, .count = LONG});
    free(points);
    int count = 0;
    for (cn_shape s = {0}; (s = cn_chain_next_segment(world, chain, s)).id;) count++;
    assert_int_equal(count, LONG - 1);
    assert_true(cn_chain_destroy(world, chain));
    assert_true(cn_shape_valid(world, other) && cn_world_counters(world).shapes == 1);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_slide_over_seams_as_over_one_floor),
        cmocka_unit_test(a_floor_may_be_put_together_while_it_is_used),
        cmocka_unit_test(crates_side_by_side_have_no_edges),
        cmocka_unit_test(a_lift_beside_the_floor_has_no_edges),
        cmocka_unit_test(ground_that_is_refused_covers_nothing),
        cmocka_unit_test(small_gaps_and_steps_are_no_edges),
        cmocka_unit_test(a_box_slides_along_a_wall_that_it_is_pressed_to),
        cmocka_unit_test(a_lift_of_tiles_is_as_smooth),
        cmocka_unit_test(a_circle_rolls_over_a_chain_without_sinking),
        cmocka_unit_test(bodies_follow_hills_and_valleys_and_gain_no_energy),
        cmocka_unit_test(a_box_rests_flat_on_a_seam),
        cmocka_unit_test(the_outer_side_of_the_last_tile_is_a_side),
        cmocka_unit_test(the_inner_corner_of_tiles_has_two_faces),
        cmocka_unit_test(a_chain_is_solid_on_one_side_only),
        cmocka_unit_test(a_closed_chain_holds_bodies_in_or_out_by_its_winding),
        cmocka_unit_test(a_chain_has_its_segments),
        cmocka_unit_test(no_place_over_a_flat_floor_gives_a_false_normal),
        cmocka_unit_test(pieces_collide_as_the_whole_does),
        cmocka_unit_test(every_begin_has_its_end_when_tiles_come_and_go),
        cmocka_unit_test(all_lanes_give_the_same_bits),
        cmocka_unit_test(bad_chains_are_refused),
        cmocka_unit_test(calls_with_bad_chain_handles_are_refused),
        cmocka_unit_test(a_long_chain_comes_and_goes_quickly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
