"""What those who compute for a study do: compile, compute the reference, measure one case."""

import logging
import math
from dataclasses import dataclass, field

import numpy as np

from quatviz.analysis.executors.cancellation import Stopped
from quatviz.analysis.executors.polled_task import refused
from quatviz.analysis.studies.measures import MEASURES, errors
from quatviz.analysis.studies.plan import Case, Plan
from quatviz.analysis.studies.reference import Reference, complete, find_reference
from quatviz.base.errors import InputError, phrase
from quatviz.physics.integrators import INTEGRATORS
from quatviz.simulation.compilation import mark_of
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation

log = logging.getLogger(__name__)

_LEAST_SECONDS = 0.02
_MOST_RUNS = 15


@dataclass(frozen=True)
class Point:
    """One case that was run. `status` is `ok`, or what befell the lane (`singular`, `not_finite`, `step_failed`, `fault` of the
    program, or `lost` with all workers that computed it), which `message` says in a sentence; then the errors are NaN.

    `seconds` is the processor time of the run's steps, the least of `runs` equal runs; `steps` how many they are.
    """

    case: Case
    status: str
    message: str = ""
    errors: dict[str, float] = field(default_factory=lambda: dict.fromkeys(MEASURES, math.nan))
    """The error by each of `MEASURES`, in its unit."""
    seconds: float = math.nan
    steps: int = 0
    runs: int = 0
    simulated: float = 0.0
    """How far the run got [s]."""

    @property
    def step(self) -> float:
        """The step [s]; of a method that chooses its own, their mean."""
        fixed = INTEGRATORS[self.case.integrator].fixed_step
        made = self.steps and self.simulated
        return self.case.dt if fixed or not made else self.simulated / self.steps

    @property
    def per_step(self) -> float:
        """Processor time of a step [s]."""
        return self.seconds / self.steps if self.steps else math.nan

    @property
    def per_second(self) -> float:
        """Processor time [s] for a second of the motion."""
        return self.seconds / self.simulated if self.simulated else math.nan


def lane_of(plan: Plan, case: Case) -> LaneRun:
    """The lane of a case, not yet run."""
    return Simulation(plan.run_of(case.lane, case.integrator, case.dt, case.tolerance)).lanes[0]


def compile_case(plan: Plan, case: Case) -> None:
    """Bring the kernels of a case into the cache, for every process to load."""
    try:
        lane = lane_of(plan, case)
        lane.prepare()
        mark_of(lane).touch()
    except Exception:  # each of its cases will say so
        log.exception("the kernels of a case could not be compiled: %s", case)


def compute_reference(plan: Plan) -> Reference | str:
    """The reference, or why there is none."""
    try:
        with np.errstate(all="ignore"):
            return find_reference(plan)
    except InputError as refusal:
        return refused(refusal)


def measure(given: tuple[Plan, Reference], case: Case) -> Point:
    """Run a case, short ones several times, and compare it with the reference."""
    plan, reference = given
    try:
        return measured(plan, case, reference)
    except InputError as refusal:
        return Point(case, "refused", refusal.sentence)
    except Stopped:
        raise
    except Exception as fault:  # one lane's fault must not end the study
        log.exception("a case of a study failed: %s", case)
        return Point(case, "fault", phrase("a fault in the program: {fault!r}", fault=fault))


def measured(plan: Plan, case: Case, reference: Reference) -> Point:
    """The point of a case, run here."""
    lane = _completed(plan, case)
    seconds, runs = lane.seconds, 1
    total = seconds
    while lane.status == "ok" and total < _LEAST_SECONDS and runs < _MOST_RUNS:
        again = _completed(plan, case).seconds
        seconds, runs, total = min(seconds, again), runs + 1, total + again
    found = errors(lane, reference) if lane.status == "ok" else dict.fromkeys(MEASURES, math.nan)
    return Point(case, lane.status, lane.message, found, seconds, lane.steps, runs, lane.computed_to)


def _completed(plan: Plan, case: Case) -> LaneRun:
    lane = lane_of(plan, case)
    lane.prepare()
    complete(lane, plan.samples)
    lane.finish()
    return lane
