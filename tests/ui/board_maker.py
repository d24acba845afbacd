"""Fixtures and helpers for the tests of the board."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from action_stubs import actions_on, make_host
from fake_run import FakeRun
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from quatviz.display.panels.base import Panel
from quatviz.ui.plots.board import PlotBoard
from quatviz.ui.plots.panel_layout import PanelHost

Maker = Callable[..., PlotBoard]


@pytest.fixture
def make(qtbot: QtBot) -> Iterator[Maker]:
    """Make boards of 780 by 950 pixels on the screen, and shut them down afterwards."""
    boards_made = []

    def board(run: FakeRun, panel_types: list[type[Panel]] | None = None) -> PlotBoard:
        host = make_host()
        new_board = host.board = PlotBoard(actions_on(host), panel_classes=panel_types)
        host.store, host.axis, host.choices = new_board.store, new_board.axis, new_board.choices
        qtbot.addWidget(new_board)
        new_board.resize(780, 950)
        with qtbot.waitExposed(new_board):
            new_board.show()
        new_board.start(run)
        new_board.show_frame(run.frame(0.0))
        process_events()
        boards_made.append(new_board)
        return new_board

    yield board
    for shown_board in boards_made:
        shown_board.shutdown()


def point_on_board(board: QWidget, item: QWidget, *at: Any) -> QPoint:
    """Return the position on the board of a point of an item, (x, y) or a QPointF."""
    point: QPointF = at[0] if len(at) == 1 else QPointF(*at)
    return item.mapTo(board, QPointF(point)).toPoint()


def rect_on_board(board: QWidget, item: QWidget) -> QRect:
    """Return the rectangle of an item on the board."""
    return QRect(item.mapTo(board, QPoint(0, 0)), item.size())


class FlushCounter(QObject):
    """Event filter that counts how often a window is flushed to the screen."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.count = 0
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.UpdateRequest
        return False


def process_events() -> None:
    for _ in range(3):
        QApplication.processEvents()


def panel_host_of(board: PlotBoard, name: str) -> PanelHost:
    """Return the host of a panel on the board."""
    return next(slot for slot in board.findChildren(PanelHost) if slot.panel_class.name == name)
