/* model: the data of the dynamics, and what follows when one datum changes.
 *
 *   rows.h         what is stored per body, shape, tile grid, contact and joint
 *   simulation.h   all rows in one struct; the plan of the solver
 *   motion.h       how a body moves by a displacement, in lanes
 *   body.c         masses, poses of shapes, boxes, the bodies that the next plan takes in
 *   motion.c       how a body moved in the step, as the narrowphase and the sweeps see it
 *   joint.c        lists of joints, their coordinates and springs
 *   hull_pool.c    equal polygons are stored once
 *   ground.c       the smooth surfaces of static and kinematic shapes that touch
 *   tiles.c        grids of tiles: which tiles are solid, where they are, what comes near them
 *   filter.c       which shapes may collide: filters, joints
 *   wake.c         islands wake
 *   scratch.c      memory for a stage, sorting
 */
#ifndef CN_MODEL_H
#define CN_MODEL_H

#include "simulation.h"

// ---- slots (slots.c)

enum { CN_IN_USE = -2 }; // next_free of a slot that has an object

// True if there is a body, a shape, ... in this slot.
static inline bool cn_is_alive(const cn_simulation *sim, cn_slot_kind kind, int slot) {
    return sim->slots[kind].items[slot].next_free == CN_IN_USE;
}
// Loops over the slots of all objects of a kind: CN_EACH(CN_BODIES, i, sim) { ... }
#define CN_EACH(kind, i, sim)                                                                      \
    for (int i = 0; i < (sim)->slots[kind].end; i++)                                               \
        if (cn_is_alive(sim, kind, i))

static inline uint64_t cn_user_data(const cn_simulation *sim, cn_slot_kind kind, int slot) {
    const uint64_t *user_data = sim->slots[kind].user_data;
    return user_data ? user_data[slot] : 0;
}
bool cn_set_user_data(cn_simulation *sim, cn_slot_kind kind, int slot, uint64_t user_data);
// In a step: the slots of destroyed objects come nearer to being used again.
void cn_age_slots(cn_simulation *sim);
// Returns the slot that the next object gets, or -1 if memory is short. Its rows exist and its user
// data is written, but the slot stays unused until cn_take_slot().
int cn_next_slot(cn_simulation *sim, cn_slot_kind kind, uint64_t user_data);
// Reserves rows for `needed` slots, exactly or with a reserve.
bool cn_resize_slots(cn_simulation *sim, cn_slot_kind kind, int needed, bool exactly);
bool cn_reserve_slots(cn_simulation *sim, cn_slot_kind kind, int count); // for `count` more slots
void cn_take_slot(cn_simulation *sim, cn_slot_kind kind, int slot);
void cn_retire_slot(cn_simulation *sim, cn_slot_kind kind, int slot);

// Removes an item from a list of `count` items. Returns the new count.
static inline int cn_remove_item(int *items, int count, int item) {
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (items[i] != item) items[kept++] = items[i];
    return kept;
}

static inline bool cn_is_same_pose(cn_pose a, cn_pose b) {
    return a.position.x == b.position.x && a.position.y == b.position.y &&
           a.rotation.c == b.rotation.c && a.rotation.s == b.rotation.s;
}

static inline void cn_set_flag(uint32_t *flags, uint32_t flag, bool on) {
    *flags = on ? *flags | flag : *flags & ~flag;
}

// ---- shapes (shape.c)

