"""A frame that updates all parts is flushed to the screen once."""

import pytest
from action_stubs import actions_for
from board_maker import FlushCounter
from fake_run import FakeRun
from PySide6.QtWidgets import QApplication, QSplitter, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from scene_maker import wait_until_stable

from quatviz.ui.plots.board import PlotBoard
from quatviz.ui.scene import scene_view
from quatviz.ui.scene.scene_view import SceneView
from quatviz.ui.transport.transport_bar import TransportBar


def test_view_board_and_transport_flush_once_per_frame(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    # A view at rest is drawn once more, antialiased; on a busy machine it rests between two frames of this test.
    monkeypatch.setattr(scene_view, "REST_DELAY_MS", 10**8)
    run = FakeRun()
    window, splitter = QWidget(), QSplitter()
    qtbot.addWidget(window)
    view, board, bar = (
        SceneView(),
        PlotBoard(actions_for()),
        TransportBar(actions_for(), lambda command: None),
    )
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
    flushes = FlushCounter(window)

    def show(time: float) -> None:
        with qtbot.waitSignal(view.painted):
            for part in parts:
                part.show_frame(run.frame(time))
        qtbot.wait(20)  # a second flush would come now

    show(0.0)
    wait_until_stable(lambda: flushes.count, qtbot)
    flushes.count = 0
    for number in range(1, 11):
        show(number * 3.0)
    QApplication.processEvents()
    assert flushes.count == 10
    view.shutdown()
    board.shutdown()
