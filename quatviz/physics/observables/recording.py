"""Recordings: motions that were measured or computed elsewhere, as times with attitudes, angular velocities or both."""

import hashlib
from collections.abc import Iterable
from copy import copy
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from quatviz.base.array_equality import ArrayEquality
from quatviz.base.deprecation import FormerName
from quatviz.base.errors import InputError, Phrase, phrase, plural_phrase
from quatviz.base.parameters import MAX_MAGNITUDE, quote_value
from quatviz.physics.mechanics.rotations import (
    conjugate,
    continuous_sign,
    multiply,
    rotate_back,
    to_rotation_vector,
)

TOPIC = "recordings#what-is-left-out"
MAX_TURN_BETWEEN_SAMPLES = 0.5 * np.pi
"""Largest rotation [rad] between two samples at which the motion between them counts as known."""
_GAP_FACTOR = 2.5
"""Distance of two samples, in units of the usual distance, above which the interval between them counts as a
gap. With 2.5, two lost samples make a gap; a single lost or late sample does not.
"""
_NORM_TOLERANCE = 1e-3
"""Deviation of a quaternion's length from 1 that is attributed to the limited number of digits in the file."""
_NORM_OUTLIER = 0.1
"""Relative deviation of a quaternion's length from the median length of the recording above which the
quaternion counts as damaged.
"""


_RESTART_FRACTION = 0.05
"""Limit that distinguishes a restart of the clock from a single wrong time.

A time that decreases starts a new measurement if its distance from the start of the current measurement is
below this fraction of the duration of that measurement.
"""
_MIN_RUN_ROWS = 5
"""Smallest number of rows that count as a separate measurement, in a table that contains several measurements."""
_MIN_BACKWARD_SHARE = 0.9
"""Fraction of time steps that decrease above which the rows count as ordered from the newest to the oldest."""
_MAX_DROPPED_SHARE = 0.5
"""Largest fraction of rows that may be omitted because their time decreases. With a larger fraction, the recording is
refused."""
_MAX_FAST_SHARE = 0.2
"""Fraction of sample intervals with more than a quarter turn, above which a remark asks the user to check the
units."""
_MIN_RATED_ROWS = 20
"""Number of rows above which a remark may say that the rates are too fast for the sample interval. A shorter table
may contain only a few selected times of a motion."""
_BLOCK_STEPS = 10
"""Number of steps whose rotations are summed before attitudes and rates are compared.

The noise of the attitudes cancels in the sum.
"""
_MAX_COMPARED_STEPS = 20_000
_MAX_DISAGREEMENT = 0.3
"""Largest difference between the given rates and the rates of the attitudes, as a fraction of the larger of
the two, that counts as agreement. Steps of up to a quarter turn can explain such a difference.
"""
_MAX_RUNS = 1000
"""Largest number of decreases of time in a table at which they are examined for restarts of the clock. A table with
more decreases is treated as disordered."""


