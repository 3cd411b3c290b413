// A program for Cairn 0.1 in C++: references, auto, vectors and classes.
#include "../../../../engine/cairn.h"
#include <cstdio>
#include <vector>

class Crane {
  public:
    explicit Crane(cn_world *w) : world(w) {
        ground = add(CN_STATIC, 0, -1, cn_box(20, 1));
        arm = add(CN_DYNAMIC, 2, 5, cn_box(2, 0.2f));
        auto def = cn_revolute_joint(world, ground, arm, vec2s{{0, 5}});
        auto &angle = def.angle;
        angle.motor = true, angle.motor_speed = 0.5f, angle.max_motor_force = 900;
        joint = cn_joint_create(world, def);
    }
    bool isAwake() const { return !cn_body_asleep(world, arm); }
    void setEnabled(bool on) { cn_joint_set_disabled(world, joint, !on); }
    void turn(float speed) {
        if (auto now = cn_joint_definition(world, joint); now.angle.motor_speed != speed)
            cn_joint_set_motor_speed(world, joint, CN_JOINT_ANGLE, speed);
        else
            cn_body_set_asleep(world, arm, false);
    }
    cn_body add(cn_motion_type type, float x, float y, const cn_hull &hull) {
        cn_body_def def{};
        def.type = type, def.position = vec2s{{x, y}}, def.max_speed = 30;
        cn_shape_def shape{};
        shape.hull = cn_hull_at(hull, cn_pose_at(vec2s{{0, 0}}, 0));
        cn_body body = cn_body_create(world, &def);
        cn_shape_create(world, body, &shape);
        return body;
    }
    cn_body arm;

  private:
    cn_world *world;
    cn_body ground;
    cn_joint joint;
};

int main() {
    cn_world_def settings{};
    settings.gravity = vec2s{{0, -10}}, settings.profiling = true;
    cn_world *world = cn_world_create(&settings);
    Crane crane(world);
    std::vector<cn_hull> hulls{cn_box(1, 1), cn_regular_polygon(5, 1)};
    float area = 0;
    for (const auto &hull : hulls) area += cn_hull_mass_data(hull, 1).mass;
    const cn_manifold manifold = cn_hull_collide(&hulls[0], cn_pose_at(vec2s{{0, 0}}, 0), &hulls[1],
                                            cn_pose_at(vec2s{{1, 0}}, 0), 0);
    crane.turn(1);
    crane.setEnabled(true);
    for (int i = 0; i < 30; i++) cn_world_step(world, 1.0f / 60);
    std::vector<cn_body_state> states(8);
    int count = cn_world_body_states(world, states.data(), 8, false);
    for (int i = 0; i < count; i++)
        if (states[i].asleep) std::puts("asleep");
    std::printf("%.2f %d %d %d\n", area, manifold.count, crane.isAwake(),
                !cn_world_no_sleep(world) ? 1 : 0);
    cn_world_destroy(world);
}
