"""The focused widget stays in place while something above it appears or disappears."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from action_stubs import actions_for
from fake_run import FakeRun
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QTimer
from PySide6.QtWidgets import QLabel, QLineEdit, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from qt_events import wait_laid_out
from shiboken6 import delete

import quatviz as qv
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.ui.sidebar.lane_list import LaneRow
from quatviz.ui.widgets.scrolling import make_scroll_area, preserve_scroll_position


def column(qtbot: QtBot) -> tuple[QScrollArea, QLabel, QLineEdit]:
    """Return a scroll area with a label that may grow above a focused field, and far more below."""
    layout, word, field, below = QVBoxLayout(), QLabel("short"), QLineEdit(), QLabel("below")
    word.setWordWrap(True)
    below.setMinimumHeight(2000)
    for widget in (word, field, below):
        layout.addWidget(widget)
    area = make_scroll_area(layout)
    qtbot.addWidget(area)
    area.resize(300, 400)
    area.show()
    qtbot.waitExposed(area)
    area.activateWindow()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    return area, word, field


def test_focused_field_stays_in_place_while_label_grows(qtbot: QtBot) -> None:
    area, word, field = column(qtbot)
    before, known = field.mapTo(area.viewport(), QPoint()), field.dynamicPropertyNames()
    preserve_scroll_position(word)
    assert field.dynamicPropertyNames() == known, "no event filter is left on the field"
    word.setText("much longer " * 60)
    wait_laid_out(area, qtbot)
    assert area.verticalScrollBar().value() > 0
    assert field.mapTo(area.viewport(), QPoint()) == before


def test_reparented_field_is_released(qtbot: QtBot, qtlog: pytest.LogCaptureFixture) -> None:
    """A start page or another form may replace it before the layout is complete."""
    area, word, field = column(qtbot)
    elsewhere = QWidget()
    qtbot.addWidget(elsewhere)
    preserve_scroll_position(word)
    field.setParent(elsewhere)
    wait_laid_out(area, qtbot)
    assert [record.message for record in qtlog.records] == []
    assert area.verticalScrollBar().value() == 0


def test_field_is_released_when_its_scroll_area_is_deleted(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The field may move to another form before the area is deleted. The callback is called directly, because Qt hides errors of
    timers."""
    later: list[Callable[[], None]] = []
    area, word, field = column(qtbot)
    elsewhere = QWidget()
    qtbot.addWidget(elsewhere)
    monkeypatch.setattr(QTimer, "singleShot", lambda _time, _context, do: later.append(do))
    preserve_scroll_position(word)
    monkeypatch.undo()
    field.setParent(elsewhere)
    delete(area)
    del area
    (scroll,) = later
    scroll()


def test_middle_of_view_stays_in_place_without_focus(qtbot: QtBot) -> None:
    """For example after a drag, which releases the focus, and undo by keys."""
    area, word, field = column(qtbot)
    field.clearFocus()
    below = area.findChildren(QLabel)[1]
    for scrolled in (0, 300):
        word.setText("short")
        wait_laid_out(area, qtbot)
        area.verticalScrollBar().setValue(scrolled)
        before = below.mapTo(area.viewport(), QPoint()).y()
        preserve_scroll_position(word)
        word.setText("much longer " * 60)
        wait_laid_out(area, qtbot)
        assert (below.mapTo(area.viewport(), QPoint()).y() == before) == bool(scrolled)
    assert area.verticalScrollBar().value() > 300


def test_field_stays_in_place_while_lane_message_toggles(qtbot: QtBot) -> None:
    """Editing that field makes the lane end and continue."""
    area, word, field = column(qtbot)
    inside = word.parentWidget()
    assert inside is not None
    room = inside.layout()
    document = Document(State.default_for(qv.load_preset("torque_free")))
    row, lane = LaneRow(document, actions_for(), 0), FakeRun().frame(0.0).lanes[0]
    assert isinstance(room, QVBoxLayout)
    row.show_lane(lane)
    room.insertWidget(1, row)
    wait_laid_out(area, qtbot)
    before = field.mapTo(area.viewport(), QPoint())
    for message in ("ended at t = 4 s " * 20, ""):
        row.show_lane(replace(lane, message=message, status="singular" if message else "ok"))
        wait_laid_out(area, qtbot)
        assert (area.verticalScrollBar().value() > 0) == bool(message)
        assert field.mapTo(area.viewport(), QPoint()) == before
    document.close()


def test_field_stays_in_place_while_two_labels_grow(qtbot: QtBot) -> None:
    """The second one grows while the first is being laid out and has already moved the field."""
    area, word, field = column(qtbot)
    before = field.mapTo(area.viewport(), QPoint())
    preserve_scroll_position(word)
    word.setText("much longer " * 60)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
    assert field.mapTo(area.viewport(), QPoint()) != before
    preserve_scroll_position(word)
    word.setText("much longer " * 90)
    wait_laid_out(area, qtbot)
    assert field.mapTo(area.viewport(), QPoint()) == before


def test_repeated_calls_share_one_series_of_layout_passes(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each lane of a new run calls it, and each pass lays out the whole window."""
    area, word, field = column(qtbot)
    before, later = field.mapTo(area.viewport(), QPoint()), list[Callable[[], None]]()
    monkeypatch.setattr(QTimer, "singleShot", lambda _time, _context, do: later.append(do))
    pass_counts = []
    for calls in (1, 50):
        for _ in range(calls):
            preserve_scroll_position(word)
        word.setText("much longer " * (30 + calls))
        passes = 0
        while later:
            later.pop(0)()
            passes += 1
        pass_counts.append(passes)
        assert field.mapTo(area.viewport(), QPoint()) == before
    assert pass_counts[0] == pass_counts[1]
