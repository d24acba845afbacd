"""What a person can do with the place of a panel: enlarge it, float it, stack it, move it, hide it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from quatviz.ui.tr import tr

if TYPE_CHECKING:
    from quatviz.ui.board import PlotBoard


def add_places(menu: QMenu, board: PlotBoard, name: str) -> None:
    """Offer what can be done with the place of the panel `name`."""
    arranger, titles = board.arranger, board.titles
    if arranger.floats(name):
        menu.addAction(tr("Put back on the board")).triggered.connect(lambda: arranger.dock(name))
    else:
        if arranger.maximised == name:
            menu.addAction(tr("Show all panels\tEsc")).triggered.connect(lambda: arranger.maximise(None))
        else:
            menu.addAction(tr("Maximise\tDouble-click")).triggered.connect(lambda: arranger.maximise(name))
        menu.addAction(tr("Float")).triggered.connect(lambda: arranger.float(name))
        _add_stacking(menu, board, name)
        ways = {} if arranger.maximised else arranger.neighbours(name)
        for words, other in ways.items():
            menu.addAction(tr("Move {words}", words=words)).triggered.connect(
                partial(_swap, board, name, other)
            )
    menu.addAction(tr("Hide {title}", title=titles[name])).triggered.connect(
        lambda: board.show_panel(name, False)
    )


def _add_stacking(menu: QMenu, board: PlotBoard, name: str) -> None:
    arranger, titles = board.arranger, board.titles
    together = arranger.together(name)
    others = [
        other
        for other in titles
        if other not in together and board.shows(other) and not arranger.floats(other)
    ]
    if others:
        stack = menu.addMenu(tr("Stack onto"))
        for other in others:
            stack.addAction(titles[other]).triggered.connect(partial(_stack, board, name, other))
    if len(together) > 1:
        menu.addAction(tr("Unstack")).triggered.connect(lambda: arranger.unstack(name))


def _stack(board: PlotBoard, name: str, onto: str, _checked: bool = False) -> None:
    board.arranger.stack(name, onto)


def _swap(board: PlotBoard, name: str, other: str, _checked: bool = False) -> None:
    board.arranger.swap(name, other)
