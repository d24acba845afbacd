"""A motion from outside: times with attitudes, angular velocities or both, as somebody measured or computed them."""

import hashlib
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from quatviz.base.array_equality import ArrayEquality
from quatviz.base.errors import InputError, Phrase, counted, phrase
from quatviz.base.parameters import LARGEST, shown
from quatviz.physics.mechanics.rotations import continuous_sign

TOPIC = "recordings#what-is-left-out"
QUARTER = 0.5 * np.pi
"""A turn [rad] between two samples beyond which nobody knows what happened between them."""
_GAP = 2.5
"""Of usual distances of two samples: one that is lost makes a gap, a late one does not."""
_UNIT = 1e-3
"""By which lengths of quaternions differ from 1 where their digits are cut off."""
_NEAR = 0.1
"""By which the length of a quaternion differs from the usual one where it is damaged."""


_ANEW = 0.05
"""Of the length of a run: a time that is as near to its begin starts another."""
_RUN = 5
"""Rows in a run."""
_MOST_RUNS = 1000
"""In one table: times that run back more often are no runs."""


@dataclass(frozen=True, eq=False)
class Recording(ArrayEquality):
    """Times t (n,) [s] that rise, and at each of them p (n, 4), unit, scalar first, body to space, or omega (n, 3) [rad/s, body],
    or both; a row of NaN where one is not known. What cannot be used is left out and counted in `remarks`.

    Nothing is known between two samples farther apart than `gap` [s] (two and a half times the usual distance where none is
    given), nor
    where more than a quarter turn lies between them: there the recording has a gap. `InputError` for arrays of other shapes, and
    where no row is left.

    A lane shows it: `qv.Lane("recording", recording=recording)`; so does `recording = "throw.csv"` in a preset's lane.

    >>> import numpy as np
    >>> t = np.array([0.0, 0.1, 0.05, 0.2, 0.3])  # the third runs back
    >>> recording = Recording(t, omega=np.tile([0.0, 0.0, 2.0], (5, 1)))
    >>> recording.t.tolist(), [str(remark) for remark in recording.remarks]
    ([0.0, 0.1, 0.2, 0.3], ['1 row whose time runs back was left out'])
    """

    t: Any = field(compare=False)
    _: KW_ONLY
    p: Any = field(default=None, compare=False)
    omega: Any = field(default=None, compare=False)
    gap: float | None = None
    source: str = ""
    remarks: tuple[str, ...] = field(default=(), compare=False)
    digest: str = field(init=False, repr=False, default="")
    """Of all numbers: two recordings with the same one are equal."""

    def __post_init__(self) -> None:
        t, p, omega, found = _cleaned(
            _array(self.t, "t", 0),
            None if self.p is None else _array(self.p, "p", 4),
            None if self.omega is None else _array(self.omega, "omega", 3),
        )
        if self.gap is not None and not self.gap > 0.0:
            raise _refusal("gap", "a time above 0 [s]", shown(self.gap))
        hashed = hashlib.sha256()
        for name, values in (("t", t), ("p", p), ("omega", omega)):
            if values is not None:
                values.flags.writeable = False
                hashed.update(name.encode())
                hashed.update(np.ascontiguousarray(values).data)
            object.__setattr__(self, name, values)
        object.__setattr__(self, "remarks", (*self.remarks, *found))
        object.__setattr__(self, "digest", hashed.hexdigest())

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        has = ", ".join(name for name in ("p", "omega") if getattr(self, name) is not None)
        return f"<recording of {has}: {len(self)} samples, {self.t[0]:g} s to {self.t[-1]:g} s, {len(self.gaps)} gaps>"

    @cached_property
    def interval(self) -> float:
        """The usual distance of two samples [s]: the median."""
        return float(np.median(np.diff(self.t))) if len(self.t) > 1 else 0.0

    @cached_property
    def known(self) -> np.ndarray:
        """Whether anything is known at each sample (n,)."""
        found = np.zeros(len(self.t), dtype=bool)
        for values in (self.p, self.omega):
            if values is not None:
                found |= np.isfinite(values).all(axis=1)
        return found

    @cached_property
    def bridged(self) -> np.ndarray:
        """Whether the motion between each sample and the next is known (n - 1,)."""
        distance = np.diff(self.t)
        limit = _GAP * self.interval if self.gap is None else self.gap
        close = (distance <= limit * (1.0 + 1e-9)) & self.known[1:] & self.known[:-1]
        with np.errstate(invalid="ignore"):
            if self.p is not None:
                # Of unit quaternions it is the cosine of half the turn, which takes a tenth of the time of its angle.
                near = np.abs(np.einsum("ni,ni->n", self.p[:-1], self.p[1:]))
                close &= ~(near < np.cos(0.5 * QUARTER))
            if self.omega is not None:
                speed = np.linalg.norm(self.omega, axis=1)
                close &= ~(np.fmax(speed[:-1], speed[1:]) * distance > QUARTER)
        return close

    @cached_property
    def gaps(self) -> np.ndarray:
        """Times (m, 2) [s] between which nothing is known: of the last sample before and the first one after."""
        known = np.flatnonzero(self.known)
        if len(known) < 2:
            return np.empty((0, 2))
        broken = np.concatenate(([0], np.cumsum(~self.bridged)))
        apart = broken[known[1:]] > broken[known[:-1]]
        return np.stack((self.t[known[:-1][apart]], self.t[known[1:][apart]]), axis=1)


