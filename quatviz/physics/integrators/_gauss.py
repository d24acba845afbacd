"""The methods of Gauss and Legendre, one kernel for any number of stages. Not an integrator."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from quatviz.base.errors import phrase
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.integrators._kernels.gauss import MAX_SWEEPS, GaussMethod
from quatviz.physics.integrators.base import Integrator


class GaussLegendre(Integrator):
    """A subclass gives the rows of its tableau, beside what every integrator says of itself."""

    a: ClassVar[Sequence[Sequence[float]]]
    b: ClassVar[Sequence[float]]
    preserves = ("|p|", "T and |h| free of torque", "energy under gravity")

    def method(self, formulation: Formulation) -> GaussMethod:
        a, b = np.array(self.a), np.array(self.b)
        c, length = a.sum(axis=1), len(formulation.component_names)
        extrapolation = np.linalg.solve(np.vander(c).T, np.vander(1.0 + c, len(c)).T).T
        return GaussMethod(a, b, c, extrapolation, np.zeros((len(b), length)), np.full((2, length), np.nan))

    def explain_failure(self) -> str:
        return phrase(
            "the stages of {title} did not settle in {count} sweeps; the body turns too far in one step, try a dt with "
            "|omega| dt below 1, or {other}",
            title=phrase(self.title),
            other=INTEGRATORS["implicit_midpoint"].display_name(),
            count=MAX_SWEEPS,
        )
