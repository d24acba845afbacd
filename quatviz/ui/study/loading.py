"""From a point of a study to the run in the main window."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from quatviz.core.errors import Refusal
from quatviz.core.preset import Lane
from quatviz.studies.measurement import Point
from quatviz.studies.plan import Plan, common_multiple, label, motion_of
from quatviz.ui.editing import Editor, State

_FEWEST = 20
"""Samples that a run has at least, for its curves to be seen."""


def load(editor: Editor, plan: Plan, point: Point) -> Refusal | None:
    """Show the run of a point: its lane takes the place of the lane of that formulation, the others stay for comparison
    if their steps allow common samples. One step of undo; the refusal where it cannot be shown."""
    case = point.case
    text = f"{case.name}, {case.integrator}, dt = {case.dt:.6g} s"
    refusal: Refusal | None = None
    for state in _states(editor.state, plan, point):
        refusal = editor.propose(f"the study's {text}", lambda _, state=state: state)  # type: ignore[misc]
        if refusal is None:
            return None
    return refusal


def _states(shown: State, plan: Plan, point: Point) -> Iterator[State]:
    """What to try, the best first."""
    lane = replace(point.case.lane, integrator=point.case.integrator, dt=point.case.dt, name=None)
    for state in (_beside_others(shown, plan, lane), _alone(plan, lane)):
        fitted = _sampled(state, plan)
        if fitted is not None:
            yield fitted
    alone = _alone(plan, lane)
    run = replace(alone.preset.run, sample_interval=plan.interval, dt=point.case.dt)
    yield State.of(replace(alone.preset, run=run))


def _beside_others(shown: State, plan: Plan, lane: Lane) -> State:
    """The lane among those that are shown now, if they show the motion of the study; else among the study's own."""
    same = motion_of(shown.preset) == motion_of(plan.preset)
    state = shown if same else State.of(plan.preset)
    lanes = list(state.preset.lanes)
    places = [number for number, other in enumerate(lanes) if label(other) == label(lane)]
    if places:
        lanes[places[0]] = lane
        return state.with_preset(lanes=tuple(lanes))
    return state.with_preset(lanes=(*lanes, lane)).with_display(state.display.added())


def _alone(plan: Plan, lane: Lane) -> State:
    return State.of(replace(plan.preset, lanes=(lane,)))


def _sampled(state: State, plan: Plan) -> State | None:
    """With samples that all lanes hit, no rarer than need be; None where there are too few of them."""
    run = state.preset.run
    steps = [lane.dt or run.dt for lane in state.preset.lanes]
    common = common_multiple([run.dt, *steps])
    if common is None:
        return None
    interval = common * max(1, math.ceil(run.sample_interval / common * (1 - 1e-9)))
    if interval * _FEWEST > plan.duration:
        return None
    try:
        return state.with_preset(run=replace(run, sample_interval=interval, duration=plan.duration))
    except Refusal:
        return None
