"""A refusal appears beside its field, and Tab reaches it."""

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from quatviz.ui.widgets.callouts import Callout


def test_tab_skips_popup_list_of_combo_box(qtbot: QtBot, qtlog: pytest.LogCaptureFixture) -> None:
    window, field, choice = QWidget(), QWidget(), QComboBox()
    qtbot.addWidget(window)
    QVBoxLayout(window).addWidget(field)
    QVBoxLayout(field).addWidget(choice)
    choice.addItems(["one", "two"])
    window.resize(400, 300)
    window.show()
    qtbot.waitExposed(window)
    choice.showPopup()
    choice.hidePopup()
    callout = Callout(field)
    callout.show_message("This cannot be", "errors#presets")
    assert [record.message for record in qtlog.records] == []
    following = choice.nextInFocusChain()
    assert following is not None
    assert callout.isAncestorOf(following)


def test_callouts_of_two_fields_do_not_overlap(qtbot: QtBot) -> None:
    window, fields = QWidget(), [QWidget(), QWidget()]
    qtbot.addWidget(window)
    window.resize(700, 400)
    for number, field in enumerate(fields):
        field.setParent(window)
        field.setGeometry(10, 10 + 30 * number, 100, 24)
    window.show()
    qtbot.waitExposed(window)
    callouts = [Callout(field) for field in fields]
    for callout in callouts:
        callout.show_message(
            "This cannot be, for reasons that take a line or two of words to be told.\nTry another one."
        )
    first, second = callouts
    assert first.isVisible()
    assert second.isVisible()
    assert not first.geometry().intersects(second.geometry())
    assert window.rect().contains(second.geometry())


def test_callouts_of_removed_fields_are_harmless(qtbot: QtBot) -> None:
    """A form is rebuilt while the column around it moves."""
    window, room, field = QWidget(), QWidget(), QWidget()
    qtbot.addWidget(window)
    room.setParent(window)
    field.setParent(room)
    window.show()
    qtbot.waitExposed(window)
    callout = Callout(field)
    callout.show_message("This cannot be")
    delete(field)
    assert not callout.eventFilter(room, QEvent(QEvent.Type.Hide))
    callout.update_tab_order()


def test_empty_callout_is_not_a_window(qtbot: QtBot) -> None:
    field = QWidget()
    qtbot.addWidget(field)
    callout = Callout(field)
    assert not callout.isWindow()
    assert callout.window() is field
