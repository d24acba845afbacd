"""Settings that several windows write at the same time, and the last folders of file dialogs."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from quatviz.base import resources
from quatviz.display.document.user_files import RecentFiles
from quatviz.display.document.window_memory import WindowMemoryFile
from quatviz.files.files import FileLock
from quatviz.files.last_folders import LastFolders
from quatviz.files.limits import MAX_TEXT_BYTES
from quatviz.files.settings_file import SettingsFile, merge_changes
from quatviz.teaching.lessons import read_lesson
from quatviz.teaching.lessons.presentation import LectureHistory, pages_of


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QUATVIZ_SETTINGS_DIR", str(tmp_path / "settings"))
    return tmp_path / "settings"


def set_look(file: WindowMemoryFile, **fields: object) -> None:
    file.write(replace(file.memory, look=replace(file.memory.look, **fields)))  # type: ignore[arg-type]


def test_window_keeps_later_settings_of_another_window() -> None:
    first, second = WindowMemoryFile(), WindowMemoryFile()
    set_look(first, theme="light")
    second.set_scale(150)
    set_look(second, panels={"energy": True})
    set_look(first, panels={"omega": False})
    first.remember_tour()
    second.write(replace(second.memory, place="AdnQywADAAA="))
    memory = WindowMemoryFile().memory
    assert (memory.look.theme, memory.look.scale, memory.toured, memory.place) == (
        *("light", 150, True, "AdnQywADAAA="),
    )
    assert memory.look.panels == {"energy": True, "omega": False}


def test_default_value_is_removed_for_all_windows() -> None:
    first, second = WindowMemoryFile(), WindowMemoryFile()
    set_look(first, theme="light")
    third = WindowMemoryFile()
    set_look(third, theme="dark")
    second.set_scale(150)
    assert WindowMemoryFile().memory.look.theme == "dark"


def test_changes_are_merged_entry_by_entry() -> None:
    table = {"a": 1, "b": {"x": 1, "y": 2}, "c": "theirs"}
    assert merge_changes(table, {"b": {"x": 1}}, {"b": {"x": 5, "z": 3}}) == {
        "a": 1,
        "b": {"x": 5, "y": 2, "z": 3},
        "c": "theirs",
    }
    assert merge_changes({}, {"b": {"x": 1, "y": 1}}, {"b": {"x": 2, "y": 1}}) == {"b": {"x": 2, "y": 1}}
    assert table == {"a": 1, "b": {"x": 1, "y": 2}, "c": "theirs"}, "the arguments are not changed"


def test_concurrent_writes_of_settings_lose_nothing(tmp_path: Path) -> None:
    """The second window reads the list only after the first has written it."""
    paths = [tmp_path / f"{number}.toml" for number in range(2)]
    for path in paths:
        path.touch()
    second = threading.Thread(target=RecentFiles().add, args=(paths[1],))

    def edit(table: dict[str, object]) -> dict[str, object]:
        second.start()
        second.join(0.1)  # without a lock it would be finished by then, and its changes lost
        return {"files": [str(paths[0])]}

    SettingsFile("recent.toml").update(edit)
    second.join()
    assert RecentFiles().paths == paths[::-1]


def test_change_waits_for_a_long_lock(settings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The window that holds the lock writes last, based on what it read before; neither loses anything."""
    monkeypatch.setattr("quatviz.files.settings_file.LOCK_TIMEOUT", 0.0)
    settings.mkdir()
    file, lock = SettingsFile("a.toml"), FileLock(settings / "a.toml")
    file.path.write_text("theirs = 1\n")
    assert lock.acquire()
    file.update(lambda table: {**table, "mine": 1})
    file.update(lambda table: {**table, "more": table["mine"] + 1})
    assert SettingsFile("a.toml").read() == {"theirs": 1}, "it is not written without the lock"
    assert file.read() == {"theirs": 1, "mine": 1, "more": 2}, "but this window goes on with its own values"
    file.path.write_text("theirs = 2\n")
    lock.release()
    file.wait_written()
    assert SettingsFile("a.toml").read() == {"theirs": 2, "mine": 1, "more": 2}


