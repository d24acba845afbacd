"""Panels with lazily computed columns equal panels with complete arrays."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import pytest
from board_maker import Maker, make  # noqa: F401 (a fixture)
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import delete

import quatviz as qv
from quatviz.display.data import lazy_columns
from quatviz.display.data.budget import SLOW_FRAME_INTERVAL
from quatviz.display.data.frame import ColumnSource, Frame, RunInfo
from quatviz.display.data.jump_index import BodyJumps
from quatviz.display.data.lazy_columns import CursorReader, LaneColumn
from quatviz.display.data.series import Series, bucket_range
from quatviz.display.panels.base import Panel
from quatviz.display.scene.base import Stage
from quatviz.display.scene.items.trail import Trail
from quatviz.display.scene.items.trail_e1 import FirstAxisTrail
from quatviz.display.view_state.choices import ANGLE_RANGE_CHOICE, SIGN_CHOICE, frame_choice
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.display.view_state.theme import DARK
from quatviz.files.preset import Lane
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.simulation.runner import Snapshot
from quatviz.simulation.simulation import Simulation
from quatviz.ui.plots.board import PlotBoard
from quatviz.ui.plots.globe_view import GlobeView
from quatviz.ui.plots.time_view import TimeView
from quatviz.ui.scene.scene_view import SceneView
from quatviz.ui.window import frame_loop as bridges
from quatviz.ui.window.frame_loop import FrameLoop

ROWS = int(os.environ.get("QUATVIZ_TEST_ROWS", "9001"))
"""More rows than are reduced at once."""
INTERVAL = 0.01
FOUR = ("newton_euler", "hamilton", "lagrange_simplified/split", "euler_angles/321")
CLOSE = {"rtol": 1e-9, "atol": 1e-11}


class ArraySource:
    """`Source` of complete arrays."""

    def __init__(self, run: Simulation, info: RunInfo) -> None:
        self.info = info
        self._lanes = {lane.name: lane for lane in run}
        self._known: dict[tuple[str, str], np.ndarray] = {}

    def values(self, lane: str, quantity: str) -> tuple[np.ndarray, np.ndarray]:
        own = self._lanes[lane]
        if (lane, quantity) not in self._known:
            self._known[lane, quantity] = QUANTITIES[quantity].column_values(own.motion())
        return np.arange(own.samples) * INTERVAL, self._known[lane, quantity]


@dataclass
class IdleWorker:
    """Worker stub that has computed everything."""

    snapshot: Snapshot
    error: BaseException | None = None


@pytest.fixture(scope="module")
def run() -> Simulation:
    preset = qv.load_preset("torque_free")
    timing = replace(preset.run, duration=(ROWS - 1) * INTERVAL, dt=INTERVAL, sample_interval=INTERVAL)
    simulation = Simulation(replace(preset, run=timing, lanes=tuple(map(Lane, FOUR))))
    simulation.complete()
    return simulation


class BoardPair:
    """Two boards shown the same frames: one with lazy columns reduced in the background, one with arrays."""

    def __init__(self, run: Simulation, make: Maker, kinds: list[type[Panel]] | None = None) -> None:
        self.end = run.duration
        self.only = ""
        self.also: Callable[[Frame], object] = lambda frame: None
        worker = IdleWorker(Snapshot(time=0.0, duration=run.duration, playing=False))
        self.boards: list[PlotBoard] = []
        self.bridge = FrameLoop(run, worker, LaneStyles.default_for(len(run.lanes)), [self])  # type: ignore[arg-type]
        self.worker = worker
        self.bridge.tick()
        self.source: ColumnSource = self.bridge.builder.columns
        self.lazy, self.whole = (
            make(_Shown(source, self), kinds) for source in (self.source, ArraySource(run, self.source.info))
        )
        self.boards = [self.lazy, self.whole]

    def start(self, source: ColumnSource) -> None:
        """Do nothing, because boards start by themselves."""

    def show_frame(self, frame: Frame) -> None:
        if self.only:
            lanes = tuple(replace(lane, visible=lane.name == self.only) for lane in frame.lanes)
            frame = replace(frame, lanes=lanes)
        self.frame = frame
        self.also(frame)
        for board in self.boards:
            board.show_frame(frame)

    def pending_traces(self) -> list[object]:
        """Return the panels whose curves are not up to date."""
        return [
            (trace.lane, trace.quantity, trace.series.count, trace.series.digested_count)
            for panel in self.lazy.panels
            if isinstance(panel, TimeView)
            for plot in panel.plots
            for trace in plot.traces
            if trace.series.count < ROWS
        ]

    def go(self, at: float) -> None:
        """Move the cursor to a time, and wait until the columns are complete."""
        self.worker.snapshot = replace(self.worker.snapshot, time=at)
        until = time.monotonic() + 120.0
        for _ in range(3):
            self.bridge.tick()
        while self.bridge.is_behind or self.worker.snapshot.time != self.frame.time:
            assert time.monotonic() < until, self.pending_traces()
            time.sleep(0.005)
            self.bridge.tick()
        for _ in range(3):
            self.bridge.tick()
        QApplication.processEvents()


class _Shown:
    """Stub of the object that board makers need."""

    def __init__(self, source: ColumnSource, pair: BoardPair) -> None:
        self.info, self.values, self._pair = source.info, source.values, pair

    def frame(self, time: float) -> Frame:
        return self._pair.frame


@pytest.fixture
def pair(run: Simulation, make: Maker) -> Iterator[BoardPair]:
    both = BoardPair(run, make)
    yield both
    both.bridge.stop()
    delete(both.bridge)  # its timer callbacks would keep the run, the boards and their curves alive


def agree(first: object, second: object) -> None:
    np.testing.assert_allclose(np.asarray(first), np.asarray(second), **CLOSE)  # type: ignore[call-overload]


def _row(time: float) -> float:
    """Return the time [s] of the nearest row."""
    return round(time / INTERVAL) * INTERVAL


def assert_series_agree(own: Series, true: Series, component: int, end: float) -> None:
    assert np.array_equal(own.times, true.times)
    assert own.drawn_until == true.drawn_until
    views = [bucket_range(own.times, low, high, pixels) for low, high, pixels in (
        (0.0, end, 300), (0.0, end, 40), (0.3 * end, 0.5 * end, 900), (0.21 * end, 0.22 * end, 500),
    )]  # fmt: skip
    for view in views:
        for pair in zip(own.points(view), true.points(view), strict=True):
            agree(*pair)
        for pair in zip(own.curve(view, component), true.curve(view, component), strict=True):
            agree(*pair)
    for low, high in ((-np.inf, np.inf), (0.2 * end, 0.4 * end)):
        jumps, other_jumps = own.jumps(component, low, high), true.jumps(component, low, high)
        assert np.array_equal(jumps.causes, other_jumps.causes)
        agree(jumps.times, other_jumps.times)
    # Only at rows: arrays of angles cannot be interpolated through the attitude.
    moments = [_row(at) for at in np.random.default_rng(2).uniform(-0.1 * end, 1.1 * end, 40)]
    agree([own.values_at(at) for at in moments], [true.values_at(at) for at in moments])
    assert (own.last_point(component) is None) == (true.last_point(component) is None)
    if own.last_point(component) is not None:
        agree(own.last_point(component), true.last_point(component))


def assert_panels_agree(pair: BoardPair) -> set[str]:
    """Compare all panels and return their names."""
    names = set()
    for own, true in zip(pair.lazy.panels, pair.whole.panels, strict=True):
        assert own.name == true.name
        names.add(own.name)
        for first, second in zip(own.readings(), true.readings(), strict=True):
            assert replace(first, value=0.0) == replace(second, value=0.0)
            agree(first.value, second.value)
        if isinstance(own, TimeView) and isinstance(true, TimeView):
            assert (own.title_row.note, own.title_row.toolTip()) == (
                true.title_row.note,
                true.title_row.toolTip(),
            )
            for plot, plain in zip(own.plots, true.plots, strict=True):
                agree((plot.y_scale.low, plot.y_scale.high), (plain.y_scale.low, plain.y_scale.high))
                for trace, sure in zip(plot.traces, plain.traces, strict=True):
                    assert (trace.lane, trace.quantity) == (sure.lane, sure.quantity)
                    assert_series_agree(trace.series, sure.series, trace.component, pair.end)
        if isinstance(own, GlobeView) and isinstance(true, GlobeView):
            for path, sure_path in zip(own.globe.picture.paths, true.globe.picture.paths, strict=True):
                agree(path.times, sure_path.times)
                agree(path.points, sure_path.points)
            agree(own.globe.picture.surface, true.globe.picture.surface)
    return names


@pytest.mark.parametrize(
    ("sign", "turns", "frame", "difference"),
    [
        ("raw", "wrapped", "body", False),
        ("continuous", "unwrapped", "space", False),
        ("canonical", "wrapped", "body", False),
        ("raw", "wrapped", "space", True),
    ],
)
def test_lazy_panels_equal_complete_panels(
    pair: BoardPair, sign: str, turns: str, frame: str, difference: bool
) -> None:
    for board in (pair.lazy, pair.whole):
        for name in board.titles:
            board.show_panel(name, True)
        board.choices.choose(SIGN_CHOICE, sign)
        board.choices.choose(ANGLE_RANGE_CHOICE, turns)
        for choice in (frame_choice("h"), frame_choice("omega")):
            board.choices.choose(choice, frame)
        board.store.update(difference=difference)
    for at in (0.0, _row(0.4321 * pair.end), pair.end):
        pair.go(at)
        names = assert_panels_agree(pair)
    assert {"euler_parameters", "euler_angles", "omega", "h", "drift", "orientation_ball"} <= names


def test_single_lazy_lane_equals_complete_lane(run: Simulation, pair: BoardPair) -> None:
    pair.only = run.lanes[3].name
    pair.go(0.3 * pair.end)
    assert {len(plot.traces) for plot in pair.lazy.panels[0].plots} == {4}  # type: ignore[attr-defined]
    assert_panels_agree(pair)


def test_lazy_jumps_equal_jumps_of_complete_arrays(run: Simulation, pair: BoardPair) -> None:
    whole, lazy_columns = BodyJumps(), BodyJumps()
    whole.start(ArraySource(run, pair.source.info))
    lazy_columns.start(pair.source)
    pair.also = lambda frame: (whole.follow(frame, "313"), lazy_columns.follow(frame, "313"))
    pair.go(1.0)
    assert sum(map(len, whole.times.values())) > 10
    for own, true in zip(lazy_columns.times.values(), whole.times.values(), strict=True):
        agree(own, true)


def test_drawing_a_trail_reads_few_rows(
    run: Simulation, pair: BoardPair, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The largest angular speed of a long run is found by the background reduction, not by the drawing thread."""
    monkeypatch.setattr(lazy_columns, "MAX_IMMEDIATE_ROWS", ROWS // 2)
    pair.go(0.5 * pair.end)
    read, plain = [], LaneColumn.read

    def reading(column: LaneColumn, start: int, stop: int, reader: CursorReader | None = None) -> np.ndarray:
        if threading.current_thread() is threading.main_thread():
            read.append(stop - start)
        return plain(column, start, stop, reader)

    monkeypatch.setattr(LaneColumn, "read", reading)
    stage = Stage(DARK, [Trail], pytest.fail)
    stage.start(pair.source)
    pair.also = stage.draw_frame
    pair.go(0.6 * pair.end)
    stage.set_item_visible("trail", True, pair.frame)
    (trail,) = stage.lines
    until = time.monotonic() + 60.0
    while len(trail.points) < 2 or pair.bridge.is_behind:
        assert time.monotonic() < until
        pair.bridge.tick()
    assert max(read) < ROWS / 4


def test_resting_trail_updates_when_reduction_completes(run: Simulation, qtbot: QtBot) -> None:
    """The largest angular speed is known once the whole run is reduced, which the picture has to request."""
    snapshot = Snapshot(time=0.5 * run.duration, duration=run.duration, playing=False)
    view = SceneView(item_classes=[FirstAxisTrail])
    qtbot.addWidget(view)
    view.stage.set_item_visible("trail_e1", True, None)
    listeners = [view]
    bridge = FrameLoop(run, IdleWorker(snapshot), LaneStyles.default_for(len(run.lanes)), listeners)  # type: ignore[arg-type]
    bridge.start_run()
    while any(thread.name == "quatviz-growth" for thread in threading.enumerate()):
        time.sleep(0.005)  # and no frame is made
    for _ in range(3):
        bridge.tick()
    assert not bridge.is_behind, "nothing requests the reduction"
    bridge.stop()
    view.shutdown()
    delete(bridge)


def test_frame_rate_drops_while_compiling(
    run: Simulation, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bridges, "COMPILING_INTERVAL_MS", 40)
    worker = IdleWorker(Snapshot())
    bridge = FrameLoop(run, worker, LaneStyles.default_for(len(run.lanes)), [])  # type: ignore[arg-type]
    assert bridge.interval == bridges.FRAME_INTERVAL_MS
    worker.snapshot = Snapshot(preparing=(FOUR[0],))
    assert bridge.interval == 40
    bridge.set_idle(True)
    assert bridge.interval == bridges.IDLE_INTERVAL_MS, "the window is hidden"
    bridge.set_idle(False)
    worker.snapshot = Snapshot()
    assert bridge.interval == bridges.FRAME_INTERVAL_MS
    delete(bridge)


def test_lower_frame_rate_does_not_coarsen_pictures() -> None:
    assert 1.1e-3 * bridges.COMPILING_INTERVAL_MS < SLOW_FRAME_INTERVAL
