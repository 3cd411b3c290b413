"""The base of the generated modules: vectors, errors, and converters from Python values to C."""
from __future__ import annotations

import ctypes
import difflib
import enum
import functools
import math
import operator
import os
import pathlib
import sys
from typing import Any, Iterable, Iterator, NamedTuple, Sequence, Tuple, Union

Vector = Union["Vec2", Tuple[float, float], Sequence[float]]
Bytes = Union[bytes, bytearray, memoryview]


def find_library() -> str:
    """The path of the shared library: CAIRN2D_LIBRARY if it is set, else beside this module."""
    suffix = {"win32": "dll", "darwin": "dylib"}.get(sys.platform, "so")
    default = pathlib.Path(__file__).with_name(f"libcairn2d.{suffix}")
    return os.environ.get("CAIRN2D_LIBRARY") or str(default)


def describe_version(number: int, api_hash: int) -> str:
    return f"{number // 10000}.{number // 100 % 100}.{number % 100} (API {api_hash:08x})"


def check_library(library: Any, version: int, api_hash: int) -> None:
    """Raises ImportError if the library was built from another cairn.h."""
    try:
        found = library.cn_version() & 0xffffffff, library.cn_api_hash() & 0xffffffff
    except AttributeError:  # (they came with these functions)
        found = None
    if found and found[1] == api_hash:
        return
    is_version = f"version {describe_version(*found)}" if found else "an older version"
    raise ImportError(f"the library {library._name} is {is_version}; this package is for version "
                      f"{describe_version(version, api_hash)}")


class Vec2(NamedTuple):
    """A point or direction: a tuple (x, y) that can be added, subtracted and scaled."""
    x: float
    y: float

    def __add__(self, other: Vector) -> Vec2:  # type: ignore[override]
        return Vec2(self[0] + other[0], self[1] + other[1])

    def __radd__(self, other: Vector) -> Vec2:
        return Vec2(other[0] + self[0], other[1] + self[1])

    def __sub__(self, other: Vector) -> Vec2:
        return Vec2(self[0] - other[0], self[1] - other[1])

    def __rsub__(self, other: Vector) -> Vec2:
        return Vec2(other[0] - self[0], other[1] - self[1])

    def __mul__(self, factor: float) -> Vec2:  # type: ignore[override]
        return Vec2(self[0] * factor, self[1] * factor)

    def __rmul__(self, factor: float) -> Vec2:  # type: ignore[override]
        return Vec2(self[0] * factor, self[1] * factor)

    def __truediv__(self, divisor: float) -> Vec2:
        return Vec2(self[0] / divisor, self[1] / divisor)

    def __neg__(self) -> Vec2:
        return Vec2(-self[0], -self[1])

    @property
    def length(self) -> float:
        return math.hypot(self[0], self[1])

    def dot(self, other: Vector) -> float:
        return self[0] * other[0] + self[1] * other[1]

    def cross(self, other: Vector) -> float:
        """The z component of the cross product: positive if `other` is counter-clockwise."""
        return self[0] * other[1] - self[1] * other[0]

    def __repr__(self) -> str:
        return f"Vec2(x={self[0]:.7g}, y={self[1]:.7g})"


new: Any = tuple.__new__  # new(Vec2, (x, y)) is Vec2(x, y), in half the time

# ---- structs for people

def no_field(what: str, name: object, names: Iterable[str]) -> str:
    """The text of an error: there is no field of this name, but perhaps one that is near."""
    plain = {n.replace("_", ""): n for n in sorted(names)}
    near = difflib.get_close_matches(str(name).lower().replace("_", ""), plain, 1)
    return f"{what} has no field {name!r}" + (f": did you mean {plain[near[0]]!r}?" if near else "")


def show(value: Any) -> str:
    """A value within the text of a struct. Numbers have the digits of a float of C."""
    if isinstance(value, enum.IntFlag):
        return str(int(value))
    if isinstance(value, enum.IntEnum):
        return repr(value.name.lower())
    if isinstance(value, float):
        return f"{value:.7g}"
    if isinstance(value, Vec2) or type(value) is tuple:
        return f"({', '.join(show(v) for v in value)})"
    return repr(value)


def named(cls):
    """A decorator of named tuples: their text is short, and an unknown field is an error that names
    the field that was probably meant."""
    make, replace, names = cls.__new__, cls._replace, frozenset(cls._fields)

    def check(fields):
        for name in fields:
            if name not in names:
                raise TypeError(no_field(cls.__name__, name, names))

    @functools.wraps(make)
    def __new__(kind, *values, **fields):
        check(fields)
        return make(kind, *values, **fields)

    def _replace(self, /, **fields):
        check(fields)
        return replace(self, **fields)

    def __repr__(self):
        items = ", ".join(f"{n}={show(v)}" for n, v in zip(self._fields, self))
        return f"{cls.__name__}({items})"
    cls.__new__, cls._replace, cls.__repr__ = __new__, _replace, __repr__
    return cls


# ---- from Python to C

