"""Every function of cairn.h can be reached from Python objects. A stand-in for the shared library
records which functions are called while use_all() uses the objects."""
import ctypes
import json
import pathlib
import subprocess
import sys
import unittest

API = pathlib.Path(__file__).resolve().parents[3] / "engine" / "bindings" / "api.json"


class Function:
    """A function of the library that records that it was called. ctypes sets its types."""

    def __init__(self, name, function, called):
        object.__setattr__(self, "inner", (name, function, called))

    def __call__(self, *arguments):
        name, function, called = self.inner
        called.add(name)
        return function(*arguments)

    def __setattr__(self, key, value):
        setattr(self.inner[1], key, value)

    @property
    def _as_parameter_(self):
        return self.inner[1]


class Library:
    def __init__(self, path):
        self.library, self.called, self.functions = REAL(path), set(), {}
        Library.only = self

    def __getattr__(self, name):
        function = getattr(self.library, name)
        if not name.startswith("cn_"):
            return function
        return self.functions.setdefault(name, Function(name, function, self.called))


def use_properties(thing):
    """Reads every property, and sets those that can be set to their own values."""
    for name in dir(type(thing)):
        member = getattr(type(thing), name)
        if isinstance(member, property):
            value = getattr(thing, name)
            if member.fset and not hasattr(value, "replace"):
                setattr(thing, name, value)


def use_values(cn):
    pose = cn.Pose.at((1, 2), cn.Rotation.of(0.5).angle)
    assert pose.local_point(pose.point((1, 0))) is not None
    pose.multiply(pose.inverse())
    box = cn.Bounds((0, 0), (2, 2))
    other = cn.Bounds((1, 1), (3, 3))
    assert box.overlap(other) and box.contains((1, 1))
    box.depth(other), box.resolve(other), box.union(other), cn.bounds_crossings(box, other)
    hull = cn.polygon([(0, 0), (2, 0), (0, 1)])
    for h in (cn.circle(1), cn.capsule((0, 0), (1, 0), 0.5), cn.segment((0, 0), (1, 0)),
              cn.box(1, 1), cn.rounded_box(1, 1, 0.1), cn.regular(5, 1), hull.at(pose)):
        h.bounds(pose)
    hull.mass(1), hull.support((1, 0)), hull.project(pose, (0, 1)), hull.contains((0.1, 0.1))
    hull.cast_ray((-1, 0.1), (9, 0))
    a, at = cn.box(1, 1), cn.Pose.at((0, 0), 0)
    cn.collide(a, at, hull, pose), cn.distance(a, at, hull, pose), cn.overlap(a, at, hull, pose)
    cn.clip(a, at, hull, at, 0.01), cn.outline_crossings(a, at, hull, at)
    cn.slice(a, (0, 0), (1, 0), 0.01)
    cn.cast_hull(a, at, (9, 0), hull, pose)
    sweep = cn.Sweep(at, translation=(3, 3), turn=1)
    sweep.pose(0.5), cn.time_of_impact(a, sweep, hull, cn.Sweep(pose))
    assert len(cn.decompose([(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)])) == 2


def use_bodies(cn, world):
    ground = world.body(type="static")
    floor = ground.add_shape(cn.box(50, 1))
    crate = world.body(position=(0, 1.5)).shape(cn.box(0.5, 0.5))
    lift = world.body(type="kinematic", position=(9, 9)).shape(cn.box(1, 1))
    lift.set_target((9, 10), 0, 1)
    use_properties(crate)
    for call in (crate.apply_force, crate.apply_impulse):
        call((1, 0), (0, 2))
    crate.apply_center_force((1, 0)), crate.apply_center_impulse((1, 0))
    crate.apply_torque(1), crate.apply_angular_impulse(1), crate.velocity_at((0, 2))
    crate.reset_mass(), crate.drop_through(0.1), crate.contacts(), crate.ground()
    crate.touching(ground)
    shape = crate.shapes[0]
    shape.medium  # (only a sensor may have one)
    use_properties(floor)
    sensor = ground.add_shape(cn.box(1, 1), sensor=True, medium=dict(density=1))
    use_properties(sensor)
    sensor.overlaps(), shape.contains((0, 2)), shape.cast_ray((-9, 2), (20, 0))
    chain = ground.add_chain([(30, 0), (20, 4), (10, 1)])
    assert chain.segments[0].chain is chain
    chain.destroy()
    tiles = world.body(type="static", position=(0, -20)).add_tiles([[1, 0], [1, 1]], 1)
    use_properties(tiles)
    tiles[1, 0] = not tiles[1, 0]
    tiles.set_tile(0, 0, tiles.get_tile(0, 0)), tiles.set_material(0, tiles.material(0))
    for thing in (crate, shape, tiles):
        assert thing.valid
    assert world.body_in(crate.index) is crate and world.shape_in(shape.index) is shape
    assert world.grid_in(tiles.index) is tiles and world.joint_in(0) is None
    tiles.destroy(), sensor.destroy(), lift.destroy()
    return ground, crate


