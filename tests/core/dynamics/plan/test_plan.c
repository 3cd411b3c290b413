/* The plan: bodies and joints of an island get as many substeps as their mass ratios need. */
#include "../../../support/chains.h"

// Light links under tension turned too fast for the substeps, and the chain was torn for good.
static void a_chain_bears_two_thousand_times_the_mass_of_a_link(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_shape_def link = {.hull = cn_capsule(point(0, -0.2), point(0, 0.2), 0.05f), .density = 1.2f};
    cn_shape_def heavy = {.hull = cn_circle(1), .density = 36};
    cn_body ball = hang_loaded_chain(world, 10, point(0, -0.5), link, heavy);
    run(world, 600);
    double y = motion_of(world, ball).y;
    if (fabs(y + 6) > 0.2) fail_msg("the ball is at %g", y);
    cn_world_destroy(world);
}

// Joints with uneven masses were once counted in the upper bits of a number, and 128 of them
// overflowed it. The rope of ten links then got a single substep, and became four times as long.
static void a_hub_on_a_rope_may_have_many_light_pins(void **state) {
    (void)state;
    double drop[2];
    for (int many = 0; many < 2; many++) {
        cn_world *world = make_world(10);
        cn_body last = add(world, (cn_body_def){.type = CN_STATIC}, box_of(0.1f));
        cn_shape_def link = {.hull = cn_box(0.05f, 0.25f)};
        cn_shape_def heavy = {.hull = cn_circle(1), .density = 20};
        cn_shape_def pin = {.hull = cn_circle(0.01f), .no_collision = true};
        for (int i = 0; i < 11 + 150 * many; i++) {
            vec2s at = point(0, i < 11 ? -0.5 * i : -6);
            cn_body_def def = {.position = point(0, i < 10 ? -0.5 * i - 0.25 : -6)};
            cn_body next = add(world, def, i < 10 ? link : i == 10 ? heavy : pin);
            cn_joint_def joint = cn_revolute_joint(world, last, next, at);
            assert_done(cn_joint_create(world, joint).id != 0);
            if (i <= 10) last = next;
        }
        run(world, 600);
        drop[many] = motion_of(world, last).y + 6;
        cn_world_destroy(world);
    }
    assert_near(drop[1], drop[0], 0.02);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_bears_two_thousand_times_the_mass_of_a_link),
        cmocka_unit_test(a_hub_on_a_rope_may_have_many_light_pins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
