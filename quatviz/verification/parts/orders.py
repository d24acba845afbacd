"""Every integrator converges as fast as it says."""

import math
from collections.abc import Iterator

import numpy as np

from quatviz.physics.integrators import INTEGRATORS, ExplicitRungeKutta
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.lane import LaneRun
from quatviz.verification.check import Check, check_close, check_zero
from quatviz.verification.lanes import StepHalvingPair, run_lanes
from quatviz.verification.motions import reference_cases, reference_preset
from quatviz.verification.parts.base import VerificationPart

POINT_FORCE_CASE, END_TIME = "point_force", 2.0
TIME_STEP = 0.01
ROUNDING_ERROR = 1e-11
"""An error below this no longer tells the order."""
ADAPTIVE_TOLERANCE = 1e-9
"""What an adaptive method must reach by itself [rad]."""
QUICK_LANES = ("newton_euler", "hamilton_canonical", "lagrange_simplified/gradient")
"""One of these suits every integrator; the whole grid takes all."""


class ConvergenceOrders(VerificationPart):
    """How the error falls when the step is halved: log2 of the ratio is the order that the method declares."""

    name = "orders"
    title = "Order of convergence"

    def checks(self, full: bool) -> Iterator[Check]:
        preset = reference_preset(POINT_FORCE_CASE)
        for name, method in INTEGRATORS.items():
            lanes = None if full else _quick_lanes(name)
            for pair in run_lanes(
                preset,
                lanes,
                dt=TIME_STEP,
                duration=END_TIME,
                sample_interval=2 * TIME_STEP,
                integrator=name,
                target_error=math.inf,
            ):
                if not pair.is_complete or pair.coarse.status != "ok":
                    continue
                fine, coarse = (_attitude_error(lane) for lane in (pair.lane, pair.coarse))
                if not method.fixed_step or fine < ROUNDING_ERROR:
                    limit = 1e-6 if method.fixed_step else ADAPTIVE_TOLERANCE
                    yield check_zero(
                        f"{POINT_FORCE_CASE}: attitude at {END_TIME:g} s [rad]", fine, limit, pair.description
                    )
                else:
                    order = math.log2(coarse / fine)
                    yield check_close(f"order of {name}", order, method.order, 0.3, pair.description)
                if "lambda" in method.records:
                    yield _check_lambda_order(name, pair)


def _quick_lanes(name: str) -> tuple[str, ...]:
    """Of a form a tableau's step asks the derivative alone: what holds for `rk4` in the other forms holds for all."""
    return (
        QUICK_LANES[:1]
        if name != "rk4" and issubclass(INTEGRATORS[name], ExplicitRungeKutta)
        else QUICK_LANES
    )


def _check_lambda_order(name: str, pair: StepHalvingPair) -> Check:
    """Where lambda is an unknown of the step it has an order too, against the theory of its own form."""
    fine, coarse = (np.abs(lane.lam - lane.lam_theory).max() for lane in (pair.lane, pair.coarse))
    order = math.log2(coarse / fine)
    return check_close(f"order of lambda by {name}", order, pair.lane.integrator.order, 0.3, pair.description)


def _attitude_error(lane: LaneRun) -> float:
    e = reference_cases()[POINT_FORCE_CASE]["e"][reference_cases()[POINT_FORCE_CASE]["times"].index(END_TIME)]
    return float(relative_angle(lane.p[-1], e))
