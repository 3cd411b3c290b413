/* The part of a hull that lies in another: area and centroid against cn_hull_clip(), which finds
 * them in another way, and the waterline against the motion of the area. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../../engine/parts/fields/submerge.h"
#include "../../support/random_pairs.h"

enum { PAIRS = 20000 };

// A hull at a pose, relative to `origin`.
static cn_hulld place(const cn_hull *hull, cn_pose pose, cn_vec2d origin) {
    cn_hulld placed = {.count = hull->count, .radius = (double)hull->radius};
    for (int i = 0; i < hull->count; i++) {
        cn_vec2d p = cn_rotate2d(pose.rotation, cn_widen(hull->vertices[i]));
        p = cn_add_scaled(p, 1, cn_widen(pose.position));
        placed.vertices[i] = cn_add_scaled(p, -1, origin);
    }
    cn_find_normals(&placed);
    return placed;
}

static cn_submersion submerge_pair(const hull_pair *pair, cn_vec2d move) {
    cn_hulld a = place(&pair->a, pair->pose_a, cn_widen(pair->pose_a.position));
    cn_hulld b = place(&pair->b, pair->pose_b, cn_widen(pair->pose_a.position));
    for (int i = 0; i < a.count; i++) a.vertices[i] = cn_add_scaled(a.vertices[i], 1, move);
    cn_submersion s;
    cn_submerge(&s, &a, (cn_circled){{0, 0}, 1e3}, &b);
    return s;
}

static bool has_area(hull_kind kind) { return kind != CLASS_SEGMENT; }

static hull_pair next_pair(random_source *source) {
    hull_pair pair = random_pair(source);
    while (!has_area(pair.kind_a) || !has_area(pair.kind_b)) pair = random_pair(source);
    return pair;
}

static void area_and_centroid_are_those_of_the_common_part(void **state) {
    (void)state;
    random_source source = {1};
    for (int i = 0; i < PAIRS; i++) {
        hull_pair pair = next_pair(&source);
        cn_submersion s = submerge_pair(&pair, (cn_vec2d){0, 0});
        cn_mass_data whole = cn_hull_mass_data(pair.a, 1), exact;
        cn_hull_clip(&pair.a, pair.pose_a, &pair.b, pair.pose_b, 0.1f, NULL, 0, &exact);
        double size = (double)whole.mass;
        if (fabs(s.whole - size) > 1e-5 * size || fabs(s.area - (double)exact.mass) > 2e-6 * size)
            fail_msg("pair %d: area %.9g of %.9g, should be %.9g of %.9g", i, s.area, s.whole,
                     (double)exact.mass, size);
        if (s.area < 1e-3 * size) continue;
        cn_vec2d c = cn_add_scaled(s.centroid, 1, cn_widen(pair.pose_a.position));
        if (fabs(c.x - (double)exact.center.x) > 2e-5 || fabs(c.y - (double)exact.center.y) > 2e-5)
            fail_msg("pair %d: centroid %.9g, %.9g, should be %.9g, %.9g", i, c.x, c.y,
                     (double)exact.center.x, (double)exact.center.y);
    }
}

// If A moves by d, the area grows by the sum of -n . d over the waterline.
static void the_waterline_is_how_the_area_grows(void **state) {
    (void)state;
    random_source source = {2};
    for (int i = 0; i < PAIRS; i++) {
        hull_pair pair = next_pair(&source);
        for (int k = 0; k < 2; k++) {
            cn_vec2d d = {k ? 0 : 1e-5, k ? 1e-5 : 0};
            cn_submersion s = submerge_pair(&pair, (cn_vec2d){0, 0});
            double ahead = submerge_pair(&pair, d).area;
            double behind = submerge_pair(&pair, (cn_vec2d){-d.x, -d.y}).area, growth = 0;
            for (int c = 0; c < s.chord_count; c++) {
                cn_vec2d along = cn_add_scaled(s.chords[c].to, -1, s.chords[c].from);
                growth -= sqrt(cn_dot2d(along, along)) * cn_dot2d(s.chords[c].normal, d);
            }
            // Where A begins or ceases to cross an edge, the growth jumps.
            double here = (ahead - behind) / 2;
            double bend = fabs(ahead + behind - 2 * s.area);
            if (fabs(growth - here) > bend + 2e-10)
                fail_msg("pair %d: growth %.9g, should be %.9g", i, growth, here);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(area_and_centroid_are_those_of_the_common_part),
        cmocka_unit_test(the_waterline_is_how_the_area_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
