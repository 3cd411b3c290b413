"""Many worlds at once, for learning agents and for searches. Needs numpy."""
from __future__ import annotations

import os
import re
from typing import Any, Callable, Iterable, Iterator

import numpy

from ._abi import *
from ._abi import lib, raise_error
from ._arrays import cells, pointer, require_poses
from ._base import CairnError
from ._callbacks import Guard
from .world import World, check_step

lib.cairn2d_poses.restype = c_int
lib.cairn2d_poses.argtypes = [c_void_p, c_int, c_void_p, c_int, c_bool]


class BatchError(CairnError):
    """Some worlds of a batch were not stepped. `failures` has the number of each, and why."""

    def __init__(self, kind: ErrorKind, text: str, failures: dict[int, ErrorKind]):
        super().__init__(kind, text)
        self.failures = failures


class Batch:
    """Many worlds that are stepped by one call, on all cores, without the interpreter's lock.

    make_world(seed) makes one world. It returns the world, or a tuple that begins with the world;
    batch.made has what it returned. The default seeds are 0, 1, 2, ...

        batch = Batch(make_world, 64, seeds=range(64))
        batch.step(1 / 50)
        batch.poses()                         # (64, bodies, 4) float32
        crates = Bodies([w.body_in_slot(1) for w in batch])
        crates.velocity                       # (64, 2) float32

    Each world is stepped by one thread, so results are the same with any number of threads.
    Callbacks of the worlds run on these threads, one at a time."""
    __slots__ = ("make_world", "made", "worlds", "_guard", "_threads", "_cells", "_errors",
                 "_capacity", "_steps", "__weakref__")

    def __init__(self, make_world: Callable[[Any], Any], count: int | None = None,
                 seeds: Iterable[Any] | None = None, threads: int | None = None):
        seeds = list(range(count or 0) if seeds is None else seeds)
        if count is not None and len(seeds) != count:
            raise ValueError(f"{len(seeds)} seeds for {count} worlds")
        self.make_world = make_world
        self._guard = Guard()
        self.made = [make_world(seed) for seed in seeds]
        self.worlds: list[World] = [self._adopt(made) for made in self.made]
        # cn_worlds_step() uses the threads of the first world: an empty one that has the threads.
        threads = min(threads or _count_cores(), max(1, len(seeds)), 64)
        self._threads = World(threads=threads)
        self._cells = numpy.array([w._cell for w in (self._threads, *self.worlds)], numpy.intp)
        self._errors = numpy.zeros(len(seeds) + 1, numpy.int32)
        self._capacity = 16
        self._steps = 0

    def _adopt(self, made: Any) -> World:
        world = made if isinstance(made, World) else made[0]
        world._guard = self._guard
        return world

    def __repr__(self) -> str:
        return f"Batch({len(self.worlds)} worlds)"

    def __len__(self) -> int:
        return len(self.worlds)

    def __iter__(self) -> Iterator[World]:
        return iter(self.worlds)

    def __getitem__(self, i: int) -> World:
        return self.worlds[i]

    def reset(self, i: int, seed: Any) -> Any:
        """Destroys a world and makes another in its place. Returns what make_world returned. If
        that raises, the old world stays."""
        i = range(len(self.worlds))[i]  # (-1 is the last one)
        made = self.make_world(seed)
        self.worlds[i].destroy()
        self.made[i], self.worlds[i] = made, self._adopt(made)
        self._cells[i + 1] = self.worlds[i]._cell
        return self.made[i]

    def step(self, dt: float = 1 / 60) -> None:
        """Advances each world by dt seconds. Raises the first exception of a callback, else
        BatchError if some worlds could not be stepped. The others were stepped."""
        pointers = cells.table[self._cells]
        self._guard.busy += 1
        try:
            done = cn_worlds_step(pointer(pointers), len(pointers), dt, pointer(self._errors))
        finally:
            self._guard.busy -= 1
        failed = self._guard.failed.copy()
        for world in reversed(failed):
            try:
                world._after(True)
            except BaseException:
                if world is failed[0]:
                    raise
        if done < len(pointers):
            self._raise()
        check_step(True, depth=2)
        self._steps += 1
        if self._steps % 256 == 0:
            for world in self.worlds:
                world._after(True)

    def _raise(self):
        failures = {int(i) - 1: ErrorKind(int(self._errors[i]))
                    for i in numpy.flatnonzero(self._errors) if i}
        try:
            raise_error()
        except CairnError as error:
            # (The list for C begins with the empty world.)
            text = re.sub(r"world (\d+):", lambda m: f"world {max(int(m[1]) - 1, 0)}:",
                          error.text, count=1)
            raise BatchError(error.kind, text, failures) from None

    def poses(self, drawn: bool = False, out: Any = None) -> Any:
        """The poses of all bodies of all worlds, by world and slot: (worlds, bodies, 4) float32.
        Rows of empty slots are zeros."""
        count, pointers = len(self.worlds), cells.table[self._cells[1:]]
        while True:
            array = numpy.empty((count, self._capacity, 4), numpy.float32) if out is None else out
            require_poses(array, count)
            most = lib.cairn2d_poses(pointer(pointers), count, pointer(array),
                                     array.shape[1], drawn)
            if most < 0:
                raise_error()
            if out is not None or most <= self._capacity == array.shape[1]:
                return array[:, :most]
            self._capacity = most

    def hashes(self) -> list[int]:
        """world.hash() of each world: equal on every machine."""
        return [world.hash() for world in self.worlds]

    def destroy(self) -> None:
        """Destroys all worlds."""
        for world in (self._threads, *self.worlds):
            world.destroy()

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, *_: Any) -> None:
        self.destroy()


def _count_cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
