"""Euler's equation for forms that only differ in how they write the attitude. Not a formulation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from quatviz.core.body import Body
from quatviz.core.kernel import add3, cross, inline, times_inertia
from quatviz.core.load_sums import torque
from quatviz.core.loads import pack
from quatviz.core.loads.base import Load
from quatviz.formulations.base import Formulation


@inline
def omega_rate(par, t, p, omega):
    """omega' = J^-1 (n - omega x J omega); S0(26), S2(1). `p` is read where there are loads."""
    moment = cross(times_inertia(par.principal, par.inertia, omega), omega)
    if par.loads.shape[0] > 0:
        moment = add3(moment, torque(par.loads, t, p, omega))
    return times_inertia(par.principal, par.inverse_inertia, moment)


class AttitudeForm(Formulation):
    """Newton and Euler with an attitude of its own; a subclass names the type of its parameters."""

    parameter_type: ClassVar[type]

    def parameters(self, body: Body, loads: Sequence[Load]) -> Any:
        return self.parameter_type(
            principal=body.is_principal,
            inertia=tuple(map(float, body.inertia.ravel())),
            inverse_inertia=tuple(map(float, body.inverse_inertia.ravel())),
            loads=pack(loads),
        )

    @staticmethod
    def omega_of(states: np.ndarray) -> np.ndarray:
        """The first three components of every such state."""
        return states[:, :3]
