/* Checks data that follow from the state of a world against plain scans of the state: the places of
 * bodies, joints, grids and tile shapes in their lists, and the tree over the grids. */
#ifndef TESTS_LINKS_ORACLE_H
#define TESTS_LINKS_ORACLE_H

#include "physics.h"

#include "../../engine/core/world/world.h"
#include "../../engine/parts/tiles/tiles.h"

// ---- joints

static inline int side_of_joint(const cn_simulation *sim, int joint, int body) {
    return sim->joint_records[joint].bodies[1] == body;
}

static inline void check_joint_lists(const cn_simulation *sim) {
    CN_EACH(CN_BODIES, body, sim) {
        int previous = -1;
        for (int i = sim->first_joint[body]; i >= 0; i = cn_joint_next(sim, i, body)) {
            int side = side_of_joint(sim, i, body);
            assert_int_equal(sim->joint_links[i].previous[side], previous);
            previous = i;
        }
    }
}

static inline void check_couplings(const cn_simulation *sim) {
    int listed = 0, coupled = 0;
    CN_EACH(CN_JOINTS, joint, sim) {
        int previous = -1;
        coupled += sim->joints[joint].coupling.other >= 0;
        for (int i = sim->joint_links[joint].first_coupled; i >= 0; listed++) {
            assert_true(cn_is_alive(sim, CN_JOINTS, i));
            assert_int_equal(sim->joints[i].coupling.other, joint);
            assert_int_equal(sim->joint_links[i].previous_coupled, previous);
            previous = i, i = sim->joint_links[i].next_coupled;
        }
    }
    assert_int_equal(listed, coupled);
    assert_int_equal(sim->coupling_count, coupled);
}

// ---- bodies

static inline void check_places(const cn_simulation *sim) {
    int kinematics = 0, drops = 0, gaps = sim->kinematic_gaps, drop_gaps = sim->drop_gaps;
    CN_EACH(CN_BODIES, body, sim) {
        uint32_t needed = CN_BODY_ENABLED | CN_BODY_IS_KINEMATIC;
        static const cn_body_links none = {-1, -1, -1};
        const cn_body_links *links = sim->body_links ? &sim->body_links[body] : &none;
        bool listed = (sim->hot[body].flags & needed) == needed;
        assert_int_equal(links->kinematic >= 0, listed);
        if (listed) assert_int_equal(sim->kinematics.items[links->kinematic], body);
        if (links->drop >= 0) assert_int_equal(sim->drop_throughs.items[links->drop].body, body);
        kinematics += listed, drops += links->drop >= 0;
    }
    assert_int_equal(sim->kinematics.count, kinematics + gaps);
    assert_int_equal(sim->drop_throughs.count, drops + drop_gaps);
}

static inline void check_sleepers(const cn_simulation *sim) {
    for (int i = 0; i < sim->sleeping_end; i++) {
        int previous = -1, body = sim->sleeping_islands[i].first_body;
        for (; sim->sleeping_islands[i].alive && body >= 0; body = sim->warm[body].next) {
            assert_int_equal(sim->body_links[body].previous, previous);
            previous = body;
        }
    }
}

// ---- grids

// The tree has the grids of enabled bodies, and their boxes contain all tiles.
static inline void check_grid_box(const cn_simulation *sim, int index) {
    const cn_tile_grid *grid = cn_grid_at(sim, index);
    bool is_in = cn_tree_has(cn_grid_tree(sim), index);
    assert_int_equal(is_in, !!(sim->hot[grid->body].flags & CN_BODY_ENABLED));
    for (int i = 0; is_in && i < 4; i++) {
        vec2s corner = {{grid->size * (float)(i & 1 ? grid->width : 0),
                         grid->size * (float)(i & 2 ? grid->height : 0)}};
        vec2s p = cn_to_world(cn_origin_pose(sim, grid->body), glms_vec2_add(grid->origin, corner));
        assert_true(cn_box_contains(cn_tree_box(cn_grid_tree(sim), index), (cn_bounds){p, p}));
    }
}

