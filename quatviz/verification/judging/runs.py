"""Runs of a judged lane with successively halved steps, compared with the exact or a finer solution."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from quatviz.analysis.studies.measurement import StudyPoint, run_case
from quatviz.analysis.studies.plan import StudyCase, StudyPlan
from quatviz.analysis.studies.reference import ReferenceSolution, find_reference
from quatviz.analysis.studies.result import StudyData
from quatviz.base.errors import InputError, phrase
from quatviz.files.preset import Lane, Preset
from quatviz.physics.equations import EvaluationPoint
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.loads import conserves_energy
from quatviz.physics.loads.gravity import Gravity
from quatviz.physics.mechanics.rotations import normalize
from quatviz.simulation.simulation import Simulation
from quatviz.verification.judging.judgement import ConvergenceResult

_OWN_STATES = 100
"""Number of states along its own run at which the rates of a lane are compared."""
_MIN_FINISHED_RUNS = 2
"""Smallest number of complete runs from which an order of convergence is determined."""
_MIN_RUN_ERROR, _LEAST_DECREASE = 1e-4, 0.3
"""Thresholds above which runs count as not approaching the motion: the attitude error of the finest run [rad], and
its ratio to the error of the coarsest run. Both must be exceeded."""
_STEP_COUNT = 4
"""Number of runs of the lane, each with half the step of the previous one."""
_MIN_TIMED_STEPS = 20_000
"""Smallest number of time steps over which the cost of a step is measured."""


class ConvergenceRuns(NamedTuple):
    """Result of the runs of a lane, the motion of the finest run, and a sentence about runs that do not approach the
    motion, or ""."""

    result: ConvergenceResult
    motion: Any
    fault: str


def states_along(motion: Any, preset: Preset) -> list[EvaluationPoint]:
    """Return up to `_OWN_STATES` states of a run, none after an event that changes body or loads."""
    change = min((event.at for event in preset.events), default=math.inf)
    indices = np.unique(np.linspace(0, len(motion.t) - 1, _OWN_STATES).astype(int))
    rows = [(float(motion.t[k]), motion.p[k], motion.omega[k]) for k in indices if motion.t[k] < change]
    return [
        EvaluationPoint(preset.body, preset.loads, t, normalize(p), omega)
        for t, p, omega in rows
        if np.isfinite(p).all() and np.isfinite(omega).all()
    ]


def convergence_runs(lane: Lane, preset: Preset, duration: float | None) -> ConvergenceRuns:
    """Run a lane with `_STEP_COUNT` successively halved steps, and compare the runs with the exact or a finer
    solution."""
    plan = StudyPlan.create(preset, lanes=[lane], steps=_STEP_COUNT, duration=duration)
    if plan.refused:
        raise InputError(
            "lane", expected="a lane that supports this body and these loads", found=plan.refused[0].reason,
            remedy="judge it with another preset", topic="own#judged",
        )  # fmt: skip
    with np.errstate(all="ignore"):
        reference = find_reference(plan)
        study_points = [run_case(plan, case, reference) for case in plan.cases]
    finished = [point for point in study_points if point.status == "ok"]
    study_data = StudyData(plan, tuple(study_points), reference.method, reference.levels)
    finest = (finished or study_points)[-1]
    curve = study_data.curves()[0]
    run = Simulation(
        plan.case_preset(finest.case.lane, finest.case.integrator, finest.case.dt, finest.case.tolerance)
    )
    run.complete(jobs=1)
    motion = run.lanes[0].motion()
    cost = _step_cost(plan, finest.case, reference)
    plain = _timed_case(plan, replace(finest.case, lane=Lane("newton_euler")), reference)
    result = ConvergenceResult(
        integrator=finest.case.integrator,
        expected_order=INTEGRATORS[finest.case.integrator].order,
        order=curve.fit.order if curve.fit is not None else math.nan,
        error=finest.errors["orientation"],
        dt=finest.case.dt,
        reference=reference.method,
        drifts=_invariant_drifts(motion, preset),
        singularity_distance=float(np.abs(motion.singularity).min()),
        cost=cost,
        relative_cost=cost / plain.seconds_per_step,
        message=_unfinished_message(study_points),
    )
    errors = [point.errors["orientation"] for point in finished]
    return ConvergenceRuns(result, motion, _run_fault(errors, plain.errors["orientation"]))


def _run_fault(errors: Sequence[float], plain_error: float) -> str:
    """Return a phrase about the remaining error if the runs do not approach the motion with finer steps,
    otherwise "".

    The text is also empty if the runs of Newton-Euler do not approach the motion either.
    """
    if len(errors) < _MIN_FINISHED_RUNS or not errors[-1] > max(_MIN_RUN_ERROR, 10.0 * plain_error):
        return ""
    if errors[-1] < _LEAST_DECREASE * errors[0]:
        return ""
    return phrase(
        "even with very small steps, the runs of these equations differ from the motion by {error:.1e} rad",
        error=errors[-1],
    )


def _unfinished_message(study_points: Sequence[StudyPoint]) -> str:
    """Return the reason why a run ended early. Return "" if only runs with the coarsest steps ended early and
    enough finer runs are left to determine the order."""
    finished = [point.status == "ok" for point in study_points]
    if finished.count(True) >= _MIN_FINISHED_RUNS and all(finished[finished.index(True) :]):
        return ""
    return next((point.message for point in study_points if point.status != "ok"), "")


def _step_cost(plan: StudyPlan, case: StudyCase, reference: ReferenceSolution) -> float:
    """Return the processor time per step [s], measured over enough steps; NaN for a lane that ends early."""
    return _timed_case(plan, case, reference).seconds_per_step


def _timed_case(plan: StudyPlan, case: StudyCase, reference: ReferenceSolution) -> StudyPoint:
    """Run the case with enough steps to measure their cost."""
    halvings = math.ceil(math.log2(max(_MIN_TIMED_STEPS * case.dt / plan.duration, 1.0)))
    return run_case(plan, replace(case, dt=case.dt / 2**halvings), reference)


def _invariant_drifts(motion: Any, preset: Preset) -> dict[str, float]:
    """Return the drifts of conserved quantities: |p|, the energy without dissipation, and h in space (without
    loads, the vector; under gravity, its vertical component)."""
    drifts = {"|p|² - 1": float(np.abs(motion.constraint).max())}
    if all(conserves_energy(load) for load in preset.loads):
        drifts["energy"] = float(np.abs(motion.energy_drift).max())
    if not preset.loads:
        drifts["h in space"] = float(motion.h_space_drift.max())
    elif all(isinstance(load, Gravity) for load in preset.loads):
        vertical_momentum = motion.h_space[:, 2]
        drifts["h along gravity"] = float(
            np.abs(vertical_momentum - vertical_momentum[0]).max() / (motion.reference.momentum or 1.0)
        )
    return drifts
