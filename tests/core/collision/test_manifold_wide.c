/* The narrowphase kernels give the same bits at every width, and the box kernel and the hull kernel
 * give the same answers. */
#include "manifold_lanes.h"
#include "../../support/random_pairs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

// Pairs of one hull class. In an eighth of the groups of 8 all pairs are far apart.
enum { CHUNK = 4096, CHUNKS = 40 };

typedef struct {
    cn_placed_hull placed[2 * CHUNK];
    cn_hull8 hulls8[2 * CHUNK];
    int32_t a[CHUNK], b[CHUNK];
} chunk;

static chunk pairs; // too large for a stack
static lane_manifold found[3][CHUNK];

static cn_hull_store make_store(void) { return (cn_hull_store){pairs.placed, pairs.hulls8}; }

static cn_hull_class place_at(int index, const cn_hull *hull, cn_pose pose) {
    cn_canonical_hull canonical = cn_hull_canonical(hull);
    cn_placed_hull *placed = &pairs.placed[index];
    *placed = canonical.placed;
    placed->pose = cn_compose(pose, placed->pose);
    if (cn_placed_class(placed) != CN_CLASS_BOX) placed->hull = index;
    pairs.hulls8[index] = canonical.hull8;
    return cn_placed_class(placed);
}

// Fills the chunk with random pairs of one hull class. Now and then eight in a row are far apart.
static void fill_chunk(random_source *source, cn_hull_class hull_class) {
    for (int i = 0; i < CHUNK;) {
        hull_pair pair = random_pair(source);
        if (i / 8 % 8 == 7) pair.pose_b.position.x += 10;
        cn_hull_class a = place_at(2 * i, &pair.a, pair.pose_a);
        cn_hull_class b = place_at(2 * i + 1, &pair.b, pair.pose_b);
        if ((a > b ? a : b) != hull_class) continue;
        pairs.a[i] = 2 * i, pairs.b[i] = 2 * i + 1;
        i++;
    }
}

static void assert_same_bits(const lane_manifold *one, const lane_manifold *wide, int lanes) {
    for (int i = 0; i < CHUNK; i++)
        if (memcmp(&one[i], &wide[i], sizeof one[i]) != 0)
            fail_msg(
                "pair %d with %d lanes: %d points, normal (%.9g, %.9g), separations %.9g %.9g; "
                "with one lane %d, (%.9g, %.9g), %.9g %.9g",
                i, lanes, wide[i].count, wide[i].nx, wide[i].ny, wide[i].s1, wide[i].s2,
                one[i].count, one[i].nx, one[i].ny, one[i].s1, one[i].s2);
}

static int compare_widths(cn_hull_class hull_class, float margin) {
    cn_hull_store store = make_store();
    collide_lanes_1(hull_class, &store, pairs.a, pairs.b, CHUNK, margin, found[0]);
    collide_lanes_4(hull_class, &store, pairs.a, pairs.b, CHUNK, margin, found[1]);
    assert_same_bits(found[0], found[1], 4);
#if defined(CN_BUILD_AVX2)
    if (cn_cpu_lanes() >= 8) {
        collide_lanes_8(hull_class, &store, pairs.a, pairs.b, CHUNK, margin, found[2]);
        assert_same_bits(found[0], found[2], 8);
    }
#endif
#if defined(CN_BUILD_AVX512)
    if (cn_cpu_lanes() >= 16) {
        collide_lanes_16(hull_class, &store, pairs.a, pairs.b, CHUNK, margin, found[2]);
        assert_same_bits(found[0], found[2], 16);
    }
#endif
    int touching = 0;
    for (int i = 0; i < CHUNK; i++) touching += found[0][i].count > 0;
    return touching;
}

