/* model: the data of the dynamics, and what follows when one datum changes.
 *
 *   rows.h            what is stored for each body, shape, chain, tile grid, contact and joint
 *   simulation.h      all rows in one struct; the plan of the solver
 *   slots.c           slots of bodies, shapes, joints, grids and chains: taken, retired, used again
 *   body.c            poses of shapes, fat boxes, the bodies that the next plan adds
 *   mass.c            masses, which follow from shapes, and the measures of the shapes of a body
 *   shape.c           shapes are created and destroyed; their material, filter and proxy
 *   motion.h          moves bodies by a displacement, in lanes
 *   motion.c          how a body moved in the step, for the narrowphase and the sweeps
 *   joint.c           lists of joints, their coordinates, what follows when one is removed
 *   joint_springs.c   limits, motors and springs of joints, prepared for a length of substep
 *   hull_pool.c       stores equal polygons once
 *   ground.c          the smooth surfaces of shapes that touch
 *   filter.c          which shapes may collide
 *   wake.c            sleeping islands wake
 *   gaps.c            lists that bodies leave in any order
 *   scratch.c         memory for a stage, sorting
 *
 * Functions that may need memory return false, -1 or NULL if it is short. Most edits only mark what
 * they change: islands wake, contacts are remade and batches are planned again in the next step.
 */
#ifndef CN_MODEL_H
#define CN_MODEL_H

#include "part.h"

// ---- slots (slots.c)

enum { CN_IN_USE = -2 }; // next_free of a slot that has an object

// True if there is an object of this kind in the slot.
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
// Returns false if memory is short.
bool cn_set_user_data(cn_simulation *sim, cn_slot_kind kind, int slot, uint64_t user_data);
// A stage of the step: brings the slots of destroyed objects nearer to being used again.
void cn_age_slots(cn_simulation *sim);
// Returns the slot that the next object gets, or -1 if memory is short. Its rows exist and its user
// data is written, but the slot stays unused until cn_take_slot().
int cn_next_slot(cn_simulation *sim, cn_slot_kind kind, uint64_t user_data);
// Makes the capacity of the rows at least `needed`: exactly that, or more in proportion to the
// capacity. Returns false if memory is short.
bool cn_resize_slots(cn_simulation *sim, cn_slot_kind kind, int needed, bool exactly);
// Clears the rows from `end` on, as if their slots had never been used. Lists of slots must be
// empty.
void cn_forget_slots(cn_simulation *sim, cn_slot_kind kind, int end);
// Makes a kind as if none of its slots had ever been used.
void cn_clear_slots(cn_simulation *sim, cn_slot_kind kind);
// Reserves rows for `count` further new slots. Returns false if memory or slots are short.
bool cn_reserve_slots(cn_simulation *sim, cn_slot_kind kind, int count);
// Reserves memory for the next `count` objects, so that cn_next_slot() does not fail for them.
bool cn_reserve_next_slots(cn_simulation *sim, cn_slot_kind kind, int count, bool has_user_data);
// Gives the slot that cn_next_slot() returned to an object.
void cn_take_slot(cn_simulation *sim, cn_slot_kind kind, int slot);
// Ends the object in the slot: its handle becomes stale, and the slot joins the queue of unused
// ones.
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

// Returns the shape before this one in the list of its body, or -1. The next one is
// cn_shape_warm.next.
static inline int cn_shape_before(const cn_simulation *sim, int shape) {
    bool is_first = sim->warm[sim->links[shape].body].first_shape == shape;
    return is_first ? -1 : sim->shape_before[shape];
}
// Reserves rows that only bodies with several shapes need. Returns false if memory is short.
bool cn_reserve_compounds(cn_simulation *sim);
// Fills cn_simulation.shape_before after a state was read.
void cn_link_shapes_back(cn_simulation *sim);
// Creates a further shape of a body, without a proxy, and returns its slot, or -1 if memory is
// short. The definition must have its defaults filled in. Memory for the proxy is reserved.
int cn_add_shape(cn_simulation *sim, int body, const cn_shape_def *def);
// The same with a given hull instead of that of the definition.
int cn_add_canonical_shape(cn_simulation *sim, int body, const cn_shape_def *def,
                           cn_canonical_hull *hull);