// A further shape of a body, without a proxy yet; -1 if memory is short. The definition has its
// defaults; memory for the proxy is reserved.
int cn_add_shape(cn_simulation *sim, int body, const cn_shape_def *def);
void cn_add_proxy(cn_simulation *sim, int shape); // to its tree
// Destroys a shape; all shapes of a body that the test chooses, or all if it is NULL. The mass of the
// body stays as it is.
void cn_destroy_shape(cn_simulation *sim, int shape);
typedef bool cn_shape_test(const cn_simulation *sim, int shape, int argument);
void cn_destroy_shapes(cn_simulation *sim, int body, cn_shape_test *is_chosen, int argument);
// Contacts of the shape end, if it has a proxy. The edit of the tree removes the proxy, or makes the
// next search find its pairs again.
void cn_end_contacts(cn_simulation *sim, int shape, void (*edit)(cn_tree *tree, int id));
// Wakes the bodies that rest on the shape or may touch it now.
void cn_wake_around_shape(cn_simulation *sim, int shape);
// A polygon's entry in the pool. False if memory is short.
bool cn_pool_hull(cn_simulation *sim, cn_canonical_hull *hull);
void cn_unpool_hull(cn_simulation *sim, int shape);
void cn_store_hull(cn_simulation *sim, int shape, const cn_placed_hull *placed);
bool cn_has_resistance(cn_material material); // against rolling, or a moving surface
void cn_store_material(cn_simulation *sim, int shape, cn_material material);
void cn_store_one_way(cn_simulation *sim, int shape, vec2s direction);
bool cn_reserve_sensor(cn_simulation *sim, bool sensor);
void cn_store_sensor(cn_simulation *sim, int shape, bool sensor);

// ---- bodies (body.c)

static inline bool cn_is_dynamic(const cn_body_hot *body) {
    return body->flags & CN_BODY_IS_DYNAMIC;
}
static inline bool cn_is_moving_kinematic(const cn_body_hot *body) {
    return (body->flags & CN_BODY_IS_KINEMATIC) && (body->flags & CN_BODY_ENABLED) &&
           (body->vx != 0 || body->vy != 0 || body->w != 0);
}
// Are pairs of this body watched? Awake, or kinematic: that may move at any time.
static inline bool cn_is_active(const cn_body_hot *body) { return body->flags & CN_BODY_AWAKE; }

// Of the point of a body that is at a place in the world.
static inline vec2s cn_velocity_at(const cn_body_hot *body, vec2s place) {
    vec2s turn = cn_spin(body->w, cn_vec(place.x - body->x, place.y - body->y));
    return cn_vec(body->vx + turn.x, body->vy + turn.y);
}

// It did not come from anywhere: who asks where it was before gets where it is.
static inline void cn_clear_motion(cn_simulation *sim, int body) {
    sim->motions[body].x = sim->motions[body].y = sim->motions[body].angle = 0;
}

// Goes through the shapes of a body: CN_EACH_SHAPE(i, sim, body) { ... }
#define CN_EACH_SHAPE(i, sim, body)                                                                \
    for (int i = (sim)->warm[body].first_shape; i >= 0; i = (sim)->shapes[i].next)

// Room in a tree for the boxes of so many more shapes. False if memory is short.
static inline bool cn_reserve_boxes(cn_simulation *sim, cn_tree *tree, int more) {
    return cn_tree_reserve(tree, &sim->memory, more, sim->slots[CN_SHAPES].capacity);
}
// Sorts new boxes if the tree is untidy. False if memory is short.
bool cn_tidy_boxes(cn_simulation *sim, cn_tree *tree);
// The tree that a shape has its box in; NULL if in none.
static inline const cn_tree *cn_tree_with(const cn_simulation *sim, int shape) {
    return cn_tree_has(&sim->moving_tree, shape)  ? &sim->moving_tree
           : cn_tree_has(&sim->static_tree, shape) ? &sim->static_tree
                                             : NULL;
}
static inline const cn_shape_rare *cn_rare_of(const cn_simulation *sim, int shape) {
    return sim->shapes[shape].flags & CN_SHAPE_RARE ? &sim->rare[shape] : &cn_common_shape;
}
// Room for rare properties of all shapes; those of one that are its own. False, NULL if memory is short.
bool cn_reserve_rare(cn_simulation *sim);
cn_shape_rare *cn_make_rare(cn_simulation *sim, int shape);
// The tree that the shapes of this body are in.
static inline cn_tree *cn_tree_of(cn_simulation *sim, int body) {
    return sim->hot[body].flags & CN_BODY_MOVES ? &sim->moving_tree : &sim->static_tree;
}

