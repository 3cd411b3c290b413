"""Worlds: steps, events, queries, callbacks, saves.

Most settings and reads are in _calls.py, which generate.py makes. The objects of a world are in
objects.py.
"""
from __future__ import annotations

import ctypes
import warnings
import weakref
from ctypes import byref
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, NamedTuple

from . import _arrays, _values
from ._abi import *
from ._abi import check, lib, raise_error
from ._arrays import cells
from ._base import Bytes, Single, Vector, fail, member, no_field, unwrap
from ._callbacks import RunningQuery, Guard, make_thunks, take_query
from ._calls import WorldCalls
from ._values import *
from ._values import (CONTACT, DIFFERENCE, MOVE, NEIGHBOR, SIDE, WORLD_HIT, read_contact,
                      read_difference, read_move, read_neighbor, read_side, read_world_hit)
from .objects import Body, Chain, Grid, Joint, Registry, Shape, collect

if TYPE_CHECKING:
    from typing_extensions import Unpack
    from .saving import Recording, Rollback


# ---- results of a step

class Events:
    """The events of the last step: world.events. Each kind is a list of named tuples; array()
    returns the same as an array. The object keeps its events when the world takes more steps."""
    __slots__ = ("_world", "_bytes")
    begins: list[TouchEvent]
    ends: list[TouchEvent]
    hits: list[HitEvent]
    bodies: list[BodyEvent]
    broken: list[JointEvent]
    sensor_begins: list[SensorEvent]
    sensor_ends: list[SensorEvent]
    moved: list[MoveEvent]
    KINDS: dict[str, Any] = {name: getattr(kind, "_type_") for name, kind in cn_events._fields_
                             if hasattr(kind, "contents")}

    def __init__(self, world, struct):
        self._world = world
        self._bytes = {}
        for name, kind in self.KINDS.items():
            count = getattr(struct, name.removesuffix("s") + "_count", None)
            if count is None:
                count = getattr(struct, {"bodies": "body"}.get(name, name) + "_count")
            if count:
                self._bytes[name] = unwrap(getattr(struct, name), count, sizeof(kind))

    def __getattr__(self, name):
        if name not in self.KINDS:
            raise AttributeError(no_field("Events", name, self.KINDS))
        format_, read = _values.READERS[self.KINDS[name]]
        return [read(self._world, v) for v in format_.iter_unpack(self._bytes.get(name, b""))]

    def array(self, name: str) -> Any:
        """The events of a kind as a structured array of numpy, else as an array of ctypes. Objects
        are numbers: see World.find()."""
        return _arrays.copy(self.KINDS[name], self._bytes.get(name, b""))

    def __repr__(self) -> str:
        counts = (f"{len(b) // sizeof(self.KINDS[n])} {n}" for n, b in self._bytes.items())
        return f"Events({', '.join(counts) or 'none'})"


class Drawing(NamedTuple):
    """A drawing for debugging: three vertices (position, color 0xRRGGBBAA) per triangle, two per
    line."""
    triangles: Any
    lines: Any
    force_scale: float  # N that a line of 1 m at a joint stands for


class Profile(NamedTuple):
    """Seconds of the last step, by stage and in total."""
    stages: dict[str, float]
    total: float


class Callbacks(NamedTuple):
    """The functions that a world calls: World.callbacks. filter and pre_solve run within a step, so
    they may read the world but not change it. They may run on any thread. The first exception that
    a callback raises is raised again after the step; callbacks after it are not called in that
    step."""
    filter: Callable[[Shape, Shape], bool] | None = None  # whether two shapes may collide at all;
    # the same answer in every step. For shapes with custom_filter
    pre_solve: Callable[[Contact], Any] | None = None  # what a touching contact does in this step:
    # None as usual, False nothing, else a PreSolveResult. For shapes with pre_solve
    before_step: Callable[[float], None] | None = None  # (dt) before each step of advance(): for
    # forces, targets, speeds of motors


# ---- worlds

