/* Joints in a world: asleep and awake, enabled and not, with and without collision, changed while they
 * hold, gone with their bodies; systems of many joints; and the same bits at every SIMD width. */
#include "joints.h"

static cn_world *make_sleepy_world(void) {
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, (float)-GRAVITY}}});
    assert_done(world != NULL);
    return world;
}

// ---- welds

// Between two boxes of 1 kg, moved at 1 cm/s.
static void a_light_link_between_two_welds_is_calm(void **state) {
    (void)state;
    for (int substeps = 1; substeps <= 16; substeps *= 2) {
        cn_world *world = make_world(0);
        assert_done(cn_world_set_substeps(world, substeps));
        cn_shape_def box = {.hull = cn_box(0.5f, 0.5f)};
        cn_body left = add(world, (cn_body_def){.position = point(-0.75, 0)}, box);
        cn_body right = add(world, (cn_body_def){.position = point(0.75, 0)}, box);
        cn_body link = add(world, (cn_body_def){.velocity = point(0, 0.01)},
                           (cn_shape_def){.hull = cn_box(0.25f, 0.07f)});
        join(world, cn_weld_joint(world, left, link, point(-0.25, 0)));
        join(world, cn_weld_joint(world, link, right, point(0.25, 0)));
        double before = cn_world_energy(world).kinetic;
        run(world, 300);
        assert_true(cn_world_energy(world).kinetic < before);
        assert_near(motion_of(world, link).w, 0, 0.001);
        cn_world_destroy(world);
    }
}

// Bars of 1 to 30 kg, each welded to an end of one before it, that drift slowly.
static void trees_of_welds_are_calm(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 120; i++) {
        cn_world *world = make_world(0);
        assert_done(cn_world_set_substeps(world, i & 1 ? 12 : 4));
        cn_body bars[6];
        vec2s ends[6];
        int count = 2 + i % 5;
        for (int k = 0; k < count; k++) {
            int above = k ? (int)random_between(&seed, 0, k - 0.001) : -1;
            double length = exp(random_between(&seed, log(0.2), log(2)));
            double angle = random_between(&seed, 0, 2 * PI),
                   mass = exp(random_between(&seed, 0, log(30)));
            vec2s start = k ? ends[above] : point(0, 0);
            vec2s way = point(length * cos(angle), length * sin(angle));
            ends[k] = glms_vec2_add(start, way);
            double width = length * random_between(&seed, 0.1, 1);
            cn_body_def def = {.position = glms_vec2_add(start, glms_vec2_scale(way, 0.5f)),
                               .angle = (float)angle,
                               .velocity = point(random_between(&seed, -0.02, 0.02),
                                                 random_between(&seed, -0.02, 0.02)),
                               .angular_velocity = (float)random_between(&seed, -0.02, 0.02)};
            bars[k] = add(world, def,
                          (cn_shape_def){.hull = cn_box((float)length / 2, (float)width / 2),
                                         .density = (float)(mass / (length * width)),
                                         .no_collision = true});
            if (k) join(world, cn_weld_joint(world, bars[above], bars[k], start));
        }
        double before = cn_world_energy(world).kinetic;
        run(world, 300);
        double after = cn_world_energy(world).kinetic;
        if (after > 1.01 * before)
            fail_msg("tree %d of %d: kinetic energy x %.3g", i, count, after / before);
        cn_world_destroy(world);
    }
}

// ---- a hanging chain

enum { LINKS = 50, MOST_LINKS = 60 };

typedef struct {
    cn_world *world;
    cn_body anchor, links[MOST_LINKS];
    cn_joint joints[MOST_LINKS];
    int count;
} chain;

// Links of 1 kg, 1 m long, that do not collide, hanging straight down.
static void hang_chain(chain *c, cn_world *world, int count) {
    *c = (chain){.world = world, .anchor = add_anchor(world, 0, 0), .count = count};
    cn_shape_def shape = {
        .hull = cn_box(0.125f, 0.5f), .density = 4, .filter = {.group = -1, .category = 1}};
    for (int i = 0; i < count; i++) {
        c->links[i] = add(world, (cn_body_def){.position = point(0, -0.5 - i)}, shape);
        cn_body above = i ? c->links[i - 1] : c->anchor;
        c->joints[i] = join(world, cn_revolute_joint(world, above, c->links[i], point(0, -i)));
    }
}

