"""Measures what a lesson states, in runs made now."""

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
"""In degrees."""

_BISECTIONS = 40
"""Of the time between two samples, where a curve crosses a level: to a millionth of a millionth of that."""


@dataclass(frozen=True)
class CheckResult:
    """What a check measured. `measure_check` is NaN, and `measured_text` a reason, where it could not be."""

    lesson: str
    step: str
    check: LessonCheck
    measured: float
    measured_text: str
    ok: bool


def evaluate_checks(lesson: Lesson) -> Iterator[CheckResult]:
    """Every check of a lesson, in order; runs that several steps share are made once."""
    folder = lesson.path.parent if lesson.path is not None else None
    runs: dict[tuple[object, ...], Simulation] = {}
    for step in lesson.steps:
        for check, scene in step.checks:
            if scene.run_key not in runs:
                runs = {scene.run_key: simulation_of(scene, folder)}  # the last one only: memory has an end
            yield evaluate_check(lesson, step.title, check, runs[scene.run_key])


def evaluate_check(lesson: Lesson, step: str, check: LessonCheck, run: Simulation) -> CheckResult:
    """One check, measured in a complete run."""
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
    """The number that a check takes of a lane's curve. LookupError where the curve has none."""
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
        reader = BatchedCursorReader(LastBlockCache())  # one, for its next halving needs the rows of the last
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
    """Times (n,) [s] and values (n,) of what a check looks at."""
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
    """The curve at any time [s]: between two samples it is where the lane's own steps lead, as the window shows it."""
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
    """When the curve, which is `below` the level or not at any time [s], crosses it; with `period`, the mean time between
    crossings in the same direction. A sample on the level is above it."""
    offset = _offset_from_level(check, values)
    changes = (offset[1:] < 0.0) != (offset[:-1] < 0.0)
    changes[0] &= offset[0] != 0.0  # it starts there
    if _is_angle(check):
        changes &= np.abs(np.diff(offset)) < _HALF_TURN_DEG  # on the far side of the level it only wraps
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
    """Where the level is crossed between two samples [s]."""
    lower, upper = float(t[row]), float(t[row + 1])
    start = below(lower)
    for _ in range(_BISECTIONS):
        middle = 0.5 * (lower + upper)
        lower, upper = (middle, upper) if below(middle) == start else (lower, middle)
    return 0.5 * (lower + upper)


def _offset_from_level(check: LessonCheck, values: np.ndarray) -> np.ndarray:
    """How far values are above the level; of an angle, the nearer way round."""
    offset = values - check.level
    return (offset + _HALF_TURN_DEG) % (2.0 * _HALF_TURN_DEG) - _HALF_TURN_DEG if _is_angle(check) else offset


def _is_angle(check: LessonCheck) -> bool:
    return check.quantity in COLUMNS and COLUMNS[check.quantity][0].unit == "deg"
