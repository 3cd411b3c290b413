--- Cairn for LuaJIT: a 2D rigid-body physics engine. One file; it loads the C library by the FFI.
---
---     local cairn = require("cairn")
---     local world = cairn.World{gravity = {0, -10}}
---     world:create_body{type = "static", shapes = {cairn.box(50, 1)}}
---     local crate = world:create_body{position = {0, 10}, data = sprite}
---     crate:create_shape(cairn.box(0.5, 0.5), {density = 2, material = {friction = 0.4}})
---     for _ = 1, 120 do world:step(1 / 60) end
---     print(crate.position.y)                       -- 1.500
---     for _, hit in ipairs(world.events.hits) do play_thud(hit.point, hit.approach_speed) end
---     world:destroy()
---
--- The manual is cairn.h: units are metres, kilograms, seconds and radians, y is up. This file says
--- only what is different in Lua.
---
--- Names     cn_body_apply_force(world, body, force) is body:apply_force(force), and cn_body_create()
---           is world:create_body(). Functions without an object are in the module: cairn.box() is
---           cn_box(). Functions whose first parameter is a hull, pose, rotation, bounds or sweep are
---           methods of these: hull:mass_data(density). for body in world:bodies() do ... end is the
---           loop of cn_world_next_body().
--- Properties  A getter without further arguments is a property: body.position, world.hash. If there
---           is a setter of one value, it is assigned: body.velocity = {3, 0}. So are the angle of
---           a body, linear_damping and angular_damping of a body or world, and break_force and
---           break_torque of a joint. All other functions are methods: body:set_damping(0.1, 0.2).
--- Values    A vector is {x, y}, or a vec2s with .x and .y, +, -, * and unpack(). A pose is
---           {x, y, angle}, {position = , rotation = } or cairn.pose_at(). A rotation may be an angle.
---           Definitions are tables; unknown fields are errors. Lists are Lua lists from 1. Arrays
---           within structs of C, such as hulls and manifolds, count from 0.
---           Enumerations are strings: CN_STATIC is "static", CN_JOINT_ANGLE is "angle".
---           64-bit numbers (hash, user_data, category, mask) are LuaJIT's uint64_t:
---           bit.tohex(world.hash).
--- Objects   There is one Lua object for each body, shape, joint, chain and grid, so == works. The
---           field `data` is yours: any value, which may also stand in a definition. It belongs to
---           Lua, not to saved bytes. To read or write another field that does not exist is an
---           error. Objects live in their world. Only worlds, rollbacks and replays have to be
---           released, by destroy() or by the garbage collector.
--- Results   A call that only succeeds or fails returns its object. A function that writes an array
---           returns a list. Out parameters are further results: hull:slice() returns the hulls and
---           the number in front.
--- Errors    A call that fails raises an error with the text of cn_error(). cairn.error_code() is the
---           kind of the last one, for example "handle". Hints go to the standard error.
--- Texts     tostring() shows every object and struct, for example Body(3, dynamic, at (1, 2)) and
---           filter(category=1, mask=5, group=0).
--- Callbacks world.before_step = function(dt), world.filter = function(shape_a, shape_b) and
---           world.pre_solve = function(contact), which returns nil or {disabled = true}. filter is
---           called for shapes with custom_filter, pre_solve for shapes with pre_solve.
---           world.callbacks has all of them as a table, and sets all. filter, pre_solve and accept
---           need a world of one thread. An error in a callback is raised again by the call that ran
---           it. C functions (cdata) may be given instead.
---
--- The library is ffi.load(os.getenv("CAIRN_LIBRARY")), or a library named cairn or libcairn in
--- package.cpath, or the cairn of the system, or part of the program.
---
--- engine/bindings/lua/generate.py makes this file from layer.lua and api.json.

local ffi = require("ffi")
local bit = require("bit")

ffi.cdef[[
typedef enum { CN_A = 0, CN_B = 1 } cn_which;
typedef enum { CN_DYNAMIC = 0, CN_KINEMATIC = 1, CN_STATIC = 2 } cn_motion_type;
typedef enum { CN_MIX_DEFAULT = 0, CN_MIX_AVERAGE = 1, CN_MIX_MINIMUM = 2, CN_MIX_MAXIMUM = 3, CN_MIX_MULTIPLY = 4 } cn_mix;
typedef enum { CN_ERROR_NONE = 0, CN_ERROR_NUMBER = 1, CN_ERROR_RANGE = 2, CN_ERROR_SHAPE = 3, CN_ERROR_HANDLE = 4, CN_ERROR_STATE = 5, CN_ERROR_MEMORY = 6, CN_ERROR_DATA = 7, CN_ERROR_HINT = 8 } cn_error_kind;
typedef enum { CN_TILE_SQUARE = 0, CN_TILE_RISES_RIGHT = 1, CN_TILE_RISES_LEFT = 2, CN_TILE_HANGS_RIGHT = 3, CN_TILE_HANGS_LEFT = 4 } cn_tile_form;
typedef enum { CN_LOCKED = 0, CN_FREE = 1, CN_LIMITED = 2 } cn_coordinate_mode;
typedef enum { CN_JOINT_X = 0, CN_JOINT_Y = 1, CN_JOINT_ANGLE = 2 } cn_joint_axis;
typedef enum { CN_BODY_SLEPT = 0, CN_BODY_WOKE = 1, CN_BODY_FAULT = 2 } cn_body_change;
typedef enum { CN_SAVE_ALL = 0, CN_SAVE_MOVING = 1 } cn_save_parts;
typedef enum { CN_PART_NONE = 0, CN_PART_SETTINGS = 1, CN_PART_BODIES = 2, CN_PART_SHAPES = 3, CN_PART_GRIDS = 4, CN_PART_JOINTS = 5, CN_PART_CONTACTS = 6 } cn_state_part;
typedef enum { CN_DRAW_SHAPES = 1, CN_DRAW_CONTACTS = 2, CN_DRAW_NORMALS = 4, CN_DRAW_REFERENCE_EDGES = 8, CN_DRAW_BOUNDS = 16, CN_DRAW_TREE = 32, CN_DRAW_ISLANDS = 64, CN_DRAW_MASS = 128, CN_DRAW_JOINTS = 256, CN_DRAW_GRIDS = 512, CN_DRAW_ALL = 1023 } cn_draw_flags;
typedef struct cn_world cn_world;
typedef struct cn_rollback cn_rollback;
typedef struct cn_replay cn_replay;
typedef struct { float x; float y; } vec2s;
typedef struct { float c; float s; } cn_rotation;
typedef struct { vec2s position; cn_rotation rotation; } cn_pose;
typedef struct { vec2s lower; vec2s upper; } cn_bounds;
typedef struct { uint64_t id; } cn_body;
typedef struct { uint64_t id; } cn_shape;
typedef struct { uint64_t id; } cn_joint;
typedef struct { uint64_t id; } cn_chain;
typedef struct { uint64_t id; } cn_grid;
typedef struct { void *allocate; void *release; void *user; } cn_allocator;
typedef struct { void *start; void *finish; void *user; } cn_task_system;
typedef struct { int bodies; int shapes; int static_shapes; int joints; int contacts; } cn_capacity;
typedef struct { vec2s gravity; int substeps; int threads; int lanes; float length_unit; float time_step; int max_steps; float linear_damping; float angular_damping; uint8_t tag; bool no_sleep; bool profiling; bool move_events; cn_capacity capacity; cn_allocator allocator; cn_task_system tasks; uint64_t user_data; } cn_world_def;
typedef struct { float slop; float speculative_margin; float box_margin; float anchor_distance; float anchor_angle; float push_speed; float hit_threshold; float sleep_speed; float sleep_time; } cn_tuning;
typedef struct { vec2s vertices[8]; vec2s normals[8]; float radius; int count; uint32_t failure; } cn_hull;
typedef struct { float friction; float restitution; bool frictionless; float rolling_resistance; float surface_speed; float min_bounce_speed; cn_mix friction_mix; cn_mix restitution_mix; } cn_material;
typedef struct { uint64_t category; uint64_t mask; int32_t group; } cn_filter;
typedef struct { float density; float linear_drag; float angular_drag; vec2s flow; vec2s acceleration; float attraction; float floor; } cn_medium;
typedef struct { cn_hull hull; float density; cn_material material; cn_filter filter; bool massless; bool no_collision; bool hit_events; bool no_touch_events; bool custom_filter; bool pre_solve; bool sensor; vec2s one_way; cn_medium medium; uint64_t user_data; } cn_shape_def;
typedef struct { cn_motion_type type; vec2s position; float angle; vec2s velocity; float angular_velocity; float linear_damping; float angular_damping; float gravity_scale; float max_speed; float sleep_speed; bool weightless; bool lock_x; bool lock_y; bool lock_rotation; bool bullet; bool no_sleep; bool asleep; bool disabled; const cn_shape_def *shapes; int shape_count; uint64_t user_data; } cn_body_def;
typedef struct { float mass; float inertia; vec2s center; } cn_mass_data;
typedef struct { bool hit; float fraction; vec2s point; vec2s normal; } cn_ray_hit;
typedef struct { const vec2s *points; int count; bool closed; cn_material material; const cn_material *materials; cn_filter filter; bool hit_events; bool no_touch_events; bool custom_filter; bool pre_solve; uint64_t user_data; } cn_chain_def;
typedef struct { bool solid; cn_tile_form form; uint8_t material; bool one_way; } cn_tile;
typedef struct { const uint8_t *solid; const cn_tile *tiles; int width; int height; float tile_size; vec2s origin; cn_material material; const cn_material *materials; int material_count; vec2s one_way; cn_filter filter; uint64_t user_data; bool hit_events; bool no_touch_events; bool custom_filter; bool pre_solve; } cn_grid_def;
typedef struct { cn_coordinate_mode mode; float lower; float upper; float target; float hertz; float damping_ratio; float stiffness; float damping; float max_spring_force; bool motor; float motor_speed; float max_motor_force; float ratchet; } cn_coordinate;
typedef struct { cn_body a; cn_body b; cn_pose frame_a; cn_pose frame_b; cn_coordinate x; cn_coordinate y; cn_coordinate angle; bool polar; bool collide_connected; bool disabled; float break_force; float break_torque; uint64_t user_data; uint32_t failure; } cn_joint_def;
typedef struct { cn_body a; cn_body b; } cn_body_pair;
typedef struct { cn_joint other; cn_joint_axis axis; cn_joint_axis other_axis; float ratio; bool slack; } cn_coupling;
typedef struct { cn_body body; cn_shape shape; uint64_t body_user_data; uint64_t shape_user_data; cn_grid grid; int tile; cn_chain chain; int segment; } cn_side;
typedef struct { cn_side a; cn_side b; vec2s point; vec2s normal; } cn_touch_event;
typedef struct { cn_side sensor; cn_side other; } cn_sensor_event;
typedef struct { cn_side a; cn_side b; vec2s point; vec2s normal; float approach_speed; float impulse; } cn_hit_event;
typedef struct { cn_body body; uint64_t user_data; cn_body_change change; } cn_body_event;
typedef struct { cn_body body; uint64_t user_data; cn_pose pose; bool fell_asleep; } cn_move_event;
typedef struct { cn_joint joint; uint64_t user_data; float force; float torque; } cn_joint_event;
typedef struct { const cn_touch_event *begins; const cn_touch_event *ends; const cn_hit_event *hits; const cn_body_event *bodies; const cn_joint_event *broken; const cn_sensor_event *sensor_begins; const cn_sensor_event *sensor_ends; int begin_count; int end_count; int hit_count; int body_count; int broken_count; int sensor_begin_count; int sensor_end_count; const cn_move_event *moved; int moved_count; } cn_events;
typedef struct { vec2s point; float separation; uint8_t id; float normal_impulse; float tangent_impulse; } cn_manifold_point;
typedef struct { vec2s normal; int count; cn_manifold_point points[2]; cn_which reference; int reference_edge; int incident_edge; float separation; } cn_manifold;
typedef struct { cn_side a; cn_side b; cn_manifold manifold; float friction; float restitution; float surface_speed; } cn_contact;
typedef struct { bool found; cn_side side; vec2s point; vec2s normal; vec2s velocity; } cn_ground;
typedef struct { bool disabled; bool changed; float friction; float restitution; float surface_speed; } cn_pre_solve_result;
typedef struct { void *filter; void *pre_solve; void *before_step; void *user; } cn_callbacks;
typedef struct { uint64_t category; uint64_t mask; int32_t group; cn_body ignore; bool sensors; bool any; void *accept; void *user; } cn_query;
typedef struct { cn_pose start; vec2s center; vec2s translation; float turn; } cn_sweep;
typedef struct { bool hit; cn_side side; float fraction; vec2s point; vec2s normal; } cn_world_hit;
typedef struct { vec2s origin; vec2s translation; } cn_ray;
typedef struct { float distance; vec2s normal; vec2s point_a; vec2s point_b; } cn_gap;
typedef struct { bool found; cn_side side; cn_gap gap; } cn_neighbor;
typedef struct { vec2s position; float radius; float falloff; float impulse_per_length; cn_query query; bool blocked; } cn_explosion;
typedef struct { cn_body body; cn_pose pose; vec2s point; vec2s surface_velocity; uint32_t teleports; } cn_ride;
typedef struct { vec2s up; float max_slope; float step_height; float snap_distance; float mass; float seconds; bool drop_through; cn_ride ride; cn_query query; } cn_move_def;
typedef struct { cn_side side; vec2s point; vec2s impulse; } cn_push;
typedef struct { cn_pose pose; bool grounded; bool wall; bool ceiling; bool overlaps; vec2s wall_normal; cn_side ground; vec2s ground_point; vec2s ground_normal; vec2s ground_velocity; cn_ride ride; cn_push pushes[8]; cn_side sensors[16]; int push_count; int sensor_count; } cn_move;
typedef struct { cn_state_part part; cn_body body; cn_shape shape; cn_joint joint; cn_grid grid; } cn_difference;
typedef struct { void *write; void *user; } cn_recording_sink;
typedef struct { int call; int calls; int step; int steps; bool complete; } cn_replay_position;
typedef struct { bool found; int call; int step; int bodies; int slot; cn_body body; uint64_t recorded; uint64_t replayed; } cn_desync;
typedef struct { cn_body body; uint64_t user_data; cn_pose pose; bool asleep; } cn_body_state;
typedef struct { double kinetic; double potential; double momentum_x; double momentum_y; double angular; } cn_energy;
typedef struct { int bodies; int awake_bodies; int shapes; int joints; int contacts; int touching; int sleeping_touching; int islands; int sleeping_islands; int batches; int colors; int lanes; uint64_t steps; size_t bytes; uint64_t allocations; } cn_counters;
typedef struct { int count; const char * names[24]; double seconds[24]; double total; } cn_profile;
typedef struct { vec2s position; uint32_t color; } cn_draw_vertex;
typedef struct { const cn_draw_vertex *triangles; const cn_draw_vertex *lines; int triangle_vertices; int line_vertices; float force_scale; } cn_drawing;
typedef struct { const vec2s *points; int count; } cn_outline;
typedef struct { bool overlap; vec2s translation; } cn_mtv;
uint32_t cn_version(void);
uint32_t cn_api_hash(void);
cn_rotation cn_rotation_of(float angle);
cn_pose cn_pose_at(vec2s position, float angle);
cn_world *cn_world_create(const cn_world_def *def);
void cn_world_destroy(cn_world *world);
bool cn_world_step(cn_world *world, float dt);
int cn_world_advance(cn_world *world, float frame_seconds);
float cn_world_interpolation(const cn_world *world);
bool cn_world_set_gravity(cn_world *world, vec2s gravity);
vec2s cn_world_gravity(const cn_world *world);
bool cn_world_set_substeps(cn_world *world, int substeps);
int cn_world_substeps(const cn_world *world);
bool cn_world_set_no_sleep(cn_world *world, bool no_sleep);
bool cn_world_no_sleep(const cn_world *world);
bool cn_world_set_move_events(cn_world *world, bool on);
bool cn_world_move_events(const cn_world *world);
bool cn_world_set_damping(cn_world *world, float linear, float angular);
float cn_world_linear_damping(const cn_world *world);
float cn_world_angular_damping(const cn_world *world);
bool cn_world_set_user_data(cn_world *world, uint64_t user_data);
uint64_t cn_world_user_data(const cn_world *world);
int cn_world_threads(const cn_world *world);
float cn_world_time_step(const cn_world *world);
int cn_world_max_steps(const cn_world *world);
float cn_world_length_unit(const cn_world *world);
uint8_t cn_world_tag(const cn_world *world);
cn_capacity cn_world_peak_capacity(const cn_world *world);
cn_bounds cn_world_bounds(const cn_world *world);
bool cn_world_shift_origin(cn_world *world, vec2s origin);
cn_tuning cn_world_tuning(const cn_world *world);
bool cn_world_set_tuning(cn_world *world, cn_tuning tuning);
cn_body cn_body_create(cn_world *world, const cn_body_def *def);
bool cn_body_destroy(cn_world *world, uint64_t body);
bool cn_body_valid(const cn_world *world, uint64_t body);
cn_motion_type cn_body_type(const cn_world *world, uint64_t body);
bool cn_body_set_type(cn_world *world, uint64_t body, cn_motion_type type);
cn_pose cn_body_pose(const cn_world *world, uint64_t body);
vec2s cn_body_position(const cn_world *world, uint64_t body);
float cn_body_angle(const cn_world *world, uint64_t body);
vec2s cn_body_center(const cn_world *world, uint64_t body);
bool cn_body_set_pose(cn_world *world, uint64_t body, cn_pose pose);
bool cn_body_set_position(cn_world *world, uint64_t body, vec2s position);
cn_pose cn_body_drawn_pose(const cn_world *world, uint64_t body);
bool cn_body_set_target(cn_world *world, uint64_t body, cn_pose target, float seconds);
vec2s cn_body_velocity(const cn_world *world, uint64_t body);
bool cn_body_set_velocity(cn_world *world, uint64_t body, vec2s velocity);
float cn_body_angular_velocity(const cn_world *world, uint64_t body);
bool cn_body_set_angular_velocity(cn_world *world, uint64_t body, float angular_velocity);
vec2s cn_body_velocity_at(const cn_world *world, uint64_t body, vec2s point);
bool cn_body_apply_force_at(cn_world *world, uint64_t body, vec2s force, vec2s point);
bool cn_body_apply_force(cn_world *world, uint64_t body, vec2s force);
bool cn_body_apply_torque(cn_world *world, uint64_t body, float torque);
bool cn_body_apply_impulse_at(cn_world *world, uint64_t body, vec2s impulse, vec2s point);
bool cn_body_apply_impulse(cn_world *world, uint64_t body, vec2s impulse);
bool cn_body_apply_angular_impulse(cn_world *world, uint64_t body, float impulse);
float cn_body_mass(const cn_world *world, uint64_t body);
cn_mass_data cn_body_mass_data(const cn_world *world, uint64_t body);
bool cn_body_set_mass_data(cn_world *world, uint64_t body, cn_mass_data mass_data);
bool cn_body_reset_mass(cn_world *world, uint64_t body);
bool cn_body_set_damping(cn_world *world, uint64_t body, float linear, float angular);
float cn_body_linear_damping(const cn_world *world, uint64_t body);
float cn_body_angular_damping(const cn_world *world, uint64_t body);
bool cn_body_set_gravity_scale(cn_world *world, uint64_t body, float scale);
float cn_body_gravity_scale(const cn_world *world, uint64_t body);
bool cn_body_set_max_speed(cn_world *world, uint64_t body, float max_speed);
float cn_body_max_speed(const cn_world *world, uint64_t body);
bool cn_body_set_locks(cn_world *world, uint64_t body, bool x, bool y, bool rotation);
void cn_body_locks(const cn_world *world, uint64_t body, bool *x, bool *y, bool *rotation);
bool cn_body_set_bullet(cn_world *world, uint64_t body, bool bullet);
bool cn_body_bullet(const cn_world *world, uint64_t body);
bool cn_body_set_asleep(cn_world *world, uint64_t body, bool asleep);
bool cn_body_asleep(const cn_world *world, uint64_t body);
bool cn_body_set_no_sleep(cn_world *world, uint64_t body, bool no_sleep);
bool cn_body_no_sleep(const cn_world *world, uint64_t body);
bool cn_body_set_sleep_speed(cn_world *world, uint64_t body, float speed);
float cn_body_sleep_speed(const cn_world *world, uint64_t body);
bool cn_body_drop_through(cn_world *world, uint64_t body, float seconds);
bool cn_body_set_disabled(cn_world *world, uint64_t body, bool disabled);
bool cn_body_disabled(const cn_world *world, uint64_t body);
cn_bounds cn_body_bounds(const cn_world *world, uint64_t body);
bool cn_body_set_user_data(cn_world *world, uint64_t body, uint64_t user_data);
uint64_t cn_body_user_data(const cn_world *world, uint64_t body);
cn_hull cn_circle(float radius);
cn_hull cn_capsule(vec2s p, vec2s q, float radius);
cn_hull cn_segment(vec2s p, vec2s q);
cn_hull cn_box(float half_width, float half_height);
cn_hull cn_rounded_box(float half_width, float half_height, float radius);
cn_hull cn_polygon(const vec2s *points, int count, float radius);
cn_hull cn_regular_polygon(int corners, float circumradius);
cn_hull cn_hull_at(cn_hull hull, cn_pose pose);
cn_shape cn_shape_create(cn_world *world, uint64_t body, const cn_shape_def *def);
bool cn_shape_destroy(cn_world *world, uint64_t shape);
bool cn_shape_valid(const cn_world *world, uint64_t shape);
cn_body cn_shape_body(const cn_world *world, uint64_t shape);
cn_hull cn_shape_hull(const cn_world *world, uint64_t shape);
bool cn_shape_set_hull(cn_world *world, uint64_t shape, cn_hull hull);
float cn_shape_density(const cn_world *world, uint64_t shape);
bool cn_shape_set_density(cn_world *world, uint64_t shape, float density);
cn_material cn_shape_material(const cn_world *world, uint64_t shape);
bool cn_shape_set_material(cn_world *world, uint64_t shape, cn_material material);
cn_filter cn_shape_filter(const cn_world *world, uint64_t shape);
bool cn_shape_set_filter(cn_world *world, uint64_t shape, cn_filter filter);
bool cn_shape_set_no_collision(cn_world *world, uint64_t shape, bool no_collision);
bool cn_shape_no_collision(const cn_world *world, uint64_t shape);
bool cn_shape_custom_filter(const cn_world *world, uint64_t shape);
bool cn_shape_set_custom_filter(cn_world *world, uint64_t shape, bool custom_filter);
bool cn_shape_pre_solve(const cn_world *world, uint64_t shape);
bool cn_shape_set_pre_solve(cn_world *world, uint64_t shape, bool pre_solve);
bool cn_shape_hit_events(const cn_world *world, uint64_t shape);
bool cn_shape_set_hit_events(cn_world *world, uint64_t shape, bool hit_events);
bool cn_shape_no_touch_events(const cn_world *world, uint64_t shape);
bool cn_shape_set_no_touch_events(cn_world *world, uint64_t shape, bool no_touch_events);
bool cn_shape_sensor(const cn_world *world, uint64_t shape);
bool cn_shape_set_sensor(cn_world *world, uint64_t shape, bool sensor);
int cn_sensor_shapes(const cn_world *world, uint64_t sensor, cn_shape *shapes, int capacity);
vec2s cn_shape_one_way(const cn_world *world, uint64_t shape);
bool cn_shape_set_one_way(cn_world *world, uint64_t shape, vec2s direction);
bool cn_shape_set_user_data(cn_world *world, uint64_t shape, uint64_t user_data);
uint64_t cn_shape_user_data(const cn_world *world, uint64_t shape);
cn_bounds cn_shape_bounds(const cn_world *world, uint64_t shape);
vec2s cn_shape_closest_point(const cn_world *world, uint64_t shape, vec2s point);
bool cn_shape_contains(const cn_world *world, uint64_t shape, vec2s point);
cn_ray_hit cn_shape_cast_ray(const cn_world *world, uint64_t shape, vec2s origin, vec2s translation);
const char *cn_error(void);
cn_error_kind cn_error_code(void);
void cn_error_clear(void);
void cn_error_set_hook(void *function, void *user);
cn_chain cn_chain_create(cn_world *world, uint64_t body, const cn_chain_def *def);
bool cn_chain_destroy(cn_world *world, uint64_t chain);
bool cn_chain_valid(const cn_world *world, uint64_t chain);
cn_body cn_chain_body(const cn_world *world, uint64_t chain);
int cn_chain_count(const cn_world *world, uint64_t chain);
cn_shape cn_chain_next_segment(const cn_world *world, uint64_t chain, uint64_t previous);
cn_chain cn_shape_chain(const cn_world *world, uint64_t shape);
cn_material cn_chain_material(const cn_world *world, uint64_t chain, int index);
bool cn_chain_set_material(cn_world *world, uint64_t chain, int index, cn_material material);
cn_grid cn_grid_create(cn_world *world, uint64_t body, const cn_grid_def *def);
bool cn_grid_destroy(cn_world *world, uint64_t grid);
bool cn_grid_valid(const cn_world *world, uint64_t grid);
cn_body cn_grid_body(const cn_world *world, uint64_t grid);
int cn_grid_width(const cn_world *world, uint64_t grid);
int cn_grid_height(const cn_world *world, uint64_t grid);
float cn_grid_tile_size(const cn_world *world, uint64_t grid);
vec2s cn_grid_origin(const cn_world *world, uint64_t grid);
bool cn_grid_set_solid(cn_world *world, uint64_t grid, int x, int y, bool solid);
bool cn_grid_solid(const cn_world *world, uint64_t grid, int x, int y);
bool cn_grid_set_tile(cn_world *world, uint64_t grid, int x, int y, cn_tile tile);
cn_tile cn_grid_tile(const cn_world *world, uint64_t grid, int x, int y);
bool cn_grid_set_material(cn_world *world, uint64_t grid, int index, cn_material material);
cn_material cn_grid_material(const cn_world *world, uint64_t grid, int index);
bool cn_shape_set_medium(cn_world *world, uint64_t shape, cn_medium medium);
cn_medium cn_shape_medium(const cn_world *world, uint64_t shape);
cn_joint_def cn_revolute_joint(const cn_world *world, uint64_t a, uint64_t b, vec2s point);
cn_joint_def cn_prismatic_joint(const cn_world *world, uint64_t a, uint64_t b, vec2s point, vec2s axis);
cn_joint_def cn_weld_joint(const cn_world *world, uint64_t a, uint64_t b, vec2s point);
cn_joint_def cn_wheel_joint(const cn_world *world, uint64_t a, uint64_t b, vec2s point, vec2s axis);
cn_joint_def cn_distance_joint(const cn_world *world, uint64_t a, uint64_t b, vec2s point_a, vec2s point_b);
cn_joint_def cn_rope_joint(const cn_world *world, uint64_t a, uint64_t b, vec2s point_a, vec2s point_b);
cn_joint_def cn_spring_joint(const cn_world *world, uint64_t a, uint64_t b, vec2s point_a, vec2s point_b);
cn_joint_def cn_mouse_joint(const cn_world *world, uint64_t a, uint64_t b, vec2s point);
cn_joint_def cn_motor_joint(const cn_world *world, uint64_t a, uint64_t b, float max_force, float max_torque);
cn_joint_def cn_filter_joint(const cn_world *world, uint64_t a, uint64_t b);
cn_joint cn_joint_create(cn_world *world, cn_joint_def def);
bool cn_joint_destroy(cn_world *world, uint64_t joint);
bool cn_joint_valid(const cn_world *world, uint64_t joint);
cn_joint_def cn_joint_definition(const cn_world *world, uint64_t joint);
bool cn_joint_set_coordinate(cn_world *world, uint64_t joint, cn_joint_axis axis, cn_coordinate coordinate);
bool cn_joint_set_motor_speed(cn_world *world, uint64_t joint, cn_joint_axis axis, float motor_speed);
bool cn_joint_set_target(cn_world *world, uint64_t joint, cn_joint_axis axis, float target);
bool cn_joint_set_frames(cn_world *world, uint64_t joint, cn_pose frame_a, cn_pose frame_b);
bool cn_joint_set_polar(cn_world *world, uint64_t joint, bool polar);
bool cn_joint_set_collide_connected(cn_world *world, uint64_t joint, bool collide);
bool cn_joint_set_disabled(cn_world *world, uint64_t joint, bool disabled);
bool cn_joint_set_break(cn_world *world, uint64_t joint, float force, float torque);
bool cn_joint_set_anchor(cn_world *world, uint64_t joint, cn_which which, vec2s world_point);
bool cn_joint_set_user_data(cn_world *world, uint64_t joint, uint64_t user_data);
uint64_t cn_joint_user_data(const cn_world *world, uint64_t joint);
cn_body_pair cn_joint_bodies(const cn_world *world, uint64_t joint);
cn_coordinate cn_joint_coordinate(const cn_world *world, uint64_t joint, cn_joint_axis axis);
float cn_joint_target(const cn_world *world, uint64_t joint, cn_joint_axis axis);
float cn_joint_motor_speed(const cn_world *world, uint64_t joint, cn_joint_axis axis);
bool cn_joint_polar(const cn_world *world, uint64_t joint);
bool cn_joint_collide_connected(const cn_world *world, uint64_t joint);
bool cn_joint_disabled(const cn_world *world, uint64_t joint);
float cn_joint_break_force(const cn_world *world, uint64_t joint);
float cn_joint_break_torque(const cn_world *world, uint64_t joint);
cn_pose cn_joint_frame(const cn_world *world, uint64_t joint, cn_which which);
vec2s cn_joint_anchor(const cn_world *world, uint64_t joint, cn_which which);
float cn_joint_value(const cn_world *world, uint64_t joint, cn_joint_axis axis);
float cn_joint_rate(const cn_world *world, uint64_t joint, cn_joint_axis axis);
vec2s cn_joint_force(const cn_world *world, uint64_t joint);
float cn_joint_torque(const cn_world *world, uint64_t joint);
float cn_joint_peak_force(const cn_world *world, uint64_t joint);
float cn_joint_peak_torque(const cn_world *world, uint64_t joint);
bool cn_joint_set_coupling(cn_world *world, uint64_t joint, cn_coupling coupling);
cn_coupling cn_joint_coupling(const cn_world *world, uint64_t joint);
cn_body cn_world_next_body(const cn_world *world, uint64_t previous);
cn_shape cn_world_next_shape(const cn_world *world, uint64_t previous);
cn_shape cn_body_next_shape(const cn_world *world, uint64_t body, uint64_t previous);
cn_joint cn_world_next_joint(const cn_world *world, uint64_t previous);
cn_joint cn_body_next_joint(const cn_world *world, uint64_t body, uint64_t previous);
cn_chain cn_world_next_chain(const cn_world *world, uint64_t previous);
cn_chain cn_body_next_chain(const cn_world *world, uint64_t body, uint64_t previous);
cn_body cn_world_body_in_slot(const cn_world *world, int slot);
cn_shape cn_world_shape_in_slot(const cn_world *world, int slot);
cn_joint cn_world_joint_in_slot(const cn_world *world, int slot);
cn_grid cn_world_grid_in_slot(const cn_world *world, int slot);
cn_chain cn_world_chain_in_slot(const cn_world *world, int slot);
cn_touch_event cn_touch_event_seen_from(cn_touch_event event, uint64_t body);
cn_hit_event cn_hit_event_seen_from(cn_hit_event event, uint64_t body);
cn_side cn_sensor_event_other_side(cn_sensor_event event, uint64_t body);
cn_events cn_world_events(cn_world *world);
int cn_world_contacts(const cn_world *world, cn_contact *contacts, int capacity);
int cn_body_contacts(const cn_world *world, uint64_t body, cn_contact *contacts, int capacity);
bool cn_body_touches(const cn_world *world, uint64_t a, uint64_t b);
cn_contact cn_contact_seen_from(cn_contact contact, uint64_t body);
cn_ground cn_body_ground(const cn_world *world, uint64_t body, vec2s up, float max_slope);
bool cn_world_set_callbacks(cn_world *world, cn_callbacks callbacks);
cn_callbacks cn_world_callbacks(const cn_world *world);
cn_world_hit cn_world_cast_ray(const cn_world *world, vec2s origin, vec2s translation, const cn_query *query);
int cn_world_cast_ray_all(const cn_world *world, vec2s origin, vec2s translation, const cn_query *query, cn_world_hit *hits, int capacity);
bool cn_world_cast_rays(const cn_world *world, const cn_ray *rays, int count, const cn_query *query, cn_world_hit *hits);
cn_world_hit cn_world_cast_hull(const cn_world *world, cn_hull hull, cn_sweep sweep, const cn_query *query);
int cn_world_overlap(const cn_world *world, cn_hull hull, cn_pose pose, const cn_query *query, cn_side *sides, int capacity);
int cn_world_overlap_bounds(const cn_world *world, cn_bounds bounds, const cn_query *query, cn_side *sides, int capacity);
int cn_world_overlap_point(const cn_world *world, vec2s point, const cn_query *query, cn_side *sides, int capacity);
cn_neighbor cn_world_nearest(const cn_world *world, cn_hull hull, cn_pose pose, float max_distance, const cn_query *query);
int cn_world_explode(cn_world *world, const cn_explosion *explosion);
cn_move cn_world_move_hull(const cn_world *world, cn_hull hull, cn_pose pose, vec2s translation, const cn_move_def *def);
size_t cn_world_save(const cn_world *world, cn_save_parts parts, void *bytes, size_t capacity);
bool cn_world_restore(cn_world *world, const void *bytes, size_t size);
cn_world *cn_world_load(const cn_world_def *def, const cn_callbacks *callbacks, const void *bytes, size_t size);
cn_rollback *cn_rollback_create(cn_world *world, int frames);
void cn_rollback_destroy(cn_rollback *rollback);
bool cn_rollback_keep(cn_rollback *rollback, int number);
bool cn_rollback_rewind(cn_rollback *rollback, int number);
int cn_rollback_oldest(const cn_rollback *rollback);
int cn_rollback_newest(const cn_rollback *rollback);
cn_difference cn_world_compare(const cn_world *a, const cn_world *b);
int cn_worlds_step(cn_world *const *worlds, int count, float dt, cn_error_kind *errors);
bool cn_recording_begin(cn_world *world, cn_recording_sink sink);
bool cn_recording_end(cn_world *world);
size_t cn_recording_cut(const void *bytes, size_t size, const uint8_t *kept, int count, void *cut, size_t capacity);
cn_replay *cn_replay_create(const cn_world_def *def, const void *bytes, size_t size);
void cn_replay_destroy(cn_replay *replay);
cn_world *cn_replay_world(cn_replay *replay);
cn_replay_position cn_replay_at(const cn_replay *replay);
bool cn_replay_next(cn_replay *replay);
bool cn_replay_seek(cn_replay *replay, int step);
const char *cn_replay_text(cn_replay *replay);
size_t cn_replay_rest(cn_replay *replay, void *bytes, size_t capacity);
cn_desync cn_replay_desync(const cn_replay *replay);
int cn_world_body_states(const cn_world *world, cn_body_state *states, int capacity, bool drawn);
int cn_world_poses(const cn_world *world, cn_pose *poses, int capacity, bool drawn);
cn_energy cn_world_energy(const cn_world *world);
cn_counters cn_world_counters(const cn_world *world);
bool cn_world_set_profiling(cn_world *world, bool on);
bool cn_world_profiling(const cn_world *world);
cn_profile cn_world_profile(const cn_world *world);
uint64_t cn_world_hash(const cn_world *world);
bool cn_world_draw(cn_world *world, uint32_t flags, cn_drawing *drawing);
float cn_rotation_angle(cn_rotation rotation);
vec2s cn_pose_point(cn_pose pose, vec2s local);
vec2s cn_pose_local_point(cn_pose pose, vec2s point);
vec2s cn_pose_direction(cn_pose pose, vec2s local);
vec2s cn_pose_local_direction(cn_pose pose, vec2s direction);
cn_pose cn_pose_multiply(cn_pose a, cn_pose b);
cn_pose cn_pose_inverse(cn_pose pose);
bool cn_bounds_overlap(cn_bounds a, cn_bounds b);
vec2s cn_bounds_depth(cn_bounds a, cn_bounds b);
vec2s cn_bounds_resolve(cn_bounds a, cn_bounds b);
cn_bounds cn_bounds_union(cn_bounds a, cn_bounds b);
bool cn_bounds_contains(cn_bounds bounds, vec2s point);
cn_mass_data cn_hull_mass_data(cn_hull hull, float density);
cn_bounds cn_hull_bounds(cn_hull hull, cn_pose pose);
vec2s cn_hull_support(cn_hull hull, vec2s direction);
vec2s cn_hull_project(cn_hull hull, cn_pose pose, vec2s axis);
bool cn_hull_contains(cn_hull hull, vec2s point);
cn_ray_hit cn_hull_cast_ray(cn_hull hull, vec2s origin, vec2s translation);
cn_manifold cn_hull_collide(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b, float margin);
cn_gap cn_hull_distance(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b);
cn_mtv cn_hull_mtv(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b);
int cn_hull_clip(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b, float tolerance, vec2s *points, int capacity, cn_mass_data *exact);
int cn_hull_crossings(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b, vec2s *points, int capacity);
int cn_bounds_crossings(cn_bounds a, cn_bounds b, vec2s *points, int capacity);
int cn_hull_slice(cn_hull hull, vec2s point, vec2s normal, float tolerance, cn_hull *hulls, int capacity, int *in_front);
cn_ray_hit cn_hull_cast(const cn_hull *a, cn_pose pose_a, vec2s translation, const cn_hull *b, cn_pose pose_b);
cn_pose cn_sweep_pose(cn_sweep sweep, float fraction);
cn_ray_hit cn_hull_time_of_impact(const cn_hull *a, const cn_sweep *sweep_a, const cn_hull *b, const cn_sweep *sweep_b);
int cn_outline_decompose(const cn_outline *outlines, int count, float radius, cn_hull *hulls, int capacity);
]]