// The hull of a shape, in the body's frame; the same without its normals.
cn_hull cn_hull_of(const cn_simulation *sim, int shape);
cn_hull cn_outline_of(const cn_simulation *sim, int shape);
// Recomputes mass, centre and inertia of a body from its shapes (unless set by hand), keeping the
// origin where it is and the velocity that of the same material point.
void cn_update_mass(cn_simulation *sim, int body);
void cn_set_mass(cn_simulation *sim, int body, cn_mass mass); // the same with this one
// The same after a shape was appended: continues the sum, so that many shapes take linear time.
void cn_append_mass(cn_simulation *sim, int body, int shape);
// The mass of the body with a further shape.
cn_mass cn_mass_with(const cn_simulation *sim, int body, cn_mass part);
// All shapes together; `part` (if not NULL) is added, or stands in for that of shape `changed` (if not -1).
cn_mass cn_mass_of_shapes(const cn_simulation *sim, int body, int changed, const cn_mass *part);
// Recomputes inverse masses from mass, type and locks, and the extent.
void cn_update_inverse_mass(cn_simulation *sim, int body);
// A shape where it would be after its body moved and turned so.
cn_placed_hull cn_placed_after(const cn_simulation *sim, int shape, vec2s way, float turn);
// How fast points of two bodies may come nearer to each other.
float cn_closing_speed_bound(const cn_simulation *sim, int body_a, int body_b);
// Is it part of a chain or doll, and so fast that it could be stopped on its way? Its neighbours would go on, and tear
// the joints between: so what it may meet is a contact before that.
static inline bool cn_is_fast_jointed(const cn_simulation *sim, int body) {
    const cn_body_hot *hot = &sim->hot[body];
    if (sim->first_joint[body] < 0) return false;
    float way = sim->step_seconds * glms_vec2_norm(cn_vec(hot->vx, hot->vy));
    return way > CN_BULLET_FRACTION * sim->motions[body].ccd_threshold;
}
// Places one shape after the pose of its body; its proxy stays as it is.
static inline void cn_place_shape(cn_simulation *sim, int body, int shape) {
    const cn_body_hot *hot = &sim->hot[body];
    cn_pose local = sim->shapes[shape].pose;
    cn_rotation q = {hot->c, hot->s};
    vec2s offset = cn_rotate(q, glms_vec2_sub(local.position, sim->warm[body].center));
    sim->links[shape].offset = offset;
    sim->placed[shape].pose =
        (cn_pose){cn_vec(hot->x + offset.x, hot->y + offset.y), cn_combine(q, local.rotation)};
}
// Outside of batches: places all shapes of the body, with new fat boxes if needed. No point of the
// body has moved farther than `moved`. The boxes cover the sweep of a step if the body needs it.
// `reset` gives every shape a new box.
void cn_place_shapes(cn_simulation *sim, int body, float moved, bool reset);

// What a worker that moves bodies has to tell, kept until it is worth the lock.
enum { CN_MOVE_REPORT_SIZE = 128 };
typedef struct {
    int count;
    float slow_displacement;
    int moved[CN_MOVE_REPORT_SIZE]; // shapes with new boxes
} cn_move_report;
void cn_publish_moves(cn_simulation *sim, cn_move_report *report); // empties it
// As cn_place_shapes(), but boxes cover the way of a step only if it looks ahead.
void cn_refit_body(cn_simulation *sim, int body, float moved, bool reset, bool ahead,
                    cn_move_report *report);
// How far each side of a box on the body may be carried in a step, if its margin does not cover that.
cn_bounds cn_motion_bounds(const cn_simulation *sim, int body);
// The box that a shape's proxy gets: tight, grown by the margin and along the motion.
cn_bounds cn_fat_bounds(const cn_simulation *sim, int shape);
cn_pose cn_origin_pose(const cn_simulation *sim, int body);
void cn_set_origin_pose(cn_simulation *sim, int body, cn_pose origin);

