"""Where coordinates of the orientation jump though the body does not, and why.

An angle is known within half a turn, so it jumps by a whole turn where it leaves that range (a *wrap*); and at
det S = 0 the first and the third angle lose their meaning, so passing by throws them, often by half a turn
(*singular*). The second angle never jumps. Euler parameters that change their sign are a *flip*: p and -p are one
orientation.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np

from quatviz.base.tr import tr
from quatviz.feed.frame import Frame, Source
from quatviz.feed.lazy import Derived, Following
from quatviz.feed.pyramid import Grown
from quatviz.formulations.euler_angles import EulerAngles
from quatviz.mechanics.euler_sequences import det_S, p_from_angles
from quatviz.mechanics.rotations import canonical_sign, rotate

NONE, WRAP, FLIP, SINGULAR = range(4)
CAUSES = ("", "wrap", "flip", "singular")

LOCKED = EulerAngles.threshold
"""|det S| at which a lane in these angles gives up: a jump on a way that leads so close is laid to the singularity."""

THROWN = 45.0
"""Degrees from one row to the next that no line can stand for; past the pole half a turn is shared by few rows."""

STILL = 1.0
"""Degrees from one row to the next that are never a jump."""

_UNDETERMINED = 1e-6

Find = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
"""From rows (n, k) to those (m,) from which a component jumps to the next row, and the causes (m, k) of these jumps."""

Jumped = tuple[np.ndarray, np.ndarray, np.ndarray]
"""The rows before jumps (m,), those after them (m,), and causes (m,)."""


def find(angles: np.ndarray, sequence: str) -> tuple[np.ndarray, np.ndarray]:
    """The rows (m,) of angles (n, 3) [deg] of a sequence from which one jumps to the next row, and the causes (m, 3).

    Two rows on either side of the singularity show it in the first and third angle alike: both turn by
    `THROWN` at least, as a compass does that is carried past the pole. A quick spin turns only one of them, and
    few rows show a quick turn beside the pole as a jump too: what tells is how close the way leads.
    """
    near = _moved(angles[:, 0], angles[:, 2])
    causes = np.full((len(near), 3), NONE, np.int8)
    if len(near) == 0:
        return near, causes
    raw = angles[near + 1, ::2] - angles[near, ::2]
    turned = np.abs((raw + 180.0) % 360.0 - 180.0)
    before, after = np.radians(angles[[near, near + 1]])
    ends = np.abs(det_S((before, after), sequence)).min(axis=0)
    wrapped = np.abs(raw) > 180.0
    thrown = np.all(turned > THROWN, axis=1, keepdims=True) | wrapped
    closely = np.zeros(len(near), bool)
    few = thrown.any(axis=1)
    closely[few] = np.minimum(ends[few], _nearest(before[few], after[few], sequence)) < LOCKED
    lost = (ends < _UNDETERMINED)[:, None] & (np.abs(raw) > STILL)
    singular = lost | (thrown & closely[:, None])
    causes[:, ::2] = np.where(singular, SINGULAR, np.where(wrapped, WRAP, NONE))
    jumping = causes.any(axis=1)
    return near[jumping], causes[jumping]


def _moved(*angles: np.ndarray) -> np.ndarray:
    """The rows (m,) from which one of the angles (n,) [deg] changes by more than `STILL` to the next."""
    moved = np.zeros(max(len(angles[0]) - 1, 0), dtype=bool)
    for angle in angles:
        step = angle[1:] - angle[:-1]
        moved |= np.abs(step, out=step) > STILL
    return np.flatnonzero(moved)


def _nearest(before: np.ndarray, after: np.ndarray, sequence: str) -> np.ndarray:
    """The least |det S| (n,) between angles (n, 3) [rad] and the next; inf where it is at one of these.

    |det S| is the sine of the angle between the axis of the first rotation and that of the third, whose tip goes from
    row to row along a great circle, as nearly as rows can tell.
    """
    first, third = (np.eye(3)[int(axis) - 1] for axis in (sequence[0], sequence[2]))
    tip, later = (rotate(p_from_angles(angles, sequence), third) for angles in (before, after))
    normal = np.cross(tip, later)
    between = (np.cross(normal, tip) @ first) * (np.cross(normal, later) @ first) < 0.0
    least = np.full(len(before), np.inf)
    least[between] = np.abs(normal[between] @ first) / np.linalg.norm(normal[between], axis=1)
    return least


def flips(p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows (m,) of Euler parameters (n, 4) from which all change sign to the next row, and the causes (m, 4)."""
    along = sum(component[1:] * component[:-1] for component in p.T)
    turned = np.flatnonzero(np.less(along, 0.0))
    return turned, np.full((len(turned), 4), FLIP, np.int8)


