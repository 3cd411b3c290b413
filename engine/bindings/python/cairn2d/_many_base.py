"""Calls for many objects at once: the base of the generated Bodies, Shapes, Joints, Grids
and Chains."""
from __future__ import annotations

import enum
from typing import Any, Iterable

import numpy

from ._abi import c_int, c_uint64, c_void_p, lib, raise_error
from ._arrays import cells, dtype, pointer
from ._base import CairnError, member


class Group:
    """Objects of one kind, of one or several worlds, as arrays of worlds and of handles. It can be
    indexed like an array: group[mask] is the group of some of them, group[i] is one object."""
    __slots__ = ("_objects", "_cells", "_ids", "_addresses", "__weakref__")

    kind: str  # the class of the objects

    def __init__(self, objects: Iterable[Any]):
        objects = list(objects)
        for o in objects:
            if type(o).__name__ != self.kind:
                raise TypeError(f"{o!r} is no {self.kind}")
        array = numpy.empty(len(objects), object)
        array[:] = objects
        self._fill(array, numpy.array([o.world._cell for o in objects], numpy.intp),
                   numpy.array([o._id for o in objects], numpy.uint64))

    def _fill(self, objects, cells_, ids):
        self._objects, self._cells, self._ids = objects, cells_, ids
        self._addresses = pointer(cells_), pointer(ids)
        return self

    def __len__(self) -> int:
        return len(self._ids)

    def __getitem__(self, which) -> Any:
        found = self._objects[which]
        if not isinstance(found, numpy.ndarray):
            return found
        parts = (found, self._cells[which], self._ids[which])
        return object.__new__(type(self))._fill(*(a if a.base is None else a.copy() for a in parts))

    def __setitem__(self, i: int, new: Any) -> None:
        """Replaces one object."""
        if type(new).__name__ != self.kind:
            raise TypeError(f"{new!r} is no {self.kind}")
        self._objects[i], self._cells[i], self._ids[i] = new, new.world._cell, new._id

    def __iter__(self):
        return iter(self._objects)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} objects)"


class Many:
    """One function of many.c. `result` is the kind of its results, or None; `kinds` are those of
    its arguments."""

    def __init__(self, name, result, *kinds):
        self.function = getattr(lib, name)
        self.result = result and _storage(result)
        self.converters = [(k, _storage(k)) for k in kinds]
        self.function.restype = c_int
        self.function.argtypes = [c_int, *[c_void_p] * (3 + len(kinds) + bool(result))]

    def call(self, group, *values):
        if len(values) != len(self.converters):
            raise TypeError(f"{len(self.converters)} arguments are needed, not {len(values)}")
        count = len(group._ids)
        arrays = [_enter(v, k, d, count, group) for v, (k, d) in zip(values, self.converters)]
        if self.result is not None:
            arrays.append(numpy.empty(count, self.result))
        done = self.function(count, cells.address, *group._addresses, *map(pointer, arrays))
        if done < count:
            _fail(done)
        return arrays[-1] if self.result is not None else None

    def property(self, setter: Many | None = None) -> Any:
        return property(self.call, setter.call if setter else None)

    def method(self) -> Any:
        return lambda group, *values: self.call(group, *values)


def _storage(kind):
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        kind = c_int
    return dtype(c_uint64 if isinstance(kind, str) else kind)


def _fail(done):
    try:
        raise_error()
    except CairnError as error:
        error.args = (f"object {done} of the group: {error.text}",)
        raise


def _enter(value, kind, storage, count, group):
    """The array of an argument: one value for all objects, or a row for each."""
    if isinstance(kind, str) and (isinstance(value, Group) or hasattr(value, "_id")):
        value = _enter_objects(value, kind, group)
    elif isinstance(value, str):
        value = member(kind)(None, value)
    elif storage.names and isinstance(value, list):
        value = numpy.frombuffer(b"".join(bytes(kind.make(v)) for v in value), storage)
    elif isinstance(value, tuple) and storage.names or hasattr(value, "_struct") or \
            hasattr(value, "keys"):
        value = numpy.frombuffer(bytes(kind.make(value)), storage)[0]
    base, shape = (storage.base, storage.shape) if storage.subdtype else (storage, ())
    array = numpy.ascontiguousarray(value, base)
    if array.shape == (count, *shape):
        return array
    return numpy.ascontiguousarray(numpy.broadcast_to(numpy.asarray(value, base), (count, *shape)))


def _enter_objects(value, kind, group):
    """The numbers of a group of objects, or of one object for all."""
    is_group = isinstance(value, Group)
    if (value.kind if is_group else type(value).__name__) != kind:
        raise TypeError(f"{value!r} is no {kind}")
    if not numpy.array_equal(value._cells if is_group else
                             numpy.full(len(group), value.world._cell), group._cells):
        raise ValueError("the objects are not of the same worlds as those of the group")
    return value._ids if is_group else value._id


MOTION = numpy.dtype({
    "names": ["position", "rotation", "velocity", "angle", "angular_velocity", "asleep"],
    "formats": [(numpy.float32, 2), (numpy.float32, 2), (numpy.float32, 2), numpy.float32,
                numpy.float32, numpy.bool_],
    "offsets": [0, 8, 16, 24, 28, 32], "itemsize": 36})
lib.cairn2d_motions.restype = c_int
lib.cairn2d_motions.argtypes = [c_int, c_void_p, c_void_p, c_void_p, c_void_p]


def read_states(group) -> Any:
    """The motion of all bodies by one call: a structured array with the fields position (m),
    rotation (cosine and sine), velocity (m/s), angle (rad), angular_velocity (rad/s), asleep."""
    array = numpy.empty(len(group), MOTION)
    done = lib.cairn2d_motions(len(array), cells.address, *group._addresses, pointer(array))
    if done < len(array):
        _fail(done)
    return array
