"""Euler's method."""

from quatviz.base.class_metadata import Performance
from quatviz.physics.integrators._kernels.runge_kutta import ButcherTableau
from quatviz.physics.integrators._runge_kutta import ExplicitRungeKutta


class Euler(ExplicitRungeKutta):
    """Euler's method: one evaluation per step, error of order dt.

    Each step follows the tangent. The method preserves nothing, and the energy of every rotation grows.
    """

    name = "euler"
    title = "Euler"
    source = "Euler 1768; Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, I.7"
    order = 1
    sort_order = 20
    measured = (Performance(18, 23, ("1.7e-01", "2.9e-01", "4.3e-01")),)
    tableau = ButcherTableau([], [1])
    help = r"""
    $$y_1 = y + dt f(t, y)$$

    - **Source**: Euler 1768; Hairer, Nørsett and Wanner, *Solving Ordinary Differential Equations I*, I.7.
    - **Order**: 1.
    - **Preserves**: nothing exactly; $|p|$ and the energy grow with $dt$, whatever the motion.
    - **Cost**: one evaluation, <!-- cost -->.
    - **Choose it** to see what an order is, and what a method without any invariant does to a rotation. At no step size does
      $p$ of a spinning body stay on its sphere: each step adds $\tfrac18 |\omega|^2 dt^2$ to $|p|$.
    - **Refused with**: nothing.
    """
