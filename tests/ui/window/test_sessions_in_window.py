"""Sessions in the real window: saved, opened, copied, pasted, dropped, kept as presets, recovered after a kill."""

import os
import queue
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import trimesh
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QWidget
from pytestqt.qtbot import QtBot
from waiting import TIMEOUT_SECONDS, wait_for
from window_steps import editing, inertia_entry, pause_at, type_value, wait_computed, wait_two_frames  # noqa: F401

import quatviz as qv
from quatviz import cli
from quatviz.app import WindowController
from quatviz.base import resources
from quatviz.display.document.autosave import Autosave
from quatviz.display.document.state import State
from quatviz.display.document.user_files import (
    RecoveryFile,
    default_preset,
    delete_session_files,
    load_last_session,
    preset_entries,
    preset_name,
    read_saved_session,
    recoverable_sessions,
    save_own_preset,
)
from quatviz.display.view_state.session import Session as SavedSession
from quatviz.display.view_state.session import format_session, from_short_text, parse_session, read_session
from quatviz.display.view_state.view_state import ViewState
from quatviz.files.preset import Preset
from quatviz.files.preset_reading import format_preset
from quatviz.simulation.commands import SetLoop, SetRange, SetSpeed
from quatviz.simulation.compilation import compile_preset
from quatviz.ui.sidebar.presets import PresetDialog
from quatviz.ui.widgets.actions import MAX_ENTRY_LENGTH
from quatviz.ui.window.recovery import RecoveryBar

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def edit_everything(session: WindowController, qtbot: QtBot) -> None:
    """Change something of every type that a session stores."""
    pause_at(session, qtbot, 4.0)
    session.window.experiments.perform("flip", 2.0)
    type_value(inertia_entry(session), "420")
    wait_computed(session, qtbot)
    display = session.document.state.lane_styles.with_color(1, 5).with_mode(0, "hidden")
    session.document.propose("look", lambda state: state.with_lane_styles(display))
    for command in (SetSpeed(0.5), SetLoop(True), SetRange(1.0, 6.0)):
        session.frame_loop.send(command)
    session.window.board.show_panel("energy", False)
    session.window.board.store.update(difference=True)
    session.window.views.set_number(2)
    session.window.views.set_linked(False)
    session.window.views.shown_views[1].look_from("side")
    session.window.views.shown_views[1].move_camera(lambda camera: camera.zoom(1.5))
    session.window.side.open_sections(["Lanes", "Body", "Events"])
    pause_at(session, qtbot, 4.5)


def assert_edited(session: WindowController, qtbot: QtBot) -> None:
    preset = session.simulation.preset
    assert preset.events == (qv.FlipSign(at=2.0),)
    assert preset.body.inertia[0, 0] == 420.0
    display = session.document.state.lane_styles
    assert list(display.colours) == [0, 5]
    assert display.mode(0) == "hidden"
    qtbot.waitUntil(lambda: session.frame_loop.snapshot.time == 4.5)
    snapshot = session.frame_loop.snapshot
    assert (snapshot.speed, snapshot.loop, snapshot.selected) == (0.5, True, (1.0, 6.0))
    assert not snapshot.playing
    window = session.window
    assert not window.board.is_shown("energy")
    assert window.board.choices.difference
    assert window.views.view_layout.number == 2
    assert not window.views.view_layout.linked
    first, second = (view.camera for view in window.views.shown_views)
    assert second.back == pytest.approx([0.0, -1.0, 0.0], abs=2e-3)
    assert first.back != pytest.approx(second.back, abs=0.1)
    assert first.distance == pytest.approx(1.5 * second.distance, rel=1e-3)
    assert window.side.open_section_names() == ["Lanes", "Body", "Events"]


def discard_edits(session: WindowController, qtbot: QtBot) -> None:
    """Open another run and change its view."""
    session.window.file_actions.new()
    session.frame_loop.send(SetSpeed(1.0))
    session.frame_loop.send(SetLoop(False))
    session.window.store.assign(ViewState())
    session.window.board.store.update(difference=False)
    wait_two_frames(session, qtbot)
    assert session.simulation.preset.title == "Untitled"


