"""Each lane minus another: a source whose columns are magnitudes of differences."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from quatviz.base.translation import tr
from quatviz.display.data.frame import Source
from quatviz.display.data.lazy_columns import (
    Column,
    Derived,
    Following,
    LazyColumn,
    Rows,
    before,
    between,
    cuts_of,
    large_numbers,
)
from quatviz.files.preset import Preset
from quatviz.physics.events import sample_of
from quatviz.physics.kernels.pyramid import Grown
from quatviz.physics.mechanics.rotations import canonical_sign, relative_angle
from quatviz.physics.observables.quantities import QUANTITIES, Motion, Quantity
from quatviz.simulation.simulation import Simulation


@dataclass(frozen=True)
class _Rule:
    """How a quantity is compared: what it is called then, with what, and by which function of two columns."""

    called: Quantity
    of: Callable[[np.ndarray, np.ndarray], np.ndarray]
    against: str = ""
    """The quantity of the same lane that is subtracted; the same quantity of the reference lane if empty."""


def rule(name: str) -> _Rule:
    """Euler parameters by the rotation between the two, for p and -p are one orientation; angles within half a
    turn; lambda against its own theory, because lanes do not share one lambda."""
    quantity = QUANTITIES[name]
    if name == "p":
        called = Quantity("p", tr("Orientation error"), (tr("orientation error"),), "rad")
        return _Rule(called, lambda own, other: relative_angle(own, other)[:, None])
    if name == "lam":
        return _Rule(replace(quantity, symbols=("|λ − theory|",)), _magnitude, "lam_theory")
    called = replace(quantity, symbols=tuple(f"|Δ{symbol}|" for symbol in quantity.symbols))
    return _Rule(called, _turned if quantity.name.startswith("angles_") else _magnitude)


def _magnitude(own: np.ndarray, other: np.ndarray) -> np.ndarray:
    return np.abs(own - other)


def _turned(own: np.ndarray, other: np.ndarray) -> np.ndarray:
    turn = np.abs(own - other) % 360.0
    return np.minimum(turn, 360.0 - turn)


class Differences:
    """A `Source` of magnitudes of `source`'s lanes minus the lane `reference`, computed where they are read."""

    def __init__(self, source: Source, reference: str) -> None:
        self.info = source.info
        self.reference = reference
        self._source = source

    def values(self, lane: str, quantity: str) -> tuple[np.ndarray, Derived]:
        """Times (n,) and magnitudes (n, k), as far as both lanes have got; see `frame.Source`."""
        how = rule(quantity)
        times, own = self._source.values(lane, quantity)
        _, other = self._source.values(lane if how.against else self.reference, how.against or quantity)
        column = Derived((own, other), how.of, len(how.called.symbols))
        return times[: len(column)], column


_TURN = 360.0


