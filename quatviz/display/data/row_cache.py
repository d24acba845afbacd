"""Caches for the rows of one run, which are computed from the histories when they are read."""

from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain, islice

import numpy as np

from quatviz.display.data.frame import RunInfo
from quatviz.display.data.lazy_columns import (
    MAX_IMMEDIATE_ROWS,
    BackgroundReducer,
    Compute,
    LaneColumn,
    RowReader,
    RunningMaximum,
    large_numbers,
)
from quatviz.physics.observables.interpolation import InterpolationNodes, interpolation_nodes
from quatviz.physics.observables.quantities import (
    INTEGRATION_ERROR_QUANTITIES,
    QUANTITIES,
    Motion,
    has_pivot_force,
)
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation

CURSOR_BLOCK_ROWS, VIEW_BLOCK_ROWS = 512, 2048
"""Rows per cached block: for reads at the cursor, and for reads of the visible range."""
SUBSTEP_CURSOR_BLOCK_ROWS = 64
"""Rows per block of reads at the cursor between samples. Blocks are small, because such rows are
costly to compute."""

MAX_CACHE_BYTES = 64 * 2**20
"""Largest memory of all cached blocks of a run [bytes]."""

PREFETCH_FRAMES, MAX_CURSOR_STEP = 16, 64
"""Number of frames for which rows are computed ahead of a steadily moving cursor, and largest step per frame
[samples] at which the cursor counts as steadily moving. After a larger step, another jump may follow."""

QUERY_LIFETIME_FRAMES = 64
"""Number of frames after which an unused query is no longer computed in advance. It exceeds the interval
between updates of numbers."""

MAX_CACHED_POSITIONS = 8
"""Largest number of times whose surrounding rows are cached: the times of the cursor, of the ends of lanes, and of
readouts."""

MAX_CACHED_BLOCKS_PER_READ = 32
"""Largest number of blocks that one read may cover and still be cached. Longer reads bypass the cache."""


ReadMotion = Callable[[LaneRun, int, int], Motion]
"""Function that returns the motion of a lane at rows start:stop."""


class RecentRows:
    """Row reader with two caches: small blocks for the cursor, and large ones for the visible range."""

    def __init__(self, cursor_blocks: "BlockCache", view_blocks: "BlockCache") -> None:
        self._cursor_blocks, self._view_blocks = cursor_blocks, view_blocks

    @property
    def size(self) -> int:
        """Rows per block in the cache for the visible range."""
        return self._view_blocks.size

    def prefetch(self, lane: LaneRun, name: str, compute: Compute, row: int) -> None:
        """Compute the block of the visible range that contains a row, for later reads."""
        self._view_blocks.rows(lane, name, compute, row, row + 1)

    @property
    def nbytes(self) -> int:
        """Memory of the cached rows [bytes]."""
        return self._cursor_blocks.nbytes + self._view_blocks.nbytes

    def rows(self, lane: LaneRun, name: str, compute: Compute, start: int, stop: int) -> np.ndarray:
        use_cursor_blocks = stop - start <= CURSOR_BLOCK_ROWS and not self._view_blocks.has_rows(
            lane, name, start, stop
        )
        return (self._cursor_blocks if use_cursor_blocks else self._view_blocks).rows(
            lane, name, compute, start, stop
        )


def _sample_count(lane: LaneRun) -> int:
    return lane.samples


def _substep_row_count(lane: LaneRun) -> int:
    return lane.rows_per_sample * (lane.samples - 1) + 1