static double gap_of_loaded_chain(int substeps) {
    static chain c;
    cn_world *world = make_world(GRAVITY);
    assert_done(cn_world_set_substeps(world, substeps));
    hang_chain(&c, world, LINKS);
    cn_body load =
        add(world, (cn_body_def){.position = point(0, -LINKS - 1)},
            (cn_shape_def){
                .hull = cn_circle(1), .density = (float)(100 / PI), .filter = {.group = -1}});
    join(world, cn_revolute_joint(world, c.links[LINKS - 1], load, point(0, -LINKS)));
    run(world, 600);
    double gap = greatest_gap(world);
    print_message("chain of %d with a 100x ball, %d substeps: gap %.2f mm\n", LINKS, substeps,
                  1000 * gap);
    cn_world_destroy(world);
    return gap;
}

static void a_loaded_chain_hardly_stretches(void **state) {
    (void)state;
    assert_true(gap_of_loaded_chain(4) < 0.040);
    assert_true(gap_of_loaded_chain(8) < 0.008);
    assert_true(gap_of_loaded_chain(12) < 0.004);
}

static double gap_of_grid(int substeps) {
    enum { SIDE = 30 };
    cn_world *world = make_world(GRAVITY);
    assert_done(cn_world_set_substeps(world, substeps));
    cn_body grid[SIDE][SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        int row = i / SIDE, column = i % SIDE;
        grid[row][column] = add(
            world,
            (cn_body_def){.type = row ? CN_DYNAMIC : CN_STATIC, .position = point(column, -row)},
            (cn_shape_def){.hull = cn_circle(0.4f)});
        if (row)
            join(world, cn_revolute_joint(world, grid[row - 1][column], grid[row][column],
                                          point(column, -row + 0.5)));
        if (row && column)
            join(world, cn_revolute_joint(world, grid[row][column - 1], grid[row][column],
                                          point(column - 0.5, -row)));
    }
    run(world, 300);
    double gap = greatest_gap(world);
    print_message("grid of 30 x 30, %d substeps: gap %.2f mm\n", substeps, 1000 * gap);
    cn_world_destroy(world);
    return gap;
}

static void a_grid_hardly_stretches(void **state) {
    (void)state;
    assert_true(gap_of_grid(8) < 0.002);
}

// Five balls that touch, on bars of 5 m; the first swings from 30 degrees.
static void a_cradle_passes_the_blow_on(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body balls[5];
    cn_shape_def shape = {.hull = cn_circle(0.5f),
                          .material = {.restitution = 1, .frictionless = true}};
    for (int i = 0; i < 5; i++) {
        cn_body anchor = add_anchor(world, i, 0);
        vec2s place = i ? point(i, -5) : point(-2.5, -5 * cos(PI / 6));
        balls[i] = add(world, (cn_body_def){.position = place}, shape);
        join(world, cn_distance_joint(world, anchor, balls[i], point(i, 0), place));
    }
    double first = 0, last = 0, others = 0;
    for (int i = 0; i < 100 && last == 0; i++) {
        run(world, 1);
        double v = motion_of(world, balls[4]).vx;
        if (v > 1) last = v;
        if (v <= 1) first = motion_of(world, balls[0]).vx;
    }
    for (int i = 0; i < 4; i++) others = fmax(others, fabs(motion_of(world, balls[i]).vx));
    print_message("cradle: the first comes with %.4f, the last leaves with %.4f, others %.4f m/s\n",
                  first, last, others);
    assert_near(last / first, 1, 0.02);
    assert_true(others < 0.02 * first);
    cn_world_destroy(world);
}

static void free_bodies_keep_their_momenta(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body bodies[6];
    for (int i = 0; i < 6; i++) {
        bodies[i] = add_disc(world, i, 0.3 * (i % 2), 1 + i);
        vec2s at = point(i - 0.5, 0.2);
        if (i % 2) join(world, cn_revolute_joint(world, bodies[i - 1], bodies[i], at));
        if (i && i % 2 == 0) join(world, cn_weld_joint(world, bodies[i - 1], bodies[i], at));
    }
    join(world, cn_spring_joint(world, bodies[0], bodies[4], point(0, 0), point(4, 0)));
    assert_done(cn_body_apply_impulse(world, bodies[2], point(3, 8), point(2.1, 0)));
    assert_done(cn_body_apply_angular_impulse(world, bodies[5], 0.5f));
    cn_energy before = cn_world_energy(world);
    run(world, 600);
    cn_energy after = cn_world_energy(world);
    assert_near(after.momentum_x, before.momentum_x, 1e-3);
    assert_near(after.momentum_y, before.momentum_y, 1e-3);
    print_message("momenta after 10 s: %+.2g %+.2g, angular %+.2g of %.3g\n",
                  after.momentum_x - before.momentum_x, after.momentum_y - before.momentum_y,
                  after.angular - before.angular, before.angular);
    assert_near(after.angular, before.angular, 0.01 * fabs(before.angular));
    cn_world_destroy(world);
}

