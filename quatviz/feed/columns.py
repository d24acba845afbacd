"""The curves of one run, computed from the histories where they are read, with the blocks of rows that are read again and again."""

from collections import Counter, OrderedDict
from itertools import islice

import numpy as np

from quatviz.feed.frame import RunInfo
from quatviz.feed.lazy import AT_ONCE, Growth, LaneColumn, Largest, Of, Reader, large_numbers, value_at
from quatviz.motion.between import Nodes
from quatviz.motion.observables import QUANTITIES, Motion
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation

FEW, SIGHT = 512, 2048
"""Rows per block: of what is read about the cursor, and of what is in sight."""

BYTES = 64 * 2**20
"""What all blocks of a run may take."""

ASKED = 256
"""Values between samples that are kept: those of all that the window shows of a few lanes at one time."""

MANY = 32
"""Stretches of more blocks than this are computed for once, and not kept."""


class Recent:
    """A `lazy.Reader` that keeps what was read last: a leap of the cursor needs few rows, a zoomed view many, and curves all of a
    run of so few `rows` that they are reduced at once."""

    def __init__(self, rows: int, limit: int = BYTES) -> None:
        sight = max(SIGHT, rows) if rows <= AT_ONCE else SIGHT
        self._few, self._sight = Blocks(FEW, limit // 8), Blocks(sight, limit - limit // 8)
        self._at: dict[tuple[str, str, Nodes], np.ndarray] = {}
        """What was asked for at the cursor: all of the window asks for the same."""

    @property
    def nbytes(self) -> int:
        """What it keeps."""
        return self._few.nbytes + self._sight.nbytes

    def at(self, lane: LaneRun, name: str, of: Of, nodes: Nodes) -> np.ndarray:
        found = self._at.get((lane.name, name, nodes))
        if found is None:
            if len(self._at) >= ASKED:
                self._at.clear()
            found = self._at[lane.name, name, nodes] = value_at(lane, name, of, nodes, self)
        return found

    def rows(self, lane: LaneRun, name: str, of: Of, start: int, stop: int) -> np.ndarray:
        few = stop - start <= FEW and not self._sight.has(lane, name, start, stop)
        return (self._few if few else self._sight).rows(lane, name, of, start, stop)


class Blocks:
    """A `lazy.Reader` that keeps the blocks of `size` rows that were read last, and forgets others beyond `limit` bytes."""

    def __init__(self, size: int, limit: int) -> None:
        self.nbytes = 0
        self._size, self._limit = size, limit
        self._kept: OrderedDict[tuple[str, int], _Block] = OrderedDict()

    def rows(self, lane: LaneRun, name: str, of: Of, start: int, stop: int) -> np.ndarray:
        size = self._size
        first, last = start // size, max(stop - 1, start) // size
        if first == last:
            return self._block(lane, name, of, first, stop - first * size)[start - first * size :]
        if last - first >= MANY:
            return self._passing(lane, of, start, stop)
        pieces = [
            self._block(lane, name, of, number, min(stop - number * size, size))
            for number in range(first, last + 1)
        ]
        pieces[0] = pieces[0][start - first * size :]
        return np.concatenate(pieces)

    def has(self, lane: LaneRun, name: str, start: int, stop: int) -> bool:
        """Whether these rows are at hand in one block: what is in sight about the cursor need not be computed again."""
        block = self._kept.get((lane.name, start // self._size))
        return block is not None and block.filled[name] >= stop - start // self._size * self._size

    @large_numbers
    def _passing(self, lane: LaneRun, of: Of, start: int, stop: int) -> np.ndarray:
        size = self._size
        return np.concatenate([of(lane.motion(at, min(at + size, stop))) for at in range(start, stop, size)])

    def _block(self, lane: LaneRun, name: str, of: Of, number: int, stop: int) -> np.ndarray:
        key = (lane.name, number)
        block = self._kept.get(key)
        if block is None:
            block = self._kept[key] = _Block(lane, number * self._size, self._size)
        else:
            self._kept.move_to_end(key)
        before = block.nbytes
        rows = block.rows(name, of, stop)
        if block.nbytes != before:
            self.nbytes += block.nbytes - before
            while self.nbytes > self._limit and len(self._kept) > 1:
                self.nbytes -= self._kept.popitem(last=False)[1].nbytes
        return rows


class _Block:
    """`size` rows of one lane from `first` on: every quantity is computed once, and more as the lane grows."""

    def __init__(self, lane: LaneRun, first: int, size: int) -> None:
        self.nbytes = 0
        self._lane, self._first, self._size = lane, first, size
        self._values: dict[str, np.ndarray] = {}
        self.filled = Counter[str]()
        """How many rows of each quantity are at hand."""
        self._motion: tuple[int, int, Motion] | None = None
        self._of_motion = self._counted = 0
        """Bytes of it among `nbytes`, and of how many things: what it is asked for it keeps."""

    def rows(self, name: str, of: Of, stop: int) -> np.ndarray:
        """The first `stop` rows (stop, k) of a quantity."""
        if self.filled[name] < stop:
            self._fill(name, of, stop)
        return self._values[name][:stop]

    @large_numbers
    def _fill(self, name: str, of: Of, stop: int) -> None:
        # All that the lane has of it: a cursor reads the next two rows in the next frame.
        until, first = max(stop, min(self._size, self._lane.samples - self._first)), self.filled[name]
        motion = self._stretch(first, until)
        new = of(motion)
        if not first:
            self._values[name] = np.empty((self._size, new.shape[1]))
            self.nbytes += self._values[name].nbytes
        self._values[name][first:until] = new
        self.filled[name] = until
        kept = vars(motion)
        more = sum(map(_bytes, islice(kept.values(), self._counted, None)))
        self._counted = len(kept)
        self._of_motion += more
        self.nbytes += more

    def _stretch(self, start: int, stop: int) -> Motion:
        """What quantities have in common is found once for all that need the same rows."""
        if self._motion is None or self._motion[:2] != (start, stop):
            motion = self._lane.motion(self._first + start, self._first + stop)
            self._motion = start, stop, motion
            self.nbytes -= self._of_motion
            self._of_motion = self._counted = 0
        return self._motion[2]


def _bytes(value: object) -> int:
    if isinstance(value, dict):
        return sum(map(_bytes, value.values()))
    return value.nbytes if isinstance(value, np.ndarray) else 0


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
        self._recent = Recent(simulation.samples)
        self._growth = Growth()
        self._taken, self._taken_at, self._pause = 0, 0.0, SOONEST
        self._times: np.ndarray = np.empty(0)
        self._largest = {
            lane.name: {
                name: (Largest(), self._column(lane, f"|{name}|", of, 1))
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

    @property
    def reader(self) -> Reader:
        """What all of its columns are read by."""
        return self._recent

    def refresh(self, hurry: bool = True, now: float | None = None) -> None:
        """A frame begins, at the time `now` of the clock [s]: take in what the worker has recorded. What curves need of it
        waits without `hurry`. Without a time nobody waits."""
        self._growth.refresh(hurry)
        if self._take(now) or not self._growth.working:  # a scale that grows changes the picture, too
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

    def _take(self, now: float | None) -> bool:
        """Whether it is time to show what has been reduced since that was done last."""
        progress = self._growth.progress
        if progress == self._taken:
            return False  # before every follower is asked whether it is behind
        working = self._growth.working
        pause = self._pause if working else SOONEST
        if now is None or now - self._taken_at >= pause or not self._growth.behind:
            self._taken, self._taken_at = progress, now or 0.0
            self._pause = min(2 * self._pause, LATEST) if working else SOONEST
            return True
        return False

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


class Resting:
    """A `Source` of a run as far as it is computed now, reduced by whoever reads it, in any thread: for paper."""

    def __init__(self, simulation: Simulation, info: RunInfo) -> None:
        self.info = info
        self._lanes = {lane.name: lane for lane in simulation}
        longest = max((lane.samples for lane in simulation), default=0)
        self._recent = Recent(longest)
        self._times = np.arange(longest) * info.sample_interval

    def values(self, lane: str, quantity: str) -> tuple[np.ndarray, LaneColumn]:
        """Times (n,) and values (n, k); see `frame.Source`."""
        run, kind = self._lanes[lane], QUANTITIES[quantity]
        count = min(run.samples, len(self._times)) if run.prepared else 0
        column = LaneColumn(run, quantity, kind.of, len(kind.symbols), self._recent, None, count)
        return self._times[:count], column
