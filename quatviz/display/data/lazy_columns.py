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

from quatviz.base.errors import PLUGIN_EXCEPTIONS
from quatviz.physics.kernels import extremes_cache
from quatviz.physics.observables.interpolation import InterpolationNodes
from quatviz.physics.observables.quantities import Motion
from quatviz.simulation.lane import LaneRun

Compute = Callable[[Motion], np.ndarray]
"""From a stretch of a lane to the values (n, k) of one quantity."""

large_numbers = np.errstate(over="ignore", invalid="ignore", divide="ignore")
"""A lane that is about to end has numbers whose squares no float holds: they become inf, and plots leave them out."""


class RowReader(Protocol):
    """Computes rows of quantities of lanes, and may keep some of them for those who ask next."""

    def rows(self, lane: LaneRun, name: str, of: Compute, start: int, stop: int) -> np.ndarray:
        """Rows start:stop (n, k) of the quantity that is called `name`."""


class CursorReader(RowReader, Protocol):
    """Computes what is between rows, too."""

    def at(self, lane: LaneRun, name: str, of: Compute, nodes: InterpolationNodes) -> np.ndarray:
        """The components (k,) of a quantity at the place of `nodes`; do not write to them."""


class LazyColumn(ABC):
    """Values (n, k) that are read like an array's: by row, by rows, by rows and component."""

    ndim = 2
    reducer: "BackgroundReducer | None" = None
    """Who grows what is derived from this column, off the window's thread."""
    lane_name = ""
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
            return self.take(np.arange(start, stop, step))[:, component]
        if isinstance(rows, int | np.integer):
            row = int(rows) + (len(self) if rows < 0 else 0)
            if not 0 <= row < len(self):
                raise IndexError(f"row {rows} of {len(self)}")
            return self.read(row, row + 1)[0, component]
        rows = np.asarray(rows)
        rows = np.flatnonzero(rows) if rows.dtype == bool else np.where(rows < 0, rows + len(self), rows)
        return self.take(rows)[:, component]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self[:], dtype=dtype)

    @abstractmethod
    def available(self) -> int:
        """Rows that can be read by now, at least as many as the column has."""

    @abstractmethod
    def truncated(self, count: int) -> "LazyColumn":
        """The first rows of it."""

    @abstractmethod
    def read(self, start: int, stop: int, reader: RowReader | None = None) -> np.ndarray:
        """Rows start:stop (m, k); do not write to them. `reader` computes them instead of the column's own."""

    @abstractmethod
    def take(self, rows: np.ndarray) -> np.ndarray:
        """These rows (m, k), which may lie far from each other."""

    @abstractmethod
    def interpolate(self, position: float) -> np.ndarray:
        """The values (k,) at a place among its rows that need not be whole; beyond them those of the first or the last."""

    @property
    @abstractmethod
    def event_rows(self) -> Sequence[int]:
        """The rows at which something has happened at once, in order: they have what it made."""

    @abstractmethod
    def before_event(self, row: int) -> np.ndarray:
        """The values (k,) that led to a row; they differ from its own where something has happened there."""


