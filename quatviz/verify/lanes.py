"""Running a motion in every lane there is, and the stretch over which a lane can be held to its word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from quatviz.core.errors import Refusal
from quatviz.core.preset import Preset
from quatviz.formulations import FORMULATIONS
from quatviz.scripting import simulate
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation
from quatviz.verify.check import Check, vanishing

NEAR = 0.25
"""A lane whose singularity measure has fallen below this loses digits to a fixed step; it is not compared from there on."""


def lane_ids() -> list[str]:
    """Every lane id of the registry, all variants."""
    return [
        f"{name}/{variant}" if variant else name
        for name, family in FORMULATIONS.items()
        for variant in family.variants or ("",)
    ]


def run(
    preset: Preset,
    lanes: Sequence[str] | None = None,
    *,
    dt: float,
    duration: float,
    sample_interval: float,
    integrator: str = "rk4",
) -> Simulation:
    """`preset` in the lanes named, or in all; those that refuse its body and loads, or the integrator, are left out."""
    whole = preset.with_run(integrator=integrator, dt=dt, duration=duration, sample_interval=sample_interval)
    accepted = [lane for lane in (lane_ids() if lanes is None else lanes) if _accepts(whole, lane)]
    return simulate(whole, lanes=accepted)


def _accepts(preset: Preset, lane: str) -> bool:
    try:
        Simulation(preset.with_run(lanes=[lane]))
    except Refusal:
        return False
    return True


def regular_samples(lane: LaneRun) -> int:
    """How many samples the lane made before it came near a singularity of its own."""
    near = np.flatnonzero(~(np.abs(lane.singularity) > NEAR))
    return int(near[0]) if near.size else lane.samples


def allowance(lane: LaneRun, tolerance: float, until: int) -> float:
    """The tolerance of a lane up to sample `until`: near a singularity rates grow as 1/s, and with their fourth power the
    error of a method of order four."""
    nearest = np.abs(lane.singularity[:until]).min()
    return float(tolerance / min(nearest, 1.0) ** 4)


def described(preset: Preset, lane: LaneRun) -> str:
    """What a check's `run` says of a lane."""
    return f"{preset.name}, {lane.name}, {lane.integrator.name}, dt = {lane.dt:g} s"


def endings(preset: Preset, lanes: Simulation) -> Iterator[Check]:
    """Lanes that are not compared to the end of the run must have a singularity, and be near it."""
    for lane in lanes:
        regular = regular_samples(lane)
        if regular < lanes.samples:
            title = lane.formulation.singularity_title
            what = f"{title or lane.status} of {lane.name} near 0 at t = {regular * lane.interval:.6g} s"
            yield vanishing(f"{preset.name}: {what}", _excuse(lane, regular), NEAR, described(preset, lane))


def _excuse(lane: LaneRun, sample: int) -> float:
    """The singularity measure at `sample`, 0 where the lane itself says that it is singular, NaN where it has none."""
    if not lane.formulation.singularity_title:
        return np.nan
    if sample < lane.samples:
        return float(abs(lane.singularity[sample]))
    return 0.0 if lane.status == "singular" else np.nan
