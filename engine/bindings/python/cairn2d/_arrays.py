"""Arrays for bulk reads: of numpy if it is installed, else of ctypes."""
from __future__ import annotations

import ctypes
from typing import Any

from ._abi import cn_pose, cn_rotation, vec2s
from ._base import Struct

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]

_dtypes: dict = {}


def _fields(kind, base=0):
    for name, inner in kind._fields_:
        offset = base + getattr(kind, name).offset
        if inner is cn_pose:  # `pose` becomes `position` and `rotation`
            yield from _fields(cn_pose, offset)
        else:
            yield name, dtype(inner), offset


def dtype(kind) -> Any:
    """The numpy type of a type of ctypes. Vectors and rotations are pairs of floats."""
    if kind in (vec2s, cn_rotation):
        return numpy.dtype((numpy.float32, (2,)))
    if kind is cn_pose:
        return numpy.dtype((numpy.float32, (4,)))
    if kind in _dtypes:
        return _dtypes[kind]
    if issubclass(kind, ctypes.Array):
        made = numpy.dtype((dtype(kind._type_), (kind._length_,)))
    elif issubclass(kind, Struct):
        names, formats, offsets = zip(*_fields(kind))
        made = numpy.dtype({"names": names, "formats": formats, "offsets": offsets,
                            "itemsize": ctypes.sizeof(kind)})
    else:
        made = numpy.dtype(kind)
    _dtypes[kind] = made
    return made


def empty(kind, count: int) -> Any:
    """An array of `count` values, not initialised."""
    return numpy.empty(count, dtype(kind)) if numpy else (kind * count)()


def address(array) -> Any:
    """The address of an array, as an argument for C."""
    return pointer(array) if numpy and isinstance(array, numpy.ndarray) else \
        ctypes.addressof(array) if isinstance(array, ctypes.Array) else \
        ctypes.addressof(ctypes.c_char.from_buffer(array))


def require_poses(out, *worlds: int) -> None:
    """Refuses an array that C may not write poses into. It has to be (bodies, 4), or (worlds, bodies,
    4) float32."""
    view = memoryview(out)
    shape: Any = view.shape
    if view.format != "f" or view.readonly or not view.c_contiguous or \
            len(shape) != len(worlds) + 2 or shape[:-2] != worlds or shape[-1] != 4:
        raise ValueError("`out` has to be a contiguous array of float32 that can be written, of "
                         f"the shape ({''.join(f'{n}, ' for n in worlds)}bodies, 4)")


_Pointer = ctypes.c_char * 0


def pointer(array) -> Any:
    """The address of an array of numpy, as an argument for C. Faster than array.ctypes."""
    try:
        return _Pointer.from_buffer(array)
    except (TypeError, ValueError):  # (it is read-only, or not contiguous)
        return array.ctypes.data


def copy(kind, data: bytes) -> Any:
    """A copy of the values in bytes, as an array."""
    if numpy:
        return numpy.frombuffer(bytearray(data), dtype(kind))
    return (kind * (len(data) // ctypes.sizeof(kind))).from_buffer_copy(data)


def floats(count: int, width: int) -> tuple[Any, Any]:
    """An array of `count` rows of `width` floats, and its address."""
    if numpy:
        array = numpy.empty((count, width), numpy.float32)
        return array, pointer(array)
    block = (ctypes.c_float * (count * width))()
    view = memoryview(block).cast("B")
    return view.cast("f", (count, width)) if count else view.cast("f"), ctypes.addressof(block)


class Cells:
    """The pointers of all worlds in one array, so that a call for many worlds finds them by one
    look-up. The cell of a destroyed world is 0. It is used again when no Python object refers to
    the world any more."""

    def __init__(self):
        self.table = numpy.zeros(64, numpy.uintp) if numpy else [0] * 64
        self.address = pointer(self.table) if numpy else None
        self.free = list(range(64))

    def take(self, world: int) -> int:
        if not self.free:
            count = len(self.table)
            self.table = numpy.concatenate([self.table, self.table * 0]) if numpy else \
                self.table + [0] * count
            self.address = pointer(self.table) if numpy else None
            self.free = list(range(count, 2 * count))
        cell = self.free.pop()
        self.table[cell] = world
        return cell


cells = Cells()
