/* A save and the hash depend on every byte of the state, and a comparison finds it. A world with
 * objects of all kinds is saved once for each byte of its rows, with this byte changed. Exceptions
 * are listed here: scratch, data that follow from other data, and indices that the save itself
 * follows. */
#include "../../../engine/parts/fields/fields.h"
#include "../../../engine/parts/snapshot/snapshot.h"
#include "../../support/floors.h"
#include "../../support/sleepers.h"

#include <stdio.h>

typedef struct {
    size_t from, end; // bytes of a row
} range;

#define FIELD(type, field)                                                                         \
    { offsetof(type, field), offsetof(type, field) + sizeof(((type *)0)->field) }

enum { SCENERY = 4 }; // static bodies, which are created first and have no joints

// The rows of some slots, and the bytes of a row that are not part of the state.
typedef struct {
    const char *name;
    void *rows;
    size_t size;
    int count;
    range others[8];
} row_table;

static uint64_t saved_hash(const cn_world *world) {
    static unsigned char bytes[1 << 20];
    size_t size = cn_world_save(world, CN_SAVE_ALL, bytes, sizeof bytes);
    assert_in_range(size, 1, sizeof bytes);
    uint64_t hash = size;
    for (size_t i = 40; i < size; i++) hash = (hash ^ bytes[i]) * 0x9E3779B97F4A7C15u + 1;
    return hash;
}

static bool is_in(range r, size_t byte) { return byte >= r.from && byte < r.end; }

static bool is_left_out(const row_table *t, size_t byte) {
    for (int i = 0; i < 8; i++)
        if (is_in(t->others[i], byte)) return true;
    return false;
}

// The hash does not include the separations of contacts, which every step computes first.
static bool is_unhashed(const row_table *t, size_t byte) {
    const range separations = {offsetof(cn_contact_record, s1),
                               offsetof(cn_contact_record, friction)};
    return strstr(t->name, "contacts") && is_in(separations, byte);
}

// `same` is a world with the same state.
static int count_missing(const cn_world *world, const cn_world *same, const row_table *t) {
    int missing = 0;
    uint64_t hash = saved_hash(world), whole = cn_world_hash(world);
    for (int row = 0; row < t->count; row++)
        for (size_t byte = 0; byte < t->size; byte++) {
            unsigned char *place = (unsigned char *)t->rows + (size_t)row * t->size + byte;
            if (is_left_out(t, byte)) continue;
            *place ^= 1;
            bool saved = saved_hash(world) != hash;
            bool hashed = cn_world_hash(world) != whole || is_unhashed(t, byte);
            bool found = cn_world_compare(world, same).part != CN_PART_NONE || is_unhashed(t, byte);
            *place ^= 1;
            if (!saved || !hashed || !found)
                print_error("%s, row %d: byte %d is not %s\n", t->name, row, (int)byte,
                            !saved    ? "saved"
                            : !hashed ? "hashed"
                                      : "compared");
            missing += !saved || !hashed || !found;
        }
    return missing;
}

static cn_world *make_everything(void) {
    cn_world *world = make_sleepy_world(GRAVITY);
    cn_body ground = add_static(world), grounds[3];
    add_tile(world, ground, 0, -0.5, 30, 0.5);
    for (int i = 0; i < 3; i++) grounds[i] = add_static(world);
    const cn_tile tiles[] = {{.solid = true}, {.solid = true, .form = CN_TILE_RISES_LEFT}};
    cn_grid_def grid = {.tiles = tiles, .width = 2, .height = 1, .tile_size = 1};
    grid.origin = point(8, 0);
    assert_true(cn_grid_create(world, grounds[0], &grid).id);
    vec2s points[] = {point(-14, 0.2), point(-16, 0.5), point(-18, 0.2)};
    assert_true(
        cn_chain_create(world, grounds[1], &(cn_chain_def){.points = points, .count = 3}).id);
    cn_shape_def water = {.hull = cn_box(2, 1), .sensor = true, .medium = {.density = 1}};
    assert_true(cn_shape_create(world, grounds[2], &water).id);
    cn_body bodies[8];
    for (int i = 0; i < 8; i++) {
        cn_shape_def def = {.hull = i % 3 == 0   ? cn_circle(0.5f)
                                    : i % 3 == 1 ? cn_box(0.5f, 0.4f)
                                                 : cn_regular_polygon(6, 0.5f)};
        if (i == 1) def.material.surface_speed = 1;
        bodies[i] = add(world, (cn_body_def){.position = point(3.0 * i - 12, 0.45)}, def);
    }
    cn_joint_def pair = cn_revolute_joint(world, bodies[4], bodies[5], point(1.5, 0.5));
    cn_joint a = cn_joint_create(world, pair);
    pair = cn_revolute_joint(world, bodies[5], bodies[6], point(4.5, 0.5));
    cn_joint b = cn_joint_create(world, pair);
    cn_coupling coupling = {b, CN_JOINT_ANGLE, CN_JOINT_ANGLE, 2, false};
    assert_done(cn_joint_set_coupling(world, a, coupling));
    add(world, (cn_body_def){.type = CN_KINEMATIC, .position = point(20, 5)},
        (cn_shape_def){.hull = cn_box(1, 1)});
    add(world, (cn_body_def){.position = point(9, 3)}, (cn_shape_def){.hull = cn_box(0.4f, 0.4f)});
    assert_done(cn_body_drop_through(world, bodies[3], 2));
    run(world, 30);
    assert_done(cn_body_set_asleep(world, bodies[0], true));
    return world;
}

