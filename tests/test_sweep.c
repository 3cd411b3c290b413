/* Continuous collision: distances and times of impact against brute force, and fast bodies in worlds,
 * which pass through nothing, lose no energy that they should keep, and go on. */
#include "refuse.h"

enum { PHASES = 20 };

static const cn_material smooth = {.frictionless = true};

// ---- brute force, in double precision

typedef struct {
    double x[CN_MAX_VERTICES], y[CN_MAX_VERTICES];
} corners;

static corners place_corners(const cn_hull *hull, double x, double y, double angle) {
    corners placed;
    for (int i = 0; i < hull->count; i++) {
        double px = (double)hull->vertices[i].x, py = (double)hull->vertices[i].y;
        placed.x[i] = x + cos(angle) * px - sin(angle) * py;
        placed.y[i] = y + sin(angle) * px + cos(angle) * py;
    }
    return placed;
}

// The interval of the corners along a direction, radius included.
static void shadow(const cn_hull *hull, const corners *c, double nx, double ny, double *interval) {
    interval[0] = INFINITY, interval[1] = -INFINITY;
    for (int i = 0; i < hull->count; i++) {
        interval[0] = fmin(interval[0], nx * c->x[i] + ny * c->y[i] - (double)hull->radius);
        interval[1] = fmax(interval[1], nx * c->x[i] + ny * c->y[i] + (double)hull->radius);
    }
}

// The signed distance is the greatest separation along any of so many directions.
static double separation_at(const cn_hull *a, const corners *ca, const cn_hull *b,
                            const corners *cb, double angle) {
    double of_a[2], of_b[2];
    shadow(a, ca, cos(angle), sin(angle), of_a);
    shadow(b, cb, cos(angle), sin(angle), of_b);
    return of_b[0] - of_a[1];
}

static double brute_distance(const cn_hull *a, const corners *ca, const cn_hull *b,
                             const corners *cb) {
    double best = -INFINITY;
    for (int i = 0; i < 360; i++) {
        double at = PI / 180 * i, here = separation_at(a, ca, b, cb, at);
        if (here < best - 0.05) continue;
        double width = PI / 180;
        for (int round = 0; round < 5; round++, width /= 8) { // closer about the best
            double middle = at;
            for (int k = -8; k <= 8; k++) {
                double s = separation_at(a, ca, b, cb, middle + width * k / 8);
                if (s > here) here = s, at = middle + width * k / 8;
            }
        }
        best = fmax(best, here);
    }
    return best;
}

static cn_hull random_hull(uint64_t *seed) {
    switch ((int)random_between(seed, 0, 5)) {
    case 0: return cn_circle((float)random_between(seed, 0.1, 1));
    case 1: return cn_capsule(point(-0.7, 0.1), point(0.8, 0.2), 0.3f);
    case 2: return cn_box((float)random_between(seed, 0.01, 1), 0.5f);
    case 3: return cn_rounded_box(0.4f, 0.2f, 0.1f);
    default: return cn_regular((int)random_between(seed, 3, 8.99), 0.8f);
    }
}

static void distances_agree_with_brute_force(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 2000; i++) {
        cn_hull a = random_hull(&seed), b = random_hull(&seed);
        double x = random_between(&seed, -2, 2), y = random_between(&seed, -2, 2);
        double t[2] = {random_between(&seed, -3, 3), random_between(&seed, -3, 3)};
        cn_pose at[2] = {cn_pose_at(point(0, 0), (float)t[0]),
                         cn_pose_at(point(x, y), (float)t[1])};
        corners ca = place_corners(&a, 0, 0, t[0]), cb = place_corners(&b, x, y, t[1]);
        cn_gap gap = cn_distance(&a, at[0], &b, at[1]);
        assert_near((double)gap.distance, brute_distance(&a, &ca, &b, &cb), 2e-5);
        double between = (double)(gap.point_b.x - gap.point_a.x) * (double)gap.normal.x +
                         (double)(gap.point_b.y - gap.point_a.y) * (double)gap.normal.y;
        assert_near(between, (double)gap.distance, 1e-5);
    }
}

