"""Recent files and recovery data, without a window."""

import fcntl
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import quatviz as qv
from quatviz.base.errors import InputError, Phrase
from quatviz.display.document.user_files import (
    MAX_UNSAVED_SESSIONS,
    RecentFiles,
    RecoveryFile,
    delete_session_files,
    load_last_session,
    move_files_to,
    read_saved_session,
    recoverable_sessions,
    save_last_session,
    save_own_preset,
    unsaved_sessions,
)
from quatviz.display.view_state.session import Session, format_session
from quatviz.files import files as on_disk


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QUATVIZ_SETTINGS_DIR", str(tmp_path / "settings"))
    return tmp_path


def test_preset_is_rejected_if_its_folder_cannot_be_created(folder: Path) -> None:
    (folder / "settings").mkdir()
    (folder / "settings" / "presets").touch()
    preset = qv.load_preset("thrown_phone")
    with pytest.raises(InputError, match="a folder that exists or can be created"):
        save_own_preset(preset, "Mine", "", "")
    deep = next(lane.recording for lane in preset.lanes if lane.recording is not None)
    beside = replace(deep, file="no/folder.csv").in_folder(folder)
    (folder / "no").mkdir()
    (folder / "no" / "folder.csv").write_text("t,wx,wy,wz\n0,0,0,0\n")
    lanes = [replace(lane, recording=beside) if lane.recording is not None else lane for lane in preset.lanes]
    (folder / "other").mkdir()
    (folder / "other" / "no").touch()
    with pytest.raises(InputError, match="a folder that exists or can be created"):
        replace(preset, lanes=lanes).copy_files(folder / "other")


def files(folder: Path, count: int) -> list[Path]:
    made = [folder / f"run {number}.toml" for number in range(count)]
    for path in made:
        path.touch()
    return made


def test_recent_files_are_remembered_newest_first(folder: Path) -> None:
    made = files(folder, 12)
    for path in made:
        RecentFiles().add(path)
    RecentFiles().add(made[5])
    kept = [made[5], *(path for path in reversed(made) if path != made[5])][:10]
    assert RecentFiles().paths == kept
    kept[1].unlink()
    assert RecentFiles().paths == [kept[0], *kept[2:]], "a deleted file is not offered"
    assert (folder / "settings" / "recent.toml").read_text("utf-8").startswith("files = [")
    RecentFiles().clear()
    assert RecentFiles().paths == []


NO_LISTS = [
    "files = [",
    "files = 3",
    "files = [1, 2]",
    "other = 1",
    'files = [""]',
    f'files = ["/{"a" * 300}"]',
]


@pytest.mark.parametrize("text", [*NO_LISTS, f"files = {'[' * 5000}", f"files{'.a' * 200} = 1"])
def test_damaged_list_of_recent_files_is_empty(folder: Path, text: str) -> None:
    (folder / "settings").mkdir()
    (folder / "settings" / "recent.toml").write_text(text, "utf-8")
    assert RecentFiles().paths == []
    (path,) = files(folder, 1)
    RecentFiles().add(path)
    assert RecentFiles().paths == [path]


def test_unwritable_settings_remember_nothing(folder: Path) -> None:
    (folder / "settings").touch()
    RecentFiles().add(folder)
    assert RecentFiles().paths == []
    with pytest.raises(OSError, match="settings"):
        RecoveryFile().lock()
    assert recoverable_sessions() == []


def test_recovery_data_is_deleted_only_with_its_window(folder: Path) -> None:
    kept, session = RecoveryFile(), Session(qv.load_preset("torque_free"))
    kept.lock()
    kept.write(session)
    assert recoverable_sessions() == [], "its window is running"
    other = kept.path.with_name("999999-dead.toml")
    other.write_text(kept.path.read_text("utf-8"), "utf-8")
    assert recoverable_sessions() == [other]
    back = move_files_to(read_saved_session(other), kept.folder)
    assert back.preset == replace(session.preset, name="", path=None)
    delete_session_files(other)
    assert recoverable_sessions() == []
    kept.remove()
    assert list(kept.path.parent.iterdir()) == []
    kept.remove()


@pytest.mark.parametrize("is_same_path", [True, False])
def test_recovery_data_has_the_files_of_the_last_run(folder: Path, is_same_path: bool) -> None:
    """Meshes with the same number of triangles have the same size, and the file of the second run may be older than the first
    copy."""
    kept = RecoveryFile()
    kept.lock()
    for number, name in enumerate(("first", "first" if is_same_path else "second")):
        beside = folder / name
        beside.mkdir(exist_ok=True)
        mesh = beside / "body.obj"
        mesh.write_text(TETRAHEDRON.format(length=number + 1))
        os.utime(mesh, (1e9 + number, 1e9 + number))
        preset = qv.load_preset("torque_free")
        body = replace(preset.body, shape="body.obj").with_folder(beside)
        kept.write(Session(replace(preset, body=body)))
        restored = read_saved_session(kept.path).preset.body
        assert restored.folder == kept.folder
        assert (kept.folder / "body.obj").read_bytes() == mesh.read_bytes()
    kept.remove()


TETRAHEDRON = "v 0 0 0\nv {length} 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"


