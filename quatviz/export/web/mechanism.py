"""What a page draws at the body beside its own motion: forces at its points, and the ring inside it."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from quatviz.base.formatting import numbered
from quatviz.physics.loads import bind
from quatviz.physics.loads.base import BoundLoad
from quatviz.physics.mechanics.solid import solid_of
from quatviz.physics.observables.quantities import Motion
from quatviz.simulation.simulation import Simulation

FORCE = {"title": "Force", "symbols": ["f x", "f y", "f z"], "unit": "N", "log": False}

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
    loads = bind(run.preset.loads, run.preset.body)
    acting = [load for load in loads if load.force(np.zeros(1), still) is not None]
    for number, (load, symbol) in enumerate(zip(acting, numbered("f", len(acting)), strict=True)):
        force, point = _acting(load, np.zeros(1), still)
        anchor = load.anchor
        one = {
            "symbol": symbol,
            "point": (np.asarray(point) / radius).tolist(),
            "anchor": None if anchor is None else (np.asarray(anchor, float) / radius).tolist(),
        }
        if load.constant_in is None:
            one["column"] = f"force_{number}"
            columns[one["column"]] = partial(_force, load)
        else:
            # At the attitude (1, 0, 0, 0) the components of space are those of the body.
            one["frame"], one["force"] = load.constant_in, force[0].tolist()
        told.append(one)
    return told, columns


def ring_of(run: Simulation) -> dict[str, float] | None:
    """The ring inside the body: radius and offset in body radii, its arc [rad]."""
    ring = run.preset.body.ring
    if ring is None:
        return None
    radius = solid_of(run.preset.body).radius
    return {"radius": ring.mean_radius / radius, "offset": ring.offset / radius, "arc": ring.arc_angle}


def _force(load: BoundLoad, motion: Motion) -> np.ndarray:
    return _acting(load, motion.t, motion.unit_p)[0]


def _acting(load: BoundLoad, t: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    found = load.force(t, p)
    assert found is not None
    return found
