/* Decomposed outlines, checked by measures of the hulls: their areas by the shoelace formula, the
 * points that they contain, and their number. */
#include "known_outlines.h"
#include "../../support/slow.h"

enum { MAX_HULLS = 1024, SEEDS = 1000 / SLOW };

static random_outlines made;
static cn_hull hulls[MAX_HULLS];

static int decompose(const random_outlines *o) {
    int count = cn_outline_decompose(o->outlines, o->count, 0, hulls, MAX_HULLS);
    if (count == 0) print_error("%s\n", cn_error());
    assert_true(count > 0 && count <= MAX_HULLS);
    return count;
}

static uint64_t state = 41;

static double random_fraction(void) { // 0..1
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 33) / 2147483648.0;
}

static vec2s random_point(double low, double high) {
    float x = (float)(low + (high - low) * random_fraction());
    return cn_vec(x, (float)(low + (high - low) * random_fraction()));
}

// ---- measures

static double shoelace(const vec2s *p, int n) {
    double sum = 0;
    for (int i = 1; i + 1 < n; i++)
        sum += cn_cross2d(cn_between(p[0], p[i]), cn_between(p[0], p[i + 1]));
    return sum / 2;
}

static double area_of_outlines(const cn_outline *outlines, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        double area = fabs(shoelace(outlines[i].points, outlines[i].count));
        sum += i == 0 ? area : -area;
    }
    return sum;
}

static double area_of_hulls(int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += shoelace(hulls[i].vertices, hulls[i].count);
    return sum;
}

// Returns the signed height of p above the edge a -> b, positive on its left.
static double height(vec2s a, vec2s b, vec2s p) {
    cn_vec2d e = cn_between(a, b);
    return cn_cross2d(e, cn_between(a, p)) / sqrt(cn_dot2d(e, e));
}

static void check_hull(const cn_hull *hull) {
    assert_true(hull->count >= 3 && hull->count <= CN_MAX_VERTICES && cn_hull_check(hull));
    for (int i = 0; i < hull->count; i++)
        for (int k = 0; k < hull->count; k++)
            if (k != i && k != (i + 1) % hull->count)
                assert_true(height(hull->vertices[i], hull->vertices[(i + 1) % hull->count],
                                   hull->vertices[k]) > 0);
}

// Counts the points and reflex corners of an outline. Points that lie on the line between their
// neighbours to within rounding do not count.
static void count_corners(cn_outline outline, bool is_hole, int *points, int *reflex) {
    static vec2s kept[CN_MAX_OUTLINE_POINTS];
    float reach = 0;
    int n = 0, m = outline.count;
    for (int i = 0; i < m; i++)
        reach = cn_max(reach, cn_max(cn_abs(outline.points[i].x), cn_abs(outline.points[i].y)));
    for (int i = 0; i < m; i++) {
        vec2s before = n > 0 ? kept[n - 1] : outline.points[m - 1], p = outline.points[i];
        if (fabs(height(before, outline.points[(i + 1) % m], p)) > 2.4e-7 * (double)reach)
            kept[n++] = p;
    }
    bool clockwise = (shoelace(kept, n) < 0) != is_hole;
    for (int i = 0; i < n; i++)
        *reflex += (height(kept[i], kept[(i + 1) % n], kept[(i + 2) % n]) < 0) != clockwise;
    *points += n;
}

static int find_bound(const random_outlines *o) {
    int n = 0, r = 0;
    for (int i = 0; i < o->count; i++) count_corners(o->outlines[i], i > 0, &n, &r);
    return 2 * cn_max_int((r + 1) / 2 + 1, (n + 3) / 6);
}

static double distance_to_edge(vec2s p, vec2s a, vec2s b) {
    cn_vec2d e = cn_between(a, b), to = cn_between(a, p);
    double t = fmin(1, fmax(0, cn_dot2d(e, to) / cn_dot2d(e, e)));
    return hypot(to.x - t * e.x, to.y - t * e.y);
}

static double distance_to_outlines(const random_outlines *o, vec2s p) {
    double least = INFINITY;
    for (int i = 0; i < o->count; i++)
        for (int k = 0; k < o->outlines[i].count; k++)
            least = fmin(least,
                         distance_to_edge(p, o->outlines[i].points[k],
                                          o->outlines[i].points[(k + 1) % o->outlines[i].count]));
    return least;
}

