"""Columns of rows that are computed where they are read, and what is reduced from them as they grow, off the window's thread."""

import logging
import threading
from abc import ABC, abstractmethod
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, Protocol
from weakref import ref

import numpy as np

from quatviz.physics.kernels import extremes
from quatviz.physics.observables.interpolation import Nodes
from quatviz.physics.observables.quantities import Motion
from quatviz.simulation.lane import LaneRun

Of = Callable[[Motion], np.ndarray]
"""From a stretch of a lane to the values (n, k) of one quantity."""

large_numbers = np.errstate(over="ignore", invalid="ignore", divide="ignore")
"""A lane that is about to end has numbers whose squares no float holds: they become inf, and plots leave them out."""


class Rows(Protocol):
    """Computes rows of quantities of lanes, and may keep some of them for those who ask next."""

    def rows(self, lane: LaneRun, name: str, of: Of, start: int, stop: int) -> np.ndarray:
        """Rows start:stop (n, k) of the quantity that is called `name`."""


class Reader(Rows, Protocol):
    """Computes what is between rows, too."""

    def at(self, lane: LaneRun, name: str, of: Of, nodes: Nodes) -> np.ndarray:
        """The components (k,) of a quantity at the place of `nodes`; do not write to them."""


class LazyColumn(ABC):
    """Values (n, k) that are read like an array's: by row, by rows, by rows and component."""

    ndim = 2
    growth: "Growth | None" = None
    """Who grows what is derived from this column, off the window's thread."""
    of_lane = ""
    """The name of the lane whose rows it has."""

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
    def upto(self, count: int) -> "LazyColumn":
        """The first rows of it."""

    @abstractmethod
    def read(self, start: int, stop: int, reader: Rows | None = None) -> np.ndarray:
        """Rows start:stop (m, k); do not write to them. `reader` computes them instead of the column's own."""

    @abstractmethod
    def pick(self, rows: np.ndarray) -> np.ndarray:
        """These rows (m, k), which may lie far from each other."""

    @abstractmethod
    def at(self, place: float) -> np.ndarray:
        """The values (k,) at a place among its rows that need not be whole; beyond them those of the first or the last."""

    @property
    @abstractmethod
    def cuts(self) -> Sequence[int]:
        """The rows at which something has happened at once, in order: they have what it made."""

    @abstractmethod
    def before(self, row: int) -> np.ndarray:
        """The values (k,) that led to a row; they differ from its own where something has happened there."""


class LaneColumn(LazyColumn):
    """One quantity of one lane, by `of`."""

    def __init__(
        self,
        lane: LaneRun,
        name: str,
        of: Of,
        width: int,
        reader: Reader,
        growth: "Growth | None" = None,
        count: int | None = None,
    ) -> None:
        self._lane, self._name, self._of, self._reader, self.growth = lane, name, of, reader, growth
        self.of_lane = lane.name
        super().__init__(self.available() if count is None else count, width)

    def available(self) -> int:
        # Lambda of the first row would wait for the compiler before its kernels are there.
        return self._lane.samples if self._lane.prepared else 0

    def upto(self, count: int) -> "LaneColumn":
        if count >= len(self):
            return self
        return LaneColumn(self._lane, self._name, self._of, self.shape[1], self._reader, self.growth, count)

    def read(self, start: int, stop: int, reader: Rows | None = None) -> np.ndarray:
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

    def at(self, place: float) -> np.ndarray:
        return self._reader.at(self._lane, self._name, self._of, self._lane.nodes(place, len(self)))

    @property
    def cuts(self) -> Sequence[int]:
        return [cut for cut in self._lane.cuts if cut < len(self)]

    @large_numbers
    def before(self, row: int) -> np.ndarray:
        return self._of(self._lane.led_to(row))[0] if row in self._lane.cuts else self[row]


class Derived(LazyColumn):
    """What `of` makes, row by row, of the rows of other columns or arrays."""

    def __init__(self, sources: "tuple[Column, ...]", of: Callable[..., np.ndarray], width: int) -> None:
        super().__init__(min(map(len, sources)), width)
        self._sources, self._of = sources, of
        lazy = [source for source in sources if isinstance(source, LazyColumn)]
        self.growth = lazy[0].growth if len(lazy) == len(sources) else None
        self.of_lane = lazy[0].of_lane if lazy else ""

    def available(self) -> int:
        return min(
            source.available() if isinstance(source, LazyColumn) else len(source) for source in self._sources
        )

    def upto(self, count: int) -> "Derived":
        return Derived(tuple(upto(source, count) for source in self._sources), self._of, self.shape[1])

    @large_numbers
    def read(self, start: int, stop: int, reader: Rows | None = None) -> np.ndarray:
        return self._of(
            *(
                source.read(start, stop, reader) if isinstance(source, LazyColumn) else source[start:stop]
                for source in self._sources
            )
        )

    @large_numbers
    def pick(self, rows: np.ndarray) -> np.ndarray:
        return self._of(*(source[rows] for source in self._sources))

    @large_numbers
    def at(self, place: float) -> np.ndarray:
        place = min(place, len(self) - 1.0)
        return self._of(*(between(source, place)[None] for source in self._sources))[0]

    @property
    def cuts(self) -> Sequence[int]:
        return sorted({cut for source in self._sources for cut in cuts_of(source) if cut < len(self)})

    @large_numbers
    def before(self, row: int) -> np.ndarray:
        return self._of(*(before(source, row)[None] for source in self._sources))[0]


