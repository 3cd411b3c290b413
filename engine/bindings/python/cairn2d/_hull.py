"""Hulls and joint definitions: values that keep their C struct, because calls take the whole
struct."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._base import Vec2

if TYPE_CHECKING:
    from .objects import Body
    from .world import World


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

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HullBase) and bytes(self._struct) == bytes(other._struct)

    def __hash__(self) -> int:
        return hash(bytes(self._struct))

    def __repr__(self) -> str:
        points = ", ".join(f"({x:g}, {y:g})" for x, y in self.vertices)
        return f"<Hull {points}; radius {self.radius:g}>"


class JointDef:
    """The definition of a joint: cn_joint_def. Its fields are attributes, which may be changed
    before world.joint() creates the joint."""
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
        value = getattr(self._struct, name)
        if name in ("a", "b"):
            return self.world._body(value)
        if type(value) in READERS:
            format_, read = READERS[type(value)]
            return read(self.world, format_.unpack_from(value))
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        self._struct.fill({name: value}, self.world)