class Breaks(Following):
    """The jumps of a column (n, k) that grows. A jump is named by the row that comes after it."""

    def __init__(self, width: int, find: Find) -> None:
        super().__init__()
        self._find = find
        self._last: np.ndarray | None = None
        self.looked_at = 0
        """Rows that were looked at so far."""
        self._rows = [Grown(np.int64) for _ in range(width)]
        self._causes = [Grown(np.int8) for _ in range(width)]
        self._any = (Grown(np.int64), Grown(np.int8))
        self._groups: dict[int, tuple[int, Jumped]] = {}
        """The last answers, by component, and from how many jumping rows they were made."""

    def digest(self, rows: np.ndarray) -> Any:
        """How many rows (m, k) they are, and where they jump, and why: of each component, then of any."""
        return len(rows), self._look(rows)

    def absorb(self, digest: Any) -> None:
        self.count += digest[0]
        kept = (*zip(self._rows, self._causes, strict=True), self._any)
        for (rows, causes), (all_rows, all_causes) in zip(digest[1], kept, strict=False):
            all_rows.append(rows)
            all_causes.append(causes)

    def _look(self, rows: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        if len(rows) == 0:
            return []
        start = self.looked_at
        self.looked_at += len(rows)
        if self._last is not None:
            rows = np.concatenate([self._last, rows])
            start -= 1
        self._last = np.array(rows[-1:])
        jumping, causes = self._find(rows)
        if len(jumping) == 0:
            return []
        found = [(one.nonzero()[0], one) for one in (*causes.T, causes.max(axis=1))]
        return [(start + 1 + jumping[jumps], one[jumps]) for jumps, one in found]

    def rows(self, component: int) -> np.ndarray:
        """The rows at which a component jumps (m,)."""
        return self._rows[component].all

    def grouped(self, component: int) -> Jumped:
        """Jumps of a component: the row before each (m,), the row after it (m,), and its cause (m,).

        Rows that jump one after the other, as beside the pole, are one jump, and singular if one of them is.
        """
        return self._kept(component, self._rows[component], self._causes[component])

    @property
    def united(self) -> Jumped:
        """The same of all components, which may jump together."""
        return self._kept(-1, *self._any)

    def counts(self) -> dict[int, int]:
        """How many jumps each cause has."""
        causes = self.united[2]
        return {cause: int(np.sum(causes == cause)) for cause in range(1, len(CAUSES))}

    def _kept(self, key: int, rows: Grown, causes: Grown) -> Jumped:
        count = len(rows.all)
        if self._groups.get(key, (-1,))[0] != count:
            self._groups[key] = count, _grouped(rows.all, causes.all)
        return self._groups[key][1]


def _grouped(rows: np.ndarray, causes: np.ndarray) -> Jumped:
    if len(rows) == 0:
        return rows, rows, causes
    first = np.flatnonzero(np.diff(rows, prepend=-9) > 1)
    return rows[first] - 1, rows[np.append(first[1:], len(rows)) - 1], np.maximum.reduceat(causes, first)


def breaks_text(counts: Iterable[Mapping[int, int]]) -> str:
    """Such as "3 wraps, 1 singular", or "2 to 3 wraps" where lanes differ; empty where there is none."""
    lanes = list(counts)
    causes = [cause for cause in range(1, len(CAUSES)) if any(lane[cause] for lane in lanes)]
    return ", ".join(count_text(cause, *sorted(lane[cause] for lane in lanes)) for cause in causes)


def count_text(cause: int, *counts: int) -> str:
    """Such as "1 flip", "14 wraps" or "0 to 3 singular", from the least to the greatest of `counts`."""
    least, most = counts[0], counts[-1]
    number = tr("{least} to {most}", least=least, most=most) if least != most else f"{most}"
    if most == 1 and cause != SINGULAR:
        return {WRAP: tr("{number} wrap", number=number), FLIP: tr("{number} flip", number=number)}[cause]
    return {
        WRAP: tr("{number} wraps", number=number),
        FLIP: tr("{number} flips", number=number),
        SINGULAR: tr("{number} singular", number=number),
    }[cause]


PORTIONS = 8
"""Frames with new rows of a long run between two looks at all that was found."""


class Jumps:
    """Those of the lane that is the body, found as its rows come; many at once are looked at beside the window's thread.

    `times` are those of every jump [s] by its cause, `sequence` is that of the angles that jump.
    """

    def __init__(self) -> None:
        self.sequence = ""
        self.times: dict[int, np.ndarray] = {}
        self._source: Source | None = None
        self._lane = ""
        self._found: dict[str, Breaks] = {}
        self._seen: tuple[float, int] | None = None
        self._portions = 0

    def start(self, source: Source) -> None:
        """A run begins."""
        self._source, self._lane, self.sequence = source, "", ""
        self._forget()

    def follow(self, frame: Frame, sequence: str) -> bool:
        """Take in new rows; true where there are other jumps than before."""
        body = next((lane for lane in frame.lanes if lane.solid), None)  # it has rows before it has a pose
        if self._source is None or body is None:
            return False
        if (body.name, sequence) != (self._lane, self.sequence):
            self._lane, self.sequence = body.name, sequence
            self._forget()
            angles = partial(find, sequence=sequence)
            self._found = {"p": Breaks(4, flips), f"angles_{sequence}": Breaks(3, angles)}
            self._take_all()
            return True
        seen = body.computed_to, frame.taken
        if seen == self._seen:
            return False
        self._seen = seen
        return self._take_all()

    def _forget(self) -> None:
        self._found, self._seen = {}, None
        self.times = {cause: np.empty(0) for cause in (WRAP, FLIP, SINGULAR)}

    def _take_all(self) -> bool:
        assert self._source is not None
        done = True
        for quantity, found in self._found.items():
            values = self._source.values(self._lane, quantity)[1]
            found.grow(Derived((values,), canonical_sign, 4) if quantity == "p" else values)
            done &= found.count >= len(values)
        self._portions += 1
        return (done or self._portions % PORTIONS == 0) and self._collect()

    def _collect(self) -> bool:
        assert self._source is not None
        before = {cause: len(times) for cause, times in self.times.items()}
        for quantity, found in self._found.items():
            _, rows, causes = found.united
            times = rows * self._source.info.sample_interval
            for cause in (FLIP,) if quantity == "p" else (WRAP, SINGULAR):
                self.times[cause] = times[causes == cause]
        return before != {cause: len(times) for cause, times in self.times.items()}
