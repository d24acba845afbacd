"""A frame of everything that moves is one flush of the window to the screen."""

from __future__ import annotations

from fake_run import FakeRun
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QGraphicsRectItem, QSplitter, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from quatviz.ui.board import PlotBoard
from quatviz.ui.scene.view import SceneView
from quatviz.ui.theme import DARK
from quatviz.ui.timeline import TransportBar


class _Flushes(QObject):
    """Counts how often a window is asked to bring what has changed to the screen."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.UpdateRequest
        return False


def test_a_frame_of_view_board_and_transport_is_one_flush(qtbot: QtBot) -> None:
    run = FakeRun()
    window, splitter = QWidget(), QSplitter()
    qtbot.addWidget(window)
    view, board, bar = SceneView(DARK), PlotBoard(DARK), TransportBar(DARK)
    splitter.addWidget(view)
    splitter.addWidget(board)
    column = QVBoxLayout(window)
    column.addWidget(splitter, 1)
    column.addWidget(bar)
    window.resize(1200, 800)
    with qtbot.waitExposed(window):
        window.show()
    parts = (view, board, bar)
    for part in parts:
        part.start(run)
    flushes = _Flushes()
    window.installEventFilter(flushes)

    def show(time: float) -> None:
        with qtbot.waitSignal(view.painted):
            for part in parts:
                part.show_frame(run.frame(time))
        qtbot.wait(20)  # a second flush would come now

    show(0.0)
    flushes.count = 0
    for number in range(1, 11):
        show(number * 3.0)
    QApplication.processEvents()
    assert flushes.count == 10
    view.shutdown()
    board.shutdown()


def test_what_comes_into_sight_is_painted(qtbot: QtBot) -> None:
    """From beyond the edge of the view, where a layout puts panels for a moment."""
    board = PlotBoard(DARK)
    qtbot.addWidget(board)
    board.resize(400, 300)
    with qtbot.waitExposed(board):
        board.show()
    item = QGraphicsRectItem(0.0, 0.0, 60.0, 60.0)
    item.setBrush(QColor("#ff0000"))
    item.setPos(40.0, 4000.0)
    board.view.scene().addItem(item)
    qtbot.wait(20)
    item.setPos(40.0, 5000.0)
    qtbot.wait(20)
    item.setPos(40.0, 100.0)
    qtbot.wait(20)
    assert board.view.grab().toImage().pixelColor(70, 130) == QColor("#ff0000")
    board.shutdown()
