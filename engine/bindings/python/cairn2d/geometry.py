"""Functions on hulls that need no world: making, cutting and intersecting them."""
from __future__ import annotations

import ctypes
from ctypes import byref
from typing import Sequence

from ._abi import *
from ._abi import check, raise_error
from ._base import Vec2, Vector
from ._values import *
from ._values import MASS, read_mass


def _points(points: Sequence[Vector]):
    return (vec2s * len(points))(*[vec2s(*p) for p in points])


def _list(kind, call, convert):
    capacity = 16
    while True:
        array = (kind * capacity)()
        total = call(array, capacity)
        check()
        if total <= capacity:
            return [convert(item) for item in array[:total]]
        capacity = total


def _vector(v) -> Vec2:
    return Vec2(v.x, v.y)


def _hull(h) -> Hull:
    return Hull(cn_hull.from_buffer_copy(h))


def polygon(points: Sequence[Vector], radius: float = 0) -> Hull:
    """The convex hull of any points, rounded by a radius (m). Close points are welded. Fails if
    fewer than 3 points are left, or more than 8."""
    result = cn_polygon(_points(points), len(points), radius)
    check()
    return Hull(result)


def decompose(outline: Sequence[Vector], holes: Sequence[Sequence[Vector]] = (),
              radius: float = 0) -> list[Hull]:
    """Cuts a concave outline with holes into convex hulls: few, fat, without gaps and overlaps."""
    rings = [_points(ring) for ring in (outline, *holes)]
    outlines = (cn_outline * len(rings))(*[cn_outline(ring, len(ring)) for ring in rings])
    return _list(cn_hull, lambda a, n: cn_decompose(outlines, len(rings), radius, a, n), _hull)


def clip(a: Hull, pose_a: Pose, b: Hull, pose_b: Pose,
         tolerance: float) -> tuple[list[Vec2], Mass]:
    """The common part of two hulls: the corners of its outline, counter-clockwise, in which arcs
    are chords to the tolerance (m), and its exact area, inertia and centroid (at density 1)."""
    mass = cn_mass()
    points = _list(vec2s, lambda p, n: cn_clip(
        byref(a._struct), cn_pose.make(pose_a), byref(b._struct), cn_pose.make(pose_b), tolerance,
        p, n, byref(mass)), _vector)
    return points, read_mass(None, MASS.unpack_from(mass))


def outline_crossings(a: Hull, pose_a: Pose, b: Hull, pose_b: Pose) -> list[Vec2]:
    """The points where the outlines of two hulls cross or touch, counter-clockwise along a."""
    return _list(vec2s, lambda p, n: cn_outline_crossings(
        byref(a._struct), cn_pose.make(pose_a), byref(b._struct), cn_pose.make(pose_b), p, n),
        _vector)


def bounds_crossings(a: Bounds, b: Bounds) -> list[Vec2]:
    """The points where the outlines of two boxes cross or touch."""
    return _list(vec2s, lambda p, n: cn_bounds_crossings(
        cn_bounds.make(a), cn_bounds.make(b), p, n), _vector)


def slice(hull: Hull, point: Vector, normal: Vector,
          tolerance: float) -> tuple[list[Hull], list[Hull]]:
    """Cuts a hull in two along the line through a point. Returns the hulls in front of the line,
    where the normal points, and those behind it."""
    front = ctypes.c_int()
    hulls = _list(cn_hull, lambda a, n: cn_slice(
        byref(hull._struct), vec2s(*point), vec2s(*normal), tolerance, a, n, byref(front)), _hull)
    return hulls[:front.value], hulls[front.value:]
