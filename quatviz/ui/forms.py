"""Other ways to write the same orientation: signs of Euler parameters, whole turns of Euler angles."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from quatviz.core.euler_sequences import unwrapped
from quatviz.core.rotations import canonical_sign, continuous_sign
from quatviz.ui.frame import Source

PORTION = 50_000
"""Rows of a lane that are written at once: about five milliseconds."""

_TURN = 360.0

Continue = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""From rows (m, k) and the row before them (k,), as it was written, to these rows as they are written."""


def _canonical(rows: np.ndarray, before: np.ndarray) -> np.ndarray:
    return canonical_sign(rows)


def _continuous(rows: np.ndarray, before: np.ndarray) -> np.ndarray:
    return continuous_sign(np.vstack([before, rows]))[1:]


def _unwrapped(rows: np.ndarray, before: np.ndarray) -> np.ndarray:
    return unwrapped(rows, before, _TURN)


FORMS: dict[str, Continue] = {
    "canonical": _canonical,
    "continuous": _continuous,
    "unwrapped": _unwrapped,
}
"""By the option that a panel offers."""


class Formed:
    """A `Source` of `source`'s columns written in one of `FORMS`, extended when it is asked, by a portion: while it is
    `behind` there is more.

    The first row of a lane is written as near as may be to the first row of the lane `reference`, if that is there by
    then, so that lanes of one motion lie on each other.
    """

    def __init__(self, source: Source, form: str, reference: str) -> None:
        self.info = source.info
        self._source, self._form, self._reference = source, FORMS[form], reference
        self._starts: dict[str, np.ndarray] = {}
        self._columns: dict[tuple[str, str], tuple[np.ndarray, int]] = {}
        self._behind: set[tuple[str, str]] = set()

    @property
    def behind(self) -> bool:
        """Whether there are rows that were left for the next time."""
        return bool(self._behind)

    def values(self, lane: str, quantity: str) -> tuple[np.ndarray, np.ndarray]:
        """Times (n,) and values (n, k); see `frame.Source`."""
        times, own = self._source.values(lane, quantity)
        whole = min(len(times), len(own))
        column, start = self._columns.get((lane, quantity), (np.empty((0, own.shape[1])), 0))
        stop = min(whole, start + PORTION)
        (self._behind.add if stop < whole else self._behind.discard)((lane, quantity))
        if stop > len(column):
            grown = np.empty((max(whole, 2 * len(column)), column.shape[1]))
            grown[:start] = column[:start]
            column = grown
        if stop > start:
            rows = np.asarray(own[start:stop])
            before = column[start - 1] if start else self._start(quantity, rows[0])
            column[start:stop] = self._form(rows, before)
        self._columns[lane, quantity] = column, stop
        return times[:stop], column[:stop]

    def _start(self, quantity: str, own: np.ndarray) -> np.ndarray:
        """The row from which all lanes go on."""
        if quantity not in self._starts:
            first = self._source.values(self._reference, quantity)[1][:1]
            self._starts[quantity] = np.array(first[0] if len(first) else own)
        return self._starts[quantity]
