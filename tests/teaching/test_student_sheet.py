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


def replace_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, then: str) -> None:
    """Replace quatviz by a small program, because quatviz takes seconds."""
    script = tmp_path / "writer"
    script.write_text(WRITER.format(python=sys.executable, then=then))
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script))


pytestmark = pytest.mark.skipif(os.name != "posix", reason="the stand-in is a script")


def test_all_files_are_written_together(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_writer(tmp_path, monkeypatch, "")
    progress: list[float] = []
    assert write_sheet_in_subprocess("l", folder, progress.append) == 2
    assert {path.name: path.read_text() for path in folder.iterdir()} == {
        "l.md": "words",
        "l-1.png": "figure",
    }
    assert 0.25 in progress


def test_worksheet_process_uses_the_display_of_the_window(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a display its bodies would be drawn as lines."""
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    code = "import os; (folder / 'platform').write_text(os.environ['QT_QPA_PLATFORM'])"
    replace_writer(tmp_path, monkeypatch, code)
    write_sheet_in_subprocess("l", folder, lambda share: None)
    assert (folder / "platform").read_text() == "xcb"


def test_failure_leaves_the_folder_unchanged_and_is_explained(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_writer(tmp_path, monkeypatch, "print('no such panel'); sys.exit(2)")
    with pytest.raises(InputError, match="no such panel"):
        write_sheet_in_subprocess("l", folder, lambda share: None)
    assert {path.name: path.read_text() for path in folder.iterdir()} == {"l.md": "old words"}


def test_silent_process_can_be_cancelled(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_writer(tmp_path, monkeypatch, "time.sleep(600)")

    def progress(share: float) -> None:
        if share > 0.0:
            raise Cancelled

    with pytest.raises(Cancelled):
        write_sheet_in_subprocess("l", folder, progress)
    assert {path.name: path.read_text() for path in folder.iterdir()} == {"l.md": "old words"}
    for thread in threading.enumerate():
        if thread.name == "quatviz-command":
            thread.join(60.0)  # the thread reads the remaining output of the process, which has just ended
            assert not thread.is_alive()
