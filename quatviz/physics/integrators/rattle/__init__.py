"""RATTLE: a solver of the index-3 problem. Its equations include p.p = 1 and p.p' = 0, and lambda is one of the
unknowns."""

from typing import Any

import numpy as np

from quatviz.base.class_metadata import Performance
from quatviz.base.errors import InputError, join_phrases, phrase
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.integrators.rattle.kernel import RattleMethod, rattle_block, rattle_start


class Rattle(Integrator):
    """RATTLE: half a step of the momenta, a step of p, and half a step of the momenta, with a multiplier at each end.

    One multiplier enforces p.p = 1 and the other p.p' = 0, to rounding and without renormalization. The error of the
    motion and of lambda, an unknown of the equations, is of order dt^2. Rounding adds about J0 1e-15/dt^2 to the error of
    lambda. The method is symplectic if the loads have a potential. The equations are solved by sweeps of two evaluations
    each, which converge for |omega| dt below about 1.
    """

    name = "rattle"
    title = "RATTLE (index 3)"
    source = "Andersen 1983; Hairer, Lubich, Wanner, Geometric Numerical Integration, VII.1.4"
    order = 2
    sort_order = 90
    measured = (Performance(539, 1255, ("9.2e-06", "7.9e-06", "6.2e-04"), relative_to=(385, 392)),)
    preserves = ("|p|", "p.p'")
    block = staticmethod(rattle_block)
    stabilisations = ("none",)
    stabilised_by = "its own equations keep |p| = 1 and p.p' = 0"
    records = ("lambda",)

    def method(self, formulation: Formulation) -> RattleMethod:
        if not formulation.supports_index3:
            raise InputError(
                "integrator",
                expected=phrase(
                    "a formulation that leaves the constraint p.p = 1 and its multiplier to the integrator: {names}",
                    names=join_phrases(
                        family().titled_id for family in FORMULATIONS.values() if family().supports_index3
                    ),
                ),
                found=phrase(
                    "{id}, {reason}", id=formulation.titled_id, reason=_no_index3_reason(formulation)
                ),
                remedy="choose one of these, or another integrator",
                topic="errors#integrators",
            )
        return RattleMethod(np.zeros(2), np.zeros((2, 4)))

    def first_record(
        self, method: Any, parameters: Any, dt: float, state: tuple[float, ...]
    ) -> tuple[float, ...]:
        return (float(rattle_start(method, parameters, dt, state)),)

    def explain_failure(self) -> str:
        return phrase(
            "RATTLE's iteration found no step that ends on the sphere |p| = 1: the body turns too far in one step. "
            "Try a dt with |omega| dt below 1"
        )


def _no_index3_reason(formulation: Formulation) -> str:
    if formulation.has_multiplier:
        return phrase(
            "whose lambda comes from a closed formula for p''; the index-3 problem of RATTLE has no such formula"
        )
    return phrase("which has no multiplier, because its equations need no constraint")
