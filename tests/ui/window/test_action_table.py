"""The table of actions: shortcuts are defined once, and everything made from it agrees."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from window_steps import editing  # noqa: F401 (a fixture)

from quatviz.app import WindowController
from quatviz.base import resources
from quatviz.display.view_state.theme import THEMES
from quatviz.teaching.help.actions import Action, DynamicMenu, Menu, iterate_actions
from quatviz.ui.window.actions import ACTIONS
from quatviz.ui.window.main_window import MainWindow

PRODUCT = Path(__file__).resolve().parents[3] / "quatviz"
OTHER_WINDOWS = {"ui/tools/export/dialog.py"}
"""Windows with a shortcut of their own."""


def test_action_names_and_shortcuts_are_unique() -> None:
    acts = [act for _, act in iterate_actions(ACTIONS)]
    assert max(Counter(act.name for act in acts).values()) == 1
    assert max(Counter(key for act in acts for key in act.shortcuts).values()) == 1


def test_shortcuts_are_written_only_in_the_action_table() -> None:
    again = re.compile(r"\\t(?:Ctrl|Alt|Shift|F\d|Esc|[A-Z0-9+−-]\")|setShortcuts?\(|QShortcut\(")
    findings = {
        str(path.relative_to(PRODUCT))
        for path in PRODUCT.rglob("*.py")
        if again.search(path.read_text("utf-8"))
    }
    assert findings - OTHER_WINDOWS == {"ui/widgets/actions.py"}


def test_menus_tooltips_and_help_format_shortcuts_alike(editing: WindowController) -> None:
    acts = editing.window.action_registry
    acts.refresh()
    for name, act in acts.definitions.items():
        label, _, keys = acts[name].text().partition("\t")
        assert label == acts.menu_text(name)
        assert keys == acts.shortcut_text(name), f"Qt would write {acts[name].shortcut().toString()}"
        assert not act.shortcuts or "+" not in keys.removesuffix("+")


def test_menus_fit_a_small_screen_at_large_scale(
    editing: WindowController,
) -> None:
    """At 150 % a screen of 720 lines has 480, of which title bar and menu bar take 46. Qt lays a longer menu over the bar."""
    window = editing.window
    for theme in THEMES.values():
        window.theme_switch.show(theme)
        highs = {name: menu.sizeHint().height() for name, menu in window.menus.items()}
        assert max(highs.values()) <= 434, (theme.name, highs)


def test_submenu_starts_below_parent_and_scrolls_to_its_end(editing: WindowController, qtbot: QtBot) -> None:
    """At 150 % on 720 lines *Items*, which scrolls, and *Panels*, for which Qt had room, covered the menu bar."""
    view = editing.window.menus["View"]
    items = next(menu for menu in view.findChildren(QMenu) if menu.title() == "Show in 3D")
    screen = view.screen().availableGeometry()
    view.popup(QPoint(0, screen.bottom() - view.sizeHint().height()))
    view.setActiveAction(items.menuAction())
    QTest.keyClick(view, Qt.Key.Key_Right)
    qtbot.waitUntil(items.isVisible)
    assert items.y() >= view.y() > screen.top()
    assert items.geometry().bottom() <= screen.bottom()
    QTest.keyClick(items, Qt.Key.Key_Up)
    last = items.actions()[-1]
    assert items.activeAction() is last
    assert items.rect().contains(items.actionGeometry(last))
    items.close()
    view.close()


def test_menu_entries_named_in_help_exist() -> None:
    """For example "*Lessons > Prepare a class*", where an ellipsis may be omitted."""
    known = {(menu.name, row.rstrip("…").partition(";")[0]) for menu in ACTIONS for row in _rows(menu)}
    pages = [*resources.asset_path("help").glob("*.md"), *resources.asset_path("lessons").glob("*.md")]
    entries = {
        (page.name, *match.groups())
        for page in pages
        for match in re.finditer(r"\*([A-Z][a-z]+) > ([^*>…]+)…?\*", page.read_text("utf-8"))
    }
    assert len(entries) > 15
    assert {entry for entry in entries if entry[1:] not in known} == set()


def _rows(menu: Menu[MainWindow]) -> Iterator[str]:
    for row in menu.rows:
        if isinstance(row, Action):
            yield row.text
        elif isinstance(row, Menu | DynamicMenu):
            yield row.title
            yield from _rows(row) if isinstance(row, Menu) else ()


def test_command_palette_runs_every_type_of_entry(editing: WindowController, qtbot: QtBot) -> None:
    palette = editing.window.command_palette
    QTest.keyClick(editing.window, Qt.Key.Key_Slash)
    qtbot.waitUntil(palette.isVisible)
    QTest.keyClicks(palette.field, "gimbal lock")
    assert {entry.location for entry in palette.listed_entries} >= {"Show this panel", "Preset"}
    palette.field.setText("difference of the lanes")
    assert (palette.listed_entries[0].location, palette.listed_entries[0].shortcut) == (
        "Lanes › Differences",
        "D",
    )
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert not palette.isVisible()
    assert editing.window.board.choices.difference
    editing.window.action_registry["find"].trigger()
    assert palette.field.text() == ""
    QTest.keyClick(palette.field, Qt.Key.Key_Escape)
    assert not palette.isVisible()


def test_repeatedly_opened_menus_do_not_grow(editing: WindowController) -> None:
    def opened() -> int:
        for menu in list(editing.window.menus.values()):
            for submenu in (menu, *menu.findChildren(QMenu)):
                submenu.aboutToShow.emit()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        return len(editing.window.findChildren(QMenu))

    few = opened()
    assert [opened() for _ in range(3)] == [few] * 3


def test_dynamic_menu_is_empty_when_closed(editing: WindowController, qtbot: QtBot) -> None:
    inner = Qt.FindChildOption.FindDirectChildrenOnly
    menus = editing.window.menus["Lanes"].findChildren(QMenu)
    lane = next(menu for menu in menus if menu.title() == "Lane")
    lane.popup(editing.window.pos())
    assert len(lane.actions()) == len(editing.simulation.lanes)
    chosen: list[int] = []
    lane.aboutToHide.connect(lambda: chosen.append(len(lane.actions())))
    lane.close()
    assert chosen == [len(editing.simulation.lanes)], "the chosen action runs after the menu has closed"
    qtbot.waitUntil(lambda: not lane.actions())
    qtbot.waitUntil(lambda: not lane.findChildren(QMenu, options=inner))
