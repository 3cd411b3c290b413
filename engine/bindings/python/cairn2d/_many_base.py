"""Calls for many objects at once: what the generated classes Bodies, Shapes, Joints, Grids use."""
from __future__ import annotations

import enum
from typing import Any, Sequence

import numpy

from . import _abi, world as _world
from ._abi import c_int, c_void_p, lib, raise_error
from ._arrays import dtype
from ._base import member


class Group:
    """Objects of one kind, of one or several worlds, as arrays of worlds and of handles. It can be
    indexed like an array: group[mask] is the group of some of them, group[i] is one object."""
    __slots__ = ("_objects", "_pointers", "_ids", "_seen")

    def __init__(self, objects: Sequence[Any]):
        self._objects = numpy.empty(len(objects), object)
        self._objects[:] = objects
        self._ids = numpy.array([o._id for o in objects], numpy.uint64)
        self._look()

    def _look(self):
        """Finds the worlds again: a world may have been destroyed since."""
        self._seen = _world.destroyed[0]
        self._pointers = numpy.array([o.world._pointer or 0 for o in self._objects], numpy.uintp)

    def __len__(self) -> int:
        return len(self._ids)

    def __getitem__(self, which) -> Any:
        found = self._objects[which]
        if not isinstance(found, numpy.ndarray):
            return found
        if self._seen != _world.destroyed[0]:
            self._look()
        group = object.__new__(type(self))
        group._objects, group._ids = found, self._ids[which]
        group._pointers, group._seen = self._pointers[which], self._seen
        return group

    def __setitem__(self, i: int, new: Any) -> None:
        """Replaces one object."""
        self._objects[i], self._ids[i] = new, new._id
        self._pointers[i] = new.world._pointer or 0

    def __iter__(self):
        return iter(self._objects)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {len(self)}>"


class Many:
    """One function of many.c. The first kind is that of its results, None if it has none."""

    def __init__(self, name, result, *kinds):
        self.function = getattr(lib, name)
        self.result = result and _storage(result)
        self.converters = [(k, _storage(k)) for k in kinds]
        self.function.restype = c_int
        self.function.argtypes = [c_int, *[c_void_p] * (2 + len(kinds) + bool(result))]

    def call(self, group, *values):
        if len(values) != len(self.converters):
            raise TypeError(f"{len(self.converters)} arguments are needed, not {len(values)}")
        if group._seen != _world.destroyed[0]:
            group._look()
        count = len(group._ids)
        arrays = [_enter(v, k, d, count, group) for v, (k, d) in zip(values, self.converters)]
        if self.result is not None:
            arrays.append(numpy.empty(count, self.result))
        done = self.function(count, group._pointers.ctypes.data, group._ids.ctypes.data,
                             *[a.ctypes.data for a in arrays])
        if done < count:
            try:
                raise_error()
            except _abi.CairnError as error:
                error.args = (f"object {done} of the group: {error.text}",)
                raise
        return arrays[-1] if self.result is not None else None

    def property(self, setter: Many | None = None) -> Any:
        return property(self.call, setter.call if setter else None)

    def method(self) -> Any:
        return lambda group, *values: self.call(group, *values)


def _storage(kind):
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        kind = c_int
    return dtype(kind)


def _enter(value, kind, storage, count, group):
    """The array of an argument: one value for all objects, or a row for each."""
    if isinstance(value, Group):
        if any(a is not b for a, b in zip((o.world for o in value), (o.world for o in group))):
            raise ValueError("the objects of the two groups are not of the same worlds")
        value = value._ids
    elif hasattr(value, "_id"):
        value = value._id
    elif isinstance(value, str):
        value = member(kind)(None, value)
    elif isinstance(value, tuple) and storage.names or hasattr(value, "_struct"):
        value = numpy.frombuffer(bytes(kind.make(value)), storage)[0]
    base = storage.base if storage.subdtype else storage
    array = numpy.asarray(value, base)
    return numpy.ascontiguousarray(numpy.broadcast_to(array, (count, *storage.shape)))
