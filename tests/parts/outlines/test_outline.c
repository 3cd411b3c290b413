/* Mistakes in outlines: cn_outline_decompose() fails, names the outline and edge, and writes
 * nothing. */
#include "known_outlines.h"

static random_outlines made;
static cn_hull hulls[1];

// Checks that the call fails with this kind and text, and writes nothing.
static void check_refused(const cn_outline *outlines, int count, cn_error_kind kind,
                          const char *says) {
    cn_hull before[2], after[2];
    memset(before, 0x5a, sizeof before);
    memcpy(after, before, sizeof after);
    cn_fail(CN_ERROR_NONE, "%s", "");
    assert_int_equal(cn_outline_decompose(outlines, count, 0, after, 2), 0);
    assert_memory_equal(before, after, sizeof before);
    if (cn_error_code() != kind || !strstr(cn_error(), says))
        print_error("\"%s\" does not say \"%s\"\n", cn_error(), says);
    assert_int_equal(cn_error_code(), kind);
    assert_non_null(strstr(cn_error(), says));
    assert_int_equal(strncmp(cn_error(), "cn_outline_decompose: ", 14), 0);
}

static void edges_that_cross_are_named(void **unused) {
    (void)unused;
    const cn_outline bow = OUTLINE(P(0, 0), P(2, 2), P(2, 0), P(0, 2));
    check_refused(&bow, 1, CN_ERROR_SHAPE, "edge 2 of outline 0, (2, 0) to (0, 2)");
    check_refused(&bow, 1, CN_ERROR_SHAPE, "edge 0 of outline 0, (0, 0) to (2, 2)");
    const cn_outline backwards = OUTLINE(P(0, 2), P(2, 0), P(2, 2), P(0, 0));
    check_refused(&backwards, 1, CN_ERROR_SHAPE, "edge 0 of outline 0");
    check_refused(&backwards, 1, CN_ERROR_SHAPE, "edge 2 of outline 0");
    const cn_outline hole[] = {SQUARE(0, 0, 4, 4), OUTLINE(P(1, 1), P(2, 1), P(2, 5), P(1, 3))};
    check_refused(hole, 2, CN_ERROR_SHAPE, "edge 2 of outline 0, (4, 4) to (0, 4)");
    check_refused(hole, 2, CN_ERROR_SHAPE, "of outline 1");
    const cn_outline knot = OUTLINE(P(0, 0), P(1, 1), P(2, 3), P(3, 0), P(1, 1), P(0, 3));
    check_refused(&knot, 1, CN_ERROR_SHAPE,
                  "edge 0 of outline 0, (1, 1) to (0, 0), crosses edge 3");
}

static void holes_in_wrong_places_are_named(void **unused) {
    (void)unused;
    const cn_outline beside[] = {SQUARE(0, 0, 4, 4), SQUARE(6, 1, 7, 2)};
    check_refused(beside, 2, CN_ERROR_SHAPE, "of outline 1");
    check_refused(beside, 2, CN_ERROR_SHAPE,
                  "lies outside of edge 1 of outline 0, (4, 0) to (4, 4)");
    const cn_outline around[] = {SQUARE(1, 1, 2, 2), SQUARE(0, 0, 4, 4)};
    check_refused(around, 2, CN_ERROR_SHAPE, "lies outside of");
    const cn_outline nested[] = {SQUARE(0, 0, 9, 9), SQUARE(1, 1, 8, 8), SQUARE(2, 3, 5, 6)};
    check_refused(nested, 3, CN_ERROR_SHAPE, "lies in the hole of");
    const cn_outline all[] = {SQUARE(0, 0, 4, 4), SQUARE(0, 0, 4, 4)};
    check_refused(all, 2, CN_ERROR_SHAPE, "area");
}

static void bad_numbers_are_refused(void **unused) {
    (void)unused;
    const cn_outline square = SQUARE(0, 0, 1, 1),
                     wrong[] = {square, OUTLINE(P(0, 0), P(NAN, 1), P(1, 0))};
    const cn_outline huge = SQUARE(0, 0, 1e10f, 1), few = {square.points, 2}, none = {NULL, 4};
    const cn_outline line = OUTLINE(P(0, 0), P(1, 1), P(3, 3), P(2, 2)),
                     many[] = {square, {made.points, 509}};
    check_refused(wrong, 2, CN_ERROR_NUMBER, "outline 1: ");
    check_refused(&huge, 1, CN_ERROR_RANGE, "1e+10");
    check_refused(&few, 1, CN_ERROR_SHAPE, "not 2");
    check_refused(&none, 1, CN_ERROR_HANDLE, "NULL");
    check_refused(NULL, 1, CN_ERROR_HANDLE, "NULL");
    check_refused(&square, 0, CN_ERROR_RANGE, "0");
    check_refused(&square, -1, CN_ERROR_RANGE, "-1");
    check_refused(&line, 1, CN_ERROR_SHAPE, "line");
    check_refused(many, 2, CN_ERROR_RANGE, "513");
    for (int i = 0; i < 3; i++) {
        assert_int_equal(
            cn_outline_decompose(&square, 1, (const float[]){-1, NAN, INFINITY}[i], hulls, 1), 0);
        assert_int_equal(cn_error_code(), i == 0 ? CN_ERROR_RANGE : CN_ERROR_NUMBER);
    }
    assert_int_equal(cn_outline_decompose(&square, 1, 0, hulls, -1), 0);
    assert_int_equal(cn_error_code(), CN_ERROR_RANGE);
    assert_int_equal(cn_outline_decompose(&square, 1, 0, NULL, 1), 0);
    assert_int_equal(cn_error_code(), CN_ERROR_HANDLE);
}

static void outlines_too_thin_for_their_coordinates_are_refused(void **unused) {
    (void)unused;
    const cn_outline sliver = OUTLINE(P(1e6f, 1e6f), P(1e6f + 4, 1e6f), P(1e6f + 4, 1e6f + 0.125f));
    check_refused(&sliver, 1, CN_ERROR_SHAPE, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_that_cross_are_named),
        cmocka_unit_test(holes_in_wrong_places_are_named),
        cmocka_unit_test(bad_numbers_are_refused),
        cmocka_unit_test(outlines_too_thin_for_their_coordinates_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
