"""The curves of one run, computed from the histories where they are read, with the blocks of rows that are read again and again."""

from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

import numpy as np

from quatviz.display.data.frame import RunInfo
from quatviz.display.data.lazy_columns import AT_ONCE, Growth, LaneColumn, Largest, Of, Rows, large_numbers
from quatviz.physics.observables.interpolation import Nodes, nodes_about
from quatviz.physics.observables.quantities import LOST, QUANTITIES, Motion
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation

FEW, SIGHT = 512, 2048
"""Rows per block: of what is read about the cursor, and of what is in sight."""

BYTES = 64 * 2**20
"""What all blocks of a run may take."""

AHEAD, FAST = 16, 64
"""Frames for which samples are read where a cursor goes on at its pace, and the most samples that it goes on by in one: one that
goes further has leapt, and may leap again."""

LATELY = 64
"""Frames: what nobody has asked for in so many is not found for the next one. Digits change in few of them."""

PLACES = 8
"""Places whose values are kept: those of the cursor, of lanes that ended, and of digits that stand a while."""

MANY = 32
"""Stretches of more blocks than this are computed for once, and not kept."""


Read = Callable[[LaneRun, int, int], Motion]
"""The motion of a lane at the rows from the first number to before the second one."""


class Recent:
    """`lazy.Rows` that keep what was read last: a leap of the cursor needs `few` rows, one that goes on, and a zoomed view, those
    in `sight`."""

    def __init__(self, few: "Blocks", sight: "Blocks") -> None:
        self._few, self._sight = few, sight

    @property
    def size(self) -> int:
        """Rows in a block of those in sight."""
        return self._sight.size

    def find(self, lane: LaneRun, name: str, of: Of, row: int) -> None:
        """Find the block of those in sight that has a row, for whoever will be there."""
        self._sight.rows(lane, name, of, row, row + 1)

    @property
    def nbytes(self) -> int:
        """What it keeps."""
        return self._few.nbytes + self._sight.nbytes

    def rows(self, lane: LaneRun, name: str, of: Of, start: int, stop: int) -> np.ndarray:
        few = stop - start <= FEW and not self._sight.has(lane, name, start, stop)
        return (self._few if few else self._sight).rows(lane, name, of, start, stop)


def _samples(lane: LaneRun) -> int:
    return lane.samples


def _rows_within(lane: LaneRun) -> int:
    return lane.rows_per_sample * (lane.samples - 1) + 1