// Adds the proxy of a new shape to its tree, if the body is enabled.
void cn_add_proxy(cn_simulation *sim, int shape);
// Destroys a shape. The mass of the body stays as it is. A chain ends with its last segment.
void cn_destroy_shape(cn_simulation *sim, int shape);
// Ends the contacts of the shape, if it has a proxy. `edit` is applied to the proxy: it removes the
// proxy from the tree, or makes the next search find all its pairs again.
void cn_end_contacts(cn_simulation *sim, int shape, void (*edit)(cn_tree *tree, int id));
// Wakes the body of the shape, and the bodies that rest on the shape or may touch it now.
void cn_wake_around_shape(cn_simulation *sim, int shape);
// Has the contacts of the shape remade, which have copies of some of its properties; sleeping ones,
// too. Wakes as above.
void cn_remake_contacts(cn_simulation *sim, int shape);
// True if the hull needs an entry in the pool: a polygon that is no box.
bool cn_is_pooled(const cn_placed_hull *placed);
// Gives the hull its entry in the pool, if it needs one. Returns false if memory is short.
bool cn_pool_hull(cn_simulation *sim, cn_canonical_hull *hull);
// Releases the shape's entry in the pool, if it has one.
void cn_unpool_hull(cn_simulation *sim, int shape);
// Writes the hull of a shape. `placed` is in the body's frame; cn_place_shape() must follow.
void cn_store_hull(cn_simulation *sim, int shape, const cn_placed_hull *placed);
// True if the material has rolling resistance, a moving surface or a threshold of bounces.
bool cn_is_rare_material(cn_material material);
// True if the shape of a definition, with its defaults, gets a cn_shape_rare of its own.
bool cn_has_rare_properties(const cn_shape_def *def);
// Writes the material. If it is rare, the shape must have CN_SHAPE_RARE.
void cn_store_material(cn_simulation *sim, int shape, cn_material material);
// Writes the side from which the shape is solid; zero: all sides. Does nothing to a shape without
// CN_SHAPE_RARE, which is solid from all sides.
void cn_store_one_way(cn_simulation *sim, int shape, vec2s direction);
// Makes the shape a sensor or not. The memory must be reserved.
void cn_store_sensor(cn_simulation *sim, int shape, bool sensor);
// Has the next step make the index of the sensors anew.
static inline void cn_forget_sensor_index(cn_simulation *sim) {
    if (sim->sensor_index) sim->sensor_index->is_current = false;
}
// Has the next step measure all pairs of all sensors, because the filter may be another one.
void cn_remeasure_sensors(cn_simulation *sim);
bool cn_is_empty_medium(cn_medium medium); // all values except `floor` are 0

// ---- bodies (body.c)

static inline bool cn_is_dynamic(const cn_body_hot *body) {
    return body->flags & CN_BODY_IS_DYNAMIC;
}
static inline bool cn_is_moving_kinematic(const cn_body_hot *body) {
    return (body->flags & CN_BODY_IS_KINEMATIC) && (body->flags & CN_BODY_ENABLED) &&
           (body->vx != 0 || body->vy != 0 || body->w != 0);
}
// Returns the speed below which a body is slow, m/s.
static inline float cn_sleep_speed(const cn_simulation *sim, int body) {
    float own = sim->warm[body].sleep_speed;
    return own > 0 ? own : sim->tuning.sleep_speed;
}
// True if a body follows a drive. `speed` is the speed of the body relative to the other body of
// the drive, `aim` the speed at which the drive aims; both in m/s.
static inline bool cn_follows(const cn_simulation *sim, int body, float speed, float aim) {
    return speed > CN_REST_FRACTION * cn_min(cn_sleep_speed(sim, body), aim);
}
// True if the body is dynamic, but locked in x and y.
static inline bool cn_is_pinned(const cn_body_hot *body) {
    const uint32_t all = CN_BODY_IS_DYNAMIC | CN_BODY_LOCK_X | CN_BODY_LOCK_Y;
    return (body->flags & all) == all;
}
// True if contacts cannot push the body: it is static, kinematic or pinned.
static inline bool cn_is_immovable(const cn_body_hot *body) { return body->inverse_mass == 0; }
// True if the pairs of this body are watched: it is awake. An enabled kinematic body always is,
// because it may move at any time.
static inline bool cn_is_active(const cn_body_hot *body) { return body->flags & CN_BODY_AWAKE; }

// True if the body is in the plan or joins the next one: it is dynamic, enabled and awake.
static inline bool cn_is_solved(const cn_body_hot *body) {
    const uint32_t needed = CN_BODY_ALIVE | CN_BODY_ENABLED | CN_BODY_IS_DYNAMIC | CN_BODY_AWAKE;
    return (body->flags & needed) == needed;
}

// Returns the velocity of the point of the body that is at `point` in the world.
static inline vec2s cn_velocity_at(const cn_body_hot *body, vec2s point) {
    vec2s turn = cn_spin(body->w, cn_vec(point.x - body->x, point.y - body->y));
    return cn_vec(body->vx + turn.x, body->vy + turn.y);
}

// Sets the displacement of the last step to zero: the body counts as having been where it is.
static inline void cn_clear_motion(cn_simulation *sim, int body) {
    sim->motions[body].x = sim->motions[body].y = sim->motions[body].angle = 0;
}

// Loops over the shapes of a body: CN_EACH_SHAPE(i, sim, body) { ... }
#define CN_EACH_SHAPE(i, sim, body)                                                                \
    for (int i = (sim)->warm[body].first_shape; i >= 0; i = (sim)->shapes[i].next)

