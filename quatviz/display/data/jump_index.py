"""The jumps of the curves, as they grow; what a jump is stands in `motion.jumps`."""

from collections.abc import Collection
from functools import partial
from typing import Any

import numpy as np

from quatviz.display.data.frame import Frame, Source
from quatviz.display.data.lazy_columns import Derived, Following
from quatviz.physics.kernels.pyramid import Grown
from quatviz.physics.mechanics.rotations import canonical_sign
from quatviz.physics.observables.jumps import ALL_CAUSES, CAUSES, FLIP, SINGULAR, WRAP, Find, find, flips

Jumped = tuple[np.ndarray, np.ndarray, np.ndarray]
"""The rows before jumps (m,), those after them (m,), and causes (m,)."""


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

        Rows that jump one after the other, as beside the pole, are one jump, singular if one of them is, and where those are: a
        wrap that comes at once behind it does not make it later.
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
        count = len(rows)
        if self._groups.get(key, (-1,))[0] != count:
            self._groups[key] = count, _grouped(rows.all, causes.all)
        return self._groups[key][1]


def _grouped(rows: np.ndarray, causes: np.ndarray) -> Jumped:
    if len(rows) == 0:
        return rows, rows, causes
    first = np.flatnonzero(np.diff(rows, prepend=-9) > 1)
    gravest = np.maximum.reduceat(causes, first)
    of_it = causes == np.repeat(gravest, np.diff(first, append=len(rows)))
    before = np.minimum.reduceat(np.where(of_it, rows, rows[-1]), first) - 1
    return before, np.maximum.reduceat(np.where(of_it, rows, 0), first), gravest


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
        self._follows: tuple[str, str, frozenset[int]] = "", "", frozenset()
        self._found: dict[str, Breaks] = {}
        self._seen: tuple[float, int] | None = None
        self._portions = 0

    def start(self, source: Source) -> None:
        """A run begins."""
        self._source, self._follows = source, ("", "", frozenset())
        self._forget()

    def follow(self, frame: Frame, sequence: str, causes: Collection[int] = ALL_CAUSES) -> bool:
        """Take in new rows; true where there are other jumps of these `causes` than before. No sequence asks for no jumps of
        angles."""
        body = next((lane for lane in frame.lanes if lane.solid), None)  # it has rows before it has a pose
        if self._source is None or body is None:
            return False
        if (body.name, sequence, frozenset(causes)) != self._follows:
            self._follows = self._lane, self.sequence, wanted = body.name, sequence, frozenset(causes)
            self._forget()
            if FLIP in wanted:
                self._found["p"] = Breaks(4, flips)
            if sequence:
                self._found[f"angles_{sequence}"] = Breaks(3, partial(find, sequence=sequence))
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
            first, last, causes = found.united
            times = -(-(first + last) // 2) * self._source.info.sample_interval  # never the row before a jump
            for cause in ({FLIP} if quantity == "p" else {WRAP, SINGULAR}) & self._follows[2]:
                self.times[cause] = times[causes == cause]
        return before != {cause: len(times) for cause, times in self.times.items()}
