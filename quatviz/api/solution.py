"""One lane of a finished run, with its quantities as properties."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quatviz.api.argument_checks import checked_numbers, checked_time
from quatviz.api.curve_features import (
    derivative,
    find_crossings,
    find_extrema,
    find_period,
    find_settling_time,
    sample_curve,
)
from quatviz.api.table_interpolation import TableInterpolation
from quatviz.base.deprecation import FormerName
from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import quote_value
from quatviz.export.table import Table
from quatviz.files.preset import Lane, Preset
from quatviz.physics.observables.quantities import QUANTITIES, Motion, Quantity
from quatviz.physics.observables.quantity_attributes import QuantityAttributes
from quatviz.simulation.diagnostics import accuracy_verdict
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.recorder import LaneRecord
from quatviz.simulation.verdict import AccuracyVerdict


class FrozenArrays(Mapping[str, NDArray[np.float64]]):
    """Read-only mapping of arrays by name. It can be pickled and copied."""

    def __init__(self, arrays: Mapping[str, NDArray[np.float64]]) -> None:
        self._arrays = dict(arrays)

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __repr__(self) -> str:
        return repr(self._arrays)


class ValueSource(Protocol):
    """Source of the quantities of a lane, such as its recorded states or a table. Sources are immutable and
    can be pickled."""

    def value(self, name: str) -> Any:
        """Return `t`, `lam_parts` or a quantity by name. Raise an `InputError` if it is not available."""


class QuantityValues(QuantityAttributes):
    """Base class with a read-only, cached property for each quantity of the registry, including those of plug-ins."""

    _source: ValueSource
    _values: dict[str, NDArray[np.float64]]

    def __init_subclass__(cls) -> None:
        """Add a property for each quantity to the subclass itself, so that `dir`, completion and `help` show
        them."""
        super().__init_subclass__()
        for quantity in QUANTITIES.values():
            setattr(cls, quantity.name, _quantity_property(quantity))

    @property
    def t(self) -> NDArray[np.float64]:
        """Times (n,) [s]."""
        return self._value("t")

    @property
    def quaternion(self) -> NDArray[np.float64]:
        """Euler parameters (n, 4), scalar first: the same as `p`."""
        return self._value("p")

    @property
    def multiplier(self) -> NDArray[np.float64]:
        """Lagrange multiplier (n,) [J]: the same as `lam`."""
        return self._value("lam")

    @property
    def lam_parts(self) -> Mapping[str, NDArray[np.float64]]:
        """Terms of the theoretical multiplier by name, each (n,) [J]; empty for a lane without multiplier."""
        parts = self._source.value("lam_parts")
        return FrozenArrays({name: _read_only(values) for name, values in parts.items()})

    def _value(self, name: str) -> NDArray[np.float64]:
        if name not in self._values:
            self._values[name] = _read_only(self._source.value(name))
        return self._values[name]


def _read_only(values: np.ndarray) -> NDArray[np.float64]:
    """Return a read-only view that cannot be made writable again, because its memory is read-only too."""
    return np.asarray(values.data.toreadonly())


def _quantity_property(quantity: Quantity) -> property:
    def get(self: QuantityValues) -> NDArray[np.float64]:
        return self._value(quantity.name)

    return property(get, doc=quantity.description)


class LaneEvent(NamedTuple):
    """An event that changed a lane during the run."""

    t: float
    """Time of the event [s]. The sample at this time is the state after the event."""
    title: str
    description: str


@dataclass(frozen=True, eq=False, repr=False)
class Solution(QuantityValues):
    """One lane of a run: its quantities, and how it ended. It is immutable and can be pickled.

    Arrays have a row for each sample, `t[k] = k * sample_interval`. They are read-only and computed on
    first access. Units are SI, angles are in degrees, and vectors are in body components unless the
    name contains `space`.

    >>> import quatviz as qv
    >>> lane = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=0.02)["newton_euler"]
    >>> lane.success, len(lane), lane.h.shape, float(abs(lane.constraint).max()) < 1e-14
    (True, 3, (3, 3), True)
    >>> lane.at(0.015).omega.shape, lane.trusted  # between two samples [rad/s, body]
    ((3,), True)
    """

    name: str
    spec: Lane
    """Lane as the preset defines it: the formulation, and settings that differ from those of the run."""
    formulation: str
    """Id of the formulation, including the variant."""
    integrator: str
    """Name of the integrator, or "" for a closed form."""
    dt: float
    """Time step [s]: the first step of an adaptive integrator, the sample interval for a closed form."""
    status: str
    """ "ok", or the reason for an early end: "singular", "not_finite", "step_failed", "no_closed_form",
    "no_recording", "recording_ended" or "failed"."""
    message: str
    """Sentence that explains the status, or "" for a lane that reached the end of the run."""
    ended_at: float | None
    """Time at which the lane ended early [s], or None for a lane that reached the end of the run."""
    warnings: tuple[str, ...]
    """Sentences on settings or events that have no effect, or only part of their effect, on this lane."""
    events: tuple[LaneEvent, ...]
    """Events that changed this lane during the run."""
    steps: int
    seconds: float
    """Processor time that the steps of the lane took [s]."""
    digest: str
    """Hash of all recorded states. Equal runs on the same machine and versions have equal hashes."""
    _source: ValueSource
    _values: dict[str, np.ndarray] = field(default_factory=dict)

    @classmethod
    def from_lane(cls, lane: LaneRun) -> Self:
        """Return the solution of a lane as far as the engine has computed it."""
        return cls(
            name=lane.name,
            spec=lane.spec,
            formulation=lane.formulation.id,
            integrator="" if lane.formulation.has_closed_form else lane.solver.segment.integrator.name,
            dt=lane.solver.segment.dt,
            status=lane.status,
            message=lane.message,
            ended_at=lane.ended_at,
            warnings=lane.diagnostics.all_remarks,
            events=tuple(LaneEvent(*event) for event in lane.event_log),
            steps=lane.solver.steps,
            seconds=lane.solver.seconds,
            digest=lane.digest,
            _source=EngineSource(lane.name, lane.problem.preset, lane.index, lane.to_record(), lane),
        )

    @classmethod
    def from_table(cls, record: Mapping[str, Any], spec: Lane, table: Table) -> Self:
        """Return a lane that was read from a table. `record` contains the properties of the lane stored in
        the table."""
        rows = int((table.t <= record["end"] * (1.0 + 1e-9)).sum())
        columns = {c.quantity.name: c.values[:rows] for c in table.columns if c.lane == record["name"]}
        return cls(
            **{key: record[key] for key in _TABLE_FIELDS},
            spec=spec,
            warnings=(),
            events=tuple(LaneEvent(*event) for event in record["events"]),
            _source=TableSource(
                table.t[:rows],
                columns,
                record.get("accuracy_warning"),
                np.array([event[0] for event in record["events"]]),
            ),
        )

    @property
    def success(self) -> bool:
        """True if the lane reached the end of the run. See also `trusted`."""
        return self.status == "ok"

    @property
    def engine(self) -> LaneRun:
        """The lane of the simulation engine. Raises an `InputError` for a lane that was read from a file."""
        return self._engine_source.lane

    @property
    def _engine_source(self) -> "EngineSource":
        if not isinstance(self._source, EngineSource):
            raise not_recorded_error("values computed from its states")
        return self._source

    def rhs(self, t: float, y: ArrayLike) -> NDArray[np.float64]:
        """Return the time derivative of a state according to the equations of this lane, as its integrator
        evaluates them.

        Parameters
        ----------
        t
            Time [s].
        y
            State (m,), or one state in each column (m, k), as SciPy passes them with `vectorized=True`.
            `state_names` names the components.

        Returns
        -------
        ndarray
            Derivatives, with the shape of `y`.

        Raises
        ------
        InputError
            For a closed form, a lane that was read from a file, or states of another length.

        Examples
        --------
        >>> import quatviz as qv
        >>> lane = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=0.02)["newton_euler"]
        >>> lane.rhs(0.0, lane.states[0]).shape, lane.rhs(0.0, lane.states.T).shape
        ((7,), (7, 3))
        """
        return self.engine.derivatives(checked_time(t), checked_numbers(y, "the state"))

    def motion(self, start: int = 0, stop: int | None = None) -> Motion:
        """Return the motion at the samples `start:stop`, with angles in radians, for computations on part of a long run."""
        return self.engine.motion(start, len(self) if stop is None else min(stop, len(self)))

    @cached_property
    def states(self) -> NDArray[np.float64]:
        """Integrated states (n, m), read-only. `state_names` names the components."""
        return _read_only(self.engine.history.rows[: len(self)])

    @property
    def state_names(self) -> tuple[str, ...]:
        """Names of the components of a state."""
        return self.engine.formulation.component_names

    def at(self, t: ArrayLike) -> "SampledQuantities":
        """Return the quantities at any times [s] of the lane.

        The shape of a quantity is the shape of `t`, followed by its components. Between samples the lane repeats
        its own steps, so that the values do not depend on the sample interval; closed forms are evaluated. At the
        time of an event the values are those after the event.

        A lane that was read from a file is interpolated instead, with an error of fourth order in the sample interval;
        values are NaN between the last sample before an event and the event.

        Raises
        ------
        InputError
            For times outside the lane.
        """
        times = checked_numbers(t, "the times")
        if isinstance(self._source, TableSource):
            return SampledQuantities(InterpolatedTableSource(self._source, times))
        return SampledQuantities(InterpolatedSource(self._engine_source, times))

    @cached_property
    def verdict(self) -> AccuracyVerdict:
        """Verdict on the accuracy of the lane: whether and until when it is accurate, why not, and what to try.

        On first access the lane is computed again with steps twice as long (or tolerances 100 times larger). This takes
        half the steps of the run. In addition, |p| must be 1, the energy must be constant if no load changes it, and
        the angular momentum must be constant if no load acts. The rates of a recording must agree with its attitudes.
        """
        return accuracy_verdict(self.engine)

    @cached_property
    def estimated_error(self) -> NDArray[np.float64]:
        """Estimated error of the attitude at each sample (n,) [rad], 0 to pi. Zero for closed forms and recordings.

        The error is interpolated between the times of `verdict`, which are a thousand or more.
        """
        times, errors = self.verdict.times, self.verdict.errors
        if not len(times):
            return _read_only(np.zeros(len(self)))
        return _read_only(np.interp(self.t, np.append(0.0, times), np.append(0.0, errors)))

    def crossings(self, condition: Callable[[QuantityValues], np.ndarray]) -> NDArray[np.float64]:
        """Return the sorted times [s] at which a function of the quantities crosses zero.

        The function is evaluated at every integration step, so that no crossing is missed between sparse
        samples. Jumps over zero, such as that of an angle from 180 to -180 degrees or of a rate at a kick,
        are not crossings.

        Parameters
        ----------
        condition
            Function of the quantities (see `at`) that returns one number for each time and depends on that time only.

        Examples
        --------
        >>> import quatviz as qv
        >>> lane = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=10.0)["newton_euler"]
        >>> lane.crossings(lambda at: at.omega[..., 1]).round(6).tolist()  # [s]
        [0.0, 9.339282]
        """
        return find_crossings(sample_curve(self.engine, self._evaluator(condition)))

    def extrema(self, condition: Callable[[QuantityValues], np.ndarray]) -> NDArray[np.float64]:
        """Return the sorted times [s] of the local maxima and minima of a function of the quantities.

        They are zeros of its derivative, located between samples. The ends of the lane and events are not extrema.

        >>> import quatviz as qv
        >>> lane = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=10.0)["newton_euler"]
        >>> lane.extrema(lambda at: at.omega[..., 1]).round(6).tolist()  # [s]
        [4.669641]
        """
        return find_extrema(self.engine, sample_curve(self.engine, self._evaluator(condition)))

    def derivative(
        self, condition: Callable[[QuantityValues], np.ndarray], t: ArrayLike
    ) -> NDArray[np.float64]:
        """Return the rate of change of a function of the quantities at times `t` [s], with the shape of `t`.

        At the time of an event it is the rate after the event.

        >>> import quatviz as qv
        >>> lane = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=10.0)["newton_euler"]
        >>> bool(abs(lane.derivative(lambda at: at.omega[..., 1], lane.extrema(lambda at: at.omega[..., 1]))).max() < 1e-9)
        True
        """
        times = checked_numbers(t, "the times")
        _ = self.at(times)  # refuses times beyond the ends
        return derivative(self.engine, self._evaluator(condition), times)

    def period(self, condition: Callable[[QuantityValues], np.ndarray]) -> float:
        """Return the period [s] of a function of the quantities, or NaN if it does not repeat.

        The period is the mean time between upward, and between downward, crossings of the middle of the range of
        values. Repetitions may differ by a thousandth.

        >>> import quatviz as qv
        >>> lane = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=60.0)["newton_euler"]
        >>> round(lane.period(lambda at: at.omega[..., 1]), 6)  # [s]
        18.678564
        """
        period = find_period(self.engine, sample_curve(self.engine, self._evaluator(condition)))
        return math.nan if period is None else period.period

    def settling_time(self, condition: Callable[[QuantityValues], np.ndarray], limit: float) -> float:
        """Return the time [s] from which a function of the quantities stays at or below a limit, or NaN if it does not.

        Parameters
        ----------
        condition
            Function of the quantities (see `at`), such as a distance from a target.
        limit
            Largest value of the settled function, in its unit.

        Examples
        --------
        >>> import quatviz as qv
        >>> lane = qv.simulate(qv.load_preset("attitude_control"), lanes=["newton_euler"])["newton_euler"]
        >>> round(lane.settling_time(lambda at: at.target_angle, 1.0), 3)  # [s]
        19.825
        """
        return find_settling_time(sample_curve(self.engine, self._evaluator(condition)), limit)

    def _evaluator(
        self, condition: Callable[[QuantityValues], np.ndarray]
    ) -> Callable[[np.ndarray], np.ndarray]:
        return lambda times: self._condition_values(condition, self.at(times))

    @staticmethod
    def _condition_values(
        condition: Callable[[QuantityValues], np.ndarray], sampled: QuantityValues
    ) -> np.ndarray:
        """Return the values of a condition, one for each time, or raise an `InputError`."""
        values = np.asarray(condition(sampled)) if callable(condition) else np.asarray(condition)
        if values.shape == sampled.t.shape and values.dtype.kind in "iuf":
            return values.astype(float)
        raise InputError(
            "the condition",
            expected="a function of the lane that returns a number for each time",
            found=phrase("an array of shape {shape} and type {kind}", shape=values.shape, kind=values.dtype)
            if callable(condition)
            else quote_value(condition),
            remedy="write for example lane.crossings(lambda at: at.omega[..., 0] - 1.0)",
            topic="scripting#results-of-a-lane",
        )

    @property
    def trusted(self) -> bool:
        """True if the lane reached the end and its attitude error is at most a milliradian according to `verdict`."""
        return not self.accuracy_warning

    @property
    def accuracy_warning(self) -> str:
        """Sentence on why the lane is not accurate, until when it is accurate, and what to try. It is "" for a lane
        that is `trusted`."""
        if isinstance(self._source, TableSource) and self._source.accuracy_warning is not None:
            return self._source.accuracy_warning
        return self.verdict.message

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        method = f"{self.integrator}, dt = {self.dt:g} s" if self.integrator else "closed form"
        end = f"to t = {self.t[-1]:g} s" if len(self) else "nothing recorded"
        message = f": {self.message}" if self.message else ""
        return f"<lane {self.name}: {self.status}, {len(self)} samples {end}, {method}{message}>"

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if key in self.__dataclass_fields__} | {
            "_values": {}
        }

    def __deepcopy__(self, memo: Mapping[int, object]) -> Self:
        return self

    doubts = FormerName("doubts", "accuracy_warning")
    remarks = FormerName("remarks", "warnings")
    when = FormerName("when", "crossings")


class SampledQuantities(QuantityValues):
    """Quantities of a lane at given times [s], as `Solution.at` returns them."""

    def __init__(self, source: ValueSource) -> None:
        self._source, self._values = source, {}

    def __repr__(self) -> str:
        times = np.unique(self.t)
        time_text = f"t = {times[0]:g} s" if times.size == 1 else f"{self.t.size} times"
        return f"<quantities at {time_text}{f', {times[0]:g} to {times[-1]:g} s' if times.size > 1 else ''}>"


@dataclass(frozen=True, eq=False)
class InterpolatedSource:
    """Source of the quantities of a lane at given times [s] (array of any shape). They are computed from the lane's
    equations, and computed again after unpickling.
    """

    lane: "EngineSource"
    times: np.ndarray

    def __post_init__(self) -> None:
        _ = self.motion  # raises an error at once for times outside the lane

    @cached_property
    def motion(self) -> Motion:
        return _motion_at_times(self.lane.lane, np.atleast_1d(self.times).ravel())

    def value(self, name: str) -> Any:
        values, shape = quantity_value(self.motion, name), self.times.shape
        if isinstance(values, dict):
            return {key: value.reshape(shape) for key, value in values.items()}
        return values.reshape((*shape, *values.shape[1:]))

    def __reduce__(self) -> Any:
        return InterpolatedSource, (self.lane, self.times)


def _motion_at_times(lane: LaneRun, times: np.ndarray) -> Motion:
    """Return the motion of a lane at times (n,) [s]. Raise an `InputError` for times outside the lane."""
    _refuse_outside(times, 0.0, lane.computed_to)
    return lane.motion_at_times(times)


def _refuse_outside(times: np.ndarray, start: float, end: float) -> None:
    """Raise an `InputError` if any of the times [s] is before `start` or after `end`."""
    if not ((times >= start) & (times <= end * (1.0 + 1e-12))).all():
        raise InputError(
            "the times of a lane", expected=phrase("times from {start:g} to {end:g} s", start=start, end=end),
            found=phrase("{low:g} to {high:g} s", low=times.min(), high=times.max()) if times.size else "none",
            remedy="choose times in this range, or run for longer", key="times", topic="scripting#results-of-a-lane",
        )  # fmt: skip


def quantity_value(motion: Motion, name: str) -> Any:
    """Return a registered quantity of a motion, or the attribute `name` of the motion."""
    return QUANTITIES[name].values(motion) if name in QUANTITIES else getattr(motion, name)


@dataclass(frozen=True, eq=False)
class EngineSource:
    """Source of values that uses the recorded states of a lane of the simulation engine.

    After unpickling, the lane is created again from `record`.
    """

    name: str
    preset: Preset
    index: int
    record: LaneRecord
    engine_lane: LaneRun | None = None

    @cached_property
    def lane(self) -> LaneRun:
        """Lane of the simulation engine. After unpickling it is rebuilt from `record`."""
        return self.engine_lane or LaneRun.from_record(self.name, self.preset, self.index, self.record)

    @cached_property
    def motion(self) -> Motion:
        """Motion of the lane at all samples."""
        return self.lane.motion(0, len(self.record.rows))

    def value(self, name: str) -> Any:
        return quantity_value(self.motion, name)

    def __reduce__(self) -> Any:
        return EngineSource, (self.name, self.preset, self.index, self.record)


@dataclass(frozen=True, eq=False)
class TableSource:
    """Source of values from a table that was read from a file.

    It holds the times (n,) [s], the values (n, k) by quantity, and the accuracy warning, which is missing in tables
    of earlier versions.
    """

    t: np.ndarray
    columns: Mapping[str, np.ndarray]
    accuracy_warning: str | None = None
    event_times: np.ndarray = field(default_factory=lambda: np.empty(0))
    """Times [s] of the events that changed the lane."""

    def value(self, name: str) -> Any:
        if name == "t":
            return self.t
        if name not in self.columns:
            raise not_recorded_error(name)
        values = self.columns[name]
        return values[:, 0] if len(QUANTITIES[name].symbols) == 1 else values


@dataclass(frozen=True, eq=False)
class InterpolatedTableSource:
    """Source of the quantities of a lane from a table, interpolated at times [s] (array of any shape)."""

    table: TableSource
    times: np.ndarray

    def __post_init__(self) -> None:
        t = self.table.t
        _refuse_outside(self.times, *((t[0], t[-1]) if len(t) else (math.inf, -math.inf)))

    @cached_property
    def _interpolation(self) -> TableInterpolation:
        table = self.table
        return TableInterpolation(
            table.t, table.columns, table.event_times, np.atleast_1d(self.times).ravel()
        )

    def value(self, name: str) -> Any:
        if name == "t":
            return self.times
        if name not in self.table.columns:
            raise not_recorded_error(name)
        values = self._interpolation.values(name)
        return values.reshape(
            (*self.times.shape, *(values.shape[1:] if len(QUANTITIES[name].symbols) > 1 else ()))
        )


_TABLE_FIELDS = (
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
"""Attributes of `Solution` that a table stores for each lane."""


def not_recorded_error(what: str) -> InputError:
    """Return the error for values that a lane read from a file does not contain."""
    return InputError(
        "a lane read from a file",
        expected=phrase("recorded quantities, not {quantity}", quantity=what),
        found="a table",
        remedy="run it again: quatviz.simulate(run.preset)",
        topic="scripting#tables",
    )
