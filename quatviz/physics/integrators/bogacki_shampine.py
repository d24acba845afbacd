"""The third-order method of Bogacki and Shampine with fixed steps."""

from quatviz.base.class_metadata import Performance
from quatviz.physics.integrators._kernels.runge_kutta import ButcherTableau
from quatviz.physics.integrators._runge_kutta import ExplicitRungeKutta


class BogackiShampine(ExplicitRungeKutta):
    """The third-order method of Bogacki and Shampine's pair 3(2), without the second-order method that would estimate
    the error.

    Three evaluations per step, error of order dt^3. It preserves nothing exactly.
    """

    name = "bogacki_shampine"
    title = "Bogacki–Shampine 3"
    source = "Bogacki, Shampine 1989, A 3(2) pair of Runge-Kutta formulas"
    order = 3
    sort_order = 50
    measured = (Performance(45, 62, ("1.1e-08", "5.1e-09", "2.3e-07")),)
    tableau = ButcherTableau([["1/2"], [0, "3/4"]], ["2/9", "1/3", "4/9"])
    help = r"""
    $$k_1 = f(t, y) \qquad k_2 = f\left(t + \tfrac12 dt, y + \tfrac12 dt k_1\right)$$

    $$k_3 = f\left(t + \tfrac34 dt, y + \tfrac34 dt k_2\right)$$

    $$y_1 = y + \tfrac19 dt (2 k_1 + 3 k_2 + 4 k_3)$$

    - **Source**: Bogacki and Shampine 1989, *A 3(2) pair of Runge-Kutta formulas*. The fourth stage serves only the error
      estimate of the pair; with fixed steps it is omitted.
    - **Order**: 3.
    - **Preserves**: nothing exactly: $|p|$ and the energy drift with $dt^3$.
    - **Cost**: three evaluations, <!-- cost -->.
    - **Choose it** in a study of orders, for the order between `heun` and `rk4`.
    - **Refused with**: nothing.
    """
