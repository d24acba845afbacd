"""Measurement of the numbers that a lesson states, in new runs of its scenes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from quatviz.display.data.row_cache import BatchedCursorReader, LastBlockCache
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.physics.observables.quantities import QUANTITIES, Motion, Quantity
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation
from quatviz.teaching.lessons.check_text import COLUMNS, VECTOR_NORMS, format_number, unit_of
from quatviz.teaching.lessons.model import Lesson, LessonCheck
from quatviz.teaching.lessons.scene_runs import simulation_of

_HALF_TURN_DEG = 180.0
"""Half a turn as an angle in degrees."""

_BISECTIONS = 40
"""Number of bisections of a sample interval by which a level crossing is located, to about 1e-12 of the interval."""


@dataclass(frozen=True)
class CheckResult:
    """Result of a check. If the value could not be measured, `measured` is NaN and `measured_text` states the
    reason."""

    lesson: str
    step: str
    check: LessonCheck
    measured: float
    measured_text: str
    ok: bool


def evaluate_checks(lesson: Lesson) -> Iterator[CheckResult]:
    """Yield the results of all checks of a lesson, in order. Consecutive checks of the same run use a common run."""
    folder = lesson.path.parent if lesson.path is not None else None
    runs: dict[tuple[object, ...], Simulation] = {}
    for step in lesson.steps:
        for check, scene in step.checks:
            if scene.run_key not in runs:
                # only the last run is kept, to save memory
                runs = {scene.run_key: simulation_of(scene, folder)}
            yield evaluate_check(lesson, step.title, check, runs[scene.run_key])


def evaluate_check(lesson: Lesson, step: str, check: LessonCheck, run: Simulation) -> CheckResult:
    """Evaluate one check in a run that is computed to its end. `step` is the title of the lesson step that contains the
    check."""
    lane = run[check.lane] if check.lane else run.lanes[0]
    if check.status is not None:
        return CheckResult(lesson.name, step, check, float("nan"), lane.status, lane.status == check.status)
    try:
        value = measure_check(check, run, lane)
        if check.over:
            value /= measure_check(check, run, run[check.over])
    except LookupError as error:
        return CheckResult(lesson.name, step, check, float("nan"), str(error.args[0]), False)
    measured_text = f"{format_number(float(f'{value:.9g}'))} {unit_of(check)}".strip()
    return CheckResult(lesson.name, step, check, value, measured_text, bool(check.is_met_by(value)))


def measure_check(check: LessonCheck, run: Simulation, lane: LaneRun) -> float:
    """Return the number that a check measures from the curve of a lane.

    Raises
    ------
    LookupError
        If the number does not exist, for example if the curve does not cross the level.
    """
    if check.measure == "end":
        return float(lane.t[-1])
    t, values = check_curve(check, run, lane)
    inside = np.isfinite(values)
    inside &= (t >= (check.start or 0.0) - 1e-9) & (
        t <= (np.inf if check.stop is None else check.stop) + 1e-9
    )
    if check.measure == "at":
        assert check.time is not None
        if not t[0] <= check.time <= t[-1] + 1e-9:
            raise LookupError(f"the lane has no sample at {check.time:g} s; it ended at {t[-1]:g} s")
        return _interpolate_value(check, run, lane, check.time, BatchedCursorReader(LastBlockCache()))
    t, values = t[inside], values[inside]
    if len(t) < 2:
        raise LookupError("no values there")
    if check.measure in ("crossing", "period"):
        # One reader for all bisections, because each needs the rows of the previous one.
        reader = BatchedCursorReader(LastBlockCache())
        return _measure_crossing(
            check,
            t,
            values,
            lambda time: bool(
                _offset_from_level(check, np.asarray(_interpolate_value(check, run, lane, time, reader)))
                < 0.0
            ),
        )
    if check.measure == "slope":
        unwrapped = np.unwrap(values, period=360.0) if _is_angle(check) else values
        return float((unwrapped[-1] - unwrapped[0]) / (t[-1] - t[0]))
    return _STATISTICS[check.measure](values)


_STATISTICS: dict[str, Callable[[np.ndarray], float]] = {
    "max": lambda values: float(values.max()),
    "min": lambda values: float(values.min()),
    "largest": lambda values: float(np.abs(values).max()),
    "mean": lambda values: float(values.mean()),
    "spread": lambda values: float(values.max() - values.min()),
}


def check_curve(check: LessonCheck, run: Simulation, lane: LaneRun) -> tuple[np.ndarray, np.ndarray]:
    """Return times (n,) [s] and values (n,) of the curve that a check measures."""
    if check.quantity == "orientation_error":
        other = run[check.minus].p
        count = min(len(lane.p), len(other))
        return lane.t[:count], relative_angle(lane.p[:count], other[:count])
    values = _sample_values(check.quantity, lane)
    if check.minus:
        other = _sample_values(check.quantity, run[check.minus])
        count = min(len(values), len(other))
        return lane.t[:count], values[:count] - other[:count]
    return lane.t, values


def _sample_values(name: str, lane: LaneRun) -> np.ndarray:
    motion: Motion = lane.motion_at(np.arange(lane.samples))
    if name in VECTOR_NORMS:
        sizes: np.ndarray = np.linalg.norm(VECTOR_NORMS[name].column_values(motion), axis=1)
        return sizes
    quantity, row = COLUMNS[name]
    return quantity.column_values(motion)[:, row]


def _interpolate_value(
    check: LessonCheck, run: Simulation, lane: LaneRun, time: float, reader: BatchedCursorReader
) -> float:
    """Return the value of the curve of a check at any `time` [s], in the unit of the check.

    Between samples, the value is interpolated as in the window.
    """
    if check.quantity == "orientation_error":
        p, other = (
            _interpolate_quantity(source, QUANTITIES["p"], time, reader)
            for source in (lane, run[check.minus])
        )
        return float(relative_angle(p[None], other[None])[0])
    value = _interpolate_component(check.quantity, lane, time, reader)
    return (
        value - _interpolate_component(check.quantity, run[check.minus], time, reader)
        if check.minus
        else value
    )


def _interpolate_component(name: str, lane: LaneRun, time: float, reader: BatchedCursorReader) -> float:
    if name in VECTOR_NORMS:
        return float(np.linalg.norm(_interpolate_quantity(lane, VECTOR_NORMS[name], time, reader)))
    quantity, row = COLUMNS[name]
    return float(_interpolate_quantity(lane, quantity, time, reader)[row])


def _interpolate_quantity(
    lane: LaneRun, quantity: Quantity, time: float, reader: BatchedCursorReader
) -> np.ndarray:
    return reader.at(
        lane, quantity.name, quantity.column_values, lane.nodes(time / lane.interval, lane.samples)
    )


def _measure_crossing(
    check: LessonCheck, t: np.ndarray, values: np.ndarray, below: Callable[[float], bool]
) -> float:
    """Return the time [s] of that crossing of the level which the check selects.

    For the measure `period`, return the mean time between crossings in the same direction. `below` is a function that
    returns True if the curve is below the level at a time [s]. A sample exactly on the level counts as above.
    """
    offset = _offset_from_level(check, values)
    changes = (offset[1:] < 0.0) != (offset[:-1] < 0.0)
    changes[0] &= offset[0] != 0.0  # the curve starts on the level
    if _is_angle(check):
        # half a turn from the level, the angle only wraps
        changes &= np.abs(np.diff(offset)) < _HALF_TURN_DEG
    rows = np.flatnonzero(changes)
    if check.measure == "crossing":
        if len(rows) < check.count:
            raise LookupError(f"{len(rows)} crossings")
        return _bisect_crossing(t, int(rows[check.count - 1]), below)
    if len(rows) < 3:
        raise LookupError(f"{len(rows)} crossings, too few for a period")
    periods = (len(rows) - 1) // 2
    first, last = (_bisect_crossing(t, int(row), below) for row in rows[[0, 2 * periods]])
    return (last - first) / periods


def _bisect_crossing(t: np.ndarray, row: int, below: Callable[[float], bool]) -> float:
    """Return the time [s] at which the curve crosses the level between the samples `row` and `row` + 1."""
    lower, upper = float(t[row]), float(t[row + 1])
    start = below(lower)
    for _ in range(_BISECTIONS):
        middle = 0.5 * (lower + upper)
        lower, upper = (middle, upper) if below(middle) == start else (lower, middle)
    return 0.5 * (lower + upper)


def _offset_from_level(check: LessonCheck, values: np.ndarray) -> np.ndarray:
    """Return the differences (n,) between values and the level of a check. Differences of angles are between -180 and 180
    deg."""
    offset = values - check.level
    return (offset + _HALF_TURN_DEG) % (2.0 * _HALF_TURN_DEG) - _HALF_TURN_DEG if _is_angle(check) else offset


def _is_angle(check: LessonCheck) -> bool:
    return check.quantity in COLUMNS and COLUMNS[check.quantity][0].unit == "deg"
