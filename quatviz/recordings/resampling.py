"""Interpolation of recordings at any time, and reduction to few points for plots."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np

from quatviz.base.errors import Phrase, phrase
from quatviz.physics.mechanics.euler_sequences import angles_from_p
from quatviz.physics.mechanics.rotation_interpolation import interpolate_rotations
from quatviz.physics.mechanics.rotations import continuous_sign, normalize
from quatviz.physics.observables.recording import Recording
from quatviz.recordings.kinematics import differentiate_attitudes, integrate_rates
from quatviz.recordings.rotation_kernels import MIN_SPACING_RATIO

_TIME_TOLERANCE = 1e-9
"""Tolerance within which two times count as equal, both relative and absolute [s]."""
_ROWS_AT_ONCE = 2**16


def _first_known(p: np.ndarray) -> int | None:
    """Return the index of the first row of `p` (n, k) without NaN, or None. Rows are searched in blocks, since the
    first row is usually known."""
    for first in range(0, len(p), _ROWS_AT_ONCE):
        known = np.isfinite(p[first : first + _ROWS_AT_ONCE]).all(axis=1)
        if known.any():
            return first + int(np.argmax(known))
    return None


@dataclass(frozen=True)
class Track:
    """Attitude and angular velocity of a recording. If only one of them is recorded, the other is computed from it.

    `t` (n,) is in [s]; `p` (n, 4) is scalar first, body to space, with continuous signs; `omega` (n, 3) is in
    [rad/s, body]. `is_connected` (n - 1,) is True if the motion between a sample and the next is known. `remarks`
    describe how missing quantities were computed.
    """

    t: np.ndarray
    p: np.ndarray
    omega: np.ndarray
    is_connected: np.ndarray
    remarks: tuple[Phrase, ...] = ()

    @classmethod
    def from_recording(cls, recording: Recording, start: np.ndarray | None = None) -> Self:
        """Return the track of a recording.

        If rates are missing, the attitudes are differentiated. If attitudes are missing, the rates are integrated from the
        attitude `start` (4,), by default the identity.
        """
        t, p, omega, remarks = recording.t, recording.p, recording.omega, []
        if p is None:
            first = int(np.argmax(recording.is_known))
            integrated = integrate_rates(
                t, omega, np.array([1.0, 0.0, 0.0, 0.0]) if start is None else normalize(start), first
            )
            p = continuous_sign(integrated.p)
            remarks.append(phrase(integrated.sentence))
        elif omega is None:
            rates = differentiate_attitudes(t, p)
            omega = rates.omega
            remarks.append(phrase(rates.sentence))
        known = np.isfinite(p).all(axis=1)
        return cls(t, p, omega, recording.is_connected & known[1:] & known[:-1], tuple(remarks))

    @cached_property
    def last_known_time(self) -> float:
        """Time [s] of the last sample with known attitude. It is cached, because a lane needs it for every block of samples."""
        row = _first_known(self.p[::-1])
        return -np.inf if row is None else float(self.t[::-1][row])

    @cached_property
    def first_known_row(self) -> int | None:
        """Index of the first sample with known attitude, or None."""
        return _first_known(self.p)

    def at(self, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return p (m, 4) and omega (m, 3) [rad/s, body] at increasing `times` (m,) [s], with NaN in gaps and
        outside the recording.

        At the time of a sample, the sample itself is returned. Between connected samples, the attitude follows the
        cubic on the rotation group with the attitudes and rates of both samples, which is of fourth order. If rates
        are missing, the rotation is steady. Rates follow the cubic through four neighboring samples.
        """
        p, omega = np.full((len(times), 4), np.nan), np.full((len(times), 3), np.nan)
        for first in range(0, len(times), _ROWS_AT_ONCE):
            rows = slice(first, first + _ROWS_AT_ONCE)
            self._fill(times[rows], p[rows], omega[rows])
        return p, omega

    def _fill(self, times: np.ndarray, p: np.ndarray, omega: np.ndarray) -> None:
        slack = _TIME_TOLERANCE * (1.0 + np.abs(times))
        before = np.searchsorted(self.t, times + slack, "right") - 1
        is_at_sample = (before >= 0) & (times - self.t[np.maximum(before, 0)] <= slack)
        p[is_at_sample], omega[is_at_sample] = self.p[before[is_at_sample]], self.omega[before[is_at_sample]]
        is_between = ~is_at_sample & (before >= 0) & (before < len(self.t) - 1)
        is_between[is_between] = self.is_connected[before[is_between]]
        if is_between.any():
            p[is_between], omega[is_between] = self._interpolate(times[is_between], before[is_between])

    def _interpolate(self, times: np.ndarray, low: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return p (m, 4) and omega (m, 3) at `times` (m,) between the samples `low` (m,) and the following ones."""
        duration = self.t[low + 1] - self.t[low]
        ends = self.p[low], self.p[low + 1], self.omega[low], self.omega[low + 1]
        p = interpolate_rotations(*ends, duration, (times - self.t[low]) / duration)
        return p, interpolate_samples(self.t, self.omega, self.is_connected, times, low)


def interpolate_samples(
    t: np.ndarray, values: np.ndarray, is_connected: np.ndarray, times: np.ndarray, low: np.ndarray
) -> np.ndarray:
    """Interpolate samples at `times`. Return values (m, k) of the cubic through four connected samples, or of a
    straight line if there are fewer or their spacing is too uneven.

    Parameters
    ----------
    t, values
        Times (n,) [s] and values (n, k) of the samples.
    is_connected
        Mask (n - 1,), True if the values are smooth from a sample to the next.
    times
        Times (m,) [s].
    low
        Index (m,) of the sample before each time, at most n - 2.
    """
    u = (times - t[low])[:, None] / (t[low + 1] - t[low])[:, None]
    result = (1.0 - u) * values[low] + u * values[low + 1]
    is_open = np.ones(len(low), dtype=bool)
    for first in (low - 1, low, low - 2):
        rows = np.flatnonzero(is_open & (first >= 0) & (first + 3 < len(t)))
        steps = first[rows][:, None] + np.arange(3)
        spacings = t[steps + 1] - t[steps]
        rows = rows[
            is_connected[steps].all(axis=1)
            & (spacings.min(axis=1) > MIN_SPACING_RATIO * spacings.max(axis=1))
        ]
        cubic = _cubic_values(t, values, times[rows], first[rows])
        is_finite = np.isfinite(cubic).all(axis=1)
        result[rows[is_finite]] = cubic[is_finite]
        is_open[rows[is_finite]] = False
    return result


def _cubic_values(t: np.ndarray, values: np.ndarray, times: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Interpolate `values` (n, k), sampled at `t` (n,), and return the values (m, k) at `times` (m,).

    Each time uses the cubic through four rows, the first of which is its row in `first` (m,).
    """
    nodes = first[:, None] + np.arange(4)
    x = times[:, None] - t[nodes]
    result = np.zeros((len(times), values.shape[1]))
    for i in range(4):
        others = [j for j in range(4) if j != i]
        weight = np.prod(x[:, others] / (t[nodes[:, [i]]] - t[nodes[:, others]]), axis=1)
        result += weight[:, None] * values[nodes[:, i]]
    return result


PARAMETERS = "p"
"""Value that selects Euler parameters for a plot of the attitude; all other values are Euler sequences such
as "321"."""
_MAX_BUCKETS = 900
_BLOCK_ROWS = 64
"""Number of rows of a long series that are summarized by one block, which stores their minimum and maximum."""
_MAX_ANGLE_ROWS = 200_000
"""Largest number of rows for which angles are computed. From longer series, every k-th row is used."""


class PlotSeries(NamedTuple):
    """Data of one plot.

    `t` (n,) are times [s] in the file, and `values` (n, k) the values. `is_connected` (n - 1,) is True where a line connects
    a row to the next. `blocks` contains the extremes of each block of `_BLOCK_ROWS` rows of a long series; overviews are
    drawn from them.
    """

    t: np.ndarray
    values: np.ndarray
    is_connected: np.ndarray
    blocks: "PlotSeries | None" = None

    @classmethod
    def connected(cls, t: np.ndarray, values: np.ndarray) -> "PlotSeries":
        """Return a series of values (n, k) at times (n,) [s] without gaps."""
        return cls(t, values, np.ones(max(len(t) - 1, 0), dtype=bool)).with_blocks()

    def with_blocks(self) -> "PlotSeries":
        """Return the series with the extremes of its blocks. For a million rows, computing them takes a noticeable time."""
        starts = np.union1d(np.arange(0, len(self.t), _BLOCK_ROWS), np.flatnonzero(~self.is_connected) + 1)
        is_long = len(self.t) > max(2 * _BLOCK_ROWS * _MAX_BUCKETS, 8 * len(starts))
        return self._replace(blocks=_block_extremes(self, starts) if is_long else None)

    def clip(self, low: float, high: float) -> "PlotSeries":
        """Return the part from `low` to `high` [s] and one more row on each side."""
        first = max(int(np.searchsorted(self.t, low)) - 1, 0)
        last = min(int(np.searchsorted(self.t, high, "right")) + 1, len(self.t))
        return PlotSeries(
            self.t[first:last], self.values[first:last], self.is_connected[first : max(last - 1, first)]
        )


def decimate(
    series: PlotSeries, low: float, high: float, buckets: int = _MAX_BUCKETS
) -> tuple[np.ndarray, np.ndarray]:
    """Return times and values of a series from `low` to `high` [s], reduced to a number of points that fits a
    screen.

    Short series keep all rows. Long series are reduced to the minimum and maximum in each of `buckets` parts of the
    time range. A row of NaN marks each gap.

    >>> t = np.array([0.0, 1.0, 2.0])
    >>> decimate(PlotSeries(t, t[:, None], np.array([True, False])), 0.0, 2.0)[0].tolist()
    [0.0, 1.0, 2.0, 2.0]
    """
    visible = series.clip(low, high)
    if series.blocks is not None and len(visible.t) > 2 * _BLOCK_ROWS * buckets:
        visible = series.blocks.clip(low, high)
    if len(visible.t) > 2 * buckets:
        times = np.linspace(visible.t[0], visible.t[-1], buckets + 1)[:-1]
        visible = _block_extremes(visible, np.unique(np.searchsorted(visible.t, times)))
    gaps = np.flatnonzero(~visible.is_connected) + 1
    return np.insert(visible.t, gaps, visible.t[gaps]), np.insert(visible.values, gaps, np.nan, axis=0)


def _block_extremes(series: PlotSeries, starts: np.ndarray) -> PlotSeries:
    """Return minimum and maximum of each part of a series; the parts begin at the rows `starts` (m,). Both values
    are at the time of the first row of the part."""
    broken = np.concatenate(([0], np.cumsum(~series.is_connected)))
    is_connected = np.repeat(True, 2 * len(starts) - 1)
    is_connected[1::2] = broken[starts[1:]] == broken[starts[1:] - 1]
    limits = [extreme.reduceat(series.values, starts) for extreme in (np.fmin, np.fmax)]
    values = np.stack(limits, axis=1).reshape(-1, series.values.shape[1])
    return PlotSeries(np.repeat(series.t[starts], 2), values, is_connected)


def attitude_series(track: Track, shift: float, sequence: str) -> PlotSeries:
    """Return the attitude for a plot, with times shifted by `shift` [s]. The values are Euler parameters, or angles
    [deg] with gaps at jumps of a full turn."""
    t = track.t + shift
    if sequence == PARAMETERS:
        return PlotSeries(t, track.p, track.is_connected).with_blocks()
    every = max(1, -(-len(t) // _MAX_ANGLE_ROWS))
    with np.errstate(invalid="ignore"):
        angles = np.degrees(angles_from_p(track.p[::every], sequence))
        is_jump = (np.abs(np.diff(angles, axis=0)) > 180.0).any(axis=1)
    broken = np.concatenate(([0], np.cumsum(~track.is_connected)))[::every]
    return PlotSeries(t[::every], angles, (np.diff(broken) == 0) & ~is_jump).with_blocks()
