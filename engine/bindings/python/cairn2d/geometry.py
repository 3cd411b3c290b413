"""Functions that make hulls from outlines."""
from __future__ import annotations

from typing import Sequence

from ._abi import *
from ._abi import check
from ._base import Vector
from ._hull import collect_hulls
from ._values import *


def _points(points: Sequence[Vector]):
    return (vec2s * len(points))(*[vec2s(*p) for p in points])


def polygon(points: Sequence[Vector], radius: float = 0) -> Hull:
    """The convex hull of any points, rounded by a radius (m). Close points are welded. Fails if
    fewer than 3 points are left, or more than 8."""
    result = cn_polygon(_points(points), len(points), radius)
    check()
    return Hull(result)


def outline_decompose(outline: Sequence[Vector], holes: Sequence[Sequence[Vector]] = (),
                      radius: float = 0) -> list[Hull]:
    """Cuts a concave outline with holes into convex hulls: few, fat, without gaps and overlaps."""
    rings = [_points(ring) for ring in (outline, *holes)]
    outlines = (cn_outline * len(rings))(*[cn_outline(ring, len(ring)) for ring in rings])
    return collect_hulls(lambda hulls, capacity: cn_outline_decompose(
        outlines, len(rings), radius, hulls, capacity))