// ---- times of impact

static double distance_at(const cn_hull *a, const cn_sweep *sa, const cn_hull *b,
                          const cn_sweep *sb, double t) {
    const cn_sweep *sweeps[2] = {sa, sb};
    cn_pose poses[2];
    for (int i = 0; i < 2; i++) {
        const cn_sweep *s = sweeps[i];
        double start = (double)cn_rotation_angle(s->start.rotation), turn = t * (double)s->turn;
        vec2s from = cn_pose_point(s->start, s->center), r = s->center;
        cn_rotation q = cn_rotation_of((float)(start + turn));
        poses[i].rotation = q;
        poses[i].position =
            point((double)from.x + t * (double)s->translation.x - (double)(q.c * r.x - q.s * r.y),
                  (double)from.y + t * (double)s->translation.y - (double)(q.s * r.x + q.c * r.y));
    }
    return (double)cn_distance(a, poses[0], b, poses[1]).distance;
}

static cn_sweep random_sweep(uint64_t *seed, double x) {
    return (cn_sweep){
        .start =
            cn_pose_at(point(x, random_between(seed, -1, 1)), (float)random_between(seed, -3, 3)),
        .center = point(random_between(seed, -0.2, 0.2), random_between(seed, -0.2, 0.2)),
        .translation = point(random_between(seed, -6, 6), random_between(seed, -3, 3)),
        .turn = (float)random_between(seed, -5, 5)};
}

// At the hit they touch, and at none of many times before it do they overlap.
static void times_of_impact_are_the_first_touch(void **state) {
    (void)state;
    uint64_t seed = 2;
    int hits = 0;
    for (int i = 0; i < 2000; i++) {
        cn_hull a = random_hull(&seed), b = random_hull(&seed);
        cn_sweep sa = random_sweep(&seed, -3), sb = random_sweep(&seed, 3);
        cn_ray_hit hit = cn_time_of_impact(&a, &sa, &b, &sb);
        double end = hit.hit ? (double)hit.fraction : 1;
        hits += hit.hit;
        if (hit.hit) assert_near(distance_at(&a, &sa, &b, &sb, end), 0, 1e-4);
        for (int k = 0; k < 100; k++)
            assert_true(distance_at(&a, &sa, &b, &sb, end * k / 100) > -1e-4);
    }
    assert_true(hits > 100 && hits < 1900);
}

static void casts_of_hulls_are_those_of_points_on_grown_hulls(void **state) {
    (void)state;
    uint64_t seed = 3;
    cn_pose home = cn_pose_at(point(0, 0), 0);
    for (int i = 0; i < 2000; i++) {
        float r = (float)random_between(&seed, 0.05, 1);
        cn_hull disc = cn_circle(r), box = cn_box(1, 0.5f), grown = cn_rounded_box(1, 0.5f, r);
        vec2s from = point(random_between(&seed, -6, 6), random_between(&seed, 2.5, 4));
        vec2s way = point(random_between(&seed, -9, 9), random_between(&seed, -9, 2));
        cn_ray_hit hit = cn_cast_hull(&disc, cn_pose_at(from, 0), way, &box, home);
        cn_ray_hit ray = cn_hull_cast_ray(&grown, from, way);
        assert_near((double)hit.fraction, (double)ray.fraction, 2e-3); // grazes are met early
        if (hit.hit && ray.hit) assert_near((double)hit.normal.y, (double)ray.normal.y, 5e-3);
    }
}

static void hulls_that_overlap_are_hit_at_once(void **state) {
    (void)state;
    cn_hull box = cn_box(1, 1);
    cn_pose home = cn_pose_at(point(0, 0), 0), near = cn_pose_at(point(0.5, 0), 0);
    cn_ray_hit hit = cn_cast_hull(&box, near, point(5, 0), &box, home);
    assert_true(hit.hit && hit.fraction == 0 && hit.normal.x == 0 && hit.normal.y == 0);
    assert_near((double)cn_distance(&box, near, &box, home).distance, -1.5, 1e-6);
}