class LaneColumn(LazyColumn):
    """One quantity of one lane, by `of`."""

    def __init__(
        self,
        lane: LaneRun,
        name: str,
        compute: Compute,
        width: int,
        reader: CursorReader,
        reducer: "BackgroundReducer | None" = None,
        count: int | None = None,
    ) -> None:
        self._lane, self._name, self._compute, self._reader, self.reducer = (
            lane,
            name,
            compute,
            reader,
            reducer,
        )
        self.lane_name = lane.name
        super().__init__(self.available() if count is None else count, width)

    def available(self) -> int:
        # Lambda of the first row would wait for the compiler before its kernels are there.
        return self._lane.samples if self._lane.prepared else 0

    def truncated(self, count: int) -> "LaneColumn":
        if count >= len(self):
            return self
        return LaneColumn(
            self._lane, self._name, self._compute, self.shape[1], self._reader, self.reducer, count
        )

    def read(self, start: int, stop: int, reader: RowReader | None = None) -> np.ndarray:
        if start >= stop:
            # Readers fill whole blocks: the first row of a lane whose kernels are not there yet among them.
            return np.empty((0, self.shape[1]))
        return (reader or self._reader).rows(self._lane, self._name, self._compute, start, stop)

    @large_numbers
    def take(self, rows: np.ndarray) -> np.ndarray:
        if len(rows) == 0:
            return np.empty((0, self.shape[1]))
        low, high = int(rows.min()), int(rows.max()) + 1
        if high - low <= MAX_ROW_SPACING * len(rows):
            return self.read(low, high)[rows - low]
        return self._compute(self._lane.motion_at(rows))

    def interpolate(self, position: float) -> np.ndarray:
        return self._reader.at(self._lane, self._name, self._compute, self._lane.nodes(position, len(self)))

    @property
    def event_rows(self) -> Sequence[int]:
        return [cut for cut in self._lane.event_samples if cut < len(self)]

    @large_numbers
    def before_event(self, row: int) -> np.ndarray:
        return (
            self._compute(self._lane.state_before_event(row))[0]
            if row in self._lane.event_samples
            else self[row]
        )


class DerivedColumn(LazyColumn):
    """What `of` makes, row by row, of the rows of other columns or arrays."""

    def __init__(self, sources: "tuple[Column, ...]", compute: Callable[..., np.ndarray], width: int) -> None:
        super().__init__(min(map(len, sources)), width)
        self._sources, self._compute = sources, compute
        lazy = [source for source in sources if isinstance(source, LazyColumn)]
        self.reducer = lazy[0].reducer if len(lazy) == len(sources) else None
        self.lane_name = lazy[0].lane_name if lazy else ""

    def available(self) -> int:
        return min(
            source.available() if isinstance(source, LazyColumn) else len(source) for source in self._sources
        )

    def truncated(self, count: int) -> "DerivedColumn":
        return DerivedColumn(
            tuple(truncate(source, count) for source in self._sources), self._compute, self.shape[1]
        )

    @large_numbers
    def read(self, start: int, stop: int, reader: RowReader | None = None) -> np.ndarray:
        return self._compute(
            *(
                source.read(start, stop, reader) if isinstance(source, LazyColumn) else source[start:stop]
                for source in self._sources
            )
        )

    @large_numbers
    def take(self, rows: np.ndarray) -> np.ndarray:
        return self._compute(*(source[rows] for source in self._sources))

    @large_numbers
    def interpolate(self, position: float) -> np.ndarray:
        position = min(position, len(self) - 1.0)
        return self._compute(*(interpolate(source, position)[None] for source in self._sources))[0]

    @property
    def event_rows(self) -> Sequence[int]:
        return sorted({cut for source in self._sources for cut in event_rows(source) if cut < len(self)})

    @large_numbers
    def before_event(self, row: int) -> np.ndarray:
        return self._compute(*(before_event(source, row)[None] for source in self._sources))[0]


Column = np.ndarray | LazyColumn
"""Values (n, k), at hand or computed where they are read."""


def interpolate(column: Column, position: float) -> np.ndarray:
    """The values (k,) of a column (n, k) at a `position` among its rows that need not be whole."""
    if isinstance(column, LazyColumn):
        return column.interpolate(position)
    nodes = InterpolationNodes.around(position, len(column))
    return nodes.interpolate(np.asarray(column[nodes.first : nodes.stop]))


def event_rows(column: Column) -> Sequence[int]:
    """The rows of a column at which something has happened at once."""
    return column.event_rows if isinstance(column, LazyColumn) else ()


def before_event(column: Column, row: int) -> np.ndarray:
    """The values (k,) that led to a row of a column."""
    return column.before_event(row) if isinstance(column, LazyColumn) else column[row]


MAX_ROW_SPACING = 16
"""Rows that lie closer than this on average are read together with those between them."""


def truncate(column: Column, count: int) -> Any:
    """The first rows of a column or an array."""
    return column.truncated(count) if isinstance(column, LazyColumn) else column[:count]


log = logging.getLogger(__name__)

