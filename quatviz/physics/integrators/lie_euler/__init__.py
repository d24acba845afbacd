"""The Lie–Euler method: a rotation at a rate that is constant within a step."""

from quatviz.base.class_metadata import Performance
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators._group import require_group_state
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.integrators.lie_euler.kernel import LieEulerMethod


class LieEuler(Integrator):
    """Euler's method on the rotation group: one evaluation and one exponential per step, error of order dt.

    |p| stays 1, and a steady rotation is exact. omega or h is advanced by Euler's method.
    """

    name = "lie_euler"
    title = "Lie–Euler"
    source = "Hairer, Lubich, Wanner, Geometric Numerical Integration, IV.8 (Lie–Euler); common with rate gyroscopes"
    order = 1
    sort_order = 24
    measured = (Performance(42, 53, ("1.1e-01", "2.9e-01", "1.9e-02")),)
    preserves = ("|p|",)
    stabilisations = ("none",)
    stabilised_by = "it keeps |p| = 1 by construction"
    help = r"""
    $$p_1 = p \exp(dt\,\omega) \qquad v_1 = v + dt\,\dot v(t, p, v)$$

    $v$ is $\omega$ or $h$, the second part of the state.

    - **Source**: Hairer, Lubich and Wanner, *Geometric Numerical Integration*, IV.8, the Lie–Euler method; common
      with rate gyroscopes.
    - **Order**: 1.
    - **Preserves**: $|p|$, by construction.
    - **Cost**: one evaluation and one exponential, <!-- cost -->.
    - **Choose it** to see that a result on the sphere need not be accurate: $\omega$ drifts as with `euler`, and $|p|$ does
      not show it. A steady rotation is exact.
    - **Refused with**: formulations whose state is not $p$ with $\omega$ or $h$, and every stabilization, since $|p| = 1$
      holds by construction.
    """

    def method(self, formulation: Formulation) -> LieEulerMethod:
        require_group_state(formulation)
        return LieEulerMethod()
