"""Films from the real window: each frame shows its time, the window keeps running, no partial files."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from film_pictures import assert_shows, frames_of, pixels_of
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel
from pytestqt.qtbot import QtBot
from window_steps import editing, inertia_entry, pause_at, type_value, wait_export, wait_two_frames  # noqa: F401

import quatviz as qv
from quatviz.app import WindowController
from quatviz.display.view_state.view_state import ALL_OTHERS, ViewState
from quatviz.export.film.palette import ColorPalette
from quatviz.export.film.plan import FilmPlan
from quatviz.simulation.commands import SetRange
from quatviz.simulation.simulation import Simulation
from quatviz.ui.plots.board import PlotBoard
from quatviz.ui.plots.strip_plot import StripPlot
from quatviz.ui.tools.export.film_dialog import IN_SIGHT, SELECTED, VIEW, WINDOW, FilmDialog
from quatviz.ui.tools.export.frame_sources import ViewFrameSource, window_pixel_size
from quatviz.ui.window.offscreen import OffscreenWindow, WindowFrameSource


def film_dialog(
    session: WindowController, what: str = VIEW, width: int = 320, height: int = 240
) -> FilmDialog:
    """Return the dialog of a small film of the selected times, or of the whole run without a selection."""
    session.window.action_registry["export_film"].trigger()
    dialog = session.exporter.dialogs["film"]
    assert isinstance(dialog, FilmDialog)
    dialog.subject_box.show_value(what)
    for entry, text in (
        (dialog.width_, width),
        (dialog.height_, height),
        (dialog.rate, 10),
        (dialog.speed, 1),
    ):
        entry.show_text(str(text))
    return dialog


def select(session: WindowController, qtbot: QtBot, low: float = 2.0, high: float = 2.6) -> None:
    session.frame_loop.send(SetRange(low, high))
    qtbot.waitUntil(lambda: session.exporter.selected_span == (low, high))


@pytest.mark.parametrize("suffix", [".mp4", ".gif"])
def test_film_of_the_view_leaves_the_window_unchanged(
    suffix: str, editing: WindowController, qtbot: QtBot, tmp_path: Path
) -> None:
    session, path = editing, tmp_path / f"film{suffix}"
    pause_at(session, qtbot, 7.0)
    before = session.window.scene.grab().toImage()
    select(session, qtbot)
    dialog = film_dialog(session)
    assert dialog.times_box.value == SELECTED
    assert dialog.note_label.text() == "7 frames, 0.70 s of film, t = 2 to 2.6 s."
    dialog.write(path)
    assert dialog.export_button.text() == "Cancel"
    wait_export(dialog, qtbot)
    assert dialog.status_label.text().startswith(f"Written to {path}, 0.70 s"), dialog.problem.text()
    frames = frames_of(path)
    assert len(frames) == 7
    assert frames[0].shape == (240, 320, 3)
    take = ViewFrameSource(session.frame_loop.builder, dialog.plan(), session.window.view_state)
    for number in (0, 3, 6):
        assert_shows(frames, number, pixels_of(take.render(2.0 + 0.1 * number)))
    take.close()
    assert session.frame_loop.snapshot.time == 7.0
    assert session.window.scene.grab().toImage() == before


def test_film_shows_the_views_of_the_window(editing: WindowController, qtbot: QtBot) -> None:
    """The lanes, the items and the camera directions are those of the window; the theme may differ."""
    session = editing
    views = session.window.views
    views.set_number(2)
    views.look_from("top")
    views.set_item_visible("polhode", True)
    wait_two_frames(session, qtbot)
    select(session, qtbot)
    plan = film_dialog(session).plan()
    take = ViewFrameSource(
        session.frame_loop.builder, plan, replace(session.window.view_state, theme="light")
    )
    light = pixels_of(take.render(2.0))
    assert light[120, 5].min() > 200, "a light ground"
    assert [view.text_overlay.title_lines[0][0] for view in take.views.shown_views] == [
        "Newton–Euler",
        "Hamilton, reduced to h",
    ]
    assert [view.text_overlay.stamp for view in take.views.shown_views] == ["", "t = 2.00 s"]
    assert not any(view.text_overlay.is_active for view in take.views.shown_views)
    for filmed, seen in zip(take.views.shown_views, views.shown_views, strict=True):
        assert filmed.stage.is_visible("polhode")
        assert np.allclose(filmed.camera.back, seen.camera.back)
    views.set_number(1)
    source = ViewFrameSource(session.frame_loop.builder, plan, session.window.view_state)
    source.render(2.5)
    (view,) = source.views.shown_views
    assert [name for name, _ in view.text_overlay.title_lines] == ["Newton–Euler", "Hamilton, reduced to h"]
    assert view.text_overlay.stamp == "t = 2.50 s"
    for frame_source in (take, source):
        frame_source.close()


def test_film_frame_may_be_larger_than_the_screen(editing: WindowController, qtbot: QtBot) -> None:
    select(editing, qtbot)
    plan = film_dialog(editing, width=2400, height=1400).plan()
    take = ViewFrameSource(editing.frame_loop.builder, plan, editing.window.view_state)
    large = pixels_of(take.render(2.0))
    take.close()
    assert large.shape == (1400, 2400, 3)
    rows, columns = np.nonzero(np.abs(large.astype(int) - large[:1, :1]).max(axis=2) > 100)
    assert rows.max() > 1100
    assert columns.max() > 1500


def test_film_of_the_window_restores_its_cursor(
    editing: WindowController, qtbot: QtBot, tmp_path: Path
) -> None:
    session, path = editing, tmp_path / "film.mp4"
    pause_at(session, qtbot, 7.0)
    select(session, qtbot)
    own = window_pixel_size(session.window)
    dialog = film_dialog(session, WINDOW, own[0] - own[0] % 2, own[1] - own[1] % 2)
    assert "Do not use the window meanwhile" in dialog.note_label.text()
    times: set[float] = set()
    watch = _Watch(times, session.window.board)
    session.frame_loop.add(watch)
    dialog.write(path)
    wait_export(dialog, qtbot)
    assert {2.0, 2.1, 2.6} <= times
    assert dialog.status_label.text().startswith("Written"), dialog.problem.text()
    wait_two_frames(session, qtbot)
    assert session.frame_loop.snapshot.target_time == 7.0, "the cursor is where it was"
    assert watch.whole[2.1]
    assert not watch.whole[7.0]
    frames = frames_of(path)
    assert len(frames) == 7
    pause_at(session, qtbot, 2.3)
    still = session.window.grab().toImage().copy(0, 0, own[0] - own[0] % 2, own[1] - own[1] % 2)
    assert_shows(frames, 3, pixels_of(still))


def test_film_in_another_size_uses_an_offscreen_window(editing: WindowController, qtbot: QtBot) -> None:
    session = editing
    window = session.window
    pause_at(session, qtbot, 7.0)
    window.views.look_from("top")
    window.board.set_panel_visibility({"drift": False, "h": True})
    window.board.store.update(difference=True)
    wait_two_frames(session, qtbot)
    for bar in (window.side.verticalScrollBar(), window.board.scroll_bar):
        bar.setValue(bar.maximum())
    dialog = film_dialog(session, WINDOW, 1200, 1000)
    assert "can use the window meanwhile" in dialog.note_label.text()
    take = session.exporter.frame_source(True, dialog.plan(), "")
    assert isinstance(take, OffscreenWindow)
    try:
        picture = take.render(3.0)
        staged = take.window
        assert (picture.width(), picture.height()) == (1200, 1000) == (staged.width(), staged.height())
        assert staged.shown_run.frame is not None
        assert staged.shown_run.frame.target_time == 3.0
        assert session.window.shown_run.frame is not None
        assert session.window.shown_run.frame.target_time == 7.0
        assert staged.board.store.state.panels == window.board.store.state.panels
        assert staged.board.choices.difference
        for bar, other in (
            (staged.side.verticalScrollBar(), window.side.verticalScrollBar()),
            (staged.board.scroll_bar, window.board.scroll_bar),
        ):
            assert bar.value() == (bar.maximum() if other.maximum() else 0)
        assert staged.scene.camera.back == pytest.approx(window.scene.camera.back)
        assert staged.side.width() == pytest.approx(window.side.width(), abs=2)
        assert np.ptp(pixels_of(picture)[:, -200:].astype(int)) > 100, "the right end is not empty"
    finally:
        take.close()
    window.board.store.update(difference=False)


def test_offscreen_window_aligns_times_with_curves(qapp: QApplication) -> None:
    """The time axis had reserved space for the names at the ends, but the curves had not."""
    look = ViewState(panels={ALL_OTHERS: False, "drift": True})
    run = Simulation(qv.load_preset("unconstrained"))
    run.complete()
    take = OffscreenWindow(run, FilmPlan(1800, 1000), look)
    try:
        take.render(3.0)
        plots = [plot for plot in take.window.board.findChildren(StripPlot) if plot.isVisible()]
        assert plots[0].side_width > 0
        for plot in plots:
            assert plot.area.right() == plot.width() - plot.plot_style.margin - plot.side_width
    finally:
        take.close()


class _Watch:
    """Listener that records the times of its frames, and whether the curves were complete."""

    def __init__(self, times: set[float], board: PlotBoard) -> None:
        self._times, self._board = times, board
        self.whole: dict[float, bool] = {}

    def start(self, source: object) -> None:
        pass

    def show_frame(self, frame: object) -> None:
        self._times.add(round(frame.time, 6))  # type: ignore[attr-defined]
        self.whole[round(frame.time, 6)] = self._board.axis.is_offline  # type: ignore[attr-defined]


def test_edit_during_a_film_of_the_window_ends_it(
    editing: WindowController, qtbot: QtBot, tmp_path: Path
) -> None:
    session = editing
    select(session, qtbot)
    own = window_pixel_size(session.window)
    dialog = film_dialog(session, WINDOW, own[0] - own[0] % 2, own[1] - own[1] % 2)
    dialog.rate.show_text("100")
    dialog.write(tmp_path / "film.mp4")
    qtbot.waitUntil(lambda: dialog.progress.value() > 0)
    session.window.activateWindow()
    type_value(inertia_entry(session), "410")
    wait_export(dialog, qtbot)
    assert "edited meanwhile" in dialog.problem.text()
    assert list(tmp_path.iterdir()) == []
    wait_two_frames(session, qtbot)


def test_film_of_the_view_completes_if_the_run_changes(
    editing: WindowController, qtbot: QtBot, tmp_path: Path
) -> None:
    session = editing
    select(session, qtbot)
    dialog = film_dialog(session)
    dialog.rate.show_text("50")
    dialog.write(tmp_path / "film.mp4")
    type_value(inertia_entry(session), "410")
    wait_export(dialog, qtbot)
    assert dialog.status_label.text().startswith("Written"), dialog.problem.text()
    assert len(frames_of(tmp_path / "film.mp4")) == 31


def test_film_can_be_cancelled(editing: WindowController, qtbot: QtBot, tmp_path: Path) -> None:
    session, path = editing, tmp_path / "film.gif"
    path.write_text("old")
    select(session, qtbot, 2.0, 30.0)
    dialog = film_dialog(session)
    dialog.write(path)
    qtbot.waitUntil(lambda: dialog.progress.value() > 5)
    wait_two_frames(session, qtbot)
    qtbot.mouseClick(dialog.export_button, Qt.MouseButton.LeftButton)
    wait_export(dialog, qtbot)
    assert dialog.status_label.text().startswith("Cancelled")
    assert dialog.producer is None
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["film.gif"]


def test_closing_the_window_ends_a_film(editing: WindowController, qtbot: QtBot, tmp_path: Path) -> None:
    """No thread and no timer remains: the checks for leaks look for them."""
    select(editing, qtbot, 2.0, 30.0)
    dialog = film_dialog(editing)
    dialog.write(tmp_path / "film.mp4")
    qtbot.waitUntil(lambda: dialog.progress.value() > 0)
    editing.window.close()
    assert not editing.exporter.dialogs
    assert list(tmp_path.iterdir()) == []


def test_encoding_error_is_reported(
    editing: WindowController, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: object, picture: object) -> None:
        raise ZeroDivisionError("of the test")

    monkeypatch.setattr(ColorPalette, "quantize", broken)
    select(editing, qtbot)
    dialog = film_dialog(editing)
    dialog.write(tmp_path / "film.gif")
    wait_export(dialog, qtbot)
    assert "ZeroDivisionError: of the test" in dialog.problem.text()
    assert dialog.producer is None
    assert list(tmp_path.iterdir()) == []


def test_painting_error_is_reported(
    editing: WindowController, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: object, time: float) -> None:
        raise ZeroDivisionError("of the test")

    monkeypatch.setattr(WindowFrameSource, "render", broken)
    select(editing, qtbot)
    dialog = film_dialog(editing, WINDOW)
    dialog.write(tmp_path / "film.mp4")
    wait_export(dialog, qtbot)
    assert "ZeroDivisionError: of the test" in dialog.problem.text()
    assert list(tmp_path.iterdir()) == []


def test_missing_pyav_is_reported_with_the_install_command(
    editing: WindowController, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    dialog = film_dialog(editing)
    dialog.export_button.click()
    assert f'{sys.executable} -m pip install "av' in dialog.problem.text()
    assert dialog.isVisible()


@pytest.mark.parametrize(
    ("field", "text", "message"),
    [
        ("width_", "321", "even numbers"),
        ("rate", "fast", "a number of frames"),
        ("speed", "0", "the film's speed"),
    ],
)
def test_invalid_values_are_explained_in_the_dialog(
    editing: WindowController, field: str, text: str, message: str
) -> None:
    dialog = film_dialog(editing)
    getattr(dialog, field).show_text(text)
    dialog.export_button.click()
    assert message in dialog.problem.text()
    for width in (480, 900):
        dialog.resize(width, 1)  # at its minimum height
        QApplication.processEvents()
        for label in dialog.findChildren(QLabel):
            if label.wordWrap() and label.isVisible():
                assert label.height() >= label.heightForWidth(label.width()), label.text()


def test_films_end_where_the_run_is_not_computed(
    editing: WindowController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(editing.exporter), "computed_to", 1.0)
    dialog = film_dialog(editing)
    with pytest.raises(qv.InputError, match="wait until"):
        dialog.write(tmp_path / "film.mp4")


def test_export_button_films_the_visible_range(
    editing: WindowController, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def choose(parent: object, title: str, name: str, name_filter: str) -> tuple[str, str]:
        asked.append(Path(name).name)
        return str(tmp_path / "mine"), name_filter

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    qtbot.waitUntil(lambda: editing.exporter.computed_to > 11.0)
    editing.window.board.axis.zoom(0.01, 10.0)
    dialog = film_dialog(editing)
    dialog.times_box.show_value(IN_SIGHT)
    dialog.update_note()
    assert dialog.note_label.text().startswith("5 frames, 0.50 s of film"), dialog.note_label.text()
    qtbot.mouseClick(dialog.export_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.job is None and (tmp_path / "mine.mp4").exists())
    assert asked == ["Torque-free body - film.mp4"]
    assert len(frames_of(tmp_path / "mine.mp4")) == 5
    editing.window.board.axis.show_all()
