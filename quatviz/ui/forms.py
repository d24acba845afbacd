"""Other ways to write the same orientation: signs of Euler parameters, whole turns of Euler angles."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from quatviz.core.rotations import canonical_sign
from quatviz.export.figures.breaks import Grown
from quatviz.ui.frame import Source
from quatviz.ui.growth import Following
from quatviz.ui.lazy import Column, Derived, LazyColumn, Reader

_TURN = 360.0


class Running(ABC):
    """A form whose rows depend on all before them, by whole numbers that change in few rows."""

    @abstractmethod
    def steps(self, rows: np.ndarray) -> np.ndarray:
        """By how much these numbers change (n - 1, m) from each row (n, k) to the next."""

    @abstractmethod
    def written(self, rows: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """Rows (n, k) with their numbers (n, m)."""


class _Continuous(Running):
    """Signs by which no p is further from the one before than its opposite; the number is that of changes."""

    def steps(self, rows: np.ndarray) -> np.ndarray:
        return (np.einsum("ni,ni->n", rows[1:], rows[:-1]) < 0.0).astype(np.float64)[:, None]

    def written(self, rows: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        return rows * np.where(numbers % 2.0 == 1.0, -1.0, 1.0)


class _Unwrapped(Running):
    """Angles [deg] less the whole turns that bring each within half a turn of the one before; a row that is not finite
    adds none."""

    def steps(self, rows: np.ndarray) -> np.ndarray:
        return np.nan_to_num(np.round(np.diff(rows, axis=0) / _TURN), nan=0.0, posinf=0.0, neginf=0.0)

    def written(self, rows: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        return rows - _TURN * numbers


FORMS: dict[str, Running | None] = {
    "canonical": None,
    "continuous": _Continuous(),
    "unwrapped": _Unwrapped(),
}
"""By the option that a panel offers. The canonical sign of a row does not depend on other rows."""


class Formed:
    """A `Source` of `source`'s columns written in one of `FORMS`, computed where they are read, as far as the rows have
    been gone through.

    The first row of a lane is written as near as may be to the first row of the lane `reference`, if that is there by
    then, so that lanes of one motion lie on each other.
    """

    def __init__(self, source: Source, form: str, reference: str) -> None:
        self.info = source.info
        self._source, self._form, self._reference = source, FORMS[form], reference
        self._starts: dict[str, np.ndarray] = {}
        self._numbers: dict[tuple[str, str], _Numbers] = {}

    def values(self, lane: str, quantity: str) -> tuple[np.ndarray, Column]:
        """Times (n,) and values (n, k); see `frame.Source`."""
        times, own = self._source.values(lane, quantity)
        if self._form is None:
            return times, Derived((own,), canonical_sign, own.shape[1])
        if len(own) == 0:
            return times[:0], np.empty((0, own.shape[1]))
        numbers = self._numbers.get((lane, quantity))
        if numbers is None:
            numbers = self._numbers[lane, quantity] = _Numbers(self._form, self._start(quantity, own[0]))
        numbers.grow(own)
        column = _FormedColumn(own, self._form, numbers, min(numbers.known, len(own)))
        return times[: len(column)], column

    def _start(self, quantity: str, own: np.ndarray) -> np.ndarray:
        """The row from which all lanes go on."""
        if quantity not in self._starts:
            first = self._source.values(self._reference, quantity)[1][:1]
            self._starts[quantity] = np.array(first[0] if len(first) else own)
        return self._starts[quantity]


class _Numbers(Following):
    """The numbers of a running form, kept at the rows where they change.

    They can be read as soon as rows are digested, in the thread where these are reduced further, too.
    """

    def __init__(self, form: Running, start: np.ndarray) -> None:
        super().__init__()
        self._form = form
        self._last = start[None]
        self._now: np.ndarray | None = None
        self._rows = Grown(np.int64)
        self._changed: list[Grown] = []
        self._state: tuple[int, np.ndarray, list[np.ndarray]] = (0, np.empty(0, dtype=np.int64), [])
        """How many rows are known, those that change something, and the numbers from each of these on: replaced as a
        whole, for another thread may be reading."""

    @property
    def known(self) -> int:
        """Rows whose numbers can be read."""
        return self._state[0]

    def digest(self, rows: np.ndarray) -> int:
        steps = self._form.steps(np.vstack([self._last, rows]))
        self._last = np.array(rows[-1:])
        if self._now is None:
            self._now = np.zeros(steps.shape[1])
            self._changed = [Grown(np.float64) for _ in self._now]
        changed = np.flatnonzero(steps.any(axis=1))
        if len(changed):
            numbers = self._now + np.cumsum(steps[changed], axis=0)
            self._now = numbers[-1]
            self._rows.append(changed + self.known)
            for kept, new in zip(self._changed, numbers.T, strict=True):
                kept.append(new)
        self._state = self.known + len(rows), self._rows.all, [kept.all for kept in self._changed]
        return len(rows)

    def absorb(self, digest: int) -> None:
        self.count += digest

    def at(self, rows: np.ndarray) -> np.ndarray:
        """The numbers (m, w) of rows (m,)."""
        _, changing, numbers = self._state
        place = changing.searchsorted(rows, "right") - 1
        if len(changing) == 0:
            return np.zeros((len(rows), len(numbers)))
        return np.stack([np.where(place < 0, 0.0, one[place]) for one in numbers], axis=1)


class _FormedColumn(LazyColumn):
    """A column in a running form."""

    def __init__(self, own: Column, form: Running, numbers: _Numbers, count: int) -> None:
        super().__init__(count, own.shape[1])
        self._own, self._form, self._numbers = own, form, numbers
        self.growth = own.growth if isinstance(own, LazyColumn) else None

    def available(self) -> int:
        return self._numbers.known

    def upto(self, count: int) -> _FormedColumn:
        return _FormedColumn(self._own, self._form, self._numbers, min(count, len(self)))

    def read(self, start: int, stop: int, reader: Reader | None = None) -> np.ndarray:
        own = self._own
        rows = own.read(start, stop, reader) if isinstance(own, LazyColumn) else own[start:stop]
        return self._form.written(rows, self._numbers.at(np.arange(start, stop)))

    def pick(self, rows: np.ndarray) -> np.ndarray:
        return self._form.written(self._own[rows], self._numbers.at(rows))