static void every_byte_of_the_state_is_saved(void **state) {
    (void)state;
    cn_world *world = make_everything();
    cn_simulation *sim = &world->sim;
    cn_touching_rows *t = &sim->touching;
    cn_field_state *fields = cn_fields_of(sim);
    assert_true(t->count > 2 && sim->sleeping_count == 1 && sim->overlaps.count > 0);
    cn_sleeping_island *island = &sim->sleeping_islands[0];
    int bodies = sim->slots[CN_BODIES].end, shapes = sim->slots[CN_SHAPES].end;
    int rare = 0;
    while (cn_rare_of(sim, rare)->chain < 0) rare++;
    int joints = sim->slots[CN_JOINTS].end;
    int first = cn_find_bit(t->occupied, 0, t->end, true);
    int contacts = cn_find_bit(t->occupied, first, t->end, false) - first;
    const row_table tables[] = {
        {"slots of bodies", sim->slots[CN_BODIES].items, sizeof(cn_slot), bodies, {{4, 8}}},
        {"slots of joints", sim->slots[CN_JOINTS].items, sizeof(cn_slot), joints, {{4, 8}}},
        {"bodies", sim->hot, sizeof(cn_body_hot), bodies, {{0}}},
        {"bodies, seldom",
         sim->warm,
         sizeof(cn_body_warm),
         bodies,
         {FIELD(cn_body_warm, batch), FIELD(cn_body_warm, batch_state)}},
        {"motions",
         sim->motions,
         sizeof(cn_motion),
         bodies,
         {FIELD(cn_motion, stop), FIELD(cn_motion, sweep)}},
        {"heads of joints", sim->first_joint + SCENERY, sizeof(int), bodies - SCENERY, {{0}}},
        {"pulls", sim->pulls + SCENERY, sizeof(cn_pull), bodies - SCENERY, {{0}}},
        // The index of a polygon, and its class.
        {"hulls",
         sim->placed,
         sizeof(cn_placed_hull),
         shapes,
         {FIELD(cn_placed_hull, hull),
          {offsetof(cn_placed_hull, kind) + 1, sizeof(cn_placed_hull)}}},
        {"links", sim->links, sizeof(cn_shape_link), shapes, {{0}}},
        {"shapes", sim->shapes, sizeof(cn_shape_warm), shapes, {{0}}},
        {"seldom properties",
         &sim->rare[rare],
         sizeof(cn_shape_rare),
         1,
         {{offsetof(cn_shape_rare, one_way) + sizeof(vec2s), offsetof(cn_shape_rare, filter)},
          {offsetof(cn_shape_rare, filter) + offsetof(cn_filter, group) + sizeof(int),
           offsetof(cn_shape_rare, chain)}, // both are padding
          FIELD(cn_shape_rare, next),       // these follow from the list of the body
          FIELD(cn_shape_rare, previous)}},
        {"slots of chains", sim->slots[CN_CHAINS].items, sizeof(cn_slot), 1, {{4, 8}}},
        {"chains", sim->chains, sizeof(cn_chain_row), 1, {{0}}},
        {"kinematic bodies", sim->kinematics.items, sizeof(int), sim->kinematics.count, {{0}}},
        {"sensors", sim->sensors.items, sizeof(int), sim->sensors.count, {{0}}},
        {"fields", fields->list.items, sizeof(cn_field), fields->list.count, {{0}}},
        {"drop-throughs", sim->drop_throughs.items, sizeof(cn_drop), 1, {{0}}},
        {"overlaps", sim->overlaps.items, sizeof(uint64_t), sim->overlaps.count, {{0}}},
        {"states of joints", sim->joint_records, sizeof(cn_joint_record), joints, {{0}}},
        {"loads of joints",
         sim->joint_load,
         sizeof(cn_joint_load),
         joints,
         {FIELD(cn_joint_load, unused)}},
        {"contacts", t->records + first, sizeof(cn_contact_record), contacts, {{0}}},
        {"anchors", t->anchors + first, sizeof(cn_anchor), contacts, {{0}}},
        {"loads of contacts", t->load + first, sizeof(cn_contact_load), contacts, {{0}}},
        {"bodies of contacts", t->bodies + first, sizeof(cn_contact_bodies), contacts, {{0}}},
        {"silent contacts", t->silent, 1, 1, {{0}}},
        {"stored contacts",
         island->contacts.items,
         offsetof(cn_stored_contact, silent),
         cn_min_int(island->contacts.count, 1),
         {{0}}},
        {"settings", &sim->tuning, sizeof sim->tuning, 1, {{0}}},
        {"gravity", &sim->gravity, sizeof sim->gravity, 1, {{0}}},
    };
    cn_world *same = make_everything();
    assert_int_equal(cn_world_compare(world, same).part, CN_PART_NONE);
    int missing = 0;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (tables[i].count == 0) print_error("%s: no rows\n", tables[i].name);
        assert_true(tables[i].count > 0);
        missing += count_missing(world, same, &tables[i]);
    }
    assert_int_equal(missing, 0);
    cn_world_destroy(same);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_byte_of_the_state_is_saved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
