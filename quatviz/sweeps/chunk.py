"""A chunk of a sweep: what every process, thread or machine that computes for it calls."""

from typing import NamedTuple

import numpy as np

from quatviz.base.errors import InputError, Phrase
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation
from quatviz.sweeps.measures import MEASURES
from quatviz.sweeps.plan import SweepPlan
from quatviz.sweeps.runs import MotionBlock, Runs
from quatviz.text.preset import Preset

STATUSES = ("ok", "singular", "not_finite", "step_failed", "no_closed_form", "failed", "refused")
"""How a run ended, by its number in what is found; -1 is one that has not been computed."""
BLOCK = 1024
"""Samples of one run that are in memory at once."""


class Found(NamedTuple):
    """What is found of points, of each lane: arrays (lanes, points, ...)."""

    status: np.ndarray
    ended: np.ndarray
    """When a run ended early [s]; else NaN."""
    reason: np.ndarray
    """Why, in a sentence; else empty."""
    measured: dict[str, np.ndarray]

    @classmethod
    def nothing(cls, plan: SweepPlan, *shape: int) -> "Found":
        """Of points in arrays of this shape, none computed."""
        size = (len(plan.preset.lanes), *shape)
        return cls(
            np.full(size, -1, dtype=np.int8), np.full(size, np.nan), np.full(size, "", dtype=object),
            {name: np.full((*size, *MEASURES[name].shape), np.nan) for name in plan.measures},
        )  # fmt: skip

    def put(self, numbers: np.ndarray, more: dict[str, np.ndarray]) -> None:
        """Write what was found of the points of these numbers (n, d) where they stand in arrays (lanes, *shape, ...)."""
        places = tuple(numbers.T)
        for name, array in self.as_dict().items():
            array[(slice(None), *places)] = more[name]

    def as_dict(self) -> dict[str, np.ndarray]:
        return {"status": self.status, "ended": self.ended, "reason": self.reason, **self.measured}


def run_chunk(plan: SweepPlan, start: int, stop: int) -> dict[str, np.ndarray]:
    """Compute the points from place `start` to `stop` of the order of a plan, in every lane: what is found as arrays
    (lanes, points, ...), by `status`, `ended` [s], `reason` and the names of the measures. A run that is refused, or ends
    early, is told there; nothing is raised for it.

    It depends on its arguments alone: computed again, anywhere, it gives the same bits.
    """
    values = plan.values(plan.numbers(start, stop))
    found = Found.nothing(plan, len(values))
    with np.errstate(all="ignore"):
        for lane in range(len(plan.preset.lanes)):
            for place in range(len(values)):
                _run_alone(plan, lane, values[place], place, found)
    return found.as_dict()


def _run_alone(plan: SweepPlan, lane: int, values: np.ndarray, place: int, found: Found) -> None:
    """One run by its lane, as everywhere in the program."""
    try:
        preset = plan.preset_at(values, lane)
        run = Simulation(preset)
    except InputError as refusal:
        found.status[lane, place] = STATUSES.index("refused")
        found.reason[lane, place] = str(refusal.sentence)
        return
    computed = run.lanes[0]
    measures = [MEASURES[name](_runs_of(plan, preset, computed)) for name in plan.measures]
    _complete(run, computed, measures)
    found.status[lane, place] = STATUSES.index(computed.status)
    if computed.ended_at is not None:
        found.ended[lane, place], found.reason[lane, place] = computed.ended_at, _reason(computed)
    for name, measure in zip(plan.measures, measures, strict=True):
        found.measured[name][lane, place] = measure.end()[0]


def _complete(run: Simulation, lane: LaneRun, measures: list) -> None:
    """Let the measures see it all, a block at a time."""
    lane.prepare()
    seen = 0
    while True:
        lane.advance(min(run.missing(lane), BLOCK))
        block = MotionBlock(_of(measures), max(seen - 1, 0), lane.motion(max(seen - 1, 0), lane.samples))
        for measure in measures:
            measure.take(block)
        if lane.samples == seen or not run.missing(lane):
            break
        seen = lane.samples
    lane.finish()


def _of(measures: list) -> Runs:
    return measures[0].runs


def _runs_of(plan: SweepPlan, preset: Preset, lane: LaneRun) -> Runs:
    p, omega = preset.initial.p(), preset.initial.omega(preset.body)
    return Runs(
        plan.preset, lane.formulation.id, p[:, None], omega[:, None], lambda _: preset, same_body=True
    )


def _reason(lane: LaneRun) -> str:
    """Why it ended, without its name and the time, which stand beside."""
    message = lane.message
    if isinstance(message, Phrase) and "reason" in message.values:
        return str(message.values["reason"])
    return str(message)
