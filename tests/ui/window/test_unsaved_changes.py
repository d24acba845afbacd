"""Saving never overwrites the file of another run, and closing asks before unsaved changes are lost."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from window_steps import editing, inertia_entry, make_session, open_session, type_value, wait_two_frames  # noqa: F401

import quatviz as qv
from quatviz.app import WindowController
from quatviz.base import resources
from quatviz.display.document.user_files import unsaved_sessions
from quatviz.display.view_state.session import Session, read_session, to_short_text
from quatviz.files.preset_reading import format_preset
from quatviz.ui.window import file_actions
from quatviz.ui.window.save_dialog import UnsavedChangesDialog
from quatviz.ui.window.settings import Settings


@pytest.fixture
def path_questions(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Return a list that gains an entry whenever the user is asked where to save."""
    questions: list[bool] = []
    monkeypatch.setattr(file_actions, "ask_save_path", lambda *_: questions.append(True))
    return questions


def test_saving_a_new_run_keeps_the_previous_file(
    editing: WindowController, tmp_path: Path, path_questions: list[bool]
) -> None:
    files = editing.window.file_actions
    files.new()
    files.save_as(tmp_path / "work.toml")
    before = (tmp_path / "work.toml").read_bytes()
    files.new()
    type_value(inertia_entry(editing), "5")
    files.save()
    assert path_questions == [True]
    assert (tmp_path / "work.toml").read_bytes() == before


def test_saving_a_preset_of_the_same_title_asks_for_a_file(
    editing: WindowController, tmp_path: Path, path_questions: list[bool]
) -> None:
    files, preset = editing.window.file_actions, resources.preset_folder() / "torque_free.toml"
    files.save_as(tmp_path / "work.toml")
    type_value(inertia_entry(editing), "450")
    files.open(preset)
    files.save()
    assert path_questions == [True]


def test_file_changed_while_its_recordings_are_read_is_not_overwritten(
    editing: WindowController, tmp_path: Path, path_questions: list[bool]
) -> None:
    """Reading large recordings takes a minute, in which another window may save the session."""
    files, path = editing.window.file_actions, tmp_path / "work.toml"
    files.save_as(path)
    session = read_session(path)
    path.write_text(path.read_text("utf-8") + "# another window\n", "utf-8")
    assert files.open_session(session, path)
    type_value(inertia_entry(editing), "450")
    files.save()
    assert path_questions == [True]
    assert path.read_text("utf-8").endswith("# another window\n")