@dataclass(frozen=True, eq=False)
class Recording(ArrayEquality):
    """A recorded motion: ascending times and, for each, attitude, angular velocity or both.

    `t` (n,) [s] ascends. `p` (n, 4) are unit Euler parameters, scalar first, body to space; `omega`
    (n, 3) [rad/s, body] are angular velocities. A row is NaN where it is unknown. Unusable rows are removed or set to
    NaN, and `remarks` counts them.

    The motion between two samples is unknown if they are farther apart than `gap` [s], by default two and a half times
    the usual distance, or differ by more than a quarter turn: the recording has a gap there. `InputError` is raised for
    arrays of other shapes, and if no row is left.

    A script shows a recording by `qv.Lane("recording", recording=recording)`, a preset by `recording = "throw.csv"` in
    a lane.

    >>> import numpy as np
    >>> t = np.array([0.0, 0.1, 0.05, 0.2, 0.3])  # the third runs back
    >>> recording = Recording(t, omega=np.tile([0.0, 0.0, 2.0], (5, 1)))
    >>> recording.t.tolist(), [str(remark) for remark in recording.remarks]
    ([0.0, 0.1, 0.2, 0.3], ['1 row with an earlier time than the row before was left out'])
    """

    t: Any = field(compare=False)
    _: KW_ONLY
    p: Any = field(default=None, compare=False)
    omega: Any = field(default=None, compare=False)
    gap: float | None = None
    source: str = ""
    remarks: tuple[str, ...] = field(default=(), compare=False)
    digest: str = field(init=False, repr=False, default="")
    """Hash of all numbers. Recordings with equal hashes are equal."""

    def __post_init__(self) -> None:
        t, p, omega, remarks = _clean(
            _checked_array(self.t, "t", 0),
            None if self.p is None else _checked_array(self.p, "p", 4),
            None if self.omega is None else _checked_array(self.omega, "omega", 3),
        )
        if self.gap is not None and not self.gap > 0.0:
            raise _refusal("gap", "a time above 0 [s]", quote_value(self.gap))
        hashed = hashlib.sha256()
        for name, values in (("t", t), ("p", p), ("omega", omega)):
            if values is not None:
                values.flags.writeable = False
                hashed.update(name.encode())
                hashed.update(np.ascontiguousarray(values).data)
            object.__setattr__(self, name, values)
        object.__setattr__(self, "remarks", (*self.remarks, *remarks))
        object.__setattr__(self, "digest", hashed.hexdigest())

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        contents = ", ".join(name for name in ("p", "omega") if getattr(self, name) is not None)
        return f"<recording of {contents}: {len(self)} samples, {self.t[0]:g} s to {self.t[-1]:g} s, {len(self.gaps)} gaps>"

    @cached_property
    def interval(self) -> float:
        """Usual distance of two samples [s]: the median."""
        return float(np.median(np.diff(self.t))) if len(self.t) > 1 else 0.0

    @cached_property
    def is_known(self) -> np.ndarray:
        """Mask (n,) of the samples at which attitude or angular velocity is known."""
        known = np.zeros(len(self.t), dtype=bool)
        for values in (self.p, self.omega):
            if values is not None:
                known |= np.isfinite(values).all(axis=1)
        return known

    @cached_property
    def is_connected(self) -> np.ndarray:
        """Mask (n - 1,) of the intervals between samples in which the motion is known."""
        distance = np.diff(self.t)
        limit = _GAP_FACTOR * self.interval if self.gap is None else self.gap
        connected = (distance <= limit * (1.0 + 1e-9)) & self.is_known[1:] & self.is_known[:-1]
        with np.errstate(invalid="ignore"):
            if self.p is not None:
                # The product of unit quaternions is the cosine of half the rotation angle, ten times as fast as the angle.
                near = np.abs(np.einsum("ni,ni->n", self.p[:-1], self.p[1:]))
                connected &= ~(near < np.cos(0.5 * MAX_TURN_BETWEEN_SAMPLES))
            if self.omega is not None:
                speed = np.linalg.norm(self.omega, axis=1)
                connected &= ~(np.fmax(speed[:-1], speed[1:]) * distance > MAX_TURN_BETWEEN_SAMPLES)
        return connected

    @cached_property
    def gaps(self) -> np.ndarray:
        """Limits (m, 2) [s] of the gaps: the times of the last known sample before each gap and of the first known
        sample after it."""
        known = np.flatnonzero(self.is_known)
        if len(known) < 2:
            return np.empty((0, 2))
        broken = np.concatenate(([0], np.cumsum(~self.is_connected)))
        apart = broken[known[1:]] > broken[known[:-1]]
        return np.stack((self.t[known[:-1][apart]], self.t[known[1:][apart]]), axis=1)

    def with_remarks(self, remarks: Iterable[Phrase]) -> "Recording":
        """Return the recording with additional remarks."""
        other = copy(self)
        object.__setattr__(other, "remarks", (*self.remarks, *remarks))
        return other

    known = FormerName("known", "is_known")
    bridged = FormerName("bridged", "is_connected")


