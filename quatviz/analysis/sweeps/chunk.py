"""A chunk of a sweep: what every process, thread or machine that computes for it calls."""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from quatviz.analysis.sweeps.batches import BatchPlanner
from quatviz.analysis.sweeps.engine import BatchOutcome, run_batch, run_lane
from quatviz.analysis.sweeps.measures import MEASURES
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.analysis.sweeps.runs import STATUSES
from quatviz.base.errors import InputError
from quatviz.physics.kernels import cache
from quatviz.physics.kernels.compiler_pool import READY_SUFFIX
from quatviz.simulation.compilation import is_cacheable
from quatviz.simulation.simulation import Simulation

_ENGINE_MODULE = "quatviz.analysis.sweeps.engine"
_COMPILE_POINTS = 16
"""Points that make all be compiled: more of them than are computed in one register."""


class SweepResults(NamedTuple):
    """What is found of points, of each lane: arrays (lanes, points, ...)."""

    status: np.ndarray
    ended: np.ndarray
    """When a run ended early [s]; else NaN."""
    reason: np.ndarray
    """Why, in a sentence; else empty."""
    measured: dict[str, np.ndarray]

    @classmethod
    def empty(cls, plan: SweepPlan, *shape: int) -> "SweepResults":
        """Of points in arrays of this shape, none computed."""
        size = (len(plan.preset.lanes), *shape)
        return cls(
            np.full(size, -1, dtype=np.int8), np.full(size, np.nan), np.full(size, "", dtype=object),
            {name: np.full((*size, *MEASURES[name].shape), np.nan) for name in plan.measures},
        )  # fmt: skip

    def store(self, numbers: np.ndarray, arrays: dict[str, np.ndarray]) -> None:
        """Write what was found of the points of these numbers (n, d) where they stand in arrays (lanes, *shape, ...)."""
        indices = tuple(numbers.T)
        for name, array in self.as_dict().items():
            array[(slice(None), *indices)] = arrays[name]

    def as_dict(self) -> dict[str, np.ndarray]:
        return {"status": self.status, "ended": self.ended, "reason": self.reason, **self.measured}


def run_chunk(plan: SweepPlan, start: int, stop: int) -> dict[str, np.ndarray]:
    """Compute the points from place `start` to `stop` of the order of a plan, in every lane: what is found as arrays
    (lanes, points, ...), by `status`, `ended` [s], `reason` and the names of the measures. A run that is refused, or ends
    early, is told there; nothing is raised for it.

    It depends on its arguments alone: computed again, anywhere, it gives the same bits.
    """
    values = plan.values_at(plan.grid_indices(start, stop))
    results = SweepResults.empty(plan, len(values))
    with np.errstate(all="ignore"):
        for lane in range(len(plan.preset.lanes)):
            _run_lane(plan, lane, values, results)
    return results.as_dict()


def compile_marker(plan: SweepPlan) -> Path | None:
    """The file that says that what a plan needs is compiled, by whatever is compiled for it; None where nothing is that is
    kept."""
    lanes = Simulation(plan.preset).lanes
    if not all(is_cacheable(lane) for lane in lanes):
        return None
    classes = {
        type(component)
        for lane in lanes
        for component in (lane.formulation, lane.integrator, *plan.preset.all_loads)
    }
    classes |= {MEASURES[name] for name in plan.measures}
    code = cache.fingerprint({_ENGINE_MODULE, *(cls.__module__ for cls in classes)}) or ""
    return cache.resolve_path(f"map-{plan.digest[:16]}-{code[:16]}{READY_SUFFIX}")


def compile_chunk(plan: SweepPlan) -> None:
    """Compute a few points of a plan, so that what it needs is compiled, and mark that."""
    run_chunk(plan, 0, min(_COMPILE_POINTS, plan.point_count))
    marker = compile_marker(plan)
    if marker is not None:
        marker.touch()


def _run_lane(plan: SweepPlan, lane: int, values: np.ndarray, results: SweepResults) -> None:
    """All points (n, k) in one lane."""
    batching = _batching(plan, lane)
    if not batching.can_batch:
        for index in range(len(values)):
            try:
                simulation = Simulation(plan.preset_at(values[index], lane))
            except InputError as refusal:
                _store_refusal(results, lane, index, str(refusal.sentence))
            else:
                _store_outcome(
                    results, lane, np.array([index]), run_lane(plan.preset, simulation, plan.measures)
                )
        return
    batches, refusals = batching.make_batches(values)
    for batch in batches:
        _store_outcome(results, lane, batch.point_indices, run_batch(plan.preset, batch, plan.measures))
    for index, sentence in refusals.items():
        _store_refusal(results, lane, index, sentence)


def clear_cache() -> None:
    """Let go of what was made for plans in this process: one that is still being computed makes its own anew."""
    _batching.cache_clear()


@lru_cache(maxsize=4)
def _batching(plan: SweepPlan, lane: int) -> BatchPlanner:
    """Made once for a plan: what each chunk would make anew takes milliseconds in which no other thread computes."""
    return BatchPlanner(plan, lane)


def _store_outcome(results: SweepResults, lane: int, indices: np.ndarray, outcome: BatchOutcome) -> None:
    results.status[lane, indices], results.ended[lane, indices] = outcome.status, outcome.ended
    for run, sentence in outcome.reasons.items():
        results.reason[lane, indices[run]] = sentence
    for name, array in outcome.measured.items():
        results.measured[name][lane, indices] = array


def _store_refusal(results: SweepResults, lane: int, index: int, sentence: str) -> None:
    results.status[lane, index], results.reason[lane, index] = STATUSES.index("refused"), sentence
