"""Functions that run in the workers of a study: they compile kernels, compute the reference, and measure one case
(lane, integrator and step)."""

import logging
import math
from dataclasses import dataclass, field

import numpy as np

from quatviz.analysis.executors.polled_task import describe_refusal
from quatviz.analysis.studies.measures import MEASURES, measure_errors
from quatviz.analysis.studies.plan import StudyCase, StudyPlan
from quatviz.analysis.studies.reference import ReferenceSolution, find_reference, run_to_end
from quatviz.base.cancellation import Cancelled
from quatviz.base.errors import PLUGIN_EXCEPTIONS, InputError, phrase
from quatviz.physics.integrators import INTEGRATORS
from quatviz.simulation.compilation import mark_path
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation

log = logging.getLogger(__name__)

_MIN_TIMED_SECONDS = 0.02
"""Total processor time [s] up to which the run of a case is repeated, because shorter times cannot be measured
accurately."""
_MAX_REPEATS = 15
"""Largest number of times that the run of a case is repeated for timing."""


@dataclass(frozen=True)
class StudyPoint:
    """One measured case."""

    case: StudyCase
    status: str
    """`ok`, or the reason why the run ended early: `singular`, `not_finite`, `step_failed`, `refused`, `fault` (of the program),
    or `lost` (all workers that computed the case died).
    """
    message: str = ""
    """Sentence that explains the status of the run, or ""."""
    errors: dict[str, float] = field(default_factory=lambda: dict.fromkeys(MEASURES, math.nan))
    """Error by each of `MEASURES`, in the unit of the measure. NaN unless the status is "ok"."""
    seconds: float = math.nan
    """Processor time of the steps [s], the minimum of `runs` equal runs."""
    steps: int = 0
    """Number of steps."""
    runs: int = 0
    """Number of equal runs whose processor time was measured."""
    simulated: float = 0.0
    """Time of the motion [s] that the run reached."""

    @property
    def mean_step(self) -> float:
        """Step of the integrator [s]; for adaptive integrators the mean step."""
        has_fixed_step = INTEGRATORS[self.case.integrator].fixed_step
        has_steps = self.steps and self.simulated
        return self.case.dt if has_fixed_step or not has_steps else self.simulated / self.steps

    @property
    def seconds_per_step(self) -> float:
        """Processor time per integration step [s]."""
        return self.seconds / self.steps if self.steps else math.nan

    @property
    def seconds_per_simulated_second(self) -> float:
        """Processor time [s] per second of the motion."""
        return self.seconds / self.simulated if self.simulated else math.nan


def make_lane(plan: StudyPlan, case: StudyCase) -> LaneRun:
    """Return the lane of a case, not yet computed."""
    return Simulation(plan.case_preset(case.lane, case.integrator, case.dt, case.tolerance)).lanes[0]


def compile_case(plan: StudyPlan, case: StudyCase) -> None:
    """Compile the kernels of a case into the cache, from which every process loads them."""
    try:
        lane = make_lane(plan, case)
        lane.prepare()
        mark_path(lane).touch()
    except PLUGIN_EXCEPTIONS:  # Every case with these kernels will report the fault.
        log.exception("the kernels of a case could not be compiled: %s", case)


def compute_reference(plan: StudyPlan) -> ReferenceSolution | str:
    """Return the reference, or a message that explains why there is none."""
    try:
        with np.errstate(all="ignore"):
            return find_reference(plan)
    except InputError as refusal:
        return describe_refusal(refusal)


def measure_case(plan_and_reference: tuple[StudyPlan, ReferenceSolution], case: StudyCase) -> StudyPoint:
    """Run a case, repeatedly if it is short, and return its errors and cost."""
    plan, reference = plan_and_reference
    try:
        return run_case(plan, case, reference)
    except InputError as refusal:
        return StudyPoint(case, "refused", refusal.sentence)
    except Cancelled:
        raise
    except PLUGIN_EXCEPTIONS as fault:  # A fault of one lane must not end the study.
        log.exception("a case of a study failed: %s", case)
        return StudyPoint(case, "fault", phrase("an internal error: {error!r}", error=fault))


def run_case(plan: StudyPlan, case: StudyCase, reference: ReferenceSolution) -> StudyPoint:
    """Run a case in this process and return its point."""
    lane = _run_lane(plan, case)
    seconds, runs = lane.solver.seconds, 1
    total = seconds
    while lane.status == "ok" and total < _MIN_TIMED_SECONDS and runs < _MAX_REPEATS:
        repeat_seconds = _run_lane(plan, case).solver.seconds
        seconds, runs, total = min(seconds, repeat_seconds), runs + 1, total + repeat_seconds
    case_errors = (
        measure_errors(lane, reference) if lane.status == "ok" else dict.fromkeys(MEASURES, math.nan)
    )
    return StudyPoint(
        case, lane.status, lane.message, case_errors, seconds, lane.solver.steps, runs, lane.computed_to
    )


def _run_lane(plan: StudyPlan, case: StudyCase) -> LaneRun:
    lane = make_lane(plan, case)
    lane.prepare()
    run_to_end(lane, plan.samples)
    lane.finish()
    return lane
