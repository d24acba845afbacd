"""Heun's method: the explicit trapezoidal rule."""

from quatviz.base.class_metadata import Performance
from quatviz.physics.integrators._kernels.runge_kutta import ButcherTableau
from quatviz.physics.integrators._runge_kutta import ExplicitRungeKutta


class Heun(ExplicitRungeKutta):
    """Heun's method: two evaluations per step, at its start and at the end point that Euler's method predicts; error
    of order dt^2.

    It preserves nothing exactly.
    """

    name = "heun"
    title = "Heun"
    source = "Heun 1900; Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.1"
    order = 2
    sort_order = 30
    measured = (Performance(31, 41, ("3.7e-05", "1.2e-05", "5.2e-04")),)
    tableau = ButcherTableau([[1]], ["1/2", "1/2"])
    help = r"""
    $$k_1 = f(t, y) \qquad k_2 = f(t + dt, y + dt k_1)$$

    $$y_1 = y + \tfrac12 dt (k_1 + k_2)$$

    - **Source**: Heun 1900; Hairer, Nørsett and Wanner, *Solving Ordinary Differential Equations I*, II.1.
    - **Order**: 2.
    - **Preserves**: nothing exactly: $|p|$ and the energy drift with $dt^3$.
    - **Cost**: two evaluations, <!-- cost -->.
    - **Choose it** to compare with `implicit_midpoint`, which has the same order but other invariants and costs.
    - **Refused with**: nothing.
    """
