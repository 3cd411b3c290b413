/* Debug drawing: the joint overlay draws the force that each joint exerts on b as a line. Its
 * length is relative to the greatest force of all joints. Tiles are drawn as they are seen. */
#include "../../support/joints.h"

static const uint32_t force_color = 0xF72585FF;

// Returns the only line for a force that begins at a point. Fails if there is none or another one.
static vec2s force_line(cn_world *world, double x, double y) {
    cn_drawing drawing;
    assert_done(cn_world_draw(world, CN_DRAW_JOINTS, &drawing));
    vec2s line = point(0, 0);
    int count = 0;
    for (int i = 0; i + 1 < drawing.line_vertices; i += 2) {
        const cn_draw_vertex *v = drawing.lines + i;
        vec2s from = v[0].position;
        if (v->color != force_color || hypot((double)from.x - x, (double)from.y - y) > 1e-3)
            continue;
        line = glms_vec2_sub(v[1].position, from);
        count++;
    }
    assert_int_equal(count, 1);
    return line;
}

static int count_force_lines(cn_world *world) {
    cn_drawing drawing;
    assert_done(cn_world_draw(world, CN_DRAW_JOINTS, &drawing));
    int count = 0;
    for (int i = 0; i < drawing.line_vertices; i += 2)
        count += drawing.lines[i].color == force_color;
    return count;
}

// Hangs a disc 1 m below a static anchor.
static cn_joint hang(cn_world *world, double x, double mass) {
    cn_body disc = add_disc(world, x, -1, mass);
    return join(world, cn_revolute_joint(world, add_anchor(world, x, 0), disc, point(x, 0)));
}

// The discs weigh 20 N and 60 N, and their joints pull them upwards.
static void the_joint_overlay_shows_forces(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_joint light = hang(world, 0, 2), heavy = hang(world, 5, 6);
    run(world, 60);
    assert_near((double)cn_joint_force(world, light).y, 2 * GRAVITY, 1e-3);
    assert_near((double)cn_joint_force(world, heavy).y, 6 * GRAVITY, 1e-3);
    vec2s short_line = force_line(world, 0, 0), long_line = force_line(world, 5, 0);
    assert_near((double)short_line.x, 0, 1e-4);
    assert_near((double)short_line.y, 1.0 / 3, 1e-4);
    assert_near((double)long_line.x, 0, 1e-4);
    assert_near((double)long_line.y, 1, 1e-4);
    cn_world_destroy(world);
}

// The upper joint carries both discs.
static void the_lines_of_a_chain_add_up(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body upper = add_disc(world, 0, -1, 1), lower = add_disc(world, 0, -3, 4);
    join(world, cn_revolute_joint(world, add_anchor(world, 0, 0), upper, point(0, 0)));
    join(world, cn_revolute_joint(world, upper, lower, point(0, -2)));
    run(world, 60);
    assert_near((double)force_line(world, 0, 0).y, 1, 1e-4);
    assert_near((double)force_line(world, 0, -2).y, 0.8, 1e-4);
    cn_world_destroy(world);
}

static void the_longest_line_has_the_length_unit(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -1000}}, .length_unit = 100});
    hang(world, 0, 2);
    run(world, 10);
    assert_near((double)force_line(world, 0, 0).y, 100, 1e-2);
    cn_world_destroy(world);
}

static void joints_without_force_have_no_line(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    hang(world, 0, 2);
    assert_int_equal(count_force_lines(world), 0); // before the first step
    cn_joint_def loose = {.a = add_anchor(world, 5, 0), .b = add_disc(world, 5, 0, 1)};
    loose.x.mode = loose.y.mode = loose.angle.mode = CN_FREE;
    join(world, loose);
    run(world, 10);
    assert_int_equal(count_force_lines(world), 1);
    cn_world_destroy(world);
}

// ---- tiles

