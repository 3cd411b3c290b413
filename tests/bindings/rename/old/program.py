"""A program for Cairn 0.1 in Python."""
import cairn2d as cn

world = cn.World(gravity=(0, -10), profile=True)
ground = world.body(type="static")
tiles = ground.add_tiles([[1, 1, 1, 1]], 1)
world.body(type="static", position=(20, 0)).shape(cn.box(5, 1), friction=0.8)


class Player:
    def __init__(self, x, y):
        self.enabled = True  # not that of a body
        self.body = world.body(position=(x, y), speed_limit=40, data=self).shape(
            cn.box(0.5, 0.5), density=2)
        self.foot = self.body.add_shape(cn.circle(0.3))

    def stands(self):
        return self.body.ground((0, 1), 0.7) is not None

    def jump(self):
        self.body.apply_center_impulse((0, 5 * self.body.mass.mass))
        self.body.awake = True

    def freeze(self, on):
        self.body.enabled = not on
        self.enabled = not on


def make_wheel(x, y):
    wheel = world.body(position=(x, y)).shape(cn.regular(6, 0.5), hit_events=True)
    return wheel


player, wheel = Player(1, 3), make_wheel(8, 3)
hinge = world.joint(cn.revolute(ground, wheel, (8, 3)), angle=dict(motor=True, speed=1, motor_force=50))
lift = world.body(type="kinematic", position=(12, 0)).shape(cn.box(1, 0.2))
wheel.set_pose(wheel.position, 0.2)
lift.set_target((12, 1), 0, 1)
hinge.angle.speed = 2
wheel.apply_impulse((0, 1), wheel.center)

for _ in range(60):
    world.step(1 / 60)
    for begin in world.events.begins:
        if begin.a.tiles or begin.b.tiles:
            print("tile", begin.a.tile, begin.b.tile)
player.jump()
player.freeze(False)
tiles.set(0, 0, False)
print([body.index for body in world.bodies if not body.awake], player.stands())
hit = world.cast_ray((0, 9), (0, -20), mask=2)
print(hit and hit.side.tiles is tiles, len(world.at((8, 3))), tiles.get(1, 0))
awake = 0
for body in world.bodies:
    awake += body.awake
print(awake, round(hinge.angle.rate, 1), world.sleeping, hinge.enabled and wheel.enabled)
print(cn.collide(cn.box(1, 1), cn.Pose.at((0, 0), 0), cn.circle(1), cn.Pose.at((1, 0), 0)).normal)
world.destroy()
