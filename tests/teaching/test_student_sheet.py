"""Worksheets from the window: all files of a lesson are written, or none."""

import os
import sys
import threading
from pathlib import Path

import pytest

from quatviz.base.cancellation import Cancelled
from quatviz.base.errors import InputError
from quatviz.teaching.lessons.preparation import write_sheet_in_subprocess

WRITER = """#!{python}
import sys, time
from pathlib import Path
folder = Path(sys.argv[sys.argv.index("-o") + 1])
print("1/4", flush=True)
(folder / "l-1.png").write_text("figure")
{then}
(folder / "l.md").write_text("words")
print("2 files written")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "sheets"
    made.mkdir()
    (made / "l.md").write_text("old words")
    return made


def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, then: str) -> None:
    """A program in place of quatviz's own, which takes seconds."""
    script = tmp_path / "writer"
    script.write_text(WRITER.format(python=sys.executable, then=then))
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script))


pytestmark = pytest.mark.skipif(os.name != "posix", reason="the stand-in is a script")


def test_all_files_come_together(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, monkeypatch, "")
    heard: list[float] = []
    assert write_sheet_in_subprocess("l", folder, heard.append) == 2
    assert {path.name: path.read_text() for path in folder.iterdir()} == {
        "l.md": "words",
        "l-1.png": "figure",
    }
    assert 0.25 in heard


def test_bodies_are_drawn_by_what_draws_them_in_the_window(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without its display they would be lines."""
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    told = "import os; (folder / 'platform').write_text(os.environ['QT_QPA_PLATFORM'])"
    stand_in(tmp_path, monkeypatch, told)
    write_sheet_in_subprocess("l", folder, lambda share: None)
    assert (folder / "platform").read_text() == "xcb"


def test_a_failure_leaves_the_folder_as_it_was_and_says_why(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, monkeypatch, "print('no such panel'); sys.exit(2)")
    with pytest.raises(InputError, match="no such panel"):
        write_sheet_in_subprocess("l", folder, lambda share: None)
    assert {path.name: path.read_text() for path in folder.iterdir()} == {"l.md": "old words"}


def test_it_is_cancelled_while_the_process_says_nothing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, monkeypatch, "time.sleep(600)")

    def progress(share: float) -> None:
        if share > 0.0:
            raise Cancelled

    with pytest.raises(Cancelled):
        write_sheet_in_subprocess("l", folder, progress)
    assert {path.name: path.read_text() for path in folder.iterdir()} == {"l.md": "old words"}
    for thread in threading.enumerate():
        if thread.name == "quatviz-command":
            thread.join(60.0)  # it reads to the end of what the process said, which has only just ended
            assert not thread.is_alive()
