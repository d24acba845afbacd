"""Every lane at the cursor's time, interpolated between its two nearest samples, for display only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from quatviz.core.observables import QUANTITIES, Motion
from quatviz.core.rotations import normalise, rotation_matrix, slerp
from quatviz.simulation.lane import LaneRun
from quatviz.ui.columns import VECTORS, Columns
from quatviz.ui.frame import Pose
from quatviz.ui.lazy import large_numbers

READ_OUT = ("p", "omega", "h", "energy", "constraint", "energy_drift")
"""Quantities whose values at the cursor every frame carries."""

_FREE = tuple(name for name in VECTORS if name != "torque")


class Values(Mapping[str, np.ndarray]):
    """Components (k,) of each of the quantities `names`, computed when they are asked for: digits change more seldom
    than frames, and few lanes have arrows."""

    def __init__(self, between: Callable[[str], np.ndarray], names: Sequence[str]) -> None:
        self._between, self._names = between, names
        self._known: dict[str, np.ndarray] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._known:
            self._known[name] = self._between(name)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class _Place:
    """One lane between two samples. Beyond the last one it is that one: a lane that ended stays where it ended."""

    def __init__(self, lane: LaneRun, time: float, columns: Columns | None) -> None:
        position = min(max(time / lane.interval, 0.0), lane.samples - 1)
        self._lane, self._columns = lane, columns
        self._row = min(int(position), max(lane.samples - 2, 0))
        self.share = position - self._row
        self._motion: Motion | None = None

    def ends(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """A quantity (k,) at the sample before and at the one after, from `columns` where those have got so far."""
        values = self._columns.pair(self._lane.name, name, self._row) if self._columns is not None else None
        if values is None:
            self._motion = self._motion or self._lane.motion(self._row, self._row + 2)
            values = QUANTITIES[name].of(self._motion)
        return values[0], values[-1]

    @large_numbers
    def between(self, name: str) -> np.ndarray:
        """A quantity (k,) at the cursor."""
        before, after = self.ends(name)
        value: np.ndarray = before + self.share * (after - before)
        return value

    def vectors(self) -> Values:
        """What is drawn as arrows, in space."""
        return Values(self._vector, VECTORS if self._lane.loads else _FREE)

    def _vector(self, name: str) -> np.ndarray:
        return np.nan_to_num(self.between(f"{name}_space"), posinf=0.0, neginf=0.0)


@large_numbers
def at_cursor(
    lanes: Sequence[LaneRun], time: float, columns: Columns | None = None
) -> list[tuple[Pose, Values]]:
    """Pose and values of each lane at `time` [s]; the rotations of all at once, which costs little more than one."""
    places = [_Place(lane, time, columns) for lane in lanes]
    ends = np.array([place.ends("p") for place in places])
    # Divided first: the last numbers of a lane that grew beyond all bounds cannot be squared.
    unit = normalise(ends / np.abs(ends).max(axis=2, keepdims=True))
    p = slerp(unit[:, 0], unit[:, 1], np.array([place.share for place in places]))
    rotations = rotation_matrix(p)
    return [
        (Pose(p[number], rotations[number], place.vectors()), Values(place.between, READ_OUT))
        for number, place in enumerate(places)
    ]