local function load_library()
    local name = os.getenv("CAIRN_LIBRARY")
    if name then return ffi.load(name) end
    if pcall(function() return ffi.C.cn_world_create end) then return ffi.C end
    for _, stem in ipairs{"libcairn", "cairn"} do
        local path = package.searchpath(stem, package.cpath)
        if path then return ffi.load(path) end
    end
    return ffi.load("cairn")
end

-- What this file was made for.
local VERSION, API_HASH = 200, 0x2fc0cfd1

local function describe_version(number, hash)
    return ("%d.%d.%d (API %s)"):format(math.floor(number / 10000), math.floor(number / 100) % 100, number % 100,
        bit.tohex(hash))
end

-- Raises an error if the library was built from another cairn.h. An older one has no cn_api_hash().
local function check_library(library)
    local known, version, hash = pcall(function() return library.cn_version(), library.cn_api_hash() end)
    if known and hash == API_HASH then return end
    error("libcairn is " .. (known and "version " .. describe_version(version, hash) or "an older version")
        .. ", this cairn.lua is for version " .. describe_version(VERSION, API_HASH), 0)
end

local C = load_library()
check_library(C)
local cairn = {}

-- ---------------------------------------------------------------------------------------- the API

-- The values of each enumeration by name, and their names by value.
local enums = {
    cn_which = {a = 0, b = 1, [0] = "a", [1] = "b",
        names = {"a", "b"}},
    cn_motion_type = {dynamic = 0, kinematic = 1, static = 2, [0] = "dynamic", [1] = "kinematic", [2] = "static",
        names = {"dynamic", "kinematic", "static"}},
    cn_mix = {default = 0, average = 1, minimum = 2, maximum = 3, multiply = 4, [0] = "default", [1] = "average", [2] = "minimum", [3] = "maximum", [4] = "multiply",
        names = {"default", "average", "minimum", "maximum", "multiply"}},
    cn_error_kind = {none = 0, number = 1, range = 2, shape = 3, handle = 4, state = 5, memory = 6, data = 7, hint = 8, [0] = "none", [1] = "number", [2] = "range", [3] = "shape", [4] = "handle", [5] = "state", [6] = "memory", [7] = "data", [8] = "hint",
        names = {"none", "number", "range", "shape", "handle", "state", "memory", "data", "hint"}},
    cn_tile_form = {square = 0, rises_right = 1, rises_left = 2, hangs_right = 3, hangs_left = 4, [0] = "square", [1] = "rises_right", [2] = "rises_left", [3] = "hangs_right", [4] = "hangs_left",
        names = {"square", "rises_right", "rises_left", "hangs_right", "hangs_left"}},
    cn_coordinate_mode = {locked = 0, free = 1, limited = 2, [0] = "locked", [1] = "free", [2] = "limited",
        names = {"locked", "free", "limited"}},
    cn_joint_axis = {x = 0, y = 1, angle = 2, [0] = "x", [1] = "y", [2] = "angle",
        names = {"x", "y", "angle"}},
    cn_body_change = {slept = 0, woke = 1, fault = 2, [0] = "slept", [1] = "woke", [2] = "fault",
        names = {"slept", "woke", "fault"}},
    cn_save_parts = {all = 0, moving = 1, [0] = "all", [1] = "moving",
        names = {"all", "moving"}},
    cn_state_part = {none = 0, settings = 1, bodies = 2, shapes = 3, grids = 4, joints = 5, contacts = 6, [0] = "none", [1] = "settings", [2] = "bodies", [3] = "shapes", [4] = "grids", [5] = "joints", [6] = "contacts",
        names = {"none", "settings", "bodies", "shapes", "grids", "joints", "contacts"}},
    cn_draw_flags = {shapes = 1, contacts = 2, normals = 4, reference_edges = 8, bounds = 16, tree = 32, islands = 64, mass = 128, joints = 256, grids = 512, all = 1023, [1] = "shapes", [2] = "contacts", [4] = "normals", [8] = "reference_edges", [16] = "bounds", [32] = "tree", [64] = "islands", [128] = "mass", [256] = "joints", [512] = "grids", [1023] = "all",
        names = {"shapes", "contacts", "normals", "reference_edges", "bounds", "tree", "islands", "mass", "joints", "grids", "all"}},
}

