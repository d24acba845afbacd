"""Themes and scale of the window: chosen in its menu and remembered."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from window_steps import editing  # noqa: F401 (a fixture)

import quatviz as qv
from quatviz.app import WindowController, discard_invalid_scale_factors
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.document.timeline_markers import JumpMarker
from quatviz.display.view_state.choices import ANGLE_RANGE_CHOICE
from quatviz.display.view_state.theme import DARK, GRID_UNIT, INTERFACE_SCALES, LIGHT, PROJECTOR, THEMES
from quatviz.files import settings_file
from quatviz.physics.observables.jumps import WRAP
from quatviz.teaching.lessons import read_lesson
from quatviz.ui.plots.time_view import TimeView
from quatviz.ui.widgets.style import Themed, make_palette, theme_of
from quatviz.ui.window.actions import ACTIONS
from quatviz.ui.window.main_window import MainWindow
from quatviz.ui.window.settings import Settings


def test_chosen_theme_applies_to_all_windows(editing: WindowController, qapp: QApplication) -> None:
    editing.open_tool("study")
    editing.open_tool("help", "window")
    editing.window.equation_window.open()
    editing.exporter.open_dialog("film")
    editing.window.views.set_number(2)
    for theme in (*(theme for theme in THEMES.values() if theme is not DARK), DARK):
        editing.window.action_registry[f"theme_{theme.name}"].trigger()
        assert editing.window.theme is theme
        editing.window.menus["View"].aboutToShow.emit()
        assert [name for name in THEMES if editing.window.action_registry[f"theme_{name}"].isChecked()] == [
            theme.name
        ]
        parts = [part for part in qapp.allWidgets() if part.window().isVisible()]
        assert len(parts) > 500
        assert {theme_of(part).name for part in parts} == {theme.name}
        assert {part.theme.name for part in parts if isinstance(part, Themed)} == {theme.name}


def test_window_with_its_own_theme_does_not_affect_others(
    editing: WindowController, qapp: QApplication
) -> None:
    own = MainWindow(Document(editing.document.state), ACTIONS, theme=LIGHT)
    assert {theme_of(part).name for part in own.findChildren(QWidget) if part.window() is own} == {"light"}
    assert own.side.palette().windowText() == make_palette(LIGHT).windowText()
    own.theme_switch.show(PROJECTOR)
    assert {theme_of(part).name for part in own.findChildren(QWidget) if part.window() is own} == {
        "projector"
    }
    assert (editing.window.theme, theme_of(editing.window.side)) == (DARK, DARK)
    own.shutdown()
    own.deleteLater()


def test_scale_applies_at_once_and_at_the_next_start(editing: WindowController, qtbot: QtBot) -> None:
    """Text, icons, fields, plots and 3D labels grow, and return to their sizes when the scale is reset."""
    window = editing.window
    board, side, field = window.board, window.side, window.side.setup.body.rows["mass"].field

    def sizes() -> list[int]:
        panel = next(candidate for candidate in board.panels if isinstance(candidate, TimeView))
        return [
            *(window.fontInfo().pixelSize(), window.transport.time_field.fontInfo().pixelSize()),
            *(side.undo_button.sizeHint().width(), field.width(), side.minimumSizeHint().width()),
            *(panel.title_row.height() - GRID_UNIT, panel.plots[0].plot_style.header_height),
            round(window.scene.text_overlay.labels.text_image("x", "#ffffff", 1.0).height),
            QApplication.instance().styleSheet().count("min-height: 52px"),  # type: ignore[union-attr]
        ]

    before, theme = sizes(), window.theme
    assert editing.settings.view_state.scale == 100
    editing.window.action_registry["scale_200"].trigger()
    QApplication.processEvents()
    larger = sizes()
    assert larger[-1] > 0 == before[-1]
    assert [
        round(now / candidate, 1) for now, candidate in zip(larger[:-1], before[:-1], strict=True)
    ] == pytest.approx([2.0] * 8, abs=0.35)
    assert Settings().view_state.scale == 200
    assert "200\u00a0%" in editing.window.status.message
    assert [
        scale for scale in INTERFACE_SCALES if editing.window.action_registry[f"scale_{scale}"].isChecked()
    ] == [200]
    window.theme_switch.show(THEMES["projector"])
    assert window.fontInfo().pixelSize() == 2 * THEMES["projector"].normal
    window.theme_switch.show(theme)
    editing.window.action_registry["scale_125"].trigger()
    editing.window.action_registry["scale_100"].trigger()
    qtbot.waitUntil(lambda: sizes() == before)
    assert window.theme is theme


def test_remembered_scale_is_used_by_qt() -> None:
    Settings().set_scale(150)
    code = (
        "from quatviz.app import make_application\n"
        "app = make_application()\n"
        "print(app.primaryScreen().devicePixelRatio())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    Settings().path.unlink()
    assert done.stdout.strip() == "1.5", done.stderr


@pytest.mark.parametrize(("wide", "high", "asked", "by_qt"), [(1280, 720, 200, 1.0), (3840, 2160, 200, 2.0)])
def test_scale_is_limited_to_fit_the_screen(
    wide: int, high: int, asked: int, by_qt: float, tmp_path: Path
) -> None:
    screens = [{"name": "one", "x": 0, "y": 0, "width": wide, "height": high, "logicalDpi": 96, "dpr": 1}]
    config = tmp_path / "screens.json"
    config.write_text(json.dumps({"screens": screens}))
    code = (
        "import quatviz as qv\n"
        "from quatviz.app import make_application\n"
        "from quatviz.display.document.document import Document\n"
        "from quatviz.display.document.state import State\n"
        "from quatviz.display.view_state.theme import THEMES\n"
        "from quatviz.ui.window.actions import ACTIONS\n"
        "from quatviz.ui.window.main_window import MainWindow\n"
        f"app = make_application(scale={asked})\n"
        "window = MainWindow(Document(State.default_for(qv.load_preset('six_lambdas'))), ACTIONS)\n"
        "window.show()\n"
        "for theme in THEMES.values():\n"
        "    window.theme_switch.show(theme)\n"
        "    for _ in range(20): app.processEvents()\n"
        "    room, least = app.primaryScreen().size(), window.minimumSizeHint()\n"
        "    assert room.expandedTo(least) == room, (theme.name, least, room)\n"
        "print(app.devicePixelRatio(), app.devicePixelRatio() * window.theme.size)\n"
        "window.shutdown()\n"
    )
    environment = {**os.environ, "QT_QPA_PLATFORM": f"offscreen:configfile={config}"}
    environment.pop("QT_SCALE_FACTOR", None)
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == [str(by_qt), str(asked / 100)], done.stderr


def test_qt_scale_factor_and_interface_scale_are_multiplied() -> None:
    code = (
        "from quatviz.app import make_application\n"
        "from quatviz.ui.widgets.style import apply_scale, theme_of\n"
        "app = make_application(scale=150)\n"
        "sizes = [theme_of(app).size]\n"
        "apply_scale(100)\n"
        "print(app.devicePixelRatio(), *sizes, theme_of(app).size)\n"
    )
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": "2"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["2.0", "1.5", "1.0"], done.stderr


@pytest.mark.parametrize("name", ["QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS"])
@pytest.mark.parametrize(
    "factor", ["nan", "inf", "-1", "1e9", "0.001", "DP-1=2;HDMI-1=inf", "2", "DP-1=2", "x", ""]
)
def test_unusable_qt_scale_factors_are_ignored(
    name: str, factor: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(name, factor)
    discard_invalid_scale_factors()
    stays = factor in ("2", "DP-1=2", "x", "")
    assert os.environ.get(name) == (factor if stays else None)
    assert caplog.messages == ([] if stays else [f"{name}={factor} is ignored: Qt cannot draw at this scale"])


def test_window_opens_despite_an_infinite_scale_factor() -> None:
    code = "from quatviz.app import make_application; print(make_application().devicePixelRatio())"
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": "inf"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["1.0"], done.stderr


def test_time_field_grows_with_the_theme(editing: WindowController) -> None:
    time = editing.window.transport.time_field
    for theme in (THEMES["projector"], DARK, THEMES["projector"], DARK):
        editing.window.theme_switch.show(theme)
        assert time.fontInfo().pixelSize() == theme.title
        assert time.fontMetrics().horizontalAdvance(time.text()) <= time.width()


def test_reset_restores_the_view_of_a_first_start(editing: WindowController) -> None:
    window = editing.window
    window.theme_switch.show(THEMES["projector"])
    window.board.show_panel("omega", False)
    window.views.set_item_visible("gimbals", True)
    window.side.open_sections(["Body"])
    editing.settings.set_scale(300)
    editing.settings.save(window)
    editing.window.action_registry["reset_look"].trigger()
    assert window.theme is DARK
    assert window.board.is_shown("omega")
    assert not window.scene.stage.is_visible("gimbals")
    assert window.side.open_section_names() == ["Lanes", "Description", "At_the_cursor"]
    assert Settings().view_state.scale == 100
    assert Settings().view_state.theme == DARK.name


def test_choices_survive_a_killed_window(editing: WindowController) -> None:
    """Everything except a lesson's arrangement is saved before the end."""
    window = editing.window
    window.theme_switch.show(PROJECTOR)
    editing.settings.save_unless_lesson_active(window)
    assert Settings().view_state.theme == PROJECTOR.name
    editing.present(read_lesson("half_turn"))
    window.theme_switch.show(LIGHT)
    editing.settings.save_unless_lesson_active(window)
    assert Settings().view_state.theme == PROJECTOR.name
    assert editing.presenter is not None
    editing.presenter.leave()
    editing.settings.save_unless_lesson_active(window)
    assert Settings().view_state.theme == LIGHT.name


