"""Every function of cairn.h can be reached from Python objects. A stand-in for the shared library
records which functions are called while use_all() uses the objects."""
import ctypes
import json
import pathlib
import subprocess
import sys
import unittest

API = pathlib.Path(__file__).resolve().parents[3] / "engine" / "bindings" / "api.json"

# World.callbacks returns the functions of Python; C has those that call them.
NOT_CALLED = {"cn_world_callbacks"}


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


class Other:
    """A library with another version and hash, or without these functions."""
    _name = "other"

    def __init__(self, version=None, api_hash=None):
        if version:
            self.cn_version, self.cn_api_hash = lambda: version, lambda: api_hash


def use_properties(thing):
    """Reads every property, and sets those that can be set to their own values."""
    for name in dir(type(thing)):
        member = getattr(type(thing), name)
        if isinstance(member, property):
            value = getattr(thing, name)
            if member.fset:
                setattr(thing, name, value)


def use_values(cn):
    pose = cn.Pose.at((1, 2), cn.Rotation.of(0.5).angle)
    assert pose.local_point(pose.point((1, 0))) is not None
    assert pose.local_direction(pose.direction((1, 0))) is not None
    assert cn.version() == cn.VERSION and cn.api_hash()
    pose.multiply(pose.inverse())
    box = cn.Bounds((0, 0), (2, 2))
    other = cn.Bounds((1, 1), (3, 3))
    assert box.overlap(other) and box.contains((1, 1))
    box.depth(other), box.resolve(other), box.union(other), box.crossings(other)
    hull = cn.polygon([(0, 0), (2, 0), (0, 1)])
    for h in (cn.circle(1), cn.capsule((0, 0), (1, 0), 0.5), cn.segment((0, 0), (1, 0)),
              cn.box(1, 1), cn.rounded_box(1, 1, 0.1), cn.regular_polygon(5, 1), hull.at(pose)):
        h.bounds(pose)
    hull.mass_data(1), hull.support((1, 0)), hull.project(pose, (0, 1)), hull.contains((0.1, 0.1))
    hull.cast_ray((-1, 0.1), (9, 0))
    a, at = cn.box(1, 1), cn.Pose.at((0, 0), 0)
    a.collide(at, hull, pose), a.distance(at, hull, pose), a.mtv(at, hull, pose)
    a.clip(at, hull, at, 0.01), a.crossings(at, hull, at), a.slice((0, 0), (1, 0), 0.01)
    a.cast(at, (9, 0), hull, pose)
    sweep = cn.Sweep(at, translation=(3, 3), turn=1)
    sweep.pose(0.5), a.time_of_impact(sweep, hull, cn.Sweep(pose))
    assert len(cn.outline_decompose([(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)])) == 2


def use_bodies(cn, world):
    ground = world.create_body(type="static")
    floor = ground.create_shape(cn.box(50, 1))
    crate = world.create_body(position=(0, 1.5), shapes=[cn.box(0.5, 0.5)])
    lift = world.create_body(type="kinematic", position=(9, 9), shapes=[cn.box(1, 1)])
    lift.set_target(cn.Pose.at((9, 10), 0), 1)
    use_properties(crate)
    for call in (crate.apply_force_at, crate.apply_impulse_at):
        call((1, 0), (0, 2))
    crate.apply_force((1, 0)), crate.apply_impulse((1, 0))
    crate.apply_torque(1), crate.apply_angular_impulse(1), crate.velocity_at((0, 2))
    crate.set_damping(0.1, 0.2), crate.set_locks(False, False, False)
    crate.reset_mass(), crate.drop_through(0.1), crate.contacts(), crate.ground()
    crate.touches(ground)
    shape = crate.shapes[0]
    shape.medium  # (only a sensor may have one)
    use_properties(floor)
    sensor = ground.create_shape(cn.box(1, 1), sensor=True, medium=dict(density=1))
    use_properties(sensor)
    sensor.sensor_shapes(), shape.contains((0, 2)), shape.cast_ray((-9, 2), (20, 0))
    shape.closest_point((0, 9))
    chain = ground.create_chain([(30, 0), (20, 4), (10, 1)])
    assert chain.segments[0].chain is chain and chain.valid and chain.body is ground
    use_properties(chain)
    assert chain.count == 2 and ground.chains == [chain] and list(world.chains) == [chain]
    assert world.chain_in_slot(chain.slot) is chain and world.chain_in_slot(5) is None
    chain.set_material(1, {"friction": 0.25})
    assert chain.material(1).friction == 0.25 and chain.segments[1].material.friction == 0.25
    hit = world.cast_ray((25, 9), (0, -20))
    assert hit.side.chain is chain and hit.side.segment == 0
    chain.destroy()
    assert not chain.valid and ground.chains == []
    grid = world.create_body(type="static", position=(0, -20)).create_grid([[1, 0], [1, 1]], 1)
    use_properties(grid)
    grid[1, 0] = not grid[1, 0]
    grid.set_tile(0, 0, grid.tile(0, 0)), grid.set_material(0, grid.material(0))
    for thing in (crate, shape, grid):
        assert thing.valid
    assert world.body_in_slot(crate.slot) is crate and world.shape_in_slot(shape.slot) is shape
    assert world.grid_in_slot(grid.slot) is grid and world.joint_in_slot(0) is None
    grid.destroy(), sensor.destroy(), lift.destroy()
    return ground, crate


