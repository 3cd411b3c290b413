/* Lines of sight in a crowd. A robot with a lidar casts 1,000 rays in all directions. A guard sees
 * within a cone, up to the first obstacle, and runs after the robot while the robot is in sight.
 * Both look through glass: the masks of their queries exclude the category of the glass. */
#include "any_shape.h"

#include <math.h>

enum { WALL = 1, GLASS = 2, CROWD = 36, LIDAR_RAYS = 1000, VIEW_RAYS = 61 };

#define LIDAR_RANGE   9.0f
#define VIEW_RANGE    8.0f
#define VIEW_ANGLE    0.62f // radians, half the angle of the cone
#define PATROL_POINTS 4

typedef struct {
    cn_body robot, guard;
    int patrol;      // the patrol point that the guard walks to
    int patrol_step; // the step at which the guard began to walk to this point
} state;

static const vec2s patrol[PATROL_POINTS] = {{{-4, -2.4f}}, {{3.2f, -2.6f}}, {{4, 1}}, {{-4, 1}}};

// ---- the room

static bool add_walls(cn_world *world, cn_body room) {
    // half width, half height, x, y, category
    static const float walls[][5] = {
        {12.4f, 0.2f, 0, 7.2f, WALL},    {12.4f, 0.2f, 0, -7.2f, WALL},
        {0.2f, 7, 12.2f, 0, WALL},       {0.2f, 7, -12.2f, 0, WALL},
        {0.15f, 2, -6, 1.8f, WALL},      {1.6f, 0.15f, 5.4f, -2.6f, WALL},
        {0.15f, 1.4f, 6.2f, 1.6f, WALL}, {1.2f, 0.15f, -6, -3.4f, WALL},
        {0.08f, 1.6f, 0, 3.4f, GLASS},   {1.8f, 0.08f, 0.6f, -3.8f, GLASS},
    };
    for (size_t i = 0; i < sizeof walls / sizeof *walls; i++) {
        const float *w = walls[i];
        cn_hull box = cn_box(w[0], w[1]);
        cn_shape_def def = {.hull = cn_hull_at(box, cn_pose_at((vec2s){{w[2], w[3]}}, 0)),
                            .material = {.friction = 0.2f},
                            .filter = {.category = (uint64_t)w[4]}};
        if (!cn_shape_create(world, room, &def).id) return false;
    }
    return true;
}

// Adds people in free space at random positions.
static bool add_crowd(cn_world *world, scene_random *random) {
    for (int made = 0; made < CROWD;) {
        cn_hull space = cn_circle(0.8f);
        vec2s place = {{scene_random_range(random, -11, 11), scene_random_range(random, -6, 6)}};
        if (cn_world_overlap(world, space, cn_pose_at(place, 0), NULL, NULL, 0) > 0) continue;
        float size = scene_random_range(random, 0.3f, 0.55f);
        if (!add_any_shape(world, random, place.x, place.y, size)) return false;
        made++;
    }
    return true;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    scene_random random = {5};
    s->robot = scene_add_one(world, CN_DYNAMIC, 8.4f, 0, cn_circle(0.4f), 4);
    const vec2s corners[] = {{{0.8f, 0}}, {{-0.5f, 0.4f}}, {{-0.5f, -0.4f}}}; // faces along x
    s->guard = scene_add_one(world, CN_DYNAMIC, -4, -2.4f, cn_polygon(corners, 3, 0), 4);
    return s->robot.id && s->guard.id && add_walls(world, scene_add_body(world, CN_STATIC, 0, 0)) &&
           add_crowd(world, &random);
}

// ---- seeing

static vec2s find_heading(const cn_world *world, cn_body body) {
    cn_rotation r = cn_body_pose(world, body).rotation;
    return (vec2s){{r.c, r.s}};
}

// Returns a query that finds everything except glass and the viewer itself.
static cn_query make_query(cn_body viewer) {
    return (cn_query){.ignore = viewer, .mask = ~(uint64_t)GLASS};
}

// Returns the first shape on the line from the guard to the robot. It may be the robot itself.
static cn_world_hit cast_to_robot(const cn_world *world, const state *s) {
    vec2s eye = cn_body_position(world, s->guard);
    vec2s to_robot = glms_vec2_sub(cn_body_position(world, s->robot), eye);
    cn_query query = make_query(s->guard);
    return cn_world_cast_ray(world, eye, to_robot, &query);
}

static bool is_in_cone(const cn_world *world, const state *s) {
    vec2s to_robot =
        glms_vec2_sub(cn_body_position(world, s->robot), cn_body_position(world, s->guard));
    float distance = glms_vec2_norm(to_robot);
    float ahead = glms_vec2_dot(to_robot, find_heading(world, s->guard));
    return distance <= VIEW_RANGE && ahead >= cn_rotation_of(VIEW_ANGLE).c * distance;
}

