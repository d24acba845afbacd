"""Noise of a recording: its level, the weight of outliers, and the whiteness of residuals."""

import math
from typing import NamedTuple

import numpy as np

from quatviz.base.errors import InputError
from quatviz.physics.mechanics.rotations import conjugate, multiply, to_rotation_vector

LEAST_SQUARES = "linear"
LOSSES = {LEAST_SQUARES: math.inf, "huber": 1.345, "soft_l1": 1.287, "cauchy": 2.385}
"""Losses by SciPy's names, with the residual [standard deviations] above which their weight decreases.

For normal noise each has 95 % of the efficiency of least squares (Huber 1981; Holland and Welsch 1977).
"""
_MAD_FACTOR = 1.4826
"""Ratio of the standard deviation to the median absolute value for normal noise."""
_DIFFERENCE_ORDER = 4
"""Order of the finite differences of recorded values from which their noise is estimated."""
_DIFFERENCE_GAIN = 70.0
"""Sum of the squared binomial coefficients of order `_DIFFERENCE_ORDER`, by which differences amplify the variance of noise."""
_MIN_OUTLIER_SHARE = 1e-2
"""Smallest deviation from the neighboring samples, relative to the usual rate, with which a sample counts as an
outlier. Smaller deviations do no harm."""
_OUTLIER_LIMIT = 8.0
"""Number of standard deviations above which a sample is excluded from the first guess."""
_FAR_OFF_LIMIT = 5.0
"""Number of standard deviations above which the summary of a fit counts a residual as an outlier."""
_SIGNIFICANCE = 0.01
"""Probability that white noise is reported as not white."""


def check_loss(loss: str) -> None:
    """Raise `InputError` for a loss that is not in `LOSSES`."""
    if loss not in LOSSES:
        raise InputError(
            "loss", expected=", ".join(LOSSES), found=repr(loss),
            remedy='write "cauchy" if there are outliers, or leave it out', topic="fit#outliers",
        )  # fmt: skip


def standard_deviation(values: np.ndarray, loss: str) -> float:
    """Return the standard deviation of values about 0, of an array of any shape. For a robust loss it is
    estimated from the median."""
    if not values.size:
        return 0.0
    if loss == LEAST_SQUARES:
        return float(np.sqrt(np.mean(values**2)))
    return _MAD_FACTOR * float(np.median(np.abs(values)))


def rate_noise(omega: np.ndarray, loss: str) -> float:
    """Return the noise of rates (n, 3) [rad/s] from their fourth differences, which are small for a smooth motion."""
    return _differences_deviation(np.diff(omega, _DIFFERENCE_ORDER, axis=0), loss)


def attitude_noise(p: np.ndarray, loss: str) -> float:
    """Return the noise of attitudes (n, 4) about each axis [rad] from their fourth differences."""
    return _differences_deviation(_rotation_differences(p), loss)


_RANDOM_ANGLE = 2.31
"""Median angle [rad] between two random attitudes, the solution of (x - sin x) / pi = 1/2."""
_MIN_EXPLAINED, _MIN_EXPLAINED_WITH_EXCESS = 0.1, 0.5
"""Smallest values of `explained_fraction` with which a fit is accepted.

The first limit always applies. The second limit also applies if the residuals of the fit are larger than
`MAX_NOISE_RATIO` times the noise.
"""
MAX_NOISE_RATIO = 1.5
"""Ratio of residuals to noise above which the model is considered incomplete."""


def explained_fraction(
    attitude_residuals: np.ndarray | None, rate_residuals: np.ndarray | None, omega: np.ndarray | None
) -> float:
    """Return the fraction of the data that a motion explains: the larger of the fractions for attitudes and for rates.

    The fraction is 1 - r / u. Here r is the median squared residual of angles (m, 3) [rad] or rates (m, 3) [rad/s], and
    u is the same median for a motion that is unrelated to the data.
    """
    fractions = [0.0]
    for residual, total_square in (
        (attitude_residuals, _RANDOM_ANGLE**2),
        (rate_residuals, _median_square(omega)),
    ):
        if residual is not None and total_square > 0.0:
            fractions.append(1.0 - _median_square(residual) / total_square)
    return max(fractions)


def is_explained(fraction: float, excess: float) -> bool:
    """Return True if the explained fraction is sufficient. The required fraction is larger if `excess`, the
    ratio of the residuals to the noise, is large."""
    return fraction > (_MIN_EXPLAINED_WITH_EXCESS if excess > MAX_NOISE_RATIO else _MIN_EXPLAINED)


def _median_square(values: np.ndarray | None) -> float:
    """Return the median of the squared norms of rows (m, 3)."""
    known = np.empty((0, 3)) if values is None else values[np.isfinite(values).all(axis=1)]
    return float(np.median(np.einsum("ni,ni->n", known, known))) if len(known) else 0.0


