"""The solid that has the body's inertia: what is drawn of a body that has no mesh."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quatviz.core.body import Body

_THINNEST = 0.035
"""Half-extent of a planar body, so that it can be seen from its edge."""


@dataclass(frozen=True, eq=False)
class Solid:
    """An ellipsoid or a box. `radius` [m] is its largest half-extent; `extents` (3,), the half-extents along the columns
    of `axes` (3, 3), and `centre` (3,), from the fixed point in body components, are in units of it."""

    radius: float
    extents: np.ndarray
    axes: np.ndarray
    centre: np.ndarray


def solid_of(body: Body) -> Solid:
    """The solid of uniform density that has the inertia of `body`, with 1 kg where its mass is not given.

    Its squared half-extents are in proportion to J2 + J3 - J1 and so on. About a pivot the inertia is first moved to
    the centre of mass, where mass and centre are given.
    """
    inertia, centre = body.inertia, np.zeros(3)
    if body.mass is not None and body.centre_of_mass is not None:
        centre = np.asarray(body.centre_of_mass)
        inertia = inertia - body.mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    if np.array_equal(inertia, np.diag(np.diagonal(inertia))):
        moments, axes = np.diagonal(inertia), np.eye(3)
    else:
        moments, axes = np.linalg.eigh(inertia)
        axes = axes * np.sign(np.linalg.det(axes))
    squares = np.maximum(moments.sum() - 2 * moments, 0.0)
    factor = 3.0 if body.shape == "box" else 5.0
    sizes = np.sqrt(factor / (2 * (body.mass or 1.0)) * squares)
    radius = float(sizes.max())
    return Solid(radius, np.maximum(sizes / radius, _THINNEST), axes, centre / radius)
