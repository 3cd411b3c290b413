"""Hulls and joint definitions: values that keep their C struct, because calls take the whole
struct."""
from __future__ import annotations

from ctypes import byref, c_int
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

from ._abi import (check, cn_hull, cn_hull_clip, cn_hull_slice, cn_mass_data, cn_pose, vec2s)
from ._base import Vec2, Vector, no_field, show

if TYPE_CHECKING:
    from ._values import Hull, MassData, Pose
    from .objects import Body
    from .world import World


def collect(kind: Any, call: Callable[[Any, int], int], convert: Callable[[Any], Any]) -> list:
    """All results of a call that writes an array."""
    capacity = 16
    while True:
        array = (kind * capacity)()
        total = call(array, capacity)
        check()
        if total <= capacity:
            return [convert(item) for item in array[:total]]
        capacity = total


def collect_vectors(call: Callable[[Any, int], int]) -> list[Vec2]:
    return collect(vec2s, call, lambda v: Vec2(v.x, v.y))


def collect_hulls(call: Callable[[Any, int], int]) -> list[Hull]:
    from ._values import Hull
    return collect(cn_hull, call, lambda h: Hull(cn_hull.from_buffer_copy(h)))


class HullBase:
    """The base of the generated class Hull. A hull does not change."""
    __slots__ = ("_struct",)

    def __init__(self, struct):
        self._struct = struct

    @property
    def vertices(self) -> tuple[Vec2, ...]:
        """Counter-clockwise, in the frame of the hull, m."""
        s = self._struct
        return tuple(Vec2(v.x, v.y) for v in s.vertices[:s.count])

    @property
    def normals(self) -> tuple[Vec2, ...]:
        """The outward unit normals of the edges from each vertex to the next one."""
        s = self._struct
        count = {1: 0}.get(s.count, s.count)
        return tuple(Vec2(v.x, v.y) for v in s.normals[:count])

    @property
    def radius(self) -> float:
        """The radius by which the polygon of the vertices is rounded, m."""
        return self._struct.radius

    def clip(self, pose_a: Pose | Mapping[str, Any] | Sequence[Any], b: Hull,
             pose_b: Pose | Mapping[str, Any] | Sequence[Any],
             tolerance: float) -> tuple[list[Vec2], MassData]:
        """The common part with another hull: the corners of its outline, counter-clockwise, in
        which arcs are chords to the tolerance (m), and its exact area, inertia and centroid (at
        density 1)."""
        from ._values import MASS_DATA, read_mass_data
        exact = cn_mass_data()
        points = collect_vectors(lambda p, n: cn_hull_clip(
            byref(self._struct), cn_pose.make(pose_a), byref(b._struct), cn_pose.make(pose_b),
            tolerance, p, n, byref(exact)))
        return points, read_mass_data(None, MASS_DATA.unpack_from(exact))

    def slice(self, point: Vector, normal: Vector,
              tolerance: float) -> tuple[list[Hull], list[Hull]]:
        """Cuts the hull in two along the line through a point. Returns the hulls in front of the
        line, where the normal points, and those behind it."""
        front = c_int()
        hulls = collect_hulls(lambda a, n: cn_hull_slice(
            self._struct, vec2s(*point), vec2s(*normal), tolerance, a, n, byref(front)))
        return hulls[:front.value], hulls[front.value:]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HullBase) and bytes(self._struct) == bytes(other._struct)

    def __hash__(self) -> int:
        return hash(bytes(self._struct))

    def __repr__(self) -> str:
        points = ", ".join(f"({x:g}, {y:g})" for x, y in self.vertices)
        return f"Hull({points}; radius {self.radius:g})"


class JointDef:
    """The definition of a joint: cn_joint_def. Its fields are attributes, which may be changed
    before world.create_joint() creates the joint."""
    __slots__ = ("world", "_struct")
    world: World
    a: Body
    b: Body

    def __init__(self, world, struct):
        object.__setattr__(self, "world", world)
        object.__setattr__(self, "_struct", struct)

    def __copy__(self) -> JointDef:
        return JointDef(self.world, type(self._struct).from_buffer_copy(self._struct))

    def __deepcopy__(self, memo: Any) -> JointDef:
        return self.__copy__()

    def __getattr__(self, name: str) -> Any:
        from ._values import READERS
        if name not in self._struct._names_:
            raise AttributeError(no_field("JointDef", name, self._struct._names_))
        value = getattr(self._struct, name)
        if name in ("a", "b"):
            return self.world._body(value)
        if type(value) in READERS:
            format_, read = READERS[type(value)]
            return read(self.world, format_.unpack_from(value))
        return value

    def __repr__(self) -> str:
        names = (n for n, _ in self._struct._fields_ if n != "failure")
        return f"JointDef({', '.join(f'{n}={show(getattr(self, n))}' for n in names)})"

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._struct._names_:
            raise AttributeError(no_field("JointDef", name, self._struct._names_))
        self._struct.fill({name: value}, self.world)