// ---- sleep

static bool is_chain_awake(const chain *c) { return cn_body_awake(c->world, c->links[0]); }

static void make_sleeping_chain(chain *c) {
    hang_chain(c, make_sleepy_world(), 5);
    run(c->world, 300);
    for (int i = 0; i < 5; i++) assert_false(cn_body_awake(c->world, c->links[i]));
    assert_int_equal(cn_world_counters(c->world).sleeping_islands, 1);
}

static void a_hanging_chain_sleeps_and_wakes_as_a_whole(void **state) {
    (void)state;
    chain c;
    make_sleeping_chain(&c);
    cn_world *w = c.world;
    motion before = motion_of(w, c.links[4]);
    run(w, 60);
    assert_true(motion_of(w, c.links[4]).y == before.y);
    assert_done(cn_body_apply_impulse(w, c.links[4], point(5, 0), point(0, -4.5)));
    run(w, 2);
    for (int i = 0; i < 5; i++) assert_true(cn_body_awake(w, c.links[i]));
    run(w, 30);
    assert_true(motion_of(w, c.links[0]).angle != 0);
    cn_world_destroy(w);
}

static void a_body_that_hits_a_chain_wakes_it(void **state) {
    (void)state;
    chain c;
    make_sleeping_chain(&c);
    add(c.world, (cn_body_def){.position = point(-1, -4.5), .velocity = {{10, 3}}},
        (cn_shape_def){.hull = cn_circle(0.3f)});
    run(c.world, 20);
    assert_true(is_chain_awake(&c));
    cn_world_destroy(c.world);
}

static bool move_anchor(chain *c) { return cn_body_set_pose(c->world, c->anchor, point(1, 0), 0); }
static bool free_anchor(chain *c) { return cn_body_set_type(c->world, c->anchor, CN_DYNAMIC); }
static bool disable_anchor(chain *c) { return cn_body_set_enabled(c->world, c->anchor, false); }
static bool destroy_anchor(chain *c) { return cn_body_destroy(c->world, c->anchor); }
static bool drive_anchor(chain *c) {
    return cn_body_set_type(c->world, c->anchor, CN_KINEMATIC) &&
           cn_body_set_velocity(c->world, c->anchor, point(1, 0));
}
static bool cut(chain *c) { return cn_joint_destroy(c->world, c->joints[2]); }
static bool disable_joint(chain *c) { return cn_joint_set_enabled(c->world, c->joints[2], false); }
static bool drive_joint(chain *c) {
    cn_coordinate motor = {.mode = CN_FREE, .motor = true, .speed = 2, .motor_force = 50};
    return cn_joint_set_coordinate(c->world, c->joints[2], CN_JOINT_ANGLE, &motor);
}
static bool move_frame(chain *c) {
    return cn_joint_set_frames(c->world, c->joints[0], (cn_pose){.position = {{1, 0}}},
                               (cn_pose){.position = {{0, 0.5f}}});
}

// Whatever is done to its anchor or joints, the chain wakes and its end moves.
static void what_is_done_to_a_joint_or_its_bodies_wakes_and_shows(void **state) {
    (void)state;
    bool (*const deeds[])(chain *) = {move_anchor,    free_anchor,  disable_anchor,
                                      destroy_anchor, drive_anchor, cut,
                                      disable_joint,  drive_joint,  move_frame};
    for (size_t i = 0; i < 2 * sizeof deeds / sizeof *deeds; i++) {
        chain c;
        make_sleeping_chain(&c);
        if (i % 2) assert_done(cn_body_set_awake(c.world, c.links[1], true)), run(c.world, 2);
        motion before = motion_of(c.world, c.links[4]);
        assert_done(deeds[i / 2](&c));
        run(c.world, 2);
        bool awake = cn_body_awake(c.world, c.links[4]) && cn_body_awake(c.world, c.links[0]);
        run(c.world, 40);
        motion m = motion_of(c.world, c.links[4]);
        bool moved = hypot(m.x - before.x, m.y - before.y) > 0.05;
        if (!awake || !moved) {
            print_error("deed %d of %s chain: awake %d, moved %d\n", (int)i / 2,
                        i % 2 ? "an awake" : "a sleeping", awake, moved);
            fail();
        }
        cn_world_destroy(c.world);
    }
}

