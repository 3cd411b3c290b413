/* Dynamic bodies that are locked in x and y. Nothing can push them: a body that hits them meets a
 * wall or, if they can turn, a lever on an axle. Results do not depend on whether such a body is
 * body A or body B of a contact, which follows from the order of creation. */
#include "../../../support/physics.h"

typedef enum { FIXED, PINNED, AXLE } base_kind; // static; all locked; free to turn

typedef struct {
    base_kind kind;
    cn_shape_def base, body;
    vec2s from, velocity; // of the body
} hit;

typedef struct {
    cn_world *world;
    cn_body base, body;
} pair;

static cn_body add_base(cn_world *world, const hit *h) {
    bool locked = h->kind != FIXED;
    return add(world,
               (cn_body_def){.type = locked ? CN_DYNAMIC : CN_STATIC,
                             .lock_x = locked,
                             .lock_y = locked,
                             .lock_rotation = h->kind == PINNED},
               h->base);
}

static pair make_pair(const hit *h, bool base_first) {
    pair p = {.world = make_world(GRAVITY)};
    if (base_first) p.base = add_base(p.world, h);
    p.body = add(p.world, (cn_body_def){.position = h->from, .velocity = h->velocity}, h->body);
    if (!base_first) p.base = add_base(p.world, h);
    return p;
}

// Returns the greatest distance between the bodies of two worlds in a number of steps.
static double run_both(pair *p, pair *q, int steps) {
    double most = 0;
    for (int i = 0; i < steps; i++) {
        run(p->world, 1), run(q->world, 1);
        motion m = motion_of(p->world, p->body), n = motion_of(q->world, q->body);
        most = fmax(most, hypot(m.x - n.x, m.y - n.y));
    }
    cn_world_destroy(p->world);
    cn_world_destroy(q->world);
    return most;
}

// Balls, boxes and capsules fall flat on a platform.
static hit make_hit(base_kind kind, int form, double speed, double restitution, int phase) {
    const cn_hull hulls[] = {cn_circle(0.3f), cn_box(0.3f, 0.3f),
                             cn_capsule(point(-0.3, 0), point(0.3, 0), 0.1f)};
    const cn_material material = {.restitution = (float)restitution};
    return (hit){kind,
                 {.hull = cn_box(2, 0.5f), .material = material},
                 {.hull = hulls[form], .material = material},
                 point(0, 3 + 0.071 * phase),
                 point(0, -speed)};
}

static const double speeds[] = {0, 1, 3, 10, 30, 60, 100};

static void falls_on_a_pinned_body_do_not_depend_on_the_order_of_creation(void **state) {
    (void)state;
    for (base_kind kind = PINNED; kind <= AXLE; kind++)
        for (int i = 0; i < 3 * 7 * 3; i++)
            for (int phase = 0; phase < 6; phase++) {
                hit h = make_hit(kind, i % 3, speeds[i / 3 % 7], 0.45 * (i / 21), phase);
                pair p = make_pair(&h, true), q = make_pair(&h, false);
                assert_near(run_both(&p, &q, 90), 0, 2e-3);
            }
}

static void a_pinned_body_that_cannot_turn_carries_like_a_static_one(void **state) {
    (void)state;
    for (int i = 0; i < 3 * 7 * 3; i++)
        for (int phase = 0; phase < 6; phase++) {
            hit h = make_hit(PINNED, i % 3, speeds[i / 3 % 7], 0.45 * (i / 21), phase), wall = h;
            wall.kind = FIXED;
            pair p = make_pair(&h, phase % 2), q = make_pair(&wall, true);
            assert_near(run_both(&p, &q, 90), 0, 2e-3);
        }
}

// Balls with 100 to 300 m/s stop at a thin wall.
static void fast_balls_do_not_pass_a_pinned_wall(void **state) {
    (void)state;
    for (int i = 0; i < 60; i++) {
        hit h = {PINNED,
                 {.hull = cn_box(0.1f, 5)},
                 {.hull = cn_circle(0.1f)},
                 point(-8 - 0.05 * i, 1),
                 point(100 + 100 * (i % 3), 0)};
        pair p = make_pair(&h, i % 2);
        run(p.world, 12);
        assert_true(motion_of(p.world, p.body).x < -0.19);
        cn_world_destroy(p.world);
    }
}

