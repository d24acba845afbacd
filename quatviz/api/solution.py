"""One lane of a finished run: its quantities as properties, apart from the engine that computed them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike

from quatviz.api.accuracy import Estimate, doubts_of, estimate_of, moments
from quatviz.api.argument_checks import numbers
from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import shown
from quatviz.export.table import Table
from quatviz.files.preset import Lane, Preset
from quatviz.physics.observables.quantities import QUANTITIES, Motion, Quantity
from quatviz.simulation.lane import LaneRun, Record

_HALVINGS = 40
"""Of the time between two samples, in which a crossing is located."""


class Parts(Mapping[str, np.ndarray]):
    """Arrays by name, which do not change. It pickles and copies."""

    def __init__(self, arrays: Mapping[str, np.ndarray]) -> None:
        self._arrays = dict(arrays)

    def __getitem__(self, name: str) -> np.ndarray:
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __repr__(self) -> str:
        return repr(self._arrays)


class Source(Protocol):
    """Where the values of a lane come from. It pickles, and does not change."""

    def value(self, name: str) -> Any:
        """`t`, `lam_parts`, or the quantity of that name; `InputError` for what is not there."""


class Quantities:
    """A read-only property for each quantity of the registry, those of plug-ins too, computed once."""

    _source: Source
    _values: dict[str, np.ndarray]

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> np.ndarray: ...

    def __init_subclass__(cls) -> None:
        """Give the class its properties, which `dir`, completion and `help` show."""
        super().__init_subclass__()
        for quantity in QUANTITIES.values():
            setattr(cls, quantity.name, _property(quantity))

    @property
    def t(self) -> np.ndarray:
        """Times (n,) [s]."""
        return self._value("t")

    @property
    def lam_parts(self) -> Mapping[str, np.ndarray]:
        """The terms of lambda in theory by their names, each (n,) [J]; empty without multiplier."""
        parts = self._source.value("lam_parts")
        return Parts({name: _read_only(values) for name, values in parts.items()})

    def _value(self, name: str) -> np.ndarray:
        if name not in self._values:
            self._values[name] = _read_only(self._source.value(name))
        return self._values[name]


def _read_only(values: np.ndarray) -> np.ndarray:
    """The same numbers in an array that cannot be made writable: it stands on memory that is not, and on no array."""
    return np.asarray(values.data.toreadonly())


def _property(quantity: Quantity) -> property:
    def get(self: Quantities) -> np.ndarray:
        return self._value(quantity.name)

    return property(get, doc=quantity.described)


class Event(NamedTuple):
    """Something that happened to a lane on the way."""

    t: float
    """When [s]; the row at that time is the state after it."""
    title: str
    words: str


@dataclass(frozen=True, eq=False, repr=False)
class Solution(Quantities):
    """One lane of a run: what was computed, and how it ended. It never changes, pickles, and needs no engine.

    Arrays have a row for each sample, `t[k] = k * sample_interval`; they are read-only and computed when first asked for. SI
    units; angles in degrees; vectors in body components unless the name says `space`.

    >>> import quatviz as qv
    >>> lane = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=0.02)["newton_euler"]
    >>> lane.success, len(lane), lane.h.shape, float(abs(lane.constraint).max()) < 1e-14
    (True, 3, (3, 3), True)
    >>> lane.at(0.015).omega.shape, lane.trusted  # between two samples [rad/s, body]
    ((3,), True)
    """

    name: str
    spec: Lane
    """What was asked for: formulation, and what it does not share with the run."""
    formulation: str
    """Its id, with the variant."""
    integrator: str
    """Empty for a lane that is known in closed form."""
    dt: float
    """Step [s]; the first one of an adaptive integrator, the sample interval of a closed form."""
    status: str
    """`ok`, or why it ended early: `singular`, `not_finite`, `step_failed`, `no_closed_form`, `no_recording`,
    `recording_ended`, `failed`."""
    message: str
    """The same in a sentence; empty for a lane that reached the end."""
    ended_at: float | None
    """When it ended early [s]."""
    remarks: tuple[str, ...]
    """What has no effect on this lane, or not all of it."""
    events: tuple[Event, ...]
    """What happened on the way."""
    steps: int
    seconds: float
    """Processor time of the steps [s]."""
    digest: str
    """A hash of every recorded state, which equal runs share, on the same machine and versions."""
    _source: Source
    _values: dict[str, np.ndarray] = field(default_factory=dict)

    @classmethod
    def of(cls, lane: LaneRun) -> Self:
        """What a lane of the engine has computed so far."""
        return cls(
            name=lane.name,
            spec=lane.spec,
            formulation=lane.formulation.id,
            integrator="" if lane.formulation.closed_form else lane.integrator.name,
            dt=lane.dt,
            status=lane.status,
            message=lane.message,
            ended_at=lane.ended_at,
            remarks=lane.all_remarks,
            events=tuple(Event(*each) for each in lane.happened),
            steps=lane.steps,
            seconds=lane.seconds,
            digest=lane.digest,
            _source=Computed(lane.name, lane.preset, lane.index, lane.record(), lane),
        )

    @classmethod
    def read(cls, told: Mapping[str, Any], spec: Lane, table: Table) -> Self:
        """A lane of a table, which has told this of it."""
        rows = int((table.t <= told["end"] * (1.0 + 1e-9)).sum())
        columns = {c.quantity.name: c.values[:rows] for c in table.columns if c.lane == told["name"]}
        return cls(
            **{key: told[key] for key in _TOLD},
            spec=spec,
            remarks=(),
            events=tuple(Event(*each) for each in told["events"]),
            _source=Loaded(table.t[:rows], columns),
        )

    @property
    def success(self) -> bool:
        """Whether the lane reached the end of the run; `trusted` says more."""
        return self.status == "ok"

    @property
    def engine(self) -> LaneRun:
        """The lane as the engine has it, for what reads one. `InputError` for a lane that was read from a file."""
        return self._computed.lane

    @property
    def _computed(self) -> "Computed":
        if not isinstance(self._source, Computed):
            raise not_computed("what only its states tell")
        return self._source

    def motion(self, start: int = 0, stop: int | None = None) -> Motion:
        """The rows `start:stop` by themselves, angles in radians: for what is computed of a part of a long run."""
        return self.engine.motion(start, len(self) if stop is None else min(stop, len(self)))

    @cached_property
    def states(self) -> np.ndarray:
        """The states (n, m) that were integrated, as `state_names` calls their components; read-only."""
        return _read_only(self.engine.history.rows[: len(self)])

    @property
    def state_names(self) -> tuple[str, ...]:
        """What a state is made of."""
        return self.engine.formulation.state

    def at(self, t: ArrayLike) -> "Moments":
        """The quantities at any times [s] of the lane: shapes as those of `t`, with the components behind.

        Between two samples the motion goes on from the first by Newton's and Euler's equations, and is led to the second by a turn
        that grows with time; that is exact but for the lane's own error within a sample interval. Rows at samples are those that
        were recorded, but for rounding. `InputError` beyond the lane's ends, and for a body with a ring inside.
        """
        return Moments(Between(self._computed, numbers(t, "the times")))

    @cached_property
    def estimated_error(self) -> np.ndarray:
        """By how much the attitude is off at each sample (n,) [rad], about.

        Each sample is carried on to the next by Newton's and Euler's equations, in NumPy and with short steps; what the next one is
        off from that, and what has become of it since, adds up. NaN for a body with a ring inside.
        """
        return _read_only(self._estimate.errors)

    @cached_property
    def _estimate(self) -> Estimate:
        return estimate_of(self.engine)

    def when(self, condition: Callable[[Quantities], np.ndarray]) -> np.ndarray:
        """The times [s] at which what `condition` returns goes through zero, located between samples as `at` finds the motion.
        A leap over zero is none, such as that of an angle from 180 to -180 degrees.

        >>> import quatviz as qv
        >>> lane = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=10.0)["newton_euler"]
        >>> lane.when(lambda at: at.omega[..., 1]).round(6).tolist()  # [s]
        [0.0, 9.339282]
        """
        values = self._of(condition, self)
        low = np.flatnonzero(np.sign(values[:-1]) * np.sign(values[1:]) < 0)
        start, end, side = self.t[low], self.t[low + 1], np.sign(values[low])
        for _ in range(_HALVINGS if low.size else 0):
            middle = 0.5 * (start + end)
            before = np.sign(self._of(condition, self.at(middle))) == side
            start, end = np.where(before, middle, start), np.where(before, end, middle)
        left = (
            abs(self._of(condition, self.at(end)) - self._of(condition, self.at(start))) if low.size else 0.0
        )
        through = left < 0.5 * abs(values[low + 1] - values[low])
        found: np.ndarray = np.sort(np.concatenate((self.t[values == 0.0], 0.5 * (start + end)[through])))
        return found

    @staticmethod
    def _of(condition: Callable[[Quantities], np.ndarray], at: Quantities) -> np.ndarray:
        """The values of a condition, one for each time; `InputError` where it has others."""
        values = np.asarray(condition(at)) if callable(condition) else np.asarray(condition)
        if values.shape == at.t.shape and values.dtype.kind in "iuf":
            return values.astype(float)
        raise InputError(
            "the condition", expected="a function of the lane that returns a number for each time",
            found=phrase("{shape} of {kind}", shape=values.shape, kind=values.dtype) if callable(condition) else shown(condition),
            remedy="write for example lane.when(lambda at: at.omega[..., 0] - 1.0)", topic="scripting#what-a-lane-knows",
        )  # fmt: skip

    @property
    def trusted(self) -> bool:
        """Whether the lane reached the end, and its attitude is off by less than a milliradian, as far as it tells itself."""
        return not self.doubts

    @cached_property
    def doubts(self) -> str:
        """Why the lane should not be believed, in a sentence; empty for one that is `trusted`."""
        return doubts_of(self.engine, self._estimate) if self.success else self.message

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        how = f"{self.integrator}, dt = {self.dt:g} s" if self.integrator else "closed form"
        end = f"to t = {self.t[-1]:g} s" if len(self) else "nothing recorded"
        said = f": {self.message}" if self.message else ""
        return f"<lane {self.name}: {self.status}, {len(self)} samples {end}, {how}{said}>"

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if key in self.__dataclass_fields__} | {
            "_values": {}
        }

    def __deepcopy__(self, memo: Mapping[int, object]) -> Self:
        return self


class Moments(Quantities):
    """The quantities of a lane at some times."""

    def __init__(self, source: Source) -> None:
        self._source, self._values = source, {}

    def __repr__(self) -> str:
        times = np.unique(self.t)
        said = f"t = {times[0]:g} s" if times.size == 1 else f"{self.t.size} times"
        return f"<quantities at {said}{f', {times[0]:g} to {times[-1]:g} s' if times.size > 1 else ''}>"


@dataclass(frozen=True, eq=False)
class Between:
    """Times of any shape, and the motion of a lane there, which is found anew where they were unpickled."""

    lane: "Computed"
    times: np.ndarray

    def __post_init__(self) -> None:
        _ = self.motion  # times beyond the lane's ends are refused at once

    @cached_property
    def motion(self) -> Motion:
        return moments(self.lane.lane, np.atleast_1d(self.times).ravel())

    def value(self, name: str) -> Any:
        values, shape = value_of(self.motion, name), self.times.shape
        if isinstance(values, dict):
            return {key: value.reshape(shape) for key, value in values.items()}
        return values.reshape((*shape, *values.shape[1:]))

    def __reduce__(self) -> Any:
        return Between, (self.lane, self.times)


def value_of(motion: Motion, name: str) -> Any:
    """A quantity of a motion, or what else it has of that name."""
    return QUANTITIES[name].values(motion) if name in QUANTITIES else getattr(motion, name)


@dataclass(frozen=True, eq=False)
class Computed:
    """The recorded states of a lane, and the lane that reads them, which is made anew where they were unpickled."""

    name: str
    preset: Preset
    index: int
    record: Record
    made: LaneRun | None = None

    @cached_property
    def lane(self) -> LaneRun:
        """A lane that has recorded what is here."""
        return self.made or LaneRun.restored(self.name, self.preset, self.index, self.record)

    @cached_property
    def motion(self) -> Motion:
        """All of it."""
        return self.lane.motion(0, len(self.record.rows))

    def value(self, name: str) -> Any:
        return value_of(self.motion, name)

    def __reduce__(self) -> Any:
        return Computed, (self.name, self.preset, self.index, self.record)


@dataclass(frozen=True, eq=False)
class Loaded:
    """What was recorded in a table: times (n,) [s], and the values of quantities (n, k)."""

    t: np.ndarray
    columns: Mapping[str, np.ndarray]

    def value(self, name: str) -> Any:
        if name == "t":
            return self.t
        if name not in self.columns:
            raise not_computed(name)
        values = self.columns[name]
        return values[:, 0] if len(QUANTITIES[name].symbols) == 1 else values


_TOLD = (
    "name",
    "formulation",
    "integrator",
    "dt",
    "status",
    "message",
    "ended_at",
    "steps",
    "seconds",
    "digest",
)
"""What a table tells of a lane."""


def not_computed(what: str) -> InputError:
    """That a lane that was read from a file has no more than was recorded there."""
    return InputError(
        "a lane read from a file",
        expected=phrase("what was recorded, not {what}", what=what),
        found="a table",
        remedy="run it again: quatviz.simulate(run.preset)",
        topic="scripting#tables",
    )