static bool is_inside(const random_outlines *o, vec2s p) {
    bool inside = false;
    for (int i = 0; i < o->count; i++)
        for (int k = 0, n = o->outlines[i].count; k < n; k++) {
            vec2s a = o->outlines[i].points[k], b = o->outlines[i].points[(k + 1) % n];
            if ((a.y > p.y) != (b.y > p.y) && (height(a, b, p) > 0) == (a.y < b.y))
                inside = !inside;
        }
    return inside;
}

// Returns the number of hulls that contain the point at this depth or deeper.
static int count_around(int count, vec2s p, double depth) {
    int around = 0;
    for (int i = 0; i < count; i++) {
        bool in = true;
        for (int k = 0; k < hulls[i].count && in; k++)
            in = height(hulls[i].vertices[k], hulls[i].vertices[(k + 1) % hulls[i].count], p) >=
                 depth;
        around += in;
    }
    return around;
}

// ---- random outlines

static void make_and_place(int family, int seed) {
    const float scales[] = {1, 1e-3f, 1e4f, 30};
    make_random_outlines(&made, (outline_family)family, (uint64_t)seed);
    place_outlines(&made, scales[seed % 4], (float)seed,
                   seed % 8 == 3 ? cn_vec(700, -400) : cn_vec(0, 0));
}

static void random_outlines_become_few_convex_hulls_of_the_same_area(void **unused) {
    (void)unused;
    for (int family = 0; family < OUTLINE_FAMILIES; family++) {
        int histogram[5] = {0}, failures = 0; // counts by quarters of the bound
        for (int seed = 0; seed < SEEDS; seed++) {
            make_and_place(family, seed);
            int count = decompose(&made), bound = find_bound(&made);
            for (int i = 0; i < count; i++) check_hull(&hulls[i]);
            double area = area_of_outlines(made.outlines, made.count);
            histogram[count > bound ? 4 : 4 * count / (bound + 1)]++;
            if (count <= bound && fabs(area_of_hulls(count) - area) <= 1e-5 * area) continue;
            print_error("%s, seed %d: %d hulls, bound %d; area %.9g of %.9g\n",
                        outline_family_names[family], seed, count, bound, area_of_hulls(count),
                        area);
            failures++;
        }
        if (failures)
            print_error("%s: %d %d %d %d quarters of the bound, %d over it\n",
                        outline_family_names[family], histogram[0], histogram[1], histogram[2],
                        histogram[3], histogram[4]);
        assert_int_equal(failures, 0);
    }
}

static void a_point_inside_is_in_one_hull_and_one_outside_in_none(void **unused) {
    (void)unused;
    for (int seed = 0; seed < 40 * OUTLINE_FAMILIES; seed++) {
        make_random_outlines(&made, (outline_family)(seed % OUTLINE_FAMILIES), (uint64_t)seed);
        int count = decompose(&made);
        for (int i = 0; i < 200; i++) {
            vec2s p = random_point(-1.2, 1.2);
            bool inside = is_inside(&made, p);
            if (distance_to_outlines(&made, p) < 1e-5) continue;
            int at_least = count_around(count, p, 1e-6), at_most = count_around(count, p, -1e-6);
            if (at_least <= inside && at_most >= inside) continue;
            print_error("seed %d: (%g, %g) is in %d to %d hulls\n", seed, p.x, p.y, at_least,
                        at_most);
            fail();
        }
    }
}

// Beside each edge of a hull is another hull or the outside of the outline.
static void no_gap_opens_along_the_edges_of_hulls(void **unused) {
    (void)unused;
    for (int seed = 0; seed < 30 * OUTLINE_FAMILIES; seed++) {
        make_random_outlines(&made, (outline_family)(seed % OUTLINE_FAMILIES), (uint64_t)seed);
        int count = decompose(&made);
        for (int i = 0; i < count; i++)
            for (int k = 0; k < hulls[i].count; k++) {
                float t = (float)random_fraction();
                vec2s a = hulls[i].vertices[k], b = hulls[i].vertices[cn_next_corner(&hulls[i], k)];
                vec2s n = hulls[i].normals[k];
                vec2s p = cn_vec(a.x + t * (b.x - a.x) + 2e-6f * n.x,
                                 a.y + t * (b.y - a.y) + 2e-6f * n.y);
                if (distance_to_outlines(&made, p) < 4e-6 || !is_inside(&made, p)) continue;
                if (count_around(count, p, -2e-7) == 0)
                    print_error("seed %d: no hull at (%g, %g)\n", seed, p.x, p.y);
                assert_true(count_around(count, p, -2e-7) > 0);
            }
    }
}

