"""User presets: none replaces another because of its file name."""

from pathlib import Path

import pytest

import quatviz as qv
from quatviz.base import resources
from quatviz.display.document.document import MAX_UNDO_STEPS, Document
from quatviz.display.document.state import State
from quatviz.display.document.user_files import (
    MAX_DELETED_PRESETS,
    delete_preset,
    deleted_presets,
    own_preset_path,
    preset_entries,
    rename_preset,
    restore_preset,
    save_own_preset,
)

TOP = qv.load_preset("heavy_top")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QUATVIZ_SETTINGS_DIR", str(tmp_path))
    return resources.user_preset_folder()


def titles() -> set[str]:
    return {entry.title for entry in preset_entries() if entry.is_own}


def test_equal_file_names_of_titles_get_numbers() -> None:
    paths = [save_own_preset(TOP, title, "", "") for title in ("Kreisel α", "Kreisel β", "Kreisel γ")]
    assert [path.name for path in paths] == ["kreisel.toml", "kreisel_2.toml", "kreisel_3.toml"]
    assert titles() == {"Kreisel α", "Kreisel β", "Kreisel γ"}
    assert save_own_preset(TOP, " Kreisel β ", "again", "") == paths[1], "the same title replaces"
    assert len(titles()) == 3


def test_unreadable_file_is_not_replaced(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "kreisel.toml").write_text("notes of mine")
    assert save_own_preset(TOP, "Kreisel", "", "").name == "kreisel_2.toml"
    assert (folder / "kreisel.toml").read_text() == "notes of mine"


def test_numbered_name_avoids_shipped_presets(monkeypatch: pytest.MonkeyPatch) -> None:
    save_own_preset(TOP, "Kreisel", "", "")
    shipped = "quatviz.display.document.user_files.preset_paths"
    monkeypatch.setattr(shipped, lambda folder: {"kreisel_2": folder / "kreisel_2.toml"})
    assert own_preset_path("Kreisel α").name == "kreisel_3.toml"


def test_renamed_preset_keeps_its_file_if_the_name_fits() -> None:
    first = save_own_preset(TOP, "Kreisel α", "", "")
    second = save_own_preset(TOP, "Kreisel β", "", "")
    assert rename_preset(first, "Kreisel δ") == first
    assert rename_preset(second, "Kreisel ε") == second
    assert titles() == {"Kreisel δ", "Kreisel ε"}
    with pytest.raises(qv.InputError, match="a title that none of your presets has"):
        rename_preset(second, "Kreisel δ")
    assert titles() == {"Kreisel δ", "Kreisel ε"}


def test_deleted_preset_is_restored_unchanged() -> None:
    path = save_own_preset(TOP, "Kreisel", "A top.", "")
    content = path.read_bytes()
    deleted = delete_preset(path)
    assert deleted.title == "Kreisel"
    assert not titles()
    assert deleted_presets() == [deleted]
    assert restore_preset(deleted) == "Kreisel"
    assert path.read_bytes() == content
    assert deleted_presets() == []


def test_restored_preset_replaces_no_other() -> None:
    """Presets saved since then may have the same file name, or even the same title."""
    deleted = [delete_preset(save_own_preset(TOP, "Kreisel α", number, "")) for number in "12"]
    save_own_preset(TOP, "Kreisel β", "3", "")
    assert [restore_preset(preset) for preset in deleted] == ["Kreisel α", "Kreisel α (2)"]
    summaries = {entry.title: entry.summary for entry in preset_entries() if entry.is_own}
    assert summaries == {"Kreisel α": "1", "Kreisel α (2)": "2", "Kreisel β": "3"}


def test_restored_preset_finds_its_recording(folder: Path) -> None:
    """The recording stays in the folder of the presets."""
    recorded = qv.load_preset("thrown_phone")
    assert any(lane.recording is not None for lane in recorded.lanes)
    deleted = delete_preset(save_own_preset(recorded, "Phone", "", ""))
    save_own_preset(recorded, "Phone", "", "")
    assert restore_preset(deleted) == "Phone (2)"
    assert qv.load_preset(folder / "phone_2.toml").lanes == qv.load_preset(folder / "phone.toml").lanes


def test_only_the_last_deleted_presets_are_kept() -> None:
    for number in range(MAX_DELETED_PRESETS + 2):
        delete_preset(save_own_preset(TOP, f"Kreisel {number}", "", ""))
    kept = [preset.title for preset in deleted_presets()]
    assert kept == [f"Kreisel {number}" for number in range(MAX_DELETED_PRESETS + 1, 1, -1)]


def test_preset_deleted_after_the_clock_was_set_back_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """It counted as the oldest of many deleted presets, and was lost at once."""
    for number in range(MAX_DELETED_PRESETS):
        delete_preset(save_own_preset(TOP, f"Kreisel {number}", "", ""))
    monkeypatch.setattr("quatviz.display.document.user_files.time.time_ns", lambda: 1)
    deleted = delete_preset(save_own_preset(TOP, "Last", "", ""))
    assert deleted_presets()[0].title == "Last"
    assert restore_preset(deleted) == "Last"


def test_preset_that_another_window_has_restored_is_not_found(tmp_path: Path) -> None:
    deleted = delete_preset(save_own_preset(TOP, "Kreisel", "", ""))
    restore_preset(deleted)
    delete_preset(own_preset_path("Kreisel"))
    with pytest.raises(OSError, match="No such file"):
        restore_preset(deleted)
    with pytest.raises(qv.InputError, match="one of your presets"):
        delete_preset(tmp_path / "other.toml")


def test_loss_of_old_undo_steps_is_reported_once() -> None:
    document = Document(State.default_for(TOP))
    messages: list[str] = []
    document.message_emitted.connect(lambda text, topic: messages.append(text))

    def rename(number: int) -> None:
        assert document.propose(f"step {number}", lambda state: state.with_preset(title=f"{number}")) is None

    for number in range(MAX_UNDO_STEPS):
        rename(number)
    assert messages == []
    for number in range(3):
        rename(-1 - number)
    (text,) = messages
    assert f"{MAX_UNDO_STEPS} are kept" in text