NEWEST_FIRST_REMARK = phrase("the newest row comes first: the rows are read from the last to the first")
"""Remark on a recording whose times decrease."""


def runs_backwards(t: np.ndarray) -> bool:
    """Return True if nearly all times (n,) decrease, that is, if the newest row comes first."""
    return len(t) > 2 and bool((np.diff(t) < 0.0).mean() > _MIN_BACKWARD_SHARE)


def find_restarts(t: np.ndarray) -> np.ndarray:
    """Return the rows (m,) at which times (n,) restart, as in a table to which a program has appended a new measurement.

    A decrease of the time is a restart if the time returns close to the start of the current measurement and more
    than a single row follows.

    >>> find_restarts(np.concatenate([np.arange(50.0), np.arange(30.0)])).tolist()
    [50]
    """
    rows = np.flatnonzero(np.isfinite(t))
    times = t[rows]
    drops = np.flatnonzero(np.diff(times) < 0.0) + 1
    if len(drops) > _MAX_RUNS:
        return rows[:0]
    restarts, first = [], 0
    for drop in drops.tolist():
        if drop - first < _MIN_RUN_ROWS or len(times) - drop < _MIN_RUN_ROWS:
            continue
        # A single outlier, ahead or back, is no restart.
        before, after = times[drop - 2 : drop].min(), times[drop : drop + 2].max()
        if after - times[first] <= _RESTART_FRACTION * (before - times[first]):
            restarts.append(drop)
            first = drop
    return rows[restarts]


def longest_run(t: np.ndarray) -> tuple[np.ndarray, list[Phrase]]:
    """Keep only the longest contiguous measurement if the times (n,) restart, and return its mask (n,) and a
    remark. Otherwise the mask contains all rows, and there is no remark.
    """
    restarts = find_restarts(t)
    if not len(restarts):
        return np.ones(len(t), dtype=bool), []
    ends = np.concatenate([[0], restarts, [len(t)]])
    best = int(np.argmax(np.diff(ends)))
    keep_mask = np.zeros(len(t), dtype=bool)
    keep_mask[ends[best] : ends[best + 1]] = True
    remark = plural_phrase(
        len(restarts),
        "the time restarts after an unknown pause: the longest run is read, and the other run, of {rows} rows, is left out",
        "the time restarts {count} times after unknown pauses: the longest run is read, and the other runs, of {rows} rows, "
        "are left out",
        rows=int((~keep_mask).sum()),
    )  # fmt: skip
    return keep_mask, [remark]


def _checked_array(values: ArrayLike, name: str, width: int) -> np.ndarray:
    """Return a copy as a float array (n,), or (n, width) for a nonzero width, with excessively large values replaced by
    NaN."""
    expected = (
        phrase("numbers of the shape (n, {width})", width=width)
        if width
        else phrase("numbers of the shape (n,)")
    )
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise _refusal(name, expected, quote_value(values)) from None
    if array.ndim != (2 if width else 1) or (width and array.shape[1] != width):
        raise _refusal(name, expected, phrase("the shape {shape}", shape=array.shape))
    # Larger values are no measurements, and their squares overflow.
    array[~(np.abs(array) < MAX_MAGNITUDE)] = np.nan
    return array


