"""A lane that is still compiling delays nothing: the others play, and one of them is drawn as the body meanwhile."""

from dataclasses import replace

import pytest

import quatviz as qv
from quatviz.display.data.frame_builder import FrameBuilder
from quatviz.display.document.state import State
from quatviz.files.preset import Lane
from quatviz.simulation.runner import Snapshot
from quatviz.simulation.simulation import Simulation

pytestmark = pytest.mark.usefixtures("qapp")


def make_frame_builder(body: int = 0) -> FrameBuilder:
    """Return a frame builder of two lanes: the second is complete, the first has only its first sample."""
    preset = qv.load_preset("torque_free")
    preset = replace(preset, lanes=(Lane("hamilton"), Lane("newton_euler")))
    simulation = Simulation(preset)
    simulation.lanes[1].prepare()
    simulation.lanes[1].advance(simulation.missing(simulation.lanes[1]))
    display = State.default_for(preset).lane_styles.with_mode(body, "body")
    framer = FrameBuilder(simulation, display)
    framer.columns.refresh()
    return framer


def snapshot(time: float) -> Snapshot:
    return Snapshot(time=time, duration=40.0, playing=True, preparing=("hamilton",))


def test_late_lane_is_hidden_and_another_is_the_body() -> None:
    framer = make_frame_builder()
    late, ready = framer.frame(snapshot(7.0)).lanes
    assert (late.pose, late.status, dict(late.values)) == (None, "preparing", {})
    assert (late.solid, ready.solid) == (False, True)
    assert ready.pose is not None
    framer.columns.close()


def test_notice_separates_names_that_contain_commas() -> None:
    framer = make_frame_builder()
    both = replace(snapshot(0.0), preparing=("hamilton", "newton_euler"))
    assert framer.frame(both).notice == "Preparing Hamilton, reduced to h; Newton–Euler…"
    framer.columns.close()


def test_notice_names_only_some_of_many_lanes() -> None:
    """The names of 200 lanes covered the 3D view, and were laid out with every frame."""
    framer = make_frame_builder()
    many = replace(snapshot(0.0), preparing=tuple(f"lane {number}" for number in range(200)))
    assert framer.frame(many).notice == "Preparing lane 0; lane 1; lane 2; lane 3 and 196 more…"
    framer.columns.close()


def test_first_sample_of_late_lane_is_shown() -> None:
    framer = make_frame_builder()
    late, _ = framer.frame(snapshot(0.0)).lanes
    assert late.pose is not None
    framer.columns.close()


def test_cursor_reaches_ready_lanes_but_run_is_incomplete() -> None:
    framer = make_frame_builder()
    frame = framer.frame(snapshot(7.0))
    assert frame.reachable_until == pytest.approx(40.0)
    assert frame.computed_to == 0.0, "a film has to wait for all lanes"
    framer.columns.close()


def test_ready_body_lane_stays_the_body() -> None:
    framer = make_frame_builder(body=1)
    assert [lane.solid for lane in framer.frame(snapshot(7.0)).lanes] == [False, True]
    framer.columns.close()