def starts_anew(t: np.ndarray) -> np.ndarray:
    """Rows (m,) of times (n,) at which they start anew, as where a program has measured again into the same table: near the first
    of the run before, and for more than a stray row.

    >>> starts_anew(np.concatenate([np.arange(50.0), np.arange(30.0)])).tolist()
    [50]
    """
    rows = np.flatnonzero(np.isfinite(t))
    times = t[rows]
    drops = np.flatnonzero(np.diff(times) < 0.0) + 1
    if len(drops) > _MOST_RUNS:
        return rows[:0]
    found, first = [], 0
    for drop in drops.tolist():
        if drop - first < _RUN or len(times) - drop < _RUN:
            continue
        # One row that leaps ahead, or back, starts nothing.
        before, after = times[drop - 2 : drop].min(), times[drop : drop + 2].max()
        if after - times[first] <= _ANEW * (before - times[first]):
            found.append(drop)
            first = drop
    return rows[found]


def longest_run(t: np.ndarray) -> tuple[np.ndarray, list[Phrase]]:
    """Which rows (n,) are of the run with the most rows, where times (n,) start anew, and a remark; else all rows."""
    anew = starts_anew(t)
    if not len(anew):
        return np.ones(len(t), dtype=bool), []
    ends = np.concatenate([[0], anew, [len(t)]])
    best = int(np.argmax(np.diff(ends)))
    kept = np.zeros(len(t), dtype=bool)
    kept[ends[best] : ends[best + 1]] = True
    said = counted(
        len(anew),
        "the time starts anew, and nobody says how much later: the longest run is read, and the other, of {left} rows, is left out",
        "the time starts anew {count} times, and nobody says how much later: the longest run is read, and {left} rows of "
        "others are left out",
        left=int((~kept).sum()),
    )  # fmt: skip
    return kept, [said]


def _array(values: ArrayLike, name: str, width: int) -> np.ndarray:
    """Floats (n,), or (n, width): a copy."""
    expected = (
        phrase("numbers of the shape (n, {width})", width=width)
        if width
        else phrase("numbers of the shape (n,)")
    )
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise _refusal(name, expected, shown(values)) from None
    if array.ndim != (2 if width else 1) or (width and array.shape[1] != width):
        raise _refusal(name, expected, phrase("the shape {shape}", shape=array.shape))
    # Beyond it squares are no numbers any more, and it is nobody's measurement.
    array[~(np.abs(array) < LARGEST)] = np.nan
    return array