// ---- bodies that begin to take part

// A disc hung on a body that does not take part yet, then does.
static void a_joint_holds_as_soon_as_both_bodies_take_part(void **state) {
    (void)state;
    for (int way = 0; way < 4; way++) {
        cn_world *world = make_world(GRAVITY);
        cn_body_def above = {.disabled = way != 1,
                             .type = way == 0   ? CN_STATIC
                                     : way == 3 ? CN_KINEMATIC
                                                : CN_DYNAMIC};
        cn_body a = cn_body_create(world, &above), b = add_disc(world, 0, -1, 1);
        cn_joint_def def = cn_revolute_joint(world, a, b, point(0, 0));
        def.disabled = way == 1;
        cn_joint joint = join(world, def);
        run(world, 1);
        if (way == 1) assert_done(cn_joint_set_enabled(world, joint, true));
        if (way != 1) assert_done(cn_body_set_enabled(world, a, true));
        if (way == 2) assert_done(cn_body_set_type(world, a, CN_STATIC));
        run(world, 60);
        if (gap_of(world, joint) > 0.01) {
            print_error("way %d: the gap is %g\n", way, gap_of(world, joint));
            fail();
        }
        cn_world_destroy(world);
    }
}

// A weight hangs, then takes no part for a while; without gravity nothing may move it when it does again.
static void a_joint_forgets_what_it_held_while_its_body_takes_no_part(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body weight = add_disc(world, 0, -1, 1);
    cn_joint joint =
        join(world, cn_revolute_joint(world, add_anchor(world, 0, 0), weight, point(0, 0)));
    run(world, 60);
    assert_near(cn_joint_force(world, joint).y, GRAVITY, 0.1);
    assert_done(cn_body_set_enabled(world, weight, false));
    assert_near(cn_joint_force(world, joint).y, 0, 0);
    assert_done(cn_body_set_velocity(world, weight, point(0, 0)));
    assert_done(cn_world_set_gravity(world, point(0, 0)));
    assert_done(cn_body_set_enabled(world, weight, true));
    run(world, 1);
    assert_near(motion_of(world, weight).y, -1, 1e-4);
    cn_world_destroy(world);
}

// The same for a static body that becomes dynamic: it falls with the other, which was weightless.
static void a_static_body_that_becomes_dynamic_pulls(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body a = add_disc(world, 0, 0, 1);
    assert_done(cn_body_set_type(world, a, CN_STATIC));
    cn_body b = cn_body_create(world, &(cn_body_def){.position = point(0, -1), .weightless = true});
    cn_joint joint = join(world, cn_weld_joint(world, a, b, point(0, 0)));
    run(world, 10);
    assert_done(cn_body_set_type(world, a, CN_DYNAMIC));
    run(world, 60);
    assert_near(motion_of(world, b).vy, -GRAVITY / 2, 0.2);
    assert_true(gap_of(world, joint) < 0.01);
    cn_world_destroy(world);
}

static void a_joint_couples_only_while_it_is_enabled(void **state) {
    (void)state;
    for (int which = 0; which < 2; which++) {
        cn_world *world = make_world(0);
        cn_body anchor = add_anchor(world, 0, 0), discs[2];
        cn_joint joints[2];
        for (int i = 0; i < 2; i++) {
            discs[i] = add_disc(world, 3 * i, 0, 1);
            joints[i] = join(world, cn_revolute_joint(world, anchor, discs[i], point(3 * i, 0)));
        }
        assert_done(cn_joint_set_coupling(
            world, joints[0], (cn_coupling){joints[1], CN_JOINT_ANGLE, CN_JOINT_ANGLE, 1, false}));
        run(world, 2);
        assert_done(cn_joint_set_enabled(world, joints[which], false));
        assert_done(cn_body_set_angular_velocity(world, discs[0], 4));
        run(world, 10);
        assert_near(motion_of(world, discs[0]).w, 4, 1e-4);
        assert_near(motion_of(world, discs[1]).w, 0, 1e-4);
        assert_done(cn_joint_set_enabled(world, joints[which], true));
        run(world, 10);
        assert_near(motion_of(world, discs[0]).w, 2, 0.1);
        cn_world_destroy(world);
    }
}

