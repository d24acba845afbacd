"""Checks of the convergence orders of all integrators."""

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
"""Name of the motion that is computed, and the time [s] at which its attitude is compared."""
TIME_STEP = 0.01
"""Time step [s] of the finer of the two runs from which the order is determined. The coarser run has twice this step.
"""
ROUNDING_ERROR = 1e-11
"""Attitude error [rad] below which rounding hides the order."""
ADAPTIVE_TOLERANCE = 1e-9
"""Largest accepted attitude error [rad] of an adaptive method."""
QUICK_LANES = ("newton_euler", "hamilton_canonical", "lagrange_simplified/gradient")
"""Lanes of the quick verification. At least one of them supports each integrator."""


class ConvergenceOrders(VerificationPart):
    """Checks that halving the step divides the error by 2^k, where k is the order that the integrator
    declares."""

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
    """Return the lanes with which the quick verification checks an integrator.

    Runge-Kutta methods only use the derivative of a lane. Therefore `rk4` is checked with all `QUICK_LANES`,
    and the other Runge-Kutta methods with the first one.
    """
    return (
        QUICK_LANES[:1]
        if name != "rk4" and issubclass(INTEGRATORS[name], ExplicitRungeKutta)
        else QUICK_LANES
    )


def _check_lambda_order(name: str, pair: StepHalvingPair) -> Check:
    """Return a check of the order of lambda for a method that solves for lambda in each step."""
    fine, coarse = (np.abs(lane.lam - lane.lam_theory).max() for lane in (pair.lane, pair.coarse))
    order = math.log2(coarse / fine)
    return check_close(
        f"order of lambda by {name}", order, pair.lane.solver.segment.integrator.order, 0.3, pair.description
    )


def _attitude_error(lane: LaneRun) -> float:
    e = reference_cases()[POINT_FORCE_CASE]["e"][reference_cases()[POINT_FORCE_CASE]["times"].index(END_TIME)]
    return float(relative_angle(lane.p[-1], e))