static bool sees_robot(const cn_world *world, const state *s) {
    return is_in_cone(world, s) && cast_to_robot(world, s).side.body.id == s->robot.id;
}

// ---- walking

static vec2s limit_length(vec2s v, float limit) {
    float length = glms_vec2_norm(v);
    return length > limit ? glms_vec2_scale(v, limit / length) : v;
}

// Pushes a body towards a velocity, as walking would.
static bool walk(cn_world *world, cn_body body, vec2s target) {
    vec2s difference = glms_vec2_sub(target, cn_body_velocity(world, body));
    float mass = cn_body_mass(world, body);
    return cn_body_apply_force(world, body, glms_vec2_scale(difference, 4 * mass));
}

static bool walk_robot(cn_world *world, const state *s, float time) {
    cn_rotation slow = cn_rotation_of(0.25f * time), fast = cn_rotation_of(0.5f * time);
    vec2s goal = {{8.4f * slow.c, 5 * fast.s}};
    vec2s to_goal = glms_vec2_sub(goal, cn_body_position(world, s->robot));
    return walk(world, s->robot, limit_length(glms_vec2_scale(to_goal, 2), 3));
}

// Returns the direction in which the guard walks: to the robot while the robot is in sight,
// otherwise from patrol point to patrol point. The guard skips a point that it does not reach in
// time.
static vec2s choose_direction(const cn_world *world, state *s, int step) {
    vec2s place = cn_body_position(world, s->guard);
    if (sees_robot(world, s)) {
        vec2s to_robot = glms_vec2_sub(cn_body_position(world, s->robot), place);
        s->patrol_step = step;
        return glms_vec2_norm(to_robot) > 2 ? to_robot : glms_vec2_scale(to_robot, 0.01f);
    }
    vec2s to_goal = glms_vec2_sub(patrol[s->patrol], place);
    if (glms_vec2_norm(to_goal) < 1 || step > s->patrol_step + 420) {
        s->patrol = (s->patrol + 1) % PATROL_POINTS;
        s->patrol_step = step;
    }
    return to_goal;
}

// Moves the guard. It looks left and right while it searches for the robot.
static bool walk_guard(cn_world *world, state *s, int step) {
    float search_angle = sees_robot(world, s) ? 0 : 0.8f * cn_rotation_of(0.04f * (float)step).s;
    vec2s to_goal = choose_direction(world, s, step);
    cn_pose pose = {glms_vec2_zero(), cn_body_pose(world, s->guard).rotation};
    vec2s turned = cn_pose_local_point(pose, to_goal);
    float error = cn_rotation_angle((cn_rotation){turned.x, turned.y}) + search_angle;
    float spin = fmaxf(fminf(4 * error, 2.5f), -2.5f);
    return walk(world, s->guard, limit_length(to_goal, 1.6f)) &&
           cn_body_set_angular_velocity(world, s->guard, spin);
}

// Makes each person walk in circles.
static bool walk_crowd(cn_world *world, const state *s, float time) {
    int i = 0;
    for (cn_body b = {0}; (b = cn_world_next_body(world, b)).id; i++) {
        bool is_robot_or_guard = b.id == s->robot.id || b.id == s->guard.id;
        if (is_robot_or_guard || cn_body_type(world, b) != CN_DYNAMIC) continue;
        float angle = 2.4f * (float)i + (i % 2 ? 0.7f : -0.7f) * time;
        cn_rotation r = cn_rotation_of(angle);
        if (!walk(world, b, (vec2s){{1.5f * r.c, 1.5f * r.s}})) return false;
    }
    return true;
}

static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    int step = run->step;
    state *s = run->memory;
    float time = (float)step / 60;
    return walk_robot(world, s, time) && walk_guard(world, s, step) && walk_crowd(world, s, time);
}

// ---- the picture

// Casts rays from a body over a range of directions. Returns how many of them hit something.
static int cast_fan(const cn_world *world, cn_body viewer, float from, float to, float range,
                    cn_ray *rays, cn_world_hit *hits, int count) {
    cn_query query = make_query(viewer);
    for (int i = 0; i < count; i++) {
        cn_rotation r = cn_rotation_of(from + (to - from) * (float)i / (float)(count - 1));
        rays[i] = (cn_ray){cn_body_position(world, viewer), (vec2s){{range * r.c, range * r.s}}};
    }
    if (!cn_world_cast_rays(world, rays, count, &query, hits)) return 0;
    int seen = 0;
    for (int i = 0; i < count; i++) seen += hits[i].hit;
    return seen;
}