def _cleaned(
    t: np.ndarray, p: np.ndarray | None, omega: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray | None, np.ndarray | None, list[Phrase]]:
    """Times that rise, unit quaternions, and what was left out or changed, counted."""
    if p is None and omega is None:
        raise _refusal("p", "attitudes p, angular velocities omega, or both", "neither")
    for name, values in (("p", p), ("omega", omega)):
        if values is not None and len(values) != len(t):
            raise _refusal(name, phrase("as many rows as times, {count}", count=len(t)), f"{len(values)}")
    remarks: list[Phrase] = []
    kept = _rising(t, remarks)
    # Rows are picked only where some go: a million of them take their time.
    if not kept.all():
        t, p, omega = t[kept], _rows(p, kept), _rows(omega, kept)
    if omega is not None:
        omega = _finite(omega, remarks)
    if p is not None:
        p = _unit(p, remarks)
    t, p, omega = _without_repeats(t, p, omega, remarks)
    _forget_spikes(t, p, omega, remarks)
    given = [values for values in (p, omega) if values is not None]
    if not len(t) or all(np.isnan(values).any(axis=1).all() for values in given):
        found = "; ".join(remarks) or phrase("none")
        raise _refusal("t", "rows with a time, and an attitude or an angular velocity", found)
    return t, None if p is None else continuous_sign(p), omega, remarks


def _rising(t: np.ndarray, remarks: list[Phrase]) -> np.ndarray:
    """Which rows (n,) have a time that does not run back. Where one time leaps ahead it is that one which goes, not all after
    it: of the two ways to read it the one that keeps more."""
    finite = np.isfinite(t)
    if not finite.all():
        remarks.append(
            counted(
                int((~finite).sum()),
                "{count} row without a time was left out",
                "{count} rows without a time were left out",
            )
        )
    alone, said = longest_run(t)
    remarks += said
    finite &= alone
    times = t[finite]
    if len(times) < 2 or (np.diff(times) >= 0.0).all():
        return finite
    ahead = times >= np.maximum.accumulate(times)
    behind = times <= np.minimum.accumulate(times[::-1])[::-1]
    rising = ahead if ahead.sum() >= behind.sum() else behind
    remarks.append(
        counted(
            int((~rising).sum()),
            "{count} row whose time runs back was left out",
            "{count} rows whose time runs back were left out",
        )
    )
    kept = finite.copy()
    kept[finite] = rising
    return kept


def _finite(omega: np.ndarray, remarks: list[Phrase]) -> np.ndarray:
    """Whole rows of NaN where one component is no number."""
    bad = ~np.isfinite(omega).all(axis=1)
    if bad.any():
        omega[bad] = np.nan
        remarks.append(
            counted(
                int(bad.sum()),
                "{count} row without an angular velocity is a gap",
                "{count} rows without an angular velocity are gaps",
            )
        )
    return omega


def _unit(p: np.ndarray, remarks: list[Phrase]) -> np.ndarray:
    """Quaternions of length 1; NaN where they are none, or of a length that is not that of the others."""
    lengths = np.sqrt(np.einsum("ni,ni->n", p, p))
    there = np.isfinite(lengths)
    if not there.all():
        remarks.append(
            counted(
                int((~there).sum()),
                "{count} row without an attitude is a gap",
                "{count} rows without an attitude are gaps",
            )
        )
    there &= lengths > 0.0
    usual = float(np.median(lengths[there])) if there.any() else 1.0
    odd = there & (np.abs(lengths - usual) > _NEAR * usual)
    zero = int((lengths == 0.0).sum())
    if zero:
        remarks.append(
            counted(
                zero, "{count} quaternion of length 0 is a gap", "{count} quaternions of length 0 are gaps"
            )
        )
    if odd.any():
        worst = float(lengths[odd][np.argmax(np.abs(np.log(lengths[odd] / usual)))])
        remarks.append(
            counted(
                int(odd.sum()),
                "{count} quaternion, of length {worst:.3g} and not that of the others, {usual:.3g}, is a gap",
                "{count} quaternions whose length is not that of the others, {usual:.3g}, are gaps; one has the length {worst:.3g}",
                usual=usual, worst=worst,
            )
        )  # fmt: skip
    good = there & ~odd
    far = good & (np.abs(lengths - 1.0) > _UNIT)
    if far.any():
        low, high = float(lengths[far].min()), float(lengths[far].max())
        apart = phrase("{low:.3g} to {high:.3g}", low=low, high=high)
        remarks.append(
            counted(
                int(far.sum()),
                "{count} quaternion, of length {length}, was brought to length 1",
                "{count} quaternions, of length {length}, were brought to length 1",
                length=apart if f"{low:.3g}" != f"{high:.3g}" else phrase("{low:.3g}", low=low),
            )
        )
    p /= np.where(good, lengths, np.nan)[:, None]
    return p


