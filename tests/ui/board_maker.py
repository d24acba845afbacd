"""What the tests of the board share."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from fake_run import FakeRun
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from quatviz.ui.board import PlotBoard
from quatviz.ui.panels.base import Panel
from quatviz.ui.theme import DARK

Maker = Callable[..., PlotBoard]


@pytest.fixture
def make(qtbot: QtBot) -> Iterator[Maker]:
    """Boards of 780 by 950 pixels on the screen, shut down afterwards."""
    boards = []

    def board(run: FakeRun, kinds: list[type[Panel]] | None = None) -> PlotBoard:
        one = PlotBoard(DARK, kinds=kinds)
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


def settle() -> None:
    for _ in range(3):
        QApplication.processEvents()
