"""Worlds and their objects.

What needs no code by hand is in _calls.py: most properties and methods of World, Body, Shape,
Joint and Tiles. Here are the calls that create and destroy, lists, queries, callbacks, and objects
that Python users expect. There is one Python object for each body, shape, joint, chain and grid,
so `is` and dictionaries work.
"""
from __future__ import annotations

import ctypes
import weakref
from ctypes import byref
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, NamedTuple, Sequence

from . import _arrays, _values
from ._abi import *
from ._abi import CALLBACKS, check, lib, raise_error
from ._arrays import cells
from ._base import Vec2, Vector, fail, handle, member, unwrap
from ._calls import BodyCalls, JointCalls, ShapeCalls, TilesCalls, WorldCalls
from ._values import *
from ._values import (CONTACT, COORDINATE, DIFFERENCE, MOVE, NEIGHBOR, SIDE, WORLD_HIT, read_contact,
                      read_coordinate, read_difference, read_move, read_neighbor, read_pose,
                      read_side, read_world_hit, POSE)

if TYPE_CHECKING:
    from typing_extensions import Unpack
    from .saving import Recording, Rollback

lib.cairn2d_pre_solve.restype = None
PRE_SOLVE = ctypes.CFUNCTYPE(None, c_void_p, c_void_p)


def collect(kind, format_, read, world, call) -> list:
    """All results of a call that writes an array."""
    capacity = 16
    while True:
        array = (kind * capacity)()
        total = call(array, capacity)
        check()
        if total <= capacity:
            return [read(world, v) for v in
                    format_.iter_unpack(ctypes.string_at(array, total * sizeof(kind)))]
        capacity = total


# ---- objects

class Registry(dict):
    """The Python objects of a world by handle. Destroyed objects stay until the events that may
    name them have been replaced: a sweep sets them aside, and the next sweep drops them. The caller
    sweeps at most once a step."""

    def __init__(self, world, kind, is_valid):
        super().__init__({0: None})
        self.world, self.kind, self.is_valid = weakref.ref(world), kind, is_valid
        self.old: dict = {}
        self.dropped: weakref.WeakValueDictionary = weakref.WeakValueDictionary()
        self.limit = 256

    def __missing__(self, id_):
        found = self.old.get(id_) or self.dropped.get(id_) or self.kind(self.world(), id_)
        self[id_] = found
        return found

    def sweep(self, pointer):
        self.dropped.update(self.old)
        self.old = {i: o for i, o in self.items() if i and not self.is_valid(pointer, i)}
        for i in self.old:
            del self[i]
        self.limit = 2 * len(self) + 256


class Object:
    """An object of a world. `data` is any Python value of yours; it is not part of the world, so it
    is not saved. (`user_data` is a number that is.)"""
    __slots__ = ("world", "_id", "data", "__weakref__")
    world: World
    _id: int
    data: Any

    def __init__(self, world, id_):
        self.world, self._id, self.data = world, id_, None

    @property
    def index(self) -> int:
        """The slot: its row in world.poses(), and its name in the texts of errors."""
        return self._id & 0xFFFFFF

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.index}>"


