"""From a point of a study to the run in the main window."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

from quatviz.analysis.studies.measurement import StudyPoint
from quatviz.analysis.studies.plan import StudyPlan, common_multiple, lane_label, motion_key
from quatviz.analysis.studies.tables import describe_run
from quatviz.base.errors import InputError, phrase
from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.files.preset import Lane

_MIN_SAMPLES = 20
"""Samples that a run has at least, for its curves to be seen."""


def load_point(document: Document, plan: StudyPlan, point: StudyPoint) -> InputError | None:
    """Show the run of a point: its lane takes the place of the lane of that formulation, the others stay for comparison
    if their steps allow common samples. One step of undo; the refusal where it cannot be shown."""
    case = point.case
    lane = replace(case.lane, integrator=case.integrator, dt=case.dt, name=None)
    if case.tolerance is not None:
        lane = replace(lane, rtol=case.tolerance)
    text = tr("the study's {run}", run=describe_run(point))
    refusal: InputError | None = None
    for attempt in _candidate_edits(plan, lane):
        refusal = document.open(text, attempt)
        if refusal is None:
            return None
    return refusal


def _candidate_edits(plan: StudyPlan, lane: Lane) -> Iterator[Callable[[State], State]]:
    """What to make of the state that is shown, the best first."""
    yield lambda current: _with_samples(_add_to_lanes(current, plan, lane), plan, _common_interval)
    yield lambda current: _with_samples((State.default_for(plan.preset), (lane,)), plan, _common_interval)
    yield lambda current: _with_samples(
        (State.default_for(plan.preset), (lane,)), plan, lambda steps, shortest: plan.interval
    )


def _add_to_lanes(current: State, plan: StudyPlan, lane: Lane) -> tuple[State, tuple[Lane, ...]]:
    """The lane among those that are shown now, if they show the motion of the study; else among the study's own."""
    state = (
        current if motion_key(current.preset) == motion_key(plan.preset) else State.default_for(plan.preset)
    )
    lanes = list(state.preset.lanes)
    indices = [number for number, other in enumerate(lanes) if lane_label(other) == lane_label(lane)]
    if indices:
        lanes[indices[0]] = lane
    else:
        lanes.append(lane)
        state = state.with_lane_styles(state.lane_styles.with_lane_added())
    return state, tuple(lanes)


def _with_samples(
    state_and_lanes: tuple[State, tuple[Lane, ...]],
    plan: StudyPlan,
    interval_of: Callable[[list[float], float], float],
) -> State:
    """The lanes with samples that all of them hit."""
    state, lanes = state_and_lanes
    run = state.preset.run
    interval = interval_of([lane.dt or run.dt for lane in lanes], run.sample_interval)
    if interval * _MIN_SAMPLES > plan.duration and interval != plan.interval:
        raise InputError(
            "the samples",
            expected=phrase("at least {fewest} that all lanes hit", fewest=_MIN_SAMPLES),
            found=f"{plan.duration / interval:.3g}",
            remedy="load the lane alone",
            topic="errors#studies",
        )
    # A step that no lane takes any more must divide the interval too.
    dt = run.dt if any(lane.dt is None for lane in lanes) else min(lane.dt or run.dt for lane in lanes)
    settings = replace(run, dt=dt, sample_interval=interval, duration=plan.duration)
    changed = replace(state.preset, run=settings, lanes=lanes)
    return (
        State(changed, state.lane_styles)
        if len(state.lane_styles.colours) == len(lanes)
        else State.default_for(changed)
    )


def _common_interval(steps: list[float], shortest: float) -> float:
    """The least multiple of all steps that is no shorter than wished."""
    common = common_multiple(steps)
    if common is None:
        return math.inf
    return common * max(1, math.ceil(shortest / common * (1 - 1e-9)))
