"""The objects of a world: bodies, shapes, chains, grids of tiles, joints.

Most properties and methods are in _calls.py, which generate.py makes. There is one Python object
for each body, shape, joint, chain and grid, so `is` and dictionaries work.
"""
from __future__ import annotations

import ctypes
import weakref
from ctypes import byref
from typing import TYPE_CHECKING, Any, Mapping, Sequence

from ._abi import *
from ._abi import check, raise_error
from ._base import Single, Vector, show
from ._calls import (BodyCalls, ChainCalls, GridCalls, JointCalls, JointCoordinateCalls,
                     ShapeCalls)
from ._values import *
from ._values import CONTACT, read_contact

if TYPE_CHECKING:
    from typing_extensions import Unpack
    from .world import World


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


class Registry(dict):
    """The Python objects of a world by handle. Destroyed objects stay until the events that may
    name them have been replaced: a sweep moves them to `old`, and the next sweep drops them, unless
    the program refers to them. The caller sweeps at most once a step."""

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

    def forget(self):
        """The world is destroyed."""
        self.clear()
        self.old = {}
        self[0] = None

    def sweep(self, pointer):
        self.dropped.update(self.old)
        self.old = {i: o for i, o in self.items() if i and not self.is_valid(pointer, i)}
        for i in self.old:
            del self[i]
        self.limit = 2 * len(self) + 256


class Object(Single):
    """An object of a world. `data` is any Python value of yours; it is not part of the world, so it
    is not saved. (`user_data` is a number that is.)"""
    __slots__ = ("world", "_id", "data", "__weakref__")
    world: World
    _id: int
    data: Any

    def __init__(self, world, id_):
        self.world, self._id, self.data = world, id_, None

    @property
    def valid(self) -> bool:
        raise NotImplementedError

    def _details(self) -> str:
        raise NotImplementedError

    @property
    def slot(self) -> int:
        """The slot of the object: the number in error texts, and for world.body_in_slot(). That of
        a body is its row in world.poses()."""
        return self._id & 0xFFFFFF

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.slot}, {self._details() if self.valid else 'stale'})"


class Body(Object, BodyCalls):
    """A body. world.create_body() creates it. Numbers are in m, kg, s and rad, positions in the
    world."""
    __slots__ = ()

    def create_shape(self, hull: Hull, **settings: Unpack[ShapeDef]) -> Shape:
        """Adds a shape to the body and updates its mass. The settings are those of ShapeDef; those
        of its material and filter may be given directly: friction=0.4, category=2."""
        d = cn_shape_def(hull=hull._struct)
        d.fill(settings)
        return self._create_shape(d)

    def _create_shape(self, d) -> Shape:
        return self.world._created(self.world._shape, cn_shape_create(
            self.world._pointer, self._id, byref(d)))

    def create_chain(self, points: Sequence[Vector], **settings: Unpack[ChainDef]) -> Chain:
        """Adds a chain of segments, solid on the left, going from point to point."""
        d = cn_chain_def()
        d.fill({"points": points, **settings})
        if d.materials and len(settings["materials"]) != d.count - 1 + d.closed:
            raise ValueError("a chain needs as many materials as it has segments")
        return self.world._created(self.world._chain, cn_chain_create(
            self.world._pointer, self._id, byref(d)))

    def create_grid(self, rows: Sequence[Sequence[Any]], tile_size: float,
                    **settings: Unpack[GridDef]) -> Grid:
        """Adds a grid of square tiles. `rows` begins with the lowest row; a tile is a bool or a
        Tile."""
        width = len(rows[0]) if len(rows) else 0
        if any(len(row) != width for row in rows):
            raise ValueError("the rows of tiles have different lengths")
        flat = [tile for row in rows for tile in row]
        d = cn_grid_def(width=width, height=len(rows), tile_size=tile_size)
        if all(isinstance(tile, (bool, int)) or tile in (0, 1) for tile in flat):
            d.fill({"solid": [bool(tile) for tile in flat]})
        else:
            d.fill({"tiles": [Tile(solid=bool(t)) if isinstance(t, (bool, int)) else t
                              for t in flat]})
        d.fill(settings)
        return self.world._created(self.world._grid, cn_grid_create(
            self.world._pointer, self._id, byref(d)))

    def _details(self) -> str:
        return f"{self.type.name.lower()}, at {show(self.position)}"

    def destroy(self) -> None:
        """Destroys the body with its shapes, chains, joints and grids. Wakes its neighbours."""
        if not cn_body_destroy(self.world._pointer, self._id):
            raise_error()

    @property
    def valid(self) -> bool:
        """False after the body or its world was destroyed."""
        return bool(self.world._pointer) and cn_body_valid(self.world._pointer, self._id)

    @BodyCalls.angle.setter  # type: ignore[attr-defined]
    def angle(self, value: float) -> None:
        self.pose = Pose.at(self.position, value)

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
    def chains(self) -> list[Chain]:
        """In the order of their creation."""
        return list(self.world._each(self.world._chain, lambda p, i: cn_body_next_chain(
            p, self._id, i)))

    @property
    def joints(self) -> list[Joint]:
        return list(self.world._each(self.world._joint, lambda p, i: cn_body_next_joint(
            p, self._id, i)))

    def contacts(self) -> list[Contact]:
        """The touching contacts of the body. The body is side a of each, so normals point away from
        it."""
        found = collect(cn_contact, CONTACT, read_contact, self.world, lambda a, n:
                        cn_body_contacts(self.world._pointer, self._id, a, n))
        return [c if c.a.body is self else c.seen_from(self) for c in found]