def _clean(
    t: np.ndarray, p: np.ndarray | None, omega: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray | None, np.ndarray | None, list[Phrase]]:
    """Return ascending times, unit quaternions, angular velocities, and remarks on what was left out or changed."""
    if p is None and omega is None:
        raise _refusal("p", "attitudes p, angular velocities omega, or both", "neither")
    for name, values in (("p", p), ("omega", omega)):
        if values is not None and len(values) != len(t):
            raise _refusal(name, phrase("as many rows as times, {count}", count=len(t)), f"{len(values)}")
    remarks: list[Phrase] = []
    if runs_backwards(t[np.isfinite(t)]):
        t, p, omega = t[::-1], None if p is None else p[::-1], None if omega is None else omega[::-1]
        remarks.append(NEWEST_FIRST_REMARK)
    keep_mask = _rising_rows(t, remarks)
    # Select rows only if some are left out, since copying a million rows takes time.
    if not keep_mask.all():
        t, p, omega = t[keep_mask], _select_rows(p, keep_mask), _select_rows(omega, keep_mask)
    if omega is not None:
        omega = _mask_incomplete(omega, remarks)
    if p is not None:
        p = _normalize_quaternions(p, remarks)
    t, p, omega = _drop_repeated_times(t, p, omega, remarks)
    _mask_spikes(t, p, omega, remarks)
    arrays = [values for values in (p, omega) if values is not None]
    if not len(t) or all(np.isnan(values).any(axis=1).all() for values in arrays):
        remark_text = "; ".join(remarks) or phrase("none")
        raise _refusal("t", "rows with a time, and an attitude or an angular velocity", remark_text)
    p = None if p is None else continuous_sign(p)
    t, omega = np.ascontiguousarray(t), None if omega is None else np.ascontiguousarray(omega)
    remarks += _plausibility_remarks(t, p, omega)
    return t, p, omega, remarks


def _plausibility_remarks(t: np.ndarray, p: np.ndarray | None, omega: np.ndarray | None) -> list[Phrase]:
    """Return remarks on rates that are too fast for the sample interval, and on attitudes and rates that contradict
    each other."""
    remarks: list[Phrase] = []
    if omega is not None and p is None and len(t) > _MIN_RATED_ROWS:
        turns = np.linalg.norm(omega[:-1], axis=1) * np.diff(t)
        turns = turns[np.isfinite(turns)]
        if len(turns) and (turns > MAX_TURN_BETWEEN_SAMPLES).mean() > _MAX_FAST_SHARE:
            remarks.append(
                phrase(
                    "by the rates, the body rotates by more than 90 deg from one row to the next in {share:.0f} % of the rows: "
                    "check the units of the rates and of the times",
                    share=100.0 * float((turns > MAX_TURN_BETWEEN_SAMPLES).mean()),
                )
            )
    if p is not None and omega is not None:
        difference, speed, noise = rate_disagreement(t, p, omega)
        if difference > max(_MAX_DISAGREEMENT * speed, 3.0 * noise):
            statement = phrase(
                "attitudes and rates contradict each other: the recorded angular velocity and that computed from the attitudes "
                "differ by {difference:.2g} rad/s (median); the larger of the two is {speed:.2g} rad/s",
                difference=difference, speed=speed,
            )  # fmt: skip
            reason = _contradiction_reason(t, p, omega)
            remarks.append(
                phrase("{statement}; {reason}", statement=statement, reason=reason) if reason else statement
            )
    return remarks