class Body(Object, BodyCalls):
    """A body. world.body() creates it. Numbers are in m, kg, s and rad, positions in the world."""
    __slots__ = ()

    def shape(self, hull: Hull, **settings: Unpack[ShapeDef]) -> Body:
        """Adds a shape and returns the body: add_shape() for chains of calls."""
        self.add_shape(hull, **settings)
        return self

    def add_shape(self, hull: Hull, **settings: Unpack[ShapeDef]) -> Shape:
        """Adds a shape to the body and updates its mass. The settings are those of ShapeDef; those
        of its material and filter may be given directly: friction=0.4, category=2."""
        d = cn_shape_def(hull=hull._struct)
        d.fill(settings)
        return self.world._created(self.world._shape, cn_shape_create(
            self.world._pointer, self._id, byref(d)))

    def add_chain(self, points: Sequence[Vector], **settings: Unpack[ChainDef]) -> Chain:
        """Adds a chain of segments, solid on the left, going from point to point."""
        d = cn_chain_def()
        d.fill({"points": points, **settings})
        if d.materials and len(settings["materials"]) != d.count - 1 + d.closed:
            raise ValueError("a chain needs as many materials as it has segments")
        chain = cn_chain_create(self.world._pointer, self._id, byref(d))
        if not chain.id:
            raise_error()
        return self.world._chain(chain)

    def add_tiles(self, rows: Sequence[Sequence[Any]], tile_size: float,
                  **settings: Unpack[TilesDef]) -> Tiles:
        """Adds a grid of square tiles. `rows` come from below; a tile is a bool or a Tile."""
        width = len(rows[0]) if len(rows) else 0
        if any(len(row) != width for row in rows):
            raise ValueError("the rows of tiles have different lengths")
        flat = [tile for row in rows for tile in row]
        d = cn_tiles_def(width=width, height=len(rows), tile_size=tile_size)
        if all(isinstance(tile, (bool, int)) or tile in (0, 1) for tile in flat):
            d.fill({"solid": [bool(tile) for tile in flat]})
        else:
            d.fill({"tiles": [Tile(solid=bool(t)) if isinstance(t, (bool, int)) else t
                              for t in flat]})
        d.fill(settings)
        return self.world._created(self.world._grid, cn_tiles_create(
            self.world._pointer, self._id, byref(d)))

    def destroy(self) -> None:
        """Destroys the body with its shapes, joints and grids. Wakes its neighbours."""
        if not cn_body_destroy(self.world._pointer, self._id):
            raise_error()

    @property
    def valid(self) -> bool:
        """False after the body was destroyed, or its world."""
        return bool(self.world._pointer) and cn_body_valid(self.world._pointer, self._id)

    @BodyCalls.position.setter  # type: ignore[attr-defined]
    def position(self, value: Vector) -> None:
        self.set_pose(value, self.angle)

    @BodyCalls.angle.setter  # type: ignore[attr-defined]
    def angle(self, value: float) -> None:
        self.set_pose(self.position, value)

    @BodyCalls.linear_damping.setter  # type: ignore[attr-defined]
    def linear_damping(self, value: float) -> None:
        self.set_damping(value, self.angular_damping)

    @BodyCalls.angular_damping.setter  # type: ignore[attr-defined]
    def angular_damping(self, value: float) -> None:
        self.set_damping(self.linear_damping, value)

    @property
    def locks(self) -> tuple[bool, bool, bool]:
        """Whether the body is locked along x, along y, and in its rotation."""
        x, y, rotation = c_bool(), c_bool(), c_bool()
        cn_body_locks(self.world._pointer, self._id, byref(x), byref(y), byref(rotation))
        check()
        return x.value, y.value, rotation.value

    @locks.setter
    def locks(self, value: tuple[bool, bool, bool]) -> None:
        self.set_locks(*value)

    @property
    def shapes(self) -> list[Shape]:
        """In the order of their creation."""
        return list(self.world._each(self.world._shape, lambda p, i: cn_body_next_shape(
            p, self._id, i)))

    @property
    def joints(self) -> list[Joint]:
        return list(self.world._each(self.world._joint, lambda p, i: cn_body_next_joint(
            p, self._id, i)))

    def contacts(self) -> list[Contact]:
        """The touching contacts of the body, which is side a of each: normals point away from it."""
        found = collect(cn_contact, CONTACT, read_contact, self.world, lambda a, n:
                        cn_body_contacts(self.world._pointer, self._id, a, n))
        return [c if c.a.body is self else c.seen_from(self) for c in found]


class Shape(Object, ShapeCalls):
    """A shape of a body. body.add_shape() creates it."""
    __slots__ = ()

    def destroy(self) -> None:
        """Destroys the shape and updates the mass of its body. Wakes."""
        if not cn_shape_destroy(self.world._pointer, self._id):
            raise_error()

    @property
    def valid(self) -> bool:
        return bool(self.world._pointer) and cn_shape_valid(self.world._pointer, self._id)

    @property
    def chain(self) -> Chain | None:
        """The chain that the shape is a segment of."""
        chain = cn_shape_chain(self.world._pointer, self._id)
        check()
        return self.world._chain(chain) if chain.id else None

    def overlaps(self) -> list[Shape]:
        """The shapes that overlapped this sensor after the last step."""
        capacity = 16
        while True:
            array = (c_uint64 * capacity)()
            total = cn_shape_overlaps(self.world._pointer, self._id, array, capacity)
            check()
            if total <= capacity:
                return [self.world._shape(i) for i in array[:total]]
            capacity = total


class Chain:
    """A chain of segments on a body: smooth ground. body.add_chain() creates it."""
    __slots__ = ("world", "_struct", "data", "__weakref__")
    world: World
    data: Any

    def __init__(self, world, struct):
        self.world, self._struct, self.data = world, struct, None

    @property
    def body(self) -> Body:
        return self.world._body(self._struct.body)

    @property
    def segments(self) -> list[Shape]:
        """The shapes of the chain in order."""
        return list(self.world._each(self.world._shape, lambda p, i: cn_chain_next_segment(
            p, self._struct, i)))

    def destroy(self) -> None:
        """Destroys all segments that are left. Wakes."""
        if not cn_chain_destroy(self.world._pointer, self._struct):
            raise_error()


