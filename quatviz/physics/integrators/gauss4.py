"""Gauss's and Legendre's method of two stages."""

import math

from quatviz.base.class_metadata import Performance
from quatviz.physics.integrators._gauss import GaussLegendre

_LATER = 0.25 + math.sqrt(3.0) / 6.0


class Gauss4(GaussLegendre):
    """Two stages, which depend on each other; error of order dt^4. As by `implicit_midpoint` every quadratic invariant of the state
    stays: in `newton_euler` and `hamilton` |p|, free of torque T and |h|, and under gravity the energy. Solved to the last
    bits by sweeps, for which |omega| dt is to be below about 1."""

    name = "gauss4"
    title = "Gauss–Legendre 4"
    source = "Hairer, Lubich, Wanner, Geometric Numerical Integration, II.1.3, IV.2.1, VIII.5, VIII.6"
    order = 4
    sort_order = 82
    measured = (Performance(362, 587, ("1.5e-13", "6.8e-14", "2.8e-11")),)
    a = ((0.25, 0.5 - _LATER), (_LATER, 0.25))
    """a_12 + a_21 is 1/2 to the last bit, for the invariants hang on that."""
    b = (0.5, 0.5)
    help = r"""
    $$k_i = f\left(t + c_i dt, y + dt (a_{i1} k_1 + a_{i2} k_2)\right) \qquad y_1 = y + \tfrac12 dt (k_1 + k_2)$$

    The nodes $c_i$ are those of Gauss's quadrature, $\tfrac12 - \tfrac{\sqrt3}{6}$ and $\tfrac12 + \tfrac{\sqrt3}{6}$.

    - **Source**: Hairer, Lubich and Wanner, *Geometric Numerical Integration*, II.1.3, IV.2.1, VIII.5 and VIII.6.
    - **Order**: 4, with two stages; symmetric and symplectic.
    - **Preserves**: every quadratic invariant of the state, as `implicit_midpoint` does: in `newton_euler` and `hamilton` $|p|$,
      free of torque $T$ and $|h|$, and under gravity the energy. After a million steps of the heavy top $|p|^2$ to 4e-15 and the
      energy to 2e-16. Not $h$ in space, which is cubic: its vertical part wanders by 2e-10 there.
    - **Cost**: <!-- cost -->, growing with the angle of a step.
    - **Choose it** for long runs that are to be exact too: six digits more than `implicit_midpoint` on the heavy top, for twice its
      price, with the same invariants.
    - **Refused with**: nothing. Fixed-point sweeps run until their change is less than 1e-12 of the state and shrinks no more; they
      contract for $|\omega| dt$ below about 1, and a lane that does not settle in 60 ends and says so.
    """