def _without_repeats(
    t: np.ndarray, p: np.ndarray | None, omega: np.ndarray | None, remarks: list[Phrase]
) -> tuple[np.ndarray, np.ndarray | None, np.ndarray | None]:
    """One row for each time. Rows of one time that say different things leave nothing known there."""
    again = np.flatnonzero(np.diff(t) == 0.0) + 1
    if not len(again):
        return t, p, omega
    kept = np.ones(len(t), dtype=bool)
    kept[again] = False
    first = np.flatnonzero(kept)[np.cumsum(kept)[again] - 1]
    clash = np.zeros(len(again), dtype=bool)
    if p is not None:
        clash |= np.abs(np.einsum("ni,ni->n", p[again], p[first])) < 1.0 - 1e-9
    if omega is not None:
        clash |= (omega[again] != omega[first]).any(axis=1) & ~np.isnan(omega[again]).all(axis=1)
    for values in (p, omega):
        if values is not None:
            values[first[clash]] = np.nan
    remarks.append(
        counted(
            len(again),
            "{count} row that repeats a time was left out",
            "{count} rows that repeat a time were left out",
        )
    )
    if clash.any():
        places = len(np.unique(first[clash]))
        remarks.append(
            counted(
                places,
                "{count} time at which rows contradict each other is a gap",
                "{count} times at which rows contradict each other are gaps",
            )
        )
    return t[kept], _rows(p, kept), _rows(omega, kept)


def _forget_spikes(
    t: np.ndarray, p: np.ndarray | None, omega: np.ndarray | None, remarks: list[Phrase]
) -> None:
    """Make NaN of single rows that are more than a quarter turn away from those around, which hang together, two before and
    two behind: nothing is to be differentiated or integrated across them."""
    if len(t) < 5:
        return
    steps = np.diff(t)
    with np.errstate(invalid="ignore"):
        if p is not None:
            near = np.cos(0.5 * QUARTER)
            beside = np.abs(np.einsum("ni,ni->n", p[:-1], p[1:]))
            far, calm = beside < near, beside > near
            alone = far[:-1] & far[1:] & (np.abs(np.einsum("ni,ni->n", p[:-2], p[2:])) > near)
            alone &= np.concatenate([[True], calm[:-2]]) & np.concatenate([calm[2:], [True]])
            count = _forget(p, alone)
            if count:
                remarks.append(
                    counted(
                        count,
                        "{count} attitude a quarter turn from those before and after is a gap",
                        "{count} attitudes a quarter turn from those before and after are gaps",
                    )
                )
        if omega is not None:
            speed = np.einsum("ni,ni->n", omega, omega)
            fast = speed[1:-1] * np.minimum(steps[:-1], steps[1:]) ** 2 > QUARTER**2
            # Those around must be near enough to each other: rows far apart are no spikes.
            fast &= np.maximum(speed[:-2], speed[2:]) * (steps[:-1] + steps[1:]) ** 2 < QUARTER**2
            count = _forget(omega, fast)
            if count:
                remarks.append(
                    counted(
                        count,
                        "{count} rate that would turn it a quarter from row to row is a gap",
                        "{count} rates that would turn it a quarter from row to row are gaps",
                    )
                )


def _forget(values: np.ndarray, odd: np.ndarray) -> int:
    """Make NaN of those rows (n - 2,), the first and the last left out, that are odd and have none such beside them: how many."""
    alone = odd.copy()
    alone[1:] &= ~odd[:-1]
    alone[:-1] &= ~odd[1:]
    values[1:-1][alone] = np.nan
    return int(alone.sum())


def _rows(values: np.ndarray | None, kept: np.ndarray) -> np.ndarray | None:
    return None if values is None else values[kept]


def _refusal(name: str, expected: str, found: str) -> InputError:
    return InputError(
        f"Recording.{name}",
        expected=expected,
        found=found,
        remedy="see what a recording is made of",
        key=name,
        topic=TOPIC,
    )
