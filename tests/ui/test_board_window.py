"""The board in use: pictures, pointing, and one repaint per frame."""

import numpy as np
import pytest
from board_maker import FlushCounter, Maker, make, point_on_board, process_events  # noqa: F401 (a fixture)
from fake_run import FakeRun
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from quatviz.display.data.frame import Frame
from quatviz.display.panels import PANELS
from quatviz.display.panels.base import Strip, TimePanel, WidgetPanel
from quatviz.display.panels.omega import Omega
from quatviz.display.view_state.theme import DARK, LIGHT
from quatviz.ui.plots.board import PlotBoard
from quatviz.ui.plots.panel_view import PanelContext, PanelView
from quatviz.ui.plots.strip_plot import StripPlot
from quatviz.ui.plots.time_view import TimeView
from quatviz.ui.widgets.style import set_own_theme


def shown(board: PlotBoard) -> list[TimeView]:
    return [panel for panel in board.panels if isinstance(panel, TimeView)]


def strips(board: PlotBoard) -> list[StripPlot]:
    return [plot for panel in shown(board) for plot in panel.plots]


def point(board: PlotBoard, plot: StripPlot, time: float, part: float = 0.5) -> QPoint:
    """Return the viewport position at which a plot shows `time`, at a fraction of its height."""
    inside = QPointF(plot.x_of(time), plot.area.top() + part * plot.area.height())
    return point_on_board(board, plot, inside)


def picture(board: PlotBoard) -> QImage:
    return board.grab().toImage()


def rgb(color: QColor) -> np.ndarray:
    return np.array([color.red(), color.green(), color.blue()], dtype=float)


def near(
    image: QImage, plot: StripPlot, board: PlotBoard, color: QColor | str, least: float = 0.35
) -> np.ndarray:
    """Return the viewport pixels (n, 2) inside the plot that contain at least `least` of `color`."""
    box = plot.area.toRect().translated(point_on_board(board, plot, 0, 0))
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    assert image.width() == board.width()
    pixels = (
        np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)[:, :, 2::-1].astype(float)
    )
    ground = rgb(QColor(plot.plot_style.theme.surface))
    full = rgb(QColor(color)) - ground
    over = pixels[box.top() : box.bottom(), box.left() : box.right() + 1] - ground
    cover = over @ full / (full @ full)
    other = np.abs(over - cover[:, :, None] * full).max(axis=2)
    return np.argwhere((cover > least) & (cover < 1.1) & (other < 12 + 12 * cover))[:, ::-1] + [
        box.left(),
        box.top(),
    ]


def wheel(board: PlotBoard, at: QPoint, notches: int) -> None:
    view = board.windowHandle()
    event = QWheelEvent(
        QPointF(at),
        view.mapToGlobal(QPointF(at)),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, event)
    process_events()


def test_board_shows_all_registered_panels_in_order(make: Maker) -> None:
    board = make(FakeRun(formulations=("lagrange_full/split", "euler_angles/313")))
    board.resize(780, 2000)  # all at once
    board.set_panel_visibility(dict.fromkeys(PANELS, True))
    process_events()
    assert [panel.name for panel in board.panels] == sorted(PANELS, key=lambda name: PANELS[name].order)
    image = picture(board)
    for plot in strips(board):
        drawn = sum(len(near(image, plot, board, trace.color)) for trace in plot.traces)
        assert drawn > 100, plot.header.symbol