REDUCTION_CHUNK = 16384
"""Rows that the thread takes at a time: so many that calls cost little beside them, so few that they fit into caches."""

MAX_IMMEDIATE_ROWS = 2**14
"""Rows of a new follower that are reduced while it waits: it belongs to a run of few minutes, which is to be seen at once. A hand
that drags a number has the next one before the thread gets to this one, and no curve would follow it."""

MAX_FOREGROUND_ROWS = 16_000
"""Rows, of all followers together, that the window's thread reduces between two refreshes: a millisecond or two."""

REST_FACTOR, MAX_REST = 1.0, 0.5
"""Without hurry, the thread rests this many times as long as it has worked, and this many seconds at most: it takes turns
with the window's thread, and what it reduces is in sight only later."""

MAX_UNABSORBED_ROWS = 2**19
"""Rows beyond which nothing is reduced for a follower that does not look: its panel is hidden."""


class IncrementalReducer(ABC):
    """What grows with a column when it is told to, in two halves: `digest` may run beside the window's thread, and `absorb` is
    quick."""

    def __init__(self) -> None:
        self.digested_count = 0
        """Rows digested so far; only `BackgroundReducer` and `grow` touch it."""
        self.count = 0
        """Rows absorbed so far."""
        self.pending_digests: deque[Any] = deque()
        """Digests that have yet to be absorbed, and the fault that ended digesting."""

    @abstractmethod
    def digest(self, rows: np.ndarray) -> Any:
        """What becomes of the rows (m, k) that follow those digested before; it may run beside the window's thread."""

    @abstractmethod
    def absorb(self, digest: Any) -> None:
        """Take in what was made of new rows, and add their number to `count`."""

    def grow(self, column: Column) -> None:
        """Take in what there is by now of a column that its run's `BackgroundReducer` keeps up, or all that is new of another."""
        if isinstance(column, LazyColumn) and column.reducer is not None:
            column.reducer.grow(self, column)
        elif len(column) > self.digested_count:
            self.pending_digests.append(self.digest(column[self.digested_count :]))
            self.digested_count = len(column)
        while self.pending_digests:
            digest = self.pending_digests.popleft()
            if isinstance(digest, Exception):
                raise digest
            self.absorb(digest)


class RunningMaximum(IncrementalReducer):
    """The largest number of a column, and 0 where none is above that."""

    def __init__(self) -> None:
        super().__init__()
        self.value = 0.0

    def digest(self, rows: np.ndarray) -> tuple[int, float]:
        return len(rows), float(np.max(rows, where=np.isfinite(rows), initial=0.0))

    def absorb(self, digest: tuple[int, float]) -> None:
        self.count += digest[0]
        self.value = max(self.value, digest[1])


