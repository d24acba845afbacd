"""New name: a quantity computed from the motion of a lane.

The template is the angle between angular velocity and angular momentum. See `quatviz.physics.observables.quantities.Quantity`
for everything that a quantity must define.
"""

import numpy as np

from quatviz.physics.observables.quantities import Motion, Quantity


def of_motion(motion: Motion) -> np.ndarray:
    """Return the angle (n,) [rad]."""
    across = np.linalg.norm(np.cross(motion.omega, motion.h), axis=1)
    return np.arctan2(across, np.einsum("ni,ni->n", motion.omega, motion.h))


quantity = Quantity("new_name", "New name", ("α",), "rad", note="between ω and h", of_motion=of_motion)
