"""The overview: the five main plots of any run, all visible, and the return to the layout before."""

import pytest
from board_maker import Maker, make, process_events  # noqa: F401 (a fixture)
from fake_run import FakeRun
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from quatviz.display.panels import PANELS
from quatviz.display.view_state.arrangement import PanelLayout
from quatviz.display.view_state.theme import PROJECTOR, THEMES
from quatviz.display.view_state.view_state import OVERVIEW_PANELS, ViewState, is_panel_shown, with_panel_shown
from quatviz.ui.plots.board import PlotBoard, board_menu
from quatviz.ui.plots.time_view import TimeView
from quatviz.ui.widgets.actions import add_toggle
from quatviz.ui.widgets.style import set_own_theme


def shown(board: PlotBoard) -> list[str]:
    return [panel.name for panel in board.panels]


def test_overview_shows_five_panels_and_toggles_back(make: Maker) -> None:
    board = make(FakeRun(), [PANELS[name] for name in sorted(PANELS)])
    layout = PanelLayout(blocks=(("drift", "energy"),), fronts=("energy",))
    board.store.update(panels={"*": False, "drift": True, "energy": True}, layout=layout)
    before = board.store.state
    assert shown(board) == ["energy"]
    board.action_registry["overview"].trigger()
    assert shown(board) == list(OVERVIEW_PANELS)
    assert board.overview_button.isChecked()
    board.overview_button.click()
    assert board.store.state == before
    assert shown(board) == ["energy"]
    assert not board.overview_button.isChecked()


def test_panel_shown_in_overview_is_added_to_its_five() -> None:
    state = ViewState(overview=True, panels={"drift": True})
    fields = with_panel_shown(state, "energy", True)
    names = [name for name in PANELS if is_panel_shown(ViewState(**fields), name, True)]
    assert set(names) == {*OVERVIEW_PANELS, "energy"}


def test_moving_panels_in_overview_keeps_its_panels(make: Maker) -> None:
    board = make(FakeRun(), [PANELS[name] for name in sorted(PANELS)])
    board.store.update(overview=True)
    board.arranger.arrangement.swap("omega", "h")
    assert not board.store.state.overview
    assert shown(board) == ["euler_angles", "euler_parameters", "h", "omega", "multiplier"]


@pytest.mark.parametrize("theme", [*THEMES.values()], ids=lambda theme: theme.name)
@pytest.mark.parametrize("size", [(585, 573), (576, 620), (650, 690), (960, 850), (1000, 990)])
def test_overview_fits_without_scrolling(make: Maker, theme, size: tuple[int, int]) -> None:
    board = make(FakeRun(), [PANELS[name] for name in sorted(PANELS)])
    set_own_theme(board, theme)
    board.resize(*size)
    board.store.update(overview=True)
    process_events()
    board.arranger.update_layout()
    process_events()
    assert board.scroll_bar.maximum() == 0
    for panel in board.panels:
        assert isinstance(panel, TimeView)
        for plot in panel.plots:
            assert plot.area.height() >= 1.5 * plot.plot_style.small_metrics.height()


def test_overview_fits_when_it_widens_the_board(make: Maker) -> None:
    """The window changes the widths of its parts at once, before Qt has updated the minimum heights of the panels."""
    board = make(FakeRun(), [PANELS[name] for name in sorted(PANELS)])
    set_own_theme(board, PROJECTOR)
    board.resize(465, 573)
    board.store.update(panels={"*": False, "euler_angles": True, "multiplier": True})
    process_events()
    board.store.update(overview=True)
    board.resize(585, 573)
    process_events()
    assert board.scroll_bar.maximum() == 0


def test_numbers_stand_above_curves_where_space_allows(make: Maker) -> None:
    board = make(FakeRun(), [PANELS[name] for name in sorted(PANELS)])
    set_own_theme(board, PROJECTOR)
    board.store.update(overview=True)
    for size, compact in (((576, 620), True), ((1000, 1200), False)):
        board.resize(*size)
        process_events()
        board.arranger.update_layout()
        plots = [plot for panel in board.panels if isinstance(panel, TimeView) for plot in panel.plots]
        assert {plot.is_compact for plot in plots} == {compact}


def test_menu_stays_open_while_panels_are_toggled(make: Maker) -> None:
    board = make(FakeRun(), [PANELS[name] for name in sorted(PANELS)])
    menu = board_menu(board)
    titles = {action.text(): action for action in menu.actions()}
    menu.popup(board.mapToGlobal(QPoint(0, 0)))
    for name in ("drift", "energy"):
        action = titles[PANELS[name].title]
        before = board.is_shown(name)
        QTest.mouseClick(
            menu,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
            menu.actionGeometry(action).center(),
        )
        assert board.is_shown(name) is not before
        assert menu.isVisible()
    menu.close()


def test_menu_stays_open_after_space_key(make: Maker) -> None:
    board = make(FakeRun(), [PANELS["drift"]])
    menu = QMenu(board)
    states: list[bool] = []
    add_toggle(menu, "a", False, states.append, keeps_open=True)
    add_toggle(menu, "b", False, states.append)
    menu.popup(board.mapToGlobal(QPoint(0, 0)))
    menu.setActiveAction(menu.actions()[0])
    QTest.keyClick(menu, Qt.Key.Key_Space)
    assert (states, menu.isVisible()) == ([True], True)
    menu.setActiveAction(menu.actions()[1])
    QTest.keyClick(menu, Qt.Key.Key_Return)
    assert (states, menu.isVisible()) == ([True, True], False)
