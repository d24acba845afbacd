"""Every integrator converges as fast as it says."""

import math
from collections.abc import Iterator

import numpy as np

from quatviz.physics.integrators import INTEGRATORS, ExplicitRungeKutta
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.lane import LaneRun
from quatviz.verification.check import Check, compared, vanishing
from quatviz.verification.lanes import StepHalvingPair, run
from quatviz.verification.motions import preset_of, states
from quatviz.verification.parts.base import Part

CASE, TIME = "point_force", 2.0
STEP = 0.01
ROUNDING = 1e-11
"""An error below this no longer tells the order."""
ADAPTIVE = 1e-9
"""What an adaptive method must reach by itself [rad]."""
USUAL = ("newton_euler", "hamilton_canonical", "lagrange_simplified/gradient")
"""One of these suits every integrator; the whole grid takes all."""


class Orders(Part):
    """How the error falls when the step is halved: log2 of the ratio is the order that the method declares."""

    name = "orders"
    title = "Order of convergence"

    def checks(self, full: bool) -> Iterator[Check]:
        preset = preset_of(CASE)
        for name, method in INTEGRATORS.items():
            lanes = None if full else _usual(name)
            for tried in run(
                preset,
                lanes,
                dt=STEP,
                duration=TIME,
                sample_interval=2 * STEP,
                integrator=name,
                within=math.inf,
            ):
                if not tried.complete or tried.coarse.status != "ok":
                    continue
                fine, coarse = (_attitude_error(lane) for lane in (tried.lane, tried.coarse))
                if not method.fixed_step or fine < ROUNDING:
                    limit = 1e-6 if method.fixed_step else ADAPTIVE
                    yield vanishing(f"{CASE}: attitude at {TIME:g} s [rad]", fine, limit, tried.described)
                else:
                    order = math.log2(coarse / fine)
                    yield compared(f"order of {name}", order, method.order, 0.3, tried.described)
                if "lambda" in method.records:
                    yield _of_lambda(name, tried)


def _usual(name: str) -> tuple[str, ...]:
    """Of a form a tableau's step asks the derivative alone: what holds for `rk4` in the other forms holds for all."""
    return USUAL[:1] if name != "rk4" and issubclass(INTEGRATORS[name], ExplicitRungeKutta) else USUAL


def _of_lambda(name: str, tried: StepHalvingPair) -> Check:
    """Where lambda is an unknown of the step it has an order too, against the theory of its own form."""
    fine, coarse = (np.abs(lane.lam - lane.lam_theory).max() for lane in (tried.lane, tried.coarse))
    order = math.log2(coarse / fine)
    return compared(f"order of lambda by {name}", order, tried.lane.integrator.order, 0.3, tried.described)


def _attitude_error(lane: LaneRun) -> float:
    e = states()[CASE]["e"][states()[CASE]["times"].index(TIME)]
    return float(relative_angle(lane.p[-1], e))