def outlier_rates(omega: np.ndarray, loss: str) -> np.ndarray:
    """Return a mask (n,) of rates (n, 3) that are outliers or between outliers."""
    return _outliers(np.diff(omega, _DIFFERENCE_ORDER, axis=0), loss, omega)


def outlier_attitudes(p: np.ndarray, loss: str) -> np.ndarray:
    """Return a mask (n,) of attitudes (n, 4) that are outliers or between outliers."""
    return _outliers(_rotation_differences(p), loss, _turns(p))


def _rotation_differences(p: np.ndarray) -> np.ndarray:
    # Rotations between rows are already first differences.
    return np.diff(_turns(p), _DIFFERENCE_ORDER - 1, axis=0)


def _turns(p: np.ndarray) -> np.ndarray:
    """Return the rotation vectors (n - 1, 3) between consecutive rows [rad]."""
    return to_rotation_vector(multiply(conjugate(p[:-1]), p[1:]))


def _differences_deviation(differences: np.ndarray, loss: str) -> float:
    known = differences[np.isfinite(differences).all(axis=1)]
    return standard_deviation(known, loss) / math.sqrt(_DIFFERENCE_GAIN)


def _outliers(differences: np.ndarray, loss: str, values: np.ndarray) -> np.ndarray:
    """Return a mask (n,) of the outliers among the rows `values` (n, k): samples with large fourth differences.

    `differences` (n - 4, k) are the fourth differences. They count as large if they exceed a multiple of their usual
    size and a fraction of the usual size of `values`. For least squares no sample is an outlier.
    """
    is_outlier = np.zeros(len(differences) + _DIFFERENCE_ORDER, dtype=bool)
    limit = _OUTLIER_LIMIT * math.sqrt(_DIFFERENCE_GAIN) * _differences_deviation(differences, loss)
    sizes = np.linalg.norm(values, axis=1)
    sizes = sizes[np.isfinite(sizes)]
    if len(sizes):  # Without noise, the differences show the motion itself.
        limit = max(limit, _MIN_OUTLIER_SHARE * float(np.median(sizes)))
    if loss != LEAST_SQUARES and limit > 0.0 and len(differences):
        with np.errstate(invalid="ignore"):
            is_far = (np.abs(differences) > limit).any(axis=1)
        # At the ends there are differences to one side only.
        is_outlier[:] = np.pad(is_far, _DIFFERENCE_ORDER // 2, mode="edge")
        # A sample between two outliers is one too. Its own difference may be small, because rotation angles
        # wrap at half a turn.
        is_outlier[1:-1] |= is_outlier[:-2] & is_outlier[2:]
    return is_outlier


def covariance_factor(residuals: np.ndarray, loss: str) -> float:
    """Return the factor by which the covariance of least squares is multiplied for a robust loss: E psi^2 /
    (E psi')^2 (Huber 1981, 7.6).

    `residuals` (k,) are given in standard deviations.
    """
    c = LOSSES[loss]
    if math.isinf(c):
        return 1.0
    z = (residuals / c) ** 2
    if loss == "huber":
        psi, slope = np.clip(residuals, -c, c), (z < 1.0).astype(float)
    elif loss == "soft_l1":
        psi, slope = residuals / np.sqrt(1.0 + z), (1.0 + z) ** -1.5
    else:
        psi, slope = residuals / (1.0 + z), (1.0 - z) / (1.0 + z) ** 2
    return float(np.mean(psi**2) / max(float(np.mean(slope)), 0.05) ** 2)


def count_far_off(values: np.ndarray, sigma: float) -> int:
    """Return the number of rows (n, 3) with a residual component above five standard deviations."""
    with np.errstate(invalid="ignore"):
        return int((np.abs(values) > _FAR_OFF_LIMIT * sigma).any(axis=1).sum())


class Whiteness(NamedTuple):
    """Test for correlation of consecutive values by the Durbin-Watson statistic.

    The statistic is 2 for uncorrelated values, 0 for equal neighbors, and 4 for alternating values.
    """

    statistic: float
    pairs: int
    """Number of pairs of neighboring values that the statistic includes."""

    def is_white(self, tests: int = 1) -> bool:
        """Return True if the statistic is consistent with white noise at the 1 % level, which is divided by the number
        of tests."""
        if self.pairs < 10:
            return True
        # The standard deviation of the statistic of white noise is 2 / sqrt(n).
        z_score = abs(self.statistic - 2.0) * math.sqrt(self.pairs) / 2.0
        return math.erfc(z_score / math.sqrt(2.0)) > _SIGNIFICANCE / tests


def compute_whiteness(values: np.ndarray) -> Whiteness:
    """Return the whiteness of values (n,) at equal intervals. Pairs with NaN are ignored.

    >>> compute_whiteness(np.array([1.0, -1.0] * 50)).statistic
    4.0
    """
    steps = np.diff(values)
    is_known = np.isfinite(steps)
    known = values[1:][is_known]
    square = float(np.sum(known**2))
    return Whiteness(float(np.sum(steps[is_known] ** 2)) / square if square else 2.0, int(is_known.sum()))
