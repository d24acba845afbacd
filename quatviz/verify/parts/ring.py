"""The body with a ring of mercury, against states computed in 80-bit arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from quatviz.core.body import Body
from quatviz.core.initial import Initial
from quatviz.core.observables import Motion
from quatviz.core.preset import Preset
from quatviz.core.ring import Ring
from quatviz.core.rotations import relative_angle
from quatviz.verify.check import Check, vanishing
from quatviz.verify.lanes import Quantity, attitude, endings, run
from quatviz.verify.motions import ring_reference
from quatviz.verify.parts.base import Part

TOLERANCE = 1e-9
DT = 2e-5


class RingPart(Part):
    """S3 example 4 in the consistent model of its equations, with and without friction."""

    name = "ring"
    title = "Ring damper, largest error over the times of its reference"

    def checks(self, full: bool) -> Iterator[Check]:
        for case in ("conservative", "damped"):
            given = ring_reference()[case]
            times = np.array(given["times"])
            tries = run(_preset(case, given), dt=DT, duration=times[-1], sample_interval=0.01)
            yield from endings(tries)
            for tried in tries:
                rows = np.rint(times / 0.01).astype(int)
                angle = relative_angle(tried.motion.p[rows], np.array(given["e"])).max()
                allowed = tried.allowed(TOLERANCE, attitude)
                yield vanishing(f"ring, {case}: attitude [rad]", angle, allowed, tried.described)
                for name, key, quantity in QUANTITIES:
                    value = quantity(tried.motion)[rows]
                    scale = np.abs(given[key]).max()
                    error = np.abs(value - np.array(given[key])).max() / scale
                    allowed = tried.allowed(TOLERANCE * scale, quantity) / scale
                    yield vanishing(f"ring, {case}: {name}, relative", error, allowed, tried.described)


def _omega(motion: Motion) -> np.ndarray:
    return motion.omega


def _ring_angle(motion: Motion) -> np.ndarray:
    return np.radians(motion.extra("ring_angle"))


def _energy(motion: Motion) -> np.ndarray:
    return motion.energy


QUANTITIES: tuple[tuple[str, str, Quantity], ...] = (
    ("angular velocity", "omega", _omega),
    ("angle of the ring", "beta", _ring_angle),
    ("energy", "energy", _energy),
)


def _preset(case: str, given: dict[str, Any]) -> Preset:
    common = ring_reference()["input"]
    initial = common["initial"]
    ring = Ring(
        mass=common["mercury_mass"],
        mean_radius=common["mean_radius"],
        offset=common["offset"],
        arc_angle=common["arc_angle"],
        damping=given["C_d"],
        gravity=[0.0, 0.0, -given["g"]],
        beta=initial["beta"],
        spin=initial["omega_m3"],
    )
    return Preset(
        name=f"ring, {case}",
        body=Body(inertia=common["rotor_inertia"], ring=ring),
        initial=Initial(
            euler_parameters=initial["euler_parameters"], angular_velocity=initial["angular_velocity"]
        ),
    )