static vec2s find_ray_end(const cn_ray *ray, const cn_world_hit *hit) {
    return hit->hit ? hit->point : glms_vec2_add(ray->origin, ray->translation);
}

static void draw_fan(sketch *s, const cn_ray *rays, const cn_world_hit *hits, int count,
                     sketch_pen pen) {
    for (int i = 0; i + 1 < count; i++)
        sketch_triangle(s, rays[i].origin, find_ray_end(&rays[i], &hits[i]),
                        find_ray_end(&rays[i + 1], &hits[i + 1]), pen);
}

static void draw_lidar(const scene_run *run, sketch *s) {
    const state *m = run->memory;
    cn_ray rays[LIDAR_RAYS];
    cn_world_hit hits[LIDAR_RAYS];
    int seen =
        cast_fan(run->world, m->robot, 0, 2 * 3.14159265f, LIDAR_RANGE, rays, hits, LIDAR_RAYS);
    draw_fan(s, rays, hits, LIDAR_RAYS, (sketch_pen){INK_BLUE, 0.16f, 0});
    for (int i = 0; i < LIDAR_RAYS; i++)
        if (hits[i].hit) sketch_dot(s, hits[i].point, (sketch_pen){INK_BLUE, 0.9f, 1.5f});
    sketch_note(s, INK_BLUE, "the lidar of the robot: %d rays, %d hits", LIDAR_RAYS, seen);
}

static void draw_guard(const scene_run *run, sketch *s) {
    const state *m = run->memory;
    cn_ray rays[VIEW_RAYS];
    cn_world_hit hits[VIEW_RAYS];
    bool sees = sees_robot(run->world, m);
    sketch_ink ink = sees ? INK_RED : INK_YELLOW;
    cn_pose pose = cn_body_pose(run->world, m->guard);
    float angle = cn_rotation_angle(pose.rotation);
    cast_fan(run->world, m->guard, angle - VIEW_ANGLE, angle + VIEW_ANGLE, VIEW_RANGE, rays, hits,
             VIEW_RAYS);
    draw_fan(s, rays, hits, VIEW_RAYS, (sketch_pen){ink, 0.25f, 0});
    if (is_in_cone(run->world, m)) {
        vec2s end = cast_to_robot(run->world, m).point;
        sketch_line(s, pose.position, end, (sketch_pen){ink, 1, 1.5f});
        sketch_dot(s, end, (sketch_pen){ink, 1, 4});
    }
    sketch_note(s, ink, "%s",
                sees ? "the view of the guard, which follows the robot"
                     : "the view of the guard, which searches for the robot");
}

static void draw_glass(const scene_run *run, sketch *s) {
    for (cn_shape shape = {0}; (shape = cn_world_next_shape(run->world, shape)).id;) {
        if (cn_shape_filter(run->world, shape).category != GLASS) continue;
        cn_hull pane = cn_shape_hull(run->world, shape);
        cn_pose pose = cn_body_pose(run->world, cn_shape_body(run->world, shape));
        sketch_hull(s, &pane, pose, (sketch_pen){INK_GREEN, 0.35f, 1});
    }
    sketch_note(s, INK_GREEN, "glass, which the filters of both queries exclude");
}

static void draw_walker(const scene_run *run, sketch *s, cn_body body, sketch_ink ink,
                        const char *name) {
    cn_hull hull = cn_shape_hull(run->world, cn_body_next_shape(run->world, body, (cn_shape){0}));
    cn_pose pose = cn_body_pose(run->world, body);
    sketch_hull(s, &hull, pose, (sketch_pen){ink, 0.8f, 1.5f});
    pose.position.y -= 1;
    sketch_label(s, pose.position, ink, "%s", name);
}

static void draw(const scene_run *run, sketch *s) {
    const state *m = run->memory;
    bool has_robot = cn_body_valid(run->world, m->robot); // or it was erased
    bool has_guard = cn_body_valid(run->world, m->guard);
    if (has_robot) draw_lidar(run, s);
    if (has_guard) draw_guard(run, s);
    draw_glass(run, s);
    if (has_robot) draw_walker(run, s, m->robot, INK_BLUE, "robot");
    sketch_ink ink = sees_robot(run->world, m) ? INK_RED : INK_YELLOW;
    if (has_guard) draw_walker(run, s, m->guard, ink, "guard");
}

const scene scene_sight = {
    .name = "sight",
    .title = "Lines of sight",
    .caption =
        "A robot with a lidar moves through a crowd. A guard that sees the robot follows it.",
    .view = {0, -0.2f, 18},
    .width = 26,
    .steps = 900,
    .create = create,
    .before_step = before_step,
    .draw = draw,
    .memory_size = sizeof(state),
};
