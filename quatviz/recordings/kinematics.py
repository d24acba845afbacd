"""Differentiation of sampled attitudes and integration of sampled rates, on the rotation group.

Times t (n,) [s] increase; p (n, 4) is scalar first, body to space; omega (n, 3) [rad/s, body]. A row with NaN, or a
step of more than `GAP_FACTOR` median steps, is a gap. Nothing is computed across gaps: values that would require
rows on both sides of a gap are NaN.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from quatviz.base.errors import InputError, phrase, plural_phrase
from quatviz.physics.mechanics.euler_sequences import p_from_angles
from quatviz.physics.mechanics.rotations import (
    conjugate,
    multiply,
    norm,
    normalize,
    relative_angle,
)
from quatviz.recordings.rotation_kernels import accumulate_rotations, fit_windows

GAP_FACTOR = 2.5
"""Largest length of a step, relative to the median step, that is not a gap. A single late or lost sample does not make
a gap."""
DEGREES = (2, 4, 6)
"""Polynomial degrees from which the best for differentiation is chosen."""
WIDTHS = (5, 9, 15, 25, 41, 67, 113)
"""Window widths [rows] from which the best for differentiation is chosen."""
_TRIAL_ROWS = 60
"""Number of rows at which the candidate degrees and widths are compared."""
MAX_WINDOW_ROWS = 10_000_000
"""Largest total number of rows in all windows, whose evaluation takes about a second. For a million rows, a window has
at most ten rows."""
_ROWS_AT_ONCE = 2**16
STANDARD_GRAVITY = 9.80665
"""Standard gravity [m/s^2]."""


def contiguous_slices(t: np.ndarray, *columns: np.ndarray) -> list[slice]:
    """Return the ranges of rows between gaps, in order. Within a range, all values are finite and no step exceeds
    `GAP_FACTOR` median steps.

    Raises
    ------
    InputError
        If the times do not increase.

    Examples
    --------
    >>> contiguous_slices(np.array([0.0, 1.0, 2.0, 7.0, 8.0]))
    [slice(0, 3, None), slice(3, 5, None)]
    """
    is_known = np.isfinite(t)
    for column in columns:
        is_known &= np.isfinite(column).all(axis=tuple(range(1, column.ndim)))
    steps = np.diff(t[is_known])
    if (steps <= 0.0).any():
        row = int(np.flatnonzero(steps <= 0.0)[0])
        raise InputError(
            "t",
            expected="times that increase from row to row",
            found=phrase(
                "{next:.9g} s in the row after {time:.9g} s",
                time=float(t[is_known][row]),
                next=float(t[is_known][row + 1]),
            ),
            remedy="sort the rows, and remove those that repeat a time",
            topic="recordings#what-is-left-out",
        )
    typical_step = float(np.median(steps)) if len(steps) else 0.0
    rows = np.flatnonzero(is_known)
    if not len(rows):
        return []
    is_gap = (np.diff(rows) > 1) | (steps > GAP_FACTOR * typical_step)
    cuts = np.flatnonzero(is_gap) + 1
    return [slice(int(rows[a]), int(rows[b - 1]) + 1) for a, b in pairwise([0, *cuts.tolist(), len(rows)])]


# --- rates from attitudes


@dataclass(frozen=True)
class DifferentiatedRates:
    """Rates that were computed by differentiating attitudes, with estimates of their errors."""

    omega: np.ndarray
    """Rates (n, 3) [rad/s, body]; NaN in gaps and in ranges that are too short."""
    p: np.ndarray
    """Attitudes (n, 4) smoothed by the polynomials from which the rates were computed."""
    noise: np.ndarray
    """Standard deviation (n,) [rad/s] of each rate component due to noise of the attitudes."""
    truncation: float
    """Root mean square [rad/s] of the truncation error of the polynomials in one rate component."""
    sigma: float
    """Standard deviation of the noise of the attitudes about each axis [rad]."""
    degree: int
    width: int
    """Number of rows to which each polynomial was fitted."""
    turn: float
    """Largest rotation between consecutive rows [rad]. At pi or more, its direction is ambiguous."""

    @cached_property
    def error(self) -> float:
        """Root mean square error [rad/s] of one rate component over all rows."""
        return float(np.hypot(_rms(self.noise), self.truncation))

    @property
    def sentence(self) -> str:
        if not np.isfinite(self.error):
            return phrase(
                "rates computed from attitudes by polynomials of degree {degree} over {width} rows; too few rows to estimate "
                "the error",
                degree=self.degree, width=self.width,
            )  # fmt: skip
        statement = phrase(
            "rates computed from attitudes by polynomials of degree {degree} over {width} rows, error {error:.2g} rad/s "
            "({noise:.2g} due to noise of {sigma:.2g} rad, {truncation:.2g} due to the step)",
            degree=self.degree, width=self.width, error=self.error, sigma=self.sigma,
            noise=_rms(self.noise), truncation=self.truncation,
        )  # fmt: skip
        if self.turn < np.pi / 2:
            return statement
        return phrase(
            "{message}; the body rotates by up to {turn:.0f} deg between rows, and above 180 deg the direction would be ambiguous",
            message=statement,
            turn=np.degrees(self.turn),
        )


def _rms(values: np.ndarray) -> float:
    """Return the root mean square of the finite values, or NaN."""
    known = values[np.isfinite(values)]
    return float(np.sqrt(np.mean(known**2))) if len(known) else float("nan")


def differentiate_attitudes(
    t: np.ndarray, p: np.ndarray, *, degree: int | None = None, width: int | None = None
) -> DifferentiatedRates:
    """Return the rates of attitudes `p` (n, 4) at times `t` (n,) [s], which need not be equidistant.

    Around each row, a polynomial of even `degree` is fitted to the rotation vector relative to a steady rotation,
    over `width` rows. The derivative of the polynomial is added to the steady rate. With width = degree + 1, the
    polynomial interpolates, and the error is of order `degree` in the step. More rows reduce the effect of noise.
    If `degree` or `width` is None, it is chosen to minimize the total error due to noise and step.

    >>> from quatviz.physics.mechanics.rotations import from_rotation_vector
    >>> t = np.linspace(0.0, 1.0, 101)
    >>> differentiate_attitudes(t, from_rotation_vector(np.outer(t**2, [0.0, 0.0, 1.0]))).omega[[25, 50, 100], 2].round(6).tolist()
    [0.5, 1.0, 2.0]
    """
    samples = _AttitudeSamples(t, p)
    window = _choose_window(samples, degree, width)
    omega, smooth, noise = (np.full(shape, np.nan) for shape in ((len(t), 3), (len(t), 4), len(t)))
    squares, truncation_terms = [], []
    for part in samples.parts:
        for rows, fit in samples.fits(part, *window):
            omega[rows], smooth[rows], noise[rows] = fit.omega, fit.p, np.sqrt(fit.gain)
            squares.append(fit.squares)
            truncation_terms.append(fit.truncation_terms)
    sigma = samples.sigma
    if sigma is None:
        sigma = _rms(np.sqrt(np.concatenate(squares))) if squares else np.nan
    turn = max((part.turn for part in samples.parts), default=0.0)
    all_truncation_terms = np.concatenate(truncation_terms) if truncation_terms else np.full((1, 2), np.nan)
    return DifferentiatedRates(
        omega, smooth, sigma * noise, _truncation(all_truncation_terms, sigma), sigma, *window, turn
    )


class _Fit(NamedTuple):
    """Polynomials that were fitted around m rows.

    `omega` (m, 3) [rad/s, body] and `p` (m, 4) are their values at these rows. `gain` (m,) is the sum of squared weights of
    the derivative. `squares` (m,) are squared residuals per degree of freedom, NaN without degrees of freedom.
    `truncation_terms` (m, 2) has two columns: the squared change of omega if the polynomial degree is raised by two, and the
    expected value of this square for noise of 1 rad.
    """

    omega: np.ndarray
    p: np.ndarray
    gain: np.ndarray
    squares: np.ndarray
    truncation_terms: np.ndarray


class _RowRange(NamedTuple):
    """Rows from `first` to `stop` (excluded) between two gaps. `turn` is the largest rotation [rad] between consecutive
    rows."""

    first: int
    stop: int
    turn: float

    def __len__(self) -> int:
        return self.stop - self.first


class _AttitudeSamples:
    """Measured attitudes `p` (n, 4) at times `t` (n,) [s], around whose rows polynomials are fitted."""

    def __init__(self, t: np.ndarray, p: np.ndarray) -> None:
        self.t, self.p = _writable(t), _writable(p)
        self.parts = [
            _RowRange(part.start, part.stop, _largest_turn(self.p[part])) for part in contiguous_slices(t, p)
        ]

    def fits(
        self, part: _RowRange, degree: int, width: int, every: int = 1
    ) -> Iterator[tuple[np.ndarray, _Fit]]:
        """Fit polynomials around every `every`-th row of a range. Yield blocks of row numbers (m,), each with its fits.

        Nothing is yielded if the range is too short.
        """
        width = min(width, len(part))
        degree = min(degree, width - 1)
        if degree < 1:
            return
        # Two rows define the steady rate that the polynomials correct. A larger distance reduces the effect of noise.
        reach = max(1, min(width // 4, int(1.0 / (part.turn + 1e-9))))
        fitted_rows = np.arange(part.first, part.stop, every)
        for first in range(0, len(fitted_rows), _ROWS_AT_ONCE):
            rows = fitted_rows[first : first + _ROWS_AT_ONCE]
            results = np.empty((len(rows), 11))
            fit_windows(self.t, self.p, rows, (part.first, part.stop), degree, width, reach, results)
            yield rows, _Fit(results[:, :3], results[:, 3:7], results[:, 7], results[:, 8], results[:, 9:])

    @cached_property
    def sigma(self) -> float | None:
        """Standard deviation of the noise of the attitudes [rad]. It is estimated from residuals of high-degree polynomials
        in short windows.

        It is None if all ranges are too short.
        """
        squares = []
        for part in self.parts:
            if len(part) >= 11:
                squares += [
                    fit.squares for _, fit in self.fits(part, 6, 11, max(1, len(part) // _TRIAL_ROWS))
                ]
        return float(np.sqrt(np.median(np.concatenate(squares)))) if squares else None


def _largest_turn(p: np.ndarray) -> float:
    """Return the largest rotation [rad] between consecutive rows of unit `p` (n, 4).

    The distances of the quaternions are compared, because computing all angles takes ten times as long.
    """
    if len(p) < 2:
        return 0.0
    step = p[1:] - p[:-1]
    chord = np.einsum("ni,ni->n", step, step)
    row = int(np.argmax(np.minimum(chord, 4.0 - chord)))
    return float(relative_angle(p[row], p[row + 1]))


def _writable(values: np.ndarray) -> np.ndarray:
    """Return the values as a contiguous writable float64 array, so that only one kernel signature is compiled."""
    return np.require(values, np.float64, ["C", "W"])


def _truncation(truncation_terms: np.ndarray, sigma: float) -> float:
    """Return the truncation error [rad/s] of the rates. It is the root mean square of their change if the polynomial
    degree is raised by two, after subtraction of the part due to noise of standard deviation `sigma` [rad].

    Rows are weighted by the inverse of their sensitivity to noise. Otherwise, the rows at the ends, which are the most
    sensitive, would dominate.
    """
    known = truncation_terms[np.isfinite(truncation_terms).all(axis=1)]
    if not len(known):
        return np.nan
    excess = np.mean(known[:, 0] / known[:, 1]) - sigma**2
    return float(np.sqrt(max(0.0, excess) * np.mean(known[:, 1])))


def _choose_window(samples: _AttitudeSamples, degree: int | None, width: int | None) -> tuple[int, int]:
    """Return degree and width of the window in which polynomials are fitted.

    If `degree` or `width` is None, it is chosen to minimize the error at `_TRIAL_ROWS` rows of the longest range
    without gaps.
    """
    if degree is not None and width is not None:
        return degree, max(width, degree + 1)
    part = max(samples.parts, key=len, default=_RowRange(0, 0, 0.0))
    max_width = max(WIDTHS[0], MAX_WINDOW_ROWS // max(1, len(samples.t)))
    degrees = DEGREES if degree is None else (degree,)
    widths = (
        [candidate for candidate in WIDTHS if candidate <= min(len(part), max_width)]
        if width is None
        else [width]
    )
    sigma = samples.sigma
    if sigma is None or not widths:
        smallest_degree = min(degrees)
        return smallest_degree, max(smallest_degree + 1, width or 0)
    best, least_error = (min(degrees), min(degrees) + 1), np.inf
    for order in degrees:
        for rows in (candidate for candidate in widths if candidate >= order + 3):
            fits = [fit for _, fit in samples.fits(part, order, rows, max(1, len(part) // _TRIAL_ROWS))]
            truncation_terms = np.concatenate([fit.truncation_terms for fit in fits])
            noise = sigma * np.sqrt(np.mean(np.concatenate([fit.gain for fit in fits])))
            error = float(np.hypot(noise, _truncation(truncation_terms, sigma)))
            if error < least_error:
                best, least_error = (order, rows), error
    return best


# --- attitudes from rates


@dataclass(frozen=True)
class IntegratedAttitudes:
    """Attitudes that were computed by integrating rates."""

    p: np.ndarray
    """Unit Euler parameters (n, 4). Rows that a gap separates from the start are NaN."""
    truncation: float
    """Largest truncation error [rad], estimated by leaving out every second row."""

    @property
    def sentence(self) -> str:
        unknown_count = int(np.isnan(self.p[:, 0]).sum())
        statement = phrase(
            "attitudes computed from rates by the exponential map, error up to {truncation:.2g} rad due to the step. A bias "
            "of the rates "
            "adds an error that grows with time",
            truncation=self.truncation,
        )
        if not unknown_count:
            return statement
        return plural_phrase(
            unknown_count,
            "{message}; {count} row after a gap has none, since the rotation in the gap is unknown",
            "{message}; {count} rows after a gap have none, since the rotation in the gap is unknown",
            message=statement,
        )


def integrate_rates(t: np.ndarray, omega: np.ndarray, start: np.ndarray, row: int = 0) -> IntegratedAttitudes:
    """Integrate the rates `omega` (n, 3) [rad/s, body] at times `t` (n,) [s] to attitudes, from p = `start` (4,) at
    `row`.

    The method is of fourth order: each step uses the exponential of the Magnus expansion up to its first commutator
    at the two Gauss points (Hairer, Lubich, Wanner, Geometric Numerical Integration, IV.7). The rates there come
    from the cubic through the four surrounding rows. Only the rows of the contiguous range around `row` get
    attitudes.

    >>> t = np.linspace(0.0, 1.0, 11)
    >>> found = integrate_rates(t, np.tile([0.0, 0.0, np.pi], (11, 1)), np.array([1.0, 0.0, 0.0, 0.0]))
    >>> abs(found.p[-1]).round(12).tolist()
    [0.0, 0.0, 0.0, 1.0]
    """
    p, truncation = np.full((len(t), 4), np.nan), 0.0
    for part in contiguous_slices(t, omega):
        if part.start <= row < part.stop:
            rotations = _rotations(t[part], omega[part])
            relative_rotations = multiply(conjugate(rotations[row - part.start]), rotations)
            p[part] = normalize(multiply(normalize(start), relative_rotations))
            if len(rotations) > 8:
                coarse = _rotations(t[part], omega[part], 2)
                # The error of steps twice as long is 16 times as large, so their difference is 15 errors.
                truncation = float(relative_angle(coarse, rotations[::2]).max()) / 15.0
    return IntegratedAttitudes(p, truncation)


def _rotations(t: np.ndarray, omega: np.ndarray, every: int = 1) -> np.ndarray:
    """Return rotations (m, 4) that take the body from its attitude in the first row to that in every `every`-th row."""
    rotations = np.empty((len(t[::every]), 4))
    accumulate_rotations(_writable(t), _writable(omega), every, rotations)
    return rotations


# --- initial attitude


@dataclass(frozen=True)
class RestPeriod:
    """Rows in which the body is at rest, and the attitude that gravity determines there."""

    p: np.ndarray
    """Euler parameters (4,) with roll and pitch as measured. The heading, which gravity does not determine, is 0."""
    rows: slice
    spread: float
    """Standard deviation of the direction of gravity [rad]."""

    @property
    def sentence(self) -> str:
        return phrase(
            "at rest in {count} rows, where gravity gives roll and pitch within {spread:.1f} deg; the unknown heading is set to 0",
            count=self.rows.stop - self.rows.start,
            spread=np.degrees(self.spread),
        )


def attitude_from_gravity(force: np.ndarray) -> np.ndarray:
    """Return the attitude p (4,) of a body at rest from the specific force (3,) in body axes, which points up in
    space. The heading of the 3-2-1 sequence is 0.

    >>> attitude_from_gravity(np.array([0.0, 0.0, 9.8])).tolist()
    [1.0, 0.0, 0.0, 0.0]
    """
    x, y, z = force
    return p_from_angles(np.array([0.0, np.arctan2(-x, np.hypot(y, z)), np.arctan2(y, z)]), "321")


def find_rest(
    t: np.ndarray, force: np.ndarray, omega: np.ndarray | None = None, *, max_rate: float = 0.1
) -> RestPeriod | None:
    """Return the longest period of rest of at least 0.2 s, or None.

    Parameters
    ----------
    t
        Times (n,) [s].
    force
        Specific force (n, 3) [m/s^2, body]. At rest, it is within 3 % of gravity.
    omega
        Rates (n, 3), or None.
    max_rate
        Largest rate at rest [rad/s].
    """
    is_still = np.abs(norm(force) / STANDARD_GRAVITY - 1.0) < 0.03
    if omega is not None:
        is_still &= norm(omega) < max_rate
    masked = np.where(is_still[:, None], force, np.nan)
    candidates = [part for part in contiguous_slices(t, masked) if t[part.stop - 1] - t[part.start] >= 0.2]
    if not candidates:
        return None
    rows = max(candidates, key=lambda part: t[part.stop - 1] - t[part.start])
    directions = force[rows] / norm(force[rows])[:, None]
    mean = directions.mean(axis=0)
    spread = float(np.sqrt(np.mean(np.sum((directions - mean) ** 2, axis=1)) / 2.0))
    return RestPeriod(attitude_from_gravity(mean), rows, spread)
