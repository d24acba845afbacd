"""`advance` is a pure function of a problem and a solver state: a lane has the same bits, however it is called."""

import sys
from dataclasses import FrozenInstanceError, replace
from types import FrameType
from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz.files.preset import Lane, Preset
from quatviz.physics.kernels import blocks
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.problem import Problem, make_problem
from quatviz.simulation.simulation import Simulation
from quatviz.simulation.stepping import SolverState, advance, begin

EVENTS = (
    qv.Kick(at=0.1, impulse=[20.0, -10.0, 30.0]),
    qv.ChangeModel(at=0.2, loads=[qv.Torque(torque=[50.0, 0.0, 10.0])], dt=5e-3),
)
MAX_CALLS = 200
"""Calls of Python functions from a loaded preset to the first block, at most."""


def preset_of(form: str = "newton_euler", integrator: str = "rk4", events: Any = ()) -> Preset:
    preset = qv.load_preset("torque_free").with_run(
        lanes=[Lane(form, integrator=integrator)], dt=1e-2, sample_interval=2e-2, duration=0.4
    )
    return replace(preset, events=events)


def problem_of(form: str = "newton_euler", integrator: str = "rk4", events: Any = ()) -> Problem:
    preset = preset_of(form, integrator, events)
    return make_problem(form, preset.lanes[0], preset, 0, ())


def start_of(problem: Problem) -> SolverState:
    return begin(problem, problem.segments[0], 0, problem.initial_state())


def width_of(problem: Problem) -> int:
    return len(problem.formulation.component_names) + len(problem.segments[0].integrator.records)


@pytest.mark.parametrize("integrator", ["rk4", "rattle", "dop853", "gauss4"])
@pytest.mark.parametrize("max_steps", [1, 3, 7])
def test_rows_do_not_depend_on_steps_per_call(integrator: str, max_steps: int) -> None:
    form = "hamilton_canonical" if integrator == "rattle" else "newton_euler"
    problem = problem_of(form, integrator)
    whole = np.empty((12, width_of(problem)))
    result = advance(problem, start_of(problem), whole)
    assert (result.status, result.row_count, result.state.sample) == (blocks.RUNNING, 12, 12)
    state, parts, steps = start_of(problem), np.empty_like(whole), 0
    for _ in range(2000):
        if state.sample == 12:
            break
        part = advance(problem, state, parts[state.sample :], max_steps)
        state, steps = part.state, steps + part.steps
    np.testing.assert_array_equal(parts[:, : len(state.y)], whole[:, : len(state.y)])
    assert (state.y, steps) == (result.state.y, result.steps)


def test_lane_equals_repeated_advance() -> None:
    lane = Simulation(preset_of()).lanes[0]
    lane.advance(20)
    rows = np.empty((20, width_of(lane.problem)))
    advance(lane.problem, start_of(lane.problem), rows)
    np.testing.assert_array_equal(rows, lane.history.rows[1:])


def test_replay_from_any_sample_equals_the_lane() -> None:
    lane = Simulation(preset_of(events=EVENTS)).lanes[0]
    lane.advance(20)
    for first, last in ((2, 5), (5, 10), (10, 20)):
        segment = lane.problem.segment_at(first)
        rows = np.empty((last - first, width_of(lane.problem)))
        advance(lane.problem, begin(lane.problem, segment, first, lane.history.rows[first]), rows)
        before_events = lane.recorder.pre_event_rows.get(last, lane.history.rows[last])
        np.testing.assert_array_equal(rows[:-1], lane.history.rows[first + 1 : last])
        np.testing.assert_array_equal(rows[-1], before_events)


def test_problem_and_segments_are_immutable() -> None:
    problem = problem_of(events=EVENTS)
    with pytest.raises(FrozenInstanceError):
        problem.name = "other"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        problem.segments[0].dt = 1.0  # type: ignore[misc]


@pytest.mark.parametrize("form", ["newton_euler", "exact", "hamilton_canonical"])
def test_restored_lane_continues_in_its_segment(form: str) -> None:
    """After an event that changed loads and step."""
    events = EVENTS[:1] if form == "exact" else EVENTS
    integrator = "rattle" if form == "hamilton_canonical" else "rk4"
    preset = preset_of(form, integrator, events)
    if form == "exact":
        preset = preset.with_run(lanes=[form])
    whole, first = Simulation(preset).lanes[0], Simulation(preset).lanes[0]
    for lane in (whole, first):
        lane.prepare()
    whole.advance(20)
    first.advance(13)
    second = LaneRun.from_record(first.name, preset, 0, first.to_record())
    second.advance(7)
    assert second.event_log == whole.event_log
    tolerance = 0.0 if form == "newton_euler" else 1e-9
    np.testing.assert_allclose(second.history.rows, whole.history.rows, rtol=tolerance, atol=tolerance)


def test_few_python_calls_before_the_first_block() -> None:
    preset = qv.load_preset("torque_free").with_run(lanes=["newton_euler"])
    calls = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal calls
        calls += event == "call" and "/quatviz/" in frame.f_code.co_filename

    for is_counted in (False, True):
        if is_counted:
            sys.setprofile(count)
        try:
            lane = Simulation(preset).lanes[0]
            lane.advance_briefly(100)
        finally:
            sys.setprofile(None)
        assert lane.samples > 1
    assert calls < MAX_CALLS
