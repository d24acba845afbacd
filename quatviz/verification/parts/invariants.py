"""Checks of invariants that an integrator declares to preserve, with steps at which other integrators drift."""

import math
from collections.abc import Iterator

import numpy as np

from quatviz.physics.formulations import make_formulation
from quatviz.physics.integrators import INTEGRATORS
from quatviz.verification.check import Check, check_exceeds, check_zero
from quatviz.verification.lanes import Quantity, lane_ids, run_lanes
from quatviz.verification.motions import reference_preset
from quatviz.verification.parts.base import VerificationPart

DT, DURATION = 5e-3, 100.0
"""Step and duration [s] of the runs in which invariants are checked."""
TOLERANCE = 3e-13
"""Largest accepted change of an invariant, due to rounding."""
QUICK_LANES = ("newton_euler", "hamilton", "hamilton_canonical/direct", "lagrange_simplified/gradient")
FREE_CASE, TOP_CASE = "torque_free", "heavy_top"


PRESERVED_QUANTITIES: dict[str, dict[str, tuple[Quantity, ...]]] = {
    "|p|": {case: (lambda motion: motion.constraint,) for case in (FREE_CASE, TOP_CASE)},
    "p.p'": {case: (lambda motion: motion.constraint_rate,) for case in (FREE_CASE, TOP_CASE)},
    "T and |h| without torque": {
        FREE_CASE: (
            lambda motion: motion.kinetic / motion.kinetic[0] - 1.0,
            lambda motion: motion.momentum_drift,
        )
    },
    "h in space without torque": {FREE_CASE: (lambda motion: motion.h_space_drift,)},
    "energy under gravity": {TOP_CASE: (lambda motion: motion.energy_drift,)},
}
"""Maps the text in `Integrator.preserves` and the name of a motion to the functions of the motion whose values must
not change."""


class PreservedInvariants(VerificationPart):
    """Checks that invariants stay constant over 20 000 steps of 5 ms, in each of which the heavy top spins by a
    quarter of a radian."""

    name = "invariants"
    title = "What integrators preserve, largest change"

    def checks(self, full: bool) -> Iterator[Check]:
        for name, method in INTEGRATORS.items():
            for case in (FREE_CASE, TOP_CASE) if method.preserves else ():
                for pair in run_lanes(
                    reference_preset(case),
                    [
                        lane
                        for lane in lane_ids()
                        if (full or lane in QUICK_LANES) and _has_invariant(name, lane)
                    ],
                    dt=DT,
                    duration=DURATION,
                    sample_interval=0.1,
                    integrator=name,
                    target_error=math.inf,
                ):
                    for invariant in method.preserves:
                        for quantity in PRESERVED_QUANTITIES.get(invariant, {}).get(case, ()):
                            error = quantity(pair.lane.motion())
                            yield check_zero(f"{case}: {invariant}", error, TOLERANCE, pair.description)
        (drifting,) = run_lanes(
            reference_preset(TOP_CASE),
            ["newton_euler"],
            dt=DT,
            duration=DURATION,
            sample_interval=0.1,
            target_error=math.inf,
        )
        drift = np.abs(drifting.lane.constraint).max()
        yield check_exceeds(
            f"{TOP_CASE}: |p| by a method that does not keep it", drift, 1e-4, drifting.description
        )


def _has_invariant(integrator: str, lane: str) -> bool:
    """Return True if the equations of a lane have the invariants that an integrator preserves.

    For a method that solves the index-3 problem, these are the equations that support this method. For all
    other methods, these are the equations whose state consists of p and omega, or of p and h.
    """
    form = make_formulation(lane)
    return form.supports_index3 if "lambda" in INTEGRATORS[integrator].records else form.on_group
