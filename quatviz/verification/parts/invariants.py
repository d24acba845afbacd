"""What an integrator says that it preserves stays to rounding, at steps at which others drift."""

import math
from collections.abc import Iterator

import numpy as np

from quatviz.physics.formulations import make_formulation
from quatviz.physics.integrators import INTEGRATORS
from quatviz.verification.check import Check, exceeding, vanishing
from quatviz.verification.lanes import Quantity, lane_ids, run
from quatviz.verification.motions import preset_of
from quatviz.verification.parts.base import Part

DT, DURATION = 5e-3, 100.0
TOLERANCE = 3e-13
USUAL = ("newton_euler", "hamilton", "hamilton_canonical/direct", "lagrange_simplified/gradient")
FREE, TOP = "torque_free", "heavy_top"


HELD: dict[str, dict[str, tuple[Quantity, ...]]] = {
    "|p|": {case: (lambda motion: motion.constraint,) for case in (FREE, TOP)},
    "p.p'": {case: (lambda motion: motion.constraint_rate,) for case in (FREE, TOP)},
    "T and |h| free of torque": {
        FREE: (lambda motion: motion.kinetic / motion.kinetic[0] - 1.0, lambda motion: motion.momentum_drift)
    },
    "h in space free of torque": {FREE: (lambda motion: motion.h_space_drift,)},
    "energy under gravity": {TOP: (lambda motion: motion.energy_drift,)},
}
"""By the words of `Integrator.preserves`: in which motions, and what must not change."""


class Invariants(Part):
    """20 000 steps of 5 ms, a quarter of a radian of the heavy top's spin in each."""

    name = "invariants"
    title = "What integrators preserve, largest change"

    def checks(self, full: bool) -> Iterator[Check]:
        for name, method in INTEGRATORS.items():
            for case in (FREE, TOP) if method.preserves else ():
                for tried in run(
                    preset_of(case),
                    [lane for lane in lane_ids() if (full or lane in USUAL) and _is_meant(name, lane)],
                    dt=DT,
                    duration=DURATION,
                    sample_interval=0.1,
                    integrator=name,
                    within=math.inf,
                ):
                    for words in method.preserves:
                        for quantity in HELD.get(words, {}).get(case, ()):
                            error = quantity(tried.lane.motion())
                            yield vanishing(f"{case}: {words}", error, TOLERANCE, tried.described)
        (drifting,) = run(
            preset_of(TOP), ["newton_euler"], dt=DT, duration=DURATION, sample_interval=0.1, within=math.inf
        )
        drift = np.abs(drifting.lane.constraint).max()
        yield exceeding(f"{TOP}: |p| by a method that does not keep it", drift, 1e-4, drifting.described)


def _is_meant(integrator: str, lane: str) -> bool:
    """An invariant is one of a form's equations: those with p beside omega or h, and for a method that solves the index-3
    problem those that state it."""
    form = make_formulation(lane)
    return form.index3 if "lambda" in INTEGRATORS[integrator].records else form.on_group