Column = np.ndarray | LazyColumn
"""Values (n, k), at hand or computed where they are read."""


def between(column: Column, place: float) -> np.ndarray:
    """The values (k,) of a column (n, k) at a `place` among its rows that need not be whole."""
    if isinstance(column, LazyColumn):
        return column.at(place)
    nodes = Nodes.about(place, len(column))
    return nodes.mixed(np.asarray(column[nodes.first : nodes.stop]))


def cuts_of(column: Column) -> Sequence[int]:
    """The rows of a column at which something has happened at once."""
    return column.cuts if isinstance(column, LazyColumn) else ()


def before(column: Column, row: int) -> np.ndarray:
    """The values (k,) that led to a row of a column."""
    return column.before(row) if isinstance(column, LazyColumn) else column[row]


DENSE = 16
"""Rows that lie closer than this on average are read together with those between them."""


def upto(column: Column, count: int) -> Any:
    """The first rows of a column or an array."""
    return column.upto(count) if isinstance(column, LazyColumn) else column[:count]


log = logging.getLogger(__name__)

ROWS = 16384
"""Rows that the thread takes at a time: so many that calls cost little beside them, so few that they fit into caches."""

AT_ONCE = 2**14
"""Rows of a new follower that are reduced while it waits: it belongs to a run of few minutes, which is to be seen at once. A hand
that drags a number has the next one before the thread gets to this one, and no curve would follow it."""

ROOM = 16_000
"""Rows, of all followers together, that the window's thread reduces between two refreshes: a millisecond or two."""

RESTS, LONGEST_REST = 1.0, 0.5
"""Without hurry, the thread rests this many times as long as it has worked, and this many seconds at most: it takes turns
with the window's thread, and what it reduces is in sight only later."""

AHEAD = 2**19
"""Rows beyond which nothing is reduced for a follower that does not look: its panel is hidden."""


class Following(ABC):
    """What grows with a column when it is told to, in two halves: `digest` may run beside the window's thread, and `absorb` is
    quick."""

    def __init__(self) -> None:
        self.digested = 0
        """Rows digested so far; only `Growth` and `grow` touch it."""
        self.count = 0
        """Rows absorbed so far."""
        self.waiting: deque[Any] = deque()
        """Digests that have yet to be absorbed, and the fault that ended digesting."""

    @abstractmethod
    def digest(self, rows: np.ndarray) -> Any:
        """What becomes of the rows (m, k) that follow those digested before; it may run beside the window's thread."""

    @abstractmethod
    def absorb(self, digest: Any) -> None:
        """Take in what was made of new rows, and add their number to `count`."""

    def grow(self, column: Column) -> None:
        """Take in what there is by now of a column that its run's `Growth` keeps up, or all that is new of another."""
        if isinstance(column, LazyColumn) and column.growth is not None:
            column.growth.follow(self, column)
        elif len(column) > self.digested:
            self.waiting.append(self.digest(column[self.digested :]))
            self.digested = len(column)
        while self.waiting:
            digest = self.waiting.popleft()
            if isinstance(digest, Exception):
                raise digest
            self.absorb(digest)


class Largest(Following):
    """The largest number of a column, and 0 where none is above that."""

    def __init__(self) -> None:
        super().__init__()
        self.value = 0.0

    def digest(self, rows: np.ndarray) -> tuple[int, float]:
        return len(rows), float(np.max(rows, where=np.isfinite(rows), initial=0.0))

    def absorb(self, digest: tuple[int, float]) -> None:
        self.count += digest[0]
        self.value = max(self.value, digest[1])


