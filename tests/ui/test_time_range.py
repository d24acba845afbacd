"""The shared time axis: keys, stability, and the selected time range."""

from dataclasses import replace

import pytest
from action_stubs import actions_for
from board_maker import FlushCounter, Maker, make, process_events  # noqa: F401 (a fixture)
from fake_run import FakeRun
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot
from test_board_panels import actions
from test_board_window import picture, point, strips
from test_transport import Sent, bar, run, sent_by  # noqa: F401 (fixtures)

from quatviz.base.formatting import format_time_range
from quatviz.display.data.frame import Frame
from quatviz.display.panels.base.time_axis import TimeAxis
from quatviz.display.panels.omega import Omega
from quatviz.display.view_state.theme import DARK
from quatviz.simulation.commands import (
    ClearRange,
    Play,
    RunnerCommand,
    Seek,
    SetLoop,
    SetPlaybackRate,
    SetRange,
    Toggle,
    ToggleLoop,
)
from quatviz.ui.plots.board import PlotBoard, panel_menu
from quatviz.ui.plots.strip_plot import StripPlot
from quatviz.ui.transport.transport_bar import TransportBar
from quatviz.ui.widgets.style import tint

SHIFT = Qt.KeyboardModifier.ShiftModifier
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def axis() -> TimeAxis:
    made = TimeAxis()
    made.start(40.0, 0.01)
    return made


def visible_range(axis: TimeAxis) -> tuple[float, float]:
    return axis.low, axis.high


def test_keys_zoom_about_the_cursor_and_pan(axis: TimeAxis) -> None:
    axis.follow(10.0)
    axis.zoom_by_key(1)
    assert axis.span == pytest.approx(40 / 1.5)
    assert (10.0 - axis.low) / axis.span == pytest.approx(0.25)
    low = axis.low
    axis.pan_by_key(1)
    assert axis.low == pytest.approx(low + axis.span / 4)
    axis.pan_by_key(-1)
    axis.zoom_by_key(-1)
    assert axis.shows_all


def test_key_zoom_ignores_a_cursor_outside_the_view(axis: TimeAxis) -> None:
    axis.follow(1.0)
    axis.zoom(0.25, 30.0)
    middle = sum(visible_range(axis)) / 2
    axis.zoom_by_key(1)
    assert sum(visible_range(axis)) / 2 == pytest.approx(middle)


def test_axis_without_following_stays(axis: TimeAxis) -> None:
    axis.zoom(0.25, 0.0)
    axis.follows_cursor = False
    for number in range(200):
        axis.follow(number * 0.1)
    assert visible_range(axis) == (0.0, 10.0)
    axis.follows_cursor = True
    axis.follow(9.0)
    for number in range(91, 200):
        axis.follow(number * 0.1)
    assert axis.low <= 19.9 <= axis.high


def test_similar_run_keeps_the_time_range(make: Maker) -> None:
    board = make(FakeRun(), [Omega])
    board.axis.zoom(0.25, 20.0)
    times = visible_range(board.axis)
    again = FakeRun(lanes=("one", "two", "three"))
    board.start(again)
    for time in (0.0, 9.0, 16.0):
        board.show_frame(again.frame(time, generation=2))
    assert visible_range(board.axis) == times
    assert strips(board)[0].time_at(strips(board)[0].area.left()) == pytest.approx(times[0])
    longer = FakeRun(rows=5001)
    board.start(longer)
    assert board.axis.shows_all
    board.axis.zoom(0.25, 20.0)
    other = FakeRun(rows=5001)
    other.info = replace(other.info, title="another")
    board.start(other)
    assert board.axis.shows_all


# Selecting


def drag(board: PlotBoard, qtbot: QtBot, plot: StripPlot, start: float, stop: float) -> None:
    view = board.windowHandle()
    qtbot.mousePress(view, LEFT, SHIFT, pos=point(board, plot, start))
    qtbot.mouseMove(view, point(board, plot, (start + stop) / 2))
    qtbot.mouseMove(view, point(board, plot, stop))
    qtbot.mouseRelease(view, LEFT, SHIFT, pos=point(board, plot, stop))