class Running(ABC):
    """A form whose rows depend on all before them, by whole numbers that change in few rows."""

    @abstractmethod
    def steps(self, rows: np.ndarray) -> np.ndarray:
        """By how much these numbers change (n - 1, m) from each row (n, k) to the next."""

    @abstractmethod
    def written(self, rows: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """Rows (n, k) with their numbers (n, m)."""


class _Continuous(Running):
    """Signs by which no p is further from the one before than its opposite; the number is that of changes."""

    def steps(self, rows: np.ndarray) -> np.ndarray:
        return (np.einsum("ni,ni->n", rows[1:], rows[:-1]) < 0.0).astype(np.float64)[:, None]

    def written(self, rows: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        return rows * np.where(numbers % 2.0 == 1.0, -1.0, 1.0)


class _Unwrapped(Running):
    """Angles [deg] less the whole turns that bring each within half a turn of the one before; a row that is not finite
    adds none."""

    def steps(self, rows: np.ndarray) -> np.ndarray:
        return np.nan_to_num(np.round(np.diff(rows, axis=0) / _TURN), nan=0.0, posinf=0.0, neginf=0.0)

    def written(self, rows: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        return rows - _TURN * numbers


FORMS: dict[str, Running | None] = {"canonical": None, "continuous": _Continuous(), "unwrapped": _Unwrapped()}
"""By the option that a panel offers. The canonical sign of a row does not depend on other rows."""


class Formed:
    """A `Source` of `source`'s columns written in one of `FORMS`, computed where they are read, as far as the rows have
    been gone through.

    The first row of a lane is written as near as may be to the first row of the lane `reference`, if that is there by
    then, so that lanes of one motion lie on each other.
    """

    def __init__(self, source: Source, form: str, reference: str) -> None:
        self.info = source.info
        self._source, self._form, self._reference = source, FORMS[form], reference
        self._starts: dict[str, np.ndarray] = {}
        self._numbers: dict[tuple[str, str], _Numbers] = {}

    def values(self, lane: str, quantity: str) -> tuple[np.ndarray, Column]:
        """Times (n,) and values (n, k); see `frame.Source`."""
        times, own = self._source.values(lane, quantity)
        if self._form is None:
            return times, Derived((own,), canonical_sign, own.shape[1])
        if len(own) == 0:
            return times[:0], np.empty((0, own.shape[1]))
        numbers = self._numbers.get((lane, quantity))
        if numbers is None:
            numbers = self._numbers[lane, quantity] = _Numbers(self._form, self._start(quantity, own[0]))
        numbers.grow(own)
        column = _FormedColumn(own, self._form, numbers, min(numbers.known, len(own)))
        return times[: len(column)], column

    def _start(self, quantity: str, own: np.ndarray) -> np.ndarray:
        """The row from which all lanes go on."""
        if quantity not in self._starts:
            first = self._source.values(self._reference, quantity)[1][:1]
            self._starts[quantity] = np.array(first[0] if len(first) else own)
        return self._starts[quantity]


class _Numbers(Following):
    """The numbers of a running form, kept at the rows where they change.

    They can be read as soon as rows are digested, in the thread where these are reduced further, too.
    """

    def __init__(self, form: Running, start: np.ndarray) -> None:
        super().__init__()
        self._form = form
        self._last = start[None]
        self._now: np.ndarray | None = None
        self._rows = Grown(np.int64)
        self._changed: list[Grown] = []
        self._state: tuple[int, np.ndarray, list[np.ndarray]] = (0, np.empty(0, dtype=np.int64), [])
        """How many rows are known, those that change something, and the numbers from each of these on: replaced as a
        whole, for another thread may be reading."""

    @property
    def known(self) -> int:
        """Rows whose numbers can be read."""
        return self._state[0]

    def digest(self, rows: np.ndarray) -> int:
        steps = self._form.steps(np.vstack([self._last, rows]))
        self._last = np.array(rows[-1:])
        if self._now is None:
            self._now = np.zeros(steps.shape[1])
            self._changed = [Grown(np.float64) for _ in self._now]
        changed = np.flatnonzero(steps.any(axis=1))
        if len(changed):
            numbers = self._now + np.cumsum(steps[changed], axis=0)
            self._now = numbers[-1]
            self._rows.append(changed + self.known)
            for kept, new in zip(self._changed, numbers.T, strict=True):
                kept.append(new)
        self._state = self.known + len(rows), self._rows.all, [kept.all for kept in self._changed]
        return len(rows)

    def absorb(self, digest: int) -> None:
        self.count += digest

    def at(self, rows: np.ndarray) -> np.ndarray:
        """The numbers (m, w) of rows (m,)."""
        _, changing, numbers = self._state
        place = changing.searchsorted(rows, "right") - 1
        if len(changing) == 0:
            return np.zeros((len(rows), len(numbers)))
        return np.stack([np.where(place < 0, 0.0, one[place]) for one in numbers], axis=1)


class _FormedColumn(LazyColumn):
    """A column in a running form."""

    def __init__(self, own: Column, form: Running, numbers: _Numbers, count: int) -> None:
        super().__init__(count, own.shape[1])
        self._own, self._form, self._numbers = own, form, numbers
        if isinstance(own, LazyColumn):
            self.growth, self.of_lane = own.growth, own.of_lane

    def available(self) -> int:
        return self._numbers.known

    def upto(self, count: int) -> "_FormedColumn":
        return _FormedColumn(self._own, self._form, self._numbers, min(count, len(self)))

    def read(self, start: int, stop: int, reader: Rows | None = None) -> np.ndarray:
        own = self._own
        rows = own.read(start, stop, reader) if isinstance(own, LazyColumn) else own[start:stop]
        return self._form.written(rows, self._numbers.at(np.arange(start, stop)))

    def pick(self, rows: np.ndarray) -> np.ndarray:
        return self._form.written(self._own[rows], self._numbers.at(rows))

    def at(self, place: float) -> np.ndarray:
        row = int(min(max(place, 0.0), len(self) - 1.0))
        return self._behind(row, between(self._own, min(place, len(self) - 1.0)))

    @property
    def cuts(self) -> Sequence[int]:
        return [cut for cut in cuts_of(self._own) if cut < len(self)]

    def before(self, row: int) -> np.ndarray:
        return self._behind(row - 1, before(self._own, row))

    def _behind(self, row: int, own: np.ndarray) -> np.ndarray:
        """Values (k,) of the column itself, which follow those of a row."""
        rows = np.array([row])
        numbers = self._numbers.at(rows) + self._form.steps(np.vstack((self._own[rows], own)))
        return self._form.written(own[None], numbers)[0]


_ROWS = 20_000
"""How many rows are kept of each lane: enough for every curve, and little beside a run of a million."""


class OldFuture:
    """Rows of the lanes of a run from the sample `first` on. It keeps copies: the run itself may go."""

    def __init__(self, run: Simulation, first: int) -> None:
        self._motions: dict[str, Motion] = {
            lane.name: lane.motion(first, first + _ROWS)
            for lane in run
            if lane.prepared and lane.samples > first + 1
        }
        self._columns: dict[tuple[str, str], np.ndarray] = {}

    @property
    def lanes(self) -> tuple[str, ...]:
        """Names of the lanes that it has."""
        return tuple(self._motions)

    @large_numbers
    def values(self, lane: str, quantity: str) -> tuple[np.ndarray, np.ndarray]:
        """Times (n,) [s] and values (n, k) of a quantity."""
        motion = self._motions[lane]
        if (lane, quantity) not in self._columns:
            self._columns[lane, quantity] = QUANTITIES[quantity].of(motion)
        return motion.t, self._columns[lane, quantity]


def parting(before: Preset, after: Preset) -> int | None:
    """The first sample at which runs of two presets may differ, where only their events do; None where they do not, or
    where the runs differ from their start."""
    if not replace(before, events=()).same_run(replace(after, events=())):
        return None
    interval = before.run.sample_interval
    one, other = list(before.events), list(after.events)
    different = [event for event in one if event not in other] + [
        event for event in other if event not in one
    ]
    first = min((sample_of(event.at, interval) for event in different), default=0)
    return first or None