class Growth:
    """Keeps the followers of one run up with its columns, those first that are furthest behind.

    The thread lives only while somebody is behind. `close` ends it.
    """

    def __init__(self) -> None:
        self.progress = 0
        """Rows digested so far for anybody: it grows where somebody has something to absorb."""
        self._followers: dict[int, tuple[ref[Following], LazyColumn]] = {}
        self._mutex = threading.Lock()
        """Held for a moment, while the followers or the thread change."""
        self._digesting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closing = False
        self._room = ROOM
        self._hurry = threading.Event()
        """Whether the thread works without a rest."""
        self._hurry.set()

    def refresh(self, hurry: bool = True) -> None:
        """Another frame begins; without `hurry`, frames come first."""
        self._room = ROOM
        if hurry != self._hurry.is_set():
            self._hurry.set() if hurry else self._hurry.clear()

    @property
    def working(self) -> bool:
        """Whether the thread has more to digest."""
        return self._thread is not None

    @property
    def behind(self) -> bool:
        """Whether somebody who looks has not absorbed all that could be read."""
        followers = ((reference(), column) for reference, column in list(self._followers.values()))
        return any(
            follower.count < column.available() and follower.digested - follower.count < AHEAD
            for follower, column in followers
            if follower is not None
        )

    def follow(self, follower: Following, column: LazyColumn) -> None:
        """Let it grow with its column, at once if few rows are new."""
        known = self._followers.get(id(follower))
        if known is None or known[0]() is not follower:
            with self._mutex:
                for key in [key for key, (one, _) in self._followers.items() if one() is None]:
                    del self._followers[key]  # what a dropped column has of others would be grown for nobody
                self._followers[id(follower)] = ref(follower), column
        behind = column.available() - follower.digested
        if behind <= 0 or self._closing:
            return
        few = behind <= (AT_ONCE if follower.digested == 0 else self._room)
        if few and self._digesting.acquire(blocking=False):
            try:
                self._room -= behind
                self._digest(follower, column, column.available(), None)
            finally:
                self._digesting.release()
        else:
            self._begin()

    def close(self) -> None:
        """End the thread and wait for it: at most a few milliseconds."""
        with self._mutex:
            self._closing = True
        self._hurry.set()
        if self._thread is not None:
            self._thread.join()

    def _begin(self) -> None:
        with self._mutex:
            if self._thread is None and not self._closing:
                self._thread = threading.Thread(target=self._run, name="quatviz-growth", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        extremes.load_kept()
        while True:
            with self._mutex:
                work = [] if self._closing else self._furthest_behind()
                if not work:
                    self._thread = None if not self._closing else self._thread
                    return
            began = perf_counter()
            with self._digesting:
                passing = Passing()
                for follower, column in work:
                    if self._closing:
                        break
                    stop = min(column.available(), (follower.digested // ROWS + 1) * ROWS)
                    self._digest(follower, column, stop, passing)
            del work  # or it would keep followers that everybody else has dropped
            follower = column = None  # type: ignore[assignment]
            self._hurry.wait(min(RESTS * (perf_counter() - began), LONGEST_REST))

    def _furthest_behind(self) -> list[tuple[Following, LazyColumn]]:
        behind = []
        for key, (reference, column) in list(self._followers.items()):
            follower = reference()
            if follower is None:
                del self._followers[key]
            elif follower.digested - follower.count < AHEAD and follower.digested < column.available():
                behind.append((follower, column))
        least = min((follower.digested for follower, _ in behind), default=0)
        furthest = [pair for pair in behind if pair[0].digested == least]
        return sorted(furthest, key=lambda pair: pair[1].of_lane)

    @large_numbers
    def _digest(self, follower: Following, column: LazyColumn, stop: int, passing: "Passing | None") -> None:
        start = follower.digested
        if start >= stop:
            return  # the other thread has digested these rows since they were found to be new
        try:
            digest = follower.digest(column.read(start, stop, passing))
        except Exception as fault:
            log.exception("rows %d to %d could not be reduced", start, stop)
            digest = fault
            with self._mutex:
                self._followers[id(follower)] = (lambda: None), column  # type: ignore[assignment]
        follower.digested = stop
        follower.waiting.append(digest)
        self.progress += stop - start


class Passing:
    """A `lazy.Reader` for one stretch of rows, one lane after another: what quantities have in common is found once, then
    forgotten; only a lane that others are compared with is at hand beside them."""

    def __init__(self) -> None:
        self._lanes: OrderedDict[tuple[str, int, int], tuple[Motion, dict[str, np.ndarray]]] = OrderedDict()

    def rows(self, lane: LaneRun, name: str, of: Of, start: int, stop: int) -> np.ndarray:
        key = (lane.name, start, stop)
        if key not in self._lanes:
            while len(self._lanes) > 1:
                self._lanes.popitem(last=False)
            self._lanes[key] = lane.motion(start, stop), {}
        self._lanes.move_to_end(key)
        motion, values = self._lanes[key]
        if name not in values:
            values[name] = of(motion)
        return values[name]
