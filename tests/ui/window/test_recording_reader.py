"""A large recording of a preset is read in the background before the preset is shown, and this can be cancelled."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QProgressDialog, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from waiting import TIMEOUT_SECONDS

import quatviz as qv
from quatviz.base.cancellation import progress_reporter
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.physics.observables.read_options import ReadOptions
from quatviz.recordings import loading
from quatviz.ui.window.file_actions import FileActions

PRESET = """format = 1
title = "large"
[body]
inertia = [1.0, 2.0, 2.6]
[initial]
euler_parameters = [1, 0, 0, 0]
angular_velocity = [0.3, 2.5, 0.2]
[run]
duration = 0.2
dt = 0.01
sample_interval = 0.01
[[lanes]]
formulation = "recording"
recording = "log.csv"
"""


class Picker(QWidget):
    """Stub of the button that explains errors."""

    def __init__(self) -> None:
        super().__init__()
        self.chosen = QPushButton(self).clicked

    def explain(self, refusal: object) -> None:
        raise AssertionError(str(refusal))


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    rows = "".join(f"{0.01 * n},0.3,2.5,0.2\n" for n in range(50))
    (tmp_path / "log.csv").write_text("t [s],wx [rad/s],wy [rad/s],wz [rad/s]\n" + rows)
    (tmp_path / "large.toml").write_text(PRESET)
    monkeypatch.setattr("quatviz.recordings.loading.SLOW_FILE_BYTES", 100)
    return tmp_path / "large.toml"


@pytest.fixture
def files(qapp: object) -> Iterator[FileActions]:
    window, picker = QWidget(), Picker()
    preset = qv.load_preset("torque_free").with_run(lanes=["newton_euler"], duration=0.1)
    button: Any = picker
    made = FileActions(Document(State.default_for(preset)), button, window)
    yield made
    made.shutdown()
    for widget in (window, picker):
        widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


class SlowLoad:
    """Slow loader that waits until it is released, and records its thread."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.may_end, self.threads = threading.Event(), list[threading.Thread]()
        load = loading.load

        def wait(options: ReadOptions) -> Any:
            self.threads.append(threading.current_thread())
            self.may_end.wait(60.0)
            return load(options)

        monkeypatch.setattr("quatviz.ui.window.recording_reader.load", wait)


def dialogs(files: FileActions) -> list[QProgressDialog]:
    window = files.parent()
    assert isinstance(window, QWidget)
    return [dialog for dialog in window.findChildren(QProgressDialog) if dialog.isVisible()]


def click_cancel(dialog: QProgressDialog) -> None:
    button = dialog.findChild(QPushButton)
    assert isinstance(button, QPushButton)
    button.click()


def test_preset_is_shown_once_its_recording_is_read(
    files: FileActions, path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = SlowLoad(monkeypatch)
    assert not files.open(path), "not shown yet"
    assert files.session.preset.title != "large"
    (dialog,) = dialogs(files)
    assert "log.csv" in dialog.labelText()
    slow.may_end.set()
    qtbot.waitUntil(lambda: files.session.preset.title == "large")
    assert slow.threads[0] is not threading.main_thread()
    assert not dialogs(files)


def test_cancelling_leaves_the_run_unchanged(
    files: FileActions, path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = SlowLoad(monkeypatch)
    files.open(path)
    (dialog,) = dialogs(files)
    click_cancel(dialog)
    assert not dialogs(files)
    slow.may_end.set()
    files.shutdown()
    QCoreApplication.processEvents()
    assert files.session.preset.title != "large"


def test_cancelled_preset_can_be_opened_again(
    files: FileActions, path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = SlowLoad(monkeypatch)
    for _ in range(3):
        files.open(path)
        click_cancel(dialogs(files)[0])
    files.open(path)
    slow.may_end.set()
    qtbot.waitUntil(lambda: files.session.preset.title == "large")


def test_unreadable_recording_is_reported_by_its_lane(files: FileActions, path: Path, qtbot: QtBot) -> None:
    (path.parent / "log.csv").write_text("no numbers\n" * 100)
    files.open(path)
    qtbot.waitUntil(lambda: files.session.preset.title == "large")


def test_small_recording_is_read_at_once(
    files: FileActions, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quatviz.recordings.loading.SLOW_FILE_BYTES", 10**6)
    assert files.open(path)
    assert files.session.preset.title == "large"


COMMAND = """
import sys, threading
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QProgressDialog, QPushButton
from quatviz.commands import window
from quatviz.recordings import loading
from quatviz.ui.window import recording_reader
loading.SLOW_FILE_BYTES = 100
load, threads, shown = loading.load, [], threading.Event()
def load_when_shown(options):
    threads.append(threading.current_thread())
    shown.wait(60.0)
    return load(options)
recording_reader.load = load_when_shown
def created(controller):
    def check():
        title = controller.document.state.preset.title
        if controller.window.isVisible() and threads and not shown.is_set():
            print("shown before:", title, threads[0] is not threading.main_thread())
            if "cancel" in sys.argv:
                controller.window.findChild(QProgressDialog).findChild(QPushButton).click()
            shown.set()
        if title == "large" and "--present" not in sys.argv:
            print("opened:", title)
            timer.stop()
            controller.window.close()
    timer = QTimer(controller.window, interval=20)
    timer.timeout.connect(check)
    timer.start()
arguments = [text for text in sys.argv[1:] if text != "cancel"]
sys.exit(window.main([*arguments, "--no-tour"], created))
"""


def run_command(*arguments: str, settings: Path) -> subprocess.CompletedProcess[str]:
    """Run the window's command. It prints which preset is shown, and the thread, before the recording is read."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(__file__).parents[3]),
        "QUATVIZ_SETTINGS_DIR": str(settings),
    }
    return subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments],
        capture_output=True, text=True, env=environment, timeout=TIMEOUT_SECONDS, check=False,
    )  # fmt: skip


def check_shown_before(line: str) -> None:
    assert line.startswith("shown before:")
    assert line.endswith("True")
    assert "large" not in line


def test_window_appears_before_its_recording_is_read(path: Path, tmp_path: Path) -> None:
    child = run_command(str(path), settings=tmp_path / "settings")
    assert child.returncode == 0, child.stderr
    before, opened = child.stdout.splitlines()
    check_shown_before(before)
    assert opened == "opened: large"


def test_unattended_window_appears_before_its_recording_is_read(path: Path, tmp_path: Path) -> None:
    child = run_command(str(path), "--present", str(tmp_path / "out"), settings=tmp_path / "settings")
    assert child.returncode == 0, child.stderr
    check_shown_before(child.stdout.strip())
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"window.png", "large.csv"}


def test_unattended_window_closes_with_an_error_if_reading_is_cancelled(path: Path, tmp_path: Path) -> None:
    arguments = str(path), "--present", str(tmp_path / "out"), "cancel"
    child = run_command(*arguments, settings=tmp_path / "settings")
    assert child.returncode == 1
    assert "nothing was saved" in child.stderr
    assert not any((tmp_path / "out").iterdir())


def test_progress_of_one_file_follows_its_bytes(
    files: FileActions, path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end = threading.Event()

    def load(options: ReadOptions) -> None:
        progress_reporter()(0.5)
        may_end.wait(60.0)

    monkeypatch.setattr("quatviz.ui.window.recording_reader.load", load)
    files.open(path)
    (dialog,) = dialogs(files)
    qtbot.waitUntil(lambda: dialog.value() == 450)
    may_end.set()
    qtbot.waitUntil(lambda: files.session.preset.title == "large")
