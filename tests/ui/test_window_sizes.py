"""A window opens within the screen."""

import pytest
from PySide6.QtCore import QEvent, QRect, QSize
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

import quatviz as qv
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.view_state.theme import THEMES
from quatviz.ui.start.page import StartPage
from quatviz.ui.widgets.labels import label
from quatviz.ui.widgets.layouts import column, make_splitter
from quatviz.ui.widgets.windows import Dialog, fit_size, set_initial_size
from quatviz.ui.window.actions import ACTIONS
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
def test_window_size_fits_available_screen(room: tuple[int, int], size: tuple[int, int]) -> None:
    assert fit_size(QSize(1600, 900), QSize(*room)) == QSize(*size)


class _Screen:
    def availableGeometry(self) -> QRect:
        return QRect(0, 0, 1366, 768)


def test_window_opens_within_small_screen(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QWidget, "screen", lambda self: _Screen())
    window = MainWindow(Document(State.default_for(qv.load_preset("torque_free"))), ACTIONS)
    qtbot.addWidget(window)
    assert (window.width(), window.height()) == (1350, 720)
    window.shutdown()


def test_window_fits_small_screen_at_150_percent(qtbot: QtBot) -> None:
    window = MainWindow(Document(State.default_for(qv.load_preset("six_lambdas"))), ACTIONS)
    page = StartPage(window.action_registry)
    qtbot.addWidget(window)
    qtbot.addWidget(page)
    for theme in THEMES.values():
        window.theme_switch.show(theme)
        page.follow_theme()
        qtbot.waitUntil(lambda: window.minimumSizeHint().width() <= 1280 / 1.5)
        qtbot.waitUntil(lambda: page.minimumSizeHint().width() <= 1280 / 1.5)
    page.resize(1280, 720)
    page.show()
    assert page.search.width() == page.search.maximumWidth(), "the search field shrinks only where necessary"
    window.shutdown()


def test_dialog_height_fits_text_at_actual_width(qtbot: QtBot) -> None:
    dialog = Dialog("", None, keep_on_close=True)
    qtbot.addWidget(dialog)
    dialog.setLayout(column(label("", "words that wrap " * 40)))
    dialog.resize(120, 40)
    QApplication.sendEvent(dialog, QEvent(QEvent.Type.LayoutRequest))
    dialog.resize(600, 40)
    with qtbot.waitExposed(dialog):
        dialog.show()
    needed = dialog.layout().totalMinimumHeightForWidth(600)  # type: ignore[union-attr]
    assert dialog.minimumHeight() == needed
    assert dialog.height() <= needed + 8
    dialog.resize(300, 40)
    qtbot.waitUntil(lambda: dialog.height() > needed + 8)


@pytest.mark.parametrize("main", [False, True])
def test_tall_dialogs_scroll_above_their_buttons(qtbot: QtBot, main: bool) -> None:
    window = QMainWindow() if main else QWidget()
    qtbot.addWidget(window)
    left, right = QLabel("left"), QLabel("right")
    left.setMinimumSize(1500, 3000)
    right.setMinimumSize(1500, 10)
    parts, button = make_splitter((left, 1500), (right, 1500), stretch_index=1), QPushButton("Close")
    if isinstance(window, QMainWindow):
        window.setCentralWidget(parts)
    else:
        window.setLayout(column((parts, 1), button))
    set_initial_size(window, 1200, 700)
    window.show()
    qtbot.waitExposed(window)
    room = window.screen().availableGeometry()
    assert window.width() <= room.width()
    assert window.height() <= room.height()
    area = window.findChild(QScrollArea)
    assert isinstance(area, QScrollArea)
    assert area.isAncestorOf(left)
    assert left.height() >= 3000, "and can be reached"
    if not main:
        assert button.mapTo(window, button.rect().bottomLeft()).y() < window.height(), "always visible"
