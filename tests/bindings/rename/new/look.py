"""Calls of Cairn 0.1 that need a person."""
import cairn2d as cn

world = cn.World()
recording = world.begin_recording()
crate = world.create_body()
hinge = world.create_joint(cn.revolute_joint(crate, None, (0, 0)))
hinge.breaks_at = 1, 2
hinge.frames = hinge.frames
world.set_callbacks(filter=lambda a, b: False)
world.pre_solve = None
foot = crate.create_shape(cn.box(1, 1)).create_shape(cn.circle(1))
sole = (lambda: crate.create_shape(cn.circle(2)))()
least = 0.5
print(crate.ground((0, 1), math.acos(least)), crate.set_pose((1, 2), 0), crate.set_target(position=(1, 2), angle=0, seconds=1))
crate.set_pose(position=(1, 2), angle=0)
query = dict(filter=mine)
query.filter = mine
print(sides[0].part == "grids", lamp.mass, (-hull).collide(a, hull, b))
states = world.body_states()
print(states["awake"].sum(), lamp.index)
recording.end()
