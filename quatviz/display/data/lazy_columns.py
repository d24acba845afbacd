"""Columns whose rows are computed when they are read, and reducers that follow their growth in a background thread."""

import logging
import os
import threading
from abc import ABC, abstractmethod
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
"""Function from the motion of a lane to the values (n, k) of one quantity."""

large_numbers = np.errstate(over="ignore", invalid="ignore", divide="ignore")
"""Context that ignores overflow. Diverging lanes have values whose squares become inf; plots leave such values out."""


class RowReader(Protocol):
    """Reader of the rows of a quantity of a lane, which computes them and may cache them."""

    def rows(self, lane: LaneRun, name: str, compute: Compute, start: int, stop: int) -> np.ndarray:
        """Return rows start:stop (n, k) of the quantity `name`, computed by `compute`."""


class CursorReader(RowReader, Protocol):
    """A row reader that also interpolates between rows."""

    def at(self, lane: LaneRun, name: str, compute: Compute, nodes: InterpolationNodes) -> np.ndarray:
        """Return the components (k,) of a quantity interpolated at the position `nodes` among its rows.
        The result must not be modified."""


class LazyColumn(ABC):
    """Values (n, k) that are indexed like an array: by row, rows, or rows and component."""

    ndim = 2
    reducer: "BackgroundReducer | None" = None
    """Background reducer for data derived from this column. If it is None, such data are reduced in the calling thread."""
    lane_name = ""
    """Name of the lane to which the column belongs."""

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
        """Return the number of rows that can be read now, which may exceed the length of the column."""

    @abstractmethod
    def truncated(self, count: int) -> "LazyColumn":
        """Return the column cut to its first `count` rows."""

    @abstractmethod
    def read(self, start: int, stop: int, reader: RowReader | None = None) -> np.ndarray:
        """Return rows start:stop (m, k); do not write to them. `reader` replaces the column's own reader."""

    @abstractmethod
    def take(self, rows: np.ndarray) -> np.ndarray:
        """Return the rows with these indices (m, k), which may be far apart."""

    @abstractmethod
    def interpolate(self, position: float) -> np.ndarray:
        """Return the values (k,) at a fractional row position; beyond the ends, those of the first or last row."""

    @property
    @abstractmethod
    def event_rows(self) -> Sequence[int]:
        """Sorted indices of rows at which an event changed the values instantly. They hold the values after the event."""

    @abstractmethod
    def before_events(self, rows: np.ndarray) -> np.ndarray:
        """Return the values (m, k) just before the events at ascending `rows` (m,); the values of the row itself where
        there is no event."""


class LaneColumn(LazyColumn):
    """One quantity of one lane, computed by `compute`."""

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
        # Computing λ of the first row would wait for the compiler while the kernels are not ready.
        return self._lane.samples if self._lane.prepared else 0

    def truncated(self, count: int) -> "LaneColumn":
        if count >= len(self):
            return self
        return LaneColumn(
            self._lane, self._name, self._compute, self.shape[1], self._reader, self.reducer, count
        )

    def read(self, start: int, stop: int, reader: RowReader | None = None) -> np.ndarray:
        if start >= stop:
            # Readers fill whole blocks, which would include the first row of a lane without kernels.
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
    def before_events(self, rows: np.ndarray) -> np.ndarray:
        has_event = np.isin(rows, self._lane.event_samples)
        if has_event.all():
            return self._compute(self._lane.states_before_events(rows.tolist()))
        values = np.array(self.take(rows))
        if has_event.any():
            values[has_event] = self._compute(self._lane.states_before_events(rows[has_event].tolist()))
        return values


class DerivedColumn(LazyColumn):
    """A column computed row by row from other columns or arrays by `compute`."""

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
    def before_events(self, rows: np.ndarray) -> np.ndarray:
        return self._compute(*(before_events(source, rows) for source in self._sources))


Column = np.ndarray | LazyColumn
"""A column of values (n, k), stored as an array or computed when it is read."""