static void bad_input_is_refused(void **state) {
    (void)state;
    const cn_hull box = cn_box(1, 1), none = {0};
    cn_pose home = cn_pose_at(point(0, 0), 0), bad = {.position = {{NAN, 0}}, .rotation = {1, 0}};
    cn_sweep still = {.start = home}, wild = {.start = home, .turn = INFINITY};
    cn_sweep lost = {.start = home, .translation = {{NAN, 0}}};
    cn_sweep off = {.start = home, .center = {{0, NAN}}};
    assert_true(cn_distance(&none, home, &box, home).normal.y == 0);
    assert_int_equal(cn_error_code(), CN_ERROR_SHAPE);
    assert_true(cn_distance(&box, bad, &box, home).normal.y == 0);
    assert_int_equal(cn_error_code(), CN_ERROR_NUMBER);
    REFUSES(CN_ERROR_HANDLE, cn_cast_hull(NULL, home, point(1, 0), &box, home));
    REFUSES(CN_ERROR_NUMBER, cn_cast_hull(&box, home, point(NAN, 0), &box, home));
    REFUSES(CN_ERROR_HANDLE, cn_time_of_impact(&box, NULL, &box, &still));
    REFUSES(CN_ERROR_NUMBER, cn_time_of_impact(&box, &wild, &box, &still));
    REFUSES(CN_ERROR_NUMBER, cn_time_of_impact(&box, &still, &box, &lost));
    REFUSES(CN_ERROR_NUMBER, cn_time_of_impact(&box, &off, &box, &still));
}

// ---- fast bodies

static cn_hull projectile(int i) {
    switch (i) {
    case 0: return cn_box(0.5f, 0.5f);
    case 1: return cn_circle(0.5f);
    case 2: return cn_capsule(point(0, -0.5), point(0, 0.5), 0.25f);
    case 3: return cn_box(0.5f, 0.01f);
    default: return cn_box(0.01f, 0.5f);
    }
}

// Seen from the wall (which may fly off), until some steps after the hit.
static bool gets_behind(cn_world *world, cn_body body, cn_body wall, double speed) {
    for (int step = 0, after = 0; step < 12 && after < 4; step++) {
        run(world, 1);
        vec2s seen = cn_pose_local_point(cn_body_pose(world, wall), cn_body_position(world, body));
        if (seen.x > 0) return true;
        after += fabs(motion_of(world, body).vx - speed) > 1e-3 * speed;
    }
    return false;
}

// Shoots it at a wall of 0.1 m, from another place in each phase; how many are behind it afterwards?
static int count_passes(int kind, double speed, double spin, cn_body_type type, float e) {
    int passes = 0;
    cn_material material = {.restitution = e, .frictionless = true};
    for (int phase = 0; phase < PHASES; phase++) {
        cn_world *world = make_world(0);
        cn_body wall = add(world, (cn_body_def){.type = type, .lock_rotation = true},
                           (cn_shape_def){.hull = cn_box(0.05f, 2), .material = material});
        double x = -1 - speed / 60 * (2 + (double)phase / PHASES);
        cn_body body = add(world,
                           (cn_body_def){.position = point(x, 0.1),
                                         .velocity = point(speed, 0),
                                         .angular_velocity = (float)spin},
                           (cn_shape_def){.hull = projectile(kind), .material = material});
        passes += gets_behind(world, body, wall, speed);
        cn_world_destroy(world);
    }
    return passes;
}

static void check_walls(cn_body_type type) {
    for (int kind = 0; kind < 5; kind++)
        for (double speed = 10; speed <= 10000; speed *= 10)
            for (int i = 0; i < 3; i++) {
                assert_int_equal(count_passes(kind, speed, 0, type, 0.5f * (float)i), 0);
                if (type == CN_STATIC)
                    assert_int_equal(count_passes(kind, speed, i == 0 ? 30 : 300, type, 0), 0);
            }
}

static void nothing_passes_a_thin_static_wall(void **state) {
    (void)state;
    check_walls(CN_STATIC);
}

static void nothing_passes_a_thin_dynamic_wall(void **state) {
    (void)state;
    check_walls(CN_DYNAMIC);
}

