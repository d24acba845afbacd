"""Tools register themselves: menus are made from them, and a failing tool affects neither menus nor closing."""

import logging
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

import quatviz as qv
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.teaching.help.actions import Action, Menu, ToolRows, iterate_actions
from quatviz.ui.tools import TOOLS
from quatviz.ui.tools.base import SECTIONS, Tool, ToolAction, ToolContext, insert_tools
from quatviz.ui.tools.base.tool_windows import ToolWindows
from quatviz.ui.widgets.actions import ActionRegistry
from quatviz.ui.window.actions import ACTIONS


class Notes(Tool):
    """Stub of a plug-in tool."""

    name = "notes"
    title = "Notes"
    actions: ClassVar[tuple[ToolAction, ...]] = (
        ToolAction("notes", "Notes…", "lanes", ("Ctrl+Alt+N", "S"), accepts_item=True),
        ToolAction("study", "Another study…", "lanes"),
        ToolAction("nowhere", "Nowhere…", "no such section"),
        ToolAction("fails", "Fails…", "lanes", is_available=lambda state: 1 / 0 > 0),
    )
    made = 0

    def create(self, context: ToolContext) -> Any:
        type(self).made += 1
        return QWidget()

    def show(self, window: Any, *arguments: Any) -> None:
        window.setWindowTitle(" ".join(["notes", *arguments]))
        window.show()

    def file_suffixes(self) -> tuple[str, ...]:
        return (".notes",)

    def open_files(self, window: Any, paths: Any) -> None:
        window.setWindowTitle(" ".join(path.name for path in paths))


class Stubborn(Notes):
    name = "stubborn"
    belongs_to_run = True
    reuses_window = False
    actions: ClassVar[tuple[ToolAction, ...]] = ()


@pytest.fixture
def context(qtbot: QtBot) -> ToolContext:
    window = QWidget()
    qtbot.addWidget(window)
    document = Document(State.default_for(qv.load_preset("torque_free")))
    return ToolContext(document, window, lambda session, text: None)


def test_every_tool_action_is_in_the_menus_once() -> None:
    names = [action.name for _, action in iterate_actions(ACTIONS)]
    assert len(names) == len(set(names))
    expected = {entry.name for tool in TOOLS.values() for entry in tool.actions}
    assert expected == {
        "add_lane",
        "write_formulation",
        "import",
        "read_again",
        "equations",
        "exhibits",
        "compare",
        "study",
        "maps",
        "hashes",
        "fit_body",
        "help",
    } | {
        *("export_figure", "export_data", "export_page", "export_film", "export_documents"),
        *("prepare", "join", "export_sheet", "export_quiz"),
    }
    assert expected <= set(names)
    assert all(entry.section in SECTIONS for tool in TOOLS.values() for entry in tool.actions)


def test_main_window_names_no_tool() -> None:
    """Code that opens a tool by its name belongs to the tool or to the application, not to the window."""
    folder = Path(__file__).parents[2] / "quatviz" / "ui" / "window"
    text = "".join(path.read_text("utf-8") for path in folder.glob("*.py"))
    assert [name for name in TOOLS if f'open_tool("{name}"' in text] == []
    assert "ui.tools.maps" not in text
    assert "ui.tools.importing" not in text


def test_plugin_cannot_take_names_or_keys_of_other_actions(caplog: pytest.LogCaptureFixture) -> None:
    own: Action[Any] = Action("study", "Study errors and cost…", lambda w: None, ("S",))
    with caplog.at_level(logging.WARNING):
        (menu,) = insert_tools([Menu("Lanes", (own, None, ToolRows("lanes")))], {"notes": Notes})
    actions = {action.name: action for _, action in iterate_actions([menu])}
    assert list(actions) == ["study", "notes", "fails"]
    assert actions["study"] is own
    assert actions["notes"].shortcuts == ("Ctrl+Alt+N",)
    assert len(caplog.messages) == 3


def test_action_with_failing_availability_check_is_disabled(context: ToolContext) -> None:
    (menu,) = insert_tools([Menu("Lanes", (ToolRows("lanes"),))], {"notes": Notes})
    host = SimpleNamespace(document=context.document, tools=SimpleNamespace())
    registry: ActionRegistry[Any] = ActionRegistry([menu], host)
    registry.refresh()
    assert not registry["fails"].isEnabled()
    assert registry["notes"].isEnabled()


def test_tool_window_is_created_once_and_closed_with_main_window(context: ToolContext, qtbot: QtBot) -> None:
    Notes.made = 0
    windows = ToolWindows({"notes": Notes}, context)
    assert windows.window("notes") is None
    opened = windows.open("notes")
    qtbot.addWidget(opened)
    assert windows.open("notes", "of a lane") is opened
    assert opened.windowTitle() == "notes of a lane"
    assert Notes.made == 1
    windows.shutdown()
    assert not opened.isVisible()
    assert windows.window("notes") is None


def test_all_windows_of_a_tool_close_with_the_main_window(context: ToolContext, qtbot: QtBot) -> None:
    windows = ToolWindows({"stubborn": Stubborn, "notes": Notes}, context)
    opened = [windows.open("stubborn"), windows.open("stubborn"), windows.open("notes")]
    for window in opened:
        qtbot.addWidget(window)
    windows.shutdown("stubborn")
    assert [window.isVisible() for window in opened] == [False, False, True]
    last = windows.open("stubborn")
    qtbot.addWidget(last)
    windows.shutdown()
    assert not any(window.isVisible() for window in (*opened, last))


def test_window_that_cannot_close_does_not_block_others(
    context: ToolContext, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Other(Notes):
        name = "other"

    windows = ToolWindows({"notes": Notes, "other": Other}, context)
    first, second = windows.open("notes"), windows.open("other")
    qtbot.addWidget(first)
    qtbot.addWidget(second)
    first.shutdown = lambda: 1 / 0
    windows.shutdown()
    assert not second.isVisible()
    assert "could not be closed" in caplog.text


def test_run_specific_windows_close_with_the_run(context: ToolContext, qtbot: QtBot) -> None:
    windows = ToolWindows({"stubborn": Stubborn, "notes": Notes}, context)
    first, second, kept = windows.open("stubborn"), windows.open("stubborn"), windows.open("notes")
    for window in (first, second, kept):
        qtbot.addWidget(window)
    assert first is not second
    windows.close_windows_of_run()
    assert [window.isVisible() for window in (first, second, kept)] == [False, False, True]


def test_dropped_files_go_to_the_tool_that_opens_them(context: ToolContext, qtbot: QtBot) -> None:
    windows = ToolWindows({"notes": Notes}, context)
    unopened = windows.open_files([Path("a.notes"), Path("b.xyz"), Path("C.NOTES")])
    qtbot.addWidget(windows.window("notes"))
    assert unopened == [Path("b.xyz")]
    assert windows.window("notes").windowTitle() == "a.notes C.NOTES"
