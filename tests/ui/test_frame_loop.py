"""The frame loop continues whatever a part of the window raises."""

from dataclasses import dataclass, field, replace

import pytest
from pytestqt.qtbot import QtBot
from shiboken6 import delete

import quatviz as qv
from quatviz.display.data.frame import ColumnSource, Frame
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.simulation.commands import Seek
from quatviz.simulation.runner import Snapshot
from quatviz.simulation.simulation import Simulation
from quatviz.ui.window import frame_loop
from quatviz.ui.window.frame_loop import FrameLoop


class UnreadableError(Exception):
    """Exception whose message raises another one."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


class _PausedWorker:
    """Stub of a worker whose cursor is at rest."""

    snapshot = Snapshot(time=1.0, playing=False, duration=2.0)
    error: BaseException | None = None


@dataclass
class _Listener:
    """Listener that counts frames and raises a given exception."""

    failing_method: str = ""
    frames: list[Frame] = field(default_factory=list)
    error: BaseException = field(default_factory=lambda: KeyError("trail"))

    def _raise_in(self, method: str) -> None:
        if method == self.failing_method:
            raise self.error

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
def test_loop_continues_when_listener_raises(
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


@pytest.mark.parametrize("limit", [0, 1])
def test_first_frame_of_many_lanes_waits_for_a_tick(
    limit: int, run: Simulation, qtbot: QtBot, qapp: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Starting the listeners takes long enough for one turn of the event loop."""
    monkeypatch.setattr(frame_loop, "MAX_LANES_AT_ONCE", limit)
    listener = _Listener()
    loop = FrameLoop(run, _PausedWorker(), LaneStyles.default_for(1), [listener])  # type: ignore[arg-type]
    starts: list[object] = []
    monkeypatch.setattr(listener, "start", starts.append)
    loop.replace_run()
    assert (len(starts), len(listener.frames)) == (limit, limit)
    qtbot.waitUntil(lambda: bool(starts))
    assert len(listener.frames) == limit, "the first frame is made later"
    qtbot.waitUntil(lambda: len(listener.frames) > 2)
    assert len(starts) == 1
    loop.stop()
    delete(loop)


def test_loop_continues_when_frame_building_fails(
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


@pytest.mark.parametrize(
    "error", [UnreadableError(), SystemExit("done"), SystemExit(0)], ids=["unspeakable", "exit", "exit 0"]
)
@pytest.mark.parametrize("method", ["start", "prepare_frame", "show_frame"])
def test_loop_continues_after_any_exception(
    method: str, error: BaseException, run: Simulation, qtbot: QtBot, qapp: object
) -> None:
    """Also an exception whose message raises, and one that would exit the program."""
    failing, working = _Listener(method, error=error), _Listener()
    loop = FrameLoop(run, _PausedWorker(), LaneStyles.default_for(1), [failing, working])  # type: ignore[arg-type]
    reports: list[str] = []
    loop.faulted.connect(reports.append)
    loop.start_run()
    loop.start()
    qtbot.waitUntil(lambda: len(working.frames) > 3)
    loop.stop()
    assert len(reports) == 1
    delete(loop)


@pytest.mark.parametrize("method", ["prepare", "show"])
def test_next_frame_comes_even_if_report_fails(
    method: str, run: Simulation, qtbot: QtBot, qapp: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = FrameLoop(run, _PausedWorker(), LaneStyles.default_for(1), [])  # type: ignore[arg-type]
    calls: list[int] = []

    def fail(*_: object) -> None:
        calls.append(1)
        raise ValueError("broken")

    monkeypatch.setattr(loop, method, fail)
    monkeypatch.setattr(loop, "handle_listener_error", fail)
    with qtbot.captureExceptions() as raised:
        loop.start()
        qtbot.waitUntil(lambda: len(calls) > 5)
        loop.stop()
    assert raised
    delete(loop)


class _ObeyingWorker(_PausedWorker):
    """Stub of a worker whose cursor moves at once."""

    def submit(self, command: Seek) -> None:
        self.snapshot = replace(self.snapshot, time=command.time)


def test_command_at_rest_brings_the_next_frame_forward(
    run: Simulation, qtbot: QtBot, qapp: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frame_loop, "IDLE_INTERVAL_MS", 24 * 3600 * 1000)
    listener = _Listener()
    loop = FrameLoop(run, _ObeyingWorker(), LaneStyles.default_for(1), [listener])  # type: ignore[arg-type]
    loop.start_run()
    loop.set_idle(True)
    loop.start()
    loop.send(Seek(0.5))
    qtbot.waitUntil(lambda: listener.frames[-1].time == 0.5)
    loop.stop()
    delete(loop)


def test_interval_counts_from_the_start_of_a_tick(
    run: Simulation, qtbot: QtBot, qapp: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a frame takes, and what the event loop does between its two parts, is a part of the interval. Otherwise a frame of
    the interval would always come late, by the time of these parts. Private: `_tick_timer`, because the clock stands still in
    this test."""
    now = [100.0]

    class _SlowListener(_Listener):
        def prepare_frame(self, frame: Frame) -> None:
            super().prepare_frame(frame)
            now[0] += 2**-7  # 7.8 ms of the frame, and of a paint before it is shown

    monkeypatch.setattr(frame_loop, "perf_counter", lambda: now[0])
    monkeypatch.setattr(frame_loop, "FRAME_INTERVAL_MS", 3600_000)
    listener = _SlowListener()
    loop = FrameLoop(run, _PausedWorker(), LaneStyles.default_for(1), [listener])  # type: ignore[arg-type]
    tick_timer = loop._tick_timer
    loop.start_run()
    loop.start()
    tick_timer.start(0)
    qtbot.waitUntil(lambda: len(listener.frames) == 2 and tick_timer.isActive())
    assert tick_timer.interval() == 3600_000 - 8
    loop.stop()
    delete(loop)