class BackgroundReducer:
    """Keeps the followers of one run up with its columns, those first that are furthest behind.

    The thread lives only while somebody is behind. `close` ends it.
    """

    def __init__(self) -> None:
        self.progress = 0
        """Rows digested so far for anybody: it grows where somebody has something to absorb."""
        self._followers: dict[int, tuple[ref[IncrementalReducer], LazyColumn]] = {}
        self._mutex = threading.Lock()
        """Held for a moment, while the followers or the thread change."""
        self._digesting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closing = False
        self._foreground_rows = MAX_FOREGROUND_ROWS
        self._full_speed = threading.Event()
        """Whether the thread works without a rest."""
        self._full_speed.set()

    def refresh(self, full_speed: bool = True) -> None:
        """Another frame begins; without `full_speed`, frames come first."""
        self._foreground_rows = MAX_FOREGROUND_ROWS
        if full_speed != self._full_speed.is_set():
            self._full_speed.set() if full_speed else self._full_speed.clear()

    @property
    def is_working(self) -> bool:
        """Whether the thread has more to digest."""
        return self._thread is not None

    @property
    def is_behind(self) -> bool:
        """Whether somebody who looks has not absorbed all that could be read."""
        live_followers = ((reference(), column) for reference, column in list(self._followers.values()))
        return any(
            follower.count < column.available()
            and follower.digested_count - follower.count < MAX_UNABSORBED_ROWS
            for follower, column in live_followers
            if follower is not None
        )

    def grow(self, follower: IncrementalReducer, column: LazyColumn) -> None:
        """Let it grow with its column, at once if few rows are new."""
        registered = self._followers.get(id(follower))
        if registered is None or registered[0]() is not follower:
            with self._mutex:
                for key in [key for key, (reference, _) in self._followers.items() if reference() is None]:
                    del self._followers[key]  # what a dropped column has of others would be grown for nobody
                self._followers[id(follower)] = ref(follower), column
        missing_rows = column.available() - follower.digested_count
        if missing_rows <= 0 or self._closing:
            return
        is_immediate = missing_rows <= (
            MAX_IMMEDIATE_ROWS if follower.digested_count == 0 else self._foreground_rows
        )
        if is_immediate and self._digesting.acquire(blocking=False):
            try:
                self._foreground_rows -= missing_rows
                self._digest(follower, column, column.available(), None)
            finally:
                self._digesting.release()
        else:
            self._start_thread()

    def close(self) -> None:
        """End the thread and wait for it: at most a few milliseconds."""
        with self._mutex:
            self._closing = True
        self._full_speed.set()
        if self._thread is not None:
            self._thread.join()

    def _start_thread(self) -> None:
        with self._mutex:
            if self._thread is None and not self._closing:
                self._thread = threading.Thread(target=self._run, name="quatviz-growth", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        extremes_cache.load_if_cached()
        while True:
            with self._mutex:
                work = [] if self._closing else self._furthest_behind()
                if not work:
                    self._thread = None if not self._closing else self._thread
                    return
            began = perf_counter()
            with self._digesting:
                scratch = ScratchReader()
                for follower, column in work:
                    if self._closing:
                        break
                    stop = min(
                        column.available(), (follower.digested_count // REDUCTION_CHUNK + 1) * REDUCTION_CHUNK
                    )
                    self._digest(follower, column, stop, scratch)
            del work  # or it would keep followers that everybody else has dropped
            follower = column = None  # type: ignore[assignment]
            self._full_speed.wait(min(REST_FACTOR * (perf_counter() - began), MAX_REST))

    def _furthest_behind(self) -> list[tuple[IncrementalReducer, LazyColumn]]:
        candidates = []
        for key, (reference, column) in list(self._followers.items()):
            follower = reference()
            if follower is None:
                del self._followers[key]
            elif (
                follower.digested_count - follower.count < MAX_UNABSORBED_ROWS
                and follower.digested_count < column.available()
            ):
                candidates.append((follower, column))
        smallest_count = min((follower.digested_count for follower, _ in candidates), default=0)
        furthest = [pair for pair in candidates if pair[0].digested_count == smallest_count]
        return sorted(furthest, key=lambda pair: pair[1].lane_name)

    @large_numbers
    def _digest(
        self, follower: IncrementalReducer, column: LazyColumn, stop: int, scratch: "ScratchReader | None"
    ) -> None:
        start = follower.digested_count
        if start >= stop:
            return  # the other thread has digested these rows since they were found to be new
        try:
            digest = follower.digest(column.read(start, stop, scratch))
        except PLUGIN_EXCEPTIONS as fault:
            log.exception("rows %d to %d could not be reduced", start, stop)
            digest = fault
            with self._mutex:
                self._followers[id(follower)] = (lambda: None), column  # type: ignore[assignment]
        follower.digested_count = stop
        follower.pending_digests.append(digest)
        self.progress += stop - start


class ScratchReader:
    """A `lazy.CursorReader` for one stretch of rows, one lane after another: what quantities have in common is found once, then
    forgotten; only a lane that others are compared with is at hand beside them."""

    def __init__(self) -> None:
        self._lanes: OrderedDict[tuple[str, int, int], tuple[Motion, dict[str, np.ndarray]]] = OrderedDict()

    def rows(self, lane: LaneRun, name: str, of: Compute, start: int, stop: int) -> np.ndarray:
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
