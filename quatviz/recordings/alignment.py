"""One motion laid on another: the offset of their clocks, a constant turn of space or of the body, the stretch that counts.

Times t (n,) [s]; p (n, 4), scalar first, body to space; omega (n, 3) [rad/s, body]. Rows with a NaN in them do not count.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from quatviz.base.errors import InputError, Phrase, phrase
from quatviz.physics.mechanics.rotations import (
    conjugate,
    from_matrix,
    multiply,
    norm,
    relative_angle,
    to_rotation_vector,
)
from quatviz.recordings.kinematics import STANDARD_GRAVITY, stretches
from quatviz.recordings.rotation_kernels import longest_within

TOPIC = "fit#laid-on-another"
_MOST = 2**16
"""Steps of the grid on which speeds are compared."""
_OVERLAP = 0.3
"""Of the shorter motion: with less in common a likeness is chance."""
_RIVAL = 0.98
"""Of the best likeness: another offset that is as good."""
_LIKE = 0.8
"""A correlation of speeds below which it is as likely chance: of one motion, measured twice, it is above 0.9."""
_FAR = 0.3
"""[rad] that is left over of turns where they lay nothing on anything."""
_IDLE = 0.05
"""Of the largest: an axis about which too little happens to know the turn about the others by."""
_FALLING = 0.5
"""Of gravity: what an accelerometer off the centre of mass may still show in free flight."""


# --- clocks


@dataclass(frozen=True)
class Offset:
    """What is to be added to the times of one motion so that they are those of another."""

    seconds: float
    deviation: float
    """Standard deviation [s], if what differs is noise."""
    likeness: float
    """Correlation of |omega|, 1 at best."""
    rival: float
    """Another offset that is nearly as good [s]; NaN where there is none."""

    @property
    def sentence(self) -> Phrase:
        said = phrase(
            "the clocks differ by {seconds:.4f} ± {deviation:.1g} s; speeds then have a correlation of {likeness:.3f}",
            seconds=self.seconds, deviation=2.0 * self.deviation, likeness=self.likeness,
        )  # fmt: skip
        if self.likeness < _LIKE:
            said = phrase("{said}, which may be chance: see whether both are of the same motion", said=said)
        if np.isnan(self.rival):
            return said
        return phrase(
            "{said}; so they have, nearly, at {rival:.4f} s: the motion repeats itself",
            said=said,
            rival=self.rival,
        )


def time_offset(t: np.ndarray, omega: np.ndarray, other_t: np.ndarray, other_omega: np.ndarray) -> Offset:
    """The offset of another motion's clock, by the likeness of |omega|, which no frame changes: the cross-correlation on a grid,
    where both are known, then least squares between its steps. `InputError` where neither motion changes its speed.

    >>> t = np.linspace(0.0, 10.0, 501)
    >>> omega = np.outer(1.0 + np.exp(-((t - 4.0) ** 2)), [0.0, 0.0, 1.0])
    >>> round(time_offset(t, omega, t[100:400] - 7.123, omega[100:400]).seconds, 4)
    7.123
    """
    one, other = _Speed.of(t, omega), _Speed.of(other_t, other_omega)
    step = max(min(one.step, other.step), (one.length + other.length) / _MOST)
    lags, likeness = _correlation(one, other, step)
    if not np.isfinite(likeness).any():
        raise InputError(
            "the speeds", expected="two motions of which one changes its speed, and which have times in common",
            found="speeds that are always the same", remedy="set the offset by hand", topic=TOPIC,
        )  # fmt: skip
    best = int(np.nanargmax(likeness))
    rival = _rival(lags, likeness, best)
    seconds, deviation = _refined(one, other, lags[best], step)
    return Offset(seconds, deviation, float(likeness[best]), rival)


class _Speed(NamedTuple):
    t: np.ndarray
    speed: np.ndarray
    step: float
    length: float
    known: list[tuple[float, float]]
    """Between which times it is known."""

    @classmethod
    def of(cls, t: np.ndarray, omega: np.ndarray) -> "_Speed":
        parts = [part for part in stretches(t, omega) if part.stop - part.start > 3]
        if not parts:
            raise InputError(
                "the speeds", expected="four rows or more without a gap", found="none", remedy="choose another stretch", topic=TOPIC
            )  # fmt: skip
        rows = np.concatenate([np.arange(part.start, part.stop) for part in parts])
        times = t[rows]
        return cls(
            times, norm(omega[rows]), float(np.median(np.diff(times))), float(times[-1] - times[0]),
            [(float(t[part.start]), float(t[part.stop - 1])) for part in parts],
        )  # fmt: skip

    def at(self, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Speeds (m,) and whether they are known (m,)."""
        known = np.zeros(len(times), dtype=bool)
        for low, high in self.known:
            known |= (times >= low) & (times <= high)
        return np.interp(times, self.t, self.speed), known