static void many_fast_balls_stop_at_a_kinematic_wall_at_rest(void **state) {
    (void)state;
    enum { BALLS = 60 };
    cn_world *world = make_world(0);
    cn_body balls[BALLS];
    add(world, (cn_body_def){.type = CN_KINEMATIC}, (cn_shape_def){.hull = cn_box(0.05f, 50)});
    for (int i = 0; i < BALLS; i++)
        balls[i] = add(world,
                       (cn_body_def){.position = point(-5 - 0.1 * (i % 7), i - 30.0),
                                     .velocity = point(100, 0)},
                       (cn_shape_def){.hull = cn_circle(0.1f)});
    run(world, 30);
    for (int i = 0; i < BALLS; i++) assert_true(motion_of(world, balls[i]).x < 0);
    cn_world_destroy(world);
}

static void boxes_head_on_do_not_pass_each_other(void **state) {
    (void)state;
    for (int phase = 0; phase < PHASES; phase++) {
        cn_world *world = make_world(0);
        double x = 3 + 0.2 * phase;
        cn_body a = add(world, (cn_body_def){.position = point(-x, 0), .velocity = point(100, 0)},
                        (cn_shape_def){.hull = cn_box(0.5f, 0.5f), .material = smooth});
        cn_body b = add(world, (cn_body_def){.position = point(x, 0.1), .velocity = point(-100, 0)},
                        (cn_shape_def){.hull = cn_box(0.5f, 0.5f), .material = smooth});
        run(world, 30);
        assert_true(motion_of(world, a).x < motion_of(world, b).x);
        assert_near(motion_of(world, a).vx + motion_of(world, b).vx, 0, 1e-3);
        cn_world_destroy(world);
    }
}

// In the step after the impact the body has its new velocity, and moves by it.
static void the_energy_after_a_hit_is_that_of_the_restitution(void **state) {
    (void)state;
    for (int i = 0; i < 3 * PHASES; i++) {
        double e = 0.5 * (i % 3), speed = 1000;
        cn_world *world = make_world(0);
        cn_material material = {.restitution = (float)e, .frictionless = true};
        add(world, (cn_body_def){.type = CN_STATIC},
            (cn_shape_def){.hull = cn_box(0.05f, 2), .material = material});
        cn_body ball = add(
            world, (cn_body_def){.position = point(-5 - 0.9 * i, 0), .velocity = point(speed, 0)},
            (cn_shape_def){.hull = cn_circle(0.5f), .material = material});
        for (int k = 0; k < 12; k++) {
            motion before = motion_of(world, ball);
            run(world, 1);
            motion after = motion_of(world, ball);
            assert_true(before.vx <= 0 || after.x > before.x + 1e-3 || after.vx <= 0);
            if (before.vx < -1) assert_near(after.x, before.x + seconds_of(1) * before.vx, 0.01);
        }
        assert_near(motion_of(world, ball).vx, -e * speed, 1e-3 * speed);
        cn_world_destroy(world);
    }
}

// A body that rests on something is not held by it, over flush tiles neither.
static void a_fast_box_slides_along_a_floor(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    for (int i = 0; i < 100; i++)
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(i, -0.5)},
            (cn_shape_def){.hull = cn_box(i ? 0.5f : 500, 0.5f), .material = smooth});
    cn_body box = add(world, (cn_body_def){.position = point(-80, 0.25)},
                      (cn_shape_def){.hull = cn_box(0.25f, 0.25f), .material = smooth});
    run(world, 30);
    assert_done(cn_body_set_velocity(world, box, point(50, 0)));
    double x = motion_of(world, box).x;
    run(world, 180);
    assert_near(motion_of(world, box).vx, 50, 0.01);
    assert_near(motion_of(world, box).x, x + 150, 0.1);
    cn_world_destroy(world);
}