class Tiles(Object, TilesCalls):
    """A grid of tiles on a static body: smooth ground. body.add_tiles() creates it.

    tiles[x, y] tells whether a tile is solid, and tiles[x, y] = False digs a hole."""
    __slots__ = ()

    def __getitem__(self, place: tuple[int, int]) -> bool:
        return self.get(*place)

    def __setitem__(self, place: tuple[int, int], solid: bool) -> None:
        self.set(*place, solid)

    def destroy(self) -> None:
        """Destroys the grid and wakes the bodies that sleep there."""
        if not cn_tiles_destroy(self.world._pointer, self._id):
            raise_error()

    @property
    def valid(self) -> bool:
        return bool(self.world._pointer) and cn_tiles_valid(self.world._pointer, self._id)


def _coordinate_field(name: str):
    def get(self):
        return getattr(self.get(), name)

    def put(self, value):
        self.set(**{name: value})
    return property(get, put)


class JointCoordinate:
    """One coordinate of a joint: joint.x, joint.y or joint.angle. Lengths are in m, angles in rad.
    Setting wakes both bodies. The fields are those of Coordinate; assign to one of them, or change
    several by set()."""
    __slots__ = ("joint", "_axis")

    def __init__(self, joint, axis):
        self.joint, self._axis = joint, axis

    def get(self) -> Coordinate:
        """All fields as they are now."""
        struct = getattr(self.joint._definition(), self._axis.name.lower())
        return read_coordinate(self.joint.world, COORDINATE.unpack_from(struct))

    def set(self, **fields: Any) -> None:
        """Changes these fields and keeps the others."""
        self.replace(self.get()._replace(**fields))

    def replace(self, coordinate: Coordinate | Mapping[str, Any]) -> None:
        """Sets all fields."""
        d = cn_coordinate.make(coordinate)
        if not cn_joint_set_coordinate(self.joint.world._pointer, self.joint._id, self._axis,
                                       byref(d)):
            raise_error()

    @property
    def value(self) -> float:
        """Where the coordinate is."""
        result = cn_joint_value(self.joint.world._pointer, self.joint._id, self._axis)
        check()
        return result

    @property
    def rate(self) -> float:
        """How fast the value changes, m/s or rad/s."""
        result = cn_joint_speed(self.joint.world._pointer, self.joint._id, self._axis)
        check()
        return result

    @property
    def speed(self) -> float:
        """What the motor aims at, m/s or rad/s. Setting it is cheap, for control in every step. It
        wakes nothing if the value is the same as before."""
        return self.get().speed

    @speed.setter
    def speed(self, value: float) -> None:
        if not cn_joint_set_speed(self.joint.world._pointer, self.joint._id, self._axis, value):
            raise_error()

    @property
    def target(self) -> float:
        """The value at which the coordinate is locked, or at which its spring is at rest."""
        return self.get().target

    @target.setter
    def target(self, value: float) -> None:
        if not cn_joint_set_target(self.joint.world._pointer, self.joint._id, self._axis, value):
            raise_error()


for _name in Coordinate._fields:
    if _name not in ("speed", "target"):
        setattr(JointCoordinate, _name, _coordinate_field(_name))


def _axis_property(axis: JointAxis):
    def get(self) -> JointCoordinate:
        return JointCoordinate(self, axis)

    def put(self, value: Coordinate | Mapping[str, Any]) -> None:
        JointCoordinate(self, axis).replace(value)
    return property(get, put)


class Joint(Object, JointCalls):
    """A joint. world.joint() creates it. Its coordinates are x, y and angle."""
    __slots__ = ()
    x = _axis_property(JointAxis.X)
    y = _axis_property(JointAxis.Y)
    angle = _axis_property(JointAxis.ANGLE)

    def _definition(self):
        struct = cn_joint_get(self.world._pointer, self._id)
        check()
        return struct

    @property
    def definition(self) -> JointDef:
        """The joint as it is now, to create another one like it."""
        return JointDef(self.world, self._definition())

    @property
    def a(self) -> Body:
        return self.world._body(self._definition().a)

    @property
    def b(self) -> Body:
        return self.world._body(self._definition().b)

    @property
    def frames(self) -> tuple[Pose, Pose]:
        """The frames of the joint in the frames of a and b."""
        d = self._definition()
        return (read_pose(None, POSE.unpack_from(d.frame_a)),
                read_pose(None, POSE.unpack_from(d.frame_b)))

    @frames.setter
    def frames(self, value: tuple[Pose, Pose]) -> None:
        self.set_frames(*value)

    @property
    def polar(self) -> bool:
        return self._definition().polar

    @polar.setter
    def polar(self, value: bool) -> None:
        self.set_polar(value)

    @property
    def collide_connected(self) -> bool:
        return self._definition().collide_connected

    @collide_connected.setter
    def collide_connected(self, value: bool) -> None:
        self.set_collide_connected(value)

    @property
    def enabled(self) -> bool:
        return not self._definition().disabled

    @enabled.setter
    def enabled(self, value: bool) -> None:
        self.set_enabled(value)

    @property
    def breaks_at(self) -> tuple[float, float]:
        """The force (N) and the torque (N m) that destroy the joint; 0: unbreakable."""
        d = self._definition()
        return d.break_force, d.break_torque

    @breaks_at.setter
    def breaks_at(self, value: tuple[float, float]) -> None:
        self.set_break(*value)

    def destroy(self) -> None:
        """Destroys the joint and wakes both bodies."""
        if not cn_joint_destroy(self.world._pointer, self._id):
            raise_error()

    @property
    def valid(self) -> bool:
        """False after the joint was destroyed or broke."""
        return bool(self.world._pointer) and cn_joint_valid(self.world._pointer, self._id)