static bool is_given(vec2s p) {
    for (int i = 0; i < made.point_count; i++)
        if (made.points[i].x == p.x && made.points[i].y == p.y) return true;
    return false;
}

static void vertices_are_points_of_the_outline_if_these_suffice(void **unused) {
    (void)unused;
    const outline_family families[] = {OUTLINE_BLOB, OUTLINE_CONVEX, OUTLINE_SPIRAL, OUTLINE_HOLES};
    for (int seed = 0; seed < 200; seed++) {
        make_random_outlines(&made, families[seed % 4], (uint64_t)seed);
        int count = decompose(&made);
        for (int i = 0; i < count; i++)
            for (int k = 0; k < hulls[i].count; k++) assert_true(is_given(hulls[i].vertices[k]));
    }
}

static void the_result_does_not_depend_on_where_an_outline_begins_and_which_way_it_runs(
    void **unused) {
    (void)unused;
    static cn_hull first[MAX_HULLS];
    for (int seed = 0; seed < 20 * OUTLINE_FAMILIES; seed++) {
        make_random_outlines(&made, (outline_family)(seed % OUTLINE_FAMILIES), (uint64_t)seed);
        int count = decompose(&made);
        memcpy(first, hulls, sizeof first);
        for (int i = 0; i < made.count; i++) {
            vec2s *points = &made.points[made.outlines[i].points - made.points], p = points[0];
            memmove(points, points + 1, (size_t)(made.outlines[i].count - 1) * sizeof p);
            points[made.outlines[i].count - 1] = p;
            if ((seed + i) % 3) reverse_outline(&made, i);
        }
        assert_int_equal(decompose(&made), count);
        assert_memory_equal(first, hulls, (size_t)count * sizeof *hulls);
    }
}

// ---- known outlines

// Checks that the outlines become at most this many hulls with this total area.
static void check_case(const cn_outline *outlines, int count, int most, double area) {
    int made_count = cn_outline_decompose(outlines, count, 0, hulls, MAX_HULLS);
    if (made_count == 0) print_error("%s\n", cn_error());
    assert_in_range(made_count, 1, most);
    for (int i = 0; i < made_count; i++) check_hull(&hulls[i]);
    assert_near(area_of_hulls(made_count), area, 1e-6 * area);
}

static void a_convex_outline_is_the_polygon_itself(void **unused) {
    (void)unused;
    for (int corners = 3; corners <= CN_MAX_VERTICES; corners++) {
        cn_hull regular = cn_regular_polygon(corners, 2),
                rounded = cn_polygon(regular.vertices, corners, 0.5f);
        cn_outline outline = {regular.vertices, corners};
        assert_int_equal(cn_outline_decompose(&outline, 1, 0.5f, hulls, 1), 1);
        assert_memory_equal(&hulls[0], &rounded, sizeof rounded);
    }
}

static void letters_become_as_few_hulls_as_possible(void **unused) {
    (void)unused;
    const cn_outline l = OUTLINE(P(0, 0), P(3, 0), P(3, 1), P(1, 1), P(1, 3), P(0, 3));
    const cn_outline t =
        OUTLINE(P(1, 0), P(2, 0), P(2, 2), P(3, 2), P(3, 3), P(0, 3), P(0, 2), P(1, 2));
    const cn_outline plus = OUTLINE(P(1, 0), P(2, 0), P(2, 1), P(3, 1), P(3, 2), P(2, 2), P(2, 3),
                                    P(1, 3), P(1, 2), P(0, 2), P(0, 1), P(1, 1));
    const cn_outline e = OUTLINE(P(0, 0), P(3, 0), P(3, 1), P(1, 1), P(1, 2), P(3, 2), P(3, 3),
                                 P(1, 3), P(1, 4), P(3, 4), P(3, 5), P(0, 5));
    check_case(&l, 1, 2, 5);
    check_case(&t, 1, 2, 5);
    check_case(&plus, 1, 3, 5);
    check_case(&e, 1, 4, 11);
}

