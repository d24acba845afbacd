"""A recording at any times: its samples as they are, a smooth way between two that are near, nothing in gaps; and few enough
points of it for a screen."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np

from quatviz.base.errors import Phrase, phrase
from quatviz.physics.mechanics.euler_sequences import angles_from_p
from quatviz.physics.mechanics.rotations import (
    conjugate,
    continuous_sign,
    from_rotation_vector,
    multiply,
    normalise,
    slerp,
    to_rotation_vector,
)
from quatviz.physics.observables.recording import Recording
from quatviz.recordings.kinematics import attitudes_of, rates_of
from quatviz.recordings.rotation_kernels import UNEVEN

_SAME = 1e-9
"""Relative, and absolute [s]: times that differ by rounding."""
_ROWS_AT_ONCE = 2**16


@dataclass(frozen=True)
class Track:
    """What a recording says of both attitude and angular velocity: what it has, and what follows from that.

    t (n,) [s]; p (n, 4), scalar first, body to space, with signs that do not jump; omega (n, 3) [rad/s, body]; `bridged` (n - 1,)
    whether the motion between each sample and the next is known; `remarks` how what was not measured was found."""

    t: np.ndarray
    p: np.ndarray
    omega: np.ndarray
    bridged: np.ndarray
    remarks: tuple[Phrase, ...] = ()

    @classmethod
    def of(cls, recording: Recording, start: np.ndarray | None = None) -> Self:
        """Rates differentiated where only attitudes are there; attitudes integrated from `start` (4,), or no turn, where only rates
        are there."""
        t, p, omega, remarks = recording.t, recording.p, recording.omega, []
        if p is None:
            first = int(np.argmax(recording.known))
            found = attitudes_of(
                t, omega, np.array([1.0, 0.0, 0.0, 0.0]) if start is None else normalise(start), first
            )
            p = continuous_sign(found.p)
            remarks.append(phrase(found.sentence))
        elif omega is None:
            rates = rates_of(t, p)
            omega = rates.omega
            remarks.append(phrase(rates.sentence))
        known = np.isfinite(p).all(axis=1)
        return cls(t, p, omega, recording.bridged & known[1:] & known[:-1], tuple(remarks))

    @cached_property
    def ends(self) -> float:
        """Time [s] of the last sample at which the attitude is known: a lane asks for each of its blocks."""
        known = np.flatnonzero(np.isfinite(self.p).all(axis=1))
        return float(self.t[known[-1]]) if len(known) else -np.inf

    def at(self, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """p (m, 4) and omega (m, 3) [rad/s, body] at times (m,) [s] that rise; NaN in gaps, before the start and after the end.

        At the time of a sample it is that sample. Between two that are bridged the attitude is the cubic on the group that has the
        attitudes and rates of both, so that its error falls with the fourth power of their distance; the rate a
        cubic through the samples around. Without a rate at either the attitude turns steadily."""
        p, omega = np.full((len(times), 4), np.nan), np.full((len(times), 3), np.nan)
        for first in range(0, len(times), _ROWS_AT_ONCE):
            rows = slice(first, first + _ROWS_AT_ONCE)
            self._fill(times[rows], p[rows], omega[rows])
        return p, omega

    def _fill(self, times: np.ndarray, p: np.ndarray, omega: np.ndarray) -> None:
        slack = _SAME * (1.0 + np.abs(times))
        before = np.searchsorted(self.t, times + slack, "right") - 1
        on = (before >= 0) & (times - self.t[np.maximum(before, 0)] <= slack)
        p[on], omega[on] = self.p[before[on]], self.omega[before[on]]
        between = ~on & (before >= 0) & (before < len(self.t) - 1)
        between[between] = self.bridged[before[between]]
        if between.any():
            p[between], omega[between] = self._between(times[between], before[between])

    def _between(self, times: np.ndarray, low: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        h = (self.t[low + 1] - self.t[low])[:, None]
        u = (times - self.t[low])[:, None] / h
        one, two = self.p[low], self.p[low + 1]
        turn = to_rotation_vector(multiply(conjugate(one), two))
        start, end = h * self.omega[low], _slope(turn, h * self.omega[low + 1])
        # Hermite's cubic in the rotation vector away from the first of the two: it has both attitudes and both rates.
        vector = u**2 * (3.0 - 2.0 * u) * turn + u * (1.0 - u) * ((1.0 - u) * start - u * end)
        p = multiply(one, from_rotation_vector(vector))
        steady = ~np.isfinite(p).all(axis=1)
        if steady.any():
            p[steady] = slerp(one[steady], two[steady], u[steady, 0])
        return p, self._rates(times, low)

    def _rates(self, times: np.ndarray, low: np.ndarray) -> np.ndarray:
        """Of the cubic through four samples, around or beside, that are bridged and not too unevenly apart; else of the line
        through two."""
        u = (times - self.t[low])[:, None] / (self.t[low + 1] - self.t[low])[:, None]
        omega = (1.0 - u) * self.omega[low] + u * self.omega[low + 1]
        left = np.ones(len(low), dtype=bool)
        for first in (low - 1, low, low - 2):
            chosen = np.flatnonzero(left & (first >= 0) & (first + 3 < len(self.t)))
            steps = first[chosen][:, None] + np.arange(3)
            apart = self.t[steps + 1] - self.t[steps]
            chosen = chosen[
                self.bridged[steps].all(axis=1) & (apart.min(axis=1) > UNEVEN * apart.max(axis=1))
            ]
            found = _cubic(self.t, self.omega, times[chosen], first[chosen])
            good = np.isfinite(found).all(axis=1)
            omega[chosen[good]] = found[good]
            left[chosen[good]] = False
        return omega


def _cubic(t: np.ndarray, values: np.ndarray, at: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Values (m, 3) at times (m,) of the cubics through four rows of (n, 3), from the row `first` (m,) on."""
    nodes = first[:, None] + np.arange(4)
    x = at[:, None] - t[nodes]
    found = np.zeros((len(at), values.shape[1]))
    for i in range(4):
        others = [j for j in range(4) if j != i]
        weight = np.prod(x[:, others] / (t[nodes[:, [i]]] - t[nodes[:, others]]), axis=1)
        found += weight[:, None] * values[nodes[:, i]]
    return found