// Draws one tile between two solid squares. Returns the number of its triangles, and the colour of
// the first one.
static int draw_tile(cn_tile tile, int *lines, uint32_t *color) {
    const cn_tile row[] = {{.solid = true}, tile, {.solid = true}};
    const cn_material materials[2] = {{0}};
    cn_world *world = make_world(0);
    cn_grid_def def = {.tiles = row, .width = 3, .height = 1, .tile_size = 1};
    def.materials = materials, def.material_count = 2;
    assert_done(cn_grid_create(world, add_anchor(world, 0, 0), &def).id != 0);
    cn_drawing drawing;
    assert_done(cn_world_draw(world, CN_DRAW_GRIDS, &drawing));
    *lines = drawing.line_vertices / 2;
    int triangles = drawing.triangle_vertices / 3;
    *color = triangles > 4 ? drawing.triangles[6].color : 0;
    cn_world_destroy(world);
    return triangles - 4; // each of the squares has two
}

// A square and its two neighbours have 8 free sides. A slope leaves one more side free, and has its
// own long side in place of two.
static void slopes_are_drawn_as_triangles_and_materials_in_their_colours(void **state) {
    (void)state;
    int lines;
    uint32_t plain, other;
    assert_int_equal(draw_tile((cn_tile){.solid = true}, &lines, &plain), 2);
    assert_int_equal(lines, 8);
    for (int form = CN_TILE_RISES_RIGHT; form <= CN_TILE_HANGS_LEFT; form++) {
        cn_tile slope = {.solid = true, .form = (cn_tile_form)form};
        assert_int_equal(draw_tile(slope, &lines, &other), 1);
        assert_int_equal(lines, 9);
        assert_int_equal(other, plain);
    }
    draw_tile((cn_tile){.solid = true, .material = 1}, &lines, &other);
    assert_int_not_equal(other, plain);
    assert_int_equal(draw_tile((cn_tile){.form = CN_TILE_RISES_LEFT}, &lines, &other), 0);
}

// ---- chains

// Draws a segment of 3 m from x = 3 to x = 0, or back. Returns how far lines reach above and below
// it.
static cn_bounds draw_segment(float unit, bool back, cn_motion_type type, int *lines) {
    cn_world *world = cn_world_create(&(cn_world_def){.length_unit = unit});
    cn_body body = cn_body_create(world, &(cn_body_def){.type = CN_KINEMATIC});
    const vec2s points[] = {point(back ? 0 : 3 * unit, 0), point(back ? 3 * unit : 0, 0)};
    cn_chain_def def = {.points = points, .count = 2};
    assert_done(cn_chain_create(world, body, &def).id != 0);
    assert_done(cn_body_set_mass_data(world, body, (cn_mass_data){1, 1, point(0, 0)}));
    assert_done(cn_body_set_type(world, body, type));
    cn_drawing drawing;
    assert_done(cn_world_draw(world, CN_DRAW_SHAPES, &drawing));
    *lines = drawing.line_vertices / 2;
    cn_bounds reach = {{{0, 0}}, {{0, 0}}};
    for (int i = 0; i < drawing.line_vertices; i++) {
        reach.lower = glms_vec2_minv(reach.lower, drawing.lines[i].position);
        reach.upper = glms_vec2_maxv(reach.upper, drawing.lines[i].position);
    }
    cn_world_destroy(world);
    return reach;
}

// Strokes of 0.15 m times the square root of 2, at 45 degrees.
static void strokes_mark_the_solid_side_of_a_segment(void **state) {
    (void)state;
    int lines, plain;
    for (float unit = 1; unit < 200; unit *= 100) {
        cn_bounds reach = draw_segment(unit, false, CN_KINEMATIC, &lines);
        assert_near((double)reach.lower.y, -0.15 * (double)unit, 1e-4 * (double)unit);
        assert_true(reach.upper.y == 0 && lines >= 9);
        reach = draw_segment(unit, true, CN_KINEMATIC, &lines);
        assert_near((double)reach.upper.y, 0.15 * (double)unit, 1e-4 * (double)unit);
        assert_true(reach.lower.y == 0);
    }
    cn_bounds reach = draw_segment(1, false, CN_DYNAMIC, &plain); // solid from both sides
    assert_true(reach.lower.y == 0 && reach.upper.y == 0 && plain < lines);
}