-- The fields of each struct. Counts of arrays follow from the arrays.
local structs = {
    vec2s = {
        x = {kind = "number", type = "float"},
        y = {kind = "number", type = "float"},
    },
    cn_rotation = {
        c = {kind = "number", type = "float"},
        s = {kind = "number", type = "float"},
    },
    cn_pose = {
        position = {kind = "struct", type = "vec2s"},
        rotation = {kind = "struct", type = "cn_rotation"},
    },
    cn_bounds = {
        lower = {kind = "struct", type = "vec2s"},
        upper = {kind = "struct", type = "vec2s"},
    },
    cn_body = {
        id = {kind = "number", type = "uint64_t"},
    },
    cn_shape = {
        id = {kind = "number", type = "uint64_t"},
    },
    cn_joint = {
        id = {kind = "number", type = "uint64_t"},
    },
    cn_chain = {
        id = {kind = "number", type = "uint64_t"},
    },
    cn_grid = {
        id = {kind = "number", type = "uint64_t"},
    },
    cn_allocator = {
        allocate = {kind = "callback", type = "cn_allocator.allocate"},
        release = {kind = "callback", type = "cn_allocator.release"},
        user = {kind = "user"},
    },
    cn_task_system = {
        start = {kind = "callback", type = "cn_task_system.start"},
        finish = {kind = "callback", type = "cn_task_system.finish"},
        user = {kind = "user"},
    },
    cn_capacity = {
        bodies = {kind = "number", type = "int"},
        shapes = {kind = "number", type = "int"},
        static_shapes = {kind = "number", type = "int"},
        joints = {kind = "number", type = "int"},
        contacts = {kind = "number", type = "int"},
    },
    cn_world_def = {
        gravity = {kind = "struct", type = "vec2s"},
        substeps = {kind = "number", type = "int"},
        threads = {kind = "number", type = "int"},
        lanes = {kind = "number", type = "int"},
        length_unit = {kind = "number", type = "float"},
        time_step = {kind = "number", type = "float"},
        max_steps = {kind = "number", type = "int"},
        linear_damping = {kind = "number", type = "float"},
        angular_damping = {kind = "number", type = "float"},
        tag = {kind = "number", type = "uint8_t"},
        no_sleep = {kind = "bool"},
        profiling = {kind = "bool"},
        move_events = {kind = "bool"},
        capacity = {kind = "struct", type = "cn_capacity"},
        allocator = {kind = "struct", type = "cn_allocator"},
        tasks = {kind = "struct", type = "cn_task_system"},
        user_data = {kind = "number", type = "uint64_t"},
    },
    cn_tuning = {
        slop = {kind = "number", type = "float"},
        speculative_margin = {kind = "number", type = "float"},
        box_margin = {kind = "number", type = "float"},
        anchor_distance = {kind = "number", type = "float"},
        anchor_angle = {kind = "number", type = "float"},
        push_speed = {kind = "number", type = "float"},
        hit_threshold = {kind = "number", type = "float"},
        sleep_speed = {kind = "number", type = "float"},
        sleep_time = {kind = "number", type = "float"},
    },
    cn_hull = {
        vertices = {kind = "inline_array", of = {kind = "struct", type = "vec2s"}, length = 8, used = "count"},
        normals = {kind = "inline_array", of = {kind = "struct", type = "vec2s"}, length = 8},
        radius = {kind = "number", type = "float"},
        count = {kind = "number", type = "int"},
        failure = {kind = "number", type = "uint32_t"},
    },
    cn_material = {
        friction = {kind = "number", type = "float"},
        restitution = {kind = "number", type = "float"},
        frictionless = {kind = "bool"},
        rolling_resistance = {kind = "number", type = "float"},
        surface_speed = {kind = "number", type = "float"},
        min_bounce_speed = {kind = "number", type = "float"},
        friction_mix = {kind = "enum", type = "cn_mix"},
        restitution_mix = {kind = "enum", type = "cn_mix"},
    },
    cn_filter = {
        category = {kind = "number", type = "uint64_t"},
        mask = {kind = "number", type = "uint64_t"},
        group = {kind = "number", type = "int32_t"},
    },
    cn_medium = {
        density = {kind = "number", type = "float"},
        linear_drag = {kind = "number", type = "float"},
        angular_drag = {kind = "number", type = "float"},
        flow = {kind = "struct", type = "vec2s"},
        acceleration = {kind = "struct", type = "vec2s"},
        attraction = {kind = "number", type = "float"},
        floor = {kind = "number", type = "float"},
    },
    cn_shape_def = {
        hull = {kind = "struct", type = "cn_hull"},
        density = {kind = "number", type = "float"},
        material = {kind = "struct", type = "cn_material"},
        filter = {kind = "struct", type = "cn_filter"},
        massless = {kind = "bool"},
        no_collision = {kind = "bool"},
        hit_events = {kind = "bool"},
        no_touch_events = {kind = "bool"},
        custom_filter = {kind = "bool"},
        pre_solve = {kind = "bool"},
        sensor = {kind = "bool"},
        one_way = {kind = "struct", type = "vec2s"},
        medium = {kind = "struct", type = "cn_medium"},
        user_data = {kind = "number", type = "uint64_t"},
    },
    cn_body_def = {
        type = {kind = "enum", type = "cn_motion_type"},
        position = {kind = "struct", type = "vec2s"},
        angle = {kind = "number", type = "float"},
        velocity = {kind = "struct", type = "vec2s"},
        angular_velocity = {kind = "number", type = "float"},
        linear_damping = {kind = "number", type = "float"},
        angular_damping = {kind = "number", type = "float"},
        gravity_scale = {kind = "number", type = "float"},
        max_speed = {kind = "number", type = "float"},
        sleep_speed = {kind = "number", type = "float"},
        weightless = {kind = "bool"},
        lock_x = {kind = "bool"},
        lock_y = {kind = "bool"},
        lock_rotation = {kind = "bool"},
        bullet = {kind = "bool"},
        no_sleep = {kind = "bool"},
        asleep = {kind = "bool"},
        disabled = {kind = "bool"},
        shapes = {kind = "array", of = {kind = "struct", type = "cn_shape_def"}, counter = "shape_count"},
        user_data = {kind = "number", type = "uint64_t"},
    },
    cn_mass_data = {
        mass = {kind = "number", type = "float"},
        inertia = {kind = "number", type = "float"},
        center = {kind = "struct", type = "vec2s"},
    },
    cn_ray_hit = {
        hit = {kind = "bool"},
        fraction = {kind = "number", type = "float"},
        point = {kind = "struct", type = "vec2s"},
        normal = {kind = "struct", type = "vec2s"},
    },
    cn_chain_def = {
        points = {kind = "array", of = {kind = "struct", type = "vec2s"}, counter = "count"},
        closed = {kind = "bool"},
        material = {kind = "struct", type = "cn_material"},
        materials = {kind = "array", of = {kind = "struct", type = "cn_material"}},
        filter = {kind = "struct", type = "cn_filter"},
        hit_events = {kind = "bool"},
        no_touch_events = {kind = "bool"},
        custom_filter = {kind = "bool"},
        pre_solve = {kind = "bool"},
        user_data = {kind = "number", type = "uint64_t"},
    },
    cn_tile = {
        solid = {kind = "bool"},
        form = {kind = "enum", type = "cn_tile_form"},
        material = {kind = "number", type = "uint8_t"},
        one_way = {kind = "bool"},
    },
    cn_grid_def = {
        solid = {kind = "array", of = {kind = "number", type = "uint8_t"}},
        tiles = {kind = "array", of = {kind = "struct", type = "cn_tile"}},
        width = {kind = "number", type = "int"},
        height = {kind = "number", type = "int"},
        tile_size = {kind = "number", type = "float"},
        origin = {kind = "struct", type = "vec2s"},
        material = {kind = "struct", type = "cn_material"},
        materials = {kind = "array", of = {kind = "struct", type = "cn_material"}, counter = "material_count"},
        one_way = {kind = "struct", type = "vec2s"},
        filter = {kind = "struct", type = "cn_filter"},
        user_data = {kind = "number", type = "uint64_t"},
        hit_events = {kind = "bool"},
        no_touch_events = {kind = "bool"},
        custom_filter = {kind = "bool"},
        pre_solve = {kind = "bool"},
    },
    cn_coordinate = {
        mode = {kind = "enum", type = "cn_coordinate_mode"},
        lower = {kind = "number", type = "float"},
        upper = {kind = "number", type = "float"},
        target = {kind = "number", type = "float"},
        hertz = {kind = "number", type = "float"},
        damping_ratio = {kind = "number", type = "float"},
        stiffness = {kind = "number", type = "float"},
        damping = {kind = "number", type = "float"},
        max_spring_force = {kind = "number", type = "float"},
        motor = {kind = "bool"},
        motor_speed = {kind = "number", type = "float"},
        max_motor_force = {kind = "number", type = "float"},
        ratchet = {kind = "number", type = "float"},
    },
    cn_joint_def = {
        a = {kind = "handle", type = "cn_body"},
        b = {kind = "handle", type = "cn_body"},
        frame_a = {kind = "struct", type = "cn_pose"},
        frame_b = {kind = "struct", type = "cn_pose"},
        x = {kind = "struct", type = "cn_coordinate"},
        y = {kind = "struct", type = "cn_coordinate"},
        angle = {kind = "struct", type = "cn_coordinate"},
        polar = {kind = "bool"},
        collide_connected = {kind = "bool"},
        disabled = {kind = "bool"},
        break_force = {kind = "number", type = "float"},
        break_torque = {kind = "number", type = "float"},
        user_data = {kind = "number", type = "uint64_t"},
        failure = {kind = "number", type = "uint32_t"},
    },
    cn_body_pair = {
        a = {kind = "handle", type = "cn_body"},
        b = {kind = "handle", type = "cn_body"},
    },
    cn_coupling = {
        other = {kind = "handle", type = "cn_joint"},
        axis = {kind = "enum", type = "cn_joint_axis"},
        other_axis = {kind = "enum", type = "cn_joint_axis"},
        ratio = {kind = "number", type = "float"},
        slack = {kind = "bool"},
    },
    cn_side = {
        body = {kind = "handle", type = "cn_body"},
        shape = {kind = "handle", type = "cn_shape"},
        body_user_data = {kind = "number", type = "uint64_t"},
        shape_user_data = {kind = "number", type = "uint64_t"},
        grid = {kind = "handle", type = "cn_grid"},
        tile = {kind = "number", type = "int"},
        chain = {kind = "handle", type = "cn_chain"},
        segment = {kind = "number", type = "int"},
    },
    cn_touch_event = {
        a = {kind = "struct", type = "cn_side"},
        b = {kind = "struct", type = "cn_side"},
        point = {kind = "struct", type = "vec2s"},
        normal = {kind = "struct", type = "vec2s"},
    },
    cn_sensor_event = {
        sensor = {kind = "struct", type = "cn_side"},
        other = {kind = "struct", type = "cn_side"},
    },
    cn_hit_event = {
        a = {kind = "struct", type = "cn_side"},
        b = {kind = "struct", type = "cn_side"},
        point = {kind = "struct", type = "vec2s"},
        normal = {kind = "struct", type = "vec2s"},
        approach_speed = {kind = "number", type = "float"},
        impulse = {kind = "number", type = "float"},
    },
    cn_body_event = {
        body = {kind = "handle", type = "cn_body"},
        user_data = {kind = "number", type = "uint64_t"},
        change = {kind = "enum", type = "cn_body_change"},
    },
    cn_move_event = {
        body = {kind = "handle", type = "cn_body"},
        user_data = {kind = "number", type = "uint64_t"},
        pose = {kind = "struct", type = "cn_pose"},
        fell_asleep = {kind = "bool"},
    },
    cn_joint_event = {
        joint = {kind = "handle", type = "cn_joint"},
        user_data = {kind = "number", type = "uint64_t"},
        force = {kind = "number", type = "float"},
        torque = {kind = "number", type = "float"},
    },
    cn_events = {
        begins = {kind = "array", of = {kind = "struct", type = "cn_touch_event"}, counter = "begin_count"},
        ends = {kind = "array", of = {kind = "struct", type = "cn_touch_event"}, counter = "end_count"},
        hits = {kind = "array", of = {kind = "struct", type = "cn_hit_event"}, counter = "hit_count"},
        bodies = {kind = "array", of = {kind = "struct", type = "cn_body_event"}, counter = "body_count"},
        broken = {kind = "array", of = {kind = "struct", type = "cn_joint_event"}, counter = "broken_count"},
        sensor_begins = {kind = "array", of = {kind = "struct", type = "cn_sensor_event"}, counter = "sensor_begin_count"},
        sensor_ends = {kind = "array", of = {kind = "struct", type = "cn_sensor_event"}, counter = "sensor_end_count"},
        moved = {kind = "array", of = {kind = "struct", type = "cn_move_event"}, counter = "moved_count"},
    },
    cn_manifold_point = {
        point = {kind = "struct", type = "vec2s"},
        separation = {kind = "number", type = "float"},
        id = {kind = "number", type = "uint8_t"},
        normal_impulse = {kind = "number", type = "float"},
        tangent_impulse = {kind = "number", type = "float"},
    },
    cn_manifold = {
        normal = {kind = "struct", type = "vec2s"},
        count = {kind = "number", type = "int"},
        points = {kind = "inline_array", of = {kind = "struct", type = "cn_manifold_point"}, length = 2, used = "count"},
        reference = {kind = "enum", type = "cn_which"},
        reference_edge = {kind = "number", type = "int"},
        incident_edge = {kind = "number", type = "int"},
        separation = {kind = "number", type = "float"},
    },
    cn_contact = {
        a = {kind = "struct", type = "cn_side"},
        b = {kind = "struct", type = "cn_side"},
        manifold = {kind = "struct", type = "cn_manifold"},
        friction = {kind = "number", type = "float"},
        restitution = {kind = "number", type = "float"},
        surface_speed = {kind = "number", type = "float"},
    },
    cn_ground = {
        found = {kind = "bool"},
        side = {kind = "struct", type = "cn_side"},
        point = {kind = "struct", type = "vec2s"},
        normal = {kind = "struct", type = "vec2s"},
        velocity = {kind = "struct", type = "vec2s"},
    },
    cn_pre_solve_result = {
        disabled = {kind = "bool"},
        changed = {kind = "bool"},
        friction = {kind = "number", type = "float"},
        restitution = {kind = "number", type = "float"},
        surface_speed = {kind = "number", type = "float"},
    },
    cn_callbacks = {
        filter = {kind = "callback", type = "cn_callbacks.filter"},
        pre_solve = {kind = "callback", type = "cn_callbacks.pre_solve"},
        before_step = {kind = "callback", type = "cn_callbacks.before_step"},
        user = {kind = "user"},
    },
    cn_query = {
        category = {kind = "number", type = "uint64_t"},
        mask = {kind = "number", type = "uint64_t"},
        group = {kind = "number", type = "int32_t"},
        ignore = {kind = "handle", type = "cn_body"},
        sensors = {kind = "bool"},
        any = {kind = "bool"},
        accept = {kind = "callback", type = "cn_query.accept"},
        user = {kind = "user"},
    },
    cn_sweep = {
        start = {kind = "struct", type = "cn_pose"},
        center = {kind = "struct", type = "vec2s"},
        translation = {kind = "struct", type = "vec2s"},
        turn = {kind = "number", type = "float"},
    },
    cn_world_hit = {
        hit = {kind = "bool"},
        side = {kind = "struct", type = "cn_side"},
        fraction = {kind = "number", type = "float"},
        point = {kind = "struct", type = "vec2s"},
        normal = {kind = "struct", type = "vec2s"},
    },
    cn_ray = {
        origin = {kind = "struct", type = "vec2s"},
        translation = {kind = "struct", type = "vec2s"},
    },
    cn_gap = {
        distance = {kind = "number", type = "float"},
        normal = {kind = "struct", type = "vec2s"},
        point_a = {kind = "struct", type = "vec2s"},
        point_b = {kind = "struct", type = "vec2s"},
    },
    cn_neighbor = {
        found = {kind = "bool"},
        side = {kind = "struct", type = "cn_side"},
        gap = {kind = "struct", type = "cn_gap"},
    },
    cn_explosion = {
        position = {kind = "struct", type = "vec2s"},
        radius = {kind = "number", type = "float"},
        falloff = {kind = "number", type = "float"},
        impulse_per_length = {kind = "number", type = "float"},
        query = {kind = "struct", type = "cn_query"},
        blocked = {kind = "bool"},
    },
    cn_ride = {
        body = {kind = "handle", type = "cn_body"},
        pose = {kind = "struct", type = "cn_pose"},
        point = {kind = "struct", type = "vec2s"},
        surface_velocity = {kind = "struct", type = "vec2s"},
        teleports = {kind = "number", type = "uint32_t"},
    },
    cn_move_def = {
        up = {kind = "struct", type = "vec2s"},
        max_slope = {kind = "number", type = "float"},
        step_height = {kind = "number", type = "float"},
        snap_distance = {kind = "number", type = "float"},
        mass = {kind = "number", type = "float"},
        seconds = {kind = "number", type = "float"},
        drop_through = {kind = "bool"},
        ride = {kind = "struct", type = "cn_ride"},
        query = {kind = "struct", type = "cn_query"},
    },
    cn_push = {
        side = {kind = "struct", type = "cn_side"},
        point = {kind = "struct", type = "vec2s"},
        impulse = {kind = "struct", type = "vec2s"},
    },
    cn_move = {
        pose = {kind = "struct", type = "cn_pose"},
        grounded = {kind = "bool"},
        wall = {kind = "bool"},
        ceiling = {kind = "bool"},
        overlaps = {kind = "bool"},
        wall_normal = {kind = "struct", type = "vec2s"},
        ground = {kind = "struct", type = "cn_side"},
        ground_point = {kind = "struct", type = "vec2s"},
        ground_normal = {kind = "struct", type = "vec2s"},
        ground_velocity = {kind = "struct", type = "vec2s"},
        ride = {kind = "struct", type = "cn_ride"},
        pushes = {kind = "inline_array", of = {kind = "struct", type = "cn_push"}, length = 8, used = "push_count"},
        sensors = {kind = "inline_array", of = {kind = "struct", type = "cn_side"}, length = 16, used = "sensor_count"},
        push_count = {kind = "number", type = "int"},
        sensor_count = {kind = "number", type = "int"},
    },
    cn_difference = {
        part = {kind = "enum", type = "cn_state_part"},
        body = {kind = "handle", type = "cn_body"},
        shape = {kind = "handle", type = "cn_shape"},
        joint = {kind = "handle", type = "cn_joint"},
        grid = {kind = "handle", type = "cn_grid"},
    },
    cn_recording_sink = {
        write = {kind = "callback", type = "cn_recording_sink.write"},
        user = {kind = "user"},
    },
    cn_replay_position = {
        call = {kind = "number", type = "int"},
        calls = {kind = "number", type = "int"},
        step = {kind = "number", type = "int"},
        steps = {kind = "number", type = "int"},
        complete = {kind = "bool"},
    },
    cn_desync = {
        found = {kind = "bool"},
        call = {kind = "number", type = "int"},
        step = {kind = "number", type = "int"},
        bodies = {kind = "number", type = "int"},
        slot = {kind = "number", type = "int"},
        body = {kind = "handle", type = "cn_body"},
        recorded = {kind = "number", type = "uint64_t"},
        replayed = {kind = "number", type = "uint64_t"},
    },
    cn_body_state = {
        body = {kind = "handle", type = "cn_body"},
        user_data = {kind = "number", type = "uint64_t"},
        pose = {kind = "struct", type = "cn_pose"},
        asleep = {kind = "bool"},
    },
    cn_energy = {
        kinetic = {kind = "number", type = "double"},
        potential = {kind = "number", type = "double"},
        momentum_x = {kind = "number", type = "double"},
        momentum_y = {kind = "number", type = "double"},
        angular = {kind = "number", type = "double"},
    },
    cn_counters = {
        bodies = {kind = "number", type = "int"},
        awake_bodies = {kind = "number", type = "int"},
        shapes = {kind = "number", type = "int"},
        joints = {kind = "number", type = "int"},
        contacts = {kind = "number", type = "int"},
        touching = {kind = "number", type = "int"},
        sleeping_touching = {kind = "number", type = "int"},
        islands = {kind = "number", type = "int"},
        sleeping_islands = {kind = "number", type = "int"},
        batches = {kind = "number", type = "int"},
        colors = {kind = "number", type = "int"},
        lanes = {kind = "number", type = "int"},
        steps = {kind = "number", type = "uint64_t"},
        bytes = {kind = "number", type = "size_t"},
        allocations = {kind = "number", type = "uint64_t"},
    },
    cn_profile = {
        count = {kind = "number", type = "int"},
        names = {kind = "inline_array", of = {kind = "string"}, length = 24, used = "count"},
        seconds = {kind = "inline_array", of = {kind = "number", type = "double"}, length = 24, used = "count"},
        total = {kind = "number", type = "double"},
    },
    cn_draw_vertex = {
        position = {kind = "struct", type = "vec2s"},
        color = {kind = "number", type = "uint32_t"},
    },
    cn_drawing = {
        triangles = {kind = "array", of = {kind = "struct", type = "cn_draw_vertex"}, counter = "triangle_vertices"},
        lines = {kind = "array", of = {kind = "struct", type = "cn_draw_vertex"}, counter = "line_vertices"},
        force_scale = {kind = "number", type = "float"},
    },
    cn_outline = {
        points = {kind = "array", of = {kind = "struct", type = "vec2s"}, counter = "count"},
    },
    cn_mtv = {
        overlap = {kind = "bool"},
        translation = {kind = "struct", type = "vec2s"},
    },
}

