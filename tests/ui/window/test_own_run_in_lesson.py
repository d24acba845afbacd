"""During a lesson the user's own run is saved, recovered and continued."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot
from window_steps import (  # noqa: F401
    editing,
    inertia_entry,
    make_session,
    open_session,
    pause_at,
    type_value,
)

import quatviz as qv
from quatviz import app
from quatviz.app import WindowController
from quatviz.base import resources
from quatviz.display.document.user_files import load_last_session, read_saved_session, save_last_session
from quatviz.display.view_state.session import Session, read_session, to_short_text
from quatviz.teaching.lessons import lesson_paths, parse_lesson
from quatviz.ui.window.save_dialog import UnsavedChangesDialog

LESSON = """# Title

```lesson
format = 1
minutes = 5
```

## One

```scene
preset = "heavy_top"
panels = ["h"]
```

Words.

## Two

```scene
time = 1
play = false
```

More words.
"""


def begin_lesson(session: WindowController) -> None:
    session.present(parse_lesson(LESSON))
    assert session.presenter is not None
    session.presenter.go_next()
    assert session.document.state.preset.title == qv.load_preset("heavy_top").title


def test_closing_in_a_lesson_saves_the_users_own_run(qtbot: QtBot, tmp_path: Path) -> None:
    with open_session(make_session(qv.load_preset("torque_free"))) as session:
        window, path = session.window, tmp_path / "work.toml"
        window.file_actions.save_as(path)
        window.board.show_panel("omega", False)
        pause_at(session, qtbot, 7.0)
        begin_lesson(session)
        window.close()
        assert window.isVisible()
        dialog = window.findChild(UnsavedChangesDialog)
        assert isinstance(dialog, UnsavedChangesDialog)
        dialog.save_button.click()
        assert not window.isVisible()
        saved = read_session(path)
        assert saved.preset.title == "Torque-free body"
        assert saved.view_state is not None
        assert saved.view_state.panels["omega"] is False
        assert saved.view_state.cursor == 7.0


def test_scene_of_a_lesson_is_no_change_of_the_file(qtbot: QtBot, tmp_path: Path) -> None:
    with open_session(make_session(qv.load_preset("torque_free"))) as session:
        session.window.file_actions.save_as(tmp_path / "work.toml")
        begin_lesson(session)
        session.window.close()
        assert not session.window.isVisible()


def test_own_run_is_continued_after_closing_in_a_lesson(qtbot: QtBot) -> None:
    with open_session(make_session(qv.load_preset("torque_free"))) as session:
        session.window.board.show_panel("omega", False)
        pause_at(session, qtbot, 3.0)
        begin_lesson(session)
        session.window.close()
    remembered = load_last_session()
    assert remembered is not None
    view_state = remembered.session.view_state
    assert remembered.session.preset.title == "Torque-free body"
    assert view_state is not None
    assert view_state.panels["omega"] is False
    assert view_state.cursor == 3.0


def test_lesson_at_startup_keeps_the_last_session(qapp: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "LAYOUT_SECONDS", 0.0)
    monkeypatch.setattr(app, "MAX_LOADING_SECONDS", 0.0)
    path = next(iter(lesson_paths().values()))

    def remembered_after(*steps: Callable[[WindowController], object]) -> str:
        save_last_session(Session(qv.load_preset("half_turn")))
        session = WindowController(qv.load_preset("torque_free"), start_page=True)
        session.open()
        session.start_page.present(path)
        assert session.is_presenting
        for step in steps:
            step(session)
        session.window.close()
        session.window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        remembered = load_last_session()
        assert remembered is not None
        return remembered.session.preset.title

    def leave(session: WindowController) -> None:
        session.control_lesson("leave")

    def edit(session: WindowController) -> None:
        session.document.propose("edit", lambda state: state.with_preset(title="Edited"))

    def open_preset(session: WindowController) -> None:
        session.window.file_actions.open(resources.preset_folder() / "heavy_top.toml")

    half_turn = qv.load_preset("half_turn").title
    assert remembered_after() == half_turn
    assert remembered_after(leave) == half_turn, "the run behind the lesson was not chosen by the user"
    assert remembered_after(edit) == half_turn, "nor is the scene of a lesson the user's own run"
    assert remembered_after(leave, edit) == "Edited"
    assert remembered_after(open_preset) == qv.load_preset("heavy_top").title


def test_killed_window_recovers_the_own_run_and_not_the_scene(
    editing: WindowController, qtbot: QtBot
) -> None:
    type_value(inertia_entry(editing), "450")
    begin_lesson(editing)
    editing.document.propose("edit of the scene", lambda state: state.with_preset(summary="edited"))
    editing.autosave.save_if_changed()
    qtbot.waitUntil(lambda: not editing.autosave.has_pending)
    kept = read_saved_session(editing.window.file_actions.recovery_file.path)
    assert kept.preset.title == "Torque-free body"
    assert kept.preset.body.inertia[0, 0] == 450.0
    assert editing.presenter is not None
    editing.presenter.leave()
    assert editing.simulation.preset.body.inertia[0, 0] == 450.0


@pytest.mark.parametrize("replace_run", ["new", "paste_run", "restore"])
def test_run_opened_in_a_lesson_replaces_the_own_run(
    editing: WindowController, qapp: object, tmp_path: Path, replace_run: str
) -> None:
    """Otherwise the next page of the lesson would replace the run and all edits of it."""
    files = editing.window.file_actions
    begin_lesson(editing)
    if replace_run == "new":
        files.new()
    elif replace_run == "paste_run":
        app.QApplication.clipboard().setText(to_short_text(Session(qv.load_preset("half_turn"))))
        files.paste_run()
    else:
        path = tmp_path / "kept.toml"
        files.save_as(path)
        files.restore(path)
    assert not editing.is_presenting
    shown = editing.document.state.preset.title
    editing.document.undo()
    assert editing.document.state.preset.title == "Torque-free body"
    editing.document.redo()
    assert editing.document.state.preset.title == shown


def test_recording_imported_in_a_lesson_replaces_the_own_run(
    editing: WindowController, qtbot: QtBot, tmp_path: Path
) -> None:
    """Otherwise the end of the lesson would replace the run and a body that was fitted to it."""
    path = tmp_path / "throw.csv"
    shutil.copy(resources.preset_folder() / "thrown_phone.csv", path)
    begin_lesson(editing)
    editing.window.file_actions.drop(path)
    dialog = editing.tool_windows.window("importing")
    qtbot.waitUntil(lambda: dialog.import_button.isEnabled() and not dialog.is_busy)
    dialog.import_button.click()
    qtbot.waitUntil(dialog.fit_button.isVisible)
    dialog.close()
    assert not editing.is_presenting
    shown = editing.document.state.preset
    assert [lane.formulation for lane in shown.lanes] == ["newton_euler", "recording"]
    assert editing.document.own_state is editing.document.state, "the saved run is the new one"
    assert editing.window.side.isVisible()
    editing.document.undo()
    assert editing.document.state.preset.title == "Torque-free body"
    editing.document.redo()
    assert editing.document.state.preset == shown