def test_curves_match_their_values(make: Maker) -> None:
    run = FakeRun(lanes=("one", "two"))
    board = make(run, [Omega])
    plot = strips(board)[1]
    image = picture(board)
    drawn = np.concatenate([near(image, plot, board, trace.color) for trace in plot.traces])
    low, high = plot.y_scale.low, plot.y_scale.high
    inner = plot.curve_area
    assert len(np.unique(drawn[:, 0])) > 0.9 * inner.width()
    origin = point_on_board(board, plot, QPointF(0, 0))
    times = plot.axis.low + (drawn[:, 0] + 0.5 - origin.x() - inner.left()) / inner.width() * plot.axis.span
    curve = run.data["one"]["omega"][:, 1]
    per_second, per_unit = inner.width() / plot.axis.span, inner.height() / (high - low)
    steep = np.interp(times, run.t, np.gradient(curve, run.t)) * per_unit / per_second
    heights = origin.y() + inner.bottom() - (np.interp(times, run.t, curve) - low) * per_unit
    off = np.abs(heights - drawn[:, 1] - 0.5) / np.hypot(1.0, steep)
    under_dots = times * per_second < 8
    assert np.median(off) < 0.7  # of lines two pixels wide
    assert off[~under_dots].max() < 2.0


def test_both_colors_are_visible_where_lanes_agree_and_separate(make: Maker) -> None:
    run = FakeRun()
    run.data["two"]["omega"] = run.data["one"]["omega"] + np.where(run.t > 20, 0.8, 0.0)[:, None]
    board = make(run, [Omega])
    image = picture(board)
    plot = strips(board)[0]
    middle = point(board, plot, 20.0).x()
    shares = []
    for trace in plot.traces:
        pixels = near(image, plot, board, trace.color)
        columns = np.unique(pixels[:, 0])
        shares.append(
            (np.sum((columns > point(board, plot, 1.0).x()) & (columns < middle - 24)), len(columns))
        )
        assert np.sum(columns > middle + 24) > 0.9 * (point(board, plot, 40.0).x() - middle - 24)
    stripes = np.array([share[0] for share in shares]) / (middle - 24 - point(board, plot, 1.0).x())
    assert stripes.min() > 0.3
    assert stripes.max() < 0.8


def test_nan_rows_are_a_gap_in_the_picture(make: Maker) -> None:
    run = FakeRun(lanes=("one",))
    run.data["one"]["omega"][:] = 1.0
    run.data["one"]["omega"][2000:2400] = np.nan
    board = make(run, [Omega])
    plot = strips(board)[0]
    pixels = near(picture(board), plot, board, plot.traces[-1].color)
    columns = np.unique(pixels[:, 0])
    start, stop = point(board, plot, 20.0).x(), point(board, plot, 24.0).x()
    assert not np.any((columns > start + 2) & (columns < stop - 2))
    assert np.sum(columns > stop + 2) > 50


def test_single_lane_shows_colored_components_in_one_plot(make: Maker) -> None:
    run = FakeRun()
    board = make(run, [Omega])
    assert len(strips(board)) == 3
    board.show_frame(run.frame(1.0, visible=("two",)))
    process_events()
    (plot,) = strips(board)
    assert [trace.color for trace in plot.traces] == list(DARK.components[1:])
    assert [trace.label for trace in plot.traces] == ["ω₁", "ω₂", "ω₃"]
    assert near(picture(board), plot, board, QColor(DARK.components[3])).size > 100


def test_numbers_at_cursor_are_the_values(make: Maker) -> None:
    run = FakeRun()
    run.data["two"]["omega"] = run.data["one"]["omega"] + 0.25
    board = make(run, [Omega])
    board.show_frame(run.frame(12.34))
    plot = strips(board)[0]
    texts = plot.header.texts(plot.traces, plot.y_scale)
    assert [float(text.replace("−", "-")) for text in texts] == pytest.approx(
        [run.data["one"]["omega"][1234, 0], run.data["two"]["omega"][1234, 0]], abs=2e-3
    )


def test_click_and_drag_seek_within_a_pixel(make: Maker, qtbot: QtBot) -> None:
    board = make(FakeRun())
    times: list[float] = []
    board.seek_requested.connect(times.append)
    view = board.windowHandle()
    for plot in strips(board):
        pixel = plot.axis.span / plot.area.width()
        qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=point(board, plot, 13.0))
        qtbot.mouseMove(view, point(board, plot, 17.0))
        qtbot.mouseMove(view, point(board, plot, 55.0))
        qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=point(board, plot, 55.0))
        assert times[0] == pytest.approx(13.0, abs=pixel)
        assert any(abs(time - 17.0) <= pixel for time in times)
        assert times[-1] == pytest.approx(40.0)
        assert max(times) <= 40.0
        times.clear()


