"""How the window looks, chosen from its menu and remembered."""

from __future__ import annotations

import subprocess
import sys

import pytest
from window_steps import editing  # noqa: F401 (a fixture)

from quatviz.app import Session
from quatviz.lessons import read_lesson
from quatviz.ui.settings import SCALES, Settings
from quatviz.ui.theme import DARK, LIGHT, PROJECTOR, THEMES


@pytest.mark.parametrize("name", THEMES)
def test_every_theme_can_be_chosen(editing: Session, name: str) -> None:
    editing.look.themes.actions[name].trigger()
    assert editing.window.theme is THEMES[name]
    editing.window.menus["View"].aboutToShow.emit()
    chosen = [key for key, action in editing.look.themes.actions.items() if action.isChecked()]
    assert chosen == [name]


def test_a_size_is_remembered_for_the_next_start(editing: Session) -> None:
    assert editing.settings.scale() == 100
    editing.look.sizes.actions["200"].trigger()
    assert Settings().scale() == 200
    assert "200 %" in editing.window.statusBar().currentMessage()
    assert set(editing.look.sizes.actions) == set(map(str, SCALES))


def test_the_remembered_size_is_what_qt_shows() -> None:
    Settings().set_scale(150)
    code = (
        "from quatviz.app import make_application\n"
        "app = make_application()\n"
        "print(app.primaryScreen().devicePixelRatio())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "1.5", done.stderr


def test_reset_gives_the_look_of_a_first_start(editing: Session) -> None:
    window = editing.window
    window.restyle(THEMES["projector"])
    window.board.show_panel("omega", False)
    window.scene.set_item_visible("gimbals", True)
    window.side.open_sections(["Body"])
    editing.settings.set_scale(300)
    editing.settings.save(window)
    editing.look.reset.trigger()
    assert window.theme is DARK
    assert window.board.shows("omega")
    assert not window.scene.shows("gimbals")
    assert window.side.open_names() == ["Lanes", "At_the_cursor"]
    assert Settings().scale() == 100
    assert Settings().theme() is DARK


def test_what_was_chosen_survives_a_window_that_is_killed(editing: Session) -> None:
    """Nothing is said at the end: it has been written down before, but for what a lesson arranges."""
    window = editing.window
    window.restyle(PROJECTOR)
    editing.settings.keep(window)
    assert Settings().theme() is PROJECTOR
    editing.present(read_lesson("half_turn"))
    window.restyle(LIGHT)
    editing.settings.keep(window)
    assert Settings().theme() is PROJECTOR
    assert editing.presenter is not None
    editing.presenter.leave()
    editing.settings.keep(window)
    assert Settings().theme() is LIGHT


def test_what_has_not_changed_is_not_written_again(editing: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    editing.settings.keep(editing.window)
    written = []
    monkeypatch.setattr(editing.settings._store, "setValue", lambda *given: written.append(given))
    editing.settings.keep(editing.window)
    assert written == []
