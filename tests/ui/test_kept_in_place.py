"""What has the focus stays under the hand while something above it comes or goes."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QTimer
from PySide6.QtWidgets import QLabel, QLineEdit, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from quatviz.ui.kit.widgets import keep_in_place, scrolling


def column(qtbot: QtBot) -> tuple[QScrollArea, QLabel, QLineEdit]:
    """A word that may be long above a field that has the focus, in an area with far more below."""
    layout, word, field, below = QVBoxLayout(), QLabel("short"), QLineEdit(), QLabel("below")
    word.setWordWrap(True)
    below.setMinimumHeight(2000)
    for one in (word, field, below):
        layout.addWidget(one)
    area = scrolling(layout)
    qtbot.addWidget(area)
    area.resize(300, 400)
    area.show()
    qtbot.waitExposed(area)
    area.activateWindow()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    return area, word, field


def test_a_field_stays_where_it_is_while_words_above_it_grow(qtbot: QtBot) -> None:
    area, word, field = column(qtbot)
    before = field.mapTo(area.viewport(), QPoint())
    keep_in_place()
    word.setText("much longer " * 60)
    qtbot.wait(100)
    assert area.verticalScrollBar().value() > 0
    assert field.mapTo(area.viewport(), QPoint()) == before


def test_a_field_that_is_taken_elsewhere_is_let_go(qtbot: QtBot, qtlog: pytest.LogCaptureFixture) -> None:
    """A start page or another form may take its place before all is laid out."""
    area, _, field = column(qtbot)
    elsewhere = QWidget()
    qtbot.addWidget(elsewhere)
    keep_in_place()
    field.setParent(elsewhere)
    qtbot.wait(100)
    assert [record.message for record in qtlog.records] == []
    assert area.verticalScrollBar().value() == 0


def test_a_field_whose_area_is_gone_is_let_go(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """What scrolls may be deleted where the field itself stays, in another form. Called here, for Qt tells nobody of what a timer
    raises."""
    later: list[Callable[[], None]] = []
    area, _, field = column(qtbot)
    elsewhere = QWidget()
    qtbot.addWidget(elsewhere)
    monkeypatch.setattr(QTimer, "singleShot", lambda _time, _context, do: later.append(do))
    keep_in_place()
    monkeypatch.undo()
    field.setParent(elsewhere)
    delete(area)
    del area
    (scroll,) = later
    scroll()