// Call it when a call changes a box of the body, which may be a kinematic body at rest.
static inline void cn_forget_resting_bounds(cn_simulation *sim, int body) {
    if (sim->hot[body].flags & CN_BODY_IS_KINEMATIC) sim->knows_resting_bounds = false;
}

// Reserves memory in a tree for the boxes of `more` shapes. Returns false if memory is short.
static inline bool cn_reserve_boxes(cn_simulation *sim, cn_tree *tree, int more) {
    return cn_tree_reserve(tree, &sim->memory, more, sim->slots[CN_SHAPES].capacity);
}
// Sorts new boxes into the tree if it is untidy. Returns false if memory is short.
bool cn_tidy_boxes(cn_simulation *sim, cn_tree *tree);
// Brings a tree up to date in which nobody searches for changes. Returns false if memory is short.
bool cn_update_boxes(cn_simulation *sim, cn_tree *tree);
// Returns the tree that has the box of the shape, or NULL if none has.
static inline const cn_tree *cn_tree_with(const cn_simulation *sim, int shape) {
    return cn_tree_has(&sim->moving_tree, shape)   ? &sim->moving_tree
           : cn_tree_has(&sim->static_tree, shape) ? &sim->static_tree
                                                   : NULL;
}
static inline const cn_shape_rare *cn_rare_of(const cn_simulation *sim, int shape) {
    return sim->shapes[shape].flags & CN_SHAPE_RARE ? &sim->rare[shape] : &cn_common_shape;
}
// Returns the sum of the surface speeds of the two shapes of a contact, m/s: friction drives B past
// A at this speed along the tangent (ny, -nx). Each surface moves clockwise around its shape.
static inline float cn_surface_speed_of(const cn_simulation *sim, const cn_anchor *anchor) {
    return cn_rare_of(sim, anchor->shape_a)->surface_speed +
           cn_rare_of(sim, anchor->shape_b)->surface_speed;
}
// Reserves rows of rare properties for all shapes. Returns false if memory is short.
bool cn_reserve_rare(cn_simulation *sim);
// Returns the row of rare properties of a shape, which gets CN_SHAPE_RARE; NULL if memory is short.
cn_shape_rare *cn_make_rare(cn_simulation *sim, int shape);
// Returns the tree for the shapes of this body.
static inline cn_tree *cn_tree_of(cn_simulation *sim, int body) {
    return sim->hot[body].flags & CN_BODY_MOVES ? &sim->moving_tree : &sim->static_tree;
}

// Returns the hull of a shape, in the body's frame. cn_outline_of() leaves out its normals.
cn_hull cn_hull_of(const cn_simulation *sim, int shape);
cn_hull cn_outline_of(const cn_simulation *sim, int shape);
// Returns the hull of a shape as it would be after its body moved by `displacement` and turned by
// `turn`.
cn_placed_hull cn_placed_after(const cn_simulation *sim, int shape, vec2s displacement, float turn);
// Returns an upper bound of the speed at which points of two bodies approach each other, m/s.
float cn_closing_speed_bound(const cn_simulation *sim, int body_a, int body_b);
// Places one shape by the pose of its body. Its box in the tree stays as it is.
static inline void cn_place_shape(cn_simulation *sim, int body, int shape) {
    const cn_body_hot *hot = &sim->hot[body];
    cn_pose local = sim->shapes[shape].pose;
    cn_rotation q = {hot->c, hot->s};
    vec2s offset = cn_rotate(q, glms_vec2_sub(local.position, sim->warm[body].center));
    sim->links[shape].offset = offset;
    sim->placed[shape].pose =
        (cn_pose){cn_vec(hot->x + offset.x, hot->y + offset.y), cn_combine(q, local.rotation)};
}
// Places all shapes of a body. A shape that leaves its fat box gets a new one; with `reset` every
// shape gets one. No point of the body has moved farther than `moved` since the last call. The
// boxes of a fast body cover the motion of a step. Workers call cn_refit_body() instead.
void cn_place_shapes(cn_simulation *sim, int body, float moved, bool reset);

// The changes that a worker that moves bodies collects before it takes the lock.
enum { CN_MOVE_REPORT_SIZE = 128 };
typedef struct {
    int count;
    int moved[CN_MOVE_REPORT_SIZE]; // shapes with new boxes
} cn_move_report;
// Adds the report to the simulation and empties its list.
void cn_publish_moves(cn_simulation *sim, cn_move_report *report);
// Does the same as cn_place_shapes(), and several workers may call it at the same time: the changes
// go into a report, and the tree must be refit afterwards. The boxes of a fast body cover the
// motion of a step only with `ahead`.
void cn_refit_body(cn_simulation *sim, int body, float moved, bool reset, bool ahead,
                   cn_move_report *report);
