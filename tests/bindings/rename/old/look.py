"""Calls of Cairn 0.1 that need a person."""
import cairn2d as cn

world = cn.World()
recording = world.record()
crate = world.body()
hinge = world.joint(cn.revolute(crate, None, (0, 0)))
hinge.breaks_at = 1, 2
hinge.frames = hinge.frames
world.set_callbacks(filter=lambda a, b: False)
world.pre_solve = None
foot = crate.shape(cn.box(1, 1)).shape(cn.circle(1))
sole = (lambda: crate.shape(cn.circle(2)))()
least = 0.5
print(crate.ground((0, 1), least), crate.set_pose((1, 2), 0), crate.set_target(position=(1, 2), angle=0, seconds=1))
crate.set_pose(position=(1, 2), angle=0)
query = dict(filter=mine)
query.filter = mine
print(sides[0].part == "tiles", lamp.mass.mass, cn.collide(-hull, a, hull, b))
states = world.states()
print(states["awake"].sum(), lamp.index)
recording.end()
