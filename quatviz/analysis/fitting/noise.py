"""Noise of a recording: how large it is, how much a sample far off may count, and whether what is left over is white."""

import math
from typing import NamedTuple

import numpy as np

from quatviz.base.errors import InputError
from quatviz.physics.mechanics.rotations import conjugate, multiply, to_rotation_vector

LEAST_SQUARES = "linear"
LOSSES = {LEAST_SQUARES: math.inf, "huber": 1.345, "soft_l1": 1.287, "cauchy": 2.385}
"""By SciPy's names, and the size, in standard deviations, from which on what is left over counts less than its square: of noise
that is normal all but least squares then tell 95 % of what least squares do (Huber 1981; Holland and Welsch 1977)."""
_MAD_FACTOR = 1.4826
"""Standard deviations in the median of sizes, of normal noise."""
_DIFFERENCE_ORDER = 4
_DIFFERENCE_GAIN = 70.0
"""Sum of the squares of the binomial coefficients of that order."""
_MIN_OUTLIER_SHARE = 1e-2
"""Difference of an outlier from those around, as a share of the usual rate: a smaller one harms nothing."""
_OUTLIER_LIMIT = 8.0
"""Standard deviations from which on a sample is left out of the first guess."""
_FAR_OFF_LIMIT = 5.0
"""Standard deviations from which on a sample is counted as far off."""
_SIGNIFICANCE = 0.01
"""That noise which is white is said not to be."""


def check_loss(loss: str) -> None:
    """Refuse a name that is none of `LOSSES`."""
    if loss not in LOSSES:
        raise InputError(
            "loss", expected=", ".join(LOSSES), found=repr(loss),
            remedy='write "cauchy" where samples are far off, or leave it out', topic="fit#samples-far-off",
        )  # fmt: skip


def standard_deviation(values: np.ndarray, loss: str) -> float:
    """Standard deviation of values about 0: of all of them, or, where wild ones are not to count, by the median size."""
    if not values.size:
        return 0.0
    if loss == LEAST_SQUARES:
        return float(np.sqrt(np.mean(values**2)))
    return _MAD_FACTOR * float(np.median(np.abs(values)))


def rate_noise(omega: np.ndarray, loss: str) -> float:
    """Noise of rates (n, 3) [rad/s], by differences of the fourth order, which a smooth motion has little of."""
    return _differences_deviation(np.diff(omega, _DIFFERENCE_ORDER, axis=0), loss)


def attitude_noise(p: np.ndarray, loss: str) -> float:
    """Noise of attitudes (n, 4) about each axis [rad], likewise."""
    return _differences_deviation(_rotation_differences(p), loss)


_RANDOM_ANGLE = 2.31
"""Median angle [rad] between two attitudes that have nothing to do with each other: of (x - sin x) / pi = 1/2."""
_MIN_EXPLAINED, _MIN_EXPLAINED_WITH_EXCESS = 0.1, 0.5
"""Of the squares of what was recorded: a motion that explains less of it is none of it, whatever is left over; one that explains
less than half is none where more than noise is left over."""
MAX_NOISE_RATIO = 1.5
"""Times the noise: when more is left over something else is at work."""


def explained_fraction(
    attitude_residuals: np.ndarray | None, rate_residuals: np.ndarray | None, omega: np.ndarray | None
) -> float:
    """The share of what was recorded that a motion explains, of attitudes or of rates, whichever is more: 1 less the median square
    of the turns (m, 3) [rad] or rates (m, 3) that are left over, by that of no motion at all."""
    fractions = [0.0]
    for residual, total_square in (
        (attitude_residuals, _RANDOM_ANGLE**2),
        (rate_residuals, _median_square(omega)),
    ):
        if residual is not None and total_square > 0.0:
            fractions.append(1.0 - _median_square(residual) / total_square)
    return max(fractions)


def is_explained(fraction: float, excess: float) -> bool:
    """Whether a motion that explains a share of what was recorded has anything to do with it, where what is left over is so many
    times the noise."""
    return fraction > (_MIN_EXPLAINED_WITH_EXCESS if excess > MAX_NOISE_RATIO else _MIN_EXPLAINED)


