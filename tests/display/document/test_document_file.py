"""The file of a document, and whether the document differs from it; without a window."""

from dataclasses import replace
from pathlib import Path

import pytest

import quatviz as qv
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.display.view_state.view_state import ViewState


@pytest.fixture
def document() -> Document:
    return Document(State.default_for(qv.load_preset("torque_free")))


def _open(document: Document, title: str) -> None:
    preset = replace(document.state.preset, title=title)
    assert document.open("open", lambda _: State.default_for(preset)) is None


def _edit(document: Document) -> None:
    run = replace(document.state.preset.run, duration=document.state.preset.run.duration + 1.0)
    assert document.propose("duration", lambda state: state.with_preset(run=run)) is None


def _save(document: Document, path: Path) -> Path:
    path.write_text(f"# {document.state.preset.title}\n")
    document.mark_saved(path)
    return path


def test_opened_run_has_no_file_even_with_the_same_title(document: Document, tmp_path: Path) -> None:
    path = _save(document, tmp_path / "work.toml")
    assert document.file.path == path
    _edit(document)
    assert document.file.path == path, "an edit keeps it"
    _open(document, document.state.preset.title)
    assert document.file.path is None


def test_undo_returns_to_the_file_of_the_previous_run(document: Document, tmp_path: Path) -> None:
    _open(document, "one title")
    first = _save(document, tmp_path / "f1.toml")
    _edit(document)
    other = replace(qv.load_preset("heavy_top"), title="one title")
    assert document.open("open", lambda _: State.default_for(other)) is None
    second = _save(document, tmp_path / "f2.toml")
    document.undo()
    assert document.file.path == first
    document.undo()
    assert document.file.path == first, "edits before saving belong to the same document"
    document.redo()
    document.redo()
    assert document.file.path == second


def test_equal_run_from_another_file_belongs_to_that_file(document: Document, tmp_path: Path) -> None:
    _save(document, tmp_path / "f1.toml")
    _open(document, document.state.preset.title)
    second = _save(document, tmp_path / "f2.toml")
    _edit(document)
    assert document.file.path == second
    document.undo()
    assert document.file.path == second


def test_previewed_run_has_no_file(document: Document, tmp_path: Path) -> None:
    path, before = _save(document, tmp_path / "work.toml"), document.state
    document.preview(State.default_for(replace(before.preset, title="of a lesson")))
    assert document.file.path is None
    assert not document.is_modified
    document.preview(before)
    assert document.file.path == path


def test_document_is_modified_until_saved_or_restored(document: Document, tmp_path: Path) -> None:
    assert not document.is_modified
    for change in (
        lambda: _edit(document),
        lambda: document.view.update(difference=True),
        lambda: document.propose(
            "look",
            lambda state: state.with_lane_styles(
                LaneStyles.default_for(len(state.preset.lanes)).with_color(0, 7)
            ),
        ),
    ):
        change()
        assert document.is_modified
        document.undo()
        assert not document.is_modified
    _edit(document)
    saved: list[bool] = []
    document.saved.connect(lambda: saved.append(document.is_modified))
    _save(document, tmp_path / "work.toml")
    assert saved == [False]
    document.undo()
    assert document.is_modified, "the file has more"
    document.redo()
    assert not document.is_modified
    document.mark_unsaved()
    assert document.is_modified


def test_cameras_and_zoom_do_not_modify_a_document(document: Document) -> None:
    document.view.update(span=(1.0, 2.0), sections=("Body",), theme="light")
    document.view.assign(replace(ViewState(), maximised="omega"))
    assert not document.is_modified


def test_file_changed_by_another_program_is_noticed(document: Document, tmp_path: Path) -> None:
    path = _save(document, tmp_path / "work.toml")
    assert not document.file.was_changed_elsewhere
    path.write_text("# longer than before, by another window\n")
    assert document.file.was_changed_elsewhere
    path.unlink()
    assert not document.file.was_changed_elsewhere, "nothing would be overwritten"


def test_equal_runs_keep_their_files_after_undo_and_redo(document: Document, tmp_path: Path) -> None:
    path = _save(document, tmp_path / "f1.toml")
    _open(document, document.state.preset.title)
    document.undo()
    assert document.file.path == path
    document.redo()
    assert document.file.path is None