-- The same in their order.
local field_names = {
    vec2s = {"x", "y"},
    cn_rotation = {"c", "s"},
    cn_pose = {"position", "rotation"},
    cn_bounds = {"lower", "upper"},
    cn_body = {"id"},
    cn_shape = {"id"},
    cn_joint = {"id"},
    cn_chain = {"id"},
    cn_grid = {"id"},
    cn_allocator = {"allocate", "release", "user"},
    cn_task_system = {"start", "finish", "user"},
    cn_capacity = {"bodies", "shapes", "static_shapes", "joints", "contacts"},
    cn_world_def = {"gravity", "substeps", "threads", "lanes", "length_unit", "time_step", "max_steps", "linear_damping", "angular_damping", "tag", "no_sleep", "profiling", "move_events", "capacity", "allocator", "tasks", "user_data"},
    cn_tuning = {"slop", "speculative_margin", "box_margin", "anchor_distance", "anchor_angle", "push_speed", "hit_threshold", "sleep_speed", "sleep_time"},
    cn_hull = {"vertices", "normals", "radius", "count", "failure"},
    cn_material = {"friction", "restitution", "frictionless", "rolling_resistance", "surface_speed", "min_bounce_speed", "friction_mix", "restitution_mix"},
    cn_filter = {"category", "mask", "group"},
    cn_medium = {"density", "linear_drag", "angular_drag", "flow", "acceleration", "attraction", "floor"},
    cn_shape_def = {"hull", "density", "material", "filter", "massless", "no_collision", "hit_events", "no_touch_events", "custom_filter", "pre_solve", "sensor", "one_way", "medium", "user_data"},
    cn_body_def = {"type", "position", "angle", "velocity", "angular_velocity", "linear_damping", "angular_damping", "gravity_scale", "max_speed", "sleep_speed", "weightless", "lock_x", "lock_y", "lock_rotation", "bullet", "no_sleep", "asleep", "disabled", "shapes", "user_data"},
    cn_mass_data = {"mass", "inertia", "center"},
    cn_ray_hit = {"hit", "fraction", "point", "normal"},
    cn_chain_def = {"points", "closed", "material", "materials", "filter", "hit_events", "no_touch_events", "custom_filter", "pre_solve", "user_data"},
    cn_tile = {"solid", "form", "material", "one_way"},
    cn_grid_def = {"solid", "tiles", "width", "height", "tile_size", "origin", "material", "materials", "one_way", "filter", "user_data", "hit_events", "no_touch_events", "custom_filter", "pre_solve"},
    cn_coordinate = {"mode", "lower", "upper", "target", "hertz", "damping_ratio", "stiffness", "damping", "max_spring_force", "motor", "motor_speed", "max_motor_force", "ratchet"},
    cn_joint_def = {"a", "b", "frame_a", "frame_b", "x", "y", "angle", "polar", "collide_connected", "disabled", "break_force", "break_torque", "user_data", "failure"},
    cn_body_pair = {"a", "b"},
    cn_coupling = {"other", "axis", "other_axis", "ratio", "slack"},
    cn_side = {"body", "shape", "body_user_data", "shape_user_data", "grid", "tile", "chain", "segment"},
    cn_touch_event = {"a", "b", "point", "normal"},
    cn_sensor_event = {"sensor", "other"},
    cn_hit_event = {"a", "b", "point", "normal", "approach_speed", "impulse"},
    cn_body_event = {"body", "user_data", "change"},
    cn_move_event = {"body", "user_data", "pose", "fell_asleep"},
    cn_joint_event = {"joint", "user_data", "force", "torque"},
    cn_events = {"begins", "ends", "hits", "bodies", "broken", "sensor_begins", "sensor_ends", "moved"},
    cn_manifold_point = {"point", "separation", "id", "normal_impulse", "tangent_impulse"},
    cn_manifold = {"normal", "count", "points", "reference", "reference_edge", "incident_edge", "separation"},
    cn_contact = {"a", "b", "manifold", "friction", "restitution", "surface_speed"},
    cn_ground = {"found", "side", "point", "normal", "velocity"},
    cn_pre_solve_result = {"disabled", "changed", "friction", "restitution", "surface_speed"},
    cn_callbacks = {"filter", "pre_solve", "before_step", "user"},
    cn_query = {"category", "mask", "group", "ignore", "sensors", "any", "accept", "user"},
    cn_sweep = {"start", "center", "translation", "turn"},
    cn_world_hit = {"hit", "side", "fraction", "point", "normal"},
    cn_ray = {"origin", "translation"},
    cn_gap = {"distance", "normal", "point_a", "point_b"},
    cn_neighbor = {"found", "side", "gap"},
    cn_explosion = {"position", "radius", "falloff", "impulse_per_length", "query", "blocked"},
    cn_ride = {"body", "pose", "point", "surface_velocity", "teleports"},
    cn_move_def = {"up", "max_slope", "step_height", "snap_distance", "mass", "seconds", "drop_through", "ride", "query"},
    cn_push = {"side", "point", "impulse"},
    cn_move = {"pose", "grounded", "wall", "ceiling", "overlaps", "wall_normal", "ground", "ground_point", "ground_normal", "ground_velocity", "ride", "pushes", "sensors", "push_count", "sensor_count"},
    cn_difference = {"part", "body", "shape", "joint", "grid"},
    cn_recording_sink = {"write", "user"},
    cn_replay_position = {"call", "calls", "step", "steps", "complete"},
    cn_desync = {"found", "call", "step", "bodies", "slot", "body", "recorded", "replayed"},
    cn_body_state = {"body", "user_data", "pose", "asleep"},
    cn_energy = {"kinetic", "potential", "momentum_x", "momentum_y", "angular"},
    cn_counters = {"bodies", "awake_bodies", "shapes", "joints", "contacts", "touching", "sleeping_touching", "islands", "sleeping_islands", "batches", "colors", "lanes", "steps", "bytes", "allocations"},
    cn_profile = {"count", "names", "seconds", "total"},
    cn_draw_vertex = {"position", "color"},
    cn_drawing = {"triangles", "lines", "force_scale"},
    cn_outline = {"points"},
    cn_mtv = {"overlap", "translation"},
}

-- How many values an array of a struct needs.
local lengths = {
    cn_chain_def = {
        materials = function(s) return s.count - 1 + (s.closed and 1 or 0) end,
    },
    cn_grid_def = {
        solid = function(s) return s.width * s.height end,
        tiles = function(s) return s.width * s.height end,
    },
}

-- Structs of numbers: they stay structs of C.
local plain = {
    vec2s = true,
    cn_rotation = true,
    cn_pose = true,
    cn_bounds = true,
    cn_capacity = true,
    cn_tuning = true,
    cn_hull = true,
    cn_filter = true,
    cn_medium = true,
    cn_mass_data = true,
    cn_ray_hit = true,
    cn_manifold_point = true,
    cn_pre_solve_result = true,
    cn_sweep = true,
    cn_ray = true,
    cn_gap = true,
    cn_replay_position = true,
    cn_energy = true,
    cn_counters = true,
    cn_draw_vertex = true,
    cn_mtv = true,
}

--- Constants: cairn.MAX_VERTICES is CN_MAX_VERTICES.
cairn.VERSION_MAJOR = 0
cairn.VERSION_MINOR = 2
cairn.VERSION_PATCH = 0
cairn.VERSION = 200
cairn.MAX_VERTICES = 8
cairn.MAX_TILE_MATERIALS = 16
cairn.MAX_PUSHES = 8
cairn.MAX_MOVE_SENSORS = 16
cairn.MAX_STAGES = 24
cairn.MAX_OUTLINE_POINTS = 512

-- ----------------------------------------------------------------------------------------- errors

local error_kind = "none"
local callback_error

local this_file = debug.getinfo(1, "f").func
local this_source = debug.getinfo(1, "S").source

-- Raises an error at the line that called this module.
local function fail(message)
    local level, info = 2, debug.getinfo(2, "S")
    while info and (info.source == this_source or info.what == "C") do
        level = level + 1
        info = debug.getinfo(level, "S")
    end
    error(message, info and level or 0)
end

-- A hint stays: it is that of a step in which a callback makes this call. check_step() shows it.
local function raise()
    if C.cn_error_code() == C.CN_ERROR_HINT then return end
    error_kind = enums.cn_error_kind[tonumber(C.cn_error_code())]
    local text = ffi.string(C.cn_error())
    C.cn_error_clear()
    fail(text)
end

-- Shows the hint of a call that succeeded.
local function show_hint()
    if C.cn_error_code() ~= C.CN_ERROR_HINT then return end
    io.stderr:write(ffi.string(C.cn_error()), "\n")
    C.cn_error_clear()
end

-- Between two calls no error of this thread is set, so an error after a call is that of the call.
local function check()
    if C.cn_error_code() ~= 0 then raise() end
end

-- The same after a call that may have called functions of the user.
local function check_callbacks()
    if callback_error ~= nil then
        local message = callback_error
        callback_error = nil
        C.cn_error_clear()
        error(message, 0)
    end
    check()
end

-- The same after a call that takes steps.
local function check_step(done)
    if done and callback_error == nil then show_hint() end
    check_callbacks()
end

