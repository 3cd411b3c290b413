/* Crossings of the outlines of two hulls and of two boxes. */
#include "../../support/clip_oracle.h"

// Counts the points of a very fine outline at which the distance from the other hull changes sign.
static int count_sign_changes(const hull_pair *pair, place *changes, double *closest) {
    place zero = {0, 0};
    static polygon coarse;
    coarse = trace(&pair->a, pair->pose_a, zero, false);
    int count = 0;
    double last = height_over(&pair->b, pair->pose_b, coarse.p[0]), before = last;
    *closest = INFINITY; // the least distance at a local extreme; about 0 if the outlines touch
    for (int i = 0; i < coarse.count; i++) {
        place a = coarse.p[i], b = coarse.p[(i + 1) % coarse.count];
        int steps = 1 + (int)(hypot(b.x - a.x, b.y - a.y) / 0.002);
        for (int k = 1; k <= steps; k++) {
            double t = (double)k / steps;
            place p = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
            double height = height_over(&pair->b, pair->pose_b, p);
            if ((height < 0) != (last < 0) && count < 64) changes[count++] = p;
            if ((last - before) * (height - last) <= 0) *closest = fmin(*closest, fabs(last));
            before = last, last = height;
        }
    }
    return count;
}

static void outlines_cross_where_one_enters_or_leaves_the_other(void **state) {
    (void)state;
    random_source source = {SEED};
    int compared = 0;
    for (int i = 0; i < 1500; i++) {
        hull_pair pair = random_pair(&source);
        if (is_segment(&pair.a) || is_segment(&pair.b)) continue;
        place changes[64];
        double closest;
        int expected = count_sign_changes(&pair, changes, &closest);
        if (closest < 1e-3 || expected > 60) continue; // they touch, nearly touch, or coincide
        compared++;
        vec2s p[64];
        int count = cn_hull_crossings(&pair.a, pair.pose_a, &pair.b, pair.pose_b, p, 64);
        check(count == expected, "number", i);
        int start = 0; // both lists go around the outline, but they begin at different points
        for (int k = 1; k < count; k++)
            if (hypot((double)p[k].x - changes[0].x, (double)p[k].y - changes[0].y) <
                hypot((double)p[start].x - changes[0].x, (double)p[start].y - changes[0].y))
                start = k;
        for (int k = 0; k < count; k++) {
            vec2s q = p[(start + k) % count];
            check(hypot((double)q.x - changes[k].x, (double)q.y - changes[k].y) < 0.01, "place", i);
        }
    }
    assert_true(compared > 400);
}

static void crossings_lie_on_both_outlines_in_either_order_of_the_hulls(void **state) {
    (void)state;
    random_source source = {SEED};
    int found = 0;
    for (int i = 0; i < 10000; i++) {
        hull_pair p = random_pair(&source);
        vec2s ab[64], ba[64];
        int n = cn_hull_crossings(&p.a, p.pose_a, &p.b, p.pose_b, ab, 64);
        int k = cn_hull_crossings(&p.b, p.pose_b, &p.a, p.pose_a, ba, 64);
        check(n == k && n <= 64, "number", i);
        found += n;
        for (int j = 0; j < n; j++) {
            place q = {ab[j].x, ab[j].y};
            check(fabs(height_over(&p.a, p.pose_a, q)) < 2e-6, "not on A", i);
            check(fabs(height_over(&p.b, p.pose_b, q)) < 2e-6, "not on B", i);
            float nearest = INFINITY;
            for (int m = 0; m < n; m++) nearest = fminf(nearest, glms_vec2_distance(ab[j], ba[m]));
            check(nearest < 2e-6f, "not a crossing of B and A", i);
        }
    }
    assert_true(found > 10000);
}

static void assert_points(const char *what, const vec2s *p, int count, const vec2s *expected,
                          int expected_count) {
    bool same = count == expected_count;
    for (int i = 0; i < count && same; i++) same = glms_vec2_distance(p[i], expected[i]) < 1e-6f;
    if (same) return;
    print_error("%s: %d points:", what, count);
    for (int i = 0; i < count; i++) print_error(" (%g, %g)", p[i].x, p[i].y);
    print_error("\n");
    fail();
}