static void repeated_points_and_points_on_edges_are_dropped(void **unused) {
    (void)unused;
    vec2s points[404];
    for (int i = 0; i < 400; i++) { // 100 on each side of a turned square
        float t = (float)(i % 100) / 100;
        const vec2s corners[] = {{{1, 0}}, {{0, 1.1f}}, {{-1.1f, 0.1f}}, {{-0.1f, -1}}};
        vec2s a = corners[i / 100], b = corners[(i / 100 + 1) % 4];
        points[i] = cn_vec(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y));
    }
    for (int i = 400; i < 404; i++) points[i] = points[0];
    cn_outline outline = {points, 404};
    assert_int_equal(cn_outline_decompose(&outline, 1, 0, hulls, 1), 1);
    assert_int_equal(hulls[0].count, 4);
    assert_near(area_of_hulls(1), fabs(shoelace(points, 404)), 1e-5);
}

static void holes_are_left_free(void **unused) {
    (void)unused;
    const cn_outline frame[] = {SQUARE(0, 0, 4, 4), SQUARE(1, 1, 3, 3)};
    const cn_outline two[] = {SQUARE(0, 0, 5, 3), SQUARE(1, 1, 2, 2), SQUARE(3, 1, 4, 2)};
    check_case(frame, 2, 4, 12);
    assert_int_equal(count_around(4, cn_vec(2, 2), 0), 0);
    check_case(two, 3, 8, 13);
}

static void outlines_may_touch(void **unused) {
    (void)unused;
    const cn_outline corner_on_edge[] = {SQUARE(0, 0, 4, 4),
                                         OUTLINE(P(0, 2), P(1, 1), P(2, 2), P(1, 3))};
    const cn_outline at_corner[] = {SQUARE(0, 0, 4, 4), OUTLINE(P(0, 0), P(2, 1), P(1, 2))};
    const cn_outline along_edge[] = {SQUARE(0, 0, 4, 4), SQUARE(0, 1, 1, 2)};
    const cn_outline each_other[] = {SQUARE(0, 0, 4, 4), SQUARE(1, 1, 2, 2), SQUARE(2, 2, 3, 3)};
    const cn_outline pinched =
        OUTLINE(P(0, 0), P(2, 0), P(2, 2), P(4, 2), P(4, 4), P(2, 4), P(2, 2), P(0, 2));
    const cn_outline ring =
        OUTLINE(P(2, 0), P(4, 2), P(2, 4), P(0, 2), P(2, 0), P(1, 2), P(2, 3), P(3, 2));
    check_case(corner_on_edge, 2, 6, 14);
    check_case(at_corner, 2, 6, 14.5);
    check_case(along_edge, 2, 3, 15);
    check_case(each_other, 3, 8, 14);
    check_case(&pinched, 1, 2, 8);
    check_case(&ring, 1, 6, 5);
}

static void the_radius_is_that_of_every_hull(void **unused) {
    (void)unused;
    make_random_outlines(&made, OUTLINE_HOLES, 5);
    static cn_hull rounded[MAX_HULLS];
    int count = decompose(&made);
    assert_int_equal(cn_outline_decompose(made.outlines, made.count, 0.25f, rounded, MAX_HULLS),
                     count);
    for (int i = 0; i < count; i++) {
        assert_true(rounded[i].radius == 0.25f && hulls[i].radius == 0);
        assert_memory_equal(rounded[i].vertices, hulls[i].vertices, sizeof hulls[i].vertices);
    }
}

static void no_more_hulls_than_the_capacity_are_written(void **unused) {
    (void)unused;
    make_random_outlines(&made, OUTLINE_STAR, 3);
    int count = decompose(&made);
    assert_true(count > 5);
    cn_hull few[4], untouched;
    memset(few, 0xa5, sizeof few);
    memset(&untouched, 0xa5, sizeof untouched);
    assert_int_equal(cn_outline_decompose(made.outlines, made.count, 0, NULL, 0), count);
    assert_int_equal(cn_outline_decompose(made.outlines, made.count, 0, few, 3), count);
    assert_memory_equal(few, hulls, 3 * sizeof *few);
    assert_memory_equal(&few[3], &untouched, sizeof untouched);
}