-- How many letters differ: left out, added, replaced, or swapped with the next one.
local function distance(a, b)
    local before, row = {}, {}
    for j = 0, #b do row[j] = j end
    for i = 1, #a do
        local above = row
        row = {[0] = i}
        for j = 1, #b do
            local x, y = a:sub(i, i), b:sub(j, j)
            row[j] = math.min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (x == y and 0 or 1))
            if i > 1 and j > 1 and x == b:sub(j - 1, j - 1) and a:sub(i - 1, i - 1) == y then
                row[j] = math.min(row[j], before[j - 2] + 1)
            end
        end
        before = above
    end
    return row[#b]
end

-- Raises the error of an unknown field. The keys of the tables are the known fields.
local function no_field(what, key, ...)
    local function plain_word(word) return (tostring(word):lower():gsub("_", "")) end
    local word = plain_word(key)
    local best, least = nil, math.max(1, math.floor(#word / 3)) + 1
    for _, known in ipairs{...} do
        for name in pairs(known) do
            local d = distance(word, plain_word(name))
            if d < least or d == least and best and name < best then best, least = name, d end
        end
    end
    local hint = best and (": did you mean '%s'?"):format(best) or ""
    fail(("%s has no field '%s'%s"):format(what, tostring(key), hint))
end

--- Returns the kind of the last error that this module raised: "none", "number", "handle", ...
function cairn.error_code() return error_kind end

-- ---------------------------------------------------------------------------------------- objects

local classes = {}

-- A class: methods, functions that get and set properties, and the names of fields that objects
-- may have.
local function class(name, ...)
    local methods, getters, setters, fields = {}, {}, {}, {}
    for _, key in ipairs{...} do fields[key] = true end
    local meta = {name = name, methods = methods, get = getters, set = setters}
    function meta.__index(self, key)
        local getter = getters[key]
        if getter then return getter(self) end
        local method = methods[key]
        if method == nil and not fields[key] then no_field(name:sub(4), key, getters, methods) end
        return method
    end
    function meta.__newindex(self, key, value)
        local setter = setters[key]
        if setter then return setter(self, value) end
        if not fields[key] then
            local is_known = getters[key] or methods[key]
            if is_known then fail(name:sub(4) .. "." .. key .. " cannot be set") end
            no_field(name:sub(4), key, setters, {data = true})
        end
        rawset(self, key, value)
    end
    classes[name] = meta
    return meta, methods, getters, setters
end

local World, world_methods, world_get, world_set =
    class("cn_world", "data", "pointer", "functions", "replay", "pose_capacity", "pose_array")
local Body, body_methods, body_get, body_set = class("cn_body", "data")
local Shape, shape_methods, shape_get, shape_set = class("cn_shape", "data")
local Joint, joint_methods, joint_get, joint_set = class("cn_joint", "data")
local Grid, grid_methods, grid_get, grid_set = class("cn_grid", "data")
local Chain, chain_methods, chain_get, chain_set = class("cn_chain", "data")
local Rollback, rollback_methods, rollback_get = class("cn_rollback", "pointer")
local Replay, replay_methods, replay_get = class("cn_replay", "pointer", "own_world")

-- The slot of a handle in its world: the low 24 bits.
local function slot_of(id) return tonumber(bit.band(id, 0xFFFFFFULL)) end

-- The text of an object: its class, its number and what details() says if it is not stale.
local function show(meta, details)
    local name = meta.name:sub(4, 4):upper() .. meta.name:sub(5)
    function meta.__tostring(self)
        local is_valid = self.world.pointer ~= nil and self.valid
        return ("%s(%d, %s)"):format(name, self.slot, is_valid and details(self) or "stale")
    end
end
for _, meta in ipairs{Body, Shape, Joint, Grid, Chain} do
    --- The slot of the object: the number in error texts, and the index of a body in world:poses().
    function meta.get.slot(self) return slot_of(self.id) end
end
show(Body, function(self) return ("%s, at %s"):format(self.type, tostring(self.position)) end)
show(Shape, function(self)
    return (self.sensor and "sensor, " or "") .. "of body " .. self.body.slot
end)
show(Joint, function(self)
    local bodies = self.bodies
    return ("of bodies %d and %d"):format(bodies.a.slot, bodies.b.slot)
end)
show(Grid, function(self)
    return ("%d x %d, of body %d"):format(self.width, self.height, self.body.slot)
end)
show(Chain, function(self) return "of body " .. self.body.slot end)
function World.__tostring(self)
    if self.pointer == nil then return "World(destroyed)" end
    local counters = self.counters
    return ("World(%d bodies, %d shapes, %d joints, step %d)"):format(
        counters.bodies, counters.shapes, counters.joints, tonumber(counters.steps))
end
function Rollback.__tostring(self)
    if self.pointer == nil then return "Rollback(destroyed)" end
    if self.newest < 0 then return "Rollback(empty)" end
    return ("Rollback(%d to %d)"):format(self.oldest, self.newest)
end
function Replay.__tostring(self)
    if self.pointer == nil then return "Replay(destroyed)" end
    local at = self.at
    return ("Replay(call %d of %d, step %d of %d)"):format(at.call, at.calls, at.step, at.steps)
end

-- Returns the object of a handle: the same one as before. An object whose slot is used again stays
-- known as long as the program refers to it, because a restored world may have it again.
local function object(world, kind, id)
    if id == 0 then return nil end
    local known, slot = world.objects[kind], slot_of(id)
    local present = known.live[slot]
    if present and present.id == id then return present end
    local key = tonumber(bit.rshift(id, 32)) * 0x1000000 + slot
    local self = known.stale[key]
    if not self then self = setmetatable({world = world, id = id}, classes[kind]) end
    if present then
        known.stale[tonumber(bit.rshift(present.id, 32)) * 0x1000000 + slot] = present
    end
    known.live[slot] = self
    return self
end

local function wrong(what, value)
    fail(("expected a %s, got %s"):format((what:gsub("^cn_", "")), type(value)))
end

-- The number in a handle; 0 for nil.
local function id_of(kind, value)
    if value == nil then return 0ULL end
    if getmetatable(value) ~= classes[kind] then wrong(kind, value) end
    return value.id
end

local function pointer_of(kind, value)
    if getmetatable(value) ~= classes[kind] then wrong(kind, value) end
    return value.pointer
end

-- --------------------------------------------------------------------------- from Lua values to C

local types = {}
for name in pairs(structs) do types[name] = ffi.typeof(name) end
local vec2 = types.vec2s

local function vec(value)
    if ffi.istype(vec2, value) then return value end
    if type(value) ~= "table" then wrong("vector {x, y}", value) end
    local x, y = value[1] or value.x, value[2] or value.y
    if type(x) ~= "number" or type(y) ~= "number" then fail("a vector needs two numbers") end
    return vec2(x, y)
end

local function enum(name, value)
    if type(value) == "number" then return value end
    return enums[name][value] or
        fail(("%s is not one of %s"):format(tostring(value), table.concat(enums[name].names, ", ")))
end

local function flags(name, ...)
    local sum = 0
    for _, value in ipairs{...} do sum = bit.bor(sum, enum(name, value)) end
    return sum
end

local make
-- Arrays that the structs of the current call point to.
local kept = {}

local function array(of, list)
    local count = #list
    local values
    if of.kind == "number" then
        values = ffi.new(ffi.typeof("$[?]", ffi.typeof(of.type)), count, list)
    else
        values = ffi.new(ffi.typeof("$[?]", types[of.type]), count)
        for i = 1, count do values[i - 1] = make(of.type, list[i]) end
    end
    kept[#kept + 1] = values
    return values, count
end

local callback -- returns the C function for a function of the user; below

-- Sets a field of a definition, by its kind.
local set_field = {
    number = function(s, key, _, value) s[key] = value end,
    bool = function(s, key, _, value) s[key] = value end,
    enum = function(s, key, field, value) s[key] = enum(field.type, value) end,
    struct = function(s, key, field, value) s[key] = make(field.type, value) end,
    handle = function(s, key, field, value) s[key].id = id_of(field.type, value) end,
    array = function(s, key, field, value)
        local values, count = array(field.of, value)
        s[key] = values
        if field.counter then s[field.counter] = count end
    end,
    inline_array = function(s, key, field, value)
        if #value > field.length then fail(key .. " has too many values") end
        for i, v in ipairs(value) do
            s[key][i - 1] = field.of.kind == "struct" and make(field.of.type, v) or v
        end
    end,
    callback = function(s, key, field, value) s[key] = callback(field.type, value, s) end,
    user = function(s, key, _, value) s[key] = value end,
    data = function() end,
}
for _, name in ipairs{"cn_body_def", "cn_shape_def", "cn_joint_def", "cn_chain_def", "cn_grid_def"} do
    structs[name].data = {kind = "data"}
end

local function fill(s, name, value)
    local fields = structs[name]
    for key, v in pairs(value) do
        local field = fields[key]
        if not field then no_field(name:sub(4), key, fields) end
        set_field[field.kind](s, key, field, v)
    end
    for key, length in pairs(lengths[name] or {}) do
        if value[key] and #value[key] ~= length(s) then
            fail(("%s.%s needs %d values"):format(name:sub(4), key, length(s)))
        end
    end
end

function make(name, value)
    if type(value) == "cdata" then
        if not ffi.istype(types[name], value) then wrong(name, value) end
        return value
    end
    if name == "vec2s" then return vec(value) end
    if name == "cn_rotation" and type(value) == "number" then return C.cn_rotation_of(value) end
    if type(value) ~= "table" then wrong(name, value) end
    if name == "cn_pose" and type(value[1]) == "number" then
        return C.cn_pose_at(vec(value), value[3] or 0)
    end
    local s = types[name]()
    fill(s, name, value)
    return s
end

-- ------------------------------------------------------------------------- from C to Lua values

local read

local function read_value(field, value, world)
    local kind = field.kind
    if kind == "struct" then return read(field.type, value, world) end
    if kind == "enum" then return enums[field.type][tonumber(value)] end
    if kind == "string" then return ffi.string(value) end
    if kind == "handle" then return object(world, field.type, value.id) end
    return value
end

local function show_value(value)
    if type(value) == "number" then return ("%.7g"):format(value) end
    if type(value) ~= "table" or getmetatable(value) then return tostring(value) end
    local items = {}
    for i, item in ipairs(value) do items[i] = show_value(item) end
    return "{" .. table.concat(items, ", ") .. "}"
end

-- Returns a function that makes the text of a struct.
local function show_fields(name)
    return function(value)
        local items = {}
        for i, key in ipairs(field_names[name]) do
            local field = structs[name][key]
            local item = value[key]
            if type(item) == "cdata" and field.kind == "inline_array" then item = "..." end
            items[i] = key .. "=" .. show_value(item)
        end
        return ("%s(%s)"):format(name:gsub("^cn_", ""), table.concat(items, ", "))
    end
end

-- The metatables of structs that are tables.
local struct_metas = {}
for name, fields in pairs(structs) do
    local short = name:gsub("^cn_", "")
    struct_metas[name] = {
        is_struct = true,
        __tostring = show_fields(name),
        __index = function(_, key)
            if not fields[key] then no_field(short, key, fields) end
        end,
        __newindex = function(self, key, value)
            if not fields[key] then no_field(short, key, fields) end
            rawset(self, key, value)
        end,
    }
end

-- Copies a struct. The copy is a struct if it has only numbers, else a table.
function read(name, value, world)
    local fields = structs[name]
    if plain[name] then return types[name](value) end
    local result = setmetatable({}, struct_metas[name])
    for key, field in pairs(fields) do
        if field.kind == "inline_array" then
            local list = {}
            for i = 1, field.used and value[field.used] or field.length do
                list[i] = read_value(field.of, value[key][i - 1], world)
            end
            result[key] = list
        elseif field.kind ~= "data" then
            result[key] = read_value(field, value[key], world)
        end
    end
    return result
end

local buffers = {}

-- Calls a function that writes up to `capacity` values until all fit, and returns them as a list.
local function list(of, world, call)
    local name = of.type
    local buffer = buffers[name]
    buffers[name] = nil -- a callback that calls this needs another buffer
    buffer = buffer or {capacity = 16, values = ffi.new(name .. "[16]")}
    local total = call(buffer.values, buffer.capacity)
    if total > buffer.capacity then
        buffer = {capacity = 2 * total, values = ffi.new(name .. "[?]", 2 * total)}
        total = call(buffer.values, buffer.capacity)
    end
    local result = {}
    for i = 1, total do result[i] = read_value(of, buffer.values[i - 1], world) end
    buffers[name] = buffer
    return result
end

local bytes_buffer, bytes_capacity = ffi.new("uint8_t[?]", 4096), 4096

-- The same for bytes, which become a string.
local function read_bytes(call)
    local size = tonumber(call(bytes_buffer, bytes_capacity))
    if size > bytes_capacity then
        bytes_capacity = 2 * size
        bytes_buffer = ffi.new("uint8_t[?]", bytes_capacity)
        size = tonumber(call(bytes_buffer, bytes_capacity))
    end
    return ffi.string(bytes_buffer, size)
end

-- -------------------------------------------------------------------------------------- callbacks

local worlds = setmetatable({}, {__mode = "v"}) -- by address
local recorded = {}                             -- numbers of the recordings; keeps their worlds
local writers = {}                              -- the functions of the recordings, by number
local error_hook

local function address(pointer) return tonumber(ffi.cast("uintptr_t", pointer)) end

-- Runs a function of the user. An error must not pass through C, so it is raised after the call.
local function guard(default, f, ...)
    local ok, result = pcall(f, ...)
    if ok then return result end
    if callback_error == nil then callback_error = result end
    return default
end

-- LuaJIT cannot pass structs by value to callbacks, or return them. So the callbacks are declared
-- as the machine passes structs. A cn_side is on the stack of x86-64, except on Windows; elsewhere
-- it is a pointer. A cn_pre_solve_result is returned in two registers, and a callback can set only
-- the first; on Windows it is written to a pointer.
local is_windows = ffi.os == "Windows"
local on_stack = ffi.arch == "x64" and not is_windows
local abi_ok = ffi.arch == "x64" or ffi.arch == "arm64"
local query_world  -- the world of the query that is prepared
local accepts = {} -- the accept() of each running query; its user pointer is the index
local outer = 0    -- how many of them belong to queries around the current one

local function pre_solve(world, contact)
    local self = worlds[address(world)]
    local result = guard(nil, self.functions.pre_solve, read("cn_contact", contact, self))
    return type(result) == "table" and result or {}
end

-- A C function for each callback of the API, made when it is first used. The number of callbacks is
-- limited, so all worlds share them.
local makers = {
    ["cn_callbacks.filter"] = function()
        return ffi.cast("bool (*)(cn_world *, uint64_t, uint64_t, void *)", function(world, a, b)
            local self = worlds[address(world)]
            return guard(true, self.functions.filter, object(self, "cn_shape", a),
                         object(self, "cn_shape", b)) and true or false
        end)
    end,
    ["cn_callbacks.pre_solve"] = function()
        if is_windows then
            return ffi.cast("cn_pre_solve_result *(*)(cn_pre_solve_result *, cn_world *, " ..
                "const cn_contact *, void *)", function(out, world, contact)
                    out[0] = make("cn_pre_solve_result", pre_solve(world, contact))
                    return out
                end)
        end
        return ffi.cast("uint64_t (*)(cn_world *, const cn_contact *, void *)",
            function(world, contact)
                local result = pre_solve(world, contact)
                for key in pairs(result) do
                    if key ~= "disabled" and callback_error == nil then
                        callback_error = "pre_solve can only return {disabled = true} in LuaJIT"
                    end
                end
                return result.disabled and 1 or 0
            end)
    end,
    ["cn_callbacks.before_step"] = function()
        return ffi.cast("void (*)(cn_world *, float, void *)", function(world, dt)
            local self = worlds[address(world)]
            guard(nil, self.functions.before_step, dt)
        end)
    end,
    ["cn_query.accept"] = function()
        local function accept(world, side, user)
            local before = outer
            outer = #accepts
            local result = guard(false, accepts[address(user)],
                                 read("cn_side", side[0], worlds[address(world)]))
            outer = before
            return result and true or false
        end
        if not on_stack then
            return ffi.cast("bool (*)(const cn_world *, const cn_side *, void *)", accept)
        end
        return ffi.cast("bool (*)(const cn_world *, void *, size_t, size_t, size_t, size_t, " ..
            "uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t)",
            function(world, user, _, _, _, _, ...)
                local side = ffi.new("uint64_t[6]", {...})
                return accept(world, ffi.cast("cn_side *", side), user)
            end)
    end,
    ["cn_recording_sink.write"] = function()
        return ffi.cast("bool (*)(const void *, size_t, void *)", function(bytes, size, user)
            local write = writers[address(user)]
            return guard(false, write, ffi.string(bytes, tonumber(size))) and true or false
        end)
    end,
    ["cn_error_set_hook.function"] = function()
        return ffi.cast("void (*)(int, const char *, void *)", function(kind, text)
            guard(nil, error_hook, enums.cn_error_kind[kind], ffi.string(text))
        end)
    end,
}

local made = {}

local function shared_callback(name)
    if not abi_ok and (name == "cn_callbacks.pre_solve" or name == "cn_query.accept") then
        fail(name:match("%.(.*)") .. " must be a C function on this machine")
    end
    made[name] = made[name] or makers[name]()
    return made[name]
end

function callback(name, f, s)
    if f == nil or type(f) == "cdata" then return f end
    if type(f) ~= "function" then wrong("function", f) end
    if not makers[name] then fail(name:match("%.(.*)") .. " must be a C function") end
    if name == "cn_query.accept" then
        if query_world.thread_count > 1 then fail("accept() in Lua needs a world of one thread") end
        accepts[#accepts + 1] = f
        s.user = ffi.cast("void *", #accepts)
    end
    return shared_callback(name)
end

-- Removes the accept() functions of a query that has ended.
local function forget_accepts()
    for i = #accepts, outer + 1, -1 do accepts[i] = nil end
end

-- Begins a query of a world.
local function begin_query(world)
    forget_accepts() -- of a query with wrong arguments, which did not end
    query_world = world
end

-- Compiled code must not call C functions that call back. As long as there is a recording or an
-- error hook, any call may call back, so LuaJIT interprets this module.
local interpreted = 0
local never_compiled = {}

local function interpret(change)
    local before = interpreted
    interpreted = interpreted + change
    if before == 0 and interpreted > 0 then
        jit.off(this_file, true)
        jit.flush()
    elseif before > 0 and interpreted == 0 then
        jit.on(this_file, true)
        for _, f in ipairs(never_compiled) do jit.off(f, true) end
    end
end

-- Marks a function that may call back.
local function calls_back(f)
    jit.off(f, true)
    never_compiled[#never_compiled + 1] = f
    return f
end

--- Calls function(kind, text) for every call that fails on this thread, before the error is raised.
--- nil removes it. The function must not call Cairn.
function cairn.error_set_hook(f)
    if (f ~= nil) ~= (error_hook ~= nil) then interpret(f and 1 or -1) end
    error_hook = f
    C.cn_error_set_hook(f and shared_callback("cn_error_set_hook.function") or nil, nil)
end

-- ------------------------------------------------------------------------------------------ worlds

local function known() return {live = {}, stale = setmetatable({}, {__mode = "v"})} end

local function threads_of(def) return def.tasks and 2 or def.threads or 1 end

local function new_world(pointer, def)
    local self = setmetatable({
        pointer = pointer,
        thread_count = threads_of(def),
        functions = {},
        rollbacks = setmetatable({}, {__mode = "k"}),
        objects = {cn_body = known(), cn_shape = known(), cn_joint = known(), cn_grid = known(),
                   cn_chain = known()},
    }, World)
    worlds[address(pointer)] = self
    return self
end

--- Creates a world from a definition: cairn.World{gravity = {0, -10}}. See cn_world_def.
function cairn.World(def)
    def = def or {}
    local pointer = C.cn_world_create(make("cn_world_def", def))
    check()
    return new_world(ffi.gc(pointer, C.cn_world_destroy), def)
end

-- Lua runs on one thread only.
local function check_callback(threads, name, f)
    if type(f) == "function" and threads > 1 and name ~= "before_step" then
        fail(name .. " in Lua needs a world of one thread")
    end
end

--- Creates a world in the state in bytes from world:save(). Of the definition it uses the
--- allocator, tasks, threads, lanes, profiling and move_events. `callbacks` has the filter, pre_solve
--- and before_step of the world that was saved. They may also be set before the next step.
function cairn.world_load(bytes, def, callbacks)
    def = def or {}
    local functions = {}
    for name, f in pairs(callbacks or {}) do
        check_callback(threads_of(def), name, f)
        functions[name] = f
    end
    local pointer = C.cn_world_load(make("cn_world_def", def), make("cn_callbacks", functions),
                                    bytes, #bytes)
    check()
    local self = new_world(ffi.gc(pointer, C.cn_world_destroy), def)
    self.functions = functions
    return self
end

local function forget_recording(self)
    if recorded[self] then
        writers[recorded[self]] = nil
        recorded[self] = nil
        interpret(-1)
    end
end

-- Rollbacks use their world, so they are destroyed before it.
local function destroy_rollbacks(self)
    for rollback in pairs(self.rollbacks) do rollback:destroy() end
end

--- Destroys the world and everything in it, and its rollbacks. A second call does nothing. The
--- garbage collector does the same, but does not know how much memory a world takes.
world_methods.destroy = calls_back(function(self)
    local pointer = self.pointer
    if pointer == nil or self.replay then return end
    self.pointer = nil
    destroy_rollbacks(self)
    C.cn_world_destroy(ffi.gc(pointer, nil))
    worlds[address(pointer)] = nil
    forget_recording(self)
end)

--- Advances the world by dt seconds, 0..1.
world_methods.step = calls_back(function(self, dt)
    check_step(C.cn_world_step(self.pointer, dt))
    return self
end)

--- Advances the world by the time of a frame in seconds, in whole steps. Returns the number of
--- steps.
world_methods.advance = calls_back(function(self, seconds)
    local steps = C.cn_world_advance(self.pointer, seconds)
    check_step(steps >= 0)
    return steps
end)

--- Advances many worlds by dt seconds each, on the threads of the first one. Worlds with callbacks
--- or a recording in Lua need a first world of one thread. Raises the error of the first world that
--- was not stepped; the others are stepped.
cairn.worlds_step = calls_back(function(list_of_worlds, dt)
    local count = #list_of_worlds
    local pointers, errors = ffi.new("cn_world *[?]", count), ffi.new("cn_error_kind[?]", count)
    for i, world in ipairs(list_of_worlds) do
        pointers[i - 1] = pointer_of("cn_world", world)
        if list_of_worlds[1].thread_count > 1 and (next(world.functions) or recorded[world]) then
            fail(("world %d has functions in Lua, which run on one thread only"):format(i))
        end
    end
    local stepped = C.cn_worlds_step(pointers, count, dt, errors)
    check_step(stepped == count)
    return stepped
end)

--- All callbacks as a table. Set: those that are left out are removed.
function world_get.callbacks(self)
    local c, functions = C.cn_world_callbacks(self.pointer), {}
    check()
    if c.filter == nil and c.pre_solve == nil and c.before_step == nil then return functions end
    for name, f in pairs(self.functions) do functions[name] = f end
    return functions
end

function world_set.callbacks(self, callbacks)
    local functions = {}
    for name, f in pairs(callbacks) do
        check_callback(self.thread_count, name, f)
        functions[name] = f
    end
    C.cn_world_set_callbacks(self.pointer, make("cn_callbacks", functions))
    check()
    self.functions = functions
end

for _, name in ipairs{"filter", "pre_solve", "before_step"} do
    world_get[name] = function(self) return self.functions[name] end
    world_set[name] = function(self, f)
        local functions = self.callbacks
        functions[name] = f
        self.callbacks = functions
    end
end

local function merge(def, changes)
    local result = {}
    for key, value in pairs(def) do result[key] = value end
    for key, value in pairs(changes) do
        local old = result[key]
        local is_part = type(old) == "table" and type(value) == "table" and
            (not getmetatable(old) or getmetatable(old).is_struct)
        result[key] = is_part and merge(old, value) or value
    end
    return result
end

local function create(self, kind, id, def)
    local result = object(self, kind, id)
    if def.data ~= nil then result.data = def.data end
    kept = {}
    return result
end

--- Creates a body. See cn_body_def. A shape of `shapes` is a hull, or a table like
--- {hull = cairn.box(1, 1), density = 2}. `data`, also that of a shape, is any value for the field of
--- that name.
function world_methods:create_body(def)
    local fields, shapes = {}, nil
    for key, value in pairs(def or {}) do fields[key] = value end
    if fields.shapes and #fields.shapes == 0 then fields.shapes = nil end
    if fields.shapes then
        shapes = {}
        for i, shape in ipairs(fields.shapes) do
            shapes[i] = type(shape) == "cdata" and {hull = shape} or shape
        end
        fields.shapes = shapes
    end
    local handle = C.cn_body_create(self.pointer, make("cn_body_def", fields))
    check()
    local body = create(self, "cn_body", handle.id, fields)
    if shapes then
        local i = 0
        for shape in body:shapes() do
            i = i + 1
            shape.data = shapes[i].data
        end
    end
    return body
end

--- Adds a shape, a hull with the properties of cn_shape_def. Returns the shape.
function body_methods:create_shape(hull, def)
    def = def or {}
    local c = make("cn_shape_def", def)
    c.hull = make("cn_hull", hull)
    local handle = C.cn_shape_create(self.world.pointer, self.id, c)
    check()
    return create(self.world, "cn_shape", handle.id, def)
end

--- Adds a chain of segments through a list of points, with the properties of cn_chain_def. Returns
--- the chain.
function body_methods:create_chain(points, def)
    def = def or {}
    local c = make("cn_chain_def", merge(def, {points = points}))
    local handle = C.cn_chain_create(self.world.pointer, self.id, c)
    kept = {}
    check()
    return create(self.world, "cn_chain", handle.id, def)
end

--- Adds a grid of tiles to a static body. See cn_grid_def: `solid` is a list of 0 and 1, `tiles` is
--- a list of tables like {solid = true, form = "rises_right"}. Returns the grid.
function body_methods:create_grid(def)
    local handle = C.cn_grid_create(self.world.pointer, self.id, make("cn_grid_def", def))
    check()
    return create(self.world, "cn_grid", handle.id, def)
end

--- Creates a joint from a definition such as cairn.revolute_joint(a, b, point), with changes to it:
--- world:create_joint(cairn.revolute_joint(wall, door, {2, 1}), {angle = {motor = true,
--- motor_speed = 1}}).
function world_methods:create_joint(def, changes)
    if changes then def = merge(def, changes) end
    local handle = C.cn_joint_create(self.pointer, make("cn_joint_def", def))
    check()
    return create(self, "cn_joint", handle.id, def)
end

-- Properties that C sets together with others.
function body_set.angle(self, value) self.pose = {position = self.pose.position, rotation = value} end
for _, set in ipairs{world_set, body_set} do
    function set.linear_damping(self, value) self:set_damping(value, self.angular_damping) end
    function set.angular_damping(self, value) self:set_damping(self.linear_damping, value) end
end
function joint_set.break_force(self, value) self:set_break(value, self.break_torque) end
function joint_set.break_torque(self, value) self:set_break(self.break_force, value) end

-- --------------------------------------------------------------------------------------- iteration

-- An iterator over a list of objects. It skips those that the loop has destroyed.
local function each(objects)
    local i = 0
    return function()
        repeat
            i = i + 1
        until objects[i] == nil or objects[i].valid
        return objects[i]
    end
end

-- for body in world:bodies() do ... end, in the order of next_object(id). The loop may destroy
-- objects.
local function collect(world, kind, next_object)
    local found, handle = {}, next_object(0ULL)
    while handle.id ~= 0 do
        found[#found + 1] = object(world, kind, handle.id)
        handle = next_object(handle.id)
    end
    check()
    return each(found)
end

-- ------------------------------------------------------------------------------- events and results

local events_meta, events_fields = {}, structs.cn_events
function events_meta.__index(self, key)
    local field = events_fields[key]
    if not field or field.kind ~= "array" then no_field("events", key, events_fields) end
    local world = self.world
    local events = C.cn_world_events(world.pointer)
    check()
    local result = {}
    for i = 1, events[field.counter] do
        result[i] = read(field.of.type, events[key][i - 1], world)
    end
    return result
end

function events_meta.__newindex() fail("events cannot be set") end
function events_meta.__tostring(self)
    if self.world.pointer == nil then return "events(destroyed)" end
    local counts = {}
    for _, key in ipairs(field_names.cn_events) do
        if #self[key] > 0 then counts[#counts + 1] = ("%d %s"):format(#self[key], key) end
    end
    return ("events(%s)"):format(counts[1] and table.concat(counts, ", ") or "none")
end

--- The events of the last step as lists of tables: world.events.begins, .ends, .hits, .bodies,
--- .broken, .sensor_begins, .sensor_ends, .moved. See cn_events.
function world_get.events(self) return setmetatable({world = self}, events_meta) end

--- Returns the poses of all bodies as an array of floats, and the number of slots. Each slot has x,
--- y, cosine and sine; the x of a body is poses[4 * body.slot]. The next call reuses the array.
function world_methods:poses(drawn)
    local capacity = rawget(self, "pose_capacity") or 0
    local count = C.cn_world_poses(self.pointer, ffi.cast("cn_pose *", rawget(self, "pose_array")),
                                   capacity, drawn or false)
    if count > capacity then
        self.pose_capacity = 2 * count
        self.pose_array = ffi.new("float[?]", 8 * count)
        count = C.cn_world_poses(self.pointer, ffi.cast("cn_pose *", self.pose_array), 2 * count,
                                 drawn or false)
    end
    check()
    return rawget(self, "pose_array"), count
end

--- Makes a drawing for debugging: world:draw("shapes", "contacts"). Returns a cn_drawing with the
--- arrays .triangles and .lines, which count from 0 and are valid until the world changes.
function world_methods:draw(...)
    local drawing = ffi.new("cn_drawing")
    C.cn_world_draw(self.pointer, flags("cn_draw_flags", ...), drawing)
    check()
    return drawing
end

--- Cuts a concave outline into convex hulls. `outlines` is a list of points, or a list of outlines:
--- the first is the outer one, and the others are holes. `radius` (m, default 0) rounds the hulls.
function cairn.outline_decompose(outlines, radius)
    local first = outlines[1]
    if ffi.istype(vec2, first) or type(first) == "table" and type(first[1] or first.x) == "number" then
        outlines = {outlines}
    end
    local count = #outlines
    local c = ffi.new("cn_outline[?]", count)
    for i, points in ipairs(outlines) do
        c[i - 1].points, c[i - 1].count = array({kind = "struct", type = "vec2s"}, points)
    end
    local hulls = list({kind = "struct", type = "cn_hull"}, nil, function(values, capacity)
        return C.cn_outline_decompose(c, count, radius or 0, values, capacity)
    end)
    kept = {}
    check()
    return hulls
end

-- ------------------------------------------------------------------- saving, rewinding, recordings

--- Keeps the last states of the world in memory, up to `frames` (1..65536). Returns a rollback with
--- :keep(number), :rewind(number), .oldest, .newest and :destroy().
function world_methods:create_rollback(frames)
    local pointer = C.cn_rollback_create(self.pointer, frames)
    check()
    pointer = ffi.gc(pointer, C.cn_rollback_destroy)
    local rollback = setmetatable({world = self, pointer = pointer}, Rollback)
    self.rollbacks[rollback] = true
    return rollback
end

--- Destroys the rollback. A second call does nothing.
function rollback_methods:destroy()
    local pointer = self.pointer
    if pointer == nil then return end
    self.pointer = nil
    C.cn_rollback_destroy(ffi.gc(pointer, nil))
end

--- Begins to record the calls on the world: write(bytes) gets strings to append and returns true.
--- write() must not call Cairn. Until the recording ends, LuaJIT interprets this module.
world_methods.begin_recording = calls_back(function(self, write)
    local number = #writers + 1
    writers[number] = write
    interpret(1)
    local sink = ffi.new("cn_recording_sink")
    sink.write = shared_callback("cn_recording_sink.write")
    sink.user = ffi.cast("void *", number)
    local is_recorded = C.cn_recording_begin(self.pointer, sink)
    if is_recorded then
        recorded[self] = number
    else
        writers[number] = nil
        interpret(-1)
    end
    check_callbacks()
    return self
end)

--- Ends the recording.
world_methods.end_recording = calls_back(function(self)
    C.cn_recording_end(self.pointer)
    forget_recording(self)
    check_callbacks()
    return self
end)

--- Returns a copy of a recording without the calls i for which kept_calls[i + 1] is false. The list
--- has a value for each call.
function cairn.recording_cut(bytes, kept_calls)
    local count = #kept_calls
    local flags_of_calls = ffi.new("uint8_t[?]", count)
    for i, is_kept in ipairs(kept_calls) do flags_of_calls[i - 1] = is_kept and 1 or 0 end
    local cut = read_bytes(function(buffer, capacity)
        return C.cn_recording_cut(bytes, #bytes, flags_of_calls, count, buffer, capacity)
    end)
    check()
    return cut
end

--- Creates a replay of a recording, which is a string. `def` is used as in cairn.world_load().
function cairn.Replay(bytes, def)
    local pointer = C.cn_replay_create(make("cn_world_def", def or {}), bytes, #bytes)
    check()
    return setmetatable({bytes = bytes, pointer = ffi.gc(pointer, C.cn_replay_destroy)}, Replay)
end

--- Destroys the replay with its world. A second call does nothing.
function replay_methods:destroy()
    local pointer, world = self.pointer, rawget(self, "own_world")
    if pointer == nil then return end
    self.pointer = nil
    if world then
        world.pointer = nil
        destroy_rollbacks(world)
    end
    C.cn_replay_destroy(ffi.gc(pointer, nil))
end

--- The world of the replay, to draw and read it. It belongs to the replay.
function replay_get.world(self)
    local pointer = C.cn_replay_world(self.pointer)
    check()
    local world = rawget(self, "own_world")
    if not world then
        world = new_world(pointer, {})
        world.replay = self
        self.own_world = world
    end
    return world
end

--- The next call and its arguments as text; "" after the last call.
function replay_get.text(self)
    local text = C.cn_replay_text(self.pointer)
    check()
    return ffi.string(text)
end

-- ------------------------------------------------------------------- functions made from api.json

local rotation_methods, pose_methods, bounds_methods, hull_methods, sweep_methods = {}, {}, {}, {}, {}

-- ---- the module
do

--- Returns the CN_VERSION of the library that the program runs with.
function cairn.version()
    local result = C.cn_version()
    check()
    return result
end

--- Returns a hash of all functions, structs, enums and constants of this header, without the
--- version. A binding or a program that loads the library compares it with the "hash" of api.json.
function cairn.api_hash()
    local result = C.cn_api_hash()
    check()
    return result
end

--- Returns the rotation by any finite angle in radians, the same bits on every machine.
function cairn.rotation_of(angle)
    local result = C.cn_rotation_of(angle)
    check()
    return result
end

--- Returns the pose at a position, turned by an angle in radians.
function cairn.pose_at(position, angle)
    local result = C.cn_pose_at(vec(position), angle)
    check()
    return result
end

--- These calls make hulls. Sizes are positive, up to 1e9.
--- 0: a point, for queries and distances, but not for shapes
function cairn.circle(radius)
    local result = C.cn_circle(radius)
    check()
    return result
end

--- p and q apart
function cairn.capsule(p, q, radius)
    local result = C.cn_capsule(vec(p), vec(q), radius)
    check()
    return result
end

--- no mass: for static and kinematic bodies, as a rule
function cairn.segment(p, q)
    local result = C.cn_segment(vec(p), vec(q))
    check()
    return result
end

function cairn.box(half_width, half_height)
    local result = C.cn_box(half_width, half_height)
    check()
    return result
end

--- The radius lies outside of the half extents.
function cairn.rounded_box(half_width, half_height, radius)
    local result = C.cn_rounded_box(half_width, half_height, radius)
    check()
    return result
end

--- Makes the convex hull of any points; close points are welded. Fails if fewer than 3 points are
--- left, if they lie on a line, or if the hull has more than 8 vertices. The radius may be 0.
function cairn.polygon(points, radius)
    local points_values, points_count = array({kind = "struct", type = "vec2s"}, points)
    local result = C.cn_polygon(points_values, points_count, radius)
    kept = {}
    check()
    return result
end

--- Makes a regular polygon of 3 to 8 corners on a circle. The first corner lies on the x axis.
function cairn.regular_polygon(corners, circumradius)
    local result = C.cn_regular_polygon(corners, circumradius)
    check()
    return result
end

--- A hinge at a point.
function cairn.revolute_joint(a, b, point)
    local result = C.cn_revolute_joint(a.world.pointer, id_of("cn_body", a), id_of("cn_body", b), vec(point))
    check()
    return read("cn_joint_def", result, a.world)
end

--- Slides along an axis (any length except 0) that moves with a: x is free.
function cairn.prismatic_joint(a, b, point, axis)
    local result = C.cn_prismatic_joint(a.world.pointer, id_of("cn_body", a), id_of("cn_body", b), vec(point), vec(axis))
    check()
    return read("cn_joint_def", result, a.world)
end

--- Rigid. For a soft weld, set the modes to CN_FREE and give springs.
function cairn.weld_joint(a, b, point)
    local result = C.cn_weld_joint(a.world.pointer, id_of("cn_body", a), id_of("cn_body", b), vec(point))
    check()
    return read("cn_joint_def", result, a.world)
end

--- A wheel b on a car a: turns freely, and x, along the axis, is a spring of 4 Hz with a damping
--- ratio of 0.7. The spring has no stops. To add stops, set .x.mode to CN_LIMITED.
function cairn.wheel_joint(a, b, point, axis)
    local result = C.cn_wheel_joint(a.world.pointer, id_of("cn_body", a), id_of("cn_body", b), vec(point), vec(axis))
    check()
    return read("cn_joint_def", result, a.world)
end

--- A bar between two points, as long as the points are apart now.
function cairn.distance_joint(a, b, point_a, point_b)
    local result = C.cn_distance_joint(a.world.pointer, id_of("cn_body", a), id_of("cn_body", b), vec(point_a), vec(point_b))
    check()
    return read("cn_joint_def", result, a.world)
end

--- Keeps two points at most as far apart as they are now.
function cairn.rope_joint(a, b, point_a, point_b)
    local result = C.cn_rope_joint(a.world.pointer, id_of("cn_body", a), id_of("cn_body", b), vec(point_a), vec(point_b))
    check()
    return read("cn_joint_def", result, a.world)
end

--- A spring of 2 Hz without damping between two points, at rest as they are now.
function cairn.spring_joint(a, b, point_a, point_b)
    local result = C.cn_spring_joint(a.world.pointer, id_of("cn_body", a), id_of("cn_body", b), vec(point_a), vec(point_b))
    check()
    return read("cn_joint_def", result, a.world)
end

--- For dragging: pulls a point of b softly towards a point of a. The two bodies collide. Move the
--- point of a with cn_joint_set_anchor(world, joint, CN_A, point).
function cairn.mouse_joint(a, b, point)
    local result = C.cn_mouse_joint(a.world.pointer, id_of("cn_body", a), id_of("cn_body", b), vec(point))
    check()
    return read("cn_joint_def", result, a.world)
end

--- Keeps b at rest relative to a, at b's centre of mass, with at most this force and torque (0:
--- unlimited). Set speeds to drive b. The two bodies collide.
function cairn.motor_joint(a, b, max_force, max_torque)
    local result = C.cn_motor_joint(a.world.pointer, id_of("cn_body", a), id_of("cn_body", b), max_force, max_torque)
    check()
    return read("cn_joint_def", result, a.world)
end

--- Only keeps a and b from colliding.
function cairn.filter_joint(a, b)
    local result = C.cn_filter_joint(a.world.pointer, id_of("cn_body", a), id_of("cn_body", b))
    check()
    return read("cn_joint_def", result, a.world)
end

--- Return the event with the body as side a. If the body is side b, the two sides change places, and
--- the normal turns round. Fail, and return all zeros, if the body is neither side.
function cairn.touch_event_seen_from(event, body)
    local result = C.cn_touch_event_seen_from(make("cn_touch_event", event), id_of("cn_body", body))
    check()
    return read("cn_touch_event", result, body.world)
end

function cairn.hit_event_seen_from(event, body)
    local result = C.cn_hit_event_seen_from(make("cn_hit_event", event), id_of("cn_body", body))
    check()
    return read("cn_hit_event", result, body.world)
end

--- Returns the side that is not the body. Fails like the functions above.
function cairn.sensor_event_other_side(event, body)
    local result = C.cn_sensor_event_other_side(make("cn_sensor_event", event), id_of("cn_body", body))
    check()
    return read("cn_side", result, body.world)
end

--- Returns the contact with the body as side a. If the body is side b, the two sides change places,
--- and the normal turns round. Fails, and returns all zeros, if the body is neither side.
function cairn.contact_seen_from(contact, body)
    local result = C.cn_contact_seen_from(make("cn_contact", contact), id_of("cn_body", body))
    check()
    return read("cn_contact", result, body.world)
end
end

-- ---- world
do

--- Returns where the drawn poses are between the last two steps, 0..1.
function world_get.interpolation(self)
    local result = C.cn_world_interpolation(self.pointer)
    check()
    return result
end

--- Wakes everything. Also changes tuning.push_speed, unless you have set that.
function world_set.gravity(self, value)
    C.cn_world_set_gravity(self.pointer, vec(value))
    check()
end

function world_get.gravity(self)
    local result = C.cn_world_gravity(self.pointer)
    check()
    return result
end

--- 1..64; wakes nothing
function world_set.substeps(self, value)
    C.cn_world_set_substeps(self.pointer, value)
    check()
end

function world_get.substeps(self)
    local result = C.cn_world_substeps(self.pointer)
    check()
    return result
end

--- true wakes everything
function world_set.no_sleep(self, value)
    C.cn_world_set_no_sleep(self.pointer, value)
    check()
end

function world_get.no_sleep(self)
    local result = C.cn_world_no_sleep(self.pointer)
    check()
    return result
end

--- Switches move events on or off, from the next step on. Fails only if memory is short.
function world_set.move_events(self, value)
    C.cn_world_set_move_events(self.pointer, value)
    check()
end

function world_get.move_events(self)
    local result = C.cn_world_move_events(self.pointer)
    check()
    return result
end

--- Sets the damping that is added to that of each body, in 1/s. Wakes nothing.
function world_methods:set_damping(linear, angular)
    C.cn_world_set_damping(self.pointer, linear, angular)
    check()
    return self
end

function world_get.linear_damping(self)
    local result = C.cn_world_linear_damping(self.pointer)
    check()
    return result
end

function world_get.angular_damping(self)
    local result = C.cn_world_angular_damping(self.pointer)
    check()
    return result
end

function world_set.user_data(self, value)
    C.cn_world_set_user_data(self.pointer, value)
    check()
end

function world_get.user_data(self)
    local result = C.cn_world_user_data(self.pointer)
    check()
    return result
end

--- Return values of the definition, or of the saved state; defaults are filled in.
--- 1 if this platform has no threads
function world_get.threads(self)
    local result = C.cn_world_threads(self.pointer)
    check()
    return result
end

function world_get.time_step(self)
    local result = C.cn_world_time_step(self.pointer)
    check()
    return result
end

function world_get.max_steps(self)
    local result = C.cn_world_max_steps(self.pointer)
    check()
    return result
end

function world_get.length_unit(self)
    local result = C.cn_world_length_unit(self.pointer)
    check()
    return result
end

function world_get.tag(self)
    local result = C.cn_world_tag(self.pointer)
    check()
    return result
end

--- Returns the greatest numbers of objects so far, including shapes of tiles. Use it as .capacity of
--- a world like this one. They are not saved, and restoring a state does not lower them.
function world_get.peak_capacity(self)
    local result = C.cn_world_peak_capacity(self.pointer)
    check()
    return result
end

--- Returns the tight box of all shapes and grids of the world; zeros if there are none.
function world_get.bounds(self)
    local result = C.cn_world_bounds(self.pointer)
    check()
    return result
end

--- Makes a point of the world the new origin: everything moves by minus `origin`. Floats are finest
--- near the origin, so in a large world call it when the player is, say, 1000 m away from it. Wakes
--- nothing and raises no events. The points of the last step's events are shifted, too. Shift the
--- coordinates that you keep yourself, including the arrays of an earlier cn_world_events(). Fails
--- if a coordinate of `origin`, or the new position of a body, is beyond 1e9.
function world_methods:shift_origin(origin)
    C.cn_world_shift_origin(self.pointer, vec(origin))
    check()
    return self
end

function world_get.tuning(self)
    local result = C.cn_world_tuning(self.pointer)
    check()
    return result
end

--- wakes everything
function world_set.tuning(self, value)
    C.cn_world_set_tuning(self.pointer, make("cn_tuning", value))
    check()
end

--- Null gives the first object, and the last object gives null. Objects of a world come in slot
--- order, shapes and chains of a body in the order of their creation. Shapes of tiles are skipped.
function world_methods:bodies()
    return collect(self, "cn_body", function(id) return C.cn_world_next_body(self.pointer, id) end)
end

function world_methods:shapes()
    return collect(self, "cn_shape", function(id) return C.cn_world_next_shape(self.pointer, id) end)
end

function world_methods:joints()
    return collect(self, "cn_joint", function(id) return C.cn_world_next_joint(self.pointer, id) end)
end

function world_methods:chains()
    return collect(self, "cn_chain", function(id) return C.cn_world_next_chain(self.pointer, id) end)
end

--- Return the object in a slot. Error texts name objects by their slots. The handle is null if the
--- slot is empty or has the shape of a tile. Fails if the slot is not in 0..16777214.
function world_methods:body_in_slot(slot)
    local result = C.cn_world_body_in_slot(self.pointer, slot)
    check()
    return object(self, "cn_body", result.id)
end

function world_methods:shape_in_slot(slot)
    local result = C.cn_world_shape_in_slot(self.pointer, slot)
    check()
    return object(self, "cn_shape", result.id)
end

function world_methods:joint_in_slot(slot)
    local result = C.cn_world_joint_in_slot(self.pointer, slot)
    check()
    return object(self, "cn_joint", result.id)
end

function world_methods:grid_in_slot(slot)
    local result = C.cn_world_grid_in_slot(self.pointer, slot)
    check()
    return object(self, "cn_grid", result.id)
end

function world_methods:chain_in_slot(slot)
    local result = C.cn_world_chain_in_slot(self.pointer, slot)
    check()
    return object(self, "cn_chain", result.id)
end

--- Writes the touching contacts, of sleeping bodies too. A second point that is farther apart than
--- tuning.speculative_margin is left out; its normal impulse counts for the first point.
function world_methods:contacts()
    local result = list({kind = "struct", type = "cn_contact"}, self, function(values, capacity)
        return C.cn_world_contacts(self.pointer, values, capacity)
    end)
    check()
    return result
end

--- Finds the nearest hit of a ray. If several hits have the same fraction, the shape with the lowest
--- slot wins, and shapes come before tiles.
world_methods.cast_ray = calls_back(function(self, origin, translation, query)
    begin_query(self)
    local result = C.cn_world_cast_ray(self.pointer, vec(origin), vec(translation), query and make("cn_query", query) or nil)
    forget_accepts()
    check_callbacks()
    return read("cn_world_hit", result, self)
end)

--- Writes all shapes and tiles that a ray hits, by fraction, then by slot. query->any is ignored.
world_methods.cast_ray_all = calls_back(function(self, origin, translation, query)
    begin_query(self)
    local argument1 = vec(origin)
    local argument2 = vec(translation)
    local argument3 = query and make("cn_query", query) or nil
    local result = list({kind = "struct", type = "cn_world_hit"}, self, function(values, capacity)
        return C.cn_world_cast_ray_all(self.pointer, argument1, argument2, argument3, values, capacity)
    end)
    forget_accepts()
    check_callbacks()
    return result
end)

--- Writes the nearest hit of each of many rays, in the order of the rays, on the threads of the
--- world. If an argument is bad, it returns false and writes no hit.
world_methods.cast_rays = calls_back(function(self, rays, query)
    begin_query(self)
    local rays_values, rays_count = array({kind = "struct", type = "cn_ray"}, rays)
    local values = ffi.new("cn_world_hit[?]", rays_count)
    C.cn_world_cast_rays(self.pointer, rays_values, rays_count, query and make("cn_query", query) or nil, values)
    kept = {}
    forget_accepts()
    check_callbacks()
    local result = {}
    for i = 1, rays_count do
        result[i] = read("cn_world_hit", values[i - 1], self)
    end
    return result
end)

--- Finds the first shape or tile that a hull touches on a sweep. Point and normal are on the shape.
world_methods.cast_hull = calls_back(function(self, hull, sweep, query)
    begin_query(self)
    local result = C.cn_world_cast_hull(self.pointer, make("cn_hull", hull), make("cn_sweep", sweep), query and make("cn_query", query) or nil)
    forget_accepts()
    check_callbacks()
    return read("cn_world_hit", result, self)
end)

--- Writes all shapes, then all tiles, that overlap or touch a hull at a pose, by slot.
world_methods.overlap = calls_back(function(self, hull, pose, query)
    begin_query(self)
    local argument1 = make("cn_hull", hull)
    local argument2 = make("cn_pose", pose)
    local argument3 = query and make("cn_query", query) or nil
    local result = list({kind = "struct", type = "cn_side"}, self, function(values, capacity)
        return C.cn_world_overlap(self.pointer, argument1, argument2, argument3, values, capacity)
    end)
    forget_accepts()
    check_callbacks()
    return result
end)

--- The same for shapes whose tight axis-aligned boxes overlap a box: cheaper and less exact.
world_methods.overlap_bounds = calls_back(function(self, bounds, query)
    begin_query(self)
    local argument1 = make("cn_bounds", bounds)
    local argument2 = query and make("cn_query", query) or nil
    local result = list({kind = "struct", type = "cn_side"}, self, function(values, capacity)
        return C.cn_world_overlap_bounds(self.pointer, argument1, argument2, values, capacity)
    end)
    forget_accepts()
    check_callbacks()
    return result
end)

--- The same for shapes that contain a point. Points on the edge count.
world_methods.overlap_point = calls_back(function(self, point, query)
    begin_query(self)
    local argument1 = vec(point)
    local argument2 = query and make("cn_query", query) or nil
    local result = list({kind = "struct", type = "cn_side"}, self, function(values, capacity)
        return C.cn_world_overlap_point(self.pointer, argument1, argument2, values, capacity)
    end)
    forget_accepts()
    check_callbacks()
    return result
end)

--- Finds the shape nearest to a hull at a pose, at a distance of at most `max_distance` (>= 0). If
--- several overlap the hull, it is the one that overlaps deepest. For a point use cn_circle(0).
world_methods.nearest = calls_back(function(self, hull, pose, max_distance, query)
    begin_query(self)
    local result = C.cn_world_nearest(self.pointer, make("cn_hull", hull), make("cn_pose", pose), max_distance, query and make("cn_query", query) or nil)
    forget_accepts()
    check_callbacks()
    return read("cn_neighbor", result, self)
end)

--- Applies the impulses of an explosion at once, as cn_body_apply_impulse_at() does. Returns the
--- number of bodies that got one and wakes these bodies. Bodies that are out of reach, completely
--- shielded, disabled or not dynamic get none. Fails, and pushes no body, if a velocity would be
--- beyond 1e9 or if memory is short.
world_methods.explode = calls_back(function(self, explosion)
    begin_query(self)
    local result = C.cn_world_explode(self.pointer, make("cn_explosion", explosion))
    forget_accepts()
    check_callbacks()
    return result
end)

--- Moves a hull by a translation, in m. `def` may be NULL: all zero. Allocates nothing. If an
--- argument is bad, the call returns the pose unchanged and all else zero.
world_methods.move_hull = calls_back(function(self, hull, pose, translation, def)
    begin_query(self)
    local result = C.cn_world_move_hull(self.pointer, make("cn_hull", hull), make("cn_pose", pose), vec(translation), def and make("cn_move_def", def) or nil)
    forget_accepts()
    check_callbacks()
    return read("cn_move", result, self)
end)

--- Writes the state to an array. Returns the size of the bytes. If this is more than the capacity,
--- the array has no valid state. Returns 0 if memory is short, or in filter, pre_solve and accept().
function world_methods:save(parts)
    local argument1 = enum("cn_save_parts", parts)
    local result = read_bytes(function(values, capacity)
        return C.cn_world_save(self.pointer, argument1, values, capacity)
    end)
    check()
    return result
end

--- Sets the world to the state in bytes from cn_world_save(), also from another world. The bytes may
--- come from an untrusted source: all of them are checked before the world changes. Fails if memory
--- is short, if the bytes are damaged, if their scenery is missing and the world has another one, or
--- in before_step. If move events are on, the next step raises one for every body.
function world_methods:restore(bytes)
    C.cn_world_restore(self.pointer, bytes, #bytes)
    check()
    return self
end

--- Compares two worlds. Ignores user data, tags, and the time that cn_world_advance() keeps for its
--- next call. If the same objects were created in another order, the worlds differ. Fails, with
--- CN_PART_NONE, if a world is NULL, or in filter, pre_solve and accept().
function world_methods:compare(b)
    local result = C.cn_world_compare(self.pointer, pointer_of("cn_world", b))
    check()
    return read("cn_difference", result, self)
end

--- Writes all bodies in slot order, with drawn poses if `drawn`.
function world_methods:body_states(drawn)
    local result = list({kind = "struct", type = "cn_body_state"}, self, function(values, capacity)
        return C.cn_world_body_states(self.pointer, values, capacity, drawn)
    end)
    check()
    return result
end

--- Returns the sums over all dynamic bodies, in double precision.
function world_get.energy(self)
    local result = C.cn_world_energy(self.pointer)
    check()
    return result
end

function world_get.counters(self)
    local result = C.cn_world_counters(self.pointer)
    check()
    return result
end

function world_set.profiling(self, value)
    C.cn_world_set_profiling(self.pointer, value)
    check()
end

function world_get.profiling(self)
    local result = C.cn_world_profiling(self.pointer)
    check()
    return result
end

--- zeros while profiling is off
function world_get.profile(self)
    local result = C.cn_world_profile(self.pointer)
    check()
    return read("cn_profile", result, self)
end

--- Returns a hash of the state of the world, to compare two runs, also on different machines. Not
--- included are user data, tags, callbacks, and the time that cn_world_advance() keeps.
--- Part: snapshot.
function world_get.hash(self)
    local result = C.cn_world_hash(self.pointer)
    check()
    return result
end
end

-- ---- body
do

--- Destroys a body with its shapes, chains, joints and grids. Wakes its neighbours.
function body_methods:destroy()
    C.cn_body_destroy(self.world.pointer, self.id)
    check()
end

function body_get.valid(self)
    local result = C.cn_body_valid(self.world.pointer, self.id)
    check()
    return result
end

function body_get.type(self)
    local result = C.cn_body_type(self.world.pointer, self.id)
    check()
    return enums.cn_motion_type[tonumber(result)]
end

--- Changes the type. Velocities stay; those of a static body become 0. Wakes its neighbours. Fails
--- if the body has a grid of tiles, or if it would be dynamic and all its shapes have no mass.
function body_set.type(self, value)
    C.cn_body_set_type(self.world.pointer, self.id, enum("cn_motion_type", value))
    check()
end

--- Poses and positions are those of the body's origin.
function body_get.pose(self)
    local result = C.cn_body_pose(self.world.pointer, self.id)
    check()
    return result
end

function body_get.position(self)
    local result = C.cn_body_position(self.world.pointer, self.id)
    check()
    return result
end

--- -pi..pi
function body_get.angle(self)
    local result = C.cn_body_angle(self.world.pointer, self.id)
    check()
    return result
end

--- centre of mass, world
function body_get.center(self)
    local result = C.cn_body_center(self.world.pointer, self.id)
    check()
    return result
end

--- Teleports the body: it hits nothing on the way and keeps its velocity. Wakes it, and its
--- neighbours at the old and the new place.
function body_set.pose(self, value)
    C.cn_body_set_pose(self.world.pointer, self.id, make("cn_pose", value))
    check()
end

--- Teleports the body like cn_body_set_pose(). Its rotation stays, bit for bit.
function body_set.position(self, value)
    C.cn_body_set_position(self.world.pointer, self.id, vec(value))
    check()
end

--- Returns the pose between the last two steps, for drawing with cn_world_advance(). After
--- cn_world_step() it is the pose itself. cn_world_body_states() writes the poses of all bodies.
function body_get.drawn_pose(self)
    local result = C.cn_body_drawn_pose(self.world.pointer, self.id)
    check()
    return result
end

--- Gives a kinematic body the velocities that take it to a pose in `seconds` (> 0), by the shorter
--- turn. The body keeps them, so call this before every step (see "callbacks"), or stop it when it
--- arrives. Wakes the neighbours of a body that moves. Fails if the body is not kinematic.
function body_methods:set_target(target, seconds)
    C.cn_body_set_target(self.world.pointer, self.id, make("cn_pose", target), seconds)
    check()
    return self
end

--- Linear velocities are those of the centre of mass, in m/s; angular velocities are in rad/s.
--- Setting a velocity other than 0 wakes the body, and the neighbours of a kinematic body. It fails
--- if the body is static, or if x, y or the angular velocity would be beyond 1e9.
function body_get.velocity(self)
    local result = C.cn_body_velocity(self.world.pointer, self.id)
    check()
    return result
end

function body_set.velocity(self, value)
    C.cn_body_set_velocity(self.world.pointer, self.id, vec(value))
    check()
end

function body_get.angular_velocity(self)
    local result = C.cn_body_angular_velocity(self.world.pointer, self.id)
    check()
    return result
end

function body_set.angular_velocity(self, value)
    C.cn_body_set_angular_velocity(self.world.pointer, self.id, value)
    check()
end

--- Returns the velocity of the body's material at a point of the world.
function body_methods:velocity_at(point)
    local result = C.cn_body_velocity_at(self.world.pointer, self.id, vec(point))
    check()
    return result
end

--- Forces (N) and torques (N m) add up, act during the next step, and are then cleared. Impulses
--- (N s, N m s) act at once. Points are in the world. Each of these calls wakes the body, even if
--- the force or impulse is zero, and fails if the body is not dynamic or is disabled. With
--- cn_world_advance(), apply forces in before_step: see "callbacks".
function body_methods:apply_force_at(force, point)
    C.cn_body_apply_force_at(self.world.pointer, self.id, vec(force), vec(point))
    check()
    return self
end

function body_methods:apply_force(force)
    C.cn_body_apply_force(self.world.pointer, self.id, vec(force))
    check()
    return self
end

function body_methods:apply_torque(torque)
    C.cn_body_apply_torque(self.world.pointer, self.id, torque)
    check()
    return self
end

function body_methods:apply_impulse_at(impulse, point)
    C.cn_body_apply_impulse_at(self.world.pointer, self.id, vec(impulse), vec(point))
    check()
    return self
end

function body_methods:apply_impulse(impulse)
    C.cn_body_apply_impulse(self.world.pointer, self.id, vec(impulse))
    check()
    return self
end

function body_methods:apply_angular_impulse(impulse)
    C.cn_body_apply_angular_impulse(self.world.pointer, self.id, impulse)
    check()
    return self
end

--- The mass of a dynamic body follows from its shapes until you set it, and again after
--- cn_body_reset_mass(). That of other bodies is 0 until you set it. Setting wakes the body.
--- kg
function body_get.mass(self)
    local result = C.cn_body_mass(self.world.pointer, self.id)
    check()
    return result
end

function body_get.mass_data(self)
    local result = C.cn_body_mass_data(self.world.pointer, self.id)
    check()
    return result
end

--- The mass is 1e-36..1e36. The inertia has the same range, or is 0: then the body does not turn.
function body_set.mass_data(self, value)
    C.cn_body_set_mass_data(self.world.pointer, self.id, make("cn_mass_data", value))
    check()
end

function body_methods:reset_mass()
    C.cn_body_reset_mass(self.world.pointer, self.id)
    check()
    return self
end

--- Damping and max_speed wake nothing. The gravity scale wakes the body.
--- 1/s
function body_methods:set_damping(linear, angular)
    C.cn_body_set_damping(self.world.pointer, self.id, linear, angular)
    check()
    return self
end

function body_get.linear_damping(self)
    local result = C.cn_body_linear_damping(self.world.pointer, self.id)
    check()
    return result
end

function body_get.angular_damping(self)
    local result = C.cn_body_angular_damping(self.world.pointer, self.id)
    check()
    return result
end

function body_set.gravity_scale(self, value)
    C.cn_body_set_gravity_scale(self.world.pointer, self.id, value)
    check()
end

function body_get.gravity_scale(self)
    local result = C.cn_body_gravity_scale(self.world.pointer, self.id)
    check()
    return result
end

--- m/s; 0: none
function body_set.max_speed(self, value)
    C.cn_body_set_max_speed(self.world.pointer, self.id, value)
    check()
end

function body_get.max_speed(self)
    local result = C.cn_body_max_speed(self.world.pointer, self.id)
    check()
    return result
end

--- Locks axes of the world, along which the body never moves, or its rotation. Along a lock the body
--- acts like a wall, but does not carry heavy bodies that touch it: see "limits". Wakes the body.
function body_methods:set_locks(x, y, rotation)
    C.cn_body_set_locks(self.world.pointer, self.id, x, y, rotation)
    check()
    return self
end

function body_methods:locks()
    local x = ffi.new("bool[1]")
    local y = ffi.new("bool[1]")
    local rotation = ffi.new("bool[1]")
    C.cn_body_locks(self.world.pointer, self.id, x, y, rotation)
    check()
    return x[0], y[0], rotation[0]
end

--- Continuous collision is always on: no body passes static shapes, at any speed, and no body in
--- free flight passes a moving one. A fast body that hits something stops there for the rest of the
--- step and keeps its velocity. For exceptions, and for bodies that only graze others, see "limits".
---
--- A bullet is tested more often, and against all shapes. So it also stops before a deep overlap
--- with a moving body. Setting it wakes nothing.
function body_set.bullet(self, value)
    C.cn_body_set_bullet(self.world.pointer, self.id, value)
    check()
end

function body_get.bullet(self)
    local result = C.cn_body_bullet(self.world.pointer, self.id)
    check()
    return result
end

--- Sleep: an island (dynamic bodies connected by contacts or joints) that has been at rest for a
--- while is not simulated. A body at rest is slow, and nothing moves it: no force, motor, spring,
--- conveyor, kinematic body or flow. An island wakes as a whole: when a moving body touches it; when
--- a call sets a velocity other than 0, or applies a force or impulse; when a shape beside it is
--- created, destroyed, moved or changed; and when its joints or gravity change. A moving field wakes
--- the bodies inside. Queries, user data, damping, max_speed, substeps, passing bodies wake nothing.
---
--- Putting a body to sleep puts its island to sleep. Fails if the body is not dynamic or is
--- disabled. Putting it to sleep also fails if the world or a body of the island never sleeps, if a
--- change is about to wake the island, or if a moving kinematic body touches or pulls the island.
function body_set.asleep(self, value)
    C.cn_body_set_asleep(self.world.pointer, self.id, value)
    check()
end

function body_get.asleep(self)
    local result = C.cn_body_asleep(self.world.pointer, self.id)
    check()
    return result
end

--- true wakes the body
function body_set.no_sleep(self, value)
    C.cn_body_set_no_sleep(self.world.pointer, self.id, value)
    check()
end

function body_get.no_sleep(self)
    local result = C.cn_body_no_sleep(self.world.pointer, self.id)
    check()
    return result
end

--- Sets the speed below which the body may be at rest, in m/s, > 0. Wakes nothing.
function body_set.sleep_speed(self, value)
    C.cn_body_set_sleep_speed(self.world.pointer, self.id, value)
    check()
end

--- Returns this speed: that of cn_tuning if the body has none of its own.
function body_get.sleep_speed(self)
    local result = C.cn_body_sleep_speed(self.world.pointer, self.id)
    check()
    return result
end

--- Lets the body pass all one-way shapes for some seconds (0: no longer). Wakes the body.
function body_methods:drop_through(seconds)
    C.cn_body_drop_through(self.world.pointer, self.id, seconds)
    check()
    return self
end

--- A disabled body does not move, and nothing touches it. Setting wakes the neighbours.
function body_set.disabled(self, value)
    C.cn_body_set_disabled(self.world.pointer, self.id, value)
    check()
end

function body_get.disabled(self)
    local result = C.cn_body_disabled(self.world.pointer, self.id)
    check()
    return result
end

--- Returns the tight box of all shapes and whole grids; the body's position if there are none.
function body_get.bounds(self)
    local result = C.cn_body_bounds(self.world.pointer, self.id)
    check()
    return result
end

function body_set.user_data(self, value)
    C.cn_body_set_user_data(self.world.pointer, self.id, value)
    check()
end

function body_get.user_data(self)
    local result = C.cn_body_user_data(self.world.pointer, self.id)
    check()
    return result
end

function body_methods:shapes()
    return collect(self.world, "cn_shape", function(id) return C.cn_body_next_shape(self.world.pointer, self.id, id) end)
end

function body_methods:joints()
    return collect(self.world, "cn_joint", function(id) return C.cn_body_next_joint(self.world.pointer, self.id, id) end)
end

function body_methods:chains()
    return collect(self.world, "cn_chain", function(id) return C.cn_body_next_chain(self.world.pointer, self.id, id) end)
end

--- Writes the touching contacts of one body, which may be either side of them. The first call of
--- this function, cn_body_touches() or cn_body_ground() after a step allocates an index, and fails
--- if memory is short. Several threads may call them at once.
function body_methods:contacts()
    local result = list({kind = "struct", type = "cn_contact"}, self.world, function(values, capacity)
        return C.cn_body_contacts(self.world.pointer, self.id, values, capacity)
    end)
    check()
    return result
end

--- True if two bodies have a touching contact: a gap of at most tuning.speculative_margin.
function body_methods:touches(b)
    local result = C.cn_body_touches(self.world.pointer, self.id, id_of("cn_body", b))
    check()
    return result
end

--- Finds the ground on which a body stands after the last step: the touching contact whose normal
--- (towards the body) has the smallest angle to `up`, if this angle is at most `max_slope` (rad,
--- 0..pi, literal: 0 is only flat ground). Sensors and contacts that pre_solve disabled do not
--- count. `up` has any length except 0.
function body_methods:ground(up, max_slope)
    local result = C.cn_body_ground(self.world.pointer, self.id, vec(up), max_slope)
    check()
    return read("cn_ground", result, self.world)
end
end

-- ---- hull
do

--- Returns the hull moved and turned, for a shape off the origin of its body.
function hull_methods:at(pose)
    local result = C.cn_hull_at(self, make("cn_pose", pose))
    check()
    return result
end

--- Returns the mass of the hull, exact for rounded hulls too. The density is in kg/m^2, >= 0.
function hull_methods:mass_data(density)
    local result = C.cn_hull_mass_data(self, density)
    check()
    return result
end

function hull_methods:bounds(pose)
    local result = C.cn_hull_bounds(self, make("cn_pose", pose))
    check()
    return result
end

--- Returns the point of the hull, its radius included, that is farthest along a direction of any
--- length. Both are in the frame of the hull.
function hull_methods:support(direction)
    local result = C.cn_hull_support(self, vec(direction))
    check()
    return result
end

--- Projects the hull on a unit axis. Returns the least (x) and greatest (y) coordinate along it.
function hull_methods:project(pose, axis)
    local result = C.cn_hull_project(self, make("cn_pose", pose), vec(axis))
    check()
    return result
end

--- True if the point, in the frame of the hull, lies in the hull or on its edge.
function hull_methods:contains(point)
    local result = C.cn_hull_contains(self, vec(point))
    check()
    return result
end

--- Casts a ray from origin to origin + translation, in the frame of the hull.
function hull_methods:cast_ray(origin, translation)
    local result = C.cn_hull_cast_ray(self, vec(origin), vec(translation))
    check()
    return result
end

--- Collides two hulls at two poses. Reports points that are at most `margin` (>= 0) apart.
function hull_methods:collide(pose_a, b, pose_b, margin)
    local result = C.cn_hull_collide(self, make("cn_pose", pose_a), make("cn_hull", b), make("cn_pose", pose_b), margin)
    check()
    return read("cn_manifold", result, nil)
end

function hull_methods:distance(pose_a, b, pose_b)
    local result = C.cn_hull_distance(self, make("cn_pose", pose_a), make("cn_hull", b), make("cn_pose", pose_b))
    check()
    return result
end

function hull_methods:mtv(pose_a, b, pose_b)
    local result = C.cn_hull_mtv(self, make("cn_pose", pose_a), make("cn_hull", b), make("cn_pose", pose_b))
    check()
    return result
end

--- Writes the corners of the common part of two hulls, counter-clockwise, world. Arcs become chords
--- that are at most the tolerance (> 0) away from them. The result is 0 if the hulls are apart. If
--- the common part has no area, the corners are its 1 or 2 end points. `exact` (NULL: not wanted)
--- receives the mass of the true common part, arcs included, at density 1: its area, its centroid in
--- the world and its inertia about the centroid.
--- Part: outlines.
function hull_methods:clip(pose_a, b, pose_b, tolerance)
    local exact = ffi.new("cn_mass_data[1]")
    local argument1 = make("cn_pose", pose_a)
    local argument2 = make("cn_hull", b)
    local argument3 = make("cn_pose", pose_b)
    local result = list({kind = "struct", type = "vec2s"}, nil, function(values, capacity)
        return C.cn_hull_clip(self, argument1, argument2, argument3, tolerance, values, capacity, exact)
    end)
    check()
    return result, ffi.new("cn_mass_data", exact[0])
end

--- Writes the points where the outlines of two hulls cross or touch, world, each once,
--- counter-clockwise along the outline of A from the start of its edge 0. Outlines that coincide
--- along a stretch cross at both ends of it. Identical outlines have no crossing.
--- Part: outlines.
function hull_methods:crossings(pose_a, b, pose_b)
    local argument1 = make("cn_pose", pose_a)
    local argument2 = make("cn_hull", b)
    local argument3 = make("cn_pose", pose_b)
    local result = list({kind = "struct", type = "vec2s"}, nil, function(values, capacity)
        return C.cn_hull_crossings(self, argument1, argument2, argument3, values, capacity)
    end)
    check()
    return result
end

--- Cuts a hull in two along the line through a point. The normal of the line has any length except
--- 0. Point, normal and results are in the frame of the hull. Writes the hulls of the two parts.
--- Those in front of the line, where the normal points, come first; `in_front` (NULL: not wanted)
--- receives their number. The parts are polygons of radius 0 with arcs as in cn_hull_clip(). A part
--- with more than 8 corners becomes several hulls. If the line misses the hull, or leaves no part
--- that is thick enough for cn_polygon(), the result is the unchanged hull.
--- Part: outlines.
function hull_methods:slice(point, normal, tolerance)
    local in_front = ffi.new("int[1]")
    local argument1 = vec(point)
    local argument2 = vec(normal)
    local result = list({kind = "struct", type = "cn_hull"}, nil, function(values, capacity)
        return C.cn_hull_slice(self, argument1, argument2, tolerance, values, capacity, in_front)
    end)
    check()
    return result, in_front[0]
end

--- Finds where A first touches B while A moves along the translation. `point` is on B, and `normal`
--- is that of B's surface. If they overlap at the start, the fraction is 0 and the normal is zero.
function hull_methods:cast(pose_a, translation, b, pose_b)
    local result = C.cn_hull_cast(self, make("cn_pose", pose_a), vec(translation), make("cn_hull", b), make("cn_pose", pose_b))
    check()
    return result
end

--- Finds when A and B first touch while both move at the same time. The result is like that of
--- cn_hull_cast(). It is never late, and early by at most a millionth of their size.
function hull_methods:time_of_impact(sweep_a, b, sweep_b)
    local result = C.cn_hull_time_of_impact(self, make("cn_sweep", sweep_a), make("cn_hull", b), make("cn_sweep", sweep_b))
    check()
    return result
end
end

-- ---- shape
do

--- updates the body's mass; wakes
function shape_methods:destroy()
    C.cn_shape_destroy(self.world.pointer, self.id)
    check()
end

function shape_get.valid(self)
    local result = C.cn_shape_valid(self.world.pointer, self.id)
    check()
    return result
end

function shape_get.body(self)
    local result = C.cn_shape_body(self.world.pointer, self.id)
    check()
    return object(self.world, "cn_body", result.id)
end

--- in the frame of the body
function shape_get.hull(self)
    local result = C.cn_shape_hull(self.world.pointer, self.id)
    check()
    return result
end

--- Updates the mass of the body, begins new contacts, and wakes.
function shape_set.hull(self, value)
    C.cn_shape_set_hull(self.world.pointer, self.id, make("cn_hull", value))
    check()
end

function shape_get.density(self)
    local result = C.cn_shape_density(self.world.pointer, self.id)
    check()
    return result
end

--- Updates the mass of the body and wakes the body. kg/m^2, >= 0.
function shape_set.density(self, value)
    C.cn_shape_set_density(self.world.pointer, self.id, value)
    check()
end

function shape_get.material(self)
    local result = C.cn_shape_material(self.world.pointer, self.id)
    check()
    return read("cn_material", result, self.world)
end

--- Applies to existing contacts too. Wakes.
function shape_set.material(self, value)
    C.cn_shape_set_material(self.world.pointer, self.id, make("cn_material", value))
    check()
end

function shape_get.filter(self)
    local result = C.cn_shape_filter(self.world.pointer, self.id)
    check()
    return result
end

--- Ends the contacts of the shape, and begins those that the new filter allows. Wakes.
function shape_set.filter(self, value)
    C.cn_shape_set_filter(self.world.pointer, self.id, make("cn_filter", value))
    check()
end

--- Sets whether the shape collides with nothing. Ends or begins its contacts, and wakes.
function shape_set.no_collision(self, value)
    C.cn_shape_set_no_collision(self.world.pointer, self.id, value)
    check()
end

function shape_get.no_collision(self)
    local result = C.cn_shape_no_collision(self.world.pointer, self.id)
    check()
    return result
end

--- Sets whether the filter callback decides about the shape. Begins its contacts anew. Wakes.
function shape_get.custom_filter(self)
    local result = C.cn_shape_custom_filter(self.world.pointer, self.id)
    check()
    return result
end

function shape_set.custom_filter(self, value)
    C.cn_shape_set_custom_filter(self.world.pointer, self.id, value)
    check()
end

--- Sets whether pre_solve decides about the contacts of the shape, existing ones too. Wakes.
function shape_get.pre_solve(self)
    local result = C.cn_shape_pre_solve(self.world.pointer, self.id)
    check()
    return result
end

function shape_set.pre_solve(self, value)
    C.cn_shape_set_pre_solve(self.world.pointer, self.id, value)
    check()
end

function shape_get.hit_events(self)
    local result = C.cn_shape_hit_events(self.world.pointer, self.id)
    check()
    return result
end

--- wakes
function shape_set.hit_events(self, value)
    C.cn_shape_set_hit_events(self.world.pointer, self.id, value)
    check()
end

--- Sets whether contacts of this shape raise no begin and end events. A contact raises both, or none
--- if one of its two shapes had the flag when it began. Has no effect on existing contacts, sensor
--- events and hit events. Wakes nothing.
function shape_get.no_touch_events(self)
    local result = C.cn_shape_no_touch_events(self.world.pointer, self.id)
    check()
    return result
end

function shape_set.no_touch_events(self, value)
    C.cn_shape_set_no_touch_events(self.world.pointer, self.id, value)
    check()
end

function shape_get.sensor(self)
    local result = C.cn_shape_sensor(self.world.pointer, self.id)
    check()
    return result
end

--- Wakes. True fails for a one-way shape. False fails for a field: first clear its medium.
function shape_set.sensor(self, value)
    C.cn_shape_set_sensor(self.world.pointer, self.id, value)
    check()
end

--- Writes the shapes that overlapped a sensor after the last step, in slot order.
function shape_methods:sensor_shapes()
    local result = list({kind = "handle", type = "cn_shape"}, self.world, function(values, capacity)
        return C.cn_sensor_shapes(self.world.pointer, self.id, values, capacity)
    end)
    check()
    return result
end

function shape_get.one_way(self)
    local result = C.cn_shape_one_way(self.world.pointer, self.id)
    check()
    return result
end

--- In the body's frame; zero: solid from all sides. Wakes. Fails for a sensor unless it is zero.
function shape_set.one_way(self, value)
    C.cn_shape_set_one_way(self.world.pointer, self.id, vec(value))
    check()
end

function shape_set.user_data(self, value)
    C.cn_shape_set_user_data(self.world.pointer, self.id, value)
    check()
end

function shape_get.user_data(self)
    local result = C.cn_shape_user_data(self.world.pointer, self.id)
    check()
    return result
end

--- tight, world
function shape_get.bounds(self)
    local result = C.cn_shape_bounds(self.world.pointer, self.id)
    check()
    return result
end

--- Returns the point of the shape, its radius included, that is nearest to a point of the world. If
--- the point is in the shape, it is the point itself.
function shape_methods:closest_point(point)
    local result = C.cn_shape_closest_point(self.world.pointer, self.id, vec(point))
    check()
    return result
end

--- True if a point of the world is in the shape. For all shapes use cn_world_overlap_point().
function shape_methods:contains(point)
    local result = C.cn_shape_contains(self.world.pointer, self.id, vec(point))
    check()
    return result
end

--- Casts a ray in the world. Hits segments of chains from both sides, unlike cn_world_cast_ray().
function shape_methods:cast_ray(origin, translation)
    local result = C.cn_shape_cast_ray(self.world.pointer, self.id, vec(origin), vec(translation))
    check()
    return result
end

--- null if it is no segment
function shape_get.chain(self)
    local result = C.cn_shape_chain(self.world.pointer, self.id)
    check()
    return object(self.world, "cn_chain", result.id)
end

--- Sets the medium of a sensor. All zero: the sensor is no longer a field. Wakes the bodies inside.
--- Fails if the shape is not a sensor, or if the world has 65,536 fields already.
function shape_set.medium(self, value)
    C.cn_shape_set_medium(self.world.pointer, self.id, make("cn_medium", value))
    check()
end

function shape_get.medium(self)
    local result = C.cn_shape_medium(self.world.pointer, self.id)
    check()
    return result
end
end

-- ---- chain
do

--- Destroys the chain with all segments that are left. Wakes. Destroying its body does the same.
function chain_methods:destroy()
    C.cn_chain_destroy(self.world.pointer, self.id)
    check()
end

function chain_get.valid(self)
    local result = C.cn_chain_valid(self.world.pointer, self.id)
    check()
    return result
end

function chain_get.body(self)
    local result = C.cn_chain_body(self.world.pointer, self.id)
    check()
    return object(self.world, "cn_body", result.id)
end

--- Returns the number of segments that the chain was created with, even if some were destroyed.
function chain_get.count(self)
    local result = C.cn_chain_count(self.world.pointer, self.id)
    check()
    return result
end

--- Goes through the segments that are left: null gives the first one, and the last one gives null.
function chain_methods:segments()
    return collect(self.world, "cn_shape", function(id) return C.cn_chain_next_segment(self.world.pointer, self.id, id) end)
end

--- The material of segment `index`. Fails if there is no such segment, or if it was destroyed.
function chain_methods:material(index)
    local result = C.cn_chain_material(self.world.pointer, self.id, index)
    check()
    return read("cn_material", result, self.world)
end

--- Sets the material of segment `index`, also for existing contacts. Wakes.
function chain_methods:set_material(index, material)
    C.cn_chain_set_material(self.world.pointer, self.id, index, make("cn_material", material))
    check()
    return self
end
end

-- ---- grid
do

--- Destroys the grid and wakes the bodies that sleep there. Destroying its body does the same.
function grid_methods:destroy()
    C.cn_grid_destroy(self.world.pointer, self.id)
    check()
end

function grid_get.valid(self)
    local result = C.cn_grid_valid(self.world.pointer, self.id)
    check()
    return result
end

function grid_get.body(self)
    local result = C.cn_grid_body(self.world.pointer, self.id)
    check()
    return object(self.world, "cn_body", result.id)
end

--- in tiles
function grid_get.width(self)
    local result = C.cn_grid_width(self.world.pointer, self.id)
    check()
    return result
end

function grid_get.height(self)
    local result = C.cn_grid_height(self.world.pointer, self.id)
    check()
    return result
end

--- m
function grid_get.tile_size(self)
    local result = C.cn_grid_tile_size(self.world.pointer, self.id)
    check()
    return result
end

--- Returns the lower left corner, in the frame of the body.
function grid_get.origin(self)
    local result = C.cn_grid_origin(self.world.pointer, self.id)
    check()
    return result
end

--- Makes a tile solid or empty; x counts from the left, y from below. Contacts with it begin or end
--- in the next step. Wakes the bodies that sleep beside it. Allocates nothing.
function grid_methods:set_solid(x, y, solid)
    C.cn_grid_set_solid(self.world.pointer, self.id, x, y, solid)
    check()
    return self
end

--- true if solid
function grid_methods:solid(x, y)
    local result = C.cn_grid_solid(self.world.pointer, self.id, x, y)
    check()
    return result
end

--- Sets all properties of a tile, and wakes the bodies that sleep beside it. A new form ends the
--- contacts with the tile, and new ones begin in the next step. The first tile of a grid that is not
--- a plain square with material 0 allocates a byte per tile.
function grid_methods:set_tile(x, y, tile)
    C.cn_grid_set_tile(self.world.pointer, self.id, x, y, make("cn_tile", tile))
    check()
    return self
end

function grid_methods:tile(x, y)
    local result = C.cn_grid_tile(self.world.pointer, self.id, x, y)
    check()
    return read("cn_tile", result, self.world)
end

--- Sets a material of the grid, also for existing contacts. Wakes the bodies on tiles that have it.
--- Without cn_grid_def.materials there is only material 0. Allocates nothing.
function grid_methods:set_material(index, material)
    C.cn_grid_set_material(self.world.pointer, self.id, index, make("cn_material", material))
    check()
    return self
end

function grid_methods:material(index)
    local result = C.cn_grid_material(self.world.pointer, self.id, index)
    check()
    return read("cn_material", result, self.world)
end
end

-- ---- joint
do

--- Destroys a joint and wakes both bodies, as destroying one of them does. Overlaps: see "limits".
function joint_methods:destroy()
    C.cn_joint_destroy(self.world.pointer, self.id)
    check()
end

function joint_get.valid(self)
    local result = C.cn_joint_valid(self.world.pointer, self.id)
    check()
    return result
end

--- Returns the joint as it is now, with the limit that a ratchet has reached.
function joint_get.definition(self)
    local result = C.cn_joint_definition(self.world.pointer, self.id)
    check()
    return read("cn_joint_def", result, self.world)
end

--- All setters of this section wake both bodies, and fail for values that cn_joint_create() would
--- refuse. The user data wakes nothing.
function joint_methods:set_coordinate(axis, coordinate)
    C.cn_joint_set_coordinate(self.world.pointer, self.id, enum("cn_joint_axis", axis), make("cn_coordinate", coordinate))
    check()
    return self
end

--- Set the speed of a motor, or the target of a lock or spring. These calls are cheap, keep the
--- impulses, and wake nothing if the value is the same as before. They fail if the coordinate has no
--- motor (speed), or has no spring and is not locked (target). A lock moves the body to the target
--- without giving it a velocity: for a lift, use a motor or a kinematic body.
function joint_methods:set_motor_speed(axis, motor_speed)
    C.cn_joint_set_motor_speed(self.world.pointer, self.id, enum("cn_joint_axis", axis), motor_speed)
    check()
    return self
end

function joint_methods:set_target(axis, target)
    C.cn_joint_set_target(self.world.pointer, self.id, enum("cn_joint_axis", axis), target)
    check()
    return self
end

function joint_methods:set_frames(frame_a, frame_b)
    C.cn_joint_set_frames(self.world.pointer, self.id, make("cn_pose", frame_a), make("cn_pose", frame_b))
    check()
    return self
end

function joint_set.polar(self, value)
    C.cn_joint_set_polar(self.world.pointer, self.id, value)
    check()
end

function joint_set.collide_connected(self, value)
    C.cn_joint_set_collide_connected(self.world.pointer, self.id, value)
    check()
end

function joint_set.disabled(self, value)
    C.cn_joint_set_disabled(self.world.pointer, self.id, value)
    check()
end

function joint_methods:set_break(force, torque)
    C.cn_joint_set_break(self.world.pointer, self.id, force, torque)
    check()
    return self
end

--- Moves the origin of a frame to a point of the world. The frame keeps its rotation.
function joint_methods:set_anchor(which, world_point)
    C.cn_joint_set_anchor(self.world.pointer, self.id, enum("cn_which", which), vec(world_point))
    check()
    return self
end

function joint_set.user_data(self, value)
    C.cn_joint_set_user_data(self.world.pointer, self.id, value)
    check()
end

function joint_get.user_data(self)
    local result = C.cn_joint_user_data(self.world.pointer, self.id)
    check()
    return result
end

--- Return parts of cn_joint_definition(). A coordinate without motor or target has 0.
function joint_get.bodies(self)
    local result = C.cn_joint_bodies(self.world.pointer, self.id)
    check()
    return read("cn_body_pair", result, self.world)
end

function joint_methods:coordinate(axis)
    local result = C.cn_joint_coordinate(self.world.pointer, self.id, enum("cn_joint_axis", axis))
    check()
    return read("cn_coordinate", result, self.world)
end

function joint_methods:target(axis)
    local result = C.cn_joint_target(self.world.pointer, self.id, enum("cn_joint_axis", axis))
    check()
    return result
end

function joint_methods:motor_speed(axis)
    local result = C.cn_joint_motor_speed(self.world.pointer, self.id, enum("cn_joint_axis", axis))
    check()
    return result
end

function joint_get.polar(self)
    local result = C.cn_joint_polar(self.world.pointer, self.id)
    check()
    return result
end

function joint_get.collide_connected(self)
    local result = C.cn_joint_collide_connected(self.world.pointer, self.id)
    check()
    return result
end

function joint_get.disabled(self)
    local result = C.cn_joint_disabled(self.world.pointer, self.id)
    check()
    return result
end

function joint_get.break_force(self)
    local result = C.cn_joint_break_force(self.world.pointer, self.id)
    check()
    return result
end

function joint_get.break_torque(self)
    local result = C.cn_joint_break_torque(self.world.pointer, self.id)
    check()
    return result
end

function joint_methods:frame(which)
    local result = C.cn_joint_frame(self.world.pointer, self.id, enum("cn_which", which))
    check()
    return result
end

--- Returns the origin of a frame, world.
function joint_methods:anchor(which)
    local result = C.cn_joint_anchor(self.world.pointer, self.id, enum("cn_which", which))
    check()
    return result
end

--- Return where a coordinate is and how fast it changes.
function joint_methods:value(axis)
    local result = C.cn_joint_value(self.world.pointer, self.id, enum("cn_joint_axis", axis))
    check()
    return result
end

function joint_methods:rate(axis)
    local result = C.cn_joint_rate(self.world.pointer, self.id, enum("cn_joint_axis", axis))
    check()
    return result
end

--- Return the load that the joint exerted on b in the last step: a force in the world, and a torque
--- about its anchor. The load is the impulse of all substeps and impacts, divided by dt.
function joint_get.force(self)
    local result = C.cn_joint_force(self.world.pointer, self.id)
    check()
    return result
end

function joint_get.torque(self)
    local result = C.cn_joint_torque(self.world.pointer, self.id)
    check()
    return result
end

--- Return the peaks: the greatest force and the greatest torque of a substep of the last step, >= 0.
function joint_get.peak_force(self)
    local result = C.cn_joint_peak_force(self.world.pointer, self.id)
    check()
    return result
end

function joint_get.peak_torque(self)
    local result = C.cn_joint_peak_torque(self.world.pointer, self.id)
    check()
    return result
end

--- Wakes the bodies of both joints.
function joint_set.coupling(self, value)
    C.cn_joint_set_coupling(self.world.pointer, self.id, make("cn_coupling", value))
    check()
end

function joint_get.coupling(self)
    local result = C.cn_joint_coupling(self.world.pointer, self.id)
    check()
    return read("cn_coupling", result, self.world)
end
end

-- ---- rollback
do

--- Keeps the present state under a number (0 or greater), such as that of the next step. First drops
--- all kept states with this or a greater number, and the oldest state if the ring buffer is full.
--- Fails if memory is short, and may have dropped states then. Fails in filter, pre_solve, accept().
function rollback_methods:keep(number)
    C.cn_rollback_keep(self.pointer, number)
    check()
    return self
end

--- Sets the world to a kept state, as cn_world_restore() does, scenery included. All kept states
--- stay. Fails if no state is kept under the number, if memory is short, or in before_step.
function rollback_methods:rewind(number)
    C.cn_rollback_rewind(self.pointer, number)
    check()
    return self
end

--- Return the number of the oldest and of the newest state that is kept; -1 if none is kept.
function rollback_get.oldest(self)
    local result = C.cn_rollback_oldest(self.pointer)
    check()
    return result
end

function rollback_get.newest(self)
    local result = C.cn_rollback_newest(self.pointer)
    check()
    return result
end
end

-- ---- replay
do

function replay_get.at(self)
    local result = C.cn_replay_at(self.pointer)
    check()
    return result
end

--- Makes the next call, with the calls of before_step in it. Skips it if one of its objects does not
--- exist, because its creation was left out. Fails after the last call, if the recording is damaged,
--- if memory is short, or if a part is not built in. Afterwards cn_replay_seek() can still go back.
function replay_methods:next()
    C.cn_replay_next(self.pointer)
    check()
    return self
end

--- Goes back or forward to the first position between two calls at which at least `step` steps
--- (0..steps) were taken. The world and its events are as if cn_replay_next() had made every call.
--- To go back, the replay keeps up to 32 states of its world.
function replay_methods:seek(step)
    C.cn_replay_seek(self.pointer, step)
    check()
    return self
end

--- Writes the remaining calls as a new recording that begins with the present state. Returns the
--- size that the bytes need. If this is more than the capacity, the array has no valid recording.
--- Returns 0 if memory is short, or if calls that create objects were left out of the recording.
function replay_methods:rest()
    local result = read_bytes(function(values, capacity)
        return C.cn_replay_rest(self.pointer, values, capacity)
    end)
    check()
    return result
end

function replay_get.desync(self)
    local result = C.cn_replay_desync(self.pointer)
    check()
    return read("cn_desync", result, self.world)
end
end

-- ---- rotation
do

--- Returns the angle of a rotation, in -pi..pi.
function rotation_methods:angle()
    local result = C.cn_rotation_angle(self)
    check()
    return result
end
end

-- ---- pose
do

--- Take a point from the frame of a pose to the frame in which the pose is given, and back.
function pose_methods:point(local_)
    local result = C.cn_pose_point(self, vec(local_))
    check()
    return result
end

function pose_methods:local_point(point)
    local result = C.cn_pose_local_point(self, vec(point))
    check()
    return result
end

--- Do the same to a direction: it is only turned.
function pose_methods:direction(local_)
    local result = C.cn_pose_direction(self, vec(local_))
    check()
    return result
end

function pose_methods:local_direction(direction)
    local result = C.cn_pose_local_direction(self, vec(direction))
    check()
    return result
end

--- Takes pose b, given in the frame of a, to the frame in which a is given.
function pose_methods:multiply(b)
    local result = C.cn_pose_multiply(self, make("cn_pose", b))
    check()
    return result
end

--- Returns the inverse: cn_pose_point() of one is cn_pose_local_point() of the other.
function pose_methods:inverse()
    local result = C.cn_pose_inverse(self)
    check()
    return result
end
end

-- ---- bounds
do

--- True if the two boxes share a point. Boxes that merely touch overlap, too.
function bounds_methods:overlap(b)
    local result = C.cn_bounds_overlap(self, make("cn_bounds", b))
    check()
    return result
end

--- Returns how deep the boxes overlap along x and y; negative along an axis where they are apart.
function bounds_methods:depth(b)
    local result = C.cn_bounds_depth(self, make("cn_bounds", b))
    check()
    return result
end

--- Returns the shortest move of b along one axis that takes b out of a; zero without overlap.
function bounds_methods:resolve(b)
    local result = C.cn_bounds_resolve(self, make("cn_bounds", b))
    check()
    return result
end

function bounds_methods:union(b)
    local result = C.cn_bounds_union(self, make("cn_bounds", b))
    check()
    return result
end

function bounds_methods:contains(point)
    local result = C.cn_bounds_contains(self, vec(point))
    check()
    return result
end

--- The same for the outlines of two boxes, from the lower left corner of a.
--- Part: outlines.
function bounds_methods:crossings(b)
    local argument1 = make("cn_bounds", b)
    local result = list({kind = "struct", type = "vec2s"}, nil, function(values, capacity)
        return C.cn_bounds_crossings(self, argument1, values, capacity)
    end)
    check()
    return result
end
end

-- ---- sweep
do

--- Returns the pose at a fraction (0..1) of a sweep, for example where a cast stopped.
function sweep_methods:pose(fraction)
    local result = C.cn_sweep_pose(self, fraction)
    check()
    return result
end
end


-- ------------------------------------------------------------------------------------------ values

--- Vectors: a + b, a - b, a * s, -a, a == b, a:unpack().
ffi.metatype(vec2, {
    __add = function(a, b) return vec2(a.x + b.x, a.y + b.y) end,
    __sub = function(a, b) return vec2(a.x - b.x, a.y - b.y) end,
    __unm = function(a) return vec2(-a.x, -a.y) end,
    __mul = function(a, b)
        if type(a) == "number" then a, b = b, a end
        return vec2(a.x * b, a.y * b)
    end,
    __eq = function(a, b)
        return ffi.istype(vec2, a) and ffi.istype(vec2, b) and a.x == b.x and a.y == b.y
    end,
    __tostring = function(a) return ("(%g, %g)"):format(a.x, a.y) end,
    __index = setmetatable({unpack = function(a) return a.x, a.y end}, {
        __index = function(_, key) no_field("vector", key, {x = true, y = true, unpack = true}) end}),
})
local value_methods = {cn_pose = pose_methods, cn_rotation = rotation_methods,
                       cn_bounds = bounds_methods, cn_hull = hull_methods, cn_sweep = sweep_methods}
for name in pairs(plain) do
    local methods, meta = value_methods[name], {__tostring = show_fields(name)}
    if methods then
        meta.__index = setmetatable(methods, {
            __index = function(_, key) no_field(name:sub(4), key, structs[name], methods) end})
    end
    --- Poses: a * b takes pose b, given in the frame of a, to the frame of a.
    if name == "cn_pose" then meta.__mul = pose_methods.multiply end
    if name == "cn_hull" then
        function meta.__tostring(hull)
            local points = {}
            for i = 1, hull.count do points[i] = tostring(hull.vertices[i - 1]) end
            return ("hull(%s; radius %g)"):format(table.concat(points, ", "), hull.radius)
        end
    end
    if name ~= "vec2s" then ffi.metatype(types[name], meta) end
end

--- Vectors, poses and sweeps as structs, and the functions of C themselves.
function cairn.vec2(x, y) return vec2(x, y) end
function cairn.sweep(fields) return make("cn_sweep", fields) end
cairn.C = C

for _, f in ipairs(never_compiled) do jit.off(f, true) end
return cairn