// Returns how far each side of a box on the body may move in a step; zero if the margin of the box
// covers that.
cn_bounds cn_motion_bounds(const cn_simulation *sim, int body);
// Returns the box of a new proxy: the tight box, extended by the motion of a step and the margin.
cn_bounds cn_fat_bounds(const cn_simulation *sim, int shape);
// Store poses in cn_simulation.previous, which must have memory for them: those of all bodies, or
// only those of kinematic bodies and of bodies in the plan.
void cn_keep_poses(cn_simulation *sim);
void cn_keep_moving_poses(cn_simulation *sim);
// Return the pose of the body's origin. The first one reads the rows. If the body is edited, it may
// have other rounding errors than the second one, which users see (mass.c).
cn_pose cn_origin_pose(const cn_simulation *sim, int body);
cn_pose cn_settled_pose(const cn_simulation *sim, int body);
void cn_set_origin_pose(cn_simulation *sim, int body, cn_pose origin);
void cn_set_origin(cn_simulation *sim, int body, vec2s position); // keeps the rotation, bit for bit

// Sets dirty flags of a shape.
static inline void cn_mark_dirty(cn_simulation *sim, int shape, uint8_t dirty) {
    if (!sim->dirty[shape]) sim->dirty_shapes[sim->dirty_count++] = shape;
    sim->dirty[shape] |= dirty;
    sim->any_dirty_neighbour |= (dirty & CN_DIRTY_NEIGHBOUR) != 0;
}
// Sets dirty flags of all shapes of a body, and has the body planned again.
void cn_mark_body_dirty(cn_simulation *sim, int body, uint8_t dirty);
// Has the body planned again. Call it when the body may join or leave the plan or changed in it: it
// was created, destroyed, enabled or disabled, or has another type or mass. Its batch, if any, is
// planned again; else the body joins the next plan if it is dynamic, enabled and awake.
void cn_replan_body(cn_simulation *sim, int body);
// The same in a step, when a contact of the body begins or ends. Each solved body has a batch then,
// or the next plan adds it anyway. Several workers may call it at the same time.
void cn_replan_batch_of(cn_simulation *sim, int body);
void cn_replan_all(cn_simulation *sim); // all batches are planned again

// ---- masses (mass.c)

// True if the mass of the body follows from its shapes: it is dynamic and has no mass of the user.
static inline bool cn_mass_follows_shapes(const cn_body_hot *body) {
    return cn_is_dynamic(body) && !(body->flags & CN_BODY_USER_MASS);
}
cn_mass_data cn_shape_mass(const cn_simulation *sim, int shape); // in the body's frame
// Returns the mass of all shapes of the body. Shape `changed` (if not -1) is left out; `part` (if
// not NULL) is added.
cn_mass_data cn_mass_of_shapes(const cn_simulation *sim, int body, int changed,
                               const cn_mass_data *part);
cn_mass_data cn_add_mass(cn_mass_data a, cn_mass_data b); // the mass of two parts together
// Recomputes mass, centre of mass and inertia of a body from its shapes, unless the user set them.
// The origin stays where it is, and the motion of the material stays the same.
void cn_update_mass(cn_simulation *sim, int body);
// Sets mass, centre of mass and inertia. Keeps origin and motion in the same way.
void cn_set_mass(cn_simulation *sim, int body, cn_mass_data mass);
// Recomputes the inverse masses from mass, type and locks. Recomputes the values that follow from
// the shapes and the centre of mass: extent, CCD measures, lever arms of joints.
void cn_update_inverse_mass(cn_simulation *sim, int body);

// Mark a body with several shapes as edited. The mass in its rows stays as it was. Both return true
// if the centre of mass may move.
bool cn_append_mass(cn_simulation *sim, int body, int shape); // the shape was appended
// The shape was changed, or a shape was destroyed (-1). `counts`: it has a density, or had one.
bool cn_recount_mass(cn_simulation *sim, int body, int shape, bool counts);

// Return the values of a body, or of a shape, as they are with the shapes that the body has now.
// Several threads may call them at once.
bool cn_is_mass_known(const cn_simulation *sim, int body); // a read needs no sum over the shapes
cn_counted_mass cn_settled_mass(const cn_simulation *sim, int body);
cn_body_hot cn_settled_body(const cn_simulation *sim, int body);
vec2s cn_settled_offset(const cn_simulation *sim, int shape); // cn_shape_link.offset
// Returns the mass that the body would have with a further shape.
cn_mass_data cn_mass_with(const cn_simulation *sim, int body, cn_mass_data part);
// Returns an upper bound of that mass, without a sum over the shapes. The inertia is about the
// body's origin. The bound leaves out rounding errors.
cn_mass_data cn_mass_bound(const cn_simulation *sim, int body, cn_mass_data part);

