"""A program for type checkers: each line that they must refuse says so."""
import cairn2d as cn

world = cn.World(gravity=(0, -10), threads=2)
floor: cn.Body = world.create_body(type="static", shapes=[cn.box(50, 1)])
crate = world.create_body(position=(0, 10), shapes=[
    cn.box(1, 1), dict(hull=cn.circle(1), density=2)])
shape: cn.Shape = crate.create_shape(cn.box(0.5, 0.5), density=2, friction=0.4)
x: float = crate.position.x
crate.velocity = cn.Vec2(1, 2)  # (pyright and mypy 1.16 take any pair)
hit: "cn.WorldHit | None" = world.cast_ray((0, 9), (0, -9), ignore=crate)
for event in world.events.hits:
    speed: float = event.approach_speed
joint: cn.Joint = world.create_joint(cn.revolute_joint(floor, crate, (0, 1)),
                                     angle=dict(motor=True))
joint.angle.motor_speed = 4.0
world.create_body(positon=(0, 0))  # type: ignore[call-arg]
crate.velocity = 3  # type: ignore[assignment]
