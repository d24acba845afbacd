"""Base class of the Gauss-Legendre methods, which share a kernel for any number of stages. This module defines no
integrator."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from quatviz.base.errors import phrase
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.integrators._kernels.gauss import MAX_SWEEPS, GaussMethod
from quatviz.physics.integrators.base import Integrator


class GaussLegendre(Integrator):
    """A Gauss-Legendre method. A subclass defines the matrix `a` and the weights `b` of its tableau in addition to
    the usual attributes."""

    a: ClassVar[Sequence[Sequence[float]]]
    b: ClassVar[Sequence[float]]
    preserves = ("|p|", "T and |h| without torque", "energy under gravity")

    def method(self, formulation: Formulation) -> GaussMethod:
        a, b = np.array(self.a), np.array(self.b)
        c, length = a.sum(axis=1), len(formulation.component_names)
        extrapolation = np.linalg.solve(np.vander(c).T, np.vander(1.0 + c, len(c)).T).T
        return GaussMethod(a, b, c, extrapolation, np.zeros((len(b), length)), np.full((2, length), np.nan))

    def explain_failure(self) -> str:
        return phrase(
            "the stages of {title} did not converge in {count} iterations: the body turns too far in one step. Try a dt with "
            "|omega| dt below 1, or {other}",
            title=phrase(self.title),
            other=INTEGRATORS["implicit_midpoint"].display_name(),
            count=MAX_SWEEPS,
        )