class Shape(Object, ShapeCalls):
    """A shape of a body. body.create_shape() creates it."""
    __slots__ = ()

    def _details(self) -> str:
        body: Any = self.body
        return f"{'sensor, ' if self.sensor else ''}of body {body.slot}"

    def destroy(self) -> None:
        """Destroys the shape and updates the mass of its body. Wakes."""
        if not cn_shape_destroy(self.world._pointer, self._id):
            raise_error()

    @property
    def valid(self) -> bool:
        return bool(self.world._pointer) and cn_shape_valid(self.world._pointer, self._id)

    def sensor_shapes(self) -> list[Shape]:
        """The shapes that overlapped this sensor after the last step."""
        capacity = 16
        while True:
            array = (c_uint64 * capacity)()
            total = cn_sensor_shapes(self.world._pointer, self._id, array, capacity)
            check()
            if total <= capacity:
                return [self.world._shape(i) for i in array[:total]]
            capacity = total


class Chain(Object, ChainCalls):
    """A chain of segments on a body: smooth ground. body.create_chain() creates it."""
    __slots__ = ()

    def _details(self) -> str:
        body: Any = self.body
        return f"of body {body.slot}"

    @property
    def segments(self) -> list[Shape]:
        """The shapes of the segments that are left, in order."""
        return list(self.world._each(self.world._shape, lambda p, i: cn_chain_next_segment(
            p, self._id, i)))

    def destroy(self) -> None:
        """Destroys all segments that are left. Wakes."""
        if not cn_chain_destroy(self.world._pointer, self._id):
            raise_error()

    @property
    def valid(self) -> bool:
        return bool(self.world._pointer) and cn_chain_valid(self.world._pointer, self._id)


class Grid(Object, GridCalls):
    """A grid of tiles on a static body: smooth ground. body.create_grid() creates it.

    grid[x, y] says whether a tile is solid, and grid[x, y] = False digs a hole."""
    __slots__ = ()

    def _details(self) -> str:
        body: Any = self.body
        return f"{self.width} x {self.height}, of body {body.slot}"

    def __getitem__(self, place: tuple[int, int]) -> bool:
        return self.solid(*place)

    def __setitem__(self, place: tuple[int, int], solid: bool) -> None:
        self.set_solid(*place, solid)

    def destroy(self) -> None:
        """Destroys the grid and wakes the bodies that sleep there."""
        if not cn_grid_destroy(self.world._pointer, self._id):
            raise_error()

    @property
    def valid(self) -> bool:
        return bool(self.world._pointer) and cn_grid_valid(self.world._pointer, self._id)


def _coordinate_field(name: str):
    def get(self):
        return getattr(self.coordinate, name)

    def put(self, value):
        self.set(**{name: value})
    return property(get, put)


class JointCoordinate(JointCoordinateCalls):
    """One coordinate of a joint: joint.x, joint.y or joint.angle. Lengths are in m, angles in rad.
    Setting wakes both bodies. The fields are those of Coordinate: assign to one of them, or change
    several by set(). `coordinate` is all of them; those that are left out of a mapping get their
    defaults."""
    __slots__ = ("joint", "_axis")

    def __init__(self, joint, axis):
        self.joint, self._axis = joint, axis

    def __repr__(self) -> str:
        return f"JointCoordinate({self._axis.name.lower()} of {self.joint!r})"

    def set(self, **fields: Any) -> None:
        """Changes these fields and keeps the others."""
        self.coordinate = self.coordinate._replace(**fields)


for _name in Coordinate._fields:
    if _name not in ("motor_speed", "target"):
        setattr(JointCoordinate, _name, _coordinate_field(_name))


def _axis_property(axis: JointAxis):
    def get(self) -> JointCoordinate:
        return JointCoordinate(self, axis)

    def put(self, value: JointCoordinate | Coordinate | Mapping[str, Any]) -> None:
        made: Any = value.coordinate if isinstance(value, JointCoordinate) else value
        JointCoordinate(self, axis).coordinate = made
    return property(get, put)


class Joint(Object, JointCalls):
    """A joint. world.create_joint() creates it. Its coordinates are x, y and angle."""
    __slots__ = ()
    x = _axis_property(JointAxis.X)
    y = _axis_property(JointAxis.Y)
    angle = _axis_property(JointAxis.ANGLE)

    def _details(self) -> str:
        return f"of bodies {self.a.slot} and {self.b.slot}"

    @property
    def definition(self) -> JointDef:
        """The joint as it is now, to create another one like it."""
        struct = cn_joint_definition(self.world._pointer, self._id)
        check()
        return JointDef(self.world, struct)

    @property
    def a(self) -> Body:
        body: Any = self.bodies.a
        return body

    @property
    def b(self) -> Body:
        body: Any = self.bodies.b
        return body

    @JointCalls.break_force.setter  # type: ignore[attr-defined]
    def break_force(self, value: float) -> None:
        self.set_break(value, self.break_torque)

    @JointCalls.break_torque.setter  # type: ignore[attr-defined]
    def break_torque(self, value: float) -> None:
        self.set_break(self.break_force, value)

    def destroy(self) -> None:
        """Destroys the joint and wakes both bodies."""
        if not cn_joint_destroy(self.world._pointer, self._id):
            raise_error()

    @property
    def valid(self) -> bool:
        """False after the joint was destroyed or broke."""
        return bool(self.world._pointer) and cn_joint_valid(self.world._pointer, self._id)
