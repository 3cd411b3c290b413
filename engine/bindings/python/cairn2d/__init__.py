"""Cairn: a 2D rigid-body physics engine, with the same bits on every machine.

    import cairn2d as cn

    world = cn.World(gravity=(0, -10))
    world.body(type="static").shape(cn.box(50, 1))
    crate = world.body(position=(0, 10)).shape(cn.box(0.5, 0.5), density=2, friction=0.4)
    for _ in range(120):
        world.step(1 / 60)
    print(f"the crate rests at a height of {crate.position.y:.3f}")

Units are metres, kilograms, seconds and radians. Angles turn counter-clockwise and y is up. A call
that fails raises CairnError and changes nothing. The manual is cairn.h; the names here are its
names without cn_.

It only needs Python. With numpy, bulk reads return arrays of numpy, and there are Batch (many
worlds) and Bodies, Shapes, Joints and Grids (many objects at once).
"""
import ctypes as _ctypes
import threading as _threading

from ._abi import CALLBACKS as _CALLBACKS, cn_set_error_hook as _cn_set_error_hook
from ._base import CairnError as CairnError
from ._values import *
from .geometry import (bounds_crossings as bounds_crossings, clip as clip, decompose as decompose,
                       outline_crossings as outline_crossings, polygon as polygon, slice as slice)
from .objects import (Body as Body, Chain as Chain, Joint as Joint,
                      JointCoordinate as JointCoordinate, Shape as Shape, Tiles as Tiles)
from .saving import (Recording as Recording, Replay as Replay, Rollback as Rollback,
                     cut_recording as cut_recording)
from .world import (Drawing as Drawing, Events as Events, Profile as Profile, World as World)

try:
    import numpy as _numpy
except ImportError:
    pass
else:
    from ._many import Bodies as Bodies, Grids as Grids, Joints as Joints, Shapes as Shapes
    from .batch import Batch as Batch, BatchError as BatchError

__version__ = f"{VERSION_MAJOR}.{VERSION_MINOR}.{VERSION_PATCH}"
_hooks: dict = {}  # by thread


def set_error_hook(function) -> None:
    """Calls function(kind, text) for every call of this thread that fails, before CairnError is
    raised: for a log, or for a breakpoint. None removes it. The function must not call this
    module."""
    thunk = None
    if function:
        thunk = _CALLBACKS["cn_set_error_hook.function"](
            lambda kind, text, _: function(ErrorKind(kind), text.decode()))
    _cn_set_error_hook(_ctypes.cast(thunk, _ctypes.c_void_p) if thunk else None, None)
    _hooks[_threading.get_ident()] = thunk
