"""The semi-implicit Euler method, which game engines use: the attitude is advanced with the new velocity."""

from quatviz.base.class_metadata import Performance
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators._group import require_group_state
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.integrators.semi_implicit_euler.kernel import SemiImplicitEulerMethod


class SemiImplicitEuler(Integrator):
    """The semi-implicit Euler method: one evaluation per step, error of order dt. First omega or h is advanced, then
    p with the new value of omega or h.

    For rotations the method is not symplectic, although it is for a mass on a spring: |p| grows as with Euler's
    method.
    """

    name = "semi_implicit_euler"
    title = "Semi-implicit Euler"
    source = "Hairer, Lubich, Wanner, Geometric Numerical Integration, I.1.2, for p' = v(q); common in engines for games"
    order = 1
    sort_order = 22
    measured = (Performance(20, 47, ("3.0e-01", "2.9e-01", "4.4e-01")),)
    help = r"""
    $$v_1 = v + dt\,\dot v(t, p, v) \qquad p_1 = p + \tfrac12 dt L^T(p)\,\omega(p, v_1)$$

    $v$ is $\omega$ or $h$, the second part of the state.

    - **Source**: Hairer, Lubich and Wanner, *Geometric Numerical Integration*, I.1.2; common in engines for games.
    - **Order**: 1.
    - **Preserves**: nothing exactly; $|p|$ grows with $dt$, since a step along a tangent leaves the sphere.
    - **Cost**: one evaluation, <!-- cost -->.
    - **Choose it** to see the method of game engines, together with `stabilisation = "renormalise"`, which they use too.
    - **Refused with**: formulations whose state is not $p$ with $\omega$ or $h$.
    """

    def method(self, formulation: Formulation) -> SemiImplicitEulerMethod:
        require_group_state(formulation)
        return SemiImplicitEulerMethod()