def test_unreadable_recovery_files_stay_and_partial_ones_are_deleted(folder: Path) -> None:
    recovery = folder / "settings" / "recovery"
    recovery.mkdir(parents=True)
    newer = recovery / "1-a.toml"
    newer.write_text("format = 7\n")
    half, fresh = recovery / ".quatviz-1-a-x.toml", recovery / ".quatviz-2-a-x.toml"
    for path in (half, fresh):
        path.touch()
    living = recovery / f".quatviz-a-{os.getpid()}-abc_efgh.toml"
    living.touch()
    for path in (half, living):
        os.utime(path, (0, 0))
    locks = [recovery / f"{name}.lock" for name in ("3-old", "4-new", "5-held")]
    for path in locks:
        path.touch()
    for path in (locks[0], locks[2]):
        os.utime(path, (0, 0))
    with locks[2].open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        errors: list[InputError] = []
        assert recoverable_sessions(errors.append) == recoverable_sessions(errors.append) == []
    (refusal,) = errors
    assert isinstance(refusal.place, Phrase), "it can be translated"
    assert refusal.place.endswith(f"and is kept in {newer}, line 1, format")
    assert sorted(recovery.glob("*.lock")) == locks[1:], (
        "of windows that were killed before they saved anything"
    )
    assert sorted(recovery.glob("*.toml")) == [fresh, living, newer], (
        "a file written while the clock jumps stays"
    )
    assert newer.read_text() == "format = 7\n"
    delete_session_files(newer)
    newer.write_text("format = 8\n")
    recoverable_sessions(errors.append)
    assert [error.found for error in errors] == ["7", "8"], "the mark is deleted with its file"


def test_clock_jump_loses_no_recovery_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, session = RecoveryFile(), Session(qv.load_preset("torque_free"))
    kept.lock()
    kept.write(session)
    ahead, before = (kept.path.with_name(f"{name}-dead.toml") for name in ("1", "2"))
    begun = kept.path.with_name("3-begun.lock")
    begun.touch()
    for path in (ahead, before):
        path.write_text(kept.path.read_text("utf-8"), "utf-8")
    year = 365 * 86400.0
    for path, seconds in ((ahead, time.time() + year), (before, 0.0), (begun, time.time() + year)):
        os.utime(path, (seconds, seconds))
    for jump in (-year, 0.0, year):
        monkeypatch.setattr(on_disk, "time", SimpleNamespace(time=lambda jump=jump: time.time() + jump))
        assert recoverable_sessions() == [ahead, before], (
            "a window is recognized by its lock, not by the clock"
        )
        assert begun.exists()
    kept.remove()


HOLD = """
import sys
from quatviz.display.document.user_files import RecoveryFile
from quatviz.display.view_state.session import Session
import quatviz as qv
kept = RecoveryFile()
kept.lock()
kept.write(Session(qv.load_preset("torque_free")))
print("kept", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGHUP"])
def test_lock_of_a_killed_process_is_released(folder: Path, name: str) -> None:
    """For example by closing its terminal."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "kept\n"
        assert recoverable_sessions() == []
        child.send_signal(getattr(signal, name))
    (path,) = recoverable_sessions()
    assert read_saved_session(path).preset.title == "Torque-free body"


def test_full_disk_loses_neither_last_session_nor_recovery_data(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last session was deleted before the new one was written."""
    first, second = (
        Session(replace(qv.load_preset("torque_free"), title=title)) for title in ("First", "Second")
    )
    assert save_last_session(first)
    kept = RecoveryFile()
    kept.lock()
    kept.write(second)

    def fail(path: Path, text: str) -> None:
        raise InputError(str(path), expected="a place to write to", found="no space left", remedy="make room")

    with monkeypatch.context() as patch:
        patch.setattr("quatviz.display.document.user_files.write_preset_text", fail)
        assert not save_last_session(second)
    remembered = load_last_session()
    assert remembered is not None
    assert remembered.session.preset.title == "First"
    kept.remove(keep_files=True)
    assert recoverable_sessions() == [kept.path]
    assert save_last_session(second)
    remembered = load_last_session()
    assert remembered is not None
    assert remembered.session.preset.title == "Second"
    assert [path.name for path in remembered.path.parent.glob("*.toml")] == [remembered.path.name]


def test_later_sessions_do_not_replace_unsaved_ones(folder: Path) -> None:
    """Two windows were closed without saving, or a preset was watched afterwards: only the last session was kept."""

    def close(title: str, is_unsaved: bool) -> None:
        session = Session(replace(qv.load_preset("torque_free"), title=title))
        assert save_last_session(session, is_unsaved)
        stamped = load_last_session()
        assert stamped is not None
        assert stamped.session.preset.title == title

    close("Mine", True)
    close("Watched", False)
    close("Watched again", False)
    assert [session.title for session in unsaved_sessions()] == ["Mine"]
    assert read_saved_session(unsaved_sessions()[0].path).preset.title == "Mine"
    for number in range(MAX_UNSAVED_SESSIONS):
        close(f"Run {number}", True)
    assert [session.title for session in unsaved_sessions()] == [
        f"Run {number}" for number in reversed(range(MAX_UNSAVED_SESSIONS))
    ]
    close("Watched", False)
    assert len(list((folder / "settings" / "last").glob("*.toml"))) == MAX_UNSAVED_SESSIONS + 1


def test_last_session_of_an_earlier_version_is_read(folder: Path) -> None:
    path = folder / "settings" / "last" / "session.toml"
    path.parent.mkdir(parents=True)
    path.write_text(format_session(Session(qv.load_preset("torque_free"))), "utf-8")
    remembered = load_last_session()
    assert remembered is not None
    assert remembered.path == path
    assert save_last_session(remembered.session)
    assert not path.exists()
