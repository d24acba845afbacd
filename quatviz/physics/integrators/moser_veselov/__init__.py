"""The discrete rigid body of Moser and Veselov, between two halves of a kick by the loads."""

from quatviz.base.class_metadata import Performance
from quatviz.base.errors import phrase
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators._momentum import empty_memory, require_momentum_state
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.integrators.moser_veselov.kernel import MoserVeselovMethod


class MoserVeselov(Integrator):
    """The extremals of a discrete action: a turn F of each step with dt h = F D - D F^T, D = 1/2 tr(J) - J, by Newton's method for
    its Cayley vector. Error of order dt^2; symplectic where the loads have a potential. Free of torque it is integrable as the
    motion is: h in space and the energy stay to rounding. Under loads the energy wanders within dt^2 without ever drifting."""

    name = "moser_veselov"
    title = "Discrete Moser–Veselov"
    source = "Moser, Veselov 1991; Hairer, Lubich, Wanner, Geometric Numerical Integration, VII.5.5; Lee, Leok, McClamroch 2007"
    order = 2
    sort_order = 92
    measured = (Performance(331, 311, ("1.4e-04", "3.4e-05", "2.1e-03")),)
    preserves = ("|p|", "T and |h| free of torque", "h in space free of torque")
    stabilisations = ("none",)
    stabilised_by = "it keeps |p| = 1 by construction"
    help = r"""
    $$dt\,\tilde h = F D - D F^T \qquad D = \tfrac12 \mathrm{tr}(J) - J \qquad A_1 = A F$$

    $\tilde h$ is the skew matrix of $h$ after half a kick by the torque, $F$ the turn of the step; in the new axes, and after
    another half, $h$ is that of the next. With Cayley's vector $a$ of $F$ it reads
    $J a + a \times J a = \tfrac12 dt\,h\,(1 + a \cdot a)$, which Newton's method solves.

    - **Source**: Moser and Veselov 1991; Hairer, Lubich and Wanner, *Geometric Numerical Integration*, VII.5.5; with potentials
      Lee, Leok and McClamroch 2007.
    - **Order**: 2; symmetric, and symplectic where the loads have a potential. Torques that depend on the velocity keep the order.
    - **Preserves**: $|p|$ and, free of torque, $h$ in space, $|h|$ and $T$, for the map is integrable as the motion is: 2e-13
      after a million steps. Under gravity $h$ about the vertical stays, and the energy wanders with $dt^2$, by 1.6e-08 on the
      heavy top at 1 ms, and never drifts.
    - **Cost**: Newton's method with a matrix of three rows, <!-- cost -->.
    - **Choose it** to see what a discrete action gives: all invariants, and a phase that is two to six times as wrong as that of
      `axis_splitting` free of torque, and far more on fast tops.
    - **Refused with**: formulations whose state is not $p$ beside $\omega$ or $h$ of the body alone, and every stabilisation. A
      turn exists for $|\omega| dt$ below about 1 only; beyond, the lane ends and says so.
    """

    def method(self, formulation: Formulation) -> MoserVeselovMethod:
        require_momentum_state(formulation)
        return MoserVeselovMethod(empty_memory(formulation))

    def explain_failure(self) -> str:
        return phrase(
            "no turn has the discrete momentum of this step, dt h being too large for D; the body turns too far in one step, "
            "try a dt with |omega| dt below 1"
        )
