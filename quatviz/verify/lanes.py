"""Running a motion in every lane there is, and how far a lane can be held to its word."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from quatviz.core.errors import Refusal
from quatviz.core.observables import Motion
from quatviz.core.preset import Preset
from quatviz.core.rotations import rotation_matrix
from quatviz.formulations import FORMULATIONS
from quatviz.scripting import simulate
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation
from quatviz.verify.check import Check, vanishing

NEAR = 0.25
"""A lane whose singularity measure has fallen below this loses digits fast; it is not compared from there on."""
_SAFETY = 3.0
_MOST = 1e4

Quantity = Callable[[Motion], np.ndarray]


def attitude(motion: Motion) -> np.ndarray:
    """A (n, 3, 3): unlike p it does not depend on a sign."""
    return rotation_matrix(motion.unit_p)


def direction_of_h(motion: Motion) -> np.ndarray:
    """h (n, 3) [body] over its magnitude at t = 0, or over 1 where that is zero."""
    return motion.h / (motion.reference.momentum or 1.0)


@dataclass(frozen=True)
class Tried:
    """A lane that was run, and the same lane with twice its step, which tells how far from its limit it is."""

    preset: Preset
    lane: LaneRun
    coarse: LaneRun
    samples: int
    """Samples of a lane that reaches the end."""

    @cached_property
    def regular(self) -> int:
        """How many samples the lane made before it came near a singularity of its own."""
        return _regular(self.lane)

    @property
    def complete(self) -> bool:
        """Whether it can be compared to the end."""
        return self.regular == self.samples

    @property
    def described(self) -> str:
        """What a check's `run` says."""
        return f"{self.preset.name}, {self.lane.name}, {self.lane.integrator.name}, dt = {self.lane.dt:g} s"

    @cached_property
    def motion(self) -> Motion:
        """The stretch that can be compared."""
        return self.lane.motion(stop=self.regular)

    def allowed(self, tolerance: float, quantity: Quantity) -> float:
        """The `tolerance` of a lane, or the error of its own step where that is larger, within reason.

        The two steps lie apart by (2^order - 1) times the error of the finer one. So a form that loses digits, by its nature
        or near its singularity, is held to what it can do, while one that converges to something wrong is caught:
        its two steps agree.
        """
        common = min(self.regular, _regular(self.coarse))
        fine, coarse = (quantity(lane.motion(stop=common)) for lane in (self.lane, self.coarse))
        gap = float(np.abs(fine - coarse).max(initial=0.0))
        own = _SAFETY * gap / (2**self.lane.integrator.order - 1)
        return min(max(tolerance, own), _MOST * tolerance)


def lane_ids() -> list[str]:
    """Every lane id of a single body that is integrated, all variants, but for forms that say that they do not follow it."""
    return [
        f"{name}/{variant}" if variant else name
        for name, family in FORMULATIONS.items()
        for variant in family.variants or ("",)
        if family(variant).yields_motion and not family.carries_ring and not family.closed_form
    ]


def run(
    preset: Preset,
    lanes: Sequence[str] | None = None,
    *,
    dt: float,
    duration: float,
    sample_interval: float,
    integrator: str = "rk4",
) -> list[Tried]:
    """`preset` in the lanes named, each a text as `Lane.from_string` reads it, or in all; those that refuse its body
    and loads, or the integrator, are left out."""
    whole = preset.with_run(integrator=integrator, dt=dt, duration=duration, sample_interval=sample_interval)
    accepted = [lane for lane in (lane_ids() if lanes is None else lanes) if _accepts(whole, lane)]
    if not accepted:
        return []
    fine, coarse = simulate(whole, lanes=accepted), simulate(whole, lanes=accepted, dt=2 * dt)
    return [Tried(preset, lane, coarse[lane.name], fine.samples) for lane in fine]


def endings(tries: Sequence[Tried]) -> Iterator[Check]:
    """Lanes that are not compared to the end of the run must have a singularity, and be near it."""
    for tried in tries:
        if not tried.complete:
            lane = tried.lane
            title = lane.formulation.singularity_title
            what = (
                f"{title or lane.status} of {lane.name} near 0 at t = {tried.regular * lane.interval:.6g} s"
            )
            name = f"{tried.preset.name}: {what}"
            kind = "lanes that are compared to near their singularity only"
            yield vanishing(name, _excuse(tried), NEAR, tried.described, kind)


def _accepts(preset: Preset, lane: str) -> bool:
    try:
        Simulation(preset.with_run(lanes=[lane]))
    except Refusal:
        return False
    return True


def _regular(lane: LaneRun) -> int:
    near = np.flatnonzero(~(np.abs(lane.singularity) > NEAR))
    return int(near[0]) if near.size else lane.samples


def _excuse(tried: Tried) -> float:
    """The singularity measure where the comparison ends, 0 where the lane itself says that it is singular, NaN where
    nothing excuses the end."""
    lane = tried.lane
    if not lane.formulation.singularity_title:
        return np.nan
    if tried.regular < lane.samples:
        return float(abs(lane.singularity[tried.regular]))
    return 0.0 if lane.status == "singular" else np.nan
