"""Files are written completely or not at all: on a full disk, by a killed process, without permission."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import quatviz as qv
from quatviz.export.formats import FORMATS
from quatviz.export.table import Table, TableSelection
from quatviz.export.table_files import write_table
from quatviz.files import files
from quatviz.files.files import make_folder, refuse_unwritable, replace_atomically, write_text

SUFFIXES = [suffix for format_class in FORMATS.values() for suffix in format_class.suffixes]


def child(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.fixture(scope="module")
def run() -> qv.Run:
    return qv.simulate(
        qv.load_preset("torque_free"), lanes=["hamilton", "newton_euler"], duration=2.0, dt=1e-2
    )


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_full_disk_leaves_the_old_file_and_is_reported(suffix: str, tmp_path: Path) -> None:
    """A limit of the file size simulates a full disk: it stops each library at the same point."""
    path = tmp_path / f"run{suffix}"
    path.write_text("old")
    code = """
        import resource, sys
        import numpy as np
        import quatviz as qv
        from quatviz.physics.observables.quantities import QUANTITIES
        from quatviz.files.files import replace_atomically
        from quatviz.export.formats import format_of
        from quatviz.export.table import Column, Table
        column = Column("lane", QUANTITIES["h"], np.random.default_rng(1).normal(size=(50_000, 3)))
        texts = {"preset": "", "versions": "{}", "lanes": "[]", "part": '{"from_to": []}'}
        write = format_of(sys.argv[1])().write
        with replace_atomically(sys.argv[1]) as fresh:  # import the library before the limit
            write(Table(np.arange(1.0), [Column("lane", QUANTITIES["h"], np.zeros((1, 3)))], texts), fresh)
        open(sys.argv[1], "w").write("old")
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        try:
            with replace_atomically(sys.argv[1]) as fresh:
                write(Table(np.arange(50_000.0), [column], texts), fresh)
        except qv.InputError as refusal:
            print(refusal)
    """
    done = child(code, path)
    assert "no space left on the disk; nothing was written" in done.stdout, done.stderr
    assert "existing file is unchanged" in done.stdout
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_killed_process_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("old")
    code = """
        import os, signal, sys
        from quatviz.files.files import replace_atomically
        with replace_atomically(sys.argv[1]) as fresh:
            with fresh.open("w") as file:
                file.write("half of it")
                file.flush()
                os.kill(os.getpid(), signal.SIGKILL)
    """
    assert child(code, path).returncode == -signal.SIGKILL
    assert path.read_text() == "old"


def test_file_is_synced_before_it_replaces_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    real = os.replace

    def replace(source: str, target: str) -> None:
        done.append("replace")
        real(source, target)

    monkeypatch.setattr(os, "fsync", lambda handle: done.append("fsync"))
    monkeypatch.setattr(os, "replace", replace)
    write_text(tmp_path / "a.txt", "text\n")
    assert done == ["fsync", "replace", "fsync"]
    assert (tmp_path / "a.txt").read_bytes() == b"text\n"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda folder: folder / "gone" / "a.txt", "no such folder"),
        (lambda folder: folder, "a folder of that name"),
        (lambda folder: folder / ("a" * 300), "a name that is too long"),
        (lambda folder: folder / ("a" * 300) / "a.txt", "a name that is too long"),
    ],
)
def test_unwritable_path_is_rejected(make, message: str, tmp_path: Path) -> None:
    with pytest.raises(qv.InputError, match=message):
        write_text(make(tmp_path), "text")
    with pytest.raises(qv.InputError):
        refuse_unwritable(make(tmp_path))


def test_devices_and_pipes_are_never_replaced(tmp_path: Path) -> None:
    """For example `/dev/null`, if root names it or a link points to it."""
    pipe, link = tmp_path / "pipe.csv", tmp_path / "link.csv"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for path in (pipe, link):
        with pytest.raises(qv.InputError, match="a device or a pipe of that name; nothing was written"):
            refuse_unwritable(path)
        with pytest.raises(qv.InputError, match="a device or a pipe of that name; nothing was written"):
            write_text(path, "text")
    assert pipe.is_fifo()
    assert sorted(tmp_path.iterdir()) == [link, pipe]


def test_relative_path_in_a_deleted_folder_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    for write in (refuse_unwritable, lambda path: write_text(path, "text")):
        with pytest.raises(qv.InputError, match="no such folder"):
            write("a.txt")


def test_name_that_is_not_utf8_is_refused_in_a_text(tmp_path: Path) -> None:
    """A recent file with such a name ended the program at its start."""
    path, name = tmp_path / "a.txt", os.fsdecode(b"\xff.toml")
    path.write_text("old")
    with pytest.raises(qv.InputError, match=r"'\\udcff', a part of a name that is not UTF-8"):
        write_text(path, f"file = {name}")
    assert path.read_text() == "old"
    write_text(tmp_path / name, "new")
    assert (tmp_path / name).read_text() == "new"


def test_read_only_file_is_not_replaced(tmp_path: Path) -> None:
    """Replacing it only needs permission to write to its folder."""
    path = tmp_path / "a.txt"
    path.write_text("old")
    path.chmod(0o444)
    with pytest.raises(qv.InputError, match="a read-only file; nothing was written; the existing file is"):
        refuse_unwritable(path)
    with pytest.raises(qv.InputError, match="a read-only file"):
        write_text(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_replaced_file_keeps_its_permissions(mode: int, tmp_path: Path) -> None:
    """A private file must not become readable by others."""
    path = tmp_path / "a.txt"
    path.touch()
    path.chmod(mode)
    write_text(path, "text")
    assert path.stat().st_mode & 0o777 == mode


def test_links_in_a_circle_are_not_replaced(tmp_path: Path) -> None:
    first, second = tmp_path / "a.txt", tmp_path / "b.txt"
    first.symlink_to(second)
    second.symlink_to(first)
    for write in (refuse_unwritable, lambda path: write_text(path, "text")):
        with pytest.raises(qv.InputError, match="a link that leads back to itself"):
            write(first)
    assert first.is_symlink()
    assert second.is_symlink()


def test_longest_possible_file_name_is_accepted(tmp_path: Path) -> None:
    path = tmp_path / ("é" * 125 + ".txt")
    refuse_unwritable(path)
    write_text(path, "text")
    assert path.read_text() == "text"


def test_folder_that_cannot_be_created_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file" / "folder", tmp_path / ("a" * 300)):
        with pytest.raises(qv.InputError, match="a folder that exists or can be created"):
            make_folder(folder)


def test_missing_permission_is_reported_with_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*arguments: object, **named: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(files.tempfile, "mkstemp", forbidden)
    with pytest.raises(qv.InputError, match=r"no permission to write there.*\n.*a folder of your own"):
        write_text(tmp_path / "a.txt", "text")


def test_internal_error_is_raised_and_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), replace_atomically(path) as fresh:
        fresh.write_text(str(1 / 0))
    assert path.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


class Stop(Exception):
    pass


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_writing_reports_progress_and_can_be_stopped(run: qv.Run, suffix: str, tmp_path: Path) -> None:
    progress: list[float] = []
    write_table(run.engine, tmp_path / f"run{suffix}", progress=progress.append)
    assert progress == sorted(progress)
    assert progress[0] == 0.0
    assert 0.5 <= progress[-1] <= 1.0
    path = tmp_path / f"other{suffix}"
    path.write_text("old")

    def stop(share: float) -> None:
        if share >= 0.5:
            raise Stop

    with pytest.raises(Stop):
        write_table(run.engine, path, progress=stop)
    assert path.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 2


def test_selected_part_of_a_table_repeats_the_whole_run(run: qv.Run, tmp_path: Path) -> None:
    part = TableSelection(("h", "angles_313"), ("hamilton",), 0.5, 1.0)
    table = Table.from_run(run.engine, part)
    rows = slice(50, 101)
    assert [column.name for column in table.columns] == ["hamilton:h", "hamilton:angles_313"]
    assert (table.t == run["hamilton"].t[rows]).all()
    assert (table.columns[0].values == run["hamilton"].h[rows]).all()
    write_table(run.engine, tmp_path / "part.csv", part)
    text = (tmp_path / "part.csv").read_text("utf-8")
    assert '"from_to": [0.5, 1.0]' in text
    assert qv.load_preset(tmp_path / "part.csv") == run.preset


def test_drifts_of_a_part_are_those_of_the_run(run: qv.Run) -> None:
    """They are measured from t = 0, not from the first row of the part."""
    whole = Table.from_run(run.engine, TableSelection(("energy_drift", "h_space_drift")))
    part = Table.from_run(run.engine, TableSelection(("energy_drift", "h_space_drift"), None, 1.0, 1.5))
    for first, second in zip(whole.columns, part.columns, strict=True):
        assert (first.values[100:151] == second.values).all()


def test_rows_beyond_the_end_of_a_lane_are_empty(run: qv.Run) -> None:
    table = Table.from_run(run.engine, TableSelection(("h",), None, 5.0, 6.0))
    assert len(table.t) == 0
    assert all(column.values.shape == (0, 3) for column in table.columns)


def test_equal_runs_give_equal_bytes(run: qv.Run, tmp_path: Path) -> None:
    for suffix in SUFFIXES:
        files_ = [tmp_path / f"{name}{suffix}" for name in ("one", "two")]
        for path in files_:
            write_table(run.engine, path)
        assert files_[0].read_bytes() == files_[1].read_bytes(), suffix
    assert np.isfinite(run["hamilton"].h).all()
