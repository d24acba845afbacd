"""Ralston's method of order two."""

from quatviz.base.class_metadata import Performance
from quatviz.physics.integrators._kernels.runge_kutta import ButcherTableau
from quatviz.physics.integrators._runge_kutta import ExplicitRungeKutta


class Ralston(ExplicitRungeKutta):
    """Ralston's method: two evaluations per step, the second one at two thirds of the step; error of order dt^2.

    Its error bound is the smallest of all methods of two stages and order two. It preserves nothing exactly.
    """

    name = "ralston"
    title = "Ralston"
    source = "Ralston 1962; Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.1"
    order = 2
    sort_order = 40
    measured = (Performance(32, 43, ("2.8e-05", "1.0e-05", "5.2e-04")),)
    tableau = ButcherTableau([["2/3"]], ["1/4", "3/4"])
    help = r"""
    $$k_1 = f(t, y) \qquad k_2 = f\left(t + \tfrac23 dt, y + \tfrac23 dt k_1\right)$$

    $$y_1 = y + \tfrac14 dt (k_1 + 3 k_2)$$

    - **Source**: Ralston 1962, *Runge-Kutta methods with minimum error bounds*; Hairer, Nørsett and Wanner, *Solving
      Ordinary Differential Equations I*, II.1.
    - **Order**: 2.
    - **Preserves**: nothing exactly: $|p|$ and the energy drift with $dt^2$.
    - **Cost**: two evaluations, <!-- cost -->.
    - **Choose it** to compare with `heun`, which has the same order and another error constant.
    - **Refused with**: nothing.
    """
