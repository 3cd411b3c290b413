/* cn_hull_collide() against closed formulas and, for a million random pairs, against the oracle. */
#include "../../support/oracle.h"
#include "../../support/random_pairs.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#define EXACT     1e-5 // metres that rounding may cost
#define TOLERANCE 5e-4 // by which a face is preferred to a corner
#define SLOP      0.005

enum { PAIRS = 1000000 };

static cn_pose at(float x, float y) { return (cn_pose){{{x, y}}, {1, 0}}; }

static void assert_near(double value, double expected) {
    if (fabs(value - expected) > 2e-6) fail_msg("%.9g is not %.9g", value, expected);
}

// ---- closed formulas

static void circles_touch_on_the_line_through_their_centres(void **state) {
    (void)state;
    // Angles include those at which one coordinate is exactly zero.
    static const vec2s directions[] = {{{0, 1}}, {{0, -1}}, {{1, 0}}, {{-1, 0}}, {{0.6f, -0.8f}}};
    cn_hull a = cn_circle(0.5f), b = cn_circle(0.25f);
    for (int i = 0; i < 5; i++) {
        vec2s u = directions[i];
        cn_manifold m = cn_hull_collide(&a, at(3, 2), &b, at(3 + 0.7f * u.x, 2 + 0.7f * u.y), 0);
        assert_int_equal(m.count, 1);
        assert_near(m.normal.x, u.x);
        assert_near(m.normal.y, u.y);
        assert_near(m.points[0].separation, -0.05);
        assert_near(m.points[0].point.x, 3 + 0.475 * (double)u.x);
        assert_near(m.points[0].point.y, 2 + 0.475 * (double)u.y);
        cn_pose apart = at(3 + 0.8f * u.x, 2 + 0.8f * u.y);
        assert_int_equal(cn_hull_collide(&a, at(3, 2), &b, apart, 0).count, 0);
        assert_int_equal(cn_hull_collide(&a, at(3, 2), &b, apart, 0.06f).count, 1);
    }
}

static void circles_with_one_centre_have_some_unit_normal(void **state) {
    (void)state;
    cn_hull a = cn_circle(0.5f), b = cn_circle(0.25f);
    cn_manifold m = cn_hull_collide(&a, at(1, 1), &b, at(1, 1), 0);
    assert_int_equal(m.count, 1);
    assert_near(hypot((double)m.normal.x, (double)m.normal.y), 1);
    assert_near(m.points[0].separation, -0.75);
}

static void cores_in_one_line_touch_only_at_their_ends(void **state) {
    (void)state;
    cn_hull capsule = cn_capsule((vec2s){{-1, 0}}, (vec2s){{1, 0}}, 0.25f);
    cn_hull others[] = {cn_circle(0.25f), cn_segment((vec2s){{0, 0}}, (vec2s){{1, 0}}),
                        cn_capsule((vec2s){{0, 0}}, (vec2s){{2, 0}}, 0.25f)};
    for (int i = 0; i < 3; i++) {
        float radii = 0.25f + others[i].radius;
        for (float x = 0.0625f; x < 1; x += 0.0625f) {
            cn_manifold m = cn_hull_collide(&capsule, at(0, 0), &others[i], at(1 + x, 0), 0);
            assert_int_equal(m.count, x <= radii);
            if (!m.count) continue;
            assert_near(m.normal.x, 1);
            assert_near(m.points[0].separation, x - radii);
            assert_near(m.points[0].point.x, 1 + (x + 0.25f - others[i].radius) / 2);
        }
    }
}

static void a_box_on_a_box_has_two_points(void **state) {
    (void)state;
    cn_hull ground = cn_box(5, 1), box = cn_box(0.5f, 0.5f);
    cn_manifold m = cn_hull_collide(&ground, at(0, 0), &box, at(2, 1.49f), 0);
    assert_int_equal(m.count, 2);
    assert_near(m.normal.x, 0);
    assert_near(m.normal.y, 1);
    assert_int_equal(m.reference, CN_A);
    assert_int_equal(m.reference_edge, 2);
    assert_int_equal(m.incident_edge, 0);
    assert_near(m.separation, -0.01);
    for (int i = 0; i < 2; i++) { // from right to left, the direction of the top edge of the ground
        assert_near(m.points[i].point.x, i ? 1.5 : 2.5);
        assert_near(m.points[i].point.y, 0.995);
        assert_near(m.points[i].separation, -0.01);
    }
    assert_int_equal(m.points[0].id, 2 | 1 << 4);
    assert_int_equal(m.points[1].id, 3 | 0 << 4);
}

