"""Focus in nested widgets, queried without side effects."""

import gc
from collections.abc import Callable

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint
from PySide6.QtWidgets import QComboBox, QLineEdit, QTextBrowser, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from quatviz.ui.widgets.focus import iter_descendants, next_tab_stop, visible_widget_at


def _window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    QVBoxLayout(window)
    window.resize(400, 300)
    window.show()
    return window


def _filled(window: QWidget) -> list[QWidget]:
    parts: list[QWidget] = [QComboBox(), QTextBrowser()]
    for part in parts:
        window.layout().addWidget(part)  # type: ignore[union-attr]
    QCoreApplication.processEvents()
    return parts


def _shells() -> int:
    gc.collect()
    return sum(isinstance(obj, QWidget) and not isValid(obj) for obj in gc.get_objects())


@pytest.mark.parametrize(
    "ask",
    [
        lambda window: list(iter_descendants(window)),
        lambda window: [visible_widget_at(window, QPoint(20, y)) for y in range(0, window.height(), 5)],
        lambda window: [next_tab_stop(window, on) for on in (True, False)],
    ],
)
def test_deleted_widgets_leave_no_wrapper(qtbot: QtBot, ask: Callable[[QWidget], object]) -> None:
    """Each wrapper held 300 bytes until the window was closed: seven hundred of them after five hundred user actions."""
    window = _window(qtbot)
    before = _shells()
    for _ in range(5):
        parts = _filled(window)
        ask(window)
        for part in parts:
            part.deleteLater()
        del part, parts
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert _shells() <= before


def test_parents_are_reported_before_their_children(qtbot: QtBot) -> None:
    window = _window(qtbot)
    parts = _filled(window)
    widgets = list(iter_descendants(window))
    assert sorted(map(id, widgets)) == sorted(map(id, window.findChildren(QWidget)))
    assert all(
        widgets.index(part) < widgets.index(inner) for part in parts for inner in iter_descendants(part)
    )


def test_innermost_widget_is_found(qtbot: QtBot) -> None:
    window = _window(qtbot)
    _, browser = _filled(window)
    assert isinstance(browser, QTextBrowser)
    inside = browser.viewport().mapTo(window, browser.viewport().rect().center())
    assert visible_widget_at(window, inside) is browser.viewport() is window.childAt(inside)
    browser.hide()
    assert visible_widget_at(window, inside) is None


def test_tab_order_is_followed_in_both_directions(qtbot: QtBot) -> None:
    window = _window(qtbot)
    fields = [QLineEdit(window) for _ in range(3)]
    for field in fields:
        field.show()
    assert next_tab_stop(fields[0]) is fields[1]
    assert next_tab_stop(fields[0], forward=False) is fields[2]
    fields[1].setEnabled(False)
    assert next_tab_stop(fields[0]) is fields[2] is next_tab_stop(fields[0], container=window)
    assert next_tab_stop(fields[0], container=fields[1]) is None
