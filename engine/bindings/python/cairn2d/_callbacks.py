"""How C calls Python functions: the callbacks of worlds and of queries."""
from __future__ import annotations

import ctypes
from ctypes import byref

from ._abi import *
from ._abi import CALLBACKS, check, lib
from ._values import *
from ._values import CONTACT, SIDE, read_contact, read_side

lib.cairn2d_pre_solve.restype = None
PRE_SOLVE = ctypes.CFUNCTYPE(None, c_void_p, c_void_p)


class Guard:
    """State that the worlds of a batch share. Every other world has its own."""
    __slots__ = ("busy", "failed")

    def __init__(self):
        self.busy = 0  # steps, queries and callbacks that are running
        self.failed: list = []  # worlds whose callbacks raised


class RunningQuery:
    """The query of a call, while the call runs. At its end it raises the exception of accept(), or
    the error of the call."""
    __slots__ = ("world", "settings", "errors", "thunk")

    def __init__(self, world, settings):
        self.world, self.settings, self.errors = world, settings, []

    def __enter__(self):
        self.world._guard.busy += 1
        if not self.settings:
            return None
        try:
            return self._make()
        except BaseException:
            self.world._guard.busy -= 1
            raise

    def _make(self):
        d = cn_query()
        settings = dict(self.settings)
        accept = settings.pop("accept", None)
        d.fill(settings, self.world)
        if accept:
            world, errors = self.world, self.errors

            def call(_, side, __):
                if errors:
                    return False
                try:
                    return bool(accept(read_side(world, SIDE.unpack_from(side))))
                except BaseException as error:
                    errors.append(error)
                    return False
            self.thunk = CALLBACKS["cn_query.accept"](call)
            d.accept = ctypes.cast(self.thunk, c_void_p)
        return byref(d)

    def __exit__(self, kind, *_):
        self.world._guard.busy -= 1
        if self.errors:
            cn_error_clear()
            raise self.errors[0]
        if kind is None:
            check()


def take_query(settings, kind) -> dict:
    """Takes the settings of a query out of those of a definition that has one: they are given
    directly, or as its field."""
    query = dict(settings.pop("query", None) or {})
    names = {"accept", *cn_query()._every_name()} - kind._names_
    query.update({k: settings.pop(k) for k in list(settings) if k in names})
    return query


def make_thunks(reference, filter_, pre_solve, before_step) -> dict:
    """The functions that C calls. They keep an exception in the world, which raises it after the
    step."""
    def guard(function, default):
        def call(*arguments):
            world = reference()
            if world is None or world._pending:
                return default
            try:
                return function(world, *arguments)
            except BaseException as error:
                world._pending.append(error)
                world._guard.failed.append(world)
                return default
        return call

    def call_filter(world, _, a, b, __):
        return bool(filter_(world._shape(a), world._shape(b)))

    def call_pre_solve(world, contact, result):
        contact = CONTACT.unpack_from((ctypes.c_char * sizeof(cn_contact)).from_address(contact))
        answer = pre_solve(read_contact(world, contact))
        if answer is not None:
            answer = PreSolveResult(disabled=True) if answer is False else answer
            made = cn_pre_solve_result.make(answer)
            ctypes.memmove(result, byref(made), sizeof(made))

    def call_before_step(world, _, time_step, __):
        before_step(time_step)

    thunks: dict = {}
    if filter_:
        thunks["filter"] = CALLBACKS["cn_callbacks.filter"](guard(call_filter, True))
    if pre_solve:
        thunks["pre_solve"] = PRE_SOLVE(guard(call_pre_solve, None))
        thunks["hooks"] = (c_void_p * 1)(ctypes.cast(thunks["pre_solve"], c_void_p))
    if before_step:
        thunks["before_step"] = CALLBACKS["cn_callbacks.before_step"](guard(call_before_step, None))
    return thunks