def test_wheel_zooms_all_plots_and_double_click_fits(make: Maker, qtbot: QtBot) -> None:
    board = make(FakeRun())
    plot, other = strips(board)[0], strips(board)[-1]
    at = point(board, plot, 10.0)
    time = plot.time_at(plot.mapFrom(board, at).x())
    ranges = [(strip.y_scale.low, strip.y_scale.high) for strip in strips(board)]
    wheel(board, at, 8)
    assert board.axis.span < 12.0
    assert point(board, plot, time).x() == pytest.approx(at.x(), abs=1)
    assert other.axis is plot.axis
    assert ranges == [(strip.y_scale.low, strip.y_scale.high) for strip in strips(board)]
    before = board.axis.low
    view = board.windowHandle()
    qtbot.mousePress(view, Qt.MouseButton.RightButton, pos=at)
    qtbot.mouseMove(view, at - QPoint(40, 30))
    qtbot.mouseRelease(view, Qt.MouseButton.RightButton, pos=at - QPoint(40, 30))
    assert board.axis.low - before == pytest.approx(40 * board.axis.span / plot.area.width(), rel=0.05)
    assert ranges == [(strip.y_scale.low, strip.y_scale.high) for strip in strips(board)]
    qtbot.mouseDClick(view, Qt.MouseButton.LeftButton, pos=at)
    assert board.axis.shows_all