static void rounded_corners_meet_along_the_line_between_them(void **state) {
    (void)state;
    cn_hull box = cn_rounded_box(0.5f, 0.5f, 0.1f);
    cn_manifold m = cn_hull_collide(&box, at(0, 0), &box, at(1.09f, 1.12f), 0);
    assert_int_equal(m.count, 1);
    assert_near(m.normal.x, 0.6);
    assert_near(m.normal.y, 0.8);
    assert_near(m.points[0].separation, -0.05);
    assert_near(m.points[0].point.x, 0.545);
    assert_near(m.points[0].point.y, 0.56);
    assert_int_equal(m.points[0].id, 2 | 0 << 4);
}

// Collides a box with a tilted one, whose corner is above its top left corner.
static cn_manifold collide_tilted(float beyond) {
    cn_hull box = cn_box(0.5f, 0.5f);
    cn_pose tilted = {{{0, 0}}, cn_rotation_of(0.5f)};
    vec2s corner = cn_pose_point(tilted, (vec2s){{-0.5f, -0.5f}});
    tilted.position = (vec2s){{-0.5f - beyond - corner.x, 0.51f - corner.y}};
    return cn_hull_collide(&box, at(0, 0), &box, tilted, 0.02f);
}

static void a_corner_must_be_clearly_nearer_than_a_face(void **state) {
    (void)state;
    // 10.03 mm from the corner and 10.44 mm from the face, then 10.44 mm and 11.38 mm.
    cn_manifold m = collide_tilted(0.0008f);
    assert_near(m.normal.x, 0);
    assert_near(m.normal.y, 1);
    assert_int_equal(m.reference_edge, 2);
    m = collide_tilted(0.003f);
    assert_int_equal(m.count, 1);
    assert_true(fabs((double)m.normal.x + 0.28735) < 1e-4);
    assert_true(fabs((double)m.normal.y - 0.95783) < 1e-4);
    assert_true(fabs((double)m.points[0].separation - 0.0104403) < 1e-6);
}

static void a_point_is_reported_up_to_the_margin(void **state) {
    (void)state;
    cn_hull box = cn_box(0.5f, 0.5f), triangle = cn_regular_polygon(3, 1);
    assert_int_equal(cn_hull_collide(&box, at(0, 0), &box, at(1.0625f, 0), 0.0625f).count, 2);
    assert_int_equal(cn_hull_collide(&box, at(0, 0), &box, at(1.0626f, 0), 0.0625f).count, 0);
    // One end of the triangle's edge is farther away than the margin, so it is omitted.
    assert_int_equal(cn_hull_collide(&triangle, at(0, 0), &box, at(1.5625f, 0), 0.0625f).count, 1);
    assert_int_equal(cn_hull_collide(&triangle, at(0, 0), &box, at(1.5626f, 0), 0.0625f).count, 0);
}

static void edges_and_ids_are_numbered_like_the_edges_of_the_hull(void **state) {
    (void)state;
    vec2s points[4] = {{{1, 1}}, {{-1, 1}}, {{-1, -1}}, {{1, -1}}};
    cn_hull box = cn_polygon(points, 4, 0), small = cn_box(0.1f, 0.1f);
    // Against each side of a box whose first vertex is not the usual one.
    for (int i = 0; i < 4; i++) {
        vec2s n = box.normals[i], v = box.vertices[i], w = box.vertices[(i + 1) % 4];
        cn_manifold m = cn_hull_collide(&box, at(0, 0), &small, at(1.1f * n.x, 1.1f * n.y), 0.01f);
        assert_int_equal(m.count, 2);
        assert_int_equal(m.reference, CN_A);
        assert_int_equal(m.reference_edge, i);
        assert_int_equal(m.points[0].id & 15, i);
        assert_int_equal(m.points[1].id & 15, (i + 1) % 4);
        double along = (double)((m.points[1].point.x - m.points[0].point.x) * (w.x - v.x) +
                                (m.points[1].point.y - m.points[0].point.y) * (w.y - v.y));
        assert_true(along > 0);
    }
}

static void far_from_the_origin_nothing_changes(void **state) {
    (void)state;
    cn_hull box = cn_box(0.5f, 0.5f), octagon = cn_regular_polygon(8, 0.5f);
    cn_rotation q = cn_rotation_of(0.3f);
    cn_manifold near_by =
        cn_hull_collide(&box, at(0, 0), &octagon, (cn_pose){{{0.875f, 0.25f}}, q}, 0);
    cn_manifold far_off =
        cn_hull_collide(&box, at(65536, 0), &octagon, (cn_pose){{{65536.875f, 0.25f}}, q}, 0);
    assert_int_equal(near_by.count, far_off.count);
    assert_true(near_by.count > 0);
    assert_true(near_by.normal.x == far_off.normal.x && near_by.normal.y == far_off.normal.y);
    for (int i = 0; i < near_by.count; i++)
        assert_true(near_by.points[i].separation == far_off.points[i].separation);
}

