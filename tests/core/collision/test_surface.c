/* cn_surface: the surface that a hull gets does not depend on the order of its neighbours. */
#include "random_hulls.h"

enum { NEIGHBOURS = 6, TRIALS = 2000, ORDERS = 12 };
static const float tolerance = 0.0025f;

static cn_surface make_surface(const cn_hull *hull, const cn_hull *neighbours, const int *order) {
    cn_surface surface = cn_surface_of(hull, false);
    bool changed = true;
    while (changed) {
        changed = false;
        for (int i = 0; i < NEIGHBOURS; i++)
            changed |= cn_surface_cover(&surface, hull, &neighbours[order[i]], tolerance);
    }
    for (int i = 0; i < NEIGHBOURS; i++)
        cn_surface_join(&surface, hull, &neighbours[order[i]], false, tolerance);
    cn_surface_end(&surface, hull, (cn_pose){.rotation = {1, 0}});
    return surface;
}

static void shuffle(int *order) {
    for (int i = NEIGHBOURS - 1; i > 0; i--) {
        int k = (int)(next_random() % (uint64_t)(i + 1)), kept = order[i];
        order[i] = order[k], order[k] = kept;
    }
}

// A box whose right side is near x = 0.5, and whose top is near that of the hull. The distances are
// about as large as the tolerance, or as a rounding error.
static cn_hull nearly_aligned(void) {
    float error = next_random() % 2 ? 2 * tolerance : 1e-6f;
    cn_hull box = cn_box(random_between(0.2f, 1), random_between(0.2f, 1));
    vec2s corner = cn_hull_bounds(box, cn_pose_at(cn_vec(0, 0), 0)).upper;
    vec2s place = cn_vec(0.5f - corner.x + random_between(-error, error),
                         1 - corner.y + random_between(-error, error));
    return cn_hull_at(box, (cn_pose){.position = place, .rotation = {1, 0}});
}

static void the_order_of_neighbours_changes_no_bit(void **state) {
    (void)state;
    int covered = 0;
    for (int i = 0; i < TRIALS; i++) {
        cn_hull hull = cn_box(1, 1), neighbours[NEIGHBOURS];
        for (int k = 0; k < NEIGHBOURS; k++)
            neighbours[k] = next_random() % 2 ? nearly_aligned() : random_hull();
        int order[NEIGHBOURS] = {0, 1, 2, 3, 4, 5};
        cn_surface first = make_surface(&hull, neighbours, order);
        for (int k = 0; k < hull.count; k++) covered += !first.edges[k].visible;
        for (int k = 0; k < ORDERS; k++) {
            shuffle(order);
            cn_surface surface = make_surface(&hull, neighbours, order);
            assert_memory_equal(&surface, &first, sizeof surface);
        }
    }
    assert_in_range(covered, TRIALS / 10, 4 * TRIALS - TRIALS / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_order_of_neighbours_changes_no_bit, start_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
