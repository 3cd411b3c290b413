/* cn_hull_mtv(): whether two hulls overlap, and the shortest translation that separates them. */
#include "../../support/clip_oracle.h"

static void the_translation_of_an_overlap_ends_it_and_no_shorter_one_does(void **state) {
    (void)state;
    random_source source = {SEED};
    int deep = 0;
    for (int i = 0; i < 5000; i++) {
        hull_pair p = random_pair(&source);
        cn_mtv mtv = cn_hull_mtv(&p.a, p.pose_a, &p.b, p.pose_b);
        cn_gap gap = cn_hull_distance(&p.a, p.pose_a, &p.b, p.pose_b);
        double depth = (double)glms_vec2_norm(mtv.translation);
        check(mtv.overlap ? gap.distance < 1e-6f : gap.distance > -1e-6f, "overlap", i);
        check(fabs(depth - fmax(0, -(double)gap.distance)) < 1e-6, "length", i);
        if (depth < 1e-4) continue;
        deep++;
        cn_pose moved = p.pose_b;
        moved.position = glms_vec2_add(moved.position, mtv.translation);
        double left = (double)cn_hull_distance(&p.a, p.pose_a, &p.b, moved).distance;
        check(fabs(left) < 3e-6, "the move does not end in a touch", i);
        for (int k = 0; k < 16; k++) { // no shorter translation separates them
            cn_pose other = p.pose_b;
            cn_rotation q = cn_rotation_of(0.39f * (float)k);
            float length = (float)depth * 0.99f;
            other.position = glms_vec2_add(other.position, cn_vec(q.c * length, q.s * length));
            check(cn_hull_mtv(&p.a, p.pose_a, &p.b, other).overlap,
                  "a shorter translation separates them", i);
        }
    }
    assert_true(deep > 1500);
}

static void hulls_with_a_common_centre_can_be_separated(void **state) {
    (void)state;
    cn_hull circle = cn_circle(1), s = cn_segment(cn_vec(-2, 0), cn_vec(2, 0)), box = cn_box(2, 1);
    cn_pose o = at(5, 5), up = {{{5, 5}}, {0, 1}};
    cn_mtv m = cn_hull_mtv(&circle, o, &circle, o);
    assert_true(m.overlap && glms_vec2_norm(m.translation) == 2);
    m = cn_hull_mtv(&s, o, &circle, o);
    assert_true(m.overlap && m.translation.x == 0 && fabsf(m.translation.y) == 1);
    m = cn_hull_mtv(&s, o, &s, up);
    assert_true(m.overlap && glms_vec2_norm(m.translation) == 2);
    m = cn_hull_mtv(&s, o, &s, o);
    assert_true(m.overlap && glms_vec2_norm(m.translation) == 0);
    m = cn_hull_mtv(&box, o, &box, at(8.5f, 5.5f));
    assert_true(m.overlap && m.translation.x == 0.5f && m.translation.y == 0);
    cn_hull round = cn_rounded_box(2, 1, 0.5f); // the cores touch
    m = cn_hull_mtv(&round, o, &round, at(9, 5.5f));
    assert_true(m.overlap && m.translation.x == 1 && m.translation.y == 0);
    m = cn_hull_mtv(&box, o, &box, at(9, 7));
    assert_true(m.overlap && m.translation.x == 0 && m.translation.y == 0);
}

// ---- mistakes

static void overlaps_of_bad_hulls_and_poses_are_refused(void **state) {
    (void)state;
    cn_hull box = cn_box(1, 1), none = {0};
    cn_pose o = at(0, 0), bad = {.position = {{NAN, 0}}, .rotation = {1, 0}},
            longer = {.rotation = {2, 0}};
    REFUSES(CN_ERROR_HANDLE, cn_hull_mtv(NULL, o, &box, o));
    REFUSES(CN_ERROR_SHAPE, cn_hull_mtv(&box, o, &none, o));
    REFUSES(CN_ERROR_NUMBER, cn_hull_mtv(&box, bad, &box, o));
    REFUSES(CN_ERROR_RANGE, cn_hull_mtv(&box, o, &box, longer));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_translation_of_an_overlap_ends_it_and_no_shorter_one_does),
        TEST(hulls_with_a_common_centre_can_be_separated),
        TEST(overlaps_of_bad_hulls_and_poses_are_refused),
    };
    return cmocka_run_group_tests_name("clip", tests, NULL, NULL);
}
