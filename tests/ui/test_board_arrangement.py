"""Panels that the user maximizes, detaches, stacks and moves."""

import numpy as np
import pytest
from board_maker import (  # noqa: F401 (a fixture)
    FlushCounter,
    Maker,
    make,
    panel_host_of,
    point_on_board,
    process_events,
    rect_on_board,
)
from fake_run import FakeRun
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtWidgets import QApplication, QMenu, QRubberBand, QWidget
from pytestqt.qtbot import QtBot
from test_board_panels import actions
from test_board_window import Foreign, ForeignStrips, near, picture, strips

from quatviz.display.panels.base import Panel
from quatviz.display.panels.cost import Cost
from quatviz.display.panels.drift import Drift
from quatviz.display.panels.euler_angles import EulerAnglesPanel
from quatviz.display.panels.euler_parameters import EulerParameters
from quatviz.display.panels.h import AngularMomentum
from quatviz.display.panels.omega import Omega
from quatviz.display.view_state.arrangement import PanelLayout
from quatviz.display.view_state.theme import DARK, LIGHT, PROJECTOR, Theme
from quatviz.ui.plots.board import PlotBoard, failed_panel_menu, panel_menu
from quatviz.ui.plots.panel_layout import FloatingPanelWindow, PanelHost
from quatviz.ui.plots.strip_plot import StripPlot
from quatviz.ui.plots.time_view import TimeView
from quatviz.ui.plots.title_row import TitleRow
from quatviz.ui.widgets.style import set_own_theme
from quatviz.ui.widgets.windows import WINDOW_FRAME_MARGINS

FOUR: list[type[Panel]] = [EulerParameters, Omega, AngularMomentum, Drift]


def names(board: PlotBoard) -> list[str]:
    return [panel.name for panel in board.panels]


def box(board: PlotBoard, name: str) -> QPoint:
    """Return the top left corner of a panel on the board."""
    return rect_on_board(board, panel_host_of(board, name)).topLeft()


def heading(board: PlotBoard, name: str) -> TitleRow:
    return next(item for item in panel_host_of(board, name).findChildren(TitleRow) if not item.isHidden())


def middle(board: PlotBoard, item: QWidget, x: float | None = None) -> QPoint:
    return point_on_board(board, item, item.width() / 2 if x is None else x, item.height() / 2)


def tab(row: TitleRow, name: str) -> float:
    """Return the horizontal position of the middle of a panel's tab."""
    return float(np.mean([x for x in range(row.width()) if row.tab_at(x) == name]))


def click(board: PlotBoard, qtbot: QtBot, at: QPoint, double: bool = False) -> None:
    view = board.windowHandle()
    if double:
        qtbot.mouseDClick(view, Qt.MouseButton.LeftButton, pos=at)
    else:
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=at)
    process_events()


def detached_window(board: PlotBoard, name: str) -> FloatingPanelWindow:
    board.arranger.arrangement.detach(name)
    process_events()
    return board.arranger.windows[name]


def image_of(window: FloatingPanelWindow) -> QImage:
    return window.grab().toImage()


