"""Column sources derived from another source: differences from a reference lane, signs and angles that are
continuous in time, and the curves of the previous run."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from quatviz.base.translation import tr
from quatviz.display.data.frame import ColumnSource
from quatviz.display.data.lazy_columns import (
    Column,
    DerivedColumn,
    IncrementalReducer,
    LazyColumn,
    RowReader,
    before_events,
    event_rows,
    interpolate,
    large_numbers,
)
from quatviz.files.preset import Preset
from quatviz.physics.events import sample_index
from quatviz.physics.kernels.pyramid import GrowableArray
from quatviz.physics.mechanics.rotations import canonical_sign, relative_angle
from quatviz.physics.observables.quantities import QUANTITIES, Motion, Quantity
from quatviz.simulation.simulation import Simulation


@dataclass(frozen=True)
class _ComparisonRule:
    """Rule by which a quantity is compared between two lanes: the resulting quantity, and the function that
    computes it from the columns of both lanes."""

    result: Quantity
    difference: Callable[[np.ndarray, np.ndarray], np.ndarray]
    subtracted_quantity: str = ""
    """Name of the quantity that is subtracted, taken from the same lane, such as a theoretical value. If it is empty,
    the same quantity of the reference lane is subtracted."""


def comparison_rule(name: str) -> _ComparisonRule:
    """Return the rule by which a quantity is compared between lanes.

    Euler parameters are compared by the rotation angle between the two attitudes, because p and -p are the
    same attitude. Angles are compared modulo a full turn. The multiplier λ of a lane is compared with the
    theoretical value for the same lane, because formulations differ in λ.
    """
    quantity = QUANTITIES[name]
    if name == "p":
        result = Quantity("p", tr("Orientation difference"), (tr("orientation difference"),), "rad")
        return _ComparisonRule(result, lambda own, other: relative_angle(own, other)[:, None])
    if name == "lam":
        return _ComparisonRule(replace(quantity, symbols=("|λ − theory|",)), _magnitude, "lam_theory")
    result = replace(quantity, symbols=tuple(f"|Δ{symbol}|" for symbol in quantity.symbols))
    return _ComparisonRule(result, _angle_difference if quantity.name.startswith("angles_") else _magnitude)


def _magnitude(own: np.ndarray, other: np.ndarray) -> np.ndarray:
    return np.abs(own - other)


def _angle_difference(own: np.ndarray, other: np.ndarray) -> np.ndarray:
    turn = np.abs(own - other) % 360.0
    return np.minimum(turn, 360.0 - turn)


class Differences:
    """A `ColumnSource` of absolute differences of each lane from the lane `reference`."""

    def __init__(self, source: ColumnSource, reference: str) -> None:
        self.info = source.info
        self.reference = reference
        self._source = source

    def values(self, lane: str, quantity: str) -> tuple[np.ndarray, DerivedColumn]:
        """Return times (n,) [s] and differences (n, k) up to the last sample that both lanes have computed;
        see `frame.ColumnSource`."""
        rule = comparison_rule(quantity)
        times, own = self._source.values(lane, quantity)
        _, other = self._source.values(
            lane if rule.subtracted_quantity else self.reference, rule.subtracted_quantity or quantity
        )
        column = DerivedColumn((own, other), rule.difference, len(rule.result.symbols))
        return times[: len(column)], column


_FULL_TURN = 360.0


class CumulativeForm(ABC):
    """Representation of a column in which each row depends on all earlier rows, such as angles without jumps.

    A row depends on earlier rows only through integers that accumulate along the column, such as the number of full
    turns so far. A row has m such integers.
    """

    @abstractmethod
    def steps(self, rows: np.ndarray) -> np.ndarray:
        """Return the changes (n - 1, m) of the accumulated integers between consecutive `rows` (n, k)."""

    @abstractmethod
    def apply(self, rows: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """Return `rows` (n, k) in this representation. `numbers` (n, m) are the accumulated integers at the rows."""


class _ContinuousSign(CumulativeForm):
    """Euler parameters with signs that make p continuous in time. The accumulated integer is the number of sign changes
    so far."""

    def steps(self, rows: np.ndarray) -> np.ndarray:
        return (np.einsum("ni,ni->n", rows[1:], rows[:-1]) < 0.0).astype(np.float64)[:, None]

    def apply(self, rows: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        return rows * np.where(numbers % 2.0 == 1.0, -1.0, 1.0)


class _UnwrappedAngles(CumulativeForm):
    """Angles [deg] without jumps: full turns are subtracted so that consecutive rows differ by at most
    half a turn. Rows that are not finite add no turn."""

    def steps(self, rows: np.ndarray) -> np.ndarray:
        return np.nan_to_num(np.round(np.diff(rows, axis=0) / _FULL_TURN), nan=0.0, posinf=0.0, neginf=0.0)

    def apply(self, rows: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        return rows - _FULL_TURN * numbers


FORMS: dict[str, CumulativeForm | None] = {
    "canonical": None,
    "continuous": _ContinuousSign(),
    "unwrapped": _UnwrappedAngles(),
}
"""Representations by option: "canonical" and "continuous" of the choice of the sign of p, "unwrapped" of the choice of
angle ranges.

