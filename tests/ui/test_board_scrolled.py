"""If the height is too small for all panels, the board scrolls and every strip stays readable."""

from itertools import combinations

import numpy as np
import pytest
from board_maker import Maker, make, point_on_board, process_events, rect_on_board  # noqa: F401 (a fixture)
from fake_run import FakeRun
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from test_board_window import picture

from quatviz.display.panels.base import Panel
from quatviz.display.panels.drift import Drift
from quatviz.display.panels.euler_parameters import EulerParameters
from quatviz.display.panels.h import AngularMomentum
from quatviz.display.panels.momentum_sphere import MomentumSphere
from quatviz.display.panels.omega import Omega
from quatviz.display.view_state.theme import DARK, PROJECTOR
from quatviz.ui.plots.board import PlotBoard
from quatviz.ui.plots.panel_layout import PanelGrid, PanelHost
from quatviz.ui.plots.strip_plot import StripPlot
from quatviz.ui.plots.time_view import TimeView
from quatviz.ui.widgets.style import set_own_theme

KINDS: list[type[Panel]] = [EulerParameters, Omega, AngularMomentum, Drift]


def low_board(make: Maker, height: int = 380) -> PlotBoard:
    board = make(FakeRun(), KINDS)
    board.resize(780, height)
    process_events()
    board.show_frame(FakeRun().frame(0.0))
    process_events()
    return board


def items(board: PlotBoard) -> list[QRectF]:
    """Return the positions of titles, strips and times in the view."""
    rects = []
    for panel in board.panels:
        assert isinstance(panel, TimeView)
        rows = [panel.title_row, *panel.plots, *([panel.time_row] if panel.times_height else [])]
        rects += [rect_on_board(board, row).toRectF() for row in rows]
    return rects


def bar(board: PlotBoard):
    return board.scroll_bar


@pytest.mark.parametrize("theme", [DARK, PROJECTOR], ids=lambda theme: theme.name)
def test_strips_keep_minimum_height_without_overlap(make: Maker, theme) -> None:
    board = low_board(make)
    set_own_theme(board, theme)
    process_events()
    for panel in board.panels:
        assert isinstance(panel, TimeView)
        assert all(plot.height() >= plot.plot_style.min_height(plot.plot.weight) - 1 for plot in panel.plots)
        assert panel.times_height > 0.0, "the lowest times may be out of sight"
    for first, second in combinations(items(board), 2):
        assert first.adjusted(2, 2, -2, -2).intersected(second).isEmpty()
    assert bar(board).isVisible()
    bar(board).setValue(bar(board).maximum())
    process_events()
    assert max(rect.bottom() for rect in items(board)) <= board.height(), "the last one can be reached"


@pytest.mark.parametrize(
    "panel_class", [MomentumSphere, EulerParameters, Drift], ids=lambda panel_class: panel_class.name
)
def test_two_panels_fit_on_small_screen(make: Maker, panel_class: type[Panel]) -> None:
    """The area that 1366x768 leaves for plots in large type. The panels need slightly more but must not
    grow."""
    board = make(FakeRun(), [AngularMomentum, panel_class])
    set_own_theme(board, PROJECTOR)
    board.resize(484, 600)
    process_events()
    grid = board.findChild(PanelGrid)
    assert grid is not None
    for slot in board.findChildren(PanelHost):
        top = slot.mapTo(grid.content, QPoint(0, 0)).y()
        seen = min(grid.viewport().height() - top, slot.height()) / slot.height()
        assert seen > (0.99 if panel_class is MomentumSphere else 0.5), slot.name


def test_drift_values_of_five_lanes_are_shown_in_narrow_board(make: Maker) -> None:
    """Only two or three values were shown, then dots. Two rows of numbers leave the curve as high as
    one."""
    run = FakeRun(("one", "two", "three", "four", "five"))
    for number, lane in enumerate(run.info.lanes):
        run.data[lane]["momentum_drift"] = np.full((len(run.t), 1), (number + 2) * 10.0 ** (-12 - number))
    board = make(run, [Drift])
    board.resize(270, 520)
    process_events()
    board.show_frame(run.frame(1.0))
    process_events()
    (panel,) = board.panels
    assert isinstance(panel, TimeView)
    rows = set()
    for plot in panel.plots:
        plot.grab()
        header, style = plot.header, plot.plot_style
        assert {header.shown_texts[value.trace_index] for value in header.values} == set(
            header.shown_texts
        ), header.symbol
        assert plot.area.top() == header.height
        assert (
            plot.area.height()
            >= style.min_height(plot.plot.weight) - style.header_height - style.bottom_margin - 1
        )
        rows.add(header.row_count)
    assert 2 in rows


def test_board_scrolls_only_when_needed(make: Maker) -> None:
    board = low_board(make, 950)
    assert not bar(board).isVisible()
    assert sum(panel.times_height > 0.0 for panel in board.panels if isinstance(panel, TimeView)) == 2
    board.resize(780, 380)
    process_events()
    assert bar(board).isVisible()
    board.arranger.maximise("omega")
    process_events()
    assert not bar(board).isVisible(), "one panel alone has room"


def test_legend_stays_fixed_while_panels_scroll(make: Maker) -> None:
    board = low_board(make)
    (grid,) = board.findChildren(PanelGrid)

    def legend() -> np.ndarray:
        image = picture(board).convertToFormat(QImage.Format.Format_RGB32)
        rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
        top = float(grid.geometry().top())
        return rows[: round(top * image.devicePixelRatio()) - 1, : 4 * (image.width() - 60)].copy()

    before = legend()
    bar(board).setValue(70)  # the edge now crosses strips with their cursors
    process_events()
    assert np.array_equal(legend(), before)


def test_wheel_scrolls_column_and_ctrl_wheel_zooms(make: Maker) -> None:
    board = low_board(make)
    panel = board.panels[0]
    assert isinstance(panel, TimeView)

    def turn(item, x: float, key: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        at = QPointF(point_on_board(board, item, x, 12.0))
        QTest.wheelEvent(board.windowHandle(), at, QPoint(0, -120), QPoint(), key)
        process_events()

    turn(panel.title_row, 80.0)
    assert bar(board).value() == 60
    turn(panel.plots[1], 5.0)
    scrolled = bar(board).value()
    assert scrolled > 60, "also over the numbers of an axis"
    board.axis.zoom(0.5, 1.0)
    span = board.axis.span
    turn(panel.plots[3], 200.0)
    assert bar(board).value() > scrolled, "scrolling continues when a plot comes under the pointer"
    assert board.axis.span == span
    scrolled = bar(board).value()
    turn(panel.plots[3], 200.0, Qt.KeyboardModifier.ControlModifier)
    assert bar(board).value() == scrolled
    assert board.axis.span > span


def test_selected_times_are_painted_on_scrolled_board(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    """They appeared in grabbed images, but on the screen only after another repaint."""
    board = low_board(make)
    bar(board).setValue(bar(board).maximum() // 2)
    process_events()
    painted: set[StripPlot] = set()
    draw = StripPlot.draw_on

    def noting(plot: StripPlot, painter: QPainter, ratio: float) -> None:
        painted.add(plot)
        draw(plot, painter, ratio)

    monkeypatch.setattr(StripPlot, "draw_on", noting)
    seen = {plot for plot in board.findChildren(StripPlot) if not plot.visibleRegion().isEmpty()}
    assert len(seen) > 1
    for selected in ((1.0, 2.0), (1.0, 3.0), None):
        painted.clear()
        board.axis.set_selected(selected)
        process_events()
        assert painted >= seen, selected
