"""Parts of the mechanism that a page draws besides the body: forces at points, rotors, and the damper ring."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from quatviz.base.formatting import numbered_symbols
from quatviz.display.scene.items.rotors import wheel_radius
from quatviz.physics.formulations._translation import is_coupled
from quatviz.physics.geometry.triangles import frame_along
from quatviz.physics.loads import bind
from quatviz.physics.loads.base import BoundLoad
from quatviz.physics.mechanics.solid import make_solid
from quatviz.physics.observables.quantities import MAX_SHOWN_ROTORS, Motion
from quatviz.simulation.simulation import Simulation

FORCE_DESCRIPTION = {"title": "Force", "symbols": ["f x", "f y", "f z"], "unit": "N", "log": False}

ROTOR_DESCRIPTION = {"title": "Rotor angle", "symbols": ["χ"], "unit": "rad", "log": False}

SampleColumn = Callable[[Motion], np.ndarray]
"""Function that returns the values of one column of the page at all samples of a motion, such as a force (n,
3) [N, space]."""


def describe_forces(run: Simulation) -> tuple[list[dict[str, Any]], dict[str, SampleColumn]]:
    """Return a description of each force at a point of the body, and the functions that sample forces which are not
    constant, by column name.

    In a description, `point` [body radii] is in the body frame, and `anchor` [body radii] in the space frame. A
    constant force has its components `force` [N] in the `frame` "space" or "body". Any other force has `column`,
    the name of the column with its components in space.
    """
    radius = make_solid(run.preset.body).radius
    descriptions: list[dict[str, Any]] = []
    columns: dict[str, SampleColumn] = {}
    identity = np.array([[1.0, 0.0, 0.0, 0.0]])
    loads = bind(run.preset.loads, run.preset.body)
    force_loads = [load for load in loads if load.force(np.zeros(1), identity) is not None]
    for number, (load, symbol) in enumerate(
        zip(force_loads, numbered_symbols("f", len(force_loads)), strict=True)
    ):
        force, point = _force_and_point(load, np.zeros(1), identity)
        anchor = load.anchor
        description = {
            "symbol": symbol,
            "point": (np.asarray(point) / radius).tolist(),
            "anchor": None if anchor is None else (np.asarray(anchor, float) / radius).tolist(),
            "normal": None if load.guide_normal is None else load.guide_normal.tolist(),
        }
        if load.center_column is not None and is_coupled(run.preset.body, loads):
            description["anchor_column"] = f"anchor_{number}"
            columns[description["anchor_column"]] = partial(_sample_anchor, load, radius)
        if load.constant_force_frame is None:
            description["column"] = f"force_{number}"
            columns[description["column"]] = partial(_sample_force, load)
        else:
            # At the attitude (1, 0, 0, 0), space and body components are equal.
            description["frame"], description["force"] = load.constant_force_frame, force[0].tolist()
        descriptions.append(description)
    return descriptions, columns


def describe_ring(run: Simulation) -> dict[str, float] | None:
    """Return the damper ring inside the body as `radius` and `offset` [body radii] and `arc` [rad], or None without a ring."""
    ring = run.preset.body.ring
    if ring is None:
        return None
    radius = make_solid(run.preset.body).radius
    return {"radius": ring.mean_radius / radius, "offset": ring.offset / radius, "arc": ring.arc_angle}


def describe_rotors(run: Simulation) -> tuple[list[dict[str, Any]], dict[str, SampleColumn]]:
    """Return a description of each drawn rotor, and the functions that sample their angles (n, 1) [rad], in the
    same order.

    `radius` and `offset` are in body radii. `axes` are the three axes of the wheel in body components, with the
    axis of rotation last.
    """
    body_radius = make_solid(run.preset.body).radius
    descriptions: list[dict[str, Any]] = []
    columns: dict[str, SampleColumn] = {}
    for number, rotor in enumerate(run.preset.body.rotors[:MAX_SHOWN_ROTORS]):
        descriptions.append(
            {
                "radius": wheel_radius(rotor, body_radius),
                "offset": (rotor.position / body_radius).tolist(),
                "axes": np.array(frame_along(*rotor.unit_axis.tolist())).T.tolist(),
            }
        )
        columns[f"rotor_{number}"] = partial(_rotor_angle, number, run.interval)
    return descriptions, columns


def _rotor_angle(number: int, interval: float, motion: Motion) -> np.ndarray:
    """Return the angle (n, 1) [rad] of a rotor, the integral of its speed at the samples by the trapezoidal rule."""
    speed = np.nan_to_num(motion.rotor_speed[:, number])
    steps = 0.5 * interval * (speed[1:] + speed[:-1])
    return np.concatenate([[0.0], np.cumsum(steps)])[:, None]


def _sample_force(load: BoundLoad, motion: Motion) -> np.ndarray:
    center = motion.coupled_center
    placed = load if center is None else load.at_center(center[:, :3])
    return _force_and_point(placed, motion.t, motion.unit_p)[0]


def _sample_anchor(load: BoundLoad, radius: float, motion: Motion) -> np.ndarray:
    """Return the position (n, 3) of the anchor of a spring, or of the origin of its guide, relative to the center of mass
    [body radii]."""
    anchor = np.zeros(3) if load.anchor is None else np.asarray(load.anchor, float)
    return (anchor - motion.centre) / radius


def _force_and_point(load: BoundLoad, t: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    force = load.force(t, p)
    assert force is not None
    return force
