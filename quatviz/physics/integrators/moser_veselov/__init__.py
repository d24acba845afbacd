"""The discrete rigid body of Moser and Veselov, between two half kicks by the loads."""

from quatviz.base.class_metadata import Performance
from quatviz.base.errors import phrase
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators._momentum import empty_memory, require_momentum_state
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.integrators.moser_veselov.kernel import MoserVeselovMethod


class MoserVeselov(Integrator):
    """The discrete rigid body, whose motion is an extremal of a discrete action.

    Each step is a rotation F with dt h = F D - D F^T, D = 1/2 tr(J) - J, where dt h stands for its skew matrix.
    Newton's method solves for the Cayley vector of F. The error is of order dt^2; the method is symplectic if the
    loads have a potential. Without torque it is integrable like the motion itself: h in space and the energy are
    constant to rounding. With loads the energy error stays within dt^2 and never drifts.
    """

    name = "moser_veselov"
    title = "Discrete Moser–Veselov"
    source = "Moser, Veselov 1991; Hairer, Lubich, Wanner, Geometric Numerical Integration, VII.5.5; Lee, Leok, McClamroch 2007"
    order = 2
    sort_order = 92
    measured = (Performance(331, 311, ("1.4e-04", "3.4e-05", "2.1e-03")),)
    preserves = ("|p|", "T and |h| without torque", "h in space without torque")
    stabilisations = ("none",)
    stabilised_by = "it keeps |p| = 1 by construction"
    help = r"""
    $$dt\,\tilde h = F D - D F^T \qquad D = \tfrac12 \mathrm{tr}(J) - J \qquad A_1 = A F$$

    $\tilde h$ is the skew matrix of $h$ after a half kick by the torque, and $F$ is the rotation of the step. $h$ in the new axes,
    after another half kick, is that of the next step. With the Cayley vector $a$ of $F$ the equation is
    $J a + a \times J a = \tfrac12 dt\,h\,(1 + a \cdot a)$, which Newton's method solves.

    - **Source**: Moser and Veselov 1991; Hairer, Lubich and Wanner, *Geometric Numerical Integration*, VII.5.5; with potentials
      Lee, Leok and McClamroch 2007.
    - **Order**: 2; symmetric, and symplectic where the loads have a potential. Torques that depend on the velocity keep the order.
    - **Preserves**: $|p|$ and, without torque, $h$ in space, $|h|$ and $T$, since the map is integrable like the motion: to 2e-13
      after a million steps. Under gravity the vertical component of $h$ is constant, and the energy error oscillates with $dt^2$,
      by 1.6e-08 on the heavy top at 1 ms, and never drifts.
    - **Cost**: Newton's method with a matrix of three rows, <!-- cost -->.
    - **Choose it** to see the properties of a discrete action: all invariants, and a phase error that is two to six times that of
      `axis_splitting` without torque, and much larger on fast tops.
    - **Refused with**: formulations whose state is not $p$ with $\omega$ or $h$ of the body alone, and every stabilization. A
      rotation exists only for $|\omega| dt$ below about 1; otherwise the lane ends with a message.
    """

    def method(self, formulation: Formulation) -> MoserVeselovMethod:
        require_momentum_state(formulation)
        return MoserVeselovMethod(empty_memory(formulation))

    def explain_failure(self) -> str:
        return phrase(
            "no rotation has the discrete momentum of this step, because dt h is too large: the body turns too far in one "
            "step. Try a dt with |omega| dt below 1"
        )