static void assert_refused(const cn_hull *a, cn_pose pose_a, const cn_hull *b, float margin,
                           cn_error_kind kind) {
    cn_manifold m = cn_hull_collide(a, pose_a, b, at(0, 0), margin);
    assert_int_equal(m.count, 0);
    assert_int_equal(cn_error_code(), kind);
    assert_true(cn_error()[0] != '\0');
}

static void mistakes_are_refused(void **state) {
    (void)state;
    cn_hull box = cn_box(1, 1), none = {0};
    assert_refused(NULL, at(0, 0), &box, 0, CN_ERROR_HANDLE);
    assert_refused(&box, at(0, 0), &none, 0, CN_ERROR_SHAPE);
    assert_refused(&box, at(NAN, 0), &box, 0, CN_ERROR_NUMBER);
    assert_refused(&box, at(0, INFINITY), &box, 0, CN_ERROR_NUMBER);
    assert_refused(&box, at(FLT_MAX, 0), &box, 0, CN_ERROR_RANGE);
    assert_refused(&box, (cn_pose){{{0, 0}}, {NAN, 0}}, &box, 0, CN_ERROR_NUMBER);
    assert_refused(&box, (cn_pose){{{0, 0}}, {2, 0}}, &box, 0, CN_ERROR_RANGE);
    assert_refused(&box, at(0, 0), &box, NAN, CN_ERROR_NUMBER);
    assert_refused(&box, at(0, 0), &box, -1, CN_ERROR_RANGE);
}

// ---- the oracle

typedef struct {
    oracle_core a, b;
    oracle_result truth;
    double radii;
    bool apart; // true if the cores do not overlap
} judged_pair;

static judged_pair judge_pair(const hull_pair *pair) {
    judged_pair j = {.a = oracle_place(&pair->a, pair->pose_a),
                     .b = oracle_place(&pair->b, pair->pose_b)};
    j.truth = oracle_collide(&j.a, &j.b);
    j.radii = j.a.radius + j.b.radius;
    j.apart = j.truth.separation > 0;
    return j;
}

static double least_separation(const cn_manifold *m) {
    double s = (double)m->points[0].separation;
    return m->count == 2 ? fmin(s, (double)m->points[1].separation) : s;
}

static bool is_touching_right(const judged_pair *j, const cn_manifold *m, float margin) {
    double distance = j->truth.separation - j->radii;
    if (distance > (double)margin + EXACT) return m->count == 0;
    if (distance < (double)margin - EXACT) return m->count > 0;
    return true;
}

// True if the separation is right and the normal is an axis along which the gap of the cores is the
// greatest.
static bool is_separation_right(const judged_pair *j, const cn_manifold *m) {
    oracle_vec n = {(double)m->normal.x, (double)m->normal.y};
    double allowed = j->apart ? TOLERANCE + EXACT : EXACT;
    double gap = oracle_gap(&j->a, &j->b, n);
    if (fabs(hypot(n.x, n.y) - 1) > 1e-6) return false;
    if (fabs(gap - j->truth.separation) > allowed) return false;
    return fabs(least_separation(m) + j->radii - j->truth.separation) <= allowed;
}

// True if the point is half way between points on the outlines of the two cores, and one of these
// is a vertex that its id names.
static bool is_point_right(const judged_pair *j, const cn_manifold *m, int i) {
    const cn_manifold_point *p = &m->points[i];
    double half = (double)p->separation / 2, off_a = half + j->a.radius, off_b = half + j->b.radius;
    double nx = (double)m->normal.x, ny = (double)m->normal.y;
    oracle_vec on_a = {(double)p->point.x - off_a * nx, (double)p->point.y - off_a * ny};
    oracle_vec on_b = {(double)p->point.x + off_b * nx, (double)p->point.y + off_b * ny};
    double allowed = m->count == 1 ? TOLERANCE + EXACT : EXACT;
    if (oracle_outline_distance(&j->a, on_a) > allowed) return false;
    if (oracle_outline_distance(&j->b, on_b) > allowed) return false;

    int ka = p->id & 15, kb = p->id >> 4;
    if (ka >= j->a.count || kb >= j->b.count) return false;
    if (j->a.count == 1 || j->b.count == 1) return p->id == 0;
    oracle_vec va = j->a.vertices[ka], vb = j->b.vertices[kb];
    return hypot(va.x - on_a.x, va.y - on_a.y) <= allowed ||
           hypot(vb.x - on_b.x, vb.y - on_b.y) <= allowed;
}

