"""Each shipped preset opens with the panels and items that show its point."""

import argparse
import re
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from window_steps import editing, wait_two_frames  # noqa: F401

import quatviz as qv
from quatviz.app import WindowController
from quatviz.base import resources
from quatviz.commands.support.offscreen import chosen_view_state
from quatviz.display.panels import PANELS
from quatviz.display.scene.items import ITEMS
from quatviz.display.view_state.session import format_session, parse_session, read_session
from quatviz.display.view_state.view_state import ALL_OTHERS, ViewState, format_view_state, is_panel_shown
from quatviz.export.documents import EXHIBITS
from quatviz.export.exhibit import DocumentFigure
from quatviz.export.figures.figure import visible_panels
from quatviz.files.preset_reading import read_preset
from quatviz.simulation.simulation import Simulation

PRESETS = sorted(resources.preset_folder().glob("*.toml"))


@pytest.mark.parametrize("path", PRESETS, ids=lambda path: path.stem)
def test_preset_proposes_one_to_three_panels(path: Path) -> None:
    session = read_session(path)
    assert session.is_proposed
    assert session.view_state is not None
    shown = {name for name, on in session.view_state.panels.items() if on}
    assert session.view_state.panels[ALL_OTHERS] is False
    assert 1 <= len(shown) <= 3
    assert shown <= PANELS.keys()
    assert session.view_state.items.keys() <= ITEMS.keys()
    assert session.preset == read_preset(path)
    assert parse_session(format_session(session)) == session


FIGURES = {name: exhibit for name, exhibit in EXHIBITS.items() if issubclass(exhibit, DocumentFigure)}
CITED_FIGURES = re.compile(r"\bFigures? (\d+(?:(?:, | and | to )\d+)*)")


def cited_figures(text: str) -> set[int]:
    """Return the numbers of the figures that a text cites: "Figures 2, 3", "Figures 4 to 6"."""
    numbers: set[int] = set()
    for match in CITED_FIGURES.finditer(text):
        for part in re.split(r", | and ", match[1]):
            first, _, last = part.partition(" to ")
            numbers |= set(range(int(first), int(last or first) + 1))
    return numbers


def test_cited_figures_are_found() -> None:
    assert cited_figures("Tables 4 and 5 and Figure 8; Figures 2, 3, and Figures 4 to 6") == {
        2,
        3,
        4,
        5,
        6,
        8,
    }


@pytest.mark.parametrize("path", PRESETS, ids=lambda path: path.stem)
def test_preset_citing_a_figure_shows_its_quantity(path: Path) -> None:
    session = read_session(path)
    assert session.view_state is not None
    cited = {f"figure_{number}" for number in cited_figures(session.preset.source)}
    if "Shivarama" in session.preset.source:
        assert cited <= FIGURES.keys()
        wanted = {FIGURES[name].panel_name for name in cited}
        assert wanted <= {name for name in PANELS if is_panel_shown(session.view_state, name, False)}


def test_every_document_figure_names_its_panel() -> None:
    assert len(FIGURES) == 7
    assert {figure.panel_name for figure in FIGURES.values()} <= PANELS.keys()


def test_figure_of_a_view_state_has_its_visible_panels() -> None:
    run = Simulation(read_preset(resources.preset_folder() / "six_lambdas.toml"))
    assert visible_panels(run, ViewState(panels={ALL_OTHERS: False, "multiplier": True})) == ["multiplier"]
    assert "omega" in visible_panels(run, ViewState(panels={"multiplier": False}))


def test_opened_preset_shows_its_view_state_and_plays(editing: WindowController, qtbot: QtBot) -> None:
    window, folder = editing.window, resources.preset_folder()
    first = window.view_state
    window.file_actions.open(folder / "gimbal_lock.toml")
    wait_two_frames(editing, qtbot)
    assert {panel.name for panel in window.board.panels} == {"euler_angles", "det_s"}
    assert window.views.is_visible("gimbals")
    assert editing.frame_loop.snapshot.playing
    assert window.file_actions.file is None
    reach = window.scene.stage.visible_radius
    assert reach > 1.8, "the rings are created"
    assert window.view_state.cameras[1].shown > reach, "and fully visible"
    window.file_actions.open(folder / "six_lambdas.toml")
    wait_two_frames(editing, qtbot)
    assert {panel.name for panel in window.board.panels} == {"multiplier"}
    assert not window.views.is_visible("gimbals")
    assert window.view_state.sections == first.sections
    assert window.view_state.splitter == first.splitter
    editing.document.undo()
    editing.document.undo()
    wait_two_frames(editing, qtbot)
    assert window.view_state.panels == first.panels
    assert window.view_state.items == first.items


def test_picture_of_a_preset_uses_its_view_state(tmp_path: Path) -> None:
    lambdas = qv.load_preset("six_lambdas")
    choice = argparse.Namespace(look=None, theme="light")
    look = chosen_view_state(choice, lambdas)
    assert (look.theme, look.panels, look.items["h"]) == ("light", {"*": False, "multiplier": True}, False)
    own = tmp_path / "own.toml"
    own.write_text(format_view_state(ViewState(difference=True)), "utf-8")
    assert chosen_view_state(argparse.Namespace(look=own, theme=None), lambdas).panels == {}
    assert chosen_view_state(choice).panels == {}


def test_opening_a_preset_scrolls_to_its_title(editing: WindowController, qtbot: QtBot) -> None:
    side, folder = editing.window.side, resources.preset_folder()
    bar = side.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    editing.window.file_actions.open(folder / "gimbal_lock.toml")
    wait_two_frames(editing, qtbot)
    assert bar.value() == 0
