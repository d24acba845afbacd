"""The classical Runge-Kutta method of order four."""

from quatviz.base.class_metadata import Performance
from quatviz.physics.integrators._kernels.runge_kutta import ButcherTableau
from quatviz.physics.integrators._runge_kutta import ExplicitRungeKutta


class RK4(ExplicitRungeKutta):
    """The classical Runge-Kutta method: four evaluations per step, error of order dt^4.

    It preserves nothing exactly, not even |p|.
    """

    name = "rk4"
    title = "Runge–Kutta 4"
    source = "Kutta 1901; Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.1"
    order = 4
    sort_order = 10
    measured = (Performance(57, 79, ("1.9e-12", "8.6e-13", "1.7e-10")),)
    tableau = ButcherTableau([["1/2"], [0, "1/2"], [0, 0, 1]], ["1/6", "1/3", "1/3", "1/6"])
    help = r"""
    $$k_1 = f(t, y) \qquad k_2 = f\left(t + \tfrac12 dt, y + \tfrac12 dt k_1\right)$$

    $$k_3 = f\left(t + \tfrac12 dt, y + \tfrac12 dt k_2\right) \qquad k_4 = f(t + dt, y + dt k_3)$$

    $$y_1 = y + \tfrac16 dt (k_1 + 2 k_2 + 2 k_3 + k_4)$$

    - **Source**: Kutta 1901; Hairer, Nørsett and Wanner, *Solving Ordinary Differential Equations I*, II.1.
    - **Order**: 4.
    - **Preserves**: nothing exactly: $|p|$ and the energy drift with $dt^4$, or $dt^5$ for a steady rotation. On `stiff_top`
      $|p|^2$ decreases by 24 % in ten seconds.
    - **Cost**: four evaluations, <!-- cost -->: the unit of the other ratios.
    - **Choose it** for smooth motions and short steps, $|\omega| dt$ below 0.1. It diverges beyond $|\omega| dt = 2.8$, for the
      fastest rate in the motion.
    - **Refused with**: nothing.
    """