static bool are_edges_right(const judged_pair *j, const cn_manifold *m) {
    const oracle_core *first = m->reference == CN_A ? &j->a : &j->b;
    const oracle_core *second = m->reference == CN_A ? &j->b : &j->a;
    if (oracle_edge_count(first) == 0) { // two circles use the axes of circle A as edges
        double gap = (double)m->separation + j->radii, distance = j->truth.separation;
        return second->count == 1 && m->reference_edge == 0 && m->incident_edge == 0 &&
               gap <= distance + EXACT && gap >= distance * sqrt(0.5) - EXACT;
    }
    oracle_vec n = oracle_edge_normal(first, m->reference_edge);
    double gap = oracle_gap(first, second, n);
    if (fabs(gap - j->truth.face) > EXACT) return false;
    if (fabs((double)m->separation + j->radii - gap) > EXACT) return false;
    if (second->count == 1) return m->incident_edge == 0;

    double least = DBL_MAX, cosine = DBL_MAX;
    for (int i = 0; i < oracle_edge_count(second); i++) {
        oracle_vec k = oracle_edge_normal(second, i);
        double c = n.x * k.x + n.y * k.y;
        least = fmin(least, c);
        if (i == m->incident_edge) cosine = c;
    }
    return cosine <= least + 1e-5;
}

// True if the ids are the same with A and B exchanged, whichever of the two edges is the reference
// edge.
static bool are_ids_same_exchanged(const cn_manifold *m, const cn_manifold *r) {
    // The same side of the call, which is the other hull.
    bool same_side = m->reference == r->reference;
    int edge = same_side ? r->incident_edge : r->reference_edge;
    int other = same_side ? r->reference_edge : r->incident_edge;
    if (m->reference_edge != edge || m->incident_edge != other || m->count != r->count) return true;
    for (int i = 0; i < m->count; i++) {
        uint8_t id = (uint8_t)(m->points[i].id >> 4 | m->points[i].id << 4);
        if (id != r->points[0].id && (r->count == 1 || id != r->points[1].id)) return false;
    }
    return true;
}

static bool is_same_exchanged(const judged_pair *j, const cn_manifold *m, const cn_manifold *r) {
    double allowed = j->apart ? TOLERANCE + EXACT : EXACT;
    if (m->count == 0 || r->count == 0) // the distance is within rounding of the margin
        return m->count == r->count || fabs(least_separation(m->count ? m : r) - 0.02) < EXACT;
    if (fabs((double)m->separation - (double)r->separation) > EXACT && j->a.count + j->b.count > 2)
        return false;
    if (fabs(least_separation(m) - least_separation(r)) > allowed && j->truth.face_ties < 2)
        return false;
    // Two edges may be equally good. Two circles closer than the tolerance have no definite normal.
    double cosine = (double)(m->normal.x * r->normal.x + m->normal.y * r->normal.y);
    if (!are_ids_same_exchanged(m, r)) return false;
    return cosine < -1 + 1e-6 || j->truth.face_ties > 1 ||
           (j->a.count + j->b.count == 2 && j->truth.separation <= TOLERANCE);
}

static const char *find_fault(const hull_pair *pair, const judged_pair *j, const cn_manifold *m,
                              float margin) {
    if (!is_touching_right(j, m, margin)) return "touching";
    cn_manifold exchanged = cn_hull_collide(&pair->b, pair->pose_b, &pair->a, pair->pose_a, margin);
    if (!is_same_exchanged(j, m, &exchanged)) return "exchange of A and B";
    if (m->count == 0) return NULL;
    if (!is_separation_right(j, m)) return "separation or normal";
    if (!are_edges_right(j, m)) return "reference or incident edge";
    for (int i = 0; i < m->count; i++)
        if (!is_point_right(j, m, i)) return "points";
    if (m->count == 2 && m->points[0].id == m->points[1].id) return "ids";
    return NULL;
}

static void print_hull(const char *name, const cn_hull *hull, cn_pose pose) {
    print_message("%s: radius %.9g, at (%.9g, %.9g), turned (%.9g, %.9g)\n", name, hull->radius,
                  pose.position.x, pose.position.y, pose.rotation.c, pose.rotation.s);
    for (int i = 0; i < hull->count; i++)
        print_message("    (%.9g, %.9g)\n", hull->vertices[i].x, hull->vertices[i].y);
}

