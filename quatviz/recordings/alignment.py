"""Alignment of two motions: offset of their clocks, constant rotations of space and body, and detection of free flight.

Times t (n,) [s]; p (n, 4), scalar first, body to space; omega (n, 3) [rad/s, body]. Rows that contain NaN are ignored.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from quatviz.base.cancellation import raise_if_cancelled
from quatviz.base.errors import InputError, Phrase, phrase
from quatviz.physics.mechanics.rotations import (
    conjugate,
    from_matrix,
    multiply,
    norm,
    relative_angle,
    to_rotation_vector,
)
from quatviz.recordings.kinematics import STANDARD_GRAVITY, contiguous_slices
from quatviz.recordings.rotation_kernels import longest_constant_run

TOPIC = "fit#alignment-of-two-motions"
_MAX_GRID_STEPS = 2**16
"""Largest number of steps of the time grid on which the angular speeds of two motions are correlated."""
_OVERLAP = 0.3
"""Minimum overlap of two motions in time, relative to the duration of the shorter one. A correlation over a shorter
overlap is not significant."""
_RIVAL_RATIO = 0.98
"""Minimum ratio of another peak of the correlation to the highest peak, for which the other clock offset is reported as
a rival of the best one."""
_MIN_CORRELATION = 0.8
"""Correlation of angular speeds below which a match may be a coincidence. Two measurements of the same motion exceed 0.9."""
_MAX_RESIDUAL = 0.3
"""Largest root mean square [rad] of the rotation angles between aligned attitudes. Above it, the alignment counts as
failed."""
_MIN_SECOND_AXIS = 0.05
"""Smallest rotation about a second axis, relative to that about the main axis. Below it, the constant rotation of the body
frame cannot be determined from the motion."""
_FREE_FALL_SHARE = 0.5
"""Largest specific force that counts as free flight, relative to gravity.

