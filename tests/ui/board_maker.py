"""What the tests of the board share."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from action_stubs import acts_on, host_of
from fake_run import FakeRun
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from quatviz.display.panels.base import Panel
from quatviz.ui.plots.board import PlotBoard
from quatviz.ui.plots.panel_layout import Slot

Maker = Callable[..., PlotBoard]


@pytest.fixture
def make(qtbot: QtBot) -> Iterator[Maker]:
    """Boards of 780 by 950 pixels on the screen, shut down afterwards."""
    boards = []

    def board(run: FakeRun, kinds: list[type[Panel]] | None = None) -> PlotBoard:
        host = host_of()
        one = host.board = PlotBoard(acts_on(host), kinds=kinds)
        qtbot.addWidget(one)
        one.resize(780, 950)
        with qtbot.waitExposed(one):
            one.show()
        one.start(run)
        one.show_frame(run.frame(0.0))
        settle()
        boards.append(one)
        return one

    yield board
    for one in boards:
        one.shutdown()


def place(board: QWidget, item: QWidget, *at: Any) -> QPoint:
    """Where on the board a point of an item is, (x, y) or a QPointF."""
    point: QPointF = at[0] if len(at) == 1 else QPointF(*at)
    return item.mapTo(board, QPointF(point)).toPoint()


def box_of(board: QWidget, item: QWidget) -> QRect:
    """Where on the board an item is."""
    return QRect(item.mapTo(board, QPoint(0, 0)), item.size())


class Flushes(QObject):
    """Counts how often a window is asked to bring what has changed to the screen."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.count = 0
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.UpdateRequest
        return False


def settle() -> None:
    for _ in range(3):
        QApplication.processEvents()


def slot_of(board: PlotBoard, name: str) -> Slot:
    """Where a panel stands on the board."""
    return next(slot for slot in board.findChildren(Slot) if slot.kind.name == name)
