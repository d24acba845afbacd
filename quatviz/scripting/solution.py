"""One lane of a finished run: its quantities as properties, apart from the engine that computed them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.motion.observables import QUANTITIES, Motion, Quantity
from quatviz.simulation.lane import LaneRun, Record
from quatviz.text.preset import Lane, Preset


class Source(Protocol):
    """Where the values of a lane come from. It pickles, and does not change."""

    def value(self, name: str) -> Any:
        """`t`, `lam_parts`, or the quantity of that name; `InputError` for what is not there."""
        ...


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
        parts: Mapping[str, np.ndarray] = self._source.value("lam_parts")
        return parts

    def _value(self, name: str) -> np.ndarray:
        if name not in self._values:
            values = self._source.value(name).view()
            values.flags.writeable = False
            self._values[name] = values
        return self._values[name]


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
    """`ok`, or why it ended early: `singular`, `not_finite`, `step_failed`, `no_closed_form`, `failed`."""
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
            remarks=lane.remarks,
            events=tuple(Event(*each) for each in lane.happened),
            steps=lane.steps,
            seconds=lane.seconds,
            digest=lane.digest,
            _source=Computed(lane.name, lane.preset, lane.index, lane.record(), lane),
        )

    @property
    def success(self) -> bool:
        """Whether the lane reached the end of the run; `trusted` says more."""
        return self.status == "ok"

    @property
    def engine(self) -> LaneRun:
        """The lane as the engine has it, for what reads one. `InputError` for a lane that was read from a file."""
        if not isinstance(self._source, Computed):
            raise not_computed("what only its states tell")
        return self._source.lane

    def motion(self, start: int = 0, stop: int | None = None) -> Motion:
        """The rows `start:stop` by themselves, angles in radians: for what is computed of a part of a long run."""
        return self.engine.motion(start, len(self) if stop is None else min(stop, len(self)))

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        how = f"{self.integrator}, dt = {self.dt:g} s" if self.integrator else "closed form"
        end = f"to t = {self.t[-1]:g} s" if len(self) else "nothing recorded"
        said = f": {self.message}" if self.message else ""
        return f"<lane {self.name}: {self.status}, {len(self)} samples {end}, {how}{said}>"

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_values": {}}

    def __deepcopy__(self, memo: Mapping[int, object]) -> Self:
        return self


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
        if name in QUANTITIES:
            return QUANTITIES[name].values(self.motion)
        return getattr(self.motion, name)

    def __reduce__(self) -> Any:
        return Computed, (self.name, self.preset, self.index, self.record)


def not_computed(what: str) -> InputError:
    """That a lane that was read from a file has no more than was recorded there."""
    return InputError(
        "a lane read from a file",
        expected=phrase("what was recorded, not {what}", what=what),
        found="a table",
        remedy="run it again: quatviz.simulate(run.preset)",
        topic="scripting#tables",
    )