It is not zero, because an accelerometer away from the center of mass measures centrifugal acceleration.
"""


# --- clocks


@dataclass(frozen=True)
class ClockOffset:
    """Estimated difference of two clocks. The time `seconds` added to the time of one motion gives the time of the other."""

    seconds: float
    deviation: float
    """Standard deviation of the offset [s], under the assumption that the speeds of the two motions differ only by noise."""
    likeness: float
    """Correlation of |omega| of the two motions after the clock offset `seconds` is applied, at most 1."""
    rival: float
    """Another clock offset with a nearly equal correlation [s], or NaN if there is none."""

    @property
    def sentence(self) -> Phrase:
        statement = phrase(
            "the clocks differ by {seconds:.4f} ± {deviation:.1g} s; with this offset the angular speeds have a correlation "
            "of {likeness:.3f}",
            seconds=self.seconds, deviation=2.0 * self.deviation, likeness=self.likeness,
        )  # fmt: skip
        if self.likeness < _MIN_CORRELATION:
            statement = phrase(
                "{message}, which may be a coincidence: check that lane and recording show the same motion",
                message=statement,
            )
        if np.isnan(self.rival):
            return statement
        return phrase(
            "{message}; an offset of {rival:.4f} s is nearly as good, because the motion repeats itself",
            message=statement,
            rival=self.rival,
        )


def time_offset(
    t: np.ndarray, omega: np.ndarray, other_t: np.ndarray, other_omega: np.ndarray
) -> ClockOffset:
    """Return the clock offset that maximizes the correlation of |omega|, which does not depend on the frame.

    The offset is first found by cross-correlation on a time grid, over times at which both motions are known, and
    then refined by least squares.

    Parameters
    ----------
    t, omega
        Times (n,) [s] and rates (n, 3) of the reference motion.
    other_t, other_omega
        Times (m,) [s] and rates (m, 3) of the motion whose clock is corrected.

    Raises
    ------
    InputError
        If both motions have constant speed or no times in common.

    Examples
    --------
    >>> t = np.linspace(0.0, 10.0, 501)
    >>> omega = np.outer(1.0 + np.exp(-((t - 4.0) ** 2)), [0.0, 0.0, 1.0])
    >>> round(time_offset(t, omega, t[100:400] - 7.123, omega[100:400]).seconds, 4)
    7.123
    """
    speed, other_speed = _SpeedSignal.from_rates(t, omega), _SpeedSignal.from_rates(other_t, other_omega)
    raise_if_cancelled()
    step = max(min(speed.step, other_speed.step), (speed.length + other_speed.length) / _MAX_GRID_STEPS)
    lags, likeness = _correlation(speed, other_speed, step)
    if not np.isfinite(likeness).any():
        raise InputError(
            "the speeds", expected="two motions with varying speed and common times",
            found="constant speeds", remedy="set the offset by hand", topic=TOPIC,
        )  # fmt: skip
    best = int(np.nanargmax(likeness))
    rival = _find_rival(lags, likeness, best)
    seconds, deviation = _refine_offset(speed, other_speed, lags[best], step)
    return ClockOffset(seconds, deviation, float(likeness[best]), rival)


class _SpeedSignal(NamedTuple):
    """Angular speed |omega| of a motion as a function of time."""

    t: np.ndarray
    speed: np.ndarray
    step: float
    length: float
    known_intervals: list[tuple[float, float]]
    """Time intervals in which the speed is known without gaps [s]."""

    @classmethod
    def from_rates(cls, t: np.ndarray, omega: np.ndarray) -> "_SpeedSignal":
        parts = [part for part in contiguous_slices(t, omega) if part.stop - part.start > 3]
        if not parts:
            raise InputError(
                "the speeds", expected="four rows or more without a gap", found="none",
                remedy="choose another time range", topic=TOPIC,
            )  # fmt: skip
        rows = np.concatenate([np.arange(part.start, part.stop) for part in parts])
        times = t[rows]
        return cls(
            times, norm(omega[rows]), float(np.median(np.diff(times))), float(times[-1] - times[0]),
            [(float(t[part.start]), float(t[part.stop - 1])) for part in parts],
        )  # fmt: skip

    def at(self, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return interpolated speeds (m,) [rad/s] at `times` (m,) [s], and a mask (m,) that is True where the speed
        is known."""
        known = np.zeros(len(times), dtype=bool)
        for low, high in self.known_intervals:
            known |= (times >= low) & (times <= high)
        return np.interp(times, self.t, self.speed), known


