"""The rule of game engines that evaluates the gyroscopic term at the new angular velocity, approximated by
one Newton iteration.
"""

from quatviz.base.class_metadata import Performance
from quatviz.physics.integrators._engine import EngineRule
from quatviz.physics.integrators._kernels.engine import IMPLICIT


class EngineImplicit(EngineRule):
    """Implicit Euler for the gyroscopic term, by one iteration of Newton's method in body axes; error of order dt.

    Each step takes energy and angular momentum from a free body, as drag of the air would.
    """

    name = "engine_implicit"
    title = "Game engine, implicit"
    source = "Catto, Numerical Methods, GDC 2015; Bullet Physics, btRigidBody::computeGyroscopicImpulseImplicit_Body"
    sort_order = 25
    measured = (Performance(130, 97, ("8.0e-03", "2.8e-01", "8.0e-03")),)
    preserves = ("|p|",)
    rule = IMPLICIT
    help = r"""
    $$J (\omega_1 - \omega) + dt\,\omega_1 \times J \omega_1 = 0 \qquad h_1 = J \omega_1 + dt\,n$$

    One iteration of Newton's method, which starts from $\omega$, solves the first equation. The rotation is that of
    `engine_explicit`.

    - **Source**: Catto, *Numerical Methods*, GDC 2015; Bullet Physics, `btRigidBody::computeGyroscopicImpulseImplicit_Body`.
    - **Order**: 1.
    - **Preserves**: $|p|$. The energy of a free body falls, and so does $|h|$, without any torque: by 24 % and 13 % in the minute
      of the preset `game_engines`.
    - **Cost**: one linear system of three rows, <!-- cost -->.
    - **Choose it** to see the rule that is stable with long steps.
    - **Refused with**: formulations whose state is not $p$ with $\omega$ or $h$ of the body alone, and every stabilization.
    """