def use_joints(cn, world, ground):
    def ball(x):
        return world.body(position=(x, 20)).shape(cn.circle(0.3))
    pairs = [(ball(30 + 4 * i), ball(32 + 4 * i)) for i in range(10)]
    points = [a.position + (1, 0) for a, _ in pairs]
    definitions = [
        cn.revolute(*pairs[0], points[0]), cn.prismatic(*pairs[1], points[1], (1, 0)),
        cn.weld(*pairs[2], points[2]), cn.wheel(*pairs[3], points[3], (0, 1)),
        cn.distance_joint(*pairs[4], points[4], points[4] + (1, 0)),
        cn.rope(*pairs[5], points[5], points[5] + (1, 0)),
        cn.spring(*pairs[6], points[6], points[6] + (1, 0)), cn.mouse(*pairs[7], points[7]),
        cn.motor(*pairs[8], 10, 10), cn.filter_joint(*pairs[9])]
    joints = [world.joint(d) for d in definitions]
    assert pairs[0][0].joints == [joints[0]] and list(world.joints) == joints
    knee = joints[0]
    use_properties(knee)
    knee.angle.set(motor=True, speed=1, motor_force=10)
    knee.angle.speed = 2
    joints[2].angle.target = 0.1
    assert knee.angle.value == 0 and knee.angle.rate == 0 and knee.valid
    knee.coupling = cn.Coupling(joints[3], cn.JointAxis.ANGLE, cn.JointAxis.ANGLE, 0.5)
    assert knee.coupling.other is joints[3]
    joints[1].destroy()


def use_queries(cn, world, crate):
    contact = crate.contacts()[0]
    assert contact.seen_from(contact.b.body).b.body is crate
    hull, at = cn.box(1, 1), cn.Pose.at((0, 5), 0)
    world.cast_ray((0, 9), (0, -20)), world.cast_ray_all((0, 9), (0, -20))
    world.cast_rays([(0, 9, 0, -20)]), world.cast_hull(hull, cn.Sweep(at, translation=(0, -9)))
    world.overlap(hull, at), world.overlap_bounds(cn.Bounds((-1, -1), (1, 1))), world.at((0, 0))
    world.nearest(hull, at, 9), world.explode((0, 5), radius=1, falloff=9, impulse_per_length=1)
    world.move_hull(hull, at, (1, -9), snap_distance=1)
    world.contacts()


def use_saving(cn, world):
    with world.record() as recording:
        world.body(position=(90, 9)).shape(cn.circle(1))
        world.step(1 / 60)
    replay = cn.Replay(recording.data)
    replay.text, replay.next(), replay.seek(0), replay.rest(), replay.desync
    cn.cut_recording(recording.data, [True] * replay.position.calls)
    replay.destroy()
    rollback = world.rollback(10)
    rollback.keep(0), rollback.rewind(0)
    assert (rollback.oldest, rollback.newest) == (0, 0)
    rollback.destroy()
    state = world.save()
    world.restore(state)
    with cn.World.load(state) as loaded:
        assert world.compare(loaded) is None


def use_all(cn):
    use_values(cn)
    cn.set_error_hook(lambda kind, text: None)
    cn.set_error_hook(None)
    with cn.World(gravity=(0, -10)) as world:
        use_properties(world)
        world.set_profiling(True)
        ground, crate = use_bodies(cn, world)
        use_joints(cn, world, ground)
        world.set_callbacks(filter=lambda a, b: True)
        crate.set_pose((0, 1.5), 0)
        world.step(1 / 60), world.advance(1 / 30), world.profile
        world.set_callbacks()
        world.shift_origin((1, 0)), world.poses(), world.states(), world.draw("all"), world.hash()
        use_queries(cn, world, crate)
        use_saving(cn, world)
        assert len(list(world.bodies)) and len(list(world.shapes))
        crate.destroy()
        try:
            crate.destroy()
        except cn.CairnError as error:
            assert error.kind is cn.ErrorKind.HANDLE and "cn_body_destroy" in error.text
    if hasattr(cn, "Batch"):
        with cn.Batch(lambda seed: cn.World(), 2) as batch:
            batch.step(1 / 60)
    else:  # without numpy there is no Batch; the function can still be called
        cn._abi.cn_worlds_step(None, 0, 0.01, None)


class Reach(unittest.TestCase):
    def test_every_function_is_called_by_the_objects(self):
        found = subprocess.run([sys.executable, __file__, "--use-all"], capture_output=True,
                               text=True)
        self.assertEqual(found.returncode, 0, found.stderr)
        called = set(found.stdout.split())
        functions = {f["name"] for f in json.loads(API.read_text(encoding="utf-8"))["functions"]}
        self.assertEqual(functions - called, set())


if __name__ == "__main__":
    if "--use-all" in sys.argv:
        REAL, ctypes.CDLL = ctypes.CDLL, Library
        import cairn2d
        use_all(cairn2d)
        print(*Library.only.called)
    else:
        unittest.main()