// Brings the rows of an edited body up to date. Call it before the mass, the velocity or the centre
// of mass in the rows is read or written.
void cn_settle_body(cn_simulation *sim, int body);
void cn_settle_bodies(cn_simulation *sim);   // all of them, for a step
void cn_unsettle_bodies(cn_simulation *sim); // after the step has failed
void cn_end_edits(cn_simulation *sim);       // when the step can no longer fail
void cn_forget_edits(cn_simulation *sim);    // before a state is read: it may take rows away
void cn_find_edits(cn_simulation *sim);      // after a state was read

// ---- motion (motion.c)

// True if the body took part in the motion of this step.
static inline bool cn_took_part(const cn_body_hot *hot) {
    bool is_simulated = (hot->flags & CN_BODY_IS_DYNAMIC) && (hot->flags & CN_BODY_AWAKE);
    return is_simulated || cn_is_moving_kinematic(hot);
}
// In metres: the displacement that the turn counts as in continuous collision.
static inline float cn_ccd_turn(const cn_motion *m) { return cn_abs(m->angle) * m->ccd_reach; }
// In metres: how far a turn, or a whole motion, takes any point of the body, at most. A turn moves
// a point by a chord of its circle, which is no longer than 2 radii.
static inline float cn_turn_reach(float angle, float extent) {
    return cn_min(cn_abs(angle), 2) * extent;
}
static inline float cn_reach_of(const cn_motion *m, float extent) {
    return sqrtf(m->x * m->x + m->y * m->y) + cn_turn_reach(m->angle, extent);
}
// In metres: the length that is compared with the CCD threshold.
static inline float cn_ccd_length(const cn_motion *m) {
    return sqrtf(m->x * m->x + m->y * m->y) + cn_ccd_turn(m);
}
// In metres: the CCD threshold that the body has as a bullet.
static inline float cn_bullet_threshold(const cn_simulation *sim, int body) {
    float fraction = sim->hot[body].flags & CN_BODY_BULLET ? 1 : CN_BULLET_FRACTION;
    return fraction * sim->motions[body].ccd_threshold;
}
// In metres: a body with a greater cn_ccd_length() is swept against static shapes. This is the CCD
// threshold of a bullet, but it is raised to the speculative margin, as far as the body's own CCD
// threshold allows: bodies that move by less than the margin have their contacts in time.
static inline float cn_static_threshold(const cn_simulation *sim, int body) {
    float own = cn_min(sim->motions[body].ccd_threshold, sim->tuning.speculative_margin);
    return cn_max(cn_bullet_threshold(sim, body), own);
}
// Returns the motion of a body in a step of the same length, if nothing changes its velocity.
static inline cn_motion cn_next_motion(const cn_simulation *sim, int body) {
    const cn_body_hot *hot = &sim->hot[body];
    float h = sim->step_seconds;
    return (cn_motion){.x = hot->vx * h, .y = hot->vy * h, .angle = hot->w * h};
}

// Return how the body moves in this step. The first function is for stages before "move bodies":
// the body still has its pose at the start. The second one is for later stages: the body has its
// pose at the end.
cn_body_sweep cn_coming_sweep(const cn_simulation *sim, int body);
cn_body_sweep cn_past_sweep(const cn_simulation *sim, int body);
cn_body_sweep cn_no_sweep(const cn_simulation *sim, int body); // it stands where it is
// Return a shape with such a motion of its body, or where it is now, without a motion.
cn_swept_hull cn_coming_shape(const cn_simulation *sim, int shape);
cn_swept_hull cn_past_shape(const cn_simulation *sim, int shape);
cn_swept_hull cn_still_shape(const cn_simulation *sim, int shape);
// Returns a box around all places where the body was in this step, grown by `more`. For stages
// after "move bodies".
cn_bounds cn_past_bounds(const cn_simulation *sim, int body, float more);

// ---- joints (joint.c)

