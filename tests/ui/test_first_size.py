"""A window opens within the screen."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

import quatviz as qv
from quatviz.document.document import Document
from quatviz.document.state import State
from quatviz.ui.kit.widgets import fitting
from quatviz.ui.window.main_window import MainWindow


@pytest.mark.parametrize(
    ("room", "size"),
    [
        ((1920, 1080), (1600, 900)),
        ((1600, 900), (1600, 900)),
        ((1366, 768), (1350, 720)),
        ((1280, 800), (1264, 752)),
    ],
)
def test_a_size_is_kept_where_the_screen_has_room_for_it(
    room: tuple[int, int], size: tuple[int, int]
) -> None:
    assert fitting(QSize(1600, 900), QSize(*room)) == QSize(*size)


class _Screen:
    def availableGeometry(self) -> QRect:
        return QRect(0, 0, 1366, 768)


def test_the_window_opens_within_a_small_screen(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QWidget, "screen", lambda self: _Screen())
    window = MainWindow(Document(State.of(qv.load_preset("torque_free"))))
    qtbot.addWidget(window)
    assert (window.width(), window.height()) == (1350, 720)
    window.shut_down()
