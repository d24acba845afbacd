"""The motion that runs are compared with, and how far it can be trusted."""

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
"""How many times finer than the finest step of the study the reference's own step is."""
_REFERENCE_FORMULATIONS = ("newton_euler", "hamilton", "ring_damper")
DEFAULT_REFERENCE_PAIR = ("newton_euler", "rk4")
"""Formulation and integrator whose kernels a reference needs, and compiles, in most studies."""
_ACCURATE_ENOUGH = 1e-11
"""A reference that is off by less [rad] leaves nothing to wish for."""
_BLOCKS_PER_CHECK = 50
"""Between two questions whether it is to go on: about a quarter of a second."""
_EPSILON = float(np.finfo(float).eps)


@dataclass(frozen=True, eq=False)
class ReferenceSolution:
    """p (n, 4), h (n, 3) [kg m^2/s, body] and energy (n,) [J] at the samples of a plan.

    `levels` says for each measure that needs it how far the reference itself may be off, in that measure's unit: an
    error below it means nothing.
    """

    method: str
    p: np.ndarray
    h: np.ndarray
    energy: np.ndarray
    levels: dict[str, float]


def find_reference(plan: StudyPlan) -> ReferenceSolution:
    """The exact solution where it is known; else the better one of the most accurate methods there are.

    Raises `InputError` where no run that it could be reaches the end.
    """
    exact = _exact_reference(plan)
    if exact is not None:
        return exact
    candidates = list(_computed_references(plan))
    if not candidates:
        raise InputError(
            "the reference of the study",
            expected="a run that reaches the end, to compare the others with",
            found=phrase("none with steps of {step:.3g} s", step=plan.steps[-1] / REFERENCE_REFINEMENT),
            remedy="study smaller steps, or a shorter time",
            topic="errors#studies",
        )
    return min(candidates, key=_orientation_level)


def _exact_reference(plan: StudyPlan) -> ReferenceSolution | None:
    lane = _run_lane(plan, "exact", "rk4", plan.interval)
    if lane is None:
        return None
    # A closed form is evaluated to rounding, and its phase omega t is rounded too.
    phase_growth = 1.0 + float(np.linalg.norm(lane.omega, axis=1).max()) * plan.duration
    return _make_reference(
        plan, lane, phrase("exact solution"), dict.fromkeys(_LEVELS, 4.0 * _EPSILON * phase_growth)
    )


def _computed_references(plan: StudyPlan) -> Iterator[ReferenceSolution]:
    """Candidates, each with an estimate of its error from other runs; the costly one only where the usual one is poor."""
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
    """The first form that can, by RK4 with a step finer than any of the study; the step is doubled as long as that makes
    it better: of very many steps rounding spoils more than their length."""
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
    """RK4 with this step, and with twice and four times as much to tell how far it is off."""
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
    """The levels, or what rounding makes of the same steps in another form, where that is more."""
    other = _run_lane(plan, _REFERENCE_FORMULATIONS[1], "rk4", step)
    if other is None or lane.formulation.id == _REFERENCE_FORMULATIONS[1]:
        return levels
    return {name: max(levels[name], gap) for name, gap in _differences(lane, other).items()}


def _extrapolate_levels(fine: dict[str, float], coarse: dict[str, float]) -> dict[str, float]:
    """The errors of the finest of three halved runs of order 4, from the gaps between neighbours.

    Where the gaps fall as they should, the finest is 15 times nearer to the truth than to its neighbour; else rounding
    or a coarse start speaks, and the whole gap counts.
    """
    return {name: gap / 15 if coarse[name] > 10 * gap else gap for name, gap in fine.items()}


def _run_lane(plan: StudyPlan, formulation: str, integrator: str, dt: float) -> LaneRun | None:
    """A lane at the samples of the plan, if it is accepted and reaches the end."""
    try:
        lane = Simulation(plan.case_preset(Lane(formulation), integrator, dt)).lanes[0]
    except InputError:
        return None
    lane.prepare()
    run_to_end(lane, plan.samples)
    return lane if lane.alive and lane.samples == plan.samples else None


def run_to_end(lane: LaneRun, samples: int) -> None:
    """Run a lane to its end, or until nobody waits for it any more (`Cancelled`)."""
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
    """A lane as the reference, no better than rounding."""
    unit = lane.p / np.linalg.norm(lane.p, axis=1, keepdims=True)
    at_best = {name: max(level, _EPSILON) for name, level in levels.items()}
    return ReferenceSolution(method, unit, lane.h, lane.energy, at_best)
