"""New name: a method of time integration.

The template is Heun's method, an explicit Runge-Kutta method, which only needs its tableau. Another method needs its own kernel.
See `quatviz.physics.integrators.base.Integrator` for everything that an integrator must define.
"""

from quatviz.base.class_metadata import Performance
from quatviz.physics.integrators import ButcherTableau, ExplicitRungeKutta


class NewName(ExplicitRungeKutta):
    """Heun's method: the mean of the slopes at both ends of a step."""

    name = "new_name"
    title = "New name"
    source = "Heun 1900"
    order = 2
    tableau = ButcherTableau([[1]], ["1/2", "1/2"])
    measured = (Performance(31, 41),)
    help = r"""
    $$y_1 = y + \tfrac12 dt (k_1 + k_2) \qquad k_1 = f(t, y) \qquad k_2 = f(t + dt, y + dt k_1)$$

    - **Source**: Heun 1900.
    - **Order**: 2.
    - **Preserves**: nothing exactly.
    - **Cost**: two evaluations.
    - **Choose it** to see a method of second order.
    - **Refused with**: nothing.
    """