// ---- collision of joined bodies

static void check_tally(cn_world *world, int begins, int ends) {
    tally sum = count_events(world, 3);
    assert_int_equal(sum.begins, begins);
    assert_int_equal(sum.ends, ends);
}

static void joined_bodies_collide_if_they_should(void **state) {
    (void)state;
    for (int sleepy = 0; sleepy < 2; sleepy++) {
        cn_world *world = make_world(0);
        assert_done(cn_world_set_sleeping(world, sleepy));
        cn_shape_def box = {.hull = cn_box(0.5f, 0.5f)};
        cn_body a = add(world, (cn_body_def){0}, box);
        cn_body b = add(world, (cn_body_def){.position = point(1, 0)}, box);
        check_tally(world, 1, 0);
        cn_joint joint = join(world, cn_weld_joint(world, a, b, point(0.5, 0)));
        check_tally(world, 0, 1);
        if (sleepy) run(world, 60), assert_false(cn_body_awake(world, a));
        assert_done(cn_joint_set_collide_connected(world, joint, true));
        check_tally(world, 1, 0);
        assert_done(cn_joint_set_collide_connected(world, joint, false));
        check_tally(world, 0, 1);
        assert_done(cn_joint_set_enabled(world, joint, false));
        check_tally(world, 1, 0);
        assert_done(cn_joint_set_enabled(world, joint, true));
        check_tally(world, 0, 1);
        if (sleepy) run(world, 60), assert_false(cn_body_awake(world, a));
        assert_done(cn_joint_destroy(world, joint));
        check_tally(world, 1, 0);
        assert_done(cn_body_destroy(world, a));
        check_tally(world, 0, 1);
        cn_world_destroy(world);
    }
}

// ---- what goes with what

// The links overlap at every joint, also at the cut.
static void a_cut_rope_falls_freely(void **state) {
    (void)state;
    const cn_hull shapes[] = {cn_capsule(point(0, -0.25), point(0, 0.25), 0.1f), cn_box(0.1f, 0.3f),
                              cn_box(0.05f, 0.27f)};
    for (int i = 0; i < 12; i++) {
        bool sleeps = i & 1;
        cn_world *world = sleeps ? make_sleepy_world() : make_world(GRAVITY);
        assert_done(cn_world_set_substeps(world, i < 6 ? 4 : 12));
        cn_body links[12], above = add_anchor(world, 0, 0);
        cn_joint middle = {0};
        for (int k = 0; k < 12; k++) {
            links[k] = add(world, (cn_body_def){.position = point(0, -0.25 - 0.5 * k)},
                           (cn_shape_def){.hull = shapes[i / 2 % 3]});
            cn_joint joint =
                join(world, cn_revolute_joint(world, above, links[k], point(0, -0.5 * k)));
            if (k == 6) middle = joint;
            above = links[k];
        }
        run(world, 120);
        assert_int_equal(cn_body_awake(world, above), !sleeps);
        assert_done(cn_joint_destroy(world, middle));
        run(world, 30);
        for (int k = 0; k < 12; k++) {
            motion m = motion_of(world, links[k]);
            assert_near(m.vy, k < 6 ? 0 : -GRAVITY * 0.5, 0.01);
            assert_near(m.w, 0, 0.01);
        }
        cn_world_destroy(world);
    }
}

// A load that a filter joint let overlap its bearer leaves, and is solid again.
static void what_parted_collides_again(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){0});
    cn_body bearer = add(world, (cn_body_def){.position = point(0, 0.5)},
                         (cn_shape_def){.hull = cn_box(1, 0.5f)});
    cn_body load = add(world, (cn_body_def){.position = point(0, 0.8)},
                       (cn_shape_def){.hull = cn_box(0.3f, 0.3f)});
    cn_joint carried = join(world, cn_filter_joint(world, bearer, load));
    run(world, 5);
    assert_done(cn_joint_destroy(world, carried));
    assert_done(cn_body_set_velocity(world, load, point(0, 6)));
    run(world, 20);
    assert_true(motion_of(world, load).y > 2); // 6 m/s and nothing more
    assert_near(motion_of(world, load).vy, 6 - GRAVITY / 3, 0.01);
    run(world, 180);
    assert_near(motion_of(world, load).y, 1.3, 0.01);
    cn_world_destroy(world);
}