def interpolate(column: Column, position: float) -> np.ndarray:
    """Return the values (k,) of a column (n, k) at a fractional row position."""
    if isinstance(column, LazyColumn):
        return column.interpolate(position)
    nodes = InterpolationNodes.around(position, len(column))
    return nodes.interpolate(np.asarray(column[nodes.first : nodes.stop]))


def event_rows(column: Column) -> Sequence[int]:
    """Return the indices of rows at which an event changed the values instantly."""
    return column.event_rows if isinstance(column, LazyColumn) else ()


def before_events(column: Column, rows: np.ndarray) -> np.ndarray:
    """Return the values (m, k) just before the events at ascending `rows` (m,)."""
    return column.before_events(rows) if isinstance(column, LazyColumn) else column[rows]


MAX_ROW_SPACING = 16
"""Largest average distance between requested rows at which the whole range that contains them is read at once.
If the rows are further apart, only the requested rows are computed."""


def truncate(column: Column, count: int) -> Any:
    """Return the first `count` rows of a column or an array."""
    return column.truncated(count) if isinstance(column, LazyColumn) else column[:count]


log = logging.getLogger(__name__)

REDUCTION_CHUNK = 32768
"""Number of rows that a background thread digests in one call: large enough to outweigh the cost of the
call, small enough for the CPU cache.

Chunks of half as many rows take a quarter more processor time.
"""

MAX_THREADS = min(2, os.cpu_count() or 1)
"""Largest number of background threads. Further threads would mostly wait for the interpreter lock."""

MAX_IMMEDIATE_ROWS = 2**14
"""Largest number of rows, counted from the start of a column, that are reduced at once instead of in the
background.

With this limit, runs of a few minutes appear at once. This matters while the user drags a value, when each run is
replaced before a background thread could reduce it.
"""

MAX_FOREGROUND_ROWS = 16_000
"""Largest number of rows that the GUI thread reduces in a frame, summed over all reducers. They take one or two
milliseconds."""

REST_FACTOR, MAX_REST = 1.0, 0.5
"""Pauses of a background thread at low priority: ratio of a pause to the working time before it, and length of the
longest pause [s]."""

MAX_UNABSORBED_ROWS = 2**19
"""Largest number of digested rows that wait to be absorbed, for example those of a hidden panel. When it is reached,
digesting stops."""


class IncrementalReducer(ABC):
    """Data derived from a growing column in two steps: `digest` is slow and may run in a background thread, `absorb` is
    fast."""

    def __init__(self) -> None:
        self.digested_count = 0
        """Rows digested so far. Only `BackgroundReducer` and `grow` change it."""
        self.count = 0
        """Number of rows absorbed so far."""
        self.pending_digests: deque[Any] = deque()
        """Digests that are not absorbed yet. If digesting has failed, the last entry is the exception."""

    @abstractmethod
    def digest(self, rows: np.ndarray) -> Any:
        """Reduce `rows` (m, k), which follow the rows of the previous call, and return the result for `absorb`.
        This method may run in the background thread."""

    @abstractmethod
    def absorb(self, digest: Any) -> None:
        """Add the result of `digest` to the reduced data, and the number of digested rows to `count`."""

    def grow(self, column: Column) -> None:
        """Digest and absorb the new rows of `column`. If the column has a background reducer, that reducer digests the
        rows."""
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
    """The largest value in a column; 0 if no value is positive."""

    def __init__(self) -> None:
        super().__init__()
        self.value = 0.0

    def digest(self, rows: np.ndarray) -> tuple[int, float]:
        return len(rows), float(np.max(rows, where=np.isfinite(rows), initial=0.0))

    def absorb(self, digest: tuple[int, float]) -> None:
        self.count += digest[0]
        self.value = max(self.value, digest[1])