// Records dirty of a shape.
static inline void cn_mark_dirty(cn_simulation *sim, int shape, uint8_t dirty) {
    if (!sim->dirty[shape]) sim->dirty_shapes[sim->dirty_count++] = shape;
    sim->dirty[shape] |= dirty;
}
// News of all shapes of a body; its batch is planned again.
void cn_mark_body_dirty(cn_simulation *sim, int body, uint8_t dirty);
// The body joins or leaves the plan: created, destroyed, enabled, disabled, other type, other mass.
void cn_replan_body(cn_simulation *sim, int body);
void cn_replan_all(cn_simulation *sim);

// ---- motion (motion.c)

// Moves and turns the body by d: x, y, angle.
void cn_move_body(cn_body_hot *body, const float *d);
// Has it moved in this step?
static inline bool cn_has_moved(const cn_body_hot *hot) {
    bool flies = (hot->flags & CN_BODY_IS_DYNAMIC) && (hot->flags & CN_BODY_AWAKE);
    return flies || cn_is_moving_kinematic(hot);
}
// How the body moved in this step; a shape on its way; all places that it went through, and `more`.
cn_body_sweep cn_sweep_of_body(const cn_simulation *sim, int body);
cn_swept_hull cn_swept_shape(const cn_simulation *sim, int shape);
cn_bounds cn_swept_bounds(const cn_simulation *sim, int body, float more);

// ---- joints (joint.c)

// The next joint of the body after this one, -1 at the end; first_joint[] has the first.
int cn_joint_next(const cn_simulation *sim, int joint, int body);
bool cn_joint_has_body(const cn_simulation *sim, int joint, int body); // is it one of its bodies?
int cn_joint_other(const cn_simulation *sim, int joint, int body);  // the other body
bool cn_joint_has_dynamic_body(const cn_simulation *sim, int joint);           // does it hold a dynamic body?
void cn_joint_link(cn_simulation *sim, int joint);                  // into the lists of its bodies
void cn_joint_unlink(cn_simulation *sim, int joint);
void cn_joint_clear_impulses(cn_simulation *sim, int joint); // its impulses
// A frame of the joint moved on its body, or the body's centre of mass did.
void cn_update_lever_arms(cn_simulation *sim, int joint);
// Does a joint keep the two bodies from colliding?
bool cn_joint_prevents_collision(const cn_simulation *sim, int body_a, int body_b);
void cn_wake_joined(cn_simulation *sim, int body); // the bodies that joints tie to it
// The joint came, goes or changed: both bodies wake and are planned again.
void cn_replan_joint(cn_simulation *sim, int joint);
// The body begins or ceases to take part: so do its joints, and what is coupled to them.
void cn_replan_joined(cn_simulation *sim, int body);
cn_row_type cn_joint_row_type(const cn_joint_def *def);
static inline cn_coordinate *cn_coordinate_of(cn_joint_def *def, int axis) {
    return axis == CN_JOINT_X ? &def->x : axis == CN_JOINT_Y ? &def->y : &def->angle;
}
// The angle of frame B against frame A, counting turns.
float cn_joint_angle(const cn_simulation *sim, int joint);

// Where a joint's anchors are: world axes.
typedef struct {
    vec2s d;    // centre of mass of B minus that of A
    vec2s r[2]; // anchors from their bodies' centres of mass
    vec2s axis; // x of frame A
} cn_lever_arms;
// After displacements {x, y, angle} of both bodies.
extern const cn_float4 cn_no_displacement; // none
cn_lever_arms cn_lever_arms_of(const cn_simulation *sim, int joint, cn_float4 a, cn_float4 b);

// A coordinate and how velocities change it: n . (vB - vA) + wB sb - wA sa.
typedef struct {
    float value;
    vec2s n;
    float sa, sb;
} cn_coordinate_row;
cn_coordinate_row cn_joint_row(const cn_simulation *sim, int joint, cn_joint_axis axis, cn_float4 a,
                               cn_float4 b);