// A joint that lets them collide, two welded pairs, one that is enabled later, and two that each are let go by an
// anchor: nothing was let overlap.
static void what_a_joint_did_not_let_overlap_parts(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        cn_world *world = make_world(GRAVITY);
        add_floor(world, (cn_material){0});
        cn_shape_def box = {.hull = cn_box(0.5f, 0.5f)};
        cn_body lower = add(world, (cn_body_def){.position = point(0, 0.5)}, box);
        cn_body upper =
            add(world, (cn_body_def){.position = point(0, 0.7), .disabled = i == 2}, box);
        cn_joint_def guide = cn_prismatic_joint(world, lower, upper, point(0, 0.5), point(0, 1));
        guide.collide_connected = true;
        if (i == 0) join(world, guide);
        for (int side = -1; i == 1 && side <= 1; side += 2) {
            cn_body pair = side < 0 ? lower : upper;
            cn_body other =
                add(world, (cn_body_def){.position = point(1, side < 0 ? 0.5 : 0.7)}, box);
            join(world, cn_weld_joint(world, pair, other, point(0.5, 0.6)));
        }
        if (i == 2) {
            cn_joint joint = join(world, cn_weld_joint(world, lower, upper, point(0, 0.5)));
            assert_done(cn_joint_destroy(world, joint));
            run(world, 100);
            assert_done(cn_body_set_enabled(world, upper, true));
        }
        for (int side = -1; i == 3 && side <= 1; side += 2) {
            cn_body held = side < 0 ? lower : upper, anchor = add_anchor(world, side, 3);
            cn_joint joint = join(world, cn_weld_joint(world, anchor, held, point(0, 0.6)));
            assert_done(cn_joint_destroy(world, joint));
        }
        run(world, 600);
        assert_near(motion_of(world, upper).y, 1.5, 0.01);
        cn_world_destroy(world);
    }
}

// Crates that a weld held on each other.
static void what_only_touched_goes_on_touching(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){0});
    cn_body crates[2];
    for (int i = 0; i < 2; i++)
        crates[i] = add(world, (cn_body_def){.position = point(0, 0.5 + 0.95 * i)},
                        (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
    cn_joint weld = join(world, cn_weld_joint(world, crates[0], crates[1], point(0, 1)));
    run(world, 5);
    assert_done(cn_joint_destroy(world, weld));
    run(world, 120);
    assert_near(motion_of(world, crates[1]).y, 1.5, 0.01);
    cn_world_destroy(world);
}

static void joints_of_destroyed_bodies_go(void **state) {
    (void)state;
    chain c;
    hang_chain(&c, make_world(GRAVITY), 5);
    run(c.world, 3);
    assert_int_equal(cn_world_counters(c.world).joints, 5);
    assert_done(cn_body_destroy(c.world, c.links[2]));
    assert_int_equal(cn_world_counters(c.world).joints, 3);
    assert_false(cn_joint_valid(c.world, c.joints[2]) || cn_joint_valid(c.world, c.joints[3]));
    assert_true(cn_joint_valid(c.world, c.joints[1]) && cn_joint_valid(c.world, c.joints[4]));
    assert_true(cn_body_next_joint(c.world, c.links[3], (cn_joint){0}).id == c.joints[4].id);
    assert_true(cn_body_next_joint(c.world, c.links[3], c.joints[4]).id == 0);
    run(c.world, 30);
    assert_true(motion_of(c.world, c.links[3]).y < -4);
    assert_near(motion_of(c.world, c.links[1]).y, -1.5, 0.01);
    cn_world_destroy(c.world);
}

static void what_was_set_is_read_back(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body a = add_anchor(world, 0, 0), b = add_disc(world, 1, 0, 1);
    cn_joint joint = join(world, cn_weld_joint(world, a, b, point(0, 0)));
    cn_coordinate c = {.mode = CN_LIMITED, .lower = -1, .upper = 2, .hertz = 3, .spring_force = 4};
    c.motor = true;
    assert_done(cn_joint_set_coordinate(world, joint, CN_JOINT_ANGLE, &c));
    assert_done(cn_joint_set_speed(world, joint, CN_JOINT_ANGLE, 5));
    assert_done(cn_joint_set_target(world, joint, CN_JOINT_ANGLE, 0.5f));
    assert_done(cn_joint_set_break(world, joint, 6, 7));
    assert_done(cn_joint_set_user_data(world, joint, 8));
    cn_joint_def def = cn_joint_get(world, joint);
    assert_true(def.a.id == a.id && def.b.id == b.id && def.user_data == 8);
    assert_true(def.angle.mode == CN_LIMITED && def.angle.lower == -1 && def.angle.upper == 2);
    assert_true(def.angle.hertz == 3 && def.angle.spring_force == 4 && def.angle.speed == 5);
    assert_true(def.angle.target == 0.5f && def.break_force == 6 && def.break_torque == 7);
    assert_int_equal(cn_joint_user_data(world, joint), 8);
    assert_true(cn_joint_get_coupling(world, joint).other.id == 0);
    cn_world_destroy(world);
}

// ---- widths

// All kinds in one island among crates, with couplings.
static cn_world *make_fair(int lanes) {
    cn_world *w = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .lanes = lanes});
    if (!w) return NULL;
    cn_body floor = add_floor(w, (cn_material){0}), last = floor;
    cn_joint old = {0};
    for (int i = 0; i < 90; i++) {
        vec2s p = point(i % 15, 1 + 1.1 * (i / 15)), q = point(i % 15 - 0.4, 1 + 1.1 * (i / 15));
        cn_body b =
            add(w, (cn_body_def){.position = p}, (cn_shape_def){.hull = cn_box(0.4f, 0.4f)});
        cn_joint_def def[] = {
            cn_revolute_joint(w, last, b, q),  cn_prismatic_joint(w, last, b, q, point(1, 1)),
            cn_weld_joint(w, last, b, q),      cn_wheel_joint(w, last, b, p, point(0, 1)),
            cn_spring_joint(w, last, b, q, p), cn_rope_joint(w, last, b, q, p),
            cn_motor_joint(w, last, b, 5, 2),  cn_distance_joint(w, last, b, q, p)};
        def[i % 8].collide_connected = i % 3 == 0;
        if (i % 10 == 0) continue;
        cn_joint joint = join(w, def[i % 8]);
        if (i % 7 == 0 && old.id)
            assert_done(cn_joint_set_coupling(
                w, joint, (cn_coupling){old, CN_JOINT_ANGLE, (cn_joint_axis)(i % 3), 2, i % 2}));
        last = b, old = joint;
    }
    return w;
}