def _slope(turn: np.ndarray, omega: np.ndarray) -> np.ndarray:
    """phi' (n, 3) of the rotation vector phi = `turn` (n, 3) where the body turns with omega (n, 3): J_r^-1 omega."""
    angle = np.linalg.norm(turn, axis=1)[:, None]
    small = angle < 1e-2
    safe = np.where(small, 1.0, angle)
    factor = np.where(small, 1.0 / 12.0 + angle**2 / 720.0, 1.0 / safe**2 - 0.5 / (safe * np.tan(0.5 * safe)))
    across = np.cross(turn, omega)
    return omega + 0.5 * across + factor * np.cross(turn, across)


PARAMETERS = "p"
"""The attitude as Euler parameters; another text is a sequence of angles."""
_BUCKETS = 900
_BLOCK = 64
"""Rows that are reduced beforehand."""
_MOST_ANGLES = 200_000
"""Rows of which angles are computed: of more, every so many."""


class Shown(NamedTuple):
    """One plot's numbers: times of the file (n,) [s], values (n, k), whether each row hangs together with the next (n - 1,), and
    where they are many the extremes of each `_BLOCK` rows without a gap, of which a sight of many is made."""

    t: np.ndarray
    values: np.ndarray
    bridged: np.ndarray
    blocks: "Shown | None" = None

    @classmethod
    def unbroken(cls, t: np.ndarray, values: np.ndarray) -> "Shown":
        """Values (n, k) at times (n,) [s], all of which hang together."""
        return cls(t, values, np.ones(max(len(t) - 1, 0), dtype=bool)).digested()

    def digested(self) -> "Shown":
        """The same with its blocks, which takes a while for a million rows."""
        starts = np.union1d(np.arange(0, len(self.t), _BLOCK), np.flatnonzero(~self.bridged) + 1)
        many = len(self.t) > max(2 * _BLOCK * _BUCKETS, 8 * len(starts))
        return self._replace(blocks=_extremes(self, starts) if many else None)

    def rows(self, low: float, high: float) -> "Shown":
        """What lies from `low` to `high` [s], and one row more on either side."""
        first = max(int(np.searchsorted(self.t, low)) - 1, 0)
        last = min(int(np.searchsorted(self.t, high, "right")) + 1, len(self.t))
        return Shown(self.t[first:last], self.values[first:last], self.bridged[first : max(last - 1, first)])


def reduced(shown: Shown, low: float, high: float, buckets: int = _BUCKETS) -> tuple[np.ndarray, np.ndarray]:
    """Few enough points for a screen of what lies from `low` to `high` [s]: all rows, or the least and the greatest of each part of
    the time, with a row of NaN wherever there is a gap.

    >>> t = np.array([0.0, 1.0, 2.0])
    >>> reduced(Shown(t, t[:, None], np.array([True, False])), 0.0, 2.0)[0].tolist()
    [0.0, 1.0, 2.0, 2.0]
    """
    seen = shown.rows(low, high)
    if shown.blocks is not None and len(seen.t) > 2 * _BLOCK * buckets:
        seen = shown.blocks.rows(low, high)
    if len(seen.t) > 2 * buckets:
        times = np.linspace(seen.t[0], seen.t[-1], buckets + 1)[:-1]
        seen = _extremes(seen, np.unique(np.searchsorted(seen.t, times)))
    holes = np.flatnonzero(~seen.bridged) + 1
    return np.insert(seen.t, holes, seen.t[holes]), np.insert(seen.values, holes, np.nan, axis=0)


def _extremes(shown: Shown, starts: np.ndarray) -> Shown:
    """The least and the greatest of each part that begins at these rows (m,): (2 m, k), both at the time of its first row."""
    broken = np.concatenate(([0], np.cumsum(~shown.bridged)))
    bridged = np.repeat(True, 2 * len(starts) - 1)
    bridged[1::2] = broken[starts[1:]] == broken[starts[1:] - 1]
    ends = [extreme.reduceat(shown.values, starts) for extreme in (np.fmin, np.fmax)]
    values = np.stack(ends, axis=1).reshape(-1, shown.values.shape[1])
    return Shown(np.repeat(shown.t[starts], 2), values, bridged)


def shown_attitude(track: Track, shift: float, sequence: str) -> Shown:
    """An attitude as it is drawn, `shift` [s] later: Euler parameters, or angles [deg], whose leaps by a turn are gaps."""
    t = track.t + shift
    if sequence == PARAMETERS:
        return Shown(t, track.p, track.bridged).digested()
    every = max(1, -(-len(t) // _MOST_ANGLES))
    with np.errstate(invalid="ignore"):
        angles = np.degrees(angles_from_p(track.p[::every], sequence))
        leaps = (np.abs(np.diff(angles, axis=0)) > 180.0).any(axis=1)
    broken = np.concatenate(([0], np.cumsum(~track.bridged)))[::every]
    return Shown(t[::every], angles, (np.diff(broken) == 0) & ~leaps).digested()