class BackgroundReducer:
    """Background threads that keep the reducers of one run up to date with their columns. The reducer that is furthest
    behind comes first.

    Background threads exist only while a reducer is behind. Each thread digests one lane at a time. `close`
    ends them.
    """

    def __init__(self) -> None:
        self.progress = 0
        """Number of rows digested so far, summed over all reducers. An increase means that a reducer has something to
        absorb."""
        self._followers: dict[int, tuple[ref[IncrementalReducer], LazyColumn]] = {}
        self._mutex = threading.Lock()
        """Lock for the reducers, the threads and their work. It is held only briefly."""
        self._lane_released = threading.Condition(self._mutex)
        """Condition that is notified when a thread has finished digesting a lane."""
        self._threads: set[threading.Thread] = set()
        self._queue: deque[_LaneWork] = deque()
        """Reducers that the threads serve next, grouped by lane."""
        self._claimed_lanes: set[str] = set()
        """Names of the lanes that a thread digests now, so that no rows are digested twice."""
        self._closing = False
        self._foreground_rows = MAX_FOREGROUND_ROWS
        self._full_speed = threading.Event()
        """Event that is set while the threads may work without pauses."""
        self._full_speed.set()

    def refresh(self, full_speed: bool = True) -> None:
        """Begin a frame. If `full_speed` is False, a single thread works, with pauses, so that drawing frames has
        priority."""
        self._foreground_rows = MAX_FOREGROUND_ROWS
        if full_speed != self._full_speed.is_set():
            self._full_speed.set() if full_speed else self._full_speed.clear()

    @property
    def is_working(self) -> bool:
        """True while a background thread still has rows to reduce."""
        return bool(self._threads)

    @property
    def is_behind(self) -> bool:
        """True if any reducer that is in use has not absorbed all available rows."""
        live_followers = ((reference(), column) for reference, column in list(self._followers.values()))
        return any(
            follower.count < column.available()
            and follower.digested_count - follower.count < MAX_UNABSORBED_ROWS
            for follower, column in live_followers
            if follower is not None
        )

    def grow(self, follower: IncrementalReducer, column: LazyColumn) -> None:
        """Register a reducer with its column. If the new rows are few, digest them at once, otherwise in a background
        thread."""
        registered = self._followers.get(id(follower))
        if registered is None or registered[0]() is not follower:
            self._register(follower, column)
        missing_rows = column.available() - follower.digested_count
        if missing_rows <= 0 or self._closing:
            return
        is_immediate = missing_rows <= (
            MAX_IMMEDIATE_ROWS if follower.digested_count == 0 else self._foreground_rows
        )
        if is_immediate and self._claim(column.lane_name):
            try:
                self._foreground_rows -= missing_rows
                self._digest(follower, column, column.available(), None)
            finally:
                self._release(column.lane_name)
        else:
            with self._mutex:
                is_unclaimed = column.lane_name not in self._claimed_lanes
                self._start_thread(MAX_THREADS if is_unclaimed and self._full_speed.is_set() else 1)

    def _register(self, follower: IncrementalReducer, column: LazyColumn) -> None:
        """Keep a reducer up to date with a column until the reducer is dropped."""
        key, followers = id(follower), self._followers

        def remove_follower(_: object) -> None:
            followers.pop(key, None)  # reducers of dropped columns must not grow for nothing

        with self._mutex:
            followers[key] = ref(follower, remove_follower), column

    def close(self) -> None:
        """End the threads and wait for them, at most a few milliseconds."""
        with self._mutex:
            self._closing = True
            threads = list(self._threads)
        self._full_speed.set()
        for thread in threads:
            thread.join()

    def _claim(self, lane_name: str) -> bool:
        """Claim a lane, so that no other thread digests it. Return False if another thread has claimed it."""
        with self._mutex:
            if lane_name in self._claimed_lanes:
                return False
            self._claimed_lanes.add(lane_name)
            return True

    def _release(self, lane_name: str) -> None:
        with self._lane_released:
            self._claimed_lanes.remove(lane_name)
            self._lane_released.notify_all()

    def _start_thread(self, max_threads: int) -> None:
        """Start a thread if fewer than `max_threads` exist. The caller must hold the mutex."""
        if len(self._threads) < max_threads and not self._closing:
            thread = threading.Thread(target=self._run, name="quatviz-growth", daemon=True)
            self._threads.add(thread)
            thread.start()

    def _run(self) -> None:
        extremes_cache.load_if_cached()
        scratch = ScratchReader()
        while work := self._claim_work():
            began = perf_counter()
            try:
                for follower, column in work.pairs:
                    if self._closing:
                        break
                    next_chunk = (follower.digested_count // REDUCTION_CHUNK + 1) * REDUCTION_CHUNK
                    self._digest(follower, column, min(column.available(), next_chunk), scratch)
            finally:
                self._release(work.lane_name)
            del work  # Otherwise it would keep reducers alive that all others have dropped.
            follower = column = None  # type: ignore[assignment]
            self._full_speed.wait(min(REST_FACTOR * (perf_counter() - began), MAX_REST))

    def _claim_work(self) -> "_LaneWork | None":
        """Claim a lane that no other thread digests, and start another thread if more lanes are left. If all lanes are
        claimed, wait. Return None if this thread should end."""
        with self._lane_released:
            while not self._closing and (self._full_speed.is_set() or len(self._threads) == 1):
                if not self._queue:
                    furthest = self._furthest_behind()
                    if not furthest:
                        break
                    self._queue.extend(work for work in furthest if self._is_unclaimed(work))
                work = next(filter(self._is_unclaimed, self._queue), None)
                if work is None:
                    self._lane_released.wait()
                    continue
                self._queue.remove(work)
                self._claimed_lanes.add(work.lane_name)
                if self._queue and self._full_speed.is_set():
                    self._start_thread(MAX_THREADS)
                return work
            if self._closing or len(self._threads) == 1:
                self._queue.clear()
            self._threads.discard(threading.current_thread())
            return None

    def _is_unclaimed(self, work: "_LaneWork") -> bool:
        return work.lane_name not in self._claimed_lanes

    def _furthest_behind(self) -> "list[_LaneWork]":
        """Return the reducers with the fewest digested rows, grouped by lane."""
        candidates = []
        for key, (reference, column) in list(self._followers.items()):
            follower = reference()
            if follower is None:
                self._followers.pop(key, None)
            elif (
                follower.digested_count - follower.count < MAX_UNABSORBED_ROWS
                and follower.digested_count < column.available()
            ):
                candidates.append((follower, column))
        smallest_count = min((follower.digested_count for follower, _ in candidates), default=0)
        by_lane: dict[str, list[tuple[IncrementalReducer, LazyColumn]]] = {}
        for follower, column in candidates:
            if follower.digested_count == smallest_count:
                by_lane.setdefault(column.lane_name, []).append((follower, column))
        return [_LaneWork(lane_name, by_lane[lane_name]) for lane_name in sorted(by_lane)]

    @large_numbers
    def _digest(
        self, follower: IncrementalReducer, column: LazyColumn, stop: int, scratch: "ScratchReader | None"
    ) -> None:
        start = follower.digested_count
        if start >= stop:
            return  # another thread has digested these rows meanwhile
        try:
            digest = follower.digest(column.read(start, stop, scratch))
        except PLUGIN_EXCEPTIONS as fault:
            log.exception("rows %d to %d could not be reduced", start, stop)
            digest = fault
            with self._mutex:
                self._followers[id(follower)] = (lambda: None), column  # type: ignore[assignment]
        follower.digested_count = stop
        follower.pending_digests.append(digest)
        with self._mutex:
            self.progress += stop - start


@dataclass
class _LaneWork:
    """Work of a background thread: reducers of one lane that have digested equally many rows, each with
    its column."""

    lane_name: str
    pairs: list[tuple[IncrementalReducer, LazyColumn]]


class ScratchReader:
    """Row reader that caches the rows read last, for two lanes. Quantities of the same rows share intermediate results.

    Two lanes are cached, because a difference reads the rows of a lane and of its reference lane.
    """

    def __init__(self) -> None:
        self._lanes: OrderedDict[tuple[str, int, int], tuple[Motion, dict[str, np.ndarray]]] = OrderedDict()

    def rows(self, lane: LaneRun, name: str, compute: Compute, start: int, stop: int) -> np.ndarray:
        key = (lane.name, start, stop)
        if key not in self._lanes:
            while len(self._lanes) > 1:
                self._lanes.popitem(last=False)
            self._lanes[key] = lane.motion(start, stop), {}
        self._lanes.move_to_end(key)
        motion, values = self._lanes[key]
        if name not in values:
            values[name] = compute(motion)
        return values[name]
