"""Kutta's 3/8 rule."""

from quatviz.base.class_metadata import Performance
from quatviz.physics.integrators._kernels.runge_kutta import ButcherTableau
from quatviz.physics.integrators._runge_kutta import ExplicitRungeKutta


class ThreeEighths(ExplicitRungeKutta):
    """The 3/8 rule: four evaluations per step, the inner ones at one third and two thirds of the step; error of order
    dt^4.

    It preserves nothing exactly.
    """

    name = "three_eighths"
    title = "Runge–Kutta 3/8"
    source = "Kutta 1901; Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.1, table 1.2"
    order = 4
    sort_order = 60
    measured = (Performance(58, 83, ("6.6e-13", "5.7e-13", "1.7e-10")),)
    tableau = ButcherTableau([["1/3"], ["-1/3", 1], [1, -1, 1]], ["1/8", "3/8", "3/8", "1/8"])
    help = r"""
    $$k_1 = f(t, y) \qquad k_2 = f\left(t + \tfrac13 dt, y + \tfrac13 dt k_1\right)$$

    $$k_3 = f\left(t + \tfrac23 dt, y + \tfrac13 dt (3 k_2 - k_1)\right) \qquad k_4 = f(t + dt, y + dt (k_1 - k_2 + k_3))$$

    $$y_1 = y + \tfrac18 dt (k_1 + 3 k_2 + 3 k_3 + k_4)$$

    - **Source**: Kutta 1901; Hairer, Nørsett and Wanner, *Solving Ordinary Differential Equations I*, II.1, table 1.2.
    - **Order**: 4.
    - **Preserves**: nothing exactly: $|p|$ and the energy drift with $dt^4$.
    - **Cost**: four evaluations, <!-- cost -->.
    - **Choose it** to compare with `rk4`, which has the same order and cost and another error constant.
    - **Refused with**: nothing.
    """