"canonical" is None, because the canonical sign of a row of p does not depend on other rows.
"""


class FormSource:
    """A `ColumnSource` that returns the columns of `source` in one of the representations `FORMS`. A column ends at the
    last row for which the accumulated integers have been computed.

    The first row of a lane is represented as close as possible to that of the lane `reference`, so that lanes
    of the same motion coincide.
    """

    def __init__(self, source: ColumnSource, form: str, reference: str) -> None:
        self.info = source.info
        self._source, self._form, self._reference = source, FORMS[form], reference
        self._starts: dict[str, np.ndarray] = {}
        self._followers: dict[tuple[str, str], _CumulativeNumbers] = {}

    def values(self, lane: str, quantity: str) -> tuple[np.ndarray, Column]:
        """Return times (n,) [s] and values (n, k); see `frame.ColumnSource`."""
        times, own = self._source.values(lane, quantity)
        if self._form is None:
            return times, DerivedColumn((own,), canonical_sign, own.shape[1])
        if len(own) == 0:
            return times[:0], np.empty((0, own.shape[1]))
        follower = self._followers.get((lane, quantity))
        if follower is None:
            follower = self._followers[lane, quantity] = _CumulativeNumbers(
                self._form, self._start(quantity, own[0])
            )
        follower.grow(own)
        column = _FormedColumn(own, self._form, follower, min(follower.known_count, len(own)))
        return times[: len(column)], column

    def _start(self, quantity: str, own: np.ndarray) -> np.ndarray:
        """Return the row (k,) to which the first row of every lane is made continuous: the first row of
        the reference lane, or `own` if the reference lane has no rows."""
        if quantity not in self._starts:
            first = self._source.values(self._reference, quantity)[1][:1]
            self._starts[quantity] = np.array(first[0] if len(first) else own)
        return self._starts[quantity]


class _CumulativeNumbers(IncrementalReducer):
    """The accumulated integers of a `CumulativeForm`, stored only at the rows where they change.

    The integers of a row can be read as soon as the row is digested, also in the background thread that then reduces
    it.
    """

    def __init__(self, form: CumulativeForm, start: np.ndarray) -> None:
        super().__init__()
        self._form = form
        self._last = start[None]
        self._last_numbers: np.ndarray | None = None
        self._rows = GrowableArray(np.int64)
        self._numbers_at_changes: list[GrowableArray] = []
        self._state: tuple[int, np.ndarray, list[np.ndarray]] = (0, np.empty(0, dtype=np.int64), [])
        """Three items: the number of rows for which the integers have been computed; the indices of the rows at which an
        integer changes; and, for each of the integers, its values from these rows on.

        The tuple is replaced as a whole, because another thread may be reading it.
        """

    @property
    def known_count(self) -> int:
        """Number of rows for which the accumulated integers have been computed."""
        return self._state[0]

    def digest(self, rows: np.ndarray) -> int:
        steps = self._form.steps(np.vstack([self._last, rows]))
        self._last = np.array(rows[-1:])
        if self._last_numbers is None:
            self._last_numbers = np.zeros(steps.shape[1])
            self._numbers_at_changes = [GrowableArray(np.float64) for _ in self._last_numbers]
        changed_rows = np.flatnonzero(steps.any(axis=1))
        if len(changed_rows):
            numbers = self._last_numbers + np.cumsum(steps[changed_rows], axis=0)
            self._last_numbers = numbers[-1]
            self._rows.append(changed_rows + self.known_count)
            for stored, new in zip(self._numbers_at_changes, numbers.T, strict=True):
                stored.append(new)
        self._state = (
            self.known_count + len(rows),
            self._rows.values,
            [stored.values for stored in self._numbers_at_changes],
        )
        return len(rows)

    def absorb(self, digest: int) -> None:
        self.count += digest

    def at(self, rows: np.ndarray) -> np.ndarray:
        """Return the accumulated integers (m, w) at the rows with the indices `rows` (m,). A row has w such integers."""
        _, changing, numbers = self._state
        index = changing.searchsorted(rows, "right") - 1
        if len(changing) == 0:
            return np.zeros((len(rows), len(numbers)))
        return np.stack([np.where(index < 0, 0.0, values[index]) for values in numbers], axis=1)


class _FormedColumn(LazyColumn):
    """A lazy column whose rows are read in a cumulative form, such as unwrapped angles."""

    def __init__(self, own: Column, form: CumulativeForm, numbers: _CumulativeNumbers, count: int) -> None:
        super().__init__(count, own.shape[1])
        self._own, self._form, self._numbers = own, form, numbers
        if isinstance(own, LazyColumn):
            self.reducer, self.lane_name = own.reducer, own.lane_name

    def available(self) -> int:
        return self._numbers.known_count

    def truncated(self, count: int) -> "_FormedColumn":
        return _FormedColumn(self._own, self._form, self._numbers, min(count, len(self)))

    def read(self, start: int, stop: int, reader: RowReader | None = None) -> np.ndarray:
        own = self._own
        rows = own.read(start, stop, reader) if isinstance(own, LazyColumn) else own[start:stop]
        return self._form.apply(rows, self._numbers.at(np.arange(start, stop)))

    def take(self, rows: np.ndarray) -> np.ndarray:
        return self._form.apply(self._own[rows], self._numbers.at(rows))

    def interpolate(self, position: float) -> np.ndarray:
        row = int(min(max(position, 0.0), len(self) - 1.0))
        own = interpolate(self._own, min(position, len(self) - 1.0))
        return self._following(np.array([row]), own[None])[0]

    @property
    def event_rows(self) -> Sequence[int]:
        return [cut for cut in event_rows(self._own) if cut < len(self)]

    def before_events(self, rows: np.ndarray) -> np.ndarray:
        return self._following(rows - 1, before_events(self._own, rows))

    def _following(self, rows: np.ndarray, own: np.ndarray) -> np.ndarray:
        """Return the values `own` (m, k) of the original column in this form. Each is continuous with the row whose
        index is in `rows` (m,)."""
        pairs = np.stack((self._own[rows], own), axis=1).reshape(-1, own.shape[1])
        return self._form.apply(own, self._numbers.at(rows) + self._form.steps(pairs)[::2])


_MAX_ROWS = 20_000
"""Largest number of rows of each lane that `PreviousRun` keeps: enough for every curve, little memory
compared with a run of a million rows."""


class PreviousRun:
    """Rows of the lanes of a run from the sample `first` on. They are copied, so that the run itself can be freed."""

    def __init__(self, run: Simulation, first: int) -> None:
        self._motions: dict[str, Motion] = {
            lane.name: lane.motion(first, first + _MAX_ROWS)
            for lane in run
            if lane.prepared and lane.samples > first + 1
        }
        self._columns: dict[tuple[str, str], np.ndarray] = {}

    @property
    def lanes(self) -> tuple[str, ...]:
        """Names of the lanes of which rows are kept."""
        return tuple(self._motions)

    @large_numbers
    def values(self, lane: str, quantity: str) -> tuple[np.ndarray, np.ndarray]:
        """Return times (n,) [s] and values (n, k) of a quantity."""
        motion = self._motions[lane]
        if (lane, quantity) not in self._columns:
            self._columns[lane, quantity] = QUANTITIES[quantity].column_values(motion)
        return motion.t, self._columns[lane, quantity]


def first_differing_sample(before: Preset, after: Preset) -> int | None:
    """Return the first sample at which the runs of two presets may differ because of their events.

    Return None if they do not differ, or if they differ from the start.
    """
    if not replace(before, events=()).has_same_run(replace(after, events=())):
        return None
    interval = before.run.sample_interval
    events, other_events = list(before.events), list(after.events)
    different = [event for event in events if event not in other_events] + [
        event for event in other_events if event not in events
    ]
    first = min((sample_index(event.at, interval) for event in different), default=0)
    return first or None