def integer(lower: int, upper: int):
    """A converter to int. It refuses numbers that ctypes would cut off."""
    def convert(world, value):
        number = operator.index(value)
        if not lower <= number <= upper:
            raise OverflowError(f"{number} is not in {lower}..{upper}")
        return number
    return convert


def boolean(world, value):
    return bool(value)


def member(kind):
    """A converter to a value of an enumeration: a member, its name in any case, or a number."""
    def convert(world, value):
        if not isinstance(value, str):
            return int(kind(value))
        try:
            return int(kind[value.upper()])
        except KeyError:
            names = ", ".join(repr(m.name.lower()) for m in kind)
            raise ValueError(f"{value!r} is not one of {names}") from None
    return convert


def handle(kind: str):
    """A converter to the number of an object of a class and of this world; 0 for None."""
    def convert(world, value):
        if value is None:
            return 0
        if type(value).__name__ != kind:
            raise TypeError(f"{value!r} is no {kind}")
        if world is not None and value.world is not world:
            raise fail(4, f"{value!r} belongs to another world")
        return value._id
    return convert


def struct(kind):
    """A converter to a struct."""
    def convert(world, value):
        return kind.make(value, world)
    return convert


def array(kind, count=None):
    """A converter to an array that C reads. `count` is the field that gets the number of values."""
    def convert(world, value):
        if kind.__name__ == "vec2s":
            value = [(x, y) for x, y in value]
        elif issubclass(kind, Struct):
            value = [kind.make(item, world) for item in value]
        return (kind * len(value))(*value)
    convert.count = count
    return convert


class Struct(ctypes.Structure):
    """A struct of cairn.h that can be filled from Python values."""
    _names_: frozenset = frozenset()
    _enter_: dict = {}  # converters of the fields; those of floats are not needed
    _parts_: tuple = ()  # structs in it whose fields may be given as if they were its own

    @classmethod
    def make(cls, value, world=None):
        """Makes it from a struct, a hull, a mapping, a named tuple, or the values of the first
        fields. A hull is also enough where a hull is the first field."""
        if type(value) is cls:
            return value
        inner = getattr(value, "_struct", None)
        if type(inner) is cls:
            return inner
        made = cls()
        if inner is not None and type(inner) is cls._fields_[0][1]:
            setattr(made, cls._fields_[0][0], inner)
            return made
        if hasattr(value, "keys"):
            made.fill(value, world)
        elif value is not None:
            names = getattr(value, "_fields", None) or [name for name, _ in cls._fields_]
            if len(value) > len(names):
                raise TypeError(f"{cls.__name__} has {len(names)} fields, not {len(value)}")
            made.fill(dict(zip(names, value)), world)
        return made

    def fill(self, values, world=None):
        for name, value in values.items():
            if not self._put(name, value, world):
                raise TypeError(no_field(self._title(), name, self._every_name()))
        return self

    @classmethod
    def _title(cls) -> str:
        return "".join(p.capitalize() for p in cls.__name__.removeprefix("cn_").split("_"))

    def _every_name(self) -> set[str]:
        return set(self._names_).union(*(getattr(self, part)._every_name() for part in self._parts_))

    def __repr__(self) -> str:
        items = ", ".join(f"{name}={show(getattr(self, name))}" for name, _ in self._fields_)
        return f"{self._title()}({items})"

    def _put(self, name, value, world) -> bool:
        if name in self._names_:
            convert = self._enter_.get(name)
            if convert is None:
                setattr(self, name, value)
                return True
            count = getattr(convert, "count", None)
            if value is None and hasattr(convert, "count"):
                return True
            entered = convert(world, value)
            if count:
                setattr(self, count, len(entered))
            setattr(self, name, entered)
            return True
        return any(getattr(self, part)._put(name, value, world) for part in self._parts_)


class InlineArray:
    """A converter to an array within a struct. It may get fewer values than the array has."""

    def __init__(self, kind, length, count=None):
        self.kind, self.length, self.count = kind, length, count

    def __call__(self, world, value):
        if len(value) > self.length:
            raise ValueError(f"{len(value)} values; there are at most {self.length}")
        items = [self.kind.make(item, world) for item in value]
        # (setattr of a ctypes array takes a tuple that may be shorter.)
        return tuple(items)


class Single:
    """What stands for something in C. A copy would be a second one that frees the same memory."""
    __slots__ = ()

    def __reduce_ex__(self, protocol):
        raise TypeError(f"a {type(self).__name__} can be neither copied nor pickled; a world can be "
                        "saved: see World.save()")


# ---- errors

class CairnError(Exception):
    """A call of Cairn that failed. It changed nothing.

    `kind` is an ErrorKind. `text` is that of cn_error(): the call, what is wrong, numbers."""

    def __init__(self, kind, text: str):
        super().__init__(text)
        self.kind = kind
        self.text = text


def fail(kind: int, text: str) -> CairnError:
    from ._abi import ErrorKind
    return CairnError(ErrorKind(kind), text)


def unwrap(pointer: Any, count: int, size: int) -> bytes:
    """A copy of an array that belongs to C."""
    return ctypes.string_at(pointer, count * size) if count else b""


def chunks(data: bytes, format_: Any) -> Iterator[tuple]:
    return format_.iter_unpack(data)