cn_coordinate_row cn_joint_row_now(const cn_simulation *sim, int joint, int axis);
// How strongly the springs of a joint pull within a substep of h.
double cn_joint_strength(const cn_joint_def *def, float h);
// Makes the rows those for substeps of h.
void cn_joint_prepare(cn_simulation *sim, int joint, float h);
// Of lock, spring and motor together, in the last substep.
float cn_total_impulse(const cn_simulation *sim, int joint, cn_joint_axis axis);
vec2s cn_joint_impulse_on_b(const cn_simulation *sim, int joint);
// After the solver: ratchets, what broke. The bodies' poses are still those before, the angle is not.
void cn_joint_after_step(cn_simulation *sim, int joint, const cn_state *a, const cn_state *b, float h);

// Marks both bodies if the joint kept them from colliding: a pair that overlaps deeply does not
// collide in the next step either.
void cn_joint_mark_removed(cn_simulation *sim, int joint);
void cn_joint_refilter(cn_simulation *sim, int joint);     // decides again whether its bodies collide
void cn_joint_reset_ground(cn_simulation *sim, int joint); // forgets surfaces of its static body
void cn_remove_joint(cn_simulation *sim, int joint);
void cn_remove_broken_joints(cn_simulation *sim); // after a step

// ---- hull pool (hull_pool.c)

// The index of an equal entry, added if new; -1 if memory is short.
int cn_hull_pool_add(cn_hull_pool *pool, cn_memory *memory, const cn_canonical_hull *hull);
void cn_hull_pool_remove(cn_hull_pool *pool, int index);

// ---- surfaces (ground.c)

// Finds the surface of a shape unless it is known; the tree of its body must be refit. False if memory is
// short.
bool cn_find_surface(cn_simulation *sim, int shape);
bool cn_find_dirty_surfaces(cn_simulation *sim); // of the shapes that have dirty of their neighbours
// The shape has come or is about to go or change: forgets its surface and those around it. (Those of tiles
// of one grid follow from its bitmap, so they do not mind.)
void cn_forget_surfaces(cn_simulation *sim, int shape);
void cn_forget_surface(cn_simulation *sim, int shape); // its own
// With what a static body is ground is about to change, or has just changed.
void cn_forget_body_surfaces(cn_simulation *sim, int body);

// ---- tile grids (tiles.c)

static inline bool cn_is_tile(const cn_simulation *sim, int shape) {
    return cn_rare_of(sim, shape)->tile.grid >= 0;
}
// Outside the grid nothing is solid.
bool cn_tile_is_solid(const cn_tile_grid *grid, int x, int y);
// In the body's frame.
cn_hull cn_tile_hull(const cn_tile_grid *grid, int tile);
// Of a grid, the next tile after `last` (-1: the first) that is solid and exposed, not all of its four
// neighbours being solid, and yet no shape, and whose fat box a box in the world may overlap; -1 if none is.
int cn_next_missing_tile(const cn_simulation *sim, int grid, cn_bounds box, int last);

static inline size_t cn_grid_bytes(const cn_tile_grid *grid) {
    return (size_t)grid->width * (size_t)grid->height * sizeof *grid->tiles;
}
void cn_store_grid_pose(cn_simulation *sim, cn_tile_grid *grid); // of its body, as it is now
// Makes a tile solid or empty, which it is not yet. Wakes what is near.
void cn_set_tile(cn_simulation *sim, cn_tile_grid *grid, int x, int y, bool solid);
void cn_destroy_grid(cn_simulation *sim, int index);
int cn_first_grid(const cn_simulation *sim, int body); // -1: the body has none
void cn_remove_grids(cn_simulation *sim, int body);    // their tiles have no shapes any more
// Before a step: makes shapes of the tiles near moving shapes. False if memory is short; the next
// call goes on where this one ended.
bool cn_create_tile_shapes(cn_simulation *sim);
// After a step: every 64 steps, destroys the shapes of tiles that have nothing near them.
void cn_remove_idle_tiles(cn_simulation *sim);

// ---- which shapes may collide (filter.c)

