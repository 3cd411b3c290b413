/* Bodies that are pressed between others: the impulses on both sides do not grow without limit, so
 * no body is thrown, and none is pushed through the ground. */
#include "../../../support/physics.h"

// ---- presses

typedef struct {
    float friction, tilt, speed;
    int substeps, bodies;
} press;

// The greatest speed of bodies between a wall and a door that closes on them.
static double fastest_pressed(press p) {
    cn_world *world =
        cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .substeps = p.substeps});
    cn_material material = {.friction = p.friction, .frictionless = p.friction == 0};
    cn_shape_def wall = {.hull = cn_box(0.5f, 5), .material = material}, floor = wall;
    cn_shape_def plank = {.hull = cn_box(1, 0.1f), .material = material}, ball = plank;
    floor.hull = cn_box(20, 0.5f), ball.hull = cn_circle(0.4f);
    double middle = p.bodies > 1 ? 3 : 2, fastest = 0;
    add(world, (cn_body_def){.type = CN_STATIC}, floor);
    add(world, (cn_body_def){.type = CN_STATIC, .position = point(-middle, 5)}, wall);
    cn_body_def door = {.position = point(middle, 5.6), .velocity = point(-(double)p.speed, 0)};
    door.type = CN_KINEMATIC;
    add(world, door, wall);
    cn_body bodies[5];
    for (int i = 0; i < p.bodies; i++) {
        cn_body_def def = {.position = point(i - 2, 1), .angle = p.tilt};
        if (p.bodies == 1) def.position = point(0, 1.3 + (double)sinf(p.tilt));
        bodies[i] = add(world, def, p.bodies > 1 ? ball : plank);
    }
    for (int i = 0; i < (int)((float)middle * 87 / p.speed); i++) {
        run(world, 1);
        for (int k = 0; k < p.bodies; k++) {
            motion m = motion_of(world, bodies[k]);
            fastest = fmax(fastest, hypot(m.vx, m.vy));
        }
    }
    cn_world_destroy(world);
    return fastest;
}

// The impulses on both sides once grew without limit: a plank was thrown at 82 m/s when it turned.
static void a_body_pressed_by_a_closing_door_is_not_thrown(void **state) {
    (void)state;
    const press presses[] = {{0.1f, 0.8f, 1, 4, 1}, {0, 0, 0.2f, 4, 1},    {0, 0, 1, 4, 1},
                             {0.1f, 0, 3, 4, 1},    {0, 0.2f, 1, 12, 1},   {0.3f, 0, 3, 12, 1},
                             {0.6f, 0, 1, 4, 5},    {0.3f, 0, 0.2f, 12, 5}};
    for (int i = 0; i < (int)(sizeof presses / sizeof presses[0]); i++) {
        double fastest = fastest_pressed(presses[i]);
        if (fastest > 9) fail_msg("case %d: thrown at %g m/s", i, fastest);
    }
}

// The body once moved along with the plate, 1.1 m into the floor or through it.
static void a_press_does_not_push_through_the_ground(void **state) {
    (void)state;
    for (int late = 0; late < 2; late++) {
        cn_world *world = make_world(10);
        cn_body_def plate_def = {.type = CN_KINEMATIC, .position = point(0, 3)}, pole = {0};
        pole.position = point(0.2, 0.7), pole.lock_rotation = true;
        cn_shape_def wide = {.hull = cn_box(2, 0.1f)};
        cn_body plate = late ? add(world, plate_def, wide) : (cn_body){0};
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(0, -0.1)}, wide);
        if (!late) plate = add(world, plate_def, wide);
        cn_body hero = add(world, pole, (cn_shape_def){.hull = cn_box(0.3f, 0.7f)});
        for (int i = 0; i < 300; i++) {
            double y = motion_of(world, plate).y, v = i >= 200 ? 2 : y > 0.4 ? -3 : 0;
            assert_done(cn_body_set_velocity(world, plate, point(0, v)));
            run(world, 1);
            if (motion_of(world, hero).y < 0.6)
                fail_msg("y = %g in step %d", motion_of(world, hero).y, i);
        }
        cn_world_destroy(world);
    }
}

// ---- wedged bodies

typedef struct {
    cn_world *world;
    cn_body bodies[3];
    uint64_t seed;
    int count;
} jammed;

