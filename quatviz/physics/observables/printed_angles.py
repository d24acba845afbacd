"""The 3-1-3 Euler angles by eqs. S3(2-4), computed in two ways: with the principal arctangent as printed, and
with atan2.
"""

import numpy as np


def angles_as_printed(p: np.ndarray) -> np.ndarray:
    """Return the 3-1-3 angles phi, theta, psi (n, 3) [rad] of p (n, 4) by eqs. S3(2-4) as printed, with the
    principal value of tan^-1. Angles are NaN where a quotient is 0/0.
    """
    e0, e1, e2, e3 = np.moveaxis(p, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        half_sum, half_difference = np.arctan(e3 / e0), np.arctan(e2 / e1)
    return _angles_313(e1, e2, half_sum, half_difference)


def angles_by_quadrant(p: np.ndarray) -> np.ndarray:
    """Return the 3-1-3 angles phi, theta, psi (n, 3) [rad] of p (n, 4), computed with atan2. phi and psi are
    within half a turn.
    """
    e0, e1, e2, e3 = np.moveaxis(p, -1, 0)
    angles = _angles_313(e1, e2, np.arctan2(e3, e0), np.arctan2(e2, e1))
    angles[:, ::2] = (angles[:, ::2] + np.pi) % (2.0 * np.pi) - np.pi
    return angles


def _angles_313(
    e1: np.ndarray, e2: np.ndarray, half_sum: np.ndarray, half_difference: np.ndarray
) -> np.ndarray:
    theta = 2.0 * np.arcsin(np.minimum(np.hypot(e1, e2), 1.0))
    return np.stack((half_sum + half_difference, theta, half_sum - half_difference), axis=-1)
