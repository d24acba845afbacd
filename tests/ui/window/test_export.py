"""Export from the real window: files contain what is shown, and errors appear in the dialog."""

import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtWidgets import QFileDialog, QListWidget
from pytestqt.qtbot import QtBot
from window_steps import editing, pause_at, wait_export, wait_two_frames  # noqa: F401

import quatviz as qv
from quatviz.analysis.executors import command
from quatviz.app import WindowController
from quatviz.display.view_state.choices import SEQUENCE_CHOICE, frame_choice
from quatviz.display.view_state.theme import LIGHT, PROJECTOR
from quatviz.export.figures.drawing import draw_figure
from quatviz.export.figures.paper import Paper
from quatviz.export.table import Table, ignore_progress
from quatviz.export.table_files import read_session_of_table
from quatviz.files import files
from quatviz.ui.plots.board import board_menu, panel_menu
from quatviz.ui.plots.panel_view import PanelView
from quatviz.ui.plots.time_view import TimeView
from quatviz.ui.tools.export.exporter import WHOLE_BOARD
from quatviz.ui.tools.export.figure_dialog import VIEW, FigureDialog
from quatviz.ui.tools.export.run_dialogs import IN_SIGHT, DataDialog


def figure_dialog(session: WindowController, name: str = WHOLE_BOARD) -> FigureDialog:
    dialog = session.exporter.open_dialog("figure", name)
    assert isinstance(dialog, FigureDialog)
    return dialog


def tick(names: QListWidget, wanted: tuple[str, ...]) -> None:
    """Check these items and no others."""
    for number in range(names.count()):
        item = names.item(number)
        on = item.data(Qt.ItemDataRole.UserRole) in wanted
        item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)


def data_dialog(session: WindowController) -> DataDialog:
    session.window.action_registry["export_data"].trigger()
    dialog = session.exporter.dialogs["data"]
    assert isinstance(dialog, DataDialog)
    return dialog


def wait_taken_in(session: WindowController, qtbot: QtBot) -> None:
    """Wait until the plots show all computed rows: they take some with each frame."""
    duration = session.simulation.duration
    qtbot.waitUntil(
        lambda: (frame := session.frame_loop.frame) is not None and frame.computed_to >= duration - 1e-9
    )
    qtbot.waitUntil(lambda: is_fully_drawn(session))
    wait_two_frames(session, qtbot)


def panel_of(session: WindowController, name: str) -> PanelView:
    """Return the view of a panel."""
    (view,) = (view for view in session.window.board.panels if view.name == name)
    return view


def is_fully_drawn(session: WindowController) -> bool:
    """Return True if the curves of h have all rows. Panels take them in turns, later on a busy machine."""
    panel = panel_of(session, "h")
    assert isinstance(panel, TimeView)
    traces = [trace for plot in panel.plots for trace in plot.traces]
    return all(len(trace.series.times) >= session.simulation.samples for trace in traces)


def test_figure_states_the_options_of_its_panels(editing: WindowController, qtbot: QtBot) -> None:
    wait_taken_in(editing, qtbot)
    choices = editing.window.board.choices
    choices.choose(SEQUENCE_CHOICE, "313")
    choices.choose(frame_choice("h_frame"), "space")
    notes = {
        panel.title: panel.note
        for panel in editing.exporter.describe_figure(WHOLE_BOARD)(ignore_progress).panels
    }
    assert "3-1-3" in notes["Euler angles"]
    assert notes["Angular momentum"] == "space frame"
    assert notes["Angular velocity"] == "body frame"
    choices.choose(SEQUENCE_CHOICE, "321")
    choices.choose(frame_choice("h_frame"), "body")  # otherwise the window of the next test would keep it


def test_figure_description_matches_the_panel(editing: WindowController, qtbot: QtBot) -> None:
    session = editing
    wait_taken_in(session, qtbot)
    picture = session.exporter.describe_figure("h")(ignore_progress)
    (panel,) = picture.panels
    assert panel.title == "Angular momentum"
    assert [strip.symbol for strip in panel.plots] == ["h₁", "h₂", "h₃"]
    assert picture.legend[:2] == [("Newton–Euler", 0), ("Hamilton, reduced to h", 1)]
    assert [name for name, _ in picture.legend[2:]] == ["striped: lanes agree"]
    assert {trace.color for trace in panel.plots[0].traces} == set(LIGHT.lanes[:2]), "as in the light theme"
    lane = session.simulation["hamilton"]
    trace = panel.plots[1].traces[1]
    assert trace.label == "hamilton"
    assert trace.series.maximum[1] == lane.h[:, 1].max()
    assert trace.series.minimum[1] == lane.h[:, 1].min()
    assert (picture.low, picture.high) == (0.0, 40.0)
    assert "Runge–Kutta 4, dt = 0.001 s" in picture.footnote