def _correlation(one: _Speed, other: _Speed, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Offsets [s] and Pearson's correlation where both are known, NaN where too little is."""
    values = []
    for each in (one, other):
        grid = each.t[0] + step * np.arange(int(each.length / step) + 1)
        speed, known = each.at(grid)
        values.append((np.where(known, speed - each.speed.mean(), 0.0), known.astype(float)))
    (a, in_a), (b, in_b) = values
    size = 1 << int(len(a) + len(b)).bit_length()

    def correlated(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        found = np.fft.irfft(np.fft.rfft(x, size) * np.conj(np.fft.rfft(y, size)), size)
        return np.concatenate([found[-(len(b) - 1) :] if len(b) > 1 else found[:0], found[: len(a)]])

    count = correlated(in_a, in_b)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean_a, mean_b = correlated(a, in_b) / count, correlated(in_a, b) / count
        spread_a = correlated(a * a, in_b) / count - mean_a**2
        spread_b = correlated(in_a, b * b) / count - mean_b**2
        likeness = (correlated(a, b) / count - mean_a * mean_b) / np.sqrt(spread_a * spread_b)
    least = 1e-12 * max(float(np.max(a * a)), float(np.max(b * b)))
    enough = (count >= _OVERLAP * min(in_a.sum(), in_b.sum())) & (spread_a > least) & (spread_b > least)
    lags = one.t[0] - other.t[0] + step * np.arange(-(len(b) - 1), len(a))
    return lags, np.where(enough, likeness, np.nan)


def _rival(lags: np.ndarray, likeness: np.ndarray, best: int) -> float:
    """The best offset on another peak that is nearly as high."""
    values = np.where(np.isfinite(likeness), likeness, -1.0)
    peaks = np.flatnonzero((values[1:-1] >= values[:-2]) & (values[1:-1] > values[2:])) + 1
    others = [peak for peak in peaks.tolist() if peak != best and values[peak] > _RIVAL * values[best]]
    # What is no valley away is the same peak, torn by noise.
    others = [
        peak for peak in others
        if values[min(peak, best) : max(peak, best) + 1].min() < 0.5 * (1.0 + _RIVAL) * values[best] - 0.02
    ]  # fmt: skip
    return float(lags[max(others, key=lambda peak: values[peak])]) if others else float("nan")


def _refined(one: _Speed, other: _Speed, offset: float, step: float) -> tuple[float, float]:
    """The offset at which speeds differ least, by Gauss and Newton with the slope of one of them, and its standard deviation."""
    deviation = step
    smooth = max(1, round(step / one.step))
    for _ in range(6):
        times = other.t + offset
        speed, known = one.at(times)
        if known.sum() < 5:
            break
        rest = (other.speed - speed)[known]
        width = smooth * one.step
        slope = ((one.at(times + width)[0] - one.at(times - width)[0]) / (2.0 * width))[known]
        slope, rest = slope - slope.mean(), rest - rest.mean()
        square = float(slope @ slope)
        if square <= 0.0:
            break
        # A later time of this motion is what the other shows: the clock has to gain.
        gain = float(np.clip(slope @ rest / square, -step, step))
        offset += gain
        deviation = float(np.sqrt(rest @ rest / len(rest) / square))
        if abs(gain) < 1e-9 * (1.0 + abs(offset)):
            break
    return float(offset), deviation


# --- turns


@dataclass(frozen=True)
class Turns:
    """Constant turns that lay one motion on another: p_other = space p body."""

    space: np.ndarray
    """(4,)"""
    body: np.ndarray
    """(4,)"""
    residual: float
    """Root mean square of the turns that are left over [rad]."""
    sure: bool
    """Whether the motion tells them: a turn of the body shows only where it turns about two axes or more."""

    def of(self, p: np.ndarray) -> np.ndarray:
        """p (n, 4), turned."""
        return multiply(multiply(self.space, p), self.body)

    @property
    def sentence(self) -> Phrase:
        left = np.degrees(self.residual)
        said = phrase(
            "space turned by {space:.2f} deg and the body by {body:.2f} deg; {left:.2g} deg is left over",
            space=np.degrees(_angle(self.space)), body=np.degrees(_angle(self.body)), left=left,
        )  # fmt: skip
        if self.residual > _FAR:
            said = phrase(
                "{said}, more than noise: see whether both are of the same motion at the same times",
                said=said,
            )
        if self.sure:
            return said
        return phrase(
            "{said}; the body turns about one axis only, so that a turn about it may belong to space or to the body",
            said=said,
        )


def _angle(p: np.ndarray) -> float:
    return float(relative_angle(p, np.array([1.0, 0.0, 0.0, 0.0])))


def turn_between(p: np.ndarray, other: np.ndarray, side: str = "space") -> Turns:
    """The constant turn of "space", the "body" or "both" that brings attitudes p (n, 4) nearest to others (n, 4) of the same times.

    On one side it is the mean of the quaternions that lead from the one to the other (Markley and others 2007, Davenport's
    eigenvector). On both, turns from row to row have the same angles in both motions and axes that the turn of the body
    carries over (as of a hand and an eye); then each side in turn.

    >>> p = np.eye(4)  # four attitudes
    >>> turn_between(p, multiply(np.array([0.5, 0.5, 0.5, 0.5]), p)).space.round(12).tolist()
    [0.5, 0.5, 0.5, 0.5]
    """
    if side not in ("space", "body", "both"):
        raise InputError(
            "side", expected='"space", "body" or "both"', found=repr(side), remedy="say what may be turned", topic=TOPIC
        )  # fmt: skip
    good = np.isfinite(p).all(axis=1) & np.isfinite(other).all(axis=1)
    if not good.any():
        raise InputError(
            "p", expected="times at which both attitudes are known", found="none", remedy="align the clocks first", topic=TOPIC
        )  # fmt: skip
    one, two = p[good], other[good]
    here = np.array([1.0, 0.0, 0.0, 0.0])
    space, body, sure = here, here, True
    if side == "space":
        space = mean_turn(multiply(two, conjugate(one)))
    elif side == "body":
        body = mean_turn(multiply(conjugate(one), two))
    else:
        body, sure = _carried(one, two)
        for _ in range(20):
            space = mean_turn(multiply(two, conjugate(multiply(one, body))))
            body = mean_turn(multiply(conjugate(multiply(space, one)), two))
    left = relative_angle(multiply(multiply(space, one), body), two)
    return Turns(space, body, float(np.sqrt(np.mean(left**2))), sure)


def mean_turn(p: np.ndarray) -> np.ndarray:
    """The mean (4,) of turns p (n, 4), whatever their signs, with e0 >= 0: the eigenvector of sum p p^T."""
    _, vectors = np.linalg.eigh(p.T @ p)
    found = vectors[:, -1]
    return -found if found[0] < 0.0 else found


def _carried(one: np.ndarray, two: np.ndarray) -> tuple[np.ndarray, bool]:
    """The turn of the body (4,) that carries turns of the one motion over to the other's, and whether they tell it."""
    angles = relative_angle(one[:1], one)
    lag = max(1, int(np.searchsorted(np.maximum.accumulate(angles), 0.5)))
    lag = min(lag, max(1, len(one) // 2))
    ours, theirs = (
        to_rotation_vector(multiply(conjugate(each[:-lag]), each[lag:]))
        if len(each) > lag
        else np.zeros((1, 3))
        for each in (one, two)
    )
    found, sure = turn_of_vectors(theirs, ours)
    return found, sure


def turn_of_vectors(v: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, bool]:
    """p (4,) for which A(p) v is nearest to w, (n, 3) both, any unit: Wahba's problem, by singular values; and whether the vectors
    point in more than one direction, without which a turn about that is anything.

    >>> p, sure = turn_of_vectors(np.eye(3), np.eye(3)[[1, 2, 0]])
    >>> p.round(12).tolist(), sure  # a third of a turn about the diagonal, which takes 1 to 2, 2 to 3
    ([0.5, 0.5, 0.5, 0.5], True)
    """
    left, sizes, right = np.linalg.svd(w.T @ v)
    flip = np.diag([1.0, 1.0, np.sign(np.linalg.det(left @ right))])
    return from_matrix(left @ flip @ right), bool(np.sqrt(sizes[1]) > _IDLE * np.sqrt(sizes[0]))


# --- the stretch that counts


@dataclass(frozen=True)
class Stretch:
    """Rows of a free flight, and by what it was found."""

    rows: slice
    start: float
    """[s]"""
    stop: float
    """[s]"""
    sentence: Phrase

    @property
    def written(self) -> tuple[float, float]:
        """Its ends as a reading has them [s]."""
        start, stop = (float(f"{end:.6g}") for end in (self.start, self.stop))
        return start, stop


def falling(t: np.ndarray, force: np.ndarray, least: float = 0.15) -> Stretch | None:
    """The longest time in which an accelerometer shows next to nothing, specific force (n, 3) [m/s^2] below half of gravity:
    `least` [s] or more; None where there is none. An accelerometer off the centre of mass shows some of a spin."""
    masked = np.where((norm(force) < _FALLING * STANDARD_GRAVITY)[:, None], force, np.nan)
    found = [part for part in stretches(t, masked) if t[part.stop - 1] - t[part.start] >= least]
    if not found:
        return None
    rows = max(found, key=lambda part: t[part.stop - 1] - t[part.start])
    rows = slice(rows.start + 1, rows.stop - 1) if rows.stop - rows.start > 10 else rows
    return _stretch(t, rows, phrase("the accelerometer shows less than half of gravity"))


def keeping(t: np.ndarray, omega: np.ndarray, inertia: np.ndarray, within: float = 0.02) -> Stretch | None:
    """The longest time in which |J omega| stays `within` a share of itself, beside its noise, for an inertia (3, 3) of any scale;
    None where nothing is known."""
    parts = [part for part in stretches(t, omega) if part.stop - part.start >= 10]
    best: slice | None = None
    for part in parts:
        size = norm(omega[part] @ inertia)
        noise = float(np.sqrt(np.mean(np.diff(size, 2) ** 2) / 6.0))
        limit = 2.0 * within * float(np.median(size)) + 6.0 * noise
        first, stop = longest_within(size, limit)
        found = slice(part.start + first, part.start + stop)
        if best is None or t[found.stop - 1] - t[found.start] > t[best.stop - 1] - t[best.start]:
            best = found
    return None if best is None else _stretch(t, best, phrase("|h| keeps its size"))


def _stretch(t: np.ndarray, rows: slice, why: Phrase) -> Stretch:
    start, stop = float(t[rows.start]), float(t[rows.stop - 1])
    return Stretch(
        rows, start, stop,
        phrase("free from {start:.4g} s to {stop:.4g} s: {why}", start=start, stop=stop, why=why),
    )  # fmt: skip
