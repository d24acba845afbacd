"""The free rigid body as rotations about its principal axes, between two halves of a kick by the loads."""

import numpy as np

from quatviz.base.class_metadata import Performance
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators._momentum import empty_memory, require_momentum_state
from quatviz.physics.integrators.axis_splitting.kernel import AxisSplittingMethod
from quatviz.physics.integrators.base import Integrator


class AxisSplitting(Integrator):
    """Strang's splitting of T into the energies of the three principal axes, each of which is a steady turn, and of the whole into
    free motion and loads. Explicit, with error of order dt^2; symplectic where the loads have a potential. Every part is a
    rotation: |p| and, free of torque, h in space stay to rounding at any step; the energy wanders within dt^2."""

    name = "axis_splitting"
    title = "Splitting about the axes"
    source = "McLachlan 1993; Reich 1994; Hairer, Lubich, Wanner, Geometric Numerical Integration, VII.5.3"
    order = 2
    sort_order = 91
    measured = (Performance(272, 244, ("2.3e-05", "1.5e-05", "5.7e-08")),)
    preserves = ("|p|", "h in space free of torque")
    stabilisations = ("none",)
    stabilised_by = "it keeps |p| = 1 by construction"
    help = r"""
    $$T = \frac{h_1^2}{2 J_1} + \frac{h_2^2}{2 J_2} + \frac{h_3^2}{2 J_3}$$

    Each of the three alone is a steady turn about its axis, by $dt\,h_i/J_i$. A step is half a kick by the torque, half a turn
    about the first axis and about the second, a whole one about the third, the same back, and half a kick.

    - **Source**: McLachlan 1993; Reich 1994; Hairer, Lubich and Wanner, *Geometric Numerical Integration*, VII.5.3.
    - **Order**: 2; symmetric, and symplectic where the loads have a potential. Torques that depend on the velocity keep the order.
    - **Preserves**: $|p|$ and, free of torque, $h$ in space, for every part is a rotation: 2e-13 after a million steps, at any
      step. The energy wanders with $dt^2$, by 1.4e-07 at 1 ms free of torque, and never drifts; under gravity $h$ about the
      vertical stays too.
    - **Cost**: five turns and, with loads, two torques; no equation is solved: <!-- cost -->.
    - **Choose it** for fast tops: what spins about an axis of the body is exact in it. On the heavy top at 0.1 ms it is 5000 times
      as exact as `implicit_midpoint`, for less; and it makes steps of ten radians.
    - **Refused with**: formulations whose state is not $p$ beside $\omega$ or $h$ of the body alone, and every stabilisation, for
      it is on the sphere already. Axes need not be principal: the first step finds those that are.
    """

    def method(self, formulation: Formulation) -> AxisSplittingMethod:
        require_momentum_state(formulation)
        return AxisSplittingMethod(np.full((4, 3), np.nan), empty_memory(formulation))