def use_joints(cn, world, ground):
    def ball(x):
        return world.create_body(position=(x, 20), shapes=[cn.circle(0.3)])
    pairs = [(ball(30 + 4 * i), ball(32 + 4 * i)) for i in range(10)]
    points = [a.position + (1, 0) for a, _ in pairs]
    definitions = [
        cn.revolute_joint(*pairs[0], points[0]), cn.prismatic_joint(*pairs[1], points[1], (1, 0)),
        cn.weld_joint(*pairs[2], points[2]), cn.wheel_joint(*pairs[3], points[3], (0, 1)),
        cn.distance_joint(*pairs[4], points[4], points[4] + (1, 0)),
        cn.rope_joint(*pairs[5], points[5], points[5] + (1, 0)),
        cn.spring_joint(*pairs[6], points[6], points[6] + (1, 0)),
        cn.mouse_joint(*pairs[7], points[7]),
        cn.motor_joint(*pairs[8], 10, 10), cn.filter_joint(*pairs[9])]
    joints = [world.create_joint(d) for d in definitions]
    assert pairs[0][0].joints == [joints[0]] and list(world.joints) == joints
    knee = joints[0]
    use_properties(knee)
    knee.set_anchor("a", knee.anchor("a")), knee.frame("a"), knee.angle.coordinate
    knee.angle.target, knee.angle.motor_speed
    knee.angle.set(motor=True, motor_speed=1, max_motor_force=10)
    knee.angle.motor_speed = 2
    knee.set_frames(knee.definition.frame_a, knee.definition.frame_b), knee.set_break(1e6, 0)
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
    world.overlap(hull, at), world.overlap_bounds(cn.Bounds((-1, -1), (1, 1)))
    world.overlap_point((0, 0))
    world.nearest(hull, at, 9), world.explode((0, 5), radius=1, falloff=9, impulse_per_length=1)
    world.move_hull(hull, at, (1, -9), snap_distance=1)
    world.contacts()


def use_events(cn, world, crate):
    crate.pose = cn.Pose.at((0, 3), 0)
    crate.velocity = (0, -20)
    sides = world.contacts()[0]
    touch = cn.TouchEvent(sides.a, sides.b, (0, 0), (0, 1))
    hit = cn.HitEvent(sides.a, sides.b, (0, 0), (0, 1))
    sensed = cn.SensorEvent(sides.a, sides.b)
    for body in (sides.a.body, sides.b.body):
        assert touch.seen_from(body).a.body is body and hit.seen_from(body).a.body is body
        assert sensed.other_side(body).body is not body


def use_saving(cn, world):
    with world.begin_recording() as recording:
        world.create_body(position=(90, 9), shapes=[cn.circle(1)])
        world.step(1 / 60)
    replay = cn.Replay(recording.data)
    replay.text, replay.next(), replay.seek(0), replay.rest(), replay.desync
    cn.recording_cut(recording.data, [True] * replay.at.calls)
    replay.destroy()
    rollback = world.create_rollback(10)
    rollback.keep(0), rollback.rewind(0)
    assert (rollback.oldest, rollback.newest) == (0, 0)
    rollback.destroy()
    state = world.save()
    world.restore(state)
    with cn.World.load(state) as loaded:
        assert world.compare(loaded) is None


def use_all(cn):
    use_values(cn)
    cn.error_set_hook(lambda kind, text: None)
    cn.error_set_hook(None)
    with cn.World(gravity=(0, -10)) as world:
        use_properties(world)
        world.profiling = True
        world.set_damping(0, 0)
        ground, crate = use_bodies(cn, world)
        use_joints(cn, world, ground)
        for shape in world.shapes:
            shape.custom_filter, shape.pre_solve = True, not shape.pre_solve
        world.callbacks = dict(filter=lambda a, b: True)
        crate.pose = cn.Pose.at((0, 1.5), 0)
        world.step(1 / 60), world.advance(1 / 30), world.profile
        world.callbacks = cn.Callbacks()
        world.shift_origin((1, 0)), world.poses(), world.body_states(), world.draw("all")
        world.hash()
        use_queries(cn, world, crate)
        use_events(cn, world, crate)
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
        self.assertEqual(functions - called, NOT_CALLED)

    def test_a_library_of_another_version_is_refused(self):
        name = r"version \d+\.\d+\.\d+ \(API [0-9a-f]{8}\)"
        for version, found in (((20304, 0x89abcdef), r"version 2\.3\.4 \(API 89abcdef\)"),
                               ((), "an older version")):
            run = subprocess.run([sys.executable, __file__, "--import", *map(str, version)],
                                 capture_output=True, text=True)
            self.assertNotEqual(run.returncode, 0)
            self.assertRegex(run.stderr, f"ImportError: the library other is {found}; "
                                         f"this package is for {name}")


if __name__ == "__main__":
    if "--use-all" in sys.argv:
        REAL, ctypes.CDLL = ctypes.CDLL, Library
        import cairn2d
        use_all(cairn2d)
        print(*Library.only.called)
    elif "--import" in sys.argv:
        ctypes.CDLL = lambda path: Other(*map(int, sys.argv[2:]))
        import cairn2d
    else:
        unittest.main()
