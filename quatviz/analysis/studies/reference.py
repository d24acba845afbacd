"""The reference solution that the runs of a study are compared with, and an estimate of its own error."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from quatviz.analysis.studies.plan import StudyPlan
from quatviz.base.cancellation import raise_if_cancelled
from quatviz.base.errors import InputError, phrase
from quatviz.files.preset import Lane
from quatviz.physics.formulations import lane_title
from quatviz.physics.integrators import INTEGRATORS, integrator_title
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation

REFERENCE_REFINEMENT = 4
"""Ratio of the finest step of the study to the step of the reference."""
_REFERENCE_FORMULATIONS = ("newton_euler", "hamilton", "ring_damper")
DEFAULT_REFERENCE_PAIR = ("newton_euler", "rk4")
"""Formulation and integrator of most references. Their kernels need not be compiled separately, because the computation
of the reference compiles them."""
_ACCURATE_ENOUGH = 1e-11
"""Orientation error of a reference [rad] below which no better reference is computed."""
_BLOCKS_PER_CHECK = 50
"""Number of blocks of steps between two checks for cancellation, about a quarter of a second."""
_EPSILON = float(np.finfo(float).eps)


@dataclass(frozen=True, eq=False)
class ReferenceSolution:
    """Reference solution of a study: the motion at the samples of the plan, and its estimated errors."""

    method: str
    """Formulation, integrator and step of the reference, or "exact solution"."""
    p: np.ndarray
    """Euler parameters (n, 4), normalized."""
    h: np.ndarray
    """Angular momentum (n, 3) [kg m^2/s, body]."""
    energy: np.ndarray
    """Total energy (n,) [J]."""
    levels: dict[str, float]
    """Estimated error of the reference by each measure that needs a reference: a map from name to error in the unit of
    the measure. Smaller errors of a run cannot be resolved."""


def find_reference(plan: StudyPlan) -> ReferenceSolution:
    """Return the exact solution if it is known, and otherwise the most accurate of the computed candidates.

    Raises
    ------
    InputError
        If no candidate reaches the end of the run.
    """
    exact = _exact_reference(plan)
    if exact is not None:
        return exact
    candidates = list(_computed_references(plan))
    if not candidates:
        raise InputError(
            "the reference of the study",
            expected="a run that reaches the end and can serve as the reference",
            found=phrase(
                "no such run with steps of {step:.3g} s", step=plan.steps[-1] / REFERENCE_REFINEMENT
            ),
            remedy="use smaller steps, or a shorter duration",
            topic="errors#studies",
        )
    return min(candidates, key=_orientation_level)


def _exact_reference(plan: StudyPlan) -> ReferenceSolution | None:
    lane = _run_lane(plan, "exact", "rk4", plan.interval)
    if lane is None:
        return None
    # A closed form is evaluated to rounding, and its phase omega t is rounded as well.
    phase_growth = 1.0 + float(np.linalg.norm(lane.omega, axis=1).max()) * plan.duration
    return _make_reference(
        plan, lane, phrase("exact solution"), dict.fromkeys(_LEVELS, 4.0 * _EPSILON * phase_growth)
    )


def _computed_references(plan: StudyPlan) -> Iterator[ReferenceSolution]:
    """Yield candidates for the reference with their error estimates. The second, expensive candidate is
    computed only if the first is not accurate enough."""
    step = plan.steps[-1] / REFERENCE_REFINEMENT
    default_reference = _finer_reference(plan, step)
    if default_reference is not None:
        yield default_reference
    if "dop853" in INTEGRATORS and _orientation_level(default_reference) > _ACCURATE_ENOUGH:
        pair = [
            lane
            for form in _REFERENCE_FORMULATIONS[:2]
            if (lane := _run_lane(plan, form, "dop853", step)) is not None
        ]
        if len(pair) == 2:
            yield _make_reference(plan, pair[0], _method_title(pair[0], "dop853"), _differences(*pair))


def _finer_reference(plan: StudyPlan, step: float) -> ReferenceSolution | None:
    """Return an RK4 solution with a finer step than any step of the study. The first formulation that can compute the
    motion is used.

    The step is doubled while this lowers the error, because the rounding error grows with the number of steps.
    """
    for formulation in _REFERENCE_FORMULATIONS:
        best = None
        while (candidate := _reference_at_step(plan, formulation, step)) is not None and _orientation_level(
            candidate
        ) < _orientation_level(best):
            best, step = candidate, 2 * step
        if best is not None:
            return best
    return None


def _orientation_level(reference: ReferenceSolution | None) -> float:
    return reference.levels["orientation"] if reference is not None else math.inf


def _reference_at_step(plan: StudyPlan, formulation: str, step: float) -> ReferenceSolution | None:
    """Return the RK4 solution with this step, and its error, estimated from runs with two and four times the step."""
    fine, middle, coarse = (_run_lane(plan, formulation, "rk4", step * 2**n) for n in range(3))
    if fine is None or middle is None:
        return None
    levels = _differences(fine, middle)
    if coarse is not None:
        levels = _extrapolate_levels(levels, _differences(middle, coarse))
    method = f"{_method_title(fine, 'rk4')}, dt = {step:.4g} s"
    return _make_reference(plan, fine, method, _with_rounding(plan, fine, levels, step))


def _method_title(lane: LaneRun, integrator: str) -> str:
    return f"{lane_title(lane.formulation.id)}, {integrator_title(integrator)}"


def _with_rounding(plan: StudyPlan, lane: LaneRun, levels: dict[str, float], step: float) -> dict[str, float]:
    """Return the estimated errors `levels`, raised to at least the rounding error.

    The rounding error is estimated from the difference between two formulations with the same step.
    """
    other = _run_lane(plan, _REFERENCE_FORMULATIONS[1], "rk4", step)
    if other is None or lane.formulation.id == _REFERENCE_FORMULATIONS[1]:
        return levels
    return {name: max(levels[name], gap) for name, gap in _differences(lane, other).items()}


def _extrapolate_levels(fine: dict[str, float], coarse: dict[str, float]) -> dict[str, float]:
    """Estimate the errors of the finest of three order-4 runs with successively halved steps.

    If the differences decrease as expected for order 4, the error is 1/15 of the finer difference (Richardson
    extrapolation). Otherwise rounding or a too coarse step dominates, and the whole difference is returned.
    """
    return {name: gap / 15 if coarse[name] > 10 * gap else gap for name, gap in fine.items()}


def _run_lane(plan: StudyPlan, formulation: str, integrator: str, dt: float) -> LaneRun | None:
    """Return a lane computed at the samples of the plan, or None if it is refused or does not reach the end."""
    try:
        lane = Simulation(plan.case_preset(Lane(formulation), integrator, dt)).lanes[0]
    except InputError:
        return None
    lane.prepare()
    run_to_end(lane, plan.samples)
    return lane if lane.alive and lane.samples == plan.samples else None


def run_to_end(lane: LaneRun, samples: int) -> None:
    """Advance a lane to its end. Raises `Cancelled` if the caller has cancelled the work."""
    while lane.alive and lane.samples < samples:
        lane.advance_briefly(samples - lane.samples, _BLOCKS_PER_CHECK)
        raise_if_cancelled()


def _differences(first: LaneRun, second: LaneRun) -> dict[str, float]:
    h = first.h
    return {
        "orientation": float(relative_angle(first.p, second.p).max()),
        "orientation_end": float(relative_angle(first.p[-1], second.p[-1])),
        "momentum": float(np.linalg.norm(h - second.h, axis=1).max() / np.linalg.norm(h, axis=1).max()),
        "energy": float(
            np.abs(first.energy - second.energy).max() / first.motion(stop=1).reference.energy_scale
        ),
    }


_LEVELS = ("orientation", "orientation_end", "momentum", "energy")


def _make_reference(
    plan: StudyPlan, lane: LaneRun, method: str, levels: dict[str, float]
) -> ReferenceSolution:
    """Return the computed `lane` as a reference, with the estimated errors `levels`, raised to at least the rounding
    error."""
    unit = lane.p / np.linalg.norm(lane.p, axis=1, keepdims=True)
    at_best = {name: max(level, _EPSILON) for name, level in levels.items()}
    return ReferenceSolution(method, unit, lane.h, lane.energy, at_best)