# ---- what a step tells

class Events:
    """The events of the last step: world.events. Each kind is a list of named tuples; array() gives
    the same as an array. The object keeps its events when the world goes on."""
    __slots__ = ("_world", "_bytes")
    begins: list[TouchEvent]
    ends: list[TouchEvent]
    hits: list[HitEvent]
    bodies: list[BodyEvent]
    broken: list[JointEvent]
    sensor_begins: list[SensorEvent]
    sensor_ends: list[SensorEvent]
    moved: list[MoveEvent]
    KINDS: dict[str, Any] = {name: getattr(kind, "_type_") for name, kind in cn_events._fields_
                             if hasattr(kind, "contents")}

    def __init__(self, world, struct):
        self._world = world
        self._bytes = {}
        for name, kind in self.KINDS.items():
            count = getattr(struct, name.removesuffix("s") + "_count", None)
            if count is None:
                count = getattr(struct, {"bodies": "body"}.get(name, name) + "_count")
            if count:
                self._bytes[name] = unwrap(getattr(struct, name), count, sizeof(kind))

    def __getattr__(self, name):
        if name not in self.KINDS:
            raise AttributeError(name)
        format_, read = _values.READERS[self.KINDS[name]]
        return [read(self._world, v) for v in format_.iter_unpack(self._bytes.get(name, b""))]

    def array(self, name: str) -> Any:
        """The events of a kind as a structured array of numpy, else as an array of ctypes. Objects
        are numbers: see World.find()."""
        return _arrays.copy(self.KINDS[name], self._bytes.get(name, b""))

    def __repr__(self) -> str:
        counts = (f"{len(b) // sizeof(self.KINDS[n])} {n}" for n, b in self._bytes.items())
        return f"<Events {', '.join(counts) or 'none'}>"


class Drawing(NamedTuple):
    """A drawing for debugging: three vertices (position, color 0xRRGGBBAA) per triangle, two per
    line."""
    triangles: Any
    lines: Any
    force_scale: float  # N that a line of 1 m at a joint stands for


class Profile(NamedTuple):
    """Seconds of the last step, by stage and in all."""
    stages: dict[str, float]
    total: float


# ---- worlds

class Guard:
    """What the worlds of a batch have in common, and every other world has for itself."""
    __slots__ = ("busy", "failed")

    def __init__(self):
        self.busy = 0  # calls of C that are running
        self.failed: list = []  # worlds whose callbacks raised


