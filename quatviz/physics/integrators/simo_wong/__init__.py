"""The energy-momentum method of Simo and Wong."""

from quatviz.base.class_metadata import Performance
from quatviz.base.errors import phrase
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators._momentum import empty_memory, require_momentum_state
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.integrators.simo_wong.kernel import SimoWongMethod


class SimoWong(Integrator):
    """Balance of angular momentum in space, and a turn about the mean angular velocity of the step: error of order dt^2. T stays
    free of torque, and so does h in space; under gravity the energy does, and h about the vertical. Newton's method for the
    turn, which is Cayley's transform of that mean: with it gravity does in a step exactly the work that it should."""

    name = "simo_wong"
    title = "Simo–Wong"
    source = "Simo, Wong 1991, Unconditionally stable algorithms for rigid body dynamics that exactly preserve energy and momentum"
    order = 2
    sort_order = 94
    measured = (Performance(425, 514, ("3.4e-05", "1.9e-05", "1.0e-03")),)
    preserves = ("|p|", "T and |h| free of torque", "h in space free of torque", "energy under gravity")
    stabilisations = ("none",)
    stabilised_by = "it keeps |p| = 1 by construction"
    help = r"""
    $$A_1 h_1 = A h + \tfrac12 dt (A n + A_1 n_1) \qquad A_1 = A\,\mathrm{cay}\left(\tfrac14 dt (\omega + \omega_1)\right)$$

    $\mathrm{cay}(a)$ is the turn with the Euler parameters $(1, a)$, normalised. $T$ changes by
    $\tfrac12 (\omega + \omega_1) \cdot (h_1 - h)$, and $\omega + \omega_1$ lies along the turn, so that free of torque it does
    not; a force $f$ in space at $r$ does the work $f \cdot (r_1 - r)$, which with Cayley's turn is just what the mean torque does.

    - **Source**: Simo and Wong 1991, *Unconditionally stable algorithms for rigid body dynamics that exactly preserve energy and
      momentum*; with Cayley's transform in place of their exponential, for the sake of gravity.
    - **Order**: 2; symmetric, but not symplectic.
    - **Preserves**: $|p|$; free of torque $T$, $|h|$ and $h$ in space; under gravity the energy and $h$ about the vertical: all to
      2e-13 after a million steps. Springs and other potentials that are not linear in a place cost it the energy, not the order.
    - **Cost**: Newton's method with a matrix of three rows, <!-- cost -->.
    - **Choose it** where energy and momentum are to hold at once, at any step: so they do at ten radians of spin per step. The
      phase is lost then; on its authors' top (preset `simo_wong_top`) the attitude is off by 0.1 rad after 10 s at 1 ms.
    - **Refused with**: formulations whose state is not $p$ beside $\omega$ or $h$ of the body alone, and every stabilisation, for
      it is on the sphere already.
    """

    def method(self, formulation: Formulation) -> SimoWongMethod:
        require_momentum_state(formulation)
        return SimoWongMethod(empty_memory(formulation))

    def explain_failure(self) -> str:
        return phrase(
            "Newton's iteration found no mean angular velocity of the step; it is too long for this motion, try a smaller dt"
        )
