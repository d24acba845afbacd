"""The rule of game engines that evaluates the gyroscopic term explicitly and then restores the magnitude of the
angular momentum."""

from quatviz.base.class_metadata import Performance
from quatviz.physics.integrators._engine import EngineRule
from quatviz.physics.integrators._kernels.engine import CLAMPED


class EngineClamped(EngineRule):
    """Euler's method for the gyroscopic term, after which h is scaled to its old magnitude; error of order dt.

    The angular momentum of a free body has the right magnitude, but neither its direction in space nor the energy
    is constant.
    """

    name = "engine_clamped"
    title = "Game engine, clamped momentum"
    source = "Jolt Physics, MotionProperties::ApplyGyroscopicForceInternal; Avian, solve_gyroscopic_torque"
    sort_order = 26
    measured = (Performance(103, 87, ("8.2e-02", "5.3e-02", "9.1e-02")),)
    preserves = ("|p|", "|h| without torque")
    rule = CLAMPED
    help = r"""
    $$h_1 = |h| \frac{h - dt\,\omega \times h}{|h - dt\,\omega \times h|} + dt\,n$$

    The rotation is that of `engine_explicit`.

    - **Source**: Jolt Physics, `MotionProperties::ApplyGyroscopicForceInternal`, which the engine Avian follows.
    - **Order**: 1.
    - **Preserves**: $|p|$ and, without torque, $|h|$. $h$ turns in space, and the energy changes.
    - **Cost**: one evaluation and two roots, <!-- cost -->.
    - **Choose it** to see that the right magnitude of $h$ does not yet make a motion right.
    - **Refused with**: formulations whose state is not $p$ with $\omega$ or $h$ of the body alone, and every stabilization.
    """