class World(WorldCalls):
    """A world. The settings are those of WorldDef, for example gravity=(0, -10), threads=2.

    Destroy it by destroy() or use it in a with statement; otherwise it is destroyed when nothing
    refers to it any more. Every wrong call raises CairnError and changes nothing."""
    __slots__ = ("_pointer", "_cell", "_guard", "_registries", "_body", "_shape", "_joint", "_grid", "_chains",
                 "_functions", "_thunks", "_pending", "_kept", "_slots", "_owner", "_recording", "__weakref__")

    def __init__(self, **settings: Unpack[WorldDef]):
        self._pointer = None
        d = cn_world_def()
        d.fill(settings)
        self._start(cn_world_create(byref(d)), d)

    def _start(self, pointer, kept=None, owner=None):
        if not pointer:
            raise_error()
        self._pointer, self._kept, self._owner = pointer, kept, owner
        self._guard, self._slots, self._cell = Guard(), 64, cells.take(pointer)
        self._registries = [
            Registry(self, Body, cn_body_valid), Registry(self, Shape, cn_shape_valid),
            Registry(self, Joint, cn_joint_valid), Registry(self, Tiles, cn_tiles_valid)]
        self._body, self._shape, self._joint, self._grid = (
            r.__getitem__ for r in self._registries)
        self._chains = weakref.WeakValueDictionary()
        self._recording = None
        self._functions: dict = {}
        self._thunks: list = []
        self._pending: list = []

    @classmethod
    def load(cls, data: bytes, **settings: Unpack[WorldDef]) -> World:
        """Creates a world in the state in bytes from save(). Of the settings it uses allocator,
        tasks, threads, lanes, profile and move_events."""
        world = cls.__new__(cls)
        world._pointer = None
        d = cn_world_def()
        d.fill(settings)
        world._start(cn_world_load(byref(d), None, data, len(data)), d)
        return world

    def destroy(self) -> None:
        """Destroys the world and all that is in it. Does nothing if it is destroyed already."""
        if not self._pointer:
            return
        if self._guard.busy:
            raise fail(5, "a world cannot be destroyed while it steps or a callback runs")
        pointer, self._pointer = self._pointer, None
        if self._owner is None:
            cn_world_destroy(pointer)
        cells.table[self._cell] = 0
        for registry in self._registries:
            registry.clear()
            registry.old = {}
        self._thunks = []

    def __del__(self):
        if self._pointer and not self._guard.busy:
            self.destroy()
        if hasattr(self, "_cell"):
            cells.free.append(self._cell)

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: Any) -> None:
        self.destroy()

    def __repr__(self) -> str:
        if not self._pointer:
            return "<World, destroyed>"
        c = self.counters
        return f"<World: {c.bodies} bodies, {c.shapes} shapes, {c.joints} joints, step {c.steps}>"

    # -- objects

    def _created(self, find, id_):
        if not id_:
            raise_error()
        return find(id_)

    def _chain(self, struct) -> Chain:
        key = (struct.body, struct.id)
        return self._chains.get(key) or self._chains.setdefault(key, Chain(self, struct))

    def _each(self, find, following) -> Iterator[Any]:
        """The object after the present one is found first, so the present one may be destroyed."""
        current = following(self._pointer, 0)
        check()
        while current:
            after = following(self._pointer, current)
            check()
            yield find(current)
            current = after

    def body(self, **settings: Unpack[BodyDef]) -> Body:
        """Creates a body without shapes. The settings are those of BodyDef, for example
        position=(0, 10), type="static". `data` may be any Python value of yours."""
        data = settings.pop("data", None)
        d = cn_body_def()
        d.fill(settings)
        body = self._created(self._body, cn_body_create(self._pointer, byref(d)))
        body.data = data
        return body

    def joint(self, definition: JointDef, **changes: Any) -> Joint:
        """Creates a joint from a definition, for example of revolute(), with these changes:
        world.joint(revolute(a, b, (1, 9)), angle=dict(motor=True, speed=2, motor_force=80)).
        A coordinate that is given as a mapping keeps its other fields."""
        if definition.world is not self:
            raise fail(4, "the joint is defined for bodies of another world")
        d = cn_joint_def.from_buffer_copy(definition._struct)
        for name, value in changes.items():
            inner = getattr(d, name, None)
            if isinstance(inner, cn_coordinate) and isinstance(value, Mapping):
                inner.fill(value)
            else:
                d.fill({name: value}, self)
        return self._created(self._joint, cn_joint_create(self._pointer, byref(d)))

    @property
    def bodies(self) -> Iterator[Body]:
        """All bodies in slot order. The one that the loop is at may be destroyed."""
        return self._each(self._body, cn_world_next_body)

    @property
    def shapes(self) -> Iterator[Shape]:
        """All shapes in slot order, except those of tiles."""
        return self._each(self._shape, cn_world_next_shape)

    @property
    def joints(self) -> Iterator[Joint]:
        return self._each(self._joint, cn_world_next_joint)

    def find(self, kind: type, id_: int) -> Any:
        """The object of a number in an array of states or events, for example find(Body, 4294967296)."""
        return next(r for r in self._registries if r.kind is kind)[int(id_)]

    # -- steps

    def step(self, dt: float = 1 / 60) -> None:
        """Advances the world by dt seconds, 0..1."""
        self._guard.busy += 1
        try:
            done = cn_world_step(self._pointer, dt)
        finally:
            self._guard.busy -= 1
        self._after(done)

    def advance(self, frame_seconds: float) -> int:
        """Advances the world by the time of a frame, in whole steps of time_step. Returns how many
        steps it took. Draw the bodies at body.drawn_pose for smooth motion."""
        self._guard.busy += 1
        try:
            steps = cn_world_advance(self._pointer, frame_seconds)
        finally:
            self._guard.busy -= 1
        self._after(steps >= 0)
        return steps

    def _after(self, done):
        """Raises what callbacks raised, else the error of the step."""
        if self._thunks and not self._guard.busy:
            self._thunks = [self._functions["thunks"]] if self._functions else []
        if self._pending:
            error = self._pending[0]
            self._pending = []
            self._guard.failed.clear()
            cn_error_clear()
            raise error
        if not done or self._functions:
            check()
        for registry in self._registries:
            if len(registry) > registry.limit:
                registry.sweep(self._pointer)

    # -- callbacks

    def set_callbacks(self, *, filter: Callable[[Shape, Shape], bool] | None = None,
                      pre_solve: Callable[[Contact], Any] | None = None,
                      before_step: Callable[[float], None] | None = None) -> None:
        """Replaces all callbacks; None: none.

        filter(a, b)          whether two shapes may collide at all, always with the same answer
        pre_solve(contact)    what a touching contact does in this step: None as usual, False
                              nothing, else a PreSolveResult
        before_step(dt)       before each step of advance(): for forces, targets, speeds of motors

        filter and pre_solve run within a step: they may read the world but not change it. They may
        run on any thread. The first exception that a callback raises is raised again after the
        step; callbacks after it are not called in that step."""
        self._functions = {"filter": filter, "pre_solve": pre_solve, "before_step": before_step}
        thunks = _make_thunks(weakref.ref(self), filter, pre_solve, before_step)
        self._thunks.append(thunks)  # (the old ones may be running)
        self._functions["thunks"] = thunks
        d = cn_callbacks(**{n: ctypes.cast(f, c_void_p) for n, f in thunks.items() if n != "hooks"})
        if pre_solve:
            d.pre_solve = ctypes.cast(lib.cairn2d_pre_solve, c_void_p)
            d.user = ctypes.addressof(thunks["hooks"])
        if not cn_world_set_callbacks(self._pointer, d):
            raise_error()
        if not (filter or pre_solve or before_step):
            self._functions = {}

    def _set_callback(self, name, function):
        now = {n: f for n, f in self._functions.items() if n != "thunks"}
        self.set_callbacks(**{**now, name: function})

    @property
    def filter(self) -> Callable[[Shape, Shape], bool] | None:
        """Whether two shapes may collide at all: see set_callbacks()."""
        return self._functions.get("filter")

    @filter.setter
    def filter(self, function: Callable[[Shape, Shape], bool] | None) -> None:
        self._set_callback("filter", function)

    @property
    def pre_solve(self) -> Callable[[Contact], Any] | None:
        """What a touching contact does in this step: see set_callbacks()."""
        return self._functions.get("pre_solve")

    @pre_solve.setter
    def pre_solve(self, function: Callable[[Contact], Any] | None) -> None:
        self._set_callback("pre_solve", function)

    @property
    def before_step(self) -> Callable[[float], None] | None:
        """Called before each step of advance(): see set_callbacks()."""
        return self._functions.get("before_step")

    @before_step.setter
    def before_step(self, function: Callable[[float], None] | None) -> None:
        self._set_callback("before_step", function)

    # -- bulk reads

    @property
    def events(self) -> Events:
        """The events of the last step, or of all steps of the last advance()."""
        struct = cn_world_events(self._pointer)
        check()
        return Events(self, struct)

    def states(self, drawn: bool = False) -> Any:
        """All bodies in slot order as a structured array with the fields body (a number: see
        find()), user_data, position, rotation (cosine and sine) and awake. Without numpy it is an
        array of ctypes."""
        while True:
            array = _arrays.empty(cn_body_state, self._slots)
            total = cn_world_bodies(self._pointer, _arrays.address(array), self._slots, drawn)
            check()
            if total <= self._slots:
                return array[:total]
            self._slots = total

    def poses(self, drawn: bool = False, out: Any = None) -> Any:
        """The poses of all bodies by slot (body.index), as rows of four float32: x, y, cosine and
        sine. Rows of empty slots are zeros. It is an array of numpy, else a memoryview. `out`: such
        an array, contiguous, that is filled instead of a new one."""
        if out is not None:
            total = cn_world_poses(self._pointer, _arrays.address(out), len(out), drawn)
            check()
            return out[:total]
        while True:
            array, address = _arrays.floats(self._slots, 4)
            total = cn_world_poses(self._pointer, address, self._slots, drawn)
            check()
            if total <= self._slots:
                return array[:total]
            self._slots = total

    def contacts(self) -> list[Contact]:
        """The touching contacts, of sleeping bodies too."""
        return collect(cn_contact, CONTACT, read_contact, self,
                       lambda a, n: cn_world_contacts(self._pointer, a, n))

    @property
    def profile(self) -> Profile:
        """The stages of the last step, if profiling is on: set_profiling()."""
        p = cn_world_profile(self._pointer)
        check()
        names = (name.decode() for name in p.names[:p.count])
        return Profile(dict(zip(names, p.seconds)), p.total)

    def draw(self, flags: DrawFlags | str = DrawFlags.SHAPES) -> Drawing:
        """A drawing of the world for debugging: draw(DrawFlags.SHAPES | DrawFlags.JOINTS)."""
        d = cn_drawing()
        if not cn_world_draw(self._pointer, member(DrawFlags)(None, flags), byref(d)):
            raise_error()
        size = sizeof(cn_draw_vertex)
        return Drawing(
            _arrays.copy(cn_draw_vertex, unwrap(d.triangles, d.triangle_vertices, size)),
            _arrays.copy(cn_draw_vertex, unwrap(d.lines, d.line_vertices, size)), d.force_scale)

    # -- queries. Their settings are those of Query; `mask` and `category` may be given directly.

    def cast_ray(self, origin: Vector, translation: Vector,
                 **query: Unpack[Query]) -> WorldHit | None:
        """The nearest hit of a ray from origin to origin + translation."""
        with _Asking(self, query) as q:
            hit = cn_world_cast_ray(self._pointer, vec2s(*origin), vec2s(*translation), q)
        return read_world_hit(self, WORLD_HIT.unpack_from(hit)) if hit.hit else None

    def cast_ray_all(self, origin: Vector, translation: Vector,
                     **query: Unpack[Query]) -> list[WorldHit]:
        """All shapes and tiles that a ray hits, sorted by fraction."""
        with _Asking(self, query) as q:
            return collect(cn_world_hit, WORLD_HIT, read_world_hit, self, lambda a, n:
                           cn_world_cast_ray_all(self._pointer, vec2s(*origin), vec2s(*translation),
                                                 q, a, n))

    def cast_rays(self, rays: Any, **query: Unpack[Query]) -> Any:
        """The nearest hits of many rays, on the threads of the world. `rays`: rows of origin x, y
        and translation x, y. Returns a structured array with the fields hit, side, fraction, point,
        normal; without numpy an array of ctypes."""
        count = len(rays)
        given: Any
        if _arrays.numpy:
            given = _arrays.numpy.ascontiguousarray(rays, _arrays.numpy.float32).reshape(count, 4)
        else:
            given = (cn_ray * count)(*[cn_ray((x, y), (dx, dy)) for x, y, dx, dy in rays])
        hits = _arrays.empty(cn_world_hit, count)
        with _Asking(self, query) as q:
            if not cn_world_cast_rays(self._pointer, _arrays.address(given), count, q,
                                      _arrays.address(hits)):
                raise_error()
        return hits

    def cast_hull(self, hull: Hull, sweep: Sweep | Mapping[str, Any],
                  **query: Unpack[Query]) -> WorldHit | None:
        """The first shape or tile that a hull touches while it moves along a sweep."""
        s = cn_sweep.make(sweep)
        with _Asking(self, query) as q:
            hit = cn_world_cast_hull(self._pointer, byref(hull._struct), byref(s), q)
        return read_world_hit(self, WORLD_HIT.unpack_from(hit)) if hit.hit else None

    def overlap(self, hull: Hull, pose: Pose, **query: Unpack[Query]) -> list[Side]:
        """All shapes, then all tiles, that overlap or touch a hull at a pose."""
        with _Asking(self, query) as q:
            return collect(cn_side, SIDE, read_side, self, lambda a, n: cn_world_overlap(
                self._pointer, byref(hull._struct), cn_pose.make(pose), q, a, n))

    def overlap_bounds(self, bounds: Bounds, **query: Unpack[Query]) -> list[Side]:
        """All shapes whose axis-aligned boxes overlap a box: cheaper and less exact."""
        with _Asking(self, query) as q:
            return collect(cn_side, SIDE, read_side, self, lambda a, n: cn_world_overlap_bounds(
                self._pointer, cn_bounds.make(bounds), q, a, n))

    def at(self, point: Vector, **query: Unpack[Query]) -> list[Side]:
        """All shapes that contain a point."""
        with _Asking(self, query) as q:
            return collect(cn_side, SIDE, read_side, self, lambda a, n: cn_world_at(
                self._pointer, vec2s(*point), q, a, n))

    def nearest(self, hull: Hull | None, pose: Pose, greatest_distance: float,
                **query: Unpack[Query]) -> Neighbor | None:
        """The shape nearest to a hull at a pose; hull None: to the position of the pose."""
        with _Asking(self, query) as q:
            found = cn_world_nearest(self._pointer, byref(hull._struct) if hull else None,
                                     cn_pose.make(pose), greatest_distance, q)
        return read_neighbor(self, NEIGHBOR.unpack_from(found)) if found.found else None

    def explode(self, position: Vector, **settings: Unpack[Explosion]) -> int:
        """Pushes dynamic bodies away from a point, by impulse_per_length (N s/m), fully up to
        `radius` and falling to 0 over `falloff` (m). Returns how many bodies it pushed."""
        query = {k: settings.pop(k) for k in list(settings)  # type: ignore[misc]
                 if k not in cn_explosion._names_}
        d = cn_explosion(position=vec2s(*position))
        d.fill(settings, self)
        with _Asking(self, query) as q:
            if q is not None:
                d.query = q._obj
            return cn_world_explode(self._pointer, byref(d))

    def move_hull(self, hull: Hull, pose: Pose, translation: Vector,
                  **settings: Unpack[MoveDef]) -> Move:
        """Moves a hull that walks, jumps and slides; see MoveDef and Move. It changes nothing: apply
        the pushes yourself, and call it once per step."""
        query = {k: settings.pop(k) for k in list(settings)  # type: ignore[misc]
                 if k not in cn_move_def._names_}
        d = cn_move_def()
        d.fill(settings, self)
        with _Asking(self, query) as q:
            if q is not None:
                d.query = q._obj
            move = cn_world_move_hull(self._pointer, byref(hull._struct), cn_pose.make(pose),
                                      vec2s(*translation), byref(d))
        return read_move(self, MOVE.unpack_from(move))

    # -- saving

    def save(self, parts: SaveParts | str = SaveParts.ALL) -> bytes:
        """The state of the world as bytes, equal on every machine. "moving": without scenery, for
        saves in memory."""
        which, capacity = member(SaveParts)(None, parts), 0
        while True:
            block = ctypes.create_string_buffer(capacity)
            size = cn_world_save(self._pointer, which, block, capacity)
            check()
            if size <= capacity:
                return block.raw[:size]
            capacity = size

    def restore(self, data: bytes) -> None:
        """Sets the world to a saved state. Objects that come back are the Python objects that you
        still refer to; others are new ones, without their `data`."""
        if not cn_world_restore(self._pointer, data, len(data)):
            raise_error()

    def compare(self, other: World) -> Difference | None:
        """Where the states of two worlds differ."""
        result = cn_world_compare(self._pointer, other._pointer)
        check()
        return read_difference(self, DIFFERENCE.unpack_from(result)) if result.part else None

    def rollback(self, frames: int) -> Rollback:
        """A ring buffer for the last states of the world."""
        from .saving import Rollback
        return Rollback(self, frames)

    def record(self, file: Any = None) -> Recording:
        """Begins to record the calls on the world: into a file, or in memory. Use it in a with
        statement, or end it by end()."""
        from .saving import Recording
        return Recording(self, file)


