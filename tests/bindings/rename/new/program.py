"""A program for Cairn 0.1 in Python."""
import cairn2d as cn

world = cn.World(gravity=(0, -10), profiling=True)
ground = world.create_body(type="static")
tiles = ground.create_grid([[1, 1, 1, 1]], 1)
world.create_body(type="static", position=(20, 0), shapes=[dict(hull=cn.box(5, 1), friction=0.8)])


class Player:
    def __init__(self, x, y):
        self.enabled = True  # not that of a body
        self.body = world.create_body(position=(x, y), max_speed=40, data=self, shapes=[dict(hull=cn.box(0.5, 0.5), density=2)])
        self.foot = self.body.create_shape(cn.circle(0.3))

    def stands(self):
        return self.body.ground((0, 1), 0.795399) is not None

    def jump(self):
        self.body.apply_impulse((0, 5 * self.body.mass))
        self.body.asleep = False

    def freeze(self, on):
        self.body.disabled = on
        self.enabled = not on


def make_wheel(x, y):
    wheel = world.create_body(position=(x, y), shapes=[dict(hull=cn.regular_polygon(6, 0.5), hit_events=True)])
    return wheel


player, wheel = Player(1, 3), make_wheel(8, 3)
hinge = world.create_joint(cn.revolute_joint(ground, wheel, (8, 3)), angle=dict(motor=True, motor_speed=1, max_motor_force=50))
lift = world.create_body(type="kinematic", position=(12, 0), shapes=[cn.box(1, 0.2)])
wheel.pose = cn.Pose.at(wheel.position, 0.2)
lift.set_target(cn.Pose.at((12, 1), 0), 1)
hinge.angle.motor_speed = 2
wheel.apply_impulse_at((0, 1), wheel.center)

for _ in range(60):
    world.step(1 / 60)
    for begin in world.events.begins:
        if begin.a.grid or begin.b.grid:
            print("tile", begin.a.tile, begin.b.tile)
player.jump()
player.freeze(False)
tiles.set_solid(0, 0, False)
print([body.slot for body in world.bodies if body.asleep], player.stands())
hit = world.cast_ray((0, 9), (0, -20), mask=2)
print(hit and hit.side.grid is tiles, len(world.overlap_point((8, 3))), tiles.solid(1, 0))
awake = 0
for body in world.bodies:
    awake += not body.asleep
print(awake, round(hinge.angle.rate, 1), not world.no_sleep, not hinge.disabled and not wheel.disabled)
print(cn.box(1, 1).collide(cn.Pose.at((0, 0), 0), cn.circle(1), cn.Pose.at((1, 0), 0)).normal)
world.destroy()
