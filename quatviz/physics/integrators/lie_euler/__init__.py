"""The Lie-Euler method: the exponential of a rate that is held for a step."""

from quatviz.base.class_metadata import Performance
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators._group import require_group_state
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.integrators.lie_euler.kernel import LieEulerMethod


class LieEuler(Integrator):
    """One evaluation and one exponential per step, error of order dt: Euler's method on the group. |p| stays 1, and what turns
    steadily is exact; omega or h is advanced along its tangent."""

    name = "lie_euler"
    title = "Lie-Euler"
    source = "Hairer, Lubich, Wanner, Geometric Numerical Integration, IV.8 (Lie-Euler); common with rate gyroscopes"
    order = 1
    sort_order = 24
    measured = (Performance(42, 53, ("1.1e-01", "2.9e-01", "1.9e-02")),)
    preserves = ("|p|",)
    stabilisations = ("none",)
    stabilised_by = "it keeps |p| = 1 by construction"
    help = r"""
    $$p_1 = p \exp(dt\,\omega) \qquad v_1 = v + dt\,\dot v(t, p, v)$$

    $v$ is $\omega$ or $h$, whatever stands beside $p$.

    - **Source**: Hairer, Lubich and Wanner, *Geometric Numerical Integration*, IV.8, the Lie-Euler method; common
      with rate gyroscopes.
    - **Order**: 1.
    - **Preserves**: $|p|$, by construction.
    - **Cost**: one evaluation and one exponential, <!-- cost -->.
    - **Choose it** to see that to stay on the sphere is not to be right: $\omega$ drifts as by `euler`, and $|p|$ does not
      show it. What turns steadily is exact.
    - **Refused with**: formulations whose state is not $p$ beside $\omega$ or $h$, and every
      stabilisation, for it is on the sphere already.
    """

    def method(self, formulation: Formulation) -> LieEulerMethod:
        require_group_state(formulation)
        return LieEulerMethod()
