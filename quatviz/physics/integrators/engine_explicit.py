"""The rule of game engines that evaluates the gyroscopic term at the old angular velocity."""

from quatviz.base.class_metadata import Performance
from quatviz.physics.integrators._engine import EngineRule
from quatviz.physics.integrators._kernels.engine import EXPLICIT


class EngineExplicit(EngineRule):
    """Euler's method for the gyroscopic term, then a rotation at the new angular velocity; error of order dt.

    Each step makes |h| and T of a free body larger.
    """

    name = "engine_explicit"
    title = "Game engine, explicit"
    source = "Bullet Physics, btRigidBody::computeGyroscopicForceExplicit; Catto, Numerical Methods, GDC 2015"
    sort_order = 24
    measured = (Performance(74, 95, ("1.5e-02", "2.9e-01", "1.6e-02")),)
    preserves = ("|p|",)
    rule = EXPLICIT
    help = r"""
    $$h_1 = h - dt\,\omega \times h + dt\,n \qquad p_1 = p \exp\left(\tfrac12 dt\,J^{-1} h_1\right)$$

    - **Source**: Bullet Physics, `btRigidBody::computeGyroscopicForceExplicit`; Catto, *Numerical Methods*, GDC 2015, who warns of
      it.
    - **Order**: 1.
    - **Preserves**: $|p|$. $|h|^2$ of a free body grows by $dt^2 |\omega \times h|^2$ in each step, and its energy with it: by
      38 % in the minute of the preset `game_engines`.
    - **Cost**: one evaluation, <!-- cost -->.
    - **Choose it** to see why engines that have the gyroscopic term are said to explode. Bullet also limits the term.
    - **Refused with**: formulations whose state is not $p$ with $\omega$ or $h$ of the body alone, and every stabilization.
    """