def test_saving_a_pasted_run_asks_for_a_file(
    editing: WindowController, tmp_path: Path, path_questions: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = editing.window.file_actions
    files.save_as(tmp_path / "work.toml")
    files.copy_run()
    type_value(inertia_entry(editing), "450")
    files.paste_run()
    files.save()
    assert path_questions == [True]
    assert to_short_text(Session(editing.document.state.preset))


def test_run_restored_by_undo_is_saved_to_its_own_file(editing: WindowController, tmp_path: Path) -> None:
    files = editing.window.file_actions
    files.save_as(tmp_path / "f1.toml")
    type_value(inertia_entry(editing), "450")
    files.save_as(tmp_path / "f2.toml")
    files.open(tmp_path / "f1.toml")
    files.open(tmp_path / "f2.toml")
    editing.document.undo()
    assert files.file == tmp_path / "f1.toml"
    files.save()
    assert read_session(tmp_path / "f2.toml").preset.body.inertia[0, 0] == 450.0


def test_window_title_shows_file_and_unsaved_changes(editing: WindowController, tmp_path: Path) -> None:
    window = editing.window
    assert window.windowTitle() == "Torque-free body[*] – quatviz"
    assert not window.isWindowModified()
    window.file_actions.save_as(tmp_path / "work.toml")
    assert window.windowTitle() == "Torque-free body (work.toml)[*] – quatviz"
    window.board.show_panel("omega", False)
    assert window.isWindowModified()
    editing.document.undo()
    assert not window.isWindowModified()
    type_value(inertia_entry(editing), "450")
    assert window.isWindowModified()
    assert window.windowTitle() == "Torque-free body (edited) (work.toml)[*] – quatviz"
    window.file_actions.save()
    assert not window.isWindowModified()


def test_closing_asks_about_unsaved_changes(qtbot: QtBot, tmp_path: Path) -> None:
    with open_session(make_session(qv.load_preset("torque_free"))) as session:
        window, path = session.window, tmp_path / "work.toml"
        window.file_actions.save_as(path)
        window.board.show_panel("omega", False)
        window.close()
        dialog = window.findChild(UnsavedChangesDialog)
        assert isinstance(dialog, UnsavedChangesDialog)
        assert window.isVisible()
        dialog.cancel_button.click()
        assert window.isVisible()
        window.close()
        window.findChildren(UnsavedChangesDialog)[-1].save_button.click()
        assert not window.isVisible()
        session_view = read_session(path).view_state
        assert session_view is not None
        assert session_view.panels["omega"] is False


def test_unsaved_changes_can_be_discarded_on_closing(qtbot: QtBot, tmp_path: Path) -> None:
    with open_session(make_session(qv.load_preset("torque_free"))) as session:
        window = session.window
        window.file_actions.save_as(tmp_path / "work.toml")
        before = (tmp_path / "work.toml").read_bytes()
        window.board.show_panel("omega", False)
        window.close()
        window.findChildren(UnsavedChangesDialog)[-1].discard_button.click()
        assert not window.isVisible()
        assert (tmp_path / "work.toml").read_bytes() == before


def test_run_without_a_file_closes_unasked(qtbot: QtBot) -> None:
    with open_session(make_session(qv.load_preset("torque_free"))) as session:
        session.window.board.show_panel("omega", False)
        assert session.window.isWindowModified()
        session.window.close()
        assert not session.window.isVisible(), "the start page offers to continue with it"


def test_run_closed_without_saving_is_restored_after_another_was_closed(qtbot: QtBot) -> None:
    """*Continue* restores only the run that was closed last, and a run without a file closes unasked."""
    edited, other = qv.load_preset("torque_free"), qv.load_preset("intermediate_axis")
    with open_session(make_session(edited)) as session:
        type_value(inertia_entry(session), "420")
        session.window.close()
    for _ in range(2):
        with open_session(make_session(other)) as session:
            session.window.close()
    with open_session(make_session(other)) as session:
        menu = QMenu()
        session.window.file_actions.fill_recent(menu)
        (action,) = (action for action in menu.actions() if "without saving" in action.text())
        assert edited.title in action.text()
        action.trigger()
        assert session.document.state.preset.body.inertia[0, 0] == 420.0
        assert session.document.has_unsaved_run
        assert unsaved_sessions() == [], "it is the recovery file of this window now"
        session.window.close()
    assert [kept.title for kept in unsaved_sessions()] == [edited.title]


def test_new_run_does_not_inherit_the_view_of_a_preset(editing: WindowController, qtbot: QtBot) -> None:
    window, folder = editing.window, resources.preset_folder()
    window.board.show_panel("energy", False)
    panels, items = window.view_state.panels, window.view_state.items
    window.file_actions.open(folder / "six_lambdas.toml")
    window.file_actions.open(folder / "gimbal_lock.toml")
    wait_two_frames(editing, qtbot)
    assert window.view_state.panels != panels
    assert window.view_state.items != items
    window.file_actions.new()
    wait_two_frames(editing, qtbot)
    assert (window.view_state.panels, window.view_state.items) == (panels, items)
    assert len(window.board.panels) > 2
    editing.document.undo()
    assert window.view_state.panels != panels


def test_new_run_does_not_inherit_the_view_of_the_first_preset(qtbot: QtBot) -> None:
    session = read_session(resources.preset_folder() / "six_lambdas.toml")
    controller = WindowController(session.preset, view_state=session.view_state, proposed=True)
    with open_session(controller):
        assert controller.window.view_state.panels
        controller.settings.save(controller.window)
        assert Settings().view_state.panels == {}, "nor does the next start"
        controller.window.file_actions.new()
        assert controller.window.view_state.panels == {}


def test_preset_without_a_view_state_does_not_inherit_another(
    editing: WindowController, tmp_path: Path
) -> None:
    window, silent = editing.window, tmp_path / "silent.toml"
    silent.write_text(format_preset(qv.load_preset("torque_free")))
    panels = window.view_state.panels
    window.file_actions.open(resources.preset_folder() / "six_lambdas.toml")
    assert window.view_state.panels != panels
    window.file_actions.open(silent)
    assert window.view_state.panels == panels