# ---- how Python functions are called by C

class _Asking:
    """The query of a call. Raises what its accept() raised, and the error of the call."""
    __slots__ = ("world", "settings", "errors", "thunk")

    def __init__(self, world, settings):
        self.world, self.settings, self.errors = world, settings, []

    def __enter__(self):
        self.world._guard.busy += 1
        if not self.settings:
            return None
        try:
            return self._make()
        except BaseException:
            self.world._guard.busy -= 1
            raise

    def _make(self):
        d = cn_query()
        settings = dict(self.settings)
        accept = settings.pop("accept", None)
        d.fill(settings, self.world)
        if accept:
            world, errors = self.world, self.errors

            def call(_, side, __):
                if errors:
                    return False
                try:
                    return bool(accept(read_side(world, SIDE.unpack_from(side))))
                except BaseException as error:
                    errors.append(error)
                    return False
            self.thunk = CALLBACKS["cn_query.accept"](call)
            d.accept = ctypes.cast(self.thunk, c_void_p)
        return byref(d)

    def __exit__(self, kind, *_):
        self.world._guard.busy -= 1
        if self.errors:
            cn_error_clear()
            raise self.errors[0]
        if kind is None:
            check()


def _make_thunks(reference, filter_, pre_solve, before_step) -> dict:
    """The functions that C calls. They keep an exception in the world, for after the step."""
    def guard(function, default):
        def call(*arguments):
            world = reference()
            if world is None or world._pending:
                return default
            world._guard.busy += 1
            try:
                return function(world, *arguments)
            except BaseException as error:
                world._pending.append(error)
                world._guard.failed.append(world)
                return default
            finally:
                world._guard.busy -= 1
        return call

    def call_filter(world, _, a, b, __):
        return bool(filter_(world._shape(a), world._shape(b)))

    def call_pre_solve(world, contact, result):
        contact = CONTACT.unpack_from((ctypes.c_char * sizeof(cn_contact)).from_address(contact))
        answer = pre_solve(read_contact(world, contact))
        if answer is not None:
            answer = PreSolveResult(disabled=True) if answer is False else answer
            made = cn_pre_solve_result.make(answer)
            ctypes.memmove(result, byref(made), sizeof(made))

    def call_before_step(world, _, time_step, __):
        before_step(time_step)

    thunks: dict = {}
    if filter_:
        thunks["filter"] = CALLBACKS["cn_callbacks.filter"](guard(call_filter, True))
    if pre_solve:
        thunks["pre_solve"] = PRE_SOLVE(guard(call_pre_solve, None))
        thunks["hooks"] = (c_void_p * 1)(ctypes.cast(thunks["pre_solve"], c_void_p))
    if before_step:
        thunks["before_step"] = CALLBACKS["cn_callbacks.before_step"](guard(call_before_step, None))
    return thunks
