"""Measures what a lesson states, in runs made now."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from quatviz.lessons.model import Check, Lesson
from quatviz.lessons.runs import simulation_of
from quatviz.lessons.stating import COLUMNS, SIZES, number, unit_of
from quatviz.mechanics.rotations import relative_angle
from quatviz.motion.observables import Motion
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation


@dataclass(frozen=True)
class Outcome:
    """What a check measured. `measured` is NaN, and `said` a reason, where it could not be."""

    lesson: str
    step: str
    check: Check
    measured: float
    said: str
    ok: bool


def outcomes(lesson: Lesson) -> Iterator[Outcome]:
    """Every check of a lesson, in order; runs that several steps share are made once."""
    folder = lesson.path.parent if lesson.path is not None else None
    runs: dict[tuple[object, ...], Simulation] = {}
    for step in lesson.steps:
        for check, scene in step.checks:
            if scene.run not in runs:
                runs = {scene.run: simulation_of(scene, folder)}  # the last one only: memory has an end
            yield outcome(lesson, step.title, check, runs[scene.run])


def outcome(lesson: Lesson, step: str, check: Check, run: Simulation) -> Outcome:
    """One check, measured in a complete run."""
    lane = run[check.lane] if check.lane else run.lanes[0]
    if check.status is not None:
        return Outcome(lesson.name, step, check, float("nan"), lane.status, lane.status == check.status)
    try:
        value = measured(check, run, lane)
        if check.over:
            value /= measured(check, run, run[check.over])
    except LookupError as error:
        return Outcome(lesson.name, step, check, float("nan"), str(error.args[0]), False)
    said = f"{number(float(f'{value:.9g}'))} {unit_of(check)}".strip()
    return Outcome(lesson.name, step, check, value, said, bool(check.holds(value)))


def measured(check: Check, run: Simulation, lane: LaneRun) -> float:
    """The number that a check takes of a lane's curve. LookupError where the curve has none."""
    if check.measure == "end":
        return float(lane.t[-1])
    t, values = curve(check, run, lane)
    inside = np.isfinite(values)
    inside &= (t >= (check.start or 0.0) - 1e-9) & (
        t <= (np.inf if check.stop is None else check.stop) + 1e-9
    )
    if check.measure == "at":
        assert check.time is not None
        return _at(check.time, t, values)
    t, values = t[inside], values[inside]
    if len(t) < 2:
        raise LookupError("no values there")
    if check.measure in ("crossing", "period"):
        return _crossing(check, t, values)
    if check.measure == "slope":
        turns = np.unwrap(values, period=360.0) if _is_angle(check) else values
        return float((turns[-1] - turns[0]) / (t[-1] - t[0]))
    return _SIMPLE[check.measure](values)


_SIMPLE: dict[str, Callable[[np.ndarray], float]] = {
    "max": lambda values: float(values.max()),
    "min": lambda values: float(values.min()),
    "largest": lambda values: float(np.abs(values).max()),
    "mean": lambda values: float(values.mean()),
    "spread": lambda values: float(values.max() - values.min()),
}


def curve(check: Check, run: Simulation, lane: LaneRun) -> tuple[np.ndarray, np.ndarray]:
    """Times (n,) [s] and values (n,) of what a check looks at."""
    if check.quantity == "orientation_error":
        other = run[check.minus].p
        count = min(len(lane.p), len(other))
        return lane.t[:count], relative_angle(lane.p[:count], other[:count])
    values = _values(check.quantity, lane)
    if check.minus:
        other = _values(check.quantity, run[check.minus])
        count = min(len(values), len(other))
        return lane.t[:count], values[:count] - other[:count]
    return lane.t, values


def _values(name: str, lane: LaneRun) -> np.ndarray:
    motion: Motion = lane.motion_at(np.arange(lane.samples))
    if name in SIZES:
        sizes: np.ndarray = np.linalg.norm(SIZES[name].of(motion), axis=1)
        return sizes
    quantity, row = COLUMNS[name]
    return quantity.of(motion)[:, row]


def _at(time: float, t: np.ndarray, values: np.ndarray) -> float:
    """Between two samples on the straight line."""
    if not t[0] <= time <= t[-1] + 1e-9:
        raise LookupError(f"the lane has no sample at {time:g} s; it ended at {t[-1]:g} s")
    return float(np.interp(time, t, values))


def _crossing(check: Check, t: np.ndarray, values: np.ndarray) -> float:
    """When the level is crossed; with `period`, the mean time between crossings in the same direction."""
    above = values - check.level
    rows = np.flatnonzero(above[:-1] * above[1:] < 0.0)
    times = [_root(t, above, int(row)) for row in rows]
    if check.measure == "crossing":
        if len(times) < check.count:
            raise LookupError(f"{len(times)} crossings")
        return times[check.count - 1]
    if len(times) < 3:
        raise LookupError(f"{len(times)} crossings, too few for a period")
    periods = (len(times) - 1) // 2
    return (times[2 * periods] - times[0]) / periods


def _root(t: np.ndarray, values: np.ndarray, row: int) -> float:
    """The zero of the cubic through four samples around a change of sign."""
    low = min(max(row - 1, 0), len(t) - 4) if len(t) >= 4 else row
    if len(t) < 4:
        part = values[row] / (values[row] - values[row + 1])
        return float(t[row] + part * (t[row + 1] - t[row]))
    x, y = t[low : low + 4] - t[row], values[low : low + 4]
    left, right = 0.0, float(t[row + 1] - t[row])
    cubic = np.polynomial.Polynomial.fit(x, y, 3)
    start = np.sign(values[row])
    for _ in range(60):
        middle = 0.5 * (left + right)
        if np.sign(cubic(middle)) == start:
            left = middle
        else:
            right = middle
    return float(t[row] + 0.5 * (left + right))


def _is_angle(check: Check) -> bool:
    return check.quantity in COLUMNS and COLUMNS[check.quantity][0].unit == "deg"