def check_step(done: bool, depth: int = 3) -> None:
    """To use after a call that takes steps: warns of its hint, or raises its error. `depth` is that
    of the program's own call."""
    kind = cn_error_code()
    if kind == ErrorKind.HINT and done:
        text = cn_error().decode()
        cn_error_clear()  # (a warning may be an exception)
        warnings.warn(text, RuntimeWarning, stacklevel=depth + 1)
    elif kind:
        raise_error()


class World(WorldCalls, Single):
    """A world. The settings are those of WorldDef, for example gravity=(0, -10), threads=2.

    Call destroy(), or use the world in a with statement. Otherwise the world is destroyed when
    nothing refers to it any more. Every wrong call raises CairnError and changes nothing."""
    __slots__ = ("_pointer", "_cell", "_guard", "_registries", "_body", "_shape", "_joint", "_grid",
                 "_chain", "_functions", "_thunks", "_pending", "_kept", "_slots", "_owner",
                 "_recording", "__weakref__")

    def __init__(self, **settings: Unpack[WorldDef]):
        self._pointer = None
        d = cn_world_def()
        d.fill(settings)
        self._start(cn_world_create(byref(d)), d)

    def _start(self, pointer, kept=None, owner=None):
        if not pointer:
            raise_error()
        self._pointer, self._kept, self._owner = pointer, kept, owner
        self._guard, self._slots, self._cell = Guard(), 64, cells.take(pointer)
        self._registries = [
            Registry(self, Body, cn_body_valid), Registry(self, Shape, cn_shape_valid),
            Registry(self, Joint, cn_joint_valid), Registry(self, Grid, cn_grid_valid),
            Registry(self, Chain, cn_chain_valid)]
        self._body, self._shape, self._joint, self._grid, self._chain = (
            r.__getitem__ for r in self._registries)
        self._recording: Recording | None = None
        self._functions: dict = {}
        self._thunks: list = []
        self._pending: list = []

    @classmethod
    def load(cls, data: Bytes, *, filter: Callable[[Shape, Shape], bool] | None = None,
             pre_solve: Callable[[Contact], Any] | None = None,
             before_step: Callable[[float], None] | None = None,
             **settings: Unpack[WorldDef]) -> World:
        """Creates a world in the state in bytes from save(). Of the settings it uses allocator,
        tasks, threads, lanes, profiling and move_events.

        Give it the callbacks of the world that was saved, or set them before the next step: see
        Callbacks."""
        world = cls.__new__(cls)
        world._pointer = None
        d = cn_world_def()
        d.fill(settings)
        data = bytes(data)
        callbacks, functions = world._make_callbacks(filter, pre_solve, before_step)
        world._start(cn_world_load(byref(d), byref(callbacks), data, len(data)), d)
        world._keep_callbacks(functions)
        return world

    def destroy(self) -> None:
        """Destroys the world and everything in it. Does nothing if the world is destroyed
        already."""
        if not self._pointer:
            return
        if self._guard.busy:
            raise fail(5, "a world cannot be destroyed while it steps or a callback runs")
        pointer, self._pointer = self._pointer, None
        if self._owner is None:
            cn_world_destroy(pointer)
        cells.table[self._cell] = 0
        for registry in self._registries:
            registry.forget()
        self._thunks = []

    def __del__(self):
        if self._pointer and not self._guard.busy:
            self.destroy()
        if hasattr(self, "_cell"):
            cells.free.append(self._cell)

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: Any) -> None:
        self.destroy()

    def __repr__(self) -> str:
        if not self._pointer:
            return "World(destroyed)"
        c = self.counters
        return f"World({c.bodies} bodies, {c.shapes} shapes, {c.joints} joints, step {c.steps})"

    @WorldCalls.linear_damping.setter  # type: ignore[attr-defined]
    def linear_damping(self, value: float) -> None:
        self.set_damping(value, self.angular_damping)

    @WorldCalls.angular_damping.setter  # type: ignore[attr-defined]
    def angular_damping(self, value: float) -> None:
        self.set_damping(self.linear_damping, value)

    # -- objects

    def _created(self, find, id_):
        if not id_:
            raise_error()
        return find(id_)

    def _each(self, find, following) -> Iterator[Any]:
        """Finds the next object first, so the loop may destroy the current one."""
        current = following(self._pointer, 0)
        check()
        while current:
            after = following(self._pointer, current)
            check()
            yield find(current)
            current = after

    def create_body(self, **settings: Unpack[BodyDef]) -> Body:
        """Creates a body. The settings are those of BodyDef, for example position=(0, 10),
        type="static", shapes=[box(1, 1)]. A shape is a hull or has the settings of ShapeDef:
        dict(hull=box(1, 1), density=2). `data`, also that of a shape, may be any Python value of
        yours."""
        data = settings.pop("data", None)
        shapes = [dict(s) if isinstance(s, Mapping) else dict(hull=s)
                  for s in settings.pop("shapes", ())]
        shape_data = [shape.pop("data", None) for shape in shapes]
        d = cn_body_def()
        d.fill({**settings, "shapes": shapes} if shapes else settings)
        body = self._created(self._body, cn_body_create(self._pointer, byref(d)))
        body.data = data
        for shape, value in zip(body.shapes if shapes else (), shape_data):
            shape.data = value
        return body

    def create_joint(self, definition: JointDef, **changes: Any) -> Joint:
        """Creates a joint from a definition, for example of revolute_joint(), with these changes:
        world.create_joint(revolute_joint(a, b, (1, 9)),
                           angle=dict(motor=True, motor_speed=2, max_motor_force=80)).
        A coordinate that is given as a mapping keeps its other fields."""
        if definition.world is not self:
            raise fail(4, "the joint is defined for bodies of another world")
        d = cn_joint_def.from_buffer_copy(definition._struct)
        for name, value in changes.items():
            inner = getattr(d, name, None)
            if isinstance(inner, cn_coordinate) and isinstance(value, Mapping):
                inner.fill(value)
            else:
                d.fill({name: value}, self)
        return self._created(self._joint, cn_joint_create(self._pointer, d))

    @property
    def bodies(self) -> Iterator[Body]:
        """All bodies in slot order. The loop may destroy the current one."""
        return self._each(self._body, cn_world_next_body)

    @property
    def shapes(self) -> Iterator[Shape]:
        """All shapes in slot order, except those of tiles."""
        return self._each(self._shape, cn_world_next_shape)

    @property
    def joints(self) -> Iterator[Joint]:
        return self._each(self._joint, cn_world_next_joint)

    @property
    def chains(self) -> Iterator[Chain]:
        """All chains in slot order."""
        return self._each(self._chain, cn_world_next_chain)

    def find(self, kind: type, id_: int) -> Any:
        """The object of a number in an array of states or events: find(Body, states["body"][3])."""
        return next(r for r in self._registries if r.kind is kind)[int(id_)]

    # -- steps

    def step(self, dt: float = 1 / 60) -> None:
        """Advances the world by dt seconds, 0..1."""
        self._guard.busy += 1
        try:
            done = cn_world_step(self._pointer, dt)
        finally:
            self._guard.busy -= 1
        self._after(done)

    def advance(self, frame_seconds: float) -> int:
        """Advances the world by the time of a frame, in whole steps of time_step. Returns how many
        steps it took. Draw the bodies at body.drawn_pose for smooth motion. Warns once if the time
        is above 1 s, because it is probably in milliseconds."""
        self._guard.busy += 1
        try:
            steps = cn_world_advance(self._pointer, frame_seconds)
        finally:
            self._guard.busy -= 1
        self._after(steps >= 0)
        return steps

    def _after(self, done):
        """Raises the exception of a callback, else the error of the step."""
        if self._thunks and not self._guard.busy:
            self._thunks = [self._functions["thunks"]] if self._functions else []
        if self._pending:
            error = self._pending[0]
            self._pending = []
            self._guard.failed.clear()
            cn_error_clear()
            raise error
        check_step(done)
        for registry in self._registries:
            if len(registry) > registry.limit:
                registry.sweep(self._pointer)

    # -- callbacks

    @property
    def callbacks(self) -> Callbacks:
        """All callbacks. Each is also a property of its own. None: there is none."""
        return Callbacks(*(self._functions.get(name) for name in Callbacks._fields))

    @callbacks.setter
    def callbacks(self, value: Callbacks | Mapping[str, Any]) -> None:
        value = value if isinstance(value, Callbacks) else Callbacks(**value)
        d, functions = self._make_callbacks(*value)
        if not cn_world_set_callbacks(self._pointer, d):
            raise_error()
        self._keep_callbacks(functions)

    def _make_callbacks(self, filter_, pre_solve, before_step):
        """The callbacks for C, and the functions to keep while C may call them."""
        thunks = make_thunks(weakref.ref(self), filter_, pre_solve, before_step)
        d = cn_callbacks(**{n: ctypes.cast(f, c_void_p) for n, f in thunks.items() if n != "hooks"})
        if pre_solve:
            d.pre_solve = ctypes.cast(lib.cairn2d_pre_solve, c_void_p)
            d.user = ctypes.addressof(thunks["hooks"])
        return d, {"filter": filter_, "pre_solve": pre_solve, "before_step": before_step,
                   "thunks": thunks}

    def _keep_callbacks(self, functions):
        self._thunks.append(functions["thunks"])  # (the old ones may be running)
        self._functions = functions if functions["thunks"] else {}

    def _set_callback(self, name, function):
        self.callbacks = self.callbacks._replace(**{name: function})

    @property
    def filter(self) -> Callable[[Shape, Shape], bool] | None:
        """Whether two shapes may collide at all: see Callbacks."""
        return self._functions.get("filter")

    @filter.setter
    def filter(self, function: Callable[[Shape, Shape], bool] | None) -> None:
        self._set_callback("filter", function)

    @property
    def pre_solve(self) -> Callable[[Contact], Any] | None:
        """What a touching contact does in this step: see Callbacks."""
        return self._functions.get("pre_solve")

    @pre_solve.setter
    def pre_solve(self, function: Callable[[Contact], Any] | None) -> None:
        self._set_callback("pre_solve", function)

    @property
    def before_step(self) -> Callable[[float], None] | None:
        """Called before each step of advance(): see Callbacks."""
        return self._functions.get("before_step")

    @before_step.setter
    def before_step(self, function: Callable[[float], None] | None) -> None:
        self._set_callback("before_step", function)

    # -- bulk reads

    @property
    def events(self) -> Events:
        """The events of the last step, or of all steps of the last advance()."""
        struct = cn_world_events(self._pointer)
        check()
        return Events(self, struct)

    def body_states(self, drawn: bool = False) -> Any:
        """All bodies in slot order as a structured array with the fields body (a number: see
        find()), user_data, position, rotation (cosine and sine) and asleep. Without numpy it is an
        array of ctypes."""
        while True:
            array = _arrays.empty(cn_body_state, self._slots)
            total = cn_world_body_states(self._pointer, _arrays.address(array), self._slots, drawn)
            check()
            if total <= self._slots:
                return array[:total]
            self._slots = total

    def poses(self, drawn: bool = False, out: Any = None) -> Any:
        """The poses of all bodies by slot (body.slot), as rows of four float32: x, y, cosine and
        sine. Rows of empty slots are zeros. The result is an array of numpy, else a memoryview.
        `out`: a contiguous array of this kind, which is filled instead of a new one."""
        if out is not None:
            _arrays.require_poses(out)
            total = cn_world_poses(self._pointer, _arrays.address(out), len(out), drawn)
            check()
            return out[:total]
        while True:
            array, address = _arrays.floats(self._slots, 4)
            total = cn_world_poses(self._pointer, address, self._slots, drawn)
            check()
            if total <= self._slots:
                return array[:total]
            self._slots = total

    def contacts(self) -> list[Contact]:
        """The touching contacts, of sleeping bodies too."""
        return collect(cn_contact, CONTACT, read_contact, self,
                       lambda a, n: cn_world_contacts(self._pointer, a, n))

    @property
    def profile(self) -> Profile:
        """The stages of the last step, if `profiling` is on."""
        p = cn_world_profile(self._pointer)
        check()
        names = (name.decode() for name in p.names[:p.count])
        return Profile(dict(zip(names, p.seconds)), p.total)

    def draw(self, flags: DrawFlags | str = DrawFlags.SHAPES) -> Drawing:
        """A drawing of the world for debugging: draw(DrawFlags.SHAPES | DrawFlags.JOINTS)."""
        d = cn_drawing()
        if not cn_world_draw(self._pointer, member(DrawFlags)(None, flags), byref(d)):
            raise_error()
        size = sizeof(cn_draw_vertex)
        return Drawing(
            _arrays.copy(cn_draw_vertex, unwrap(d.triangles, d.triangle_vertices, size)),
            _arrays.copy(cn_draw_vertex, unwrap(d.lines, d.line_vertices, size)), d.force_scale)

    # -- queries. Their settings are those of Query; `mask` and `category` may be given directly.

    def cast_ray(self, origin: Vector, translation: Vector,
                 **query: Unpack[Query]) -> WorldHit | None:
        """The nearest hit of a ray from origin to origin + translation."""
        with RunningQuery(self, query) as q:
            hit = cn_world_cast_ray(self._pointer, vec2s(*origin), vec2s(*translation), q)
        return read_world_hit(self, WORLD_HIT.unpack_from(hit)) if hit.hit else None

    def cast_ray_all(self, origin: Vector, translation: Vector,
                     **query: Unpack[Query]) -> list[WorldHit]:
        """All shapes and tiles that a ray hits, sorted by fraction."""
        with RunningQuery(self, query) as q:
            return collect(cn_world_hit, WORLD_HIT, read_world_hit, self, lambda a, n:
                           cn_world_cast_ray_all(self._pointer, vec2s(*origin), vec2s(*translation),
                                                 q, a, n))

    def cast_rays(self, rays: Any, **query: Unpack[Query]) -> Any:
        """The nearest hit of each of many rays, on the threads of the world. `rays` has rows of
        origin x, y and translation x, y. Returns a structured array with the fields hit, side,
        fraction, point, normal; without numpy an array of ctypes."""
        count = len(rays)
        given: Any
        if _arrays.numpy:
            given = _arrays.numpy.ascontiguousarray(rays, _arrays.numpy.float32).reshape(count, 4)
        else:
            given = (cn_ray * count)(*[cn_ray((x, y), (dx, dy)) for x, y, dx, dy in rays])
        hits = _arrays.empty(cn_world_hit, count)
        with RunningQuery(self, query) as q:
            if not cn_world_cast_rays(self._pointer, _arrays.address(given), count, q,
                                      _arrays.address(hits)):
                raise_error()
        return hits

    def cast_hull(self, hull: Hull, sweep: Sweep | Mapping[str, Any],
                  **query: Unpack[Query]) -> WorldHit | None:
        """The first shape or tile that a hull touches while it moves along a sweep."""
        s = cn_sweep.make(sweep)
        with RunningQuery(self, query) as q:
            hit = cn_world_cast_hull(self._pointer, hull._struct, s, q)
        return read_world_hit(self, WORLD_HIT.unpack_from(hit)) if hit.hit else None

    def overlap(self, hull: Hull, pose: Pose, **query: Unpack[Query]) -> list[Side]:
        """All shapes, then all tiles, that overlap or touch a hull at a pose."""
        with RunningQuery(self, query) as q:
            return collect(cn_side, SIDE, read_side, self, lambda a, n: cn_world_overlap(
                self._pointer, hull._struct, cn_pose.make(pose), q, a, n))

    def overlap_bounds(self, bounds: Bounds, **query: Unpack[Query]) -> list[Side]:
        """All shapes whose axis-aligned boxes overlap a box: cheaper and less exact."""
        with RunningQuery(self, query) as q:
            return collect(cn_side, SIDE, read_side, self, lambda a, n: cn_world_overlap_bounds(
                self._pointer, cn_bounds.make(bounds), q, a, n))

    def overlap_point(self, point: Vector, **query: Unpack[Query]) -> list[Side]:
        """All shapes that contain a point."""
        with RunningQuery(self, query) as q:
            return collect(cn_side, SIDE, read_side, self, lambda a, n: cn_world_overlap_point(
                self._pointer, vec2s(*point), q, a, n))

    def nearest(self, hull: Hull, pose: Pose, max_distance: float,
                **query: Unpack[Query]) -> Neighbor | None:
        """The shape nearest to a hull at a pose. The hull circle(0) is a point."""
        with RunningQuery(self, query) as q:
            found = cn_world_nearest(self._pointer, hull._struct, cn_pose.make(pose), max_distance,
                                     q)
        return read_neighbor(self, NEIGHBOR.unpack_from(found)) if found.found else None

    def explode(self, position: Vector, **settings: Unpack[Explosion]) -> int:
        """Pushes dynamic bodies away from a point, by impulse_per_length (N s/m). The push is full
        up to `radius`, and falls to 0 over `falloff` (m). Returns how many bodies it pushed."""
        query = take_query(settings, cn_explosion)
        d = cn_explosion(position=vec2s(*position))
        d.fill(settings, self)
        with RunningQuery(self, query) as q:
            if q is not None:
                d.query = q._obj
            return cn_world_explode(self._pointer, byref(d))

    def move_hull(self, hull: Hull, pose: Pose, translation: Vector,
                  **settings: Unpack[MoveDef]) -> Move:
        """Moves a hull that walks, jumps and slides; see MoveDef and Move. It changes nothing:
        apply the pushes yourself, and call it once per step."""
        query = take_query(settings, cn_move_def)
        d = cn_move_def()
        d.fill(settings, self)
        with RunningQuery(self, query) as q:
            if q is not None:
                d.query = q._obj
            move = cn_world_move_hull(self._pointer, hull._struct, cn_pose.make(pose),
                                      vec2s(*translation), byref(d))
        return read_move(self, MOVE.unpack_from(move))

    # -- saving

    def save(self, parts: SaveParts | str = SaveParts.ALL) -> bytes:
        """The state of the world as bytes, equal on every machine. "moving": without scenery, for
        saves in memory."""
        which, capacity = member(SaveParts)(None, parts), 0
        while True:
            block = ctypes.create_string_buffer(capacity)
            size = cn_world_save(self._pointer, which, block, capacity)
            check()
            if size <= capacity:
                return block.raw[:size]
            capacity = size

    def restore(self, data: Bytes) -> None:
        """Sets the world to a saved state. Objects that come back are the Python objects that you
        still refer to; others are new ones, without their `data`."""
        data = bytes(data)
        if not cn_world_restore(self._pointer, data, len(data)):
            raise_error()

    def compare(self, other: World) -> Difference | None:
        """The first difference between the states of two worlds, or None."""
        result = cn_world_compare(self._pointer, other._pointer)
        check()
        return read_difference(self, DIFFERENCE.unpack_from(result)) if result.part else None

    def create_rollback(self, frames: int) -> Rollback:
        """A ring buffer for the last states of the world."""
        from .saving import Rollback
        return Rollback(self, cn_rollback_create(self._pointer, frames))

    def begin_recording(self, file: Any = None) -> Recording:
        """Begins to record the calls on the world: into a file, or in memory. Use the recording in
        a with statement, or end it by end_recording()."""
        from .saving import Recording
        recording = Recording(self, file)
        recording._begin(cn_recording_begin(self._pointer, recording._sink))
        return recording

    def end_recording(self) -> bytes:
        """Ends the recording. Returns what was recorded in memory. If writing to the file failed,
        raises its exception."""
        recording, self._recording = self._recording, None
        done = cn_recording_end(self._pointer)
        if recording:
            recording._end(done)
            return recording.data
        raise_error()
        return b""
