"""What a person can do with the board: copy, compare, choose, show and hide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from quatviz.ui.panels.base import Panel
from quatviz.ui.place_menu import add_places
from quatviz.ui.plotting.choices import Choice
from quatviz.ui.plotting.chooser import add_options
from quatviz.ui.plotting.globe_panel import GlobePanel
from quatviz.ui.plotting.time_panel import TimePanel
from quatviz.ui.range_menu import add_axis, add_range
from quatviz.ui.tr import tr

if TYPE_CHECKING:
    from quatviz.ui.board import PlotBoard


def board_menu(board: PlotBoard) -> QMenu:
    """The menu of the button in the corner: panels first."""
    menu = QMenu(board)
    _add_panels(menu, board)
    menu.addSeparator()
    _add_comparison(menu, board)
    menu.addSeparator()
    add_axis(menu, board)
    add_range(menu, board)
    menu.addSeparator()
    _add_copy_all(menu, board)
    _add_export(menu, board, None)
    menu.addAction(tr("Arrange anew")).triggered.connect(board.arranger.reset)
    return menu


def panel_menu(board: PlotBoard, panel: Panel) -> QMenu:
    """The menu of one panel, at a right click."""
    menu = QMenu(board)
    menu.addAction(tr("Copy values at cursor")).triggered.connect(lambda: board.copy_values(panel))
    _add_copy_all(menu, board)
    _add_export(menu, board, panel)
    menu.addSeparator()
    for choice in _offered(panel):
        add_options(menu.addMenu(tr(choice.title)), choice, board.choices)
    _add_comparison(menu, board)
    menu.addSeparator()
    add_axis(menu.addMenu(tr("Time axis")), board)
    add_range(menu, board)
    menu.addSeparator()
    add_places(menu, board, panel.name)
    _add_panels(menu.addMenu(tr("Panels")), board)
    return menu


def place_menu(board: PlotBoard, name: str) -> QMenu:
    """The menu of a panel that does not work."""
    menu = QMenu(board)
    add_places(menu, board, name)
    _add_panels(menu.addMenu(tr("Panels")), board)
    return menu


def _add_copy_all(menu: QMenu, board: PlotBoard) -> None:
    menu.addAction(tr("Copy values of all panels\tCtrl+C")).triggered.connect(lambda: board.copy_values())


def _add_export(menu: QMenu, board: PlotBoard, panel: Panel | None) -> None:
    if board.exporter is not None:
        board.exporter.add_to(menu, panel)


def _add_panels(menu: QMenu, board: PlotBoard) -> None:
    for name, title in board.titles.items():
        action = menu.addAction(title)
        action.setCheckable(True)
        action.setChecked(board.shows(name))
        action.triggered.connect(lambda on, name=name: board.show_panel(name, on))


def _add_comparison(menu: QMenu, board: PlotBoard) -> None:
    action = menu.addAction(tr("Difference of the lanes\tD"))
    action.setCheckable(True)
    action.setChecked(board.difference)
    action.triggered.connect(board.set_difference)
    lanes = menu.addMenu(tr("Reference lane"))
    for lane in board.lanes:
        action = lanes.addAction(lane)
        action.setCheckable(True)
        action.setChecked(lane == board.choices.reference)
        action.triggered.connect(lambda _=False, lane=lane: board.set_reference(lane))


def _offered(panel: Panel) -> Sequence[Choice]:
    if isinstance(panel, TimePanel):
        return panel.offered
    return (panel.choice,) if isinstance(panel, GlobePanel) and panel.choice is not None else ()
