"""Each shipped preset is first seen by the panels and items that carry its point."""

import argparse
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from window_steps import editing, two_frames  # noqa: F401

import quatviz as qv
from quatviz.app import Session
from quatviz.base import resources
from quatviz.commands.support.offscreen import look_of
from quatviz.display.panels import PANELS
from quatviz.display.scene.items import ITEMS
from quatviz.display.view_state.session import format_session, parse_session, read_session
from quatviz.display.view_state.view_state import OTHERS, Look, format_look
from quatviz.export.figures.figure import panels_of
from quatviz.files.preset_reading import read_preset
from quatviz.simulation.simulation import Simulation

PRESETS = sorted(resources.preset_folder().glob("*.toml"))


@pytest.mark.parametrize("path", PRESETS, ids=lambda path: path.stem)
def test_it_has_a_look_of_a_few_panels(path: Path) -> None:
    session = read_session(path)
    assert session.proposed
    assert session.look is not None
    shown = {name for name, on in session.look.panels.items() if on}
    assert session.look.panels[OTHERS] is False
    assert 1 <= len(shown) <= 3
    assert shown <= PANELS.keys()
    assert session.look.items.keys() <= ITEMS.keys()
    assert session.preset == read_preset(path)
    assert parse_session(format_session(session)) == session


def test_a_figure_of_such_a_look_has_these_panels() -> None:
    run = Simulation(read_preset(resources.preset_folder() / "six_lambdas.toml"))
    assert panels_of(run, Look(panels={OTHERS: False, "multiplier": True})) == ["multiplier"]
    assert "omega" in panels_of(run, Look(panels={"multiplier": False}))


def test_it_is_seen_so_when_it_is_opened_and_plays(editing: Session, qtbot: QtBot) -> None:
    window, folder = editing.window, resources.preset_folder()
    first = window.look
    window.desk.open(folder / "gimbal_lock.toml")
    two_frames(editing, qtbot)
    assert {panel.name for panel in window.board.panels} == {"euler_angles", "det_s"}
    assert window.views.shows("gimbals")
    assert editing.bridge.snapshot.playing
    assert window.desk.file is None
    reach = window.scene.stage.reach
    assert reach > 1.8, "the rings are made"
    assert window.look.cameras[1].shown > reach, "and seen whole"
    window.desk.open(folder / "six_lambdas.toml")
    two_frames(editing, qtbot)
    assert {panel.name for panel in window.board.panels} == {"multiplier"}
    assert not window.views.shows("gimbals")
    assert window.look.sections == first.sections
    assert window.look.splitter == first.splitter
    editing.document.undo()
    editing.document.undo()
    two_frames(editing, qtbot)
    assert window.look.panels == first.panels
    assert window.look.items == first.items


def test_a_picture_shows_a_preset_as_it_wants_to_be_seen(tmp_path: Path) -> None:
    lambdas = qv.load_preset("six_lambdas")
    choice = argparse.Namespace(look=None, theme="light")
    look = look_of(choice, lambdas)
    assert (look.theme, look.panels, look.items["h"]) == ("light", {"*": False, "multiplier": True}, False)
    own = tmp_path / "own.toml"
    own.write_text(format_look(Look(difference=True)), "utf-8")
    assert look_of(argparse.Namespace(look=own, theme=None), lambdas).panels == {}
    assert look_of(choice).panels == {}


def test_another_preset_is_read_from_its_title_on(editing: Session, qtbot: QtBot) -> None:
    side, folder = editing.window.side, resources.preset_folder()
    bar = side.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    editing.window.desk.open(folder / "gimbal_lock.toml")
    two_frames(editing, qtbot)
    assert bar.value() == 0