static void a_spinning_rod_stays_above_the_floor(void **state) {
    (void)state;
    for (double spin = 10; spin <= 1000; spin *= 1.5) {
        cn_world *world = make_world(GRAVITY);
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(0, -0.05)},
            (cn_shape_def){.hull = cn_box(2000, 0.05f)});
        cn_body rod = add(world,
                          (cn_body_def){.position = point(0, 1.2),
                                        .velocity = point(3, -20),
                                        .angular_velocity = (float)spin},
                          (cn_shape_def){.hull = cn_box(1, 0.01f)});
        for (int i = 0; i < 300; i++) {
            run(world, 1);
            assert_true(motion_of(world, rod).y > -0.1);
        }
        cn_world_destroy(world);
    }
}

// A dumbbell whose middle is empty: the wall's end is between the two, and neither passes.
static void every_shape_of_a_compound_is_swept(void **state) {
    (void)state;
    for (int phase = 0; phase < PHASES; phase++) {
        cn_world *world = make_world(0);
        cn_body wall = add(world, (cn_body_def){.type = CN_STATIC, .position = point(0, 2)},
                           (cn_shape_def){.hull = cn_box(0.05f, 1.5f), .material = smooth});
        cn_body body = cn_body_create(world, &(cn_body_def){.position = point(-5 - 0.3 * phase, 0),
                                                            .velocity = point(400, 0),
                                                            .lock_rotation = true});
        for (int i = -1; i <= 1; i += 2) {
            cn_hull ball = cn_circle(0.2f);
            ball = cn_hull_at(&ball, cn_pose_at(point(0, i), 0));
            assert_done(
                cn_shape_create(world, body, &(cn_shape_def){.hull = ball, .material = smooth}).id);
        }
        run(world, 10);
        assert_true(motion_of(world, body).x < cn_body_position(world, wall).x);
        cn_world_destroy(world);
    }
}

static void a_bullet_stops_short_of_deep_overlap(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    add(world, (cn_body_def){.type = CN_STATIC},
        (cn_shape_def){.hull = cn_box(0.05f, 2), .material = smooth});
    cn_body box = add(world, (cn_body_def){.position = point(-2, 0), .bullet = true},
                      (cn_shape_def){.hull = cn_box(0.5f, 0.5f), .material = smooth});
    assert_true(cn_body_bullet(world, box));
    assert_done(cn_body_set_velocity(world, box, point(25, 0)));
    for (int i = 0; i < 20; i++) {
        run(world, 1);
        assert_true(motion_of(world, box).x < -0.55 + 0.1);
    }
    uint64_t hash = cn_world_hash(world);
    assert_done(cn_body_set_bullet(world, box, false));
    assert_false(cn_body_bullet(world, box));
    assert_true(cn_world_hash(world) != hash);
    cn_world_destroy(world);
}

// ---- rooms and bats

// A ground with a room: a square from -5 to 5 of tiles, or 24 segments around a circle of 5 m.
static void make_room(cn_world *world, bool tiles) {
    cn_body ground = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    static uint8_t solid[42 * 42];
    for (int i = 0; i < 42 * 42; i++)
        solid[i] = i % 42 == 0 || i % 42 == 41 || i / 42 == 0 || i / 42 == 41;
    if (tiles)
        assert_done(cn_tiles_create(world, ground,
                                    &(cn_tiles_def){.solid = solid,
                                                    .width = 42,
                                                    .height = 42,
                                                    .tile_size = 0.25f,
                                                    .origin = point(-5.25, -5.25)})
                        .id);
    for (int i = 0; i < 24 && !tiles; i++) {
        double x = 5, y = x * tan(PI / 24);
        cn_hull wall = cn_segment(point(x, -y), point(x, y));
        wall = cn_hull_at(&wall, cn_pose_at(point(0, 0), (float)(i * PI / 12)));
        assert_done(cn_shape_create(world, ground, &(cn_shape_def){.hull = wall}).id);
    }
}

