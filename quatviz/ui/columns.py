"""The curves of one run, kept up with the histories as they grow."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from quatviz.core.observables import QUANTITIES, Motion
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation
from quatviz.ui.frame import RunInfo

ROWS_PER_REFRESH = 700
"""New rows taken in per frame: a millisecond or two, so that a long run never stalls the window."""

IDLE = 60
"""Refreshes after which a column that nobody has asked for grows no more, until somebody does: its panel is hidden."""

VECTORS = ("omega", "h", "torque")
"""Quantities that are drawn as arrows, whose largest magnitude sets their scale."""

_SIZES: dict[str, Callable[[Motion], np.ndarray]] = {
    "omega": lambda motion: np.linalg.norm(motion.omega, axis=1),
    "h": lambda motion: np.linalg.norm(motion.h, axis=1),
    "torque": lambda motion: np.linalg.norm(motion.torque, axis=1),
    "force": lambda motion: motion.largest_force,
}
_OF_LOADS = ("torque", "force")

_large_numbers = np.errstate(over="ignore", invalid="ignore", divide="ignore")
"""A lane that is about to end has numbers whose squares no float holds: they become inf, and plots leave them out."""


class Columns:
    """A `Source`: values of every quantity that somebody has asked for, extended once per frame."""

    def __init__(self, simulation: Simulation, info: RunInfo) -> None:
        self.info = info
        self._lanes = {lane.name: _LaneColumns(lane) for lane in simulation}

    def values(self, lane: str, quantity: str) -> tuple[np.ndarray, np.ndarray]:
        """Times (n,) and values (n, k); see `frame.Source`."""
        return self._lanes[lane].values(quantity)

    def pair(self, lane: str, quantity: str, row: int) -> np.ndarray | None:
        """Values (2, k) of a quantity at `row` and the next one; None where they are not taken in yet."""
        values = self.values(lane, quantity)[1]
        return values[row : row + 2] if row + 2 <= len(values) else None

    def refresh(self) -> None:
        """Take in what the worker has recorded since the last call."""
        room = ROWS_PER_REFRESH
        # The lane that is furthest behind comes first: few large portions cost less than many small ones.
        for lane in sorted(self._lanes.values(), key=lambda lane: lane.length):
            room -= lane.refresh(room)

    def reach(self, lane: str) -> float:
        """Time of the last row taken in [s]: what a frame may promise to be there."""
        return max(self._lanes[lane].length - 1, 0) * self.info.sample_interval

    def scales(self) -> dict[str, float]:
        """Largest magnitude of each drawn vector so far, over all lanes but those that grew beyond all bounds."""
        lanes = self._lanes.values()
        sound = [lane for lane in lanes if not lane.burst] or list(lanes)
        return {name: max(lane.largest[name] for lane in sound) for name in sound[0].largest} if sound else {}


class _LaneColumns:
    """The columns of one lane: arrays with room to grow, filled to `length`."""

    def __init__(self, lane: LaneRun) -> None:
        self._lane = lane
        self.length = 0
        self._columns: dict[str, np.ndarray] = {"t": np.empty((lane.history.capacity, 1))}
        self._filled: dict[str, int] = {}
        """Rows of each column that are filled; `t` always is."""
        self._asked: dict[str, int] = {}
        """The refresh after which each column was last asked for."""
        self._refreshes = 0
        self.largest = {name: 0.0 for name in _SIZES if lane.loads or name not in _OF_LOADS}

    @property
    def burst(self) -> bool:
        """Whether the lane ended because its numbers grew beyond what a computer holds."""
        return self._lane.status == "not_finite"

    @_large_numbers
    def values(self, quantity: str) -> tuple[np.ndarray, np.ndarray]:
        if quantity not in self._columns:
            width = len(QUANTITIES[quantity].symbols)
            self._columns[quantity] = np.empty((len(self._columns["t"]), width))
            self._filled[quantity] = 0
        self._asked[quantity] = self._refreshes
        self._fill(quantity, self._filled[quantity], self.length)
        return self._columns["t"][: self.length, 0], self._columns[quantity][: self.length]

    @_large_numbers
    def refresh(self, room: int) -> int:
        """Take in at most `room` new rows; how many there were."""
        if not self._lane.prepared:
            return 0  # lambda of its first row would wait for the compiler, here on the window's thread
        start = self.length
        stop = min(self._lane.samples, start + room)
        if stop <= start:
            return 0
        self._make_room(stop)
        motion = self._lane.motion(start, stop)
        self._refreshes += 1
        self._columns["t"][start:stop] = motion.t[:, None]
        for name, filled in self._filled.items():
            if filled == start and self._refreshes - self._asked[name] <= IDLE:
                self._columns[name][start:stop] = QUANTITIES[name].of(motion)
                self._filled[name] = stop
        for name in self.largest:
            lengths = _SIZES[name](motion)
            longest = np.max(lengths, where=np.isfinite(lengths), initial=0.0)
            self.largest[name] = max(self.largest[name], float(longest))
        self.length = stop
        return stop - start

    def _fill(self, quantity: str, start: int, stop: int) -> None:
        if stop > start:
            self._columns[quantity][start:stop] = QUANTITIES[quantity].of(self._lane.motion(start, stop))
            self._filled[quantity] = stop

    def _make_room(self, rows: int) -> None:
        for name, column in self._columns.items():
            if rows > len(column):
                grown = np.empty((max(rows, 2 * len(column)), column.shape[1]))
                grown[: self.length] = column[: self.length]
                self._columns[name] = grown