// One line from the first body of an island to each other one, also while they sleep.
static void sleeping_islands_are_drawn(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
    add(world, (cn_body_def){.type = CN_STATIC}, (cn_shape_def){.hull = cn_box(10, 0.5f)});
    for (int i = 0; i < 3; i++)
        add(world, (cn_body_def){.position = point(0, 1 + i)}, box_of(0.5f));
    cn_drawing drawing;
    for (int k = 0; k < 2; k++) {
        run(world, k ? 180 : 2);
        assert_int_equal(cn_world_counters(world).sleeping_islands, k);
        assert_done(cn_world_draw(world, CN_DRAW_ISLANDS, &drawing));
        assert_int_equal(drawing.line_vertices, 2 * 2);
    }
    cn_world_destroy(world);
}

// An edit of shapes moves the centre of mass at once, also in drawings.
static void lines_of_islands_end_at_the_centres_of_edited_bodies(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){0});
    cn_body a = add(world, (cn_body_def){0}, box_of(0.5f));
    cn_body b = add(world, (cn_body_def){.position = point(3, 0)}, box_of(0.5f));
    cn_joint_def def = cn_revolute_joint(world, a, b, point(1, 0));
    assert_done(cn_joint_create(world, def).id);
    run(world, 1);
    cn_hull box = cn_box(0.5f, 0.5f), beside = cn_hull_at(box, cn_pose_at(point(2, 0), 0));
    assert_done(cn_shape_create(world, b, &(cn_shape_def){.hull = beside}).id);
    cn_drawing drawing;
    assert_done(cn_world_draw(world, CN_DRAW_ISLANDS, &drawing));
    assert_int_equal(drawing.line_vertices, 2);
    assert_near((double)drawing.lines[1].position.x, 4, 1e-5);
    assert_near((double)cn_body_center(world, b).x, 4, 1e-5);
    cn_world_destroy(world);
}

// A coupling joins two islands only while the solver has it. A hub in the middle joins nothing.
static void a_coupling_is_drawn_as_an_island_while_it_acts(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body hub = add_anchor(world, 0, 0), discs[2];
    cn_joint joints[2];
    for (int i = 0; i < 2; i++) {
        discs[i] = add(world, (cn_body_def){.position = point(3 * i, 0)}, box_of(0.5f));
        cn_joint_def def = cn_revolute_joint(world, hub, discs[i], point(3 * i, 0));
        joints[i] = cn_joint_create(world, def);
    }
    cn_coupling coupling = {joints[1], CN_JOINT_ANGLE, CN_JOINT_ANGLE, 1, false};
    assert_done(cn_joint_set_coupling(world, joints[0], coupling));
    for (int k = 0; k < 6; k++) {
        assert_done(cn_joint_set_disabled(world, joints[0], !(k != 1)));
        assert_done(cn_joint_set_disabled(world, joints[1], !(k != 3)));
        assert_done(cn_body_set_disabled(world, hub, !(k != 5)));
        run(world, 1);
        cn_drawing drawing;
        assert_done(cn_world_draw(world, CN_DRAW_ISLANDS, &drawing));
        assert_int_equal(drawing.line_vertices / 2, k % 2 ? 0 : 1);
        assert_int_equal(cn_world_counters(world).islands, k % 2 ? 2 : 1);
    }
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_joint_overlay_shows_forces),
        cmocka_unit_test(the_lines_of_a_chain_add_up),
        cmocka_unit_test(the_longest_line_has_the_length_unit),
        cmocka_unit_test(joints_without_force_have_no_line),
        cmocka_unit_test(strokes_mark_the_solid_side_of_a_segment),
        cmocka_unit_test(sleeping_islands_are_drawn),
        cmocka_unit_test(lines_of_islands_end_at_the_centres_of_edited_bodies),
        cmocka_unit_test(a_coupling_is_drawn_as_an_island_while_it_acts),
        cmocka_unit_test(slopes_are_drawn_as_triangles_and_materials_in_their_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
