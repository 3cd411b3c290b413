/* Distances, casts and times of impact of two hulls, against brute force in double precision. */
#include "../../support/refuse.h"

// ---- brute force

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

// The interval of the corners along a direction, including the radius.
static void shadow(const cn_hull *hull, const corners *c, double nx, double ny, double *interval) {
    interval[0] = INFINITY, interval[1] = -INFINITY;
    for (int i = 0; i < hull->count; i++) {
        interval[0] = fmin(interval[0], nx * c->x[i] + ny * c->y[i] - (double)hull->radius);
        interval[1] = fmax(interval[1], nx * c->x[i] + ny * c->y[i] + (double)hull->radius);
    }
}

// The signed separation along one direction. The signed distance is the greatest over all
// directions.
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
        for (int round = 0; round < 5; round++, width /= 8) { // refine about the best direction
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
    case 0: return cn_circle((float)fmax(random_between(seed, -0.3, 1), 0)); // 0: a point
    case 1: return cn_capsule(point(-0.7, 0.1), point(0.8, 0.2), 0.3f);
    case 2: return cn_box((float)random_between(seed, 0.01, 1), 0.5f);
    case 3: return cn_rounded_box(0.4f, 0.2f, 0.1f);
    default: return cn_regular_polygon((int)random_between(seed, 3, 8.99), 0.8f);
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
        cn_gap gap = cn_hull_distance(&a, at[0], &b, at[1]);
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
    return (double)cn_hull_distance(a, poses[0], b, poses[1]).distance;
}

static cn_sweep random_sweep(uint64_t *seed, double x) {
    return (cn_sweep){
        .start =
            cn_pose_at(point(x, random_between(seed, -1, 1)), (float)random_between(seed, -3, 3)),
        .center = point(random_between(seed, -0.2, 0.2), random_between(seed, -0.2, 0.2)),
        .translation = point(random_between(seed, -6, 6), random_between(seed, -3, 3)),
        .turn = (float)random_between(seed, -5, 5)};
}

// At the time of the hit the hulls touch, and at none of 100 earlier times do they overlap.
static void times_of_impact_are_the_first_touch(void **state) {
    (void)state;
    uint64_t seed = 2;
    int hits = 0;
    for (int i = 0; i < 2000; i++) {
        cn_hull a = random_hull(&seed), b = random_hull(&seed);
        cn_sweep sa = random_sweep(&seed, -3), sb = random_sweep(&seed, 3);
        cn_ray_hit hit = cn_hull_time_of_impact(&a, &sa, &b, &sb);
        double end = hit.hit ? (double)hit.fraction : 1;
        hits += hit.hit;
        if (hit.hit) assert_near(distance_at(&a, &sa, &b, &sb, end), 0, 1e-4);
        for (int k = 0; k < 100; k++)
            assert_true(distance_at(&a, &sa, &b, &sb, end * k / 100) > -1e-4);
    }
    assert_true(hits > 100 && hits < 1900);
}

static void a_cast_of_a_disc_equals_a_cast_of_its_centre_against_the_grown_hull(void **state) {
    (void)state;
    uint64_t seed = 3;
    cn_pose home = cn_pose_at(point(0, 0), 0);
    for (int i = 0; i < 2000; i++) {
        float r = (float)random_between(&seed, 0.05, 1);
        cn_hull disc = cn_circle(r), box = cn_box(1, 0.5f), grown = cn_rounded_box(1, 0.5f, r);
        vec2s from = point(random_between(&seed, -6, 6), random_between(&seed, 2.5, 4));
        vec2s translation = point(random_between(&seed, -9, 9), random_between(&seed, -9, 2));
        cn_ray_hit hit = cn_hull_cast(&disc, cn_pose_at(from, 0), translation, &box, home);
        cn_ray_hit ray = cn_hull_cast_ray(grown, from, translation);
        assert_near((double)hit.fraction, (double)ray.fraction, 2e-3); // grazes are early
        if (hit.hit && ray.hit) assert_near((double)hit.normal.y, (double)ray.normal.y, 5e-3);
    }
}

static void hulls_that_overlap_are_hit_at_once(void **state) {
    (void)state;
    cn_hull box = cn_box(1, 1);
    cn_pose home = cn_pose_at(point(0, 0), 0), near = cn_pose_at(point(0.5, 0), 0);
    cn_ray_hit hit = cn_hull_cast(&box, near, point(5, 0), &box, home);
    assert_true(hit.hit && hit.fraction == 0 && hit.normal.x == 0 && hit.normal.y == 0);
    assert_near((double)cn_hull_distance(&box, near, &box, home).distance, -1.5, 1e-6);
}

