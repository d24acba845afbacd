"""The curves of one run, computed from the histories where they are read."""

from __future__ import annotations

from time import monotonic

import numpy as np

from quatviz.core.observables import QUANTITIES
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation
from quatviz.ui.blocks import Recent
from quatviz.ui.frame import RunInfo
from quatviz.ui.growth import Following, Growth
from quatviz.ui.lazy import LaneColumn, Of

VECTORS = ("omega", "h", "torque")
"""Quantities that are drawn as arrows, whose largest magnitude sets their scale."""

_SIZES: dict[str, Of] = {
    "omega": lambda motion: np.linalg.norm(motion.omega, axis=1, keepdims=True),
    "h": lambda motion: np.linalg.norm(motion.h, axis=1, keepdims=True),
    "torque": lambda motion: np.linalg.norm(motion.torque, axis=1, keepdims=True),
    "force": lambda motion: motion.largest_force[:, None],
}
_OF_LOADS = ("torque", "force")

SOONEST, LATEST = 0.05, 2.0
"""Seconds between two frames that show what has been reduced of a run meanwhile: the further there is to go, the more."""


class Columns:
    """A `Source` that keeps nothing of a run but what was read last: a million rows cost their states alone."""

    def __init__(self, simulation: Simulation, info: RunInfo) -> None:
        self.info = info
        self._lanes = {lane.name: lane for lane in simulation}
        self._recent = Recent()
        self._growth = Growth()
        self._taken, self._taken_at, self._pause = 0, 0.0, SOONEST
        self._times: np.ndarray = np.empty(0)
        self._largest = {
            lane.name: {
                name: (_Largest(), self._column(lane, f"|{name}|", of, 1))
                for name, of in _SIZES.items()
                if lane.loads or name not in _OF_LOADS
            }
            for lane in simulation
        }

    def values(self, lane: str, quantity: str) -> tuple[np.ndarray, LaneColumn]:
        """Times (n,) and values (n, k); see `frame.Source`."""
        width = len(QUANTITIES[quantity].symbols)
        column = self._column(self._lanes[lane], quantity, QUANTITIES[quantity].of, width)
        return self._times_of(self._lanes[lane])[: len(column)], column

    def pair(self, lane: str, quantity: str, row: int) -> np.ndarray | None:
        """Values (2, k) of a quantity at `row` and the next one; None where they cannot be read yet."""
        values = self.values(lane, quantity)[1]
        return values.read(row, row + 2) if row + 2 <= len(values) else None

    def refresh(self, hurry: bool = True) -> None:
        """A frame begins: take in what the worker has recorded. What curves need of it waits without `hurry`."""
        self._growth.refresh(hurry)
        self._take()
        for sizes in self._largest.values():
            for largest, column in sizes.values():
                largest.grow(column)

    def close(self) -> None:
        """Stop taking in; what there is can still be read."""
        self._growth.close()

    def reach(self, lane: str) -> float:
        """Time of the last row that can be read [s]: what a frame may promise to be there."""
        run = self._lanes[lane]
        return run.computed_to if run.prepared else 0.0

    @property
    def taken(self) -> int:
        """It grows where curves have more to draw of what can be read: now and then, while there is much to reduce, for
        whoever draws takes time from the thread that reduces."""
        return self._taken

    def _take(self) -> None:
        progress = self._growth.progress
        if progress == self._taken:
            return  # before every follower is asked whether it is behind
        now, behind = monotonic(), self._growth.behind
        if now - self._taken_at >= self._pause or not behind:
            self._taken, self._taken_at = progress, now
            self._pause = min(2 * self._pause, LATEST) if behind else SOONEST

    @property
    def behind(self) -> bool:
        """Whether curves have yet to show something of what can be read."""
        return self._growth.behind

    def scales(self) -> dict[str, float]:
        """Largest magnitude of each drawn vector so far, over all lanes but those that grew beyond all bounds."""
        burst = {lane.name for lane in self._lanes.values() if lane.status == "not_finite"}
        sound = [sizes for name, sizes in self._largest.items() if name not in burst]
        sound = sound or list(self._largest.values())
        return {name: max(sizes[name][0].value for sizes in sound) for name in sound[0]} if sound else {}

    def _column(self, lane: LaneRun, name: str, of: Of, width: int) -> LaneColumn:
        return LaneColumn(lane, name, of, width, self._recent, self._growth)

    def _times_of(self, lane: LaneRun) -> np.ndarray:
        """Sample times of all lanes, which share them."""
        if lane.samples > len(self._times):
            self._times = np.arange(max(lane.history.capacity, lane.samples)) * self.info.sample_interval
        return self._times


class _Largest(Following):
    """The largest number of a column."""

    def __init__(self) -> None:
        super().__init__()
        self.value = 0.0

    def digest(self, rows: np.ndarray) -> tuple[int, float]:
        return len(rows), float(np.max(rows, where=np.isfinite(rows), initial=0.0))

    def absorb(self, digest: tuple[int, float]) -> None:
        self.count += digest[0]
        self.value = max(self.value, digest[1])
