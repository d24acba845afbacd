"""Loss of energy inside the body, as by bending antennas or sloshing fuel.

It turns a spin about the long axis into a flat spin.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from quatviz.base.parameters import Timed, parameter
from quatviz.physics.kernels.forces import symmetric_components
from quatviz.physics.loads._start_values import MotionScale, round_to_two_digits
from quatviz.physics.loads.base import Load
from quatviz.physics.loads.internal_dissipation.kernel import torque
from quatviz.physics.mechanics.body import Body


@dataclass(frozen=True, eq=False)
class InternalDissipation(Load):
    """An energy sink: n = -c times the component of omega perpendicular to h.

    |h| is exactly constant, and the energy decreases at the rate c |omega x h|^2/|h|^2 until the body turns about the
    axis of its largest moment.

    The load represents an internal damper, which a rigid body cannot contain. A damper keeps the vector h of body and
    damper constant in space. This torque keeps |h| of the body, while the direction of h in space wobbles by about c
    |omega x h|/|h|^2 divided by the rate at which omega circles h. The wobble is small if the dissipation is slow,
    which an energy sink presumes. The cone angle of a symmetric body with moments Ja and Jt obeys
    tan(theta) = tan(theta_0) exp(c (1/Ja - 1/Jt) t). Likins 1967, JPL TR 32-860, on energy sinks; Bloch, Krishnaprasad,
    Marsden, Ratiu 1996 on this form, n = (c/h^2) h x (h x omega), double-bracket dissipation.

    >>> import quatviz as qv
    >>> body, upright = qv.Body(inertia=[1.0, 1.0, 0.5]), np.array([[1.0, 0.0, 0.0, 0.0]])
    >>> sink = qv.InternalDissipation(coefficient=0.1).bind(body)
    >>> omega = np.array([[1.0, 0.0, 2.0]])  # [rad/s], with which h is (1, 0, 1) kg m^2/s
    >>> sink.torque(np.zeros(1), upright, omega).round(12).tolist()  # perpendicular to h [N m, body]
    [[0.05, 0.0, -0.05]]
    """

    name: ClassVar[str] = "internal_dissipation"
    sort_order = 90
    action_text = r"$-c$ times the component of $\omega$ perpendicular to $h$"
    help = r"""
    For a given $h$ the energy is smallest in a spin about the axis of the largest moment of inertia: a body that loses
    energy inside finally spins about that axis, in a flat spin.

    The load is an energy sink, not a model of a damper. $|h|$ is exactly constant, and the energy decreases at the rate
    $c |\omega \times h|^2/h^2$. A real damper inside cannot change the direction of $h$ of body and damper together. Here
    the direction of $h$ in space wobbles by about $c |\omega \times h|/h^2$ divided by the rate at which $\omega$ circles
    $h$. Keep that small.

    For a symmetric body with the moments $J_a$ about its axis and $J_t$ transverse to it, the angle $\theta$ between axis
    and $h$ obeys

    $$\tan\theta = \tan\theta_0 \exp\left(c \left(\frac{1}{J_a} - \frac{1}{J_t}\right) t\right)$$
    """
    torque_kernel = torque

    coefficient: Timed = parameter(
        unit="N m s",
        minimum=0.0,
        timed=True,
        explanation="c: torque per component of the angular velocity perpendicular to h.",
    )

    @classmethod
    def start_values(cls, scale: MotionScale) -> dict[str, Any]:
        return {"coefficient": round_to_two_digits(0.05 * scale.moment * scale.rate)}

    @classmethod
    def samples(cls) -> tuple[Self, ...]:
        return (cls(coefficient=0.1),)

    def reference_torque(self, t: float, A: np.ndarray, omega: np.ndarray, J: np.ndarray) -> np.ndarray:
        h = J @ omega
        return self.coefficient / (h @ h) * np.cross(h, np.cross(h, omega))

    def row(self, body: Body) -> tuple[float, ...]:
        return (self.coefficient, *symmetric_components(body.inertia))

    def torque_on(self, body: Body, t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
        h = omega @ body.inertia
        h_squared = np.einsum("ni,ni->n", h, h)
        projection = np.einsum("ni,ni->n", h, omega) / np.where(h_squared > 0.0, h_squared, 1.0)
        return -self.coefficient * (omega - projection[:, None] * h)