static void the_pose_on_a_sweep_turns_about_its_centre(void **state) {
    (void)state;
    const cn_sweep sweep = {.start = cn_pose_at(point(3, 1), 0.5f),
                            .center = point(1, 2),
                            .translation = point(-4, 6),
                            .turn = -3};
    vec2s first = cn_pose_point(sweep.start, sweep.center);
    for (float f = 0; f <= 1; f += 0.125f) {
        cn_pose pose = cn_sweep_pose(sweep, f);
        vec2s center = cn_pose_point(pose, sweep.center);
        assert_near((double)center.x, (double)(first.x - 4 * f), 1e-5);
        assert_near((double)center.y, (double)(first.y + 6 * f), 1e-5);
        assert_near((double)cn_rotation_angle(pose.rotation), 0.5 - 3 * (double)f, 1e-6);
    }
    REFUSES(CN_ERROR_RANGE, cn_sweep_pose(sweep, 1.5f));
}

static bool same(vec2s a, vec2s b) { return glms_vec2_eqv(a, b); }

static void a_pose_without_rotation_is_not_turned(void **state) {
    (void)state;
    const cn_hull box = cn_box(1, 2), disc = cn_circle(0.5f);
    for (int i = 0; i < 20; i++) {
        cn_pose at = {.position = point(0.3 * i, 1)}, as = cn_pose_at(at.position, 0);
        cn_pose other = cn_pose_at(point(2, 0.2), (float)i);
        cn_bounds bounds = cn_hull_bounds(box, at), expected = cn_hull_bounds(box, as);
        assert_true(same(bounds.lower, expected.lower) && same(bounds.upper, expected.upper));
        vec2s axis = point(0.6, 0.8);
        assert_true(same(cn_hull_project(box, at, axis), cn_hull_project(box, as, axis)));
        cn_hull moved = cn_hull_at(box, at), placed = cn_hull_at(box, as);
        for (int k = 0; k < 4; k++) assert_true(same(moved.vertices[k], placed.vertices[k]));
        cn_manifold m = cn_hull_collide(&box, at, &disc, other, 9),
                    n = cn_hull_collide(&box, as, &disc, other, 9);
        assert_true(m.count == 1 && same(m.points[0].point, n.points[0].point));
        m = cn_hull_collide(&disc, other, &box, at, 9),
        n = cn_hull_collide(&disc, other, &box, as, 9);
        assert_true(m.count == 1 && same(m.points[0].point, n.points[0].point));
        assert_true(same(cn_hull_distance(&box, at, &disc, other).point_a,
                         cn_hull_distance(&box, as, &disc, other).point_a));
        assert_true(same(cn_hull_mtv(&disc, other, &box, at).translation,
                         cn_hull_mtv(&disc, other, &box, as).translation));
        assert_true(same(cn_hull_cast(&box, at, point(5, 0), &disc, other).point,
                         cn_hull_cast(&box, as, point(5, 0), &disc, other).point));
        cn_sweep sweep = {.start = at, .center = point(1, 0), .turn = 2}, still = {.start = other};
        cn_sweep turned = sweep;
        turned.start = as;
        assert_true(same(cn_hull_time_of_impact(&box, &sweep, &disc, &still).point,
                         cn_hull_time_of_impact(&box, &turned, &disc, &still).point));
        cn_pose end = cn_sweep_pose(sweep, 0.3f), equal = cn_sweep_pose(turned, 0.3f);
        assert_memory_equal(&end, &equal, sizeof end);
    }
}

static void bad_input_is_refused(void **state) {
    (void)state;
    const cn_hull box = cn_box(1, 1), none = {0};
    cn_pose home = cn_pose_at(point(0, 0), 0), bad = {.position = {{NAN, 0}}, .rotation = {1, 0}};
    cn_sweep still = {.start = home}, wild = {.start = home, .turn = INFINITY};
    cn_sweep lost = {.start = home, .translation = {{NAN, 0}}};
    cn_sweep off = {.start = home, .center = {{0, NAN}}};
    assert_true(cn_hull_distance(&none, home, &box, home).normal.y == 0);
    assert_int_equal(cn_error_code(), CN_ERROR_SHAPE);
    assert_true(cn_hull_distance(&box, bad, &box, home).normal.y == 0);
    assert_int_equal(cn_error_code(), CN_ERROR_NUMBER);
    REFUSES(CN_ERROR_HANDLE, cn_hull_cast(NULL, home, point(1, 0), &box, home));
    REFUSES(CN_ERROR_NUMBER, cn_hull_cast(&box, home, point(NAN, 0), &box, home));
    REFUSES(CN_ERROR_HANDLE, cn_hull_time_of_impact(&box, NULL, &box, &still));
    REFUSES(CN_ERROR_NUMBER, cn_hull_time_of_impact(&box, &wild, &box, &still));
    REFUSES(CN_ERROR_NUMBER, cn_hull_time_of_impact(&box, &still, &box, &lost));
    REFUSES(CN_ERROR_NUMBER, cn_hull_time_of_impact(&box, &off, &box, &still));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_agree_with_brute_force),
        cmocka_unit_test(times_of_impact_are_the_first_touch),
        cmocka_unit_test(a_cast_of_a_disc_equals_a_cast_of_its_centre_against_the_grown_hull),
        cmocka_unit_test(hulls_that_overlap_are_hit_at_once),
        cmocka_unit_test(the_pose_on_a_sweep_turns_about_its_centre),
        cmocka_unit_test(a_pose_without_rotation_is_not_turned),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