def test_figure_uses_lanes_options_and_time_range_of_the_board(
    editing: WindowController, qtbot: QtBot
) -> None:
    session = editing
    wait_taken_in(session, qtbot)
    board = session.window.board
    board.axis.zoom(0.25, 10.0)
    low, high = board.axis.low, board.axis.high
    picture = session.exporter.describe_figure("h")(ignore_progress)
    assert (picture.low, picture.high) == (low, high)
    assert draw_figure(picture, Paper()).axes[0].get_xlim() == (low, high)
    board.store.update(difference=True)
    plot = session.exporter.describe_figure("h")(ignore_progress).panels[0].plots[0]
    assert plot.scale_name == "log"
    assert plot.symbol == "|Δh₁|"
    assert [trace.label for trace in plot.traces] == ["hamilton"]
    board.store.update(difference=False)
    board.axis.show_all()


def test_whole_board_is_written_in_every_format(
    editing: WindowController, qtbot: QtBot, tmp_path: Path
) -> None:
    session = editing
    session.window.board.show_panel("cost", True)
    wait_two_frames(session, qtbot)
    dialog = figure_dialog(session)
    for suffix in ("pdf", "svg", "png"):
        path = tmp_path / f"board.{suffix}"
        dialog.write(path)
        assert dialog.export_button.text() == "Cancel"
        wait_export(dialog, qtbot)
        assert dialog.status_label.text() == f"Written to {path}", dialog.problem.text()
        assert 10_000 < path.stat().st_size < 3_000_000
    image = QImage(str(tmp_path / "board.png"))
    assert image.width() == pytest.approx(2126, abs=1)
    assert image.pixelColor(3, 3) == QColor("white")
    assert dialog.export_button.text() == "Export…"


def test_panel_without_plots_is_exported(editing: WindowController, qtbot: QtBot, tmp_path: Path) -> None:
    session = editing
    session.window.board.show_panel("cost", True)
    wait_two_frames(session, qtbot)
    dialog = figure_dialog(session, "cost")
    for suffix, head in (("pdf", b"%PDF"), ("svg", b"<?xml"), ("png", b"\x89PNG")):
        dialog.format.show_value(suffix)
        dialog.write(tmp_path / f"cost.{suffix}")
        wait_export(dialog, qtbot)
        assert (tmp_path / f"cost.{suffix}").read_bytes().startswith(head)
    image = QImage(str(tmp_path / "cost.png"))
    assert image.width() == pytest.approx(2126, abs=1)
    bar = QColor(LIGHT.lanes[0])
    assert any(
        image.pixelColor(x, y) == bar for x in range(300, 900, 50) for y in range(0, image.height(), 3)
    ), "the bar of the first lane, in the light theme"


def test_view_is_exported_in_light_theme_without_changing_the_window(
    editing: WindowController, qtbot: QtBot, tmp_path: Path
) -> None:
    session = editing
    pause_at(session, qtbot, 3.0)
    before = session.window.scene.grab().toImage()
    dialog = figure_dialog(session, VIEW)
    dialog.width_.show_text("120")
    assert not dialog.format.isEnabled()
    dialog.write(tmp_path / "view.png")
    image = QImage(str(tmp_path / "view.png"))
    scene = session.window.scene
    assert image.width() == 1417
    assert image.width() / image.height() == pytest.approx(scene.width() / scene.height(), abs=0.01)
    assert image.pixelColor(5, 5).lightness() > 200, "a light ground"
    colors = {image.pixelColor(x, y).name() for x in range(0, 1417, 40) for y in range(0, image.height(), 40)}
    assert len(colors) > 60, "with a body on it"
    assert session.window.scene.grab().toImage() == before