#define CROSSES(a, pose_a, b, pose_b, n, ...)                                                      \
    do {                                                                                           \
        cn_hull a_ = (a), b_ = (b);                                                                \
        vec2s p_[16], expected_[] = {__VA_ARGS__};                                                 \
        int count_ = cn_hull_crossings(&a_, pose_a, &b_, pose_b, p_, 16);                          \
        assert_points(#a " and " #b, p_, count_, expected_, n);                                    \
    } while (0)

static void known_outlines_cross_at_the_known_points(void **state) {
    (void)state;
    cn_hull box = cn_box(1, 1), circle = cn_circle(1), s = cn_segment(cn_vec(-2, 0), cn_vec(2, 0));
    cn_hull round = cn_rounded_box(1, 1, 0.5f);
    cn_pose o = at(0, 0), up = {{{0, 0}}, {0, 1}};
    CROSSES(box, o, box, at(1, 1), 2, {{1, 0}}, {{0, 1}});
    CROSSES(box, o, box, at(2, 1), 2, {{1, 0}}, {{1, 1}}); // along an edge
    CROSSES(box, o, box, at(1, 0), 4, {{0, -1}}, {{1, -1}}, {{1, 1}}, {{0, 1}});
    CROSSES(box, o, box, at(2, 2), 1, {{1, 1}});
    CROSSES(box, o, box, up, 0, {{0, 0}}); // identical
    CROSSES(round, o, round, at(1, 0), 4, {{0, -1.5f}}, {{1, -1.5f}}, {{1, 1.5f}}, {{0, 1.5f}});
    CROSSES(circle, o, circle, at(2, 0), 1, {{1, 0}});
    CROSSES(circle, o, cn_circle(0.5f), at(0.5f, 0), 1, {{1, 0}}); // from inside
    CROSSES(circle, o, cn_circle(0.5f), at(0.25f, 0), 0, {{0, 0}});
    CROSSES(circle, o, box, o, 4, {{0, -1}}, {{1, 0}}, {{0, 1}}, {{-1, 0}});
    CROSSES(box, o, circle, o, 4, {{0, -1}}, {{1, 0}}, {{0, 1}}, {{-1, 0}});
    CROSSES(s, o, box, o, 2, {{-1, 0}}, {{1, 0}});
    CROSSES(box, o, s, o, 2, {{1, 0}}, {{-1, 0}});
    CROSSES(s, o, s, up, 1, {{0, 0}});
    CROSSES(s, o, s, at(3, 0), 2, {{1, 0}}, {{2, 0}});
    CROSSES(s, o, s, at(4, 0), 1, {{2, 0}});
    CROSSES(s, o, s, o, 0, {{0, 0}});
    CROSSES(s, at(0, 1), box, o, 2, {{-1, 1}}, {{1, 1}});
    CROSSES(s, o, circle, o, 2, {{-1, 0}}, {{1, 0}});
    CROSSES(s, at(2.5f, 0), box, o, 1, {{1, 0}}); // its end is inside
}

#undef CROSSES

static cn_bounds box_of(float x0, float y0, float x1, float y1) {
    return (cn_bounds){cn_vec(x0, y0), cn_vec(x1, y1)};
}

#define BOXES_CROSS(a, b, n, ...)                                                                  \
    do {                                                                                           \
        vec2s p_[16], expected_[] = {__VA_ARGS__};                                                 \
        int count_ = cn_bounds_crossings(a, b, p_, 16);                                            \
        assert_points(#a " and " #b, p_, count_, expected_, n);                                    \
    } while (0)

static void boxes_cross_as_their_outlines_do(void **state) {
    (void)state;
    cn_bounds unit = box_of(0, 0, 1, 1);
    BOXES_CROSS(unit, box_of(0.5f, 0.5f, 2, 2), 2, {{1, 0.5f}}, {{0.5f, 1}});
    BOXES_CROSS(unit, box_of(-1, 0.25f, 2, 0.75f), 4, {{1, 0.25f}}, {{1, 0.75f}}, {{0, 0.75f}},
                {{0, 0.25f}});
    BOXES_CROSS(unit, unit, 0, {{0, 0}});
    BOXES_CROSS(unit, box_of(0.25f, 0.25f, 0.5f, 0.5f), 0, {{0, 0}});
    BOXES_CROSS(unit, box_of(2, 2, 3, 3), 0, {{0, 0}});
    BOXES_CROSS(unit, box_of(1, 1, 3, 3), 1, {{1, 1}});
    BOXES_CROSS(unit, box_of(1, 0.25f, 3, 3), 2, {{1, 0.25f}}, {{1, 1}});
    BOXES_CROSS(unit, box_of(0, 0, 0.5f, 0.5f), 2, {{0.5f, 0}}, {{0, 0.5f}});
    BOXES_CROSS(unit, box_of(0.5f, -1, 0.5f, 2), 2, {{0.5f, 0}}, {{0.5f, 1}}); // flat
    BOXES_CROSS(unit, box_of(0.5f, 0, 0.5f, 0), 1, {{0.5f, 0}});               // a point
    BOXES_CROSS(unit, box_of(0.5f, 0.5f, 0.5f, 0.5f), 0, {{0, 0}});
    BOXES_CROSS(box_of(-1e6f, 0, 1e6f, 1), box_of(0, -1e6f, 1, 1e6f), 4, {{0, 0}}, {{1, 0}},
                {{1, 1}}, {{0, 1}});
}

#undef BOXES_CROSS

// ---- mistakes

static void crossings_of_bad_hulls_poses_and_boxes_are_refused(void **state) {
    (void)state;
    cn_hull box = cn_box(1, 1);
    cn_pose o = at(0, 0), longer = {.rotation = {2, 0}};
    vec2s p = {{7, 7}};
    REFUSES(CN_ERROR_HANDLE, cn_hull_crossings(&box, o, NULL, o, &p, 1));
    REFUSES(CN_ERROR_RANGE, cn_hull_crossings(&box, longer, &box, o, &p, 1));
    REFUSES(CN_ERROR_RANGE, cn_hull_crossings(&box, o, &box, o, &p, -1));
    REFUSES(CN_ERROR_HANDLE, cn_hull_crossings(&box, o, &box, o, NULL, 2));
    cn_bounds unit = box_of(0, 0, 1, 1);
    REFUSES(CN_ERROR_RANGE, cn_bounds_crossings(unit, box_of(1, 0, 0, 1), &p, 1));
    REFUSES(CN_ERROR_NUMBER, cn_bounds_crossings(box_of(NAN, 0, 0, 1), unit, &p, 1));
    REFUSES(CN_ERROR_RANGE, cn_bounds_crossings(unit, unit, &p, -1));
    REFUSES(CN_ERROR_HANDLE, cn_bounds_crossings(unit, unit, NULL, 1));
    assert_true(p.x == 7 && p.y == 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(outlines_cross_where_one_enters_or_leaves_the_other),
        TEST(crossings_lie_on_both_outlines_in_either_order_of_the_hulls),
        TEST(known_outlines_cross_at_the_known_points),
        TEST(boxes_cross_as_their_outlines_do),
        TEST(crossings_of_bad_hulls_poses_and_boxes_are_refused),
    };
    return cmocka_run_group_tests_name("clip", tests, NULL, NULL);
}