static void a_hull_left_out_leaves_no_error(void **unused) {
    (void)unused;
    cn_fail(CN_ERROR_STATE, "%s", "as before");
    for (int seed = 0; seed < 50; seed++) {
        make_and_place(OUTLINE_STAIRS, seed);
        decompose(&made);
        assert_int_equal(cn_error_code(), CN_ERROR_STATE);
        assert_string_equal(cn_error(), "as before");
    }
}

// ---- the exact sign

static void orientations_have_the_exact_sign(void **unused) {
    (void)unused;
    for (int i = 0; i < 200000; i++) {
        int64_t v[6]; // at most 24 bits, so that floats hold them; the last point is near the line
        for (int k = 0; k < 6; k++) v[k] = (int64_t)(random_fraction() * 16777216) - 8388608;
        double t = random_fraction();
        v[4] = v[0] + (int64_t)(t * (double)(v[2] - v[0]));
        v[5] = v[1] + (int64_t)(t * (double)(v[3] - v[1])) + (int64_t)(random_fraction() * 3) - 1;
        int64_t exact = (v[2] - v[0]) * (v[5] - v[1]) - (v[3] - v[1]) * (v[4] - v[0]);
        double sign =
            cn_orientation(cn_vec((float)v[0], (float)v[1]), cn_vec((float)v[2], (float)v[3]),
                           cn_vec((float)v[4], (float)v[5]));
        assert_int_equal((exact > 0) - (exact < 0), (sign > 0) - (sign < 0));
    }
    // A point that is off the diagonal by far less than the resolution of a double at 1e9.
    assert_true(cn_orientation(cn_vec(-1e9f, -1e9f), cn_vec(1e9f, 1e9f), cn_vec(0, 1e-30f)) > 0);
    assert_true(cn_orientation(cn_vec(-1e9f, -1e9f), cn_vec(1e9f, 1e9f), cn_vec(1e-30f, 0)) < 0);
    assert_true(cn_orientation(cn_vec(-1e9f, -1e9f), cn_vec(1e9f, 1e9f), cn_vec(1e-30f, 1e-30f)) ==
                0);
}

// ---- any points

// The call returns for any points. If it succeeds, the hulls are valid.
static void random_points_never_break_the_decomposition(void **unused) {
    (void)unused;
    for (int i = 0; i < 20000; i++) {
        vec2s points[24];
        int n = 3 + (int)(random_fraction() * 9), grid = 1 + (int)(random_fraction() * 8);
        for (int k = 0; k < 24; k++) {
            vec2s p = random_point(0, grid);
            points[k] = cn_vec((float)(int)p.x, (float)(int)p.y);
        }
        cn_outline outlines[] = {{points, n}, {points + 12, 3 + (int)(random_fraction() * 9)}};
        int used = 1 + i % 2, count = cn_outline_decompose(outlines, used, 0, hulls, MAX_HULLS);
        for (int k = 0; k < count; k++) check_hull(&hulls[k]);
        if (count > 0)
            assert_near(area_of_hulls(count), area_of_outlines(outlines, used), 1e-5 * grid * grid);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_outlines_become_few_convex_hulls_of_the_same_area),
        cmocka_unit_test(a_point_inside_is_in_one_hull_and_one_outside_in_none),
        cmocka_unit_test(no_gap_opens_along_the_edges_of_hulls),
        cmocka_unit_test(vertices_are_points_of_the_outline_if_these_suffice),
        cmocka_unit_test(
            the_result_does_not_depend_on_where_an_outline_begins_and_which_way_it_runs),
        cmocka_unit_test(a_convex_outline_is_the_polygon_itself),
        cmocka_unit_test(letters_become_as_few_hulls_as_possible),
        cmocka_unit_test(repeated_points_and_points_on_edges_are_dropped),
        cmocka_unit_test(holes_are_left_free),
        cmocka_unit_test(outlines_may_touch),
        cmocka_unit_test(the_radius_is_that_of_every_hull),
        cmocka_unit_test(no_more_hulls_than_the_capacity_are_written),
        cmocka_unit_test(a_hull_left_out_leaves_no_error),
        cmocka_unit_test(orientations_have_the_exact_sign),
        cmocka_unit_test(random_points_never_break_the_decomposition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
