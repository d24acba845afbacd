"""Measures what a lesson states, in runs made now."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from quatviz.display.data.row_cache import Abreast, Sparing
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.physics.observables.quantities import QUANTITIES, Motion, Quantity
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation
from quatviz.teaching.lessons.check_text import COLUMNS, SIZES, number, unit_of
from quatviz.teaching.lessons.model import Check, Lesson
from quatviz.teaching.lessons.scene_runs import simulation_of

_HALF_TURN = 180.0
"""In degrees."""

_HALVINGS = 40
"""Of the time between two samples, where a curve crosses a level: to a millionth of a millionth of that."""


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
        if not t[0] <= check.time <= t[-1] + 1e-9:
            raise LookupError(f"the lane has no sample at {check.time:g} s; it ended at {t[-1]:g} s")
        return _value_at(check, run, lane, check.time, Abreast(Sparing()))
    t, values = t[inside], values[inside]
    if len(t) < 2:
        raise LookupError("no values there")
    if check.measure in ("crossing", "period"):
        reader = Abreast(Sparing())  # one, for its next halving needs the rows of the last
        return _crossing(
            check,
            t,
            values,
            lambda time: bool(_above(check, np.asarray(_value_at(check, run, lane, time, reader))) < 0.0),
        )
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


def _value_at(check: Check, run: Simulation, lane: LaneRun, time: float, reader: Abreast) -> float:
    """The curve at any time [s]: between two samples it is where the lane's own steps lead, as the window shows it."""
    if check.quantity == "orientation_error":
        p, other = (_read_at(one, QUANTITIES["p"], time, reader) for one in (lane, run[check.minus]))
        return float(relative_angle(p[None], other[None])[0])
    value = _component_at(check.quantity, lane, time, reader)
    return value - _component_at(check.quantity, run[check.minus], time, reader) if check.minus else value


def _component_at(name: str, lane: LaneRun, time: float, reader: Abreast) -> float:
    if name in SIZES:
        return float(np.linalg.norm(_read_at(lane, SIZES[name], time, reader)))
    quantity, row = COLUMNS[name]
    return float(_read_at(lane, quantity, time, reader)[row])


def _read_at(lane: LaneRun, quantity: Quantity, time: float, reader: Abreast) -> np.ndarray:
    return reader.at(lane, quantity.name, quantity.of, lane.nodes(time / lane.interval, lane.samples))


def _crossing(check: Check, t: np.ndarray, values: np.ndarray, below: Callable[[float], bool]) -> float:
    """When the curve, which is `below` the level or not at any time [s], crosses it; with `period`, the mean time between
    crossings in the same direction. A sample on the level is above it."""
    above = _above(check, values)
    changes = (above[1:] < 0.0) != (above[:-1] < 0.0)
    changes[0] &= above[0] != 0.0  # it starts there
    if _is_angle(check):
        changes &= np.abs(np.diff(above)) < _HALF_TURN  # on the far side of the level it only wraps
    rows = np.flatnonzero(changes)
    if check.measure == "crossing":
        if len(rows) < check.count:
            raise LookupError(f"{len(rows)} crossings")
        return _root(t, int(rows[check.count - 1]), below)
    if len(rows) < 3:
        raise LookupError(f"{len(rows)} crossings, too few for a period")
    periods = (len(rows) - 1) // 2
    first, last = (_root(t, int(row), below) for row in rows[[0, 2 * periods]])
    return (last - first) / periods


def _root(t: np.ndarray, row: int, below: Callable[[float], bool]) -> float:
    """Where the level is crossed between two samples [s]."""
    left, right = float(t[row]), float(t[row + 1])
    start = below(left)
    for _ in range(_HALVINGS):
        middle = 0.5 * (left + right)
        left, right = (middle, right) if below(middle) == start else (left, middle)
    return 0.5 * (left + right)


def _above(check: Check, values: np.ndarray) -> np.ndarray:
    """How far values are above the level; of an angle, the nearer way round."""
    above = values - check.level
    return (above + _HALF_TURN) % (2.0 * _HALF_TURN) - _HALF_TURN if _is_angle(check) else above


def _is_angle(check: Check) -> bool:
    return check.quantity in COLUMNS and COLUMNS[check.quantity][0].unit == "deg"
