"""Reducers of dropped columns: the background reducer releases them without searching the others."""

from typing import Any, cast
from weakref import ref

import numpy as np

from quatviz.display.data.lazy_columns import BackgroundReducer, LazyColumn, RunningMaximum


class ThreeRowColumn:
    """Column of three rows."""

    lane_name = "one"

    def available(self) -> int:
        return 3

    def read(self, start: int, stop: int, _scratch: object) -> np.ndarray:
        return np.arange(3.0)[start:stop, None]


def test_column_is_released_when_its_reducer_is_dropped() -> None:
    """Finding dropped reducers whenever another one comes would take time proportional to the square of their number."""
    reducer, rows, maximum = BackgroundReducer(), ThreeRowColumn(), RunningMaximum()
    reducer.grow(maximum, cast(LazyColumn, cast(Any, rows)))
    assert maximum.digested_count == 3
    column = ref(rows)
    del rows
    assert column() is not None
    del maximum
    assert column() is None
    reducer.close()
