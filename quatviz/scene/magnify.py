"""Differences of orientation made large enough to see. For the eye alone: no number comes from here."""

import math

import numpy as np

from quatviz.base.words import power_of_ten
from quatviz.mechanics.rotations import conjugate, from_rotation_vector, multiply, to_rotation_vector


def magnified(reference: np.ndarray, p: np.ndarray, factor: float) -> tuple[np.ndarray, bool]:
    """Unit p (4,) whose rotation away from `reference` (4,) is `factor` times that of `p` (4,), about the same axis:
    R_ref exp(factor log(R_ref^T R)). It is limited to half a turn; the second value says whether it was.

    The rotation vector comes from the relative quaternion by the arctangent, so that it has all its digits near zero.
    """
    away = factor * to_rotation_vector(multiply(conjugate(reference), p))
    angle = float(np.linalg.norm(away))
    if angle > math.pi:
        away *= math.pi / angle
    return multiply(reference, from_rotation_vector(away)), angle > math.pi


def factor_text(power: int) -> str:
    """ "× 10⁴" for 4."""
    return f"× {power_of_ten(power) if power > 1 else 10**power}"