def _correlation(
    signal_a: _SpeedSignal, signal_b: _SpeedSignal, step: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return clock offsets [s] and, for each, Pearson's correlation of the speeds over the common times. The
    correlation is NaN where the overlap is too short."""
    values = []
    for signal in (signal_a, signal_b):
        grid = signal.t[0] + step * np.arange(int(signal.length / step) + 1)
        speed, known = signal.at(grid)
        values.append((np.where(known, speed - signal.speed.mean(), 0.0), known.astype(float)))
    (a, in_a), (b, in_b) = values
    size = 1 << int(len(a) + len(b)).bit_length()

    def cross_correlation(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        raise_if_cancelled()
        correlation = np.fft.irfft(np.fft.rfft(x, size) * np.conj(np.fft.rfft(y, size)), size)
        return np.concatenate(
            [correlation[-(len(b) - 1) :] if len(b) > 1 else correlation[:0], correlation[: len(a)]]
        )

    count = cross_correlation(in_a, in_b)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean_a, mean_b = cross_correlation(a, in_b) / count, cross_correlation(in_a, b) / count
        spread_a = cross_correlation(a * a, in_b) / count - mean_a**2
        spread_b = cross_correlation(in_a, b * b) / count - mean_b**2
        likeness = (cross_correlation(a, b) / count - mean_a * mean_b) / np.sqrt(spread_a * spread_b)
    min_spread = 1e-12 * max(float(np.max(a * a)), float(np.max(b * b)))
    is_enough = (
        (count >= _OVERLAP * min(in_a.sum(), in_b.sum())) & (spread_a > min_spread) & (spread_b > min_spread)
    )
    lags = signal_a.t[0] - signal_b.t[0] + step * np.arange(-(len(b) - 1), len(a))
    return lags, np.where(is_enough, likeness, np.nan)


def _find_rival(lags: np.ndarray, likeness: np.ndarray, best: int) -> float:
    """Return the clock offset [s] of the second-highest peak of the correlation. Return NaN if that peak is much lower than
    the best."""
    values = np.where(np.isfinite(likeness), likeness, -1.0)
    peaks = np.flatnonzero((values[1:-1] >= values[:-2]) & (values[1:-1] > values[2:])) + 1
    rivals = [peak for peak in peaks.tolist() if peak != best and values[peak] > _RIVAL_RATIO * values[best]]
    # Without a valley in between, both belong to the same peak, split by noise.
    rivals = [
        peak for peak in rivals
        if values[min(peak, best) : max(peak, best) + 1].min() < 0.5 * (1.0 + _RIVAL_RATIO) * values[best] - 0.02
    ]  # fmt: skip
    return float(lags[max(rivals, key=lambda peak: values[peak])]) if rivals else float("nan")


def _refine_offset(
    speed_signal: _SpeedSignal, other_signal: _SpeedSignal, offset: float, step: float
) -> tuple[float, float]:
    """Return the offset [s] for which the squared difference of the speeds is smallest (Gauss-Newton), and its standard
    deviation [s]."""
    deviation = step
    smooth = max(1, round(step / speed_signal.step))
    for _ in range(6):
        raise_if_cancelled()
        times = other_signal.t + offset
        speed, known = speed_signal.at(times)
        if known.sum() < 5:
            break
        residual = (other_signal.speed - speed)[known]
        width = smooth * speed_signal.step
        slope = ((speed_signal.at(times + width)[0] - speed_signal.at(times - width)[0]) / (2.0 * width))[
            known
        ]
        slope, residual = slope - slope.mean(), residual - residual.mean()
        square = float(slope @ slope)
        if square <= 0.0:
            break
        # If the correction is positive, the other motion is late relative to this one.
        correction = float(np.clip(slope @ residual / square, -step, step))
        offset += correction
        deviation = float(np.sqrt(residual @ residual / len(residual) / square))
        if abs(correction) < 1e-9 * (1.0 + abs(offset)):
            break
    return float(offset), deviation


# --- constant rotations


@dataclass(frozen=True)
class AlignmentRotations:
    """Constant rotations `space` and `body` that align the attitudes p of one motion with the attitudes of
    another one: p_other = space p body (quaternion products)."""

    space: np.ndarray
    """Rotation of the space frame as Euler parameters (4,)."""
    body: np.ndarray
    """Rotation of the body frame as Euler parameters (4,)."""
    residual: float
    """Root mean square of the rotation angles that remain between the aligned attitudes [rad]."""
    is_determined: bool
    """True if the motion determines the rotations. This requires that the body rotates about at least two axes."""

    def apply(self, p: np.ndarray) -> np.ndarray:
        """Return the aligned attitudes (n, 4) of the motion `p` (n, 4)."""
        return multiply(multiply(self.space, p), self.body)

    @property
    def sentence(self) -> Phrase:
        residual_degrees = np.degrees(self.residual)
        statement = phrase(
            "world frame rotated by {space:.2f} deg and body frame by {body:.2f} deg; residual {residual:.2g} deg",
            space=np.degrees(_angle(self.space)), body=np.degrees(_angle(self.body)), residual=residual_degrees,
        )  # fmt: skip
        if self.residual > _MAX_RESIDUAL:
            statement = phrase(
                "{message}, more than noise explains: check that lane and recording show the same motion at the same times",
                message=statement,
            )
        if self.is_determined:
            return statement
        return phrase(
            "{message}; the body rotates about one axis only, so a rotation about this axis may belong to either frame",
            message=statement,
        )


def _angle(p: np.ndarray) -> float:
    return float(relative_angle(p, np.array([1.0, 0.0, 0.0, 0.0])))


def align_attitudes(p: np.ndarray, other: np.ndarray, side: str = "space") -> AlignmentRotations:
    """Find the constant rotations that best align the attitudes `p` (n, 4) with the attitudes `other` (n, 4).
    `side` is "space", "body" or "both".

    For one side, the result is the mean of the relative quaternions (Markley et al. 2007, Davenport's eigenvector
    method). For both sides, the relative rotations between rows are compared, as in hand-eye calibration: their
    angles are equal in the two motions, and their axes are related by the rotation of the body. Then both sides are
    improved alternately.

    Raises
    ------
    InputError
        For an unknown side, or if the attitudes have no known rows in common.

    Examples
    --------
    >>> p = np.eye(4)  # four attitudes
    >>> align_attitudes(p, multiply(np.array([0.5, 0.5, 0.5, 0.5]), p)).space.round(12).tolist()
    [0.5, 0.5, 0.5, 0.5]
    """
    if side not in ("space", "body", "both"):
        raise InputError(
            "side", expected='"space", "body" or "both"', found=repr(side), remedy="choose one of these", topic=TOPIC
        )  # fmt: skip
    is_known = np.isfinite(p).all(axis=1) & np.isfinite(other).all(axis=1)
    if not is_known.any():
        raise InputError(
            "p", expected="times at which both attitudes are known", found="none", remedy="align the clocks first", topic=TOPIC
        )  # fmt: skip
    p_known, other_known = p[is_known], other[is_known]
    identity = np.array([1.0, 0.0, 0.0, 0.0])
    space, body, is_determined = identity, identity, True
    if side == "space":
        space = mean_rotation(multiply(other_known, conjugate(p_known)))
    elif side == "body":
        body = mean_rotation(multiply(conjugate(p_known), other_known))
    else:
        body, is_determined = _body_rotation(p_known, other_known)
        for _ in range(20):
            raise_if_cancelled()
            space = mean_rotation(multiply(other_known, conjugate(multiply(p_known, body))))
            body = mean_rotation(multiply(conjugate(multiply(space, p_known)), other_known))
    residual_angles = relative_angle(multiply(multiply(space, p_known), body), other_known)
    return AlignmentRotations(space, body, float(np.sqrt(np.mean(residual_angles**2))), is_determined)


def mean_rotation(p: np.ndarray) -> np.ndarray:
    """Return the mean (4,) of rotations `p` (n, 4), with e0 >= 0. It is the dominant eigenvector of sum p p^T and
    does not depend on the signs of p."""
    _, vectors = np.linalg.eigh(p.T @ p)
    mean = vectors[:, -1]
    return -mean if mean[0] < 0.0 else mean


def _body_rotation(p: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, bool]:
    """Return the constant rotation (4,) between the body frames of two motions, and True if the motions determine it.

    The rotation maps the axes of the relative rotations between rows of `p` (n, 4) to the axes of those between
    rows of `other` (n, 4).
    """
    angles = relative_angle(p[:1], p)
    lag = max(1, int(np.searchsorted(np.maximum.accumulate(angles), 0.5)))
    lag = min(lag, max(1, len(p) // 2))
    own_vectors, other_vectors = (
        to_rotation_vector(multiply(conjugate(attitudes[:-lag]), attitudes[lag:]))
        if len(attitudes) > lag
        else np.zeros((1, 3))
        for attitudes in (p, other)
    )
    rotation, is_determined = align_vectors(other_vectors, own_vectors)
    return rotation, is_determined


def align_vectors(v: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, bool]:
    """Return the rotation p (4,) for which A(p) v is nearest to w, and True if the vectors determine it. `v` and
    `w` (n, 3) are in any unit.

    This is Wahba's problem, solved by singular value decomposition. If all vectors are parallel, the rotation about
    their direction is undetermined.

    >>> p, sure = align_vectors(np.eye(3), np.eye(3)[[1, 2, 0]])
    >>> p.round(12).tolist(), sure  # a third of a turn about the diagonal, which takes 1 to 2, 2 to 3
    ([0.5, 0.5, 0.5, 0.5], True)
    """
    u, sizes, vt = np.linalg.svd(w.T @ v)
    reflection = np.diag([1.0, 1.0, np.sign(np.linalg.det(u @ vt))])
    return from_matrix(u @ reflection @ vt), bool(np.sqrt(sizes[1]) > _MIN_SECOND_AXIS * np.sqrt(sizes[0]))


# --- detection of free flight


@dataclass(frozen=True)
class DetectedFreeFlight:
    """Rows and times of a detected free flight. `sentence` tells the user the interval and how it was found."""

    rows: slice
    start: float
    """Start [s]."""
    stop: float
    """End [s]."""
    sentence: Phrase

    @property
    def rounded_ends(self) -> tuple[float, float]:
        """Start and end [s] rounded to six digits, for `ReadOptions`."""
        start, stop = (float(f"{end:.6g}") for end in (self.start, self.stop))
        return start, stop


def free_fall_interval(
    t: np.ndarray, force: np.ndarray, min_duration: float = 0.15
) -> DetectedFreeFlight | None:
    """Return the longest interval of at least `min_duration` [s] in which the specific force (n, 3) [m/s^2] is below half of
    gravity.

    Return None if there is none. The limit is not zero, because an accelerometer away from the center of mass measures
    centrifugal acceleration.
    """
    masked = np.where((norm(force) < _FREE_FALL_SHARE * STANDARD_GRAVITY)[:, None], force, np.nan)
    candidates = [
        part for part in contiguous_slices(t, masked) if t[part.stop - 1] - t[part.start] >= min_duration
    ]
    if not candidates:
        return None
    rows = max(candidates, key=lambda part: t[part.stop - 1] - t[part.start])
    rows = slice(rows.start + 1, rows.stop - 1) if rows.stop - rows.start > 10 else rows
    return _interval(
        t, rows, phrase("the accelerometer measures less than half of the acceleration of gravity")
    )


def longest_conserved(
    t: np.ndarray, omega: np.ndarray, inertia: np.ndarray, tolerance: float = 0.02
) -> DetectedFreeFlight | None:
    """Return the longest interval in which |J omega| is constant, or None if no rows are known.

    Parameters
    ----------
    t, omega
        Times (n,) [s] and rates (n, 3).
    inertia
        Inertia (3, 3) in any scale.
    tolerance
        Largest accepted deviation of |J omega| from the middle of its range, relative to the middle, in addition to
        noise.
    """
    parts = [part for part in contiguous_slices(t, omega) if part.stop - part.start >= 10]
    best: slice | None = None
    for part in parts:
        size = norm(omega[part] @ inertia)
        noise = float(np.sqrt(np.mean(np.diff(size, 2) ** 2) / 6.0))
        limit = 2.0 * tolerance * float(np.median(size)) + 6.0 * noise
        first, stop = longest_constant_run(size, limit)
        candidate = slice(part.start + first, part.start + stop)
        if best is None or t[candidate.stop - 1] - t[candidate.start] > t[best.stop - 1] - t[best.start]:
            best = candidate
    return None if best is None else _interval(t, best, phrase("|h| is constant"))


def _interval(t: np.ndarray, rows: slice, reason: Phrase) -> DetectedFreeFlight:
    start, stop = float(t[rows.start]), float(t[rows.stop - 1])
    return DetectedFreeFlight(
        rows, start, stop,
        phrase("free flight from {start:.4g} s to {stop:.4g} s: {reason}", start=start, stop=stop, reason=reason),
    )  # fmt: skip