def _median_square(values: np.ndarray | None) -> float:
    """Median of the squares of rows (m, 3)."""
    known = np.empty((0, 3)) if values is None else values[np.isfinite(values).all(axis=1)]
    return float(np.median(np.einsum("ni,ni->n", known, known))) if len(known) else 0.0


def outlier_rates(omega: np.ndarray, loss: str) -> np.ndarray:
    """Which rows (n,) of rates (n, 3) are far from those around, or next to one that is."""
    return _outliers(np.diff(omega, _DIFFERENCE_ORDER, axis=0), loss, omega)


def outlier_attitudes(p: np.ndarray, loss: str) -> np.ndarray:
    """The same of attitudes (n, 4)."""
    return _outliers(_rotation_differences(p), loss, _turns(p))


def _rotation_differences(p: np.ndarray) -> np.ndarray:
    # The turns from row to row are first differences already.
    return np.diff(_turns(p), _DIFFERENCE_ORDER - 1, axis=0)


def _turns(p: np.ndarray) -> np.ndarray:
    """Turns (n - 1, 3) from row to row [rad]."""
    return to_rotation_vector(multiply(conjugate(p[:-1]), p[1:]))


def _differences_deviation(differences: np.ndarray, loss: str) -> float:
    known = differences[np.isfinite(differences).all(axis=1)]
    return standard_deviation(known, loss) / math.sqrt(_DIFFERENCE_GAIN)


def _outliers(differences: np.ndarray, loss: str, values: np.ndarray) -> np.ndarray:
    """Return which rows are outliers, by the differences of their `values`; none for least squares: there every sample counts."""
    is_outlier = np.zeros(len(differences) + _DIFFERENCE_ORDER, dtype=bool)
    limit = _OUTLIER_LIMIT * math.sqrt(_DIFFERENCE_GAIN) * _differences_deviation(differences, loss)
    sizes = np.linalg.norm(values, axis=1)
    sizes = sizes[np.isfinite(sizes)]
    if len(sizes):  # of data without noise the motion itself is what differences show
        limit = max(limit, _MIN_OUTLIER_SHARE * float(np.median(sizes)))
    if loss != LEAST_SQUARES and limit > 0.0 and len(differences):
        with np.errstate(invalid="ignore"):
            is_far = (np.abs(differences) > limit).any(axis=1)
        # At the ends only a difference to one side knows of a sample.
        is_outlier[:] = np.pad(is_far, _DIFFERENCE_ORDER // 2, mode="edge")
        # Where those to both sides are wild the one between is: its own difference may come out small, for turns end at a half one.
        is_outlier[1:-1] |= is_outlier[:-2] & is_outlier[2:]
    return is_outlier


def covariance_factor(residuals: np.ndarray, loss: str) -> float:
    """By what the covariance of least squares is to be multiplied for a loss, of what is left over (k,) in standard deviations:
    E psi^2 / (E psi')^2 (Huber 1981, 7.6)."""
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
    """How many rows of (n, 3) have a component that is left over by more than five standard deviations."""
    with np.errstate(invalid="ignore"):
        return int((np.abs(values) > _FAR_OFF_LIMIT * sigma).any(axis=1).sum())


class Whiteness(NamedTuple):
    """Whether values know of those before them, by the statistic of Durbin and Watson: 2 where they do not, 0 where each is
    like the one before, 4 where it is the opposite."""

    statistic: float
    pairs: int
    """Of pairs of neighbours."""

    def is_white(self, tests: int = 1) -> bool:
        """Whether it is no farther from 2 than that of white noise but once in a hundred times, of so many tests together."""
        if self.pairs < 10:
            return True
        # Of white noise it has the standard deviation 2 / sqrt(n).
        z_score = abs(self.statistic - 2.0) * math.sqrt(self.pairs) / 2.0
        return math.erfc(z_score / math.sqrt(2.0)) > _SIGNIFICANCE / tests


def compute_whiteness(values: np.ndarray) -> Whiteness:
    """Of values (n,) in even steps; pairs with a NaN do not count.

    >>> compute_whiteness(np.array([1.0, -1.0] * 50)).statistic
    4.0
    """
    steps = np.diff(values)
    is_known = np.isfinite(steps)
    known = values[1:][is_known]
    square = float(np.sum(known**2))
    return Whiteness(float(np.sum(steps[is_known] ** 2)) / square if square else 2.0, int(is_known.sum()))
