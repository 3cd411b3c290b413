/* The calls that change a world. Made by engine/bindings/recorded_calls.py: do not edit. */
#ifndef CN_RECORDED_CALLS_H
#define CN_RECORDED_CALLS_H

#include "../../cairn.h"

typedef struct {
    void (*cn_world_destroy)(cn_world *world);
    void (*cn_world_step)(cn_world *world, float dt);
    void (*cn_world_advance)(cn_world *world, float frame_seconds);
    void (*cn_world_set_gravity)(cn_world *world, vec2s gravity);
    void (*cn_world_set_substeps)(cn_world *world, int substeps);
    void (*cn_world_set_no_sleep)(cn_world *world, bool no_sleep);
    void (*cn_world_set_move_events)(cn_world *world, bool on);
    void (*cn_world_set_damping)(cn_world *world, float linear, float angular);
    void (*cn_world_set_user_data)(cn_world *world, uint64_t user_data);
    void (*cn_world_shift_origin)(cn_world *world, vec2s origin);
    void (*cn_world_set_tuning)(cn_world *world, cn_tuning tuning);
    void (*cn_body_create)(cn_world *world, const cn_body_def *def);
    void (*cn_body_destroy)(cn_world *world, cn_body body);
    void (*cn_body_set_type)(cn_world *world, cn_body body, cn_motion_type type);
    void (*cn_body_set_pose)(cn_world *world, cn_body body, cn_pose pose);
    void (*cn_body_set_position)(cn_world *world, cn_body body, vec2s position);
    void (*cn_body_set_target)(cn_world *world, cn_body body, cn_pose target, float seconds);
    void (*cn_body_set_velocity)(cn_world *world, cn_body body, vec2s velocity);
    void (*cn_body_set_angular_velocity)(cn_world *world, cn_body body, float angular_velocity);
    void (*cn_body_apply_force_at)(cn_world *world, cn_body body, vec2s force, vec2s point);
    void (*cn_body_apply_force)(cn_world *world, cn_body body, vec2s force);
    void (*cn_body_apply_torque)(cn_world *world, cn_body body, float torque);
    void (*cn_body_apply_impulse_at)(cn_world *world, cn_body body, vec2s impulse, vec2s point);
    void (*cn_body_apply_impulse)(cn_world *world, cn_body body, vec2s impulse);
    void (*cn_body_apply_angular_impulse)(cn_world *world, cn_body body, float impulse);
    void (*cn_body_set_mass_data)(cn_world *world, cn_body body, cn_mass_data mass_data);
    void (*cn_body_reset_mass)(cn_world *world, cn_body body);
    void (*cn_body_set_damping)(cn_world *world, cn_body body, float linear, float angular);
    void (*cn_body_set_gravity_scale)(cn_world *world, cn_body body, float scale);
    void (*cn_body_set_max_speed)(cn_world *world, cn_body body, float max_speed);
    void (*cn_body_set_locks)(cn_world *world, cn_body body, bool x, bool y, bool rotation);
    void (*cn_body_set_bullet)(cn_world *world, cn_body body, bool bullet);
    void (*cn_body_set_asleep)(cn_world *world, cn_body body, bool asleep);
    void (*cn_body_set_no_sleep)(cn_world *world, cn_body body, bool no_sleep);
    void (*cn_body_set_sleep_speed)(cn_world *world, cn_body body, float speed);
    void (*cn_body_drop_through)(cn_world *world, cn_body body, float seconds);
    void (*cn_body_set_disabled)(cn_world *world, cn_body body, bool disabled);
    void (*cn_body_set_user_data)(cn_world *world, cn_body body, uint64_t user_data);
    void (*cn_shape_create)(cn_world *world, cn_body body, const cn_shape_def *def);
    void (*cn_shape_destroy)(cn_world *world, cn_shape shape);
    void (*cn_shape_set_hull)(cn_world *world, cn_shape shape, cn_hull hull);
    void (*cn_shape_set_density)(cn_world *world, cn_shape shape, float density);
    void (*cn_shape_set_material)(cn_world *world, cn_shape shape, cn_material material);
    void (*cn_shape_set_filter)(cn_world *world, cn_shape shape, cn_filter filter);
    void (*cn_shape_set_no_collision)(cn_world *world, cn_shape shape, bool no_collision);
    void (*cn_shape_set_custom_filter)(cn_world *world, cn_shape shape, bool custom_filter);
    void (*cn_shape_set_pre_solve)(cn_world *world, cn_shape shape, bool pre_solve);
    void (*cn_shape_set_hit_events)(cn_world *world, cn_shape shape, bool hit_events);
    void (*cn_shape_set_no_touch_events)(cn_world *world, cn_shape shape, bool no_touch_events);
    void (*cn_shape_set_sensor)(cn_world *world, cn_shape shape, bool sensor);
    void (*cn_shape_set_one_way)(cn_world *world, cn_shape shape, vec2s direction);
    void (*cn_shape_set_user_data)(cn_world *world, cn_shape shape, uint64_t user_data);
    void (*cn_chain_create)(cn_world *world, cn_body body, const cn_chain_def *def);
    void (*cn_chain_destroy)(cn_world *world, cn_chain chain);
    void (*cn_chain_set_material)(cn_world *world, cn_chain chain, int index, cn_material material);
    void (*cn_grid_create)(cn_world *world, cn_body body, const cn_grid_def *def);
    void (*cn_grid_destroy)(cn_world *world, cn_grid grid);
    void (*cn_grid_set_solid)(cn_world *world, cn_grid grid, int x, int y, bool solid);
    void (*cn_grid_set_tile)(cn_world *world, cn_grid grid, int x, int y, cn_tile tile);
    void (*cn_grid_set_material)(cn_world *world, cn_grid grid, int index, cn_material material);
    void (*cn_shape_set_medium)(cn_world *world, cn_shape shape, cn_medium medium);
    void (*cn_joint_create)(cn_world *world, cn_joint_def def);
    void (*cn_joint_destroy)(cn_world *world, cn_joint joint);
    void (*cn_joint_set_coordinate)(cn_world *world, cn_joint joint, cn_joint_axis axis,
                                    cn_coordinate coordinate);
    void (*cn_joint_set_motor_speed)(cn_world *world, cn_joint joint, cn_joint_axis axis,
                                     float motor_speed);
    void (*cn_joint_set_target)(cn_world *world, cn_joint joint, cn_joint_axis axis, float target);
    void (*cn_joint_set_frames)(cn_world *world, cn_joint joint, cn_pose frame_a, cn_pose frame_b);
    void (*cn_joint_set_polar)(cn_world *world, cn_joint joint, bool polar);
    void (*cn_joint_set_collide_connected)(cn_world *world, cn_joint joint, bool collide);
    void (*cn_joint_set_disabled)(cn_world *world, cn_joint joint, bool disabled);
    void (*cn_joint_set_break)(cn_world *world, cn_joint joint, float force, float torque);
    void (*cn_joint_set_anchor)(cn_world *world, cn_joint joint, cn_which which, vec2s world_point);
    void (*cn_joint_set_user_data)(cn_world *world, cn_joint joint, uint64_t user_data);
    void (*cn_joint_set_coupling)(cn_world *world, cn_joint joint, cn_coupling coupling);
    void (*cn_world_set_callbacks)(cn_world *world, cn_callbacks *callbacks);
    void (*cn_world_explode)(cn_world *world, const cn_explosion **explosion);
    void (*cn_world_restore)(cn_world *world, const void *bytes, size_t size);
    void (*cn_world_set_profiling)(cn_world *world, bool on);
} cn_recorded_calls;

#endif
