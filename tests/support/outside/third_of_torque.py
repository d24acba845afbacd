"""A mistake: one third of the torque."""

import numpy as np

from quatviz.physics.equations import EvaluationPoint
from quatviz.verification.judging.mistakes import Mistake


class ThirdOfTorque(Mistake):
    """One third of the torque."""

    name = "third_of_torque"
    summary = "a third of the torque, from outside"
    source = "nowhere"

    @classmethod
    def omega_rate(cls, at: EvaluationPoint) -> np.ndarray:
        return np.linalg.solve(at.J, at.torque / 3.0 - at.gyroscopic)