static void add_to_jam(jammed *jam, int i, bool is_static) {
    uint64_t *seed = &jam->seed;
    double most = is_static ? 1 : 0.5;
    float x = (float)random_between(seed, 0.1, most), y = (float)random_between(seed, 0.1, most);
    float r = (float)random_between(seed, 0.05, 0.8 * most), l = is_static ? 1 : 0.4f;
    cn_hull hull = i % 2 ? cn_box(x, y) : cn_capsule(point(-(double)l, 0), point((double)l, 0), r);
    cn_material material = {.friction = (float)random_between(seed, 0.1, 1),
                            .restitution = (float)random_between(seed, 0.1, 0.9)};
    cn_body_def def = {.type = is_static ? CN_STATIC : CN_DYNAMIC,
                       .angle = (float)random_between(seed, -3, 3)};
    def.position = point(random_between(seed, -1, 1), random_between(seed, -1, is_static ? 1 : 2));
    cn_body body = add(jam->world, def, (cn_shape_def){.hull = hull, .material = material});
    if (!is_static) jam->bodies[i] = body;
}

static void join_jammed(jammed *jam, uint64_t kind) {
    cn_world *world = jam->world;
    cn_body a = jam->bodies[0], b = jam->bodies[1];
    vec2s p = cn_body_position(world, a), q = cn_body_position(world, b);
    vec2s middle = glms_vec2_scale(glms_vec2_add(p, q), 0.5f);
    cn_joint_def def = kind == 0   ? cn_revolute_joint(world, a, b, middle)
                       : kind == 1 ? cn_weld_joint(world, a, b, middle)
                       : kind == 2 ? cn_distance_joint(world, a, b, p, q)
                                   : cn_prismatic_joint(world, a, b, middle, point(1, 0.3));
    assert_done(cn_joint_create(world, def).id != 0);
}

// One to three bodies are created among four static bodies, and then thrown or moved. Two bodies on
// a joint are only thrown. Returns the greatest speed.
static double fastest_jammed(uint64_t seed, bool jointed) {
    jammed jam = {.world = make_world(10), .seed = 7919 * seed + 1};
    jam.count = jointed ? 2 : 1 + (int)(seed % 3);
    double fastest = 0;
    for (int i = 0; i < 4; i++) add_to_jam(&jam, i, true);
    for (int i = 0; i < jam.count; i++) add_to_jam(&jam, i, false);
    if (jointed) join_jammed(&jam, seed % 4);
    for (int i = 0; i < 300; i++) {
        vec2s at = point(random_between(&jam.seed, -1, 1), random_between(&jam.seed, -1, 1));
        cn_body one = jam.bodies[i / 60 % jam.count];
        if (i % 60 == 59 && seed & 8 && !jointed)
            assert_done(cn_body_set_pose(jam.world, one, cn_pose_at(at, 3 * at.x)));
        else if (i % 60 == 59)
            assert_done(cn_body_set_velocity(jam.world, one, glms_vec2_scale(at, 10)));
        run(jam.world, 1);
        for (int k = 0; k < jam.count; k++) {
            motion m = motion_of(jam.world, jam.bodies[k]);
            if (hypot(m.x, m.y) < 4) fastest = fmax(fastest, hypot(m.vx, m.vy));
        }
    }
    cn_world_destroy(jam.world);
    return fastest;
}

// Each bounce fed the contact that pressed against the body: seven of a hundred bodies were thrown
// at up to 100 km/s, and a third of the pairs on a joint.
static void a_wedged_body_is_not_thrown(void **state) {
    (void)state;
    int thrown = 0, pinched = 0;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        double fastest = fastest_jammed(seed, false);
        if (fastest > 150) fail_msg("seed %d: %g m/s", (int)seed, fastest);
        thrown += fastest > 60;
    }
    assert_in_range(thrown, 0, 2);
    for (uint64_t seed = 0; seed < 400; seed++) {
        double fastest = fastest_jammed(seed, true);
        if (fastest > 150) fail_msg("seed %d on a joint: %g m/s", (int)seed, fastest);
        pinched += fastest > 60; // a rod between two bodies pressed together: 1 of 1,300
    }
    assert_in_range(pinched, 0, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_pressed_by_a_closing_door_is_not_thrown),
        cmocka_unit_test(a_press_does_not_push_through_the_ground),
        cmocka_unit_test(a_wedged_body_is_not_thrown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
