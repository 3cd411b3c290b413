"""A program for type checkers: each line that they must refuse says so."""
import cairn2d as cn

world = cn.World(gravity=(0, -10), threads=2)
floor: cn.Body = world.body(type="static").shape(cn.box(50, 1))
crate = world.body(position=(0, 10)).shape(cn.box(0.5, 0.5), density=2, friction=0.4)
x: float = crate.position.x
crate.velocity = cn.Vec2(1, 2)  # (pyright and mypy 1.16 take any pair)
hit: "cn.WorldHit | None" = world.cast_ray((0, 9), (0, -9), ignore=crate)
for event in world.events.hits:
    speed: float = event.approach_speed
joint: cn.Joint = world.joint(cn.revolute(floor, crate, (0, 1)), angle=dict(motor=True))
joint.angle.speed = 4.0
world.body(positon=(0, 0))  # type: ignore[call-arg]
crate.velocity = 3  # type: ignore[assignment]