// Returns the next joint of the body after this one, or -1; first_joint[] has the first.
int cn_joint_next(const cn_simulation *sim, int joint, int body);
// True if the joint connects the body to another.
bool cn_joint_has_body(const cn_simulation *sim, int joint, int body);
int cn_joint_other(const cn_simulation *sim, int joint, int body); // returns the other body
bool cn_joint_has_dynamic_body(const cn_simulation *sim, int joint);
// Reserves cn_simulation.pulls for all body slots. False if memory is short.
bool cn_reserve_pulls(cn_simulation *sim);
void cn_clear_pulls(cn_simulation *sim, int body);
void cn_joint_link(cn_simulation *sim, int joint); // adds it to the lists of both bodies
// Couples the joint to another one, or to none, in place of the coupling that it has.
void cn_store_coupling(cn_simulation *sim, int joint, cn_coupling_row coupling);
// Fills cn_simulation.joint_links after a state was read.
void cn_find_joint_links(cn_simulation *sim);
void cn_joint_clear_impulses(cn_simulation *sim, int joint);
// Updates the lever arms. Call it after a frame of the joint or the centre of mass of a body moved.
void cn_update_lever_arms(cn_simulation *sim, int joint);
// True if a joint prevents the two bodies from colliding.
bool cn_joint_prevents_collision(const cn_simulation *sim, int body_a, int body_b);
void cn_wake_joined(cn_simulation *sim, int body); // wakes the bodies that have a joint with it
// Call it when a joint was created, is about to be destroyed or changed: both bodies wake and are
// planned again.
void cn_replan_joint(cn_simulation *sim, int joint);
// The same for all joints of a body, and for the joints that are coupled to them. Call it when the
// body begins or ceases to take part in the simulation.
void cn_replan_joined(cn_simulation *sim, int body);
cn_row_type cn_joint_row_type(const cn_joint_def *def);
static inline cn_coordinate *cn_coordinate_of(cn_joint_def *def, int axis) {
    return axis == CN_JOINT_X ? &def->x : axis == CN_JOINT_Y ? &def->y : &def->angle;
}
// Returns the angle of frame B against frame A, counting full turns.
float cn_joint_angle(const cn_simulation *sim, int joint);

// Where the anchors of a joint are; world axes.
typedef struct {
    vec2s d;    // centre of mass of B minus that of A
    vec2s r[2]; // from the centres of mass to the anchors
    vec2s axis; // x axis of frame A
} cn_lever_arms;
// A displacement of a body is x, y, angle.
extern const cn_float4 cn_no_displacement;
// Returns the lever arms after displacements a and b of the two bodies.
cn_lever_arms cn_lever_arms_of(const cn_simulation *sim, int joint, cn_float4 a, cn_float4 b);

// A coordinate. Its derivative follows from the velocities: n . (vB - vA) + wB sb - wA sa.
typedef struct {
    float value; // m or rad
    vec2s n;     // zero for the angle
    float sa, sb;
} cn_coordinate_row;
// Returns the row of a coordinate after displacements a and b of the two bodies;
// cn_joint_row_now(): as they are.
cn_coordinate_row cn_joint_row(const cn_simulation *sim, int joint, cn_joint_axis axis, cn_float4 a,
                               cn_float4 b);
cn_coordinate_row cn_joint_row_now(const cn_simulation *sim, int joint, int axis);
// After the substeps, when the load of the joint is known: moves ratchets and marks the joint if it
// broke. a and b are the states of its bodies. The poses of the bodies are still those before the
// step, while state.angle is already the angle after it.
void cn_joint_after_step(cn_simulation *sim, int joint, const cn_state *a, const cn_state *b);

// Marks both bodies if the joint prevented them from colliding: if they overlap deeply, they do not
// collide in the next step either.
void cn_joint_mark_removed(cn_simulation *sim, int joint);
void cn_joint_refilter(cn_simulation *sim, int joint); // decides again whether its bodies collide
// Forgets the surfaces that static bodies of the joint share with others.
void cn_joint_forget_surfaces(cn_simulation *sim, int joint);
// Removes a joint with its couplings, and retires its slot.
void cn_remove_joint(cn_simulation *sim, int joint);
// A stage of the step: reports and removes the joints that broke.
void cn_remove_broken_joints(cn_simulation *sim);

// ---- springs of joints (joint_springs.c)

// True if a spring pulls the coordinate to its target. A damper alone does not.
static inline bool cn_has_target(const cn_coordinate *c) {
    return c->hertz > 0 || c->stiffness > 0;
}
// True if a coordinate has a spring given by stiffness and damping; if it has any spring or damper.
static inline bool cn_has_stiffness(const cn_coordinate *c) {
    return c->stiffness > 0 || c->damping > 0;
}
static inline bool cn_is_sprung(const cn_coordinate *c) {
    return c->hertz > 0 || cn_has_stiffness(c);
}
static inline bool cn_joint_has_stiffness(const cn_joint_def *def) {
    return cn_has_stiffness(&def->x) || cn_has_stiffness(&def->y) || cn_has_stiffness(&def->angle);
}
// Returns how strongly the springs of a joint act within a substep of length h; no unit.
double cn_joint_strength(const cn_simulation *sim, int joint, float h);
// Makes the prepared rows of the joint for substeps of length h.
void cn_joint_prepare(cn_simulation *sim, int joint, float h);

// ---- hull pool (hull_pool.c)

// Returns the index of the entry with this polygon, which is added if new; -1 if memory is short.
int cn_hull_pool_add(cn_hull_pool *pool, cn_memory *memory, const cn_canonical_hull *hull);
// Reserves memory for `more` further polygons. Returns false if memory is short.
bool cn_hull_pool_reserve(cn_hull_pool *pool, cn_memory *memory, int more);
// Removes one user of an entry. An entry without users is free.
void cn_hull_pool_remove(cn_hull_pool *pool, int index);

