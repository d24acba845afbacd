"""New name: a quantity that follows from the motion of a lane.

It begins with the angle between angular velocity and angular momentum. What a quantity has to give stands in
`quatviz.physics.observables.quantities.Quantity`.
"""

import numpy as np

from quatviz.physics.observables.quantities import Motion, Quantity


def of_motion(motion: Motion) -> np.ndarray:
    """(n,) [rad]."""
    across = np.linalg.norm(np.cross(motion.omega, motion.h), axis=1)
    return np.arctan2(across, np.einsum("ni,ni->n", motion.omega, motion.h))


quantity = Quantity("new_name", "New name", ("α",), "rad", note="between ω and h", of_motion=of_motion)