def pixels_of_color(image: QImage, color: QColor) -> int:
    """Return the pixels of exactly this color."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)
    return int((pixels[:, :, 2::-1] == [color.red(), color.green(), color.blue()]).all(axis=2).sum())


# Maximized


def test_double_click_on_title_maximizes_and_restores_panel(make: Maker, qtbot: QtBot) -> None:
    board = make(FakeRun(), FOUR)
    before = [box(board, name) for name in names(board)]
    click(board, qtbot, middle(board, heading(board, "omega")), double=True)
    assert names(board) == ["omega"]
    assert panel_host_of(board, "omega").width() > board.width() - 40
    assert near(picture(board), strips(board)[0], board, QColor(DARK.lanes[0])).size > 100
    click(board, qtbot, middle(board, heading(board, "omega")), double=True)
    assert names(board) == [panel_class.name for panel_class in FOUR]
    assert [box(board, name) for name in names(board)] == before


def test_escape_and_menu_restore_board(make: Maker) -> None:
    board = make(FakeRun(), FOUR)
    panel = board.panels[2]
    actions(panel_menu(board, panel))["Enlarge this panel"].trigger()
    assert names(board) == [panel.name]
    assert "Enlarge this panel" not in actions(panel_menu(board, panel))
    actions(panel_menu(board, panel))["Show all panels"].trigger()
    assert len(board.panels) == 4
    messages: list[str] = []
    board.arranger.status_message.connect(messages.append)
    board.arranger.status_expired.connect(messages.remove)
    board.arranger.maximise(panel.name)
    assert messages, "the message explains how to restore the board"
    board.escape()
    assert len(board.panels) == 4
    assert messages == [], "the message is cleared"


def test_other_panels_keep_state_while_one_is_maximized(make: Maker) -> None:
    run = FakeRun()
    board = make(run, FOUR)
    panels = board.panels
    series = [panel.plots[0].traces[0].series for panel in panels if isinstance(panel, TimeView)]
    board.arranger.maximise("omega")
    asked = run.reads
    board.show_frame(run.frame(5.0))
    process_events()
    assert run.reads == asked
    board.arranger.arrangement.maximise(None)
    process_events()
    assert board.panels == panels
    assert [panel.plots[0].traces[0].series for panel in panels if isinstance(panel, TimeView)] == series
    assert {plot.time for plot in strips(board)} == {5.0}  # and show the frame of now


def test_maximized_panel_hidden_in_next_run_frees_board(make: Maker) -> None:
    board = make(FakeRun(), FOUR)
    board.arranger.maximise("omega")
    board.show_panel("omega", False)
    assert names(board) == ["euler_parameters", "h", "drift"]
    assert board.arranger.maximised is None


# Stacked


def test_stacked_panels_share_space_and_only_front_is_drawn(make: Maker, qtbot: QtBot) -> None:
    run = FakeRun()
    board = make(run, FOUR)
    menu = panel_menu(board, board.panels[1])
    stack = menu.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly)
    onto = next(submenu for submenu in stack if submenu.title() == "Stack with panel")
    assert list(actions(onto)) == ["Euler parameters", "Angular momentum", "Drift"]
    actions(onto)["Drift"].trigger()
    process_events()
    assert names(board) == ["euler_parameters", "h", "omega"]
    tabs = heading(board, "omega")
    assert [name for name, _ in tabs.tabs] == ["drift", "omega"]
    hidden = panel_host_of(board, "drift").view
    assert isinstance(hidden, TimeView)
    paints = [plot.picture.draw_count for plot in hidden.plots]
    board.show_frame(run.frame(3.0))
    process_events()
    assert [plot.picture.draw_count for plot in hidden.plots] == paints
    assert {plot.time for plot in hidden.plots} == {0.0}
    click(board, qtbot, middle(board, tabs, tab(tabs, "drift")))
    assert names(board) == ["euler_parameters", "h", "drift"]
    assert {plot.time for plot in hidden.plots} == {3.0}
    assert near(picture(board), hidden.plots[0], board, hidden.plots[0].traces[0].color).size > 100
    actions(panel_menu(board, hidden))["Unstack panel"].trigger()
    assert sorted(names(board)) == sorted(panel_class.name for panel_class in FOUR)
    assert heading(board, "drift").tabs == ()


def test_stack_with_third_party_panel_has_tabs(make: Maker, qtbot: QtBot) -> None:
    run = FakeRun()
    board = make(run, [Foreign, Omega, Drift])
    board.arranger.arrangement.stack_onto("foreign", "omega")
    process_events()
    assert names(board) == ["foreign", "drift"]
    head = heading(board, "foreign")
    picture(board)
    assert head.isVisible()
    assert head.geometry().top() == 0
    click(board, qtbot, middle(board, head, tab(head, "omega")))
    assert names(board) == ["omega", "drift"]
    assert not head.isVisible()


# Moved


def test_panels_move_by_menu_and_title_drag(make: Maker, qtbot: QtBot) -> None:
    board = make(FakeRun(), FOUR)
    menu = actions(panel_menu(board, board.panels[0]))
    assert {text for text in menu if text.startswith("Move")} == {"Move down", "Move to the other column"}
    menu["Move down"].trigger()
    process_events()
    assert names(board) == ["h", "omega", "euler_parameters", "drift"]
    view = board.windowHandle()
    start, goal = middle(board, heading(board, "h")), middle(board, heading(board, "drift"))
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(view, goal)
    (mark,) = board.findChildren(QRubberBand)
    assert mark.isVisible()
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=goal)
    process_events()
    assert not mark.isVisible()
    assert names(board) == ["drift", "omega", "euler_parameters", "h"]
    assert box(board, "drift").x() < box(board, "omega").x()


# Detached


def test_detached_panel_is_drawn_in_window_and_docks_on_close(make: Maker, qtbot: QtBot) -> None:
    run = FakeRun()
    board = make(run, FOUR)
    before = names(board)
    actions(panel_menu(board, board.panels[1]))["Open in new window"].trigger()
    process_events()
    window = board.arranger.windows["omega"]
    assert window.isVisible()
    assert window.windowTitle() == "Angular velocity"
    assert pixels_of_color(image_of(window), QColor(DARK.lanes[0])) > 50
    slot = panel_host_of(board, "omega")
    assert slot.window() is window
    flushes = FlushCounter(window)
    board.show_frame(run.frame(9.0))
    process_events()
    assert flushes.count == 1
    panel = panel_host_of(board, "omega").view
    assert isinstance(panel, TimeView)
    assert panel.plots[0].time == 9.0
    set_own_theme(board, LIGHT)
    process_events()
    assert image_of(window).pixelColor(2, 2) == QColor(LIGHT.surface)
    window.close()
    process_events()
    assert names(board) == before
    assert slot.window() is board
    assert not board.arranger.windows
    assert near(picture(board), panel.plots[0], board, QColor(LIGHT.lanes[0])).size > 100


def test_detached_window_opens_with_reachable_title(make: Maker) -> None:
    board = make(FakeRun(), FOUR)
    board.move(200, -600)
    window = detached_window(board, "omega")
    screen = window.screen().availableGeometry()
    for where in (None, (-300, -200, 700, 400), (40, 40, 700, 5000), (screen.right() - 50, 0, 700, 400)):
        window.set_window_box(where, 40.0)
        assert screen.marginsRemoved(WINDOW_FRAME_MARGINS).contains(window.geometry()), where
    window.set_window_box((100, 120, 700, 400), 4.0)
    assert window.window_box == (100, 120, 700, 400), "a window with room keeps its position"


def test_board_and_detached_window_share_cursor_zoom_and_options(make: Maker, qtbot: QtBot) -> None:
    board = make(FakeRun(), FOUR)
    window = detached_window(board, "omega")
    panel = panel_host_of(board, "omega").view
    assert isinstance(panel, TimeView)
    plot: StripPlot = panel.plots[0]
    view = window.windowHandle()
    values: list[float] = []
    board.seek_requested.connect(values.append)
    at = point_on_board(window, plot, plot.x_of(12.0), plot.area.center().y())
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=at)
    assert values[0] == pytest.approx(12.0, abs=plot.axis.span / plot.area.width())
    wheel = QWheelEvent(
        QPointF(at), view.mapToGlobal(QPointF(at)), QPoint(), QPoint(0, 480), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view, wheel)
    assert strips(board)[0].axis.span == plot.axis.span < 30.0
    board.store.update(difference=True)
    process_events()
    assert len(panel.plots[0].traces) == 1


def test_failing_detached_panel_shows_error_in_window(make: Maker) -> None:
    run = FakeRun()
    board = make(run, [ForeignStrips, Omega])
    window = detached_window(board, "foreign_strips")
    messages: list[str] = []
    board.problem_reported.connect(messages.append)
    panel = panel_host_of(board, "foreign_strips").view
    assert isinstance(panel, TimeView)
    panel.plots[0].header.texts = lambda *_: [][0]  # type: ignore[method-assign]
    board.show_frame(run.frame(1.0))
    process_events()
    process_events()
    assert "IndexError" in messages[0]
    assert pixels_of_color(image_of(window), QColor(DARK.danger)) > 20
    assert names(board) == ["omega"]
    panel_host_of(board, "foreign_strips").menu_requested.emit(QPoint(10, 10))
    assert "Dock the panel" in actions(failed_panel_menu(board, "foreign_strips"))


def test_third_party_panels_detach_and_dock(make: Maker) -> None:
    run = FakeRun()
    board = make(run, [Foreign, Omega])
    window = detached_window(board, "foreign")
    board.show_frame(run.frame(2.0))
    process_events()
    assert pixels_of_color(image_of(window), QColor("#ff00ff")) > 1000
    board.arranger.arrangement.dock("foreign")
    process_events()
    board.show_frame(run.frame(3.0))
    process_events()
    assert pixels_of_color(picture(board), QColor("#ff00ff")) > 1000


def test_detached_windows_close_with_board_and_hide_with_panel(make: Maker) -> None:
    board = make(FakeRun(), FOUR)
    window = detached_window(board, "omega")
    board.show_panel("omega", False)
    process_events()
    assert not board.arranger.windows
    board.show_panel("omega", True)
    process_events()
    window = board.arranger.windows["omega"]
    assert window.isVisible()
    board.shutdown()
    assert not window.isVisible()


def test_detached_panel_docks_when_stacked(make: Maker) -> None:
    board = make(FakeRun(), FOUR)
    detached_window(board, "omega")
    board.arranger.arrangement.stack_onto("omega", "drift")
    process_events()
    assert not board.arranger.windows
    assert names(board) == ["euler_parameters", "h", "omega"]


# Remembered


def test_order_stacks_and_windows_are_restored_but_not_maximization(make: Maker) -> None:
    run = FakeRun()
    board = make(run, [*FOUR, EulerAnglesPanel])
    board.arranger.arrangement.stack_onto("omega", "drift")
    board.arranger.arrangement.swap("euler_parameters", "h")
    detached_window(board, "euler_angles").setGeometry(60, 70, 500, 400)
    process_events()
    box_before = board.arranger.windows["euler_angles"].window_box
    board.arranger.maximise("h")
    layout = board.store.state.layout
    other = make(run, [*FOUR, EulerAnglesPanel, Cost])
    other.show_panel("cost", True)
    other.arranger.arrangement.restore(layout)
    process_events()
    assert names(other) == ["h", "euler_parameters", "omega", "cost", "euler_angles"]
    assert other.arranger.arrangement.panels_sharing_tab_group("omega") == ("drift", "omega")
    assert other.arranger.windows["euler_angles"].window_box == box_before
    other.arranger.arrangement.reset()
    process_events()
    assert not other.arranger.windows
    assert names(other) == ["euler_parameters", "euler_angles", "omega", "h", "drift", "cost"]


DAMAGED = {
    "blocks": [["omega", 7], []],
    "fronts": [],
    "floating": {"x": "y", "omega": [1, 2], "h": ["a", 1, 1, 1]},
}
STRANGE = {"blocks": [["omega", "omega", "x"], []], "fronts": ["x"], "floating": {"x": []}}


@pytest.mark.parametrize("table", [{}, {"blocks": 3}, {"block": []}, DAMAGED, STRANGE])
def test_damaged_layout_is_discarded(make: Maker, table: dict) -> None:
    board = make(FakeRun(), FOUR)
    board.arranger.arrangement.restore(PanelLayout.from_damaged_table(table)[0])
    process_events()
    assert sorted(names(board)) == sorted(panel_class.name for panel_class in FOUR)


def test_titles_are_elided_where_tabs_lack_room(make: Maker) -> None:
    board = make(FakeRun(), [*FOUR, EulerAnglesPanel])
    for name in ("omega", "h", "drift", "euler_angles"):
        board.arranger.arrangement.stack_onto(name, "euler_parameters")
    board.resize(320, 600)
    process_events()
    picture(board)
    row = heading(board, "euler_angles")
    tabs = {row.tab_at(x): x for x in range(3 * row.width())}
    assert {name for name, _ in row.tabs} < tabs.keys()
    assert max(x for name, x in tabs.items() if name) <= row.width() + 16
    set_own_theme(board, LIGHT)
    process_events()
    assert heading(board, "euler_angles").tabs == row.tabs


@pytest.mark.parametrize(("theme", "width", "columns"), [(DARK, 780, 2), (DARK, 420, 1), (PROJECTOR, 560, 1)])
def test_narrow_board_has_one_column(make: Maker, theme: Theme, width: int, columns: int) -> None:
    board = make(FakeRun())
    set_own_theme(board, theme)
    board.resize(width, 950)
    process_events()
    lefts = {rect_on_board(board, slot).left() for slot in board.findChildren(PanelHost) if slot.isVisible()}
    assert len(lefts) == columns
    ways = board.arranger.swap_targets(board.arranger.drawn_panels[0])
    assert ("to the other column" in ways) == (columns == 2)
    if columns == 1:
        heights = [
            plot.size().height() / plot.plot_style.min_height(plot.plot.weight) for plot in strips(board)
        ]
        assert min(heights) > 1.2, "strips above the minimum height where the board scrolls"
    board.resize(900, 950)
    process_events()
    assert "to the other column" in board.arranger.swap_targets(board.arranger.drawn_panels[0])