// ---- surfaces (ground.c)

// Finds the surface of a shape unless it is known. The tree of its body must be refit. Returns
// false if memory is short.
bool cn_find_surface(cn_simulation *sim, int shape);
// Finds the surface that counts between two shapes with a pair (see cn_surface_against()).
bool cn_find_surface_of_pair(cn_simulation *sim, int a, int b);
// True if that surface is known, or if the pair needs none.
bool cn_knows_surface_of_pair(const cn_simulation *sim, int a, int b);
// Finds the surfaces of all shapes with CN_DIRTY_NEIGHBOUR. Returns false if memory is short.
bool cn_find_dirty_surfaces(cn_simulation *sim);
// Forgets the surface of a shape and those of its neighbours. Call it when the shape was created or
// is about to be changed or destroyed. Other pieces of terrain with the same owner keep their
// surfaces, which do not depend on shapes.
void cn_forget_surfaces_around(cn_simulation *sim, int shape);
void cn_forget_own_surface(cn_simulation *sim, int shape); // only that of the shape
// Makes the surfaces unknown again that the running step found, because it failed.
void cn_release_found_surfaces(cn_simulation *sim);
// Call it when a dynamic body got a shape (`was_lone`: its first shape was perhaps alone before),
// or lost one (the last one is perhaps alone now).
void cn_remake_lone_shape(cn_simulation *sim, int body, bool was_lone);
// True for the only shape of a dynamic body.
static inline bool cn_is_lone_shape(const cn_simulation *sim, int shape) {
    const int body = sim->links[shape].body;
    const cn_body_warm *warm = &sim->warm[body];
    return warm->first_shape == shape && warm->last_shape == shape &&
           cn_is_dynamic(&sim->hot[body]);
}
// Returns the surface of a shape, as in cn_simulation.surface_of, if it counts against another
// shape: that of a dynamic body counts only against a lone shape.
static inline int cn_surface_against(const cn_simulation *sim, int shape, int other) {
    const bool moves = cn_is_dynamic(&sim->hot[sim->links[shape].body]);
    return !moves || cn_is_lone_shape(sim, other) ? sim->surface_of[shape] : CN_SURFACE_OF_HULL;
}
// The next step finds all known surfaces again. Contacts are not remade.
void cn_expect_known_surfaces(cn_simulation *sim);
// Releases all surfaces and marks no shape dirty. A snapshot calls it before it reads the shapes.
void cn_release_surfaces(cn_simulation *sim);
void cn_expect_surface(cn_simulation *sim, int shape); // marks nothing dirty, either
// Forgets the surfaces of a static body and of its neighbours. Call it when the set of bodies that
// make one ground with it is about to change, or has just changed.
void cn_forget_body_surfaces(cn_simulation *sim, int body);

// ---- terrain (part.h)

// True if a step made the shape of a piece of terrain, or did so before the shape was destroyed.
static inline bool cn_is_terrain(const cn_simulation *sim, int shape) {
    return cn_rare_of(sim, shape)->terrain.owner >= 0;
}

// ---- which shapes may collide (filter.c)

// True if the fat boxes of two shapes overlap.
static inline bool cn_proxies_overlap(const cn_simulation *sim, int shape_a, int shape_b) {
    const cn_tree *a = cn_tree_with(sim, shape_a), *b = cn_tree_with(sim, shape_b);
    return a && b && cn_boxes_overlap(cn_tree_box(a, shape_a), cn_tree_box(b, shape_b));
}
// True if the dirty flags of the shapes end the pair: one was removed, or the fat boxes no longer
// overlap.
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

// True if the shape is a segment of a chain, still is a segment, and its body is not dynamic.
static inline bool cn_is_one_sided(const cn_simulation *sim, int shape) {
    return sim->shapes[shape].flags & CN_SHAPE_ONE_SIDED &&
           cn_placed_count(&sim->placed[shape]) == 2 &&
           !cn_is_dynamic(&sim->hot[sim->links[shape].body]);
}

// True if two filters let shapes collide.
bool cn_filter_agrees(const cn_filter *a, const cn_filter *b);
// True if two shapes belong to two bodies, none has CN_SHAPE_NO_COLLISION, and both filters and the
// user's filter let them collide.
bool cn_filters_agree(const cn_simulation *sim, int shape_a, int shape_b);
// True if two shapes may be a contact: their filters agree, one body is dynamic, and none of them
// is a sensor.
bool cn_should_collide(const cn_simulation *sim, int shape_a, int shape_b);

// ---- waking (wake.c)

