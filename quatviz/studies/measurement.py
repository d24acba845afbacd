"""What the processes of a study do: compile, compute the reference, measure one case."""

import functools
import logging
import math
import pickle
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numba import cloudpickle

from quatviz.base.errors import InputError, phrase
from quatviz.formulations import FORMULATIONS
from quatviz.integrators import INTEGRATORS
from quatviz.simulation.compilation import mark_of
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation
from quatviz.studies.measures import MEASURES, errors
from quatviz.studies.plan import Case, Plan
from quatviz.studies.reference import Reference, find_reference

log = logging.getLogger(__name__)

_LEAST_SECONDS = 0.02
_MOST_RUNS = 15
_PLAN, _REFERENCE = "plan.pickle", "reference.npz"


@dataclass(frozen=True)
class Point:
    """One case that was run. `status` is `ok`, or what befell the lane (`singular`, `not_finite`, `step_failed`, or
    `fault` of the program), which `message` says in a sentence; then the errors are NaN.

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
        return self.case.dt if fixed or not self.steps else self.simulated / self.steps

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
    return Simulation(plan.run_of(case.lane, case.integrator, case.dt)).lanes[0]


def hand_out(plan: Plan, folder: Path) -> None:
    """Leave the plan in the folder that a study shares with its processes, and those of its forms that a script has made: what is
    sent to them is to be short."""
    forms = {lane.formulation.partition("/")[0] for lane in plan.lanes}
    own = [recipe for name, recipe in FORMULATIONS.recipes.items() if name in forms]
    (folder / _PLAN).write_bytes(cloudpickle.dumps((own, plan)))


def compile_case(folder: Path, case: Case) -> None:
    """Bring the kernels of a case into the cache, for every process to load."""
    try:
        lane = lane_of(_plan(folder), case)
        lane.prepare()
        mark_of(lane).touch()
    except Exception:  # each of its cases will say so
        log.exception("the kernels of a case could not be compiled: %s", case)


def compute_reference(folder: Path) -> tuple[str, dict[str, float], str]:
    """Compute the reference and leave it in the folder; how it was made, its levels, and why there is none."""
    try:
        with np.errstate(all="ignore"):
            reference = find_reference(_plan(folder))
    except InputError as refusal:
        said = phrase("{place}: {refusal}", place=phrase(refusal.place), refusal=refusal.sentence)
        return "", {}, said
    reference.save(folder / _REFERENCE)
    return reference.method, reference.levels, ""


def measure(folder: Path, case: Case) -> Point:
    """Run a case, short ones several times, and compare it with the reference."""
    try:
        return measured(_plan(folder), case, _reference(folder))
    except InputError as refusal:
        return Point(case, "refused", refusal.sentence)
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
    lane.advance(plan.samples - 1)
    lane.finish()
    return lane


@functools.lru_cache(maxsize=1)
def _plan(folder: Path) -> Plan:
    recipes, plan = pickle.loads((folder / _PLAN).read_bytes())
    for recipe in recipes:
        FORMULATIONS.add(recipe)
    assert isinstance(plan, Plan)
    return plan


@functools.lru_cache(maxsize=1)
def _reference(folder: Path) -> Reference:
    return Reference.load(folder / _REFERENCE)