def test_unchanged_settings_are_not_written_again(
    editing: WindowController, monkeypatch: pytest.MonkeyPatch
) -> None:
    editing.settings.save_unless_lesson_active(editing.window)
    written = []
    monkeypatch.setattr(settings_file, "write_text", lambda *given: written.append(given))
    editing.settings.save_unless_lesson_active(editing.window)
    assert written == []


def test_wraps_are_marked_only_for_wrapped_angles(editing: WindowController, qtbot: QtBot) -> None:
    """The heavy top proposes unwrapped angles, but its timeline was full of wrap markers."""
    window = editing.window

    def wraps() -> bool:
        marks = window.transport.scrubber.markers
        return any(isinstance(mark, JumpMarker) and mark.cause == WRAP for mark in marks)

    window.board.show_panel("euler_angles", True)
    window.board.choices.choose(ANGLE_RANGE_CHOICE, "wrapped")
    qtbot.waitUntil(wraps)
    window.board.choices.choose(ANGLE_RANGE_CHOICE, "unwrapped")
    qtbot.waitUntil(lambda: not wraps())


def test_scale_message_ends_with_the_run(editing: WindowController) -> None:
    editing.set_scale(125)
    assert "125\u00a0%" in editing.window.status.message
    editing.document.open("another", lambda state: State.default_for(qv.load_preset("heavy_top")))
    assert not editing.window.status.message


def test_side_column_width_is_restored_with_the_scale(editing: WindowController, qtbot: QtBot) -> None:
    window = editing.window
    window.splitter.moveSplitter(window.side.width() + 1, 1)
    chosen, side = window.view_state.splitter[0], window.side.width()
    editing.set_scale(150)
    qtbot.waitUntil(lambda: window.side.width() > side)
    assert window.view_state.splitter[0] == chosen, "the larger width was not chosen by the user"
    editing.set_scale(100)
    qtbot.waitUntil(lambda: window.side.width() == side)
    window.splitter.moveSplitter(side + 60, 1)
    assert window.view_state.splitter[0] == window.side.width() > side, "the user chooses a width"