def test_copy_puts_bitmap_and_vector_picture_on_clipboard(editing: WindowController, qtbot: QtBot) -> None:
    session = editing
    session.exporter.copy_figure("h")
    dialog = session.exporter.dialogs["figure"]
    wait_export(dialog, qtbot)
    data = QGuiApplication.clipboard().mimeData()
    assert data.hasImage()
    assert bytes(data.data("image/svg+xml").data()).startswith(b"<?xml")
    assert dialog.status_label.text() == "Copied the figure as PNG and SVG"


@pytest.mark.parametrize(
    ("field", "text", "message"), [("width_", "wide", "a number of mm"), ("size_", "99", "36 pt")]
)
def test_invalid_values_are_explained_in_the_dialog(
    editing: WindowController, field: str, text: str, message: str
) -> None:
    dialog = figure_dialog(editing, "h")
    getattr(dialog, field).show_text(text)
    dialog.export_button.click()
    assert message in dialog.problem.text()
    assert dialog.isVisible()


def test_export_button_suggests_a_name_from_the_preset(
    editing: WindowController, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def choose(parent: object, title: str, name: str, name_filter: str) -> tuple[str, str]:
        asked.append(Path(name).name)
        return str(tmp_path / "mine"), name_filter

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    dialog = figure_dialog(editing, "h")
    dialog.format.show_value("svg")
    qtbot.mouseClick(dialog.export_button, Qt.MouseButton.LeftButton)
    wait_export(dialog, qtbot)
    assert asked == ["Torque-free body - Angular momentum.svg"]
    assert (tmp_path / "mine.svg").exists()


def test_data_export_uses_visible_range_lanes_and_columns(
    editing: WindowController, qtbot: QtBot, tmp_path: Path
) -> None:
    session = editing
    session.window.board.axis.zoom(0.25, 10.0)
    low, high = session.exporter.visible_span
    dialog = data_dialog(session)
    dialog.range_box.show_value(IN_SIGHT)
    tick(dialog.lanes, ("hamilton",))
    tick(dialog.quantities, ("h", "angles_313"))
    assert "columns" in dialog.note_label.text()
    path = tmp_path / "data.npz"
    dialog.write(path)
    wait_export(dialog, qtbot)
    with np.load(path) as arrays:
        assert set(arrays) == {"t", "settings", "hamilton:h", "hamilton:angles_313"}
        assert low - 1e-9 <= arrays["t"][0] < low + 0.0101
        assert high - 0.0101 < arrays["t"][-1] <= high + 1e-9
        rows = np.round(arrays["t"] / 0.01).astype(int)
        assert (arrays["hamilton:h"] == session.simulation["hamilton"].h[rows]).all()
    assert qv.load_preset(path) == session.simulation.preset
    stored = read_session_of_table(path).view_state
    assert stored is not None
    assert stored.span is not None, "the file is opened as the window showed the run"
    session.window.board.axis.show_all()


def test_export_without_columns_is_explained(editing: WindowController) -> None:
    dialog = data_dialog(editing)
    tick(dialog.quantities, ())
    assert dialog.note_label.text() == "Tick a column."
    dialog.export_button.click()
    assert "at least one column" in dialog.problem.text()


def test_full_disk_is_reported_and_the_old_file_stays(
    editing: WindowController, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "run.csv"
    path.write_text("old")
    monkeypatch.setattr(files.os, "fsync", full)
    dialog = data_dialog(editing)
    dialog.write(path)
    wait_export(dialog, qtbot)
    assert "no space left on the disk" in dialog.problem.text()
    assert path.read_text() == "old"
    assert dialog.export_button.text() == "Export…"


def test_long_export_shows_progress_and_can_be_cancelled(
    editing: WindowController, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from quatviz.export.formats.csv import CSV

    def slow(self: object, table: Table, fresh: Path) -> None:
        fresh.write_text("half")
        for step in range(1200):
            table.progress(step / 2000)
        while True:  # until it is cancelled
            table.progress(0.6)
            time.sleep(0.01)

    monkeypatch.setattr(CSV, "write", slow)
    session, path = editing, tmp_path / "run.csv"
    path.write_text("old")
    dialog = data_dialog(session)
    dialog.write(path)
    qtbot.waitUntil(lambda: dialog.progress.value() > 505)
    assert dialog.progress.isVisible()
    wait_two_frames(session, qtbot)
    qtbot.mouseClick(dialog.export_button, Qt.MouseButton.LeftButton)
    wait_export(dialog, qtbot)
    assert dialog.status_label.text().startswith("Cancelled")
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.csv"]


def test_only_one_export_runs_at_a_time(editing: WindowController, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = figure_dialog(editing, "h")
    dialog.write(tmp_path / "h.pdf")
    assert not dialog.copy_button.isEnabled()
    with pytest.raises(qv.InputError, match="one export at a time"):
        dialog.write(tmp_path / "other.pdf")
    wait_export(dialog, qtbot)
    assert dialog.copy_button.isEnabled()
    assert [path.name for path in tmp_path.iterdir()] == ["h.pdf"]


def test_closing_the_window_ends_an_export(editing: WindowController, qtbot: QtBot, tmp_path: Path) -> None:
    """The thread ends with the window: the check for leaked threads looks for it."""
    dialog = figure_dialog(editing)
    dialog.write(tmp_path / "board.png")
    editing.window.close()
    assert not editing.exporter.dialogs
    assert not list(tmp_path.glob(".*"))


def test_internal_error_of_an_export_is_reported(
    editing: WindowController, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from quatviz.export.figures import drawing

    def broken(*arguments: object) -> None:
        raise ZeroDivisionError("of the test")

    monkeypatch.setattr(drawing, "draw_figure", broken)
    dialog = figure_dialog(editing, "h")
    dialog.write(tmp_path / "h.pdf")
    wait_export(dialog, qtbot)
    assert "ZeroDivisionError: of the test" in dialog.problem.text()


STOP_AFTER_FIRST_EXHIBIT = """
import signal, sys
from quatviz import cli
from quatviz.commands import figures

print_progress = figures._print_progress

def stop(title, done, total):
    print_progress(title, done, total)
    if done == 1:
        signal.raise_signal(signal.SIGSTOP)

figures._print_progress = stop
sys.exit(cli.main())
"""
"""Program of `quatviz figures` that suspends itself after it wrote the first exhibit."""


class _SuspendedFigures(subprocess.Popen[str]):
    """A process of `quatviz figures` that suspends itself, and continues when it is told to end."""

    def __init__(self, arguments: list[str], **options: Any) -> None:
        if "figures" in arguments:
            module = arguments.index("-m")
            arguments = [*arguments[:module], "-c", STOP_AFTER_FIRST_EXHIBIT, *arguments[module + 2 :]]
        super().__init__(arguments, **options)

    def send_signal(self, number: int) -> None:
        super().send_signal(number)
        super().send_signal(signal.SIGCONT)


def test_documents_are_exported_with_one_click_and_can_be_cancelled(
    editing: WindowController,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    ignored = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in a program started by a script
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, ignored))
    monkeypatch.setattr(command.subprocess, "Popen", _SuspendedFigures)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    editing.window.action_registry["export_documents"].trigger()
    dialog = editing.exporter.dialogs["documents"]
    qtbot.waitUntil(lambda: bool(list(tmp_path.glob("figure_2.p*"))), timeout=300_000)
    qtbot.mouseClick(dialog.export_button, Qt.MouseButton.LeftButton)
    wait_export(dialog, qtbot)
    assert dialog.status_label.text().startswith("Cancelled"), dialog.problem.text()
    assert not (tmp_path / "table_5.md").exists()
    assert not list(tmp_path.glob(".*"))


def test_menus_and_keys_open_the_export(editing: WindowController, qtbot: QtBot) -> None:
    session = editing
    board = session.window.board
    panel = panel_of(session, "h")
    for menu, expected in (
        (board_menu(board), {"Export a figure…", "Export data…"}),
        (panel_menu(board, panel), {"Copy as picture", "Export a figure…", "Export data…"}),
    ):
        actions = {action.text().split("\t")[0]: action for action in menu.actions()}
        assert expected <= set(actions)
    actions["Export a figure…"].trigger()
    figure = session.exporter.dialogs["figure"]
    assert isinstance(figure, FigureDialog)
    assert figure.subject_box.value == "h"
    assert session.window.action_registry["export_figure"].shortcut().toString() == "Ctrl+E"
    session.window.theme_switch.show(PROJECTOR)
    button = figure.export_button
    assert PROJECTOR.accent == button.grab().toImage().pixelColor(6, button.height() // 2).name()
