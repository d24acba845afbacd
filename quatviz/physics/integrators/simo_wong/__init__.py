"""The energy-momentum method of Simo and Wong."""

from quatviz.base.class_metadata import Performance
from quatviz.base.errors import phrase
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators._momentum import empty_memory, require_momentum_state
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.integrators.simo_wong.kernel import SimoWongMethod


class SimoWong(Integrator):
    """The energy-momentum method: balance of angular momentum in space, and a rotation about the mean angular velocity
    of the step.

    The error is of order dt^2. Without torque, T and h in space are constant; under gravity, the energy and the
    vertical component of h. Newton's method solves for the rotation, which is the Cayley transform of the mean
    angular velocity. With this transform the work of gravity in a step is exact.
    """

    name = "simo_wong"
    title = "Simo–Wong"
    source = "Simo, Wong 1991, Unconditionally stable algorithms for rigid body dynamics that exactly preserve energy and momentum"
    order = 2
    sort_order = 94
    measured = (Performance(425, 514, ("3.4e-05", "1.9e-05", "1.0e-03")),)
    preserves = ("|p|", "T and |h| without torque", "h in space without torque", "energy under gravity")
    stabilisations = ("none",)
    stabilised_by = "it keeps |p| = 1 by construction"
    help = r"""
    $$A_1 h_1 = A h + \tfrac12 dt (A n + A_1 n_1) \qquad A_1 = A\,\mathrm{cay}\left(\tfrac14 dt (\omega + \omega_1)\right)$$

    $\mathrm{cay}(a)$ is the rotation with the Euler parameters $(1, a)$, normalized. $T$ changes by
    $\tfrac12 (\omega + \omega_1) \cdot (h_1 - h)$. Since $\omega + \omega_1$ is parallel to the axis of the rotation, $T$ is
    constant without torque. A force $f$ in space at $r$ does the work $f \cdot (r_1 - r)$, which with the Cayley transform equals
    the work of the mean torque.

    - **Source**: Simo and Wong 1991, *Unconditionally stable algorithms for rigid body dynamics that exactly preserve energy and
      momentum*; with the Cayley transform in place of their exponential, so that the work of gravity is exact.
    - **Order**: 2; symmetric, but not symplectic.
    - **Preserves**: $|p|$; without torque $T$, $|h|$ and $h$ in space; under gravity the energy and the vertical component of $h$:
      all to 2e-13 after a million steps. With springs and other potentials that are not linear in a position the energy is not
      preserved, but the order is kept.
    - **Cost**: Newton's method with a matrix of three rows, <!-- cost -->.
    - **Choose it** if both energy and momentum must be conserved at any step, even at ten radians of spin per step. The phase is
      then lost; on its authors' top (preset `simo_wong_top`) the attitude error is 0.1 rad after 10 s at 1 ms.
    - **Refused with**: formulations whose state is not $p$ with $\omega$ or $h$ of the body alone, and every stabilization, since
      $|p| = 1$ holds by construction.
    """

    def method(self, formulation: Formulation) -> SimoWongMethod:
        require_momentum_state(formulation)
        return SimoWongMethod(empty_memory(formulation))

    def explain_failure(self) -> str:
        return phrase(
            "Newton's iteration found no mean angular velocity of the step: the step is too long for this motion. Try a smaller dt"
        )