static inline void check_grids(const cn_simulation *sim) {
    int count = 0;
    for (int i = 0; cn_grid_tree(sim) && i < cn_grid_tree(sim)->id_capacity; i++)
        assert_true(!cn_tree_has(cn_grid_tree(sim), i) || cn_is_alive(sim, CN_GRIDS, i));
    CN_EACH(CN_BODIES, body, sim) {
        int previous = -1;
        CN_EACH_GRID_OF(i, sim, body) {
            assert_true(cn_is_alive(sim, CN_GRIDS, i) && cn_grid_at(sim, i)->body == body);
            assert_int_equal(cn_grid_at(sim, i)->previous, previous);
            previous = i, count++;
        }
    }
    assert_int_equal(count, sim->slots[CN_GRIDS].count);
    CN_EACH(CN_GRIDS, i, sim) check_grid_box(sim, i);
}

// The shapes of a grid are listed in the order of the body's list.
static inline void check_tile_shapes(const cn_simulation *sim) {
    CN_EACH(CN_GRIDS, i, sim) {
        int next = cn_grid_at(sim, i)->first_shape, previous = -1;
        CN_EACH_SHAPE(shape, sim, cn_grid_at(sim, i)->body) {
            if (cn_rare_of(sim, shape)->terrain.owner != i) continue;
            assert_int_equal(shape, next);
            assert_int_equal(sim->rare[shape].previous, previous);
            previous = shape, next = sim->rare[shape].next;
        }
        assert_int_equal(next, -1);
        assert_int_equal(cn_grid_at(sim, i)->last_shape, previous);
    }
}

static inline void check_no_tiles(const cn_simulation *sim, int first, int end, cn_bounds box) {
    for (int i = first; i < end; i++)
        assert_true(!cn_is_alive(sim, CN_GRIDS, i) ||
                    !(sim->hot[cn_grid_at(sim, i)->body].flags & CN_BODY_ENABLED) ||
                    cn_next_missing_tile(sim, i, box, -1) < 0);
}

// A walk visits the grids with tiles near a box in the order of slots.
static inline void check_grid_walk(const cn_simulation *sim, cn_bounds box) {
    int last = -1;
    CN_EACH_GRID(i, cn_grids_to_complete, sim, box) {
        assert_true(i > last);
        check_no_tiles(sim, last + 1, i, box);
        last = i;
    }
    check_no_tiles(sim, last + 1, sim->slots[CN_GRIDS].end, box);
}

// ---- chains

// Each chain has exactly the segments between its ends, in the order of their numbers.
static inline void check_chain_segments(const cn_simulation *sim) {
    int count = 0;
    CN_EACH(CN_SHAPES, i, sim) {
        const cn_shape_rare *rare = cn_rare_of(sim, i);
        assert_int_equal(rare->chain >= 0, !!(sim->shapes[i].flags & CN_SHAPE_ONE_SIDED));
        assert_true(rare->chain < 0 || cn_is_alive(sim, CN_CHAINS, rare->chain));
        count += rare->chain >= 0;
    }
    CN_EACH(CN_CHAINS, i, sim) {
        const cn_chain_row *chain = &sim->chains[i];
        for (int shape = chain->first, last = -1;; shape = sim->shapes[shape].next, count--) {
            assert_true(sim->rare[shape].chain == i && sim->links[shape].body == chain->body);
            assert_in_range(sim->rare[shape].segment, last + 1, chain->count - 1);
            last = sim->rare[shape].segment;
            if (shape == chain->last) break;
        }
        count--;
    }
    assert_int_equal(count, 0);
}

// ---- all

static inline void check_links(const cn_world *world) {
    const cn_simulation *sim = &world->sim;
    check_joint_lists(sim);
    check_couplings(sim);
    check_places(sim);
    check_sleepers(sim);
    check_grids(sim);
    check_tile_shapes(sim);
    check_chain_segments(sim);
}

#endif