// Do the boxes of two shapes overlap?
static inline bool cn_proxies_overlap(const cn_simulation *sim, int shape_a, int shape_b) {
    const cn_tree *a = cn_tree_with(sim, shape_a), *b = cn_tree_with(sim, shape_b);
    return a && b && cn_boxes_overlap(cn_tree_box(a, shape_a), cn_tree_box(b, shape_b));
}
// Has the pair ceased to be neighbours?
static inline bool cn_has_ended(const cn_simulation *sim, int shape_a, int shape_b) {
    uint8_t dirty = sim->dirty[shape_a] | sim->dirty[shape_b];
    return dirty & CN_DIRTY_REMOVED ||
           (dirty & CN_DIRTY_BOX && !cn_proxies_overlap(sim, shape_a, shape_b));
}
static inline bool cn_is_same_filter(const cn_filter *a, const cn_filter *b) {
    return a->category == b->category && a->mask == b->mask && a->group == b->group;
}

static inline bool cn_is_one_way(const cn_simulation *sim, int shape) {
    vec2s up = cn_rare_of(sim, shape)->one_way;
    return up.x != 0 || up.y != 0;
}

// A segment of a chain, as long as it is one and its body is not dynamic.
static inline bool cn_is_one_sided(const cn_simulation *sim, int shape) {
    return sim->shapes[shape].flags & CN_SHAPE_ONE_SIDED &&
           cn_placed_count(&sim->placed[shape]) == 2 &&
           !cn_is_dynamic(&sim->hot[sim->links[shape].body]);
}

bool cn_filter_agrees(const cn_filter *a, const cn_filter *b);
// Do the filters of two shapes let them meet, and are they of two bodies?
bool cn_filters_agree(const cn_simulation *sim, int shape_a, int shape_b);
// May the two shapes be a contact? (filters, bodies)
bool cn_should_collide(const cn_simulation *sim, int shape_a, int shape_b);
// ---- waking (wake.c)

// All of these only mark: the islands wake at the start of the next step.
void cn_wake_body(cn_simulation *sim, int body); // it rests no longer; nor its island, if it sleeps
// Every sleeping island with a fat box that overlaps.
void cn_wake_bounds(cn_simulation *sim, cn_bounds bounds);
// Those that overlap the fat boxes of a body's shapes, and those joined to it.
void cn_wake_around(cn_simulation *sim, int body);
bool cn_body_is_awake(const cn_simulation *sim, int body); // active, or about to wake
// Takes a body out of its sleeping island (the island must have been woken or the body be alone).
void cn_remove_from_sleeping_island(cn_simulation *sim, int body);
// Ends the sleep of the waking islands (their contacts have been brought back).
void cn_wake_islands(cn_simulation *sim);
// A new sleeping island, with room for so many touching contacts; -1 if memory is short.
int cn_add_sleeping_island(cn_simulation *sim, int contacts);
void cn_push_body_event(cn_simulation *sim, int body, cn_body_change change);

// ---- memory of a stage (scratch.c)

// The arena, with room for so many bytes and nothing taken; NULL if memory is short. For any stage, until
// the next one asks.
void *cn_scratch(cn_simulation *sim, size_t bytes);
// Words of a bit for each body; the plan's, all of them zero. False if memory is short.
static inline int cn_body_words(const cn_simulation *sim) {
    return (sim->slots[CN_BODIES].end + 63) / 64;
}
bool cn_clear_body_bits(cn_simulation *sim);
// Memory for the sets of so many bodies. False if it is short.
bool cn_reserve_body_sets(cn_simulation *sim, int bodies);
static inline uint64_t *cn_bits_of(const cn_simulation *sim, cn_body_set set) {
    return sim->body_sets.items + sim->body_sets.capacity / CN_BODY_SETS * (int)set;
}
// Sorts items by the int32_t that each begins with.
void cn_sort_items(void *items, int count, size_t size);
// Sorts keys, in scratch memory. False if that is short.
bool cn_sort_list(cn_simulation *sim, cn_key_list *list);

#endif
