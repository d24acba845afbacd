"""Indices of the jumps of curves, which grow with the columns. `physics.observables.jumps` defines what a jump is."""

from collections.abc import Collection
from functools import partial
from typing import Any

import numpy as np

from quatviz.display.data.frame import ColumnSource, Frame
from quatviz.display.data.lazy_columns import DerivedColumn, IncrementalReducer
from quatviz.physics.kernels.pyramid import GrowableArray
from quatviz.physics.mechanics.rotations import canonical_sign
from quatviz.physics.observables.jumps import (
    ALL_CAUSES,
    CAUSES,
    FLIP,
    SINGULAR,
    WRAP,
    JumpFinder,
    find_angle_jumps,
    find_sign_flips,
)

JumpRows = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Jumps of a column: indices of the rows before them (m,), indices of the rows after them (m,), and causes
(m,)."""


class JumpIndex(IncrementalReducer):
    """The jumps of a growing column (n, k). A jump is identified by the row after it."""

    def __init__(self, width: int, find: JumpFinder) -> None:
        super().__init__()
        self._find_jumps = find
        self._last: np.ndarray | None = None
        self.searched_count = 0
        """Number of rows searched so far."""
        self._rows = [GrowableArray(np.int64) for _ in range(width)]
        self._causes = [GrowableArray(np.int8) for _ in range(width)]
        self._any_component = (GrowableArray(np.int64), GrowableArray(np.int8))
        self._group_cache: dict[int, tuple[int, JumpRows]] = {}
        """Last result of `grouped_jumps` by component, with the number of jump rows from which it was
        computed."""

    def digest(self, rows: np.ndarray) -> Any:
        """Return the number of `rows`, and the jumps in them. The jumps are pairs (indices of the rows after jumps,
        causes): one pair for each component, then one for all components together."""
        return len(rows), self._search(rows)

    def absorb(self, digest: Any) -> None:
        self.count += digest[0]
        stores = (*zip(self._rows, self._causes, strict=True), self._any_component)
        for (rows, causes), (all_rows, all_causes) in zip(digest[1], stores, strict=False):
            all_rows.append(rows)
            all_causes.append(causes)

    def _search(self, rows: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        if len(rows) == 0:
            return []
        start = self.searched_count
        self.searched_count += len(rows)
        if self._last is not None:
            rows = np.concatenate([self._last, rows])
            start -= 1
        self._last = np.array(rows[-1:])
        jumping, causes = self._find_jumps(rows)
        if len(jumping) == 0:
            return []
        jumps_by_component = [
            (component_causes.nonzero()[0], component_causes)
            for component_causes in (*causes.T, causes.max(axis=1))
        ]
        return [
            (start + 1 + jumping[jumps], component_causes[jumps])
            for jumps, component_causes in jumps_by_component
        ]

    def rows(self, component: int) -> np.ndarray:
        """Return the rows (m,) at which a component jumps."""
        return self._rows[component].values

    def grouped_jumps(self, component: int) -> JumpRows:
        """Return the jumps of a component: the row before (m,), the row after (m,), and the cause (m,).

        Consecutive jump rows, such as those near a pole, count as one jump. If any of them is singular, the jump is
        singular and spans only the singular rows, so that a wrap in the next row does not shift it.
        """
        return self._cached_groups(component, self._rows[component], self._causes[component])

    @property
    def grouped_jumps_of_any(self) -> JumpRows:
        """Jumps of all components together, grouped as by `grouped_jumps`."""
        return self._cached_groups(-1, *self._any_component)

    def counts_by_cause(self) -> dict[int, int]:
        """Return the number of all jumps found so far, by cause."""
        causes = self.grouped_jumps_of_any[2]
        return {cause: int(np.sum(causes == cause)) for cause in range(1, len(CAUSES))}

    def _cached_groups(self, key: int, rows: GrowableArray, causes: GrowableArray) -> JumpRows:
        count = len(rows)
        if self._group_cache.get(key, (-1,))[0] != count:
            self._group_cache[key] = count, _group_jumps(rows.values, causes.values)
        return self._group_cache[key][1]


def _group_jumps(rows: np.ndarray, causes: np.ndarray) -> JumpRows:
    if len(rows) == 0:
        return rows, rows, causes
    first = np.flatnonzero(np.diff(rows, prepend=-9) > 1)
    worst_causes = np.maximum.reduceat(causes, first)
    has_worst_cause = causes == np.repeat(worst_causes, np.diff(first, append=len(rows)))
    before = np.minimum.reduceat(np.where(has_worst_cause, rows, rows[-1]), first) - 1
    return before, np.maximum.reduceat(np.where(has_worst_cause, rows, 0), first), worst_causes


FRAMES_PER_COLLECTION = 8
"""Number of frames that show new rows of a long run between two updates of the list of jumps."""


class BodyJumps:
    """Jumps of the lane that is drawn as the body. Long columns are searched in the background thread.

    `times` maps each cause to the times [s] of all jumps, and `sequence` is the axis sequence of the angles.
    """

    def __init__(self) -> None:
        self.sequence = ""
        self.times: dict[int, np.ndarray] = {}
        self._source: ColumnSource | None = None
        self._lane = ""
        self._followed: tuple[str, str, frozenset[int]] = "", "", frozenset()
        self._indices: dict[str, JumpIndex] = {}
        self._last_state: tuple[float, int] | None = None
        self._frame_count = 0

    def start(self, source: ColumnSource) -> None:
        """Start searching the columns of a new run."""
        self._source, self._followed = source, ("", "", frozenset())
        self._reset()

    def follow(self, frame: Frame, sequence: str, causes: Collection[int] = ALL_CAUSES) -> bool:
        """Search new rows for jumps. Return True if the jumps of these `causes` have changed. If `sequence` is empty,
        angles are not searched."""
        # a lane has rows before it has a pose
        body = next((lane for lane in frame.lanes if lane.solid), None)
        if self._source is None or body is None:
            return False
        if (body.name, sequence, frozenset(causes)) != self._followed:
            self._followed = self._lane, self.sequence, followed_causes = (
                body.name,
                sequence,
                frozenset(causes),
            )
            self._reset()
            if FLIP in followed_causes:
                self._indices["p"] = JumpIndex(4, find_sign_flips)
            if sequence:
                self._indices[f"angles_{sequence}"] = JumpIndex(
                    3, partial(find_angle_jumps, sequence=sequence)
                )
            self._grow_indices()
            return True
        state = body.computed_to, frame.data_revision
        if state == self._last_state:
            return False
        self._last_state = state
        return self._grow_indices()

    def _reset(self) -> None:
        self._indices, self._last_state = {}, None
        self.times = {cause: np.empty(0) for cause in (WRAP, FLIP, SINGULAR)}

    def _grow_indices(self) -> bool:
        assert self._source is not None
        complete = True
        for quantity, index in self._indices.items():
            values = self._source.values(self._lane, quantity)[1]
            index.grow(DerivedColumn((values,), canonical_sign, 4) if quantity == "p" else values)
            complete &= index.count >= len(values)
        self._frame_count += 1
        return (complete or self._frame_count % FRAMES_PER_COLLECTION == 0) and self._collect_times()

    def _collect_times(self) -> bool:
        assert self._source is not None
        before = {cause: len(times) for cause, times in self.times.items()}
        for quantity, index in self._indices.items():
            first, last, causes = index.grouped_jumps_of_any
            # rounded up, so that it is never the row before the jump
            times = -(-(first + last) // 2) * self._source.info.sample_interval
            for cause in ({FLIP} if quantity == "p" else {WRAP, SINGULAR}) & self._followed[2]:
                self.times[cause] = times[causes == cause]
        return before != {cause: len(times) for cause, times in self.times.items()}