static void print_pair(const hull_pair *pair, const judged_pair *j, const cn_manifold *m) {
    print_hull("A", &pair->a, pair->pose_a);
    print_hull("B", &pair->b, pair->pose_b);
    print_message("truth: face %.9g, cores %.9g, surfaces %.9g\n", j->truth.face,
                  j->truth.separation, j->truth.separation - j->radii);
    print_message("found: normal (%.9g, %.9g), separation %.9g, reference %d %d, incident %d\n",
                  m->normal.x, m->normal.y, m->separation, (int)m->reference, m->reference_edge,
                  m->incident_edge);
    for (int i = 0; i < m->count; i++)
        print_message("    point (%.9g, %.9g), separation %.9g, id %02x\n", m->points[i].point.x,
                      m->points[i].point.y, m->points[i].separation, m->points[i].id);
}

typedef struct {
    int touching, within_slop, parallel, same_center, contained, sliver, in_line;
} tally;

static bool has_parallel_faces(const judged_pair *j, const cn_manifold *m) {
    const oracle_core *first = m->reference == CN_A ? &j->a : &j->b;
    const oracle_core *second = m->reference == CN_A ? &j->b : &j->a;
    if (m->count < 2) return false;
    oracle_vec n = oracle_edge_normal(first, m->reference_edge);
    oracle_vec k = oracle_edge_normal(second, m->incident_edge);
    return n.x * k.x + n.y * k.y < -1 + 1e-12;
}

static void count_pair(tally *t, const hull_pair *pair, const judged_pair *j,
                       const cn_manifold *m) {
    double distance = j->truth.separation - j->radii;
    t->touching += m->count > 0;
    t->within_slop += fabs(distance) <= SLOP;
    t->parallel += has_parallel_faces(j, m);
    t->same_center += pair->place == PLACE_SAME_CENTER;
    t->contained += oracle_contains(&j->a, &j->b);
    t->sliver += pair->kind_a == KIND_SLIVER || pair->kind_b == KIND_SLIVER;
    t->in_line += j->a.count <= 2 && j->b.count <= 2 && fabs(j->truth.face) < 1e-12 &&
                  j->truth.separation > 0;
}

static void check_tally(const tally *t) {
    print_message("of %d pairs: %d touch, %d within the slop, %d parallel, %d with one centre, "
                  "%d contained, %d slivers, %d cores in line\n",
                  PAIRS, t->touching, t->within_slop, t->parallel, t->same_center, t->contained,
                  t->sliver, t->in_line);
    assert_true(t->touching >= PAIRS / 100 * 40);
    assert_true(t->within_slop >= PAIRS / 100 * 10);
    assert_true(t->parallel >= PAIRS / 100 * 5);
    assert_true(t->same_center >= PAIRS / 100);
    assert_true(t->contained >= PAIRS / 100);
    assert_true(t->sliver >= PAIRS / 100 * 10);
    assert_true(t->in_line >= PAIRS / 1000);
}

static void a_million_random_pairs_agree_with_the_oracle(void **state) {
    (void)state;
    const float margin = 0.02f;
    random_source source = {1};
    tally t = {0};
    int faults = 0;
    for (int i = 0; i < PAIRS; i++) {
        uint64_t seed = source.state;
        hull_pair pair = random_pair(&source);
        judged_pair j = judge_pair(&pair);
        cn_manifold m = cn_hull_collide(&pair.a, pair.pose_a, &pair.b, pair.pose_b, margin);
        count_pair(&t, &pair, &j, &m);
        const char *fault = find_fault(&pair, &j, &m, margin);
        if (!fault || faults++ >= 5) continue;
        print_message("pair %d, seed %#llx: wrong %s\n", i, (unsigned long long)seed, fault);
        print_pair(&pair, &j, &m);
    }
    check_tally(&t);
    assert_int_equal(faults, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circles_touch_on_the_line_through_their_centres),
        cmocka_unit_test(circles_with_one_centre_have_some_unit_normal),
        cmocka_unit_test(cores_in_one_line_touch_only_at_their_ends),
        cmocka_unit_test(a_box_on_a_box_has_two_points),
        cmocka_unit_test(rounded_corners_meet_along_the_line_between_them),
        cmocka_unit_test(a_corner_must_be_clearly_nearer_than_a_face),
        cmocka_unit_test(a_point_is_reported_up_to_the_margin),
        cmocka_unit_test(edges_and_ids_are_numbered_like_the_edges_of_the_hull),
        cmocka_unit_test(far_from_the_origin_nothing_changes),
        cmocka_unit_test(mistakes_are_refused),
        cmocka_unit_test(a_million_random_pairs_agree_with_the_oracle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