// A ball of mass m hits a lever of inertia I at the arm r with speed v. They go on together, so
// m v r = (I + m r^2) w.
static void a_lever_takes_the_angular_momentum_of_what_hits_it(void **state) {
    (void)state;
    for (int i = 0; i < 40; i++) {
        hit h = {AXLE,
                 {.hull = cn_box(3, 0.2f), .density = 2},
                 {.hull = cn_circle(0.3f), .material = {.frictionless = true}},
                 point(2, 1 + 0.11 * (i / 2)),
                 point(0, -8)};
        pair p = make_pair(&h, i % 2);
        assert_done(cn_world_set_gravity(p.world, point(0, 0)));
        double m = mass_of(p.world, p.body), inertia = inertia_of(p.world, p.base);
        for (int k = 0; k < 40 && motion_of(p.world, p.base).w == 0; k++) run(p.world, 1);
        run(p.world, 1);
        assert_near(motion_of(p.world, p.base).w, -m * 8 * 2 / (inertia + m * 4), 0.01);
        cn_world_destroy(p.world);
    }
}

static void boxes_stack_on_a_pinned_body_as_on_the_ground(void **state) {
    (void)state;
    for (int order = 0; order < 2; order++) {
        hit h = {PINNED, {.hull = cn_box(3, 0.5f)}, box_of(0.5f), point(0, 1), point(0, 0)};
        pair p = make_pair(&h, order);
        cn_body top = p.body;
        for (int i = 1; i < 8; i++)
            top = add(p.world, (cn_body_def){.position = point(0, 1 + i)}, box_of(0.5f));
        run(p.world, 300);
        assert_near(motion_of(p.world, top).x, 0, 1e-3);
        assert_near(motion_of(p.world, top).y, 8, 0.02);
        assert_near(motion_of(p.world, p.base).y, 0, 0);
        cn_world_destroy(p.world);
    }
}

// The number of pinned bodies follows from the bodies and is not saved. Some worlds had a pinned
// body and have none any more.
static void a_loaded_world_knows_its_pinned_bodies(void **state) {
    (void)state;
    for (int i = 0; i < 30; i++) {
        hit h = make_hit(PINNED, 1, 30, 0, i);
        pair p = make_pair(&h, i % 2);
        if (i % 5 == 1) assert_done(cn_body_set_locks(p.world, p.base, true, false, false));
        if (i % 5 == 2) assert_done(cn_body_set_type(p.world, p.base, CN_KINEMATIC));
        if (i % 5 == 3) {
            assert_done(cn_body_destroy(p.world, p.base));
            h.kind = FIXED, h.from = point(0, 0), h.velocity = point(1, 1);
            add(p.world, (cn_body_def){.velocity = point(1, 1)}, h.base);
        }
        run(p.world, 2);
        size_t size = cn_world_save(p.world, CN_SAVE_ALL, NULL, 0);
        void *bytes = malloc(size);
        assert_int_equal(cn_world_save(p.world, CN_SAVE_ALL, bytes, size), size);
        cn_world *loaded = cn_world_load(&(cn_world_def){0}, NULL, bytes, size);
        free(bytes);
        assert_done(loaded != NULL);
        run(p.world, 10), run(loaded, 10);
        assert_int_equal(cn_world_hash(p.world), cn_world_hash(loaded));
        cn_world_destroy(p.world);
        cn_world_destroy(loaded);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falls_on_a_pinned_body_do_not_depend_on_the_order_of_creation),
        cmocka_unit_test(a_pinned_body_that_cannot_turn_carries_like_a_static_one),
        cmocka_unit_test(fast_balls_do_not_pass_a_pinned_wall),
        cmocka_unit_test(a_lever_takes_the_angular_momentum_of_what_hits_it),
        cmocka_unit_test(boxes_stack_on_a_pinned_body_as_on_the_ground),
        cmocka_unit_test(a_loaded_world_knows_its_pinned_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