// Throws a body about in a room, at up to so many m/s, tumbling; how often is it outside at the end?
static int count_escapes(bool tiles, int kind, double speed) {
    uint64_t seed = 17 + (uint64_t)kind;
    int escapes = 0;
    for (int i = 0; i < 60; i++) {
        cn_world *world = make_world(GRAVITY);
        double l = random_between(&seed, 0.1, 0.5), t = random_between(&seed, 0.0025, 0.01);
        const cn_hull hulls[] = {cn_box((float)l, (float)t),
                                 cn_capsule(point(-l, 0), point(l, 0), (float)t),
                                 cn_circle((float)l)};
        make_room(world, tiles);
        cn_body body =
            add(world, (cn_body_def){.no_sleep = true}, (cn_shape_def){.hull = hulls[kind]});
        for (int k = 0; k < 4; k++) {
            double v = random_between(&seed, 0.01, 1) * speed, a = random_between(&seed, 0, 2 * PI);
            assert_done(cn_body_set_velocity(world, body, point(v * cos(a), v * sin(a))));
            assert_done(
                cn_body_set_angular_velocity(world, body, (float)random_between(&seed, -100, 100)));
            run(world, 20);
        }
        motion m = motion_of(world, body);
        escapes += tiles ? fmax(fabs(m.x), fabs(m.y)) > 5 : hypot(m.x, m.y) > 5.1;
        cn_world_destroy(world);
    }
    return escapes;
}

static void rods_that_tumble_stay_in_a_ring_of_segments(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++)
        for (double speed = 50; speed <= 5000; speed *= 10)
            assert_int_equal(count_escapes(false, kind, speed), 0);
}

// An impact within the step sends it where no tile was expected to be met.
static void nothing_leaves_a_room_of_tiles(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++)
        for (double speed = 50; speed <= 5000; speed *= 10)
            assert_int_equal(count_escapes(true, kind, speed), 0);
}

// At rest or thrown at it; the wall comes to meet the ball, or follows it.
static void a_kinematic_wall_passes_nothing(void **state) {
    (void)state;
    for (int i = 0; i < 3 * PHASES; i++) {
        double speed = i % 3 == 0 ? 0 : i % 3 == 1 ? 50 : 1000, x = 2 + 0.3 * i;
        cn_world *world = make_world(0);
        cn_body wall = add(world, (cn_body_def){.type = CN_KINEMATIC, .velocity = point(50, 0)},
                           (cn_shape_def){.hull = cn_box(0.05f, 4)});
        cn_body ball =
            add(world, (cn_body_def){.position = point(x, 0.1), .velocity = point(-speed, 0)},
                (cn_shape_def){.hull = cn_circle(0.1f), .material = smooth});
        run(world, 60);
        assert_true(motion_of(world, ball).x > motion_of(world, wall).x);
        assert_true(motion_of(world, ball).vx > 49);
        cn_world_destroy(world);
    }
}

// It turns about its end and takes what it meets along until that leaves it.
static void a_bat_passes_nothing(void **state) {
    (void)state;
    for (int i = 0; i < 3 * PHASES; i++) {
        cn_world *world = make_world(0);
        cn_hull bar = cn_box(0.05f, 2);
        bar = cn_hull_at(&bar, cn_pose_at(point(0, 2), 0));
        cn_body bat = add(world, (cn_body_def){.type = CN_KINEMATIC, .angular_velocity = -15},
                          (cn_shape_def){.hull = bar});
        cn_body ball = add(world,
                           (cn_body_def){.position = point(1.2 + 0.02 * i, 2.5),
                                         .velocity = point(-20 * (i % 3), 0)},
                           (cn_shape_def){.hull = cn_circle(0.1f), .material = smooth});
        run(world, 4);
        vec2s seen = cn_pose_local_point(cn_body_pose(world, bat), cn_body_position(world, ball));
        assert_true(seen.x > 0);
        cn_world_destroy(world);
    }
}

static void a_velocity_that_was_just_set_looks_ahead(void **state) {
    (void)state;
    for (int i = 0; i < PHASES; i++) {
        cn_world *world = make_world(0);
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(0, -1)},
            (cn_shape_def){.hull = cn_box(50, 1)});
        cn_body ball = add(world, (cn_body_def){.position = point(0, 0.6 + 0.015 * i)},
                           (cn_shape_def){.hull = cn_circle(0.5f)});
        run(world, 10);
        assert_done(cn_body_set_velocity(world, ball, point(3, -25)));
        run(world, 1);
        assert_true(motion_of(world, ball).y > 0.49);
        cn_world_destroy(world);
    }
}

