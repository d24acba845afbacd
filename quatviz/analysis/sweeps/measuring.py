"""Calls of sweep measures. Since measures may be user-defined, a failure is converted to an error that names the
measure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np

from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import RunGroup, SampleBlock
from quatviz.base.cancellation import Cancelled
from quatviz.base.errors import PLUGIN_EXCEPTIONS, InputError, describe_exception, phrase
from quatviz.simulation.lane import LaneRun

MeasureClasses = Mapping[str, type[SweepMeasure]]
"""Classes of the measures of a sweep, by name."""


def make_measures(classes: MeasureClasses, runs: RunGroup) -> list[SweepMeasure]:
    """Return measures for `runs`. Raises `InputError` if one cannot be created."""
    measures = []
    for measure_class in classes.values():
        with _naming_failures(measure_class):
            measures.append(measure_class(runs))
    return measures


def update_measures(measures: Sequence[SweepMeasure], block: SampleBlock) -> None:
    """Pass samples to the measures. Raises `InputError` if one fails."""
    for measure in measures:
        with _naming_failures(type(measure)):
            measure.update(block)


def pass_lane(measures: Sequence[SweepMeasure], lane: LaneRun) -> None:
    """Pass a finished lane to the measures that need it. Raises `InputError` if one fails."""
    for measure in measures:
        if measure.needs_lane:
            with _naming_failures(type(measure)):
                measure.set_lane(lane)


def measure_results(
    names: Iterable[str], measures: Sequence[SweepMeasure], status: np.ndarray, ended: np.ndarray
) -> dict[str, np.ndarray]:
    """Return the results of the measures.

    Parameters
    ----------
    names
        Names of the measures.
    measures
        The measures, which have received all samples.
    status, ended
        How the runs (b,) ended, see `SweepMeasure.set_outcome`.

    Returns
    -------
    dict
        Results (b, *shape) by name of the measure.

    Raises
    ------
    InputError
        If a measure fails, or its result is not an array of real numbers of the declared shape.
    """
    results = {}
    for name, measure in zip(names, measures, strict=True):
        with _naming_failures(type(measure)):
            measure.set_outcome(status, ended)
            result = measure.result()
        results[name] = _checked_result(type(measure), result, len(status))
    return results


def _checked_result(measure_class: type[SweepMeasure], result: object, run_count: int) -> np.ndarray:
    expected_shape = (run_count, *measure_class.shape)
    with _naming_failures(measure_class):
        array = np.asarray(result)
    if array.dtype.kind not in "biuf" or array.shape != expected_shape:
        result_value = (
            phrase("an array of the shape {shape}", shape=array.shape)
            if array.dtype.kind in "biuf"
            else phrase(
                "{name} with elements of the type {dtype}", name=type(result).__name__, dtype=array.dtype
            )
        )
        raise _measure_error(
            measure_class,
            expected=phrase("real numbers of the shape {shape}", shape=expected_shape),
            actual=result_value,
        )
    return array


@contextmanager
def _naming_failures(measure_class: type[SweepMeasure]) -> Iterator[None]:
    """Convert exceptions inside the block to an `InputError` that names the measure, except cancellation and lack of memory."""
    try:
        yield
    except (InputError, Cancelled, MemoryError):
        raise
    except PLUGIN_EXCEPTIONS as error:
        raise _measure_error(
            measure_class,
            expected="a measure that runs without errors",
            actual=describe_exception(error, [measure_class.__module__]),
        ) from error


def _measure_error(measure_class: type[SweepMeasure], expected: str, actual: str) -> InputError:
    return InputError(
        phrase("the measure {name}", name=measure_class.name),
        expected=expected,
        found=actual,
        remedy=phrase(
            "correct the module {module}, or choose another measure", module=measure_class.__module__
        ),
        topic="sweeps#measures",
    )