class BlockCache:
    """Row reader that caches the blocks read last.

    Parameters
    ----------
    size
        Rows per block.
    limit
        Largest memory [bytes]. The oldest blocks are dropped first.
    motion
        Returns the motion at rows start:stop; by default rows are samples.
    count
        Returns the number of rows of a lane.
    """

    def __init__(
        self,
        size: int,
        limit: int,
        motion: ReadMotion = LaneRun.motion,
        count: Callable[[LaneRun], int] = _sample_count,
    ) -> None:
        self.nbytes = 0
        self.size = size
        self._limit, self._motion, self._count = limit, motion, count
        self._blocks: OrderedDict[tuple[str, int], _CachedBlock] = OrderedDict()

    def rows(self, lane: LaneRun, name: str, compute: Compute, start: int, stop: int) -> np.ndarray:
        size = self.size
        first, last = start // size, max(stop - 1, start) // size
        if first == last:
            return self._block(lane, name, compute, first, stop - first * size)[start - first * size :]
        if last - first >= MAX_CACHED_BLOCKS_PER_READ:
            return self._read_uncached(lane, compute, start, stop)
        pieces = [
            self._block(lane, name, compute, number, min(stop - number * size, size))
            for number in range(first, last + 1)
        ]
        pieces[0] = pieces[0][start - first * size :]
        return np.concatenate(pieces)

    def has_rows(self, lane: LaneRun, name: str, start: int, stop: int) -> bool:
        """Return True if rows start:stop of a quantity of a lane are cached."""
        for number in range(start // self.size, (stop - 1) // self.size + 1):
            block = self._blocks.get((lane.name, number))
            if block is None or block.filled[name] < min(stop - number * self.size, self.size):
                return False
        return True

    @large_numbers
    def _read_uncached(self, lane: LaneRun, compute: Compute, start: int, stop: int) -> np.ndarray:
        size = self.size
        return np.concatenate(
            [
                compute(self._motion(lane, first, min(first + size, stop)))
                for first in range(start, stop, size)
            ]
        )

    def _block(self, lane: LaneRun, name: str, compute: Compute, number: int, stop: int) -> np.ndarray:
        key = (lane.name, number)
        block = self._blocks.get(key)
        if block is None:
            block = self._blocks[key] = _CachedBlock(
                number * self.size, self.size, partial(self._motion, lane), partial(self._count, lane)
            )
        else:
            self._blocks.move_to_end(key)
        before = block.nbytes
        rows = block.rows(name, compute, stop)
        if block.nbytes != before:
            self.nbytes += block.nbytes - before
            while self.nbytes > self._limit and len(self._blocks) > 1:
                self.nbytes -= self._blocks.popitem(last=False)[1].nbytes
        return rows


class _CachedBlock:
    """Block of `size` rows of one lane from the row `first` on. Each quantity is computed once, and extended as the
    lane grows."""

    def __init__(
        self, first: int, size: int, motion: Callable[[int, int], Motion], count: Callable[[], int]
    ) -> None:
        self.nbytes = 0
        self._first, self._size, self._read, self._count = first, size, motion, count
        self._values: dict[str, np.ndarray] = {}
        self.filled = Counter[str]()
        """Number of cached rows by quantity."""
        self._motion: tuple[int, int, Motion] | None = None
        self._motion_bytes = self._counted_attributes = 0
        """Size of the cached motion as included in `nbytes`, and number of its attributes that have been counted. A
        motion stores each quantity that it has computed as an attribute."""

    def rows(self, name: str, compute: Compute, stop: int) -> np.ndarray:
        """Return the first `stop` rows (stop, k) of a quantity."""
        if self.filled[name] < stop:
            self._fill(name, compute, stop)
        return self._values[name][:stop]

    @large_numbers
    def _fill(self, name: str, compute: Compute, stop: int) -> None:
        # All available rows, because a cursor reads the next two rows in the next frame.
        end, first = max(stop, min(self._size, self._count() - self._first)), self.filled[name]
        motion = self._motion_of(first, end)
        new = compute(motion)
        if not first:
            self._values[name] = np.empty((self._size, new.shape[1]))
            self.nbytes += self._values[name].nbytes
        self._values[name][first:end] = new
        self.filled[name] = end
        attributes = vars(motion)
        added_bytes = sum(map(_array_bytes, islice(attributes.values(), self._counted_attributes, None)))
        self._counted_attributes = len(attributes)
        self._motion_bytes += added_bytes
        self.nbytes += added_bytes

    def _motion_of(self, start: int, stop: int) -> Motion:
        """Return the motion at rows start:stop of the block. All quantities use the same object, so that they share
        intermediate results."""
        if self._motion is None or self._motion[:2] != (start, stop):
            motion = self._read(self._first + start, self._first + stop)
            self._motion = start, stop, motion
            self.nbytes -= self._motion_bytes
            self._motion_bytes = self._counted_attributes = 0
        return self._motion[2]


def sample_cache(rows: int, limit: int = MAX_CACHE_BYTES) -> RecentRows:
    """Return a cache of samples. A run that is short enough to be reduced at once fits into one block of the visible
    range."""
    sight = max(VIEW_BLOCK_ROWS, rows) if rows <= MAX_IMMEDIATE_ROWS else VIEW_BLOCK_ROWS
    return RecentRows(BlockCache(CURSOR_BLOCK_ROWS, limit // 8), BlockCache(sight, limit - limit // 8))


def substep_cache() -> RecentRows:
    """Return a cache of the rows between samples."""
    few, sight = (
        BlockCache(size, limit, LaneRun.motion_within, _substep_row_count)
        for size, limit in (
            (SUBSTEP_CURSOR_BLOCK_ROWS, MAX_CACHE_BYTES // 8),
            (VIEW_BLOCK_ROWS // 2, MAX_CACHE_BYTES // 2),
        )
    )
    return RecentRows(few, sight)


def _array_bytes(value: object) -> int:
    if isinstance(value, dict):
        return sum(map(_array_bytes, value.values()))
    return value.nbytes if isinstance(value, np.ndarray) else 0


ColumnKey = tuple[str, str]
"""Key of a column: name of the lane and name of the quantity."""


class LastBlockCache:
    """Row reader that caches the motion of the range read last, for each lane. By default rows are samples."""

    def __init__(self, motion: ReadMotion = LaneRun.motion) -> None:
        self._motion = motion
        self._motions: dict[str, tuple[int, int, Motion]] = {}

    def rows(self, lane: LaneRun, name: str, compute: Compute, start: int, stop: int) -> np.ndarray:
        cached = self._motions.get(lane.name)
        if cached is None or cached[:2] != (start, stop):
            cached = self._motions[lane.name] = start, stop, self._motion(lane, start, stop)
        return compute(cached[2])


@dataclass(eq=False)
class _CursorQuery:
    """A quantity of a lane that was requested at the cursor. `last_position` is the number of the cursor position of
    the latest request."""

    key: ColumnKey
    lane: LaneRun
    name: str
    compute: Compute
    last_position: int = 0
    is_active: bool = False
    """True if the quantity is computed in advance at every position."""

    def __post_init__(self) -> None:
        self.is_integration_error = self.name in INTEGRATION_ERROR_QUANTITIES
        self.follows_attitude = self.name == "p" or bool(_euler_sequence(self.name))

    def query_nodes(self, nodes: InterpolationNodes, at_samples: bool) -> InterpolationNodes:
        """Return the interpolation nodes for this quantity, given the nodes of its lane. If `at_samples` is True, or
        the quantity is an integration error, the returned nodes are samples, even if the lane has rows between samples."""
        if nodes.rows_per_sample == 1 or not (at_samples or self.is_integration_error):
            return nodes
        return sample_nodes(self.lane, nodes.position / nodes.rows_per_sample)


@dataclass(frozen=True, eq=False)
class _QueryBatch:
    """Queries that are computed together because they have the same nodes."""

    queries: tuple[_CursorQuery, ...]

    @cached_property
    def keys(self) -> tuple[ColumnKey, ...]:
        return tuple(query.key for query in self.queries)

    @cached_property
    def lanes(self) -> tuple[LaneRun, ...]:
        return tuple({query.lane.name: query.lane for query in self.queries}.values())


def sample_nodes(lane: LaneRun, position: float) -> InterpolationNodes:
    """Return the samples of a lane between which `position` [samples] is interpolated."""
    return interpolation_nodes(position, lane.samples, lane.event_samples, 1)


class BatchedCursorReader:
    """Cursor reader that interpolates the rows of `source`.

    Attitudes are interpolated as rotations, and angles follow from these attitudes. Other quantities are
    interpolated directly, so that quantities that are constant at the samples are constant between them.

    When the cursor moves, quantities requested earlier are computed for all lanes at once. A call per lane
    and quantity would cost more than the computation.
    """

    def __init__(self, source: RowReader, substep_source: RowReader | None = None) -> None:
        self._sources = source, substep_source or LastBlockCache(LaneRun.motion_within)
        """Two row readers: the first for rows at samples, the second for rows between samples."""
        self._queries: dict[ColumnKey, _CursorQuery] = {}
        self._active_queries: dict[tuple[str, bool], list[_CursorQuery]] = {}
        """Queries that are computed in advance, by lane name and by whether they are integration errors."""
        self._batches: dict[tuple[tuple[str, bool], ...], _QueryBatch] = {}
        """Cache of `_batch`: batches of active queries, by tuples of keys of `_active_queries`."""
        self._active_until, self._max_age = -1, 0
        """Last position (`_position_count`) for which `_active_queries` is valid, and the `max_age` with which it was
        collected."""
        self._position_count = 0
        """Number of times that the cursor has been moved so far."""
        self._at_samples = False
        """True if values at the present position of the cursor are interpolated between samples only."""
        self._values_by_nodes: dict[InterpolationNodes, dict[ColumnKey, np.ndarray]] = {}
        self._windows: dict[tuple[ColumnKey, ...], _RowWindow] = {}
        self._prefetchers = {
            source: _Prefetcher(source) for source in self._sources if isinstance(source, RecentRows)
        }

    def rows(self, lane: LaneRun, name: str, compute: Compute, start: int, stop: int) -> np.ndarray:
        return self._sources[0].rows(lane, name, compute, start, stop)

    def at(self, lane: LaneRun, name: str, compute: Compute, nodes: InterpolationNodes) -> np.ndarray:
        query = self._query(lane, name, compute)
        nodes = query.query_nodes(nodes, self._at_samples)
        values = self._values_at(nodes)
        value = values.get(query.key)
        if value is None:
            values |= _RowWindow(self._sources[nodes.rows_per_sample > 1], nodes, nodes.stop, [query]).at(
                nodes
            )
            value = values[query.key]
        return value

    def inherit_queries(self, other: "BatchedCursorReader", lanes: Mapping[str, LaneRun]) -> None:
        """Take over the queries of another run for lanes with the same names, because they will be requested again."""
        for key, query in other._queries.items():
            if key[0] in lanes:
                self._queries[key] = replace(
                    query, lane=lanes[key[0]], last_position=query.last_position - other._position_count
                )
        self._active_until = -1

    def set_positions(
        self,
        positions: Sequence[tuple[LaneRun, InterpolationNodes]],
        names: Sequence[str],
        max_age: int = QUERY_LIFETIME_FRAMES,
        at_samples: bool = False,
    ) -> None:
        """Move the cursor, and compute the values that will be requested at the new position.

        Parameters
        ----------
        positions
            Each lane with its nodes at the cursor.
        names
            Quantities that are requested for every lane.
        max_age
            Number of frames during which a quantity outside `names` is still computed in advance after a request.
        at_samples
            True to interpolate between samples only, even if the lanes have rows between samples.
        """
        self._position_count += 1
        self._at_samples = at_samples
        for lane, _ in positions:
            for name in names:
                self._query(lane, name, QUANTITIES[name].column_values)
        if self._position_count > self._active_until or max_age != self._max_age:
            self._collect_active_queries(max_age)
        keys_by_nodes: dict[InterpolationNodes, list[tuple[str, bool]]] = {}
        for lane, nodes in positions:
            for key in ((lane.name, False), (lane.name, True)):
                queries = self._active_queries.get(key)
                if queries:
                    keys_by_nodes.setdefault(queries[0].query_nodes(nodes, at_samples), []).append(key)
        for nodes, keys in keys_by_nodes.items():
            self._compute_batch(nodes, self._batch(tuple(keys)))

    def _collect_active_queries(self, max_age: int) -> None:
        """Collect the queries that were requested at the last `max_age` positions of the cursor."""
        self._active_queries, self._batches, oldest = {}, {}, self._position_count
        for query in self._queries.values():
            query.is_active = self._position_count - query.last_position <= max_age
            if query.is_active:
                key = query.lane.name, query.is_integration_error
                self._active_queries.setdefault(key, []).append(query)
                oldest = min(oldest, query.last_position)
        self._active_until, self._max_age = oldest + max_age, max_age

    def _batch(self, keys: tuple[tuple[str, bool], ...]) -> _QueryBatch:
        batch = self._batches.get(keys)
        if batch is None:
            queries = chain.from_iterable(self._active_queries[key] for key in keys)
            batch = self._batches[keys] = _QueryBatch(tuple(queries))
        return batch

    def _query(self, lane: LaneRun, name: str, compute: Compute) -> _CursorQuery:
        key = lane.name, name
        query = self._queries.get(key)
        if query is None:
            query = self._queries[key] = _CursorQuery(key, lane, name, compute)
        if not query.is_active:
            self._active_until = -1
        query.last_position = self._position_count
        return query

    def _values_at(self, nodes: InterpolationNodes) -> dict[ColumnKey, np.ndarray]:
        values = self._values_by_nodes.get(nodes)
        if values is None:
            if len(self._values_by_nodes) >= MAX_CACHED_POSITIONS:
                del self._values_by_nodes[next(iter(self._values_by_nodes))]
            values = self._values_by_nodes[nodes] = {}
        return values

    def _compute_batch(self, nodes: InterpolationNodes, batch: _QueryBatch) -> None:
        values = self._values_at(nodes)
        if values:
            return  # a cursor at rest: new requests are computed one by one
        keys, queries, source = batch.keys, batch.queries, self._sources[nodes.rows_per_sample > 1]
        step = self._cursor_step(nodes)
        rows = nodes.rows_per_sample * (min(lane.samples for lane in batch.lanes) - 1) + 1
        if source in self._prefetchers:
            rows = min(self._prefetchers[source].advance(nodes, step, queries, rows), rows)
        window = self._windows.get(keys)
        if window is None or not window.contains(nodes):
            stop = min(nodes.stop + PREFETCH_FRAMES * step, nodes.first + CURSOR_BLOCK_ROWS, rows)
            window = _RowWindow(source, nodes, max(nodes.stop, stop), queries)
            if len(self._windows) >= MAX_CACHED_POSITIONS:
                self._windows.clear()
            self._windows[keys] = window
        values |= window.at(nodes)

    def _cursor_step(self, nodes: InterpolationNodes) -> int:
        """Return the number of rows by which the cursor has moved forward; 0 if it has jumped or moves backwards."""
        steps = (
            nodes.first - window.last_first_row
            for window in self._windows.values()
            if window.per == nodes.rows_per_sample
        )
        return min(
            (max(step, 1) for step in steps if 0 <= step <= MAX_CURSOR_STEP * nodes.rows_per_sample),
            default=0,
        )


class _Prefetcher:
    """Prefetcher of the blocks ahead of the cursor. It computes a few blocks in each frame, so that no frame is
    delayed."""

    def __init__(self, source: RecentRows) -> None:
        self._source = source
        self._last_block = -1
        """Index of the last block that is computed or waits in the queue."""
        self._queue: deque[tuple[int, dict[str, tuple[LaneRun, Compute]]]] = deque()

    def advance(
        self, nodes: InterpolationNodes, step: int, queries: Sequence[_CursorQuery], rows: int
    ) -> int:
        """Move the cursor to `nodes`, and return the index of the first row that is not computed yet.

        Parameters
        ----------
        nodes
            Position of the cursor.
        step
            Rows per frame; 0 after a jump.
        queries
            Quantities to compute.
        rows
            Number of available rows.
        """
        size = self._source.size
        current_block, last_needed_block = (
            nodes.first // size,
            min(nodes.stop + 2 * PREFETCH_FRAMES * step, rows - 1) // size,
        )
        if not step or current_block > self._last_block + 1:
            self._queue.clear()
            self._last_block = current_block - 1
        if not step:
            return nodes.stop
        lanes: dict[str, dict[str, tuple[LaneRun, Compute]]] = {}
        for query in queries if self._last_block < last_needed_block else ():
            quantity_names = ("p", "omega") if query.follows_attitude else (query.name,)
            of_lane = lanes.setdefault(query.lane.name, {})
            of_lane |= {
                name: (query.lane, query.compute if name == query.name else QUANTITIES[name].column_values)
                for name in quantity_names
            }
        for number in range(self._last_block + 1, last_needed_block + 1):
            self._queue.extend((number * size, quantities) for quantities in lanes.values())
        self._last_block = max(self._last_block, last_needed_block)
        for _ in range(min(-(-len(self._queue) // PREFETCH_FRAMES), len(self._queue))):
            row, quantities = self._queue.popleft()
            for name, (lane, compute) in quantities.items():
                self._source.prefetch(lane, name, compute, row)
        return self._queue[0][0] if self._queue else size * (self._last_block + 1)


class _RowWindow:
    """Values of several queries in consecutive rows, stored side by side. The first row is that of `nodes`."""

    @large_numbers
    def __init__(
        self, source: RowReader, nodes: InterpolationNodes, stop: int, queries: Sequence[_CursorQuery]
    ) -> None:
        self._source, self._first, self.per = source, nodes.first, nodes.rows_per_sample
        self.last_first_row = nodes.first
        """First row of the nodes at which this window was last evaluated."""
        self._stop = nodes.stop if nodes.ends_at_event else stop
        self._event = nodes.ends_at_event
        sample = (nodes.stop - 1) // nodes.rows_per_sample
        self._pre_event_rows = {
            query.lane.name: query.lane.state_before_event(sample) for query in queries if nodes.ends_at_event
        }
        self._attitude_queries = [query for query in queries if query.follows_attitude and query.name != "p"]
        turning_lanes = {query.lane.name: query.lane for query in queries if query.follows_attitude}
        self._turning_lanes = {name: number for number, name in enumerate(turning_lanes)}
        if turning_lanes:
            p, omega = (
                [self._read(lane, name) for lane in turning_lanes.values()] for name in ("p", "omega")
            )
            intervals = np.array([lane.interval for lane in turning_lanes.values()]) / nodes.rows_per_sample
            self._p, self._rotation_per_row = np.array(p), intervals[:, None, None] * np.array(omega)
        self._column_slices: list[tuple[ColumnKey, int, int]] = []
        rows, width = [], 0
        for query in queries:
            if not query.follows_attitude:
                rows.append(self._read(query.lane, query.name, query.compute))
                self._column_slices.append((query.key, width, width := width + rows[-1].shape[1]))
        self._rows = np.concatenate(rows, axis=1) if rows else np.empty((self._stop - self._first, 0))

    def _read(self, lane: LaneRun, name: str, compute: Compute | None = None) -> np.ndarray:
        compute = compute or QUANTITIES[name].column_values
        values = self._source.rows(lane, name, compute, self._first, self._stop)
        return (
            np.concatenate((values[:-1], compute(self._pre_event_rows[lane.name]))) if self._event else values
        )

    def contains(self, nodes: InterpolationNodes) -> bool:
        """Return True if this window has all rows that interpolation at `nodes` needs.

        If the window or the nodes end just before an event, both must end just before this event and have the
        same first and last rows.
        """
        if nodes.rows_per_sample != self.per:
            return False
        if self._event or nodes.ends_at_event:
            return (nodes.first, nodes.stop, nodes.ends_at_event) == (self._first, self._stop, self._event)
        return self._first <= nodes.first and nodes.stop <= self._stop

    @large_numbers
    def at(self, nodes: InterpolationNodes) -> dict[ColumnKey, np.ndarray]:
        """Return the values (k,) of all queries, interpolated at `nodes`. The window must contain the rows of
        `nodes`."""
        self.last_first_row = nodes.first
        window_slice = slice(nodes.first - self._first, nodes.stop - self._first)
        mixed = nodes.interpolate(self._rows[window_slice])
        values = {key: mixed[start:stop] for key, start, stop in self._column_slices}
        if self._turning_lanes:
            p = nodes.interpolate_attitude(self._p[:, window_slice], self._rotation_per_row[:, window_slice])
            values |= {(name, "p"): p[number] for name, number in self._turning_lanes.items()}
            values |= self._attitude_values(nodes, p)
        return values

    def _attitude_values(self, nodes: InterpolationNodes, p: np.ndarray) -> dict[ColumnKey, np.ndarray]:
        """Return the quantities that follow from the attitudes `p` (l, 4) of l lanes, computed for all lanes in one
        call."""
        if not self._attitude_queries:
            return {}
        if nodes.stop - nodes.first == 1:
            rows = (
                (query, self._source.rows(query.lane, query.name, query.compute, nodes.first, nodes.stop))
                for query in self._attitude_queries
            )
            return {query.key: row[0] for query, row in rows}
        motion = self._attitude_queries[0].lane.motion_from_attitudes(
            p, nodes.position / nodes.rows_per_sample
        )
        values = {query.name: query.compute for query in self._attitude_queries}
        computed = {name: compute(motion) for name, compute in values.items()}
        return {
            query.key: computed[query.name][self._turning_lanes[query.lane.name]]
            for query in self._attitude_queries
        }


def _euler_sequence(name: str) -> str:
    """Return the Euler sequence of the angles with this quantity name, which follow from the attitude
    alone; "" for other quantities."""
    quantity = QUANTITIES.get(name)
    return quantity.sequence if quantity is not None else ""


VECTOR_QUANTITIES = ("omega", "h", "torque", "pivot_force")
"""Quantities that are drawn as arrows. The largest magnitude of each in a run determines the length of its
arrow."""

_MAGNITUDES: dict[str, Compute] = {
    "omega": lambda motion: np.linalg.norm(motion.omega, axis=1, keepdims=True),
    "h": lambda motion: np.linalg.norm(motion.h, axis=1, keepdims=True),
    "torque": lambda motion: np.linalg.norm(motion.torque, axis=1, keepdims=True),
    "pivot_force": lambda motion: np.linalg.norm(motion.pivot_force, axis=1, keepdims=True),
    "force": lambda motion: motion.largest_force[:, None],
}
_LOAD_QUANTITIES = ("torque", "force")


def has_vector(lane: LaneRun, name: str) -> bool:
    """Return True if a lane has the vector quantity `name`. "torque" and "force" need loads, and "pivot_force" needs a
    pivot; all other vectors always exist."""
    if name in _LOAD_QUANTITIES:
        return bool(lane.problem.loads)
    return name != "pivot_force" or any(
        has_pivot_force(segment.config.body) for segment in lane.problem.segments
    )


MIN_REFRESH_INTERVAL, MAX_REFRESH_INTERVAL = 0.05, 2.0
"""Shortest and longest time [s] between updates of the curves of a long run, while a background thread still reduces its
rows. The interval doubles after each update."""


class RunColumns:
    """A `ColumnSource` of one run that caches only rows read recently, so that a long run needs little more memory than
    its states."""

    def __init__(self, simulation: Simulation, info: RunInfo, before: "RunColumns | None" = None) -> None:
        self.info = info
        self._lanes = {lane.name: lane for lane in simulation}
        self.transient_reader = BatchedCursorReader(LastBlockCache())
        """Reader for frames of a transient run, which is soon replaced. It caches nothing."""
        self.reader = BatchedCursorReader(sample_cache(simulation.samples), substep_cache())
        """Reader of the rows of all columns, with caches for the cursor and the visible range."""
        if before is not None:
            self.transient_reader.inherit_queries(before.transient_reader, self._lanes)
            self.reader.inherit_queries(before.reader, self._lanes)
        self._reducer = BackgroundReducer()
        self._shown_progress, self._shown_at, self._refresh_interval = 0, 0.0, MIN_REFRESH_INTERVAL
        self._times: np.ndarray = np.empty(0)
        self._read_rows = -1
        """Number of readable rows, summed over all lanes, at the last update of `_maxima`."""
        self._maxima = {
            lane.name: {
                name: (RunningMaximum(), self._column(lane, f"|{name}|", compute, 1))
                for name, compute in _MAGNITUDES.items()
                if has_vector(lane, name)
            }
            for lane in simulation
        }

    def values(self, lane: str, quantity: str) -> tuple[np.ndarray, LaneColumn]:
        """Return times (n,) [s] and values (n, k); see `frame.ColumnSource`."""
        width = len(QUANTITIES[quantity].symbols)
        column = self._column(self._lanes[lane], quantity, QUANTITIES[quantity].column_values, width)
        return self._times_of(self._lanes[lane])[: len(column)], column

    def refresh(self, hurry: bool = True, now: float | None = None) -> None:
        """Begin a frame at the clock time `now` [s], and read the rows recorded since the last frame.

        If `hurry` is False, the background threads reduce curves at low priority. If `now` is None, new rows are shown
        at once instead of at the refresh interval.
        """
        self._reducer.refresh(hurry)
        rows = sum(lane.samples for lane in self._lanes.values() if lane.prepared)
        # A scale that grows changes the picture, too.
        if self._take_progress(now) or (rows != self._read_rows and not self._reducer.is_working):
            self._read_rows = rows
            for sizes in self._maxima.values():
                for largest, column in sizes.values():
                    largest.grow(column)

    def close(self) -> None:
        """Stop reading new rows. Existing rows stay readable."""
        self._reducer.close()

    def readable_until(self, lane: str) -> float:
        """Return the time of the last row that can be read [s]."""
        run = self._lanes[lane]
        return run.computed_to if run.prepared else 0.0

    @property
    def data_revision(self) -> int:
        """Counter that increases when curves should show more rows. While rows are reduced in the background, it
        changes rarely, because drawing would delay the reduction."""
        return self._shown_progress

    def _take_progress(self, now: float | None) -> bool:
        """Return True if rows reduced since the last update should be shown now, and count them as shown."""
        progress = self._reducer.progress
        if progress == self._shown_progress:
            return False  # checked first, because asking all reducers costs more
        working = self._reducer.is_working
        interval = self._refresh_interval if working else MIN_REFRESH_INTERVAL
        if now is None or now - self._shown_at >= interval or not self._reducer.is_behind:
            self._shown_progress, self._shown_at = progress, now or 0.0
            self._refresh_interval = (
                min(2 * self._refresh_interval, MAX_REFRESH_INTERVAL) if working else MIN_REFRESH_INTERVAL
            )
            return True
        return False

    @property
    def is_behind(self) -> bool:
        """True if curves do not show all readable rows yet."""
        return self._reducer.is_behind

    def vector_scales(self) -> dict[str, float]:
        """Return the largest magnitude of each drawn vector so far. Lanes that ended with infinite values are left out."""
        not_finite = {lane.name for lane in self._lanes.values() if lane.status == "not_finite"}
        maxima = [sizes for name, sizes in self._maxima.items() if name not in not_finite]
        maxima = maxima or list(self._maxima.values())
        names = dict.fromkeys(
            name for sizes in maxima for name in sizes
        )  # a lane without loads has no torque
        return {name: max(sizes[name][0].value for sizes in maxima if name in sizes) for name in names}

    def _column(self, lane: LaneRun, name: str, compute: Compute, width: int) -> LaneColumn:
        return LaneColumn(lane, name, compute, width, self.reader, self._reducer)

    def _times_of(self, lane: LaneRun) -> np.ndarray:
        """Return the times (n,) [s] of at least all samples of a lane. All lanes share this array."""
        if lane.samples > len(self._times):
            self._times = np.arange(max(lane.history.capacity, lane.samples)) * self.info.sample_interval
        return self._times


class StaticColumns:
    """A `ColumnSource` of the rows that have been computed so far, for figures. There is no background reducer; any
    thread may read and reduce the columns."""

    def __init__(self, simulation: Simulation, info: RunInfo) -> None:
        self.info = info
        self._lanes = {lane.name: lane for lane in simulation}
        longest = max((lane.samples for lane in simulation), default=0)
        self._reader = BatchedCursorReader(sample_cache(longest), substep_cache())
        self._times = np.arange(longest) * info.sample_interval

    def values(self, lane: str, quantity: str) -> tuple[np.ndarray, LaneColumn]:
        """Return times (n,) [s] and values (n, k); see `frame.ColumnSource`."""
        run, quantity_info = self._lanes[lane], QUANTITIES[quantity]
        count = min(run.samples, len(self._times)) if run.prepared else 0
        column = LaneColumn(
            run, quantity, quantity_info.column_values, len(quantity_info.symbols), self._reader, None, count
        )
        return self._times[:count], column
