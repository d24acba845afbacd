"""Every place that shows a lane shows the same verdict."""

import json
from pathlib import Path

import pytest

import quatviz as qv
from quatviz import cli
from quatviz.display.data.frame_builder import FrameBuilder
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.export.figures.figure import run_footnote
from quatviz.export.web.page import make_page
from quatviz.files.preset import Lane
from quatviz.simulation.diagnostics import accuracy_verdict
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.runner import Runner
from quatviz.simulation.simulation import Simulation

SENTENCE = "Not stabilized is not accurate after t = 54.44 s: the error of the attitude is about 0.0013 rad. Try dt = 0.01 s"


class LoadedKernels:
    """A preparation that loads kernels at once."""

    def is_ready(self, lane: LaneRun) -> bool:
        lane.prepare()
        return True

    def close(self) -> None:
        """Nothing is left to stop."""


@pytest.fixture(scope="module")
def run() -> qv.Run:
    return qv.simulate(qv.load_preset("drift"))


def test_script_table_figure_and_page_show_the_same_verdict(run: qv.Run, tmp_path: Path) -> None:
    lane = run["Not stabilized"]
    assert lane.accuracy_warning == SENTENCE
    assert not lane.trusted
    assert run["By construction"].trusted
    run.write(tmp_path / "drift.csv")
    again = qv.load_run(tmp_path / "drift.csv")
    assert [other.accuracy_warning for other in again.lanes] == [
        other.accuracy_warning for other in run.lanes
    ]
    assert again["Not stabilized"].accuracy_warning == SENTENCE
    assert f" {SENTENCE}." in run_footnote(run.engine, run.engine.lanes)
    assert json.dumps(SENTENCE) in make_page(run.engine)


def test_command_prints_the_verdict_and_accurate_time(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["run", "drift"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[5:7] == ["accurate", "to"]
    (row,) = [line for line in lines if line.startswith("Not stabilized  ")]
    assert row.split()[2:5] == ["ok", "60", "54.44"]
    assert SENTENCE in lines
    assert sum("accurate" in line for line in lines[1:] if not line.startswith(" ")) == 1


def test_window_shows_the_verdict_after_completion() -> None:
    simulation = Simulation(qv.load_preset("drift"))
    runner = Runner(simulation, LoadedKernels(), playing=False)
    while runner.tick(0.0):
        pass
    assert all(lane.status == "ok" and lane.diagnostics.verdict is None for lane in simulation), (
        "what is shown comes first"
    )
    slices = 0
    while runner.tick(0.0):
        slices += 1
    assert slices >= len(simulation.lanes)
    assert all(lane.diagnostics.verdict is not None for lane in simulation)
    frame = FrameBuilder(simulation, LaneStyles.default_for(5)).frame_at_rest(0.0)
    assert [lane.message for lane in frame.lanes] == ["", SENTENCE, "", "", ""]
    assert not runner.tick(0.0), "it is found once"


def test_extended_run_has_no_verdict_until_complete() -> None:
    preset = qv.load_preset("torque_free").with_run(lanes=[Lane("newton_euler")], duration=0.5)
    simulation = Simulation(preset)
    simulation.complete()
    (lane,) = simulation
    assert accuracy_verdict(lane).accurate_until == 0.5
    simulation.extend(1.0)
    simulation.complete()
    assert lane.diagnostics.verdict is None
    assert accuracy_verdict(lane).accurate_until == 1.0
