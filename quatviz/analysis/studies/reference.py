"""The motion that runs are compared with, and how far it can be trusted."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from quatviz.analysis.executors.cancellation import refuse_to_go_on
from quatviz.analysis.studies.plan import Plan
from quatviz.base.errors import InputError, phrase
from quatviz.files.preset import Lane
from quatviz.physics.formulations import lane_title
from quatviz.physics.integrators import INTEGRATORS, integrator_title
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation

FINER = 4
"""How many times finer than the finest step of the study the reference's own step is."""
_FORMS = ("newton_euler", "hamilton", "ring_damper")
USUAL_PAIR = ("newton_euler", "rk4")
"""Formulation and integrator whose kernels a reference needs, and compiles, in most studies."""
_GOOD = 1e-11
"""A reference that is off by less [rad] leaves nothing to wish for."""
_BLOCKS = 50
"""Between two questions whether it is to go on: about a quarter of a second."""
_EPSILON = float(np.finfo(float).eps)


@dataclass(frozen=True, eq=False)
class Reference:
    """p (n, 4), h (n, 3) [kg m^2/s, body] and energy (n,) [J] at the samples of a plan.

    `levels` says for each measure that needs it how far the reference itself may be off, in that measure's unit: an
    error below it means nothing.
    """

    method: str
    p: np.ndarray
    h: np.ndarray
    energy: np.ndarray
    levels: dict[str, float]


def find_reference(plan: Plan) -> Reference:
    """The exact solution where it is known; else the better one of the most accurate methods there are.

    Raises `InputError` where no run that it could be reaches the end.
    """
    exact = _exact(plan)
    if exact is not None:
        return exact
    found = list(_computed(plan))
    if not found:
        raise InputError(
            "the reference of the study",
            expected="a run that reaches the end, to compare the others with",
            found=phrase("none with steps of {step:.3g} s", step=plan.steps[-1] / FINER),
            remedy="study smaller steps, or a shorter time",
            topic="errors#studies",
        )
    return min(found, key=_level)


def _exact(plan: Plan) -> Reference | None:
    lane = _run(plan, "exact", "rk4", plan.interval)
    if lane is None:
        return None
    # A closed form is evaluated to rounding, and its phase omega t is rounded too.
    turned = 1.0 + float(np.linalg.norm(lane.omega, axis=1).max()) * plan.duration
    return _reference(plan, lane, phrase("exact solution"), dict.fromkeys(_LEVELS, 4.0 * _EPSILON * turned))


def _computed(plan: Plan) -> Iterator[Reference]:
    """Candidates, each with an estimate of its error from other runs; the costly one only where the usual one is poor."""
    step = plan.steps[-1] / FINER
    usual = _finer(plan, step)
    if usual is not None:
        yield usual
    if "dop853" in INTEGRATORS and _level(usual) > _GOOD:
        pair = [lane for form in _FORMS[:2] if (lane := _run(plan, form, "dop853", step)) is not None]
        if len(pair) == 2:
            yield _reference(plan, pair[0], _called(pair[0], "dop853"), _gaps(*pair))


def _finer(plan: Plan, step: float) -> Reference | None:
    """The first form that can, by RK4 with a step finer than any of the study; the step is doubled as long as that makes
    it better: of very many steps rounding spoils more than their length."""
    for form in _FORMS:
        best = None
        while (found := _of_step(plan, form, step)) is not None and _level(found) < _level(best):
            best, step = found, 2 * step
        if best is not None:
            return best
    return None


def _level(reference: Reference | None) -> float:
    return reference.levels["orientation"] if reference is not None else math.inf


def _of_step(plan: Plan, form: str, step: float) -> Reference | None:
    """RK4 with this step, and with twice and four times as much to tell how far it is off."""
    fine, middle, coarse = (_run(plan, form, "rk4", step * 2**n) for n in range(3))
    if fine is None or middle is None:
        return None
    levels = _gaps(fine, middle)
    if coarse is not None:
        levels = _extrapolated(levels, _gaps(middle, coarse))
    method = f"{_called(fine, 'rk4')}, dt = {step:.4g} s"
    return _reference(plan, fine, method, _rounded(plan, fine, levels, step))


def _called(lane: LaneRun, integrator: str) -> str:
    return f"{lane_title(lane.formulation.id)}, {integrator_title(integrator)}"


def _rounded(plan: Plan, lane: LaneRun, levels: dict[str, float], step: float) -> dict[str, float]:
    """The levels, or what rounding makes of the same steps in another form, where that is more."""
    twin = _run(plan, _FORMS[1], "rk4", step)
    if twin is None or lane.formulation.id == _FORMS[1]:
        return levels
    return {name: max(levels[name], gap) for name, gap in _gaps(lane, twin).items()}


def _extrapolated(fine: dict[str, float], coarse: dict[str, float]) -> dict[str, float]:
    """The errors of the finest of three halved runs of order 4, from the gaps between neighbours.

    Where the gaps fall as they should, the finest is 15 times nearer to the truth than to its neighbour; else rounding
    or a coarse start speaks, and the whole gap counts.
    """
    return {name: gap / 15 if coarse[name] > 10 * gap else gap for name, gap in fine.items()}


def _run(plan: Plan, form: str, integrator: str, dt: float) -> LaneRun | None:
    """A lane at the samples of the plan, if it is accepted and reaches the end."""
    try:
        lane = Simulation(plan.run_of(Lane(form), integrator, dt)).lanes[0]
    except InputError:
        return None
    lane.prepare()
    complete(lane, plan.samples)
    return lane if lane.alive and lane.samples == plan.samples else None


def complete(lane: LaneRun, samples: int) -> None:
    """Run a lane to its end, or until nobody waits for it any more (`Stopped`)."""
    while lane.alive and lane.samples < samples:
        lane.advance_briefly(samples - lane.samples, _BLOCKS)
        refuse_to_go_on()


def _gaps(one: LaneRun, other: LaneRun) -> dict[str, float]:
    h = one.h
    return {
        "orientation": float(relative_angle(one.p, other.p).max()),
        "orientation_end": float(relative_angle(one.p[-1], other.p[-1])),
        "momentum": float(np.linalg.norm(h - other.h, axis=1).max() / np.linalg.norm(h, axis=1).max()),
        "energy": float(np.abs(one.energy - other.energy).max() / one.motion(stop=1).reference.size),
    }


_LEVELS = ("orientation", "orientation_end", "momentum", "energy")


def _reference(plan: Plan, lane: LaneRun, method: str, levels: dict[str, float]) -> Reference:
    """A lane as the reference, no better than rounding."""
    unit = lane.p / np.linalg.norm(lane.p, axis=1, keepdims=True)
    at_best = {name: max(level, _EPSILON) for name, level in levels.items()}
    return Reference(method, unit, lane.h, lane.energy, at_best)