def test_saved_session_is_restored_bit_by_bit(
    editing: WindowController, qtbot: QtBot, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    edit_everything(editing, qtbot)
    hashes = {lane.name: lane.digest for lane in editing.simulation}
    saved = tmp_path / "mine.toml"
    editing.window.file_actions.save_as(saved)
    assert editing.window.file_actions.file == saved
    discard_edits(editing, qtbot)
    assert editing.window.file_actions.file is None, "the next save asks for a file"
    editing.window.file_actions.open(saved)
    assert_edited(editing, qtbot)
    wait_computed(editing, qtbot)
    assert {lane.name: lane.digest for lane in editing.simulation} == hashes
    assert editing.window.file_actions.file == saved
    type_value(inertia_entry(editing), "430")
    QTest.keyClick(editing.window, Qt.Key.Key_S, CONTROL)
    assert read_session(saved).preset.body.inertia[0, 0] == 430.0
    for _ in range(2):
        editing.document.undo()
    assert editing.simulation.preset.title == "Untitled", "opening is an undo step"
    capsys.readouterr()
    enter_back = replace(read_session(saved).preset, body=replace(read_session(saved).preset.body))
    assert cli.main(["run", str(saved), "--hash"]) == 0
    headless = dict(line.split("  ")[::-1] for line in capsys.readouterr().out.splitlines())
    assert headless == {lane.name: lane.digest for lane in qv.simulate(enter_back).lanes}


def test_long_words_of_a_file_do_not_widen_the_window(
    editing: WindowController, qtbot: QtBot, tmp_path: Path
) -> None:
    """A word of 5000 letters: X11 limits windows to 32767 pixels, which took gigabytes."""
    window, path = editing.window, tmp_path / "long.toml"
    before, size = window.side.minimumSizeHint(), window.size()
    texts = dict.fromkeys(("title", "source", "summary", "watch"), "a" * 5000)
    path.write_text(format_preset(replace(editing.simulation.preset, **texts)), "utf-8")  # type: ignore[arg-type]
    window.file_actions.open(path)
    assert editing.simulation.preset.title == "a" * 5000
    wait_two_frames(editing, qtbot)
    assert (window.side.minimumSizeHint(), window.size()) == (before, size)
    editing.document.undo()


def test_reopening_the_shown_session_restores_the_cursor(
    editing: WindowController, qtbot: QtBot, tmp_path: Path
) -> None:
    edit_everything(editing, qtbot)
    editing.window.file_actions.save_as(tmp_path / "mine.toml")
    simulation = editing.simulation
    pause_at(editing, qtbot, 9.0)
    editing.frame_loop.send(SetSpeed(2.0))
    editing.window.file_actions.open(tmp_path / "mine.toml")
    assert_edited(editing, qtbot)
    assert editing.simulation is simulation


def test_copied_and_pasted_run_is_identical(editing: WindowController, qtbot: QtBot) -> None:
    edit_everything(editing, qtbot)
    QTest.keyClick(editing.window, Qt.Key.Key_C, CONTROL | SHIFT)
    word = QGuiApplication.clipboard().text()
    assert word.startswith("quatviz1:")
    assert len(word) < 2000
    assert from_short_text(word).preset == editing.simulation.preset
    discard_edits(editing, qtbot)
    QTest.keyClick(editing.window, Qt.Key.Key_V, CONTROL)
    assert_edited(editing, qtbot)
    editing.document.undo()
    assert editing.simulation.preset.title == "Untitled"
    QGuiApplication.clipboard().setText("good morning")
    QTest.keyClick(editing.window, Qt.Key.Key_V, CONTROL)
    assert editing.simulation.preset.title == "Untitled"
    assert "begins with quatviz1:" in editing.window.side.picker.problem.text()


def test_sessions_that_cannot_be_restored_are_kept(
    editing: WindowController, qtbot: QtBot, tmp_path: Path
) -> None:
    """For example because a plug-in with its formulation is no longer installed."""
    lost = tmp_path / "lost.toml"
    text = format_session(editing.window.file_actions.session)
    lost.write_text(text.replace('"newton_euler"', '"of_a_plugin"'), "utf-8")
    editing.window.recovery_bar.offer([lost])
    editing.window.recovery_bar.restore_button.click()
    assert "of_a_plugin" in editing.window.side.picker.problem.text()
    assert lost.exists()


def test_file_changed_by_another_window_is_not_overwritten_unasked(
    editing: WindowController, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def ask(parent: QWidget, title: str, start: str, name_filter: str) -> tuple[str, str]:
        asked.append(start)
        return "", ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    path = tmp_path / "shared.toml"
    editing.window.file_actions.save_as(path)
    editing.window.file_actions.save()
    assert asked == []
    other = path.read_text("utf-8") + "\n"
    path.write_text(other, "utf-8")
    editing.window.file_actions.save()
    assert asked == [str(path)]
    assert "was changed by another program since" in editing.window.status.message
    assert path.read_text("utf-8") == other
    editing.window.file_actions.save_as(path)  # the answer of a user who wants to replace it
    editing.window.file_actions.save()
    assert asked == [str(path)]
    path.unlink()
    editing.window.file_actions.save()
    assert path.exists()


def drop(session: WindowController, *paths: Path) -> bool:
    """Drop files on the window and return whether they were accepted."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enters = QDragEnterEvent(QPoint(300, 300), Qt.DropAction.CopyAction, data, buttons, keys)
    QApplication.sendEvent(session.window, enters)
    drops = QDropEvent(QPointF(300, 300), Qt.DropAction.CopyAction, data, buttons, keys)
    QApplication.sendEvent(session.window, drops)
    return enters.isAccepted()


def test_files_can_be_dropped_on_the_window(editing: WindowController, qtbot: QtBot, tmp_path: Path) -> None:
    problem = editing.window.side.picker.problem
    assert drop(editing, resources.preset_folder() / "heavy_top.toml")
    assert editing.simulation.preset == qv.load_preset("heavy_top")
    other = tmp_path / "asteroid.xyz"
    other.write_text("v 0 0 0")
    assert drop(editing, other)
    assert "'.xyz'" in problem.text()
    broken = tmp_path / "broken.toml"
    broken.write_text("format = 1\n[[[")
    drop(editing, broken)
    assert "broken.toml, line 2" in problem.text()
    assert editing.simulation.preset == qv.load_preset("heavy_top")
    editing.document.undo()
    assert editing.simulation.preset == qv.load_preset("torque_free")


def test_only_the_first_of_many_dropped_runs_is_opened(
    editing: WindowController, qtbot: QtBot, tmp_path: Path
) -> None:
    """60 runs blocked the window for 17 s, and the undo steps of 200 runs replaced those of the user's run."""
    messages: list[str] = []
    editing.document.message_emitted.connect(lambda sentence, topic: messages.append(sentence))
    text = (resources.preset_folder() / "torque_free.toml").read_text("utf-8")
    paths = [tmp_path / f"{number}.toml" for number in range(300)]
    for path in paths:
        path.write_text(text.replace("Torque-free body", f"Run {path.stem}"), "utf-8")
    mesh, other = tmp_path / "brick.stl", tmp_path / "brick.obj"
    trimesh.creation.box((1.0, 2.0, 3.0)).export(mesh)
    shutil.copyfile(mesh, other)
    steps = len(editing.document.steps)
    assert drop(editing, *paths, mesh, other)
    assert editing.simulation.preset.title == "Run 0"
    assert editing.simulation.preset.body.shape == "brick.stl"
    assert len(editing.document.steps) == steps + 2
    assert "Opened 0.toml, brick.stl. Files not opened: 300." in messages[-1]
    editing.document.undo(2)
    assert editing.simulation.preset == qv.load_preset("torque_free")


def test_recent_files_are_remembered(editing: WindowController, qtbot: QtBot, tmp_path: Path) -> None:
    editing.window.file_actions.recent_files.clear()
    paths = [tmp_path / f"{name}.toml" for name in ("one", "two", "three")]
    for path in paths:
        path.write_text(format_preset(replace(qv.load_preset("heavy_top"), title=path.stem)))
        editing.window.file_actions.open(path)
    menu = QMenu()
    editing.window.file_actions.fill_recent(menu)
    assert [action.text() for action in menu.actions()][:3] == ["three.toml", "two.toml", "one.toml"]
    paths[1].unlink()
    menu.clear()
    editing.window.file_actions.fill_recent(menu)
    menu.actions()[1].trigger()
    assert editing.simulation.preset.title == "one"
    assert editing.window.file_actions.recent_files.paths == [paths[0], paths[2]]
    editing.window.file_actions.recent_files.clear()


def test_run_is_saved_as_preset_renamed_and_deleted(
    editing: WindowController,
    qtbot: QtBot,
    capsys: pytest.CaptureFixture,
) -> None:
    editing.window.experiments.perform("flip", 2.0)
    editing.window.file_actions.ask_save_preset()
    (dialog,) = editing.window.findChildren(PresetDialog)
    assert dialog.title.text() == "Torque-free body (edited)"
    assert "(?)" in dialog.watch.toPlainText(), "sentences of the original preset that may no longer be true"
    dialog.title.setText("Torque free")
    dialog.save_button.click()
    assert "a title that no shipped preset has" in dialog.problem.text()
    dialog.title.setText("Über den Kopf")
    dialog.summary.setPlainText("It turns.")
    dialog.save_button.click()
    assert not dialog.isVisible()
    card = preset_entries()[0]
    assert (card.title, card.summary, card.is_own) == ("Über den Kopf", "It turns.", True)
    kept = qv.load_preset("uber_den_kopf")
    assert kept.events == (qv.FlipSign(at=2.0),)
    assert cli.main(["list", "presets"]) == 0
    assert "uber_den_kopf" in capsys.readouterr().out
    picker = editing.window.side.picker
    assert card.path is not None
    picker.rename_own(card.path, "Heavy top")
    assert "no shipped preset has" in picker.problem.text()
    picker.rename_own(card.path, "Flipped")
    assert qv.load_preset("flipped").title == "Flipped"
    editing.window.file_actions.open(preset_entries()[0].path)  # type: ignore[arg-type]
    assert editing.simulation.preset.title == "Flipped"
    menu = picker.show_preset_menu(resources.user_preset_folder() / "flipped.toml", QPoint(10, 10))
    menu.actions()[1].trigger()
    menu.close()
    assert not any(card.is_own for card in preset_entries())
    status = editing.window.status
    assert status.message == "Deleted “Flipped”"
    status.undo_button.click()
    assert status.message == "Restored “Flipped”"
    assert status.undo_button.isHidden()
    assert qv.load_preset("flipped").title == "Flipped"


def test_deleted_preset_is_restored_from_the_menu(editing: WindowController) -> None:
    picker = editing.window.side.picker
    title = f"Tops & discs {'x' * 500}"
    path = save_own_preset(editing.document.state.preset, title, "", "")
    menu = picker.show_preset_menu(path, QPoint(10, 10))
    menu.actions()[1].trigger()
    menu.close()
    editing.window.status.clear()
    file_menu = editing.window.menus["File"]
    submenu = next(menu for menu in file_menu.findChildren(QMenu) if menu.title() == "Restore deleted preset")
    submenu.aboutToShow.emit()
    (entry,) = submenu.actions()
    assert entry.text().startswith("Tops && discs x")
    assert len(entry.text()) <= MAX_ENTRY_LENGTH + 1
    entry.trigger()
    assert path.exists()
    submenu.aboutToShow.emit()
    (entry,) = submenu.actions()
    assert (entry.text(), entry.isEnabled()) == ("No deleted presets", False)
    path.unlink()


def test_preset_file_names_are_plain_ascii() -> None:
    assert preset_name("  A -- Ring, damped! ") == "a_ring_damped"
    assert preset_name("日本") == ""
    assert len(preset_name("x" * 500)) == 60


def test_window_can_start_with_a_session(
    editing: WindowController, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit_everything(editing, qtbot)
    editing.window.file_actions.save_as(tmp_path / "mine.toml")
    editing.window.close()
    begun: list[tuple[Preset, ViewState | None]] = []
    proposed: list[bool] = []

    def run_window(
        preset: Preset, present: object, tour: object, look: ViewState | None, *args: object
    ) -> None:
        begun.append((preset, look))
        proposed.append(bool(args[-1]))

    monkeypatch.setattr("quatviz.app.run_window", run_window)
    cli.main([str(tmp_path / "mine.toml")])
    cli.main(["heavy_top"])
    assert proposed == [False, True], "a preset proposes a view state but no cursor"
    preset, look = begun[0]
    compile_preset(preset)
    newer = resources.settings_folder() / "recovery" / "1-newer.toml"
    newer.parent.mkdir(exist_ok=True)
    newer.write_text("format = 7\n", "utf-8")
    other = WindowController(preset, view_state=look)
    other.open()
    try:
        assert f"cannot be restored and is kept in {newer}, line 1, format: 7" in other.window.status.message
        assert_edited(other, qtbot)
        assert other.window.file_actions.file == tmp_path / "mine.toml"
    finally:
        other.window.close()
        other.window.deleteLater()
        delete_session_files(newer)


CHILD = """
import sys
from PySide6.QtCore import QTimer
import quatviz as qv
from quatviz.app import WindowController, make_application
app = make_application()
session = WindowController(qv.load_preset("torque_free"))
session.open()
session.document.propose("heavier", lambda state: state.with_preset(body=qv.Body(inertia=[450, 300, 200])))
QTimer.singleShot(100, lambda: print("changed", flush=True))
def again():
    session.document.propose("flip", lambda state: state.with_preset(events=(qv.FlipSign(at=3.0),)))
    print("flipped", flush=True)
QTimer.singleShot(2500, again)
app.exec()
"""


def kept_files(settings: Path) -> list[Path]:
    """Return the saved recovery files, without those being written."""
    return list(settings.glob("recovery/[!.]*.toml"))


def test_edits_survive_a_kill(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUATVIZ_SETTINGS_DIR", str(tmp_path))
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    with subprocess.Popen(
        [sys.executable, "-c", CHILD], stdout=subprocess.PIPE, text=True, env=environment
    ) as child:
        assert child.stdout is not None
        try:
            assert child.stdout.readline() == "changed\n"
            assert child.stdout.readline() == "flipped\n"
            assert recoverable_sessions() == [], "it lives"
            wait_for(lambda: any("flip" in path.read_text("utf-8") for path in kept_files(tmp_path)))
        finally:
            child.send_signal(signal.SIGKILL)
    (path,) = recoverable_sessions()
    session = read_session(path)
    assert session.preset.events == (qv.FlipSign(at=3.0),)
    assert session.preset.body.inertia[0, 0] == 450.0
    assert (tmp_path / "recovery").stat().st_uid == os.getuid()
    bar = RecoveryBar()
    qtbot.addWidget(bar)
    wanted: list[str] = []
    bar.restore_requested.connect(lambda file: wanted.append(parse_session(file.read_text()).preset.title))
    bar.offer(recoverable_sessions())
    assert "Torque-free body" in bar.text.text()
    bar.restore_button.click()
    assert wanted == ["Torque-free body"]
    assert path.exists(), "restoring the session deletes the file"
    assert bar.isHidden()
    bar.offer([path.with_name("taken.toml"), path, path.with_name("gone.toml")])
    assert "Torque-free body" in bar.text.text(), "another window has taken the first one"
    bar.discard_button.click()
    assert not path.exists()
    assert bar.isHidden()
    assert bar.window().focusWidget() in (None, bar.window()), "Space plays and pauses"


def test_recovery_file_taken_by_another_window_cannot_be_restored(
    editing: WindowController, tmp_path: Path
) -> None:
    bar, path = editing.window.recovery_bar, tmp_path / "taken.toml"
    for answer in (bar.discard_button, bar.restore_button):
        path.write_text(format_session(editing.window.file_actions.session), "utf-8")
        path.with_suffix("").mkdir()
        bar.offer([path])
        delete_session_files(path)  # the other window has restored or discarded it
        answer.click()
        assert bar.isHidden()
        assert editing.window.side.picker.problem.isVisibleTo(editing.window.side) == (
            answer is bar.restore_button
        )


class SlowDisk(RecoveryFile):
    """Disk stub that records what was written, and when."""

    def __init__(self) -> None:
        super().__init__()
        self.notes: queue.Queue[tuple[float, str]] = queue.Queue()

    def write(self, session: SavedSession) -> None:
        self.notes.put((time.monotonic(), session.preset.title))


def test_changes_are_saved_for_recovery_without_window_timers(
    qapp: QApplication,
) -> None:
    """As on a busy machine: no event is processed here."""
    every, disk = 0.5, SlowDisk()
    worth: list[str] = []
    saving = Autosave(disk, lambda: pytest.fail("asks the window"), lambda: bool(worth), pytest.fail, every)
    state = State.default_for(default_preset())
    saving.save_state(replace(state, preset=replace(state.preset, title="not started")))
    saving.start()
    saving.save_state(replace(state, preset=replace(state.preset, title="nothing to lose")))
    worth.append("a step")
    for number in range(1, 6):
        saving.save_state(replace(state, preset=replace(state.preset, title=f"{number}")))
        if number == 1:
            first, title = disk.notes.get(timeout=60.0)
            assert title == "1"
    second, title = disk.notes.get(timeout=60.0)
    assert title == "5", "intermediate states are skipped"
    assert second - first >= every
    saving.save_state(replace(state, preset=replace(state.preset, title="6")))
    saving.stop()  # closed normally by the user
    assert disk.notes.empty()


def test_edits_are_saved_for_recovery_in_a_blocked_window(editing: WindowController) -> None:
    kept = editing.window.file_actions.recovery_file
    editing.document.propose("fill", lambda state: replace(state, preset=replace(state.preset, title="Kept")))
    wait_for(kept.path.is_file)
    assert read_saved_session(kept.path).preset.title == "Kept"


def test_closed_window_leaves_no_recovery_file_and_restoring_is_undoable(
    editing: WindowController, qtbot: QtBot, tmp_path: Path
) -> None:
    mesh = tmp_path / "brick.stl"
    trimesh.creation.box((1.0, 2.0, 3.0)).export(mesh)
    drop(editing, mesh)
    type_value(inertia_entry(editing), "420")
    editing.autosave.save_if_changed()
    folder = resources.settings_folder() / "recovery"
    qtbot.waitUntil(lambda: not editing.autosave.has_pending)
    (file,) = folder.glob("[!.]*.toml")
    text = file.read_text("utf-8")
    other = folder / "999999-dead.toml"
    other.write_text(text.replace("420", "430"), "utf-8")
    shutil.copytree(file.with_suffix(""), other.with_suffix(""))
    shape = mesh.read_bytes()
    mesh.unlink()  # it is stored beside the recovery file
    unreadable = folder / "999998-dead.toml"
    unreadable.write_text("format = ", "utf-8")
    assert recoverable_sessions() == [other]
    editing.window.recovery_bar.offer(recoverable_sessions())
    editing.window.recovery_bar.restore_button.click()
    assert editing.simulation.preset.body.inertia[0, 0] == 430.0
    assert read_saved_session(file).preset.body.inertia[0, 0] == 430.0, (
        "a kill at this moment would lose nothing"
    )
    assert not other.exists()
    assert not other.with_suffix("").exists()
    body = editing.simulation.preset.body
    assert body.folder is not None
    assert (body.folder / body.shape).read_bytes() == shape
    editing.window.file_actions.save_as(tmp_path / "saved" / "run.toml")
    editing.document.undo()
    assert editing.simulation.preset.body.inertia[0, 0] == 420.0
    editing.window.close()
    remaining = [path for path in folder.iterdir() if path.suffix != ".lock"]
    assert sorted(remaining) == [unreadable.with_suffix(""), unreadable], "it may be of a newer version"


def test_dropped_mesh_is_stored_with_the_session(
    editing: WindowController, qtbot: QtBot, tmp_path: Path
) -> None:
    mesh = tmp_path / "brick.stl"
    trimesh.creation.box((1.0, 2.0, 3.0)).export(mesh)
    broken = tmp_path / "dust.stl"
    broken.write_text("solid dust")
    drop(editing, broken)
    problem = editing.window.side.setup.shape.problem
    qtbot.waitUntil(problem.isVisible)  # beside the chooser, which has to be visible
    assert editing.simulation.preset.body.shape != "dust.stl"
    drop(editing, mesh)
    assert editing.simulation.preset.body.shape == "brick.stl"
    kept = tmp_path / "elsewhere" / "run.toml"
    kept.parent.mkdir()
    editing.window.file_actions.save_as(kept)
    assert (kept.parent / "brick.stl").read_bytes() == mesh.read_bytes()
    assert read_session(kept).preset.body.folder == kept.parent
    (kept.parent / "brick.stl").write_text("another")
    messages: list[str] = []
    editing.document.message_emitted.connect(lambda sentence, topic: messages.append(sentence))
    editing.window.file_actions.save_as(kept)
    assert "another file" in messages[-1]
    assert (kept.parent / "brick.stl").read_text() == "another", "nothing is overwritten"
    mesh.unlink()
    editing.window.file_actions.save_as(tmp_path / "without.toml")
    assert messages[-1].endswith("moved or deleted since the run was opened: brick.stl")
    editing.document.undo()


WITHOUT_DISPLAY = """
import sys
from PySide6.QtCore import QTimer
import quatviz as qv
from quatviz.app import run_window
def edit(session):
    heavier = qv.Body(inertia=[450, 300, 200])
    session.document.propose("heavier", lambda state: state.with_preset(body=heavier))
    print("changed", flush=True)
def made(session):
    QTimer.singleShot(300, lambda: edit(session))
sys.exit(run_window(qv.load_preset("torque_free"), tour=False, on_created=made))
"""


def test_edits_survive_a_lost_display(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUATVIZ_SETTINGS_DIR", str(tmp_path))
    read_fd, write_fd = os.pipe()
    arguments = ["Xvfb", "-displayfd", str(write_fd), "-screen", "0", "1280x800x24", "+extension", "GLX"]
    with (
        subprocess.Popen(arguments, pass_fds=[write_fd], stderr=subprocess.DEVNULL) as server,
        os.fdopen(read_fd) as number,
    ):
        try:
            environment = {
                **os.environ,
                "DISPLAY": f":{number.readline().strip()}",
                "PYTHONPATH": str(Path(__file__).parents[3]),
            }
            with subprocess.Popen(
                [sys.executable, "-c", WITHOUT_DISPLAY],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
            ) as child:  # fmt: skip
                assert child.stdout is not None
                changed = child.stdout.readline()
                wait_for(lambda: kept_files(tmp_path))
                server.kill()
                _, output = child.communicate(timeout=TIMEOUT_SECONDS)
        finally:
            server.kill()
            os.close(write_fd)
    assert (changed, child.returncode) == ("changed\n", 1)
    assert output.endswith("The next start offers to restore your work.\n")
    assert "Traceback" not in output
    closed = load_last_session()  # unless Xlib noticed it first
    (kept,) = (
        [read_saved_session(path) for path in recoverable_sessions()] if closed is None else [closed.session]
    )
    assert kept.preset.body.inertia[0, 0] == 450