// The first four only mark: the islands wake at the start of the next step.
void cn_wake_body(cn_simulation *sim, int body); // with its island, if it sleeps
void cn_wake_island(cn_simulation *sim, int index);
// Wakes the islands of all bodies with a fat box that overlaps the bounds.
void cn_wake_bounds(cn_simulation *sim, cn_bounds bounds);
// Wakes the islands of all bodies whose fat boxes overlap those of a body, and of all bodies that
// have a joint with it.
void cn_wake_around(cn_simulation *sim, int body);
bool cn_body_is_awake(const cn_simulation *sim, int body); // awake, or about to wake
// Takes a body out of its sleeping island. The island must be marked to wake, or the body is alone
// in it.
void cn_remove_from_sleeping_island(cn_simulation *sim, int body);
// Finds the list of the islands that wake after a state was read.
void cn_find_requested_islands(cn_simulation *sim);
// Ends the sleep of the waking islands. Their contacts must have been restored.
void cn_wake_islands(cn_simulation *sim);
// Returns a new sleeping island with capacity for `contacts` touching contacts; -1 if memory is
// short.
int cn_add_sleeping_island(cn_simulation *sim, int contacts);

// ---- lists with gaps (gaps.c)

// A list, and where its objects are in it.
typedef struct {
    void *items;
    size_t size;   // of an item. Its first word is the slot of the object; -1: a gap
    int *count;    // of the items
    int *gaps;     // how many of them are gaps
    void *places;  // by slot: the index of the item of an object
    size_t stride; // from one place to the next, in bytes
} cn_gap_list;

void cn_gap_append(cn_gap_list list, const void *item); // there must be memory for it
void cn_gap_leave(cn_simulation *sim, cn_gap_list list, int slot);
void cn_gap_close(cn_gap_list list);
void cn_gap_tidy(cn_gap_list list); // closes the gaps if they are more than half of the list

// Reserves cn_simulation.body_links for all body slots. False if memory is short.
bool cn_reserve_body_links(cn_simulation *sim);
void cn_clear_body_links(cn_simulation *sim, int body); // of a new body
// Each reserves memory for one more item of the list. False if memory is short.
bool cn_reserve_kinematic(cn_simulation *sim);
bool cn_reserve_drop(cn_simulation *sim);
bool cn_reserve_sensors(cn_simulation *sim, int count);
// Reserves the places of all shapes in the list of sensors. False if memory is short.
bool cn_reserve_sensor_places(cn_simulation *sim);
// Appends an enabled kinematic body, a body that drops through one-way shapes, or a sensor. The
// memory must be reserved, and the object must not be in the list.
void cn_add_kinematic(cn_simulation *sim, int body);
void cn_add_drop(cn_simulation *sim, int body, float seconds);
void cn_add_sensor(cn_simulation *sim, int shape);
void cn_remove_kinematic(cn_simulation *sim, int body);
void cn_end_drop_through(cn_simulation *sim, int body); // if the body drops through
void cn_remove_sensor(cn_simulation *sim, int shape);
static inline bool cn_is_dropping(const cn_simulation *sim, int body) {
    return sim->drop_throughs.count && sim->body_links[body].drop >= 0;
}
// Reduces the time of all bodies that drop through. Ends those whose time is over.
void cn_pass_drop_time(cn_simulation *sim, float seconds);
// Makes an item of an apart list a gap.
void cn_drop_pair(cn_simulation *sim, cn_apart *pair);
// Closes the gaps of all lists. This does not change the state, and several threads may call it at
// the same time.
void cn_close_gaps(cn_simulation *sim);
// Fills the places of all lists, and cn_simulation.body_links, after a state was read.
void cn_find_places(cn_simulation *sim);

// ---- events (events.c)

// Adds an event of a body. If memory is short the event is lost.
void cn_push_body_event(cn_simulation *sim, int body, cn_body_change change);
void cn_clear_event_buffers(cn_simulation *sim); // all of them

// ---- memory of a stage (scratch.c)

// Returns the memory of the arena, with nothing taken and a capacity of at least `bytes`; NULL if
// memory is short. It belongs to the caller's stage until the next call.
void *cn_scratch(cn_simulation *sim, size_t bytes);
// Returns the number of words that hold a bit for each body.
static inline int cn_body_words(const cn_simulation *sim) {
    return (sim->slots[CN_BODIES].end + 63) / 64;
}
// Zeroes the plan's bits of all bodies. Returns false if memory is short.
bool cn_clear_body_bits(cn_simulation *sim);
// Reserves memory for the body sets of `bodies` bodies. Returns false if memory is short.
bool cn_reserve_body_sets(cn_simulation *sim, int bodies);
static inline uint64_t *cn_bits_of(const cn_simulation *sim, cn_body_set set) {
    return sim->body_sets.items + sim->body_sets.capacity / CN_SET_COUNT * (int)set;
}
// Sorts items by the int32_t that each begins with.
void cn_sort_items(void *items, int count, size_t size);
// Sorts keys, with the help of cn_scratch(). Returns false if memory is short.
bool cn_sort_list(cn_simulation *sim, cn_key_list *list);

#endif