static void joints_give_the_same_bits_at_every_width(void **state) {
    (void)state;
    uint64_t hashes[120];
    for (int lanes = 1; lanes <= 16; lanes = lanes == 1 ? 4 : 2 * lanes) {
        cn_world *world = make_fair(lanes);
        for (int i = 0; world && i < 120; i++) {
            run(world, 1);
            if (lanes == 1) hashes[i] = cn_world_hash(world);
            assert_true(cn_world_hash(world) == hashes[i]);
        }
        cn_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_light_link_between_two_welds_is_calm),
        cmocka_unit_test(trees_of_welds_are_calm),
        cmocka_unit_test(a_loaded_chain_hardly_stretches),
        cmocka_unit_test(a_grid_hardly_stretches),
        cmocka_unit_test(a_cradle_passes_the_blow_on),
        cmocka_unit_test(free_bodies_keep_their_momenta),
        cmocka_unit_test(a_hanging_chain_sleeps_and_wakes_as_a_whole),
        cmocka_unit_test(a_body_that_hits_a_chain_wakes_it),
        cmocka_unit_test(what_is_done_to_a_joint_or_its_bodies_wakes_and_shows),
        cmocka_unit_test(a_joint_holds_as_soon_as_both_bodies_take_part),
        cmocka_unit_test(a_joint_forgets_what_it_held_while_its_body_takes_no_part),
        cmocka_unit_test(a_static_body_that_becomes_dynamic_pulls),
        cmocka_unit_test(a_joint_couples_only_while_it_is_enabled),
        cmocka_unit_test(joined_bodies_collide_if_they_should),
        cmocka_unit_test(a_cut_rope_falls_freely),
        cmocka_unit_test(what_parted_collides_again),
        cmocka_unit_test(what_a_joint_did_not_let_overlap_parts),
        cmocka_unit_test(what_only_touched_goes_on_touching),
        cmocka_unit_test(joints_of_destroyed_bodies_go),
        cmocka_unit_test(what_was_set_is_read_back),
        cmocka_unit_test(joints_give_the_same_bits_at_every_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
