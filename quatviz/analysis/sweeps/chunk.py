"""Computation of a chunk of a sweep: the functions that every worker calls."""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from quatviz.analysis.sweeps.batches import BatchPlanner
from quatviz.analysis.sweeps.engine import BatchOutcome, run_batch, run_lane
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.analysis.sweeps.runs import STATUSES
from quatviz.base.errors import InputError
from quatviz.physics.kernels import cache
from quatviz.physics.kernels.compiler_pool import READY_SUFFIX
from quatviz.simulation.compilation import is_cacheable
from quatviz.simulation.simulation import Simulation

_ENGINE_MODULE = "quatviz.analysis.sweeps.engine"
_COMPILE_POINTS = 16
"""Number of points whose computation compiles all code of a plan. It exceeds the number of points in one SIMD
register."""


class SweepResults(NamedTuple):
    """Results of points in each lane: arrays (lanes, points, ...)."""

    status: np.ndarray
    """Status of each run (lanes, points, ...): an index into `STATUSES`, or -1 if the run is not computed."""
    ended: np.ndarray
    """Time [s] at which each run ended early (lanes, points, ...); NaN for the other runs."""
    reason: np.ndarray
    """Sentence that says why each run ended early (lanes, points, ...); "" for the other runs."""
    measured: dict[str, np.ndarray]
    """Measured values of all runs, by name of the measure."""

    @classmethod
    def empty(cls, plan: SweepPlan, *shape: int) -> "SweepResults":
        """Return empty results for points in arrays of the given shape: no point is computed."""
        size = (len(plan.preset.lanes), *shape)
        return cls(
            np.full(size, -1, dtype=np.int8), np.full(size, np.nan), np.full(size, "", dtype=object),
            {name: np.full((*size, *measure.shape), np.nan) for name, measure in plan.measure_classes.items()},
        )  # fmt: skip

    def store(self, numbers: np.ndarray, arrays: dict[str, np.ndarray]) -> None:
        """Write the results `arrays` (lanes, n, ...) of n points, given by their grid indices (n, d), into
        the arrays of this object."""
        indices = tuple(numbers.T)
        for name, array in self.as_dict().items():
            array[(slice(None), *indices)] = arrays[name]

    def as_dict(self) -> dict[str, np.ndarray]:
        return {"status": self.status, "ended": self.ended, "reason": self.reason, **self.measured}


def run_chunk(plan: SweepPlan, start: int, stop: int) -> dict[str, np.ndarray]:
    """Compute the points at positions `start` to `stop` - 1 of the plan's order, in every lane.

    The result depends only on the arguments: it has the same bits on every machine.

    Parameters
    ----------
    plan
        Plan of the sweep.
    start, stop
        Range of positions in the order of the plan.

    Returns
    -------
    dict
        Arrays (lanes, points, ...): `status`, `ended` [s], `reason`, and one per measure. Runs that are refused or
        end early are reported there and raise nothing.
    """
    values = plan.values_at(plan.grid_indices(start, stop))
    results = SweepResults.empty(plan, len(values))
    with np.errstate(all="ignore"):
        for lane in range(len(plan.preset.lanes)):
            _run_lane(plan, lane, values, results)
    return results.as_dict()


def compile_marker(plan: SweepPlan) -> Path | None:
    """Return the path of the marker file that exists once the code of a plan is compiled; None if that
    code is not cached on disk."""
    lanes = Simulation(plan.preset).lanes
    if not all(is_cacheable(lane) for lane in lanes):
        return None
    classes = {
        type(component)
        for lane in lanes
        for component in (lane.formulation, lane.solver.segment.integrator, *plan.preset.all_loads)
    }
    classes |= set(plan.measure_classes.values())
    code = cache.fingerprint({_ENGINE_MODULE, *(cls.__module__ for cls in classes)}) or ""
    return cache.resolve_path(f"map-{plan.digest[:16]}-{code[:16]}{READY_SUFFIX}")


def compile_chunk(plan: SweepPlan) -> None:
    """Compute a few points of a plan so that its code is compiled, and create the marker."""
    run_chunk(plan, 0, min(_COMPILE_POINTS, plan.point_count))
    marker = compile_marker(plan)
    if marker is not None:
        marker.touch()


def _run_lane(plan: SweepPlan, lane: int, values: np.ndarray, results: SweepResults) -> None:
    """Compute all points (n, k) in one lane."""
    batching = _batching(plan, lane)
    if not batching.can_batch:
        for index in range(len(values)):
            try:
                simulation = Simulation(plan.preset_at(values[index], lane))
            except InputError as refusal:
                _store_refusal(results, lane, index, str(refusal.sentence))
            else:
                _store_outcome(
                    results, lane, np.array([index]), run_lane(plan.preset, simulation, plan.measure_classes)
                )
        return
    batches, refusals = batching.make_batches(values)
    for batch in batches:
        _store_outcome(
            results, lane, batch.point_indices, run_batch(plan.preset, batch, plan.measure_classes)
        )
    for index, sentence in refusals.items():
        _store_refusal(results, lane, index, sentence)


def clear_cache() -> None:
    """Release the planners cached in this process. A plan that is still being computed creates its own again."""
    _batching.cache_clear()


@lru_cache(maxsize=4)
def _batching(plan: SweepPlan, lane: int) -> BatchPlanner:
    """Return the planner of a lane. It is cached, because creating one per chunk would block the GIL for milliseconds."""
    return BatchPlanner(plan, lane)


def _store_outcome(results: SweepResults, lane: int, indices: np.ndarray, outcome: BatchOutcome) -> None:
    results.status[lane, indices], results.ended[lane, indices] = outcome.status, outcome.ended
    for run, sentence in outcome.reasons.items():
        results.reason[lane, indices[run]] = sentence
    for name, array in outcome.measured.items():
        results.measured[name][lane, indices] = array


def _store_refusal(results: SweepResults, lane: int, index: int, sentence: str) -> None:
    results.status[lane, index], results.reason[lane, index] = STATUSES.index("refused"), sentence