class Blocks:
    """`lazy.Rows` that keep the blocks of `size` rows that were read last, and forget others beyond `limit` bytes. `motion` says
    what rows they are: samples, unless it is given, and a lane has as many as `count` says."""

    def __init__(
        self, size: int, limit: int, motion: Read = LaneRun.motion, count: Callable[[LaneRun], int] = _samples
    ) -> None:
        self.nbytes = 0
        self.size = size
        self._limit, self._motion, self._count = limit, motion, count
        self._kept: OrderedDict[tuple[str, int], _Block] = OrderedDict()

    def rows(self, lane: LaneRun, name: str, of: Of, start: int, stop: int) -> np.ndarray:
        size = self.size
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
        """Whether these rows are at hand: what is in sight about the cursor need not be computed again."""
        for number in range(start // self.size, (stop - 1) // self.size + 1):
            block = self._kept.get((lane.name, number))
            if block is None or block.filled[name] < min(stop - number * self.size, self.size):
                return False
        return True

    @large_numbers
    def _passing(self, lane: LaneRun, of: Of, start: int, stop: int) -> np.ndarray:
        size = self.size
        return np.concatenate(
            [of(self._motion(lane, at, min(at + size, stop))) for at in range(start, stop, size)]
        )

    def _block(self, lane: LaneRun, name: str, of: Of, number: int, stop: int) -> np.ndarray:
        key = (lane.name, number)
        block = self._kept.get(key)
        if block is None:
            block = self._kept[key] = _Block(
                number * self.size, self.size, partial(self._motion, lane), partial(self._count, lane)
            )
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

    def __init__(
        self, first: int, size: int, motion: Callable[[int, int], Motion], count: Callable[[], int]
    ) -> None:
        self.nbytes = 0
        self._first, self._size, self._read, self._count = first, size, motion, count
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
        until, first = max(stop, min(self._size, self._count() - self._first)), self.filled[name]
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
            motion = self._read(self._first + start, self._first + stop)
            self._motion = start, stop, motion
            self.nbytes -= self._of_motion
            self._of_motion = self._counted = 0
        return self._motion[2]


def recent(rows: int, limit: int = BYTES) -> Recent:
    """Of samples: all of a run of so few `rows` that curves are reduced at once are in sight."""
    sight = max(SIGHT, rows) if rows <= AT_ONCE else SIGHT
    return Recent(Blocks(FEW, limit // 8), Blocks(sight, limit - limit // 8))


def recent_within() -> Recent:
    """Of the rows between samples."""
    few, sight = (
        Blocks(size, limit, LaneRun.motion_within, _rows_within)
        for size, limit in ((FEW // 2, BYTES // 8), (SIGHT // 2, BYTES // 2))
    )
    return Recent(few, sight)


def _bytes(value: object) -> int:
    if isinstance(value, dict):
        return sum(map(_bytes, value.values()))
    return value.nbytes if isinstance(value, np.ndarray) else 0


Key = tuple[str, str]
"""The name of a lane, and that of a quantity."""


class Sparing:
    """`lazy.Rows` that keep those of each lane about one place, while all that follows from them is asked for. `motion` says what
    rows they are: samples, unless it is given."""

    def __init__(self, motion: Read = LaneRun.motion) -> None:
        self._motion = motion
        self._motions: dict[str, tuple[int, int, Motion]] = {}

    def rows(self, lane: LaneRun, name: str, of: Of, start: int, stop: int) -> np.ndarray:
        known = self._motions.get(lane.name)
        if known is None or known[:2] != (start, stop):
            known = self._motions[lane.name] = start, stop, self._motion(lane, start, stop)
        return of(known[2])


@dataclass(eq=False)
class _Asked:
    """A quantity of a lane that is asked for at the cursor, at the place of this `number` for the last time."""

    key: Key
    lane: LaneRun
    name: str
    of: Of
    number: int = 0

    def nodes(self, nodes: Nodes) -> Nodes:
        """Those between which it is found where its lane is at `nodes`."""
        if nodes.per == 1 or self.name not in LOST:
            return nodes
        return nodes_about(nodes.place / nodes.per, self.lane.samples, self.lane.cuts, 1)


class Abreast:
    """A `lazy.Reader` of the rows in `source`. Attitudes turn as the bodies do, and angles are those of these attitudes; anything
    else is mixed for itself: what is kept at the samples is kept between them, too.

    What was asked for at the places of the cursor before is found for all lanes at once where it comes next: a call for each lane
    and quantity costs more than all that it computes.
    """

    def __init__(self, source: Rows, within: Rows | None = None) -> None:
        self._sources = source, within or Sparing(LaneRun.motion_within)
        """Of samples, and of rows between them."""
        self._asked: dict[Key, _Asked] = {}
        self._number = 0
        """How many times the cursor has come."""
        self._places: dict[Nodes, dict[Key, np.ndarray]] = {}
        self._stretches: dict[tuple[Key, ...], _Stretch] = {}
        self._ahead = {source: _Ahead(source) for source in self._sources if isinstance(source, Recent)}

    def rows(self, lane: LaneRun, name: str, of: Of, start: int, stop: int) -> np.ndarray:
        return self._sources[0].rows(lane, name, of, start, stop)

    def at(self, lane: LaneRun, name: str, of: Of, nodes: Nodes) -> np.ndarray:
        asked = self._ask(lane, name, of)
        nodes = asked.nodes(nodes)
        values = self._at(nodes)
        found = values.get(asked.key)
        if found is None:
            values |= _Stretch(self._sources[nodes.per > 1], nodes, nodes.stop, [asked]).at(nodes)
            found = values[asked.key]
        return found

    def expect(self, other: "Abreast", lanes: Mapping[str, LaneRun]) -> None:
        """What was asked for in another run will be asked for in this one, too, of `lanes` by the same names."""
        for key, each in other._asked.items():
            if key[0] in lanes:
                self._asked[key] = replace(each, lane=lanes[key[0]], number=each.number - other._number)

    def come(
        self, places: Sequence[tuple[LaneRun, Nodes]], names: Sequence[str], lately: int = LATELY
    ) -> None:
        """The cursor is there, in each of these lanes; the quantities with these `names` will be asked for in all, and others that
        were in the last frames, as many as `lately`."""
        self._number += 1
        at = {lane.name: nodes for lane, nodes in places}
        for lane, _ in places:
            for name in names:
                self._ask(lane, name, QUANTITIES[name].of)
        asked: dict[str, list[_Asked]] = {}
        for each in self._asked.values():
            if self._number - each.number <= lately:
                asked.setdefault(each.lane.name, []).append(each)
        abreast: dict[Nodes, list[_Asked]] = {}
        for name, nodes in at.items():
            for each in asked.get(name, ()):
                abreast.setdefault(each.nodes(nodes), []).append(each)
        for nodes, together in abreast.items():
            self._find(nodes, together)

    def _ask(self, lane: LaneRun, name: str, of: Of) -> _Asked:
        key = lane.name, name
        asked = self._asked.get(key)
        if asked is None:
            asked = self._asked[key] = _Asked(key, lane, name, of)
        asked.number = self._number
        return asked

    def _at(self, nodes: Nodes) -> dict[Key, np.ndarray]:
        values = self._places.get(nodes)
        if values is None:
            if len(self._places) >= PLACES:
                del self._places[next(iter(self._places))]
            values = self._places[nodes] = {}
        return values

    def _find(self, nodes: Nodes, asked: Sequence[_Asked]) -> None:
        values = self._at(nodes)
        if values:
            return  # a cursor that rests: what is asked for there beside it is found by itself
        keys, source, pace = (
            tuple(each.key for each in asked),
            self._sources[nodes.per > 1],
            self._pace(nodes),
        )
        rows = nodes.per * (min((each.lane.samples for each in asked), default=1) - 1) + 1
        if source in self._ahead:
            rows = min(self._ahead[source].go_on(nodes, pace, asked, rows), rows)
        stretch = self._stretches.get(keys)
        if stretch is None or not stretch.holds(nodes):
            ahead = min(nodes.stop + AHEAD * pace, nodes.first + FEW, rows)
            stretch = _Stretch(source, nodes, max(nodes.stop, ahead), asked)
            if len(self._stretches) >= PLACES:
                self._stretches.clear()
            self._stretches[keys] = stretch
        values |= stretch.at(nodes)

    def _pace(self, nodes: Nodes) -> int:
        """By how many samples, or rows between them, a cursor has gone on to be here; 0 where it has leapt or goes back."""
        steps = (nodes.first - each.last for each in self._stretches.values() if each.per == nodes.per)
        return min((max(step, 1) for step in steps if 0 <= step <= FAST * nodes.per), default=0)


class _Ahead:
    """Finds the blocks of `source` to which a cursor goes on before it is there, those of a lane or of few in each frame: all at
    once would take as long as several frames."""

    def __init__(self, source: Recent) -> None:
        self._source = source
        self._found = -1
        """The number of the last block that lanes have, or wait for."""
        self._waiting: deque[tuple[int, dict[str, tuple[LaneRun, Of]]]] = deque()

    def go_on(self, nodes: Nodes, pace: int, asked: Sequence[_Asked], rows: int) -> int:
        """The cursor is at `nodes` and goes on by `pace` rows a frame, of so many `rows` that there are; it has leapt at 0. Up to
        which row all is found."""
        size = self._source.size
        now, goal = nodes.first // size, min(nodes.stop + 2 * AHEAD * pace, rows - 1) // size
        if not pace or now > self._found + 1:
            self._waiting.clear()
            self._found = now - 1
        if not pace:
            return nodes.stop
        lanes: dict[str, dict[str, tuple[LaneRun, Of]]] = {}
        for each in asked if self._found < goal else ():
            kinds = ("p", "omega") if each.name == "p" or _sequence(each.name) else (each.name,)
            of_lane = lanes.setdefault(each.lane.name, {})
            of_lane |= {
                name: (each.lane, each.of if name == each.name else QUANTITIES[name].of) for name in kinds
            }
        for number in range(self._found + 1, goal + 1):
            self._waiting.extend((number * size, several) for several in lanes.values())
        self._found = max(self._found, goal)
        for _ in range(min(-(-len(self._waiting) // AHEAD), len(self._waiting))):
            row, several = self._waiting.popleft()
            for name, (lane, of) in several.items():
                self._source.find(lane, name, of, row)
        return self._waiting[0][0] if self._waiting else size * (self._found + 1)


class _Stretch:
    """The rows from those of `nodes` on of all that is `asked` for there, side by side."""

    @large_numbers
    def __init__(self, source: Rows, nodes: Nodes, stop: int, asked: Sequence[_Asked]) -> None:
        self._source, self._first, self.per = source, nodes.first, nodes.per
        self.last = nodes.first
        """The first sample of the last place that was asked for."""
        self._stop = nodes.stop if nodes.event else stop
        self._event = nodes.event
        sample = (nodes.stop - 1) // nodes.per
        self._led = {each.lane.name: each.lane.led_to(sample) for each in asked if nodes.event}
        self._of_attitude = [each for each in asked if _sequence(each.name)]
        turning = {each.lane.name: each.lane for each in asked if each.name == "p" or _sequence(each.name)}
        self._turning = {name: number for number, name in enumerate(turning)}
        if turning:
            p, omega = ([self._read(lane, name) for lane in turning.values()] for name in ("p", "omega"))
            intervals = np.array([lane.interval for lane in turning.values()]) / nodes.per
            self._p, self._turns = np.array(p), intervals[:, None, None] * np.array(omega)
        self._cuts: list[tuple[Key, int, int]] = []
        rows, width = [], 0
        for each in asked:
            if each.name != "p" and not _sequence(each.name):
                rows.append(self._read(each.lane, each.name, each.of))
                self._cuts.append((each.key, width, width := width + rows[-1].shape[1]))
        self._rows = np.concatenate(rows, axis=1) if rows else np.empty((self._stop - self._first, 0))

    def _read(self, lane: LaneRun, name: str, of: Of | None = None) -> np.ndarray:
        of = of or QUANTITIES[name].of
        values = self._source.rows(lane, name, of, self._first, self._stop)
        return np.concatenate((values[:-1], of(self._led[lane.name]))) if self._event else values

    def holds(self, nodes: Nodes) -> bool:
        """Whether these samples are among them. The last one before an event stands for what led there."""
        if nodes.per != self.per:
            return False
        if self._event or nodes.event:
            return (nodes.first, nodes.stop, nodes.event) == (self._first, self._stop, self._event)
        return self._first <= nodes.first and nodes.stop <= self._stop

    @large_numbers
    def at(self, nodes: Nodes) -> dict[Key, np.ndarray]:
        """What is asked for at the place of `nodes`, which it holds."""
        self.last = nodes.first
        part = slice(nodes.first - self._first, nodes.stop - self._first)
        mixed = nodes.mixed(self._rows[part])
        found = {key: mixed[start:stop] for key, start, stop in self._cuts}
        if self._turning:
            p = nodes.turned(self._p[:, part], self._turns[:, part])
            found |= {(name, "p"): p[number] for name, number in self._turning.items()}
            found |= self._at_attitudes(nodes, p)
        return found

    def _at_attitudes(self, nodes: Nodes, p: np.ndarray) -> dict[Key, np.ndarray]:
        """Quantities of attitudes (l, 4), which are those of all lanes for one call."""
        if not self._of_attitude:
            return {}
        if nodes.stop - nodes.first == 1:
            rows = (
                (each, self._source.rows(each.lane, each.name, each.of, nodes.first, nodes.stop))
                for each in self._of_attitude
            )
            return {each.key: row[0] for each, row in rows}
        motion = self._of_attitude[0].lane.turned_to(p, nodes.place / nodes.per)
        values = {each.name: each.of for each in self._of_attitude}
        read = {name: of(motion) for name, of in values.items()}
        return {each.key: read[each.name][self._turning[each.lane.name]] for each in self._of_attitude}


def _sequence(name: str) -> str:
    """The Euler sequence of what is to follow from an attitude alone."""
    kind = QUANTITIES.get(name)
    return kind.sequence if kind is not None else ""


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

    def __init__(self, simulation: Simulation, info: RunInfo, before: "Columns | None" = None) -> None:
        self.info = info
        self._lanes = {lane.name: lane for lane in simulation}
        self.sparing = Abreast(Sparing())
        """What frames of a run that is passing are read by: it computes what they show, and keeps nothing."""
        self.reader = Abreast(recent(simulation.samples), recent_within())
        """What all of its columns are read by."""
        if before is not None:
            self.sparing.expect(before.sparing, self._lanes)
            self.reader.expect(before.reader, self._lanes)
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
        return LaneColumn(lane, name, of, width, self.reader, self._growth)

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
        self._reader = Abreast(recent(longest), recent_within())
        self._times = np.arange(longest) * info.sample_interval

    def values(self, lane: str, quantity: str) -> tuple[np.ndarray, LaneColumn]:
        """Times (n,) and values (n, k); see `frame.Source`."""
        run, kind = self._lanes[lane], QUANTITIES[quantity]
        count = min(run.samples, len(self._times)) if run.prepared else 0
        column = LaneColumn(run, quantity, kind.of, len(kind.symbols), self._reader, None, count)
        return self._times[:count], column