@pytest.mark.parametrize(("start", "stop"), [(10.0, 25.0), (25.0, 10.0)])
def test_shift_drag_selects_times_and_moves_no_cursor(
    make: Maker, qtbot: QtBot, start: float, stop: float
) -> None:
    board = make(FakeRun(), [Omega])
    wanted: list[tuple[float, float]] = []
    sought: list[float] = []
    board.axis.range_requested.connect(wanted.append)
    board.seek_requested.connect(sought.append)
    plot = strips(board)[1]
    drag(board, qtbot, plot, start, stop)
    pixel = plot.axis.span / plot.area.width()
    assert wanted[-1] == pytest.approx((10.0, 25.0), abs=pixel)
    assert not sought
    wanted.clear()
    view = board.windowHandle()
    qtbot.mousePress(view, LEFT, pos=point(board, plot, 5.0))
    qtbot.mouseMove(view, point(board, plot, 30.0))
    qtbot.mouseRelease(view, LEFT, pos=point(board, plot, 30.0))
    assert not wanted  # that drag is over
    assert sought[-1] == pytest.approx(30.0, abs=pixel)


def test_range_ends_snap_to_samples(axis: TimeAxis) -> None:
    drag = axis.drag
    drag.begin(7.654321)
    assert drag.range_to(7.6532) is None, "the same sample"
    assert drag.range_to(1.234567) == pytest.approx((1.23, 7.65), abs=1e-9)
    assert drag.range_to(8.0) == pytest.approx((7.65, 8.0), abs=1e-9)
    drag.end()
    assert drag.range_to(3.0) is None


def with_range(run: FakeRun, time: float, selected: tuple[float, float] | None) -> Frame:
    return replace(run.frame(time), selected=selected)


def test_selected_times_are_tinted_in_every_plot(make: Maker) -> None:
    run = FakeRun()
    board = make(run)
    before = picture(board)
    flushes = FlushCounter(board)
    board.show_frame(with_range(run, 0.0, (10.0, 25.0)))
    process_events()
    assert flushes.count == 1
    image = picture(board)
    assert len(strips(board)) > 6
    for plot in strips(board):
        ground = QColor(DARK.surface)
        inside, outside = (
            next(
                free_point for free_point in places if before.pixelColor(free_point) == ground
            )  # free of curves
            for places in (
                [point(board, plot, time, part / 40) for part in range(1, 39)] for time in (20.3, 30.3)
            )
        )
        tinted = tint(DARK.accent, DARK.surface, 0.16)
        color = image.pixelColor(inside)
        assert abs(color.red() - tinted.red()) + abs(color.blue() - tinted.blue()) <= 4
        assert image.pixelColor(outside) == ground
    board.show_frame(with_range(run, 0.0, None))
    process_events()
    assert picture(board) == before


_OF_RANGE = "Zoom to the selected times", "Repeat the selected times", "Clear selection"


def test_menu_zooms_loops_and_clears_the_selection(make: Maker) -> None:
    run = FakeRun()
    board = make(run, [Omega])
    asked: list[object] = []
    host = board.action_registry.host
    assert host is not None
    host.send = lambda *commands: asked.extend(commands)
    menu = actions(panel_menu(board, board.panels[0]))
    assert not set(_OF_RANGE) & set(menu)
    board.show_frame(with_range(run, 0.0, (10.0, 25.0)))
    menu = actions(panel_menu(board, board.panels[0]))
    assert "10.00 to 25.00 s, 15.00 s" in menu
    for text in _OF_RANGE:
        menu[text].trigger()
    assert asked == [SetLoop(True), Play(), ClearRange()]
    assert visible_range(board.axis) == (10.0, 25.0)


def test_short_range_is_shown_at_maximum_zoom(axis: TimeAxis) -> None:
    axis.set_selected((20.0, 20.02))
    axis.show_selected()
    assert axis.span == pytest.approx(0.08)
    assert sum(visible_range(axis)) / 2 == pytest.approx(20.01)


def test_escape_restores_the_board_before_clearing_the_selection(make: Maker) -> None:
    run = FakeRun()
    board = make(run)
    asked: list[object] = []
    board.axis.range_requested.connect(asked.append)
    board.show_frame(with_range(run, 0.0, (10.0, 25.0)))
    board.arranger.maximise("omega")
    board.escape()
    assert asked == []
    board.escape()
    assert asked == [None]


def test_range_text_has_sample_precision() -> None:
    assert format_time_range(2.0, 5.5, 0.01) == "2.00 to 5.50 s, 3.50 s"
    assert format_time_range(2.0, 5.5, 0.1) == "2.00 to 5.50 s, 3.50 s"
    assert format_time_range(2.0, 2.0625, 0.0005) == "2.0000 to 2.0625 s, 0.0625 s"


# The timeline