// It was at rest, near the wall, and had no contact with that: it got in by up to three quarters of its radius.
static void what_is_struck_stops_at_the_wall_behind_it(void **state) {
    (void)state;
    for (int box = 0; box < 2; box++)
        for (int i = 0; i < 60; i++) {
            const double r = 0.1, gap = 0.002 * i, speed = 12 + i % 3 * 9;
            cn_world *world = make_world(0);
            add(world, (cn_body_def){.type = CN_STATIC, .position = point(1, 0)},
                (cn_shape_def){.hull = cn_box(1, 5)});
            cn_shape_def shape = {.hull = box ? cn_box((float)r, (float)r) : cn_circle((float)r)};
            cn_body_def def = {.position = point(-r - gap, 0)};
            cn_body struck = add(world, def, shape);
            def.position = point(-3 * r - gap - 0.013 * i, 0), def.velocity = point(speed, 0);
            add(world, def, shape);
            double depth = 0;
            for (int k = 0; k < 30; k++) {
                run(world, 1);
                depth = fmax(depth, motion_of(world, struck).x + r);
            }
            if (depth > 0.25 * r) fail_msg("gap %g m, %g m/s: %g m deep", gap, speed, depth);
            cn_world_destroy(world);
        }
}

static void the_pose_on_a_sweep_turns_about_its_centre(void **state) {
    (void)state;
    const cn_sweep sweep = {.start = cn_pose_at(point(3, 1), 0.5f),
                            .center = point(1, 2),
                            .translation = point(-4, 6),
                            .turn = -3};
    vec2s first = cn_pose_point(sweep.start, sweep.center);
    for (float f = 0; f <= 1; f += 0.125f) {
        cn_pose pose = cn_sweep_pose(&sweep, f);
        vec2s center = cn_pose_point(pose, sweep.center);
        assert_near((double)center.x, (double)(first.x - 4 * f), 1e-5);
        assert_near((double)center.y, (double)(first.y + 6 * f), 1e-5);
        assert_near((double)cn_rotation_angle(pose.rotation), 0.5 - 3 * (double)f, 1e-6);
    }
    REFUSES(CN_ERROR_RANGE, cn_sweep_pose(&sweep, 1.5f));
    REFUSES(CN_ERROR_HANDLE, cn_sweep_pose(NULL, 0.5f));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_agree_with_brute_force),
        cmocka_unit_test(times_of_impact_are_the_first_touch),
        cmocka_unit_test(casts_of_hulls_are_those_of_points_on_grown_hulls),
        cmocka_unit_test(hulls_that_overlap_are_hit_at_once),
        cmocka_unit_test(the_pose_on_a_sweep_turns_about_its_centre),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(nothing_passes_a_thin_static_wall),
        cmocka_unit_test(nothing_passes_a_thin_dynamic_wall),
        cmocka_unit_test(many_fast_balls_stop_at_a_kinematic_wall_at_rest),
        cmocka_unit_test(boxes_head_on_do_not_pass_each_other),
        cmocka_unit_test(the_energy_after_a_hit_is_that_of_the_restitution),
        cmocka_unit_test(a_fast_box_slides_along_a_floor),
        cmocka_unit_test(a_spinning_rod_stays_above_the_floor),
        cmocka_unit_test(every_shape_of_a_compound_is_swept),
        cmocka_unit_test(a_bullet_stops_short_of_deep_overlap),
        cmocka_unit_test(rods_that_tumble_stay_in_a_ring_of_segments),
        cmocka_unit_test(nothing_leaves_a_room_of_tiles),
        cmocka_unit_test(a_kinematic_wall_passes_nothing),
        cmocka_unit_test(a_bat_passes_nothing),
        cmocka_unit_test(a_velocity_that_was_just_set_looks_ahead),
        cmocka_unit_test(what_is_struck_stops_at_the_wall_behind_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