def rate_disagreement(t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> tuple[float, float, float]:
    """Compare the rates that follow from the attitudes with the given rates.

    Parameters
    ----------
    t, p, omega
        Ascending times (n,) [s], attitudes (n, 4), body to space, and angular velocities (n, 3) [rad/s, body]; NaN
        where unknown.

    Returns
    -------
    tuple of float
        Median length of the difference, the larger median length of the two rates, and the difference that the noise of
        the given rates can explain, all in rad/s. All three are 0 if no rows can be compared.
    """
    count = min(len(t) - 1, _MAX_COMPARED_STEPS) // _BLOCK_STEPS * _BLOCK_STEPS
    if count < 1:
        return 0.0, 0.0, 0.0
    pieces = np.linspace(0, len(t) - 1 - count // (count // _BLOCK_STEPS), count // _BLOCK_STEPS).astype(int)
    rows = pieces[:, None] + np.arange(_BLOCK_STEPS)
    steps = t[rows + 1] - t[rows]
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        turn = to_rotation_vector(multiply(conjugate(p[rows]), p[rows + 1]))
        angle = np.linalg.norm(turn, axis=2)
        given = 0.5 * (omega[rows] + omega[rows + 1]) * steps[..., None]
        is_compared = (angle < MAX_TURN_BETWEEN_SAMPLES) & (steps <= _GAP_FACTOR * np.median(np.diff(t)))
        is_compared &= np.isfinite(given).all(axis=2)
        duration = np.where(is_compared, steps, 0.0).sum(axis=1)
        by_attitude, by_rates = (
            np.where(is_compared[..., None], values, 0.0).sum(axis=1) / duration[:, None]
            for values in (turn, given)
        )
        jitter = np.linalg.norm(np.diff(omega[rows], 2, axis=1), axis=2) / np.sqrt(6.0 * _BLOCK_STEPS)
    used = (duration > 0.0) & is_compared.any(axis=1)
    if not used.any():
        return 0.0, 0.0, 0.0
    with np.errstate(over="ignore", invalid="ignore"):  # steps of 1e-300 s give rates whose squares overflow
        difference = float(np.median(np.linalg.norm(by_attitude - by_rates, axis=1)[used]))
        speeds = [
            float(np.median(np.linalg.norm(values, axis=1)[used])) for values in (by_attitude, by_rates)
        ]
    jitter = jitter[np.isfinite(jitter)]
    return difference, max(speeds), float(np.median(jitter)) if len(jitter) else 0.0


def _contradiction_reason(t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> Phrase | None:
    """Return a phrase that says which other convention would make attitudes and rates agree, or None."""
    rolled = np.roll(p, 1, axis=1)
    trials = (
        (rolled, omega, phrase("attitudes and rates agree if the quaternions are scalar last")),
        (conjugate(p), omega, phrase("attitudes and rates agree if the attitudes map space to body")),
        (p, np.radians(omega), phrase("attitudes and rates agree if the rates are in deg/s")),
        (p, np.degrees(omega), phrase("attitudes and rates agree if the rates are divided by 180/pi")),
        (p, rotate_back(p, omega), phrase("attitudes and rates agree if the rates are in space axes")),
        (
            rolled,
            np.radians(omega),
            phrase("attitudes and rates agree if the quaternions are scalar last and the rates are in deg/s"),
        ),
    )
    for attitudes, rates, reason in trials:
        difference, speed, _ = rate_disagreement(t, attitudes, rates)
        if speed > 0.0 and difference < 0.05 * speed:
            return reason
    first = p[np.argmax(np.isfinite(p).all(axis=1))]
    return phrase("the attitude is constant") if np.nanmin(np.abs(p @ first)) > 1.0 - 1e-9 else None


def _rising_rows(t: np.ndarray, remarks: list[Phrase]) -> np.ndarray:
    """Return a mask (n,) of rows whose times ascend, and append remarks on the other rows to `remarks`.

    There are two ways to make the times ascend: to remove a time that jumps ahead, or to remove the rows after it
    whose times are smaller. The way that keeps more rows is chosen.
    """
    finite = np.isfinite(t)
    if not finite.all():
        remarks.append(
            plural_phrase(
                int((~finite).sum()),
                "{count} row without a valid time was left out",
                "{count} rows without a valid time were left out",
            )
        )
    is_in_run, run_remarks = longest_run(t)
    remarks += run_remarks
    finite &= is_in_run
    times = t[finite]
    if len(times) < 2 or (np.diff(times) >= 0.0).all():
        return finite
    is_not_below = times >= np.maximum.accumulate(times)
    is_not_above = times <= np.minimum.accumulate(times[::-1])[::-1]
    rising = is_not_below if is_not_below.sum() >= is_not_above.sum() else is_not_above
    if (~rising).mean() > _MAX_DROPPED_SHARE:
        raise _refusal(
            "t", "times that rise from row to row",
            phrase("{count} of {total} rows whose time is earlier than in the row before",
                   count=int((~rising).sum()), total=len(times)),
        )  # fmt: skip
    remarks.append(
        plural_phrase(
            int((~rising).sum()),
            "{count} row with an earlier time than the row before was left out",
            "{count} rows with an earlier time than the row before were left out",
        )
    )
    keep_mask = finite.copy()
    keep_mask[finite] = rising
    return keep_mask


def _mask_incomplete(omega: np.ndarray, remarks: list[Phrase]) -> np.ndarray:
    """Set rows (3,) of `omega` to NaN if any of their components is not a number, and append a remark on
    them.
    """
    is_bad = ~np.isfinite(omega).all(axis=1)
    if is_bad.any():
        omega[is_bad] = np.nan
        remarks.append(
            plural_phrase(
                int(is_bad.sum()),
                "{count} row without an angular velocity is a gap",
                "{count} rows without an angular velocity are gaps",
            )
        )
    return omega


def _normalize_quaternions(p: np.ndarray, remarks: list[Phrase]) -> np.ndarray:
    """Normalize quaternions (n, 4).

    Rows that are incomplete, or whose length is unusual, become NaN, and remarks are appended.
    """
    lengths = np.sqrt(np.einsum("ni,ni->n", p, p))
    is_present = np.isfinite(lengths)
    if not is_present.all():
        remarks.append(
            plural_phrase(
                int((~is_present).sum()),
                "{count} row without an attitude is a gap",
                "{count} rows without an attitude are gaps",
            )
        )
    is_present &= lengths > 0.0
    typical = float(np.median(lengths[is_present])) if is_present.any() else 1.0
    is_outlier = is_present & (np.abs(lengths - typical) > _NORM_OUTLIER * typical)
    zero_count = int((lengths == 0.0).sum())
    if zero_count:
        remarks.append(
            plural_phrase(
                zero_count,
                "{count} quaternion of length 0 is a gap",
                "{count} quaternions of length 0 are gaps",
            )
        )
    if is_outlier.any():
        worst = float(lengths[is_outlier][np.argmax(np.abs(np.log(lengths[is_outlier] / typical)))])
        remarks.append(
            plural_phrase(
                int(is_outlier.sum()),
                "{count} quaternion, of length {worst:.3g} instead of {usual:.3g}, is a gap",
                "{count} quaternions whose length is not {usual:.3g}, but up to {worst:.3g}, are gaps",
                usual=typical, worst=worst,
            )
        )  # fmt: skip
    is_good = is_present & ~is_outlier
    is_off_unit = is_good & (np.abs(lengths - 1.0) > _NORM_TOLERANCE)
    if is_off_unit.any():
        low, high = float(lengths[is_off_unit].min()), float(lengths[is_off_unit].max())
        length_range = phrase("{low:.3g} to {high:.3g}", low=low, high=high)
        remarks.append(
            plural_phrase(
                int(is_off_unit.sum()),
                "{count} quaternion, of length {length}, was normalized",
                "{count} quaternions, of length {length}, were normalized",
                length=length_range if f"{low:.3g}" != f"{high:.3g}" else phrase("{low:.3g}", low=low),
            )
        )
    p /= np.where(is_good, lengths, np.nan)[:, None]
    return p


def _drop_repeated_times(
    t: np.ndarray, p: np.ndarray | None, omega: np.ndarray | None, remarks: list[Phrase]
) -> tuple[np.ndarray, np.ndarray | None, np.ndarray | None]:
    """Keep the first row of each time. Rows of equal time that contradict each other become NaN."""
    repeated = np.flatnonzero(np.diff(t) == 0.0) + 1
    if not len(repeated):
        return t, p, omega
    keep_mask = np.ones(len(t), dtype=bool)
    keep_mask[repeated] = False
    first = np.flatnonzero(keep_mask)[np.cumsum(keep_mask)[repeated] - 1]
    contradicts = np.zeros(len(repeated), dtype=bool)
    if p is not None:
        contradicts |= np.abs(np.einsum("ni,ni->n", p[repeated], p[first])) < 1.0 - 1e-9
    if omega is not None:
        contradicts |= (omega[repeated] != omega[first]).any(axis=1) & ~np.isnan(omega[repeated]).all(axis=1)
    for values in (p, omega):
        if values is not None:
            values[first[contradicts]] = np.nan
    remarks.append(
        plural_phrase(
            len(repeated),
            "{count} row that repeats a time was left out",
            "{count} rows that repeat a time were left out",
        )
    )
    if contradicts.any():
        gap_count = len(np.unique(first[contradicts]))
        remarks.append(
            plural_phrase(
                gap_count,
                "{count} time at which rows contradict each other is a gap",
                "{count} times at which rows contradict each other are gaps",
            )
        )
    return t[keep_mask], _select_rows(p, keep_mask), _select_rows(omega, keep_mask)


def _mask_spikes(
    t: np.ndarray, p: np.ndarray | None, omega: np.ndarray | None, remarks: list[Phrase]
) -> None:
    """Set isolated rows to NaN that differ by more than a quarter turn from their neighbors, if the two rows
    on either side agree with each other. Such rows would spoil derivatives and integrals.
    """
    if len(t) < 5:
        return
    steps = np.diff(t)
    with np.errstate(invalid="ignore"):
        if p is not None:
            min_cosine = np.cos(0.5 * MAX_TURN_BETWEEN_SAMPLES)
            cosines = np.abs(np.einsum("ni,ni->n", p[:-1], p[1:]))
            is_far, is_near = cosines < min_cosine, cosines > min_cosine
            is_attitude_spike = (
                is_far[:-1] & is_far[1:] & (np.abs(np.einsum("ni,ni->n", p[:-2], p[2:])) > min_cosine)
            )
            is_attitude_spike &= np.concatenate([[True], is_near[:-2]]) & np.concatenate(
                [is_near[2:], [True]]
            )
            count = _mask_isolated(p, is_attitude_spike)
            if count:
                remarks.append(
                    plural_phrase(
                        count,
                        "{count} attitude, a quarter turn or more from its two neighbors, is a gap",
                        "{count} attitudes, a quarter turn or more from their two neighbors, are gaps",
                    )
                )
        if omega is not None:
            speed = np.einsum("ni,ni->n", omega, omega)
            is_rate_spike = speed[1:-1] * np.minimum(steps[:-1], steps[1:]) ** 2 > MAX_TURN_BETWEEN_SAMPLES**2
            # The neighbors must be close to each other: rows far apart are no spikes.
            is_rate_spike &= (
                np.maximum(speed[:-2], speed[2:]) * (steps[:-1] + steps[1:]) ** 2
                < MAX_TURN_BETWEEN_SAMPLES**2
            )
            count = _mask_isolated(omega, is_rate_spike)
            if count:
                remarks.append(
                    plural_phrase(
                        count,
                        "{count} rate that implies a quarter turn between rows is a gap",
                        "{count} rates that imply a quarter turn between rows are gaps",
                    )
                )


def _mask_isolated(values: np.ndarray, is_odd: np.ndarray) -> int:
    """Set isolated rows of `values` (n, k) to NaN and return their number.

    `is_odd` (n - 2,) marks the inner rows that differ from their neighbors.
    """
    is_isolated = is_odd.copy()
    is_isolated[1:] &= ~is_odd[:-1]
    is_isolated[:-1] &= ~is_odd[1:]
    values[1:-1][is_isolated] = np.nan
    return int(is_isolated.sum())


def _select_rows(values: np.ndarray | None, keep_mask: np.ndarray) -> np.ndarray | None:
    return None if values is None else values[keep_mask]


def _refusal(name: str, expected: str, found: str) -> InputError:
    return InputError(
        f"Recording.{name}",
        expected=expected,
        found=found,
        remedy="see the help on recordings",
        key=name,
        topic=TOPIC,
    )
