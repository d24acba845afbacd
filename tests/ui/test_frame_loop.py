"""The frame loop goes on whatever a part of the window raises."""

from dataclasses import dataclass, field

import pytest
from pytestqt.qtbot import QtBot
from shiboken6 import delete

import quatviz as qv
from quatviz.display.data.frame import ColumnSource, Frame
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.simulation.runner import Snapshot
from quatviz.simulation.simulation import Simulation
from quatviz.ui.window.frame_loop import FrameLoop


class _PausedWorker:
    """Stands for a worker whose cursor rests."""

    snapshot = Snapshot(time=1.0, playing=False, duration=2.0)
    error: BaseException | None = None


@dataclass
class _Listener:
    """Counts frames, and raises what it is given."""

    failing_method: str = ""
    frames: list[Frame] = field(default_factory=list)

    def _raise_in(self, method: str) -> None:
        if method == self.failing_method:
            raise KeyError("trail")

    def start(self, source: ColumnSource) -> None:
        self._raise_in("start")

    def prepare_frame(self, frame: Frame) -> None:
        self._raise_in("prepare_frame")

    def show_frame(self, frame: Frame) -> None:
        self.frames.append(frame)
        self._raise_in("show_frame")


@pytest.fixture(scope="module")
def run() -> Simulation:
    return qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=2.0, dt=0.01).engine


@pytest.mark.parametrize("method", ["start", "prepare_frame", "show_frame"])
def test_the_loop_goes_on_when_a_listener_raises(
    method: str, run: Simulation, qtbot: QtBot, qapp: object
) -> None:
    failing, working = _Listener(method), _Listener()
    loop = FrameLoop(run, _PausedWorker(), LaneStyles.default_for(1), [failing, working])  # type: ignore[arg-type]
    reports: list[str] = []
    loop.faulted.connect(reports.append)
    loop.start_run()
    loop.start()
    qtbot.waitUntil(lambda: len(working.frames) > 3)
    loop.stop()
    assert reports == ["A part of the window failed: 'trail'"], "one report, not one per frame"
    delete(loop)


def test_the_loop_goes_on_when_a_frame_cannot_be_made(
    run: Simulation, qtbot: QtBot, qapp: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    listener = _Listener()
    loop = FrameLoop(run, _PausedWorker(), LaneStyles.default_for(1), [listener])  # type: ignore[arg-type]
    make_frame, failures = loop.builder.frame, iter((True, True))

    def failing_twice(*arguments: object) -> Frame:
        if next(failures, False):
            raise ValueError("no frame")
        return make_frame(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(loop.builder, "frame", failing_twice)
    loop.start()
    qtbot.waitUntil(lambda: len(listener.frames) > 1)
    loop.stop()
    delete(loop)