def test_plot_axes_of_a_column_line_up(make: Maker) -> None:
    board = make(FakeRun())
    columns: dict[int, set[tuple[int, int]]] = {}
    for plot in strips(board):
        left, right = point(board, plot, 0.0).x(), point(board, plot, 40.0).x()
        columns.setdefault(left // 300, set()).add((left, right))
    assert [len(places) for places in columns.values()] == [1, 1]


def test_each_frame_repaints_once_and_unchanged_frames_never(make: Maker) -> None:
    run = FakeRun()
    board = make(run)
    flushes = FlushCounter(board)
    for number in range(1, 21):
        board.show_frame(run.frame(number * 0.5))
        process_events()
    assert flushes.count == 20
    asked = run.reads
    board.show_frame(run.frame(10.0))
    process_events()
    assert flushes.count == 20
    assert run.reads == asked  # a moving cursor requests no data


def test_hover_and_resize_repaint_without_a_frame(make: Maker, qtbot: QtBot) -> None:
    board = make(FakeRun())
    flushes = FlushCounter(board)
    board.axis.hover(3.0)
    process_events()
    assert flushes.count == 1
    board.resize(700, 800)
    process_events()
    assert flushes.count > 1


def test_growing_run_is_drawn_to_its_last_row(make: Maker) -> None:
    run = FakeRun()
    run.rows = dict.fromkeys(run.rows, 400)
    board = make(run)
    run.rows = dict.fromkeys(run.rows, 4001)
    for _ in range(12):
        board.show_frame(run.frame(1.0))
        process_events()
    image = picture(board)
    for plot in strips(board):
        pixels = np.concatenate([near(image, plot, board, trace.color) for trace in plot.traces])
        assert pixels[:, 0].max() >= point(board, plot, 40.0).x() - 3
        assert not board.redraws.is_due(plot, "picture")


def test_moving_cursor_does_not_redraw_curves(make: Maker) -> None:
    run = FakeRun()
    board = make(run)
    pictures = [plot.picture.draw_count for plot in strips(board)]
    board.show_frame(run.frame(9.0))
    process_events()
    assert all(
        plot.picture.draw_count == before for plot, before in zip(strips(board), pictures, strict=True)
    )


def test_new_run_replaces_the_previous_one(make: Maker) -> None:
    board = make(FakeRun(), [Omega])
    other = FakeRun(lanes=("three",), rows=101)
    board.start(other)
    board.show_frame(other.frame(0.5, generation=2))
    process_events()
    (plot,) = strips(board)
    assert len(plot.traces[0].series.times) == 101
    assert board.axis.duration == pytest.approx(1.0)


def test_theme_change_updates_background_and_curves(make: Maker) -> None:
    board = make(FakeRun())
    set_own_theme(board, LIGHT)
    process_events()
    image = picture(board)
    assert image.pixelColor(2, 2) == QColor(LIGHT.surface)
    for plot in strips(board):
        assert near(image, plot, board, QColor(LIGHT.lanes[0])).size > 50
        assert near(image, plot, board, QColor(DARK.lanes[0]), 0.9).size < 20  # chance blends of other colors


class Foreign(WidgetPanel):
    """Panel of a third-party package, built from plain widgets."""

    name, title, order = "foreign", "Foreign", 5

    def create_view(self, given: PanelContext) -> PanelView:
        return ForeignView(self, given)


class ForeignView(PanelView):
    def __init__(self, panel: Foreign, given: PanelContext) -> None:
        super().__init__(panel, given)
        self.label = QLabel()
        self.label.setStyleSheet("background: #ff00ff")
        self.body.addWidget(self.label, 1)

    def show_frame(self, frame: Frame) -> None:
        self.label.setText(f"{frame.time:.3f}")

    def shutdown(self) -> None: ...


class ForeignStrips(TimePanel):
    name, title, order = "foreign_strips", "Energies", 7
    strips = (Strip("kinetic"), Strip("energy", label="total"))


def test_third_party_panels_repaint_once_per_frame(make: Maker) -> None:
    run = FakeRun()
    board = make(run, [Omega, Foreign, ForeignStrips])
    assert [panel.name for panel in board.panels] == ["foreign", "foreign_strips", "omega"]
    assert near(picture(board), strips(board)[0], board, QColor(DARK.lanes[0])).size > 50
    image = picture(board).convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(-1, 4)[:, :3]
    assert np.sum((pixels == [255, 0, 255]).all(axis=1)) > 1000
    flushes = FlushCounter(board)
    for number in range(1, 11):
        board.show_frame(run.frame(float(number)))
        process_events()
    assert flushes.count == 10


@pytest.mark.parametrize("method", ["__init__", "start", "show_frame", "draw", "update_colors", "shutdown"])
def test_failing_panel_does_not_affect_others(
    make: Maker, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: PanelView, *arguments: object) -> None:
        raise ZeroDivisionError("as a test wants")

    messages: list[str] = []
    monkeypatch.setattr(ForeignView, method, fail)
    run = FakeRun()
    board = make(run, [Foreign, Omega])
    board.problem_reported.connect(messages.append)
    board.start(run)
    board.show_frame(run.frame(1.0))
    set_own_theme(board, LIGHT)
    process_events()
    assert [panel.name for panel in board.panels][-1] == "omega"
    if method != "shutdown":
        assert messages
        assert "Foreign: ZeroDivisionError: as a test wants" in messages[-1]
        image = picture(board)
        assert any(
            image.pixelColor(x, y) == QColor(LIGHT.danger) for x in range(60, 300) for y in range(70, 160)
        )
    assert near(picture(board), strips(board)[0], board, QColor(LIGHT.lanes[0])).size > 50


def test_painting_error_is_shown_in_its_panel(
    make: Maker, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    run = FakeRun()
    board = make(run, [ForeignStrips, Omega])
    broken = strips(board)[0]
    with qtbot.waitSignal(board.problem_reported) as blocker:
        monkeypatch.setattr(broken.header, "texts", lambda *_: [][0])
        board.show_frame(run.frame(1.0))
    process_events()
    assert "Energies: IndexError" in blocker.args[0]
    assert [panel.name for panel in board.panels] == ["omega"]


def test_leaving_a_plot_clears_hovered_time(make: Maker) -> None:
    board = make(FakeRun())
    board.axis.hover(3.0)
    for plot in strips(board)[:1]:
        QApplication.sendEvent(plot, QEvent(QEvent.Type.Leave))
    assert board.axis.hovered_time is None
