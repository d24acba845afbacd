"""A chunk of a sweep: what every process, thread or machine that computes for it calls."""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from quatviz.analysis.sweeps.batches import Batching
from quatviz.analysis.sweeps.engine import Outcome, run_alone, run_together
from quatviz.analysis.sweeps.measures import MEASURES
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.analysis.sweeps.runs import STATUSES
from quatviz.base.errors import InputError
from quatviz.physics.kernels import cache
from quatviz.physics.kernels.compiler_pool import MARK
from quatviz.simulation.compilation import is_kept
from quatviz.simulation.simulation import Simulation

_COMPUTING = "quatviz.analysis.sweeps.engine"
_FEW = 16
"""Points that make all be compiled: more of them than are computed in one register."""


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
            _run_lane(plan, lane, values, found)
    return found.as_dict()


def mark_of(plan: SweepPlan) -> Path | None:
    """The file that says that what a plan needs is compiled, by whatever is compiled for it; None where nothing is that is
    kept."""
    lanes = Simulation(plan.preset).lanes
    if not all(is_kept(lane) for lane in lanes):
        return None
    kinds = {type(part) for lane in lanes for part in (lane.formulation, lane.integrator, *plan.preset.loads)}
    kinds |= {MEASURES[name] for name in plan.measures}
    code = cache.fingerprint({_COMPUTING, *(kind.__module__ for kind in kinds)}) or ""
    return cache.place_of(f"map-{plan.digest[:16]}-{code[:16]}{MARK}")


def compile_chunk(plan: SweepPlan) -> None:
    """Compute a few points of a plan, so that what it needs is compiled, and mark that."""
    run_chunk(plan, 0, min(_FEW, plan.points))
    mark = mark_of(plan)
    if mark is not None:
        mark.touch()


def _run_lane(plan: SweepPlan, lane: int, values: np.ndarray, found: Found) -> None:
    """All points (n, k) in one lane."""
    batching = _batching(plan, lane)
    if not batching.suits:
        for place in range(len(values)):
            try:
                run = Simulation(plan.preset_at(values[place], lane))
            except InputError as refusal:
                _refuse(found, lane, place, str(refusal.sentence))
            else:
                _put(found, lane, np.array([place]), run_alone(plan.preset, run, plan.measures))
        return
    batches, lacks = batching.batches(values)
    for batch in batches:
        _put(found, lane, batch.places, run_together(plan.preset, batch, plan.measures))
    for place, sentence in lacks.items():
        _refuse(found, lane, place, sentence)


def forget() -> None:
    """Let go of what was made for plans in this process: one that is still being computed makes its own anew."""
    _batching.cache_clear()


@lru_cache(maxsize=4)
def _batching(plan: SweepPlan, lane: int) -> Batching:
    """Made once for a plan: what each chunk would make anew takes milliseconds in which no other thread computes."""
    return Batching(plan, lane)


def _put(found: Found, lane: int, places: np.ndarray, outcome: Outcome) -> None:
    found.status[lane, places], found.ended[lane, places] = outcome.status, outcome.ended
    for run, sentence in outcome.reasons.items():
        found.reason[lane, places[run]] = sentence
    for name, array in outcome.measured.items():
        found.measured[name][lane, places] = array


def _refuse(found: Found, lane: int, place: int, sentence: str) -> None:
    found.status[lane, place], found.reason[lane, place] = STATUSES.index("refused"), sentence
