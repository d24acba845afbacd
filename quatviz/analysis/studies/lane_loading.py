"""Loading of the run of a study's point into the main window."""

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
"""Smallest number of samples of the run shown in the window, so that the curves are visible."""


def load_point(document: Document, plan: StudyPlan, point: StudyPoint) -> InputError | None:
    """Show the run of a study's point in the window, as one undo step.

    The lane of the point replaces the lane with the same formulation and settings. The other lanes are kept for
    comparison if the steps of all lanes have a common multiple. Return the error if the run cannot be shown, otherwise
    None.
    """
    case = point.case
    lane = replace(case.lane, integrator=case.integrator, dt=case.dt, name=None)
    if case.tolerance is not None:
        lane = replace(lane, rtol=case.tolerance)
    text = tr("run of the study: {run}", run=describe_run(point))
    refusal: InputError | None = None
    for attempt in _candidate_edits(plan, lane):
        refusal = document.open(text, attempt)
        if refusal is None:
            return None
    return refusal


def _candidate_edits(plan: StudyPlan, lane: Lane) -> Iterator[Callable[[State], State]]:
    """Yield functions that edit the current state so that it shows the lane, in order of preference."""
    yield lambda current: _with_samples(_add_to_lanes(current, plan, lane), plan, _common_interval)
    yield lambda current: _with_samples((State.default_for(plan.preset), (lane,)), plan, _common_interval)
    yield lambda current: _with_samples(
        (State.default_for(plan.preset), (lane,)), plan, lambda steps, shortest: plan.interval
    )


def _add_to_lanes(current: State, plan: StudyPlan, lane: Lane) -> tuple[State, tuple[Lane, ...]]:
    """Return a state and its lanes, which include `lane`.

    If the current state shows the motion of the study, the lane is added to it. Otherwise the state is that
    of the study's preset.
    """
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
    """Return `state_and_lanes` as one state, with a sample interval that is a multiple of the steps of all lanes.

    `interval_of` returns the sample interval [s] from the steps of the lanes and the current sample interval [s].
    """
    state, lanes = state_and_lanes
    run = state.preset.run
    interval = interval_of([lane.dt or run.dt for lane in lanes], run.sample_interval)
    if interval * _MIN_SAMPLES > plan.duration and interval != plan.interval:
        raise InputError(
            "the samples",
            expected=phrase("at least {fewest} samples at times that all lanes share", fewest=_MIN_SAMPLES),
            found=f"{plan.duration / interval:.3g}",
            remedy="load the lane alone",
            topic="errors#studies",
        )
    # The sample interval must be a multiple of the run's own step, even if no lane uses that any more.
    dt = run.dt if any(lane.dt is None for lane in lanes) else min(lane.dt or run.dt for lane in lanes)
    settings = replace(run, dt=dt, sample_interval=interval, duration=plan.duration)
    changed = replace(state.preset, run=settings, lanes=lanes)
    return (
        State(changed, state.lane_styles)
        if len(state.lane_styles.colours) == len(lanes)
        else State.default_for(changed)
    )


def _common_interval(steps: list[float], shortest: float) -> float:
    """Return the smallest common multiple of all steps that is not shorter than `shortest`."""
    common = common_multiple(steps)
    if common is None:
        return math.inf
    return common * max(1, math.ceil(shortest / common * (1 - 1e-9)))
