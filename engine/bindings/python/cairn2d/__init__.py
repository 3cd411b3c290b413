"""Cairn: a 2D rigid-body physics engine, with the same bits on every machine.

    import cairn2d as cn

    world = cn.World(gravity=(0, -10))
    world.create_body(type="static", shapes=[cn.box(50, 1)])
    crate = world.create_body(position=(0, 10))
    crate.create_shape(cn.box(0.5, 0.5), density=2, friction=0.4)
    for _ in range(120):
        world.step(1 / 60)
    print(f"the crate rests at a height of {crate.position.y:.3f}")

Units are metres, kilograms, seconds and radians. Angles turn counter-clockwise and y is up. A call
that fails raises CairnError and changes nothing. The manual is cairn.h; the names here are its
names without cn_.

It only needs Python. With numpy, bulk reads return arrays of numpy, and there are Batch (many
worlds) and Bodies, Shapes, Joints, Grids and Chains (many objects at once).
"""
import ctypes as _ctypes
import threading as _threading

from ._abi import CALLBACKS as _CALLBACKS, cn_error_set_hook as _cn_error_set_hook
from ._base import CairnError as CairnError
from ._values import *
from .geometry import outline_decompose as outline_decompose, polygon as polygon
from .objects import (Body as Body, Chain as Chain, Grid as Grid, Joint as Joint,
                      JointCoordinate as JointCoordinate, Shape as Shape)
from .saving import (Recording as Recording, Replay as Replay, Rollback as Rollback,
                     recording_cut as recording_cut)
from .world import (Callbacks as Callbacks, Drawing as Drawing, Events as Events,
                    Profile as Profile, World as World)

try:
    import numpy as _numpy
except ImportError:
    pass
else:
    from ._many import (Bodies as Bodies, Chains as Chains, Grids as Grids, Joints as Joints,
                        Shapes as Shapes)
    from .batch import Batch as Batch, BatchError as BatchError

__version__ = f"{VERSION_MAJOR}.{VERSION_MINOR}.{VERSION_PATCH}"
_hooks: dict = {}  # by thread


def error_set_hook(function) -> None:
    """Calls function(kind, text) for every call of this thread that fails, before CairnError is
    raised: for a log, or for a breakpoint. None removes it. The function must not call this
    module."""
    thunk = None
    if function:
        thunk = _CALLBACKS["cn_error_set_hook.function"](
            lambda kind, text, _: function(ErrorKind(kind), text.decode()))
    _cn_error_set_hook(_ctypes.cast(thunk, _ctypes.c_void_p) if thunk else None, None)
    _hooks[_threading.get_ident()] = thunk
