"""Measures of a sweep that are computed by functions of a finished lane."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from types import CodeType, FunctionType
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numba import cloudpickle

from quatviz.analysis.sweeps.measures import MEASURES
from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.plan import MeasureLike
from quatviz.analysis.sweeps.runs import RunGroup, SampleBlock
from quatviz.api.solution import Solution
from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import quote_value
from quatviz.simulation.lane import LaneRun

LaneFunction: TypeAlias = Callable[[Solution], Any]
"""Function of a finished lane that returns a number."""
Measures: TypeAlias = (
    MeasureLike | LaneFunction | Sequence[MeasureLike | LaneFunction] | Mapping[str, LaneFunction]
)
"""Names of measures and functions of a lane, or functions by name."""
_TOPIC = "sweeps#a-measure-of-your-own"


class FunctionMeasure(SweepMeasure):
    """Measure that calls a function of the finished lane of each run. Runs that ended early have no value."""

    needs_lane = True
    function: ClassVar[LaneFunction]

    @classmethod
    def source_digest(cls) -> str:
        # A function of an installed module is pickled by its name only, so that its code is hashed as well.
        code = getattr(cls.function, "__code__", None)
        constants = [value for value in getattr(code, "co_consts", ()) if not isinstance(value, CodeType)]
        text = repr((getattr(code, "co_code", b""), getattr(code, "co_names", ()), constants))
        return sha256(cloudpickle.dumps(cls.function) + text.encode()).hexdigest()

    def __init__(self, runs: RunGroup) -> None:
        super().__init__(runs)
        self._value = np.nan

    def update(self, block: SampleBlock) -> None:
        """Ignore the samples, because the function reads the finished lane."""

    def set_lane(self, lane: LaneRun) -> None:
        if lane.ended_at is not None:
            return
        value = np.asarray(type(self).function(Solution.from_lane(lane)))
        if value.ndim or value.dtype.kind not in "biuf":
            raise InputError(
                phrase("the measure {name}", name=self.name), expected="a function of the lane that returns one number",
                found=quote_value(value.item() if not value.ndim else value), remedy="reduce it to a number, such as its maximum",
                key="measure", topic=_TOPIC,
            )  # fmt: skip
        self._value = float(value)

    def result(self) -> np.ndarray:
        return np.array([self._value])


def as_measures(measure: Measures) -> list[MeasureLike]:
    """Return names of measures unchanged and functions as classes of measures.

    Parameters
    ----------
    measure
        A name, a function of a lane, several of these, or functions by name.

    Raises
    ------
    InputError
        For anything else, a function without a name, or a name that a measure of the program has.
    """
    return list(_as_measures(measure))


def _as_measures(measure: Measures) -> Iterator[MeasureLike]:
    if isinstance(measure, Mapping):
        yield from (_measure_class(name, function) for name, function in measure.items())
    elif isinstance(measure, str | type) or callable(measure):
        yield _as_measure(measure)
    elif isinstance(measure, Sequence):
        yield from map(_as_measure, measure)
    else:
        raise _no_measure_error(measure)


def _as_measure(item: MeasureLike | LaneFunction) -> MeasureLike:
    if isinstance(item, str) or (isinstance(item, type) and issubclass(item, SweepMeasure)):
        return item
    if isinstance(item, FunctionType) and item.__name__.isidentifier():
        return _measure_class(item.__name__, item)
    raise _no_measure_error(item)


def _measure_class(name: str, function: LaneFunction) -> type[SweepMeasure]:
    if not isinstance(name, str) or not name.isidentifier() or name in MEASURES or not callable(function):
        expected = "a name of letters, digits and _ that no other measure has, with a function"
        raise _no_measure_error({name: function}, expected)
    fields = {
        "name": name, "title": name.replace("_", " ").capitalize(), "function": staticmethod(function),
        "__module__": getattr(function, "__module__", __name__),
    }  # fmt: skip
    return type(name, (FunctionMeasure,), fields)


def _no_measure_error(
    measure: object, expected: str = "names of measures, or functions of a lane, defined with def"
) -> InputError:
    return InputError(
        "measure", expected=expected, found=quote_value(measure), key="measure", topic=_TOPIC,
        remedy='write for example measure={"peak_rate": lambda lane: abs(lane.omega).max()}',
    )  # fmt: skip
