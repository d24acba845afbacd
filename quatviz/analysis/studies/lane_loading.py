"""From a point of a study to the run in the main window."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

from quatviz.analysis.studies.measurement import Point
from quatviz.analysis.studies.plan import Plan, common_multiple, label, motion_of
from quatviz.analysis.studies.tables import run_words
from quatviz.base.errors import InputError, phrase
from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.files.preset import Lane

_FEWEST = 20
"""Samples that a run has at least, for its curves to be seen."""


def load(document: Document, plan: Plan, point: Point) -> InputError | None:
    """Show the run of a point: its lane takes the place of the lane of that formulation, the others stay for comparison
    if their steps allow common samples. One step of undo; the refusal where it cannot be shown."""
    case = point.case
    lane = replace(case.lane, integrator=case.integrator, dt=case.dt, name=None)
    if case.tolerance is not None:
        lane = replace(lane, rtol=case.tolerance)
    text = tr("the study's {run}", run=run_words(point))
    refusal: InputError | None = None
    for attempt in _attempts(plan, lane):
        refusal = document.open(text, attempt)
        if refusal is None:
            return None
    return refusal


def _attempts(plan: Plan, lane: Lane) -> Iterator[Callable[[State], State]]:
    """What to make of the state that is shown, the best first."""
    yield lambda shown: _sampled(_beside_others(shown, plan, lane), plan, _common_interval)
    yield lambda shown: _sampled((State.of(plan.preset), (lane,)), plan, _common_interval)
    yield lambda shown: _sampled((State.of(plan.preset), (lane,)), plan, lambda steps, wished: plan.interval)


def _beside_others(shown: State, plan: Plan, lane: Lane) -> tuple[State, tuple[Lane, ...]]:
    """The lane among those that are shown now, if they show the motion of the study; else among the study's own."""
    state = shown if motion_of(shown.preset) == motion_of(plan.preset) else State.of(plan.preset)
    lanes = list(state.preset.lanes)
    places = [number for number, other in enumerate(lanes) if label(other) == label(lane)]
    if places:
        lanes[places[0]] = lane
    else:
        lanes.append(lane)
        state = state.with_display(state.display.added())
    return state, tuple(lanes)


def _sampled(
    made: tuple[State, tuple[Lane, ...]], plan: Plan, interval_of: Callable[[list[float], float], float]
) -> State:
    """The lanes with samples that all of them hit."""
    state, lanes = made
    run = state.preset.run
    interval = interval_of([lane.dt or run.dt for lane in lanes], run.sample_interval)
    if interval * _FEWEST > plan.duration and interval != plan.interval:
        raise InputError(
            "the samples",
            expected=phrase("at least {fewest} that all lanes hit", fewest=_FEWEST),
            found=f"{plan.duration / interval:.3g}",
            remedy="load the lane alone",
            topic="errors#studies",
        )
    # A step that no lane takes any more must divide the interval too.
    kept = run.dt if any(lane.dt is None for lane in lanes) else min(lane.dt or run.dt for lane in lanes)
    settings = replace(run, dt=kept, sample_interval=interval, duration=plan.duration)
    changed = replace(state.preset, run=settings, lanes=lanes)
    return State(changed, state.display) if len(state.display.colours) == len(lanes) else State.of(changed)


def _common_interval(steps: list[float], wished: float) -> float:
    """The least multiple of all steps that is no shorter than wished."""
    common = common_multiple(steps)
    if common is None:
        return math.inf
    return common * max(1, math.ceil(wished / common * (1 - 1e-9)))
