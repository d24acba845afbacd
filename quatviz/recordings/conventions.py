"""Conventions of attitudes and rates: conversion in both directions, and detection from recordings with both.

Attitude and rates of one motion satisfy p' = 1/2 L^T omega (mechanics contract, 1) in the correct conventions and
only in few others. All conventions are tried and ranked by the residual of this equation.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from quatviz.base.errors import InputError, Phrase, join_phrases, phrase
from quatviz.base.formatting import format_scientific, humanize
from quatviz.base.parameters import MAX_MAGNITUDE
from quatviz.base.spelled_units import unit_factor
from quatviz.base.translation import tr
from quatviz.physics.mechanics.euler_sequences import SEQUENCES, S, angles_from_p, p_from_angles
from quatviz.physics.mechanics.rotations import (
    conjugate,
    from_matrix,
    from_rotation_vector,
    normalize,
    orientation_matrix,
    rotate,
    rotate_back,
    to_rotation_vector,
)
from quatviz.physics.mechanics.scalar_last import scalar_first_from_last, scalar_last_from_first
from quatviz.physics.observables.read_options import ATTITUDES
from quatviz.recordings.kinematics import contiguous_slices, differentiate_attitudes

WIDTHS = {name: width for name, width in ATTITUDES.items() if width}
"""Number of columns for each representation of the attitude."""
CHANCE_LIMIT = 8.0
"""Smallest significant logarithm of the likelihood ratio of two conventions. A smaller value may be due to chance."""
_TIE_RATIO = 1.05
"""Largest ratio of the residuals of two conventions that count as equally good."""
_ROUNDING_SHARE = 1e-9
"""Residual of p' = 1/2 L^T omega, relative to the rates, that rounding of the numbers in the file may cause. Smaller
residuals count as equal to it."""
_MAX_ROWS = 20_000
"""Largest number of rows that are compared, in contiguous blocks of `_PIECE_ROWS` rows."""
_PIECE_ROWS = 1_000
_SECOND_AXIS_SHARE = 0.05
"""Smallest rate about a second axis, relative to the rate about the main axis, that counts as rotation about two
axes."""
_MAX_FIT_SHARE = 0.3
"""Residual of the best convention, relative to the rates, above which attitudes and rates probably belong to different
motions."""
_MAX_SYSTEMATIC_SHARE = 0.02
"""Largest residual, relative to the rates, that scale errors and biases of sensors may explain."""
_MAX_NOISE_RATIO = 3.0
"""Largest accepted ratio of the residual of a convention to the residual that noise alone would cause."""
_FIRST_ROWS = 4_000
"""Number of rows on which all angle conventions are compared first. Only the best of them are then compared on all
rows."""
_SIGNS = ("+++", "-++", "+-+", "++-")
"""Sign patterns of angles that are tried. Each is tried for both directions of the attitude, which covers the other
four patterns too."""

_SINGULAR = 1e-12
"""Magnitude of the determinant of S (omega = S q' for angles q) below which the angles are singular."""
_RETRIED = 16
"""Number of angle conventions that are compared on all rows: those with the smallest residuals on the first rows."""

_TITLES = {
    "scalar_first": "scalar first",
    "scalar_last": "scalar last",
    "body_to_space": "body to space",
    "space_to_body": "space to body",
    "hamilton": "Hamilton",
    "jpl": "JPL",
    "intrinsic": "about the rotated axes",
    "extrinsic": "about the fixed axes",
    "body": "rates in body axes",
    "space": "rates in space axes",
    "angles": "rates of the angles",
}


@dataclass(frozen=True)
class Convention:
    """Convention of attitudes and rates in a file. The fields have the names and values of the recording table of a
    preset.

    `attitude` is "quaternion" (4 columns), "matrix" (9 columns, row by row), "angles" (3 columns in the order of
    `sequence`), "rotation_vector" (3 columns) or "quaternion_vector" (3 columns, the vector part of a unit
    quaternion with non-negative scalar part). `direction` is the direction in which the attitude transforms
    components. A quaternion with the JPL `product`, ij = -k, from space to body has the same numbers as a Hamilton
    quaternion from body to space. `axes` is "intrinsic" if the angles rotate about body axes, and "extrinsic" for
    space axes. An angle whose character in `signs` is "-" rotates in the negative sense. `rate_axes` is "body" or
    "space" for components of the angular velocity, and "angles" for the time derivatives of the angles.

    >>> Convention(order="scalar_last").attitude_of([[0.0, 0.0, 1.0, 0.0]]).tolist()
    [[0.0, 0.0, 0.0, 1.0]]
    """

    attitude: str = "quaternion"
    _: KW_ONLY
    order: str = "scalar_first"
    direction: str = "body_to_space"
    product: str = "hamilton"
    sequence: str = "321"
    axes: str = "intrinsic"
    signs: str = "+++"
    angle_unit: str = "rad"
    rate_axes: str = "body"
    rate_unit: str = "rad/s"

    def attitude_of(self, numbers: ArrayLike) -> np.ndarray:
        """Return p (n, 4), normalized, scalar first, body to space, from the numbers (n, k) in a file."""
        values = np.asarray(numbers, dtype=np.float64)
        match self.attitude:
            case "quaternion":
                p = normalize(scalar_first_from_last(values) if self.order == "scalar_last" else values)
            case "matrix":
                p = from_matrix(values.reshape((*values.shape[:-1], 3, 3)))
            case "angles":
                angles = self._angle_factor * self._sign_factors * values
                p = p_from_angles(self._in_rotation_order(angles), self._intrinsic_sequence)
            case "quaternion_vector":
                scalar = np.sqrt(np.clip(1.0 - np.sum(values**2, axis=-1, keepdims=True), 0.0, None))
                p = normalize(np.concatenate([scalar, values], axis=-1))
            case _:
                p = from_rotation_vector(self._angle_factor * values)
        return conjugate(p) if self._is_reversed else p

    def numbers_of(self, p: np.ndarray) -> np.ndarray:
        """Return the numbers (n, k) that a file contains for attitudes `p` (n, 4). It is the inverse of `attitude_of`."""
        p = conjugate(p) if self._is_reversed else p
        match self.attitude:
            case "quaternion":
                return scalar_last_from_first(p) if self.order == "scalar_last" else p
            case "matrix":
                return orientation_matrix(p).reshape(*p.shape[:-1], 9)
            case "angles":
                angles = self._in_rotation_order(angles_from_p(p, self._intrinsic_sequence))
                return self._sign_factors * angles / self._angle_factor
            case "quaternion_vector":
                return np.where(p[..., :1] < 0.0, -p[..., 1:], p[..., 1:])
            case _:
                return to_rotation_vector(p) / self._angle_factor

    def rates_of(self, rates: ArrayLike, p: np.ndarray) -> np.ndarray:
        """Return omega (n, 3) [rad/s, body] from the rates (n, 3) in a file and attitudes `p` (n, 4)."""
        omega = self._rate_factor * np.asarray(rates, dtype=np.float64)
        if self.rate_axes == "space":
            return rotate_back(p, omega)
        if self.rate_axes == "angles":
            angle_rates = self._in_rotation_order(self._sign_factors * omega)
            body_rates = (self._rate_matrix(p) @ angle_rates[..., None])[..., 0]
            # The reversed rotation describes space relative to the body: negate and change the frame.
            return -rotate(conjugate(p), body_rates) if self._is_reversed else body_rates
        return omega

    def rate_numbers_of(self, omega: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Return the rates (n, 3) that a file contains for `omega` (n, 3) [rad/s, body] and `p` (n, 4). It is the inverse of
        `rates_of`."""
        if self.rate_axes == "space":
            omega = rotate(p, omega)
        elif self.rate_axes == "angles":
            turned_rates = -rotate(p, omega) if self._is_reversed else omega
            slopes = self._rate_matrix(p)
            # The rates of singular angles are undefined.
            slopes[np.abs(np.linalg.det(slopes)) < _SINGULAR] = np.nan
            angle_rates = np.linalg.solve(slopes, turned_rates[..., None])[..., 0]
            omega = self._sign_factors * self._in_rotation_order(angle_rates)
        return omega / self._rate_factor

    @property
    def twin(self) -> "Convention | None":
        """Equivalent convention: it gives the same numbers for every motion and therefore cannot be
        distinguished from this convention. None if there is no such convention."""
        other_direction = "body_to_space" if self.direction == "space_to_body" else "space_to_body"
        if self.attitude == "angles":
            other_axes = "intrinsic" if self.axes == "extrinsic" else "extrinsic"
            other_signs = self.signs.translate(str.maketrans("+-", "-+"))
            return replace(self, direction=other_direction, axes=other_axes, signs=other_signs)
        if self.attitude != "quaternion":
            return None
        return replace(
            self, product="jpl" if self.product == "hamilton" else "hamilton", direction=other_direction
        )

    @property
    def of_attitude(self) -> tuple[Phrase, ...]:
        """Description of the convention of the attitude in words, as translatable phrases."""
        direction = phrase(_TITLES[self.direction])
        match self.attitude:
            case "quaternion":
                return phrase(_TITLES[self.order]), direction, phrase(_TITLES[self.product])
            case "angles":
                angles_text = phrase(
                    "angles {sequence} {axes}",
                    sequence=humanize(self.sequence),
                    axes=phrase(_TITLES[self.axes]),
                )
                signs = (
                    ()
                    if self.signs == "+++"
                    else (phrase("signs {signs}", signs=self.signs.replace("-", "−")),)
                )
                return angles_text, *signs, direction, self._angle_words
            case "quaternion_vector":
                return phrase("vector part of a quaternion"), direction
            case "rotation_vector":
                return direction, self._angle_words
            case _:
                return (direction,)

    @property
    def words(self) -> tuple[Phrase, ...]:
        """Description of the whole convention in words, as translatable phrases."""
        return *self.of_attitude, phrase(_TITLES[self.rate_axes]), self.rate_words

    @property
    def rate_words(self) -> Phrase:
        return phrase("in {unit}", unit=self.rate_unit)

    @property
    def _angle_words(self) -> Phrase:
        return phrase("in {unit}", unit=self.angle_unit)

    def __str__(self) -> str:
        return join_phrases(self.words)

    @property
    def _is_reversed(self) -> bool:
        to_body = self.direction == "space_to_body"
        return to_body != (self.attitude == "quaternion" and self.product == "jpl")

    @property
    def _intrinsic_sequence(self) -> str:
        """Intrinsic sequence that is equivalent to `sequence`. An extrinsic sequence is equivalent to the reversed intrinsic
        one."""
        return self.sequence if self.axes == "intrinsic" else self.sequence[::-1]

    def _in_rotation_order(self, angles: np.ndarray) -> np.ndarray:
        return angles if self.axes == "intrinsic" else angles[..., ::-1]

    def _rate_matrix(self, p: np.ndarray) -> np.ndarray:
        """Return the matrices S (n, 3, 3) that map the time derivatives of the angles to the angular velocity in body
        components."""
        file_attitude = conjugate(p) if self._is_reversed else p
        return S(angles_from_p(file_attitude, self._intrinsic_sequence), self._intrinsic_sequence)

    @property
    def _sign_factors(self) -> np.ndarray:
        """Sign factor 1 or -1 of each angle (3,), from `signs`."""
        return np.array([-1.0 if sign == "-" else 1.0 for sign in self.signs])

    @property
    def _angle_factor(self) -> float:
        return unit_factor(self.angle_unit, "angle") or 1.0

    @property
    def _rate_factor(self) -> float:
        return unit_factor(self.rate_unit, "rate") or 1.0


class Candidate(NamedTuple):
    """A convention with its residual, as an entry of a ranking."""

    convention: Convention
    residual: float
    """Root mean square norm of the residual of p' = 1/2 L^T omega, given as an angular velocity [rad/s]."""
    share: float
    """Residual divided by the size of the given rates, or of the rates computed from the attitudes if that is
    larger.

    Candidates are ranked by this value, because the residual alone depends on the assumed unit.
    """
    log_likelihood_ratio: float
    """Logarithm of the likelihood ratio of the best candidate to this one, for Gaussian noise. The difference is
    significant above `CHANCE_LIMIT`."""
    is_tied: bool
    """True if the data do not distinguish this candidate from the best."""


@dataclass(frozen=True)
class ConventionRanking:
    """All conventions, ordered by their relative residual from the best to the worst."""

    candidates: tuple[Candidate, ...]
    speed: float
    """Root mean square of |omega| [rad/s], computed with the best convention."""
    excited: tuple[float, float, float]
    """Root mean squares [rad/s] of omega along three orthogonal axes, in descending order. The axes are the
    principal axes of the distribution of omega, so that small values indicate missing rotation."""
    rows: int
    """Number of rows on which the conventions were compared."""
    angle_rate_share: float = np.inf
    """Relative residual under the assumption that the rates are the time derivatives of the angles."""
    noise: float = 0.0
    """Expected residual due to the noise of attitudes and rates [rad/s]."""

    @property
    def best(self) -> Candidate:
        return self.candidates[0]

    def best_matching(self, values: Mapping[str, object]) -> Convention:
        """Return the best convention whose fields have the given `values`.

        The equivalent form (`twin`) of a convention matches too. If none matches, the best convention of all is returned.
        """
        conventions = (
            convention
            for candidate in self.candidates
            for convention in (candidate.convention, candidate.convention.twin)
        )
        matches = (
            convention
            for convention in conventions
            if convention is not None and all(getattr(convention, key) == values[key] for key in values)
        )
        return next(matches, self.best.convention)

    @cached_property
    def ties(self) -> tuple[Candidate, ...]:
        """Candidates other than the best that the data do not distinguish from it."""
        return tuple(candidate for candidate in self.candidates[1:] if candidate.is_tied)

    @property
    def is_clear(self) -> bool:
        """True if the best convention fits and no other one fits as well, except for its equivalent form."""
        return not self.ties and self.has_good_fit and not self.angle_rate_share < 0.5 * self.best.share

    @property
    def has_good_fit(self) -> bool:
        """True if the residual of the best convention is explained by noise and small systematic errors."""
        return self.is_acceptable(self.best)

    def is_acceptable(self, candidate: Candidate) -> bool:
        """Return True if the residual of a candidate is explained by noise and small systematic errors of a sensor."""
        limit = max(_MAX_NOISE_RATIO * self.noise, _MAX_SYSTEMATIC_SHARE * self.speed)
        return candidate.share < _MAX_FIT_SHARE and candidate.residual <= limit

    def candidate_of(self, convention: Convention) -> Candidate | None:
        """Return the candidate with the convention `convention` or its equivalent (`Convention.twin`), or None."""
        names = {convention.words, convention.twin.words if convention.twin is not None else ()}
        return next((item for item in self.candidates if item.convention.words in names), None)

    @property
    def margin(self) -> float:
        """Ratio of the relative residual of the best candidate that is not tied to that of the best candidate. Infinity
        if all candidates are tied.
        """
        shares = [candidate.share for candidate in self.candidates[1:] if not candidate.is_tied]
        return shares[0] / self.best.share if shares and self.best.share else float("inf")

    @property
    def sentence(self) -> Phrase:
        """Summary of the detected convention and of what the data do not determine."""
        best = self.best
        if self.angle_rate_share < min(_MAX_FIT_SHARE, 0.5 * best.share):
            return phrase(
                "the rates are the time derivatives of the angles, with a relative error of {share:.2g}: they do not determine the "
                "sequence, direction and axes",
                share=self.angle_rate_share,
            )
        statement = phrase(
            "{best}: residual {residual:.2g} rad/s at an RMS angular speed of {speed:.2g} rad/s; noise {noise:.2g} rad/s; the "
            "residual of the next best is {margin:.3g} times as large",
            best=join_phrases(best.convention.words), residual=best.residual, speed=self.speed, margin=self.margin,
            noise=self.noise,
        ) if np.isfinite(self.margin) else phrase(
            "{best}: residual {residual:.2g} rad/s at an RMS angular speed of {speed:.2g} rad/s; noise {noise:.2g} rad/s",
            best=join_phrases(best.convention.words), residual=best.residual, speed=self.speed, noise=self.noise,
        )  # fmt: skip
        if not self.has_good_fit and len(self.ties) >= len(self.candidates) // 4:
            return phrase("no convention could be determined: {reason}", reason=self._ambiguity_reason())
        if not self.has_good_fit:
            statement = phrase(
                "no convention fits well: the axes of the rates may be rotated, or the times may differ from those of the "
                "attitude; "
                "the best is {message}",
                message=statement,
            )
        if self.ties:
            statement = phrase("{message}; {ties}", message=statement, ties=self._ties_text())
        twin = best.convention.twin
        if twin is None or best.convention.attitude == "angles":
            return statement
        return phrase(
            "{message}; equivalent convention: {twin}", message=statement, twin=join_phrases(twin.of_attitude)
        )

    def _ties_text(self) -> Phrase:
        names = join_phrases(
            [
                phrase(
                    "({differences})",
                    differences=join_phrases(_differences(self.best.convention, convention)),
                )
                for convention in self._tied_conventions()
            ],
            "or",
        )
        return phrase(
            "these data do not distinguish this convention from {names}: {reason}",
            names=names,
            reason=self._ambiguity_reason(),
        )

    def _tied_conventions(self) -> list[Convention]:
        return [candidate.convention for candidate in self.ties][:4]

    def _ambiguity_reason(self) -> Phrase:
        largest, second, _ = self.excited
        if not self.has_good_fit:
            return phrase("attitude and rates do not belong to the same motion")
        if second < _SECOND_AXIS_SHARE * largest:
            return phrase("the body rotates about one axis only, which is fixed in the body and in space")
        return phrase("the body rotates too little compared with the noise")


def _differences(convention: Convention, other: Convention) -> list[Phrase]:
    """Return the phrases that describe `other` but not `convention`."""
    return [words for words in other.words if words not in convention.words]


def conventions_of(
    t: ArrayLike,
    attitude: ArrayLike,
    rates: ArrayLike,
    attitude_type: str = "quaternion",
    progress: Callable[[float], object] | None = None,
    *,
    angle_units: Sequence[str] = ("rad", "deg"),
    rate_units: Sequence[str] = ("rad/s", "deg/s"),
) -> ConventionRanking:
    """Rank all conventions by how well attitudes and rates agree in them.

    Every order, direction, unit and frame of the rates is tried; for angles, also every intrinsic and extrinsic
    sequence with every sign pattern. The attitudes are differentiated on the rotation group and compared with the
    rates.

    Parameters
    ----------
    t
        Times (n,) [s].
    attitude
        Numbers (n, k) that represent the attitude in the file.
    rates
        Rates (n, 3) as in the file.
    attitude_type
        Representation of the attitude, a key of `WIDTHS`.
    progress
        Function that is called with the completed fraction, 0 to 1.
    angle_units, rate_units
        Units to try.

    Raises
    ------
    InputError
        If fewer than three consecutive rows have both attitude and rates, or for arrays of wrong shape.

    Examples
    --------
    >>> from quatviz.physics.exact import solve
    >>> from quatviz.physics.mechanics.body import Body
    >>> t = np.linspace(0.0, 5.0, 501)
    >>> p, omega = solve(Body(inertia=[1.0, 2.0, 2.5]), [], np.array([1.0, 0, 0, 0]), np.array([0.3, 2.0, 0.5])).evaluate(t)
    >>> found = conventions_of(t, np.roll(p, -1, axis=1), np.degrees(omega))
    >>> str(found.best.convention), found.is_clear
    ('scalar last, body to space, Hamilton, rates in body axes, in deg/s', True)
    """
    times, numbers, given_rates = _check_arrays(t, attitude, rates, attitude_type)
    rows = _select_rows(times, numbers, given_rates)
    times, numbers, given_rates = times[rows], numbers[rows], given_rates[rows]
    units = _Units(tuple(angle_units), tuple(rate_units))
    trials = sorted(
        _try_conventions(times, numbers, given_rates, attitude_type, units, progress or float),
        key=lambda trial: trial.share,
    )
    if not trials or np.isfinite(trials[0].omega).all(axis=1).sum() < 3:
        raise InputError(
            "attitude and rates", expected="three or more consecutive rows with attitude and rates",
            found=phrase("{count} rows with attitude and rates", count=len(times)), remedy="check for missing values and gaps "
                "in the times",
            topic="recordings#column-detection",
        )  # fmt: skip
    best = trials[0]
    omega = best.omega[np.isfinite(best.omega).all(axis=1)]
    largest, second, least = (np.linalg.svd(omega, compute_uv=False) / np.sqrt(len(omega))).tolist()
    speed = float(np.sqrt(np.mean(np.sum(omega**2, axis=1))))
    candidates = tuple(_candidate(best, trial) for trial in trials)
    is_angles = attitude_type == "angles"
    angle_rate_share = _angle_rate_share(times, numbers, given_rates, units) if is_angles else np.inf
    return ConventionRanking(
        candidates, speed, (largest, second, least), best.rows, angle_rate_share, best.noise
    )


class _Units(NamedTuple):
    """Units to try."""

    angles: tuple[str, ...]
    rates: tuple[str, ...]


class _Trial(NamedTuple):
    """A convention that was tried, its residual, and the data from which the significance of the residual is computed."""

    convention: Convention
    residual: float
    share: float
    rows: int
    """Number of rows on which attitudes and rates were compared."""
    omega: np.ndarray
    """Angular velocity from the attitudes (n, 3) [rad/s, body]."""
    width: int
    """Number of rows in the window over which each rate is smoothed. Errors within one window are
    correlated."""
    noise: float
    """Expected root mean square of the residual due to noise [rad/s]."""


def _try_conventions(
    t: np.ndarray,
    numbers: np.ndarray,
    rates: np.ndarray,
    attitude_type: str,
    units: _Units,
    progress: Callable[[float], object],
) -> list[_Trial]:
    """Return a trial for every convention.

    The many conventions of angles are first tried on some rows, with one smoothing window for each angle unit. Only the
    best of them are tried on all rows, each with its own window.
    """
    conventions = list(_conventions_of_type(attitude_type, units.angles))
    is_angles = attitude_type == "angles"
    first = slice(0, _FIRST_ROWS) if is_angles else slice(None)
    steps = _with_progress(conventions, progress, 0.0, 0.5 if is_angles else 1.0)
    trials = list(_compare(t[first], numbers[first], rates[first], steps, is_angles, units.rates))
    if not is_angles:
        return trials
    trials.sort(key=lambda trial: trial.share)
    nearby = list({_attitude_part(trial.convention): None for trial in trials[:_RETRIED]})
    steps = _with_progress(nearby, progress, 0.5, 1.0)
    retried = list(_compare(t, numbers, rates, steps, False, units.rates))
    retried_conventions = {trial.convention for trial in retried}
    return [*retried, *(trial for trial in trials if trial.convention not in retried_conventions)]


def _with_progress(
    conventions: list[Convention], progress: Callable[[float], object], low: float, high: float
) -> Iterator[Convention]:
    """Yield the conventions one by one. With each, call `progress` with a fraction that grows from `low` to `high`."""
    for number, convention in enumerate(conventions):
        progress(low + (high - low) * number / len(conventions))
        yield convention


def _attitude_part(convention: Convention) -> Convention:
    """Return the convention with default values for direction and rates, which do not affect the differentiation of
    attitudes.

    Conventions with equal results need only one differentiation.
    """
    return replace(convention, direction="body_to_space", rate_axes="body", rate_unit="rad/s")


def _compare(
    t: np.ndarray,
    numbers: np.ndarray,
    rates: np.ndarray,
    conventions: Iterable[Convention],
    same_window: bool,
    rate_units: Sequence[str],
) -> Iterator[_Trial]:
    rate_noise = _noise_of_rates(t, rates)
    for convention, p, raw_omega, width, attitude_noise in _differentiate(
        t, numbers, conventions, same_window
    ):
        omega = _mask_huge(raw_omega)
        for axes, unit in product(("body", "space"), rate_units):
            convention_of_rates = replace(convention, rate_axes=axes, rate_unit=unit)
            omega_given = convention_of_rates.rates_of(rates, p)
            squares = np.stack(
                [np.sum(rates_array**2, axis=1) for rates_array in (omega_given - omega, omega_given, omega)]
            )
            squares = squares[:, np.isfinite(squares).all(axis=0)]
            if squares.size:
                residual, *speeds = np.sqrt(squares.mean(axis=1)).tolist()
                share = residual / max(speeds) if max(speeds) > 0.0 else 1.0
                noise = float(np.hypot(attitude_noise, rate_noise * (unit_factor(unit, "rate") or 1.0)))
                yield _Trial(convention_of_rates, residual, share, squares.shape[1], omega, width, noise)


def _noise_of_rates(t: np.ndarray, rates: np.ndarray) -> float:
    """Return the root mean square norm of the noise of rates (n, 3), in the unit of the rates. It is estimated from fourth
    differences."""
    squares = [
        np.sum(np.diff(rates[part], 4, axis=0) ** 2, axis=1) / 70.0
        for part in contiguous_slices(t, rates)
        if part.stop - part.start > 4
    ]
    return float(np.sqrt(np.mean(np.concatenate(squares)))) if squares else 0.0


def _differentiate(
    t: np.ndarray, numbers: np.ndarray, conventions: Iterable[Convention], same_window: bool
) -> Iterator[tuple[Convention, np.ndarray, np.ndarray, int, float]]:
    """Differentiate the attitudes under each convention, and yield two tuples for each: for attitudes that rotate from body to
    space and from space to body. A tuple contains the convention, the smoothed p (n, 4), omega (n, 3) [rad/s, body], the width
    of the smoothing window [rows] and the error of the rates [rad/s].

    If `same_window` is True, the window chosen for the first convention of an angle unit is used for all conventions with
    this unit. Otherwise the best window is chosen for each convention.
    """
    windows: dict[str, tuple[int, int]] = {}
    for convention in conventions:
        p = convention.attitude_of(numbers)
        degree, width = windows.get(convention.angle_unit, (None, None)) if same_window else (None, None)
        differentiated = differentiate_attitudes(t, p, degree=degree, width=width)
        windows[convention.angle_unit] = differentiated.degree, differentiated.width
        error = np.sqrt(3.0) * differentiated.error if np.isfinite(differentiated.error) else 0.0
        # Smoothed attitudes transform the rates, since their noise would otherwise penalize rates in space axes.
        yield convention, differentiated.p, differentiated.omega, differentiated.width, error
        # The rate of the reversed rotation follows from a change of frame, without a second differentiation.
        reverse = replace(convention, direction="space_to_body")
        if convention.attitude == "angles" and reverse.twin is not None:
            reverse = reverse.twin  # the equivalent body-to-space form with opposite signs
        yield (
            reverse,
            conjugate(differentiated.p),
            -rotate(differentiated.p, differentiated.omega),
            differentiated.width,
            error,
        )


def _conventions_of_type(attitude_type: str, angle_units: Sequence[str]) -> Iterator[Convention]:
    """Yield every convention of an attitude representation, in one direction."""
    if attitude_type == "quaternion":
        yield from (Convention(attitude_type, order=order) for order in ("scalar_first", "scalar_last"))
    elif attitude_type == "matrix":
        yield Convention(attitude_type)
    elif attitude_type in ("rotation_vector", "quaternion_vector"):
        yield from (Convention("rotation_vector", angle_unit=unit) for unit in angle_units)
        yield Convention("quaternion_vector")
    else:
        for sequence, axes, signs, unit in product(
            SEQUENCES, ("intrinsic", "extrinsic"), _SIGNS, angle_units
        ):
            yield Convention(attitude_type, sequence=sequence, axes=axes, signs=signs, angle_unit=unit)


def _candidate(best: _Trial, other: _Trial) -> Candidate:
    ratio = max(other.share, _ROUNDING_SHARE) / max(best.share, _ROUNDING_SHARE)
    # For Gaussian noise in three components, with one independent row per window.
    unlikely = 3.0 * other.rows / max(best.width, other.width) * float(np.log(ratio))
    tied = unlikely < CHANCE_LIMIT or ratio < _TIE_RATIO
    return Candidate(other.convention, other.residual, other.share, unlikely, tied)


def _angle_rate_share(t: np.ndarray, numbers: np.ndarray, rates: np.ndarray, units: _Units) -> float:
    """Return the relative residual under the assumption that the rates are the time derivatives of the angles: the
    smallest value over all tried units of angles and rates."""
    smallest = np.inf
    for scale in (unit_factor(unit, "angle") or 1.0 for unit in units.angles):
        slopes = []
        for column in (scale * numbers).T:
            vectors = np.zeros((len(t), 3))
            vectors[:, 2] = column
            slopes.append(differentiate_attitudes(t, from_rotation_vector(vectors)).omega[:, 2])
        derivatives = np.stack(slopes, axis=1)
        for scaled_rates in ((unit_factor(unit, "rate") or 1.0) * rates for unit in units.rates):
            residual = scaled_rates - derivatives
            known = np.isfinite(residual).all(axis=1)
            size = float(np.sum(scaled_rates[known] ** 2))
            if size > 0.0:
                smallest = min(smallest, float(np.sqrt(np.sum(residual[known] ** 2) / size)))
    return float(smallest)


def _check_arrays(
    t: ArrayLike, attitude: ArrayLike, rates: ArrayLike, attitude_type: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    if attitude_type not in WIDTHS:
        raise InputError(
            "kind", expected=phrase("one of {names}", names=", ".join(WIDTHS)), found=repr(attitude_type),
            remedy="choose one of these", key="attitude", topic="recordings#column-detection",
        )  # fmt: skip
    times = np.asarray(t, dtype=np.float64)
    numbers, given = np.asarray(attitude, dtype=np.float64), np.asarray(rates, dtype=np.float64)
    for name, array, width in (("attitude", numbers, WIDTHS[attitude_type]), ("rates", given, 3)):
        if array.shape != (len(times), width):
            raise InputError(
                name, expected=phrase("numbers of the shape ({rows}, {width})", rows=len(times), width=width),
                found=phrase("the shape {shape}", shape=array.shape), remedy="give a row for each time",
                topic="recordings#from-a-script",
            )  # fmt: skip
    return times, _mask_huge(numbers), _mask_huge(given)


def _mask_huge(values: np.ndarray) -> np.ndarray:
    """Replace numbers whose squares would overflow by NaN, as the class `Recording` does."""
    return np.where(np.abs(values) < MAX_MAGNITUDE, values, np.nan)


def _select_rows(t: np.ndarray, numbers: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """Return the indices of the rows with both attitude and rates, at most `_MAX_ROWS` in contiguous blocks."""
    rows = np.concatenate(
        [np.arange(part.start, part.stop) for part in contiguous_slices(t, numbers, rates)] or [np.arange(0)]
    )
    if len(rows) <= _MAX_ROWS:
        return rows
    firsts = np.linspace(0, len(rows) - _PIECE_ROWS, _MAX_ROWS // _PIECE_ROWS).astype(int)
    return rows[np.unique(firsts[:, None] + np.arange(_PIECE_ROWS))]


def candidate_text(candidate: Candidate, best: Candidate) -> str:
    """Describe a candidate and its residual. If it is not the best, its differences from the best candidate are
    described."""
    own_words = candidate.convention.words
    words = own_words if candidate is best else _differences(best.convention, candidate.convention)
    description = ", ".join(tr(word) for word in words)
    residual_text = tr("residual {residual:.2g} rad/s", residual=candidate.residual)
    if candidate is best:
        return f"{description}: {residual_text}"
    if candidate.is_tied:
        return tr(
            "{description}: {residual}, not distinguishable from the best",
            description=description,
            residual=residual_text,
        )
    ratio = candidate.share / max(best.share, 1e-300)
    ratio_text = f"{ratio:.3g}" if ratio < 1e4 else format_scientific(ratio)
    return tr(
        "{description}: {residual}, a relative residual {ratio} times that of the best",
        description=description,
        residual=residual_text,
        ratio=ratio_text,
    )
