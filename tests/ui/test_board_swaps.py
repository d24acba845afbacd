"""Beside an OpenGL view in the same window, a frame of everything is one buffer swap."""

from __future__ import annotations

from fake_run import FakeRun
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QApplication, QSplitter, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from quatviz.ui.board import PlotBoard
from quatviz.ui.theme import DARK
from quatviz.ui.timeline import TransportBar


def test_a_frame_of_board_and_transport_is_one_buffer_swap(qtbot: QtBot) -> None:
    run = FakeRun()
    window, splitter = QWidget(), QSplitter()
    qtbot.addWidget(window)
    view, board, bar = QOpenGLWidget(), PlotBoard(DARK), TransportBar(DARK)
    splitter.addWidget(view)
    splitter.addWidget(board)
    column = QVBoxLayout(window)
    column.addWidget(splitter, 1)
    column.addWidget(bar)
    window.resize(1200, 800)
    with qtbot.waitExposed(window):
        window.show()
    assert view.isValid()
    board.start(run)
    bar.start(run)

    def show(time: float) -> None:
        with qtbot.waitSignal(view.frameSwapped):
            for part in (board, bar):
                part.show_frame(run.frame(time))
            view.update()
        qtbot.wait(20)  # a second swap would come now

    show(0.0)
    swaps: list[None] = []
    view.frameSwapped.connect(lambda: swaps.append(None))
    for number in range(1, 11):
        show(number * 3.0)
    QApplication.processEvents()
    assert len(swaps) == 10
    board.shutdown()
