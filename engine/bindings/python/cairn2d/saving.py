"""Rewinding a world, recordings of its calls, and replays of them."""
from __future__ import annotations

import ctypes
from ctypes import byref
from typing import TYPE_CHECKING, Any, Iterator, Sequence

from ._abi import *
from ._abi import CALLBACKS, check, raise_error
from ._base import Bytes, Single, fail
from ._values import *
from ._values import DESYNC, REPLAY_POSITION, read_desync, read_replay_position
from .world import World

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Rollback(Single):
    """A ring buffer of the last states of a world: keep(step) before each step, rewind(step) to go
    back. With 1000 boxes, keeping a state takes some 13 microseconds."""
    __slots__ = ("world", "_pointer")

    def __init__(self, world: World, pointer: int | None):
        self._pointer = None
        self.world = world
        if not pointer:
            raise_error()
        self._pointer = pointer

    def _alive(self):
        if not self.world._pointer:
            raise fail(4, "the world of the rollback was destroyed")
        return self._pointer

    def __repr__(self) -> str:
        if not self._pointer or not self.world._pointer:
            return "Rollback(destroyed)"
        oldest, newest = self.oldest, self.newest
        return "Rollback(empty)" if newest is None else f"Rollback({oldest} to {newest})"

    def keep(self, number: int) -> None:
        """Keeps the current state under a number, and drops the states with greater numbers."""
        if not cn_rollback_keep(self._alive(), number):
            raise_error()

    def rewind(self, number: int) -> None:
        """Sets the world to a kept state. All kept states stay."""
        if not cn_rollback_rewind(self._alive(), number):
            raise_error()

    def _number(self, call):
        number = call(self._alive())
        check()
        return None if number < 0 else number

    @property
    def oldest(self) -> int | None:
        """The number of the oldest state that is kept."""
        return self._number(cn_rollback_oldest)

    @property
    def newest(self) -> int | None:
        """The number of the newest state that is kept."""
        return self._number(cn_rollback_newest)

    def destroy(self) -> None:
        pointer, self._pointer = self._pointer, None
        cn_rollback_destroy(pointer)

    def __del__(self):
        if self._pointer:
            self.destroy()

    def __enter__(self) -> Rollback:
        return self

    def __exit__(self, *_: Any) -> None:
        self.destroy()


class Recording(Single):
    """The calls on a world as bytes: see World.begin_recording()."""
    __slots__ = ("world", "_file", "_block", "_thunk", "_errors", "_is_on", "_sink")

    def __init__(self, world: World, file: Any = None):
        self._is_on = False
        self.world, self._file, self._block = world, file, bytearray()
        self._errors: list[BaseException] = []
        write = self._block.extend if file is None else file.write
        errors = self._errors

        def call(data, size, _):
            try:
                write(ctypes.string_at(data, size))
                return True
            except BaseException as error:
                errors.append(error)
                return False
        self._thunk = CALLBACKS["cn_recording_sink.write"](call)
        self._sink = cn_recording_sink(write=ctypes.cast(self._thunk, c_void_p))

    def _begin(self, done):
        self._finish(done)
        self._is_on = True
        self.world._recording = self  # (the world calls the thunk until the end)

    def __repr__(self) -> str:
        return f"Recording({'on' if self._is_on else 'ended'}, of {self.world!r})"

    def _finish(self, done):
        if self._errors:
            cn_error_clear()
            raise self._errors[0]
        if not done:
            raise_error()

    def _end(self, done):
        self._is_on = False
        self._finish(done)

    @property
    def data(self) -> bytes:
        """The bytes that were recorded in memory until now."""
        return bytes(self._block)

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_: Any) -> None:
        if self._is_on and self.world._pointer:
            self.world.end_recording()


def recording_cut(data: Bytes, kept: Sequence[bool]) -> bytes:
    """A copy of a recording without the calls i for which kept[i] is false."""
    data = bytes(data)
    flags = (c_uint8 * len(kept))(*[bool(k) for k in kept])
    return _bytes(lambda block, n: cn_recording_cut(data, len(data), flags, len(kept), block, n))


def _bytes(call) -> bytes:
    capacity = 0
    while True:
        block = ctypes.create_string_buffer(capacity)
        size = call(block, capacity)
        if not size:
            check()
        if size <= capacity:
            return block.raw[:size]
        capacity = size


class Replay(Single):
    """Makes the calls of a recording again, in a world of its own. A loop over the replay makes one
    call after the other and yields the position after each.

    The world is for reading: if you change it, the replay differs from the recording."""
    __slots__ = ("_pointer", "_data", "_kept", "world")
    world: World

    def __init__(self, data: Bytes, **settings: Unpack[WorldDef]):
        self._pointer = None
        data = bytes(data)
        self._data = ctypes.create_string_buffer(data, len(data))  # (C keeps reading it)
        self._kept = cn_world_def()
        self._kept.fill(settings)
        self._pointer = cn_replay_create(byref(self._kept), self._data, len(data))
        if not self._pointer:
            raise_error()
        self.world = World.__new__(World)
        self.world._pointer = None
        self.world._start(cn_replay_world(self._pointer), owner=self)

    def __repr__(self) -> str:
        if not self._pointer:
            return "Replay(destroyed)"
        at = self.at
        return f"Replay(call {at.call} of {at.calls}, step {at.step} of {at.steps})"

    @property
    def at(self) -> ReplayPosition:
        """Which call and step the replay is at, and how many there are."""
        result = cn_replay_at(self._pointer)
        check()
        return read_replay_position(None, REPLAY_POSITION.unpack_from(result))

    def next(self) -> None:
        """Makes the next call."""
        if not cn_replay_next(self._pointer):
            raise_error()

    def __iter__(self) -> Iterator[ReplayPosition]:
        while (at := self.at).call < at.calls:
            self.next()
            yield self.at

    def seek(self, step: int) -> None:
        """Goes back or forward to the position after `step` steps."""
        if not cn_replay_seek(self._pointer, step):
            raise_error()

    @property
    def text(self) -> str:
        """The next call and its arguments; "" after the last one."""
        text = cn_replay_text(self._pointer)
        check()
        return text.decode()

    def rest(self) -> bytes:
        """The remaining calls as a recording that begins with the current state."""
        return _bytes(lambda block, n: cn_replay_rest(self._pointer, block, n))

    @property
    def desync(self) -> Desync | None:
        """The first difference between the replay and the recorded world."""
        result = cn_replay_desync(self._pointer)
        check()
        return read_desync(self.world, DESYNC.unpack_from(result)) if result.found else None

    def destroy(self) -> None:
        """Destroys the replay with its world."""
        if self._pointer:
            self.world.destroy()
            pointer, self._pointer = self._pointer, None
            cn_replay_destroy(pointer)

    def __del__(self):
        if self._pointer:
            self.destroy()

    def __enter__(self) -> Replay:
        return self

    def __exit__(self, *_: Any) -> None:
        self.destroy()
