"""Columns of numbers that are computed where they are read, from the recorded states."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from quatviz.core.observables import Motion
from quatviz.simulation.lane import LaneRun

if TYPE_CHECKING:
    from quatviz.ui.growth import Growth

Of = Callable[[Motion], np.ndarray]
"""From a stretch of a lane to the values (n, k) of one quantity."""

large_numbers = np.errstate(over="ignore", invalid="ignore", divide="ignore")
"""A lane that is about to end has numbers whose squares no float holds: they become inf, and plots leave them out."""


class Reader(Protocol):
    """Computes rows of quantities of lanes, and keeps some of them for those who ask next."""

    def rows(self, lane: LaneRun, name: str, of: Of, start: int, stop: int) -> np.ndarray:
        """Rows start:stop (n, k) of the quantity that is called `name`."""
        ...


class LazyColumn(ABC):
    """Values (n, k) that are read like an array's: by row, by rows, by rows and component."""

    ndim = 2
    growth: Growth | None = None
    """Who grows what is derived from this column, off the window's thread."""

    def __init__(self, count: int, width: int) -> None:
        self.shape = (count, width)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, index: Any) -> np.ndarray:
        rows, component = index if isinstance(index, tuple) else (index, slice(None))
        if isinstance(rows, slice):
            start, stop, step = rows.indices(len(self))
            if step == 1:
                return self.read(start, max(start, stop))[:, component]
            return self.pick(np.arange(start, stop, step))[:, component]
        if isinstance(rows, int | np.integer):
            row = int(rows) + (len(self) if rows < 0 else 0)
            if not 0 <= row < len(self):
                raise IndexError(f"row {rows} of {len(self)}")
            return self.read(row, row + 1)[0, component]
        rows = np.asarray(rows)
        rows = np.flatnonzero(rows) if rows.dtype == bool else np.where(rows < 0, rows + len(self), rows)
        return self.pick(rows)[:, component]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self[:], dtype=dtype)

    @abstractmethod
    def available(self) -> int:
        """Rows that can be read by now, at least as many as the column has."""

    @abstractmethod
    def upto(self, count: int) -> LazyColumn:
        """The first rows of it."""

    @abstractmethod
    def read(self, start: int, stop: int, reader: Reader | None = None) -> np.ndarray:
        """Rows start:stop (m, k); do not write to them. `reader` computes them instead of the column's own."""

    @abstractmethod
    def pick(self, rows: np.ndarray) -> np.ndarray:
        """These rows (m, k), which may lie far from each other."""


class LaneColumn(LazyColumn):
    """One quantity of one lane, by `of`."""

    def __init__(
        self,
        lane: LaneRun,
        name: str,
        of: Of,
        width: int,
        reader: Reader,
        growth: Growth | None = None,
        count: int | None = None,
    ) -> None:
        self._lane, self._name, self._of, self._reader, self.growth = lane, name, of, reader, growth
        super().__init__(self.available() if count is None else count, width)

    def available(self) -> int:
        # Lambda of the first row would wait for the compiler before its kernels are there.
        return self._lane.samples if self._lane.prepared else 0

    def upto(self, count: int) -> LaneColumn:
        count = min(count, len(self))
        return LaneColumn(self._lane, self._name, self._of, self.shape[1], self._reader, self.growth, count)

    def read(self, start: int, stop: int, reader: Reader | None = None) -> np.ndarray:
        if start >= stop:
            # Readers fill whole blocks: the first row of a lane whose kernels are not there yet among them.
            return np.empty((0, self.shape[1]))
        return (reader or self._reader).rows(self._lane, self._name, self._of, start, stop)

    @large_numbers
    def pick(self, rows: np.ndarray) -> np.ndarray:
        if len(rows) == 0:
            return np.empty((0, self.shape[1]))
        low, high = int(rows.min()), int(rows.max()) + 1
        if high - low <= DENSE * len(rows):
            return self.read(low, high)[rows - low]
        return self._of(self._lane.motion_at(rows))


class Derived(LazyColumn):
    """What `of` makes, row by row, of the rows of other columns or arrays."""

    def __init__(self, sources: tuple[Column, ...], of: Callable[..., np.ndarray], width: int) -> None:
        super().__init__(min(map(len, sources)), width)
        self._sources, self._of = sources, of
        growths = [source.growth for source in sources if isinstance(source, LazyColumn)]
        self.growth = growths[0] if len(growths) == len(sources) else None

    def available(self) -> int:
        return min(
            source.available() if isinstance(source, LazyColumn) else len(source) for source in self._sources
        )

    def upto(self, count: int) -> Derived:
        return Derived(tuple(upto(source, count) for source in self._sources), self._of, self.shape[1])

    @large_numbers
    def read(self, start: int, stop: int, reader: Reader | None = None) -> np.ndarray:
        return self._of(
            *(
                source.read(start, stop, reader) if isinstance(source, LazyColumn) else source[start:stop]
                for source in self._sources
            )
        )

    @large_numbers
    def pick(self, rows: np.ndarray) -> np.ndarray:
        return self._of(*(source[rows] for source in self._sources))


Column = np.ndarray | LazyColumn
"""Values (n, k), at hand or computed where they are read."""

DENSE = 16
"""Rows that lie closer than this on average are read together with those between them."""


def upto(column: Column, count: int) -> Any:
    """The first rows of a column or an array."""
    return column.upto(count) if isinstance(column, LazyColumn) else column[:count]