static void all_widths_give_the_same_bits(void **state) {
    (void)state;
    for (int hull_class = 0; hull_class < CN_CLASS_COUNT; hull_class++) {
        random_source source = {(uint64_t)hull_class + 1};
        int touching = 0;
        for (int i = 0; i < CHUNKS; i++) {
            fill_chunk(&source, (cn_hull_class)hull_class);
            touching += compare_widths((cn_hull_class)hull_class, 0.02f);
        }
        print_message("class %d: %d of %d pairs touch, lanes up to %d\n", hull_class, touching,
                      CHUNKS * CHUNK, cn_cpu_lanes());
        assert_true(touching >= CHUNKS * CHUNK / 10 * 4);
        assert_true(touching <= CHUNKS * CHUNK / 10 * 9);
    }
}

// Gives box B the vertices that it has as a polygon.
static void turn_into_polygon(int index) {
    static const float sx[4] = {-1, 1, 1, -1}, sy[4] = {-1, -1, 1, 1};
    static const float nx[4] = {0, 1, 0, -1}, ny[4] = {-1, 0, 1, 0};
    cn_placed_hull *placed = &pairs.placed[index];
    for (int i = 0; i < 8; i++) {
        int k = i < 4 ? i : 0;
        pairs.hulls8[index].x[i] = sx[k] * placed->hx, pairs.hulls8[index].nx[i] = nx[k];
        pairs.hulls8[index].y[i] = sy[k] * placed->hy, pairs.hulls8[index].ny[i] = ny[k];
    }
    placed->hull = index;
    placed->hy = 0;
    placed->kind = 4 | CN_CLASS_HULL4 << 8;
}

static bool is_close(const lane_manifold *m, const lane_manifold *k) {
    enum { FLOATS = offsetof(lane_manifold, ids) / sizeof(float) };
    float x[FLOATS], y[FLOATS];
    memcpy(x, m, sizeof x);
    memcpy(y, k, sizeof y);
    for (int i = 0; i < FLOATS; i++)
        if (fabsf(x[i] - y[i]) > 2e-5f) return false;
    return m->ids == k->ids && m->reference == k->reference && m->incident == k->incident &&
           m->count == k->count;
}

static void fill_boxes(random_source *source) { // A: a box, capsule or circle; B: a box
    for (int i = 0; i < CHUNK; i++) {
        cn_hull a = random_hull(source, (hull_kind)random_below(source, CLASS_POLYGON), false);
        cn_hull b = random_hull(source, CLASS_ROUNDED_BOX, true);
        float turn_a = random_between(source, -3, 3), turn_b = random_between(source, -3, 3);
        float x = random_between(source, -2, 2), y = random_between(source, -2, 2);
        place_at(2 * i, &a, cn_pose_at((vec2s){{0, 0}}, turn_a));
        place_at(2 * i + 1, &b, cn_pose_at((vec2s){{x, y}}, turn_b));
        pairs.a[i] = 2 * i, pairs.b[i] = 2 * i + 1;
    }
}

static void a_box_is_the_same_to_both_kernels(void **state) {
    (void)state;
    random_source source = {7};
    cn_hull_store store = make_store();
    fill_boxes(&source);
    collide_lanes_1(CN_CLASS_BOX, &store, pairs.a, pairs.b, CHUNK, 0.02f, found[0]);
    for (int i = 0; i < CHUNK; i++) turn_into_polygon(2 * i + 1);
    for (int hull_class = CN_CLASS_HULL4; hull_class <= CN_CLASS_HULL8; hull_class++) {
        collide_lanes_1((cn_hull_class)hull_class, &store, pairs.a, pairs.b, CHUNK, 0.02f,
                        found[1]);
        collide_lanes_1((cn_hull_class)hull_class, &store, pairs.b, pairs.a, CHUNK, 0.02f,
                        found[2]);
        int different = 0, one_sided = 0;
        for (int i = 0; i < CHUNK; i++) {
            different += !is_close(&found[0][i], &found[1][i]);
            one_sided += (found[0][i].count > 0) != (found[2][i].count > 0);
        }
        // The two differ only where two edges are equally good, to within rounding.
        assert_true(different <= CHUNK / 1000);
        assert_true(one_sided <= CHUNK / 1000);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_widths_give_the_same_bits),
        cmocka_unit_test(a_box_is_the_same_to_both_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
