"""Energy that is lost inside the body, by bending antennas or sloshing fuel: what turns a long-axis spin into a flat one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quatviz.core.kernel import dot3, inline
from quatviz.core.loads._of_inertia import OfInertia, times_six
from quatviz.core.parameters import Timed, check, parameter


@inline
def torque(row, t, p, omega):
    """n = -c (omega - h (h.omega)/(h.h)) with h = J omega."""
    h = times_six(row, 1, omega)
    square = dot3(h, h)
    along = dot3(h, omega) / square if square > 0.0 else 0.0
    return (
        -row[0] * (omega[0] - along * h[0]),
        -row[0] * (omega[1] - along * h[1]),
        -row[0] * (omega[2] - along * h[2]),
    )


@dataclass(frozen=True, eq=False)
class InternalDissipation(OfInertia):
    """An energy sink: n = -c times the part of omega that is square to h. |h| stays exactly, and the energy falls by
    c |omega x h|^2/|h|^2, until the body turns about the axis of its largest moment.

    It stands for a damper inside, which no rigid body has a place for. A damper keeps the vector h of body and damper together
    in space; this torque keeps |h| of the body, while its direction in space wobbles by about c |omega x h|/|h|^2
    over the rate at which omega goes around h, and comes back: small where the dissipation is slow, as it has to be
    for an energy sink to make sense. A symmetric body with moments Ja and Jt nods by tan(theta) = tan(theta_0)
    exp(c (1/Ja - 1/Jt) t). Likins 1967, JPL TR 32-860, on energy sinks; Bloch, Krishnaprasad, Marsden, Ratiu 1996 on this
    form, n = (c/h^2) h x (h x omega), double-bracket dissipation.
    """

    name: ClassVar[str] = "internal_dissipation"
    torque_kernel = torque

    coefficient: Timed = parameter(
        unit="N m s",
        minimum=0.0,
        timed=True,
        explanation="c: torque per angular velocity that is square to h.",
    )

    def __post_init__(self) -> None:
        check(self)

    def row(self) -> tuple[float, ...]:
        return (self.coefficient, *self.six)

    def moment(self, t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
        h = omega @ self.inertia
        square = np.einsum("ni,ni->n", h, h)
        along = np.einsum("ni,ni->n", h, omega) / np.where(square > 0.0, square, 1.0)
        return -self.coefficient * (omega - along[:, None] * h)
