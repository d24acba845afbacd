"""What a page draws at the body beside its own motion: forces at its points, and the ring inside it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from quatviz.core.body_solid import solid_of
from quatviz.core.loads.base import Load
from quatviz.core.observables import Motion
from quatviz.core.rotations import rotate_back
from quatviz.core.typography import numbered
from quatviz.simulation.simulation import Simulation

FORCE = {"title": "Force", "symbols": ["f x", "f y", "f z"], "unit": "N", "log": False}
_ALIKE = 1e-9

Force = Callable[[Motion], np.ndarray]
"""A force (n, 3) [N] in space."""


def forces_of(run: Simulation) -> tuple[list[dict[str, Any]], dict[str, Force]]:
    """What the page is told of each force at a body point, and by column the forces that have to be sampled.

    `point` and `anchor` in body radii, of the body and of space; `force` [N] where it is always the same, in the `frame`
    "space" or "body"; otherwise `column` names where it is, in space.
    """
    radius = solid_of(run.preset.body).radius
    told: list[dict[str, Any]] = []
    columns: dict[str, Force] = {}
    still = np.array([[1.0, 0.0, 0.0, 0.0]])
    acting = [load for load in run.preset.loads if load.acting(np.zeros(1), still) is not None]
    for number, (load, symbol) in enumerate(zip(acting, numbered("f", len(acting)), strict=True)):
        _, point = _acting(load, np.zeros(1), still)
        anchor = getattr(load, "anchor", None)
        one = {
            "symbol": symbol,
            "point": (np.asarray(point) / radius).tolist(),
            "anchor": None if anchor is None else (np.asarray(anchor, float) / radius).tolist(),
        }
        constant = _constant(load)
        if constant is None:
            one["column"] = f"force_{number}"
            columns[one["column"]] = partial(_force, load)
        else:
            one["frame"], one["force"] = constant
        told.append(one)
    return told, columns


def ring_of(run: Simulation) -> dict[str, float] | None:
    """The ring inside the body: radius and offset in body radii, its arc [rad]."""
    ring = run.preset.body.ring
    if ring is None:
        return None
    radius = solid_of(run.preset.body).radius
    return {"radius": ring.mean_radius / radius, "offset": ring.offset / radius, "arc": ring.arc_angle}


def _force(load: Load, motion: Motion) -> np.ndarray:
    return _acting(load, motion.t, motion.unit_p)[0]


def _acting(load: Load, t: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    found = load.acting(t, p)
    assert found is not None
    return found


def _constant(load: Load) -> tuple[str, list[float]] | None:
    """The frame in which a force never changes, and what it is there; None for one that does. Tried at several times and
    attitudes: a load does not say it of itself."""
    random = np.random.default_rng(1)
    p = random.normal(size=(16, 4))
    p /= np.linalg.norm(p, axis=1, keepdims=True)
    t = np.concatenate(([0.0], 10.0 ** random.uniform(-3, 3, 15)))
    force = _acting(load, t, p)[0]
    for frame, seen in (("space", force), ("body", rotate_back(p, force))):
        if np.allclose(seen, seen[0], rtol=_ALIKE, atol=_ALIKE * float(np.abs(force).max())):
            return frame, seen[0].tolist()
    return None