def test_permanent_lock_is_ignored_and_logged(
    settings: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("LOCK_TIMEOUT", "MAX_LOCK_DELAY"):
        monkeypatch.setattr(f"quatviz.files.settings_file.{name}", 0.0)
    settings.mkdir()
    file, lock = SettingsFile("a.toml"), FileLock(settings / "a.toml")
    assert lock.acquire()
    file.update(lambda table: {"mine": 1})
    file.wait_written()
    assert "holds the lock" in caplog.text
    assert not file.path.exists()
    lock.release()


def test_folder_without_lock_support_is_logged(
    settings: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    settings.mkdir()
    (settings / "a.lock").mkdir()  # a path that cannot be opened, like one in a folder of another user
    SettingsFile("a.toml").update(lambda table: {"mine": 1})
    assert "could not be written" in caplog.text
    assert not (settings / "a.toml").exists()


def test_lock_is_awaited(tmp_path: Path) -> None:
    first, second = FileLock(tmp_path / "a.toml"), FileLock(tmp_path / "a.toml")
    assert first.acquire()
    assert not second.acquire()
    waiting = threading.Thread(target=second.acquire, args=(60.0,))
    waiting.start()
    first.release()
    waiting.join()
    assert not FileLock(tmp_path / "a.toml").acquire()
    second.release()
    assert not (tmp_path / "a.lock").exists()


def test_lectures_with_equal_titles_are_separate(tmp_path: Path) -> None:
    lesson = read_lesson("half_turn")
    first, second = (replace(lesson, path=tmp_path / name) for name in ("a.md", "b.md"))
    LectureHistory().save(first, 2, {})
    LectureHistory().save(second, 1, {})
    assert LectureHistory().restore(first)[0] == 2
    assert LectureHistory().restore(second)[0] == 1


def test_lectures_of_earlier_versions_are_migrated(settings: Path) -> None:
    lesson = read_lesson("half_turn")
    settings.mkdir()
    text = f'lectures = [\n{{lesson = "{lesson.title}", page = 2, votes = []}},\n]\n'
    (settings / "lectures.toml").write_text(text, "utf-8")
    assert LectureHistory().restore(lesson)[0] == 2
    LectureHistory().save(lesson, 1, {})
    assert LectureHistory().restore(lesson)[0] == 1
    assert (settings / "lectures.toml").read_text("utf-8").count(lesson.title) == 1


def test_oldest_lectures_are_dropped_before_the_file_is_too_large(tmp_path: Path) -> None:
    """A larger file could not be read, and the next lecture replaced all votes."""
    lesson = read_lesson("half_turn")
    keys = list(
        dict.fromkeys(page.question_key for page in pages_of(lesson) if page.question_key is not None)
    )
    long_keys = {
        (step, replace(question, ask=question.ask + " " * 4000)): ((1, 2),) for step, question in keys
    }
    for number in range(20):
        LectureHistory().save(replace(lesson, path=tmp_path / f"{number}.md"), 1 + number % 2, long_keys)
    assert LectureHistory().restore(replace(lesson, path=tmp_path / "19.md"))[0] == 2
    assert LectureHistory().restore(replace(lesson, path=tmp_path / "18.md"))[0] == 1
    assert LectureHistory().restore(replace(lesson, path=tmp_path / "0.md"))[0] == 0


def test_damaged_file_is_backed_up_before_a_change(settings: Path) -> None:
    settings.mkdir()
    (settings / "lectures.toml").write_text("lectures = [votes of a class\n")
    LectureHistory().save(read_lesson("half_turn"), 1, {})
    assert (settings / "lectures.toml.bak").read_text() == "lectures = [votes of a class\n"
    assert LectureHistory().restore(read_lesson("half_turn"))[0] == 1


def test_unreadable_settings_are_not_written(settings: Path, caplog: pytest.LogCaptureFixture) -> None:
    SettingsFile("a.toml").update(lambda _: {"key": 1})
    SettingsFile("a.toml").update(lambda table: {**table, "text": "a" * MAX_TEXT_BYTES})
    assert SettingsFile("a.toml").read() == {"key": 1}
    assert "could not be written" in caplog.text


def test_last_folder_is_stored_for_each_purpose(tmp_path: Path) -> None:
    documents, sessions, tables = (tmp_path / name for name in ("documents", "sessions", "tables"))
    for folder in (documents, sessions, tables):
        folder.mkdir()
    assert LastFolders().folder("session", documents) == documents
    LastFolders().remember("session", sessions)
    assert LastFolders().folder("export", documents) == sessions, "the last one of any purpose"
    LastFolders().remember("export", tables)
    assert LastFolders().folder("session", documents) == sessions
    assert LastFolders().folder("export", documents) == tables
    sessions.rmdir()
    assert LastFolders().folder("session", documents) == tables, "a folder that is gone is not offered"


def test_program_folder_is_not_stored_as_last_folder(tmp_path: Path) -> None:
    for folder in (resources.preset_folder(), resources.PACKAGE / "files"):
        LastFolders().remember("session", folder)
        assert LastFolders().folder("session", tmp_path) == tmp_path
    assert LastFolders().folder("session", resources.PACKAGE) == Path.home()
