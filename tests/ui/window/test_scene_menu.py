"""Menu choices of the 3D view, and which of them are remembered."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow, QMenu
from pytestqt.qtbot import QtBot
from window_steps import editing, pause_at, restore_settings  # noqa: F401 (a fixture)

from quatviz.app import WindowController
from quatviz.display.scene.items import ITEMS
from quatviz.display.view_state.choices import SEQUENCE_CHOICE
from quatviz.display.view_state.view_layout import ViewLayout
from quatviz.ui.window.settings import Settings


@pytest.fixture(autouse=True)
def default_items(editing: WindowController) -> Iterator[None]:
    """Restore the item defaults, because the window remembers them for the next test."""
    yield
    for name, item in editing.window.scene.stage.items.items():
        editing.window.views.set_item_visible(name, item.visible_by_default)
    editing.window.views.set_view_layout(ViewLayout())


def _menu(window: QMainWindow, title: str) -> QMenu:
    return next(
        menu for menu in window.menuBar().findChildren(QMenu) if menu.title().replace("&", "") == title
    )


def test_gimbals_follow_the_sequence_of_the_board(editing: WindowController, qtbot: QtBot) -> None:
    window = editing.window
    window.views.set_item_visible("gimbals", True)
    pause_at(editing, qtbot, 2.0)
    assert window.scene.stage.legend_lines["gimbals"][0].startswith("gimbals 3-2-1: det S = ")
    window.board.choices.choose(SEQUENCE_CHOICE, "313")
    assert window.scene.stage.legend_lines["gimbals"][0].startswith("gimbals 3-1-3: det S = ")


def test_items_are_in_the_view_menu_and_remembered(editing: WindowController) -> None:
    window = editing.window
    view, items = (_menu(window, title) for title in ("View", "Show in 3D"))
    assert items.menuAction() in view.actions()
    items.aboutToShow.emit()
    titles = {item.title: name for name, item in ITEMS.items()}
    assert {action.text() for action in items.actions()} == set(titles)
    for action in items.actions():
        if titles[action.text()] in ("poinsot", "trail"):
            action.trigger()
    assert (window.scene.stage.is_visible("poinsot"), window.scene.stage.is_visible("trail")) == (True, False)
    editing.settings.save(window)
    for name in ("poinsot", "trail"):
        window.views.set_item_visible(name, name == "trail")
    restore_settings(Settings(), window)
    assert [window.scene.stage.item_visibility[name] for name in ("poinsot", "trail")] == [True, False]


def test_keys_set_the_camera_direction(editing: WindowController, qtbot: QtBot) -> None:
    window = editing.window
    pause_at(editing, qtbot, 2.0)
    QTest.keyClick(window, Qt.Key.Key_1)
    assert window.scene.camera.back.tolist() == [1.0, 0.0, 0.0]
    QTest.keyClick(window, Qt.Key.Key_B)
    assert window.scene.from_body


def test_right_click_opens_the_view_menu_and_a_drag_does_not(
    editing: WindowController, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[list[str]] = []
    monkeypatch.setattr(
        "quatviz.ui.scene.view_grid.show_menu",
        lambda menu, at: opened.append([action.text() for action in menu.actions()]),
    )
    view, right = editing.window.scene, Qt.MouseButton.RightButton
    middle = view.rect().center()
    QTest.mouseClick(view, right, pos=middle)
    assert len(opened) == 1
    assert "Views" in opened[0]
    QTest.mousePress(view, right, pos=middle)
    QTest.mouseMove(view, middle + QPoint(40, 10))
    QTest.mouseRelease(view, right, pos=middle + QPoint(40, 10))
    assert len(opened) == 1