def at(bar: TransportBar, time: float, down: int = 8) -> QPoint:
    scrubber = bar.scrubber
    return QPoint(round(scrubber.x_of(time)), scrubber.height() // 2 - 5 + down)


def selected(commands: Sent) -> tuple[float, float]:
    """Return the range of the last command."""
    last = commands[-1]
    assert isinstance(last, SetRange)
    return last.start, last.stop


def test_timeline_shows_and_moves_range_ends(bar: TransportBar, run: FakeRun, qtbot: QtBot) -> None:
    commands, scrubber = sent_by(bar), bar.scrubber
    before = scrubber.grab().toImage()
    bar.show_frame(with_range(run, 12.34, (5.0, 30.0)))
    image = scrubber.grab().toImage()
    y = scrubber.height() // 2 - 5
    assert image.pixelColor(round(scrubber.x_of(30.0)), y) == QColor(DARK.text)
    stretch = tint(DARK.accent, DARK.window, 0.28)
    assert image.pixelColor(round(scrubber.x_of(20.0)), y - 7).name() == stretch.name()
    assert before.pixelColor(round(scrubber.x_of(20.0)), y - 7).name() != stretch.name()
    pixel = 40.0 / scrubber.width()
    for end, goal, then in ((5.0, 8.0, (8.0, 30.0)), (30.0, 20.0, (5.0, 20.0)), (5.0, 35.0, (30.0, 35.0))):
        commands.clear()
        qtbot.mousePress(scrubber, LEFT, pos=at(bar, end))
        qtbot.mouseMove(scrubber, at(bar, goal))
        qtbot.mouseRelease(scrubber, LEFT, pos=at(bar, goal))
        assert selected(commands) == pytest.approx(then, abs=pixel)
        assert {type(command) for command in commands} == {SetRange}
    commands.clear()
    qtbot.mousePress(scrubber, LEFT, pos=at(bar, 15.0))
    qtbot.mouseMove(scrubber, at(bar, 18.0))
    qtbot.mouseRelease(scrubber, LEFT, pos=at(bar, 18.0))
    assert [type(command) for command in commands] == [Seek, Seek]


def test_cursor_on_a_range_end_can_be_dragged(bar: TransportBar, run: FakeRun, qtbot: QtBot) -> None:
    bar.show_frame(with_range(run, 5.0, (5.0, 30.0)))
    commands = sent_by(bar)
    qtbot.mousePress(bar.scrubber, LEFT, pos=at(bar, 5.0, -4))
    qtbot.mouseRelease(bar.scrubber, LEFT, pos=at(bar, 5.0, -4))
    assert [type(command) for command in commands] == [Seek]


def test_shift_drag_on_timeline_selects_times(bar: TransportBar, qtbot: QtBot) -> None:
    commands, scrubber = sent_by(bar), bar.scrubber
    qtbot.mousePress(scrubber, LEFT, SHIFT, pos=at(bar, 30.0))
    qtbot.mouseMove(scrubber, at(bar, 10.0))
    qtbot.mouseRelease(scrubber, LEFT, SHIFT, pos=at(bar, 10.0))
    assert selected(commands) == pytest.approx((10.0, 30.0), abs=40.0 / scrubber.width())


def test_transport_follows_loop_direction_and_speed(bar: TransportBar, run: FakeRun) -> None:
    commands = sent_by(bar)
    frame = replace(run.frame(3.0), playing=True, speed=-2.0, loop=True)
    bar.show_frame(frame)
    assert bar.play_backward_button.isChecked()
    assert bar.loop_button.isChecked()
    assert bar.speed_box.currentText() == "2×"
    assert "selected" not in bar.loop_button.toolTip()
    bar.show_frame(replace(frame, playing=False, loop=False, selected=(1.0, 2.0)))
    assert not bar.play_backward_button.isChecked()
    assert not bar.loop_button.isChecked()
    assert "selected" in bar.loop_button.toolTip()
    assert commands == []


# Commands


@pytest.mark.parametrize(
    ("act", "sent"),
    [
        ("backward", [Toggle(backward=True)]),
        ("restart", [Seek(0.0), Play(backward=False)]),
        ("loop", [ToggleLoop()]),
        ("loop_range", [SetLoop(True), Play()]),
        ("speed_5", [SetPlaybackRate(5.0)]),
        ("clear_range", [ClearRange()]),
    ],
)
def test_actions_send_their_commands(act: str, sent: list[RunnerCommand]) -> None:
    heard: list[RunnerCommand] = []
    actions_for(send=lambda *commands: heard.extend(commands))[act].trigger()
    assert heard == sent
