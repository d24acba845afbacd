"""The Gauss-Legendre method of two stages."""

import math

from quatviz.base.class_metadata import Performance
from quatviz.physics.integrators._gauss import GaussLegendre

_LATER = 0.25 + math.sqrt(3.0) / 6.0


class Gauss4(GaussLegendre):
    """The implicit Gauss-Legendre method of two coupled stages, with an error of order dt^4.

    Like `implicit_midpoint` it preserves every quadratic invariant of the state. In the formulations `newton_euler`
    and `hamilton` these are |p|, T and |h| without torque, and the energy under gravity. The stages are iterated to
    the last bits, which requires |omega| dt below about 1.
    """

    name = "gauss4"
    title = "Gauss–Legendre 4"
    source = "Hairer, Lubich, Wanner, Geometric Numerical Integration, II.1.3, IV.2.1, VIII.5, VIII.6"
    order = 4
    sort_order = 82
    measured = (Performance(362, 587, ("1.5e-13", "6.8e-14", "2.8e-11")),)
    a = ((0.25, 0.5 - _LATER), (_LATER, 0.25))
    """Matrix of the tableau.

    It is written so that a_12 + a_21 is exactly 1/2: the conservation of quadratic invariants depends on
    this.
    """
    b = (0.5, 0.5)
    help = r"""
    $$k_i = f\left(t + c_i dt, y + dt (a_{i1} k_1 + a_{i2} k_2)\right) \qquad y_1 = y + \tfrac12 dt (k_1 + k_2)$$

    The nodes $c_i$ are those of Gauss's quadrature, $\tfrac12 - \tfrac{\sqrt3}{6}$ and $\tfrac12 + \tfrac{\sqrt3}{6}$.

    - **Source**: Hairer, Lubich and Wanner, *Geometric Numerical Integration*, II.1.3, IV.2.1, VIII.5 and VIII.6.
    - **Order**: 4, with two stages; symmetric and symplectic.
    - **Preserves**: every quadratic invariant of the state, as `implicit_midpoint` does: in `newton_euler` and `hamilton`
      $|p|$, without torque $T$ and $|h|$, and under gravity the energy. After a million steps of the heavy top $|p|^2$ is
      constant to 4e-15 and the energy to 2e-16. $h$ in space is cubic and not preserved: its vertical component varies by 2e-10
      there.
    - **Cost**: <!-- cost -->, growing with the angle of a step.
    - **Choose it** for long runs that must also be accurate: six digits more than `implicit_midpoint` on the heavy top, at
      twice its cost, with the same invariants.
    - **Refused with**: nothing. Fixed-point sweeps run until their change is less than 1e-12 of the state and stops decreasing.
      They converge for $|\omega| dt$ below about 1. A lane that does not converge in 60 sweeps ends with a message.
    """
